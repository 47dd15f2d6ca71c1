// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A lend and give-back beside a malloc and free of the same size, on each backend.
#include <benchmark/benchmark.h>
#include <cadastre.h>

#include <string>

#include "ratios.hpp"

namespace {

constexpr std::size_t sizes[] = {std::size_t{4} << 10, std::size_t{256} << 10, std::size_t{16} << 20};

std::string size_text(std::size_t bytes) {
  return bytes >= (1u << 20) ? std::to_string(bytes >> 20) + "MiB" : std::to_string(bytes >> 10) + "KiB";
}

class Owned {
 public:
  explicit Owned(cadastre_backend backend) {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = backend;
    handle_ = cadastre_context_create_with_options(&options);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { cadastre_context_destroy(handle_); }
  operator cadastre_context() const { return handle_; }

 private:
  cadastre_context handle_;
};

void skip(benchmark::State& state, cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  state.SkipWithError(error.message);
}

void malloc_and_free(benchmark::State& state, cadastre_backend backend, cadastre_memory_type type, std::size_t bytes) {
  const Owned context(backend);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = bytes;
  info.type = type;
  info.flags = CADASTRE_UNINITIALIZED;
  for (auto _ : state) {
    void* const pointer = cadastre_malloc(context, info);
    benchmark::DoNotOptimize(pointer);
    if (cadastre_free(context, pointer) != CADASTRE_SUCCESS) return skip(state, context);
  }
}

void lend_and_give_back(benchmark::State& state, cadastre_backend backend, cadastre_memory_type type, std::size_t bytes) {
  const Owned context(backend);
  for (auto _ : state) {
    void* pointer = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    cadastre_workspace_acquire_on_queue(context, type, CADASTRE_DEFAULT_QUEUE, 1, &bytes, &pointer, &lease);
    benchmark::DoNotOptimize(pointer);
    if (cadastre_workspace_release(context, lease) != CADASTRE_SUCCESS) return skip(state, context);
  }
}

void add(cadastre_backend backend, cadastre_memory_type type, std::size_t bytes) {
  const std::string where =
      std::string("/") + cadastre_string_of_backend(backend) + " " + cadastre_string_of_memory_type(type) + "/" + size_text(bytes);
  benchmark::RegisterBenchmark(("scratch/malloc+free" + where).c_str(), malloc_and_free, backend, type, bytes)
      ->Repetitions(5)
      ->DisplayAggregatesOnly();
  benchmark::RegisterBenchmark(("scratch/lend+give_back" + where).c_str(), lend_and_give_back, backend, type, bytes)
      ->Repetitions(5)
      ->DisplayAggregatesOnly();
}

}  // namespace

int main(int argc, char** argv) {
  if (!bench::begin(argc, argv)) return 1;
  for (cadastre_backend backend = 1; backend <= cadastre_backend_get_count(); ++backend) {
    cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
    if (cadastre_backend_get_info(backend, &info) != CADASTRE_SUCCESS || !info.available) continue;
    const bool device = (info.memory_type_mask & (1u << CADASTRE_DEVICE)) != 0;
    for (const std::size_t bytes : sizes) add(backend, device ? CADASTRE_DEVICE : CADASTRE_HOST, bytes);
  }
  bench::run("malloc+free");
}
