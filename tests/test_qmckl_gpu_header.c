/* Tangled from org/tests/qmckl_gpu_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cadastre_qmckl_gpu.h"
#include "vendor_apart.h"

static char message[CADASTRE_QMCKL_GPU_MESSAGE_SIZE];

static void destroy(cadastre_context context) { assert_int_equal(cadastre_qmckl_gpu_finalize(context), CADASTRE_SUCCESS); }

static unsigned char* block_of(cadastre_context context, size_t size) {
  unsigned char* const block = cadastre_qmckl_gpu_malloc_device(context, size, NULL, message);
  assert_non_null(block);
  return block;
}

static cadastre_exit_code copy(cadastre_context context, cadastre_qmckl_gpu_direction direction, void* dest, const void* src, size_t size) {
  strcpy(message, "nothing");
  const cadastre_exit_code code = cadastre_qmckl_gpu_memcpy(context, direction, dest, src, size, message);
  assert_int_equal(strcmp(message, "nothing") == 0, code == CADASTRE_SUCCESS);
  return code;
}

static void assert_message_says(const char* part) {
  if (!strstr(message, part)) fail_msg("\"%s\" does not say \"%s\"", message, part);
}

#define H2D CADASTRE_QMCKL_GPU_H2D
#define D2H CADASTRE_QMCKL_GPU_D2H
#define D2D CADASTRE_QMCKL_GPU_D2D

static void an_unknown_address_is_never_the_hosts(void** state) {
  (void)state;
  const cadastre_context context = context_on(0);
  unsigned char *const a = foreign(100), *const b = foreign(100), *const ours = block_of(context, 100);
  unsigned char numbers[100], found[100] = {0};
  for (int i = 0; i < 100; ++i) numbers[i] = (unsigned char)i;
  assert_int_equal(copy(context, H2D, a, numbers, 100), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, D2D, b, a, 100), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, D2D, ours, b + 1, 99), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, D2D, b, ours, 99), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, D2H, found, b, 99), CADASTRE_SUCCESS);
  assert_memory_equal(found, numbers + 1, 99);
  assert_int_equal(copies, 5);
  assert_as_before(context);
  forget(a);
  forget(b);
  destroy(context);
}

static void somebody_elses_block_may_begin_where_ours_ends(void** state) {
  (void)state;
  const cadastre_context context = context_on(0);
  unsigned char* const ours = block_of(context, 64);
  unsigned char byte = 9, found = 0;
  enter(ours + 64, 1, 0);
  assert_int_equal(copy(context, H2D, ours + 64, &byte, 1), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, D2H, &found, ours + 64, 1), CADASTRE_SUCCESS);
  assert_int_equal(found, 9);
  assert_int_equal(copy(context, H2D, ours + 63, &byte, 2), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(leave(ours + 64), 0);
  destroy(context);
}

static void an_address_that_was_freed_may_live_again(void** state) {
  (void)state;
  const cadastre_context context = context_on(0);
  unsigned char* const block = block_of(context, 100);
  unsigned char bytes[100] = {1}, found[100] = {0};
  keeping = 1;
  assert_int_equal(cadastre_qmckl_gpu_free_device(context, block, message), CADASTRE_SUCCESS);
  keeping = 0;
  enter(block, 100, 0);
  assert_int_equal(copy(context, H2D, block, bytes, 100), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, D2H, found, block, 100), CADASTRE_SUCCESS);
  assert_int_equal(found[0], 1);
  assert_as_before(context);
  forget(block);
  destroy(context);
}

static void an_address_that_was_freed_is_explained_when_the_vendor_refuses_it(void** state) {
  (void)state;
  const cadastre_context context = context_on(0);
  unsigned char* const block = block_of(context, 100);
  unsigned char bytes[100] = {1};
  assert_int_equal(cadastre_qmckl_gpu_free_device(context, block, message), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, H2D, block + 8, bytes, 10), CADASTRE_INVALID_ARG_2);
  assert_message_says("was freed before");
  assert_message_says("failed in the apart backend");
  assert_int_equal(copy(context, D2H, bytes, block, 10), CADASTRE_INVALID_ARG_3);
  assert_int_equal(bytes[0], 1);
  assert_as_before(context);
  destroy(context);
}

static void nothing_is_left_of_a_copy_that_fails(void** state) {
  (void)state;
  const cadastre_context context = context_on(0);
  unsigned char *const theirs = foreign(100), *const ours = block_of(context, 100);
  unsigned char bytes[100] = {1};
  refusing = 1;
  assert_int_equal(copy(context, H2D, theirs, bytes, 100), CADASTRE_FAILURE);
  assert_message_says("failed in the apart backend");
  assert_as_before(context);
  assert_int_equal(copy(context, D2D, ours, theirs, 100), CADASTRE_FAILURE);
  assert_as_before(context);
  assert_int_equal(copy(context, D2H, bytes, ours, 100), CADASTRE_FAILURE);
  assert_as_before(context);
  assert_null(cadastre_qmckl_gpu_malloc_device(context, 8, NULL, message));
  assert_message_says("could not allocate 8 bytes");
  refusing = 0;
  assert_int_equal(copy(context, H2D, theirs, bytes, 100), CADASTRE_SUCCESS);
  forget(theirs);
  destroy(context);
}

static void a_foreign_range_that_runs_into_a_block_is_refused(void** state) {
  (void)state;
  const cadastre_context context = context_on(0);
  unsigned char* const ours = block_of(context, 100);
  unsigned char bytes[100] = {0};
  assert_int_equal(copy(context, H2D, ours - 8, bytes, 16), CADASTRE_OUT_OF_BOUNDS);
  assert_message_says("overlap the block");
  assert_int_equal(copies, 0);
  assert_as_before(context);
  destroy(context);
}

static void foreign_ranges_that_overlap_are_refused(void** state) {
  (void)state;
  const cadastre_context context = context_on(0);
  unsigned char* const theirs = foreign(100);
  assert_int_equal(copy(context, D2D, theirs, theirs + 9, 10), CADASTRE_INVALID_ARG_2);
  assert_int_equal(copy(context, D2D, theirs + 9, theirs, 10), CADASTRE_INVALID_ARG_2);
  assert_message_says("overlap");
  assert_int_equal(copies, 0);
  assert_int_equal(copy(context, D2D, theirs + 10, theirs, 10), CADASTRE_SUCCESS);
  assert_as_before(context);
  forget(theirs);
  destroy(context);
}

static void more_than_any_machine_can_hold_is_refused(void** state) {
  (void)state;
  const cadastre_context context = context_on(0);
  unsigned char* const theirs = foreign(8);
  unsigned char* const ours = block_of(context, 8);
  double numbers[1] = {0};
  assert_int_equal(copy(context, H2D, theirs, numbers, SIZE_MAX), CADASTRE_INVALID_ARG_4);
  assert_int_equal(copy(context, H2D, ours, numbers, SIZE_MAX), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(cadastre_qmckl_gpu_memcpy_elements(context, H2D, ours, numbers, INT64_MAX, 8, message), CADASTRE_INVALID_ARG_4);
  assert_int_equal(cadastre_qmckl_gpu_memcpy_elements(context, H2D, ours, numbers, -1, 8, message), CADASTRE_INVALID_ARG_4);
  assert_int_equal(cadastre_qmckl_gpu_memcpy_elements(context, H2D, ours, numbers, 1, 8, message), CADASTRE_SUCCESS);
  assert_as_before(context);
  forget(theirs);
  destroy(context);
}

static void the_device_of_another_contexts_block_is_used(void** state) {
  (void)state;
  const cadastre_context context = context_on(0), other = context_on(1);
  unsigned char* const theirs = block_of(other, 100);
  void* const their_host = cadastre_qmckl_gpu_malloc_host(other, 100, NULL, message);
  unsigned char bytes[101] = {7}, found[100] = {0};
  assert_int_equal(copy(context, H2D, theirs, bytes, 100), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, D2H, found, theirs, 100), CADASTRE_SUCCESS);
  assert_int_equal(found[0], 7);
  assert_int_equal(copies, 2);
  assert_int_equal(copy(context, H2D, theirs + 1, bytes, 100), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(copy(context, H2D, their_host, bytes, 100), CADASTRE_INVALID_ARG_2);
  assert_message_says("dest");
  assert_int_equal(copy(context, D2H, theirs, block_of(context, 100), 100), CADASTRE_INVALID_ARG_2);
  assert_message_says("call qmckl_memcpy_D2D");
  assert_as_before(context);
  destroy(context);
  destroy(other);
}

static void plain_memory_of_the_host_is_not_recorded(void** state) {
  (void)state;
  const cadastre_context context = context_on(0);
  unsigned char* const ours = block_of(context, 8);
  unsigned char bytes[8] = {1};
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.pointer = bytes;
  info.size = 4;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  /* A record of all 8 bytes would be refused beside this one. */
  assert_int_equal(copy(context, H2D, ours, bytes + 4, 4), CADASTRE_SUCCESS);
  assert_int_equal(borrowed(context), 1);
  assert_int_equal(cadastre_unwrap(context, bytes), CADASTRE_SUCCESS);
  destroy(context);
}

static void every_code_is_one_of_qmckls(void** state) {
  (void)state;
  const cadastre_context context = context_on(0);
  for (cadastre_exit_code code = 0; code < 300; ++code) {
    const cadastre_exit_code answer = cadastre_qmckl_gpu_result(context, code, message);
    assert_true(answer >= 0 && answer < 109);
    assert_int_equal(answer == CADASTRE_SUCCESS, code == CADASTRE_SUCCESS);
    if (code < 109) assert_int_equal(answer, code);
  }
  assert_int_equal(cadastre_set_limit(context, CADASTRE_DEVICE, 10), CADASTRE_SUCCESS);
  assert_null(cadastre_qmckl_gpu_malloc_device(context, 11, NULL, message));
  assert_message_says("the limit of this context is 10");
  destroy(context);
}

static void a_registry_that_is_gone_is_told(void** state) {
  (void)state;
  const cadastre_context context = context_on(0);
  size_t size = 0;
  void* pointer = NULL;
  double x = 1, y = 2;
  destroy(context);
  assert_null(cadastre_qmckl_gpu_malloc_host(context, 8, NULL, message));
  assert_null(cadastre_qmckl_gpu_malloc_device(context, 8, NULL, message));
  assert_int_equal(cadastre_qmckl_gpu_free_host(context, &x, message), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_qmckl_gpu_free_device(context, &x, message), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_qmckl_gpu_get_malloc_info_host(context, &x, &size, &pointer, message), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(copy(context, H2D, &x, &y, 8), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(copy(context, H2D, &x, &y, 0), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_qmckl_gpu_finalize(context), CADASTRE_INVALID_CONTEXT);
  assert_message_says("has been destroyed");
  assert_true(x == 1 && size == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_unknown_address_is_never_the_hosts),
      cmocka_unit_test(somebody_elses_block_may_begin_where_ours_ends),
      cmocka_unit_test(an_address_that_was_freed_may_live_again),
      cmocka_unit_test(an_address_that_was_freed_is_explained_when_the_vendor_refuses_it),
      cmocka_unit_test(nothing_is_left_of_a_copy_that_fails),
      cmocka_unit_test(a_foreign_range_that_runs_into_a_block_is_refused),
      cmocka_unit_test(foreign_ranges_that_overlap_are_refused),
      cmocka_unit_test(more_than_any_machine_can_hold_is_refused),
      cmocka_unit_test(the_device_of_another_contexts_block_is_used),
      cmocka_unit_test(plain_memory_of_the_host_is_not_recorded),
      cmocka_unit_test(every_code_is_one_of_qmckls),
      cmocka_unit_test(a_registry_that_is_gone_is_told),
  };
  register_vendor();
  const int failed = cmocka_run_group_tests_name("cadastre_qmckl_gpu.h", tests, NULL, NULL);
  return failed + (cadastre_backend_unregister(vendor) != CADASTRE_SUCCESS);
}
