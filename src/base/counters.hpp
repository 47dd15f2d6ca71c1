// Tangled from org/base/counters.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Sums of what is counted of blocks.
#ifndef CADASTRE_SRC_BASE_COUNTERS_HPP
#define CADASTRE_SRC_BASE_COUNTERS_HPP

#include "cadastre.h"

namespace cadastre::internal {

// But for marks and limits.
inline void add_figures(cadastre_statistics_struct& sum, const cadastre_statistics_struct& figures) noexcept {
  sum.allocations += figures.allocations;
  sum.deallocations += figures.deallocations;
  sum.reallocations += figures.reallocations;
  sum.failed_allocations += figures.failed_allocations;
  sum.failed_deallocations += figures.failed_deallocations;
  sum.untracked_deallocations += figures.untracked_deallocations;
  sum.live_blocks += figures.live_blocks;
  sum.borrowed_blocks += figures.borrowed_blocks;
  sum.live_bytes += figures.live_bytes;
  sum.total_bytes += figures.total_bytes;
  sum.zeroed_bytes += figures.zeroed_bytes;
}

// With marks, whose sum is never too low.
inline void add_figures_and_marks(cadastre_statistics_struct& sum, const cadastre_statistics_struct& figures) noexcept {
  add_figures(sum, figures);
  sum.high_water_mark_blocks += figures.high_water_mark_blocks;
  sum.high_water_mark_bytes += figures.high_water_mark_bytes;
}

}  // namespace cadastre::internal
#endif
