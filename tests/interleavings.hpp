// Tangled from org/tests/interleavings.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Lines without a lock, run by a checker in many interleavings: for one program each.
#ifndef CADASTRE_TESTS_INTERLEAVINGS_HPP
#define CADASTRE_TESTS_INTERLEAVINGS_HPP

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <type_traits>

#include "base/lock.hpp"  // before Relacy replaces delete and other words

// Its fibers are nothing that sanitizers know.
#if __has_include(<relacy/relacy.hpp>) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CADASTRE_CHECKS_INTERLEAVINGS 1
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

#ifdef __clang__
#pragma clang diagnostic ignored "-Wdollar-in-identifier-extension"
#endif

namespace interleavings {

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
    explicit Atomic(Value = Value()) : word_(made++ % words) {}  // which is too early to store the value: see before
    Value load(memory_order order) const { return static_cast<Value>(value_.load(given(order), $)); }
    void store(Value value, memory_order order) { value_.store(static_cast<Number>(value), given(order), $); }
    Value exchange(Value value, memory_order order) { return value_.exchange(value, given(order), $); }
    bool compare_exchange_weak(Value& expected, Value value, memory_order order, memory_order) {
      return value_.compare_exchange_weak(expected, value, given(order), $);
    }
    bool compare_exchange_strong(Value& expected, Value value, memory_order order, memory_order) {
      auto number = static_cast<Number>(expected);
      const bool done = value_.compare_exchange_strong(number, static_cast<Number>(value), given(order), $);
      expected = static_cast<Value>(number);
      return done;
    }

   private:
    // The checker prints what it stores.
    using Number = typename std::conditional_t<std::is_enum_v<Value>, std::underlying_type<Value>, std::type_identity<Value>>::type;
    rl::memory_order given(memory_order order) const {
      if (word_ != weak_word) return order_of(order);
      if (order == memory_order::acq_rel) {
        return weak_order == memory_order::acquire ? rl::mo_release : weak_order == memory_order::release ? rl::mo_acquire : rl::mo_acq_rel;
      }
      return order == weak_order ? rl::mo_relaxed : order_of(order);
    }
    static inline unsigned made = 0;
    rl::atomic<Number> value_;
    unsigned word_;
  };
  static bool fences_are_light() { return true; }
  static void light() {
    if (without != Without::light_fence) rl::atomic_thread_fence(rl::mo_seq_cst, $);
  }
  static void full() { light(); }
  static void note_entry() {}
  static void note_exit() {}
  static void heavy() {
    if (without != Without::heavy_fence) rl::atomic_thread_fence(rl::mo_seq_cst, $);
  }
};

template <class Test>
bool run(std::ostream& output, unsigned interleavings) {
  rl::test_params params;
  params.output_stream = params.progress_stream = &output;
  params.search_type = rl::sched_random;
  params.iteration_count = interleavings;
  params.execution_depth_limit = 2000;
  return rl::simulate<Test>(params);
}

// Where it does not hold it runs once more, to be read.
template <class Test>
bool holds() {
  constexpr unsigned interleavings = 100000;
  std::ostream nowhere(nullptr);
  const bool good = run<Test>(nowhere, interleavings);
  if (!good) run<Test>(std::cerr, interleavings);
  return good;
}
// The first interleaving that is wrong ends it; some orders are needed in few.
template <class Test>
bool is_caught() {
  std::ostream nowhere(nullptr);
  return !run<Test>(nowhere, 5000000);
}

inline int claims = 0, wrong = 0;
inline void claim(const char* text, bool good) {
  ++claims;
  wrong += !good;
  std::printf("%sok %d - %s\n", good ? "" : "not ", claims, text);
}

}  // namespace interleavings

// What the program claims.
void make_claims();

int main() {
  const char* const preloaded = std::getenv("LD_PRELOAD");
  if (preloaded && std::strstr(preloaded, "vgpreload")) {
    std::puts("1..0 # SKIP valgrind does not know relacy's fibers");
    return 0;
  }
  make_claims();
  std::printf("1..%d\n", interleavings::claims);
  return interleavings::wrong == 0 ? 0 : 1;
}

#else

int main() {
  std::puts("1..0 # SKIP relacy, a checker of interleavings, is not installed, or a sanitizer is in its way");
  return 0;
}

#endif
#endif
