// Tangled from org/out/highest_traces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Of the traces of a group of processes, keeps those with the highest peaks.
#ifndef CADASTRE_SRC_OUT_HIGHEST_TRACES_HPP
#define CADASTRE_SRC_OUT_HIGHEST_TRACES_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cadastre::internal {

// Decides whether the trace of this process, which has ended it, stays; removes it or another one. pattern: as the environment has it. Nothing is thrown.
void keep_highest_traces(std::string_view pattern, std::string_view path, std::uint64_t peak, std::size_t most) noexcept;

}  // namespace cadastre::internal
#endif
