// Tangled from org/command/trace_report_folded.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "trace_report.hpp"

namespace cadastre::command {
namespace {

std::string frame(std::string_view text) {
  std::string result = printable(text, 4096);
  std::replace(result.begin(), result.end(), ' ', '_');
  std::replace(result.begin(), result.end(), ';', ':');
  return result;
}

// One for each part of a label that slashes make, but for empty ones.
std::string frames_of(std::string_view label) {
  std::string frames;
  for (std::size_t begin = 0; begin < label.size();) {
    const std::size_t end = std::min(label.find('/', begin), label.size());
    if (end > begin) frames += (frames.empty() ? "" : ";") + frame(label.substr(begin, end - begin));
    begin = end + 1;
  }
  if (!frames.empty()) return frames;
  return label.empty() ? "(no_label)" : frame(label);
}

std::string frame_of(const Summary& summary, std::span<const Summary> all) {
  const auto alone = [&](auto same) { return std::count_if(all.begin(), all.end(), same) == 1; };
  if (!summary.rank.empty() && alone([&](const Summary& other) { return other.rank == summary.rank; }))
    return frame("rank " + summary.rank);
  const auto same_process = [&](const Summary& other) { return other.process == summary.process && other.host == summary.host; };
  if (!summary.process.empty() && alone(same_process)) return frame("process " + summary.process + " on " + summary.host);
  return frame(summary.name);
}

}  // namespace

std::string as_folded(const Traces& traces, bool) {
  const std::span<const Summary> summaries = traces.read;
  std::string text;
  for (const Summary& summary : summaries) {
    const std::string first = summaries.size() > 1 ? frame_of(summary, summaries) + ";" : "";
    for (const LabelSummary* label : largest_first(summary, &LabelSummary::at_peak)) {
      if (label->at_peak.bytes == 0) continue;
      const std::string device = summary.has_several_devices() && !label->device.empty() ? frame(label->device) + ";" : "";
      text += first + name_of_type(static_cast<std::size_t>(label->type)) + ";" + device + frames_of(label->label) + " " +
              std::to_string(label->at_peak.bytes) + "\n";
    }
  }
  return text;
}

}  // namespace cadastre::command
