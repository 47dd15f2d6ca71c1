// Tangled from org/pool/queues.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/queues.hpp"

#include "base/error.hpp"

namespace cadastre::internal {

using Latched = Locked<Latch>;

cadastre_exit_code PoolQueues::admit(KnownQueue& queue) noexcept {
  queue.identity = 1;
  if (!backend_.capturing(place_.device, queue.handle, queue.identity)) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE, .reason = CADASTRE_REASON_CAPTURE_ACTIVE, .type = place_.type,
               .backend = place_.backend, .device = place_.device, .pointer = queue.handle,
               .detail = "allocate before the capture begins, and free after it has ended"});
}

Lane* PoolQueues::mark(const KnownQueue& queue) noexcept {
  if (!queue.is_default() && queue.handle == backend_.queue_of_each_thread()) {
    if (backend_.synchronize(place_.device, queue.handle) != CADASTRE_SUCCESS) return nullptr;
    const Latched latched(latch_);
    ++stock_.lanes.settled.visitors;
    return &stock_.lanes.settled;
  }
  latch_.lock();
  Lane* const lane = stock_.lanes.to_mark(queue);
  const bool covers_others = lane && !queue.is_unique() && (!lane->empty() || lane->visitors > 0);
  if (lane) ++lane->visitors;
  if (lane) lane->marking = true;
  Backend::Event event = lane ? lane->event : nullptr;
  latch_.unlock();
  if (!lane) return nullptr;
  // What is there already may be another queue's, which had the same number.
  cadastre_exit_code code = covers_others ? backend_.wait_event(place_.device, queue.handle, event) : CADASTRE_SUCCESS;
  if (code == CADASTRE_SUCCESS) code = backend_.record_event(place_.device, queue.handle, event);
  const Latched latched(latch_);
  lane->marking = false;
  lane->event = event;
  if (code == CADASTRE_SUCCESS) return lane;
  --lane->visitors;
  return nullptr;
}

cadastre_exit_code PoolQueues::event_of(Lane& lane, Backend::Event& event, bool& own) noexcept {
  if (lane.queue.is_default()) {
    KnownQueue queue = lane.queue;
    const cadastre_exit_code code = admit(queue);
    return code == CADASTRE_SUCCESS ? record_on_default(lane, event, own) : code;
  }
  const Latched latched(latch_);
  event = lane.event;
  return CADASTRE_SUCCESS;
}

// The lane's event where nobody else marks it now.
cadastre_exit_code PoolQueues::record_on_default(Lane& lane, Backend::Event& event, bool& own) noexcept {
  latch_.lock();
  own = std::exchange(lane.marking, true);
  event = own ? nullptr : lane.event;
  latch_.unlock();
  const cadastre_exit_code code = backend_.record_event(place_.device, CADASTRE_DEFAULT_QUEUE, event);
  if (own) return code;
  const Latched latched(latch_);
  lane.marking = false;
  lane.event = event;
  return code;
}

cadastre_exit_code PoolQueues::await(Lane& lane, const Order& order, bool& marked) noexcept {
  Backend::Event event = nullptr;
  bool own = false;
  cadastre_exit_code code = event_of(lane, event, own);
  marked = code == CADASTRE_SUCCESS;
  if (marked) code = order ? backend_.wait_event(place_.device, *order, event) : backend_.synchronize_event(place_.device, event);
  if (own) backend_.destroy_event(place_.device, event);
  return code;
}

// The default queue is asked about one moment until that has passed: about a later one at each time it might never be done. Of a lane with a visitor, which
// nobody else asks. until: frees so far, and then those before that moment.
bool PoolQueues::is_done_on_default(Lane& lane, std::uint64_t& until) noexcept {
  if (!lane.is_asked) {
    if (backend_.record_event(place_.device, CADASTRE_DEFAULT_QUEUE, lane.asked) != CADASTRE_SUCCESS) return false;
    lane.is_asked = true;
    lane.asked_until = until;
  }
  if (!backend_.event_passed(place_.device, lane.asked)) return false;
  lane.is_asked = false;
  until = lane.asked_until;
  return true;
}

bool PoolQueues::gather_done() noexcept {
  bool in_flight = false, may_ask = false;
  for (std::size_t i = 0;; ++i) {
    latch_.lock();
    Lane* const lane = i < stock_.lanes.size() ? &stock_.lanes.at(i) : nullptr;
    const bool holds = lane && !lane->empty(), is_default = holds && lane->queue.is_default();
    const bool is_others = is_default && lane->asking;
    if (holds) stock_.unpark(*lane);
    if (holds) ++lane->visitors;
    if (is_default) lane->asking = true;
    std::uint64_t until = holds ? lane->filed : 0;
    const Backend::Event event = holds ? lane->event : nullptr;
    latch_.unlock();
    if (!lane) return in_flight;
    if (!holds) continue;
    if (!may_ask) may_ask = !backend_.capturing(place_.device, CADASTRE_DEFAULT_QUEUE);
    const bool done = may_ask && !is_others && (is_default ? is_done_on_default(*lane, until) : backend_.event_passed(place_.device, event));
    const Latched latched(latch_);
    --lane->visitors;
    if (is_default && !is_others) lane->asking = false;
    if (done) stock_.settle(*lane, until, [&](const PoolPiece& piece) { watch_.hide(piece.begin, piece.bytes); });
    in_flight |= may_ask && !lane->empty();
  }
}

cadastre_exit_code PoolQueues::gather() noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  for (std::size_t i = 0;; ++i) {
    latch_.lock();
    Lane* const lane = i < stock_.lanes.size() ? &stock_.lanes.at(i) : nullptr;
    const bool holds = lane && !lane->empty();
    if (holds) stock_.unpark(*lane);
    if (holds) ++lane->visitors;
    const std::uint64_t until = holds ? lane->filed : 0;
    latch_.unlock();
    if (!lane) return worst;
    if (!holds) continue;
    bool marked = false;
    const cadastre_exit_code code = await(*lane, std::nullopt, marked);
    const Latched latched(latch_);
    --lane->visitors;
    if (code != CADASTRE_SUCCESS) {
      worst = code;
      continue;
    }
    stock_.settle(*lane, until, [&](const PoolPiece& piece) { watch_.hide(piece.begin, piece.bytes); });
  }
}

}  // namespace cadastre::internal
