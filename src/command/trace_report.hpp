// Tangled from org/command/trace_report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What traces say of runs.
#ifndef CADASTRE_SRC_COMMAND_TRACE_REPORT_HPP
#define CADASTRE_SRC_COMMAND_TRACE_REPORT_HPP

#include <span>
#include <string>

#include "trace_summary.hpp"

namespace cadastre::command {

std::string as_text(std::span<const Summary> summaries, bool utf8);
std::string as_json(std::span<const Summary> summaries);

}  // namespace cadastre::command
#endif
