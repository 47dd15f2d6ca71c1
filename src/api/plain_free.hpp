// Tangled from org/api/plain_free.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Whether somebody sees a plain free of a block.
#ifndef CADASTRE_SRC_API_PLAIN_FREE_HPP
#define CADASTRE_SRC_API_PLAIN_FREE_HPP

namespace cadastre::internal {

// Whether the process's free asks the library first.
bool plain_frees_are_seen() noexcept;

}  // namespace cadastre::internal
#endif
