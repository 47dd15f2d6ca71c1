// Tangled from org/gate.org; change the chapter, then run: make tangle
// Who is inside a context: quick calls, each in one stripe, or one visit alone.
#ifndef CADASTRE_SRC_GATE_HPP
#define CADASTRE_SRC_GATE_HPP

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include <pthread.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "cadastre.h"

namespace cadastre::internal {

inline bool one_thread_only() noexcept {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded;
#else
  return false;
#endif
}

class NotCancelled {
 public:
  NotCancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;
  ~NotCancelled() { pthread_setcancelstate(before_, nullptr); }

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

class alignas(64) StripeLock {
 public:
  // Answers whether it had to wait.
  bool take() noexcept {
    if (one_thread_only()) {
      taken_.store(true, std::memory_order_relaxed);
      return false;
    }
    if (!taken_.exchange(true)) [[likely]] return false;
    wait_and_take();
    return true;
  }
  void release() noexcept { taken_.store(false, std::memory_order_release); }
  bool taken() const noexcept { return taken_.load(); }

 private:
  void wait_and_take() noexcept;

  std::atomic<bool> taken_ = false;
};

class Gate {
 public:
  static constexpr unsigned most_stripes = 16;

  static unsigned stripe_of(std::uintptr_t address, unsigned stripes) noexcept {
    return static_cast<unsigned>(address >> 26) & (stripes - 1);
  }

  // For quick calls of the context with that handle, which is positive: whether they may try at all.
  bool lets_in(cadastre_context handle) const noexcept {
    const cadastre_context open_for = open_for_.load(std::memory_order_relaxed);
    return open_for == handle || (open_for == shut && wait_to_open(handle));
  }
  // Enters the stripe of an address; false, and outside, when the gate is not open for that handle.
  bool enter(cadastre_context handle, std::uintptr_t address, unsigned& stripe) noexcept {
    const unsigned stripes = stripes_.load(std::memory_order_relaxed);
    stripe = stripe_of(address, stripes);
    const bool met = locks_[stripe].take();
    const bool open = open_for_.load() == handle && stripes_.load(std::memory_order_relaxed) == stripes;
    if (open && (!met || !is_crowded_with_this())) [[likely]] return true;
    locks_[stripe].release();
    return false;
  }
  void leave(unsigned stripe) noexcept { locks_[stripe].release(); }

  // For one thread at a time. Nobody is inside when it returns.
  void close() noexcept;
  // The same, but gives up after a while: false, and the gate is as it was.
  bool close_within(std::chrono::milliseconds patience) noexcept;
  void open(cadastre_context handle) noexcept { open_for_.store(handle); }
  // Sends quick calls away at once, as long as no visit opens.
  void keep_closed() noexcept { open_for_.store(closed); }

  unsigned stripes() const noexcept { return stripes_.load(std::memory_order_relaxed); }
  // Whether quick calls meet so often that the gate should be divided; and divides it, while it is shut.
  bool is_crowded() const noexcept {
    return stripes() == 1 && meetings_.load(std::memory_order_relaxed) >= many_meetings;
  }
  void divide(unsigned stripes) noexcept {
    stripes_.store(stripes, std::memory_order_relaxed);
    meetings_.store(0, std::memory_order_relaxed);
  }
  // In the child of a fork: locks that threads held which are not there.
  void release_locks() noexcept {
    for (StripeLock& lock : locks_) lock.release();
  }

 private:
  static constexpr std::uint32_t many_meetings = 32;
  static constexpr cadastre_context shut = 0;     // for a moment
  static constexpr cadastre_context closed = -1;  // until somebody opens

  bool is_crowded_with_this() noexcept {
    meetings_.fetch_add(1, std::memory_order_relaxed);
    return is_crowded();
  }
  bool wait_to_open(cadastre_context handle) const noexcept;

  std::atomic<cadastre_context> open_for_ = closed;
  std::atomic<std::uint32_t> stripes_ = 1, meetings_ = 0;
  std::array<StripeLock, most_stripes> locks_;
};

// A quick call inside the stripe of an address.
class Inside {
 public:
  Inside(Gate& gate, cadastre_context handle, std::uintptr_t address) noexcept
      : gate_(gate), entered_(gate.enter(handle, address, stripe_)) {}
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    if (entered_) gate_.leave(stripe_);
  }
  explicit operator bool() const noexcept { return entered_; }
  unsigned stripe() const noexcept { return stripe_; }

 private:
  Gate& gate_;
  unsigned stripe_ = 0;
  const bool entered_;
};

}  // namespace cadastre::internal
#endif
