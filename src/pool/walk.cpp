// Tangled from org/pool/walk.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/walk.hpp"

#include <utility>

namespace cadastre::internal {

using Latched = Locked<Latch>;

bool PoolWalk::let_go(Pool& pool) noexcept {
  if (--pool.guests_ > 0 || pool.state_ != Pool::State::left_to_guests) return false;
  pool.unlink();
  return true;
}

void PoolWalk::step() noexcept {
  account_.latch.lock();
  Pool* const before = at_;
  Pool* pool = before ? before->next_ : account_.first;
  while (pool && pool->state_ != Pool::State::listed) pool = pool->next_;
  if (pool) ++pool->guests_;
  at_ = pool;
  begun_.be_guest_of(pool);
  const bool is_mine = before && let_go(*before);
  if (before) before->guests_.notify_all();
  account_.latch.unlock();
  if (is_mine) delete before;
}

void PoolWalk::finish() noexcept {
  account_.latch.lock();
  Pool* const before = std::exchange(at_, nullptr);
  begun_.be_guest_of(nullptr);
  const bool is_mine = let_go(*before);
  before->guests_.notify_all();  // with the latch, which who waits takes before the pool goes
  account_.latch.unlock();
  if (is_mine) delete before;
}

void PoolWalk::in_child(KeepAccount& account) noexcept {
  for (Pool* pool = account.first; pool; pool = pool->next_) {
    pool->stock_.lanes.forget_visitors();
    pool->guests_ = BegunAtPools::guests(*pool);
  }
  account.asking = BegunAtPools::asking(account);
}

Pool* Pool::join(KeepAccount& shared, const Backend& backend, std::int32_t device, PoolShare& share, Pool* fresh) noexcept {
  const Latched latched(shared.latch);
  Pool* pool = shared.first;
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

bool Pool::leave(PoolShare& share, cadastre_exit_code& code) noexcept {
  latch_.lock();
  PoolPiece* const chain = stock_.withdraw_all_of(share);
  latch_.unlock();
  free_chain(chain, code);
  const bool is_guest = BegunAtPools::guests(*this) > 0;
  latch_.lock();
  stock_.shares.remove(share);
  const bool is_last = stock_.shares.empty();
  if (is_last) state_ = is_guest ? State::left_to_guests : State::ending;
  latch_.unlock();
  if (!is_last || is_guest) return false;
  while (const unsigned guests = guests_.load(std::memory_order_acquire)) guests_.wait(guests);
  const Latched latched(latch_);
  unlink();
  return true;
}

void Pool::unlink() noexcept {
  Pool** link = &shared_.first;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
}

Pool::~Pool() { close(); }

}  // namespace cadastre::internal
