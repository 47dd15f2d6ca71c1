// Tangled from org/base/text.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What others wrote, made fit for a terminal or for JSON. Allocates nothing by itself.
#ifndef CADASTRE_SRC_BASE_TEXT_HPP
#define CADASTRE_SRC_BASE_TEXT_HPP

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

namespace cadastre::internal {

// The number of bytes of the well-formed UTF-8 sequence at the head of text; 0 when there is none.
inline std::size_t utf8_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
  const bool beyond = lead == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

// The code point of a well-formed sequence.
inline std::uint32_t code_point(std::string_view sequence) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return byte(0);
  std::uint32_t point = byte(0) & (0xFFu >> (sequence.size() + 1));
  for (std::size_t i = 1; i < sequence.size(); ++i) point = point << 6 | (byte(i) & 0x3F);
  return point;
}

// Of ASCII.
constexpr bool is_control(std::uint32_t point) noexcept { return point < 0x20 || point == 0x7F; }
constexpr bool is_control(char c) noexcept { return is_control(std::uint32_t{static_cast<unsigned char>(c)}); }

inline bool acts_on_a_terminal(std::uint32_t point) noexcept {
  return point < 0x20 || (point >= 0x7F && point <= 0x9F) || point == 0x061C || point == 0x200E || point == 0x200F ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) || point == 0xFEFF;
}

// A backslash, a letter, and a number in hexadecimal.
class Escape {
 public:
  Escape(char letter, std::uint32_t number, std::size_t digits) noexcept : length_(2 + digits) {
    characters_[1] = letter;
    for (std::size_t at = length_; at > 2; number >>= 4) characters_[--at] = "0123456789abcdef"[number & 0xF];
  }
  std::string_view text() const noexcept { return {characters_, length_}; }

 private:
  char characters_[8] = {'\\'};
  std::size_t length_;
};

// Appends a text for a person; append is called with pieces.
template <class Append>
void show(std::string_view text, Append append) noexcept {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    const std::uint32_t point = length == 0 ? 0 : code_point(character);
    if (length == 0 || is_control(point)) {
      append(Escape('x', static_cast<unsigned char>(character[0]), 2).text());
    } else if (point == '\\') {
      append(std::string_view("\\\\"));
    } else if (acts_on_a_terminal(point)) {
      append(Escape('u', point, 4).text());
    } else {
      append(character);
    }
    text.remove_prefix(character.size());
  }
}

inline void show(std::string_view text, std::FILE* stream) noexcept {
  show(text, [stream](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), stream); });
}

// Appends a text as it stands between the quotes of a JSON string; append is called with pieces.
template <class Append>
void show_as_json(std::string_view text, Append append) noexcept {
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t length = utf8_length(text);
    if (byte == '"' || byte == '\\') {
      append(std::string_view(byte == '"' ? "\\\"" : "\\\\"));
    } else if (is_control(text[0])) {
      append(Escape('u', byte, 4).text());
    } else if (length == 0) {
      append(std::string_view("\\ufffd"));
    } else {
      append(text.substr(0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

struct BytesText {
  char characters[32];
};

// The nearest whole number to scale times number / 2^shift.
inline std::uint64_t scaled(std::uint64_t number, unsigned shift, std::uint64_t scale) noexcept {
  std::uint64_t rest = number & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t whole = number >> shift;
  if (shift > 50) {  // what is cut off is beyond three digits
    rest = rest >> (shift - 50) | ((rest & ((std::uint64_t{1} << (shift - 50)) - 1)) != 0);
    shift = 50;
  }
  const std::uint64_t product = rest * scale, half = std::uint64_t{1} << (shift - 1), cut = product & (2 * half - 1);
  const std::uint64_t result = whole * scale + (product >> shift);
  return result + (cut > half || (cut == half && result % 2 != 0));
}

inline BytesText bytes_text(std::uint64_t bytes) noexcept {
  BytesText text;
  constexpr std::string_view units[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  constexpr std::uint64_t scales[] = {1, 10, 100}, four_digits = 1000;
  std::size_t unit = bytes < four_digits ? 0 : 1, places = unit == 0 ? 0 : 2;
  std::uint64_t value = bytes;
  while (unit > 0 && (value = scaled(bytes, static_cast<unsigned>(10 * unit), scales[places])) >= four_digits) {
    if (places > 0) {
      --places;
    } else {
      ++unit;
      places = 2;
    }
  }
  char* end = std::to_chars(text.characters, std::end(text.characters), value / scales[places]).ptr;
  if (places > 0) *end++ = '.';
  for (std::size_t place = places; place > 0; --place) *end++ = static_cast<char>('0' + value / scales[place - 1] % 10);
  *std::copy(units[unit].begin(), units[unit].end(), end) = '\0';
  return text;
}

// The number that a text begins with, which is removed; none, and nothing removed, where it begins with none, or with one that does not fit.
template <class Number = std::uint64_t>
std::optional<Number> take_number(std::string_view& text) noexcept {
  Number number{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return number;
}

// The number that all of a text is; none where it is none.
template <class Number = std::uint64_t>
std::optional<Number> parse_number(std::string_view text) noexcept {
  const std::optional<Number> number = take_number<Number>(text);
  return text.empty() ? number : std::nullopt;
}

// "12", "3K", "2G": bytes, in powers of 1024; none for anything else and for what does not fit.
inline std::optional<std::size_t> parse_bytes(std::string_view text) noexcept {
  constexpr std::string_view suffixes = "KMGT";
  const std::optional<std::size_t> number = take_number<std::size_t>(text);
  if (!number || text.empty()) return number;
  const std::size_t power = suffixes.find(text);
  if (text.size() != 1 || power == std::string_view::npos) return std::nullopt;
  const std::size_t shift = 10 * (power + 1);
  if (*number > (SIZE_MAX >> shift)) return std::nullopt;
  return *number << shift;
}

// Removes what a text begins with; false, and nothing removed, where it begins otherwise.
inline bool take_prefix(std::string_view& text, std::string_view start) noexcept {
  const bool there = text.starts_with(start);
  if (there) text.remove_prefix(start.size());
  return there;
}

// The text before an end, which is removed with the end; where that is not there, all.
inline std::string_view take_until(std::string_view& text, std::string_view end) noexcept {
  const std::string_view before = text.substr(0, text.find(end));
  text.remove_prefix(std::min(before.size() + end.size(), text.size()));
  return before;
}

// Items between commas; false when one is invalid.
template <class Set>
bool for_each_item(std::string_view value, Set set) {
  while (true) {
    const std::size_t comma = std::min(value.find(','), value.size());
    if (!set(value.substr(0, comma))) return false;
    if (comma == value.size()) return true;
    value.remove_prefix(comma + 1);
  }
}

}  // namespace cadastre::internal
#endif
