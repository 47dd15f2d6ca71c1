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

const char* name_of(std::size_t kind) noexcept { return kind == together ? "together" : cadastre_string_of_memory_type(type_of(kind)); }

std::size_t number_of_used_types(const Members& ranks) noexcept {
  std::size_t number = 0;
  for (std::size_t type = 0; type < memory_types; ++type) number += is_used(ranks, type);
  return number;
}

std::string cell(std::uint64_t bytes, const std::string& share) { return text("  %9s %6s", in_bytes(bytes).c_str(), share.c_str()); }

std::string head_of(const std::string& what, const char* place) {
  return text("\n%-16s  %9s %6s  %9s %6s  %9s %6s  %9s %6s  %s\n", what.c_str(), "minimum", "", "mean", "", "maximum", "", "sum", "",
              place);
}

// capacity: of all nodes together.
std::string row(const char* name, const char* what, const Figure& figure, std::uint64_t capacity) {
  const Spread& bytes = figure.bytes;
  const Shares& share = figure.share;
  const auto known = [&](double value) { return share.members == bytes.members ? in_percent(value) : std::string(); };
  const double mean = share.members == 0 ? 0 : share.sum / static_cast<double>(share.members);
  return text("%-8s %-7s", name, what) + cell(bytes.minimum, known(share.minimum)) + cell(bytes.mean(), known(mean)) +
         cell(bytes.maximum().value, known(share.maximum)) + cell(bytes.sum, share_of(bytes.sum, capacity)) + "  " +
         name_of(bytes.maximum().place) + "\n";
}

std::string rows_of(const Members& members, const Figures& figures) {
  std::string rows;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    if (!is_used(figures.ranks, kind) || (kind == together && number_of_used_types(figures.ranks) < 2)) continue;
    rows += row(name_of(kind), "live", members.live[kind], memory_for(kind, figures));
    rows += row("", "peak", members.peak[kind], memory_for(kind, figures));
  }
  rows += row("resident", "now", members.resident, memory_for(CADASTRE_HOST, figures));
  rows += row("", "peak", members.most_resident, memory_for(CADASTRE_HOST, figures));
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

std::string outliers_of(std::size_t type, const Figure& peaks, std::uint64_t number_of_them) {
  if (number_of_them == 0) return "";
  std::string line = text("\n%s: %s above 1.5 times the mean of the peaks: ", name_of(type), counted(number_of_them, "rank").c_str());
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
  return text("\n%s: %s refused, most on ", name_of(type), counted(refused.sum, "request").c_str()) + name_of(refused.most[0].place) +
         text(": %llu\n", number(refused.most[0].value));
}

// with_types: of how many memory types they may be is more than one.
std::string lines_of(const Holders& holders, std::uint64_t whole, bool with_types) {
  std::string lines;
  for (const Holder& one : holders.largest) {
    if (one.blocks == 0) continue;
    lines +=
        text("  %9s %6s  %s  ", in_bytes(one.bytes).c_str(), share_of(one.bytes, whole).c_str(), counted(one.blocks, "block").c_str()) +
        (with_types ? text("%s  ", name_of(static_cast<std::size_t>(one.type))) : "") +
        (one.is_labelled ? printable(one.label) : "(no label)") + "\n";
  }
  if (holders.others > 0) lines += "  and " + counted(holders.others, "label") + " more\n";
  return lines;
}

std::string holders_of(std::size_t type, const Spread& live, const Holders& holders) {
  const std::string head = text("\n%s live on ", name_of(type)) + name_of(live.maximum().place) + ", by label\n";
  return head +
         (holders.is_known ? lines_of(holders, live.maximum().value, false) : "  not known: that rank could not write its own report\n");
}

bool are_listed_as_live(const Figures& figures, const Holders& holders) noexcept {
  const std::int32_t rank = figures.ranks.peak[together].bytes.maximum().place.rank;
  for (std::size_t type = 0; type < memory_types; ++type) {
    const Spread& live = figures.ranks.live[type].bytes;
    if (live.sum > 0 && live.maximum().place.rank != rank) return false;
  }
  return holders.is_now;
}

std::string holders_at_peak(const Figures& figures, const std::optional<Holders>& holders) {
  if (!holders || (holders->is_known && are_listed_as_live(figures, *holders))) return "";
  const Entry& most = figures.ranks.peak[together].bytes.maximum();
  const std::string head = "\nat the peak on " + name_of(most.place) + ", of ";
  if (!holders->is_known) {
    return head + in_bytes(most.value) +
           ": who held it is not known; CADASTRE_BLACKBOX or CADASTRE_REPORT_ON in the environment keeps it\n";
  }
  return head + in_bytes(holders->together) + ", by label\n" +
         lines_of(*holders, holders->together, number_of_used_types(figures.ranks) > 1);
}

std::string first_line(const Figures& figures) {
  return text("Cadastre %s, memory of %s on %s, %s\n", cadastre_get_version(),
              counted(figures.ranks.resident.bytes.members, "rank").c_str(), counted(figures.nodes.resident.bytes.members, "node").c_str(),
              time_now().c_str());
}

}  // namespace

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char when[32] = "";
  if (gmtime_r(&now, &parts)) std::strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return when;
}

std::string table_of(const Figures& figures, const Extremes& extremes) {
  const Members& ranks = figures.ranks;
  std::string all = first_line(figures) + memory_of_nodes(figures);
  if (figures.unread > 0) all += counted(figures.unread, "rank") + " could not read all figures, which count as 0\n";
  all += head_of("over ranks", "maximum on") + rows_of(ranks, figures);
  if (figures.nodes.resident.bytes.members > 1) {
    all += head_of("over nodes", "maximum on the node of") + rows_of(figures.nodes, figures);
    all += "the peak of a node is the sum of its ranks' peaks, which may be of different moments\n";
  }
  all += holders_at_peak(figures, extremes.holders_at_peak);
  for (std::size_t type = 0; type < memory_types; ++type) {
    all += refused_of(type, ranks.refused[type]) + outliers_of(type, ranks.peak[type], extremes.outliers[type]);
    if (extremes.holders_of_most[type]) all += holders_of(type, ranks.live[type].bytes, *extremes.holders_of_most[type]);
  }
  return number_of_used_types(ranks) > 0 ? all : all + "\nno rank has allocated memory\n";
}

}  // namespace cadastre::adapter
