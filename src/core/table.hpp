// Tangled from org/table.org; change the chapter, then run: make tangle
// The blocks of one context that stand alone: an array of entries that doubles.
#ifndef CADASTRE_SRC_CORE_TABLE_HPP
#define CADASTRE_SRC_CORE_TABLE_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/entry.hpp"
#include "core/own_memory.hpp"
#include "core/page_map.hpp"
#include "record.hpp"

namespace cadastre::internal {

enum class Kind : std::uint8_t { live, freed };

class Table {
 public:
  static constexpr std::uint64_t remembered = 4096;

  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table() { clear(); }

  // The entry of an address, whatever it says; null for none.
  [[gnu::always_inline]] inline Entry* find(std::uintptr_t address) const noexcept {
    if (!entries_) return nullptr;
    for (Entry* entry = home_of(address);; entry = next_to(entry)) {
      const std::uintptr_t base = entry->base.load(std::memory_order_relaxed);
      if (base == address) [[likely]] return entry;
      if (base == 0) return nullptr;
    }
  }
  Entry* find_live(std::uintptr_t address) const noexcept {
    Entry* const entry = find(address);
    return entry && entry->is_there() ? entry : nullptr;
  }
  // What an entry says, where it is of that kind; empty also where it changes meanwhile.
  static std::optional<Record> read(const Entry& entry, Kind kind) noexcept;
  // The block of a kind around an address; of several that were freed, the last.
  std::optional<Record> around(Kind kind, std::uintptr_t address) const noexcept;

  // Files a live block; false, and nothing changed, where one lives at its address, or there is no room.
  bool file(const Record& block) noexcept;

  // From here on, for who is alone.
  // The same of any block that is there.
  static void bury(Entry& entry, std::uint64_t number) noexcept {
    entry.is.store(Entry::Is::freed, std::memory_order_relaxed);
    entry.stride_or_freed.store(number, std::memory_order_relaxed);
  }
  static void forget(Entry& entry) noexcept { entry.is.store(Entry::Is::gone, std::memory_order_relaxed); }
  static void set_lent(Entry& entry, bool lent) noexcept;
  // Room for so many more; false, and nothing changed, when there is no memory. next_deallocation: the number of the next one.
  bool make_room(std::size_t blocks, std::uint64_t next_deallocation) noexcept;
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
  // In the second array: some bits of the hash of a level and a granule, and the number of an entry + 1. 0: none.
  using Word = std::atomic<std::uint64_t>;

  Entry* home_of(std::uintptr_t address) const noexcept { return entries_ + (spread(address) >> shift_); }
  Entry* next_to(Entry* entry) const noexcept { return ++entry == end_ ? entries_ : entry; }
  Entry* claim(std::uintptr_t address, bool& anew) noexcept;
  bool note_place(const Entry& entry, std::uintptr_t address, std::size_t size) noexcept;
  template <class Action>
  void for_each_in_granule(unsigned level, std::uintptr_t granule, Action action) const noexcept;
  bool use_arrays_of(std::size_t capacity) noexcept;

  Entry *entries_ = nullptr, *end_ = nullptr;
  Word* words_ = nullptr;
  unsigned shift_ = 0;  // 64 - log2 of the capacity; the second array is twice as long
  unsigned doublings_ = 0;
  std::atomic<std::uint64_t> levels_ = 0;  // one bit for each that has blocks
  std::atomic<std::size_t> used_ = 0, used_words_ = 0;
};

}  // namespace cadastre::internal
#endif
