// Tangled from org/registry/alone.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "registry/alone.hpp"

#include <algorithm>

namespace cadastre::internal {

namespace {

// As is_all_there, of blocks that stand alone, too.
bool is_all_anywhere(cadastre_context context, const Shard& shard, const void* address, std::size_t size) noexcept {
  if (is_all_there(context, shard, address, size)) return true;
  const std::optional<Record> block = shard.heap->table().around(Kind::live, address_of(address));
  return block && block->is_plain_host() && size <= block->size - (address_of(address) - block->address());
}

}  // namespace

void* malloc_alone_at_once(Shard& shard, cadastre_context context, std::size_t size, std::uint64_t traits) noexcept {
  if ((traits & alignment_traits) == 0) return malloc_alone_at_once<alignment_traits>(shard, context, size, traits);
  return malloc_alone_at_once<0>(shard, context, size, traits);
}

namespace {

void* file_or_give_back(cadastre_context context, Record block) noexcept {
  const bool may = locks_of_thread == 0 && is_aligned(block.pointer, block.alignment());  // not in a handler of signals
  Shard* const shard = may ? enter_shard(context) : nullptr;
  bool filed = false;
  if (shard) [[likely]] {
    filed = block.size < shard->alone_below.load(std::memory_order_relaxed) && file_alone(*shard, block);
    shard->lock.leave(context);
  }
  if (filed) [[likely]]
    return block.pointer;
  give_block_of_host(block.pointer, block.size);
  return nullptr;
}

Record record_of(void* pointer, std::size_t size, unsigned alignment_log2, cadastre_flags flags, OriginNumber label) noexcept {
  Record block;
  block.pointer = pointer;
  block.size = size;
  block.origin = label;
  block.alignment_log2 = static_cast<std::uint8_t>(alignment_log2);
  block.flags = static_cast<std::uint16_t>(flags);
  return block;
}

}  // namespace

void* file_or_give_back(cadastre_context context, void* pointer, std::size_t size, std::uint64_t traits) noexcept {
  return file_or_give_back(context,
                           record_of(pointer, size, BlockWord::alignment_log2(traits), BlockWord::flags(traits), BlockWord::label(traits)));
}

void* malloc_alone(cadastre_context context, const cadastre_memory_info_struct& info) noexcept {
  if (locks_of_thread != 0) [[unlikely]]
    return nullptr;  // a handler of signals
  const Shard* const shard = known_shard(context);
  if (!shard || info.size >= shard->alone_below.load(std::memory_order_relaxed) || !is_usual(info)) return nullptr;
  if ((info.alignment & (info.alignment - 1)) != 0 || info.alignment > page_bytes) return nullptr;
  const std::size_t alignment = std::max(info.alignment, heap_alignment);
  OriginNumber label = no_origin;
  if (info.label && (label = number_of_label(info.label)) == no_origin) return nullptr;
  const bool in_pages = shard->uses_slabs.load(std::memory_order_relaxed);
  void* const pointer = take_block_of_host(info.size, alignment, (info.flags & CADASTRE_UNINITIALIZED) == 0, in_pages);
  return pointer ? file_or_give_back(context, record_of(pointer, info.size, log2_of(alignment), info.flags, label)) : nullptr;
}

void finish_free(Shard& shard, cadastre_context context, void* pointer, OriginNumber label, std::size_t size) noexcept {
  shard.count_label(label, LabelCount::of_one(size).negated());
  shard.end_growth(static_cast<std::int64_t>(size), 1);
  return_excess(shard);
  shard.lock.leave(context);
  give_block_of_host(pointer, size);
}

bool free_alone(cadastre_context context, void* pointer) noexcept {
  if (locks_of_thread != 0) [[unlikely]]
    return false;  // a handler of signals
  Shard* const shard = enter_shard(context);
  return shard && free_alone_inside<false>(*shard, context, pointer);
}

template <bool exact>
bool find_alone(cadastre_context context, const void* address, cadastre_memory_info_struct* info, std::size_t* offset) noexcept {
  Shard* const shard = enter_shard(context);
  if (!shard) return false;
  const Table& table = shard->heap->table();
  const Entry* const entry = exact ? table.find(address_of(address)) : nullptr;
  const std::optional<Record> found =
      exact ? entry ? Table::read(*entry, Kind::live) : std::nullopt : table.around(Kind::live, address_of(address));
  shard->lock.leave(context);
  if (!found) return false;
  if (info) *info = info_of(*found);
  if (offset) *offset = address_of(address) - found->address();
  return true;
}

template bool find_alone<true>(cadastre_context, const void*, cadastre_memory_info_struct*, std::size_t*) noexcept;
template bool find_alone<false>(cadastre_context, const void*, cadastre_memory_info_struct*, std::size_t*) noexcept;

bool copy_alone(cadastre_context context, void* to, const void* from, std::size_t size) noexcept {
  return copy_where<is_all_anywhere>(context, to, from, size);
}
bool set_alone(cadastre_context context, void* to, int value, std::size_t size) noexcept {
  return set_where<is_all_anywhere>(context, to, value, size);
}

}  // namespace cadastre::internal
