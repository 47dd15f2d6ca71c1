// Tangled from org/context/workspace_table.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The workspaces of a context, and the one of them that a thread leases from without the context lock.
#ifndef CADASTRE_SRC_CONTEXT_WORKSPACE_TABLE_HPP
#define CADASTRE_SRC_CONTEXT_WORKSPACE_TABLE_HPP

#include <cstddef>
#include <cstdint>

#include "registry/registry.hpp"
#include "workspace/workspaces.hpp"

namespace cadastre::internal {

class WorkspaceTable {
 public:
  explicit WorkspaceTable(Registry& registry) noexcept : registry_(registry) {}
  // The workspaces, with none of them at a thread; to be written in, and where nothing is entered.
  Workspaces& open() noexcept {
    were_opened_ = true;
    return look();
  }
  Workspaces& look() const noexcept {
    take();
    return workspaces_;
  }
  bool were_opened() const noexcept { return were_opened_; }

  // Whether it may be handed out now; counts the calls that ask.
  bool is_wanted() noexcept { return !(not_for_ > 0 && not_for_-- > 0); }
  // Lets the calling thread's shard lease from an idle HOST workspace from now on. thread: its number; is_usual: whether HOST is what is leased where no
  // type is named.
  void offer(cadastre_context handle, std::uint64_t thread, Workspace& workspace, std::size_t granularity, bool is_usual) noexcept;
  // Takes it away from the thread that has it.
  void take() const noexcept {
    if (workspaces_.has_thread_workspace()) take_away();
  }
  // No shard has it any more.
  void end() noexcept { workspaces_.end_thread_workspace(); }
  // As a new one, where no workspace was ever there.
  void renew() noexcept {
    not_for_ = 0;
    were_opened_ = false;
  }

 private:
  void take_away() const noexcept;

  Registry& registry_;
  mutable Workspaces workspaces_;
  mutable std::uint32_t not_for_ = 0;  // releases, since another thread has taken it away
  bool were_opened_ = false;
};

}  // namespace cadastre::internal
#endif
