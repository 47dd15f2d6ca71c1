// Tangled from org/context/due_work.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/due_work.hpp"

#include "base/lock.hpp"
#include "base/process.hpp"
#include "context/lock.hpp"
#include "core/threads.hpp"

namespace cadastre::internal {

void do_due_work() noexcept {
  const DueWorker worker = due_worker.load(std::memory_order_acquire);
  if (!worker || is_interrupted() || serves_a_call()) return;
  const KeptErrno kept_errno;
  const NotCancelled here;
  worker();
}

}  // namespace cadastre::internal
