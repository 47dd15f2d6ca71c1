// Tangled from org/core/threads.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a thread has of all contexts: its shards and its arena, until it ends.
#ifndef CADASTRE_SRC_CORE_THREADS_HPP
#define CADASTRE_SRC_CORE_THREADS_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/lock.hpp"
#include "core/shard.hpp"

namespace cadastre::internal {

// What the calling thread has of all contexts.
class Thread {
 public:
  // Of the calling thread, made where it is missing; null when there is no memory.
  static Thread* self() noexcept;
  static Thread* self_if_known() noexcept;

  Shard* shard_of(cadastre_context context) noexcept;
  Arena& arena() noexcept { return *arena_; }

  // Bytes that each shard with a share may have claimed beside what lives there; all shares together are no more than most_excess.
  std::int64_t share() const noexcept { return most_excess >> halvings_; }
  bool is_share_whole() const noexcept { return halvings_ == 0; }
  // False where there are as many shards with a share as there may be before it is halved.
  bool take_share() noexcept {
    if (sharing_.load(std::memory_order_acquire) >= 1u << halvings_) return false;
    sharing_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  // Shares become larger where few are left.
  void widen_share() noexcept {
    const unsigned sharing = sharing_.load(std::memory_order_acquire);
    while (halvings_ > 0 && sharing <= 1u << halvings_ >> 2) --halvings_;
  }
  // By anybody who has a shard's context alone, when the shard has nothing claimed any more.
  void give_share_back() noexcept { sharing_.fetch_sub(1, std::memory_order_release); }
  // While shares are taken and halved, which a handler of signals finds out that allocates in another context.
  bool is_sharing() const noexcept { return is_sharing_; }
  void set_sharing(bool is) noexcept {
    is_sharing_ = is;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  // From now on the share is half of what it was. shrinks: of a shard with a share, whether it has no more claimed than that; false, and the share
  // is as it was, where one has.
  template <class Shrinks>
  bool halve_share(Shrinks shrinks) noexcept {
    constexpr unsigned most_halvings = 10;
    if (halvings_ == most_halvings) return false;
    ++halvings_;
    bool all = true;
    for_each_share([&](Shard& shard) { all = shrinks(shard) && all; });
    if (!all) --halvings_;
    return all;
  }
  // Once in as many calls as there are shards, so that looking at all of them costs each call little.
  template <class Drop>
  void drop_idle_shares(Drop drop) noexcept {
    if (++calls_before_drop_ <= used_) return;
    calls_before_drop_ = 0;
    for_each_share(drop);
  }

  // Contexts may be destroyed by other threads, so a shard that is found here may have gone; its shard lock says so.
  bool add(cadastre_context context, Shard& shard) noexcept;
  void remove(cadastre_context context) noexcept;

  // A shard that belongs to no context, which no other thread that lives ever had; null when there is no memory.
  Shard* take_spare() noexcept;
  static void give_spare(Thread* thread, Shard& shard) noexcept;

  // Around a fork, with all heaps locked: locks all that is the process's and not a context's.
  static void before_fork() noexcept;
  static void after_fork() noexcept;
  // In the child of a fork, when nothing is locked: what others had is for threads that come.
  static void in_child() noexcept;

  ~Thread();

 private:
  friend void end_of_thread(void*) noexcept;
  struct Entry {
    cadastre_context context;
    Shard* shard;
  };
  template <class Do>
  void for_each_share(Do act) noexcept {
    for (unsigned place = 0; place < capacity_; ++place) {
      const Entry& entry = entries_[place];
      if (entry.context == 0 || entry.shard->last_context != entry.context) continue;
      if (entry.shard->slack.load(std::memory_order_acquire) > 0) act(*entry.shard);
    }
  }
  bool grow() noexcept;
  Entry* place_of(cadastre_context context) const noexcept;

  Arena* arena_ = nullptr;
  Entry* entries_ = nullptr;
  unsigned capacity_ = 0, used_ = 0;
  unsigned halvings_ = 0;  // of the share
  bool is_sharing_ = false;
  unsigned calls_before_drop_ = 0;     // since idle shards lost their shares
  std::atomic<unsigned> sharing_ = 0;  // shards that have one
  Shard* spare_ = nullptr;
  Thread *next_ = nullptr, *previous_ = nullptr;  // of all
};

// Who is told that a thread ends: for each context that it had a shard of, so that others may take the shard over.
using ThreadEnds = void (*)(cadastre_context context, Shard& shard) noexcept;
void tell_when_threads_end(ThreadEnds ends) noexcept;

// The shards of the calling thread, by the low bits of the context's handle: those that were used last, or closed ones.
inline constexpr unsigned shards_at_hand = 8;
struct ShardsAtHand {
  Shard* at[shards_at_hand];
};
extern thread_local constinit ShardsAtHand shards_of_thread;
[[gnu::always_inline]] inline Shard& shard_at_hand(cadastre_context context) noexcept {
  return *shards_of_thread.at[static_cast<std::uint64_t>(context) % shards_at_hand];
}
// Whether a handler of signals is here that came while its thread was inside a shard, or had a lock: then it must take none. Of the
// shards that a thread is inside, the one that it entered first is at hand.
template <std::size_t... place>
bool is_inside_any(std::index_sequence<place...>) noexcept {
  const ShardsAtHand& shards = shards_of_thread;
  return (... + static_cast<unsigned>(!shards.at[place]->lock.is_left())) > 0;
}
inline bool is_interrupted() noexcept {
  if (locks_of_thread != 0) [[unlikely]]
    return true;
  return is_inside_any(std::make_index_sequence<shards_at_hand>());
}

}  // namespace cadastre::internal
#endif
