// Tangled from org/out/trace_line.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/trace_line.hpp"

#include <charconv>
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

}  // namespace cadastre::internal
