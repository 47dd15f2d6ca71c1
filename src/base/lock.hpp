// Tangled from org/base/lock.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Mutexes that compiler and debug builds check, and threads that are not to be cancelled.
#ifndef CADASTRE_SRC_BASE_LOCK_HPP
#define CADASTRE_SRC_BASE_LOCK_HPP

#include <pthread.h>
#include <time.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "futex.hpp"  // adapters look for it here
#include "config.h"

#if defined(__clang__)
#define CADASTRE_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define CADASTRE_THREAD_SAFETY(attribute)
#endif
#define CADASTRE_LOCK_TYPE(name) CADASTRE_THREAD_SAFETY(capability(name))
#define CADASTRE_SCOPED_LOCK CADASTRE_THREAD_SAFETY(scoped_lockable)
#define CADASTRE_GUARDED_BY(lock) CADASTRE_THREAD_SAFETY(guarded_by(lock))
#define CADASTRE_REQUIRES(...) CADASTRE_THREAD_SAFETY(requires_capability(__VA_ARGS__))
#define CADASTRE_EXCLUDES(...) CADASTRE_THREAD_SAFETY(locks_excluded(__VA_ARGS__))
#define CADASTRE_ACQUIRES(...) CADASTRE_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
#define CADASTRE_RELEASES(...) CADASTRE_THREAD_SAFETY(release_capability(__VA_ARGS__))
#define CADASTRE_TRIES(...) CADASTRE_THREAD_SAFETY(try_acquire_capability(__VA_ARGS__))
#define CADASTRE_ASSERTS_HELD(...) CADASTRE_THREAD_SAFETY(assert_capability(__VA_ARGS__))
#define CADASTRE_UNCHECKED CADASTRE_THREAD_SAFETY(no_thread_safety_analysis)

namespace cadastre::internal {

// Outer ones first.
enum class Rank : unsigned char {
  adapter, opening, registering, table, context, trace, report, pool, ipc, shared, shard, accounting, threads, arenas, pages,
  page_map, slabs, trace_file, own_memory
};
inline constexpr const char* names_of_ranks[] = {
  "adapter", "opening", "registering", "table", "context", "trace", "report", "pool", "ipc", "shared", "shard", "accounting",
  "threads", "arenas", "pages", "page_map", "slabs", "trace_file", "own_memory"
};
inline constexpr unsigned ranks = sizeof names_of_ranks / sizeof *names_of_ranks;

#ifdef CADASTRE_DEBUG
class HeldLocks {
 public:
  // in_order: whether the order of locks is to be kept.
  void take(Rank rank, bool in_order) noexcept {
    const unsigned number = static_cast<unsigned>(rank);
    for (unsigned held = number; in_order && held < ranks; ++held) {
      if (held_[held] == 0) continue;
      stop("cadastre: a lock (", name_of(rank), ") is taken out of order, while another is held (", names_of_ranks[held], ")\n");
    }
    ++held_[number];
  }
  void give_back(Rank rank) noexcept { --held_[static_cast<unsigned>(rank)]; }
  void assert_held(Rank rank) const noexcept {
    if (held_[static_cast<unsigned>(rank)] > 0) return;
    stop("cadastre: an access needs a lock (", name_of(rank), ") that is not held\n");
  }
  // but: the one that may be held; the number of ranks for none.
  void assert_none(const char* call, unsigned but = ranks) const noexcept {
    for (unsigned held = 0; held < ranks; ++held) {
      if (held_[held] == 0 || held == but) continue;
      stop("cadastre: foreign code (", call, ") is called while a lock is held (", names_of_ranks[held], ")\n");
    }
  }

 private:
  static const char* name_of(Rank rank) noexcept { return names_of_ranks[static_cast<unsigned>(rank)]; }
  template <class... Parts>
  [[noreturn, gnu::cold]] static void stop(Parts... parts) noexcept {
    (std::fputs(parts, stderr), ...);
    std::abort();
  }
  unsigned held_[ranks] = {};
};

inline thread_local constinit HeldLocks held_locks;

inline void note_lock(Rank rank, bool in_order = true) noexcept { held_locks.take(rank, in_order); }
inline void note_unlock(Rank rank) noexcept { held_locks.give_back(rank); }
inline void assert_held(Rank rank) noexcept { held_locks.assert_held(rank); }
// Stands in each way into foreign code. call: its name.
inline void assert_no_lock_held(const char* call) noexcept { held_locks.assert_none(call); }
// The same for functions of the system that are called inside a shard.
inline void assert_no_mutex_held(const char* call) noexcept { held_locks.assert_none(call, static_cast<unsigned>(Rank::shard)); }
#else
inline void note_lock(Rank, bool = true) noexcept {}
inline void note_unlock(Rank) noexcept {}
inline void assert_held(Rank) noexcept {}
inline void assert_no_lock_held(const char*) noexcept {}
inline void assert_no_mutex_held(const char*) noexcept {}
#endif

// Locks that the calling thread holds or waits for; and one for each InsideLibrary.
inline thread_local constinit unsigned locks_of_thread = 0;

// For as long as this is there, a handler of signals that comes is refused what could wait for its own thread, and a fork of it passes without our handlers.
// The fences are for compilers that take operators new and delete for functions which read nothing of the program's.
class InsideLibrary {
 public:
  InsideLibrary() noexcept {
    ++locks_of_thread;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  InsideLibrary(const InsideLibrary&) = delete;
  InsideLibrary& operator=(const InsideLibrary&) = delete;
  ~InsideLibrary() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    --locks_of_thread;
  }
};

#ifdef __GLIBC__
#if !__GLIBC_PREREQ(2, 34)
#define CADASTRE_OLD_GLIBC
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define CADASTRE_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CADASTRE_THREAD_SANITIZER
#endif
#endif

inline bool lock_before(pthread_mutex_t& mutex, const timespec& time) noexcept {
#if defined(HAVE_PTHREAD_MUTEX_CLOCKLOCK) && !defined(CADASTRE_THREAD_SANITIZER) && !defined(CADASTRE_OLD_GLIBC)
  return pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &time) == 0;
#else
  constexpr timespec moment{0, 500'000};
  timespec now{};
  while (pthread_mutex_trylock(&mutex) != 0) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec > time.tv_sec || (now.tv_sec == time.tv_sec && now.tv_nsec >= time.tv_nsec)) return false;
    nanosleep(&moment, nullptr);
  }
  return true;
#endif
}

template <Rank rank>
class CADASTRE_LOCK_TYPE("mutex") Mutex {
 public:
  constexpr Mutex() noexcept = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() noexcept CADASTRE_ACQUIRES() {
    ++locks_of_thread;  // first: a handler of signals that comes behind it takes no lock
    note_lock(rank);
    pthread_mutex_lock(&mutex_);
  }
  void unlock() noexcept CADASTRE_RELEASES() {
    note_unlock(rank);
    pthread_mutex_unlock(&mutex_);
    --locks_of_thread;
  }
  // Where it is taken: false, and not locked.
  bool try_lock() noexcept CADASTRE_TRIES(true) {
    ++locks_of_thread;
    if (pthread_mutex_trylock(&mutex_) != 0) {
      --locks_of_thread;
      return false;
    }
    note_lock(rank);
    return true;
  }
  // The same for a handler of signals, which may have interrupted its thread anywhere: nothing of the thread's is touched, which the system might have to
  // make first.
  bool try_lock_in_handler() noexcept CADASTRE_TRIES(true) { return pthread_mutex_trylock(&mutex_) == 0; }
  void unlock_in_handler() noexcept CADASTRE_RELEASES() { pthread_mutex_unlock(&mutex_); }
  // Gives up at that time of the monotonic clock: false, and not locked.
  bool lock_until(const timespec& time) noexcept CADASTRE_TRIES(true) {
    ++locks_of_thread;
    if (!lock_before(mutex_, time)) {
      --locks_of_thread;
      return false;
    }
    note_lock(rank);
    return true;
  }
  // Whichever locks are held; for the handler of a fork.
  void lock_for_fork() noexcept CADASTRE_ACQUIRES() {
    ++locks_of_thread;
    note_lock(rank, false);
    pthread_mutex_lock(&mutex_);
  }
  // In the child of a fork, for a mutex that a thread may have held which is not there.
  void renew() noexcept { mutex_ = PTHREAD_MUTEX_INITIALIZER; }
  // Tells the compiler what it cannot see, and a debug build to look.
  void assert_held() const noexcept CADASTRE_ASSERTS_HELD() { internal::assert_held(rank); }

 private:
  template <Rank>
  friend class Condition;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

template <Rank rank>
class CADASTRE_LOCK_TYPE("brief lock") BriefLock {
 public:
  constexpr BriefLock() noexcept = default;
  BriefLock(const BriefLock&) = delete;
  BriefLock& operator=(const BriefLock&) = delete;

  [[gnu::always_inline]] inline void lock() noexcept CADASTRE_ACQUIRES() {
    if constexpr (is_counted) ++locks_of_thread;  // as with a mutex
    note_lock(rank);
    take();
  }
  [[gnu::always_inline]] inline void unlock() noexcept CADASTRE_RELEASES() {
    note_unlock(rank);
    if (state_.exchange(free, std::memory_order_release) == waited_for) [[unlikely]]
      wake_one(state_);
    if constexpr (is_counted) --locks_of_thread;
  }
  // As of a mutex.
  void lock_for_fork() noexcept CADASTRE_ACQUIRES() {
    if constexpr (is_counted) ++locks_of_thread;
    note_lock(rank, false);
    take();
  }

 private:
  static constexpr bool is_counted = rank != Rank::adapter;
  enum State : int { free, taken, waited_for };
  [[gnu::always_inline]] inline void take() noexcept {
    int before = free;
    if (!state_.compare_exchange_strong(before, taken, std::memory_order_acquire, std::memory_order_relaxed)) [[unlikely]]
      wait();
  }
  [[gnu::noinline, gnu::cold]] void wait() noexcept {
    while (state_.exchange(waited_for, std::memory_order_acquire) != free) sleep_while(state_, static_cast<int>(waited_for));
  }
  std::atomic<int> state_ = free;
};

template <class Lockable>
class CADASTRE_SCOPED_LOCK Locked {
 public:
  explicit Locked(Lockable& lock) noexcept CADASTRE_ACQUIRES(lock) : lock_(lock) { lock_.lock(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() CADASTRE_RELEASES() { lock_.unlock(); }

 private:
  Lockable& lock_;
};

template <Rank rank>
class Condition {
 public:
  // Lets the mutex go, sleeps until it is woken or for no reason at all, and has it again.
  void wait(Mutex<rank>& mutex) noexcept CADASTRE_REQUIRES(mutex) {
    note_unlock(rank);
    pthread_cond_wait(&condition_, &mutex.mutex_);
    note_lock(rank);
  }
  void wake_all() noexcept { pthread_cond_broadcast(&condition_); }
  // In the child of a fork, where nobody waits any more.
  void renew() noexcept { condition_ = PTHREAD_COND_INITIALIZER; }

 private:
  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
};

class NotCancelled {
 public:
  NotCancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;
  ~NotCancelled() { pthread_setcancelstate(before_, nullptr); }

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace cadastre::internal
#endif
