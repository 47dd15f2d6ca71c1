// Tangled from org/out/peak_holders.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Who held the memory of the process when most of it lived.
#ifndef CADASTRE_SRC_OUT_PEAK_HOLDERS_HPP
#define CADASTRE_SRC_OUT_PEAK_HOLDERS_HPP

#include "out/black_box_format.hpp"

namespace cadastre::internal {

// False where the process has no black box of its own, or nothing lived yet.
bool read_peak_holders(BlackBoxHolders& copy) noexcept;
// Of nanoseconds since the black box was begun: nanoseconds since 1970.
std::int64_t time_of_peak(const BlackBoxHolders& holders) noexcept;

}  // namespace cadastre::internal
#endif
