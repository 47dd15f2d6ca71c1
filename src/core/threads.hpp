// Tangled from org/threads.org; change the chapter, then run: make tangle
// What a thread has of all contexts: its shards and its arena, until it ends.
#ifndef CADASTRE_SRC_CORE_THREADS_HPP
#define CADASTRE_SRC_CORE_THREADS_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/shard.hpp"
#include "lock.hpp"

namespace cadastre::internal {

// What the calling thread has of all contexts.
class Thread {
 public:
  // Of the calling thread, made where it is missing; null when there is no memory.
  static Thread* self() noexcept;
  static Thread* self_if_known() noexcept;

  Shard* shard_of(cadastre_context context) noexcept;
  // Bytes that a shard of it may claim beside what lives there: half of what its others leave of most_slack. had: what it may so far.
  std::int64_t renew_slack(std::int64_t had) noexcept {
    const std::int64_t now = (most_slack - (slack_.load(std::memory_order_relaxed) - had)) / 2;
    slack_.fetch_add(now - had, std::memory_order_relaxed);
    return now;
  }
  // By anybody who has a shard's context alone.
  void give_up_slack(std::int64_t had) noexcept { slack_.fetch_sub(had, std::memory_order_relaxed); }
  Arena& arena() noexcept { return *arena_; }

  // Contexts may be destroyed by other threads, so a shard that is found here may have gone; its door says so.
  bool add(cadastre_context context, Shard& shard) noexcept;
  void remove(cadastre_context context) noexcept;

  // A shard that belongs to no context, which no other thread that lives ever had; null when there is no memory.
  Shard* take_spare() noexcept;
  static void give_spare(Thread* thread, Shard& shard) noexcept;

  // Around a fork, with all heaps closed: locks all that is the process's and not a context's.
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
  bool grow() noexcept;
  Entry* place_of(cadastre_context context) const noexcept;

  Arena* arena_ = nullptr;
  Entry* entries_ = nullptr;
  unsigned capacity_ = 0, used_ = 0;
  std::atomic<std::int64_t> slack_ = 0;  // of all its shards
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
// Whether a handler of signals is here that came while its thread was inside a shard, or had a lock: then it must take none. All shards
// that a thread is inside are at hand.
template <std::size_t... place>
bool is_inside_any(std::index_sequence<place...>) noexcept {
  const ShardsAtHand& shards = shards_of_thread;
  return (... + static_cast<unsigned>(!shards.at[place]->door.is_left())) > 0;
}
inline bool is_interrupted() noexcept {
  if (locks_of_thread != 0) [[unlikely]] return true;
  return is_inside_any(std::make_index_sequence<shards_at_hand>());
}

}  // namespace cadastre::internal
#endif
