// Tangled from org/tests/workspace_scheme_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "workspace_claims.hpp"

namespace cadastre::internal {
namespace {

void automatic_an_acquisition_that_does_not_fit_grows_the_workspace(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(info_of(context, type).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  assert_int_equal(info_of(context, type).reserved_bytes, 0);
  Loan loan = acquire(context, type, {1000});
  const void* const first = loan[0];
  write(context, loan[0], 1000, 1);
  assert_true(holds(context, loan[0], 1000, 1));
  assert_int_equal(info_of(context, type).growths, 1);
  assert_int_equal(info_of(context, type).reserved_bytes, rounded(1000, info_of(context, type)));
  give_back(context, loan);
  loan = acquire(context, type, {500, 100});
  assert_ptr_equal(loan[0], first);
  give_back(context, loan);
  assert_int_equal(info_of(context, type).growths, 1);
  loan = acquire(context, type, {5000});
  write(context, loan[0], 5000, 2);
  assert_true(holds(context, loan[0], 5000, 2));
  give_back(context, loan);
  const Books now = books_of(context, type);
  assert_int_equal(now.info.growths, 2);
  assert_int_equal(now.info.reserved_bytes, rounded(5000, now.info));
  assert_int_equal(now.info.used_bytes, 0);
  assert_int_equal(now.info.high_water_mark_bytes, rounded(5000, now.info));
  assert_int_equal(now.statistics.live_blocks, 1);
  assert_int_equal(now.statistics.live_bytes, now.info.reserved_bytes);
  destroy(context);
}

void automatic_under_a_live_lease_nothing_moves_and_afterwards_all_is_one_block(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Loan outer = acquire(context, type, {1000});
  write(context, outer[0], 1000, 1);
  const Loan inner = acquire(context, type, {8000});
  write(context, inner[0], 8000, 2);
  const Loan innermost = acquire(context, type, {30});
  write(context, innermost[0], 30, 3);
  assert_true(holds(context, outer[0], 1000, 1) && holds(context, inner[0], 8000, 2));
  assert_true(holds(context, innermost[0], 30, 3));
  assert_int_equal(statistics_of(context, type).live_blocks, 3);
  const std::size_t together = info_of(context, type).used_bytes;
  give_back(context, innermost);
  give_back(context, inner);
  assert_true(holds(context, outer[0], 1000, 1));
  give_back(context, outer);
  give_back(context, acquire(context, type, {together}));
  const Books now = books_of(context, type);
  assert_int_equal(now.statistics.live_blocks, 1);
  assert_int_equal(now.info.reserved_bytes, together);
  assert_int_equal(now.info.high_water_mark_bytes, together);
  assert_int_equal(now.info.growths, 4);
  destroy(context);
}

void automatic_a_shortage_is_met_by_what_is_there(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  give_back(context, acquire(context, type, {4 * unit}));
  assert_int_equal(cadastre_set_limit(context, type, 7 * unit), CADASTRE_SUCCESS);
  give_back(context, acquire(context, type, {6 * unit}));  // only when the old block has gone
  assert_int_equal(info_of(context, type).reserved_bytes, 6 * unit);
  assert_int_equal(try_acquire(context, type, {8 * unit}).code, CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(last(context).requested, 8 * unit);
  assert_int_equal(last(context).limit, 7 * unit);
  assert_int_equal(cadastre_set_limit(context, type, 2 * unit), CADASTRE_SUCCESS);
  give_back(context, acquire(context, type, {unit}));  // less than it had before
  assert_int_equal(cadastre_set_limit(context, type, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
  give_back(context, acquire(context, type, {9 * unit}));
  destroy(context);
}

void automatic_what_fits_into_a_piece_allocates_nothing(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  const Loan outer = acquire(context, type, {3 * unit}), inner = acquire(context, type, {5 * unit});
  give_back(context, inner);
  give_back(context, outer);
  assert_int_equal(cadastre_set_limit(context, type, 8 * unit), CADASTRE_SUCCESS);
  const Loan again = acquire(context, type, {4 * unit});
  write(context, again[0], 4 * unit, 4);
  assert_int_equal(info_of(context, type).reserved_bytes, 8 * unit);
  assert_int_equal(info_of(context, type).growths, 2);
  give_back(context, again);
  destroy(context);
}

void preallocated_an_explicit_size_is_a_limit(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(cadastre_workspace_set_size(context, type, 1001), CADASTRE_SUCCESS);
  const cadastre_workspace_info_struct info = info_of(context, type);
  assert_int_equal(info.scheme, CADASTRE_WORKSPACE_SCHEME_PREALLOCATED);
  assert_int_equal(info.reserved_bytes, rounded(1001, info));
  const std::size_t unit = info.granularity, all = info.reserved_bytes;
  const Loan outer = acquire(context, type, {all - unit}), inner = acquire(context, type, {1});
  assert_ptr_equal(inner[0], static_cast<std::byte*>(outer[0]) + all - unit);
  const Books before = books_of(context, type);
  assert_int_equal(try_acquire(context, type, {1}).code, CADASTRE_LIMIT_EXCEEDED);
  assert_unchanged(context, type, before);
  give_back(context, inner);
  give_back(context, outer);
  assert_int_equal(try_acquire(context, type, {all + 1}).code, CADASTRE_LIMIT_EXCEEDED);
  give_back(context, acquire(context, type, {all}));
  assert_int_equal(info_of(context, type).growths, 0);
  assert_int_equal(info_of(context, type).failed_acquisitions, 2);
  assert_int_equal(statistics_of(context, type).allocations, 1);
  assert_int_equal(cadastre_workspace_set_size(context, type, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).live_blocks, 0);
  give_back(context, acquire(context, type, {all + 1}));
  destroy(context);
}

void failure_tells_needed_have_in_use_and_limit(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  assert_int_equal(cadastre_workspace_set_size(context, type, 10 * unit), CADASTRE_SUCCESS);
  const Loan loan = acquire(context, type, {3 * unit});
  const Loan refused = try_acquire(context, type, {7 * unit, 1});
  assert_refused(context, refused.code, CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_WORKSPACE_TOO_SMALL);
  assert_int_equal(last(context).requested, 8 * unit);
  assert_int_equal(last(context).size, 10 * unit);
  assert_int_equal(last(context).in_use, 3 * unit);
  assert_int_equal(last(context).limit, 7 * unit);
  assert_string_equal(last(context).function, "cadastre_workspace_acquire_on_queue");
  for (const std::size_t number : {8 * unit, 10 * unit, 3 * unit, 7 * unit}) {
    assert_non_null(std::strstr(last(context).message, std::to_string(number).c_str()));
  }
  const Loan rest = acquire(context, type, {last(context).limit});
  give_back(context, rest);
  give_back(context, loan);
  destroy(context);
}

void a_size_that_cannot_be_had_changes_nothing(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(cadastre_workspace_set_size(context, type, 1000), CADASTRE_SUCCESS);
  const Loan loan = acquire(context, type, {1000});
  const void* const where = loan[0];
  give_back(context, loan);
  const Books before = books_of(context, type);
  assert_refused(context, cadastre_workspace_set_size(context, type, SIZE_MAX - 3), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_SIZE_OVERFLOW);
  assert_unchanged(context, type, before);
  assert_int_equal(cadastre_workspace_set_size(context, type, largest_size / 2), CADASTRE_ALLOCATION_FAILED);
  assert_unchanged(context, type, before);
  assert_refused(context, cadastre_workspace_set_size(context, 4, 10), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_MEMORY_TYPE);
  assert_refused(context, cadastre_workspace_set_size(context, -2, 10), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_MEMORY_TYPE);
  assert_unchanged(context, type, before);
  const Loan again = acquire(context, type, {1000});
  assert_ptr_equal(again[0], where);
  give_back(context, again);
  destroy(context);
}

void a_size_per_lease_allocates_on_each_lend(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    assert_int_equal(info_of(context, type).scheme, scheme == CADASTRE_WORKSPACE_PER_LEASE ? CADASTRE_WORKSPACE_SCHEME_PER_LEASE
                                                                                           : CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED);
    for (int round = 0; round < 3; ++round) {
      const Loan outer = acquire(context, type, {1000}), none = acquire(context, type, {0});
      const Loan inner = acquire(context, type, {50, 60});
      write(context, outer[0], 1000, 1);
      write(context, inner[1], 60, 2);
      assert_int_equal(statistics_of(context, type).live_blocks, 2);
      give_back(context, inner);
      assert_int_equal(statistics_of(context, type).live_blocks, 1);
      give_back(context, none);
      assert_true(holds(context, outer[0], 1000, 1));
      give_back(context, outer);
      assert_int_equal(statistics_of(context, type).live_blocks, 0);
      assert_int_equal(info_of(context, type).reserved_bytes, 0);
    }
  }
  assert_int_equal(info_of(context, type).growths, 12);
  destroy(context);
}

void no_size_is_set_while_a_lease_is_alive(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::vector<std::size_t>& sizes : {std::vector<std::size_t>{100}, {0}, {}}) {
    const Loan loan = acquire(context, type, sizes), another = acquire(context, type, sizes);
    const Books before = books_of(context, type);
    alignas(4096) static unsigned char plain[4096];
    for (const std::size_t size : {CADASTRE_WORKSPACE_PER_LEASE, std::size_t{1000}, CADASTRE_WORKSPACE_AUTOMATIC}) {
      assert_refused(context, cadastre_workspace_set_size(context, type, size), CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE);
      assert_int_equal(last(context).in_use, 2);
    }
    if (type == CADASTRE_HOST) {
      assert_refused(context, cadastre_workspace_set_buffer(context, type, plain, 4096), CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE);
    }
    assert_unchanged(context, type, before);
    give_back(context, another);
    give_back(context, loan);
  }
  assert_int_equal(cadastre_workspace_set_size(context, type, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
  destroy(context);
}

}  // namespace

Claims scheme_claims() {
  return {
      .of_every_type =
          {
              cmocka_unit_test(automatic_an_acquisition_that_does_not_fit_grows_the_workspace),
              cmocka_unit_test(automatic_under_a_live_lease_nothing_moves_and_afterwards_all_is_one_block),
              cmocka_unit_test(automatic_a_shortage_is_met_by_what_is_there),
              cmocka_unit_test(automatic_what_fits_into_a_piece_allocates_nothing),
              cmocka_unit_test(preallocated_an_explicit_size_is_a_limit),
              cmocka_unit_test(failure_tells_needed_have_in_use_and_limit),
              cmocka_unit_test(a_size_that_cannot_be_had_changes_nothing),
              cmocka_unit_test(a_size_per_lease_allocates_on_each_lend),
              cmocka_unit_test(no_size_is_set_while_a_lease_is_alive),
          },
  };
}

}  // namespace cadastre::internal
