// Tangled from org/tests/limit_of_all.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// One limit of all memory types together, on the backend that CADASTRE_TEST_BACKEND names.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cadastre_workspace.h"
#include "pooled_contexts.hpp"
#include "vendors.hpp"

namespace {

struct Where {
  const char* name;
  cadastre_backend backend;
  std::vector<cadastre_memory_type> types;  // beside HOST
};
Where here{};

// False where it is not usable, and why is told.
bool go_to(const std::string& name) {
  const Where all[] = {
      {"host", CADASTRE_BACKEND_HOST, {CADASTRE_PINNED}},
      {"emulated", CADASTRE_BACKEND_HOST, {CADASTRE_DEVICE, CADASTRE_UVM}},
#define CADASTRE_WHERE(vendor, constant) {#vendor, CADASTRE_BACKEND_##constant, {}},
      CADASTRE_TEST_VENDORS(CADASTRE_WHERE)
#undef CADASTRE_WHERE
          {"openmp", CADASTRE_BACKEND_OPENMP, {}},
  };
  const auto* const found = std::find_if(std::begin(all), std::end(all), [&](const Where& one) { return name == one.name; });
  if (found == std::end(all)) return print_error("no such backend: %s\n", name.c_str()), false;
  here = *found;
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  if (cadastre_backend_get_info(here.backend, &info) != CADASTRE_SUCCESS) return false;
  if (!info.available) return print_message("%s: %s\n", here.name, info.problem), false;
  for (const cadastre_memory_type type : {CADASTRE_PINNED, CADASTRE_DEVICE, CADASTRE_UVM}) {
    if (found->types.empty() && (info.memory_type_mask >> type & 1u)) here.types.push_back(type);
  }
  return true;
}

constexpr cadastre_memory_type all_types = CADASTRE_ALL_MEMORY_TYPES;
constexpr std::size_t kibi = 1024;

template <class Claim>
void for_each_type(Claim claim) {
  for (const cadastre_memory_type type : here.types) claim(type);
}

cadastre_context below(cadastre_context parent, cadastre_pool pool = CADASTRE_POOL_NONE) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = here.backend;
  options.pool = pool;
  options.parent = parent;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  return context;
}

cadastre_context context_here(cadastre_pool pool = CADASTRE_POOL_NONE) { return below(CADASTRE_NULL_CONTEXT, pool); }

void limit(cadastre_context context, cadastre_memory_type type, std::size_t bytes) {
  assert_int_equal(cadastre_set_limit(context, type, bytes), CADASTRE_SUCCESS);
}

// While it lives the process has a limit.
struct ProcessLimit {
  explicit ProcessLimit(std::size_t bytes) { limit(CADASTRE_PROCESS, all_types, bytes); }
  ProcessLimit(const ProcessLimit&) = delete;
  ProcessLimit& operator=(const ProcessLimit&) = delete;
  ~ProcessLimit() { cadastre_set_limit(CADASTRE_PROCESS, all_types, CADASTRE_UNLIMITED); }
};

cadastre_error_struct last(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  return error;
}

void assert_says(const char* message, const std::string& part) {
  const bool says = std::strstr(message, part.c_str()) != nullptr;
  if (!says) std::fprintf(stderr, "\"%s\" is not in: %s\n", part.c_str(), message);
  assert_true(says);
}

// A request is refused because of a limit: whose, of which so many bytes are in use by then.
void assert_refused(cadastre_context context, std::size_t size, cadastre_memory_type type, std::size_t in_use, std::size_t limit,
                    const std::string& whose) {
  assert_null(cadastre_malloc(context, request(size, type)));
  const cadastre_error_struct error = last(context);
  assert_int_equal(error.exit_code, CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(error.reason, CADASTRE_REASON_LIMIT_EXCEEDED);
  assert_int_equal(error.requested, size);
  assert_int_equal(error.in_use, in_use);
  assert_int_equal(error.limit, limit);
  assert_says(error.message, "the limit of " + whose + " is " + std::to_string(limit) + " bytes");
}

const std::string together = " for all memory types together";

void bytes_of_all_types_count_against_it_to_the_last_one(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    limit(context, all_types, 10000);
    unsigned char *const first = allocate(context, 6000, type), *const second = allocate(context, 3000);
    assert_refused(context, 1001, type, 9000, 10000, "this context" + together);
    assert_refused(context, 1001, CADASTRE_HOST, 9000, 10000, "this context" + together);
    unsigned char *const third = allocate(context, 600, type), *const fourth = allocate(context, 400);
    assert_refused(context, 1, type, 10000, 10000, "this context" + together);
    assert_refused(context, 1, CADASTRE_HOST, 10000, 10000, "this context" + together);
    unsigned char *const none = allocate(context, 0, type), *const none_either = allocate(context, 0);
    const cadastre_statistics_struct sum = statistics(context, all_types), of_type = statistics(context, type),
                                     of_host = statistics(context);
    assert_int_equal(sum.live_bytes, 10000);
    assert_int_equal(sum.live_blocks, 6);
    assert_int_equal(sum.allocations, 6);
    assert_int_equal(sum.failed_allocations, 4);
    assert_int_equal(sum.total_bytes, 10000);
    assert_int_equal(sum.limit, 10000);
    assert_true(sum.high_water_mark_bytes >= 10000 &&
                sum.high_water_mark_bytes == of_type.high_water_mark_bytes + of_host.high_water_mark_bytes);
    assert_true(of_type.limit == CADASTRE_UNLIMITED && of_host.limit == CADASTRE_UNLIMITED);
    release(context, first);
    unsigned char* const last_one = allocate(context, 6000);
    assert_refused(context, 1, type, 10000, 10000, "this context" + together);
    for (unsigned char* const block : {second, third, fourth, none, none_either, last_one}) release(context, block);
    assert_int_equal(statistics(context, all_types).live_bytes, 0);
    limit(context, all_types, CADASTRE_UNLIMITED);
    release(context, allocate(context, 20000, type));
    destroy(context);
  });
}

// Small blocks and large ones, which are resized in different ways.
void a_block_that_grows_counts_what_it_grows_by(void**) {
  for_each_type([](cadastre_memory_type type) {
    for (const cadastre_memory_type grows : {type, CADASTRE_HOST}) {
      for (const std::size_t size : {std::size_t{100}, 300 * kibi}) {
        const cadastre_context context = context_here();
        limit(context, all_types, 3 * size);
        unsigned char* const other = allocate(context, size, grows == CADASTRE_HOST ? type : CADASTRE_HOST);
        void* block = allocate(context, size, grows);
        assert_null(cadastre_realloc(context, block, 2 * size + 1));
        const cadastre_error_struct error = last(context);
        assert_int_equal(error.exit_code, CADASTRE_LIMIT_EXCEEDED);
        assert_int_equal(error.in_use, size);
        assert_int_equal(error.limit, 3 * size);
        assert_says(error.message, "the limit of this context" + together);
        assert_int_equal(statistics(context, all_types).live_bytes, 2 * size);
        block = cadastre_realloc(context, block, 2 * size);
        assert_non_null(block);
        assert_refused(context, 1, type, 3 * size, 3 * size, "this context" + together);
        block = cadastre_realloc(context, block, size / 2);
        assert_non_null(block);
        unsigned char* const rest = allocate(context, 3 * size - size - size / 2, type);
        assert_refused(context, 1, CADASTRE_HOST, 3 * size, 3 * size, "this context" + together);
        for (void* const each : {static_cast<void*>(other), block, static_cast<void*>(rest)})
          assert_int_equal(cadastre_free(context, each), CADASTRE_SUCCESS);
        destroy(context);
      }
    }
  });
}

void the_limit_of_a_type_holds_besides_and_the_one_that_refuses_is_named(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    limit(context, all_types, 10000);
    limit(context, type, 4000);
    unsigned char* const block = allocate(context, 3000, type);
    assert_refused(context, 1001, type, 3000, 4000, "this context");
    unsigned char* const host = allocate(context, 6500);
    assert_refused(context, 501, type, 9500, 10000, "this context" + together);
    assert_refused(context, 501, CADASTRE_HOST, 9500, 10000, "this context" + together);
    release(context, allocate(context, 500, type));
    limit(context, all_types, CADASTRE_UNLIMITED);
    assert_refused(context, 1001, type, 3000, 4000, "this context");
    release(context, allocate(context, 1000, type));
    release(context, block);
    release(context, host);
    destroy(context);
  });
}

void a_limit_below_what_is_in_use_refuses_until_enough_is_freed(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    unsigned char *const first = allocate(context, 5000, type), *const second = allocate(context, 5000);
    limit(context, all_types, 6000);
    assert_refused(context, 1, type, 10000, 6000, "this context" + together);
    assert_refused(context, 1, CADASTRE_HOST, 10000, 6000, "this context" + together);
    release(context, second);
    release(context, allocate(context, 1000));
    // What the thread has claimed in advance of HOST memory is no room either.
    limit(context, all_types, CADASTRE_UNLIMITED);
    unsigned char* const small = allocate(context, 64);
    limit(context, all_types, 5064);
    assert_refused(context, 64, CADASTRE_HOST, 5064, 5064, "this context" + together);
    release(context, small);
    limit(context, all_types, CADASTRE_LIMIT_NOTHING);
    assert_int_equal(statistics(context, all_types).limit, CADASTRE_LIMIT_NOTHING);
    assert_refused(context, 1, CADASTRE_HOST, 5000, 0, "this context" + together);
    release(context, allocate(context, 0, type));
    release(context, first);
    destroy(context);
  });
}

// Which its owner holds, whoever records it.
void memory_of_others_does_not_count(void**) {
  const cadastre_context context = context_here();
  std::vector<unsigned char> foreign(5000);
  limit(context, all_types, 1000);
  cadastre_memory_info_struct info = request(foreign.size());
  info.pointer = foreign.data();
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  assert_int_equal(statistics(context, all_types).live_bytes, 0);
  assert_int_equal(statistics(context, all_types).borrowed_blocks, 1);
  release(context, allocate(context, 1000));
  assert_int_equal(cadastre_unwrap(context, foreign.data()), CADASTRE_SUCCESS);
  destroy(context);
}

void a_queue_of_the_default_order_meets_it_too(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    limit(context, all_types, 1000);
    unsigned char* const host = allocate(context, 600);
    assert_null(cadastre_malloc_async(context, request(401, type), CADASTRE_DEFAULT_QUEUE));
    assert_int_equal(last(context).exit_code, CADASTRE_LIMIT_EXCEEDED);
    void* const block = cadastre_malloc_async(context, request(400, type), CADASTRE_DEFAULT_QUEUE);
    assert_non_null(block);
    assert_int_equal(cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    release(context, host);
    destroy(context);
  });
}

void contexts_below_a_context_count_together(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context parent = context_here(), one = below(parent), other = below(parent);
    const std::string whose = "the parent context " + std::to_string(parent) + together;
    limit(parent, all_types, 10000);
    limit(one, all_types, 7000);
    unsigned char *const first = allocate(one, 4000, type), *const second = allocate(other, 5000);
    assert_refused(one, 1001, CADASTRE_HOST, 9000, 10000, whose);
    assert_refused(one, 3001, CADASTRE_HOST, 4000, 7000, "this context" + together);
    assert_refused(other, 1001, type, 9000, 10000, whose);
    assert_refused(parent, 1001, type, 9000, 10000, "this context" + together);
    // What was refused above counts nowhere.
    assert_int_equal(statistics(one, all_types).live_bytes, 4000);
    unsigned char* const third = allocate(one, 1000);
    assert_int_equal(statistics(parent, all_types).live_bytes, 10000);
    assert_int_equal(statistics(parent, all_types).limit, 10000);
    release(one, first);
    release(other, second);
    release(one, third);
    assert_int_equal(statistics(parent, all_types).live_bytes, 0);
    assert_int_equal(statistics(parent, all_types).allocations, 3);
    for (const cadastre_context each : {one, other, parent}) destroy(each);
  });
}

void all_contexts_of_the_process_count_together(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context one = context_here(), other = context_here();
    const std::size_t before = statistics(CADASTRE_PROCESS, all_types).live_bytes;
    assert_int_equal(statistics(CADASTRE_PROCESS, all_types).limit, CADASTRE_UNLIMITED);
    const ProcessLimit process(before + 10000);
    unsigned char *const first = allocate(one, 4000, type), *const second = allocate(other, 5000);
    assert_refused(one, 1001, CADASTRE_HOST, before + 9000, before + 10000, "the process" + together);
    assert_refused(other, 1001, type, before + 9000, before + 10000, "the process" + together);
    const cadastre_statistics_struct sum = statistics(CADASTRE_PROCESS, all_types);
    assert_true(sum.live_bytes == before + 9000 && sum.limit == before + 10000);
    release(one, first);
    release(other, allocate(other, 5000, type));
    release(other, second);
    destroy(one);
    destroy(other);
  });
}

void a_refusal_names_who_holds_memory_of_any_type(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context parent = context_here(), one = below(parent), other = below(parent);
    // What has one label is summed up over the types.
    cadastre_memory_info_struct most = request(4000), too = request(2000, type), less = request(3000, type);
    most.label = too.label = "mesh";
    less.label = "matrix";
    void *const first = cadastre_malloc(one, most), *const second = cadastre_malloc(other, less), *const third = cadastre_malloc(one, too);
    assert_true(first && second && third);
    unsigned char *const bare = allocate(other, 500, type), *const bare_too = allocate(other, 500);
    limit(parent, all_types, 10000);
    assert_null(cadastre_malloc(other, request(1, type)));
    const cadastre_error_struct error = last(other);
    assert_says(error.message, "context " + std::to_string(one) + ": 6000 bytes (\"mesh\": 6000)");
    assert_says(error.message, "context " + std::to_string(other) + ": 4000 bytes (\"matrix\": 3000, without a label: 1000)");
    release(other, bare);
    release(other, bare_too);
    for (void* const each : {first, third}) assert_int_equal(cadastre_free(one, each), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free(other, second), CADASTRE_SUCCESS);
    for (const cadastre_context each : {one, other, parent}) destroy(each);
  });
}

void an_option_of_a_context_sets_it(void**) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = here.backend;
  options.limits[CADASTRE_ALL_MEMORY_TYPES] = 5000;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  assert_int_equal(statistics(context, all_types).limit, 5000);
  assert_refused(context, 5001, CADASTRE_HOST, 0, 5000, "this context" + together);
  cadastre_context_options_struct found = cadastre_context_options_struct_zero;
  assert_int_equal(cadastre_context_get_options(context, &found), CADASTRE_SUCCESS);
  assert_int_equal(found.limits[CADASTRE_ALL_MEMORY_TYPES], 5000);
  assert_int_equal(found.limits[CADASTRE_HOST], CADASTRE_UNLIMITED);
  destroy(context);
  // A context that comes after has none, whoever had its place.
  const cadastre_context next = context_here();
  assert_int_equal(statistics(next, all_types).limit, CADASTRE_UNLIMITED);
  release(next, allocate(next, 6000));
  destroy(next);
}

void the_child_of_a_fork_has_it_too(void**) {
  const cadastre_context context = context_here();
  limit(context, all_types, 10000);
  unsigned char* const block = allocate(context, 6000);
  assert_true(holds_in_a_child([&] {
    if (cadastre_malloc(context, request(4001))) return false;
    void* const rest = cadastre_malloc(context, request(4000));
    return rest && cadastre_free(context, rest) == CADASTRE_SUCCESS && cadastre_free(context, block) == CADASTRE_SUCCESS &&
           !cadastre_malloc(context, request(10001)) && cadastre_malloc(context, request(10000));
  }));
  release(context, block);
  destroy(context);
}

void what_a_pool_keeps_makes_way_for_another_type(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context pooled = context_here(CADASTRE_POOL_CACHING), plain = context_here();
    const std::size_t before = statistics(CADASTRE_PROCESS, all_types).live_bytes;
    const ProcessLimit process(before + 10 * mebi);
    unsigned char* const block = allocate(pooled, 6 * mebi, type);
    release(pooled, block);
    assert_true(pool_of(pooled, type).releasable_bytes >= 6 * mebi);
    // What is kept counts against no context, and against the process only where that lacks it.
    limit(pooled, all_types, 4 * mebi);
    unsigned char* const small = allocate(pooled, 3 * mebi);
    assert_true(pool_of(pooled, type).releasable_bytes >= 6 * mebi);
    unsigned char* const large = allocate(plain, 7 * mebi);
    assert_int_equal(pool_of(pooled, type).releasable_bytes, 0);
    assert_refused(plain, 1, CADASTRE_HOST, before + 10 * mebi, before + 10 * mebi, "the process" + together);
    release(pooled, small);
    release(plain, large);
    assert_int_equal(cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
    destroy(pooled);
    destroy(plain);
  });
}

void what_a_pool_keeps_of_host_memory_makes_way_for_the_device(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context pooled = context_here(CADASTRE_POOL_CACHING);
    const std::size_t before = statistics(CADASTRE_PROCESS, all_types).live_bytes;
    const ProcessLimit process(before + 10 * mebi);
    release(pooled, allocate(pooled, 6 * mebi));
    assert_true(pool_of(pooled).releasable_bytes >= 6 * mebi);
    unsigned char* const block = allocate(pooled, 5 * mebi, type);
    assert_true(pool_of(pooled).releasable_bytes + 5 * mebi <= 10 * mebi);
    unsigned char* const rest = allocate(pooled, 5 * mebi, type);
    assert_int_equal(pool_of(pooled).releasable_bytes, 0);
    release(pooled, block);
    release(pooled, rest);
    assert_int_equal(cadastre_pool_trim(CADASTRE_PROCESS, type, 0), CADASTRE_SUCCESS);
    destroy(pooled);
  });
}

// Blocks of the heap ask no pool; the next free gives back what they have taken of the room.
void what_a_pool_keeps_makes_way_for_small_blocks(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context pooled = context_here(CADASTRE_POOL_CACHING), plain = context_here();
    const std::size_t before = statistics(CADASTRE_PROCESS, all_types).live_bytes;
    const ProcessLimit process(before + 10 * mebi);
    release(pooled, allocate(pooled, 6 * mebi, type));
    std::vector<unsigned char*> blocks;
    while (blocks.size() * 16384 < 7 * mebi) blocks.push_back(allocate(plain, 16384));
    release(pooled, allocate(pooled, mebi, type));
    assert_true(pool_of(pooled, type).releasable_bytes <= 3 * mebi);
    for (unsigned char* const block : blocks) release(plain, block);
    assert_int_equal(cadastre_pool_trim(CADASTRE_PROCESS, type, 0), CADASTRE_SUCCESS);
    destroy(pooled);
    destroy(plain);
  });
}

void a_limit_that_is_set_has_pools_of_all_types_give_back(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context pooled = context_here(CADASTRE_POOL_CACHING);
    const std::size_t before = statistics(CADASTRE_PROCESS, all_types).live_bytes;
    release(pooled, allocate(pooled, 6 * mebi));
    release(pooled, allocate(pooled, 6 * mebi, type));
    assert_true(pool_of(pooled).releasable_bytes + pool_of(pooled, type).releasable_bytes >= 12 * mebi);
    {
      const ProcessLimit process(before + mebi);
      assert_true(pool_of(pooled).releasable_bytes + pool_of(pooled, type).releasable_bytes <= mebi);
    }
    for (const cadastre_memory_type each : {CADASTRE_HOST, type}) assert_int_equal(cadastre_pool_trim(pooled, each, 0), CADASTRE_SUCCESS);
    destroy(pooled);
  });
}

void an_idle_workspace_of_another_type_goes_before_a_request_is_refused(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    const std::size_t size = 100 * kibi;
    void* buffer = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    assert_int_equal(cadastre_workspace_acquire(context, type, 1, &size, &buffer, &lease), CADASTRE_SUCCESS);
    const std::size_t held = statistics(context, all_types).live_bytes;
    assert_true(held >= size);
    limit(context, all_types, held + 100);
    assert_refused(context, 101, CADASTRE_HOST, held, held + 100, "this context" + together);
    assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
    release(context, allocate(context, size));
    assert_int_equal(statistics(context, all_types).live_bytes, 0);
    destroy(context);
  });
}

void two_limits_are_met_one_after_the_other(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    const std::size_t size = 100 * kibi;
    void* buffer = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    for (const cadastre_memory_type each : {type, CADASTRE_HOST}) {
      assert_int_equal(cadastre_workspace_acquire(context, each, 1, &size, &buffer, &lease), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
    }
    const std::size_t held = statistics(context, type).live_bytes;
    // The idle workspace of the type has to go for its own limit, and that of the host for both together.
    limit(context, type, held);
    limit(context, all_types, held);
    release(context, allocate(context, held, type));
    destroy(context);
  });
}

void what_threads_claim_in_advance_refuses_nothing(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context parent = context_here(), one = below(parent), other = below(parent);
    const std::size_t small = 64, blocks = 4;
    limit(parent, all_types, 200 * kibi);
    std::barrier<> ready(5), done(5);
    std::vector<std::jthread> workers;
    std::atomic<int> wrong = 0;
    for (int i = 0; i < 4; ++i) {
      workers.emplace_back([&, i] {
        const cadastre_context mine = i % 2 ? one : other;
        void* held[blocks];
        for (void*& block : held) wrong += !(block = cadastre_malloc(mine, request(small)));
        ready.arrive_and_wait();
        done.arrive_and_wait();
        for (void* const block : held) wrong += cadastre_free(mine, block) != CADASTRE_SUCCESS;
      });
    }
    ready.arrive_and_wait();
    const std::size_t held = 4 * blocks * small, rest = 200 * kibi - held;
    void* const block = cadastre_malloc(one, request(rest, type));
    const bool refused_then = !cadastre_malloc(other, request(1, type)) && !cadastre_malloc(parent, request(1));
    const std::size_t live = statistics(parent, all_types).live_bytes;
    done.arrive_and_wait();
    workers.clear();
    assert_non_null(block);
    assert_true(refused_then && live == 200 * kibi);
    assert_int_equal(wrong, 0);
    release(one, block);
    for (const cadastre_context each : {one, other, parent}) destroy(each);
  });
}

// Whether threads make few rounds: under a sanitizer, and where the claims are made again in other surroundings.
bool brief() { return sanitized || std::getenv("CADASTRE_TEST_BRIEF"); }

// So many that a sum which two have added up at a time would be too large, or refuse both.
void threads_never_exceed_it_together(void**) {
  constexpr std::size_t most = 64 * kibi, largest = 24 * kibi;
  const int rounds = brief() ? 300 : 3000;
  const cadastre_context parent = context_here(), one = below(parent), other = below(parent);
  limit(parent, all_types, most);
  limit(one, all_types, most / 2);
  std::atomic<std::size_t> held = 0, highest = 0;
  std::atomic<int> served = 0, refused = 0, wrong = 0;
  {
    std::vector<std::jthread> workers;
    for (unsigned number = 0; number < 4; ++number) {
      workers.emplace_back([&, number] {
        const cadastre_context mine = number % 2 ? one : other;
        unsigned state = 7 * number + 1;
        const auto draw = [&](std::size_t below) { return (state = state * 1664525u + 1013904223u) / 65536u % below; };
        for (int round = 0; round < rounds; ++round) {
          const std::size_t size = 1 + draw(largest), type = draw(here.types.size() + 1);
          void* const block =
              cadastre_malloc(mine, request(size, type == 0 ? CADASTRE_HOST : here.types[type - 1], CADASTRE_UNINITIALIZED));
          if (!block) {
            cadastre_error_struct error = cadastre_error_struct_zero;
            cadastre_last_error(mine, &error);
            ++(error.exit_code == CADASTRE_LIMIT_EXCEEDED ? refused : wrong);
            continue;
          }
          ++served;
          const std::size_t now = held.fetch_add(size) + size;
          for (std::size_t before = highest; before < now && !highest.compare_exchange_weak(before, now);) continue;
          if (round % 3 == 0) std::this_thread::yield();
          held.fetch_sub(size);
          wrong += cadastre_free(mine, block) != CADASTRE_SUCCESS;
        }
      });
    }
  }
  assert_int_equal(wrong, 0);
  assert_true(highest <= most);
  assert_true(served > 0 && served + refused == 4 * rounds);
  assert_int_equal(statistics(parent, all_types).live_bytes, 0);
  assert_int_equal(statistics(parent, all_types).allocations, served);
  for (const cadastre_context each : {one, other, parent}) destroy(each);
}

// Two that ask at a time for what there is of both types are not refused because of each other.
void threads_that_fit_together_are_both_served(void**) {
  const int rounds = brief() ? 100 : 3000;
  for_each_type([rounds](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    constexpr std::size_t half = 600 * kibi;
    limit(context, all_types, 2 * half);
    std::atomic<int> refused = 0;
    std::atomic<bool> ends = false;
    {
      // One more asks for too much all the time, which is refused and refuses nobody else.
      const std::jthread greedy([&] {
        while (!ends) refused += cadastre_malloc(context, request(2 * half + 1, type)) != nullptr;
      });
      std::vector<std::jthread> workers;
      for (const cadastre_memory_type mine : {type, CADASTRE_HOST}) {
        workers.emplace_back([&, mine] {
          for (int round = 0; round < rounds; ++round) {
            void* const block = cadastre_malloc(context, request(half, mine, CADASTRE_UNINITIALIZED));
            if (!block || cadastre_free(context, block) != CADASTRE_SUCCESS) ++refused;
          }
        });
      }
      workers.clear();
      ends = true;
    }
    assert_int_equal(refused, 0);
    destroy(context);
  });
}

// It changes, is taken away and comes back while others allocate.
void it_may_be_set_at_any_time(void**) {
  const cadastre_context context = context_here();
  std::atomic<bool> ends = false;
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> workers;
    for (int number = 0; number < 3; ++number) {
      workers.emplace_back([&, number] {
        const cadastre_memory_type type = number == 0 ? CADASTRE_HOST : here.types[static_cast<std::size_t>(number) % here.types.size()];
        while (!ends) {
          void* const block = cadastre_malloc(context, request(5000, type, CADASTRE_UNINITIALIZED));
          if (block) wrong += cadastre_free(context, block) != CADASTRE_SUCCESS;
        }
      });
    }
    for (int round = 0; round < 200; ++round) {
      for (const std::size_t bytes : {std::size_t{4000}, CADASTRE_UNLIMITED, std::size_t{9000}})
        wrong += cadastre_set_limit(context, all_types, bytes) != CADASTRE_SUCCESS;
    }
    ends = true;
  }
  assert_int_equal(wrong, 0);
  assert_int_equal(statistics(context, all_types).live_bytes, 0);
  limit(context, all_types, 5000);
  assert_refused(context, 5001, CADASTRE_HOST, 0, 5000, "this context" + together);
  release(context, allocate(context, 5000));
  destroy(context);
}

// It is a type for limits and statistics alone.
void it_is_no_type_of_memory(void**) {
  const cadastre_context context = context_here();
  const auto refuses = [&](cadastre_exit_code code) {
    assert_int_equal(code, CADASTRE_INVALID_ARG_2);
    assert_int_equal(last(context).reason, CADASTRE_REASON_INVALID_MEMORY_TYPE);
  };
  assert_null(cadastre_malloc(context, request(100, all_types)));
  assert_int_equal(last(context).reason, CADASTRE_REASON_INVALID_MEMORY_TYPE);
  cadastre_pool_info_struct pool = cadastre_pool_info_struct_zero;
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  cadastre_workspace_info_struct workspace = cadastre_workspace_info_struct_zero;
  refuses(cadastre_pool_get_info(context, all_types, &pool));
  refuses(cadastre_pool_trim(context, all_types, 0));
  refuses(cadastre_reset_high_water_mark(context, all_types));
  refuses(cadastre_get_device_statistics(context, all_types, 0, &figures));
  refuses(cadastre_workspace_set_size(context, all_types, 1000));
  refuses(cadastre_workspace_get_info(context, all_types, &workspace));
  destroy(context);
}

void other_numbers_are_refused(void**) {
  const cadastre_context context = context_here();
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  for (const cadastre_context whose : {context, CADASTRE_PROCESS}) {
    for (const cadastre_memory_type type : {-1, CADASTRE_MEMORY_TYPE_COUNT, all_types - 1, all_types + 1, INT32_MAX, INT32_MIN}) {
      assert_int_equal(cadastre_set_limit(whose, type, 1000), CADASTRE_INVALID_ARG_2);
      assert_int_equal(last(whose).reason, CADASTRE_REASON_INVALID_MEMORY_TYPE);
      assert_int_equal(cadastre_get_statistics(whose, type, &figures), CADASTRE_INVALID_ARG_2);
    }
    assert_int_equal(cadastre_set_limit(whose, all_types, SIZE_MAX / 2 + 2), CADASTRE_INVALID_ARG_3);
    assert_int_equal(last(whose).reason, CADASTRE_REASON_SIZE_OVERFLOW);
    assert_int_equal(cadastre_get_statistics(whose, all_types, nullptr), CADASTRE_INVALID_ARG_3);
    assert_int_equal(statistics(whose, all_types).limit, CADASTRE_UNLIMITED);
  }
  destroy(context);
  assert_int_equal(cadastre_set_limit(context, all_types, 1000), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_get_statistics(context, all_types, &figures), CADASTRE_INVALID_CONTEXT);
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = here.backend;
  options.limits[CADASTRE_ALL_MEMORY_TYPES] = SIZE_MAX / 2 + 2;
  assert_true(cadastre_context_create_with_options(&options) == CADASTRE_NULL_CONTEXT);
  assert_int_equal(last(CADASTRE_NULL_CONTEXT).reason, CADASTRE_REASON_SIZE_OVERFLOW);
  options.limits[CADASTRE_ALL_MEMORY_TYPES] = 0;
  options.limits[CADASTRE_ALL_MEMORY_TYPES - 1] = 1;
  assert_true(cadastre_context_create_with_options(&options) == CADASTRE_NULL_CONTEXT);
  assert_int_equal(last(CADASTRE_NULL_CONTEXT).reason, CADASTRE_REASON_RESERVED_NOT_ZERO);
}

// Sizes that no machine has wrap nowhere.
void the_largest_sizes_are_summed_up_without_wrapping(void**) {
  const cadastre_context context = context_here();
  limit(context, all_types, SIZE_MAX / 2);
  unsigned char* const block = allocate(context, 1000, here.types[0]);
  assert_refused(context, SIZE_MAX / 2, CADASTRE_HOST, 1000, SIZE_MAX / 2, "this context" + together);
  assert_refused(context, SIZE_MAX / 2 - 999, here.types[0], 1000, SIZE_MAX / 2, "this context" + together);
  release(context, block);
  destroy(context);
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "1", 0);
  setenv("CADASTRE_OUT_OF_MEMORY_WAIT", "100", 0);
  unsetenv("CADASTRE_LIMIT");
  const CMUnitTest claims[] = {
      cmocka_unit_test(bytes_of_all_types_count_against_it_to_the_last_one),
      cmocka_unit_test(a_block_that_grows_counts_what_it_grows_by),
      cmocka_unit_test(the_limit_of_a_type_holds_besides_and_the_one_that_refuses_is_named),
      cmocka_unit_test(a_limit_below_what_is_in_use_refuses_until_enough_is_freed),
      cmocka_unit_test(memory_of_others_does_not_count),
      cmocka_unit_test(a_queue_of_the_default_order_meets_it_too),
      cmocka_unit_test(contexts_below_a_context_count_together),
      cmocka_unit_test(all_contexts_of_the_process_count_together),
      cmocka_unit_test(a_refusal_names_who_holds_memory_of_any_type),
      cmocka_unit_test(an_option_of_a_context_sets_it),
      cmocka_unit_test(the_child_of_a_fork_has_it_too),
      cmocka_unit_test(what_a_pool_keeps_makes_way_for_another_type),
      cmocka_unit_test(what_a_pool_keeps_of_host_memory_makes_way_for_the_device),
      cmocka_unit_test(what_a_pool_keeps_makes_way_for_small_blocks),
      cmocka_unit_test(a_limit_that_is_set_has_pools_of_all_types_give_back),
      cmocka_unit_test(an_idle_workspace_of_another_type_goes_before_a_request_is_refused),
      cmocka_unit_test(two_limits_are_met_one_after_the_other),
      cmocka_unit_test(what_threads_claim_in_advance_refuses_nothing),
      cmocka_unit_test(threads_never_exceed_it_together),
      cmocka_unit_test(threads_that_fit_together_are_both_served),
      cmocka_unit_test(it_may_be_set_at_any_time),
      cmocka_unit_test(it_is_no_type_of_memory),
      cmocka_unit_test(other_numbers_are_refused),
      cmocka_unit_test(the_largest_sizes_are_summed_up_without_wrapping),
  };
  const char* const named = std::getenv("CADASTRE_TEST_BACKEND");
  if (named) return go_to(named) ? cmocka_run_group_tests_name(named, claims, nullptr, nullptr) : 77;
  int failed = 0;
  for (const char* const name : {"host", "emulated"}) {
    if (!go_to(name)) return 1;
    failed += cmocka_run_group_tests_name(name, claims, nullptr, nullptr);
  }
  return failed;
}
