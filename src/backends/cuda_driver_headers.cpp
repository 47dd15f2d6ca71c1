// Tangled from org/backends/cuda_driver_headers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "cuda_driver_api.hpp"

#if __has_include(<cuda.h>)
#include <cuda.h>

#define QUOTED(name) #name
#define TEXT_OF(name) std::string_view(QUOTED(name))

namespace cadastre {
namespace {

template <class Ours, class Theirs>
constexpr bool same_to_the_machine = sizeof(Ours) == sizeof(Theirs) && std::is_scalar_v<Ours> && std::is_scalar_v<Theirs> &&
                                     !std::is_floating_point_v<Ours> && !std::is_floating_point_v<Theirs>;
// A handle of shared memory is passed by value.
template <>
constexpr bool same_to_the_machine<cuda_api::cudaIpcMemHandle_t, ::CUipcMemHandle> =
    sizeof(cuda_api::cudaIpcMemHandle_t) == sizeof(::CUipcMemHandle);

template <class Ours, class Theirs>
struct Agree : std::false_type {};
template <class OurResult, class... Ours, class TheirResult, class... Theirs>
  requires(sizeof...(Ours) == sizeof...(Theirs))
struct Agree<OurResult(Ours...), TheirResult(Theirs...)>
    : std::bool_constant<same_to_the_machine<OurResult, TheirResult> && (same_to_the_machine<Ours, Theirs> && ...)> {};

static_assert(static_cast<long long>(CUDA_SUCCESS) == static_cast<long long>(cuda_api::cudaSuccess));
static_assert(static_cast<long long>(CUDA_ERROR_INVALID_VALUE) == static_cast<long long>(cuda_api::cudaErrorInvalidValue));
static_assert(static_cast<long long>(CUDA_ERROR_OUT_OF_MEMORY) == static_cast<long long>(cuda_api::cudaErrorMemoryAllocation));
static_assert(static_cast<long long>(CUDA_ERROR_NOT_INITIALIZED) == static_cast<long long>(cuda_api::cudaErrorInitializationError));
static_assert(static_cast<long long>(CUDA_ERROR_DEINITIALIZED) == static_cast<long long>(cuda_api::cudaErrorCudartUnloading));
static_assert(static_cast<long long>(CUDA_ERROR_NO_DEVICE) == static_cast<long long>(cuda_api::cudaErrorNoDevice));
static_assert(static_cast<long long>(CUDA_ERROR_INVALID_DEVICE) == static_cast<long long>(cuda_api::cudaErrorInvalidDevice));
static_assert(static_cast<long long>(CUDA_ERROR_INVALID_CONTEXT) == static_cast<long long>(cuda_api::cudaErrorDeviceUninitialized));
static_assert(static_cast<long long>(CUDA_ERROR_INVALID_HANDLE) == static_cast<long long>(cuda_api::cudaErrorInvalidResourceHandle));
static_assert(static_cast<long long>(CUDA_ERROR_ILLEGAL_STATE) == static_cast<long long>(cuda_api::cudaErrorIllegalState));
static_assert(static_cast<long long>(CUDA_ERROR_NOT_READY) == static_cast<long long>(cuda_api::cudaErrorNotReady));
static_assert(static_cast<long long>(CUDA_ERROR_ILLEGAL_ADDRESS) == static_cast<long long>(cuda_api::cudaErrorIllegalAddress));
static_assert(static_cast<long long>(CUDA_ERROR_CONTEXT_IS_DESTROYED) == static_cast<long long>(cuda_api::cudaErrorContextIsDestroyed));
static_assert(static_cast<long long>(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED) == static_cast<long long>(cuda_api::cudaErrorHostMemoryAlreadyRegistered));
static_assert(static_cast<long long>(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED) == static_cast<long long>(cuda_api::cudaErrorHostMemoryNotRegistered));
static_assert(static_cast<long long>(CUDA_ERROR_NOT_PERMITTED) == static_cast<long long>(cuda_api::cudaErrorNotPermitted));
static_assert(static_cast<long long>(CUDA_ERROR_NOT_SUPPORTED) == static_cast<long long>(cuda_api::cudaErrorNotSupported));
static_assert(static_cast<long long>(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureUnsupported));
static_assert(static_cast<long long>(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureInvalidated));
static_assert(static_cast<long long>(CUDA_ERROR_STREAM_CAPTURE_MERGE) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureMerge));
static_assert(static_cast<long long>(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureUnmatched));
static_assert(static_cast<long long>(CUDA_ERROR_STREAM_CAPTURE_UNJOINED) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureUnjoined));
static_assert(static_cast<long long>(CUDA_ERROR_STREAM_CAPTURE_ISOLATION) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureIsolation));
static_assert(static_cast<long long>(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureImplicit));
static_assert(static_cast<long long>(CUDA_ERROR_CAPTURED_EVENT) == static_cast<long long>(cuda_api::cudaErrorCapturedEvent));
static_assert(static_cast<long long>(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD) == static_cast<long long>(cuda_api::cudaErrorStreamCaptureWrongThread));
static_assert(static_cast<long long>(CUDA_ERROR_UNKNOWN) == static_cast<long long>(cuda_api::cudaErrorUnknown));
static_assert(static_cast<long long>(CU_DEVICE_ATTRIBUTE_INTEGRATED) == static_cast<long long>(cuda_api::cudaDevAttrIntegrated));
static_assert(static_cast<long long>(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) == static_cast<long long>(cuda_api::cudaDevAttrManagedMemory));
static_assert(static_cast<long long>(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) == static_cast<long long>(cuda_api::cudaDevAttrPageableMemoryAccess));
static_assert(static_cast<long long>(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS) == static_cast<long long>(cuda_api::cudaDevAttrConcurrentManagedAccess));
static_assert(static_cast<long long>(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) == static_cast<long long>(cuda_api::cudaDevAttrMemoryPoolsSupported));
static_assert(static_cast<long long>(CU_MEM_ADVISE_SET_READ_MOSTLY) == static_cast<long long>(cuda_api::cudaMemAdviseSetReadMostly));
static_assert(static_cast<long long>(CU_MEM_ADVISE_UNSET_READ_MOSTLY) == static_cast<long long>(cuda_api::cudaMemAdviseUnsetReadMostly));
static_assert(static_cast<long long>(CU_MEM_ADVISE_SET_PREFERRED_LOCATION) == static_cast<long long>(cuda_api::cudaMemAdviseSetPreferredLocation));
static_assert(static_cast<long long>(CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION) == static_cast<long long>(cuda_api::cudaMemAdviseUnsetPreferredLocation));
static_assert(static_cast<long long>(CU_MEM_ADVISE_SET_ACCESSED_BY) == static_cast<long long>(cuda_api::cudaMemAdviseSetAccessedBy));
static_assert(static_cast<long long>(CU_MEM_ADVISE_UNSET_ACCESSED_BY) == static_cast<long long>(cuda_api::cudaMemAdviseUnsetAccessedBy));
static_assert(static_cast<long long>(CU_STREAM_CAPTURE_STATUS_NONE) == static_cast<long long>(cuda_api::cudaStreamCaptureStatusNone));
static_assert(static_cast<long long>(CU_STREAM_CAPTURE_STATUS_ACTIVE) == static_cast<long long>(cuda_api::cudaStreamCaptureStatusActive));
static_assert(static_cast<long long>(CU_STREAM_CAPTURE_STATUS_INVALIDATED) == static_cast<long long>(cuda_api::cudaStreamCaptureStatusInvalidated));
static_assert(static_cast<long long>(CU_STREAM_CAPTURE_MODE_GLOBAL) == static_cast<long long>(cuda_api::cudaStreamCaptureModeGlobal));
static_assert(static_cast<long long>(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) == static_cast<long long>(cuda_api::cudaStreamCaptureModeThreadLocal));
static_assert(static_cast<long long>(CU_STREAM_CAPTURE_MODE_RELAXED) == static_cast<long long>(cuda_api::cudaStreamCaptureModeRelaxed));
static_assert(static_cast<long long>(CU_STREAM_NON_BLOCKING) == static_cast<long long>(cuda_api::cudaStreamNonBlocking));
static_assert(static_cast<long long>(CU_EVENT_DISABLE_TIMING) == static_cast<long long>(cuda_api::cudaEventDisableTiming));
static_assert(static_cast<long long>(CU_MEM_ATTACH_GLOBAL) == static_cast<long long>(cuda_api::cudaMemAttachGlobal));
static_assert(static_cast<long long>(CU_DEVICE_CPU) == static_cast<long long>(cuda_api::cudaCpuDeviceId));
static_assert(static_cast<long long>(CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == static_cast<long long>(cuda_api::cudaIpcMemLazyEnablePeerAccess));
static_assert(static_cast<long long>(CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) == static_cast<long long>(cuda_api::cudaUserObjectNoDestructorSync));
static_assert(static_cast<long long>(CU_GRAPH_USER_OBJECT_MOVE) == static_cast<long long>(cuda_api::cudaGraphUserObjectMove));
static_assert(static_cast<long long>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE) == static_cast<long long>(cuda_driver::memory_type_of));
static_assert(static_cast<long long>(CU_POINTER_ATTRIBUTE_IS_MANAGED) == static_cast<long long>(cuda_driver::is_managed));
static_assert(static_cast<long long>(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) == static_cast<long long>(cuda_driver::ordinal_of));
static_assert(static_cast<long long>(CU_MEMORYTYPE_HOST) == static_cast<long long>(cuda_driver::on_host));
static_assert(static_cast<long long>(CU_MEMORYTYPE_DEVICE) == static_cast<long long>(cuda_driver::on_device));
static_assert(Agree<cuda_driver::signature_of::cuInit, decltype(::cuInit)>::value && TEXT_OF(cuInit) == "cuInit");
static_assert(Agree<cuda_driver::signature_of::cuGetErrorString, decltype(::cuGetErrorString)>::value && TEXT_OF(cuGetErrorString) == "cuGetErrorString");
static_assert(Agree<cuda_driver::signature_of::cuDeviceGetCount, decltype(::cuDeviceGetCount)>::value && TEXT_OF(cuDeviceGetCount) == "cuDeviceGetCount");
static_assert(Agree<cuda_driver::signature_of::cuDeviceGet, decltype(::cuDeviceGet)>::value && TEXT_OF(cuDeviceGet) == "cuDeviceGet");
static_assert(Agree<cuda_driver::signature_of::cuDeviceGetName, decltype(::cuDeviceGetName)>::value && TEXT_OF(cuDeviceGetName) == "cuDeviceGetName");
#if CUDA_VERSION < 13000
static_assert(Agree<cuda_driver::signature_of::cuDeviceGetUuid, decltype(::cuDeviceGetUuid)>::value && TEXT_OF(cuDeviceGetUuid) == "cuDeviceGetUuid");
#endif
static_assert(Agree<cuda_driver::signature_of::cuDeviceTotalMem_v2, decltype(::cuDeviceTotalMem)>::value && TEXT_OF(cuDeviceTotalMem) == "cuDeviceTotalMem_v2");
static_assert(Agree<cuda_driver::signature_of::cuDeviceGetAttribute, decltype(::cuDeviceGetAttribute)>::value && TEXT_OF(cuDeviceGetAttribute) == "cuDeviceGetAttribute");
static_assert(Agree<cuda_driver::signature_of::cuDeviceGetDefaultMemPool, decltype(::cuDeviceGetDefaultMemPool)>::value && TEXT_OF(cuDeviceGetDefaultMemPool) == "cuDeviceGetDefaultMemPool");
static_assert(Agree<cuda_driver::signature_of::cuDevicePrimaryCtxRetain, decltype(::cuDevicePrimaryCtxRetain)>::value && TEXT_OF(cuDevicePrimaryCtxRetain) == "cuDevicePrimaryCtxRetain");
static_assert(Agree<cuda_driver::signature_of::cuDevicePrimaryCtxRelease_v2, decltype(::cuDevicePrimaryCtxRelease)>::value && TEXT_OF(cuDevicePrimaryCtxRelease) == "cuDevicePrimaryCtxRelease_v2");
static_assert(Agree<cuda_driver::signature_of::cuCtxGetCurrent, decltype(::cuCtxGetCurrent)>::value && TEXT_OF(cuCtxGetCurrent) == "cuCtxGetCurrent");
static_assert(Agree<cuda_driver::signature_of::cuCtxSetCurrent, decltype(::cuCtxSetCurrent)>::value && TEXT_OF(cuCtxSetCurrent) == "cuCtxSetCurrent");
static_assert(Agree<cuda_driver::signature_of::cuCtxGetDevice, decltype(::cuCtxGetDevice)>::value && TEXT_OF(cuCtxGetDevice) == "cuCtxGetDevice");
static_assert(Agree<cuda_driver::signature_of::cuMemcpyAsync, decltype(::cuMemcpyAsync)>::value && TEXT_OF(cuMemcpyAsync) == "cuMemcpyAsync");
static_assert(Agree<cuda_driver::signature_of::cuMemcpyHtoDAsync_v2, decltype(::cuMemcpyHtoDAsync)>::value && TEXT_OF(cuMemcpyHtoDAsync) == "cuMemcpyHtoDAsync_v2");
static_assert(Agree<cuda_driver::signature_of::cuMemcpyDtoHAsync_v2, decltype(::cuMemcpyDtoHAsync)>::value && TEXT_OF(cuMemcpyDtoHAsync) == "cuMemcpyDtoHAsync_v2");
static_assert(Agree<cuda_driver::signature_of::cuMemcpyDtoDAsync_v2, decltype(::cuMemcpyDtoDAsync)>::value && TEXT_OF(cuMemcpyDtoDAsync) == "cuMemcpyDtoDAsync_v2");
static_assert(Agree<cuda_driver::signature_of::cuMemcpyPeer, decltype(::cuMemcpyPeer)>::value && TEXT_OF(cuMemcpyPeer) == "cuMemcpyPeer");
static_assert(Agree<cuda_driver::signature_of::cuMemcpyPeerAsync, decltype(::cuMemcpyPeerAsync)>::value && TEXT_OF(cuMemcpyPeerAsync) == "cuMemcpyPeerAsync");
static_assert(Agree<cuda_driver::signature_of::cuMemcpy2DAsync_v2, decltype(::cuMemcpy2DAsync)>::value && TEXT_OF(cuMemcpy2DAsync) == "cuMemcpy2DAsync_v2");
static_assert(Agree<cuda_driver::signature_of::cuMemsetD8Async, decltype(::cuMemsetD8Async)>::value && TEXT_OF(cuMemsetD8Async) == "cuMemsetD8Async");
#if CUDA_VERSION < 13000
static_assert(Agree<cuda_driver::signature_of::cuMemPrefetchAsync, decltype(::cuMemPrefetchAsync)>::value && TEXT_OF(cuMemPrefetchAsync) == "cuMemPrefetchAsync");
#endif
#if CUDA_VERSION < 13000
static_assert(Agree<cuda_driver::signature_of::cuMemAdvise, decltype(::cuMemAdvise)>::value && TEXT_OF(cuMemAdvise) == "cuMemAdvise");
#endif
static_assert(Agree<cuda_driver::signature_of::cuPointerGetAttributes, decltype(::cuPointerGetAttributes)>::value && TEXT_OF(cuPointerGetAttributes) == "cuPointerGetAttributes");
static_assert(Agree<cuda_api::signature::cudaRuntimeGetVersion, decltype(::cuDriverGetVersion)>::value && TEXT_OF(cuDriverGetVersion) == "cuDriverGetVersion");
static_assert(Agree<cuda_api::signature::cudaDriverGetVersion, decltype(::cuDriverGetVersion)>::value && TEXT_OF(cuDriverGetVersion) == "cuDriverGetVersion");
static_assert(Agree<cuda_api::signature::cudaMemGetInfo, decltype(::cuMemGetInfo)>::value && TEXT_OF(cuMemGetInfo) == "cuMemGetInfo_v2");
static_assert(Agree<cuda_api::signature::cuCtxGetCurrent, decltype(::cuCtxGetCurrent)>::value && TEXT_OF(cuCtxGetCurrent) == "cuCtxGetCurrent");
static_assert(Agree<cuda_api::signature::cuCtxSetCurrent, decltype(::cuCtxSetCurrent)>::value && TEXT_OF(cuCtxSetCurrent) == "cuCtxSetCurrent");
static_assert(Agree<cuda_api::signature::cudaDeviceSynchronize, decltype(::cuCtxSynchronize)>::value && TEXT_OF(cuCtxSynchronize) == "cuCtxSynchronize");
static_assert(Agree<cuda_api::signature::cudaStreamSynchronize, decltype(::cuStreamSynchronize)>::value && TEXT_OF(cuStreamSynchronize) == "cuStreamSynchronize");
static_assert(Agree<cuda_api::signature::cudaStreamWaitEvent, decltype(::cuStreamWaitEvent)>::value && TEXT_OF(cuStreamWaitEvent) == "cuStreamWaitEvent");
static_assert(Agree<cuda_api::signature::cudaStreamIsCapturing, decltype(::cuStreamIsCapturing)>::value && TEXT_OF(cuStreamIsCapturing) == "cuStreamIsCapturing");
static_assert(Agree<cuda_api::signature::cudaThreadExchangeStreamCaptureMode, decltype(::cuThreadExchangeStreamCaptureMode)>::value && TEXT_OF(cuThreadExchangeStreamCaptureMode) == "cuThreadExchangeStreamCaptureMode");
static_assert(Agree<cuda_api::signature::cudaStreamCreateWithFlags, decltype(::cuStreamCreate)>::value && TEXT_OF(cuStreamCreate) == "cuStreamCreate");
static_assert(Agree<cuda_api::signature::cudaStreamDestroy, decltype(::cuStreamDestroy)>::value && TEXT_OF(cuStreamDestroy) == "cuStreamDestroy_v2");
#if CUDA_VERSION >= 12000
static_assert(Agree<cuda_api::signature::cudaStreamGetId, decltype(::cuStreamGetId)>::value && TEXT_OF(cuStreamGetId) == "cuStreamGetId");
#endif
#if CUDA_VERSION < 13000 && CUDA_VERSION >= 12000
static_assert(Agree<cuda_api::signature::cudaStreamGetCaptureInfo_12, decltype(::cuStreamGetCaptureInfo)>::value && TEXT_OF(cuStreamGetCaptureInfo) == "cuStreamGetCaptureInfo_v2");
#endif
#if CUDA_VERSION >= 11030
static_assert(Agree<cuda_api::signature::cudaUserObjectCreate, decltype(::cuUserObjectCreate)>::value && TEXT_OF(cuUserObjectCreate) == "cuUserObjectCreate");
#endif
#if CUDA_VERSION >= 11030
static_assert(Agree<cuda_api::signature::cudaUserObjectRelease, decltype(::cuUserObjectRelease)>::value && TEXT_OF(cuUserObjectRelease) == "cuUserObjectRelease");
#endif
#if CUDA_VERSION >= 11030
static_assert(Agree<cuda_api::signature::cudaGraphRetainUserObject, decltype(::cuGraphRetainUserObject)>::value && TEXT_OF(cuGraphRetainUserObject) == "cuGraphRetainUserObject");
#endif
static_assert(Agree<cuda_api::signature::cudaEventCreateWithFlags, decltype(::cuEventCreate)>::value && TEXT_OF(cuEventCreate) == "cuEventCreate");
static_assert(Agree<cuda_api::signature::cudaEventRecord, decltype(::cuEventRecord)>::value && TEXT_OF(cuEventRecord) == "cuEventRecord");
static_assert(Agree<cuda_api::signature::cudaEventQuery, decltype(::cuEventQuery)>::value && TEXT_OF(cuEventQuery) == "cuEventQuery");
static_assert(Agree<cuda_api::signature::cudaEventSynchronize, decltype(::cuEventSynchronize)>::value && TEXT_OF(cuEventSynchronize) == "cuEventSynchronize");
static_assert(Agree<cuda_api::signature::cudaEventDestroy, decltype(::cuEventDestroy)>::value && TEXT_OF(cuEventDestroy) == "cuEventDestroy_v2");
static_assert(Agree<cuda_api::signature::cudaMalloc, decltype(::cuMemAlloc)>::value && TEXT_OF(cuMemAlloc) == "cuMemAlloc_v2");
static_assert(Agree<cuda_api::signature::cudaFree, decltype(::cuMemFree)>::value && TEXT_OF(cuMemFree) == "cuMemFree_v2");
static_assert(Agree<cuda_api::signature::cudaHostAlloc, decltype(::cuMemHostAlloc)>::value && TEXT_OF(cuMemHostAlloc) == "cuMemHostAlloc");
static_assert(Agree<cuda_api::signature::cudaFreeHost, decltype(::cuMemFreeHost)>::value && TEXT_OF(cuMemFreeHost) == "cuMemFreeHost");
static_assert(Agree<cuda_api::signature::cudaMallocManaged, decltype(::cuMemAllocManaged)>::value && TEXT_OF(cuMemAllocManaged) == "cuMemAllocManaged");
static_assert(Agree<cuda_api::signature::cudaMallocAsync, decltype(::cuMemAllocAsync)>::value && TEXT_OF(cuMemAllocAsync) == "cuMemAllocAsync");
static_assert(Agree<cuda_api::signature::cudaFreeAsync, decltype(::cuMemFreeAsync)>::value && TEXT_OF(cuMemFreeAsync) == "cuMemFreeAsync");
static_assert(Agree<cuda_api::signature::cudaMemPoolTrimTo, decltype(::cuMemPoolTrimTo)>::value && TEXT_OF(cuMemPoolTrimTo) == "cuMemPoolTrimTo");
static_assert(Agree<cuda_api::signature::cudaMemPoolGetAttribute, decltype(::cuMemPoolGetAttribute)>::value && TEXT_OF(cuMemPoolGetAttribute) == "cuMemPoolGetAttribute");
static_assert(Agree<cuda_api::signature::cudaIpcGetMemHandle, decltype(::cuIpcGetMemHandle)>::value && TEXT_OF(cuIpcGetMemHandle) == "cuIpcGetMemHandle");
static_assert(Agree<cuda_api::signature::cudaIpcOpenMemHandle, decltype(::cuIpcOpenMemHandle)>::value && TEXT_OF(cuIpcOpenMemHandle) == "cuIpcOpenMemHandle_v2");
static_assert(Agree<cuda_api::signature::cudaIpcCloseMemHandle, decltype(::cuIpcCloseMemHandle)>::value && TEXT_OF(cuIpcCloseMemHandle) == "cuIpcCloseMemHandle");

static_assert(TEXT_OF(CU_STREAM_LEGACY) == "((CUstream)0x1)" && TEXT_OF(CU_STREAM_PER_THREAD) == "((CUstream)0x2)");
static_assert(sizeof(::CUuuid) == sizeof(cuda_api::cudaUUID_t));
static_assert(sizeof(::CUDA_MEMCPY2D) == sizeof(cuda_driver::CopyOfRows));
static_assert(offsetof(::CUDA_MEMCPY2D, srcMemoryType) == offsetof(cuda_driver::SideOfRows, type));
static_assert(offsetof(::CUDA_MEMCPY2D, srcHost) == offsetof(cuda_driver::SideOfRows, host));
static_assert(offsetof(::CUDA_MEMCPY2D, srcDevice) == offsetof(cuda_driver::SideOfRows, device));
static_assert(offsetof(::CUDA_MEMCPY2D, srcPitch) == offsetof(cuda_driver::SideOfRows, pitch));
static_assert(offsetof(::CUDA_MEMCPY2D, dstXInBytes) == offsetof(cuda_driver::CopyOfRows, to));
static_assert(offsetof(::CUDA_MEMCPY2D, WidthInBytes) == offsetof(cuda_driver::CopyOfRows, width));
static_assert(offsetof(::CUDA_MEMCPY2D, Height) == offsetof(cuda_driver::CopyOfRows, height));

}  // namespace
}  // namespace cadastre
#endif
