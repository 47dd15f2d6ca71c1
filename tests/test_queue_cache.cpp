// Tangled from org/tests/queue_cache_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that a thread caches by queue.
#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "backends/backend.hpp"
#include "cached_blocks.hpp"

namespace {

cadastre_context on_numbered_queues() {
  if (!queues_have_identity()) skip_because(needs_identity);
  return on_the_double();
}

struct Stream {
  void* handle = nullptr;
  Stream() { assert_int_equal(cuda("cudaStreamCreateWithFlags", &handle, 1U), 0); }
  ~Stream() { cuda("cudaStreamDestroy", handle); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

void* get(cadastre_context context, const Stream& on, std::size_t size = page) {
  void* const block = cadastre_malloc_async(context, of_device(size), on.handle);
  assert_non_null(block);
  return block;
}
void put(cadastre_context context, void* block, const Stream& on) {
  assert_int_equal(cadastre_free_async(context, block, on.handle), CADASTRE_SUCCESS);
}
void write(const Stream& on, void* block, std::size_t size = page) {
  assert_int_equal(cuda("cudaMemsetAsync", block, 1, size, on.handle), 0);
}
bool comes_after_all(const void* block, const Stream& on) {
  void* handle = on.handle;
  return cuda_double().unordered(block, page, &handle) == 0;
}

// A block of a context that has a cache which knows the queue.
void* get_cached(cadastre_context context, const Stream& on) {
  put(context, get(context, on), on);
  const unsigned before = cached_in(context);
  assert_true(before > 0);
  void* const block = get(context, on);
  assert_int_equal(cached_in(context), before - 1);
  return block;
}

// The first call that records an event waits until it is woken. First, before any other claim makes it.
void a_cache_that_goes_while_a_queue_is_marked_loses_nothing(void**) {
  const cadastre_context context = on_numbered_queues();
  const cuda_double_census before = cuda_double().census();
  {
    const Stream uses, gets;
    void* const block = get(context, uses);
    write(uses, block);
    assert_true(cache_in(context) != nullptr);
    std::int64_t live = 0;
    std::thread other([&] {
      while (!cuda_double().is_asleep()) std::this_thread::yield();
      live = statistics(context, CADASTRE_DEVICE).live_blocks;
      cuda_double().wake();
    });
    put(context, block, uses);
    other.join();
    assert_int_equal(live, 1);
    void* const again = get(context, gets);
    assert_true(again == block && comes_after_all(again, gets));
    put(context, again, gets);
  }
  destroy(context);
  const cuda_double_census after = cuda_double().census();
  assert_true(after.events == before.events && after.streams == before.streams);
}

void a_pair_takes_no_locked_call_and_five_calls_of_the_vendor(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream stream;
    void* const block = get_cached(context, stream);
    put(context, block, stream);
    get(context, stream);
    for (int turn = 0; turn < 100; ++turn) {
      cuda_double().forget_calls();
      put(context, block, stream);
      assert_int_equal(cached_in(context), 1);
      assert_ptr_equal(get(context, stream), block);
      const std::map<std::string, long> expected = {{"cudaStreamIsCapturing", 2}, {"cudaStreamGetId", 2}, {"cudaEventRecord", 1}};
      long calls = 0;
      for (const auto& [routine, times] : expected) {
        assert_int_equal(cuda_double().calls_of(routine.c_str()), times);
        calls += times;
      }
      for (const char* const routine : {"cuCtxGetCurrent", "cuCtxSetCurrent", "cudaGetDevice"}) calls += cuda_double().calls_of(routine);
      assert_int_equal(cuda_double().calls_of(nullptr), calls);
    }
    put(context, block, stream);
  }
  const cadastre_pool_info_struct info = pool_of(context, CADASTRE_DEVICE);
  assert_true(info.misses == 1 && info.hits == 102 && info.used_bytes == 0);
  destroy(context);
}

void a_block_that_is_not_cached_is_marked_once(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream stream;
    void* const large = get(context, stream, 2 * mebi);
    void* const host = allocate(context, page);
    put(context, get_cached(context, stream), stream);
    for (void* const block : {large, host}) {
      put(context, get_cached(context, stream), stream);
      cuda_double().forget_calls();
      put(context, block, stream);
      assert_true(cuda_double().calls_of("cudaEventRecord") <= 1);
    }
  }
  destroy(context);
}

// The last free's event covers those before it.
void another_queue_comes_after_all_that_was_freed_before(void**) {
  const cadastre_context context = on_numbered_queues(), other = on_the_double();
  {
    const Stream uses, gets;
    std::vector<void*> blocks;
    for (int i = 0; i < 6; ++i) blocks.push_back(get(context, uses));
    put(context, get_cached(context, uses), uses);
    for (void* const block : blocks) {
      write(uses, block);
      put(context, block, uses);
    }
    assert_int_equal(cached_in(context), 7);
    assert_false(comes_after_all(blocks[5], gets));  // else this proves nothing
    for (const cadastre_context whose : {context, other}) {
      for (int i = 0; i < 3; ++i) {
        void* const block = get(whose, gets);
        assert_true(comes_after_all(block, gets));
        blocks.push_back(block);
      }
    }
    assert_int_equal(pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE).misses, 7);
    for (std::size_t i = 6; i < 12; ++i) put(i < 9 ? context : other, blocks[i], gets);
  }
  destroy(context);
  destroy(other);
}

// There is something in the free list already, behind an earlier event.
void what_is_cached_after_a_locked_call_is_behind_an_event_of_its_own(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream uses, gets;
    release(context, get(context, uses, 20 * page));  // so much was in use once, and may be kept
    assert_int_equal(cadastre_pool_trim(context, CADASTRE_DEVICE, 0), CADASTRE_SUCCESS);
    void* const first = get(context, uses);
    void* const second = get_cached(context, uses);
    put(context, first, uses);
    statistics(context, CADASTRE_DEVICE);
    put(context, get(context, uses, 3 * page), uses);
    write(uses, second);
    put(context, second, uses);
    assert_int_equal(cached_in(context), 2);
    for (int i = 0; i < 2; ++i) assert_true(comes_after_all(get(context, gets), gets));
    assert_int_equal(pool_of(context, CADASTRE_DEVICE).misses, 4);
    for (void* const block : {first, second}) put(context, block, gets);
  }
  destroy(context);
}

// What it frees is behind an event of its own, later than that of what the first has cached.
void another_context_that_frees_on_the_queue_is_waited_for(void**) {
  const cadastre_context context = on_numbered_queues(), other = on_the_double();
  {
    const Stream uses, gets;
    void* const large = get(other, uses, 2 * mebi);
    put(context, get_cached(context, uses), uses);
    put(context, get_cached(context, uses), uses);
    write(uses, large, 2 * mebi);
    put(other, large, uses);
    assert_int_equal(cached_in(context), 1);
    statistics(context, CADASTRE_DEVICE);
    assert_false(comes_after_all(large, gets));  // else this proves nothing
    void* const again = get(context, gets, 2 * mebi);
    assert_true(again == large && comes_after_all(again, gets));
    put(context, again, gets);
  }
  destroy(context);
  destroy(other);
}

void what_is_wanted_without_an_order_is_waited_for(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream uses;
    void* const block = get_cached(context, uses);
    write(uses, block);
    put(context, block, uses);
    assert_true(cuda_double().unordered(block, page, nullptr) > 0);
    void* const again = cadastre_malloc(context, of_device(page));
    assert_ptr_equal(again, block);
    assert_int_equal(cuda_double().unordered(again, page, nullptr), 0);
    release(context, again);
  }
  destroy(context);
}

void a_new_queue_with_the_handle_of_another_comes_after_it(void**) {
  const cadastre_context context = on_numbered_queues();
  auto gone = std::make_unique<Stream>();
  void* const handle = gone->handle;
  void* const block = get_cached(context, *gone);
  write(*gone, block);
  put(context, block, *gone);
  assert_int_equal(cached_in(context), 1);
  gone.reset();
  {
    const Stream next;
    assert_ptr_equal(next.handle, handle);  // else this proves nothing
    assert_false(comes_after_all(block, next));
    void* const again = get(context, next);
    assert_ptr_equal(again, block);
    assert_true(comes_after_all(again, next));
    put(context, again, next);
    assert_ptr_equal(get(context, next), block);
    put(context, block, next);
    assert_int_equal(cached_in(context), 1);
  }
  destroy(context);
}

void a_queue_that_is_captured_gets_nothing_and_keeps_its_block(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream stream;
    void* const lives = get_cached(context, stream);
    put(context, get(context, stream), stream);
    assert_int_equal(cached_in(context), 1);
    assert_int_equal(cuda("cudaStreamBeginCapture", stream.handle, 2), 0);
    assert_null(cadastre_malloc_async(context, of_device(page), stream.handle));
    assert_int_equal(cadastre_free_async(context, lives, stream.handle), CADASTRE_CAPTURE_ACTIVE);
    void* graph = nullptr;
    assert_int_equal(cuda("cudaStreamEndCapture", stream.handle, &graph), 0);
    assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
    assert_int_equal(statistics(context, CADASTRE_DEVICE).live_blocks, 1);
    put(context, lives, stream);
  }
  destroy(context);
}

// Also where a capture begins while there is a cache that knows the queue, of which nobody is told.
void a_capture_that_begins_is_seen(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream stream;
    void* const lives = get_cached(context, stream);
    for (const bool frees : {false, true}) {
      put(context, get_cached(context, stream), stream);
      const unsigned before = cached_in(context);
      assert_true(before > 0);
      assert_int_equal(cuda("cudaStreamBeginCapture", stream.handle, 2), 0);
      cuda_double().forget_calls();
      if (frees) assert_int_equal(cadastre_free_async(context, lives, stream.handle), CADASTRE_CAPTURE_ACTIVE);
      else assert_null(cadastre_malloc_async(context, of_device(page), stream.handle));
      assert_int_equal(cuda_double().calls_of("cudaEventRecord") + cuda_double().calls_of("cudaStreamWaitEvent"), 0);
      void* graph = nullptr;
      assert_int_equal(cuda("cudaStreamEndCapture", stream.handle, &graph), 0);
      assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
    }
    put(context, lives, stream);
  }
  destroy(context);
}

void three_queues_beside_the_default_one_are_known_those_used_last(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream streams[4];
    const auto knows = [&](const Stream& stream) {
      const BlockCache* const cache = cache_in(context);
      return cache && cache->number_of(stream.handle) < BlockCache::most_queues;
    };
    for (const Stream& stream : streams) put(context, get_cached(context, stream), stream);
    assert_true(!knows(streams[0]) && knows(streams[1]) && knows(streams[2]) && knows(streams[3]));
    put(context, get(context, streams[1], 3 * page), streams[1]);
    put(context, get(context, streams[0], 3 * page), streams[0]);
    assert_true(knows(streams[0]) && knows(streams[1]) && !knows(streams[2]) && knows(streams[3]));
    void* const by_default = cadastre_malloc_async(context, of_device(5 * page), CADASTRE_DEFAULT_QUEUE);
    assert_int_equal(cadastre_free_async(context, by_default, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    put(context, get(context, streams[3], 5 * page), streams[3]);
    assert_int_equal(cached_in(context), 1);
  }
  destroy(context);
}

// Each queue gives out what was freed there, and no other has it.
void queues_in_turn_get_their_own_blocks(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream streams[3];
    void* blocks[3];
    for (int i = 0; i < 3; ++i) blocks[i] = get(context, streams[i]);
    for (int i = 0; i < 3; ++i) put(context, blocks[i], streams[i]);
    for (int i = 0; i < 3; ++i) blocks[i] = get(context, streams[i]);
    for (int i = 0; i < 3; ++i) put(context, blocks[i], streams[i]);
    assert_int_equal(cached_in(context), 3);
    cuda_double().forget_calls();
    for (int turn = 0; turn < 50; ++turn) {
      for (int i = 2; i >= 0; --i) assert_ptr_equal(get(context, streams[i]), blocks[i]);
      for (int i = 0; i < 3; ++i) put(context, blocks[i], streams[i]);
    }
    assert_int_equal(cuda_double().calls_of("cudaStreamWaitEvent"), 0);
    assert_int_equal(cached_in(context), 3);
  }
  destroy(context);
}

// What one queue of the cache has freed another gets, whose queue waits, without a locked call.
void a_queue_gets_what_another_has_freed_and_waits_for_it(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream streams[2];
    const cadastre_queue queues[] = {CADASTRE_DEFAULT_QUEUE, streams[0].handle, streams[1].handle};
    const auto get_on = [&](cadastre_queue queue) { return cadastre_malloc_async(context, of_device(page), queue); };
    void* const block = get(context, streams[0]);
    put(context, block, streams[0]);
    put(context, get(context, streams[1]), streams[1]);
    for (const Stream& stream : streams) put(context, get_cached(context, stream), stream);
    assert_true(cached_in(context) == 1 && cache_in(context)->queue_count == 3);
    std::int64_t freed = cache_in(context)->deallocations;
    unsigned last = 2;
    for (unsigned turn = 0; turn < 60; ++turn) {
      const unsigned next = (last + 1 + turn % 2) % 3;
      void* handle = queues[next];
      assert_true(cuda_double().unordered(block, page, &handle) > 0 || turn == 0);  // else this proves nothing
      cuda_double().forget_calls();
      assert_ptr_equal(get_on(handle), block);
      assert_int_equal(cuda_double().unordered(block, page, &handle), 0);
      assert_int_equal(cuda_double().calls_of("cudaStreamWaitEvent"), 1);
      assert_int_equal(cuda_double().calls_of("cudaEventRecord"), last == 0);
      assert_true(cache_in(context) && cached_in(context) == 0);
      assert_int_equal(cuda("cudaMemsetAsync", block, 1, page, handle), 0);
      assert_int_equal(cadastre_free_async(context, block, handle), CADASTRE_SUCCESS);
      assert_true(cache_in(context) && cache_in(context)->deallocations == ++freed);
      last = next;
    }
    const cadastre_pool_info_struct info = pool_of(context, CADASTRE_DEVICE);
    assert_true(info.misses == 1 && info.hits == 65 && info.used_bytes == 0);
  }
  destroy(context);
}

void what_the_pool_has_for_a_queue_is_better_than_what_another_has_freed(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream uses, gets;
    void* const settled = get(context, uses);
    void* const block = get(context, uses);
    put(context, get(context, gets, 3 * page), gets);
    put(context, get(context, uses, 3 * page), uses);
    release(context, settled);
    put(context, get(context, gets, 3 * page), gets);
    write(uses, block);
    put(context, block, uses);
    cuda_double().forget_calls();
    assert_ptr_equal(get(context, gets), settled);
    assert_int_equal(cuda_double().calls_of("cudaStreamWaitEvent"), 0);
    assert_ptr_equal(get(context, gets), block);
    assert_true(comes_after_all(block, gets));
    for (void* const each : {settled, block}) put(context, each, gets);
  }
  destroy(context);
}

// Nothing is put on the default queue then, nor has a queue that is captured to wait.
void no_queue_waits_while_a_capture_is_seen(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream uses, gets;
    put(context, get_cached(context, gets), gets);
    put(context, get_cached(context, uses), uses);
    void* const block = get(context, uses);
    write(uses, block);
    put(context, block, uses);
    assert_int_equal(cuda("cudaStreamBeginCapture", gets.handle, 2), 0);
    cuda_double().forget_calls();
    assert_null(cadastre_malloc_async(context, of_device(page), gets.handle));
    assert_int_equal(cuda_double().calls_of("cudaStreamWaitEvent") + cuda_double().calls_of("cudaEventRecord"), 0);
    void* graph = nullptr;
    assert_int_equal(cuda("cudaStreamEndCapture", gets.handle, &graph), 0);
    assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
    assert_true(comes_after_all(get(context, gets), gets));
  }
  destroy(context);
}

void the_default_queue_of_a_context_is_served(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream stream;
    assert_int_equal(cadastre_context_set_default_queue(context, stream.handle), CADASTRE_SUCCESS);
    void* const block = get_cached(context, stream);
    write(stream, block);
    cuda_double().forget_calls();
    assert_int_equal(cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    assert_int_equal(cached_in(context), 1);
    assert_int_equal(cuda_double().calls_of("cudaStreamWaitEvent"), 0);
    void* const again = cadastre_malloc_async(context, of_device(page), CADASTRE_DEFAULT_QUEUE);
    assert_true(again == block && cached_in(context) == 0 && cache_in(context));
    assert_true(comes_after_all(again, stream));
    write(stream, again);
    assert_int_equal(cadastre_free_async(context, again, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    assert_int_equal(cached_in(context), 1);
    const Stream gets;
    void* const on_another = get(context, gets);
    assert_true(on_another == block && comes_after_all(on_another, gets));
    put(context, on_another, gets);
    assert_int_equal(cadastre_context_set_default_queue(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    void* const elsewhere = cadastre_malloc_async(context, of_device(page), CADASTRE_DEFAULT_QUEUE);
    void* handle = nullptr;
    assert_int_equal(cuda_double().unordered(elsewhere, page, &handle), 0);
    assert_int_equal(cadastre_free_async(context, elsewhere, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  }
  destroy(context);
}

// What the thread remembers of the context is of the queue before, for which the pool has a block, too.
void a_default_queue_that_changes_is_the_one_that_is_served(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream before, now;
    assert_int_equal(cadastre_context_set_default_queue(context, before.handle), CADASTRE_SUCCESS);
    void* const freed_now = get_cached(context, before);
    void* const freed_before = cadastre_malloc_async(context, of_device(page), CADASTRE_DEFAULT_QUEUE);
    assert_non_null(freed_before);
    write(before, freed_before);
    put(context, freed_before, before);
    assert_int_equal(cadastre_context_set_default_queue(context, now.handle), CADASTRE_SUCCESS);
    put(context, freed_now, now);
    assert_non_null(cache_in(context));
    void* const block = cadastre_malloc_async(context, of_device(page), CADASTRE_DEFAULT_QUEUE);
    assert_true(block && comes_after_all(block, now));
    assert_ptr_equal(block, freed_now);
    assert_int_equal(cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  }
  destroy(context);
}

// Two contexts that have one place at hand in the thread; only one of them has a cache.
void no_vendor_is_asked_about_a_queue_of_a_context_without_a_cache(void**) {
  const cadastre_context context = on_numbered_queues();
  const auto place_of = [](cadastre_context of) { return static_cast<std::uint64_t>(of) % shards_at_hand; };
  std::vector<cadastre_context> others;
  do {
    others.push_back(new_context(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE));
    assert_true(others.back() != CADASTRE_NULL_CONTEXT);
  } while (place_of(others.back()) != place_of(context));
  {
    const Stream stream;
    release(others.back(), allocate(others.back(), 64));
    put(context, get_cached(context, stream), stream);
    put(context, get(context, stream), stream);
    assert_true(&shard_at_hand(others.back()) == find_known_shard(context));
    cuda_double().forget_calls();
    void* const block = cadastre_malloc_async(others.back(), request(64), stream.handle);
    assert_int_equal(cuda_double().calls_of("cudaStreamIsCapturing"), 0);
    if (block) release(others.back(), block);
  }
  for (const cadastre_context other : others) destroy(other);
  destroy(context);
}

void the_queue_of_each_thread_is_not_cached(void**) {
  const cadastre_context context = on_numbered_queues();
  const cadastre_queue of_thread = find_backend(spoken().backend)->queue_of_each_thread();
  for (int turn = 0; turn < 3; ++turn) {
    void* const block = cadastre_malloc_async(context, of_device(page), of_thread);
    assert_non_null(block);
    assert_int_equal(cadastre_free_async(context, block, of_thread), CADASTRE_SUCCESS);
    assert_int_equal(cached_in(context), 0);
  }
  destroy(context);
}

// Whichever call of the vendor fails, nothing is lost, and no event is left with the last context.
void no_failure_loses_a_block_or_an_event(void**) {
  destroy(on_numbered_queues());
  const cuda_double_census before = cuda_double().census();
  for (const char* const routine :
       {"cudaEventRecord", "cudaStreamGetId", "cudaStreamIsCapturing", "cudaEventCreateWithFlags", "cudaStreamWaitEvent"}) {
    for (long k = 1; k <= 3; ++k) {
      const cadastre_context context = on_numbered_queues();
      {
        const Stream stream, another;
        put(context, get(context, another, 3 * page), another);
        void* const first = get(context, stream);
        void* const second = get_cached(context, stream);
        cuda_double().fail(routine, k, 1, 999);
        for (void* const block : {first, second}) {
          if (cadastre_free_async(context, block, stream.handle) != CADASTRE_SUCCESS) release(context, block);
        }
        void* const third = cadastre_malloc_async(context, of_device(page), stream.handle);
        void* const fourth = cadastre_malloc_async(context, of_device(page), another.handle);
        if (third) cadastre_free_async(context, third, CADASTRE_DEFAULT_QUEUE);
        void* const fifth = cadastre_malloc_async(context, of_device(page), another.handle);
        cuda_double().fail(routine, 0, 0, 0);
        for (void* const block : {fourth, fifth}) {
          if (block) put(context, block, another);
        }
        assert_int_equal(statistics(context, CADASTRE_DEVICE).live_blocks, 0);
        put(context, get_cached(context, stream), stream);
      }
      assert_int_equal(pool_of(context, CADASTRE_DEVICE).used_bytes, 0);
      destroy(context);
      const cuda_double_census after = cuda_double().census();
      assert_true(after.blocks == before.blocks && after.events == before.events && after.streams == before.streams);
    }
  }
}

void events_are_few_and_go_with_the_last_context(void**) {
  destroy(on_numbered_queues());
  const cuda_double_census before = cuda_double().census();
  const cadastre_context context = on_numbered_queues();
  {
    const Stream streams[2];
    for (int turn = 0; turn < 300; ++turn) {
      const Stream& stream = streams[turn % 2];
      void* const block = get_cached(context, stream);
      put(context, get_cached(context, stream), stream);
      put(context, block, stream);
      if (turn % 5 == 0) statistics(context, CADASTRE_DEVICE);
      if (turn % 7 == 0) release(context, cadastre_malloc(context, of_device(page)));
    }
    assert_true(cuda_double().census().events <= before.events + 12);
  }
  destroy(context);
  assert_int_equal(cuda_double().census().events, before.events);
}

// Each has a queue of its own, and another asks for figures and takes the cache away with each.
void threads_take_the_cache_from_each_other(void**) {
  const cadastre_context contexts[] = {on_numbered_queues(), on_the_double()};
  std::atomic<int> wrong = 0;
  {
    const Stream streams[4];
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < 4; ++number) {
      threads.emplace_back([&, number] {
        std::mt19937 random(number);
        const cadastre_context context = contexts[number % 2];
        std::vector<void*> blocks;
        for (int i = 0; i < (sanitized ? 1000 : 4000); ++i) {
          const cadastre_queue queue = random() % 8   ? streams[number].handle
                                       : random() % 2 ? streams[3 - number].handle
                                                      : CADASTRE_DEFAULT_QUEUE;
          if (blocks.size() < 6 && random() % 2) {
            void* const block = cadastre_malloc_async(context, of_device(page * (1 + random() % 2)), queue);
            void* handle = queue;
            wrong += !block || cuda_double().unordered(block, page, &handle) > 0;
            wrong += cuda("cudaMemsetAsync", block, 1, page, queue) != 0;
            // Freed on another queue than it was used on, it has to come after that one.
            wrong += queue != streams[number].handle && cuda("cudaStreamSynchronize", queue) != 0;
            blocks.push_back(block);
          } else if (!blocks.empty()) {
            wrong += cadastre_free_async(context, blocks.back(), streams[number].handle) != CADASTRE_SUCCESS;
            blocks.pop_back();
          }
          if (random() % 300 == 0) wrong += statistics(context, CADASTRE_DEVICE).live_blocks > 12;
        }
        for (void* const block : blocks) wrong += cadastre_free_async(context, block, streams[number].handle) != CADASTRE_SUCCESS;
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  assert_int_equal(wrong, 0);
  for (const cadastre_context context : contexts) {
    const cadastre_statistics_struct figures = statistics(context, CADASTRE_DEVICE);
    assert_true(figures.live_blocks == 0 && figures.live_bytes == 0 && figures.allocations == figures.deallocations);
    assert_int_equal(pool_of(context, CADASTRE_DEVICE).used_bytes, 0);
  }
  for (const cadastre_context context : contexts) destroy(context);
}

// In the child no vendor can be called.
void a_child_goes_on_and_so_does_its_parent(void**) {
  const cadastre_context context = on_numbered_queues();
  {
    const Stream stream;
    void* const block = get_cached(context, stream);
    put(context, block, stream);
    assert_true(holds_in_a_child([&] {
      const bool is_freed = statistics(context, CADASTRE_DEVICE).live_blocks == 0;
      return is_freed && !cadastre_malloc_async(context, of_device(page), stream.handle) &&
             cadastre_free_async(context, block, stream.handle) != CADASTRE_SUCCESS;
    }));
    put(context, get_cached(context, stream), stream);
  }
  destroy(context);
}

}  // namespace

int main() {
  setenv("CADASTRE_HEAP", "on", 1);  // a checker of memory would switch off heaps, and with them what threads cache
  setenv("CUDA_DOUBLE_SLOW", "cudaEventRecord", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_cache_that_goes_while_a_queue_is_marked_loses_nothing),
      cmocka_unit_test(a_pair_takes_no_locked_call_and_five_calls_of_the_vendor),
      cmocka_unit_test(a_block_that_is_not_cached_is_marked_once),
      cmocka_unit_test(another_queue_comes_after_all_that_was_freed_before),
      cmocka_unit_test(what_is_cached_after_a_locked_call_is_behind_an_event_of_its_own),
      cmocka_unit_test(another_context_that_frees_on_the_queue_is_waited_for),
      cmocka_unit_test(what_is_wanted_without_an_order_is_waited_for),
      cmocka_unit_test(a_new_queue_with_the_handle_of_another_comes_after_it),
      cmocka_unit_test(a_queue_that_is_captured_gets_nothing_and_keeps_its_block),
      cmocka_unit_test(a_capture_that_begins_is_seen),
      cmocka_unit_test(three_queues_beside_the_default_one_are_known_those_used_last),
      cmocka_unit_test(queues_in_turn_get_their_own_blocks),
      cmocka_unit_test(a_queue_gets_what_another_has_freed_and_waits_for_it),
      cmocka_unit_test(what_the_pool_has_for_a_queue_is_better_than_what_another_has_freed),
      cmocka_unit_test(no_queue_waits_while_a_capture_is_seen),
      cmocka_unit_test(the_default_queue_of_a_context_is_served),
      cmocka_unit_test(a_default_queue_that_changes_is_the_one_that_is_served),
      cmocka_unit_test(no_vendor_is_asked_about_a_queue_of_a_context_without_a_cache),
      cmocka_unit_test(the_queue_of_each_thread_is_not_cached),
      cmocka_unit_test(no_failure_loses_a_block_or_an_event),
      cmocka_unit_test(events_are_few_and_go_with_the_last_context),
      cmocka_unit_test(threads_take_the_cache_from_each_other),
      cmocka_unit_test(a_child_goes_on_and_so_does_its_parent),
  };
  return cmocka_run_group_tests_name("what is cached by queue", tests, nullptr, nullptr);
}
