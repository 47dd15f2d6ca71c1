// Tangled from org/backends/runtime_queues.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What is waited for on queues, events, captures, and what becomes of a graph.
#ifndef CADASTRE_SRC_BACKENDS_RUNTIME_QUEUES_HPP
#define CADASTRE_SRC_BACKENDS_RUNTIME_QUEUES_HPP

#include <cstdint>
#include <optional>

#include "backends/runtime_refusals.hpp"

namespace cadastre::internal::dialects {

using namespace cuda_api;

class RuntimeQueues : public RuntimeRefusals {
 public:
  cadastre_exit_code settle(const Record& record) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), record.device);
    if (device_is_captured(session)) return refused_by_capture(record.type, record.device, {}, wait_after);
    const Relaxed relaxed(session);
    return session.wait_for_device() ? CADASTRE_SUCCESS : refused_to_wait(record.device, session.refusal());
  }

  cadastre_exit_code synchronize(std::int32_t device, cadastre_queue queue) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), device);
    if (is_captured(session, static_cast<cudaStream_t>(queue))) {
      return refused_by_capture(CADASTRE_DEVICE, device, {}, wait_after);
    }
    const Relaxed relaxed(session);
    if (session.call(runtime().call.cudaStreamSynchronize, static_cast<cudaStream_t>(queue))) return CADASTRE_SUCCESS;
    return refused_to_wait(device, session.refusal());
  }

  bool has_events() const noexcept override { return true; }
  cadastre_queue queue_of_each_thread() const noexcept override { return cudaStreamPerThread; }

  cadastre_exit_code record_event(std::int32_t device, cadastre_queue queue, Event& event) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), device);
    auto marked = static_cast<cudaEvent_t>(event);
    const std::optional<Refusal> refusal = mark(session, marked, static_cast<cudaStream_t>(queue));
    event = marked;
    return refusal ? refused(device, *refusal) : CADASTRE_SUCCESS;
  }

  std::int32_t owner_of_queue(std::int32_t device, cadastre_queue queue) noexcept override {
    const auto stream = static_cast<cudaStream_t>(queue);
    const bool on_each = !stream || stream == runtime().dialect().default_stream() || stream == cudaStreamPerThread;
    if (on_each || gone() || runtime().devices < 2 || marked_on(device, stream) != cudaErrorInvalidResourceHandle) return device;
    for (std::int32_t other = 0; other < runtime().devices; ++other) {
      if (other != device && marked_on(other, stream) == cudaSuccess) return other;
    }
    return device;
  }

  cadastre_exit_code wait_event(std::int32_t device, cadastre_queue queue, Event event) noexcept override {
    if (!event || gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), device);
    const bool told =
        session.call(runtime().call.cudaStreamWaitEvent, static_cast<cudaStream_t>(queue), static_cast<cudaEvent_t>(event), 0U);
    return told ? CADASTRE_SUCCESS : refused(device, session.refusal());
  }

  bool event_passed(std::int32_t device, Event event) noexcept override {
    if (!event || gone()) return true;
    Session session(runtime(), device, Current::may_be_any);
    const Relaxed relaxed(session);
    return session.call(runtime().call.cudaEventQuery, static_cast<cudaEvent_t>(event));
  }

  cadastre_exit_code synchronize_event(std::int32_t device, Event event) noexcept override {
    if (!event || gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), device, Current::may_be_any);
    const Relaxed relaxed(session);
    if (session.call(runtime().call.cudaEventSynchronize, static_cast<cudaEvent_t>(event))) return CADASTRE_SUCCESS;
    return refused(device, session.refusal());
  }

  void destroy_event(std::int32_t device, Event event) noexcept override {
    if (event && !gone())
      Session(runtime(), device, Current::may_be_any).call(runtime().call.cudaEventDestroy, static_cast<cudaEvent_t>(event));
  }

  bool capturing(std::int32_t device, cadastre_queue queue) noexcept override {
    if (gone()) return false;
    Session session(runtime(), device);
    return is_captured(session, static_cast<cudaStream_t>(queue));
  }

  std::uint64_t queue_identity(std::int32_t device, cadastre_queue queue) noexcept override {
    if (gone() || queue == CADASTRE_DEFAULT_QUEUE || !runtime().call.cudaStreamGetId.is_there()) return 1;
    Session session(runtime(), device);
    return identity_of(session, static_cast<cudaStream_t>(queue));
  }

  bool capturing(std::int32_t device, cadastre_queue queue, std::uint64_t& identity) noexcept override {
    identity = 1;
    if (gone()) return false;
    Session session(runtime(), device);
    if (is_captured(session, static_cast<cudaStream_t>(queue))) return true;
    identity = identity_of(session, static_cast<cudaStream_t>(queue));
    return false;
  }

  std::uint64_t capture_of(std::int32_t device, cadastre_queue queue) noexcept override {
    const Routines& call = runtime().call;
    const bool has_objects =
        call.cudaUserObjectCreate.is_there() && call.cudaUserObjectRelease.is_there() && call.cudaGraphRetainUserObject.is_there();
    if (queue == CADASTRE_DEFAULT_QUEUE || !has_objects || gone()) return 0;
    Session session(runtime(), device);
    return look_at_capture(session, static_cast<cudaStream_t>(queue)).number;
  }

  Watched watch_graph(std::int32_t device, cadastre_queue queue, void (*gone)(void*), void* argument) noexcept override {
    Session session(runtime(), device);
    const Routines& call = runtime().call;
    const cudaGraph_t graph = look_at_capture(session, static_cast<cudaStream_t>(queue)).graph;
    cudaUserObject_t object = nullptr;
    if (!graph ||
        !session.call(call.cudaUserObjectCreate, &object, argument, cudaHostFn_t{gone}, 1U, unsigned{cudaUserObjectNoDestructorSync})) {
      gone(argument);
      return Watched::no;
    }
    if (session.call(call.cudaGraphRetainUserObject, graph, object, 1U, unsigned{cudaGraphUserObjectMove})) {
      return runtime().dialect().objects_outlive_launches ? Watched::until_done : Watched::until_gone;
    }
    session.call(call.cudaUserObjectRelease, object, 1U);
    return Watched::no;
  }

 protected:
  using RuntimeRefusals::RuntimeRefusals;
  ~RuntimeQueues() = default;

 private:
  // What comes of recording an event of a device on a stream.
  cudaError_t marked_on(std::int32_t device, cudaStream_t stream) const noexcept {
    Session session(runtime(), device);
    cudaEvent_t event = nullptr;
    if (const std::optional<Refusal> refusal = mark(session, event, stream)) return refusal->error;
    session.call(runtime().call.cudaEventDestroy, event);
    return cudaSuccess;
  }
};

}  // namespace cadastre::internal::dialects

#endif
