// Tangled from org/indexes.org; change the chapter, then run: make tangle
// Records that never move, and the way from an address to one: by the first byte, and by any.
#ifndef CADASTRE_SRC_INDEXES_HPP
#define CADASTRE_SRC_INDEXES_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "label.hpp"
#include "record.hpp"

namespace cadastre::internal {

using Number = std::uint32_t;  // of a record
inline constexpr Number no_record = UINT32_MAX;

class Records {
 public:
  Records() = default;
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;
  ~Records();

  Number capacity() const noexcept { return segments_ == 0 ? 0 : first_segment << (segments_ - 1); }
  // Doubles the capacity; false when the host has no memory.
  bool grow() noexcept;
  unsigned doublings() const noexcept { return segments_ == 0 ? 0 : segments_ - 1; }

  Record& operator[](Number number) const noexcept {
    const auto segment = static_cast<unsigned>(std::bit_width(number / first_segment));
    return segment_[segment][number - start_of(segment)];
  }

  static constexpr Number largest_capacity = Number{1} << 31;

 private:
  static constexpr Number first_segment = 64;
  static constexpr Number start_of(unsigned segment) noexcept {
    return segment == 0 ? 0 : first_segment << (segment - 1);
  }

  std::array<Record*, 27> segment_{};
  unsigned segments_ = 0;
};

class Index {
 public:
  Index() = default;
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;
  ~Index();

  // Makes room for so many entries; false, and nothing changed, when the host has no memory.
  bool reserve(std::size_t entries) noexcept;

  template <class Same>
  Number find(std::uint64_t key, Same same) const noexcept {
    if (mask_ == 0) return no_record;
    const std::uint32_t hash = hash_of(key);
    for (std::size_t slot = home_of(hash);; slot = (slot + 1) & mask_) {
      const Entry entry = entries_[slot];
      if (entry.number == no_record) return no_record;
      if (entry.hash == hash && same(entry.number)) return entry.number;
    }
  }
  // The key must not be there, and there must be room.
  void insert(std::uint64_t key, Number number) noexcept;
  // Removes the entry of that key with that number; false when there is none.
  bool erase(std::uint64_t key, Number number) noexcept;

  std::size_t size() const noexcept { return size_; }
  // The most entries that a look-up has to pass; for tests.
  std::size_t longest_probe() const noexcept;

 private:
  struct Entry {
    std::uint32_t hash;
    Number number;
  };

  static std::uint32_t hash_of(std::uint64_t key) noexcept { return static_cast<std::uint32_t>(spread(key) >> 32); }
  std::size_t home_of(std::uint32_t hash) const noexcept { return hash >> shift_; }
  void place(Entry entry) noexcept;

  std::unique_ptr<Entry[]> entries_;
  std::size_t mask_ = 0;  // number of slots - 1
  unsigned shift_ = 0;    // 32 - log2 of the number of slots
  std::size_t size_ = 0;
};

// From (level, granule) to the one record of that level that begins in that granule.
class LevelIndex {
 public:
  explicit LevelIndex(const Records& records) noexcept : records_(records) {}

  bool reserve(std::size_t entries) noexcept {
    if (!counts_) counts_.reset(new (std::nothrow) Counts{});
    return counts_ && index_.reserve(entries);
  }
  // The record that has the place that this one has or would have.
  Number at_place_of(const Record& record) const noexcept;
  // The first record of the same level that begins in this one, or in its place.
  Number begins_in(const Record& record) const noexcept;
  // Calls for each record that begins in a range or reaches into it, or more; what it is called for may leave the index.
  template <class Action>
  bool for_each_near(std::uintptr_t first, std::uintptr_t last, Action action) const noexcept {
    for (std::uint64_t levels = in_use_; levels != 0; levels &= levels - 1) {
      const auto level = static_cast<unsigned>(std::countr_zero(levels));
      const std::uint64_t begin = first >> level, end = last >> level;
      for (std::uint64_t granule = begin - std::min<std::uint64_t>(begin, 2);; ++granule) {
        const Number number = find(level, granule);
        if (number != no_record && action(number)) return true;
        if (granule == end) break;
      }
    }
    return false;
  }
  // How many look-ups that takes.
  std::size_t look_ups(std::uintptr_t first, std::uintptr_t last) const noexcept;
  void insert(const Record& record) noexcept;
  void erase(const Record& record) noexcept;
  // The innermost record in a state that holds an address.
  Number holding(std::uintptr_t address, State state) const noexcept;
  std::size_t size() const noexcept { return index_.size(); }
  std::size_t longest_probe() const noexcept { return index_.longest_probe(); }

 private:
  Number find(unsigned level, std::uint64_t granule) const noexcept;

  const Records& records_;
  Index index_;
  using Counts = std::array<Number, 64>;
  std::unique_ptr<Counts> counts_;  // the entries of each level; for nothing that is in no level
  std::uint64_t in_use_ = 0;        // one bit for each level that has entries
};

}  // namespace cadastre::internal
#endif
