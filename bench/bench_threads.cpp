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

// A thread's share: pairs until the time is over.
template <class Way>
class Worker {
 public:
  explicit Worker(Way& way) : way_(way), live_(way, each) {}
  void replace_some(std::size_t pairs) {
    for (std::size_t pair = 0; pair < pairs; ++pair) replace(way_, live_[places_.next()]);
    pairs_ += pairs;
  }
  std::size_t work(std::chrono::duration<double> time) {
    replace_some(each);
    pairs_ = 0;
    const auto end = std::chrono::steady_clock::now() + time;
    do {
      replace_some(1000);
    } while (std::chrono::steady_clock::now() < end);
    return pairs_;
  }

 private:
  static constexpr std::size_t each = 10000;

  Way& way_;
  Live<Way> live_;
  Places places_{each};
  std::size_t pairs_ = 0;
};

template <class Way>
void share(benchmark::State& state, int threads) {
  constexpr std::chrono::duration<double> time(0.1);
  for (auto _ : state) {
    Way way;
    std::barrier ready(threads);
    std::atomic<std::size_t> pairs = 0;
    std::vector<std::jthread> workers;
    for (int number = 0; number < threads; ++number) {
      workers.emplace_back([&] {
        Worker<Way> worker(way);
        ready.arrive_and_wait();
        pairs += worker.work(time);
        ready.arrive_and_wait();
      });
    }
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
