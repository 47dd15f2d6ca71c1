// Tangled from org/tests/workspace_registry_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <thread>
#include <vector>

#include "workspace_claims.hpp"

namespace cadastre::internal {
namespace {

cadastre_exit_code count_workspaces(const cadastre_memory_info_struct* info, void* count) {
  const bool is_one = info->flags & CADASTRE_WORKSPACE_MEMORY && info->label && std::strcmp(info->label, "workspace") == 0;
  *static_cast<int*>(count) += is_one;
  return CADASTRE_SUCCESS;
}

void registry_the_workspace_is_one_labelled_block(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Loan loan = acquire(context, type, {1000, 2000});
  int count = 0;
  assert_int_equal(cadastre_foreach_block(context, count_workspaces, &count), CADASTRE_SUCCESS);
  assert_int_equal(count, 1);
  cadastre_memory_info_struct info;
  std::size_t offset = 0;
  assert_int_equal(cadastre_find_block(context, static_cast<std::byte*>(loan[1]) + 5, &info, &offset), CADASTRE_SUCCESS);
  assert_ptr_equal(info.pointer, loan[0]);
  assert_int_equal(info.size, info_of(context, type).reserved_bytes);
  assert_string_equal(info.label, "workspace");
  assert_true(info.flags & CADASTRE_WORKSPACE_MEMORY);
  assert_int_equal(cadastre_memset(context, loan[1], 1, 5000), CADASTRE_OUT_OF_BOUNDS);
  give_back(context, loan);
  destroy(context);
}

void registry_free_realloc_and_unwrap_of_what_is_leased_are_refused(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{10000}, CADASTRE_WORKSPACE_PER_LEASE}) {
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    const Loan loan = acquire(context, type, {1000, 2000});
    const Books before = books_of(context, type);
    for (void* const pointer : loan.at) {
      assert_refused(context, cadastre_free(context, pointer), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
      assert_non_null(std::strstr(last(context).message, "cadastre_workspace_release"));
      assert_null(cadastre_realloc(context, pointer, 10));
      assert_int_equal(last(context).reason, CADASTRE_REASON_WORKSPACE_MEMORY);
      assert_int_equal(cadastre_unwrap(context, pointer), CADASTRE_INVALID_ARG_2);
      assert_refused(context, cadastre_free_async(context, pointer, CADASTRE_DEFAULT_QUEUE), CADASTRE_INVALID_ARG_2,
                     CADASTRE_REASON_WORKSPACE_MEMORY);
      assert_unchanged(context, type, before);
    }
    give_back(context, loan);
  }
  destroy(context);
}

void registry_free_all_leaves_the_workspace(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Loan loan = acquire(context, type, {1000});
  block(context, request(type, 100));
  write(context, loan[0], 1000, 1);
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).live_blocks, 1);
  assert_true(holds(context, loan[0], 1000, 1));
  give_back(context, loan);
  destroy(context);
}

void destroy_with_live_leases_is_reported(void** state) {
  for (const std::size_t scheme :
       {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{10000}, CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    const cadastre_context context = context_of(state);
    const cadastre_memory_type type = type_of(state);
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    acquire(context, type, {1000});
    acquire(context, type, {0});
    std::thread([&] { try_acquire(context, type, {3000}); }).join();
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
    assert_int_equal(summary.live_leases, 3);
    assert_int_equal(summary.live_blocks, 0);
    assert_int_equal(summary.live_bytes, 0);
    assert_int_equal(summary.failed_deallocations, 0);
  }
}

// Runs a call with each host allocation failing in turn; answers how often it failed.
template <class Call>
int fail_host_allocations(cadastre_context context, cadastre_memory_type type, Call call) {
  int failures = 0;
  for (long k = 1; k < 50; ++k) {
    const Books before = books_of(context, type);
    host_allocations_until_failure = k;
    const cadastre_exit_code code = call();
    const bool struck = host_allocations_until_failure == 0;
    host_allocations_until_failure = 0;
    if (code == CADASTRE_SUCCESS && !struck) return failures;
    if (code == CADASTRE_SUCCESS) continue;
    ++failures;
    assert_int_equal(code, CADASTRE_ALLOCATION_FAILED);
    assert_int_equal(last(context).exit_code, CADASTRE_ALLOCATION_FAILED);
    assert_int_equal(last(context).reason, CADASTRE_REASON_OUT_OF_HOST_MEMORY);
    assert_unchanged(context, type, before);
  }
  return -1;
}

void without_host_memory_an_acquisition_changes_nothing(void** state) {
  if (subject_of(state).backend != CADASTRE_BACKEND_HOST) skip_because("its runtime would be without it as well");
  const cadastre_memory_type type = type_of(state);
  int failures = 0;
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{100000}, CADASTRE_WORKSPACE_PER_LEASE}) {
    const cadastre_context context = context_of(state);
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    std::vector<cadastre_lease> leases;
    leases.reserve(100);
    for (int depth = 0; depth < 9; ++depth) {  // the lists grow
      const int failed = fail_host_allocations(context, type, [&] {
        const std::size_t size = 1000;
        void* pointer = nullptr;
        cadastre_lease lease = CADASTRE_NULL_LEASE;
        const cadastre_exit_code code =
            cadastre_workspace_acquire_on_queue(context, type, CADASTRE_DEFAULT_QUEUE, 1, &size, &pointer, &lease);
        if (code == CADASTRE_SUCCESS) leases.push_back(lease);
        return code;
      });
      assert_true(failed >= 0);
      failures += failed;
    }
    for (; !leases.empty(); leases.pop_back()) {
      assert_int_equal(cadastre_workspace_release(context, leases.back()), CADASTRE_SUCCESS);
    }
    destroy(context);
  }
  assert_true(failures > 5);
}

void without_host_memory_no_size_buffer_or_query_is_set(void** state) {
  if (subject_of(state).backend != CADASTRE_BACKEND_HOST) skip_because("its runtime would be without it as well");
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  give_back(context, acquire(context, type, {1000}));
  int failures = fail_host_allocations(context, type, [=] { return cadastre_workspace_set_size(context, type, 500); });
  assert_true(failures > 0);
  unsigned char* const own = aligned_block(context, type, 8192);
  failures = fail_host_allocations(context, type, [=] { return cadastre_workspace_set_buffer(context, type, own, 8192); });
  assert_true(failures > 0);
  alignas(4096) static unsigned char plain[8192];
  assert_int_equal(cadastre_workspace_set_buffer(context, type, nullptr, 0), CADASTRE_SUCCESS);
  failures = fail_host_allocations(context, type, [=] { return cadastre_workspace_set_buffer(context, type, plain, 8192); });
  assert_true(failures > 0);
  failures = fail_host_allocations(context, type, [=] { return cadastre_workspace_start_size_query(context); });
  assert_true(failures > 0);
  destroy(context);
}

}  // namespace

Claims registry_claims() {
  return {
      .of_every_type =
          {
              cmocka_unit_test(registry_the_workspace_is_one_labelled_block),
              cmocka_unit_test(registry_free_realloc_and_unwrap_of_what_is_leased_are_refused),
              cmocka_unit_test(registry_free_all_leaves_the_workspace),
              cmocka_unit_test(destroy_with_live_leases_is_reported),
              cmocka_unit_test(without_host_memory_an_acquisition_changes_nothing),
              cmocka_unit_test(without_host_memory_no_size_buffer_or_query_is_set),
          },
  };
}

}  // namespace cadastre::internal
