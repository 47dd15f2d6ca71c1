// Tangled from org/command/progress_bar.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A progress bar on the standard error.
#ifndef CADASTRE_SRC_COMMAND_PROGRESS_BAR_HPP
#define CADASTRE_SRC_COMMAND_PROGRESS_BAR_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

namespace cadastre::command {

using Clock = std::chrono::steady_clock;

class ProgressBar {
 public:
  ProgressBar(bool wanted, std::string name, std::uint64_t all) : name_(std::move(name)), all_(all) {
    if (wanted) next_ = Clock::now() + std::chrono::seconds(1);
  }
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  bool wanted() const { return next_ != Clock::time_point::max(); }
  // When it is due.
  Clock::time_point next() const { return next_; }

  void draw(std::uint64_t done, Clock::time_point now) {
    next_ = now + std::chrono::milliseconds(100);
    const std::uint64_t percent = 100 * std::min(done, all_) / std::max<std::uint64_t>(1, all_);
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
  std::size_t drawn_ = 0;
  Clock::time_point next_ = Clock::time_point::max();
};

}  // namespace cadastre::command
#endif
