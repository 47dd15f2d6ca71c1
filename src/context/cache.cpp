// Tangled from org/context/cache.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <span>
#include <utility>

#include "base/fail.hpp"
#include "context/context.hpp"
#include "context/lock.hpp"

namespace cadastre::internal {

constinit std::atomic<unsigned> Context::caches_out_ = 0;

// What would have to be looked at for each block is looked at here; whatever changes it takes a visit.
bool Context::may_have_cache(const Visit& visit, const Record& block) const noexcept {
  const bool is_own = block.backend == backend_->number() && block.device == device_ && bit_of(device_) != 0;
  if (!is_own || devices_in_use() != bit_of(device_)) return false;
  if (!uses_shards() || visit.is_any_outside() || is_armed(Point::malloc) || is_armed(Point::free)) return false;
  return is_pooled(block) && block.size <= BlockCache::most_bytes && shared().room(block.type) >= 0;
}

// The queue that was used last comes first, and the one that was not used for longest goes.
void Context::remember_queue(const KnownQueue& queue) noexcept {
  KnownQueue* const first = cached_queues_.data();
  KnownQueue* const end = first + cached_queue_count_;
  KnownQueue* known = std::find_if(first, end, [&](const KnownQueue& one) { return one.handle == queue.handle; });
  if (known == end && cached_queue_count_ < cached_queues_.size()) ++cached_queue_count_;
  if (known == end) known = first + cached_queue_count_ - 1;
  *known = queue;
  std::rotate(first, known, known + 1);
}

void Context::offer_cache(const Visit& visit, const Record& block, PoolUse& use, const KnownQueue& queue) noexcept {
  if (!queue.is_unique() || (!queue.is_default() && queue.handle == backend_->queue_of_each_thread())) return;
  if (cached_of_ || (no_cache_for_ > 0 && no_cache_for_-- > 0) || !may_have_cache(visit, block)) return;
  if (!queue.is_default()) remember_queue(queue);
  cache_ = BlockCache();
  for (const KnownQueue& known : std::span(cached_queues_).first(cached_queue_count_)) {
    BlockCache::Queue& one = cache_.queues[cache_.queue_count++];
    one.handle = known.handle;
    one.identity = known.identity;
  }
  if (!use.pool->begin_cache(cache_, cached_on_)) return;
  Record given = block, kind;
  given.how = how_pooled | how_ordered;
  given.flags = CADASTRE_UNINITIALIZED | CADASTRE_STREAM_ORDERED;
  given.alignment_log2 = log2_of(use.pool->granule());
  kind.type = kind.backend = UINT8_MAX;
  kind.how = static_cast<std::uint16_t>(~how_ordered);
  cache_.type = block.type;
  cache_.device = block.device;
  cache_.alignment = use.pool->granule();
  cache_.traits = Table::traits_of(given);
  cache_.kind = Table::traits_of(kind);
  cache_.labels = registry_.labels_of(block.type);
  cache_.gave_twice = &use.pool->gave_twice();
  cache_.backend = backend_;
  if (const cadastre_queue preferred = default_queue(); preferred != CADASTRE_DEFAULT_QUEUE) {
    cache_.default_number = BlockCache::most_queues;
    cache_.default_number = cache_.number_of(preferred);
    cache_.queues[0].most = 0;  // no call can name it
  }
  if (!registry_.give_cache(cache_, visit.handle())) return use.pool->end_cache(use.share, cache_, cached_on_);
  cached_of_ = &use;
  caches_out_.fetch_add(1, std::memory_order_relaxed);
}

void Context::take_cache() noexcept {
  constexpr std::uint32_t for_a_while = 1000;
  if (registry_.take_cache() == Registry::TakenFrom::another) no_cache_for_ = for_a_while;
  enter_cache();
}

// No shard has it any more.
void Context::enter_cache() noexcept {
  if (cache_.deallocations > 0) registry_.count_cache(cache_);
  PoolUse& use = *std::exchange(cached_of_, nullptr);
  use.pool->end_cache(use.share, cache_, cached_on_);
  caches_out_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace cadastre::internal
