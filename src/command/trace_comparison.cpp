// Tangled from org/command/trace_comparison.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_comparison.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cadastre::command {
namespace {

std::int64_t figure_of(const TypeSummary& type, std::string_view figure) { return figure == "peak" ? type.peak.bytes : type.refused; }

std::int64_t figure_of(const LabelSummary& label, std::string_view figure) {
  if (figure == "at_peak") return label.at_peak.bytes;
  return figure == "allocated" ? label.allocated.bytes : label.never_freed.bytes;
}

using Sums = std::map<std::pair<cadastre_memory_type, std::string_view>, std::pair<std::int64_t, std::int64_t>>;

// A figure of each label in each memory type, of all devices.
Sums sums_of(const Summary& before, const Summary& after, std::string_view figure) {
  Sums sums;
  for (const LabelSummary& label : before.labels) sums[{label.type, label.label}].first += figure_of(label, figure);
  for (const LabelSummary& label : after.labels) sums[{label.type, label.label}].second += figure_of(label, figure);
  return sums;
}

// Adds the changes of a figure.
void add(std::vector<Change> of_figure, std::vector<Change>& changes) {
  std::stable_sort(of_figure.begin(), of_figure.end(), [](const Change& a, const Change& b) { return a.growth() > b.growth(); });
  std::copy_if(of_figure.begin(), of_figure.end(), std::back_inserter(changes), [](const Change& change) { return change.growth() != 0; });
}

}  // namespace

Comparison compare(std::span<const Summary> traces) {
  const Summary &before = traces[0], &after = traces[1];
  Comparison comparison{traces, {}};
  for (const std::string_view figure : type_figures) {
    std::vector<Change> changes;
    for (std::size_t type = 0; type < sums_of_types; ++type) {
      changes.push_back({figure, type, "", figure_of(before.types[type], figure), figure_of(after.types[type], figure)});
    }
    add(std::move(changes), comparison.changes);
  }
  for (const std::string_view figure : label_figures) {
    std::vector<Change> changes;
    for (const auto& [key, sums] : sums_of(before, after, figure))
      changes.push_back({figure, static_cast<std::size_t>(key.first), std::string(key.second), sums.first, sums.second});
    add(std::move(changes), comparison.changes);
  }
  return comparison;
}

}  // namespace cadastre::command
