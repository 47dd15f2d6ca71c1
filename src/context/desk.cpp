// Tangled from org/context/desk.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/desk.hpp"

namespace cadastre::internal {

void LentDesk::offer(cadastre_context handle, std::uint64_t thread, Workspace& workspace, std::size_t granularity, bool is_usual) noexcept {
  if (!workspaces_.may_be_at_desk(workspace, thread)) return;
  Desk& desk = workspaces_.begin_desk(workspace, thread, granularity, is_usual);
  if (!registry_.give_desk(desk, handle)) workspaces_.end_desk();
}

void LentDesk::take_away() const noexcept {
  constexpr std::uint32_t for_a_while = 1000;
  if (registry_.take_desk() == Registry::TakenFrom::another) not_for_ = for_a_while;
  workspaces_.end_desk();
}

}  // namespace cadastre::internal
