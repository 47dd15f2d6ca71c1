// Tangled from org/context/free.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/free.hpp"

#include "base/error.hpp"
#include "base/fail.hpp"
#include "context/offers.hpp"

namespace cadastre::internal {

namespace {

// What came of a free; it fails on demand when it has succeeded, so that no memory is lost.
cadastre_exit_code unless_demanded(const Record& record, cadastre_exit_code code) noexcept {
  if (code != CADASTRE_SUCCESS || !is_armed(Point::free)) [[likely]]
    return code;
  const char* const rule = fails(Point::free, {record.type, record.backend, record.size, text_of(record.origin)});
  if (!rule) return code;
  Failure failure = about(record, CADASTRE_DEALLOCATION_FAILED, CADASTRE_REASON_INJECTED, record.pointer);
  failure.detail = rule;
  return fail(failure);
}

}  // namespace

cadastre_exit_code free_in_backend(Context& context, const Record& record, Order order) noexcept {
  if (record.how == how_in_slab) return CADASTRE_SUCCESS;  // it left the heap with the registry
  Backend& source = context.sources().of(record);
  const PoolUse* const use = context.sources().share_of(record);
  const BackendTime time(context.host().is_timing());
  cadastre_exit_code code;
  if (order) {
    code = use ? use->pool->free(use->share, record, *order) : source.free_ordered(record, *order);
  } else if (context.sources().settle_elsewhere(record) ==
             CADASTRE_CAPTURE_ACTIVE) {  // what a device says against itself does not keep the memory of another
    code = CADASTRE_CAPTURE_ACTIVE;
  } else {
    code = use ? use->pool->free(use->share, record) : source.free(record);
  }
  return unless_demanded(record, code);
}

namespace {

cadastre_exit_code free_in_pool(const Context& context, PoolUse& use, const Record& record, const KnownQueue& queue) noexcept {
  const BackendTime time(context.host().is_timing());
  return unless_demanded(record, use.pool->free_admitted(use.share, record, queue));
}

// The default queue is one on each device: where several are in use, the queue of the block's own is not enough.
bool goes_by_the_queue(Context& context, const Record& record, cadastre_queue queue) noexcept {
  if (record.backend != context.backend().number()) return false;
  if (record.flags & CADASTRE_STREAM_ORDERED) return true;
  if (const Pool* const pool = context.sources().pool_of(record); !pool || !pool->has_free_lists()) return false;
  return queue != CADASTRE_DEFAULT_QUEUE || (context.sources().devices_in_use() & ~bit_of(record.device)) == 0;
}

// What has to be before a block leaves the registry; order is none afterwards where nothing is left of it. queue: what the block's pool has found of it.
cadastre_exit_code make_ready_to_free(Context& context, const Record& record, Order& order, KnownQueue& queue) noexcept {
  if (goes_by_the_queue(context, record, *order)) {
    Pool* const pool = context.sources().pool_of(record);
    return pool ? pool->admit_free(queue = {*order}) : CADASTRE_SUCCESS;
  }
  const cadastre_exit_code code = context.sources().await(*order, context.sources().devices_in_use());
  order.reset();
  return code;
}

}  // namespace

cadastre_exit_code free_block(ContextLock& lock, void* pointer, Order order, std::uint64_t* serial) noexcept {
  Context& context = lock.context();
  Record record;
  cadastre_exit_code code = find_owned(context.registry(), pointer, record);
  if (code != CADASTRE_SUCCESS) return code;
  if (order) order = context.sources().resolved(*order);
  PoolUse* const use = order ? context.sources().share_of(record) : nullptr;
  KnownQueue queue;
  if (order && (!goes_by_the_queue(context, record, *order) || (use && use->pool->asks_before_free(*order)))) {
    code = lock.in_backend([&] { return make_ready_to_free(context, record, order, queue); });
    if (code == CADASTRE_SUCCESS) code = find_owned(context.registry(), pointer, record);
    if (code != CADASTRE_SUCCESS) return code;
  }
  if (serial) *serial = record.serial;
  const bool by_the_pool = use && order;
  if (by_the_pool && !is_armed(Point::free) && use->pool->free_at_once(use->share, record, *order)) {
    context.registry().remove(pointer);
    offer_cache(lock, record, *use, {});
    return CADASTRE_SUCCESS;
  }
  Hidden hidden;
  withdraw(context.registry(), record, hidden);
  const std::size_t room = room_to_keep(record.type, hidden.is_listed ? record.size : 0);  // a hidden block still counts
  lock.unlock();
  code = by_the_pool ? free_in_pool(context, *use, record, queue) : free_in_backend(context, record, order);
  if (code == CADASTRE_SUCCESS && !order) keep_within(record.type, room);
  if (code == CADASTRE_SUCCESS && !hidden.is_listed) return code;
  lock.relock();
  conclude_free(context.registry(), record, hidden, code);
  if (code == CADASTRE_SUCCESS && by_the_pool) offer_cache(lock, record, *use, queue);
  return code;
}

void withdraw(Registry& registry, const Record& record, Hidden& hidden) noexcept {
  if (record.type == CADASTRE_HOST) return registry.remove(record.pointer);
  registry.hide(record.pointer, hidden);
}

void conclude_free(Registry& registry, const Record& record, Hidden& hidden, cadastre_exit_code code) noexcept {
  if (hidden.is_listed && code == CADASTRE_CAPTURE_ACTIVE) return registry.show_where_it_was(hidden);
  registry.remove_hidden(hidden);
  if (code != CADASTRE_SUCCESS) registry.accounts().count_failed_free(record);
}

}  // namespace cadastre::internal
