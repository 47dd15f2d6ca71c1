// Tangled from org/tests/cuda_driver_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "backends/cuda_driver_api.hpp"
#include "cmocka.hpp"
#include "cuda_double.hpp"

using namespace cadastre::cuda_driver;

namespace {

// A function of the driver that the program calls itself.
template <class... Arguments>
int driver(const char* function, Arguments... arguments) {
  auto* const found = reinterpret_cast<int (*)(Arguments...)>(dlsym(cuda_runtime(), function));
  assert_non_null(found);
  return found(arguments...);
}

CUcontext current() {
  CUcontext context = nullptr;
  assert_int_equal(driver("cuCtxGetCurrent", &context), 0);
  return context;
}

CUdevice handle_of(int device) {
  CUdevice handle = -1;
  assert_int_equal(driver("cuDeviceGet", &handle, device), 0);
  return handle;
}

bool has_primary(int device) {
  unsigned flags = 0;
  int active = -1;
  assert_int_equal(driver("cuDevicePrimaryCtxGetState", handle_of(device), &flags, &active), 0);
  return active == 1;
}

// Contexts of the program's own, the last of which is current.
struct Own {
  std::vector<CUcontext> contexts;
  explicit Own(std::initializer_list<int> devices) {
    for (const int device : devices) {
      contexts.push_back(nullptr);
      assert_int_equal(driver("cuCtxCreate_v2", &contexts.back(), 0U, handle_of(device)), 0);
    }
  }
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;
  ~Own() {
    while (!contexts.empty()) {
      assert_ptr_equal(current(), contexts.back());
      assert_int_equal(driver("cuCtxDestroy_v2", contexts.back()), 0);
      contexts.pop_back();
    }
    assert_null(current());
  }
};

cadastre_context context_on(int device, cadastre_pool pool = CADASTRE_POOL_NONE) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_CUDA;
  options.device = device < 0 ? CADASTRE_DEFAULT_DEVICE : CADASTRE_DEVICE_BY_ID(device);
  options.pool = pool;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  return context;
}

cadastre_memory_info_struct request(cadastre_memory_type type, std::size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.type = type;
  info.size = size;
  return info;
}

using Step = std::function<void()>;

// All kinds of work on a device; `then` is called after each call to the library.
void work_on(int device, cadastre_pool pool, const Step& then) {
  const cadastre_context context = context_on(device, pool);
  then();
  unsigned char bytes[512];
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED, CADASTRE_UVM}) {
    void* block = cadastre_malloc(context, request(type, 512));
    then();
    if (!block) continue;
    cadastre_memcpy(context, block, bytes, sizeof bytes);
    then();
    cadastre_memcpy(context, bytes, block, sizeof bytes);
    then();
    cadastre_memset(context, block, 7, 512);
    then();
    if (void* const longer = cadastre_realloc(context, block, 4096)) block = longer;
    then();
    if (cadastre_free(context, block) != CADASTRE_SUCCESS) cadastre_free(context, block);
    then();
  }
  void* const ordered = cadastre_malloc_async(context, request(CADASTRE_DEVICE, 512), CADASTRE_DEFAULT_QUEUE);
  then();
  if (ordered && cadastre_free_async(context, ordered, CADASTRE_DEFAULT_QUEUE) != CADASTRE_SUCCESS) cadastre_free(context, ordered);
  then();
  cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE);
  then();
  cadastre_device_info_struct info = cadastre_device_info_struct_zero;
  cadastre_device_get_info(CADASTRE_BACKEND_CUDA, device, &info);
  then();
  cadastre_context_destroy(context);
  then();
}

constexpr cadastre_pool both_pools[] = {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING};

void after_each_call_is_current(CUcontext mine) {
  for (const cadastre_pool pool : both_pools) {
    for (const int device : {0, 1}) {
      work_on(device, pool, [=] { assert_ptr_equal(current(), mine); });
    }
  }
}

void the_context_of_the_caller_is_current_after_each_call(void**) {
  std::thread without([] { after_each_call_is_current(nullptr); });
  without.join();
  for (const auto devices : {std::initializer_list<int>{0}, {1}, {0, 1}, {1, 0, 0}}) {
    const Own mine(devices);
    after_each_call_is_current(mine.contexts.back());
  }
  assert_int_equal(cuda("cudaSetDevice", 1), 0);
  after_each_call_is_current(current());
  assert_int_equal(driver("cuCtxSetCurrent", static_cast<void*>(nullptr)), 0);
}

void and_whichever_call_to_the_driver_fails(void**) {
  for (const bool has_one : {false, true}) {
    const Own mine(has_one ? std::initializer_list<int>{0} : std::initializer_list<int>{});
    const CUcontext before = current();
    cuda_double().forget_calls();
    work_on(1, CADASTRE_POOL_NONE, [] {});
    const long all = cuda_double().calls_of(nullptr);
    assert_true(all > 100);
    const std::size_t blocks = cuda_double().census().blocks;
    for (long k = 1; k <= all; ++k) {
      const cadastre_context alive = context_on(1);
      cuda_double().fail(nullptr, k, 1, cudaErrorIllegalAddress);
      bool failed = true;
      work_on(1, CADASTRE_POOL_NONE, [&] {
        // The question is one that may be refused, too.
        CUcontext now = nullptr;
        if (driver("cuCtxGetCurrent", &now) == 0) failed = failed && now == before;
      });
      cuda_double().fail(nullptr, 0, 0, 0);
      assert_true(failed);
      assert_ptr_equal(current(), before);
      cadastre_context_destroy(alive);
    }
    // What a free refused may stay with the driver, and is counted by the library.
    assert_true(cuda_double().census().blocks - blocks < static_cast<std::size_t>(all));
  }
}

void a_context_of_the_right_device_is_not_left(void**) {
  for (const int device : {0, 1}) {
    const Own mine{device};
    cuda_double().forget_calls();
    work_on(device, CADASTRE_POOL_NONE, [] {});
    assert_int_equal(cuda_double().calls_of("cuCtxSetCurrent"), 0);
    work_on(1 - device, CADASTRE_POOL_NONE, [] {});
    assert_true(cuda_double().calls_of("cuCtxSetCurrent") > 0);
  }
}

// An event belongs to the context of its stream.
void what_a_context_of_the_callers_has_is_usable_in_it(void**) {
  const Own mine{0};
  cudaStream_t stream = nullptr;
  assert_int_equal(driver("cuStreamCreate", &stream, 1U), 0);
  const cadastre_context context = context_on(0, CADASTRE_POOL_CACHING);
  for (int i = 0; i < 3; ++i) {
    void* const block = cadastre_malloc_async(context, request(CADASTRE_DEVICE, 1000), stream);
    assert_non_null(block);
    assert_int_equal(cadastre_memset_async(context, block, 5, 1000, stream), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free_async(context, block, stream), CADASTRE_SUCCESS);
  }
  assert_int_equal(cadastre_synchronize(context, stream), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_int_equal(driver("cuStreamDestroy_v2", stream), 0);
}

void a_thread_without_a_context_frees_and_waits_for_what_others_made(void**) {
  for (const cadastre_pool pool : both_pools) {
    const cadastre_context context = context_on(1, pool);
    std::array<void*, 3> blocks{};
    std::thread maker([&] {
      const Own mine{1};
      std::size_t next = 0;
      for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED, CADASTRE_UVM}) {
        assert_non_null(blocks[next] = cadastre_malloc(context, request(type, 100)));
        assert_int_equal(cadastre_memset_async(context, blocks[next++], 1, 100, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
      }
    });
    maker.join();
    assert_null(current());
    for (void* const block : blocks) {
      assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
      assert_null(current());
    }
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
    assert_null(current());
  }
}

// A pool marks by an event what a queue is not done with; memory for any queue waits for it.
void a_thread_without_a_context_waits_for_events_and_destroys_them(void**) {
  cudaStream_t stream = nullptr;
  {
    const Own mine{1};
    assert_int_equal(cuda("cudaSetDevice", 1), 0);
    assert_int_equal(driver("cuStreamCreate", &stream, 1U), 0);
    assert_int_equal(driver("cuCtxSetCurrent", mine.contexts.back()), 0);
  }
  assert_null(current());
  const std::size_t events = cuda_double().census().events;
  const cadastre_context context = context_on(1, CADASTRE_POOL_CACHING);
  void* const block = cadastre_malloc_async(context, request(CADASTRE_DEVICE, std::size_t{1} << 21), stream);
  assert_non_null(block);
  assert_int_equal(cadastre_memset_async(context, block, 5, 100, stream), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free_async(context, block, stream), CADASTRE_SUCCESS);
  cuda_double().forget_calls();
  void* const again = cadastre_malloc(context, request(CADASTRE_DEVICE, std::size_t{1} << 21));
  assert_ptr_equal(again, block);
  assert_true(cuda_double().calls_of("cudaEventSynchronize") > 0);
  assert_int_equal(cadastre_free(context, again), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_int_equal(cuda_double().census().events, events);
  assert_null(current());
  assert_int_equal(cuda("cudaStreamDestroy", stream), 0);
}

void counting_devices_makes_no_context(void**) {
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  assert_int_equal(cadastre_backend_get_info(CADASTRE_BACKEND_CUDA, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.device_count, 2);
  cadastre_context_destroy(context_on(0));
  cadastre_context_destroy(context_on(-1));
  assert_false(has_primary(0) || has_primary(1));
  assert_int_equal(cuda_double().calls_of("cuDevicePrimaryCtxRetain"), 0);
  assert_int_equal(cuda_double().calls_of("cuCtxSetCurrent"), 0);
  assert_int_equal(cuda_double().calls_of("cuInit"), 1);
}

// The first call of all to retain one waits, until another thread has come and gone.
void threads_that_come_at_once_retain_a_primary_context_once(void**) {
  std::thread first([] { work_on(1, CADASTRE_POOL_NONE, [] {}); });
  while (!cuda_double().is_asleep()) std::this_thread::yield();
  work_on(1, CADASTRE_POOL_NONE, [] {});
  cuda_double().wake();
  first.join();
  assert_int_equal(cuda_double().calls_of("cuDevicePrimaryCtxRetain"), 2);
  assert_int_equal(cuda_double().calls_of("cuDevicePrimaryCtxRelease_v2"), 1);
}

void a_device_that_is_used_has_its_primary_context_and_no_other_has(void**) {
  cuda_double().forget_calls();
  work_on(1, CADASTRE_POOL_NONE, [] {});
  assert_false(has_primary(0));
  assert_true(has_primary(1));
  assert_int_equal(cuda_double().calls_of("cuDevicePrimaryCtxRetain"), 0);
}

void a_pointer_is_known_in_a_thread_without_a_context(void**) {
  assert_null(current());
  void* foreign = nullptr;
  assert_int_equal(cuda("cudaMalloc", &foreign, std::size_t{1000}), 0);
  const cadastre_context context = context_on(0);
  unsigned char bytes[100] = {};
  // Memory of the device that the library did not allocate: it must not be taken for the host's.
  assert_int_not_equal(cadastre_memcpy(context, bytes, foreign, sizeof bytes), CADASTRE_SUCCESS);
  assert_null(current());
  cadastre_context_destroy(context);
  assert_int_equal(cuda("cudaFree", foreign), 0);
}

void a_device_that_was_reset_is_used_again(void**) {
  work_on(1, CADASTRE_POOL_NONE, [] {});
  assert_int_equal(cuda("cudaSetDevice", 1), 0);
  assert_int_equal(cuda("cudaDeviceReset"), 0);
  assert_int_equal(driver("cuCtxSetCurrent", static_cast<void*>(nullptr)), 0);
  assert_false(has_primary(1));
  const cadastre_context context = context_on(1);
  void* const block = cadastre_malloc(context, request(CADASTRE_DEVICE, 100));
  assert_non_null(block);
  assert_true(has_primary(1));
  assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  cadastre_context_destroy(context);
}

void a_context_that_was_destroyed_while_it_was_current_is_left_for_another(void**) {
  std::thread thread([] {
    assert_int_equal(cuda("cudaSetDevice", 1), 0);
    assert_int_equal(cuda("cudaDeviceReset"), 0);  // the thread still has what is no more
    const cadastre_context context = context_on(1);
    void* const block = cadastre_malloc(context, request(CADASTRE_DEVICE, 100));
    assert_non_null(block);
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
    cadastre_context_destroy(context);
  });
  thread.join();
}

void the_last_error_of_the_program_is_left_alone(void**) {
  assert_int_not_equal(cuda("cudaSetDevice", 99), 0);
  const cadastre_context context = context_on(0);
  assert_null(cadastre_malloc(context, request(CADASTRE_DEVICE, std::size_t{1} << 40)));
  work_on(0, CADASTRE_POOL_NONE, [] {});
  cadastre_context_destroy(context);
  assert_int_equal(cuda("cudaGetLastError"), cudaErrorInvalidDevice);
  assert_int_equal(cuda("cudaGetLastError"), cudaSuccess);
}

void a_failure_tells_the_function_of_the_driver(void**) {
  const cadastre_context context = context_on(0);
  assert_null(cadastre_malloc(context, request(CADASTRE_DEVICE, std::size_t{1} << 40)));
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  assert_int_equal(error.reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
  assert_int_equal(error.vendor_code, cudaErrorMemoryAllocation);
  assert_string_equal(error.vendor_message, "out of memory");
  assert_non_null(std::strstr(error.message, "cuMemAlloc_v2"));
  cadastre_context_destroy(context);
}

void the_driver_is_told_to_serve(void**) {
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  assert_int_equal(cadastre_backend_get_info(CADASTRE_BACKEND_CUDA, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.available, 1);
  assert_non_null(std::strstr(info.description, "NVIDIA's driver alone, without the CUDA runtime; other processes (MPI, IPC) can map"));
}

}  // namespace

int main() {
  setenv("CUDA_DOUBLE_DEVICES", "2", 1);
  setenv("CUDA_DOUBLE_DRIVER", "15000", 1);  // newer than all that is known
  setenv("CUDA_DOUBLE_SLOW", "cuDevicePrimaryCtxRetain", 1);
  if (!on_driver()) {
    std::printf("1..0 # SKIP CADASTRE_CUDA_LIBRARY names no double of the driver\n");
    return 0;
  }
  const CMUnitTest tests[] = {
      cmocka_unit_test(counting_devices_makes_no_context),
      cmocka_unit_test(threads_that_come_at_once_retain_a_primary_context_once),
      cmocka_unit_test(a_device_that_is_used_has_its_primary_context_and_no_other_has),
      cmocka_unit_test(the_context_of_the_caller_is_current_after_each_call),
      cmocka_unit_test(and_whichever_call_to_the_driver_fails),
      cmocka_unit_test(a_context_of_the_right_device_is_not_left),
      cmocka_unit_test(what_a_context_of_the_callers_has_is_usable_in_it),
      cmocka_unit_test(a_thread_without_a_context_frees_and_waits_for_what_others_made),
      cmocka_unit_test(a_thread_without_a_context_waits_for_events_and_destroys_them),
      cmocka_unit_test(a_pointer_is_known_in_a_thread_without_a_context),
      cmocka_unit_test(a_device_that_was_reset_is_used_again),
      cmocka_unit_test(a_context_that_was_destroyed_while_it_was_current_is_left_for_another),
      cmocka_unit_test(the_last_error_of_the_program_is_left_alone),
      cmocka_unit_test(a_failure_tells_the_function_of_the_driver),
      cmocka_unit_test(the_driver_is_told_to_serve),
  };
  return cmocka_run_group_tests_name("CUDA without the runtime", tests, nullptr, nullptr);
}
