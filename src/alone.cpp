// Tangled from org/alone.org; change the chapter, then run: make tangle
#include "alone.hpp"

#include <algorithm>
#include <cstring>

#include "backends/host_heap.hpp"
#include "core/calls.hpp"

namespace cadastre::internal {

namespace {

bool may_be_alone(const Shard& shard) noexcept { return shard.alone_below.load(std::memory_order_relaxed) > 0; }

// Whether bytes are all in one live block of either kind, or in no block; the calling thread is inside the shard.
bool is_all_there(cadastre_context context, const Shard& shard, const void* address, std::size_t size) noexcept {
  const Heap& heap = *shard.heap;
  if (is_all_there(context, heap.copies(), address_of(address), size)) return true;
  if (!may_be_alone(shard)) return false;
  const std::optional<Record> block = heap.table().around(Kind::live, address_of(address));
  return block && size <= block->size - (address_of(address) - block->address());
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
  const bool freed = entry && may_be_alone(*shard) && free_alone(*shard, *entry);
  shard->door.leave(context);
  if (freed) give_to_heap(pointer);
  return freed;
}

template <bool exact>
bool find_alone(cadastre_context context, const void* address, cadastre_memory_info_struct* info, std::size_t* offset) noexcept {
  Shard* const shard = enter_shard(context);
  if (!shard) return false;
  std::optional<Record> found;
  if (may_be_alone(*shard)) {
    const Table& table = shard->heap->table();
    const Entry* const entry = exact ? table.find(address_of(address)) : nullptr;
    found = exact ? entry ? Table::read(*entry, Kind::live) : std::nullopt : table.around(Kind::live, address_of(address));
  }
  shard->door.leave(context);
  if (!found) return false;
  if (info) *info = info_of(*found);
  if (offset) *offset = address_of(address) - found->address();
  return true;
}

template bool find_alone<true>(cadastre_context, const void*, cadastre_memory_info_struct*, std::size_t*) noexcept;
template bool find_alone<false>(cadastre_context, const void*, cadastre_memory_info_struct*, std::size_t*) noexcept;

bool copy_alone(cadastre_context context, void* to, const void* from, std::size_t size) noexcept {
  if (size == 0 || are_closer(to, from, size)) return false;
  Shard* const shard = enter_shard(context);
  if (!shard) return false;
  const bool usual = shard->heap->copies() != Heap::Copies::none && is_all_there(context, *shard, to, size) &&
                     is_all_there(context, *shard, from, size);
  shard->door.leave(context);
  if (usual) std::memcpy(to, from, size);
  return usual;
}

bool set_alone(cadastre_context context, void* to, int value, std::size_t size) noexcept {
  Shard* const shard = size > 0 ? enter_shard(context) : nullptr;
  if (!shard) return false;
  const bool usual = shard->heap->copies() != Heap::Copies::none && is_all_there(context, *shard, to, size);
  shard->door.leave(context);
  if (usual) std::memset(to, value, size);
  return usual;
}

}  // namespace cadastre::internal
