// Tangled from org/pools.org; change the chapter, then run: make tangle
#include "pools.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace cadastre::internal {

Pools::~Pools() {
  for (Entry* entry = first_.load(std::memory_order_relaxed); entry;) delete std::exchange(entry, entry->next);
}

Pool* Pools::open(Backend& backend, cadastre_memory_type type, std::int32_t device) noexcept {
  if (Pool* const pool = find(backend, device)) return pool;
  Entry* const first = first_.load(std::memory_order_relaxed);
  auto* const entry = new (std::nothrow) Entry(backend, type, device, account_, first);
  if (!entry) return nullptr;
  first_.store(entry, std::memory_order_release);
  return &entry->pool;
}

PoolFigures Pools::figures() const noexcept {
  PoolFigures all{};
  for_each([&](const Pool& pool) {
    const PoolFigures own = pool.figures();
    all.used += own.used;
    all.reserved += own.reserved;
    all.largest_free_bytes = std::max(all.largest_free_bytes, own.largest_free_bytes);
    all.releasable_bytes += own.releasable_bytes;
    all.hits += own.hits;
    all.misses += own.misses;
    all.trims += own.trims;
  });
  return all;
}

cadastre_exit_code Pools::trim(std::size_t reserved) noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  for_each([&](Pool& pool) {
    const std::size_t all = figures().reserved, own = pool.figures().reserved;
    const std::size_t others = all - std::min(own, all);
    const cadastre_exit_code code = pool.trim(reserved > others ? reserved - others : 0);
    if (code != CADASTRE_SUCCESS) worst = code;
  });
  return worst;
}

}  // namespace cadastre::internal
