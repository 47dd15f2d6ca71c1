/* Tangled from org/tests/alone_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cadastre.h"

enum { large = 1 << 20, small = 1000 };

static cadastre_context context;

static int create(void** state) {
  (void)state;
  context = cadastre_context_create();
  return context == CADASTRE_NULL_CONTEXT;
}

static int destroy(void** state) {
  (void)state;
  return cadastre_context_destroy(context) != CADASTRE_SUCCESS;
}

static unsigned char* allocate(size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  unsigned char* const block = cadastre_malloc(context, info);
  assert_non_null(block);
  return block;
}

static void release(void* block) { assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS); }

static cadastre_reason reason(void) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  return error.reason;
}

static void write_numbers(unsigned char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) bytes[i] = (unsigned char)(i * 7 + 1);
}

static void bytes_come_and_go_anywhere_in_a_block(void** state) {
  (void)state;
  static unsigned char plain[small];
  unsigned char *const one = allocate(large), *const other = allocate(large), *const in_slab = allocate(small);
  write_numbers(plain, small);
  assert_int_equal(cadastre_memcpy(context, one + large - small, plain, small), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy(context, other + 17, one + large - small, small), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy(context, in_slab, other + 17, small), CADASTRE_SUCCESS);
  assert_memory_equal(in_slab, plain, small);
  assert_int_equal(other[16] | other[17 + small], 0);
  memset(plain, 0, small);
  assert_int_equal(cadastre_memcpy(context, plain, one + large - small, small), CADASTRE_SUCCESS);
  assert_memory_equal(in_slab, plain, small);
  assert_int_equal(cadastre_memset(context, other, 5, large), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy(context, one, other, large), CADASTRE_SUCCESS);
  assert_true(one[0] == 5 && one[large - 1] == 5);
  release(one);
  release(other);
  release(in_slab);
}

static void bytes_past_the_end_are_refused_and_nothing_is_written(void** state) {
  (void)state;
  unsigned char *const one = allocate(large), *const in_slab = allocate(small);
  write_numbers(in_slab, small);
  assert_int_equal(cadastre_memcpy(context, one + large - small + 1, in_slab, small), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(reason(), CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_int_equal(cadastre_memcpy(context, in_slab, one + large - small + 1, small), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(reason(), CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_int_equal(cadastre_memset(context, one + large - 1, 9, 2), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(reason(), CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_int_equal(cadastre_memset(context, one, 9, SIZE_MAX), CADASTRE_OUT_OF_BOUNDS);
  assert_true(one[large - small + 1] == 0 && one[large - 1] == 0 && in_slab[0] == 1);
  release(one);
  release(in_slab);
}

// The C library gives the place of the first to the second, which is known by a larger granule; with the heap off both stand alone.
static void a_larger_block_in_the_place_of_a_freed_one_is_found_inside(void** state) {
  (void)state;
  for (size_t size = 60; size <= 72; ++size) {
    unsigned char* const block = allocate(size);
    size_t offset = 0;
    assert_int_equal(cadastre_find_block(context, block + size - 1, NULL, &offset), CADASTRE_SUCCESS);
    assert_int_equal(offset, size - 1);
    release(block);
  }
}

static void ranges_that_overlap_are_refused(void** state) {
  (void)state;
  unsigned char* const one = allocate(large);
  assert_int_equal(cadastre_memcpy(context, one + 1, one, small), CADASTRE_INVALID_ARG_2);
  assert_int_equal(reason(), CADASTRE_REASON_RANGES_OVERLAP);
  assert_int_equal(cadastre_memcpy(context, one + small, one, small), CADASTRE_SUCCESS);
  release(one);
}

static void memory_of_a_lease_is_written(void** state) {
  (void)state;
  const size_t size = large;
  void* buffer = NULL;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &size, &buffer, &lease), CADASTRE_SUCCESS);
  unsigned char* const other = allocate(large);
  assert_int_equal(cadastre_memset(context, buffer, 3, large), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy(context, other + 1, (unsigned char*)buffer + large - 10, 10), CADASTRE_SUCCESS);
  assert_true(other[0] == 0 && other[1] == 3 && other[10] == 3 && other[11] == 0);
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  release(other);
}

enum { threads = 3, turns = 300 };

// Blocks of a thread come and go while it copies between them, and others do the same.
static void* copy_between_own_blocks(void* numbers) {
  size_t wrong = 0;
  for (int turn = 0; turn < turns; ++turn) {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = large / 2 + (size_t)turn * 64;
    unsigned char *const from = cadastre_malloc(context, info), *const to = cadastre_malloc(context, info);
    if (!from || !to) return (void*)1;
    const size_t last = info.size - small;
    wrong += cadastre_memcpy(context, from + last, numbers, small) != CADASTRE_SUCCESS;
    wrong += cadastre_memcpy(context, to + turn, from + last, small) != CADASTRE_SUCCESS;
    wrong += memcmp(to + turn, numbers, small) != 0;
    wrong += cadastre_free(context, from) != CADASTRE_SUCCESS;
    wrong += cadastre_free(context, to) != CADASTRE_SUCCESS;
  }
  return (void*)wrong;
}

static void threads_copy_at_the_same_time(void** state) {
  (void)state;
  static unsigned char numbers[small];
  pthread_t all[threads];
  write_numbers(numbers, small);
  for (int i = 0; i < threads; ++i) assert_int_equal(pthread_create(&all[i], NULL, copy_between_own_blocks, numbers), 0);
  for (int i = 0; i < threads; ++i) {
    void* wrong = NULL;
    pthread_join(all[i], &wrong);
    assert_null(wrong);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(bytes_come_and_go_anywhere_in_a_block, create, destroy),
      cmocka_unit_test_setup_teardown(bytes_past_the_end_are_refused_and_nothing_is_written, create, destroy),
      cmocka_unit_test_setup_teardown(a_larger_block_in_the_place_of_a_freed_one_is_found_inside, create, destroy),
      cmocka_unit_test_setup_teardown(ranges_that_overlap_are_refused, create, destroy),
      cmocka_unit_test_setup_teardown(memory_of_a_lease_is_written, create, destroy),
      cmocka_unit_test_setup_teardown(threads_copy_at_the_same_time, create, destroy),
  };
  return cmocka_run_group_tests_name("alone", tests, NULL, NULL);
}
