// Tangled from org/context/cache_moves.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/cache_moves.hpp"

#include "context/cache.hpp"
#include "core/calls.hpp"

namespace cadastre::internal {

namespace {

// A shard at hand, also while the thread holds the pool lock, and where fences are full.
bool enter(Shard& shard, cadastre_context context) noexcept { return shard.lock.enter_at_once(context) || shard.lock.enter(context); }

// The queue of a cache that a block is wanted on; null where the cache is of another pool, or does not know it.
BlockCache::Queue* queue_in(BlockCache* cache, const MoveWanted& wanted) noexcept {
  return cache && cache->gave_twice == wanted.pool ? cache->find(wanted.handle, wanted.identity) : nullptr;
}

// A context that has handed the thread a cache, inside of its shard.
struct Side {
  Shard& shard;
  BlockCache& cache;
  ThreadCache& owner;

  explicit Side(Shard& of) noexcept : shard(of), cache(*of.cache), owner(ThreadCache::owner_of(cache)) {}
  Pool& pool() const noexcept { return *owner.use()->pool; }
  PoolShare& share() const noexcept { return owner.use()->share; }
  void count_label(OriginNumber label, const LabelCount& count) const noexcept {
    if (cache.labels) cache.labels->add(label, count);
  }
};

// Files a block as the next allocation; false, and nothing changed, where the table does not know its address as that of one of about its size that was freed.
bool file(const Side& to, const void* pointer, const MoveWanted& wanted) noexcept {
  Table& table = to.shard.heap->table();
  Record block;
  block.pointer = const_cast<void*>(pointer);
  block.size = wanted.size;
  if (table.overlapping(block)) return false;
  make_numbers_ready(to.shard);
  return table.file_again(address_of(pointer), {.serial = to.shard.counts.next_serial,
                                                .origin = wanted.label,
                                                .size = wanted.size,
                                                .stride_or_freed = 0,
                                                .traits = to.cache.traits,
                                                .device = to.cache.device});
}

// A block that is filed lives from now on; its bytes are claimed.
void count_in(const Side& to, const MoveWanted& wanted) noexcept {
  to.shard.number_allocation_elsewhere();
  to.count_label(wanted.label, LabelCount::of_one(wanted.size));
  to.owner.account().settle(wanted.type, wanted.size, 1);
  to.cache.gain(wanted.size);
}

void* take_from_pool(const Side& to, const MoveWanted& wanted) noexcept {
  const Pool::Kept kept = to.pool().take_at_hand(to.share(), {wanted.handle, wanted.identity}, wanted.size);
  if (!kept.piece) return nullptr;
  if (!file(to, kept.piece->begin, wanted)) return to.pool().put_back(kept), nullptr;
  count_in(to, wanted);
  return kept.piece->begin;
}

// From the cache of another context, inside of its shard, too, on a queue that has such a block.
void* take_from_cache(const Side& from, BlockCache::Queue& queue, const Side& to, const MoveWanted& wanted) noexcept {
  BlockCache::Block& block = *queue.last_that([&](const BlockCache::Block& one) { return one.size == wanted.size; });
  void* const pointer = pointer_to(block.entry->base.load(std::memory_order_relaxed));
  PoolPiece* const piece = to.pool().handed_out(from.share(), pointer);
  if (!piece || !file(to, pointer, wanted)) return nullptr;
  from.count_label(block.label, LabelCount::of_one(wanted.size).negated());
  from.cache.drop(queue, block, wanted.size);
  from.cache.lose(wanted.size);
  from.owner.account().discharge(wanted.type, wanted.size, 1);
  count_in(to, wanted);
  Pool::hand_over(*piece, to.share());
  return pointer;
}

void* take_from_caches(const Side& to, const MoveWanted& wanted) noexcept {
  void* taken = nullptr;
  for (Shard* const shard : shards_of_thread.at) {
    const cadastre_context context = shard->last_context;
    if (taken || context == wanted.context || context == CADASTRE_NULL_CONTEXT || !enter(*shard, context)) continue;
    BlockCache::Queue* const queue = shard->cache && shard->cache->count > 0 ? queue_in(shard->cache, wanted) : nullptr;
    if (queue && queue->has(wanted.size)) taken = take_from_cache(Side(*shard), *queue, to, wanted);
    shard->lock.leave(context);
  }
  return taken;
}

void* take(const Side& to, const MoveWanted& wanted) noexcept {
  const bool may = to.cache.may_gain && (wanted.label == no_origin || to.cache.labels) && !wanted.pool->load(std::memory_order_acquire);
  if (!may || to.owner.account().claim(wanted.type, wanted.size)) return nullptr;
  void* taken = take_from_pool(to, wanted);
  if (!taken) taken = take_from_caches(to, wanted);
  if (!taken) to.owner.account().cancel(wanted.type, wanted.size);
  return taken;
}

bool put(const Side& from, const void* pointer, cadastre_memory_type type) noexcept {
  Entry* const entry = from.cache.of_pool(from.shard, pointer);
  PoolPiece* const piece = entry && from.cache.queues[0].most > 0 ? from.pool().handed_out(from.share(), pointer) : nullptr;
  if (!piece || from.cache.gave_twice->load(std::memory_order_acquire)) return false;
  const std::size_t size = entry->size.load(std::memory_order_relaxed);
  const OriginNumber label = entry->origin.load(std::memory_order_relaxed);
  if (label != no_origin && !from.cache.labels) return false;
  make_numbers_ready(from.shard);
  if (!entry->free(from.shard.counts.next_deallocation())) return false;
  from.shard.number_deallocation_elsewhere();
  from.count_label(label, LabelCount::of_one(size).negated());
  ++from.cache.deallocations;
  from.cache.lose(size);
  from.owner.account().discharge(type, size, 1);
  from.pool().keep(*piece);
  return true;
}

}  // namespace

void* move_here(const MoveWanted& wanted) noexcept {
  const PoolLocked locked(pool_lock_of(wanted.type));
  Shard& own = shard_at_hand(wanted.context);
  if (!enter(own, wanted.context)) return nullptr;
  void* const moved = queue_in(own.cache, wanted) ? take(Side(own), wanted) : nullptr;
  own.lock.leave(wanted.context);
  return moved;
}

bool move_to_pool(cadastre_context context, const void* pointer, cadastre_memory_type type) noexcept {
  const PoolLocked locked(pool_lock_of(type));
  Shard& own = shard_at_hand(context);
  if (!enter(own, context)) return false;
  const bool moved = own.cache && own.cache->type == type && put(Side(own), pointer, type);
  own.lock.leave(context);
  return moved;
}

}  // namespace cadastre::internal
