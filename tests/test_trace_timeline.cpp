// Tangled from org/tests/trace_timeline_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Timelines: what they keep of many changes.
#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "command/trace_series.hpp"
#include "command/trace_timeline.hpp"

// cmocka expects these to be included before it, and leaves the linkage to its user.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <cmocka.h>
}

namespace {

using cadastre::command::all_types;
using cadastre::command::LiveChange;
using cadastre::command::Moments;
using cadastre::command::sums_of_types;
using cadastre::command::Timeline;

constexpr std::size_t entries = 7;
constexpr std::size_t type_of(std::uint32_t entry) { return entry % 3; }

struct Run {
  struct State {
    std::int64_t time = 0;
    std::array<std::int64_t, entries> live{};
    std::int64_t sum(std::size_t which) const {
      std::int64_t bytes = 0;
      for (std::uint32_t entry = 0; entry < entries; ++entry) bytes += which == all_types || type_of(entry) == which ? live[entry] : 0;
      return bytes;
    }
  };

  Run(std::size_t changes, std::size_t most_changes) : timeline(most_changes), states(1) {
    std::mt19937_64 random(changes + most_changes);
    for (std::size_t i = 0; i < changes; ++i) {
      State state = states.back();
      const auto entry = static_cast<std::uint32_t>(random() % entries);
      state.time += static_cast<std::int64_t>(random() % 3);
      state.live[entry] = static_cast<std::int64_t>(random() % 1'000'000);
      timeline.add(state.time, entry, type_of(entry), state.live[entry]);
      states.push_back(state);
    }
    timeline.finish();
  }

  // Where the moments of the timeline are among the states: each behind the one before.
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> found;
    State state;
    std::size_t at = 0;
    const Moments& kept = timeline.kept();
    for (std::size_t moment = 0; moment < kept.moments.size(); ++moment) {
      for (const LiveChange& change : kept.changes_of(moment)) state.live[change.entry] = change.live;
      const auto is_it = [&](const State& one) { return one.time == kept.moments[moment].time && one.live == state.live; };
      const auto from = states.begin() + static_cast<std::ptrdiff_t>(at) + 1;
      at = static_cast<std::size_t>(std::find_if(from, states.end(), is_it) - states.begin());
      if (at == states.size()) fail_msg("moment %zu is no state of the run", moment);
      found.push_back(at);
    }
    return found;
  }

  Timeline timeline;
  std::vector<State> states;
};

struct Size {
  std::size_t changes, most;
};
constexpr Size sizes[] = {{1, 100}, {100, 100}, {101, 100}, {5000, 300}, {100'000, 1000}, {65'536, 4096}, {12'345, 10}};

void few_changes_are_kept_as_they_are(void**) {
  const Run run(1000, 1000);
  assert_int_equal(run.timeline.interval(), 1);
  assert_int_equal(run.places().size(), 1000);
}

void each_moment_is_a_state_of_the_run(void**) {
  for (const Size& size : sizes) {
    const Run run(size.changes, size.most);
    assert_int_equal(run.places().back(), size.changes);
  }
}

void each_peak_is_kept_with_its_time(void**) {
  for (const Size& size : sizes) {
    const Run run(size.changes, size.most);
    const std::vector<std::size_t> places = run.places();
    for (std::size_t sum = 0; sum < sums_of_types; ++sum) {
      const auto less = [=](const Run::State& a, const Run::State& b) { return a.sum(sum) < b.sum(sum); };
      const auto peak = static_cast<std::size_t>(std::max_element(run.states.begin(), run.states.end(), less) - run.states.begin());
      if (peak > 0) assert_true(std::binary_search(places.begin(), places.end(), peak));
    }
  }
}

void the_most_of_each_entry_is_kept(void**) {
  for (const Size& size : sizes) {
    const Run run(size.changes, size.most);
    const std::vector<std::size_t> places = run.places();
    std::size_t before = 0;
    for (std::size_t moment = 0; moment < places.size(); before = places[moment++]) {
      for (const LiveChange& change : run.timeline.kept().changes_of(moment)) {
        std::int64_t most = 0;
        for (std::size_t state = before + 1; state <= places[moment]; ++state) {
          const std::int64_t live = run.states[state].live[change.entry];
          if (live != run.states[state - 1].live[change.entry]) most = std::max(most, live);
        }
        assert_int_equal(change.most, most);
      }
    }
  }
}

void memory_is_bounded(void**) {
  for (const std::size_t changes : {10'000, 100'000, 1'000'000}) {
    Timeline timeline(2000);
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < changes; ++i) {
      const auto entry = static_cast<std::uint32_t>(random() % entries);
      timeline.add(static_cast<std::int64_t>(i), entry, type_of(entry), static_cast<std::int64_t>(random() % 1000));
      assert_in_range(timeline.kept().changes.size(), 0, 6000);
    }
    timeline.finish();
    assert_in_range(timeline.kept().changes.size(), 1000, 6000);
    assert_int_equal(timeline.added(), changes);
  }
}

// Each label lives once, so no change can be left out.
void many_labels_cost_what_they_need(void**) {
  Timeline timeline(1000);
  constexpr std::uint32_t labels = 200'000;
  for (std::uint32_t label = 0; label < labels; ++label) {
    timeline.add(label, label, 0, 64);
    if (label >= 10) timeline.add(label, label - 10, 0, 0);
  }
  timeline.finish();
  assert_in_range(timeline.kept().changes.size(), labels, 2 * labels);
}

void what_is_earlier_counts_as_of_the_last_time(void**) {
  Timeline timeline;
  timeline.add(7, 0, 0, 1);
  timeline.add(3, 0, 0, 2);
  timeline.finish();
  assert_int_equal(timeline.kept().moments.back().time, 7);
}

void series_add_up_to_what_lived(void**) {
  Run run(20'000, 1000);
  cadastre::command::Summary summary;
  for (std::uint32_t entry = 0; entry < entries; ++entry) {
    summary.labels.emplace_back().label = std::to_string(entry);
    summary.labels.back().type = static_cast<cadastre_memory_type>(type_of(entry));
    summary.labels.back().allocated = {1, 1};
  }
  const std::vector<std::size_t> places = run.places();
  summary.timeline = run.timeline;
  const cadastre::command::Series series(summary, 2);
  assert_int_equal(series.labels().size(), 5);
  assert_string_equal(series.labels()[2].label.c_str(), "2 other labels");
  std::vector<std::int64_t> live(series.labels().size());
  std::size_t moment = 0;
  series.for_each_moment([&](std::int64_t time, const std::vector<LiveChange>& changes) {
    const Run::State& state = run.states[places[moment++]];
    assert_int_equal(time, state.time);
    for (const LiveChange& change : changes) live[change.entry] = change.live;
    for (std::size_t type = 0; type < 3; ++type) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < live.size(); ++i) sum += static_cast<std::size_t>(series.labels()[i].type) == type ? live[i] : 0;
      assert_int_equal(sum, state.sum(type));
    }
  });
  assert_int_equal(moment, places.size());
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(few_changes_are_kept_as_they_are),
      cmocka_unit_test(each_moment_is_a_state_of_the_run),
      cmocka_unit_test(each_peak_is_kept_with_its_time),
      cmocka_unit_test(the_most_of_each_entry_is_kept),
      cmocka_unit_test(memory_is_bounded),
      cmocka_unit_test(many_labels_cost_what_they_need),
      cmocka_unit_test(what_is_earlier_counts_as_of_the_last_time),
      cmocka_unit_test(series_add_up_to_what_lived),
  };
  return cmocka_run_group_tests_name("timelines of traces", tests, nullptr, nullptr);
}
