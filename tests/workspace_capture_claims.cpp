// Tangled from org/tests/workspace_capture_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "workspace_cuda_claims.hpp"

namespace cadastre::internal {
namespace {

void a_captured_queue_gets_what_is_there_and_nothing_is_allocated_or_synchronized(void**) {
  const Stream queue, other;
  for (const std::size_t scheme :
       {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{2048}, CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    const cadastre_context context = cuda_context();
    assert_int_equal(cadastre_workspace_set_size(context, device_memory, scheme), CADASTRE_SUCCESS);
    const bool kept = scheme == CADASTRE_WORKSPACE_AUTOMATIC || scheme == 2048;
    give_back(context, acquire(context, device_memory, {2048}, queue));
    queue.begin_capture();
    cuda_double().forget_calls();
    const Books before = books_of(context, device_memory);
    assert_refused(context, try_acquire(context, device_memory, {4096}, queue).code, CADASTRE_CAPTURE_ACTIVE,
                   CADASTRE_REASON_CAPTURE_ACTIVE);
    assert_unchanged(context, device_memory, before);
    give_back(context, acquire(context, device_memory, {0}, queue));
    const Loan loan = try_acquire(context, device_memory, {1000}, queue);
    assert_int_equal(loan.code, kept ? CADASTRE_SUCCESS : CADASTRE_CAPTURE_ACTIVE);
    if (kept) {
      start_kernel(context, queue, loan[0], 1000, 1);
      const Loan inner = acquire(context, device_memory, {500}, queue);
      assert_refused(context, try_acquire(context, device_memory, {1000}, queue).code, CADASTRE_CAPTURE_ACTIVE,
                     CADASTRE_REASON_CAPTURE_ACTIVE);
      give_back(context, inner);
      give_back(context, loan);
    }
    assert_int_equal(allocations_and_frees() + synchronizations(), 0);
    assert_int_equal(cuda("cudaGraphDestroy", queue.end_capture()), 0);
    assert_int_equal(cadastre_workspace_set_size(context, device_memory, 100), CADASTRE_SUCCESS);
    destroy(context);
  }
  assert_int_equal(census().blocks, 0);
  assert_int_equal(census().events, 0);
}

void what_was_leased_in_a_capture_stays_where_it_is_and_with_its_queue(void**) {
  const cadastre_context context = cuda_context();
  const Stream queue, other;
  give_back(context, acquire(context, device_memory, {1024}, other));
  queue.begin_capture();  // what was leased on another queue before is not for this one
  assert_int_equal(try_acquire(context, device_memory, {1000}, queue).code, CADASTRE_CAPTURE_ACTIVE);
  cuda("cudaGraphDestroy", queue.end_capture());
  give_back(context, acquire(context, device_memory, {1024}, queue));
  queue.begin_capture();
  const Loan captured = acquire(context, device_memory, {1024}, queue);
  start_kernel(context, queue, captured[0], 1024, 9);
  give_back(context, captured);
  const void* graph = queue.end_capture();
  void* executable = nullptr;
  assert_int_equal(cuda("cudaGraphInstantiateWithFlags", &executable, graph, 0ULL), 0);
  const Loan elsewhere = acquire(context, device_memory, {1024}, other);
  assert_true(elsewhere[0] != captured[0]);
  give_back(context, elsewhere);
  const Loan larger = acquire(context, device_memory, {9000}, queue);  // the address in the graph is still there
  start_kernel(context, queue, larger[0], 9000, 3);
  assert_int_equal(cuda("cudaGraphLaunch", executable, queue.stream), 0);
  queue.synchronize();
  assert_int_equal(first_byte(captured[0]), 9);
  assert_int_equal(first_byte(larger[0]), 3);
  give_back(context, larger);
  const Books before = books_of(context, device_memory);
  for (int round = 0; round < 3; ++round) give_back(context, acquire(context, device_memory, {1024}, queue));
  assert_int_equal(info_of(context, device_memory).growths, before.info.growths);
  assert_int_equal(first_byte(captured[0]), 9);
  cuda("cudaGraphExecDestroy", executable);
  cuda("cudaGraphDestroy", graph);
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, device_memory).live_blocks, 0);
  destroy(context);
}

void a_lease_that_outlives_the_capture_keeps_its_memory_for_the_graph(void**) {
  const cadastre_context context = cuda_context();
  const Stream queue, other;
  give_back(context, acquire(context, device_memory, {1024}, queue));
  queue.begin_capture();
  const Loan captured = acquire(context, device_memory, {1024}, queue);
  start_kernel(context, queue, captured[0], 1024, 9);
  void* const graph = queue.end_capture();
  give_back(context, captured);
  const Loan larger = acquire(context, device_memory, {9000}, queue);
  const Loan elsewhere = acquire(context, device_memory, {1024}, other);
  assert_true(elsewhere[0] != captured[0]);
  assert_int_not_equal(first_byte(captured[0]), -1);
  assert_int_equal(statistics_of(context, device_memory).live_blocks, 3);
  give_back(context, elsewhere);
  give_back(context, larger);
  cuda("cudaGraphDestroy", graph);
  destroy(context);
}

// What a queue with the number of one that was destroyed writes to a workspace is written last.
void a_new_queue_comes_last(cadastre_context context, const void* number) {
  const Stream next;
  if (cuda_double()) assert_ptr_equal(next.stream, number);  // on a GPU it may be another, which is easier
  const Loan loan = acquire(context, device_memory, {1024}, next);
  start_kernel(context, next, loan[0], 1024, 7);
  next.synchronize();
  assert_int_equal(cuda("cudaDeviceSynchronize"), 0);
  assert_int_equal(first_byte(loan[0]), 7);
  give_back(context, loan);
}

// The vendor gives the handle of the stream that was destroyed to the next.
void what_a_graph_has_is_not_leased_on_a_new_queue_with_an_old_number(void**) {
  skip_where_queues_have_no_identity();
  const cadastre_context context = cuda_context();
  void* executable = nullptr;
  void* number = nullptr;
  {
    const Stream gone;
    number = gone.stream;
    give_back(context, acquire(context, device_memory, {1024}, gone));
    gone.begin_capture();
    const Loan captured = acquire(context, device_memory, {1024}, gone);
    start_kernel(context, gone, captured[0], 1024, 9);
    give_back(context, captured);
    void* const graph = gone.end_capture();
    assert_int_equal(cuda("cudaGraphInstantiateWithFlags", &executable, graph, 0ULL), 0);
    cuda("cudaGraphDestroy", graph);
    assert_int_equal(cuda("cudaGraphLaunch", executable, gone.stream), 0);
  }
  a_new_queue_comes_last(context, number);
  cuda("cudaGraphExecDestroy", executable);
  destroy(context);
}

// Also where the vendor does not tell queues apart, so that the new one is taken for that of the graph.
void what_was_put_beside_a_graph_is_waited_for_on_a_new_queue_with_an_old_number(void**) {
  const cadastre_context context = cuda_context();
  void *graph = nullptr, *number = nullptr;
  {
    const Stream gone;
    number = gone.stream;
    const Loan loan = acquire(context, device_memory, {1024}, gone);
    start_kernel(context, gone, loan[0], 1024, 9);
    give_back(context, loan);
    gone.begin_capture();
    give_back(context, acquire(context, device_memory, {1024}, gone));
    graph = gone.end_capture();
  }
  a_new_queue_comes_last(context, number);
  cuda("cudaGraphDestroy", graph);
  destroy(context);
}

void a_capture_on_a_new_queue_with_an_old_number_gets_nothing_of_the_old_ones(void**) {
  skip_where_queues_have_no_identity();
  const cadastre_context context = cuda_context();
  void* number = nullptr;
  {
    const Stream gone;
    number = gone.stream;
    const Loan loan = acquire(context, device_memory, {1024}, gone);
    start_kernel(context, gone, loan[0], 1024, 9);
    give_back(context, loan);
  }
  const Stream next;
  if (cuda_double()) assert_ptr_equal(next.stream, number);  // on a GPU it may be another, which is easier
  next.begin_capture();
  assert_refused(context, try_acquire(context, device_memory, {1024}, next).code, CADASTRE_CAPTURE_ACTIVE, CADASTRE_REASON_CAPTURE_ACTIVE);
  cuda("cudaGraphDestroy", next.end_capture());
  give_back(context, acquire(context, device_memory, {1024}, next));
  next.begin_capture();
  give_back(context, acquire(context, device_memory, {1024}, next));
  cuda("cudaGraphDestroy", next.end_capture());
  destroy(context);
}

void what_each_acquisition_allocated_is_not_freed_in_a_capture(void**) {
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_HOST}) {
      const cadastre_context context = cuda_context();
      const Stream queue;
      assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
      const Loan loan = acquire(context, type, {1000}, queue);
      queue.begin_capture();
      start_kernel(context, queue, block(context, request(CADASTRE_HOST, 1)), 0, 1);
      give_back(context, loan);
      cuda("cudaGraphDestroy", queue.end_capture());
      assert_int_equal(info_of(context, type).used_bytes, 0);
      const Loan next = acquire(context, type, {1000}, queue);
      assert_ptr_equal(next[0], loan[0]);
      give_back(context, next);
      assert_int_equal(cadastre_workspace_set_size(context, type, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
      assert_int_equal(info_of(context, type).reserved_bytes, 0);
      destroy(context);
    }
  }
  assert_int_equal(census().blocks, 0);
}

void a_capture_is_not_spoilt_by_those_beside_it(void**) {
  const cadastre_context context = cuda_context();
  const Stream blocking(blocking_stream), other;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1000), CADASTRE_SUCCESS);
  give_back(context, acquire(context, device_memory, {1000}));
  const cadastre_context automatic = cuda_context();
  give_back(automatic, acquire(automatic, device_memory, {1000}));
  void* const own = block(context, request(CADASTRE_DEVICE, 1024));
  blocking.begin_capture(capture_in_thread);
  // The default queue cannot be asked for an event, nor waited for, without spoiling the capture.
  assert_refused(context, try_acquire(context, device_memory, {1000}, other).code, CADASTRE_CAPTURE_ACTIVE, CADASTRE_REASON_CAPTURE_ACTIVE);
  assert_refused(context, cadastre_workspace_set_size(context, device_memory, 50), CADASTRE_CAPTURE_ACTIVE, CADASTRE_REASON_CAPTURE_ACTIVE);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, own, 1024), CADASTRE_CAPTURE_ACTIVE);
  give_back(automatic, acquire(automatic, device_memory, {1000}, other));  // memory of its own
  assert_int_equal(info_of(automatic, device_memory).workspace_count, 2);
  cuda("cudaGraphDestroy", blocking.end_capture());
  destroy(automatic);
  give_back(context, acquire(context, device_memory, {1000}, other));
  other.begin_capture();
  const Loan beside = acquire(context, device_memory, {1000}, other);
  give_back(context, beside);
  cuda("cudaGraphDestroy", other.end_capture());
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, own, 1024), CADASTRE_SUCCESS);
  destroy(context);
}

void what_a_workspace_holds_stays_while_a_capture_forbids_to_free_it(void**) {
  for (const int mode : capture_modes) {
    const cadastre_context context = cuda_context();
    {
      const Stream blocking(blocking_stream), other;
      give_back(context, acquire(context, device_memory, {1000}, other));
      const Books before = books_of(context, device_memory);
      blocking.begin_capture(mode);
      assert_refused(context, try_acquire(context, device_memory, {100000}, other).code, CADASTRE_CAPTURE_ACTIVE,
                     CADASTRE_REASON_CAPTURE_ACTIVE);
      assert_unchanged(context, device_memory, before);
      cuda("cudaGraphDestroy", blocking.end_capture());
      give_back(context, acquire(context, device_memory, {100000}, other));
      assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
      const Loan loan = acquire(context, device_memory, {1000}, other);
      blocking.begin_capture(mode);
      give_back(context, loan);
      cuda("cudaGraphDestroy", blocking.end_capture());
      assert_int_equal(statistics_of(context, device_memory).live_blocks, 1);
      give_back(context, acquire(context, device_memory, {1000}, other));
      assert_int_equal(statistics_of(context, device_memory).live_blocks, 0);
    }
    destroy(context);
  }
  assert_int_equal(census().blocks, 0);
}

// Acquires and releases on a queue while it is captured, twenty kernels that write; answers the graph, instantiated.
struct Graph {
  void* graph = nullptr;
  void* executable = nullptr;
  void* memory = nullptr;

  Graph(cadastre_context context, const Stream& queue, std::size_t bytes) {
    queue.begin_capture();
    const Loan loan = acquire(context, device_memory, {bytes}, queue);
    memory = loan[0];
    for (int kernel = 0; kernel < 20; ++kernel) start_kernel(context, queue, memory, bytes, 9);
    give_back(context, loan);
    graph = queue.end_capture();
    assert_int_equal(cuda("cudaGraphInstantiateWithFlags", &executable, graph, 0ULL), 0);
  }
  void launch(cadastre_queue queue) const { assert_int_equal(cuda("cudaGraphLaunch", executable, queue), 0); }
  void end() const {
    cuda("cudaGraphExecDestroy", executable);
    cuda("cudaGraphDestroy", graph);
  }
};

// The graph was launched on a queue that the workspace has never seen, and runs as yet.
void what_a_graph_had_is_released_when_it_is_gone(void**) {
  const cadastre_context context = cuda_context();
  const Stream launched_on, other;
  auto captured = std::make_unique<Stream>();
  const cadastre_queue handle = *captured;
  give_back(context, acquire(context, device_memory, {1024}, handle));
  const Graph graph(context, *captured, 1024);
  graph.launch(launched_on);
  captured.reset();
  graph.end();
  assert_int_equal(cadastre_workspace_release_captured(context, -1 - 1, handle), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_workspace_release_captured(context, device_memory, handle), CADASTRE_SUCCESS);
  const Loan loan = acquire(context, device_memory, {1024}, other);
  assert_ptr_equal(loan[0], graph.memory);
  assert_int_equal(info_of(context, device_memory).waits, 0);
  start_kernel(context, other, loan[0], 1024, 5);
  other.synchronize();
  launched_on.synchronize();
  assert_int_equal(first_byte(loan[0]), 5);
  give_back(context, loan);
  give_back(context, acquire(context, device_memory, {9000}, other));
  assert_int_equal(info_of(context, device_memory).workspace_count, 1);
  cuda_double().forget_calls();
  assert_int_equal(cadastre_workspace_release_captured(context, device_memory, handle), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_release_captured(context, CADASTRE_HOST, handle), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_release_captured(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_int_equal(synchronizations() + allocations_and_frees(), 0);
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, device_memory).live_blocks, 0);
  destroy(context);
  assert_int_equal(cadastre_workspace_release_captured(context, device_memory, handle), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(census().events, 0);
}

void what_a_graph_had_of_an_explicit_size_is_released(void**) {
  const cadastre_context context = cuda_context();
  const Stream captured, other;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 4096), CADASTRE_SUCCESS);
  const Loan beside = acquire(context, device_memory, {2048}, other);
  const Graph graph(context, captured, 2048);
  graph.launch(captured);
  assert_refused(context, try_acquire(context, device_memory, {1}, other).code, CADASTRE_LIMIT_EXCEEDED,
                 CADASTRE_REASON_WORKSPACE_TOO_SMALL);
  graph.end();
  assert_int_equal(cadastre_workspace_release_captured(context, device_memory, captured), CADASTRE_SUCCESS);
  give_back(context, beside);
  const Loan loan = acquire(context, device_memory, {4096}, other);
  start_kernel(context, other, loan[0], 4096, 5);
  other.synchronize();
  captured.synchronize();
  assert_int_equal(first_byte(graph.memory), 5);
  give_back(context, loan);
  destroy(context);
  assert_int_equal(census().events, 0);
}

void what_a_graph_had_goes_where_nothing_is_kept(void**) {
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    const cadastre_context context = cuda_context();
    const Stream queue;
    assert_int_equal(cadastre_workspace_set_size(context, device_memory, scheme), CADASTRE_SUCCESS);
    const Loan loan = acquire(context, device_memory, {1000}, queue);
    queue.begin_capture();
    give_back(context, loan);
    cuda("cudaGraphDestroy", queue.end_capture());
    assert_int_equal(statistics_of(context, device_memory).live_blocks, 1);
    assert_int_equal(cadastre_workspace_release_captured(context, device_memory, queue), CADASTRE_SUCCESS);
    assert_int_equal(statistics_of(context, device_memory).live_blocks, 0);
    destroy(context);
  }
  assert_int_equal(census().blocks, 0);
}

void what_other_queues_captures_have_stays(void**) {
  const cadastre_context context = cuda_context();
  const Stream a, b, other;
  const Loan on_a = acquire(context, device_memory, {1024}, a), on_b = acquire(context, device_memory, {1024}, b);
  give_back(context, on_a);
  give_back(context, on_b);
  const Graph of_a(context, a, 1024), of_b(context, b, 1024);
  of_a.end();
  assert_int_equal(cadastre_workspace_release_captured(context, device_memory, a), CADASTRE_SUCCESS);
  const Loan first = acquire(context, device_memory, {1024}, other),
             second = acquire(context, device_memory, {1024}, CADASTRE_DEFAULT_QUEUE);
  assert_ptr_equal(first[0], of_a.memory);
  assert_ptr_not_equal(second[0], of_b.memory);
  give_back(context, first);
  give_back(context, second);
  of_b.launch(b);
  b.synchronize();
  assert_int_equal(first_byte(of_b.memory), 9);
  of_b.end();
  destroy(context);
}

void what_a_capture_has_is_not_released_while_it_goes_on(void**) {
  const cadastre_context context = cuda_context();
  const Stream queue, other, blocking(blocking_stream);
  give_back(context, acquire(context, device_memory, {1024}, queue));
  queue.begin_capture(capture_relaxed);
  const Loan loan = acquire(context, device_memory, {1024}, queue);
  assert_refused(context, cadastre_workspace_release_captured(context, device_memory, queue), CADASTRE_CAPTURE_ACTIVE,
                 CADASTRE_REASON_CAPTURE_ACTIVE);
  start_kernel(context, queue, loan[0], 1024, 1);
  cuda("cudaGraphDestroy", queue.end_capture());
  blocking.begin_capture(capture_in_thread);
  assert_refused(context, cadastre_workspace_release_captured(context, device_memory, queue), CADASTRE_CAPTURE_ACTIVE,
                 CADASTRE_REASON_CAPTURE_ACTIVE);
  cuda("cudaGraphDestroy", blocking.end_capture());
  assert_int_equal(cadastre_workspace_release_captured(context, device_memory, queue), CADASTRE_SUCCESS);
  give_back(context, loan);  // it was alive all the time
  queue.synchronize();
  const Loan elsewhere = acquire(context, device_memory, {1024}, other);
  assert_ptr_equal(elsewhere[0], loan[0]);
  give_back(context, elsewhere);
  destroy(context);
  assert_int_equal(census().events, 0);
}

void what_a_graph_had_stays_where_waiting_fails(void**) {
  skip_without_the_double(calls_fail);
  const cadastre_context context = cuda_context();
  const Stream queue, other;
  give_back(context, acquire(context, device_memory, {1024}, queue));
  const Graph graph(context, queue, 1024);
  const Books before = books_of(context, device_memory);
  cuda_double().fail(wait_for_device(), 1, 1, unknown_error);
  assert_int_equal(cadastre_workspace_release_captured(context, device_memory, queue), CADASTRE_FAILURE);
  nothing_fails();
  assert_unchanged(context, device_memory, before);
  const Loan elsewhere = acquire(context, device_memory, {1024}, other);
  assert_ptr_not_equal(elsewhere[0], graph.memory);
  give_back(context, elsewhere);
  graph.end();
  assert_int_equal(cadastre_workspace_release_captured(context, device_memory, queue), CADASTRE_SUCCESS);
  destroy(context);
}

void assert_captured(cadastre_context context, cadastre_exit_code code) {
  assert_refused(context, code, CADASTRE_CAPTURE_ACTIVE, CADASTRE_REASON_CAPTURE_ACTIVE);
}

// In the order of the default queue.
void* ordered_block(cadastre_context context, cadastre_memory_type type) {
  void* const made = cadastre_malloc_async(context, request(type, 5000), CADASTRE_DEFAULT_QUEUE);
  assert_non_null(made);
  return made;
}

void refuse_to_free_in_a_capture(cadastre_pool pool, cadastre_memory_type type, int mode, bool ordered) {
  const cadastre_context context = cuda_context_with(pool);
  {
    const Stream captured(blocking_stream);
    const auto make = [&] { return ordered ? ordered_block(context, type) : block(context, request(type, 5000)); };
    void *const kept = make(), *const other = make();
    start_kernel(context, CADASTRE_DEFAULT_QUEUE, kept, 5000, 3);
    const Books before = books_of(context, type);
    captured.begin_capture(mode);
    assert_captured(context, cadastre_free(context, kept));
    assert_captured(context, cadastre_free_async(context, kept, captured));
    assert_captured(context, cadastre_free_all(context));
    assert_captured(context, cadastre_context_destroy(context));
    const Books after = books_of(context, type);
    assert_memory_equal(&before, &after, sizeof before);
    assert_null(cadastre_realloc(context, kept, 9000));
    assert_captured(context, CADASTRE_CAPTURE_ACTIVE);
    assert_int_equal(statistics_of(context, type).live_bytes, before.statistics.live_bytes);
    cuda("cudaGraphDestroy", captured.end_capture());
    assert_int_equal(cadastre_free(context, kept), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free_async(context, other, captured), CADASTRE_SUCCESS);
    assert_int_equal(statistics_of(context, type).live_blocks, 0);
    assert_int_equal(statistics_of(context, type).failed_deallocations, 0);
  }
  destroy(context);
  assert_int_equal(census().blocks, 0);
}

void a_free_in_a_capture_is_refused_and_changes_nothing(void**) {
  for (const cadastre_pool pool : {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING, CADASTRE_POOL_VENDOR}) {
    for (const cadastre_memory_type type : {CADASTRE_PINNED, CADASTRE_DEVICE, CADASTRE_UVM}) {
      for (const int mode : capture_modes) {
        for (const bool ordered : {false, true}) refuse_to_free_in_a_capture(pool, type, mode, ordered);
      }
    }
  }
}

void a_free_asks_the_default_queue_of_the_context_and_the_queue_that_is_named(void**) {
  for (const cadastre_pool pool : {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING}) {
    const cadastre_context context = cuda_context_with(pool);
    {
      const Stream captured;
      void* const kept = block(context, request(CADASTRE_DEVICE, 5000));
      captured.begin_capture();
      assert_captured(context, cadastre_free_async(context, kept, captured));
      assert_int_equal(cadastre_context_set_default_queue(context, captured), CADASTRE_SUCCESS);
      assert_captured(context, cadastre_free(context, kept));
      assert_captured(context, cadastre_context_destroy(context));
      assert_captured(context, cadastre_synchronize(context, captured));
      cuda("cudaGraphDestroy", captured.end_capture());
      assert_int_equal(cadastre_free(context, kept), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_context_set_default_queue(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    }
    destroy(context);
  }
}

// Of a stream that no other waits for, and that nobody told us of. Where CUDA's own free waits, nothing else is asked to.
void a_capture_that_nobody_sees_is_left_alone_by_a_free(void**) {
  const Stream captured;
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_UVM}) {
    for (const int mode : capture_modes) {
      const cadastre_context context = cuda_context_with(CADASTRE_POOL_NONE);
      void *const one = block(context, request(type, 5000)), *const other = block(context, request(type, 5000));
      block(context, request(type, 5000));
      give_back(context, acquire(context, type, {5000}));
      captured.begin_capture(mode);
      assert_int_equal(cadastre_free(context, one), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_free_async(context, other, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
      give_back(context, acquire(context, type, {50000}));
      assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
      block(context, request(type, 5000));
      destroy(context);
      cuda("cudaGraphDestroy", captured.end_capture());
    }
  }
  assert_int_equal(census().blocks, 0);
}

// What a pool keeps goes by CUDA's free as well.
void a_capture_that_nobody_sees_is_left_alone_when_a_pool_goes(void**) {
  const Stream captured;
  const cadastre_context context = cuda_context_with(CADASTRE_POOL_CACHING);
  assert_int_equal(cadastre_free(context, block(context, request(CADASTRE_DEVICE, 5000))), CADASTRE_SUCCESS);
  captured.begin_capture();
  destroy(context);
  cuda("cudaGraphDestroy", captured.end_capture());
  assert_int_equal(census().blocks, 0);
}

// Where CUDA's free does not wait, or nothing is freed, the device has to be asked, which spoils that capture. HIP's is asked without.
void a_capture_that_nobody_sees_costs_no_block(void**) {
  constexpr int invalidated = 901;
  struct Way {
    cadastre_pool pool;
    cadastre_memory_type type;
    bool ordered = false;
  };
  for (const auto& [pool, type, ordered] : {Way{CADASTRE_POOL_NONE, CADASTRE_PINNED}, Way{CADASTRE_POOL_NONE, CADASTRE_DEVICE, true},
                                            Way{CADASTRE_POOL_CACHING, CADASTRE_DEVICE}, Way{CADASTRE_POOL_VENDOR, CADASTRE_DEVICE}}) {
    for (const int mode : capture_modes) {
      const cadastre_context context = cuda_context_with(pool);
      {
        const Stream captured;
        void* const kept = ordered ? ordered_block(context, type) : block(context, request(type, 5000));
        void* graph = nullptr;
        captured.begin_capture(mode);
        if (!spoken().free_waits) {
          assert_captured(context, cadastre_free(context, kept));
          assert_captured(context, cadastre_context_destroy(context));
          assert_int_equal(cuda("cudaStreamEndCapture", captured.stream, &graph), invalidated);
          assert_int_equal(statistics_of(context, type).live_blocks, 1);
        }
        assert_int_equal(cadastre_free(context, kept), CADASTRE_SUCCESS);
        if (spoken().free_waits) {
          assert_int_equal(cuda("cudaStreamEndCapture", captured.stream, &graph), 0);
          assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
        }
      }
      destroy(context);
    }
  }
  assert_int_equal(census().blocks, 0);
}

void allocate_in_a_capture(cadastre_pool pool, cadastre_queue captured, int mode) {
  const cadastre_context context = cuda_context_with(pool);
  void *graph = nullptr, *device = nullptr, *elsewhere = nullptr;
  assert_int_equal(cuda("cudaStreamBeginCapture", captured, mode), 0);
  device = block(context, request(CADASTRE_DEVICE, 5000));
  void *const pinned = block(context, request(CADASTRE_PINNED, 5000)), *const managed = block(context, request(CADASTRE_UVM, 5000));
  std::thread([&] { elsewhere = cadastre_malloc(context, request(CADASTRE_DEVICE, 5000)); }).join();
  assert_int_equal(cuda("cudaStreamEndCapture", captured, &graph), 0);
  cuda("cudaGraphDestroy", graph);
  assert_non_null(elsewhere);
  for (void* const made : {device, pinned, managed, elsewhere}) {
    assert_int_equal(first_byte(made), 0);
    assert_int_equal(cadastre_free(context, made), CADASTRE_SUCCESS);
  }
  destroy(context);
  int as_before = capture_global;
  assert_int_equal(cuda("cudaThreadExchangeStreamCaptureMode", &as_before), 0);
  assert_int_equal(as_before, capture_global);
}

void an_allocation_is_allowed_in_every_capture(void**) {
  skip_without_devices();
  const Stream blocking(blocking_stream), independent;
  for (const int mode : capture_modes) {
    for (const cadastre_queue captured : {cadastre_queue(blocking), cadastre_queue(independent)}) {
      for (const cadastre_pool pool : {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING, CADASTRE_POOL_VENDOR}) {
        allocate_in_a_capture(pool, captured, mode);
      }
    }
    allocate_in_a_capture(CADASTRE_POOL_NONE, queue_of_the_thread, mode);
  }
}

void what_waits_is_refused_in_a_capture_and_spoils_nothing(void**) {
  const cadastre_context context = cuda_context();
  {
    const Stream blocking(blocking_stream), other;
    void* const device = block(context, request(CADASTRE_DEVICE, 5000));
    Bytes bytes(5000);
    for (const int mode : capture_modes) {
      blocking.begin_capture(mode);
      assert_captured(context, cadastre_memcpy(context, bytes.data(), device, bytes.size()));
      assert_captured(context, cadastre_memset(context, device, 1, 5000));
      assert_captured(context, cadastre_memset_async(context, device, 1, 5000, CADASTRE_DEFAULT_QUEUE));
      assert_captured(context, cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE));
      assert_captured(context, cadastre_synchronize(context, blocking));
      assert_int_equal(cadastre_memset_async(context, device, 2, 5000, blocking), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_synchronize(context, other), CADASTRE_SUCCESS);
      cuda("cudaGraphDestroy", blocking.end_capture());
    }
    assert_int_equal(first_byte(device), 0);
    assert_int_equal(cadastre_free(context, device), CADASTRE_SUCCESS);
  }
  destroy(context);
}

}  // namespace

std::vector<CMUnitTest> capture_claims() {
  return {
      cmocka_unit_test(a_captured_queue_gets_what_is_there_and_nothing_is_allocated_or_synchronized),
      cmocka_unit_test(what_was_leased_in_a_capture_stays_where_it_is_and_with_its_queue),
      cmocka_unit_test(a_lease_that_outlives_the_capture_keeps_its_memory_for_the_graph),
      cmocka_unit_test(what_a_graph_had_is_released_when_it_is_gone),
      cmocka_unit_test(what_a_graph_had_of_an_explicit_size_is_released),
      cmocka_unit_test(what_a_graph_had_goes_where_nothing_is_kept),
      cmocka_unit_test(what_other_queues_captures_have_stays),
      cmocka_unit_test(what_a_capture_has_is_not_released_while_it_goes_on),
      cmocka_unit_test(what_a_graph_had_stays_where_waiting_fails),
      cmocka_unit_test(what_a_graph_has_is_not_leased_on_a_new_queue_with_an_old_number),
      cmocka_unit_test(what_was_put_beside_a_graph_is_waited_for_on_a_new_queue_with_an_old_number),
      cmocka_unit_test(a_capture_on_a_new_queue_with_an_old_number_gets_nothing_of_the_old_ones),
      cmocka_unit_test(what_each_acquisition_allocated_is_not_freed_in_a_capture),
      cmocka_unit_test(a_capture_is_not_spoilt_by_those_beside_it),
      cmocka_unit_test(what_a_workspace_holds_stays_while_a_capture_forbids_to_free_it),
      cmocka_unit_test(a_free_in_a_capture_is_refused_and_changes_nothing),
      cmocka_unit_test(a_free_asks_the_default_queue_of_the_context_and_the_queue_that_is_named),
      cmocka_unit_test(a_capture_that_nobody_sees_is_left_alone_by_a_free),
      cmocka_unit_test(a_capture_that_nobody_sees_is_left_alone_when_a_pool_goes),
      cmocka_unit_test(a_capture_that_nobody_sees_costs_no_block),
      cmocka_unit_test(an_allocation_is_allowed_in_every_capture),
      cmocka_unit_test(what_waits_is_refused_in_a_capture_and_spoils_nothing),
  };
}

}  // namespace cadastre::internal
