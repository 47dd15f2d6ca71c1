// Tangled from org/tests/statistics_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "command/statistics.hpp"

// cmocka expects these to be included before it, and leaves the linkage to its user.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <cmocka.h>
}

using namespace cadastre::command;

namespace {

void a_histogram_of_nothing_has_zeros(void**) {
  const Histogram h;
  assert_int_equal(h.count(), 0);
  assert_int_equal(h.least(), 0);
  assert_int_equal(h.greatest(), 0);
  assert_int_equal(h.percentile(0.5), 0);
}

void small_values_have_exact_percentiles(void**) {
  Histogram h;
  for (std::uint64_t value = 100; value >= 1; --value) h.add(value);
  assert_int_equal(h.percentile(0.5), 50);
  assert_int_equal(h.percentile(0.9), 90);
  assert_int_equal(h.percentile(0.99), 99);
  assert_int_equal(h.percentile(1), 100);
  assert_int_equal(h.percentile(0.001), 1);
  assert_int_equal(h.count(), 100);
  assert_int_equal(h.total(), 5050);
  assert_int_equal(h.least(), 1);
  assert_int_equal(h.greatest(), 100);
  Histogram one;
  one.add(1234567);
  assert_int_equal(one.percentile(0.5), 1234567);
}

void percentiles_are_within_half_a_percent_of_the_nearest_rank(void**) {
  std::mt19937_64 random(1);
  std::lognormal_distribution<double> times(8, 3);
  for (const std::size_t count : {1u, 2u, 3u, 10u, 1000u, 100000u}) {
    Histogram h;
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(static_cast<std::uint64_t>(times(random)));
      h.add(values.back());
    }
    std::sort(values.begin(), values.end());
    for (const double share : {0.01, 0.5, 0.9, 0.99, 0.999, 1.0}) {
      const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(count)));
      const auto exact = static_cast<double>(values[rank - 1]);
      const auto found = static_cast<double>(h.percentile(share));
      assert_true(std::abs(found - exact) <= 0.005 * exact);
    }
  }
}

void every_power_of_two_and_its_neighbours_find_their_bucket(void**) {
  for (unsigned power = 0; power < 64; ++power) {
    for (const std::uint64_t step : {std::uint64_t{0}, std::uint64_t{1}, UINT64_MAX}) {
      Histogram h;
      const std::uint64_t value = (std::uint64_t{1} << power) + step;
      h.add(value);
      h.add(UINT64_MAX);
      const auto found = static_cast<double>(h.percentile(0.5));
      assert_true(std::abs(found - static_cast<double>(value)) <= 0.005 * static_cast<double>(value));
    }
  }
}

void assert_text(const std::string& found, const char* expected) { assert_string_equal(found.c_str(), expected); }

void sizes_have_three_digits_and_a_unit(void**) {
  assert_text(in_bytes(0), "0 B");
  assert_text(in_bytes(999), "999 B");
  assert_text(in_bytes(1000), "0.98 KiB");
  assert_text(in_bytes(1024), "1.00 KiB");
  assert_text(in_bytes(10239), "10.0 KiB");
  assert_text(in_bytes(102400), "100 KiB");
  assert_text(in_bytes(std::uint64_t{1} << 20), "1.00 MiB");
  assert_text(in_bytes((std::uint64_t{1} << 20) - 1), "1.00 MiB");
  assert_text(in_bytes(299892736), "286 MiB");
  assert_text(in_bytes(UINT64_MAX), "16.0 EiB");
}

void times_have_three_digits_and_a_unit(void**) {
  assert_text(in_seconds(0, true), "0 ns");
  assert_text(in_seconds(999, true), "999 ns");
  assert_text(in_seconds(1000, true), "1.00 \u00b5s");
  assert_text(in_seconds(1000, false), "1.00 us");
  assert_text(in_seconds(999499, false), "999 us");
  assert_text(in_seconds(999500, false), "1.00 ms");
  assert_text(in_seconds(12345678, false), "12.3 ms");
  assert_text(in_seconds(3600000000000, false), "3600 s");
}

void digits_are_grouped_by_three(void**) {
  assert_text(grouped(0), "0");
  assert_text(grouped(999), "999");
  assert_text(grouped(1000), "1,000");
  assert_text(grouped(-1234567), "-1,234,567");
  assert_text(grouped(-123), "-123");
  assert_text(counted(1, "block"), "1 block");
  assert_text(counted(1255, "operation"), "1,255 operations");
}

void a_table_is_as_wide_as_its_cells(void**) {
  Table table("lrl");
  table.add({"a", "1.00 \u00b5s", ""});
  table.add({"bcd", "10 ns", "x"});
  assert_text(table.text(), "a    1.00 \u00b5s\nbcd    10 ns  x\n");
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_histogram_of_nothing_has_zeros),
      cmocka_unit_test(small_values_have_exact_percentiles),
      cmocka_unit_test(percentiles_are_within_half_a_percent_of_the_nearest_rank),
      cmocka_unit_test(every_power_of_two_and_its_neighbours_find_their_bucket),
      cmocka_unit_test(sizes_have_three_digits_and_a_unit),
      cmocka_unit_test(times_have_three_digits_and_a_unit),
      cmocka_unit_test(digits_are_grouped_by_three),
      cmocka_unit_test(a_table_is_as_wide_as_its_cells),
  };
  return cmocka_run_group_tests_name("statistics", tests, nullptr, nullptr);
}
