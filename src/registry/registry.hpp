// Tangled from org/registry/registry.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// All blocks of one context: filed, found, remembered, counted.
#ifndef CADASTRE_SRC_REGISTRY_REGISTRY_HPP
#define CADASTRE_SRC_REGISTRY_REGISTRY_HPP

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

#include "base/accounting.hpp"
#include "base/vocabulary.hpp"
#include "core/heap.hpp"
#include "registry/accounts.hpp"

namespace cadastre::internal {

// A block that no address finds, while a call resizes it or asks its backend to take it back.
struct Hidden {
  Hidden() = default;
  Hidden(const Hidden&) = delete;
  Hidden& operator=(const Hidden&) = delete;
  Record record;
  bool is_listed = false;
  Hidden *next = nullptr, *previous = nullptr;  // in the registry
};

// What a call has reserved while it is outside: rooms for blocks, bytes in an account; and the block that it resizes.
struct Begun {
  std::size_t rooms = 0;
  const Hidden* hidden = nullptr;
  cadastre_memory_type type = CADASTRE_HOST;
  std::size_t bytes = 0;
  const Begun* before = nullptr;  // of the same thread, in the same context
};

class Registry {
 public:
  using Lost = void (*)(const Record& block) noexcept;

  // lost: null, or who is told of each block that counts as lost. parent: null, or whose memory counts what counts here.
  explicit Registry(Lost lost = nullptr, SharedAccount* parent = nullptr) noexcept : lost_(lost), shared_(parent) {}
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;
  ~Registry() { delete_own(other_labels_); }

  // Whether there was never anything but HOST memory, and none that is borrowed; then makes it as new, below no parent, when all is freed.
  bool has_used_its_heap_only() const noexcept;
  void renew() noexcept;
  // Whether anything was ever counted; with the heap locked.
  bool has_counted() const noexcept {
    bool any = false;
    for (const Accounts& accounts : accounts_) any |= accounts.all.has_counted();
    return any;
  }

  // Reserves room for one more block or borrowed range that stands alone; false, and nothing changed, when there is no memory.
  bool reserve(bool borrowed = false) noexcept;
  void cancel() noexcept { heap_.table().cancel(); }
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

  // Files a block that stands alone in the room that was reserved, numbers and counts it.
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
  // Whether a block that was found before is the same still.
  bool has_still(const Record& block) const noexcept {
    const std::optional<Record> found = at(block.pointer);
    return found && found->serial == block.serial && found->size == block.size;
  }
  std::optional<Record> around(const void* address) const noexcept;
  std::optional<Record> freed_at(const void* pointer) const noexcept;
  std::optional<Record> freed_around(const void* address) const noexcept;
  // What was known of the blocks around an address, and was overwritten; the same of blocks of the calling thread, of which nobody was told.
  std::optional<Damage> damage_around(const void* address) noexcept;
  std::optional<Damage> take_damage() noexcept { return heap_.take_damage(); }
  // A live block that holds the first or the last byte of a borrowed range.
  std::optional<Record> overlapping(const Record& range) const noexcept;
  // A live block that begins inside a range, behind its first byte. Looks at all there are.
  std::optional<Record> beginning_inside(const Record& range) const noexcept;

  // Hides a live block, which stays alive and counted. hidden must stay where it is until one of those that follow takes it.
  void hide(const void* pointer, Hidden& hidden) noexcept;
  // As remove, of a hidden block, whose address may have been given out again.
  void remove_hidden(Hidden& hidden) noexcept;
  // Shows it again, perhaps at another address, for which a room was reserved that is given up.
  void show(Hidden& hidden) noexcept;
  // The same where it was, without a room.
  void show_where_it_was(Hidden& hidden) noexcept;
  // Counts a new size, whose growth was reserved in the account, and notes it.
  void resize(Record& record, std::size_t size) noexcept;
  // Remembers where a block was before it was resized. Counts nothing.
  void note_moved(const Record& before) noexcept;

  // Copies of all records that are alive, in the order of their allocation. Throws std::bad_alloc.
  std::vector<Record> snapshot() const;
  template <class Action>
  void for_each(Action action) const;
  // Of those that stand alone, and of hidden ones. Where the heap is unlocked HOST blocks may be missing.
  template <class Action>
  void for_each_alone(Action action) const {
    for (const Hidden* hidden = hidden_; hidden; hidden = hidden->next) action(hidden->record);
    heap_.table().for_each_live([&](const Entry& entry) {
      if (const std::optional<Record> block = Table::read(entry, Kind::live)) action(*block);
    });
  }

  // The blocks in slabs, as they are: locked, or not. What is said of all blocks is true of these, too; what needs the heap to be locked
  // locks it, and it stays locked until it is unlocked.
  Heap& heap() noexcept { return heap_; }
  const Heap& heap() const noexcept { return heap_; }
  // A block in a slab whose bytes were reserved, filed and counted; null where it cannot be one, or there is no memory.
  void* allocate_in_slab(const cadastre_memory_info_struct& info, OriginNumber origin, cadastre_context context) noexcept;
  // The same in place of another, whose first bytes are copied, and which is gone then. Null, and nothing changed, if not.
  void* move_in_slab(const Record& old, std::size_t size, cadastre_context context) noexcept;
  // Nobody is in the heap, and all that is counted there is told.
  void lock_heap() const noexcept;
  // The same, where the first step of closing, close_doors, was done before.
  void lock_heap_behind_shard_locks() const noexcept;
  // The same as close_heap, unless a thread stays inside longer than that.
  bool lock_heap_within(std::chrono::nanoseconds most) const noexcept;
  // Where the calling thread has no shard, gives it one; false when there is no memory.
  bool provide_shard(cadastre_context context) noexcept;
  // Gives the calling thread's shard a thread workspace, which no shard has; and takes it away from whoever has it.
  bool give_workspace(ThreadWorkspace& thread_workspace, cadastre_context context) noexcept { return provide_shard(context) && heap_.give_workspace(thread_workspace); }
  enum class TakenFrom : std::uint8_t { caller, another };
  TakenFrom take_workspace() const noexcept;
  // The same of a cache of blocks; who takes it enters what was done there.
  bool give_cache(BlockCache& cache, cadastre_context context) noexcept { return provide_shard(context) && heap_.give_cache(cache); }
  TakenFrom take_cache() noexcept;
  void count_cache(const BlockCache& cache) noexcept;
  // Those of a memory type other than HOST; null as long as there are none.
  LabelCounts* labels_of(cadastre_memory_type type) noexcept {
    return other_labels_ ? &other_labels_->of_type[static_cast<std::size_t>(type)] : nullptr;
  }
  void abandon_shard(Shard& shard) noexcept { heap_.abandon(shard, accounts(CADASTRE_HOST).all.figures); }
  // Whether a block in no slab begins there that is not borrowed; the heap may be unlocked.
  bool has_loose_at(const void* pointer) const noexcept {
    const Entry* const entry = heap_.table().find_live(address_of(pointer));
    const std::optional<Record> block = entry ? Table::read(*entry, Kind::live) : std::nullopt;
    return block && !block->borrowed();
  }
  // Counts a block that was freed as one that was freed without the library.
  void count_plain_free(const Record& block) noexcept;
  bool has_borrowed() const noexcept { return !ranges_.empty(); }

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
  // The figures of all devices, with the limit; of a memory type, or the sums of all.
  cadastre_statistics_struct figures(cadastre_memory_type type) const noexcept {
    return type == CADASTRE_ALL_MEMORY_TYPES ? sum_of_figures() : figures_of_type(type);
  }
  // That of all devices, with all that threads have counted in their shards.
  Account& account(cadastre_memory_type type) noexcept {
    if (type == CADASTRE_HOST) lock_heap();
    return accounts(type).all;
  }
  const Account& account(cadastre_memory_type type) const noexcept {
    if (type == CADASTRE_HOST) lock_heap();
    return accounts(type).all;
  }
  // What lives with a label on a memory type; with the heap locked.
  LabelCount count_of_label(cadastre_memory_type type, OriginNumber label) const noexcept {
    if (type == CADASTRE_HOST) return heap_.count_of_label(label);
    return other_labels_ ? other_labels_->of_type[static_cast<std::size_t>(type)].of(label) : LabelCount();
  }
  // Calls for each label and memory type of which any block lives. False, and nothing called, where the counts are not complete.
  template <class Action>
  bool for_each_label(Action action) const;
  // The same by a walk over all blocks.
  template <class Action>
  void for_each_label_by_walk(Action action) const {
    for_each([&](const Record& record) {
      if (!record.borrowed() && record.origin != no_origin) action(record.type, record.origin, LabelCount::of_one(record.size));
    });
  }
  // Whether both say the same. Throws std::bad_alloc.
  bool counts_labels_right() const;
  // Live blocks, the largest first, and of those of a size the oldest; of those in slabs, no more are looked at than are as large.
  // Throws std::bad_alloc.
  std::vector<Record> largest(std::size_t most) const;
  std::size_t live() const noexcept;
  // What cadastre_get_registry_info tells.
  cadastre_registry_info_struct info() const noexcept;

  // Whether everything that is said above holds; for tests.
  bool consistent() const;

 private:
  cadastre_statistics_struct figures_of_type(cadastre_memory_type type) const noexcept {
    cadastre_statistics_struct figures = account(type).figures;
    figures.limit = shared_.of(type).limit();
    if (type == CADASTRE_HOST && heap_.is_used()) {
      figures.high_water_mark_bytes = std::max(figures.high_water_mark_bytes, shared_.of(type).most_live());
      figures.high_water_mark_blocks = std::max(figures.high_water_mark_blocks, shared_.of(type).most_blocks());
    }
    return figures;
  }
  cadastre_statistics_struct sum_of_figures() const noexcept;

  // The heap, locked, where a slab of it lies around an address; else null.
  Heap* heap_around(const void* address) const noexcept {
    if (!heap_.has_slab_at(address_of(address))) return nullptr;
    lock_heap();
    return &heap_;
  }
  // The live block in a slab that begins there, with the heap locked; empty for none.
  std::optional<Record> in_slab_at(const void* pointer) const noexcept {
    Heap* const heap = heap_around(pointer);
    return heap ? heap->at(address_of(pointer)) : std::nullopt;
  }
  // Tells what the calling thread has counted in its shard, before numbers are drawn or the accounts' marks move. Cheap where that is
  // nothing.
  void gather_own() noexcept;
  void gather_heap() const noexcept;

  // The entry of a live block that stands alone; with the heap locked where threads may free it in their shards. Null for none.
  Entry* entry_of(const void* pointer) const noexcept {
    Entry* const entry = heap_.table().find_live(address_of(pointer));
    if (!entry || !Table::is_on_a_heap(*entry)) return entry;
    lock_heap();
    return entry->is_there() ? entry : nullptr;
  }
  std::optional<Record> of_any(Kind kind, const void* address) const noexcept;
  void file_in_room(const Record& block) noexcept;
  void make_way(const Record& block) noexcept;
  void note_range(const Record& range) noexcept;
  void forget_range(Entry& range) noexcept;
  void list(Hidden& hidden) noexcept;
  bool unlist(Hidden& hidden) noexcept;
  // Calls for each borrowed range that shares bytes with others and does not enclose them.
  template <class Action>
  void for_each_cut(std::uintptr_t address, std::size_t size, Action action) const noexcept;
  void drop_stale(const Record& block) noexcept;
  void lose(Entry& entry) noexcept;
  void count_as_lost(const Record& record) noexcept;

  void count_in(const Record& record) noexcept;
  void count_out(const Record& record) noexcept;
  std::uint64_t number_deallocation(const Record& record) noexcept;
  void count_label(const Record& record, const LabelCount& count) noexcept {
    if (record.origin != no_origin) count_some_label(record, count);
  }
  void count_some_label(const Record& record, const LabelCount& count) noexcept;

  const Lost lost_;
  SharedAccount shared_;
  OwnVector<std::uintptr_t> ranges_;  // that are borrowed, in no order; the entry of each says where it stands
  Hidden* hidden_ = nullptr;
  std::size_t hidden_blocks_ = 0;
  alignas(64) ContextNumbers numbers_;  // apart from what shards only read
  // What shards have counted comes here when somebody asks, be it only to read.
  mutable Heap heap_{shared_, numbers_};
  mutable std::array<Accounts, memory_types> accounts_;
  struct LabelsOfTypes {
    std::array<LabelCounts, memory_types> of_type;  // those of HOST are the heap's
    bool are_complete() const noexcept {
      return std::all_of(of_type.begin(), of_type.end(), [](const LabelCounts& counts) { return counts.are_complete(); });
    }
  };
  LabelsOfTypes* other_labels_ = nullptr;  // null as long as there are none
  bool misses_labels_ = false;             // for want of memory
};

template <class Action>
bool Registry::for_each_label(Action action) const {
  lock_heap();
  std::uint64_t end = heap_.labels_end();
  if (other_labels_) {
    for (const LabelCounts& counts : other_labels_->of_type) end = std::max(end, counts.end());
  }
  const bool complete = heap_.label_counts_are_complete() && !misses_labels_ && (!other_labels_ || other_labels_->are_complete());
  for (std::uint64_t label = no_origin + 1; complete && label < end; ++label) {
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      const LabelCount count = count_of_label(type, static_cast<OriginNumber>(label));
      if (count != LabelCount()) action(type, static_cast<OriginNumber>(label), count);
    }
  }
  return complete;
}

template <class Action>
void Registry::for_each(Action action) const {
  lock_heap();
  heap_.for_each_live(action);
  for_each_alone(action);
}

}  // namespace cadastre::internal
#endif
