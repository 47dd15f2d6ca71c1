// Tangled from org/workspace/workspace.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Leased memory of a thread on a queue, and what has to be done before another may have it.
#ifndef CADASTRE_SRC_WORKSPACE_WORKSPACE_HPP
#define CADASTRE_SRC_WORKSPACE_WORKSPACE_HPP

#include <cstddef>
#include <cstdint>
#include <memory>

#include "backends/backend.hpp"
#include "workspace/graph_watch.hpp"
#include "workspace/leased_memory.hpp"

namespace cadastre::internal {

// What has to be done before the memory is used on another queue, or freed.
enum class Behind { nothing, default_queue, event, everything };

class Workspace : public LeasedMemory {
 public:
  std::uint64_t thread = 0;                       // to which it is leased, or is about to be; 0: idle
  cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;  // on which it is leased, or was last
  std::uint64_t identity = 0;                     // of that queue, as its backend tells
  Behind behind = Behind::nothing;
  std::shared_ptr<Backend::Event> event = std::make_shared<Backend::Event>(nullptr);  // of parts that were one when it was recorded
  bool used = false;                                                                  // was ever leased
  bool acquiring = false;                                                             // its thread is making it ready for an acquisition
  bool retired = false;                       // it is leased to nobody: its memory goes when its queue is done
  bool captured = false;                      // a graph has its addresses, so it stays where it is and on its queue
  std::size_t captured_pieces = 0;            // how many, from the first on, that graph may have
  Behind beside_graphs = Behind::everything;  // what it would be behind, if no graph had it; of one that is captured
  std::uint64_t in_capture = 0;               // the one in which it was leased when it was idle last; 0 where none is known

  bool idle() const noexcept { return thread == 0; }
  // Whether a queue may be at work on it that can be asked.
  bool is_in_flight() const noexcept { return behind == Behind::event || behind == Behind::default_queue; }
  bool was_on(cadastre_queue next, std::uint64_t next_identity) const noexcept { return queue == next && identity == next_identity; }
  // What has to be done before the memory is used on a queue: where it was on that one, beside its graphs, which are launched there.
  Behind behind_for(cadastre_queue next, std::uint64_t next_identity) const noexcept {
    return was_on(next, next_identity) ? order_beside_graphs() : behind;
  }
  // Whether an idle one may be leased on a queue, which perhaps is being captured.
  bool may_go_to(cadastre_queue next, std::uint64_t next_identity, bool capturing) const noexcept {
    if (retired) return false;
    if (!used || !(captured || capturing)) return true;
    return was_on(next, next_identity) && identity != 0;
  }

  // Leaves its memory, of which nothing is leased, and what is to be waited for before it goes, to an empty workspace.
  void retire(Workspace& into) noexcept;
  // A graph has it from now on; watch: none, or one, of that graph.
  void capture(GraphWatches watch) noexcept;
  void release_captured() noexcept;
  // Whether all graphs are gone that have it, as far as they are watched.
  bool are_graphs_gone() const noexcept;
  // Releases it then; what was put on its queue beside the graphs is still to be waited for. Not while its thread makes it ready, or leaves it.
  void release_from_graphs() noexcept;
  bool may_be_released() const noexcept { return captured && !acquiring && (idle() || !leases_.empty()) && are_graphs_gone(); }
  // The watch of a capture; null when it has none.
  std::shared_ptr<GraphWatch> watch_of(std::uint64_t capture) const noexcept;
  // Nothing is known any more of what is to be waited for.
  void forget_order() noexcept { behind = beside_graphs = Behind::everything; }
  // What is behind some byte of its one piece goes to an empty one; no lease has bytes on both sides. Throws std::bad_alloc.
  void split(std::size_t offset, Workspace& right);
  // Takes the piece of the one behind it; neither has leases, and both are behind the same, or will not be.
  void join(Workspace& right) noexcept;
  // No queue is at work on an idle one any more; a graph may be again.
  void settled() noexcept {
    behind = beside_graphs = Behind::nothing;
    if (!captured) touched_bytes_ = 0;
  }
  // The event, when no other part is behind it; null else. The workspace has none after that.
  Backend::Event drop_event() noexcept;
  // Takes off the last piece of which nothing is leased and that no graph has; false when there is none such.
  bool remove_unused(Piece& removed) noexcept { return LeasedMemory::remove_unused(captured_pieces, removed); }

 private:
  Behind order_beside_graphs() const noexcept { return captured ? beside_graphs : behind; }

  GraphWatches watches_;
  bool unwatched_ = false;  // a graph has it that nobody watches
};

}  // namespace cadastre::internal
#endif
