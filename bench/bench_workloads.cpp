// Tangled from org/bench.org; change the chapter, then run: make tangle
// The workloads W1, W2, W3, W5 and W6 on every way to get memory, in a process that makes no thread.
#include <benchmark/benchmark.h>
#include <sys/single_threaded.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "bytes.hpp"
#include "child.hpp"
#include "loops.hpp"
#include "ratios.hpp"
#include "warm_memory.hpp"
#include "ways.hpp"

namespace {

using bench::Contents, bench::Live, bench::Places, bench::name_of;

std::vector<std::size_t> mixed_sizes() {
  std::mt19937_64 random(54321);
  std::uniform_real_distribution<double> exponent(4, 20);
  std::vector<std::size_t> sizes(std::size_t{1} << 16);
  for (std::size_t& size : sizes) size = static_cast<std::size_t>(std::exp2(exponent(random)));
  return sizes;
}

// The time of a step, once the heap has stopped growing; below 0 when there was not enough memory.
template <class Way>
double seconds_of_mixed(Contents contents) {
  constexpr std::size_t most = 20000, steps_before = 200000, steps = 50000;
  const std::vector<std::size_t> sizes = mixed_sizes();
  Way way;
  Places places(most);
  std::vector<std::pair<void*, std::size_t>> blocks(most);
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
  const double seconds = bench::cpu_seconds() - begin;
  for (const auto& [block, size] : blocks) {
    if (block) way.deallocate(block, size);
  }
  return seconds / steps;
}

constexpr const char* mixing = "mix";

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

// Writes what the body answers for the way with that name; 1 when there is none.
template <class Body>
int tell(const std::string& name, Body body) {
  int status = 1;
  bench::for_all_ways([&]<class Way>() {
    if (name == Way::name && bench::answer(body.template operator()<Way>(), STDOUT_FILENO)) status = 0;
  });
  return status;
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
    add(name_of("W6", Way::name, std::to_string(count)), [=](benchmark::State& state) { weigh<Way>(state, count); })
        ->Iterations(1);
    if (count > 1000000) continue;
    bench::add_loop(name_of("W1 zeroed", Way::name, std::to_string(count)), count, bench::churn<Way, Contents::zeros>(count));
  }
  const auto add_mix = [](const char* name, Contents contents) {
    add(name_of("W3", Way::name, name), [=](benchmark::State& state) { mix<Way>(state, contents); })
        ->Repetitions(one_of<Way, bench::Glibc, bench::Cadastre> ? 7 : 3)->UseManualTime()->Iterations(1);
  };
  add_mix("zeroed", Contents::zeros);
  add_mix("written", Contents::written);
  if constexpr (requires(Way way) { way.allocate(1); }) add_mix("uninitialised", Contents::any);
  if constexpr (requires(Way way, std::span<void* const> live) { way.destroy(live); }) {
    if (one_of<Way, bench::Scan>) return;
    add(name_of("W5", Way::name, "100000"), [](benchmark::State& state) { destroy<Way>(state, 100000); })
        ->UseManualTime()->Iterations(3)->Repetitions(5);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string begun_for = argc == 4 ? argv[1] : "";
  if (begun_for == weighing) {
    return tell(argv[2], [&]<class Way>() { return bench::bytes_per_block<Way>(std::stoull(argv[3])); });
  }
  if (begun_for == mixing) {
    return tell(argv[2], [&]<class Way>() { return seconds_of_mixed<Way>(Contents{std::stoi(argv[3])}); });
  }
  if (!bench::begin(argc, argv)) return 1;
  bench::for_all_ways([]<class Way>() { add_all<Way>(); });
  bench::run(bench::Glibc::name);
  if (__libc_single_threaded) return 0;
  std::fprintf(stderr, "bench_workloads: something made a thread, so that these are times of a process with threads\n");
  return 1;
}
