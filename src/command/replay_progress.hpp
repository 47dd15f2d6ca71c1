// Tangled from org/command/replay_progress.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A progress bar on the standard error.
#ifndef CADASTRE_SRC_COMMAND_REPLAY_PROGRESS_HPP
#define CADASTRE_SRC_COMMAND_REPLAY_PROGRESS_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "trace.hpp"

namespace cadastre::command {

using Clock = std::chrono::steady_clock;

class Progress {
 public:
  Progress(bool wanted, const Trace& trace, std::uint32_t repeats)
      : name_(printable(trace.name.substr(trace.name.find_last_of('/') + 1), 30)),
        all_(std::uint64_t{repeats} * trace.operations.size()),
        each_(trace.operations.size()) {
    if (wanted) next_ = Clock::now() + std::chrono::seconds(1);
  }
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool wanted() const { return next_ != Clock::time_point::max(); }
  Clock::time_point next() const { return next_; }
  void begin_repeat(std::uint32_t repeat) { before_ = repeat * each_; }

  void draw(std::uint64_t done, Clock::time_point now) {
    next_ = now + std::chrono::milliseconds(100);
    const std::uint64_t percent = 100 * (before_ + done) / std::max<std::uint64_t>(1, all_);
    std::string bar(percent * width / 100, '#');
    bar.resize(width, '.');
    const std::string line = name_ + " [" + bar + "] " + std::to_string(percent) + " %";
    std::fprintf(stderr, "\r%s", line.c_str());
    std::fflush(stderr);
    drawn_ = std::max(drawn_, line.size());
  }

  void clear() {
    if (drawn_) std::fprintf(stderr, "\r%*s\r", static_cast<int>(drawn_), "");
    drawn_ = 0;
  }

 private:
  static constexpr std::size_t width = 30;
  std::string name_;
  std::uint64_t all_ = 0;
  std::uint64_t each_ = 0;
  std::uint64_t before_ = 0;
  std::size_t drawn_ = 0;
  Clock::time_point next_ = Clock::time_point::max();
};

}  // namespace cadastre::command
#endif
