// Tangled from org/tests/workspace_queue_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "workspace_cuda_claims.hpp"

namespace cadastre::internal {
namespace {

void an_acquisition_on_another_queue_waits_for_the_first_ones_event(void**) {
  const cadastre_context context = cuda_context();
  const Stream a, b;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1000), CADASTRE_SUCCESS);
  for (int round = 1; round < 4; ++round) {
    lend_after(context, a, b);
    assert_int_equal(info_of(context, device_memory).waits, 2 * round - 1);
    give_back(context, acquire(context, device_memory, {1000}, a));
  }
  lend_after(context, b, a);
  destroy(context);
}

// Each has memory of its own, and the second time round nothing is asked of the vendor but the event of a release.
void queues_in_turn_wait_for_nothing_and_keep_their_memory(void**) {
  const cadastre_context context = cuda_context();
  const Stream a, b;
  const std::array<cadastre_queue, 3> queues = {a, CADASTRE_DEFAULT_QUEUE, b};
  std::array<const void*, 3> memory = {};
  for (int round = 0; round < 4; ++round) {
    for (std::size_t i = 0; i < queues.size(); ++i) {
      const Loan loan = acquire(context, device_memory, {1000}, queues[i]);
      if (round == 0) memory[i] = loan[0];
      assert_ptr_equal(loan[0], memory[i]);
      for (int kernel = 0; kernel < 9; ++kernel) start_kernel(context, queues[i], loan[0], 1000, 1);
      give_back(context, loan);
    }
    if (round == 0) cuda_double().forget_calls();
  }
  assert_true(memory[0] != memory[1] && memory[1] != memory[2] && memory[0] != memory[2]);
  assert_int_equal(info_of(context, device_memory).waits, 0);
  assert_int_equal(info_of(context, device_memory).growths, 3);
  assert_int_equal(synchronizations() + allocations_and_frees(), 0);
  const long identified = queues_have_identity() ? calls({"cudaStreamWaitEvent", "cudaEventQuery"}) : 0;
  assert_int_equal(identified, 0);
  if (cuda_double()) assert_int_equal(calls({"cudaEventRecord"}), 2 * 3);
  destroy(context);
  assert_int_equal(census().blocks, 0);
  assert_int_equal(census().events, 0);
}

// What a queue is done with serves the next before memory is asked.
void a_thousand_queues_that_are_done_share_one_workspace(void**) {
  const cadastre_context context = cuda_context();
  for (int i = 0; i < 1000; ++i) {
    const Stream queue;
    const Loan loan = acquire(context, device_memory, {1000}, queue);
    start_kernel(context, queue, loan[0], 1000, 1);
    give_back(context, loan);
    queue.synchronize();
  }
  assert_int_equal(info_of(context, device_memory).workspace_count, 1);
  assert_int_equal(info_of(context, device_memory).growths, 1);
  assert_int_equal(info_of(context, device_memory).waits, 0);
  destroy(context);
}

void queues_that_are_not_done_have_a_bounded_number_of_workspaces(void**) {
  skip_without_the_double("only the double of CUDA does nothing before it is asked to");
  const cadastre_context context = cuda_context();
  std::vector<std::unique_ptr<Stream>> queues;
  cuda_double().forget_calls();
  for (std::size_t i = 0; i < 2 * most_unfinished; ++i) {
    const Stream& queue = *queues.emplace_back(std::make_unique<Stream>());
    const Loan loan = acquire(context, device_memory, {1000}, queue);
    for (int kernel = 0; kernel < 200; ++kernel) start_kernel(context, queue, loan[0], 1000, 1);
    give_back(context, loan);
    assert_int_equal(info_of(context, device_memory).workspace_count, std::min(i + 1, most_unfinished));
  }
  assert_int_equal(info_of(context, device_memory).waits, most_unfinished);
  assert_int_equal(synchronizations(), 0);
  destroy(context);
  assert_int_equal(census().blocks, 0);
  assert_int_equal(census().events, 0);
}

// What is there and busy is worth more then than what would have to be freed: the queue waits, and not the host.
void where_memory_is_short_a_queue_waits_for_another(void**) {
  const cadastre_context context = cuda_context();
  const Stream a, b;
  const Loan first = acquire(context, device_memory, {1000}, a);
  for (int kernel = 0; kernel < 9; ++kernel) start_kernel(context, a, first[0], 1000, 1);
  give_back(context, first);
  assert_int_equal(cadastre_set_limit(context, device_memory, info_of(context, device_memory).reserved_bytes), CADASTRE_SUCCESS);
  cuda_double().forget_calls();
  const Loan second = acquire(context, device_memory, {1000}, b);
  assert_ptr_equal(second[0], first[0]);
  assert_int_equal(info_of(context, device_memory).waits, 1);
  assert_int_equal(info_of(context, device_memory).workspace_count, 1);
  assert_int_equal(synchronizations() + allocations_and_frees(), 0);
  start_kernel(context, b, second[0], 1000, 2);
  b.synchronize();
  assert_int_equal(first_byte(second[0]), 2);
  give_back(context, second);
  destroy(context);
}

void an_acquisition_on_the_default_queue_or_after_it_waits_as_well(void**) {
  const cadastre_context context = cuda_context();
  const Stream a;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1000), CADASTRE_SUCCESS);
  lend_after(context, CADASTRE_DEFAULT_QUEUE, a);
  lend_after(context, a, CADASTRE_DEFAULT_QUEUE);
  lend_after(context, CADASTRE_DEFAULT_QUEUE, a);
  destroy(context);
}

// cudaStreamPerThread is one number, and a queue of each thread.
void a_number_that_another_queue_has_now_is_waited_for(void**) {
  const cadastre_context context = cuda_context();
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1000), CADASTRE_SUCCESS);
  void* memory = nullptr;
  std::thread([&] {
    const Loan loan = try_acquire(context, device_memory, {1000}, queue_of_the_thread);
    memory = loan[0];
    cadastre_memset_async(context, memory, 1, 1000, queue_of_the_thread);
    cadastre_workspace_release(context, loan.lease);
  }).join();
  const Loan loan = acquire(context, device_memory, {1000}, queue_of_the_thread);
  assert_ptr_equal(loan[0], memory);
  start_kernel(context, queue_of_the_thread, memory, 1000, 2);
  assert_int_equal(cuda("cudaStreamSynchronize", queue_of_the_thread), 0);
  assert_int_equal(cuda("cudaDeviceSynchronize"), 0);
  assert_int_equal(first_byte(memory), 2);
  give_back(context, loan);
  destroy(context);
}

void the_same_queue_waits_for_nothing(void**) {
  const cadastre_context context = cuda_context();
  const Stream a;
  give_back(context, acquire(context, device_memory, {1000}));
  cuda_double().forget_calls();
  for (int round = 0; round < 3; ++round) give_back(context, acquire(context, device_memory, {1000}));
  assert_int_equal(calls({"cudaEventRecord", "cudaStreamWaitEvent"}) + synchronizations(), 0);
  give_back(context, acquire(context, device_memory, {1000}, a));
  give_back(context, acquire(context, device_memory, {1000}, a));
  assert_int_equal(info_of(context, device_memory).waits, 0);
  assert_int_equal(synchronizations(), 0);
  destroy(context);
}

void two_queues_of_one_thread_at_once_have_memory_of_their_own(void**) {
  const cadastre_context context = cuda_context();
  const Stream a, b;
  const Loan on_a = acquire(context, device_memory, {1000}, a), on_b = acquire(context, device_memory, {1000}, b);
  const Loan more_on_a = acquire(context, device_memory, {1000}, a);
  assert_true(on_a[0] != on_b[0] && more_on_a[0] != on_b[0]);
  assert_int_equal(info_of(context, device_memory).workspace_count, 2);
  give_back(context, on_b);
  give_back(context, on_a);
  give_back(context, more_on_a);
  destroy(context);
  assert_int_equal(census().blocks, 0);
  assert_int_equal(census().events, 0);
}

// What a pool hands out is there in the order of one queue only.
void memory_of_a_pool_is_there_on_the_queue_it_is_leased_on(void**) {
  for (const std::size_t size : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{4096}, CADASTRE_WORKSPACE_PER_LEASE}) {
    const cadastre_context context = cuda_context_with(CADASTRE_POOL_VENDOR);
    const Stream a, b;
    assert_int_equal(cadastre_context_set_default_queue(context, a), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_workspace_set_size(context, device_memory, size), CADASTRE_SUCCESS);
    const Loan loan = acquire(context, device_memory, {4096}, b);
    start_kernel(context, b, loan[0], 4096, 2);
    b.synchronize();
    a.synchronize();
    assert_int_equal(first_byte(loan[0]), 2);
    give_back(context, loan);
    destroy(context);
  }
}

void the_queue_that_the_context_was_told_of_is_the_default(void**) {
  const cadastre_context context = cuda_context();
  const Stream a, b;
  assert_int_equal(cadastre_context_set_default_queue(context, a), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 3072), CADASTRE_SUCCESS);
  const Loan outer = acquire(context, device_memory, {2000}), inner = acquire(context, device_memory, {1000}, a);
  assert_int_equal(info_of(context, device_memory).workspace_count, 1);
  assert_int_equal(cadastre_context_set_default_queue(context, b), CADASTRE_SUCCESS);
  give_back(context, inner);
  start_kernel(context, a, outer[0], 1000, 1);
  give_back(context, outer);  // on the queue that it was leased on
  const Loan next = acquire(context, device_memory, {2000, 1000});
  assert_ptr_equal(next[0], outer[0]);
  start_kernel(context, b, next[0], 1000, 2);
  b.synchronize();
  a.synchronize();
  assert_int_equal(first_byte(next[0]), 2);
  give_back(context, next);
  destroy(context);
}

// 1000 bytes of 7, which the queue reads when it comes to it; it has more to do after that.
void copy_slowly(cadastre_context context, void* to, void* from, cadastre_queue queue) {
  assert_int_equal(cadastre_memset(context, from, 7, 1000), CADASTRE_SUCCESS);
  void* const other = block(context, request(CADASTRE_DEVICE, 1000));
  for (int kernel = 0; kernel < 9; ++kernel) start_kernel(context, queue, other, 1000, 1);
  assert_int_equal(cadastre_memcpy_async(context, to, from, 1000, queue), CADASTRE_SUCCESS);
  for (int kernel = 0; kernel < 9; ++kernel) start_kernel(context, queue, other, 1000, 1);
}

// The queue still reads the old block, so that it goes with a later acquisition, also where the C library would free it at once.
void growth_waits_for_no_queue_and_the_old_block_goes_later(void**) {
  const Stream a, b;
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_HOST, CADASTRE_PINNED}) {
    for (const cadastre_queue queue : {cadastre_queue{a}, CADASTRE_DEFAULT_QUEUE}) {
      const cadastre_context context = cuda_context();
      void* const target = block(context, request(CADASTRE_DEVICE, 1000));
      Loan loan = acquire(context, type, {1000}, queue);
      copy_slowly(context, target, loan[0], queue);
      give_back(context, loan);
      cuda_double().forget_calls();
      loan = acquire(context, type, {9000}, queue);
      assert_int_equal(synchronizations(), 0);
      give_back(context, loan);
      const cadastre_workspace_info_struct info = info_of(context, type);
      assert_int_equal(info.workspace_count, 1);
      if (cuda_double()) {
        if (type != CADASTRE_HOST) assert_int_not_equal(first_byte(target), 7);  // CUDA reads memory of the host at once
        assert_int_equal(info.reserved_bytes, rounded(1000, info) + rounded(9000, info));
      }
      assert_int_equal(cadastre_synchronize(context, queue), CADASTRE_SUCCESS);
      assert_int_equal(first_byte(target), 7);
      give_back(context, acquire(context, type, {9000}, queue));
      assert_int_equal(info_of(context, type).reserved_bytes, rounded(9000, info));
      assert_int_equal(info_of(context, type).waits, 0);
      destroy(context);
    }
  }
  assert_int_equal(census().blocks, 0);
  assert_int_equal(census().events, 0);
}

// What is retired goes with all else, before a shortage is told and before a size is set, and then the host waits for its queue.
void what_is_aside_is_given_up_and_replaced(void**) {
  const Stream a;
  for (const bool is_short : {false, true}) {
    const cadastre_context context = cuda_context();
    void* const target = block(context, request(CADASTRE_DEVICE, 1000));
    Loan loan = acquire(context, CADASTRE_HOST, {1000}, a);
    copy_slowly(context, target, loan[0], a);
    give_back(context, loan);
    give_back(context, acquire(context, CADASTRE_HOST, {9000}, a));
    const std::size_t unit = info_of(context, CADASTRE_HOST).granularity;
    if (is_short) {
      assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 10000 + unit), CADASTRE_SUCCESS);
      void* const other = block(context, request(CADASTRE_HOST, 10000));
      assert_int_equal(cadastre_free(context, other), CADASTRE_SUCCESS);
    } else {
      assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_HOST, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
    }
    assert_int_equal(info_of(context, CADASTRE_HOST).reserved_bytes, 0);
    assert_int_equal(first_byte(target), 7);
    destroy(context);
  }
  assert_int_equal(census().events, 0);
}

// The C library frees at once; so the library waits first.
void memory_of_the_host_is_not_freed_under_a_queue(void**) {
  skip_without_the_double(calls_are_counted);
  const Stream a;
  const cadastre_context context = cuda_context();
  assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_HOST, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
  const Loan loan = acquire(context, CADASTRE_HOST, {1000}, a);
  cuda_double().forget_calls();
  give_back(context, loan);
  assert_true(synchronizations() > 0);
  acquire(context, CADASTRE_HOST, {1000}, a);
  cuda_double().forget_calls();
  destroy(context);  // with a lease alive
  assert_true(synchronizations() > 0);
}

void stream_ordered_memory_is_freed_on_the_queue_that_was_the_default(void**) {
  skip_without_the_double(calls_are_counted);
  const cadastre_context context = cuda_context();
  const Stream a;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_STREAM_ORDERED), CADASTRE_SUCCESS);
  const Loan loan = acquire(context, device_memory, {1000});
  start_kernel(context, CADASTRE_DEFAULT_QUEUE, loan[0], 1000, 1);
  assert_int_equal(cadastre_context_set_default_queue(context, a), CADASTRE_SUCCESS);
  cuda_double().forget_calls();
  give_back(context, loan);  // the queue has no name any more, so the device is waited for
  assert_int_equal(calls({"cudaFreeAsync"}), 0);
  assert_true(calls({wait_for_device()}) > 0);
  destroy(context);
}

void stream_ordered_memory_is_allocated_and_freed_in_the_order_of_the_queue(void**) {
  skip_without_the_double(calls_are_counted);
  const cadastre_context context = cuda_context();
  const Stream a;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_STREAM_ORDERED), CADASTRE_SUCCESS);
  cuda_double().forget_calls();
  for (const cadastre_queue queue : {cadastre_queue{a}, CADASTRE_DEFAULT_QUEUE}) {
    for (int round = 0; round < 3; ++round) {
      const Loan outer = acquire(context, device_memory, {1000}, queue);
      const Loan inner = acquire(context, device_memory, {100}, queue);
      start_kernel(context, queue, outer[0], 1000, 1);
      give_back(context, inner);
      give_back(context, outer);
    }
  }
  assert_int_equal(calls({"cudaMallocAsync"}), 12);
  assert_int_equal(calls({"cudaFreeAsync"}), 12);
  assert_int_equal(allocations_and_frees(), 24);
  assert_int_equal(synchronizations(), 0);
  destroy(context);
  assert_int_equal(census().blocks, 0);
}

void lend_in_every_way_without(cadastre_context context) {
  const Stream a, b;
  cuda_double().forget_calls();
  for (const cadastre_queue queue :
       {CADASTRE_DEFAULT_QUEUE, cadastre_queue{a}, cadastre_queue{b}, CADASTRE_DEFAULT_QUEUE, cadastre_queue{b}}) {
    const Loan outer = acquire(context, device_memory, {1000, 0, 50}, queue);
    start_kernel(context, queue, outer[0], 1000, 1);
    const Loan inner = acquire(context, device_memory, {2000}, queue);
    assert_int_equal(try_acquire(context, device_memory, {1 << 20}, queue).code, CADASTRE_LIMIT_EXCEEDED);
    give_back(context, inner);
    give_back(context, outer);
    assert_int_equal(try_acquire(context, device_memory, {1 << 20}, queue).code, CADASTRE_LIMIT_EXCEEDED);
  }
  assert_int_equal(allocations_and_frees(), 0);
  assert_int_equal(synchronizations(), 0);
}

void preallocated_no_allocation_and_no_synchronization_ever(void**) {
  const cadastre_context context = cuda_context();
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 10000), CADASTRE_SUCCESS);
  lend_in_every_way_without(context);
  destroy(context);
}

void user_owned_no_allocation_and_no_synchronization_ever(void**) {
  const cadastre_context context = cuda_context();
  void* const own = block(context, request(CADASTRE_DEVICE, 10240));
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, own, 10240), CADASTRE_SUCCESS);
  lend_in_every_way_without(context);
  destroy(context);
}

// What was leased there would be memory of another device, or in no order with it.
void an_acquisition_on_another_devices_queue_is_refused(void**) {
  const cadastre_context context = cuda_context(0);
  assert_int_equal(cuda("cudaSetDevice", 1), 0);
  const Stream theirs;
  assert_int_equal(cuda("cudaSetDevice", 0), 0);
  const Stream ours;
  give_back(context, acquire(context, device_memory, {1000}, ours));
  const cuda_double_census before = census();
  const long allocated = allocations_and_frees();
  for (const std::size_t bytes : {std::size_t{1000}, std::size_t{1} << 20}) {
    for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED}) {
      assert_refused(context, try_acquire(context, type, {bytes}, theirs).code, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WRONG_QUEUE_DEVICE);
      assert_non_null(std::strstr(last(context).message, "of device 1 "));
      assert_non_null(std::strstr(last(context).message, "of device 0;"));
    }
  }
  assert_int_equal(cadastre_context_set_default_queue(context, theirs), CADASTRE_SUCCESS);
  void* pointer = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  const std::size_t size = 1000;
  assert_refused(context, cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &size, &pointer, &lease),
                 CADASTRE_FAILURE, CADASTRE_REASON_WRONG_QUEUE_DEVICE);
  assert_null(pointer);
  assert_int_equal(lease, CADASTRE_NULL_LEASE);
  assert_int_equal(cadastre_context_set_default_queue(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_int_equal(allocations_and_frees(), allocated);
  const cuda_double_census after = census();
  assert_memory_equal(&before, &after, sizeof before);
  const cadastre_context there = cuda_context(1);
  give_back(there, acquire(there, device_memory, {1000}, theirs));
  assert_refused(there, try_acquire(there, device_memory, {1000}, ours).code, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WRONG_QUEUE_DEVICE);
  assert_int_equal(cuda("cudaGetLastError"), 0);
  destroy(there);
  destroy(context);
}

void the_callers_device_is_left_alone(void**) {
  skip_without_devices(2);
  const cadastre_context context = cuda_context(1);
  int device = -1;
  assert_int_equal(cuda("cudaSetDevice", 1), 0);
  const Stream queue;
  assert_int_equal(cuda("cudaSetDevice", 0), 0);
  const auto unchanged = [&] { return cuda("cudaGetDevice", &device) == 0 && device == 0; };
  const Loan loan = acquire(context, device_memory, {1000});
  assert_true(unchanged());
  assert_int_equal(info_of(context, device_memory).device_id, 1);
  give_back(context, loan);
  const Loan other = acquire(context, device_memory, {9000}, queue);
  start_kernel(context, queue, other[0], 9000, 1);
  give_back(context, other);
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1000), CADASTRE_SUCCESS);
  assert_true(unchanged());
  lend_after(context, queue, CADASTRE_DEFAULT_QUEUE);
  assert_true(unchanged());
  destroy(context);
  assert_true(unchanged());
}

}  // namespace

std::vector<CMUnitTest> queue_claims() {
  return {
      cmocka_unit_test(an_acquisition_on_another_queue_waits_for_the_first_ones_event),
      cmocka_unit_test(queues_in_turn_wait_for_nothing_and_keep_their_memory),
      cmocka_unit_test(a_thousand_queues_that_are_done_share_one_workspace),
      cmocka_unit_test(queues_that_are_not_done_have_a_bounded_number_of_workspaces),
      cmocka_unit_test(where_memory_is_short_a_queue_waits_for_another),
      cmocka_unit_test(an_acquisition_on_the_default_queue_or_after_it_waits_as_well),
      cmocka_unit_test(a_number_that_another_queue_has_now_is_waited_for),
      cmocka_unit_test(the_same_queue_waits_for_nothing),
      cmocka_unit_test(two_queues_of_one_thread_at_once_have_memory_of_their_own),
      cmocka_unit_test(the_queue_that_the_context_was_told_of_is_the_default),
      cmocka_unit_test(memory_of_a_pool_is_there_on_the_queue_it_is_leased_on),
      cmocka_unit_test(growth_waits_for_no_queue_and_the_old_block_goes_later),
      cmocka_unit_test(what_is_aside_is_given_up_and_replaced),
      cmocka_unit_test(memory_of_the_host_is_not_freed_under_a_queue),
      cmocka_unit_test(stream_ordered_memory_is_allocated_and_freed_in_the_order_of_the_queue),
      cmocka_unit_test(stream_ordered_memory_is_freed_on_the_queue_that_was_the_default),
      cmocka_unit_test(preallocated_no_allocation_and_no_synchronization_ever),
      cmocka_unit_test(user_owned_no_allocation_and_no_synchronization_ever),
      cmocka_unit_test(the_callers_device_is_left_alone),
      cmocka_unit_test(an_acquisition_on_another_devices_queue_is_refused),
  };
}

}  // namespace cadastre::internal
