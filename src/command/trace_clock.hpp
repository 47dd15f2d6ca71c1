// Tangled from org/command/trace_clock.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Nanoseconds for the times of a trace's file.
#ifndef CADASTRE_SRC_COMMAND_TRACE_CLOCK_HPP
#define CADASTRE_SRC_COMMAND_TRACE_CLOCK_HPP

#include <cstdint>
#include <map>
#include <string_view>

namespace cadastre::command {

class TraceClock {
 public:
  // rate: "TICKS NANOSECONDS", as the head has it; empty: times are nanoseconds. False where it is neither.
  bool begin(std::string_view rate);
  // Both clocks at one moment.
  void note(std::int64_t time, std::int64_t nanoseconds);
  // Of times in their order.
  std::int64_t nanoseconds(std::int64_t time);
  // Of so many ticks, whenever they were.
  std::int64_t duration(std::int64_t ticks) const;

 private:
  std::int64_t between(std::int64_t time) const;

  double rate_ = 0;  // nanoseconds in a tick; 0: they are the same
  bool any_ = false;
  std::int64_t first_time_ = 0, first_nanoseconds_ = 0;
  std::map<std::int64_t, std::int64_t> moments_;  // nanoseconds by times, from the last that is not later than what was asked for
  std::int64_t last_ = 0;
};

}  // namespace cadastre::command
#endif
