// Tangled from org/command/trace_spread.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How the peaks of several traces differ.
#ifndef CADASTRE_SRC_COMMAND_TRACE_SPREAD_HPP
#define CADASTRE_SRC_COMMAND_TRACE_SPREAD_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace_summary.hpp"

namespace cadastre::command {

// Of peaks of a memory type, or of all together.
struct Spread {
  std::string of;  // trace, host for what the traces of a host have together, or device for each of a trace
  std::size_t type = all_types, count = 0;
  std::int64_t minimum = 0, mean = 0, maximum = 0, sum = 0;
  std::string maximum_in;      // name of a trace or a host
  std::string maximum_rank;    // of a trace that says its rank; else empty
  std::string maximum_device;  // of devices
  // Of the memory that it is a part of; negative where that is not known.
  double minimum_share = -1, mean_share = -1, maximum_share = -1, sum_share = -1;
};

// Those of traces, then those of hosts and of devices, where there are several. None of a single trace.
std::vector<Spread> spreads_of(std::span<const Summary> traces);

// A trace whose peak of all memory is far from the median.
struct Outlier {
  const Summary* trace = nullptr;
  std::int64_t peak = 0, median = 0;
};

// The farthest is first.
std::vector<Outlier> outliers_of(std::span<const Summary> traces);

}  // namespace cadastre::command
#endif
