// Tangled from org/leases/size.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Where the memory of a workspace comes from, and how much it is.
#ifndef CADASTRE_SRC_LEASES_SIZE_HPP
#define CADASTRE_SRC_LEASES_SIZE_HPP

#include "leases/acquire.hpp"

namespace cadastre::internal {

// As the public function of this name; throws std::bad_alloc, and has then done nothing.
cadastre_exit_code set_workspace_size(ContextLock& lock, cadastre_memory_type type, std::size_t bytes);
// Likewise.
cadastre_exit_code release_captured(ContextLock& lock, cadastre_memory_type type, cadastre_queue queue);
// What CADASTRE_WORKSPACE_SIZE says for a memory type of a context.
std::size_t default_workspace_size(const Context& context, cadastre_memory_type type);

// Puts other workspaces in the place of those there are, of which nothing is leased.
cadastre_exit_code replace(ContextLock& lock, WorkspacesOfType& of_type, cadastre_workspace_scheme scheme, WorkspaceList list) noexcept;
WorkspaceList list_of_one();

inline constexpr const char* is_captured_yet = "end the capture first, because a lease is alive on the queue, which is being captured";
inline constexpr const char* blocking_queue_captured =
    "call this before or after the capture, because the previous memory of the workspace must be waited for, and a blocking queue of the device is being captured";

}  // namespace cadastre::internal
#endif
