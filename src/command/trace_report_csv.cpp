// Tangled from org/command/trace_report_csv.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "out/trace_fields.hpp"
#include "trace_report.hpp"

namespace cadastre::command {
namespace {

class Row {
 public:
  void add(std::string_view text) {
    begin_field();
    internal::put_label(as_utf8(text, true), [this](char letter) { line_ += letter; });
  }
  void add(const Amount& amount) {
    add(amount.bytes);
    add(amount.blocks);
  }
  void add(std::int64_t number) {
    begin_field();
    line_ += std::to_string(number);
  }
  void add_flag(bool flag) { add(flag ? std::string_view("true") : std::string_view("false")); }
  void add_or_nothing(std::int64_t number) { number < 0 ? add(std::string_view()) : add(number); }
  std::string line() const { return line_ + "\n"; }

 private:
  void begin_field() {
    if (!first_) line_ += ',';
    first_ = false;
  }

  std::string line_;
  bool first_ = true;
};

constexpr std::string_view header =
    "trace,process,host,rank,label,type,allocated_bytes,allocated_blocks,never_freed_bytes,never_freed_blocks,at_peak_bytes,at_peak_blocks,at_peak_of_type_bytes,at_peak_of_type_blocks,time_in_calls_ns,rounding_at_peak,own_peak_bytes,short_lives,shortest_life_ns,grows_until_the_end,device,at_peak_of_device_bytes,at_peak_of_device_blocks,problem\n";

std::string row_of(const Summary& trace, const LabelSummary& label) {
  Row row;
  row.add(trace.name);
  row.add(trace.process);
  row.add(trace.host);
  row.add(trace.rank);
  row.add(label.label);
  row.add(name_of_type(static_cast<std::size_t>(label.type)));
  row.add(label.allocated);
  row.add(label.never_freed);
  row.add(label.at_peak);
  row.add(label.at_peak_of_type);
  row.add_or_nothing(label.time_in_calls);
  row.add_or_nothing(label.rounding_at_peak());
  row.add(label.own_peak);
  row.add(label.short_lives);
  row.add_or_nothing(label.shortest_life);
  row.add_flag(label.grows_until_the_end);
  row.add(label.device);
  row.add(label.at_peak_of_device);
  row.add(std::string_view());
  return row.line();
}

std::string row_of(const Unreadable& unreadable) {
  Row row;
  row.add(unreadable.name);
  for (auto commas = std::count(header.begin(), header.end(), ','); commas > 1; --commas) row.add(std::string_view());
  row.add(unreadable.problem);
  return row.line();
}

std::string row_of(const Change& change) {
  Row row;
  row.add(change.figure);
  row.add(name_of_type(change.type));
  row.add(change.device);
  row.add(change.label);
  row.add(change.before);
  row.add(change.after);
  row.add(change.growth());
  return row.line();
}

}  // namespace

std::string as_csv(const Traces& traces, bool) {
  std::string text(header);
  for (const Summary& summary : traces.read) {
    for (const LabelSummary& label : summary.labels) text += row_of(summary, label);
  }
  for (const Unreadable& unreadable : traces.unreadable) text += row_of(unreadable);
  return text;
}

std::string comparison_as_csv(const Comparison& comparison, bool) {
  std::string text =
      "figure,type,device,label,old,new,growth\n";
  for (const Change& change : comparison.changes) text += row_of(change);
  return text;
}

}  // namespace cadastre::command
