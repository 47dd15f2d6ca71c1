// Tangled from org/tests/context_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "context/lifetime.hpp"
#include "registry/figures.hpp"

using namespace cadastre::internal;

namespace {

// What the doubles of these tests have in common: they stand for the host backend, and move no bytes.
class StandIn : public Backend {
 public:
  cadastre_backend number() const noexcept override { return CADASTRE_BACKEND_HOST; }
  Presence presence() const noexcept override { return {true, 0, ""}; }
  bool serves(cadastre_memory_type) const noexcept override { return true; }
  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return 16; }
  cadastre_exit_code copy(const Copy&) noexcept override { return CADASTRE_SUCCESS; }
  cadastre_exit_code set(const Fill&) noexcept override { return CADASTRE_SUCCESS; }

 protected:
  ~StandIn() = default;
};

// A double for tests: the host's heap, each call of which waits while the gate is shut.
class Gate final : public StandIn {
 public:
  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    pass();
    grant = {std::calloc(1, request.size + 1), 16, 0};
    ++live;
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code free(const Record& record) noexcept override {
    pass();
    if (refusing) {
      return fail({.exit_code = CADASTRE_DEALLOCATION_FAILED, .reason = CADASTRE_REASON_BACKEND_FREE_FAILED});
    }
    std::free(record.pointer);
    --live;
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code copy(const Copy& copy) noexcept override {
    std::memcpy(copy.to, copy.from, copy.bytes);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code set(const Fill& fill) noexcept override {
    std::memset(fill.to, fill.value, fill.bytes);
    return CADASTRE_SUCCESS;
  }

  void await_guest() const {
    while (pins == 0) std::this_thread::yield();
  }

  std::atomic<bool> shut = false;
  std::atomic<bool> refusing = false;
  std::atomic<int> pins = 0;
  std::atomic<int> live = 0;

 private:
  void pass() noexcept {
    ++pins;
    while (shut) std::this_thread::yield();
    --pins;
  }
};

cadastre_context context_on(Backend& backend) {
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  create_context(backend, {}, ChildOf(process_account()), context);
  return context;
}

// A double for tests: grants the addresses of a script, and notes what it is asked to free.
class Puppet final : public StandIn {
 public:
  cadastre_exit_code allocate(const Request&, Grant& grant) noexcept override {
    grant = {next(), 16, 0};
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code free(const Record& record) noexcept override {
    freed.emplace_back(record.pointer, record.size);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code resize(const Record&, std::size_t, Grant& grant) noexcept override {
    resizing = true;
    while (resizing_waits) std::this_thread::yield();
    grant = {next(), 16, 0};
    return CADASTRE_SUCCESS;
  }

  std::vector<void*> script;
  std::vector<std::pair<void*, std::size_t>> freed;
  std::atomic<bool> resizing = false, resizing_waits = true;

 private:
  void* next() noexcept {
    void* const first = script.front();
    script.erase(script.begin());
    return first;
  }
};

cadastre_memory_info_struct request(std::size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  return info;
}

cadastre_reason last_reason(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  return error.reason;
}

cadastre_statistics_struct statistics_of(cadastre_context context) {
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &statistics), CADASTRE_SUCCESS);
  return statistics;
}

void assert_refused(cadastre_context context, cadastre_reason reason) {
  int on_the_stack = 0;
  cadastre_memory_info_struct info;
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  assert_true(cadastre_context_check(context) == CADASTRE_NULL_CONTEXT);
  assert_null(cadastre_malloc(context, request(8)));
  assert_int_equal(last_reason(context), reason);
  assert_int_equal(cadastre_free(context, &on_the_stack), CADASTRE_INVALID_CONTEXT);
  assert_null(cadastre_realloc(context, &on_the_stack, 8));
  assert_int_equal(cadastre_get_malloc_info(context, &on_the_stack, &info), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_find_block(context, &on_the_stack, nullptr, nullptr), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_wrap(context, request(8)), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_unwrap(context, &on_the_stack), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_foreach_block(context, nullptr, nullptr), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_free_all(context), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_get_statistics(context, 0, &statistics), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_reset_high_water_mark(context, 0), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_set_limit(context, 0, 1), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_context_set_timing(context, 1), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_report(context, stderr, 0), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_lock(context), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_unlock(context), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_context_destroy_with_summary(context, nullptr), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(last_reason(context), reason);
}

void a_handle_is_positive_and_its_own_check(void**) {
  const cadastre_context context = cadastre_context_create();
  assert_true(context > 0);
  assert_true(cadastre_context_check(context) == context);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void made_up_handles_are_refused(void**) {
  const cadastre_context context = cadastre_context_create();
  assert_refused(CADASTRE_NULL_CONTEXT, CADASTRE_REASON_NULL_CONTEXT);
  for (const cadastre_context made_up : {std::int64_t{1}, std::int64_t{-2}, INT64_MAX, INT64_MIN, std::int64_t{4711},
                                         static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&context)),
                                         context ^ (std::int64_t{1} << 50), context + 1, context ^ (1 << 21), -context}) {
    assert_refused(made_up, CADASTRE_REASON_UNKNOWN_CONTEXT);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void a_stale_handle_is_refused_for_ever(void**) {
  std::set<cadastre_context> stale;
  for (int i = 0; i < 1000; ++i) {
    const cadastre_context context = cadastre_context_create();
    assert_true(stale.insert(context).second);
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  }
  const cadastre_context live = cadastre_context_create();
  for (const cadastre_context context : stale) assert_true(cadastre_context_check(context) == CADASTRE_NULL_CONTEXT);
  assert_refused(*stale.begin(), CADASTRE_REASON_DESTROYED_CONTEXT);
  assert_true(cadastre_context_check(live) == live);
  assert_int_equal(cadastre_context_destroy(live), CADASTRE_SUCCESS);
}

void a_thousand_contexts_share_nothing(void**) {
  std::vector<cadastre_context> contexts;
  std::vector<void*> blocks;
  for (std::size_t i = 0; i < 1000; ++i) {
    contexts.push_back(cadastre_context_create());
    blocks.push_back(cadastre_malloc(contexts[i], request(i)));
    assert_non_null(blocks[i]);
  }
  for (std::size_t i = 0; i < 1000; ++i) {
    const cadastre_context other = contexts[(i + 1) % 1000];
    cadastre_memory_info_struct info;
    assert_int_equal(cadastre_get_malloc_info(other, blocks[i], &info), CADASTRE_INVALID_ARG_2);
    assert_int_equal(cadastre_free(other, blocks[i]), CADASTRE_INVALID_ARG_2);
    assert_int_equal(last_reason(other), CADASTRE_REASON_OTHER_CONTEXT);
    assert_int_equal(cadastre_get_malloc_info(contexts[i], blocks[i], &info), CADASTRE_SUCCESS);
    assert_int_equal(info.size, i);
  }
  for (std::size_t i = 0; i < 1000; i += 2) assert_int_equal(cadastre_context_destroy(contexts[i]), CADASTRE_SUCCESS);
  for (std::size_t i = 1; i < 1000; i += 2) {
    assert_int_equal(cadastre_free(contexts[i], blocks[i]), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_context_destroy(contexts[i]), CADASTRE_SUCCESS);
  }
}

void the_lock_is_recursive_and_keeps_other_threads_out(void**) {
  const cadastre_context context = cadastre_context_create();
  for (int depth = 0; depth < 3; ++depth) assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  std::atomic<bool> arrived = false, allocated = false;
  std::thread other([&] {
    arrived = true;
    void* const block = cadastre_malloc(context, request(8));
    allocated = block != nullptr;
  });
  while (!arrived) std::this_thread::yield();
  for (int depth = 0; depth < 3; ++depth) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    assert_false(allocated);
    void* const mine = cadastre_malloc(context, request(8));
    assert_non_null(mine);
    assert_int_equal(cadastre_free(context, mine), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  }
  other.join();
  assert_true(allocated);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void unlocking_what_one_does_not_hold_is_refused(void**) {
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_unlock(context), CADASTRE_FAILURE);
  assert_int_equal(last_reason(context), CADASTRE_REASON_NOT_LOCKED);
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unlock(context), CADASTRE_FAILURE);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

int unlock_what_a_thread_that_ended_had_locked() {
  const cadastre_context context = cadastre_context_create();
  std::thread([&] { cadastre_lock(context); }).join();
  alarm(1);
  std::thread([&] { cadastre_unlock(context); }).join();  // waits for ever
  return 0;
}

extern "C" cadastre_exit_code stay(const cadastre_memory_info_struct*, void* entered) {
  *static_cast<std::atomic<bool>*>(entered) = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  pthread_testcancel();
  return CADASTRE_SUCCESS;
}

void a_thread_is_not_cancelled_while_it_waits_or_locked_calls(void**) {
  const cadastre_context context = cadastre_context_create();
  assert_non_null(cadastre_malloc(context, request(8)));
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  std::atomic<int> finished = 0;
  std::atomic<bool> visiting = false;
  std::thread waits([&] {
    cadastre_free_all(context);
    ++finished;
  });
  std::thread waits_to_malloc([&] {
    if (cadastre_malloc(context, request(8))) ++finished;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  pthread_cancel(waits.native_handle());
  pthread_cancel(waits_to_malloc.native_handle());
  assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  waits.join();
  waits_to_malloc.join();
  assert_non_null(cadastre_malloc(context, request(8)));
  std::thread visits([&] {
    cadastre_foreach_block(context, stay, &visiting);
    ++finished;
  });
  while (!visiting) std::this_thread::yield();
  pthread_cancel(visits.native_handle());
  visits.join();
  assert_int_equal(finished, 3);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void the_holder_of_the_lock_may_destroy(void**) {
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unlock(context), CADASTRE_INVALID_CONTEXT);
  const cadastre_context next = cadastre_context_create();  // in the same slot
  std::thread([&] { cadastre_context_destroy(next); }).join();
  assert_true(cadastre_context_check(next) == CADASTRE_NULL_CONTEXT);
}

void who_waits_for_a_context_that_goes_is_refused(void**) {
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  std::vector<std::thread> waiting;
  std::atomic<int> refused = 0;
  for (int i = 0; i < 4; ++i) {
    waiting.emplace_back([&] {
      if (!cadastre_malloc(context, request(8)) && last_reason(context) == CADASTRE_REASON_DESTROYED_CONTEXT) ++refused;
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  const cadastre_context next = cadastre_context_create();
  for (std::thread& thread : waiting) thread.join();
  assert_int_equal(refused, 4);
  assert_int_equal(cadastre_context_destroy(next), CADASTRE_SUCCESS);
}

void no_lock_is_held_while_the_backend_works(void**) {
  Gate gate;
  const cadastre_context context = context_on(gate);
  gate.shut = true;
  std::thread slow([&] { assert_non_null(cadastre_malloc(context, request(100))); });
  gate.await_guest();
  cadastre_statistics_struct statistics = statistics_of(context);
  assert_int_equal(statistics.live_blocks, 0);
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 150), CADASTRE_SUCCESS);
  gate.shut = false;
  std::thread late([&] { assert_null(cadastre_malloc(context, request(100))); });
  assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  slow.join();
  late.join();
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_int_equal(gate.live, 0);
}

void a_call_that_comes_back_waits_for_the_lock_before_it_files(void**) {
  Gate gate;
  const cadastre_context context = context_on(gate);
  gate.shut = true;
  std::thread slow([&] { cadastre_malloc(context, request(100)); });
  gate.await_guest();
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  gate.shut = false;
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  cadastre_statistics_struct statistics = statistics_of(context);
  assert_int_equal(statistics.live_blocks, 0);
  assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  slow.join();
  statistics = statistics_of(context);
  assert_int_equal(statistics.live_blocks, 1);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void destroy_is_woken_by_a_free_that_ends_in_the_backend(void**) {
  Gate gate;
  const cadastre_context context = context_on(gate);
  void* const block = cadastre_malloc(context, request(100));
  gate.shut = true;
  std::thread slow([&] { cadastre_free(context, block); });
  gate.await_guest();
  std::thread destroyer([&] { cadastre_context_destroy(context); });
  while (cadastre_context_check(context) != CADASTRE_NULL_CONTEXT) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  gate.shut = false;
  slow.join();
  destroyer.join();
  assert_int_equal(gate.live, 0);
}

void free_all_frees_the_block_that_has_the_address_now(void**) {
  char memory[2];
  Puppet puppet;
  puppet.script = {&memory[0], &memory[0], &memory[1]};
  const cadastre_context context = context_on(puppet);
  void* const block = cadastre_malloc(context, request(5000));
  std::thread resizing([&] { cadastre_realloc(context, block, 6000); });
  while (!puppet.resizing) std::this_thread::yield();
  cadastre_malloc(context, request(100));  // the vendor has moved the block and grants its old address
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  puppet.resizing_waits = false;
  resizing.join();
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_int_equal(puppet.freed.size(), 2);
  assert_ptr_equal(puppet.freed[0].first, &memory[0]);
  assert_int_equal(puppet.freed[0].second, 100);
  assert_ptr_equal(puppet.freed[1].first, &memory[1]);
  assert_int_equal(puppet.freed[1].second, 6000);
}

void destroy_waits_for_calls_in_the_backend_and_frees_their_blocks(void**) {
  Gate gate;
  const cadastre_context context = context_on(gate);
  gate.shut = true;
  std::thread slow([&] { cadastre_malloc(context, request(100)); });
  gate.await_guest();
  std::atomic<bool> destroyed = false;
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  std::thread destroyer([&] {
    cadastre_context_destroy_with_summary(context, &summary);
    destroyed = true;
  });
  while (cadastre_context_check(context) != CADASTRE_NULL_CONTEXT) std::this_thread::yield();
  assert_null(cadastre_malloc(context, request(8)));
  assert_false(destroyed);
  gate.shut = false;
  slow.join();
  destroyer.join();
  assert_int_equal(summary.live_blocks, 1);
  assert_int_equal(summary.live_bytes, 100);
  assert_int_equal(gate.live, 0);
}

void a_call_in_the_backend_does_not_keep_the_lock_holder_from_destroying(void**) {
  Gate gate;
  const cadastre_context context = context_on(gate);
  gate.shut = true;
  std::thread slow([&] { cadastre_malloc(context, request(100)); });
  gate.await_guest();
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.shut = false;
  });
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  slow.join();
  opener.join();
  assert_int_equal(gate.live, 0);
}

void an_address_freed_and_granted_again_at_once_is_never_met_twice(void**) {
  const cadastre_context context = cadastre_context_create();
  std::vector<std::thread> threads;
  std::atomic<int> refused = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20000; ++i) {
        void* const block = cadastre_malloc(context, request(24));
        if (!block || cadastre_free(context, block) != CADASTRE_SUCCESS) ++refused;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  cadastre_statistics_struct statistics = statistics_of(context);
  assert_int_equal(refused, 0);
  assert_int_equal(statistics.untracked_deallocations, 0);
  assert_int_equal(statistics.allocations, 80000);
  assert_int_equal(statistics.deallocations, 80000);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void a_failed_free_is_reported_and_counted_and_the_record_is_gone(void**) {
  Gate gate;
  const cadastre_context context = context_on(gate);
  void* const block = cadastre_malloc(context, request(100));
  void* const another = cadastre_malloc(context, request(50));
  gate.refusing = true;
  assert_int_equal(cadastre_free(context, block), CADASTRE_DEALLOCATION_FAILED);
  assert_int_equal(last_reason(context), CADASTRE_REASON_BACKEND_FREE_FAILED);
  assert_int_equal(cadastre_free(context, block), CADASTRE_INVALID_ARG_2);
  cadastre_statistics_struct statistics = statistics_of(context);
  assert_int_equal(statistics.failed_deallocations, 1);
  assert_int_equal(statistics.deallocations, 0);
  assert_int_equal(statistics.live_bytes, 50);
  assert_int_equal(cadastre_free_all(context), CADASTRE_DEALLOCATION_FAILED);
  statistics = statistics_of(context);
  assert_int_equal(statistics.failed_deallocations, 2);
  assert_int_equal(statistics.live_bytes, 0);
  void* const last = cadastre_malloc(context, request(7));
  assert_non_null(last);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_DEALLOCATION_FAILED);
  assert_int_equal(summary.failed_deallocations, 1);
  assert_true(cadastre_context_check(context) == CADASTRE_NULL_CONTEXT);
  std::free(block);
  std::free(another);
  std::free(last);
}

cadastre_context on_host(bool by_visits) {
  static char borrowed[16];
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  if (by_visits) options.pool = CADASTRE_POOL_CACHING;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  cadastre_memory_info_struct info = request(sizeof borrowed);
  info.pointer = borrowed;
  if (by_visits) assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  return context;
}

// One context's part of a history; what it says of itself is compared with what another says.
struct Performer {
  cadastre_context context;
  std::vector<void*> blocks = {};

  std::string description(const void* address) const {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    std::size_t offset = 0;
    const cadastre_exit_code code = cadastre_get_malloc_info(context, address, &info);
    const cadastre_exit_code around = cadastre_find_block(context, address, nullptr, &offset);
    return std::to_string(code) + " " + std::to_string(around) + " " + std::to_string(info.size) + " " + std::to_string(info.flags) + " " +
           std::to_string(info.alignment) + " " + std::to_string(info.device_id) + " " + std::to_string(info.backend) + " " +
           std::to_string(offset) + " " + (info.label ? info.label : "-");
  }
  std::vector<std::size_t> sizes() const {
    std::vector<std::size_t> seen;
    const auto add = [](const cadastre_memory_info_struct* info, void* all) -> cadastre_exit_code {
      if (!(info->flags & CADASTRE_BORROWED)) static_cast<std::vector<std::size_t>*>(all)->push_back(info->size);
      return CADASTRE_SUCCESS;
    };
    assert_int_equal(cadastre_foreach_block(context, add, &seen), CADASTRE_SUCCESS);
    return seen;
  }
};

void same_statistics(const Performer& a, const Performer& b) {
  cadastre_statistics_struct of_a = statistics_of(a.context), of_b = statistics_of(b.context);
  of_b.borrowed_blocks = 0;
  assert_memory_equal(&of_a, &of_b, sizeof of_a);
}

void shards_and_locked_calls_leave_the_same_behind(void**) {
  Performer both[] = {{on_host(false)}, {on_host(true)}};
  std::mt19937 random(11);
  const char* const labels[] = {nullptr, "a", "b"};
  for (int step = 0; step < 20000; ++step) {
    cadastre_memory_info_struct info = request(random() % 8 == 0 ? random() % 260000 : random() % 300);
    info.label = labels[random() % 3];
    info.flags = random() % 2 == 0 ? CADASTRE_UNINITIALIZED : 0;
    const unsigned choice = random() % 16;
    const std::size_t place = random() % std::max<std::size_t>(both[0].blocks.size(), 1);
    for (Performer& one : both) {
      if (choice < 8 || one.blocks.empty()) {
        one.blocks.push_back(cadastre_malloc(one.context, info));
        assert_non_null(one.blocks.back());
      } else if (choice < 14) {
        assert_int_equal(cadastre_free(one.context, std::exchange(one.blocks[place], one.blocks.back())), CADASTRE_SUCCESS);
        one.blocks.pop_back();
      } else if (choice == 14) {
        one.blocks[place] = cadastre_realloc(one.context, one.blocks[place], info.size);
      } else {
        assert_int_equal(cadastre_free(one.context, static_cast<char*>(one.blocks[place]) + 1), CADASTRE_INVALID_ARG_2);
      }
    }
    if (both[0].blocks.empty()) continue;
    const std::size_t seen = random() % both[0].blocks.size();
    const std::string said = both[0].description(both[0].blocks[seen]);
    assert_string_equal(said.c_str(), both[1].description(both[1].blocks[seen]).c_str());
    if (step % 100 == 0) same_statistics(both[0], both[1]);
  }
  same_statistics(both[0], both[1]);
  assert_true(both[0].sizes() == both[1].sizes());
  cadastre_error_struct errors[2] = {cadastre_error_struct_zero, cadastre_error_struct_zero};
  cadastre_destroy_summary_struct summaries[2] = {cadastre_destroy_summary_struct_zero, cadastre_destroy_summary_struct_zero};
  for (const int which : {0, 1}) {
    Performer& one = both[which];
    assert_int_equal(cadastre_free(one.context, one.blocks[0]), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free(one.context, one.blocks[0]), CADASTRE_INVALID_ARG_2);
    assert_int_equal(cadastre_last_error(one.context, &errors[which]), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_context_destroy_with_summary(one.context, &summaries[which]), CADASTRE_SUCCESS);
  }
  assert_int_equal(errors[0].reason, CADASTRE_REASON_ALREADY_FREED);
  assert_int_equal(errors[1].reason, errors[0].reason);
  assert_int_equal(errors[0].size, errors[1].size);
  assert_int_equal(summaries[0].live_blocks, both[0].blocks.size() - 1);
  assert_int_equal(summaries[0].live_blocks, summaries[1].live_blocks);
  assert_int_equal(summaries[0].live_bytes, summaries[1].live_bytes);
  assert_int_equal(summaries[0].largest_label_bytes, summaries[1].largest_label_bytes);
  assert_string_equal(summaries[0].largest_label, summaries[1].largest_label);
}

void a_call_without_the_context_lock_waits_for_the_owner_of_the_lock(void**) {
  const cadastre_context context = on_host(false);
  void* const block = cadastre_malloc(context, request(64));
  std::atomic<int> ready = 0, done = 0;
  std::atomic<bool> locked = false;
  // Each has worked in the context before, so that it needs no locked call any more.
  const auto after = [&](auto action) {
    return std::thread([&, action] {
      for (int i = 0; i < 3; ++i) assert_int_equal(cadastre_free(context, cadastre_malloc(context, request(64))), CADASTRE_SUCCESS);
      ++ready;
      while (!locked) std::this_thread::yield();
      action();
      ++done;
    });
  };
  std::thread others[] = {
      after([=] { assert_non_null(cadastre_malloc(context, request(64))); }),
      after([=] { assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS); }),
      after([=] {
        const int not_ours = 0;
        assert_int_equal(cadastre_find_block(context, &not_ours, nullptr, nullptr), CADASTRE_INVALID_ARG_2);
      }),
  };
  while (ready < 3) std::this_thread::yield();
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  locked = true;
  assert_non_null(cadastre_malloc(context, request(64)));  // the owner does not wait
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  assert_int_equal(done, 0);
  assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  for (std::thread& other : others) other.join();
  assert_int_equal(statistics_of(context).live_blocks, 2);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

// One thread counts on in its shard, another draws numbers in locked calls.
void no_two_blocks_have_one_number(void**) {
  const cadastre_context context = on_host(false);
  std::atomic<int> turn = 0;
  const auto take_turns = [&](int own, std::size_t stride) {
    for (int i = 0; i < 20; ++i) {
      while (turn % 2 != own) std::this_thread::yield();
      cadastre_memory_info_struct info = request(64);
      info.stride = stride;
      for (int block = 0; block < 3; ++block) assert_non_null(cadastre_malloc(context, info));
      ++turn;
    }
  };
  std::thread other(take_turns, 0, 0);
  take_turns(1, 8);  // what has a stride takes a locked call
  other.join();
  {
    ContextLock lock(context);
    const OwnedVector<Record> blocks = snapshot(lock->registry());
    assert_int_equal(blocks.size(), 120);
    for (std::size_t i = 1; i < blocks.size(); ++i) assert_true(blocks[i - 1].serial < blocks[i].serial);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void what_is_not_plain_takes_the_long_way(void**) {
  const cadastre_context context = on_host(false);
  cadastre_memory_info_struct info = request(100);
  info.alignment = 256;
  const void* const aligned = cadastre_malloc(context, info);
  assert_int_equal(reinterpret_cast<std::uintptr_t>(aligned) % 256, 0);
  info = request(100);
  info.stride = 8;
  const void* const strided = cadastre_malloc(context, info);
  assert_int_equal(cadastre_get_malloc_info(context, aligned, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.alignment, 256);
  assert_int_equal(cadastre_get_malloc_info(context, strided, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.stride, 8);
  info = request(100);
  info.alignment = 3;
  assert_null(cadastre_malloc(context, info));
  info = request(100);
  info.flags = 1 << 20;
  assert_null(cadastre_malloc(context, info));
  assert_int_equal(statistics_of(context).failed_allocations, 2);
  for (const cadastre_context other : {cadastre_context{0}, cadastre_context{-1}, context + 1}) {
    assert_null(cadastre_malloc(other, request(8)));
    assert_int_equal(cadastre_free(other, const_cast<void*>(aligned)), CADASTRE_INVALID_CONTEXT);
    assert_int_equal(cadastre_get_malloc_info(other, aligned, &info), CADASTRE_INVALID_CONTEXT);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_null(cadastre_malloc(context, request(8)));
}

int exit_status_of_child(int (*body)(), void (*leave)(int)) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    leave(body());
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A double for tests: memory that costs no call of the heap.
class SizeBins final : public StandIn {
 public:
  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    for (Place& place : places_) {
      if (request.size > sizeof place.bytes || place.taken.exchange(true)) continue;
      std::memset(place.bytes, 0, sizeof place.bytes);
      grant = {place.bytes, 16, 0};
      return CADASTRE_SUCCESS;
    }
    return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_BACKEND_OUT_OF_MEMORY});
  }
  cadastre_exit_code free(const Record& record) noexcept override {
    for (Place& place : places_) {
      if (place.bytes == record.pointer) place.taken = false;
    }
    return CADASTRE_SUCCESS;
  }

 private:
  struct Place {
    alignas(16) unsigned char bytes[128];
    std::atomic<bool> taken = false;
  };
  Place places_[8];
};

cadastre_context inherited = CADASTRE_NULL_CONTEXT;
void* inherited_block = nullptr;

// Every block that the registry lists must be found by both indexes.
cadastre_exit_code look_up(const cadastre_memory_info_struct* info, void*) {
  cadastre_memory_info_struct found;
  const cadastre_exit_code code = cadastre_get_malloc_info(inherited, info->pointer, &found);
  return code != CADASTRE_SUCCESS ? code : cadastre_find_block(inherited, info->pointer, nullptr, nullptr);
}

int go_on_in_the_child() {
  if (cadastre_foreach_block(inherited, look_up, nullptr) != CADASTRE_SUCCESS) return 6;
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  if (cadastre_get_statistics(inherited, CADASTRE_HOST, &s) != CADASTRE_SUCCESS) return 7;
  if (s.allocations != s.deallocations + s.live_blocks) return 8;
  if (cadastre_free(inherited, inherited_block) != CADASTRE_SUCCESS) return 1;
  if (!cadastre_malloc(inherited, request(100))) return 2;
  if (cadastre_set_limit(inherited, CADASTRE_HOST, CADASTRE_LIMIT_NOTHING) != CADASTRE_SUCCESS) return 3;
  if (cadastre_context_destroy(inherited) != CADASTRE_SUCCESS) return 4;
  const cadastre_context own = cadastre_context_create();
  return own != CADASTRE_NULL_CONTEXT && cadastre_context_destroy(own) == CADASTRE_SUCCESS ? 0 : 5;
}

void a_child_process_goes_on_with_the_contexts_it_inherits(void**) {
  SizeBins bins;
  inherited = sanitized ? context_on(bins) : cadastre_context_create();
  inherited_block = cadastre_malloc(inherited, request(10));
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      while (!stop) {
        void* const block = cadastre_malloc(inherited, request(64));
        if (t == 0) cadastre_lock(inherited);
        cadastre_free(inherited, block);
        if (t == 0) cadastre_unlock(inherited);
      }
    });
  }
  int worst = 0;
  for (int round = 0; round < 100 && worst == 0; ++round) worst = exit_status_of_child(go_on_in_the_child, _exit);
  stop = true;
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(worst, 0);
  assert_int_equal(cadastre_context_destroy(inherited), CADASTRE_SUCCESS);
}

cadastre_context gone = CADASTRE_NULL_CONTEXT;

int use_the_slot_of_a_context_that_is_gone() {
  const cadastre_context context = cadastre_context_create();
  return context != CADASTRE_NULL_CONTEXT && cadastre_context_destroy(context) == CADASTRE_SUCCESS ? 0 : 1;
}

void a_child_uses_slots_that_were_vacant_at_the_fork(void**) {
  gone = cadastre_context_create();
  assert_int_equal(cadastre_context_destroy(gone), CADASTRE_SUCCESS);
  std::atomic<bool> stop = false;
  std::thread asking([&] {
    while (!stop) cadastre_context_check(gone);
  });
  int worst = 0;
  for (int round = 0; round < 100 && worst == 0; ++round) {
    worst = exit_status_of_child(use_the_slot_of_a_context_that_is_gone, _exit);
  }
  stop = true;
  asking.join();
  assert_int_equal(worst, 0);
}

void contexts_that_come_and_go_are_in_no_forks_way(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  std::atomic<bool> stop = false;
  std::thread coming_and_going([&] {
    while (!stop) cadastre_context_destroy(cadastre_context_create());
  });
  // A good child ends by a signal: what the other thread had in its hands is lost there, and no leak checker is to look.
  const auto leave = [](int status) {
    if (status == 0) kill(getpid(), SIGKILL);
    _exit(status);
  };
  int status = 128 + SIGKILL;
  for (int round = 0; round < 300 && status == 128 + SIGKILL; ++round) {
    status = exit_status_of_child(use_the_slot_of_a_context_that_is_gone, leave);
  }
  stop = true;
  coming_and_going.join();
  assert_int_equal(status, 128 + SIGKILL);
}

Gate inherited_gate;

int allocate_what_a_vanished_thread_had_reserved() {
  inherited_gate.shut = false;
  if (!cadastre_malloc(inherited, request(150))) return 1;
  return cadastre_context_destroy(inherited) == CADASTRE_SUCCESS ? 0 : 2;
}

void calls_of_threads_that_are_not_in_the_child_are_forgotten(void**) {
  inherited = context_on(inherited_gate);
  assert_int_equal(cadastre_set_limit(inherited, CADASTRE_HOST, 150), CADASTRE_SUCCESS);
  inherited_gate.shut = true;
  std::thread slow([] { assert_non_null(cadastre_malloc(inherited, request(100))); });
  inherited_gate.await_guest();
  const int status = exit_status_of_child(allocate_what_a_vanished_thread_had_reserved, _exit);
  inherited_gate.shut = false;
  slow.join();
  assert_int_equal(status, 0);
  assert_int_equal(cadastre_context_destroy(inherited), CADASTRE_SUCCESS);
}

struct User {
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  ~User() {
    if (context == CADASTRE_NULL_CONTEXT) return;
    if (!cadastre_malloc(context, request(10))) _exit(1);
    if (cadastre_free(context, this) != CADASTRE_INVALID_ARG_2) _exit(2);
    if (last_reason(context) != CADASTRE_REASON_UNKNOWN_POINTER) _exit(3);
    if (cadastre_context_destroy(context) != CADASTRE_SUCCESS) _exit(4);
  }
};
User static_user;
thread_local User thread_user;

int use_contexts_at_exit() {
  static_user.context = cadastre_context_create();
  thread_user.context = cadastre_context_create();
  return 0;
}

void the_lock_of_a_thread_that_ended_is_nobody_elses(void**) {
  assert_int_equal(exit_status_of_child(unlock_what_a_thread_that_ended_had_locked, _exit), 128 + SIGALRM);
}

void static_objects_use_contexts_after_main(void**) { assert_int_equal(exit_status_of_child(use_contexts_at_exit, std::exit), 0); }

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_handle_is_positive_and_its_own_check),
      cmocka_unit_test(made_up_handles_are_refused),
      cmocka_unit_test(a_stale_handle_is_refused_for_ever),
      cmocka_unit_test(a_thousand_contexts_share_nothing),
      cmocka_unit_test(the_lock_is_recursive_and_keeps_other_threads_out),
      cmocka_unit_test(unlocking_what_one_does_not_hold_is_refused),
      cmocka_unit_test(a_thread_is_not_cancelled_while_it_waits_or_locked_calls),
      cmocka_unit_test(the_holder_of_the_lock_may_destroy),
      cmocka_unit_test(who_waits_for_a_context_that_goes_is_refused),
      cmocka_unit_test(no_lock_is_held_while_the_backend_works),
      cmocka_unit_test(a_call_that_comes_back_waits_for_the_lock_before_it_files),
      cmocka_unit_test(destroy_is_woken_by_a_free_that_ends_in_the_backend),
      cmocka_unit_test(free_all_frees_the_block_that_has_the_address_now),
      cmocka_unit_test(destroy_waits_for_calls_in_the_backend_and_frees_their_blocks),
      cmocka_unit_test(a_call_in_the_backend_does_not_keep_the_lock_holder_from_destroying),
      cmocka_unit_test(an_address_freed_and_granted_again_at_once_is_never_met_twice),
      cmocka_unit_test(a_failed_free_is_reported_and_counted_and_the_record_is_gone),
      cmocka_unit_test(shards_and_locked_calls_leave_the_same_behind),
      cmocka_unit_test(a_call_without_the_context_lock_waits_for_the_owner_of_the_lock),
      cmocka_unit_test(no_two_blocks_have_one_number),
      cmocka_unit_test(what_is_not_plain_takes_the_long_way),
      cmocka_unit_test(a_child_process_goes_on_with_the_contexts_it_inherits),
      cmocka_unit_test(a_child_uses_slots_that_were_vacant_at_the_fork),
      cmocka_unit_test(contexts_that_come_and_go_are_in_no_forks_way),
      cmocka_unit_test(calls_of_threads_that_are_not_in_the_child_are_forgotten),
      cmocka_unit_test(the_lock_of_a_thread_that_ended_is_nobody_elses),
      cmocka_unit_test(static_objects_use_contexts_after_main),
  };
  return cmocka_run_group_tests_name("context", tests, nullptr, nullptr);
}
