// Tangled from org/registry/heap.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <utility>

#include "core/calls.hpp"
#include "registry/registry.hpp"

namespace cadastre::internal {

void Registry::lock_heap() const noexcept {
  if (heap_.is_locked()) return;
  heap_.lock();
  gather_heap();
}

bool Registry::lock_heap_within(std::chrono::nanoseconds most) const noexcept {
  if (heap_.is_locked()) return true;
  if (!heap_.lock(std::chrono::steady_clock::now() + most)) return false;
  gather_heap();
  return true;
}

void Registry::lock_heap_behind_shard_locks() const noexcept {
  heap_.await_others();
  gather_heap();
}

void Registry::gather_heap() const noexcept {
  cadastre_statistics_struct& figures = accounts_[CADASTRE_HOST].all.figures;
  heap_.gather(figures);
  figures.high_water_mark_bytes = std::max(figures.high_water_mark_bytes, figures.live_bytes);
  figures.high_water_mark_blocks = std::max(figures.high_water_mark_blocks, figures.live_blocks);
}

void Registry::gather_own() noexcept {
  if (heap_.is_locked()) return;
  if (heap_.another_has_the_numbers()) {
    lock_heap();
    return heap_.share_numbers();
  }
  heap_.gather_own(accounts(CADASTRE_HOST).all.figures);
}

bool Registry::provide_shard(cadastre_context context) noexcept {
  gather_own();
  return heap_.provide_shard(context);
}

Registry::TakenFrom Registry::take_workspace() const noexcept {
  if (heap_.take_own_workspace()) return TakenFrom::caller;
  lock_heap();
  heap_.take_workspaces();
  return TakenFrom::another;
}

Registry::TakenFrom Registry::take_cache() noexcept {
  if (heap_.take_own_cache()) return TakenFrom::caller;
  lock_heap();
  heap_.take_caches();
  return TakenFrom::another;
}

void* Registry::allocate_in_slab(const cadastre_memory_info_struct& info, OriginNumber origin, cadastre_context context) noexcept {
  SlabRequest planned;
  if (!plan_in_slab(info.size, info.alignment, info.flags & CADASTRE_UNINITIALIZED, planned)) return nullptr;
  if (origin != no_origin && !add_label(origin, planned)) return nullptr;
  gather_own();
  void* const pointer = heap_.allocate(info.size, planned.size_class, planned.traits, context);
  if (!pointer) return nullptr;
  Record counted;
  counted.type = CADASTRE_HOST;
  counted.device = no_device_id;
  counted.size = info.size;
  counted.origin = origin;
  counted.flags = static_cast<std::uint16_t>(info.flags);
  count_in(counted);
  return pointer;
}

void* Registry::move_in_slab(const Record& old, std::size_t size, cadastre_context context) noexcept {
  SlabRequest planned;
  if (!plan_in_slab(size, old.alignment(), old.flags & CADASTRE_UNINITIALIZED, planned)) return nullptr;
  if (old.origin != no_origin) add_label(old.origin, planned);
  lock_heap();
  void* const pointer = heap_.allocate(size, planned.size_class, planned.traits, context);
  if (!pointer) return nullptr;
  heap_.number_of(address_of(pointer)) = old.serial;
  std::memcpy(pointer, old.pointer, std::min(size, old.size));
  heap_.free(old.address(), true);
  return pointer;
}

void Registry::list(Hidden& hidden) noexcept {
  hidden.record.state = State::hidden;
  hidden.is_listed = true;
  hidden.previous = nullptr;
  hidden.next = std::exchange(hidden_, &hidden);
  if (hidden.next) hidden.next->previous = &hidden;
  ++hidden_blocks_;
}

// False where it was taken out before: in the child of a fork, as that of another thread.
bool Registry::unlist(Hidden& hidden) noexcept {
  if (!std::exchange(hidden.is_listed, false)) return false;
  (hidden.previous ? hidden.previous->next : hidden_) = hidden.next;
  if (hidden.next) hidden.next->previous = hidden.previous;
  --hidden_blocks_;
  return true;
}

void Registry::hide(const void* pointer, Hidden& hidden) noexcept {
  if (const std::optional<Record> in_slab = in_slab_at(pointer)) {
    hidden.record = *in_slab;
    heap_.set_hidden(address_of(pointer), true);
  } else {
    Entry& entry = *entry_of(pointer);
    hidden.record = *Table::read(entry, Kind::live);
    entry.set(Entry::Is::hidden);
  }
  list(hidden);
}

void Registry::show(Hidden& hidden) noexcept {
  if (!unlist(hidden)) return cancel();
  hidden.record.state = State::live;
  if (hidden.record.how == how_in_slab) {
    heap_around(hidden.record.pointer)->set_hidden(hidden.record.address(), false);
    return cancel();
  }
  file_in_room(hidden.record);
}

// Its entry is there, unless another block has taken it and has gone.
void Registry::show_where_it_was(Hidden& hidden) noexcept {
  if (reserve()) return show(hidden);
  if (!unlist(hidden)) return;
  hidden.record.state = State::live;
  make_way(hidden.record);
  if (!heap_.table().file(hidden.record)) count_as_lost(hidden.record);
}

void Registry::remove_hidden(Hidden& hidden) noexcept {
  if (!unlist(hidden)) return;
  gather_own();
  const Record& record = hidden.record;
  count_out(record);
  const std::uint64_t number = number_deallocation(record);
  if (Entry* const entry = heap_.table().find(record.address())) entry->mark_hidden_freed(Entry::Is::freed, number);
}

void Registry::note_moved(const Record& before) noexcept {
  if (before.how == how_in_slab) return heap_around(before.pointer)->free(before.address(), true);
  if (Entry* const entry = heap_.table().find(before.address())) entry->mark_hidden_freed(Entry::Is::moved, numbers_.deallocation);
}

void Registry::resize(Record& record, std::size_t size) noexcept {
  gather_own();
  const std::size_t growth = size > record.size ? size - record.size : 0;
  accounts(record.type).reserved -= growth;
  if (growth > 0) {
    shared_.settle(record.type, growth, 0);
  } else {
    shared_.discharge(record.type, record.size - size, 0);
  }
  accounts(record.type).each(record.device, [&](Account& account) {
    ++account.figures.reallocations;
    if (growth > 0) {
      account.grow(growth, !(record.flags & CADASTRE_UNINITIALIZED));
    } else {
      account.figures.live_bytes -= record.size - size;
    }
  });
  count_label(record, {.bytes = static_cast<std::int64_t>(size - record.size)});
  record.size = size;
}

}  // namespace cadastre::internal
