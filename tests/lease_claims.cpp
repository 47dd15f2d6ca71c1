// Tangled from org/tests/lease_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "workspace_claims.hpp"

namespace cadastre::internal {
namespace {

void size_query_answers_the_running_maximum(void** state) {
  const cadastre_context context = context_of(state);
  const std::size_t unit = info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).granularity;
  const auto say = [=](const std::vector<std::size_t>& sizes) {
    return cadastre_workspace_set_optimal_size(context, sizes.size(), sizes.data());
  };
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_is_size_query(context), 1);
  assert_int_equal(say({1}), CADASTRE_SIZE_INCREASED);
  assert_int_equal(say({unit}), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(say({unit, 1, 0}), CADASTRE_SIZE_INCREASED);
  assert_int_equal(say({5}), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(say({}), CADASTRE_SIZE_UNCHANGED);
  assert_refused(context, say({SIZE_MAX, 1}), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_SIZE_OVERFLOW);
  assert_refused(context, cadastre_workspace_set_optimal_size(context, 1, nullptr), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, cadastre_workspace_stop_size_query(context, nullptr), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, cadastre_workspace_start_size_query(context), CADASTRE_SIZE_QUERY_MISMATCH, CADASTRE_REASON_SIZE_QUERY_ACTIVE);
  std::size_t bytes = 7;
  assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, 2 * unit);
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, 0);
  destroy(context);
}

void size_query_mismatch_outside_of_a_query(void** state) {
  const cadastre_context context = context_of(state);
  std::size_t bytes = 7;
  assert_int_equal(cadastre_workspace_is_size_query(context), 0);
  assert_refused(context, cadastre_workspace_set_optimal_size(context, 1, &bytes), CADASTRE_SIZE_QUERY_MISMATCH,
                 CADASTRE_REASON_SIZE_QUERY_INACTIVE);
  assert_refused(context, cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SIZE_QUERY_MISMATCH,
                 CADASTRE_REASON_SIZE_QUERY_INACTIVE);
  assert_int_equal(bytes, 7);
  assert_int_equal(cadastre_workspace_is_size_query(CADASTRE_NULL_CONTEXT), 0);
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  const Books before = books_of(context, type_of(state));
  assert_refused(context, try_acquire(context, type_of(state), {10}).code, CADASTRE_SIZE_QUERY_MISMATCH, CADASTRE_REASON_SIZE_QUERY_ACTIVE);
  assert_unchanged(context, type_of(state), before);
  std::thread([&] {
    assert_int_equal(cadastre_workspace_is_size_query(context), 0);
    give_back(context, acquire(context, type_of(state), {10}));
  }).join();
  destroy(context);
}

void a_function_without_workspace_answers_a_query_in_one_line(void** state) {
  const cadastre_context context = context_of(state);
  int worked = 0;
  std::size_t bytes = 7;
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  assert_int_equal(needs_nothing(context, &worked), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(worked, 0);
  assert_int_equal(bytes, 0);
  assert_int_equal(needs_nothing(context, &worked), CADASTRE_SUCCESS);
  assert_int_equal(worked, 1);
  destroy(context);
}

void query_and_use_round_alike(void** state) {
  const cadastre_context context = context_of(state);
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::size_t> sizes(random() % 6);
    for (std::size_t& size : sizes) size = random() % 3 == 0 ? 0 : random() % 3000;
    std::size_t bytes = 0;
    assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
    cadastre_workspace_set_optimal_size(context, sizes.size(), sizes.data());
    assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
    if (bytes == 0) continue;
    assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, bytes), CADASTRE_SUCCESS);
    assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).reserved_bytes, bytes);
    const Loan loan = acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, sizes);
    assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).used_bytes, bytes);
    assert_int_equal(try_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, {1}).code, CADASTRE_LIMIT_EXCEEDED);
    give_back(context, loan);
  }
  destroy(context);
}

void lend_zero_sizes_give_null_and_success(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Loan nothing = acquire(context, type, {}), zeros = acquire(context, type, {0, 0});
  assert_null(zeros[0]);
  assert_null(zeros[1]);
  assert_int_equal(info_of(context, type).reserved_bytes, 0);
  assert_int_equal(info_of(context, type).live_leases, 2);
  const Loan mixed = acquire(context, type, {0, 10, 0, 20, 0});
  assert_null(mixed[0]);
  assert_null(mixed[2]);
  assert_null(mixed[4]);
  assert_ptr_equal(mixed[3], static_cast<std::byte*>(mixed[1]) + info_of(context, type).granularity);
  give_back(context, mixed);
  give_back(context, zeros);
  give_back(context, nothing);
  cadastre_lease lease = 0;
  assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 0, nullptr, nullptr, &lease), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  destroy(context);
}

void lend_wrapped_totals_are_refused(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Books before = books_of(context, type);
  const std::size_t half = SIZE_MAX / 2 + 1;
  for (const std::vector<std::size_t>& sizes : {std::vector<std::size_t>{SIZE_MAX},
                                                {half, half},
                                                {half, half, 64},
                                                {SIZE_MAX - 63, 64},
                                                {1, SIZE_MAX},
                                                {largest_size, 1},
                                                {SIZE_MAX - 300, 300, 2}}) {
    assert_refused(context, try_acquire(context, type, sizes).code, CADASTRE_INVALID_ARG_5, CADASTRE_REASON_SIZE_OVERFLOW);
    assert_unchanged(context, type, before);
  }
  const std::size_t one = 1;
  void* pointer = nullptr;
  cadastre_lease lease = 0;
  const auto on = [&](const std::size_t* sizes, void** pointers, cadastre_lease* where) {
    return cadastre_workspace_acquire_on_queue(context, type, CADASTRE_DEFAULT_QUEUE, 1, sizes, pointers, where);
  };
  assert_refused(context, on(nullptr, &pointer, &lease), CADASTRE_INVALID_ARG_5, CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, on(&one, nullptr, &lease), CADASTRE_INVALID_ARG_6, CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, on(&one, &pointer, nullptr), CADASTRE_INVALID_ARG_7, CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &one, &pointer, nullptr),
                 CADASTRE_INVALID_ARG_6, CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, try_acquire(context, 4, {1}).code, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_MEMORY_TYPE);
  assert_unchanged(context, type, before);
  destroy(context);
}

void lend_more_than_the_machine_has_is_refused_and_changes_nothing(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  Books before = books_of(context, type);
  assert_int_equal(try_acquire(context, type, {largest_size / 2}).code, CADASTRE_ALLOCATION_FAILED);
  assert_unchanged(context, type, before);
  const Loan loan = acquire(context, type, {100});
  before = books_of(context, type);
  assert_int_equal(try_acquire(context, type, {largest_size / 2}).code, CADASTRE_ALLOCATION_FAILED);
  assert_unchanged(context, type, before);
  give_back(context, loan);
  give_back(context, acquire(context, type, {100}));
  assert_int_equal(info_of(context, type).failed_acquisitions, 2);
  destroy(context);
}

void leases_end_in_any_order_and_strangers_harm_nothing(void** state) {
  const cadastre_context context = context_of(state), other = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::size_t size : {std::size_t{1} << 20, CADASTRE_WORKSPACE_AUTOMATIC, CADASTRE_WORKSPACE_PER_LEASE}) {
    assert_int_equal(cadastre_workspace_set_size(context, type, size), CADASTRE_SUCCESS);
    const Loan a = acquire(context, type, {100}), b = acquire(context, type, {0}), c = acquire(context, type, {300});
    write(context, a[0], 100, 1);
    write(context, c[0], 300, 3);
    Books before = books_of(context, type);
    const auto refused = [&](cadastre_lease lease, cadastre_reason reason) {
      assert_refused(context, cadastre_workspace_release(context, lease), CADASTRE_INVALID_ARG_2, reason);
      assert_unchanged(context, type, before);
    };
    const Loan theirs = acquire(other, type, {5});
    for (const cadastre_lease stranger : {CADASTRE_NULL_LEASE, cadastre_lease{-1}, INT64_MAX, c.lease + 1, theirs.lease}) {
      refused(stranger, CADASTRE_REASON_UNKNOWN_LEASE);
    }
    give_back(other, theirs);
    assert_true(holds(context, a[0], 100, 1) && holds(context, c[0], 300, 3));
    give_back(context, a);
    give_back(context, b);
    assert_true(holds(context, c[0], 300, 3));
    before = books_of(context, type);
    refused(a.lease, CADASTRE_REASON_LEASE_RELEASED);
    assert_int_equal(before.info.used_bytes, rounded(300, before.info));
    give_back(context, c);
    assert_int_equal(info_of(context, type).live_leases, 0);
  }
  destroy(other);
  destroy(context);
}

// Each lease is released after the next one began, for ever: the memory does not grow for it.
void leases_in_turn_stay_in_the_memory_that_there_is(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  give_back(context, acquire(context, type, {4000}));
  Loan last = acquire(context, type, {1000});
  write(context, last[0], 1000, 0);
  for (unsigned round = 1; round < 100; ++round) {
    const Loan next = acquire(context, type, {1000 + round % 3 * 100});
    write(context, next[0], 1000, round);
    assert_true(holds(context, last[0], 1000, round - 1));
    give_back(context, last);
    last = next;
  }
  give_back(context, last);
  assert_int_equal(info_of(context, type).growths, 1);
  destroy(context);
}

void a_gap_is_leased_again_and_said_to_be_the_limit(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  assert_int_equal(cadastre_workspace_set_size(context, type, 10 * unit), CADASTRE_SUCCESS);
  const Loan a = acquire(context, type, {2 * unit}), b = acquire(context, type, {3 * unit}), c = acquire(context, type, {4 * unit});
  give_back(context, b);
  assert_int_equal(try_acquire(context, type, {4 * unit}).code, CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(last(context).limit, 3 * unit);
  assert_int_equal(last(context).in_use, 6 * unit);
  const Loan d = acquire(context, type, {2 * unit}), e = acquire(context, type, {unit});
  assert_ptr_equal(d[0], b[0]);
  const Loan f = acquire(context, type, {unit});
  assert_ptr_equal(f[0], static_cast<std::byte*>(b[0]) + 2 * unit);
  for (const Loan& loan : {c, a, e, f, d}) give_back(context, loan);
  give_back(context, acquire(context, type, {10 * unit}));
  destroy(context);
}

// Many leases of random sizes, released by chance; what each holds is its own.
void leases_by_chance_overlap_nowhere(void** state) {
  const cadastre_memory_type type = type_of(state);
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{60000}, CADASTRE_WORKSPACE_PER_LEASE}) {
    const cadastre_context context = context_of(state);
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    std::mt19937 random(7);
    struct Held {
      Loan loan;
      std::size_t size;
      unsigned seed;
    };
    std::vector<Held> held;
    for (unsigned step = 0; step < 400; ++step) {
      if (held.size() < 2 || (held.size() < 12 && random() % 2)) {
        const std::size_t size = random() % 5 == 0 ? 0 : 1 + random() % 5000;
        const Loan loan = try_acquire(context, type, {size});
        if (loan.code == CADASTRE_LIMIT_EXCEEDED && scheme == 60000) continue;
        assert_int_equal(loan.code, CADASTRE_SUCCESS);
        if (size > 0) write(context, loan[0], size, step);
        held.push_back({loan, size, step});
        continue;
      }
      const auto ended = held.begin() + static_cast<std::ptrdiff_t>(random() % held.size());
      if (ended->size > 0) assert_true(holds(context, ended->loan[0], ended->size, ended->seed));
      give_back(context, ended->loan);
      held.erase(ended);
    }
    for (const Held& one : held) {
      if (one.size > 0) assert_true(holds(context, one.loan[0], one.size, one.seed));
      give_back(context, one.loan);
    }
    assert_int_equal(info_of(context, type).used_bytes, 0);
    assert_int_equal(info_of(context, type).live_leases, 0);
    destroy(context);
  }
}

void a_function_goes_from_optimal_to_degraded_to_failed(void** state) {
  const cadastre_context context = context_of(state);
  const std::size_t unit = info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).granularity;
  const auto with = [=](std::size_t bytes) {
    assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, bytes), CADASTRE_SUCCESS);
    return solve(context, 10 * unit, 2 * unit);
  };
  assert_int_equal(with(10 * unit), CADASTRE_SUCCESS);
  assert_int_equal(with(9 * unit), CADASTRE_PERFORMANCE_DEGRADED);
  assert_int_equal(with(2 * unit), CADASTRE_PERFORMANCE_DEGRADED);
  assert_int_equal(with(unit), CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(last(context).requested, 2 * unit);
  assert_int_equal(with(CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_set_limit(context, info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).type, 5 * unit), CADASTRE_SUCCESS);
  assert_int_equal(with(CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_PERFORMANCE_DEGRADED);
  assert_int_equal(with(CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_PERFORMANCE_DEGRADED);
  assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).live_leases, 0);
  destroy(context);
}

void the_natural_type_is_that_of_the_devices_memory(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_workspace_info_struct info = info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE);
  assert_int_equal(info.type, type_of(state));
  assert_int_equal(info.device_id == no_device_id, type_of(state) == CADASTRE_HOST);
  const std::size_t size = 10;
  void* pointer = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &size, &pointer, &lease), CADASTRE_SUCCESS);
  cadastre_memory_info_struct block;
  assert_int_equal(cadastre_find_block(context, pointer, &block, nullptr), CADASTRE_SUCCESS);
  assert_int_equal(block.type, type_of(state));
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  destroy(context);
}

void buffers_lie_on_multiples_of_the_granularity(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{1} << 20, CADASTRE_WORKSPACE_PER_LEASE}) {
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    std::vector<Loan> loans;
    for (const std::size_t size : {1u, 63u, 64u, 65u, 257u, 5000u}) {
      loans.push_back(acquire(context, type, {size, 0, size, 3}));
    }
    for (; !loans.empty(); loans.pop_back()) {
      for (const void* const pointer : loans.back().at) {
        assert_int_equal(reinterpret_cast<std::uintptr_t>(pointer) % info_of(context, type).granularity, 0);
      }
      give_back(context, loans.back());
    }
  }
  destroy(context);
}

void without_events_another_queue_is_waited_for_on_the_host(void**) {
  const cadastre_context context = context_on(vendor_a());
  assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEVICE, 100), CADASTRE_SUCCESS);
  give_back(context, acquire(context, CADASTRE_DEVICE, {100}, queue_number(3)));
  NotedVendor::noted.clear();
  give_back(context, acquire(context, CADASTRE_DEVICE, {100}, queue_number(3)));
  assert_string_equal(NotedVendor::noted.c_str(), "");
  give_back(context, acquire(context, CADASTRE_DEVICE, {100}, queue_number(4)));
  assert_string_equal(NotedVendor::noted.c_str(), "A waits for 0; ");  // for all queues of the device
  NotedVendor::refused_call = 1;
  assert_int_equal(try_acquire(context, CADASTRE_DEVICE, {100}, queue_number(3)).code, CADASTRE_FAILURE);
  NotedVendor::noted.clear();
  give_back(context, acquire(context, CADASTRE_DEVICE, {100}, queue_number(3)));
  assert_string_equal(NotedVendor::noted.c_str(), "A waits for 0; ");
  destroy(context);
}

void a_wait_that_fails_leaves_no_block_behind(void**) {
  const cadastre_context context = context_on(vendor_a());
  for (const std::size_t size : {CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    for (const cadastre_memory_type type : {CADASTRE_PINNED, CADASTRE_HOST}) {
      if (size == CADASTRE_WORKSPACE_PER_LEASE && type == CADASTRE_PINNED) continue;  // its free waits by itself
      assert_int_equal(cadastre_workspace_set_size(context, type, size), CADASTRE_SUCCESS);
      const std::int64_t before = statistics_of(context, type).failed_deallocations;
      const Loan loan = acquire(context, type, {100}, queue_number(3));
      NotedVendor::refused_call = 1;
      assert_int_equal(cadastre_workspace_release(context, loan.lease), CADASTRE_FAILURE);
      assert_int_equal(info_of(context, type).live_leases, 0);
      assert_int_equal(statistics_of(context, type).live_blocks, 0);
      assert_int_equal(statistics_of(context, type).failed_deallocations - before, type == CADASTRE_HOST ? 1 : 0);
      if (type == CADASTRE_HOST) std::free(loan[0]);  // given up by the library; nobody works on it here
    }
  }
  destroy(context);
}

}  // namespace

Claims lease_claims() {
  return {
      .once =
          {
              cmocka_unit_test(without_events_another_queue_is_waited_for_on_the_host),
              cmocka_unit_test(a_wait_that_fails_leaves_no_block_behind),
          },
      .of_every_type =
          {
              cmocka_unit_test(lend_zero_sizes_give_null_and_success),
              cmocka_unit_test(lend_wrapped_totals_are_refused),
              cmocka_unit_test(lend_more_than_the_machine_has_is_refused_and_changes_nothing),
              cmocka_unit_test(leases_end_in_any_order_and_strangers_harm_nothing),
              cmocka_unit_test(leases_in_turn_stay_in_the_memory_that_there_is),
              cmocka_unit_test(a_gap_is_leased_again_and_said_to_be_the_limit),
              cmocka_unit_test(leases_by_chance_overlap_nowhere),
              cmocka_unit_test(buffers_lie_on_multiples_of_the_granularity),
          },
      .of_natural_types =
          {
              cmocka_unit_test(the_natural_type_is_that_of_the_devices_memory),
              cmocka_unit_test(size_query_answers_the_running_maximum),
              cmocka_unit_test(size_query_mismatch_outside_of_a_query),
              cmocka_unit_test(a_function_without_workspace_answers_a_query_in_one_line),
              cmocka_unit_test(query_and_use_round_alike),
              cmocka_unit_test(a_function_goes_from_optimal_to_degraded_to_failed),
          },
  };
}

}  // namespace cadastre::internal
