// Tangled from org/lending.org; change the chapter, then run: make tangle
#include <array>
#include <cstdlib>
#include <thread>
#include <utility>

#include "config.h"
#include "cuda_double.hpp"
#include "environment.hpp"
#include "lending_claims.hpp"

using namespace cadastre::internal;

namespace {

constexpr cadastre_memory_type device_memory = CADASTRE_DEVICE;

constexpr unsigned blocking_stream = 0, non_blocking_stream = 1, attach_globally = 1;
constexpr int capture_global = 0, capture_in_thread = 1, capture_relaxed = 2;
constexpr std::array capture_modes = {capture_global, capture_in_thread, capture_relaxed};
constexpr int unknown_error = 999;
const cadastre_queue queue_of_the_thread = queue_number(2);

void skip_where_queues_have_no_identity() {
  if (!is_cuda_from(12000)) skip_because("a runtime before version 12 does not tell a new queue from an old one that had its number");
}

void skip_without_devices(std::int32_t wanted = 1) {
  const Presence presence = presence_of(spoken().backend);
  if (!presence.usable) skip_because(presence.problem);
  if (presence.devices < wanted) skip_because("this needs a second device");
}

// For claims that count calls which have to be made, let calls fail, or use what on a GPU nobody can promise.
void skip_without_the_double(const char* why) {
  skip_without_devices();
  if (!cuda_double()) skip_because(why);
}
constexpr const char* calls_are_counted = "only the double of CUDA counts the calls that have to be made here";
constexpr const char* calls_fail = "only the double of CUDA lets a call fail";

cadastre_context cuda_context(std::int32_t device = 0) {
  skip_without_devices(device + 1);
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = spoken().backend;
  options.device = CADASTRE_DEVICE_BY_ID(device);
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  return context;
}

struct Stream {
  void* stream = nullptr;
  explicit Stream(unsigned flags = non_blocking_stream) {
    skip_without_devices();
    assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, flags), 0);
  }
  ~Stream() { cuda("cudaStreamDestroy", stream); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cadastre_queue() const { return stream; }
  void synchronize() const { assert_int_equal(cuda("cudaStreamSynchronize", stream), 0); }
  void begin_capture(int mode = capture_global) const {
    assert_int_equal(cuda("cudaStreamBeginCapture", stream, mode), 0);
  }
  void* end_capture() const {
    void* graph = nullptr;
    assert_int_equal(cuda("cudaStreamEndCapture", stream, &graph), 0);
    return graph;
  }
};

// A kernel that writes a value, whenever its queue comes to it.
void start_kernel(cadastre_context context, cadastre_queue queue, void* pointer, std::size_t size, int value) {
  assert_int_equal(cadastre_memset_async(context, pointer, value, size, queue), CADASTRE_SUCCESS);
}

int first_byte(const void* pointer) { return cuda_double().first_byte(pointer); }
cuda_double_census census() { return cuda_double().census(); }

void nothing_fails() { cuda_double().fail(nullptr, 1, 0, 0); }

long calls(std::initializer_list<const char*> routines) {
  long sum = 0;
  for (const char* const routine : routines) sum += cuda_double().calls_of(routine);
  return sum;
}
long allocations_and_frees() {
  return calls({"cudaMalloc", "cudaFree", "cudaMallocAsync", "cudaFreeAsync", "cudaHostAlloc", "cudaFreeHost",
                "cudaMallocManaged"});
}
long synchronizations() {
  return calls({"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize"});
}

// One lessee after the other writes to the same memory; the last one's value must be there.
void lend_after(cadastre_context context, cadastre_queue first, cadastre_queue second) {
  Loan loan = lend(context, device_memory, {1000}, first);
  const void* const memory = loan[0];
  start_kernel(context, first, loan[0], 1000, 1);
  give_back(context, loan);
  cuda_double().forget_calls();
  loan = lend(context, device_memory, {1000}, second);
  assert_ptr_equal(loan[0], memory);
  assert_int_equal(synchronizations() + allocations_and_frees(), 0);
  start_kernel(context, second, loan[0], 1000, 2);
  assert_int_equal(cadastre_synchronize(context, second), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_synchronize(context, first), CADASTRE_SUCCESS);
  assert_int_equal(first_byte(memory), 2);
  give_back(context, loan);
}

void a_lend_on_another_queue_waits_for_the_first_ones_event(void**) {
  const cadastre_context context = cuda_context();
  const Stream a, b;
  for (int round = 1; round < 4; ++round) {
    lend_after(context, a, b);
    assert_int_equal(info_of(context, device_memory).waits, 2 * round - 1);
    give_back(context, lend(context, device_memory, {10}, a));
  }
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 5000), CADASTRE_SUCCESS);
  lend_after(context, b, a);
  destroy(context);
}

void a_lend_on_the_default_queue_or_after_it_waits_as_well(void**) {
  const cadastre_context context = cuda_context();
  const Stream a;
  lend_after(context, CADASTRE_DEFAULT_QUEUE, a);
  lend_after(context, a, CADASTRE_DEFAULT_QUEUE);
  lend_after(context, CADASTRE_DEFAULT_QUEUE, a);
  destroy(context);
}

// cudaStreamPerThread is one number, and a queue of each thread.
void a_number_that_another_queue_has_now_is_waited_for(void**) {
  const cadastre_context context = cuda_context();
  void* memory = nullptr;
  std::thread([&] {
    const Loan loan = try_lend(context, device_memory, {1000}, queue_of_the_thread);
    memory = loan[0];
    cadastre_memset_async(context, memory, 1, 1000, queue_of_the_thread);
    cadastre_workspace_release(context, loan.lease);
  }).join();
  const Loan loan = lend(context, device_memory, {1000}, queue_of_the_thread);
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
  give_back(context, lend(context, device_memory, {1000}));
  cuda_double().forget_calls();
  for (int round = 0; round < 3; ++round) give_back(context, lend(context, device_memory, {1000}));
  assert_int_equal(calls({"cudaEventRecord", "cudaStreamWaitEvent"}) + synchronizations(), 0);
  give_back(context, lend(context, device_memory, {1000}, a));
  give_back(context, lend(context, device_memory, {1000}, a));
  assert_int_equal(info_of(context, device_memory).waits, 1);
  assert_int_equal(synchronizations(), 0);
  destroy(context);
}

void two_queues_of_one_thread_at_once_have_memory_of_their_own(void**) {
  const cadastre_context context = cuda_context();
  const Stream a, b;
  const Loan on_a = lend(context, device_memory, {1000}, a), on_b = lend(context, device_memory, {1000}, b);
  const Loan more_on_a = lend(context, device_memory, {1000}, a);
  assert_true(on_a[0] != on_b[0] && more_on_a[0] != on_b[0]);
  assert_int_equal(info_of(context, device_memory).workspace_count, 2);
  give_back(context, on_b);
  assert_int_equal(cadastre_workspace_release(context, on_a.lease), CADASTRE_LEASE_OUT_OF_ORDER);
  give_back(context, more_on_a);
  give_back(context, on_a);
  destroy(context);
  assert_int_equal(census().blocks, 0);
  assert_int_equal(census().events, 0);
}

void an_explicit_size_is_one_workspace_for_one_queue_at_a_time(void**) {
  const cadastre_context context = cuda_context();
  const Stream a, b;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 5000), CADASTRE_SUCCESS);
  const Loan on_a = lend(context, device_memory, {100}, a);
  assert_refused(context, try_lend(context, device_memory, {100}, b).code, CADASTRE_LIMIT_EXCEEDED,
                 CADASTRE_REASON_WORKSPACE_BUSY);
  give_back(context, on_a);
  give_back(context, lend(context, device_memory, {100}, b));
  destroy(context);
}

// What a pool hands out is there in the order of one queue only.
void memory_of_a_pool_is_there_on_the_queue_it_is_lent_on(void**) {
  for (const std::size_t size : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{4096}, CADASTRE_WORKSPACE_PER_LEASE}) {
    skip_without_devices();
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = spoken().backend;
    options.pool = CADASTRE_POOL_VENDOR;
    const cadastre_context context = cadastre_context_create_with_options(&options);
    assert_true(context != CADASTRE_NULL_CONTEXT);
    const Stream a, b;
    assert_int_equal(cadastre_context_set_default_queue(context, a), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_workspace_set_size(context, device_memory, size), CADASTRE_SUCCESS);
    const Loan loan = lend(context, device_memory, {4096}, b);
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
  give_back(context, lend(context, device_memory, {2000}));
  const Loan outer = lend(context, device_memory, {1000}), inner = lend(context, device_memory, {100}, a);
  assert_int_equal(info_of(context, device_memory).workspace_count, 1);
  assert_int_equal(cadastre_context_set_default_queue(context, b), CADASTRE_SUCCESS);
  give_back(context, inner);
  start_kernel(context, a, outer[0], 1000, 1);
  give_back(context, outer);  // on the queue that it was lent on
  const Loan next = lend(context, device_memory, {1000});
  assert_ptr_equal(next[0], outer[0]);
  start_kernel(context, b, next[0], 1000, 2);
  b.synchronize();
  a.synchronize();
  assert_int_equal(first_byte(next[0]), 2);
  give_back(context, next);
  destroy(context);
}

void the_old_block_is_freed_only_after_its_queue_is_done(void**) {
  const Stream a, b;
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_HOST, CADASTRE_PINNED}) {
    for (const cadastre_queue next : {cadastre_queue{a}, cadastre_queue{b}, CADASTRE_DEFAULT_QUEUE}) {
      const cadastre_context context = cuda_context();
      void* const target = block(context, request(CADASTRE_DEVICE, 1000));
      Loan loan = lend(context, type, {1000}, a);
      assert_int_equal(cadastre_memset(context, loan[0], 7, 1000), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_memcpy_async(context, target, loan[0], 1000, a), CADASTRE_SUCCESS);
      give_back(context, loan);
      cuda_double().forget_calls();
      loan = lend(context, type, {9000}, next);
      assert_true(!cuda_double() || calls({"cudaEventSynchronize"}) > 0);
      assert_int_equal(first_byte(target), 7);
      give_back(context, loan);
      destroy(context);
    }
  }
  assert_int_equal(census().blocks, 0);
}

// The C library frees at once; so the library waits first.
void memory_of_the_host_is_not_freed_under_a_queue(void**) {
  skip_without_the_double(calls_are_counted);
  const Stream a;
  const cadastre_context context = cuda_context();
  assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_HOST, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
  const Loan loan = lend(context, CADASTRE_HOST, {1000}, a);
  cuda_double().forget_calls();
  give_back(context, loan);
  assert_true(synchronizations() > 0);
  lend(context, CADASTRE_HOST, {1000}, a);
  cuda_double().forget_calls();
  destroy(context);  // with a lease alive
  assert_true(synchronizations() > 0);
}

void stream_ordered_memory_is_freed_on_the_queue_that_was_the_default(void**) {
  skip_without_the_double(calls_are_counted);
  const cadastre_context context = cuda_context();
  const Stream a;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_STREAM_ORDERED),
      CADASTRE_SUCCESS);
  const Loan loan = lend(context, device_memory, {1000});
  start_kernel(context, CADASTRE_DEFAULT_QUEUE, loan[0], 1000, 1);
  assert_int_equal(cadastre_context_set_default_queue(context, a), CADASTRE_SUCCESS);
  cuda_double().forget_calls();
  give_back(context, loan);  // the queue has no name any more, so the device is waited for
  assert_int_equal(calls({"cudaFreeAsync"}), 0);
  assert_true(calls({"cudaDeviceSynchronize"}) > 0);
  destroy(context);
}

void stream_ordered_memory_is_allocated_and_freed_in_the_order_of_the_queue(void**) {
  skip_without_the_double(calls_are_counted);
  const cadastre_context context = cuda_context();
  const Stream a;
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_STREAM_ORDERED),
      CADASTRE_SUCCESS);
  cuda_double().forget_calls();
  for (const cadastre_queue queue : {cadastre_queue{a}, CADASTRE_DEFAULT_QUEUE}) {
    for (int round = 0; round < 3; ++round) {
      const Loan outer = lend(context, device_memory, {1000}, queue);
      const Loan inner = lend(context, device_memory, {100}, queue);
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
  for (const cadastre_queue queue : {CADASTRE_DEFAULT_QUEUE, cadastre_queue{a}, cadastre_queue{b},
      CADASTRE_DEFAULT_QUEUE,
                                     cadastre_queue{b}}) {
    const Loan outer = lend(context, device_memory, {1000, 0, 50}, queue);
    start_kernel(context, queue, outer[0], 1000, 1);
    const Loan inner = lend(context, device_memory, {2000}, queue);
    assert_int_equal(try_lend(context, device_memory, {1 << 20}, queue).code, CADASTRE_LIMIT_EXCEEDED);
    give_back(context, inner);
    give_back(context, outer);
    assert_int_equal(try_lend(context, device_memory, {1 << 20}, queue).code, CADASTRE_LIMIT_EXCEEDED);
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

// What was lent there would be memory of another device, or in no order with it.
void a_lend_on_another_devices_queue_is_refused(void**) {
  const cadastre_context context = cuda_context(0);
  assert_int_equal(cuda("cudaSetDevice", 1), 0);
  const Stream theirs;
  assert_int_equal(cuda("cudaSetDevice", 0), 0);
  const Stream ours;
  give_back(context, lend(context, device_memory, {1000}, ours));
  const cuda_double_census before = census();
  const long allocated = allocations_and_frees();
  for (const std::size_t bytes : {std::size_t{1000}, std::size_t{1} << 20}) {
    for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED}) {
      assert_refused(context, try_lend(context, type, {bytes}, theirs).code, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WRONG_QUEUE_DEVICE);
      assert_non_null(std::strstr(last(context).message, "of device 1 "));
      assert_non_null(std::strstr(last(context).message, "of device 0;"));
    }
  }
  assert_int_equal(cadastre_context_set_default_queue(context, theirs), CADASTRE_SUCCESS);
  void* pointer = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  const std::size_t size = 1000;
  assert_refused(context, cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &size, &pointer, &lease), CADASTRE_FAILURE, CADASTRE_REASON_WRONG_QUEUE_DEVICE);
  assert_null(pointer);
  assert_int_equal(lease, CADASTRE_NULL_LEASE);
  assert_int_equal(cadastre_context_set_default_queue(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_int_equal(allocations_and_frees(), allocated);
  const cuda_double_census after = census();
  assert_memory_equal(&before, &after, sizeof before);
  const cadastre_context there = cuda_context(1);
  give_back(there, lend(there, device_memory, {1000}, theirs));
  assert_refused(there, try_lend(there, device_memory, {1000}, ours).code, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WRONG_QUEUE_DEVICE);
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
  const Loan loan = lend(context, device_memory, {1000});
  assert_true(unchanged());
  assert_int_equal(info_of(context, device_memory).device_id, 1);
  give_back(context, loan);
  const Loan other = lend(context, device_memory, {9000}, queue);
  start_kernel(context, queue, other[0], 9000, 1);
  give_back(context, other);
  lend_after(context, queue, CADASTRE_DEFAULT_QUEUE);
  assert_true(unchanged());
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 100), CADASTRE_SUCCESS);
  assert_true(unchanged());
  destroy(context);
  assert_true(unchanged());
}

void a_captured_queue_gets_what_is_there_and_nothing_is_allocated_or_synchronized(void**) {
  const Stream queue, other;
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{2048}, CADASTRE_WORKSPACE_PER_LEASE,
      CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    const cadastre_context context = cuda_context();
    assert_int_equal(cadastre_workspace_set_size(context, device_memory, scheme), CADASTRE_SUCCESS);
    const bool kept = scheme == CADASTRE_WORKSPACE_AUTOMATIC || scheme == 2048;
    give_back(context, lend(context, device_memory, {2048}, queue));
    queue.begin_capture();
    cuda_double().forget_calls();
    const Books before = books_of(context, device_memory);
    assert_refused(context, try_lend(context, device_memory, {4096}, queue).code, CADASTRE_CAPTURE_ACTIVE,
                   CADASTRE_REASON_CAPTURE_ACTIVE);
    assert_unchanged(context, device_memory, before);
    give_back(context, lend(context, device_memory, {0}, queue));
    const Loan loan = try_lend(context, device_memory, {1000}, queue);
    assert_int_equal(loan.code, kept ? CADASTRE_SUCCESS : CADASTRE_CAPTURE_ACTIVE);
    if (kept) {
      start_kernel(context, queue, loan[0], 1000, 1);
      const Loan inner = lend(context, device_memory, {500}, queue);
      assert_refused(context, try_lend(context, device_memory, {1000}, queue).code, CADASTRE_CAPTURE_ACTIVE,
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

void what_was_lent_in_a_capture_stays_where_it_is_and_with_its_queue(void**) {
  const cadastre_context context = cuda_context();
  const Stream queue, other;
  give_back(context, lend(context, device_memory, {1024}, other));
  queue.begin_capture();  // what was lent on another queue before is not for this one
  assert_int_equal(try_lend(context, device_memory, {1000}, queue).code, CADASTRE_CAPTURE_ACTIVE);
  cuda("cudaGraphDestroy", queue.end_capture());
  give_back(context, lend(context, device_memory, {1024}, queue));
  queue.begin_capture();
  const Loan captured = lend(context, device_memory, {1024}, queue);
  start_kernel(context, queue, captured[0], 1024, 9);
  give_back(context, captured);
  const void* graph = queue.end_capture();
  void* executable = nullptr;
  assert_int_equal(cuda("cudaGraphInstantiateWithFlags", &executable, graph, 0ULL), 0);
  const Loan elsewhere = lend(context, device_memory, {1024}, other);
  assert_true(elsewhere[0] != captured[0]);
  give_back(context, elsewhere);
  const Loan larger = lend(context, device_memory, {9000}, queue);  // the address in the graph is still there
  start_kernel(context, queue, larger[0], 9000, 3);
  assert_int_equal(cuda("cudaGraphLaunch", executable, queue.stream), 0);
  queue.synchronize();
  assert_int_equal(first_byte(captured[0]), 9);
  assert_int_equal(first_byte(larger[0]), 3);
  give_back(context, larger);
  const Books before = books_of(context, device_memory);
  for (int round = 0; round < 3; ++round) give_back(context, lend(context, device_memory, {1024}, queue));
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
  give_back(context, lend(context, device_memory, {1024}, queue));
  queue.begin_capture();
  const Loan captured = lend(context, device_memory, {1024}, queue);
  start_kernel(context, queue, captured[0], 1024, 9);
  void* const graph = queue.end_capture();
  give_back(context, captured);
  const Loan larger = lend(context, device_memory, {9000}, queue);
  const Loan elsewhere = lend(context, device_memory, {1024}, other);
  assert_true(elsewhere[0] != captured[0]);
  assert_int_not_equal(first_byte(captured[0]), -1);
  assert_int_equal(statistics_of(context, device_memory).live_blocks, 3);
  give_back(context, elsewhere);
  give_back(context, larger);
  cuda("cudaGraphDestroy", graph);
  destroy(context);
}

// The vendor gives the handle of the stream that was destroyed to the next.
void what_a_graph_has_is_not_lent_on_a_new_queue_with_an_old_number(void**) {
  skip_where_queues_have_no_identity();
  const cadastre_context context = cuda_context();
  void* executable = nullptr;
  void* number = nullptr;
  {
    const Stream gone;
    number = gone.stream;
    give_back(context, lend(context, device_memory, {1024}, gone));
    gone.begin_capture();
    const Loan captured = lend(context, device_memory, {1024}, gone);
    start_kernel(context, gone, captured[0], 1024, 9);
    give_back(context, captured);
    void* const graph = gone.end_capture();
    assert_int_equal(cuda("cudaGraphInstantiateWithFlags", &executable, graph, 0ULL), 0);
    cuda("cudaGraphDestroy", graph);
    assert_int_equal(cuda("cudaGraphLaunch", executable, gone.stream), 0);
  }
  const Stream next;
  if (cuda_double()) assert_ptr_equal(next.stream, number);  // on a GPU it may be another, which is easier
  const Loan loan = lend(context, device_memory, {1024}, next);
  start_kernel(context, next, loan[0], 1024, 7);
  next.synchronize();
  assert_int_equal(cuda("cudaDeviceSynchronize"), 0);
  assert_int_equal(first_byte(loan[0]), 7);
  give_back(context, loan);
  cuda("cudaGraphExecDestroy", executable);
  destroy(context);
}

void a_capture_on_a_new_queue_with_an_old_number_gets_nothing_of_the_old_ones(void**) {
  skip_where_queues_have_no_identity();
  const cadastre_context context = cuda_context();
  void* number = nullptr;
  {
    const Stream gone;
    number = gone.stream;
    const Loan loan = lend(context, device_memory, {1024}, gone);
    start_kernel(context, gone, loan[0], 1024, 9);
    give_back(context, loan);
  }
  const Stream next;
  if (cuda_double()) assert_ptr_equal(next.stream, number);  // on a GPU it may be another, which is easier
  next.begin_capture();
  assert_refused(context, try_lend(context, device_memory, {1024}, next).code, CADASTRE_CAPTURE_ACTIVE, CADASTRE_REASON_CAPTURE_ACTIVE);
  cuda("cudaGraphDestroy", next.end_capture());
  give_back(context, lend(context, device_memory, {1024}, next));
  next.begin_capture();
  give_back(context, lend(context, device_memory, {1024}, next));
  cuda("cudaGraphDestroy", next.end_capture());
  destroy(context);
}

void what_each_lend_allocated_is_not_freed_in_a_capture(void**) {
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_HOST}) {
      const cadastre_context context = cuda_context();
      const Stream queue;
      assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
      const Loan loan = lend(context, type, {1000}, queue);
      queue.begin_capture();
      start_kernel(context, queue, block(context, request(CADASTRE_HOST, 1)), 0, 1);
      give_back(context, loan);
      cuda("cudaGraphDestroy", queue.end_capture());
      assert_int_equal(info_of(context, type).used_bytes, 0);
      const Loan next = lend(context, type, {1000}, queue);
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
  give_back(context, lend(context, device_memory, {1000}));
  void* const own = block(context, request(CADASTRE_DEVICE, 1024));
  blocking.begin_capture(capture_in_thread);
  // The default queue cannot be asked for an event, nor waited for, without spoiling the capture.
  assert_refused(context, try_lend(context, device_memory, {1000}, other).code, CADASTRE_CAPTURE_ACTIVE,
                 CADASTRE_REASON_CAPTURE_ACTIVE);
  assert_refused(context, cadastre_workspace_set_size(context, device_memory, 50), CADASTRE_CAPTURE_ACTIVE,
                 CADASTRE_REASON_CAPTURE_ACTIVE);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, own, 1024), CADASTRE_CAPTURE_ACTIVE);
  cuda("cudaGraphDestroy", blocking.end_capture());
  give_back(context, lend(context, device_memory, {1000}, other));
  other.begin_capture();
  const Loan beside = lend(context, device_memory, {1000}, other);
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
      give_back(context, lend(context, device_memory, {1000}, other));
      const Books before = books_of(context, device_memory);
      blocking.begin_capture(mode);
      assert_refused(context, try_lend(context, device_memory, {100000}, other).code, CADASTRE_CAPTURE_ACTIVE,
                     CADASTRE_REASON_CAPTURE_ACTIVE);
      assert_unchanged(context, device_memory, before);
      cuda("cudaGraphDestroy", blocking.end_capture());
      give_back(context, lend(context, device_memory, {100000}, other));
      assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
      const Loan loan = lend(context, device_memory, {1000}, other);
      blocking.begin_capture(mode);
      give_back(context, loan);
      cuda("cudaGraphDestroy", blocking.end_capture());
      assert_int_equal(statistics_of(context, device_memory).live_blocks, 1);
      give_back(context, lend(context, device_memory, {1000}, other));
      assert_int_equal(statistics_of(context, device_memory).live_blocks, 0);
    }
    destroy(context);
  }
  assert_int_equal(census().blocks, 0);
}

cadastre_context cuda_context_with(cadastre_pool pool) {
  skip_without_devices();
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = spoken().backend;
  options.pool = pool;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  return context;
}

void assert_captured(cadastre_context context, cadastre_exit_code code) {
  assert_refused(context, code, CADASTRE_CAPTURE_ACTIVE, CADASTRE_REASON_CAPTURE_ACTIVE);
}

void refuse_to_free_in_a_capture(cadastre_pool pool, cadastre_memory_type type, int mode) {
  const cadastre_context context = cuda_context_with(pool);
  {
    const Stream captured(blocking_stream);
    void *const kept = block(context, request(type, 5000)), *const other = block(context, request(type, 5000));
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
      for (const int mode : capture_modes) refuse_to_free_in_a_capture(pool, type, mode);
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
      give_back(context, lend(context, type, {5000}));
      captured.begin_capture(mode);
      assert_int_equal(cadastre_free(context, one), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_free_async(context, other, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
      give_back(context, lend(context, type, {50000}));
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

// Where CUDA's free does not wait, or nothing is freed, the device has to be asked, which spoils that capture.
void a_capture_that_nobody_sees_costs_no_block(void**) {
  constexpr int invalidated = 901;
  const std::pair<cadastre_pool, cadastre_memory_type> that_wait[] = {{CADASTRE_POOL_NONE, CADASTRE_PINNED},
                                                                      {CADASTRE_POOL_VENDOR, CADASTRE_DEVICE},
                                                                      {CADASTRE_POOL_CACHING, CADASTRE_DEVICE}};
  for (const auto& [pool, type] : that_wait) {
    for (const int mode : capture_modes) {
      const cadastre_context context = cuda_context_with(pool);
      {
        const Stream captured;
        void* const kept = block(context, request(type, 5000));
        void* graph = nullptr;
        captured.begin_capture(mode);
        assert_captured(context, cadastre_free(context, kept));
        assert_captured(context, cadastre_context_destroy(context));
        assert_int_equal(cuda("cudaStreamEndCapture", captured.stream, &graph), invalidated);
        assert_int_equal(statistics_of(context, type).live_blocks, 1);
        assert_int_equal(cadastre_free(context, kept), CADASTRE_SUCCESS);
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
        if (pool == CADASTRE_POOL_VENDOR && captured == cadastre_queue(blocking)) continue;  // the default queue cannot be used then
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

void user_owned_memory_of_the_vendor_is_checked(void**) {
  skip_without_the_double("a GPU's driver may say of an address behind a block that it is memory of the device");
  const cadastre_context context = cuda_context();
  const auto set = [=](void* buffer, std::size_t bytes, cadastre_memory_type type = CADASTRE_DEVICE) {
    return cadastre_workspace_set_buffer(context, type, buffer, bytes);
  };
  std::byte *own = nullptr, *far = nullptr, *managed = nullptr, *pinned = nullptr;
  assert_int_equal(cuda("cudaMalloc", reinterpret_cast<void**>(&own), std::size_t{8192}), 0);
  assert_int_equal(cuda("cudaMallocManaged", reinterpret_cast<void**>(&managed), std::size_t{8192}, attach_globally),
      0);
  assert_int_equal(cuda("cudaMallocHost", reinterpret_cast<void**>(&pinned), std::size_t{8192}), 0);
  assert_int_equal(cuda("cudaSetDevice", 1), 0);
  assert_int_equal(cuda("cudaMalloc", reinterpret_cast<void**>(&far), std::size_t{8192}), 0);
  assert_int_equal(cuda("cudaSetDevice", 0), 0);
  const Books before = books_of(context, device_memory);
  assert_refused(context, set(far, 8192), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, "device 1"));
  assert_refused(context, set(own + 8, 256), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_MISALIGNED);
  assert_refused(context, set(own, 8193), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_refused(context, set(own + 256, 8192), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_refused(context, set(own, 255), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_UNSUITABLE_BUFFER);
  alignas(4096) static unsigned char plain[4096];
  assert_refused(context, set(plain, 4096), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, on_hip() ? "to the hip backend, they are not its memory"
                                                               : "to the cuda backend, they are not its memory"));
  assert_refused(context, set(managed, 8192), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, "they are UVM memory, and the workspace is one of DEVICE memory"));
  assert_unchanged(context, device_memory, before);
  const cadastre_context there = cuda_context(1);
  assert_int_equal(cadastre_workspace_set_buffer(there, CADASTRE_DEVICE, own, 8192), CADASTRE_INVALID_ARG_3);
  void* const theirs = block(there, request(CADASTRE_DEVICE, 8192));
  assert_refused(context, set(theirs, 8192), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  void* const here_and_far = block(context, request(CADASTRE_DEVICE, 8192, 1));
  assert_refused(context, set(here_and_far, 8192), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  destroy(there);
  assert_int_equal(set(own + 256, 7936), CADASTRE_SUCCESS);
  assert_int_equal(info_of(context, CADASTRE_DEVICE).scheme, CADASTRE_WORKSPACE_SCHEME_USER_OWNED);
  assert_int_equal(set(managed, 8192, CADASTRE_UVM), CADASTRE_SUCCESS);
  assert_int_equal(info_of(context, CADASTRE_UVM).scheme, CADASTRE_WORKSPACE_SCHEME_USER_OWNED);
  assert_int_equal(info_of(context, CADASTRE_DEVICE).scheme, CADASTRE_WORKSPACE_SCHEME_USER_OWNED);
  const Loan loan = lend(context, CADASTRE_UVM, {5000});
  assert_refused(context, set(nullptr, 0, CADASTRE_UVM), CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE);
  assert_int_equal(set(nullptr, 0), CADASTRE_SUCCESS);
  assert_int_equal(info_of(context, CADASTRE_DEVICE).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  assert_int_equal(info_of(context, CADASTRE_UVM).scheme, CADASTRE_WORKSPACE_SCHEME_USER_OWNED);
  give_back(context, loan);
  assert_int_equal(set(pinned, 8192, CADASTRE_PINNED), CADASTRE_SUCCESS);
  destroy(context);
  for (void* const memory : {own, far, managed}) assert_int_equal(cuda("cudaFree", memory), 0);
  assert_int_equal(cuda("cudaFreeHost", pinned), 0);
  assert_int_equal(census().blocks, 0);
}

void user_owned_memory_that_was_freed_is_refused_and_given_anew_is_not(void**) {
  const cadastre_context context = cuda_context();
  void* const freed = block(context, request(CADASTRE_DEVICE, 8192));
  assert_int_equal(cadastre_free(context, freed), CADASTRE_SUCCESS);
  assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, freed, 8192), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_ALREADY_FREED);
  void* again = nullptr;
  assert_int_equal(cuda("cudaMalloc", &again, std::size_t{8192}), 0);
  if (again != freed && !cuda_double()) {
    assert_int_equal(cuda("cudaFree", again), 0);
    destroy(context);
    skip_because("this device gave another address");
  }
  assert_ptr_equal(again, freed);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, again, 8192), CADASTRE_SUCCESS);
  const Loan loan = lend(context, device_memory, {8192});
  assert_ptr_equal(loan[0], again);
  give_back(context, loan);
  destroy(context);
  assert_int_equal(cuda("cudaFree", again), 0);
}

// All that can be done with a workspace; the first thing that fails is told.
struct Life {
  cadastre_context context;
  const Stream& a;
  const Stream& b;
  void* buffer;
  std::vector<cadastre_exit_code> codes = {};

  // Answers whether it succeeded; the sentence and the code must agree when it did not.
  bool note(cadastre_exit_code code) {
    if (code == CADASTRE_SUCCESS) return true;
    nothing_fails();
    codes.push_back(code);
    assert_int_equal(last(context).exit_code, code);
    assert_int_not_equal(last(context).reason, CADASTRE_REASON_NONE);
    assert_true(code == CADASTRE_FAILURE || code == CADASTRE_ALLOCATION_FAILED || code == CADASTRE_DEALLOCATION_FAILED);
    return false;
  }
  void lend_and_give_back(std::size_t size, cadastre_queue queue) {
    Loan loan = try_lend(context, device_memory, {size}, queue);
    if (!note(loan.code)) loan = lend(context, device_memory, {size}, queue);
    start_kernel_or_not(loan[0], size, queue);
    Loan nested = try_lend(context, device_memory, {2 * size}, queue);
    if (!note(nested.code)) nested = lend(context, device_memory, {2 * size}, queue);
    for (const Loan& ended : {nested, loan}) {
      note(cadastre_workspace_release(context, ended.lease));
      assert_int_equal(cadastre_workspace_release(context, ended.lease), CADASTRE_INVALID_ARG_2);
    }
  }
  void start_kernel_or_not(void* pointer, std::size_t size, cadastre_queue queue) {
    note(cadastre_memset_async(context, pointer, 1, size, queue));
  }
  void set_size(std::size_t size) {
    if (note(cadastre_workspace_set_size(context, device_memory, size))) return;
    const cadastre_exit_code again = cadastre_workspace_set_size(context, device_memory, size);
    assert_int_equal(again, CADASTRE_SUCCESS);
  }
  void set_buffer() {
    if (note(cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, buffer, 8192))) return;
    if (info_of(context, device_memory).scheme == CADASTRE_WORKSPACE_SCHEME_USER_OWNED) return;
    assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, buffer, 8192), CADASTRE_SUCCESS);
  }
  void all() {
    for (const cadastre_queue queue : {CADASTRE_DEFAULT_QUEUE, cadastre_queue{a}, cadastre_queue{b}}) {
      lend_and_give_back(300, queue);
    }
    lend_and_give_back(2000, a);
    for (const std::size_t scheme : {std::size_t{10000}, CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
      set_size(scheme);
      lend_and_give_back(500, b);
      lend_and_give_back(500, CADASTRE_DEFAULT_QUEUE);
    }
    set_buffer();
    lend_and_give_back(1000, a);
    lend_and_give_back(1000, b);
  }
};

void whichever_call_of_the_vendor_fails_nothing_is_lost(void**) {
  skip_without_the_double(calls_fail);
  cuda("cudaGetLastError");  // what other claims left
  cuda_double_census at_first = (destroy(cuda_context()), census());
  int failures = 0;
  long all = 1;  // calls that there are when none fails
  for (long k = 0; k <= all; ++k) {
    const Stream a, b;
    const cadastre_context context = cuda_context();
    Life life{context, a, b, block(context, request(CADASTRE_DEVICE, 8192))};
    cuda_double().forget_calls();
    cuda_double().fail(nullptr, k, k > 0, unknown_error);
    life.all();
    const std::int64_t lost = statistics_of(context, device_memory).failed_deallocations;
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    const cadastre_exit_code code = cadastre_context_destroy_with_summary(context, &summary);
    nothing_fails();
    if (k == 0) all = cuda_double().calls(nullptr);
    assert_int_equal(code == CADASTRE_SUCCESS, summary.failed_deallocations == 0);
    assert_int_equal(summary.live_leases, 0);
    const std::size_t blocks_lost = census().blocks - std::exchange(at_first.blocks, census().blocks);
    assert_int_equal(blocks_lost, lost + summary.failed_deallocations);
    failures += !life.codes.empty() || code != CADASTRE_SUCCESS;
    assert_int_equal(cuda("cudaPeekAtLastError"), 0);
  }
  print_message("# %ld calls failed in turn, and %d failures were told\n", all, failures);
  assert_true(failures > 60);
}

void a_wait_that_failed_is_still_to_be_done(void**) {
  skip_without_the_double(calls_fail);
  const cadastre_context context = cuda_context();
  const Stream a, b;
  Loan loan = lend(context, device_memory, {1000}, a);
  void* const memory = loan[0];
  start_kernel(context, a, memory, 1000, 1);
  cuda_double().fail("cudaEventRecord", 1, 1, unknown_error);
  assert_refused(context, cadastre_workspace_release(context, loan.lease), CADASTRE_FAILURE,
                 CADASTRE_REASON_BACKEND_CALL_FAILED);
  cuda_double().fail("cudaDeviceSynchronize", 1, 1, unknown_error);
  assert_refused(context, try_lend(context, device_memory, {1000}, b).code, CADASTRE_FAILURE,
                 CADASTRE_REASON_BACKEND_CALL_FAILED);
  nothing_fails();
  loan = lend(context, device_memory, {1000}, b);
  assert_ptr_equal(loan[0], memory);
  assert_int_equal(first_byte(memory), 1);
  give_back(context, loan);
  cuda_double().fail("cudaStreamWaitEvent", 1, 1, unknown_error);
  assert_int_equal(try_lend(context, device_memory, {1000}, a).code, CADASTRE_FAILURE);
  nothing_fails();
  lend_after(context, b, a);
  destroy(context);
}

void where_no_event_could_be_recorded_the_next_lend_waits(void**) {
  skip_without_the_double(calls_fail);
  const cadastre_context context = cuda_context();
  const Stream a;
  const Loan loan = lend(context, device_memory, {1000}, a);
  start_kernel(context, a, loan[0], 1000, 1);
  cuda_double().fail("cudaEventRecord", 1, 1, unknown_error);
  assert_int_equal(cadastre_workspace_release(context, loan.lease), CADASTRE_FAILURE);
  nothing_fails();
  assert_int_equal(info_of(context, device_memory).live_leases, 0);
  const Loan next = lend(context, device_memory, {1000}, a);  // it may be another queue of this number
  assert_ptr_equal(next[0], loan[0]);
  assert_int_equal(first_byte(next[0]), 1);
  give_back(context, next);
  destroy(context);
}

void a_free_that_fails_is_told_and_counted(void**) {
  skip_without_the_double(calls_fail);
  const std::size_t at_first = (destroy(cuda_context()), census().blocks);
  const cadastre_context context = cuda_context();
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
  const Loan loan = lend(context, device_memory, {1000});
  cuda_double().fail("cudaFree", 1, 1, unknown_error);
  assert_refused(context, cadastre_workspace_release(context, loan.lease), CADASTRE_DEALLOCATION_FAILED,
                 CADASTRE_REASON_BACKEND_FREE_FAILED);
  nothing_fails();
  assert_int_equal(info_of(context, device_memory).live_leases, 0);
  assert_int_equal(info_of(context, device_memory).reserved_bytes, 0);
  assert_int_equal(statistics_of(context, device_memory).failed_deallocations, 1);
  give_back(context, lend(context, device_memory, {1000}));
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 5000), CADASTRE_SUCCESS);
  cuda_double().fail("cudaFree", 1, 1, unknown_error);
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 100), CADASTRE_DEALLOCATION_FAILED);
  nothing_fails();
  assert_int_equal(info_of(context, device_memory).reserved_bytes, 256);
  give_back(context, lend(context, device_memory, {100}));
  destroy(context);
  assert_int_equal(census().blocks, at_first + 2);
}

}  // namespace

int main() {
  setenv("CUDA_DOUBLE_DEVICES", "2", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_lend_on_another_queue_waits_for_the_first_ones_event),
      cmocka_unit_test(a_lend_on_the_default_queue_or_after_it_waits_as_well),
      cmocka_unit_test(a_number_that_another_queue_has_now_is_waited_for),
      cmocka_unit_test(the_same_queue_waits_for_nothing),
      cmocka_unit_test(two_queues_of_one_thread_at_once_have_memory_of_their_own),
      cmocka_unit_test(an_explicit_size_is_one_workspace_for_one_queue_at_a_time),
      cmocka_unit_test(the_queue_that_the_context_was_told_of_is_the_default),
      cmocka_unit_test(memory_of_a_pool_is_there_on_the_queue_it_is_lent_on),
      cmocka_unit_test(the_old_block_is_freed_only_after_its_queue_is_done),
      cmocka_unit_test(memory_of_the_host_is_not_freed_under_a_queue),
      cmocka_unit_test(stream_ordered_memory_is_allocated_and_freed_in_the_order_of_the_queue),
      cmocka_unit_test(stream_ordered_memory_is_freed_on_the_queue_that_was_the_default),
      cmocka_unit_test(preallocated_no_allocation_and_no_synchronization_ever),
      cmocka_unit_test(user_owned_no_allocation_and_no_synchronization_ever),
      cmocka_unit_test(the_callers_device_is_left_alone),
      cmocka_unit_test(a_lend_on_another_devices_queue_is_refused),
      cmocka_unit_test(a_captured_queue_gets_what_is_there_and_nothing_is_allocated_or_synchronized),
      cmocka_unit_test(what_was_lent_in_a_capture_stays_where_it_is_and_with_its_queue),
      cmocka_unit_test(a_lease_that_outlives_the_capture_keeps_its_memory_for_the_graph),
      cmocka_unit_test(what_a_graph_has_is_not_lent_on_a_new_queue_with_an_old_number),
      cmocka_unit_test(a_capture_on_a_new_queue_with_an_old_number_gets_nothing_of_the_old_ones),
      cmocka_unit_test(what_each_lend_allocated_is_not_freed_in_a_capture),
      cmocka_unit_test(a_capture_is_not_spoilt_by_those_beside_it),
      cmocka_unit_test(what_a_workspace_holds_stays_while_a_capture_forbids_to_free_it),
      cmocka_unit_test(a_free_in_a_capture_is_refused_and_changes_nothing),
      cmocka_unit_test(a_free_asks_the_default_queue_of_the_context_and_the_queue_that_is_named),
      cmocka_unit_test(a_capture_that_nobody_sees_is_left_alone_by_a_free),
      cmocka_unit_test(a_capture_that_nobody_sees_is_left_alone_when_a_pool_goes),
      cmocka_unit_test(a_capture_that_nobody_sees_costs_no_block),
      cmocka_unit_test(an_allocation_is_allowed_in_every_capture),
      cmocka_unit_test(what_waits_is_refused_in_a_capture_and_spoils_nothing),
      cmocka_unit_test(user_owned_memory_of_the_vendor_is_checked),
      cmocka_unit_test(user_owned_memory_that_was_freed_is_refused_and_given_anew_is_not),
      cmocka_unit_test(whichever_call_of_the_vendor_fails_nothing_is_lost),
      cmocka_unit_test(a_wait_that_failed_is_still_to_be_done),
      cmocka_unit_test(where_no_event_could_be_recorded_the_next_lend_waits),
      cmocka_unit_test(a_free_that_fails_is_told_and_counted),
  };
  return cmocka_run_group_tests_name("workspace, cuda", tests, nullptr, nullptr);
}
