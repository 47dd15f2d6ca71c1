// Tangled from org/command/replay_progress.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How far a replay is, on the standard error.
#ifndef CADASTRE_SRC_COMMAND_REPLAY_PROGRESS_HPP
#define CADASTRE_SRC_COMMAND_REPLAY_PROGRESS_HPP

#include <cstdint>

#include "progress_bar.hpp"
#include "trace.hpp"

namespace cadastre::command {

class Progress {
 public:
  Progress(bool wanted, const Trace& trace, std::uint32_t repeats)
      : bar_(wanted, printable(trace.name.substr(trace.name.find_last_of('/') + 1), 30), std::uint64_t{repeats} * trace.operations.size()),
        each_(trace.operations.size()) {}

  bool wanted() const { return bar_.wanted(); }
  Clock::time_point next() const { return bar_.next(); }
  void begin_repeat(std::uint32_t repeat) { before_ = repeat * each_; }
  void draw(std::uint64_t done, Clock::time_point now) { bar_.draw(before_ + done, now); }
  void clear() { bar_.clear(); }

 private:
  ProgressBar bar_;
  std::uint64_t each_ = 0;
  std::uint64_t before_ = 0;
};

}  // namespace cadastre::command
#endif
