// Tangled from org/context/resize.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A block is resized.
#ifndef CADASTRE_SRC_CONTEXT_RESIZE_HPP
#define CADASTRE_SRC_CONTEXT_RESIZE_HPP

#include "context/lock.hpp"

namespace cadastre::internal {

// resized: where the block is then; null where that failed, and the block is as it was.
cadastre_exit_code resize(ContextLock& lock, void* pointer, std::size_t size, void*& resized) noexcept;

}  // namespace cadastre::internal
#endif
