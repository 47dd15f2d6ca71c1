// Tangled from org/tests/sundials_device_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Claims on queues and on memory that only CUDA knows.
#include "cadastre_sundials.h"

#include <sundials/sundials_errors.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "cmocka.hpp"
#include "cuda_double.hpp"
#include "sundials_device_stage.hpp"

namespace {

// For claims that need what on a GPU nobody can promise.
void skip_without_the_double(const char* why) {
  if (!cuda_double()) skip_because(why);
}

// What no queue has come to yet; on a GPU it may have.
void assert_still(int value, const void* pointer) {
  if (cuda_double()) assert_int_equal(cuda_double().first_byte(pointer), value);
}

// Pinned memory with a new value, and device memory that does not have it yet.
struct Pair {
  const Stage& stage;
  SUNMemory there, here;
  explicit Pair(const Stage& on) : stage(on), there(on.block(SUNMEMTYPE_DEVICE)), here(on.block(SUNMEMTYPE_PINNED)) {
    assert_int_equal(cadastre_memset(stage.context, there->ptr, 1, 64), CADASTRE_SUCCESS);
    std::memset(here->ptr, 2, 64);
    assert_int_equal(cuda_double().first_byte(there->ptr), 1);
  }
  ~Pair() {
    stage.release(there);
    stage.release(here);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
};

void all_types_come_from_the_backend(void**) {
  const Stage stage;
  for (const SUNMemoryType type : {SUNMEMTYPE_HOST, SUNMEMTYPE_PINNED, SUNMEMTYPE_DEVICE, SUNMEMTYPE_UVM}) {
    const SUNMemory memory = stage.block(type);
    cadastre_memory_info_struct info;
    assert_int_equal(cadastre_get_malloc_info(stage.context, memory->ptr, &info), CADASTRE_SUCCESS);
    assert_int_equal(info.type, type);
    assert_int_equal(info.backend, type == SUNMEMTYPE_HOST ? CADASTRE_BACKEND_HOST : spoken().backend);
    stage.release(memory);
  }
}

void memory_is_ordered_where_the_pool_is_the_vendors(void**) {
  Stream stream;
  const Stage plain, pooled(CADASTRE_POOL_VENDOR);
  cuda_double().forget_calls();
  SUNMemory memory = plain.block(SUNMEMTYPE_DEVICE, stream.place());
  assert_int_equal(plain.flags(memory) & CADASTRE_STREAM_ORDERED, 0);
  assert_int_equal(cuda_double().calls_of("cudaMallocAsync") + cuda_double().calls_of("cudaMallocFromPoolAsync"), 0);
  plain.release(memory, stream.place());

  memory = pooled.block(SUNMEMTYPE_DEVICE, stream.place());
  assert_int_not_equal(pooled.flags(memory) & CADASTRE_STREAM_ORDERED, 0);
  const void* const place = memory->ptr;
  cuda_double().forget_calls();
  pooled.release(memory, stream.place());
  memory = pooled.block(SUNMEMTYPE_DEVICE, stream.place());
  assert_ptr_equal(memory->ptr, place);
  pooled.release(memory, stream.place());
  assert_int_equal(cuda_double().calls_of("cudaMalloc") + cuda_double().calls_of("cudaFree"), 0);
  assert_int_equal(cuda_double().calls_of("cudaStreamSynchronize") + cuda_double().calls_of("cudaDeviceSynchronize") +
                       cuda_double().calls_of("cudaEventSynchronize"),
                   0);

  memory = nullptr;
  assert_int_equal(SUNMemoryHelper_AllocStrided(pooled.helper, &memory, 64, 8, SUNMEMTYPE_DEVICE, stream.place()), 0);
  assert_int_not_equal(pooled.flags(memory) & CADASTRE_STREAM_ORDERED, 0);
  pooled.release(memory);
  assert_int_equal(SUNMemoryHelper_AllocStrided(plain.helper, &memory, 64, 8, SUNMEMTYPE_DEVICE, stream.place()), 0);
  assert_int_equal(plain.flags(memory) & CADASTRE_STREAM_ORDERED, 0);
  plain.release(memory);
}

// What one queue has freed, another waits for itself, and the host does not; so the queue did get there.
void the_queue_that_is_given_is_the_one_asked(void**) {
  skip_without_the_double("only the double of CUDA counts calls");
  Stream stream, other;
  const Stage pooled(CADASTRE_POOL_VENDOR);
  SUNMemory memory = pooled.block(SUNMEMTYPE_DEVICE, stream.place());
  pooled.release(memory, stream.place());
  cuda_double().forget_calls();
  memory = pooled.block(SUNMEMTYPE_DEVICE, other.place());
  assert_int_equal(cuda_double().calls_of("cudaStreamWaitEvent"), 1);
  assert_int_equal(cuda_double().calls_of("cudaMalloc") + cuda_double().calls_of("cudaEventSynchronize"), 0);
  pooled.release(memory);
}

// The block may be used by what the queue holds, and by nothing after.
void a_queue_frees_after_its_work(void**) {
  Stream stream;
  const Stage stage(CADASTRE_POOL_VENDOR);
  const SUNMemory memory = stage.block(SUNMEMTYPE_DEVICE, stream.place()), here = stage.block(SUNMEMTYPE_PINNED);
  std::memset(here->ptr, 3, 64);
  assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, memory, here, 64, stream.place()), 0);
  if (cuda_double()) std::memset(here->ptr, 4, 64);  // too early: the queue has not come to it, where it is as late as can be
  const SUNMemory back = stage.block(SUNMEMTYPE_PINNED);
  assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, back, memory, 64, stream.place()), 0);
  stage.release(memory, stream.place());
  stream.synchronize();
  assert_int_equal(*static_cast<char*>(back->ptr), cuda_double() ? 4 : 3);
  stage.release(back);
  stage.release(here);
}

void copy_waits_and_copyasync_does_not(void**) {
  Stream stream, other;
  const Stage stage;
  const Pair pair(stage);
  assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, pair.there, pair.here, 64, stream.place()), 0);
  other.synchronize();
  assert_still(1, pair.there->ptr);
  stream.synchronize();
  assert_int_equal(cuda_double().first_byte(pair.there->ptr), 2);

  std::memset(pair.here->ptr, 5, 64);
  cuda_double().forget_calls();
  assert_int_equal(SUNMemoryHelper_Copy(stage.helper, pair.there, pair.here, 64, stream.place()), 0);
  assert_int_equal(cuda_double().first_byte(pair.there->ptr), 5);
  assert_int_equal(cuda_double().calls_of("cudaDeviceSynchronize"), 0);
  std::memset(pair.here->ptr, 6, 64);
  assert_int_equal(SUNMemoryHelper_Copy(stage.helper, pair.there, pair.here, 64, nullptr), 0);
  assert_int_equal(cuda_double().first_byte(pair.there->ptr), 6);
}

// After what the queue holds: a copy on another queue would not see it.
void a_copy_is_in_the_order_of_its_queue(void**) {
  Stream stream;
  const Stage stage;
  const Pair pair(stage);
  const SUNMemory back = stage.block(SUNMEMTYPE_PINNED);
  assert_int_equal(cadastre_memset_async(stage.context, pair.there->ptr, 7, 64, stream.stream), CADASTRE_SUCCESS);
  assert_still(1, pair.there->ptr);
  assert_int_equal(SUNMemoryHelper_Copy(stage.helper, back, pair.there, 64, stream.place()), 0);
  assert_int_equal(*static_cast<char*>(back->ptr), 7);
  stage.release(back);
}

enum class Named { given, helpers, contexts, nowhere };

// A stream of the program's, made by cudaStreamCreate, that cudaMemcpy comes after, and that knows nothing of the
// queue that the copy is given.
void assert_waits_as_cudamemcpy(Named queue) {
  constexpr unsigned blocking = 0;
  Stream late(blocking), other;
  const Stage stage;
  const Pair pair(stage);
  const SUNMemory back = stage.block(SUNMEMTYPE_PINNED);
  void* const given = queue == Named::given ? other.place() : nullptr;
  if (queue == Named::helpers) SUNMemoryHelper_SetDefaultQueue_Cadastre(stage.helper, other.place());
  if (queue == Named::contexts) {
    assert_int_equal(cadastre_context_set_default_queue(stage.context, other.stream), CADASTRE_SUCCESS);
  }
  // What is written late is read.
  assert_int_equal(cuda("cudaMemsetAsync", pair.there->ptr, 7, std::size_t{64}, late.stream), 0);
  assert_still(1, pair.there->ptr);
  assert_int_equal(SUNMemoryHelper_Copy(stage.helper, back, pair.there, 64, given), 0);
  assert_int_equal(*static_cast<char*>(back->ptr), 7);
  // What is written is not written over by what was late.
  assert_int_equal(cuda("cudaMemsetAsync", pair.there->ptr, 9, std::size_t{64}, late.stream), 0);
  assert_int_equal(SUNMemoryHelper_Copy(stage.helper, pair.there, pair.here, 64, given), 0);
  assert_int_equal(cuda_double().first_byte(pair.there->ptr), 2);
  late.synchronize();
  assert_int_equal(cuda_double().first_byte(pair.there->ptr), 2);
  // And what the queue itself holds comes first, though cudaMemcpy would not ask it.
  assert_int_equal(cuda("cudaMemsetAsync", pair.there->ptr, 4, std::size_t{64}, other.stream), 0);
  if (queue != Named::nowhere) {
    assert_int_equal(SUNMemoryHelper_Copy(stage.helper, back, pair.there, 64, given), 0);
    assert_int_equal(*static_cast<char*>(back->ptr), 4);
  }
  other.synchronize();
  cadastre_queue set = nullptr;
  assert_int_equal(cadastre_context_get_default_queue(stage.context, &set), CADASTRE_SUCCESS);
  assert_ptr_equal(set, queue == Named::contexts ? other.stream : CADASTRE_DEFAULT_QUEUE);
  assert_int_equal(cadastre_unlock(stage.context), CADASTRE_FAILURE);  // nobody holds the lock
  assert_int_equal(cadastre_context_set_default_queue(stage.context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  SUNMemoryHelper_SetDefaultQueue_Cadastre(stage.helper, nullptr);
  stage.release(back);
}
void copy_waits_as_cudamemcpy_does(void**) {
  for (const Named queue : {Named::given, Named::helpers, Named::contexts, Named::nowhere}) {
    assert_waits_as_cudamemcpy(queue);
  }
}

// As N_VCopyToDevice_Cuda does where the vector's memory is managed.
void a_managed_vector_is_copied_onto_itself(void**) {
  Stream stream;
  const Stage stage;
  const SUNMemory device = stage.block(SUNMEMTYPE_UVM), host = SUNMemoryHelper_Alias(stage.helper, device);
  assert_int_equal(cadastre_memset_async(stage.context, device->ptr, 6, 64, stream.stream), CADASTRE_SUCCESS);
  assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, device, host, 64, stream.place()), 0);
  assert_int_equal(SUNMemoryHelper_Copy(stage.helper, host, device, 64, stream.place()), 0);
  assert_int_equal(*static_cast<char*>(host->ptr), 6);
  void* own = nullptr;
  assert_int_equal(cuda("cudaMallocManaged", &own, std::size_t{64}, 1u), 0);
  const SUNMemory wrapped = SUNMemoryHelper_Wrap(stage.helper, own, SUNMEMTYPE_UVM);
  const SUNMemory alias = SUNMemoryHelper_Alias(stage.helper, wrapped);
  assert_int_equal(SUNMemoryHelper_Copy(stage.helper, alias, wrapped, 64, nullptr), 0);
  for (const SUNMemory memory : {alias, wrapped, host, device}) stage.release(memory);
  assert_int_equal(cuda("cudaFree", own), 0);
}

// SUNDIALS' own helper frees without a look at the queue, and a vector holds no share in its stream.
void memory_outlives_its_stream(void**) {
  skip_without_the_double("a GPU's driver may crash on the handle of a stream that was destroyed");
  for (const cadastre_pool pool : {CADASTRE_POOL_NONE, CADASTRE_POOL_VENDOR, CADASTRE_POOL_CACHING}) {
    const Stage stage(pool);
    for (const SUNMemoryType type : {SUNMEMTYPE_HOST, SUNMEMTYPE_PINNED, SUNMEMTYPE_DEVICE, SUNMEMTYPE_UVM}) {
      void* gone = nullptr;
      SUNMemory memory = nullptr;
      {
        Stream stream;
        gone = stream.stream;
        memory = stage.block(type, &gone);
      }
      stage.release(memory, &gone);
    }
  }
}

enum class Default { helper, helper_by_sundials, clone, context };

void assert_default_queue(Default whose) {
  Stream stream, other;
  const Stage stage;
  const Pair pair(stage);
  SUNMemoryHelper used = stage.helper;
  if (whose == Default::helper_by_sundials) {
    assert_int_equal(SUNMemoryHelper_SetDefaultQueue(used, stream.place()), 0);
  } else if (whose == Default::context) {
    assert_int_equal(cadastre_context_set_default_queue(stage.context, stream.stream), CADASTRE_SUCCESS);
  } else {
    assert_int_equal(SUNMemoryHelper_SetDefaultQueue_Cadastre(used, stream.place()), 0);
  }
  if (whose == Default::clone) used = SUNMemoryHelper_Clone(stage.helper);
  assert_int_equal(SUNMemoryHelper_CopyAsync(used, pair.there, pair.here, 64, nullptr), 0);
  other.synchronize();
  assert_still(1, pair.there->ptr);
  stream.synchronize();
  assert_int_equal(cuda_double().first_byte(pair.there->ptr), 2);
  // What is given goes before what is set.
  std::memset(pair.here->ptr, 8, 64);
  assert_int_equal(SUNMemoryHelper_CopyAsync(used, pair.there, pair.here, 64, other.place()), 0);
  stream.synchronize();
  assert_still(2, pair.there->ptr);
  other.synchronize();
  assert_int_equal(cuda_double().first_byte(pair.there->ptr), 8);
  if (used != stage.helper) assert_int_equal(SUNMemoryHelper_Destroy(used), 0);
  assert_int_equal(SUNMemoryHelper_SetDefaultQueue_Cadastre(stage.helper, nullptr), 0);
  assert_int_equal(cadastre_context_set_default_queue(stage.context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
}
void the_default_queue_is_the_helpers(void**) {
  assert_default_queue(Default::helper);
  assert_default_queue(Default::helper_by_sundials);
}
void a_clone_has_the_default_queue(void**) { assert_default_queue(Default::clone); }
void without_one_it_is_the_contexts(void**) { assert_default_queue(Default::context); }

void allocations_follow_the_default_queue(void**) {
  Stream stream;
  const Stage stage(CADASTRE_POOL_VENDOR);
  assert_int_equal(SUNMemoryHelper_SetDefaultQueue_Cadastre(stage.helper, stream.place()), 0);
  const SUNMemory memory = stage.block(SUNMEMTYPE_DEVICE);
  cuda_double().forget_calls();
  stage.release(memory);
  assert_int_equal(cuda_double().calls_of("cudaFree"), 0);
  assert_int_equal(cuda_double().calls_of("cudaStreamSynchronize") + cuda_double().calls_of("cudaDeviceSynchronize") +
                       cuda_double().calls_of("cudaEventSynchronize"),
                   0);
}

// Memory of the caller's own cudaMalloc: no registry knows it, its object says what it is.
void memory_of_the_callers_own_is_copied(void**) {
  Stream stream;
  const Stage stage;
  void* own = nullptr;
  assert_int_equal(cuda("cudaMalloc", &own, std::size_t{64}), 0);
  char text[64] = "by way of the device", back[64] = "";
  const SUNMemory there = SUNMemoryHelper_Wrap(stage.helper, own, SUNMEMTYPE_DEVICE);
  const SUNMemory from = SUNMemoryHelper_Wrap_Cadastre(stage.helper, text, SUNMEMTYPE_HOST);
  const SUNMemory to = SUNMemoryHelper_Wrap_Cadastre(stage.helper, back, SUNMEMTYPE_HOST);
  const SUNMemory known = stage.block(SUNMEMTYPE_DEVICE);
  assert_int_not_equal(cadastre_memcpy(stage.context, own, text, 64), CADASTRE_SUCCESS);
  assert_int_equal(SUNMemoryHelper_Copy(stage.helper, there, from, 64, nullptr), 0);
  assert_int_equal(SUNMemoryHelper_Copy(stage.helper, known, there, 64, stream.place()), 0);
  assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, to, known, 64, stream.place()), 0);
  stream.synchronize();
  assert_string_equal(back, text);
  assert_int_not_equal(cadastre_find_block(stage.context, own, nullptr, nullptr), CADASTRE_SUCCESS);
  for (const SUNMemory memory : {there, from, to, known}) stage.release(memory);
  assert_int_equal(cuda_double().first_byte(own), 'b');  // wrapped memory is not freed
  assert_int_equal(cuda("cudaFree", own), 0);
}

void a_freed_block_is_refused_by_the_vendor(void**) {
  skip_without_the_double("a GPU may let a copy of freed memory pass");
  const Stage stage;
  char back[64];
  const SUNMemory memory = stage.block(SUNMEMTYPE_DEVICE);
  const SUNMemory late = SUNMemoryHelper_Alias_Cadastre(stage.helper, memory);
  const SUNMemory here = SUNMemoryHelper_Wrap_Cadastre(stage.helper, back, SUNMEMTYPE_HOST);
  stage.release(memory);
  assert_int_not_equal(SUNMemoryHelper_Copy(stage.helper, here, late, 64, nullptr), 0);
  stage.release(late);
  stage.release(here);
}

// The double gives the lowest address that is free, which is the one that was freed last.
void memory_at_an_address_that_was_ours_is_copied(void**) {
  const Stage stage;
  const SUNMemory memory = stage.block(SUNMEMTYPE_DEVICE);
  void* const before = memory->ptr;
  stage.release(memory);
  void* own = nullptr;
  assert_int_equal(cuda("cudaMalloc", &own, std::size_t{64}), 0);
  if (own == before) {
    char text[64] = "recycled", back[64] = "";
    const SUNMemory there = SUNMemoryHelper_Wrap(stage.helper, own, SUNMEMTYPE_DEVICE);
    const SUNMemory from = SUNMemoryHelper_Wrap_Cadastre(stage.helper, text, SUNMEMTYPE_HOST);
    const SUNMemory to = SUNMemoryHelper_Wrap_Cadastre(stage.helper, back, SUNMEMTYPE_HOST);
    assert_int_equal(SUNMemoryHelper_Copy(stage.helper, there, from, 64, nullptr), 0);
    assert_int_equal(SUNMemoryHelper_Copy(stage.helper, to, there, 64, nullptr), 0);
    assert_string_equal(back, text);
    for (const SUNMemory object : {there, from, to}) stage.release(object);
  }
  assert_int_equal(cuda("cudaFree", own), 0);
  if (own != before) skip_because("the driver gave the stream another address");
}

void the_bounds_of_another_contexts_block_hold(void**) {
  const Stage stage, other;
  const SUNMemory memory = other.block(SUNMEMTYPE_DEVICE);
  char text[128] = "more than there is room for";
  const SUNMemory from = SUNMemoryHelper_Wrap_Cadastre(stage.helper, text, SUNMEMTYPE_HOST);
  assert_int_equal(SUNMemoryHelper_Copy(stage.helper, memory, from, 64, nullptr), 0);
  assert_int_equal(SUNMemoryHelper_Copy(stage.helper, memory, from, 65, nullptr), SUN_ERR_ARG_OUTOFRANGE);
  assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, from, memory, 65, nullptr), SUN_ERR_ARG_OUTOFRANGE);
  assert_int_not_equal(cadastre_find_block(stage.context, memory->ptr, nullptr, nullptr), CADASTRE_SUCCESS);
  stage.release(from);
  other.release(memory);
}

std::size_t bytes_of(SUNMemoryHelper helper) {
  std::size_t bytes = 99;
  assert_int_equal(SUNMemoryHelper_GetAllocStats(helper, SUNMEMTYPE_DEVICE, nullptr, nullptr, &bytes, nullptr), 0);
  return bytes;
}

// A queue that cannot be waited for leaves the block as it was; it can be freed later.
void a_free_that_failed_may_be_tried_again(void**) {
  skip_without_the_double("only the double of CUDA lets a call fail");
  Stream stream;
  const Stage stage;
  const SUNMemory memory = stage.block(SUNMEMTYPE_DEVICE);
  cuda_double().fail("cudaStreamSynchronize", 1L, 2L, 700);
  assert_int_equal(SUNMemoryHelper_Dealloc(stage.helper, memory, stream.place()), SUN_ERR_MEM_FAIL);
  cuda_double().fail(nullptr, 1L, 0L, 0);
  assert_int_equal(bytes_of(stage.helper), 64);
  stage.release(memory, stream.place());
  assert_int_equal(bytes_of(stage.helper), 0);
}

void a_failing_runtime_is_an_error(void**) {
  skip_without_the_double("only the double of CUDA lets a call fail");
  const Stage stage;
  SUNMemory memory = nullptr;
  cuda_double().fail("cudaMalloc", 1L, 1L, 2);
  assert_int_not_equal(SUNMemoryHelper_Alloc(stage.helper, &memory, 64, SUNMEMTYPE_DEVICE, nullptr), 0);
  cuda_double().fail(nullptr, 1L, 0L, 0);
  assert_null(memory);
  assert_int_equal(bytes_of(stage.helper), 0);
}

}  // namespace

int main() {
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  if (cadastre_backend_get_info(spoken().backend, &info) != CADASTRE_SUCCESS || !info.available) {
    std::printf("1..0 # SKIP there is no CUDA: %s\n", info.problem);
    return 0;
  }
  const CMUnitTest tests[] = {
      cmocka_unit_test(all_types_come_from_the_backend),
      cmocka_unit_test(memory_is_ordered_where_the_pool_is_the_vendors),
      cmocka_unit_test(the_queue_that_is_given_is_the_one_asked),
      cmocka_unit_test(a_queue_frees_after_its_work),
      cmocka_unit_test(copy_waits_and_copyasync_does_not),
      cmocka_unit_test(a_copy_is_in_the_order_of_its_queue),
      cmocka_unit_test(copy_waits_as_cudamemcpy_does),
      cmocka_unit_test(a_managed_vector_is_copied_onto_itself),
      cmocka_unit_test(memory_outlives_its_stream),
      cmocka_unit_test(the_default_queue_is_the_helpers),
      cmocka_unit_test(a_clone_has_the_default_queue),
      cmocka_unit_test(without_one_it_is_the_contexts),
      cmocka_unit_test(allocations_follow_the_default_queue),
      cmocka_unit_test(memory_of_the_callers_own_is_copied),
      cmocka_unit_test(a_freed_block_is_refused_by_the_vendor),
      cmocka_unit_test(memory_at_an_address_that_was_ours_is_copied),
      cmocka_unit_test(the_bounds_of_another_contexts_block_hold),
      cmocka_unit_test(a_free_that_failed_may_be_tried_again),
      cmocka_unit_test(a_failing_runtime_is_an_error),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
