// Tangled from org/backends/hip_api.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CADASTRE_BACKENDS_HIP_API_HPP
#define CADASTRE_BACKENDS_HIP_API_HPP

#include <cstring>

#include "cuda_api.hpp"

namespace cadastre::hip_api {

using namespace cuda_api;

constexpr int oldest_hip = 50200000, first_hip_after = 80000000;
inline constexpr const char* hip_names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"};

inline constexpr Entry hip_entries[] = {
    {"cudaRuntimeGetVersion", "hipRuntimeGetVersion", oldest_hip, first_hip_after},
    {"cudaDriverGetVersion", "hipDriverGetVersion", oldest_hip, first_hip_after},
    {"cudaGetErrorString", "hipGetErrorString", oldest_hip, first_hip_after},
    {"cudaGetErrorName", "hipGetErrorName", oldest_hip, first_hip_after},
    {"cudaGetLastError", "hipGetLastError", oldest_hip, first_hip_after},
    {"cudaPeekAtLastError", "hipPeekAtLastError", oldest_hip, first_hip_after},
    {"cudaGetDeviceCount", "hipGetDeviceCount", oldest_hip, first_hip_after},
    {"cudaGetDeviceProperties", "hipGetDeviceProperties", oldest_hip, 60000000},
    {"cudaGetDeviceProperties", "hipGetDevicePropertiesR0600", 60000000, first_hip_after},
    {"cudaDeviceGetAttribute", "hipDeviceGetAttribute", oldest_hip, first_hip_after},
    {"cudaDeviceCanAccessPeer", "hipDeviceCanAccessPeer", oldest_hip, first_hip_after},
    {"cudaDeviceReset", "hipDeviceReset", oldest_hip, first_hip_after},
    {"cudaDeviceSynchronize", "hipDeviceSynchronize", oldest_hip, first_hip_after},
    {"cudaMemGetInfo", "hipMemGetInfo", oldest_hip, first_hip_after},
    {"cudaGetDevice", "hipGetDevice", oldest_hip, first_hip_after},
    {"cudaSetDevice", "hipSetDevice", oldest_hip, first_hip_after},
    {"cudaStreamCreate", "hipStreamCreate", oldest_hip, first_hip_after},
    {"cudaStreamCreateWithFlags", "hipStreamCreateWithFlags", oldest_hip, first_hip_after},
    {"cudaStreamDestroy", "hipStreamDestroy", oldest_hip, first_hip_after},
    {"cudaStreamSynchronize", "hipStreamSynchronize", oldest_hip, first_hip_after},
    {"cudaStreamQuery", "hipStreamQuery", oldest_hip, first_hip_after},
    {"cudaStreamWaitEvent", "hipStreamWaitEvent", oldest_hip, first_hip_after},
    {"cudaStreamGetId", "hipStreamGetId", 70100000, first_hip_after},
    {"cudaStreamIsCapturing", "hipStreamIsCapturing", oldest_hip, first_hip_after},
    {"cudaStreamBeginCapture", "hipStreamBeginCapture", oldest_hip, first_hip_after},
    {"cudaStreamEndCapture", "hipStreamEndCapture", oldest_hip, first_hip_after},
    {"cudaStreamGetCaptureInfo_12", "hipStreamGetCaptureInfo_v2", 60300000, first_hip_after},
    {"cudaThreadExchangeStreamCaptureMode", "hipThreadExchangeStreamCaptureMode", oldest_hip, first_hip_after},
    {"cudaEventCreate", "hipEventCreate", oldest_hip, first_hip_after},
    {"cudaEventCreateWithFlags", "hipEventCreateWithFlags", oldest_hip, first_hip_after},
    {"cudaEventRecord", "hipEventRecord", oldest_hip, first_hip_after},
    {"cudaEventQuery", "hipEventQuery", oldest_hip, first_hip_after},
    {"cudaEventSynchronize", "hipEventSynchronize", oldest_hip, first_hip_after},
    {"cudaEventElapsedTime", "hipEventElapsedTime", oldest_hip, first_hip_after},
    {"cudaEventDestroy", "hipEventDestroy", oldest_hip, first_hip_after},
    {"cudaLaunchHostFunc", "hipLaunchHostFunc", 50300000, first_hip_after},
    {"cudaMalloc", "hipMalloc", oldest_hip, first_hip_after},
    {"cudaFree", "hipFree", oldest_hip, first_hip_after},
    {"cudaMallocHost", "hipMallocHost", oldest_hip, first_hip_after},
    {"cudaHostAlloc", "hipHostMalloc", oldest_hip, first_hip_after},
    {"cudaFreeHost", "hipHostFree", oldest_hip, first_hip_after},
    {"cudaHostRegister", "hipHostRegister", oldest_hip, first_hip_after},
    {"cudaHostUnregister", "hipHostUnregister", oldest_hip, first_hip_after},
    {"cudaMallocManaged", "hipMallocManaged", oldest_hip, first_hip_after},
    {"cudaMallocAsync", "hipMallocAsync", oldest_hip, first_hip_after},
    {"cudaFreeAsync", "hipFreeAsync", oldest_hip, first_hip_after},
    {"cudaMallocFromPoolAsync", "hipMallocFromPoolAsync", oldest_hip, first_hip_after},
    {"cudaDeviceGetDefaultMemPool", "hipDeviceGetDefaultMemPool", oldest_hip, first_hip_after},
    {"cudaMemPoolCreate", "hipMemPoolCreate", oldest_hip, first_hip_after},
    {"cudaMemPoolDestroy", "hipMemPoolDestroy", oldest_hip, first_hip_after},
    {"cudaMemPoolTrimTo", "hipMemPoolTrimTo", oldest_hip, first_hip_after},
    {"cudaMemPoolSetAttribute", "hipMemPoolSetAttribute", oldest_hip, first_hip_after},
    {"cudaMemPoolGetAttribute", "hipMemPoolGetAttribute", oldest_hip, first_hip_after},
    {"cudaMemcpy", "hipMemcpy", oldest_hip, first_hip_after},
    {"cudaMemcpyAsync", "hipMemcpyAsync", oldest_hip, first_hip_after},
    {"cudaMemcpy2D", "hipMemcpy2D", oldest_hip, first_hip_after},
    {"cudaMemcpy2DAsync", "hipMemcpy2DAsync", oldest_hip, first_hip_after},
    {"cudaMemcpyPeer", "hipMemcpyPeer", oldest_hip, first_hip_after},
    {"cudaMemcpyPeerAsync", "hipMemcpyPeerAsync", oldest_hip, first_hip_after},
    {"cudaMemset", "hipMemset", oldest_hip, first_hip_after},
    {"cudaMemsetAsync", "hipMemsetAsync", oldest_hip, first_hip_after},
    {"cudaMemset2DAsync", "hipMemset2DAsync", oldest_hip, first_hip_after},
    {"cudaMemPrefetchAsync_12", "hipMemPrefetchAsync", oldest_hip, first_hip_after},
    {"cudaMemAdvise_12", "hipMemAdvise", oldest_hip, first_hip_after},
    {"cudaPointerGetAttributes", "hipPointerGetAttributes", oldest_hip, first_hip_after},
    {"cudaGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags", oldest_hip, first_hip_after},
    {"cudaGraphLaunch", "hipGraphLaunch", oldest_hip, first_hip_after},
    {"cudaGraphDestroy", "hipGraphDestroy", oldest_hip, first_hip_after},
    {"cudaGraphExecDestroy", "hipGraphExecDestroy", oldest_hip, first_hip_after},
    {"cudaGraphClone", "hipGraphClone", oldest_hip, first_hip_after},
    {"cudaUserObjectCreate", "hipUserObjectCreate", 60300000, first_hip_after},
    {"cudaUserObjectRelease", "hipUserObjectRelease", 60300000, first_hip_after},
    {"cudaGraphRetainUserObject", "hipGraphRetainUserObject", 60300000, first_hip_after},
    {"cudaIpcGetMemHandle", "hipIpcGetMemHandle", oldest_hip, first_hip_after},
    {"cudaIpcOpenMemHandle", "hipIpcOpenMemHandle", oldest_hip, first_hip_after},
    {"cudaIpcCloseMemHandle", "hipIpcCloseMemHandle", oldest_hip, first_hip_after},
};

inline constexpr AttributeNumber hip_attributes[] = {
    {cudaDevAttrTextureAlignment, 81},
    {cudaDevAttrMultiProcessorCount, 63},
    {cudaDevAttrIntegrated, 16},
    {cudaDevAttrCanMapHostMemory, 3},
    {cudaDevAttrUnifiedAddressing, 85},
    {cudaDevAttrComputeCapabilityMajor, 23},
    {cudaDevAttrManagedMemory, 24},
    {cudaDevAttrPageableMemoryAccess, 65},
    {cudaDevAttrConcurrentManagedAccess, 9},
    {cudaDevAttrDirectManagedMemAccessFromHost, 13},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 66},
    {cudaDevAttrMemoryPoolsSupported, 88},
};

inline constexpr FlagValue hip_flags[] = {
    {&cudaIpcMemLazyEnablePeerAccess, 0, oldest_hip, 60000000},
};

// The bytes of a structure in the majors 5, 6 and 7.
template <class Structure>
struct HipSizeIn;

template <>
struct HipSizeIn<cudaUUID_t> {
  static constexpr std::size_t of_major[] = {16, 16, 16};
};
static_assert(sizeof(cudaUUID_t) >= 16);

template <>
struct HipSizeIn<cudaDeviceProp> {
  static constexpr std::size_t of_major[] = {792, 1472, 1472};
};
static_assert(sizeof(cudaDeviceProp) >= 1472);

template <>
struct HipSizeIn<cudaPointerAttributes> {
  static constexpr std::size_t of_major[] = {32, 32, 32};
};
static_assert(sizeof(cudaPointerAttributes) >= 32);

template <>
struct HipSizeIn<cudaMemLocation> {
  static constexpr std::size_t of_major[] = {8, 8, 8};
};
static_assert(sizeof(cudaMemLocation) >= 8);

template <>
struct HipSizeIn<cudaMemPoolProps> {
  static constexpr std::size_t of_major[] = {88, 88, 88};
};
static_assert(sizeof(cudaMemPoolProps) >= 88);

template <>
struct HipSizeIn<cudaIpcMemHandle_t> {
  static constexpr std::size_t of_major[] = {64, 64, 64};
};
static_assert(sizeof(cudaIpcMemHandle_t) >= 64);
template <class Structure>
constexpr std::size_t size_in(int version) noexcept {
  return HipSizeIn<Structure>::of_major[version / 10000000 - 5];
}

struct PointerAttributes {
  int type, device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned allocationFlags;
};
static_assert(sizeof(PointerAttributes) == 32 && offsetof(PointerAttributes, isManaged) == 24);

// In ROCm 5 the types begin with the host, and 0 is not "unregistered". Some of its versions have a type for managed memory, which is
// told by the flag in all.
constexpr int first_with_cuda_types = 60000000;
enum OldType : int { old_host = 0, old_device = 1 };

inline void translate(cudaPointerAttributes& attributes, int version) noexcept {
  PointerAttributes written;
  std::memcpy(&written, &attributes, sizeof written);
  if (written.isManaged) {
    attributes.type = cudaMemoryTypeManaged;
  } else if (version < first_with_cuda_types) {
    attributes.type = written.type == old_device ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
  }
}

// The place on the bus in the properties of ROCm 5.
constexpr std::size_t old_pci_domain = 364, old_pci_bus = 368, old_pci_device = 372;

inline int number_at(const cudaDeviceProp& device, std::size_t offset) noexcept {
  int number = 0;
  std::memcpy(&number, reinterpret_cast<const char*>(&device) + offset, sizeof number);
  return number;
}

inline void write_hip_uuid(const cudaDeviceProp& device, int version, char (&text)[64]) noexcept {
  if (version < first_with_cuda_types) {
    std::snprintf(text, sizeof text, "PCI-%04x:%02x:%02x", static_cast<unsigned>(number_at(device, old_pci_domain)),
                  static_cast<unsigned>(number_at(device, old_pci_bus)), static_cast<unsigned>(number_at(device, old_pci_device)));
  } else if (device.uuid.bytes[0]) {
    std::snprintf(text, sizeof text, "GPU-%.16s", device.uuid.bytes);
  }
}

inline constexpr Dialect dialect{
    .backend = CADASTRE_BACKEND_HIP,
    .name = "HIP",
    .vendor = "AMD",
    .kind = "runtime",
    .variable = "CADASTRE_HIP_LIBRARY",
    .why_no_device = "ROCR_VISIBLE_DEVICES and HIP_VISIBLE_DEVICES can hide them, and the driver amdgpu must be loaded",
    .managed_attribute = "hipDeviceAttributeManagedMemory",
    .libraries = hip_names,
    .oldest = oldest_hip,
    .first_after = first_hip_after,
    .per_major = 10000000,
    .per_minor = 100000,
    .entries = hip_entries,
    .attributes = hip_attributes,
    .flags = hip_flags,
    .default_stream_number = 0,
    .translate = translate,
    .write_uuid = write_hip_uuid,
    .folder = "/opt/rocm/lib",
    .objects_outlive_launches = false,
    .free_waits = true,
    .tells_of_host_access = true};

}  // namespace cadastre::hip_api

#endif
