// Tangled from org/command/trace_report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What traces say of runs, in the form that is asked for.
#ifndef CADASTRE_SRC_COMMAND_TRACE_REPORT_HPP
#define CADASTRE_SRC_COMMAND_TRACE_REPORT_HPP

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace_comparison.hpp"
#include "trace_summary.hpp"

namespace cadastre::command {

// What was asked for: those that were read, and those that could not be.
struct Traces {
  std::span<const Summary> read;
  std::span<const Unreadable> unreadable = {};
};

std::vector<std::string> report_formats();
// Whether a form is made of timelines, too.
bool needs_timeline(std::string_view format);
// Why this build cannot write a form; null where it can.
const char* why_unavailable(std::string_view format);
// format: one of these. utf8: whether a terminal shows it.
std::string report_on(const Traces& traces, std::string_view format, bool utf8);

// What the text says of a trace below its heading.
std::string sections_of(const Summary& summary, bool utf8);

// One trace as the list of traces in JSON has it.
std::string trace_as_json(const Summary& summary);

// The forms, of which the one with this name is chosen.
std::string as_text(const Traces& traces, bool utf8);
std::string as_json(const Traces& traces, bool utf8);
std::string as_csv(const Traces& traces, bool utf8);
std::string as_folded(const Traces& traces, bool utf8);
// These need summaries with timelines.
std::string as_html(const Traces& traces, bool utf8);
const char* why_no_page();
std::string as_perfetto(const Traces& traces, bool utf8);

// The forms in which two traces can be compared.
std::vector<std::string> comparison_formats();
// format: one of these.
std::string report_on(const Comparison& comparison, std::string_view format, bool utf8);

std::string comparison_as_text(const Comparison& comparison, bool utf8);
std::string comparison_as_json(const Comparison& comparison, bool utf8);
std::string comparison_as_csv(const Comparison& comparison, bool utf8);

inline const char* name_of_type(std::size_t type) {
  return type == all_types ? "all" : cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(type));
}

inline std::string shown_label(const std::string& label) { return label.empty() ? "(no label)" : printable(label, 255); }

// The memory type, and which device; none where that is empty.
std::string place_of(std::size_t type, const std::string& device);

// The same of a label, with the device where the trace has several.
std::string place_of(const Summary& summary, const LabelSummary& label);

// The labels of which an amount is more than nothing, the one with the most bytes first.
std::vector<const LabelSummary*> largest_first(const Summary& summary, Amount LabelSummary::* amount);

}  // namespace cadastre::command
#endif
