// Tangled from org/command/trace_report_text.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <map>

#include "statistics.hpp"
#include "trace_report.hpp"

namespace cadastre::command {
namespace {

constexpr std::size_t labels_listed = 10, churn_listed = 5;

// How many of so many labels are not listed; empty where all are.
std::string more(std::size_t labels) {
  return labels <= labels_listed ? "" : "  and " + counted(static_cast<std::int64_t>(labels - labels_listed), "label") + " more\n";
}

std::uint64_t unsigned_of(std::int64_t number) { return static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0)); }

class TextOfSummary {
 public:
  TextOfSummary(const Summary& summary, bool utf8) : summary_(summary), utf8_(utf8) {}
  std::string text() const { return heading() + memory() + holders() + refused() + never_freed() + grown() + churn(); }

 private:
  std::string seconds(std::int64_t nanoseconds) const { return in_seconds(unsigned_of(nanoseconds), utf8_); }
  std::string heading() const;
  std::string memory() const;
  std::string holders() const;
  std::string refused() const;
  // Of labels, what was never freed.
  std::string left(const char* heading, std::span<const LabelSummary* const> labels) const;
  std::string never_freed() const;
  std::string grown() const;
  std::string churn() const;
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
  std::size_t used = 0;
  for (std::size_t type = 0; type < sums_of_types; ++type) {
    const TypeSummary& figures = summary_.types[type];
    if (!is_used(figures) || (type == all_types && used < 2)) continue;
    ++used;
    table.add({name_of_type(type), in_bytes(unsigned_of(figures.peak.bytes)), grouped(figures.peak.blocks), seconds(figures.peak_time),
               in_bytes(unsigned_of(figures.allocated.bytes)), grouped(figures.allocated.blocks), grouped(figures.refused)});
  }
  return used == 0 ? "\nNothing was allocated.\n" : "\n" + table.text();
}

std::string TextOfSummary::holders() const {
  const TypeSummary& all = summary_.types[all_types];
  const auto labels = largest_first(summary_, &LabelSummary::at_peak);
  if (labels.empty()) return "";
  Table table("rrrll");
  for (std::size_t i = 0; i < std::min(labels.size(), labels_listed); ++i) {
    const LabelSummary& label = *labels[i];
    const auto share =
        std::lround(100.0 * static_cast<double>(label.at_peak.bytes) / static_cast<double>(std::max<std::int64_t>(all.peak.bytes, 1)));
    table.add({"  " + in_bytes(unsigned_of(label.at_peak.bytes)), std::to_string(share) + " %", counted(label.at_peak.blocks, "block"),
               name_of_type(static_cast<std::size_t>(label.type)), shown_label(label.label)});
  }
  std::string text = "\nWho held the " + in_bytes(unsigned_of(all.peak.bytes)) + " of the peak, at " + seconds(all.peak_time) +
                     ", by label\n" + table.text();
  return text + more(labels.size());
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

std::string TextOfSummary::left(const char* heading, std::span<const LabelSummary* const> labels) const {
  if (labels.empty()) return "";
  Table table("rrll");
  for (const LabelSummary* const label : labels.first(std::min(labels.size(), labels_listed))) {
    table.add({"  " + in_bytes(unsigned_of(label->never_freed.bytes)), counted(label->never_freed.blocks, "block"),
               name_of_type(static_cast<std::size_t>(label->type)), shown_label(label->label)});
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
    table.add({"  " + counted(label.short_lives, "block"), "the shortest " + seconds(label.shortest_life),
               name_of_type(static_cast<std::size_t>(label.type)), shown_label(label.label)});
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
    const double rate = static_cast<double>(allocated.bytes) / (static_cast<double>(s.time) / 1e9);
    text += in_bytes(static_cast<std::uint64_t>(rate)) + " were allocated in a second. ";
  }
  text += grouped(s.short_lives) + " of " + counted(allocated.blocks, "block") + " lived for less than a millisecond. " +
          grouped(s.asked_again) + " could have had the memory of a block of the same size that was freed before; a pool does that.\n";
  return text + short_lives() + sizes();
}

struct Named {
  std::string name;
  std::int64_t bytes;
};

struct Spread {
  std::int64_t least = INT64_MAX, sum = 0;
  Named most;
};

// Of two numbers above 0; the largest that there is, where it would be more.
std::int64_t added(std::int64_t a, std::int64_t b) { return b > INT64_MAX - a ? INT64_MAX : a + b; }

Spread spread_of(std::span<const Named> all) {
  Spread spread{.most = all[0]};
  for (const Named& one : all) {
    if (one.bytes > spread.most.bytes) spread.most = one;
    spread.least = std::min(spread.least, one.bytes);
    spread.sum = added(spread.sum, one.bytes);
  }
  return spread;
}

std::vector<Named> peaks_of_traces(std::span<const Summary> summaries, std::size_t type) {
  std::vector<Named> peaks;
  for (const Summary& summary : summaries) peaks.push_back({summary.name, summary.types[type].peak.bytes});
  return peaks;
}

// Of traces that do not say where they were recorded: none.
std::vector<Named> peaks_of_hosts(std::span<const Summary> summaries, std::size_t type) {
  std::map<std::string, std::int64_t> sums;
  for (const Summary& summary : summaries) sums[summary.host] = added(sums[summary.host], summary.types[type].peak.bytes);
  std::vector<Named> peaks;
  if (sums.contains("")) return peaks;
  for (const auto& [host, sum] : sums) peaks.push_back({host, sum});
  return peaks;
}

void add_spread(Table& table, const char* type, std::span<const Named> peaks) {
  const Spread spread = spread_of(peaks);
  table.add({type, in_bytes(unsigned_of(spread.least)), in_bytes(unsigned_of(spread.sum / static_cast<std::int64_t>(peaks.size()))),
             in_bytes(unsigned_of(spread.most.bytes)), in_bytes(unsigned_of(spread.sum)), printable(spread.most.name, 255)});
}

std::string side_by_side(std::span<const Summary> summaries) {
  Table traces("lrrrrl"), hosts("lrrrrl");
  traces.add({"Peak", "least", "mean", "most", "sum", "most in"});
  hosts.add({"Peaks of a host's traces together", "least", "mean", "most", "sum", "most on"});
  std::size_t used = 0, number_of_hosts = 0;
  for (std::size_t type = 0; type < sums_of_types; ++type) {
    const bool any = std::any_of(summaries.begin(), summaries.end(), [=](const Summary& summary) { return is_used(summary.types[type]); });
    if (!any || (type == all_types && used < 2)) continue;
    ++used;
    add_spread(traces, name_of_type(type), peaks_of_traces(summaries, type));
    const std::vector<Named> of_hosts = peaks_of_hosts(summaries, type);
    number_of_hosts = of_hosts.size();
    if (number_of_hosts > 1) add_spread(hosts, name_of_type(type), of_hosts);
  }
  const std::string text = counted(static_cast<std::int64_t>(summaries.size()), "trace") + "\n";
  if (used == 0) return text + "Nothing was allocated.\n";
  return text + traces.text() +
         (number_of_hosts > 1 ? "\n" + counted(static_cast<std::int64_t>(number_of_hosts), "host") + "\n" + hosts.text() : "");
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
