// Tangled from org/backends/backend_queues.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a backend does with its queues: waits, events, captures; a default for each.
#ifndef CADASTRE_SRC_BACKENDS_BACKEND_QUEUES_HPP
#define CADASTRE_SRC_BACKENDS_BACKEND_QUEUES_HPP

#include <cstdint>

#include "base/record.hpp"
#include "cadastre.h"

namespace cadastre::internal {

class BackendQueues {
 public:
  // A moment on a queue, which other queues and the host can wait for; null: none.
  using Event = void*;

  // Waits for all that the queue holds. The default queue is one on each device.
  virtual cadastre_exit_code synchronize(std::int32_t, cadastre_queue) noexcept { return CADASTRE_SUCCESS; }
  // Whether queues have events. Where not, record_event leaves them null, and a caller synchronizes instead.
  virtual bool has_events() const noexcept { return false; }
  // A number that stands for another queue in each thread; the default queue where there is none.
  virtual cadastre_queue queue_of_each_thread() const noexcept { return CADASTRE_DEFAULT_QUEUE; }
  // The device that a queue is of, as far as the vendor tells; else the one that is named. Not for a queue that is being captured.
  virtual std::int32_t owner_of_queue(std::int32_t device, cadastre_queue) noexcept { return device; }
  // Marks the end of what a queue of a device holds now; event is made where it is null, on that device, and is
  // for queues of that device from then on. When this fails, an event that was there marks what it did before. Not
  // for a queue that is being captured.
  virtual cadastre_exit_code record_event(std::int32_t, cadastre_queue, Event&) noexcept { return CADASTRE_SUCCESS; }
  // Lets what is put on a queue from now on begin after an event, which may be another device's.
  virtual cadastre_exit_code wait_event(std::int32_t, cadastre_queue, Event) noexcept { return CADASTRE_SUCCESS; }
  // Whether all before an event is done, asked without waiting; not, too, where the vendor does not tell.
  virtual bool event_passed(std::int32_t, Event) noexcept { return true; }
  // Waits for an event on the host.
  virtual cadastre_exit_code synchronize_event(std::int32_t, Event) noexcept { return CADASTRE_SUCCESS; }
  // Whoever waits for it already goes on doing so.
  virtual void destroy_event(std::int32_t, Event) noexcept {}
  // Whether a queue is being captured into a graph, as far as the vendor tells: nothing may be allocated or waited
  // for meanwhile.
  virtual bool capturing(std::int32_t, cadastre_queue) noexcept { return false; }
  // Tells a queue from those that had its number before, as far as the vendor does: 1, where he does not; 0, for none, where
  // he should have and failed.
  virtual std::uint64_t queue_identity(std::int32_t, cadastre_queue) noexcept { return 1; }
  // Whether an identity is one that no other queue has had, or will have.
  static constexpr bool is_unique(std::uint64_t identity) noexcept { return identity > 1; }
  // Both at once. identity: of a queue that is not being captured.
  virtual bool capturing(std::int32_t device, cadastre_queue queue, std::uint64_t& identity) noexcept {
    if (capturing(device, queue)) return true;
    identity = queue_identity(device, queue);
    return false;
  }
  // Tells the capture of a queue from all others, where the vendor says when the graph that comes of it is gone; else 0.
  virtual std::uint64_t capture_of(std::int32_t, cadastre_queue) noexcept { return 0; }
  // Lets gone be called, once, when nobody has the graph any more that is being captured from a queue: not as a graph, a copy, nor
  // what was instantiated; nor, where it is watched until done, is a launch of it at work. By any thread at any time, also in this call where nothing is
  // watched. It must not wait, nor call the vendor.
  enum class Watched { no, until_gone, until_done };
  virtual Watched watch_graph(std::int32_t, cadastre_queue, void (*gone)(void*), void* argument) noexcept {
    gone(argument);
    return Watched::no;
  }
  // Waits for all queues that may use a block.
  virtual cadastre_exit_code settle(const Record&) noexcept { return CADASTRE_SUCCESS; }
  // What is to be known before many blocks as this one are freed: CADASTRE_CAPTURE_ACTIVE, where a capture forbids it.
  virtual cadastre_exit_code admit_free(const Record& record) noexcept { return settle(record); }

 protected:
  ~BackendQueues() = default;
};

}  // namespace cadastre::internal
#endif
