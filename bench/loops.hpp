// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// W1 and W2 as benchmarks, their loops in several placements.
#ifndef CADASTRE_BENCH_LOOPS_HPP
#define CADASTRE_BENCH_LOOPS_HPP

#include <benchmark/benchmark.h>

#include <string>
#include <type_traits>
#include <utility>

#include "blocks.hpp"

namespace bench {

template <int Shift, class Step>
[[gnu::noinline, gnu::aligned(64)]] void repeat(benchmark::State& state, Step step) {
  asm volatile(".rept %c0\n\tnop\n\t.endr" : : "i"(Shift));
  for (auto _ : state) step();
}

constexpr const char* too_many = "there is no memory for so many blocks";

// body: gets the way, its live blocks and places among them, and answers a step.
template <class Way, class Body, class... How>
auto on_live_blocks(std::size_t count, Body body, How... how) {
  return [=](benchmark::State& state, auto shift) {
    Way way(how...);
    Live<Way> live(way, count);
    if (!live.complete()) return state.SkipWithError(too_many);
    Places places(count);
    repeat<shift>(state, body(way, live, places));
  };
}

template <class Way, Contents contents = Contents::any, class... How>
auto churn(std::size_t count, How... how) {
  const auto step = [](Way& way, Live<Way>& live, Places& places) { return [&] { replace<contents>(way, live[places.next()]); }; };
  return on_live_blocks<Way>(count, step, how...);
}

template <class Way, class... How>
auto look_up(std::size_t count, How... how) {
  const auto step = [](Way& way, Live<Way>& live, Places& places) {
    return [&] { benchmark::DoNotOptimize(way.size_of(live[places.next()])); };
  };
  return on_live_blocks<Way>(count, step, how...);
}

template <class Way, class... How>
auto look_inside(std::size_t count, How... how) {
  const auto step = [](Way& way, Live<Way>& live, Places& places) {
    return [&, offset = std::size_t{0}]() mutable {
      offset = (offset + 27) % block_size;
      benchmark::DoNotOptimize(way.around(static_cast<const char*>(live[places.next()]) + offset));
    };
  };
  return on_live_blocks<Way>(count, step, how...);
}

inline std::string name_of(const std::string& what, const std::string& how, const std::string& size) {
  return what + "/" + how + "/" + size;
}

template <class Body>
void add_loop(const std::string& name, std::size_t count, Body body) {
  const bool many = count > 100000;
  const auto add_at = [&](auto shift) {
    if (count > 1000000 && shift % 32 != 0) return;
    auto* const added =
        benchmark::RegisterBenchmark((name + "/at:" + std::to_string(shift)).c_str(), [=](benchmark::State& state) { body(state, shift); });
    if (many) {
      added->Iterations(200000);
    } else {
      added->Repetitions(3)->DisplayAggregatesOnly()->MinTime(0.03);
    }
  };
  [&]<int... shifts>(std::integer_sequence<int, shifts...>) {
    (add_at(std::integral_constant<int, shifts>()), ...);
  }(std::integer_sequence<int, 0, 16, 32, 48>());
}

// W1, and W2 where the way looks up. suffix: of the names of both; how: what the way is made of.
template <class Way, class... How>
void add_loops(const std::string& suffix, const std::string& name, std::size_t count, How... how) {
  const std::string size = std::to_string(count);
  add_loop(name_of("W1" + suffix, name, size), count, churn<Way>(count, how...));
  if constexpr (requires(Way way, const void* pointer) { way.size_of(pointer); }) {
    add_loop(name_of("W2" + suffix, name, size), count, look_up<Way>(count, how...));
  }
  if constexpr (requires(Way way, const void* pointer) { way.around(pointer); }) {
    add_loop(name_of("W2i" + suffix, name, size), count, look_inside<Way>(count, how...));
  }
}

}  // namespace bench
#endif
