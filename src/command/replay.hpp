// Tangled from org/command/replay.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Performs a trace through the public interface.
#ifndef CADASTRE_SRC_COMMAND_REPLAY_HPP
#define CADASTRE_SRC_COMMAND_REPLAY_HPP

#include "replay_report.hpp"
#include "trace.hpp"

namespace cadastre::command {

// Throws std::bad_alloc, or std::system_error when a thread cannot be started.
Report replay(const Trace& trace, const ReplayOptions& options);

}  // namespace cadastre::command
#endif
