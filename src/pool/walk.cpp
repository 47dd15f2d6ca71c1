// Tangled from org/pool/walk.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/walk.hpp"

#include <utility>

#include "base/futex.hpp"

namespace cadastre::internal {

bool PoolWalk::let_go(PoolMemory& pool) noexcept {
  if (--pool.pins_ > 0 || pool.state_ != PoolMemory::State::left_to_pins) return false;
  pool.unlink();
  return true;
}

void PoolWalk::step() noexcept {
  account_.pool_lock.lock();
  PoolMemory* const before = at_;
  PoolMemory* pool = before ? before->next_ : account_.first;
  while (pool && pool->state_ != PoolMemory::State::listed) pool = pool->next_;
  if (pool) ++pool->pins_;
  at_ = pool;
  begun_.pin(pool);
  const bool is_mine = before && let_go(*before);
  if (before) before->wake_who_ends();
  account_.pool_lock.unlock();
  if (is_mine) delete before;
}

void PoolWalk::finish() noexcept {
  account_.pool_lock.lock();
  PoolMemory* const before = std::exchange(at_, nullptr);
  begun_.pin(nullptr);
  const bool is_mine = let_go(*before);
  before->wake_who_ends();
  account_.pool_lock.unlock();
  if (is_mine) delete before;
}

void PoolWalk::in_child(KeepAccount& account) noexcept {
  for (PoolMemory* pool = account.first; pool; pool = pool->next_) {
    pool->stock_.free_lists.forget_pins();
    pool->pins_ = BegunAtPools::pins(*pool);
  }
  account.asking = BegunAtPools::asking(account);
}

PoolMemory* PoolMemory::join(KeepAccount& shared, const Backend& backend, std::int32_t device, PoolShare& share,
                             PoolMemory* fresh) noexcept {
  const PoolLocked locked(shared.pool_lock);
  PoolMemory* pool = shared.first;
  while (pool && !(pool->state_ == State::listed && pool->is_over(backend, device))) pool = pool->next_;
  if (!pool && fresh) {
    pool = fresh;
    pool->next_ = std::exchange(shared.first, pool);
    pool->state_ = State::listed;
  }
  if (!pool) return nullptr;
  share.trims_before = pool->stock_.trims;
  pool->stock_.shares.add(share);
  return pool;
}

// By who has the pool lock, which whoever waits takes before the pool goes.
void PoolMemory::wake_who_ends() noexcept {
  if (state_ == State::ending) wake_all(pins_);
}

bool PoolMemory::leave(PoolShare& share, cadastre_exit_code& code) noexcept {
  pool_lock_.lock();
  PoolPiece* const chain = stock_.withdraw_all_of(share);
  pool_lock_.unlock();
  free_chain(chain, code);
  const bool is_pinned_here = BegunAtPools::pins(*this) > 0;
  pool_lock_.lock();
  stock_.shares.remove(share);
  const bool is_last = stock_.shares.empty();
  if (is_last) state_ = is_pinned_here ? State::left_to_pins : State::ending;
  pool_lock_.unlock();
  if (!is_last || is_pinned_here) return false;
  while (const unsigned pins = pins_.load(std::memory_order_acquire)) sleep_while(pins_, pins);
  const PoolLocked locked(pool_lock_);
  unlink();
  return true;
}

void PoolMemory::unlink() noexcept {
  PoolMemory** link = &shared_.first;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
}

}  // namespace cadastre::internal
