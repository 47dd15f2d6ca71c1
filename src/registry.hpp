// Tangled from org/registry.org; change the chapter, then run: make tangle
// All records of one context: filed, found, remembered, counted.
#ifndef CADASTRE_SRC_REGISTRY_HPP
#define CADASTRE_SRC_REGISTRY_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "accounting.hpp"
#include "accounts.hpp"
#include "core/heap.hpp"
#include "indexes.hpp"
#include "vocabulary.hpp"

namespace cadastre::internal {

// What a call has reserved while it is outside: rooms for records, bytes in an account, the record of a block that it resizes.
struct Begun {
  Number rooms = 0, hidden = no_record;
  cadastre_memory_type type = CADASTRE_HOST;
  std::size_t bytes = 0;
  const Begun* before = nullptr;  // of the same thread, in the same context
};

class Registry {
 public:
  static constexpr std::size_t remembered = 4096;
  using Lost = void (*)(const Record& block) noexcept;

  // lost: null, or who is told of each block that counts as lost. parent: null, or whose memory counts what counts here.
  explicit Registry(Lost lost = nullptr, SharedAccount* parent = nullptr) noexcept : lost_(lost), shared_(parent) {}
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Whether nothing but the heap was ever used, and no device; then makes it as new, below no parent, when all is discharged.
  bool has_used_its_heap_only() const noexcept;
  void renew() noexcept;
  // Whether anything was ever counted; with the heap closed.
  bool has_counted() const noexcept {
    bool any = false;
    for (const Accounts& accounts : accounts_) any |= accounts.all.has_counted();
    return any;
  }

  // Makes room for one more record, of a block or a borrowed range; false, and nothing changed, when there
  // is no memory or no number left.
  bool reserve(bool borrowed = false) noexcept;
  void cancel() noexcept { --reserved_; }
  // Reserves bytes that a block is to have, unless a limit refuses; and gives them up when it came to nothing.
  std::optional<Refusal> reserve_bytes(cadastre_memory_type type, std::size_t bytes) noexcept {
    const std::optional<Refusal> refusal = shared_.claim(type, bytes);
    if (!refusal) accounts(type).reserved += bytes;
    return refusal;
  }
  void cancel_bytes(cadastre_memory_type type, std::size_t bytes) noexcept {
    accounts(type).reserved -= bytes;
    shared_.cancel(type, bytes);
  }
  // Forgets what other threads had begun, which are not there after a fork: reservations, and blocks that
  // were being resized, whose addresses nobody can tell any more; these count as lost. own: what this thread has begun.
  void forget_other_threads(const Begun* own = nullptr) noexcept;

  // Files a block, in the table where it stands alone, else in the room that was reserved, and counts it. Takes pointer, size,
  // type and so on from the argument; numbers it.
  void enter(const Record& block) noexcept;
  // Numbers the block that was entered last anew: with least, or with the number that it has where that is more.
  std::uint64_t renumber(const void* last, std::uint64_t least) noexcept;
  // Takes a live block out and remembers it; counts a deallocation, or a borrowed block less.
  void remove(const void* pointer) noexcept;
  // Counts a block that was removed as not freed after all.
  void free_failed(const Record& record) noexcept;
  // Marks the live block around an address as part of a workspace, or no longer.
  void mark_workspace(const void* address, bool part) noexcept;

  // The live block that begins at an address, the one around it, and the same of those that were freed.
  std::optional<Record> at(const void* pointer) const noexcept;
  std::optional<Record> around(const void* address) const noexcept;
  std::optional<Record> freed_at(const void* pointer) const noexcept;
  std::optional<Record> freed_around(const void* address) const noexcept;
  // What was known of the blocks around an address, and was overwritten; the same of blocks of the calling thread, of which nobody was told.
  std::optional<Damage> damage_around(const void* address) noexcept;
  std::optional<Damage> take_damage() noexcept { return heap_.take_damage(); }
  // The live block that holds the first or the last byte of a borrowed range, or has its place in the level index.
  std::optional<Record> overlapping(const Record& range) const noexcept;
  // A live block that begins inside a range, behind its first byte. Looks at all there are.
  std::optional<Record> beginning_inside(const Record& range) const noexcept;

  // While a block is being resized no address finds it; it stays alive and counted. Takes one of the rooms that were
  // reserved: the record stands for the block, whatever it was.
  Record& hide_block(const void* pointer) noexcept;
  // The same of a block that has a record in the array, which takes no room.
  Record& hide_recorded(const void* pointer) noexcept {
    Record& record = *find(pointer);
    hide(record);
    return record;
  }
  // As remove, of a hidden block, whose address may have been given out again.
  void remove_hidden(Record& hidden) noexcept;
  void show_block(Record& hidden) noexcept;
  // Counts a new size, whose growth was reserved in the account, and notes it in a hidden record.
  void resize(Record& hidden, std::size_t size) noexcept;
  // Remembers, in the room that was reserved, where a block was before it was resized. Counts nothing.
  void file_moved(const Record& before) noexcept;

  // Copies of all records that are alive, in the order of their allocation. Throws std::bad_alloc.
  std::vector<Record> snapshot() const;
  template <class Action>
  void for_each(Action action) const;
  template <class Action>
  void for_each_recorded(Action action) const {
    for (Number number = 0; number < used_; ++number) {
      const Record& record = records_[number];
      if (record.state == State::live || record.state == State::hidden) action(record);
    }
  }
  // Of those that stand alone.
  template <class Action>
  void for_each_alone(Action action) const {
    close_heap();
    heap_.table().for_each_live([&](const Entry& entry) { action(*Table::read(entry, Kind::live)); });
  }

  // The blocks in slabs, as they are: open, or closed. What is said of all blocks is true of these, too; what needs the heap to be closed
  // closes it, and it stays closed until it is opened.
  Heap& heap() noexcept { return heap_; }
  const Heap& heap() const noexcept { return heap_; }
  // A block in a slab whose bytes were reserved, filed and counted; null where it cannot be one, or there is no memory.
  void* allocate_in_slab(const cadastre_memory_info_struct& info, OriginNumber origin, cadastre_context context) noexcept;
  // The same in place of another, whose first bytes are copied, and which is gone then. Null, and nothing changed, if not.
  void* move_in_slab(const Record& old, std::size_t size, cadastre_context context) noexcept;
  // Nobody is in the heap, and all that is counted there is told.
  void close_heap() const noexcept;
  // The same, where the first step of closing, close_doors, was done before.
  void close_heap_behind_doors() const noexcept;
  // The same as close_heap, unless a thread stays inside longer than that.
  bool close_heap_within(std::chrono::nanoseconds most) const noexcept;
  // Where the calling thread has no shard, gives it one; false when there is no memory.
  bool provide_shard(cadastre_context context) noexcept;
  // Gives the calling thread's shard a desk, which no shard has; and takes it away from whoever has it.
  bool give_desk(Desk& desk, cadastre_context context) noexcept { return provide_shard(context) && heap_.give_desk(desk); }
  enum class DeskOf : std::uint8_t { caller, another };
  DeskOf take_desk() const noexcept;
  void abandon_shard(Shard& shard) noexcept { heap_.abandon(shard, accounts(CADASTRE_HOST).all.figures); }
  // Whether a record in the array may have an address that the C library gives.
  bool has_strangers() const noexcept { return strangers_ > 0; }

  // The same for blocks that have a record in the array.
  Record& file(const Record& block) noexcept;
  void bury(Record& record) noexcept;
  void hide(Record& record) noexcept;
  void show(Record& record) noexcept;
  Record* find(const void* pointer) const noexcept { return at(pointer, State::live); }
  Record* find_freed(const void* pointer) const noexcept { return at(pointer, State::freed); }
  Record* locate(const void* address) const noexcept { return holding(address, State::live); }
  Record* locate_freed(const void* address) const noexcept { return holding(address, State::freed); }

  Accounts& accounts(cadastre_memory_type type) noexcept { return accounts_[static_cast<std::size_t>(type)]; }
  const Accounts& accounts(cadastre_memory_type type) const noexcept {
    return accounts_[static_cast<std::size_t>(type)];
  }
  SharedAccount& shared() noexcept { return shared_; }
  const SharedAccount& shared() const noexcept { return shared_; }
  // Counts all that is here in shared accounts that were cleared.
  void charge_anew() noexcept;
  // Takes all that is here out of them.
  void discharge_all() noexcept;
  // The figures of all devices, with the limit.
  cadastre_statistics_struct figures(cadastre_memory_type type) const noexcept {
    cadastre_statistics_struct figures = account(type).figures;
    figures.limit = shared_.of(type).limit();
    if (type == CADASTRE_HOST && heap_.is_used()) {
      figures.high_water_mark_bytes = std::max(figures.high_water_mark_bytes, shared_.of(type).most_live());
      figures.high_water_mark_blocks = std::max(figures.high_water_mark_blocks, shared_.of(type).most_blocks());
    }
    return figures;
  }
  // That of all devices, with all that threads have counted in their shards.
  Account& account(cadastre_memory_type type) noexcept {
    if (type == CADASTRE_HOST) close_heap();
    return accounts(type).all;
  }
  const Account& account(cadastre_memory_type type) const noexcept {
    if (type == CADASTRE_HOST) close_heap();
    return accounts(type).all;
  }
  std::size_t live() const noexcept;
  // What cadastre_get_registry_info tells.
  cadastre_registry_info_struct info() const noexcept;

  // Whether everything that is said above holds, and the most entries that a look-up passes; for tests.
  bool consistent() const;
  std::size_t longest_probe() const noexcept;

 private:
  Record* at(const void* pointer, State state) const noexcept;
  Record* holding(const void* address, State state) const noexcept;
  // The heap, closed, where a slab of it lies around an address; else null.
  Heap* heap_around(const void* address) const noexcept {
    if (!heap_.has_slab_at(address_of(address))) return nullptr;
    close_heap();
    return &heap_;
  }
  // The live block in a slab that begins there, with the heap closed; empty for none.
  std::optional<Record> in_slab_at(const void* pointer) const noexcept {
    Heap* const heap = heap_around(pointer);
    return heap ? heap->at(address_of(pointer)) : std::nullopt;
  }
  // Tells what the calling thread has counted in its shard, before numbers are drawn or the accounts' marks move. Cheap where that is
  // nothing.
  void gather_own() noexcept;
  void gather_heap() const noexcept;

  // The entry of a live block that stands alone, with the heap closed; null for none.
  Entry* alone_at(const void* pointer) const noexcept {
    Entry* const entry = heap_.table().find_live(address_of(pointer));
    if (entry) close_heap();
    return entry && entry->is_there() ? entry : nullptr;
  }
  bool table_knows(std::uintptr_t address) const noexcept {
    const Entry* const entry = heap_.table().find(address);
    return entry && entry->is != Entry::Is::gone;
  }
  bool may_be_the_c_librarys(const Record& record) const noexcept {
    return record.borrowed() || (record.backend != CADASTRE_BACKEND_CUDA && record.backend != CADASTRE_BACKEND_OPENMP);
  }
  std::optional<Record> of_both(Kind kind, const void* address) const noexcept;
  bool is_granted_again(const Record& hidden) noexcept;
  bool enter_alone(const Record& block) noexcept;
  bool move_in(const Record& block) noexcept;
  void displace_alone(std::uintptr_t address) noexcept;
  // Calls for each borrowed range that shares bytes with others and does not enclose them; ends when action says so.
  template <class Action>
  bool for_each_cut(std::uintptr_t address, std::size_t size, Action action) const noexcept;
  void drop_stale(const Record& block) noexcept;
  void count_as_lost(const Record& record) noexcept;

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
  void join(const Record& record) noexcept;
  void leave(const Record& record) noexcept;

  const Lost lost_;
  SharedAccount shared_;
  Records records_;
  Index exact_;
  LevelIndex owned_{records_}, borrowed_{records_};
  std::vector<Number> ranges_;         // that are borrowed, in no order; older says where one stands
  Number used_ = 0;                    // records that have ever been used
  Number reserved_ = 0;
  Number vacant_ = 0, first_vacant_ = no_record;
  Number freed_ = 0, oldest_freed_ = no_record, newest_freed_ = no_record;
  Number strangers_ = 0;  // live records whose memory the C library may have given
  alignas(64) ContextNumbers numbers_;  // apart from what shards only read
  // What shards have counted comes here when somebody asks, be it only to read.
  mutable Heap heap_{shared_, numbers_};
  mutable std::array<Accounts, memory_types> accounts_;
};

template <class Action>
void Registry::for_each(Action action) const {
  close_heap();
  for_each_recorded(action);
  heap_.for_each_live(action);
  for_each_alone(action);
}

}  // namespace cadastre::internal
#endif
