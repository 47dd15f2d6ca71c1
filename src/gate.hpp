// Tangled from org/gate.org; change the chapter, then run: make tangle
// Who is inside a context: quick calls, each in one stripe, or one visit alone.
#ifndef CADASTRE_SRC_GATE_HPP
#define CADASTRE_SRC_GATE_HPP

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "cadastre.h"
#include "lock.hpp"

namespace cadastre::internal {

class Stripe;

inline bool one_thread_only() noexcept {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded;
#else
  return false;
#endif
}

class alignas(64) StripeLock {
  std::atomic<bool> taken_ = false;  // first, so that one address serves for both

 public:
  Stripe* stripe = nullptr;  // that it is for; while the gate is open

  // Takes it when it is free.
  bool try_to_take(bool alone) noexcept {
    if (!alone) return !taken_.exchange(true);
    taken_.store(true, std::memory_order_relaxed);
    return true;
  }
  void wait_until_free() const noexcept {
    if (taken()) wait();
  }
  void release() noexcept { taken_.store(false, std::memory_order_release); }
  bool taken() const noexcept { return taken_.load(); }

 private:
  void wait() const noexcept;
};

class Gate {
 public:
  Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  static constexpr unsigned most_stripes = 256;
  // stripes: a power of two.
  static unsigned stripe_of(std::uintptr_t address, unsigned stripes) noexcept {
    return static_cast<unsigned>(address >> 26) & (stripes - 1);
  }

  // For quick calls of the context with that handle, which is positive: whether they may try at all.
  bool is_open_for(cadastre_context handle) const noexcept {
    return open_for_.load(std::memory_order_relaxed) == handle;
  }
  // The same, after a moment of patience.
  bool lets_in(cadastre_context handle) const noexcept;

  // Enters the stripe of an address, which is left by releasing the lock. False, and outside, when the gate is not open
  // for that handle or the lock is taken.
  [[gnu::always_inline]] inline bool enter_at_once(cadastre_context handle, std::uintptr_t address,
                                                   StripeLock*& lock) noexcept {
    const unsigned last = last_.load(std::memory_order_acquire);
    lock = &first_lock_;
    if (last > 0) lock = locks() + stripe_of(address, last + 1);
    const bool alone = one_thread_only();
    if (!lock->try_to_take(alone)) [[unlikely]] {
      if (last == 0) meetings_.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    const bool open = open_for_.load() == handle;
    if (open && (alone || last_.load(std::memory_order_relaxed) == last)) [[likely]] return true;
    lock->release();
    return false;
  }
  // Waits until the lock is free; false, and outside, when the gate is not open for that handle, or should be divided.
  bool enter_patiently(cadastre_context handle, std::uintptr_t address, StripeLock*& lock) noexcept;

  // For one thread at a time. Nobody is inside when it returns.
  void close() noexcept;
  // The same, but gives up after a while: false, and the gate is as it was.
  bool close_within(std::chrono::milliseconds patience) noexcept;
  void open(cadastre_context handle) noexcept { open_for_.store(handle); }
  // Sends quick calls away at once, as long as no visit opens.
  void keep_closed() noexcept { open_for_.store(closed); }

  // Whether quick calls meet so often that the gate should be divided.
  bool is_crowded() const noexcept {
    return last_.load(std::memory_order_relaxed) == 0 && meetings_.load(std::memory_order_relaxed) >= many_meetings;
  }
  // Divides it, while it is shut. locks: as many as stripes, each with its own; they stay as long as the gate.
  void divide(StripeLock* locks, unsigned stripes) noexcept {
    locks_.store(locks, std::memory_order_relaxed);
    number_of_locks_ = stripes;
    last_.store(stripes - 1, std::memory_order_release);
  }
  // Those that it was divided with once; null before.
  StripeLock* locks() const noexcept { return locks_.load(std::memory_order_relaxed); }
  // One stripe, and nobody has met; while it is shut.
  void unite(Stripe* stripe) noexcept {
    first_lock_.stripe = stripe;
    last_.store(0, std::memory_order_relaxed);
    meetings_.store(0, std::memory_order_relaxed);
  }
  // In the child of a fork: locks that threads held which are not there. All that ever were the gate's, since somebody may
  // have been late.
  void release_locks() noexcept {
    first_lock_.release();
    for (unsigned number = 0; number < number_of_locks_; ++number) locks()[number].release();
  }

 private:
  static constexpr std::uint32_t many_meetings = 32;
  static constexpr cadastre_context shut = -2;    // for a moment
  static constexpr cadastre_context closed = -1;  // until somebody opens

  template <class Action>
  void for_each_lock(Action action) noexcept {
    const unsigned last = last_.load(std::memory_order_relaxed);
    StripeLock* const used = last == 0 ? &first_lock_ : locks();
    for (unsigned stripe = 0; stripe <= last; ++stripe) action(used[stripe]);
  }

  std::atomic<std::uint32_t> last_ = 0;  // stripe
  std::atomic<StripeLock*> locks_ = nullptr;  // for when there are several stripes
  std::atomic<cadastre_context> open_for_ = closed;
  std::atomic<std::uint32_t> meetings_ = 0;
  unsigned number_of_locks_ = 0;
  StripeLock first_lock_;
};

enum class Manner : bool { at_once, patient };

// A quick call inside the stripe of an address.
class Inside {
 public:
  [[gnu::always_inline]] inline Inside(Gate& gate, cadastre_context handle, std::uintptr_t address, Manner manner) noexcept
      : entered_(manner == Manner::at_once ? gate.enter_at_once(handle, address, lock_)
                                           : gate.enter_patiently(handle, address, lock_)) {
    if (entered_) note_lock(Rank::stripe);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  [[gnu::always_inline]] inline ~Inside() {
    if (!entered_) return;
    note_unlock(Rank::stripe);
    lock_->release();
  }
  explicit operator bool() const noexcept { return entered_; }
  Stripe& stripe() const noexcept { return *lock_->stripe; }

 private:
  StripeLock* lock_ = nullptr;
  const bool entered_;
};

}  // namespace cadastre::internal
#endif
