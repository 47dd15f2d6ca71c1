// Tangled from org/context/workspace_table.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/workspace_table.hpp"

namespace cadastre::internal {

void WorkspaceTable::offer(cadastre_context handle, std::uint64_t thread, Workspace& workspace, std::size_t granularity,
                           bool is_usual) noexcept {
  if (!workspaces_.may_be_at_thread(workspace, thread)) return;
  ThreadWorkspace& thread_workspace = workspaces_.begin_thread_workspace(workspace, thread, granularity, is_usual);
  if (!registry_.heap().give(&Shard::thread_workspace, thread_workspace, handle)) workspaces_.end_thread_workspace();
}

void WorkspaceTable::take_away() const noexcept {
  constexpr std::uint32_t for_a_while = 1000;
  if (registry_.heap().take(&Shard::thread_workspace) == Heap::TakenFrom::another) not_for_ = for_a_while;
  workspaces_.end_thread_workspace();
}

}  // namespace cadastre::internal
