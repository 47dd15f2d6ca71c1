// Tangled from org/tests/fault_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/resource.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "failing_new.hpp"

namespace {

std::atomic<long> calls_until_failure = 0;  // 0: none fails
std::atomic<long> calls = 0;

}  // namespace

bool allocation_fails() noexcept {
  ++calls;
  return calls_until_failure > 0 && --calls_until_failure == 0;
}

namespace {

std::size_t live_blocks(cadastre_context context) {
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &s), CADASTRE_SUCCESS);
  assert_int_equal(s.allocations, s.deallocations + s.live_blocks);
  assert_int_equal(s.untracked_deallocations + s.failed_deallocations, 0);
  return static_cast<std::size_t>(s.live_blocks);
}

void assert_out_of_memory(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  assert_int_equal(error.exit_code, CADASTRE_ALLOCATION_FAILED);
  assert_int_equal(error.reason, CADASTRE_REASON_OUT_OF_HOST_MEMORY);
}

void expect(cadastre_context context, cadastre_exit_code code) {
  if (code == CADASTRE_SUCCESS) return;
  assert_int_equal(code, CADASTRE_ALLOCATION_FAILED);
  assert_out_of_memory(context);
}

cadastre_exit_code nothing(const cadastre_memory_info_struct*, void*) { return CADASTRE_SUCCESS; }

// A limit that leaves ten bytes is met exactly, unless a request that failed holds some.
void assert_nothing_stayed_reserved(cadastre_context context) {
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &s), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, s.live_bytes + 10), CADASTRE_SUCCESS);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 10;
  void* const block = cadastre_malloc(context, info);
  if (block) {
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  } else {
    assert_out_of_memory(context);
  }
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
}

void history() {
  static std::FILE* const nowhere = std::fopen("/dev/null", "w");
  const cadastre_context context = cadastre_context_create();
  if (context == CADASTRE_NULL_CONTEXT) return assert_out_of_memory(CADASTRE_NULL_CONTEXT);
  static int histories = 0;
  char label[64];
  std::snprintf(label, sizeof label, "label a of history %d, which no other has", ++histories);
  void* blocks[150] = {};
  std::size_t served = 0;
  for (std::size_t i = 0; i < 150; ++i) {
    label[6] = static_cast<char>('a' + i % 3);
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = i;
    info.label = label;
    blocks[i] = cadastre_malloc(context, info);
    if (blocks[i]) {
      ++served;
    } else {
      assert_out_of_memory(context);
    }
    assert_int_equal(live_blocks(context), served);
  }
  assert_nothing_stayed_reserved(context);
  cadastre_memory_info_struct borrowed = cadastre_memory_info_struct_zero;
  borrowed.pointer = label;
  borrowed.size = sizeof label;
  expect(context, cadastre_wrap(context, borrowed));
  expect(context, cadastre_foreach_block(context, nothing, nullptr));
  expect(context, cadastre_report(context, nowhere, CADASTRE_REPORT_TEXT));
  expect(context, cadastre_report(context, nowhere, CADASTRE_REPORT_JSON));
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  if (blocks[0]) {
    assert_int_equal(cadastre_free(context, blocks[0]), CADASTRE_SUCCESS);
    --served;
  }
  const cadastre_exit_code code = cadastre_free_all(context);
  expect(context, code);
  assert_int_equal(live_blocks(context), code == CADASTRE_SUCCESS ? 0 : served);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_int_equal(summary.live_blocks, code == CADASTRE_SUCCESS ? 0 : served);
}

void every_allocation_of_the_library_may_fail(void**) {
  if (!the_library_asks_here()) skip_because("the library is one that asks nobody whether a call is to fail");
  history();  // reads the environment, once and for all
  long failures = 0;
  for (long k = 1;; ++k) {
    calls_until_failure = k;
    history();
    const bool failed = calls_until_failure == 0;
    calls_until_failure = 0;
    if (!failed) break;
    ++failures;
  }
  assert_true(failures > 20);
}

void refused_requests_leave_nothing_reserved_in_the_registry(void**) {
  const cadastre_context context = cadastre_context_create();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  assert_non_null(cadastre_malloc(context, info));
  info.size = static_cast<std::size_t>(PTRDIFF_MAX) - 8192;
  assert_null(cadastre_malloc(context, info));  // makes room for records, once
  const auto needs_memory = [&] {
    const long before = calls;
    for (int i = 0; i < 1000; ++i) assert_null(cadastre_malloc(context, info));
    return calls != before;
  };
  bool needed = true;
  for (int turn = 0; needed && turn < 10; ++turn) needed = needs_memory();  // now and then the CPUs of the process are asked for
  assert_false(needed);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 100), CADASTRE_SUCCESS);
  info.size = 101;
  info.label = "a label that no block bears";
  assert_false(needs_memory());
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

int clones = 0;

cadastre_backend_operations_struct operations_with_clone() {
  cadastre_backend_operations_struct table = cadastre_backend_operations_struct_zero;
  table.memory_type_mask = 1u << CADASTRE_PINNED;
  table.allocate = [](void*, const cadastre_memory_info_struct*, cadastre_queue, void**) { return std::int32_t{1}; };
  table.free = [](void*, const cadastre_memory_info_struct*) { return std::int32_t{0}; };
  table.copy = [](void*, void*, const cadastre_memory_info_struct*, const void*, const cadastre_memory_info_struct*, std::size_t,
                  cadastre_queue) { return std::int32_t{0}; };
  table.set = [](void*, void*, const cadastre_memory_info_struct*, int, std::size_t, cadastre_queue) { return std::int32_t{0}; };
  table.clone = [](void*, void**) { return ++clones, std::int32_t{0}; };
  table.destroy = [](void*) { return --clones, std::int32_t{0}; };
  return table;
}

// Calls until a call succeeds, with one more allocation that succeeds each time; answers how often it failed.
template <class Call>
int fail_in_turn(Call call) {
  for (long k = 1;; ++k) {
    calls_until_failure = k;
    const bool done = call();
    calls_until_failure = 0;
    if (done) return static_cast<int>(k) - 1;
    assert_out_of_memory(CADASTRE_NULL_CONTEXT);
  }
}

void a_backend_is_registered_and_cloned_or_not_at_all(void**) {
  if (!the_library_asks_here()) skip_because("the library is one that asks nobody whether a call is to fail");
  const cadastre_backend_operations_struct table = operations_with_clone();
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  assert_true(fail_in_turn([&] {
                options.backend = cadastre_backend_register("faulty", &table, nullptr);
                return options.backend != CADASTRE_INVALID_BACKEND;
              }) > 0);
  assert_int_equal(options.backend, CADASTRE_FIRST_REGISTERED_BACKEND);
  const cadastre_context other = cadastre_context_create();  // the memory of one that is gone may serve it
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  assert_true(fail_in_turn([&] {
                assert_int_equal(clones, 0);
                context = cadastre_context_create_with_options(&options);
                return context != CADASTRE_NULL_CONTEXT;
              }) > 1);
  assert_int_equal(clones, 1);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(other), CADASTRE_SUCCESS);
  assert_int_equal(clones, 0);
  assert_int_equal(cadastre_backend_unregister(options.backend), CADASTRE_SUCCESS);
  assert_int_equal(clones, -1);
}

void a_system_without_memory_is_a_failure_like_any_other(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  const cadastre_context context = cadastre_context_create();
  rlimit before;
  assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
  rlimit bounded = before;
  bounded.rlim_cur = rlim_t{2} << 30;
  assert_int_equal(setrlimit(RLIMIT_AS, &bounded), 0);
  std::size_t served = 0;
  for (const std::size_t size : {std::size_t{16} << 20, std::size_t{64} << 20}) {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = size;
    void* last = nullptr;
    while (void* const block = cadastre_malloc(context, info)) {
      last = block;
      ++served;
    }
    cadastre_error_struct error = cadastre_error_struct_zero;
    assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
    assert_int_equal(error.exit_code, CADASTRE_ALLOCATION_FAILED);
    assert_int_equal(error.reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
    assert_int_equal(error.vendor_code, ENOMEM);
    assert_int_equal(live_blocks(context), served);
    if (last) {
      std::memset(last, 0x42, size);
      assert_null(cadastre_realloc(context, last, std::size_t{1} << 31));
      assert_int_equal(static_cast<unsigned char*>(last)[size - 1], 0x42);
    }
  }
  assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
  assert_true(served > 10);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_allocation_of_the_library_may_fail),
      cmocka_unit_test(a_backend_is_registered_and_cloned_or_not_at_all),
      cmocka_unit_test(refused_requests_leave_nothing_reserved_in_the_registry),
      cmocka_unit_test(a_system_without_memory_is_a_failure_like_any_other),
  };
  return cmocka_run_group_tests_name("faults", tests, nullptr, nullptr);
}
