// Tangled from org/tests/workspace_buffer_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <cstring>

#include "workspace_claims.hpp"

namespace cadastre::internal {
namespace {

void user_owned_a_block_is_leased_and_kept_from_being_freed(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  unsigned char* const own = aligned_block(context, type, 20 * unit);
  assert_int_equal(cadastre_workspace_set_buffer(context, type, own + unit, 10 * unit + 1), CADASTRE_SUCCESS);
  assert_int_equal(info_of(context, type).scheme, CADASTRE_WORKSPACE_SCHEME_USER_OWNED);
  assert_int_equal(info_of(context, type).reserved_bytes, 10 * unit);
  const Loan loan = acquire(context, type, {9 * unit, 1});
  assert_ptr_equal(loan[0], own + unit);
  assert_int_equal(try_acquire(context, type, {1}).code, CADASTRE_LIMIT_EXCEEDED);
  assert_refused(context, cadastre_workspace_set_buffer(context, type, nullptr, 0), CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE);
  for (void* const pointer : {static_cast<void*>(own), loan[0], loan[1]}) {
    assert_refused(context, cadastre_free(context, pointer), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
    assert_null(cadastre_realloc(context, pointer, 10));
    assert_int_equal(last(context).reason, CADASTRE_REASON_WORKSPACE_MEMORY);
    assert_int_equal(cadastre_free_async(context, pointer, CADASTRE_DEFAULT_QUEUE), CADASTRE_INVALID_ARG_2);
  }
  assert_refused(context, cadastre_workspace_set_buffer(context, type, own, unit), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_WORKSPACE_MEMORY);
  give_back(context, loan);
  assert_int_equal(cadastre_free(context, own), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).live_blocks, 1);
  assert_int_equal(cadastre_workspace_set_buffer(context, type, nullptr, 0), CADASTRE_SUCCESS);
  assert_int_equal(info_of(context, type).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
  destroy(context);
}

void user_owned_another_buffer_or_size_lets_the_first_one_go(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  unsigned char* const first = aligned_block(context, type, 4 * unit);
  unsigned char* const second = aligned_block(context, type, 4 * unit);
  assert_int_equal(cadastre_workspace_set_buffer(context, type, first, 4 * unit), CADASTRE_SUCCESS);
  give_back(context, acquire(context, type, {unit}));
  assert_int_equal(cadastre_workspace_set_buffer(context, type, second, 4 * unit), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, first), CADASTRE_SUCCESS);
  const Loan loan = acquire(context, type, {4 * unit});
  assert_ptr_equal(loan[0], second);
  give_back(context, loan);
  assert_int_equal(cadastre_workspace_set_size(context, type, unit), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, second), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).live_blocks, 1);
  destroy(context);
}

void user_owned_a_buffer_is_checked(void** state) {
  const cadastre_context context = context_of(state), other = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  unsigned char* const own = aligned_block(context, type, 4 * unit);
  unsigned char* const theirs = aligned_block(other, type, 4 * unit);
  const Loan loan = acquire(other, type, {4 * unit}), leased = acquire(context, type, {2 * unit});
  const Books before = books_of(context, type);
  const auto set = [=](void* buffer, std::size_t bytes) { return cadastre_workspace_set_buffer(context, type, buffer, bytes); };
  assert_refused(context, set(own, 4 * unit + 1), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_int_equal(last(context).limit, 4 * unit);
  assert_refused(context, set(own + unit, 4 * unit), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_refused(context, set(own + 1, unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_MISALIGNED);
  assert_refused(context, set(own, unit - 1), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_refused(context, set(own, 0), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_refused(context, set(nullptr, unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_NULL_ARGUMENT);
  assert_int_equal(set(own, SIZE_MAX), CADASTRE_INVALID_ARG_4);
  assert_int_equal(set(reinterpret_cast<void*>(UINTPTR_MAX - 4095), 4096), CADASTRE_INVALID_ARG_4);
  assert_refused(context, set(leased[0], 2 * unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WORKSPACE_MEMORY);
  assert_refused(context, set(loan[0], 2 * unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WORKSPACE_MEMORY);
  assert_refused(context, set(theirs, 5 * unit), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_refused(context, set(own, 4 * unit), CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE);
  const cadastre_memory_type another = type == CADASTRE_HOST ? CADASTRE_PINNED : CADASTRE_HOST;
  assert_refused(context, cadastre_workspace_set_buffer(context, another, own, 4 * unit), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, "and the workspace is one of "));
  assert_int_equal(cadastre_workspace_set_buffer(context, 4, own, 4 * unit), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_workspace_set_buffer(context, another, nullptr, 0), CADASTRE_SUCCESS);
  assert_unchanged(context, type, before);
  give_back(context, leased);
  assert_int_equal(set(theirs, 4 * unit), CADASTRE_SUCCESS);
  const Loan of_theirs = acquire(context, type, {3 * unit});
  assert_ptr_equal(of_theirs[0], theirs);
  write(context, of_theirs[0], 3 * unit, 1);
  assert_refused(context, cadastre_unwrap(context, theirs), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
  give_back(context, of_theirs);
  assert_int_equal(set(nullptr, 0), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).borrowed_blocks, 0);
  assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
  destroy(other);
  destroy(context);
}

// What was freed is somebody else's, and so is what another context keeps or has behind the first byte.
void user_owned_what_was_freed_is_refused_wherever_it_was_freed(void** state) {
  const cadastre_context context = context_of(state), other = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  const auto set = [=](void* buffer, std::size_t bytes) { return cadastre_workspace_set_buffer(context, type, buffer, bytes); };
  unsigned char* const own = aligned_block(context, type, 8 * unit);
  unsigned char* const theirs = aligned_block(other, type, 8 * unit);
  const Books before = books_of(context, type);
  assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
  assert_refused(context, set(own + unit, 7 * unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_ALREADY_FREED);
  assert_ptr_equal(last(context).base, own);
  assert_int_equal(last(context).size, 8 * unit);
  assert_int_equal(cadastre_free(other, theirs), CADASTRE_SUCCESS);
  assert_refused(context, set(theirs, 8 * unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, "was freed by deallocation number"));
  assert_int_equal(info_of(context, type).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  assert_int_equal(info_of(context, CADASTRE_HOST).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  assert_int_equal(statistics_of(context, type).borrowed_blocks, before.statistics.borrowed_blocks);
  destroy(other);
  destroy(context);
}

void user_owned_memory_that_runs_into_a_block_is_refused(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  const cadastre_context other = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  alignas(4096) static unsigned char plain[3 * 4096];
  cadastre_memory_info_struct info = request(CADASTRE_HOST, 4096);
  info.pointer = plain + 4096;
  assert_int_equal(cadastre_wrap(other, info), CADASTRE_SUCCESS);
  assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, sizeof plain), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, "they overlap a block of another context"));
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, 4096), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, nullptr, 0), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unwrap(other, plain + 4096), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, sizeof plain), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_OVERLAPS_BLOCK);
  assert_ptr_equal(last(context).base, info.pointer);
  assert_int_equal(cadastre_unwrap(context, info.pointer), CADASTRE_SUCCESS);
  // Without a vendor who knows, memory is what the caller says.
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_PINNED, plain, 4096), CADASTRE_SUCCESS);
  assert_ptr_equal(acquire(context, CADASTRE_PINNED, {4096})[0], plain);
  assert_int_equal(info_of(context, CADASTRE_HOST).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  // A range that is recorded no more was the caller's all along.
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain + 4096, 8192), CADASTRE_SUCCESS);
  destroy(other);
  destroy(context);
}

void user_owned_host_memory_is_the_workspace_of_a_context_whose_backend_has_none(void**) {
  const cadastre_context context = context_on(vendor_a());
  alignas(4096) static unsigned char plain[8192];
  assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain + 1, 4096), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_MISALIGNED);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, sizeof plain), CADASTRE_SUCCESS);
  const Loan loan = acquire(context, CADASTRE_HOST, {4096});
  assert_ptr_equal(loan[0], plain);
  give_back(context, loan);
  destroy(context);
}

void user_owned_what_another_contexts_pool_keeps_is_refused(void**) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  options.pool = CADASTRE_POOL_CACHING;
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  const cadastre_context other = cadastre_context_create_with_options(&options);
  unsigned char* const theirs = aligned_block(other, CADASTRE_HOST, std::size_t{1} << 20);
  cadastre_memory_info_struct small = request(CADASTRE_HOST, 300000);
  small.flags = CADASTRE_UNINITIALIZED;  // clearing takes so long here and there that the pool gives back what it keeps
  assert_int_equal(cadastre_free(other, block(other, small)), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(other, theirs), CADASTRE_SUCCESS);
  for (int i = 0; i < 20000; ++i) {  // until nobody remembers
    assert_int_equal(cadastre_free(other, block(other, small)), CADASTRE_SUCCESS);
  }
  for (unsigned char* const from : {theirs, theirs + 4096}) {
    assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, from, 8192), CADASTRE_INVALID_ARG_3,
                   CADASTRE_REASON_UNSUITABLE_BUFFER);
    assert_non_null(std::strstr(last(context).message, "a pool of this process has cached"));
  }
  // The bytes before may be of the block of 300,000, which is remembered; then that is the reason.
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, theirs - 4096, 8192), CADASTRE_INVALID_ARG_3);
  assert_int_equal(cadastre_pool_trim(other, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
  destroy(other);
  destroy(context);
}

void user_owned_memory_of_another_backend_is_refused(void** state) {
  const cadastre_context context = context_of(state), other = context_on(vendor_a());
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED, CADASTRE_UVM}) {
    unsigned char* const theirs = block(other, request(type, 100000));
    const std::uintptr_t unit = 4096, address = reinterpret_cast<std::uintptr_t>(theirs);
    assert_refused(context, cadastre_workspace_set_buffer(context, type, theirs + (unit - address % unit), 8192), CADASTRE_INVALID_ARG_3,
                   CADASTRE_REASON_UNSUITABLE_BUFFER);
    assert_non_null(std::strstr(last(context).message, "backend"));
  }
  destroy(other);
  destroy(context);
}

void user_owned_memory_that_nobody_knows_is_memory_of_the_host(void** state) {
  const cadastre_context context = context_of(state);
  alignas(4096) static unsigned char plain[8192];
  const std::size_t unit = info_of(context, CADASTRE_HOST).granularity;
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, sizeof plain), CADASTRE_SUCCESS);
  const Loan loan = acquire(context, CADASTRE_HOST, {8192 - unit, 1});
  assert_ptr_equal(loan[1], plain + 8192 - unit);
  assert_refused(context, cadastre_free(context, loan[1]), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
  assert_refused(context, cadastre_unwrap(context, plain), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
  assert_int_equal(cadastre_memset(context, loan[1], 1, unit + 1), CADASTRE_OUT_OF_BOUNDS);
  give_back(context, loan);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, nullptr, 0), CADASTRE_SUCCESS);
  cadastre_memory_info_struct info = request(CADASTRE_HOST, 4096);
  info.pointer = plain + 4096;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, 8192), CADASTRE_INVALID_ARG_3);  // runs into it
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain + 4096, 4096), CADASTRE_SUCCESS);
  assert_refused(context, cadastre_unwrap(context, plain + 4096), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
  give_back(context, acquire(context, CADASTRE_HOST, {4096}));
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, nullptr, 0), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unwrap(context, plain + 4096), CADASTRE_SUCCESS);
  destroy(context);
}

void user_owned_a_buffer_is_still_the_callers_when_the_context_ends(void** state) {
  const cadastre_context context = context_of(state), other = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  unsigned char* const theirs = aligned_block(other, type, 4 * unit);
  assert_int_equal(cadastre_workspace_set_buffer(context, type, theirs, 4 * unit), CADASTRE_SUCCESS);
  acquire(context, type, {unit});
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_int_equal(summary.live_leases, 1);
  assert_int_equal(summary.live_blocks, 0);
  write(other, theirs, 4 * unit, 1);
  assert_int_equal(cadastre_free(other, theirs), CADASTRE_SUCCESS);
  destroy(other);
}

}  // namespace

Claims buffer_claims() {
  return {
      .once =
          {
              cmocka_unit_test(user_owned_memory_that_runs_into_a_block_is_refused),
              cmocka_unit_test(user_owned_host_memory_is_the_workspace_of_a_context_whose_backend_has_none),
              cmocka_unit_test(user_owned_what_another_contexts_pool_keeps_is_refused),
          },
      .of_every_type =
          {
              cmocka_unit_test(user_owned_a_block_is_leased_and_kept_from_being_freed),
              cmocka_unit_test(user_owned_another_buffer_or_size_lets_the_first_one_go),
              cmocka_unit_test(user_owned_a_buffer_is_checked),
              cmocka_unit_test(user_owned_what_was_freed_is_refused_wherever_it_was_freed),
              cmocka_unit_test(user_owned_memory_of_another_backend_is_refused),
              cmocka_unit_test(user_owned_memory_that_nobody_knows_is_memory_of_the_host),
              cmocka_unit_test(user_owned_a_buffer_is_still_the_callers_when_the_context_ends),
          },
  };
}

}  // namespace cadastre::internal
