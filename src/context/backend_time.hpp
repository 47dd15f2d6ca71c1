// Tangled from org/context/backend_time.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How long a thread has spent in calls of backends.
#ifndef CADASTRE_SRC_CONTEXT_BACKEND_TIME_HPP
#define CADASTRE_SRC_CONTEXT_BACKEND_TIME_HPP

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/non_copyable.hpp"

namespace cadastre::internal {

// Nanoseconds that the calling thread has spent in backends while timing was on.
std::int64_t backend_nanoseconds() noexcept;
void add_backend_time(std::chrono::nanoseconds spent) noexcept;

// Adds the time from its beginning to its end to that of the thread, if wanted.
class BackendTime : NonCopyable {
 public:
  explicit BackendTime(bool wanted) noexcept {
    if (wanted) start_ = std::chrono::steady_clock::now();
  }
  ~BackendTime() {
    if (start_) add_backend_time(std::chrono::steady_clock::now() - *start_);
  }

 private:
  std::optional<std::chrono::steady_clock::time_point> start_;
};

}  // namespace cadastre::internal
#endif
