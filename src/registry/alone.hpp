// Tangled from org/registry/alone.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Calls for blocks that lie in no slab, without the context lock.
#ifndef CADASTRE_SRC_REGISTRY_ALONE_HPP
#define CADASTRE_SRC_REGISTRY_ALONE_HPP

#include <cstddef>
#include <cstdint>

#include "backends/host_heap.hpp"
#include "core/calls.hpp"

namespace cadastre::internal {

// What the functions of the same names do to blocks that stand alone; null or false, and nothing changed, where it takes a locked call. Those of
// devices, of callers' backends, and borrowed ones are found only.
void* malloc_alone(cadastre_context context, const cadastre_memory_info_struct& info) noexcept;
bool free_alone(cadastre_context context, void* pointer) noexcept;
// exact: by the first byte. info, offset: may be null.
template <bool exact>
bool find_alone(cadastre_context context, const void* address, cadastre_memory_info_struct* info, std::size_t* offset) noexcept;
// With blocks of either kind.
bool copy_alone(cadastre_context context, void* to, const void* from, std::size_t size) noexcept;
bool set_alone(cadastre_context context, void* to, int value, std::size_t size) noexcept;

// Files what the C library has just given; false, and nothing changed, where it is not aligned or something is not at hand.
[[gnu::always_inline]] inline bool file_at_once(Shard& shard, cadastre_context context, void* pointer, std::size_t size,
                                                std::uint64_t traits) noexcept {
  if (!is_aligned(pointer, BlockWord::alignment(traits)) || !shard.lock.enter_at_once(context)) [[unlikely]]
    return false;
  Counts& counts = shard.counts;
  bool filed = false;
  if (size < shard.alone_below.load(std::memory_order_relaxed) && counts.has_headroom_for(size)) [[likely]] {
    const OriginNumber label = BlockWord::label(traits);
    LabelCount* const of_label = label != no_origin ? shard.label_counts.at(BlockWord::count_place(traits)) : nullptr;
    filed = (label == no_origin || of_label) &&
            shard.heap->table().file_again(address_of(pointer),
                                           {.serial = counts.next_serial,
                                            .origin = label,
                                            .size = size,
                                            .stride_or_freed = 0,
                                            .traits = Table::traits_on_a_heap(BlockWord::alignment_log2(traits), BlockWord::flags(traits)),
                                            .device = no_device_id});
    if (filed) [[likely]] {
      counts.count_in(size);
      if (of_label) of_label->count_in(size);
      if (traits & BlockWord::uninitialized) counts.count_uninitialized(size);
    }
  }
  shard.lock.leave(context);
  return filed;
}

// Files what the C library has just given, with all that it takes, or gives it back and returns null.
void* file_or_give_back(cadastre_context context, void* pointer, std::size_t size, std::uint64_t traits) noexcept;

// What of traits is known to be 0: that leaves out what they would ask for.
inline constexpr std::uint64_t all_traits = UINT64_MAX, alignment_traits = BlockWord::alignment_traits;
// shard: of the calling thread, and probably of the context. none: traits that are 0.
template <std::uint64_t none>
[[gnu::always_inline]] inline void* malloc_alone_at_once(Shard& shard, cadastre_context context, std::size_t size,
                                                         std::uint64_t traits) noexcept {
  if (size >= shard.alone_below.load(std::memory_order_relaxed)) [[unlikely]]
    return nullptr;
  traits &= ~none;
  const bool zero = (traits & BlockWord::uninitialized) == 0;
  constexpr bool is_aligned_as_ever = (none & alignment_traits) != 0;
  void* const pointer = is_aligned_as_ever ? take_from_heap(size, zero) : take_aligned_from_heap(size, BlockWord::alignment(traits), zero);
  if (!pointer) [[unlikely]]
    return nullptr;
  if (file_at_once(shard, context, pointer, size, traits)) [[likely]]
    return pointer;
  return file_or_give_back(context, pointer, size, traits);
}
void* malloc_alone_at_once(Shard& shard, cadastre_context context, std::size_t size, std::uint64_t traits) noexcept;

// What is left to do for a block that was freed. label: no_origin where that is counted already.
void finish_free(Shard& shard, cadastre_context context, void* pointer, OriginNumber label, std::size_t size) noexcept;

// Frees a block in the shard that the calling thread is inside of, which it leaves; false, and nothing changed, where it takes a locked call or,
// at once, something is not at hand.
template <bool at_once>
[[gnu::always_inline]] inline bool free_alone_inside(Shard& shard, cadastre_context context, void* pointer) noexcept {
  prefetch_for_heap(pointer);
  Counts& counts = shard.counts;
  Entry* const entry = shard.heap->table().find(address_of(pointer));
  if (entry && shard.alone_below.load(std::memory_order_relaxed) > 0 && Table::is_on_a_heap(*entry)) [[likely]] {
    if (!at_once) make_numbers_ready(shard);
    const std::size_t place = BlockWord::count_place_of_label(entry->origin.load(std::memory_order_relaxed));
    const bool is_ready = !at_once || (counts.next_serial != 0 && (place == 0 || shard.label_counts.at(place)));
    if (is_ready && entry->free(counts.next_deallocation())) [[likely]] {
      // Nobody files at this address before it is given back; but what was read before may be of an earlier life.
      const std::size_t size = entry->size.load(std::memory_order_relaxed);
      const OriginNumber label = entry->origin.load(std::memory_order_relaxed);
      counts.count_out(size);
      const bool counted = label == no_origin || shard.label_counts.count_out_at(BlockWord::count_place_of_label(label), size);
      if (!counted || counts.bytes_limit > counts.bytes_limit_cap) [[unlikely]] {
        finish_free(shard, context, pointer, counted ? no_origin : label, size);
        return true;
      }
      shard.lock.leave(context);
      give_block_of_host(pointer, size);
      return true;
    }
  }
  shard.lock.leave(context);
  return false;
}

}  // namespace cadastre::internal
#endif
