// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// DEVICE memory of each backend that is there, beside what its runtime offers.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>

#include "bytes.hpp"
#include "devices.hpp"
#include "loops.hpp"
#include "ratios.hpp"
#include "ways.hpp"

namespace {

using bench::CudaMallocAsync, bench::CudaPair, bench::InOrder, bench::OnDevice, bench::name_of;

template <class Way>
std::string why_not(const Way& way) {
  if constexpr (requires { way.problem(); }) return way.problem();
  return "the call of the runtime failed";
}

template <class Way, class... How>
void hit(benchmark::State& state, std::size_t size, How... how) {
  Way way(how...);
  const auto pair = [&] {
    void* const block = way.allocate(size);
    benchmark::DoNotOptimize(block);
    if (block) way.deallocate(block, size);
    return block != nullptr;
  };
  if (!pair()) return state.SkipWithError(why_not(way).c_str());
  for (auto _ : state) {
    if (!pair()) return state.SkipWithError(why_not(way).c_str());
  }
  if constexpr (requires { way.settle(); }) way.settle();
}

template <class Way, class... How>
void add_hits(const std::string& name, How... how) {
  for (const std::size_t kibibytes : {4u, 1024u, 65536u}) {
    benchmark::RegisterBenchmark(name_of("hit", name, std::to_string(kibibytes) + "KiB").c_str(),
                                 [=](benchmark::State& state) { hit<Way>(state, kibibytes << 10, how...); })
        ->Repetitions(9)
        ->DisplayAggregatesOnly()
        ->UseRealTime()
        ->MinTime(0.03);
  }
}

template <class Way, class... How>
void add_growth(const std::string& name, How... how) {
  for (const std::size_t count : {100u, 1000u, 10000u}) {
    bench::add_loops<Way>(" device", name, count, how...);
    benchmark::RegisterBenchmark(name_of("W6 device", name, std::to_string(count)).c_str(), [=](benchmark::State& state) {
      double bytes = 0;
      for (auto _ : state) bytes = bench::bytes_per_block<Way>(count, how...);
      state.counters["bytes"] = bytes;
    })->Iterations(1);
  }
}

template <class Way>
void add_if_complete(const std::string& name, const Way& way) {
  if (way.complete()) add_hits<Way>(name, way);
}

void add_cuda() {
  if (bench::cuda_is_double()) {
    std::puts("the CUDA runtime is a stand-in without a device: its times are those of no GPU");
    bench::record_why_not("cuda", "the CUDA runtime is a stand-in");
  }
  add_if_complete("cudaMalloc", bench::cuda_malloc());
  add_if_complete("cudaMallocAsync", CudaMallocAsync());
  const CudaPair cub = bench::cuda_is_double() ? CudaPair() : bench::cub_allocator();
  add_if_complete("cub", cub);
  if (!cub.complete()) bench::record_why_not("cub", "CUB's allocator was not built: there is no nvcc, or it failed");
}

// False where there is no memory of a device.
bool add_backend(cadastre_backend backend) {
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  if (cadastre_backend_get_info(backend, &info) != CADASTRE_SUCCESS) return false;
  const bool cuda = backend == CADASTRE_BACKEND_CUDA;
  if (!info.available) std::printf("no device of %s: %s\n", info.name, info.problem);
  if (!info.available && cuda) bench::record_why_not("cuda", "there is no GPU");
  if (!info.available || !(info.memory_type_mask & (1u << CADASTRE_DEVICE))) return false;
  if (cuda) add_cuda();
  const std::string ours = std::string("cadastre ") + info.name;
  add_growth<OnDevice>(ours, backend, CADASTRE_POOL_NONE);
  add_hits<OnDevice>(ours, backend, CADASTRE_POOL_NONE);
  if (cuda) add_hits<InOrder>(ours + " async", backend, CADASTRE_POOL_NONE);
  add_hits<OnDevice>(ours + " pool", backend, CADASTRE_POOL_CACHING);
  add_hits<InOrder>(ours + " pool async", backend, CADASTRE_POOL_CACHING);
  cadastre_queue const stream = cuda ? bench::cuda_stream() : CADASTRE_DEFAULT_QUEUE;
  if (stream != CADASTRE_DEFAULT_QUEUE) add_hits<InOrder>(ours + " pool stream", backend, CADASTRE_POOL_CACHING, stream);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (!bench::begin(argc, argv)) return 1;
  bool any = false;
  for (cadastre_backend backend = 1; backend <= cadastre_backend_get_count(); ++backend) any |= add_backend(backend);
  if (any) bench::run("cudaMalloc");
}
