// Tangled from org/registry.org; change the chapter, then run: make tangle
#include "registry.hpp"

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
  close_heap();
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
  close_heap();
  return heap_.table().around(kind, address_of(address));
}

std::optional<Damage> Registry::damage_around(const void* address) noexcept {
  if (!page_map.slab_at(address_of(address))) return std::nullopt;
  close_heap();
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
  entry.bury(number_deallocation(record));
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
    if (const std::optional<Record> in_slab = heap->around(address_of(address))) return heap->set_lent(in_slab->address(), part);
  }
  const std::optional<Record> alone = heap_.table().around(Kind::live, address_of(address));
  if (!alone) return;  // a borrowed range that a block has pushed out
  if (Entry* const entry = entry_of(alone->pointer)) Table::set_lent(*entry, part);
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
  if (Entry* const entry = heap_.table().find(record.address())) entry->bury_hidden(Entry::Is::freed, number);
}

void Registry::note_moved(const Record& before) noexcept {
  if (before.how == how_in_slab) return heap_around(before.pointer)->free(before.address(), true);
  if (Entry* const entry = heap_.table().find(before.address())) entry->bury_hidden(Entry::Is::moved, numbers_.deallocation);
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

void Registry::close_heap() const noexcept {
  if (heap_.is_closed()) return;
  heap_.close();
  gather_heap();
  heap_.decay();
}

bool Registry::close_heap_within(std::chrono::nanoseconds most) const noexcept {
  if (heap_.is_closed()) return true;
  if (!heap_.close(std::chrono::steady_clock::now() + most)) return false;
  gather_heap();
  return true;
}

void Registry::close_heap_behind_doors() const noexcept {
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
  if (heap_.is_closed()) return;
  if (heap_.another_has_the_numbers()) {
    close_heap();
    return heap_.share_numbers();
  }
  heap_.gather_own(accounts(CADASTRE_HOST).all.figures);
}

bool Registry::provide_shard(cadastre_context context) noexcept {
  gather_own();
  return heap_.provide_shard(context);
}

Registry::DeskOf Registry::take_desk() const noexcept {
  if (heap_.take_own_desk()) return DeskOf::caller;
  close_heap();
  heap_.take_desks();
  return DeskOf::another;
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
  close_heap();
  void* const pointer = heap_.allocate(size, planned.size_class, planned.traits, context);
  if (!pointer) return nullptr;
  heap_.number_of(address_of(pointer)) = old.serial;
  std::memcpy(pointer, old.pointer, std::min(size, old.size));
  heap_.free(old.address(), true);
  return pointer;
}


void Registry::count_in(const Record& record) noexcept {
  accounts(record.type).each(record.device, [&](Account& account) { account.count_in(record); });
  if (record.borrowed()) return;
  count_label(record, LabelCount::of_one(record.size));
  accounts(record.type).reserved -= record.size;
  shared_.settle(record.type, record.size, 1);
}

void Registry::count_out(const Record& record) noexcept {
  accounts(record.type).each(record.device, [&](Account& account) { account.count_out(record); });
  if (record.borrowed()) return;
  count_label(record, LabelCount::of_one(record.size).negated());
  shared_.discharge(record.type, record.size, 1);
}

void Registry::count_some_label(const Record& record, const LabelCount& count) noexcept {
  if (record.type == CADASTRE_HOST) return heap_.label_counts().add(record.origin, count);
  if (!other_labels_) other_labels_ = make_own<LabelsOfTypes>();
  if (!other_labels_) {
    misses_labels_ = true;
  } else {
    other_labels_->of_type[record.type].add(record.origin, count);
  }
}

void Registry::charge_anew() noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_statistics_struct& figures = account(type).figures;
    shared_.claim_beyond(type, figures.live_bytes + accounts(type).reserved);
    shared_.settle(type, figures.live_bytes, figures.live_blocks);
  }
}

void Registry::discharge_all() noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_statistics_struct& figures = account(type).figures;
    if (figures.live_blocks > 0) shared_.discharge(type, figures.live_bytes, figures.live_blocks);
  }
}

void Registry::count_as_lost(const Record& record) noexcept {
  count_out(record);
  if (record.borrowed()) return;
  accounts(record.type).each(record.device, [](Account& account) { ++account.figures.untracked_deallocations; });
  if (lost_) lost_(record);
}

void Registry::count_plain_free(const Record& block) noexcept {
  gather_own();
  accounts(block.type).each(block.device, [](Account& account) {
    --account.figures.deallocations;
    ++account.figures.untracked_deallocations;
  });
}

std::size_t Registry::live() const noexcept {
  close_heap();
  return heap_.live() + heap_.table().live() + hidden_blocks_;
}

cadastre_registry_info_struct Registry::info() const noexcept {
  close_heap();
  const Table& table = heap_.table();
  const Heap::Slabs slabs = heap_.slabs();
  const std::size_t alone = table.live() + hidden_blocks_;
  return {sizeof(cadastre_registry_info_struct), static_cast<std::int64_t>(slabs.count + alone),
          static_cast<std::int64_t>(slabs.capacity + table.capacity()), static_cast<std::int64_t>(slabs.doublings + table.doublings()),
          static_cast<std::int64_t>(heap_.live() + alone)};
}

std::vector<Record> Registry::largest(std::size_t most) const {
  std::vector<Record> found;
  found.reserve(most + 1);
  const auto comes_first = [](const Record& a, const Record& b) { return a.size != b.size ? a.size > b.size : a.serial < b.serial; };
  const auto offer = [&](const Record& block) {
    if (found.size() == most && !comes_first(block, found.back())) return;
    found.insert(std::upper_bound(found.begin(), found.end(), block, comes_first), block);
    if (found.size() > most) found.pop_back();
  };
  close_heap();
  for_each_alone(offer);
  for (SizeClass number = size_classes; number-- > 0;) {
    if (found.size() == most && found.back().size > size_of_class(number)) break;
    heap_.for_each_live_of_class(number, offer);
  }
  return found;
}

std::vector<Record> Registry::snapshot() const {
  std::vector<Record> live_records;
  live_records.reserve(live());
  for_each([&](const Record& record) { live_records.push_back(record); });
  std::sort(live_records.begin(), live_records.end(), [](const Record& a, const Record& b) { return a.serial < b.serial; });
  return live_records;
}

bool Registry::counts_labels_right() const {
  std::map<std::pair<cadastre_memory_type, OriginNumber>, LabelCount> walked;
  for_each_label_by_walk([&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) { walked[{type, label}].add(count); });
  std::size_t same = 0, all = 0;
  const bool complete = for_each_label([&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) {
    const auto found = walked.find({type, label});
    ++all;
    same += found != walked.end() && found->second == count;
  });
  return !complete || (same == all && all == walked.size());
}

bool Registry::consistent() const {
  close_heap();
  bool good = heap_.check_invariants() && heap_.table().check_invariants();
  std::array<Accounts, memory_types> counted;
  std::size_t blocks = 0, ranges = 0, hidden = 0;
  for_each([&](const Record& record) {
    ++blocks;
    hidden += record.state == State::hidden;
    if (record.borrowed()) {
      ++ranges;
      const Entry* const entry = heap_.table().find_live(record.address());
      good = good && entry && entry->place < ranges_.size() && ranges_[entry->place] == record.address();
    }
    good = good && counted[record.type].open(record.device);
    counted[record.type].each(record.device, [&](Account& account) { account.count_in(record); });
  });
  good = good && blocks == live() && ranges == ranges_.size() && hidden == hidden_blocks_;
  const auto agree = [](const Account& kept, const Account* seen) {
    const cadastre_statistics_struct nothing{};
    const cadastre_statistics_struct &f = kept.figures, &s = seen ? seen->figures : nothing;
    return f.live_blocks == s.live_blocks && f.live_bytes == s.live_bytes && f.borrowed_blocks == s.borrowed_blocks &&
           f.high_water_mark_bytes >= f.live_bytes && f.high_water_mark_blocks >= f.live_blocks &&
           f.allocations == f.deallocations + f.failed_deallocations + f.untracked_deallocations + f.live_blocks;
  };
  for (std::size_t type = 0; type < memory_types; ++type) {
    const SharedBytes& shared = shared_.of(static_cast<cadastre_memory_type>(type));
    const std::size_t live_bytes = accounts_[type].all.figures.live_bytes;
    good = good && agree(accounts_[type].all, &counted[type].all);
    if (shared_.children() == 0) {
      good = good && shared.live() == live_bytes && shared.claimed() == live_bytes + accounts_[type].reserved;
    }
    accounts_[type].for_each_device([&](std::int32_t device, const Account& kept) {
      good = good && agree(kept, counted[type].of(device));
    });
  }
  return good && counts_labels_right();
}

}  // namespace cadastre::internal
