/* Tangled from org/tests/qmckl_gpu_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* dladdr */
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
#include <sys/wait.h>

#include "cadastre.h"
#include "qmckl_gpu_imitation.h"

#define ELEMENTS 1000

#ifndef ANSWERED_BY
#define ANSWERED_BY "libqmckl_gpu_imitation.so"
#endif

static const char* backend;     /* fallback, emulated, cuda, openmp; absent */
static const char* answered_by; /* part of the file name of the object that answers */
static int own;                 /* the library's own memory layer */
static int apart;               /* device memory is DEVICE memory */

static void prepare(const char* word) {
  backend = word;
  answered_by = getenv("QMCKL_GPU_ANSWERED_BY");
  if (!answered_by) answered_by = ANSWERED_BY;
  own = strstr(answered_by, "libqmckl_gpu_imitation.") != NULL;
  apart = !own && strcmp(backend, "fallback") != 0;
  const int absent = strcmp(word, "absent") == 0, cuda = absent || strcmp(word, "cuda") == 0;
  setenv("CADASTRE_BACKEND", cuda ? "cuda" : strcmp(word, "openmp") == 0 ? word : "host", 1);
  if (absent) setenv("CADASTRE_CUDA_LIBRARY", "/no/such/folder/libcudart.so", 1);
  setenv("CADASTRE_EMULATED_DEVICES", strcmp(word, "emulated") == 0 ? "1" : "0", 1);
  setenv("CUDA_DOUBLE_DEVICES", "2", 1);
}

static int is(const char* word) { return strcmp(backend, word) == 0; }

static void only_where(int holds) {
  if (!holds) skip_because("the layer is another one");
}

static void* runtime(void) {
  static void* handle;
  static const char* const installed[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", "/usr/local/cuda/lib64/libcudart.so"};
  if (handle) return handle;
  const char* const named = getenv(is("cuda") ? "CADASTRE_CUDA_LIBRARY" : "CADASTRE_OPENMP_MODULE");
  if (named && *named) handle = dlopen(named, RTLD_NOW);
  for (size_t i = 0; !handle && is("cuda") && !(named && *named) && i < sizeof installed / sizeof *installed; ++i) {
    handle = dlopen(installed[i], RTLD_NOW);
  }
  if (!handle) fail_msg("%s", dlerror());
  return handle;
}

/* For claims that count what is alive, or let calls fail, as only the double of CUDA can. */
static int on_the_double(void) { return is("cuda") && dlsym(runtime(), "cuda_double_count") != NULL; }

/* POSIX lets dlsym's answer be used as a function; C does not let it be cast. */
static void find(const char* name, void* function) {
  *(void**)function = dlsym(runtime(), name);
  if (!*(void**)function) fail_msg("the runtime has no %s", name);
}

static void* own_device_memory(size_t size) {
  void* pointer = NULL;
  if (is("cuda")) {
    int (*allocate)(void**, size_t);
    find("cudaMalloc", &allocate);
    assert_int_equal(allocate(&pointer, size), 0);
  } else if (is("openmp")) {
    void* (*allocate)(size_t, int);
    find("omp_target_alloc", &allocate);
    pointer = allocate(size, 0);
  } else {
    pointer = malloc(size);
  }
  assert_non_null(pointer);
  return pointer;
}

static void free_own_device_memory(void* pointer) {
  if (is("cuda")) {
    int (*release)(void*);
    find("cudaFree", &release);
    assert_int_equal(release(pointer), 0);
  } else if (is("openmp")) {
    void (*release)(void*, int);
    find("omp_target_free", &release);
    release(pointer, 0);
  } else {
    free(pointer);
  }
}

/* As in the header of the double of the CUDA runtime, which only its own tests include. */
struct census {
  size_t blocks, bytes, streams, events, pools, graphs;
};

static size_t device_blocks(void) {
  struct census now;
  void (*count)(struct census*);
  find("cuda_double_count", &count);
  count(&now);
  return now.blocks;
}

/* The registry that holds a block, and what it says of it. */
static cadastre_context registry_of(const void* block, cadastre_memory_info_struct* info) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_memory_info_struct unknown;
  const cadastre_context stranger = cadastre_context_create();
  assert_true(stranger != CADASTRE_NULL_CONTEXT);
  assert_int_equal(cadastre_get_malloc_info(stranger, block, &unknown), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_last_error(stranger, &error), CADASTRE_SUCCESS);
  assert_true(error.owner != CADASTRE_NULL_CONTEXT);
  assert_int_equal(cadastre_get_malloc_info(error.owner, block, info), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(stranger), CADASTRE_SUCCESS);
  return error.owner;
}

static qmckl_context_device create(void) {
  const qmckl_context_device context = qmckl_context_create_device(0);
  assert_true(context != QMCKL_NULL_CONTEXT_DEVICE);
  return context;
}

static void destroy(qmckl_context_device context) { assert_int_equal(qmckl_context_destroy_device(context), QMCKL_SUCCESS_DEVICE); }

static void* host_block(qmckl_context_device context, size_t size) {
  const qmckl_memory_info_struct_device info = {size, NULL};
  void* const pointer = qmckl_malloc_host(context, info);
  assert_non_null(pointer);
  return pointer;
}

static void* device_block(qmckl_context_device context, size_t size) {
  void* const pointer = qmckl_malloc_device(context, size);
  assert_non_null(pointer);
  return pointer;
}

/* What was last told of the context. */
static void assert_told(qmckl_context_device context, qmckl_exit_code_device code, const char* function, const char* part) {
  qmckl_exit_code_device told_code;
  const char* told_function;
  const char* const message = imitation_gpu_failure(context, &told_code, &told_function);
  assert_int_equal(told_code, code);
  assert_string_equal(told_function, function);
  if (!strstr(message, part)) fail_msg("\"%s\" does not say \"%s\"", message, part);
}

static void fill(double* numbers, int count) {
  for (int i = 0; i < count; ++i) numbers[i] = i + 0.5;
}

static int all_are(const void* bytes, unsigned char value, size_t size) {
  const unsigned char* const byte = bytes;
  for (size_t i = 0; i < size; ++i) {
    if (byte[i] != value) return 0;
  }
  return 1;
}

static void to_device(qmckl_context_device context, void* dest, void* src, size_t size) {
  assert_int_equal(qmckl_memcpy_H2D(context, dest, src, size), QMCKL_SUCCESS_DEVICE);
}

static void to_host(qmckl_context_device context, void* dest, void* src, size_t size) {
  assert_int_equal(qmckl_memcpy_D2H(context, dest, src, size), QMCKL_SUCCESS_DEVICE);
}

static void assert_answered(void* function) {
  Dl_info info;
  assert_int_not_equal(dladdr(function, &info), 0);
  if (!strstr(info.dli_fname, answered_by)) fail_msg("%s answers instead of %s", info.dli_fname, answered_by);
}

static void the_expected_object_answers(void** state) {
  (void)state;
  static const char* const names[] = {"qmckl_malloc_host",
                                      "qmckl_malloc_device",
                                      "qmckl_free_host",
                                      "qmckl_free_device",
                                      "qmckl_memcpy_H2D",
                                      "qmckl_memcpy_D2H",
                                      "qmckl_memcpy_D2D",
                                      "qmckl_memcpy_H2D_double",
                                      "qmckl_memcpy_H2D_int64",
                                      "qmckl_memcpy_H2D_int32",
                                      "qmckl_memcpy_D2H_double",
                                      "qmckl_memcpy_D2H_int64",
                                      "qmckl_memcpy_D2H_int32",
                                      "qmckl_get_malloc_info_host",
                                      "qmckl_context_create_device",
                                      "qmckl_context_destroy_device"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) assert_answered(dlsym(RTLD_DEFAULT, names[i]));
  const int64_t before = imitation_gpu_own_blocks();
  const qmckl_context_device context = create();
  host_block(context, 8);
  device_block(context, 8);
  destroy(context);
  assert_int_equal(imitation_gpu_own_blocks() - before, own ? 2 : 0);
}

static void memory_is_zeroed_on_both_sides(void** state) {
  (void)state;
  only_where(!own);
  const qmckl_context_device context = create();
  unsigned char* const dirt = malloc(10000);
  for (size_t size = 1; size <= 10000; size *= 10) {
    for (int round = 0; round < 3; ++round) {
      unsigned char* const here = host_block(context, size);
      unsigned char* const there = device_block(context, size);
      memset(dirt, 0xff, size);
      assert_true(all_are(here, 0, size));
      to_host(context, dirt, there, size);
      assert_true(all_are(dirt, 0, size));
      memset(here, 0xff, size);
      to_device(context, there, here, size);
      assert_int_equal(qmckl_free_host(context, here), QMCKL_SUCCESS_DEVICE);
      assert_int_equal(qmckl_free_device(context, there), QMCKL_SUCCESS_DEVICE);
    }
  }
  free(dirt);
  destroy(context);
}

static void blocks_are_of_the_kind_that_was_asked_for(void** state) {
  (void)state;
  only_where(!own);
  const qmckl_context_device context = create();
  cadastre_memory_info_struct here, there;
  void* const host = host_block(context, 100);
  void* const device = device_block(context, 200);
  assert_int_equal(registry_of(host, &here), registry_of(device, &there));
  assert_int_equal(here.type, CADASTRE_HOST);
  assert_int_equal(here.size, 100);
  assert_int_equal((uintptr_t)host % 64, 0);
  assert_int_equal(there.type, apart ? CADASTRE_DEVICE : CADASTRE_HOST);
  assert_int_equal(there.size, 200);
  const cadastre_backend expected = is("cuda") ? CADASTRE_BACKEND_CUDA : is("openmp") ? CADASTRE_BACKEND_OPENMP : CADASTRE_BACKEND_HOST;
  assert_int_equal(there.backend, expected);
  destroy(context);
}

static void blocks_of_no_bytes_are_blocks(void** state) {
  (void)state;
  only_where(!own);
  const qmckl_context_device context = create();
  void* const a = host_block(context, 0);
  void* const b = host_block(context, 0);
  void* const c = device_block(context, 0);
  assert_ptr_not_equal(a, b);
  assert_int_equal(qmckl_free_host(context, a), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_free_device(context, c), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_free_host(context, b), QMCKL_SUCCESS_DEVICE);
  destroy(context);
}

static void what_no_machine_can_hold_is_refused(void** state) {
  (void)state;
  only_where(!own);
  const qmckl_context_device context = create();
  const qmckl_memory_info_struct_device info = {(size_t)-8, NULL};
  assert_null(qmckl_malloc_host(context, info));
  assert_told(context, QMCKL_ALLOCATION_FAILED_DEVICE, "qmckl_malloc_host", "exceed the largest possible allocation");
  assert_null(qmckl_malloc_device(context, (size_t)-8));
  assert_told(context, QMCKL_ALLOCATION_FAILED_DEVICE, "qmckl_malloc_device", "exceed the largest possible allocation");
  destroy(context);
}

static void a_free_refuses_what_is_no_block(void** state) {
  (void)state;
  const qmckl_context_device context = create();
  int on_the_stack = 0;
  char* const here = host_block(context, 64);
  char* const there = device_block(context, 64);
  assert_int_equal(qmckl_free_host(context, NULL), QMCKL_INVALID_ARG_2_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_free_host", "NULL");
  assert_int_equal(qmckl_free_device(context, NULL), QMCKL_INVALID_ARG_2_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_free_device", "NULL");
  assert_int_equal(qmckl_free_host(context, &on_the_stack), QMCKL_INVALID_ARG_2_DEVICE);
  assert_int_equal(qmckl_free_device(context, &on_the_stack), QMCKL_INVALID_ARG_2_DEVICE);
  assert_int_equal(qmckl_free_host(context, here + 8), QMCKL_INVALID_ARG_2_DEVICE);
  assert_int_equal(qmckl_free_device(context, there + 8), QMCKL_INVALID_ARG_2_DEVICE);
  if (!own) assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_free_device", "8 bytes inside the block");
  assert_int_equal(qmckl_free_host(context, here), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_free_device(context, there), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_free_host(context, here), QMCKL_INVALID_ARG_2_DEVICE);
  assert_int_equal(qmckl_free_device(context, there), QMCKL_INVALID_ARG_2_DEVICE);
  if (!own) assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_free_device", "was freed before");
  destroy(context);
}

static void a_free_refuses_a_block_of_the_other_kind(void** state) {
  (void)state;
  only_where(apart);
  const qmckl_context_device context = create();
  char* const here = host_block(context, 64);
  char* const there = device_block(context, 64);
  cadastre_memory_info_struct info;
  assert_int_equal(qmckl_free_host(context, there), QMCKL_INVALID_ARG_2_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_free_host", "free it with qmckl_free_device");
  assert_int_equal(qmckl_free_device(context, here), QMCKL_INVALID_ARG_2_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_free_device", "free it with qmckl_free_host");
  registry_of(here, &info);
  registry_of(there, &info);
  to_device(context, there, here, 64);
  assert_int_equal(qmckl_free_host(context, here), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_free_device(context, there), QMCKL_SUCCESS_DEVICE);
  destroy(context);
}

static void the_size_of_a_block_of_host_memory_is_known(void** state) {
  (void)state;
  const qmckl_context_device context = create();
  char* const here = host_block(context, 77);
  qmckl_memory_info_struct_device info = {5, &info};
  assert_int_equal(qmckl_get_malloc_info_host(context, &info, &info), QMCKL_INVALID_ARG_2_DEVICE);
  assert_int_equal(qmckl_get_malloc_info_host(context, here + 1, &info), QMCKL_INVALID_ARG_2_DEVICE);
  assert_int_equal(qmckl_get_malloc_info_host(context, NULL, &info), QMCKL_INVALID_ARG_2_DEVICE);
  if (!own) assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_get_malloc_info_host", "Null pointer");
  assert_int_equal(qmckl_get_malloc_info_host(context, here, NULL), QMCKL_INVALID_ARG_3_DEVICE);
  assert_int_equal(info.size, 5);
  assert_ptr_equal(info.pointer, &info);
  if (apart) {
    assert_int_equal(qmckl_get_malloc_info_host(context, device_block(context, 8), &info), QMCKL_INVALID_ARG_2_DEVICE);
  }
  assert_int_equal(qmckl_get_malloc_info_host(context, here, &info), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(info.size, 77);
  assert_ptr_equal(info.pointer, here);
  destroy(context);
}

static cadastre_exit_code count_label(const cadastre_memory_info_struct* info, void* found) {
  *(int*)found += info->label && strcmp(info->label, "qmckl_set_numbers_device") == 0;
  return CADASTRE_SUCCESS;
}

static void callers_are_the_labels(void** state) {
  (void)state;
  only_where(strstr(answered_by, "libcadastre_qmckl") != NULL);
  const qmckl_context_device context = create();
  cadastre_memory_info_struct info;
  double number = 1;
  int found = 0;
  assert_int_equal(qmckl_set_numbers_device(context, &number, 1), QMCKL_SUCCESS_DEVICE);
  const cadastre_context registry = registry_of(host_block(context, 8), &info);
  assert_non_null(strstr(info.label, "test_qmckl_gpu"));
  assert_int_equal(cadastre_foreach_block(registry, count_label, &found), CADASTRE_SUCCESS);
  assert_int_equal(found, 1);
  destroy(context);
}

static void bytes_come_back(void** state) {
  (void)state;
  const qmckl_context_device context = create();
  double numbers[ELEMENTS], found[ELEMENTS];
  double* const first = device_block(context, sizeof numbers);
  double* const second = device_block(context, sizeof numbers);
  double* const here = host_block(context, sizeof numbers);
  fill(numbers, ELEMENTS);
  to_device(context, first, numbers, sizeof numbers);
  assert_int_equal(qmckl_memcpy_D2D(context, second, first, sizeof numbers), QMCKL_SUCCESS_DEVICE);
  to_host(context, found, second, sizeof found);
  assert_memory_equal(found, numbers, sizeof numbers);
  to_device(context, first + 10, numbers, 5 * sizeof *numbers);
  to_host(context, here + 1, first + 9, 7 * sizeof *numbers);
  assert_true(here[1] == 9.5 && here[2] == 0.5 && here[6] == 4.5 && here[7] == 15.5);
  destroy(context);
}

static void typed_copies_move_whole_elements(void** state) {
  (void)state;
  const qmckl_context_device context = create();
  double reals[8], reals_found[8] = {0};
  int64_t longs[8], longs_found[8] = {0};
  int32_t ints[8], ints_found[8] = {0};
  for (int i = 0; i < 8; ++i) {
    reals[i] = i + 1;
    longs[i] = (int64_t)(i + 1) << 33;
    ints[i] = (i + 1) << 17;
  }
  double* const reals_there = device_block(context, sizeof reals);
  int64_t* const longs_there = device_block(context, sizeof longs);
  int32_t* const ints_there = device_block(context, sizeof ints);
  assert_int_equal(qmckl_memcpy_H2D_double(context, reals_there, reals, 8), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_memcpy_H2D_int64(context, longs_there, longs, 8), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_memcpy_H2D_int32(context, ints_there, ints, 8), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_memcpy_D2H_double(context, reals_found, reals_there, 7), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_memcpy_D2H_int64(context, longs_found, longs_there, 7), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_memcpy_D2H_int32(context, ints_found, ints_there, 7), QMCKL_SUCCESS_DEVICE);
  assert_memory_equal(reals_found, reals, 7 * sizeof *reals);
  assert_memory_equal(longs_found, longs, 7 * sizeof *longs);
  assert_memory_equal(ints_found, ints, 7 * sizeof *ints);
  assert_true(reals_found[7] == 0 && longs_found[7] == 0 && ints_found[7] == 0);
  to_host(context, ints_found, ints_there, sizeof ints);
  assert_memory_equal(ints_found, ints, sizeof ints);
  destroy(context);
}

static void the_library_works_with_what_it_gets(void** state) {
  (void)state;
  const qmckl_context_device context = create();
  double numbers[ELEMENTS], sum = 0;
  fill(numbers, ELEMENTS);
  for (int64_t count = 1; count <= ELEMENTS; count *= 10) {
    assert_int_equal(qmckl_set_numbers_device(context, numbers, count), QMCKL_SUCCESS_DEVICE);
    assert_int_equal(qmckl_get_numbers_sum_device(context, &sum), QMCKL_SUCCESS_DEVICE);
    assert_true(sum == (double)(count * count) / 2);
  }
  destroy(context);
}

static void a_copy_of_nothing_succeeds(void** state) {
  (void)state;
  only_where(!own);
  const qmckl_context_device context = create();
  char here = 1;
  assert_int_equal(qmckl_memcpy_H2D(context, NULL, &here, 0), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_memcpy_D2H(context, &here, &here, 0), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_memcpy_D2D(context, NULL, NULL, 0), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_memcpy_D2D(context, host_block(context, 1), &here, 0), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_memcpy_H2D_int32(context, NULL, NULL, 0), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(here, 1);
  destroy(context);
}

static void null_is_refused_by_the_number_of_its_argument(void** state) {
  (void)state;
  const qmckl_context_device context = create();
  char here[8] = {0};
  char* const there = device_block(context, sizeof here);
  assert_int_equal(qmckl_memcpy_H2D(context, NULL, here, 8), QMCKL_INVALID_ARG_2_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_memcpy_H2D", "NULL");
  assert_int_equal(qmckl_memcpy_H2D(context, there, NULL, 8), QMCKL_INVALID_ARG_3_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_3_DEVICE, "qmckl_memcpy_H2D", "NULL");
  assert_int_equal(qmckl_memcpy_D2H(context, NULL, there, 8), QMCKL_INVALID_ARG_2_DEVICE);
  assert_int_equal(qmckl_memcpy_D2H(context, here, NULL, 8), QMCKL_INVALID_ARG_3_DEVICE);
  assert_int_equal(qmckl_memcpy_D2D(context, NULL, there, 8), QMCKL_INVALID_ARG_2_DEVICE);
  assert_int_equal(qmckl_memcpy_D2D(context, there, NULL, 8), QMCKL_INVALID_ARG_3_DEVICE);
  assert_int_equal(qmckl_memcpy_D2H_double(context, NULL, (double*)there, 1), QMCKL_INVALID_ARG_2_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_memcpy_D2H_double", "NULL");
  destroy(context);
}

static void counts_that_are_no_counts_are_refused(void** state) {
  (void)state;
  only_where(!own);
  const qmckl_context_device context = create();
  double here = 7;
  double* const there = device_block(context, sizeof here);
  assert_int_equal(qmckl_memcpy_H2D_double(context, there, &here, -1), QMCKL_INVALID_ARG_4_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_4_DEVICE, "qmckl_memcpy_H2D_double", "-1 elements of 8 bytes cannot be copied");
  /* Times 8, these are 8 and 0 in 64 bits. */
  assert_int_equal(qmckl_memcpy_H2D_double(context, there, &here, (INT64_C(1) << 61) + 1), QMCKL_INVALID_ARG_4_DEVICE);
  assert_int_equal(qmckl_memcpy_D2H_double(context, &here, there, INT64_C(1) << 61), QMCKL_INVALID_ARG_4_DEVICE);
  assert_int_equal(qmckl_memcpy_D2H_int64(context, (int64_t*)&here, (int64_t*)there, INT64_MIN), QMCKL_INVALID_ARG_4_DEVICE);
  assert_int_equal(qmckl_memcpy_H2D_int32(context, (int32_t*)there, (int32_t*)&here, -2), QMCKL_INVALID_ARG_4_DEVICE);
  assert_true(here == 7);
  to_host(context, &here, there, sizeof here);
  assert_true(here == 0);
  destroy(context);
}

static void a_copy_that_leaves_its_block_moves_nothing(void** state) {
  (void)state;
  only_where(!own);
  const qmckl_context_device context = create();
  char here[200], *const there = device_block(context, 100);
  memset(here, 1, sizeof here);
  assert_int_equal(qmckl_memcpy_H2D(context, there, here, 101), QMCKL_OUT_OF_BOUNDS_DEVICE);
  assert_told(context, QMCKL_OUT_OF_BOUNDS_DEVICE, "qmckl_memcpy_H2D", "extend past the end of the block");
  assert_int_equal(qmckl_memcpy_H2D(context, there + 60, here, 41), QMCKL_OUT_OF_BOUNDS_DEVICE);
  assert_int_equal(qmckl_memcpy_D2H(context, here, there + 60, 41), QMCKL_OUT_OF_BOUNDS_DEVICE);
  assert_int_equal(qmckl_memcpy_D2D(context, there, there + 60, 41), QMCKL_OUT_OF_BOUNDS_DEVICE);
  assert_int_equal(qmckl_memcpy_H2D(context, there, host_block(context, 8), 9), QMCKL_OUT_OF_BOUNDS_DEVICE);
  assert_true(all_are(here, 1, sizeof here));
  to_host(context, here, there, 100);
  assert_true(all_are(here, 0, 100));
  destroy(context);
}

static void a_copy_in_the_wrong_direction_moves_nothing(void** state) {
  (void)state;
  only_where(apart);
  const qmckl_context_device context = create();
  char* const here = host_block(context, 8);
  char* const there = device_block(context, 8);
  char on_the_stack[8];
  memset(here, 1, 8);
  memset(on_the_stack, 1, 8);
  assert_int_equal(qmckl_memcpy_H2D(context, here, there, 8), QMCKL_INVALID_ARG_2_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_memcpy_H2D", "call qmckl_memcpy_D2H");
  assert_int_equal(qmckl_memcpy_H2D(context, here, on_the_stack, 8), QMCKL_INVALID_ARG_2_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_memcpy_H2D", "; call memcpy");
  assert_int_equal(qmckl_memcpy_H2D(context, device_block(context, 8), there, 8), QMCKL_INVALID_ARG_3_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_3_DEVICE, "qmckl_memcpy_H2D", "call qmckl_memcpy_D2D");
  assert_int_equal(qmckl_memcpy_D2H(context, there, here, 8), QMCKL_INVALID_ARG_2_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_memcpy_D2H", "call qmckl_memcpy_H2D");
  assert_int_equal(qmckl_memcpy_D2H(context, on_the_stack, here, 8), QMCKL_INVALID_ARG_3_DEVICE);
  assert_int_equal(qmckl_memcpy_D2D(context, there, here, 8), QMCKL_INVALID_ARG_3_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_3_DEVICE, "qmckl_memcpy_D2D", "call qmckl_memcpy_H2D");
  assert_int_equal(qmckl_memcpy_D2D(context, here, there, 8), QMCKL_INVALID_ARG_2_DEVICE);
  assert_true(all_are(here, 1, 8) && all_are(on_the_stack, 1, 8));
  to_host(context, here, there, 8);
  assert_true(all_are(here, 0, 8));
  destroy(context);
}

static void device_memory_of_the_program_is_copied(void** state) {
  (void)state;
  only_where(!own);
  const qmckl_context_device context = create();
  double numbers[ELEMENTS], found[ELEMENTS] = {0};
  double* const theirs = own_device_memory(sizeof numbers);
  double* const more = own_device_memory(sizeof numbers);
  double* const ours = device_block(context, sizeof numbers);
  fill(numbers, ELEMENTS);
  for (int round = 0; round < 2; ++round) {
    to_device(context, theirs, numbers, sizeof numbers);
    assert_int_equal(qmckl_memcpy_D2D(context, more, theirs, sizeof numbers), QMCKL_SUCCESS_DEVICE);
    assert_int_equal(qmckl_memcpy_D2D(context, ours, more, sizeof numbers), QMCKL_SUCCESS_DEVICE);
    assert_int_equal(qmckl_memcpy_D2D(context, theirs + 1, ours, 8), QMCKL_SUCCESS_DEVICE);
    assert_int_equal(qmckl_memcpy_D2D(context, theirs + 2, theirs, 16), QMCKL_SUCCESS_DEVICE);
    to_host(context, found, theirs, sizeof found);
    assert_true(found[1] == 0.5 && found[2] == 0.5 && found[3] == 0.5 && found[4] == 4.5);
    to_host(context, found, more, sizeof found);
    assert_memory_equal(found, numbers, sizeof numbers);
  }
  if (apart) assert_int_equal(qmckl_memcpy_D2D(context, theirs, theirs + 1, 16), QMCKL_INVALID_ARG_2_DEVICE);
  assert_int_equal(qmckl_free_device(context, theirs), QMCKL_INVALID_ARG_2_DEVICE);
  free_own_device_memory(theirs);
  free_own_device_memory(more);
  destroy(context);
}

static void managed_memory_is_either_side(void** state) {
  (void)state;
  only_where(!own && is("cuda"));
  const qmckl_context_device context = create();
  int (*allocate)(void**, size_t, unsigned);
  void* managed = NULL;
  find("cudaMallocManaged", &allocate);
  assert_int_equal(allocate(&managed, 64, 1), 0);
  memset(managed, 3, 64);
  char found[64] = {0};
  char* const there = device_block(context, 64);
  to_device(context, there, managed, 64);
  to_host(context, found, there, 64);
  assert_true(all_are(found, 3, 64));
  to_host(context, found, managed, 64);
  memset(found, 4, 64);
  to_device(context, managed, found, 64);
  assert_int_equal(qmckl_memcpy_D2D(context, there, managed, 64), QMCKL_SUCCESS_DEVICE);
  to_host(context, managed, there, 63);
  assert_true(all_are(managed, 4, 64));
  free_own_device_memory(managed);
  void* const device = own_device_memory(64);
  assert_int_equal(qmckl_memcpy_H2D(context, there, device, 64), QMCKL_INVALID_ARG_3_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_3_DEVICE, "qmckl_memcpy_H2D", "call qmckl_memcpy_D2D");
  free_own_device_memory(device);
  destroy(context);
}

static void blocks_of_another_context_are_copied_within_their_bounds(void** state) {
  (void)state;
  only_where(!own);
  const qmckl_context_device context = create(), other = create();
  char found[101] = {0};
  char* const theirs = device_block(other, 100);
  char* const their_host = host_block(other, 100);
  memset(their_host, 5, 100);
  to_device(context, theirs, their_host, 100);
  to_host(context, found, theirs + 50, 50);
  assert_true(all_are(found, 5, 50) && all_are(found + 50, 0, 51));
  if (apart) {
    assert_int_equal(qmckl_memcpy_D2H(context, found, theirs, 101), QMCKL_OUT_OF_BOUNDS_DEVICE);
    assert_told(context, QMCKL_OUT_OF_BOUNDS_DEVICE, "qmckl_memcpy_D2H", "another context");
    assert_int_equal(qmckl_memcpy_D2H(context, found, their_host, 100), QMCKL_INVALID_ARG_3_DEVICE);
    assert_int_equal(qmckl_memcpy_D2H(context, theirs, device_block(context, 8), 8), QMCKL_INVALID_ARG_2_DEVICE);
    assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_memcpy_D2H", "call qmckl_memcpy_D2D");
  }
  assert_int_equal(qmckl_free_device(context, theirs), QMCKL_INVALID_ARG_2_DEVICE);
  assert_told(context, QMCKL_INVALID_ARG_2_DEVICE, "qmckl_free_device", "belongs to context");
  destroy(context);
  destroy(other);
}

static void an_invalid_context_is_told(void** state) {
  (void)state;
  static const char no_context[4096];
  const qmckl_context_device invalid[] = {QMCKL_NULL_CONTEXT_DEVICE, (qmckl_context_device)(uintptr_t)no_context};
  const qmckl_memory_info_struct_device info = {8, NULL};
  for (size_t i = 0; i < 2; ++i) {
    qmckl_memory_info_struct_device found;
    double x = 0, y = 0;
    assert_null(qmckl_malloc_host(invalid[i], info));
    assert_null(qmckl_malloc_device(invalid[i], 8));
    assert_int_equal(qmckl_free_host(invalid[i], &x), QMCKL_INVALID_CONTEXT_DEVICE);
    assert_int_equal(qmckl_free_device(invalid[i], &x), QMCKL_INVALID_CONTEXT_DEVICE);
    assert_int_equal(qmckl_get_malloc_info_host(invalid[i], &x, &found), QMCKL_INVALID_CONTEXT_DEVICE);
    assert_int_equal(qmckl_memcpy_H2D(invalid[i], &x, &y, 8), QMCKL_INVALID_CONTEXT_DEVICE);
    assert_int_equal(qmckl_memcpy_D2H_double(invalid[i], &x, &y, 1), QMCKL_INVALID_CONTEXT_DEVICE);
    assert_int_equal(qmckl_context_destroy_device(invalid[i]), QMCKL_INVALID_CONTEXT_DEVICE);
  }
}

static int32_t device_of(qmckl_context_device context) {
  cadastre_memory_info_struct info;
  registry_of(device_block(context, 8), &info);
  return info.device_id;
}

static void the_device_of_a_context_is_that_it_was_created_for(void** state) {
  (void)state;
  only_where(is("cuda") || is("openmp"));
  only_where(!own);
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  assert_int_equal(cadastre_backend_get_info(is("cuda") ? CADASTRE_BACKEND_CUDA : CADASTRE_BACKEND_OPENMP, &info), CADASTRE_SUCCESS);
  for (int32_t device = 0; device < 2 && device < info.device_count; ++device) {
    const qmckl_context_device context = qmckl_context_create_device(device);
    char bytes[8] = "devices", found[8] = "";
    char* const there = device_block(context, 8);
    assert_int_equal(device_of(context), device);
    to_device(context, there, bytes, 8);
    to_host(context, found, there, 8);
    assert_string_equal(found, bytes);
    destroy(context);
  }
  static const int absent[] = {99, -1, -2, -99};
  for (size_t i = 0; i < sizeof absent / sizeof *absent; ++i) {
    const qmckl_context_device context = qmckl_context_create_device(absent[i]);
    assert_int_equal(device_of(context), 0);
    destroy(context);
  }
}

static void a_context_that_was_created_unseen_is_adopted(void** state) {
  (void)state;
  const qmckl_context_device context = imitation_gpu_create_unseen(0);
  char bytes[8] = "unseen", found[8] = "";
  char* const there = device_block(context, 8);
  to_device(context, there, bytes, 8);
  to_host(context, found, there, 8);
  assert_string_equal(found, bytes);
  assert_int_equal(qmckl_free_device(context, there), QMCKL_SUCCESS_DEVICE);
  host_block(context, 100);
  destroy(context);
}

static void a_backend_that_is_absent_is_told(void** state) {
  (void)state;
  const qmckl_memory_info_struct_device info = {8, NULL};
  const qmckl_context_device context = create();
  char bytes[8];
  assert_null(qmckl_malloc_device(context, 8));
  assert_told(context, QMCKL_FAILURE_DEVICE, "qmckl_malloc_device", "the cuda backend is unavailable");
  assert_null(qmckl_malloc_host(context, info));
  assert_int_equal(qmckl_free_device(context, bytes), QMCKL_FAILURE_DEVICE);
  assert_int_equal(qmckl_memcpy_H2D(context, bytes, bytes, 8), QMCKL_FAILURE_DEVICE);
  destroy(context);
}

static void destroying_frees_both_kinds(void** state) {
  (void)state;
  only_where(!own);
  const qmckl_context_device context = create();
  cadastre_memory_info_struct info;
  double number = 1;
  const size_t before = on_the_double() ? device_blocks() : 0;
  for (int i = 0; i < 50; ++i) {
    host_block(context, 1000);
    device_block(context, 1000);
  }
  assert_int_equal(qmckl_set_numbers_device(context, &number, 1), QMCKL_SUCCESS_DEVICE);
  const cadastre_context registry = registry_of(host_block(context, 1), &info);
  assert_true(cadastre_context_check(registry) != CADASTRE_NULL_CONTEXT);
  if (on_the_double()) assert_int_equal(device_blocks(), before + 51);
  destroy(context);
  assert_true(cadastre_context_check(registry) == CADASTRE_NULL_CONTEXT);
  if (on_the_double()) assert_int_equal(device_blocks(), before);
}

static void contexts_at_the_same_address_have_nothing_in_common(void** state) {
  (void)state;
  char* last = NULL;
  for (int round = 0; round < 100; ++round) {
    const qmckl_context_device context = create();
    cadastre_memory_info_struct info;
    if (last) assert_int_equal(qmckl_free_host(context, last), QMCKL_INVALID_ARG_2_DEVICE);
    last = host_block(context, 100);
    if (!own) registry_of(last, &info);
    destroy(context);
  }
}

enum { THREADS = 4, ROUNDS = 50 };

static qmckl_context_device shared;
static double* shared_buffer;

/* Threads report by what they return: cmocka's assertions are the main thread's. */
static void* copy_out(void* unused) {
  (void)unused;
  double found[ELEMENTS];
  for (int round = 0; round < ROUNDS; ++round) {
    memset(found, 0, sizeof found);
    if (qmckl_memcpy_D2H_double(shared, found, shared_buffer, ELEMENTS) != QMCKL_SUCCESS_DEVICE) return &shared;
    if (found[0] != 0.5 || found[ELEMENTS - 1] != ELEMENTS - 0.5) return &shared;
    void* const block = qmckl_malloc_device(shared, 100);
    if (!block || qmckl_memcpy_D2D(shared, block, shared_buffer + round, 100) != QMCKL_SUCCESS_DEVICE) return &shared;
    if (qmckl_free_device(shared, block) != QMCKL_SUCCESS_DEVICE) return &shared;
  }
  return NULL;
}

static void* come_and_go(void* unused) {
  (void)unused;
  double numbers[10], sum = 0;
  fill(numbers, 10);
  for (int round = 0; round < ROUNDS; ++round) {
    const qmckl_context_device context = qmckl_context_create_device(0);
    if (context == QMCKL_NULL_CONTEXT_DEVICE) return &shared;
    if (qmckl_set_numbers_device(context, numbers, 10) != QMCKL_SUCCESS_DEVICE) return &shared;
    if (qmckl_get_numbers_sum_device(context, &sum) != QMCKL_SUCCESS_DEVICE || sum != 50) return &shared;
    if (qmckl_context_destroy_device(context) != QMCKL_SUCCESS_DEVICE) return &shared;
  }
  return NULL;
}

static void in_threads(void* (*work)(void*)) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) assert_int_equal(pthread_create(&threads[i], NULL, work, NULL), 0);
  int failed = 0;
  for (int i = 0; i < THREADS; ++i) {
    void* result = NULL;
    assert_int_equal(pthread_join(threads[i], &result), 0);
    failed += result != NULL;
  }
  assert_int_equal(failed, 0);
}

static void threads_copy_from_one_foreign_buffer(void** state) {
  (void)state;
  only_where(!own);
  double numbers[ELEMENTS];
  fill(numbers, ELEMENTS);
  shared = create();
  shared_buffer = own_device_memory(sizeof numbers);
  to_device(shared, shared_buffer, numbers, sizeof numbers);
  in_threads(copy_out);
  free_own_device_memory(shared_buffer);
  destroy(shared);
}

static void threads_create_and_destroy(void** state) {
  (void)state;
  in_threads(come_and_go);
}

/* Nothing is allocated on a device there, nor on the host in its place. */
static void a_child_of_a_fork_may_use_its_contexts(void** state) {
  (void)state;
  const qmckl_context_device context = create();
  char* const here = host_block(context, 100);
  const qmckl_memory_info_struct_device info = {100, NULL};
  const pid_t child = fork();
  if (child == 0) {
    char* const more = qmckl_malloc_host(context, info);
    const int good =
        more && qmckl_free_host(context, more) == QMCKL_SUCCESS_DEVICE && qmckl_free_host(context, here) == QMCKL_SUCCESS_DEVICE;
    _exit(!good || (!own && is("cuda") && qmckl_malloc_device(context, 8)));
  }
  int status = 1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(qmckl_free_host(context, here), QMCKL_SUCCESS_DEVICE);
  destroy(context);
}

static void* use_once(void* block) {
  char found[8];
  return qmckl_memcpy_D2H(shared, found, block, 8) == QMCKL_SUCCESS_DEVICE ? NULL : block;
}

static void assert_another_thread_can_use(void* block) {
  pthread_t thread;
  void* result = block;
  assert_int_equal(pthread_create(&thread, NULL, use_once, block), 0);
  assert_int_equal(pthread_join(thread, &result), 0);
  assert_null(result);
}

static void a_failed_copy_leaves_no_lock(void** state) {
  (void)state;
  only_where(!own && on_the_double());
  void (*let_fail)(const char*, long, long, int);
  find("cuda_double_fail", &let_fail);
  shared = create();
  char here[8] = {0};
  char* const ours = device_block(shared, 8);
  char* const theirs = own_device_memory(8);
  for (int i = 0; i < 2; ++i) {
    char* const there = i == 0 ? ours : theirs;
    let_fail(NULL, 1, -1, 700);
    assert_int_equal(qmckl_memcpy_H2D(shared, there, here, 8), QMCKL_FAILURE_DEVICE);
    let_fail(NULL, 0, 0, 0);
    assert_told(shared, QMCKL_FAILURE_DEVICE, "qmckl_memcpy_H2D", "cuda");
    assert_another_thread_can_use(there);
  }
  free_own_device_memory(theirs);
  assert_int_equal(qmckl_memcpy_D2H(shared, here, theirs, 8), QMCKL_FAILURE_DEVICE);
  assert_int_equal(qmckl_free_device(shared, ours), QMCKL_SUCCESS_DEVICE);
  assert_int_equal(qmckl_memcpy_D2H(shared, here, ours, 8), QMCKL_INVALID_ARG_3_DEVICE);
  assert_told(shared, QMCKL_INVALID_ARG_3_DEVICE, "qmckl_memcpy_D2H", "was freed before");
  destroy(shared);
}

static void a_failed_allocation_is_told(void** state) {
  (void)state;
  only_where(!own && on_the_double());
  void (*let_fail)(const char*, long, long, int);
  find("cuda_double_fail", &let_fail);
  const qmckl_context_device context = create();
  let_fail("cudaMalloc", 1, 1, 2);
  assert_null(qmckl_malloc_device(context, 100));
  assert_told(context, QMCKL_ALLOCATION_FAILED_DEVICE, "qmckl_malloc_device", "could not allocate 100 bytes of DEVICE");
  assert_non_null(qmckl_malloc_device(context, 100));
  destroy(context);
}

static int leave_blocks(void) {
  static qmckl_context_device contexts[10]; /* seen as long as the process lives, so that nothing counts as lost */
  const qmckl_memory_info_struct_device info = {100, NULL};
  for (int i = 0; i < 10; ++i) {
    contexts[i] = qmckl_context_create_device(0);
    if (!qmckl_malloc_host(contexts[i], info) || !qmckl_malloc_device(contexts[i], 100)) return 1;
  }
  return puts("left") < 0;
}

int main(int argc, char** argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_expected_object_answers),
      cmocka_unit_test(memory_is_zeroed_on_both_sides),
      cmocka_unit_test(blocks_are_of_the_kind_that_was_asked_for),
      cmocka_unit_test(blocks_of_no_bytes_are_blocks),
      cmocka_unit_test(what_no_machine_can_hold_is_refused),
      cmocka_unit_test(a_free_refuses_what_is_no_block),
      cmocka_unit_test(a_free_refuses_a_block_of_the_other_kind),
      cmocka_unit_test(the_size_of_a_block_of_host_memory_is_known),
      cmocka_unit_test(callers_are_the_labels),
      cmocka_unit_test(bytes_come_back),
      cmocka_unit_test(typed_copies_move_whole_elements),
      cmocka_unit_test(the_library_works_with_what_it_gets),
      cmocka_unit_test(a_copy_of_nothing_succeeds),
      cmocka_unit_test(null_is_refused_by_the_number_of_its_argument),
      cmocka_unit_test(counts_that_are_no_counts_are_refused),
      cmocka_unit_test(a_copy_that_leaves_its_block_moves_nothing),
      cmocka_unit_test(a_copy_in_the_wrong_direction_moves_nothing),
      cmocka_unit_test(device_memory_of_the_program_is_copied),
      cmocka_unit_test(managed_memory_is_either_side),
      cmocka_unit_test(blocks_of_another_context_are_copied_within_their_bounds),
      cmocka_unit_test(an_invalid_context_is_told),
      cmocka_unit_test(the_device_of_a_context_is_that_it_was_created_for),
      cmocka_unit_test(a_context_that_was_created_unseen_is_adopted),
      cmocka_unit_test(destroying_frees_both_kinds),
      cmocka_unit_test(contexts_at_the_same_address_have_nothing_in_common),
      cmocka_unit_test(threads_copy_from_one_foreign_buffer),
      cmocka_unit_test(threads_create_and_destroy),
      cmocka_unit_test(a_child_of_a_fork_may_use_its_contexts),
      cmocka_unit_test(a_failed_copy_leaves_no_lock),
      cmocka_unit_test(a_failed_allocation_is_told),
  };
  const struct CMUnitTest without[] = {cmocka_unit_test(a_backend_that_is_absent_is_told)};
  prepare(argc > 1 ? argv[1] : "emulated");
  if (argc > 2) return leave_blocks();
  if (is("absent")) return cmocka_run_group_tests_name("qmckl_gpu without its backend", without, NULL, NULL);
  return cmocka_run_group_tests_name("qmckl_gpu", tests, NULL, NULL);
}
