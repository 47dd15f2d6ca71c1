/* Tangled from org/tests/block_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "skip_because.h"

#include "cadastre.h"

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

static cadastre_memory_info_struct request(size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  return info;
}

static void* allocate(size_t size) {
  void* const block = cadastre_malloc(context, request(size));
  assert_non_null(block);
  return block;
}

static cadastre_error_struct last_error(void) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  return error;
}

static cadastre_statistics_struct statistics(cadastre_memory_type type) {
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, type, &s), CADASTRE_SUCCESS);
  assert_int_equal(s.allocations, s.deallocations + s.failed_deallocations + s.untracked_deallocations + s.live_blocks);
  return s;
}

static int all_bytes_are(const void* block, size_t from, size_t to, unsigned char value) {
  const unsigned char* const bytes = block;
  for (size_t i = from; i < to; ++i) {
    if (bytes[i] != value) return 0;
  }
  return 1;
}

static void what_qmckl_asserts_of_its_memory_functions_holds(void** state) {
  (void)state;
  context = cadastre_context_create();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = (size_t)3 * sizeof(int);
  int* const a = cadastre_malloc(context, info);
  assert_non_null(a);
  for (int i = 0; i < 3; ++i) a[i] = i + 1;
  int* const b = cadastre_malloc(context, info);
  assert_non_null(b);
  for (int i = 0; i < 3; ++i) b[i] = i + 1;
  for (int i = 0; i < 3; ++i) assert_int_equal(a[i], i + 1);

  assert_int_equal(cadastre_free(CADASTRE_NULL_CONTEXT, a), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_free(context, NULL), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_free(context, a), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, a), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);

  context = cadastre_context_create();
  info = cadastre_memory_info_struct_zero;
  info.size = (size_t)3 * sizeof(int);
  int* const c = cadastre_malloc(context, info);
  info = cadastre_memory_info_struct_zero;
  cadastre_exit_code rc = cadastre_get_malloc_info(context, NULL, &info);
  assert_int_equal(rc, CADASTRE_INVALID_ARG_2);
  rc = cadastre_get_malloc_info(context, &rc, &info);
  assert_int_equal(rc, CADASTRE_INVALID_ARG_2);
  rc = cadastre_get_malloc_info(context, c, NULL);
  assert_int_equal(rc, CADASTRE_INVALID_ARG_3);
  rc = cadastre_get_malloc_info(context, c, &info);
  assert_int_equal(rc, CADASTRE_SUCCESS);
  assert_int_equal(info.size, 3 * sizeof(int));
  assert_ptr_equal(info.pointer, c);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void a_block_of_no_bytes_is_tracked_unique_and_freeable(void** state) {
  (void)state;
  void* const a = allocate(0);
  void* const b = allocate(0);
  assert_ptr_not_equal(a, b);
  cadastre_memory_info_struct info;
  assert_int_equal(cadastre_get_malloc_info(context, a, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.size, 0);
  assert_int_equal(statistics(CADASTRE_HOST).live_blocks, 2);
  assert_int_equal(cadastre_free(context, a), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, a), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_free(context, b), CADASTRE_SUCCESS);
}

static void memory_is_zero_unless_asked_otherwise(void** state) {
  (void)state;
  const size_t sizes[] = {1, 24, 1000, 100000, (size_t)40 << 20};
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
      unsigned char* const block = allocate(sizes[i]);
      assert_true(all_bytes_are(block, 0, sizes[i], 0));
      memset(block, 0xff, sizes[i]);
      assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
    }
  }
  const size_t zeroed = statistics(CADASTRE_HOST).zeroed_bytes;
  assert_int_equal(zeroed, statistics(CADASTRE_HOST).total_bytes);
  cadastre_memory_info_struct info = request(1000);
  info.flags = CADASTRE_UNINITIALIZED;
  void* const block = cadastre_malloc(context, info);
  assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.flags, CADASTRE_UNINITIALIZED);
  assert_int_equal(statistics(CADASTRE_HOST).zeroed_bytes, zeroed);
}

#define ASSERT_SIZE_CHECKED(Struct, failed_on, expected, call)                                \
  do {                                                                                        \
    const size_t sizes[] = {0, 8, sizeof(Struct) - 1, sizeof(Struct) + 8, SIZE_MAX};          \
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {                               \
      Struct given, before;                                                                   \
      memset(&given, 0xee, sizeof given);                                                     \
      given.struct_size = sizes[i];                                                           \
      memcpy(&before, &given, sizeof given);                                                  \
      assert_int_equal(call, expected);                                                       \
      assert_memory_equal(&given, &before, sizeof given);                                     \
      cadastre_error_struct error = cadastre_error_struct_zero;                               \
      assert_int_equal(cadastre_last_error(failed_on, &error), CADASTRE_SUCCESS);             \
      assert_int_equal(error.reason, CADASTRE_REASON_INVALID_STRUCT_SIZE);                    \
      assert_true(error.requested == sizes[i]);                                               \
      assert_true(error.limit == sizeof(Struct));                                             \
      assert_non_null(strstr(error.message, "; start from the constant that ends in _zero")); \
    }                                                                                         \
    Struct zero = Struct##_zero, *const given_ = &zero;                                       \
    assert_true(given_->struct_size == sizeof(Struct));                                       \
  } while (0)

static void a_struct_of_an_unknown_size_is_refused_and_not_written(void** state) {
  (void)state;
  ASSERT_SIZE_CHECKED(cadastre_context_options_struct, context, CADASTRE_INVALID_ARG_2, cadastre_context_get_options(context, &given));
  ASSERT_SIZE_CHECKED(cadastre_statistics_struct, context, CADASTRE_INVALID_ARG_3, cadastre_get_statistics(context, CADASTRE_HOST, &given));
  ASSERT_SIZE_CHECKED(cadastre_statistics_struct, context, CADASTRE_INVALID_ARG_4,
                      cadastre_get_device_statistics(context, CADASTRE_DEVICE, 0, &given));
  ASSERT_SIZE_CHECKED(cadastre_pool_info_struct, context, CADASTRE_INVALID_ARG_3, cadastre_pool_get_info(context, CADASTRE_HOST, &given));
  ASSERT_SIZE_CHECKED(cadastre_workspace_info_struct, context, CADASTRE_INVALID_ARG_3,
                      cadastre_workspace_get_info(context, CADASTRE_HOST, &given));
  ASSERT_SIZE_CHECKED(cadastre_backend_info_struct, CADASTRE_NULL_CONTEXT, CADASTRE_INVALID_ARG_2,
                      cadastre_backend_get_info(CADASTRE_BACKEND_HOST, &given));
  ASSERT_SIZE_CHECKED(cadastre_environment_info_struct, CADASTRE_NULL_CONTEXT, CADASTRE_INVALID_ARG_2,
                      cadastre_environment_get_info(0, &given));
  ASSERT_SIZE_CHECKED(cadastre_destroy_summary_struct, context, CADASTRE_INVALID_ARG_2,
                      cadastre_context_destroy_with_summary(context, &given));
  assert_true(cadastre_context_check(context) == context);
}

static void the_answer_states_what_was_asked_and_what_holds(void** state) {
  (void)state;
  cadastre_memory_info_struct info = request(1000);
  info.pointer = &info;
  info.device = CADASTRE_DEVICE_BY_ID(3);
  info.alignment = 256;
  info.stride = 24;
  info.label = "orbitals";
  void* const block = cadastre_malloc(context, info);
  cadastre_memory_info_struct answer;
  assert_int_equal(cadastre_get_malloc_info(context, block, &answer), CADASTRE_SUCCESS);
  assert_int_equal(answer.size, 1000);
  assert_ptr_equal(answer.pointer, block);
  assert_int_equal(answer.type, CADASTRE_HOST);
  assert_int_equal(answer.device, CADASTRE_DEFAULT_DEVICE);
  assert_int_equal(answer.device_id, -1);
  assert_true(answer.alignment >= 256);
  assert_int_equal(answer.stride, 24);
  assert_int_equal(answer.flags, 0);
  assert_string_equal(answer.label, "orbitals");
}

static void alignment_is_honoured_for_every_power_of_two(void** state) {
  (void)state;
  for (size_t alignment = 1; alignment <= (size_t)1 << 22; alignment *= 2) {
    cadastre_memory_info_struct info = request(100);
    info.alignment = alignment;
    unsigned char* const block = cadastre_malloc(context, info);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % alignment, 0);
    assert_true(all_bytes_are(block, 0, 100, 0));
    assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
    assert_true(info.alignment >= alignment);
    assert_int_equal((uintptr_t)block % info.alignment, 0);
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  }
}

static void a_pointer_inside_a_block_names_its_base(void** state) {
  (void)state;
  cadastre_memory_info_struct info = request(100);
  info.label = "density";
  char* const block = cadastre_malloc(context, info);
  assert_int_equal(cadastre_free(context, block + 10), CADASTRE_INVALID_ARG_2);
  const cadastre_error_struct error = last_error();
  assert_int_equal(error.exit_code, CADASTRE_INVALID_ARG_2);
  assert_int_equal(error.argument, 2);
  assert_int_equal(error.reason, CADASTRE_REASON_INSIDE_BLOCK);
  assert_ptr_equal(error.pointer, block + 10);
  assert_ptr_equal(error.base, block);
  assert_int_equal(error.offset, 10);
  assert_int_equal(error.size, 100);
  assert_string_equal(error.function, "cadastre_free");
  assert_non_null(strstr(error.message, "lies 10 bytes inside the block at"));
  assert_non_null(strstr(error.message, "labelled \"density\""));
  assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
}

static void a_double_free_tells_what_the_block_was(void** state) {
  (void)state;
  void* const before = allocate(5);
  cadastre_memory_info_struct info = request(480);
  info.label = "matrix";
  void* const block = cadastre_malloc(context, info);
  assert_int_equal(cadastre_free(context, before), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, block), CADASTRE_INVALID_ARG_2);
  const cadastre_error_struct error = last_error();
  assert_int_equal(error.reason, CADASTRE_REASON_ALREADY_FREED);
  assert_ptr_equal(error.base, block);
  assert_int_equal(error.size, 480);
  assert_non_null(strstr(error.message, "block number 2"));
  assert_non_null(strstr(error.message, "480 bytes of HOST, labelled \"matrix\""));
  assert_non_null(strstr(error.message, "deallocation number 2"));
  assert_null(cadastre_realloc(context, block, 10));
  assert_int_equal(last_error().reason, CADASTRE_REASON_ALREADY_FREED);
  assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_ALREADY_FREED);
}

static void a_late_use_inside_a_freed_block_is_explained(void** state) {
  (void)state;
  char* const block = allocate(4000);
  assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_find_block(context, block + 1000, NULL, NULL), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_ALREADY_FREED);
  assert_ptr_equal(last_error().base, block);
  assert_int_equal(last_error().offset, 1000);
}

// Many in a row are remembered by little; each is told as if it were the only one. Nobody has memory at such addresses.
static void each_failed_look_up_is_explained(void** state) {
  (void)state;
  assert_non_null(allocate(100));
  const cadastre_context other = cadastre_context_create();
  assert_non_null(cadastre_malloc(other, request(100)));
  char* const here = (char*)((uintptr_t)1 << 5 * sizeof(void*)) + 0x1230000;
  cadastre_memory_info_struct info = request(1);
  for (int i = 0; i < 8; ++i) {
    for (int turn = 0; turn < 2; ++turn) {
      const cadastre_context where = i % 3 == 2 ? other : context;
      const int inside = i % 2;
      const cadastre_exit_code code =
          inside ? cadastre_find_block(where, &here[i], &info, NULL) : cadastre_get_malloc_info(where, &here[i], &info);
      assert_int_equal(code, CADASTRE_INVALID_ARG_2);
      cadastre_error_struct error = cadastre_error_struct_zero;
      if (turn == 0 && i % 4 != 0) continue;
      assert_int_equal(cadastre_last_error(where, &error), CADASTRE_SUCCESS);
      assert_int_equal(error.exit_code, CADASTRE_INVALID_ARG_2);
      assert_int_equal(error.reason, CADASTRE_REASON_UNKNOWN_POINTER);
      assert_int_equal(error.owner, CADASTRE_NULL_CONTEXT);
      assert_int_equal(error.argument, 2);
      assert_ptr_equal(error.pointer, &here[i]);
      assert_string_equal(error.function, inside ? "cadastre_find_block" : "cadastre_get_malloc_info");
    }
  }
  assert_int_equal(cadastre_find_block(context, &here[0], NULL, NULL), CADASTRE_INVALID_ARG_2);
  info = request(1);
  info.pointer = &here[0];
  assert_int_equal(cadastre_wrap(other, info), CADASTRE_SUCCESS);
  assert_int_equal(last_error().reason, CADASTRE_REASON_OTHER_CONTEXT);
  assert_int_equal(last_error().owner, other);
  char* const far = here + ((size_t)64 << 20);
  assert_int_equal(cadastre_find_block(context, far, NULL, NULL), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_UNKNOWN_POINTER);
  assert_int_equal(last_error().owner, CADASTRE_NULL_CONTEXT);
  assert_ptr_equal(last_error().pointer, far);
  assert_int_equal(cadastre_find_block(context, &here[0], NULL, NULL), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_OTHER_CONTEXT);
  assert_int_equal(cadastre_unwrap(other, &here[0]), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_get_malloc_info(context, &here[1], NULL), CADASTRE_INVALID_ARG_3);
  assert_int_equal(last_error().reason, CADASTRE_REASON_NULL_ARGUMENT);
  assert_int_equal(cadastre_find_block(context, NULL, &info, NULL), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_NULL_ARGUMENT);
  assert_int_equal(cadastre_context_destroy(other), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_find_block(other, &here[0], NULL, NULL), CADASTRE_INVALID_CONTEXT);
}

static void the_address_before_a_realloc_is_explained(void** state) {
  (void)state;
  cadastre_memory_info_struct info = request(100);
  info.label = "grown";
  char* const before = cadastre_malloc(context, info);
  char* const after = cadastre_realloc(context, before, (size_t)40 << 20);
  assert_ptr_not_equal(before, after);
  assert_int_equal(cadastre_free(context, before), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_MOVED_BY_REALLOC);
  assert_non_null(strstr(last_error().message, "block number 1"));
  assert_non_null(strstr(last_error().message, "labelled \"grown\""));
  assert_int_equal(cadastre_find_block(context, before + 50, NULL, NULL), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_MOVED_BY_REALLOC);
  assert_int_equal(cadastre_free(context, after), CADASTRE_SUCCESS);
}

static void a_foreign_pointer_is_unknown_and_never_touched(void** state) {
  (void)state;
  int on_the_stack = 0;
  void* const elsewhere = malloc(10);
  void* const foreign[] = {&on_the_stack, elsewhere, (void*)1, (void*)UINTPTR_MAX};
  for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; ++i) {
    cadastre_memory_info_struct info;
    assert_int_equal(cadastre_free(context, foreign[i]), CADASTRE_INVALID_ARG_2);
    assert_int_equal(last_error().reason, CADASTRE_REASON_UNKNOWN_POINTER);
    assert_ptr_equal(last_error().pointer, foreign[i]);
    assert_non_null(strstr(last_error().message, "pass memory that this context allocated, or that cadastre_wrap recorded in it"));
    assert_null(cadastre_realloc(context, foreign[i], 8));
    assert_int_equal(cadastre_get_malloc_info(context, foreign[i], &info), CADASTRE_INVALID_ARG_2);
    assert_int_equal(cadastre_find_block(context, foreign[i], &info, NULL), CADASTRE_INVALID_ARG_2);
    assert_int_equal(cadastre_unwrap(context, foreign[i]), CADASTRE_INVALID_ARG_2);
  }
  free(elsewhere);
}

static void a_pointer_of_another_context_names_that_context(void** state) {
  (void)state;
  const cadastre_context other = cadastre_context_create();
  void* const block = cadastre_malloc(other, request(8));
  assert_int_equal(cadastre_free(context, block), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_OTHER_CONTEXT);
  assert_int_equal(last_error().owner, other);
  assert_int_equal(cadastre_find_block(context, (char*)block + 5, NULL, NULL), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().owner, other);
  cadastre_memory_info_struct info = request(10);
  info.pointer = allocate(10);
  assert_int_equal(cadastre_free(context, info.pointer), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_wrap(other, info), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, info.pointer), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_OTHER_CONTEXT);
  assert_int_equal(cadastre_free(other, block), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(other), CADASTRE_SUCCESS);
}

static void assert_refused(cadastre_memory_info_struct info, cadastre_exit_code exit_code, cadastre_reason reason) {
  assert_null(cadastre_malloc(context, info));
  assert_int_equal(last_error().exit_code, exit_code);
  assert_int_equal(last_error().reason, reason);
  assert_string_equal(last_error().function, "cadastre_malloc");
}

static void malformed_requests_are_refused_with_the_numbers(void** state) {
  (void)state;
  const size_t too_large[] = {SIZE_MAX, SIZE_MAX - 64, (size_t)PTRDIFF_MAX + 1};
  for (size_t i = 0; i < 3; ++i) {
    assert_refused(request(too_large[i]), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_SIZE_OVERFLOW);
    assert_true(last_error().requested == too_large[i]);
    assert_true(last_error().limit == PTRDIFF_MAX);
  }
  const size_t alignments[] = {3, 24, 65, SIZE_MAX};
  for (size_t i = 0; i < 4; ++i) {
    cadastre_memory_info_struct info = request(8);
    info.alignment = alignments[i];
    assert_refused(info, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_ALIGNMENT);
    assert_true(last_error().requested == alignments[i]);
  }
  cadastre_memory_info_struct info = request(8);
  info.alignment = (size_t)1 << 63;
  assert_refused(info, CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED);
  assert_int_equal(last_error().argument, 2);
  info = request(8);
  info.flags = CADASTRE_BORROWED;
  assert_refused(info, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_FLAGS);
  info.flags = 0x80000000u;
  assert_refused(info, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_FLAGS);
  info = request(8);
  for (cadastre_memory_type type = -1; type <= CADASTRE_MEMORY_TYPE_COUNT; type += 1 + CADASTRE_MEMORY_TYPE_COUNT) {
    info.type = type;
    assert_refused(info, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_MEMORY_TYPE);
    assert_int_equal(atoi(strchr(last_error().message, ' ')), type);
  }
  assert_int_equal(statistics(CADASTRE_HOST).live_blocks, 0);
}

static void memory_types_that_nothing_serves_are_refused_with_a_reason(void** state) {
  (void)state;
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  assert_int_equal(cadastre_context_get_options(context, &options), CADASTRE_SUCCESS);
  cadastre_backend_info_struct own = cadastre_backend_info_struct_zero;
  assert_int_equal(cadastre_backend_get_info(options.backend, &own), CADASTRE_SUCCESS);
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    cadastre_memory_info_struct info = request(8);
    info.type = type;
    if (type == CADASTRE_HOST || (own.memory_type_mask & (1u << type))) {
      assert_non_null(cadastre_malloc(context, info));
      continue;
    }
    assert_refused(info, CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED);
    assert_int_equal(last_error().type, type);
    assert_int_equal(last_error().argument, 2);
    assert_non_null(strstr(last_error().message, cadastre_string_of_memory_type(type)));
    assert_int_equal(statistics(type).failed_allocations, 1);
  }
}

static void a_request_that_the_machine_refuses_changes_nothing(void** state) {
  (void)state;
  const size_t impossible = (size_t)PTRDIFF_MAX - 8192;
  const cadastre_statistics_struct before = statistics(CADASTRE_HOST);
  assert_refused(request(impossible), CADASTRE_ALLOCATION_FAILED, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
  assert_true(last_error().vendor_code != 0);
  assert_true(strlen(last_error().vendor_message) > 0);
  cadastre_statistics_struct after = statistics(CADASTRE_HOST);
  assert_int_equal(after.failed_allocations, before.failed_allocations + 1);
  after.failed_allocations = before.failed_allocations;
  assert_memory_equal(&before, &after, sizeof before);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 100), CADASTRE_SUCCESS);
  assert_non_null(cadastre_malloc(context, request(100)));  // nothing stayed reserved
}

static void labels_of_any_length_up_to_the_limit_are_copied(void** state) {
  (void)state;
  char label[300];
  memset(label, 'x', sizeof label);
  label[256] = '\0';
  cadastre_memory_info_struct info = request(8);
  info.label = label;
  assert_refused(info, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_LABEL_TOO_LONG);
  label[255] = '\0';
  void* const block = cadastre_malloc(context, info);
  void* const twin = cadastre_malloc(context, info);
  memset(label, 'y', sizeof label);
  cadastre_memory_info_struct answer, twin_answer;
  assert_int_equal(cadastre_get_malloc_info(context, block, &answer), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_get_malloc_info(context, twin, &twin_answer), CADASTRE_SUCCESS);
  assert_int_equal(strlen(answer.label), 255);
  assert_true(all_bytes_are(answer.label, 0, 255, 'x'));
  assert_ptr_equal(answer.label, twin_answer.label);
  assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  assert_int_equal(strlen(answer.label), 255);
  info.label = "";
  assert_int_equal(cadastre_get_malloc_info(context, cadastre_malloc(context, info), &answer), CADASTRE_SUCCESS);
  assert_string_equal(answer.label, "");
}

static void a_label_is_stored_once_and_known_by_its_address(void** state) {
  (void)state;
  char text[] = "density";
  const char* const label = cadastre_label(text);
  assert_string_equal(label, "density");
  text[0] = 'D';
  assert_string_equal(label, "density");
  assert_ptr_equal(cadastre_label("density"), label);
  assert_ptr_equal(cadastre_label(label), label);
  const char* const by_address[] = {label, "density"};
  for (int i = 0; i < 6; ++i) {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = 8;
    info.label = by_address[i % 2];
    void* const block = cadastre_malloc(context, info);
    assert_non_null(block);
    info.label = NULL;
    assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
    assert_ptr_equal(info.label, label);
    if (i % 3 == 0) assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  }
  char too_long[257];
  memset(too_long, 'x', 256);
  too_long[256] = '\0';
  const char* const wrong[] = {NULL, too_long};
  const cadastre_reason reasons[] = {CADASTRE_REASON_NULL_ARGUMENT, CADASTRE_REASON_LABEL_TOO_LONG};
  for (int i = 0; i < 2; ++i) {
    assert_null(cadastre_label(wrong[i]));
    cadastre_error_struct error = cadastre_error_struct_zero;
    assert_int_equal(cadastre_last_error(CADASTRE_NULL_CONTEXT, &error), CADASTRE_SUCCESS);
    assert_int_equal(error.exit_code, CADASTRE_INVALID_ARG_1);
    assert_int_equal(error.reason, reasons[i]);
    assert_string_equal(error.function, "cadastre_label");
  }
}

static void realloc_keeps_contents_label_type_and_alignment(void** state) {
  (void)state;
  const size_t sizes[] = {100, 7, 200000, (size_t)35 << 20, (size_t)80 << 20, (size_t)33 << 20, 1000, 0, 50};
  const size_t alignments[] = {0, 64, 8192};
  for (size_t a = 0; a < 3; ++a) {
    cadastre_memory_info_struct info = request(10);
    info.alignment = alignments[a];
    info.stride = 5;
    info.label = "grown";
    unsigned char* block = cadastre_malloc(context, info);
    size_t held = 10;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
      memset(block, (int)i + 1, held);
      block = cadastre_realloc(context, block, sizes[i]);
      assert_non_null(block);
      const size_t kept = held < sizes[i] ? held : sizes[i];
      assert_true(all_bytes_are(block, 0, kept, (unsigned char)(i + 1)));
      assert_true(all_bytes_are(block, kept, sizes[i], 0));
      held = sizes[i];
      assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
      assert_int_equal(info.size, held);
      assert_string_equal(info.label, "grown");
      assert_int_equal(info.stride, 5);
      assert_true(info.alignment >= alignments[a]);
      assert_int_equal((uintptr_t)block % info.alignment, 0);
    }
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  }
  assert_int_equal(statistics(CADASTRE_HOST).reallocations, 27);
  assert_int_equal(statistics(CADASTRE_HOST).allocations, 3);
  assert_int_equal(statistics(CADASTRE_HOST).live_bytes, 0);
}

static void realloc_zeroes_the_new_tail_also_after_a_shrink(void** state) {
  (void)state;
  const size_t sizes[] = {100, 10000, (size_t)40 << 20};
  for (size_t i = 0; i < 3; ++i) {
    unsigned char* block = allocate(sizes[i]);
    memset(block, 0xee, sizes[i]);
    const size_t less = sizes[i] - sizes[i] / 10;
    block = cadastre_realloc(context, block, less);
    block = cadastre_realloc(context, block, sizes[i]);
    assert_true(all_bytes_are(block, 0, less, 0xee));
    assert_true(all_bytes_are(block, less, sizes[i], 0));
  }
}

// 57 to 64 bytes are of one class, here and in the C library.
static void a_resize_in_place_counts_as_any_other(void** state) {
  (void)state;
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 3 * 64), CADASTRE_SUCCESS);
  unsigned char* blocks[3];
  for (int i = 0; i < 3; ++i) {
    cadastre_memory_info_struct info = request(57);
    info.flags = i == 2 ? CADASTRE_UNINITIALIZED : 0;
    info.label = "in place";
    blocks[i] = cadastre_malloc(context, info);
    memset(blocks[i], 0x5a, 57);
  }
  int64_t resized = 0;
  size_t total = 171, zeroed = 114;
  for (size_t size = 64; size >= 57; --size) {
    for (int i = 0; i < 3; ++i) {
      blocks[i] = cadastre_realloc(context, blocks[i], size);  // a checker of memory gives another one each time
      assert_non_null(blocks[i]);
      assert_true(all_bytes_are(blocks[i], 0, 57, 0x5a));
      if (i < 2) assert_true(all_bytes_are(blocks[i], 57, size, 0));
      memset(blocks[i], 0x5a, size);
      cadastre_memory_info_struct info;
      assert_int_equal(cadastre_get_malloc_info(context, blocks[i], &info), CADASTRE_SUCCESS);
      assert_int_equal(info.size, size);
      assert_int_equal(info.flags, i == 2 ? CADASTRE_UNINITIALIZED : 0);
      assert_string_equal(info.label, "in place");
      blocks[i] = cadastre_realloc(context, blocks[i], 57);
      assert_non_null(blocks[i]);
      resized += 2;
      total += size - 57;
      zeroed += i < 2 ? size - 57 : 0;
    }
    const cadastre_statistics_struct s = statistics(CADASTRE_HOST);
    assert_int_equal(s.reallocations, resized);
    assert_int_equal(s.allocations, 3);
    assert_int_equal(s.deallocations, 0);
    assert_int_equal(s.live_bytes, 171);
    assert_int_equal(s.total_bytes, total);
    assert_int_equal(s.zeroed_bytes, zeroed);
    assert_int_equal(s.high_water_mark_bytes, 114 + 64);
  }
  for (int i = 0; i < 3; ++i) {
    blocks[i] = cadastre_realloc(context, blocks[i], 64);
    assert_non_null(blocks[i]);
  }
  assert_int_equal(cadastre_free(context, blocks[0]), CADASTRE_SUCCESS);
  assert_null(cadastre_realloc(context, blocks[0], 58));
  assert_int_equal(last_error().reason, CADASTRE_REASON_ALREADY_FREED);
  blocks[0] = allocate(57);
  blocks[0] = cadastre_realloc(context, blocks[0], 63);
  assert_non_null(blocks[0]);
  assert_non_null(cadastre_malloc(context, request(1)));
  assert_null(cadastre_realloc(context, blocks[0], 64));
  assert_int_equal(last_error().exit_code, CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(last_error().requested, 64);
  assert_null(cadastre_realloc(context, blocks[0] + 16, 58));
  assert_int_equal(last_error().reason, CADASTRE_REASON_INSIDE_BLOCK);
  assert_int_equal(statistics(CADASTRE_HOST).live_bytes, 3 * 64);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
}

static void a_realloc_that_fails_leaves_the_block_as_it_was(void** state) {
  (void)state;
  unsigned char* const block = allocate(1000);
  memset(block, 0x77, 1000);
  assert_null(cadastre_realloc(context, NULL, 10));
  assert_int_equal(last_error().exit_code, CADASTRE_INVALID_ARG_2);
  assert_null(cadastre_realloc(context, block, SIZE_MAX));
  assert_int_equal(last_error().exit_code, CADASTRE_INVALID_ARG_3);
  assert_null(cadastre_realloc(context, block, (size_t)PTRDIFF_MAX - 8192));
  assert_int_equal(last_error().exit_code, CADASTRE_ALLOCATION_FAILED);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 1500), CADASTRE_SUCCESS);
  assert_null(cadastre_realloc(context, block, 1501));
  assert_int_equal(last_error().exit_code, CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(last_error().requested, 1501);
  assert_int_equal(last_error().in_use, 0);
  cadastre_memory_info_struct info;
  assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.size, 1000);
  assert_true(all_bytes_are(block, 0, 1000, 0x77));
  const cadastre_statistics_struct s = statistics(CADASTRE_HOST);
  assert_int_equal(s.live_bytes, 1000);
  assert_int_equal(s.high_water_mark_bytes, 1000);
  assert_int_equal(s.reallocations, 0);
  assert_int_equal(s.failed_allocations, 3);
  assert_non_null(cadastre_realloc(context, block, 1500));
}

static void every_address_of_a_block_is_located(void** state) {
  (void)state;
  char* const block = allocate(1000);
  for (size_t offset = 0; offset < 1000; ++offset) {
    cadastre_memory_info_struct info;
    size_t found = 0;
    assert_int_equal(cadastre_find_block(context, block + offset, &info, &found), CADASTRE_SUCCESS);
    assert_int_equal(found, offset);
    assert_ptr_equal(info.pointer, block);
  }
  assert_int_equal(cadastre_find_block(context, block + 500, NULL, NULL), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_find_block(context, block + 1000, NULL, NULL), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_find_block(context, NULL, NULL, NULL), CADASTRE_INVALID_ARG_2);
}

static void a_miss_leaves_the_output_as_it_was(void** state) {
  (void)state;
  cadastre_memory_info_struct info, before;
  memset(&info, 0x3c, sizeof info);
  memcpy(&before, &info, sizeof info);
  size_t offset = 42;
  assert_int_equal(cadastre_get_malloc_info(context, &info, &info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_get_malloc_info(context, NULL, NULL), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_find_block(context, &info, &info, &offset), CADASTRE_INVALID_ARG_2);
  assert_memory_equal(&info, &before, sizeof info);
  assert_int_equal(offset, 42);
}

// The thread has allocated and freed before, so that the next block might come without a look at borrowed ranges. The context takes its
// blocks from malloc, which may give another address; then there is nothing to see.
static void a_block_takes_the_place_of_a_borrowed_range_whose_owner_freed_it(void** state) {
  (void)state;
  enum { size = 300000 };
  const cadastre_context before = context;
  context = cadastre_context_create();
  assert_int_equal(cadastre_context_set_plain_free(context, 1), CADASTRE_SUCCESS);
  for (int i = 0; i < 3; ++i) assert_int_equal(cadastre_free(context, allocate(size)), CADASTRE_SUCCESS);
  int seen = 0;
  for (int turn = 0; turn < 20; ++turn) {
    cadastre_memory_info_struct info = request(size / 2);
    unsigned char* const own = malloc(size);
    assert_non_null(own);
    const uintptr_t first = (uintptr_t)own;
    info.pointer = own + 64;
    assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
    free(own);
    info = request(size);
    info.flags = CADASTRE_UNINITIALIZED;
    unsigned char* const block = cadastre_malloc(context, info);
    assert_non_null(block);
    if ((uintptr_t)block == first) {
      ++seen;
      assert_int_equal(statistics(CADASTRE_HOST).borrowed_blocks, 0);
      assert_int_equal(cadastre_find_block(context, block + 100, &info, NULL), CADASTRE_SUCCESS);
      assert_ptr_equal(info.pointer, block);
    } else {
      cadastre_unwrap(context, (void*)(first + 64));
    }
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  context = before;
  if (seen > 0) return;
  skip_because("malloc gives no block the place of one that was freed");
}

static void borrowed_memory_is_known_and_never_freed(void** state) {
  (void)state;
  static double mine[100];
  cadastre_memory_info_struct info = request(sizeof mine);
  info.pointer = mine;
  info.label = "coordinates";
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  cadastre_memory_info_struct answer;
  size_t offset;
  assert_int_equal(cadastre_find_block(context, mine + 7, &answer, &offset), CADASTRE_SUCCESS);
  assert_int_equal(offset, 7 * sizeof(double));
  assert_int_equal(answer.flags, CADASTRE_BORROWED);
  assert_string_equal(answer.label, "coordinates");
  assert_int_equal((uintptr_t)mine % answer.alignment, 0);
  assert_int_equal(cadastre_free(context, mine), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_BORROWED);
  assert_null(cadastre_realloc(context, mine, 8));
  assert_int_equal(last_error().reason, CADASTRE_REASON_BORROWED);
  const cadastre_statistics_struct s = statistics(CADASTRE_HOST);
  assert_int_equal(s.borrowed_blocks, 1);
  assert_int_equal(s.live_blocks, 0);
  assert_int_equal(s.live_bytes, 0);
  assert_int_equal(s.allocations, 0);
  assert_int_equal(cadastre_unwrap(context, mine), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unwrap(context, mine), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);  // left to destroy, which must not free it
}

static void a_borrowed_range_that_is_wrong_is_refused(void** state) {
  (void)state;
  char* const block = allocate(1000);
  cadastre_memory_info_struct info = request(10);
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_NULL_POINTER);
  info.pointer = block + 500;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_OVERLAPS_BLOCK);
  info.pointer = (void*)(UINTPTR_MAX - 4);
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_SIZE_OVERFLOW);
  info.pointer = (void*)4097;
  info.alignment = 16;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_MISALIGNED);
  info.alignment = 3;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_INVALID_ALIGNMENT);
  info.alignment = 0;
  info.type = 17;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_INVALID_MEMORY_TYPE);
  info.backend = CADASTRE_BACKEND_HOST;
  info.type = CADASTRE_DEVICE;  // somebody else's device memory may be recorded where no backend serves it
  info.device = CADASTRE_DEVICE_BY_ID(1);
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  assert_int_equal(statistics(CADASTRE_DEVICE).borrowed_blocks, 1);
  assert_int_equal(cadastre_memset(context, info.pointer, 0, 1), CADASTRE_NOT_SUPPORTED);  // but nobody can reach it
  assert_int_equal(last_error().reason, CADASTRE_REASON_NO_COPY_PATH);
  assert_int_equal(cadastre_prefetch(context, info.pointer, 1, 0, NULL, NULL), CADASTRE_SUCCESS);  // a hint is ignored
  assert_int_equal(cadastre_unwrap(context, block), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_NOT_BORROWED);
}

struct visits {
  size_t sizes[10];
  size_t count;
};

static cadastre_exit_code visit_and_free(const cadastre_memory_info_struct* info, void* user_data) {
  struct visits* const visits = user_data;
  visits->sizes[visits->count++] = info->size;
  if (!cadastre_malloc(context, request(99))) return CADASTRE_FAILURE;
  return info->flags & CADASTRE_BORROWED ? CADASTRE_SUCCESS : cadastre_free(context, info->pointer);
}

static cadastre_exit_code destroy_and_read(const cadastre_memory_info_struct* info, void* user_data) {
  int* const visited = user_data;
  if (*visited == 0 && cadastre_context_destroy(context) != CADASTRE_SUCCESS) return CADASTRE_FAILURE;
  ++*visited;
  return strcmp(info->label, "a label that does not fit into the object") == 0 ? CADASTRE_SUCCESS : CADASTRE_OUT_OF_BOUNDS;
}

static void a_visitor_may_destroy_the_context(void** state) {
  (void)state;
  context = cadastre_context_create();
  cadastre_memory_info_struct info = request(8);
  info.label = "a label that does not fit into the object";
  for (int i = 0; i < 3; ++i) assert_non_null(cadastre_malloc(context, info));
  int visited = 0;
  assert_int_equal(cadastre_foreach_block(context, destroy_and_read, &visited), CADASTRE_SUCCESS);
  assert_int_equal(visited, 3);
}

static cadastre_exit_code stop_at_two(const cadastre_memory_info_struct* info, void* user_data) {
  int* const count = user_data;
  (void)info;
  return ++*count == 2 ? CADASTRE_OUT_OF_BOUNDS : CADASTRE_SUCCESS;
}

static void foreach_locked_calls_one_moment_in_order_and_may_free(void** state) {
  (void)state;
  static char mine[40];
  void* const gone = allocate(50);
  allocate(10);
  allocate(20);
  allocate(30);
  cadastre_memory_info_struct info = request(sizeof mine);
  info.pointer = mine;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, gone), CADASTRE_SUCCESS);
  struct visits visits = {{0}, 0};
  assert_int_equal(cadastre_foreach_block(context, visit_and_free, &visits), CADASTRE_SUCCESS);
  assert_int_equal(visits.count, 4);
  for (size_t i = 0; i < 4; ++i) assert_int_equal(visits.sizes[i], 10 * (i + 1));
  assert_int_equal(statistics(CADASTRE_HOST).live_blocks, 4);
  assert_int_equal(statistics(CADASTRE_HOST).live_bytes, 4 * 99);
}

static void foreach_ends_with_what_the_visitor_returns(void** state) {
  (void)state;
  for (int i = 0; i < 5; ++i) allocate(1);
  int count = 0;
  assert_int_equal(cadastre_foreach_block(context, stop_at_two, &count), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(count, 2);
  assert_int_equal(cadastre_foreach_block(context, NULL, &count), CADASTRE_INVALID_ARG_2);
}

static void free_all_leaves_an_empty_context_that_goes_on(void** state) {
  (void)state;
  static char mine[40];
  void* last = NULL;
  for (size_t i = 0; i < 1000; ++i) last = allocate(i);
  cadastre_memory_info_struct info = request(sizeof mine);
  info.pointer = mine;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, last), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last_error().reason, CADASTRE_REASON_ALREADY_FREED);
  assert_int_equal(cadastre_get_malloc_info(context, mine, &info), CADASTRE_INVALID_ARG_2);
  const cadastre_statistics_struct s = statistics(CADASTRE_HOST);
  assert_int_equal(s.live_blocks, 0);
  assert_int_equal(s.live_bytes, 0);
  assert_int_equal(s.borrowed_blocks, 0);
  assert_int_equal(s.deallocations, 1000);
  assert_int_equal(s.high_water_mark_bytes, 999 * 1000 / 2);
  allocate(10);
}

static void destroy_tells_what_was_still_alive(void** state) {
  (void)state;
  static char mine[40];
  context = cadastre_context_create();
  const char* const labels[] = {"walkers", "orbitals", "orbitals", NULL};
  const size_t sizes[] = {1000, 600, 700, 5000};
  cadastre_memory_info_struct info;
  for (size_t i = 0; i < 4; ++i) {
    info = request(sizes[i]);
    info.label = labels[i];
    assert_non_null(cadastre_malloc(context, info));
  }
  assert_int_equal(cadastre_free(context, allocate(30)), CADASTRE_SUCCESS);
  info = request(sizeof mine);
  info.pointer = mine;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_int_equal(summary.live_blocks, 4);
  assert_int_equal(summary.live_bytes, 7300);
  assert_int_equal(summary.borrowed_blocks, 1);
  assert_int_equal(summary.failed_deallocations, 0);
  assert_string_equal(summary.largest_label, "orbitals");
  assert_int_equal(summary.largest_label_bytes, 1300);
  context = cadastre_context_create();
  info = request(100);
  info.label = "grown";
  assert_non_null(cadastre_realloc(context, cadastre_malloc(context, info), 1000));
  info.label = "shrunk";
  assert_non_null(cadastre_realloc(context, cadastre_malloc(context, info), 10));
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_string_equal(summary.largest_label, "grown");
  assert_int_equal(summary.largest_label_bytes, 1000);
  assert_int_equal(summary.live_bytes, 1010);
  context = cadastre_context_create();
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_int_equal(summary.live_blocks, 0);
  assert_string_equal(summary.largest_label, "");
}

static void statistics_count_what_happened_and_nothing_else(void** state) {
  (void)state;
  void* const a = allocate(100);
  void* const b = allocate(200);
  assert_int_equal(cadastre_free(context, a), CADASTRE_SUCCESS);
  void* const c = cadastre_realloc(context, b, 500);
  assert_non_null(cadastre_realloc(context, c, 50));
  const cadastre_statistics_struct s = statistics(CADASTRE_HOST);
  assert_int_equal(s.allocations, 2);
  assert_int_equal(s.deallocations, 1);
  assert_int_equal(s.reallocations, 2);
  assert_int_equal(s.live_blocks, 1);
  assert_int_equal(s.live_bytes, 50);
  assert_int_equal(s.high_water_mark_bytes, 500);
  assert_int_equal(s.total_bytes, 600);
  assert_int_equal(s.zeroed_bytes, 600);
  assert_int_equal(s.failed_allocations, 0);
  assert_true(s.limit == CADASTRE_UNLIMITED);
  const cadastre_statistics_struct other = statistics(CADASTRE_DEVICE);
  assert_int_equal(other.allocations, 0);
  assert_int_equal(other.total_bytes, 0);
  cadastre_statistics_struct none = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_MEMORY_TYPE_COUNT, &none), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_get_statistics(context, -1, &none), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_get_statistics(context, 0, NULL), CADASTRE_INVALID_ARG_3);
}

static void failures_are_counted_and_change_nothing_else(void** state) {
  (void)state;
  void* const block = allocate(100);
  cadastre_statistics_struct before = statistics(CADASTRE_HOST);
  cadastre_memory_info_struct info = request(8);
  info.alignment = 3;
  assert_null(cadastre_malloc(context, info));
  assert_null(cadastre_malloc(context, request(SIZE_MAX)));
  assert_null(cadastre_realloc(context, block, SIZE_MAX));
  assert_int_equal(cadastre_free(context, &info), CADASTRE_INVALID_ARG_2);
  before.failed_allocations += 3;
  const cadastre_statistics_struct after = statistics(CADASTRE_HOST);
  assert_memory_equal(&before, &after, sizeof before);
}

static cadastre_registry_info_struct registry_info(void) {
  cadastre_registry_info_struct info = cadastre_registry_info_struct_zero;
  assert_int_equal(cadastre_get_registry_info(context, &info), CADASTRE_SUCCESS);
  return info;
}

// Each of 1,000 large blocks has an entry. What is full doubles: from 64 entries to 2,048, of which half is room at least.
static void the_registry_doubles_and_tells_so(void** state) {
  (void)state;
  enum { blocks = 1000 };
  static void* large[blocks];
  const cadastre_registry_info_struct before = registry_info();
  assert_int_equal(before.live_records, 0);
  for (int i = 0; i < blocks; ++i) {
    cadastre_memory_info_struct info = request(300000);
    info.flags = CADASTRE_UNINITIALIZED;
    large[i] = cadastre_malloc(context, info);
    assert_non_null(large[i]);
  }
  const cadastre_registry_info_struct full = registry_info();
  assert_int_equal(full.entries - before.entries, blocks);
  assert_int_equal(full.live_records, blocks);
  assert_int_equal(full.doublings - before.doublings, 5);
  assert_in_range(full.capacity - before.capacity, 2 * blocks, 4 * blocks);
  void* const small = allocate(100);
  assert_int_equal(registry_info().live_records, blocks + 1);
  assert_int_equal(cadastre_free(context, small), CADASTRE_SUCCESS);
  for (int i = 0; i < blocks; ++i) assert_int_equal(cadastre_free(context, large[i]), CADASTRE_SUCCESS);
  assert_int_equal(registry_info().live_records, 0);
  assert_true(registry_info().capacity >= full.capacity);
  assert_int_equal(cadastre_get_registry_info(context, NULL), CADASTRE_INVALID_ARG_2);
  cadastre_registry_info_struct wrong = cadastre_registry_info_struct_zero;
  wrong.struct_size = 8;
  assert_int_equal(cadastre_get_registry_info(context, &wrong), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_get_registry_info(CADASTRE_PROCESS, &wrong), CADASTRE_INVALID_ARG_2);
}

static void the_high_water_mark_can_be_reset(void** state) {
  (void)state;
  void* const large = allocate(1000);
  allocate(10);
  assert_int_equal(cadastre_free(context, large), CADASTRE_SUCCESS);
  assert_int_equal(statistics(CADASTRE_HOST).high_water_mark_bytes, 1010);
  assert_int_equal(statistics(CADASTRE_HOST).high_water_mark_blocks, 2);
  assert_int_equal(cadastre_reset_high_water_mark(context, CADASTRE_HOST), CADASTRE_SUCCESS);
  assert_int_equal(statistics(CADASTRE_HOST).high_water_mark_bytes, 10);
  assert_int_equal(statistics(CADASTRE_HOST).high_water_mark_blocks, 1);
  allocate(5);
  assert_int_equal(statistics(CADASTRE_HOST).high_water_mark_bytes, 15);
  assert_int_equal(cadastre_reset_high_water_mark(context, CADASTRE_MEMORY_TYPE_COUNT), CADASTRE_INVALID_ARG_2);
}

static void a_limit_is_exact(void** state) {
  (void)state;
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 1000), CADASTRE_SUCCESS);
  void* const block = allocate(400);
  allocate(600);
  assert_null(cadastre_malloc(context, request(1)));
  const cadastre_error_struct error = last_error();
  assert_int_equal(error.exit_code, CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(error.requested, 1);
  assert_int_equal(error.in_use, 1000);
  assert_int_equal(error.limit, 1000);
  allocate(0);
  assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  assert_null(cadastre_malloc(context, request(401)));
  allocate(400);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 10), CADASTRE_SUCCESS);
  assert_null(cadastre_malloc(context, request(1)));
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
  allocate(1);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_MEMORY_TYPE_COUNT, 10), CADASTRE_INVALID_ARG_2);
}

static void a_limit_of_nothing_refuses_all_and_zero_restores_the_default(void** state) {
  (void)state;
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, CADASTRE_LIMIT_NOTHING), CADASTRE_SUCCESS);
  assert_null(cadastre_malloc(context, request(1)));
  assert_int_equal(last_error().exit_code, CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(last_error().limit, 0);
  allocate(0);
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  assert_int_equal(cadastre_context_get_options(context, &options), CADASTRE_SUCCESS);
  assert_true(options.limits[CADASTRE_HOST] == CADASTRE_LIMIT_NOTHING);
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &figures), CADASTRE_SUCCESS);
  assert_true(figures.limit == CADASTRE_LIMIT_NOTHING);
  assert_true(options.limits[CADASTRE_PINNED] == CADASTRE_UNLIMITED);
  const cadastre_context copy = cadastre_context_create_with_options(&options);
  assert_int_not_equal(copy, CADASTRE_NULL_CONTEXT);
  assert_null(cadastre_malloc(copy, request(1)));
  assert_int_equal(cadastre_context_destroy(copy), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
  allocate(1);
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &figures), CADASTRE_SUCCESS);
  assert_true(figures.limit == CADASTRE_UNLIMITED);
}

static void timing_tells_the_share_of_the_backend(void** state) {
  (void)state;
  const int64_t before = cadastre_get_backend_nanoseconds();
  allocate(10);
  assert_int_equal(cadastre_get_backend_nanoseconds(), before);
  assert_int_equal(cadastre_context_set_timing(context, 1), CADASTRE_SUCCESS);
  int64_t timed = before;
  for (int i = 0; i < 100; ++i) {
    allocate(1 << 20);  // no heap of a context serves as much
    assert_true(cadastre_get_backend_nanoseconds() > timed);
    timed = cadastre_get_backend_nanoseconds();
  }
  assert_int_equal(cadastre_context_set_timing(context, 0), CADASTRE_SUCCESS);
  allocate(10);
  assert_int_equal(cadastre_get_backend_nanoseconds(), timed);
}

static void backends_and_environment_can_be_asked_for(void** state) {
  (void)state;
  cadastre_backend_info_struct backend = cadastre_backend_info_struct_zero;
  for (cadastre_backend b = 1; b <= cadastre_backend_get_count(); ++b) {
    assert_int_equal(cadastre_backend_get_info(b, &backend), CADASTRE_SUCCESS);
    assert_int_equal(backend.backend, b);
    assert_string_equal(backend.name, cadastre_string_of_backend(b));
    assert_true(backend.available ? backend.problem[0] == '\0' : backend.problem[0] != '\0');
    assert_true(backend.available ? backend.memory_type_mask != 0 : backend.memory_type_mask == 0);
  }
  assert_int_equal(cadastre_backend_get_info(CADASTRE_BACKEND_HOST, &backend), CADASTRE_SUCCESS);
  assert_int_equal(backend.available, 1);
  assert_int_equal(cadastre_backend_get_info(-1, &backend), CADASTRE_INVALID_ARG_1);
  assert_int_equal(cadastre_backend_get_info(CADASTRE_DEFAULT_BACKEND, &backend), CADASTRE_INVALID_ARG_1);
  assert_int_equal(cadastre_backend_get_info(cadastre_backend_get_count() + 1, &backend), CADASTRE_INVALID_ARG_1);
  cadastre_environment_info_struct variable = cadastre_environment_info_struct_zero;
  const int32_t count = cadastre_environment_get_count();
  assert_true(count >= 2);
  for (int32_t i = 0; i < count; ++i) {
    assert_int_equal(cadastre_environment_get_info(i, &variable), CADASTRE_SUCCESS);
    assert_int_equal(strncmp(variable.name, "CADASTRE_", 9), 0);
  }
  assert_int_equal(cadastre_environment_get_info(count, &variable), CADASTRE_INVALID_ARG_1);
  assert_int_equal(cadastre_environment_get_info(-1, &variable), CADASTRE_INVALID_ARG_1);
  char version[40];
  snprintf(version, sizeof version, "%d.%d.%d", CADASTRE_VERSION_MAJOR, CADASTRE_VERSION_MINOR, CADASTRE_VERSION_PATCH);
  assert_string_equal(version, cadastre_get_version());  // where not: AC_INIT changed and vocabulary was not tangled again
#if CADASTRE_VERSION < 100 || CADASTRE_VERSION / 10000 != CADASTRE_VERSION_MAJOR || \
    CADASTRE_VERSION / 100 % 100 != CADASTRE_VERSION_MINOR || CADASTRE_VERSION % 100 != CADASTRE_VERSION_PATCH
  fail_msg("CADASTRE_VERSION is %d", CADASTRE_VERSION);
#endif
  assert_non_null(strstr(cadastre_get_build_options(), "backends: host"));
}

static void null_outputs_are_refused(void** state) {
  (void)state;
  cadastre_error_struct remembered = last_error(), too_small = cadastre_error_struct_zero;
  too_small.struct_size = 8;
  assert_int_equal(cadastre_last_error(context, NULL), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_last_error(context, &too_small), CADASTRE_INVALID_ARG_2);
  assert_int_equal(too_small.exit_code, CADASTRE_SUCCESS);
  assert_string_equal(last_error().message, remembered.message);  // not overwritten
  assert_int_equal(cadastre_backend_get_info(CADASTRE_BACKEND_HOST, NULL), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_environment_get_info(0, NULL), CADASTRE_INVALID_ARG_2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(each_failed_look_up_is_explained, create, destroy),
      cmocka_unit_test(what_qmckl_asserts_of_its_memory_functions_holds),
      cmocka_unit_test_setup_teardown(a_block_of_no_bytes_is_tracked_unique_and_freeable, create, destroy),
      cmocka_unit_test_setup_teardown(memory_is_zero_unless_asked_otherwise, create, destroy),
      cmocka_unit_test_setup_teardown(a_struct_of_an_unknown_size_is_refused_and_not_written, create, destroy),
      cmocka_unit_test_setup_teardown(the_answer_states_what_was_asked_and_what_holds, create, destroy),
      cmocka_unit_test_setup_teardown(alignment_is_honoured_for_every_power_of_two, create, destroy),
      cmocka_unit_test_setup_teardown(a_pointer_inside_a_block_names_its_base, create, destroy),
      cmocka_unit_test_setup_teardown(a_double_free_tells_what_the_block_was, create, destroy),
      cmocka_unit_test_setup_teardown(a_late_use_inside_a_freed_block_is_explained, create, destroy),
      cmocka_unit_test_setup_teardown(the_address_before_a_realloc_is_explained, create, destroy),
      cmocka_unit_test_setup_teardown(a_foreign_pointer_is_unknown_and_never_touched, create, destroy),
      cmocka_unit_test_setup_teardown(a_pointer_of_another_context_names_that_context, create, destroy),
      cmocka_unit_test_setup_teardown(malformed_requests_are_refused_with_the_numbers, create, destroy),
      cmocka_unit_test_setup_teardown(memory_types_that_nothing_serves_are_refused_with_a_reason, create, destroy),
      cmocka_unit_test_setup_teardown(a_request_that_the_machine_refuses_changes_nothing, create, destroy),
      cmocka_unit_test_setup_teardown(labels_of_any_length_up_to_the_limit_are_copied, create, destroy),
      cmocka_unit_test_setup_teardown(a_label_is_stored_once_and_known_by_its_address, create, destroy),
      cmocka_unit_test_setup_teardown(realloc_keeps_contents_label_type_and_alignment, create, destroy),
      cmocka_unit_test_setup_teardown(realloc_zeroes_the_new_tail_also_after_a_shrink, create, destroy),
      cmocka_unit_test_setup_teardown(a_resize_in_place_counts_as_any_other, create, destroy),
      cmocka_unit_test_setup_teardown(a_realloc_that_fails_leaves_the_block_as_it_was, create, destroy),
      cmocka_unit_test_setup_teardown(every_address_of_a_block_is_located, create, destroy),
      cmocka_unit_test_setup_teardown(a_miss_leaves_the_output_as_it_was, create, destroy),
      cmocka_unit_test_setup_teardown(borrowed_memory_is_known_and_never_freed, create, destroy),
      cmocka_unit_test_setup_teardown(a_block_takes_the_place_of_a_borrowed_range_whose_owner_freed_it, create, destroy),
      cmocka_unit_test_setup_teardown(a_borrowed_range_that_is_wrong_is_refused, create, destroy),
      cmocka_unit_test_setup_teardown(foreach_locked_calls_one_moment_in_order_and_may_free, create, destroy),
      cmocka_unit_test(a_visitor_may_destroy_the_context),
      cmocka_unit_test_setup_teardown(foreach_ends_with_what_the_visitor_returns, create, destroy),
      cmocka_unit_test_setup_teardown(free_all_leaves_an_empty_context_that_goes_on, create, destroy),
      cmocka_unit_test(destroy_tells_what_was_still_alive),
      cmocka_unit_test_setup_teardown(statistics_count_what_happened_and_nothing_else, create, destroy),
      cmocka_unit_test_setup_teardown(failures_are_counted_and_change_nothing_else, create, destroy),
      cmocka_unit_test_setup_teardown(the_registry_doubles_and_tells_so, create, destroy),
      cmocka_unit_test_setup_teardown(the_high_water_mark_can_be_reset, create, destroy),
      cmocka_unit_test_setup_teardown(a_limit_is_exact, create, destroy),
      cmocka_unit_test_setup_teardown(a_limit_of_nothing_refuses_all_and_zero_restores_the_default, create, destroy),
      cmocka_unit_test_setup_teardown(timing_tells_the_share_of_the_backend, create, destroy),
      cmocka_unit_test(backends_and_environment_can_be_asked_for),
      cmocka_unit_test(null_outputs_are_refused),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
