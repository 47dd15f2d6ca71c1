// Tangled from org/indexes.org; change the chapter, then run: make tangle
#include "indexes.hpp"

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

Number LevelIndex::begins_in(const Record& record) const noexcept {
  const unsigned level = level_of(record.size);
  const std::uint64_t last = granule_of(record.address() + std::max<std::size_t>(record.size, 1) - 1, level);
  for (std::uint64_t granule = granule_of(record.address(), level); granule <= last; ++granule) {
    const Number number = find(level, granule);
    if (number == no_record) continue;
    if (granule == granule_of(record.address(), level) || record.holds(records_[number].address())) return number;
  }
  return no_record;
}

std::size_t LevelIndex::look_ups(std::uintptr_t first, std::uintptr_t last) const noexcept {
  std::size_t count = 0;
  for (std::uint64_t levels = in_use_; levels != 0; levels &= levels - 1) {
    count += ((last - first) >> std::countr_zero(levels)) + 4;
  }
  return count;
}

void LevelIndex::insert(const Record& record) noexcept {
  const unsigned level = level_of(record.size);
  index_.insert(level_key(record), record.number);
  if ((*counts_)[level]++ == 0) in_use_ |= std::uint64_t{1} << level;
}

// A freed record may have lost its place to another.
void LevelIndex::erase(const Record& record) noexcept {
  const unsigned level = level_of(record.size);
  if (!index_.erase(level_key(record), record.number)) return;
  if (--(*counts_)[level] == 0) in_use_ &= ~(std::uint64_t{1} << level);
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

}  // namespace cadastre::internal
