// Tangled from org/workspace/workspaces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The workspaces of a context by memory type, and who gets which.
#ifndef CADASTRE_SRC_WORKSPACE_WORKSPACES_HPP
#define CADASTRE_SRC_WORKSPACE_WORKSPACES_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/owned.hpp"
#include "core/thread_workspace.hpp"
#include "workspace/workspace.hpp"

namespace cadastre::internal {

// How many idle workspaces of a type wait for their queues, and how many that are retired, before an acquisition waits for one of them: no device
// works on more queues at a time, as far as is known (CUDA has at most 32 connections to a device).
inline constexpr std::size_t most_unfinished = 32;

enum class Waiting { never, allowed };

// All workspaces of one memory type.
struct WorkspacesOfType {
  cadastre_workspace_scheme scheme = CADASTRE_WORKSPACE_SCHEME_AUTOMATIC;
  bool of_the_environment = false;  // the scheme was never set by a call
  std::vector<Owned<Workspace>> workspaces;
  Owned<Workspace> empty;             // for memory that is retired
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
  Owned<Workspace> take(const Workspace& workspace) noexcept;
  // Takes one away that would grow again if it were wanted, has memory, is idle, and no queue is at work on; null when there is none.
  Owned<Workspace> take_idle() noexcept;
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
  std::vector<Owned<Workspace>>::const_iterator find_idle(Waiting waiting) const noexcept;
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
  ThreadWorkspace thread_workspace_;
  Workspace* at_thread_ = nullptr;
  std::uint64_t thread_ = 0;
};

}  // namespace cadastre::internal
#endif
