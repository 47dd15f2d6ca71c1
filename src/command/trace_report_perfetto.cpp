// Tangled from org/command/trace_report_perfetto.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "base/text.hpp"
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
  std::span<const DeviceSummary> devices() const;
  template <class Action>
  void for_each_sum_of(const LabelSummary& label, Action action) const;

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
  return "live " + place_of(summary_, label) + ": " + shown(label.label);
}

// Those that have counters and peaks of their own.
std::span<const DeviceSummary> EventsOfTrace::devices() const {
  return summary_.has_several_devices() ? std::span(summary_.devices) : std::span<const DeviceSummary>();
}

// Calls with the number of each sum that a label is part of: those of types come first, and of devices behind them.
template <class Action>
void EventsOfTrace::for_each_sum_of(const LabelSummary& label, Action action) const {
  action(static_cast<std::size_t>(label.type));
  action(std::size_t{all_types});
  for (std::size_t device = 0; device < devices().size(); ++device) {
    if (devices()[device].name == label.device) action(sums_of_types + device);
  }
}

// At each moment those that change.
void EventsOfTrace::counters() {
  std::vector<std::string> names, names_of_sums;
  for (const LabelSummary& label : series_.labels()) names.push_back(in_json(name_of(label)));
  for (std::size_t type = 0; type < sums_of_types; ++type) names_of_sums.push_back(in_json("live " + std::string(name_of_type(type))));
  for (const DeviceSummary& device : devices()) names_of_sums.push_back(in_json("live on " + device.name));
  std::vector<std::int64_t> live(names.size()), sums(names_of_sums.size());
  series_.for_each_moment([&](std::int64_t time, const std::vector<LiveChange>& changes) {
    const std::vector<std::int64_t> before = sums;
    for (const LiveChange& change : changes) {
      const std::int64_t growth = change.live - live[change.entry];
      live[change.entry] = change.live;
      for_each_sum_of(series_.labels()[change.entry], [&](std::size_t sum) { sums[sum] += growth; });
      if (growth != 0) counter(names[change.entry], time, change.live);
    }
    for (std::size_t sum = 0; sum < sums.size(); ++sum) {
      if (sums[sum] != before[sum]) counter(names_of_sums[sum], time, sums[sum]);
    }
  });
}

void EventsOfTrace::peaks() {
  const auto peak = [this](const std::string& of, const TypeSummary& figures) {
    if (figures.peak.bytes == 0) return;
    instant("peak " + of + ": " + in_bytes(static_cast<std::uint64_t>(figures.peak.bytes)), figures.peak_time, figures.peak_thread);
  };
  for (std::size_t sum = 0; sum < sums_of_types; ++sum) peak("of " + std::string(name_of_type(sum)), summary_.types[sum]);
  for (const DeviceSummary& device : devices()) peak("on " + device.name, device.figures);
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
    own.push_back(internal::parse_number(summary.process).value_or(0));
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
