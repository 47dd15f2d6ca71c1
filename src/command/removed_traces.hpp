// Tangled from org/command/removed_traces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Lists of traces of which only the highest were kept.
#ifndef CADASTRE_SRC_COMMAND_REMOVED_TRACES_HPP
#define CADASTRE_SRC_COMMAND_REMOVED_TRACES_HPP

#include <string>
#include <vector>

namespace cadastre::command {

// The paths that are no lists. Tells of each list how many traces were removed.
std::vector<std::string> without_lists(const std::vector<std::string>& paths);

}  // namespace cadastre::command
#endif
