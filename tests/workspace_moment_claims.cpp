// Tangled from org/tests/workspace_moment_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>

#include "workspace_claims.hpp"

namespace cadastre::internal {
namespace {

// The host's heap as devices' memory, with events or without. The next call of a kind waits at the gate.
class Gated final : public Backend {
 public:
  enum Call { none, allocating, freeing, recording, waiting };

  cadastre_backend number() const noexcept override { return CADASTRE_BACKEND_HOST; }
  Presence presence() const noexcept override { return {true, 1, ""}; }
  bool serves(cadastre_memory_type) const noexcept override { return true; }
  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return 64; }
  std::int32_t current_device() noexcept override { return 0; }
  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    pass(allocating);
    if (refuses_allocations) {
      return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_BACKEND_OUT_OF_MEMORY});
    }
    grant = {std::aligned_alloc(64, request.size + 64 - request.size % 64), 64, 0};
    ++live;
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code free(const Record& record) noexcept override {
    pass(freeing);
    std::free(record.pointer);
    --live;
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code copy(const Copy& copy) noexcept override {
    std::memcpy(copy.to, copy.from, copy.bytes);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code set(const Fill& fill) noexcept override {
    std::memset(fill.to, fill.value, fill.bytes);
    return CADASTRE_SUCCESS;
  }
  bool has_events() const noexcept override { return true; }
  cadastre_exit_code record_event(std::int32_t, cadastre_queue, Event& event) noexcept override {
    pass(recording);
    if (!event) {
      event = this;
      ++events;
    }
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code wait_event(std::int32_t, cadastre_queue, Event) noexcept override { return CADASTRE_SUCCESS; }
  cadastre_exit_code synchronize_event(std::int32_t, Event) noexcept override {
    pass(waiting);
    return CADASTRE_SUCCESS;
  }
  void destroy_event(std::int32_t, Event event) noexcept override { events -= event != nullptr; }
  bool capturing(std::int32_t, cadastre_queue queue) noexcept override { return queue && queue == captured; }
  cadastre_exit_code settle(const Record&) noexcept override {
    pass(waiting);
    return CADASTRE_SUCCESS;
  }

  // While a call of this kind waits, does something else.
  template <class Something>
  void during(Call call, Something something) {
    while (kept == none) std::this_thread::yield();
    assert_int_equal(kept, call);
    something();
    kept = none;
  }

  std::atomic<Call> next = none, kept = none;
  std::atomic<bool> refuses_allocations = false;
  std::atomic<int> live = 0, events = 0;
  std::atomic<cadastre_queue> captured = nullptr;

 private:
  void pass(Call call) noexcept {
    Call expected = call;
    if (!next.compare_exchange_strong(expected, none)) return;
    kept = call;
    while (kept != none) std::this_thread::yield();
  }
};

cadastre_context context_on_gated(Gated& backend) {
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  create_context(backend, {}, ChildOf(process_account()), context);
  return context;
}

constexpr cadastre_memory_type gated_type = CADASTRE_DEVICE;

// The one who leases goes on although his older lease is given back by somebody else at this moment.
void a_nested_acquisition_survives_that_its_outer_lease_is_given_back_meanwhile(void**) {
  for (const bool succeeds : {true, false}) {
    Gated backend;
    const cadastre_context context = context_on_gated(backend);
    const cadastre_queue queue = queue_number(5);
    Loan outer, nested;
    std::thread lender([&] {
      outer = try_acquire(context, gated_type, {100}, queue);
      backend.next = Gated::allocating;
      nested = try_acquire(context, gated_type, {5000}, queue);
    });
    backend.during(Gated::allocating, [&] {
      give_back(context, outer);
      assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_LEASE_ALIVE);
      const Loan mine = acquire(context, gated_type, {100}, queue);
      assert_true(mine[0] != outer[0]);
      give_back(context, mine);
      backend.refuses_allocations = !succeeds;
    });
    lender.join();
    backend.refuses_allocations = false;
    assert_int_equal(nested.code, succeeds ? CADASTRE_SUCCESS : CADASTRE_ALLOCATION_FAILED);
    assert_int_equal(info_of(context, gated_type).live_leases, succeeds);
    if (succeeds) {
      assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_LEASE_ALIVE);
      const Loan mine = acquire(context, gated_type, {5000}, queue);
      assert_true(mine[0] != nested[0]);
      give_back(context, mine);
      give_back(context, nested);
    }
    assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_SUCCESS);
    assert_int_equal(backend.live, 1);
    destroy(context);
    assert_int_equal(backend.live + backend.events, 0);
  }
}

void while_an_event_is_recorded_nobody_is_leased_the_memory(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  const cadastre_queue queue = queue_number(5);
  const Loan loan = acquire(context, gated_type, {100}, queue);
  backend.next = Gated::recording;
  std::thread giver([&] { give_back(context, loan); });
  backend.during(Gated::recording, [&] {
    const Loan mine = acquire(context, gated_type, {100}, queue);
    assert_true(mine[0] != loan[0]);
    give_back(context, mine);
    assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_LEASE_ALIVE);
  });
  giver.join();
  assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_SUCCESS);
  destroy(context);
  assert_int_equal(backend.live + backend.events, 0);
}

// When a lease has ended its lessee may destroy the queue.
void while_an_event_is_recorded_for_others_on_a_queue_its_lease_does_not_end(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  assert_int_equal(cadastre_workspace_set_size(context, gated_type, 8000), CADASTRE_SUCCESS);
  const cadastre_queue queue = queue_number(5);
  const Loan outer = acquire(context, gated_type, {1000}, queue), inner = acquire(context, gated_type, {6000}, queue);
  give_back(context, inner);
  backend.next = Gated::recording;
  Loan theirs;
  std::atomic<bool> ended = false;
  std::thread other([&] { theirs = try_acquire(context, gated_type, {6000}, queue_number(6)); }), giver;
  backend.during(Gated::recording, [&] {
    giver = std::thread([&] {
      give_back(context, outer);
      ended = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    assert_false(ended);
  });
  other.join();
  giver.join();
  assert_int_equal(theirs.code, CADASTRE_SUCCESS);
  give_back(context, theirs);
  destroy(context);
  assert_int_equal(backend.live + backend.events, 0);
}

void while_memory_of_its_own_is_freed_the_workspace_may_go(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  assert_int_equal(cadastre_workspace_set_size(context, gated_type, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
  const Loan loan = acquire(context, gated_type, {100});
  backend.next = Gated::freeing;
  std::thread giver([&] { give_back(context, loan); });
  backend.during(Gated::freeing, [&] {
    give_back(context, acquire(context, gated_type, {100}));
    assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_SUCCESS);
  });
  giver.join();
  destroy(context);
  assert_int_equal(backend.live + backend.events, 0);
}

void while_a_size_is_set_others_lease_and_the_size_is_refused(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  backend.next = Gated::allocating;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  std::thread setter([&] { code = cadastre_workspace_set_size(context, gated_type, 6400); });
  Loan loan;
  backend.during(Gated::allocating, [&] { loan = acquire(context, gated_type, {100}); });
  setter.join();
  assert_int_equal(code, CADASTRE_LEASE_ALIVE);
  assert_int_equal(backend.live, 1);
  assert_int_equal(info_of(context, gated_type).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  give_back(context, loan);
  destroy(context);
  assert_int_equal(backend.live, 0);
}

void a_block_is_freed_when_all_its_parts_have_been_waited_for(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  assert_int_equal(cadastre_workspace_set_size(context, gated_type, 8000), CADASTRE_SUCCESS);
  const Loan first = acquire(context, gated_type, {2000}, queue_number(5)), second = acquire(context, gated_type, {2000}, queue_number(6));
  give_back(context, first);
  give_back(context, second);
  backend.next = Gated::waiting;
  cadastre_exit_code code = CADASTRE_FAILURE;
  std::thread setter([&] { code = cadastre_workspace_set_size(context, gated_type, CADASTRE_WORKSPACE_AUTOMATIC); });
  backend.during(Gated::waiting, [&] { backend.next = Gated::waiting; });
  backend.during(Gated::waiting, [&] { assert_int_equal(backend.live, 1); });
  setter.join();
  assert_int_equal(code, CADASTRE_SUCCESS);
  assert_int_equal(backend.live, 0);
  destroy(context);
  assert_int_equal(backend.events, 0);
}

void while_what_a_graph_had_is_waited_for_it_is_nobodys(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  const cadastre_queue queue = queue_number(5);
  assert_int_equal(cadastre_workspace_set_size(context, gated_type, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
  const Loan recorded = acquire(context, gated_type, {1000}, queue);
  backend.captured = queue;
  give_back(context, recorded);
  backend.captured = nullptr;
  assert_int_equal(backend.live, 1);
  backend.next = Gated::waiting;
  cadastre_exit_code code = CADASTRE_FAILURE;
  std::thread releaser([&] { code = cadastre_workspace_release_captured(context, gated_type, queue); });
  backend.during(Gated::waiting, [&] {
    assert_int_equal(cadastre_workspace_set_size(context, gated_type, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_LEASE_ALIVE);
    const Loan loan = acquire(context, gated_type, {1000}, queue);
    assert_ptr_not_equal(loan[0], recorded[0]);
    give_back(context, loan);
    assert_int_equal(backend.live, 1);
  });
  releaser.join();
  assert_int_equal(code, CADASTRE_SUCCESS);
  assert_int_equal(backend.live, 0);
  destroy(context);
}

void no_lock_is_held_while_an_acquisition_waits_and_destroy_waits_for_it(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  Loan loan = acquire(context, gated_type, {100}, queue_number(5));
  give_back(context, loan);
  backend.next = Gated::freeing;
  std::thread lender([&] { loan = try_acquire(context, gated_type, {5000}, queue_number(6)); });
  std::thread destroyer;
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  backend.during(Gated::freeing, [&] {
    assert_int_equal(backend.live, 2);  // the new block is there before the old one goes
    assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
    give_back(context, acquire(context, gated_type, {50}));
    assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
    destroyer = std::thread([&] { cadastre_context_destroy_with_summary(context, &summary); });
    while (cadastre_context_check(context) != CADASTRE_NULL_CONTEXT) std::this_thread::yield();
  });
  lender.join();
  destroyer.join();
  assert_int_equal(loan.code, CADASTRE_SUCCESS);
  assert_int_equal(summary.live_leases, 1);
  assert_int_equal(backend.live + backend.events, 0);
}

int status_of_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(body());
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void a_child_inherits_live_leases_and_goes_on(void** state) {
  const cadastre_memory_type type = type_of(state);
  if (subject_of(state).backend != CADASTRE_BACKEND_HOST) skip_because("no vendor serves the child of a fork");
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{100000}, CADASTRE_WORKSPACE_PER_LEASE}) {
    const cadastre_context context = context_of(state);
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    const Loan outer = acquire(context, type, {1000});
    write(context, outer[0], 1000, 1);
    const int status = status_of_child([&] {
      const Loan inner = try_acquire(context, type, {2000});
      if (inner.code != CADASTRE_SUCCESS) return 1;
      if (!holds(context, outer[0], 1000, 1)) return 2;
      if (cadastre_workspace_release(context, outer.lease) != CADASTRE_SUCCESS) return 3;
      if (cadastre_workspace_release(context, inner.lease) != CADASTRE_SUCCESS) return 4;
      if (cadastre_workspace_set_size(context, type, 500) != CADASTRE_SUCCESS) return 6;
      return cadastre_context_destroy(context) == CADASTRE_SUCCESS ? 0 : 7;
    });
    assert_int_equal(status, 0);
    assert_true(holds(context, outer[0], 1000, 1));
    give_back(context, outer);
    destroy(context);
  }
}

void an_acquisition_in_progress_at_a_fork_leaves_the_child_a_workspace(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  assert_int_equal(cadastre_workspace_set_size(context, gated_type, 6400), CADASTRE_SUCCESS);
  Loan loan = acquire(context, gated_type, {100}, queue_number(5));
  backend.next = Gated::recording;
  std::thread giver([&] { give_back(context, loan); });
  int status = -1;
  backend.during(Gated::recording, [&] {
    status = status_of_child([&] {
      const Loan mine = try_acquire(context, gated_type, {6400}, queue_number(5));
      if (mine.code != CADASTRE_SUCCESS) return 1;
      if (cadastre_workspace_release(context, mine.lease) != CADASTRE_SUCCESS) return 2;
      return cadastre_workspace_set_size(context, gated_type, 64) == CADASTRE_SUCCESS ? 0 : 3;
    });
  });
  giver.join();
  assert_int_equal(status, 0);
  assert_int_equal(cadastre_workspace_set_size(context, gated_type, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  backend.next = Gated::allocating;
  std::thread lender([&] { loan = try_acquire(context, gated_type, {500}); });
  backend.during(Gated::allocating, [&] {
    status = status_of_child([&] { return cadastre_workspace_set_size(context, gated_type, 64) == CADASTRE_SUCCESS ? 0 : 1; });
  });
  lender.join();
  assert_int_equal(status, 0);
  give_back(context, loan);
  destroy(context);
}

}  // namespace

Claims moment_claims() {
  return {
      .once =
          {
              cmocka_unit_test(a_nested_acquisition_survives_that_its_outer_lease_is_given_back_meanwhile),
              cmocka_unit_test(while_an_event_is_recorded_nobody_is_leased_the_memory),
              cmocka_unit_test(while_an_event_is_recorded_for_others_on_a_queue_its_lease_does_not_end),
              cmocka_unit_test(while_memory_of_its_own_is_freed_the_workspace_may_go),
              cmocka_unit_test(while_a_size_is_set_others_lease_and_the_size_is_refused),
              cmocka_unit_test(a_block_is_freed_when_all_its_parts_have_been_waited_for),
              cmocka_unit_test(while_what_a_graph_had_is_waited_for_it_is_nobodys),
              cmocka_unit_test(no_lock_is_held_while_an_acquisition_waits_and_destroy_waits_for_it),
              cmocka_unit_test(an_acquisition_in_progress_at_a_fork_leaves_the_child_a_workspace),
          },
      .of_every_type =
          {
              cmocka_unit_test(a_child_inherits_live_leases_and_goes_on),
          },
  };
}

}  // namespace cadastre::internal
