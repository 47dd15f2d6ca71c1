// Tangled from org/tests/fail_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <string>
#include <vector>

#include "base/fail.hpp"
#include "cmocka.hpp"

using namespace cadastre::internal;

namespace {

FailRule rule(const char* text) {
  const auto rules = parse_fail_rules(text);
  assert_true(rules && rules->size() == 1);
  return rules->front();
}

std::vector<std::uint64_t> hits(const FailRule& rule, const char* rank, std::uint64_t calls) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = 1; number <= calls; ++number) {
    if (rule.hits(number, rank)) numbers.push_back(number);
  }
  return numbers;
}

using Numbers = std::vector<std::uint64_t>;

void which_calls_fail_is_one_number_all_from_one_or_a_range(void**) {
  assert_true(hits(rule("malloc:3"), "0", 9) == (Numbers{3}));
  assert_true(hits(rule("free:7+"), "0", 9) == (Numbers{7, 8, 9}));
  assert_true(hits(rule("system:2-4"), "0", 9) == (Numbers{2, 3, 4}));
  assert_true(hits(rule("copy:100%"), "0", 3) == (Numbers{1, 2, 3}));
}

void a_list_has_rules_of_all_calls_and_each_says_itself(void**) {
  const auto rules = parse_fail_rules("malloc:3,free:1+:type=UVM,copy:1,create:2,internal:5-6,system:1%:seed=7");
  assert_true(rules && rules->size() == points);
  for (std::size_t i = 0; i < points; ++i) assert_int_equal((*rules)[i].point, i);
  assert_string_equal((*rules)[0].text.c_str(), "CADASTRE_FAIL=malloc:3");
  assert_string_equal((*rules)[1].text.c_str(), "CADASTRE_FAIL=free:1+:type=UVM");
}

void a_call_has_to_meet_all_conditions(void**) {
  const Asked asked{CADASTRE_DEVICE, CADASTRE_BACKEND_HOST, 1 << 20, "ao_values"};
  for (const char* met : {"malloc:1:type=DEVICE", "malloc:1:backend=host", "malloc:1:size>=1M", "malloc:1:label=ao_values",
                          "malloc:1:label=ao_*", "malloc:1:label=*", "malloc:1:label=a?_v*l*s", "malloc:1:label=**values*",
                          "free:1:size>=1M:label=ao*:type=DEVICE:backend=host", "malloc:1:rank=4"}) {
    if (!rule(met).matches(asked)) print_error("%s\n", met);
    assert_true(rule(met).matches(asked));
  }
  for (const char* missed : {"malloc:1:type=HOST", "malloc:1:backend=cuda", "malloc:1:size>=1025K", "malloc:1:label=ao", "malloc:1:label=",
                             "malloc:1:label=ao_?", "malloc:1:label=*_", "malloc:1:label=ao_values?", "malloc:1:type=DEVICE:label=x"}) {
    if (rule(missed).matches(asked)) print_error("%s\n", missed);
    assert_false(rule(missed).matches(asked));
  }
  assert_true(rule("malloc:1:label=").matches({CADASTRE_HOST, CADASTRE_BACKEND_HOST, 1, nullptr}));
}

void a_share_is_drawn_again_by_seed_and_rank(void**) {
  constexpr std::uint64_t calls = 100'000;
  const Numbers drawn = hits(rule("malloc:10%:seed=42"), "0", calls);
  assert_in_range(drawn.size(), 9'600, 10'400);
  assert_true(hits(rule("malloc:10%:seed=42"), "0", calls) == drawn);
  assert_false(hits(rule("malloc:10%:seed=43"), "0", calls) == drawn);
  assert_false(hits(rule("malloc:10%:seed=42"), "1", calls) == drawn);
  assert_in_range(hits(rule("malloc:0.05%"), "n1-3", calls).size(), 20, 90);
  assert_int_equal(rule("malloc:0.0001%").millionths, 1);
  assert_int_equal(rule("malloc:2.5%").millionths, 25'000);
}

void anything_else_is_malformed(void**) {
  for (const char* wrong : {"",
                            ",",
                            "malloc",
                            "malloc:",
                            "malloc:0",
                            "malloc:3,",
                            ",malloc:3",
                            "malloc:3,,free:1",
                            "Malloc:1",
                            "calloc:1",
                            "malloc:-1",
                            "malloc:3-2",
                            "malloc:3-",
                            "malloc:-3",
                            "malloc:3-5+",
                            "malloc:+",
                            "malloc:1K",
                            "malloc:x",
                            "malloc:0%",
                            "malloc:101%",
                            "malloc:100.1%",
                            "malloc:1.%",
                            "malloc:.5%",
                            "malloc:0.00001%",
                            "malloc:1.x%",
                            "malloc:%",
                            "malloc:1%%",
                            "malloc:1:",
                            "malloc:1::type=HOST",
                            "malloc:1:type",
                            "malloc:1:type=",
                            "malloc:1:type=host",
                            "malloc:1:size>1M",
                            "malloc:1:size>=",
                            "malloc:1:size>=x",
                            "malloc:1:size=1",
                            "malloc:1:backend=",
                            "malloc:1:rank=",
                            "malloc:1:seed=1",
                            "malloc:1%:seed=",
                            "malloc:1%:seed=x",
                            "malloc:1:color=red",
                            "copy:1:type=HOST",
                            "internal:1:label=x",
                            "system:1:size>=1",
                            "create:1:backend=host",
                            "malloc:1 ",
                            " malloc:1",
                            "malloc:1;free:1",
                            "malloc:18446744073709551616"}) {
    if (parse_fail_rules(wrong)) print_error("%s\n", wrong);
    assert_false(parse_fail_rules(wrong).has_value());
  }
}

void without_a_rule_nothing_fails_or_counts(void**) {
  for (std::size_t i = 0; i < points; ++i) {
    assert_false(is_armed(static_cast<Point>(i)));
    assert_null(fails(static_cast<Point>(i)));
  }
  assert_string_equal(fail_effect(), "");
  assert_null(take_failed_inside());
}

void a_call_counts_for_each_rule_that_is_about_it(void**) {
  auto rules = parse_fail_rules("copy:2,copy:4,free:2:type=HOST,system:1,free:1+:rank=12345");
  arm(*rules);
  assert_string_equal(fail_effect(), "no call has failed by it so far");
  assert_null(fails(Point::copy));
  assert_string_equal(fails(Point::copy), "CADASTRE_FAIL=copy:2");
  assert_string_equal(fail_effect(), "CADASTRE_FAIL=copy:2 has made a call fail");
  assert_null(fails(Point::copy));
  assert_string_equal(fails(Point::copy), "CADASTRE_FAIL=copy:4");
  assert_null(fails(Point::free, {.type = CADASTRE_HOST}));
  assert_null(fails(Point::free, {.type = CADASTRE_DEVICE}));
  assert_string_equal(fails(Point::free, {.type = CADASTRE_HOST}), "CADASTRE_FAIL=free:2:type=HOST");
  assert_null(take_failed_inside());
  errno = 0;
  assert_true(system_fails(ENOSPC) && errno == ENOSPC);
  assert_false(system_fails(EIO));
  assert_int_equal(errno, ENOSPC);
  assert_string_equal(take_failed_inside(), "CADASTRE_FAIL=system:1");
  assert_null(take_failed_inside());
  assert_false(is_armed(Point::malloc));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(which_calls_fail_is_one_number_all_from_one_or_a_range),
      cmocka_unit_test(a_list_has_rules_of_all_calls_and_each_says_itself),
      cmocka_unit_test(a_call_has_to_meet_all_conditions),
      cmocka_unit_test(a_share_is_drawn_again_by_seed_and_rank),
      cmocka_unit_test(anything_else_is_malformed),
      cmocka_unit_test(without_a_rule_nothing_fails_or_counts),
      cmocka_unit_test(a_call_counts_for_each_rule_that_is_about_it),
  };
  return cmocka_run_group_tests_name("fail", tests, nullptr, nullptr);
}
