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

template <class Number>
void TextOfLine::number(const std::optional<Number>& value) noexcept {
  value ? number(*value) : field({});
}

void TextOfLine::label(const char* text) noexcept {
  const std::string_view label(text ? text : "", text ? strnlen(text, longest_label) : 0);
  const bool quoted = label.find_first_of(",\"") != std::string_view::npos;
  if (quoted) put('"');
  if (!label.empty() && std::string_view("=+-@'").find(label[0]) != std::string_view::npos) put('\'');
  for (const char c : label) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (c == '"') put('"');
    put(control ? '?' : c);
  }
  if (quoted) put('"');
  put(',');
}

TextOfLine::TextOfLine(const TraceLine& line, std::uint64_t thread, std::int64_t nanoseconds) noexcept {
  field(line.operation);
  number(line.context);
  number(line.block);
  number(line.source);
  number(line.size);
  field(line.type);
  number(thread);
  number(nanoseconds);
  label(line.label);
  number(line.result);
  text_[used_ - 1] = '\n';  // in the place of the last comma
}

}  // namespace cadastre::internal
