// Tangled from org/leases/size.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "leases/size.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "context/pieces.hpp"
#include "context/reclaim.hpp"
#include "leases/growth.hpp"
#include "leases/order.hpp"
#include "leases/parts.hpp"
#include "leases/refusals.hpp"

namespace cadastre::internal {

WorkspaceList list_of_one() {
  WorkspaceList list;
  list.push_back(new_workspace());
  return list;
}

namespace {

// Waits for all that the parts of one block are behind, which goes with the first of them.
bool settle_all(ContextLock& lock, const WorkspaceList& parts) noexcept {
  return lock.in_backend([&] {
    for (const auto& part : parts) {
      if (const cadastre_exit_code code = settle(lock.context(), *part); code != CADASTRE_SUCCESS) return code;
    }
    return CADASTRE_SUCCESS;
  }) == CADASTRE_SUCCESS;
}

}  // namespace

cadastre_exit_code replace(ContextLock& lock, WorkspacesOfType& of_type, cadastre_workspace_scheme scheme, WorkspaceList list) noexcept {
  Context& context = lock.context();
  std::swap(of_type.workspaces, list);
  const bool is_one_block = of_type.explicit_size();
  of_type.scheme = scheme;
  of_type.of_the_environment = false;
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  if (is_one_block && !settle_all(lock, list)) {
    for (const auto& part : list) part->behind = Behind::everything;
  }
  for (const auto& old : list) {
    old->captured_pieces = 0;
    if (const cadastre_exit_code code = let_go(lock, *old); code != CADASTRE_SUCCESS) worst = code;
    lock.in_backend([&] { return context.backend().destroy_event(context.device(), old->drop_event()), CADASTRE_SUCCESS; });
  }
  return worst;
}

namespace {

cadastre_workspace_scheme scheme_of(std::size_t bytes) noexcept {
  if (bytes == CADASTRE_WORKSPACE_AUTOMATIC) return CADASTRE_WORKSPACE_SCHEME_AUTOMATIC;
  if (bytes == CADASTRE_WORKSPACE_STREAM_ORDERED) return CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED;
  return bytes == CADASTRE_WORKSPACE_PER_LEASE ? CADASTRE_WORKSPACE_SCHEME_PER_LEASE : CADASTRE_WORKSPACE_SCHEME_PREALLOCATED;
}

}  // namespace

std::size_t default_workspace_size(const Context& context, cadastre_memory_type type) {
  const std::size_t size = environment().workspace_sizes[static_cast<std::size_t>(type)];
  const bool named_alone = type == workspace_type(context.sources()) && size == CADASTRE_WORKSPACE_AUTOMATIC;
  return named_alone ? environment().default_workspace_size : size;
}

cadastre_exit_code set_workspace_size(ContextLock& lock, cadastre_memory_type type, std::size_t bytes) {
  Context& context = lock.context();
  cadastre_exit_code code = resolve(context, type);
  if (code != CADASTRE_SUCCESS) return code;
  if (bytes == 0) bytes = default_workspace_size(context, type);
  WorkspacesOfType& of_type = context.workspaces().of(type);
  if (is_captured(lock, CADASTRE_DEFAULT_QUEUE)) return refuse_capture(blocking_queue_captured);
  if (!of_type.idle()) return refuse_alive(of_type, type);
  const cadastre_workspace_scheme scheme = scheme_of(bytes);
  if (scheme != CADASTRE_WORKSPACE_SCHEME_PREALLOCATED) return replace(lock, of_type, scheme, {});
  const std::optional<std::size_t> rounded = leased_bytes({&bytes, 1}, granularity_of(context.sources(), type));
  if (!rounded) return refuse_total(CADASTRE_INVALID_ARG_3, type, {&bytes, 1});
  WorkspaceList list = list_of_one();
  Piece piece;
  Reclaim reclaim(lock, {type, *rounded, workspace_label, std::nullopt}, Effort::wait_and_ask);
  do code = allocate_piece(lock, type, *rounded, std::nullopt, piece);
  while (code != CADASTRE_SUCCESS && reclaim.helps(code));
  if (code != CADASTRE_SUCCESS) return code;
  if (!of_type.idle()) {
    refuse_alive(of_type, type);
    const Failure first = failed_last();
    free_piece(lock, piece, std::nullopt, CADASTRE_SUCCESS);
    return fail(first);
  }
  list.front()->add(piece);
  return replace(lock, of_type, scheme, std::move(list));
}

cadastre_exit_code release_captured(ContextLock& lock, cadastre_memory_type type, cadastre_queue queue) {
  Context& context = lock.context();
  const cadastre_exit_code resolved = resolve(context, type);
  if (resolved != CADASTRE_SUCCESS) return resolved;
  WorkspacesOfType& of_type = context.workspaces().of(type);
  const auto has_it = [&, queue = context.sources().resolved(queue)](const auto& w) { return w->captured && w->queue == queue; };
  const auto find = [&](auto is_meant) { return std::find_if(of_type.workspaces.begin(), of_type.workspaces.end(), is_meant); };
  if (find(has_it) == of_type.workspaces.end()) return CADASTRE_SUCCESS;
  const auto leased = find([&](const auto& w) { return has_it(w) && !w->idle(); });
  if (leased != of_type.workspaces.end() && is_captured(lock, (*leased)->queue)) return refuse_capture(is_captured_yet);
  if (is_captured(lock, CADASTRE_DEFAULT_QUEUE)) return refuse_capture(blocking_queue_captured);
  std::vector<Workspace*> held;
  held.reserve(of_type.workspaces.size());
  for (const auto& w : of_type.workspaces) {
    if (!has_it(w) || !w->idle()) continue;
    hold(*w);
    held.push_back(w.get());
  }
  cadastre_exit_code code = lock.in_backend([&] { return context.backend().settle_device(context.device()); });
  const bool is_done = code == CADASTRE_SUCCESS;
  for (Workspace* const w : held) {
    if (is_done) w->release_captured();
    if (is_done) w->settled();
    if (is_done && !of_type.kept()) code = std::max(code, let_go(lock, *w));
    let_off(*w);
  }
  for (const auto& w : of_type.workspaces) {
    if (is_done && has_it(w)) w->release_captured();
  }
  return code;
}

}  // namespace cadastre::internal
