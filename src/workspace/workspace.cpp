// Tangled from org/workspace/workspace.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "workspace/workspace.hpp"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "base/record.hpp"

namespace cadastre::internal {

std::optional<std::size_t> leased_bytes(std::span<const std::size_t> sizes, std::size_t granularity) noexcept {
  std::size_t total = 0;
  for (const std::size_t size : sizes) {
    const std::size_t rounded = round_up(size, granularity);
    if (rounded < size || sum_wraps(total, rounded) || total + rounded > largest_size) return std::nullopt;
    total += rounded;
  }
  return total;
}

Workspace::Room Workspace::behind_all() const noexcept {
  if (leases_.empty()) return {0, 0, 0};
  const Lease& last = leases_.back();
  return {last.piece, last.offset + last.bytes, leases_.size()};
}

Workspace::Room Workspace::room(std::size_t bytes) const noexcept {
  for (Room behind = behind_all(); behind.piece < pieces_.size(); ++behind.piece, behind.offset = 0) {
    if (pieces_[behind.piece].size - behind.offset >= bytes) return behind;
  }
  Room first{pieces_.size(), 0, leases_.size()};
  for_each_gap([&](const Room& gap, std::size_t size) {
    if (size >= bytes) first = gap;
    return size >= bytes;
  });
  return first;
}

template <class Take>
void Workspace::for_each_gap(Take take) const noexcept {
  Room gap{0, 0, 0};
  for (gap.before = 0; gap.before < leases_.size(); ++gap.before) {
    const Lease& next = leases_[gap.before];
    if (next.bytes == 0) continue;
    for (; gap.piece < next.piece; ++gap.piece, gap.offset = 0) {
      if (take(gap, pieces_[gap.piece].size - gap.offset)) return;
    }
    if (take(gap, next.offset - gap.offset)) return;
    gap.offset = next.offset + next.bytes;
  }
  for (; gap.piece < pieces_.size(); ++gap.piece, gap.offset = 0) {
    if (take(gap, pieces_[gap.piece].size - gap.offset)) return;
  }
}

bool Workspace::check_invariants() const noexcept {
  std::size_t piece = 0, offset = 0, used = 0;
  for (const Lease& lease : leases_) {
    used += lease.bytes;
    if (lease.bytes == 0) continue;
    if (lease.piece < piece || lease.piece >= pieces_.size()) return false;
    if (lease.piece > piece) offset = 0;
    if (lease.offset < offset || lease.offset + lease.bytes > pieces_[lease.piece].size) return false;
    piece = lease.piece;
    offset = lease.offset + lease.bytes;
  }
  return used == used_bytes_;
}

namespace {

void check([[maybe_unused]] const Workspace& workspace) noexcept {
#ifdef CADASTRE_DEBUG
  if (workspace.check_invariants()) return;
  std::fputs("cadastre: leases of a workspace overlap, or lie outside of its memory\n", stderr);
  std::abort();
#endif
}

}  // namespace

std::size_t Workspace::size() const noexcept {
  return std::accumulate(pieces_.begin(), pieces_.end(), std::size_t{0},
                         [](std::size_t sum, const Piece& piece) { return sum + piece.size; });
}

void Workspace::prepare() {
  const auto one_more = [](auto& list) {
    if (list.size() == list.capacity()) list.reserve(2 * list.size() + 4);
  };
  one_more(leases_);
  one_more(pieces_);
}

std::byte* Workspace::take(std::size_t bytes, cadastre_lease number) noexcept {
  const Room where = bytes == 0 ? behind_all() : room(bytes);
  leases_.insert(leases_.begin() + static_cast<std::ptrdiff_t>(where.before), {number, bytes, where.piece, where.offset});
  if (bytes == 0) return nullptr;
  Piece& piece = pieces_[where.piece];
  piece.used += bytes;
  used_bytes_ += bytes;
  high_water_mark_bytes_ = std::max(high_water_mark_bytes_, used_bytes_);
  if (where.piece == 0) touch(where.offset + bytes);
  check(*this);
  return piece.begin + where.offset;
}

Lease Workspace::give_back(std::size_t index) noexcept {
  const Lease lease = leases_[index];
  leases_.erase(leases_.begin() + static_cast<std::ptrdiff_t>(index));
  if (lease.bytes > 0) pieces_[lease.piece].used -= lease.bytes;
  used_bytes_ -= lease.bytes;
  check(*this);
  return lease;
}

void Workspace::retire(Workspace& into) noexcept {
  into.pieces_.swap(pieces_);
  into.queue = queue;
  into.identity = identity;
  into.behind = std::exchange(behind, Behind::nothing);
  into.event.swap(event);
  into.used = into.retired = true;
}

Backend::Event Workspace::drop_event() noexcept {
  const std::shared_ptr<Backend::Event> dropped = std::move(event);
  return dropped.use_count() == 1 ? *dropped : nullptr;
}

bool Workspace::remove_unused(Piece& removed) noexcept {
  std::size_t piece = pieces_.size();
  while (piece > captured_pieces && pieces_[piece - 1].used > 0) --piece;
  if (piece <= captured_pieces) return false;
  removed = pieces_[--piece];
  pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(piece));
  for (Lease& lease : leases_) {
    if (lease.piece == piece) lease.offset = 0;  // of no bytes
    if (lease.piece > piece) --lease.piece;
  }
  check(*this);
  return true;
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
  if (!empty) empty = std::make_unique<Workspace>();
  empty->prepare();
  workspaces.reserve(workspaces.size() + 4);
}

Workspace* WorkspacesOfType::begin_retired() noexcept {
  if (!empty || workspaces.size() == workspaces.capacity() || count_retired() >= most_unfinished) return nullptr;
  return workspaces.emplace_back(std::move(empty)).get();
}

std::unique_ptr<Workspace> WorkspacesOfType::take(const Workspace& workspace) noexcept {
  const auto found = std::find_if(workspaces.begin(), workspaces.end(), [&](const auto& w) { return w.get() == &workspace; });
  std::unique_ptr<Workspace> taken = std::move(*found);
  workspaces.erase(found);
  return taken;
}

std::vector<std::unique_ptr<Workspace>>::const_iterator WorkspacesOfType::find_idle(Waiting waiting) const noexcept {
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

std::unique_ptr<Workspace> WorkspacesOfType::take_idle() noexcept {
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
  workspace_table_ = {.begin = piece.begin,
                      .size = piece.size,
                      .granularity = granularity,
                      .is_default = is_default,
                      .first_lease = next_,
                      .next_lease = next_};
  at_thread_ = &workspace;
  thread_ = thread;
  return workspace_table_;
}

void Workspaces::end_thread_workspace() noexcept {
  Workspace& workspace = *std::exchange(at_thread_, nullptr);
  WorkspacesOfType& of_type = of(CADASTRE_HOST);
  next_ = workspace_table_.next_lease;
  of_type.acquisitions += workspace_table_.next_lease - workspace_table_.first_lease;
  of_type.high_water_mark_bytes = std::max(of_type.high_water_mark_bytes, of_type.used_bytes + workspace_table_.most);
  workspace.touch(workspace_table_.most);
  if (workspace_table_.lease == CADASTRE_NULL_LEASE) return;
  workspace.thread = thread_;
  workspace.take(workspace_table_.leased, workspace_table_.lease);
  ++of_type.live_leases;
  of_type.used_bytes += workspace_table_.leased;
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
