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
    } else if (turns_ < 256) {
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
void StripeLock::wait_and_take() noexcept {
  const NotCancelled here;
  Patience patience;
  do {
    patience.wait();
  } while (taken_.load(std::memory_order_relaxed) || taken_.exchange(true));
}

// A visit that does not call a backend takes less than a microsecond; for a longer one the caller goes and waits where
// he can sleep.
bool Gate::wait_to_open(cadastre_context handle) const noexcept {
  if (one_thread_only()) return false;
  for (int turn = 0; turn < 100; ++turn) {
    pause();
    const cadastre_context open_for = open_for_.load(std::memory_order_relaxed);
    if (open_for != shut) return open_for == handle;
  }
  return false;
}

void Gate::close() noexcept {
  open_for_.store(shut);
  for (unsigned stripe = 0; stripe < stripes(); ++stripe) {
    Patience patience;
    while (locks_[stripe].taken()) patience.wait();
  }
}

bool Gate::close_within(std::chrono::milliseconds patience) noexcept {
  const auto until = std::chrono::steady_clock::now() + patience;
  const cadastre_context before = open_for_.exchange(shut);
  for (unsigned stripe = 0; stripe < stripes(); ++stripe) {
    while (locks_[stripe].taken()) {
      if (std::chrono::steady_clock::now() > until) {
        open_for_.store(before);
        return false;
      }
      sched_yield();
    }
  }
  return true;
}

}  // namespace cadastre::internal
