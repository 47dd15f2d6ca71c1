// Tangled from org/command/replay_report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_report.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

namespace cadastre::command {
namespace {

using Json = nlohmann::ordered_json;

std::array<TypeFigures, CADASTRE_MEMORY_TYPE_COUNT> totals_of(const Report& report) {
  std::array<TypeFigures, CADASTRE_MEMORY_TYPE_COUNT> totals;
  for (const ContextFigures& context : report.contexts) {
    for (std::size_t t = 0; t < totals.size(); ++t) {
      TypeFigures& sum = totals[t];
      const TypeFigures& figures = context.types[t];
      sum.allocations += figures.allocations;
      sum.deallocations += figures.deallocations;
      sum.reallocations += figures.reallocations;
      sum.failed_allocations += figures.failed_allocations;
      sum.failed_deallocations += figures.failed_deallocations;
      sum.untracked_deallocations += figures.untracked_deallocations;
      sum.live_blocks += figures.live_blocks;
      sum.borrowed_blocks += figures.borrowed_blocks;
      sum.live_bytes += figures.live_bytes;
      sum.total_bytes += figures.total_bytes;
      sum.zeroed_bytes += figures.zeroed_bytes;
      sum.high_water_mark_blocks = std::max(sum.high_water_mark_blocks, figures.high_water_mark_blocks);
      sum.high_water_mark_bytes = std::max(sum.high_water_mark_bytes, figures.high_water_mark_bytes);
    }
  }
  return totals;
}

// What was never freed, the label with the most bytes first.
std::vector<std::pair<std::string, Left>> left_in(const Report& report) {
  std::map<std::string, Left> sums;
  for (const ContextFigures& context : report.contexts) {
    for (const auto& [label, left] : context.left) {
      sums[label].blocks += left.blocks;
      sums[label].bytes += left.bytes;
    }
  }
  std::vector<std::pair<std::string, Left>> result(sums.begin(), sums.end());
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  return result;
}

bool used(const TypeFigures& figures) { return figures.allocations != 0 || figures.failed_allocations != 0; }

class TextReport {
 public:
  TextReport(const Report& report, bool utf8) : report_(report), utf8_(utf8) {}
  std::string text() const { return heading() + mismatches() + not_as_traced() + memory() + times() + never_destroyed(); }

 private:
  std::string heading() const;
  std::string mismatches() const;
  std::string not_as_traced() const;  // what was done otherwise, or skipped
  std::string memory() const;
  std::string times() const;
  std::string never_destroyed() const;
  std::string seconds(std::uint64_t nanoseconds) const { return in_seconds(nanoseconds, utf8_); }

  const Report& report_;
  bool utf8_;
};

std::string TextReport::heading() const {
  const Report& r = report_;
  std::uint64_t in_calls = 0;
  for (const Times& times : r.times) in_calls += times.call.total();
  std::string text = printable(r.trace, 4096) + "\n" + counted(static_cast<std::int64_t>(r.operations), "operation") + " by " +
                     counted(static_cast<std::int64_t>(r.threads), "thread") + " on " +
                     counted(static_cast<std::int64_t>(r.contexts.size()), "context");
  if (r.options.repeat > 1) text += ", replayed " + grouped(r.options.repeat) + " times";
  text += ": ";
  text += r.failures == 0 ? "no failures" : counted(r.failures, "failure");
  if (r.mismatches != 0) {
    text += ", " + grouped(r.mismatches) + (r.mismatches == 1 ? " mismatch" : " mismatches");
  } else {
    text += r.failures == 0 ? ", no mismatches" : r.failures == 1 ? ", as traced" : ", all of them as traced";
  }
  if (r.skipped) text += ", " + grouped(r.skipped) + " skipped";
  text += "\nWall time " + seconds(r.wall.total());
  if (r.options.repeat > 1) {
    text += " (" + seconds(r.wall.least()) + " to " + seconds(r.wall.greatest()) + " each)";
  }
  text += ", of which " + seconds(in_calls) + " in calls";
  if (r.options.type) text += "; all blocks as " + std::string(cadastre_string_of_memory_type(*r.options.type));
  if (r.options.backend != CADASTRE_DEFAULT_BACKEND) {
    text += "; on the " + std::string(cadastre_string_of_backend(r.options.backend)) + " backend";
  }
  if (!r.options.zero) text += "; blocks uninitialized";
  if (r.options.touch) text += "; every page touched";
  text += "\n" + seconds(r.user) + " user and " + seconds(r.system) + " system time of the processor, ";
  return text + (r.most_resident == 0 ? "unknown memory" : in_bytes(r.most_resident)) + " resident at most\n";
}

std::string TextReport::mismatches() const {
  const Report& r = report_;
  if (!r.mismatches) return "";
  std::string text = "\nMismatches: results that differ from the trace\n";
  std::string last;  // a message is not repeated
  for (const Mismatch& mismatch : r.first_mismatches) {
    text += "  line " + std::to_string(mismatch.line) + ": " + mismatch.text + "\n";
    if (mismatch.message != last && !mismatch.message.empty()) {
      text += "    " + printable(mismatch.message, 600) + "\n";
    }
    last = mismatch.message;
  }
  const std::int64_t more = r.mismatches - static_cast<std::int64_t>(r.first_mismatches.size());
  if (more > 0) text += "  and " + grouped(more) + " more\n";
  return text;
}

std::string TextReport::not_as_traced() const {
  const Report& r = report_;
  std::string text;
  for (std::size_t t = 0; t < r.host_fallbacks.size(); ++t) {
    if (r.host_fallbacks[t] == 0) continue;
    text += "\nHOST memory used for " + std::string(cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(t))) + ": " +
            counted(r.host_fallbacks[t], "block") + "; the backend does not support this memory type here.\n";
  }
  if (r.not_supported) {
    text += "\n" + counted(r.not_supported, "block") +
            " of a memory type that the backend does not support; --backend selects another backend, "
            "--memory-type HOST allocates them on the host.\n";
  }
  if (r.skipped) {
    text += "\n" + counted(r.skipped, "operation") + " skipped, because the context or the block does not exist.\n";
  }
  if (r.reused) {
    text += "\n" + counted(r.reused, "operation") + " skipped: the block was freed before, and its address belongs to another block now.\n";
  }
  if (r.skipped_copies) {
    text += "\n" + counted(r.skipped_copies, "operation") +
            " skipped: a copy with a block that is not alive in its context might access other memory.\n";
  }
  for (const std::string& disagreement : r.disagreements) {
    text += "\nThe library's statistics are inconsistent: " + disagreement + ".\n";
  }
  return text;
}

std::string TextReport::memory() const {
  Table table("lrrrrrrr");
  table.add({"Memory", "peak of a context", "in blocks", "allocated", "in blocks", "zeroed", "never freed", "in blocks"});
  const auto totals = totals_of(report_);
  for (std::size_t t = 0; t < totals.size(); ++t) {
    const TypeFigures& f = totals[t];
    if (!used(f)) continue;
    table.add({cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(t)), in_bytes(f.high_water_mark_bytes),
               grouped(f.high_water_mark_blocks), in_bytes(f.total_bytes), grouped(f.allocations), in_bytes(f.zeroed_bytes),
               in_bytes(f.live_bytes), grouped(f.live_blocks)});
  }
  std::string text = "\n" + table.text();
  if (report_.contexts_at_once > 1) {
    text += "Up to " + grouped(static_cast<std::int64_t>(report_.contexts_at_once)) +
            " contexts were alive at once; each peak is the largest of any one context.\n";
  }
  return text;
}

std::string TextReport::times() const {
  Table table("lrlrrrrr");
  table.add({"Time per call", "count", "", "median", "p90", "p99", "max", "total"});
  for (std::size_t k = 0; k < kinds; ++k) {
    const Times& times = report_.times[k];
    if (times.call.count() == 0) continue;
    const auto row = [&](std::string name, std::string count, const char* part, const Histogram& h) {
      table.add({std::move(name), std::move(count), part, seconds(h.percentile(0.5)), seconds(h.percentile(0.9)),
                 seconds(h.percentile(0.99)), seconds(h.greatest()), seconds(h.total())});
    };
    const bool shared = times.backend.total() != 0;
    row(std::string(name_of(static_cast<Kind>(k))), grouped(static_cast<std::int64_t>(times.call.count())), shared ? "call" : "registry",
        times.call);
    if (!shared) continue;
    row("", "", "registry", times.registry);
    row("", "", "backend", times.backend);
  }
  return "\n" + table.text() + "Each call contains one reading of the clock, " + seconds(report_.clock) + ".\n";
}

std::string TextReport::never_destroyed() const {
  const auto alive =
      std::count_if(report_.contexts.begin(), report_.contexts.end(), [](const ContextFigures& context) { return !context.destroyed; });
  return alive == 0 ? "" : "\nNever destroyed: " + counted(alive, "context") + "\n";
}

Json json_of(const Histogram& h) {
  return {
      {"median", h.percentile(0.5)}, {"p90", h.percentile(0.9)}, {"p99", h.percentile(0.99)}, {"max", h.greatest()}, {"total", h.total()}};
}

Json json_of(const std::array<TypeFigures, CADASTRE_MEMORY_TYPE_COUNT>& types) {
  Json json = Json::array();
  for (std::size_t t = 0; t < types.size(); ++t) {
    const TypeFigures& figures = types[t];
    if (!used(figures)) continue;
    Json entry = {{"type", cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(t))}};
    entry["allocations"] = figures.allocations;
    entry["deallocations"] = figures.deallocations;
    entry["reallocations"] = figures.reallocations;
    entry["failed_allocations"] = figures.failed_allocations;
    entry["failed_deallocations"] = figures.failed_deallocations;
    entry["untracked_deallocations"] = figures.untracked_deallocations;
    entry["live_blocks"] = figures.live_blocks;
    entry["borrowed_blocks"] = figures.borrowed_blocks;
    entry["high_water_mark_blocks"] = figures.high_water_mark_blocks;
    entry["live_bytes"] = figures.live_bytes;
    entry["high_water_mark_bytes"] = figures.high_water_mark_bytes;
    entry["total_bytes"] = figures.total_bytes;
    entry["zeroed_bytes"] = figures.zeroed_bytes;
    json.push_back(std::move(entry));
  }
  return json;
}

Json json_of(const ReplayOptions& options) {
  const bool chosen = options.backend != CADASTRE_DEFAULT_BACKEND;
  return {{"repeat", options.repeat},
          {"zero", options.zero},
          {"touch", options.touch},
          {"backend", chosen ? Json(cadastre_string_of_backend(options.backend)) : Json()},
          {"type", options.type ? Json(cadastre_string_of_memory_type(*options.type)) : Json()}};
}

Json json_of(const std::vector<Mismatch>& mismatches) {
  Json json = Json::array();
  for (const Mismatch& s : mismatches) {
    json.push_back({{"line", s.line},
                    {"operation", name_of(s.kind)},
                    {"expected", s.expected},
                    {"got", s.got},
                    {"text", s.text},
                    {"message", s.message}});
  }
  return json;
}

Json fallbacks_of(const Report& r) {
  Json json = Json::object();
  for (std::size_t t = 0; t < r.host_fallbacks.size(); ++t) {
    if (r.host_fallbacks[t] != 0) json[cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(t))] = r.host_fallbacks[t];
  }
  return json;
}

Json times_of(const Report& r) {
  Json json = Json::array();
  for (std::size_t k = 0; k < kinds; ++k) {
    const Times& times = r.times[k];
    if (times.call.count() == 0) continue;
    json.push_back({{"operation", name_of(static_cast<Kind>(k))},
                    {"count", times.call.count()},
                    {"failures", times.failures},
                    {"call", json_of(times.call)},
                    {"registry", json_of(times.registry)},
                    {"backend", json_of(times.backend)}});
  }
  return json;
}

Json never_freed_in(const Report& r) {
  Json json = Json::array();
  for (const auto& [label, left] : left_in(r)) {
    json.push_back({{"label", label.empty() ? Json() : Json(label)}, {"blocks", left.blocks}, {"bytes", left.bytes}});
  }
  return json;
}

Json contexts_of(const Report& r) {
  Json json = Json::array();
  for (const ContextFigures& context : r.contexts) {
    json.push_back(
        {{"context", context.serial}, {"line", context.line}, {"destroyed", context.destroyed}, {"memory", json_of(context.types)}});
  }
  return json;
}

Json json_of(const Report& r) {
  return {{"trace", r.trace},
          {"options", json_of(r.options)},
          {"operations", r.operations},
          {"threads", r.threads},
          {"contexts_at_once", r.contexts_at_once},
          {"as_traced", r.as_traced()},
          {"failures", r.failures},
          {"mismatches", r.mismatches},
          {"skipped", r.skipped},
          {"reused_addresses", r.reused},
          {"skipped_copies", r.skipped_copies},
          {"host_fallbacks", fallbacks_of(r)},
          {"first_mismatches", json_of(r.first_mismatches)},
          {"disagreements", r.disagreements},
          {"wall_ns", {{"min", r.wall.least()}, {"max", r.wall.greatest()}, {"total", r.wall.total()}}},
          {"cpu_ns", {{"user", r.user}, {"system", r.system}}},
          {"peak_resident_bytes", r.most_resident == 0 ? Json() : Json(r.most_resident)},
          {"clock_ns", r.clock},
          {"times_ns", times_of(r)},
          {"memory", json_of(totals_of(r))},
          {"never_freed", never_freed_in(r)},
          {"contexts", contexts_of(r)}};
}

}  // namespace

std::string as_text(const Report& report, bool utf8) { return TextReport(report, utf8).text(); }

std::string as_json(std::span<const Report> reports, std::span<const std::string> of_traces) {
  Json json;
  json["cadastre"] = cadastre_get_version();
  json["schema_version"] = 1;
  json["traces"] = Json::array();
  for (std::size_t i = 0; i < reports.size(); ++i) {
    json["traces"].push_back(json_of(reports[i]));
    json["traces"].back()["report"] = Json::parse(of_traces[i]);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cadastre::command
