// Tangled from org/workspace/graph_watch.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "workspace/graph_watch.hpp"

#include "base/owned.hpp"

namespace cadastre::internal {

namespace {

// Marks are in runs, which are never freed.
struct Marks {
  GraphMark marks[64];
  std::atomic<Marks*> next = nullptr;
};

constinit Marks first_marks{};

// Shows each mark until one is taken.
template <class Take>
GraphMark* find_mark(Take take) noexcept {
  for (Marks* run = &first_marks; run; run = run->next.load(std::memory_order_acquire)) {
    for (GraphMark& mark : run->marks) {
      if (take(mark)) return &mark;
    }
  }
  return nullptr;
}

bool take_unused(GraphMark& mark) noexcept {
  std::uint32_t state = GraphMark::unused;
  return mark.state.compare_exchange_strong(state, GraphMark::watched, std::memory_order_acq_rel);
}

// Null without memory.
GraphMark* take_mark() noexcept {
  if (GraphMark* const found = find_mark(take_unused)) return found;
  Marks* const made = try_to_own<Marks>().release();
  if (!made) return nullptr;
  made->marks[0].state.store(GraphMark::watched, std::memory_order_relaxed);
  std::atomic<Marks*>* last = &first_marks.next;
  for (Marks* next = nullptr; !last->compare_exchange_strong(next, made, std::memory_order_acq_rel); next = nullptr) last = &next->next;
  return &made->marks[0];
}

// Of the two who have a mark one leaves it: the other one finds how, or has left before.
void leave_mark(GraphMark& mark, GraphMark::State how) noexcept {
  std::uint32_t state = GraphMark::watched;
  if (mark.state.compare_exchange_strong(state, how, std::memory_order_acq_rel)) return;
  mark.state.store(GraphMark::unused, std::memory_order_release);
}

// In a thread of the vendor's, where nothing else is allowed.
void graph_is_gone(void* mark) { leave_mark(*static_cast<GraphMark*>(mark), GraphMark::gone); }

}  // namespace

GraphWatch::~GraphWatch() {
  if (mark_) leave_mark(*mark_, GraphMark::left);
}

bool GraphWatch::begin(Backend& backend, std::int32_t device, cadastre_queue queue, std::uint64_t capture) noexcept {
  mark_ = take_mark();
  if (!mark_) return false;
  capture_ = capture;
  until_ = backend.watch_graph(device, queue, graph_is_gone, mark_);
  return until_ != Backend::Watched::no;
}

std::size_t graph_marks_in_use() noexcept {
  std::size_t used = 0;
  find_mark([&](const GraphMark& mark) {
    used += mark.state.load(std::memory_order_relaxed) != GraphMark::unused;
    return false;
  });
  return used;
}

}  // namespace cadastre::internal
