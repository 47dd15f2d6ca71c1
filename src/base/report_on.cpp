// Tangled from org/base/report_on.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/report_on.hpp"

#include <csignal>

#include "base/text.hpp"

namespace cadastre::internal {

const SignalName signal_names[signals_to_report_on] = {
    {"USR1", SIGUSR1, false, false}, {"USR2", SIGUSR2, false, false}, {"HUP", SIGHUP, true, false},   {"INT", SIGINT, true, false},
    {"QUIT", SIGQUIT, true, false},  {"TERM", SIGTERM, true, false},  {"ABRT", SIGABRT, true, false}, {"XCPU", SIGXCPU, true, false},
    {"SEGV", SIGSEGV, true, true},   {"BUS", SIGBUS, true, true},     {"FPE", SIGFPE, true, true},    {"ILL", SIGILL, true, true},
};

namespace {

// The number that a text begins with, from least to most.
std::optional<unsigned> take_within(std::string_view& text, unsigned least, unsigned most) noexcept {
  const std::optional<unsigned> number = take_number<unsigned>(text);
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

// "1s", "500ms", "5min", from 10 ms to an hour.
std::optional<std::chrono::milliseconds> parse_interval(std::string_view text) noexcept {
  constexpr std::chrono::milliseconds least{10}, most{3'600'000};
  const std::optional<unsigned> number = take_within(text, 1, static_cast<unsigned>(most.count()));
  const int unit = text == "ms" ? 1 : text == "s" ? 1000 : text == "min" ? 60'000 : 0;
  if (!number || unit == 0) return std::nullopt;
  const std::chrono::milliseconds interval = std::chrono::milliseconds(unit) * *number;
  return interval >= least && interval <= most ? std::optional(interval) : std::nullopt;
}

// What follows "near": nothing, or ":90%", or "@1s", or both.
bool set_near(std::string_view text, ReportOn& on) noexcept {
  constexpr unsigned usual = 90, least = 1, most = 99;
  if (on.near_percent != 0) return false;
  on.near_percent = usual;
  if (take_prefix(text, ":")) {
    const std::optional<unsigned> percent = take_within(text, least, most);
    if (!percent || !take_prefix(text, "%")) return false;
    on.near_percent = *percent;
  }
  if (!take_prefix(text, "@")) return text.empty();
  const std::optional<std::chrono::milliseconds> interval = parse_interval(text);
  if (interval) on.every = *interval;
  return interval.has_value();
}

bool set_once(bool& flag) noexcept {
  const bool is_new = !flag;
  flag = true;
  return is_new;
}

bool set_signal(std::string_view name, ReportOn& on) noexcept {
  take_prefix(name, "SIG");
  for (std::size_t i = 0; i < signals_to_report_on; ++i) {
    if (signal_names[i].name != name) continue;
    const std::uint32_t bit = std::uint32_t{1} << i;
    const bool is_new = (on.signals & bit) == 0;
    on.signals |= bit;
    return is_new;
  }
  return false;
}

bool set_occasion(std::string_view text, ReportOn& on) noexcept {
  if (text == "refused") return set_once(on.refused);
  if (text == "exit") return set_once(on.exit);
  if (take_prefix(text, "near")) return set_near(text, on);
  return set_signal(text, on);
}

}  // namespace

std::optional<ReportOn> parse_report_on(std::string_view value) noexcept {
  ReportOn on;
  const bool are_valid = for_each_item(value, [&on](std::string_view item) { return set_occasion(item, on); });
  return are_valid ? std::optional(on) : std::nullopt;
}

}  // namespace cadastre::internal
