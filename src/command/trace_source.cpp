// Tangled from org/command/trace_source.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_source.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace cadastre::command {

bool is_device(std::string_view text) {
  constexpr std::size_t longest = 80;
  const std::size_t blank = std::min(text.rfind(' '), text.size());
  const std::optional<std::int16_t> number = internal::parse_number<std::int16_t>(text.substr(std::min(blank + 1, text.size())));
  return blank > 0 && number && *number >= 0 && printable(text, longest) == text;
}

std::string name_of_trace(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string not_ended(std::string_view process, bool is_written) {
  return "process " + std::string(process) +
         (is_written ? " still writes it; this is what it did so far"
                     : " did not end by exit: it was killed, or called _exit or exec; the trace is what it did until then");
}

}  // namespace cadastre::command
