// Tangled from org/tests/out_of_memory_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What is done before a request is refused for want of memory.
#include <malloc.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "pooled_contexts.hpp"

namespace {

struct Stream {
  void* stream = nullptr;
  explicit Stream(unsigned flags = 1) { assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, flags), 0); }
  ~Stream() { cuda("cudaStreamDestroy", stream); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cadastre_queue() const { return stream; }
};

cadastre_context on_the_double(cadastre_pool pool = CADASTRE_POOL_CACHING) {
  if (!cuda_double()) skip_because(needs_the_double);
  destroy(cuda_context());
  return context_on(spoken().backend, pool);
}

cadastre_context on_the_host() { return context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE); }

cadastre_memory_info_struct of_device(std::size_t size) { return request(size, CADASTRE_DEVICE, CADASTRE_UNINITIALIZED); }

cadastre_error_struct last(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  return error;
}

void assert_says(cadastre_context context, const std::string& part) {
  const std::string message = last(context).message;
  const bool says = message.find(part) != std::string::npos;
  if (!says) std::fprintf(stderr, "\"%s\" is not in: %s\n", part.c_str(), message.c_str());
  assert_true(says);
}

void limit(cadastre_context context, cadastre_memory_type type, std::size_t bytes) {
  assert_int_equal(cadastre_set_limit(context, type, bytes), CADASTRE_SUCCESS);
}

// Gives work on a block to a queue, in so many pieces.
void work(cadastre_context context, void* block, std::size_t size, cadastre_queue queue, int pieces) {
  for (int i = 0; i < pieces; ++i) assert_int_equal(cadastre_memset_async(context, block, i, size, queue), CADASTRE_SUCCESS);
}

// Blocks of a pool that were freed on queues which are still at work on them. All are alive at once, so that the pool may keep all.
void keep_in_flight(cadastre_context context, std::initializer_list<std::pair<cadastre_queue, std::size_t>> blocks, int pieces = 6) {
  std::vector<void*> allocated;
  for (const auto& [queue, size] : blocks) {
    allocated.push_back(cadastre_malloc_async(context, of_device(size), queue));
    assert_non_null(allocated.back());
    work(context, allocated.back(), size, queue, pieces);
  }
  auto block = allocated.begin();
  for (const auto& [queue, size] : blocks) assert_int_equal(cadastre_free_async(context, *block++, queue), CADASTRE_SUCCESS);
}

// While it lives no event passes.
struct NothingIsDone {
  NothingIsDone() { cuda_double().fail("cudaEventQuery", 1, -1, 600); }
  ~NothingIsDone() { cuda_double().fail("cudaEventQuery", 1, 0, 0); }
};

template <class Body>
std::chrono::milliseconds time_of(Body body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
}

constexpr std::chrono::milliseconds patience(300), long_time(20000);

// So nobody is let into the context meanwhile either.
void a_request_beyond_a_limit_calls_no_vendor_where_nothing_is_idle(void**) {
  const cadastre_context context = on_the_double();
  limit(context, CADASTRE_HOST, mebi);
  cuda_double().forget_calls();
  assert_null(cadastre_malloc(context, request(mebi + 1)));
  void* const half = allocate(context, mebi / 2);
  assert_null(cadastre_malloc(context, request(mebi)));
  assert_int_equal(cuda_double().calls(nullptr), 0);
  release(context, half);
  destroy(context);
}

void what_a_queue_still_uses_is_waited_for(void**) {
  const cadastre_context context = on_the_double(), plain = on_the_double(CADASTRE_POOL_NONE);
  {
    const Stream first, second;
    keep_in_flight(context, {{first, 3 * mebi}, {second, 2 * mebi}});
    cuda_double().forget_calls();
    void* const block = cadastre_malloc(plain, of_device(6 * mebi));
    assert_non_null(block);
    assert_true(cuda_double().calls_of("cudaEventQuery") > 3);
    assert_int_equal(cuda_double().calls_of("cudaEventSynchronize"), 0);
    assert_int_equal(pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE).releasable_bytes, 0);
    assert_int_equal(cadastre_free(plain, block), CADASTRE_SUCCESS);
  }
  destroy(context);
  destroy(plain);
}

// At a later one at each time it would never be done with what others put there meanwhile.
void the_default_queue_is_asked_about_one_moment(void**) {
  const cadastre_context context = on_the_double(), plain = on_the_double(CADASTRE_POOL_NONE);
  keep_in_flight(context, {{CADASTRE_DEFAULT_QUEUE, 5 * mebi}});
  cuda_double().forget_calls();
  void* const block = cadastre_malloc(plain, of_device(6 * mebi));
  assert_non_null(block);
  assert_true(cuda_double().calls_of("cudaEventQuery") > 3);
  assert_int_equal(cuda_double().calls_of("cudaEventRecord"), 1);
  assert_int_equal(cadastre_free(plain, block), CADASTRE_SUCCESS);
  destroy(context);
  destroy(plain);
}

void the_wait_has_an_end(void**) {
  const cadastre_context context = on_the_double(), plain = on_the_double(CADASTRE_POOL_NONE);
  {
    const Stream first, second;
    keep_in_flight(context, {{first, 3 * mebi}, {second, 2 * mebi}});
    const NothingIsDone never;
    void* block = nullptr;
    const auto time = time_of([&] { block = cadastre_malloc(plain, of_device(6 * mebi)); });
    assert_null(block);
    assert_true(time >= patience && time < long_time);
    assert_int_equal(last(plain).exit_code, CADASTRE_ALLOCATION_FAILED);
    assert_says(plain, "pools have 5242880 bytes that queues still use");
    assert_int_equal(pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE).releasable_bytes, 5 * mebi);
  }
  destroy(context);
  destroy(plain);
}

void nobody_waits_in_a_capture(void**) {
  const cadastre_context context = on_the_double(), plain = on_the_double(CADASTRE_POOL_NONE);
  {
    const Stream uses, captured(0);
    keep_in_flight(context, {{uses, 5 * mebi}});
    assert_int_equal(cuda("cudaStreamBeginCapture", captured.stream, 2), 0);
    cuda_double().forget_calls();
    void* block = nullptr;
    const auto time = time_of([&] { block = cadastre_malloc(plain, of_device(6 * mebi)); });
    assert_null(block);
    assert_true(time < patience);
    assert_int_equal(cuda_double().calls_of("cudaEventQuery") + cuda_double().calls_of("cudaEventSynchronize"), 0);
    void* graph = nullptr;
    assert_int_equal(cuda("cudaStreamEndCapture", captured.stream, &graph), 0);
    assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
    block = cadastre_malloc(plain, of_device(6 * mebi));
    assert_non_null(block);
    assert_int_equal(cadastre_free(plain, block), CADASTRE_SUCCESS);
  }
  destroy(context);
  destroy(plain);
}

void use_workspace(cadastre_context context, cadastre_queue queue, std::size_t size) {
  void* scratch = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  assert_int_equal(cadastre_workspace_acquire_on_queue(context, CADASTRE_DEVICE, queue, 1, &size, &scratch, &lease), CADASTRE_SUCCESS);
  work(context, scratch, size, queue, 6);
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
}

void an_idle_workspace_that_a_queue_uses_is_waited_for(void**) {
  const cadastre_context lends = on_the_double(CADASTRE_POOL_NONE), plain = on_the_double(CADASTRE_POOL_NONE);
  {
    const Stream stream;
    for (const cadastre_queue queue : {cadastre_queue(stream), CADASTRE_DEFAULT_QUEUE}) {
      use_workspace(lends, queue, 5 * mebi);
      {
        const NothingIsDone never;
        void* block = nullptr;
        const auto time = time_of([&] { block = cadastre_malloc(plain, of_device(6 * mebi)); });
        assert_null(block);
        assert_true(time >= patience && time < long_time);
        assert_int_equal(statistics(lends, CADASTRE_DEVICE).live_bytes, 5 * mebi);
      }
      void* const block = cadastre_malloc(plain, of_device(6 * mebi));
      assert_non_null(block);
      assert_int_equal(statistics(lends, CADASTRE_DEVICE).live_bytes, 0);
      assert_int_equal(cadastre_free(plain, block), CADASTRE_SUCCESS);
    }
  }
  destroy(lends);
  destroy(plain);
}

void a_workspace_of_the_same_context_is_waited_for_at_a_limit(void**) {
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  {
    const Stream stream;
    limit(context, CADASTRE_DEVICE, 6 * mebi);
    use_workspace(context, stream, 5 * mebi);
    {
      const NothingIsDone never;
      assert_null(cadastre_malloc(context, of_device(2 * mebi)));
      assert_int_equal(last(context).exit_code, CADASTRE_LIMIT_EXCEEDED);
      // For what no limit allows nobody waits.
      assert_true(time_of([&] { assert_null(cadastre_malloc(context, of_device(7 * mebi))); }) < patience);
    }
    void* const block = cadastre_malloc(context, of_device(2 * mebi));
    assert_non_null(block);
    assert_int_equal(statistics(context, CADASTRE_DEVICE).live_bytes, 2 * mebi);
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  }
  destroy(context);
}

void keep_pages_of_the_host(cadastre_context context) {
  std::vector<void*> blocks;
  for (int i = 0; i < 200; ++i) blocks.push_back(allocate(context, 20000));
  for (void* const block : blocks) release(context, block);
}

bool has(cadastre::cuda_api::cudaDeviceAttr attribute) {
  int value = 0;
  return cuda("cudaDeviceGetAttribute", &value, int{spoken().attribute(attribute)}, 0) == 0 && value != 0;
}

void what_the_host_keeps_goes_before_its_memory_is_refused_whoever_refuses(void**) {
  if (sanitized) skip_because("nothing is kept where a checker of memory watches");
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE), host = on_the_host();
  const struct {
    cadastre_memory_type type;
    const char* routine;
    bool is_of_host;
  } sources[] = {{CADASTRE_PINNED, "cudaHostAlloc", true},
                 {CADASTRE_UVM, "cudaMallocManaged", true},
                 {CADASTRE_DEVICE, "cudaMalloc", has(cadastre::cuda_api::cudaDevAttrIntegrated)}};
  for (const auto& source : sources) {
    if (source.type == CADASTRE_UVM && !has(cadastre::cuda_api::cudaDevAttrManagedMemory)) continue;
    keep_pages_of_the_host(host);
    cuda_double().forget_calls();
    cuda_double().fail(source.routine, 1, 1, 2);
    void* const block = cadastre_malloc(context, request(5000, source.type, CADASTRE_UNINITIALIZED));
    assert_int_equal(block != nullptr, source.is_of_host);
    assert_int_equal(cuda_double().calls_of(source.routine), source.is_of_host ? 2 : 1);
    if (block) release(context, block);
  }
  destroy(context);
  destroy(host);
}

constexpr std::uint64_t all_there_is = UINT64_MAX;

void* vendors_pool(std::uint64_t threshold = all_there_is) {
  constexpr int release_threshold = cadastre::cuda_api::cudaMemPoolAttrReleaseThreshold;
  void* pool = nullptr;
  assert_int_equal(cuda("cudaDeviceGetDefaultMemPool", &pool, 0), 0);
  assert_int_equal(cuda("cudaMemPoolSetAttribute", pool, release_threshold, static_cast<void*>(&threshold)), 0);
  return pool;
}

void has_pools_or_skip() {
  if (!cuda_double()) skip_because(needs_the_double);
  if (!has(cadastre::cuda_api::cudaDevAttrMemoryPoolsSupported)) skip_because("the device has no pools of its own");
}

const cadastre_queue of_this_thread = cadastre::cuda_api::cudaStreamPerThread;

// A block of the vendor's pool that was freed on a queue which is still at work on it.
void free_in_flight(cadastre_context context, cadastre_queue queue, std::size_t size, int pieces = 6) {
  void* const block = cadastre_malloc_async(context, of_device(size), queue == of_this_thread ? CADASTRE_DEFAULT_QUEUE : queue);
  assert_non_null(block);
  if (pieces > 0) work(context, block, size, queue, pieces);
  assert_int_equal(cadastre_free_async(context, block, queue), CADASTRE_SUCCESS);
}

void allocate_and_free(cadastre_context context, std::size_t size) { release(context, allocate(context, size, CADASTRE_DEVICE)); }

void what_was_freed_to_the_vendors_pool_is_waited_for(void**) {
  has_pools_or_skip();
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE), other = on_the_double(CADASTRE_POOL_CACHING);
  vendors_pool();
  {
    const Stream first, second;
    for (const cadastre_context asks : {context, other}) {
      free_in_flight(context, first, 3 * mebi);
      free_in_flight(context, second, 2 * mebi);
      free_in_flight(context, CADASTRE_DEFAULT_QUEUE, mebi);
      cuda_double().forget_calls();
      void* const block = cadastre_malloc(asks, of_device(7 * mebi));
      assert_non_null(block);
      assert_true(cuda_double().calls_of("cudaEventQuery") > 3 && cuda_double().calls_of("cudaMemPoolTrimTo") > 0);
      assert_int_equal(cuda_double().calls_of("cudaEventSynchronize") + cuda_double().calls_of("cudaDeviceSynchronize"), 0);
      release(asks, block);
      cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_DEVICE, 0);
    }
    free_in_flight(context, of_this_thread, 5 * mebi);
    allocate_and_free(context, 6 * mebi);
  }
  vendors_pool(0);
  destroy(context);
  destroy(other);
}

void what_others_keep_in_the_vendors_pool_goes_with_it(void**) {
  has_pools_or_skip();
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  vendors_pool();
  {
    const Stream stream;
    void* others = nullptr;
    assert_int_equal(cuda("cudaMallocAsync", &others, std::size_t{4 * mebi}, stream.stream), 0);
    assert_int_equal(cuda("cudaFreeAsync", others, stream.stream), 0);
    free_in_flight(context, stream, mebi);
    allocate_and_free(context, 7 * mebi);
  }
  vendors_pool(0);
  destroy(context);
}

void the_wait_for_the_vendors_pool_has_an_end_and_the_refusal_tells_what_it_keeps(void**) {
  has_pools_or_skip();
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  vendors_pool();
  {
    const Stream first, second;
    free_in_flight(context, first, 3 * mebi);
    free_in_flight(context, second, 2 * mebi);
    {
      const NothingIsDone never;
      void* block = nullptr;
      const auto time = time_of([&] { block = cadastre_malloc(context, of_device(6 * mebi)); });
      assert_null(block);
      assert_true(time >= patience && time < long_time);
      assert_int_equal(last(context).reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
      assert_says(context, "; 5242880 bytes were freed in the order of queues that may still use them");
      assert_says(context, "5.00 MiB are in use, and 0 B of these are not Cadastre's");
    }
    allocate_and_free(context, 6 * mebi);
  }
  vendors_pool(0);
  destroy(context);
}

void a_block_of_the_vendors_pool_that_is_freed_at_once_goes_back_too(void**) {
  has_pools_or_skip();
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  vendors_pool();
  {
    const Stream stream;
    void* const block = cadastre_malloc_async(context, of_device(5 * mebi), stream);
    assert_non_null(block);
    release(context, block);
    allocate_and_free(context, 6 * mebi);
  }
  vendors_pool(0);
  destroy(context);
}

void a_pool_that_cannot_be_trimmed_is_asked_again_later(void**) {
  has_pools_or_skip();
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  vendors_pool();
  {
    const Stream stream;
    for (const char* const routine : {"cudaMemPoolTrimTo", "cudaDeviceGetDefaultMemPool"}) {
      free_in_flight(context, stream, 5 * mebi);
      const cadastre_statistics_struct before = statistics(context, CADASTRE_DEVICE);
      cuda_double().fail(routine, 1, -1, 1);
      void* block = nullptr;
      const auto time = time_of([&] { block = cadastre_malloc(context, of_device(6 * mebi)); });
      assert_null(block);
      assert_true(time < long_time);
      assert_int_equal(last(context).reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
      const cadastre_statistics_struct after = statistics(context, CADASTRE_DEVICE);
      assert_true(after.live_bytes == before.live_bytes && after.failed_allocations == before.failed_allocations + 1);
      assert_int_equal(cuda("cudaPeekAtLastError"), 0);
      cuda_double().fail(routine, 1, 0, 0);
      allocate_and_free(context, 6 * mebi);
    }
  }
  vendors_pool(0);
  destroy(context);
}

void a_limit_lets_the_vendors_pool_be(void**) {
  has_pools_or_skip();
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  vendors_pool();
  {
    const Stream stream;
    limit(context, CADASTRE_DEVICE, 6 * mebi);
    free_in_flight(context, stream, 3 * mebi);
    const NothingIsDone never;
    cuda_double().forget_calls();
    assert_true(time_of([&] { assert_null(cadastre_malloc(context, of_device(7 * mebi))); }) < patience);
    assert_int_equal(last(context).exit_code, CADASTRE_LIMIT_EXCEEDED);
    assert_int_equal(cuda_double().calls_of("cudaEventQuery") + cuda_double().calls_of("cudaMemPoolTrimTo"), 0);
  }
  {
    // Nor where a workspace is waited for.
    const Stream stream;
    use_workspace(context, stream, 3 * mebi);
    cuda_double().forget_calls();
    allocate_and_free(context, 5 * mebi);
    assert_true(cuda_double().calls_of("cudaEventQuery") > 0);
    assert_int_equal(cuda_double().calls_of("cudaMemPoolTrimTo"), 0);
  }
  limit(context, CADASTRE_DEVICE, CADASTRE_UNLIMITED);
  allocate_and_free(context, 7 * mebi);
  vendors_pool(0);
  destroy(context);
}

void what_served_again_is_told_once(void**) {
  has_pools_or_skip();
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  vendors_pool();
  {
    const Stream stream;
    for (int i = 0; i < 20; ++i) {
      free_in_flight(context, stream, 3 * mebi, 1);
      assert_int_equal(cuda("cudaStreamSynchronize", stream.stream), 0);
    }
    {
      const NothingIsDone never;
      assert_null(cadastre_malloc(context, of_device(6 * mebi)));
      assert_says(context, "; 3145728 bytes were freed in the order of queues");
    }
    allocate_and_free(context, 6 * mebi);
  }
  vendors_pool(0);
  destroy(context);
}

void an_event_that_cannot_be_asked_is_not_taken_for_one_that_has_passed(void**) {
  has_pools_or_skip();
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  vendors_pool();
  {
    const Stream stream;
    free_in_flight(context, stream, 5 * mebi);
    cuda_double().fail("cudaEventQuery", 1, 1, 700);
    assert_null(cadastre_malloc(context, of_device(6 * mebi)));
    assert_int_equal(cuda("cudaStreamSynchronize", stream.stream), 0);
    allocate_and_free(context, 6 * mebi);
  }
  vendors_pool(0);
  destroy(context);
}

void frees_that_wait_for_the_device_take_no_memory(void**) {
  has_pools_or_skip();
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  const auto allocate_and_free_often = [&] {
    for (int i = 0; i < 5000; ++i) release(context, cadastre_malloc_async(context, of_device(1000), CADASTRE_DEFAULT_QUEUE));
    cuda_double().forget();
  };
  allocate_and_free_often();
  const std::size_t before = mallinfo2().uordblks;
  allocate_and_free_often();
  assert_true(mallinfo2().uordblks < before + 100000);
  destroy(context);
}

void a_queue_with_the_handle_of_another_takes_nothing_from_it(void**) {
  has_pools_or_skip();
  if (!queues_have_identity()) skip_because(needs_identity);
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  vendors_pool();
  {
    void* handle = nullptr;
    {
      const Stream gone;
      handle = gone.stream;
      free_in_flight(context, gone, 5 * mebi);
    }
    const Stream next;
    assert_ptr_equal(next.stream, handle);  // else this proves nothing
    free_in_flight(context, next, 1000, 1);
    allocate_and_free(context, 6 * mebi);
  }
  vendors_pool(0);
  destroy(context);
}

void nothing_is_asked_of_the_vendors_pool_in_a_capture(void**) {
  has_pools_or_skip();
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  vendors_pool();
  {
    const Stream uses, captured(0);
    free_in_flight(context, uses, 5 * mebi);
    assert_int_equal(cuda("cudaStreamBeginCapture", captured.stream, 2), 0);
    cuda_double().forget_calls();
    assert_true(time_of([&] { assert_null(cadastre_malloc(context, of_device(6 * mebi))); }) < patience);
    assert_int_equal(cuda_double().calls_of("cudaEventQuery") + cuda_double().calls_of("cudaMemPoolTrimTo"), 0);
    void* graph = nullptr;
    assert_int_equal(cuda("cudaStreamEndCapture", captured.stream, &graph), 0);
    assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
    allocate_and_free(context, 6 * mebi);
  }
  vendors_pool(0);
  destroy(context);
}

void many_queues_leave_few_events_and_none_with_the_last_context(void**) {
  has_pools_or_skip();
  const std::size_t before = cuda_double().census().events;
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  vendors_pool();
  for (int i = 0; i < 1000; ++i) {
    const Stream stream;
    free_in_flight(context, stream, 1000, 1);
    assert_int_equal(cuda("cudaStreamSynchronize", stream.stream), 0);
    free_in_flight(context, of_this_thread, 1000, 0);
  }
  assert_true(cuda_double().census().events > before && cuda_double().census().events <= before + 200);
  {
    std::vector<Stream> streams(150);
    for (const Stream& stream : streams) free_in_flight(context, stream, 1000, 1);
    free_in_flight(context, CADASTRE_DEFAULT_QUEUE, 5 * mebi);
    allocate_and_free(context, 7 * mebi);
    for (const Stream& stream : streams) free_in_flight(context, stream, 1000, 1);
    assert_true(cuda_double().census().events > before);
  }
  vendors_pool(0);
  destroy(context);
  assert_int_equal(cuda_double().census().events, before);
  assert_int_equal(cuda("cudaDeviceSynchronize"), 0);
}

// A request that is refused for another reason may be made again; what was freed is there then.
void whichever_call_fails_the_vendors_pool_loses_nothing(void**) {
  has_pools_or_skip();
  void* const pool = vendors_pool();
  const cuda_double_census before = cuda_double().census();
  int refusals = 0;
  for (const int error : {1, 700}) {
    for (long k = 1; k < 80; ++k) {
      const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
      {
        const Stream stream;
        void* const block = cadastre_malloc_async(context, of_device(5 * mebi), stream);
        assert_non_null(block);
        work(context, block, 5 * mebi, stream, 2);
        cuda_double().fail(nullptr, k, 1, error);
        const cadastre_exit_code freed = cadastre_free_async(context, block, stream);
        if (freed != CADASTRE_SUCCESS) {
          ++refusals;
          assert_int_equal(freed, CADASTRE_DEALLOCATION_FAILED);  // the library has forgotten it
          assert_int_equal(cuda("cudaFreeAsync", block, stream.stream), 0);
          assert_int_equal(cuda("cudaStreamSynchronize", stream.stream), 0);
          assert_int_equal(cuda("cudaMemPoolTrimTo", pool, std::size_t{0}), 0);
        }
        void* const large = cadastre_malloc(context, of_device(6 * mebi));
        cuda_double().fail(nullptr, 1, 0, 0);
        assert_int_equal(cuda("cudaPeekAtLastError"), 0);
        if (large) {
          release(context, large);
        } else {
          ++refusals;
          assert_int_equal(statistics(context, CADASTRE_DEVICE).live_bytes, 0);
          assert_int_equal(cuda("cudaStreamSynchronize", stream.stream), 0);
          allocate_and_free(context, 6 * mebi);
        }
      }
      destroy(context);
      const cuda_double_census after = cuda_double().census();
      assert_true(after.blocks == before.blocks && after.streams == before.streams);
    }
  }
  assert_true(refusals > 10);
  vendors_pool(0);
}

void threads_that_free_in_the_order_of_queues_lose_nothing(void**) {
  has_pools_or_skip();
  const cadastre_context context = on_the_double(CADASTRE_POOL_NONE);
  vendors_pool();
  {
    const Stream streams[3];
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 200; ++i) {
          const cadastre_queue queue = streams[(t + i) % 3];
          void* const block = cadastre_malloc_async(context, of_device(mebi / 2), queue);
          if (block) cadastre_free_async(context, block, i % 4 == 3 ? of_this_thread : queue);
          if (i % 50 == 0) cadastre_free(context, cadastre_malloc(context, of_device(5 * mebi)));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    allocate_and_free(context, 7 * mebi);
  }
  vendors_pool(0);
  assert_int_equal(statistics(context, CADASTRE_DEVICE).live_blocks, 0);
  destroy(context);
}

void what_others_take_meanwhile_is_told(void**) {
  const cadastre_context context = on_the_double();
  void* const ours = cadastre_malloc(context, of_device(2 * mebi));
  assert_non_null(ours);
  cuda_double().take(0, 5 * mebi);
  assert_null(cadastre_malloc(context, of_device(2 * mebi)));
  assert_int_equal(last(context).reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
  assert_says(context, "7.00 MiB are in use, and 5.00 MiB of these are not Cadastre's");
  void* const less = cadastre_malloc(context, of_device(mebi / 2));
  assert_non_null(less);
  cuda_double().take(0, 0);
  for (void* const block : {ours, less}) release(context, block);
  destroy(context);
}

using Told = cadastre_out_of_memory_struct;
using Answer = std::function<bool(const Told&)>;

int ask(const Told* told, void* answer) { return (*static_cast<Answer*>(answer))(*told) ? 7 : 0; }

void set(cadastre_context context, Answer* answer) {
  assert_int_equal(cadastre_set_out_of_memory_function(context, answer ? ask : nullptr, answer), CADASTRE_SUCCESS);
}

void the_callback_is_told_what_is_requested(void**) {
  const cadastre_context context = on_the_host();
  limit(context, CADASTRE_HOST, 10 * mebi);
  void* held = allocate(context, 8 * mebi);
  std::int64_t calls = 0;
  Answer answer = [&](const Told& told) {
    assert_int_equal(told.struct_size, sizeof told);
    assert_int_equal(told.context, context);
    assert_int_equal(told.type, CADASTRE_HOST);
    assert_int_equal(told.reason, CADASTRE_REASON_LIMIT_EXCEEDED);
    assert_int_equal(told.size, 5 * mebi);
    assert_string_equal(told.label, "matrix");
    assert_int_equal(told.retries, calls);
    if (++calls == 3) release(context, std::exchange(held, nullptr));
    return true;
  };
  set(context, &answer);
  cadastre_memory_info_struct info = request(5 * mebi);
  info.label = "matrix";
  void* const block = cadastre_malloc(context, info);
  assert_non_null(block);
  assert_int_equal(calls, 3);
  const cadastre_statistics_struct figures = statistics(context);
  assert_true(figures.live_bytes == 5 * mebi && figures.live_blocks == 1 && figures.failed_allocations == 0);
  release(context, block);
  destroy(context);
}

void what_is_refused_otherwise_is_not_asked_about(void**) {
  const cadastre_context context = on_the_host();
  int calls = 0;
  Answer answer = [&](const Told&) { return ++calls, false; };
  set(context, &answer);
  set(CADASTRE_PROCESS, &answer);
  assert_null(cadastre_malloc(context, request(mebi, CADASTRE_HOST, 0x4000)));
  assert_null(cadastre_malloc(context, request(mebi, 77)));
  assert_null(cadastre_malloc(context, request(SIZE_MAX)));
  assert_int_equal(calls, 0);
  limit(context, CADASTRE_HOST, mebi);
  assert_null(cadastre_malloc(context, request(2 * mebi)));
  assert_int_equal(calls, 2);
  set(CADASTRE_PROCESS, nullptr);
  set(context, nullptr);
  assert_null(cadastre_malloc(context, request(2 * mebi)));
  assert_int_equal(calls, 2);
  assert_int_equal(cadastre_set_out_of_memory_function(context + 1000, ask, &answer), CADASTRE_INVALID_CONTEXT);
  destroy(context);
}

void a_block_that_is_resized_and_a_lease_ask_too(void**) {
  const cadastre_context context = on_the_host();
  limit(context, CADASTRE_HOST, 4 * mebi);
  void* held = allocate(context, 2 * mebi);
  unsigned char* block = allocate(context, mebi);
  std::memset(block, 7, mebi);
  int calls = 0;
  std::size_t wanted = 3 * mebi;
  Answer answer = [&](const Told& told) {
    ++calls;
    assert_int_equal(told.size, wanted);
    if (!held) return false;
    release(context, std::exchange(held, nullptr));
    return true;
  };
  set(context, &answer);
  block = static_cast<unsigned char*>(cadastre_realloc(context, block, 3 * mebi));
  assert_non_null(block);
  assert_true(calls == 1 && block[0] == 7 && block[mebi - 1] == 7 && block[mebi] == 0);
  wanted = 2 * mebi;
  void* scratch = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  assert_int_equal(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &wanted, &scratch, &lease),
                   CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(calls, 2);
  assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_HOST, wanted), CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(calls, 3);
  held = block;
  assert_int_equal(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &wanted, &scratch, &lease),
                   CADASTRE_SUCCESS);
  assert_int_equal(calls, 4);
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  destroy(context);
}

void the_nearest_callback_is_asked_first_and_the_process_last(void**) {
  const cadastre_context parent = on_the_host();
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  options.parent = parent;
  const cadastre_context child = cadastre_context_create_with_options(&options);
  assert_true(child != CADASTRE_NULL_CONTEXT);
  limit(child, CADASTRE_HOST, mebi);
  std::string asked;
  std::string yes;
  const auto answer_of = [&](char name) {
    return Answer([&asked, &yes, child, name](const Told& told) {
      assert_int_equal(told.context, child);
      asked += name;
      return yes == std::string(1, name) && told.retries < 1;
    });
  };
  Answer own = answer_of('c'), of_parent = answer_of('p'), of_process = answer_of('P');
  set(child, &own);
  set(parent, &of_parent);
  set(CADASTRE_PROCESS, &of_process);
  const auto asked_for = [&](const char* who) {
    asked.clear();
    yes = who;
    assert_null(cadastre_malloc(child, request(2 * mebi)));
    return asked;
  };
  assert_string_equal(asked_for("").c_str(), "cpP");
  assert_string_equal(asked_for("c").c_str(), "ccpP");
  assert_string_equal(asked_for("p").c_str(), "cpcpP");
  assert_string_equal(asked_for("P").c_str(), "cpPcpP");
  set(parent, nullptr);
  assert_string_equal(asked_for("").c_str(), "cP");
  set(CADASTRE_PROCESS, nullptr);
  destroy(child);
  destroy(parent);
}

// Also from another thread, which would wait for a lock that is held.
void the_callback_may_call_everything_but_destroy_its_context(void**) {
  const cadastre_context context = on_the_host();
  limit(context, CADASTRE_HOST, 4 * mebi);
  allocate(context, 3 * mebi);
  const auto use = [&] {
    void* const block = cadastre_malloc(context, request(mebi / 2));
    assert_non_null(block);
    assert_int_equal(cadastre_set_out_of_memory_function(context, nullptr, nullptr), CADASTRE_SUCCESS);
    release(context, block);
    assert_int_equal(cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
    destroy(on_the_host());
  };
  Answer answer = [&](const Told& told) {
    if (told.retries > 0) return false;
    use();
    assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_FAILURE);
    assert_int_equal(last(context).reason, CADASTRE_REASON_CALLED_FROM_OPERATION);
    std::thread([&] {
      void* const block = cadastre_malloc(context, request(mebi / 2));
      release(context, block);
    }).join();
    assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
    return true;
  };
  set(context, &answer);
  void* const block = cadastre_malloc(context, request(2 * mebi));
  assert_non_null(block);
  assert_int_equal(statistics(context).live_bytes, 2 * mebi);
  destroy(context);
}

void what_a_callback_requests_asks_nobody(void**) {
  const cadastre_context context = on_the_host();
  limit(context, CADASTRE_HOST, mebi);
  int calls = 0;
  Answer answer = [&](const Told&) {
    ++calls;
    assert_null(cadastre_malloc(context, request(2 * mebi)));
    assert_int_equal(last(context).reason, CADASTRE_REASON_LIMIT_EXCEEDED);
    return false;
  };
  set(context, &answer);
  set(CADASTRE_PROCESS, &answer);
  assert_null(cadastre_malloc(context, request(3 * mebi)));
  assert_int_equal(calls, 2);
  assert_int_equal(last(context).requested, 3 * mebi);
  set(CADASTRE_PROCESS, nullptr);
  destroy(context);
}

void an_exception_counts_as_a_refusal(void**) {
  const cadastre_context context = on_the_host();
  limit(context, CADASTRE_HOST, mebi);
  Answer answer = [&](const Told&) -> bool { throw std::runtime_error("from the callback"); };
  set(context, &answer);
  assert_null(cadastre_malloc(context, request(2 * mebi)));
  assert_int_equal(last(context).reason, CADASTRE_REASON_LIMIT_EXCEEDED);
  void* const block = allocate(context, mebi);  // the context is usable, and the next request asks again
  int calls = 0;
  answer = [&](const Told&) { return ++calls, false; };
  assert_null(cadastre_malloc(context, request(2 * mebi)));
  assert_int_equal(calls, 1);
  release(context, block);
  destroy(context);
}

void several_threads_may_be_in_a_callback(void**) {
  const cadastre_context context = on_the_host();
  limit(context, CADASTRE_HOST, mebi);
  std::atomic<int> inside = 0;
  Answer answer = [&](const Told&) {
    ++inside;
    while (inside < 3) std::this_thread::yield();
    return false;
  };
  set(context, &answer);
  const auto fails = [&] { assert_null(cadastre_malloc(context, request(2 * mebi))); };
  std::thread first(fails), second(fails);
  fails();
  first.join();
  second.join();
  assert_int_equal(inside, 3);
  destroy(context);
}

void setting_waits_for_other_threads_and_not_for_its_own(void**) {
  const cadastre_context context = on_the_host();
  limit(context, CADASTRE_HOST, mebi);
  std::atomic<bool> inside = false, may_leave = false, is_set = false, has_left = false;
  Answer answer = [&](const Told&) {
    inside = true;
    while (!may_leave) std::this_thread::yield();
    has_left = true;
    return false;
  };
  set(context, &answer);
  std::thread requests([&] { assert_null(cadastre_malloc(context, request(2 * mebi))); });
  while (!inside) std::this_thread::yield();
  std::thread sets([&] {
    set(context, nullptr);
    assert_true(has_left);
    is_set = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  assert_false(is_set);
  may_leave = true;
  requests.join();
  sets.join();
  int calls = 0;
  Answer replaces_itself = [&](const Told&) {
    ++calls;
    set(context, nullptr);
    return true;
  };
  set(context, &replaces_itself);
  assert_null(cadastre_malloc(context, request(2 * mebi)));
  assert_int_equal(calls, 1);
  destroy(context);
}

void a_callback_that_is_replaced_all_the_time_is_never_called_afterwards(void**) {
  const cadastre_context context = on_the_host();
  limit(context, CADASTRE_HOST, mebi);
  struct Alive {
    std::atomic<bool> alive = false;
  } both[2];
  std::atomic<int> dead = 0;
  std::atomic<long> calls = 0;
  Answer answers[2];
  for (int i = 0; i < 2; ++i) {
    answers[i] = [&, i](const Told&) {
      ++calls;
      for (int look = 0; look < 3; ++look) dead += !both[i].alive;
      return false;
    };
  }
  std::atomic<bool> ends = false;
  const auto requests = [&] {
    while (!ends) assert_null(cadastre_malloc(context, request(2 * mebi)));
  };
  std::thread first(requests), second(requests);
  for (int i = 0; i < 2000 || calls < 100; ++i) {
    both[i % 2].alive = true;
    set(context, &answers[i % 2]);
    both[(i + 1) % 2].alive = false;
  }
  ends = true;
  first.join();
  second.join();
  assert_int_equal(dead, 0);
  destroy(context);
}

void a_child_does_not_wait_for_threads_of_its_parent(void**) {
  const cadastre_context context = on_the_host();
  limit(context, CADASTRE_HOST, mebi);
  std::atomic<bool> inside = false, may_leave = false;
  Answer answer = [&](const Told&) {
    inside = true;
    while (!may_leave) std::this_thread::yield();
    return false;
  };
  set(context, &answer);
  std::thread requests([&] { assert_null(cadastre_malloc(context, request(2 * mebi))); });
  while (!inside) std::this_thread::yield();
  const bool holds = holds_in_a_child([&] {
    alarm(60);
    return cadastre_set_out_of_memory_function(context, nullptr, nullptr) == CADASTRE_SUCCESS;
  });
  may_leave = true;
  requests.join();
  assert_true(holds);
  destroy(context);
}

// Though it may have the place of the other.
void a_context_that_comes_after_has_no_callback(void**) {
  int calls = 0;
  Answer answer = [&](const Told&) { return ++calls, false; };
  for (int i = 0; i < 3; ++i) {
    const cadastre_context context = on_the_host();
    limit(context, CADASTRE_HOST, mebi);
    assert_null(cadastre_malloc(context, request(2 * mebi)));
    assert_int_equal(calls, i);
    set(context, &answer);
    assert_null(cadastre_malloc(context, request(2 * mebi)));
    destroy(context);
  }
  assert_int_equal(calls, 3);
}

void the_refusal_names_contexts_and_labels(void**) {
  const cadastre_context first = on_the_host(), second = on_the_host(), third = on_the_host();
  cadastre_memory_info_struct info = request(mebi);
  info.label = "mat\033rix";
  assert_non_null(cadastre_malloc(first, info));
  info.size = 2 * mebi;
  info.label = nullptr;
  assert_non_null(cadastre_malloc(first, info));
  info.label = "grid";
  assert_non_null(cadastre_malloc(second, info));
  info.size = 3000;
  assert_non_null(cadastre_malloc(third, info));
  // A limit of a context concerns its own.
  limit(second, CADASTRE_HOST, 3 * mebi);
  assert_null(cadastre_malloc(second, request(2 * mebi)));
  assert_says(second, "; most of it is held by context " + std::to_string(second) + ": 2097152 bytes (\"grid\": 2097152)");
  limit(CADASTRE_PROCESS, CADASTRE_HOST, 6 * mebi);
  assert_null(cadastre_malloc(third, request(2 * mebi)));
  assert_says(third, "; most of it is held by context " + std::to_string(first) + ": 3145728 bytes (without a label: 2097152, \"mat");
  assert_says(third, "rix\": 1048576), by context " + std::to_string(second) + ": 2097152 bytes (\"grid\": 2097152)");
  assert_null(std::strchr(last(third).message, '\033'));
  limit(CADASTRE_PROCESS, CADASTRE_HOST, CADASTRE_UNLIMITED);
  for (const cadastre_context context : {first, second, third}) destroy(context);
}

void the_refusal_says_what_of_the_device_is_not_ours(void**) {
  const cadastre_context context = on_the_double();
  void* others = nullptr;
  assert_int_equal(cuda("cudaMalloc", &others, std::size_t{3 * mebi}), 0);
  void* const ours = cadastre_malloc(context, of_device(2 * mebi));
  assert_non_null(ours);
  assert_null(cadastre_malloc(context, of_device(4 * mebi)));
  assert_int_equal(last(context).reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
  assert_says(context, "context " + std::to_string(context) + ": 2097152 bytes (without a label: 2097152)");
  assert_says(context, "; of the 8.00 MiB of device 0, 5.00 MiB are in use, and 3.00 MiB of these are not Cadastre's");
  assert_int_equal(cuda("cudaFree", others), 0);
  void* const again = cadastre_malloc(context, of_device(3 * mebi));
  assert_non_null(again);
  for (void* const block : {ours, again}) assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  destroy(context);
}

// On a device that uses the host's memory, what is ours of that is no other's either. In a process of its own, since the double reads once what it plays.
void what_is_ours_of_a_shared_memory_is_not_of_others(void**) {
  const cadastre_context context = on_the_double();
  void* others = nullptr;
  assert_int_equal(cuda("cudaMalloc", &others, std::size_t{3 * mebi}), 0);
  void *const ours = cadastre_malloc(context, of_device(2 * mebi)), *const on_the_host = cadastre_malloc(context, request(mebi));
  assert_true(ours && on_the_host);
  assert_null(cadastre_malloc(context, of_device(4 * mebi)));
  assert_says(context, "; of the 8.00 MiB of device 0, 5.00 MiB are in use, and 2.00 MiB of these are not Cadastre's");
  cadastre_memory_usage_struct usage = cadastre_memory_usage_struct_zero;
  assert_int_equal(cadastre_device_get_memory_usage(spoken().backend, 0, &usage), CADASTRE_SUCCESS);
  assert_true(usage.used_bytes == 5 * mebi && usage.tracked_bytes == 2 * mebi && usage.untracked_bytes == 2 * mebi);
  assert_int_equal(cuda("cudaFree", others), 0);
  for (void* const block : {ours, on_the_host}) assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  destroy(context);
}

void a_refusal_on_a_shared_memory_counts_that_of_the_host(void**) {
  if (!cuda_double()) skip_because(needs_the_double);
  const pid_t child = fork();
  if (child == 0) {
    setenv("CUDA_DOUBLE_INTEGRATED", "1", 1);
    execl("/proc/self/exe", "test_out_of_memory", "shared", static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

}  // namespace

int main(int arguments, char**) {
  setenv("CUDA_DOUBLE_MEMORY", "8388608", 1);
  setenv("CADASTRE_OUT_OF_MEMORY_WAIT", "300", 1);
  if (arguments > 1) {
    const CMUnitTest shared[] = {cmocka_unit_test(what_is_ours_of_a_shared_memory_is_not_of_others)};
    return cmocka_run_group_tests_name("out_of_memory, shared", shared, nullptr, nullptr);
  }
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_request_beyond_a_limit_calls_no_vendor_where_nothing_is_idle),
      cmocka_unit_test(what_a_queue_still_uses_is_waited_for),
      cmocka_unit_test(the_default_queue_is_asked_about_one_moment),
      cmocka_unit_test(the_wait_has_an_end),
      cmocka_unit_test(nobody_waits_in_a_capture),
      cmocka_unit_test(an_idle_workspace_that_a_queue_uses_is_waited_for),
      cmocka_unit_test(a_workspace_of_the_same_context_is_waited_for_at_a_limit),
      cmocka_unit_test(what_the_host_keeps_goes_before_its_memory_is_refused_whoever_refuses),
      cmocka_unit_test(what_was_freed_to_the_vendors_pool_is_waited_for),
      cmocka_unit_test(what_others_keep_in_the_vendors_pool_goes_with_it),
      cmocka_unit_test(the_wait_for_the_vendors_pool_has_an_end_and_the_refusal_tells_what_it_keeps),
      cmocka_unit_test(a_block_of_the_vendors_pool_that_is_freed_at_once_goes_back_too),
      cmocka_unit_test(a_pool_that_cannot_be_trimmed_is_asked_again_later),
      cmocka_unit_test(a_limit_lets_the_vendors_pool_be),
      cmocka_unit_test(what_served_again_is_told_once),
      cmocka_unit_test(an_event_that_cannot_be_asked_is_not_taken_for_one_that_has_passed),
      cmocka_unit_test(frees_that_wait_for_the_device_take_no_memory),
      cmocka_unit_test(a_queue_with_the_handle_of_another_takes_nothing_from_it),
      cmocka_unit_test(nothing_is_asked_of_the_vendors_pool_in_a_capture),
      cmocka_unit_test(many_queues_leave_few_events_and_none_with_the_last_context),
      cmocka_unit_test(whichever_call_fails_the_vendors_pool_loses_nothing),
      cmocka_unit_test(threads_that_free_in_the_order_of_queues_lose_nothing),
      cmocka_unit_test(what_others_take_meanwhile_is_told),
      cmocka_unit_test(the_callback_is_told_what_is_requested),
      cmocka_unit_test(what_is_refused_otherwise_is_not_asked_about),
      cmocka_unit_test(a_block_that_is_resized_and_a_lease_ask_too),
      cmocka_unit_test(the_nearest_callback_is_asked_first_and_the_process_last),
      cmocka_unit_test(the_callback_may_call_everything_but_destroy_its_context),
      cmocka_unit_test(what_a_callback_requests_asks_nobody),
      cmocka_unit_test(an_exception_counts_as_a_refusal),
      cmocka_unit_test(several_threads_may_be_in_a_callback),
      cmocka_unit_test(setting_waits_for_other_threads_and_not_for_its_own),
      cmocka_unit_test(a_callback_that_is_replaced_all_the_time_is_never_called_afterwards),
      cmocka_unit_test(a_child_does_not_wait_for_threads_of_its_parent),
      cmocka_unit_test(a_context_that_comes_after_has_no_callback),
      cmocka_unit_test(the_refusal_names_contexts_and_labels),
      cmocka_unit_test(the_refusal_says_what_of_the_device_is_not_ours),
      cmocka_unit_test(a_refusal_on_a_shared_memory_counts_that_of_the_host),
  };
  return cmocka_run_group_tests_name("out_of_memory", tests, nullptr, nullptr);
}
