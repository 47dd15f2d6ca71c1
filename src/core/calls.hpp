// Tangled from org/core/calls.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the public functions do inside a shard of the calling thread, without a lock.
#ifndef CADASTRE_SRC_CORE_CALLS_HPP
#define CADASTRE_SRC_CORE_CALLS_HPP

#include "base/label.hpp"
#include "core/slow_path.hpp"

namespace cadastre::internal {

// Whether all but size, alignment and label of a request is as it mostly is, with one comparison for all.
[[gnu::always_inline]] inline bool is_usual(const cadastre_memory_info_struct& info) noexcept {
  const auto type = static_cast<std::uint32_t>(info.type ^ CADASTRE_HOST);
  const auto backend = static_cast<std::uint32_t>(info.backend ^ CADASTRE_DEFAULT_BACKEND);
  return (type | backend | (info.flags & ~CADASTRE_UNINITIALIZED) | info.stride | reserved_bits(info)) == 0;
}

// The calling thread's shard of a context, which is at hand from then on; null where there is none, or one must not look for it.
Shard* find_known_shard(cadastre_context context) noexcept;
// The calling thread's shard of a context; null where it has none. It may be that of a context that has gone: its shard lock says so.
[[gnu::always_inline]] inline Shard* known_shard(cadastre_context context) noexcept {
  Shard& shard = shard_at_hand(context);
  if (shard.last_context == context) [[likely]]
    return &shard;
  return find_known_shard(context);
}
// The same, entered; null also where its shard lock is closed.
Shard* enter_known_shard(cadastre_context context) noexcept;

// With whatever effort it takes inside a shard of the calling thread; null where that is not enough.
void* malloc_with_effort(cadastre_context context, std::size_t size, SlabRequest planned) noexcept;

// At once, or not at all: null, and nothing changed. otherwise: is given the shard, which is left again, where that has no block or no headroom.
// calls: recorded in a context whose calls are.
template <bool labelled, ShardLock::Calls calls = ShardLock::Calls::all, class Otherwise>
[[gnu::always_inline]] inline void* malloc_at_once(cadastre_context context, std::size_t size, SlabRequest planned,
                                                   Otherwise otherwise) noexcept {
  Shard& shard = shard_at_hand(context);
  if (!shard.lock.enter_at_once<calls>(context)) [[unlikely]]
    return nullptr;
  Slab& slab = *shard.current[planned.size_class];
  // A place that is none of those that were in the chain is no_place, or damaged.
  if (slab.first_free >= slab.touched || !shard.counts.has_headroom_for(size)) [[unlikely]] {
    shard.lock.leave(context);
    return otherwise(shard, planned);
  }
  LabelCount* const of_label = labelled ? shard.label_counts.at(BlockWord::count_place(planned.traits)) : nullptr;
  if (labelled && !of_label) [[unlikely]] {
    shard.lock.leave(context);
    return nullptr;
  }
  void* const block = take_block(shard, slab, size, planned.traits, of_label);
  shard.lock.leave(context);
  return block;
}

// The same pair for free. Freed::empties: it was freed, and the heap should be trimmed.
Freed free_with_effort(cadastre_context context, void* pointer) noexcept;

// Frees a block of a slab in which others free, too; false, and nothing changed, where that takes more. The calling thread is inside the shard.
bool free_shared_at_once(Shard& shard, Slab& slab, cadastre_context context, std::uintptr_t address) noexcept;

struct NotNoted {
  void operator()(const BlockRecord&) const noexcept {}
};

// otherwise: is called inside the shard, which it leaves, where the address is in no slab (null) or in one of which the shard is not the sole
// user (that slab); returns whether the block was freed. note: gets its record before.
template <ShardLock::Calls calls = ShardLock::Calls::all, class Otherwise, class Note = NotNoted>
[[gnu::always_inline]] inline bool free_at_once(cadastre_context context, void* pointer, Otherwise otherwise, Note note = {}) noexcept {
  const std::uintptr_t address = address_of(pointer);
  Shard& shard = shard_at_hand(context);
  if (!shard.lock.enter_at_once<calls>(context)) [[unlikely]]
    return false;
  Slab* const slab = page_map.slab_at(address);
  if (!slab) [[unlikely]]
    return otherwise(shard, slab);
  if (slab->sole_user.load(std::memory_order_relaxed) != &shard) [[unlikely]]
    return otherwise(shard, slab);
  std::size_t place;
  if (slab->find_beginning(address, place)) [[likely]] {
    BlockRecord& record = slab->record_at(place);
    const std::uint64_t word = record.word.load(std::memory_order_relaxed);
    const Counts& counts = shard.counts;
    const bool may_keep = counts.bytes_limit + static_cast<std::int64_t>(BlockWord::size(word)) <= counts.bytes_limit_cap;
    // The word of a freed block ends here: its place in the chain makes a size that is too large, or it is strange.
    if (BlockWord::size(word) <= slab->size && may_keep) [[likely]] {
      const std::uint32_t strange = BlockWord::strange(word);
      note(record);
      if (strange == 0) [[likely]] {
        put_block(shard, *slab, record, place, word);
        shard.lock.leave(context);
        return true;
      }
      if (shard.label_counts.count_out_at(BlockWord::count_place_of(strange), BlockWord::size(word))) [[likely]] {
        put_block(shard, *slab, record, place, word);
        shard.lock.leave(context);
        return true;
      }
    }
  }
  shard.lock.leave(context);
  return false;
}

// The number of a live block of a context that lies in a slab; 0 where it does not. Nobody frees it meanwhile.
std::uint64_t number_in_slab(cadastre_context context, const void* pointer) noexcept;

// The same pair for a realloc that leaves the block in its place.
bool resize_with_effort(cadastre_context context, void* pointer, std::size_t size) noexcept;

[[gnu::always_inline]] inline bool resize_at_once(cadastre_context context, void* pointer, std::size_t size) noexcept {
  const std::uintptr_t address = address_of(pointer);
  Shard& shard = shard_at_hand(context);
  if (!shard.lock.enter_at_once(context)) [[unlikely]]
    return false;
  Slab* const slab = page_map.slab_at(address);
  std::size_t place;
  if (slab && slab->sole_user.load(std::memory_order_relaxed) == &shard && slab->find_beginning(address, place)) [[likely]] {
    BlockRecord& record = slab->record_at(place);
    const std::uint64_t word = record.word.load(std::memory_order_relaxed);
    const Counts& counts = shard.counts;
    const std::int64_t growth = growth_of(word, size);
    const bool has_headroom =
        counts.allocated_bytes + growth <= counts.bytes_limit && counts.bytes_limit - growth <= counts.bytes_limit_cap;
    if (BlockWord::size(word) <= slab->size && has_headroom && keeps_place(*slab, word, size)) [[likely]] {
      const std::uint32_t strange = BlockWord::strange(word);
      LabelCount* const of_label = strange != 0 ? shard.label_counts.at(BlockWord::count_place_of(strange)) : nullptr;
      if (strange == 0 || of_label) [[likely]] {
        if (of_label) of_label->bytes += growth;
        resize_block(shard, record, word, size);
        clear_growth(address, word, size);
        shard.lock.leave(context);
        return true;
      }
    }
  }
  shard.lock.leave(context);
  return false;
}

// Field by field, since a struct that is made and then copied is written twice.
[[gnu::always_inline]] inline void tell_info(std::uint64_t word, std::uintptr_t begin, cadastre_memory_info_struct& info) noexcept {
  info.size = BlockWord::size(word);
  info.pointer = reinterpret_cast<void*>(begin);
  info.type = CADASTRE_HOST;
  info.device = CADASTRE_DEFAULT_DEVICE;
  info.alignment = BlockWord::alignment(word);
  info.stride = 0;
  info.flags = BlockWord::flags(word);
  info.backend = CADASTRE_BACKEND_HOST;
  info.device_id = no_device_id;
  std::memset(info.reserved, 0, sizeof info.reserved);
  const OriginNumber label = BlockWord::label(word);
  info.label = nullptr;
  if (label != no_origin) info.label = text_of(label);
}

// Finds a live block of a context, by any address in it, or by its first byte; the calling thread is inside a shard of that context.
// slab: that of the page of the address, if any.
template <bool exact>
[[gnu::always_inline]] inline bool find_in_slab(const Slab* slab, cadastre_context context, std::uintptr_t address, std::uint64_t& word,
                                                std::uintptr_t& begin) noexcept {
  if (!slab || slab->context.load(std::memory_order_acquire) != context) return false;
  std::size_t place;
  if (!(exact ? slab->find_beginning(address, place) : slab->find_around(address, place))) return false;
  word = slab->record_at(place).word.load(std::memory_order_acquire);
  if (!BlockWord::is_there(word) || BlockWord::size(word) > slab->size) return false;
  begin = exact ? address : slab->block_at(place);
  return exact || address == begin || address - begin < BlockWord::size(word);
}

// Plans what the heap may serve; false for what takes a locked call. add: adds a label.
template <bool (*add)(const char*, SlabRequest&) noexcept>
[[gnu::always_inline]] inline bool plan_usual(const cadastre_memory_info_struct& info, SlabRequest& planned) noexcept {
  if (!is_usual(info)) [[unlikely]]
    return false;
  if (!plan_in_slab(info.size, info.alignment, info.flags, planned)) [[unlikely]]
    return false;
  return !info.label || add(info.label, planned);
}

// Plans it, and serves it at once; null where that cannot be, and then the class is none of those that there are if it takes a locked call.
// otherwise: as above.
template <bool (*add)(const char*, SlabRequest&) noexcept, class Otherwise>
[[gnu::always_inline]] inline void* malloc_usual(cadastre_context context, const cadastre_memory_info_struct& info, SlabRequest& planned,
                                                 Otherwise otherwise) noexcept {
  if (is_usual(info) && plan_in_slab(info.size, info.alignment, info.flags, planned)) [[likely]] {
    if (!info.label) return malloc_at_once<false>(context, info.size, planned, otherwise);
    if (add(info.label, planned)) [[likely]]
      return malloc_at_once<true>(context, info.size, planned, otherwise);
  }
  planned.size_class = size_classes;
  return nullptr;
}

// Whether a range of bytes that begins in no slab is in no block of any context, alive or freed, and not right behind one; false where
// that would take a locked call to know.
[[gnu::always_inline]] inline bool is_in_no_block(std::uintptr_t address, std::size_t size) noexcept {
  const std::uintptr_t last = address + size - 1;
  if (last < address || size > LooseMap::granule) return false;
  return !page_map.slab_at(last) && !loose_map.may_hold(address) && !loose_map.may_hold(last);
}

// The calling thread's shard of a context, which is entered, as above.
[[gnu::always_inline]] inline Shard* enter_shard(cadastre_context context) noexcept {
  Shard& shard = shard_at_hand(context);
  return shard.lock.enter_at_once(context) ? &shard : enter_known_shard(context);
}

// What the functions of the same names do, at once or not at all. nowhere: there is certainly no block of any context, nor was one; no: it
// takes more to find it, or to know that.
enum class Found : std::uint8_t { no, yes, nowhere };
template <bool exact>
[[gnu::always_inline]] inline Found find_at_once(cadastre_context context, const void* address, cadastre_memory_info_struct* info,
                                                 std::size_t* offset) noexcept {
  Shard& shard = shard_at_hand(context);
  if (!shard.lock.enter_at_once(context)) [[unlikely]]
    return Found::no;
  const Slab* const slab = page_map.slab_at(address_of(address));
  std::uint64_t word;
  std::uintptr_t begin;
  const bool found = find_in_slab<exact>(slab, context, address_of(address), word, begin);
  shard.lock.leave(context);
  if (!found) [[unlikely]]
    return slab || loose_map.may_hold(address_of(address)) ? Found::no : Found::nowhere;
  if (offset) *offset = address_of(address) - begin;
  if (info) tell_info(word, begin, *info);
  return Found::yes;
}

// The same in any shard of the calling thread; whether it was found.
template <bool exact>
bool find_with_effort(cadastre_context context, const void* address, cadastre_memory_info_struct* info, std::size_t* offset) noexcept {
  Shard* const shard = enter_known_shard(context);
  if (!shard) return false;
  const std::uintptr_t at = address_of(address);
  std::uint64_t word;
  std::uintptr_t begin;
  const bool found = find_in_slab<exact>(page_map.slab_at(at), context, at, word, begin);
  shard->lock.leave(context);
  if (!found) return false;
  if (offset) *offset = at - begin;
  if (info) tell_info(word, begin, *info);
  return true;
}

// Whether bytes are all in one live block of a slab, or in no block; the calling thread is inside the shard.
[[gnu::always_inline]] inline bool is_all_there(cadastre_context context, const Shard& shard, const void* first,
                                                std::size_t size) noexcept {
  const std::uintptr_t address = address_of(first);
  const Slab* const slab = page_map.slab_at(address);
  std::uint64_t word;
  std::uintptr_t begin;
  if (find_in_slab<false>(slab, context, address, word, begin)) return size <= BlockWord::size(word) - (address - begin);
  return !slab && shard.heap->rules().copies == HeapRules::Copies::of_plain_memory_too && is_in_no_block(address, size);
}

// is_there: asked of each range. False, and nothing changed, where one is not there, or they overlap.
template <auto is_there>
[[gnu::always_inline]] inline bool copy_where(cadastre_context context, void* to, const void* from, std::size_t size) noexcept {
  const std::uintptr_t there = address_of(to), here = address_of(from);
  if (size == 0 || (there > here ? there - here : here - there) < size) [[unlikely]]
    return false;
  Shard* const shard = enter_shard(context);
  if (!shard) [[unlikely]]
    return false;
  const bool may = shard->heap->rules().copies != HeapRules::Copies::none;
  const bool usual = may && is_there(context, *shard, to, size) && is_there(context, *shard, from, size);
  shard->lock.leave(context);
  if (usual) [[likely]]
    std::memcpy(to, from, size);
  return usual;
}

template <auto is_there>
[[gnu::always_inline]] inline bool set_where(cadastre_context context, void* to, int value, std::size_t size) noexcept {
  if (size == 0) [[unlikely]]
    return false;
  Shard* const shard = enter_shard(context);
  if (!shard) [[unlikely]]
    return false;
  const bool usual = shard->heap->rules().copies != HeapRules::Copies::none && is_there(context, *shard, to, size);
  shard->lock.leave(context);
  if (usual) [[likely]]
    std::memset(to, value, size);
  return usual;
}

[[gnu::always_inline]] inline bool copy_at_once(cadastre_context context, void* to, const void* from, std::size_t size) noexcept {
  return copy_where<is_all_there>(context, to, from, size);
}
[[gnu::always_inline]] inline bool set_at_once(cadastre_context context, void* to, int value, std::size_t size) noexcept {
  return set_where<is_all_there>(context, to, value, size);
}

}  // namespace cadastre::internal
#endif
