// Tangled from org/command/trace.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/text.hpp"

namespace cadastre::command {

std::string_view name_of(Kind kind) noexcept {
  static constexpr std::string_view names[kinds] = {
      "create",
      "destroy",
      "malloc",
      "free",
      "realloc",
      "info",
      "copy",
  };
  return names[static_cast<std::size_t>(kind)];
}

std::string_view text_under(std::string_view name, const Said& said) {
  const auto found = said.find(name);
  return found == said.end() ? std::string_view() : std::string_view(found->second);
}

std::string printable(std::string_view text, std::size_t longest) {
  std::string result;
  result.reserve(std::min(longest, 6 * text.size()) + 3);
  bool cut = false;
  internal::show(text, [&](std::string_view piece) {
    cut = cut || result.size() + piece.size() > longest;
    if (!cut) result += piece;
  });
  return cut ? result + "..." : result;
}

std::string as_utf8(std::string_view text, bool controls) {
  const auto is_escaped = [=](std::string_view rest, std::size_t length) {
    return length == 0 || (controls && length == 1 && (static_cast<unsigned char>(rest[0]) < 0x20 || rest[0] == 0x7f));
  };
  std::string escaped;
  bool is_plain = text.find("\\x") == text.npos;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = internal::utf8_length(rest);
    std::array<char, 8> escape{};
    if (is_escaped(rest, length)) {
      is_plain = false;
      std::snprintf(escape.data(), escape.size(), "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(rest[0])));
      escaped += escape.data();
    } else {
      escaped += rest[0] == '\\' ? "\\\\" : rest.substr(0, length);
    }
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return is_plain ? std::string(text) : escaped;
}

}  // namespace cadastre::command
