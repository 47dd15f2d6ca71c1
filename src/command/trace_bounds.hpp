// Tangled from org/command/trace_bounds.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Bounds on the figures of traces.
#ifndef CADASTRE_SRC_COMMAND_TRACE_BOUNDS_HPP
#define CADASTRE_SRC_COMMAND_TRACE_BOUNDS_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include "trace_summary.hpp"

namespace cadastre::command {

struct BoundedFigure {
  std::string_view name;
  bool of_memory, in_bytes;
  std::int64_t (*of)(const Summary& trace, std::size_t type);
};

enum class Relation : std::uint8_t { more, more_or_same, less, less_or_same, same, other };

struct Bound {
  std::string text;  // as it was given
  const BoundedFigure* figure = nullptr;
  std::size_t type = all_types;
  Relation relation = Relation::more;
  std::int64_t digits = 0, divisor = 1, unit = 1;  // digits * unit / divisor
  bool of_first = false;                           // times the figure of the first of two traces
};

// The names of all figures, with commas between them.
std::string figure_names();

// Throws std::runtime_error, which says where the text is wrong, and what would be right.
Bound parse_bound(std::string_view text);

// Says that what it forbids is so in the trace; empty where it is not. first: what a bound of the first trace is of; else null.
std::string failure_of(const Bound& bound, const Summary& trace, const Summary* first);

}  // namespace cadastre::command
#endif
