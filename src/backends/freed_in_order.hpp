// Tangled from org/backends/freed_in_order.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What was freed in the order of queues, into a vendor's own pool.
#ifndef CADASTRE_SRC_BACKENDS_FREED_IN_ORDER_HPP
#define CADASTRE_SRC_BACKENDS_FREED_IN_ORDER_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "backends/runtime_session.hpp"
#include "base/lock.hpp"

namespace cadastre::internal::dialects {

using namespace cuda_api;

class FreedInOrder {
 public:
  enum class State { behind_event, done, unknown };
  // What was freed on a queue of a device, and the event behind it.
  struct Freed {
    std::int32_t device = no_device_id;
    cudaStream_t stream = nullptr;
    std::uint64_t queue = 0;  // its identity
    cudaEvent_t event = nullptr;
    std::size_t bytes = 0;
    std::size_t after_event = 0;  // of these, what was freed after it was recorded
    State state = State::done;
    Freed* next = nullptr;
  };

  void note_granted(std::int32_t device, std::size_t bytes) noexcept {
    if (std::atomic<std::size_t>* const live = live_on(device)) live->fetch_add(bytes, std::memory_order_relaxed);
  }

  // Of a block that no queue uses any more.
  void note(std::int32_t device, std::size_t bytes) noexcept {
    note_gone(device, bytes);
    Freed* freed = take_that([=](const Freed& each) { return each.state == State::done && each.device == device; });
    if (!freed) freed = new (std::nothrow) Freed{.device = device};
    if (!freed) return;
    freed->bytes += bytes;
    put(freed);
  }

  // Of one that was freed on a queue just now.
  void note(Session& session, std::int32_t device, cudaStream_t stream, std::size_t bytes) noexcept {
    note_gone(device, bytes);
    const std::uint64_t queue = identity_of(session, stream);
    Freed* freed = take(device, stream, queue);
    if (!freed) freed = new (std::nothrow) Freed{.device = device, .stream = stream, .queue = queue};
    if (!freed) return;
    freed->bytes += bytes;
    freed->after_event += bytes;
    freed->state = State::behind_event;
    if (!freed->event || freed->after_event >= bytes_of_an_event) {
      freed->after_event = 0;
      if (mark(session, freed->event, stream)) forget_event(session, *freed);
    }
    if (put(freed)) shorten(session.runtime);
  }

  // At most so much of what a pool has reserved: some of it may have served again.
  std::size_t bytes_on(std::int32_t device, std::size_t reserved) noexcept {
    const std::atomic<std::size_t>* const live = live_on(device);
    const std::size_t used = live ? live->load(std::memory_order_relaxed) : 0;
    const Locked locked(guard_);
    std::size_t bytes = 0;
    for (const Freed* each = first_; each; each = each->next) bytes += each->device == device ? each->bytes : 0;
    return std::min(bytes, reserved - std::min(reserved, used));
  }

  bool has_any() noexcept {
    const Locked locked(guard_);
    return first_ != nullptr;
  }

  // Asks all events. Returns what is done, and what is unknown, all of a device in one, for the caller to trim and then to put or delete; the rest stays.
  Freed* take_done(const Runtime& runtime, bool& in_flight) noexcept {
    Freed* all = take_all();
    Freed* done = nullptr;
    while (all) {
      Freed* const each = std::exchange(all, all->next);
      if (each->state == State::behind_event) ask(runtime, *each);
      if (each->state == State::behind_event) {
        in_flight = true;
        put(each);
      } else {
        join(done, each);
      }
    }
    return done;
  }

  // Lets no event be left.
  void forget_events(const Runtime& runtime) noexcept {
    for (Freed* all = take_all(); all;) {
      Freed* const each = std::exchange(all, all->next);
      if (each->event) {
        Session session(runtime, each->device, Current::may_be_any);
        forget_event(session, *each);
      }
      put(each);
    }
  }

  // Whether there are many by then.
  bool put(Freed* freed) noexcept {
    const Locked locked(guard_);
    freed->next = first_;
    first_ = freed;
    return ++count_ > longest_;
  }

 private:
  static constexpr std::size_t many = 64;
  static constexpr std::size_t bytes_of_an_event = std::size_t{64} << 10;
  static constexpr std::size_t most_devices = 64;  // of which it is counted what is in use

  std::atomic<std::size_t>* live_on(std::int32_t device) noexcept {
    const auto place = static_cast<std::size_t>(device);
    return place < most_devices ? &live_[place] : nullptr;
  }
  void note_gone(std::int32_t device, std::size_t bytes) noexcept {
    if (std::atomic<std::size_t>* const live = live_on(device)) live->fetch_sub(bytes, std::memory_order_relaxed);
  }

  Freed* take_all() noexcept {
    const Locked locked(guard_);
    count_ = 0;
    return std::exchange(first_, nullptr);
  }
  // The queue of each thread has one handle for all.
  Freed* take(std::int32_t device, cudaStream_t stream, unsigned long long queue) noexcept {
    if (stream == cudaStreamPerThread) return nullptr;
    return take_that([=](const Freed& each) {
      return each.state == State::behind_event && each.device == device && each.stream == stream && each.queue == queue;
    });
  }
  template <class Is>
  Freed* take_that(Is is) noexcept {
    const Locked locked(guard_);
    for (Freed** place = &first_; *place; place = &(*place)->next) {
      Freed* const each = *place;
      if (!is(*each)) continue;
      *place = each->next;
      --count_;
      return each;
    }
    return nullptr;
  }
  void shorten(const Runtime& runtime) noexcept {
    bool in_flight = false;
    for (Freed* done = take_done(runtime, in_flight); done;) put(std::exchange(done, done->next));
    const Locked locked(guard_);
    longest_ = std::max(many, 2 * count_);
  }
  static void join(Freed*& done, Freed* freed) noexcept {
    for (Freed* each = done; each; each = each->next) {
      if (each->device != freed->device || each->state != freed->state) continue;
      each->bytes += freed->bytes;
      delete freed;
      return;
    }
    freed->next = done;
    done = freed;
  }
  // In a capture nothing is asked. An event that the vendor does not know any more, since its device was reset, has nothing to tell.
  static void ask(const Runtime& runtime, Freed& freed) noexcept {
    Session session(runtime, freed.device);
    if (device_is_captured(session)) return;
    const Relaxed relaxed(session);
    const bool passed = session.call(runtime.call.cudaEventQuery, freed.event);
    if (!passed && session.refusal().error == cudaErrorNotReady) return;
    if (passed) session.call(runtime.call.cudaEventDestroy, freed.event);
    freed.event = nullptr;
    freed.state = passed ? State::done : State::unknown;
  }
  static void forget_event(Session& session, Freed& freed) noexcept {
    if (cudaEvent_t const event = std::exchange(freed.event, nullptr)) session.call(session.runtime.call.cudaEventDestroy, event);
    freed.state = State::unknown;
  }

  std::array<std::atomic<std::size_t>, most_devices> live_ = {};
  Mutex<Rank::pool> guard_;
  Freed* first_ CADASTRE_GUARDED_BY(guard_) = nullptr;
  std::size_t count_ CADASTRE_GUARDED_BY(guard_) = 0, longest_ CADASTRE_GUARDED_BY(guard_) = many;
};

}  // namespace cadastre::internal::dialects

#endif
