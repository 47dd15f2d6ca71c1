// Tangled from org/out/trace_fields.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The columns of a trace of lines, and a label in one of them.
#ifndef CADASTRE_SRC_OUT_TRACE_FIELDS_HPP
#define CADASTRE_SRC_OUT_TRACE_FIELDS_HPP

#include <string_view>

#include "base/text.hpp"

namespace cadastre::internal {

inline constexpr std::string_view columns_of_a_trace = "op,context,block,source,size,type,thread,time,label,result,device\n";

// The comment that a process ends its trace with, and the one that promises it.
inline constexpr std::string_view end_of_a_trace = "# end\n";
inline constexpr std::string_view promise_of_an_end = "# the last line is \"# end\"\n";
// Those that have what was in use at a moment begin with these.
inline constexpr char comment_of_resident[] = "# resident ", comment_of_device[] = "# device ", comment_of_node[] = "# node ";
// What one begins with that says why there is no more, where the file cannot be written.
inline constexpr char why_a_trace_stops[] = "the trace ends before the program";

// Whether an apostrophe is put before a label, and removed from one.
constexpr bool looks_like_formula(std::string_view label) noexcept {
  return !label.empty() && std::string_view("=+-@'").find(label[0]) != std::string_view::npos;
}

// put: takes one character after the other.
template <class Put>
void put_label(std::string_view label, Put put) {
  const bool quoted = label.find_first_of(",\"") != std::string_view::npos;
  if (quoted) put('"');
  if (looks_like_formula(label)) put('\'');
  for (const char c : label) {
    if (c == '"') put('"');
    put(is_control(c) ? '?' : c);
  }
  if (quoted) put('"');
}

}  // namespace cadastre::internal
#endif
