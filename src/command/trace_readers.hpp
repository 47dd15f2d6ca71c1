// Tangled from org/command/trace_readers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Several traces that are read at one time.
#ifndef CADASTRE_SRC_COMMAND_TRACE_READERS_HPP
#define CADASTRE_SRC_COMMAND_TRACE_READERS_HPP

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "trace_source.hpp"

namespace cadastre::command {

// Calls with each trace and which one it is; several at one time, by several threads. progress: whether a bar is drawn. Returns those that could not be read, or of
// which the call threw, in the order of the paths.
std::vector<Unreadable> read_all(std::span<const std::string> paths, bool progress,
                                 const std::function<void(std::size_t, TraceSource&)>& call);

}  // namespace cadastre::command
#endif
