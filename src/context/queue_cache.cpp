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

// Null where the vendor is not to be called, or a locked call has to do it.
[[gnu::always_inline]] inline Shard* enter(cadastre_context context) noexcept {
  if (locks_of_thread != 0 || is_ending()) [[unlikely]]
    return nullptr;
  return enter_shard(context);
}

// A queue of a cache, for calls of its backend outside.
struct QueueAsked {
  Backend* backend = nullptr;
  std::int32_t device = no_device_id;
  cadastre_queue handle = CADASTRE_DEFAULT_QUEUE;
  std::uint64_t identity = 1;

  static QueueAsked of(const BlockCache& cache, const BlockCache::Queue& queue) noexcept {
    return {cache.backend, cache.device, queue.handle, queue.identity};
  }
  bool is_default() const noexcept { return handle == CADASTRE_DEFAULT_QUEUE; }
  // Whether something may be put there, and it is still that queue. The default one is the same for ever.
  bool is_ready() const noexcept {
    if (is_default()) return !backend->capturing(device, handle);
    std::uint64_t now = 0;
    return !backend->capturing(device, handle, now) && now == identity;
  }
  // What a shard says of it later; null where it has no cache any more, or one that does not know it.
  [[gnu::always_inline]] inline BlockCache::Queue* in(BlockCache* cache) const noexcept {
    const bool is_that = cache && (is_default() || (cache->backend == backend && cache->device == device));
    return is_that ? cache->find(handle, identity) : nullptr;
  }
};

// The label that a request names; whether that is one, or none is named.
bool find_label(const cadastre_memory_info_struct& info, OriginNumber& label) noexcept {
  label = info.label ? number_of_label(info.label) : no_origin;
  return !info.label || label != no_origin;
}

// A block that a queue gets which another has freed, seen inside of a shard; for what is done outside until it is given out.
class Across : NonCopyable {
 public:
  // from: the queue that has freed a block of that size. Neither is marked.
  Across(cadastre_context context, const BlockCache& cache, std::size_t size, BlockCache::Queue& to, BlockCache::Queue& from) noexcept
      : pin_(*context_table.find(context)),
        pool_(*pin_.slot.context.load(std::memory_order_relaxed)->cache().pool()),
        to_(QueueAsked::of(cache, to)),
        from_(QueueAsked::of(cache, from)),
        pins_(*from.pins),
        size_(size),
        entry_(from.last_that([=](const BlockCache::Block& one) { return one.size == size; })->entry),
        freed_(entry_->stride_or_freed.load(std::memory_order_relaxed)),
        event_(from_.is_default() ? to.take_spare() : from.event) {
    to.is_marking = from.is_marking = true;
    pins_.fetch_add(1, std::memory_order_relaxed);
  }
  ~Across() {
    pins_.fetch_sub(1, std::memory_order_release);
    if (from_.is_default() && event_) to_.backend->destroy_event(to_.device, event_);
  }

  // Whether the pool has a block at hand for which the queue need not wait; after order.
  bool is_better_at_hand = false;
  // Outside: has the queue wait; false where it does not.
  bool order() noexcept {
    is_better_at_hand = pool_.has_at_hand({to_.handle, to_.identity}, size_);
    if (is_better_at_hand) return false;
    if (from_.is_default() && !record_on_default()) return false;
    return to_.backend->wait_event(to_.device, to_.handle, event_) == CADASTRE_SUCCESS;
  }
  // Inside again: the block, where it is in order and still there; null otherwise.
  void* end(Shard& shard, const cadastre_memory_info_struct& info, bool in_order) noexcept {
    BlockCache* const cache = shard.cache;
    BlockCache::Queue *const to = to_.in(cache), *const from = from_.in(cache);
    if (to && std::exchange(to->is_marking, false) && from_.is_default()) to->add_spare(std::exchange(event_, nullptr));
    if (!from || !std::exchange(from->is_marking, false) || !in_order || !cache->serves(info)) return nullptr;
    const bool is_same = entry_->stride_or_freed.load(std::memory_order_relaxed) == freed_;
    BlockCache::Block* const block = from->last_that([this](const BlockCache::Block& one) { return one.entry == entry_; });
    OriginNumber label;
    return is_same && find_label(info, label) ? cache->give_out<false>(shard, *from, block, size_, label) : nullptr;
  }

 private:
  bool record_on_default() noexcept {
    if (from_.is_ready() && from_.backend->record_event(from_.device, from_.handle, event_) == CADASTRE_SUCCESS) return true;
    from_.backend->destroy_event(from_.device, std::exchange(event_, nullptr));
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
void* malloc_across(cadastre_context context, Shard& shard, const cadastre_memory_info_struct& info, BlockCache::Queue& to,
                    BlockCache::Queue& from, bool& is_better_at_hand) noexcept {
  is_better_at_hand = false;
  if (to.is_marking || from.is_marking) {
    shard.lock.leave(context);
    return nullptr;
  }
  Across across(context, *shard.cache, info.size, to, from);
  shard.lock.leave(context);
  const bool in_order = across.order();
  Shard* const again = enter(context);
  void* const pointer = again ? across.end(*again, info, in_order) : nullptr;
  if (again) again->lock.leave(context);
  is_better_at_hand = across.is_better_at_hand;
  return pointer;
}

// Whom to ask is looked up inside, where the shard does not know it; false where it has no cache. A registered backend is looked up each time: it may be
// gone by the next one.
[[gnu::noinline]] bool look_whom_to_ask(cadastre_context context, QueuesAsked& asked) noexcept {
  Shard* const shard = enter(context);
  if (!shard) return false;
  const BlockCache* const cache = shard->cache;
  asked = cache ? QueuesAsked{cache->backend, cache->device, cache->default_queue} : QueuesAsked();
  if (cache && row_of_backend(cache->backend->number())) shard->asked = asked;
  shard->lock.leave(context);
  return asked.backend != nullptr;
}

// What the cache does not have on a queue, or not at once. queue: null where it does not serve the request there. shard: which the calling thread is
// inside of, and leaves.
[[gnu::noinline]] void* take_with_effort(cadastre_context context, Shard& shard, const cadastre_memory_info_struct& info,
                                         const QueueAsked& asked, BlockCache::Queue* queue) noexcept {
  BlockCache* const cache = shard.cache;
  if (!queue) shard.asked = {};
  OriginNumber label;
  if (!queue || !find_label(info, label)) return shard.lock.leave(context), nullptr;
  BlockCache::Queue* const from = cache->queue_with(info.size, *queue);
  if (from == queue) {
    void* const pointer = cache->take<false>(shard, *queue, info.size, label);
    shard.lock.leave(context);
    return pointer;
  }
  const MoveWanted wanted{context, info.size, label, asked.handle, asked.identity, cache->type, cache->gave_twice};
  bool is_better_at_hand = true;
  if (from) {
    void* const pointer = malloc_across(context, shard, info, *queue, *from, is_better_at_hand);
    if (!is_better_at_hand) return pointer;
  } else {
    shard.lock.leave(context);
  }
  return move_here(wanted);
}

}  // namespace

void* malloc_from_cache(cadastre_context context, const cadastre_memory_info_struct& info, cadastre_queue queue) noexcept {
  Shard& shard = shard_at_hand(context);
  if (locks_of_thread != 0 || !shard.lock.is_left() || is_ending()) [[unlikely]]
    return nullptr;
  QueuesAsked whom = shard.asked;
  const bool is_known = shard.last_context == context && whom.backend;
  if (!is_known && !look_whom_to_ask(context, whom)) [[unlikely]]
    return nullptr;
  QueueAsked asked;
  if (queue == CADASTRE_DEFAULT_QUEUE) queue = whom.default_queue;
  if (queue != CADASTRE_DEFAULT_QUEUE) [[likely]] {
    asked = {whom.backend, whom.device, queue, 1};
    if (whom.backend->capturing(whom.device, queue, asked.identity)) [[unlikely]]
      return nullptr;
  }
  Shard* const inside = shard.lock.enter_at_once(context) ? &shard : enter_known_shard(context);
  if (!inside) [[unlikely]]
    return nullptr;
  BlockCache* const cache = inside->cache;
  const bool serves = cache && cache->default_queue == whom.default_queue && cache->serves(info);
  BlockCache::Queue* const known = serves ? asked.in(cache) : nullptr;
  const OriginNumber label = info.label ? number_at_once(info.label) : no_origin;
  // On the default queue that was tried before.
  if (known && !asked.is_default() && (!info.label || label != no_origin)) [[likely]] {
    if (void* const pointer = cache->take<true>(*inside, *known, info.size, label)) [[likely]] {
      inside->lock.leave(context);
      return pointer;
    }
  }
  return take_with_effort(context, *inside, info, asked, known);
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
  const QueueAsked asked = QueueAsked::of(*cache, cache->queues[number]);
  shard->lock.leave(context);
  const bool is_marked = asked.is_ready() && asked.backend->record_event(asked.device, asked.handle, event) == CADASTRE_SUCCESS;
  if (!is_marked) asked.backend->destroy_event(asked.device, std::exchange(event, nullptr));
  shard = enter(context);
  const bool freed = shard && put_behind(*shard, asked, pointer, event);
  if (shard) shard->lock.leave(context);
  if (event) asked.backend->destroy_event(asked.device, event);
  return freed;
}

}  // namespace cadastre::internal
