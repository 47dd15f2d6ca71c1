// Tangled from org/table.org; change the chapter, then run: make tangle
#include "core/table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cadastre::internal {

namespace {

constexpr std::size_t smallest = 64;

constexpr unsigned flags_shift = 8;

constexpr std::uint64_t traits_of(const Record& block) noexcept {
  return std::uint64_t{block.how} << 32 | std::uint64_t{block.flags} << flags_shift | block.alignment_log2;
}

// The least power of two that is no less than a size, and at least what the C library rounds up to.
unsigned level_of(std::size_t size) noexcept {
  return std::max(5u, static_cast<unsigned>(std::bit_width(std::max<std::size_t>(size, 1) - 1)));
}

std::uint64_t hash_of(unsigned level, std::uintptr_t granule) noexcept { return spread(granule * 64 + level); }

}  // namespace

// The entry that an address is to have, which says none; null where a block lives there, or there is no room. anew: whether the address
// was not known by the granule of a block that was there.
[[gnu::always_inline]] inline Entry* Table::claim(std::uintptr_t address, bool& anew) noexcept {
  if (!entries_) return nullptr;
  for (Entry* entry = home_of(address);; entry = next_to(entry)) {
    std::uintptr_t base = entry->base.load(std::memory_order_relaxed);
    if (base == 0) {
      if (used_.fetch_add(1, std::memory_order_relaxed) >= capacity() / 4 * 3) return used_.fetch_sub(1, std::memory_order_relaxed), nullptr;
      if (entry->take(address, base)) return entry;
      used_.fetch_sub(1, std::memory_order_relaxed);
    }
    if (base != address) continue;
    Entry::Is before;
    if (!entry->begin(before)) return nullptr;
    anew = before == Entry::Is::gone;
    return entry;
  }
}

// An address that comes back for a block of the same level is known by its granule already.
bool Table::file(const Record& block) noexcept {
  bool anew = true;
  Entry* const entry = claim(block.address(), anew);
  if (!entry) return false;
  if (anew || level_of(entry->size.load(std::memory_order_relaxed)) != level_of(block.size)) {
    loose_map.note(block.address(), std::size_t{1} << level_of(block.size));
    if (!note_place(*entry, block.address(), block.size)) {
      entry->is.store(Entry::Is::gone, std::memory_order_release);
      return false;
    }
  }
  const bool lent = (block.flags & CADASTRE_WORKSPACE_MEMORY) != 0;
  entry->write({.serial = block.serial, .origin = block.origin, .size = block.size, .stride_or_freed = block.stride_or_freed,
                .traits = traits_of(block)}, lent ? Entry::Is::lent : Entry::Is::live);
  return true;
}

bool Table::note_place(const Entry& entry, std::uintptr_t address, std::size_t size) noexcept {
  const unsigned level = level_of(size);
  const std::uint64_t bit = std::uint64_t{1} << level;
  if (!(levels_.load(std::memory_order_relaxed) & bit)) levels_.fetch_or(bit, std::memory_order_release);
  const std::uint64_t hash = hash_of(level, address >> level);
  const std::uint64_t word = hash << 32 | (static_cast<std::uint64_t>(&entry - entries_) + 1);
  const std::size_t last = 2 * capacity() - 1;
  for (std::size_t place = hash >> (shift_ - 1);; place = (place + 1) & last) {
    std::uint64_t there = words_[place].load(std::memory_order_acquire);
    if (there == 0) {
      if (used_words_.fetch_add(1, std::memory_order_relaxed) >= (last + 1) / 4 * 3) return used_words_.fetch_sub(1, std::memory_order_relaxed), false;
      if (words_[place].compare_exchange_strong(there, word, std::memory_order_acq_rel, std::memory_order_acquire)) return true;
      used_words_.fetch_sub(1, std::memory_order_relaxed);
    }
    if (there == word) return true;
  }
}

std::optional<Record> Table::read(const Entry& entry, Kind kind) noexcept {
  Entry::Contents contents;
  Entry::Is is;
  if (!entry.read(contents, is)) return std::nullopt;
  if (kind == Kind::freed ? is != Entry::Is::freed : is != Entry::Is::live && is != Entry::Is::lent) return std::nullopt;
  Record record;
  record.pointer = reinterpret_cast<void*>(entry.base.load(std::memory_order_relaxed));
  record.size = contents.size;
  record.stride_or_freed = contents.stride_or_freed;
  record.serial = contents.serial;
  record.origin = contents.origin;
  record.alignment_log2 = static_cast<std::uint8_t>(contents.traits);
  record.flags = static_cast<std::uint16_t>(contents.traits >> flags_shift);
  record.how = static_cast<std::uint16_t>(contents.traits >> 32);
  record.state = kind == Kind::freed ? State::freed : State::live;
  return record;
}

// A block that was lent is told as such after it was freed, too.
void Table::set_lent(Entry& entry, bool lent) noexcept {
  constexpr std::uint64_t flag = std::uint64_t{CADASTRE_WORKSPACE_MEMORY} << flags_shift;
  entry.traits.store(lent ? entry.traits | flag : entry.traits & ~flag, std::memory_order_relaxed);
  entry.is.store(lent ? Entry::Is::lent : Entry::Is::live, std::memory_order_relaxed);
}

template <class Action>
void Table::for_each_in_granule(unsigned level, std::uintptr_t granule, Action action) const noexcept {
  const std::uint64_t hash = hash_of(level, granule);
  const std::size_t last = 2 * capacity() - 1;
  for (std::size_t place = hash >> (shift_ - 1);; place = (place + 1) & last) {
    const std::uint64_t word = words_[place].load(std::memory_order_acquire);
    if (word == 0) return;
    if (static_cast<std::uint32_t>(word >> 32) == static_cast<std::uint32_t>(hash)) action(entries_[static_cast<std::uint32_t>(word) - 1]);
  }
}

std::optional<Record> Table::around(Kind kind, std::uintptr_t address) const noexcept {
  std::optional<Record> found;
  if (!entries_) return found;
  for (std::uint64_t levels = levels_.load(std::memory_order_acquire); levels != 0; levels &= levels - 1) {
    const auto level = static_cast<unsigned>(std::countr_zero(levels));
    const std::uintptr_t granule = address >> level;
    for (const std::uintptr_t near : {granule, granule - 1}) {
      for_each_in_granule(level, near, [&](const Entry& entry) {
        const std::optional<Record> record = read(entry, kind);
        const bool holds = record && record->holds(address);
        if (holds && (!found || (kind == Kind::freed && record->stride_or_freed > found->stride_or_freed))) found = record;
      });
      if (found && kind == Kind::live) return found;
    }
  }
  return found;
}

bool Table::use_arrays_of(std::size_t capacity) noexcept {
  auto* const entries = static_cast<Entry*>(take_own(capacity * sizeof(Entry)));
  auto* const words = static_cast<Word*>(take_own(2 * capacity * sizeof(Word)));
  if (!entries || !words) {
    if (entries) give_own(entries, capacity * sizeof(Entry));
    if (words) give_own(words, 2 * capacity * sizeof(Word));
    return false;
  }
  entries_ = entries;
  end_ = entries + capacity;
  words_ = words;
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(capacity));
  used_ = used_words_ = 0;
  levels_ = 0;
  return true;
}

// What stays has half of the room at most, so a quarter of it is filled at least before that is done again.
bool Table::make_room(std::size_t blocks, std::uint64_t next_deallocation) noexcept {
  const std::size_t before = capacity();
  const auto stays = [&](const Entry& entry) {
    const bool is_recent = entry.stride_or_freed + remembered >= next_deallocation;
    return entry.is_there() || (entry.is == Entry::Is::freed && is_recent);
  };
  Entry *const old = entries_, *const old_end = end_;
  Word* const old_words = words_;
  if (used() + blocks <= before / 4 * 3 && used_words_ + blocks <= before / 2 * 3) return true;
  std::size_t staying = blocks;
  for (Entry* entry = old; entry != old_end; ++entry) staying += stays(*entry);
  if (!use_arrays_of(std::max(smallest, std::bit_ceil(2 * staying)))) return false;
  for (Entry* entry = old; entry != old_end; ++entry) {
    if (!stays(*entry)) continue;
    file(*read(*entry, entry->is_there() ? Kind::live : Kind::freed));
    find(entry->base)->is = entry->is.load();
  }
  if (before > 0 && capacity() > before) doublings_ += static_cast<unsigned>(std::countr_zero(capacity()) - std::countr_zero(before));
  give_own(old, before * sizeof(Entry));
  give_own(old_words, 2 * before * sizeof(Word));
  return true;
}

void Table::clear() noexcept {
  if (!entries_) return;
  doublings_ = 0;
  give_own(entries_, capacity() * sizeof(Entry));
  give_own(words_, 2 * capacity() * sizeof(Word));
  entries_ = end_ = nullptr;
  words_ = nullptr;
  used_ = used_words_ = 0;
  levels_ = 0;
}

std::size_t Table::longest_probe() const noexcept {
  std::size_t longest = 0;
  for (Entry* entry = entries_; entry != end_; ++entry) {
    if (entry->base == 0) continue;
    const auto steps = static_cast<std::size_t>(entry - home_of(entry->base)) & (capacity() - 1);
    longest = std::max(longest, steps + 1);
  }
  return longest;
}

bool Table::check_invariants() const noexcept {
  std::size_t used = 0;
  for (Entry* entry = entries_; entry != end_; ++entry) {
    if (entry->base == 0) continue;
    ++used;
    if (find(entry->base) != entry || entry->is == Entry::Is::none) return false;
    if (!entry->is_there()) continue;
    const std::optional<Record> found = around(Kind::live, entry->base);
    if (!found || found->address() != entry->base) return false;
  }
  return used == used_ && used <= capacity() / 4 * 3;
}

}  // namespace cadastre::internal
