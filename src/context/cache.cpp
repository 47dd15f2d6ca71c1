// Tangled from org/context/cache.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/cache.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/environment.hpp"

namespace cadastre::internal {

constinit std::atomic<unsigned> ThreadCache::out_ = 0;

// The queue that was used last comes first, and the one that was not used for longest goes.
void ThreadCache::remember_queue(const KnownQueue& queue) noexcept {
  KnownQueue* const first = queues_.data();
  KnownQueue* const end = first + queue_count_;
  KnownQueue* known = std::find_if(first, end, [&](const KnownQueue& one) { return one.handle == queue.handle; });
  if (known == end && queue_count_ < queues_.size()) ++queue_count_;
  if (known == end) known = first + queue_count_ - 1;
  *known = queue;
  std::rotate(first, known, known + 1);
}

void ThreadCache::offer(const Sources& sources, cadastre_context handle, const Record& block, PoolUse& use,
                        const KnownQueue& queue) noexcept {
  if (environment().pool_thread_cache == 0) return;
  if (!queue.is_default()) remember_queue(queue);
  static_cast<BlockCache&>(cache_) = BlockCache();
  for (const KnownQueue& known : std::span(queues_).first(queue_count_)) {
    BlockCache::Queue& one = cache_.queues[cache_.queue_count++];
    one.handle = known.handle;
    one.identity = known.identity;
  }
  if (!use.pool->begin_cache(cache_, lists_)) return;
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
  cache_.labels = registry_.accounts().labels_of(block.type);
  cache_.gave_twice = cache_.takes_effort = &use.pool->gave_twice();
  cache_.backend = &sources.backend();
  cache_.most_bytes = environment().pool_thread_cache;
  cache_.may_gain = registry_.borrowed().size() == 0;
  cache_.default_queue = sources.default_queue();
  if (cache_.default_queue != CADASTRE_DEFAULT_QUEUE) cache_.queues[0].most = 0;  // no call can name it
  if (!registry_.heap().give<BlockCache>(&Shard::cache, cache_, handle)) return use.pool->end_cache(use.share, cache_, lists_);
  of_ = last_use_ = &use;
  last_block_ = block;
  out_.fetch_add(1, std::memory_order_relaxed);
}

void ThreadCache::take() noexcept {
  constexpr std::uint32_t for_a_while = 1000;
  if (registry_.heap().take(&Shard::cache) == Heap::TakenFrom::another) not_for_ = for_a_while;
  enter();
}

// No shard has it any more.
void ThreadCache::enter() noexcept {
  if (cache_.has_counted()) registry_.accounts().count_cache(cache_);
  PoolUse& use = *std::exchange(of_, nullptr);
  use.pool->end_cache(use.share, cache_, lists_);
  out_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace cadastre::internal
