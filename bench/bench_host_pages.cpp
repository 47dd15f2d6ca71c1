// Tangled from org/bench/host_pages.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Huge pages of host memory resources beside pages of the system's size.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "ratios.hpp"

namespace {

constexpr std::size_t bytes = std::size_t{512} << 20, numbers = bytes / sizeof(std::uint64_t);

struct Table {
  const char* name;
  const char* subject;
  std::size_t page_size = 0;
  cadastre_numa_policy policy = CADASTRE_NUMA_DEFAULT;
  const char* nodes = nullptr;
  std::uint64_t* begin = nullptr;
};

bool not_measured(const Table& table, const std::string& why) {
  std::fprintf(stderr, "%s is not measured: %s\n", table.name, why.c_str());
  bench::record_why_not(std::string(table.subject) + "/" + table.name, why);
  return false;
}

const char* why_not(cadastre_context context) {
  static cadastre_error_struct error;
  error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  return error.message;
}

// False, and said, where such pages or nodes are not to be had. One thread fills it.
bool allocate(Table& table, cadastre_context context) {
  cadastre_host_resource_struct resource = cadastre_host_resource_struct_zero;
  resource.page_size = table.page_size;
  resource.numa_policy = table.policy;
  resource.nodes = table.nodes;
  resource.flags = CADASTRE_HOST_STRICT;
  cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
  request.backend = cadastre_backend_register_host(table.name, &resource);
  request.size = bytes;
  if (request.backend != CADASTRE_INVALID_BACKEND) table.begin = static_cast<std::uint64_t*>(cadastre_malloc(context, request));
  if (!table.begin) return not_measured(table, why_not(request.backend == CADASTRE_INVALID_BACKEND ? CADASTRE_NULL_CONTEXT : context));
  std::fill(table.begin, table.begin + numbers, 0);
  return true;
}

// Each number is a step of a linear congruence, whose next one depends on what was read: the numbers are all zero.
void read_at_random(benchmark::State& state, const std::uint64_t* table) {
  std::uint64_t place = 1;
  for (auto _ : state) {
    place = place * 6364136223846793005u + 1442695040888963407u + table[(place >> 20) % numbers];
    benchmark::DoNotOptimize(place);
  }
}

void read_in_order(benchmark::State& state, const std::uint64_t* table) {
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (std::size_t number = 0; number < numbers; ++number) sum += table[number];
    benchmark::DoNotOptimize(sum);
  }
}

void read_by_all(benchmark::State& state, const std::uint64_t* table) {
  const std::size_t threads = std::max(1u, std::thread::hardware_concurrency()), part = numbers / threads;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> all;
    for (std::size_t number = 0; number < threads; ++number) {
      all.emplace_back([first = table + number * part, part] {
        std::uint64_t sum = 0;
        for (const std::uint64_t* place = first; place != first + part; ++place) sum += *place;
        benchmark::DoNotOptimize(sum);
      });
    }
    for (std::thread& thread : all) thread.join();
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
}

// Such as "0-1"; the number of the first one is before the first character that is no digit.
std::string nodes_with_memory() {
  std::string nodes;
  std::getline(std::ifstream("/sys/devices/system/node/has_memory"), nodes);
  return nodes;
}

void add_pages(cadastre_context context) {
  static std::vector<Table> tables = {{"small pages", "random reads", static_cast<std::size_t>(sysconf(_SC_PAGESIZE))},
                                      {"transparent huge pages", "random reads", CADASTRE_TRANSPARENT_HUGE_PAGES},
                                      {"pages of 2 MiB", "random reads", std::size_t{2} << 20},
                                      {"pages of 1 GiB", "random reads", std::size_t{1} << 30}};
  for (Table& table : tables) {
    if (!allocate(table, context)) continue;
    benchmark::RegisterBenchmark((std::string("random reads/") + table.name + "/512MiB").c_str(), read_at_random, table.begin);
    benchmark::RegisterBenchmark((std::string("reads in order/") + table.name + "/512MiB").c_str(), read_in_order, table.begin);
  }
}

void add_nodes(cadastre_context context) {
  static const std::string nodes = nodes_with_memory(), first = nodes.substr(0, nodes.find_first_not_of("0123456789"));
  static std::vector<Table> tables = {{"one node", "reads by all CPUs", 0, CADASTRE_NUMA_BIND, first.c_str()},
                                      {"interleaved", "reads by all CPUs", 0, CADASTRE_NUMA_INTERLEAVE}};
  if (nodes == first) {
    not_measured(tables[1], "this machine has one NUMA node");
    return;
  }
  for (Table& table : tables) {
    if (!allocate(table, context)) return;
    benchmark::RegisterBenchmark((std::string(table.subject) + "/" + table.name + "/512MiB").c_str(), read_by_all, table.begin)
        ->UseManualTime();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (!bench::begin(argc, argv)) return 1;
  const cadastre_context context = cadastre_context_create();
  add_pages(context);
  add_nodes(context);
  bench::run("small pages", "one node");
  return cadastre_context_destroy(context) == CADASTRE_SUCCESS ? 0 : 1;
}
