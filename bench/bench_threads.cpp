// Tangled from org/bench.org; change the chapter, then run: make tangle
// The workload W4, and W1 and W2 beside a thread that sleeps, on every way to get memory.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <semaphore>
#include <string>
#include <thread>

#include "loops.hpp"
#include "ratios.hpp"
#include "ways.hpp"

namespace {

using bench::Live, bench::Places, bench::replace;

template <class Way>
void share(benchmark::State& state, int threads) {
  constexpr std::size_t each = 10000, at_once = 1000;
  constexpr std::chrono::duration<double> time(0.1);
  for (auto _ : state) {
    Way way;
    std::barrier ready(threads);
    std::atomic<std::size_t> pairs = 0;
    const auto work = [&] {
      Live<Way> live(way, each);
      Places places(each);
      const auto replace_some = [&](std::size_t count) {
        for (std::size_t pair = 0; pair < count; ++pair) replace(way, live[places.next()]);
      };
      ready.arrive_and_wait();
      replace_some(each);
      std::size_t done = 0;
      const auto end = std::chrono::steady_clock::now() + time;
      do {
        replace_some(at_once);
        done += at_once;
      } while (std::chrono::steady_clock::now() < end);
      pairs += done;
      ready.arrive_and_wait();
    };
    std::vector<std::jthread> workers;
    for (int number = 0; number < threads; ++number) workers.emplace_back(work);
    workers.clear();
    state.SetIterationTime(time.count() * threads / static_cast<double>(pairs));
  }
}

template <class Way>
void add_all() {
  for (const std::size_t count : {100u, 10000u}) bench::add_loops<Way>(" beside a thread", Way::name, count);
  const int cores = static_cast<int>(std::max(2u, std::thread::hardware_concurrency()));
  for (int threads = 1; threads <= cores; threads *= 2) {
    benchmark::RegisterBenchmark(bench::name_of("W4", Way::name, std::to_string(threads)).c_str(),
                                 [=](benchmark::State& state) { share<Way>(state, threads); })
        ->Repetitions(9)->DisplayAggregatesOnly()->UseManualTime()->Iterations(1);
  }
}

// What more threads than cores do to each other says nothing.
void tell_cores() {
  const unsigned cores = std::thread::hardware_concurrency();
  for (const unsigned threads : {2u, 4u, 8u, 16u, 32u, 64u}) {
    if (threads <= cores) continue;
    bench::record_why_not("cores" + std::to_string(threads), "cores of this machine: " + std::to_string(cores));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (!bench::begin(argc, argv)) return 1;
  tell_cores();
  bench::for_all_ways([]<class Way>() { add_all<Way>(); });
  std::binary_semaphore done(0);
  std::jthread sleeper([&] { done.acquire(); });
  bench::run(bench::Glibc::name);
  done.release();
}
