// Tangled from org/backends/runtime_session.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How a vendor's routines are called.
#ifndef CADASTRE_SRC_BACKENDS_RUNTIME_SESSION_HPP
#define CADASTRE_SRC_BACKENDS_RUNTIME_SESSION_HPP

#include <cstdint>
#include <optional>

#include "base/non_copyable.hpp"
#include "backends/runtime.hpp"

namespace cadastre::internal::dialects {

using namespace cuda_api;

struct Refusal {
  const char* routine = "";
  cudaError_t error = cudaSuccess;
  Text message;
};

enum class Current { must_be_this, may_be_any };

class Session : NonCopyable {
 public:
  [[gnu::always_inline]] inline explicit Session(const Runtime& with, std::int32_t device = no_device_id,
                                                 Current current = Current::must_be_this) noexcept
      : runtime(with) {
    if (device == no_device_id) return;
    if (needs_context()) enter_context(device, current);
    else if (runtime.devices > 1 && current == Current::must_be_this) enter_device(device);
  }
  // A refusal may be that of earlier work on the device; then the second attempt is heard.
  [[gnu::always_inline]] inline ~Session() {
    if (moved_) move_back();
  }

  // Whether the vendor did it. Nothing is called where the device could not be made current.
  template <class Function, class... Arguments>
  bool call(const Routine<Function>& routine, Arguments... arguments) noexcept {
    if (!ready_) [[unlikely]]
      return false;
    if (runtime.gone()) [[unlikely]]
      return note_end(routine.symbol());
    const cudaError_t error = routine.entered()(arguments...);
    if (error == cudaSuccess) [[likely]]
      return true;
    return note_refusal(routine.symbol(), error);
  }

  // Whether all that was put on the device is done.
  bool wait_for_device() noexcept {
    void* byte = nullptr;
    if (!runtime.dialect().free_waits || !call(runtime.call.cudaMalloc, &byte, std::size_t{1})) {
      return call(runtime.call.cudaDeviceSynchronize);
    }
    if (call(runtime.call.cudaFree, byte)) return true;
    call(runtime.call.cudaFree, byte);  // the first refusal may be that of earlier work on the device
    return false;
  }

  // Of the routine that refused last.
  const Refusal& refusal() const noexcept { return refusal_; }

  const Runtime& runtime;

 private:
  [[gnu::cold, gnu::noinline]] bool note_end(const char* routine) noexcept {
    const cudaError_t error = runtime.ending() ? cudaErrorCudartUnloading : cudaErrorInitializationError;
    refusal_ = {routine, error, runtime.of_the_end()};
    return false;
  }
  [[gnu::cold, gnu::noinline]] bool note_refusal(const char* routine, cudaError_t error) noexcept {
    refusal_ = {routine, error, runtime.call.cudaGetErrorString(error)};
    runtime.call.cudaGetLastError();
    return false;
  }
  bool needs_context() const noexcept { return runtime.call.cuCtxSetCurrent.is_there(); }
  [[gnu::noinline]] void enter_context(std::int32_t device, Current current) noexcept {
    ready_ = call(runtime.call.cuCtxGetCurrent, &callers_context_);
    if (!ready_) return;
    if (!callers_context_) return move_to(device);
    if (current == Current::must_be_this) enter_device(device);
    if (!ready_ && refusal_.error == cudaErrorContextIsDestroyed) move_to(device);
  }
  void enter_device(std::int32_t device) noexcept {
    ready_ = call(runtime.call.cudaGetDevice, &callers_);
    if (ready_ && device != callers_) move_to(device);
  }
  void move_to(std::int32_t device) noexcept {
    moved_ = ready_ = true;
    ready_ = call(runtime.call.cudaSetDevice, device);
  }
  [[gnu::noinline]] void move_back() noexcept {
    ready_ = true;
    if (!restored()) restored();
  }
  bool restored() noexcept {
    return needs_context() ? call(runtime.call.cuCtxSetCurrent, callers_context_) : call(runtime.call.cudaSetDevice, callers_);
  }

  bool ready_ = true;
  bool moved_ = false;
  int callers_ = 0;
  CUcontext callers_context_ = nullptr;
  Refusal refusal_;
};

// Whether a device has what an attribute tells of; no, where the vendor does not say.
inline bool has(Session& session, cudaDeviceAttr attribute, std::int32_t device) noexcept {
  int value = 0;
  const Runtime& runtime = session.runtime;
  return session.call(runtime.call.cudaDeviceGetAttribute, &value, runtime.dialect().attribute(attribute), device) && value != 0;
}

// The calling thread may do what is unsafe while others capture, or itself.
class Relaxed : NonCopyable {
 public:
  explicit Relaxed(Session& session) noexcept : session_(session) {
    changed_ = session_.call(session_.runtime.call.cudaThreadExchangeStreamCaptureMode, &mode_);
  }
  // A refusal may be that of earlier work on the device; then the second attempt is heard.
  ~Relaxed() {
    if (changed_ && !restored()) restored();
  }

 private:
  bool restored() noexcept { return session_.call(session_.runtime.call.cudaThreadExchangeStreamCaptureMode, &mode_); }
  Session& session_;
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
  bool changed_ = false;
};

// The default stream is captured when one is that waits for it. A vendor who refuses otherwise will say so again.
inline bool is_captured(Session& session, cudaStream_t stream) noexcept {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (session.call(session.runtime.call.cudaStreamIsCapturing, stream, &status)) return status != cudaStreamCaptureStatusNone;
  return session.refusal().error == cudaErrorStreamCaptureImplicit;
}

// The capture of a stream, as the vendor numbers it, and the graph that it makes; 0 and null where there is none, or he does not tell.
struct Captured {
  std::uint64_t number = 0;
  cudaGraph_t graph = nullptr;
};

inline Captured look_at_capture(Session& session, cudaStream_t stream) noexcept {
  const Routines& call = session.runtime.call;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long number = 0;
  cudaGraph_t graph = nullptr;
  const auto no_nodes = static_cast<const cudaGraphNode_t**>(nullptr);
  const auto no_number = static_cast<std::size_t*>(nullptr);
  const bool is_told = call.cudaStreamGetCaptureInfo.is_there()
                           ? session.call(call.cudaStreamGetCaptureInfo, stream, &status, &number, &graph, no_nodes,
                                          static_cast<const cudaGraphEdgeData**>(nullptr), no_number)
                           : call.cudaStreamGetCaptureInfo_12.is_there() &&
                                 session.call(call.cudaStreamGetCaptureInfo_12, stream, &status, &number, &graph, no_nodes, no_number);
  if (!is_told || status != cudaStreamCaptureStatusActive || !graph) return {};
  return {number + 1, graph};
}

// Whether a wait for the current device would spoil a capture, as far as it can be seen.
inline bool device_is_captured(Session& session) noexcept { return is_captured(session, session.runtime.dialect().default_stream()); }

// The identity of a stream, as a backend tells that of a queue.
inline std::uint64_t identity_of(Session& session, cudaStream_t stream) noexcept {
  const auto& ask = session.runtime.call.cudaStreamGetId;
  if (!stream || !ask.is_there()) return 1;
  unsigned long long number = 0;
  return session.call(ask, stream, &number) ? number + 2 : 0;
}

// Records an event on a stream, and creates one where there is none; what was created is kept only where it was recorded. Returns
// what refused.
inline std::optional<Refusal> mark(Session& session, cudaEvent_t& event, cudaStream_t stream) noexcept {
  const Routines& call = session.runtime.call;
  cudaEvent_t marked = event;
  if (!event && !session.call(call.cudaEventCreateWithFlags, &marked, unsigned{cudaEventDisableTiming})) return session.refusal();
  if (session.call(call.cudaEventRecord, marked, stream)) {
    event = marked;
    return std::nullopt;
  }
  const Refusal refusal = session.refusal();
  if (!event) session.call(call.cudaEventDestroy, marked);
  return refusal;
}

}  // namespace cadastre::internal::dialects

#endif
