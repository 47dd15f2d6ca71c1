// Tangled from org/command/trace_series.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The labels of a timeline that held the most, and the others together.
#ifndef CADASTRE_SRC_COMMAND_TRACE_SERIES_HPP
#define CADASTRE_SRC_COMMAND_TRACE_SERIES_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace_summary.hpp"

namespace cadastre::command {

class Series {
 public:
  // summary: one with a timeline, which outlives the series.
  Series(const Summary& summary, std::size_t most_labels);

  // What they are of: the one that held the most at one time first, the others of each memory type last.
  const std::vector<LabelSummary>& labels() const { return labels_; }
  // Calls to_do(time, changes) for each moment of the timeline, with the numbers of series as entries.
  template <typename Function>
  void for_each_moment(const Function& to_do) const {
    std::vector<std::int64_t> entries(series_.size()), live(labels_.size());
    for (std::size_t moment = 0; moment < kept_.moments.size(); ++moment) {
      to_do(kept_.moments[moment].time, changes_of(moment, entries, live));
    }
  }

 private:
  void add_others(const Summary& summary, const std::vector<std::uint32_t>& entries, cadastre_memory_type type, const std::string& device);
  std::vector<LiveChange> changes_of(std::size_t moment, std::vector<std::int64_t>& entries, std::vector<std::int64_t>& live) const;

  const Moments& kept_;
  std::vector<LabelSummary> labels_;
  std::vector<std::uint32_t> series_;  // of entries
  std::size_t own_ = 0;                // so many series have one entry
};

}  // namespace cadastre::command
#endif
