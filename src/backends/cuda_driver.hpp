// Tangled from org/backends/cuda_driver.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CADASTRE_BACKENDS_CUDA_DRIVER_HPP
#define CADASTRE_BACKENDS_CUDA_DRIVER_HPP

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>

#include "cuda_driver_api.hpp"

namespace cadastre::cuda_driver {

struct Functions {
  signature_of::cuInit* cuInit;
  signature_of::cuGetErrorString* cuGetErrorString;
  signature_of::cuDeviceGetCount* cuDeviceGetCount;
  signature_of::cuDeviceGet* cuDeviceGet;
  signature_of::cuDeviceGetName* cuDeviceGetName;
  signature_of::cuDeviceGetUuid* cuDeviceGetUuid;
  signature_of::cuDeviceTotalMem_v2* cuDeviceTotalMem_v2;
  signature_of::cuDeviceGetAttribute* cuDeviceGetAttribute;
  signature_of::cuDeviceGetDefaultMemPool* cuDeviceGetDefaultMemPool;
  signature_of::cuDevicePrimaryCtxRetain* cuDevicePrimaryCtxRetain;
  signature_of::cuDevicePrimaryCtxRelease_v2* cuDevicePrimaryCtxRelease_v2;
  signature_of::cuCtxGetCurrent* cuCtxGetCurrent;
  signature_of::cuCtxSetCurrent* cuCtxSetCurrent;
  signature_of::cuCtxGetDevice* cuCtxGetDevice;
  signature_of::cuMemcpyAsync* cuMemcpyAsync;
  signature_of::cuMemcpyHtoDAsync_v2* cuMemcpyHtoDAsync_v2;
  signature_of::cuMemcpyDtoHAsync_v2* cuMemcpyDtoHAsync_v2;
  signature_of::cuMemcpyDtoDAsync_v2* cuMemcpyDtoDAsync_v2;
  signature_of::cuMemcpyPeer* cuMemcpyPeer;
  signature_of::cuMemcpyPeerAsync* cuMemcpyPeerAsync;
  signature_of::cuMemcpy2DAsync_v2* cuMemcpy2DAsync_v2;
  signature_of::cuMemsetD8Async* cuMemsetD8Async;
  signature_of::cuMemPrefetchAsync* cuMemPrefetchAsync;
  signature_of::cuMemAdvise* cuMemAdvise;
  signature_of::cuPointerGetAttributes* cuPointerGetAttributes;
  // Whether the library has them all.
  bool find_in(void* library) noexcept {
    bool all = true;
    const auto find = [&]<class Function>(Function*& function, const char* symbol) {
      function = reinterpret_cast<Function*>(dlsym(library, symbol));
      all = all && function;
    };
    find(cuInit, "cuInit");
    find(cuGetErrorString, "cuGetErrorString");
    find(cuDeviceGetCount, "cuDeviceGetCount");
    find(cuDeviceGet, "cuDeviceGet");
    find(cuDeviceGetName, "cuDeviceGetName");
    find(cuDeviceGetUuid, "cuDeviceGetUuid");
    find(cuDeviceTotalMem_v2, "cuDeviceTotalMem_v2");
    find(cuDeviceGetAttribute, "cuDeviceGetAttribute");
    find(cuDeviceGetDefaultMemPool, "cuDeviceGetDefaultMemPool");
    find(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
    find(cuDevicePrimaryCtxRelease_v2, "cuDevicePrimaryCtxRelease_v2");
    find(cuCtxGetCurrent, "cuCtxGetCurrent");
    find(cuCtxSetCurrent, "cuCtxSetCurrent");
    find(cuCtxGetDevice, "cuCtxGetDevice");
    find(cuMemcpyAsync, "cuMemcpyAsync");
    find(cuMemcpyHtoDAsync_v2, "cuMemcpyHtoDAsync_v2");
    find(cuMemcpyDtoHAsync_v2, "cuMemcpyDtoHAsync_v2");
    find(cuMemcpyDtoDAsync_v2, "cuMemcpyDtoDAsync_v2");
    find(cuMemcpyPeer, "cuMemcpyPeer");
    find(cuMemcpyPeerAsync, "cuMemcpyPeerAsync");
    find(cuMemcpy2DAsync_v2, "cuMemcpy2DAsync_v2");
    find(cuMemsetD8Async, "cuMemsetD8Async");
    find(cuMemPrefetchAsync, "cuMemPrefetchAsync");
    find(cuMemAdvise, "cuMemAdvise");
    find(cuPointerGetAttributes, "cuPointerGetAttributes");
    return all;
  }
};

inline constinit Functions driver{};

struct Device {
  CUdevice handle = 0;
  std::atomic<CUcontext> primary = nullptr;
};

constexpr int most_devices = 64;
inline constinit Device devices[most_devices];
inline constinit int device_count = 0;

inline bool is_device(int ordinal) noexcept { return ordinal >= 0 && ordinal < device_count; }

// What two threads retain at a time is one context, and is counted once.
inline cudaError_t find_primary(int ordinal, CUcontext& context) noexcept {
  if (!is_device(ordinal)) return cudaErrorInvalidDevice;
  Device& device = devices[ordinal];
  context = device.primary.load(std::memory_order_acquire);
  if (context) return cudaSuccess;
  CUcontext retained = nullptr;
  const cudaError_t error = driver.cuDevicePrimaryCtxRetain(&retained, device.handle);
  if (error != cudaSuccess) return error;
  if (device.primary.compare_exchange_strong(context, retained, std::memory_order_acq_rel)) context = retained;
  else driver.cuDevicePrimaryCtxRelease_v2(device.handle);
  return cudaSuccess;
}

inline bool is_of_a_context(cudaError_t error) noexcept {
  return error == cudaErrorDeviceUninitialized || error == cudaErrorContextIsDestroyed;
}

namespace written {

inline const char* cudaGetErrorString(cudaError_t error) noexcept {
  const char* sentence = nullptr;
  return driver.cuGetErrorString(error, &sentence) == cudaSuccess && sentence ? sentence : "unrecognized error code";
}

inline cudaError_t cudaGetLastError() noexcept { return cudaSuccess; }

// The first call of all but the version's.
inline cudaError_t cudaGetDeviceCount(int* count) noexcept {
  int found = 0;
  cudaError_t error = driver.cuInit(0);
  if (error == cudaSuccess) error = driver.cuDeviceGetCount(&found);
  found = std::min(found, most_devices);
  for (int ordinal = 0; error == cudaSuccess && ordinal < found; ++ordinal) {
    error = driver.cuDeviceGet(&devices[ordinal].handle, ordinal);
  }
  if (error == cudaSuccess) *count = device_count = found;
  return error;
}

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int ordinal) noexcept {
  if (!is_device(ordinal)) return cudaErrorInvalidDevice;
  const CUdevice device = devices[ordinal].handle;
  cudaError_t error = driver.cuDeviceGetName(properties->name, int{sizeof properties->name}, device);
  if (error == cudaSuccess) error = driver.cuDeviceGetUuid(&properties->uuid, device);
  if (error == cudaSuccess) error = driver.cuDeviceTotalMem_v2(&properties->totalGlobalMem, device);
  return error;
}

inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int ordinal) noexcept {
  return is_device(ordinal) ? driver.cuDeviceGetAttribute(value, attribute, devices[ordinal].handle) : cudaErrorInvalidDevice;
}

inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int ordinal) noexcept {
  return is_device(ordinal) ? driver.cuDeviceGetDefaultMemPool(pool, devices[ordinal].handle) : cudaErrorInvalidDevice;
}

// The runtime's answer is the first device where nothing is current.
inline cudaError_t cudaGetDevice(int* ordinal) noexcept {
  CUdevice handle = 0;
  const cudaError_t error = driver.cuCtxGetDevice(&handle);
  if (error == cudaErrorDeviceUninitialized) {
    *ordinal = 0;
    return cudaSuccess;
  }
  if (error != cudaSuccess) return error;
  for (*ordinal = 0; *ordinal < device_count; ++*ordinal) {
    if (devices[*ordinal].handle == handle) return cudaSuccess;
  }
  return cudaErrorInvalidDevice;
}

inline cudaError_t cudaSetDevice(int ordinal) noexcept {
  CUcontext context = nullptr;
  cudaError_t error = find_primary(ordinal, context);
  if (error == cudaSuccess) error = driver.cuCtxSetCurrent(context);
  if (!context || !is_of_a_context(error)) return error;
  devices[ordinal].primary.compare_exchange_strong(context, nullptr, std::memory_order_acq_rel);
  error = find_primary(ordinal, context);
  return error == cudaSuccess ? driver.cuCtxSetCurrent(context) : error;
}

inline CUdeviceptr number_of(const void* address) noexcept { return reinterpret_cast<std::uintptr_t>(address); }

inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) noexcept {
  switch (kind) {
    case cudaMemcpyHostToDevice: return driver.cuMemcpyHtoDAsync_v2(number_of(to), from, bytes, stream);
    case cudaMemcpyDeviceToHost: return driver.cuMemcpyDtoHAsync_v2(to, number_of(from), bytes, stream);
    case cudaMemcpyDeviceToDevice: return driver.cuMemcpyDtoDAsync_v2(number_of(to), number_of(from), bytes, stream);
    default: return driver.cuMemcpyAsync(number_of(to), number_of(from), bytes, stream);
  }
}

inline SideOfRows side_of_rows(const void* address, std::size_t pitch, bool on_host_side) noexcept {
  if (on_host_side) return {0, 0, on_host, address, 0, nullptr, pitch};
  return {0, 0, on_device, nullptr, number_of(address), nullptr, pitch};
}

inline cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                                     std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) noexcept {
  const bool to_host = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost;
  const bool from_host = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost;
  const CopyOfRows rows{side_of_rows(from, from_pitch, from_host), side_of_rows(to, to_pitch, to_host), width, height};
  return driver.cuMemcpy2DAsync_v2(&rows, stream);
}

template <class Copy>
cudaError_t between_primaries(int to_device, int from_device, Copy copy) noexcept {
  CUcontext to = nullptr, from = nullptr;
  cudaError_t error = find_primary(to_device, to);
  if (error == cudaSuccess) error = find_primary(from_device, from);
  return error == cudaSuccess ? copy(to, from) : error;
}

inline cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) noexcept {
  return between_primaries(to_device, from_device, [=](CUcontext there, CUcontext here) {
    return driver.cuMemcpyPeer(number_of(to), there, number_of(from), here, bytes);
  });
}

inline cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                       cudaStream_t stream) noexcept {
  return between_primaries(to_device, from_device, [=](CUcontext there, CUcontext here) {
    return driver.cuMemcpyPeerAsync(number_of(to), there, number_of(from), here, bytes, stream);
  });
}

inline cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) noexcept {
  return driver.cuMemsetD8Async(number_of(to), static_cast<unsigned char>(value), bytes, stream);
}

// The host has the same number in both interfaces.
inline bool find_place(int number, CUdevice& place) noexcept {
  place = is_device(number) ? devices[number].handle : cudaCpuDeviceId;
  return is_device(number) || number == cudaCpuDeviceId;
}

inline cudaError_t cudaMemPrefetchAsync_12(const void* begin, std::size_t bytes, int number, cudaStream_t stream) noexcept {
  CUdevice place = 0;
  return find_place(number, place) ? driver.cuMemPrefetchAsync(number_of(begin), bytes, place, stream) : cudaErrorInvalidDevice;
}

inline cudaError_t cudaMemAdvise_12(const void* begin, std::size_t bytes, cudaMemoryAdvise advice, int number) noexcept {
  CUdevice place = 0;
  return find_place(number, place) ? driver.cuMemAdvise(number_of(begin), bytes, advice, place) : cudaErrorInvalidDevice;
}

inline cudaError_t ask_about(cudaPointerAttributes& attributes, const void* address) noexcept {
  unsigned type = 0, managed = 0;
  int ordinal = cudaInvalidDeviceId;
  PointerAttribute asked[] = {memory_type_of, is_managed, ordinal_of};
  void* into[] = {&type, &managed, &ordinal};
  const cudaError_t error = driver.cuPointerGetAttributes(3, asked, into, number_of(address));
  if (error != cudaSuccess) return error;
  attributes.type = managed             ? cudaMemoryTypeManaged
                    : type == on_device ? cudaMemoryTypeDevice
                    : type == on_host   ? cudaMemoryTypeHost
                                        : cudaMemoryTypeUnregistered;
  attributes.device = ordinal;
  return cudaSuccess;
}

inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) noexcept {
  const cudaError_t told = ask_about(*attributes, address);
  CUcontext callers = nullptr;
  if (told != cudaErrorDeviceUninitialized || driver.cuCtxGetCurrent(&callers) != cudaSuccess || callers) return told;
  const Device* const used =
      std::find_if(devices, devices + device_count, [](const Device& device) { return device.primary.load() != nullptr; });
  cudaError_t error = cudaSetDevice(used == devices + device_count ? 0 : static_cast<int>(used - devices));
  if (error == cudaSuccess) error = ask_about(*attributes, address);
  if (driver.cuCtxSetCurrent(nullptr) != cudaSuccess) driver.cuCtxSetCurrent(nullptr);
  return error;
}

}  // namespace written

template <class Function>
void* address_of_written(Function* function) noexcept {
  return reinterpret_cast<void*>(function);
}

inline void* find_written(std::string_view routine) noexcept {
  if (routine == "cudaGetErrorString") return address_of_written<signature::cudaGetErrorString>(written::cudaGetErrorString);
  if (routine == "cudaGetLastError") return address_of_written<signature::cudaGetLastError>(written::cudaGetLastError);
  if (routine == "cudaGetDeviceCount") return address_of_written<signature::cudaGetDeviceCount>(written::cudaGetDeviceCount);
  if (routine == "cudaGetDeviceProperties") return address_of_written<signature::cudaGetDeviceProperties>(written::cudaGetDeviceProperties);
  if (routine == "cudaDeviceGetAttribute") return address_of_written<signature::cudaDeviceGetAttribute>(written::cudaDeviceGetAttribute);
  if (routine == "cudaGetDevice") return address_of_written<signature::cudaGetDevice>(written::cudaGetDevice);
  if (routine == "cudaSetDevice") return address_of_written<signature::cudaSetDevice>(written::cudaSetDevice);
  if (routine == "cudaDeviceGetDefaultMemPool") return address_of_written<signature::cudaDeviceGetDefaultMemPool>(written::cudaDeviceGetDefaultMemPool);
  if (routine == "cudaMemcpyAsync") return address_of_written<signature::cudaMemcpyAsync>(written::cudaMemcpyAsync);
  if (routine == "cudaMemcpyPeer") return address_of_written<signature::cudaMemcpyPeer>(written::cudaMemcpyPeer);
  if (routine == "cudaMemcpyPeerAsync") return address_of_written<signature::cudaMemcpyPeerAsync>(written::cudaMemcpyPeerAsync);
  if (routine == "cudaMemcpy2DAsync") return address_of_written<signature::cudaMemcpy2DAsync>(written::cudaMemcpy2DAsync);
  if (routine == "cudaMemsetAsync") return address_of_written<signature::cudaMemsetAsync>(written::cudaMemsetAsync);
  if (routine == "cudaMemPrefetchAsync_12") return address_of_written<signature::cudaMemPrefetchAsync_12>(written::cudaMemPrefetchAsync_12);
  if (routine == "cudaMemAdvise_12") return address_of_written<signature::cudaMemAdvise_12>(written::cudaMemAdvise_12);
  if (routine == "cudaPointerGetAttributes") return address_of_written<signature::cudaPointerGetAttributes>(written::cudaPointerGetAttributes);
  return nullptr;
}

inline void* address_in_driver(void* library, const char* routine, const char* symbol) noexcept {
  void* const function = dlsym(library, symbol);
  if (!function || !driver.find_in(library)) return nullptr;
  void* const ours = find_written(routine);
  return ours ? ours : function;
}

inline constexpr Dialect dialect{.backend = CADASTRE_BACKEND_CUDA,
                                 .name = "CUDA",
                                 .vendor = "NVIDIA",
                                 .kind = "driver",
                                 .variable = cuda_api::dialect.variable,
                                 .why_no_device = cuda_api::dialect.why_no_device,
                                 .managed_attribute = "CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY",
                                 .libraries = driver_names,
                                 .oldest = oldest_version,
                                 .first_after = first_driver_after,
                                 .per_major = 1000,
                                 .per_minor = 10,
                                 .entries = driver_entries,
                                 .attributes = {},
                                 .flags = {},
                                 .default_stream_number = cuda_api::dialect.default_stream_number,
                                 .translate = cuda_api::dialect.translate,
                                 .write_uuid = cuda_api::write_uuid,
                                 .address_of = address_in_driver,
                                 .meaning = "NVIDIA's driver alone, without the CUDA runtime"};

}  // namespace cadastre::cuda_driver

#endif
