// Tangled from org/registry/moving.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "registry/registry.hpp"

namespace cadastre::internal {

void Registry::hide(const void* pointer, Hidden& hidden) noexcept {
  if (const std::optional<Record> in_slab = in_slab_at(pointer)) {
    hidden.record = *in_slab;
    heap_.set_hidden(address_of(pointer), true);
  } else {
    Entry& entry = *entry_of(pointer);
    hidden.record = *Table::read(entry, Kind::live);
    entry.set(Entry::Is::hidden);
  }
  hidden_.list(hidden);
}

void Registry::show(Hidden& hidden) noexcept {
  if (!hidden_.unlist(hidden)) return cancel();
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
  if (!hidden_.unlist(hidden)) return;
  hidden.record.state = State::live;
  make_way(hidden.record);
  if (!heap_.table().file(hidden.record)) lose(hidden.record);
}

void Registry::remove_hidden(Hidden& hidden) noexcept {
  if (!hidden_.unlist(hidden)) return;
  heap_.gather_own();
  const Record& record = hidden.record;
  accounts_.count_out(record);
  const std::uint64_t number = number_deallocation(record);
  if (Entry* const entry = heap_.table().find(record.address())) entry->mark_hidden_freed(Entry::Is::freed, number);
}

void Registry::note_moved(const Record& before) noexcept {
  if (before.how == how_in_slab) return heap_around(before.pointer)->free(before.address(), true);
  if (Entry* const entry = heap_.table().find(before.address())) entry->mark_hidden_freed(Entry::Is::moved, numbers_.deallocation);
}

void Registry::resize(Record& record, std::size_t size) noexcept {
  heap_.gather_own();
  accounts_.count_resize(record, size);
  record.size = size;
}

}  // namespace cadastre::internal
