// Tangled from org/backends/runtime_memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How a block is allocated and freed, and what the vendor keeps of freed ones.
#ifndef CADASTRE_SRC_BACKENDS_RUNTIME_MEMORY_HPP
#define CADASTRE_SRC_BACKENDS_RUNTIME_MEMORY_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "backends/freed_in_order.hpp"
#include "backends/ipc.hpp"
#include "backends/runtime_queues.hpp"

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

class RuntimeMemory : public RuntimeQueues {
 public:
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

  cadastre_exit_code admit_free(const Record& record) noexcept override {
    if (!free_waits(record)) return settle(record);
    if (!capturing(record.device, CADASTRE_DEFAULT_QUEUE)) return CADASTRE_SUCCESS;
    return refused_by_capture(record.type, record.device, {}, free_after);
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
    if (!ask_pool_of(session, device, before, &pool) || !session.call(call.cudaMemPoolTrimTo, pool, std::size_t{0}))
      return Trimmed::refused;
    return ask_pool_of(session, device, after) && after >= before ? Trimmed::nothing : Trimmed::some;
  }

  // How many bytes the default pool of a device has reserved; whether the vendor tells.
  static bool ask_pool_of(Session& session, std::int32_t device, std::uint64_t& reserved, cudaMemPool_t* found = nullptr) noexcept {
    const Routines& call = session.runtime.call;
    cudaMemPool_t pool = nullptr;
    if (!call.cudaDeviceGetDefaultMemPool.is_there() || !call.cudaMemPoolTrimTo.is_there() || !call.cudaMemPoolGetAttribute.is_there())
      return false;
    if (!session.call(call.cudaDeviceGetDefaultMemPool, &pool, device)) return false;
    if (found) *found = pool;
    return session.call(call.cudaMemPoolGetAttribute, pool, cudaMemPoolAttrReservedMemCurrent, static_cast<void*>(&reserved));
  }

 protected:
  using RuntimeQueues::RuntimeQueues;
  ~RuntimeMemory() = default;

  FreedInOrder freed_;

 private:
  std::atomic<std::int64_t> contexts_ = 0;
};

}  // namespace cadastre::internal::dialects

#endif
