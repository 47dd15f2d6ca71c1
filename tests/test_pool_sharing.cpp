// Tangled from org/tests/pool_sharing_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Contexts that share the pools of the process.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "cuda_double.hpp"
#include "pooled_contexts.hpp"

namespace {

cadastre_context on_the_double() {
  if (!cuda_double()) skip_because(needs_the_double);
  return cuda_context();
}

void a_hundred_contexts_have_one_cache(void**) {
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE}) {
    std::vector<cadastre_context> contexts;
    for (int i = 0; i < 100; ++i) contexts.push_back(context_on(CADASTRE_BACKEND_HOST));
    const void* first = nullptr;
    for (const cadastre_context context : contexts) {
      unsigned char* const block = allocate(context, 3 * mebi, type);
      if (!first) first = block;
      assert_ptr_equal(block, first);
      release(context, block);
    }
    const cadastre_pool_info_struct all = pool_of(CADASTRE_PROCESS, type);
    assert_true(all.pool_count == 1 && all.misses == 1 && all.hits == 99 && all.used_bytes == 0);
    assert_true(all.reserved_bytes >= 3 * mebi && all.reserved_bytes < 4 * mebi);
    for (const cadastre_context context : contexts) destroy(context);
    assert_int_equal(pool_of(CADASTRE_PROCESS, type).reserved_bytes, 0);
  }
}

void what_another_context_had_is_zero(void**) {
  const cadastre_context first = context_on(CADASTRE_BACKEND_HOST), second = context_on(CADASTRE_BACKEND_HOST);
  unsigned char* const secret = allocate(first, mebi);
  std::memset(secret, 0x5a, mebi);
  release(first, secret);
  const unsigned char* const block = allocate(second, mebi);
  assert_ptr_equal(block, secret);
  assert_true(std::all_of(block, block + mebi, [](unsigned char byte) { return byte == 0; }));
  destroy(first);
  destroy(second);
}

// Blocks come and go in whole pages, so that nothing is rounded.
void live_and_kept_of_all_contexts_are_never_more_than_lived_at_once(void**) {
  std::array<cadastre_context, 5> contexts;
  for (cadastre_context& context : contexts) context = context_on(CADASTRE_BACKEND_HOST);
  std::mt19937 random(11);
  struct Block {
    cadastre_context context;
    void* pointer;
  };
  std::vector<Block> blocks;
  std::size_t most = 0;
  for (int i = 0; i < 3000; ++i) {
    const cadastre_context context = contexts[random() % contexts.size()];
    if (random() % 5 < 3 && blocks.size() < 40) {
      const std::size_t size = (100 + random() % 300) * 4096 - 1;
      blocks.push_back({context, allocate(context, size, CADASTRE_DEVICE)});
    } else if (!blocks.empty()) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      release(blocks.back().context, blocks.back().pointer);
      blocks.pop_back();
    }
    const cadastre_pool_info_struct all = pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE);
    most = std::max(most, all.used_bytes);
    assert_true(all.reserved_bytes <= most);
    std::size_t sum = 0;
    for (const cadastre_context each : contexts) sum += pool_of(each, CADASTRE_DEVICE).used_bytes;
    assert_int_equal(sum, all.used_bytes);
  }
  for (const cadastre_context context : contexts) destroy(context);
}

void a_context_that_goes_leaves_to_others_what_is_theirs(void**) {
  const cadastre_context stays = context_on(CADASTRE_BACKEND_HOST), goes = context_on(CADASTRE_BACKEND_HOST);
  unsigned char* const mine = allocate(stays, 2 * mebi);
  std::memset(mine, 7, 2 * mebi);
  unsigned char* const theirs = allocate(goes, 3 * mebi);
  release(goes, allocate(goes, mebi));
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(goes, &summary), CADASTRE_SUCCESS);
  assert_true(summary.live_blocks == 1 && summary.live_bytes == 3 * mebi && summary.failed_deallocations == 0);
  assert_true(std::all_of(mine, mine + 2 * mebi, [](unsigned char byte) { return byte == 7; }));
  assert_true(pool_of(stays).releasable_bytes >= 4 * mebi);
  assert_ptr_equal(allocate(stays, 3 * mebi), theirs);
  destroy(stays);
  assert_int_equal(pool_of(CADASTRE_PROCESS).reserved_bytes, 0);
}

void each_context_is_told_what_it_has(void**) {
  const cadastre_context first = context_on(CADASTRE_BACKEND_HOST), second = context_on(CADASTRE_BACKEND_HOST);
  const cadastre_context plain = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
  release(first, allocate(first, 5 * mebi));
  assert_int_equal(cadastre_pool_trim(second, CADASTRE_HOST, 0), CADASTRE_SUCCESS);  // which has asked no pool yet
  assert_true(pool_of(first).releasable_bytes >= 5 * mebi && pool_of(second).releasable_bytes == 0);
  unsigned char* const block = allocate(second, mebi);
  const cadastre_pool_info_struct of_first = pool_of(first), of_second = pool_of(second), of_plain = pool_of(plain);
  assert_true(of_first.used_bytes == 0 && of_second.used_bytes >= mebi);
  assert_int_equal(of_first.releasable_bytes, of_second.releasable_bytes);
  assert_int_equal(of_second.reserved_bytes, of_second.used_bytes + of_second.releasable_bytes);
  assert_true(of_first.misses == 1 && of_second.misses == 1 && of_first.hits == 0);
  assert_true(of_plain.pool == CADASTRE_POOL_NONE && of_plain.pool_count == 0 && of_plain.reserved_bytes == 0);
  assert_int_equal(cadastre_pool_trim(plain, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
  assert_int_equal(pool_of(first).releasable_bytes, of_first.releasable_bytes);
  assert_int_equal(cadastre_pool_trim(second, CADASTRE_HOST, of_second.reserved_bytes), CADASTRE_SUCCESS);
  assert_int_equal(pool_of(first).releasable_bytes, of_first.releasable_bytes);
  assert_int_equal(cadastre_pool_trim(first, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
  assert_true(pool_of(second).releasable_bytes == 0 && pool_of(second).used_bytes >= mebi && pool_of(second).trims == 1);
  release(second, block);
  for (const cadastre_context context : {first, second, plain}) destroy(context);
}

void a_block_is_its_contexts_whoever_had_its_memory(void**) {
  const cadastre_context first = context_on(CADASTRE_BACKEND_HOST), second = context_on(CADASTRE_BACKEND_HOST);
  unsigned char* const block = allocate(first, mebi);
  release(first, block);
  assert_ptr_equal(allocate(second, mebi), block);
  assert_int_equal(cadastre_free(first, block), CADASTRE_INVALID_ARG_2);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  assert_int_equal(cadastre_get_malloc_info(first, block, &info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_get_malloc_info(second, block, &info), CADASTRE_SUCCESS);
  assert_int_equal(statistics(first).live_blocks, 0);
  assert_int_equal(statistics(second).live_blocks, 1);
  assert_int_equal(statistics(first).live_bytes, 0);
  release(second, block);
  assert_ptr_equal(allocate(first, mebi), block);
  assert_int_equal(cadastre_free(second, block), CADASTRE_INVALID_ARG_2);
  destroy(first);
  destroy(second);
}

struct Stream {
  void* stream = nullptr;
  Stream() { assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, 1U), 0); }
  ~Stream() { cuda("cudaStreamDestroy", stream); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

void* allocate_on(cadastre_context context, cadastre_queue queue, std::size_t size) {
  return cadastre_malloc_async(context, request(size, CADASTRE_DEVICE, CADASTRE_UNINITIALIZED), queue);
}

long waits_of_the_host() {
  long sum = 0;
  for (const char* const call : {"cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize"})
    sum += cuda_double().calls_of(call);
  return sum;
}

void what_one_thread_freed_on_a_queue_another_gets_there(void**) {
  const cadastre_context first = on_the_double(), second = context_on(spoken().backend);
  {
    const Stream stream;
    for (const cadastre_queue queue : {cadastre_queue(stream.stream), CADASTRE_DEFAULT_QUEUE}) {
      void* const block = allocate_on(first, queue, 2 * mebi);
      assert_non_null(block);
      assert_int_equal(cadastre_memset_async(first, block, 1, 2 * mebi, queue), CADASTRE_SUCCESS);
      cuda_double().forget_calls();
      std::thread([&] { assert_int_equal(cadastre_free_async(first, block, queue), CADASTRE_SUCCESS); }).join();
      void* again = nullptr;
      std::thread([&] { again = allocate_on(second, queue, 2 * mebi); }).join();
      assert_ptr_equal(again, block);
      assert_int_equal(waits_of_the_host() + cuda_double().calls_of("cudaMalloc"), 0);
      assert_int_equal(cadastre_memset_async(second, again, 2, 2 * mebi, queue), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_synchronize(second, queue), CADASTRE_SUCCESS);
      assert_int_equal(cuda_double().first_byte(again), 2);
      assert_int_equal(cadastre_free(second, again), CADASTRE_SUCCESS);
    }
  }
  destroy(first);
  destroy(second);
}

void another_context_on_another_queue_comes_after(void**) {
  const cadastre_context first = on_the_double(), second = context_on(spoken().backend);
  {
    const Stream a, b;
    for (const cadastre_queue freed_on : {cadastre_queue(a.stream), CADASTRE_DEFAULT_QUEUE}) {
      void* const block = allocate_on(first, freed_on, 2 * mebi);
      assert_int_equal(cadastre_memset_async(first, block, 1, 2 * mebi, freed_on), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_free_async(first, block, freed_on), CADASTRE_SUCCESS);
      void* const again = allocate_on(second, b.stream, 2 * mebi);
      assert_ptr_equal(again, block);
      assert_int_equal(cadastre_memset_async(second, again, 2, 2 * mebi, b.stream), CADASTRE_SUCCESS);
      assert_int_equal(cuda("cudaStreamSynchronize", b.stream), 0);
      assert_int_equal(cuda("cudaDeviceSynchronize"), 0);
      assert_int_equal(cuda_double().first_byte(again), 2);
      release(second, again);
    }
  }
  destroy(first);
  destroy(second);
}

void with_the_last_context_all_goes_back_to_the_vendor(void**) {
  destroy(on_the_double());
  const cuda_double_census before = cuda_double().census();
  const cadastre_context first = on_the_double(), second = on_the_double();
  {
    const Stream a;
    for (const cadastre_context context : {first, second}) {
      for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED, CADASTRE_UVM, CADASTRE_HOST}) {
        allocate(context, mebi, type);
        release(context, allocate(context, 3 * mebi, type));
      }
      assert_int_equal(cadastre_free_async(context, allocate_on(context, a.stream, mebi), a.stream), CADASTRE_SUCCESS);
    }
  }
  destroy(second);
  assert_true(cuda_double().census().blocks > before.blocks);
  destroy(first);
  assert_int_equal(cuda_double().census().blocks, before.blocks);
  assert_int_equal(cuda_double().census().events, before.events);
}

// The program resets the device, and the memory of one context's block comes to another context.
void a_block_that_was_lost_with_its_device_is_not_freed_for_another(void**) {
  const cadastre_context first = on_the_double(), second = context_on(spoken().backend);
  void* const lost = allocate(first, 2 * mebi, CADASTRE_DEVICE);
  void* const also_lost = allocate(first, 3 * mebi, CADASTRE_DEVICE);
  assert_int_equal(cuda("cudaDeviceReset"), 0);
  unsigned char* const block = allocate(second, 2 * mebi, CADASTRE_DEVICE);
  unsigned char* const other = allocate(second, 3 * mebi, CADASTRE_DEVICE);
  assert_true(block == lost && other == also_lost);  // else this proves nothing
  assert_null(cadastre_realloc(first, lost, mebi));
  release(first, lost);
  const std::size_t used = pool_of(second, CADASTRE_DEVICE).used_bytes;
  assert_int_equal(used, 5 * mebi);
  assert_ptr_not_equal(allocate(first, 2 * mebi, CADASTRE_DEVICE), block);
  release(second, other);
  assert_int_equal(cadastre_free_async(first, also_lost, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_ptr_equal(allocate(first, 3 * mebi, CADASTRE_DEVICE), other);
  destroy(first);
  assert_int_equal(cadastre_memset(second, block, 5, 2 * mebi), CADASTRE_SUCCESS);
  assert_int_equal(cuda_double().first_byte(block), 5);
  destroy(second);
}

// Fills blocks of contexts that come and go, and finds each as it left it; how often that was not so.
int come_and_go(unsigned number) {
  std::mt19937 random(number);
  int wrong = 0;
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  for (int i = 0; i < 400; ++i) {
    if (context == CADASTRE_NULL_CONTEXT) context = context_on(CADASTRE_BACKEND_HOST);
    const std::size_t size = 4096 * (70 + random() % 100);
    if (random() % 3 > 0 && blocks.size() < 8) {
      auto* const block =
          static_cast<unsigned char*>(cadastre_malloc(context, request(size, random() % 2 ? CADASTRE_HOST : CADASTRE_DEVICE)));
      if (!block) return 1000;
      wrong += block[0] != 0 || block[size - 1] != 0;
      block[0] = block[size - 1] = static_cast<unsigned char>(number + 1);
      blocks.emplace_back(block, size);
    } else if (!blocks.empty()) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      const auto [block, bytes] = blocks.back();
      wrong += block[0] != number + 1 || block[bytes - 1] != number + 1;
      wrong += cadastre_free(context, block) != CADASTRE_SUCCESS;
      blocks.pop_back();
    }
    if (random() % 40 == 0)
      wrong += cadastre_pool_trim(random() % 2 ? context : CADASTRE_PROCESS, CADASTRE_DEVICE, random() % 2 * mebi) != CADASTRE_SUCCESS;
    if (random() % 30 == 0) pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE);
    if (random() % 25 == 0) {
      for (const auto& [block, bytes] : blocks) wrong += block[0] != number + 1 || block[bytes - 1] != number + 1;
      blocks.clear();
      wrong += cadastre_context_destroy(std::exchange(context, CADASTRE_NULL_CONTEXT)) != CADASTRE_SUCCESS;
    }
  }
  if (context != CADASTRE_NULL_CONTEXT) wrong += cadastre_context_destroy(context) != CADASTRE_SUCCESS;
  return wrong;
}

void contexts_come_and_go_while_others_share_their_pools(void**) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 4; ++number) threads.emplace_back([&, number] { wrong += come_and_go(number); });
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE}) {
    assert_int_equal(pool_of(CADASTRE_PROCESS, type).reserved_bytes, 0);
    assert_int_equal(statistics(CADASTRE_PROCESS, type).live_blocks, 0);
  }
}

// Takes, writes and lets go on two queues, now and then without an order, and destroys a context here and there; how often a block
// was another's too.
int share_queues(const Stream (&streams)[2], unsigned number) {
  std::mt19937 random(number);
  int wrong = 0;
  cadastre_context context = context_on(spoken().backend);
  for (int i = 0; i < 300; ++i) {
    const std::size_t size = mebi / 4 * (1 + random() % 3);
    const auto which = static_cast<unsigned>(random() % 3);
    const cadastre_queue queue = which == 2 ? CADASTRE_DEFAULT_QUEUE : cadastre_queue(streams[which].stream);
    void* const block = allocate_on(context, queue, size);
    if (!block) return 1000;
    wrong += cadastre_memset_async(context, block, static_cast<int>(number), size, queue) != CADASTRE_SUCCESS;
    if (random() % 4 == 0) {
      wrong += cadastre_synchronize(context, queue) != CADASTRE_SUCCESS;
      wrong += cuda_double().first_byte(block) != static_cast<int>(number);
    }
    wrong += (random() % 4 ? cadastre_free_async(context, block, queue) : cadastre_free(context, block)) != CADASTRE_SUCCESS;
    if (i % 50 == 0) wrong += cadastre_pool_trim(context, CADASTRE_DEVICE, 0) != CADASTRE_SUCCESS;
    if (random() % 40 == 0) {
      wrong += cadastre_context_destroy(context) != CADASTRE_SUCCESS;
      context = context_on(spoken().backend);
    }
  }
  return wrong + (cadastre_context_destroy(context) != CADASTRE_SUCCESS);
}

void contexts_share_queues_and_nobody_sees_another_ones_bytes(void**) {
  destroy(on_the_double());
  const cuda_double_census before = cuda_double().census();
  {
    const Stream streams[2];
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (unsigned number = 1; number <= 4; ++number) threads.emplace_back([&, number] { wrong += share_queues(streams, number); });
    for (std::thread& thread : threads) thread.join();
    assert_int_equal(wrong, 0);
  }
  assert_int_equal(cuda_double().census().blocks, before.blocks);
  assert_int_equal(cuda_double().census().events, before.events);
}

#ifdef __SANITIZE_ADDRESS__
constexpr bool is_under_address_sanitizer = true;
#else
constexpr bool is_under_address_sanitizer = false;
#endif

void a_child_goes_on_with_what_contexts_share(void**) {
  const cadastre_context first = context_on(CADASTRE_BACKEND_HOST), second = context_on(CADASTRE_BACKEND_HOST);
  unsigned char* const block = allocate(first, mebi);
  std::atomic<bool> done = false, pause = false;
  std::atomic<int> at_work = 0;
  std::vector<std::thread> threads;
  for (const cadastre_context context : {first, second}) {
    threads.emplace_back([&, context] {
      while (!done) {
        ++at_work;
        if (!pause) {
          release(context, allocate(context, 2 * mebi));
          cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_HOST, 0);
          destroy(context_on(CADASTRE_BACKEND_HOST));
        }
        --at_work;
        if (pause) std::this_thread::yield();
      }
    });
  }
  int wrong = 0;
  for (int times = 0; times < 20; ++times) {
    // That of GCC 12 takes no lock of its own over a fork, and a child would wait for ever for one that another thread had.
    pause = is_under_address_sanitizer;
    while (pause && at_work > 0) std::this_thread::yield();
    wrong += !holds_in_a_child([&] {
      const std::size_t used = pool_of(first).used_bytes;
      if (cadastre_free(first, block) != CADASTRE_SUCCESS || pool_of(first).used_bytes >= used) return false;
      void* const again = cadastre_malloc(second, request(mebi));
      return again && cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_HOST, 0) == CADASTRE_SUCCESS &&
             pool_of(CADASTRE_PROCESS).releasable_bytes == 0 && cadastre_context_destroy(first) == CADASTRE_SUCCESS &&
             cadastre_context_destroy(second) == CADASTRE_SUCCESS;
    });
    pause = false;
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  destroy(first);
  destroy(second);
}

// A backend of the program's own. What content is: which instance asks.
struct Own {
  int blocks = 0;
  bool waits_fail = false;
  std::atomic<bool> frees = false;  // or did: the first time it goes on when it is not to wait any more
  std::atomic<bool> is_to_wait = false;
  cadastre_context to_destroy = CADASTRE_NULL_CONTEXT;  // by its next free
};

cadastre_exit_code allocate_own(void* content, const cadastre_memory_info_struct* info, cadastre_queue, void** pointer) {
  *pointer = std::aligned_alloc(4096, (info->size + 4095) / 4096 * 4096);
  ++static_cast<Own*>(content)->blocks;
  return *pointer ? CADASTRE_SUCCESS : CADASTRE_ALLOCATION_FAILED;
}
cadastre_exit_code free_own(void* content, const cadastre_memory_info_struct* info) {
  Own& own = *static_cast<Own*>(content);
  if (own.to_destroy != CADASTRE_NULL_CONTEXT) destroy(std::exchange(own.to_destroy, CADASTRE_NULL_CONTEXT));
  const bool is_first = !own.frees.exchange(true);
  while (is_first && own.is_to_wait) std::this_thread::yield();
  std::free(info->pointer);
  --own.blocks;
  return CADASTRE_SUCCESS;
}
cadastre_exit_code copy_own(void*, void* to, const cadastre_memory_info_struct*, const void* from, const cadastre_memory_info_struct*,
                            size_t bytes, cadastre_queue) {
  std::memcpy(to, from, bytes);
  return CADASTRE_SUCCESS;
}
cadastre_exit_code set_own(void*, void* to, const cadastre_memory_info_struct*, int value, size_t bytes, cadastre_queue) {
  std::memset(to, value, bytes);
  return CADASTRE_SUCCESS;
}
cadastre_exit_code wait_own(void* content, int32_t, cadastre_queue) {
  return static_cast<Own*>(content)->waits_fail ? CADASTRE_FAILURE : CADASTRE_SUCCESS;
}
cadastre_exit_code clone_own(void*, void** clone) {
  *clone = new Own;
  return CADASTRE_SUCCESS;
}
cadastre_exit_code destroy_own(void* content) {
  assert_int_equal(static_cast<Own*>(content)->blocks, 0);
  delete static_cast<Own*>(content);
  return CADASTRE_SUCCESS;
}

cadastre_backend_operations_struct operations_of_own() {
  cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
  operations.device_count = 1;
  operations.memory_type_mask = 1U << CADASTRE_DEVICE;
  operations.allocate = allocate_own;
  operations.free = free_own;
  operations.copy = copy_own;
  operations.set = set_own;
  operations.synchronize = wait_own;
  return operations;
}

void instances_of_a_backend_have_pools_of_their_own(void**) {
  cadastre_backend_operations_struct operations = operations_of_own();
  operations.clone = clone_own;
  operations.destroy = destroy_own;
  Own* const original = new Own;
  const cadastre_backend backend = cadastre_backend_register("instances", &operations, original);
  const cadastre_context first = context_on(backend), second = context_on(backend);
  unsigned char* const block = allocate(first, 100000, CADASTRE_DEVICE);
  unsigned char* const theirs = allocate(second, 100000, CADASTRE_DEVICE);
  release(second, allocate(second, 400000, CADASTRE_DEVICE));  // which goes first, lest the backend has the block again
  release(first, block);
  const cadastre_memory_info_struct smaller = request(90000, CADASTRE_DEVICE);
  assert_ptr_not_equal(cadastre_malloc(second, smaller), block);
  release(second, theirs);
  assert_true(pool_of(first, CADASTRE_DEVICE).used_bytes == 0 && pool_of(second, CADASTRE_DEVICE).used_bytes >= 90000);
  assert_int_equal(pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE).pool_count, 2);
  destroy(first);  // which its instance checks
  destroy(second);
  assert_int_equal(cadastre_backend_unregister(backend), CADASTRE_SUCCESS);
}

// What cannot be kept since nobody can wait for its queues goes to the backend with its context, and not with the last one.
void what_a_context_cannot_leave_to_others_goes_with_it(void**) {
  const cadastre_backend_operations_struct operations = operations_of_own();
  Own own;
  const cadastre_backend backend = cadastre_backend_register("waits", &operations, &own);
  const cadastre_context stays = context_on(backend), goes = context_on(backend);
  unsigned char* const block = allocate(stays, 100000, CADASTRE_DEVICE);
  allocate(goes, 200000, CADASTRE_DEVICE);
  allocate(goes, 300000, CADASTRE_DEVICE);
  own.waits_fail = true;
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(goes, &summary), CADASTRE_DEALLOCATION_FAILED);
  own.waits_fail = false;
  assert_int_equal(summary.failed_deallocations, 2);
  assert_int_equal(own.blocks, 1);
  const cadastre_pool_info_struct of_stays = pool_of(stays, CADASTRE_DEVICE), of_all = pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE);
  assert_true(of_stays.used_bytes >= 100000 && of_stays.releasable_bytes == 0 && of_all.used_bytes == of_stays.used_bytes);
  release(stays, block);
  assert_ptr_equal(allocate(stays, 100000, CADASTRE_DEVICE), block);
  destroy(stays);
  assert_int_equal(own.blocks, 0);
  assert_int_equal(cadastre_backend_unregister(backend), CADASTRE_SUCCESS);
}

// A thread is at a pool that nobody shares any more: it is waited for, and whoever wants memory gets another pool.
void a_pool_that_is_ending_is_not_shared(void**) {
  const cadastre_backend_operations_struct operations = operations_of_own();
  Own own;
  const cadastre_backend backend = cadastre_backend_register("slow", &operations, &own);
  const std::int32_t others = pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE).pool_count;
  const cadastre_context goes = context_on(backend);
  unsigned char* const kept = allocate(goes, 100000, CADASTRE_DEVICE);
  unsigned char* const live = allocate(goes, 100000, CADASTRE_DEVICE);
  release(goes, kept);
  own.is_to_wait = true;
  std::thread trims([] { assert_int_equal(cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_DEVICE, 0), CADASTRE_SUCCESS); });
  while (!own.frees) std::this_thread::yield();
  std::atomic<bool> gone = false;
  std::thread destroys([&] {
    destroy(goes);
    gone = true;
  });
  while (pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE).pool_count > others) std::this_thread::yield();
  const cadastre_context comes = context_on(backend);
  unsigned char* const block = allocate(comes, 100000, CADASTRE_DEVICE);
  assert_true(block != kept && block != live);
  assert_int_equal(pool_of(comes, CADASTRE_DEVICE).pool_count, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  assert_false(gone);
  own.is_to_wait = false;
  trims.join();
  destroys.join();
  assert_int_equal(own.blocks, 1);
  release(comes, block);
  assert_ptr_equal(allocate(comes, 100000, CADASTRE_DEVICE), block);
  destroy(comes);
  assert_int_equal(own.blocks, 0);
  assert_int_equal(cadastre_backend_unregister(backend), CADASTRE_SUCCESS);
}

void nothing_is_kept_beyond_a_limit_of_the_process_that_live_blocks_exceed(void**) {
  const cadastre_context context = cuda_context();
  unsigned char* const block = allocate(context, 12288, CADASTRE_DEVICE);
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_DEVICE, 1000), CADASTRE_SUCCESS);
  release(context, block);
  assert_int_equal(pool_of(context, CADASTRE_DEVICE).releasable_bytes, 0);
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_DEVICE, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
  destroy(context);
}

// A request that a limit refuses wants its memory, which cannot be freed now.
void an_idle_workspace_stays_while_a_queue_is_captured(void**) {
  const cadastre_context context = cuda_context();
  void *queue = nullptr, *graph = nullptr, *buffer = nullptr;
  assert_int_equal(cuda("cudaStreamCreateWithFlags", &queue, 0u), 0);
  const std::size_t size = 1000;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  assert_int_equal(cadastre_workspace_acquire_on_queue(context, CADASTRE_DEVICE, queue, 1, &size, &buffer, &lease), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_DEVICE, 2000), CADASTRE_SUCCESS);
  const cadastre_statistics_struct before = statistics(context, CADASTRE_DEVICE);
  assert_int_equal(cuda("cudaStreamBeginCapture", queue, 0), 0);
  assert_null(cadastre_malloc(context, request(1500, CADASTRE_DEVICE)));
  assert_int_equal(cuda("cudaStreamEndCapture", queue, &graph), 0);
  const cadastre_statistics_struct after = statistics(context, CADASTRE_DEVICE);
  assert_true(after.live_bytes == before.live_bytes && after.failed_deallocations == 0);
  release(context, allocate(context, 1500, CADASTRE_DEVICE));
  assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
  assert_int_equal(cuda("cudaStreamDestroy", queue), 0);
  destroy(context);
}

// Its piece has no block any more, and goes with the context, also where others share the pool.
void a_context_stays_in_a_capture_with_a_piece_that_was_not_freed(void**) {
  const cadastre_context context = cuda_context(), other = cuda_context();
  if (!cuda_double()) skip_because(needs_the_double);
  int lost = 0;
  for (int failing = 1; failing <= 8; ++failing) {
    unsigned char* const block = allocate(context, 1000, CADASTRE_DEVICE);
    cuda_double().fail(nullptr, failing, 1, 999);
    const cadastre_exit_code code = cadastre_free(context, block);
    cuda_double().fail(nullptr, 0, 0, 0);
    lost += code == CADASTRE_DEALLOCATION_FAILED;
    if (code == CADASTRE_FAILURE || code == CADASTRE_CAPTURE_ACTIVE) release(context, block);
  }
  assert_true(lost > 0);
  unsigned char* const theirs = allocate(other, 1000, CADASTRE_DEVICE);
  void *queue = nullptr, *graph = nullptr;
  assert_int_equal(cuda("cudaStreamCreateWithFlags", &queue, 0u), 0);
  assert_int_equal(cuda("cudaStreamBeginCapture", queue, 0), 0);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_CAPTURE_ACTIVE);
  assert_int_equal(cuda("cudaStreamEndCapture", queue, &graph), 0);
  assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
  assert_int_equal(cuda("cudaStreamDestroy", queue), 0);
  destroy(context);
  release(other, theirs);
  destroy(other);
  assert_int_equal(cuda_double().census().blocks, 0);
}

void an_operation_may_destroy_the_context_whose_memory_it_frees(void**) {
  const cadastre_backend_operations_struct operations = operations_of_own();
  Own own;
  const cadastre_backend backend = cadastre_backend_register("own", &operations, &own);
  const cadastre_context shares = context_on(backend);
  release(shares, allocate(shares, 100000, CADASTRE_DEVICE));
  void* const other = allocate(shares, 200000, CADASTRE_DEVICE);
  void* const third = allocate(shares, 300000, CADASTRE_DEVICE);
  release(shares, other);
  release(shares, third);
  own.to_destroy = shares;
  assert_int_equal(cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_DEVICE, 0), CADASTRE_SUCCESS);
  assert_int_equal(own.blocks, 0);
  assert_int_equal(pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE).pool_count, 0);
  const cadastre_context next = context_on(backend);
  release(next, allocate(next, 100000, CADASTRE_DEVICE));
  destroy(next);
  assert_int_equal(own.blocks, 0);
  assert_int_equal(cadastre_backend_unregister(backend), CADASTRE_SUCCESS);
}

}  // namespace

int main() {
  unsetenv("CADASTRE_POOL");
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_hundred_contexts_have_one_cache),
      cmocka_unit_test(what_another_context_had_is_zero),
      cmocka_unit_test(live_and_kept_of_all_contexts_are_never_more_than_lived_at_once),
      cmocka_unit_test(a_context_that_goes_leaves_to_others_what_is_theirs),
      cmocka_unit_test(each_context_is_told_what_it_has),
      cmocka_unit_test(a_block_is_its_contexts_whoever_had_its_memory),
      cmocka_unit_test(what_one_thread_freed_on_a_queue_another_gets_there),
      cmocka_unit_test(another_context_on_another_queue_comes_after),
      cmocka_unit_test(a_block_that_was_lost_with_its_device_is_not_freed_for_another),
      cmocka_unit_test(with_the_last_context_all_goes_back_to_the_vendor),
      cmocka_unit_test(contexts_come_and_go_while_others_share_their_pools),
      cmocka_unit_test(contexts_share_queues_and_nobody_sees_another_ones_bytes),
      cmocka_unit_test(a_child_goes_on_with_what_contexts_share),
      cmocka_unit_test(instances_of_a_backend_have_pools_of_their_own),
      cmocka_unit_test(what_a_context_cannot_leave_to_others_goes_with_it),
      cmocka_unit_test(a_pool_that_is_ending_is_not_shared),
      cmocka_unit_test(nothing_is_kept_beyond_a_limit_of_the_process_that_live_blocks_exceed),
      cmocka_unit_test(an_idle_workspace_stays_while_a_queue_is_captured),
      cmocka_unit_test(a_context_stays_in_a_capture_with_a_piece_that_was_not_freed),
      cmocka_unit_test(an_operation_may_destroy_the_context_whose_memory_it_frees),
  };
  return cmocka_run_group_tests_name("pool_sharing", tests, nullptr, nullptr);
}
