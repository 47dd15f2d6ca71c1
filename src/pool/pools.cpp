// Tangled from org/pool/pools.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/pools.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "backends/ipc.hpp"
#include "base/owned.hpp"
#include "pool/walk.hpp"

namespace cadastre::internal {

namespace {

constinit std::array<KeepAccount, memory_types> accounts;

KeepAccount& account_of(cadastre_memory_type type) noexcept { return accounts[static_cast<std::size_t>(type)]; }

}  // namespace

PoolUses::~PoolUses() {
  leave([](cadastre_exit_code) {});
}

PoolUse* PoolUses::open(Backend& backend, const Place& place, const SharedAccount& whose, const PoolKeep& keep,
                        BeforeMiss before) noexcept {
  if (PoolUse* const use = find(backend, place.device)) return use;
  Owned<PoolUse> use = try_to_own<PoolUse>(whose, before);
  if (!use) return nullptr;
  KeepAccount& account = account_of(place.type);
  {
    const PoolLocked locked(account.pool_lock);
    account.keep = keep;
    account.kept.charge_to(process_account(), place.type);
  }
  use->pool = Pool::join(account, backend, place.device, use->share, nullptr);
  if (!use->pool) {
    Owned<Pool> fresh = try_to_own<Pool>(backend, place.type, place.device, account);
    if (!fresh) return nullptr;
    use->pool = Pool::join(account, backend, place.device, use->share, fresh.get());
    if (use->pool == fresh.get()) static_cast<void>(fresh.release());
  }
  use->next = first_.load(std::memory_order_relaxed);
  first_.store(use.get(), std::memory_order_release);
  return use.release();
}

cadastre_exit_code PoolUses::leave_first(PoolUse& use) noexcept {
  const Owned<PoolUse> mine(&use);
  first_.store(use.next, std::memory_order_relaxed);
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (!use.pool->leave(use.share, code)) return code;
  const Owned<Pool> pool(use.pool);
  const cadastre_exit_code closed = pool->close();
  return closed == CADASTRE_SUCCESS ? code : closed;
}

std::size_t room_to_keep(cadastre_memory_type type, std::size_t leaving) noexcept {
  const SharedAccount& process = process_account();
  if (!process.of(type).is_limited() && !process.limits_all_together()) [[likely]]
    return everything_kept;
  const auto beside = [&](cadastre_memory_type of, std::size_t others) {
    const std::size_t limit = process.limit(of);
    if (limit == CADASTRE_UNLIMITED) return everything_kept;
    const std::size_t claimed = process.claimed(of), left = limit - std::min(limit, claimed - std::min(claimed, leaving));
    return left - std::min(left, others);
  };
  const std::size_t room = beside(type, 0);
  if (!process.limits_all_together()) return room;
  std::size_t others = 0;
  for_each_type_of(CADASTRE_ALL_MEMORY_TYPES, [&](cadastre_memory_type each) { others += each == type ? 0 : process.of(each).kept(); });
  return std::min(room, beside(CADASTRE_ALL_MEMORY_TYPES, others));
}

PoolLock& pool_lock_of(cadastre_memory_type type) noexcept { return account_of(type).pool_lock; }

bool is_too_much_kept(cadastre_memory_type type) noexcept { return process_account().of(type).kept() > room_to_keep(type); }

void keep_within(cadastre_memory_type type, std::size_t room) noexcept {
  if (room == everything_kept || process_account().of(type).kept() <= room) return;
  if (const PoolWalk any(account_of(type)); any) any->keep_within(room);
}

bool give_up_kept(bool& in_flight) noexcept {
  bool any = free_held_exports();
  for (KeepAccount& account : accounts) {
    for (PoolWalk pool(account); pool; pool.next()) any = pool->give_up_idle(in_flight) || any;
  }
  return any;
}

namespace {

// What contexts within an account have of one pool, while the pool lock is held.
struct Had {
  bool any = false;
  std::size_t used = 0;
  std::uint64_t hits = 0, misses = 0, trims = 0;
};

Had had_within(const PoolMemory& pool, const SharedAccount& account) noexcept {
  Had had;
  pool.stock().shares.for_each([&](const PoolShare& share) {
    if (!share.is_within(account)) return;
    had.any = true;
    had.used += share.used;
    had.hits += share.hits;
    had.misses += share.misses;
    had.trims = std::max(had.trims, pool.stock().trims - share.trims_before);
  });
  return had;
}

// Of those that contexts within an account share.
std::size_t reserved_within(const SharedAccount& account, cadastre_memory_type type) noexcept {
  const PoolLocked locked(account_of(type).pool_lock);
  std::size_t bytes = 0;
  PoolWalk::for_each(account_of(type), [&](const PoolMemory& pool) {
    const Had had = had_within(pool, account);
    if (had.any) bytes += had.used + pool.stock().kept();
  });
  return bytes;
}

}  // namespace

cadastre_exit_code trim_pools_within(const SharedAccount& account, cadastre_memory_type type, std::size_t least) noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  if (type != CADASTRE_HOST) free_held_exports();
  for (PoolWalk pool(account_of(type)); pool; pool.next()) {
    const std::size_t all = reserved_within(account, type);
    std::size_t kept = 0, used = 0;
    {
      const PoolLocked locked(account_of(type).pool_lock);
      if (!had_within(*pool, account).any) continue;
      kept = pool->stock().kept();
      used = pool->stock().reserved() - kept;
    }
    const std::size_t others = all - std::min(all, kept);
    const cadastre_exit_code code = pool->trim(used + (least > others ? least - others : 0));
    if (code != CADASTRE_SUCCESS) worst = code;
  }
  return worst;
}

cadastre_pool_info_struct figures_of_pools(const SharedAccount& account, cadastre_memory_type type, cadastre_pool pool) noexcept {
  cadastre_pool_info_struct info = cadastre_pool_info_struct_zero;
  info.pool = pool;
  const PoolLocked locked(account_of(type).pool_lock);
  PoolWalk::for_each(account_of(type), [&](const PoolMemory& each) {
    const Had had = had_within(each, account);
    if (!had.any) return;
    const PoolFigures all = each.stock().figures();
    ++info.pool_count;
    info.used_bytes += had.used;
    info.releasable_bytes += all.releasable_bytes;
    info.largest_free_bytes = std::max(info.largest_free_bytes, all.largest_free_bytes);
    info.hits += static_cast<std::int64_t>(had.hits);
    info.misses += static_cast<std::int64_t>(had.misses);
    info.trims += static_cast<std::int64_t>(had.trims);
  });
  info.reserved_bytes = info.used_bytes + info.releasable_bytes;
  return info;
}

namespace {

template <class Holds>
bool any_stock(Holds holds) noexcept {
  bool any = false;
  for (const KeepAccount& account : accounts) {
    const PoolLocked locked(account.pool_lock);
    PoolWalk::for_each(account, [&](const PoolMemory& pool) { any = any || holds(pool.stock()); });
  }
  return any;
}

}  // namespace

bool pools_keep(const Record& range) noexcept {
  return any_stock([&](const Stock& stock) { return stock.keeps(range); });
}

bool pools_have(const Record& range) noexcept {
  return any_stock([&](const Stock& stock) { return stock.has(range); });
}

void for_each_kept(KeptShown shown, void* whose) noexcept {
  for (const KeepAccount& account : accounts) {
    const PoolLocked locked(account.pool_lock);
    PoolWalk::for_each(account, [&](const PoolMemory& pool) { shown(whose, pool.place(), pool.stock().kept()); });
  }
}

void lock_pools_for_fork() noexcept CADASTRE_UNCHECKED {
  for (KeepAccount& account : accounts) account.pool_lock.lock_for_fork();
}

void unlock_pools_in_parent() noexcept CADASTRE_UNCHECKED {
  for (KeepAccount& account : accounts) account.pool_lock.unlock();
}

void unlock_pools_in_child() noexcept CADASTRE_UNCHECKED {
  for (KeepAccount& account : accounts) {
    PoolWalk::in_child(account);
    account.pool_lock.unlock();
  }
}

void charge_pools_anew() noexcept {
  for (KeepAccount& account : accounts) {
    const PoolLocked locked(account.pool_lock);
    account.kept.charge_anew();
  }
}

}  // namespace cadastre::internal
