// Tangled from org/tests/shard_lock_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "interleavings.hpp"

#ifdef CADASTRE_CHECKS_INTERLEAVINGS

#include "core/shard_lock.hpp"

namespace {

using namespace interleavings;

constexpr unsigned no_word = UINT32_MAX, idle = 0, open = 1, substitute = 3, first = 0;

// One thread works in the shard, the others want to be alone, one after the other.
template <unsigned threads, Without without = Without::nothing, unsigned word = no_word, memory_order order = std::memory_order_seq_cst>
struct Crossing : rl::test_suite<Crossing<threads, without, word, order>, threads> {
  using Atomics = CheckedAtomics<4, without, word, order>;
  static constexpr std::int64_t handle = 42;
  cadastre::internal::BasicShardLock<Atomics> shard_lock;
  rl::var<int> count;
  rl::mutex lock;

  void before() {
    shard_lock.renew(handle);
    shard_lock.open(handle);
    count($) = 0;
  }
  void thread(unsigned number) {
    if (number == 0) {
      for (int turn = 0; turn < 2; ++turn) {
        if (!shard_lock.enter_at_once(handle)) continue;
        count($) = count($) + 1;
        shard_lock.leave(handle);
      }
      return;
    }
    lock.lock($);
    shard_lock.close(handle);
    Atomics::heavy();
    while (!shard_lock.is_left()) rl::yield(1, $);
    count($) = count($) + 1;
    shard_lock.open(handle);
    lock.unlock($);
  }
};

// A locked call leaves a substitute in the shard of a thread, which comes at its shard lock, and in a locked call where that is closed; another locked call wants to
// be alone.
template <unsigned threads, unsigned word = no_word, memory_order order = std::memory_order_seq_cst>
struct Substitution : rl::test_suite<Substitution<threads, word, order>, threads> {
  using Atomics = CheckedAtomics<4, Without::nothing, word, order>;
  static constexpr std::int64_t handle = 42;
  cadastre::internal::BasicShardLock<Atomics> shard_lock;
  rl::var<int> count;
  rl::mutex lock;

  void before() {
    shard_lock.renew(handle);
    shard_lock.open(handle);
    count($) = 0;
  }
  void work() { count($) = count($) + 1; }
  void thread(unsigned number) {
    if (number == 0) return come_twice();
    lock.lock($);
    shard_lock.close(handle);
    Atomics::heavy();
    while (!shard_lock.is_left() || shard_lock.has_substitute()) rl::yield(1, $);
    work();
    if (number == 1) shard_lock.let_substitute_in();
    else shard_lock.open(handle);
    lock.unlock($);
    if (number != 1) return;
    work();
    shard_lock.substitute_leaves();
  }
  void come_twice() {
    for (int turn = 0; turn < 2; ++turn) {
      if (shard_lock.enter_at_once(handle)) {
        work();
        shard_lock.leave(handle);
        continue;
      }
      lock.lock($);
      while (shard_lock.has_substitute()) rl::yield(1, $);
      shard_lock.occupy();
      work();
      shard_lock.leave(handle);
      if (!shard_lock.is_open()) shard_lock.open(handle);
      lock.unlock($);
    }
  }
};

// One thread hands over two things, one after the other; another one two as a chain. The owner takes what there is until he has all of it.
template <unsigned word = no_word, memory_order order = std::memory_order_seq_cst>
struct HandingOver : rl::test_suite<HandingOver<word, order>, 3> {
  static constexpr int none = 0, things = 4;
  cadastre::internal::BasicHandOver<CheckedAtomics<1, Without::nothing, word, order>, int, none> hand_over;
  rl::var<int> next[things + 1], contents[things + 1];
  rl::atomic<int> told;
  rl::var<int> letter;  // as a slab's place among the remote frees

  void before() {
    hand_over.clear();
    told.store(0, rl::mo_relaxed, $);
    letter($) = 0;
    for (int thing = 0; thing <= things; ++thing) next[thing]($) = contents[thing]($) = 0;
  }
  void thread(unsigned number) {
    if (number == 2) return take_all();
    if (number == 0) {
      hand(1, 1);
      hand(2, 2);
    } else {
      next[3]($) = 4;
      hand(3, 4);
    }
  }
  // The things from one to another are linked already.
  void hand(int from, int to) {
    for (int thing = from; thing <= to; ++thing) contents[thing]($) = 1;
    if (!hand_over.push(from, [&](int behind) { next[to]($) = behind; })) return;
    letter($) = from;
    RL_ASSERT(told.exchange(1, rl::mo_release, $) == 0);
  }
  void take_all() {
    for (int got = 0; got < things;) {
      if (told.exchange(0, rl::mo_acquire, $) == 0) {
        rl::yield(1, $);
        continue;
      }
      RL_ASSERT(letter($) != 0);
      for (int thing = hand_over.take(); thing != none; thing = next[thing]($), ++got) {
        RL_ASSERT(contents[thing]($) == 1);
        contents[thing]($) = 2;
      }
    }
  }
};

}  // namespace

void make_claims() {
  constexpr memory_order acquire = std::memory_order_acquire, release = std::memory_order_release;
  constexpr Without nothing = Without::nothing;
  claim("a thread in its shard and one that wants to be alone never meet", holds<Crossing<2>>());
  claim("nor do two that want to be alone", holds<Crossing<3>>());
  claim("without the light fence they would", is_caught<Crossing<2, Without::light_fence>>());
  claim("without the heavy fence, too", is_caught<Crossing<2, Without::heavy_fence>>());
  claim("a thread that leaves has to release what it did", is_caught<Crossing<2, nothing, idle, release>>());
  claim("who waits for it has to acquire that", is_caught<Crossing<2, nothing, idle, acquire>>());
  claim("who opens the shard lock has to release what he did", is_caught<Crossing<2, nothing, open, release>>());
  claim("who comes in has to acquire that", is_caught<Crossing<2, nothing, open, acquire>>());
  claim("a substitute meets neither the thread whose place he takes", holds<Substitution<2>>());
  claim("nor who wants to be alone", holds<Substitution<3>>());
  claim("a substitute has to release what he did", is_caught<Substitution<2, substitute, release>>());
  claim("who comes behind him has to acquire that", is_caught<Substitution<2, substitute, acquire>>());
  claim("what is handed over is taken once, and as it was left", holds<HandingOver<>>());
  claim("who hands over has to release it", is_caught<HandingOver<first, release>>());
  claim("who takes has to acquire it", is_caught<HandingOver<first, acquire>>());
}

#endif
