// Tangled from org/command/trace_spread.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_spread.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

namespace cadastre::command {
namespace {

struct Peak {
  std::string_view name;
  std::int64_t bytes = 0;
  std::int64_t memory = -1;    // that it is a part of; negative where that is not known
  std::string_view rank = {};  // of a trace
  std::string_view device = {};
};

struct Peaks {
  const char* of;
  std::vector<Peak> all;
  std::int64_t memory = -1;  // that all are parts of together
};

// Of two numbers above 0; the largest that there is, where it would be more.
std::int64_t added(std::int64_t a, std::int64_t b) { return b > INT64_MAX - a ? INT64_MAX : a + b; }

bool is_of_node(std::size_t type) { return type == CADASTRE_HOST || type == CADASTRE_PINNED; }

// Negative where the trace does not say it.
std::int64_t memory_of(const Summary& trace, std::string_view device) {
  const auto use = std::find_if(trace.uses.begin(), trace.uses.end(), [=](const UseSummary& one) { return one.device() == device; });
  return use == trace.uses.end() ? -1 : use->at_most_live.total;
}

// Of all devices that a trace says of how much they have; negative where it does not of one that was used.
std::int64_t memory_of_devices(const Summary& trace) {
  const auto& used = trace.devices;
  if (std::any_of(used.begin(), used.end(), [&](const DeviceSummary& device) { return memory_of(trace, device.name) <= 0; })) return -1;
  std::int64_t sum = 0;
  for (const UseSummary& use : trace.uses) {
    if (use.device().empty()) continue;
    if (use.at_most_live.total <= 0) return -1;
    sum = added(sum, use.at_most_live.total);
  }
  return sum > 0 ? sum : -1;
}

std::int64_t memory_for(std::size_t type, const Summary& trace) {
  return is_of_node(type) ? trace.node_memory : type == CADASTRE_DEVICE ? memory_of_devices(trace) : -1;
}

// By the names of hosts. One of which a trace does not say how much memory it has has none that is known.
std::map<std::string_view, Peak> hosts_of(std::span<const Summary> traces, std::size_t type) {
  std::map<std::string_view, Peak> hosts;
  for (const Summary& trace : traces) {
    const std::int64_t memory = is_of_node(type) ? trace.node_memory : -1;
    const auto [place, is_new] = hosts.try_emplace(trace.host, Peak{trace.host, 0, memory});
    Peak& host = place->second;
    host.bytes = added(host.bytes, trace.types[type].peak.bytes);
    host.memory = std::min(host.memory, memory);
  }
  return hosts;
}

std::int64_t memory_of_all(const std::map<std::string_view, Peak>& hosts) {
  std::int64_t sum = 0;
  for (const auto& [name, host] : hosts) {
    if (name.empty() || host.memory <= 0) return -1;
    sum = added(sum, host.memory);
  }
  return sum;
}

Peaks peaks_of_traces(std::span<const Summary> traces, std::size_t type) {
  Peaks peaks{"trace", {}, memory_of_all(hosts_of(traces, type))};
  for (const Summary& trace : traces) peaks.all.push_back({trace.name, trace.types[type].peak.bytes, memory_for(type, trace), trace.rank});
  return peaks;
}

// None where a trace does not say its host, or all say the same.
Peaks peaks_of_hosts(std::span<const Summary> traces, std::size_t type) {
  const auto hosts = hosts_of(traces, type);
  Peaks peaks{"host", {}, memory_of_all(hosts)};
  if (hosts.size() < 2 || hosts.contains("")) return peaks;
  for (const auto& [name, host] : hosts) peaks.all.push_back(host);
  return peaks;
}

// None where each trace has one at most, whose peak is the trace's.
Peaks peaks_of_devices(std::span<const Summary> traces, std::size_t type) {
  Peaks peaks{"device", {}};
  if (type != CADASTRE_DEVICE ||
      std::none_of(traces.begin(), traces.end(), [](const Summary& trace) { return trace.has_several_devices(); }))
    return peaks;
  for (const Summary& trace : traces) {
    for (const DeviceSummary& device : trace.devices)
      peaks.all.push_back({trace.name, device.figures.peak.bytes, memory_of(trace, device.name), trace.rank, device.name});
  }
  return peaks;
}

void add_shares(Spread& spread, const Peaks& peaks) {
  if (std::any_of(peaks.all.begin(), peaks.all.end(), [](const Peak& peak) { return peak.memory <= 0; })) return;
  double sum = 0;
  for (const Peak& peak : peaks.all) {
    const double share = static_cast<double>(peak.bytes) / static_cast<double>(peak.memory);
    spread.minimum_share = spread.minimum_share < 0 ? share : std::min(spread.minimum_share, share);
    spread.maximum_share = std::max(spread.maximum_share, share);
    sum += share;
  }
  spread.mean_share = sum / static_cast<double>(peaks.all.size());
  if (peaks.memory > 0) spread.sum_share = static_cast<double>(spread.sum) / static_cast<double>(peaks.memory);
}

void add_spread(std::vector<Spread>& spreads, std::size_t type, const Peaks& peaks) {
  if (peaks.all.empty()) return;
  const auto less = [](const Peak& a, const Peak& b) { return a.bytes < b.bytes; };
  const Peak& least = *std::min_element(peaks.all.begin(), peaks.all.end(), less);
  const Peak& most = *std::max_element(peaks.all.begin(), peaks.all.end(), less);
  Spread spread;
  spread.of = peaks.of;
  spread.type = type;
  spread.count = peaks.all.size();
  spread.minimum = least.bytes;
  spread.maximum = most.bytes;
  for (const Peak& peak : peaks.all) spread.sum = added(spread.sum, peak.bytes);
  spread.mean = spread.sum / static_cast<std::int64_t>(peaks.all.size());
  spread.maximum_in = most.name;
  spread.maximum_rank = most.rank;
  spread.maximum_device = most.device;
  add_shares(spread, peaks);
  spreads.push_back(std::move(spread));
}

// Of at least one; of an even count the mean of the two in the middle.
std::int64_t median_of(std::vector<std::int64_t> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (numbers.size() % 2 == 1) return *middle;
  const std::int64_t below = *std::max_element(numbers.begin(), middle);
  return below + (*middle - below) / 2;
}

std::int64_t distance(std::int64_t a, std::int64_t b) { return std::abs(a - b); }

}  // namespace

std::vector<Spread> spreads_of(std::span<const Summary> traces) {
  std::vector<Spread> spreads;
  if (traces.size() < 2) return spreads;
  for (const auto peaks_of : {peaks_of_traces, peaks_of_hosts, peaks_of_devices}) {
    for (std::size_t type = 0; type < sums_of_types; ++type) {
      const auto uses = [=](const Summary& trace) { return is_used(trace.types[type]); };
      if (std::any_of(traces.begin(), traces.end(), uses)) add_spread(spreads, type, peaks_of(traces, type));
    }
  }
  return spreads;
}

std::vector<Outlier> outliers_of(std::span<const Summary> traces) {
  constexpr double scale = 0.6745, most = 3.5;  // of a normal distribution the MAD is 0.6745 standard deviations
  std::vector<Outlier> outliers;
  if (traces.size() < 3) return outliers;
  std::vector<std::int64_t> peaks, distances;
  for (const Summary& trace : traces) peaks.push_back(trace.types[all_types].peak.bytes);
  const std::int64_t median = median_of(peaks);
  for (const std::int64_t peak : peaks) distances.push_back(distance(peak, median));
  const auto deviation = static_cast<double>(median_of(distances));
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const bool is_far = scale * static_cast<double>(distances[i]) > most * deviation && distances[i] > median / 10;
    if (is_far) outliers.push_back({&traces[i], peaks[i], median});
  }
  std::stable_sort(outliers.begin(), outliers.end(),
                   [](const Outlier& a, const Outlier& b) { return distance(a.peak, a.median) > distance(b.peak, b.median); });
  return outliers;
}

}  // namespace cadastre::command
