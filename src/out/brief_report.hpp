// Tangled from org/out/brief_report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A report on the process that takes neither memory nor locks. Nothing throws; a handler of signals may call.
#ifndef CADASTRE_SRC_OUT_BRIEF_REPORT_HPP
#define CADASTRE_SRC_OUT_BRIEF_REPORT_HPP

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "base/text.hpp"

namespace cadastre::internal {

// A text in a room of fixed size; what does not fit is left out.
template <std::size_t room>
class Composed {
 public:
  Composed& operator<<(std::string_view piece) noexcept {
    length_ += piece.copy(characters_ + length_, room - length_);
    return *this;
  }
  Composed& operator<<(std::int64_t number) noexcept {
    char digits[24];
    return *this << std::string_view(digits, std::to_chars(digits, std::end(digits), number).ptr);
  }
  // At the right of so many characters.
  Composed& right(std::size_t width, std::string_view piece) noexcept { return pad(width, piece) << piece; }
  Composed& right(std::size_t width, std::int64_t number) noexcept {
    char digits[24];
    return right(width, std::string_view(digits, std::to_chars(digits, std::end(digits), number).ptr));
  }
  Composed& left(std::size_t width, std::string_view piece) noexcept {
    *this << piece;
    return pad(width, piece);
  }
  // What somebody else wrote.
  Composed& shown(std::string_view text) noexcept {
    show(text, [this](std::string_view piece) { *this << piece; });
    return *this;
  }
  // To its first characters.
  void cut(std::size_t length) noexcept { length_ = length; }
  std::string_view text() const noexcept { return {characters_, length_}; }

 private:
  Composed& pad(std::size_t width, std::string_view piece) noexcept {
    for (std::size_t at = piece.size(); at < width; ++at) *this << " ";
    return *this;
  }

  std::size_t length_ = 0;
  char characters_[room];
};

using BriefReport = Composed<std::size_t{24} << 10>;

// After a black box was opened. occasion: why it is written.
void compose(BriefReport& report, std::string_view occasion) noexcept;

}  // namespace cadastre::internal
#endif
