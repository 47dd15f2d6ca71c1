// Tangled from org/workspace/workspaces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "workspace/workspaces.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace cadastre::internal {

Workspace* WorkspacesOfType::choose(std::uint64_t thread, cadastre_queue queue, std::uint64_t identity, std::size_t bytes, bool capturing,
                                    Waiting waiting) noexcept {
  Workspace* best = nullptr;
  int best_rank = -1;
  for (const auto& workspace : workspaces) {
    if (workspace->acquiring) continue;
    if (workspace->thread == thread && workspace->queue == queue) return workspace.get();
    if (!workspace->idle() || !workspace->may_go_to(queue, identity, capturing)) continue;
    const bool is_same = workspace->was_on(queue, identity);
    if (waiting == Waiting::never && workspace->behind != Behind::nothing && !is_same) continue;
    const int rank = 2 * workspace->fits(bytes) + is_same;
    if (rank > best_rank) {
      best = workspace.get();
      best_rank = rank;
    }
  }
  return best;
}

std::size_t WorkspacesOfType::count_retired() const noexcept {
  return static_cast<std::size_t>(std::count_if(workspaces.begin(), workspaces.end(), [](const auto& w) { return w->retired; }));
}

std::size_t WorkspacesOfType::count_idle() const noexcept {
  const auto is_for_any = [](const auto& w) { return w->idle() && !w->retired && !w->captured; };
  return static_cast<std::size_t>(std::count_if(workspaces.begin(), workspaces.end(), is_for_any));
}

void WorkspacesOfType::prepare_to_retire() {
  if (!empty) empty = make_owned<Workspace>();
  empty->prepare();
  workspaces.reserve(workspaces.size() + 4);
}

Workspace* WorkspacesOfType::begin_retired() noexcept {
  if (!empty || workspaces.size() == workspaces.capacity() || count_retired() >= most_unfinished) return nullptr;
  return workspaces.emplace_back(std::move(empty)).get();
}

Owned<Workspace> WorkspacesOfType::take(const Workspace& workspace) noexcept {
  const auto found = std::find_if(workspaces.begin(), workspaces.end(), [&](const auto& w) { return w.get() == &workspace; });
  Owned<Workspace> taken = std::move(*found);
  workspaces.erase(found);
  return taken;
}

std::vector<Owned<Workspace>>::const_iterator WorkspacesOfType::find_idle(Waiting waiting) const noexcept {
  if (scheme != CADASTRE_WORKSPACE_SCHEME_AUTOMATIC) return workspaces.end();
  return std::find_if(workspaces.begin(), workspaces.end(), [=](const auto& w) {
    return w->idle() && !w->captured && !w->pieces().empty() && (waiting == Waiting::allowed || !w->is_in_flight());
  });
}

void WorkspacesOfType::release_from_graphs() noexcept {
  for (const auto& workspace : workspaces) {
    if (workspace->may_be_released()) workspace->release_from_graphs();
  }
}

Owned<Workspace> WorkspacesOfType::take_idle() noexcept {
  const auto found = find_idle(Waiting::never);
  return found == workspaces.end() ? nullptr : take(**found);
}

std::size_t WorkspacesOfType::size() const noexcept {
  std::size_t sum = 0;
  for (const auto& workspace : workspaces) sum += workspace->size();
  return sum;
}

void WorkspacesOfType::count_lease(std::size_t bytes) noexcept {
  ++acquisitions;
  ++live_leases;
  used_bytes += bytes;
  high_water_mark_bytes = std::max(high_water_mark_bytes, used_bytes);
}

void WorkspacesOfType::count_return(std::size_t bytes) noexcept {
  --live_leases;
  used_bytes -= bytes;
}

Workspaces::Workspaces() noexcept {
  static constinit std::atomic<std::uint64_t> contexts = 0;
  constexpr unsigned bits = 40;
  constexpr std::uint64_t most_contexts = std::uint64_t{1} << (63 - bits);
  first_ = static_cast<cadastre_lease>((contexts.fetch_add(1, std::memory_order_relaxed) % most_contexts) << bits) + 1;
  next_ = first_;
}

FoundLease Workspaces::find(cadastre_lease lease) noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    for (const auto& workspace : of(type).workspaces) {
      const std::span<const Lease> leases = workspace->leases();
      for (std::size_t index = leases.size(); index-- > 0;) {
        if (leases[index].number == lease) return {type, &of(type), workspace.get(), index};
      }
    }
  }
  return {};
}

std::shared_ptr<GraphWatch> Workspaces::watch_of(std::uint64_t capture) const noexcept {
  for (const WorkspacesOfType& of_type : types_) {
    for (const auto& workspace : of_type.workspaces) {
      if (std::shared_ptr<GraphWatch> found = workspace->watch_of(capture)) return found;
    }
  }
  return nullptr;
}

std::size_t* Workspaces::query_of(std::uint64_t thread) noexcept {
  const auto query = std::find_if(queries_.begin(), queries_.end(), [&](const Query& one) { return one.thread == thread; });
  return query == queries_.end() ? nullptr : &query->bytes;
}

void Workspaces::end_query(std::uint64_t thread) noexcept {
  std::erase_if(queries_, [&](const Query& query) { return query.thread == thread; });
}

// Only the one that would be chosen anyway.
bool Workspaces::may_be_at_thread(const Workspace& workspace, std::uint64_t thread) noexcept {
  const bool is_plain = workspace.queue == CADASTRE_DEFAULT_QUEUE && !workspace.captured && !workspace.pieces().empty();
  if (!is_plain || !workspace.idle() || query_of(thread)) return false;
  return of(CADASTRE_HOST).choose(thread, CADASTRE_DEFAULT_QUEUE, workspace.identity, 0, false, Waiting::never) == &workspace;
}

ThreadWorkspace& Workspaces::begin_thread_workspace(Workspace& workspace, std::uint64_t thread, std::size_t granularity,
                                                    bool is_default) noexcept {
  const Piece& piece = workspace.pieces().front();
  thread_workspace_ = {.begin = piece.begin,
                       .size = piece.size,
                       .granularity = granularity,
                       .is_default = is_default,
                       .first_lease = next_,
                       .next_lease = next_};
  at_thread_ = &workspace;
  thread_ = thread;
  return thread_workspace_;
}

void Workspaces::end_thread_workspace() noexcept {
  Workspace& workspace = *std::exchange(at_thread_, nullptr);
  WorkspacesOfType& of_type = of(CADASTRE_HOST);
  next_ = thread_workspace_.next_lease;
  of_type.acquisitions += thread_workspace_.next_lease - thread_workspace_.first_lease;
  of_type.high_water_mark_bytes = std::max(of_type.high_water_mark_bytes, of_type.used_bytes + thread_workspace_.most);
  workspace.touch(thread_workspace_.most);
  if (thread_workspace_.lease == CADASTRE_NULL_LEASE) return;
  workspace.thread = thread_;
  workspace.take(thread_workspace_.leased, thread_workspace_.lease);
  ++of_type.live_leases;
  of_type.used_bytes += thread_workspace_.leased;
}

void Workspaces::forget_other_threads(std::uint64_t thread) noexcept {
  for (WorkspacesOfType& of_type : types_) {
    of_type.asked.clear();
    for (const auto& workspace : of_type.workspaces) {
      if (workspace->idle() || workspace->thread == thread) continue;
      workspace->acquiring = false;
      if (!workspace->leases().empty()) continue;
      workspace->thread = 0;
      workspace->behind = Behind::everything;
    }
  }
}

}  // namespace cadastre::internal
