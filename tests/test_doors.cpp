// Tangled from org/door_tests.org; change the chapter, then run: make tangle
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

// Its fibers are nothing that sanitizers know.
#if __has_include(<relacy/relacy.hpp>) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <relacy/relacy.hpp>
// Relacy's macros of these names would change the code that is checked.
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef errno

#include "core/door.hpp"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wdollar-in-identifier-extension"
#endif

namespace {

using std::memory_order;

constexpr rl::memory_order order_of(memory_order order) {
  switch (order) {
    case std::memory_order_relaxed: return rl::mo_relaxed;
    case std::memory_order_consume: return rl::mo_consume;
    case std::memory_order_acquire: return rl::mo_acquire;
    case std::memory_order_release: return rl::mo_release;
    case std::memory_order_acq_rel: return rl::mo_acq_rel;
    default: return rl::mo_seq_cst;
  }
}

// What a protocol is given, and mutants of it: one fence is missing, or the accesses of one word that have one order are relaxed.
enum class Without { nothing, light_fence, heavy_fence };

template <unsigned words, Without without, unsigned weak_word, memory_order weak_order>
struct CheckedAtomics {
  template <class Value>
  class Atomic {
   public:
    explicit Atomic(Value) : word_(made++ % words) {}  // which is too early to store the value: see before
    Value load(memory_order order) const { return value_.load(given(order), $); }
    void store(Value value, memory_order order) { value_.store(value, given(order), $); }
    Value exchange(Value value, memory_order order) { return value_.exchange(value, given(order), $); }
    bool compare_exchange_weak(Value& expected, Value value, memory_order order, memory_order) {
      return value_.compare_exchange_weak(expected, value, given(order), $);
    }

   private:
    rl::memory_order given(memory_order order) const {
      if (word_ != weak_word) return order_of(order);
      if (order == memory_order::acq_rel) {
        return weak_order == memory_order::acquire ? rl::mo_release : weak_order == memory_order::release ? rl::mo_acquire : rl::mo_acq_rel;
      }
      return order == weak_order ? rl::mo_relaxed : order_of(order);
    }
    static inline unsigned made = 0;
    rl::atomic<Value> value_;
    unsigned word_;
  };
  static bool fences_are_light() { return true; }
  static void light() {
    if (without != Without::light_fence) rl::atomic_thread_fence(rl::mo_seq_cst, $);
  }
  static void full() { light(); }
  static void heavy() {
    if (without != Without::heavy_fence) rl::atomic_thread_fence(rl::mo_seq_cst, $);
  }
};

constexpr unsigned no_word = UINT32_MAX, idle = 0, open = 1, first = 0;

// One thread works in the shard, the others want to be alone, one after the other.
template <unsigned threads, Without without = Without::nothing, unsigned word = no_word, memory_order order = std::memory_order_seq_cst>
struct Crossing : rl::test_suite<Crossing<threads, without, word, order>, threads> {
  using Atomics = CheckedAtomics<3, without, word, order>;
  static constexpr std::int64_t handle = 42;
  cadastre::internal::BasicDoor<Atomics> door;
  rl::var<int> count;
  rl::mutex lock;

  void before() {
    door.renew(handle);
    door.open(handle);
    count($) = 0;
  }
  void thread(unsigned number) {
    if (number == 0) {
      for (int turn = 0; turn < 2; ++turn) {
        if (!door.enter_at_once(handle)) continue;
        count($) = count($) + 1;
        door.leave(handle);
      }
      return;
    }
    lock.lock($);
    door.close(handle);
    Atomics::heavy();
    while (!door.is_left()) rl::yield(1, $);
    count($) = count($) + 1;
    door.open(handle);
    lock.unlock($);
  }
};

// Two threads hand over two things each, and the owner takes what there is until he has all of it.
template <unsigned word = no_word, memory_order order = std::memory_order_seq_cst>
struct HandingOver : rl::test_suite<HandingOver<word, order>, 3> {
  static constexpr int none = 0, things = 4;
  cadastre::internal::BasicHandOver<CheckedAtomics<1, Without::nothing, word, order>, int, none> hand_over;
  rl::var<int> next[things + 1], contents[things + 1];
  rl::atomic<int> mail;
  rl::var<int> letter;  // as a slab's place in the owner's mail

  void before() {
    hand_over.clear();
    mail.store(0, rl::mo_relaxed, $);
    letter($) = 0;
    for (int thing = 0; thing <= things; ++thing) next[thing]($) = contents[thing]($) = 0;
  }
  void thread(unsigned number) {
    if (number == 2) return take_all();
    for (int turn = 1; turn <= things / 2; ++turn) {
      const int thing = static_cast<int>(number) * things / 2 + turn;
      contents[thing]($) = 1;
      if (!hand_over.push(thing, [&](int behind) { next[thing]($) = behind; })) continue;
      letter($) = thing;
      RL_ASSERT(mail.exchange(1, rl::mo_release, $) == 0);
    }
  }
  void take_all() {
    for (int got = 0; got < things;) {
      if (mail.exchange(0, rl::mo_acquire, $) == 0) {
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

template <class Test>
bool run(std::ostream& output) {
  rl::test_params params;
  params.output_stream = params.progress_stream = &output;
  params.search_type = rl::sched_random;
  params.iteration_count = 100000;
  params.execution_depth_limit = 2000;
  return rl::simulate<Test>(params);
}

// Where it is not as expected it runs once more, to be read.
template <class Test>
bool holds(bool expected = true) {
  std::ostream nowhere(nullptr);
  const bool good = run<Test>(nowhere);
  if (good != expected) run<Test>(std::cerr);
  return good;
}
template <class Test>
bool is_caught() {
  return !holds<Test>(false);
}

int claims = 0, wrong = 0;
void claim(const char* text, bool good) {
  ++claims;
  wrong += !good;
  std::printf("%sok %d - %s\n", good ? "" : "not ", claims, text);
}

}  // namespace

int main() {
  const char* const preloaded = std::getenv("LD_PRELOAD");
  if (preloaded && std::strstr(preloaded, "vgpreload")) {
    std::puts("1..0 # SKIP valgrind does not know relacy's fibers");
    return 0;
  }
  constexpr memory_order acquire = std::memory_order_acquire, release = std::memory_order_release;
  constexpr Without nothing = Without::nothing;
  claim("a thread in its shard and one that wants to be alone never meet", holds<Crossing<2>>());
  claim("nor do two that want to be alone", holds<Crossing<3>>());
  claim("without the light fence they would", is_caught<Crossing<2, Without::light_fence>>());
  claim("without the heavy fence, too", is_caught<Crossing<2, Without::heavy_fence>>());
  claim("a thread that leaves has to release what it did", is_caught<Crossing<2, nothing, idle, release>>());
  claim("who waits for it has to acquire that", is_caught<Crossing<2, nothing, idle, acquire>>());
  claim("who opens the door has to release what he did", is_caught<Crossing<2, nothing, open, release>>());
  claim("who comes in has to acquire that", is_caught<Crossing<2, nothing, open, acquire>>());
  claim("what is handed over is taken once, and as it was left", holds<HandingOver<>>());
  claim("who hands over has to release it", is_caught<HandingOver<first, release>>());
  claim("who takes has to acquire it", is_caught<HandingOver<first, acquire>>());
  std::printf("1..%d\n", claims);
  return wrong == 0 ? 0 : 1;
}

#else

int main() {
  std::puts("1..0 # SKIP relacy, a checker of interleavings, is not installed, or a sanitizer is in its way");
  return 0;
}

#endif
