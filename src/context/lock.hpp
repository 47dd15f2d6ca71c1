// Tangled from org/context/lock.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Who is inside a context, and its lock.
#ifndef CADASTRE_SRC_CONTEXT_LOCK_HPP
#define CADASTRE_SRC_CONTEXT_LOCK_HPP

#include <cstdint>
#include <optional>

#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "context/backend_time.hpp"
#include "context/context.hpp"
#include "context/table.hpp"

namespace cadastre::internal {

struct Holdings;

// One call inside one context: holds the mutex of its slot, except between unlock and relock. Whether it has a slot, and
// whether it holds the mutex at its end, is known at run time only, so the analysis of locks passes these functions by.
// Called when a call in a context was refused memory, of which failed_last() tells, by a thread that may hold locks: it takes none.
using RefusalWatcher = void (*)(cadastre_context context, const char* function) noexcept;
inline constinit std::atomic<RefusalWatcher> refusal_watcher = nullptr;

class ContextLock : NonCopyable {
 public:
  // Waits while another thread has locked the context. Refused, with a failure, when the handle is not that of a live context, or a handler of
  // signals asks while its thread is inside the library.
  explicit ContextLock(cadastre_context handle) noexcept CADASTRE_UNCHECKED;
  ~ContextLock() CADASTRE_UNCHECKED;

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  Context* operator->() const noexcept { return context_; }
  Context& context() const noexcept { return *context_; }
  cadastre_context handle() const noexcept { return handle_; }

  // Lets others in, while the context stays alive; for calls of a backend. From then on the thread is not cancelled as long as
  // the locked call lasts.
  void unlock() noexcept CADASTRE_UNCHECKED;
  void relock() noexcept CADASTRE_UNCHECKED;
  // Keeps the calling thread's last failure for the context's report. Costs nothing but where a call has failed.
  void keep_failure(const char* function) noexcept CADASTRE_UNCHECKED;

  // Calls while others may be inside, and is inside again whatever it throws; or calls a backend, whose time is counted.
  template <class Call>
  auto unlocked(Call call);
  template <class Call>
  auto in_backend(Call call) noexcept;

  // What the call has reserved meanwhile.
  Begun begun;
  // Whether queues were at work on memory that was to be given up for the call.
  bool in_flight = false;

  // Whether this thread has another call outside in the context, from which this one was made.
  bool is_nested() const noexcept { return is_any_unlocked() && is_from_unlocked(); }
  // Whether any call is outside in the context.
  bool is_any_unlocked() const noexcept { return slot_->unlocked_calls.load(std::memory_order_relaxed) > 0; }

  // After a fork, in the child: counts the calls of this thread that are outside as the only ones, and tells what they have begun
  // in a context.
  static void keep_own() noexcept;
  static const Begun* begun_in(const Context& context) noexcept;

 private:
  bool is_from_unlocked() const noexcept;
  friend cadastre_exit_code lock_context(ContextLock&) noexcept;
  friend cadastre_exit_code unlock_context(ContextLock&) noexcept;
  friend cadastre_exit_code destroy_context(ContextLock&, cadastre_destroy_summary_struct*, void (*)(const Holdings*) noexcept,
                                            LabelCounts*) noexcept;

  cadastre_context handle_;
  Slot* slot_ = nullptr;
  Context* context_ = nullptr;
  bool outside_ = false;
  ContextLock* beneath_ = nullptr;  // while outside: that of the same thread from which a backend called
  std::optional<NotCancelled> not_cancelled_;
};

// Lets others in as long as it lasts.
class Unlocked : NonCopyable {
 public:
  explicit Unlocked(ContextLock& lock) noexcept : lock_(lock) { lock.unlock(); }
  ~Unlocked() { lock_.relock(); }

 private:
  ContextLock& lock_;
};

// The same for calls of a backend, whose time it counts.
class InBackend {
 public:
  explicit InBackend(ContextLock& lock) noexcept : outside_(lock), time_(lock->host().is_timing()) {}

 private:
  const Unlocked outside_;
  const BackendTime time_;
};

template <class Call>
auto ContextLock::unlocked(Call call) {
  const Unlocked here(*this);
  return call();
}
template <class Call>
auto ContextLock::in_backend(Call call) noexcept {
  const InBackend here(*this);
  return call();
}

// A call that is outside of a context which it never entered, and so is the child where it forks. Made with the mutex of the slot held, or inside a
// shard of the context; the end needs the mutex only where somebody waits for it.
class ContextPin : NonCopyable {
 public:
  explicit ContextPin(Slot& of) noexcept;
  ~ContextPin();
  Slot& slot;
  ContextPin* beneath;
};

// Whether this thread is called by a backend, or by what else is called by a call of the library that has let go of its context.
bool serves_a_call() noexcept;

cadastre_exit_code lock_context(ContextLock& lock) noexcept;
cadastre_exit_code unlock_context(ContextLock& lock) noexcept;

// A number that no other thread of this process has or had, unlike an address or a pthread_t; not 0.
std::uint64_t this_thread() noexcept;

// Lets threads into their shards again, all of them or who has locked the context.
void unlock_heap(Slot& slot) noexcept CADASTRE_REQUIRES(slot.mutex);
// The same at the end of each locked call, which lets go of the mutex. Then, where the locked call has locked the heap, it returns pages of threads
// that are idle.
void leave(Slot& slot) noexcept CADASTRE_RELEASES(slot.mutex);
template <class Action>
void while_locked(Slot& slot, Action action) noexcept {
  slot.mutex.lock();
  if (Context* const context = slot.context.load(std::memory_order_relaxed)) context->cache().give_up();
  action();
  leave(slot);
}

}  // namespace cadastre::internal
#endif
