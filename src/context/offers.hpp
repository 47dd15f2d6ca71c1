// Tangled from org/context/offers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a locked call leaves with its thread.
#ifndef CADASTRE_SRC_CONTEXT_OFFERS_HPP
#define CADASTRE_SRC_CONTEXT_OFFERS_HPP

#include "context/lock.hpp"

namespace cadastre::internal {

// For who ends a locked call. block: which has come from the pool or gone there; queue: in whose order.
void offer_cache(const ContextLock& lock, const Record& block, PoolUse& use, const KnownQueue& queue) noexcept;
// For who has another context's mutex, and has pinned it: where its cache was just taken away from the calling thread, hands it back with nothing in it.
void offer_cache_again(Context& context, const Slot& slot) noexcept CADASTRE_REQUIRES(slot.mutex);
void offer_workspace(const ContextLock& lock, Workspace& workspace) noexcept;

}  // namespace cadastre::internal
#endif
