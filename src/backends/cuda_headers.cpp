// Tangled from org/backends/cuda_headers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "cuda_api.hpp"

namespace cadastre {
using our_cudaRuntimeGetVersion = cuda_api::signature::cudaRuntimeGetVersion;
using our_cudaDriverGetVersion = cuda_api::signature::cudaDriverGetVersion;
using our_cudaGetErrorString = cuda_api::signature::cudaGetErrorString;
using our_cudaGetErrorName = cuda_api::signature::cudaGetErrorName;
using our_cudaGetLastError = cuda_api::signature::cudaGetLastError;
using our_cudaPeekAtLastError = cuda_api::signature::cudaPeekAtLastError;
using our_cudaGetDeviceCount = cuda_api::signature::cudaGetDeviceCount;
using our_cudaGetDeviceProperties = cuda_api::signature::cudaGetDeviceProperties;
using our_cudaDeviceGetAttribute = cuda_api::signature::cudaDeviceGetAttribute;
using our_cudaDeviceCanAccessPeer = cuda_api::signature::cudaDeviceCanAccessPeer;
using our_cudaDeviceReset = cuda_api::signature::cudaDeviceReset;
using our_cudaDeviceSynchronize = cuda_api::signature::cudaDeviceSynchronize;
using our_cudaMemGetInfo = cuda_api::signature::cudaMemGetInfo;
using our_cudaGetDevice = cuda_api::signature::cudaGetDevice;
using our_cudaSetDevice = cuda_api::signature::cudaSetDevice;
using our_cudaStreamCreate = cuda_api::signature::cudaStreamCreate;
using our_cudaStreamCreateWithFlags = cuda_api::signature::cudaStreamCreateWithFlags;
using our_cudaStreamDestroy = cuda_api::signature::cudaStreamDestroy;
using our_cudaStreamSynchronize = cuda_api::signature::cudaStreamSynchronize;
using our_cudaStreamQuery = cuda_api::signature::cudaStreamQuery;
using our_cudaStreamWaitEvent = cuda_api::signature::cudaStreamWaitEvent;
using our_cudaStreamGetId = cuda_api::signature::cudaStreamGetId;
using our_cudaStreamIsCapturing = cuda_api::signature::cudaStreamIsCapturing;
using our_cudaStreamBeginCapture = cuda_api::signature::cudaStreamBeginCapture;
using our_cudaStreamEndCapture = cuda_api::signature::cudaStreamEndCapture;
using our_cudaStreamGetCaptureInfo = cuda_api::signature::cudaStreamGetCaptureInfo;
using our_cudaStreamGetCaptureInfo_12 = cuda_api::signature::cudaStreamGetCaptureInfo_12;
using our_cudaThreadExchangeStreamCaptureMode = cuda_api::signature::cudaThreadExchangeStreamCaptureMode;
using our_cudaEventCreate = cuda_api::signature::cudaEventCreate;
using our_cudaEventCreateWithFlags = cuda_api::signature::cudaEventCreateWithFlags;
using our_cudaEventRecord = cuda_api::signature::cudaEventRecord;
using our_cudaEventQuery = cuda_api::signature::cudaEventQuery;
using our_cudaEventSynchronize = cuda_api::signature::cudaEventSynchronize;
using our_cudaEventElapsedTime = cuda_api::signature::cudaEventElapsedTime;
using our_cudaEventDestroy = cuda_api::signature::cudaEventDestroy;
using our_cudaLaunchHostFunc = cuda_api::signature::cudaLaunchHostFunc;
using our_cudaMalloc = cuda_api::signature::cudaMalloc;
using our_cudaFree = cuda_api::signature::cudaFree;
using our_cudaMallocHost = cuda_api::signature::cudaMallocHost;
using our_cudaHostAlloc = cuda_api::signature::cudaHostAlloc;
using our_cudaFreeHost = cuda_api::signature::cudaFreeHost;
using our_cudaHostRegister = cuda_api::signature::cudaHostRegister;
using our_cudaHostUnregister = cuda_api::signature::cudaHostUnregister;
using our_cudaMallocManaged = cuda_api::signature::cudaMallocManaged;
using our_cudaMallocAsync = cuda_api::signature::cudaMallocAsync;
using our_cudaFreeAsync = cuda_api::signature::cudaFreeAsync;
using our_cudaMallocFromPoolAsync = cuda_api::signature::cudaMallocFromPoolAsync;
using our_cudaDeviceGetDefaultMemPool = cuda_api::signature::cudaDeviceGetDefaultMemPool;
using our_cudaMemPoolCreate = cuda_api::signature::cudaMemPoolCreate;
using our_cudaMemPoolDestroy = cuda_api::signature::cudaMemPoolDestroy;
using our_cudaMemPoolTrimTo = cuda_api::signature::cudaMemPoolTrimTo;
using our_cudaMemPoolSetAttribute = cuda_api::signature::cudaMemPoolSetAttribute;
using our_cudaMemPoolGetAttribute = cuda_api::signature::cudaMemPoolGetAttribute;
using our_cudaMemcpy = cuda_api::signature::cudaMemcpy;
using our_cudaMemcpyAsync = cuda_api::signature::cudaMemcpyAsync;
using our_cudaMemcpy2D = cuda_api::signature::cudaMemcpy2D;
using our_cudaMemcpy2DAsync = cuda_api::signature::cudaMemcpy2DAsync;
using our_cudaMemcpyPeer = cuda_api::signature::cudaMemcpyPeer;
using our_cudaMemcpyPeerAsync = cuda_api::signature::cudaMemcpyPeerAsync;
using our_cudaMemset = cuda_api::signature::cudaMemset;
using our_cudaMemsetAsync = cuda_api::signature::cudaMemsetAsync;
using our_cudaMemset2DAsync = cuda_api::signature::cudaMemset2DAsync;
using our_cudaMemPrefetchAsync = cuda_api::signature::cudaMemPrefetchAsync;
using our_cudaMemPrefetchAsync_12 = cuda_api::signature::cudaMemPrefetchAsync_12;
using our_cudaMemAdvise = cuda_api::signature::cudaMemAdvise;
using our_cudaMemAdvise_12 = cuda_api::signature::cudaMemAdvise_12;
using our_cudaPointerGetAttributes = cuda_api::signature::cudaPointerGetAttributes;
using our_cudaGraphInstantiateWithFlags = cuda_api::signature::cudaGraphInstantiateWithFlags;
using our_cudaGraphLaunch = cuda_api::signature::cudaGraphLaunch;
using our_cudaGraphDestroy = cuda_api::signature::cudaGraphDestroy;
using our_cudaGraphExecDestroy = cuda_api::signature::cudaGraphExecDestroy;
using our_cudaGraphClone = cuda_api::signature::cudaGraphClone;
using our_cudaUserObjectCreate = cuda_api::signature::cudaUserObjectCreate;
using our_cudaUserObjectRelease = cuda_api::signature::cudaUserObjectRelease;
using our_cudaGraphRetainUserObject = cuda_api::signature::cudaGraphRetainUserObject;
using our_cudaIpcGetMemHandle = cuda_api::signature::cudaIpcGetMemHandle;
using our_cudaIpcOpenMemHandle = cuda_api::signature::cudaIpcOpenMemHandle;
using our_cudaIpcCloseMemHandle = cuda_api::signature::cudaIpcCloseMemHandle;
}  // namespace cadastre

#include <cuda_runtime_api.h>

#define QUOTED(name) #name
#define TEXT_OF(name) std::string_view(QUOTED(name))

namespace cadastre {
namespace {

using cuda_api::size_in;

static_assert(cuda_api::oldest_version <= CUDART_VERSION && CUDART_VERSION < cuda_api::first_version_after);

// The type of ours that stands for one of theirs.
template <class Theirs>
struct Ours {
  using Type = Theirs;
};
template <class Theirs>
using OursOf = typename Ours<Theirs>::Type;
template <class Theirs>
struct Ours<Theirs*> {
  using Type = OursOf<Theirs>*;
};
template <class Theirs>
struct Ours<const Theirs> {
  using Type = const OursOf<Theirs>;
};
template <class Result, class... Arguments>
struct Ours<Result(Arguments...)> {
  using Type = OursOf<Result>(OursOf<Arguments>...);
};
template <>
struct Ours<::cudaStream_t> {
  using Type = cuda_api::cudaStream_t;
};
template <>
struct Ours<::cudaEvent_t> {
  using Type = cuda_api::cudaEvent_t;
};
template <>
struct Ours<::cudaGraph_t> {
  using Type = cuda_api::cudaGraph_t;
};
template <>
struct Ours<::cudaGraphExec_t> {
  using Type = cuda_api::cudaGraphExec_t;
};
template <>
struct Ours<::cudaGraphNode_t> {
  using Type = cuda_api::cudaGraphNode_t;
};
template <>
struct Ours<::cudaMemPool_t> {
  using Type = cuda_api::cudaMemPool_t;
};
template <>
struct Ours<::cudaError_t> {
  using Type = cuda_api::cudaError_t;
};
template <>
struct Ours<::cudaDeviceAttr> {
  using Type = cuda_api::cudaDeviceAttr;
};
template <>
struct Ours<::cudaMemcpyKind> {
  using Type = cuda_api::cudaMemcpyKind;
};
template <>
struct Ours<::cudaMemoryAdvise> {
  using Type = cuda_api::cudaMemoryAdvise;
};
template <>
struct Ours<::cudaMemoryType> {
  using Type = cuda_api::cudaMemoryType;
};
template <>
struct Ours<::cudaMemLocationType> {
  using Type = cuda_api::cudaMemLocationType;
};
template <>
struct Ours<::cudaMemAllocationType> {
  using Type = cuda_api::cudaMemAllocationType;
};
template <>
struct Ours<::cudaMemAllocationHandleType> {
  using Type = cuda_api::cudaMemAllocationHandleType;
};
template <>
struct Ours<::cudaMemPoolAttr> {
  using Type = cuda_api::cudaMemPoolAttr;
};
template <>
struct Ours<::cudaStreamCaptureStatus> {
  using Type = cuda_api::cudaStreamCaptureStatus;
};
template <>
struct Ours<::cudaStreamCaptureMode> {
  using Type = cuda_api::cudaStreamCaptureMode;
};
template <>
struct Ours<::cudaUUID_t> {
  using Type = cuda_api::cudaUUID_t;
};
template <>
struct Ours<::cudaDeviceProp> {
  using Type = cuda_api::cudaDeviceProp;
};
template <>
struct Ours<::cudaPointerAttributes> {
  using Type = cuda_api::cudaPointerAttributes;
};
template <>
struct Ours<::cudaMemLocation> {
  using Type = cuda_api::cudaMemLocation;
};
template <>
struct Ours<::cudaMemPoolProps> {
  using Type = cuda_api::cudaMemPoolProps;
};
template <>
struct Ours<::cudaIpcMemHandle_t> {
  using Type = cuda_api::cudaIpcMemHandle_t;
};
#if CUDART_VERSION >= 11030
template <>
struct Ours<::cudaUserObject_t> {
  using Type = cuda_api::cudaUserObject_t;
};
#endif
#if CUDART_VERSION >= 12030
template <>
struct Ours<::cudaGraphEdgeData> {
  using Type = cuda_api::cudaGraphEdgeData;
};
#endif
static_assert(sizeof(::cudaError_t) == sizeof(cuda_api::cudaError_t));
static_assert(sizeof(::cudaDeviceAttr) == sizeof(cuda_api::cudaDeviceAttr));
static_assert(sizeof(::cudaMemcpyKind) == sizeof(cuda_api::cudaMemcpyKind));
static_assert(sizeof(::cudaMemoryAdvise) == sizeof(cuda_api::cudaMemoryAdvise));
static_assert(sizeof(::cudaMemoryType) == sizeof(cuda_api::cudaMemoryType));
static_assert(sizeof(::cudaMemLocationType) == sizeof(cuda_api::cudaMemLocationType));
static_assert(sizeof(::cudaMemAllocationType) == sizeof(cuda_api::cudaMemAllocationType));
static_assert(sizeof(::cudaMemAllocationHandleType) == sizeof(cuda_api::cudaMemAllocationHandleType));
static_assert(sizeof(::cudaMemPoolAttr) == sizeof(cuda_api::cudaMemPoolAttr));
static_assert(sizeof(::cudaStreamCaptureStatus) == sizeof(cuda_api::cudaStreamCaptureStatus));
static_assert(sizeof(::cudaStreamCaptureMode) == sizeof(cuda_api::cudaStreamCaptureMode));

static_assert(static_cast<long long>(cudaSuccess) == 0);
static_assert(static_cast<long long>(cudaErrorInvalidValue) == 1);
static_assert(static_cast<long long>(cudaErrorMemoryAllocation) == 2);
static_assert(static_cast<long long>(cudaErrorInitializationError) == 3);
static_assert(static_cast<long long>(cudaErrorCudartUnloading) == 4);
static_assert(static_cast<long long>(cudaErrorInvalidPitchValue) == 12);
static_assert(static_cast<long long>(cudaErrorInvalidMemcpyDirection) == 21);
static_assert(static_cast<long long>(cudaErrorInsufficientDriver) == 35);
static_assert(static_cast<long long>(cudaErrorNoDevice) == 100);
static_assert(static_cast<long long>(cudaErrorInvalidDevice) == 101);
static_assert(static_cast<long long>(cudaErrorDeviceUninitialized) == 201);
static_assert(static_cast<long long>(cudaErrorInvalidResourceHandle) == 400);
static_assert(static_cast<long long>(cudaErrorIllegalState) == 401);
static_assert(static_cast<long long>(cudaErrorNotReady) == 600);
static_assert(static_cast<long long>(cudaErrorIllegalAddress) == 700);
static_assert(static_cast<long long>(cudaErrorContextIsDestroyed) == 709);
static_assert(static_cast<long long>(cudaErrorHostMemoryAlreadyRegistered) == 712);
static_assert(static_cast<long long>(cudaErrorHostMemoryNotRegistered) == 713);
static_assert(static_cast<long long>(cudaErrorNotPermitted) == 800);
static_assert(static_cast<long long>(cudaErrorNotSupported) == 801);
static_assert(static_cast<long long>(cudaErrorStreamCaptureUnsupported) == 900);
static_assert(static_cast<long long>(cudaErrorStreamCaptureInvalidated) == 901);
static_assert(static_cast<long long>(cudaErrorStreamCaptureMerge) == 902);
static_assert(static_cast<long long>(cudaErrorStreamCaptureUnmatched) == 903);
static_assert(static_cast<long long>(cudaErrorStreamCaptureUnjoined) == 904);
static_assert(static_cast<long long>(cudaErrorStreamCaptureIsolation) == 905);
static_assert(static_cast<long long>(cudaErrorStreamCaptureImplicit) == 906);
static_assert(static_cast<long long>(cudaErrorCapturedEvent) == 907);
static_assert(static_cast<long long>(cudaErrorStreamCaptureWrongThread) == 908);
static_assert(static_cast<long long>(cudaErrorUnknown) == 999);
static_assert(static_cast<long long>(cudaDevAttrTextureAlignment) == 14);
static_assert(static_cast<long long>(cudaDevAttrMultiProcessorCount) == 16);
static_assert(static_cast<long long>(cudaDevAttrIntegrated) == 18);
static_assert(static_cast<long long>(cudaDevAttrCanMapHostMemory) == 19);
static_assert(static_cast<long long>(cudaDevAttrUnifiedAddressing) == 41);
static_assert(static_cast<long long>(cudaDevAttrComputeCapabilityMajor) == 75);
static_assert(static_cast<long long>(cudaDevAttrManagedMemory) == 83);
static_assert(static_cast<long long>(cudaDevAttrPageableMemoryAccess) == 88);
static_assert(static_cast<long long>(cudaDevAttrConcurrentManagedAccess) == 89);
static_assert(static_cast<long long>(cudaDevAttrHostRegisterSupported) == 99);
static_assert(static_cast<long long>(cudaDevAttrPageableMemoryAccessUsesHostPageTables) == 100);
static_assert(static_cast<long long>(cudaDevAttrDirectManagedMemAccessFromHost) == 101);
static_assert(static_cast<long long>(cudaDevAttrMemoryPoolsSupported) == 115);
static_assert(static_cast<long long>(cudaMemcpyHostToHost) == 0);
static_assert(static_cast<long long>(cudaMemcpyHostToDevice) == 1);
static_assert(static_cast<long long>(cudaMemcpyDeviceToHost) == 2);
static_assert(static_cast<long long>(cudaMemcpyDeviceToDevice) == 3);
static_assert(static_cast<long long>(cudaMemcpyDefault) == 4);
static_assert(static_cast<long long>(cudaMemAdviseSetReadMostly) == 1);
static_assert(static_cast<long long>(cudaMemAdviseUnsetReadMostly) == 2);
static_assert(static_cast<long long>(cudaMemAdviseSetPreferredLocation) == 3);
static_assert(static_cast<long long>(cudaMemAdviseUnsetPreferredLocation) == 4);
static_assert(static_cast<long long>(cudaMemAdviseSetAccessedBy) == 5);
static_assert(static_cast<long long>(cudaMemAdviseUnsetAccessedBy) == 6);
static_assert(static_cast<long long>(cudaMemoryTypeUnregistered) == 0);
static_assert(static_cast<long long>(cudaMemoryTypeHost) == 1);
static_assert(static_cast<long long>(cudaMemoryTypeDevice) == 2);
static_assert(static_cast<long long>(cudaMemoryTypeManaged) == 3);
static_assert(static_cast<long long>(cudaMemLocationTypeInvalid) == 0);
static_assert(static_cast<long long>(cudaMemLocationTypeDevice) == 1);
#if CUDART_VERSION >= 12020
static_assert(static_cast<long long>(cudaMemLocationTypeHost) == 2);
#endif
static_assert(static_cast<long long>(cudaMemAllocationTypePinned) == 1);
static_assert(static_cast<long long>(cudaMemHandleTypeNone) == 0);
static_assert(static_cast<long long>(cudaMemPoolReuseFollowEventDependencies) == 1);
static_assert(static_cast<long long>(cudaMemPoolReuseAllowOpportunistic) == 2);
static_assert(static_cast<long long>(cudaMemPoolReuseAllowInternalDependencies) == 3);
static_assert(static_cast<long long>(cudaMemPoolAttrReleaseThreshold) == 4);
static_assert(static_cast<long long>(cudaMemPoolAttrReservedMemCurrent) == 5);
static_assert(static_cast<long long>(cudaMemPoolAttrReservedMemHigh) == 6);
static_assert(static_cast<long long>(cudaMemPoolAttrUsedMemCurrent) == 7);
static_assert(static_cast<long long>(cudaMemPoolAttrUsedMemHigh) == 8);
static_assert(static_cast<long long>(cudaStreamCaptureStatusNone) == 0);
static_assert(static_cast<long long>(cudaStreamCaptureStatusActive) == 1);
static_assert(static_cast<long long>(cudaStreamCaptureStatusInvalidated) == 2);
static_assert(static_cast<long long>(cudaStreamCaptureModeGlobal) == 0);
static_assert(static_cast<long long>(cudaStreamCaptureModeThreadLocal) == 1);
static_assert(static_cast<long long>(cudaStreamCaptureModeRelaxed) == 2);
static_assert(static_cast<long long>(cudaCpuDeviceId) == -1);
static_assert(static_cast<long long>(cudaInvalidDeviceId) == -2);
static_assert(static_cast<long long>(cudaStreamDefault) == 0);
static_assert(static_cast<long long>(cudaStreamNonBlocking) == 1);
static_assert(static_cast<long long>(cudaEventDefault) == 0);
static_assert(static_cast<long long>(cudaEventBlockingSync) == 1);
static_assert(static_cast<long long>(cudaEventDisableTiming) == 2);
static_assert(static_cast<long long>(cudaEventInterprocess) == 4);
static_assert(static_cast<long long>(cudaHostAllocDefault) == 0);
static_assert(static_cast<long long>(cudaHostAllocPortable) == 1);
static_assert(static_cast<long long>(cudaHostAllocMapped) == 2);
static_assert(static_cast<long long>(cudaHostAllocWriteCombined) == 4);
static_assert(static_cast<long long>(cudaHostRegisterDefault) == 0);
static_assert(static_cast<long long>(cudaMemAttachGlobal) == 1);
static_assert(static_cast<long long>(cudaMemAttachHost) == 2);
static_assert(static_cast<long long>(cudaIpcMemLazyEnablePeerAccess) == 1);
#if CUDART_VERSION >= 11030
static_assert(static_cast<long long>(cudaUserObjectNoDestructorSync) == 1);
#endif
#if CUDART_VERSION >= 11030
static_assert(static_cast<long long>(cudaGraphUserObjectMove) == 1);
#endif
static_assert(sizeof(::cudaUUID_t) == size_in<cuda_api::cudaUUID_t>(CUDART_VERSION));
static_assert(sizeof(::cudaDeviceProp) == size_in<cuda_api::cudaDeviceProp>(CUDART_VERSION));
static_assert(sizeof(::cudaPointerAttributes) == size_in<cuda_api::cudaPointerAttributes>(CUDART_VERSION));
static_assert(sizeof(::cudaMemLocation) == size_in<cuda_api::cudaMemLocation>(CUDART_VERSION));
static_assert(sizeof(::cudaMemPoolProps) == size_in<cuda_api::cudaMemPoolProps>(CUDART_VERSION));
static_assert(sizeof(::cudaIpcMemHandle_t) == size_in<cuda_api::cudaIpcMemHandle_t>(CUDART_VERSION));
static_assert(offsetof(::cudaDeviceProp, name) == 0);
static_assert(offsetof(::cudaDeviceProp, uuid) == 256);
static_assert(offsetof(::cudaDeviceProp, totalGlobalMem) == 288);
static_assert(offsetof(::cudaPointerAttributes, type) == 0);
static_assert(offsetof(::cudaPointerAttributes, device) == 4);
static_assert(offsetof(::cudaPointerAttributes, devicePointer) == 8);
static_assert(offsetof(::cudaPointerAttributes, hostPointer) == 16);
static_assert(offsetof(::cudaMemLocation, type) == 0);
static_assert(offsetof(::cudaMemLocation, id) == 4);
static_assert(offsetof(::cudaMemPoolProps, allocType) == 0);
static_assert(offsetof(::cudaMemPoolProps, handleTypes) == 4);
static_assert(offsetof(::cudaMemPoolProps, location) == 8);
static_assert(offsetof(::cudaMemPoolProps, win32SecurityAttributes) == 16);
static_assert(std::is_same_v<OursOf<decltype(cudaRuntimeGetVersion)>, our_cudaRuntimeGetVersion>);
static_assert(TEXT_OF(cudaRuntimeGetVersion) == std::string_view("cudaRuntimeGetVersion"));
static_assert(std::is_same_v<OursOf<decltype(cudaDriverGetVersion)>, our_cudaDriverGetVersion>);
static_assert(TEXT_OF(cudaDriverGetVersion) == std::string_view("cudaDriverGetVersion"));
static_assert(std::is_same_v<OursOf<decltype(cudaGetErrorString)>, our_cudaGetErrorString>);
static_assert(TEXT_OF(cudaGetErrorString) == std::string_view("cudaGetErrorString"));
static_assert(std::is_same_v<OursOf<decltype(cudaGetErrorName)>, our_cudaGetErrorName>);
static_assert(TEXT_OF(cudaGetErrorName) == std::string_view("cudaGetErrorName"));
static_assert(std::is_same_v<OursOf<decltype(cudaGetLastError)>, our_cudaGetLastError>);
static_assert(TEXT_OF(cudaGetLastError) == std::string_view("cudaGetLastError"));
static_assert(std::is_same_v<OursOf<decltype(cudaPeekAtLastError)>, our_cudaPeekAtLastError>);
static_assert(TEXT_OF(cudaPeekAtLastError) == std::string_view("cudaPeekAtLastError"));
static_assert(std::is_same_v<OursOf<decltype(cudaGetDeviceCount)>, our_cudaGetDeviceCount>);
static_assert(TEXT_OF(cudaGetDeviceCount) == std::string_view("cudaGetDeviceCount"));
#if CUDART_VERSION < 12000
static_assert(std::is_same_v<OursOf<decltype(cudaGetDeviceProperties)>, our_cudaGetDeviceProperties>);
#endif
#if CUDART_VERSION < 12000
static_assert(TEXT_OF(cudaGetDeviceProperties) == std::string_view("cudaGetDeviceProperties"));
#endif
#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000
static_assert(std::is_same_v<OursOf<decltype(cudaGetDeviceProperties)>, our_cudaGetDeviceProperties>);
#endif
#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000
static_assert(TEXT_OF(cudaGetDeviceProperties) == std::string_view("cudaGetDeviceProperties_v2"));
#endif
#if CUDART_VERSION >= 13000
static_assert(std::is_same_v<OursOf<decltype(cudaGetDeviceProperties)>, our_cudaGetDeviceProperties>);
#endif
#if CUDART_VERSION >= 13000
static_assert(TEXT_OF(cudaGetDeviceProperties) == std::string_view("cudaGetDeviceProperties"));
#endif
static_assert(std::is_same_v<OursOf<decltype(cudaDeviceGetAttribute)>, our_cudaDeviceGetAttribute>);
static_assert(TEXT_OF(cudaDeviceGetAttribute) == std::string_view("cudaDeviceGetAttribute"));
static_assert(std::is_same_v<OursOf<decltype(cudaDeviceCanAccessPeer)>, our_cudaDeviceCanAccessPeer>);
static_assert(TEXT_OF(cudaDeviceCanAccessPeer) == std::string_view("cudaDeviceCanAccessPeer"));
static_assert(std::is_same_v<OursOf<decltype(cudaDeviceReset)>, our_cudaDeviceReset>);
static_assert(TEXT_OF(cudaDeviceReset) == std::string_view("cudaDeviceReset"));
static_assert(std::is_same_v<OursOf<decltype(cudaDeviceSynchronize)>, our_cudaDeviceSynchronize>);
static_assert(TEXT_OF(cudaDeviceSynchronize) == std::string_view("cudaDeviceSynchronize"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemGetInfo)>, our_cudaMemGetInfo>);
static_assert(TEXT_OF(cudaMemGetInfo) == std::string_view("cudaMemGetInfo"));
static_assert(std::is_same_v<OursOf<decltype(cudaGetDevice)>, our_cudaGetDevice>);
static_assert(TEXT_OF(cudaGetDevice) == std::string_view("cudaGetDevice"));
static_assert(std::is_same_v<OursOf<decltype(cudaSetDevice)>, our_cudaSetDevice>);
static_assert(TEXT_OF(cudaSetDevice) == std::string_view("cudaSetDevice"));
static_assert(std::is_same_v<OursOf<decltype(cudaStreamCreate)>, our_cudaStreamCreate>);
static_assert(TEXT_OF(cudaStreamCreate) == std::string_view("cudaStreamCreate"));
static_assert(std::is_same_v<OursOf<decltype(cudaStreamCreateWithFlags)>, our_cudaStreamCreateWithFlags>);
static_assert(TEXT_OF(cudaStreamCreateWithFlags) == std::string_view("cudaStreamCreateWithFlags"));
static_assert(std::is_same_v<OursOf<decltype(cudaStreamDestroy)>, our_cudaStreamDestroy>);
static_assert(TEXT_OF(cudaStreamDestroy) == std::string_view("cudaStreamDestroy"));
static_assert(std::is_same_v<OursOf<decltype(cudaStreamSynchronize)>, our_cudaStreamSynchronize>);
static_assert(TEXT_OF(cudaStreamSynchronize) == std::string_view("cudaStreamSynchronize"));
static_assert(std::is_same_v<OursOf<decltype(cudaStreamQuery)>, our_cudaStreamQuery>);
static_assert(TEXT_OF(cudaStreamQuery) == std::string_view("cudaStreamQuery"));
static_assert(std::is_same_v<OursOf<decltype(cudaStreamWaitEvent)>, our_cudaStreamWaitEvent>);
static_assert(TEXT_OF(cudaStreamWaitEvent) == std::string_view("cudaStreamWaitEvent"));
#if CUDART_VERSION >= 12000
static_assert(std::is_same_v<OursOf<decltype(cudaStreamGetId)>, our_cudaStreamGetId>);
#endif
#if CUDART_VERSION >= 12000
static_assert(TEXT_OF(cudaStreamGetId) == std::string_view("cudaStreamGetId"));
#endif
static_assert(std::is_same_v<OursOf<decltype(cudaStreamIsCapturing)>, our_cudaStreamIsCapturing>);
static_assert(TEXT_OF(cudaStreamIsCapturing) == std::string_view("cudaStreamIsCapturing"));
static_assert(std::is_same_v<OursOf<decltype(cudaStreamBeginCapture)>, our_cudaStreamBeginCapture>);
static_assert(TEXT_OF(cudaStreamBeginCapture) == std::string_view("cudaStreamBeginCapture"));
static_assert(std::is_same_v<OursOf<decltype(cudaStreamEndCapture)>, our_cudaStreamEndCapture>);
static_assert(TEXT_OF(cudaStreamEndCapture) == std::string_view("cudaStreamEndCapture"));
#if CUDART_VERSION >= 13000
static_assert(std::is_same_v<OursOf<decltype(cudaStreamGetCaptureInfo)>, our_cudaStreamGetCaptureInfo>);
#endif
#if CUDART_VERSION >= 13000
static_assert(TEXT_OF(cudaStreamGetCaptureInfo) == std::string_view("cudaStreamGetCaptureInfo"));
#endif
#if CUDART_VERSION >= 11030 && CUDART_VERSION < 12000
static_assert(std::is_same_v<OursOf<decltype(cudaStreamGetCaptureInfo_v2)>, our_cudaStreamGetCaptureInfo_12>);
#endif
#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000
static_assert(std::is_same_v<OursOf<decltype(cudaStreamGetCaptureInfo)>, our_cudaStreamGetCaptureInfo_12>);
#endif
#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000
static_assert(TEXT_OF(cudaStreamGetCaptureInfo) == std::string_view("cudaStreamGetCaptureInfo_v2"));
#endif
static_assert(std::is_same_v<OursOf<decltype(cudaThreadExchangeStreamCaptureMode)>, our_cudaThreadExchangeStreamCaptureMode>);
static_assert(TEXT_OF(cudaThreadExchangeStreamCaptureMode) == std::string_view("cudaThreadExchangeStreamCaptureMode"));
static_assert(std::is_same_v<OursOf<decltype(cudaEventCreate)>, our_cudaEventCreate>);
static_assert(TEXT_OF(cudaEventCreate) == std::string_view("cudaEventCreate"));
static_assert(std::is_same_v<OursOf<decltype(cudaEventCreateWithFlags)>, our_cudaEventCreateWithFlags>);
static_assert(TEXT_OF(cudaEventCreateWithFlags) == std::string_view("cudaEventCreateWithFlags"));
static_assert(std::is_same_v<OursOf<decltype(cudaEventRecord)>, our_cudaEventRecord>);
static_assert(TEXT_OF(cudaEventRecord) == std::string_view("cudaEventRecord"));
static_assert(std::is_same_v<OursOf<decltype(cudaEventQuery)>, our_cudaEventQuery>);
static_assert(TEXT_OF(cudaEventQuery) == std::string_view("cudaEventQuery"));
static_assert(std::is_same_v<OursOf<decltype(cudaEventSynchronize)>, our_cudaEventSynchronize>);
static_assert(TEXT_OF(cudaEventSynchronize) == std::string_view("cudaEventSynchronize"));
static_assert(std::is_same_v<OursOf<decltype(cudaEventElapsedTime)>, our_cudaEventElapsedTime>);
static_assert(TEXT_OF(cudaEventElapsedTime) == std::string_view("cudaEventElapsedTime"));
static_assert(std::is_same_v<OursOf<decltype(cudaEventDestroy)>, our_cudaEventDestroy>);
static_assert(TEXT_OF(cudaEventDestroy) == std::string_view("cudaEventDestroy"));
static_assert(std::is_same_v<OursOf<decltype(cudaLaunchHostFunc)>, our_cudaLaunchHostFunc>);
static_assert(TEXT_OF(cudaLaunchHostFunc) == std::string_view("cudaLaunchHostFunc"));
static_assert(std::is_same_v<OursOf<decltype(cudaMalloc)>, our_cudaMalloc>);
static_assert(TEXT_OF(cudaMalloc) == std::string_view("cudaMalloc"));
static_assert(std::is_same_v<OursOf<decltype(cudaFree)>, our_cudaFree>);
static_assert(TEXT_OF(cudaFree) == std::string_view("cudaFree"));
static_assert(std::is_same_v<OursOf<decltype(cudaMallocHost)>, our_cudaMallocHost>);
static_assert(TEXT_OF(cudaMallocHost) == std::string_view("cudaMallocHost"));
static_assert(std::is_same_v<OursOf<decltype(cudaHostAlloc)>, our_cudaHostAlloc>);
static_assert(TEXT_OF(cudaHostAlloc) == std::string_view("cudaHostAlloc"));
static_assert(std::is_same_v<OursOf<decltype(cudaFreeHost)>, our_cudaFreeHost>);
static_assert(TEXT_OF(cudaFreeHost) == std::string_view("cudaFreeHost"));
static_assert(std::is_same_v<OursOf<decltype(cudaHostRegister)>, our_cudaHostRegister>);
static_assert(TEXT_OF(cudaHostRegister) == std::string_view("cudaHostRegister"));
static_assert(std::is_same_v<OursOf<decltype(cudaHostUnregister)>, our_cudaHostUnregister>);
static_assert(TEXT_OF(cudaHostUnregister) == std::string_view("cudaHostUnregister"));
static_assert(std::is_same_v<OursOf<decltype(cudaMallocManaged)>, our_cudaMallocManaged>);
static_assert(TEXT_OF(cudaMallocManaged) == std::string_view("cudaMallocManaged"));
static_assert(std::is_same_v<OursOf<decltype(cudaMallocAsync)>, our_cudaMallocAsync>);
static_assert(TEXT_OF(cudaMallocAsync) == std::string_view("cudaMallocAsync"));
static_assert(std::is_same_v<OursOf<decltype(cudaFreeAsync)>, our_cudaFreeAsync>);
static_assert(TEXT_OF(cudaFreeAsync) == std::string_view("cudaFreeAsync"));
static_assert(std::is_same_v<OursOf<decltype(cudaMallocFromPoolAsync)>, our_cudaMallocFromPoolAsync>);
static_assert(TEXT_OF(cudaMallocFromPoolAsync) == std::string_view("cudaMallocFromPoolAsync"));
static_assert(std::is_same_v<OursOf<decltype(cudaDeviceGetDefaultMemPool)>, our_cudaDeviceGetDefaultMemPool>);
static_assert(TEXT_OF(cudaDeviceGetDefaultMemPool) == std::string_view("cudaDeviceGetDefaultMemPool"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemPoolCreate)>, our_cudaMemPoolCreate>);
static_assert(TEXT_OF(cudaMemPoolCreate) == std::string_view("cudaMemPoolCreate"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemPoolDestroy)>, our_cudaMemPoolDestroy>);
static_assert(TEXT_OF(cudaMemPoolDestroy) == std::string_view("cudaMemPoolDestroy"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemPoolTrimTo)>, our_cudaMemPoolTrimTo>);
static_assert(TEXT_OF(cudaMemPoolTrimTo) == std::string_view("cudaMemPoolTrimTo"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemPoolSetAttribute)>, our_cudaMemPoolSetAttribute>);
static_assert(TEXT_OF(cudaMemPoolSetAttribute) == std::string_view("cudaMemPoolSetAttribute"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemPoolGetAttribute)>, our_cudaMemPoolGetAttribute>);
static_assert(TEXT_OF(cudaMemPoolGetAttribute) == std::string_view("cudaMemPoolGetAttribute"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemcpy)>, our_cudaMemcpy>);
static_assert(TEXT_OF(cudaMemcpy) == std::string_view("cudaMemcpy"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemcpyAsync)>, our_cudaMemcpyAsync>);
static_assert(TEXT_OF(cudaMemcpyAsync) == std::string_view("cudaMemcpyAsync"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemcpy2D)>, our_cudaMemcpy2D>);
static_assert(TEXT_OF(cudaMemcpy2D) == std::string_view("cudaMemcpy2D"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemcpy2DAsync)>, our_cudaMemcpy2DAsync>);
static_assert(TEXT_OF(cudaMemcpy2DAsync) == std::string_view("cudaMemcpy2DAsync"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemcpyPeer)>, our_cudaMemcpyPeer>);
static_assert(TEXT_OF(cudaMemcpyPeer) == std::string_view("cudaMemcpyPeer"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemcpyPeerAsync)>, our_cudaMemcpyPeerAsync>);
static_assert(TEXT_OF(cudaMemcpyPeerAsync) == std::string_view("cudaMemcpyPeerAsync"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemset)>, our_cudaMemset>);
static_assert(TEXT_OF(cudaMemset) == std::string_view("cudaMemset"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemsetAsync)>, our_cudaMemsetAsync>);
static_assert(TEXT_OF(cudaMemsetAsync) == std::string_view("cudaMemsetAsync"));
static_assert(std::is_same_v<OursOf<decltype(cudaMemset2DAsync)>, our_cudaMemset2DAsync>);
static_assert(TEXT_OF(cudaMemset2DAsync) == std::string_view("cudaMemset2DAsync"));
#if CUDART_VERSION >= 13000
static_assert(std::is_same_v<OursOf<decltype(cudaMemPrefetchAsync)>, our_cudaMemPrefetchAsync>);
#endif
#if CUDART_VERSION >= 13000
static_assert(TEXT_OF(cudaMemPrefetchAsync) == std::string_view("cudaMemPrefetchAsync"));
#endif
#if CUDART_VERSION < 13000
static_assert(std::is_same_v<OursOf<decltype(cudaMemPrefetchAsync)>, our_cudaMemPrefetchAsync_12>);
#endif
#if CUDART_VERSION < 13000
static_assert(TEXT_OF(cudaMemPrefetchAsync) == std::string_view("cudaMemPrefetchAsync"));
#endif
#if CUDART_VERSION >= 13000
static_assert(std::is_same_v<OursOf<decltype(cudaMemAdvise)>, our_cudaMemAdvise>);
#endif
#if CUDART_VERSION >= 13000
static_assert(TEXT_OF(cudaMemAdvise) == std::string_view("cudaMemAdvise"));
#endif
#if CUDART_VERSION < 13000
static_assert(std::is_same_v<OursOf<decltype(cudaMemAdvise)>, our_cudaMemAdvise_12>);
#endif
#if CUDART_VERSION < 13000
static_assert(TEXT_OF(cudaMemAdvise) == std::string_view("cudaMemAdvise"));
#endif
static_assert(std::is_same_v<OursOf<decltype(cudaPointerGetAttributes)>, our_cudaPointerGetAttributes>);
static_assert(TEXT_OF(cudaPointerGetAttributes) == std::string_view("cudaPointerGetAttributes"));
#if CUDART_VERSION >= 11040
static_assert(std::is_same_v<OursOf<decltype(cudaGraphInstantiateWithFlags)>, our_cudaGraphInstantiateWithFlags>);
#endif
#if CUDART_VERSION >= 11040
static_assert(TEXT_OF(cudaGraphInstantiateWithFlags) == std::string_view("cudaGraphInstantiateWithFlags"));
#endif
static_assert(std::is_same_v<OursOf<decltype(cudaGraphLaunch)>, our_cudaGraphLaunch>);
static_assert(TEXT_OF(cudaGraphLaunch) == std::string_view("cudaGraphLaunch"));
static_assert(std::is_same_v<OursOf<decltype(cudaGraphDestroy)>, our_cudaGraphDestroy>);
static_assert(TEXT_OF(cudaGraphDestroy) == std::string_view("cudaGraphDestroy"));
static_assert(std::is_same_v<OursOf<decltype(cudaGraphExecDestroy)>, our_cudaGraphExecDestroy>);
static_assert(TEXT_OF(cudaGraphExecDestroy) == std::string_view("cudaGraphExecDestroy"));
static_assert(std::is_same_v<OursOf<decltype(cudaGraphClone)>, our_cudaGraphClone>);
static_assert(TEXT_OF(cudaGraphClone) == std::string_view("cudaGraphClone"));
#if CUDART_VERSION >= 11030
static_assert(std::is_same_v<OursOf<decltype(cudaUserObjectCreate)>, our_cudaUserObjectCreate>);
#endif
#if CUDART_VERSION >= 11030
static_assert(TEXT_OF(cudaUserObjectCreate) == std::string_view("cudaUserObjectCreate"));
#endif
#if CUDART_VERSION >= 11030
static_assert(std::is_same_v<OursOf<decltype(cudaUserObjectRelease)>, our_cudaUserObjectRelease>);
#endif
#if CUDART_VERSION >= 11030
static_assert(TEXT_OF(cudaUserObjectRelease) == std::string_view("cudaUserObjectRelease"));
#endif
#if CUDART_VERSION >= 11030
static_assert(std::is_same_v<OursOf<decltype(cudaGraphRetainUserObject)>, our_cudaGraphRetainUserObject>);
#endif
#if CUDART_VERSION >= 11030
static_assert(TEXT_OF(cudaGraphRetainUserObject) == std::string_view("cudaGraphRetainUserObject"));
#endif
static_assert(std::is_same_v<OursOf<decltype(cudaIpcGetMemHandle)>, our_cudaIpcGetMemHandle>);
static_assert(TEXT_OF(cudaIpcGetMemHandle) == std::string_view("cudaIpcGetMemHandle"));
static_assert(std::is_same_v<OursOf<decltype(cudaIpcOpenMemHandle)>, our_cudaIpcOpenMemHandle>);
static_assert(TEXT_OF(cudaIpcOpenMemHandle) == std::string_view("cudaIpcOpenMemHandle"));
static_assert(std::is_same_v<OursOf<decltype(cudaIpcCloseMemHandle)>, our_cudaIpcCloseMemHandle>);
static_assert(TEXT_OF(cudaIpcCloseMemHandle) == std::string_view("cudaIpcCloseMemHandle"));
static_assert(TEXT_OF(cudaStreamLegacy) == "((cudaStream_t)0x1)" && TEXT_OF(cudaStreamPerThread) == "((cudaStream_t)0x2)");

}  // namespace
}  // namespace cadastre
