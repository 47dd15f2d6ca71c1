// Tangled from org/python/allocators.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The functions that PyTorch's CUDAPluggableAllocator and CuPy's CFunctionAllocator call.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <cadastre.h>

#include "vendors.hpp"

namespace {

std::atomic<cadastre_context> context_of_torch{CADASTRE_NULL_CONTEXT};

// The first of the vendors that is there.
cadastre_context make_context() noexcept {
  for (auto vendor = cadastre::python::begin_of_vendors(); vendor != cadastre::python::end_of_vendors(); ++vendor) {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = vendor->backend;
    options.pool = CADASTRE_POOL_CACHING;
    const cadastre_context context = cadastre_context_create_with_options(&options);
    if (context != CADASTRE_NULL_CONTEXT) return context;
  }
  return CADASTRE_NULL_CONTEXT;
}

// Of two threads that both make one, the second destroys its own again.
cadastre_context torch_context() noexcept {
  cadastre_context chosen = context_of_torch.load();
  if (chosen != CADASTRE_NULL_CONTEXT) return chosen;
  const cadastre_context made = make_context();
  if (made == CADASTRE_NULL_CONTEXT || context_of_torch.compare_exchange_strong(chosen, made)) return made;
  (void)cadastre_context_destroy(made);
  return chosen;
}

cadastre_memory_info_struct request(std::size_t size, int device, const char* label) noexcept {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = CADASTRE_DEVICE;
  info.device = CADASTRE_DEVICE_BY_ID(device);
  info.flags = CADASTRE_UNINITIALIZED;
  info.label = label;
  return info;
}

}  // namespace

extern "C" {

// Chooses the context of PyTorch's memory; 0 when it is chosen, 1 when another one is in use already.
CADASTRE_API int cadastre_torch_set_context(cadastre_context context) {
  cadastre_context before = CADASTRE_NULL_CONTEXT;
  return context_of_torch.compare_exchange_strong(before, context) || before == context ? 0 : 1;
}

// The context of PyTorch's memory; CADASTRE_NULL_CONTEXT before the first use.
CADASTRE_API cadastre_context cadastre_torch_get_context() { return context_of_torch.load(); }

// void* (*)(size_t size, int device, cudaStream_t stream)
CADASTRE_API void* cadastre_torch_malloc(std::size_t size, int device, void* stream) {
  return cadastre_malloc_async(torch_context(), request(size, device, "torch"), stream);
}

// void (*)(void* pointer, size_t size, int device, cudaStream_t stream)
CADASTRE_API void cadastre_torch_free(void* pointer, std::size_t, int, void* stream) {
  if (pointer) (void)cadastre_free_async(torch_context(), pointer, stream);
}

// void* (*)(void* param, size_t size, int device): param is the handle of the context
CADASTRE_API void* cadastre_cupy_malloc(void* param, std::size_t size, int device) {
  return cadastre_malloc(static_cast<cadastre_context>(reinterpret_cast<std::intptr_t>(param)), request(size, device, "cupy"));
}

// void (*)(void* param, void* pointer, int device)
CADASTRE_API void cadastre_cupy_free(void* param, void* pointer, int) {
  if (pointer) (void)cadastre_free(static_cast<cadastre_context>(reinterpret_cast<std::intptr_t>(param)), pointer);
}

}  // extern "C"
