// Tangled from org/tests/pool_queue_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <future>
#include <thread>

#include "pool_parts.hpp"

namespace {

void a_block_freed_on_a_queue_is_had_there_at_once(void**) {
  ON_THE_DOUBLE;
  const std::size_t events = events_alive();
  {
    OfCuda of;
    const Record first = of.get(100000, of.a.stream);
    of.write(first, 1, of.a);
    cuda_double().forget();
    assert_int_equal(of.pool.free(first, Order(of.a.stream)), CADASTRE_SUCCESS);
    const Record again = of.get(100000, of.a.stream);
    assert_ptr_equal(again.pointer, first.pointer);
    assert_int_equal(host_waits(), 0);
    of.write(again, 2, of.a);
    of.a.synchronize();
    assert_int_equal(first_byte(again), 2);
    free(of.pool, again);
    assert_int_equal(events_alive(), events + 1);
  }
  assert_int_equal(events_alive(), events);
}

// A later call that may wait asks the queues, though none waits for them.
void what_was_freed_on_a_queue_is_given_back_in_time(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  static std::uint32_t seconds;
  seconds = 1000;
  of.account.clock.seconds = []() noexcept { return seconds; };
  const Record idle = of.get(8 * mebi, of.a.stream), busy = of.get(mebi, std::nullopt);
  of.write(idle, 1, of.a);
  assert_int_equal(of.pool.free(idle, Order(of.a.stream)), CADASTRE_SUCCESS);
  of.a.synchronize();
  free(of.pool, busy);
  assert_int_equal(of.backend.pieces, 2);
  for (int i = 0; i < 300; ++i) {
    if (i % 10 == 0) ++seconds;
    free(of.pool, of.get(mebi, std::nullopt));
  }
  assert_int_equal(of.backend.pieces, 1);
  assert_int_equal(of.pool.figures().misses, 2);
  assert_true(of.pool.check_invariants());
}

void another_queue_waits_for_the_one_that_freed(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record all = of.get(2 * mebi, of.a.stream);
  of.write(all, 1, of.a);
  cuda_double().forget();
  assert_int_equal(of.pool.free(all, Order(of.a.stream)), CADASTRE_SUCCESS);
  const Record other = of.get(2 * mebi, of.b.stream);
  assert_ptr_equal(other.pointer, all.pointer);
  assert_int_equal(cuda_double().calls("cudaStreamWaitEvent"), 1);
  assert_int_equal(waits(), 1);
  of.write(other, 2, of.b);
  of.b.synchronize();
  of.a.synchronize();
  assert_int_equal(first_byte(other), 2);
  free(of.pool, other);
  assert_true(of.pool.check_invariants());
}

void a_request_without_an_order_waits_on_the_host(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record first = of.get(2 * mebi, of.a.stream);
  of.write(first, 1, of.a);
  assert_int_equal(of.pool.free(first, Order(of.a.stream)), CADASTRE_SUCCESS);
  const Record plain = of.get(2 * mebi, std::nullopt);
  assert_ptr_equal(plain.pointer, first.pointer);
  assert_int_equal(first_byte(plain), 1);
  free(of.pool, plain);
}

void a_resize_waits_for_all_queues_also_where_the_block_stays(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record block = of.get(1000, std::nullopt);
  of.write(block, 1, of.a);
  const Record larger = resized(of.pool, block, 1001);
  assert_ptr_equal(larger.pointer, block.pointer);
  assert_int_equal(first_byte(larger), 1);
  free(of.pool, larger);
}

void a_free_without_an_order_waits_for_all_queues(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record record = of.get(2 * mebi, of.a.stream);
  of.write(record, 1, of.b);
  free(of.pool, record);
  assert_int_equal(first_byte(record), 1);
  cuda_double().forget();
  assert_ptr_equal(of.get(2 * mebi, of.a.stream).pointer, record.pointer);
  assert_int_equal(waits(), 0);
}

void zeroing_goes_in_the_order_of_the_queue(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record first = of.get(5000, of.a.stream);
  of.write(first, 0xff, of.a);
  assert_int_equal(of.pool.free(first, Order(of.a.stream)), CADASTRE_SUCCESS);
  cuda_double().forget();
  const Record again = of.get(5000, of.a.stream, true);
  assert_ptr_equal(again.pointer, first.pointer);
  assert_int_equal(host_waits(), 0);
  of.a.synchronize();
  assert_int_equal(first_byte(again), 0);
  free(of.pool, again);
  const Record plain = of.get(5000, std::nullopt, true);
  assert_int_equal(first_byte(plain), 0);
  free(of.pool, plain);
}

void what_a_free_list_keeps_counts_and_goes_when_more_is_asked_for(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record left = of.get(mebi, std::nullopt), right = of.get(mebi, std::nullopt);
  of.write(left, 1, of.a);
  of.write(right, 1, of.b);
  assert_int_equal(of.pool.free(left, Order(of.a.stream)), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.free(right, Order(of.b.stream)), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.figures().releasable_bytes, 2 * mebi);
  const Record both = of.get(2 * mebi, of.a.stream);
  assert_int_equal(of.pool.figures().misses, 3);
  assert_int_equal(of.backend.most_reserved, 2 * mebi);
  assert_int_equal(of.pool.free(both, Order(of.b.stream)), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.figures().reserved, 0);
}

// searched: it has left the exact-fit cache by then.
void free_while_a_free_list_is_waited_for(bool searched) {
  OfCuda of;
  of.account.keep = {PoolKeep::all, 0};
  const Record early = of.get(mebi, std::nullopt), late = of.get(mebi, std::nullopt);
  assert_int_equal(of.pool.free(early, Order(of.a.stream)), CADASTRE_SUCCESS);
  of.backend.after_waiting = [&] {
    of.write(late, 1, of.a);
    assert_int_equal(of.pool.free(late, Order(of.a.stream)), CADASTRE_SUCCESS);
    if (searched) assert_int_equal(of.pool.free(of.get(mebi + 256, of.a.stream), Order(of.a.stream)), CADASTRE_SUCCESS);
  };
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_true(of.pool.check_invariants());
  assert_int_equal(of.pool.figures().used, 0);
  const Record plain = of.get(mebi - 256, std::nullopt);
  assert_ptr_equal(plain.pointer, late.pointer);
  assert_int_equal(first_byte(late), 1);
  const Record next = of.get(mebi, std::nullopt);
  assert_ptr_not_equal(plain.pointer, next.pointer);
  assert_int_equal(of.pool.figures().misses, 3);
}

void what_is_freed_while_a_free_list_is_waited_for_stays_there(void**) {
  ON_THE_DOUBLE;
  free_while_a_free_list_is_waited_for(false);
  free_while_a_free_list_is_waited_for(true);
}

void a_free_list_without_pieces_serves_another_queue(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const std::size_t events = events_alive();
  for (int i = 0; i < 6; ++i) {
    const Stream& on = i % 2 ? of.a : of.b;
    const Record record = of.get(2 * mebi, on.stream);
    of.write(record, i, on);
    assert_int_equal(of.pool.free(record, Order(on.stream)), CADASTRE_SUCCESS);
  }
  assert_int_equal(events_alive(), events + 1);
  of.a.synchronize();
  of.b.synchronize();
}

void a_queue_that_cannot_be_marked_is_waited_for(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  Record record = of.get(2 * mebi, of.a.stream);
  of.write(record, 1, of.a);
  cuda_double().fail("cudaEventRecord", 1, 1, 1);
  assert_int_equal(of.pool.free(record, Order(of.a.stream)), CADASTRE_SUCCESS);
  assert_int_equal(first_byte(record), 1);
  record = of.get(2 * mebi, of.b.stream);
  cuda_double().fail("cudaEventRecord", 1, 1, 1);
  cuda_double().fail(wait_for_device(), 1, 1, 1);
  cuda_double().fail(nullptr, 1, -1, 1);
  assert_int_equal(of.pool.free(record, Order(of.b.stream)), CADASTRE_DEALLOCATION_FAILED);
  cuda_double().fail(nullptr, 1, 0, 0);
  assert_int_equal(of.pool.figures().used, 2 * mebi);
  free(of.pool, record);
  assert_true(of.pool.check_invariants());
}

void an_event_that_cannot_be_waited_for_changes_nothing(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record record = of.get(2 * mebi, of.a.stream);
  of.write(record, 1, of.a);
  assert_int_equal(of.pool.free(record, Order(of.a.stream)), CADASTRE_SUCCESS);
  const PoolFigures before = of.pool.figures();
  for (const bool ordered : {true, false}) {
    cuda_double().fail(ordered ? "cudaStreamWaitEvent" : "cudaEventSynchronize", 1, 1, 1);
    Grant grant{};
    assert_int_equal(of.pool.allocate({2 * mebi, 0, CADASTRE_DEVICE, 0, false, ordered, of.b.stream}, grant), CADASTRE_ALLOCATION_FAILED);
    const PoolFigures after = of.pool.figures();
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(of.pool.check_invariants());
  }
  cuda_double().fail(nullptr, 1, 0, 0);
  free(of.pool, of.get(2 * mebi, of.b.stream));
}

void a_number_that_is_another_queue_in_each_thread_is_waited_for(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const cadastre_queue queue = of.backend.queue_of_each_thread();
  Record first;
  std::thread([&] {
    first = of.get(2 * mebi, queue);
    of.write(first, 1, queue);
    assert_int_equal(of.pool.free(first, Order(queue)), CADASTRE_SUCCESS);
  }).join();
  const Record again = of.get(2 * mebi, queue);
  assert_ptr_equal(again.pointer, first.pointer);
  assert_int_equal(first_byte(again), 1);
  of.write(again, 2, queue);
  assert_int_equal(cuda("cudaDeviceSynchronize"), 0);
  assert_int_equal(first_byte(again), 2);
  assert_int_equal(of.pool.free(again, Order(queue)), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.figures().used, 0);
}

void nothing_is_served_in_the_order_of_a_captured_queue(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record record = of.get(5000, of.a.stream);
  void* graph = nullptr;
  assert_int_equal(cuda("cudaStreamBeginCapture", of.a.stream, 0), 0);
  Grant grant{};
  assert_int_equal(of.pool.allocate({5000, 0, CADASTRE_DEVICE, 0, true, true, of.a.stream}, grant), CADASTRE_CAPTURE_ACTIVE);
  assert_int_equal(of.pool.free(record, Order(of.a.stream)), CADASTRE_CAPTURE_ACTIVE);
  assert_int_equal(last().reason, CADASTRE_REASON_CAPTURE_ACTIVE);
  assert_int_equal(cuda("cudaStreamEndCapture", of.a.stream, &graph), 0);
  cuda("cudaGraphDestroy", graph);
  assert_int_equal(of.pool.free(record, Order(of.a.stream)), CADASTRE_SUCCESS);
}

void a_hit_on_the_default_queue_calls_no_vendor(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Order order = CADASTRE_DEFAULT_QUEUE;
  Record record = of.get(100000, order);
  cuda_double().forget();
  for (int times = 0; times < 3; ++times) {
    assert_int_equal(of.pool.free(record, order), CADASTRE_SUCCESS);
    const Record again = of.get(100000, order);
    assert_ptr_equal(again.pointer, record.pointer);
    record = again;
  }
  assert_int_equal(cuda_double().calls(nullptr), 0);
  assert_int_equal(of.pool.figures().hits, 3);
  assert_int_equal(of.pool.free(record, order), CADASTRE_SUCCESS);
}

void what_the_default_queue_let_go_is_waited_for_when_it_is_wanted(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  for (const Order& order : {Order(of.a.stream), Order(std::nullopt)}) {
    Record record = of.get(2 * mebi, CADASTRE_DEFAULT_QUEUE);
    for (int value : {1, 2}) {
      of.write(record, value, CADASTRE_DEFAULT_QUEUE);
      assert_int_equal(of.pool.free(record, Order(CADASTRE_DEFAULT_QUEUE)), CADASTRE_SUCCESS);
      if (value == 1) record = of.get(2 * mebi, CADASTRE_DEFAULT_QUEUE);
    }
    cuda_double().forget();
    const Record other = of.get(2 * mebi, order);
    assert_ptr_equal(other.pointer, record.pointer);
    assert_int_equal(cuda_double().calls("cudaEventRecord"), 1);
    assert_int_equal(waits(), 1);
    if (order) {
      of.write(other, 3, *order);
      of.a.synchronize();
      assert_int_equal(cuda("cudaDeviceSynchronize"), 0);
    }
    assert_int_equal(first_byte(other), order ? 3 : 2);
    free(of.pool, other);
  }
  const Record last = of.get(2 * mebi, CADASTRE_DEFAULT_QUEUE);
  of.write(last, 4, CADASTRE_DEFAULT_QUEUE);
  assert_int_equal(of.pool.free(last, Order(CADASTRE_DEFAULT_QUEUE)), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.trim(2 * mebi), CADASTRE_SUCCESS);
  assert_int_equal(first_byte(last), 4);
  assert_true(of.pool.check_invariants());
}

void a_hit_on_the_default_queue_leaves_a_capture_alone(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  void* blocking = nullptr;
  void* graph = nullptr;
  assert_int_equal(cuda("cudaStreamCreateWithFlags", &blocking, 0u), 0);
  const Record record = of.get(2 * mebi, CADASTRE_DEFAULT_QUEUE);
  constexpr int relaxed = 2;
  assert_int_equal(cuda("cudaStreamBeginCapture", blocking, relaxed), 0);
  assert_int_equal(of.pool.free(record, Order(CADASTRE_DEFAULT_QUEUE)), CADASTRE_SUCCESS);
  const Record elsewhere = of.get(2 * mebi, of.a.stream), plain = of.get(2 * mebi, std::nullopt);
  assert_int_equal(of.pool.figures().misses, 3);
  Grant grant{};
  for (const bool zero : {true, false}) {
    const std::size_t size = zero ? 2 * mebi : 3 * mebi;
    assert_int_equal(of.pool.allocate({size, 0, CADASTRE_DEVICE, 0, zero, true, CADASTRE_DEFAULT_QUEUE}, grant), CADASTRE_CAPTURE_ACTIVE);
  }
  const Record again = of.get(2 * mebi, CADASTRE_DEFAULT_QUEUE);
  assert_ptr_equal(again.pointer, record.pointer);
  assert_int_equal(cuda("cudaStreamEndCapture", blocking, &graph), 0);
  cuda("cudaGraphDestroy", graph);
  cuda("cudaStreamDestroy", blocking);
  assert_int_equal(of.pool.free(again, Order(CADASTRE_DEFAULT_QUEUE)), CADASTRE_SUCCESS);
  for (const Record& block : {elsewhere, plain}) free(of.pool, block);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.figures().reserved, 0);
}

void a_queue_that_is_gone_is_not_touched(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  for (const Order& order : {Order(of.a.stream), Order(std::nullopt)}) {
    Record record;
    {
      const Stream gone;
      record = of.get(2 * mebi, gone.stream);
      of.write(record, 1, gone);
      assert_int_equal(of.pool.free(record, Order(gone.stream)), CADASTRE_SUCCESS);
      gone.synchronize();
    }
    cuda_double().forget();
    const Record other = of.get(2 * mebi, order);
    assert_ptr_equal(other.pointer, record.pointer);
    assert_int_equal(calls({"cudaEventRecord", "cudaStreamSynchronize", "cudaDeviceSynchronize"}), 0);
    free(of.pool, other);
  }
}

// A queue that the program destroys.
void* new_stream() {
  void* stream = nullptr;
  assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, 1u), 0);
  return stream;
}
// Destroys a queue, and makes another that has its number.
void replace(void* stream) {
  assert_int_equal(cuda("cudaStreamDestroy", stream), 0);
  assert_ptr_equal(new_stream(), stream);
}
void await_device() { assert_int_equal(cuda("cudaDeviceSynchronize"), 0); }

void a_queue_that_has_the_number_of_another_comes_after_it(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  void* const stream = new_stream();
  for (const bool zero : {false, true}) {
    const Record first = of.get(2 * mebi, stream);
    of.write(first, 1, stream);
    assert_int_equal(of.pool.free(first, Order(stream)), CADASTRE_SUCCESS);
    replace(stream);
    cuda_double().forget();
    const Record again = of.get(2 * mebi, stream, zero);
    assert_ptr_equal(again.pointer, first.pointer);
    assert_int_equal(host_waits(), 0);
    if (!zero) of.write(again, 2, stream);
    assert_int_equal(cuda("cudaStreamSynchronize", stream), 0);
    await_device();
    assert_int_equal(first_byte(again), zero ? 0 : 2);
    assert_int_equal(of.pool.free(again, Order(stream)), CADASTRE_SUCCESS);
  }
  cuda("cudaStreamDestroy", stream);
}

// Queue b is handed what the two blocks were, and what it writes there stays.
void other_queue_gets_both(OfCuda& of, const Record& first, const Record& second) {
  const Record small = of.get(2 * mebi, of.b.stream), large = of.get(4 * mebi, of.b.stream);
  assert_ptr_equal(small.pointer, first.pointer);
  assert_ptr_equal(large.pointer, second.pointer);
  for (const Record& other : {small, large}) of.write(other, 3, of.b);
  of.b.synchronize();
  await_device();
  for (const Record& other : {small, large}) {
    assert_int_equal(first_byte(other), 3);
    free(of.pool, other);
  }
}

void what_both_of_one_number_let_go_is_waited_for(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  void* const stream = new_stream();
  const Record first = of.get(2 * mebi, stream), second = of.get(4 * mebi, stream);
  of.write(first, 1, stream);
  assert_int_equal(of.pool.free(first, Order(stream)), CADASTRE_SUCCESS);
  replace(stream);
  of.write(second, 2, stream);
  assert_int_equal(of.pool.free(second, Order(stream)), CADASTRE_SUCCESS);
  cuda("cudaStreamDestroy", stream);
  other_queue_gets_both(of, first, second);
}

void a_vendor_who_takes_his_time_keeps_nobody_else_waiting(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const cadastre_queue a = of.a.stream;
  const Record first = of.get(2 * mebi, a), second = of.get(4 * mebi, a);
  of.write(first, 1, a);
  of.write(second, 2, a);
  std::thread other;
  std::promise<void> freed;
  bool in_time = false;
  of.backend.after_recording = [&] {
    other = std::thread([&] {
      of.pool.free(second, Order(a));
      freed.set_value();
    });
    in_time = freed.get_future().wait_for(std::chrono::seconds(3)) == std::future_status::ready;
  };
  assert_int_equal(of.pool.free(first, Order(a)), CADASTRE_SUCCESS);
  other.join();
  assert_true(in_time);
  assert_true(of.pool.check_invariants());
  other_queue_gets_both(of, first, second);
  assert_int_equal(of.pool.figures().misses, 2);
}

// Where only the thread that captures is restricted, others go on; and a stream that the default one waits for spoils soonest.
// Nor does the call that finds old what a queue has freed spoil one, though it asks queues.
void what_is_old_is_given_back_beside_a_capture(void**) {
  ON_THE_DOUBLE;
  constexpr unsigned blocking = 0;
  for (const int mode : {0, 1, 2}) {
    OfCuda of;
    static std::uint32_t seconds;
    seconds = 1000;
    of.account.clock.seconds = []() noexcept { return seconds; };
    const Record idle = of.get(8 * mebi, of.a.stream), other = of.get(4 * mebi, std::nullopt), busy = of.get(mebi, std::nullopt);
    assert_int_equal(of.pool.free(idle, Order(of.a.stream)), CADASTRE_SUCCESS);
    assert_int_equal(of.pool.free(other, Order(CADASTRE_DEFAULT_QUEUE)), CADASTRE_SUCCESS);
    free(of.pool, busy);
    for (int i = 0; i < 300; ++i) {
      if (i % 10 == 0) ++seconds;
      void *stream = nullptr, *graph = nullptr;
      assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, blocking), 0);
      assert_int_equal(cuda("cudaStreamBeginCapture", stream, mode), 0);
      const Request request{mebi, 0, CADASTRE_DEVICE, 0, false};
      Grant grant{};
      if (of.pool.allocate(request, grant) == CADASTRE_SUCCESS) of.pool.free(record_of(request, grant, spoken().backend));
      assert_int_equal(cuda("cudaStreamEndCapture", stream, &graph), 0);
      cuda("cudaGraphDestroy", graph);
      cuda("cudaStreamDestroy", stream);
    }
    assert_true(of.pool.check_invariants());
  }
}

void a_request_without_an_order_leaves_captures_alone(void**) {
  ON_THE_DOUBLE;
  constexpr unsigned blocking = 0;
  constexpr int relaxed = 2;
  OfCuda of;
  const Record record = of.get(5000, std::nullopt);
  of.write(record, 1, nullptr);
  free(of.pool, record);
  void *stream = nullptr, *graph = nullptr;
  assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, blocking), 0);
  assert_int_equal(cuda("cudaStreamBeginCapture", stream, relaxed), 0);
  const Record again = of.get(5000, std::nullopt, true);
  assert_ptr_equal(again.pointer, record.pointer);
  assert_int_equal(first_byte(again), 0);
  assert_int_equal(cuda("cudaStreamEndCapture", stream, &graph), 0);
  cuda("cudaGraphDestroy", graph);
  cuda("cudaStreamDestroy", stream);
  free(of.pool, again);
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_block_freed_on_a_queue_is_had_there_at_once),
      cmocka_unit_test(what_was_freed_on_a_queue_is_given_back_in_time),
      cmocka_unit_test(another_queue_waits_for_the_one_that_freed),
      cmocka_unit_test(a_request_without_an_order_waits_on_the_host),
      cmocka_unit_test(a_resize_waits_for_all_queues_also_where_the_block_stays),
      cmocka_unit_test(a_free_without_an_order_waits_for_all_queues),
      cmocka_unit_test(zeroing_goes_in_the_order_of_the_queue),
      cmocka_unit_test(what_a_free_list_keeps_counts_and_goes_when_more_is_asked_for),
      cmocka_unit_test(what_is_freed_while_a_free_list_is_waited_for_stays_there),
      cmocka_unit_test(a_free_list_without_pieces_serves_another_queue),
      cmocka_unit_test(a_queue_that_cannot_be_marked_is_waited_for),
      cmocka_unit_test(an_event_that_cannot_be_waited_for_changes_nothing),
      cmocka_unit_test(a_number_that_is_another_queue_in_each_thread_is_waited_for),
      cmocka_unit_test(nothing_is_served_in_the_order_of_a_captured_queue),
      cmocka_unit_test(a_hit_on_the_default_queue_calls_no_vendor),
      cmocka_unit_test(what_the_default_queue_let_go_is_waited_for_when_it_is_wanted),
      cmocka_unit_test(a_hit_on_the_default_queue_leaves_a_capture_alone),
      cmocka_unit_test(a_queue_that_is_gone_is_not_touched),
      cmocka_unit_test(a_queue_that_has_the_number_of_another_comes_after_it),
      cmocka_unit_test(what_both_of_one_number_let_go_is_waited_for),
      cmocka_unit_test(a_vendor_who_takes_his_time_keeps_nobody_else_waiting),
      cmocka_unit_test(a_request_without_an_order_leaves_captures_alone),
      cmocka_unit_test(what_is_old_is_given_back_beside_a_capture),
  };
  return cmocka_run_group_tests_name("pool_queues", tests, nullptr, nullptr);
}
