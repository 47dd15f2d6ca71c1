// Tangled from org/tests/workspace_graph_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>

#include "workspace/graph_watch.hpp"
#include "workspace_cuda_claims.hpp"

namespace cadastre::internal {
namespace {

bool is_told() { return spoken().symbol_of("cudaGraphRetainUserObject", cuda_version()) != nullptr; }
void skip_where_nobody_tells() {
  skip_without_devices();
  if (!is_told()) skip_because("the runtime is older than the user objects of graphs that it keeps");
}
void skip_where_launches_keep_nothing() {
  skip_where_nobody_tells();
  if (!spoken().objects_outlive_launches) skip_because("HIP does not keep the user objects of a graph for its launches");
}

// Until the vendor's thread has called all that it has to.
void await_destructors() {
  if (cuda_double()) cuda_double().await_destructors();
  else usleep(300000);
}

// Destructors wait from now on, until the end of the scope.
struct Held {
  Held() { cuda_double().hold_destructors(1); }
  ~Held() { let_go(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  void let_go() const {
    cuda_double().hold_destructors(0);
    await_destructors();
  }
};

// A kernel that writes into memory that is acquired while the queue is captured.
struct Recorded {
  void* graph = nullptr;
  void* executable = nullptr;
  void* memory = nullptr;

  Recorded(cadastre_context context, const Stream& queue, std::size_t bytes) {
    queue.begin_capture(capture_relaxed);
    const Loan loan = acquire(context, device_memory, {bytes}, queue);
    memory = loan[0];
    start_kernel(context, queue, memory, bytes, 9);
    give_back(context, loan);
    graph = queue.end_capture();
    assert_int_equal(cuda("cudaGraphInstantiateWithFlags", &executable, graph, 0ULL), 0);
  }
  void end_graph() { assert_int_equal(cuda("cudaGraphDestroy", std::exchange(graph, nullptr)), 0); }
  void end_executable() { assert_int_equal(cuda("cudaGraphExecDestroy", std::exchange(executable, nullptr)), 0); }
  void end() {
    end_executable();
    end_graph();
    await_destructors();
  }
};

// What a queue would get now.
void* gets(cadastre_context context, cadastre_queue queue, std::size_t bytes) {
  const Loan loan = acquire(context, device_memory, {bytes}, queue);
  give_back(context, loan);
  return loan[0];
}

void memory_is_given_back_when_graph_copy_and_executable_are_gone(void**) {
  skip_where_launches_keep_nothing();
  const cadastre_context context = cuda_context();
  {
    const Stream queue, other, another, third;
    assert_non_null(gets(context, queue, 1024));
    Recorded recorded(context, queue, 1024);
    queue.synchronize();
    void* clone = nullptr;
    assert_int_equal(cuda("cudaGraphClone", &clone, recorded.graph), 0);
    recorded.end_graph();
    recorded.end_executable();
    await_destructors();
    assert_ptr_not_equal(gets(context, other, 1024), recorded.memory);
    assert_int_equal(cuda("cudaGraphInstantiateWithFlags", &recorded.executable, clone, 0ULL), 0);
    assert_int_equal(cuda("cudaGraphDestroy", clone), 0);
    await_destructors();
    assert_ptr_not_equal(gets(context, another, 1024), recorded.memory);
    recorded.end_executable();
    await_destructors();
    cuda_double().forget_calls();
    const Loan one = acquire(context, device_memory, {1024}, other), two = acquire(context, device_memory, {1024}, third);
    assert_true(one[0] == recorded.memory || two[0] == recorded.memory);
    assert_int_equal(synchronizations() + allocations_and_frees(), 0);
    give_back(context, one);
    give_back(context, two);
  }
  destroy(context);
  assert_int_equal(census().events, 0);
  assert_int_equal(graph_marks_in_use(), 0);
}

void memory_stays_while_a_launch_is_at_work(void**) {
  skip_where_launches_keep_nothing();
  const cadastre_context context = cuda_context();
  const Stream queue, launched_on, other, another;
  assert_non_null(gets(context, queue, 1024));
  Recorded recorded(context, queue, 1024);
  queue.synchronize();
  assert_int_equal(cuda("cudaGraphLaunch", recorded.executable, launched_on.stream), 0);
  recorded.end();
  if (cuda_double()) assert_ptr_not_equal(gets(context, other, 1024), recorded.memory);
  launched_on.synchronize();
  await_destructors();
  const Loan one = acquire(context, device_memory, {1024}, other), two = acquire(context, device_memory, {1024}, another);
  assert_true(one[0] == recorded.memory || two[0] == recorded.memory);
  give_back(context, one);
  give_back(context, two);
  destroy(context);
}

void each_capture_has_its_own_and_both_must_be_gone(void**) {
  skip_where_nobody_tells();
  const cadastre_context context = cuda_context();
  const Stream queue, other;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1024), CADASTRE_SUCCESS);
  Recorded first(context, queue, 1024), second(context, queue, 1024);
  assert_ptr_equal(first.memory, second.memory);
  first.end();
  assert_int_equal(graph_marks_in_use(), 2);
  assert_int_equal(try_acquire(context, device_memory, {1024}, other).code, CADASTRE_LIMIT_EXCEEDED);
  second.end();
  give_back(context, acquire(context, device_memory, {1024}, other));
  assert_int_equal(graph_marks_in_use(), 0);
  destroy(context);
}

void a_part_of_an_explicit_size_is_given_back(void**) {
  skip_where_nobody_tells();
  const cadastre_context context = cuda_context();
  const Stream queue, other;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 4096), CADASTRE_SUCCESS);
  Recorded recorded(context, queue, 2048);
  assert_refused(context, try_acquire(context, device_memory, {4096}, other).code, CADASTRE_LIMIT_EXCEEDED,
                 CADASTRE_REASON_WORKSPACE_TOO_SMALL);
  recorded.end();
  give_back(context, acquire(context, device_memory, {4096}, other));
  assert_int_equal(info_of(context, device_memory).workspace_count, 1);
  destroy(context);
  assert_int_equal(census().events, 0);
}

void what_is_not_kept_is_freed_by_the_next_release(void**) {
  skip_where_nobody_tells();
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    const cadastre_context context = cuda_context();
    const Stream queue, other;
    assert_int_equal(cadastre_workspace_set_size(context, device_memory, scheme), CADASTRE_SUCCESS);
    const Loan loan = acquire(context, device_memory, {1000}, queue);
    queue.begin_capture();
    give_back(context, loan);
    void* const graph = queue.end_capture();
    give_back(context, acquire(context, device_memory, {1000}, other));
    assert_int_equal(statistics_of(context, device_memory).live_blocks, 1);
    cuda("cudaGraphDestroy", graph);
    await_destructors();
    give_back(context, acquire(context, device_memory, {1000}, other));
    assert_int_equal(statistics_of(context, device_memory).live_blocks, 0);
    destroy(context);
  }
  assert_int_equal(census().blocks, 0);
}

void a_capture_that_was_spoilt_keeps_nothing(void**) {
  skip_where_nobody_tells();
  const cadastre_context context = cuda_context();
  const Stream queue, other;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1024), CADASTRE_SUCCESS);
  queue.begin_capture();
  give_back(context, acquire(context, device_memory, {1024}, queue));
  assert_int_not_equal(cuda("cudaStreamSynchronize", queue.stream), 0);
  void* graph = nullptr;
  assert_int_not_equal(cuda("cudaStreamEndCapture", queue.stream, &graph), 0);
  cuda("cudaGetLastError");
  await_destructors();
  give_back(context, acquire(context, device_memory, {1024}, other));
  destroy(context);
}

void idle_memory_of_graphs_that_are_gone_is_given_up(void**) {
  skip_where_nobody_tells();
  const cadastre_context context = cuda_context();
  const Stream queue;
  assert_non_null(gets(context, queue, 1024));
  Recorded recorded(context, queue, 1024);
  queue.synchronize();
  assert_int_equal(cadastre_set_limit(context, device_memory, 2048), CADASTRE_SUCCESS);
  assert_null(cadastre_malloc(context, request(CADASTRE_DEVICE, 2048)));
  recorded.end();
  assert_non_null(cadastre_malloc(context, request(CADASTRE_DEVICE, 2048)));
  assert_int_equal(info_of(context, device_memory).reserved_bytes, 0);
  destroy(context);
}

// A kernel on another queue comes after all that was put on the first one; on the double the other one alone is done.
void comes_after(cadastre_context context, const Stream& queue, std::size_t bytes) {
  const Stream other;
  const Loan loan = acquire(context, device_memory, {bytes}, other);
  start_kernel(context, other, loan[0], bytes, 5);
  other.synchronize();
  queue.synchronize();
  assert_int_equal(first_byte(loan[0]), 5);
  give_back(context, loan);
}

void what_was_enqueued_outside_of_the_capture_is_waited_for(void**) {
  skip_where_nobody_tells();
  const cadastre_context context = cuda_context();
  const Stream queue;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1024), CADASTRE_SUCCESS);
  Recorded recorded(context, queue, 1024);
  const Loan plain = acquire(context, device_memory, {1024}, queue);
  start_kernel(context, queue, plain[0], 1024, 3);
  give_back(context, plain);
  recorded.end();
  cuda_double().forget_calls();
  comes_after(context, queue, 1024);
  if (spoken().objects_outlive_launches) assert_int_equal(calls({"cudaDeviceSynchronize"}), 0);
  destroy(context);
  assert_int_equal(census().events, 0);
}

void a_launch_that_no_object_outlives_is_waited_for(void**) {
  skip_where_nobody_tells();
  if (spoken().objects_outlive_launches) skip_because("CUDA keeps the user objects of a graph for its launches");
  const cadastre_context context = cuda_context();
  const Stream queue, launched_on;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1024), CADASTRE_SUCCESS);
  Recorded recorded(context, queue, 1024);
  assert_int_equal(cuda("cudaGraphLaunch", recorded.executable, launched_on.stream), 0);
  recorded.end();
  comes_after(context, launched_on, 1024);
  destroy(context);
}

void what_was_enqueued_between_two_captures_is_waited_for(void**) {
  skip_where_nobody_tells();
  const cadastre_context context = cuda_context();
  const Stream queue;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1024), CADASTRE_SUCCESS);
  queue.begin_capture();
  const Loan loan = acquire(context, device_memory, {1024}, queue);
  void* const first = queue.end_capture();
  start_kernel(context, queue, loan[0], 1024, 3);
  queue.begin_capture();
  give_back(context, loan);
  cuda("cudaGraphDestroy", queue.end_capture());
  cuda("cudaGraphDestroy", first);
  await_destructors();
  comes_after(context, queue, 1024);
  destroy(context);
}

void what_was_enqueued_before_the_capture_is_waited_for(void**) {
  skip_where_nobody_tells();
  for (const bool is_released_before : {true, false}) {
    const cadastre_context context = cuda_context();
    const Stream queue;
    assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1024), CADASTRE_SUCCESS);
    const Loan plain = acquire(context, device_memory, {1024}, queue);
    start_kernel(context, queue, plain[0], 1024, 3);
    if (is_released_before) give_back(context, plain);
    queue.begin_capture();
    if (is_released_before) give_back(context, acquire(context, device_memory, {1024}, queue));
    else give_back(context, plain);
    cuda("cudaGraphDestroy", queue.end_capture());
    await_destructors();
    comes_after(context, queue, 1024);
    destroy(context);
  }
}

void a_graph_may_outlive_its_context(void**) {
  skip_where_nobody_tells();
  const Stream queue;
  for (const bool is_held : {false, true}) {
    const cadastre_context context = cuda_context();
    assert_non_null(gets(context, queue, 1024));
    Recorded recorded(context, queue, 1024);
    if (is_held && cuda_double()) {
      const Held held;
      recorded.end_executable();
      recorded.end_graph();
      destroy(context);
      assert_int_equal(graph_marks_in_use(), 1);
    } else {
      destroy(context);
      assert_int_equal(graph_marks_in_use(), 1);
      recorded.end();
    }
    assert_int_equal(graph_marks_in_use(), 0);
  }
  assert_int_equal(cuda_double() ? cuda_double().objects() : 0, 0);
}

void what_was_released_before_its_graph_is_not_released_again(void**) {
  skip_where_nobody_tells();
  skip_without_the_double(calls_are_counted);
  const cadastre_context context = cuda_context();
  const Stream queue, other;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1024), CADASTRE_SUCCESS);
  Recorded first(context, queue, 1024);
  const Held held;
  first.end_executable();
  first.end_graph();
  assert_int_equal(cadastre_workspace_release_captured(context, device_memory, queue), CADASTRE_SUCCESS);
  give_back(context, acquire(context, device_memory, {1024}, queue));
  Recorded second(context, queue, 1024);
  held.let_go();
  assert_refused(context, try_acquire(context, device_memory, {1024}, other).code, CADASTRE_LIMIT_EXCEEDED,
                 CADASTRE_REASON_WORKSPACE_TOO_SMALL);
  second.end();
  give_back(context, acquire(context, device_memory, {1024}, other));
  destroy(context);
  assert_int_equal(graph_marks_in_use(), 0);
}

// An object that is neither given to the graph nor released is the vendor's for ever, and so is its mark.
void where_a_call_fails_memory_stays_until_the_program_says_so(void**) {
  skip_where_nobody_tells();
  skip_without_the_double(calls_fail);
  for (const char* const routine : {"cudaStreamGetCaptureInfo", "cudaUserObjectCreate", "cudaGraphRetainUserObject"}) {
    for (const long which : {1L, 2L}) {
      const cadastre_context context = cuda_context();
      const Stream queue, other;
      assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1024), CADASTRE_SUCCESS);
      cuda_double().fail(routine, which, 1, unknown_error);
      queue.begin_capture();
      const Loan loan = acquire(context, device_memory, {1024}, queue);
      nothing_fails();
      assert_int_equal(cuda("cudaGetLastError"), 0);
      cuda_double().fail(routine, which, 1, unknown_error);
      give_back(context, loan);
      nothing_fails();
      cuda("cudaGraphDestroy", queue.end_capture());
      await_destructors();
      const bool failed = which == 1 || std::string(routine) == "cudaStreamGetCaptureInfo";
      const cadastre_exit_code expected = failed ? CADASTRE_LIMIT_EXCEEDED : CADASTRE_SUCCESS;
      const Loan elsewhere = try_acquire(context, device_memory, {1024}, other);
      assert_int_equal(elsewhere.code, expected);
      if (elsewhere.code == CADASTRE_SUCCESS) give_back(context, elsewhere);
      assert_int_equal(cadastre_workspace_release_captured(context, device_memory, queue), CADASTRE_SUCCESS);
      give_back(context, acquire(context, device_memory, {1024}, other));
      destroy(context);
      assert_int_equal(graph_marks_in_use(), 0);
      assert_int_equal(cuda_double().objects(), 0);
    }
  }
}

void a_hundred_graphs_have_a_mark_each(void**) {
  skip_where_nobody_tells();
  const cadastre_context context = cuda_context();
  const Stream queue, other;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1024), CADASTRE_SUCCESS);
  std::vector<Recorded> graphs;
  for (int i = 0; i < 100; ++i) graphs.emplace_back(context, queue, 1024);
  assert_int_equal(graph_marks_in_use(), 100);
  for (Recorded& graph : graphs) {
    assert_int_equal(try_acquire(context, device_memory, {1024}, other).code, CADASTRE_LIMIT_EXCEEDED);
    graph.end();
  }
  give_back(context, acquire(context, device_memory, {1024}, other));
  assert_int_equal(graph_marks_in_use(), 0);
  destroy(context);
}

void a_capture_that_nobody_sees_goes_on_while_the_device_is_waited_for(void**) {
  skip_where_nobody_tells();
  const cadastre_context context = cuda_context();
  const Stream queue, captured, other;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1024), CADASTRE_SUCCESS);
  Recorded recorded(context, queue, 1024);
  recorded.end();
  void* graph = nullptr;
  assert_int_equal(cuda("cudaStreamBeginCapture", captured.stream, capture_relaxed), 0);
  give_back(context, acquire(context, device_memory, {1024}, other));
  assert_int_equal(cuda("cudaStreamEndCapture", captured.stream, &graph), 0);
  assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
  destroy(context);
}

void threads_capture_and_destroy_at_a_time(void**) {
  skip_where_nobody_tells();
  const cadastre_context context = cuda_context();
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 8192), CADASTRE_SUCCESS);
  std::atomic<int> failed = 0;
  const auto work = [&] {
    void* stream = nullptr;
    if (cuda("cudaStreamCreateWithFlags", &stream, non_blocking_stream) != 0) ++failed;
    for (int round = 0; round < 50; ++round) {
      const std::size_t bytes = 512;
      void *memory = nullptr, *graph = nullptr;
      cadastre_lease lease = CADASTRE_NULL_LEASE;
      if (cuda("cudaStreamBeginCapture", stream, capture_relaxed) != 0) ++failed;
      const cadastre_exit_code code = cadastre_workspace_acquire_on_queue(context, device_memory, stream, 1, &bytes, &memory, &lease);
      if (code == CADASTRE_SUCCESS && cadastre_workspace_release(context, lease) != CADASTRE_SUCCESS) ++failed;
      if (cuda("cudaStreamEndCapture", stream, &graph) != 0) ++failed;
      if (graph && cuda("cudaGraphDestroy", graph) != 0) ++failed;
      const cadastre_exit_code plain = cadastre_workspace_acquire_on_queue(context, device_memory, stream, 1, &bytes, &memory, &lease);
      if (plain == CADASTRE_SUCCESS && cadastre_workspace_release(context, lease) != CADASTRE_SUCCESS) ++failed;
    }
    if (cuda("cudaStreamSynchronize", stream) != 0 || cuda("cudaStreamDestroy", stream) != 0) ++failed;
  };
  std::thread first(work), second(work), third(work);
  first.join();
  second.join();
  third.join();
  assert_int_equal(failed.load(), 0);
  await_destructors();
  give_back(context, acquire(context, device_memory, {8192}));
  destroy(context);
  await_destructors();
  assert_int_equal(graph_marks_in_use(), 0);
}

}  // namespace

std::vector<CMUnitTest> graph_claims() {
  return {
      cmocka_unit_test(memory_is_given_back_when_graph_copy_and_executable_are_gone),
      cmocka_unit_test(memory_stays_while_a_launch_is_at_work),
      cmocka_unit_test(each_capture_has_its_own_and_both_must_be_gone),
      cmocka_unit_test(a_part_of_an_explicit_size_is_given_back),
      cmocka_unit_test(what_is_not_kept_is_freed_by_the_next_release),
      cmocka_unit_test(a_capture_that_was_spoilt_keeps_nothing),
      cmocka_unit_test(idle_memory_of_graphs_that_are_gone_is_given_up),
      cmocka_unit_test(what_was_enqueued_outside_of_the_capture_is_waited_for),
      cmocka_unit_test(a_launch_that_no_object_outlives_is_waited_for),
      cmocka_unit_test(what_was_enqueued_between_two_captures_is_waited_for),
      cmocka_unit_test(what_was_enqueued_before_the_capture_is_waited_for),
      cmocka_unit_test(a_graph_may_outlive_its_context),
      cmocka_unit_test(what_was_released_before_its_graph_is_not_released_again),
      cmocka_unit_test(where_a_call_fails_memory_stays_until_the_program_says_so),
      cmocka_unit_test(a_hundred_graphs_have_a_mark_each),
      cmocka_unit_test(a_capture_that_nobody_sees_goes_on_while_the_device_is_waited_for),
      cmocka_unit_test(threads_capture_and_destroy_at_a_time),
  };
}

}  // namespace cadastre::internal
