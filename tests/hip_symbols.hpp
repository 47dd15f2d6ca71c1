// Tangled from org/tests/runtime_symbols.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CADASTRE_TESTS_HIP_SYMBOLS_HPP
#define CADASTRE_TESTS_HIP_SYMBOLS_HPP

#include "../src/backends/hip_api.hpp"

extern "C" cadastre::cuda_api::signature::cudaRuntimeGetVersion hipRuntimeGetVersion;
#define cudaRuntimeGetVersion hipRuntimeGetVersion
extern "C" cadastre::cuda_api::signature::cudaDriverGetVersion hipDriverGetVersion;
#define cudaDriverGetVersion hipDriverGetVersion
extern "C" cadastre::cuda_api::signature::cudaGetErrorString hipGetErrorString;
#define cudaGetErrorString hipGetErrorString
extern "C" cadastre::cuda_api::signature::cudaGetErrorName hipGetErrorName;
#define cudaGetErrorName hipGetErrorName
extern "C" cadastre::cuda_api::signature::cudaGetLastError hipGetLastError;
#define cudaGetLastError hipGetLastError
extern "C" cadastre::cuda_api::signature::cudaPeekAtLastError hipPeekAtLastError;
#define cudaPeekAtLastError hipPeekAtLastError
extern "C" cadastre::cuda_api::signature::cudaGetDeviceCount hipGetDeviceCount;
#define cudaGetDeviceCount hipGetDeviceCount
#if HIP_DOUBLE_VERSION < 60000000
extern "C" cadastre::cuda_api::signature::cudaGetDeviceProperties hipGetDeviceProperties;
#define cudaGetDeviceProperties hipGetDeviceProperties
#endif
#if HIP_DOUBLE_VERSION >= 60000000
extern "C" cadastre::cuda_api::signature::cudaGetDeviceProperties hipGetDevicePropertiesR0600;
#define cudaGetDeviceProperties hipGetDevicePropertiesR0600
#endif
extern "C" cadastre::cuda_api::signature::cudaDeviceGetAttribute hipDeviceGetAttribute;
#define cudaDeviceGetAttribute hipDeviceGetAttribute
extern "C" cadastre::cuda_api::signature::cudaDeviceCanAccessPeer hipDeviceCanAccessPeer;
#define cudaDeviceCanAccessPeer hipDeviceCanAccessPeer
extern "C" cadastre::cuda_api::signature::cudaDeviceReset hipDeviceReset;
#define cudaDeviceReset hipDeviceReset
extern "C" cadastre::cuda_api::signature::cudaDeviceSynchronize hipDeviceSynchronize;
#define cudaDeviceSynchronize hipDeviceSynchronize
extern "C" cadastre::cuda_api::signature::cudaMemGetInfo hipMemGetInfo;
#define cudaMemGetInfo hipMemGetInfo
extern "C" cadastre::cuda_api::signature::cudaGetDevice hipGetDevice;
#define cudaGetDevice hipGetDevice
extern "C" cadastre::cuda_api::signature::cudaSetDevice hipSetDevice;
#define cudaSetDevice hipSetDevice
extern "C" cadastre::cuda_api::signature::cudaStreamCreate hipStreamCreate;
#define cudaStreamCreate hipStreamCreate
extern "C" cadastre::cuda_api::signature::cudaStreamCreateWithFlags hipStreamCreateWithFlags;
#define cudaStreamCreateWithFlags hipStreamCreateWithFlags
extern "C" cadastre::cuda_api::signature::cudaStreamDestroy hipStreamDestroy;
#define cudaStreamDestroy hipStreamDestroy
extern "C" cadastre::cuda_api::signature::cudaStreamSynchronize hipStreamSynchronize;
#define cudaStreamSynchronize hipStreamSynchronize
extern "C" cadastre::cuda_api::signature::cudaStreamQuery hipStreamQuery;
#define cudaStreamQuery hipStreamQuery
extern "C" cadastre::cuda_api::signature::cudaStreamWaitEvent hipStreamWaitEvent;
#define cudaStreamWaitEvent hipStreamWaitEvent
#if HIP_DOUBLE_VERSION >= 70100000
extern "C" cadastre::cuda_api::signature::cudaStreamGetId hipStreamGetId;
#define cudaStreamGetId hipStreamGetId
#endif
extern "C" cadastre::cuda_api::signature::cudaStreamIsCapturing hipStreamIsCapturing;
#define cudaStreamIsCapturing hipStreamIsCapturing
extern "C" cadastre::cuda_api::signature::cudaStreamBeginCapture hipStreamBeginCapture;
#define cudaStreamBeginCapture hipStreamBeginCapture
extern "C" cadastre::cuda_api::signature::cudaStreamEndCapture hipStreamEndCapture;
#define cudaStreamEndCapture hipStreamEndCapture
#if HIP_DOUBLE_VERSION >= 60300000
extern "C" cadastre::cuda_api::signature::cudaStreamGetCaptureInfo_12 hipStreamGetCaptureInfo_v2;
#define cudaStreamGetCaptureInfo hipStreamGetCaptureInfo_v2
#endif
extern "C" cadastre::cuda_api::signature::cudaThreadExchangeStreamCaptureMode hipThreadExchangeStreamCaptureMode;
#define cudaThreadExchangeStreamCaptureMode hipThreadExchangeStreamCaptureMode
extern "C" cadastre::cuda_api::signature::cudaEventCreate hipEventCreate;
#define cudaEventCreate hipEventCreate
extern "C" cadastre::cuda_api::signature::cudaEventCreateWithFlags hipEventCreateWithFlags;
#define cudaEventCreateWithFlags hipEventCreateWithFlags
extern "C" cadastre::cuda_api::signature::cudaEventRecord hipEventRecord;
#define cudaEventRecord hipEventRecord
extern "C" cadastre::cuda_api::signature::cudaEventQuery hipEventQuery;
#define cudaEventQuery hipEventQuery
extern "C" cadastre::cuda_api::signature::cudaEventSynchronize hipEventSynchronize;
#define cudaEventSynchronize hipEventSynchronize
extern "C" cadastre::cuda_api::signature::cudaEventElapsedTime hipEventElapsedTime;
#define cudaEventElapsedTime hipEventElapsedTime
extern "C" cadastre::cuda_api::signature::cudaEventDestroy hipEventDestroy;
#define cudaEventDestroy hipEventDestroy
#if HIP_DOUBLE_VERSION >= 50300000
extern "C" cadastre::cuda_api::signature::cudaLaunchHostFunc hipLaunchHostFunc;
#define cudaLaunchHostFunc hipLaunchHostFunc
#endif
extern "C" cadastre::cuda_api::signature::cudaMalloc hipMalloc;
#define cudaMalloc hipMalloc
extern "C" cadastre::cuda_api::signature::cudaFree hipFree;
#define cudaFree hipFree
extern "C" cadastre::cuda_api::signature::cudaMallocHost hipMallocHost;
#define cudaMallocHost hipMallocHost
extern "C" cadastre::cuda_api::signature::cudaHostAlloc hipHostMalloc;
#define cudaHostAlloc hipHostMalloc
extern "C" cadastre::cuda_api::signature::cudaFreeHost hipHostFree;
#define cudaFreeHost hipHostFree
extern "C" cadastre::cuda_api::signature::cudaHostRegister hipHostRegister;
#define cudaHostRegister hipHostRegister
extern "C" cadastre::cuda_api::signature::cudaHostUnregister hipHostUnregister;
#define cudaHostUnregister hipHostUnregister
extern "C" cadastre::cuda_api::signature::cudaMallocManaged hipMallocManaged;
#define cudaMallocManaged hipMallocManaged
extern "C" cadastre::cuda_api::signature::cudaMallocAsync hipMallocAsync;
#define cudaMallocAsync hipMallocAsync
extern "C" cadastre::cuda_api::signature::cudaFreeAsync hipFreeAsync;
#define cudaFreeAsync hipFreeAsync
extern "C" cadastre::cuda_api::signature::cudaMallocFromPoolAsync hipMallocFromPoolAsync;
#define cudaMallocFromPoolAsync hipMallocFromPoolAsync
extern "C" cadastre::cuda_api::signature::cudaDeviceGetDefaultMemPool hipDeviceGetDefaultMemPool;
#define cudaDeviceGetDefaultMemPool hipDeviceGetDefaultMemPool
extern "C" cadastre::cuda_api::signature::cudaMemPoolCreate hipMemPoolCreate;
#define cudaMemPoolCreate hipMemPoolCreate
extern "C" cadastre::cuda_api::signature::cudaMemPoolDestroy hipMemPoolDestroy;
#define cudaMemPoolDestroy hipMemPoolDestroy
extern "C" cadastre::cuda_api::signature::cudaMemPoolTrimTo hipMemPoolTrimTo;
#define cudaMemPoolTrimTo hipMemPoolTrimTo
extern "C" cadastre::cuda_api::signature::cudaMemPoolSetAttribute hipMemPoolSetAttribute;
#define cudaMemPoolSetAttribute hipMemPoolSetAttribute
extern "C" cadastre::cuda_api::signature::cudaMemPoolGetAttribute hipMemPoolGetAttribute;
#define cudaMemPoolGetAttribute hipMemPoolGetAttribute
extern "C" cadastre::cuda_api::signature::cudaMemcpy hipMemcpy;
#define cudaMemcpy hipMemcpy
extern "C" cadastre::cuda_api::signature::cudaMemcpyAsync hipMemcpyAsync;
#define cudaMemcpyAsync hipMemcpyAsync
extern "C" cadastre::cuda_api::signature::cudaMemcpy2D hipMemcpy2D;
#define cudaMemcpy2D hipMemcpy2D
extern "C" cadastre::cuda_api::signature::cudaMemcpy2DAsync hipMemcpy2DAsync;
#define cudaMemcpy2DAsync hipMemcpy2DAsync
extern "C" cadastre::cuda_api::signature::cudaMemcpyPeer hipMemcpyPeer;
#define cudaMemcpyPeer hipMemcpyPeer
extern "C" cadastre::cuda_api::signature::cudaMemcpyPeerAsync hipMemcpyPeerAsync;
#define cudaMemcpyPeerAsync hipMemcpyPeerAsync
extern "C" cadastre::cuda_api::signature::cudaMemset hipMemset;
#define cudaMemset hipMemset
extern "C" cadastre::cuda_api::signature::cudaMemsetAsync hipMemsetAsync;
#define cudaMemsetAsync hipMemsetAsync
extern "C" cadastre::cuda_api::signature::cudaMemset2DAsync hipMemset2DAsync;
#define cudaMemset2DAsync hipMemset2DAsync
extern "C" cadastre::cuda_api::signature::cudaMemPrefetchAsync_12 hipMemPrefetchAsync;
#define cudaMemPrefetchAsync hipMemPrefetchAsync
extern "C" cadastre::cuda_api::signature::cudaMemAdvise_12 hipMemAdvise;
#define cudaMemAdvise hipMemAdvise
extern "C" cadastre::cuda_api::signature::cudaPointerGetAttributes hipPointerGetAttributes;
#define cudaPointerGetAttributes hipPointerGetAttributes
extern "C" cadastre::cuda_api::signature::cudaGraphInstantiateWithFlags hipGraphInstantiateWithFlags;
#define cudaGraphInstantiateWithFlags hipGraphInstantiateWithFlags
extern "C" cadastre::cuda_api::signature::cudaGraphLaunch hipGraphLaunch;
#define cudaGraphLaunch hipGraphLaunch
extern "C" cadastre::cuda_api::signature::cudaGraphDestroy hipGraphDestroy;
#define cudaGraphDestroy hipGraphDestroy
extern "C" cadastre::cuda_api::signature::cudaGraphExecDestroy hipGraphExecDestroy;
#define cudaGraphExecDestroy hipGraphExecDestroy
extern "C" cadastre::cuda_api::signature::cudaGraphClone hipGraphClone;
#define cudaGraphClone hipGraphClone
#if HIP_DOUBLE_VERSION >= 60300000
extern "C" cadastre::cuda_api::signature::cudaUserObjectCreate hipUserObjectCreate;
#define cudaUserObjectCreate hipUserObjectCreate
#endif
#if HIP_DOUBLE_VERSION >= 60300000
extern "C" cadastre::cuda_api::signature::cudaUserObjectRelease hipUserObjectRelease;
#define cudaUserObjectRelease hipUserObjectRelease
#endif
#if HIP_DOUBLE_VERSION >= 60300000
extern "C" cadastre::cuda_api::signature::cudaGraphRetainUserObject hipGraphRetainUserObject;
#define cudaGraphRetainUserObject hipGraphRetainUserObject
#endif
extern "C" cadastre::cuda_api::signature::cudaIpcGetMemHandle hipIpcGetMemHandle;
#define cudaIpcGetMemHandle hipIpcGetMemHandle
extern "C" cadastre::cuda_api::signature::cudaIpcOpenMemHandle hipIpcOpenMemHandle;
#define cudaIpcOpenMemHandle hipIpcOpenMemHandle
extern "C" cadastre::cuda_api::signature::cudaIpcCloseMemHandle hipIpcCloseMemHandle;
#define cudaIpcCloseMemHandle hipIpcCloseMemHandle

#endif
