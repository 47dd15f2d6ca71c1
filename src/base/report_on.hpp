// Tangled from org/base/report_on.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// When the process reports who holds its memory.
#ifndef CADASTRE_SRC_BASE_REPORT_ON_HPP
#define CADASTRE_SRC_BASE_REPORT_ON_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cadastre::internal {

struct SignalName {
  std::string_view name;  // without SIG
  int number;
  bool ends;      // whether it ends a process that does not handle it
  bool is_fault;  // whether the processor raises it, at an instruction
};

// Those that may be an occasion. SIGUSR1 and SIGUSR2 ask for a report: they do not end a process that reports.
inline constexpr std::size_t signals_to_report_on = 12;
extern const SignalName signal_names[signals_to_report_on];

struct ReportOn {
  unsigned near_percent = 0;           // of a limit; 0: not an occasion
  std::chrono::milliseconds every{0};  // 0: only as memory grows
  bool refused = false, exit = false;
  std::uint32_t signals = 0;  // a bit for each in signal_names

  bool is_any() const noexcept { return near_percent > 0 || refused || exit || signals != 0; }
};

// None where the value is malformed, or names an occasion twice.
std::optional<ReportOn> parse_report_on(std::string_view value) noexcept;

}  // namespace cadastre::internal
#endif
