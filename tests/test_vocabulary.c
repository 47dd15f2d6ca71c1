/* Tangled from org/tests/vocabulary_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cadastre.h"

static void exit_codes_keep_the_numbers_and_meanings_of_qmckl(void** state) {
  (void)state;
  assert_string_equal(cadastre_string_of_error(0), "Success");
  assert_string_equal(cadastre_string_of_error(1), "Invalid argument 1");
  assert_string_equal(cadastre_string_of_error(20), "Invalid argument 20");
  assert_string_equal(cadastre_string_of_error(101), "Failure");
  assert_string_equal(cadastre_string_of_error(103), "Invalid context");
  assert_string_equal(cadastre_string_of_error(104), "Allocation failed");
  assert_string_equal(cadastre_string_of_error(105), "De-allocation failed");
  assert_string_equal(cadastre_string_of_error(106), "Not provided");
  assert_string_equal(cadastre_string_of_error(107), "Out of bounds");
  assert_string_equal(cadastre_string_of_error(108), "Already set");
  assert_string_equal(cadastre_string_of_error(109), "Invalid exit code");
}

static void a_number_outside_its_table_has_a_name_all_the_same(void** state) {
  (void)state;
  const int32_t outside[] = {-1, 21, 100, 110, 200, 999, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; ++i) {
    assert_string_equal(cadastre_string_of_error(outside[i]), "Unknown exit code");
  }
  assert_string_equal(cadastre_string_of_reason(-1), "Unknown reason");
  assert_string_equal(cadastre_string_of_reason(INT32_MAX), "Unknown reason");
  assert_string_equal(cadastre_string_of_memory_type(CADASTRE_MEMORY_TYPE_COUNT), "Unknown memory type");
  assert_string_equal(cadastre_string_of_memory_type(-1), "Unknown memory type");
  assert_string_equal(cadastre_string_of_memory_type(CADASTRE_ALL_MEMORY_TYPES), "ALL");
  assert_string_equal(cadastre_string_of_memory_type(CADASTRE_ALL_MEMORY_TYPES - 1), "Unknown memory type");
  assert_string_equal(cadastre_string_of_memory_type(CADASTRE_MAX_MEMORY_TYPES), "Unknown memory type");
  for (size_t i = 0; i < 2; ++i) {
    const int32_t number = (const int32_t[]){-1, INT32_MAX}[i];
    assert_string_equal(cadastre_string_of_backend(number), "Unknown backend");
    assert_string_equal(cadastre_string_of_pool(number), "Unknown pool");
    assert_string_equal(cadastre_string_of_advice(number), "Unknown advice");
    assert_string_equal(cadastre_string_of_report_format(number), "Unknown report format");
  }
  assert_string_equal(cadastre_string_of_backend(cadastre_backend_get_count() + 1), "Unknown backend");
  assert_string_equal(cadastre_string_of_pool(CADASTRE_POOL_CACHING + 1), "Unknown pool");
  assert_string_equal(cadastre_string_of_advice(0), "Unknown advice");
  assert_string_equal(cadastre_string_of_report_format(CADASTRE_REPORT_JSON + 1), "Unknown report format");
  assert_string_equal(cadastre_string_of_workspace_scheme(CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED + 1), "Unknown scheme");
}

static void zero_is_the_default_and_words_are_those_of_the_environment(void** state) {
  (void)state;
  assert_int_equal(CADASTRE_DEFAULT_BACKEND, 0);
  assert_int_equal(CADASTRE_DEFAULT_POOL, 0);
  assert_string_equal(cadastre_string_of_pool(0), "default");
  assert_string_equal(cadastre_string_of_pool(CADASTRE_POOL_NONE), "none");
  assert_string_equal(cadastre_string_of_pool(CADASTRE_POOL_VENDOR), "vendor");
  assert_string_equal(cadastre_string_of_pool(CADASTRE_POOL_CACHING), "caching");
  assert_string_equal(cadastre_string_of_workspace_scheme(CADASTRE_WORKSPACE_SCHEME_PER_LEASE), "per-lease");
  assert_string_equal(cadastre_string_of_advice(CADASTRE_ADVICE_UNSET_PREFERRED_LOCATION), "unset-preferred-location");
  assert_string_equal(cadastre_string_of_report_format(CADASTRE_REPORT_JSON), "json");
}

static void the_four_memory_types_are_those_of_sundials_in_its_order(void** state) {
  (void)state;
  assert_int_equal(CADASTRE_MEMORY_TYPE_COUNT, 4);
  assert_string_equal(cadastre_string_of_memory_type(0), "HOST");
  assert_string_equal(cadastre_string_of_memory_type(1), "PINNED");
  assert_string_equal(cadastre_string_of_memory_type(2), "DEVICE");
  assert_string_equal(cadastre_string_of_memory_type(3), "UVM");
}

enum { last_reason = 84 };

static void no_two_reasons_share_a_name(void** state) {
  (void)state;
  for (cadastre_reason a = 0; a <= last_reason; ++a) {
    assert_string_not_equal(cadastre_string_of_reason(a), "Unknown reason");
    for (cadastre_reason b = 0; b < a; ++b) {
      assert_string_not_equal(cadastre_string_of_reason(a), cadastre_string_of_reason(b));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exit_codes_keep_the_numbers_and_meanings_of_qmckl),
      cmocka_unit_test(a_number_outside_its_table_has_a_name_all_the_same),
      cmocka_unit_test(zero_is_the_default_and_words_are_those_of_the_environment),
      cmocka_unit_test(the_four_memory_types_are_those_of_sundials_in_its_order),
      cmocka_unit_test(no_two_reasons_share_a_name),
  };
  return cmocka_run_group_tests_name("vocabulary", tests, NULL, NULL);
}
