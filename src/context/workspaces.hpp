// Tangled from org/context/workspaces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Workspaces of a context.
#ifndef CADASTRE_SRC_CONTEXT_WORKSPACES_HPP
#define CADASTRE_SRC_CONTEXT_WORKSPACES_HPP

#include <array>
#include <cstddef>
#include <optional>

#include "base/owned.hpp"
#include "context/lock.hpp"

namespace cadastre::internal {

cadastre_workspace_info_struct workspace_info(const Context& context, cadastre_memory_type type) noexcept;

// Takes the block of a piece out of the registry. Then, outside: frees it.
// waited: what came of waiting for the queues that used it. Memory that no free waits for is given up where that failed.
Record take_out(Context& context, const Piece& piece) noexcept;
cadastre_exit_code free_unless_in_use(Context& context, const Record& record, Order order, cadastre_exit_code waited) noexcept;

// Waits on the host for what the last lessee of a workspace left on his queue; when it fails, that is still to do.
cadastre_exit_code settle(Context& context, Workspace& workspace) noexcept;

// Whether idle workspaces can be freed: not while the capture of a queue is seen, with which nothing of the device may be waited for. To be
// asked outside.
bool may_free_idle_workspaces(Context& context) noexcept;
// Whether there is one that nobody leases from, of a type or of any.
bool has_idle_workspace(Context& context, std::optional<cadastre_memory_type> type) noexcept;
// Takes an automatic workspace that nobody leases from and no queue is at work on, and its blocks out of the registry; null when there is none. Then, outside:
// frees them. Then, inside again: counts those that were not freed.
Owned<Workspace> take_idle_workspace(Context& context, cadastre_memory_type type) noexcept;
void free_taken(Context& context, Workspace& taken) noexcept;
void count_taken(Context& context, const Workspace& taken) noexcept;

// While a thread makes a workspace ready it is nobody else's, although nothing of it is leased.
void hold(Workspace& workspace) noexcept;
void let_off(Workspace& workspace) noexcept;
// Whether what the last lessee left is done, asked without waiting. Of a workspace that is held; called when no context is held.
bool is_done(Context& context, Workspace& workspace) noexcept;

// Asks so of idle workspaces, or of those only that are retired: they are held inside, asked outside, and let off inside again.
class IdleLook {
 public:
  enum class Of { all, retired };
  void begin(Context& context, WorkspacesOfType& of_type, Of which) noexcept;
  bool any() const noexcept { return number_ > 0; }
  void ask(Context& context) noexcept;
  // in_flight: set where a queue is at work on one of them.
  void end(bool& in_flight) noexcept;

 private:
  std::array<Workspace*, 2 * most_unfinished> asked_;
  std::size_t number_ = 0;
};

}  // namespace cadastre::internal
#endif
