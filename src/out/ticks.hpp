// Tangled from org/out/ticks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A clock that orders what threads do.
#ifndef CADASTRE_SRC_OUT_TICKS_HPP
#define CADASTRE_SRC_OUT_TICKS_HPP

#include <atomic>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "base/non_copyable.hpp"
#include "base/process.hpp"

namespace cadastre::internal {

#if defined(__x86_64__)
inline std::int64_t early_counter() noexcept {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const auto count = static_cast<std::int64_t>(__rdtsc());
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return count;
}
inline std::int64_t ordered_counter() noexcept {
  _mm_lfence();
  return early_counter();
}
#else  // the clock then has no ticks
inline std::int64_t early_counter() noexcept { return 0; }
inline std::int64_t ordered_counter() noexcept { return 0; }
#endif

// CLOCK_MONOTONIC, in nanoseconds.
inline std::int64_t monotonic_time() noexcept { return clock_of(CLOCK_MONOTONIC); }

// The same moment by the clock and in nanoseconds.
struct Reading {
  std::int64_t time, nanoseconds;
};

class Ticks : NonCopyable {
 public:
  // Finds out which clock there is. start: what CLOCK_MONOTONIC said when the nanoseconds were 0. It takes a tenth of a millisecond where ticks are measured.
  void begin(std::int64_t start) noexcept;
  // How many ticks were how many nanoseconds; time 0: times are nanoseconds.
  const Reading& rate() const noexcept { return rate_; }

  // Later than any time that was read before what this thread knows of.
  std::int64_t now() const noexcept {
    return counts_ ? ordered_counter() + shift_.load(std::memory_order_relaxed) : monotonic_time() - start_;
  }
  // Where only what this thread did before has to be earlier, and who reads the time sees to that.
  std::int64_t early() const noexcept {
    return counts_ ? early_counter() + shift_.load(std::memory_order_relaxed) : monotonic_time() - start_;
  }
  Reading read() const noexcept;
  // The counter went back: the clock goes on from a time. Calls must not overlap.
  void go_on_from(std::int64_t time) noexcept;

 private:
  bool counts_ = false;
  std::int64_t start_ = 0;
  std::atomic<std::int64_t> shift_{0};
  Reading rate_{0, 0};
};

}  // namespace cadastre::internal
#endif
