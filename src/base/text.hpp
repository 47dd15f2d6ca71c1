// Tangled from org/base/text.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What others wrote, made fit for a terminal or for JSON. Allocates nothing by itself.
#ifndef CADASTRE_SRC_BASE_TEXT_HPP
#define CADASTRE_SRC_BASE_TEXT_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
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

inline bool acts_on_a_terminal(std::uint32_t point) noexcept {
  return point < 0x20 || (point >= 0x7F && point <= 0x9F) || point == 0x061C || point == 0x200E || point == 0x200F ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) || point == 0xFEFF;
}

// Appends a text for a person; append is called with pieces.
template <class Append>
void show(std::string_view text, Append append) noexcept {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    const std::uint32_t point = length == 0 ? 0 : code_point(character);
    char escape[8];
    if (length == 0 || point < 0x20 || point == 0x7F) {
      append(std::string_view(
          escape, static_cast<std::size_t>(std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(character[0])))));
    } else if (point == '\\') {
      append(std::string_view("\\\\"));
    } else if (acts_on_a_terminal(point)) {
      append(std::string_view(escape, static_cast<std::size_t>(std::snprintf(escape, sizeof escape, "\\u%04x", point & 0xFFFFu))));
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
    char escape[8];
    if (byte == '"' || byte == '\\') {
      append(std::string_view(byte == '"' ? "\\\"" : "\\\\"));
    } else if (byte < 0x20 || byte == 0x7F) {
      append(std::string_view(escape, static_cast<std::size_t>(std::snprintf(escape, sizeof escape, "\\u%04x", byte))));
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

inline BytesText bytes_text(std::uint64_t bytes) noexcept {
  BytesText text;
  if (bytes < 1000) {
    std::snprintf(text.characters, sizeof text.characters, "%u B", static_cast<unsigned>(bytes));
    return text;
  }
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < sizeof units / sizeof units[0]; ++unit) value /= 1024;
  const int places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::snprintf(text.characters, sizeof text.characters, "%.*f %s", places, value, units[unit]);
  return text;
}

// "12", "3K", "2G": bytes, in powers of 1024; none for anything else and for what does not fit.
inline std::optional<std::size_t> parse_bytes(std::string_view text) noexcept {
  constexpr std::string_view suffixes = "KMGT";
  std::size_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view suffix(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (suffix.empty()) return number;
  const std::size_t power = suffixes.find(suffix);
  if (suffix.size() != 1 || power == std::string_view::npos) return std::nullopt;
  const std::size_t shift = 10 * (power + 1);
  if (number > (SIZE_MAX >> shift)) return std::nullopt;
  return number << shift;
}

}  // namespace cadastre::internal
#endif
