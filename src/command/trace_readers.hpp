// Tangled from org/command/trace_readers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Several traces that are read at one time.
#ifndef CADASTRE_SRC_COMMAND_TRACE_READERS_HPP
#define CADASTRE_SRC_COMMAND_TRACE_READERS_HPP

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "trace_source.hpp"
#include "trace_summary.hpp"

namespace cadastre::command {

struct ReadTraces {
  std::vector<Summary> read;           // in the order of the paths, and of the traces of each
  std::vector<Unreadable> unreadable;  // those that could not be read, or of which the call threw
};

// Calls with each trace; several at one time, by several threads. progress: whether a bar is drawn.
ReadTraces read_all(std::span<const std::string> paths, bool progress, const std::function<Summary(TraceSource&)>& call);

}  // namespace cadastre::command
#endif
