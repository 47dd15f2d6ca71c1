// Tangled from org/command/replay.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "replay.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "replay_progress.hpp"
#include "replay_run.hpp"
#include "replay_turns.hpp"

namespace cadastre::command {
namespace {

std::uint64_t nanoseconds_of(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_usec) * 1000;
}

rusage usage_so_far() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

std::size_t contexts_at_once_in(const Trace& trace) {
  std::size_t alive = 0, most = 0;
  for (const Operation& operation : trace.operations) {
    if (operation.result != CADASTRE_SUCCESS) continue;
    if (operation.kind == Kind::create) most = std::max(most, ++alive);
    if (operation.kind == Kind::destroy) --alive;
  }
  return most;
}

// Of the clock, at best.
std::uint64_t duration_of_a_reading() {
  std::uint64_t least = UINT64_MAX;
  for (int i = 0; i < 1000; ++i) {
    const Clock::time_point start = Clock::now();
    least = std::min(least, nanoseconds(Clock::now() - start));
  }
  return least;
}

}  // namespace

Report replay(const Trace& trace, const ReplayOptions& options) {
  Report report;
  report.trace = trace.name;
  report.options = options;
  report.operations = trace.operations.size();
  report.threads = trace.threads.size();
  report.contexts_at_once = contexts_at_once_in(trace);
  report.clock = duration_of_a_reading();
  const std::vector<Turn> turns = trace.threads.size() > 1 ? turns_of(trace) : std::vector<Turn>();
  Progress progress(options.progress, trace, options.repeat);
  for (std::uint32_t i = 0; i < options.repeat; ++i) {
    progress.begin_repeat(i);
    Run run(trace, options, turns, progress);
    const rusage before = usage_so_far();
    run.perform();
    const rusage after = usage_so_far();
    report.user += nanoseconds_of(after.ru_utime) - nanoseconds_of(before.ru_utime);
    report.system += nanoseconds_of(after.ru_stime) - nanoseconds_of(before.ru_stime);
    report.most_resident = static_cast<std::uint64_t>(after.ru_maxrss) << 10;
    run.add_to(report);
  }
  return report;
}

}  // namespace cadastre::command
