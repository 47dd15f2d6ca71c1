// Tangled from org/core/forks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Handlers that run around a fork, unless it comes from the middle of a call.
#ifndef CADASTRE_SRC_CORE_FORKS_HPP
#define CADASTRE_SRC_CORE_FORKS_HPP

namespace cadastre::internal {

// As pthread_atfork, true where it worked; and the handlers are called until the process ends. While the library is loaded, by one thread.
// A child's without a prepare is called in each child, and takes no lock.
bool at_fork(void (*prepare)(), void (*parent)(), void (*child)()) noexcept;

}  // namespace cadastre::internal
#endif
