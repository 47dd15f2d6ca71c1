// Tangled from org/registry.org; change the chapter, then run: make tangle
// All records of one context: filed, found, remembered, counted.
#ifndef CADASTRE_SRC_REGISTRY_HPP
#define CADASTRE_SRC_REGISTRY_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "record.hpp"
#include "vocabulary.hpp"

namespace cadastre::internal {

using Number = std::uint32_t;  // of a record
inline constexpr Number no_record = UINT32_MAX;

struct Account {
  cadastre_statistics_struct figures = {};
  std::size_t reserved = 0;

  Account() noexcept { figures.limit = CADASTRE_UNLIMITED; }

  std::size_t claimed() const noexcept { return figures.live_bytes + reserved; }
  bool reserve(std::size_t bytes) noexcept {
    if (sum_wraps(claimed(), bytes) || (bytes > 0 && claimed() + bytes > figures.limit)) return false;
    reserved += bytes;
    return true;
  }
  void cancel(std::size_t bytes) noexcept { reserved -= bytes; }
  void count_block() noexcept {
    ++figures.allocations;
    ++figures.live_blocks;
    if (figures.live_blocks > figures.high_water_blocks) figures.high_water_blocks = figures.live_blocks;
  }
  void grow(std::size_t bytes) noexcept {
    figures.live_bytes += bytes;
    figures.total_bytes += bytes;
    if (figures.live_bytes > figures.high_water_mark) figures.high_water_mark = figures.live_bytes;
  }
};

class Records {
 public:
  Records() = default;
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;
  ~Records();

  Number capacity() const noexcept { return segments_ == 0 ? 0 : first_segment << (segments_ - 1); }
  // Doubles the capacity; false when the host has no memory.
  bool grow() noexcept;

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

 private:
  struct Entry {
    std::uint32_t hash;
    Number number;
  };

  static std::uint32_t hash_of(std::uint64_t key) noexcept {
    return static_cast<std::uint32_t>((key * 0x9E3779B97F4A7C15u) >> 32);
  }
  std::size_t home_of(std::uint32_t hash) const noexcept { return hash >> shift_; }
  void place(Entry entry) noexcept;

  std::unique_ptr<Entry[]> entries_;
  std::size_t mask_ = 0;  // number of slots - 1
  unsigned shift_ = 0;    // 32 - log2 of the number of slots
  std::size_t size_ = 0;
};

class Registry {
 public:
  static constexpr std::size_t remembered = 4096;

  Registry() = default;
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Makes room for one more record; false, and nothing changed, when there is no memory or no number left.
  bool reserve() noexcept;
  void cancel() noexcept { --reserved_; }
  // Forgets all reservations, of records and of bytes: after a fork, those who made them are gone.
  void cancel_all() noexcept;

  // Files a block in the room that was reserved, and counts it. Takes pointer, size, type and so on from
  // the argument; numbers it.
  Record& file(const Record& block) noexcept;
  // Whether a borrowed range meets a live record by its first or last byte, or by its place in the level
  // index; that record, or null.
  Record* overlapping(const Record& range) noexcept;
  // Takes a live block out and remembers it; counts a deallocation, or a borrowed block less.
  void bury(Record& record) noexcept;
  // Counts a block that was buried as not freed after all.
  void free_failed(const Record& record) noexcept;

  // While a block is being resized no address finds it; it stays alive and counted.
  void hide(Record& record) noexcept;
  void show(Record& record) noexcept;
  // Counts a new size, whose growth was reserved in the account, and notes it in a hidden record.
  void resize(Record& record, std::size_t size) noexcept;

  Record* find(const void* pointer) noexcept { return at(pointer, State::live); }
  Record* find_freed(const void* pointer) noexcept { return at(pointer, State::freed); }
  Record* locate(const void* address) noexcept { return holding(address, State::live); }
  Record* locate_freed(const void* address) noexcept { return holding(address, State::freed); }

  // Copies of all records that are alive, in the order of their allocation. Throws std::bad_alloc.
  std::vector<Record> snapshot() const;
  template <class Visit>
  void for_each(Visit visit) const {
    for (Number number = 0; number < used_; ++number) {
      const Record& record = records_[number];
      if (record.state == State::live || record.state == State::hidden) visit(record);
    }
  }

  Account& account(cadastre_memory_type type) noexcept { return accounts_[static_cast<std::size_t>(type)]; }
  const Account& account(cadastre_memory_type type) const noexcept {
    return accounts_[static_cast<std::size_t>(type)];
  }
  std::size_t live() const noexcept { return used_ - vacant_ - freed_; }

  // Whether everything that is said above holds; for tests.
  bool consistent() const noexcept;

 private:
  Record* at(const void* pointer, State state) noexcept;
  Record* holding(const void* address, State state) noexcept;

  Number number_at(std::uintptr_t address) const noexcept;
  Number number_at_level(unsigned level, std::uint64_t granule) const noexcept;
  void index_level(Record& record) noexcept;
  void unindex_level(const Record& record) noexcept;
  void unindex(const Record& record) noexcept;

  Number take_vacant() noexcept;
  void vacate(Record& record) noexcept;
  void remember(Record& record) noexcept;
  void unremember(Record& record) noexcept;
  void evict(Record& record) noexcept;
  void count_in(const Record& record) noexcept;
  void count_out(const Record& record) noexcept;

  Records records_;
  Index exact_;
  Index levels_;
  std::array<Number, 64> at_level_{};  // entries of each level
  std::uint64_t levels_in_use_ = 0;    // one bit for each level that has entries
  Number used_ = 0;                    // records that have ever been used
  Number reserved_ = 0;
  Number vacant_ = 0, first_vacant_ = no_record;
  Number freed_ = 0, oldest_freed_ = no_record, newest_freed_ = no_record;
  std::uint64_t next_serial_ = 1;
  std::uint64_t deallocations_ = 0;
  std::array<Account, memory_types> accounts_;
};

}  // namespace cadastre::internal
#endif
