// Tangled from org/context/backend_time.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/backend_time.hpp"

namespace cadastre::internal {

namespace {

thread_local constinit std::int64_t nanoseconds_in_backends = 0;

}  // namespace

std::int64_t backend_nanoseconds() noexcept { return nanoseconds_in_backends; }
void add_backend_time(std::chrono::nanoseconds spent) noexcept { nanoseconds_in_backends += spent.count(); }

}  // namespace cadastre::internal
