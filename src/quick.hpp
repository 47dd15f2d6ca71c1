// Tangled from org/context.org; change the chapter, then run: make tangle
// Calls for plain blocks that do without a visit.
#ifndef CADASTRE_SRC_QUICK_HPP
#define CADASTRE_SRC_QUICK_HPP

#include "backends/host_heap.hpp"
#include "context.hpp"
#include "lock.hpp"

namespace cadastre::internal {

struct Slot;

inline constexpr std::uint32_t slot_bits = 20;
inline constexpr std::uint32_t last_number = (1u << slot_bits) - 1;
inline constexpr std::uint32_t most_slots = last_number - 1;  // so that a gate that is not open is in nobody's slot
inline constexpr std::uint32_t first_segment = 64;

struct Table {
  Mutex<Rank::table> mutex;
  std::atomic<Slot*> segments[slot_bits - std::bit_width(first_segment) + 2] = {};
  std::atomic<std::uint32_t> used = 0;
  std::atomic<std::uint32_t> contexts = 0;  // that live
  std::uint32_t first_vacant CADASTRE_GUARDED_BY(mutex) = 0;  // slot number + 1
  std::atomic<std::uint64_t> secret = 0;
};

[[gnu::visibility("hidden")]] extern Table table;

struct alignas(512) Slot {  // a power of two, so that its place is a shift
  Gate gate;  // read by quick calls; opened and shut by the functions below
  Mutex<Rank::context> mutex;
  Condition<Rank::context> changed;         // the owner has left, the context closes, nobody is outside
  std::atomic<Context*> context = nullptr;  // null while the slot is vacant; written by who has the mutex
  std::uint32_t generation CADASTRE_GUARDED_BY(mutex) = 1;  // of the context that is or will be here
  cadastre_context handle CADASTRE_GUARDED_BY(mutex) = CADASTRE_NULL_CONTEXT;  // of the context that is here
  std::uint64_t owner CADASTRE_GUARDED_BY(mutex) = 0;       // the thread that has locked the context; 0 for none
  std::int32_t depth CADASTRE_GUARDED_BY(mutex) = 0;
  std::uint32_t waiting CADASTRE_GUARDED_BY(mutex) = 0;     // threads that wait for a change
  std::atomic<std::uint32_t> outside = 0;                   // calls between step_out and step_in
  std::atomic<bool> closing = false;
  std::uint32_t next_vacant CADASTRE_GUARDED_BY(table.mutex) = 0;  // slot number + 1
  bool held_for_fork = false;  // by the thread that forks
  std::atomic<std::size_t> quick_below = 0;  // of the context that is here

  void wait() noexcept CADASTRE_REQUIRES(mutex) {
    const NotCancelled here;
    ++waiting;
    changed.wait(mutex);
    --waiting;
  }
  void notify() noexcept CADASTRE_REQUIRES(mutex) {
    if (waiting > 0) changed.wake_all();
  }
  // Sends quick calls away, and lets them in again where the context has no owner and takes them.
  void shut_gate() noexcept CADASTRE_REQUIRES(mutex);
  void open_gate() noexcept CADASTRE_REQUIRES(mutex);
  void open_heap(Context& here) noexcept CADASTRE_REQUIRES(mutex);
  void keep_gate_closed() noexcept CADASTRE_REQUIRES(mutex);
  template <class Action>
  void while_shut(Action action) noexcept {
    const Locked locked(mutex);
    shut_gate();
    action();
    open_gate();
  }
  // Gives each thread a stripe of its own, as nearly as can be told; while the gate is shut.
  void divide() noexcept CADASTRE_REQUIRES(mutex);

  bool gate_in_use CADASTRE_GUARDED_BY(mutex) = false;  // it was opened, and not closed for longer than a moment
};

[[gnu::visibility("hidden")]] extern Slot first_slots[first_segment];

inline unsigned segment_of(std::uint32_t number) noexcept {
  return static_cast<unsigned>(std::bit_width(number / first_segment));
}

inline Slot& slot_at(std::uint32_t number) noexcept {
  if (number < first_segment) [[likely]] return first_slots[number];
  const unsigned segment = segment_of(number);
  return table.segments[segment].load(std::memory_order_acquire)[number - (first_segment << (segment - 1))];
}


static_assert(grain == heap_alignment && mapped_from <= largest_plain, "all that the heap gives can be a plain block");

// Whether all but the size is as it mostly is, with one comparison for all.
[[gnu::always_inline]] inline bool is_quick(const cadastre_memory_info_struct& info) noexcept {
  const auto type = static_cast<std::uint32_t>(info.type ^ CADASTRE_HOST);
  const auto backend = static_cast<std::uint32_t>(info.backend ^ CADASTRE_DEFAULT_BACKEND);
  const std::uint32_t flags = info.flags & ~CADASTRE_UNINITIALIZED;
  const std::size_t alignment = info.alignment & ((info.alignment - 1) | ~(2 * grain - 1));  // 0 for powers of two up to a grain
  return (type | backend | flags | info.stride | alignment | reserved_bits(info)) == 0;
}

[[gnu::always_inline]] inline std::uint32_t slot_number(cadastre_context handle) noexcept {
  return static_cast<std::uint32_t>(handle) & last_number;
}

// Finds the slot with the number that a handle has; false when there is none. Its gate is open for the very handle or not at
// all, so that a handle needs no other proof.
[[gnu::always_inline]] inline bool find_slot(cadastre_context handle, Slot*& slot) noexcept {
  const std::uint32_t number = slot_number(handle);
  if (number < first_segment) [[likely]] {
    slot = &first_slots[handle & (first_segment - 1)];  // as if it were by the number, in an instruction less
    return true;
  }
  if (number >= table.used.load(std::memory_order_acquire)) return false;
  slot = &slot_at(number);
  return true;
}

[[gnu::always_inline]] inline Registry& registry_in(const Slot& slot) noexcept {
  return slot.context.load(std::memory_order_relaxed)->registry();
}

// address: its own, which the caller has at hand.
inline cadastre_memory_info_struct info_of(const PlainBlock& block, std::uintptr_t address) noexcept {
  return {block.size(),
          reinterpret_cast<void*>(address),
          CADASTRE_HOST,
          CADASTRE_DEFAULT_DEVICE,
          grain,
          0,
          block.flags(),
          CADASTRE_BACKEND_HOST,
          text_of(block.origin),
          no_device_id,
          {}};
}

// What the functions of the same names do to plain blocks; null or false, and nothing changed, where it takes a visit.
// hindered: set where somebody else was in the way, so that patience may help.
[[gnu::always_inline]] inline void* quick_malloc(cadastre_context handle, const cadastre_memory_info_struct& info,
                                                 Manner manner, bool& hindered) noexcept {
  Slot* slot;
  if (!is_quick(info) || !find_slot(handle, slot)) return nullptr;
  if (info.size >= slot->quick_below.load(std::memory_order_relaxed)) return nullptr;
  if (manner == Manner::at_once ? !slot->gate.is_open_for(handle) : !slot->gate.lets_in(handle)) {
    return hindered = true, nullptr;
  }
  void* const pointer = take_from_heap(info.size, (info.flags & CADASTRE_UNINITIALIZED) == 0);
  if (!pointer) [[unlikely]] return nullptr;
  {
    const Inside inside(slot->gate, handle, address_of(pointer), manner);
    if (!inside) [[unlikely]] {
      hindered = true;
    } else if (registry_in(*slot).enter_quickly(inside.stripe(), pointer, info)) [[likely]] {
      return pointer;
    }
  }
  give_to_heap(pointer);
  return nullptr;
}

[[gnu::always_inline]] inline bool quick_free(cadastre_context handle, void* pointer, Manner manner,
                                               bool& hindered) noexcept {
  Slot* slot;
  if (!find_slot(handle, slot)) return false;
  prefetch_for_heap(pointer);  // while the stripe is searched
  {
    const Inside inside(slot->gate, handle, address_of(pointer), manner);
    if (!inside) [[unlikely]] return hindered = true, false;
    if (!registry_in(*slot).remove_quickly(inside.stripe(), pointer)) return false;
  }
  give_to_heap(pointer);
  return true;
}

[[gnu::always_inline]] inline bool quick_describe(cadastre_context handle, const void* pointer,
                                                  cadastre_memory_info_struct* info, Manner manner,
                                                  bool& hindered) noexcept {
  Slot* slot;
  if (!info || !find_slot(handle, slot)) return false;
  const Inside inside(slot->gate, handle, address_of(pointer), manner);
  if (!inside) [[unlikely]] return hindered = true, false;
  const PlainBlock* const block = inside.stripe().find_live(address_of(pointer));
  if (!block) return false;
  *info = info_of(*block, address_of(pointer));
  return true;
}

[[gnu::always_inline]] inline bool quick_locate(cadastre_context handle, const void* address,
                                                cadastre_memory_info_struct* info, std::size_t* offset,
                                                Manner manner, bool& hindered) noexcept {
  Slot* slot;
  if (!find_slot(handle, slot)) return false;
  const Inside inside(slot->gate, handle, address_of(address), manner);
  if (!inside) [[unlikely]] return hindered = true, false;
  if (!registry_in(*slot).knows_all_around()) return false;
  const PlainBlock* const block = inside.stripe().around(Kind::live, address_of(address));
  if (!block) return false;
  if (info) *info = info_of(*block, block->address);
  if (offset) *offset = address_of(address) - block->address;
  return true;
}

}  // namespace cadastre::internal
#endif
