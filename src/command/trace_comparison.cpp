// Tangled from org/command/trace_comparison.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_comparison.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace cadastre::command {
namespace {

std::int64_t figure_of(const TypeSummary& type, std::string_view figure) { return figure == "peak" ? type.peak.bytes : type.refused; }

std::int64_t figure_of(const LabelSummary& label, std::string_view figure) {
  if (figure == "at_peak") return label.at_peak.bytes;
  return figure == "allocated" ? label.allocated.bytes : label.never_freed.bytes;
}

struct BeforeAndAfter {
  std::int64_t before = 0, after = 0;
};

// A figure of each label in each memory type, of all devices or of each.
std::vector<Change> changes_of_labels(std::span<const Summary> traces, std::string_view figure, bool by_device) {
  std::map<std::tuple<cadastre_memory_type, std::string_view, std::string_view>, BeforeAndAfter> sums;
  const auto add = [&](const Summary& trace, std::int64_t BeforeAndAfter::* when) {
    for (const LabelSummary& label : trace.labels)
      sums[{label.type, by_device ? label.device : std::string_view(), label.label}].*when += figure_of(label, figure);
  };
  add(traces[0], &BeforeAndAfter::before);
  add(traces[1], &BeforeAndAfter::after);
  std::vector<Change> changes;
  for (const auto& [key, sum] : sums) {
    const auto& [type, device, label] = key;
    changes.push_back({figure, static_cast<std::size_t>(type), std::string(device), std::string(label), sum.before, sum.after});
  }
  return changes;
}

std::vector<Change> peaks_of_devices(std::span<const Summary> traces) {
  std::map<std::string_view, BeforeAndAfter> peaks;
  for (const DeviceSummary& device : traces[0].devices) peaks[device.name].before = device.figures.peak.bytes;
  for (const DeviceSummary& device : traces[1].devices) peaks[device.name].after = device.figures.peak.bytes;
  std::vector<Change> changes;
  for (const auto& [device, peak] : peaks) changes.push_back({"peak", CADASTRE_DEVICE, std::string(device), "", peak.before, peak.after});
  return changes;
}

// Adds the changes of a figure.
void add(std::vector<Change> of_figure, std::vector<Change>& changes) {
  std::stable_sort(of_figure.begin(), of_figure.end(), [](const Change& a, const Change& b) { return a.growth() > b.growth(); });
  std::copy_if(of_figure.begin(), of_figure.end(), std::back_inserter(changes), [](const Change& change) { return change.growth() != 0; });
}

}  // namespace

Comparison compare(std::span<const Summary> traces) {
  const Summary &before = traces[0], &after = traces[1];
  const bool by_device = before.has_several_devices() || after.has_several_devices();
  Comparison comparison{traces, {}};
  for (const std::string_view figure : type_figures) {
    std::vector<Change> changes = by_device && figure == "peak" ? peaks_of_devices(traces) : std::vector<Change>();
    for (std::size_t type = 0; type < sums_of_types; ++type) {
      changes.push_back({figure, type, "", "", figure_of(before.types[type], figure), figure_of(after.types[type], figure)});
    }
    add(std::move(changes), comparison.changes);
  }
  for (const std::string_view figure : label_figures) add(changes_of_labels(traces, figure, by_device), comparison.changes);
  return comparison;
}

}  // namespace cadastre::command
