// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The workloads of several threads, and W1 and W2 beside a thread that sleeps, on every way to get memory.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <latch>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>

#include "bytes.hpp"
#include "child.hpp"
#include "loops.hpp"
#include "ratios.hpp"
#include "touched.hpp"
#include "ways.hpp"

namespace {

using bench::Contents, bench::Live, bench::Places, bench::name_of, bench::replace;

constexpr std::size_t each_thread = 10000;

template <class Way, class... How>
void share(benchmark::State& state, int threads, How... how) {
  constexpr std::size_t each = each_thread, at_once = 1000;
  constexpr std::chrono::duration<double> time(0.1);
  for (auto _ : state) {
    Way way(how...);
    std::atomic<bool> complete = true;
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
      if (!live.complete()) complete = false;
      ready.arrive_and_wait();
    };
    std::vector<std::jthread> workers;
    for (int number = 0; number < threads; ++number) workers.emplace_back(work);
    workers.clear();
    if (!complete) return state.SkipWithError("a block was refused");
    state.SetIterationTime(time.count() * threads / static_cast<double>(pairs));
  }
}

inline double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Way>
void free_foreign(benchmark::State& state) {
  constexpr std::size_t at_once = 1000;
  constexpr int turns = 500;
  for (auto _ : state) {
    Way way;
    std::vector<void*> blocks(at_once);
    std::binary_semaphore full(0), empty(1);
    double seconds = 0;
    std::jthread frees([&] {
      for (int turn = 0; turn < turns; ++turn) {
        full.acquire();
        const double begin = thread_seconds();
        for (void* const block : blocks) way.deallocate(block, bench::block_size);
        if (turn >= turns / 5) seconds += thread_seconds() - begin;
        empty.release();
      }
    });
    for (int turn = 0; turn < turns; ++turn) {
      empty.acquire();
      for (void*& block : blocks) block = bench::filled(way, bench::block_size, Contents::any);
      full.release();
    }
    frees.join();
    state.SetIterationTime(seconds / (turns - turns / 5) / at_once);
  }
}

template <class Way>
void hand_over(benchmark::State& state) {
  constexpr std::size_t at_once = 250, turns = 2000;
  constexpr std::ptrdiff_t batches = 4;
  for (auto _ : state) {
    Way way;
    std::array<std::array<void*, at_once>, batches> between{};
    std::counting_semaphore<batches> full(0), empty(batches);
    const double begin = bench::cpu_seconds();
    std::jthread frees([&] {
      for (std::size_t turn = 0; turn < turns; ++turn) {
        full.acquire();
        for (void* const block : between[turn % batches]) way.deallocate(block, bench::block_size);
        empty.release();
      }
    });
    for (std::size_t turn = 0; turn < turns; ++turn) {
      empty.acquire();
      for (void*& block : between[turn % batches]) block = bench::filled(way, bench::block_size, Contents::written);
      full.release();
    }
    frees.join();
    state.SetIterationTime((bench::cpu_seconds() - begin) / (turns * at_once));
  }
}

template <class Way>
void larson(benchmark::State& state) {
  constexpr std::size_t slots = 1000, steps = 20000;
  constexpr int generations = 20, threads = 2;
  for (auto _ : state) {
    Way way;
    std::array<std::vector<std::pair<void*, std::size_t>>, threads> blocks;
    for (auto& all : blocks) all.resize(slots);
    const auto work = [&](std::vector<std::pair<void*, std::size_t>>& all, std::size_t skipped) {
      Places places(slots), sizes(985);
      for (std::size_t number = 0; number < skipped; ++number) sizes.next();
      for (std::size_t step = 0; step < steps; ++step) {
        auto& [block, size] = all[places.next()];
        if (block) way.deallocate(block, size);
        size = 16 + sizes.next();
        block = bench::filled(way, size, Contents::any);
        *static_cast<volatile char*>(bench::data_of(way, block)) = 1;
      }
    };
    const auto begin = std::chrono::steady_clock::now();
    for (int generation = 0; generation < generations; ++generation) {
      std::vector<std::jthread> workers;
      for (auto& all : blocks) workers.emplace_back([&work, &all, generation] { work(all, 7u * static_cast<unsigned>(generation)); });
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    for (auto& all : blocks) {
      for (const auto& [block, size] : all) {
        if (block) way.deallocate(block, size);
      }
    }
    state.SetIterationTime(taken.count() / generations / static_cast<double>(steps));
  }
}

template <class Way>
void grow(benchmark::State& state) {
  constexpr std::size_t most = 100000;
  for (auto _ : state) {
    Way way;
    std::barrier ready(2);
    std::array<double, 2> seconds{};
    const auto work = [&](double& taken) {
      std::vector<void*> live;
      live.reserve(most);
      Places places(std::size_t{1} << 31);
      std::size_t steps = 0;
      ready.arrive_and_wait();
      const auto begin = std::chrono::steady_clock::now();
      for (; live.size() < most; ++steps) {
        if (steps % 4 == 3) {
          std::swap(live[places.next() % live.size()], live.back());
          way.deallocate(live.back(), bench::block_size);
          live.pop_back();
        } else {
          live.push_back(bench::filled(way, bench::block_size, Contents::any));
        }
      }
      const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
      taken = all.count() / static_cast<double>(steps);
      ready.arrive_and_wait();
      for (void* const block : live) way.deallocate(block, bench::block_size);
    };
    {
      std::jthread first([&] { work(seconds[0]); }), second([&] { work(seconds[1]); });
    }
    state.SetIterationTime(std::max(seconds[0], seconds[1]));
  }
}

void lock_beside_threads(benchmark::State& state) {
  constexpr int threads = 8;
  bench::Cadastre way;
  std::barrier used(threads + 1);
  std::latch end(1);
  std::vector<std::jthread> others;
  for (int number = 0; number < threads; ++number) {
    others.emplace_back([&] {
      Live<bench::Cadastre> live(way, 1000);
      used.arrive_and_wait();
      end.wait();
    });
  }
  used.arrive_and_wait();
  for (auto _ : state) {
    cadastre_lock(way.context);
    if (cadastre_unlock(way.context) != CADASTRE_SUCCESS) {
      state.SkipWithError("the context was not locked");
      break;
    }
  }
  end.count_down();
}

constexpr const char* coming_and_going = "come and go";

template <class Way>
double bytes_of_threads(int count) {
  Way way;
  const double before = bench::bytes_in_memory();
  for (int number = 0; number < count; number += 8) {
    std::vector<std::jthread> threads;
    for (int each = 0; each < 8; ++each) threads.emplace_back([&] { const Live<Way> live(way, 100); });
  }
  return std::max(0.0, bench::bytes_in_memory() - before);
}

// 160,000 blocks, in as many contexts as there are threads: each thread has as many in each.
constexpr const char* crossing = "cross";

double bytes_of_crossing(std::size_t threads) {
  constexpr std::size_t all = 160000;
  std::vector<cadastre_context> contexts(threads);
  std::vector<void*> blocks(all, &contexts);
  const double before = bench::bytes_in_memory();
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  for (cadastre_context& context : contexts) context = cadastre_context_create_with_options(&options);
  const cadastre_memory_info_struct request = bench::InContext::request(CADASTRE_HOST, bench::block_size, 0);
  std::barrier filled(static_cast<std::ptrdiff_t>(threads));
  const auto fill = [&](std::size_t number) {
    for (std::size_t place = number; place < all; place += threads) {
      blocks[place] = cadastre_malloc(contexts[place / threads % threads], request);
      if (blocks[place]) std::memset(blocks[place], 1, bench::block_size);
    }
    filled.arrive_and_wait();
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t number = 1; number < threads; ++number) others.emplace_back(fill, number);
    fill(0);
  }
  return std::find(blocks.begin(), blocks.end(), nullptr) == blocks.end() ? bench::bytes_in_memory() - before : -1;
}

void cross(benchmark::State& state, int threads) {
  double bytes = -1;
  for (auto _ : state) bytes = bench::in_a_new_process(crossing, "cadastre", std::to_string(threads));
  if (bytes < 0) return state.SkipWithError("a block was refused");
  state.counters["bytes"] = bytes;
}

template <class Way>
void come_and_go(benchmark::State& state) {
  double bytes = -1;
  for (auto _ : state) bytes = bench::in_a_new_process(coming_and_going, Way::name, "1000");
  if (bytes < 0) return state.SkipWithError("threads could not be made");
  state.counters["bytes"] = bytes;
}

template <class Way>
void add_all() {
  for (const std::size_t count : {100u, 10000u}) bench::add_loops<Way>(" beside a thread", Way::name, count);
  const int cores = static_cast<int>(std::max(2u, std::thread::hardware_concurrency()));
  for (int threads = 1; threads <= cores; threads *= 2) {
    benchmark::RegisterBenchmark(bench::name_of("W4", Way::name, std::to_string(threads)).c_str(),
                                 [=](benchmark::State& state) { share<Way>(state, threads); })
        ->Repetitions(9)
        ->DisplayAggregatesOnly()
        ->UseManualTime()
        ->Iterations(1);
  }
  if constexpr (std::is_same_v<Way, bench::Scan>) {
    return;
  } else {
    const auto add = [](const char* what, const char* size, void (*body)(benchmark::State&)) {
      benchmark::RegisterBenchmark(name_of(what, Way::name, size).c_str(), body)
          ->Repetitions(9)
          ->DisplayAggregatesOnly()
          ->UseManualTime()
          ->Iterations(1);
    };
    add("foreign free", "64", free_foreign<Way>);
    add("hand over", "64", hand_over<Way>);
    add("larson", "2", larson<Way>);
    add("growing", "2", grow<Way>);
  }
}

void add_ours() {
  const auto add = [](const std::string& name, auto body) {
    benchmark::RegisterBenchmark(name.c_str(), body)->Repetitions(9)->DisplayAggregatesOnly()->MinTime(0.03);
  };
  add(name_of("lock", bench::Glibc::name, "beside 8 threads"), [](benchmark::State& state) {
    std::recursive_mutex mutex;
    for (auto _ : state) {
      mutex.lock();
      benchmark::DoNotOptimize(mutex);
      mutex.unlock();
    }
  });
  add(name_of("lock", bench::Cadastre::name, "beside 8 threads"), lock_beside_threads);
  for (const int threads : {1, 2}) {
    const auto near = [=](benchmark::State& state) {
      share<bench::NearLimit>(state, threads, static_cast<std::size_t>(threads) * each_thread, bench::block_size);
    };
    const std::string size = std::to_string(threads);
    benchmark::RegisterBenchmark(name_of("W4 near limit", bench::NearLimit::name, size).c_str(), near)
        ->Repetitions(9)
        ->DisplayAggregatesOnly()
        ->UseManualTime()
        ->Iterations(1);
    benchmark::RegisterBenchmark(name_of("W4 near limit", bench::Glibc::name, size).c_str(),
                                 [=](benchmark::State& state) { share<bench::Glibc>(state, threads); })
        ->Repetitions(9)
        ->DisplayAggregatesOnly()
        ->UseManualTime()
        ->Iterations(1);
  }
  for (const int threads : {1, 16}) {
    benchmark::RegisterBenchmark(name_of("cross", bench::Cadastre::name, std::to_string(threads)).c_str(),
                                 [=](benchmark::State& state) { cross(state, threads); })
        ->Repetitions(3)
        ->DisplayAggregatesOnly()
        ->Iterations(1);
  }
  bench::for_ways<bench::Glibc, bench::Cadastre>([]<class Way>() {
    benchmark::RegisterBenchmark(name_of("come and go", Way::name, "1000").c_str(), come_and_go<Way>)
        ->Repetitions(9)
        ->DisplayAggregatesOnly()
        ->Iterations(1);
  });
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
  const std::string begun_for = argc == 4 ? argv[1] : "";
  if (begun_for == bench::touching) return bench::tell_of_touched(argv[2], argv[3], 2);
  if (begun_for == crossing) return bench::answer(bytes_of_crossing(std::stoull(argv[3])), STDOUT_FILENO) ? 0 : 1;
  if (begun_for == coming_and_going) {
    return bench::tell(argv[2], [&]<class Way>() { return bytes_of_threads<Way>(std::stoi(argv[3])); });
  }
  if (!bench::begin(argc, argv)) return 1;
  tell_cores();
  if (!bench::Other<bench::Mimalloc>::usable()) bench::record_why_not("mimalloc", "mimalloc is not there");
  bench::for_all_ways([]<class Way>() { add_all<Way>(); });
  add_ours();
  bench::add_touched(2);
  std::binary_semaphore done(0);
  std::jthread sleeper([&] { done.acquire(); });
  bench::run(bench::Glibc::name);
  done.release();
}
