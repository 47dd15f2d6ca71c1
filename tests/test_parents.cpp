// Tangled from org/tests/parent_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"

namespace {

cadastre_context below(cadastre_context parent, cadastre_pool pool = CADASTRE_DEFAULT_POOL) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.parent = parent;
  options.pool = pool;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_int_not_equal(context, CADASTRE_NULL_CONTEXT);
  return context;
}

void* get(cadastre_context context, std::size_t size, const char* label = nullptr) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.label = label;
  return cadastre_malloc(context, info);
}

cadastre_statistics_struct statistics(cadastre_context context, cadastre_memory_type type = CADASTRE_HOST) {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, type, &figures), CADASTRE_SUCCESS);
  assert_int_equal(figures.allocations,
                   figures.deallocations + figures.failed_deallocations + figures.untracked_deallocations + figures.live_blocks);
  return figures;
}

cadastre_error_struct last_error(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  return error;
}

void destroy(cadastre_context context) { assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS); }

// A grandparent, its child and its grandchild; and a context apart.
struct Family {
  cadastre_context old = below(CADASTRE_NULL_CONTEXT), middle = below(old), young = below(middle), apart = below(CADASTRE_PROCESS);
  ~Family() {
    cadastre_context_destroy_with_children(old, nullptr);
    cadastre_context_destroy(apart);
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      cadastre_set_limit(CADASTRE_PROCESS, type, CADASTRE_UNLIMITED);
    }
  }
};

void what_a_child_has_its_parents_have(void**) {
  Family f;
  const cadastre_statistics_struct before = statistics(CADASTRE_PROCESS);
  assert_non_null(get(f.young, 1000));
  assert_non_null(get(f.old, 10));
  assert_non_null(get(f.apart, 7));
  assert_int_equal(statistics(f.young).live_bytes, 1000);
  assert_int_equal(statistics(f.middle).live_bytes, 1000);
  assert_int_equal(statistics(f.old).live_bytes, 1010);
  assert_int_equal(statistics(f.old).live_blocks, 2);
  assert_int_equal(statistics(f.apart).live_bytes, 7);
  assert_int_equal(statistics(CADASTRE_PROCESS).live_bytes, before.live_bytes + 1017);
  assert_int_equal(statistics(CADASTRE_PROCESS).allocations, before.allocations + 3);
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  assert_int_equal(cadastre_context_get_options(f.young, &options), CADASTRE_SUCCESS);
  assert_true(options.parent == f.middle);
  assert_int_equal(cadastre_context_get_options(f.old, &options), CADASTRE_SUCCESS);
  assert_true(options.parent == CADASTRE_PROCESS);
}

void a_limit_of_a_parent_is_one_of_all_below_it(void**) {
  Family f;
  assert_int_equal(cadastre_set_limit(f.old, CADASTRE_HOST, 1000), CADASTRE_SUCCESS);
  void* const first = get(f.young, 600);
  assert_non_null(first);
  assert_null(get(f.middle, 401));
  const cadastre_error_struct error = last_error(f.middle);
  assert_int_equal(error.exit_code, CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(error.in_use, 600);
  assert_int_equal(error.limit, 1000);
  assert_true(error.owner == f.old);
  const std::string message = error.message;
  assert_non_null(std::strstr(message.c_str(), ("the limit of the parent context " + std::to_string(f.old)).c_str()));
  assert_int_equal(statistics(f.middle).failed_allocations, 1);
  assert_int_equal(statistics(f.young).failed_allocations, 0);
  assert_non_null(get(f.middle, 400));
  assert_null(get(f.old, 1));
  assert_null(cadastre_realloc(f.young, first, 601));
  assert_int_equal(last_error(f.young).in_use, 400);
  assert_int_equal(cadastre_free(f.young, first), CADASTRE_SUCCESS);
  assert_non_null(get(f.old, 600));
  assert_non_null(get(f.apart, 100000));
  assert_int_equal(statistics(f.old).high_water_mark_bytes, 1000);
}

void the_limit_of_the_process_is_named_and_counts_all_contexts(void**) {
  Family f;
  const std::size_t already = statistics(CADASTRE_PROCESS).live_bytes;
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, already + 1000), CADASTRE_SUCCESS);
  assert_int_equal(statistics(CADASTRE_PROCESS).limit, already + 1000);
  assert_non_null(get(f.young, 500));
  assert_null(get(f.apart, 501));
  const cadastre_error_struct error = last_error(f.apart);
  assert_true(error.owner == CADASTRE_PROCESS);
  assert_non_null(std::strstr(error.message, "the limit of the process is"));
  assert_non_null(get(f.apart, 500));
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
  assert_non_null(get(f.apart, 500));
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, CADASTRE_LIMIT_NOTHING), CADASTRE_SUCCESS);
  assert_int_equal(statistics(CADASTRE_PROCESS).limit, CADASTRE_LIMIT_NOTHING);
  assert_null(get(f.apart, 1));
  assert_non_null(get(f.apart, 0));
}

// Also when it is set while they allocate and free without a lock.
void the_limit_of_the_process_is_exact_while_threads_use_several_contexts(void**) {
  Family f;
  const std::size_t already = statistics(CADASTRE_PROCESS).live_bytes, room = 100 * 1000;
  const cadastre_context contexts[] = {f.old, f.middle, f.young, f.apart};
  std::atomic<bool> limited = false, done = false;
  std::atomic<int> served = 0;
  std::vector<std::thread> threads;
  std::vector<std::vector<std::pair<cadastre_context, void*>>> held(3);
  for (unsigned i = 0; i < held.size(); ++i) {
    threads.emplace_back([&, i] {
      std::mt19937 random(i);
      while (!limited) {
        const cadastre_context context = contexts[random() % 4];
        cadastre_free(context, get(context, random() % 2000));
      }
      for (int round = 0; round < 3000; ++round) {
        auto& mine = held[i];
        if (!mine.empty() && random() % 3 == 0) {
          cadastre_free(mine.back().first, mine.back().second);
          mine.pop_back();
          continue;
        }
        const cadastre_context context = contexts[random() % 4];
        void* const block = get(context, 1000);
        if (block) mine.push_back({context, block});
        served += block != nullptr;
      }
    });
  }
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, already + room), CADASTRE_SUCCESS);
  limited = true;
  std::thread watch([&] {
    while (!done) assert_true(statistics(CADASTRE_PROCESS).high_water_mark_bytes < SIZE_MAX);
  });
  for (std::thread& thread : threads) thread.join();
  done = true;
  watch.join();
  std::size_t blocks = 0;
  for (const auto& mine : held) blocks += mine.size();
  assert_true(served > 100);
  assert_int_equal(statistics(CADASTRE_PROCESS).live_bytes, already + 1000 * blocks);
  while (get(f.apart, 1000)) ++blocks;
  assert_int_equal(blocks, 100);
}

// What threads of one context claim in advance, or keep of what they have freed, is never what another context is refused for.
void a_limit_of_a_parent_refuses_nothing_that_fits_while_threads_work_below_it(void**) {
  constexpr std::size_t limit = 200'000, small = 100, small_blocks = 40;
  const cadastre_context parent = cadastre_context_create(), others[] = {below(parent), below(parent)}, one = below(parent);
  assert_int_equal(cadastre_set_limit(parent, CADASTRE_HOST, limit), CADASTRE_SUCCESS);
  for (int i = 0; i < 20; ++i) assert_non_null(get(below(parent), 0));  // all of them are asked, which takes a while
  std::atomic<bool> done = false;
  std::atomic<int> refused = 0, rounds = 0;
  std::thread worker([&] {
    std::vector<void*> blocks;
    for (; !done; ++rounds) {
      const cadastre_context context = others[rounds % 2];
      while (blocks.size() < small_blocks) blocks.push_back(get(context, small));
      for (void* const block : blocks) refused += !block || cadastre_free(context, block) != CADASTRE_SUCCESS;
      blocks.clear();
    }
  });
  for (int turn = 0; turn < 2000; ++turn) {
    for (const cadastre_context other : others) (void)statistics(other);  // returns what the worker has claimed, who claims again
    for (const int before = rounds; rounds < before + 2;) std::this_thread::yield();
    void* const all_the_rest = get(one, limit - small * small_blocks);
    refused += !all_the_rest;
    if (all_the_rest) assert_int_equal(cadastre_free(one, all_the_rest), CADASTRE_SUCCESS);
  }
  done = true;
  worker.join();
  assert_int_equal(refused, 0);
  assert_int_equal(cadastre_context_destroy_with_children(parent, nullptr), CADASTRE_SUCCESS);
}

void marks_of_the_process_are_never_too_low_and_hardly_too_high(void**) {
  Family f;
  assert_int_equal(cadastre_reset_high_water_mark(CADASTRE_PROCESS, CADASTRE_HOST), CADASTRE_SUCCESS);
  const std::size_t already = statistics(CADASTRE_PROCESS).live_bytes, bound = 64 << 10;
  const cadastre_context contexts[] = {f.young, f.apart};
  std::vector<std::pair<cadastre_context, void*>> held;
  std::size_t live = 0, most = 0;
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    const std::size_t size = 64;
    const bool grows = held.empty() || random() % 100 < (round / 2000 % 2 == 0 ? 70u : 30u);
    if (grows) {
      const cadastre_context context = contexts[random() % 2];
      held.push_back({context, get(context, size)});
      live += size;
    } else {
      assert_int_equal(cadastre_free(held.back().first, held.back().second), CADASTRE_SUCCESS);
      held.pop_back();
      live -= size;
    }
    most = std::max(most, live);
  }
  const std::size_t mark = statistics(CADASTRE_PROCESS).high_water_mark_bytes;
  assert_true(mark >= already + most);
  assert_true(mark <= already + most + 2 * bound);
  assert_int_equal(statistics(CADASTRE_PROCESS).live_bytes, already + live);
  const std::size_t mark_of_old = statistics(f.old).high_water_mark_bytes;
  assert_true(mark_of_old >= statistics(f.young).high_water_mark_bytes);
  assert_true(mark_of_old <= statistics(f.young).high_water_mark_bytes + bound);
}

void a_parent_is_not_destroyed_before_its_children_unless_with_them(void**) {
  Family f;
  assert_non_null(get(f.young, 100, "grid"));
  assert_non_null(get(f.old, 30, "mesh"));
  assert_int_equal(cadastre_context_destroy(f.middle), CADASTRE_FAILURE);
  const cadastre_error_struct error = last_error(f.middle);
  assert_int_equal(error.reason, CADASTRE_REASON_HAS_CHILDREN);
  assert_int_equal(error.in_use, 1);
  assert_non_null(get(f.middle, 1));
  const cadastre_context sibling = below(f.old);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_children(f.old, &summary), CADASTRE_SUCCESS);
  assert_int_equal(summary.live_blocks, 3);
  assert_int_equal(summary.live_bytes, 131);
  assert_int_equal(summary.largest_label_bytes, 100);
  assert_string_equal(summary.largest_label, "grid");
  for (const cadastre_context gone : {f.old, f.middle, f.young, sibling})
    assert_true(cadastre_context_check(gone) == CADASTRE_NULL_CONTEXT);
  assert_true(cadastre_context_check(f.apart) == f.apart);
  assert_int_equal(cadastre_context_destroy_with_children(f.old, &summary), CADASTRE_INVALID_CONTEXT);
}

void two_threads_destroy_a_family_once_while_a_third_adds_to_it(void**) {
  for (int round = 0; round < 50; ++round) {
    const cadastre_context parent = below(CADASTRE_PROCESS);
    for (int i = 0; i < 5; ++i) assert_non_null(get(below(below(parent)), 10));
    std::atomic<int> destroyed = 0;
    const auto destroys = [&] {
      const cadastre_exit_code code = cadastre_context_destroy_with_children(parent, nullptr);
      destroyed += code == CADASTRE_SUCCESS;
      assert_true(code == CADASTRE_SUCCESS || code == CADASTRE_INVALID_CONTEXT);
    };
    std::thread first(destroys), second(destroys);
    std::thread adds([&] {
      cadastre_context_options_struct options = cadastre_context_options_struct_zero;
      options.parent = parent;
      while (cadastre_context_create_with_options(&options) != CADASTRE_NULL_CONTEXT) continue;
    });
    first.join();
    second.join();
    adds.join();
    assert_int_equal(destroyed, 1);
    assert_true(cadastre_context_check(parent) == CADASTRE_NULL_CONTEXT);
  }
}

void what_destroyed_contexts_counted_stays_with_those_above(void**) {
  Family f;
  const cadastre_statistics_struct before = statistics(CADASTRE_PROCESS);
  void* const block = get(f.young, 100);
  assert_int_equal(cadastre_free(f.young, block), CADASTRE_SUCCESS);
  assert_non_null(get(f.young, 50));
  destroy(f.young);
  const cadastre_statistics_struct middle = statistics(f.middle);
  assert_int_equal(middle.allocations, 2);
  assert_int_equal(middle.deallocations, 2);
  assert_int_equal(middle.total_bytes, 150);
  assert_int_equal(middle.live_bytes, 0);
  assert_true(middle.high_water_mark_bytes >= 100);
  destroy(f.middle);
  destroy(f.old);
  const cadastre_statistics_struct after = statistics(CADASTRE_PROCESS);
  assert_int_equal(after.allocations - before.allocations, 2);
  assert_int_equal(after.total_bytes - before.total_bytes, 150);
  assert_int_equal(after.live_bytes, before.live_bytes);
}

void the_process_is_refused_where_a_context_is_needed(void**) {
  assert_null(get(CADASTRE_PROCESS, 8));
  const cadastre_error_struct error = last_error(CADASTRE_PROCESS);
  assert_int_equal(error.exit_code, CADASTRE_INVALID_CONTEXT);
  assert_int_equal(error.reason, CADASTRE_REASON_PROCESS_CONTEXT);
  assert_int_equal(cadastre_context_destroy(CADASTRE_PROCESS), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_context_destroy_with_children(CADASTRE_PROCESS, nullptr), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_lock(CADASTRE_PROCESS), CADASTRE_INVALID_CONTEXT);
  assert_true(cadastre_context_check(CADASTRE_PROCESS) == CADASTRE_NULL_CONTEXT);
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(CADASTRE_PROCESS, 99, &figures), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_get_statistics(CADASTRE_PROCESS, CADASTRE_HOST, nullptr), CADASTRE_INVALID_ARG_3);
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, -1, 1), CADASTRE_INVALID_ARG_2);
}

void a_parent_that_is_none_is_refused(void**) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  const cadastre_context gone = below(CADASTRE_PROCESS);
  destroy(gone);
  for (const cadastre_context wrong : {gone, cadastre_context{-2}, cadastre_context{12345}}) {
    options.parent = wrong;
    assert_true(cadastre_context_create_with_options(&options) == CADASTRE_NULL_CONTEXT);
    assert_int_equal(last_error(CADASTRE_NULL_CONTEXT).exit_code, CADASTRE_INVALID_CONTEXT);
  }
}

// A pool keeps what it has, and the limit of the process leaves it no room.
void what_others_keep_makes_way_for_a_request(void**) {
  Family f;
  constexpr std::size_t large = 4 << 20;
  const cadastre_context keeps = below(f.old, CADASTRE_POOL_CACHING);
  cadastre_pool_info_struct pool = cadastre_pool_info_struct_zero;
  void* const block = get(keeps, large);
  assert_int_equal(cadastre_free(keeps, block), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_pool_get_info(keeps, CADASTRE_HOST, &pool), CADASTRE_SUCCESS);
  assert_true(pool.reserved_bytes >= large);
  const std::size_t already = statistics(CADASTRE_PROCESS).live_bytes;
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, already + large + large / 2), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_pool_get_info(keeps, CADASTRE_HOST, &pool), CADASTRE_SUCCESS);
  assert_true(pool.reserved_bytes >= large);
  assert_non_null(get(f.apart, large));
  assert_int_equal(cadastre_pool_get_info(keeps, CADASTRE_HOST, &pool), CADASTRE_SUCCESS);
  assert_int_equal(pool.reserved_bytes, 0);
}

void trimming_the_process_trims_all_pools(void**) {
  Family f;
  constexpr std::size_t large = 1 << 20;
  const cadastre_context first = below(f.old, CADASTRE_POOL_CACHING), second = below(f.apart, CADASTRE_POOL_CACHING);
  void* const of_first = get(first, large);
  void* const of_second = get(second, large);
  assert_int_equal(cadastre_free(first, of_first), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(second, of_second), CADASTRE_SUCCESS);
  const auto reserved = [](cadastre_context context) {
    cadastre_pool_info_struct pool = cadastre_pool_info_struct_zero;
    assert_int_equal(cadastre_pool_get_info(context, CADASTRE_HOST, &pool), CADASTRE_SUCCESS);
    return pool.reserved_bytes;
  };
  assert_true(reserved(first) >= 2 * large && reserved(second) == reserved(first));  // what is kept is the process's
  // Where memory is watched, a piece is larger than what was asked for.
  const std::size_t some = large + large / 2;
  assert_int_equal(cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_HOST, some), CADASTRE_SUCCESS);
  assert_true(reserved(first) <= some && reserved(first) > 0);
  assert_int_equal(cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
  assert_int_equal(reserved(first) + reserved(second), 0);
  destroy(second);
}

std::string report_of(cadastre_context context, cadastre_report_format format) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const stream = open_memstream(&text, &size);
  assert_int_equal(cadastre_report(context, stream, format), CADASTRE_SUCCESS);
  std::fclose(stream);
  const std::string result(text, size);
  std::free(text);
  return result;
}

void a_report_of_a_parent_and_of_the_process_includes_those_below(void**) {
  Family f;
  assert_non_null(get(f.young, 1000, "grid of the young"));
  assert_non_null(get(f.apart, 500, "mesh apart"));
  const auto says = [](const std::string& report, const std::string& what) { return report.find(what) != std::string::npos; };
  const std::string process = report_of(CADASTRE_PROCESS, CADASTRE_REPORT_TEXT), old = report_of(f.old, CADASTRE_REPORT_TEXT),
                    young = report_of(f.young, CADASTRE_REPORT_TEXT);
  assert_true(says(process, "the process, 4 contexts"));
  assert_true(says(process, "grid of the young") && says(process, "mesh apart"));
  assert_true(says(old, "grid of the young") && !says(old, "mesh apart"));
  assert_true(says(old, "memory of this context and all below it"));
  assert_true(says(old, std::to_string(f.young)) && !says(old, std::to_string(f.apart)));
  assert_true(says(young, "memory of this context;"));
  const std::string json = report_of(CADASTRE_PROCESS, CADASTRE_REPORT_JSON);
  assert_true(says(json, "\"parent\": \"" + std::to_string(f.middle) + "\""));
  assert_true(says(json, "\"context\": \"-1\""));
  assert_int_equal(cadastre_context_destroy(f.old), CADASTRE_FAILURE);
  const std::string refused = "context " + std::to_string(f.old) + " is the parent of ";
  assert_true(says(report_of(CADASTRE_PROCESS, CADASTRE_REPORT_TEXT), refused));
  assert_true(says(report_of(CADASTRE_PROCESS, CADASTRE_REPORT_JSON), refused));
  assert_int_equal(cadastre_report(CADASTRE_PROCESS, nullptr, CADASTRE_REPORT_TEXT), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_report(CADASTRE_PROCESS, stderr, 99), CADASTRE_INVALID_ARG_3);
}

int status_of(pid_t child) {
  int status = 0;
  assert_true(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

void a_forked_child_counts_what_it_has(void**) {
  Family f;
  assert_non_null(get(f.young, 1000));
  const std::size_t already = statistics(CADASTRE_PROCESS).live_bytes;
  std::atomic<bool> done = false;
  std::thread busy([&] {
    while (!done) {
      cadastre_free(f.apart, get(f.apart, 100));
      cadastre_context_destroy(below(f.middle));
    }
  });
  int worst = 0;
  for (int round = 0; round < 30; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
      int wrong = cadastre_get_statistics(f.old, CADASTRE_HOST, &figures) != CADASTRE_SUCCESS || figures.live_bytes != 1000;
      cadastre_set_limit(f.old, CADASTRE_HOST, 1500);
      wrong |= (get(f.middle, 501) != nullptr) << 1;
      wrong |= (get(f.middle, 500) == nullptr) << 2;
      wrong |= (cadastre_context_destroy_with_children(f.old, nullptr) != CADASTRE_SUCCESS) << 3;
      cadastre_get_statistics(CADASTRE_PROCESS, CADASTRE_HOST, &figures);
      wrong |= (figures.live_bytes > already - 1000 + 100) << 4;
      _exit(wrong);
    }
    worst |= status_of(child);
  }
  done = true;
  busy.join();
  assert_int_equal(worst, 0);
  assert_int_equal(statistics(CADASTRE_PROCESS).live_bytes, already);
}

cadastre_context with(cadastre_context_options_struct options) { return cadastre_context_create_with_options(&options); }

cadastre_context_options_struct options_of(cadastre_context context) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  assert_int_equal(cadastre_context_get_options(context, &options), CADASTRE_SUCCESS);
  return options;
}

void what_the_options_of_a_child_leave_open_is_as_in_its_parent(void**) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  options.device = CADASTRE_DEVICE_BY_ID(1);
  options.pool = CADASTRE_POOL_CACHING;
  options.limits[CADASTRE_HOST] = 1 << 20;
  const cadastre_context parent = with(options), child = below(parent), grandchild = below(child);
  for (const cadastre_context context : {child, grandchild}) {
    const cadastre_context_options_struct own = options_of(context);
    assert_int_equal(own.backend, CADASTRE_BACKEND_HOST);
    assert_int_equal(own.device, CADASTRE_DEVICE_BY_ID(1));
    assert_int_equal(own.pool, CADASTRE_POOL_CACHING);
    assert_true(own.limits[CADASTRE_HOST] == CADASTRE_UNLIMITED);
  }
  cadastre_context_options_struct others = cadastre_context_options_struct_zero;
  others.parent = parent;
  others.device = CADASTRE_DEVICE_BY_ID(0);
  others.pool = CADASTRE_POOL_NONE;
  const cadastre_context apart = with(others);
  assert_int_equal(options_of(apart).device, CADASTRE_DEVICE_BY_ID(0));
  assert_int_equal(options_of(apart).pool, CADASTRE_POOL_NONE);
  assert_int_equal(options_of(apart).backend, CADASTRE_BACKEND_HOST);
  assert_int_equal(cadastre_context_destroy_with_children(parent, nullptr), CADASTRE_SUCCESS);
}

void what_is_no_parent_is_named(void**) {
  const cadastre_context gone = below(CADASTRE_PROCESS);
  destroy(gone);
  for (const cadastre_context parent : {gone, cadastre_context{77}, cadastre_context{-2}}) {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.parent = parent;
    assert_int_equal(with(options), CADASTRE_NULL_CONTEXT);
    const cadastre_error_struct error = last_error(CADASTRE_NULL_CONTEXT);
    assert_int_equal(error.exit_code, CADASTRE_INVALID_CONTEXT);
    assert_int_equal(error.reason, CADASTRE_REASON_INVALID_PARENT);
    const std::string named = "options.parent is " + std::to_string(parent) + ", which is not a live context";
    assert_non_null(std::strstr(error.message, named.c_str()));
  }
}

void* get_on(cadastre_context context, std::int32_t device, std::size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = CADASTRE_DEVICE;
  info.device = CADASTRE_DEVICE_BY_ID(device);
  void* const pointer = cadastre_malloc(context, info);
  assert_non_null(pointer);
  return pointer;
}

cadastre_statistics_struct on_device(cadastre_context context, std::int32_t device) {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_device_statistics(context, CADASTRE_DEVICE, device, &figures), CADASTRE_SUCCESS);
  return figures;
}

void devices_and_pools_of_children_count_in_their_parents(void**) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  options.pool = CADASTRE_POOL_CACHING;
  const cadastre_context parent = with(options), child = below(parent), other = with(options);
  const cadastre_statistics_struct before = on_device(CADASTRE_PROCESS, 1);
  void* const block = get_on(child, 1, 800);
  get_on(parent, 0, 100);
  get_on(parent, 1, 30);
  get_on(other, 1, 7);
  assert_int_equal(on_device(child, 1).live_bytes, 800);
  assert_int_equal(on_device(child, 0).live_bytes, 0);
  assert_int_equal(on_device(parent, 1).live_bytes, 830);
  assert_int_equal(on_device(parent, 1).live_blocks, 2);
  assert_int_equal(on_device(parent, 0).live_bytes, 100);
  assert_int_equal(on_device(CADASTRE_PROCESS, 1).live_bytes, before.live_bytes + 837);
  assert_int_equal(cadastre_free(child, block), CADASTRE_SUCCESS);
  assert_int_equal(on_device(parent, 1).live_bytes, 30);
  assert_true(on_device(parent, 1).high_water_mark_bytes >= 830);
  assert_true(on_device(parent, 1).limit == CADASTRE_UNLIMITED);
  cadastre_pool_info_struct own = cadastre_pool_info_struct_zero, all = cadastre_pool_info_struct_zero;
  assert_int_equal(cadastre_pool_get_info(child, CADASTRE_DEVICE, &own), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_pool_get_info(parent, CADASTRE_DEVICE, &all), CADASTRE_SUCCESS);
  assert_int_equal(all.pool, CADASTRE_POOL_CACHING);
  assert_true(own.pool_count == 1 && all.pool_count == 2 && all.used_bytes > own.used_bytes);
  assert_int_equal(own.releasable_bytes, all.releasable_bytes);  // what is kept on device 1 is the process's
  assert_int_equal(own.used_bytes, 0);
  assert_true(own.reserved_bytes >= 800);
  const std::size_t below_parent = all.used_bytes;
  assert_int_equal(cadastre_pool_get_info(CADASTRE_PROCESS, CADASTRE_DEVICE, &all), CADASTRE_SUCCESS);
  assert_true(all.pool_count >= 2 && all.used_bytes > below_parent);
  for (const std::int32_t device : {-1, CADASTRE_DEVICE_BY_ID(0), CADASTRE_DEVICE_BY_ID(1), INT32_MAX}) {
    cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
    assert_int_equal(cadastre_get_device_statistics(parent, CADASTRE_DEVICE, device, &figures), CADASTRE_INVALID_ARG_3);
    assert_int_equal(last_error(parent).reason, CADASTRE_REASON_INDEX_OUT_OF_RANGE);
  }
  assert_int_equal(cadastre_context_destroy_with_children(parent, nullptr), CADASTRE_SUCCESS);
  destroy(other);
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(what_a_child_has_its_parents_have),
      cmocka_unit_test(what_the_options_of_a_child_leave_open_is_as_in_its_parent),
      cmocka_unit_test(what_is_no_parent_is_named),
      cmocka_unit_test(devices_and_pools_of_children_count_in_their_parents),
      cmocka_unit_test(a_limit_of_a_parent_is_one_of_all_below_it),
      cmocka_unit_test(the_limit_of_the_process_is_named_and_counts_all_contexts),
      cmocka_unit_test(the_limit_of_the_process_is_exact_while_threads_use_several_contexts),
      cmocka_unit_test(a_limit_of_a_parent_refuses_nothing_that_fits_while_threads_work_below_it),
      cmocka_unit_test(marks_of_the_process_are_never_too_low_and_hardly_too_high),
      cmocka_unit_test(a_parent_is_not_destroyed_before_its_children_unless_with_them),
      cmocka_unit_test(two_threads_destroy_a_family_once_while_a_third_adds_to_it),
      cmocka_unit_test(what_destroyed_contexts_counted_stays_with_those_above),
      cmocka_unit_test(the_process_is_refused_where_a_context_is_needed),
      cmocka_unit_test(a_parent_that_is_none_is_refused),
      cmocka_unit_test(what_others_keep_makes_way_for_a_request),
      cmocka_unit_test(trimming_the_process_trims_all_pools),
      cmocka_unit_test(a_report_of_a_parent_and_of_the_process_includes_those_below),
      cmocka_unit_test(a_forked_child_counts_what_it_has),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
