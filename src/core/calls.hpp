// Tangled from org/calls.org; change the chapter, then run: make tangle
// What the public functions do inside a shard of the calling thread, without a lock.
#ifndef CADASTRE_SRC_CORE_CALLS_HPP
#define CADASTRE_SRC_CORE_CALLS_HPP

#include "core/heap.hpp"
#include "label.hpp"

namespace cadastre::internal {

// Whether all but size, alignment and label of a request is as it mostly is, with one comparison for all.
[[gnu::always_inline]] inline bool is_usual(const cadastre_memory_info_struct& info) noexcept {
  const auto type = static_cast<std::uint32_t>(info.type ^ CADASTRE_HOST);
  const auto backend = static_cast<std::uint32_t>(info.backend ^ CADASTRE_DEFAULT_BACKEND);
  return (type | backend | (info.flags & ~CADASTRE_UNINITIALIZED) | info.stride | reserved_bits(info)) == 0;
}

// The calling thread's shard of a context, which is entered; null where it has none, or its door is closed.
Shard* enter_known_shard(cadastre_context context) noexcept;

[[gnu::always_inline]] inline void* deliver(const TakenBlock& taken, std::size_t size, std::uint64_t traits) noexcept {
  if (traits & BlockWord::uninitialized || taken.zeroed) return reinterpret_cast<void*>(taken.begin);
  return cleared(taken.begin, size, taken.room);
}

// With whatever effort it takes inside a shard of the calling thread; null where that is not enough.
void* malloc_with_effort(cadastre_context context, std::size_t size, SlabRequest planned) noexcept;

// At once, or not at all: null, and nothing changed.
[[gnu::always_inline]] inline void* malloc_at_once(cadastre_context context, std::size_t size, SlabRequest planned) noexcept {
  Shard& shard = shard_at_hand(context);
  if (!shard.door.enter_at_once(context)) [[unlikely]] return nullptr;
  Slab& slab = *shard.current[planned.size_class];
  if (slab.first_free == no_place || !shard.counts.has_room_for(size)) [[unlikely]] {
    shard.door.leave(context);
    return nullptr;
  }
  const TakenBlock taken = take_block(shard, slab, size, planned.traits);
  shard.door.leave(context);
  return deliver(taken, size, planned.traits);
}

// The same pair for free.
bool free_with_effort(cadastre_context context, void* pointer) noexcept;

[[gnu::always_inline]] inline bool free_at_once(cadastre_context context, void* pointer) noexcept {
  const std::uintptr_t address = address_of(pointer);
  __builtin_prefetch(pointer, 1);  // who gets this block next clears it
  Shard& shard = shard_at_hand(context);
  if (!shard.door.enter_at_once(context)) [[unlikely]] return false;
  Slab* const slab = page_map.slab_at(address);
  std::size_t place;
  if (slab && slab->sole_user.load(std::memory_order_relaxed) == &shard && slab->find_beginning(address, place)) [[likely]] {
    const std::uint64_t word = slab->record_at(place).word.load(std::memory_order_relaxed);
    const Counts& counts = shard.counts;
    if (word & BlockWord::live && counts.bytes_limit <= counts.bytes_limit_cap) [[likely]] {
      put_block(shard, *slab, static_cast<BlockPlace>(place), word);
      shard.door.leave(context);
      return true;
    }
  }
  shard.door.leave(context);
  return false;
}

inline cadastre_memory_info_struct info_of(std::uint64_t word, std::uintptr_t begin) noexcept {
  return {BlockWord::size(word),
          reinterpret_cast<void*>(begin),
          CADASTRE_HOST,
          CADASTRE_DEFAULT_DEVICE,
          std::size_t{1} << BlockWord::alignment_log2(word),
          0,
          BlockWord::flags(word),
          CADASTRE_BACKEND_HOST,
          text_of(BlockWord::label(word)),
          no_device_id,
          {}};
}

// Finds a live block of a context, by any address in it, or by its first byte; the calling thread is inside a shard of that context.
template <bool exact>
[[gnu::always_inline]] inline bool find_in_slab(cadastre_context context, std::uintptr_t address, std::uint64_t& word,
                                                std::uintptr_t& begin) noexcept {
  const Slab* const slab = page_map.slab_at(address);
  if (!slab || slab->context.load(std::memory_order_acquire) != context) return false;
  std::size_t place;
  if (!(exact ? slab->find_beginning(address, place) : slab->find_around(address, place))) return false;
  word = slab->record_at(place).word.load(std::memory_order_acquire);
  if (!BlockWord::is_there(word)) return false;
  begin = exact ? address : slab->block_at(place);
  return exact || address == begin || address - begin < BlockWord::size(word);
}

// Plans what the heap may serve; false for what takes a visit. add: adds a label.
template <bool (*add)(const char*, SlabRequest&) noexcept>
[[gnu::always_inline]] inline bool plan_usual(const cadastre_memory_info_struct& info, SlabRequest& planned) noexcept {
  if (!is_usual(info)) [[unlikely]] return false;
  if (!plan_in_slab(info.size, info.alignment, info.flags, planned)) [[unlikely]] return false;
  return !info.label || add(info.label, planned);
}

// What the functions of the same names do where the calling thread has a shard; false where it has none, or there is no such block.
template <bool exact>
[[gnu::always_inline]] inline bool find_on_heap(cadastre_context context, const void* address, cadastre_memory_info_struct* info,
                                                std::size_t* offset) noexcept {
  Shard* shard = &shard_at_hand(context);
  if (!shard->door.enter_at_once(context)) [[unlikely]] {
    shard = enter_known_shard(context);
    if (!shard) return false;
  }
  std::uint64_t word;
  std::uintptr_t begin;
  const bool found = find_in_slab<exact>(context, address_of(address), word, begin);
  shard->door.leave(context);
  if (!found) return false;
  if (info) *info = info_of(word, begin);
  if (offset) *offset = address_of(address) - begin;
  return true;
}

}  // namespace cadastre::internal
#endif
