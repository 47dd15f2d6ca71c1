// Tangled from org/registry/registry.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "registry/registry.hpp"

#include <algorithm>

#include "core/page_map.hpp"

namespace cadastre::internal {

bool Registry::has_used_its_heap_only() const noexcept {
  return hidden_.count() == 0 && !borrowed_.were_any() && !accounts_.has_counted_beside_the_heap();
}

void Registry::renew() noexcept {
  heap_.renew();
  numbers_.serial.store(1, std::memory_order_relaxed);
  numbers_.deallocation.store(1, std::memory_order_relaxed);
  accounts_.renew();
}

bool Registry::reserve(bool borrowed) noexcept {
  if (borrowed && !borrowed_.reserve_one()) return false;
  Table& table = heap_.table();
  if (table.reserve()) return true;
  heap_.lock();
  return table.make_room(1, numbers_.deallocation) && table.reserve();
}

void Registry::forget_other_threads(const Begun* own) noexcept {
  std::size_t rooms = 0;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) accounts_.of(type).reserved = 0;
  for (const Begun* begun = own; begun; begun = begun->before) {
    rooms += begun->rooms;
    accounts_.of(begun->type).reserved += begun->bytes;
  }
  heap_.table().forget_other_threads(rooms);
  hidden_.for_each([&](Hidden& hidden) {
    const Begun* begun = own;
    while (begun && begun->hidden != &hidden) begun = begun->before;
    if (begun) return;
    hidden_.unlist(hidden);
    if (hidden.record.how == how_in_slab) heap_.free(hidden.record.address(), true);
    lose(hidden.record);
  });
}

void Registry::enter(const Record& block) noexcept {
  heap_.gather_own();
  Record numbered = block;
  numbered.serial = numbers_.serial++;
  numbered.state = State::live;
  file_in_room(numbered);
  if (numbered.borrowed()) borrowed_.note(numbered);
  accounts_.count_in(numbered);
}

void Registry::file_in_room(const Record& block) noexcept {
  do make_way(block);
  while (!heap_.table().file_in_room(block));
}

void Registry::make_way(const Record& block) noexcept {
  if (!block.borrowed()) {
    borrowed_.for_each_cut(block.address(), block.size, [&](Entry& entry) { lose(entry); });
    while (const Entry* const other = heap_.table().overlapping(block)) {
      if (Entry* const lost = entry_of(reinterpret_cast<void*>(other->base.load()))) lose(*lost);
    }
  }
  if (Entry* const other = entry_of(block.pointer)) lose(*other);
}

void Registry::lose(Entry& entry) noexcept {
  const Record record = *Table::read(entry, Kind::live);
  lose(record);
  if (record.borrowed()) return borrowed_.forget(entry);
  entry.set(Entry::Is::gone);
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
  heap_.lock();
  return heap_.table().around(kind, address_of(address));
}

std::optional<Damage> Registry::damage_around(const void* address) noexcept {
  if (!page_map.slab_at(address_of(address))) return std::nullopt;
  heap_.lock();
  return heap_.damage_around(address_of(address));
}

std::optional<Record> overlapping(const Registry& registry, const Record& range) noexcept {
  if (const std::optional<Record> at_first = registry.around(range.pointer)) return at_first;
  return range.size > 1 ? registry.around(static_cast<std::byte*>(range.pointer) + range.size - 1) : std::nullopt;
}

std::optional<Record> beginning_inside(const Registry& registry, const Record& range) noexcept {
  std::optional<Record> found;
  registry.for_each([&](const Record& record) {
    const std::uintptr_t way = record.address() - range.address();  // wraps where it begins before
    if (record.state == State::live && way > 0 && way < range.size) found = record;
  });
  return found;
}

void Registry::remove(const void* pointer) noexcept {
  if (const std::optional<Record> in_slab = in_slab_at(pointer)) {
    accounts_.count_out(*in_slab);
    ++account(CADASTRE_HOST).figures.deallocations;
    heap_.free(address_of(pointer));
    if (heap_.has_many_empty_slabs()) heap_.trim();
    return;
  }
  heap_.gather_own();
  Entry& entry = *entry_of(pointer);
  const Record record = *Table::read(entry, Kind::live);
  accounts_.count_out(record);
  if (record.borrowed()) return borrowed_.forget(entry);
  entry.mark_freed(number_deallocation(record));
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
