// Tangled from org/adapters/mpi_table.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_table.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string_view>

#include "../base/text.hpp"

namespace cadastre::adapter {
namespace {

using internal::bytes_text;

template <class... Values>
std::string text(const char* form, Values... values) {
  char characters[512];
  std::snprintf(characters, sizeof characters, form, values...);
  return characters;
}

unsigned long long number(std::uint64_t value) noexcept { return value; }

std::string printable(std::string_view what) {
  std::string shown;
  internal::show(what, [&](std::string_view piece) { shown += piece; });
  return shown;
}

std::string counted(std::uint64_t value, const char* what) { return text("%llu %s%s", number(value), what, value == 1 ? "" : "s"); }

std::string in_bytes(std::uint64_t bytes) { return bytes_text(bytes).characters; }

std::string in_percent(double share) {
  const double percent = 100 * share;
  return text(percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
}

std::string share_of(std::uint64_t bytes, std::uint64_t capacity) {
  return capacity == 0 ? "" : in_percent(static_cast<double>(bytes) / static_cast<double>(capacity));
}

std::string name_of(const Place& place) { return text("rank %d on ", place.rank) + printable(place.host); }

const char* name_of_type(std::size_t type) noexcept { return cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(type)); }

bool is_used(const Members& ranks, std::size_t type) noexcept { return ranks.peak[type].bytes.sum > 0 || ranks.live[type].bytes.sum > 0; }

std::string cell(std::uint64_t bytes, const std::string& share) { return text("  %9s %6s", in_bytes(bytes).c_str(), share.c_str()); }

std::string head_of(const std::string& what, const char* place) {
  return text("\n%-16s  %9s %6s  %9s %6s  %9s %6s  %9s %6s  %s\n", what.c_str(), "least", "", "mean", "", "most", "", "sum", "", place);
}

// capacity: of all nodes together.
std::string row(const char* name, const char* what, const Figure& figure, std::uint64_t capacity) {
  const Spread& bytes = figure.bytes;
  const Shares& share = figure.share;
  const auto known = [&](double value) { return share.members == bytes.members ? in_percent(value) : std::string(); };
  const double mean = share.members == 0 ? 0 : share.sum / static_cast<double>(share.members);
  return text("%-8s %-7s", name, what) + cell(bytes.least, known(share.least)) + cell(bytes.mean(), known(mean)) +
         cell(bytes.most[0].value, known(share.most)) + cell(bytes.sum, share_of(bytes.sum, capacity)) + "  " +
         name_of(bytes.most[0].place) + "\n";
}

std::string rows_of(const Members& members, const Members& ranks, const Capacity& capacity) {
  std::string rows;
  for (std::size_t type = 0; type < memory_types; ++type) {
    if (!is_used(ranks, type)) continue;
    const bool is_on_host = type == CADASTRE_HOST || type == CADASTRE_PINNED;
    const std::uint64_t of_type = is_on_host ? capacity.host : type == CADASTRE_DEVICE ? capacity.device : 0;
    rows += row(name_of_type(type), "live", members.live[type], of_type);
    rows += row("", "peak", members.peak[type], of_type);
  }
  rows += row("resident", "now", members.resident, capacity.host);
  rows += row("", "peak", members.most_resident, capacity.host);
  return rows;
}

std::string memory_of_nodes(const Figures& figures) {
  const bool uses_devices = is_used(figures.ranks, CADASTRE_DEVICE);
  std::string line = "memory of the nodes: ";
  line += figures.nodes_without_host > 0 ? "not known" : in_bytes(figures.all_nodes.host);
  if (uses_devices) line += "; of their devices: ";
  if (uses_devices) line += figures.nodes_without_device > 0 ? "not known" : in_bytes(figures.all_nodes.device);
  return line + "; the shares of a rank are of what it may use\n";
}

// What all nodes have together is known if it is known of each.
Capacity known_of_all(const Figures& figures) noexcept {
  return {figures.nodes_without_host > 0 ? 0 : figures.all_nodes.host, figures.nodes_without_device > 0 ? 0 : figures.all_nodes.device};
}

std::string outliers_of(std::size_t type, const Figure& peaks, std::uint64_t number_of_them) {
  if (number_of_them == 0) return "";
  std::string line = text("\n%s: %s above 1.5 times the mean of the peaks: ", name_of_type(type), counted(number_of_them, "rank").c_str());
  const std::size_t named = std::min<std::uint64_t>(number_of_them, entries_listed);
  for (std::size_t i = 0; i < named; ++i) {
    const Entry& one = peaks.bytes.most[i];
    line += (i == 0 ? "" : ", ") + name_of(one.place) + " with " + in_bytes(one.value);
  }
  if (number_of_them > named) line += text(", and %llu more", number(number_of_them - named));
  return line + "\n";
}

std::string refused_of(std::size_t type, const Spread& refused) {
  if (refused.sum == 0) return "";
  return text("\n%s: %s refused, most on ", name_of_type(type), counted(refused.sum, "request").c_str()) + name_of(refused.most[0].place) +
         text(": %llu\n", number(refused.most[0].value));
}

std::string holders_of(std::size_t type, const Spread& live, const Holders& holders) {
  std::string lines = text("\n%s live on ", name_of_type(type)) + name_of(live.most[0].place) + ", by label\n";
  if (!holders.is_known) return lines + "  not known: that rank could not write its own report\n";
  for (const Holder& one : holders.largest) {
    if (one.blocks == 0) continue;
    lines += text("  %9s %6s  %s  ", in_bytes(one.bytes).c_str(), share_of(one.bytes, live.most[0].value).c_str(),
                  counted(one.blocks, "block").c_str()) +
             (one.is_labelled ? printable(one.label) : "(no label)") + "\n";
  }
  if (holders.others > 0) lines += "  and " + counted(holders.others, "label") + " more\n";
  return lines;
}

std::string first_line(const Figures& figures) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char when[32] = "";
  if (gmtime_r(&now, &parts)) std::strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text("Cadastre %s, memory of %s on %s, %s\n", cadastre_get_version(),
              counted(figures.ranks.resident.bytes.members, "rank").c_str(), counted(figures.nodes.resident.bytes.members, "node").c_str(),
              when);
}

}  // namespace

std::uint64_t bytes_of_an_outlier(const Figure& peaks) noexcept {
  const std::uint64_t mean = peaks.bytes.mean();
  return mean + mean / 2;
}

std::string table_of(const Figures& figures, const Extremes& extremes) {
  const Members& ranks = figures.ranks;
  const Capacity capacity = known_of_all(figures);
  std::string all = first_line(figures) + memory_of_nodes(figures);
  if (figures.unread > 0) all += counted(figures.unread, "rank") + " could not read all figures, which count as 0\n";
  all += head_of("over ranks", "most on") + rows_of(ranks, ranks, capacity);
  if (figures.nodes.resident.bytes.members > 1) {
    all += head_of("over nodes", "most on the node of") + rows_of(figures.nodes, ranks, capacity);
    all += "the peak of a node is the sum of its ranks' peaks, which may be of different moments\n";
  }
  bool any = false;
  for (std::size_t type = 0; type < memory_types; ++type) {
    any = any || is_used(ranks, type);
    all += refused_of(type, ranks.refused[type]) + outliers_of(type, ranks.peak[type], extremes.outliers[type]);
    if (extremes.holders_of_most[type]) all += holders_of(type, ranks.live[type].bytes, *extremes.holders_of_most[type]);
  }
  return any ? all : all + "\nno rank has allocated memory\n";
}

}  // namespace cadastre::adapter
