// Tangled from org/tests/rocblas_managed_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>

#include "workspace_claims.hpp"

namespace cadastre::internal {
namespace {

cadastre_workspace_info_struct workspace_of(cadastre_context handle) { return info_of(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE); }

bool is_managing(cadastre_context handle) { return workspace_of(handle).scheme != CADASTRE_WORKSPACE_SCHEME_USER_OWNED; }

cadastre_exit_code set_workspace(cadastre_context handle, void* address, std::size_t bytes) {
  return cadastre_workspace_set_buffer(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE, address, bytes);
}

void order_by_stream(cadastre_context handle) {
  assert_int_equal(cadastre_workspace_set_size(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE, CADASTRE_WORKSPACE_STREAM_ORDERED),
                   CADASTRE_SUCCESS);
}

unsigned char* memory_of_the_user(cadastre_context handle, std::size_t bytes) {
  return aligned_block(handle, workspace_of(handle).type, bytes);
}

// Of the context's memory of the type, blocks that somebody has.
std::int64_t live_blocks(cadastre_context handle) { return statistics_of(handle, workspace_of(handle).type).live_blocks; }

std::size_t size_for(cadastre_context handle, std::size_t optimal) {
  std::size_t bytes = 0;
  assert_int_equal(cadastre_workspace_start_size_query(handle), CADASTRE_SUCCESS);
  assert_int_equal(solve(handle, optimal, 10), CADASTRE_SIZE_INCREASED);
  assert_int_equal(cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SUCCESS);
  return bytes;
}

void rocblas_7_managed_is_the_default_and_grows_and_keeps(void** state) {
  const cadastre_context handle = context_of(state);
  assert_true(is_managing(handle));
  assert_int_equal(workspace_of(handle).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  assert_int_equal(live_blocks(handle), 0);
  for (const std::size_t bytes : {1000u, 500u, 9000u, 1000u, 9000u}) assert_int_equal(solve(handle, bytes, 10), CADASTRE_SUCCESS);
  assert_int_equal(allocations(handle), 2);
  assert_int_equal(workspace_of(handle).reserved_bytes, rounded(9000, workspace_of(handle)));
  assert_int_equal(workspace_of(handle).growths, 2);
  assert_int_equal(live_blocks(handle), 1);
  destroy(handle);
}

void rocblas_7_managed_memory_is_of_one_handle(void** state) {
  const cadastre_context handle = context_of(state), other = context_of(state);
  const Loan ours = acquire(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE, {1000}),
             theirs = acquire(other, CADASTRE_DEFAULT_WORKSPACE_TYPE, {1000});
  write(handle, ours[0], 1000, 1);
  write(other, theirs[0], 1000, 2);
  assert_true(holds(handle, ours[0], 1000, 1) && holds(other, theirs[0], 1000, 2));
  give_back(handle, ours);
  assert_int_equal(cadastre_workspace_release(other, ours.lease), CADASTRE_INVALID_ARG_2);
  destroy(handle);
  assert_true(holds(other, theirs[0], 1000, 2));
  give_back(other, theirs);
  assert_int_equal(allocations(other), 1);
  destroy(other);
}

void rocblas_7_managed_in_stream_order_keeps_nothing_in_the_handle(void** state) {
  const cadastre_context handle = context_of(state);
  assert_int_equal(solve(handle, 1000, 10), CADASTRE_SUCCESS);
  order_by_stream(handle);
  assert_true(is_managing(handle));
  assert_int_equal(workspace_of(handle).scheme, CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED);
  for (int round = 0; round < 3; ++round) {
    assert_int_equal(live_blocks(handle), 0);
    assert_int_equal(workspace_of(handle).reserved_bytes, 0);
    assert_int_equal(solve(handle, 1000, 10), CADASTRE_SUCCESS);
    assert_int_equal(allocations(handle), 2 + round);
  }
  const Loan loan = acquire(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE, {1000});
  write(handle, loan[0], 1000, 1);
  assert_int_equal(live_blocks(handle), 1);
  assert_true(holds(handle, loan[0], 1000, 1));
  give_back(handle, loan);
  assert_int_equal(live_blocks(handle), 0);
  destroy(handle);
}

void rocblas_7_managed_in_stream_order_has_no_limit_of_its_own(void** state) {
  const cadastre_context handle = context_of(state);
  order_by_stream(handle);
  for (const std::size_t bytes : {std::size_t{10}, std::size_t{100000}, std::size_t{3} << 20, std::size_t{10}}) {
    assert_int_equal(solve(handle, bytes, 1), CADASTRE_SUCCESS);
  }
  assert_int_equal(cadastre_set_limit(handle, workspace_of(handle).type, 20000), CADASTRE_SUCCESS);
  assert_int_equal(solve(handle, 10000, 1), CADASTRE_SUCCESS);
  assert_int_equal(solve(handle, 100000, 10000), CADASTRE_PERFORMANCE_DEGRADED);
  assert_int_equal(solve(handle, 100000, 50000), CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(live_blocks(handle), 0);
  destroy(handle);
}

void rocblas_7_user_owned_memory_frees_what_was_managed_before(void** state) {
  const cadastre_context handle = context_of(state);
  for (const bool ordered : {false, true}) {
    if (ordered) order_by_stream(handle);
    assert_int_equal(solve(handle, 9000, 10), CADASTRE_SUCCESS);
    assert_int_equal(live_blocks(handle), ordered ? 0 : 1);
    unsigned char* const own = memory_of_the_user(handle, 2048);
    assert_int_equal(set_workspace(handle, own, 2048), CADASTRE_SUCCESS);
    assert_int_equal(live_blocks(handle), 1);
    assert_int_equal(workspace_of(handle).reserved_bytes, 2048);
    assert_false(is_managing(handle));
    assert_int_equal(set_workspace(handle, nullptr, 0), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free(handle, own), CADASTRE_SUCCESS);
  }
  destroy(handle);
}

void rocblas_7_user_owned_memory_is_all_that_is_used(void** state) {
  const cadastre_context handle = context_of(state);
  const std::size_t unit = workspace_of(handle).granularity;
  unsigned char* const own = memory_of_the_user(handle, 12 * unit);
  write(handle, own, 12 * unit, 5);
  assert_int_equal(set_workspace(handle, own + unit, 10 * unit), CADASTRE_SUCCESS);
  const std::int64_t before = allocations(handle);
  for (int round = 0; round < 3; ++round) {
    const Loan loan = acquire(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE, {3 * unit, 7 * unit - 1});
    assert_true(loan[0] == own + unit && loan[1] == own + 4 * unit);
    write(handle, loan[0], 3 * unit, 1);
    write(handle, loan[1], 7 * unit, 2);
    give_back(handle, loan);
    assert_int_equal(solve(handle, 10 * unit, 1), CADASTRE_SUCCESS);
  }
  assert_int_equal(allocations(handle), before);
  assert_int_equal(workspace_of(handle).growths, 0);
  const Bytes as_it_was = pattern(12 * unit, 5);
  Bytes ends(2 * unit);
  assert_int_equal(cadastre_memcpy(handle, ends.data(), own, unit), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy(handle, ends.data() + unit, own + 11 * unit, unit), CADASTRE_SUCCESS);
  assert_memory_equal(ends.data(), as_it_was.data(), unit);
  assert_memory_equal(ends.data() + unit, as_it_was.data() + 11 * unit, unit);
  destroy(handle);
}

void rocblas_7_user_owned_size_is_the_limit(void** state) {
  const cadastre_context handle = context_of(state);
  unsigned char* const own = memory_of_the_user(handle, 2048);
  assert_int_equal(set_workspace(handle, own, 2048), CADASTRE_SUCCESS);
  const std::int64_t before = allocations(handle);
  for (int round = 0; round < 2; ++round) {
    assert_int_equal(solve(handle, 2048, 10), CADASTRE_SUCCESS);
    assert_int_equal(solve(handle, 2049, 1500), CADASTRE_PERFORMANCE_DEGRADED);
    assert_int_equal(solve(handle, 9000, 2049), CADASTRE_LIMIT_EXCEEDED);
    assert_int_equal(last(handle).size, 2048);
  }
  assert_int_equal(allocations(handle), before);
  assert_int_equal(live_blocks(handle), 1);
  assert_int_equal(workspace_of(handle).reserved_bytes, 2048);
  assert_false(is_managing(handle));
  destroy(handle);
}

void rocblas_7_user_owned_memory_is_replaced_by_other_memory_of_the_user(void** state) {
  const cadastre_context handle = context_of(state);
  unsigned char* const first = memory_of_the_user(handle, 1024);
  unsigned char* const second = memory_of_the_user(handle, 4096);
  assert_int_equal(set_workspace(handle, first, 1024), CADASTRE_SUCCESS);
  assert_int_equal(solve(handle, 4096, 2000), CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(set_workspace(handle, second, 4096), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(handle, first), CADASTRE_SUCCESS);
  assert_int_equal(solve(handle, 4096, 2000), CADASTRE_SUCCESS);
  assert_int_equal(workspace_of(handle).reserved_bytes, 4096);
  destroy(handle);
}

void rocblas_7_user_owned_null_and_zero_end_it_and_either_alone_is_refused(void** state) {
  const cadastre_context handle = context_of(state);
  unsigned char* const own = memory_of_the_user(handle, 1024);
  assert_int_equal(set_workspace(handle, nullptr, 0), CADASTRE_SUCCESS);  // ends nothing
  assert_true(is_managing(handle));
  assert_int_equal(set_workspace(handle, own, 1024), CADASTRE_SUCCESS);
  assert_refused(handle, set_workspace(handle, own, 0), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_refused(handle, set_workspace(handle, nullptr, 1024), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_NULL_ARGUMENT);
  assert_false(is_managing(handle));
  assert_int_equal(solve(handle, 9000, 2000), CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(set_workspace(handle, nullptr, 0), CADASTRE_SUCCESS);
  assert_true(is_managing(handle));
  assert_int_equal(workspace_of(handle).reserved_bytes, 0);
  assert_int_equal(solve(handle, 9000, 2000), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(handle, own), CADASTRE_SUCCESS);
  destroy(handle);
}

void rocblas_7_user_owned_memory_is_not_freed_by_the_handle(void** state) {
  const cadastre_context handle = context_of(state), theirs = context_of(state);
  unsigned char* const own = memory_of_the_user(theirs, 1024);
  assert_int_equal(set_workspace(handle, own, 1024), CADASTRE_SUCCESS);
  assert_int_equal(solve(handle, 1024, 10), CADASTRE_SUCCESS);
  destroy(handle);
  write(theirs, own, 1024, 1);
  assert_true(holds(theirs, own, 1024, 1));
  assert_int_equal(cadastre_free(theirs, own), CADASTRE_SUCCESS);
  destroy(theirs);
}

void rocblas_7_queries_say_what_the_user_has_to_own(void** state) {
  const cadastre_context handle = context_of(state);
  for (const std::size_t optimal : {1000u, 9001u, 4096u}) {
    const std::size_t bytes = size_for(handle, optimal);
    unsigned char* const own = memory_of_the_user(handle, bytes);
    assert_int_equal(set_workspace(handle, own, bytes), CADASTRE_SUCCESS);
    assert_int_equal(workspace_of(handle).reserved_bytes, bytes);
    assert_int_equal(solve(handle, optimal, 10), CADASTRE_SUCCESS);
    assert_int_equal(solve(handle, bytes + 1, 10), CADASTRE_PERFORMANCE_DEGRADED);
    assert_int_equal(set_workspace(handle, nullptr, 0), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free(handle, own), CADASTRE_SUCCESS);
  }
  destroy(handle);
}

void rocblas_7_queries_work_in_both_schemes_and_mismatches_are_refused(void** state) {
  const cadastre_context handle = context_of(state);
  unsigned char* const own = memory_of_the_user(handle, 1024);
  const auto ask = [&] {
    const Books before = books_of(handle, workspace_of(handle).type);
    std::size_t bytes = 7;
    assert_refused(handle, cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SIZE_QUERY_MISMATCH,
                   CADASTRE_REASON_SIZE_QUERY_INACTIVE);
    assert_int_equal(bytes, 7);
    assert_int_equal(cadastre_workspace_start_size_query(handle), CADASTRE_SUCCESS);
    assert_int_equal(solve(handle, 9000, 10), CADASTRE_SIZE_INCREASED);
    assert_refused(handle, cadastre_workspace_start_size_query(handle), CADASTRE_SIZE_QUERY_MISMATCH, CADASTRE_REASON_SIZE_QUERY_ACTIVE);
    assert_int_equal(cadastre_workspace_stop_size_query(handle, nullptr), CADASTRE_INVALID_ARG_2);
    assert_int_equal(solve(handle, 9000, 10), CADASTRE_SIZE_UNCHANGED);
    assert_int_equal(cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SUCCESS);
    assert_int_equal(bytes, rounded(9000, workspace_of(handle)));
    assert_unchanged(handle, workspace_of(handle).type, before);
  };
  ask();
  order_by_stream(handle);
  ask();
  assert_int_equal(set_workspace(handle, own, 1024), CADASTRE_SUCCESS);
  ask();
  destroy(handle);
}

}  // namespace

Claims rocblas_managed_claims() {
  return {
      .of_natural_types =
          {
              cmocka_unit_test(rocblas_7_managed_is_the_default_and_grows_and_keeps),
              cmocka_unit_test(rocblas_7_managed_memory_is_of_one_handle),
              cmocka_unit_test(rocblas_7_managed_in_stream_order_keeps_nothing_in_the_handle),
              cmocka_unit_test(rocblas_7_managed_in_stream_order_has_no_limit_of_its_own),
              cmocka_unit_test(rocblas_7_user_owned_memory_frees_what_was_managed_before),
              cmocka_unit_test(rocblas_7_user_owned_memory_is_all_that_is_used),
              cmocka_unit_test(rocblas_7_user_owned_size_is_the_limit),
              cmocka_unit_test(rocblas_7_user_owned_memory_is_replaced_by_other_memory_of_the_user),
              cmocka_unit_test(rocblas_7_user_owned_null_and_zero_end_it_and_either_alone_is_refused),
              cmocka_unit_test(rocblas_7_user_owned_memory_is_not_freed_by_the_handle),
              cmocka_unit_test(rocblas_7_queries_say_what_the_user_has_to_own),
              cmocka_unit_test(rocblas_7_queries_work_in_both_schemes_and_mismatches_are_refused),
          },
  };
}

}  // namespace cadastre::internal
