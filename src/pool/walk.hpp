// Tangled from org/pool/walk.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How the pools of an account are looked at one after the other.
#ifndef CADASTRE_SRC_POOL_WALK_HPP
#define CADASTRE_SRC_POOL_WALK_HPP

#include <cstddef>

#include "base/non_copyable.hpp"
#include "pool/memory.hpp"

namespace cadastre::internal {

// What the calling thread has begun with an account, outside of its pool lock.
class BegunAtPools : NonCopyable {
 public:
  BegunAtPools(const KeepAccount& account, const PoolMemory* pinned, std::size_t asking) noexcept
      : account_(account), pinned_(pinned), asking_(asking), before_(last) {
    last = this;
  }
  ~BegunAtPools() { last = before_; }

  void pin(const PoolMemory* pool) noexcept { pinned_ = pool; }
  // How often the calling thread pins a pool, and how many bytes it is asking backends for.
  static unsigned pins(const PoolMemory& pool) noexcept {
    unsigned times = 0;
    for (const BegunAtPools* each = last; each; each = each->before_) times += each->pinned_ == &pool;
    return times;
  }
  static std::size_t asking(const KeepAccount& account) noexcept {
    std::size_t bytes = 0;
    for (const BegunAtPools* each = last; each; each = each->before_) bytes += &each->account_ == &account ? each->asking_ : 0;
    return bytes;
  }

 private:
  static inline constinit thread_local BegunAtPools* last = nullptr;

  const KeepAccount& account_;
  const PoolMemory* pinned_;
  std::size_t asking_;
  BegunAtPools* before_;
};

// Pools of an account, one after the other, each of which stays until the next.
class PoolWalk : NonCopyable {
 public:
  explicit PoolWalk(KeepAccount& account) noexcept : account_(account), begun_(account, nullptr, 0) { step(); }
  ~PoolWalk() {
    if (at_) finish();
  }
  explicit operator bool() const noexcept { return at_ != nullptr; }
  PoolMemory* operator->() const noexcept { return at_; }
  PoolMemory& operator*() const noexcept { return *at_; }
  void next() noexcept { step(); }

  // For what needs no call of a backend, with the pool lock held.
  template <class Action>
  static void for_each(const KeepAccount& account, Action action) noexcept {
    for (PoolMemory* pool = account.first; pool; pool = pool->next_) {
      if (pool->state_ == PoolMemory::State::listed) action(*pool);
    }
  }
  // In the child of a fork, with the pool lock held: what other threads had begun comes to nobody.
  static void in_child(KeepAccount& account) noexcept;

 private:
  void step() noexcept;
  void finish() noexcept;
  // With the pool lock held: pins no pool any more. Whether the pool is left to this one.
  bool let_go(PoolMemory& pool) noexcept;

  KeepAccount& account_;
  PoolMemory* at_ = nullptr;
  BegunAtPools begun_;
};

}  // namespace cadastre::internal
#endif
