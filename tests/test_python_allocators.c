/* Tangled from org/tests/python_allocator_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry points for PyTorch's CUDAPluggableAllocator and CuPy's CFunctionAllocator. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <setjmp.h>
#include <cmocka.h>

#include <cadastre.h>

#include "skip_because.h"

typedef struct CUstream_st* cudaStream_t;
typedef void* torch_malloc_function(size_t size, int device, cudaStream_t stream);
typedef void torch_free_function(void* pointer, size_t size, int device, cudaStream_t stream);
typedef void* cupy_malloc_function(void* param, size_t size, int device);
typedef void cupy_free_function(void* param, void* pointer, int device);

static void* library;
static torch_malloc_function* torch_malloc;
static torch_free_function* torch_free;
static cupy_malloc_function* cupy_malloc;
static cupy_free_function* cupy_free;
static int (*set_context)(cadastre_context);
static cadastre_context (*get_context)(void);

static int has_double(void) {
  const char* const path = getenv("CADASTRE_CUDA_LIBRARY");
  return path && access(path, R_OK) == 0;
}

static void look_up(const char* name, void* function) {
  void* const found = dlsym(library, name);
  assert_non_null(found);
  memcpy(function, &found, sizeof found);
}

static int open_library(void** state) {
  (void)state;
  library = dlopen(PYTHON_ALLOCATORS, RTLD_NOW | RTLD_LOCAL);
  if (!library) print_error("%s\n", dlerror());
  assert_non_null(library);
  look_up("cadastre_torch_malloc", &torch_malloc);
  look_up("cadastre_torch_free", &torch_free);
  look_up("cadastre_cupy_malloc", &cupy_malloc);
  look_up("cadastre_cupy_free", &cupy_free);
  look_up("cadastre_torch_set_context", &set_context);
  look_up("cadastre_torch_get_context", &get_context);
  return 0;
}

static cadastre_statistics_struct figures(cadastre_context context) {
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_DEVICE, &statistics), CADASTRE_SUCCESS);
  return statistics;
}

static cadastre_context on_cuda(void) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_CUDA;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_int_not_equal(context, CADASTRE_NULL_CONTEXT);
  return context;
}

static void cupy_memory_is_in_the_context_of_the_argument(void** state) {
  (void)state;
  if (!has_double()) skip_because("there is no double of CUDA");
  const cadastre_context context = on_cuda();
  void* const param = (void*)(intptr_t)context;
  void* const block = cupy_malloc(param, 1000, 0);
  assert_non_null(block);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.type, CADASTRE_DEVICE);
  assert_int_equal(info.device_id, 0);
  assert_string_equal(info.label, "cupy");
  assert_int_equal(info.size, 1000);
  cupy_free(param, block, 0);
  assert_int_equal(figures(context).live_blocks, 0);
  assert_int_equal(figures(context).deallocations, 1);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void cupy_gets_null_for_what_cannot_be_had(void** state) {
  (void)state;
  if (!has_double()) skip_because("there is no double of CUDA");
  const cadastre_context context = on_cuda();
  void* const param = (void*)(intptr_t)context;
  assert_null(cupy_malloc(param, 100, 77));
  assert_null(cupy_malloc(NULL, 100, 0));
  assert_int_equal(cadastre_set_limit(context, CADASTRE_DEVICE, 1000), CADASTRE_SUCCESS);
  assert_null(cupy_malloc(param, 1001, 0));
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  assert_int_equal(error.exit_code, CADASTRE_LIMIT_EXCEEDED);
  cupy_free(param, NULL, 0);
  assert_int_equal(figures(context).failed_deallocations, 0);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_null(cupy_malloc(param, 100, 0));
}

static void torch_memory_is_in_one_context_with_a_pool(void** state) {
  (void)state;
  if (!has_double()) skip_because("there is no double of CUDA");
  assert_int_equal(get_context(), CADASTRE_NULL_CONTEXT);
  void* const block = torch_malloc(4096, 0, NULL);
  assert_non_null(block);
  const cadastre_context context = get_context();
  assert_int_equal(cadastre_context_check(context), context);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
  assert_string_equal(info.label, "torch");
  assert_int_equal(info.type, CADASTRE_DEVICE);
  assert_int_equal(info.flags, CADASTRE_UNINITIALIZED | CADASTRE_STREAM_ORDERED);
  torch_free(block, 4096, 0, NULL);
  assert_int_equal(figures(context).live_blocks, 0);
  cadastre_pool_info_struct pool = cadastre_pool_info_struct_zero;
  assert_int_equal(cadastre_pool_get_info(context, CADASTRE_DEVICE, &pool), CADASTRE_SUCCESS);
  assert_int_equal(pool.pool, CADASTRE_POOL_CACHING);
  void* const again = torch_malloc(4096, 0, NULL);
  assert_ptr_equal(again, block);
  torch_free(again, 4096, 0, NULL);
  torch_free(NULL, 0, 0, NULL);
  assert_null(torch_malloc((size_t)1 << 62, 0, NULL));
  assert_null(torch_malloc(16, -5, NULL));
  assert_int_equal(figures(context).live_blocks, 0);
}

static void the_context_of_torch_is_chosen_once(void** state) {
  (void)state;
  if (!has_double()) skip_because("there is no double of CUDA");
  const cadastre_context chosen = get_context(), other = on_cuda();
  assert_int_not_equal(chosen, CADASTRE_NULL_CONTEXT);
  assert_int_equal(set_context(other), 1);
  assert_int_equal(set_context(chosen), 0);
  assert_int_equal(get_context(), chosen);
  assert_int_equal(cadastre_context_destroy(other), CADASTRE_SUCCESS);
}

static void* allocate_on_a_thread(void* argument) {
  (void)argument;
  for (int i = 0; i < 1000; ++i) torch_free(torch_malloc(256 + (size_t)i, 0, NULL), 256 + (size_t)i, 0, NULL);
  return NULL;
}

static void threads_allocate_together(void** state) {
  (void)state;
  if (!has_double()) skip_because("there is no double of CUDA");
  pthread_t threads[4];
  const int64_t before = figures(get_context()).allocations;
  for (int i = 0; i < 4; ++i) assert_int_equal(pthread_create(&threads[i], NULL, allocate_on_a_thread, NULL), 0);
  for (int i = 0; i < 4; ++i) assert_int_equal(pthread_join(threads[i], NULL), 0);
  assert_int_equal(figures(get_context()).allocations - before, 4000);
  assert_int_equal(figures(get_context()).live_blocks, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cupy_memory_is_in_the_context_of_the_argument),
      cmocka_unit_test(cupy_gets_null_for_what_cannot_be_had),
      cmocka_unit_test(torch_memory_is_in_one_context_with_a_pool),
      cmocka_unit_test(the_context_of_torch_is_chosen_once),
      cmocka_unit_test(threads_allocate_together),
  };
  return cmocka_run_group_tests(tests, open_library, NULL);
}
