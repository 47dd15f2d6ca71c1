// Tangled from org/tests/workspace_part_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "workspace_cuda_claims.hpp"

namespace cadastre::internal {
namespace {

constexpr std::size_t unit = 1024;

cadastre_context context_with_a_block_of(std::size_t units) {
  const cadastre_context context = cuda_context();
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, units * unit), CADASTRE_SUCCESS);
  return context;
}

// Work that takes long, the last of which writes.
void start_long_work(cadastre_context context, cadastre_queue queue, const Loan& loan, std::size_t bytes, int value) {
  for (int kernel = 0; kernel < 20; ++kernel) start_kernel(context, queue, loan[0], bytes, value);
}

// What one queue wrote last must be there when all have done their work.
void expect_last(cadastre_context context, cadastre_queue second, cadastre_queue first, const Loan& loan, int value) {
  assert_int_equal(cadastre_synchronize(context, second), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_synchronize(context, first), CADASTRE_SUCCESS);
  assert_int_equal(first_byte(loan[0]), value);
}

void queues_share_an_explicit_size_and_wait_for_nothing(void**) {
  const cadastre_context context = context_with_a_block_of(8);
  const Stream a, b, c;
  cuda_double().forget_calls();
  const Loan on_a = acquire(context, device_memory, {2 * unit}, a), on_b = acquire(context, device_memory, {2 * unit}, b);
  const Loan more_on_a = acquire(context, device_memory, {2 * unit}, a), on_c = acquire(context, device_memory, {2 * unit}, c);
  const Books before = books_of(context, device_memory);
  assert_refused(context, try_acquire(context, device_memory, {1}, b).code, CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_WORKSPACE_BUSY);
  assert_non_null(std::strstr(last(context).message, "by 2 on other threads or queues"));
  assert_unchanged(context, device_memory, before);
  assert_int_equal(calls({"cudaStreamWaitEvent"}) + synchronizations() + allocations_and_frees(), 0);
  assert_int_equal(info_of(context, device_memory).waits, 0);
  give_back(context, on_a);
  give_back(context, on_c);
  give_back(context, on_b);
  give_back(context, more_on_a);
  destroy(context);
  assert_int_equal(census().blocks, 0);
  assert_int_equal(census().events, 0);
}

void queues_in_turn_keep_their_part_of_an_explicit_size(void**) {
  const cadastre_context context = context_with_a_block_of(8);
  const Stream a, b;
  const void* memory[2] = {};
  for (int round = 0; round < 4; ++round) {
    for (const int i : {0, 1}) {
      const cadastre_queue queue = i == 0 ? a : b;
      const Loan loan = acquire(context, device_memory, {2 * unit}, queue);
      if (round == 0) memory[i] = loan[0];
      assert_ptr_equal(loan[0], memory[i]);
      start_long_work(context, queue, loan, 2 * unit, i);
      give_back(context, loan);
    }
  }
  assert_ptr_not_equal(memory[0], memory[1]);
  assert_int_equal(info_of(context, device_memory).waits, 0);
  destroy(context);
  assert_int_equal(census().events, 0);
}

void what_another_queue_had_is_waited_for_and_the_rest_stays_with_that_queue(void**) {
  const cadastre_context context = context_with_a_block_of(8);
  const Stream a, b;
  const Loan all = acquire(context, device_memory, {8 * unit}, a);
  start_long_work(context, a, all, 8 * unit, 1);
  give_back(context, all);
  cuda_double().forget_calls();
  const Loan on_b = acquire(context, device_memory, {2 * unit}, b);
  assert_int_equal(info_of(context, device_memory).waits, 1);
  const Loan on_a = acquire(context, device_memory, {6 * unit}, a);
  assert_int_equal(info_of(context, device_memory).waits, 1);
  assert_int_equal(synchronizations() + allocations_and_frees(), 0);
  start_kernel(context, b, on_b[0], 2 * unit, 2);
  expect_last(context, b, a, on_b, 2);
  give_back(context, on_a);
  give_back(context, on_b);
  destroy(context);
  assert_int_equal(census().events, 0);
}

void what_several_queues_had_is_waited_for_as_one(void**) {
  const cadastre_context context = context_with_a_block_of(8);
  const Stream a, b, c;
  const Loan on_a = acquire(context, device_memory, {4 * unit}, a), on_b = acquire(context, device_memory, {4 * unit}, b);
  start_long_work(context, a, on_a, 4 * unit, 1);
  start_long_work(context, b, on_b, 4 * unit, 2);
  give_back(context, on_a);
  give_back(context, on_b);
  cuda_double().forget_calls();
  const Loan on_c = acquire(context, device_memory, {8 * unit}, c);
  assert_int_equal(info_of(context, device_memory).waits, 1);
  assert_int_equal(synchronizations() + allocations_and_frees(), 0);
  start_kernel(context, c, on_c[0], 8 * unit, 3);
  assert_int_equal(cadastre_synchronize(context, c), CADASTRE_SUCCESS);
  a.synchronize();
  b.synchronize();
  assert_int_equal(first_byte(on_a[0]), 3);
  assert_int_equal(first_byte(on_b[0]), 3);
  give_back(context, on_c);
  assert_int_equal(info_of(context, device_memory).workspace_count, 1);
  destroy(context);
  assert_int_equal(census().events, 0);
}

// The first lease keeps its part, so that nothing was recorded when the second one was released.
void what_a_lease_that_goes_on_has_left_is_waited_for(void**) {
  for (const bool on_default : {false, true}) {
    const cadastre_context context = context_with_a_block_of(8);
    const Stream own, b;
    const cadastre_queue a = on_default ? CADASTRE_DEFAULT_QUEUE : cadastre_queue{own};
    const Loan outer = acquire(context, device_memory, {unit}, a), inner = acquire(context, device_memory, {6 * unit}, a);
    start_long_work(context, a, inner, 6 * unit, 1);
    give_back(context, inner);
    cuda_double().forget_calls();
    const Loan on_b = acquire(context, device_memory, {6 * unit}, b);
    assert_int_equal(info_of(context, device_memory).waits, 1);
    assert_int_equal(synchronizations() + allocations_and_frees(), 0);
    start_kernel(context, b, on_b[0], 6 * unit, 2);
    expect_last(context, b, a, on_b, 2);
    assert_refused(context, try_acquire(context, device_memory, {2 * unit}, a).code, CADASTRE_LIMIT_EXCEEDED,
                   CADASTRE_REASON_WORKSPACE_BUSY);
    assert_int_equal(last(context).limit, unit);
    give_back(context, outer);
    give_back(context, on_b);
    destroy(context);
  }
  assert_int_equal(census().events, 0);
}

// Of the part of one thread, the other takes less than is free.
void what_threads_of_one_queue_leave_is_waited_for_by_another_queue(void**) {
  const cadastre_context context = context_with_a_block_of(8);
  const Stream a, b;
  const Loan outer = acquire(context, device_memory, {unit}, a), inner = acquire(context, device_memory, {7 * unit}, a);
  start_long_work(context, a, inner, 7 * unit, 1);
  give_back(context, inner);
  Loan theirs;
  std::thread([&] { theirs = acquire(context, device_memory, {2 * unit}, a); }).join();
  assert_int_equal(info_of(context, device_memory).waits, 0);
  const Loan on_b = acquire(context, device_memory, {5 * unit}, b);
  assert_int_equal(info_of(context, device_memory).waits, 1);
  start_kernel(context, b, on_b[0], 5 * unit, 2);
  expect_last(context, b, a, on_b, 2);
  give_back(context, theirs);
  give_back(context, on_b);
  give_back(context, outer);
  destroy(context);
  assert_int_equal(census().events, 0);
}

void what_lies_before_a_lease_is_free_when_all_leases_have_ended(void**) {
  const cadastre_context context = context_with_a_block_of(4);
  const Stream a, b;
  const Loan first = acquire(context, device_memory, {3 * unit}, a), second = acquire(context, device_memory, {unit}, a);
  give_back(context, first);
  const Loan between = acquire(context, device_memory, {unit}, b), nothing = acquire(context, device_memory, {0}, b);
  give_back(context, second);
  give_back(context, between);
  give_back(context, nothing);
  a.synchronize();
  b.synchronize();
  assert_in_range(info_of(context, device_memory).workspace_count, 1, 3);
  give_back(context, acquire(context, device_memory, {4 * unit}, b));
  assert_int_equal(info_of(context, device_memory).workspace_count, 1);
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, device_memory).live_blocks, 0);
  destroy(context);
  assert_int_equal(census().events, 0);
}

// No event can be recorded there, and the graph uses the memory whenever it runs.
void what_a_queue_that_is_captured_has_touched_stays_with_it(void**) {
  const cadastre_context context = context_with_a_block_of(8);
  const Stream a, b;
  const Loan outer = acquire(context, device_memory, {unit}, a), inner = acquire(context, device_memory, {4 * unit}, a);
  give_back(context, inner);
  a.begin_capture(capture_relaxed);
  const Loan on_b = acquire(context, device_memory, {2 * unit}, b);
  assert_refused(context, try_acquire(context, device_memory, {4 * unit}, b).code, CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_WORKSPACE_BUSY);
  start_kernel(context, a, outer[0], unit, 1);
  cuda("cudaGraphDestroy", a.end_capture());
  give_back(context, on_b);
  give_back(context, outer);
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, device_memory).live_blocks, 0);
  destroy(context);
  assert_int_equal(census().events, 0);
}

void a_captured_queue_gets_what_nobody_has_touched(void**) {
  const cadastre_context context = context_with_a_block_of(8);
  const Stream a, b;
  const Loan on_a = acquire(context, device_memory, {4 * unit}, a);
  b.begin_capture(capture_relaxed);
  const Loan on_b = acquire(context, device_memory, {4 * unit}, b);
  assert_int_equal(try_acquire(context, device_memory, {1}, b).code, CADASTRE_CAPTURE_ACTIVE);
  give_back(context, on_b);
  cuda("cudaGraphDestroy", b.end_capture());
  give_back(context, on_a);
  assert_refused(context, try_acquire(context, device_memory, {5 * unit}, a).code, CADASTRE_LIMIT_EXCEEDED,
                 CADASTRE_REASON_WORKSPACE_TOO_SMALL);
  if (queues_have_identity()) assert_ptr_equal(acquire(context, device_memory, {4 * unit}, b)[0], on_b[0]);
  destroy(context);
  assert_int_equal(census().events, 0);
}

void what_a_queue_of_each_thread_has_touched_stays_with_its_thread(void**) {
  const cadastre_context context = context_with_a_block_of(8);
  const Loan outer = acquire(context, device_memory, {unit}, queue_of_the_thread);
  give_back(context, acquire(context, device_memory, {4 * unit}, queue_of_the_thread));
  std::thread([&] {
    const Loan theirs = acquire(context, device_memory, {3 * unit}, queue_of_the_thread);
    assert_refused(context, try_acquire(context, device_memory, {unit}, queue_of_the_thread).code, CADASTRE_LIMIT_EXCEEDED,
                   CADASTRE_REASON_WORKSPACE_BUSY);
    give_back(context, theirs);
  }).join();
  give_back(context, acquire(context, device_memory, {4 * unit}, queue_of_the_thread));
  give_back(context, outer);
  destroy(context);
  assert_int_equal(census().events, 0);
}

void a_thousand_queues_share_an_explicit_size(void**) {
  const cadastre_context context = context_with_a_block_of(1000);
  std::vector<std::unique_ptr<Stream>> queues;
  for (int i = 0; i < 1000; ++i) {
    const Stream& queue = *queues.emplace_back(std::make_unique<Stream>());
    const Loan loan = acquire(context, device_memory, {unit + static_cast<std::size_t>(i) % 7 * 256}, queue);
    start_kernel(context, queue, loan[0], unit, 1);
    give_back(context, loan);
  }
  assert_in_range(info_of(context, device_memory).workspace_count, 1, most_unfinished + 2);
  give_back(context, acquire(context, device_memory, {1000 * unit}, *queues.front()));
  destroy(context);
  assert_int_equal(census().events, 0);
}

// A part each, on which work was done.
void have_parts(cadastre_context context, std::vector<std::unique_ptr<Stream>>& queues, int number) {
  for (int i = 0; i < number; ++i) {
    const Stream& queue = *queues.emplace_back(std::make_unique<Stream>());
    const Loan loan = acquire(context, device_memory, {unit}, queue);
    start_kernel(context, queue, loan[0], unit, 1);
    give_back(context, loan);
  }
}

void what_many_queues_have_done_with_is_one_part_again(void**) {
  const cadastre_context context = context_with_a_block_of(64);
  std::vector<std::unique_ptr<Stream>> queues;
  for (int i = 0; i < 50; ++i) {
    have_parts(context, queues, 1);
    queues.back()->synchronize();
    assert_in_range(info_of(context, device_memory).workspace_count, 1, most_unfinished / 2 + 2);
  }
  assert_int_equal(info_of(context, device_memory).waits, 0);
  destroy(context);
  assert_int_equal(census().events, 0);
}

void where_no_queue_is_done_there_are_no_more_parts_for_that(void**) {
  skip_without_the_double(calls_fail);
  const cadastre_context context = context_with_a_block_of(300);
  std::vector<std::unique_ptr<Stream>> queues;
  cuda_double().fail("cudaEventQuery", 1, -1, not_ready);
  have_parts(context, queues, 200);
  nothing_fails();
  assert_in_range(info_of(context, device_memory).workspace_count, 1, most_unfinished + 2);
  give_back(context, acquire(context, device_memory, {300 * unit}, *queues.front()));
  destroy(context);
  assert_int_equal(census().events, 0);
}

// Although what is done with is joined with its neighbours where there are many.
void a_graph_keeps_what_it_has_and_nothing_beside_it(void**) {
  const cadastre_context context = context_with_a_block_of(64);
  std::vector<std::unique_ptr<Stream>> queues;
  const Stream a, b;
  have_parts(context, queues, most_unfinished / 2 + 1);
  for (const auto& queue : queues) queue->synchronize();
  a.begin_capture(capture_relaxed);
  give_back(context, acquire(context, device_memory, {2 * unit}, a));
  cuda("cudaGraphDestroy", a.end_capture());
  give_back(context, acquire(context, device_memory, {(64 - 3 - most_unfinished / 2) * unit}, b));
  destroy(context);
  assert_int_equal(census().events, 0);
}

// Also not while another thread acquires or releases what it has.
void eight_threads_with_queues_of_their_own_are_never_refused_while_there_is_room(void**) {
  const cadastre_context context = context_with_a_block_of(16);
  std::atomic<int> refused = 0, wrong = 0;
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number) {
    threads.emplace_back([&, number] {
      const Stream one;
      for (int round = 0; round < (sanitized ? 200 : 1000); ++round) {
        const Stream two;  // which ends with its leases
        const cadastre_queue queue = round % 5 == 0 ? two : one;
        const Loan outer = try_acquire(context, device_memory, {unit}, queue), inner = try_acquire(context, device_memory, {unit}, queue);
        refused += (outer.code != CADASTRE_SUCCESS) + (inner.code != CADASTRE_SUCCESS);
        for (const Loan* const loan : {&outer, &inner}) {
          if (loan->code != CADASTRE_SUCCESS) continue;
          wrong += cadastre_memset_async(context, (*loan)[0], number, unit, queue) != CADASTRE_SUCCESS;
          if (round % 16 == 0) {
            wrong += cadastre_synchronize(context, queue) != CADASTRE_SUCCESS;
            wrong += first_byte((*loan)[0]) != number;
          }
          wrong += cadastre_workspace_release(context, loan->lease) != CADASTRE_SUCCESS;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(refused, 0);
  assert_int_equal(wrong, 0);
  give_back(context, acquire(context, device_memory, {16 * unit}));
  destroy(context);
  assert_int_equal(census().events, 0);
}

void where_a_wait_fails_nothing_is_leased_and_nothing_is_lost(void**) {
  skip_without_the_double(calls_fail);
  const cadastre_context context = context_with_a_block_of(8);
  const Stream a, b;
  const Loan all = acquire(context, device_memory, {8 * unit}, a);
  start_long_work(context, a, all, 8 * unit, 1);
  give_back(context, all);
  const Books before = books_of(context, device_memory);
  cuda_double().fail("cudaStreamWaitEvent", 1, 1, unknown_error);
  assert_int_equal(try_acquire(context, device_memory, {2 * unit}, b).code, CADASTRE_FAILURE);
  nothing_fails();
  assert_unchanged(context, device_memory, before);
  const Loan on_b = acquire(context, device_memory, {2 * unit}, b);
  start_kernel(context, b, on_b[0], 2 * unit, 2);
  expect_last(context, b, a, on_b, 2);
  give_back(context, on_b);
  destroy(context);
  assert_int_equal(census().events, 0);
}

}  // namespace

std::vector<CMUnitTest> part_claims() {
  return {
      cmocka_unit_test(queues_share_an_explicit_size_and_wait_for_nothing),
      cmocka_unit_test(queues_in_turn_keep_their_part_of_an_explicit_size),
      cmocka_unit_test(what_another_queue_had_is_waited_for_and_the_rest_stays_with_that_queue),
      cmocka_unit_test(what_several_queues_had_is_waited_for_as_one),
      cmocka_unit_test(what_a_lease_that_goes_on_has_left_is_waited_for),
      cmocka_unit_test(what_threads_of_one_queue_leave_is_waited_for_by_another_queue),
      cmocka_unit_test(what_lies_before_a_lease_is_free_when_all_leases_have_ended),
      cmocka_unit_test(what_a_queue_that_is_captured_has_touched_stays_with_it),
      cmocka_unit_test(a_captured_queue_gets_what_nobody_has_touched),
      cmocka_unit_test(what_a_queue_of_each_thread_has_touched_stays_with_its_thread),
      cmocka_unit_test(a_thousand_queues_share_an_explicit_size),
      cmocka_unit_test(what_many_queues_have_done_with_is_one_part_again),
      cmocka_unit_test(where_no_queue_is_done_there_are_no_more_parts_for_that),
      cmocka_unit_test(a_graph_keeps_what_it_has_and_nothing_beside_it),
      cmocka_unit_test(eight_threads_with_queues_of_their_own_are_never_refused_while_there_is_room),
      cmocka_unit_test(where_a_wait_fails_nothing_is_leased_and_nothing_is_lost),
  };
}

}  // namespace cadastre::internal
