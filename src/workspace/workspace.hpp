// Tangled from org/workspace/workspace.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Memory that is leased: pieces, leases upon them in any order, and whose they are.
#ifndef CADASTRE_SRC_WORKSPACE_WORKSPACE_HPP
#define CADASTRE_SRC_WORKSPACE_WORKSPACE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "backends/backend.hpp"
#include "core/thread_workspace.hpp"
#include "workspace/graph_watch.hpp"

namespace cadastre::internal {

inline constexpr std::size_t least_granularity = 64;
inline constexpr const char* workspace_label = "workspace";

// The bytes that buffers of these sizes take together; none when no machine can hold them.
std::optional<std::size_t> leased_bytes(std::span<const std::size_t> sizes, std::size_t granularity) noexcept;

enum class Origin {
  allocated,  // by the context, for the workspace
  block,      // of the caller's, in the registry before
  part,       // a part of a block, but its first one
  recorded,   // memory of the caller's that the workspace had recorded
};

struct Piece {
  std::byte* begin = nullptr;
  std::size_t size = 0;
  std::size_t used = 0;
  Origin origin = Origin::allocated;
  Record record = {};  // of a workspace that was taken: of the block that was in the registry
  bool freed = false;  // likewise: whether its backend has freed it
};

struct Lease {
  cadastre_lease number;
  std::size_t bytes;  // rounded
  std::size_t piece, offset;
};

// What has to be done before the memory is used on another queue, or freed.
enum class Behind { nothing, default_queue, event, everything };

class Workspace {
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

  bool fits(std::size_t bytes) const noexcept { return bytes == 0 || room(bytes).piece < pieces_.size(); }
  // Makes sure that the next take and the next add cannot fail. Throws std::bad_alloc.
  void prepare();
  // Leases bytes, which must fit; answers where they begin, null for none.
  std::byte* take(std::size_t bytes, cadastre_lease number) noexcept;
  // Ends one of its leases.
  Lease give_back(std::size_t index) noexcept;

  void add(const Piece& piece) noexcept { pieces_.push_back(piece); }
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
  // A queue may be at work on so many bytes of the first piece, and on none behind them.
  void touch(std::size_t bytes) noexcept { touched_bytes_ = std::max(touched_bytes_, bytes); }
  std::size_t touched_bytes() const noexcept { return touched_bytes_; }
  // No queue is at work on an idle one any more; a graph may be again.
  void settled() noexcept {
    behind = beside_graphs = Behind::nothing;
    if (!captured) touched_bytes_ = 0;
  }
  // The event, when no other part is behind it; null else. The workspace has none after that.
  Backend::Event drop_event() noexcept;
  // Takes off the last piece of which nothing is leased and that no graph has; false when there is none such.
  bool remove_unused(Piece& removed) noexcept;

  std::span<const Piece> pieces() const noexcept { return pieces_; }
  std::span<Piece> pieces() noexcept { return pieces_; }
  std::span<const Lease> leases() const noexcept { return leases_; }
  std::size_t size() const noexcept;
  std::size_t used_bytes() const noexcept { return used_bytes_; }
  // The most that was ever leased of it at once; what a thread workspace leases is in its first piece, and changes nothing where that grows.
  std::size_t high_water_mark_bytes() const noexcept { return high_water_mark_bytes_; }
  // Leases lie one behind the other, within their pieces.
  bool check_invariants() const noexcept;

 private:
  struct Room {
    std::size_t piece, offset;
    std::size_t before;  // the lease before which one would be entered
  };
  Room behind_all() const noexcept;
  // Behind all leases where there are so many bytes, else the first gap; piece is their number for none.
  Room room(std::size_t bytes) const noexcept;
  // Shows all gaps and their bytes, until one is taken.
  template <class Take>
  void for_each_gap(Take take) const noexcept;

  Behind order_beside_graphs() const noexcept { return captured ? beside_graphs : behind; }

  std::vector<Piece> pieces_;
  GraphWatches watches_;
  bool unwatched_ = false;     // a graph has it that nobody watches
  std::vector<Lease> leases_;  // in the order of their places; one of no bytes is where it was behind all others
  std::size_t used_bytes_ = 0, high_water_mark_bytes_ = 0, touched_bytes_ = 0;
};

// How many idle workspaces of a type wait for their queues, and how many that are retired, before an acquisition waits for one of them: no device
// works on more queues at a time, as far as is known (CUDA has at most 32 connections to a device).
inline constexpr std::size_t most_unfinished = 32;

enum class Waiting { never, allowed };

// All workspaces of one memory type.
struct WorkspacesOfType {
  cadastre_workspace_scheme scheme = CADASTRE_WORKSPACE_SCHEME_AUTOMATIC;
  bool of_the_environment = false;  // the scheme was never set by a call
  std::vector<std::unique_ptr<Workspace>> workspaces;
  std::unique_ptr<Workspace> empty;   // for memory that is retired
  std::vector<cadastre_queue> asked;  // queues on which another thread than their lessee's records an event
  std::size_t used_bytes = 0, high_water_mark_bytes = 0;
  std::int64_t live_leases = 0, acquisitions = 0, failed_acquisitions = 0, growths = 0, waits = 0;

  bool explicit_size() const noexcept {
    return scheme == CADASTRE_WORKSPACE_SCHEME_PREALLOCATED || scheme == CADASTRE_WORKSPACE_SCHEME_USER_OWNED;
  }
  bool kept() const noexcept { return explicit_size() || scheme == CADASTRE_WORKSPACE_SCHEME_AUTOMATIC; }
  bool idle() const noexcept {
    return std::all_of(workspaces.begin(), workspaces.end(), [](const auto& w) { return w->idle(); });
  }
  std::size_t size() const noexcept;
  // Of those that are not retired, and of those that are.
  std::size_t count() const noexcept { return workspaces.size() - count_retired(); }
  std::size_t count_retired() const noexcept;
  // Idle ones that any queue may get.
  std::size_t count_idle() const noexcept;
  // Makes sure that memory may be retired once. Throws std::bad_alloc.
  void prepare_to_retire();
  // Likewise, unless there are too many already: null.
  Workspace* begin_retired() noexcept;
  // Takes one of these away.
  std::unique_ptr<Workspace> take(const Workspace& workspace) noexcept;
  // Takes one away that would grow again if it were wanted, has memory, is idle, and no queue is at work on; null when there is none.
  std::unique_ptr<Workspace> take_idle() noexcept;
  // Releases those that graphs had which are gone.
  void release_from_graphs() noexcept;
  // Whether there is one, where queues may be at work on it.
  bool has_idle() const noexcept { return find_idle(Waiting::allowed) != workspaces.end(); }
  // The one that is leased to this thread on this queue; else an idle one, best one on which it fits, then one that
  // the same queue had last; null when there is none. One that is being made ready is nobody's yet, also for an operation of a
  // backend that its thread is in.
  // identity: the queue's, as its backend tells. waiting: whether it may be one that another queue may be at work on.
  Workspace* choose(std::uint64_t thread, cadastre_queue queue, std::uint64_t identity, std::size_t bytes, bool capturing,
                    Waiting waiting) noexcept;
  void count_lease(std::size_t bytes) noexcept;
  void count_return(std::size_t bytes) noexcept;

 private:
  std::vector<std::unique_ptr<Workspace>>::const_iterator find_idle(Waiting waiting) const noexcept;
};

struct FoundLease {
  cadastre_memory_type type = CADASTRE_HOST;
  WorkspacesOfType* of_type = nullptr;
  Workspace* workspace = nullptr;
  std::size_t index = 0;  // of its leases
};

class Workspaces {
 public:
  Workspaces() noexcept;

  WorkspacesOfType& of(cadastre_memory_type type) noexcept { return types_[static_cast<std::size_t>(type)]; }
  const WorkspacesOfType& of(cadastre_memory_type type) const noexcept { return types_[static_cast<std::size_t>(type)]; }

  cadastre_lease next_lease() noexcept { return next_++; }
  bool was_given_out(cadastre_lease lease) const noexcept { return lease >= first_ && lease < next_; }
  // The watch of a capture that some workspace has; null when none has.
  std::shared_ptr<GraphWatch> watch_of(std::uint64_t capture) const noexcept;
  // Where a lease is that is alive; workspace is null when there is none such.
  FoundLease find(cadastre_lease lease) noexcept;

  // The size query of a thread: the most that was asked for; null when it has begun none.
  std::size_t* query_of(std::uint64_t thread) noexcept;
  void begin_query(std::uint64_t thread) { queries_.push_back({thread, 0}); }
  void end_query(std::uint64_t thread) noexcept;

  // Whether the memory of a HOST workspace may be leased in a thread workspace, by a thread on the backend's default queue; leases it there from now on,
  // and no more. In between the table of workspaces is not right.
  bool may_be_at_thread(const Workspace& workspace, std::uint64_t thread) noexcept;
  ThreadWorkspace& begin_thread_workspace(Workspace& workspace, std::uint64_t thread, std::size_t granularity, bool is_default) noexcept;
  void end_thread_workspace() noexcept;
  bool has_thread_workspace() const noexcept { return at_thread_ != nullptr; }

  // In the child of a fork: lets go what other threads were about to lease, or to give back.
  void forget_other_threads(std::uint64_t thread) noexcept;

 private:
  struct Query {
    std::uint64_t thread;
    std::size_t bytes;
  };

  std::array<WorkspacesOfType, memory_types> types_;
  std::vector<Query> queries_;
  cadastre_lease first_, next_;
  ThreadWorkspace workspace_table_;
  Workspace* at_thread_ = nullptr;
  std::uint64_t thread_ = 0;
};

}  // namespace cadastre::internal
#endif
