/* Tangled from org/tests/qmckl_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Claims about the memory layer of QMCkl, whoever answers for it. QMCKL_LAYER, here or in the environment, says who
 * does: own, preloaded, before, local or linked. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "skip_because.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "qmckl_imitation.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static const char* layer(void) {
  const char* const given = getenv("QMCKL_LAYER");
  return given ? given : QMCKL_LAYER;
}

static int is_ours(void) { return strcmp(layer(), "own") != 0; }
static int is_interposed(void) { return is_ours() && strcmp(layer(), "linked") != 0; }

static void* block_of(qmckl_context context, size_t size) {
  qmckl_memory_info_struct info = {0, NULL};
  info.size = size;
  return qmckl_malloc(context, info);
}

static const qmckl_memory_info_struct untouched = {4711, (void*)&untouched};

static int is_untouched(const qmckl_memory_info_struct* info) { return info->size == untouched.size && info->pointer == untouched.pointer; }

struct error {
  qmckl_exit_code code;
  char function[QMCKL_MAX_FUN_LEN], message[QMCKL_MAX_MSG_LEN];
};

static struct error error_of(qmckl_context context) {
  struct error error;
  assert_int_equal(qmckl_get_error(context, &error.code, error.function, error.message), QMCKL_SUCCESS);
  return error;
}

/* message: a part of it. */
static void assert_failed(qmckl_context context, qmckl_exit_code code, const char* function, const char* message) {
  const struct error error = error_of(context);
  assert_int_equal(error.code, code);
  assert_string_equal(error.function, function);
  if (!strstr(error.message, message)) fail_msg("\"%s\" does not hold \"%s\"", error.message, message);
}

static const size_t sizes[] = {1, 7, 12, 63, 64, 65, 1000, 4099, 100000, 1048583, 50000001};
#define SIZES (sizeof sizes / sizeof *sizes)

/* As fast for the largest as for the smallest. */
static int is_zero(const char* bytes, size_t size) { return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0; }

static void the_layer_is_the_one_that_is_meant(void** state) {
  static const char* const objects[] = {"own", "libqmckl_imitation.so", "linked", "libqmckl_imitation_linked.so"};
  const char* object = "libcadastre_qmckl.so";
  void* (*const function)(qmckl_context, qmckl_memory_info_struct) = qmckl_malloc;
  void* address;
  Dl_info info;
  size_t i;
  (void)state;
  for (i = 0; i < 4; i += 2) {
    if (strcmp(layer(), objects[i]) == 0) object = objects[i + 1];
  }
  memcpy(&address, &function, sizeof address);
  assert_true(dladdr(address, &info) != 0);
  if (!strstr(info.dli_fname, object)) fail_msg("%s answers instead of %s", info.dli_fname, object);
}

static void blocks_are_zeroed_and_aligned_and_known_by_their_size(void** state) {
  const qmckl_context context = qmckl_context_create();
  char* blocks[SIZES];
  size_t i;
  int round;
  (void)state;
  for (round = 0; round < 2; ++round) { /* the second time from memory that was used */
    for (i = 0; i < SIZES; ++i) {
      qmckl_memory_info_struct info = untouched;
      blocks[i] = block_of(context, sizes[i]);
      assert_non_null(blocks[i]);
      assert_int_equal((uintptr_t)blocks[i] % 64, 0);
      assert_true(is_zero(blocks[i], sizes[i]));
      memset(blocks[i], 0x5A, sizes[i]);
      assert_int_equal(qmckl_get_malloc_info(context, blocks[i], &info), QMCKL_SUCCESS);
      assert_int_equal(info.size, sizes[i]);
      assert_ptr_equal(info.pointer, blocks[i]);
    }
    for (i = 0; i < SIZES; ++i) assert_int_equal(qmckl_free(context, blocks[i]), QMCKL_SUCCESS);
  }
  assert_int_equal(error_of(context).code, QMCKL_SUCCESS);
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static void thousands_of_blocks_are_kept_apart(void** state) {
  enum { many = 3000 };
  static char* blocks[many];
  const qmckl_context context = qmckl_context_create();
  int i;
  (void)state;
  for (i = 0; i < many; ++i) {
    blocks[i] = block_of(context, (size_t)i + 1);
    assert_non_null(blocks[i]);
    memset(blocks[i], i, (size_t)i + 1);
  }
  for (i = 0; i < many; i += 2) assert_int_equal(qmckl_free(context, blocks[i]), QMCKL_SUCCESS);
  for (i = 0; i < many; ++i) {
    qmckl_memory_info_struct info = untouched;
    const qmckl_exit_code code = qmckl_get_malloc_info(context, blocks[i], &info);
    assert_int_equal(code, i % 2 ? QMCKL_SUCCESS : QMCKL_INVALID_ARG_2);
    if (i % 2 == 0) continue;
    assert_int_equal(info.size, i + 1);
    assert_int_equal(blocks[i][0], (char)i);
    assert_memory_equal(blocks[i], blocks[i] + 1, (size_t)i);
  }
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static void a_block_of_no_bytes_is_a_block(void** state) {
  qmckl_memory_info_struct info = untouched;
  qmckl_context context;
  void* block;
  (void)state;
  if (!is_ours()) skip_because("the layer is not one of ours");
  context = qmckl_context_create();
  block = block_of(context, 0);
  assert_non_null(block);
  assert_ptr_not_equal(block, block_of(context, 0));
  assert_int_equal(qmckl_get_malloc_info(context, block, &info), QMCKL_SUCCESS);
  assert_int_equal(info.size, 0);
  assert_int_equal(qmckl_free(context, block), QMCKL_SUCCESS);
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static void a_request_that_no_machine_can_hold_gives_null(void** state) {
  const qmckl_context context = qmckl_context_create();
  (void)state;
  assert_null(block_of(context, SIZE_MAX));
  assert_null(block_of(context, SIZE_MAX / 2));
  if (is_interposed()) {
    assert_string_equal(error_of(context).function, "qmckl_malloc");
    assert_true(strlen(error_of(context).message) > 0);
  }
  assert_non_null(block_of(context, 100));
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static void assert_unknown(qmckl_context context, const void* pointer) {
  qmckl_memory_info_struct info = untouched;
  assert_int_equal(qmckl_get_malloc_info(context, pointer, &info), QMCKL_INVALID_ARG_2);
  assert_true(is_untouched(&info));
  assert_failed(context, QMCKL_INVALID_ARG_2, "qmckl_get_malloc_info", "Pointer not found in context");
  assert_int_equal(qmckl_free(context, (void*)(uintptr_t)pointer), QMCKL_INVALID_ARG_2);
  assert_failed(context, QMCKL_INVALID_ARG_2, "qmckl_free", is_ours() ? "" : "Pointer not found");
}

static void what_is_no_block_is_refused_and_not_touched(void** state) {
  const qmckl_context context = qmckl_context_create(), other = qmckl_context_create();
  double* const block = block_of(context, 1000);
  char* const of_other = block_of(other, 10);
  char* const of_user = malloc(10);
  int on_the_stack = 5;
  (void)state;
  assert_unknown(context, &on_the_stack);
  assert_int_equal(on_the_stack, 5);
  assert_unknown(context, of_user);
  free(of_user);
  assert_unknown(context, "a constant");
  assert_unknown(context, (void*)0x10);
  assert_unknown(context, (void*)UINTPTR_MAX);
  assert_unknown(context, block + 1);
  assert_unknown(context, of_other);
  of_other[9] = 1;
  assert_int_equal(qmckl_free(other, of_other), QMCKL_SUCCESS);
  assert_int_equal(qmckl_free(context, block), QMCKL_SUCCESS);
  assert_unknown(context, block);
  assert_int_equal(qmckl_context_destroy(other), QMCKL_SUCCESS);
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static void null_is_refused_by_the_number_of_the_argument(void** state) {
  const qmckl_context context = qmckl_context_create();
  qmckl_memory_info_struct info = untouched;
  void* const block = block_of(context, 10);
  int on_the_stack;
  (void)state;
  assert_int_equal(qmckl_free(context, NULL), QMCKL_INVALID_ARG_2);
  assert_failed(context, QMCKL_INVALID_ARG_2, "qmckl_free", "NULL");
  assert_int_equal(qmckl_get_malloc_info(context, NULL, &info), QMCKL_INVALID_ARG_2);
  assert_failed(context, QMCKL_INVALID_ARG_2, "qmckl_get_malloc_info", "Null pointer");
  assert_true(is_untouched(&info));
  assert_int_equal(qmckl_get_malloc_info(context, NULL, NULL), QMCKL_INVALID_ARG_2);
  assert_int_equal(qmckl_get_malloc_info(context, block, NULL), QMCKL_INVALID_ARG_3);
  assert_failed(context, QMCKL_INVALID_ARG_3, "qmckl_get_malloc_info", "Null pointer");
  assert_int_equal(qmckl_get_malloc_info(context, &on_the_stack, NULL), QMCKL_INVALID_ARG_3);
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static void a_refusal_says_why(void** state) {
  qmckl_context context, other;
  char *block, *of_other;
  int on_the_stack;
  (void)state;
  if (!is_ours()) skip_because("the layer is not one of ours");
  context = qmckl_context_create();
  other = qmckl_context_create();
  block = block_of(context, 100);
  of_other = block_of(other, 100);
  assert_int_equal(qmckl_free(context, block + 8), QMCKL_INVALID_ARG_2);
  assert_failed(context, QMCKL_INVALID_ARG_2, "qmckl_free", "inside");
  assert_int_equal(qmckl_free(context, of_other), QMCKL_INVALID_ARG_2);
  assert_failed(context, QMCKL_INVALID_ARG_2, "qmckl_free", "context");
  assert_int_equal(qmckl_free(context, &on_the_stack), QMCKL_INVALID_ARG_2);
  assert_failed(context, QMCKL_INVALID_ARG_2, "qmckl_free", "");
  assert_int_equal(qmckl_free(context, block), QMCKL_SUCCESS);
  assert_int_equal(qmckl_free(context, block), QMCKL_INVALID_ARG_2);
  assert_failed(context, QMCKL_INVALID_ARG_2, "qmckl_free", "was freed before");
  assert_failed(context, QMCKL_INVALID_ARG_2, "qmckl_free", "100 bytes");
  assert_int_equal(qmckl_context_destroy(other), QMCKL_SUCCESS);
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

/* Whoever asked for a block is named when it is freed twice, as in a report. */
static void assert_filed_under(qmckl_context context, void* block, const char* label) {
  assert_int_equal(qmckl_free(context, block), QMCKL_SUCCESS);
  assert_int_equal(qmckl_free(context, block), QMCKL_INVALID_ARG_2);
  assert_failed(context, QMCKL_INVALID_ARG_2, "qmckl_free", label);
}

static void a_block_is_filed_under_the_function_that_asked_for_it(void** state) {
  const double points[3] = {1, 2, 3};
  qmckl_context context;
  qmckl_context_struct* ctx;
  int i;
  (void)state;
  if (!is_interposed()) skip_because("malloc and free are not those of the layer here");
  context = qmckl_context_create();
  ctx = (qmckl_context_struct*)context;
  for (i = 0; i < 2; ++i) { /* the second time from the table */
    assert_filed_under(context, qmckl_imitation_malloc_unnamed(context, 10), "labelled \"libqmckl_imitation.so+0x");
    assert_int_equal(qmckl_set_points(context, points, 1), QMCKL_SUCCESS);
    assert_filed_under(context, ctx->points, "labelled \"qmckl_set_points\"");
    ctx->points = NULL;
  }
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static void a_context_that_was_destroyed_is_refused(void** state) {
  const qmckl_context context = qmckl_context_create();
  qmckl_memory_info_struct info = untouched;
  void* const block = block_of(context, 10);
  (void)state;
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
  assert_int_equal(qmckl_free(context, block), QMCKL_INVALID_CONTEXT);
  assert_int_equal(qmckl_free(context, NULL), QMCKL_INVALID_CONTEXT);
  assert_int_equal(qmckl_free(QMCKL_NULL_CONTEXT, block), QMCKL_INVALID_CONTEXT);
  assert_int_equal(qmckl_context_destroy(context), QMCKL_INVALID_CONTEXT);
  if (!is_ours()) return; /* its own layer ends the program */
  assert_null(block_of(context, 10));
  assert_null(block_of(QMCKL_NULL_CONTEXT, 10));
  assert_int_equal(qmckl_get_malloc_info(context, block, &info), QMCKL_INVALID_CONTEXT);
  assert_int_equal(qmckl_get_malloc_info(QMCKL_NULL_CONTEXT, block, &info), QMCKL_INVALID_CONTEXT);
  assert_true(is_untouched(&info));
}

static void a_context_at_the_address_of_another_starts_empty(void** state) {
  const qmckl_context context = qmckl_context_create();
  void* const block = block_of(context, 10);
  (void)state;
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
  assert_true(qmckl_context_create() == context);
  assert_unknown(context, block);
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static size_t resident_bytes(void) {
  unsigned long pages = 0, resident = 0;
  FILE* const statm = fopen("/proc/self/statm", "r");
  if (!statm) return 0;
  if (fscanf(statm, "%lu %lu", &pages, &resident) != 2) resident = 0;
  fclose(statm);
  return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static void what_is_left_is_freed_with_its_context(void** state) {
  const size_t size = 4 << 20, before = resident_bytes();
  int round, i;
  (void)state;
  for (round = 0; round < 40; ++round) {
    const qmckl_context context = qmckl_context_create();
    for (i = 0; i < 4; ++i) {
      char* const block = block_of(context, size);
      assert_non_null(block);
      memset(block, 1, size);
    }
    assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
  }
  /* A sanitizer keeps freed memory for a while, and looks for leaks itself. */
  if (!SANITIZED) assert_true(resident_bytes() < before + 20 * size);
}

static void more_contexts_than_a_table_begins_with_are_kept_apart(void** state) {
  enum { many = 300 };
  static qmckl_context contexts[many];
  static char* blocks[many];
  int i;
  (void)state;
  for (i = 0; i < many; ++i) {
    contexts[i] = qmckl_context_create();
    blocks[i] = block_of(contexts[i], 1 + (size_t)i);
  }
  for (i = 0; i < many; i += 3) assert_int_equal(qmckl_context_destroy(contexts[i]), QMCKL_SUCCESS);
  for (i = 0; i < many; ++i) {
    qmckl_memory_info_struct info = untouched;
    if (i % 3 == 0) continue;
    assert_int_equal(qmckl_get_malloc_info(contexts[i], blocks[i], &info), QMCKL_SUCCESS);
    assert_int_equal(info.size, 1 + i);
    assert_int_equal(qmckl_get_malloc_info(contexts[i], blocks[i - i % 3], &info), QMCKL_INVALID_ARG_2);
    assert_int_equal(qmckl_context_destroy(contexts[i]), QMCKL_SUCCESS);
  }
}

static void a_context_that_was_created_unseen_is_adopted(void** state) {
  const qmckl_context context = qmckl_imitation_create_unseen();
  qmckl_memory_info_struct info = untouched;
  char* const block = block_of(context, 10);
  (void)state;
  assert_non_null(block);
  assert_int_equal(qmckl_get_malloc_info(context, block, &info), QMCKL_SUCCESS);
  assert_int_equal(info.size, 10);
  assert_int_equal(qmckl_free(context, &info), QMCKL_INVALID_ARG_2);
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
  assert_int_equal(qmckl_free(context, block), QMCKL_INVALID_CONTEXT);
}

static void what_a_context_left_that_was_destroyed_unseen_is_not_inherited(void** state) {
  const qmckl_context context = qmckl_context_create();
  void* const block = block_of(context, 10);
  (void)state;
  assert_int_equal(qmckl_imitation_destroy_unseen(context), QMCKL_SUCCESS);
  assert_true(qmckl_context_create() == context);
  assert_unknown(context, block);
  assert_non_null(block_of(context, 10));
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static void a_context_that_was_destroyed_unseen_can_be_destroyed_again_in_vain(void** state) {
  const qmckl_context context = qmckl_context_create();
  void* const block = block_of(context, 10);
  (void)state;
  assert_int_equal(qmckl_imitation_destroy_unseen(context), QMCKL_SUCCESS);
  assert_int_equal(qmckl_context_destroy(context), QMCKL_INVALID_CONTEXT);
  assert_int_equal(qmckl_free(context, block), QMCKL_INVALID_CONTEXT);
}

static void what_a_library_allocates_while_it_creates_a_context_stays(void** state) {
  double orbitals[5];
  qmckl_context context;
  (void)state;
  qmckl_imitation_allocate_at_creation(1);
  context = qmckl_context_create();
  qmckl_imitation_allocate_at_creation(0);
  assert_int_equal(qmckl_get_orbitals(context, orbitals, 5), QMCKL_SUCCESS);
  assert_float_equal(orbitals[4], 4, 0);
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS); /* frees that block, or ends the program */
}

static void functions_of_the_library_keep_and_resize_their_buffers(void** state) {
  const qmckl_context context = qmckl_context_create();
  const double points[9] = {1, 0, 0, 2, 0, 0, 3, 0, 0};
  double on_the_stack[15];
  double* const block = block_of(context, 14 * sizeof(double));
  int64_t n;
  (void)state;
  for (n = 3; n > 0; --n) {
    assert_int_equal(qmckl_set_points(context, points, n), QMCKL_SUCCESS);
    assert_int_equal(qmckl_get_orbitals(context, on_the_stack, 15), QMCKL_SUCCESS);
    assert_float_equal(on_the_stack[5 * n - 1], (double)n + 4, 0);
    assert_int_equal(qmckl_get_orbitals(context, on_the_stack, 5 * n - 1), QMCKL_INVALID_ARG_3);
  }
  assert_int_equal(qmckl_set_points(context, points, 3), QMCKL_SUCCESS);
  assert_int_equal(qmckl_get_orbitals(context, block, 1000), QMCKL_INVALID_ARG_3); /* its size is known */
  assert_int_equal(qmckl_set_points(context, points, 2), QMCKL_SUCCESS);
  assert_int_equal(qmckl_get_orbitals(context, block, 1), QMCKL_SUCCESS);
  assert_float_equal(block[9], 6, 0);
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static qmckl_context shared;
static void* block_of_all;
static atomic_int stop;

static int uses_a_context_of_its_own(void) {
  const qmckl_context context = qmckl_context_create();
  qmckl_memory_info_struct info = untouched;
  char* const first = block_of(context, 24);
  char* const second = block_of(context, 100);
  if (!first || !second || first[23] || second[99]) return 0;
  memset(first, 1, 24);
  if (qmckl_get_malloc_info(context, first, &info) != QMCKL_SUCCESS || info.size != 24) return 0;
  if (qmckl_get_malloc_info(context, &info, &info) != QMCKL_INVALID_ARG_2) return 0;
  if (qmckl_free(context, first) != QMCKL_SUCCESS) return 0;
  if (qmckl_get_malloc_info(context, second, &info) != QMCKL_SUCCESS || info.size != 100) return 0;
  return qmckl_context_destroy(context) == QMCKL_SUCCESS;
}

static int uses_the_context_of_all(size_t size) {
  qmckl_memory_info_struct info = untouched;
  void* const block = block_of(shared, size);
  if (!block || qmckl_get_malloc_info(shared, block, &info) != QMCKL_SUCCESS || info.size != size) return 0;
  if (qmckl_get_malloc_info(shared, block_of_all, &info) != QMCKL_SUCCESS || info.size != 77) return 0;
  return qmckl_free(shared, block) == QMCKL_SUCCESS && qmckl_free(shared, &info) == QMCKL_INVALID_ARG_2;
}

static void* create_use_and_destroy(void* failures) {
  int i;
  for (i = 0; i < (SANITIZED ? 150 : 1000); ++i) {
    if (!uses_a_context_of_its_own()) ++*(int*)failures;
    if (!uses_the_context_of_all(1 + (size_t)i)) ++*(int*)failures;
  }
  return NULL;
}

static void threads_create_share_and_destroy_contexts(void** state) {
  enum { many = 6 };
  pthread_t threads[many];
  int failures[many] = {0}, i;
  (void)state;
  shared = qmckl_context_create();
  block_of_all = block_of(shared, 77);
  for (i = 0; i < many; ++i) {
    assert_int_equal(pthread_create(&threads[i], NULL, create_use_and_destroy, &failures[i]), 0);
  }
  for (i = 0; i < many; ++i) assert_int_equal(pthread_join(threads[i], NULL), 0);
  for (i = 0; i < many; ++i) assert_int_equal(failures[i], 0);
  assert_int_equal(qmckl_context_destroy(shared), QMCKL_SUCCESS);
}

/* Without the heap, whose locks a sanitizer does not bring over a fork. */
static void* ask_until_told_to_stop(void* unused) {
  qmckl_memory_info_struct info;
  while (!stop) qmckl_get_malloc_info(shared, block_of_all, &info);
  return unused;
}

static int child_that(int (*body)(void), void (*leave)(int)) {
  int status = -1;
  pid_t child;
  fflush(NULL);
  child = fork();
  if (child == 0) {
    alarm(20);
    leave(body());
  }
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int goes_on(void) { return uses_a_context_of_its_own() && uses_the_context_of_all(10) ? 0 : 1; }

static void a_child_process_goes_on_while_others_ask(void** state) {
  pthread_t threads[3];
  int worst = 0, i;
  (void)state;
  if (strcmp(layer(), "own") == 0) skip_because("the lock of this layer does not know of forks");
  shared = qmckl_context_create();
  block_of_all = block_of(shared, 77);
  stop = 0;
  for (i = 0; i < 3; ++i) assert_int_equal(pthread_create(&threads[i], NULL, ask_until_told_to_stop, NULL), 0);
  for (i = 0; i < 100 && worst == 0; ++i) worst = child_that(goes_on, _exit);
  stop = 1;
  for (i = 0; i < 3; ++i) assert_int_equal(pthread_join(threads[i], NULL), 0);
  assert_int_equal(worst, 0);
  assert_int_equal(qmckl_context_destroy(shared), QMCKL_SUCCESS);
}

static qmckl_context left;
static volatile qmckl_context left_alone; /* kept for those who look for leaks */
static void* block_left;

static void use_what_was_left(void) {
  if (left == QMCKL_NULL_CONTEXT) return;
  if (!block_of(left, 10)) _exit(2);
  if (qmckl_free(left, block_left) != QMCKL_SUCCESS) _exit(3);
  if (qmckl_context_destroy(left) != QMCKL_SUCCESS) _exit(4);
}

__attribute__((destructor)) static void the_last_of_all(void) { use_what_was_left(); }

static int leaves_contexts(void) {
  left = qmckl_context_create();
  block_left = block_of(left, 10);
  left_alone = qmckl_context_create();
  return block_of(left_alone, 10) ? 0 : 1;
}

static void a_process_may_end_with_contexts_and_use_them_to_the_last(void** state) {
  (void)state;
  assert_int_equal(child_that(leaves_contexts, exit), 0);
}

static void a_limit_of_the_environment_is_kept_and_told(void** state) {
  const qmckl_context context = qmckl_context_create();
  void* block;
  (void)state;
  assert_null(block_of(context, (1 << 20) + 1));
  assert_failed(context, QMCKL_ALLOCATION_FAILED, "qmckl_malloc", "limit");
  block = block_of(context, 1 << 20);
  assert_non_null(block);
  assert_null(block_of(context, 1));
  assert_int_equal(qmckl_free(context, block), QMCKL_SUCCESS);
  assert_non_null(block_of(context, 1));
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static void an_environment_that_makes_no_sense_is_named(void** state) {
  const qmckl_context context = qmckl_context_create();
  (void)state;
  assert_true(context != QMCKL_NULL_CONTEXT);
  assert_null(block_of(context, 1));
  assert_failed(context, QMCKL_FAILURE, "qmckl_malloc", "CADASTRE_LIMIT");
  assert_int_equal(qmckl_context_destroy(context), QMCKL_SUCCESS);
}

static int is_for(const char* variable, const char* value) {
  const char* const given = getenv(variable);
  return given && strcmp(given, value) == 0;
}

static int all_claims(void) {
  const struct CMUnitTest limited[] = {cmocka_unit_test(a_limit_of_the_environment_is_kept_and_told)};
  const struct CMUnitTest malformed[] = {cmocka_unit_test(an_environment_that_makes_no_sense_is_named)};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_layer_is_the_one_that_is_meant),
      cmocka_unit_test(blocks_are_zeroed_and_aligned_and_known_by_their_size),
      cmocka_unit_test(thousands_of_blocks_are_kept_apart),
      cmocka_unit_test(a_block_of_no_bytes_is_a_block),
      cmocka_unit_test(a_request_that_no_machine_can_hold_gives_null),
      cmocka_unit_test(what_is_no_block_is_refused_and_not_touched),
      cmocka_unit_test(null_is_refused_by_the_number_of_the_argument),
      cmocka_unit_test(a_refusal_says_why),
      cmocka_unit_test(a_block_is_filed_under_the_function_that_asked_for_it),
      cmocka_unit_test(a_context_that_was_destroyed_is_refused),
      cmocka_unit_test(a_context_at_the_address_of_another_starts_empty),
      cmocka_unit_test(what_is_left_is_freed_with_its_context),
      cmocka_unit_test(more_contexts_than_a_table_begins_with_are_kept_apart),
      cmocka_unit_test(a_context_that_was_created_unseen_is_adopted),
      cmocka_unit_test(what_a_context_left_that_was_destroyed_unseen_is_not_inherited),
      cmocka_unit_test(a_context_that_was_destroyed_unseen_can_be_destroyed_again_in_vain),
      cmocka_unit_test(what_a_library_allocates_while_it_creates_a_context_stays),
      cmocka_unit_test(functions_of_the_library_keep_and_resize_their_buffers),
      cmocka_unit_test(threads_create_share_and_destroy_contexts),
      cmocka_unit_test(a_child_process_goes_on_while_others_ask),
      cmocka_unit_test(a_process_may_end_with_contexts_and_use_them_to_the_last),
  };
  if (is_for("CADASTRE_LIMIT", "HOST=1M")) return cmocka_run_group_tests_name("limited", limited, NULL, NULL);
  if (is_for("CADASTRE_LIMIT", "HOST=none")) return cmocka_run_group_tests_name("malformed", malformed, NULL, NULL);
  return cmocka_run_group_tests_name("QMCkl's memory", tests, NULL, NULL);
}

#ifdef QMCKL_CLAIMS_OF_AN_EXTENSION
__attribute__((visibility("default"))) int qmckl_claims(void);
int qmckl_claims(void) { return all_claims(); }
#else
int main(void) { return all_claims(); }
#endif
