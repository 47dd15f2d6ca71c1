// Tangled from org/context/queue_cache.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/queue_cache.hpp"

#include <utility>

#include "backends/backend.hpp"
#include "core/block_cache.hpp"
#include "core/calls.hpp"

namespace cadastre::internal {

namespace {

Shard* enter(cadastre_context context) noexcept { return locks_of_thread == 0 && !is_ending() ? enter_shard(context) : nullptr; }

// What a cache says of a queue, for calls of its backend outside.
struct QueueAsked {
  Backend& backend;
  std::int32_t device;
  unsigned number;
  cadastre_queue handle;
  std::uint64_t identity;

  QueueAsked(const BlockCache& cache, unsigned which) noexcept
      : backend(*cache.backend),
        device(cache.device),
        number(which),
        handle(cache.queues[which].handle),
        identity(cache.queues[which].identity) {}

  // Whether it is still that queue, and something may be put there.
  bool is_ready() const noexcept {
    std::uint64_t now = 0;
    return !backend.capturing(device, handle, now) && now == identity;
  }
  // What a shard says of it later; null where it has no cache any more, or one that does not know it.
  BlockCache::Queue* in(BlockCache* cache) const noexcept {
    if (!cache || number >= cache->queue_count) return nullptr;
    BlockCache::Queue& queue = cache->queues[number];
    return queue.handle == handle && queue.identity == identity ? &queue : nullptr;
  }
};

void* take(Shard& shard, BlockCache::Queue& queue, const cadastre_memory_info_struct& info) noexcept {
  const OriginNumber label = info.label ? number_of_label(info.label) : no_origin;
  if (info.label && label == no_origin) return nullptr;
  return shard.cache->take<false>(shard, queue, info.size, label);
}

}  // namespace

void* malloc_from_cache(cadastre_context context, const cadastre_memory_info_struct& info, cadastre_queue queue) noexcept {
  Shard* shard = enter(context);
  if (!shard) return nullptr;
  BlockCache* const cache = shard->cache;
  const unsigned number = cache && cache->serves(info) ? cache->number_of(queue) : BlockCache::most_queues;
  const bool has_it = number < BlockCache::most_queues && cache->queues[number].has(info.size);
  void* const at_once = has_it && number == 0 ? take(*shard, cache->queues[0], info) : nullptr;
  if (!has_it || number == 0) {
    shard->lock.leave(context);
    return at_once;
  }
  const QueueAsked asked(*cache, number);
  shard->lock.leave(context);
  shard = asked.is_ready() ? enter(context) : nullptr;
  if (!shard) return nullptr;
  BlockCache::Queue* const known = asked.in(shard->cache);
  void* const pointer = known && shard->cache->serves(info) ? take(*shard, *known, info) : nullptr;
  shard->lock.leave(context);
  return pointer;
}

namespace {

// Frees a block behind an event that was recorded on its queue. The event is the queue's then, and else the caller's.
bool put_behind(Shard& shard, const QueueAsked& asked, const void* pointer, Backend::Event& event) noexcept {
  BlockCache::Queue* const queue = asked.in(shard.cache);
  if (!queue || !std::exchange(queue->is_marking, false)) return false;
  const bool freed = event && shard.cache->put<false>(shard, pointer, *queue);
  if (freed) std::swap(queue->event, event);
  queue->add_spare(std::exchange(event, nullptr));
  return freed;
}

}  // namespace

bool free_into_cache(cadastre_context context, const void* pointer, cadastre_queue queue) noexcept {
  Shard* shard = enter(context);
  if (!shard) return false;
  BlockCache* const cache = shard->cache;
  const unsigned number = cache ? cache->number_of(queue) : BlockCache::most_queues;
  const bool is_known =
      number < BlockCache::most_queues && !cache->queues[number].is_marking && cache->fitting(*shard, pointer, cache->queues[number]);
  const bool at_once = is_known && number == 0 && cache->put<false>(*shard, pointer, cache->queues[0]);
  if (!is_known || number == 0) {
    shard->lock.leave(context);
    return at_once;
  }
  cache->queues[number].is_marking = true;
  Backend::Event event = cache->queues[number].take_spare();
  const QueueAsked asked(*cache, number);
  shard->lock.leave(context);
  const bool is_marked = asked.is_ready() && asked.backend.record_event(asked.device, asked.handle, event) == CADASTRE_SUCCESS;
  if (!is_marked) asked.backend.destroy_event(asked.device, std::exchange(event, nullptr));
  shard = enter(context);
  const bool freed = shard && put_behind(*shard, asked, pointer, event);
  if (shard) shard->lock.leave(context);
  if (event) asked.backend.destroy_event(asked.device, event);
  return freed;
}

}  // namespace cadastre::internal
