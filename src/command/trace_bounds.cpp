// Tangled from org/command/trace_bounds.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_bounds.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "statistics.hpp"
#include "trace_report.hpp"
#include "trace_source.hpp"

namespace cadastre::command {
namespace {

std::int64_t of_number(std::uint64_t number) { return static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX)); }

std::int64_t never_freed(const Summary& trace, const MeasuredMemory& of) {
  std::int64_t bytes = 0;
  for (const LabelSummary& label : trace.labels) {
    if (of.has(label)) bytes += label.never_freed.bytes;
  }
  return bytes;
}

constexpr BoundedFigure figures[] = {
    {"peak", true, true, true, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return of.figures(trace).peak.bytes; }},
    {"allocated", true, true, true, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return of.figures(trace).allocated.bytes; }},
    {"live_at_end", true, true, true, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return of.figures(trace).live.bytes; }},
    {"never_freed", true, true, true, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return never_freed(trace, of); }},
    {"refused", true, false, false, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return of.figures(trace).refused; }},
    {"blocks", true, true, false, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return of.figures(trace).allocated.blocks; }},
    {"operations", false, false, false, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return of_number(trace.operations); }},
    {"left_out", false, false, false, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return of_number(trace.left_out); }},
    {"contexts", false, false, false, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return of_number(trace.contexts); }},
    {"threads", false, false, false, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return of_number(trace.threads); }},
    {"short_lives", false, false, false, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return trace.short_lives; }},
    {"asked_again", false, false, false, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return trace.asked_again; }},
    {"incomplete", false, false, false, []([[maybe_unused]] const Summary& trace, [[maybe_unused]] const MeasuredMemory& of) -> std::int64_t { return trace.incomplete.empty() ? 0 : 1; }},
};

struct NamedRelation {
  std::string_view name;
  Relation relation;
};
// One that begins as another one does comes first.
constexpr NamedRelation relations[] = {{">=", Relation::more_or_same}, {"<=", Relation::less_or_same}, {"==", Relation::same},
                                       {"!=", Relation::other},        {">", Relation::more},          {"<", Relation::less}};

struct Unit {
  std::string_view name;
  std::int64_t bytes;
};
constexpr Unit units[] = {{"B", 1},
                          {"kB", 1'000},
                          {"MB", 1'000'000},
                          {"GB", 1'000'000'000},
                          {"TB", 1'000'000'000'000},
                          {"KiB", std::int64_t{1} << 10},
                          {"MiB", std::int64_t{1} << 20},
                          {"GiB", std::int64_t{1} << 30},
                          {"TiB", std::int64_t{1} << 40}};
constexpr std::string_view of_the_first = "x";

template <class Rows>
std::string names_of(const Rows& rows) {
  std::string names;
  for (const auto& row : rows) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

template <class Rows>
auto find_name(const Rows& rows, std::string_view name) {
  return std::find_if(std::begin(rows), std::end(rows), [=](const auto& row) { return row.name == name; });
}

class Expression {
 public:
  explicit Expression(std::string_view text) : text_(text) { bound_.text = text; }

  Bound bound() {
    read_figure();
    read_memory();
    read_relation();
    read_number();
    read_unit();
    skip_blanks();
    if (at_ != text_.size()) refuse(at_, "'" + printable(text_.substr(at_)) + "' follows the bound; an expression ends with it");
    return bound_;
  }

 private:
  [[noreturn]] void refuse(std::size_t at, const std::string& what) const {
    throw std::runtime_error("--fail-if '" + printable(text_, 255) + "', column " + std::to_string(at + 1) + ": " + what);
  }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  // What of these characters comes next; empty where another one does.
  std::string_view take(std::string_view characters) {
    skip_blanks();
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }
  bool take_mark(char mark) {
    skip_blanks();
    const bool is_next = at_ < text_.size() && text_[at_] == mark;
    if (is_next) ++at_;
    return is_next;
  }
  // What stands where a word was looked for, for a message.
  std::string found(std::size_t begin) const {
    const std::string_view rest = text_.substr(begin);
    return rest.empty() ? "the expression ends here"
                        : "'" + printable(rest.substr(0, std::max<std::size_t>(1, at_ - begin))) + "' stands here";
  }

  void read_figure();
  void read_memory();
  void read_relation();
  void read_number();
  void read_unit();

  static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static constexpr std::string_view decimals = "0123456789";
  std::string_view text_;
  std::size_t at_ = 0;
  Bound bound_;
};

void Expression::read_figure() {
  const std::string_view name = take(letters);
  const auto figure = find_name(figures, name);
  if (figure == std::end(figures)) {
    refuse(at_ - name.size(), found(at_ - name.size()) + "; an expression begins with a figure, which is one of " + names_of(figures));
  }
  bound_.figure = figure;
}

// The name of a backend may have any characters, so what is in the parentheses ends at the last one that closes.
void Expression::read_memory() {
  if (!take_mark('(')) return;
  if (!bound_.figure->of_memory)
    refuse(at_ - 1, std::string(bound_.figure->name) + " is of the whole trace; write it without a memory type");
  const std::string_view word = take(letters);
  const std::size_t begin = at_ - word.size();
  std::string known;
  bool is_type = false;
  for (std::size_t type = 0; type < sums_of_types; ++type) {
    const std::string_view type_name = name_of_type(type);
    known += (known.empty() ? "" : ", ") + std::string(type_name);
    if (word != type_name) continue;
    bound_.of.type = type;
    is_type = true;
  }
  if (!is_type) {
    const std::size_t end = std::max(std::min(text_.rfind(')'), text_.size()), at_);
    std::string_view name = text_.substr(begin, end - begin);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!is_device(name)) refuse(begin, found(begin) + "; a memory type is one of " + known + ", and a device is named as in cuda 0");
    if (!bound_.figure->of_devices)
      refuse(begin, std::string(bound_.figure->name) + " is of a memory type, and of no device; write a type, or none");
    bound_.of.device = name;
    at_ = end;
  }
  if (!take_mark(')')) refuse(at_, found(at_) + "; a " + (is_type ? "memory type" : "device") + " is followed by )");
}

void Expression::read_relation() {
  skip_blanks();
  const auto relation = std::find_if(std::begin(relations), std::end(relations),
                                     [&](const NamedRelation& one) { return text_.substr(at_).starts_with(one.name); });
  if (relation == std::end(relations)) {
    const std::string type = bound_.figure->of_memory && text_[at_ - 1] != ')' ? ", or a memory type or device in parentheses" : "";
    refuse(at_, found(at_) + "; a figure is followed by one of " + names_of(relations) + type);
  }
  bound_.relation = relation->relation;
  at_ += relation->name.size();
}

void Expression::read_number() {
  constexpr std::size_t most_digits = 18;
  const std::string_view whole = take(decimals);
  const std::size_t begin = at_ - whole.size();
  if (whole.empty()) refuse(begin, found(begin) + "; a bound is a number such as 0, 1.1x or 2GiB");
  std::string digits(whole);
  if (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    const std::size_t point = at_;
    at_ = std::min(text_.find_first_not_of(decimals, at_), text_.size());
    const std::string_view fraction = text_.substr(point, at_ - point);
    if (fraction.empty()) refuse(point, found(point) + "; a point is followed by digits");
    digits += fraction;
  }
  if (digits.size() > most_digits)
    refuse(begin, "the number has " + std::to_string(digits.size()) + " digits; write at most 18, and a unit");
  bound_.digits = std::stoll(digits);
  for (std::size_t i = whole.size(); i < digits.size(); ++i) bound_.divisor *= 10;
}

void Expression::read_unit() {
  const std::string_view name = take(letters);
  if (name.empty()) return;
  const std::size_t begin = at_ - name.size();
  bound_.of_first = name == of_the_first;
  if (bound_.of_first) return;
  if (!bound_.figure->in_bytes)
    refuse(begin, std::string(bound_.figure->name) + " is a number without a unit; write none, or x with --diff");
  const auto unit = find_name(units, name);
  if (unit == std::end(units)) {
    refuse(begin,
           found(begin) + "; a unit is one of " + names_of(units) + ", or x for so many times the figure of the first trace of --diff");
  }
  bound_.unit = unit->bytes;
}

__extension__ using Wide = __int128;

Wide product_of(const Bound& bound, const Summary* first) {
  return Wide{bound.digits} * (bound.of_first && first ? bound.figure->value(*first, bound.of) : bound.unit);
}

bool is_forbidden(const Bound& bound, std::int64_t value, const Summary* first) {
  const Wide is = Wide{value} * bound.divisor, limit = product_of(bound, first);
  switch (bound.relation) {
    case Relation::more: return is > limit;
    case Relation::more_or_same: return is >= limit;
    case Relation::less: return is < limit;
    case Relation::less_or_same: return is <= limit;
    case Relation::same: return is == limit;
    default: return is != limit;
  }
}

std::string shown(const Bound& bound, std::int64_t value) {
  if (!bound.figure->in_bytes) return grouped(value);
  return counted(value, "byte") + (value < 1024 ? "" : " (" + in_bytes(static_cast<std::uint64_t>(value)) + ")");
}

}  // namespace

TypeSummary MeasuredMemory::figures(const Summary& trace) const {
  if (device.empty()) return trace.types[type];
  const auto one = std::find_if(trace.devices.begin(), trace.devices.end(), [&](const DeviceSummary& each) { return each.name == device; });
  return one == trace.devices.end() ? TypeSummary() : one->figures;
}

bool MeasuredMemory::has(const LabelSummary& label) const {
  if (!device.empty()) return label.device == device;
  return type == all_types || type == static_cast<std::size_t>(label.type);
}

std::string figure_names() { return names_of(figures); }

Bound parse_bound(std::string_view text) { return Expression(text).bound(); }

std::string unknown_device_of(const Bound& bound, std::span<const Summary> traces) {
  if (bound.of.device.empty()) return "";
  std::set<std::string_view> known;
  for (const Summary& trace : traces) {
    for (const DeviceSummary& device : trace.devices) known.insert(device.name);
  }
  if (known.contains(bound.of.device)) return "";
  std::string names;
  for (const std::string_view name : known) names += (names.empty() ? "" : ", ") + printable(name);
  return "--fail-if '" + printable(bound.text, 255) + "': nothing was allocated on " + printable(bound.of.device) +
         (names.empty() ? ", and on no device that the traces name" : "; devices of the traces are " + names);
}

std::string failure_of(const Bound& bound, const Summary& trace, const Summary* first) {
  const std::int64_t value = bound.figure->value(trace, bound.of);
  if (!is_forbidden(bound, value, first)) return "";
  std::string name(bound.figure->name);
  if (!bound.of.device.empty()) name += "(" + printable(bound.of.device) + ")";
  else if (bound.of.type != all_types) name += std::string("(") + name_of_type(bound.of.type) + ")";
  const Wide limit = std::min<Wide>(product_of(bound, first) / bound.divisor, INT64_MAX);
  const std::string of = bound.of_first && first
                             ? ", from " + shown(bound, bound.figure->value(*first, bound.of)) + " of " + printable(first->name, 4096)
                             : "";
  return printable(trace.name, 4096) + ": " + name + " is " + shown(bound, value) + ", at which --fail-if '" + printable(bound.text, 255) +
         "' fails; the bound is " + shown(bound, static_cast<std::int64_t>(limit)) + of;
}

}  // namespace cadastre::command
