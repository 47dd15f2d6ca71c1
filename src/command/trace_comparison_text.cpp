// Tangled from org/command/trace_comparison_text.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "statistics.hpp"
#include "trace_report.hpp"

namespace cadastre::command {
namespace {

constexpr std::size_t listed_at_each_end = 10;

// What figures are of, for a person, in the order in which their changes stand.
constexpr std::pair<std::string_view, const char*> headings[] = {
    {"peak", "Peak"},
    {"refused", "Refused"},
    {"at_peak", "Held at the peak, by label"},
    {"allocated", "Allocated, by label"},
    {"never_freed", "Not freed one by one, but with their contexts, or live at the end, by label"},
};
static_assert(std::size(headings) == std::size(type_figures) + std::size(label_figures));

std::vector<Change> without_needless_sum(std::vector<Change> changes, std::span<const Summary> traces) {
  std::size_t used = 0;
  for (std::size_t type = 0; type < memory_types; ++type) {
    used += std::any_of(traces.begin(), traces.end(), [=](const Summary& trace) { return is_used(trace.types[type]); }) ? 1 : 0;
  }
  if (used < 2) std::erase_if(changes, [](const Change& change) { return change.type == all_types; });
  return changes;
}

std::string shown(const Change& change, std::int64_t value) {
  const auto size = static_cast<std::uint64_t>(std::abs(value));
  return change.figure == "refused" ? grouped(std::abs(value)) : in_bytes(size);
}

std::string share_of(const Change& change) {
  if (change.before == 0) return "new";
  if (change.after == 0) return "gone";
  const auto percent = std::lround(100.0 * static_cast<double>(change.growth()) / static_cast<double>(change.before));
  return (percent > 0 ? "+" : "") + grouped(percent) + " %";
}

std::string table_of(std::span<const Change> changes) {
  Table table("rrrrll");
  table.add({"  old", "new", "growth", "", "", ""});
  const auto add = [&](std::span<const Change> some) {
    for (const Change& change : some) {
      const bool of_label = std::find(std::begin(label_figures), std::end(label_figures), change.figure) != std::end(label_figures);
      table.add({"  " + shown(change, change.before), shown(change, change.after),
                 (change.growth() > 0 ? "+" : "-") + shown(change, change.growth()), share_of(change), place_of(change.type, change.device),
                 of_label ? shown_label(change.label) : ""});
    }
  };
  if (changes.size() <= 2 * listed_at_each_end) {
    add(changes);
    return table.text();
  }
  add(changes.first(listed_at_each_end));
  const std::size_t between = changes.size() - 2 * listed_at_each_end;
  table.add({"", "", "", "", counted(static_cast<std::int64_t>(between), "label") + " more", ""});
  add(changes.last(listed_at_each_end));
  return table.text();
}

}  // namespace

std::string comparison_as_text(const Comparison& comparison, bool) {
  std::string text = "From " + printable(comparison.traces[0].name, 4096) + "\n  to " + printable(comparison.traces[1].name, 4096) + "\n";
  if (comparison.changes.empty()) return text + "\nNothing grew or shrank.\n";
  auto first = comparison.changes.begin();
  for (const auto& [figure, heading] : headings) {
    const auto last =
        std::find_if(first, comparison.changes.end(), [figure = figure](const Change& change) { return change.figure != figure; });
    if (first != last) text += std::string("\n") + heading + "\n" + table_of(without_needless_sum({first, last}, comparison.traces));
    first = last;
  }
  return text;
}

}  // namespace cadastre::command
