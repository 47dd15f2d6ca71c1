// Tangled from org/backends/hip_api.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>

#include "cadastre.h"
#include "hip_api.hpp"

#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
#include <hip/hip_runtime_api.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace cadastre {
namespace {

using hip_api::size_in;

static_assert(hip_api::oldest_hip <= HIP_VERSION && HIP_VERSION < hip_api::first_hip_after);

// The vendor's type that stands for one of ours.
template <class Ours>
struct Theirs {
  using Type = Ours;
};
template <class Ours>
using TheirsOf = typename Theirs<Ours>::Type;
template <class Ours>
struct Theirs<Ours*> {
  using Type = TheirsOf<Ours>*;
};
template <class Ours>
struct Theirs<const Ours> {
  using Type = const TheirsOf<Ours>;
};
template <class Result, class... Arguments>
struct Theirs<Result(Arguments...)> {
  using Type = TheirsOf<Result>(TheirsOf<Arguments>...);
};
template <>
struct Theirs<cuda_api::cudaStream_t> {
  using Type = ::hipStream_t;
};
template <>
struct Theirs<cuda_api::cudaEvent_t> {
  using Type = ::hipEvent_t;
};
template <>
struct Theirs<cuda_api::cudaGraph_t> {
  using Type = ::hipGraph_t;
};
template <>
struct Theirs<cuda_api::cudaGraphExec_t> {
  using Type = ::hipGraphExec_t;
};
template <>
struct Theirs<cuda_api::cudaGraphNode_t> {
  using Type = ::hipGraphNode_t;
};
#if HIP_VERSION >= 50300000
template <>
struct Theirs<cuda_api::cudaUserObject_t> {
  using Type = ::hipUserObject_t;
};
#endif
template <>
struct Theirs<cuda_api::cudaMemPool_t> {
  using Type = ::hipMemPool_t;
};
template <>
struct Theirs<cuda_api::cudaError_t> {
  using Type = ::hipError_t;
};
template <>
struct Theirs<cuda_api::cudaDeviceAttr> {
  using Type = ::hipDeviceAttribute_t;
};
template <>
struct Theirs<cuda_api::cudaMemcpyKind> {
  using Type = ::hipMemcpyKind;
};
template <>
struct Theirs<cuda_api::cudaMemoryAdvise> {
  using Type = ::hipMemoryAdvise;
};
template <>
struct Theirs<cuda_api::cudaMemPoolAttr> {
  using Type = ::hipMemPoolAttr;
};
template <>
struct Theirs<cuda_api::cudaStreamCaptureStatus> {
  using Type = ::hipStreamCaptureStatus;
};
template <>
struct Theirs<cuda_api::cudaStreamCaptureMode> {
  using Type = ::hipStreamCaptureMode;
};
template <>
struct Theirs<cuda_api::cudaDeviceProp> {
  using Type = ::hipDeviceProp_t;
};
template <>
struct Theirs<cuda_api::cudaPointerAttributes> {
  using Type = ::hipPointerAttribute_t;
};
template <>
struct Theirs<cuda_api::cudaMemPoolProps> {
  using Type = ::hipMemPoolProps;
};
template <>
struct Theirs<cuda_api::cudaIpcMemHandle_t> {
  using Type = ::hipIpcMemHandle_t;
};

static_assert(static_cast<long long>(hipSuccess) == static_cast<long long>(cuda_api::cudaSuccess));
static_assert(static_cast<long long>(hipErrorInvalidValue) == static_cast<long long>(cuda_api::cudaErrorInvalidValue));
static_assert(static_cast<long long>(hipErrorOutOfMemory) == static_cast<long long>(cuda_api::cudaErrorMemoryAllocation));
static_assert(static_cast<long long>(hipErrorNotInitialized) == static_cast<long long>(cuda_api::cudaErrorInitializationError));
static_assert(static_cast<long long>(hipErrorDeinitialized) == static_cast<long long>(cuda_api::cudaErrorCudartUnloading));
static_assert(static_cast<long long>(hipErrorInvalidPitchValue) == static_cast<long long>(cuda_api::cudaErrorInvalidPitchValue));
static_assert(static_cast<long long>(hipErrorInvalidMemcpyDirection) == static_cast<long long>(cuda_api::cudaErrorInvalidMemcpyDirection));
static_assert(static_cast<long long>(hipErrorInsufficientDriver) == static_cast<long long>(cuda_api::cudaErrorInsufficientDriver));
static_assert(static_cast<long long>(hipErrorNoDevice) == static_cast<long long>(cuda_api::cudaErrorNoDevice));
static_assert(static_cast<long long>(hipErrorInvalidDevice) == static_cast<long long>(cuda_api::cudaErrorInvalidDevice));
static_assert(static_cast<long long>(hipErrorInvalidHandle) == static_cast<long long>(cuda_api::cudaErrorInvalidResourceHandle));
static_assert(static_cast<long long>(hipErrorIllegalState) == static_cast<long long>(cuda_api::cudaErrorIllegalState));
static_assert(static_cast<long long>(hipErrorNotReady) == static_cast<long long>(cuda_api::cudaErrorNotReady));
static_assert(static_cast<long long>(hipErrorIllegalAddress) == static_cast<long long>(cuda_api::cudaErrorIllegalAddress));
static_assert(static_cast<long long>(hipErrorHostMemoryAlreadyRegistered) == static_cast<long long>(cuda_api::cudaErrorHostMemoryAlreadyRegistered));
static_assert(static_cast<long long>(hipErrorHostMemoryNotRegistered) == static_cast<long long>(cuda_api::cudaErrorHostMemoryNotRegistered));
static_assert(static_cast<long long>(hipErrorNotSupported) == static_cast<long long>(cuda_api::cudaErrorNotSupported));
static_assert(static_cast<long long>(hipErrorStreamCaptureUnsupported) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureUnsupported));
static_assert(static_cast<long long>(hipErrorStreamCaptureInvalidated) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureInvalidated));
static_assert(static_cast<long long>(hipErrorStreamCaptureMerge) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureMerge));
static_assert(static_cast<long long>(hipErrorStreamCaptureUnmatched) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureUnmatched));
static_assert(static_cast<long long>(hipErrorStreamCaptureUnjoined) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureUnjoined));
static_assert(static_cast<long long>(hipErrorStreamCaptureIsolation) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureIsolation));
static_assert(static_cast<long long>(hipErrorStreamCaptureImplicit) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureImplicit));
static_assert(static_cast<long long>(hipErrorCapturedEvent) == static_cast<long long>(cuda_api::cudaErrorCapturedEvent));
static_assert(static_cast<long long>(hipErrorStreamCaptureWrongThread) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureWrongThread));
static_assert(static_cast<long long>(hipErrorUnknown) == static_cast<long long>(cuda_api::cudaErrorUnknown));
static_assert(static_cast<long long>(hipMemcpyHostToHost) == static_cast<long long>(cuda_api::cudaMemcpyHostToHost));
static_assert(static_cast<long long>(hipMemcpyHostToDevice) == static_cast<long long>(cuda_api::cudaMemcpyHostToDevice));
static_assert(static_cast<long long>(hipMemcpyDeviceToHost) == static_cast<long long>(cuda_api::cudaMemcpyDeviceToHost));
static_assert(static_cast<long long>(hipMemcpyDeviceToDevice) == static_cast<long long>(cuda_api::cudaMemcpyDeviceToDevice));
static_assert(static_cast<long long>(hipMemcpyDefault) == static_cast<long long>(cuda_api::cudaMemcpyDefault));
static_assert(static_cast<long long>(hipMemAdviseSetReadMostly) == static_cast<long long>(cuda_api::cudaMemAdviseSetReadMostly));
static_assert(static_cast<long long>(hipMemAdviseUnsetReadMostly) == static_cast<long long>(cuda_api::cudaMemAdviseUnsetReadMostly));
static_assert(static_cast<long long>(hipMemAdviseSetPreferredLocation) == static_cast<long long>(cuda_api::cudaMemAdviseSetPreferredLocation));
static_assert(static_cast<long long>(hipMemAdviseUnsetPreferredLocation) == static_cast<long long>(cuda_api::cudaMemAdviseUnsetPreferredLocation));
static_assert(static_cast<long long>(hipMemAdviseSetAccessedBy) == static_cast<long long>(cuda_api::cudaMemAdviseSetAccessedBy));
static_assert(static_cast<long long>(hipMemAdviseUnsetAccessedBy) == static_cast<long long>(cuda_api::cudaMemAdviseUnsetAccessedBy));
static_assert(static_cast<long long>(hipMemLocationTypeInvalid) == static_cast<long long>(cuda_api::cudaMemLocationTypeInvalid));
static_assert(static_cast<long long>(hipMemLocationTypeDevice) == static_cast<long long>(cuda_api::cudaMemLocationTypeDevice));
static_assert(static_cast<long long>(hipMemAllocationTypePinned) == static_cast<long long>(cuda_api::cudaMemAllocationTypePinned));
static_assert(static_cast<long long>(hipMemHandleTypeNone) == static_cast<long long>(cuda_api::cudaMemHandleTypeNone));
static_assert(static_cast<long long>(hipMemPoolReuseFollowEventDependencies) == static_cast<long long>(cuda_api::cudaMemPoolReuseFollowEventDependencies));
static_assert(static_cast<long long>(hipMemPoolReuseAllowOpportunistic) == static_cast<long long>(cuda_api::cudaMemPoolReuseAllowOpportunistic));
static_assert(static_cast<long long>(hipMemPoolReuseAllowInternalDependencies) == static_cast<long long>(cuda_api::cudaMemPoolReuseAllowInternalDependencies));
static_assert(static_cast<long long>(hipMemPoolAttrReleaseThreshold) == static_cast<long long>(cuda_api::cudaMemPoolAttrReleaseThreshold));
static_assert(static_cast<long long>(hipMemPoolAttrReservedMemCurrent) == static_cast<long long>(cuda_api::cudaMemPoolAttrReservedMemCurrent));
static_assert(static_cast<long long>(hipMemPoolAttrReservedMemHigh) == static_cast<long long>(cuda_api::cudaMemPoolAttrReservedMemHigh));
static_assert(static_cast<long long>(hipMemPoolAttrUsedMemCurrent) == static_cast<long long>(cuda_api::cudaMemPoolAttrUsedMemCurrent));
static_assert(static_cast<long long>(hipMemPoolAttrUsedMemHigh) == static_cast<long long>(cuda_api::cudaMemPoolAttrUsedMemHigh));
static_assert(static_cast<long long>(hipStreamCaptureStatusNone) == static_cast<long long>(cuda_api::cudaStreamCaptureStatusNone));
static_assert(static_cast<long long>(hipStreamCaptureStatusActive) == static_cast<long long>(cuda_api::cudaStreamCaptureStatusActive));
static_assert(static_cast<long long>(hipStreamCaptureStatusInvalidated) == static_cast<long long>(cuda_api::cudaStreamCaptureStatusInvalidated));
static_assert(static_cast<long long>(hipStreamCaptureModeGlobal) == static_cast<long long>(cuda_api::cudaStreamCaptureModeGlobal));
static_assert(static_cast<long long>(hipStreamCaptureModeThreadLocal) == static_cast<long long>(cuda_api::cudaStreamCaptureModeThreadLocal));
static_assert(static_cast<long long>(hipStreamCaptureModeRelaxed) == static_cast<long long>(cuda_api::cudaStreamCaptureModeRelaxed));
static_assert(static_cast<long long>(hipCpuDeviceId) == static_cast<long long>(cuda_api::cudaCpuDeviceId));
static_assert(static_cast<long long>(hipInvalidDeviceId) == static_cast<long long>(cuda_api::cudaInvalidDeviceId));
static_assert(static_cast<long long>(hipStreamDefault) == static_cast<long long>(cuda_api::cudaStreamDefault));
static_assert(static_cast<long long>(hipStreamNonBlocking) == static_cast<long long>(cuda_api::cudaStreamNonBlocking));
static_assert(static_cast<long long>(hipEventDefault) == static_cast<long long>(cuda_api::cudaEventDefault));
static_assert(static_cast<long long>(hipEventBlockingSync) == static_cast<long long>(cuda_api::cudaEventBlockingSync));
static_assert(static_cast<long long>(hipEventDisableTiming) == static_cast<long long>(cuda_api::cudaEventDisableTiming));
static_assert(static_cast<long long>(hipEventInterprocess) == static_cast<long long>(cuda_api::cudaEventInterprocess));
static_assert(static_cast<long long>(hipHostMallocDefault) == static_cast<long long>(cuda_api::cudaHostAllocDefault));
static_assert(static_cast<long long>(hipHostMallocPortable) == static_cast<long long>(cuda_api::cudaHostAllocPortable));
static_assert(static_cast<long long>(hipHostMallocMapped) == static_cast<long long>(cuda_api::cudaHostAllocMapped));
static_assert(static_cast<long long>(hipHostMallocWriteCombined) == static_cast<long long>(cuda_api::cudaHostAllocWriteCombined));
static_assert(static_cast<long long>(hipHostRegisterDefault) == static_cast<long long>(cuda_api::cudaHostRegisterDefault));
static_assert(static_cast<long long>(hipMemAttachGlobal) == static_cast<long long>(cuda_api::cudaMemAttachGlobal));
static_assert(static_cast<long long>(hipMemAttachHost) == static_cast<long long>(cuda_api::cudaMemAttachHost));
#if HIP_VERSION >= 50300000
static_assert(static_cast<long long>(hipUserObjectNoDestructorSync) == static_cast<long long>(cuda_api::cudaUserObjectNoDestructorSync));
#endif
#if HIP_VERSION >= 50300000
static_assert(static_cast<long long>(hipGraphUserObjectMove) == static_cast<long long>(cuda_api::cudaGraphUserObjectMove));
#endif
static_assert(hipIpcMemLazyEnablePeerAccess == hip_api::dialect.flag<cuda_api::cudaIpcMemLazyEnablePeerAccess>(HIP_VERSION));
static_assert(hipDeviceAttributeTextureAlignment == 81);
static_assert(hipDeviceAttributeMultiprocessorCount == 63);
static_assert(hipDeviceAttributeIntegrated == 16);
static_assert(hipDeviceAttributeCanMapHostMemory == 3);
static_assert(hipDeviceAttributeUnifiedAddressing == 85);
static_assert(hipDeviceAttributeComputeCapabilityMajor == 23);
static_assert(hipDeviceAttributeManagedMemory == 24);
static_assert(hipDeviceAttributePageableMemoryAccess == 65);
static_assert(hipDeviceAttributeConcurrentManagedAccess == 9);
static_assert(hipDeviceAttributeDirectManagedMemAccessFromHost == 13);
static_assert(hipDeviceAttributePageableMemoryAccessUsesHostPageTables == 66);
static_assert(hipDeviceAttributeMemoryPoolsSupported == 88);
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaRuntimeGetVersion>* compared_hipRuntimeGetVersion = &::hipRuntimeGetVersion;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaDriverGetVersion>* compared_hipDriverGetVersion = &::hipDriverGetVersion;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGetErrorString>* compared_hipGetErrorString = &::hipGetErrorString;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGetErrorName>* compared_hipGetErrorName = &::hipGetErrorName;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGetLastError>* compared_hipGetLastError = &::hipGetLastError;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaPeekAtLastError>* compared_hipPeekAtLastError = &::hipPeekAtLastError;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGetDeviceCount>* compared_hipGetDeviceCount = &::hipGetDeviceCount;
#if HIP_VERSION < 60000000
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGetDeviceProperties>* compared_hipGetDeviceProperties = &::hipGetDeviceProperties;
#endif
#if HIP_VERSION >= 60000000
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGetDeviceProperties>* compared_hipGetDevicePropertiesR0600 = &::hipGetDevicePropertiesR0600;
#endif
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaDeviceGetAttribute>* compared_hipDeviceGetAttribute = &::hipDeviceGetAttribute;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaDeviceCanAccessPeer>* compared_hipDeviceCanAccessPeer = &::hipDeviceCanAccessPeer;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaDeviceReset>* compared_hipDeviceReset = &::hipDeviceReset;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaDeviceSynchronize>* compared_hipDeviceSynchronize = &::hipDeviceSynchronize;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemGetInfo>* compared_hipMemGetInfo = &::hipMemGetInfo;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGetDevice>* compared_hipGetDevice = &::hipGetDevice;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaSetDevice>* compared_hipSetDevice = &::hipSetDevice;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaStreamCreate>* compared_hipStreamCreate = &::hipStreamCreate;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaStreamCreateWithFlags>* compared_hipStreamCreateWithFlags = &::hipStreamCreateWithFlags;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaStreamDestroy>* compared_hipStreamDestroy = &::hipStreamDestroy;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaStreamSynchronize>* compared_hipStreamSynchronize = &::hipStreamSynchronize;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaStreamQuery>* compared_hipStreamQuery = &::hipStreamQuery;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaStreamWaitEvent>* compared_hipStreamWaitEvent = &::hipStreamWaitEvent;
#if HIP_VERSION >= 70100000
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaStreamGetId>* compared_hipStreamGetId = &::hipStreamGetId;
#endif
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaStreamIsCapturing>* compared_hipStreamIsCapturing = &::hipStreamIsCapturing;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaStreamBeginCapture>* compared_hipStreamBeginCapture = &::hipStreamBeginCapture;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaStreamEndCapture>* compared_hipStreamEndCapture = &::hipStreamEndCapture;
#if HIP_VERSION >= 60300000
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaStreamGetCaptureInfo_12>* compared_hipStreamGetCaptureInfo_v2 = &::hipStreamGetCaptureInfo_v2;
#endif
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaThreadExchangeStreamCaptureMode>* compared_hipThreadExchangeStreamCaptureMode = &::hipThreadExchangeStreamCaptureMode;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaEventCreate>* compared_hipEventCreate = &::hipEventCreate;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaEventCreateWithFlags>* compared_hipEventCreateWithFlags = &::hipEventCreateWithFlags;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaEventRecord>* compared_hipEventRecord = &::hipEventRecord;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaEventQuery>* compared_hipEventQuery = &::hipEventQuery;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaEventSynchronize>* compared_hipEventSynchronize = &::hipEventSynchronize;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaEventElapsedTime>* compared_hipEventElapsedTime = &::hipEventElapsedTime;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaEventDestroy>* compared_hipEventDestroy = &::hipEventDestroy;
#if HIP_VERSION >= 50300000
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaLaunchHostFunc>* compared_hipLaunchHostFunc = &::hipLaunchHostFunc;
#endif
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMalloc>* compared_hipMalloc = &::hipMalloc;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaFree>* compared_hipFree = &::hipFree;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMallocHost>* compared_hipMallocHost = &::hipMallocHost;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaHostAlloc>* compared_hipHostMalloc = &::hipHostMalloc;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaFreeHost>* compared_hipHostFree = &::hipHostFree;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaHostRegister>* compared_hipHostRegister = &::hipHostRegister;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaHostUnregister>* compared_hipHostUnregister = &::hipHostUnregister;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMallocManaged>* compared_hipMallocManaged = &::hipMallocManaged;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMallocAsync>* compared_hipMallocAsync = &::hipMallocAsync;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaFreeAsync>* compared_hipFreeAsync = &::hipFreeAsync;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMallocFromPoolAsync>* compared_hipMallocFromPoolAsync = &::hipMallocFromPoolAsync;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaDeviceGetDefaultMemPool>* compared_hipDeviceGetDefaultMemPool = &::hipDeviceGetDefaultMemPool;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemPoolCreate>* compared_hipMemPoolCreate = &::hipMemPoolCreate;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemPoolDestroy>* compared_hipMemPoolDestroy = &::hipMemPoolDestroy;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemPoolTrimTo>* compared_hipMemPoolTrimTo = &::hipMemPoolTrimTo;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemPoolSetAttribute>* compared_hipMemPoolSetAttribute = &::hipMemPoolSetAttribute;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemPoolGetAttribute>* compared_hipMemPoolGetAttribute = &::hipMemPoolGetAttribute;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemcpy>* compared_hipMemcpy = &::hipMemcpy;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemcpyAsync>* compared_hipMemcpyAsync = &::hipMemcpyAsync;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemcpy2D>* compared_hipMemcpy2D = &::hipMemcpy2D;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemcpy2DAsync>* compared_hipMemcpy2DAsync = &::hipMemcpy2DAsync;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemcpyPeer>* compared_hipMemcpyPeer = &::hipMemcpyPeer;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemcpyPeerAsync>* compared_hipMemcpyPeerAsync = &::hipMemcpyPeerAsync;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemset>* compared_hipMemset = &::hipMemset;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemsetAsync>* compared_hipMemsetAsync = &::hipMemsetAsync;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemset2DAsync>* compared_hipMemset2DAsync = &::hipMemset2DAsync;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemPrefetchAsync_12>* compared_hipMemPrefetchAsync = &::hipMemPrefetchAsync;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaMemAdvise_12>* compared_hipMemAdvise = &::hipMemAdvise;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaPointerGetAttributes>* compared_hipPointerGetAttributes = &::hipPointerGetAttributes;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGraphInstantiateWithFlags>* compared_hipGraphInstantiateWithFlags = &::hipGraphInstantiateWithFlags;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGraphLaunch>* compared_hipGraphLaunch = &::hipGraphLaunch;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGraphDestroy>* compared_hipGraphDestroy = &::hipGraphDestroy;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGraphExecDestroy>* compared_hipGraphExecDestroy = &::hipGraphExecDestroy;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGraphClone>* compared_hipGraphClone = &::hipGraphClone;
#if HIP_VERSION >= 60300000
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaUserObjectCreate>* compared_hipUserObjectCreate = &::hipUserObjectCreate;
#endif
#if HIP_VERSION >= 60300000
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaUserObjectRelease>* compared_hipUserObjectRelease = &::hipUserObjectRelease;
#endif
#if HIP_VERSION >= 60300000
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaGraphRetainUserObject>* compared_hipGraphRetainUserObject = &::hipGraphRetainUserObject;
#endif
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaIpcGetMemHandle>* compared_hipIpcGetMemHandle = &::hipIpcGetMemHandle;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaIpcOpenMemHandle>* compared_hipIpcOpenMemHandle = &::hipIpcOpenMemHandle;
[[maybe_unused]] constexpr TheirsOf<cuda_api::signature::cudaIpcCloseMemHandle>* compared_hipIpcCloseMemHandle = &::hipIpcCloseMemHandle;

static_assert(sizeof(::hipDeviceProp_t) == size_in<cuda_api::cudaDeviceProp>(HIP_VERSION));
static_assert(sizeof(::hipPointerAttribute_t) == sizeof(hip_api::PointerAttributes));
static_assert(sizeof(::hipMemPoolProps) == size_in<cuda_api::cudaMemPoolProps>(HIP_VERSION));
static_assert(sizeof(::hipIpcMemHandle_t) == size_in<cuda_api::cudaIpcMemHandle_t>(HIP_VERSION));
static_assert(sizeof(::hipMemLocation) == size_in<cuda_api::cudaMemLocation>(HIP_VERSION));
static_assert(offsetof(::hipMemPoolProps, location) == offsetof(cuda_api::cudaMemPoolProps, location));
static_assert(offsetof(::hipPointerAttribute_t, device) == offsetof(hip_api::PointerAttributes, device));
static_assert(offsetof(::hipPointerAttribute_t, devicePointer) == offsetof(hip_api::PointerAttributes, devicePointer));
static_assert(offsetof(::hipPointerAttribute_t, hostPointer) == offsetof(hip_api::PointerAttributes, hostPointer));
static_assert(offsetof(::hipPointerAttribute_t, isManaged) == offsetof(hip_api::PointerAttributes, isManaged));
static_assert(offsetof(::hipDeviceProp_t, name) == offsetof(cuda_api::cudaDeviceProp, name));
#if HIP_VERSION < 60000000
static_assert(hipMemoryTypeHost == static_cast<int>(hip_api::old_host) && hipMemoryTypeDevice == static_cast<int>(hip_api::old_device));
static_assert(offsetof(::hipDeviceProp_t, pciDomainID) == hip_api::old_pci_domain);
static_assert(offsetof(::hipDeviceProp_t, pciBusID) == hip_api::old_pci_bus);
static_assert(offsetof(::hipDeviceProp_t, pciDeviceID) == hip_api::old_pci_device);
#else
static_assert(static_cast<int>(hipMemoryTypeUnregistered) == static_cast<int>(cuda_api::cudaMemoryTypeUnregistered));
static_assert(static_cast<int>(hipMemoryTypeHost) == static_cast<int>(cuda_api::cudaMemoryTypeHost));
static_assert(static_cast<int>(hipMemoryTypeDevice) == static_cast<int>(cuda_api::cudaMemoryTypeDevice));
static_assert(static_cast<int>(hipMemoryTypeManaged) == static_cast<int>(cuda_api::cudaMemoryTypeManaged));
static_assert(offsetof(::hipDeviceProp_t, uuid) == offsetof(cuda_api::cudaDeviceProp, uuid));
static_assert(offsetof(::hipDeviceProp_t, totalGlobalMem) == offsetof(cuda_api::cudaDeviceProp, totalGlobalMem));
#endif

}  // namespace
}  // namespace cadastre
