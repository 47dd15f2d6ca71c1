// Tangled from org/context.org; change the chapter, then run: make tangle
// Where contexts are: slots, each with its lock.
#ifndef CADASTRE_SRC_SLOT_HPP
#define CADASTRE_SRC_SLOT_HPP

#include "context.hpp"
#include "lock.hpp"

namespace cadastre::internal {

struct Slot;

inline constexpr std::uint32_t slot_bits = 20;
inline constexpr std::uint32_t last_number = (1u << slot_bits) - 1;
inline constexpr std::uint32_t most_slots = last_number - 1;
inline constexpr std::uint32_t first_segment = 64;

struct ContextTable {
  Mutex<Rank::table> mutex;
  std::atomic<Slot*> segments[slot_bits - std::bit_width(first_segment) + 2] = {};
  std::atomic<std::uint32_t> used = 0;
  std::atomic<std::uint32_t> contexts = 0;  // that live
  std::uint32_t first_vacant CADASTRE_GUARDED_BY(mutex) = 0;  // slot number + 1
  std::atomic<std::uint64_t> secret = 0;
};

[[gnu::visibility("hidden")]] extern ContextTable table;

struct alignas(256) Slot {  // a power of two, so that its place is a shift
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

  void wait() noexcept CADASTRE_REQUIRES(mutex) {
    const NotCancelled here;
    ++waiting;
    changed.wait(mutex);
    --waiting;
  }
  void notify() noexcept CADASTRE_REQUIRES(mutex) {
    if (waiting > 0) changed.wake_all();
  }
  // Lets threads into their shards again, all of them or who has locked the context; for each visit at its end.
  void open_heap() noexcept CADASTRE_REQUIRES(mutex);
  template <class Action>
  void while_locked(Action action) noexcept {
    const Locked locked(mutex);
    action();
    open_heap();
  }
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


[[gnu::always_inline]] inline std::uint32_t slot_number(cadastre_context handle) noexcept {
  return static_cast<std::uint32_t>(handle) & last_number;
}

}  // namespace cadastre::internal
#endif
