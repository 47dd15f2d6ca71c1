// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// CUB's caching allocator behind two C functions.
#include <cub/util_allocator.cuh>

static cub::CachingDeviceAllocator& allocator() {
  static cub::CachingDeviceAllocator* const made = new cub::CachingDeviceAllocator(true);
  return *made;
}

extern "C" int bench_cub_malloc(void** block, size_t size) { return allocator().DeviceAllocate(block, size); }
extern "C" int bench_cub_free(void* block) { return allocator().DeviceFree(block); }
