// Tangled from org/command/trace_report_json.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>
#include <utility>

#include "trace_report.hpp"
#include "trace_spread.hpp"

namespace cadastre::command {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema_version = 1;

Json json_of(const Amount& amount) { return {{"bytes", amount.bytes}, {"blocks", amount.blocks}}; }

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(as_utf8(text)); }

Json count_or_null(std::int64_t count) { return count < 0 ? Json() : Json(count); }

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

Json share_or_null(double share) { return share < 0 ? Json() : Json(share); }

struct Memory {
  std::size_t type;
  const TypeSummary& figures;
  bool has_rounding;
};

std::int64_t rounding_of(const Amount& amount, const Memory& memory) { return memory.has_rounding ? amount.rounding : -1; }

std::vector<Memory> memory_of(const Summary& trace) {
  std::vector<Memory> used;
  for (std::size_t type = 0; type < sums_of_types; ++type) {
    if (is_used(trace.types[type]))
      used.push_back({type, trace.types[type], type != all_types && trace.rounding.is_known(static_cast<cadastre_memory_type>(type))});
  }
  return used;
}

struct LeftOut {
  Kind kind;
  std::uint64_t count;
};

std::vector<LeftOut> left_out_of(const Summary& trace) {
  std::vector<LeftOut> all;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    if (trace.left_out_by_kind[kind] > 0) all.push_back({static_cast<Kind>(kind), trace.left_out_by_kind[kind]});
  }
  return all;
}

// What stands for all traces where there are any. Texts of others come behind it, so it is the first of its name.
struct Place {};
constexpr std::string_view place_of_traces = "\"the traces\"";

Json json_of(const Place&) { return "the traces"; }

std::string name_of_use(const UseSummary& use) { return use.device().empty() ? "host" : use.device(); }

Json json_of(const LeftOut& left_out);
Json type_or_null(cadastre_memory_type type) { return type < 0 ? Json() : Json(name_of_type(static_cast<std::size_t>(type))); }

Json json_of(const FailureSummary& failure);
Json json_of(const CallSummary& call);
Json json_of(const UseSummary& use);
Json json_of(const ResidentBytes& resident);
Json json_of(const NumaNode& numa_node);
Json json_of(const SizeSummary& size);
Json json_of(const Memory& memory);
Json json_of(const DeviceSummary& device);
Json json_of(const LabelSummary& label);
Json json_of(const std::pair<std::string, std::int64_t>& holder);
Json json_of(const Refusal& refusal);
Json json_of(const Unreadable& unreadable);
Json json_of(const Spread& spread);
Json json_of(const Outlier& outlier);
Json json_of(const Summary& trace);
Json json_of(const Change& change);

template <class Objects>
Json list_of(const Objects& objects) {
  Json list = Json::array();
  for (const auto& object : objects) list.push_back(json_of(object));
  return list;
}

Json json_of(const LeftOut& left_out) {
  return {
      {"operation", as_utf8(std::string(name_of(left_out.kind)))},
      {"count", left_out.count},
  };
}

Json json_of(const SizeSummary& size) {
  return {
      {"size", size.size},
      {"count", size.asked_again},
  };
}

Json json_of(const FailureSummary& failure) {
  return {
      {"operation", as_utf8(std::string(name_of(failure.kind)))},
      {"exit_code", failure.result},
      {"meaning", as_utf8(std::string(cadastre_string_of_error(failure.result)))},
      {"fault", name_of(failure.fault)},
      {"label", text_or_null(failure.label)},
      {"type", type_or_null(failure.type)},
      {"count", failure.count},
      {"first_time_ns", failure.first_time},
      {"first_thread", failure.first_thread},
  };
}

Json json_of(const CallSummary& call) {
  return {
      {"operation", as_utf8(std::string(name_of(call.kind)))},
      {"calls", call.calls},
      {"timed", call.timed},
      {"timed_ns", call.timed_time},
      {"longest_ns", call.longest},
      {"estimated_ns", call.estimated()},
  };
}

Json json_of(const UseSummary& use) {
  return {
      {"of", as_utf8(name_of_use(use))},
      {"time_ns", use.at_most_live.time},
      {"tracked", count_or_null(use.at_most_live.live)},
      {"kept", count_or_null(use.at_most_live.kept)},
      {"used", count_or_null(use.at_most_live.used)},
      {"untracked", count_or_null(use.untracked())},
      {"total", count_or_null(use.at_most_live.total)},
      {"huge_pages", count_or_null(use.at_most_live.huge)},
      {"most_used", count_or_null(use.at_most_used.used)},
      {"most_used_time_ns", use.at_most_used.time},
      {"numa_nodes", list_of(use.numa_nodes)},
  };
}

Json json_of(const NumaNode& numa_node) {
  return {
      {"node", numa_node.node},
      {"bytes", numa_node.bytes},
  };
}

Json json_of(const ResidentBytes& resident) {
  return {
      {"time_ns", resident.time},
      {"bytes", resident.bytes},
  };
}

Json json_of(const Memory& memory) {
  return {
      {"type", name_of_type(memory.type)},
      {"peak", json_of(memory.figures.peak)},
      {"peak_time_ns", memory.figures.peak_time},
      {"peak_thread", memory.figures.peak_thread},
      {"allocated", json_of(memory.figures.allocated)},
      {"live_at_end", json_of(memory.figures.live)},
      {"rounding_at_peak", count_or_null(rounding_of(memory.figures.peak, memory))},
      {"rounding_of_allocated", count_or_null(rounding_of(memory.figures.allocated, memory))},
      {"refused", memory.figures.refused},
  };
}

Json json_of(const DeviceSummary& device) {
  return {
      {"device", as_utf8(device.name)},
      {"peak", json_of(device.figures.peak)},
      {"peak_time_ns", device.figures.peak_time},
      {"peak_thread", device.figures.peak_thread},
      {"allocated", json_of(device.figures.allocated)},
      {"live_at_end", json_of(device.figures.live)},
  };
}

Json json_of(const LabelSummary& label) {
  return {
      {"label", text_or_null(label.label)},
      {"type", name_of_type(static_cast<std::size_t>(label.type))},
      {"allocated", json_of(label.allocated)},
      {"never_freed", json_of(label.never_freed)},
      {"at_peak", json_of(label.at_peak)},
      {"at_peak_of_type", json_of(label.at_peak_of_type)},
      {"time_in_calls_ns", count_or_null(label.time_in_calls)},
      {"rounding_at_peak", count_or_null(label.rounding_at_peak())},
      {"own_peak_bytes", label.own_peak},
      {"short_lives", label.short_lives},
      {"shortest_life_ns", count_or_null(label.shortest_life)},
      {"grows_until_the_end", label.grows_until_the_end},
      {"device", text_or_null(label.device)},
      {"at_peak_of_device", json_of(label.at_peak_of_device)},
  };
}

Json json_of(const std::pair<std::string, std::int64_t>& holder) {
  return {
      {"label", text_or_null(holder.first)},
      {"bytes", holder.second},
  };
}

Json json_of(const Refusal& refusal) {
  return {
      {"time_ns", refusal.time},
      {"thread", refusal.thread},
      {"size", refusal.size},
      {"type", name_of_type(static_cast<std::size_t>(refusal.type))},
      {"label", text_or_null(refusal.label)},
      {"live_bytes", refusal.live},
      {"holders", list_of(refusal.holders)},
  };
}

Json json_of(const Spread& spread) {
  return {
      {"of", as_utf8(spread.of)},
      {"type", name_of_type(spread.type)},
      {"count", spread.count},
      {"minimum", spread.minimum},
      {"mean", spread.mean},
      {"maximum", spread.maximum},
      {"sum", spread.sum},
      {"maximum_in", as_utf8(spread.maximum_in)},
      {"maximum_rank", text_or_null(spread.maximum_rank)},
      {"maximum_device", text_or_null(spread.maximum_device)},
      {"minimum_share", share_or_null(spread.minimum_share)},
      {"mean_share", share_or_null(spread.mean_share)},
      {"maximum_share", share_or_null(spread.maximum_share)},
      {"sum_share", share_or_null(spread.sum_share)},
  };
}

Json json_of(const Outlier& outlier) {
  return {
      {"trace", as_utf8(outlier.trace->name)},
      {"rank", text_or_null(outlier.trace->rank)},
      {"peak", outlier.peak},
      {"median", outlier.median},
  };
}

Json json_of(const Unreadable& unreadable) {
  return {
      {"trace", as_utf8(unreadable.name)},
      {"problem", as_utf8(unreadable.problem)},
  };
}

Json json_of(const Summary& trace) {
  return {
      {"trace", as_utf8(trace.name)},
      {"process", text_or_null(trace.process)},
      {"host", text_or_null(trace.host)},
      {"rank", text_or_null(trace.rank)},
      {"executable", text_or_null(trace.executable)},
      {"incomplete", text_or_null(trace.incomplete)},
      {"node_memory", count_or_null(trace.node_memory)},
      {"operations", trace.operations},
      {"left_out", trace.left_out},
      {"left_out_kinds", list_of(left_out_of(trace))},
      {"contexts", trace.contexts},
      {"threads", trace.threads},
      {"time_ns", trace.time},
      {"freed_blocks", trace.freed},
      {"short_lives", trace.short_lives},
      {"asked_again", trace.asked_again},
      {"sizes_asked_again", list_of(trace.sizes)},
      {"memory", list_of(memory_of(trace))},
      {"devices", list_of(trace.devices)},
      {"labels", list_of(trace.labels)},
      {"failed", trace.failed},
      {"failures", list_of(trace.failures)},
      {"calls", list_of(trace.calls)},
      {"uses", list_of(trace.uses)},
      {"resident", list_of(trace.resident)},
      {"refusals", list_of(trace.refusals)},
  };
}

Json json_of(const Change& change) {
  return {
      {"figure", change.figure},
      {"type", name_of_type(change.type)},
      {"device", text_or_null(change.device)},
      {"label", text_or_null(change.label)},
      {"old", change.before},
      {"new", change.after},
      {"growth", change.growth()},
  };
}

struct Written {
  std::span<const Summary> traces;
  std::span<const Unreadable> unreadable = {};
  const Comparison* comparison = nullptr;  // none where there is nothing to compare

  std::string text() const;
};

std::vector<Place> places_of(std::span<const Summary> traces) { return std::vector<Place>(traces.empty() ? 0 : 1); }

Json changes_of(const Written& report) { return report.comparison ? list_of(report.comparison->changes) : Json(); }

// A trace in the place that the report has for them.
std::string indented(const Json& json) {
  std::string text;
  for (const char letter : dumped(json)) {
    text += letter;
    if (letter == '\n') text += "    ";
  }
  return text;
}

std::string Written::text() const {
  const Written& report = *this;
  const Json json = {
      {"cadastre", as_utf8(cadastre_get_version())},
      {"schema_version", schema_version},
      {"traces", list_of(places_of(report.traces))},
      {"unreadable", list_of(report.unreadable)},
      {"spread", list_of(spreads_of(report.traces))},
      {"outliers", list_of(outliers_of(report.traces))},
      {"changes", changes_of(report)},
  };
  std::string text = dumped(json) + "\n";
  if (traces.empty()) return text;
  const std::size_t place = text.find(place_of_traces);
  std::string rest = text.substr(place + place_of_traces.size());
  text.resize(place);
  for (const Summary& trace : traces) text += (&trace == traces.data() ? "" : ",\n    ") + indented(json_of(trace));
  return text += rest;
}

}  // namespace

std::string trace_as_json(const Summary& summary) { return dumped(json_of(summary)); }

std::string as_json(const Traces& traces, bool) { return Written{traces.read, traces.unreadable}.text(); }

std::string comparison_as_json(const Comparison& comparison, bool) { return Written{comparison.traces, {}, &comparison}.text(); }

}  // namespace cadastre::command
