// Tangled from org/alone.org; change the chapter, then run: make tangle
#include "alone.hpp"

#include <algorithm>

#include "backends/host_heap.hpp"
#include "core/calls.hpp"

namespace cadastre::internal {

namespace {

// As is_all_there, of blocks that stand alone, too.
bool is_all_anywhere(cadastre_context context, const Shard& shard, const void* address, std::size_t size) noexcept {
  if (is_all_there(context, shard, address, size)) return true;
  const std::optional<Record> block = shard.heap->table().around(Kind::live, address_of(address));
  return block && block->is_plain_host() && size <= block->size - (address_of(address) - block->address());
}

}  // namespace

void* malloc_alone(cadastre_context context, const cadastre_memory_info_struct& info) noexcept {
  if (locks_of_thread != 0) [[unlikely]] return nullptr;  // a handler of signals
  Shard* const shard = known_shard(context);
  if (!shard || info.size >= shard->alone_below.load(std::memory_order_relaxed) || !is_usual(info)) return nullptr;
  if ((info.alignment & (info.alignment - 1)) != 0 || info.alignment > page_bytes) return nullptr;
  const std::size_t alignment = std::max(info.alignment, heap_alignment);
  Record block;
  if (info.label && (block.origin = number_of_label(info.label)) == no_origin) return nullptr;
  block.pointer = take_aligned_from_heap(info.size, alignment, (info.flags & CADASTRE_UNINITIALIZED) == 0);
  if (!block.pointer) return nullptr;
  block.size = info.size;
  block.alignment_log2 = log2_of(alignment);
  block.flags = static_cast<std::uint16_t>(info.flags);
  bool filed = false;
  if (is_aligned(block.pointer, alignment) && enter_shard(context)) [[likely]] {
    filed = info.size < shard->alone_below.load(std::memory_order_relaxed) && file_alone(*shard, block);
    shard->door.leave(context);
  }
  if (filed) [[likely]] return block.pointer;
  give_to_heap(block.pointer);
  return nullptr;
}

bool free_alone(cadastre_context context, void* pointer) noexcept {
  if (locks_of_thread != 0) [[unlikely]] return false;  // a handler of signals
  Shard* const shard = enter_shard(context);
  if (!shard) return false;
  prefetch_for_heap(pointer);
  Entry* const entry = shard->heap->table().find(address_of(pointer));
  const bool freed = entry && shard->alone_below.load(std::memory_order_relaxed) > 0 && free_alone(*shard, *entry);
  shard->door.leave(context);
  if (freed) give_to_heap(pointer);
  return freed;
}

template <bool exact>
bool find_alone(cadastre_context context, const void* address, cadastre_memory_info_struct* info, std::size_t* offset) noexcept {
  Shard* const shard = enter_shard(context);
  if (!shard) return false;
  const Table& table = shard->heap->table();
  const Entry* const entry = exact ? table.find(address_of(address)) : nullptr;
  const std::optional<Record> found =
      exact ? entry ? Table::read(*entry, Kind::live) : std::nullopt : table.around(Kind::live, address_of(address));
  shard->door.leave(context);
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
