// Tangled from org/command/trace_bounds.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Bounds on the figures of traces.
#ifndef CADASTRE_SRC_COMMAND_TRACE_BOUNDS_HPP
#define CADASTRE_SRC_COMMAND_TRACE_BOUNDS_HPP

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "trace_summary.hpp"

namespace cadastre::command {

// Memory of a type, of all types, or of a device.
struct MeasuredMemory {
  std::size_t type = all_types;
  std::string device;  // as reports name it; empty for that of a type

  TypeSummary figures(const Summary& trace) const;
  bool has(const LabelSummary& label) const;
};

struct BoundedFigure {
  std::string_view name;
  bool of_memory, of_devices, in_bytes;
  std::int64_t (*value)(const Summary& trace, const MeasuredMemory& of);
};

enum class Relation : std::uint8_t { more, more_or_same, less, less_or_same, same, other };

struct Bound {
  std::string text;  // as it was given
  const BoundedFigure* figure = nullptr;
  MeasuredMemory of;
  Relation relation = Relation::more;
  std::int64_t digits = 0, divisor = 1, unit = 1;  // digits * unit / divisor
  bool of_first = false;                           // times the figure of the first of two traces
};

// The names of all figures, with commas between them.
std::string figure_names();

// Throws std::runtime_error, which says where the text is wrong, and what would be right.
Bound parse_bound(std::string_view text);

// Says that no trace has the device that it is of; empty where one has.
std::string unknown_device_of(const Bound& bound, std::span<const Summary> traces);

// Says that what it forbids is so in the trace; empty where it is not. first: what a bound of the first trace is of; else null.
std::string failure_of(const Bound& bound, const Summary& trace, const Summary* first);

}  // namespace cadastre::command
#endif
