// Tangled from org/context/table.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The table of contexts: handles, and the slots that they lead to.
#ifndef CADASTRE_SRC_CONTEXT_TABLE_HPP
#define CADASTRE_SRC_CONTEXT_TABLE_HPP

#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/lock.hpp"
#include "cadastre.h"

namespace cadastre::internal {

class Context;
struct Slot;

class ContextTable {
 public:
  static constexpr std::uint32_t slot_bits = 20;
  static constexpr std::uint32_t last_number = (1u << slot_bits) - 1;
  static constexpr std::uint32_t most_slots = last_number - 1;
  static constexpr std::uint32_t first_segment = 64;
  static constexpr std::uint32_t generation_bits = 27, check_bits = 16;
  static constexpr std::uint32_t last_generation = (1u << generation_bits) - 1;

  // The slot that a handle speaks of, whatever lives there now; null for a number that is no handle of ours.
  Slot* find(cadastre_context handle) const noexcept;
  // Slots that were ever used have numbers below that.
  std::uint32_t used() const noexcept { return used_.load(std::memory_order_acquire); }
  Slot& at(std::uint32_t number) const noexcept;
  template <class Action>
  void for_each(Action action) const noexcept {
    const std::uint32_t end = used();
    for (std::uint32_t number = 0; number < end; ++number) action(at(number));
  }

  // A vacant slot's number; most_slots when there is none. Throws std::bad_alloc.
  std::uint32_t take() CADASTRE_REQUIRES(mutex);
  // The slot of a context that was destroyed, and had that handle, is vacant again.
  void put_back(Slot& slot, cadastre_context handle) noexcept;
  cadastre_context handle_of(std::uint32_t number, std::uint32_t generation) const noexcept {
    return static_cast<cadastre_context>(check_of(number, generation) << (slot_bits + generation_bits) |
                                         std::uint64_t{generation} << slot_bits | number);
  }

  static inline constinit Mutex<Rank::table> mutex;
  std::atomic<std::uint32_t> contexts = 0;  // that live

 private:
  static unsigned segment_of(std::uint32_t number) noexcept { return static_cast<unsigned>(std::bit_width(number / first_segment)); }
  static std::uint32_t slot_number(cadastre_context handle) noexcept { return static_cast<std::uint32_t>(handle) & last_number; }
  static std::uint32_t generation_of(cadastre_context handle) noexcept {
    return static_cast<std::uint32_t>(handle >> slot_bits) & last_generation;
  }
  std::uint64_t check_of(std::uint32_t number, std::uint32_t generation) const noexcept {
    const std::uint64_t both = std::uint64_t{generation} << slot_bits | number;
    return ((both + 1) * secret_.load(std::memory_order_relaxed)) >> (64 - check_bits);
  }
  std::uint32_t take_new() CADASTRE_REQUIRES(mutex);
  void draw_secret() noexcept;

  std::atomic<Slot*> segments_[slot_bits - std::bit_width(first_segment) + 2] = {};
  std::atomic<std::uint32_t> used_ = 0;
  std::uint32_t first_vacant_ CADASTRE_GUARDED_BY(mutex) = 0;  // slot number + 1
  std::atomic<std::uint64_t> secret_ = 0;
};

extern ContextTable context_table;

struct alignas(256) Slot {  // a power of two, so that its place is a shift
  Mutex<Rank::context> mutex;
  Condition<Rank::context> changed;                         // the owner has left, the context closes, nobody is outside
  std::atomic<Context*> context = nullptr;                  // null while the slot is vacant; written by who has the mutex
  std::uint32_t generation CADASTRE_GUARDED_BY(mutex) = 1;  // of the context that is or will be here
  cadastre_context handle CADASTRE_GUARDED_BY(mutex) = CADASTRE_NULL_CONTEXT;  // of the context that is here
  std::uint64_t owner CADASTRE_GUARDED_BY(mutex) = 0;                          // the thread that has locked the context; 0 for none
  std::int32_t depth CADASTRE_GUARDED_BY(mutex) = 0;
  std::uint32_t waiting CADASTRE_GUARDED_BY(mutex) = 0;  // threads that wait for a change
  std::atomic<std::uint32_t> unlocked_calls = 0;         // calls between unlock and relock
  std::atomic<bool> closing = false;
  std::uint32_t next_vacant CADASTRE_GUARDED_BY(ContextTable::mutex) = 0;  // slot number + 1
  bool held_for_fork = false;                                              // by the thread that forks

  void wait() noexcept CADASTRE_REQUIRES(mutex) {
    const NotCancelled here;
    ++waiting;
    changed.wait(mutex);
    --waiting;
  }
  void notify() noexcept CADASTRE_REQUIRES(mutex) {
    if (waiting > 0) changed.wake_all();
  }
};

extern Slot first_slots[ContextTable::first_segment];

inline Slot& ContextTable::at(std::uint32_t number) const noexcept {
  if (number < first_segment) [[likely]]
    return first_slots[number];
  const unsigned segment = segment_of(number);
  return segments_[segment].load(std::memory_order_acquire)[number - (first_segment << (segment - 1))];
}

inline Slot* ContextTable::find(cadastre_context handle) const noexcept {
  if (handle <= 0 || secret_.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::uint32_t number = slot_number(handle);
  if (number >= used()) return nullptr;
  return handle == handle_of(number, generation_of(handle)) ? &at(number) : nullptr;
}

inline std::uint32_t ContextTable::take() {
  if (first_vacant_ == 0) return take_new();
  const std::uint32_t number = first_vacant_ - 1;
  first_vacant_ = at(number).next_vacant;
  return number;
}

inline void ContextTable::put_back(Slot& slot, cadastre_context handle) noexcept {
  const Locked locked(mutex);
  slot.next_vacant = std::exchange(first_vacant_, slot_number(handle) + 1);
}

inline bool lives_in(const Slot& slot, cadastre_context handle) noexcept CADASTRE_REQUIRES(slot.mutex) {
  return slot.context && slot.handle == handle && !slot.closing.load(std::memory_order_relaxed);
}

}  // namespace cadastre::internal
#endif
