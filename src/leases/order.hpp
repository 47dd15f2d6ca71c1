// Tangled from org/leases/order.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a queue has to come after before it may use the memory of a workspace.
#ifndef CADASTRE_SRC_LEASES_ORDER_HPP
#define CADASTRE_SRC_LEASES_ORDER_HPP

#include "context/workspaces.hpp"
#include "leases/refusals.hpp"

namespace cadastre::internal {

bool is_captured(ContextLock& lock, cadastre_queue queue) noexcept;
// Fills in what the backend knows of the queue.
void look_at_queue(ContextLock& lock, Want& want) noexcept;
// Refuses a queue that is none, and one of another device; one on which a workspace was leased before has been seen.
cadastre_exit_code admit_queue(ContextLock& lock, const WorkspacesOfType& of_type, const Want& want) noexcept;

// Whether the queue comes after what the last lessee left without waiting for an event.
bool comes_by_itself(Context& context, const Workspace& workspace, const Want& want) noexcept;
// Lets the queue wait for it else; waited becomes true where that was another queue.
cadastre_exit_code wait_behind(ContextLock& lock, Workspace& workspace, const Want& want, bool& waited) noexcept;
// The same, counted.
cadastre_exit_code come_after(ContextLock& lock, WorkspacesOfType& of_type, Workspace& workspace, const Want& want) noexcept;
// Asks the idle workspaces of a type, or those only that are retired, whether that is done.
void look_at_idle(ContextLock& lock, WorkspacesOfType& of_type, IdleLook::Of which) noexcept;
// Watches the graph that is being captured from a queue; an empty list where nobody will tell when it is gone.
GraphWatches watch_graph(ContextLock& lock, cadastre_queue queue) noexcept;
// Notes what the next lessee has to come after, and lets him have the workspace. capturing: its queue is captured.
cadastre_exit_code leave(ContextLock& lock, Workspace& workspace, bool capturing) noexcept;

}  // namespace cadastre::internal
#endif
