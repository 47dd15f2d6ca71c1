// Tangled from org/context/free_all.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// All blocks of a context are freed.
#ifndef CADASTRE_SRC_CONTEXT_FREE_ALL_HPP
#define CADASTRE_SRC_CONTEXT_FREE_ALL_HPP

#include "context/lock.hpp"

namespace cadastre::internal {

// Frees all blocks and forgets all borrowed memory, but for what is a workspace's.
// told: null, or who is told of each block that was taken out, and what its backend said.
using Told = void (*)(ContextLock& lock, const Record& block, cadastre_exit_code code) noexcept;
cadastre_exit_code free_all_blocks(ContextLock& lock, Told told = nullptr);
// Whether all can be freed now: no capture forbids it. Waits for devices. Inside again when it returns.
cadastre_exit_code admit_frees(ContextLock& lock) noexcept;

}  // namespace cadastre::internal
#endif
