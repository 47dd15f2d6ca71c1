// Tangled from org/registry/registry.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "registry/registry.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <utility>

#include "core/calls.hpp"

namespace cadastre::internal {

bool Registry::has_used_its_heap_only() const noexcept {
  bool any_other = hidden_ != nullptr || ranges_.capacity() > 0;
  for (const Accounts& accounts : accounts_) {
    any_other |= accounts.has_devices();
    if (&accounts != &accounts_[CADASTRE_HOST]) any_other |= accounts.all.has_counted();
  }
  return !any_other;
}

void Registry::renew() noexcept {
  heap_.renew();
  numbers_.serial.store(1, std::memory_order_relaxed);
  numbers_.deallocation.store(1, std::memory_order_relaxed);
  for (Accounts& accounts : accounts_) accounts.renew();
  shared_.renew();
  misses_labels_ = false;
}

bool Registry::reserve(bool borrowed) noexcept {
  if (borrowed && !ranges_.reserve_one()) return false;
  Table& table = heap_.table();
  if (table.reserve()) return true;
  lock_heap();
  return table.make_room(1, numbers_.deallocation) && table.reserve();
}

void Registry::forget_other_threads(const Begun* own) noexcept {
  std::size_t rooms = 0;
  for (Accounts& accounts : accounts_) accounts.reserved = 0;
  for (const Begun* begun = own; begun; begun = begun->before) {
    rooms += begun->rooms;
    accounts(begun->type).reserved += begun->bytes;
  }
  heap_.table().forget_other_threads(rooms);
  for (Hidden *hidden = hidden_, *next = nullptr; hidden; hidden = next) {
    next = hidden->next;
    const Begun* begun = own;
    while (begun && begun->hidden != hidden) begun = begun->before;
    if (begun) continue;
    unlist(*hidden);
    if (hidden->record.how == how_in_slab) heap_.free(hidden->record.address(), true);
    count_as_lost(hidden->record);
  }
}

void Registry::enter(const Record& block) noexcept {
  gather_own();
  Record numbered = block;
  numbered.serial = numbers_.serial++;
  numbered.state = State::live;
  file_in_room(numbered);
  if (numbered.borrowed()) note_range(numbered);
  count_in(numbered);
}

void Registry::file_in_room(const Record& block) noexcept {
  do make_way(block);
  while (!heap_.table().file_in_room(block));
}

void Registry::make_way(const Record& block) noexcept {
  if (!block.borrowed()) {
    drop_stale(block);
    while (const Entry* const other = heap_.table().overlapping(block)) {
      if (Entry* const lost = entry_of(reinterpret_cast<void*>(other->base.load()))) lose(*lost);
    }
  }
  if (Entry* const other = entry_of(block.pointer)) lose(*other);
}

void Registry::lose(Entry& entry) noexcept {
  const Record record = *Table::read(entry, Kind::live);
  count_as_lost(record);
  if (record.borrowed()) return forget_range(entry);
  entry.set(Entry::Is::gone);
}

// Room was reserved.
void Registry::note_range(const Record& range) noexcept {
  heap_.table().find(range.address())->place = static_cast<std::uint32_t>(ranges_.size());
  ranges_.push_back(range.address());
}

void Registry::forget_range(Entry& range) noexcept {
  heap_.table().find(ranges_[ranges_.size() - 1])->place = range.place;
  ranges_.remove_at(range.place);
  range.set(Entry::Is::gone);
}

// By their granules or by the list of all, whichever is less work.
template <class Action>
void Registry::for_each_cut(std::uintptr_t address, std::size_t size, Action action) const noexcept {
  const Table& table = heap_.table();
  const std::uintptr_t last = address + std::max<std::size_t>(size, 1) - 1;
  const auto look_at = [&](Entry& entry) {
    const std::optional<Record> range = Table::read(entry, Kind::live);
    if (!range || !range->borrowed()) return;
    const std::uintptr_t first = range->address(), end = first + std::max<std::size_t>(range->size, 1) - 1;
    const bool apart = first > last || end < address, around = first <= address && end >= last;
    if (!apart && !around) action(entry);
  };
  if (ranges_.size() > table.granules_near(address, last)) {
    table.for_each_near(address, last, look_at);
    return;
  }
  for (std::size_t place = ranges_.size(); place-- > 0;) look_at(*table.find(ranges_[place]));  // what goes gives its place to one behind it
}

void Registry::drop_stale(const Record& block) noexcept {
  if (ranges_.empty()) return;
  for_each_cut(block.address(), block.size, [&](Entry& entry) { lose(entry); });
}

std::optional<Record> Registry::at(const void* pointer) const noexcept {
  if (const std::optional<Record> in_slab = in_slab_at(pointer)) return in_slab;
  const Entry* const entry = entry_of(pointer);
  return entry ? Table::read(*entry, Kind::live) : std::nullopt;
}

std::optional<Record> Registry::freed_at(const void* pointer) const noexcept {
  if (const Heap* const heap = heap_around(pointer)) {
    const std::optional<Record> in_slab = heap->freed_around(address_of(pointer));
    if (in_slab && in_slab->pointer == pointer) return in_slab;
  }
  const Entry* const entry = pointer ? heap_.table().find(address_of(pointer)) : nullptr;
  return entry ? Table::read(*entry, Kind::freed) : std::nullopt;
}

std::optional<Record> Registry::around(const void* address) const noexcept { return of_any(Kind::live, address); }

std::optional<Record> Registry::freed_around(const void* address) const noexcept { return of_any(Kind::freed, address); }

std::optional<Record> Registry::of_any(Kind kind, const void* address) const noexcept {
  if (const Heap* const heap = heap_around(address)) {
    const std::optional<Record> in_slab = kind == Kind::live ? heap->around(address_of(address)) : heap->freed_around(address_of(address));
    if (in_slab) return in_slab;
  }
  const std::optional<Record> alone = heap_.table().around(kind, address_of(address));
  if (!alone || kind == Kind::freed || !alone->is_plain_host()) return alone;
  lock_heap();
  return heap_.table().around(kind, address_of(address));
}

std::optional<Damage> Registry::damage_around(const void* address) noexcept {
  if (!page_map.slab_at(address_of(address))) return std::nullopt;
  lock_heap();
  return heap_.damage_around(address_of(address));
}

std::optional<Record> Registry::overlapping(const Record& range) const noexcept {
  if (const std::optional<Record> at_first = around(range.pointer)) return at_first;
  return range.size > 1 ? around(static_cast<std::byte*>(range.pointer) + range.size - 1) : std::nullopt;
}

std::optional<Record> Registry::beginning_inside(const Record& range) const noexcept {
  std::optional<Record> found;
  for_each([&](const Record& record) {
    const std::uintptr_t way = record.address() - range.address();  // wraps where it begins before
    if (record.state == State::live && way > 0 && way < range.size) found = record;
  });
  return found;
}

void Registry::remove(const void* pointer) noexcept {
  if (const std::optional<Record> in_slab = in_slab_at(pointer)) {
    count_out(*in_slab);
    ++account(CADASTRE_HOST).figures.deallocations;
    heap_.free(address_of(pointer));
    if (heap_.has_many_empty_slabs()) heap_.trim();
    return;
  }
  gather_own();
  Entry& entry = *entry_of(pointer);
  const Record record = *Table::read(entry, Kind::live);
  count_out(record);
  if (record.borrowed()) return forget_range(entry);
  entry.mark_freed(number_deallocation(record));
}

// Counts one and numbers it.
std::uint64_t Registry::number_deallocation(const Record& record) noexcept {
  accounts(record.type).each(record.device, [](Account& account) { ++account.figures.deallocations; });
  return numbers_.deallocation++;
}

void Registry::free_failed(const Record& record) noexcept {
  accounts(record.type).each(record.device, [](Account& account) {
    --account.figures.deallocations;
    ++account.figures.failed_deallocations;
  });
}

std::uint64_t Registry::renumber(const void* last, std::uint64_t least) noexcept {
  const std::optional<Record> in_slab = in_slab_at(last);
  Entry* const entry = in_slab ? nullptr : entry_of(last);
  const std::uint64_t serial = std::max(in_slab ? in_slab->serial : entry->serial.load(), least);
  if (in_slab) {
    heap_.number_of(address_of(last)) = serial;
  } else {
    entry->serial = serial;
  }
  numbers_.serial = serial + 1;
  return serial;
}

void Registry::mark_workspace(const void* address, bool part) noexcept {
  if (Heap* const heap = heap_around(address)) {
    if (const std::optional<Record> in_slab = heap->around(address_of(address))) return heap->set_leased(in_slab->address(), part);
  }
  const std::optional<Record> alone = heap_.table().around(Kind::live, address_of(address));
  if (!alone) return;  // a borrowed range that a block has pushed out
  if (Entry* const entry = entry_of(alone->pointer)) Table::set_leased(*entry, part);
}

}  // namespace cadastre::internal
