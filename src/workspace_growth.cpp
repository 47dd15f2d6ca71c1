// Tangled from org/workspace_growth.org; change the chapter, then run: make tangle
#include "workspace_growth.hpp"

#include <algorithm>
#include <optional>

#include "error.hpp"
#include "lease_order.hpp"

namespace cadastre::internal {

cadastre_exit_code let_go(Visit& visit, Workspace& workspace) noexcept {
  Context& context = visit.context();
  const cadastre_exit_code waited = visit.outside([&] { return context.settle(workspace); });
  if (waited == CADASTRE_CAPTURE_ACTIVE) return waited;
  cadastre_exit_code worst = waited;
  for (Piece piece; workspace.remove_unused(piece);) {
    const cadastre_exit_code code = context.free_piece(visit, piece, std::nullopt, waited);
    if (code == CADASTRE_CAPTURE_ACTIVE) {
      workspace.add(piece);
      return code;
    }
    if (code != CADASTRE_SUCCESS) worst = code;
  }
  return worst;
}

namespace {

constexpr const char* held_is_used = "acquire as much before the capture, because the memory of the workspace must be waited for, and a blocking queue of the device is being captured";

bool is_shortage(cadastre_exit_code code) noexcept {
  return code == CADASTRE_ALLOCATION_FAILED || code == CADASTRE_LIMIT_EXCEEDED;
}

}  // namespace

cadastre_exit_code grow(Visit& visit, WorkspacesOfType& of_type, Workspace& workspace, const Want& want) noexcept {
  if (of_type.explicit_size()) return refuse_size(of_type, workspace, want);
  Context& context = visit.context();
  const bool may_move = workspace.leases().empty();
  if (may_move && !workspace.pieces().empty() && is_captured(visit, CADASTRE_DEFAULT_QUEUE)) return refuse_capture(held_is_used);
  const bool ordered = of_type.scheme == CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED || context.pool(want.type) == CADASTRE_POOL_VENDOR;
  const Order order = ordered ? Order(want.queue) : std::nullopt;
  const std::size_t bytes = may_move && of_type.kept() ? std::max(want.bytes, workspace.high_water_mark_bytes()) : want.bytes;
  Piece piece;
  cadastre_exit_code code = context.allocate_piece(visit, want.type, bytes, order, piece);
  if (is_shortage(code) && may_move && (bytes > want.bytes || !workspace.pieces().empty())) {
    if (let_go(visit, workspace) == CADASTRE_CAPTURE_ACTIVE) return CADASTRE_CAPTURE_ACTIVE;
    code = context.allocate_piece(visit, want.type, want.bytes, order, piece);
  }
  if (code != CADASTRE_SUCCESS) return code;
  if (may_move && let_go(visit, workspace) == CADASTRE_CAPTURE_ACTIVE) code = come_after(visit, of_type, workspace, want.queue);
  workspace.add(piece);
  if (code != CADASTRE_SUCCESS) return code;
  ++of_type.growths;
  return CADASTRE_SUCCESS;
}

}  // namespace cadastre::internal
