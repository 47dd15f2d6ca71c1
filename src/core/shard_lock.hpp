// Tangled from org/core/fence.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The way of a thread into its shard, and of another that needs the context alone.
#ifndef CADASTRE_SRC_CORE_SHARD_LOCK_HPP
#define CADASTRE_SRC_CORE_SHARD_LOCK_HPP

#include <atomic>
#include <cstdint>

#include "base/lock.hpp"
#include "core/fence.hpp"

namespace cadastre::internal {

// How the protocol's words and fences are made; a checker of interleavings brings its own.
struct RealAtomics {
  template <class Value>
  using Atomic = std::atomic<Value>;
  // Whether light fences are compiled to nothing and shard locks are open for them.
  static bool fences_are_light() noexcept { return internal::fences_are_light.load(std::memory_order_relaxed); }
  static void light() noexcept { light_fence(); }
  static void full() noexcept { std::atomic_thread_fence(std::memory_order_seq_cst); }
  // For debug builds, which know what a thread holds.
  static void note_entry() noexcept { note_lock(Rank::shard, false); }
  static void note_exit() noexcept { note_unlock(Rank::shard); }
};

// Of one shard. The handle of a context is positive; what a closed shard lock holds in its place, ~handle, no caller can give who was led to this
// shard lock by the low bits of what he gave.
template <class Atomics>
class BasicShardLock {
 public:
  using Handle = std::int64_t;
  // All, or only those that come the way on which they are recorded. The number is what their handle differs by.
  enum class Calls : Handle { all = 0, recorded = Handle{1} << 62 };
  explicit constexpr BasicShardLock(Handle closed_for = 0) noexcept
      : idle_(~closed_for), open_(~closed_for), open_with_fence_(~closed_for) {}

  // By the shard's thread: whether it is in, and is to leave again. Refused, and outside, while the shard lock is closed or open for another
  // context, and where this thread is inside already, as a handler of signals may find.
  // calls: recorded for one that comes the way on which it is recorded.
  template <Calls calls = Calls::all>
  [[gnu::always_inline]] inline bool enter_at_once(Handle handle) noexcept {
    if (idle_.load(std::memory_order_relaxed) != handle) [[unlikely]]
      return false;
    idle_.store(0, std::memory_order_relaxed);
    Atomics::light();
    if (open_.load(std::memory_order_acquire) != word_for(handle, calls)) return retreat(handle);
    Atomics::note_entry();
    return true;
  }
  // The same, also where fences are full.
  bool enter(Handle handle) noexcept {
    if (idle_.load(std::memory_order_relaxed) != handle) return false;
    idle_.store(0, std::memory_order_relaxed);
    Atomics::full();
    if (open_with_fence_.load(std::memory_order_acquire) != handle) return retreat(handle);
    Atomics::note_entry();
    return true;
  }
  [[gnu::always_inline]] inline void leave(Handle handle) noexcept {
    Atomics::note_exit();
    idle_.store(handle, std::memory_order_release);
  }
  // By the shard's thread while it has the lock of the context, so that nobody closes the shard lock meanwhile; there is no substitute.
  void occupy() noexcept {
    idle_.store(0, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    Atomics::note_entry();
  }

  // By who holds the lock of the context. Between close and is_left, a heavy fence; one serves for many shard locks. When the shard lock is left, its
  // thread is outside and stays so until it is opened.
  void close(Handle handle) noexcept {
    open_.store(~handle, std::memory_order_relaxed);
    open_with_fence_.store(~handle, std::memory_order_relaxed);
  }
  bool is_left() const noexcept { return idle_.load(std::memory_order_acquire) != 0; }
  // calls: for which it opens, of those that come with a light fence.
  void open(Handle handle, Calls calls = Calls::all) noexcept {
    open_with_fence_.store(handle, std::memory_order_release);
    if (Atomics::fences_are_light()) open_.store(word_for(handle, calls), std::memory_order_release);
  }
  // Of a shard lock that is closed and left: another thread takes its thread's place, and leaves when it likes. To be opened after that.
  void let_substitute_in() noexcept { has_substitute_.store(true, std::memory_order_relaxed); }
  void substitute_leaves() noexcept { has_substitute_.store(false, std::memory_order_release); }
  bool has_substitute() const noexcept { return has_substitute_.load(std::memory_order_acquire); }
  bool is_open() const noexcept { return open_with_fence_.load(std::memory_order_relaxed) > 0; }
  // Whether its thread may have passed no more than a light fence since it was opened. Asked before it is closed.
  bool is_open_for_light() const noexcept { return open_.load(std::memory_order_relaxed) > 0; }
  // For a shard that comes to a context, or whose thread is not there in the child of a fork.
  void renew(Handle handle) noexcept {
    close(handle);
    idle_.store(handle, std::memory_order_relaxed);
    has_substitute_.store(false, std::memory_order_relaxed);
  }

 private:
  // What open holds for them: for those that are recorded the number of no handle, and positive.
  static constexpr Handle word_for(Handle handle, Calls calls) noexcept { return handle ^ static_cast<Handle>(calls); }
  bool retreat(Handle handle) noexcept {
    idle_.store(handle, std::memory_order_release);
    return false;
  }
  typename Atomics::template Atomic<Handle> idle_;  // 0: the thread is inside; else the handle of the context
  typename Atomics::template Atomic<Handle> open_, open_with_fence_;
  typename Atomics::template Atomic<bool> has_substitute_{false};
};

using ShardLock = BasicShardLock<RealAtomics>;

// A chain of things that others hand to an owner, each known by a number. Who puts the first one into it has to tell the owner.
template <class Atomics, class Number, Number none>
class BasicHandOver {
 public:
  // By anybody. link: notes at the one that is handed over which one comes behind it. True for who has to tell the owner.
  template <class Link>
  bool push(Number number, Link link) noexcept {
    Number next = first_.load(std::memory_order_relaxed);
    do {
      link(next);
    } while (!first_.compare_exchange_weak(next, number, std::memory_order_acq_rel, std::memory_order_relaxed));
    return next == none;
  }
  // By the owner, who has been told: the first of the chain, which is his. Who hands over from now on tells him again. The owner has read
  // before what he was told by, and releases that here, so that it may be written anew.
  Number take() noexcept { return first_.exchange(none, std::memory_order_acq_rel); }
  // By the owner, while nobody else is there.
  Number first() const noexcept { return first_.load(std::memory_order_relaxed); }
  void clear() noexcept { first_.store(none, std::memory_order_relaxed); }

 private:
  typename Atomics::template Atomic<Number> first_{none};
};

template <class Number, Number none>
using HandOver = BasicHandOver<RealAtomics, Number, none>;

}  // namespace cadastre::internal
#endif
