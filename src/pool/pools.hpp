// Tangled from org/pool/pools.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The pools of the process.
#ifndef CADASTRE_SRC_POOL_POOLS_HPP
#define CADASTRE_SRC_POOL_POOLS_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/accounting.hpp"
#include "base/non_copyable.hpp"
#include "pool/pool.hpp"

namespace cadastre::internal {

// The share of one context in one pool.
struct PoolUse {
  PoolUse(const SharedAccount& whose, BeforeMiss before) noexcept : share(&whose, before) {}
  Pool* pool = nullptr;
  PoolShare share;
  PoolUse* next = nullptr;
};

// Those of one context in pools of one memory type.
class PoolUses : NonCopyable {
 public:
  PoolUses() = default;
  ~PoolUses();

  // In the pool over that backend on that device; null when there is none.
  PoolUse* find(const Backend& backend, std::int32_t device) const noexcept {
    PoolUse* use = first_.load(std::memory_order_acquire);
    while (use && !use->pool->is_over(backend, device)) use = use->next;
    return use;
  }
  // The same, made where it is missing; null when the host has no memory. For one thread at a time. keep: the bound, which is one for all.
  PoolUse* open(Backend& backend, const Place& place, const SharedAccount& whose, const PoolKeep& keep, BeforeMiss before) noexcept;
  bool has_any() const noexcept { return first_.load(std::memory_order_acquire) != nullptr; }
  template <class Action>
  void for_each(Action action) const {
    for (PoolUse* use = first_.load(std::memory_order_acquire); use; use = use->next) action(*use);
  }
  // Leaves each pool. Nobody else may be inside. told: what came of it.
  template <class Told>
  void leave(Told told) noexcept {
    while (PoolUse* const use = first_.load(std::memory_order_relaxed)) told(leave_first(*use));
  }

 private:
  cadastre_exit_code leave_first(PoolUse& use) noexcept;
  std::atomic<PoolUse*> first_ = nullptr;
};

// How many bytes of a type may be kept beside all that is alive or being allocated, in the whole process, and beside what is kept of others
// where one limit is of all types. leaving: how many of those go at once.
std::size_t room_to_keep(cadastre_memory_type type, std::size_t leaving = 0) noexcept;
bool is_too_much_kept(cadastre_memory_type type) noexcept;
// Of the account of a type.
PoolLock& pool_lock_of(cadastre_memory_type type) noexcept;
// Gives back until no more than room bytes are kept. To be called without a lock, as all that gives back.
void keep_within(cadastre_memory_type type, std::size_t room) noexcept;
// Gives back all that is kept and that no queue is at work on, of all memory types; whether there was any. in_flight: set where more is kept.
bool give_up_kept(bool& in_flight) noexcept;
// Gives back what is kept in pools that contexts within an account share, until no more than least bytes are handed out to these and kept.
cadastre_exit_code trim_pools_within(const SharedAccount& account, cadastre_memory_type type, std::size_t least) noexcept;

// What contexts within an account have of pools, and what these keep.
cadastre_pool_info_struct figures_of_pools(const SharedAccount& account, cadastre_memory_type type, cadastre_pool pool) noexcept;
// Whether pools have bytes of a range in pieces that they keep; or in any, handed out or not.
bool pools_keep(const Record& range) noexcept;
bool pools_have(const Record& range) noexcept;
// Shows where pools keep memory, and how many bytes. The pool lock is held.
using KeptShown = void (*)(void* whose, const Place& place, std::size_t bytes) noexcept;
void for_each_kept(KeptShown shown, void* whose) noexcept;

// To be called around a fork, while no other thread can leave a pool.
void lock_pools_for_fork() noexcept;
void unlock_pools_in_parent() noexcept;
void unlock_pools_in_child() noexcept;
// In the account of the process that was cleared, where nobody else is there.
void charge_pools_anew() noexcept;

}  // namespace cadastre::internal
#endif
