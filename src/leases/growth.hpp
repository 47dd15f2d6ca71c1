// Tangled from org/leases/growth.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Memory that a workspace gets, and memory that it lets go.
#ifndef CADASTRE_SRC_LEASES_GROWTH_HPP
#define CADASTRE_SRC_LEASES_GROWTH_HPP

#include "context/pieces.hpp"
#include "leases/refusals.hpp"

namespace cadastre::internal {

// Makes a workspace fit, on the queue that is wanted.
cadastre_exit_code grow(ContextLock& lock, WorkspacesOfType& of_type, Workspace& workspace, const Want& want) noexcept;
// Frees what is retired and no queue is at work on.
void free_retired(ContextLock& lock, WorkspacesOfType& of_type) noexcept;
// Frees what is not leased and in no graph, after its queue; where a capture forbids that, nothing more goes.
cadastre_exit_code let_go(ContextLock& lock, Workspace& workspace) noexcept;

}  // namespace cadastre::internal
#endif
