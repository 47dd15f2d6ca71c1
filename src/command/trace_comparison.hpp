// Tangled from org/command/trace_comparison.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What grew and what shrank from one run to another.
#ifndef CADASTRE_SRC_COMMAND_TRACE_COMPARISON_HPP
#define CADASTRE_SRC_COMMAND_TRACE_COMPARISON_HPP

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace_summary.hpp"

namespace cadastre::command {

// Figures of memory types, and of labels.
inline constexpr std::string_view type_figures[] = {"peak", "refused"};
inline constexpr std::string_view label_figures[] = {"at_peak", "allocated", "never_freed"};

struct Change {
  std::string_view figure;
  std::size_t type = all_types;
  std::string device;  // empty for all, and where both traces have at most one
  std::string label;   // of a figure of labels; empty for blocks without one
  std::int64_t before = 0, after = 0;

  std::int64_t growth() const { return after - before; }
};

struct Comparison {
  std::span<const Summary> traces;  // the old one and the new one
  std::vector<Change> changes;      // by figure, in the order above; of each, what grew most is first
};

// traces: two.
Comparison compare(std::span<const Summary> traces);

}  // namespace cadastre::command
#endif
