// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The workloads of one thread on every way to get memory, in a process that makes none.
#include <benchmark/benchmark.h>
#include <sys/single_threaded.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "bytes.hpp"
#include "child.hpp"
#include "loops.hpp"
#include "ratios.hpp"
#include "touched.hpp"
#include "warm_memory.hpp"
#include "ways.hpp"

namespace {

using bench::Contents, bench::Live, bench::Places, bench::name_of, bench::tell;

std::vector<std::size_t> mixed_sizes() {
  std::mt19937_64 random(54321);
  std::uniform_real_distribution<double> exponent(4, 20);
  std::vector<std::size_t> sizes(std::size_t{1} << 16);
  for (std::size_t& size : sizes) size = static_cast<std::size_t>(std::exp2(exponent(random)));
  return sizes;
}

enum class Told { seconds, bytes };

// The time of a step, once the heap has stopped growing, or what is in memory then; below 0 when there was not enough memory.
template <class Way>
double mixed(Contents contents, Told told) {
  constexpr std::size_t most = 20000, steps_before = 200000, steps = 50000;
  const std::vector<std::size_t> sizes = mixed_sizes();
  Places places(most);
  std::vector<std::pair<void*, std::size_t>> blocks(most);
  const double bytes_before = bench::bytes_in_memory();
  Way way;
  std::size_t number = 0;
  const auto step_up_to = [&](std::size_t end) {
    for (; number < end; ++number) {
      auto& [block, size] = blocks[places.next()];
      if (block) {
        way.deallocate(std::exchange(block, nullptr), size);
      } else {
        size = sizes[number & (sizes.size() - 1)];
        block = bench::filled(way, size, contents);
        if (!block) return false;
      }
      benchmark::DoNotOptimize(block);
    }
    return true;
  };
  if (!step_up_to(steps_before)) return -1;
  const double begin = bench::cpu_seconds();
  if (!step_up_to(steps_before + steps)) return -1;
  const double seconds = bench::cpu_seconds() - begin, bytes = bench::bytes_in_memory() - bytes_before;
  for (const auto& [block, size] : blocks) {
    if (block) way.deallocate(block, size);
  }
  return told == Told::bytes ? bytes : seconds / steps;
}

constexpr const char *mixing = "mix", *weighing_mixed = "weigh mix";

template <class Way>
void mix(benchmark::State& state, Contents contents) {
  for (auto _ : state) {
    const bench::WarmMemory warm;
    const auto number = std::to_string(static_cast<int>(contents));
    const double seconds = bench::in_a_new_process(mixing, Way::name, number);
    if (seconds < 0) return state.SkipWithError("there is no memory for these blocks");
    state.SetIterationTime(seconds);
  }
}

template <class Way>
void weigh_mixed(benchmark::State& state) {
  double bytes = -1;
  for (auto _ : state) bytes = bench::in_a_new_process(weighing_mixed, Way::name, std::to_string(static_cast<int>(Contents::written)));
  if (bytes < 0) return state.SkipWithError("there is no memory for these blocks");
  state.counters["bytes"] = bytes;
}

template <class Way>
void destroy(benchmark::State& state, std::size_t count) {
  for (auto _ : state) {
    Way way;
    Live<Way> live(way, count);
    const double begin = bench::cpu_seconds();
    way.destroy(live.all());
    state.SetIterationTime(bench::cpu_seconds() - begin);
    live.forget();
  }
}

constexpr const char* weighing = "weigh";

template <class Way>
void weigh(benchmark::State& state, std::size_t count) {
  double bytes = -1;
  for (auto _ : state) bytes = bench::in_a_new_process(weighing, Way::name, std::to_string(count));
  if (bytes < 0) return state.SkipWithError(bench::too_many);
  state.counters["bytes"] = bytes;
}

constexpr const char* draining = "drain";

template <class Way>
double seconds_of_drain(std::size_t count) {
  Way way;
  std::vector<void*> live(count);
  for (void*& block : live) block = bench::filled(way, bench::block_size, Contents::any);
  const double begin = bench::cpu_seconds();
  for (void* const block : live) way.deallocate(block, bench::block_size);
  return (bench::cpu_seconds() - begin) / static_cast<double>(count);
}

template <class Way>
void drain(benchmark::State& state, std::size_t count) {
  for (auto _ : state) {
    state.SetIterationTime(bench::in_a_new_process(draining, Way::name, std::to_string(count)));
  }
}

constexpr const char* leaving = "leave";

// Freed together by a way that can, and one by one by another.
template <class Way>
double bytes_left_over(std::size_t count) {
  std::vector<void*> live(count, &live);
  malloc_trim(0);
  const double before = bench::bytes_in_memory();
  Way way;
  for (void*& block : live) block = bench::filled(way, bench::block_size, Contents::any);
  if constexpr (requires { way.free_all(); }) {
    if (!way.free_all()) return -1;
  } else {
    for (void* const block : live) way.deallocate(block, bench::block_size);
  }
  const timespec moment{1, 100000000};
  nanosleep(&moment, nullptr);
  way.deallocate(bench::filled(way, bench::block_size, Contents::any), bench::block_size);
  return std::max(0.0, bench::bytes_in_memory() - before);
}

template <class Way>
void leave(benchmark::State& state, std::size_t count) {
  double bytes = -1;
  for (auto _ : state) bytes = bench::in_a_new_process(leaving, Way::name, std::to_string(count));
  if (bytes < 0) return state.SkipWithError("the blocks could not be freed");
  state.counters["bytes"] = bytes;
}

constexpr const char* making_contexts = "contexts";

int tell_of_contexts(std::size_t blocks) {
  constexpr std::size_t count = 100000;
  std::vector<cadastre_context> contexts(count, 1);
  const double before = bench::bytes_in_memory();
  const cadastre_memory_info_struct request = bench::InContext::request(CADASTRE_HOST, bench::block_size, 0);
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  for (cadastre_context& context : contexts) {
    context = cadastre_context_create_with_options(&options);
    for (std::size_t block = 0; block < blocks; ++block) {
      if (!cadastre_malloc(context, request)) return 1;
    }
  }
  const double bytes = bench::bytes_in_memory() - before;
  return bench::answer(bytes / static_cast<double>(count), STDOUT_FILENO) ? 0 : 1;
}

void add_contexts() {
  for (const std::size_t blocks : {0u, 10u}) {
    const std::string size = std::to_string(blocks) + " blocks";
    benchmark::RegisterBenchmark(name_of("contexts", "cadastre", size).c_str(), [=](benchmark::State& state) {
      double bytes = -1;
      for (auto _ : state) bytes = bench::in_a_new_process(making_contexts, "cadastre", std::to_string(blocks));
      if (bytes < 0) return state.SkipWithError("there is no memory for so many contexts");
      state.counters["bytes"] = bytes;
    })->Iterations(1);
  }
}

template <class Way, class... Others>
constexpr bool one_of = (std::is_same_v<Way, Others> || ...);

template <class Way>
std::vector<std::size_t> counts() {
  if (one_of<Way, bench::Scan>) return {100, 1000, 10000};
  if (one_of<Way, bench::Glibc, bench::HashMap, bench::Cadastre>) {
    return {100, 1000, 10000, 100000, 1000000, 10000000};
  }
  return {100, 10000, 100000, 1000000};
}

template <class Body>
auto* add(const std::string& name, Body body) {
  return benchmark::RegisterBenchmark(name.c_str(), body)->DisplayAggregatesOnly();
}

template <class Way>
void add_all() {
  for (const std::size_t count : counts<Way>()) {
    bench::add_loops<Way>("", Way::name, count);
    if (!one_of<Way, bench::Glibc, bench::Scan, bench::HashMap, bench::Cadastre>) continue;
    add(name_of("W6", Way::name, std::to_string(count)), [=](benchmark::State& state) { weigh<Way>(state, count); })->Iterations(1);
    if (count > 1000000) continue;
    bench::add_loop(name_of("W1 zeroed", Way::name, std::to_string(count)), count, bench::churn<Way, Contents::zeros>(count));
  }
  const auto add_mix = [](const char* name, Contents contents) {
    add(name_of("W3", Way::name, name), [=](benchmark::State& state) { mix<Way>(state, contents); })
        ->Repetitions(one_of<Way, bench::Glibc, bench::Cadastre> ? 7 : 3)
        ->UseManualTime()
        ->Iterations(1);
  };
  add_mix("zeroed", Contents::zeros);
  add_mix("written", Contents::written);
  if constexpr (requires(Way way) { way.allocate(1); }) add_mix("uninitialised", Contents::any);
  if (one_of<Way, bench::Glibc, bench::Other<bench::Mimalloc>, bench::Other<bench::Jemalloc>, bench::Cadastre>) {
    add(name_of("W3 memory", Way::name, "written"), weigh_mixed<Way>)->Iterations(1)->Repetitions(3);
  }
  if (!one_of<Way, bench::Scan>) {
    add(name_of("drain", Way::name, "1000000"), [](benchmark::State& state) { drain<Way>(state, 1000000); })
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(5);
  }
  if (one_of<Way, bench::Glibc, bench::Cadastre>) {
    add(name_of("left over", Way::name, "1000000"), [](benchmark::State& state) { leave<Way>(state, 1000000); })->Iterations(1);
  }
  if constexpr (requires(Way way, std::span<void* const> live) { way.destroy(live); }) {
    if (one_of<Way, bench::Scan>) return;
    add(name_of("W5", Way::name, "100000"), [](benchmark::State& state) { destroy<Way>(state, 100000); })
        ->UseManualTime()
        ->Iterations(3)
        ->Repetitions(5);
  }
}

void add_ours() {
  add(name_of("W5", bench::Summing::name, "100000"), [](benchmark::State& state) { destroy<bench::Summing>(state, 100000); })
      ->UseManualTime()
      ->Iterations(3)
      ->Repetitions(5);
  constexpr std::size_t count = 10000;
  const std::string size = std::to_string(count);
  bench::add_loop(name_of("W1 near limit", bench::Glibc::name, size), count, bench::churn<bench::Glibc>(count));
  bench::add_loop(name_of("W1 near limit", bench::NearLimit::name, size), count,
                  bench::churn<bench::NearLimit>(count, count, bench::block_size));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string begun_for = argc == 4 ? argv[1] : "";
  if (begun_for == weighing) {
    return tell(argv[2], [&]<class Way>() { return bench::bytes_per_block<Way>(std::stoull(argv[3])); });
  }
  if (begun_for == mixing) {
    return tell(argv[2], [&]<class Way>() { return mixed<Way>(Contents{std::stoi(argv[3])}, Told::seconds); });
  }
  if (begun_for == weighing_mixed) {
    return tell(argv[2], [&]<class Way>() { return mixed<Way>(Contents{std::stoi(argv[3])}, Told::bytes); });
  }
  if (begun_for == bench::touching) return bench::tell_of_touched(argv[2], argv[3], 1);
  if (begun_for == draining) {
    return tell(argv[2], [&]<class Way>() { return seconds_of_drain<Way>(std::stoull(argv[3])); });
  }
  if (begun_for == leaving) {
    return tell(argv[2], [&]<class Way>() { return bytes_left_over<Way>(std::stoull(argv[3])); });
  }
  if (begun_for == making_contexts) return tell_of_contexts(std::stoull(argv[3]));
  if (!bench::begin(argc, argv)) return 1;
  bench::for_all_ways([]<class Way>() { add_all<Way>(); });
  add_ours();
  add_contexts();
  bench::add_touched(1);
  bench::run(bench::Glibc::name);
  if (__libc_single_threaded) return 0;
  std::fprintf(stderr, "bench_workloads: something made a thread, so that these are times of a process with threads\n");
  return 1;
}
