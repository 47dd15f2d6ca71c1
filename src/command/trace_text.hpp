// Tangled from org/command/trace_text.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The reader of traces that are text.
#ifndef CADASTRE_SRC_COMMAND_TRACE_TEXT_HPP
#define CADASTRE_SRC_COMMAND_TRACE_TEXT_HPP

#include "trace.hpp"
#include "trace_input.hpp"

namespace cadastre::command {

// name: of the trace. most: operations. Throws TraceError, or std::bad_alloc.
Trace read_text(TraceInput& input, const std::string& name, std::uint64_t most);

}  // namespace cadastre::command
#endif
