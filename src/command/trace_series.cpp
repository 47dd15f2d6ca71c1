// Tangled from org/command/trace_series.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_series.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "statistics.hpp"

namespace cadastre::command {

namespace {

// Numbers of the entries, that which held the most at one time first.
std::vector<std::uint32_t> entries_in_order(const Moments& kept, std::size_t count) {
  std::vector<std::int64_t> most(count);
  for (const LiveChange& change : kept.changes) most[change.entry] = std::max(most[change.entry], change.most);
  std::vector<std::uint32_t> entries(count);
  std::iota(entries.begin(), entries.end(), 0);
  std::stable_sort(entries.begin(), entries.end(), [&](std::uint32_t a, std::uint32_t b) { return most[a] > most[b]; });
  return entries;
}

void add_amount(Amount& sum, const Amount& amount) {
  sum.bytes += amount.bytes;
  sum.blocks += amount.blocks;
}

}  // namespace

Series::Series(const Summary& summary, std::size_t most_labels) : kept_(summary.timeline->kept()), series_(summary.labels.size()) {
  std::vector<std::uint32_t> entries = entries_in_order(kept_, summary.labels.size());
  own_ = std::min(entries.size(), most_labels);
  for (std::size_t i = 0; i < own_; ++i) {
    series_[entries[i]] = static_cast<std::uint32_t>(i);
    labels_.push_back(summary.labels[entries[i]]);
  }
  entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(own_));
  for (std::size_t type = 0; type < memory_types; ++type) add_others(summary, entries, static_cast<cadastre_memory_type>(type), "");
  for (const DeviceSummary& device : summary.devices) add_others(summary, entries, CADASTRE_DEVICE, device.name);
}

// Adds a series for those of the entries that are of a memory type.
void Series::add_others(const Summary& summary, const std::vector<std::uint32_t>& entries, cadastre_memory_type type,
                        const std::string& device) {
  LabelSummary others;
  others.type = type;
  others.device = device;
  std::int64_t count = 0;
  for (const std::uint32_t entry : entries) {
    const LabelSummary& label = summary.labels[entry];
    if (label.type != type || label.device != device) continue;
    ++count;
    series_[entry] = static_cast<std::uint32_t>(labels_.size());
    for (const auto amount : {&LabelSummary::never_freed, &LabelSummary::allocated, &LabelSummary::at_peak, &LabelSummary::at_peak_of_type,
                              &LabelSummary::at_peak_of_device}) {
      add_amount(others.*amount, label.*amount);
    }
  }
  if (count == 0) return;
  others.label = counted(count, "other label");
  labels_.push_back(std::move(others));
}

std::vector<LiveChange> Series::changes_of(std::size_t moment, std::vector<std::int64_t>& entries, std::vector<std::int64_t>& live) const {
  std::vector<LiveChange> changes;
  std::vector<std::uint32_t> of_several;
  for (const LiveChange& change : kept_.changes_of(moment)) {
    const std::uint32_t series = series_[change.entry];
    live[series] += change.live - std::exchange(entries[change.entry], change.live);
    if (series < own_) {
      changes.push_back({series, change.live, change.most});
    } else if (std::find(of_several.begin(), of_several.end(), series) == of_several.end()) {
      of_several.push_back(series);
    }
  }
  for (const std::uint32_t series : of_several) changes.push_back({series, live[series], live[series]});
  return changes;
}

}  // namespace cadastre::command
