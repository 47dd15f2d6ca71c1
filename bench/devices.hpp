// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Ways to get memory of a device, with the operations of those in ways.hpp.
#ifndef CADASTRE_BENCH_DEVICES_HPP
#define CADASTRE_BENCH_DEVICES_HPP

#include <cadastre.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "ways.hpp"

namespace bench {

// The runtime; null where there is none.
inline void* cuda_runtime() {
  static void* const opened = [] {
    const char* const asked_for = std::getenv("CADASTRE_CUDA_LIBRARY");
    if (asked_for && *asked_for) return dlopen(asked_for, RTLD_NOW | RTLD_LOCAL);
    void* library = nullptr;
    for (const char* const name : {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", "libcudart.so"}) {
      if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    return library;
  }();
  return opened;
}

// A stand-in says so by a function that no runtime has: times of it are nobody's times.
inline bool cuda_is_double() { return cuda_runtime() && dlsym(cuda_runtime(), "cuda_double_count"); }

// A function in a library; null where it lacks it.
template <class Function>
Function* function_in(void* library, const char* name) {
  return library ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

using CudaMallocFunction = int(void**, std::size_t);
using CudaFreeFunction = int(void*);

// Two functions that allocate and free; complete() tells whether both are there.
struct CudaPair {
  void* allocate(std::size_t size) {
    void* block = nullptr;
    return get(&block, size) == 0 ? block : nullptr;
  }
  void deallocate(void* block, std::size_t) { put(block); }
  bool complete() const { return get && put; }

  CudaMallocFunction* get = nullptr;
  CudaFreeFunction* put = nullptr;
};

inline CudaPair cuda_malloc() {
  return {function_in<CudaMallocFunction>(cuda_runtime(), "cudaMalloc"), function_in<CudaFreeFunction>(cuda_runtime(), "cudaFree")};
}

// The object that BENCH_CUB names.
inline CudaPair cub_allocator() {
  const char* const path = std::getenv("BENCH_CUB");
  void* const object = path && *path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
  return {function_in<CudaMallocFunction>(object, "bench_cub_malloc"), function_in<CudaFreeFunction>(object, "bench_cub_free")};
}

// In the order of the default stream; settle() lets the device do what was put there.
struct CudaMallocAsync {
  void* allocate(std::size_t size) {
    void* block = nullptr;
    return get(&block, size, nullptr) == 0 ? block : nullptr;
  }
  void deallocate(void* block, std::size_t) { put(block, nullptr); }
  bool complete() const { return get && put && wait; }
  void settle() { wait(); }

  int (*wait)() = function_in<int()>(cuda_runtime(), "cudaDeviceSynchronize");
  int (*get)(void**, std::size_t, void*) = function_in<int(void**, std::size_t, void*)>(cuda_runtime(), "cudaMallocAsync");
  int (*put)(void*, void*) = function_in<int(void*, void*)>(cuda_runtime(), "cudaFreeAsync");
};

struct OnDevice : InContext {
  using InContext::InContext;

  void* allocate(std::size_t size) { return ask(CADASTRE_DEVICE, size, CADASTRE_UNINITIALIZED); }
  std::string why_not() const {
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(context, &error);
    return error.message;
  }
};

// In the order of a queue, by default that which cudaMallocAsync is asked for here.
struct InOrder : OnDevice {
  explicit InOrder(cadastre_backend backend, cadastre_pool pool, cadastre_queue in_order_of = CADASTRE_DEFAULT_QUEUE)
      : OnDevice(backend, pool), queue(in_order_of) {}

  void* allocate(std::size_t size) { return cadastre_malloc_async(context, request(CADASTRE_DEVICE, size, CADASTRE_UNINITIALIZED), queue); }
  void deallocate(void* block, std::size_t) { cadastre_free_async(context, block, queue); }
  void settle() { cadastre_synchronize(context, queue); }

  cadastre_queue queue;
};

// A stream that stays until the process ends; null where there is none to be had.
inline cadastre_queue cuda_stream() {
  static void* const stream = [] {
    void* made = nullptr;
    auto* const create = function_in<int(void**)>(cuda_runtime(), "cudaStreamCreate");
    return create && create(&made) == 0 ? made : nullptr;
  }();
  return stream;
}

}  // namespace bench
#endif
