// Tangled from org/backends/runtime_backend.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CADASTRE_SRC_BACKENDS_RUNTIME_BACKEND_HPP
#define CADASTRE_SRC_BACKENDS_RUNTIME_BACKEND_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>

#include "backends/backend.hpp"
#include "backends/freed_in_order.hpp"
#include "backends/ipc.hpp"

namespace cadastre::internal::dialects {

using namespace cuda_api;

constexpr std::size_t vendors_alignment = 256;
// What is whole segments shares none with another block, so that other processes may have it.
constexpr std::size_t vendors_segment = std::size_t{2} << 20;
constexpr std::size_t widest_alignment = vendors_alignment << 15;

inline std::uint16_t remark(const void* base, const void* block, bool ordered) noexcept {
  const auto before = static_cast<const std::byte*>(block) - static_cast<const std::byte*>(base);
  const auto units = static_cast<std::size_t>(before) / vendors_alignment;
  return static_cast<std::uint16_t>(units | (ordered ? how_ordered : 0U));
}

inline bool is_ordered(const Record& record) noexcept { return (record.how & how_ordered) != 0; }

inline void* base_of(const Record& record) noexcept {
  const std::size_t units = record.how & ~std::size_t{how_ordered};
  return static_cast<std::byte*>(record.pointer) - units * vendors_alignment;
}

inline bool take(Session& session, const Request& request, std::size_t bytes, bool ordered, void*& base) noexcept {
  const Routines& call = session.runtime.call;
  if (ordered) return session.call(call.cudaMallocAsync, &base, bytes, static_cast<cudaStream_t>(request.queue));
  switch (request.type) {
    case CADASTRE_PINNED: return session.call(call.cudaHostAlloc, &base, bytes, unsigned{cudaHostAllocDefault});
    case CADASTRE_UVM: return session.call(call.cudaMallocManaged, &base, bytes, unsigned{cudaMemAttachGlobal});
    default: return session.call(call.cudaMalloc, &base, bytes);
  }
}

inline bool give_back(Session& session, cadastre_memory_type type, void* base) noexcept {
  const Routines& call = session.runtime.call;
  return type == CADASTRE_PINNED ? session.call(call.cudaFreeHost, base) : session.call(call.cudaFree, base);
}

// Zeroes, and waits until it is done.
inline bool zero_on(Session& session, cudaStream_t stream, void* block, std::size_t bytes) noexcept {
  const Routines& call = session.runtime.call;
  return session.call(call.cudaMemsetAsync, block, 0, bytes, stream) && session.call(call.cudaStreamSynchronize, stream);
}

inline bool zero_on_another(Session& session, void* block, std::size_t bytes) noexcept {
  const Routines& call = session.runtime.call;
  cudaStream_t stream = nullptr;
  if (!session.call(call.cudaStreamCreateWithFlags, &stream, unsigned{cudaStreamNonBlocking})) return false;
  const bool zeroed = zero_on(session, stream, block, bytes);
  return session.call(call.cudaStreamDestroy, stream) && zeroed;
}

inline bool zero(Session& session, const Request& request, void* block, bool ordered) noexcept {
  if (request.size == 0) return true;
  if (request.type == CADASTRE_PINNED) {
    std::memset(block, 0, request.size);
    return true;
  }
  if (ordered) {
    return session.call(session.runtime.call.cudaMemsetAsync, block, 0, request.size, static_cast<cudaStream_t>(request.queue));
  }
  if (is_captured(session, cudaStreamPerThread)) return zero_on_another(session, block, request.size);
  return zero_on(session, cudaStreamPerThread, block, request.size);
}

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

class RuntimeBackend final : public Backend {
 public:
  // The runtime is opened by a function, which does so once, when it is called first.
  constexpr RuntimeBackend(const RuntimeVendor& vendor, const Runtime& (*opened)() noexcept) noexcept
      : vendor_(vendor), runtime_(opened) {}

  cadastre_backend number() const noexcept override { return vendor_.dialect.backend; }
  bool addresses_are_apart() const noexcept override { return true; }

  Presence presence() const noexcept override {
    return {runtime().usable(), runtime().devices, runtime().problem.characters, true, runtime().meaning.characters};
  }

  bool serves(cadastre_memory_type type) const noexcept override {
    if (type == CADASTRE_UVM) return runtime().managed;
    return type == CADASTRE_DEVICE || type == CADASTRE_PINNED;
  }

  Text problem(cadastre_memory_type type) const noexcept override {
    if (type != CADASTRE_UVM || runtime().managed) return {};
    return text("no device of this machine supports managed memory (%s)", runtime().dialect().managed_attribute);
  }

  bool exports(cadastre_memory_type type) const noexcept override { return type == CADASTRE_DEVICE && runtime().shares(); }

  bool takes_from_host(cadastre_memory_type type, std::int32_t device) noexcept override {
    if (type != CADASTRE_DEVICE || gone()) return type != CADASTRE_DEVICE;
    Session session(runtime(), device);
    return has(session, cudaDevAttrIntegrated, device);
  }

  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return widest_alignment; }
  std::size_t natural_alignment(cadastre_memory_type) const noexcept override { return vendors_alignment; }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    if (request.exported != Export::no) free_held_exports();
    Session session(runtime(), request.device);
    const std::size_t alignment = std::max(request.alignment, vendors_alignment);
    const std::size_t least = std::max<std::size_t>(request.size, 1) + (alignment - vendors_alignment);
    const std::size_t bytes = request.exported == Export::alone ? round_up(least, vendors_segment) : least;
    const bool ordered = request.ordered && request.exported == Export::no && request.type == CADASTRE_DEVICE &&
                         has(session, cudaDevAttrMemoryPoolsSupported, request.device);
    if (ordered && is_captured(session, static_cast<cudaStream_t>(request.queue))) {
      return refused_by_capture(request.type, request.device, {}, allocate_before);
    }
    const Relaxed relaxed(session);
    void* base = nullptr;
    if (!take(session, request, bytes, ordered, base)) return refused_to_allocate(request, session.refusal());
    lose_held_exports(*this, base, bytes);
    if (reinterpret_cast<std::uintptr_t>(base) % vendors_alignment != 0) {
      give_back(session, request.type, base);
      return misaligned(request, number(), vendors_alignment, base);
    }
    void* const block = reinterpret_cast<void*>(round_up(reinterpret_cast<std::uintptr_t>(base), alignment));
    if (ordered) freed_.note_granted(request.device, request.size);
    if (request.zero && !zero(session, request, block, ordered)) {
      const Refusal refusal = session.refusal();
      if (give_back(session, request.type, base) && ordered) freed_.note(request.device, request.size);
      return refused_to_allocate(request, refusal);
    }
    grant = {block, alignment, remark(base, block, ordered)};
    return CADASTRE_SUCCESS;
  }

  // Whether cudaFree waits for the device, so that nothing has to be called which an unseen capture forbids.
  static bool free_waits(const Record& record) noexcept { return record.type != CADASTRE_PINNED && !is_ordered(record); }

  cadastre_exit_code free(const Record& record) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), record.device);
    if (device_is_captured(session)) return refused_by_capture(record.type, record.device, {}, free_after);
    const Relaxed relaxed(session);
    if (record.flags & CADASTRE_EXPORTABLE) {
      free_held_exports();
      Hold hold = hold_export(record, false);
      if (hold == Hold::must_wait) {
        if (!session.wait_for_device()) return refused_to_free(record, session.refusal());
        hold = hold_export(record, true);
      }
      if (hold == Hold::held) return CADASTRE_SUCCESS;
    }
    const bool waited = free_waits(record) ? session.call(runtime().call.cudaStreamSynchronize, runtime().dialect().default_stream())
                                           : session.wait_for_device();
    const bool freed = waited && give_back(session, record.type, base_of(record));
    if (freed && is_ordered(record)) freed_.note(record.device, record.size);
    return freed ? CADASTRE_SUCCESS : refused_to_free(record, session.refusal());
  }

  cadastre_exit_code free_ordered(const Record& record, cadastre_queue queue) noexcept override {
    if (!is_ordered(record)) return Backend::free_ordered(record, queue);
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), record.device);
    if (is_captured(session, static_cast<cudaStream_t>(queue))) {
      return refused_by_capture(record.type, record.device, {}, free_after);
    }
    const Relaxed relaxed(session);
    const bool freed = session.call(runtime().call.cudaFreeAsync, base_of(record), static_cast<cudaStream_t>(queue));
    if (!freed && session.refusal().error == cudaErrorInvalidResourceHandle) return free(record);
    if (!freed) return refused_to_free(record, session.refusal());
    freed_.note(session, record.device, static_cast<cudaStream_t>(queue), record.size);
    return CADASTRE_SUCCESS;
  }

  bool give_up_own_pools(bool& in_flight) noexcept override {
    if (gone() || !freed_.has_any()) return false;
    bool any = false;
    for (FreedInOrder::Freed* done = freed_.take_done(runtime(), in_flight); done;) {
      FreedInOrder::Freed* const each = std::exchange(done, done->next);
      const Trimmed trimmed = trim_pool_of(each->device);
      any = any || trimmed == Trimmed::some;
      if (trimmed != Trimmed::refused) each->bytes = 0;
      if (trimmed != Trimmed::refused && each->state == FreedInOrder::State::done) delete each;
      else freed_.put(each);
    }
    return any;
  }

  cadastre_exit_code attach(Backend*& instance) noexcept override {
    contexts_.fetch_add(1, std::memory_order_relaxed);
    return Backend::attach(instance);
  }

  // With the last context its events go.
  cadastre_exit_code detach() noexcept override {
    if (contexts_.fetch_sub(1, std::memory_order_acq_rel) == 1 && !gone() && freed_.has_any()) freed_.forget_events(runtime());
    return CADASTRE_SUCCESS;
  }

  enum class Trimmed { refused, nothing, some };
  Trimmed trim_pool_of(std::int32_t device) const noexcept {
    const Routines& call = runtime().call;
    Session session(runtime(), device);
    if (device_is_captured(session)) return Trimmed::refused;
    const Relaxed relaxed(session);
    std::uint64_t before = 0, after = 0;
    cudaMemPool_t pool = nullptr;
    if (!ask_pool_of(session, device, before, &pool) || !session.call(call.cudaMemPoolTrimTo, pool, std::size_t{0})) return Trimmed::refused;
    return ask_pool_of(session, device, after) && after >= before ? Trimmed::nothing : Trimmed::some;
  }

  // How many bytes the default pool of a device has reserved; whether the vendor tells.
  static bool ask_pool_of(Session& session, std::int32_t device, std::uint64_t& reserved, cudaMemPool_t* found = nullptr) noexcept {
    const Routines& call = session.runtime.call;
    cudaMemPool_t pool = nullptr;
    if (!call.cudaDeviceGetDefaultMemPool.is_there() || !call.cudaMemPoolTrimTo.is_there() || !call.cudaMemPoolGetAttribute.is_there()) return false;
    if (!session.call(call.cudaDeviceGetDefaultMemPool, &pool, device)) return false;
    if (found) *found = pool;
    return session.call(call.cudaMemPoolGetAttribute, pool, cudaMemPoolAttrReservedMemCurrent, static_cast<void*>(&reserved));
  }

  cadastre_exit_code settle(const Record& record) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), record.device);
    if (device_is_captured(session)) return refused_by_capture(record.type, record.device, {}, wait_after);
    const Relaxed relaxed(session);
    return session.wait_for_device() ? CADASTRE_SUCCESS : refused_to_wait(record.device, session.refusal());
  }

  cadastre_exit_code admit_free(const Record& record) noexcept override {
    if (!free_waits(record)) return settle(record);
    if (!capturing(record.device, CADASTRE_DEFAULT_QUEUE)) return CADASTRE_SUCCESS;
    return refused_by_capture(record.type, record.device, {}, free_after);
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
    const bool told = session.call(runtime().call.cudaStreamWaitEvent, static_cast<cudaStream_t>(queue),
                                   static_cast<cudaEvent_t>(event), 0U);
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
    if (event && !gone()) Session(runtime(), device, Current::may_be_any).call(runtime().call.cudaEventDestroy, static_cast<cudaEvent_t>(event));
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
    const bool has_objects = call.cudaUserObjectCreate.is_there() && call.cudaUserObjectRelease.is_there() && call.cudaGraphRetainUserObject.is_there();
    if (queue == CADASTRE_DEFAULT_QUEUE || !has_objects || gone()) return 0;
    Session session(runtime(), device);
    return look_at_capture(session, static_cast<cudaStream_t>(queue)).number;
  }

  Watched watch_graph(std::int32_t device, cadastre_queue queue, void (*gone)(void*), void* argument) noexcept override {
    Session session(runtime(), device);
    const Routines& call = runtime().call;
    const cudaGraph_t graph = look_at_capture(session, static_cast<cudaStream_t>(queue)).graph;
    cudaUserObject_t object = nullptr;
    if (!graph || !session.call(call.cudaUserObjectCreate, &object, argument, cudaHostFn_t{gone}, 1U, unsigned{cudaUserObjectNoDestructorSync})) {
      gone(argument);
      return Watched::no;
    }
    if (session.call(call.cudaGraphRetainUserObject, graph, object, 1U, unsigned{cudaGraphUserObjectMove})) {
      return runtime().dialect().objects_outlive_launches ? Watched::until_done : Watched::until_gone;
    }
    session.call(call.cudaUserObjectRelease, object, 1U);
    return Watched::no;
  }

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
    const bool started =
        session.call(runtime().call.cudaMemcpy2DAsync, rows.to, rows.to_stride, rows.from, rows.from_stride, rows.bytes,
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

  cadastre_exit_code describe(std::int32_t device, DeviceDescription& description) noexcept override {
    Session session(runtime(), device);
    DeviceDescription found{};
    cudaDeviceProp properties{};
    if (!session.call(runtime().call.cudaMemGetInfo, &found.free, &found.total) ||
        !session.call(runtime().call.cudaGetDeviceProperties, &properties, device)) {
      return refused(device, session.refusal());
    }
    std::memcpy(found.name, properties.name, sizeof found.name - 1);
    runtime().dialect().write_uuid(properties, runtime().version, found.uuid);
    found.integrated = has(session, cudaDevAttrIntegrated, device);
    const bool is_said_to = runtime().dialect().tells_of_host_access && has(session, cudaDevAttrDirectManagedMemAccessFromHost, device);
    found.host_access = found.integrated && is_said_to;
    found.pageable_access = has(session, cudaDevAttrPageableMemoryAccess, device);
    if (std::uint64_t reserved = 0; freed_.has_any() && ask_pool_of(session, device, reserved)) found.freed = freed_.bytes_on(device, reserved);
    description = found;
    return CADASTRE_SUCCESS;
  }

  bool claims(const void* address, Place& place) noexcept override {
    Session session(runtime());
    cudaPointerAttributes attributes{};
    if (!session.call(runtime().call.cudaPointerGetAttributes, &attributes, address)) return false;
    runtime().dialect().translate(attributes, runtime().version);
    const bool managed = attributes.type == cudaMemoryTypeManaged;
    if (!managed && attributes.type != cudaMemoryTypeDevice) return false;
    place = {managed ? CADASTRE_UVM : CADASTRE_DEVICE, attributes.device, number()};
    return true;
  }

  std::int32_t current_device() noexcept override {
    if (!runtime().usable()) return no_device_id;
    int device = 0;
    Session(runtime()).call(runtime().call.cudaGetDevice, &device);
    return device;
  }

  cadastre_exit_code export_block(const Record& record, VendorHandle& handle, std::size_t& offset) noexcept override {
    Session session(runtime(), record.device);
    const Relaxed relaxed(session);
    cudaIpcMemHandle_t vendors{};
    static_assert(sizeof vendors == sizeof handle);
    if (!session.call(runtime().call.cudaIpcGetMemHandle, &vendors, base_of(record))) return refused(record.device, session.refusal());
    std::memcpy(&handle, &vendors, sizeof handle);
    offset = address_of(record.pointer) - address_of(base_of(record));
    return CADASTRE_SUCCESS;
  }

  cadastre_exit_code import_block(std::int32_t device, const VendorHandle& handle, void*& base) noexcept override {
    Session session(runtime(), device);
    const Relaxed relaxed(session);
    cudaIpcMemHandle_t vendors{};
    std::memcpy(&vendors, &handle, sizeof vendors);
    void* opened = nullptr;
    const unsigned lazily = runtime().dialect().flag<cudaIpcMemLazyEnablePeerAccess>(runtime().version);
    if (!session.call(runtime().call.cudaIpcOpenMemHandle, &opened, vendors, lazily)) {
      return refused(device, session.refusal());
    }
    base = opened;
    return CADASTRE_SUCCESS;
  }

  cadastre_exit_code close_import(std::int32_t device, void* base) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), device);
    const Relaxed relaxed(session);
    return session.call(runtime().call.cudaIpcCloseMemHandle, base) ? CADASTRE_SUCCESS : refused(device, session.refusal());
  }

 private:
  const Runtime& runtime() const noexcept { return runtime_(); }
  bool gone() const noexcept { return vendor(vendor_.dialect.backend) != Vendor::there; }

  // What comes of recording an event of a device on a stream.
  cudaError_t marked_on(std::int32_t device, cudaStream_t stream) const noexcept {
    Session session(runtime(), device);
    cudaEvent_t event = nullptr;
    if (const std::optional<Refusal> refusal = mark(session, event, stream)) return refusal->error;
    session.call(runtime().call.cudaEventDestroy, event);
    return cudaSuccess;
  }

  static constexpr const char* allocate_before = "allocate in the order of that queue before its capture begins";
  static constexpr const char* free_after = "free after the capture has ended, or in the order of a queue that is not being captured";
  static constexpr const char* wait_after = "wait after the capture has ended";

  // Whether it was a capture that forbade a call, which has done nothing then.
  static bool is_of_a_capture(const Refusal& refusal) noexcept {
    return refusal.error == cudaErrorStreamCaptureUnsupported || refusal.error == cudaErrorStreamCaptureInvalidated ||
           refusal.error == cudaErrorStreamCaptureImplicit;
  }

  cadastre_exit_code refused_by_capture(cadastre_memory_type type, std::int32_t device, const Refusal& refusal,
                                        const char* what) const noexcept {
    return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE, .reason = CADASTRE_REASON_CAPTURE_ACTIVE, .type = type,
                 .backend = number(), .device = device, .vendor_code = refusal.error,
                 .vendor = refusal.message, .detail = what});
  }

  cadastre_exit_code refused_to_allocate(const Request& request, const Refusal& refusal) const noexcept {
    if (is_of_a_capture(refusal)) return refused_by_capture(request.type, request.device, refusal, allocate_before);
    const bool too_much = refusal.error == cudaErrorMemoryAllocation || refusal.error == cudaErrorInvalidValue;
    return fail({.exit_code = CADASTRE_ALLOCATION_FAILED,
                 .reason = too_much ? CADASTRE_REASON_BACKEND_OUT_OF_MEMORY : CADASTRE_REASON_BACKEND_CALL_FAILED,
                 .type = request.type, .backend = number(), .device = request.device,
                 .requested = request.size, .vendor_code = refusal.error, .vendor = refusal.message,
                 .detail = too_much ? text(" from %s", refusal.routine) : refusal.routine});
  }

  cadastre_exit_code refused_to_free(const Record& record, const Refusal& refusal) const noexcept {
    if (is_of_a_capture(refusal)) return refused_by_capture(record.type, record.device, refusal, free_after);
    return fail({.exit_code = CADASTRE_DEALLOCATION_FAILED, .reason = CADASTRE_REASON_BACKEND_FREE_FAILED,
                 .type = record.type, .backend = number(), .device = record.device,
                 .base = record.pointer, .size = record.size, .vendor_code = refusal.error,
                 .vendor = refusal.message, .label = text_of(record.origin),
                 .detail = refusal.routine});
  }

  cadastre_exit_code refused(std::int32_t device, const Refusal& refusal) const noexcept {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_BACKEND_CALL_FAILED,
                 .backend = number(), .device = device, .vendor_code = refusal.error,
                 .vendor = refusal.message, .detail = refusal.routine});
  }

  cadastre_exit_code refused_to_wait(std::int32_t device, const Refusal& refusal) const noexcept {
    if (is_of_a_capture(refusal)) return refused_by_capture(CADASTRE_DEVICE, device, refusal, wait_after);
    return refused(device, refusal);
  }

  bool ours(const Place& place) const noexcept {
    return place.backend == number() && place.type != CADASTRE_HOST;
  }
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

  const RuntimeVendor& vendor_;
  const Runtime& (*runtime_)() noexcept;
  FreedInOrder freed_;
  std::atomic<std::int64_t> contexts_ = 0;
};

}  // namespace cadastre::internal::dialects

#endif
