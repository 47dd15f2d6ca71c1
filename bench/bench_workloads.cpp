// Tangled from org/bench.org; change the chapter, then run: make tangle
// The workloads W1 to W6 on every way to get memory, and whether the goals are met.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>

#include "blocks.hpp"
#include "ratios.hpp"
#include "ways.hpp"

namespace {

using bench::Live, bench::Places, bench::block_size, bench::given, bench::replace, bench::zeroed;

template <class Way>
void churn(benchmark::State& state, std::size_t count) {
  Way way;
  Live<Way> live(way, count);
  Places places(count);
  for (auto _ : state) replace(way, live[places.next()]);
}

template <class Way>
void look_up(benchmark::State& state, std::size_t count) {
  Way way;
  Live<Way> live(way, count);
  Places places(count);
  for (auto _ : state) benchmark::DoNotOptimize(way.size_of(live[places.next()]));
}

template <class Way>
void look_inside(benchmark::State& state, std::size_t count) {
  Way way;
  Live<Way> live(way, count);
  Places places(count);
  std::size_t offset = 0;
  for (auto _ : state) {
    offset = (offset + 27) % block_size;
    benchmark::DoNotOptimize(way.around(static_cast<const char*>(live[places.next()]) + offset));
  }
}

std::vector<std::size_t> mixed_sizes() {
  std::mt19937_64 random(54321);
  std::uniform_real_distribution<double> exponent(4, 20);
  std::vector<std::size_t> sizes(std::size_t{1} << 16);
  for (std::size_t& size : sizes) size = static_cast<std::size_t>(std::exp2(exponent(random)));
  return sizes;
}

template <class Way>
void mix(benchmark::State& state, bool clear) {
  constexpr std::size_t most = 20000;
  static const std::vector<std::size_t> sizes = mixed_sizes();
  Way way;
  Places places(most);
  std::vector<std::pair<void*, std::size_t>> blocks(most);
  const auto step = [&](std::size_t number) {
    auto& [block, size] = blocks[places.next()];
    if (block) {
      way.deallocate(std::exchange(block, nullptr), size);
    } else {
      size = sizes[number & (sizes.size() - 1)];
      if constexpr (requires { way.allocate(size); }) {
        block = clear ? zeroed(way, size) : way.allocate(size);
      } else {
        block = zeroed(way, size);
      }
    }
    benchmark::DoNotOptimize(block);
  };
  std::size_t number = 0;
  while (number < 2 * most) step(number++);
  for (auto _ : state) step(number++);
  for (const auto& [block, size] : blocks) {
    if (block) way.deallocate(block, size);
  }
}

template <class Way>
void share(benchmark::State& state, int threads) {
  constexpr std::size_t each = 10000, pairs = 100000;
  Way way;
  for (auto _ : state) {
    std::barrier ready(threads);
    std::vector<std::chrono::nanoseconds> spent(static_cast<std::size_t>(threads));
    std::vector<std::jthread> workers;
    for (int number = 0; number < threads; ++number) {
      workers.emplace_back([&, number] {
        Live<Way> live(way, each);
        Places places(each);
        ready.arrive_and_wait();
        const auto begin = std::chrono::steady_clock::now();
        for (std::size_t pair = 0; pair < pairs; ++pair) replace(way, live[places.next()]);
        spent[static_cast<std::size_t>(number)] = std::chrono::steady_clock::now() - begin;
        ready.arrive_and_wait();
      });
    }
    workers.clear();
    const auto slowest = *std::max_element(spent.begin(), spent.end());
    state.SetIterationTime(std::chrono::duration<double>(slowest).count() / pairs);
  }
}

template <class Way>
void destroy(benchmark::State& state, std::size_t count) {
  for (auto _ : state) {
    Way way;
    Live<Way> live(way, count);
    const auto begin = std::chrono::steady_clock::now();
    way.destroy(live.all());
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    live.forget();
  }
}

double bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

// Bytes per block, the block itself included.
template <class Way>
double bytes_per_block() {
  constexpr std::size_t count = 1000000;
  std::vector<void*> blocks(count);
  const double before = bytes_in_use();
  Way way;
  for (void*& block : blocks) block = given(way, block_size);
  const double bytes = (bytes_in_use() - before) / static_cast<double>(count);
  for (void* const block : blocks) way.deallocate(block, block_size);
  return bytes;
}

constexpr int repetitions = 9;

template <class Body>
void add(const std::string& name, Body body) {
  benchmark::RegisterBenchmark(name.c_str(), body)->Repetitions(repetitions)->ReportAggregatesOnly()->MinTime(0.05);
}

template <class Body>
void add_timed_by_itself(const std::string& name, Body body, std::int64_t iterations) {
  benchmark::RegisterBenchmark(name.c_str(), body)
      ->Repetitions(repetitions)->ReportAggregatesOnly()->UseManualTime()->Iterations(iterations);
}

std::string name_of(const char* what, const char* how, const std::string& size) {
  return std::string(what) + "/" + how + "/" + size;
}

template <class Way>
void add_all() {
  if (!Way::usable()) return;
  for (const std::size_t count : {100u, 10000u, 100000u, 1000000u}) {
    if (std::is_same_v<Way, bench::Scan> && count > 10000) continue;
    const std::string size = std::to_string(count);
    add(name_of("W1", Way::name, size), [=](benchmark::State& state) { churn<Way>(state, count); });
    if constexpr (requires(Way way, const void* pointer) { way.size_of(pointer); }) {
      add(name_of("W2", Way::name, size), [=](benchmark::State& state) { look_up<Way>(state, count); });
    }
    if constexpr (requires(Way way, const void* pointer) { way.around(pointer); }) {
      add(name_of("W2i", Way::name, size), [=](benchmark::State& state) { look_inside<Way>(state, count); });
    }
  }
  add(name_of("W3", Way::name, "zeroed"), [](benchmark::State& state) { mix<Way>(state, true); });
  if constexpr (requires(Way way) { way.allocate(1); }) {
    add(name_of("W3", Way::name, "uninitialised"), [](benchmark::State& state) { mix<Way>(state, false); });
  }
  for (int threads = 1; threads <= static_cast<int>(std::max(2u, std::thread::hardware_concurrency())); threads *= 2) {
    add_timed_by_itself(name_of("W4", Way::name, std::to_string(threads)),
                        [=](benchmark::State& state) { share<Way>(state, threads); }, 1);
  }
  if constexpr (requires(Way way, std::span<void* const> live) { way.destroy(live); }) {
    if (!std::is_same_v<Way, bench::Scan>) {
      add_timed_by_itself(name_of("W5", Way::name, "100000"),
                          [](benchmark::State& state) { destroy<Way>(state, 100000); }, 3);
    }
  }
}

struct Goal {
  const char* what;
  const char* subject;
  const char* beside;          // the subject that it is compared with
  const char* way;             // and the way
  double factor;               // the ratio is factor * time of ours / time beside
  double limit;
};

constexpr const char* ours = bench::Cadastre::name;
constexpr const char* plain = bench::Glibc::name;

constexpr Goal goals[] = {
    {"W1, 100 blocks, of glibc's time", "W1/100", "W1/100", plain, 1, 3.5},
    {"W1, 10,000 blocks", "W1/10000", "W1/10000", plain, 1, 3},
    {"W1, 100,000 blocks", "W1/100000", "W1/100000", plain, 1, 2.5},
    {"W1, 1,000,000 blocks", "W1/1000000", "W1/1000000", plain, 1, 2},
    {"W2, 10,000 blocks, of malloc_usable_size", "W2/10000", "W2/10000", plain, 1, 4},
    {"W2, 1,000,000 blocks", "W2/1000000", "W2/1000000", plain, 1, 3},
    {"W3 uninitialised, of malloc", "W3/uninitialised", "W3/uninitialised", plain, 1, 1.15},
    {"W3 zeroed, of calloc", "W3/zeroed", "W3/zeroed", plain, 1, 0.4},
    {"W4, one thread's throughput of two threads'", "W4/2", "W4/1", ours, 0.5, 1 / 1.8},
    {"W5, of freeing one by one", "W5/100000", "W5/100000", plain, 1, 1.2},
};

void tell_goals(const bench::Ratios& times) {
  std::printf("\n%-44s %8s %8s\n", "goals", "ratio", "at most");
  for (const Goal& goal : goals) {
    const double own = times.time(goal.subject, ours), beside = times.time(goal.beside, goal.way);
    if (own == 0 || beside == 0) continue;
    const double ratio = goal.factor * own / beside;
    std::printf("%-44s %8.2f %8.2f  %s\n", goal.what, ratio, goal.limit, ratio <= goal.limit ? "met" : "missed");
  }
}

void tell_bytes() {
  const double base = bytes_per_block<bench::Glibc>();
  const auto tell = [&](const char* name, double bytes) { std::printf("  %-16s %6.0f\n", name, bytes - base); };
  std::printf("\nW6, bytes per block beyond the %.0f of %s; the goal is 72\n", base, plain);
  tell(bench::HashMap::name, bytes_per_block<bench::HashMap>());
  tell(ours, bytes_per_block<bench::Cadastre>());
}

}  // namespace

int main(int argc, char** argv) {
  tell_bytes();
  std::vector<char*> arguments(argv, argv + argc);
  char interleaved[] = "--benchmark_enable_random_interleaving=true";
  arguments.insert(arguments.begin() + 1, interleaved);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;
  add_all<bench::Glibc>();
  add_all<bench::Other<bench::Mimalloc>>();
  add_all<bench::Other<bench::Jemalloc>>();
  add_all<bench::Other<bench::Tbb>>();
  add_all<bench::Pmr>();
  add_all<bench::Scan>();
  add_all<bench::HashMap>();
  add_all<bench::Cadastre>();
  bench::Ratios reporter(bench::Glibc::name);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  tell_goals(reporter);
  benchmark::Shutdown();
}
