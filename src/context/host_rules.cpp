// Tangled from org/context/host_rules.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/host_rules.hpp"

#include <algorithm>

#include "backends/host_heap.hpp"
#include "base/error.hpp"

namespace cadastre::internal {

void HostRules::renew() noexcept {
  timing_.store(false, std::memory_order_relaxed);
  from_malloc_ = false;
}

std::size_t HostRules::alone_below() const noexcept {
  if (none_at_once_ || !registry_.borrowed().empty()) return 0;
  return sources_.pool(CADASTRE_HOST) == CADASTRE_POOL_CACHING ? std::min(mapped_from, pooled_from(CADASTRE_HOST)) : mapped_from;
}

HeapRules::Copies HostRules::copies_at_once() const noexcept {
  if (none_at_once_) return HeapRules::Copies::none;
  return sources_.backend().number() == CADASTRE_BACKEND_HOST ? HeapRules::Copies::of_plain_memory_too : HeapRules::Copies::of_blocks;
}

cadastre_exit_code HostRules::set_from_malloc(bool from_malloc) noexcept {
  registry_.heap().lock();
  if (from_malloc && registry_.heap().slabs().count > 0) {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_HEAP_IN_USE});
  }
  from_malloc_ = from_malloc;
  return CADASTRE_SUCCESS;
}

void HostRules::set_timing(bool on) noexcept {
  registry_.heap().lock();
  timing_ = on;
  none_at_once_ = on || registry_.heap().opens_for() == ShardLock::Calls::recorded;
}

}  // namespace cadastre::internal
