// Tangled from org/tests/accounting_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "base/accounting.hpp"
#include "cmocka.hpp"

namespace {

using namespace cadastre::internal;

struct Family {
  SharedAccount process, parent{&process}, child{&parent}, other{&parent};
};

void a_claim_counts_in_all_accounts_up_to_the_process(void**) {
  Family f;
  assert_false(f.child.claim(CADASTRE_HOST, 100).has_value());
  for (SharedAccount* const each : {&f.child, &f.parent, &f.process}) {
    assert_int_equal(each->of(CADASTRE_HOST).claimed(), 100);
    assert_int_equal(each->of(CADASTRE_HOST).live(), 0);
    assert_int_equal(each->of(CADASTRE_DEVICE).claimed(), 0);
  }
  assert_int_equal(f.other.of(CADASTRE_HOST).claimed(), 0);
  f.child.settle(CADASTRE_HOST, 100, 1);
  assert_int_equal(f.process.of(CADASTRE_HOST).live(), 100);
  assert_int_equal(f.process.of(CADASTRE_HOST).most_live(), 100);
  f.child.discharge(CADASTRE_HOST, 100, 1);
  assert_int_equal(f.process.of(CADASTRE_HOST).live(), 0);
  assert_int_equal(f.process.of(CADASTRE_HOST).claimed(), 0);
  assert_int_equal(f.process.of(CADASTRE_HOST).most_live(), 100);
  assert_int_equal(f.process.of(CADASTRE_HOST).most_blocks(), 1);
}

void a_refused_claim_changes_nothing_and_names_who_refused(void**) {
  Family f;
  f.parent.of(CADASTRE_HOST).set_limit(150);
  f.process.of(CADASTRE_HOST).set_limit(1000);
  assert_false(f.other.claim(CADASTRE_HOST, 100).has_value());
  const std::optional<Refusal> refusal = f.child.claim(CADASTRE_HOST, 51);
  assert_true(refusal.has_value());
  assert_ptr_equal(refusal->account, &f.parent);
  assert_int_equal(refusal->claimed, 100);
  assert_int_equal(refusal->limit, 150);
  assert_int_equal(f.child.of(CADASTRE_HOST).claimed(), 0);
  assert_int_equal(f.parent.of(CADASTRE_HOST).claimed(), 100);
  assert_int_equal(f.process.of(CADASTRE_HOST).claimed(), 100);
  assert_false(f.child.claim(CADASTRE_HOST, 50).has_value());
  assert_true(f.child.claim(CADASTRE_HOST, 1).has_value());
  assert_false(f.child.claim(CADASTRE_HOST, 0).has_value());
  assert_int_equal(f.parent.of(CADASTRE_HOST).most_live(), 0);
}

void a_claim_cannot_wrap_around(void**) {
  Family f;
  assert_false(f.child.claim(CADASTRE_HOST, SIZE_MAX - 10).has_value());
  assert_true(f.child.claim(CADASTRE_HOST, 11).has_value());
  assert_int_equal(f.process.of(CADASTRE_HOST).claimed(), SIZE_MAX - 10);
}

void what_is_kept_lessens_the_room_for_more(void**) {
  Family f;
  assert_true(f.child.room(CADASTRE_DEVICE) == SharedAccount::most_room);
  f.parent.of(CADASTRE_DEVICE).set_limit(1000);
  assert_false(f.child.claim(CADASTRE_DEVICE, 300).has_value());
  f.other.keep(CADASTRE_DEVICE, 200);
  assert_int_equal(f.child.room(CADASTRE_DEVICE), 500);
  f.process.of(CADASTRE_DEVICE).set_limit(400);
  assert_int_equal(f.child.room(CADASTRE_DEVICE), -100);
  f.other.give_up(CADASTRE_DEVICE, 200);
  assert_int_equal(f.child.room(CADASTRE_DEVICE), 100);
}

// Of threads whose claims fill the limit exactly none is refused, whatever others are refused meanwhile by an account above.
void a_limit_is_exact_while_threads_race(void**) {
  Family f;
  constexpr std::size_t each = 64, threads = 2, rounds = 20000;
  f.parent.of(CADASTRE_HOST).set_limit(threads * each);
  f.process.of(CADASTRE_HOST).set_limit(threads * each);
  SharedAccount apart(&f.process);
  std::atomic<int> wrong = 0;
  std::atomic<bool> done = false;
  std::vector<std::thread> working;
  for (std::size_t i = 0; i < threads; ++i) {
    working.emplace_back([&] {
      for (std::size_t round = 0; round < rounds; ++round) {
        if (f.child.claim(CADASTRE_HOST, each)) {
          ++wrong;
          continue;
        }
        f.child.settle(CADASTRE_HOST, each, 1);
        f.child.discharge(CADASTRE_HOST, each, 1);
      }
    });
  }
  // Its claims pass its own account and are refused above.
  SharedAccount greedy(&f.parent);
  greedy.of(CADASTRE_HOST).set_limit(10 * threads * each);
  std::thread refused([&] {
    while (!done) wrong += !greedy.claim(CADASTRE_HOST, threads * each + 1).has_value();
  });
  for (std::thread& thread : working) thread.join();
  done = true;
  refused.join();
  assert_int_equal(wrong, 0);
  for (SharedAccount* const account : {&f.child, &f.parent, &f.process, &greedy}) {
    assert_int_equal(account->of(CADASTRE_HOST).claimed(), 0);
    assert_true(account->of(CADASTRE_HOST).most_live() <= threads * each);
  }
}

// The lower of two limited accounts lets the claim pass, and the upper one refuses it, while others need the lower one whole.
void a_claim_that_is_refused_above_keeps_nobody_out_below(void**) {
  SharedAccount process, context{&process};
  process.of(CADASTRE_HOST).set_limit(100);
  context.of(CADASTRE_HOST).set_limit(120);
  std::atomic<bool> done = false;
  std::atomic<int> refusals = 0;
  std::thread refused([&] {
    for (; !done; ++refusals) {
      if (!context.claim(CADASTRE_HOST, 101)) context.cancel(CADASTRE_HOST, 101);
    }
  });
  int wrong = 0;
  for (int round = 0; round < 100000 || refusals < 100000; ++round) {  // also where the threads have to share a processor
    if (context.claim(CADASTRE_HOST, 100)) {
      ++wrong;
    } else {
      context.cancel(CADASTRE_HOST, 100);
    }
  }
  done = true;
  refused.join();
  assert_int_equal(wrong, 0);
}

void what_was_counted_before_a_context_went_stays(void**) {
  SharedAccount process, context{&process};
  cadastre_statistics_struct figures{};
  figures.allocations = 3;
  figures.deallocations = 3;
  figures.total_bytes = 100;
  figures.high_water_mark_bytes = 50;
  process.add_departed(CADASTRE_UVM, figures);
  process.add_departed(CADASTRE_UVM, figures);
  assert_int_equal(process.departed(CADASTRE_UVM).allocations, 6);
  assert_int_equal(process.departed(CADASTRE_UVM).total_bytes, 200);
  assert_int_equal(process.departed(CADASTRE_UVM).high_water_mark_bytes, 0);
  assert_int_equal(process.departed(CADASTRE_HOST).allocations, 0);
}

void a_parent_counts_its_children_also_after_a_fork(void**) {
  SharedAccount parent;
  ChildOf first(parent);
  {
    ChildOf second(parent);
    const ChildOf moved(std::move(second));
    assert_int_equal(parent.children(), 2);
  }
  assert_int_equal(parent.children(), 1);
  {
    ChildOf of_another_thread(parent), of_this_thread(parent);
    ChildOf::age();
    parent.clear();
    first.renew();
    assert_int_equal(parent.children(), 1);
    const ChildOf becomes_a_context(std::move(of_this_thread));
    assert_int_equal(parent.children(), 2);
  }
  assert_int_equal(parent.children(), 1);
}

void bytes_are_scarce_while_somebody_says_so_and_not_in_the_child_of_a_fork(void**) {
  SharedAccount above, below(&above);
  const auto are_scarce = [](const SharedAccount& account) { return account.are_scarce(CADASTRE_HOST); };
  {
    const Scarce one(above.of(CADASTRE_HOST));
    {
      const Scarce another(above.of(CADASTRE_HOST));
    }
    assert_true(are_scarce(above) && are_scarce(below));
    assert_false(below.are_scarce(CADASTRE_DEVICE));
  }
  assert_false(are_scarce(below));
  {
    const Scarce here(below.of(CADASTRE_HOST));
    assert_false(are_scarce(above));
    ChildOf::age();
    below.clear();
    assert_false(are_scarce(below));
  }
  assert_false(are_scarce(below));
}

void an_account_knows_what_is_above(void**) {
  Family f;
  assert_true(f.child.is_within(f.child) && f.child.is_within(f.parent) && f.child.is_within(f.process));
  assert_false(f.child.is_within(f.other) || f.parent.is_within(f.child));
  f.parent.of(CADASTRE_HOST).set_limit(1);
  assert_true(f.child.is_limited(CADASTRE_HOST));
  assert_false(f.process.is_limited(CADASTRE_HOST));
  assert_false(f.child.is_limited(CADASTRE_DEVICE));
  f.parent.close();
  assert_true(f.process.accepts_children() && !f.parent.accepts_children() && !f.child.accepts_children());
  f.parent.reopen();
  assert_true(f.child.accepts_children());
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_claim_counts_in_all_accounts_up_to_the_process),
      cmocka_unit_test(a_refused_claim_changes_nothing_and_names_who_refused),
      cmocka_unit_test(a_claim_cannot_wrap_around),
      cmocka_unit_test(what_is_kept_lessens_the_room_for_more),
      cmocka_unit_test(a_limit_is_exact_while_threads_race),
      cmocka_unit_test(a_claim_that_is_refused_above_keeps_nobody_out_below),
      cmocka_unit_test(what_was_counted_before_a_context_went_stays),
      cmocka_unit_test(a_parent_counts_its_children_also_after_a_fork),
      cmocka_unit_test(bytes_are_scarce_while_somebody_says_so_and_not_in_the_child_of_a_fork),
      cmocka_unit_test(an_account_knows_what_is_above),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
