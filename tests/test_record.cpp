// Tangled from org/tests/record_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/record.hpp"
#include "cmocka.hpp"

using namespace cadastre::internal;

namespace {

void rounding_up_keeps_multiples_and_wraps_to_zero(void**) {
  assert_int_equal(round_up(0, 64), 0);
  assert_int_equal(round_up(1, 64), 64);
  assert_int_equal(round_up(64, 64), 64);
  assert_int_equal(round_up(65, 64), 128);
  assert_int_equal(round_up(SIZE_MAX, 64), 0);
  assert_int_equal(round_up(SIZE_MAX - 63, 64), SIZE_MAX - 63);
}

void a_sum_that_wraps_is_seen(void**) {
  assert_false(sum_wraps(SIZE_MAX, 0));
  assert_true(sum_wraps(SIZE_MAX, 1));
  assert_true(sum_wraps(1, SIZE_MAX));
  assert_false(sum_wraps(SIZE_MAX / 2, SIZE_MAX / 2 + 1));
  assert_true(sum_wraps(SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1));
}

void a_block_holds_its_bytes_and_no_other(void**) {
  Record r;
  r.pointer = reinterpret_cast<void*>(1000);
  r.size = 24;
  assert_false(r.holds(999));
  assert_true(r.holds(1000));
  assert_true(r.holds(1023));
  assert_false(r.holds(1024));
  r.size = 0;
  assert_true(r.holds(1000));
  assert_false(r.holds(1001));
  assert_false(r.holds(0));
}

void an_answer_repeats_the_record(void**) {
  Record r;
  r.pointer = &r;
  r.size = 12;
  r.stride_or_freed = 4;
  r.origin = origin_of("density");
  r.device = 3;
  r.type = CADASTRE_UVM;
  r.alignment_log2 = log2_of(256);
  r.flags = CADASTRE_BORROWED;
  const cadastre_memory_info_struct info = info_of(r);
  assert_int_equal(info.size, 12);
  assert_ptr_equal(info.pointer, &r);
  assert_int_equal(info.type, CADASTRE_UVM);
  assert_int_equal(info.device, CADASTRE_DEVICE_BY_ID(3));
  assert_int_equal(info.device_id, 3);
  assert_int_equal(info.alignment, 256);
  assert_int_equal(info.stride, 4);
  assert_int_equal(info.flags, CADASTRE_BORROWED);
  assert_string_equal(info.label, "density");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(rounding_up_keeps_multiples_and_wraps_to_zero),
      cmocka_unit_test(a_sum_that_wraps_is_seen),
      cmocka_unit_test(a_block_holds_its_bytes_and_no_other),
      cmocka_unit_test(an_answer_repeats_the_record),
  };
  return cmocka_run_group_tests_name("record", tests, nullptr, nullptr);
}
