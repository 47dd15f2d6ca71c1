// Tangled from org/context/fork.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What happens to contexts around a fork, and when a thread ends.
#ifndef CADASTRE_SRC_CONTEXT_FORK_HPP
#define CADASTRE_SRC_CONTEXT_FORK_HPP

namespace cadastre::internal {

// Whether the handlers are there, without which no context may be created.
bool forks_are_watched() noexcept;

}  // namespace cadastre::internal
#endif
