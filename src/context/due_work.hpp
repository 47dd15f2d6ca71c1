// Tangled from org/context/due_work.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What is due is noted by who may hold locks, and done by a call that is through.
#ifndef CADASTRE_SRC_CONTEXT_DUE_WORK_HPP
#define CADASTRE_SRC_CONTEXT_DUE_WORK_HPP

#include <atomic>
#include <cstdint>

namespace cadastre::internal {

enum Work : std::uint8_t { holders_are_old = 1, limits_are_to_be_looked_at = 2, one_was_refused = 4 };
inline constinit std::atomic<std::uint8_t> work_is_due = 0;
// Does it: a thread that holds no lock and is not cancelled meanwhile. Null: nothing is ever due.
using DueWorker = void (*)() noexcept;
inline constinit std::atomic<DueWorker> due_worker = nullptr;

// Any thread may, and a handler of signals. Writes nothing where all of it is due already.
inline void note_due(std::uint8_t work) noexcept {
  if ((work & ~work_is_due.load(std::memory_order_relaxed)) != 0) work_is_due |= work;
}

// At the end of a call, errno stays.
void do_due_work() noexcept;
inline void do_due_work_if_any() noexcept {
  if (work_is_due.load(std::memory_order_relaxed) != 0) [[unlikely]]
    do_due_work();
}

}  // namespace cadastre::internal
#endif
