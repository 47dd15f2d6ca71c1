// Tangled from org/pool/bound.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What pools of one memory type have together, and the bound on it.
#ifndef CADASTRE_SRC_POOL_BOUND_HPP
#define CADASTRE_SRC_POOL_BOUND_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/accounting.hpp"
#include "base/environment.hpp"
#include "base/lock.hpp"

namespace cadastre::internal {

class PoolMemory;
// Held for some dozens of instructions as a rule, and for longer where pieces are sorted.
using PoolLock = BriefLock<Rank::pool>;
using PoolLocked = Locked<PoolLock>;
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

// A clock that is read now and then. Its readings have numbers, one for each second in which it was read.
struct KeepClock {
  std::uint32_t (*seconds)() noexcept = coarse_seconds;
  std::uint32_t reading = 0;                 // the latest
  std::array<std::uint32_t, 16> found = {};  // the seconds of the latest ones, by number
  unsigned calls_until_clock = 0, calls_between = 0;
  static_assert(seconds_kept < 16);

  // Reads the clock now and then, at each call where calls are rare.
  void tick() noexcept {
    if (calls_until_clock > 0) {
      --calls_until_clock;
      return;
    }
    const std::uint32_t now = seconds();
    const bool same = now == found[reading % found.size()];
    if (!same) found[++reading % found.size()] = now;
    calls_between = same ? std::min(2 * calls_between + 1, 63u) : 0;
    calls_until_clock = calls_between;
  }
  // The reading by which all was done that was done up to this call.
  std::uint32_t by_now() const noexcept { return calls_until_clock == calls_between ? reading : reading + 1; }
  // Whether ten seconds passed since that reading. Two readings are a second or more apart.
  bool is_old(std::uint32_t then) const noexcept {
    const std::uint32_t since = reading - then;
    if (since > UINT32_MAX / 2) return false;  // it is still to come
    return since >= seconds_kept || found[reading % found.size()] - found[then % found.size()] >= seconds_kept;
  }
};

struct KeepAccount {
  mutable PoolLock pool_lock;
  PoolKeep keep;
  // With the pool lock held.
  KeepClock clock;
  std::size_t used = 0, asking = 0;
  KeptBytes kept;
  std::size_t waste = 0;        // of what is used
  std::size_t peak = 0;         // the most that was used, without waste
  PoolMemory* first = nullptr;  // of those that share the account

  // Whether too much is kept, where room is left for so much.
  bool is_too_much(std::size_t room) const noexcept {
    const std::size_t in_use = used + asking;
    return kept > 0 && (kept > room || in_use + kept > std::max(in_use, keep.most(std::max(peak, in_use - waste))));
  }
  // The most bytes of a piece that may serve so many. room: what a limit leaves.
  std::size_t most_for(std::size_t bytes, std::size_t room) const noexcept {
    const std::size_t all = peak / 10;
    return room != everything_kept || waste >= all ? bytes : bytes + std::min(bytes / 2, all - waste);
  }
};

}  // namespace cadastre::internal
#endif
