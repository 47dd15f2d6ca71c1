// Tangled from org/context/offers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/offers.hpp"

#include "base/fail.hpp"

namespace cadastre::internal {

namespace {

bool may_have_cache(const Context& context, const Record& block) noexcept {
  const bool is_own = block.backend == context.backend().number() && block.device == context.device() && bit_of(context.device()) != 0;
  if (!is_own || context.sources().devices_in_use() != bit_of(context.device())) return false;
  if (!context.host().uses_shards() || is_armed(Point::malloc) || is_armed(Point::free)) return false;
  return is_pooled(block) && context.shared().room(block.type) >= 0;
}

}  // namespace

void offer_cache(const ContextLock& lock, const Record& block, PoolUse& use, const KnownQueue& queue) noexcept {
  Context& context = lock.context();
  if (!queue.is_unique() || (!queue.is_default() && queue.handle == context.backend().queue_of_each_thread())) return;
  if (context.cache().is_wanted() && !lock.is_any_unlocked() && may_have_cache(context, block))
    context.cache().offer(context.sources(), lock.handle(), block, use, queue);
}

void offer_cache_again(Context& context, const Slot& slot) noexcept {
  ThreadCache& cache = context.cache();
  const bool is_pinned_once = slot.unlocked_calls.load(std::memory_order_relaxed) == 1;
  if (cache.last_use() && cache.is_wanted() && is_pinned_once && may_have_cache(context, cache.last_block()))
    cache.offer(context.sources(), slot.handle, cache.last_block(), *cache.last_use(), cache.last_queue());
}

void offer_workspace(const ContextLock& lock, Workspace& workspace) noexcept {
  Context& context = lock.context();
  if (!context.workspace_table().is_wanted()) return;
  const bool is_plain =
      context.host().uses_shards() && !context.backend().has_events() && context.sources().default_queue() == CADASTRE_DEFAULT_QUEUE;
  if (!is_plain || lock.is_any_unlocked()) return;
  context.workspace_table().offer(lock.handle(), this_thread(), workspace, granularity_of(context.sources(), CADASTRE_HOST),
                                  workspace_type(context.sources()) == CADASTRE_HOST);
}

}  // namespace cadastre::internal
