// Tangled from org/context/workspaces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "context/context.hpp"
#include "context/lock.hpp"

namespace cadastre::internal {

cadastre_exit_code Context::allocate_piece(Visit& visit, cadastre_memory_type type, std::size_t size, Order order,
                                           Piece& piece) noexcept {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.alignment = workspace_alignment(type);
  info.flags = CADASTRE_UNINITIALIZED;
  info.label = workspace_label;
  void* pointer = nullptr;
  const cadastre_exit_code code = allocate(visit, info, order, pointer, false, Effort::give_up);
  if (code != CADASTRE_SUCCESS) return code;
  keep(pointer, true);
  piece = {.begin = static_cast<std::byte*>(pointer), .size = size};
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::free_piece(Visit& visit, const Piece& piece, Order order,
                                       cadastre_exit_code waited) noexcept {
  if (piece.origin == Origin::part) return CADASTRE_SUCCESS;
  // One that was allocated stays marked, by which a trace tells it from a block of the user's that was freed.
  if (piece.origin != Origin::allocated) keep(piece.begin, false);
  if (piece.origin == Origin::block) return CADASTRE_SUCCESS;
  if (piece.origin == Origin::recorded) return return_borrowed(piece.begin);
  const Record record = *registry_.at(piece.begin);
  Hidden hidden;
  withdraw(record, hidden);
  visit.step_out();
  const cadastre_exit_code code = free_unless_in_use(record, order, waited);
  visit.step_in();
  conclude_free(record, hidden, code);
  return code != CADASTRE_SUCCESS ? code : waited;
}

Record Context::take_out(const Piece& piece) noexcept {
  const Record record = *registry_.at(piece.begin);
  registry_.remove(piece.begin);
  return record;
}

cadastre_exit_code Context::free_unless_in_use(const Record& record, Order order, cadastre_exit_code waited) noexcept {
  const bool in_use = waited != CADASTRE_SUCCESS && record.type == CADASTRE_HOST;
  if (!in_use) return free_in_backend(record, order);
  if (const PoolUse* const use = share_of(record)) use->pool->give_up(use->share, record);
  return waited;
}

cadastre_exit_code Context::settle(Workspace& workspace) noexcept {
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (workspace.behind == Behind::event) code = backend_->synchronize_event(device_, *workspace.event);
  if (workspace.behind == Behind::everything) code = backend_->settle_device(device_);
  if (workspace.behind == Behind::default_queue) code = backend_->synchronize(device_, CADASTRE_DEFAULT_QUEUE);
  if (code == CADASTRE_SUCCESS) workspace.settled();
  return code;
}

void hold(Workspace& workspace) noexcept {
  workspace.thread = this_thread();
  workspace.lending = true;
}

void let_off(Workspace& workspace) noexcept {
  workspace.lending = false;
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
    const bool is_meant = workspace->idle() && !workspace->captured && (workspace->aside || which == Of::all);
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

bool Context::may_wait_for_queues(const Order& order) noexcept {
  const auto captured = [&](cadastre_queue queue) { return backend_->capturing(device_, queue); };
  if (!backend_->has_events()) return true;
  const cadastre_queue own = default_queue();
  return !captured(CADASTRE_DEFAULT_QUEUE) && (own == CADASTRE_DEFAULT_QUEUE || !captured(own)) && (!order || !captured(resolved(*order)));
}

bool Context::may_free_idle_workspaces() noexcept {
  return !backend_->has_events() || !backend_->capturing(device_, CADASTRE_DEFAULT_QUEUE);
}

bool Context::has_idle_workspace(std::optional<cadastre_memory_type> type) noexcept {
  bool any = false;
  for (cadastre_memory_type each = 0; each < CADASTRE_MEMORY_TYPE_COUNT; ++each) {
    if (type.value_or(each) != each) continue;
    books().of(each).release_from_graphs();
    any |= books().of(each).has_idle();
  }
  return any;
}

std::unique_ptr<Workspace> Context::take_idle_workspace(cadastre_memory_type type) noexcept {
  std::unique_ptr<Workspace> taken = books().of(type).take_idle();
  for (Piece& piece : taken ? taken->pieces() : std::span<Piece>()) piece.record = take_out(piece);
  return taken;
}

void Context::free_taken(Workspace& taken) noexcept {
  const cadastre_exit_code waited = settle(taken);
  backend_->destroy_event(device_, taken.drop_event());
  for (Piece& piece : taken.pieces()) piece.freed = free_unless_in_use(piece.record, std::nullopt, waited) == CADASTRE_SUCCESS;
}

void Context::count_taken(const Workspace& taken) noexcept {
  for (const Piece& piece : taken.pieces()) {
    if (!piece.freed) registry_.free_failed(piece.record);
  }
}

void Context::offer_desk(const Visit& visit, Workspace& workspace) noexcept {
  if (no_desk_for_ > 0 && no_desk_for_-- > 0) return;
  const bool is_plain = uses_shards() && !backend_->has_events() && default_queue() == CADASTRE_DEFAULT_QUEUE;
  if (!is_plain || visit.is_any_outside() || !workspaces_.may_be_at_desk(workspace, this_thread())) return;
  Desk& desk = workspaces_.begin_desk(workspace, this_thread(), granularity(CADASTRE_HOST), workspace_type() == CADASTRE_HOST);
  if (!registry_.give_desk(desk, visit.handle())) workspaces_.end_desk();
}

void Context::take_desk() const noexcept {
  constexpr std::uint32_t for_a_while = 1000;
  if (registry_.take_desk() == Registry::TakenFrom::another) no_desk_for_ = for_a_while;
  workspaces_.end_desk();
}

void Context::abandon_shard(Shard& shard) noexcept {
  if (std::exchange(shard.cache, nullptr)) enter_cache();
  const bool had_desk = shard.desk != nullptr;
  registry_.abandon_shard(shard);
  if (had_desk) workspaces_.end_desk();
}

cadastre_workspace_info_struct Context::workspace_info(cadastre_memory_type type) const noexcept {
  const WorkspacesOfType& of_type = books().of(type);
  return {sizeof(cadastre_workspace_info_struct),
          type,
          type == CADASTRE_HOST ? no_device_id : device_,
          of_type.scheme,
          static_cast<std::int32_t>(of_type.count()),
          granularity(type),
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
