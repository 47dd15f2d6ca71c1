// Tangled from org/out/trace_line.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/trace_line.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace cadastre::internal {
namespace {

// The name of a backend and the number of one of its devices.
class NameOfDevice {
 public:
  explicit NameOfDevice(std::uint64_t word) noexcept {
    std::snprintf(text_, sizeof text_, "%s %u", cadastre_string_of_backend(static_cast<cadastre_backend>(high_half(word))), low_half(word));
    for (char* at = text_; *at; ++at) {
      if (is_control(*at)) *at = '?';
    }
  }
  const char* text() const noexcept { return text_; }

 private:
  char text_[80];
};

}  // namespace

void TextOfLine::field(std::string_view text) noexcept {
  for (const char c : text) put(c);
  put(',');
}

template <class Number>
void TextOfLine::number(Number value) noexcept {
  char digits[24];
  field({digits, std::to_chars(digits, std::end(digits), value).ptr});
}

void TextOfLine::quotable(std::string_view text) noexcept {
  put_label(text, [this](char c) { put(c); });
  put(',');
}

TextOfLine::TextOfLine(const TraceRecord& record, const char* label_of_block, std::uint64_t thread, std::int64_t nanoseconds) noexcept {
  const TraceKind kind = record.kind;
  const bool failed = record.result != CADASTRE_SUCCESS, allocates = kind == TraceKind::malloc;
  const bool of_blocks = kind != TraceKind::create && kind != TraceKind::destroy;
  field(trace_kind_rows[static_cast<std::size_t>(kind)].name);
  number(record.context);
  number_if(of_blocks && !(allocates && failed), record.block);
  number_if(kind == TraceKind::copy, record.source);
  number_if(of_blocks && kind != TraceKind::free && !(kind == TraceKind::info && failed), record.size);
  field(allocates && record.type != no_trace_type ? cadastre_string_of_memory_type(record.type) : "");
  number(thread);
  number(nanoseconds);
  quotable({label_of_block ? label_of_block : "", label_of_block ? strnlen(label_of_block, longest_label) : 0});
  number(record.result);
  quotable(is_on_device(record) ? NameOfDevice(word_of_device(record.traits)).text() : "");
  text_[used_ - 1] = '\n';  // in the place of the last comma
}

namespace {

struct Figure {
  explicit Figure(std::uint64_t number) noexcept {
    if (number != no_trace_figure) std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(number));
  }
  char text[24] = "-";
};

}  // namespace

TextOfMoment::TextOfMoment(const TraceMoment& moment, std::int64_t nanoseconds) noexcept {
  const auto& figures = moment.figures;
  const auto time = static_cast<long long>(nanoseconds);
  if (moment.kind == TraceKind::resident) {
    std::snprintf(text_, sizeof text_, "%s%lld %s %s %s %s\n", comment_of_resident, time, Figure(figures[0]).text, Figure(figures[1]).text,
                  Figure(figures[2]).text, Figure(figures[3]).text);
    return;
  }
  if (moment.kind == TraceKind::node) {
    std::snprintf(text_, sizeof text_, "%s%lld %s %s\n", comment_of_node, time, Figure(figures[0]).text, Figure(figures[1]).text);
    return;
  }
  std::snprintf(text_, sizeof text_, "%s%lld %s %s %s %s\n", comment_of_device, time, NameOfDevice(figures[0]).text(),
                Figure(figures[1]).text, Figure(figures[2]).text, Figure(figures[3]).text);
}

}  // namespace cadastre::internal
