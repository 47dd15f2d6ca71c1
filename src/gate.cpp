// Tangled from org/gate.org; change the chapter, then run: make tangle
#include "gate.hpp"

#include <sched.h>
#include <time.h>

namespace cadastre::internal {

namespace {

void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// Longer and longer from turn to turn.
class Patience {
 public:
  void wait() noexcept {
    ++turns_;
    if (turns_ < 64) {
      pause();
    } else if (turns_ < 1024) {
      sched_yield();
    } else {
      constexpr timespec moment{0, 50000};
      nanosleep(&moment, nullptr);
    }
  }

 private:
  unsigned turns_ = 0;
};

}  // namespace

// No thread is cancelled in its sleep: the caller may hold a block that nobody knows of yet.
void StripeLock::wait() const noexcept {
  const NotCancelled here;
  Patience patience;
  while (taken()) patience.wait();
}

// A visit that does not call a backend takes less than a microsecond; for a longer one the caller goes and waits where
// he can sleep.
bool Gate::lets_in(cadastre_context handle) const noexcept {
  for (int turn = 0; turn < 100; ++turn) {
    const cadastre_context open_for = open_for_.load(std::memory_order_relaxed);
    if (open_for != shut || one_thread_only()) return open_for == handle;
    pause();
  }
  return false;
}

bool Gate::enter_patiently(cadastre_context handle, std::uintptr_t address, StripeLock*& lock) noexcept {
  while (lets_in(handle) && !is_crowded()) {
    if (enter_at_once(handle, address, lock)) return true;
    lock->wait_until_free();
  }
  return false;
}

void Gate::close() noexcept {
  open_for_.store(shut);
  for_each_lock([](const StripeLock& lock) { lock.wait_until_free(); });
}

bool Gate::close_within(std::chrono::milliseconds patience) noexcept {
  const auto until = std::chrono::steady_clock::now() + patience;
  const cadastre_context before = open_for_.exchange(shut);
  bool in_time = true;
  for_each_lock([&](const StripeLock& lock) {
    while (in_time && lock.taken()) {
      in_time = std::chrono::steady_clock::now() <= until;
      sched_yield();
    }
  });
  if (!in_time) open_for_.store(before);
  return in_time;
}

}  // namespace cadastre::internal
