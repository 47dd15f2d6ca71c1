// Tangled from org/workspace/workspace.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "workspace/workspace.hpp"

#include <algorithm>
#include <utility>

#include "base/owned.hpp"

namespace cadastre::internal {

void Workspace::retire(Workspace& into) noexcept {
  into.pieces_.swap(pieces_);
  into.queue = queue;
  into.identity = identity;
  into.behind = std::exchange(behind, Behind::nothing);
  into.event.swap(event);
  into.used = into.retired = true;
}

Backend::Event Workspace::drop_event() noexcept {
  const InsideLibrary here;
  const std::shared_ptr<Backend::Event> dropped = std::move(event);
  return dropped.use_count() == 1 ? *dropped : nullptr;
}

void Workspace::capture(GraphWatches watch) noexcept {
  const std::uint64_t now = watch.empty() ? 0 : watch.front()->capture();
  if (leases_.empty()) {
    if (!captured) beside_graphs = behind;
    in_capture = now;
  } else if (now != in_capture) {
    beside_graphs = Behind::everything;  // between two captures its lessee may have put anything on the queue
  }
  captured = true;
  captured_pieces = pieces_.size();
  if (watch.empty()) unwatched_ = true;
  else if (!watch_of(watch.front()->capture())) watches_.splice(watches_.end(), watch);
}

void Workspace::release_captured() noexcept {
  captured = unwatched_ = false;
  captured_pieces = 0;
  beside_graphs = Behind::everything;
  watches_.clear();
}

bool Workspace::are_graphs_gone() const noexcept {
  return !unwatched_ && std::all_of(watches_.begin(), watches_.end(), [](const auto& watch) { return watch->is_gone(); });
}

void Workspace::release_from_graphs() noexcept {
  const bool done = std::all_of(watches_.begin(), watches_.end(), [](const auto& watch) { return watch->until_done(); });
  behind = done ? beside_graphs : Behind::everything;
  release_captured();
}

std::shared_ptr<GraphWatch> Workspace::watch_of(std::uint64_t capture) const noexcept {
  const auto found = std::find_if(watches_.begin(), watches_.end(), [=](const auto& watch) { return watch->capture() == capture; });
  return found == watches_.end() ? nullptr : *found;
}

}  // namespace cadastre::internal
