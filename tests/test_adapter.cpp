// Tangled from org/tests/adapter_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "adapters/foreign.hpp"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <cmocka.h>
}

#include "skip_because.h"

#undef fail

#include "vendor_apart.h"

using namespace cadastre::adapter;

namespace {

cadastre_exit_code copy(cadastre_context context, Range to, Range from) {
  return with_foreign_memory(context, to, from,
                             [&] { return cadastre_memcpy(context, const_cast<void*>(to.address), from.address, to.size); });
}

Range on_device(const void* address, std::size_t size) { return {address, size, CADASTRE_DEVICE}; }
Range on_host(const void* address, std::size_t size) { return {address, size, CADASTRE_HOST}; }

unsigned char* block_of(cadastre_context context, std::size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = CADASTRE_DEVICE;
  auto* const block = static_cast<unsigned char*>(cadastre_malloc(context, info));
  assert_non_null(block);
  return block;
}

void foreign_device_memory_is_never_the_hosts(void**) {
  const cadastre_context context = context_on(0);
  unsigned char *const a = foreign(100), *const b = foreign(100), *const ours = block_of(context, 100);
  unsigned char bytes[100] = {1, 2, 3}, found[100] = {};
  assert_int_equal(copy(context, on_device(a, 100), on_host(bytes, 100)), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, on_device(b, 100), on_device(a, 100)), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, on_device(ours, 99), on_device(b + 1, 99)), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, on_host(found, 100), on_device(ours, 100)), CADASTRE_SUCCESS);
  assert_true(found[0] == 2 && found[1] == 3);
  assert_int_equal(copies, 4);
  assert_as_before(context);
  forget(a);
  forget(b);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void nothing_is_left_of_a_copy_that_fails(void**) {
  const cadastre_context context = context_on(0);
  unsigned char* const theirs = foreign(100);
  unsigned char bytes[100] = {};
  refusing = 1;
  assert_int_equal(copy(context, on_device(theirs, 100), on_host(bytes, 100)), CADASTRE_FAILURE);
  refusing = 0;
  assert_as_before(context);
  assert_int_equal(copy(context, on_device(theirs, 100), on_host(bytes, 100)), CADASTRE_SUCCESS);
  forget(theirs);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void a_range_that_runs_into_a_block_is_refused(void**) {
  const cadastre_context context = context_on(0);
  unsigned char* const ours = block_of(context, 100);
  unsigned char bytes[16] = {};
  assert_int_equal(copy(context, on_device(ours - 8, 16), on_host(bytes, 16)), CADASTRE_INVALID_ARG_2);
  assert_int_equal(copy(context, on_device(ours + 90, 16), on_host(bytes, 16)), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(copy(context, on_device(nullptr, 16), on_host(bytes, 16)), CADASTRE_INVALID_ARG_2);
  assert_int_equal(copies, 0);
  assert_as_before(context);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

// Memory that the runtime of a backend gave, without the context's knowledge. variable: names the runtime.
class OfTheRuntime {
 public:
  OfTheRuntime(const char* variable, cadastre_backend backend) {
    const char* const name = getenv(variable);
    cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
    assert_int_equal(cadastre_backend_get_info(backend, &info), CADASTRE_SUCCESS);
    if (!name || !info.available || info.device_count == 0) skip_because("there is no backend with devices");
    library_ = dlopen(name, RTLD_NOW);
    assert_non_null(library_);
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = backend;
    options.device = CADASTRE_DEVICE_BY_ID(0);
    context_ = cadastre_context_create_with_options(&options);
    assert_true(context_ != CADASTRE_NULL_CONTEXT);
  }
  template <class Function>
  Function* routine(const char* name) const {
    void* const found = dlsym(library_, name);
    assert_non_null(found);
    return reinterpret_cast<Function*>(found);
  }
  // Through memory of the runtime's and back.
  void copy_by_way_of(void* first, void* second) const {
    auto *const theirs = static_cast<unsigned char*>(first), *const more = static_cast<unsigned char*>(second);
    unsigned char bytes[100], found[100] = {};
    for (int i = 0; i < 100; ++i) bytes[i] = static_cast<unsigned char>(i);
    unsigned char* const ours = block_of(context_, 100);
    assert_int_equal(copy(context_, on_device(theirs, 100), on_host(bytes, 100)), CADASTRE_SUCCESS);
    assert_int_equal(copy(context_, on_device(more, 100), on_device(theirs, 100)), CADASTRE_SUCCESS);
    assert_int_equal(copy(context_, on_device(ours, 99), on_device(more + 1, 99)), CADASTRE_SUCCESS);
    assert_int_equal(copy(context_, on_host(found, 99), on_device(ours, 99)), CADASTRE_SUCCESS);
    assert_memory_equal(found, bytes + 1, 99);
    assert_as_before(context_);
  }
  void destroy() const { assert_int_equal(cadastre_context_destroy(context_), CADASTRE_SUCCESS); }

 private:
  void* library_ = nullptr;
  cadastre_context context_ = CADASTRE_NULL_CONTEXT;
};

void memory_of_cudas_is_copied(void**) {
  const OfTheRuntime cuda("CADASTRE_CUDA_LIBRARY", CADASTRE_BACKEND_CUDA);
  void *theirs = nullptr, *more = nullptr;
  assert_int_equal(cuda.routine<int(void**, std::size_t)>("cudaMalloc")(&theirs, 100), 0);
  assert_int_equal(cuda.routine<int(void**, std::size_t)>("cudaMalloc")(&more, 100), 0);
  cuda.copy_by_way_of(theirs, more);
  assert_int_equal(cuda.routine<int(void*)>("cudaFree")(theirs), 0);
  assert_int_equal(cuda.routine<int(void*)>("cudaFree")(more), 0);
  cuda.destroy();
}

void memory_of_openmps_is_copied(void**) {
  const OfTheRuntime openmp("CADASTRE_OPENMP_MODULE", CADASTRE_BACKEND_OPENMP);
  auto* const allocate = openmp.routine<void*(std::size_t, int)>("omp_target_alloc");
  auto* const release = openmp.routine<void(void*, int)>("omp_target_free");
  void *const theirs = allocate(100, 0), *const more = allocate(100, 0);
  assert_true(theirs && more);
  openmp.copy_by_way_of(theirs, more);
  release(theirs, 0);
  release(more, 0);
  openmp.destroy();
}

void a_context_that_is_gone_is_told(void**) {
  const cadastre_context context = context_on(0);
  unsigned char bytes[16] = {};
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_int_equal(copy(context, on_device(bytes, 8), on_host(bytes + 8, 8)), CADASTRE_INVALID_CONTEXT);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(foreign_device_memory_is_never_the_hosts),
      cmocka_unit_test(nothing_is_left_of_a_copy_that_fails),
      cmocka_unit_test(a_range_that_runs_into_a_block_is_refused),
      cmocka_unit_test(memory_of_cudas_is_copied),
      cmocka_unit_test(memory_of_openmps_is_copied),
      cmocka_unit_test(a_context_that_is_gone_is_told),
  };
  setenv("OMP_TOOL", "disabled", 0);  // what LLVM's runtime loads beside a sanitizer otherwise
  register_vendor();
  const int failed = cmocka_run_group_tests_name("memory of somebody else", tests, nullptr, nullptr);
  return failed + (cadastre_backend_unregister(vendor) != CADASTRE_SUCCESS);
}
