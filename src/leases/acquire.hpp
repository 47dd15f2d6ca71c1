// Tangled from org/leases/acquire.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Leasing memory of a context.
#ifndef CADASTRE_SRC_LEASES_ACQUIRE_HPP
#define CADASTRE_SRC_LEASES_ACQUIRE_HPP

#include <cstddef>
#include <span>
#include <vector>

#include "base/owned.hpp"
#include "context/lock.hpp"
#include "workspace/workspaces.hpp"

namespace cadastre::internal {

using WorkspaceList = std::vector<Owned<Workspace>>;

// Does what can throw: the first take and the first add cannot fail.
Owned<Workspace> new_workspace();

struct AcquireOrder {
  cadastre_memory_type type;
  cadastre_queue queue;
  std::span<const std::size_t> sizes;
  cadastre_exit_code sizes_argument, queue_argument;
};

// Both throw std::bad_alloc, and have then done nothing. pointers: as many as sizes.
cadastre_exit_code acquire(ContextLock& lock, const AcquireOrder& order, void** pointers, cadastre_lease& lease);
cadastre_exit_code give_back(ContextLock& lock, cadastre_lease lease) noexcept;

}  // namespace cadastre::internal
#endif
