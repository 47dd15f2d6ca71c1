// Tangled from org/adapters/mpi_figures.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_figures.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace cadastre::adapter {
namespace {

bool is_before(const Entry& a, const Entry& b) noexcept { return a.value != b.value ? a.value > b.value : a.place.rank < b.place.rank; }

std::size_t listed(const Spread& spread) noexcept { return std::min<std::uint64_t>(spread.members, entries_listed); }

void merge(const Spread& from, Spread& into) noexcept {
  if (from.members == 0) return;
  if (into.members == 0) {
    into = from;
    return;
  }
  std::array<Entry, 2 * entries_listed> both{};
  const auto end = std::merge(from.most.begin(), from.most.begin() + listed(from), into.most.begin(), into.most.begin() + listed(into),
                              both.begin(), is_before);
  std::copy(both.begin(), std::min(end, both.begin() + entries_listed), into.most.begin());
  const bool is_less = from.minimum != into.minimum ? from.minimum < into.minimum : from.rank_with_minimum < into.rank_with_minimum;
  if (is_less) {
    into.minimum = from.minimum;
    into.rank_with_minimum = from.rank_with_minimum;
  }
  into.members += from.members;
  into.sum += from.sum;
}

void merge(const Shares& from, Shares& into) noexcept {
  if (from.members == 0) return;
  if (into.members == 0) {
    into = from;
    return;
  }
  into.members += from.members;
  into.minimum = std::min(into.minimum, from.minimum);
  into.sum += from.sum;
  into.maximum = std::max(into.maximum, from.maximum);
}

void merge(const Figure& from, Figure& into) noexcept {
  merge(from.bytes, into.bytes);
  merge(from.share, into.share);
}

void merge(const Members& from, Members& into) noexcept {
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    merge(from.live[kind], into.live[kind]);
    merge(from.peak[kind], into.peak[kind]);
    merge(from.refused[kind], into.refused[kind]);
  }
  merge(from.resident, into.resident);
  merge(from.most_resident, into.most_resident);
}

void add(Devices::One one, Devices& into) noexcept {
  const auto end = into.all.begin() + static_cast<std::ptrdiff_t>(into.number);
  const bool is_there =
      std::find_if(into.all.begin(), end, [&](const Devices::One& other) { return other.identifier == one.identifier; }) != end;
  if (is_there) return;
  if (into.number == Devices::room) {
    into.incomplete = 1;
  } else {
    into.all[into.number++] = one;
  }
}

void merge(const Devices& from, Devices& into) noexcept {
  into.incomplete |= from.incomplete;
  for (std::size_t i = 0; i < from.number; ++i) add(from.all[i], into);
}

struct Text {
  Text() = default;
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text() { std::free(characters); }
  char* characters = nullptr;
  std::size_t length = 0;
};

// Null where there is none. Throws.
nlohmann::json report_of_process() {
  Text text;
  std::FILE* const stream = open_memstream(&text.characters, &text.length);
  if (!stream) throw std::bad_alloc();
  const cadastre_exit_code code = cadastre_report(CADASTRE_PROCESS, stream, CADASTRE_REPORT_JSON);
  if (std::fclose(stream) != 0 || code != CADASTRE_SUCCESS) return nullptr;
  return nlohmann::json::parse(text.characters, text.characters + text.length);
}

cadastre_backend backend_of(std::string_view name) noexcept {
  for (cadastre_backend backend = 1; backend <= cadastre_backend_get_count(); ++backend) {
    if (name == cadastre_string_of_backend(backend)) return backend;
  }
  return CADASTRE_INVALID_BACKEND;
}

// FNV-1a.
std::uint64_t hash_of(const char* text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (; *text; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3;
  return hash;
}

// Returns the bytes of all of them.
std::uint64_t read_devices(Devices& devices) {
  std::uint64_t bytes = 0;
  const nlohmann::json report = report_of_process();
  if (report.is_null()) return 0;
  for (const nlohmann::json& one : report.at("memory_usage")) {
    if (one.at("device_id").is_null()) continue;
    const auto total = one.at("total_bytes").get<std::uint64_t>();
    cadastre_device_info_struct info = cadastre_device_info_struct_zero;
    const cadastre_backend backend = backend_of(one.at("backend").get<std::string>());
    cadastre_device_get_info(backend, one.at("device_id").get<std::int32_t>(), &info);
    bytes += total;
    if (info.uuid[0] && total > 0) {
      add({hash_of(info.uuid), total}, devices);
    } else {
      devices.incomplete = 1;
    }
  }
  return bytes;
}

Spread spread_of(std::uint64_t value, const Place& place) noexcept {
  Spread spread{};
  spread.members = 1;
  spread.minimum = spread.sum = value;
  spread.rank_with_minimum = place.rank;
  spread.most[0] = {value, place};
  return spread;
}

// Of what nothing is used, the share is 0 whatever there is.
constexpr std::uint64_t any_capacity = 1;

Figure figure_of(std::uint64_t value, std::uint64_t capacity, const Place& place) noexcept {
  Figure figure{spread_of(value, place), {}};
  if (capacity > 0) {
    const double share = static_cast<double>(value) / static_cast<double>(capacity);
    figure.share = {1, share, share, share};
  }
  return figure;
}

std::uint64_t capacity_for(std::size_t kind, const Capacity& capacity) noexcept {
  switch (type_of(kind)) {
    case CADASTRE_HOST:
    case CADASTRE_PINNED: return capacity.host;
    case CADASTRE_DEVICE: return capacity.device;
    default: return 0;
  }
}

// ru_maxrss is in units of 1024 bytes, and lags behind what is resident now.
std::uint64_t most_resident_bytes(std::uint64_t now) noexcept {
  rusage usage{};
  const bool is_known = getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > 0;
  return std::max(now, is_known ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 : 0);
}

bool is_limit_of_process(std::uint64_t bytes) noexcept {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur == bytes;
}

}  // namespace

Figures figures_of_process(const Place& place) noexcept {
  Figures figures{};
  std::array<cadastre_statistics_struct, kinds> statistics{};
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    statistics[kind] = cadastre_statistics_struct_zero;
    if (cadastre_get_statistics(CADASTRE_PROCESS, type_of(kind), &statistics[kind]) != CADASTRE_SUCCESS) figures.unread = 1;
  }
  cadastre_memory_usage_struct host = cadastre_memory_usage_struct_zero;
  if (cadastre_host_get_memory_usage(&host) != CADASTRE_SUCCESS) figures.unread = 1;
  Capacity capacity{host.total_bytes, any_capacity};
  try {
    if (statistics[CADASTRE_DEVICE].high_water_mark_bytes > 0) capacity.device = read_devices(figures.devices_of_node);
  } catch (...) {
    capacity.device = 0;
    figures.unread = figures.devices_of_node.incomplete = 1;
  }
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const std::uint64_t of_kind = capacity_for(kind, capacity);
    figures.ranks.live[kind] = figure_of(statistics[kind].live_bytes, of_kind, place);
    figures.ranks.peak[kind] = figure_of(statistics[kind].high_water_mark_bytes, of_kind, place);
    figures.ranks.refused[kind] = spread_of(static_cast<std::uint64_t>(statistics[kind].failed_allocations), place);
  }
  figures.ranks.resident = figure_of(host.used_bytes, capacity.host, place);
  figures.ranks.most_resident = figure_of(most_resident_bytes(host.used_bytes), capacity.host, place);
  figures.host_of_node = host.total_bytes;
  figures.is_host_unknown = host.total_bytes == 0 || is_limit_of_process(host.total_bytes);
  return figures;
}

void merge(const Figures& from, Figures& into) noexcept {
  merge(from.ranks, into.ranks);
  merge(from.nodes, into.nodes);
  into.all_nodes.host += from.all_nodes.host;
  into.all_nodes.device += from.all_nodes.device;
  into.nodes_without_host += from.nodes_without_host;
  into.nodes_without_device += from.nodes_without_device;
  into.unread += from.unread;
  into.host_of_node = std::max(into.host_of_node, from.host_of_node);
  into.is_host_unknown |= from.is_host_unknown;
  merge(from.devices_of_node, into.devices_of_node);
}

void close_node(Figures& figures, const Place& place) noexcept {
  Capacity capacity{};
  if (!figures.is_host_unknown) capacity.host = figures.host_of_node;
  if (!figures.devices_of_node.incomplete) {
    for (std::size_t i = 0; i < figures.devices_of_node.number; ++i) capacity.device += figures.devices_of_node.all[i].bytes;
  }
  figures.all_nodes = capacity;
  figures.nodes_without_host = capacity.host == 0;
  figures.nodes_without_device = figures.devices_of_node.incomplete;
  if (capacity.device == 0 && !figures.devices_of_node.incomplete) capacity.device = any_capacity;
  const auto sum_of = [&](const Figure& ranks, std::uint64_t bytes) { return figure_of(ranks.bytes.sum, bytes, place); };
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const std::uint64_t of_kind = capacity_for(kind, capacity);
    figures.nodes.live[kind] = sum_of(figures.ranks.live[kind], of_kind);
    figures.nodes.peak[kind] = sum_of(figures.ranks.peak[kind], of_kind);
    figures.nodes.refused[kind] = spread_of(figures.ranks.refused[kind].sum, place);
  }
  figures.nodes.resident = sum_of(figures.ranks.resident, capacity.host);
  figures.nodes.most_resident = sum_of(figures.ranks.most_resident, capacity.host);
}

std::uint64_t memory_for(std::size_t kind, const Figures& figures) noexcept {
  return capacity_for(
      kind, {figures.nodes_without_host > 0 ? 0 : figures.all_nodes.host, figures.nodes_without_device > 0 ? 0 : figures.all_nodes.device});
}

std::uint64_t bytes_of_an_outlier(const Figure& peaks) noexcept {
  const std::uint64_t mean = peaks.bytes.mean();
  return mean + mean / 2;
}

namespace {

std::int32_t type_named(std::string_view name) noexcept {
  std::int32_t type = 0;
  while (type < CADASTRE_MEMORY_TYPE_COUNT && name != cadastre_string_of_memory_type(type)) ++type;
  return type;
}

// Those of a memory type, or of all. Throws.
Holders holders_in(const nlohmann::json& labels, cadastre_memory_type type) {
  Holders holders{};
  std::size_t number = 0;
  for (const nlohmann::json& one : labels) {
    const std::int32_t type_of_one = type_named(one.at("type").get<std::string>());
    if (type != CADASTRE_ALL_MEMORY_TYPES && type_of_one != type) continue;
    if (number++ >= entries_listed) continue;
    Holder& holder = holders.largest[number - 1];
    holder.bytes = one.at("live_bytes").get<std::uint64_t>();
    holder.blocks = one.at("live_blocks").get<std::uint64_t>();
    holder.type = type_of_one;
    holder.is_labelled = one.at("label").is_string();
    if (holder.is_labelled) std::snprintf(holder.label, sizeof holder.label, "%s", one.at("label").get<std::string>().c_str());
  }
  holders.others = number - std::min(number, entries_listed);
  holders.is_known = 1;
  return holders;
}

// Of all memory types. Throws.
std::uint64_t sum_over_types(const nlohmann::json& report, const char* counter) {
  std::uint64_t sum = 0;
  for (const auto& [name, figures] : report.at("memory_types").items()) sum += figures.at(counter).get<std::uint64_t>();
  return sum;
}

Holders holders_at_peak_in(const nlohmann::json& report) {
  const std::uint64_t live = sum_over_types(report, "live_bytes"), most = sum_over_types(report, "high_water_mark_bytes");
  if (live >= most - most / 100) {
    Holders holders = holders_in(report.at("labels"), CADASTRE_ALL_MEMORY_TYPES);
    holders.together = live;
    holders.is_now = 1;
    return holders;
  }
  const auto kept = report.find("at_peak");
  const bool is_kept = kept != report.end() && !kept->is_null();
  // A program may have lowered its marks since.
  if (!is_kept || kept->at("live_bytes").get<std::uint64_t>() > most) return {};
  Holders holders = holders_in(kept->at("labels"), CADASTRE_ALL_MEMORY_TYPES);
  holders.others += kept->at("other_labels").get<std::uint64_t>();
  holders.together = kept->at("live_bytes").get<std::uint64_t>();
  return holders;
}

template <class Read>
Holders holders_of_report(Read read) noexcept {
  try {
    const nlohmann::json report = report_of_process();
    return report.is_null() ? Holders{} : read(report);
  } catch (...) {
    return {};
  }
}

}  // namespace

Holders holders_of_process(cadastre_memory_type type) noexcept {
  return holders_of_report([&](const nlohmann::json& report) { return holders_in(report.at("labels"), type); });
}

Holders holders_at_peak_of_process() noexcept { return holders_of_report(holders_at_peak_in); }

}  // namespace cadastre::adapter
