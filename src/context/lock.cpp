// Tangled from org/context/lock.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/lock.hpp"

#include <atomic>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "core/sparse.hpp"

namespace cadastre::internal {

std::uint64_t this_thread() noexcept {
  static constinit std::atomic<std::uint64_t> threads = 0;
  thread_local constinit std::uint64_t number = 0;
  if (number == 0) number = ++threads;
  return number;
}

namespace {

// The first of the shards into which the calling thread was let as a substitute, if it wants to be; null for none.
Shard* unlock_heap(Slot& slot, bool as_substitute) noexcept CADASTRE_REQUIRES(slot.mutex) {
  Context* const here = slot.context.load(std::memory_order_relaxed);
  if (!here || slot.closing.load(std::memory_order_relaxed) || !here->host().uses_shards()) return nullptr;
  Heap& heap = here->registry().heap();
  const std::size_t alone_below = here->host().alone_below();
  if (alone_below != heap.rules().alone_below) here->registry().heap().lock();
  Shard* idle = nullptr;
  if (heap.is_locked()) {
    heap.rules() = here->host().for_shards();
    if (as_substitute) idle = heap.let_substitute_in();
  }
  if (slot.owner == 0) {
    heap.unlock(slot.handle);
  } else if (slot.owner == this_thread()) {
    heap.unlock_for_caller(slot.handle);
  } else if (heap.is_locked()) {
    heap.unlock_for_locker();
  }
  return idle;
}

}  // namespace

void unlock_heap(Slot& slot) noexcept { unlock_heap(slot, false); }

// What a handler of signals, or a library that has replaced a function of the system, asks for while the thread is a substitute is refused:
// it could wait for this thread.
void leave(Slot& slot) noexcept {
  Shard* const idle = unlock_heap(slot, true);
  if (!idle) return slot.mutex.unlock();
  const InsideLibrary inside;
  slot.mutex.unlock();
  decay_and_leave(idle);
}

namespace {

Text why_none_was_created() noexcept {
  const Failure* const last = last_failure(CADASTRE_NULL_CONTEXT);
  if (!last) return {};
  if (last->reason == CADASTRE_REASON_NULL_CONTEXT) return last->detail;
  cadastre_error_struct error = cadastre_error_struct_zero;
  tell_last_failure(CADASTRE_NULL_CONTEXT, error);
  const bool of_creation = std::strncmp(error.function, "cadastre_context_create", 23) == 0;
  return of_creation ? text("; before, %s", error.message) : Text();
}

}  // namespace

ContextLock::ContextLock(cadastre_context handle) noexcept : handle_(handle) {
  if (is_interrupted()) [[unlikely]] {
    refuse_interrupted();
    return;
  }
  slot_ = context_table.find(handle);
  if (!slot_ && handle == CADASTRE_NULL_CONTEXT) {
    fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_NULL_CONTEXT, .detail = why_none_was_created()});
    return;
  }
  if (!slot_) {
    const bool process = handle == CADASTRE_PROCESS;
    fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = process ? CADASTRE_REASON_PROCESS_CONTEXT : CADASTRE_REASON_UNKNOWN_CONTEXT});
    return;
  }
  slot_->mutex.lock();
  while (lives_in(*slot_, handle) && slot_->owner != 0 && slot_->owner != this_thread()) slot_->wait();
  if (!lives_in(*slot_, handle)) {
    slot_->mutex.unlock();
    slot_ = nullptr;
    fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_DESTROYED_CONTEXT});
    return;
  }
  context_ = slot_->context;
  context_->cache().give_up();
}

namespace {

thread_local constinit ContextLock* last_unlocked = nullptr;  // the last of this thread's

thread_local constinit ContextPin* last_pin = nullptr;

}  // namespace

bool serves_a_call() noexcept { return last_unlocked || last_pin; }

// A fork in a handler of signals finds both, the number and the pin, or neither.
ContextPin::ContextPin(Slot& of) noexcept : slot(of) {
  const InsideLibrary inside;
  slot.unlocked_calls.fetch_add(1);
  beneath = std::exchange(last_pin, this);
}
ContextPin::~ContextPin() {
  bool is_last = false;
  {
    const InsideLibrary inside;
    last_pin = beneath;
    is_last = slot.unlocked_calls.fetch_sub(1) == 1;
  }
  if (!is_last || !slot.closing) return;
  const Locked locked(slot.mutex);
  slot.notify();
}

void ContextLock::unlock() noexcept {
  if (!not_cancelled_) not_cancelled_.emplace();
  slot_->unlocked_calls.fetch_add(1);
  outside_ = true;
  beneath_ = std::exchange(last_unlocked, this);
  leave(*slot_);
}

// A context that closes waits for this call, so the call does not wait for its lock.
void ContextLock::relock() noexcept {
  slot_->mutex.lock();
  while (!slot_->closing && slot_->owner != 0 && slot_->owner != this_thread()) slot_->wait();
  outside_ = false;
  last_unlocked = beneath_;
  if (slot_->unlocked_calls.fetch_sub(1) == 1) slot_->notify();
  context_->cache().give_up();
}

// A call that fails outside comes back for a moment, whoever has locked the context; the blocks are others' then.
// A copy with memory that the context does not know is no failure yet: an adapter tries it, and then records the memory.
void ContextLock::keep_failure(const char* function) noexcept {
  const Failure& failure = failed_last();
  if (!slot_ || failure.reason == CADASTRE_REASON_NOT_REGISTERED || failure.reason == CADASTRE_REASON_OTHER_CONTEXT) return;
  const bool is_refused = is_shortage(failure.exit_code);
  const RefusalWatcher watcher = is_refused ? refusal_watcher.load(std::memory_order_relaxed) : nullptr;
  if (watcher) watcher(handle(), function);
  if (!outside_) return context_->notes().keep_failure(function, is_refused);
  const Locked locked(slot_->mutex);
  context_->notes().keep_failure(function, false);
}

bool ContextLock::is_from_unlocked() const noexcept {
  const ContextLock* lock = last_unlocked;
  while (lock && (lock == this || lock->slot_ != slot_)) lock = lock->beneath_;
  const ContextPin* pin = last_pin;
  while (pin && &pin->slot != slot_) pin = pin->beneath;
  return lock || pin;
}

void ContextLock::keep_own() noexcept {
  for (const ContextLock* lock = last_unlocked; lock; lock = lock->beneath_) lock->slot_->unlocked_calls.fetch_add(1);
  for (const ContextPin* pin = last_pin; pin; pin = pin->beneath) pin->slot.unlocked_calls.fetch_add(1);
}

const Begun* ContextLock::begun_in(const Context& context) noexcept {
  const Begun* before = nullptr;
  for (ContextLock* lock = last_unlocked; lock; lock = lock->beneath_) {
    if (lock->context_ != &context) continue;
    lock->begun.before = std::exchange(before, &lock->begun);
  }
  return before;
}

// A call that ends outside needs the mutex only when somebody waits for it to end.
ContextLock::~ContextLock() {
  if (!slot_) return;
  if (!outside_) {
    leave(*slot_);
    return;
  }
  bool is_last = false;
  {
    const InsideLibrary inside;  // a fork in a handler of signals finds both, or neither
    last_unlocked = beneath_;
    is_last = slot_->unlocked_calls.fetch_sub(1) == 1;
  }
  if (is_last && slot_->closing) {
    const Locked locked(slot_->mutex);
    slot_->notify();
  }
}

cadastre_exit_code lock_context(ContextLock& lock) noexcept {
  Slot& slot = *lock.slot_;
  slot.mutex.assert_held();
  if (slot.depth == INT32_MAX) {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_LOCK_COUNT_OVERFLOW, .limit = INT32_MAX});
  }
  lock->registry().heap().lock();
  slot.owner = this_thread();
  ++slot.depth;
  return CADASTRE_SUCCESS;
}

cadastre_exit_code unlock_context(ContextLock& lock) noexcept {
  Slot& slot = *lock.slot_;
  slot.mutex.assert_held();
  if (slot.owner == 0) return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_NOT_LOCKED});
  if (--slot.depth == 0) {
    slot.owner = 0;
    slot.notify();
  }
  return CADASTRE_SUCCESS;
}

}  // namespace cadastre::internal
