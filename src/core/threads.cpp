// Tangled from org/core/threads.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/threads.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace cadastre::internal {

namespace {

// Shard locks that are open for nobody: one for each place at hand, lest a caller comes with what a closed shard lock is open for.
constinit Shard no_shards[shards_at_hand] = {Shard(0), Shard(1), Shard(2), Shard(3), Shard(4), Shard(5), Shard(6), Shard(7)};

template <std::size_t... numbers>
constexpr ShardsAtHand none_at_hand(std::index_sequence<numbers...>) {
  return {{&no_shards[numbers]...}};
}

struct Threads {
  Mutex<Rank::threads> mutex;
  Shard* spare CADASTRE_GUARDED_BY(mutex) = nullptr;  // of threads that have ended
  Thread* all CADASTRE_GUARDED_BY(mutex) = nullptr;
  pthread_key_t key = 0;
  bool started = false;
};
constinit Threads threads;
constinit std::atomic<ThreadEnds> thread_ends = nullptr;
thread_local constinit Thread* thread_here = nullptr;
thread_local constinit bool thread_has_ended = false;

}  // namespace

thread_local constinit ShardsAtHand shards_of_thread = none_at_hand(std::make_index_sequence<shards_at_hand>());

void tell_when_threads_end(ThreadEnds ends) noexcept { thread_ends.store(ends, std::memory_order_release); }

void end_of_thread(void* memory) noexcept {
  auto* const thread = static_cast<Thread*>(memory);
  thread_here = nullptr;  // first, lest a handler of signals finds one of its shards
  thread_has_ended = true;
  shards_of_thread = none_at_hand(std::make_index_sequence<shards_at_hand>());
  if (const ThreadEnds ends = thread_ends.load(std::memory_order_acquire)) {
    for (unsigned place = 0; place < thread->capacity_; ++place) {
      const Thread::Entry& entry = thread->entries_[place];
      if (entry.context != 0) ends(entry.context, *entry.shard);
    }
  }
  delete_own(thread);
}

namespace {

// Before static objects, which may create contexts.
[[gnu::constructor(101)]] void start_threads() noexcept {
  start_fences();
  threads.started = pthread_key_create(&threads.key, [](void* thread) { end_of_thread(thread); }) == 0;
}

}  // namespace

Thread* Thread::self_if_known() noexcept { return thread_here; }

// A thread whose end has come has no shards any more.
Thread* Thread::self() noexcept {
  if (thread_here) return thread_here;
  if (!threads.started || thread_has_ended) return nullptr;
  Thread* const thread = make_own<Thread>();
  if (!thread) return nullptr;
  thread->arena_ = Arena::adopt();
  if (!thread->arena_ || pthread_setspecific(threads.key, thread) != 0) {
    delete_own(thread);
    return nullptr;
  }
  const Locked locked(threads.mutex);
  thread->next_ = threads.all;
  if (threads.all) threads.all->previous_ = thread;
  return thread_here = threads.all = thread;
}

Thread::~Thread() {
  if (arena_) arena_->abandon();
  give_own(entries_, capacity_ * sizeof(Entry));
  const Locked locked(threads.mutex);
  if (next_) next_->previous_ = previous_;
  if (previous_) previous_->next_ = next_;
  if (threads.all == this) threads.all = next_;
  while (Shard* const shard = spare_) {
    spare_ = shard->next_spare;
    shard->next_spare = threads.spare;
    threads.spare = shard;
  }
}

// Where a context is or would be; capacity is a power of two, and not all is in use.
Thread::Entry* Thread::place_of(cadastre_context context) const noexcept {
  std::size_t place = spread(static_cast<std::uint64_t>(context)) & (capacity_ - 1);
  while (entries_[place].context != 0 && entries_[place].context != context) place = (place + 1) & (capacity_ - 1);
  return &entries_[place];
}

Shard* Thread::shard_of(cadastre_context context) noexcept { return capacity_ == 0 ? nullptr : place_of(context)->shard; }

bool Thread::grow() noexcept {
  const unsigned capacity = std::max(8u, 2 * capacity_);
  auto* const fresh = static_cast<Entry*>(take_own(capacity * sizeof(Entry)));
  if (!fresh) return false;
  Entry* const old = std::exchange(entries_, fresh);
  const unsigned old_capacity = std::exchange(capacity_, capacity);
  for (unsigned place = 0; place < old_capacity; ++place) {
    if (old[place].context != 0) *place_of(old[place].context) = old[place];
  }
  give_own(old, old_capacity * sizeof(Entry));
  return true;
}

bool Thread::add(cadastre_context context, Shard& shard) noexcept {
  if (2 * (used_ + 1) > capacity_ && !grow()) return false;
  *place_of(context) = {context, &shard};
  ++used_;
  return true;
}

void Thread::remove(cadastre_context context) noexcept {
  if (capacity_ == 0 || context == 0) return;
  Entry* hole = place_of(context);
  if (hole->context == 0) return;
  --used_;
  const auto next = [this](Entry* entry) { return ++entry == entries_ + capacity_ ? entries_ : entry; };
  const auto way = [this](const Entry* from, const Entry* to) { return static_cast<std::size_t>(to - from) & (capacity_ - 1); };
  for (Entry* later = next(hole); later->context != 0; later = next(later)) {
    const Entry* const home = entries_ + (spread(static_cast<std::uint64_t>(later->context)) & (capacity_ - 1));
    if (way(home, later) < way(hole, later)) continue;
    *hole = *later;
    hole = later;
  }
  *hole = {};
}

Shard* Thread::take_spare() noexcept {
  Shard* shard = nullptr;
  {
    const Locked locked(threads.mutex);
    for (Shard** const from : {&spare_, &threads.spare}) {
      if (shard || !*from) continue;
      shard = *from;
      *from = shard->next_spare;
    }
  }
  if (!shard) {
    shard = make_own<Shard>();
    if (!shard) return nullptr;
  }
  remove(shard->last_context);
  for (unsigned place = 0; place < shards_at_hand; ++place) {
    if (shards_of_thread.at[place] == shard) shards_of_thread.at[place] = &no_shards[place];
  }
  return shard;
}

void Thread::give_spare(Thread* thread, Shard& shard) noexcept {
  const Locked locked(threads.mutex);
  Shard*& first = thread ? thread->spare_ : threads.spare;
  shard.next_spare = first;
  first = &shard;
}

void Thread::before_fork() noexcept CADASTRE_UNCHECKED {
  threads.mutex.lock_for_fork();
  Arena::before_fork();
  slabs_before_fork();
  own_memory_before_fork();
}

void Thread::after_fork() noexcept CADASTRE_UNCHECKED {
  own_memory_after_fork();
  slabs_after_fork();
  Arena::after_fork();
  threads.mutex.unlock();
}

void Thread::in_child() noexcept {
  Arena::in_child(thread_here ? thread_here->arena_ : nullptr);
  Thread* next = nullptr;
  {
    const Locked locked(threads.mutex);
    next = threads.all;
  }
  while (Thread* const thread = next) {
    next = thread->next_;
    if (thread == thread_here) continue;
    thread->arena_ = nullptr;
    delete_own(thread);
  }
}

}  // namespace cadastre::internal
