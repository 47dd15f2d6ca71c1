// Tangled from org/bench/host_pages.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Huge pages of host memory resources beside pages of the system's size.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "cadastre.h"
#include "ratios.hpp"

namespace {

constexpr std::size_t bytes = std::size_t{512} << 20, numbers = bytes / sizeof(std::uint64_t);

struct Table {
  const char* name;
  std::size_t page_size;
  std::uint64_t* begin = nullptr;
};

const char* why_not(cadastre_context context) {
  static cadastre_error_struct error;
  error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  return error.message;
}

// False, and said, where such pages are not to be had.
bool allocate(Table& table, cadastre_context context) {
  cadastre_host_resource_struct resource = cadastre_host_resource_struct_zero;
  resource.page_size = table.page_size;
  resource.flags = CADASTRE_HOST_STRICT;
  cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
  request.backend = cadastre_backend_register_host(table.name, &resource);
  request.size = bytes;
  if (request.backend != CADASTRE_INVALID_BACKEND) table.begin = static_cast<std::uint64_t*>(cadastre_malloc(context, request));
  if (table.begin) return true;
  const std::string why = why_not(request.backend == CADASTRE_INVALID_BACKEND ? CADASTRE_NULL_CONTEXT : context);
  std::fprintf(stderr, "%s is not measured: %s\n", table.name, why.c_str());
  bench::record_why_not(std::string("random reads/") + table.name, why);
  return false;
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

}  // namespace

int main(int argc, char** argv) {
  if (!bench::begin(argc, argv)) return 1;
  const cadastre_context context = cadastre_context_create();
  static std::vector<Table> tables = {{"small pages", static_cast<std::size_t>(sysconf(_SC_PAGESIZE))},
                                      {"transparent huge pages", CADASTRE_TRANSPARENT_HUGE_PAGES},
                                      {"pages of 2 MiB", std::size_t{2} << 20},
                                      {"pages of 1 GiB", std::size_t{1} << 30}};
  for (Table& table : tables) {
    if (!allocate(table, context)) continue;
    for (std::size_t number = 0; number < numbers; ++number) table.begin[number] = 0;
    benchmark::RegisterBenchmark((std::string("random reads/") + table.name + "/512MiB").c_str(), read_at_random, table.begin);
    benchmark::RegisterBenchmark((std::string("reads in order/") + table.name + "/512MiB").c_str(), read_in_order, table.begin);
  }
  bench::run("small pages");
  return cadastre_context_destroy(context) == CADASTRE_SUCCESS ? 0 : 1;
}
