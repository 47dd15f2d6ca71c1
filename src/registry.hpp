// Tangled from org/registry.org; change the chapter, then run: make tangle
// All records of one context: filed, found, remembered, counted.
#ifndef CADASTRE_SRC_REGISTRY_HPP
#define CADASTRE_SRC_REGISTRY_HPP

#include <algorithm>
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
  void count_in(const Record& record) noexcept {
    if (record.borrowed()) {
      ++figures.borrowed_blocks;
      return;
    }
    ++figures.allocations;
    ++figures.live_blocks;
    figures.high_water_blocks = std::max(figures.high_water_blocks, figures.live_blocks);
    grow(record.size, !(record.flags & CADASTRE_UNINITIALIZED));
  }
  void count_out(const Record& record) noexcept {
    if (record.borrowed()) {
      --figures.borrowed_blocks;
      return;
    }
    --figures.live_blocks;
    figures.live_bytes -= record.size;
  }
  void grow(std::size_t bytes, bool zeroed) noexcept {
    figures.live_bytes += bytes;
    figures.total_bytes += bytes;
    if (zeroed) figures.zeroed_bytes += bytes;
    figures.high_water_mark = std::max(figures.high_water_mark, figures.live_bytes);
  }
  void reset_high_water_marks() noexcept {
    figures.high_water_mark = figures.live_bytes;
    figures.high_water_blocks = figures.live_blocks;
  }
};

class Accounts {
 public:
  Account all;

  // Makes sure that a device has an account; false when the host has no memory.
  bool open(std::int32_t device) noexcept;
  // Null when nothing was ever on that device, and for memory that belongs to none.
  Account* of(std::int32_t device) noexcept {
    for (Entry& entry : devices_) {
      if (entry.device == device) return &entry.account;
    }
    return nullptr;
  }
  void reset_high_water_marks() noexcept {
    all.reset_high_water_marks();
    for (Entry& entry : devices_) entry.account.reset_high_water_marks();
  }
  // Does the same to the account of all devices and to that of one.
  template <class Action>
  void each(std::int32_t device, Action action) noexcept {
    action(all);
    if (Account* const own = of(device)) action(*own);
  }
  template <class Action>
  void for_each_device(Action action) const {
    for (const Entry& entry : devices_) action(entry.device, entry.account);
  }

 private:
  struct Entry {
    std::int32_t device;
    Account account;
  };
  std::vector<Entry> devices_;
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
  // The most entries that a look-up has to pass; for tests.
  std::size_t longest_probe() const noexcept;

 private:
  struct Entry {
    std::uint32_t hash;
    Number number;
  };

  static std::uint32_t hash_of(std::uint64_t key) noexcept {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;
    key *= golden;
    key ^= key >> 32;
    return static_cast<std::uint32_t>((key * golden) >> 32);
  }
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

  bool reserve(std::size_t entries) noexcept { return index_.reserve(entries); }
  // The record that has the place that this one has or would have.
  Number at_place_of(const Record& record) const noexcept;
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
  std::array<Number, 64> entries_{};  // of each level
  std::uint64_t in_use_ = 0;          // one bit for each level that has entries
};

class Registry {
 public:
  static constexpr std::size_t remembered = 4096;
  using Lost = void (*)(const Record& block) noexcept;

  // lost: null, or who is told of each block that counts as lost.
  explicit Registry(Lost lost = nullptr) noexcept : lost_(lost) {}
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Makes room for one more record, of a block or a borrowed range; false, and nothing changed, when there
  // is no memory or no number left.
  bool reserve(bool borrowed = false) noexcept;
  void cancel() noexcept { --reserved_; }
  // Forgets what other threads had begun, which are not there after a fork: reservations, and blocks that
  // were being resized, whose addresses nobody can tell any more; these count as lost.
  void forget_other_threads() noexcept;

  // Files a block in the room that was reserved, and counts it. Takes pointer, size, type and so on from
  // the argument; numbers it.
  Record& file(const Record& block) noexcept;
  // Numbers the record that was filed last anew: with least, or with the number that it has where that is more.
  std::uint64_t renumber(Record& last, std::uint64_t least) noexcept {
    last.serial = std::max(last.serial, least);
    next_serial_ = last.serial + 1;
    return last.serial;
  }
  // The live record that holds the first or the last byte of a borrowed range, or has its place in the
  // level index; null for none.
  Record* overlapping(const Record& range) noexcept;
  // Takes a live block out and remembers it; counts a deallocation, or a borrowed block less.
  void bury(Record& record) noexcept;
  // Remembers, in the room that was reserved, where a block was before it was resized. Counts nothing.
  void file_moved(const Record& before) noexcept;
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
  template <class Action>
  void for_each(Action action) const {
    for (Number number = 0; number < used_; ++number) {
      const Record& record = records_[number];
      if (record.state == State::live || record.state == State::hidden) action(record);
    }
  }

  Accounts& accounts(cadastre_memory_type type) noexcept { return accounts_[static_cast<std::size_t>(type)]; }
  const Accounts& accounts(cadastre_memory_type type) const noexcept {
    return accounts_[static_cast<std::size_t>(type)];
  }
  // That of all devices.
  Account& account(cadastre_memory_type type) noexcept { return accounts(type).all; }
  const Account& account(cadastre_memory_type type) const noexcept { return accounts(type).all; }
  std::size_t live() const noexcept { return used_ - vacant_ - freed_; }

  // Whether everything that is said above holds, and the most entries that a look-up passes; for tests.
  bool consistent() const;
  std::size_t longest_probe() const noexcept { return std::max(exact_.longest_probe(), owned_.longest_probe()); }

 private:
  Record* at(const void* pointer, State state) noexcept;
  Record* holding(const void* address, State state) noexcept;

  Number number_at(std::uintptr_t address) const noexcept;
  LevelIndex& levels_of(const Record& record) noexcept { return record.borrowed() ? borrowed_ : owned_; }
  const LevelIndex& levels_of(const Record& record) const noexcept {
    return record.borrowed() ? borrowed_ : owned_;
  }
  void index_level(const Record& record) noexcept;
  void unindex(const Record& record) noexcept;

  Number take_vacant() noexcept;
  void vacate(Record& record) noexcept;
  void remember(Record& record) noexcept;
  void unremember(Record& record) noexcept;
  void evict(Record& record) noexcept;
  void count_in(const Record& record) noexcept;
  void count_out(const Record& record) noexcept;

  const Lost lost_;
  Records records_;
  Index exact_;
  LevelIndex owned_{records_}, borrowed_{records_};
  Number used_ = 0;                    // records that have ever been used
  Number reserved_ = 0;
  Number vacant_ = 0, first_vacant_ = no_record;
  Number freed_ = 0, oldest_freed_ = no_record, newest_freed_ = no_record;
  std::uint64_t next_serial_ = 1;
  std::uint64_t deallocations_ = 0;
  std::array<Accounts, memory_types> accounts_;
};

}  // namespace cadastre::internal
#endif
