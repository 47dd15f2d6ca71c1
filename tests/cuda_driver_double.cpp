// Tangled from org/tests/cuda_driver_double.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The routine that tells a runtime is not in the library under its name.
#define cudaRuntimeGetVersion version_of_the_archive

#include "cuda_double.cpp"

#include "../src/backends/cuda_driver_api.hpp"

using namespace cadastre::cuda_driver;

namespace {

struct Context {
  int number, device;
};

int contexts_made = 1000;
Handles<Context> contexts;
std::set<CUcontext> destroyed_contexts;
std::map<int, std::pair<CUcontext, int>> primaries;  // of devices: the context, and how often it is retained
std::atomic<bool> initialised = false;

struct Stack {
  CUcontext contexts[16];
  std::size_t depth;
};
thread_local Stack stack{};

CUcontext top() { return stack.depth > 0 ? stack.contexts[stack.depth - 1] : nullptr; }

Context& context_of(CUcontext handle) {
  require(!destroyed_contexts.contains(handle), cudaErrorContextIsDestroyed);
  return contexts.at(handle, cudaErrorDeviceUninitialized);
}

CUcontext new_context(int number, int device) {
  const CUcontext handle = contexts.add<CUcontext>(Context{number, device});
  destroyed_contexts.erase(handle);
  return handle;
}

void destroy_context(CUcontext handle) {
  contexts.remove(handle);
  destroyed_contexts.insert(handle);
}

// The runtime's words for what is on top.
void adopt() {
  if (!top() || destroyed_contexts.contains(top())) {
    current_device = current_context = 0;
    return;
  }
  current_device = context_of(top()).device;
  current_context = context_of(top()).number;
}

void put_on_top(CUcontext handle) {
  if (handle) context_of(handle);
  if (!handle) {
    if (stack.depth > 0) --stack.depth;
  } else if (stack.depth == 0) {
    stack.contexts[stack.depth++] = handle;
  } else {
    stack.contexts[stack.depth - 1] = handle;
  }
  adopt();
}

CUcontext primary_of(int device) {
  auto& [handle, retained] = primaries[device];
  if (!handle) handle = new_context(device, device);
  return handle;
}

// cudaSetDevice was called, and then cudaDeviceReset.
void primary_becomes_current() { put_on_top(primary_of(current_device)); }
void primary_is_destroyed() {
  auto& [handle, retained] = primaries[current_device];
  if (handle) destroy_context(handle);
  handle = nullptr;
  retained = 0;
}

constexpr int first_device_handle = 0x41, between_device_handles = 3;

CUdevice handle_of(int device) { return first_device_handle + between_device_handles * device; }
int device_of(CUdevice handle) {
  require((handle - first_device_handle) % between_device_handles == 0, cudaErrorInvalidDevice);
  return Machine::get().device((handle - first_device_handle) / between_device_handles).number;
}

enum class Wants { nothing, beginning, context };

void require_for(Wants wants) {
  require(wants == Wants::nothing || initialised, cudaErrorInitializationError);
  if (wants != Wants::context) return;
  require(top() != nullptr, cudaErrorDeviceUninitialized);
  context_of(top());
}

cudaError_t lacking(Wants wants) {
  Machine& machine = Machine::get();
  if (ended || getpid() != machine.process) return cudaSuccess;  // the routine says so itself
  const std::lock_guard lock(machine.mutex);
  try {
    require_for(wants);
  } catch (const Refusal& refusal) {
    return refusal.error;
  }
  return cudaSuccess;
}

template <class Answer>
cudaError_t without_last_error(Answer answer) {
  const cudaError_t before = last_error;
  const cudaError_t error = answer();
  last_error = before;
  return error == cudaErrorInsufficientDriver ? cudaErrorNoDevice : error;
}

// What a routine of the runtime does.
template <class... Parameters, class... Arguments>
cudaError_t by(Wants wants, cudaError_t (*routine)(Parameters...), Arguments... arguments) {
  if (const cudaError_t error = lacking(wants); error != cudaSuccess) return error;
  return without_last_error([&] { return routine(arguments...); });
}

// What no routine does.
template <class Body>
cudaError_t own(const char* function, Wants wants, Body body) {
  return without_last_error([&] {
    return call(function, Needs::device, [&](Machine& machine) {
      require_for(wants);
      body(machine);
    });
  });
}

void* pointer_to(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }

unsigned side_of(cudaMemoryType type) {
  if (type == cudaMemoryTypeUnregistered) return 0;
  return type == cudaMemoryTypeHost ? unsigned{on_host} : unsigned{on_device};
}

// Does a copy between the devices of two contexts. A block that is not in its context's device is refused.
template <class Copy>
cudaError_t between(CUcontext there, CUcontext here, Copy copy) {
  int target = -1, source = -1;
  {
    const std::lock_guard lock(Machine::get().mutex);
    try {
      target = context_of(there).device, source = context_of(here).device;
    } catch (const Refusal& refusal) {
      return refusal.error;
    }
  }
  return copy(target, source);
}

}  // namespace

// All is exported that follows.
#pragma GCC visibility push(default)
#pragma GCC diagnostic ignored "-Wmissing-declarations"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wmissing-prototypes"
#endif
extern "C" {

cudaError_t cuInit(unsigned flags) {
  return own(__func__, Wants::nothing, [=](Machine&) {
    require(flags == 0);
    initialised = true;
  });
}

cudaError_t cuDriverGetVersion(int* version) { return by(Wants::nothing, cudaDriverGetVersion, version); }

cudaError_t cuGetErrorString(cudaError_t error, const char** sentence) {
  for (const Sentence& each : sentences) {
    if (each.error != error) continue;
    *sentence = each.message;
    return cudaSuccess;
  }
  *sentence = nullptr;
  return cudaErrorInvalidValue;
}

cudaError_t cuDeviceGetCount(int* count) { return by(Wants::beginning, cudaGetDeviceCount, count); }

cudaError_t cuDeviceGet(CUdevice* handle, int device) {
  return own(__func__, Wants::beginning, [=](Machine& machine) { *handle = handle_of(machine.device(device).number); });
}

cudaError_t cuDeviceGetName(char* name, int size, CUdevice handle) {
  return own(__func__, Wants::beginning,
             [=](Machine&) { std::snprintf(name, static_cast<std::size_t>(size), "CUDA double, no GPU: device %d", device_of(handle)); });
}

cudaError_t cuDeviceGetUuid(cudaUUID_t* uuid, CUdevice handle) {
  return own(__func__, Wants::beginning, [=](Machine&) {
    const int device = device_of(handle);
    for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<char>(0xA0 + i + device);
  });
}

cudaError_t cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice handle) {
  return own(__func__, Wants::beginning, [=](Machine& machine) { *bytes = machine.device(device_of(handle)).memory.capacity(); });
}

cudaError_t cuDeviceGetAttribute(int* value, cudaDeviceAttr attribute, CUdevice handle) {
  const int device = (handle - first_device_handle) / between_device_handles;
  return by(Wants::beginning, cudaDeviceGetAttribute, value, attribute, handle == handle_of(device) ? device : -1);
}

cudaError_t cuDeviceGetDefaultMemPool(cudaMemPool_t* pool, CUdevice handle) {
  const int device = (handle - first_device_handle) / between_device_handles;
  return by(Wants::beginning, cudaDeviceGetDefaultMemPool, pool, handle == handle_of(device) ? device : -1);
}

cudaError_t cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice handle) {
  return own(__func__, Wants::beginning, [=](Machine&) {
    const int device = device_of(handle);
    *context = primary_of(device);
    ++primaries[device].second;
  });
}

cudaError_t cuDevicePrimaryCtxRelease_v2(CUdevice handle) {
  return own(__func__, Wants::beginning, [=](Machine&) {
    auto& [context, retained] = primaries[device_of(handle)];
    require(retained > 0, cudaErrorDeviceUninitialized);
    if (--retained > 0) return;
    destroy_context(context);
    context = nullptr;
  });
}

cudaError_t cuDevicePrimaryCtxGetState(CUdevice handle, unsigned* flags, int* active) {
  return own(__func__, Wants::beginning, [=](Machine&) {
    *flags = 0;
    *active = primaries[device_of(handle)].first != nullptr;
  });
}

cudaError_t cuCtxCreate_v2(CUcontext* context, unsigned, CUdevice handle) {
  return own(__func__, Wants::beginning, [=](Machine&) {
    *context = new_context(++contexts_made, device_of(handle));
    stack.contexts[stack.depth++] = *context;
    adopt();
  });
}

cudaError_t cuCtxDestroy_v2(CUcontext context) {
  return own(__func__, Wants::beginning, [=](Machine&) {
    require(context_of(context).number >= 1000, cudaErrorDeviceUninitialized);
    destroy_context(context);
    if (top() == context) put_on_top(nullptr);
  });
}

cudaError_t cuCtxPushCurrent_v2(CUcontext context) {
  return own(__func__, Wants::beginning, [=](Machine&) {
    context_of(context);
    stack.contexts[stack.depth++] = context;
    adopt();
  });
}

cudaError_t cuCtxPopCurrent_v2(CUcontext* context) {
  return own(__func__, Wants::context, [=](Machine&) {
    if (context) *context = top();
    put_on_top(nullptr);
  });
}

cudaError_t cuCtxGetCurrent(CUcontext* context) {
  return own(__func__, Wants::beginning, [=](Machine&) { *context = top(); });
}

cudaError_t cuCtxSetCurrent(CUcontext context) {
  return own(__func__, Wants::beginning, [=](Machine&) { put_on_top(context); });
}

cudaError_t cuCtxGetDevice(CUdevice* handle) {
  int device = 0;
  const cudaError_t error = by(Wants::context, cudaGetDevice, &device);
  if (error == cudaSuccess) *handle = handle_of(device);
  return error;
}

cudaError_t cuCtxSynchronize() { return by(Wants::context, cudaDeviceSynchronize); }

cudaError_t cuMemGetInfo_v2(std::size_t* available, std::size_t* total) { return by(Wants::context, cudaMemGetInfo, available, total); }

cudaError_t cuMemAlloc_v2(void** pointer, std::size_t size) {
  return size == 0 ? cudaErrorInvalidValue : by(Wants::context, cudaMalloc, pointer, size);
}

cudaError_t cuMemFree_v2(void* pointer) { return by(Wants::context, cudaFree, pointer); }

cudaError_t cuMemHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return size == 0 ? cudaErrorInvalidValue : by(Wants::context, cudaHostAlloc, pointer, size, flags);
}

cudaError_t cuMemFreeHost(void* pointer) { return by(Wants::context, cudaFreeHost, pointer); }

cudaError_t cuMemAllocManaged(void** pointer, std::size_t size, unsigned flags) {
  return size == 0 ? cudaErrorInvalidValue : by(Wants::context, cudaMallocManaged, pointer, size, flags);
}

cudaError_t cuMemAllocAsync(void** pointer, std::size_t size, cudaStream_t stream) {
  return size == 0 ? cudaErrorInvalidValue : by(Wants::context, cudaMallocAsync, pointer, size, stream);
}

cudaError_t cuMemFreeAsync(void* pointer, cudaStream_t stream) { return by(Wants::context, cudaFreeAsync, pointer, stream); }

cudaError_t cuMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return by(Wants::beginning, cudaMemPoolGetAttribute, pool, attribute, value);
}

cudaError_t cuMemPoolTrimTo(cudaMemPool_t pool, std::size_t keep) { return by(Wants::beginning, cudaMemPoolTrimTo, pool, keep); }

cudaError_t cuIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return by(Wants::context, cudaIpcGetMemHandle, handle, pointer);
}

cudaError_t cuIpcOpenMemHandle_v2(void** pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  return by(Wants::context, cudaIpcOpenMemHandle, pointer, handle, flags);
}

cudaError_t cuIpcCloseMemHandle(void* pointer) { return by(Wants::context, cudaIpcCloseMemHandle, pointer); }

cudaError_t cuMemPrefetchAsync(CUdeviceptr begin, std::size_t size, CUdevice place, cudaStream_t stream) {
  const int device = (place - first_device_handle) / between_device_handles;
  const int number = place == cudaCpuDeviceId ? cudaCpuDeviceId : place == handle_of(device) ? device : -9;
  return by(Wants::context, cudaMemPrefetchAsync, pointer_to(begin), size, number, stream);
}

cudaError_t cuMemAdvise(CUdeviceptr begin, std::size_t size, cudaMemoryAdvise advice, CUdevice place) {
  const int device = (place - first_device_handle) / between_device_handles;
  const int number = place == cudaCpuDeviceId ? cudaCpuDeviceId : place == handle_of(device) ? device : -9;
  return by(Wants::context, cudaMemAdvise, pointer_to(begin), size, advice, number);
}

cudaError_t cuPointerGetAttributes(unsigned count, PointerAttribute* asked, void** into, CUdeviceptr address) {
  cudaPointerAttributes found{};
  const cudaError_t error = by(Wants::context, cudaPointerGetAttributes, &found, pointer_to(address));
  if (error != cudaSuccess) return error;
  const bool is_known = found.type != cudaMemoryTypeUnregistered, managed = found.type == cudaMemoryTypeManaged;
  for (unsigned i = 0; i < count; ++i) {
    switch (asked[i]) {
      case memory_type_of: *static_cast<unsigned*>(into[i]) = side_of(found.type); break;
      case is_managed: *static_cast<bool*>(into[i]) = managed; break;
      case ordinal_of: *static_cast<int*>(into[i]) = is_known ? found.device : 0; break;
    }
  }
  return cudaSuccess;
}

cudaError_t cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t size, cudaStream_t stream) {
  return by(Wants::context, cudaMemcpyAsync, pointer_to(to), pointer_to(from), size, cudaMemcpyDefault, stream);
}

cudaError_t cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t size, cudaStream_t stream) {
  return by(Wants::context, cudaMemcpyAsync, pointer_to(to), from, size, cudaMemcpyHostToDevice, stream);
}

cudaError_t cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t size, cudaStream_t stream) {
  return by(Wants::context, cudaMemcpyAsync, to, pointer_to(from), size, cudaMemcpyDeviceToHost, stream);
}

cudaError_t cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t size, cudaStream_t stream) {
  return by(Wants::context, cudaMemcpyAsync, pointer_to(to), pointer_to(from), size, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cuMemcpyPeerAsync(CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, std::size_t size, cudaStream_t stream) {
  return between(there, here, [=](int target, int source) {
    return by(Wants::context, cudaMemcpyPeerAsync, pointer_to(to), target, pointer_to(from), source, size, stream);
  });
}

cudaError_t cuMemcpyPeer(CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, std::size_t size) {
  return between(there, here, [=](int target, int source) {
    return by(Wants::context, cudaMemcpyPeer, pointer_to(to), target, pointer_to(from), source, size);
  });
}

cudaError_t cuMemcpy2DAsync_v2(const CopyOfRows* rows, cudaStream_t stream) {
  const bool to_host = rows->to.type == on_host, from_host = rows->from.type == on_host;
  void* const to = to_host ? const_cast<void*>(rows->to.host) : pointer_to(rows->to.device);
  const void* const from = from_host ? rows->from.host : pointer_to(rows->from.device);
  const cudaMemcpyKind kind = to_host     ? from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost
                              : from_host ? cudaMemcpyHostToDevice
                                          : cudaMemcpyDeviceToDevice;
  return by(Wants::context, cudaMemcpy2DAsync, to, rows->to.pitch, from, rows->from.pitch, rows->width, rows->height, kind, stream);
}

cudaError_t cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t size, cudaStream_t stream) {
  return by(Wants::context, cudaMemsetAsync, pointer_to(to), value, size, stream);
}

cudaError_t cuStreamCreate(cudaStream_t* stream, unsigned flags) { return by(Wants::context, cudaStreamCreateWithFlags, stream, flags); }
cudaError_t cuStreamDestroy_v2(cudaStream_t stream) { return by(Wants::context, cudaStreamDestroy, stream); }
cudaError_t cuStreamSynchronize(cudaStream_t stream) { return by(Wants::context, cudaStreamSynchronize, stream); }
cudaError_t cuStreamGetId(cudaStream_t stream, unsigned long long* id) { return by(Wants::context, cudaStreamGetId, stream, id); }

cudaError_t cuStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return by(Wants::context, cudaStreamWaitEvent, stream, event, flags);
}

cudaError_t cuStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return by(Wants::context, cudaStreamIsCapturing, stream, status);
}

cudaError_t cuStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                      const cudaGraphNode_t** nodes, std::size_t* count) {
  return by(Wants::context, cudaStreamGetCaptureInfo_v2, stream, status, id, graph, nodes, count);
}

cudaError_t cuUserObjectCreate(cudaUserObject_t* object, void* argument, cudaHostFn_t destroy, unsigned references, unsigned flags) {
  return by(Wants::beginning, cudaUserObjectCreate, object, argument, destroy, references, flags);
}

cudaError_t cuUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return by(Wants::beginning, cudaUserObjectRelease, object, count);
}

cudaError_t cuGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
  return by(Wants::beginning, cudaGraphRetainUserObject, graph, object, count, flags);
}

cudaError_t cuThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return by(Wants::beginning, cudaThreadExchangeStreamCaptureMode, mode);
}

cudaError_t cuEventCreate(cudaEvent_t* event, unsigned flags) { return by(Wants::context, cudaEventCreateWithFlags, event, flags); }
cudaError_t cuEventRecord(cudaEvent_t event, cudaStream_t stream) { return by(Wants::context, cudaEventRecord, event, stream); }
cudaError_t cuEventQuery(cudaEvent_t event) { return by(Wants::context, cudaEventQuery, event); }
cudaError_t cuEventSynchronize(cudaEvent_t event) { return by(Wants::context, cudaEventSynchronize, event); }
cudaError_t cuEventDestroy_v2(cudaEvent_t event) { return by(Wants::context, cudaEventDestroy, event); }

}  // extern "C"
#pragma GCC visibility pop

static_assert(std::is_same_v<decltype(cuInit), signature_of::cuInit>);
static_assert(std::is_same_v<decltype(cuGetErrorString), signature_of::cuGetErrorString>);
static_assert(std::is_same_v<decltype(cuDeviceGetCount), signature_of::cuDeviceGetCount>);
static_assert(std::is_same_v<decltype(cuDeviceGet), signature_of::cuDeviceGet>);
static_assert(std::is_same_v<decltype(cuDeviceGetName), signature_of::cuDeviceGetName>);
static_assert(std::is_same_v<decltype(cuDeviceGetUuid), signature_of::cuDeviceGetUuid>);
static_assert(std::is_same_v<decltype(cuDeviceTotalMem_v2), signature_of::cuDeviceTotalMem_v2>);
static_assert(std::is_same_v<decltype(cuDeviceGetAttribute), signature_of::cuDeviceGetAttribute>);
static_assert(std::is_same_v<decltype(cuDeviceGetDefaultMemPool), signature_of::cuDeviceGetDefaultMemPool>);
static_assert(std::is_same_v<decltype(cuDevicePrimaryCtxRetain), signature_of::cuDevicePrimaryCtxRetain>);
static_assert(std::is_same_v<decltype(cuDevicePrimaryCtxRelease_v2), signature_of::cuDevicePrimaryCtxRelease_v2>);
static_assert(std::is_same_v<decltype(cuCtxGetCurrent), signature_of::cuCtxGetCurrent>);
static_assert(std::is_same_v<decltype(cuCtxSetCurrent), signature_of::cuCtxSetCurrent>);
static_assert(std::is_same_v<decltype(cuCtxGetDevice), signature_of::cuCtxGetDevice>);
static_assert(std::is_same_v<decltype(cuMemcpyAsync), signature_of::cuMemcpyAsync>);
static_assert(std::is_same_v<decltype(cuMemcpyHtoDAsync_v2), signature_of::cuMemcpyHtoDAsync_v2>);
static_assert(std::is_same_v<decltype(cuMemcpyDtoHAsync_v2), signature_of::cuMemcpyDtoHAsync_v2>);
static_assert(std::is_same_v<decltype(cuMemcpyDtoDAsync_v2), signature_of::cuMemcpyDtoDAsync_v2>);
static_assert(std::is_same_v<decltype(cuMemcpyPeer), signature_of::cuMemcpyPeer>);
static_assert(std::is_same_v<decltype(cuMemcpyPeerAsync), signature_of::cuMemcpyPeerAsync>);
static_assert(std::is_same_v<decltype(cuMemcpy2DAsync_v2), signature_of::cuMemcpy2DAsync_v2>);
static_assert(std::is_same_v<decltype(cuMemsetD8Async), signature_of::cuMemsetD8Async>);
static_assert(std::is_same_v<decltype(cuMemPrefetchAsync), signature_of::cuMemPrefetchAsync>);
static_assert(std::is_same_v<decltype(cuMemAdvise), signature_of::cuMemAdvise>);
static_assert(std::is_same_v<decltype(cuPointerGetAttributes), signature_of::cuPointerGetAttributes>);
