// Tangled from org/leases/order.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "leases/order.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>

#include "base/error.hpp"

namespace cadastre::internal {

bool is_captured(ContextLock& lock, cadastre_queue queue) noexcept {
  Context& context = lock.context();
  if (!context.backend().has_events()) return false;
  bool captured = false;
  lock.in_backend([&] {
    captured = context.backend().capturing(context.device(), queue);
    return CADASTRE_SUCCESS;
  });
  return captured;
}

void look_at_queue(ContextLock& lock, Want& want) noexcept {
  Context& context = lock.context();
  Backend& backend = context.backend();
  if (!backend.has_events() && want.queue == CADASTRE_DEFAULT_QUEUE) return;
  lock.in_backend([&] {
    want.capturing = backend.capturing(context.device(), want.queue);
    want.identity = backend.queue_identity(context.device(), want.queue);
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code admit_queue(ContextLock& lock, const WorkspacesOfType& of_type, const Want& want) noexcept {
  Context& context = lock.context();
  if (want.capturing || want.queue == CADASTRE_DEFAULT_QUEUE) return CADASTRE_SUCCESS;
  const auto has_seen_it = [&](const auto& workspace) { return workspace->used && workspace->queue == want.queue; };
  if (std::any_of(of_type.workspaces.begin(), of_type.workspaces.end(), has_seen_it)) return CADASTRE_SUCCESS;
  std::int32_t device = context.device();
  const cadastre_exit_code code = lock.in_backend([&] {
    // One that a backend without events cannot tell from others is waited for, or refused with the reason.
    if (want.identity == 0 && !context.backend().has_events()) return context.backend().synchronize(context.device(), want.queue);
    device = context.backend().owner_of_queue(context.device(), want.queue);
    return CADASTRE_SUCCESS;
  });
  if (code != CADASTRE_SUCCESS || device == context.device()) return code;
  return fail({.exit_code = want.queue_argument,
               .reason = CADASTRE_REASON_WRONG_QUEUE_DEVICE,
               .type = want.type,
               .backend = context.backend().number(),
               .device = device,
               .requested = static_cast<std::size_t>(device),
               .required = static_cast<std::size_t>(context.device()),
               .pointer = want.queue});
}

bool comes_by_itself(Context& context, const Workspace& workspace, const Want& want) noexcept {
  const Behind behind = workspace.behind_for(want.queue, want.identity);
  if (behind == Behind::nothing) return true;
  const bool is_known = want.queue == CADASTRE_DEFAULT_QUEUE || ((behind == Behind::event || workspace.captured) && want.identity > 1);
  const bool is_told = want.identity != 0 && !context.backend().has_events();
  return workspace.was_on(want.queue, want.identity) && (is_known || is_told);
}

cadastre_exit_code wait_behind(ContextLock& lock, Workspace& workspace, const Want& want, bool& waited) noexcept {
  Context& context = lock.context();
  Backend& backend = context.backend();
  if (comes_by_itself(context, workspace, want)) return CADASTRE_SUCCESS;
  if (workspace.behind == Behind::default_queue && is_captured(lock, CADASTRE_DEFAULT_QUEUE)) {
    return refuse_capture(
        "acquire it on this queue before its capture, because it was last acquired on the default queue, with which a captured queue cannot be ordered");
  }
  const Behind behind = workspace.behind_for(want.queue, want.identity);
  const cadastre_exit_code code = lock.in_backend([&] {
    if (behind == Behind::everything) return settle(context, workspace);
    if (behind == Behind::default_queue) {
      const cadastre_exit_code recorded = backend.record_event(context.device(), CADASTRE_DEFAULT_QUEUE, *workspace.event);
      if (recorded != CADASTRE_SUCCESS) return recorded;
    }
    return backend.wait_event(context.device(), want.queue, *workspace.event);
  });
  waited = waited || (code == CADASTRE_SUCCESS && !workspace.was_on(want.queue, want.identity));
  return code;
}

cadastre_exit_code come_after(ContextLock& lock, WorkspacesOfType& of_type, Workspace& workspace, const Want& want) noexcept {
  bool waited = false;
  const cadastre_exit_code code = wait_behind(lock, workspace, want, waited);
  of_type.waits += waited;
  return code;
}

void look_at_idle(ContextLock& lock, WorkspacesOfType& of_type, IdleLook::Of which) noexcept {
  IdleLook look;
  look.begin(lock.context(), of_type, which);
  if (!look.any()) return;
  lock.in_backend([&] { return look.ask(lock.context()), CADASTRE_SUCCESS; });
  bool in_flight = false;
  look.end(in_flight);
}

GraphWatches watch_graph(ContextLock& lock, cadastre_queue queue) noexcept try {
  Context& context = lock.context();
  Backend& backend = context.backend();
  std::uint64_t capture = 0;
  lock.in_backend([&] {
    capture = backend.capture_of(context.device(), queue);
    return CADASTRE_SUCCESS;
  });
  if (capture == 0) return {};
  if (const std::shared_ptr<GraphWatch> known = context.workspaces().watch_of(capture)) return {known};
  const GraphWatches watches{std::make_shared<GraphWatch>()};
  bool is_watched = false;
  lock.in_backend([&] {
    is_watched = watches.front()->begin(backend, context.device(), queue, capture);
    return CADASTRE_SUCCESS;
  });
  return is_watched ? watches : GraphWatches();
} catch (const std::bad_alloc&) {
  return {};
}

cadastre_exit_code leave(ContextLock& lock, Workspace& workspace, bool capturing) noexcept {
  Context& context = lock.context();
  const bool events = context.backend().has_events();
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (workspace.pieces().empty()) {
    workspace.behind = workspace.beside_graphs = Behind::nothing;
  } else if (events && workspace.queue == CADASTRE_DEFAULT_QUEUE) {
    workspace.behind = workspace.beside_graphs = Behind::default_queue;
  } else {
    workspace.behind = Behind::everything;
    if (events && !(workspace.captured && capturing)) {
      workspace.beside_graphs = Behind::everything;
      workspace.thread = this_thread();  // nobody's who could lease meanwhile
      code = lock.in_backend([&] { return context.backend().record_event(context.device(), workspace.queue, *workspace.event); });
      if (code == CADASTRE_SUCCESS) workspace.beside_graphs = Behind::event;
      if (!workspace.captured) workspace.behind = workspace.beside_graphs;
    }
  }
  workspace.thread = 0;
  return code;
}

}  // namespace cadastre::internal
