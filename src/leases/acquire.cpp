// Tangled from org/leases/acquire.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "leases/acquire.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "context/offers.hpp"
#include "context/pieces.hpp"
#include "context/reclaim.hpp"
#include "leases/growth.hpp"
#include "leases/order.hpp"
#include "leases/parts.hpp"
#include "leases/refusals.hpp"

namespace cadastre::internal {

Owned<Workspace> new_workspace() {
  auto workspace = make_owned<Workspace>();
  workspace->prepare();
  return workspace;
}

namespace {

cadastre_exit_code make_ready(ContextLock& lock, WorkspacesOfType& of_type, Workspace& workspace, const Want& want) noexcept {
  const bool idle = workspace.leases().empty();
  const bool fits = workspace.fits(want.bytes);
  if (want.capturing) {
    return fits ? CADASTRE_SUCCESS : refuse_capture(too_small_for_capture);
  }
  if (!fits) return grow(lock, of_type, workspace, want);
  return idle ? come_after(lock, of_type, workspace, want) : CADASTRE_SUCCESS;
}

// The best that needs no waiting. Where that is too small, what others are done with is asked first.
Workspace* choose_free(ContextLock& lock, WorkspacesOfType& of_type, const Want& want) noexcept {
  const auto choose = [&] { return of_type.choose(this_thread(), want.queue, want.identity, want.bytes, want.capturing, Waiting::never); };
  Workspace* const best = choose();
  const bool is_best = want.capturing || (best && (!best->idle() || best->fits(want.bytes)));
  if (is_best) return best;
  look_at_idle(lock, of_type, IdleLook::Of::all);
  return choose();
}

// Makes a workspace ready that was chosen. One that has nothing then is forgotten.
cadastre_exit_code take_workspace(ContextLock& lock, WorkspacesOfType& of_type, Workspace& workspace, const Want& want) noexcept {
  hold(workspace);
  cadastre_exit_code code = admit_queue(lock, of_type, want);
  if (code == CADASTRE_SUCCESS) code = make_ready(lock, of_type, workspace, want);
  workspace.acquiring = false;
  if (code == CADASTRE_SUCCESS) return code;
  let_off(workspace);
  const bool of_no_use = !workspace.used && workspace.pieces().empty();
  if (of_no_use) of_type.take(workspace);
  return code;
}

// The workspace of an acquisition, made ready: one that needs no waiting, a new one, or where memory is short one that waits.
cadastre_exit_code find_workspace(ContextLock& lock, WorkspacesOfType& of_type, const Want& want, Workspace*& found) {
  if (of_type.explicit_size()) return find_part(lock, of_type, want, found);
  if (!want.capturing) {
    free_retired(lock, of_type);
    if (lock.context().backend().has_events()) of_type.prepare_to_retire();
  }
  found = choose_free(lock, of_type, want);
  const auto choose_any = [&] {
    return of_type.choose(this_thread(), want.queue, want.identity, want.bytes, want.capturing, Waiting::allowed);
  };
  if (!found && (want.capturing || of_type.count_idle() >= most_unfinished)) found = choose_any();
  if (!found && want.capturing) return refuse_capture(none_was_on_it);
  if (found) {
    found->prepare();
    return take_workspace(lock, of_type, *found, want);
  }
  Owned<Workspace> made = new_workspace();
  of_type.workspaces.reserve(of_type.workspaces.size() + 1);
  Workspace* const waiting = choose_any();
  const bool helps = waiting && waiting->fits(want.bytes);
  if (helps) {
    waiting->prepare();
    hold(*waiting);  // lest it is given up for the new one
  }
  found = of_type.workspaces.emplace_back(std::move(made)).get();
  const cadastre_exit_code code = take_workspace(lock, of_type, *found, want);
  if (!helps) return code;
  let_off(*waiting);
  if (!is_shortage(code)) return code;
  found = waiting;
  return take_workspace(lock, of_type, *found, want);
}

cadastre_exit_code try_acquire(ContextLock& lock, const AcquireOrder& order, cadastre_memory_type type, void** pointers,
                               cadastre_lease& lease) {
  Context& context = lock.context();
  WorkspacesOfType& of_type = context.workspaces().of(type);
  const std::uint64_t thread = this_thread();
  if (context.workspaces().query_of(thread)) {
    return fail({.exit_code = CADASTRE_SIZE_QUERY_MISMATCH, .reason = CADASTRE_REASON_SIZE_QUERY_ACTIVE});
  }
  const std::size_t granularity = granularity_of(context.sources(), type);
  const std::optional<std::size_t> bytes = leased_bytes(order.sizes, granularity);
  if (!bytes) return refuse_total(order.sizes_argument, type, order.sizes);
  Want want{type, context.sources().resolved(order.queue), *bytes, order.queue_argument};
  look_at_queue(lock, want);
  of_type.release_from_graphs();
  GraphWatches watch = want.capturing ? watch_graph(lock, want.queue) : GraphWatches();
  Workspace* workspace = nullptr;
  cadastre_exit_code code = find_workspace(lock, of_type, want, workspace);
  if (code != CADASTRE_SUCCESS) return code;
  workspace->queue = want.queue;
  workspace->identity = want.identity;
  workspace->used = true;
  if (want.capturing) workspace->capture(std::move(watch));
  else workspace->beside_graphs = Behind::everything;
  lease = context.workspaces().next_lease();
  std::byte* next = workspace->take(want.bytes, lease);
  of_type.count_lease(want.bytes);
  for (std::size_t i = 0; i < order.sizes.size(); ++i) {
    pointers[i] = order.sizes[i] == 0 ? nullptr : next;
    next += round_up(order.sizes[i], granularity);
  }
  return CADASTRE_SUCCESS;
}

}  // namespace

cadastre_exit_code acquire(ContextLock& lock, const AcquireOrder& order, void** pointers, cadastre_lease& lease) {
  cadastre_memory_type type = order.type;
  cadastre_exit_code code = resolve(lock.context(), type);
  if (code != CADASTRE_SUCCESS) return code;
  const std::size_t bytes = leased_bytes(order.sizes, granularity_of(lock.context().sources(), type)).value_or(0);
  Reclaim reclaim(lock, {type, bytes, workspace_label, Order(order.queue)}, Effort::wait_and_ask);
  do code = try_acquire(lock, order, type, pointers, lease);
  while (code != CADASTRE_SUCCESS && reclaim.helps(code));
  if (code != CADASTRE_SUCCESS) ++lock->workspaces().of(type).failed_acquisitions;
  return code;
}

namespace {

cadastre_exit_code refuse_lease(const Workspaces& workspaces, cadastre_lease lease) noexcept {
  const bool before = workspaces.was_given_out(lease);
  return fail({.exit_code = CADASTRE_INVALID_ARG_2,
               .reason = before ? CADASTRE_REASON_LEASE_RELEASED : CADASTRE_REASON_UNKNOWN_LEASE,
               .requested = static_cast<std::size_t>(lease)});
}

// Frees what was allocated for one acquisition.
cadastre_exit_code free_own_piece(ContextLock& lock, cadastre_memory_type type, cadastre_workspace_scheme scheme, cadastre_queue queue,
                                  const Piece& piece) noexcept {
  Context& context = lock.context();
  const bool can_order = queue != CADASTRE_DEFAULT_QUEUE || context.sources().default_queue() == CADASTRE_DEFAULT_QUEUE;
  const bool ordered = scheme == CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED && can_order;
  const std::optional<Record> block = context.registry().around(piece.begin);
  if (ordered && block->flags & CADASTRE_STREAM_ORDERED) return free_piece(lock, piece, queue, CADASTRE_SUCCESS);
  // Of memory that the C library gave, no free waits for a queue.
  cadastre_exit_code waited = CADASTRE_SUCCESS;
  if (ordered || type == CADASTRE_HOST) {
    waited = lock.in_backend([&] { return context.backend().synchronize(context.device(), queue); });
  }
  return free_piece(lock, piece, std::nullopt, waited);
}

// Where nothing is kept: frees what graphs had that are gone, as far as queues are done with it. What a capture forbids is left for later.
cadastre_exit_code free_idle(ContextLock& lock, WorkspacesOfType& of_type) noexcept {
  const auto is_there = [](const auto& w) { return w->idle() && !w->captured && !w->pieces().empty(); };
  if (std::none_of(of_type.workspaces.begin(), of_type.workspaces.end(), is_there)) return CADASTRE_SUCCESS;
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  look_at_idle(lock, of_type, IdleLook::Of::all);
  for (std::size_t i = 0; !of_type.kept() && i < of_type.workspaces.size(); ++i) {
    Workspace& idle = *of_type.workspaces[i];
    if (!is_there(of_type.workspaces[i]) || idle.is_in_flight()) continue;
    hold(idle);
    const cadastre_exit_code code = let_go(lock, idle);
    let_off(idle);
    if (code != CADASTRE_SUCCESS && code != CADASTRE_CAPTURE_ACTIVE) worst = code;
  }
  return worst;
}

}  // namespace

cadastre_exit_code give_back(ContextLock& lock, cadastre_lease lease) noexcept {
  Workspaces& workspaces = lock->workspaces();
  FoundLease found = workspaces.find(lease);
  if (!found.workspace) return refuse_lease(workspaces, lease);
  const cadastre_queue queue = found.workspace->queue;
  const bool kept = found.of_type->kept();
  const bool capturing = (!kept || queue != CADASTRE_DEFAULT_QUEUE) && is_captured(lock, queue);
  // What cannot go now stays for the next acquisition.
  const bool stays = kept || capturing || is_captured(lock, CADASTRE_DEFAULT_QUEUE);
  GraphWatches watch = capturing && queue != CADASTRE_DEFAULT_QUEUE ? watch_graph(lock, queue) : GraphWatches();
  found = workspaces.find(lease);  // others were inside
  if (!found.workspace) return refuse_lease(workspaces, lease);
  Workspace& workspace = *found.workspace;
  const cadastre_workspace_scheme scheme = found.of_type->scheme;
  found.of_type->release_from_graphs();
  if (capturing && queue != CADASTRE_DEFAULT_QUEUE) workspace.capture(std::move(watch));
  found.of_type->count_return(workspace.give_back(found.index).bytes);
  Piece own;
  const bool goes = !stays && workspace.remove_unused(own);
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (workspace.acquiring) {
    workspace.behind = Behind::everything;
  } else if (workspace.leases().empty()) {
    code = leave(lock, workspace, capturing);
    Workspace* const left = found.of_type->explicit_size() ? tidy(lock, *found.of_type, workspace) : &workspace;
    if (kept && left && found.type == CADASTRE_HOST) offer_workspace(lock, *left);
  }
  let_others_record(lock, *found.of_type, queue);
  if (const cadastre_exit_code freed = stays ? CADASTRE_SUCCESS : free_idle(lock, *found.of_type); freed != CADASTRE_SUCCESS) code = freed;
  if (!goes) return code;
  const cadastre_exit_code freed = free_own_piece(lock, found.type, scheme, queue, own);
  return freed == CADASTRE_SUCCESS ? code : freed;
}

}  // namespace cadastre::internal
