// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Demanding blocks, zeroed and touched, by one thread or several.
#ifndef CADASTRE_BENCH_TOUCHED_HPP
#define CADASTRE_BENCH_TOUCHED_HPP

#include <benchmark/benchmark.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "blocks.hpp"
#include "child.hpp"
#include "ways.hpp"

namespace bench {

constexpr const char* touching = "touch";

// Seconds that a thread needs for a pair, each page of the block written to: of a clock, or of the processor where
// one thread is alone.
template <class Way>
double seconds_of_touched(std::size_t size, int threads) {
  Way way;
  const std::size_t count = std::max(std::size_t{2}, (std::size_t{64} << 20) / size / static_cast<std::size_t>(threads));
  const std::size_t steps = std::clamp((std::size_t{1} << 29) / size, std::size_t{50}, std::size_t{50000});
  const auto now = [=] {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now().time_since_epoch();
    return threads == 1 ? cpu_seconds() : since.count();
  };
  std::barrier ready(threads);
  std::vector<double> seconds(static_cast<std::size_t>(threads));
  const auto work = [&](double& taken) {
    std::vector<void*> live(count);
    Places places(count);
    const auto step = [&](void*& block) {
      if (block) way.deallocate(block, size);
      block = way.allocate_zeroed(size);
      for (std::size_t at = 0; block && at < size; at += 4096) static_cast<volatile char*>(block)[at] = 1;
    };
    for (void*& block : live) step(block);
    for (std::size_t number = 0; number < count; ++number) step(live[places.next()]);
    ready.arrive_and_wait();
    const double begin = now();
    for (std::size_t number = 0; number < steps; ++number) step(live[places.next()]);
    taken = (now() - begin) / static_cast<double>(steps);
    ready.arrive_and_wait();
    const bool complete = std::find(live.begin(), live.end(), nullptr) == live.end();
    for (void* const block : live) way.deallocate(block, size);
    if (!complete) taken = -1;
  };
  std::vector<std::jthread> others;
  for (std::size_t number = 1; number < seconds.size(); ++number) {
    others.emplace_back([&work, &taken = seconds[number]] { work(taken); });
  }
  work(seconds[0]);
  others.clear();
  return *std::min_element(seconds.begin(), seconds.end()) < 0 ? -1 : *std::max_element(seconds.begin(), seconds.end());
}

inline int tell_of_touched(const std::string& way, const std::string& size, int threads) {
  return tell_of_demanding(way, [&]<class Way>() { return seconds_of_touched<Way>(std::stoull(size), threads); });
}

inline void add_touched(int threads) {
  for (const std::size_t kibibytes : {4u, 64u, 256u, 16384u}) {
    const std::string size = (kibibytes < 1024 ? std::to_string(kibibytes) + "KiB" : std::to_string(kibibytes / 1024) + "MiB") +
                             (threads == 1 ? " 1 thread" : " " + std::to_string(threads) + " threads");
    for_demanding_ways([&]<class Way>() {
      const std::string name = std::string("touched/") + Way::name + "/" + size;
      benchmark::RegisterBenchmark(name.c_str(),
                                   [=](benchmark::State& state) {
                                     for (auto _ : state) {
                                       const double seconds = in_a_new_process(touching, Way::name, std::to_string(kibibytes << 10));
                                       if (seconds < 0) return state.SkipWithError("there is no memory for these blocks");
                                       state.SetIterationTime(seconds);
                                     }
                                   })
          ->Repetitions(7)
          ->DisplayAggregatesOnly()
          ->UseManualTime()
          ->Iterations(1);
    });
  }
}

}  // namespace bench
#endif
