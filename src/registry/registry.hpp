// Tangled from org/registry/registry.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// All blocks of one context: filed, found, remembered, counted.
#ifndef CADASTRE_SRC_REGISTRY_REGISTRY_HPP
#define CADASTRE_SRC_REGISTRY_REGISTRY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/accounting.hpp"
#include "base/non_copyable.hpp"
#include "base/record.hpp"
#include "core/heap.hpp"
#include "registry/accounts.hpp"
#include "registry/borrowed_ranges.hpp"
#include "registry/hidden_blocks.hpp"

namespace cadastre::internal {

// What a call has reserved while it has unlocked the context: rooms for blocks, bytes in an account; and the block that it has hidden.
struct Begun {
  std::size_t rooms = 0;
  const Hidden* hidden = nullptr;
  cadastre_memory_type type = CADASTRE_HOST;
  std::size_t bytes = 0;
  const Begun* before = nullptr;  // of the same thread, in the same context
};

// Each live block is in one place: in a slab, in the table, or hidden. It is counted in the accounts from the moment at which it comes until it
// goes, and so is each reservation.
class Registry : NonCopyable {
 public:
  using Lost = void (*)(const Record& block) noexcept;

  // lost: null, or who is told of each block that counts as lost. parent: null, or whose memory counts what counts here.
  explicit Registry(Lost lost = nullptr, SharedAccount* parent = nullptr) noexcept : lost_(lost), accounts_(parent) {}

  // Whether there was never anything but HOST memory, and none that is borrowed; then makes it as new, below no parent, when all is freed.
  bool has_used_its_heap_only() const noexcept;
  void renew() noexcept;

  ContextAccounts& accounts() noexcept { return accounts_; }
  const ContextAccounts& accounts() const noexcept { return accounts_; }
  // That of all devices, with all that threads have counted in their shards.
  Account& account(cadastre_memory_type type) const noexcept {
    if (type == CADASTRE_HOST) heap_.lock();
    return accounts_.of(type).all;
  }
  // The blocks in slabs, as they are: locked, or not. What is said here of all blocks is true of these, too; what needs the heap to be locked
  // locks it, be it only to read, and it stays locked until it is unlocked.
  Heap& heap() const noexcept { return heap_; }
  const BorrowedRanges& borrowed() const noexcept { return borrowed_; }
  const HiddenBlocks& hidden() const noexcept { return hidden_; }

  // Reserves room for one more block or borrowed range that stands alone; false, and nothing changed, when there is no memory.
  bool reserve(bool borrowed = false) noexcept;
  void cancel() noexcept { heap_.table().cancel(); }
  // Forgets what other threads had begun, which are not there after a fork: reservations, and blocks that
  // were hidden, whose addresses nobody can tell any more; these count as lost. own: what this thread has begun.
  void forget_other_threads(const Begun* own = nullptr) noexcept;

  // Files a block that stands alone in the room that was reserved, numbers and counts it.
  void enter(const Record& block) noexcept;
  // Numbers the block that was entered last anew: with least, or with the number that it has where that is more.
  std::uint64_t renumber(const void* last, std::uint64_t least) noexcept;
  // Takes a live block out and remembers it; counts a deallocation, or a borrowed block less.
  void remove(const void* pointer) noexcept;
  // Marks the live block around an address as part of a workspace, or no longer.
  void mark_workspace(const void* address, bool part) noexcept;

  // The live block that begins at an address, the one around it, and the same of those that were freed.
  std::optional<Record> at(const void* pointer) const noexcept;
  std::optional<Record> around(const void* address) const noexcept;
  std::optional<Record> freed_at(const void* pointer) const noexcept;
  std::optional<Record> freed_around(const void* address) const noexcept;
  // What was known of the blocks around an address, and was overwritten.
  std::optional<Damage> damage_around(const void* address) noexcept;

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

  // Calls for each live block; or for those that stand alone, and for hidden ones: where the heap is unlocked HOST blocks may be missing then.
  template <class Action>
  void for_each(Action action) const {
    heap_.lock();
    heap_.for_each_live(action);
    for_each_alone(action);
  }
  template <class Action>
  void for_each_alone(Action action) const {
    hidden_.for_each([&](const Hidden& hidden) { action(hidden.record); });
    heap_.table().for_each_live([&](const Entry& entry) {
      if (const std::optional<Record> block = Table::read(entry, Kind::live)) action(*block);
    });
  }

 private:
  // The heap, locked, where a slab of it lies around an address; else null.
  Heap* heap_around(const void* address) const noexcept {
    if (!heap_.has_slab_at(address_of(address))) return nullptr;
    heap_.lock();
    return &heap_;
  }
  // The live block in a slab that begins there, with the heap locked; empty for none.
  std::optional<Record> in_slab_at(const void* pointer) const noexcept {
    Heap* const heap = heap_around(pointer);
    return heap ? heap->at(address_of(pointer)) : std::nullopt;
  }
  // The entry of a live block that stands alone; with the heap locked where threads may free it in their shards. Null for none.
  Entry* entry_of(const void* pointer) const noexcept {
    Entry* const entry = heap_.table().find_live(address_of(pointer));
    if (!entry || !Table::is_on_a_heap(*entry)) return entry;
    heap_.lock();
    return entry->is_there() ? entry : nullptr;
  }
  std::optional<Record> of_any(Kind kind, const void* address) const noexcept;
  void file_in_room(const Record& block) noexcept;
  void make_way(const Record& block) noexcept;
  void lose(Entry& entry) noexcept;
  void lose(const Record& record) noexcept {
    accounts_.count_lost(record);
    if (lost_ && !record.borrowed()) lost_(record);
  }
  // Counts one and numbers it.
  std::uint64_t number_deallocation(const Record& record) noexcept {
    accounts_.count_deallocation(record);
    return numbers_.deallocation++;
  }

  const Lost lost_;
  // What shards have counted comes here when somebody asks, be it only to read.
  mutable ContextAccounts accounts_;
  alignas(64) ContextNumbers numbers_;  // apart from what shards only read
  mutable Heap heap_{{accounts_.shared(), numbers_, accounts_.of(CADASTRE_HOST).all.figures, accounts_.host_labels()}};
  BorrowedRanges borrowed_{heap_.table()};
  HiddenBlocks hidden_;
};

// Whether a block that was found before is the same still.
inline bool is_there_still(const Registry& registry, const Record& block) noexcept {
  const std::optional<Record> found = registry.at(block.pointer);
  return found && found->serial == block.serial && found->size == block.size;
}
// A live block that holds the first or the last byte of a borrowed range.
std::optional<Record> overlapping(const Registry& registry, const Record& range) noexcept;
// A live block that begins inside a range, behind its first byte. Looks at all there are.
std::optional<Record> beginning_inside(const Registry& registry, const Record& range) noexcept;

}  // namespace cadastre::internal
#endif
