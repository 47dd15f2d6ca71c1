// Tangled from org/context/queue_cache.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/queue_cache.hpp"

#include <utility>

#include "backends/backend.hpp"
#include "context/cache_moves.hpp"
#include "context/lock.hpp"
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

  // Whether it is still that queue, and something may be put there. The default one is the same for ever.
  bool is_ready() const noexcept {
    if (number == 0) return !backend.capturing(device, handle);
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

// The label that a request names; whether that is one, or none is named.
bool find_label(const cadastre_memory_info_struct& info, OriginNumber& label) noexcept {
  label = info.label ? number_of_label(info.label) : no_origin;
  return !info.label || label != no_origin;
}

void* take(Shard& shard, BlockCache::Queue& queue, const cadastre_memory_info_struct& info) noexcept {
  OriginNumber label;
  return find_label(info, label) ? shard.cache->take<false>(shard, queue, info.size, label) : nullptr;
}

// A block that a queue gets which another has freed, seen inside of a shard; for what is done outside until it is given out.
class Across : NonCopyable {
 public:
  // from: the queue that has freed a block of that size. Neither is marked.
  Across(cadastre_context context, BlockCache& cache, std::size_t size, unsigned to, unsigned from) noexcept
      : pin_(*context_table.find(context)),
        pool_(*pin_.slot.context.load(std::memory_order_relaxed)->cache().pool()),
        to_(cache, to),
        from_(cache, from),
        pins_(*cache.queues[from].pins),
        size_(size),
        entry_(cache.queues[from].last_that([=](const BlockCache::Block& one) { return one.size == size; })->entry),
        freed_(entry_->stride_or_freed.load(std::memory_order_relaxed)),
        event_(from == 0 ? cache.queues[to].take_spare() : cache.queues[from].event) {
    cache.queues[to].is_marking = cache.queues[from].is_marking = true;
    pins_.fetch_add(1, std::memory_order_relaxed);
  }
  ~Across() {
    pins_.fetch_sub(1, std::memory_order_release);
    if (from_.number == 0 && event_) to_.backend.destroy_event(to_.device, event_);
  }

  // Whether the pool has a block at hand for which the queue need not wait; after order.
  bool is_better_at_hand = false;
  // Outside: has the queue wait; false where it does not.
  bool order() noexcept {
    is_better_at_hand = pool_.has_at_hand({to_.handle, to_.identity}, size_);
    if (is_better_at_hand || !to_.is_ready()) return false;
    if (from_.number == 0 && !record_on_default()) return false;
    return to_.backend.wait_event(to_.device, to_.handle, event_) == CADASTRE_SUCCESS;
  }
  // Inside again: the block, where it is in order and still there; null otherwise.
  void* end(Shard& shard, const cadastre_memory_info_struct& info, bool in_order) noexcept {
    BlockCache* const cache = shard.cache;
    BlockCache::Queue *const to = to_.in(cache), *const from = from_.in(cache);
    if (to && std::exchange(to->is_marking, false) && from_.number == 0) to->add_spare(std::exchange(event_, nullptr));
    if (!from || !std::exchange(from->is_marking, false) || !in_order || !cache->serves(info)) return nullptr;
    const bool is_same = entry_->stride_or_freed.load(std::memory_order_relaxed) == freed_;
    BlockCache::Block* const block = from->last_that([this](const BlockCache::Block& one) { return one.entry == entry_; });
    OriginNumber label;
    return is_same && find_label(info, label) ? cache->give_out<false>(shard, *from, block, size_, label) : nullptr;
  }

 private:
  bool record_on_default() noexcept {
    if (from_.is_ready() && from_.backend.record_event(from_.device, from_.handle, event_) == CADASTRE_SUCCESS) return true;
    from_.backend.destroy_event(from_.device, std::exchange(event_, nullptr));
    return false;
  }

  const NotCancelled not_cancelled_;
  const ContextPin pin_;
  const Pool& pool_;
  const QueueAsked to_, from_;
  std::atomic<unsigned>& pins_;
  const std::size_t size_;
  Entry* const entry_;
  const std::uint64_t freed_;
  Backend::Event event_;
};

// shard: which the calling thread is inside of, and leaves.
void* malloc_across(cadastre_context context, Shard& shard, const cadastre_memory_info_struct& info, unsigned number, unsigned from,
                    bool& is_better_at_hand) noexcept {
  BlockCache& cache = *shard.cache;
  is_better_at_hand = false;
  if (cache.queues[number].is_marking || cache.queues[from].is_marking) {
    shard.lock.leave(context);
    return nullptr;
  }
  Across across(context, cache, info.size, number, from);
  shard.lock.leave(context);
  const bool in_order = across.order();
  Shard* const again = enter(context);
  void* const pointer = again ? across.end(*again, info, in_order) : nullptr;
  if (again) again->lock.leave(context);
  is_better_at_hand = across.is_better_at_hand;
  return pointer;
}

// What the cache does not have on the queue. from: another one where it has such a block; most_queues for none. shard: which the calling thread is
// inside of, and leaves.
[[gnu::noinline]] void* malloc_uncached(cadastre_context context, Shard& shard, const cadastre_memory_info_struct& info, unsigned number,
                                        unsigned from) noexcept {
  const BlockCache& cache = *shard.cache;
  const QueueAsked asked(cache, number);
  MoveWanted wanted{context, info.size, no_origin, asked.handle, asked.identity, cache.type, cache.gave_twice};
  bool is_better_at_hand = true;
  if (from < BlockCache::most_queues) {
    void* const pointer = malloc_across(context, shard, info, number, from, is_better_at_hand);
    if (!is_better_at_hand) return pointer;
  } else {
    shard.lock.leave(context);
  }
  const bool may = find_label(info, wanted.label) && (number == 0 || asked.is_ready());
  return may ? move_here(wanted) : nullptr;
}

}  // namespace

void* malloc_from_cache(cadastre_context context, const cadastre_memory_info_struct& info, cadastre_queue queue) noexcept {
  Shard* shard = enter(context);
  if (!shard) return nullptr;
  BlockCache* const cache = shard->cache;
  const unsigned number = cache && cache->serves(info) ? cache->number_of(queue) : BlockCache::most_queues;
  const unsigned from = number < BlockCache::most_queues ? cache->number_with(info.size, number) : BlockCache::most_queues;
  if (number < BlockCache::most_queues && from != number) return malloc_uncached(context, *shard, info, number, from);
  void* const at_once = from == 0 ? take(*shard, cache->queues[0], info) : nullptr;
  if (from == BlockCache::most_queues || from == 0) {
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
    const bool may_move = number == 0 && !at_once && cache->of_pool(*shard, pointer);
    const cadastre_memory_type type = may_move ? cache->type : CADASTRE_HOST;
    shard->lock.leave(context);
    return at_once || (may_move && move_to_pool(context, pointer, type));
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
