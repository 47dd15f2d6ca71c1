// Tangled from org/core/heap_shards.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The shards of a heap: which threads work there, how a locked call keeps them out, and where what they count goes.
#ifndef CADASTRE_SRC_CORE_HEAP_SHARDS_HPP
#define CADASTRE_SRC_CORE_HEAP_SHARDS_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/accounting.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "core/label_counts.hpp"
#include "core/shard.hpp"
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

// Where a heap counts: what its shards have counted when it is gathered, and what no shard counts.
struct HeapCounts {
  SharedAccount& account;
  ContextNumbers& numbers;
  cadastre_statistics_struct& figures;  // of HOST memory
  LabelCounts& labels;                  // likewise
};

// What a heap may do, as its context says; read inside a shard, written with the heap locked.
struct HeapRules {
  // Which copies a thread may make in its shard, by memcpy and without asking a backend.
  enum class Copies : std::uint8_t { none, of_blocks, of_plain_memory_too };
  Copies copies = Copies::none;
  // Whether blocks may lie in slabs; and below which size those that stand alone may come and go without the context lock: 0 where none may.
  bool uses_slabs = true;
  std::size_t alone_below = 0;
};

void await_substitute(const Shard& shard) noexcept;

// While a locked call works in the calling thread's shard with the heap unlocked: a handler of signals finds the thread inside. No other locked call closes
// the shard lock meanwhile, so there is nothing to ask.
class ShardInUse : NonCopyable {
 public:
  explicit ShardInUse(Shard& shard) noexcept : shard_(shard) {
    if (shard.lock.has_substitute()) [[unlikely]]
      await_substitute(shard);
    shard_.lock.occupy();
  }
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

// Each thread has one of the shards at most, and one of them at most has the thread workspace, and the cache. While the heap is locked, no shard
// lock is open, and nothing is counted in a shard. All functions are for who has the lock of the context.
class HeapShards : NonCopyable {
 public:
  // whole: of which these are the shards.
  HeapShards(Heap& whole, const HeapCounts& counts) noexcept : counts_(counts), whole_(whole) {}

  // No thread is inside when it returns, nor comes in until it is unlocked, and what shards have counted is gathered; that the calling thread is
  // not inside is for the caller to know. False where somebody is still inside at that moment; then it is for the caller to unlock it again.
  using Moment = std::chrono::steady_clock::time_point;
  bool lock(Moment until = Moment::max()) noexcept {
    if (is_locked()) return true;
    const Others others = close_shard_locks();
    fence_against(others);
    if (others != Others::none && !await_others(until)) return false;
    return gather(), true;
  }
  // The same in two steps, since one heavy fence between them serves many heaps: which others may be inside; waits for them, and gathers.
  Others close_shard_locks() noexcept;
  void finish_lock() noexcept {
    await_others(Moment::max());
    gather();
  }
  // To all threads; or to the calling thread, which has locked the context; or to who has locked it.
  void unlock(cadastre_context context) noexcept;
  void unlock_for_caller(cadastre_context context) noexcept;
  void unlock_for_locker() noexcept;
  bool is_locked() const noexcept { return open_ == Open::to_nobody; }

  HeapRules& rules() noexcept { return rules_; }
  // As a context is created: for which calls its shard locks are open.
  void open_for(ShardLock::Calls calls) noexcept { open_for_ = calls; }
  ShardLock::Calls opens_for() const noexcept { return open_for_; }
  const HeapRules& rules() const noexcept { return rules_; }
  const HeapCounts& counts() const noexcept { return counts_; }

  // Makes sure that the calling thread has a shard, of which nothing is left to gather; false when there is no memory.
  bool provide_shard(cadastre_context context) noexcept;
  // The thread of a shard has ended, which is the calling one.
  void abandon(Shard& shard) noexcept;
  // Before numbers are drawn or the marks of accounts move: gathers what the calling thread has counted, but for marks, and has no shard
  // count on with the context's numbers. Cheap where that is nothing.
  void gather_own() noexcept;
  // What lives with a label, and the end of all labels that any shard has counted.
  LabelCount count_of_label(OriginNumber label) const noexcept;
  std::uint64_t labels_end() const noexcept;

  // Gives the calling thread's shard a thread workspace or a cache of blocks, which no shard has; false when there is no memory for a shard.
  template <class What>
  bool give(What* Shard::* place, What& what, cadastre_context context) noexcept {
    if (!provide_shard(context)) return false;
    set_own(place, &what);
    return true;
  }
  // Takes it away from whichever thread has it. The heap is locked where that was another one.
  enum class TakenFrom : std::uint8_t { caller, another };
  template <class What>
  TakenFrom take(What* Shard::* place) noexcept {
    if (set_own<What>(place, nullptr)) return TakenFrom::caller;
    lock();
    for (Shard* const shard : shards_) shard->*place = nullptr;
    return TakenFrom::another;
  }

  // Lets the caller into shards of other threads, as a substitute, where it is time to look for pages without live blocks: their threads
  // may be idle. The first of a chain; null for none.
  Shard* let_substitute_in() noexcept { return has_others_ || orphans_ > 0 ? let_substitute_into_idle() : nullptr; }

 protected:
  Shard* own_shard() const noexcept;
  // No thread has a shard any more, nor is any inside; and as in a new one.
  void forget_shards() noexcept {
    shards_.clear();
    one_ = nullptr;
    orphans_ = 0;
  }
  void renew() noexcept;
  // In the child of a fork: shards of threads that are not there are others' to take over.
  void in_child() noexcept;

  HeapCounts counts_;
  OwnVector<Shard*> shards_;
  cadastre_context context_ = 0;

 private:
  enum class Open : std::uint8_t { to_nobody, to_one, to_all };
  bool await_others(Moment until) noexcept;
  void let_in(Shard& shard) noexcept;
  void unlock_but_those_with_substitutes(cadastre_context context) noexcept;
  Shard* let_substitute_into_idle() noexcept;
  void gather() noexcept;
  void gather(Shard& shard) noexcept;
  void gather_counts(Shard& shard) noexcept;
  // Whether the calling thread had something there, or has a shard that gets it.
  template <class What>
  bool set_own(What* Shard::* place, What* what) noexcept {
    Shard* const own = own_shard();
    if (!own || (!what && !(own->*place))) return false;
    const ShardInUse inside(*own);
    own->*place = what;
    return true;
  }

  Heap& whole_;
  unsigned orphans_ = 0;  // shards whose thread has ended
  Open open_ = Open::to_nobody;
  bool shares_numbers_ = false;   // no shard counts on with the context's numbers
  bool has_others_ = false;       // when it was locked last: shards that are not of the thread that did so
  bool has_substitutes_ = false;  // perhaps; then shard locks may be closed while it is unlocked
  Shard* one_ = nullptr;          // of who has locked the context, to whom it is or was open; null: he has none
  HeapRules rules_;
  ShardLock::Calls open_for_ = ShardLock::Calls::all;
};

}  // namespace cadastre::internal
#endif
