// Tangled from org/command/black_box_report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "black_box_report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/process.hpp"
#include "out/trace_format.hpp"
#include "statistics.hpp"
#include "trace.hpp"

namespace cadastre::command {
namespace {

using Json = nlohmann::ordered_json;
using namespace internal;

constexpr std::size_t events_listed = 10, holders_listed = 10;

const char* name_of_type(std::uint64_t type) {
  return type < CADASTRE_MEMORY_TYPE_COUNT ? cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(type)) : "(none)";
}

const char* name_of_kind(std::uint8_t kind) { return kind < trace_kinds ? trace_kind_rows[kind].name : "(unknown)"; }

std::string shown_label(const std::string& label) { return label.empty() ? "(no label)" : printable(label, 255); }

std::string limit_of(std::uint64_t bytes) { return bytes == CADASTRE_UNLIMITED ? "-" : in_bytes(bytes); }

bool is_used(const BlackBoxBytes& bytes) { return bytes.most != 0 || bytes.live != 0 || bytes.kept != 0 || bytes.refused != 0; }

const char* state_of(const BlackBox& box) { return box.is_written ? "running" : "killed, or ended otherwise than by exit"; }

std::uint64_t unsigned_of(std::int64_t number) { return static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0)); }

class TextOfBox {
 public:
  TextOfBox(const BlackBox& box, bool utf8) : box_(box), utf8_(utf8) {}
  std::string text() const {
    return heading() + memory() + holders("Who held ", box_.last) + holders("At the peak, who held ", box_.at_peak) + refused() + events();
  }

 private:
  std::string at(std::int64_t time) const { return in_seconds(unsigned_of(time), utf8_); }
  std::string heading() const;
  std::string memory() const;
  std::string holders(const char* first_words, const std::optional<BlackBoxHolders>& holders) const;
  std::string refused() const;
  std::string events() const;

  const BlackBox& box_;
  bool utf8_;
};

std::string TextOfBox::heading() const {
  std::string text = printable(box_.path, 4096) + "\nProcess " + std::to_string(box_.process) + " on " + printable(box_.host);
  if (!box_.rank.empty()) text += ", rank " + printable(box_.rank);
  text += ", " + printable(box_.program, 4096) + ": " + state_of(box_) + ", " + at(box_.figures.time) +
          " after it began its black box, at " + time_text(box_.began).characters + "\n";
  if (box_.capacity > 0) text += "The host offers it " + printable(box_.capacity_from, 200) + ".";
  std::string uses;
  for (const BlackBoxUse& use : box_.uses) {
    uses += "At " + at(use.time) + ", " + in_bytes(use.used) + " were used of " + printable(text_in(use.what), 255) + ", while " +
            in_bytes(use.live) + " lived here.\n";
  }
  if (box_.last) {
    const std::uint64_t resident = box_.last->resident, ours = box_.last->together;
    text += " At " + at(box_.last->time) + ", " + in_bytes(resident) + " were resident while " + in_bytes(ours) + " lived here.";
  }
  return text + "\n" + uses;
}

std::string TextOfBox::memory() const {
  Table table("lrrrrrrr");
  table.add({"Memory", "live", "in blocks", "peak", "in blocks", "kept", "limit", "refused"});
  for (std::size_t type = 0; type < std::size(box_.figures.of); ++type) {
    const BlackBoxBytes& bytes = box_.figures.of[type];
    if (!is_used(bytes)) continue;
    table.add({name_of_type(type), in_bytes(bytes.live), grouped(bytes.blocks), in_bytes(bytes.most), grouped(bytes.most_blocks),
               in_bytes(bytes.kept), limit_of(bytes.limit), grouped(bytes.refused)});
  }
  table.add({"all", in_bytes(box_.live()), "", in_bytes(box_.figures.most_together), "", "", limit_of(box_.figures.limit_together),
             grouped(static_cast<std::int64_t>(box_.figures.refusals))});
  return "\n" + table.text();
}

std::string TextOfBox::holders(const char* first_words, const std::optional<BlackBoxHolders>& holders) const {
  if (!holders || holders->number == 0) return "";
  Table table("rrrll");
  const auto add = [&](std::int64_t bytes, std::int64_t blocks, const char* type, const std::string& label) {
    const auto share = std::lround(100.0 * static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(holders->together, 1)));
    table.add({"  " + in_bytes(unsigned_of(bytes)), std::to_string(share) + " %", counted(blocks, "block"), type, label});
  };
  // Sums of what a damaged file may say.
  std::uint64_t rest_bytes = unsigned_of(holders->others_bytes), rest_blocks = unsigned_of(holders->others_blocks), rest = holders->others;
  for (std::size_t i = 0; i < holders->number; ++i) {
    const BlackBoxHolder& holder = holders->holder[i];
    if (i < holders_listed) {
      add(holder.bytes, holder.blocks, name_of_type(holder.type), shown_label(text_in(holder.label)));
      continue;
    }
    ++rest;
    rest_bytes += unsigned_of(holder.bytes);
    rest_blocks += unsigned_of(holder.blocks);
  }
  if (rest > 0)
    add(static_cast<std::int64_t>(rest_bytes), static_cast<std::int64_t>(rest_blocks), "",
        counted(static_cast<std::int64_t>(rest), "label") + " more");
  const std::uint64_t live = box_.live(), apart = std::max(live, holders->together) - std::min(live, holders->together);
  const bool is_old = &holders == &box_.last && apart > live / 10;
  const std::string note = is_old ? "  Since then that has become " + in_bytes(live) + "; the last events may say by what.\n" : "";
  return std::string("\n") + first_words + in_bytes(holders->together) + ", at " + at(holders->time) + ", by label\n" + table.text() + note;
}

std::string TextOfBox::refused() const {
  if (box_.refusals.empty()) return "";
  std::string text = "\nRefused\n";
  for (const BlackBoxRefusal& refusal : box_.refusals) {
    text += "  at " + at(refusal.event.time) + ", " + in_bytes(refusal.event.size) + " " + name_of_type(refusal.event.type) + " for " +
            shown_label(text_in(refusal.event.label)) + ", while " + in_bytes(refusal.live) +
            " lived: " + printable(text_in(refusal.said), 900) + "\n";
  }
  const std::uint64_t more = box_.figures.refusals - std::min<std::uint64_t>(box_.figures.refusals, box_.refusals.size());
  return more > 0 ? text + "  and " + grouped(static_cast<std::int64_t>(more)) + " before these\n" : text;
}

std::string TextOfBox::events() const {
  if (box_.events.empty()) return "";
  Table table("rlrrll");
  const std::size_t first = box_.events.size() - std::min(box_.events.size(), events_listed);
  for (std::size_t i = first; i < box_.events.size(); ++i) {
    const BlackBoxEvent& event = box_.events[i];
    const std::string result = event.result == CADASTRE_SUCCESS ? "" : cadastre_string_of_error(event.result);
    const bool has_size = has_trace_size(static_cast<TraceKind>(event.kind)),
               has_type = event.type < CADASTRE_MEMORY_TYPE_COUNT && event.kind == static_cast<std::uint8_t>(TraceKind::malloc);
    table.add({"  " + at(event.time), std::string(name_of_kind(event.kind)) + (has_type ? std::string(" ") + name_of_type(event.type) : ""),
               has_size ? in_bytes(event.size) : "", "thread " + std::to_string(event.thread), printable(text_in(event.label), 72),
               result});
  }
  return "\nLast events, of " + grouped(static_cast<std::int64_t>(box_.figures.events)) + "\n" + table.text();
}

Json json_of_text(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json json_of(const std::optional<BlackBoxHolders>& holders) {
  if (!holders) return nullptr;
  Json list = Json::array();
  for (std::size_t i = 0; i < holders->number; ++i) {
    const BlackBoxHolder& holder = holders->holder[i];
    list.push_back({{"label", json_of_text(text_in(holder.label))},
                    {"type", name_of_type(holder.type)},
                    {"bytes", holder.bytes},
                    {"blocks", holder.blocks}});
  }
  return {
      {"time_ns", holders->time},        {"live_bytes", holders->together},      {"resident_bytes", holders->resident},   {"labels", list},
      {"other_labels", holders->others}, {"other_bytes", holders->others_bytes}, {"other_blocks", holders->others_blocks}};
}

Json json_of(const BlackBoxEvent& event) {
  return {{"time_ns", event.time},
          {"thread", event.thread},
          {"operation", name_of_kind(event.kind)},
          {"type", event.kind == static_cast<std::uint8_t>(TraceKind::malloc) ? Json(name_of_type(event.type)) : Json()},
          {"result", event.result},
          {"context", event.context},
          {"block", event.block},
          {"size", event.size},
          {"label", json_of_text(text_in(event.label))}};
}

Json json_of_memory(const BlackBox& box) {
  Json list = Json::array();
  for (std::size_t type = 0; type < std::size(box.figures.of); ++type) {
    const BlackBoxBytes& bytes = box.figures.of[type];
    if (!is_used(bytes)) continue;
    list.push_back({{"type", name_of_type(type)},
                    {"live_bytes", bytes.live},
                    {"live_blocks", bytes.blocks},
                    {"peak_bytes", bytes.most},
                    {"peak_blocks", bytes.most_blocks},
                    {"kept_bytes", bytes.kept},
                    {"limit", bytes.limit == CADASTRE_UNLIMITED ? Json() : Json(bytes.limit)},
                    {"refused", bytes.refused}});
  }
  return list;
}

Json json_of(const BlackBox& box) {
  Json json = {{"file", box.path},
               {"state", box.is_written ? "running" : "ended"},
               {"process", box.process},
               {"host", json_of_text(box.host)},
               {"rank", json_of_text(box.rank)},
               {"executable", json_of_text(box.program)},
               {"library", json_of_text(box.library)},
               {"began", time_text(box.began).characters},
               {"time_ns", box.figures.time},
               {"host_offers_bytes", box.capacity},
               {"live_bytes", box.live()},
               {"peak_bytes", box.figures.most_together},
               {"limit", box.figures.limit_together == CADASTRE_UNLIMITED ? Json() : Json(box.figures.limit_together)}};
  json["memory"] = json_of_memory(box);
  json["uses"] = Json::array();
  for (const BlackBoxUse& use : box.uses) {
    json["uses"].push_back(
        {{"of", text_in(use.what)}, {"time_ns", use.time}, {"used_bytes", use.used}, {"limit", use.limit}, {"live_bytes", use.live}});
  }
  json["holders"] = json_of(box.last);
  json["holders_at_peak"] = json_of(box.at_peak);
  json["refusals"] = Json::array();
  for (const BlackBoxRefusal& refusal : box.refusals) {
    Json one = json_of(refusal.event);
    one["live_bytes"] = refusal.live;
    one["message"] = text_in(refusal.said);
    json["refusals"].push_back(one);
  }
  json["events_total"] = box.figures.events;
  json["events"] = Json::array();
  for (const BlackBoxEvent& event : box.events) json["events"].push_back(json_of(event));
  return json;
}

}  // namespace

std::string first_holder(const BlackBox& box) { return box.last && box.last->number > 0 ? text_in(box.last->holder[0].label) : ""; }

std::string as_text(std::span<const BlackBox> boxes, bool utf8) {
  std::string text;
  for (const BlackBox& box : boxes) text += (text.empty() ? "" : "\n\n") + TextOfBox(box, utf8).text();
  return text;
}

std::string as_json(std::span<const BlackBox> boxes) {
  Json json = {{"cadastre", cadastre_get_version()}, {"schema_version", 1}, {"black_boxes", Json::array()}};
  for (const BlackBox& box : boxes) json["black_boxes"].push_back(json_of(box));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cadastre::command
