// Tangled from org/out/highest_format.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The list of the traces with the highest peaks.
#ifndef CADASTRE_SRC_OUT_HIGHEST_FORMAT_HPP
#define CADASTRE_SRC_OUT_HIGHEST_FORMAT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace cadastre::internal {

inline constexpr std::string_view title_of_highest = "# cadastre: the traces with the highest peaks of those whose processes have ended\n";

struct HighestTrace {
  std::uint64_t peak = 0;
  std::string host;
  std::int64_t process = 0;
  std::string file;
};

struct HighestTraces {
  std::vector<HighestTrace> kept;
  std::uint64_t removed = 0, least = 0, sum = 0, most = 0;
};

inline void add_removed(HighestTraces& all, std::uint64_t peak) {
  all.least = all.removed == 0 ? peak : std::min(all.least, peak);
  all.most = std::max(all.most, peak);
  all.sum = __builtin_add_overflow(all.sum, peak, &all.sum) ? UINT64_MAX : all.sum;
  ++all.removed;
}

// The name of the list, in the folder of the traces.
inline std::string name_of_highest(std::string_view pattern) {
  const std::size_t slash = pattern.rfind('/');
  if (slash != std::string_view::npos) pattern.remove_prefix(slash + 1);
  std::string name;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char next = at + 1 < pattern.size() ? pattern[at + 1] : '\0';
    const bool escapes = pattern[at] == '%' && (next == 'h' || next == 'r' || next == 'p' || next == '%');
    name += !escapes ? std::string(1, pattern[at]) : next == '%' ? "%" : "all";
    at += escapes;
  }
  return name + ".highest";
}

inline std::string text_of(const HighestTraces& all) {
  std::string text(title_of_highest);
  const auto number = [](auto value) { return '\t' + std::to_string(value); };
  text += "removed" + number(all.removed) + number(all.least) + number(all.sum) + number(all.most) + '\n';
  for (const HighestTrace& trace : all.kept) {
    text += "kept" + number(trace.peak) + '\t' + trace.host + number(trace.process) + '\t' + trace.file + '\n';
  }
  return text;
}

template <class Number>
bool is_number(std::string_view text, Number& number) {
  const std::optional<Number> all = parse_number<Number>(text);
  number = all.value_or(number);
  return all.has_value();
}

inline void read_line_of_highest(std::string_view line, HighestTraces& all) {
  std::array<std::string_view, 5> fields;
  for (std::string_view& field : fields) {
    field = take_until(line, "\t");
  }
  HighestTraces said;
  HighestTrace trace;
  if (fields[0] == "removed") {
    const bool sound = is_number(fields[1], said.removed) && is_number(fields[2], said.least) && is_number(fields[3], said.sum) &&
                       is_number(fields[4], said.most);
    if (!sound) return;
    said.kept = std::move(all.kept);
    all = std::move(said);
  } else if (fields[0] == "kept" && is_number(fields[1], trace.peak) && is_number(fields[3], trace.process)) {
    trace.host = fields[2];
    trace.file = fields[4];
    if (!trace.file.empty() && trace.file.find('/') == std::string::npos) all.kept.push_back(std::move(trace));
  }
}

inline HighestTraces read_highest(std::string_view text) {
  HighestTraces all;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // a line that was cut off
    read_line_of_highest(text.substr(0, end), all);
    text.remove_prefix(end + 1);
  }
  return all;
}

}  // namespace cadastre::internal
#endif
