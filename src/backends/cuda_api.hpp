// Tangled from org/backends/cuda_api.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CADASTRE_BACKENDS_CUDA_API_HPP
#define CADASTRE_BACKENDS_CUDA_API_HPP

#include <dlfcn.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>

#include "cadastre.h"

namespace cadastre::cuda_api {

constexpr int oldest_version = 11020, first_version_after = 14000;
inline constexpr const char* runtime_names[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"};

enum cudaError_t : int {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorCudartUnloading = 4,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInsufficientDriver = 35,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorDeviceUninitialized = 201,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorIllegalState = 401,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorContextIsDestroyed = 709,
  cudaErrorHostMemoryAlreadyRegistered = 712,
  cudaErrorHostMemoryNotRegistered = 713,
  cudaErrorNotPermitted = 800,
  cudaErrorNotSupported = 801,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorStreamCaptureMerge = 902,
  cudaErrorStreamCaptureUnmatched = 903,
  cudaErrorStreamCaptureUnjoined = 904,
  cudaErrorStreamCaptureIsolation = 905,
  cudaErrorStreamCaptureImplicit = 906,
  cudaErrorCapturedEvent = 907,
  cudaErrorStreamCaptureWrongThread = 908,
  cudaErrorUnknown = 999,
};
enum cudaDeviceAttr : int {
  cudaDevAttrTextureAlignment = 14,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrIntegrated = 18,
  cudaDevAttrCanMapHostMemory = 19,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrPageableMemoryAccess = 88,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrHostRegisterSupported = 99,
  cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
  cudaDevAttrDirectManagedMemAccessFromHost = 101,
  cudaDevAttrMemoryPoolsSupported = 115,
};
enum cudaMemcpyKind : int {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4,
};
enum cudaMemoryAdvise : int {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6,
};
enum cudaMemoryType : int {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3,
};
enum cudaMemLocationType : int {
  cudaMemLocationTypeInvalid = 0,
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2,
};
enum cudaMemAllocationType : int {
  cudaMemAllocationTypePinned = 1,
};
enum cudaMemAllocationHandleType : int {
  cudaMemHandleTypeNone = 0,
};
enum cudaMemPoolAttr : int {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4,
  cudaMemPoolAttrReservedMemCurrent = 5,
  cudaMemPoolAttrReservedMemHigh = 6,
  cudaMemPoolAttrUsedMemCurrent = 7,
  cudaMemPoolAttrUsedMemHigh = 8,
};
enum cudaStreamCaptureStatus : int {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2,
};
enum cudaStreamCaptureMode : int {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2,
};
inline constexpr int cudaCpuDeviceId = -1;
inline constexpr int cudaInvalidDeviceId = -2;
inline constexpr unsigned cudaStreamDefault = 0;
inline constexpr unsigned cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0;
inline constexpr unsigned cudaEventBlockingSync = 1;
inline constexpr unsigned cudaEventDisableTiming = 2;
inline constexpr unsigned cudaEventInterprocess = 4;
inline constexpr unsigned cudaHostAllocDefault = 0;
inline constexpr unsigned cudaHostAllocPortable = 1;
inline constexpr unsigned cudaHostAllocMapped = 2;
inline constexpr unsigned cudaHostAllocWriteCombined = 4;
inline constexpr unsigned cudaHostRegisterDefault = 0;
inline constexpr unsigned cudaMemAttachGlobal = 1;
inline constexpr unsigned cudaMemAttachHost = 2;
inline constexpr unsigned cudaIpcMemLazyEnablePeerAccess = 1;
inline constexpr unsigned cudaUserObjectNoDestructorSync = 1;
inline constexpr unsigned cudaGraphUserObjectMove = 1;

using CUcontext = struct CUctx_st*;
using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
using cudaGraph_t = struct CUgraph_st*;
using cudaGraphExec_t = struct CUgraphExec_st*;
using cudaGraphNode_t = struct CUgraphNode_st*;
using cudaGraphEdgeData = struct cudaGraphEdgeData_st;
using cudaUserObject_t = struct CUuserObject_st*;
using cudaMemPool_t = struct CUmemPoolHandle_st*;
using cudaHostFn_t = void (*)(void*);

struct cudaUUID_t {
  char bytes[16];
};

struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[16];
  std::size_t totalGlobalMem;
  char others[3800];
};

struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
  long reserved[8];  // from 13 on
};

struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};

struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  cudaMemAllocationHandleType handleTypes;
  cudaMemLocation location;
  void* win32SecurityAttributes;
  unsigned char reserved[64];
};

struct cudaIpcMemHandle_t {
  char reserved[64];
};

// The bytes of a structure in the majors 11, 12 and 13.
template <class Structure>
struct SizeIn;

template <>
struct SizeIn<cudaUUID_t> {
  static constexpr std::size_t of_major[] = {16, 16, 16};
};
static_assert(sizeof(cudaUUID_t) >= 16);

template <>
struct SizeIn<cudaDeviceProp> {
  static constexpr std::size_t of_major[] = {728, 1032, 1008};
};
static_assert(sizeof(cudaDeviceProp) >= 1032);

template <>
struct SizeIn<cudaPointerAttributes> {
  static constexpr std::size_t of_major[] = {24, 24, 88};
};
static_assert(sizeof(cudaPointerAttributes) >= 88);

template <>
struct SizeIn<cudaMemLocation> {
  static constexpr std::size_t of_major[] = {8, 8, 8};
};
static_assert(sizeof(cudaMemLocation) >= 8);

template <>
struct SizeIn<cudaMemPoolProps> {
  static constexpr std::size_t of_major[] = {88, 88, 88};
};
static_assert(sizeof(cudaMemPoolProps) >= 88);

template <>
struct SizeIn<cudaIpcMemHandle_t> {
  static constexpr std::size_t of_major[] = {64, 64, 64};
};
static_assert(sizeof(cudaIpcMemHandle_t) >= 64);

static_assert(offsetof(cudaDeviceProp, name) == 0);
static_assert(offsetof(cudaDeviceProp, uuid) == 256);
static_assert(offsetof(cudaDeviceProp, totalGlobalMem) == 288);
static_assert(offsetof(cudaPointerAttributes, type) == 0);
static_assert(offsetof(cudaPointerAttributes, device) == 4);
static_assert(offsetof(cudaPointerAttributes, devicePointer) == 8);
static_assert(offsetof(cudaPointerAttributes, hostPointer) == 16);
static_assert(offsetof(cudaMemLocation, type) == 0);
static_assert(offsetof(cudaMemLocation, id) == 4);
static_assert(offsetof(cudaMemPoolProps, allocType) == 0);
static_assert(offsetof(cudaMemPoolProps, handleTypes) == 4);
static_assert(offsetof(cudaMemPoolProps, location) == 8);
static_assert(offsetof(cudaMemPoolProps, win32SecurityAttributes) == 16);

// How much of a structure a runtime of a version writes.
template <class Structure>
constexpr std::size_t size_in(int version) noexcept {
  return SizeIn<Structure>::of_major[version / 1000 - 11];
}

inline const cudaStream_t cudaStreamLegacy = reinterpret_cast<cudaStream_t>(std::uintptr_t{1});
inline const cudaStream_t cudaStreamPerThread = reinterpret_cast<cudaStream_t>(std::uintptr_t{2});

namespace signature {
using cudaRuntimeGetVersion = cudaError_t(int*);
using cudaDriverGetVersion = cudaError_t(int*);
using cudaGetErrorString = const char*(cudaError_t);
using cudaGetErrorName = const char*(cudaError_t);
using cudaGetLastError = cudaError_t();
using cudaPeekAtLastError = cudaError_t();
using cudaGetDeviceCount = cudaError_t(int*);
using cudaGetDeviceProperties = cudaError_t(cudaDeviceProp*, int);
using cudaDeviceGetAttribute = cudaError_t(int*, cudaDeviceAttr, int);
using cudaDeviceCanAccessPeer = cudaError_t(int*, int, int);
using cudaDeviceReset = cudaError_t();
using cudaDeviceSynchronize = cudaError_t();
using cudaMemGetInfo = cudaError_t(std::size_t*, std::size_t*);
using cudaGetDevice = cudaError_t(int*);
using cudaSetDevice = cudaError_t(int);
using cudaStreamCreate = cudaError_t(cudaStream_t*);
using cudaStreamCreateWithFlags = cudaError_t(cudaStream_t*, unsigned);
using cudaStreamDestroy = cudaError_t(cudaStream_t);
using cudaStreamSynchronize = cudaError_t(cudaStream_t);
using cudaStreamQuery = cudaError_t(cudaStream_t);
using cudaStreamWaitEvent = cudaError_t(cudaStream_t, cudaEvent_t, unsigned);
using cudaStreamGetId = cudaError_t(cudaStream_t, unsigned long long*);
using cudaStreamIsCapturing = cudaError_t(cudaStream_t, cudaStreamCaptureStatus*);
using cudaStreamBeginCapture = cudaError_t(cudaStream_t, cudaStreamCaptureMode);
using cudaStreamEndCapture = cudaError_t(cudaStream_t, cudaGraph_t*);
using cudaStreamGetCaptureInfo = cudaError_t(cudaStream_t, cudaStreamCaptureStatus*, unsigned long long*, cudaGraph_t*, const cudaGraphNode_t**, const cudaGraphEdgeData**, std::size_t*);
using cudaStreamGetCaptureInfo_12 = cudaError_t(cudaStream_t, cudaStreamCaptureStatus*, unsigned long long*, cudaGraph_t*, const cudaGraphNode_t**, std::size_t*);
using cudaThreadExchangeStreamCaptureMode = cudaError_t(cudaStreamCaptureMode*);
using cudaEventCreate = cudaError_t(cudaEvent_t*);
using cudaEventCreateWithFlags = cudaError_t(cudaEvent_t*, unsigned);
using cudaEventRecord = cudaError_t(cudaEvent_t, cudaStream_t);
using cudaEventQuery = cudaError_t(cudaEvent_t);
using cudaEventSynchronize = cudaError_t(cudaEvent_t);
using cudaEventElapsedTime = cudaError_t(float*, cudaEvent_t, cudaEvent_t);
using cudaEventDestroy = cudaError_t(cudaEvent_t);
using cudaLaunchHostFunc = cudaError_t(cudaStream_t, cudaHostFn_t, void*);
using cudaMalloc = cudaError_t(void**, std::size_t);
using cudaFree = cudaError_t(void*);
using cudaMallocHost = cudaError_t(void**, std::size_t);
using cudaHostAlloc = cudaError_t(void**, std::size_t, unsigned);
using cudaFreeHost = cudaError_t(void*);
using cudaHostRegister = cudaError_t(void*, std::size_t, unsigned);
using cudaHostUnregister = cudaError_t(void*);
using cudaMallocManaged = cudaError_t(void**, std::size_t, unsigned);
using cudaMallocAsync = cudaError_t(void**, std::size_t, cudaStream_t);
using cudaFreeAsync = cudaError_t(void*, cudaStream_t);
using cudaMallocFromPoolAsync = cudaError_t(void**, std::size_t, cudaMemPool_t, cudaStream_t);
using cudaDeviceGetDefaultMemPool = cudaError_t(cudaMemPool_t*, int);
using cudaMemPoolCreate = cudaError_t(cudaMemPool_t*, const cudaMemPoolProps*);
using cudaMemPoolDestroy = cudaError_t(cudaMemPool_t);
using cudaMemPoolTrimTo = cudaError_t(cudaMemPool_t, std::size_t);
using cudaMemPoolSetAttribute = cudaError_t(cudaMemPool_t, cudaMemPoolAttr, void*);
using cudaMemPoolGetAttribute = cudaError_t(cudaMemPool_t, cudaMemPoolAttr, void*);
using cudaMemcpy = cudaError_t(void*, const void*, std::size_t, cudaMemcpyKind);
using cudaMemcpyAsync = cudaError_t(void*, const void*, std::size_t, cudaMemcpyKind, cudaStream_t);
using cudaMemcpy2D = cudaError_t(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, cudaMemcpyKind);
using cudaMemcpy2DAsync = cudaError_t(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, cudaMemcpyKind, cudaStream_t);
using cudaMemcpyPeer = cudaError_t(void*, int, const void*, int, std::size_t);
using cudaMemcpyPeerAsync = cudaError_t(void*, int, const void*, int, std::size_t, cudaStream_t);
using cudaMemset = cudaError_t(void*, int, std::size_t);
using cudaMemsetAsync = cudaError_t(void*, int, std::size_t, cudaStream_t);
using cudaMemset2DAsync = cudaError_t(void*, std::size_t, int, std::size_t, std::size_t, cudaStream_t);
using cudaMemPrefetchAsync = cudaError_t(const void*, std::size_t, cudaMemLocation, unsigned, cudaStream_t);
using cudaMemPrefetchAsync_12 = cudaError_t(const void*, std::size_t, int, cudaStream_t);
using cudaMemAdvise = cudaError_t(const void*, std::size_t, cudaMemoryAdvise, cudaMemLocation);
using cudaMemAdvise_12 = cudaError_t(const void*, std::size_t, cudaMemoryAdvise, int);
using cudaPointerGetAttributes = cudaError_t(cudaPointerAttributes*, const void*);
using cudaGraphInstantiateWithFlags = cudaError_t(cudaGraphExec_t*, cudaGraph_t, unsigned long long);
using cudaGraphLaunch = cudaError_t(cudaGraphExec_t, cudaStream_t);
using cudaGraphDestroy = cudaError_t(cudaGraph_t);
using cudaGraphExecDestroy = cudaError_t(cudaGraphExec_t);
using cudaGraphClone = cudaError_t(cudaGraph_t*, cudaGraph_t);
using cudaUserObjectCreate = cudaError_t(cudaUserObject_t*, void*, cudaHostFn_t, unsigned, unsigned);
using cudaUserObjectRelease = cudaError_t(cudaUserObject_t, unsigned);
using cudaGraphRetainUserObject = cudaError_t(cudaGraph_t, cudaUserObject_t, unsigned, unsigned);
using cudaIpcGetMemHandle = cudaError_t(cudaIpcMemHandle_t*, void*);
using cudaIpcOpenMemHandle = cudaError_t(void**, cudaIpcMemHandle_t, unsigned);
using cudaIpcCloseMemHandle = cudaError_t(void*);
// No runtime has these two, and a driver that is called without one has both.
using cuCtxGetCurrent = cudaError_t(CUcontext*);
using cuCtxSetCurrent = cudaError_t(CUcontext);
}  // namespace signature

// A symbol of the library, and the versions that have the routine under it.
struct Entry {
  const char *routine, *symbol;
  int from, before;
};

inline constexpr Entry entries[] = {
    {"cudaRuntimeGetVersion", "cudaRuntimeGetVersion", oldest_version, first_version_after},
    {"cudaDriverGetVersion", "cudaDriverGetVersion", oldest_version, first_version_after},
    {"cudaGetErrorString", "cudaGetErrorString", oldest_version, first_version_after},
    {"cudaGetErrorName", "cudaGetErrorName", oldest_version, first_version_after},
    {"cudaGetLastError", "cudaGetLastError", oldest_version, first_version_after},
    {"cudaPeekAtLastError", "cudaPeekAtLastError", oldest_version, first_version_after},
    {"cudaGetDeviceCount", "cudaGetDeviceCount", oldest_version, first_version_after},
    {"cudaGetDeviceProperties", "cudaGetDeviceProperties", oldest_version, 12000},
    {"cudaGetDeviceProperties", "cudaGetDeviceProperties_v2", 12000, 13000},
    {"cudaGetDeviceProperties", "cudaGetDeviceProperties", 13000, first_version_after},
    {"cudaDeviceGetAttribute", "cudaDeviceGetAttribute", oldest_version, first_version_after},
    {"cudaDeviceCanAccessPeer", "cudaDeviceCanAccessPeer", oldest_version, first_version_after},
    {"cudaDeviceReset", "cudaDeviceReset", oldest_version, first_version_after},
    {"cudaDeviceSynchronize", "cudaDeviceSynchronize", oldest_version, first_version_after},
    {"cudaMemGetInfo", "cudaMemGetInfo", oldest_version, first_version_after},
    {"cudaGetDevice", "cudaGetDevice", oldest_version, first_version_after},
    {"cudaSetDevice", "cudaSetDevice", oldest_version, first_version_after},
    {"cudaStreamCreate", "cudaStreamCreate", oldest_version, first_version_after},
    {"cudaStreamCreateWithFlags", "cudaStreamCreateWithFlags", oldest_version, first_version_after},
    {"cudaStreamDestroy", "cudaStreamDestroy", oldest_version, first_version_after},
    {"cudaStreamSynchronize", "cudaStreamSynchronize", oldest_version, first_version_after},
    {"cudaStreamQuery", "cudaStreamQuery", oldest_version, first_version_after},
    {"cudaStreamWaitEvent", "cudaStreamWaitEvent", oldest_version, first_version_after},
    {"cudaStreamGetId", "cudaStreamGetId", 12000, first_version_after},
    {"cudaStreamIsCapturing", "cudaStreamIsCapturing", oldest_version, first_version_after},
    {"cudaStreamBeginCapture", "cudaStreamBeginCapture", oldest_version, first_version_after},
    {"cudaStreamEndCapture", "cudaStreamEndCapture", oldest_version, first_version_after},
    {"cudaStreamGetCaptureInfo", "cudaStreamGetCaptureInfo", 13000, first_version_after},
    {"cudaStreamGetCaptureInfo_12", "cudaStreamGetCaptureInfo_v2", 11030, 13000},
    {"cudaThreadExchangeStreamCaptureMode", "cudaThreadExchangeStreamCaptureMode", oldest_version, first_version_after},
    {"cudaEventCreate", "cudaEventCreate", oldest_version, first_version_after},
    {"cudaEventCreateWithFlags", "cudaEventCreateWithFlags", oldest_version, first_version_after},
    {"cudaEventRecord", "cudaEventRecord", oldest_version, first_version_after},
    {"cudaEventQuery", "cudaEventQuery", oldest_version, first_version_after},
    {"cudaEventSynchronize", "cudaEventSynchronize", oldest_version, first_version_after},
    {"cudaEventElapsedTime", "cudaEventElapsedTime", oldest_version, first_version_after},
    {"cudaEventDestroy", "cudaEventDestroy", oldest_version, first_version_after},
    {"cudaLaunchHostFunc", "cudaLaunchHostFunc", oldest_version, first_version_after},
    {"cudaMalloc", "cudaMalloc", oldest_version, first_version_after},
    {"cudaFree", "cudaFree", oldest_version, first_version_after},
    {"cudaMallocHost", "cudaMallocHost", oldest_version, first_version_after},
    {"cudaHostAlloc", "cudaHostAlloc", oldest_version, first_version_after},
    {"cudaFreeHost", "cudaFreeHost", oldest_version, first_version_after},
    {"cudaHostRegister", "cudaHostRegister", oldest_version, first_version_after},
    {"cudaHostUnregister", "cudaHostUnregister", oldest_version, first_version_after},
    {"cudaMallocManaged", "cudaMallocManaged", oldest_version, first_version_after},
    {"cudaMallocAsync", "cudaMallocAsync", oldest_version, first_version_after},
    {"cudaFreeAsync", "cudaFreeAsync", oldest_version, first_version_after},
    {"cudaMallocFromPoolAsync", "cudaMallocFromPoolAsync", oldest_version, first_version_after},
    {"cudaDeviceGetDefaultMemPool", "cudaDeviceGetDefaultMemPool", oldest_version, first_version_after},
    {"cudaMemPoolCreate", "cudaMemPoolCreate", oldest_version, first_version_after},
    {"cudaMemPoolDestroy", "cudaMemPoolDestroy", oldest_version, first_version_after},
    {"cudaMemPoolTrimTo", "cudaMemPoolTrimTo", oldest_version, first_version_after},
    {"cudaMemPoolSetAttribute", "cudaMemPoolSetAttribute", oldest_version, first_version_after},
    {"cudaMemPoolGetAttribute", "cudaMemPoolGetAttribute", oldest_version, first_version_after},
    {"cudaMemcpy", "cudaMemcpy", oldest_version, first_version_after},
    {"cudaMemcpyAsync", "cudaMemcpyAsync", oldest_version, first_version_after},
    {"cudaMemcpy2D", "cudaMemcpy2D", oldest_version, first_version_after},
    {"cudaMemcpy2DAsync", "cudaMemcpy2DAsync", oldest_version, first_version_after},
    {"cudaMemcpyPeer", "cudaMemcpyPeer", oldest_version, first_version_after},
    {"cudaMemcpyPeerAsync", "cudaMemcpyPeerAsync", oldest_version, first_version_after},
    {"cudaMemset", "cudaMemset", oldest_version, first_version_after},
    {"cudaMemsetAsync", "cudaMemsetAsync", oldest_version, first_version_after},
    {"cudaMemset2DAsync", "cudaMemset2DAsync", oldest_version, first_version_after},
    {"cudaMemPrefetchAsync", "cudaMemPrefetchAsync", 13000, first_version_after},
    {"cudaMemPrefetchAsync_12", "cudaMemPrefetchAsync", oldest_version, 13000},
    {"cudaMemAdvise", "cudaMemAdvise", 13000, first_version_after},
    {"cudaMemAdvise_12", "cudaMemAdvise", oldest_version, 13000},
    {"cudaPointerGetAttributes", "cudaPointerGetAttributes", oldest_version, first_version_after},
    {"cudaGraphInstantiateWithFlags", "cudaGraphInstantiateWithFlags", 11040, first_version_after},
    {"cudaGraphLaunch", "cudaGraphLaunch", oldest_version, first_version_after},
    {"cudaGraphDestroy", "cudaGraphDestroy", oldest_version, first_version_after},
    {"cudaGraphExecDestroy", "cudaGraphExecDestroy", oldest_version, first_version_after},
    {"cudaGraphClone", "cudaGraphClone", oldest_version, first_version_after},
    {"cudaUserObjectCreate", "cudaUserObjectCreate", 11030, first_version_after},
    {"cudaUserObjectRelease", "cudaUserObjectRelease", 11030, first_version_after},
    {"cudaGraphRetainUserObject", "cudaGraphRetainUserObject", 11030, first_version_after},
    {"cudaIpcGetMemHandle", "cudaIpcGetMemHandle", oldest_version, first_version_after},
    {"cudaIpcOpenMemHandle", "cudaIpcOpenMemHandle", oldest_version, first_version_after},
    {"cudaIpcCloseMemHandle", "cudaIpcCloseMemHandle", oldest_version, first_version_after},
};

template <class Row>
constexpr bool is_in(const Row& row, int version) noexcept {
  return row.from <= version && version < row.before;
}

// The symbol of a routine in a version; null where that version has none.
constexpr const char* symbol_in(std::span<const Entry> table, std::string_view routine, int version) noexcept {
  for (const Entry& entry : table) {
    if (routine == entry.routine && is_in(entry, version)) return entry.symbol;
  }
  return nullptr;
}

// Whether a version has a symbol, of whichever routine.
constexpr bool has_symbol_in(std::span<const Entry> table, std::string_view symbol, int version) noexcept {
  for (const Entry& entry : table) {
    if (symbol == entry.symbol && is_in(entry, version)) return true;
  }
  return false;
}

struct AttributeNumber {
  cudaDeviceAttr attribute;
  int number;
};

// What some versions have for a flag.
struct FlagValue {
  const unsigned* flag;
  unsigned value;
  int from, before;
};

// The address of a routine in a library that was opened; null where it has none.
using AddressOf = void*(void* library, const char* routine, const char* symbol);
inline void* address_of_symbol(void* library, const char*, const char* symbol) noexcept { return dlsym(library, symbol); }

struct Dialect {
  cadastre_backend backend;
  const char *name, *vendor;
  const char* kind;                        // of the library
  const char* variable;                    // of the environment: it names another library
  const char* why_no_device;               // what may hide them
  const char* managed_attribute;           // what says whether a device has managed memory
  std::span<const char* const> libraries;  // as the dynamic linker knows them, the newest first
  int oldest, first_after;                 // the versions that are served
  int per_major, per_minor;                // what one more of each adds to a version
  std::span<const Entry> entries;
  std::span<const AttributeNumber> attributes;  // that differ from CUDA's
  std::span<const FlagValue> flags;             // likewise
  std::uintptr_t default_stream_number;
  // What a version wrote, in CUDA's words.
  void (*translate)(cudaPointerAttributes&, int version);
  void (*write_uuid)(const cudaDeviceProp&, int version, char (&text)[64]);
  AddressOf* address_of = address_of_symbol;
  const char* meaning = "";              // of the backend, where it is not what the vocabulary says
  const char* folder = "";               // where a toolkit is by custom
  bool objects_outlive_launches = true;  // whether the user objects of a graph stay until what was launched is done
  bool free_waits = false;               // whether it is documented that a free waits for the device
  bool tells_of_host_access =
      false;  // whether what it says of managed memory holds for DEVICE memory of a device that uses the host's, too

  constexpr int major(int version) const noexcept { return version / per_major; }
  constexpr int minor(int version) const noexcept { return version % per_major / per_minor; }
  constexpr const char* symbol_of(std::string_view routine, int version) const noexcept { return symbol_in(entries, routine, version); }
  constexpr bool has_symbol(std::string_view symbol, int version) const noexcept { return has_symbol_in(entries, symbol, version); }
  constexpr cudaDeviceAttr attribute(cudaDeviceAttr asked) const noexcept {
    for (const AttributeNumber& row : attributes) {
      if (row.attribute == asked) return static_cast<cudaDeviceAttr>(row.number);
    }
    return asked;
  }
  template <const unsigned& asked>
  constexpr unsigned flag(int version) const noexcept {
    for (const FlagValue& row : flags) {
      if (row.flag == &asked && is_in(row, version)) return row.value;
    }
    return asked;
  }
  cudaStream_t default_stream() const noexcept { return reinterpret_cast<cudaStream_t>(default_stream_number); }
};

// As nvidia-smi writes it.
inline void write_uuid(const cudaDeviceProp& device, int, char (&text)[64]) noexcept {
  std::size_t used = static_cast<std::size_t>(std::snprintf(text, sizeof text, "GPU"));
  for (std::size_t i = 0; i < sizeof device.uuid.bytes; ++i) {
    const bool begins_group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    used += static_cast<std::size_t>(std::snprintf(text + used, sizeof text - used, "%s%02x", begins_group ? "-" : "",
                                                   static_cast<unsigned char>(device.uuid.bytes[i])));
  }
}

inline constexpr Dialect dialect{.backend = CADASTRE_BACKEND_CUDA,
                                 .name = "CUDA",
                                 .vendor = "NVIDIA",
                                 .kind = "runtime",
                                 .variable = "CADASTRE_CUDA_LIBRARY",
                                 .why_no_device = "CUDA_VISIBLE_DEVICES can hide them",
                                 .managed_attribute = "cudaDevAttrManagedMemory",
                                 .libraries = runtime_names,
                                 .oldest = oldest_version,
                                 .first_after = first_version_after,
                                 .per_major = 1000,
                                 .per_minor = 10,
                                 .entries = entries,
                                 .attributes = {},
                                 .flags = {},
                                 .default_stream_number = 1,
                                 .translate = [](cudaPointerAttributes&, int) {},
                                 .write_uuid = write_uuid};

}  // namespace cadastre::cuda_api

#endif
