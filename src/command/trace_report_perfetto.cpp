// Tangled from org/command/trace_report_perfetto.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "statistics.hpp"
#include "trace_report.hpp"
#include "trace_series.hpp"

namespace cadastre::command {
namespace {

// So many have a counter of their own.
constexpr std::size_t most_labels = 24;

std::string in_json(const std::string& text) { return nlohmann::json(as_utf8(text)).dump(); }

// Nanoseconds in microseconds.
std::string time_stamp(std::int64_t nanoseconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%lld.%03lld", static_cast<long long>(nanoseconds / 1000),
                static_cast<long long>(nanoseconds % 1000));
  return text.data();
}

class EventsOfTrace {
 public:
  // text: what they are added to.
  EventsOfTrace(const Summary& summary, std::uint64_t process, std::string& text)
      : summary_(summary), series_(summary, most_labels), process_(std::to_string(process)), text_(text) {}

  void write() {
    const std::string rank = summary_.rank.empty() ? "" : ", rank " + summary_.rank;
    text_ += "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": " + process_ +
             ", \"args\": {\"name\": " + in_json(summary_.name + rank) + "}},\n";
    counters();
    peaks();
    refusals();
  }

 private:
  void counters();
  void peaks();
  void refusals();
  std::string name_of(const LabelSummary& label) const;

  void counter(const std::string& quoted_name, std::int64_t time, std::int64_t bytes) {
    text_ += "{\"name\": " + quoted_name + ", \"ph\": \"C\", \"ts\": " + time_stamp(time) + ", \"pid\": " + process_ +
             ", \"args\": {\"bytes\": " + std::to_string(bytes) + "}},\n";
  }

  void instant(const std::string& name, std::int64_t time, std::uint64_t thread) {
    text_ += "{\"name\": " + in_json(name) + ", \"ph\": \"i\", \"s\": \"p\", \"ts\": " + time_stamp(time) + ", \"pid\": " + process_ +
             ", \"tid\": " + std::to_string(thread) + "},\n";
  }

  const Summary& summary_;
  const Series series_;
  const std::string process_;
  std::string& text_;
};

std::string shown(const std::string& label) { return label.empty() ? "(no label)" : label; }

std::string EventsOfTrace::name_of(const LabelSummary& label) const {
  const std::string device = label.device.empty() ? "" : " " + label.device;
  return "live " + std::string(name_of_type(static_cast<std::size_t>(label.type))) + device + ": " + shown(label.label);
}

// At each moment those that change.
void EventsOfTrace::counters() {
  std::vector<std::string> names;
  for (const LabelSummary& label : series_.labels()) names.push_back(in_json(name_of(label)));
  std::vector<std::int64_t> live(names.size());
  std::array<std::int64_t, sums_of_types> sums{};
  series_.for_each_moment([&](std::int64_t time, const std::vector<LiveChange>& changes) {
    const std::array<std::int64_t, sums_of_types> before = sums;
    for (const LiveChange& change : changes) {
      const std::int64_t growth = change.live - live[change.entry];
      live[change.entry] = change.live;
      sums[static_cast<std::size_t>(series_.labels()[change.entry].type)] += growth;
      sums[all_types] += growth;
      if (growth != 0) counter(names[change.entry], time, change.live);
    }
    for (std::size_t sum = 0; sum < sums_of_types; ++sum) {
      if (sums[sum] != before[sum]) counter("\"live " + std::string(name_of_type(sum)) + "\"", time, sums[sum]);
    }
  });
}

void EventsOfTrace::peaks() {
  for (std::size_t sum = 0; sum < sums_of_types; ++sum) {
    const TypeSummary& type = summary_.types[sum];
    if (type.peak.bytes == 0) continue;
    const std::string name = "peak of " + std::string(name_of_type(sum)) + ": " + in_bytes(static_cast<std::uint64_t>(type.peak.bytes));
    instant(name, type.peak_time, type.peak_thread);
  }
}

void EventsOfTrace::refusals() {
  for (const Refusal& refusal : summary_.refusals) {
    const std::string type = name_of_type(static_cast<std::size_t>(refusal.type));
    instant("refused: " + in_bytes(refusal.size) + " " + type + " for " + shown(refusal.label), refusal.time, refusal.thread);
  }
}

std::vector<std::uint64_t> numbers_of_processes(std::span<const Summary> summaries) {
  std::vector<std::uint64_t> own, in_order;
  for (const Summary& summary : summaries) {
    std::uint64_t number = 0;
    const std::string& text = summary.process;
    std::from_chars(text.data(), text.data() + text.size(), number);
    own.push_back(number);
    in_order.push_back(in_order.size() + 1);
  }
  const std::set<std::uint64_t> different(own.begin(), own.end());
  return different.size() == own.size() && !different.contains(0) ? own : in_order;
}

}  // namespace

std::string as_perfetto(const Traces& traces, bool) {
  const std::span<const Summary> summaries = traces.read;
  const std::vector<std::uint64_t> processes = numbers_of_processes(summaries);
  std::string text =
      "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"cadastre\": " + in_json(cadastre_get_version()) + "}, \"traceEvents\": [\n";
  for (std::size_t i = 0; i < summaries.size(); ++i) EventsOfTrace(summaries[i], processes[i], text).write();
  text.resize(text.size() - 2);  // no comma behind the last
  return text + "\n]}\n";
}

}  // namespace cadastre::command
