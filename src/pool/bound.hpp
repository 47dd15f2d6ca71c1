// Tangled from org/pool_bound.org; change the chapter, then run: make tangle
// What pools of one memory type have together, and the bound on it.
#ifndef CADASTRE_SRC_POOL_BOUND_HPP
#define CADASTRE_SRC_POOL_BOUND_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "accounting.hpp"
#include "environment.hpp"
#include "lock.hpp"

namespace cadastre::internal {

class Pool;
// Held for some dozens of instructions as a rule, and for longer where pieces are sorted.
using Latch = BriefLock<Rank::pool>;
// As room for what is kept, where the process has no limit.
inline constexpr std::size_t everything_kept = SIZE_MAX;
// For how long is kept what nobody asks for.
inline constexpr std::uint32_t seconds_kept = 10;

std::uint32_t coarse_seconds() noexcept;

// Bytes that are kept, which a shared account counts too.
class KeptBytes {
 public:
  operator std::size_t() const noexcept { return bytes_; }
  KeptBytes& operator+=(std::size_t bytes) noexcept {
    bytes_ += bytes;
    if (account_) account_->keep(type_, bytes);
    return *this;
  }
  KeptBytes& operator-=(std::size_t bytes) noexcept {
    bytes_ -= bytes;
    if (account_) account_->give_up(type_, bytes);
    return *this;
  }
  void charge_to(SharedAccount& account, cadastre_memory_type type) noexcept {
    account_ = &account;
    type_ = type;
  }
  // In an account that was cleared.
  void charge_anew() noexcept {
    if (account_) account_->keep(type_, bytes_);
  }

 private:
  std::size_t bytes_ = 0;
  SharedAccount* account_ = nullptr;
  cadastre_memory_type type_ = CADASTRE_HOST;
};

struct KeepAccount {
  mutable Latch latch;
  PoolKeep keep;
  std::uint32_t (*seconds)() noexcept = coarse_seconds;
  // With the latch held.
  std::size_t used = 0, asking = 0;
  KeptBytes kept;
  std::size_t waste = 0;  // of what is used
  std::size_t peak = 0;   // the most that was used, without waste
  std::uint32_t now = 0;  // the second in which the clock was last read
  unsigned calls_until_clock = 0, calls_between = 0;
  Pool* first = nullptr;  // of those that share the account

  // Whether too much is kept, where room is left for so much.
  bool is_too_much(std::size_t room) const noexcept {
    const std::size_t in_use = used + asking;
    return kept > 0 && (kept > room || in_use + kept > std::max(in_use, keep.most(std::max(peak, in_use - waste))));
  }
  // Whether what was freed in that second was kept for too long.
  bool is_old(std::uint32_t freed) const noexcept { return now - freed >= seconds_kept; }
  // The most bytes of a piece that may serve so many. room: what a limit leaves.
  std::size_t most_for(std::size_t bytes, std::size_t room) const noexcept {
    const std::size_t all = peak / 8;
    return room != everything_kept || waste >= all ? bytes : bytes + std::min(bytes / 2, all - waste);
  }
  // Reads the clock now and then, at each call where calls are rare.
  void tick() noexcept {
    if (calls_until_clock > 0) {
      --calls_until_clock;
      return;
    }
    const std::uint32_t before = std::exchange(now, seconds());
    calls_between = now == before ? std::min(2 * calls_between + 1, 63u) : 0;
    calls_until_clock = calls_between;
  }
};

}  // namespace cadastre::internal
#endif
