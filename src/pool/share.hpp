// Tangled from org/pool/share.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Who shares a pool, and what each has of it.
#ifndef CADASTRE_SRC_POOL_SHARE_HPP
#define CADASTRE_SRC_POOL_SHARE_HPP

#include <cstddef>
#include <cstdint>

#include "base/accounting.hpp"
#include "base/non_copyable.hpp"

namespace cadastre::internal {

class Pool;

// Called, with no lock held, before a pool asks its backend for so many bytes: has others free into it what they hold back. Whether any did.
using BeforeMiss = bool (*)(const Pool& pool, std::size_t bytes) noexcept;

// What one context has of a pool. It stays where it is from join to leave.
struct PoolShare : NonCopyable {
  // whose: the account of the context that has it; null for who shares with nobody. before: null where nobody holds anything back.
  explicit PoolShare(const SharedAccount* whose = nullptr, BeforeMiss before = nullptr) noexcept : account(whose), before_miss(before) {}

  std::size_t used = 0;            // bytes of the pieces that are handed out to him, rounding included
  std::uint64_t hits = 0;          // requests served from what was there
  std::uint64_t misses = 0;        // requests for which the backend was asked; direct ones are neither
  std::uint64_t trims_before = 0;  // of the pool, when he joined
  const SharedAccount* const account;
  const BeforeMiss before_miss;
  PoolShare* next = nullptr;

  bool is_within(const SharedAccount& other) const noexcept { return account && account->is_within(other); }
};

// Those of one pool.
class ShareList {
 public:
  bool empty() const noexcept { return !first_; }
  bool is_only(const PoolShare& share) const noexcept { return first_ == &share && !share.next; }
  void add(PoolShare& share) noexcept {
    share.next = first_;
    first_ = &share;
  }
  void remove(PoolShare& share) noexcept {
    PoolShare** link = &first_;
    while (*link != &share) link = &(*link)->next;
    *link = share.next;
  }
  template <class Action>
  void for_each(Action action) const noexcept {
    for (const PoolShare* share = first_; share; share = share->next) action(*share);
  }

 private:
  PoolShare* first_ = nullptr;
};

}  // namespace cadastre::internal
#endif
