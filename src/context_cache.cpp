// Tangled from org/context_cache.org; change the chapter, then run: make tangle
#include <array>
#include <span>
#include <utility>

#include "context.hpp"
#include "context_lock.hpp"
#include "fail.hpp"

namespace cadastre::internal {

constinit std::atomic<unsigned> Context::caches_out_ = 0;

// What would have to be looked at for each block is looked at here; whatever changes it takes a visit. The default queue is the vendor's own,
// since with another one none is ever used.
bool Context::may_have_cache(const Visit& visit, const Record& block) const noexcept {
  const bool is_own = block.backend == backend_->number() && block.device == device_ && bit_of(device_) != 0;
  if (!is_own || devices_in_use() != bit_of(device_)) return false;
  if (!uses_shards() || visit.is_any_outside() || is_armed(Point::malloc) || is_armed(Point::free)) return false;
  return is_pooled(block) && block.size <= BlockCache::most_bytes && shared().room(block.type) >= 0;
}

void Context::offer_cache(const Visit& visit, const Record& block, PoolUse& use) noexcept {
  if (cached_of_ || (no_cache_for_ > 0 && no_cache_for_-- > 0) || !may_have_cache(visit, block)) return;
  Lane* const lane = use.pool->begin_cache();
  if (!lane) return;
  Record given = block, kind;
  given.how = how_pooled | how_ordered;
  given.flags = CADASTRE_UNINITIALIZED | CADASTRE_STREAM_ORDERED;
  given.alignment_log2 = log2_of(use.pool->granule());
  kind.type = kind.backend = UINT8_MAX;
  kind.how = static_cast<std::uint16_t>(~how_ordered);
  cache_ = BlockCache();
  cache_.type = block.type;
  cache_.device = block.device;
  cache_.alignment = use.pool->granule();
  cache_.traits = Table::traits_of(given);
  cache_.kind = Table::traits_of(kind);
  cache_.labels = registry_.labels_of(block.type);
  cache_.gave_twice = &use.pool->gave_twice();
  if (!registry_.give_cache(cache_, visit.handle())) return use.pool->end_cache(use.share, *lane, 0, {});
  cached_of_ = &use;
  cached_on_ = lane;
  caches_out_.fetch_add(1, std::memory_order_relaxed);
}

void Context::take_cache() noexcept {
  constexpr std::uint32_t for_a_while = 1000;
  if (registry_.take_cache() == Registry::TakenFrom::another) no_cache_for_ = for_a_while;
  enter_cache();
}

// No shard has it any more.
void Context::enter_cache() noexcept {
  std::array<void*, BlockCache::most_blocks> freed;
  for (unsigned place = 0; place < cache_.count; ++place) freed[place] = pointer_to(cache_.blocks[place].entry->base.load());
  if (cache_.deallocations > 0) registry_.count_cache(cache_);
  PoolUse& use = *std::exchange(cached_of_, nullptr);
  use.pool->end_cache(use.share, *cached_on_, static_cast<std::uint64_t>(cache_.allocations()), std::span(freed).first(cache_.count));
  caches_out_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace cadastre::internal
