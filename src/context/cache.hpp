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
  // The share in the pool that its blocks are of; null where there is none.
  PoolUse* use() const noexcept { return of_; }
  const Pool* pool() const noexcept { return of_ ? of_->pool : nullptr; }

  // Whether it may be handed out now; counts the calls that ask.
  bool is_wanted() noexcept { return !of_ && !(not_for_ > 0 && not_for_-- > 0); }
  // Hands it to the calling thread's shard. block: which has come from the pool or gone there; queue: in whose order.
  void offer(const Sources& sources, cadastre_context handle, const Record& block, PoolUse& use, const KnownQueue& queue) noexcept;
  // Of which context's thread a cache is that a shard has.
  static ThreadCache& owner_of(BlockCache& cache) noexcept { return *static_cast<Own&>(cache).owner; }
  SharedAccount& account() noexcept { return registry_.accounts().shared(); }
  // Of which block and share it was the last time, where it was ever handed out.
  const Record& last_block() const noexcept { return last_block_; }
  PoolUse* last_use() const noexcept { return last_use_; }
  KnownQueue last_queue() const noexcept { return queue_count_ > 0 ? queues_[0] : KnownQueue(); }
  // Takes it away from the thread that has it.
  void give_up() noexcept {
    if (is_out()) [[unlikely]]
      take();
  }
  // Enters what it has done; no shard has it any more.
  void enter() noexcept;
  // As a new one, while nobody has it.
  void renew() noexcept {
    not_for_ = 0;
    last_use_ = nullptr;
  }

 private:
  void remember_queue(const KnownQueue& queue) noexcept;
  void take() noexcept;

  struct Own : BlockCache {
    ThreadCache* owner;
  };

  Registry& registry_;
  Own cache_ = {{}, this};
  PoolUse* of_ = nullptr;  // null: nobody has it
  PoolUse* last_use_ = nullptr;
  Record last_block_;
  CacheFreeLists lists_ = {};
  std::array<KnownQueue, BlockCache::most_queues - 1> queues_ = {};  // that were used last, the last one first
  std::uint32_t queue_count_ = 0;
  std::uint32_t not_for_ = 0;  // calls, since another thread has taken it away
  static std::atomic<unsigned> out_;
};

}  // namespace cadastre::internal
#endif
