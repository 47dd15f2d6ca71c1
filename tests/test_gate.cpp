// Tangled from org/gate.org; change the chapter, then run: make tangle
#include <array>
#include <thread>
#include <utility>
#include <vector>

#include "cmocka.hpp"
#include "gate.hpp"

using namespace cadastre::internal;

namespace {

constexpr cadastre_context handle = 7;

bool enters(Gate& gate, cadastre_context whose) {
  const bool at_once = bool(Inside(gate, whose, 0, Manner::at_once));
  assert_int_equal(at_once, bool(Inside(gate, whose, 0, Manner::patient)));
  assert_int_equal(at_once, gate.is_open_for(whose));
  return at_once;
}

void a_gate_is_open_for_one_handle_only(void**) {
  Gate gate;
  assert_false(gate.lets_in(handle));
  assert_false(enters(gate, handle));
  gate.open(handle);
  assert_true(gate.lets_in(handle));
  assert_true(enters(gate, handle));
  assert_false(gate.lets_in(handle + 1));
  assert_false(enters(gate, handle + 1));
  gate.keep_closed();
  assert_false(enters(gate, handle));
  gate.open(handle);
  gate.close();
  assert_false(enters(gate, handle));
  assert_false(gate.lets_in(handle));
}

// The sums are plain numbers: a call too many inside would lose some of what is added.
void threads_in_one_stripe_and_visits_exclude_each_other(void**) {
  constexpr std::uintptr_t stripe_bytes = std::uintptr_t{1} << 26;
  constexpr int threads = 4, turns = 2000;
  std::array<StripeLock, 2> locks;
  Gate gate;
  gate.divide(locks.data(), locks.size());
  gate.open(handle);
  std::array<long, 2> sums{};
  for (unsigned number = 0; number < 2; ++number) locks[number].stripe = reinterpret_cast<Stripe*>(&sums[number]);
  long quick = 0, visits = 0;
  const auto work = [&](unsigned number) {
    for (int turn = 0; turn < turns;) {
      const Inside inside(gate, handle, number % 2 * stripe_bytes, number < 2 ? Manner::at_once : Manner::patient);
      if (!inside) {
        std::this_thread::yield();
        continue;
      }
      ++reinterpret_cast<long&>(inside.stripe());
      ++turn;
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned number = 0; number < threads; ++number) workers.emplace_back(work, number);
    for (; visits < 200; ++visits) {
      gate.close();
      for (long& sum : sums) quick += std::exchange(sum, 0);
      gate.open(handle);
    }
  }
  assert_int_equal(quick + sums[0] + sums[1], long{threads} * turns);
}

void a_gate_that_is_not_left_is_not_shut(void**) {
  Gate gate;
  gate.open(handle);
  {
    const Inside inside(gate, handle, 0, Manner::at_once);
    assert_true(bool(inside));
    assert_false(gate.close_within(std::chrono::milliseconds(5)));
    assert_true(gate.lets_in(handle));
  }
  assert_true(gate.close_within(std::chrono::milliseconds(5)));
  assert_false(enters(gate, handle));
}

void threads_that_meet_make_a_crowd_once(void**) {
  std::array<StripeLock, 16> locks;
  Gate gate;
  gate.open(handle);
  assert_false(gate.is_crowded());
  for (int turn = 0; turn < 1000 && !gate.is_crowded(); ++turn) {
    std::atomic<bool> begun = false;
    std::jthread other;
    const Inside inside(gate, handle, 0, Manner::patient);
    other = std::jthread([&] {
      begun = true;
      const Inside after(gate, handle, 0, Manner::patient);
    });
    while (!begun) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  assert_true(gate.is_crowded());
  assert_false(bool(Inside(gate, handle, 0, Manner::patient)));
  gate.divide(locks.data(), locks.size());
  assert_false(gate.is_crowded());
  gate.unite(nullptr);
  assert_false(gate.is_crowded());
  assert_int_equal(Gate::stripe_of(std::uintptr_t{5} << 26 | 1, 16), 5);
  assert_int_equal(Gate::stripe_of(std::uintptr_t{5} << 26 | 1, 1), 0);
}

// Stripes are entered and never left, as by threads that a fork has left behind.
void a_child_waits_for_no_thread_of_its_parent(void**) {
  std::array<StripeLock, 16> locks;
  Gate gate;
  gate.divide(locks.data(), locks.size());
  gate.open(handle);
  StripeLock* lock = nullptr;
  for (std::uintptr_t number = 0; number < locks.size(); ++number) {
    assert_true(gate.enter_at_once(handle, number << 26, lock));
  }
  assert_false(gate.close_within(std::chrono::milliseconds(1)));
  gate.release_locks();
  assert_true(gate.close_within(std::chrono::milliseconds(1)));
}

void a_child_waits_for_no_thread_that_was_late_when_the_gate_was_divided(void**) {
  std::array<StripeLock, 16> locks;
  Gate gate;
  gate.open(handle);
  StripeLock* lock = nullptr;
  assert_true(gate.enter_at_once(handle, 0, lock));
  gate.divide(locks.data(), locks.size());
  gate.release_locks();
  gate.unite(nullptr);
  assert_true(gate.close_within(std::chrono::milliseconds(1)));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_gate_is_open_for_one_handle_only),
      cmocka_unit_test(threads_in_one_stripe_and_visits_exclude_each_other),
      cmocka_unit_test(a_gate_that_is_not_left_is_not_shut),
      cmocka_unit_test(threads_that_meet_make_a_crowd_once),
      cmocka_unit_test(a_child_waits_for_no_thread_of_its_parent),
      cmocka_unit_test(a_child_waits_for_no_thread_that_was_late_when_the_gate_was_divided),
  };
  return cmocka_run_group_tests_name("gate", tests, nullptr, nullptr);
}
