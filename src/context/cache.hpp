// Tangled from org/context/cache.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The cache of blocks that a context has handed to a thread.
#ifndef CADASTRE_SRC_CONTEXT_CACHE_HPP
#define CADASTRE_SRC_CONTEXT_CACHE_HPP

#include <array>
#include <atomic>
#include <cstdint>

#include "context/sources.hpp"
#include "core/block_cache.hpp"
#include "registry/registry.hpp"

namespace cadastre::internal {

// Whether a block is a piece of a pool.
inline bool is_pooled(const Record& block) noexcept { return (block.how | how_ordered) == (how_pooled | how_ordered); }

class ThreadCache {
 public:
  explicit ThreadCache(Registry& registry) noexcept : registry_(registry) {}
  // Whether a thread has it; and whether one has that of any context.
  bool is_out() const noexcept { return of_ != nullptr; }
  static bool any_is_out() noexcept { return out_.load(std::memory_order_relaxed) > 0; }
  // Of which pool its blocks are; null where there is none.
  const Pool* pool() const noexcept { return of_ ? of_->pool : nullptr; }

  // Whether it may be handed out now; counts the calls that ask.
  bool is_wanted() noexcept { return !of_ && !(not_for_ > 0 && not_for_-- > 0); }
  // Hands it to the calling thread's shard. block: which has come from the pool or gone there; queue: in whose order.
  void offer(const Sources& sources, cadastre_context handle, const Record& block, PoolUse& use, const KnownQueue& queue) noexcept;
  // Takes it away from the thread that has it.
  void give_up() noexcept {
    if (is_out()) [[unlikely]]
      take();
  }
  // Enters what it has done; no shard has it any more.
  void enter() noexcept;
  // As a new one, while nobody has it.
  void renew() noexcept { not_for_ = 0; }

 private:
  void remember_queue(const KnownQueue& queue) noexcept;
  void take() noexcept;

  Registry& registry_;
  BlockCache cache_;
  PoolUse* of_ = nullptr;  // null: nobody has it
  CacheFreeLists lists_ = {};
  std::array<KnownQueue, BlockCache::most_queues - 1> queues_ = {};  // that were used last, the last one first
  std::uint32_t queue_count_ = 0;
  std::uint32_t not_for_ = 0;  // calls, since another thread has taken it away
  static std::atomic<unsigned> out_;
};

}  // namespace cadastre::internal
#endif
