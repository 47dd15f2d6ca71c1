// Tangled from org/tests/sundials_temporary_device_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Claims on leases of a helper for temporaries, their queues, and what is waited for.
#include "cadastre_sundials.h"

#include <sundials/sundials_errors.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "cmocka.hpp"
#include "cuda_double.hpp"
#include "sundials_device_stage.hpp"

namespace {

constexpr std::size_t size = 4096;

// Work that is not done before somebody waits for it.
void write(const Stream& queue, void* to, int value) { assert_int_equal(cuda("cudaMemsetAsync", to, value, size, queue.stream), 0); }

struct Temporaries : Stage {
  Temporaries() : Stage(CADASTRE_DEFAULT_POOL) { assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(helper, SUNTRUE), 0); }
  SUNMemory block(SUNMemoryType type, void* queue = nullptr) const { return Stage::block(type, queue, size); }
  cadastre_workspace_info_struct workspace(cadastre_memory_type type = CADASTRE_DEVICE) const {
    cadastre_workspace_info_struct info = cadastre_workspace_info_struct_zero;
    assert_int_equal(cadastre_workspace_get_info(context, type, &info), CADASTRE_SUCCESS);
    return info;
  }
};

bool is_written(const void* pointer, int value) { return cuda_double().first_byte(pointer) == value; }

// Of the host. A queue may wait: HIP, and CUDA before 12, do not say whether it is the one that had the memory last.
long waits_made() {
  return cuda_double().calls_of("cudaStreamSynchronize") + cuda_double().calls_of("cudaDeviceSynchronize") +
         cuda_double().calls_of("cudaEventSynchronize");
}

void a_vector_of_a_queue_waits_for_nothing(void**) {
  Stream stream;
  const Temporaries stage;
  stage.release(stage.block(SUNMEMTYPE_DEVICE, stream.place()), stream.place());
  cuda_double().forget_calls();
  void* before = nullptr;
  for (int i = 0; i < 3; ++i) {
    const SUNMemory memory = stage.block(SUNMEMTYPE_DEVICE, stream.place());
    if (before) assert_ptr_equal(memory->ptr, before);
    before = memory->ptr;
    write(stream, memory->ptr, i);
    stage.release(memory, stream.place());
  }
  assert_int_equal(waits_made(), 0);
  assert_int_equal(cuda_double().calls_of("cudaMalloc") + cuda_double().calls_of("cudaFree"), 0);
}

void queues_lease_beside_each_other(void**) {
  Stream stream, other;
  const Temporaries stage;
  const SUNMemory first = stage.block(SUNMEMTYPE_DEVICE, stream.place());
  write(stream, first->ptr, 3);
  void* const place = first->ptr;
  stage.release(first, stream.place());
  const SUNMemory second = stage.block(SUNMEMTYPE_DEVICE, other.place());
  assert_ptr_not_equal(second->ptr, place);
  assert_int_equal(stage.workspace().waits, 0);
  stage.release(second, other.place());
}

void the_helpers_default_queue_is_the_leases(void**) {
  Stream stream;
  const Temporaries stage;
  assert_int_equal(SUNMemoryHelper_SetDefaultQueue_Cadastre(stage.helper, stream.place()), 0);
  const SUNMemoryHelper clone = SUNMemoryHelper_Clone(stage.helper);
  SUNMemory memory = nullptr;
  assert_int_equal(SUNMemoryHelper_Alloc(clone, &memory, size, SUNMEMTYPE_DEVICE, nullptr), 0);
  write(stream, memory->ptr, 1);
  void* const place = memory->ptr;
  cuda_double().forget_calls();
  assert_int_equal(SUNMemoryHelper_Dealloc(clone, memory, nullptr), 0);
  memory = stage.block(SUNMEMTYPE_DEVICE, stream.place());
  assert_ptr_equal(memory->ptr, place);
  stage.release(memory);
  assert_int_equal(waits_made(), 0);
  assert_int_equal(SUNMemoryHelper_Destroy(clone), 0);
}

void the_contexts_default_queue_is_looked_up_each_time(void**) {
  Stream first, second;
  const Temporaries stage;
  cadastre_queue zero = CADASTRE_DEFAULT_QUEUE;
  assert_int_equal(cadastre_context_set_default_queue(stage.context, first.stream), CADASTRE_SUCCESS);
  SUNMemory memory = stage.block(SUNMEMTYPE_DEVICE);
  cuda_double().forget_calls();
  stage.release(memory, first.place());
  assert_int_equal(waits_made(), 0);
  memory = stage.block(SUNMEMTYPE_DEVICE, &zero);
  cuda_double().forget_calls();
  stage.release(memory, &zero);
  assert_int_equal(waits_made(), 0);
  // The default queue is another one by now.
  memory = stage.block(SUNMEMTYPE_DEVICE, &zero);
  assert_int_equal(cadastre_context_set_default_queue(stage.context, second.stream), CADASTRE_SUCCESS);
  void* const place = memory->ptr;
  write(second, place, 6);
  stage.release(memory, &zero);
  assert_true(is_written(place, 6));
  assert_int_equal(cadastre_context_set_default_queue(stage.context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
}

void another_queue_is_waited_for(void**) {
  Stream stream, other;
  const Temporaries stage;
  const SUNMemory memory = stage.block(SUNMEMTYPE_DEVICE, stream.place());
  void* const place = memory->ptr;
  write(other, place, 4);
  assert_false(is_written(place, 4));
  stage.release(memory, other.place());
  assert_true(is_written(place, 4));
}

void without_a_queue_the_default_one_is_waited_for(void**) {
  for (const SUNMemoryType type : {SUNMEMTYPE_DEVICE, SUNMEMTYPE_UVM, SUNMEMTYPE_PINNED}) {
    Stream stream;
    const Temporaries stage;
    const SUNMemory memory = stage.block(type, stream.place());
    void* const place = memory->ptr;
    assert_int_equal(cadastre_memset_async(stage.context, place, 5, size, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    stage.release(memory);
    assert_true(is_written(place, 5));
  }
}

// The host is not in the order of a queue: who has the memory next may write at once.
void memory_of_the_host_is_waited_for_when_it_goes(void**) {
  for (const SUNMemoryType type : {SUNMEMTYPE_PINNED, SUNMEMTYPE_UVM, SUNMEMTYPE_HOST}) {
    Stream stream;
    const Temporaries stage;
    const SUNMemory there = stage.block(SUNMEMTYPE_DEVICE, stream.place()), here = stage.block(type, stream.place());
    std::memset(here->ptr, 2, size);
    assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, there, here, size, stream.place()), 0);
    void* const place = here->ptr;
    stage.release(here, stream.place());
    std::memset(place, 9, size);
    assert_true(is_written(there->ptr, 2));
    stage.release(there, stream.place());
  }
}

// A function of the program has released it with a copy still to come.
void memory_of_the_host_is_waited_for_when_it_comes(void**) {
  Stream stream;
  const Temporaries stage;
  const SUNMemory there = stage.block(SUNMEMTYPE_DEVICE, stream.place());
  void* here = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  assert_int_equal(cadastre_workspace_acquire_on_queue(stage.context, CADASTRE_PINNED, stream.stream, 1, &size, &here, &lease),
                   CADASTRE_SUCCESS);
  std::memset(here, 7, size);
  assert_int_equal(cadastre_memcpy_async(stage.context, there->ptr, here, size, stream.stream), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_release(stage.context, lease), CADASTRE_SUCCESS);
  const SUNMemory memory = stage.block(SUNMEMTYPE_PINNED, stream.place());
  assert_ptr_equal(memory->ptr, here);
  std::memset(memory->ptr, 8, size);
  stage.release(memory, stream.place());
  assert_int_equal(cuda("cudaStreamSynchronize", stream.stream), 0);
  assert_true(is_written(there->ptr, 7));
  for (const SUNMemoryType type : {SUNMEMTYPE_HOST, SUNMEMTYPE_UVM, SUNMEMTYPE_PINNED}) {
    write(stream, there->ptr, 10 + type);
    const SUNMemory host = stage.block(type, stream.place());
    assert_true(is_written(there->ptr, 10 + type));
    stage.release(host, stream.place());
  }
  stage.release(there, stream.place());
}

void a_queue_that_is_gone_costs_no_memory(void**) {
  for (const SUNMemoryType type : {SUNMEMTYPE_DEVICE, SUNMEMTYPE_PINNED, SUNMEMTYPE_HOST}) {
    const Temporaries stage;
    void* gone = nullptr;
    SUNMemory memory = nullptr;
    {
      Stream stream;
      gone = stream.stream;
      memory = stage.block(type, &gone);
    }
    stage.release(memory, &gone);
    assert_int_equal(stage.workspace(static_cast<cadastre_memory_type>(type)).live_leases, 0);
    stage.release(stage.block(type));
  }
}

void what_cannot_be_waited_for_is_a_block(void**) {
  Stream stream;
  const Temporaries stage;
  cuda_double().fail("cudaStreamSynchronize", 1L, 1L, 700);
  const SUNMemory memory = stage.block(SUNMEMTYPE_PINNED, stream.place());
  cuda_double().fail(nullptr, 1L, 0L, 0);
  assert_int_equal(stage.workspace(CADASTRE_PINNED).live_leases, 0);
  cadastre_memory_info_struct info;
  assert_int_equal(cadastre_get_malloc_info(stage.context, memory->ptr, &info), CADASTRE_SUCCESS);
  assert_string_equal(info.label, "SUNDIALS");
  stage.release(memory, stream.place());
}

void a_wait_that_failed_may_be_tried_again(void**) {
  Stream stream;
  const Temporaries stage;
  const SUNMemory memory = stage.block(SUNMEMTYPE_PINNED, stream.place());
  cuda_double().fail("cudaStreamSynchronize", 1L, 2L, 700);
  assert_int_equal(SUNMemoryHelper_Dealloc(stage.helper, memory, stream.place()), SUN_ERR_MEM_FAIL);
  cuda_double().fail(nullptr, 1L, 0L, 0);
  assert_int_equal(memory->own, SUNTRUE);
  assert_int_equal(stage.workspace(CADASTRE_PINNED).live_leases, 1);
  std::size_t bytes = 0;
  assert_int_equal(SUNMemoryHelper_GetAllocStats(stage.helper, SUNMEMTYPE_PINNED, nullptr, nullptr, &bytes, nullptr), 0);
  assert_int_equal(bytes, size);
  stage.release(memory, stream.place());
  assert_int_equal(stage.workspace(CADASTRE_PINNED).live_leases, 0);
}

}  // namespace

int main() {
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  if (cadastre_backend_get_info(spoken().backend, &info) != CADASTRE_SUCCESS || !info.available || !cuda_double()) {
    std::printf("1..0 # SKIP these claims need the double of CUDA, whose queues are as late as can be\n");
    return 0;
  }
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_vector_of_a_queue_waits_for_nothing),
      cmocka_unit_test(queues_lease_beside_each_other),
      cmocka_unit_test(the_helpers_default_queue_is_the_leases),
      cmocka_unit_test(the_contexts_default_queue_is_looked_up_each_time),
      cmocka_unit_test(another_queue_is_waited_for),
      cmocka_unit_test(without_a_queue_the_default_one_is_waited_for),
      cmocka_unit_test(memory_of_the_host_is_waited_for_when_it_goes),
      cmocka_unit_test(memory_of_the_host_is_waited_for_when_it_comes),
      cmocka_unit_test(a_queue_that_is_gone_costs_no_memory),
      cmocka_unit_test(what_cannot_be_waited_for_is_a_block),
      cmocka_unit_test(a_wait_that_failed_may_be_tried_again),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
