// Tangled from org/command/trace_report_json.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "trace_report.hpp"

namespace cadastre::command {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Amount& amount) { return {{"bytes", amount.bytes}, {"blocks", amount.blocks}}; }

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json json_of(const Summary& s) {
  Json json = {{"trace", s.name},
               {"process", text_or_null(s.process)},
               {"host", text_or_null(s.host)},
               {"rank", text_or_null(s.rank)},
               {"executable", text_or_null(s.executable)},
               {"incomplete", text_or_null(s.incomplete)},
               {"operations", s.operations},
               {"left_out", s.left_out},
               {"contexts", s.contexts},
               {"threads", s.threads},
               {"time_ns", s.time},
               {"freed_blocks", s.freed},
               {"short_lives", s.short_lives},
               {"asked_again", s.asked_again}};
  json["memory"] = Json::array();
  for (std::size_t type = 0; type < sums_of_types; ++type) {
    const TypeSummary& figures = s.types[type];
    if (!is_used(figures)) continue;
    json["memory"].push_back({{"type", name_of_type(type)},
                              {"peak", json_of(figures.peak)},
                              {"peak_time_ns", figures.peak_time},
                              {"peak_thread", figures.peak_thread},
                              {"allocated", json_of(figures.allocated)},
                              {"live_at_end", json_of(figures.live)},
                              {"refused", figures.refused}});
  }
  json["labels"] = Json::array();
  for (const LabelSummary& label : s.labels) {
    json["labels"].push_back({{"label", text_or_null(label.label)},
                              {"type", name_of_type(static_cast<std::size_t>(label.type))},
                              {"allocated", json_of(label.allocated)},
                              {"never_freed", json_of(label.never_freed)},
                              {"at_peak", json_of(label.at_peak)},
                              {"at_peak_of_type", json_of(label.at_peak_of_type)}});
  }
  json["refusals"] = Json::array();
  for (const Refusal& refusal : s.refusals) {
    Json holders = Json::array();
    for (const auto& [label, bytes] : refusal.holders) holders.push_back({{"label", text_or_null(label)}, {"bytes", bytes}});
    json["refusals"].push_back({{"time_ns", refusal.time},
                                {"thread", refusal.thread},
                                {"size", refusal.size},
                                {"type", name_of_type(static_cast<std::size_t>(refusal.type))},
                                {"label", text_or_null(refusal.label)},
                                {"live_bytes", refusal.live},
                                {"holders", holders}});
  }
  return json;
}

}  // namespace

std::string as_json(std::span<const Summary> summaries, bool) {
  Json json;
  json["cadastre"] = cadastre_get_version();
  json["schema_version"] = 1;
  json["traces"] = Json::array();
  for (const Summary& summary : summaries) json["traces"].push_back(json_of(summary));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cadastre::command
