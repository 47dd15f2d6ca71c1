// Tangled from org/backends/host.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Why pages of the host are not locked.
#ifndef CADASTRE_SRC_BACKENDS_HOST_LOCKING_HPP
#define CADASTRE_SRC_BACKENDS_HOST_LOCKING_HPP

#include <cstddef>

#include "base/error.hpp"

namespace cadastre::internal {

// Empty where so much may be tried.
Text why_not_locked_at_once(std::size_t length) noexcept;
// error: what mlock said.
Text why_not_locked(std::size_t length, int error) noexcept;

}  // namespace cadastre::internal
#endif
