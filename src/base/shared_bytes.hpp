// Tangled from org/base/shared_bytes.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The bytes of one memory type in one account, changed by threads of several contexts at the same time.
#ifndef CADASTRE_SRC_BASE_SHARED_BYTES_HPP
#define CADASTRE_SRC_BASE_SHARED_BYTES_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/vocabulary.hpp"

namespace cadastre::internal {

// The bytes of one memory type in one account.
class alignas(64) SharedBytes {
 public:
  // Claims bytes below the limit; nothing changes where it refuses. 0 bytes are never refused.
  bool claim(std::size_t bytes) noexcept {
    std::size_t before = claimed_.load(std::memory_order_relaxed);
    do {
      const std::size_t most = limit();
      if (bytes > 0 && (before > most || bytes > most - before)) return false;
    } while (!claimed_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
    return true;
  }
  // The same without a limit: for memory that is there already.
  void claim_beyond(std::size_t bytes) noexcept { claimed_.fetch_add(bytes, std::memory_order_relaxed); }
  void cancel(std::size_t bytes) noexcept { claimed_.fetch_sub(bytes, std::memory_order_relaxed); }

  // Claimed bytes are live now.
  void settle(std::size_t bytes, std::int64_t blocks) noexcept {
    raise(most_live_, live_.fetch_add(bytes, std::memory_order_relaxed) + bytes);
    raise(most_blocks_, blocks_.fetch_add(blocks, std::memory_order_relaxed) + blocks);
  }
  // Claimed bytes are live, but not all of them are in use yet, so that the marks stay as they are.
  void settle_unmarked(std::size_t bytes, std::int64_t blocks) noexcept {
    live_.fetch_add(bytes, std::memory_order_relaxed);
    blocks_.fetch_add(blocks, std::memory_order_relaxed);
  }
  // Raises the marks to what is live, less what somebody has settled and never used.
  void note_marks(std::size_t unused_bytes, std::int64_t unused_blocks) noexcept {
    raise(most_live_, live_.load(std::memory_order_relaxed) - unused_bytes);
    raise(most_blocks_, blocks() - unused_blocks);
  }
  // Bytes are neither live nor claimed any more. What others have settled unmarked and used counts before, lest it is forgotten.
  void discharge(std::size_t bytes, std::int64_t blocks) noexcept {
    note_marks(0, 0);
    discharge_noted(bytes, blocks);
  }
  // The same for who has noted marks just now.
  void discharge_noted(std::size_t bytes, std::int64_t blocks) noexcept {
    live_.fetch_sub(bytes, std::memory_order_relaxed);
    blocks_.fetch_sub(blocks, std::memory_order_relaxed);
    cancel(bytes);
  }
  void keep(std::size_t bytes) noexcept { kept_.fetch_add(bytes, std::memory_order_relaxed); }
  void give_up(std::size_t bytes) noexcept { kept_.fetch_sub(bytes, std::memory_order_relaxed); }

  std::size_t claimed() const noexcept { return claimed_.load(std::memory_order_relaxed); }
  std::size_t live() const noexcept { return live_.load(std::memory_order_relaxed); }
  std::int64_t blocks() const noexcept { return blocks_.load(std::memory_order_relaxed); }
  std::size_t kept() const noexcept { return kept_.load(std::memory_order_relaxed); }
  std::size_t most_live() const noexcept { return most_live_.load(std::memory_order_relaxed); }
  std::int64_t most_blocks() const noexcept { return most_blocks_.load(std::memory_order_relaxed); }
  std::size_t limit() const noexcept { return limit_.load(std::memory_order_relaxed); }
  bool is_limited() const noexcept { return limit() != CADASTRE_UNLIMITED; }
  void set_limit(std::size_t bytes) noexcept { limit_.store(bytes, std::memory_order_relaxed); }
  // While they are scarce nobody claims in advance. Several may say so, and each takes it back.
  bool are_scarce() const noexcept { return scarce_.load(std::memory_order_relaxed) > 0; }
  // Whether any may be, which is asked often and needs one load.
  static bool may_be_scarce() noexcept { return scarce_anywhere.load(std::memory_order_relaxed) > 0; }
  void begin_to_be_scarce() noexcept {
    scarce_.fetch_add(1, std::memory_order_relaxed);
    scarce_anywhere.fetch_add(1, std::memory_order_relaxed);
  }
  void end_to_be_scarce() noexcept {
    scarce_anywhere.fetch_sub(1, std::memory_order_relaxed);
    scarce_.fetch_sub(1, std::memory_order_relaxed);
  }

  void reset_marks() noexcept {
    most_live_.store(live(), std::memory_order_relaxed);
    most_blocks_.store(blocks(), std::memory_order_relaxed);
  }
  void renew() noexcept {
    clear();
    most_live_.store(0, std::memory_order_relaxed);
    most_blocks_.store(0, std::memory_order_relaxed);
  }
  // Counts nothing any more; limit and marks stay. For the child of a fork.
  void clear() noexcept {
    claimed_.store(0, std::memory_order_relaxed);
    live_.store(0, std::memory_order_relaxed);
    kept_.store(0, std::memory_order_relaxed);
    blocks_.store(0, std::memory_order_relaxed);
    scarce_.store(0, std::memory_order_relaxed);
  }

 private:
  template <class Number>
  static void raise(std::atomic<Number>& mark, Number value) noexcept {
    Number before = mark.load(std::memory_order_relaxed);
    while (before < value && !mark.compare_exchange_weak(before, value, std::memory_order_relaxed)) continue;
  }

  std::atomic<std::size_t> claimed_ = 0, live_ = 0, kept_ = 0, most_live_ = 0;
  std::atomic<std::size_t> limit_ = CADASTRE_UNLIMITED;
  std::atomic<std::int64_t> blocks_ = 0, most_blocks_ = 0;
  std::atomic<std::uint32_t> scarce_ = 0;
  static inline constinit std::atomic<std::uint32_t> scarce_anywhere = 0;  // in the child of a fork also of threads that are not there
};
static_assert(sizeof(SharedBytes) == 64);

}  // namespace cadastre::internal
#endif
