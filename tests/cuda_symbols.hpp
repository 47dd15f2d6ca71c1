// Tangled from org/tests/runtime_symbols.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CADASTRE_TESTS_CUDA_SYMBOLS_HPP
#define CADASTRE_TESTS_CUDA_SYMBOLS_HPP

#include "../src/backends/cuda_api.hpp"

extern "C" {
cadastre::cuda_api::signature::cudaRuntimeGetVersion cudaRuntimeGetVersion;
cadastre::cuda_api::signature::cudaDriverGetVersion cudaDriverGetVersion;
cadastre::cuda_api::signature::cudaGetErrorString cudaGetErrorString;
cadastre::cuda_api::signature::cudaGetErrorName cudaGetErrorName;
cadastre::cuda_api::signature::cudaGetLastError cudaGetLastError;
cadastre::cuda_api::signature::cudaPeekAtLastError cudaPeekAtLastError;
cadastre::cuda_api::signature::cudaGetDeviceCount cudaGetDeviceCount;
#if CUDA_DOUBLE_VERSION < 12000
cadastre::cuda_api::signature::cudaGetDeviceProperties cudaGetDeviceProperties;
#endif
#if CUDA_DOUBLE_VERSION >= 12000 && CUDA_DOUBLE_VERSION < 13000
cadastre::cuda_api::signature::cudaGetDeviceProperties cudaGetDeviceProperties_v2;
#endif
#if CUDA_DOUBLE_VERSION >= 13000
cadastre::cuda_api::signature::cudaGetDeviceProperties cudaGetDeviceProperties;
#endif
cadastre::cuda_api::signature::cudaDeviceGetAttribute cudaDeviceGetAttribute;
cadastre::cuda_api::signature::cudaDeviceCanAccessPeer cudaDeviceCanAccessPeer;
cadastre::cuda_api::signature::cudaDeviceReset cudaDeviceReset;
cadastre::cuda_api::signature::cudaDeviceSynchronize cudaDeviceSynchronize;
cadastre::cuda_api::signature::cudaMemGetInfo cudaMemGetInfo;
cadastre::cuda_api::signature::cudaGetDevice cudaGetDevice;
cadastre::cuda_api::signature::cudaSetDevice cudaSetDevice;
cadastre::cuda_api::signature::cudaStreamCreate cudaStreamCreate;
cadastre::cuda_api::signature::cudaStreamCreateWithFlags cudaStreamCreateWithFlags;
cadastre::cuda_api::signature::cudaStreamDestroy cudaStreamDestroy;
cadastre::cuda_api::signature::cudaStreamSynchronize cudaStreamSynchronize;
cadastre::cuda_api::signature::cudaStreamQuery cudaStreamQuery;
cadastre::cuda_api::signature::cudaStreamWaitEvent cudaStreamWaitEvent;
#if CUDA_DOUBLE_VERSION >= 12000
cadastre::cuda_api::signature::cudaStreamGetId cudaStreamGetId;
#endif
cadastre::cuda_api::signature::cudaStreamIsCapturing cudaStreamIsCapturing;
cadastre::cuda_api::signature::cudaStreamBeginCapture cudaStreamBeginCapture;
cadastre::cuda_api::signature::cudaStreamEndCapture cudaStreamEndCapture;
#if CUDA_DOUBLE_VERSION >= 13000
cadastre::cuda_api::signature::cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo;
#endif
#if CUDA_DOUBLE_VERSION >= 11030 && CUDA_DOUBLE_VERSION < 13000
cadastre::cuda_api::signature::cudaStreamGetCaptureInfo_12 cudaStreamGetCaptureInfo_v2;
#endif
cadastre::cuda_api::signature::cudaThreadExchangeStreamCaptureMode cudaThreadExchangeStreamCaptureMode;
cadastre::cuda_api::signature::cudaEventCreate cudaEventCreate;
cadastre::cuda_api::signature::cudaEventCreateWithFlags cudaEventCreateWithFlags;
cadastre::cuda_api::signature::cudaEventRecord cudaEventRecord;
cadastre::cuda_api::signature::cudaEventQuery cudaEventQuery;
cadastre::cuda_api::signature::cudaEventSynchronize cudaEventSynchronize;
cadastre::cuda_api::signature::cudaEventElapsedTime cudaEventElapsedTime;
cadastre::cuda_api::signature::cudaEventDestroy cudaEventDestroy;
cadastre::cuda_api::signature::cudaLaunchHostFunc cudaLaunchHostFunc;
cadastre::cuda_api::signature::cudaMalloc cudaMalloc;
cadastre::cuda_api::signature::cudaFree cudaFree;
cadastre::cuda_api::signature::cudaMallocHost cudaMallocHost;
cadastre::cuda_api::signature::cudaHostAlloc cudaHostAlloc;
cadastre::cuda_api::signature::cudaFreeHost cudaFreeHost;
cadastre::cuda_api::signature::cudaHostRegister cudaHostRegister;
cadastre::cuda_api::signature::cudaHostUnregister cudaHostUnregister;
cadastre::cuda_api::signature::cudaMallocManaged cudaMallocManaged;
cadastre::cuda_api::signature::cudaMallocAsync cudaMallocAsync;
cadastre::cuda_api::signature::cudaFreeAsync cudaFreeAsync;
cadastre::cuda_api::signature::cudaMallocFromPoolAsync cudaMallocFromPoolAsync;
cadastre::cuda_api::signature::cudaDeviceGetDefaultMemPool cudaDeviceGetDefaultMemPool;
cadastre::cuda_api::signature::cudaMemPoolCreate cudaMemPoolCreate;
cadastre::cuda_api::signature::cudaMemPoolDestroy cudaMemPoolDestroy;
cadastre::cuda_api::signature::cudaMemPoolTrimTo cudaMemPoolTrimTo;
cadastre::cuda_api::signature::cudaMemPoolSetAttribute cudaMemPoolSetAttribute;
cadastre::cuda_api::signature::cudaMemPoolGetAttribute cudaMemPoolGetAttribute;
cadastre::cuda_api::signature::cudaMemcpy cudaMemcpy;
cadastre::cuda_api::signature::cudaMemcpyAsync cudaMemcpyAsync;
cadastre::cuda_api::signature::cudaMemcpy2D cudaMemcpy2D;
cadastre::cuda_api::signature::cudaMemcpy2DAsync cudaMemcpy2DAsync;
cadastre::cuda_api::signature::cudaMemcpyPeer cudaMemcpyPeer;
cadastre::cuda_api::signature::cudaMemcpyPeerAsync cudaMemcpyPeerAsync;
cadastre::cuda_api::signature::cudaMemset cudaMemset;
cadastre::cuda_api::signature::cudaMemsetAsync cudaMemsetAsync;
cadastre::cuda_api::signature::cudaMemset2DAsync cudaMemset2DAsync;
#if CUDA_DOUBLE_VERSION >= 13000
cadastre::cuda_api::signature::cudaMemPrefetchAsync cudaMemPrefetchAsync;
#endif
#if CUDA_DOUBLE_VERSION < 13000
cadastre::cuda_api::signature::cudaMemPrefetchAsync_12 cudaMemPrefetchAsync;
#endif
#if CUDA_DOUBLE_VERSION >= 13000
cadastre::cuda_api::signature::cudaMemAdvise cudaMemAdvise;
#endif
#if CUDA_DOUBLE_VERSION < 13000
cadastre::cuda_api::signature::cudaMemAdvise_12 cudaMemAdvise;
#endif
cadastre::cuda_api::signature::cudaPointerGetAttributes cudaPointerGetAttributes;
#if CUDA_DOUBLE_VERSION >= 11040
cadastre::cuda_api::signature::cudaGraphInstantiateWithFlags cudaGraphInstantiateWithFlags;
#endif
cadastre::cuda_api::signature::cudaGraphLaunch cudaGraphLaunch;
cadastre::cuda_api::signature::cudaGraphDestroy cudaGraphDestroy;
cadastre::cuda_api::signature::cudaGraphExecDestroy cudaGraphExecDestroy;
cadastre::cuda_api::signature::cudaGraphClone cudaGraphClone;
#if CUDA_DOUBLE_VERSION >= 11030
cadastre::cuda_api::signature::cudaUserObjectCreate cudaUserObjectCreate;
#endif
#if CUDA_DOUBLE_VERSION >= 11030
cadastre::cuda_api::signature::cudaUserObjectRelease cudaUserObjectRelease;
#endif
#if CUDA_DOUBLE_VERSION >= 11030
cadastre::cuda_api::signature::cudaGraphRetainUserObject cudaGraphRetainUserObject;
#endif
cadastre::cuda_api::signature::cudaIpcGetMemHandle cudaIpcGetMemHandle;
cadastre::cuda_api::signature::cudaIpcOpenMemHandle cudaIpcOpenMemHandle;
cadastre::cuda_api::signature::cudaIpcCloseMemHandle cudaIpcCloseMemHandle;
}

#endif
