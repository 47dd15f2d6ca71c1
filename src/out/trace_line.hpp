// Tangled from org/out/trace_line.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// An operation as a line of a trace.
#ifndef CADASTRE_SRC_OUT_TRACE_LINE_HPP
#define CADASTRE_SRC_OUT_TRACE_LINE_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/label.hpp"
#include "base/vocabulary.hpp"
#include "out/trace_fields.hpp"
#include "out/trace_format.hpp"

namespace cadastre::internal {

// The text of a line, with its end. There is room for all fields, and for a label and a device of quotes, each of which is doubled.
class TextOfLine {
 public:
  // label: of a malloc; null for none.
  TextOfLine(const TraceRecord& record, const char* label, std::uint64_t thread, std::int64_t nanoseconds) noexcept;
  std::string_view text() const noexcept { return {text_, used_}; }

 private:
  void field(std::string_view text) noexcept;
  template <class Number>
  void number(Number value) noexcept;
  template <class Number>
  void number_if(bool there, Number value) noexcept {
    there ? number(value) : field({});
  }
  void quotable(std::string_view text) noexcept;
  void put(char c) noexcept {
    if (used_ < sizeof text_) text_[used_++] = c;
  }

  char text_[2 * longest_label + 500];
  std::size_t used_ = 0;
};

// The comment that has what was in use at a moment, with its end.
class TextOfMoment {
 public:
  TextOfMoment(const TraceMoment& moment, std::int64_t nanoseconds) noexcept;
  std::string_view text() const noexcept { return text_; }

 private:
  char text_[256] = "";
};

}  // namespace cadastre::internal
#endif
