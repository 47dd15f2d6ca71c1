// Tangled from org/command/trace_report_html.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What pages on traces are made of: a file that a script writes when the command is built.
#ifndef CADASTRE_SRC_COMMAND_PAGE_PARTS_HPP
#define CADASTRE_SRC_COMMAND_PAGE_PARTS_HPP

#include <string_view>

namespace cadastre::command {

// Has @NAME@ where something is put in.
extern const std::string_view page_frame;
// Empty in a build without dygraphs.
extern const std::string_view page_library;
extern const std::string_view page_script, page_style;
// Their check sums, as a policy of a page has them.
extern const std::string_view page_library_hash, page_script_hash, page_style_hash;

}  // namespace cadastre::command
#endif
