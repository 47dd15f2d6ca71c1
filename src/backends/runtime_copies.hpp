// Tangled from org/backends/runtime_copies.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Copies, sets and hints in the words of a vendor.
#ifndef CADASTRE_SRC_BACKENDS_RUNTIME_COPIES_HPP
#define CADASTRE_SRC_BACKENDS_RUNTIME_COPIES_HPP

#include <algorithm>
#include <optional>

#include "backends/runtime_memory.hpp"

namespace cadastre::internal::dialects {

using namespace cuda_api;

inline cudaMemLocation location_of(std::int32_t device) noexcept {
  if (device == CADASTRE_HOST_DEVICE) return {cudaMemLocationTypeHost, 0};
  return {cudaMemLocationTypeDevice, device};
}

inline int number_of(std::int32_t device) noexcept { return device == CADASTRE_HOST_DEVICE ? cudaCpuDeviceId : device; }

inline bool send_prefetch(Session& session, const Hint& hint) noexcept {
  const Routines& call = session.runtime.call;
  const auto stream = static_cast<cudaStream_t>(hint.queue);
  if (call.cudaMemPrefetchAsync.is_there()) {
    return session.call(call.cudaMemPrefetchAsync, hint.begin, hint.bytes, location_of(hint.device), 0U, stream);
  }
  return session.call(call.cudaMemPrefetchAsync_12, hint.begin, hint.bytes, number_of(hint.device), stream);
}

inline cudaMemoryAdvise advice_of(cadastre_advice advice) noexcept {
  switch (advice) {
    case CADASTRE_ADVICE_UNSET_READ_MOSTLY: return cudaMemAdviseUnsetReadMostly;
    case CADASTRE_ADVICE_PREFERRED_LOCATION: return cudaMemAdviseSetPreferredLocation;
    case CADASTRE_ADVICE_UNSET_PREFERRED_LOCATION: return cudaMemAdviseUnsetPreferredLocation;
    case CADASTRE_ADVICE_ACCESSED_BY: return cudaMemAdviseSetAccessedBy;
    case CADASTRE_ADVICE_UNSET_ACCESSED_BY: return cudaMemAdviseUnsetAccessedBy;
    default: return cudaMemAdviseSetReadMostly;
  }
}

inline bool send_advice(Session& session, const Hint& hint) noexcept {
  const Routines& call = session.runtime.call;
  const cudaMemoryAdvise advice = advice_of(hint.advice);
  if (call.cudaMemAdvise.is_there()) {
    return session.call(call.cudaMemAdvise, hint.begin, hint.bytes, advice, location_of(hint.device));
  }
  return session.call(call.cudaMemAdvise_12, hint.begin, hint.bytes, advice, number_of(hint.device));
}

// Devices that cannot share a page with the host take no hints, and the vendor would refuse each.
inline bool takes_hints(Session& session, const Hint& hint) noexcept {
  return has(session, cudaDevAttrConcurrentManagedAccess, hint.place.device) &&
         (hint.device == CADASTRE_HOST_DEVICE || hint.device == hint.place.device ||
          has(session, cudaDevAttrConcurrentManagedAccess, hint.device));
}

class RuntimeCopies : public RuntimeMemory {
 public:
  cadastre_exit_code copy(const Copy& copy) noexcept override {
    Session session(runtime(), device_for(copy));
    if (conflicts(session, copy.queue, copy.wait)) return refused_by_capture(CADASTRE_DEVICE, device_for(copy), {}, wait_after);
    const Relaxed relaxed(session);
    return finish_copy(session, copy, start_copy(session, copy));
  }

  // Work on a queue that is captured becomes part of the graph, where nobody waits for it and it is not the default one.
  static bool conflicts(Session& session, cadastre_queue queue, bool wait) noexcept {
    return (wait || queue == CADASTRE_DEFAULT_QUEUE) && is_captured(session, static_cast<cudaStream_t>(queue));
  }

  bool start_copy(Session& session, const Copy& copy) const noexcept {
    const Routines& call = runtime().call;
    const auto stream = static_cast<cudaStream_t>(copy.queue);
    const Place &to = copy.to_place, &from = copy.from_place;
    if (!between_devices(copy) || to.type == CADASTRE_UVM || from.type == CADASTRE_UVM) {
      return session.call(call.cudaMemcpyAsync, copy.to, copy.from, copy.bytes, kind_of(copy), stream);
    }
    if (copy.queue == CADASTRE_DEFAULT_QUEUE) {
      return session.call(call.cudaMemcpyPeer, copy.to, to.device, copy.from, from.device, copy.bytes);
    }
    return session.call(call.cudaMemcpyPeerAsync, copy.to, to.device, copy.from, from.device, copy.bytes, stream);
  }

  cadastre_exit_code finish_copy(Session& session, const Copy& copy, bool started) const noexcept {
    const auto stream = static_cast<cudaStream_t>(copy.queue);
    const bool done = started && (!copy.wait || session.call(runtime().call.cudaStreamSynchronize, stream));
    return done ? CADASTRE_SUCCESS : refused_to_wait(device_for(copy), session.refusal());
  }

  cadastre_exit_code copy_rows(const Copy& rows) noexcept override {
    constexpr std::size_t widest_pitch = INT32_MAX;
    if (between_devices(rows) || std::max(rows.to_stride, rows.from_stride) > widest_pitch) {
      return Backend::copy_rows(rows);
    }
    Session session(runtime(), device_for(rows));
    if (conflicts(session, rows.queue, rows.wait)) return refused_by_capture(CADASTRE_DEVICE, device_for(rows), {}, wait_after);
    const Relaxed relaxed(session);
    const bool started = session.call(runtime().call.cudaMemcpy2DAsync, rows.to, rows.to_stride, rows.from, rows.from_stride, rows.bytes,
                                      rows.rows, kind_of(rows), static_cast<cudaStream_t>(rows.queue));
    return finish_copy(session, rows, started);
  }

  cadastre_exit_code set(const Fill& fill) noexcept override {
    const Routines& call = runtime().call;
    const auto stream = static_cast<cudaStream_t>(fill.queue);
    Session session(runtime(), fill.place.device);
    const bool waits = fill.wait || !on_device(fill.place);
    if (conflicts(session, fill.queue, waits)) return refused_by_capture(CADASTRE_DEVICE, fill.place.device, {}, wait_after);
    const Relaxed relaxed(session);
    if (!on_device(fill.place)) {
      if (!session.call(call.cudaStreamSynchronize, stream)) return refused_to_wait(fill.place.device, session.refusal());
      std::memset(fill.to, fill.value, fill.bytes);
      return CADASTRE_SUCCESS;
    }
    const bool done = session.call(call.cudaMemsetAsync, fill.to, fill.value, fill.bytes, stream) &&
                      (!fill.wait || session.call(call.cudaStreamSynchronize, stream));
    return done ? CADASTRE_SUCCESS : refused_to_wait(fill.place.device, session.refusal());
  }

  cadastre_exit_code prefetch(const Hint& hint, bool& taken) noexcept override {
    if (capturing(hint.place.device, hint.queue)) {
      taken = false;
      return refused_by_capture(CADASTRE_UVM, hint.place.device, {}, "call it on a queue that is not being captured");
    }
    return follow(hint, taken, [&](Session& session) { return send_prefetch(session, hint); });
  }

  cadastre_exit_code advise(const Hint& hint, bool& taken) noexcept override {
    return follow(hint, taken, [&](Session& session) { return send_advice(session, hint); });
  }

  template <class Tell>
  cadastre_exit_code follow(const Hint& hint, bool& taken, Tell tell) const noexcept {
    taken = false;
    Session session(runtime(), hint.place.device);
    if (!takes_hints(session, hint)) return CADASTRE_SUCCESS;
    taken = tell(session);
    const cudaError_t error = session.refusal().error;
    if (taken || error == cudaErrorInvalidDevice || error == cudaErrorNotSupported) return CADASTRE_SUCCESS;
    return refused(hint.device, session.refusal());
  }

 protected:
  using RuntimeMemory::RuntimeMemory;
  ~RuntimeCopies() = default;

 private:
  bool ours(const Place& place) const noexcept { return place.backend == number() && place.type != CADASTRE_HOST; }
  bool on_device(const Place& place) const noexcept { return ours(place) && place.type != CADASTRE_PINNED; }

  cudaMemcpyKind kind_of(const Copy& copy) const noexcept {
    if (on_device(copy.to_place)) return on_device(copy.from_place) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
    return on_device(copy.from_place) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
  }

  std::int32_t device_for(const Copy& copy) const noexcept {
    if (on_device(copy.from_place)) return copy.from_place.device;
    if (on_device(copy.to_place)) return copy.to_place.device;
    return ours(copy.from_place) ? copy.from_place.device : copy.to_place.device;
  }

  bool between_devices(const Copy& copy) const noexcept {
    const std::int32_t to = copy.to_place.device, from = copy.from_place.device;
    return on_device(copy.to_place) && on_device(copy.from_place) && to != from && to >= 0 && from >= 0;
  }
};

}  // namespace cadastre::internal::dialects

#endif
