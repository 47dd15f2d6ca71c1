// Tangled from org/tests/header_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The public header is C++17 as well, and its structs are what a C++ program expects.
#include <cstdint>
#include <type_traits>

#include "cadastre.h"
#include "cmocka.hpp"

namespace {

void structs_can_be_passed_by_value_and_copied_as_bytes(void**) {
  static_assert(std::is_trivially_copyable_v<cadastre_memory_info_struct>);
  static_assert(sizeof(cadastre_memory_info_struct) == 96);
  static_assert(offsetof(cadastre_memory_info_struct, reserved) == 60);
  static_assert(std::is_standard_layout_v<cadastre_memory_info_struct>);
  static_assert(std::is_standard_layout_v<cadastre_statistics_struct>);
  static_assert(std::is_standard_layout_v<cadastre_error_struct>);
  static_assert(std::is_same_v<cadastre_context, std::int64_t>);
  const cadastre_memory_info_struct zero = cadastre_memory_info_struct_zero;
  assert_int_equal(zero.type, CADASTRE_HOST);
  assert_int_equal(zero.device, CADASTRE_DEFAULT_DEVICE);
}

cadastre_exit_code throws(const cadastre_memory_info_struct*, void*) { throw 42; }

void what_a_visitor_throws_stops_at_the_boundary(void**) {
  const cadastre_context context = cadastre_context_create();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  assert_non_null(cadastre_malloc(context, info));
  assert_int_equal(cadastre_foreach_block(context, throws, nullptr), CADASTRE_FAILURE);
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  assert_int_equal(error.reason, CADASTRE_REASON_INTERNAL_ERROR);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(structs_can_be_passed_by_value_and_copied_as_bytes),
      cmocka_unit_test(what_a_visitor_throws_stops_at_the_boundary),
  };
  return cmocka_run_group_tests_name("header in C++", tests, nullptr, nullptr);
}
