// Tangled from org/leases/buffer.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Memory that the caller makes a workspace.
#ifndef CADASTRE_SRC_LEASES_BUFFER_HPP
#define CADASTRE_SRC_LEASES_BUFFER_HPP

#include <cstddef>

#include "context/lock.hpp"

namespace cadastre::internal {

// As the public function of this name; throws std::bad_alloc, and has then done nothing.
cadastre_exit_code set_workspace_buffer(ContextLock& lock, cadastre_memory_type type, void* buffer, std::size_t bytes);

}  // namespace cadastre::internal
#endif
