// Tangled from org/command/top.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The processes that run with black boxes.
#ifndef CADASTRE_SRC_COMMAND_TOP_HPP
#define CADASTRE_SRC_COMMAND_TOP_HPP

#include <string>
#include <vector>

namespace cadastre::command {

struct TopOptions {
  std::vector<std::string> folders;
  double delay = 2;    // seconds between two tables
  int iterations = 0;  // so many tables; 0: until it is interrupted, on a terminal, and else one
};

// Writes tables to the standard output. Throws BlackBoxError, or std::runtime_error where nothing can be written.
void show_top(const TopOptions& options);

}  // namespace cadastre::command
#endif
