// Tangled from org/pool/bound.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/bound.hpp"

#include <time.h>

namespace cadastre::internal {

std::uint32_t coarse_seconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<std::uint32_t>(now.tv_sec);
}

}  // namespace cadastre::internal
