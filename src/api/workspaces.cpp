// Tangled from org/api/workspaces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/boundary.hpp"
#include "context/lifetime.hpp"
#include "context/workspaces.hpp"
#include "core/calls.hpp"
#include "leases/buffer.hpp"
#include "leases/acquire.hpp"
#include "leases/refusals.hpp"
#include "leases/size.hpp"

using namespace cadastre::internal;

cadastre_exit_code cadastre_workspace_set_size(cadastre_context context, cadastre_memory_type type, size_t bytes) {
  return call(context, __func__, [&](ContextLock& lock) { return set_workspace_size(lock, type, bytes); });
}

cadastre_exit_code cadastre_workspace_set_buffer(cadastre_context context, cadastre_memory_type type, void* const buffer, size_t bytes) {
  return call(context, __func__, [&](ContextLock& lock) { return set_workspace_buffer(lock, type, buffer, bytes); });
}

cadastre_exit_code cadastre_workspace_release_captured(cadastre_context context, cadastre_memory_type type, cadastre_queue queue) {
  return call(context, __func__, [&](ContextLock& lock) { return release_captured(lock, type, queue); });
}

namespace {

// At the thread workspace of the calling thread's shard, or not at all.
[[gnu::always_inline]] inline bool acquire_in_shard(cadastre_context context, cadastre_memory_type type, std::size_t n,
                                                    const std::size_t* sizes, void** pointers, cadastre_lease* lease) noexcept {
  if (!sizes || !pointers || !lease) [[unlikely]]
    return false;
  Shard* const shard = enter_shard(context);
  if (!shard) [[unlikely]]
    return false;
  ThreadWorkspace* const thread_workspace = shard->thread_workspace;
  const bool is_meant =
      thread_workspace && (type == CADASTRE_HOST || (type == CADASTRE_DEFAULT_WORKSPACE_TYPE && thread_workspace->is_default));
  const bool leased = is_meant && thread_workspace->acquire(n, sizes, pointers, *lease);
  shard->lock.leave(context);
  return leased;
}

[[gnu::always_inline]] inline bool release_in_shard(cadastre_context context, cadastre_lease lease) noexcept {
  Shard* const shard = enter_shard(context);
  if (!shard) [[unlikely]]
    return false;
  ThreadWorkspace* const thread_workspace = shard->thread_workspace;
  const bool taken = thread_workspace && thread_workspace->take_back(lease);
  shard->lock.leave(context);
  return taken;
}

// first: the number of n among the arguments. A queue that no argument names is the context's.
cadastre_exit_code acquire_in(cadastre_context context, const char* function, cadastre_memory_type type, cadastre_queue queue,
                              std::int32_t first, std::size_t n, const std::size_t* sizes, void** pointers,
                              cadastre_lease* lease) noexcept {
  return call(context, function, [&](ContextLock& lock) {
    if (n > 0 && !sizes) return null_argument(first + 1);
    if (n > 0 && !pointers) return null_argument(first + 2);
    if (!lease) return null_argument(first + 3);
    const cadastre_exit_code of_queue = first > CADASTRE_INVALID_ARG_3 ? first - 1 : CADASTRE_FAILURE;
    return acquire(lock, {type, queue, {sizes, n}, first + 1, of_queue}, pointers, *lease);
  });
}

}  // namespace

cadastre_exit_code cadastre_workspace_acquire(cadastre_context context, cadastre_memory_type type, size_t n, const size_t* sizes,
                                              void** pointers, cadastre_lease* lease) {
  if (acquire_in_shard(context, type, n, sizes, pointers, lease)) [[likely]]
    return CADASTRE_SUCCESS;
  return acquire_in(context, __func__, type, CADASTRE_DEFAULT_QUEUE, CADASTRE_INVALID_ARG_3, n, sizes, pointers, lease);
}

cadastre_exit_code cadastre_workspace_acquire_on_queue(cadastre_context context, cadastre_memory_type type, cadastre_queue queue, size_t n,
                                                       const size_t* sizes, void** pointers, cadastre_lease* lease) {
  if (queue == CADASTRE_DEFAULT_QUEUE && acquire_in_shard(context, type, n, sizes, pointers, lease)) return CADASTRE_SUCCESS;
  return acquire_in(context, __func__, type, queue, CADASTRE_INVALID_ARG_4, n, sizes, pointers, lease);
}

cadastre_exit_code cadastre_workspace_release(cadastre_context context, cadastre_lease lease) {
  if (release_in_shard(context, lease)) [[likely]]
    return CADASTRE_SUCCESS;
  return call(context, __func__, [&](ContextLock& lock) { return give_back(lock, lease); });
}

namespace {

cadastre_exit_code no_query() noexcept {
  return fail({.exit_code = CADASTRE_SIZE_QUERY_MISMATCH, .reason = CADASTRE_REASON_SIZE_QUERY_INACTIVE});
}

}  // namespace

cadastre_exit_code cadastre_workspace_start_size_query(cadastre_context context) {
  return call(context, __func__, [&](ContextLock& lock) {
    if (lock->workspaces().query_of(this_thread())) {
      return fail({.exit_code = CADASTRE_SIZE_QUERY_MISMATCH, .reason = CADASTRE_REASON_SIZE_QUERY_ACTIVE});
    }
    lock->workspaces().begin_query(this_thread());
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_workspace_stop_size_query(cadastre_context context, size_t* bytes) {
  return call(context, __func__, [&](ContextLock& lock) {
    const std::size_t* const most = lock->workspaces().query_of(this_thread());
    if (!most) return no_query();
    if (!bytes) return null_argument(CADASTRE_INVALID_ARG_2);
    *bytes = *most;
    lock->workspaces().end_query(this_thread());
    return CADASTRE_SUCCESS;
  });
}

int32_t cadastre_workspace_is_size_query(cadastre_context context) {
  bool asked = false;
  if (!is_live(context)) return false;  // no failure to be remembered
  call(context, __func__, [&](ContextLock& lock) {
    asked = lock->workspaces().query_of(this_thread()) != nullptr;
    return CADASTRE_SUCCESS;
  });
  return asked;
}

cadastre_exit_code cadastre_workspace_set_optimal_size(cadastre_context context, size_t n, const size_t* sizes) {
  cadastre_exit_code answer = CADASTRE_SIZE_UNCHANGED;
  const cadastre_exit_code code = call(context, __func__, [&](ContextLock& lock) {
    std::size_t* const most = lock->workspaces().query_of(this_thread());
    if (!most) return no_query();
    if (n > 0 && !sizes) return null_argument(CADASTRE_INVALID_ARG_3);
    const cadastre_memory_type type = workspace_type(lock.context().sources());
    const std::optional<std::size_t> bytes = leased_bytes({sizes, n}, granularity_of(lock.context().sources(), type));
    if (!bytes) return refuse_total(CADASTRE_INVALID_ARG_3, type, {sizes, n});
    if (*bytes > *most) {
      *most = *bytes;
      answer = CADASTRE_SIZE_INCREASED;
    }
    return CADASTRE_SUCCESS;
  });
  return code == CADASTRE_SUCCESS ? answer : code;
}

cadastre_exit_code cadastre_workspace_get_info(cadastre_context context, cadastre_memory_type type, cadastre_workspace_info_struct* info) {
  return call(context, __func__, [&](ContextLock& lock) {
    const cadastre_exit_code code = resolve(lock.context(), type);
    if (code != CADASTRE_SUCCESS) return code;
    return write_struct(workspace_info(lock.context(), type), info, CADASTRE_INVALID_ARG_3);
  });
}
