// Tangled from org/command/convert.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A trace as a file of either form.
#ifndef CADASTRE_SRC_COMMAND_CONVERT_HPP
#define CADASTRE_SRC_COMMAND_CONVERT_HPP

#include <string>

#include "trace.hpp"

namespace cadastre::command {

std::string as_lines(const Trace& trace);
std::string as_records(const Trace& trace);

}  // namespace cadastre::command
#endif
