// Tangled from org/command/trace_report_text.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "statistics.hpp"
#include "trace_report.hpp"
#include "trace_spread.hpp"

namespace cadastre::command {
namespace {

constexpr std::size_t labels_listed = 10, churn_listed = 5, outliers_listed = 10;

// How many of so many labels are not listed; empty where all are.
std::string more(std::size_t labels) {
  return labels <= labels_listed ? "" : "  and " + counted(static_cast<std::int64_t>(labels - labels_listed), "label") + " more\n";
}

std::uint64_t unsigned_of(std::int64_t number) { return static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0)); }

class TextOfSummary {
 public:
  TextOfSummary(const Summary& summary, bool utf8) : summary_(summary), utf8_(utf8) {}
  std::string text() const { return heading() + sections(); }
  std::string sections() const {
    return memory() + in_use() + holders() + holders_of_devices() + rounding() + refused() + failed() + never_freed() + grown() + churn() +
           calls();
  }

 private:
  std::string seconds(std::int64_t nanoseconds) const { return in_seconds(unsigned_of(nanoseconds), utf8_); }
  std::string heading() const;
  std::string memory() const;
  std::string place_of(const LabelSummary& label) const { return command::place_of(summary_, label); }
  std::string holders_of_devices() const;
  std::string held(const std::string& of, const TypeSummary& figures, Amount LabelSummary::* amount,
                   std::span<const LabelSummary* const> labels) const;
  std::string in_use() const;
  std::string rounding() const;
  std::string holders() const;
  std::string refused() const;
  std::string failed() const;
  // Of labels, what was never freed.
  std::string left(const char* heading, std::span<const LabelSummary* const> labels) const;
  std::string never_freed() const;
  std::string grown() const;
  std::string churn() const;
  std::string calls() const;
  std::string short_lives() const;
  std::string sizes() const;

  const Summary& summary_;
  bool utf8_;
};

std::string TextOfSummary::heading() const {
  const Summary& s = summary_;
  std::string text = printable(s.name, 4096) + "\n" + counted(static_cast<std::int64_t>(s.operations), "operation") + " by " +
                     counted(static_cast<std::int64_t>(s.threads), "thread") + " on " +
                     counted(static_cast<std::int64_t>(s.contexts), "context") + " in " + seconds(s.time);
  if (!s.process.empty()) text += "; process " + printable(s.process) + " on " + printable(s.host);
  if (!s.rank.empty()) text += ", rank " + printable(s.rank);
  if (!s.executable.empty()) text += ", " + printable(s.executable, 4096);
  text += "\n";
  if (!s.incomplete.empty()) text += "Incomplete: " + printable(s.incomplete, 4096) + "\n";
  if (s.left_out == 0) return text;
  text += counted(static_cast<std::int64_t>(s.left_out), "operation") + " left out, which cannot have happened";
  const char* before = ": ";
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    if (s.left_out_by_kind[kind] == 0) continue;
    text += before + grouped(static_cast<std::int64_t>(s.left_out_by_kind[kind])) + " " + std::string(name_of(static_cast<Kind>(kind)));
    before = ", ";
  }
  return text + "\n";
}

std::string TextOfSummary::memory() const {
  Table table("lrrrrrr");
  table.add({"Memory", "peak", "in blocks", "at", "allocated", "in blocks", "refused"});
  const auto add = [&](const std::string& name, const TypeSummary& figures, const std::string& refused) {
    table.add({name, in_bytes(unsigned_of(figures.peak.bytes)), grouped(figures.peak.blocks), seconds(figures.peak_time),
               in_bytes(unsigned_of(figures.allocated.bytes)), grouped(figures.allocated.blocks), refused});
  };
  std::size_t used = 0;
  for (std::size_t type = 0; type < sums_of_types; ++type) {
    const TypeSummary& figures = summary_.types[type];
    if (!is_used(figures) || (type == all_types && used < 2)) continue;
    ++used;
    add(name_of_type(type), figures, grouped(figures.refused));
    if (type != CADASTRE_DEVICE || !summary_.has_several_devices()) continue;
    for (const DeviceSummary& device : summary_.devices) add("  of " + printable(device.name), device.figures, "");
  }
  return used == 0 ? "\nNothing was allocated.\n" : "\n" + table.text();
}

std::string bytes_or_nothing(std::int64_t bytes) { return bytes < 0 ? "" : in_bytes(unsigned_of(bytes)); }

std::string TextOfSummary::in_use() const {
  if (summary_.uses.empty()) return "";
  Table table("lrrrrrrr");
  table.add({"In use", "tracked", "kept", "used", "untracked", "at", "most used", "at"});
  std::string text;
  for (const UseSummary& use : summary_.uses) {
    const MemoryUse& at = use.at_most_live;
    table.add({at.device.empty() ? "host" : printable(at.device), bytes_or_nothing(at.live), bytes_or_nothing(at.kept),
               bytes_or_nothing(at.used), bytes_or_nothing(use.untracked()), seconds(at.time), bytes_or_nothing(use.at_most_used.used),
               seconds(use.at_most_used.time)});
    if (at.huge >= 0) text = "Of the host's memory " + in_bytes(unsigned_of(at.huge)) + " were in huge pages.\n";
    std::string nodes;
    for (const NumaNode& one : use.numa_nodes)
      nodes += (nodes.empty() ? "" : ", ") + std::to_string(one.node) + " " + in_bytes(unsigned_of(one.bytes));
    if (!nodes.empty()) text += "By NUMA node: " + nodes + ".\n";
  }
  return "\n" + table.text() + text;
}

std::string TextOfSummary::held(const std::string& of, const TypeSummary& figures, Amount LabelSummary::* amount,
                                std::span<const LabelSummary* const> labels) const {
  if (labels.empty()) return "";
  Table table("rrrll");
  for (const LabelSummary* const label : labels.first(std::min(labels.size(), labels_listed))) {
    const Amount& own = label->*amount;
    const auto share =
        std::lround(100.0 * static_cast<double>(own.bytes) / static_cast<double>(std::max<std::int64_t>(figures.peak.bytes, 1)));
    table.add({"  " + in_bytes(unsigned_of(own.bytes)), std::to_string(share) + " %", counted(own.blocks, "block"), place_of(*label),
               shown_label(label->label)});
  }
  return "\nWho held the " + in_bytes(unsigned_of(figures.peak.bytes)) + " of the peak" + of + ", at " + seconds(figures.peak_time) +
         ", by label\n" + table.text() + more(labels.size());
}

std::string TextOfSummary::holders() const {
  return held("", summary_.types[all_types], &LabelSummary::at_peak, largest_first(summary_, &LabelSummary::at_peak));
}

std::string TextOfSummary::holders_of_devices() const {
  if (!summary_.has_several_devices()) return "";
  std::string text;
  for (const DeviceSummary& device : summary_.devices) {
    std::vector<const LabelSummary*> labels = largest_first(summary_, &LabelSummary::at_peak_of_device);
    std::erase_if(labels, [&](const LabelSummary* label) { return label->device != device.name; });
    text += held(" of " + printable(device.name), device.figures, &LabelSummary::at_peak_of_device, labels);
  }
  return text;
}

std::string TextOfSummary::rounding() const {
  std::vector<const LabelSummary*> labels;
  std::string others;
  const TypeSummary* known = nullptr;
  const char* name = "";
  for (std::size_t type = 0; type < memory_types; ++type) {
    if (!is_used(summary_.types[type])) continue;
    const bool is_known = summary_.rounding.is_known(static_cast<cadastre_memory_type>(type));
    if (is_known) known = &summary_.types[type], name = name_of_type(type);
    if (!is_known) others += (others.empty() ? "" : ", ") + std::string(name_of_type(type));
  }
  if (!known || known->peak.blocks == 0) return "";
  for (const LabelSummary& label : summary_.labels) {
    if (label.rounding_at_peak() > 0) labels.push_back(&label);
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](const LabelSummary* a, const LabelSummary* b) { return a->at_peak.rounding > b->at_peak.rounding; });
  const auto percent = [](const Amount& amount) {
    const double bytes = static_cast<double>(std::max<std::int64_t>(amount.bytes, 1));
    return std::to_string(std::lround(std::min(100 * static_cast<double>(amount.rounding) / bytes, 1e9))) + " %";
  };
  Table table("rrrll");
  for (std::size_t i = 0; i < std::min(labels.size(), churn_listed); ++i) {
    const LabelSummary& label = *labels[i];
    table.add({"  " + in_bytes(unsigned_of(label.at_peak.rounding)), percent(label.at_peak), counted(label.at_peak.blocks, "block"), name,
               shown_label(label.label)});
  }
  std::string text = "\nSizes are rounded up: " + in_bytes(unsigned_of(known->peak.rounding)) + " beside the " +
                     in_bytes(unsigned_of(known->peak.bytes)) + " of " + name + " memory at its peak, " + percent(known->peak) + "; " +
                     in_bytes(unsigned_of(known->allocated.rounding)) + " of all that was allocated, " + percent(known->allocated) + ".";
  if (!others.empty()) text += " Of " + others + " memory it is not known.";
  return text + "\n" + (labels.empty() ? "" : "Most of it when all together were most, by label\n" + table.text());
}

std::string TextOfSummary::refused() const {
  if (summary_.refusals.empty()) return "";
  std::string text = "\nRefused\n";
  for (const Refusal& refusal : summary_.refusals) {
    text += "  at " + seconds(refusal.time) + ", " + in_bytes(refusal.size) + " " + name_of_type(static_cast<std::size_t>(refusal.type)) +
            " for " + shown_label(refusal.label) + ", while " + in_bytes(unsigned_of(refusal.live)) + " were held";
    const char* before = ": ";
    for (const auto& [label, bytes] : refusal.holders) {
      text += before + in_bytes(unsigned_of(bytes)) + " " + shown_label(label);
      before = ", ";
    }
    text += "\n";
  }
  const std::int64_t more = summary_.types[all_types].refused - static_cast<std::int64_t>(summary_.refusals.size());
  return more > 0 ? text + "  and " + grouped(more) + " more\n" : text;
}

std::string TextOfSummary::failed() const {
  if (summary_.failures.empty()) return "";
  Table table("rlllll");
  std::int64_t shown = 0;
  for (std::size_t i = 0; i < std::min(summary_.failures.size(), labels_listed); ++i) {
    const FailureSummary& failure = summary_.failures[i];
    const bool has_block = failure.type >= 0;
    shown += failure.count;
    table.add({"  " + grouped(failure.count), std::string(name_of(failure.kind)), name_of(failure.fault),
               std::to_string(failure.result) + ", " + cadastre_string_of_error(failure.result),
               has_block ? name_of_type(static_cast<std::size_t>(failure.type)) : "", has_block ? shown_label(failure.label) : ""});
  }
  const std::string text = "\nFailed, by what was wrong with the block, exit code and label\n" + table.text();
  return summary_.failed > shown ? text + "  and " + grouped(summary_.failed - shown) + " more\n" : text;
}

std::string TextOfSummary::left(const char* heading, std::span<const LabelSummary* const> labels) const {
  if (labels.empty()) return "";
  Table table("rrll");
  for (const LabelSummary* const label : labels.first(std::min(labels.size(), labels_listed))) {
    table.add({"  " + in_bytes(unsigned_of(label->never_freed.bytes)), counted(label->never_freed.blocks, "block"), place_of(*label),
               shown_label(label->label)});
  }
  return std::string("\n") + heading + "\n" + table.text() + more(labels.size());
}

std::string TextOfSummary::never_freed() const {
  return left("Not freed one by one, but with their contexts, or live at the end, by label",
              largest_first(summary_, &LabelSummary::never_freed));
}

std::string TextOfSummary::grown() const {
  std::vector<const LabelSummary*> labels = largest_first(summary_, &LabelSummary::never_freed);
  std::erase_if(labels, [](const LabelSummary* label) { return !label->grows_until_the_end; });
  return left("Grew until the end, and may leak, by label", labels);
}

std::string TextOfSummary::short_lives() const {
  std::vector<const LabelSummary*> labels;
  for (const LabelSummary& label : summary_.labels) {
    if (label.short_lives > 0) labels.push_back(&label);
  }
  if (labels.empty()) return "";
  std::stable_sort(labels.begin(), labels.end(),
                   [](const LabelSummary* a, const LabelSummary* b) { return a->short_lives > b->short_lives; });
  Table table("rlll");
  for (std::size_t i = 0; i < std::min(labels.size(), churn_listed); ++i) {
    const LabelSummary& label = *labels[i];
    table.add({"  " + counted(label.short_lives, "block"), "the shortest " + seconds(label.shortest_life), place_of(label),
               shown_label(label.label)});
  }
  return "\nMost short lives, by label\n" + table.text();
}

std::string TextOfSummary::sizes() const {
  if (summary_.sizes.empty()) return "";
  Table table("rr");
  for (std::size_t i = 0; i < std::min(summary_.sizes.size(), churn_listed); ++i) {
    const SizeSummary& size = summary_.sizes[i];
    table.add({"  " + grouped(static_cast<std::int64_t>(size.asked_again)) + " of", in_bytes(size.size)});
  }
  return "\nMost freed and requested again, by size\n" + table.text();
}

std::string TextOfSummary::churn() const {
  const Summary& s = summary_;
  const Amount& allocated = s.types[all_types].allocated;
  if (allocated.blocks == 0) return "";
  std::string text = "\n";
  if (s.time > 0) {
    constexpr double most = 1e18;  // what fits a number of bytes; times of a file may be any
    const double rate = std::min(static_cast<double>(allocated.bytes) / (static_cast<double>(s.time) / 1e9), most);
    text += in_bytes(static_cast<std::uint64_t>(rate)) + " were allocated in a second. ";
  }
  text += grouped(s.short_lives) + " of " + counted(allocated.blocks, "block") + " lived for less than a millisecond. " +
          grouped(s.asked_again) + " could have had the memory of a block of the same size that was freed before; a pool does that.\n";
  return text + short_lives() + sizes();
}

std::string TextOfSummary::calls() const {
  if (summary_.calls.empty()) return "";
  Table table("lrrrrr");
  table.add({"Time in calls", "calls", "timed", "mean", "longest", "estimated"});
  for (const CallSummary& one : summary_.calls) {
    table.add({std::string(name_of(one.kind)), grouped(one.calls), grouped(one.timed), seconds(one.timed_time / one.timed),
               seconds(one.longest), seconds(one.estimated())});
  }
  std::string text = "\n" + table.text();
  std::vector<const LabelSummary*> labels;
  for (const LabelSummary& label : summary_.labels) {
    if (label.time_in_calls > 0) labels.push_back(&label);
  }
  if (labels.empty()) return text;
  std::stable_sort(labels.begin(), labels.end(),
                   [](const LabelSummary* a, const LabelSummary* b) { return a->time_in_calls > b->time_in_calls; });
  Table of_labels("rll");
  for (std::size_t i = 0; i < std::min(labels.size(), churn_listed); ++i)
    of_labels.add({"  " + seconds(labels[i]->time_in_calls), place_of(*labels[i]), shown_label(labels[i]->label)});
  return text + "Most of it, estimated, by label\n" + of_labels.text();
}

std::string in_percent(double share) {
  if (share < 0) return "";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f %%", share < 0.1 ? 2 : 1, 100 * share);
  return text.data();
}

void add_rows(Table& table, const Spread& spread) {
  const std::string rank = spread.maximum_rank.empty() ? "" : ", rank " + printable(spread.maximum_rank, 60);
  const std::string device = spread.maximum_device.empty() ? "" : ", " + printable(spread.maximum_device);
  table.add({name_of_type(spread.type), in_bytes(unsigned_of(spread.minimum)), in_bytes(unsigned_of(spread.mean)),
             in_bytes(unsigned_of(spread.maximum)), in_bytes(unsigned_of(spread.sum)), printable(spread.maximum_in, 255) + rank + device});
  if (spread.mean_share < 0) return;
  const char* const of_devices = spread.of == "device" ? "  of its memory" : "  of its devices' memory";
  const char* const whose = spread.type == CADASTRE_DEVICE ? of_devices : "  of the node's memory";
  table.add({whose, in_percent(spread.minimum_share), in_percent(spread.mean_share), in_percent(spread.maximum_share),
             in_percent(spread.sum_share), ""});
}

// All of one kind; empty where there are none.
std::string rows_of(std::span<const Spread> spreads, std::string_view of, const char* title) {
  Table table("lrrrrl");
  table.add({title, "minimum", "mean", "maximum", "sum", "maximum in"});
  std::size_t used = 0, count = 0;
  for (const Spread& spread : spreads) {
    if (spread.of != of || (spread.type == all_types && used < 2)) continue;
    ++used;
    count = spread.count;
    add_rows(table, spread);
  }
  return used == 0 ? "" : counted(static_cast<std::int64_t>(count), of) + "\n" + table.text();
}

std::string far_from_the_others(std::span<const Summary> summaries) {
  const std::vector<Outlier> outliers = outliers_of(summaries);
  if (outliers.empty()) return "";
  Table table("rrll");
  for (std::size_t i = 0; i < std::min(outliers.size(), outliers_listed); ++i) {
    const Outlier& outlier = outliers[i];
    std::array<char, 32> times{};
    const double median = static_cast<double>(std::max<std::int64_t>(outlier.median, 1));
    std::snprintf(times.data(), times.size(), "%.3g times", static_cast<double>(outlier.peak) / median);
    const std::string& rank = outlier.trace->rank;
    table.add({"  " + in_bytes(unsigned_of(outlier.peak)), times.data(), rank.empty() ? "" : "rank " + printable(rank, 60),
               printable(outlier.trace->name, 255)});
  }
  std::string text = "\nOutliers: " + counted(static_cast<std::int64_t>(outliers.size()), "peak") + " far from the median, which is " +
                     in_bytes(unsigned_of(outliers[0].median)) + "\n" + table.text();
  if (outliers.size() > outliers_listed)
    text += "  and " + grouped(static_cast<std::int64_t>(outliers.size() - outliers_listed)) + " more\n";
  return text;
}

std::string side_by_side(std::span<const Summary> summaries) {
  const std::vector<Spread> spreads = spreads_of(summaries);
  if (spreads.empty()) return counted(static_cast<std::int64_t>(summaries.size()), "trace") + "\nNothing was allocated.\n";
  std::string text = rows_of(spreads, "trace", "Peak");
  for (const auto& [of, title] : {std::pair("host", "Peaks of a host's traces together"), std::pair("device", "Peaks of devices")}) {
    const std::string rows = rows_of(spreads, of, title);
    if (!rows.empty()) text += "\n" + rows;
  }
  return text + far_from_the_others(summaries);
}

std::string not_read(std::span<const Unreadable> unreadable) {
  std::string text;
  for (const Unreadable& one : unreadable) text += (text.empty() ? "Not read\n  " : "  ") + one.problem + "\n";
  return text;
}

// All, where they are few.
std::vector<const Summary*> shown_of(std::span<const Summary> summaries) {
  constexpr std::size_t most_shown = 4, most_refused = 3;
  std::vector<const Summary*> shown;
  for (const Summary& summary : summaries) shown.push_back(&summary);
  if (shown.size() <= most_shown) return shown;
  const auto peak_of = [](const Summary* summary) { return summary->types[all_types].peak.bytes; };
  const Summary* const largest = *std::max_element(shown.begin(), shown.end(), [=](auto* a, auto* b) { return peak_of(a) < peak_of(b); });
  std::erase_if(shown, [=](const Summary* summary) { return summary == largest || summary->refusals.empty(); });
  if (shown.size() > most_refused) shown.resize(most_refused);
  shown.insert(shown.begin(), largest);
  return shown;
}

}  // namespace

std::string sections_of(const Summary& summary, bool utf8) { return TextOfSummary(summary, utf8).sections(); }

std::string as_text(const Traces& traces, bool utf8) {
  const std::span<const Summary> summaries = traces.read;
  std::string text = not_read(traces.unreadable);
  if (summaries.size() > 1) text += (text.empty() ? "" : "\n") + side_by_side(summaries);
  const std::vector<const Summary*> shown = shown_of(summaries);
  if (shown.size() < summaries.size()) {
    text += "\nBelow are the one with the most memory" + std::string(shown.size() > 1 ? ", and such as were refused some" : "") +
            "; name others alone, or write JSON, which has all.\n";
  }
  for (const Summary* const summary : shown) text += (text.empty() ? "" : "\n\n") + TextOfSummary(*summary, utf8).text();
  return text;
}

}  // namespace cadastre::command
