// Tangled from org/core/heap.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The blocks of one context that lie in slabs: its shards, what they have counted, and what lies around an address.
#ifndef CADASTRE_SRC_CORE_HEAP_HPP
#define CADASTRE_SRC_CORE_HEAP_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/accounting.hpp"
#include "base/lock.hpp"
#include "base/record.hpp"
#include "core/page_return.hpp"
#include "core/shard.hpp"
#include "core/table.hpp"
#include "core/threads.hpp"

namespace cadastre::internal {

// Numbers of a context's allocations and deallocations; the next ones.
struct ContextNumbers {
  std::atomic<std::uint64_t> serial = 1, deallocation = 1;
  // Whoever has counted on beyond the numbers that he drew: the next deallocation is numbered no less.
  void pass(std::uint64_t next_deallocation) noexcept {
    std::uint64_t next = deallocation.load(std::memory_order_relaxed);
    while (next < next_deallocation && !deallocation.compare_exchange_weak(next, next_deallocation, std::memory_order_relaxed)) continue;
  }
};

// A slab of which something that the library knew was overwritten.
struct Damage {
  std::uintptr_t begin;
  std::size_t size;        // of a block
  OriginNumber neighbour;  // the label of a block next to what was overwritten; no_origin where that is not known
};

void await_substitute(const Shard& shard) noexcept;

// While a locked call works in the calling thread's shard with the heap unlocked: a handler of signals finds the thread inside. No other locked call closes
// the shard lock meanwhile, so there is nothing to ask.
class ShardInUse {
 public:
  explicit ShardInUse(Shard& shard) noexcept : shard_(shard) {
    if (shard.lock.has_substitute()) [[unlikely]] await_substitute(shard);
    shard_.lock.occupy();
  }
  ShardInUse(const ShardInUse&) = delete;
  ShardInUse& operator=(const ShardInUse&) = delete;
  ~ShardInUse() { shard_.lock.leave(shard_.last_context); }

 private:
  Shard& shard_;
};

// Threads that may be inside a heap, but for the calling one: none, those who come with a full fence, also some with a light one.
enum class Others : std::uint8_t { none, fenced, light };
// The heavy fence that is needed between the two steps of closing.
inline void fence_against(Others others) noexcept {
  if (others != Others::none) heavy_fence(others == Others::light);
}

// Each slab of the context is in one of its shards, and in none but left_ once they are detached. Each thread has one of the shards at most, and
// one of them at most has the thread workspace, and the cache. While it is locked, no shard lock is open.
// All functions are for who has the lock of the context. Those from at on, up to check_invariants, also need the heap to be locked.
class Heap {
 public:
  explicit Heap(SharedAccount& account, ContextNumbers& numbers) noexcept : account_(account), numbers_(numbers) {}
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;
  ~Heap() { clear(); }

  // No thread is inside when it returns, nor comes in until it is unlocked; that the calling thread is not inside is for the caller to know.
  // False where somebody is still inside at that moment; then it is for the caller to unlock it again.
  using Moment = std::chrono::steady_clock::time_point;
  bool lock(Moment until = Moment::max()) noexcept {
    const Others others = close_shard_locks();
    fence_against(others);
    return others == Others::none || await_others(until);
  }
  // The same in two steps, since one heavy fence between them serves many heaps: which others may be inside; waits for them, and says
  // whether they left before a moment.
  Others close_shard_locks() noexcept;
  bool await_others(Moment until = Moment::max()) noexcept;
  // To all threads; or to the calling thread, which has locked the context; or to who has locked it.
  void unlock(cadastre_context context) noexcept;
  void unlock_for_caller(cadastre_context context) noexcept;
  void unlock_for_locker() noexcept;
  bool is_locked() const noexcept { return open_ == Open::to_nobody; }
  // Whether any thread has a shard, or left blocks.
  bool is_used() const noexcept { return !shards_.empty() || left_ || table_.used() > 0; }
  // Which copies a thread may make in its shard, by memcpy and without asking a backend: read inside a shard, written with the heap locked.
  enum class Copies : std::uint8_t { none, of_blocks, of_plain_memory_too };
  void set_copies(Copies copies) noexcept { copies_ = copies; }
  Copies copies() const noexcept { return copies_; }
  // Whether blocks may lie in slabs; and below which size those that stand alone may come and go without the context lock: 0 where none may.
  void use_slabs(bool use) noexcept { uses_slabs_ = use; }
  void set_alone_below(std::size_t size) noexcept { alone_below_ = size; }
  std::size_t alone_below() const noexcept { return alone_below_; }
  // The blocks that stand alone.
  Table& table() noexcept { return table_; }
  const Table& table() const noexcept { return table_; }

  // Makes sure that the calling thread has a shard; false when there is no memory.
  bool provide_shard(cadastre_context context) noexcept;
  // The thread of a shard has ended, which is the calling one. Adds what it has counted to figures.
  void abandon(Shard& shard, cadastre_statistics_struct& figures) noexcept;

  // Adds what the shards have counted to figures, marks left out, and returns what they have claimed in advance. Of all shards, while the
  // heap is locked; or of the calling thread's, while it may be unlocked.
  void gather(cadastre_statistics_struct& figures) noexcept;
  void gather_own(cadastre_statistics_struct& figures) noexcept;
  // Live blocks by label, of those that shards count and of all others of HOST memory.
  LabelCounts& label_counts() noexcept { return label_counts_; }
  std::uint64_t labels_end() const noexcept;
  LabelCount count_of_label(OriginNumber label) const noexcept;
  bool label_counts_are_complete() const noexcept { return label_counts_.are_complete(); }
  // Whether a shard of another thread counts on with the context's numbers, so that nobody else may draw one before the heap is locked.
  bool another_has_the_numbers() const noexcept { return shards_.size() == 1 && shards_[0]->has_the_numbers && shards_[0] != own_shard(); }
  // From now on no shard does that; while the heap is locked.
  void share_numbers() noexcept { shares_numbers_ = true; }

  // Gives the calling thread's shard the thread workspace, which no shard has; false where it has none.
  bool give_workspace(ThreadWorkspace& thread_workspace) noexcept;
  // Takes the thread workspace from the calling thread's shard, or from whichever has it while the heap is locked; whether it was there.
  bool take_own_workspace() noexcept;
  void take_workspaces() noexcept;
  // The same of a cache of blocks.
  bool give_cache(BlockCache& cache) noexcept;
  bool take_own_cache() noexcept;
  void take_caches() noexcept;

  // A block in a slab of the calling thread's shard, numbered and, unless traits say otherwise, cleared; null when there is no memory. The
  // bytes are claimed by the caller, and settled by him; what the shard has counted is gathered.
  void* allocate(std::size_t size, SizeClass size_class, std::uint64_t traits, cadastre_context context) noexcept;
  // Whether a slab of the context lies around an address.
  bool has_slab_at(std::uintptr_t address) const noexcept { return slab_at(address) != nullptr; }
  // A live block with that first byte; empty when there is none.
  std::optional<Record> at(std::uintptr_t address) const noexcept;
  std::optional<Record> around(std::uintptr_t address) const noexcept;
  std::optional<Record> freed_around(std::uintptr_t address) const noexcept;
  // In the slab of an address, from which nothing is given out any more then.
  std::optional<Damage> damage_around(std::uintptr_t address) noexcept;
  // In a slab that the calling thread's shard has closed, and nobody was told of.
  std::optional<Damage> take_damage() noexcept;
  // Of live blocks, by their first byte.
  // moved: by a realloc.
  void free(std::uintptr_t address, bool moved = false) noexcept;
  // Whether a block can have another size where it is; then it does.
  bool resize(std::uintptr_t address, std::size_t size) noexcept;
  // Lets no address find a block while it is being moved, or lets it be found again.
  void set_hidden(std::uintptr_t address, bool hidden) noexcept;
  void set_leased(std::uintptr_t address, bool leased) noexcept;
  std::uint64_t& number_of(std::uintptr_t address) noexcept;
  // Makes it possible that others than its owner free in the slab of an address.
  void share(std::uintptr_t address) noexcept;
  // Gives empty slabs back, but one of each class for each shard, or of those classes whose slabs are small, where not all are to go.
  enum class Leave : std::uint8_t { one_of_each_class, small_ones, none };
  void trim(Leave leave = Leave::one_of_each_class) noexcept;
  // Lets the caller into shards of other threads, as a substitute, where it is time to look for pages without live blocks: their threads
  // may be idle. The first of a chain; null for none.
  Shard* let_substitute_in() noexcept { return has_others_ || orphans_ > 0 ? let_substitute_into_idle() : nullptr; }
  template <class Action>
  void for_each_live(Action action) const {
    for_each_live_where([](const Slab&) { return true; }, action);
  }
  template <class Action>
  void for_each_live_of_class(SizeClass size_class, Action action) const {
    for_each_live_where([=](const Slab& slab) { return slab.size_class == size_class && slab.used > 0; }, action);
  }
  template <class Admits, class Action>
  void for_each_live_where(Admits admits, Action action) const {
    for_each_slab([&](const Slab& slab) {
      if (!slab.is_intact() || !admits(slab)) return;
      for (unsigned number = 0; number < slab.touched; ++number) {
        const std::uint64_t word = slab.word_at(number);
        if (BlockWord::is_there(word) && slab.is_sound(word)) action(record_of(slab, number, word));
      }
    });
  }
  // Whether what is known of any slab was overwritten.
  bool is_damaged() const noexcept {
    bool any = false;
    for_each_slab([&](const Slab& slab) {
      any = any || slab.damaged || !slab.is_intact();
      for (unsigned number = 0; !any && number < slab.touched; ++number) any = !slab.is_sound(slab.word_at(number));
    });
    return any;
  }
  std::size_t live() const noexcept {
    std::size_t count = 0;
    for_each_live([&](const Record&) { ++count; });
    return count;
  }
  struct Slabs {
    std::size_t count = 0, capacity = 0;
    unsigned doublings = 0;  // of the arrays of slabs
  };
  Slabs slabs() const noexcept;
  bool has_many_empty_slabs() const noexcept;
  // Gives the shards back to their threads; nobody comes in any more. What is left is for clear, which needs no lock.
  void detach() noexcept;
  void clear() noexcept;
  // The same, and all is as in a new one.
  void renew() noexcept;
  // In the child of a fork: shards of threads that are not there are others' to take over.
  void in_child() noexcept;
  bool check_invariants() const noexcept;

  SharedAccount& account() noexcept { return account_; }
  ContextNumbers& numbers() noexcept { return numbers_; }

 private:
  enum class Open : std::uint8_t { to_nobody, to_one, to_all };
  void let_in(Shard& shard) noexcept;
  void open_but_those_with_substitutes(cadastre_context context) noexcept;
  Shard* let_substitute_into_idle() noexcept;
  template <class Action>
  void for_each_slab(Action action) const {
    for (const Shard* shard : shards_) {
      for (const Slab* slab : shard->slabs) action(*slab);
    }
    for (const Slab* slab = left_; slab; slab = slab->next_remote) action(*slab);
  }
  void gather(Shard& shard, cadastre_statistics_struct& figures) noexcept;
  void gather_counts(Shard& shard, cadastre_statistics_struct& figures) noexcept;
  Record record_of(const Slab& slab, std::size_t place, std::uint64_t word) const noexcept;
  static Damage damage_of(const Slab& slab) noexcept;
  const Slab* slab_at(std::uintptr_t address) const noexcept;
  Shard* own_shard() const noexcept;
  std::optional<Record> look(std::uintptr_t address, bool freed, bool exact) const noexcept;
  std::atomic<std::uint64_t>& word_of(std::uintptr_t address) const noexcept;

  SharedAccount& account_;
  ContextNumbers& numbers_;
  OwnVector<Shard*> shards_;
  Slab* left_ = nullptr;  // slabs without a shard
  unsigned orphans_ = 0;  // shards whose thread has ended
  cadastre_context context_ = 0;
  Open open_ = Open::to_nobody;
  bool shares_numbers_ = false;
  bool has_others_ = false;       // when it was closed last: shards that are not of the thread that did so
  bool has_substitutes_ = false;  // perhaps; then shard locks may be closed while it is unlocked
  Shard* one_ = nullptr;  // of who has locked the context, to whom it is or was open; null: he has none
  bool uses_slabs_ = true;
  std::size_t alone_below_ = 0;
  Table table_;
  Copies copies_ = Copies::none;
  LabelCounts label_counts_;  // what no shard counts
};

}  // namespace cadastre::internal
#endif
