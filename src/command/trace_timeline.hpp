// Tangled from org/command/trace_timeline.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What each label of a trace held over time, in bounded memory.
#ifndef CADASTRE_SRC_COMMAND_TRACE_TIMELINE_HPP
#define CADASTRE_SRC_COMMAND_TRACE_TIMELINE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cadastre.h"

namespace cadastre::command {

inline constexpr std::size_t memory_types = CADASTRE_MEMORY_TYPE_COUNT;
// Of each memory type, and behind these of all together.
inline constexpr std::size_t all_types = memory_types;
inline constexpr std::size_t sums_of_types = memory_types + 1;

// What a label holds in a memory type, and the most that it held since the moment before.
struct LiveChange {
  std::uint32_t entry = 0;  // number of the pair of label and memory type
  std::int64_t live = 0, most = 0;
};

// Moments, each with what changed since the one before.
struct Moments {
  struct Moment {
    std::int64_t time = 0;
    std::size_t end = 0;   // of its changes
    bool is_last = false;  // of an interval
  };

  std::span<const LiveChange> changes_of(std::size_t moment) const {
    const std::size_t first = moment == 0 ? 0 : moments[moment - 1].end;
    return std::span(changes).subspan(first, moments[moment].end - first);
  }

  std::vector<Moment> moments;
  std::vector<LiveChange> changes;
};

class Timeline {
 public:
  static constexpr std::size_t usual_changes = 200'000;

  // most_changes: so many are kept one by one, and about so many are kept of any number.
  explicit Timeline(std::size_t most_changes = usual_changes) : wanted_(most_changes), limit_(most_changes) {}

  // Adds a change. One that is earlier than the last counts as of the same time.
  void add(std::int64_t time, std::uint32_t entry, std::size_t type, std::int64_t live);
  // Joins what is still apart, when all have been added.
  void finish();

  // How many changes an interval has at most; 1: each change is a moment.
  std::uint64_t interval() const { return interval_; }
  std::uint64_t added() const { return added_; }
  const Moments& kept() const { return kept_; }

 private:
  struct Live {
    std::vector<std::int64_t> of_entries;
    std::array<std::int64_t, sums_of_types> sums{};
  };

  void apply(std::span<const LiveChange> changes, Live& live) const;
  std::vector<bool> choose(const Moments& from, std::size_t first, std::size_t end, Live& live) const;
  void join(const Moments& from, std::size_t first, std::size_t end, Live& live);
  void join_pairs();

  std::size_t wanted_, limit_;
  std::uint64_t interval_ = 1, added_ = 0;
  std::int64_t time_ = 0;            // of the last change
  std::vector<std::uint8_t> types_;  // of entries
  Moments kept_;
  Live live_;      // what lived at the last of them
  Moments apart_;  // those of the interval that is not whole yet
};

}  // namespace cadastre::command
#endif
