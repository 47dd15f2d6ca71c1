// Tangled from org/tests/block_cache_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that a thread caches inside its shard.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "cached_blocks.hpp"

using namespace cadastre::internal;

namespace {

void* get(cadastre_context context, const cadastre_memory_info_struct& info) {
  void* const block = cadastre_malloc_async(context, info, CADASTRE_DEFAULT_QUEUE);
  assert_non_null(block);
  return block;
}
void* get(cadastre_context context, std::size_t size) { return get(context, of_device(size)); }
void put(cadastre_context context, void* block) {
  assert_int_equal(cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
}

// A block that the cache has just given out, of a context that has one from now on.
void* get_cached(cadastre_context context, std::size_t size) {
  put(context, get(context, size));
  const unsigned before = cached_in(context);
  void* const block = get(context, size);
  assert_true(cache_in(context) && before > 0 && cached_in(context) == before - 1);
  return block;
}

void a_block_that_was_freed_is_given_out_again_without_a_locked_call(void**) {
  const cadastre_context context = on_the_double();
  void* const block = get_cached(context, page);
  cuda_double().forget_calls();
  for (int turn = 0; turn < 3000; ++turn) {
    put(context, block);
    assert_int_equal(cached_in(context), 1);
    assert_ptr_equal(get(context, page), block);
  }
  assert_int_equal(cuda_double().calls_of("cudaMalloc") + cuda_double().calls_of("cudaFree") + cuda_double().calls_of("cudaEventRecord"),
                   0);
  const cadastre_pool_info_struct info = pool_of(context, CADASTRE_DEVICE);
  assert_true(info.hits == 3001 && info.misses == 1);
  destroy(context);
}

void a_cached_block_is_freed_in_every_respect(void**) {
  const cadastre_context context = on_the_double();
  void* const block = get_cached(context, page);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  std::size_t offset = 0;
  const auto cached_again = [&] {
    void* const again = get_cached(context, page);
    assert_ptr_equal(again, block);
    put(context, again);
    assert_int_equal(cached_in(context), 1);
  };
  const auto is_told_as_freed = [&](cadastre_exit_code code) {
    assert_int_equal(code, CADASTRE_INVALID_ARG_2);
    cadastre_error_struct error = cadastre_error_struct_zero;
    assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
    assert_int_equal(error.reason, CADASTRE_REASON_ALREADY_FREED);
  };
  put(context, block);
  is_told_as_freed(cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE));
  cached_again();
  is_told_as_freed(cadastre_free(context, block));
  cached_again();
  is_told_as_freed(cadastre_get_malloc_info(context, block, &info));
  cached_again();
  is_told_as_freed(cadastre_find_block(context, static_cast<char*>(block) + 100, &info, &offset));
  cached_again();
  assert_null(cadastre_realloc(context, block, 2 * page));
  cached_again();
  assert_true(cadastre_memset_async(context, block, 1, page, CADASTRE_DEFAULT_QUEUE) != CADASTRE_SUCCESS);
  destroy(context);
}

void a_block_that_comes_back_has_a_life_of_its_own(void**) {
  const cadastre_context context = on_the_double();
  cadastre_memory_info_struct asked = of_device(page, "first"), info = cadastre_memory_info_struct_zero;
  void* const block = get(context, asked);
  put(context, block);
  asked.alignment = 64;
  asked.label = "second";
  void* const labelled = get(context, asked);
  put(context, labelled);
  asked.label = "first";
  assert_true(cached_in(context) > 0);
  assert_ptr_equal(get(context, asked), block);
  assert_true(cache_in(context) && cached_in(context) == 0);
  assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
  assert_true(cache_in(context) != nullptr);
  assert_true(info.size == page && info.pointer == block && info.type == CADASTRE_DEVICE && info.stride == 0 && info.alignment >= 256);
  assert_int_equal(info.flags, CADASTRE_UNINITIALIZED | CADASTRE_STREAM_ORDERED);
  assert_string_equal(info.label, "first");
  assert_int_equal(info.backend, spoken().backend);
  assert_int_equal(cadastre_memset_async(context, block, 7, page, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_int_equal(cuda_double().first_byte(block), 7);
  release(context, block);
  destroy(context);
}

std::vector<const void*> in_order(cadastre_context context) {
  std::vector<const void*> blocks;
  const auto add = [](const cadastre_memory_info_struct* info, void* list) -> cadastre_exit_code {
    static_cast<std::vector<const void*>*>(list)->push_back(info->pointer);
    return CADASTRE_SUCCESS;
  };
  assert_int_equal(cadastre_foreach_block(context, add, &blocks), CADASTRE_SUCCESS);
  return blocks;
}

// Whether the table of blocks that stand alone has found room since: an allocator that gives each block another address fills it with those that
// were freed.
class TableWatch {
 public:
  explicit TableWatch(cadastre_context context) : table_(find_known_shard(context)->heap->table()) {}
  bool was_made_anew() const { return table_.capacity() != capacity_ || table_.used() < used_; }

 private:
  const Table& table_;
  const std::size_t capacity_ = table_.capacity(), used_ = table_.used();
};

// More than are drawn at a time.
void numbers_follow_the_order_of_allocations_of_all_memory_types(void**) {
  if (sanitized) skip_because("with a sanitizer, each HOST block takes a visit, which takes the cache away");
  const cadastre_context context = on_the_double();
  void* device = get_cached(context, page);
  void* host = allocate(context, 64);
  for (int turn = 0; turn < 5000; ++turn) {
    put(context, device);
    device = get(context, page);
    if (turn % 7 == 0) {
      const bool was_cached = cache_in(context) != nullptr;
      const TableWatch table(context);
      release(context, host);
      host = allocate(context, 64);
      assert_true(!was_cached || cache_in(context) || table.was_made_anew());
      if (turn % 1001 == 0) assert_true(in_order(context) == (std::vector<const void*>{device, host}));
      continue;
    }
    if (turn % 1000 == 1) assert_true(in_order(context) == (std::vector<const void*>{host, device}));
  }
  void* const first = get(context, page);
  put(context, get_cached(context, 2 * page));
  put(context, first);
  assert_int_equal(cached_in(context), 2);
  const BlockCache::Block* const freed = cache_in(context)->queues[0].blocks;
  assert_int_equal(freed[1].entry->stride_or_freed.load(), freed[0].entry->stride_or_freed.load() + 1);
  const cadastre_statistics_struct of_host = statistics(context);
  assert_true(of_host.live_blocks == 1 && of_host.allocations == of_host.deallocations + 1 && of_host.allocations == 716);
  destroy(context);
}

// A plain model of what the statistics count, asked for at random moments.
void figures_are_what_they_would_be_without_a_cache(void**) {
  const cadastre_context context = on_the_double();
  std::mt19937 random(5);
  std::vector<std::pair<void*, std::size_t>> blocks;
  std::int64_t allocations = 0, deallocations = 0, most_blocks = 0;
  std::size_t live = 0, total = 0, most = 0;
  unsigned served = 0;
  for (int i = 0; i < 20000; ++i) {
    if (blocks.size() < 12 && random() % 2) {
      const std::size_t size = page * (1 + random() % 3);
      const unsigned before = cached_in(context);
      blocks.emplace_back(get(context, size), size);
      served += cached_in(context) + 1 == before;
      ++allocations;
      live += size;
      total += size;
      most = std::max(most, live);
      most_blocks = std::max(most_blocks, static_cast<std::int64_t>(blocks.size()));
    } else if (!blocks.empty()) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      put(context, blocks.back().first);
      live -= blocks.back().second;
      blocks.pop_back();
      ++deallocations;
    }
    if (random() % 50) continue;
    const bool of_process = random() % 2;
    cadastre_statistics_struct figures = statistics(of_process ? CADASTRE_PROCESS : context, CADASTRE_DEVICE);
    assert_int_equal(figures.live_bytes, live);
    assert_int_equal(figures.live_blocks, blocks.size());
    if (of_process) continue;  // others were there before
    assert_true(figures.allocations == allocations && figures.deallocations == deallocations && figures.total_bytes == total);
    assert_true(figures.high_water_mark_bytes == most && figures.high_water_mark_blocks == most_blocks && figures.zeroed_bytes == 0);
    const cadastre_pool_info_struct pool = pool_of(context, CADASTRE_DEVICE);
    assert_true(pool.used_bytes >= live && pool.used_bytes <= 2 * live);
    assert_int_equal(pool.hits + pool.misses, allocations);
  }
  assert_true(served > 1000);
  destroy(context);
}

void labels_are_counted(void**) {
  const cadastre_context context = on_the_double();
  for (const char* const label : {"mine", "yours"}) put(context, get(context, of_device(page, label)));
  void* const mine = get(context, of_device(page, "mine"));
  put(context, mine);
  assert_true(cached_in(context) > 0);
  void* const yours = get(context, of_device(page, "yours"));
  assert_ptr_equal(yours, mine);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_true(summary.live_blocks == 1 && summary.live_bytes == page && summary.largest_label_bytes == page);
  assert_string_equal(summary.largest_label, "yours");
}

// Arrays of one size under two labels, which a solver frees and allocates in turn: none takes the other's name for a while, and a block that is
// in the cache in the end is nobody's.
void a_label_gets_the_block_that_had_it(void**) {
  const cadastre_context context = on_the_double();
  const cadastre_memory_info_struct mine = of_device(page, "mine"), yours = of_device(page, "yours"), plain = of_device(page);
  void* const of_mine = get(context, mine);
  void* const of_yours = get(context, yours);
  void* const of_nobody = get(context, plain);
  for (void* const block : {of_mine, of_nobody, of_yours}) put(context, block);
  for (int round = 0; round < 3; ++round) {
    assert_ptr_equal(get(context, plain), of_nobody);
    assert_ptr_equal(get(context, mine), of_mine);
    assert_ptr_equal(get(context, yours), of_yours);
    for (void* const block : {of_mine, of_yours, of_nobody}) put(context, block);
  }
  assert_ptr_equal(get(context, mine), of_mine);
  const void* const another = get(context, mine);
  assert_true(another == of_yours || another == of_nobody);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_true(summary.live_blocks == 2 && summary.largest_label_bytes == 2 * page);
  assert_string_equal(summary.largest_label, "mine");
}

void eight_blocks_and_a_mebibyte_are_cached_at_most(void**) {
  const cadastre_context context = on_the_double();
  std::vector<void*> blocks;
  for (int i = 0; i < 20; ++i) blocks.push_back(get(context, page));
  for (void* const block : blocks) {
    put(context, block);
    assert_true(cached_in(context) <= 8);
  }
  assert_true(cached_in(context) > 0);
  blocks.clear();
  for (int i = 0; i < 5; ++i) blocks.push_back(get(context, 300 << 10));
  for (void* const block : blocks) {
    put(context, block);
    const BlockCache* const cache = cache_in(context);
    assert_true(!cache || cache->bytes <= mebi);
  }
  void* const large = get(context, 2 * mebi);
  put(context, large);
  const BlockCache* const cache = cache_in(context);
  assert_true(!cache || cache->bytes <= mebi);
  const cadastre_pool_info_struct info = pool_of(context, CADASTRE_DEVICE);
  assert_true(info.used_bytes == 0 && info.releasable_bytes == info.reserved_bytes && info.reserved_bytes >= 2 * mebi);
  destroy(context);
}

// The library reads it once, so this is as if it had read something else. Who skips a claim does not come back to undo that.
void the_environment_says_how_many_bytes_are_cached(void**) {
  destroy(on_the_double());
  const Environment& read = environment();
  const auto cached_of = [&read](std::size_t most, std::size_t size) {
    Environment other = read;
    other.pool_thread_cache = most;
    known_environment = &other;
    const cadastre_context context = on_the_double();
    std::array<void*, 10> blocks{};
    for (void*& block : blocks) block = get(context, size);
    std::size_t bytes = 0;
    for (void* const block : blocks) {
      put(context, block);
      const BlockCache* const cache = cache_in(context);
      if (cache) bytes = std::max(bytes, cache->bytes);
    }
    destroy(context);
    known_environment = &read;
    return bytes;
  };
  assert_int_equal(read.pool_thread_cache, mebi);
  assert_int_equal(cached_of(mebi, 2 * mebi), 0);
  assert_int_equal(cached_of(7 * mebi, 2 * mebi), 6 * mebi);
  assert_int_equal(cached_of(64 * mebi, 2 * mebi), 16 * mebi);
  assert_int_equal(cached_of(2 * page, page), 2 * page);
  assert_int_equal(cached_of(0, page), 0);
}

void a_miss_finds_what_a_larger_cache_has(void**) {
  destroy(on_the_double());
  const Environment& read = environment();
  Environment other = read;
  other.pool_thread_cache = 64 * mebi;
  known_environment = &other;
  const cadastre_context context = on_the_double(), elsewhere = on_the_double();
  // So much was in use once that what follows raises no mark.
  assert_int_equal(cadastre_free(context, get(context, 16 * mebi)), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_DEVICE, 0), CADASTRE_SUCCESS);
  void* const cached = get_cached(context, 3 * mebi);
  put(context, cached);
  assert_int_equal(cached_in(context), 1);
  std::thread([=] { put(elsewhere, get(elsewhere, 3 * mebi)); }).join();
  assert_int_equal(pool_of(elsewhere, CADASTRE_DEVICE).misses, 0);
  destroy(context);
  destroy(elsewhere);
  known_environment = &read;
}

void what_is_cached_goes_at_a_trim(void**) {
  const cadastre_context context = on_the_double(), other = on_the_double();
  put(other, get(other, mebi));
  for (const cadastre_context who : {context, other, static_cast<cadastre_context>(CADASTRE_PROCESS)}) {
    put(context, get_cached(context, page));
    assert_int_equal(cached_in(context), 1);
    assert_int_equal(cadastre_pool_trim(who, CADASTRE_DEVICE, 0), CADASTRE_SUCCESS);
    const cadastre_pool_info_struct info = pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE);
    assert_true(info.reserved_bytes == 0 && !cache_in(context));
  }
  put(context, get_cached(context, page));
  assert_int_equal(pool_of(other, CADASTRE_DEVICE).releasable_bytes, page);
  destroy(context);
  destroy(other);
}

// What is cached counts against no limit, and a hit is within it.
void limits_are_exact(void**) {
  const cadastre_context context = on_the_double(), other = on_the_double();
  for (const cadastre_context whose : {context, static_cast<cadastre_context>(CADASTRE_PROCESS)}) {
    assert_int_equal(cadastre_set_limit(whose, CADASTRE_DEVICE, 4 * page), CADASTRE_SUCCESS);
    put(context, get_cached(context, 3 * page));
    const bool of_process = whose == CADASTRE_PROCESS;
    void* const block = get(of_process ? other : context, 4 * page);
    assert_null(cadastre_malloc_async(context, of_device(page), CADASTRE_DEFAULT_QUEUE));
    put(of_process ? other : context, block);
    assert_int_equal(cadastre_set_limit(whose, CADASTRE_DEVICE, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
  }
  destroy(context);
  destroy(other);
}

void a_lower_limit_takes_the_cache_away_and_none_is_handed_out_above_it(void**) {
  const cadastre_context context = on_the_double();
  void* const stays = get(context, 8 * page);
  for (const cadastre_context whose : {context, static_cast<cadastre_context>(CADASTRE_PROCESS)}) {
    void* const first = get(context, page);
    void* const second = get_cached(context, page);
    assert_int_equal(cadastre_set_limit(whose, CADASTRE_DEVICE, 2 * page), CADASTRE_SUCCESS);
    put(context, first);
    put(context, second);  // which a cache would keep
    assert_null(cadastre_malloc_async(context, of_device(page), CADASTRE_DEFAULT_QUEUE));
    assert_int_equal(cadastre_set_limit(whose, CADASTRE_DEVICE, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
  }
  put(context, stays);
  destroy(context);
}

void a_miss_takes_away_only_what_it_needs(void**) {
  const cadastre_context context = on_the_double(), other = on_the_double();
  const std::size_t large = 4 * environment().pool_thread_cache;
  const auto get_elsewhere = [&](cadastre_memory_type type, std::size_t size) {
    void* block = nullptr;
    std::thread([&] { block = cadastre_malloc(other, request(size, type, CADASTRE_UNINITIALIZED)); }).join();
    assert_non_null(block);
    return block;
  };
  // So much was in use once that what follows raises no mark.
  void* const first = get(context, 4 * large);
  assert_int_equal(cadastre_free(context, first), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_DEVICE, 0), CADASTRE_SUCCESS);
  put(context, get_cached(context, 5 * page));
  assert_int_equal(cached_in(context), 1);
  void* const pinned = get_elsewhere(CADASTRE_PINNED, 5 * page);
  assert_int_equal(cached_in(context), 1);
  void* const too_large = get_elsewhere(CADASTRE_DEVICE, large);
  assert_int_equal(cached_in(context), 1);
  void* const raises = get_elsewhere(CADASTRE_DEVICE, 4 * large);
  assert_null(cache_in(context));
  assert_int_equal(pool_of(other, CADASTRE_DEVICE).misses, 2);
  for (void* const block : {pinned, too_large, raises}) assert_int_equal(cadastre_free(other, block), CADASTRE_SUCCESS);
  destroy(context);
  destroy(other);
}

void another_context_gets_what_a_thread_has_cached(void**) {
  const cadastre_context context = on_the_double(), other = on_the_double();
  void* const block = get_cached(context, 5 * page);
  put(context, block);
  assert_int_equal(cached_in(context), 1);
  void* again = nullptr;
  std::thread([&] { again = get(other, 5 * page); }).join();
  assert_ptr_equal(again, block);
  assert_int_equal(pool_of(CADASTRE_PROCESS, CADASTRE_DEVICE).misses, 1);
  assert_int_equal(statistics(context, CADASTRE_DEVICE).live_blocks, 0);
  assert_int_equal(statistics(other, CADASTRE_DEVICE).live_bytes, 5 * page);
  assert_int_equal(cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE), CADASTRE_INVALID_ARG_2);
  destroy(context);
  destroy(other);
}

void memory_that_was_lost_with_its_device_is_not_given_out(void**) {
  const cadastre_context first = on_the_double(), second = on_the_double();
  void* const lost = get_cached(first, 200 * page);
  assert_int_equal(cuda("cudaDeviceReset"), 0);
  void* const block = get(second, 200 * page);
  assert_ptr_equal(block, lost);  // else this proves nothing
  put(first, lost);
  void* const other = get(first, 200 * page);
  assert_ptr_not_equal(other, block);
  put(first, other);
  assert_null(cache_in(first));
  assert_int_equal(pool_of(second, CADASTRE_DEVICE).used_bytes, 200 * page);
  destroy(first);
  destroy(second);
}

void a_child_goes_on_and_so_does_its_parent(void**) {
  const cadastre_context context = on_the_double();
  void* const block = get_cached(context, page);
  put(context, block);
  assert_true(holds_in_a_child([&] {
    const cadastre_statistics_struct figures = statistics(context, CADASTRE_DEVICE);
    return !cache_in(context) && figures.live_blocks == 0 &&
           cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE) != CADASTRE_SUCCESS;
  }));
  assert_int_equal(statistics(context, CADASTRE_DEVICE).live_blocks, 0);
  put(context, get_cached(context, page));
  destroy(context);
}

void with_the_context_all_goes_back_to_the_vendor(void**) {
  destroy(on_the_double());
  const cuda_double_census before = cuda_double().census();
  const cadastre_context context = on_the_double();
  put(context, get_cached(context, page));
  assert_int_equal(cached_in(context), 1);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_true(summary.live_blocks == 0 && summary.live_bytes == 0 && summary.failed_deallocations == 0);
  assert_int_equal(cuda_double().census().blocks, before.blocks);
}

// How many blocks a cache has counted as freed since it was handed out; none where there is no cache.
std::int64_t freed_in(cadastre_context context) {
  const BlockCache* const cache = cache_in(context);
  return cache ? cache->deallocations : 0;
}

// Larger than a cache may have, and more than eight: they come from the pool, and go there.
void what_the_pool_keeps_comes_without_a_locked_call(void**) {
  const cadastre_context context = on_the_double();
  std::vector<void*> blocks;
  for (int i = 0; i < 12; ++i) blocks.push_back(get(context, page));
  void* large = get(context, 2 * mebi);
  put(context, get_cached(context, page));
  std::int64_t freed = freed_in(context);
  assert_true(freed > 0);
  for (int turn = 0; turn < 100; ++turn) {
    for (void* const block : blocks) put(context, block);
    put(context, large);
    freed += 13;
    assert_int_equal(freed_in(context), freed);
    assert_int_equal(cached_in(context), 8);
    for (void*& block : blocks) block = get(context, page);
    void* const again = get(context, 2 * mebi);
    assert_ptr_equal(again, large);
    assert_int_equal(freed_in(context), freed);
  }
  put(context, large);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  assert_int_equal(cadastre_get_malloc_info(context, large, &info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_free_async(context, large, CADASTRE_DEFAULT_QUEUE), CADASTRE_INVALID_ARG_2);
  for (void* const block : blocks) put(context, block);
  const cadastre_pool_info_struct pool = pool_of(context, CADASTRE_DEVICE);
  assert_true(pool.used_bytes == 0 && pool.misses == 14 && pool.hits == 1 + 100 * 13);
  destroy(context);
}

void a_block_moves_to_another_context_of_its_thread(void**) {
  const cadastre_context contexts[] = {on_the_double(), on_the_double()};
  void* const block = get(contexts[0], of_device(page, "mine"));
  put(contexts[0], block);
  for (const cadastre_context context : {contexts[1], contexts[0], contexts[1]}) put(context, get(context, of_device(page, "mine")));
  const std::int64_t freed[] = {freed_in(contexts[0]), freed_in(contexts[1])};
  for (int turn = 0; turn < 100; ++turn) {
    const cadastre_context here = contexts[turn % 2], there = contexts[1 - turn % 2];
    void* const again = get(here, of_device(page, turn % 3 ? "mine" : "yours"));
    assert_ptr_equal(again, block);
    assert_true(cached_in(here) == 0 && cached_in(there) == 0);
    put(here, again);
    assert_true(cached_in(here) == 1 && cached_in(there) == 0);
  }
  for (int i = 0; i < 2; ++i) assert_int_equal(freed_in(contexts[i]), freed[i] + 50);
  void* const last = get(contexts[0], of_device(page, "mine"));
  assert_true(last == block && freed_in(contexts[1]) == freed[1] + 50);
  assert_int_equal(cadastre_free_async(contexts[1], last, CADASTRE_DEFAULT_QUEUE), CADASTRE_INVALID_ARG_2);
  const cadastre_pool_info_struct here = pool_of(contexts[0], CADASTRE_DEVICE), there = pool_of(contexts[1], CADASTRE_DEVICE);
  assert_true(here.used_bytes == page && there.used_bytes == 0 && here.misses + there.misses == 1);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(contexts[1], &summary), CADASTRE_SUCCESS);
  assert_true(summary.live_blocks == 0 && summary.largest_label_bytes == 0);
  assert_int_equal(cadastre_context_destroy_with_summary(contexts[0], &summary), CADASTRE_SUCCESS);
  assert_true(summary.live_blocks == 1 && summary.live_bytes == page && summary.largest_label_bytes == page);
  assert_string_equal(summary.largest_label, "mine");
}

// The record of the range is lost when its memory is another's.
void what_another_context_has_borrowed_does_not_move_there(void**) {
  const cadastre_context context = on_the_double(), other = on_the_double();
  for (const cadastre_context each : {context, other, context, other}) put(each, get(each, page));
  void* const block = get(context, page);
  cadastre_memory_info_struct range = of_device(512);
  range.pointer = static_cast<char*>(block) + 256;
  assert_int_equal(cadastre_wrap(other, range), CADASTRE_SUCCESS);
  put(other, get_cached(other, 7 * page));
  put(context, block);
  assert_true(cached_in(context) == 1 && cache_in(other));
  assert_ptr_equal(get(other, page), block);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  assert_int_equal(cadastre_get_malloc_info(other, block, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.flags & CADASTRE_BORROWED, 0);
  assert_int_equal(statistics(other, CADASTRE_DEVICE).borrowed_blocks, 0);
  put(other, block);
  destroy(context);
  destroy(other);
}

void a_move_is_refused_beyond_a_limit(void**) {
  const cadastre_context context = on_the_double(), other = on_the_double();
  void* blocks[] = {get(other, 2 * page), get(other, 2 * page)};
  for (void* const block : blocks) put(other, block);
  assert_int_equal(cadastre_set_limit(other, CADASTRE_DEVICE, 3 * page), CADASTRE_SUCCESS);
  for (void*& block : blocks) block = get(context, 2 * page);
  put(other, get(other, page));
  put(context, blocks[0]);
  assert_true(cached_in(context) == 1 && cache_in(other));
  void* const lives = get(other, 2 * page);
  assert_true(lives == blocks[0] && cached_in(context) == 0);
  put(context, blocks[1]);
  assert_true(cached_in(context) == 1 && cache_in(other) && cache_in(other)->moved_blocks == 1);
  assert_null(cadastre_malloc_async(other, of_device(2 * page), CADASTRE_DEFAULT_QUEUE));
  put(other, lives);
  const cadastre_statistics_struct figures = statistics(other, CADASTRE_DEVICE);
  assert_true(figures.live_bytes == 0 && figures.high_water_mark_bytes == 4 * page);
  destroy(context);
  destroy(other);
}

struct CountedHere {
  cadastre_context context;
  std::vector<std::pair<void*, std::size_t>> blocks = {};
  std::int64_t allocations = 0, deallocations = 0, most_blocks = 0;
  std::size_t live = 0, total = 0, most = 0;
};

// As above, with contexts that share a pool, and more blocks than are cached.
void figures_of_contexts_are_exact_when_blocks_move(void**) {
  CountedHere all[] = {{on_the_double()}, {on_the_double()}, {on_the_double()}};
  std::mt19937 random(7);
  const char* const labels[] = {nullptr, "mine", "yours"};
  std::int64_t moves = 0;
  for (int i = 0; i < 30000; ++i) {
    CountedHere& here = all[random() % 3];
    const std::int64_t before = cache_in(here.context) ? cache_in(here.context)->moved_blocks : 0;
    if (here.blocks.size() < 12 && random() % 2) {
      const std::size_t size = page * (1 + random() % 2);
      here.blocks.emplace_back(get(here.context, of_device(size, labels[random() % 3])), size);
      ++here.allocations;
      here.live += size;
      here.total += size;
      here.most = std::max(here.most, here.live);
      here.most_blocks = std::max(here.most_blocks, static_cast<std::int64_t>(here.blocks.size()));
    } else if (!here.blocks.empty()) {
      std::swap(here.blocks[random() % here.blocks.size()], here.blocks.back());
      put(here.context, here.blocks.back().first);
      here.live -= here.blocks.back().second;
      here.blocks.pop_back();
      ++here.deallocations;
    }
    moves += cache_in(here.context) && cache_in(here.context)->moved_blocks != before;
    if (random() % 200) continue;
    const CountedHere& one = all[random() % 3];
    const cadastre_statistics_struct figures = statistics(one.context, CADASTRE_DEVICE);
    assert_int_equal(figures.live_bytes, one.live);
    assert_int_equal(figures.live_blocks, one.blocks.size());
    assert_true(figures.allocations == one.allocations && figures.deallocations == one.deallocations && figures.total_bytes == one.total);
    assert_int_equal(figures.high_water_mark_bytes, one.most);
    assert_int_equal(figures.high_water_mark_blocks, one.most_blocks);
    const cadastre_pool_info_struct pool = pool_of(one.context, CADASTRE_DEVICE);
    assert_true(pool.used_bytes >= one.live && pool.used_bytes <= 2 * one.live);
    assert_int_equal(pool.hits + pool.misses, one.allocations);
    assert_int_equal(statistics(CADASTRE_PROCESS, CADASTRE_DEVICE).live_bytes, all[0].live + all[1].live + all[2].live);
  }
  assert_true(moves > 1000);
  for (const CountedHere& one : all) destroy(one.context);
}

void a_request_that_the_cache_does_not_serve_takes_a_locked_call(void**) {
  const cadastre_context context = on_the_double();
  const auto asked = [&](auto change, cadastre_queue queue = CADASTRE_DEFAULT_QUEUE) {
    put(context, get_cached(context, page));
    assert_int_equal(cached_in(context), 1);
    cadastre_memory_info_struct info = of_device(page);
    change(info);
    void* const block = cadastre_malloc_async(context, info, queue);
    assert_int_equal(cached_in(context), 0);  // the locked call has taken it away
    return block;
  };
  const auto is_refused = [&](auto change) { assert_null(asked(change)); };
  const auto is_served = [&](auto change) {
    void* const block = asked(change);
    assert_non_null(block);
    release(context, block);
  };
  is_served([](cadastre_memory_info_struct& info) { info.size = page - 1; });
  is_served([](cadastre_memory_info_struct& info) { info.flags = 0; });
  is_served([](cadastre_memory_info_struct& info) { info.alignment = 512; });
  is_served([](cadastre_memory_info_struct& info) { info.type = CADASTRE_PINNED; });
  is_served([](cadastre_memory_info_struct& info) { info.stride = 8; });
  is_served([](cadastre_memory_info_struct& info) { info.label = "a label that nobody has given before"; });
  is_refused([](cadastre_memory_info_struct& info) { info.alignment = 3; });
  is_refused([](cadastre_memory_info_struct& info) { info.flags = 1 << 20 | CADASTRE_UNINITIALIZED; });
  is_refused([](cadastre_memory_info_struct& info) { info.reserved[8] = 1; });
  is_refused([](cadastre_memory_info_struct& info) { info.device_id = 77; });
  is_refused([](cadastre_memory_info_struct& info) { info.device = CADASTRE_DEVICE_BY_ID(77); });
  is_refused([](cadastre_memory_info_struct& info) { info.backend = 777; });
  destroy(context);
}

void other_blocks_are_not_cached(void**) {
  const cadastre_context context = on_the_double();
  void* const pinned = allocate(context, page, CADASTRE_PINNED);
  void* const host = allocate(context, page);
  void* const host_alone = allocate(context, mebi);
  put(context, get_cached(context, page));
  for (void* const block : {pinned, host, host_alone}) {
    assert_int_equal(cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    put(context, get_cached(context, page));
    assert_int_equal(cached_in(context), 1);
  }
  char here = 0;
  for (void* const none : {static_cast<void*>(&here), static_cast<void*>(nullptr)}) {
    assert_int_equal(cadastre_free_async(context, none, CADASTRE_DEFAULT_QUEUE), CADASTRE_INVALID_ARG_2);
  }
  void* const unordered = allocate(context, page, CADASTRE_DEVICE);  // and to be cached all the same
  void* const other = get_cached(context, page);
  put(context, unordered);
  assert_int_equal(cached_in(context), 1);
  assert_ptr_equal(get(context, page), unordered);
  put(context, other);
  destroy(context);
}

void a_thread_that_ends_leaves_its_blocks_to_the_pool(void**) {
  const cadastre_context context = on_the_double();
  void* block = nullptr;
  unsigned cached = 0;
  std::thread([&] {
    block = get_cached(context, page);
    put(context, block);
    cached = cached_in(context);
  }).join();
  assert_int_equal(cached, 1);
  assert_int_equal(statistics(context, CADASTRE_DEVICE).live_blocks, 0);
  assert_int_equal(pool_of(context, CADASTRE_DEVICE).releasable_bytes, page);
  assert_ptr_equal(get(context, page), block);
  destroy(context);
}

// Each has blocks of its own, writes nothing, and asks for figures now and then.
void threads_take_the_cache_from_each_other(void**) {
  const cadastre_context contexts[] = {on_the_double(), on_the_double()};
  std::atomic<int> wrong = 0;
  std::atomic<std::int64_t> allocations = 0;
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      std::mt19937 random(number);
      const cadastre_context context = contexts[number % 2];
      std::vector<void*> blocks;
      for (int i = 0; i < 4000; ++i) {
        if (blocks.size() < 6 && random() % 2) {
          blocks.push_back(cadastre_malloc_async(context, of_device(page * (1 + random() % 2)), CADASTRE_DEFAULT_QUEUE));
          wrong += !blocks.back();
          ++allocations;
        } else if (!blocks.empty()) {
          wrong += cadastre_free_async(context, blocks.back(), CADASTRE_DEFAULT_QUEUE) != CADASTRE_SUCCESS;
          blocks.pop_back();
        }
        if (random() % 500 == 0) pool_of(random() % 2 ? context : CADASTRE_PROCESS, CADASTRE_DEVICE);
        if (random() % 500 == 0) wrong += statistics(context, CADASTRE_DEVICE).live_blocks > 12;
      }
      for (void* const block : blocks) wrong += cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE) != CADASTRE_SUCCESS;
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  std::int64_t sum = 0;
  for (const cadastre_context context : contexts) {
    const cadastre_statistics_struct figures = statistics(context, CADASTRE_DEVICE);
    assert_true(figures.live_blocks == 0 && figures.live_bytes == 0 && figures.allocations == figures.deallocations);
    sum += figures.allocations;
    assert_int_equal(pool_of(context, CADASTRE_DEVICE).used_bytes, 0);
  }
  assert_int_equal(sum, allocations);
  for (const cadastre_context context : contexts) destroy(context);
}

}  // namespace

int main() {
  setenv("CADASTRE_HEAP", "on", 1);  // a checker of memory would switch off heaps, and with them what threads cache
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_block_that_was_freed_is_given_out_again_without_a_locked_call),
      cmocka_unit_test(a_cached_block_is_freed_in_every_respect),
      cmocka_unit_test(a_block_that_comes_back_has_a_life_of_its_own),
      cmocka_unit_test(numbers_follow_the_order_of_allocations_of_all_memory_types),
      cmocka_unit_test(figures_are_what_they_would_be_without_a_cache),
      cmocka_unit_test(labels_are_counted),
      cmocka_unit_test(a_label_gets_the_block_that_had_it),
      cmocka_unit_test(eight_blocks_and_a_mebibyte_are_cached_at_most),
      cmocka_unit_test(the_environment_says_how_many_bytes_are_cached),
      cmocka_unit_test(a_miss_finds_what_a_larger_cache_has),
      cmocka_unit_test(what_is_cached_goes_at_a_trim),
      cmocka_unit_test(limits_are_exact),
      cmocka_unit_test(a_lower_limit_takes_the_cache_away_and_none_is_handed_out_above_it),
      cmocka_unit_test(another_context_gets_what_a_thread_has_cached),
      cmocka_unit_test(a_miss_takes_away_only_what_it_needs),
      cmocka_unit_test(what_the_pool_keeps_comes_without_a_locked_call),
      cmocka_unit_test(a_block_moves_to_another_context_of_its_thread),
      cmocka_unit_test(what_another_context_has_borrowed_does_not_move_there),
      cmocka_unit_test(a_move_is_refused_beyond_a_limit),
      cmocka_unit_test(figures_of_contexts_are_exact_when_blocks_move),
      cmocka_unit_test(a_request_that_the_cache_does_not_serve_takes_a_locked_call),
      cmocka_unit_test(other_blocks_are_not_cached),
      cmocka_unit_test(memory_that_was_lost_with_its_device_is_not_given_out),
      cmocka_unit_test(a_child_goes_on_and_so_does_its_parent),
      cmocka_unit_test(a_thread_that_ends_leaves_its_blocks_to_the_pool),
      cmocka_unit_test(threads_take_the_cache_from_each_other),
      cmocka_unit_test(with_the_context_all_goes_back_to_the_vendor),
  };
  return cmocka_run_group_tests_name("block_cache", tests, nullptr, nullptr);
}
