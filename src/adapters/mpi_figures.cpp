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
  into.members += from.members;
  into.least = std::min(into.least, from.least);
  into.sum += from.sum;
}

void merge(const Shares& from, Shares& into) noexcept {
  if (from.members == 0) return;
  if (into.members == 0) {
    into = from;
    return;
  }
  into.members += from.members;
  into.least = std::min(into.least, from.least);
  into.sum += from.sum;
  into.most = std::max(into.most, from.most);
}

void merge(const Figure& from, Figure& into) noexcept {
  merge(from.bytes, into.bytes);
  merge(from.share, into.share);
}

void merge(const Members& from, Members& into) noexcept {
  for (std::size_t type = 0; type < memory_types; ++type) {
    merge(from.live[type], into.live[type]);
    merge(from.peak[type], into.peak[type]);
    merge(from.refused[type], into.refused[type]);
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
  spread.least = spread.sum = value;
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

std::uint64_t capacity_for(std::size_t type, const Capacity& capacity) noexcept {
  switch (static_cast<cadastre_memory_type>(type)) {
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
  std::array<cadastre_statistics_struct, memory_types> statistics{};
  for (std::size_t type = 0; type < memory_types; ++type) {
    statistics[type] = cadastre_statistics_struct_zero;
    if (cadastre_get_statistics(CADASTRE_PROCESS, static_cast<cadastre_memory_type>(type), &statistics[type]) != CADASTRE_SUCCESS) {
      figures.unread = 1;
    }
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
  for (std::size_t type = 0; type < memory_types; ++type) {
    const std::uint64_t of_type = capacity_for(type, capacity);
    figures.ranks.live[type] = figure_of(statistics[type].live_bytes, of_type, place);
    figures.ranks.peak[type] = figure_of(statistics[type].high_water_mark_bytes, of_type, place);
    figures.ranks.refused[type] = spread_of(static_cast<std::uint64_t>(statistics[type].failed_allocations), place);
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
  const auto together = [&](const Figure& ranks, std::uint64_t bytes) { return figure_of(ranks.bytes.sum, bytes, place); };
  for (std::size_t type = 0; type < memory_types; ++type) {
    const std::uint64_t of_type = capacity_for(type, capacity);
    figures.nodes.live[type] = together(figures.ranks.live[type], of_type);
    figures.nodes.peak[type] = together(figures.ranks.peak[type], of_type);
    figures.nodes.refused[type] = spread_of(figures.ranks.refused[type].sum, place);
  }
  figures.nodes.resident = together(figures.ranks.resident, capacity.host);
  figures.nodes.most_resident = together(figures.ranks.most_resident, capacity.host);
}

Holders holders_of_process(cadastre_memory_type type) noexcept {
  Holders holders{};
  try {
    const nlohmann::json report = report_of_process();
    if (report.is_null()) return holders;
    std::size_t number = 0;
    for (const nlohmann::json& one : report.at("labels")) {
      if (one.at("type").get<std::string>() != cadastre_string_of_memory_type(type)) continue;
      if (number++ >= entries_listed) continue;
      Holder& holder = holders.largest[number - 1];
      holder.bytes = one.at("live_bytes").get<std::uint64_t>();
      holder.blocks = one.at("live_blocks").get<std::uint64_t>();
      holder.is_labelled = one.at("label").is_string();
      if (holder.is_labelled) std::snprintf(holder.label, sizeof holder.label, "%s", one.at("label").get<std::string>().c_str());
    }
    holders.others = number - std::min(number, entries_listed);
    holders.is_known = 1;
  } catch (...) {
    holders = {};
  }
  return holders;
}

}  // namespace cadastre::adapter
