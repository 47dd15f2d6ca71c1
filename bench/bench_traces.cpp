// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The allocations of traces on every way to get memory:
//   bench_traces [OPTION...] TRACE...
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "blocks.hpp"
#include "bytes.hpp"
#include "child.hpp"
#include "ratios.hpp"
#include "steps.hpp"
#include "trace.hpp"
#include "warm_memory.hpp"
#include "ways.hpp"

namespace {

using bench::name_of_file, bench::Step, bench::Steps;

template <class Way>
void touch(Way& way, void* block, std::size_t size) {
  auto* const bytes = static_cast<volatile char*>(bench::data_of(way, block));
  for (std::size_t at = 0; at < size; at += 4096) bytes[at] = 1;
}

// The seconds of processor time that all steps take; below 0 when there was not enough memory.
template <class Way>
double perform(const Steps& steps, bool touches) {
  Way way;
  std::vector<void*> blocks(steps.blocks);
  const double begin = bench::cpu_seconds();
  for (const Step& step : steps.all) {
    void*& block = blocks[step.block];
    if (step.fills) {
      block = bench::zeroed(way, step.size);
      if (!block) return -1;
      if (touches) touch(way, block, step.size);
    } else {
      way.deallocate(block, step.size);
    }
  }
  return bench::cpu_seconds() - begin;
}

// The most bytes that are in memory meanwhile beyond those before, each page of a block written to; below 0 as above.
template <class Way>
double most_in_memory(const Steps& steps) {
  const double before = bench::bytes_in_memory();
  if (perform<Way>(steps, true) < 0) return -1;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 - before;
}

template <class Way>
constexpr bool followed =
    std::is_base_of_v<bench::Scan, Way> || std::is_base_of_v<bench::Cadastre, Way> || std::is_same_v<bench::Glibc, Way>;

bool small(const Steps& steps) { return steps.bytes < 1e9; }

constexpr const char *of_the_goal = "dmc_alz_w40_s40", *alive_at_most = "alive at most";

template <class Way>
int repetitions(const std::string& trace, const Steps& steps) {
  constexpr bool compared = !std::is_same_v<Way, bench::ScanOfKept>;
  return small(steps) ? 5 : compared && trace == of_the_goal ? 3 : 1;
}

template <class Way>
void add(const std::string& trace, const std::shared_ptr<const Steps>& steps, bool touches) {
  const std::string name = std::string(touches ? "trace touched/" : "trace/") + Way::name + "/" + trace;
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 for (auto _ : state) {
                                   const auto warm = small(*steps) ? nullptr : std::make_unique<const bench::WarmMemory>();
                                   const double seconds = bench::in_a_child([&] { return perform<Way>(*steps, touches); });
                                   if (seconds < 0) return state.SkipWithError("there is no memory for this trace");
                                   state.SetIterationTime(seconds);
                                 }
                               })
      ->Repetitions(repetitions<Way>(trace, *steps))
      ->DisplayAggregatesOnly()
      ->UseManualTime()
      ->Iterations(1);
}

void add_bytes(const std::string& trace, const char* how, const std::function<double()>& measure) {
  benchmark::RegisterBenchmark(("trace memory/" + std::string(how) + "/" + trace).c_str(), [=](benchmark::State& state) {
    double bytes = -1;
    for (auto _ : state) bytes = measure();
    if (bytes < 0) return state.SkipWithError("there is no memory for this trace");
    state.counters["bytes"] = bytes;
  })->Iterations(1);
}

template <class Way>
void add_both(const std::string& trace, const std::shared_ptr<const Steps>& steps) {
  add<Way>(trace, steps, false);
  if (!followed<Way> || !(small(*steps) || trace == of_the_goal)) return;
  add<Way>(trace, steps, true);
  if (trace != of_the_goal) return;
  add_bytes(trace, Way::name, [=] { return bench::in_a_child([&] { return most_in_memory<Way>(*steps); }); });
}

struct Recorded {
  const char *way, *variable, *file;  // in a folder
};
constexpr Recorded recorded_ways[] = {
    {"cadastre", nullptr, nullptr}, {"cadastre traced", "CADASTRE_TRACE", "/trace"}, {"cadastre black box", "CADASTRE_BLACKBOX", ""}};

double pairs() {
  constexpr std::size_t live = 1000, count = 1'000'000;
  const bench::InContext owner(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
  cadastre_memory_info_struct request = bench::InContext::request(CADASTRE_HOST, 64, 0);
  request.alignment = 64;
  request.label = "walkers";
  std::vector<void*> blocks(live);
  for (void*& block : blocks) block = cadastre_malloc(owner.context, request);
  const double begin = bench::cpu_seconds();
  for (std::size_t number = 0; number < count; ++number) {
    void*& block = blocks[number % live];
    if (cadastre_free(owner.context, block) != CADASTRE_SUCCESS) return -1;
    block = cadastre_malloc(owner.context, request);
  }
  return bench::cpu_seconds() - begin;
}

// The seconds that the work takes while it is recorded; below 0 where it fails.
double recorded(const Recorded& how, const std::function<double()>& work) {
  std::string folder = std::filesystem::temp_directory_path() / "cadastre-bench-XXXXXX";
  if (!mkdtemp(folder.data())) return -1;
  const bench::WarmMemory warm;
  const double seconds = bench::in_a_child([&] {
    if (how.variable) setenv(how.variable, (folder + how.file).c_str(), 1);
    return work();
  });
  std::filesystem::remove_all(folder);
  return seconds;
}

void add_recorded(const std::string& subject, const std::function<double()>& work) {
  for (const Recorded& how : recorded_ways) {
    benchmark::RegisterBenchmark(("recorded/" + std::string(how.way) + "/" + subject).c_str(),
                                 [=](benchmark::State& state) {
                                   for (auto _ : state) {
                                     const double seconds = recorded(how, work);
                                     if (seconds < 0) return state.SkipWithError("the work failed");
                                     state.SetIterationTime(seconds);
                                   }
                                 })
        ->Repetitions(5)
        ->DisplayAggregatesOnly()
        ->UseManualTime()
        ->Iterations(1);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (!bench::begin(argc, argv, true)) return 1;
  for (int number = 1; number < argc; ++number) {
    const auto steps = std::make_shared<const Steps>(bench::steps_of(cadastre::command::read_trace(argv[number])));
    bench::for_all_ways([&]<class Way>() { add_both<Way>(name_of_file(argv[number]), steps); });
    bench::for_ways<bench::ScanOfKept>([&]<class Way>() { add_both<Way>(name_of_file(argv[number]), steps); });
    if (name_of_file(argv[number]) != of_the_goal) continue;
    add_bytes(of_the_goal, alive_at_most, [=] { return steps->most_alive; });
    add_recorded(of_the_goal, [=] { return perform<bench::Cadastre>(*steps, true); });
  }
  add_recorded("pair", pairs);
  bench::run(bench::Scan::name);
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_traces: %s\n", error.what());
  return 1;
}
