// Tangled from org/command/info.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The state of this library and this machine.
#ifndef CADASTRE_SRC_COMMAND_INFO_HPP
#define CADASTRE_SRC_COMMAND_INFO_HPP

#include <string>

namespace cadastre::command {

// all: with the variables of the environment that are not set.
std::string info_as_text(bool all);
std::string info_as_json();
// Whether no environment variable prevents the creation of a context.
bool environment_is_well_formed();

}  // namespace cadastre::command
#endif
