// Tangled from org/core/calls.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/calls.hpp"

#include <utility>

#include "base/checkers.hpp"

namespace cadastre::internal {

Shard* find_known_shard(cadastre_context context) noexcept {
  Shard*& at_hand = shards_of_thread.at[static_cast<std::uint64_t>(context) % shards_at_hand];
  if (locks_of_thread != 0 || !at_hand->lock.is_left()) return nullptr;  // a handler of signals; the table may be changing
  Thread* const thread = Thread::self_if_known();
  Shard* const shard = thread ? thread->shard_of(context) : nullptr;
  if (shard) at_hand = shard;
  return shard;
}

namespace {

// What arenas keep goes back to the system outside, since that may take its time.
void leave_and_decay(Shard& shard, cadastre_context context) noexcept {
  const bool due = std::exchange(shard.decay_is_due, false);
  shard.lock.leave(context);
  if (due) [[unlikely]]
    Arena::decay(page_time());
}

}  // namespace

// What is done inside may need locks, which a handler of signals must not take.
Shard* enter_known_shard(cadastre_context context) noexcept {
  Shard* const shard = find_known_shard(context);
  return shard && shard->lock.enter(context) ? shard : nullptr;
}

void* malloc_with_effort(cadastre_context context, std::size_t size, SlabRequest planned) noexcept {
  Shard* const shard = enter_known_shard(context);
  if (!shard) return nullptr;
  Slab* slab = nullptr;
  const Room room = make_room(*shard, size, planned.size_class, context, slab);
  if (room != Room::found) {
    leave_and_decay(*shard, context);
    return nullptr;
  }
  unpoison(pointer_to(slab->block_at(slab->first_free)), slab->size);  // who clears it may write behind its end
  void* const block = take_block(*shard, *slab, size, planned.traits, nullptr);
  if (block) {
    show_block(*slab, address_of(block), size, planned.traits);
    shard->count_label(BlockWord::label(planned.traits), LabelCount::of_one(size));
  }
  leave_and_decay(*shard, context);
  return block;
}

bool free_shared_at_once(Shard& shard, Slab& slab, cadastre_context context, std::uintptr_t address) noexcept {
  if (slab.context.load(std::memory_order_acquire) != context || !slab.shared.load(std::memory_order_relaxed)) return false;
  std::size_t at;
  if (!slab.find_beginning(address, at)) return false;
  const auto place = static_cast<BlockPlace>(at);
  BlockRecord& record = slab.record_at(place);
  const Counts& counts = shard.counts;
  std::uint64_t word = record.word.load(std::memory_order_relaxed);
  const std::size_t size = BlockWord::size(word);
  const bool may_keep = counts.bytes_limit + static_cast<std::int64_t>(size) <= counts.bytes_limit_cap;
  if (!may_keep || !slab.is_sound_live(word) || slab.damaged.load(std::memory_order_relaxed)) return false;
  const std::uint32_t label = BlockWord::strange(word);
  if (label != 0 && !shard.label_counts.at(BlockWord::count_place_of(label))) return false;
  if (!record.word.compare_exchange_strong(word, word_of_just_freed(word), std::memory_order_acq_rel, std::memory_order_relaxed))
    return false;
  if (label != 0) shard.label_counts.count_out_at(BlockWord::count_place_of(label), size);
  put_or_hand_over(shard, slab, record, place, word);
  return true;
}

Freed free_with_effort(cadastre_context context, void* pointer) noexcept {
  const std::uintptr_t address = address_of(pointer);
  Shard* const shard = enter_known_shard(context);
  Slab* const slab = page_map.slab_at(address);
  const bool ours = slab && slab->context.load(std::memory_order_acquire) == context;
  if (!shard) return ours ? Freed::not_shared : Freed::unknown;
  const Freed freed = ours ? free_any(*shard, *slab, address) : Freed::unknown;
  leave_and_decay(*shard, context);
  return freed;
}

std::uint64_t number_in_slab(cadastre_context context, const void* pointer) noexcept {
  const Slab* const slab = page_map.slab_at(address_of(pointer));
  std::size_t place;
  if (!slab || slab->context.load(std::memory_order_acquire) != context || !slab->find_beginning(address_of(pointer), place)) return 0;
  const BlockRecord& record = slab->record_at(place);
  return BlockWord::is_there(record.word.load(std::memory_order_acquire)) ? record.number : 0;
}

bool resize_with_effort(cadastre_context context, void* pointer, std::size_t size) noexcept {
  Shard* const shard = enter_known_shard(context);
  if (!shard) return false;
  const std::uintptr_t address = address_of(pointer);
  Slab* const slab = page_map.slab_at(address);
  std::uint64_t word = 0;
  const bool resized = slab && resize_any(*shard, *slab, address, size, word);
  if (resized) clear_growth(address, word, size);
  shard->lock.leave(context);
  return resized;
}

}  // namespace cadastre::internal
