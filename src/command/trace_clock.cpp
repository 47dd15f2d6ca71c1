// Tangled from org/command/trace_clock.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_clock.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/text.hpp"

namespace cadastre::command {
namespace {

double slope(std::int64_t time, std::int64_t nanoseconds) {
  return time > 0 && nanoseconds > 0 ? static_cast<double>(nanoseconds) / static_cast<double>(time) : 0;
}

std::int64_t in_proportion(std::int64_t nanoseconds, std::int64_t ticks, double rate) {
  constexpr double most = 9e18;
  return static_cast<std::int64_t>(std::clamp(static_cast<double>(nanoseconds) + static_cast<double>(ticks) * rate, -most, most));
}

}  // namespace

bool TraceClock::begin(std::string_view rate) {
  if (rate.empty()) return true;
  const std::optional<std::int64_t> time = internal::parse_number<std::int64_t>(internal::take_until(rate, " "));
  const std::optional<std::int64_t> nanoseconds = internal::parse_number<std::int64_t>(rate);
  if (!time || !nanoseconds) return false;
  rate_ = slope(*time, *nanoseconds);
  return rate_ > 0;
}

void TraceClock::note(std::int64_t time, std::int64_t nanoseconds) {
  if (rate_ == 0) return;
  if (!any_) {
    first_time_ = time;
    first_nanoseconds_ = nanoseconds;
    any_ = true;
  }
  moments_.try_emplace(time, nanoseconds);
}

std::int64_t TraceClock::between(std::int64_t time) const {
  const auto next = moments_.upper_bound(time);
  if (next == moments_.begin()) return in_proportion(0, time, rate_);
  const auto [from, nanoseconds] = *std::prev(next);
  double rate = slope(from - first_time_, nanoseconds - first_nanoseconds_);
  if (next != moments_.end()) rate = slope(next->first - from, next->second - nanoseconds);
  return in_proportion(nanoseconds, time - from, rate > 0 ? rate : rate_);
}

std::int64_t TraceClock::duration(std::int64_t ticks) const { return rate_ == 0 ? ticks : in_proportion(0, ticks, rate_); }

std::int64_t TraceClock::nanoseconds(std::int64_t time) {
  if (rate_ == 0) return time;
  while (moments_.size() > 1 && std::next(moments_.begin())->first <= time) moments_.erase(moments_.begin());
  return last_ = std::max(last_, between(time));
}

}  // namespace cadastre::command
