// Tangled from org/context/backend_time.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How long a thread has spent in calls of backends.
#ifndef CADASTRE_SRC_CONTEXT_BACKEND_TIME_HPP
#define CADASTRE_SRC_CONTEXT_BACKEND_TIME_HPP

#include <chrono>
#include <cstdint>

#include "cadastre.h"

namespace cadastre::internal {

// Nanoseconds that the calling thread has spent in backends while timing was on.
std::int64_t backend_nanoseconds() noexcept;
void add_backend_time(std::chrono::nanoseconds spent) noexcept;

// Calls, and adds the time that it took to that of the thread.
template <class Call>
cadastre_exit_code timed(bool timing, Call call) noexcept {
  if (!timing) return call();
  const auto start = std::chrono::steady_clock::now();
  const cadastre_exit_code code = call();
  add_backend_time(std::chrono::steady_clock::now() - start);
  return code;
}

}  // namespace cadastre::internal
#endif
