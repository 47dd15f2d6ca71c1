// Tangled from org/tests/pool_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Contexts whose memory is kept for the next request.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "cuda_double.hpp"
#include "pooled_contexts.hpp"
#include "process_memory.hpp"

namespace {

constexpr std::size_t pooled_from = 256 * 1024;

bool is_zero(const unsigned char* begin, std::size_t bytes) {
  return std::all_of(begin, begin + bytes, [](unsigned char byte) { return byte == 0; });
}

cadastre_pool pool_in(cadastre_context context, cadastre_memory_type type) {
  cadastre_pool_info_struct info = cadastre_pool_info_struct_zero;
  return cadastre_pool_get_info(context, type, &info) == CADASTRE_SUCCESS ? info.pool : -1;
}

// The first claim of the program, before the environment is read.
void errors_name_the_variable_that_a_workspace_has_its_size_of(void**) {
  const auto sentence_of = [](cadastre_context context) {
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(context, &error);
    return std::string(error.message);
  };
  assert_true(holds_in_a_child([&] {
    setenv("CADASTRE_WORKSPACE_SIZE", "HOST=1M", 1);
    const cadastre_context context = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
    void* scratch = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    for (const bool by_the_environment : {true, false}) {
      const std::size_t size = 3 * mebi;
      if (cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &size, &scratch, &lease) !=
          CADASTRE_LIMIT_EXCEEDED)
        return false;
      const bool named = sentence_of(context).find("CADASTRE_WORKSPACE_SIZE=HOST=1M") != std::string::npos;
      if (named != by_the_environment || cadastre_workspace_set_size(context, CADASTRE_HOST, 2 * mebi) != CADASTRE_SUCCESS) return false;
    }
    return true;
  }));
  assert_true(holds_in_a_child([&] {
    setenv("CADASTRE_WORKSPACE_SIZE", "HOST=2M", 1);
    setenv("CADASTRE_LIMIT", "HOST=1M", 1);
    return new_context(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE) == CADASTRE_NULL_CONTEXT &&
           sentence_of(CADASTRE_NULL_CONTEXT).find("CADASTRE_WORKSPACE_SIZE=HOST=2M") != std::string::npos;
  }));
}

void the_environment_names_the_pool_where_options_do_not(void**) {
  assert_true(holds_in_a_child([] {
    setenv("CADASTRE_POOL", "caching,PINNED=none", 1);
    const cadastre_context context = context_on(CADASTRE_BACKEND_HOST, CADASTRE_DEFAULT_POOL);
    void* const block = cadastre_malloc(context, request(mebi));
    cadastre_pool_info_struct info = cadastre_pool_info_struct_zero;
    const bool used = cadastre_pool_get_info(context, CADASTRE_HOST, &info) == CADASTRE_SUCCESS && info.used_bytes >= mebi;
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    const bool told = cadastre_context_get_options(context, &options) == CADASTRE_SUCCESS && options.pool == CADASTRE_DEFAULT_POOL;
    const cadastre_context other = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_VENDOR);
    const cadastre_context without = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
    return block && used && told && pool_in(context, CADASTRE_DEVICE) == CADASTRE_POOL_CACHING &&
           pool_in(context, CADASTRE_PINNED) == CADASTRE_POOL_NONE && pool_in(other, CADASTRE_HOST) == CADASTRE_POOL_NONE &&
           pool_in(without, CADASTRE_HOST) == CADASTRE_POOL_NONE && pool_in(without, CADASTRE_DEVICE) == CADASTRE_POOL_NONE;
  }));
  assert_true(holds_in_a_child([] {
    setenv("CADASTRE_POOL", "vendor,UVM=caching", 1);
    const cadastre_context context = context_on(CADASTRE_BACKEND_HOST, CADASTRE_DEFAULT_POOL);
    return pool_in(context, CADASTRE_HOST) == CADASTRE_POOL_NONE && pool_in(context, CADASTRE_PINNED) == CADASTRE_POOL_NONE &&
           pool_in(context, CADASTRE_DEVICE) == CADASTRE_POOL_CACHING && pool_in(context, CADASTRE_UVM) == CADASTRE_POOL_CACHING;
  }));
  setenv("CADASTRE_EMULATED_DEVICES", "1", 1);
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
  allocate(context, mebi);
  assert_int_equal(pool_of(context).pool, CADASTRE_POOL_NONE);
  assert_int_equal(pool_of(context).pool_count, 0);
  assert_int_equal(cadastre_pool_trim(context, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
  cadastre_pool_info_struct info = cadastre_pool_info_struct_zero;
  assert_int_equal(cadastre_pool_get_info(context, CADASTRE_MEMORY_TYPE_COUNT, &info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_pool_get_info(context, CADASTRE_HOST, nullptr), CADASTRE_INVALID_ARG_3);
  assert_int_equal(cadastre_pool_trim(context, -1, 0), CADASTRE_INVALID_ARG_2);
  destroy(context);
  assert_int_equal(cadastre_pool_get_info(context, CADASTRE_HOST, &info), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_pool_trim(context, CADASTRE_HOST, 0), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(new_context(CADASTRE_BACKEND_HOST, CADASTRE_POOL_CACHING + 1), CADASTRE_NULL_CONTEXT);
}

void what_was_freed_comes_back_and_is_zero(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  for (const std::size_t size : {pooled_from, 3 * mebi + 1, 40 * mebi}) {
    unsigned char* const block = allocate(context, size);
    std::memset(block, 0x5a, size);
    release(context, block);
    assert_int_equal(cadastre_free(context, block), CADASTRE_INVALID_ARG_2);
    unsigned char* const again = allocate(context, size);
    assert_ptr_equal(again, block);
    assert_true(is_zero(again, size));
    cadastre_memory_info_struct info;
    std::size_t offset = 0;
    assert_int_equal(cadastre_find_block(context, again + size - 1, &info, &offset), CADASTRE_SUCCESS);
    assert_true(info.pointer == again && info.size == size && info.backend == CADASTRE_BACKEND_HOST && offset == size - 1);
    release(context, again);
  }
  assert_true(pool_of(context).hits >= 3);
  destroy(context);
}

// What the heap gave goes back there, and what the pool gave never does, from whichever side of the bound.
void small_blocks_are_the_heaps(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  unsigned char* const small = allocate(context, pooled_from - 1);
  assert_int_equal(pool_of(context).used_bytes, 0);
  unsigned char* const large = allocate(context, pooled_from);
  assert_true(pool_of(context).used_bytes >= pooled_from);
  std::vector<unsigned char*> blocks;
  for (std::size_t size = 1; size < 8 * mebi; size += size / 2 + 1) blocks.push_back(allocate(context, size));
  for (unsigned char* const block : blocks) release(context, block);
  assert_int_equal(statistics(context).live_blocks, 2);
  release(context, large);
  assert_int_equal(pool_of(context).used_bytes, 0);
  release(context, small);
  destroy(context);
}

std::size_t actual_size_of(cadastre_context context, const void* block) {
  std::size_t actual = 0;
  assert_int_equal(cadastre_get_allocated_size(context, block, &actual), CADASTRE_SUCCESS);
  return actual;
}

void what_a_block_takes_is_told_beside_what_was_asked_for(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  unsigned char* const small = allocate(context, 100);
  unsigned char* const large = allocate(context, pooled_from + 1);
  assert_int_equal(actual_size_of(context, small), 100);
  assert_true(actual_size_of(context, large) > pooled_from + 1);
  assert_int_equal(actual_size_of(context, large), pool_of(context).used_bytes);
  cadastre_memory_info_struct borrowed = cadastre_memory_info_struct_zero;
  std::array<char, 10> array;
  borrowed.pointer = array.data();
  borrowed.size = array.size();
  assert_int_equal(cadastre_wrap(context, borrowed), CADASTRE_SUCCESS);
  assert_int_equal(actual_size_of(context, array.data()), array.size());
  assert_int_equal(cadastre_unwrap(context, array.data()), CADASTRE_SUCCESS);
  std::size_t actual = 7;
  assert_int_equal(cadastre_get_allocated_size(context, large, nullptr), CADASTRE_INVALID_ARG_3);
  for (const void* const none :
       {static_cast<const void*>(nullptr), static_cast<const void*>(large + 1), static_cast<const void*>(&actual)}) {
    assert_int_equal(cadastre_get_allocated_size(context, none, &actual), CADASTRE_INVALID_ARG_2);
  }
  release(context, large);
  assert_int_equal(cadastre_get_allocated_size(context, large, &actual), CADASTRE_INVALID_ARG_2);
  assert_int_equal(actual, 7);
  release(context, small);
  destroy(context);
}

void limits_and_statistics_are_of_what_was_asked_for(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  const std::size_t size = mebi + 1;
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 2 * size), CADASTRE_SUCCESS);
  unsigned char* const first = allocate(context, size);
  unsigned char* const second = allocate(context, size);
  assert_null(cadastre_malloc(context, request(1)));
  assert_true(pool_of(context).reserved_bytes > 2 * size);
  release(context, first);
  release(context, second);
  release(context, allocate(context, size));
  const cadastre_statistics_struct s = statistics(context);
  assert_true(s.allocations == 3 && s.deallocations == 3 && s.failed_allocations == 1 && s.live_blocks == 0 && s.live_bytes == 0);
  assert_true(s.high_water_mark_bytes == 2 * size && s.total_bytes == 3 * size && s.zeroed_bytes == 3 * size);
  destroy(context);
}

void blocks_are_resized_within_the_pool_and_across_its_bound(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  void* block = allocate(context, 1000);
  std::memset(block, 7, 1000);
  std::size_t before = 1000;
  for (const std::size_t size : {std::size_t{300 * 1024}, mebi, 5 * mebi, 2 * mebi, std::size_t{100}, mebi, std::size_t{0}}) {
    block = cadastre_realloc(context, block, size);
    assert_non_null(block);
    const auto* const bytes = static_cast<const unsigned char*>(block);
    if (size > 0) assert_int_equal(bytes[std::min(size, std::size_t{100}) - 1], 7);
    if (size > before) assert_true(is_zero(bytes + std::max<std::size_t>(before, 1000), size - std::max<std::size_t>(before, 1000)));
    assert_int_equal(statistics(context).live_bytes, size);
    assert_true((pool_of(context).used_bytes > 0) == (size >= pooled_from));
    before = size;
  }
  assert_int_equal(statistics(context).reallocations, 7);
  release(context, block);
  destroy(context);
}

void pools_are_trimmed_to_what_is_to_be_kept(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  unsigned char* const live = allocate(context, mebi);
  release(context, allocate(context, 200 * mebi));
  const cadastre_pool_info_struct full = pool_of(context);
  assert_true(full.releasable_bytes >= 200 * mebi && full.largest_free_bytes >= 200 * mebi && full.used_bytes < 2 * mebi);
  assert_int_equal(cadastre_pool_trim(context, CADASTRE_HOST, full.reserved_bytes), CADASTRE_SUCCESS);
  assert_int_equal(pool_of(context).reserved_bytes, full.reserved_bytes);
  assert_int_equal(cadastre_pool_trim(context, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
  assert_true(pool_of(context).reserved_bytes == full.reserved_bytes - full.releasable_bytes && pool_of(context).releasable_bytes == 0);
  assert_true(is_zero(live, mebi));
  release(context, live);
  assert_int_equal(cadastre_pool_trim(context, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
  assert_int_equal(pool_of(context).reserved_bytes, 0);
  assert_int_equal(pool_of(context).trims, 2);
  release(context, allocate(context, mebi));
  destroy(context);
}

void a_workspace_lies_in_the_pool(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  for (int times = 0; times < 2; ++times) {
    assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_HOST, 2 * mebi), CADASTRE_SUCCESS);
    assert_true(pool_of(context).used_bytes >= 2 * mebi);
    assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_HOST, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
    assert_int_equal(pool_of(context).used_bytes, 0);
  }
  assert_int_equal(pool_of(context).misses, 1);
  assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_HOST, mebi), CADASTRE_SUCCESS);
  destroy(context);
}

void live_blocks_of_a_pool_go_with_their_context(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  for (const std::size_t size : {std::size_t{10}, mebi, 2 * mebi}) allocate(context, size);
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  assert_int_equal(pool_of(context).used_bytes, 0);
  for (const std::size_t size : {std::size_t{10}, mebi, 2 * mebi}) allocate(context, size);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_true(summary.live_blocks == 3 && summary.live_bytes == 3 * mebi + 10 && summary.failed_deallocations == 0);
}

void an_emulated_device_has_a_pool_of_its_own(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  unsigned char* const block = allocate(context, 100, CADASTRE_DEVICE);
  assert_int_equal(pool_of(context).pool_count, 0);
  assert_int_equal(pool_of(context, CADASTRE_DEVICE).pool_count, 1);
  assert_true(pool_of(context, CADASTRE_DEVICE).used_bytes >= 100);
  assert_int_equal(cadastre_memset(context, block, 9, 100), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  unsigned char* const again = allocate(context, 100, CADASTRE_DEVICE);
  assert_ptr_equal(again, block);
  std::array<unsigned char, 100> bytes;
  assert_int_equal(cadastre_memcpy(context, bytes.data(), again, bytes.size()), CADASTRE_SUCCESS);
  assert_true(is_zero(bytes.data(), bytes.size()));
  destroy(context);
}

void what_is_kept_is_given_up_before_a_request_fails(void**) {
  if (sanitized || process_memory().address_space == 0)
    skip_because("a sanitizer maps more than there is, or /proc does not tell what is mapped");
  assert_true(holds_in_a_child([] {
    const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
    void* const first = cadastre_malloc(context, request(512 * mebi));
    if (!first || cadastre_free(context, first) != CADASTRE_SUCCESS) return false;
    const rlimit bounded = {process_memory().address_space + 256 * mebi, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &bounded) != 0) return false;
    void* const second = cadastre_malloc(context, request(700 * mebi));
    cadastre_pool_info_struct info = cadastre_pool_info_struct_zero;
    const bool trimmed = cadastre_pool_get_info(context, CADASTRE_HOST, &info) == CADASTRE_SUCCESS && info.trims == 1;
    void* const third = cadastre_malloc(context, request(700 * mebi));
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(context, &error);
    cadastre_statistics_struct s = cadastre_statistics_struct_zero;
    const bool counted = cadastre_get_statistics(context, CADASTRE_HOST, &s) == CADASTRE_SUCCESS && s.live_blocks == 1 &&
                         s.live_bytes == 700 * mebi && s.failed_allocations == 1;
    return second && !third && trimmed && counted && error.exit_code == CADASTRE_ALLOCATION_FAILED &&
           error.reason == CADASTRE_REASON_BACKEND_OUT_OF_MEMORY && error.requested == 700 * mebi &&
           cadastre_context_destroy(context) == CADASTRE_SUCCESS;
  }));
}

// Blocks come and go, in whole pages, so that nothing is rounded.
void what_is_used_and_kept_stays_below_the_high_water_mark_and_the_limit(void**) {
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE}) {
    const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
    std::mt19937 random(static_cast<unsigned>(type));
    std::vector<std::pair<void*, std::size_t>> blocks;
    std::size_t live = 0, most = 0, limit = CADASTRE_UNLIMITED;
    for (int i = 0; i < 1500; ++i) {
      if (i == 700) limit = most / 2;
      if (i == 700) assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, type, limit), CADASTRE_SUCCESS);
      const std::size_t size = (100 + random() % 300) * 4096 - (type == CADASTRE_HOST ? 0 : 1);
      void* const block = random() % 5 < 3 && blocks.size() < 40 ? cadastre_malloc(context, request(size, type)) : nullptr;
      if (block) {
        blocks.push_back({block, size});
        live += size;
      } else if (!blocks.empty()) {
        std::swap(blocks[random() % blocks.size()], blocks.back());
        live -= blocks.back().second;
        release(context, blocks.back().first);
        blocks.pop_back();
      }
      const cadastre_pool_info_struct info = pool_of(context, type);
      most = std::max(most, info.used_bytes);
      assert_true(info.used_bytes >= live && info.reserved_bytes <= most);
      if (limit != CADASTRE_UNLIMITED) assert_true(info.reserved_bytes - info.used_bytes + live <= std::max(limit, live));
    }
    assert_true(pool_of(context, type).hits > 0);
    assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, type, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
    destroy(context);
  }
}

// Where the process has a limit, what is kept makes way for blocks that the pool does not serve, too, of whatever context.
// Each block could be served by a piece that has half as much again.
void pieces_that_are_too_large_waste_a_tenth_at_most(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  std::vector<void*> blocks;
  for (int i = 0; i < 64; ++i) blocks.push_back(allocate(context, 3 * mebi / 2, CADASTRE_DEVICE));
  for (void* const block : blocks) release(context, block);
  blocks.clear();
  std::size_t live = 0, most = 64 * (3 * mebi / 2);
  for (int i = 0; i < 95; ++i) {
    constexpr std::size_t size = mebi + 4096;
    blocks.push_back(allocate(context, size, CADASTRE_DEVICE));
    live += size;
    most = std::max(most, live);
    assert_true(pool_of(context, CADASTRE_DEVICE).reserved_bytes <= most + most / 10);
  }
  assert_true(pool_of(context, CADASTRE_DEVICE).hits > 0);
  for (void* const block : blocks) release(context, block);
  destroy(context);
}

void a_limit_counts_what_is_kept(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST), plain = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
  for (const cadastre_context other : {context, plain}) {
    release(context, allocate(context, 10 * mebi));
    const std::size_t all = pool_of(context).reserved_bytes;  // a checker of memory has bytes more
    assert_true(all >= 10 * mebi);
    assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, all + statistics(CADASTRE_PROCESS).live_bytes), CADASTRE_SUCCESS);
    assert_int_equal(pool_of(context).reserved_bytes, all);
    allocate(other, other == context ? 1000 : 2 * mebi);
    assert_int_equal(pool_of(context).reserved_bytes, 0);
    assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
  }
  release(context, allocate(context, 4 * mebi));
  release(context, allocate(context, 2 * mebi));
  const std::size_t live = statistics(CADASTRE_PROCESS).live_bytes;
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, live + 3 * mebi), CADASTRE_SUCCESS);
  assert_true(pool_of(context).releasable_bytes <= 3 * mebi);
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
  destroy(context);
  destroy(plain);
}

// What is kept is nobody's: a context may allocate up to its limit all the same, and with what another has freed.
void a_limit_of_a_context_counts_nothing_that_is_kept(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST), other = context_on(CADASTRE_BACKEND_HOST);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 8 * mebi), CADASTRE_SUCCESS);
  release(context, allocate(context, 8 * mebi));
  const std::size_t all = pool_of(context).releasable_bytes;
  assert_true(all >= 8 * mebi);
  void* const small = allocate(context, 1000);
  assert_int_equal(pool_of(context).releasable_bytes, all);
  assert_null(cadastre_malloc(context, request(8 * mebi)));
  release(context, small);
  unsigned char* const theirs = allocate(other, 8 * mebi);
  assert_int_equal(pool_of(context).releasable_bytes, 0);
  assert_int_equal(pool_of(context).used_bytes, 0);
  assert_int_equal(statistics(context).live_bytes, 0);
  release(other, theirs);
  destroy(context);
  destroy(other);
}

void an_idle_workspace_makes_way_before_a_limit_refuses(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 10 * mebi), CADASTRE_SUCCESS);
  const std::size_t size = 6 * mebi;
  void* scratch = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  assert_int_equal(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &size, &scratch, &lease),
                   CADASTRE_SUCCESS);
  assert_null(cadastre_malloc(context, request(8 * mebi)));
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  assert_null(cadastre_malloc(context, request(11 * mebi)));  // which would not help
  assert_int_equal(statistics(context).live_bytes, size);
  unsigned char* const block = allocate(context, 8 * mebi);
  assert_int_equal(statistics(context).live_bytes, 8 * mebi);
  release(context, block);
  assert_int_equal(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &size, &scratch, &lease),
                   CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  void* const moved = cadastre_realloc(context, allocate(context, mebi), 9 * mebi);
  assert_non_null(moved);
  assert_int_equal(statistics(context).live_bytes, 9 * mebi);
  destroy(context);
}

// The address space is full of what two other contexts keep: one in its pool, one in a workspace that nobody leases from.
void other_contexts_give_up_what_nobody_uses(void**) {
  if (sanitized || process_memory().address_space == 0)
    skip_because("a sanitizer maps more than there is, or /proc does not tell what is mapped");
  assert_true(holds_in_a_child([] {
    const cadastre_context context = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
    const cadastre_context keeps = context_on(CADASTRE_BACKEND_HOST), lends = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
    void* const first = cadastre_malloc(keeps, request(512 * mebi));
    const std::size_t size = 512 * mebi;
    void* scratch = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    if (!first || cadastre_free(keeps, first) != CADASTRE_SUCCESS) return false;
    if (cadastre_workspace_acquire_on_queue(lends, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &size, &scratch, &lease) != CADASTRE_SUCCESS)
      return false;
    const rlimit bounded = {process_memory().address_space + 128 * mebi, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &bounded) != 0) return false;
    void* const second = cadastre_malloc(context, request(600 * mebi));
    const bool still_lent = !cadastre_malloc(context, request(500 * mebi));
    if (!second || !still_lent || cadastre_workspace_release(lends, lease) != CADASTRE_SUCCESS) return false;
    void* const third = cadastre_malloc(context, request(500 * mebi));
    cadastre_statistics_struct s = cadastre_statistics_struct_zero;
    const bool gone = cadastre_get_statistics(lends, CADASTRE_HOST, &s) == CADASTRE_SUCCESS && s.live_bytes == 0;
    return third && gone && cadastre_context_destroy(lends) == CADASTRE_SUCCESS && cadastre_context_destroy(keeps) == CADASTRE_SUCCESS &&
           cadastre_context_destroy(context) == CADASTRE_SUCCESS;
  }));
}

// The workspaces lie in a pool, which keeps them once their context has let go of them.
void idle_workspaces_that_lie_in_pools_make_way(void**) {
  if (sanitized || process_memory().address_space == 0)
    skip_because("a sanitizer maps more than there is, or /proc does not tell what is mapped");
  assert_true(holds_in_a_child([] {
    const cadastre_context context = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE), lends = context_on(CADASTRE_BACKEND_HOST);
    const std::size_t size = 512 * mebi;
    void* scratch = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    if (cadastre_workspace_acquire_on_queue(lends, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &size, &scratch, &lease) != CADASTRE_SUCCESS)
      return false;
    const rlimit bounded = {process_memory().address_space + 128 * mebi, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &bounded) != 0 || cadastre_malloc(context, request(600 * mebi))) return false;
    if (cadastre_workspace_release(lends, lease) != CADASTRE_SUCCESS) return false;
    return cadastre_malloc(context, request(600 * mebi)) != nullptr && pool_of(lends).reserved_bytes == 0;
  }));
}

// Whoever has locked a context may be waiting for the one that is short of memory, so nobody waits for him.
void a_context_that_another_thread_has_locked_is_not_waited_for(void**) {
  if (sanitized || process_memory().address_space == 0)
    skip_because("a sanitizer maps more than there is, or /proc does not tell what is mapped");
  assert_true(holds_in_a_child([] {
    const cadastre_context context = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE), keeps = context_on(CADASTRE_BACKEND_HOST);
    void* const first = cadastre_malloc(keeps, request(512 * mebi));
    if (!first || cadastre_free(keeps, first) != CADASTRE_SUCCESS || cadastre_lock(context) != CADASTRE_SUCCESS) return false;
    std::thread locker([&] {
      cadastre_lock(keeps);
      cadastre_free(keeps, cadastre_malloc(context, request(10)));  // waits for the other one's lock
      cadastre_unlock(keeps);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const rlimit bounded = {process_memory().address_space + 128 * mebi, RLIM_INFINITY};
    const bool served = setrlimit(RLIMIT_AS, &bounded) == 0 && cadastre_malloc(context, request(600 * mebi)) != nullptr;
    cadastre_unlock(context);
    locker.join();
    return served;
  }));
}

void what_is_kept_of_one_memory_type_makes_room_for_another(void**) {
  if (sanitized || process_memory().address_space == 0)
    skip_because("a sanitizer maps more than there is, or /proc does not tell what is mapped");
  assert_true(holds_in_a_child([] {
    const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
    void* const first = cadastre_malloc(context, request(512 * mebi, CADASTRE_DEVICE));
    if (!first || cadastre_free(context, first) != CADASTRE_SUCCESS) return false;
    const rlimit bounded = {process_memory().address_space + 128 * mebi, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &bounded) != 0) return false;
    void* const second = cadastre_malloc(context, request(300 * mebi));
    void* const third = second ? cadastre_realloc(context, second, 500 * mebi) : nullptr;
    cadastre_pool_info_struct info = cadastre_pool_info_struct_zero;
    return second && !third && cadastre_pool_get_info(context, CADASTRE_DEVICE, &info) == CADASTRE_SUCCESS && info.reserved_bytes == 0 &&
           info.trims == 1 && cadastre_context_destroy(context) == CADASTRE_SUCCESS;
  }));
}

// Fills blocks with its own number, and finds each as it left it; how often that was not so.
int work(cadastre_context context, unsigned number, int rounds) {
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::size_t size = mebi + 4096 * ((number + static_cast<unsigned>(round)) % 5);
    auto* const block = static_cast<unsigned char*>(cadastre_malloc(context, request(size)));
    if (!block) return 1000;
    wrong += block[0] != 0 || block[size / 2] != 0 || block[size - 1] != 0;
    block[0] = block[size / 2] = block[size - 1] = static_cast<unsigned char>(number + 1);
    wrong += block[0] != number + 1 || block[size - 1] != number + 1;
    wrong += cadastre_free(context, block) != CADASTRE_SUCCESS;
  }
  return wrong;
}

void threads_share_a_pool(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] { wrong += work(context, number, 100); });
  }
  for (int times = 0; times < 20; ++times) {
    wrong += cadastre_pool_trim(context, CADASTRE_HOST, 0) != CADASTRE_SUCCESS;
    pool_of(context);
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  assert_int_equal(pool_of(context).used_bytes, 0);
  assert_int_equal(statistics(context).allocations, 400);
  destroy(context);
}

void a_child_goes_on_with_the_pools_it_inherits(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  unsigned char* const block = allocate(context, mebi);
  block[5] = 6;
  std::atomic<bool> done = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 2; ++number) {
    threads.emplace_back([&, number] {
      while (!done) wrong += work(context, number, 1);
    });
  }
  for (int times = 0; times < 20; ++times) {
    wrong += !holds_in_a_child([&] {
      return block[5] == 6 && cadastre_free(context, block) == CADASTRE_SUCCESS && work(context, 3, 3) == 0 &&
             cadastre_pool_trim(context, CADASTRE_HOST, 0) == CADASTRE_SUCCESS && cadastre_context_destroy(context) == CADASTRE_SUCCESS;
    });
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  release(context, block);
  destroy(context);
}

struct Stream {
  void* stream = nullptr;
  Stream() { assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, 1U), 0); }
  ~Stream() { cuda("cudaStreamDestroy", stream); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cadastre_queue() const { return stream; }
};

void* allocate_on(cadastre_context context, cadastre_queue queue, std::size_t size) {
  void* const block = cadastre_malloc_async(context, request(size, CADASTRE_DEVICE), queue);
  assert_non_null(block);
  return block;
}

int first_byte(const void* block) { return cuda_double().first_byte(block); }

void a_queue_gets_back_at_once_what_it_let_go(void**) {
  const cadastre_context context = cuda_context();
  const std::size_t size = 2 * mebi;  // a whole segment, so that nothing else is there to be had
  {
    const Stream a, b;
    void* const block = allocate_on(context, a, size);
    assert_int_equal(cadastre_memset_async(context, block, 1, size, a), CADASTRE_SUCCESS);
    cuda_double().forget_calls();
    assert_int_equal(cadastre_free_async(context, block, a), CADASTRE_SUCCESS);
    assert_ptr_equal(allocate_on(context, a, size), block);
    assert_int_equal(cadastre_memset_async(context, block, 2, size, a), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free_async(context, block, a), CADASTRE_SUCCESS);
    cadastre_memory_info_struct info = request(size, CADASTRE_DEVICE);
    info.flags = CADASTRE_UNINITIALIZED;
    void* const elsewhere = cadastre_malloc_async(context, info, b);
    assert_ptr_equal(elsewhere, block);
    assert_int_equal(cadastre_memset_async(context, elsewhere, 3, size, b), CADASTRE_SUCCESS);
    for (const char* const waits : {"cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaMalloc", "cudaFree"}) {
      assert_int_equal(cuda_double().calls_of(waits), 0);
    }
    assert_int_equal(cadastre_synchronize(context, b), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_synchronize(context, a), CADASTRE_SUCCESS);
    assert_int_equal(first_byte(elsewhere), 3);
    assert_int_equal(cadastre_free_async(context, elsewhere, b), CADASTRE_SUCCESS);
    unsigned char* const plain = allocate(context, size, CADASTRE_DEVICE);
    assert_int_equal(first_byte(plain), 0);
    assert_int_equal(cadastre_free_async(context, plain, a), CADASTRE_SUCCESS);
  }
  assert_int_equal(pool_of(context, CADASTRE_DEVICE).misses, 1);
  destroy(context);
}

// What a malloc and a free of what is kept call, of all that a vendor offers.
void check_calls_of_a_hit(cadastre_context context, bool ordered, cadastre_queue queue, const std::map<std::string, long>& expected) {
  cadastre_memory_info_struct info = request(4096, CADASTRE_DEVICE);
  info.flags = CADASTRE_UNINITIALIZED;
  const auto pair = [&] {
    void* const block = ordered ? cadastre_malloc_async(context, info, queue) : cadastre_malloc(context, info);
    assert_non_null(block);
    assert_int_equal(ordered ? cadastre_free_async(context, block, queue) : cadastre_free(context, block), CADASTRE_SUCCESS);
  };
  for (int first = 0; first < 2; ++first) pair();  // which create events
  cuda_double().forget_calls();
  pair();
  long all = 0;
  for (const auto& [routine, times] : expected) {
    assert_int_equal(cuda_double().calls_of(routine.c_str()), times);
    all += times;
  }
  for (const char* const routine : {"cuCtxGetCurrent", "cuCtxSetCurrent", "cudaGetDevice"}) {
    if (on_driver()) all += cuda_double().calls_of(routine);  // which has no device for a thread
  }
  assert_int_equal(cuda_double().calls_of(nullptr), all);
}

void a_hit_calls_the_vendor_as_little_as_can_be(void**) {
  if (!cuda_double()) skip_because(needs_the_double);
  for (const cadastre_pool pool : {CADASTRE_POOL_CACHING, CADASTRE_POOL_VENDOR}) {
    const cadastre_context context = cuda_context(pool);
    cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
    assert_int_equal(cadastre_backend_get_info(spoken().backend, &info), CADASTRE_SUCCESS);
    if (info.device_count != 1) skip_because("there is more than one device");
    {
      const Stream a;
      check_calls_of_a_hit(context, true, CADASTRE_DEFAULT_QUEUE, {});
      std::map<std::string, long> on_another = {{"cudaStreamIsCapturing", 2}, {"cudaEventRecord", 1}};
      on_another[queues_have_identity() ? "cudaStreamGetId" : "cudaStreamWaitEvent"] = queues_have_identity() ? 2 : 1;
      check_calls_of_a_hit(context, true, a, on_another);
      std::map<std::string, long> waits = {
          {"cudaStreamIsCapturing", 1}, {"cudaThreadExchangeStreamCaptureMode", 2}, {wait_for_device(), 1}};
      if (spoken().free_waits) waits["cudaMalloc"] = 1;
      check_calls_of_a_hit(context, false, CADASTRE_DEFAULT_QUEUE, waits);
    }
    destroy(context);
  }
}

void the_pool_of_the_vendor_is_the_caching_one_for_device_memory(void**) {
  const cadastre_context caching = cuda_context(), vendors = cuda_context(CADASTRE_POOL_VENDOR);
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  assert_int_equal(cadastre_context_get_options(vendors, &options), CADASTRE_SUCCESS);
  assert_int_equal(options.pool, CADASTRE_POOL_VENDOR);
  options.pool = CADASTRE_DEFAULT_POOL;
  options.parent = vendors;
  const cadastre_context child = cadastre_context_create_with_options(&options);
  for (const cadastre_context context : {vendors, child}) {
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      assert_int_equal(pool_in(context, type), type == CADASTRE_DEVICE ? CADASTRE_POOL_CACHING : CADASTRE_POOL_NONE);
    }
  }
  void* const first = allocate(caching, mebi, CADASTRE_DEVICE);
  release(caching, first);
  cuda_double().forget_calls();
  void* const again = allocate(child, mebi, CADASTRE_DEVICE);
  assert_ptr_equal(again, first);
  assert_int_equal(pool_of(child, CADASTRE_DEVICE).hits, 1);
  cadastre_memory_info_struct info;
  assert_int_equal(cadastre_get_malloc_info(child, again, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.flags & CADASTRE_STREAM_ORDERED, 0);
  release(child, again);
  const long waits = spoken().free_waits ? cuda_double().calls_of("cudaFree") : 0;
  assert_int_equal(
      cuda_double().calls_of("cudaMalloc") - waits + cuda_double().calls_of("cudaMallocAsync") + cuda_double().calls_of("cudaFreeAsync"),
      0);
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_UVM}) release(child, allocate(child, mebi, type));
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_UVM})
    assert_int_equal(pool_of(child, type).pool_count, 0);
  assert_true(pool_of(child, CADASTRE_DEVICE).releasable_bytes >= mebi);
  assert_int_equal(cadastre_pool_trim(vendors, CADASTRE_DEVICE, 0), CADASTRE_SUCCESS);
  assert_true(pool_of(child, CADASTRE_DEVICE).releasable_bytes == 0);
  for (const cadastre_context context : {child, vendors, caching}) destroy(context);
}

cadastre_exit_code allocate_plainly(void*, const cadastre_memory_info_struct* info, cadastre_queue, void** pointer) {
  *pointer = std::aligned_alloc(info->alignment, (info->size / info->alignment + 1) * info->alignment);
  return *pointer ? CADASTRE_SUCCESS : CADASTRE_ALLOCATION_FAILED;
}
cadastre_exit_code free_plainly(void*, const cadastre_memory_info_struct* info) {
  std::free(info->pointer);
  return CADASTRE_SUCCESS;
}
cadastre_exit_code copy_plainly(void*, void* to, const cadastre_memory_info_struct*, const void* from, const cadastre_memory_info_struct*,
                                size_t bytes, cadastre_queue) {
  std::memcpy(to, from, bytes);
  return CADASTRE_SUCCESS;
}
cadastre_exit_code set_plainly(void*, void* to, const cadastre_memory_info_struct*, int value, size_t bytes, cadastre_queue) {
  std::memset(to, value, bytes);
  return CADASTRE_SUCCESS;
}
bool waits_fail = false;
cadastre_exit_code wait_perhaps(void*, int32_t, cadastre_queue queue) {
  return waits_fail && queue != CADASTRE_DEFAULT_QUEUE ? CADASTRE_FAILURE : CADASTRE_SUCCESS;
}

// Queues of such a backend have no events, so that a block goes when its queue was waited for.
void a_block_whose_queue_cannot_be_waited_for_stays(void**) {
  cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
  operations.device_count = 1;
  operations.memory_type_mask = 1U << CADASTRE_DEVICE;
  operations.allocate = allocate_plainly;
  operations.free = free_plainly;
  operations.copy = copy_plainly;
  operations.set = set_plainly;
  operations.synchronize = wait_perhaps;
  const cadastre_backend backend = cadastre_backend_register("plain", &operations, nullptr);
  assert_true(backend >= CADASTRE_FIRST_REGISTERED_BACKEND);
  const cadastre_context context = context_on(backend);
  const cadastre_queue queue = &operations;
  cadastre_memory_info_struct info = request(5000, CADASTRE_DEVICE);
  info.flags = CADASTRE_UNINITIALIZED;
  void* const block = cadastre_malloc(context, info);
  assert_non_null(block);
  waits_fail = true;
  assert_int_equal(cadastre_free_async(context, block, queue), CADASTRE_FAILURE);
  assert_int_equal(statistics(context, CADASTRE_DEVICE).live_blocks, 1);
  void* const other = cadastre_malloc(context, info);
  assert_ptr_not_equal(other, block);
  waits_fail = false;
  assert_int_equal(cadastre_free_async(context, block, queue), CADASTRE_SUCCESS);
  assert_ptr_equal(cadastre_malloc(context, info), block);
  assert_int_equal(statistics(context, CADASTRE_DEVICE).failed_deallocations, 0);
  destroy(context);
  assert_int_equal(cadastre_backend_unregister(backend), CADASTRE_SUCCESS);
}

void a_queue_in_a_capture_keeps_its_block(void**) {
  const cadastre_context context = cuda_context();
  {
    const Stream a;
    unsigned char* const block = allocate(context, mebi, CADASTRE_DEVICE);
    assert_int_equal(cuda("cudaStreamBeginCapture", a.stream, 1), 0);
    assert_int_equal(cadastre_free_async(context, block, a), CADASTRE_CAPTURE_ACTIVE);
    void* graph = nullptr;
    assert_int_equal(cuda("cudaStreamEndCapture", a.stream, &graph), 0);
    if (graph) cuda("cudaGraphDestroy", graph);
    assert_int_equal(statistics(context, CADASTRE_DEVICE).live_blocks, 1);
    assert_int_equal(statistics(context, CADASTRE_DEVICE).failed_deallocations, 0);
    assert_int_equal(cadastre_free_async(context, block, a), CADASTRE_SUCCESS);
  }
  destroy(context);
}

// Though to the vendor it is memory as any other.
void what_is_kept_is_no_buffer_of_the_callers(void**) {
  const cadastre_context context = cuda_context();
  unsigned char* const block = allocate(context, mebi, CADASTRE_DEVICE);
  release(context, block);
  cadastre_error_struct error = cadastre_error_struct_zero;
  for (const std::size_t offset : {std::size_t{0}, mebi / 2}) {
    assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, block + offset, mebi / 4), CADASTRE_INVALID_ARG_3);
    assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
    assert_int_equal(error.reason, CADASTRE_REASON_ALREADY_FREED);
  }
  destroy(context);
}

// The program resets the device: what the pools had is nobody's, and comes from the vendor once more.
void memory_that_a_reset_took_is_handed_out_once(void**) {
  if (!cuda_double()) {
    skip_because("a GPU takes all that this program has with it");
  }
  const cuda_double_census before = cuda_double().census();
  const cadastre_context context = cuda_context();
  void* const used = allocate(context, mebi, CADASTRE_DEVICE);
  void* const free_again = allocate(context, 3 * mebi, CADASTRE_DEVICE);
  release(context, free_again);
  assert_int_equal(cuda("cudaDeviceReset"), 0);
  std::vector<void*> blocks;
  for (const std::size_t size : {2 * mebi, 3 * mebi, 5 * mebi, 5 * mebi, 7 * mebi}) {
    blocks.push_back(allocate(context, size, CADASTRE_DEVICE));
    assert_int_equal(cadastre_memset(context, blocks.back(), static_cast<int>(blocks.size()), size), CADASTRE_SUCCESS);
  }
  assert_ptr_equal(blocks[0], used);  // else this proves nothing
  for (std::size_t i = 0; i < blocks.size(); ++i) assert_int_equal(first_byte(blocks[i]), static_cast<int>(i + 1));
  for (void* const block : blocks) release(context, block);
  assert_int_equal(pool_of(context, CADASTRE_DEVICE).used_bytes, 0);
  destroy(context);
  assert_int_equal(cuda_double().census().blocks, before.blocks);
}

void pools_give_all_back_to_the_vendor(void**) {
  destroy(cuda_context());
  const cuda_double_census before = cuda_double().census();
  const cadastre_context context = cuda_context();
  {
    const Stream a;
    for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED, CADASTRE_UVM, CADASTRE_HOST}) {
      allocate(context, mebi, type);
      release(context, allocate(context, 3 * mebi, type));
      assert_true(pool_of(context, type).used_bytes >= mebi);
    }
    assert_int_equal(cadastre_free_async(context, allocate_on(context, a, mebi), a), CADASTRE_SUCCESS);
  }
  destroy(context);
  const cuda_double_census after = cuda_double().census();
  assert_int_equal(after.blocks, before.blocks);
  assert_int_equal(after.events, before.events);
}

}  // namespace

int main() {
  unsetenv("CADASTRE_POOL");
  const CMUnitTest tests[] = {
      cmocka_unit_test(errors_name_the_variable_that_a_workspace_has_its_size_of),
      cmocka_unit_test(the_environment_names_the_pool_where_options_do_not),
      cmocka_unit_test(what_was_freed_comes_back_and_is_zero),
      cmocka_unit_test(small_blocks_are_the_heaps),
      cmocka_unit_test(what_a_block_takes_is_told_beside_what_was_asked_for),
      cmocka_unit_test(limits_and_statistics_are_of_what_was_asked_for),
      cmocka_unit_test(blocks_are_resized_within_the_pool_and_across_its_bound),
      cmocka_unit_test(pools_are_trimmed_to_what_is_to_be_kept),
      cmocka_unit_test(a_workspace_lies_in_the_pool),
      cmocka_unit_test(live_blocks_of_a_pool_go_with_their_context),
      cmocka_unit_test(an_emulated_device_has_a_pool_of_its_own),
      cmocka_unit_test(what_is_kept_is_given_up_before_a_request_fails),
      cmocka_unit_test(what_is_kept_of_one_memory_type_makes_room_for_another),
      cmocka_unit_test(what_is_used_and_kept_stays_below_the_high_water_mark_and_the_limit),
      cmocka_unit_test(pieces_that_are_too_large_waste_a_tenth_at_most),
      cmocka_unit_test(a_limit_counts_what_is_kept),
      cmocka_unit_test(a_limit_of_a_context_counts_nothing_that_is_kept),
      cmocka_unit_test(an_idle_workspace_makes_way_before_a_limit_refuses),
      cmocka_unit_test(other_contexts_give_up_what_nobody_uses),
      cmocka_unit_test(idle_workspaces_that_lie_in_pools_make_way),
      cmocka_unit_test(a_context_that_another_thread_has_locked_is_not_waited_for),
      cmocka_unit_test(threads_share_a_pool),
      cmocka_unit_test(a_child_goes_on_with_the_pools_it_inherits),
      cmocka_unit_test(a_queue_gets_back_at_once_what_it_let_go),
      cmocka_unit_test(a_hit_calls_the_vendor_as_little_as_can_be),
      cmocka_unit_test(the_pool_of_the_vendor_is_the_caching_one_for_device_memory),
      cmocka_unit_test(a_block_whose_queue_cannot_be_waited_for_stays),
      cmocka_unit_test(a_queue_in_a_capture_keeps_its_block),
      cmocka_unit_test(what_is_kept_is_no_buffer_of_the_callers),
      cmocka_unit_test(memory_that_a_reset_took_is_handed_out_once),
      cmocka_unit_test(pools_give_all_back_to_the_vendor),
  };
  return cmocka_run_group_tests_name("pools", tests, nullptr, nullptr);
}
