// Tangled from org/leases/growth.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "leases/growth.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/owned.hpp"
#include "leases/order.hpp"

namespace cadastre::internal {

cadastre_exit_code let_go(ContextLock& lock, Workspace& workspace) noexcept {
  Context& context = lock.context();
  const cadastre_exit_code waited = lock.in_backend([&] { return settle(context, workspace); });
  if (waited == CADASTRE_CAPTURE_ACTIVE) return waited;
  cadastre_exit_code worst = waited;
  for (Piece piece; workspace.remove_unused(piece);) {
    const cadastre_exit_code code = free_piece(lock, piece, std::nullopt, waited);
    if (code == CADASTRE_CAPTURE_ACTIVE) {
      workspace.add(piece);
      return code;
    }
    if (code != CADASTRE_SUCCESS) worst = code;
  }
  return worst;
}

void free_retired(ContextLock& lock, WorkspacesOfType& of_type) noexcept {
  if (of_type.count_retired() == 0) return;
  look_at_idle(lock, of_type, IdleLook::Of::retired);
  Context& context = lock.context();
  const auto is_free = [](const auto& w) { return w->retired && w->idle() && w->behind == Behind::nothing; };
  for (std::size_t i = 0; i < most_unfinished; ++i) {
    const auto found = std::find_if(of_type.workspaces.begin(), of_type.workspaces.end(), is_free);
    if (found == of_type.workspaces.end()) return;
    Workspace* const retired = found->get();
    hold(*retired);
    let_go(lock, *retired);
    let_off(*retired);
    if (!retired->pieces().empty()) return;  // a capture forbids it
    const Owned<Workspace> gone = of_type.take(*retired);
    lock.in_backend([&] { return context.backend().destroy_event(context.device(), gone->drop_event()), CADASTRE_SUCCESS; });
  }
}

namespace {

constexpr const char* held_is_used =
    "acquire as much before the capture, because the memory of the workspace must be waited for, and a blocking queue of the device is being captured";

// Leaves memory that a queue is at work on to a workspace that is retired.
bool retire(ContextLock& lock, WorkspacesOfType& of_type, Workspace& workspace) noexcept {
  if (workspace.pieces().empty() || workspace.captured) return false;
  bool done = false;
  lock.in_backend([&] {
    done = is_done(lock.context(), workspace);
    return CADASTRE_SUCCESS;
  });
  Workspace* const retired = !done && workspace.behind == Behind::event ? of_type.begin_retired() : nullptr;
  if (retired) workspace.retire(*retired);
  return retired != nullptr;
}

}  // namespace

cadastre_exit_code grow(ContextLock& lock, WorkspacesOfType& of_type, Workspace& workspace, const Want& want) noexcept {
  const bool may_move = workspace.leases().empty();
  if (may_move && !workspace.pieces().empty() && is_captured(lock, CADASTRE_DEFAULT_QUEUE)) return refuse_capture(held_is_used);
  const bool ordered = of_type.scheme == CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED;
  const Order order = ordered ? Order(want.queue) : std::nullopt;
  const std::size_t bytes = may_move && of_type.kept() ? std::max(want.bytes, workspace.high_water_mark_bytes()) : want.bytes;
  Piece piece;
  cadastre_exit_code code = allocate_piece(lock, want.type, bytes, order, piece);
  if (is_shortage(code) && may_move && (bytes > want.bytes || !workspace.pieces().empty())) {
    if (let_go(lock, workspace) == CADASTRE_CAPTURE_ACTIVE) return CADASTRE_CAPTURE_ACTIVE;
    code = allocate_piece(lock, want.type, want.bytes, order, piece);
  }
  if (code != CADASTRE_SUCCESS) return code;
  const bool stays = !may_move || retire(lock, of_type, workspace);
  if (!stays && let_go(lock, workspace) == CADASTRE_CAPTURE_ACTIVE) code = come_after(lock, of_type, workspace, want);
  workspace.add(piece);
  if (code != CADASTRE_SUCCESS) return code;
  ++of_type.growths;
  return CADASTRE_SUCCESS;
}

}  // namespace cadastre::internal
