// Tangled from org/registry.org; change the chapter, then run: make tangle
#include "registry.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/calls.hpp"

namespace cadastre::internal {

namespace {

bool room_for_one(std::vector<Number>& numbers) noexcept try {
  if (numbers.size() == numbers.capacity()) numbers.reserve(std::max<std::size_t>(16, 2 * numbers.size()));
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

}  // namespace

bool Registry::has_used_its_heap_only() const noexcept {
  bool has_devices = false;
  for (const Accounts& accounts : accounts_) has_devices |= accounts.has_devices();
  return records_.capacity() == 0 && ranges_.capacity() == 0 && !has_devices;
}

void Registry::renew() noexcept {
  heap_.renew();
  numbers_.serial.store(1, std::memory_order_relaxed);
  numbers_.deallocation.store(1, std::memory_order_relaxed);
  for (Accounts& accounts : accounts_) accounts.renew();
  shared_.renew();
}

bool Registry::reserve(bool borrowed) noexcept {
  if (borrowed && !(borrowed_.reserve(borrowed_.size() + 1) && room_for_one(ranges_))) return false;
  const Number capacity = records_.capacity();
  if (capacity - used_ + vacant_ > reserved_) {
    ++reserved_;
    return true;
  }
  if (capacity >= Records::largest_capacity) return false;
  const std::size_t wanted = std::max<std::size_t>(64, std::size_t{2} * capacity);
  if (!exact_.reserve(wanted) || !owned_.reserve(wanted) || !records_.grow()) return false;
  ++reserved_;
  return true;
}

void Registry::forget_other_threads(const Begun* own) noexcept {
  reserved_ = 0;
  for (Accounts& accounts : accounts_) accounts.reserved = 0;
  for (const Begun* begun = own; begun; begun = begun->before) {
    reserved_ += begun->rooms;
    accounts(begun->type).reserved += begun->bytes;
  }
  for (Number number = 0; number < used_; ++number) {
    if (records_[number].state != State::hidden) continue;
    const Begun* begun = own;
    while (begun && begun->hidden != number) begun = begun->before;
    if (begun) continue;
    if (records_[number].how == how_in_slab) heap_.free(records_[number].address(), true);
    evict(records_[number]);
  }
}

Record& Registry::file(const Record& block) noexcept {
  gather_own();
  if (!block.borrowed()) drop_stale(block);
  displace_alone(block.address());
  --reserved_;
  Number number = number_at(block.address());
  if (number != no_record && records_[number].state == State::freed) {
    unremember(records_[number]);
    levels_of(records_[number]).erase(records_[number]);
  } else {
    if (number != no_record) evict(records_[number]);
    number = take_vacant();
    exact_.insert(block.address(), number);
  }
  Record& record = records_[number];
  record = block;
  record.number = number;
  record.serial = numbers_.serial++;
  record.state = State::live;
  index_level(record);
  if (record.borrowed()) {
    record.older = static_cast<Number>(ranges_.size());
    ranges_.push_back(number);  // room was reserved
  }
  count_in(record);
  join(record);
  return record;
}

Number Registry::number_at(std::uintptr_t address) const noexcept {
  return exact_.find(address, [&](Number number) { return records_[number].address() == address; });
}

Record* Registry::at(const void* pointer, State state) const noexcept {
  const Number number = number_at(address_of(pointer));
  return number != no_record && records_[number].state == state ? &records_[number] : nullptr;
}

Record* Registry::holding(const void* pointer, State state) const noexcept {
  const auto address = address_of(pointer);
  const Number owned = owned_.holding(address, state);
  const Number borrowed = borrowed_.holding(address, state);
  if (owned == no_record) return borrowed == no_record ? nullptr : &records_[borrowed];
  if (borrowed == no_record) return &records_[owned];
  return &records_[records_[borrowed].size < records_[owned].size ? borrowed : owned];
}

namespace {

std::optional<Record> copy_of(const Record* record) noexcept { return record ? std::optional(*record) : std::nullopt; }

// Whether a block is one that has its record in the table.
bool stands_alone(const Record& block) noexcept {
  return block.type == CADASTRE_HOST && block.backend == CADASTRE_BACKEND_HOST && !block.borrowed() &&
         block.device == no_device_id && block.pointer != nullptr;
}

}  // namespace

void Registry::enter(const Record& block) noexcept {
  if (!stands_alone(block) || !enter_alone(block)) file(block);
}

void Registry::remove(const void* pointer) noexcept {
  if (const std::optional<Record> in_slab = in_slab_at(pointer)) {
    count_out(*in_slab);
    ++account(CADASTRE_HOST).figures.deallocations;
    heap_.free(address_of(pointer));
    if (heap_.has_many_empty_slabs()) heap_.trim();
    return;
  }
  Entry* const entry = alone_at(pointer);
  if (!entry) return bury(*find(pointer));
  const Record record = *Table::read(*entry, Kind::live);
  count_out(record);
  ++account(record.type).figures.deallocations;
  Table::bury(*entry, numbers_.deallocation++);
}

std::uint64_t Registry::renumber(const void* last, std::uint64_t least) noexcept {
  const std::optional<Record> in_slab = in_slab_at(last);
  Entry* const entry = alone_at(last);
  const std::uint64_t before = in_slab ? in_slab->serial : entry ? entry->serial.load() : find(last)->serial;
  const std::uint64_t serial = std::max(before, least);
  if (in_slab) {
    heap_.number_of(address_of(last)) = serial;
  } else if (entry) {
    entry->serial = serial;
  } else {
    find(last)->serial = serial;
  }
  numbers_.serial = serial + 1;
  return serial;
}

void Registry::mark_workspace(const void* address, bool part) noexcept {
  if (Heap* const heap = heap_around(address)) {
    if (const std::optional<Record> in_slab = heap->around(address_of(address))) return heap->set_lent(in_slab->address(), part);
  }
  if (const std::optional<Record> alone = heap_.table().around(Kind::live, address_of(address))) {
    return Table::set_lent(*alone_at(alone->pointer), part);
  }
  Record* const found = locate(address);
  if (!found) return;  // a borrowed range that a block has pushed out
  Record& record = *found;
  constexpr auto flag = static_cast<std::uint16_t>(CADASTRE_WORKSPACE_MEMORY);
  record.flags = static_cast<std::uint16_t>(part ? record.flags | flag : record.flags & ~flag);
}

std::optional<Record> Registry::at(const void* pointer) const noexcept {
  if (const std::optional<Record> in_slab = in_slab_at(pointer)) return in_slab;
  if (const Entry* const entry = alone_at(pointer)) return Table::read(*entry, Kind::live);
  return copy_of(find(pointer));
}

// Of two that were freed, one after the other at the same place, the later.
std::optional<Record> Registry::freed_at(const void* pointer) const noexcept {
  if (const Heap* const heap = heap_around(pointer)) {
    const std::optional<Record> in_slab = heap->freed_around(address_of(pointer));
    if (in_slab && in_slab->pointer == pointer) return in_slab;
  }
  const Entry* const entry = pointer ? heap_.table().find(address_of(pointer)) : nullptr;
  const std::optional<Record> alone = entry ? Table::read(*entry, Kind::freed) : std::nullopt;
  const Record* const other = find_freed(pointer);
  return !alone || (other && other->stride_or_freed > alone->stride_or_freed) ? copy_of(other) : alone;
}

std::optional<Record> Registry::around(const void* address) const noexcept { return of_both(Kind::live, address); }

std::optional<Record> Registry::freed_around(const void* address) const noexcept {
  return of_both(Kind::freed, address);
}

std::optional<Damage> Registry::damage_around(const void* address) noexcept {
  if (!page_map.slab_at(address_of(address))) return std::nullopt;
  close_heap();
  return heap_.damage_around(address_of(address));
}

// The innermost answers.
std::optional<Record> Registry::of_both(Kind kind, const void* address) const noexcept {
  if (const Heap* const heap = heap_around(address)) {
    const std::optional<Record> in_slab = kind == Kind::live ? heap->around(address_of(address)) : heap->freed_around(address_of(address));
    if (in_slab) return in_slab;
  }
  const Record* const other = holding(address, kind == Kind::live ? State::live : State::freed);
  std::optional<Record> alone = heap_.table().around(kind, address_of(address));
  if (alone && kind == Kind::live) {
    close_heap();
    alone = heap_.table().around(kind, address_of(address));
  }
  return !alone || (other && other->size < alone->size) ? copy_of(other) : alone;
}

std::optional<Record> Registry::overlapping(const Record& range) const noexcept {
  if (const std::optional<Record> at_first = around(range.pointer)) return at_first;
  if (range.size > 1) {
    const std::optional<Record> at_last = around(static_cast<std::byte*>(range.pointer) + range.size - 1);
    if (at_last) return at_last;
  }
  const Number number = borrowed_.begins_in(range);
  return copy_of(number == no_record ? nullptr : &records_[number]);
}

std::optional<Record> Registry::beginning_inside(const Record& range) const noexcept {
  std::optional<Record> found;
  for_each([&](const Record& record) {
    const std::uintptr_t way = record.address() - range.address();  // wraps where it begins before
    if (record.state == State::live && way > 0 && way < range.size) found = record;
  });
  return found;
}

Record& Registry::hide_block(const void* pointer) noexcept {
  if (const std::optional<Record> in_slab = in_slab_at(pointer)) {
    --reserved_;
    const Number number = take_vacant();
    Record& record = records_[number];
    record = *in_slab;
    record.number = number;
    record.state = State::hidden;
    heap_.set_hidden(address_of(pointer), true);
    return record;
  }
  Entry* const entry = alone_at(pointer);
  --reserved_;
  if (!entry) {
    Record& record = *find(pointer);
    hide(record);
    return record;
  }
  const Number number = take_vacant();
  Record& record = records_[number];
  record = *Table::read(*entry, Kind::live);
  record.number = number;
  record.state = State::hidden;
  Table::forget(*entry);
  return record;
}

void Registry::remove_hidden(Record& hidden) noexcept {
  gather_own();
  count_out(hidden);
  accounts(hidden.type).each(hidden.device, [](Account& account) { ++account.figures.deallocations; });
  hidden.stride_or_freed = numbers_.deallocation++;
  if (is_granted_again(hidden)) return vacate(hidden);
  exact_.insert(hidden.address(), hidden.number);
  if (owned_.at_place_of(hidden) == no_record) owned_.insert(hidden);
  remember(hidden);
}

void Registry::show_block(Record& hidden) noexcept {
  if (hidden.how == how_in_slab) {
    heap_around(hidden.pointer)->set_hidden(hidden.address(), false);
    return vacate(hidden);
  }
  if (stands_alone(hidden) && move_in(hidden)) {
    vacate(hidden);
  } else {
    displace_alone(hidden.address());
    show(hidden);
  }
}

bool Registry::enter_alone(const Record& block) noexcept {
  gather_own();
  Record numbered = block;
  numbered.serial = numbers_.serial;
  numbered.state = State::live;
  if (!move_in(numbered)) return false;
  ++numbers_.serial;
  --reserved_;
  count_in(numbered);
  return true;
}

bool Registry::move_in(const Record& block) noexcept {
  drop_stale(block);
  displace_alone(block.address());
  if (!heap_.table().file(block)) {
    close_heap();
    if (!heap_.table().make_room(1, numbers_.deallocation) || !heap_.table().file(block)) return false;
  }
  const Number other = number_at(block.address());
  if (other != no_record) evict(records_[other]);
  return true;
}

// By the index or by the list of all, whichever is less work.
template <class Action>
bool Registry::for_each_cut(std::uintptr_t address, std::size_t size, Action action) const noexcept {
  const std::uintptr_t last = address + std::max<std::size_t>(size, 1) - 1;
  const auto cut = [&](Number number) {
    const Record& range = records_[number];
    const std::uintptr_t end = range.address() + std::max<std::size_t>(range.size, 1) - 1;
    const bool apart = range.address() > last || end < address, around = range.address() <= address && end >= last;
    return !apart && !around;
  };
  if (ranges_.size() > borrowed_.look_ups(address, last)) {
    return borrowed_.for_each_near(address, last, [&](Number number) { return cut(number) && action(number); });
  }
  for (std::size_t place = 0; place < ranges_.size();) {
    const Number number = ranges_[place];
    if (cut(number) && action(number)) return true;
    if (place < ranges_.size() && ranges_[place] == number) ++place;  // else another has come in its place
  }
  return false;
}

void Registry::drop_stale(const Record& block) noexcept {
  if (borrowed_.size() == 0) return;
  for_each_cut(block.address(), block.size, [&](Number number) {
    evict(records_[number]);
    return false;
  });
}

void Registry::displace_alone(std::uintptr_t address) noexcept {
  if (Entry* const lost = alone_at(reinterpret_cast<void*>(address))) {
    count_as_lost(*Table::read(*lost, Kind::live));
    Table::forget(*lost);
  } else if (Entry* const freed = heap_.table().find(address)) {
    Table::forget(*freed);
  }
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


void Registry::bury(Record& record) noexcept {
  gather_own();
  leave(record);
  count_out(record);
  if (record.borrowed()) {
    unindex(record);
    vacate(record);
    return;
  }
  accounts(record.type).each(record.device, [](Account& account) { ++account.figures.deallocations; });
  record.stride_or_freed = numbers_.deallocation++;
  remember(record);
}

// Whether the address of a block that was hidden is another's meanwhile. What was freed there before that block came gives way.
bool Registry::is_granted_again(const Record& hidden) noexcept {
  const Number number = number_at(hidden.address());
  const bool is_older = number != no_record && records_[number].state == State::freed && records_[number].serial < hidden.serial;
  if (is_older) evict(records_[number]);
  return (number != no_record && !is_older) || table_knows(hidden.address());
}

void Registry::file_moved(const Record& before) noexcept {
  --reserved_;
  if (before.how == how_in_slab) return heap_around(before.pointer)->free(before.address(), true);
  if (is_granted_again(before)) return;
  const Number number = take_vacant();
  Record& record = records_[number];
  record = before;
  record.number = number;
  record.stride_or_freed = 0;
  exact_.insert(record.address(), number);
  if (owned_.at_place_of(record) == no_record) owned_.insert(record);
  remember(record);
}

void Registry::free_failed(const Record& record) noexcept {
  accounts(record.type).each(record.device, [](Account& account) {
    --account.figures.deallocations;
    ++account.figures.failed_deallocations;
  });
}

void Registry::hide(Record& record) noexcept {
  leave(record);
  record.state = State::hidden;
  unindex(record);
}

void Registry::show(Record& record) noexcept {
  drop_stale(record);
  record.state = State::live;
  const Number other = number_at(record.address());
  if (other != no_record) evict(records_[other]);
  exact_.insert(record.address(), record.number);
  index_level(record);
  join(record);
}

// Who opens the heap at the end of the visit tells the shards.
void Registry::join(const Record& record) noexcept { strangers_ += may_be_the_c_librarys(record); }

void Registry::leave(const Record& record) noexcept { strangers_ -= may_be_the_c_librarys(record); }

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
  record.size = size;
}

void Registry::index_level(const Record& record) noexcept {
  loose_map.note(record.address(), record.size);
  LevelIndex& levels = levels_of(record);
  const Number other = levels.at_place_of(record);
  if (other != no_record) {
    if (records_[other].state == State::live) {
      evict(records_[other]);
    } else {
      levels.erase(records_[other]);
    }
  }
  levels.insert(record);
}

void Registry::unindex(const Record& record) noexcept {
  exact_.erase(record.address(), record.number);
  levels_of(record).erase(record);
  if (!record.borrowed()) return;
  const Number last = ranges_.back();
  records_[last].older = record.older;
  ranges_[record.older] = last;
  ranges_.pop_back();
}

void Registry::evict(Record& record) noexcept {
  if (record.state == State::freed) {
    unremember(record);
  } else {
    if (record.state == State::live) leave(record);
    count_as_lost(record);
  }
  unindex(record);
  vacate(record);
}

void Registry::remember(Record& record) noexcept {
  record.state = State::freed;
  record.older = newest_freed_;
  record.newer = no_record;
  (newest_freed_ == no_record ? oldest_freed_ : records_[newest_freed_].newer) = record.number;
  newest_freed_ = record.number;
  if (++freed_ > remembered) evict(records_[oldest_freed_]);
}

void Registry::unremember(Record& record) noexcept {
  (record.older == no_record ? oldest_freed_ : records_[record.older].newer) = record.newer;
  (record.newer == no_record ? newest_freed_ : records_[record.newer].older) = record.older;
  --freed_;
}

void Registry::vacate(Record& record) noexcept {
  record.state = State::vacant;
  record.newer = first_vacant_;
  first_vacant_ = record.number;
  ++vacant_;
}

Number Registry::take_vacant() noexcept {
  if (first_vacant_ == no_record) return used_++;
  const Number number = first_vacant_;
  first_vacant_ = records_[number].newer;
  --vacant_;
  return number;
}

void Registry::count_in(const Record& record) noexcept {
  accounts(record.type).each(record.device, [&](Account& account) { account.count_in(record); });
  if (record.borrowed()) return;
  accounts(record.type).reserved -= record.size;
  shared_.settle(record.type, record.size, 1);
}

void Registry::count_out(const Record& record) noexcept {
  accounts(record.type).each(record.device, [&](Account& account) { account.count_out(record); });
  if (!record.borrowed()) shared_.discharge(record.type, record.size, 1);
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

std::size_t Registry::live() const noexcept {
  close_heap();
  return heap_.live() + heap_.table().live() + used_ - vacant_ - freed_;
}

cadastre_registry_info_struct Registry::info() const noexcept {
  close_heap();
  const Table& table = heap_.table();
  const Heap::Slabs slabs = heap_.slabs();
  const std::size_t in_no_slab = table.live() + used_ - vacant_ - freed_;
  return {sizeof(cadastre_registry_info_struct), static_cast<std::int64_t>(slabs.count + in_no_slab),
          static_cast<std::int64_t>(slabs.capacity + table.capacity() + records_.capacity()),
          static_cast<std::int64_t>(slabs.doublings + table.doublings() + records_.doublings()),
          static_cast<std::int64_t>(heap_.live() + in_no_slab)};
}

std::size_t Registry::longest_probe() const noexcept {
  return std::max({exact_.longest_probe(), owned_.longest_probe(), heap_.table().longest_probe()});
}

std::vector<Record> Registry::snapshot() const {
  std::vector<Record> live_records;
  live_records.reserve(live());
  for_each([&](const Record& record) { live_records.push_back(record); });
  std::sort(live_records.begin(), live_records.end(), [](const Record& a, const Record& b) { return a.serial < b.serial; });
  return live_records;
}

bool Registry::consistent() const {
  std::array<Accounts, memory_types> counted;
  Number live_records = 0, freed_records = 0, vacant_records = 0, strangers = 0;
  for (Number number = 0; number < used_; ++number) {
    const Record& record = records_[number];
    if (record.number != number) return false;
    live_records += record.state == State::live || record.state == State::hidden;
    freed_records += record.state == State::freed;
    vacant_records += record.state == State::vacant;
    if (record.state == State::vacant || record.state == State::hidden) continue;
    if (number_at(record.address()) != number) return false;
    if (record.state != State::live) continue;
    strangers += may_be_the_c_librarys(record);
    if (record.borrowed() && ranges_[record.older] != number) return false;
    if (levels_of(record).at_place_of(record) != number) return false;
    if (!counted[record.type].open(record.device)) return false;
    counted[record.type].each(record.device, [&](Account& account) { account.count_in(record); });
  }
  close_heap();
  bool heap_good = heap_.check_invariants() && strangers == strangers_;
  std::size_t in_heap = heap_.live();
  heap_.for_each_live([&](const Record& record) { counted[CADASTRE_HOST].all.count_in(record); });
  for_each_alone([&](const Record& record) {
    ++in_heap;
    heap_good = heap_good && !find(record.pointer);
    counted[CADASTRE_HOST].all.count_in(record);
  });
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
    bool good = agree(accounts_[type].all, &counted[type].all);
    if (shared_.children() == 0) {
      good = good && shared.live() == live_bytes && shared.claimed() == live_bytes + accounts_[type].reserved;
    }
    accounts_[type].for_each_device([&](std::int32_t device, const Account& kept) {
      good = good && agree(kept, counted[type].of(device));
    });
    if (!good) return false;
  }
  Number in_list = 0;
  for (Number number = oldest_freed_; number != no_record; number = records_[number].newer) ++in_list;
  return heap_good && live_records + in_heap == live() && freed_records == freed_ && vacant_records == vacant_ && in_list == freed_ &&
         freed_ <= remembered && ranges_.size() == borrowed_.size() && exact_.size() == live_records + freed_records &&
         used_ <= records_.capacity();
}

}  // namespace cadastre::internal
