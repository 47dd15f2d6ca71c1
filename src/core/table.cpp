// Tangled from org/core/table.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cadastre::internal {

namespace {

constexpr std::size_t smallest = 64;

// Whether one more could be counted.
bool use_one(std::atomic<std::size_t>& used, std::size_t most) noexcept {
  if (used.fetch_add(1, std::memory_order_relaxed) < most) return true;
  used.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

}  // namespace

// The entry that an address is to have, which says none; null where a block lives there, or there is no room. anew: whether the address
// was not known by the granule of a block that was there.
[[gnu::always_inline]] inline Entry* Table::claim(std::uintptr_t address, Room& room, bool& anew) noexcept {
  if (!entries_) return nullptr;
  for (Entry* entry = home_of(address);; entry = next_to(entry)) {
    std::uintptr_t base = entry->base.load(std::memory_order_relaxed);
    if (base == 0) {
      if (!room.entry && !use_one(used_, most_entries())) return nullptr;
      if (entry->take(address, base)) {
        room.entry = false;
        return entry;
      }
      if (!room.entry) used_.fetch_sub(1, std::memory_order_relaxed);
    }
    if (base != address) continue;
    Entry::Is before;
    if (!entry->begin(before)) return nullptr;
    anew = before == Entry::Is::gone;
    return entry;
  }
}

// An address that comes back for a block of the same level is known by its granule already.
[[gnu::always_inline]] inline bool Table::file(const Record& block, Room& room) noexcept {
  bool anew = true;
  Entry* const entry = claim(block.address(), room, anew);
  if (!entry) return false;
  if (anew || level_of(entry->size.load(std::memory_order_relaxed)) != level_of(block.size)) {
    loose_map.note(block.address(), std::size_t{1} << level_of(block.size));
    if (!note_place(*entry, block.address(), block.size, room)) {
      entry->is.store(Entry::Is::gone, std::memory_order_release);
      return false;
    }
  }
  const bool leased = (block.flags & CADASTRE_WORKSPACE_MEMORY) != 0;
  entry->write({.serial = block.serial,
                .origin = block.origin,
                .size = block.size,
                .stride_or_freed = block.stride_or_freed,
                .traits = traits_of(block),
                .device = block.device},
               leased ? Entry::Is::leased : Entry::Is::live);
  return true;
}

bool Table::file(const Record& block) noexcept {
  Room none;
  return file(block, none);
}

bool Table::file_in_room(const Record& block) noexcept {
  Room room{true, true};
  if (!file(block, room)) return false;
  --rooms_;
  if (room.entry) used_.fetch_sub(1, std::memory_order_relaxed);
  if (room.word) used_words_.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

bool Table::note_place(const Entry& entry, std::uintptr_t address, std::size_t size, Room& room) noexcept {
  const unsigned level = level_of(size);
  const std::uint64_t bit = std::uint64_t{1} << level;
  if (!(levels_.load(std::memory_order_relaxed) & bit)) levels_.fetch_or(bit, std::memory_order_release);
  const std::uint64_t hash = hash_of(level, address >> level);
  const std::uint64_t word = hash << 32 | (static_cast<std::uint64_t>(&entry - entries_) + 1);
  const std::size_t last = 2 * capacity() - 1;
  for (std::size_t place = hash >> (shift_ - 1);; place = (place + 1) & last) {
    std::uint64_t there = words_[place].load(std::memory_order_acquire);
    if (there == 0) {
      if (!room.word && !use_one(used_words_, most_words())) return false;
      if (words_[place].compare_exchange_strong(there, word, std::memory_order_acq_rel, std::memory_order_acquire)) {
        room.word = false;
        return true;
      }
      if (!room.word) used_words_.fetch_sub(1, std::memory_order_relaxed);
    }
    if (there == word) return true;
  }
}

bool Table::reserve() noexcept {
  if (!use_one(used_, most_entries())) return false;
  if (!use_one(used_words_, most_words())) {
    used_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  ++rooms_;
  return true;
}

void Table::cancel() noexcept {
  --rooms_;
  used_.fetch_sub(1, std::memory_order_relaxed);
  used_words_.fetch_sub(1, std::memory_order_relaxed);
}

void Table::forget_other_threads(std::size_t rooms) noexcept {
  rooms_ = rooms;
  used_ = used_words_ = rooms;
  for (Entry* entry = entries_; entry != end_; ++entry) {
    if (entry->base == 0) continue;
    ++used_;
    if (entry->is == Entry::Is::none) entry->set(Entry::Is::gone);
  }
  for (std::size_t place = 0; place < 2 * capacity(); ++place) used_words_ += words_[place] != 0;
}

std::optional<Record> Table::read(const Entry& entry, Kind kind) noexcept {
  using Is = Entry::Is;
  Entry::Contents contents;
  Is is;
  if (!entry.read(contents, is)) return std::nullopt;
  if (kind == Kind::freed ? is != Is::freed && is != Is::moved : is != Is::live && is != Is::leased) return std::nullopt;
  Record record;
  record.pointer = reinterpret_cast<void*>(entry.base.load(std::memory_order_relaxed));
  record.size = contents.size;
  record.stride_or_freed = is == Is::moved ? 0 : contents.stride_or_freed;
  record.serial = contents.serial;
  record.origin = contents.origin;
  record.alignment_log2 = static_cast<std::uint8_t>(contents.traits);
  record.flags = static_cast<std::uint16_t>(contents.traits >> flags_shift);
  record.type = static_cast<std::uint8_t>(contents.traits >> type_shift);
  record.how = static_cast<std::uint16_t>(contents.traits >> how_shift);
  record.backend = static_cast<std::uint8_t>(contents.traits >> backend_shift);
  record.device = contents.device;
  record.state = kind == Kind::freed ? State::freed : State::live;
  return record;
}

// A block that was leased is told as such after it was freed, too.
void Table::set_leased(Entry& entry, bool leased) noexcept {
  constexpr std::uint64_t flag = std::uint64_t{CADASTRE_WORKSPACE_MEMORY} << flags_shift;
  entry.traits.store(leased ? entry.traits | flag : entry.traits & ~flag, std::memory_order_relaxed);
  entry.is.store(leased ? Entry::Is::leased : Entry::Is::live, std::memory_order_relaxed);
}

// From the smallest level to the largest. What a borrowed range holds may also be in a block of the same level.
std::optional<Record> Table::around(Kind kind, std::uintptr_t address) const noexcept {
  std::optional<Record> found;
  std::uint64_t latest = 0;  // deallocation, of what was freed
  if (!entries_) return found;
  const auto look_at = [&](const Entry& entry) {
    const std::optional<Record> record = read(entry, kind);
    if (!record || !record->holds(address)) return false;
    const std::uint64_t number = entry.stride_or_freed.load(std::memory_order_relaxed);
    if (found && (kind == Kind::live ? record->size >= found->size : number <= latest)) return false;
    found = record;
    latest = number;
    return kind == Kind::live && !record->borrowed();
  };
  for (std::uint64_t levels = levels_.load(std::memory_order_acquire); levels != 0; levels &= levels - 1) {
    const auto level = static_cast<unsigned>(std::countr_zero(levels));
    const std::uintptr_t granule = address >> level;
    if (for_each_in_granule(level, granule, look_at) || for_each_in_granule(level, granule - 1, look_at)) return found;
    if (found && kind == Kind::live) return found;
  }
  return found;
}

Entry* Table::overlapping(const Record& block) const noexcept {
  const auto end_of = [](const Record& record) { return record.address() + std::max<std::size_t>(record.size, 1) - 1; };
  Entry* found = nullptr;
  const auto look_at = [&](Entry& entry) {
    if (entry.base.load(std::memory_order_relaxed) == block.address()) return false;
    const std::optional<Record> other = read(entry, Kind::live);
    if (!other || other->borrowed()) return false;
    if (other->address() > end_of(block) || end_of(*other) < block.address()) return false;
    found = &entry;
    return true;
  };
  const std::uint64_t levels = levels_.load(std::memory_order_acquire);
  for (const unsigned level : {level_of(block.size), level_of(block.size) - 1}) {
    if (!(levels >> level & 1)) continue;
    const std::uintptr_t end = end_of(block) >> level;
    for (std::uintptr_t granule = (block.address() >> level) - 1; granule != end + 1; ++granule) {
      if (for_each_in_granule(level, granule, look_at)) return found;
    }
  }
  return nullptr;
}

std::size_t Table::granules_near(std::uintptr_t first, std::uintptr_t last) const noexcept {
  std::size_t count = 0;
  for (std::uint64_t levels = levels_.load(std::memory_order_acquire); levels != 0; levels &= levels - 1) {
    count += ((last - first) >> std::countr_zero(levels)) + 3;
  }
  return count;
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

void Table::move_in(const Entry& from) noexcept {
  Room none;
  bool anew = true;
  Entry* const entry = claim(from.base.load(), none, anew);
  if (!entry) __builtin_unreachable();  // there is room
  entry->take_over(from);
  note_place(*entry, from.base.load(), from.size.load(), none);
}

// How many of the context's last ones to look at for enough blocks of the table: 4,096 times a power of two.
std::uint64_t Table::recent_deallocations(std::uint64_t next_deallocation) const noexcept {
  const auto remembered_of_last = [&](std::uint64_t deallocations) {
    std::size_t count = 0;
    for (Entry* entry = entries_; entry != end_; ++entry) {
      count += entry->is_remembered() && entry->stride_or_freed + deallocations >= next_deallocation;
    }
    return count;
  };
  const std::size_t enough = std::min<std::size_t>(remembered_of_last(next_deallocation), remembered);
  std::uint64_t last = remembered;
  while (remembered_of_last(last) < enough) last *= 2;
  return last;
}

// What stays has half of the room at most, so a quarter of it is filled at least before that is done again.
bool Table::make_room(std::size_t blocks, std::uint64_t next_deallocation) noexcept {
  const std::size_t before = capacity();
  Entry *const old = entries_, *const old_end = end_;
  Word* const old_words = words_;
  if (used() + blocks <= most_entries() && used_words_ + blocks <= most_words()) return true;
  const std::uint64_t recent = recent_deallocations(next_deallocation);
  const auto stays = [&](const Entry& entry) {
    return entry.is_there() || entry.is == Entry::Is::hidden ||
           (entry.is_remembered() && entry.stride_or_freed + recent >= next_deallocation);
  };
  std::size_t staying = blocks + rooms_;
  for (Entry* entry = old; entry != old_end; ++entry) staying += stays(*entry);
  if (!use_arrays_of(std::max(smallest, std::bit_ceil(2 * staying)))) return false;
  for (Entry* entry = old; entry != old_end; ++entry) {
    if (stays(*entry)) move_in(*entry);
  }
  used_ += rooms_;
  used_words_ += rooms_;
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
  used_ = used_words_ = rooms_ = 0;
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
    const std::optional<Record> block = read(*entry, Kind::live), found = around(Kind::live, entry->base);
    if (!found || (found->address() != entry->base && (!block->borrowed() || found->size > block->size))) return false;
  }
  std::size_t words = 0;
  for (std::size_t place = 0; place < 2 * capacity(); ++place) words += words_[place].load(std::memory_order_relaxed) != 0;
  return used + rooms_ == used_ && used_ <= most_entries() && words + rooms_ == used_words_ && used_words_ <= most_words();
}

}  // namespace cadastre::internal
