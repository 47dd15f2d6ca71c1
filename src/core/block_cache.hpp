// Tangled from org/core/block_cache.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Where a thread keeps blocks of a pool that it has freed, and gives them out again inside its shard, without the context lock.
#ifndef CADASTRE_SRC_CORE_BLOCK_CACHE_HPP
#define CADASTRE_SRC_CORE_BLOCK_CACHE_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/record.hpp"
#include "core/slow_path.hpp"

namespace cadastre::internal {

class Backend;

// What lies there is written by the thread of its shard, inside; and by who is alone in that shard.
struct BlockCache {
  static constexpr unsigned most_blocks = 8;
  static constexpr unsigned most_queues = 4;

  struct Block {
    Entry* entry;
    std::uint32_t size;
    OriginNumber label;

    bool is(std::size_t asked_size, OriginNumber asked_label) const noexcept { return size == asked_size && label == asked_label; }
  };

  // A queue, and what was freed there. Events are as their backend has them; the first queue is the default one and has none.
  struct Queue {
    Block blocks[most_blocks] = {};
    unsigned count = 0;
    unsigned most = most_blocks;  // in the cache, so that another may be freed here; 0: none may
    cadastre_queue handle = CADASTRE_DEFAULT_QUEUE;
    std::uint64_t identity = 1;  // unique
    void* event = nullptr;       // recorded after all that was freed here since the cache was handed out; null: there is none
    void* spares[2] = {};        // others, to be recorded
    unsigned spare_count = 0;
    bool is_marking = false;                // the thread is outside with one of them
    std::atomic<unsigned>* pins = nullptr;  // of the free list that it comes from; while there is one more, the event stays as it is

    // The block that came last of those that fit; null where none does.
    template <class Fits>
    [[gnu::always_inline]] inline Block* last_that(Fits fits) noexcept {
      for (Block* block = blocks + count; block != blocks;) {
        if (fits(*--block)) return block;
      }
      return nullptr;
    }
    bool has(std::size_t size) const noexcept {
      return std::any_of(blocks, blocks + count, [=](const Block& block) { return block.size == size; });
    }
    void* take_spare() noexcept { return spare_count > 0 ? spares[--spare_count] : nullptr; }
    void add_spare(void* other) noexcept {
      if (other) spares[spare_count++] = other;
    }
  };

  // What its blocks have in common. Stays as it is while a shard has the cache.
  cadastre_memory_type type = CADASTRE_DEVICE;
  std::int32_t device = no_device_id;
  std::size_t alignment = 1;           // that a block is given out with
  std::uint64_t traits = 0, kind = 0;  // of such a block, in its entry; and which bits of them others have, too, that are freed here
  LabelCounts* labels = nullptr;       // null: blocks with a label take a locked call
  const std::atomic<bool>* gave_twice = nullptr;  // whether the backend has given what the pool had
  const std::atomic<bool>* takes_effort =
      nullptr;  // whether no block is given out at once: the same, or that marks may rise, which is noted
  Backend* backend = nullptr;
  std::size_t most_bytes = 0;                             // on all queues; no more than 32 bits
  cadastre_queue default_queue = CADASTRE_DEFAULT_QUEUE;  // that the context takes for the default one

  unsigned queue_count = 1;
  Queue queues[most_queues] = {};
  unsigned count = 0;  // of blocks, on all queues
  std::size_t bytes = 0;
  // Since it was handed out: blocks that were freed, and bytes that were given out.
  std::int64_t deallocations = 0;
  std::size_t allocated_bytes = 0;
  // Likewise: blocks that came from other contexts or the pool, less those that went there; and the most that lived, beside what did when it was handed out.
  std::int64_t moved_blocks = 0, moved_bytes = 0, most_blocks_more = 0, most_bytes_more = 0;
  bool may_gain = false;  // such blocks

  std::int64_t allocations() const noexcept { return deallocations - count + moved_blocks; }
  bool has_counted() const noexcept { return deallocations > 0 || moved_blocks != 0; }
  // What lives more than when it was handed out.
  std::int64_t blocks_more() const noexcept { return moved_blocks - count; }
  std::int64_t bytes_more() const noexcept { return moved_bytes - static_cast<std::int64_t>(bytes); }
  void note_most() noexcept {
    most_blocks_more = std::max(most_blocks_more, blocks_more());
    most_bytes_more = std::max(most_bytes_more, bytes_more());
    takes_effort = moved_blocks <= most_blocks_more && moved_bytes <= most_bytes_more ? gave_twice : &marks_rise;
  }
  // A block that was freed is not the cache's, but goes to another context or to the pool; or one has come from there, and lives.
  void lose(std::size_t size) noexcept {
    --moved_blocks;
    moved_bytes -= static_cast<std::int64_t>(size);
    note_most();
  }
  void gain(std::size_t size) noexcept {
    ++moved_blocks;
    moved_bytes += static_cast<std::int64_t>(size);
    allocated_bytes += size;
    note_most();
  }
  static inline constinit const std::atomic<bool> marks_rise = true;
  // A block that is the cache's no more.
  [[gnu::always_inline]] inline void drop(Queue& queue, Block& block, std::size_t size) noexcept {
    block = queue.blocks[--queue.count];
    --count;
    bytes -= size;
  }
  // As a vendor tells it; null where it does not know that queue.
  [[gnu::always_inline]] inline Queue* find(cadastre_queue handle, std::uint64_t identity) noexcept {
    if (handle == CADASTRE_DEFAULT_QUEUE) return queues;
    for (Queue* queue = queues + 1; queue != queues + queue_count; ++queue) {
      if (queue->handle == handle && queue->identity == identity) return queue;
    }
    return nullptr;
  }
  // As a caller names it; most_queues where it does not know that queue.
  unsigned number_of(cadastre_queue handle) const noexcept {
    if (handle == CADASTRE_DEFAULT_QUEUE) handle = default_queue;
    unsigned number = handle != CADASTRE_DEFAULT_QUEUE;
    while (number < queue_count && queues[number].handle != handle) ++number;
    return number < queue_count ? number : most_queues;
  }
  // Of the queues on which a block of that size was freed: that one, or else another; null for none.
  Queue* queue_with(std::size_t size, Queue& own) noexcept {
    if (own.has(size)) return &own;
    Queue* queue = queues + queue_count;
    while (queue != queues && !queue[-1].has(size)) --queue;
    return queue != queues ? queue - 1 : nullptr;
  }
  // Whether a request is for such a block, whatever its size and its label.
  [[gnu::always_inline]] inline bool serves(const cadastre_memory_info_struct& info) const noexcept {
    const auto type_differs = static_cast<std::uint32_t>(info.type ^ type);
    const auto backend = static_cast<std::uint32_t>(info.backend ^ CADASTRE_DEFAULT_BACKEND);
    const auto named = static_cast<std::uint32_t>((info.device ^ CADASTRE_DEFAULT_DEVICE) | info.device_id);
    const std::size_t too_aligned = info.alignment & ((info.alignment - 1) | ~(2 * alignment - 1));
    return (type_differs | backend | named | (info.flags ^ CADASTRE_UNINITIALIZED) | info.stride | too_aligned | reserved_bits(info)) == 0;
  }

  // By the thread of a shard, inside: gives out a block of a size that it serves, freed on a queue; null, and nothing changed, where there is
  // none. at_once: or where that takes more than what is at hand, as another label does.
  template <bool at_once>
  [[gnu::always_inline]] inline void* take(Shard& shard, Queue& queue, std::size_t size, OriginNumber label) noexcept {
    Block* block = queue.last_that([&](const Block& one) { return one.is(size, label); });
    if (!at_once && !block) block = queue.last_that([&](const Block& one) { return one.size == size; });
    return give_out<at_once>(shard, queue, block, size, label);
  }
  // The same of one of the queue's blocks of that size; block: may be null.
  template <bool at_once>
  [[gnu::always_inline]] inline void* give_out(Shard& shard, Queue& queue, Block* block, std::size_t size, OriginNumber label) noexcept {
    const std::atomic<bool>& refuses = at_once ? *takes_effort : *gave_twice;
    if (!block || refuses.load(std::memory_order_acquire)) [[unlikely]]
      return nullptr;
    if (!at_once && block->label != label && !labels) return nullptr;
    if (shard.counts.next_serial % Counts::numbers_at_once == 0) [[unlikely]] {
      if (at_once) return nullptr;
      make_numbers_ready(shard);
    }
    Entry& entry = *block->entry;
    if (!entry.begin_after_free()) [[unlikely]]
      return nullptr;
    entry.write({.serial = shard.number_allocation_elsewhere(),
                 .origin = label,
                 .size = size,
                 .stride_or_freed = 0,
                 .traits = traits,
                 .device = device},
                Entry::Is::live);
    if (!at_once && block->label != label) {
      labels->add(block->label, LabelCount::of_one(size).negated());
      labels->add(label, LabelCount::of_one(size));
    }
    drop(queue, *block, size);
    allocated_bytes += size;
    if (!at_once && moved_blocks > 0) note_most();
    return reinterpret_cast<void*>(entry.base.load(std::memory_order_relaxed));
  }

  // A block of the pool, by its first byte, for which there is room on a queue; null where there is none.
  [[gnu::always_inline]] inline Entry* fitting(const Shard& shard, const void* pointer, const Queue& queue) const noexcept {
    Entry* const entry = count < queue.most ? of_pool(shard, pointer) : nullptr;
    return entry && entry->size.load(std::memory_order_relaxed) <= most_bytes - bytes ? entry : nullptr;
  }
  // Whatever room there is.
  [[gnu::always_inline]] inline Entry* of_pool(const Shard& shard, const void* pointer) const noexcept {
    Entry* const entry = shard.heap->table().find(address_of(pointer));
    if (!entry || ((entry->traits.load(std::memory_order_relaxed) ^ traits) & kind) != 0) return nullptr;
    return entry->device.load(std::memory_order_relaxed) == device ? entry : nullptr;
  }

  // The same: frees a block of the pool on a queue; false, and nothing changed, where it is none, or there is no room.
  template <bool at_once>
  [[gnu::always_inline]] inline bool put(Shard& shard, const void* pointer, Queue& queue) noexcept {
    Entry* const entry = fitting(shard, pointer, queue);
    if (!entry) return false;
    const std::size_t size = entry->size.load(std::memory_order_relaxed);
    const OriginNumber label = entry->origin.load(std::memory_order_relaxed);
    if ((label != no_origin && !labels) || gave_twice->load(std::memory_order_acquire)) [[unlikely]]
      return false;
    if (shard.counts.next_serial == 0) [[unlikely]] {
      if (at_once) return false;
      make_numbers_ready(shard);
    }
    if (!entry->free(shard.counts.next_deallocation())) return false;
    shard.number_deallocation_elsewhere();
    queue.blocks[queue.count++] = {entry, static_cast<std::uint32_t>(size), label};
    ++count;
    bytes += size;
    ++deallocations;
    return true;
  }

  // Whether what it has is what it says; for tests and debug builds.
  bool check_invariants() const noexcept {
    std::size_t sum = 0;
    unsigned number = 0;
    for (const Queue& queue : queues) {
      for (const Block* block = queue.blocks; block != queue.blocks + queue.count; ++block) {
        if (!block->entry || block->entry->is.load() != Entry::Is::freed || block->entry->size.load() != block->size) return false;
        if (block->entry->origin.load() != block->label || (block->label != no_origin && !labels)) return false;
        if (&queue != queues && !queue.event) return false;
        sum += block->size;
      }
      number += queue.count;
      if (queue.count > 0 && &queue >= queues + queue_count) return false;
    }
    return number == count && count <= most_blocks && bytes <= most_bytes && sum == bytes && allocations() >= 0;
  }
};

}  // namespace cadastre::internal
#endif
