// Tangled from org/context/sources.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Where the memory of a context comes from, and the queues that work on it.
#ifndef CADASTRE_SRC_CONTEXT_SOURCES_HPP
#define CADASTRE_SRC_CONTEXT_SOURCES_HPP

#include <array>
#include <atomic>
#include <cstdint>

#include "backends/backend.hpp"
#include "pool/pools.hpp"
#include "workspace/workspaces.hpp"

namespace cadastre::internal {

// The bit of a device in a set of devices; none for one that has no place there.
constexpr std::uint64_t bit_of(std::int32_t device) noexcept { return device >= 0 && device < 64 ? std::uint64_t{1} << device : 0; }

// Which pools a context is to have.
struct PoolChoice {
  cadastre_pool named = CADASTRE_DEFAULT_POOL;                                        // as the options say
  std::array<cadastre_pool, memory_types> pools = for_each_type(CADASTRE_POOL_NONE);  // what that means for each memory type
  std::array<PoolKeep, memory_types> keep = {};
};

class Sources {
 public:
  void begin(Backend& backend, std::int32_t device, const PoolChoice& pools) noexcept;
  // As before begin, where there was never a pool.
  void renew() noexcept;

  Backend& backend() const noexcept { return *backend_; }
  std::int32_t device() const noexcept { return device_; }
  // Whether the heap gives HOST memory, not a backend of the caller's.
  bool host_is_ours() const noexcept { return host_is_ours_; }
  // Null where there is no backend of that number.
  Backend* numbered(cadastre_backend number) const noexcept;
  // That of a block.
  Backend& of(const Record& block) const noexcept { return *numbered(block.backend); }
  // That memory of a type comes from unless a request names another.
  const Backend& of_type(cadastre_memory_type type) const noexcept;
  // The backend that is meant, where it needs no opening any more; null otherwise.
  const Backend* at_hand(const cadastre_memory_info_struct& info) const noexcept;
  // Where the memory that is described comes from, and on which device it is: as named, else the context's own.
  cadastre_exit_code choose(const cadastre_memory_info_struct& info, Backend*& source) const noexcept;
  std::int32_t device_for(const cadastre_memory_info_struct& info, Backend& source) const noexcept;

  const PoolChoice& pool_choice() const noexcept { return choice_; }
  cadastre_pool pool(cadastre_memory_type type) const noexcept {
    return is_memory_type(type) ? choice_.pools[static_cast<std::size_t>(type)] : CADASTRE_POOL_NONE;
  }
  // The context's shares in pools of a memory type.
  PoolUses& pools(cadastre_memory_type type) noexcept { return pools_[static_cast<std::size_t>(type)]; }
  const std::array<PoolUses, memory_types>& all_pools() const noexcept { return pools_; }
  // The share that a block may be of, and its pool; null when there is none.
  PoolUse* share_of(const Record& block) noexcept;
  Pool* pool_of(const Record& block) noexcept {
    const PoolUse* const use = share_of(block);
    return use ? use->pool : nullptr;
  }

  cadastre_queue default_queue() const noexcept { return queue_.load(std::memory_order_relaxed); }
  void set_default_queue(cadastre_queue queue) noexcept { queue_.store(queue, std::memory_order_relaxed); }
  // What a queue that the caller names is to the backend.
  cadastre_queue resolved(cadastre_queue queue) const noexcept { return queue == CADASTRE_DEFAULT_QUEUE ? default_queue() : queue; }
  // One bit for each device, from 0 to 63, whose queues may be at work on blocks of the context.
  std::uint64_t devices_in_use() const noexcept { return devices_.load(std::memory_order_relaxed); }
  void add_devices(std::uint64_t devices) noexcept { devices_ |= devices; }
  // Likewise, of other backends, whose memory requests have named.
  std::uint64_t devices_of_others() const noexcept { return devices_of_others_.load(std::memory_order_relaxed); }
  void add_devices_of_others(std::uint64_t devices) noexcept { devices_of_others_ |= devices; }

  // The rest is called outside of the context. Waits for a queue.
  cadastre_exit_code await(cadastre_queue queue, std::uint64_t devices) noexcept;
  // Waits for queues that may be at work on a block and that its own backend, or its own device, knows nothing of.
  cadastre_exit_code settle_elsewhere(const Record& block) noexcept;
  // Refuses to wait for a device while the default queue is captured, of which the device may not tell.
  cadastre_exit_code admit_wait() noexcept;
  // Whether a request in that order may wait for queues: not while one is seen to be captured.
  bool may_wait_for_queues(const Order& order) noexcept;

 private:
  bool names_own(const cadastre_memory_info_struct& info) const noexcept {
    return info.backend == CADASTRE_DEFAULT_BACKEND || info.backend == backend_->number();
  }

  Backend* backend_ = nullptr;
  std::int32_t device_ = no_device_id;
  bool host_is_ours_ = false;
  PoolChoice choice_;
  std::array<PoolUses, memory_types> pools_;
  std::atomic<cadastre_queue> queue_ = CADASTRE_DEFAULT_QUEUE;
  std::atomic<std::uint64_t> devices_ = 0, devices_of_others_ = 0;
};

// On which terms memory from there is leased. Of DEVICE where the backend serves it, else of HOST, where no type is named.
cadastre_memory_type workspace_type(const Sources& sources) noexcept;
// To a multiple of which what is leased is rounded, and on which it lies.
std::size_t granularity_of(const Sources& sources, cadastre_memory_type type) noexcept;
// What its buffers lie at a multiple of, which is less where the backend cannot align as much.
std::size_t workspace_alignment(const Sources& sources, cadastre_memory_type type) noexcept;

}  // namespace cadastre::internal
#endif
