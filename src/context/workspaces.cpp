// Tangled from org/context/workspaces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/workspaces.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "context/free.hpp"

namespace cadastre::internal {

Record take_out(Context& context, const Piece& piece) noexcept {
  const Record record = *context.registry().at(piece.begin);
  context.registry().remove(piece.begin);
  return record;
}

cadastre_exit_code free_unless_in_use(Context& context, const Record& record, Order order, cadastre_exit_code waited) noexcept {
  const bool in_use = waited != CADASTRE_SUCCESS && record.type == CADASTRE_HOST;
  if (!in_use) return free_in_backend(context, record, order);
  if (const PoolUse* const use = context.sources().share_of(record)) use->pool->give_up(use->share, record);
  return waited;
}

cadastre_exit_code settle(Context& context, Workspace& workspace) noexcept {
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (workspace.behind == Behind::event) code = context.backend().synchronize_event(context.device(), *workspace.event);
  if (workspace.behind == Behind::everything) code = context.backend().settle_device(context.device());
  if (workspace.behind == Behind::default_queue) code = context.backend().synchronize(context.device(), CADASTRE_DEFAULT_QUEUE);
  if (code == CADASTRE_SUCCESS) workspace.settled();
  return code;
}

void hold(Workspace& workspace) noexcept {
  workspace.thread = this_thread();
  workspace.acquiring = true;
}

void let_off(Workspace& workspace) noexcept {
  workspace.acquiring = false;
  if (workspace.leases().empty()) workspace.thread = 0;
}

bool is_done(Context& context, Workspace& workspace) noexcept {
  Backend& backend = context.backend();
  if (workspace.behind == Behind::nothing) return true;
  if (workspace.behind == Behind::everything || !backend.has_events()) return false;
  if (workspace.behind == Behind::default_queue) {
    if (backend.capturing(context.device(), CADASTRE_DEFAULT_QUEUE)) return false;
    if (backend.record_event(context.device(), CADASTRE_DEFAULT_QUEUE, *workspace.event) != CADASTRE_SUCCESS) return false;
    workspace.behind = Behind::event;
  }
  if (!backend.event_passed(context.device(), *workspace.event)) return false;
  workspace.settled();
  return true;
}

void IdleLook::begin(Context& context, WorkspacesOfType& of_type, Of which) noexcept {
  if (!context.backend().has_events()) return;
  for (const auto& workspace : of_type.workspaces) {
    const bool is_meant = workspace->idle() && !workspace->captured && (workspace->retired || which == Of::all);
    if (!is_meant || !workspace->is_in_flight() || number_ == asked_.size()) continue;
    hold(*workspace);
    asked_[number_++] = workspace.get();
  }
}

void IdleLook::ask(Context& context) noexcept {
  for (std::size_t i = 0; i < number_; ++i) is_done(context, *asked_[i]);
}

void IdleLook::end(bool& in_flight) noexcept {
  for (std::size_t i = 0; i < number_; ++i) {
    in_flight |= asked_[i]->is_in_flight();
    let_off(*asked_[i]);
  }
}

bool may_free_idle_workspaces(Context& context) noexcept {
  return !context.backend().has_events() || !context.backend().capturing(context.device(), CADASTRE_DEFAULT_QUEUE);
}

bool has_idle_workspace(Context& context, std::optional<cadastre_memory_type> type) noexcept {
  bool any = false;
  for (cadastre_memory_type each = 0; each < CADASTRE_MEMORY_TYPE_COUNT; ++each) {
    if (type.value_or(each) != each) continue;
    context.look_at_workspaces().of(each).release_from_graphs();
    any |= context.look_at_workspaces().of(each).has_idle();
  }
  return any;
}

Owned<Workspace> take_idle_workspace(Context& context, cadastre_memory_type type) noexcept {
  Owned<Workspace> taken = context.look_at_workspaces().of(type).take_idle();
  for (Piece& piece : taken ? taken->pieces() : std::span<Piece>()) piece.record = take_out(context, piece);
  return taken;
}

void free_taken(Context& context, Workspace& taken) noexcept {
  const cadastre_exit_code waited = settle(context, taken);
  context.backend().destroy_event(context.device(), taken.drop_event());
  for (Piece& piece : taken.pieces()) piece.freed = free_unless_in_use(context, piece.record, std::nullopt, waited) == CADASTRE_SUCCESS;
}

void count_taken(Context& context, const Workspace& taken) noexcept {
  for (const Piece& piece : taken.pieces()) {
    if (!piece.freed) context.registry().accounts().count_failed_free(piece.record);
  }
}

cadastre_workspace_info_struct workspace_info(const Context& context, cadastre_memory_type type) noexcept {
  const WorkspacesOfType& of_type = context.look_at_workspaces().of(type);
  return {sizeof(cadastre_workspace_info_struct),
          type,
          type == CADASTRE_HOST ? no_device_id : context.device(),
          of_type.scheme,
          static_cast<std::int32_t>(of_type.count()),
          granularity_of(context.sources(), type),
          of_type.size(),
          of_type.used_bytes,
          of_type.high_water_mark_bytes,
          of_type.live_leases,
          of_type.acquisitions,
          of_type.failed_acquisitions,
          of_type.growths,
          of_type.waits};
}

}  // namespace cadastre::internal
