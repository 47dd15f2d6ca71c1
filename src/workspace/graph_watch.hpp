// Tangled from org/workspace/graph_watch.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How a workspace knows that no graph has its memory any more.
#ifndef CADASTRE_SRC_WORKSPACE_GRAPH_WATCH_HPP
#define CADASTRE_SRC_WORKSPACE_GRAPH_WATCH_HPP

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>

#include "base/non_copyable.hpp"
#include "backends/backend.hpp"

namespace cadastre::internal {

struct GraphMark {
  enum State : std::uint32_t { unused, watched, gone, left };
  std::atomic<std::uint32_t> state = unused;
};

// One capture of a queue, and whether all graphs that came of it are gone.
class GraphWatch : NonCopyable {
 public:
  GraphWatch() = default;
  ~GraphWatch();

  // Watches the graph that is being captured from a queue. To be called outside, once; false where nothing will tell.
  bool begin(Backend& backend, std::int32_t device, cadastre_queue queue, std::uint64_t capture) noexcept;
  std::uint64_t capture() const noexcept { return capture_; }
  bool is_gone() const noexcept { return mark_ && mark_->state.load(std::memory_order_acquire) == GraphMark::gone; }
  // Whether what was launched is done, too, when it is gone.
  bool until_done() const noexcept { return until_ == Backend::Watched::until_done; }

 private:
  std::uint64_t capture_ = 0;
  GraphMark* mark_ = nullptr;
  Backend::Watched until_ = Backend::Watched::no;
};

// A list moves from one workspace to another without memory.
using GraphWatches = std::list<std::shared_ptr<GraphWatch>>;

// How many marks somebody has, watch or vendor.
std::size_t graph_marks_in_use() noexcept;

}  // namespace cadastre::internal
#endif
