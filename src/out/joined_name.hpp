// Tangled from org/out/joined_name.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Names of traces that are joined in one file.
#ifndef CADASTRE_SRC_OUT_JOINED_NAME_HPP
#define CADASTRE_SRC_OUT_JOINED_NAME_HPP

#include <string_view>

namespace cadastre::internal {

// What stands behind the name of the file of several for the file of one: the name begins likewise, so that run.* is both.
inline constexpr std::string_view behind_joined_name = ".%r.%p";

// What is said of a name that has no file of several traces; null where it may have. keeps_highest: whether CADASTRE_TRACE_KEEP is set.
inline const char* why_not_joined(std::string_view pattern, bool keeps_highest) noexcept {
  if (keeps_highest) return "only some traces are kept, for which each has a file of its own; leave one of the two out";
  if (pattern.ends_with(".csv")) return "traces of lines are not joined in one file; leave .csv out of the name";
  for (std::size_t at = 0; at + 1 < pattern.size(); ++at) {
    if (pattern[at] != '%') continue;
    ++at;
    if (pattern[at] == 'r' || pattern[at] == 'p') return "%r and %p in the name give each process its own file; leave them out, and use %h";
  }
  return nullptr;
}

}  // namespace cadastre::internal
#endif
