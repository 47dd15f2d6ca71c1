// Tangled from org/leases/parts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How threads and queues have memory of their own in one block of an explicit size.
#ifndef CADASTRE_SRC_LEASES_PARTS_HPP
#define CADASTRE_SRC_LEASES_PARTS_HPP

#include "context/workspaces.hpp"
#include "leases/refusals.hpp"

namespace cadastre::internal {

// A part for a lease, made ready. Throws std::bad_alloc; nothing is leased then, nor when it is refused.
cadastre_exit_code find_part(ContextLock& lock, WorkspacesOfType& of_type, const Want& want, Workspace*& found);
// Lets idle neighbours be one part, where nothing is lost by that. Answers where the memory of this one is then, null where others
// were let in.
Workspace* tidy(ContextLock& lock, WorkspacesOfType& of_type, Workspace& part) noexcept;
// Waits while another thread records an event on a queue, before its lessee may destroy it.
void let_others_record(ContextLock& lock, const WorkspacesOfType& of_type, cadastre_queue queue) noexcept;

}  // namespace cadastre::internal
#endif
