// Tangled from org/command/trace.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace.hpp"

#include <algorithm>

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

}  // namespace cadastre::command
