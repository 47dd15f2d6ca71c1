// Tangled from org/command/trace_timeline.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_timeline.hpp"

#include <algorithm>
#include <utility>

namespace cadastre::command {

void Timeline::add(std::int64_t time, std::uint32_t entry, std::size_t type, std::int64_t live) {
  if (entry >= types_.size()) types_.resize(entry + 1);
  types_[entry] = static_cast<std::uint8_t>(type);
  time_ = std::max(time_, time);
  apart_.changes.push_back({entry, live, live});
  apart_.moments.push_back({time_, apart_.changes.size()});
  ++added_;
  if (apart_.moments.size() < interval_) return;
  finish();
  if (kept_.changes.size() > limit_) join_pairs();
}

void Timeline::finish() {
  if (apart_.moments.empty()) return;
  join(apart_, 0, apart_.moments.size(), live_);
  apart_.moments.clear();
  apart_.changes.clear();
}

void Timeline::apply(std::span<const LiveChange> changes, Live& live) const {
  live.of_entries.resize(types_.size());
  for (const LiveChange& change : changes) {
    const std::int64_t growth = change.live - std::exchange(live.of_entries[change.entry], change.live);
    live.sums[types_[change.entry]] += growth;
    live.sums[all_types] += growth;
  }
}

// Which moments of an interval stay: the last, and for each sum the first at which it was most. live: what lived before it, and then at its end.
std::vector<bool> Timeline::choose(const Moments& from, std::size_t first, std::size_t end, Live& live) const {
  std::array<std::size_t, sums_of_types> at;
  at.fill(end - 1);
  std::array<std::int64_t, sums_of_types> most = live.sums;
  for (std::size_t moment = first; moment < end; ++moment) {
    apply(from.changes_of(moment), live);
    for (std::size_t sum = 0; sum < sums_of_types; ++sum) {
      if (live.sums[sum] <= most[sum]) continue;
      most[sum] = live.sums[sum];
      at[sum] = moment;
    }
  }
  std::vector<bool> stays(end - first);
  for (const std::size_t moment : at) stays[moment - first] = true;
  stays.back() = true;
  return stays;
}

namespace {

// The changes of several moments as those of one: of each entry the last, with the most of all.
void merge(std::vector<LiveChange>& changes) {
  std::stable_sort(changes.begin(), changes.end(), [](const LiveChange& a, const LiveChange& b) { return a.entry < b.entry; });
  std::size_t merged = 0;
  for (const LiveChange change : changes) {
    if (merged > 0 && changes[merged - 1].entry == change.entry) {
      changes[merged - 1] = {change.entry, change.live, std::max(changes[merged - 1].most, change.most)};
    } else {
      changes[merged++] = change;
    }
  }
  changes.resize(merged);
}

}  // namespace

// Keeps what an interval of these moments needs. live: as for choose.
void Timeline::join(const Moments& from, std::size_t first, std::size_t end, Live& live) {
  const std::vector<bool> stays = choose(from, first, end, live);
  std::vector<LiveChange> merged;
  for (std::size_t moment = first; moment < end; ++moment) {
    const auto changes = from.changes_of(moment);
    merged.insert(merged.end(), changes.begin(), changes.end());
    if (!stays[moment - first]) continue;
    merge(merged);
    kept_.changes.insert(kept_.changes.end(), merged.begin(), merged.end());
    kept_.moments.push_back({from.moments[moment].time, kept_.changes.size(), moment + 1 == end});
    merged.clear();
  }
}

// Joins two intervals to one until there are few enough changes. Where that is of little use, there may be more.
void Timeline::join_pairs() {
  constexpr std::size_t least_intervals = 64;
  do {
    interval_ *= 2;
    const Moments from = std::exchange(kept_, {});
    Live live;
    std::size_t first = 0, ends = 0;
    for (std::size_t moment = 0; moment < from.moments.size(); ++moment) {
      if (from.moments[moment].is_last) ++ends;
      const bool is_pair = from.moments[moment].is_last && ends % 2 == 0;
      if (!is_pair && moment + 1 < from.moments.size()) continue;
      join(from, first, moment + 1, live);
      first = moment + 1;
    }
  } while (kept_.changes.size() > wanted_ && added_ / interval_ > least_intervals);
  limit_ = 2 * std::max(wanted_, kept_.changes.size());
}

}  // namespace cadastre::command
