// Tangled from org/core/shard.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What one thread has of one context: its slabs, its counts, and the way in.
#ifndef CADASTRE_SRC_CORE_SHARD_HPP
#define CADASTRE_SRC_CORE_SHARD_HPP

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/accounting.hpp"
#include "base/non_copyable.hpp"
#include "base/own_memory.hpp"
#include "core/thread_workspace.hpp"
#include "core/shard_lock.hpp"
#include "core/label_counts.hpp"
#include "core/page_map.hpp"
#include "core/slab.hpp"

namespace cadastre::internal {

class Heap;
class Thread;
class Backend;
struct BlockCache;

// The slab of a class of which there is none: full, and nobody's.
[[gnu::visibility("hidden")]] extern constinit Slab no_slab;

// Bytes that a thread may claim in advance.
inline constexpr std::int64_t most_excess = std::int64_t{64} << 10;

// Counts of one shard since they were gathered last. What moves is as little as can be: an allocation moves one number of each pair, a
// deallocation the other. Their difference is how much more may live before the accounts are asked.
class Counts {
 public:
  std::uint64_t next_serial = 0, serial_limit = 0;
  std::int64_t allocated_bytes = 0, bytes_limit = 0;
  std::int64_t bytes_limit_cap = 0;      // a free that makes bytes_limit more takes the slow path, which returns what is too much
  std::uint64_t deallocation_shift = 0;  // the next deallocation's number less serial_limit
  std::int64_t uninitialized_bytes = 0;
  std::int64_t reallocations = 0;  // of blocks that kept their places

  // Serial numbers are drawn up to the next multiple of it.
  static constexpr std::uint64_t numbers_at_once = 1024;
  bool has_headroom_for(std::size_t size) const noexcept {
    return allocated_bytes + static_cast<std::int64_t>(size) <= bytes_limit && next_serial < serial_limit &&
           next_serial % numbers_at_once != 0;
  }
  // Counts one for which there is headroom, and gives its number.
  std::uint64_t count_in(std::size_t size) noexcept {
    allocated_bytes += static_cast<std::int64_t>(size);
    return next_serial++;
  }
  void count_uninitialized(std::size_t size) noexcept { uninitialized_bytes += static_cast<std::int64_t>(size); }
  std::uint64_t next_deallocation() const noexcept { return serial_limit + deallocation_shift; }
  // Counts one, and gives its number.
  std::uint64_t count_out(std::size_t size) noexcept {
    bytes_limit += static_cast<std::int64_t>(size);
    return serial_limit++ + deallocation_shift;
  }
};

// Blocks of one slab of another shard that were freed here and are to be handed over, as a chain.
struct Outgoing {
  Slab* slab = nullptr;
  BlockPlace first = no_place, last = no_place;
  std::uint16_t blocks = 0;
};

// Whom a thread asks about queues before it enters the shard of a context; what a cache there has said last. Read and written by the shard's thread alone,
// and written inside.
struct QueuesAsked {
  Backend* backend = nullptr;  // null: not known
  std::int32_t device = no_device_id;
  cadastre_queue default_queue = CADASTRE_DEFAULT_QUEUE;  // that the context takes for the default one
};

class alignas(64) Shard : NonCopyable {
 public:
  static constexpr unsigned outgoing_chains = 8;
  // Of one chain, which is handed over when it comes to that.
  static constexpr std::size_t most_outgoing_blocks = 32, most_outgoing_bytes = std::size_t{16} << 10;

  constexpr explicit Shard(ShardLock::Handle closed_for = 0) noexcept : lock(closed_for) {}

  ShardLock lock;
  Counts counts;
  ShardLabelCounts label_counts;
  Slab* current[size_classes] = {};  // of each class, in the ring of those that may have room; else no_slab

  // Not for every call.
  std::uint8_t slabs_of_class[size_classes] = {};   // up to 255
  std::uint8_t shared_of_class[size_classes] = {};  // of these, in which others have freed; up to 255
  Outgoing outgoing[outgoing_chains] = {};
  bool has_outgoing = false;    // perhaps
  std::uint32_t looked_at = 0;  // place in slabs where to look next for empty ones
  std::uint32_t empty = 0;      // that were found
  std::uint32_t decayed = 0;    // place in slabs where to look next for pages without live blocks
  PageTime next_decay = 0;      // when
  std::uint8_t decay_calls = 0;
  bool decay_is_due = false;                  // of what arenas keep, when the shard is left
  std::atomic<Slab*> remote_frees = nullptr;  // slabs in which others have freed blocks
  OwnVector<Slab*> slabs;
  Heap* heap = nullptr;
  Thread* thread = nullptr;                            // null: it has ended
  std::int64_t claimed_bytes = 0, claimed_blocks = 0;  // in the accounts
  std::atomic<std::int64_t> slack = 0;                 // bytes that it claims in advance, half of its share; 0: it has none
  std::uint64_t uses_before = 0;                       // when its thread looked for idle ones the last time
  std::int64_t most_bytes = 0, most_blocks = 0;        // the most that lived since counts were gathered; while it grows, what is claimed
  std::int64_t most_bytes_before = 0, most_blocks_before = 0;  // while it grows: before it did
  std::int64_t frees_before = 0;                               // when it asked for more the last time
  std::uint8_t calls_to_grow = 0;                              // without a free between them
  bool is_growing = false;
  std::uint64_t first_serial = 0;  // moves when numbers are left out
  bool has_the_numbers = false;    // the only shard of its context, while that is open: counts on with its numbers
  // What the context says when its heap is unlocked: whether blocks may lie in slabs, and below which size others may do without the context lock.
  std::atomic<bool> uses_slabs = false;
  std::atomic<std::size_t> alone_below = 0;
  cadastre_context last_context = 0;  // that it belongs to, or did
  Shard* next_spare = nullptr;
  Shard* next_with_substitute = nullptr;        // the same one
  ThreadWorkspace* thread_workspace = nullptr;  // of its context; null: there is none, or another shard has it
  BlockCache* cache = nullptr;                  // likewise
  QueuesAsked asked;
  const Slab* damage = nullptr;  // a damaged slab, of which nobody was told yet

  std::int64_t live_bytes() const noexcept { return most_bytes - (counts.bytes_limit - counts.allocated_bytes); }
  std::int64_t allocations() const noexcept { return static_cast<std::int64_t>(counts.next_serial - first_serial); }
  std::uint64_t uses() const noexcept { return counts.next_serial + counts.serial_limit; }
  std::int64_t live_blocks() const noexcept { return most_blocks - static_cast<std::int64_t>(counts.serial_limit - counts.next_serial); }
  // Lets more live, or less.
  void set_most(std::int64_t bytes, std::int64_t blocks) noexcept;
  // Until the next free all that is claimed may live, and the most that lived is what lives then. end_growth: before that free, or when
  // so much was freed.
  void begin_growth() noexcept;
  void end_growth(std::int64_t freed_bytes = 0, std::int64_t freed_blocks = 0) noexcept {
    if (is_growing) end_growth_of(freed_bytes, freed_blocks);
  }
  // From now on numbers go on from these.
  void use_numbers(std::uint64_t serial, std::uint64_t deallocation) noexcept;
  // The number of an allocation, and of a deallocation, of a block that is counted elsewhere. There is one.
  std::uint64_t number_allocation_elsewhere() noexcept {
    ++first_serial;
    ++counts.serial_limit;
    --counts.deallocation_shift;
    return counts.next_serial++;
  }
  void number_deallocation_elsewhere() noexcept { ++counts.deallocation_shift; }
  // Whether it has anything to tell since its counts were cleared.
  bool has_counted() const noexcept { return (claimed_bytes | claimed_blocks | counts.reallocations) != 0 || counts.next_serial != 0; }
  bool has_many_empty_slabs() const noexcept { return empty > 16 + slabs.size() / 4; }
  // Nothing is counted, and there are no numbers.
  void clear_counts() noexcept;
  // Counts a label, here or in the heap. Not for every call.
  void count_label(OriginNumber label, const LabelCount& count) noexcept {
    if (label != no_origin) count_some_label(label, count);
  }
  void count_some_label(OriginNumber label, const LabelCount& count) noexcept;

  // Inside, or with the context closed.
  [[gnu::always_inline]] inline void list(Slab& slab) noexcept;
  void unlist(Slab& slab) noexcept;
  void take_remote_frees() noexcept;
  // Hands a block that was freed to the owner of its slab, together with others. word: what it says, with nothing about the next one.
  void hand_over(Slab& slab, BlockRecord& record, BlockPlace place, std::uint64_t word) noexcept;
  void hand_over_all() noexcept;
  // From now on nothing is given out of a slab.
  void close_damaged(Slab& slab) noexcept;
  // A slab of a class with a block in its chain; null when there is none and none can be had, or one was found to be damaged.
  Slab* slab_with_room(SizeClass size_class, Arena& arena, cadastre_context context) noexcept;
  bool check_invariants() const noexcept;

 private:
  void end_growth_of(std::int64_t freed_bytes, std::int64_t freed_blocks) noexcept;
  // Slabs of a class in which others have freed before new ones are for that from the beginning.
  static constexpr unsigned shared_before_more = 4;
};

inline void Shard::list(Slab& slab) noexcept {
  Slab*& first = current[slab.size_class];
  slab.listed = true;
  if (first == &no_slab) {
    slab.next = slab.previous = &slab;
  } else {
    slab.next = first->next;
    slab.previous = first;
    slab.next->previous = &slab;
    first->next = &slab;
  }
  first = &slab;
}

// Clears a block whose room is a multiple of class_step; small ones by stores that may overlap, which saves a call.
[[gnu::always_inline]] inline void* cleared(std::uintptr_t at, std::size_t size, std::size_t room) noexcept {
  auto* const block = reinterpret_cast<char*>(at);
  if (room > 4 * class_step) return std::memset(block, 0, size);
  std::memset(block, 0, class_step);
  std::memset(block + room - class_step, 0, class_step);
  if (room <= 2 * class_step) return block;
  std::memset(block + class_step, 0, class_step);
  std::memset(block + room - 2 * class_step, 0, class_step);
  return block;
}

// The first free block of a slab. record: its record, with that word before; serial: its number.
[[gnu::always_inline]] inline std::uintptr_t take_first(Slab& slab, std::size_t place, BlockRecord& record, std::uint64_t before,
                                                        std::size_t size, std::uint64_t traits, std::uint64_t serial) noexcept {
  slab.first_free = BlockWord::next(before);
  ++slab.used;
  record.word.store(traits | std::uint64_t{size} << BlockWord::size_shift | BlockWord::live, std::memory_order_relaxed);
  record.number = serial;
  return slab.block_at(place);
}

// The same, cleared unless that is not asked for or not needed, for a shard whose counts have headroom. of_label: the label's counter, or null.
// Null where the chain leads to a block that somebody has. The block is cleared inside the shard: outside it another thread may destroy the
// context, and its pages are someone else's.
[[gnu::always_inline]] inline void* take_block(Shard& shard, Slab& slab, std::size_t size, std::uint64_t traits,
                                               LabelCount* of_label) noexcept {
  const std::size_t place = slab.first_free;
  BlockRecord& record = slab.record_at(place);
  const std::uint64_t before = record.word.load(std::memory_order_relaxed);
  if (traits & BlockWord::uninitialized || before & (BlockWord::zero | BlockWord::taken)) {
    if (BlockWord::is_taken(before)) [[unlikely]]
      return nullptr;
    if (of_label) of_label->count_in(size);
    if (traits & BlockWord::uninitialized) shard.counts.count_uninitialized(size);
    return reinterpret_cast<void*>(take_first(slab, place, record, before, size, traits, shard.counts.count_in(size)));
  }
  if (of_label) of_label->count_in(size);
  return cleared(take_first(slab, place, record, before, size, traits, shard.counts.count_in(size)), size, slab.size);
}

// What free says of a live block: what it was stays readable until its place is given out again.
[[gnu::always_inline]] inline std::uint64_t word_of_freed(std::uint64_t word) noexcept {
  return (word & ~BlockWord::taken) | BlockWord::freed;
}
// The same of one that is live.
[[gnu::always_inline]] inline std::uint64_t word_of_just_freed(std::uint64_t word) noexcept {
  return word - BlockWord::live + BlockWord::freed;
}
// Whether a block of a slab is live, and its word sound as far as two comparisons tell.
[[gnu::always_inline]] inline bool is_live(const Slab& slab, std::uint64_t word) noexcept {
  return ((word - BlockWord::live) & BlockWord::state) == 0 && BlockWord::size(word) <= slab.size;
}
[[gnu::always_inline]] inline void note_deallocation(BlockRecord& record, std::uint64_t number) noexcept {
  const auto low = static_cast<std::uint32_t>(number);
  std::memcpy(reinterpret_cast<char*>(&record.number) + (std::endian::native == std::endian::little ? 4 : 0), &low, sizeof low);
}

// Gives back a live block of a slab in which nobody else frees. Its label is the caller's to count.
[[gnu::always_inline]] inline void put_block(Shard& shard, Slab& slab, BlockRecord& record, std::size_t place,
                                             std::uint64_t word) noexcept {
  note_deallocation(record, shard.counts.count_out(BlockWord::size(word)));
  slab.put(record, static_cast<BlockPlace>(place), word_of_just_freed(word));
  if (!slab.listed) [[unlikely]]
    shard.list(slab);
  shard.current[slab.size_class] = &slab;
}

// Gives back a block of any slab, whose word says since now that it was freed. Its label is the caller's to count.
inline void put_or_hand_over(Shard& shard, Slab& slab, BlockRecord& record, BlockPlace place, std::uint64_t word) noexcept {
  if (slab.owner == &shard) return put_block(shard, slab, record, place, word);
  note_deallocation(record, shard.counts.count_out(BlockWord::size(word)));
  shard.hand_over(slab, record, place, word_of_just_freed(word));
}

// Bytes that a live block grows by; negative where it shrinks.
[[gnu::always_inline]] inline std::int64_t growth_of(std::uint64_t word, std::size_t size) noexcept {
  return static_cast<std::int64_t>(size) - static_cast<std::int64_t>(BlockWord::size(word));
}

// Counts that a block of that word gets another size, for which there is room: what is less as freed, and what is more as allocated. Its label
// is the caller's to count.
[[gnu::always_inline]] inline void count_resize(Shard& shard, std::uint64_t word, std::size_t size) noexcept {
  Counts& counts = shard.counts;
  const std::int64_t growth = growth_of(word, size);
  ++counts.reallocations;
  if (growth < 0) {
    counts.bytes_limit -= growth;
  } else {
    counts.allocated_bytes += growth;
    if (word & BlockWord::uninitialized) counts.uninitialized_bytes += growth;
  }
}
// Gives a live block of a slab in which nobody else frees another size of its class.
[[gnu::always_inline]] inline void resize_block(Shard& shard, BlockRecord& record, std::uint64_t word, std::size_t size) noexcept {
  count_resize(shard, word, size);
  record.word.store(BlockWord::with_size(word, size), std::memory_order_relaxed);
}

// Clears what a block has grown by. word: what it said before.
[[gnu::always_inline]] inline void clear_growth(std::uintptr_t begin, std::uint64_t word, std::size_t size) noexcept {
  const std::size_t old = BlockWord::size(word);
  if (size > old && !(word & BlockWord::uninitialized)) std::memset(reinterpret_cast<char*>(begin) + old, 0, size - old);
}

}  // namespace cadastre::internal
#endif
