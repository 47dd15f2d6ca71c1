// Tangled from org/adapters/mpi_json.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cadastre::adapter {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(std::size_t kind) noexcept { return kind == together ? "all" : cadastre_string_of_memory_type(type_of(kind)); }

Json json_of(const char* of, const char* type, const char* figure, const Spread& spread) {
  return {{"of", of},
          {"type", type},
          {"figure", figure},
          {"count", spread.members},
          {"minimum", spread.minimum},
          {"mean", spread.mean()},
          {"maximum", spread.maximum().value},
          {"sum", spread.sum},
          {"minimum_rank", spread.rank_with_minimum},
          {"maximum_rank", spread.maximum().place.rank},
          {"maximum_host", spread.maximum().place.host}};
}

// memory: of all nodes together.
Json json_of(const char* of, const char* type, const char* what, const Figure& figure, std::uint64_t memory) {
  Json spread = json_of(of, type, what, figure.bytes);
  const Shares& shares = figure.share;
  const bool is_known = shares.members == figure.bytes.members;
  const auto add = [&](const char* name, bool known, double share) { spread[name] = known ? Json(share) : Json(); };
  add("minimum_share", is_known, shares.minimum);
  add("mean_share", is_known, is_known ? shares.sum / static_cast<double>(shares.members) : 0);
  add("maximum_share", is_known, shares.maximum);
  add("sum_share", memory > 0, memory > 0 ? static_cast<double>(figure.bytes.sum) / static_cast<double>(memory) : 0);
  return spread;
}

void add_spreads(Json& spreads, const char* of, const Members& members, const Figures& figures) {
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    if (!is_used(figures.ranks, kind) && figures.ranks.refused[kind].sum == 0) continue;
    spreads.push_back(json_of(of, name_of(kind), "live", members.live[kind], memory_for(kind, figures)));
    spreads.push_back(json_of(of, name_of(kind), "peak", members.peak[kind], memory_for(kind, figures)));
    spreads.push_back(json_of(of, name_of(kind), "refused", members.refused[kind]));
  }
  spreads.push_back(json_of(of, "resident", "live", members.resident, memory_for(CADASTRE_HOST, figures)));
  spreads.push_back(json_of(of, "resident", "peak", members.most_resident, memory_for(CADASTRE_HOST, figures)));
}

Json outliers_of(const Members& ranks, const Extremes& extremes) {
  Json outliers = Json::array();
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    if (extremes.outliers[kind] == 0) continue;
    const std::size_t named = std::min<std::uint64_t>(extremes.outliers[kind], entries_listed);
    Json list = Json::array();
    for (std::size_t i = 0; i < named; ++i) {
      const Entry& one = ranks.peak[kind].bytes.most[i];
      list.push_back({{"rank", one.place.rank}, {"host", one.place.host}, {"peak", one.value}});
    }
    outliers.push_back({{"type", name_of(kind)},
                        {"above", bytes_of_an_outlier(ranks.peak[kind])},
                        {"count", extremes.outliers[kind]},
                        {"ranks", std::move(list)}});
  }
  return outliers;
}

Json json_of(const char* when, std::size_t kind, const Place& place, std::uint64_t bytes, const Holders& holders) {
  Json labels;
  if (holders.is_known) labels = Json::array();
  for (const Holder& one : holders.largest) {
    if (one.blocks == 0) continue;
    labels.push_back({{"label", one.is_labelled ? Json(one.label) : Json()},
                      {"type", name_of(static_cast<std::size_t>(one.type))},
                      {"live_blocks", one.blocks},
                      {"live_bytes", one.bytes}});
  }
  return {{"when", when},
          {"type", name_of(kind)},
          {"rank", place.rank},
          {"host", place.host},
          {"bytes", bytes},
          {"labels", std::move(labels)},
          {"other_labels", holders.others}};
}

Json holders_of(const Members& ranks, const Extremes& extremes) {
  Json all = Json::array();
  for (std::size_t type = 0; type < memory_types; ++type) {
    if (!extremes.holders_of_most[type]) continue;
    const Entry& most = ranks.live[type].bytes.maximum();
    all.push_back(json_of("now", type, most.place, most.value, *extremes.holders_of_most[type]));
  }
  if (extremes.holders_at_peak) {
    const Entry& most = ranks.peak[together].bytes.maximum();
    const std::uint64_t bytes = extremes.holders_at_peak->is_known ? extremes.holders_at_peak->together : most.value;
    all.push_back(json_of("peak", together, most.place, bytes, *extremes.holders_at_peak));
  }
  return all;
}

}  // namespace

std::string json_of(const Figures& figures, const Extremes& extremes) {
  Json report;
  report["cadastre"] = cadastre_get_version();
  report["schema_version"] = 1;
  report["time"] = time_now();
  report["ranks"] = figures.ranks.resident.bytes.members;
  report["nodes"] = figures.nodes.resident.bytes.members;
  report["unread_ranks"] = figures.unread;
  report["memory"] = {{"host_bytes", nullptr}, {"device_bytes", nullptr}};
  if (figures.nodes_without_host == 0) report["memory"]["host_bytes"] = figures.all_nodes.host;
  if (figures.nodes_without_device == 0) report["memory"]["device_bytes"] = figures.all_nodes.device;
  report["spread"] = Json::array();
  add_spreads(report["spread"], "rank", figures.ranks, figures);
  add_spreads(report["spread"], "node", figures.nodes, figures);
  report["outliers"] = outliers_of(figures.ranks, extremes);
  report["holders"] = holders_of(figures.ranks, extremes);
  return report.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cadastre::adapter
