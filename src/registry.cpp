// Tangled from org/registry.org; change the chapter, then run: make tangle
#include "registry.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace cadastre::internal {

Records::~Records() {
  for (unsigned segment = 0; segment < segments_; ++segment) {
    ::operator delete(segment_[segment], std::align_val_t{64});
  }
}

bool Records::grow() noexcept {
  const std::size_t added = std::max(capacity(), first_segment);
  void* const room = ::operator new(added * sizeof(Record), std::align_val_t{64}, std::nothrow);
  if (!room) return false;
  segment_[segments_++] = static_cast<Record*>(room);
  return true;
}

Index::~Index() = default;

bool Index::reserve(std::size_t entries) noexcept {
  const std::size_t slots = std::bit_ceil(std::max<std::size_t>(2 * entries, 16));
  if (slots <= mask_ + 1 && mask_ != 0) return true;
  std::unique_ptr<Entry[]> fresh(new (std::nothrow) Entry[slots]);
  if (!fresh) return false;
  std::fill_n(fresh.get(), slots, Entry{0, no_record});
  const std::unique_ptr<Entry[]> old = std::exchange(entries_, std::move(fresh));
  const std::size_t old_slots = mask_ == 0 ? 0 : mask_ + 1;
  mask_ = slots - 1;
  shift_ = 32 - static_cast<unsigned>(std::countr_zero(slots));
  for (std::size_t slot = 0; slot < old_slots; ++slot) {
    if (old[slot].number != no_record) place(old[slot]);
  }
  return true;
}

void Index::place(Entry entry) noexcept {
  std::size_t slot = home_of(entry.hash);
  while (entries_[slot].number != no_record) slot = (slot + 1) & mask_;
  entries_[slot] = entry;
}

void Index::insert(std::uint64_t key, Number number) noexcept {
  place({hash_of(key), number});
  ++size_;
}

std::size_t Index::longest_probe() const noexcept {
  std::size_t longest = 0;
  for (std::size_t slot = 0; mask_ != 0 && slot <= mask_; ++slot) {
    if (entries_[slot].number == no_record) continue;
    longest = std::max(longest, (slot - home_of(entries_[slot].hash)) & mask_);
  }
  return longest;
}

bool Index::erase(std::uint64_t key, Number number) noexcept {
  if (mask_ == 0) return false;
  std::size_t hole = home_of(hash_of(key));
  while (entries_[hole].number != number) {
    if (entries_[hole].number == no_record) return false;
    hole = (hole + 1) & mask_;
  }
  for (std::size_t slot = (hole + 1) & mask_; entries_[slot].number != no_record; slot = (slot + 1) & mask_) {
    const std::size_t home = home_of(entries_[slot].hash);
    if (((slot - home) & mask_) >= ((slot - hole) & mask_)) {
      entries_[hole] = entries_[slot];
      hole = slot;
    }
  }
  entries_[hole].number = no_record;
  --size_;
  return true;
}

namespace {

unsigned level_of(std::size_t size) noexcept {
  return size == 0 ? 0 : static_cast<unsigned>(std::bit_width(size)) - 1;
}

std::uint64_t granule_of(std::uintptr_t address, unsigned level) noexcept { return address >> level; }

std::uint64_t level_key(unsigned level, std::uint64_t granule) noexcept { return granule << 6 | level; }

std::uint64_t level_key(const Record& record) noexcept {
  const unsigned level = level_of(record.size);
  return level_key(level, granule_of(record.address(), level));
}

}  // namespace

Number LevelIndex::find(unsigned level, std::uint64_t granule) const noexcept {
  return index_.find(level_key(level, granule), [&](Number number) {
    const Record& record = records_[number];
    return level_of(record.size) == level && granule_of(record.address(), level) == granule;
  });
}

Number LevelIndex::at_place_of(const Record& record) const noexcept {
  const unsigned level = level_of(record.size);
  return find(level, granule_of(record.address(), level));
}

void LevelIndex::insert(const Record& record) noexcept {
  const unsigned level = level_of(record.size);
  index_.insert(level_key(record), record.number);
  if (entries_[level]++ == 0) in_use_ |= std::uint64_t{1} << level;
}

// A freed record may have lost its place to another.
void LevelIndex::erase(const Record& record) noexcept {
  const unsigned level = level_of(record.size);
  if (!index_.erase(level_key(record), record.number)) return;
  if (--entries_[level] == 0) in_use_ &= ~(std::uint64_t{1} << level);
}

// From the smallest level to the largest, so that the innermost record answers.
Number LevelIndex::holding(std::uintptr_t address, State state) const noexcept {
  for (std::uint64_t levels = in_use_; levels != 0; levels &= levels - 1) {
    const auto level = static_cast<unsigned>(std::countr_zero(levels));
    const std::uint64_t granule = granule_of(address, level);
    for (std::uint64_t back = 0; back <= std::min<std::uint64_t>(granule, 2); ++back) {
      const Number number = find(level, granule - back);
      if (number == no_record) continue;
      const Record& record = records_[number];
      if (record.state == state && record.holds(address)) return number;
    }
  }
  return no_record;
}

bool Registry::reserve(bool borrowed) noexcept {
  if (borrowed && !borrowed_.reserve(borrowed_.size() + 1)) return false;
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

void Registry::forget_other_threads() noexcept {
  reserved_ = 0;
  for (Accounts& accounts : accounts_) accounts.all.reserved = 0;
  for (Number number = 0; number < used_; ++number) {
    if (records_[number].state == State::hidden) evict(records_[number]);
  }
}

Record& Registry::file(const Record& block) noexcept {
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
  record.serial = next_serial_++;
  record.state = State::live;
  index_level(record);
  count_in(record);
  return record;
}

Number Registry::number_at(std::uintptr_t address) const noexcept {
  return exact_.find(address, [&](Number number) { return records_[number].address() == address; });
}

Record* Registry::at(const void* pointer, State state) noexcept {
  const Number number = number_at(reinterpret_cast<std::uintptr_t>(pointer));
  return number != no_record && records_[number].state == state ? &records_[number] : nullptr;
}

Record* Registry::holding(const void* pointer, State state) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const Number owned = owned_.holding(address, state);
  const Number borrowed = borrowed_.holding(address, state);
  if (owned == no_record) return borrowed == no_record ? nullptr : &records_[borrowed];
  if (borrowed == no_record) return &records_[owned];
  return &records_[records_[borrowed].size < records_[owned].size ? borrowed : owned];
}

Record* Registry::overlapping(const Record& range) noexcept {
  if (Record* at_first = locate(range.pointer)) return at_first;
  if (range.size > 1) {
    if (Record* at_last = locate(static_cast<std::byte*>(range.pointer) + range.size - 1)) return at_last;
  }
  const Number number = borrowed_.at_place_of(range);
  return number == no_record ? nullptr : &records_[number];
}

void Registry::bury(Record& record) noexcept {
  count_out(record);
  if (record.borrowed()) {
    unindex(record);
    vacate(record);
    return;
  }
  accounts(record.type).each(record.device, [](Account& account) { ++account.figures.deallocations; });
  record.stride_or_freed = ++deallocations_;
  remember(record);
}

void Registry::file_moved(const Record& before) noexcept {
  --reserved_;
  if (number_at(before.address()) != no_record) return;  // granted again meanwhile
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
    ++account.figures.failed_frees;
  });
}

void Registry::hide(Record& record) noexcept {
  record.state = State::hidden;
  unindex(record);
}

void Registry::show(Record& record) noexcept {
  record.state = State::live;
  const Number other = number_at(record.address());
  if (other != no_record) evict(records_[other]);
  exact_.insert(record.address(), record.number);
  index_level(record);
}

void Registry::resize(Record& record, std::size_t size) noexcept {
  const std::size_t growth = size > record.size ? size - record.size : 0;
  account(record.type).cancel(growth);
  accounts(record.type).each(record.device, [&](Account& account) {
    ++account.figures.reallocations;
    if (growth > 0) {
      account.grow(growth, !(record.flags & CADASTRE_UNINITIALIZED));
    } else {
      account.figures.live_bytes -= record.size - size;
    }
  });
  if (record.label) record.label->live_bytes += size - record.size;
  record.size = size;
}

void Registry::index_level(const Record& record) noexcept {
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
}

void Registry::evict(Record& record) noexcept {
  if (record.state == State::freed) {
    unremember(record);
  } else {
    count_out(record);
    if (!record.borrowed()) {
      accounts(record.type).each(record.device, [](Account& account) { ++account.figures.lost_blocks; });
      if (lost_) lost_(record);
    }
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

bool Accounts::open(std::int32_t device) noexcept try {
  if (device >= 0 && !of(device)) devices_.push_back({device, {}});
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void Registry::count_in(const Record& record) noexcept {
  accounts(record.type).each(record.device, [&](Account& account) { account.count_in(record); });
  if (record.borrowed()) return;
  account(record.type).cancel(record.size);
  if (record.label) {
    ++record.label->live_blocks;
    record.label->live_bytes += record.size;
  }
}

void Registry::count_out(const Record& record) noexcept {
  accounts(record.type).each(record.device, [&](Account& account) { account.count_out(record); });
  if (record.borrowed() || !record.label) return;
  --record.label->live_blocks;
  record.label->live_bytes -= record.size;
}

std::vector<Record> Registry::snapshot() const {
  std::vector<Record> live_records;
  live_records.reserve(live());
  for_each([&](const Record& record) { live_records.push_back(record); });
  std::ranges::sort(live_records, {}, &Record::serial);
  return live_records;
}

bool Registry::consistent() const {
  std::array<Accounts, memory_types> counted;
  Number live_records = 0, freed_records = 0, vacant_records = 0;
  for (Number number = 0; number < used_; ++number) {
    const Record& record = records_[number];
    if (record.number != number) return false;
    live_records += record.state == State::live || record.state == State::hidden;
    freed_records += record.state == State::freed;
    vacant_records += record.state == State::vacant;
    if (record.state == State::vacant || record.state == State::hidden) continue;
    if (number_at(record.address()) != number) return false;
    if (record.state != State::live) continue;
    if (levels_of(record).at_place_of(record) != number) return false;
    if (!counted[record.type].open(record.device)) return false;
    counted[record.type].each(record.device, [&](Account& account) { account.count_in(record); });
  }
  const auto agree = [](const Account& kept, const Account* seen) {
    const cadastre_statistics_struct nothing{};
    const cadastre_statistics_struct &f = kept.figures, &s = seen ? seen->figures : nothing;
    return f.live_blocks == s.live_blocks && f.live_bytes == s.live_bytes && f.borrowed_blocks == s.borrowed_blocks &&
           f.high_water_mark >= f.live_bytes && f.high_water_blocks >= f.live_blocks &&
           f.allocations == f.deallocations + f.failed_frees + f.lost_blocks + f.live_blocks;
  };
  for (std::size_t type = 0; type < memory_types; ++type) {
    bool good = agree(accounts_[type].all, &counted[type].all);
    accounts_[type].for_each_device([&](std::int32_t device, const Account& kept) {
      good = good && agree(kept, counted[type].of(device));
    });
    if (!good) return false;
  }
  Number in_list = 0;
  for (Number number = oldest_freed_; number != no_record; number = records_[number].newer) ++in_list;
  return live_records == live() && freed_records == freed_ && vacant_records == vacant_ && in_list == freed_ &&
         freed_ <= remembered && exact_.size() == live_records + freed_records &&
         used_ <= records_.capacity();
}

}  // namespace cadastre::internal
