// Tangled from org/backends/cuda_driver.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CADASTRE_BACKENDS_CUDA_DRIVER_API_HPP
#define CADASTRE_BACKENDS_CUDA_DRIVER_API_HPP

#include "cuda_api.hpp"

namespace cadastre::cuda_driver {

using namespace cuda_api;

constexpr int first_driver_after = INT_MAX;
inline constexpr const char* driver_names[] = {"libcuda.so.1"};

using CUdevice = int;
using CUdeviceptr = unsigned long long;
static_assert(sizeof(CUdeviceptr) == sizeof(void*));

enum PointerAttribute : unsigned { memory_type_of = 2, is_managed = 8, ordinal_of = 9 };
enum MemoryType : unsigned { on_host = 1, on_device = 2 };

// Where one side of a copy of rows is: the array is none here.
struct SideOfRows {
  std::size_t x, y;
  MemoryType type;
  const void* host;
  CUdeviceptr device;
  void* array;
  std::size_t pitch;
};

struct CopyOfRows {
  SideOfRows from, to;
  std::size_t width, height;
};

namespace signature_of {
using cuInit = cudaError_t(unsigned);
using cuGetErrorString = cudaError_t(cudaError_t, const char**);
using cuDeviceGetCount = cudaError_t(int*);
using cuDeviceGet = cudaError_t(CUdevice*, int);
using cuDeviceGetName = cudaError_t(char*, int, CUdevice);
using cuDeviceGetUuid = cudaError_t(cudaUUID_t*, CUdevice);
using cuDeviceTotalMem_v2 = cudaError_t(std::size_t*, CUdevice);
using cuDeviceGetAttribute = cudaError_t(int*, cudaDeviceAttr, CUdevice);
using cuDeviceGetDefaultMemPool = cudaError_t(cudaMemPool_t*, CUdevice);
using cuDevicePrimaryCtxRetain = cudaError_t(CUcontext*, CUdevice);
using cuDevicePrimaryCtxRelease_v2 = cudaError_t(CUdevice);
using cuCtxGetCurrent = cudaError_t(CUcontext*);
using cuCtxSetCurrent = cudaError_t(CUcontext);
using cuCtxGetDevice = cudaError_t(CUdevice*);
using cuMemcpyAsync = cudaError_t(CUdeviceptr, CUdeviceptr, std::size_t, cudaStream_t);
using cuMemcpyHtoDAsync_v2 = cudaError_t(CUdeviceptr, const void*, std::size_t, cudaStream_t);
using cuMemcpyDtoHAsync_v2 = cudaError_t(void*, CUdeviceptr, std::size_t, cudaStream_t);
using cuMemcpyDtoDAsync_v2 = cudaError_t(CUdeviceptr, CUdeviceptr, std::size_t, cudaStream_t);
using cuMemcpyPeer = cudaError_t(CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, std::size_t);
using cuMemcpyPeerAsync = cudaError_t(CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, std::size_t, cudaStream_t);
using cuMemcpy2DAsync_v2 = cudaError_t(const CopyOfRows*, cudaStream_t);
using cuMemsetD8Async = cudaError_t(CUdeviceptr, unsigned char, std::size_t, cudaStream_t);
using cuMemPrefetchAsync = cudaError_t(CUdeviceptr, std::size_t, CUdevice, cudaStream_t);
using cuMemAdvise = cudaError_t(CUdeviceptr, std::size_t, cudaMemoryAdvise, CUdevice);
using cuPointerGetAttributes = cudaError_t(unsigned, PointerAttribute*, void**, CUdeviceptr);
}  // namespace signature_of

inline constexpr Entry driver_entries[] = {
    {"cudaRuntimeGetVersion", "cuDriverGetVersion", oldest_version, first_driver_after},
    {"cudaDriverGetVersion", "cuDriverGetVersion", oldest_version, first_driver_after},
    {"cudaGetErrorString", "cuGetErrorString", oldest_version, first_driver_after},
    {"cudaGetLastError", "cuGetErrorString", oldest_version, first_driver_after},
    {"cudaGetDeviceCount", "cuDeviceGetCount", oldest_version, first_driver_after},
    {"cudaGetDeviceProperties", "cuDeviceGetName", oldest_version, first_driver_after},
    {"cudaDeviceGetAttribute", "cuDeviceGetAttribute", oldest_version, first_driver_after},
    {"cudaMemGetInfo", "cuMemGetInfo_v2", oldest_version, first_driver_after},
    {"cudaGetDevice", "cuCtxGetDevice", oldest_version, first_driver_after},
    {"cudaSetDevice", "cuCtxSetCurrent", oldest_version, first_driver_after},
    {"cuCtxGetCurrent", "cuCtxGetCurrent", oldest_version, first_driver_after},
    {"cuCtxSetCurrent", "cuCtxSetCurrent", oldest_version, first_driver_after},
    {"cudaDeviceSynchronize", "cuCtxSynchronize", oldest_version, first_driver_after},
    {"cudaStreamSynchronize", "cuStreamSynchronize", oldest_version, first_driver_after},
    {"cudaStreamWaitEvent", "cuStreamWaitEvent", oldest_version, first_driver_after},
    {"cudaStreamIsCapturing", "cuStreamIsCapturing", oldest_version, first_driver_after},
    {"cudaThreadExchangeStreamCaptureMode", "cuThreadExchangeStreamCaptureMode", oldest_version, first_driver_after},
    {"cudaStreamCreateWithFlags", "cuStreamCreate", oldest_version, first_driver_after},
    {"cudaStreamDestroy", "cuStreamDestroy_v2", oldest_version, first_driver_after},
    {"cudaStreamGetId", "cuStreamGetId", 12000, first_driver_after},
    {"cudaStreamGetCaptureInfo_12", "cuStreamGetCaptureInfo_v2", 11030, first_driver_after},
    {"cudaUserObjectCreate", "cuUserObjectCreate", 11030, first_driver_after},
    {"cudaUserObjectRelease", "cuUserObjectRelease", 11030, first_driver_after},
    {"cudaGraphRetainUserObject", "cuGraphRetainUserObject", 11030, first_driver_after},
    {"cudaEventCreateWithFlags", "cuEventCreate", oldest_version, first_driver_after},
    {"cudaEventRecord", "cuEventRecord", oldest_version, first_driver_after},
    {"cudaEventQuery", "cuEventQuery", oldest_version, first_driver_after},
    {"cudaEventSynchronize", "cuEventSynchronize", oldest_version, first_driver_after},
    {"cudaEventDestroy", "cuEventDestroy_v2", oldest_version, first_driver_after},
    {"cudaMalloc", "cuMemAlloc_v2", oldest_version, first_driver_after},
    {"cudaFree", "cuMemFree_v2", oldest_version, first_driver_after},
    {"cudaHostAlloc", "cuMemHostAlloc", oldest_version, first_driver_after},
    {"cudaFreeHost", "cuMemFreeHost", oldest_version, first_driver_after},
    {"cudaMallocManaged", "cuMemAllocManaged", oldest_version, first_driver_after},
    {"cudaMallocAsync", "cuMemAllocAsync", oldest_version, first_driver_after},
    {"cudaFreeAsync", "cuMemFreeAsync", oldest_version, first_driver_after},
    {"cudaDeviceGetDefaultMemPool", "cuDeviceGetDefaultMemPool", oldest_version, first_driver_after},
    {"cudaMemPoolTrimTo", "cuMemPoolTrimTo", oldest_version, first_driver_after},
    {"cudaMemPoolGetAttribute", "cuMemPoolGetAttribute", oldest_version, first_driver_after},
    {"cudaMemcpyAsync", "cuMemcpyAsync", oldest_version, first_driver_after},
    {"cudaMemcpyPeer", "cuMemcpyPeer", oldest_version, first_driver_after},
    {"cudaMemcpyPeerAsync", "cuMemcpyPeerAsync", oldest_version, first_driver_after},
    {"cudaMemcpy2DAsync", "cuMemcpy2DAsync_v2", oldest_version, first_driver_after},
    {"cudaMemsetAsync", "cuMemsetD8Async", oldest_version, first_driver_after},
    {"cudaMemPrefetchAsync_12", "cuMemPrefetchAsync", oldest_version, first_driver_after},
    {"cudaMemAdvise_12", "cuMemAdvise", oldest_version, first_driver_after},
    {"cudaPointerGetAttributes", "cuPointerGetAttributes", oldest_version, first_driver_after},
    {"cudaIpcGetMemHandle", "cuIpcGetMemHandle", oldest_version, first_driver_after},
    {"cudaIpcOpenMemHandle", "cuIpcOpenMemHandle_v2", oldest_version, first_driver_after},
    {"cudaIpcCloseMemHandle", "cuIpcCloseMemHandle", oldest_version, first_driver_after},
};

}  // namespace cadastre::cuda_driver

#endif
