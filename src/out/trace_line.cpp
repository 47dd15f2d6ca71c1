// Tangled from org/out/trace_line.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/trace_line.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace cadastre::internal {

void TextOfLine::field(std::string_view text) noexcept {
  for (const char c : text) put(c);
  put(',');
}

template <class Number>
void TextOfLine::number(Number value) noexcept {
  char digits[24];
  field({digits, std::to_chars(digits, std::end(digits), value).ptr});
}

void TextOfLine::label(const char* text) noexcept {
  put_label({text ? text : "", text ? strnlen(text, longest_label) : 0}, [this](char c) { put(c); });
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
  label(label_of_block);
  number(record.result);
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
  char backend[80];
  std::snprintf(backend, sizeof backend, "%s", cadastre_string_of_backend(static_cast<cadastre_backend>(high_half(figures[0]))));
  for (char* at = backend; *at; ++at) {
    if (*at == ' ' || is_control(*at)) *at = '_';
  }
  std::snprintf(text_, sizeof text_, "%s%lld %s %u %s %s %s\n", comment_of_device, time, backend, low_half(figures[0]),
                Figure(figures[1]).text, Figure(figures[2]).text, Figure(figures[3]).text);
}

}  // namespace cadastre::internal
