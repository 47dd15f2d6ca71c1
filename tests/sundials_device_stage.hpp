// Tangled from org/tests/sundials_device_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A stream of the vendor's, and a helper with its context, as programs of SUNDIALS have them.
#ifndef CADASTRE_TESTS_SUNDIALS_DEVICE_STAGE_HPP
#define CADASTRE_TESTS_SUNDIALS_DEVICE_STAGE_HPP

#include <cstddef>

#include "cadastre_sundials.h"
#include "cmocka.hpp"
#include "cuda_double.hpp"

struct Stream {
  void* stream = nullptr;
  explicit Stream(unsigned flags = 1) { assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, flags), 0); }
  ~Stream() {
    if (stream) cuda("cudaStreamDestroy", stream);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  void* place() { return &stream; }
  void synchronize() const { assert_int_equal(cuda("cudaStreamSynchronize", stream), 0); }
};

struct Stage {
  cadastre_context context;
  SUNContext sunctx = nullptr;
  SUNMemoryHelper helper;
  explicit Stage(cadastre_pool pool = CADASTRE_POOL_NONE) {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = spoken().backend;
    options.pool = pool;
    context = cadastre_context_create_with_options(&options);
    assert_true(context != CADASTRE_NULL_CONTEXT);
    SUNContext_Create(SUN_COMM_NULL, &sunctx);
    helper = SUNMemoryHelper_Cadastre(context, sunctx);
    assert_non_null(helper);
  }
  ~Stage() {
    assert_int_equal(SUNMemoryHelper_Destroy(helper), 0);
    SUNContext_Free(&sunctx);
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
    assert_int_equal(summary.live_blocks + summary.borrowed_blocks + summary.live_leases, 0);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  SUNMemory block(SUNMemoryType type, void* queue = nullptr, std::size_t size = 64) const {
    SUNMemory memory = nullptr;
    assert_int_equal(SUNMemoryHelper_Alloc(helper, &memory, size, type, queue), 0);
    return memory;
  }
  void release(SUNMemory memory, void* queue = nullptr) const { assert_int_equal(SUNMemoryHelper_Dealloc(helper, memory, queue), 0); }
  cadastre_flags flags(SUNMemory memory) const {
    cadastre_memory_info_struct info;
    assert_int_equal(cadastre_get_malloc_info(context, memory->ptr, &info), CADASTRE_SUCCESS);
    return info.flags;
  }
};

#endif
