// Tangled from org/context/host_rules.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// By which of its ways a context makes HOST blocks.
#ifndef CADASTRE_SRC_CONTEXT_HOST_RULES_HPP
#define CADASTRE_SRC_CONTEXT_HOST_RULES_HPP

#include <atomic>
#include <cstddef>

#include "context/sources.hpp"
#include "registry/registry.hpp"

namespace cadastre::internal {

class HostRules {
 public:
  HostRules(Registry& registry, const Sources& sources) noexcept : registry_(registry), sources_(sources) {}
  // As a context is created: whether a call may do without the context lock, whether HOST blocks may lie in slabs, and whether calls are recorded.
  void begin(bool shards, bool slabs, bool recorded) noexcept {
    may_use_shards_ = shards;
    may_use_slabs_ = slabs;
    none_at_once_ = recorded;
    registry_.heap().open_for(recorded ? ShardLock::Calls::recorded : ShardLock::Calls::all);
  }
  void renew() noexcept;

  // Whether threads may work in shards of the context, and whether HOST blocks that fit in a slab lie in one.
  bool uses_shards() const noexcept { return may_use_shards_ && sources_.host_is_ours(); }
  bool uses_slabs() const noexcept {
    return uses_shards() && may_use_slabs_ && !from_malloc_ && sources_.pool(CADASTRE_HOST) != CADASTRE_POOL_CACHING;
  }
  // Below which size blocks that stand alone may come and go without the context lock; 0 where none may.
  std::size_t alone_below() const noexcept;
  // What shards are told.
  HeapRules for_shards() const noexcept { return {.copies = copies_at_once(), .uses_slabs = uses_slabs(), .alone_below = alone_below()}; }

  // Whether all HOST blocks from now on are such that a free of the C library is good for them. Refused where slabs are there already.
  bool is_from_malloc() const noexcept { return from_malloc_; }
  cadastre_exit_code set_from_malloc(bool from_malloc) noexcept;
  // Whether the time of backends is counted.
  bool is_timing() const noexcept { return timing_; }
  void set_timing(bool on) noexcept;

 private:
  // Copies of blocks of the heap are the host's own, unless they are timed. What is plain memory the backend may have to say.
  HeapRules::Copies copies_at_once() const noexcept;

  Registry& registry_;
  const Sources& sources_;
  std::atomic<bool> timing_ = false;
  bool from_malloc_ = false;
  bool may_use_shards_ = false, may_use_slabs_ = false;
  bool none_at_once_ = false;  // because calls are timed or recorded
};

}  // namespace cadastre::internal
#endif
