// Tangled from org/command/black_box_report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What black boxes say, as text and as JSON.
#ifndef CADASTRE_SRC_COMMAND_BLACK_BOX_REPORT_HPP
#define CADASTRE_SRC_COMMAND_BLACK_BOX_REPORT_HPP

#include <span>
#include <string>

#include "black_box.hpp"

namespace cadastre::command {

std::string as_text(std::span<const BlackBox> boxes, bool utf8);
std::string as_json(std::span<const BlackBox> boxes);

// The label that holds the most, of those that were added up last; empty where none were.
std::string first_holder(const BlackBox& box);

}  // namespace cadastre::command
#endif
