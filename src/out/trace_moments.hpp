// Tangled from org/out/trace_moments.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// When it is looked at what is in use beside blocks. Nothing throws or allocates.
#ifndef CADASTRE_SRC_OUT_TRACE_MOMENTS_HPP
#define CADASTRE_SRC_OUT_TRACE_MOMENTS_HPP

#include "out/trace_format.hpp"

namespace cadastre::internal {

// From now on, with what else watches accounts and does due work. written: is called with what was found, without a lock, by one thread at a time. Once.
using MomentWritten = void (*)(const TraceMoment& moment) noexcept;
void watch_moments(MomentWritten written) noexcept;
// At the end of the process.
void look_at_last_moment() noexcept;

}  // namespace cadastre::internal
#endif
