// Tangled from org/pool/queues.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/queues.hpp"

#include "base/error.hpp"

namespace cadastre::internal {

cadastre_exit_code PoolQueues::admit(KnownQueue& queue) noexcept {
  queue.identity = 1;
  if (!backend_.capturing(place_.device, queue.handle, queue.identity)) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE,
               .reason = CADASTRE_REASON_CAPTURE_ACTIVE,
               .type = place_.type,
               .backend = place_.backend,
               .device = place_.device,
               .pointer = queue.handle,
               .detail = "allocate before the capture begins, and free after it has ended"});
}

FreeList* PoolQueues::mark(const KnownQueue& queue) noexcept {
  if (!queue.is_default() && queue.handle == backend_.queue_of_each_thread()) {
    if (backend_.synchronize(place_.device, queue.handle) != CADASTRE_SUCCESS) return nullptr;
    const PoolLocked locked(pool_lock_);
    ++stock_.free_lists.settled.pins;
    return &stock_.free_lists.settled;
  }
  pool_lock_.lock();
  FreeList* const free_list = stock_.free_lists.to_mark(queue);
  const bool covers_others = free_list && !queue.is_unique() && (!free_list->empty() || free_list->pins > 0);
  if (free_list) ++free_list->pins;
  if (free_list) free_list->marking = true;
  Backend::Event event = free_list ? free_list->event : nullptr;
  pool_lock_.unlock();
  if (!free_list) return nullptr;
  // What is there already may be another queue's, which had the same number.
  cadastre_exit_code code = covers_others ? backend_.wait_event(place_.device, queue.handle, event) : CADASTRE_SUCCESS;
  if (code == CADASTRE_SUCCESS) code = backend_.record_event(place_.device, queue.handle, event);
  const PoolLocked locked(pool_lock_);
  free_list->marking = false;
  free_list->event = event;
  if (code == CADASTRE_SUCCESS) return free_list;
  --free_list->pins;
  return nullptr;
}

cadastre_exit_code PoolQueues::event_of(FreeList& free_list, Backend::Event& event, bool& own) noexcept {
  if (free_list.queue.is_default()) {
    KnownQueue queue = free_list.queue;
    const cadastre_exit_code code = admit(queue);
    return code == CADASTRE_SUCCESS ? record_on_default(free_list, event, own) : code;
  }
  const PoolLocked locked(pool_lock_);
  event = free_list.event;
  return CADASTRE_SUCCESS;
}

// The free list's event where nobody else marks it now.
cadastre_exit_code PoolQueues::record_on_default(FreeList& free_list, Backend::Event& event, bool& own) noexcept {
  pool_lock_.lock();
  own = std::exchange(free_list.marking, true);
  event = own ? nullptr : free_list.event;
  pool_lock_.unlock();
  const cadastre_exit_code code = backend_.record_event(place_.device, CADASTRE_DEFAULT_QUEUE, event);
  if (own) return code;
  const PoolLocked locked(pool_lock_);
  free_list.marking = false;
  free_list.event = event;
  return code;
}

cadastre_exit_code PoolQueues::await(FreeList& free_list, const Order& order, bool& marked) noexcept {
  Backend::Event event = nullptr;
  bool own = false;
  cadastre_exit_code code = event_of(free_list, event, own);
  marked = code == CADASTRE_SUCCESS;
  if (marked) code = order ? backend_.wait_event(place_.device, *order, event) : backend_.synchronize_event(place_.device, event);
  if (own) backend_.destroy_event(place_.device, event);
  return code;
}

// The default queue is asked about one moment until that has passed: about a later one at each time it might never be done. Of a free list with a pin, which
// nobody else asks. until: frees so far, and then those before that moment.
bool PoolQueues::is_done_on_default(FreeList& free_list, std::uint64_t& until) noexcept {
  if (!free_list.is_asked) {
    if (backend_.record_event(place_.device, CADASTRE_DEFAULT_QUEUE, free_list.asked) != CADASTRE_SUCCESS) return false;
    free_list.is_asked = true;
    free_list.asked_until = until;
  }
  if (!backend_.event_passed(place_.device, free_list.asked)) return false;
  free_list.is_asked = false;
  until = free_list.asked_until;
  return true;
}

bool PoolQueues::gather_done() noexcept {
  bool in_flight = false, may_ask = false;
  for (std::size_t i = 0;; ++i) {
    pool_lock_.lock();
    FreeList* const free_list = i < stock_.free_lists.size() ? &stock_.free_lists.at(i) : nullptr;
    const bool holds = free_list && !free_list->empty(), is_default = holds && free_list->queue.is_default();
    const bool is_others = is_default && free_list->asking;
    if (holds) stock_.sort_exact_fits(*free_list);
    if (holds) ++free_list->pins;
    if (is_default) free_list->asking = true;
    std::uint64_t until = holds ? free_list->filed : 0;
    const Backend::Event event = holds ? free_list->event : nullptr;
    pool_lock_.unlock();
    if (!free_list) return in_flight;
    if (!holds) continue;
    if (!may_ask) may_ask = !backend_.capturing(place_.device, CADASTRE_DEFAULT_QUEUE);
    const bool done =
        may_ask && !is_others && (is_default ? is_done_on_default(*free_list, until) : backend_.event_passed(place_.device, event));
    const PoolLocked locked(pool_lock_);
    --free_list->pins;
    if (is_default && !is_others) free_list->asking = false;
    if (done) stock_.settle(*free_list, until, [&](const PoolPiece& piece) { watch_.hide(piece.begin, piece.bytes); });
    in_flight |= may_ask && !free_list->empty();
  }
}

cadastre_exit_code PoolQueues::gather() noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  for (std::size_t i = 0;; ++i) {
    pool_lock_.lock();
    FreeList* const free_list = i < stock_.free_lists.size() ? &stock_.free_lists.at(i) : nullptr;
    const bool holds = free_list && !free_list->empty();
    if (holds) stock_.sort_exact_fits(*free_list);
    if (holds) ++free_list->pins;
    const std::uint64_t until = holds ? free_list->filed : 0;
    pool_lock_.unlock();
    if (!free_list) return worst;
    if (!holds) continue;
    bool marked = false;
    const cadastre_exit_code code = await(*free_list, std::nullopt, marked);
    const PoolLocked locked(pool_lock_);
    --free_list->pins;
    if (code != CADASTRE_SUCCESS) {
      worst = code;
      continue;
    }
    stock_.settle(*free_list, until, [&](const PoolPiece& piece) { watch_.hide(piece.begin, piece.bytes); });
  }
}

}  // namespace cadastre::internal
