// Tangled from org/out/failed_creations.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Failures to create a context, kept for every report of the process.
#ifndef CADASTRE_SRC_OUT_FAILED_CREATIONS_HPP
#define CADASTRE_SRC_OUT_FAILED_CREATIONS_HPP

#include <cstdint>
#include <vector>

#include "context/report_notes.hpp"

namespace cadastre::internal {

// Keeps the calling thread's last failure, of a function that was to create a context, for every report from now on.
void keep_failed_creation(const char* function) noexcept;
// Their number.
std::int64_t failed_creations() noexcept;

struct KeptCreations {
  std::vector<KeptFailure> kept;
  std::int64_t forgotten;
};

// A copy of what is kept. Throws std::bad_alloc.
KeptCreations kept_creations();

}  // namespace cadastre::internal
#endif
