// Tangled from org/tests/thread_workspace_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "core/calls.hpp"
#include "workspace_claims.hpp"

using namespace cadastre::internal;

namespace {

constexpr std::size_t most = 8192;

ThreadWorkspace* thread_workspace_in(cadastre_context context) {
  const Shard* const shard = find_known_shard(context);
  return shard && shard->last_context == context ? shard->thread_workspace : nullptr;
}

// A context that has a thread workspace in the calling thread's shard, with so many bytes.
cadastre_context context_with_thread_workspace(std::size_t bytes = most) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  give_back(context, acquire(context, CADASTRE_HOST, {bytes}));
  assert_non_null(thread_workspace_in(context));
  return context;
}

void assert_books(cadastre_context context, std::int64_t acquisitions, std::int64_t live, std::size_t used, std::size_t mark) {
  const cadastre_workspace_info_struct info = info_of(context, CADASTRE_HOST);
  assert_int_equal(info.acquisitions, acquisitions);
  assert_int_equal(info.live_leases, live);
  assert_int_equal(info.used_bytes, used);
  assert_int_equal(info.high_water_mark_bytes, mark);
  assert_null(thread_workspace_in(context));
}

void a_thread_workspace_leases_what_fits_and_refuses_the_rest_unchanged(void**) {
  alignas(64) std::byte memory[256];
  ThreadWorkspace thread_workspace{.begin = memory, .size = sizeof memory, .first_lease = 5, .next_lease = 5};
  void* at[3] = {&thread_workspace, &thread_workspace, &thread_workspace};
  std::int64_t lease = -1;
  const std::size_t too_much[][3] = {{257, 0, 0}, {64, 64, 129}, {1, SIZE_MAX, 1}, {SIZE_MAX - 63, 1, 1}, {193, 64, 0}};
  for (const auto& sizes : too_much) {
    assert_false(thread_workspace.acquire(3, sizes, at, lease));
    assert_true(lease == -1 && at[0] == &thread_workspace && at[1] == &thread_workspace && thread_workspace.lease == 0 &&
                thread_workspace.most == 0 && thread_workspace.next_lease == 5);
  }
  const std::size_t sizes[3] = {65, 0, 128};
  assert_true(thread_workspace.acquire(3, sizes, at, lease));
  assert_true(lease == 5 && at[0] == memory && at[1] == nullptr && at[2] == memory + 128 && thread_workspace.leased == 256);
  assert_false(thread_workspace.acquire(0, sizes, at, lease));
  assert_false(thread_workspace.take_back(4) || thread_workspace.take_back(0) || thread_workspace.take_back(6));
  assert_true(thread_workspace.take_back(5));
  assert_false(thread_workspace.take_back(5) || thread_workspace.take_back(0));
  assert_true(thread_workspace.acquire(0, sizes, at, lease) && lease == 6 && thread_workspace.leased == 0 && thread_workspace.most == 256);
}

void an_idle_workspace_is_leased_at_the_thread_workspace_and_the_books_are_right(void**) {
  const cadastre_context context = context_with_thread_workspace();
  for (int turn = 0; turn < 100; ++turn) give_back(context, acquire(context, CADASTRE_HOST, {1000}));
  assert_non_null(thread_workspace_in(context));
  assert_books(context, 101, 0, 0, most);
  give_back(context, acquire(context, CADASTRE_HOST, {1000}));
  const Loan loan = acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, {1000, 64});
  assert_true(thread_workspace_in(context) && thread_workspace_in(context)->lease == loan.lease);
  assert_books(context, 103, 1, 1088, most);
  write(context, loan[0], 1000, 1);
  assert_refused(context, cadastre_free(context, loan[0]), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
  give_back(context, loan);
  assert_books(context, 103, 0, 0, most);
  const cadastre_statistics_struct statistics = statistics_of(context, CADASTRE_HOST);
  assert_int_equal(statistics.live_blocks, 1);
  assert_int_equal(statistics.allocations, 1);
  destroy(context);
}

void a_lease_at_the_thread_workspace_has_the_place_and_the_number_that_it_would_have(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  const Loan first = acquire(context, CADASTRE_HOST, {most});
  give_back(context, first);
  for (cadastre_lease number = first.lease + 1; number < first.lease + 10; ++number) {
    if (number % 3 == 0) info_of(context, CADASTRE_HOST);  // takes the thread workspace away
    const Loan next = acquire(context, CADASTRE_HOST, {100});
    assert_true(next.lease == number && next[0] == first[0]);
    give_back(context, next);
  }
  destroy(context);
}

void leases_on_top_of_one_at_the_thread_workspace_are_returned_in_any_order(void**) {
  const cadastre_context context = context_with_thread_workspace();
  const Loan outer = acquire(context, CADASTRE_HOST, {4096});
  const Loan inner = acquire(context, CADASTRE_HOST, {2048});
  assert_ptr_equal(inner[0], static_cast<std::byte*>(outer[0]) + 4096);
  assert_books(context, 3, 2, 6144, most);
  const Loan third = acquire(context, CADASTRE_HOST, {most});  // beside them
  assert_books(context, 4, 3, 6144 + most, 6144 + most);
  give_back(context, outer);
  give_back(context, third);
  assert_null(thread_workspace_in(context));
  give_back(context, inner);
  assert_non_null(thread_workspace_in(context));
  destroy(context);
}

void the_most_that_was_leased_is_what_was_out_at_the_thread_workspace_and_elsewhere(void**) {
  const cadastre_context context = context_with_thread_workspace(2048);
  const Loan small = acquire(context, CADASTRE_HOST, {64});
  const Loan on_queue = acquire(context, CADASTRE_HOST, {100}, queue_number(3));
  give_back(context, small);
  assert_non_null(thread_workspace_in(context));
  give_back(context, acquire(context, CADASTRE_HOST, {2048}));
  assert_books(context, 4, 1, 128, 2048 + 128);
  give_back(context, on_queue);
  destroy(context);
}

void what_the_thread_workspace_does_not_know_is_refused_as_ever(void**) {
  const cadastre_context context = context_with_thread_workspace();
  const Loan loan = acquire(context, CADASTRE_HOST, {100});
  give_back(context, loan);
  const auto is_refused = [&](cadastre_lease lease, cadastre_reason reason) {
    assert_non_null(thread_workspace_in(context));
    assert_refused(context, cadastre_workspace_release(context, lease), CADASTRE_INVALID_ARG_2, reason);
    give_back(context, acquire(context, CADASTRE_HOST, {100}));
  };
  is_refused(loan.lease, CADASTRE_REASON_LEASE_RELEASED);
  is_refused(CADASTRE_NULL_LEASE, CADASTRE_REASON_UNKNOWN_LEASE);
  is_refused(loan.lease + 1000, CADASTRE_REASON_UNKNOWN_LEASE);
  std::size_t size = 100;
  void* at = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  const auto try_acquire = [&](cadastre_memory_type type, const std::size_t* sizes, void** pointers, cadastre_lease* to) {
    assert_non_null(thread_workspace_in(context));
    const cadastre_exit_code code = cadastre_workspace_acquire(context, type, 1, sizes, pointers, to);
    give_back(context, acquire(context, CADASTRE_HOST, {100}));
    return code;
  };
  assert_int_equal(try_acquire(CADASTRE_HOST, nullptr, &at, &lease), CADASTRE_INVALID_ARG_4);
  assert_int_equal(try_acquire(CADASTRE_HOST, &size, nullptr, &lease), CADASTRE_INVALID_ARG_5);
  assert_int_equal(try_acquire(CADASTRE_HOST, &size, &at, nullptr), CADASTRE_INVALID_ARG_6);
  assert_int_equal(try_acquire(77, &size, &at, &lease), CADASTRE_INVALID_ARG_2);
  size = SIZE_MAX;
  assert_int_equal(try_acquire(CADASTRE_HOST, &size, &at, &lease), CADASTRE_INVALID_ARG_4);
  assert_true(at == nullptr && lease == CADASTRE_NULL_LEASE);
  assert_int_equal(cadastre_workspace_release(context + 1, loan.lease), CADASTRE_INVALID_CONTEXT);
  destroy(context);
  assert_int_equal(cadastre_workspace_release(context, loan.lease), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &size, &at, &lease), CADASTRE_INVALID_CONTEXT);
}

void only_the_default_queue_of_the_host_is_at_the_thread_workspace(void**) {
  const cadastre_context context = context_with_thread_workspace();
  const Loan at_desk = acquire(context, CADASTRE_HOST, {100});
  const Loan on_queue = acquire(context, CADASTRE_HOST, {100}, queue_number(3));
  assert_true(on_queue[0] < at_desk[0] || on_queue[0] >= static_cast<std::byte*>(at_desk[0]) + most);
  give_back(context, at_desk);
  give_back(context, on_queue);
  give_back(context, acquire(context, CADASTRE_HOST, {most}, queue_number(3)));
  assert_null(thread_workspace_in(context));
  give_back(context, acquire(context, CADASTRE_HOST, {100}));
  give_back(context, acquire(context, CADASTRE_HOST, {100}));
  const bool was_there = thread_workspace_in(context) != nullptr;
  assert_int_equal(cadastre_context_set_default_queue(context, queue_number(4)), CADASTRE_SUCCESS);
  assert_null(thread_workspace_in(context));
  give_back(context, acquire(context, CADASTRE_HOST, {100}));
  give_back(context, acquire(context, CADASTRE_HOST, {100}));
  assert_null(thread_workspace_in(context));
  assert_int_equal(cadastre_context_set_default_queue(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  const Loan before = acquire(context, CADASTRE_HOST, {100});
  assert_int_equal(cadastre_context_set_default_queue(context, queue_number(4)), CADASTRE_SUCCESS);
  give_back(context, before);
  assert_null(thread_workspace_in(context));
  assert_int_equal(cadastre_context_set_default_queue(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  for (int turn = 0; turn < 3; ++turn) give_back(context, acquire(context, CADASTRE_HOST, {100}));
  assert_true(was_there && thread_workspace_in(context));
  destroy(context);
}

void what_changes_a_workspace_sees_a_lease_at_the_thread_workspace(void**) {
  const cadastre_context context = context_with_thread_workspace();
  alignas(64) static unsigned char theirs[4096];
  Loan loan = acquire(context, CADASTRE_HOST, {100});
  assert_refused(context, cadastre_workspace_set_size(context, CADASTRE_HOST, 100), CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE);
  assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, theirs, sizeof theirs), CADASTRE_LEASE_ALIVE,
                 CADASTRE_REASON_LEASE_ALIVE);
  give_back(context, loan);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, theirs, sizeof theirs), CADASTRE_SUCCESS);
  give_back(context, acquire(context, CADASTRE_HOST, {100}));
  loan = acquire(context, CADASTRE_HOST, {4096});
  assert_non_null(thread_workspace_in(context));
  assert_ptr_equal(loan[0], theirs);
  assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, nullptr, 0), CADASTRE_LEASE_ALIVE,
                 CADASTRE_REASON_LEASE_ALIVE);
  give_back(context, loan);
  give_back(context, acquire(context, CADASTRE_HOST, {4096}));
  assert_int_equal(try_acquire(context, CADASTRE_HOST, {4097}).code, CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(info_of(context, CADASTRE_HOST).failed_acquisitions, 1);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, nullptr, 0), CADASTRE_SUCCESS);
  destroy(context);
}

void a_size_query_has_no_thread_workspace_beside_it(void**) {
  const cadastre_context context = context_with_thread_workspace();
  const Loan loan = acquire(context, CADASTRE_HOST, {100});
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  give_back(context, loan);
  assert_null(thread_workspace_in(context));
  assert_int_equal(try_acquire(context, CADASTRE_HOST, {100}).code, CADASTRE_SIZE_QUERY_MISMATCH);
  std::size_t bytes = 0;
  assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
  for (int turn = 0; turn < 2; ++turn) give_back(context, acquire(context, CADASTRE_HOST, {100}));
  assert_non_null(thread_workspace_in(context));
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  assert_int_equal(try_acquire(context, CADASTRE_HOST, {100}).code, CADASTRE_SIZE_QUERY_MISMATCH);
  destroy(context);
}

void leases_of_one_time_have_no_thread_workspace(void**) {
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    const cadastre_context context = context_with_thread_workspace();
    assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_HOST, scheme), CADASTRE_SUCCESS);
    for (int turn = 0; turn < 3; ++turn) give_back(context, acquire(context, CADASTRE_HOST, {100}));
    assert_null(thread_workspace_in(context));
    assert_int_equal(statistics_of(context, CADASTRE_HOST).live_blocks, 0);
    destroy(context);
  }
}

void memory_that_another_context_needs_is_given_up_unless_it_is_leased(void**) {
  constexpr std::size_t large = std::size_t{1} << 20;
  const cadastre_context parent = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  options.parent = parent;
  const cadastre_context lends = cadastre_context_create_with_options(&options), needs = cadastre_context_create_with_options(&options);
  for (int turn = 0; turn < 2; ++turn) give_back(lends, acquire(lends, CADASTRE_HOST, {large}));
  assert_int_equal(cadastre_set_limit(parent, CADASTRE_HOST, large + large / 2), CADASTRE_SUCCESS);
  assert_non_null(thread_workspace_in(lends));
  const Loan loan = acquire(lends, CADASTRE_HOST, {100});
  assert_null(cadastre_malloc(needs, request(CADASTRE_HOST, large)));
  assert_int_equal(info_of(lends, CADASTRE_HOST).live_leases, 1);
  give_back(lends, loan);
  assert_non_null(thread_workspace_in(lends));
  assert_non_null(cadastre_malloc(needs, request(CADASTRE_HOST, large)));
  assert_null(thread_workspace_in(lends));
  assert_int_equal(info_of(lends, CADASTRE_HOST).reserved_bytes, 0);
  give_back(lends, acquire(lends, CADASTRE_HOST, {100}));
  destroy(lends);
  destroy(needs);
  destroy(parent);
}

void a_context_with_a_lease_at_the_thread_workspace_is_destroyed_and_says_so(void**) {
  const cadastre_context context = context_with_thread_workspace();
  const Loan loan = acquire(context, CADASTRE_HOST, {100});
  assert_non_null(thread_workspace_in(context));
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_int_equal(summary.live_leases, 1);
  assert_int_equal(cadastre_workspace_release(context, loan.lease), CADASTRE_INVALID_CONTEXT);
  const cadastre_context next = context_on(*find_backend(CADASTRE_BACKEND_HOST));  // with the same shard
  assert_int_equal(cadastre_free(next, block(next, request(CADASTRE_HOST, 100))), CADASTRE_SUCCESS);
  assert_true(find_known_shard(next) && !thread_workspace_in(next));
  assert_int_equal(cadastre_workspace_release(next, loan.lease), CADASTRE_INVALID_ARG_2);
  destroy(next);
}

void another_thread_returns_a_lease_of_the_thread_workspace(void**) {
  const cadastre_context context = context_with_thread_workspace();
  const Loan loan = acquire(context, CADASTRE_HOST, {100});
  std::thread([&] { give_back(context, loan); }).join();
  assert_books(context, 2, 0, 0, most);
  assert_refused(context, cadastre_workspace_release(context, loan.lease), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_LEASE_RELEASED);
  destroy(context);
}

void a_thread_that_ends_leaves_its_lease(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  Loan loan;
  std::thread([&] {
    for (int turn = 0; turn < 2; ++turn) give_back(context, acquire(context, CADASTRE_HOST, {most}));
    loan = acquire(context, CADASTRE_HOST, {100});
    assert_non_null(thread_workspace_in(context));
  }).join();
  assert_books(context, 3, 1, 128, most);
  const Loan mine = acquire(context, CADASTRE_HOST, {100});
  assert_ptr_not_equal(mine[0], loan[0]);
  give_back(context, mine);
  give_back(context, loan);
  assert_int_equal(info_of(context, CADASTRE_HOST).live_leases, 0);
  destroy(context);
}

// What ends with its thread was not taken away.
void threads_that_come_and_go_have_the_thread_workspace_in_turn(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  for (int turn = 0; turn < 20; ++turn) {
    std::thread([&] {
      give_back(context, acquire(context, CADASTRE_HOST, {most}));
      assert_non_null(thread_workspace_in(context));
      give_back(context, acquire(context, CADASTRE_HOST, {100}));
    }).join();
  }
  assert_books(context, 40, 0, 0, most);
  assert_int_equal(info_of(context, CADASTRE_HOST).workspace_count, 1);
  destroy(context);
}

void a_thread_workspace_that_others_take_away_stays_away_for_a_while(void**) {
  const cadastre_context context = context_with_thread_workspace();
  std::thread([&] { info_of(context, CADASTRE_HOST); }).join();
  int turns = 0;
  for (; turns < 100000 && !thread_workspace_in(context); ++turns) give_back(context, acquire(context, CADASTRE_HOST, {100}));
  assert_in_range(turns, 500, 2000);
  destroy(context);
}

void who_looks_while_another_leases_sees_what_is(void**) {
  constexpr int turns = 200000;
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  std::atomic<bool> done = false;
  std::thread lender([&] {
    give_back(context, acquire(context, CADASTRE_HOST, {most}));
    const std::size_t size = 100;
    void* at = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    for (int turn = 0; turn < turns; ++turn) {
      assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &size, &at, &lease), CADASTRE_SUCCESS);
      *static_cast<volatile int*>(at) = turn;
      assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
    }
    done = true;
  });
  std::int64_t before = 0;
  while (!done) {
    const cadastre_workspace_info_struct info = info_of(context, CADASTRE_HOST);
    assert_true(info.acquisitions >= before && (info.live_leases == 0 || info.live_leases == 1));
    if (info.acquisitions > 1) assert_int_equal(info.used_bytes, 128 * static_cast<std::size_t>(info.live_leases));
    before = info.acquisitions;
    std::this_thread::sleep_for(std::chrono::microseconds(before % 8 == 0 ? 20 : 900));
  }
  lender.join();
  const cadastre_workspace_info_struct info = info_of(context, CADASTRE_HOST);
  assert_int_equal(info.acquisitions, turns + 1);
  assert_int_equal(info.live_leases, 0);
  destroy(context);
}

void who_has_locked_the_context_has_it_alone(void**) {
  const cadastre_context context = context_with_thread_workspace();
  std::atomic<bool> locked = false, leased = false;
  std::thread other([&] {
    assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
    locked = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    assert_false(leased);
    assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  });
  while (!locked) std::this_thread::yield();
  const Loan loan = acquire(context, CADASTRE_HOST, {100});
  leased = true;
  other.join();
  give_back(context, loan);
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  for (int turn = 0; turn < 3; ++turn) give_back(context, acquire(context, CADASTRE_HOST, {100}));
  assert_non_null(thread_workspace_in(context));
  assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  assert_books(context, 5, 0, 0, most);
  destroy(context);
}

void a_context_that_is_destroyed_beside_leases_refuses_them(void**) {
  for (int turn = 0; turn < 200; ++turn) {
    const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
    std::atomic<int> rounds = 0;
    std::atomic<bool> out = false;  // while the context is destroyed
    std::thread lender([&] {
      const std::size_t size = 100;
      void* at = nullptr;
      cadastre_lease lease = CADASTRE_NULL_LEASE;
      while (true) {
        const cadastre_exit_code acquired = cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &size, &at, &lease);
        if (acquired == CADASTRE_INVALID_CONTEXT) return;
        assert_int_equal(acquired, CADASTRE_SUCCESS);
        out = true;
        const cadastre_exit_code released = cadastre_workspace_release(context, lease);
        if (released == CADASTRE_INVALID_CONTEXT) return;
        assert_int_equal(released, CADASTRE_SUCCESS);
        out = false;
        ++rounds;
      }
    });
    while (rounds < 10) std::this_thread::yield();
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
    lender.join();
    assert_int_equal(summary.live_leases, out ? 1 : 0);
  }
}

void a_child_has_the_leases_of_the_thread_workspace(void**) {
  const cadastre_context context = context_with_thread_workspace(), other = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  const Loan mine = acquire(context, CADASTRE_HOST, {100});
  Loan theirs;
  std::atomic<int> step = 0;
  std::thread holder([&] {
    give_back(other, acquire(other, CADASTRE_HOST, {most}));
    theirs = acquire(other, CADASTRE_HOST, {100});
    assert_non_null(thread_workspace_in(other));
    step = 1;
    while (step < 2) std::this_thread::yield();
    give_back(other, theirs);
  });
  while (step < 1) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    int wrong = 0;
    for (const cadastre_context each : {context, other}) wrong += info_of(each, CADASTRE_HOST).live_leases != 1;
    wrong += cadastre_workspace_release(context, mine.lease) != CADASTRE_SUCCESS;
    wrong += cadastre_workspace_release(other, theirs.lease) != CADASTRE_SUCCESS;
    for (const cadastre_context each : {context, other}) {
      for (int turn = 0; turn < 3; ++turn) give_back(each, acquire(each, CADASTRE_HOST, {100}));
      wrong += info_of(each, CADASTRE_HOST).live_leases != 0 || cadastre_context_destroy(each) != CADASTRE_SUCCESS;
    }
    _exit(wrong);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  step = 2;
  holder.join();
  give_back(context, mine);
  assert_int_equal(info_of(other, CADASTRE_HOST).live_leases, 0);
  destroy(context);
  destroy(other);
}

cadastre_context handled = CADASTRE_NULL_CONTEXT;
volatile long served = 0, refused = 0, wrong = 0;

void handle(int) {
  const std::size_t size = 64;
  void* at = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  const auto is_interrupted = [] { return last(handled).reason == CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER; };
  if (cadastre_workspace_acquire(handled, CADASTRE_HOST, 1, &size, &at, &lease) != CADASTRE_SUCCESS) {
    if (is_interrupted()) refused = refused + 1;
    else wrong = wrong + 1;
  } else if (cadastre_workspace_release(handled, lease) != CADASTRE_SUCCESS) {
    wrong = wrong + 1;
  } else {
    served = served + 1;
  }
}

// With a locked call now and then, lest all is done in the thread workspace.
void handlers_of_signals_lease_or_are_refused(void**) {
  handled = context_with_thread_workspace();
  struct sigaction action = {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval often = {{0, 20}, {0, 20}}, never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  std::int64_t acquired = 1;
  for (long turn = 0; served < 5000 || refused < 50; ++turn, ++acquired) {
    const std::size_t size = 100;
    void* at = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    assert_int_equal(cadastre_workspace_acquire(handled, CADASTRE_HOST, 1, &size, &at, &lease), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_workspace_release(handled, lease), CADASTRE_SUCCESS);
    if (turn % 64 == 0) info_of(handled, CADASTRE_HOST);
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  signal(SIGALRM, SIG_DFL);
  assert_int_equal(wrong, 0);
  const cadastre_workspace_info_struct info = info_of(handled, CADASTRE_HOST);
  assert_int_equal(info.acquisitions, acquired + served);
  assert_int_equal(info.live_leases, 0);
  assert_int_equal(info.used_bytes, 0);
  destroy(handled);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_thread_workspace_leases_what_fits_and_refuses_the_rest_unchanged),
      cmocka_unit_test(an_idle_workspace_is_leased_at_the_thread_workspace_and_the_books_are_right),
      cmocka_unit_test(a_lease_at_the_thread_workspace_has_the_place_and_the_number_that_it_would_have),
      cmocka_unit_test(leases_on_top_of_one_at_the_thread_workspace_are_returned_in_any_order),
      cmocka_unit_test(the_most_that_was_leased_is_what_was_out_at_the_thread_workspace_and_elsewhere),
      cmocka_unit_test(what_the_thread_workspace_does_not_know_is_refused_as_ever),
      cmocka_unit_test(only_the_default_queue_of_the_host_is_at_the_thread_workspace),
      cmocka_unit_test(what_changes_a_workspace_sees_a_lease_at_the_thread_workspace),
      cmocka_unit_test(a_size_query_has_no_thread_workspace_beside_it),
      cmocka_unit_test(leases_of_one_time_have_no_thread_workspace),
      cmocka_unit_test(memory_that_another_context_needs_is_given_up_unless_it_is_leased),
      cmocka_unit_test(a_context_with_a_lease_at_the_thread_workspace_is_destroyed_and_says_so),
      cmocka_unit_test(another_thread_returns_a_lease_of_the_thread_workspace),
      cmocka_unit_test(a_thread_that_ends_leaves_its_lease),
      cmocka_unit_test(threads_that_come_and_go_have_the_thread_workspace_in_turn),
      cmocka_unit_test(a_thread_workspace_that_others_take_away_stays_away_for_a_while),
      cmocka_unit_test(who_looks_while_another_leases_sees_what_is),
      cmocka_unit_test(who_has_locked_the_context_has_it_alone),
      cmocka_unit_test(a_context_that_is_destroyed_beside_leases_refuses_them),
      cmocka_unit_test(a_child_has_the_leases_of_the_thread_workspace),
      cmocka_unit_test(handlers_of_signals_lease_or_are_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
