// Tangled from org/core/table.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The blocks of one context that stand alone: an array of entries that doubles.
#ifndef CADASTRE_SRC_CORE_TABLE_HPP
#define CADASTRE_SRC_CORE_TABLE_HPP

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/non_copyable.hpp"
#include "base/own_memory.hpp"
#include "base/record.hpp"
#include "core/entry.hpp"
#include "core/page_map.hpp"

namespace cadastre::internal {

enum class Kind : std::uint8_t { live, freed };

class Table : NonCopyable {
 public:
  // Freed blocks that are known at least.
  static constexpr std::uint64_t remembered = 4096;

  Table() = default;
  ~Table() { clear(); }

  // The entry of an address, whatever it says; null for none.
  [[gnu::always_inline]] inline Entry* find(std::uintptr_t address) const noexcept {
    if (!entries_) return nullptr;
    for (Entry* entry = home_of(address);; entry = next_to(entry)) {
      const std::uintptr_t base = entry->base.load(std::memory_order_relaxed);
      if (base == address) [[likely]] {
        if (!entry) __builtin_unreachable();
        return entry;
      }
      if (base == 0) return nullptr;
    }
  }
  Entry* find_live(std::uintptr_t address) const noexcept {
    Entry* const entry = find(address);
    return entry && entry->is_there() ? entry : nullptr;
  }
  // What an entry says, where it is of that kind; empty also where it changes meanwhile.
  static std::optional<Record> read(const Entry& entry, Kind kind) noexcept;
  // The block of a kind around an address: the innermost; of several that were freed, the last.
  std::optional<Record> around(Kind kind, std::uintptr_t address) const noexcept;
  // What an entry says of a block in one word.
  static constexpr std::uint64_t traits_of(const Record& block) noexcept {
    return std::uint64_t{block.backend} << backend_shift | std::uint64_t{block.how} << how_shift | std::uint64_t{block.type} << type_shift |
           std::uint64_t{block.flags} << flags_shift | block.alignment_log2;
  }
  // The same of one that is on the C library's heap, or a run of pages.
  static constexpr std::uint64_t traits_on_a_heap(unsigned alignment_log2, cadastre_flags flags) noexcept {
    return on_a_heap | std::uint64_t{flags} << flags_shift | alignment_log2;
  }
  // Whether blocks that stand alone are known to be on the C library's heap or runs of pages, so that a free of them cannot fail.
  [[gnu::always_inline]] static bool is_on_a_heap(const Entry& entry) noexcept {
    constexpr std::uint64_t own =
        ~((std::uint64_t{1} << how_shift) - 1) | std::uint64_t{0xff} << type_shift | std::uint64_t{CADASTRE_BORROWED} << flags_shift;
    return (entry.traits.load(std::memory_order_relaxed) & own) == on_a_heap;
  }

  // Files a live block; false, and nothing changed, where one lives at its address, or there is no room.
  bool file(const Record& block) noexcept;
  // The same where a block was freed that began at its address and was of its level; false, and nothing changed, elsewhere.
  [[gnu::always_inline]] inline bool file_again(std::uintptr_t address, const Entry::Contents& contents) noexcept {
    Entry* const entry = find(address);
    if (!entry) [[unlikely]]
      return false;
    const std::size_t before = entry->size.load(std::memory_order_relaxed);
    if (before != contents.size && level_of(before) != level_of(contents.size)) [[unlikely]]
      return false;
    if (!entry->begin_after_free()) [[unlikely]]
      return false;
    entry->write(contents, Entry::Is::live);
    return true;
  }

  // From here on, for who has the context's lock.
  static void set_leased(Entry& entry, bool leased) noexcept;
  // Reserves room for one more; false, and nothing changed, where there is none.
  bool reserve() noexcept;
  void cancel() noexcept;
  // The same as file, in room that was reserved, which it gives up; so it is only refused where a block lives there.
  bool file_in_room(const Record& block) noexcept;
  // Calls for each entry of a live block, and some others, that begins in a range or reaches into it.
  template <class Action>
  void for_each_near(std::uintptr_t first, std::uintptr_t last, Action action) const noexcept;
  // How many granules that looks at.
  std::size_t granules_near(std::uintptr_t first, std::uintptr_t last) const noexcept;
  // The entry of a live block, but for borrowed ranges, that shares bytes with one that is to be filed, is of about its size, and is not at
  // its address; null for none.
  Entry* overlapping(const Record& block) const noexcept;

  // From here on, for who is alone.
  // Room for so many more; false, and nothing changed, when there is no memory. next_deallocation: the number of the next one.
  bool make_room(std::size_t blocks, std::uint64_t next_deallocation) noexcept;
  // In the child of a fork: no other thread is filing, and so many rooms are reserved.
  void forget_other_threads(std::size_t rooms) noexcept;
  // Calls for each block that is there.
  template <class Action>
  void for_each_live(Action action) const {
    for (Entry* entry = entries_; entry != end_; ++entry) {
      if (entry->is_there()) action(*entry);
    }
  }
  std::size_t live() const noexcept {
    std::size_t count = 0;
    for_each_live([&](const Entry&) { ++count; });
    return count;
  }
  void clear() noexcept;

  std::size_t capacity() const noexcept { return static_cast<std::size_t>(end_ - entries_); }
  std::size_t used() const noexcept { return used_.load(std::memory_order_relaxed); }
  unsigned doublings() const noexcept { return doublings_; }
  // The most entries that a search passes.
  std::size_t longest_probe() const noexcept;
  bool check_invariants() const noexcept;

 private:
  std::uint64_t recent_deallocations(std::uint64_t next_deallocation) const noexcept;

  // Of a block in one word.
  static constexpr unsigned flags_shift = 8, type_shift = 24, how_shift = 32, backend_shift = 48;
  static constexpr std::uint64_t on_a_heap = std::uint64_t{CADASTRE_BACKEND_HOST} << backend_shift | std::uint64_t{CADASTRE_HOST}
                                                                                                         << type_shift;
  // The least power of two that is no less than a size, and at least what the C library rounds up to.
  static constexpr unsigned level_of(std::size_t size) noexcept {
    return std::max(5u, static_cast<unsigned>(std::bit_width(std::max<std::size_t>(size, 1) - 1)));
  }

  // In the second array: some bits of the hash of a level and a granule, and the number of an entry + 1. 0: none.
  using Word = std::atomic<std::uint64_t>;

  Entry* home_of(std::uintptr_t address) const noexcept { return entries_ + (spread(address) >> shift_); }
  Entry* next_to(Entry* entry) const noexcept { return ++entry == end_ ? entries_ : entry; }
  static std::uint64_t hash_of(unsigned level, std::uintptr_t granule) noexcept { return spread(granule * 64 + level); }
  // What of an entry and of a word of the second array was reserved and is still to be used.
  struct Room {
    bool entry = false, word = false;
  };
  bool file(const Record& block, Room& room) noexcept;
  Entry* claim(std::uintptr_t address, Room& room, bool& anew) noexcept;
  bool note_place(const Entry& entry, std::uintptr_t address, std::size_t size, Room& room) noexcept;
  // Calls until action says that it is enough; whether it did.
  template <class Action>
  bool for_each_in_granule(unsigned level, std::uintptr_t granule, Action action) const noexcept;
  bool use_arrays_of(std::size_t capacity) noexcept;
  void move_in(const Entry& from) noexcept;
  std::size_t most_entries() const noexcept { return capacity() / 4 * 3; }
  std::size_t most_words() const noexcept { return capacity(); }

  Entry *entries_ = nullptr, *end_ = nullptr;
  Word* words_ = nullptr;
  unsigned shift_ = 0;  // 64 - log2 of the capacity; the second array is twice as long
  unsigned doublings_ = 0;
  std::atomic<std::uint64_t> levels_ = 0;               // one bit for each that has blocks
  std::size_t rooms_ = 0;                               // that are reserved
  std::atomic<std::size_t> used_ = 0, used_words_ = 0;  // with those
};

template <class Action>
bool Table::for_each_in_granule(unsigned level, std::uintptr_t granule, Action action) const noexcept {
  const std::uint64_t hash = hash_of(level, granule);
  const std::size_t last = 2 * capacity() - 1;
  for (std::size_t place = hash >> (shift_ - 1);; place = (place + 1) & last) {
    const std::uint64_t word = words_[place].load(std::memory_order_acquire);
    if (word == 0) return false;
    const bool may_be_there = static_cast<std::uint32_t>(word >> 32) == static_cast<std::uint32_t>(hash);
    if (may_be_there && action(entries_[static_cast<std::uint32_t>(word) - 1])) return true;
  }
}

template <class Action>
void Table::for_each_near(std::uintptr_t first, std::uintptr_t last, Action action) const noexcept {
  for (std::uint64_t levels = levels_.load(std::memory_order_acquire); levels != 0; levels &= levels - 1) {
    const auto level = static_cast<unsigned>(std::countr_zero(levels));
    const std::uintptr_t end = last >> level;
    for (std::uintptr_t granule = (first >> level) - 1; granule != end + 1;
         ++granule) {  // the first may be none, and then nothing is there
      for_each_in_granule(level, granule, [&](Entry& entry) { return action(entry), false; });
    }
  }
}

}  // namespace cadastre::internal
#endif
