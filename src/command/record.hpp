// Tangled from org/command/record.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Runs a program that records itself.
#ifndef CADASTRE_SRC_COMMAND_RECORD_HPP
#define CADASTRE_SRC_COMMAND_RECORD_HPP

#include "arguments.hpp"

namespace cadastre::command {

// Exits as the program does. Throws what std::system_error and std::bad_alloc tell.
int record(const Arguments& arguments);

}  // namespace cadastre::command
#endif
