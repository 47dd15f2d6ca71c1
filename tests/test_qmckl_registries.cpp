// Tangled from org/tests/qmckl_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// cmocka expects these to be included before it, and leaves the linkage to its user.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <cmocka.h>
}

#include "skip_because.h"

#include "cadastre_qmckl.h"
#include "failing_new.hpp"
#include "qmckl_callers.hpp"
#include "qmckl_imitation.h"
#include "qmckl_originals.hpp"
#include "qmckl_registries.hpp"

namespace {

std::atomic<long> calls_that_succeed = -1;  // negative: all

}  // namespace

bool allocation_fails() noexcept {
  if (calls_that_succeed > 0) return --calls_that_succeed, false;
  return calls_that_succeed == 0;
}

// Stands before the library's own.
extern "C" qmckl_exit_code qmckl_get_error(qmckl_context, qmckl_exit_code*, char*, char*) { return -1; }

// A name longer than a label may be.
#define TEN(x) x x x x x x x x x x
extern "C" [[gnu::visibility("default")]] void a_function_with_a_long_name() __asm__("long_" TEN(TEN("name")));
extern "C" void a_function_with_a_long_name() { calls_that_succeed = -1; }

namespace {

using cadastre::qmckl::caller;
using cadastre::qmckl::original;
using cadastre::qmckl::Registries;

bool is_live(cadastre_context registry) { return cadastre_context_check(registry) != CADASTRE_NULL_CONTEXT; }

cadastre_context_options_struct host(std::int64_t) noexcept { return cadastre_qmckl_options(); }

void the_table_knows_what_was_opened_and_not_closed(void**) {
  static constinit Registries registries("no_such_check");
  std::map<std::int64_t, cadastre_context> model;
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t context = 64 * (1 + static_cast<std::int64_t>(random() % 200));
    if (random() % 2 == 0) {
      registries.open(context, cadastre_qmckl_options());
      if (const auto old = model.find(context); old != model.end()) assert_false(is_live(old->second));
      model[context] = registries.known(context);
      assert_true(is_live(model[context]));
    } else {
      registries.close(context);
      if (const auto old = model.find(context); old != model.end()) assert_false(is_live(old->second));
      model.erase(context);
    }
    if (i % 50 != 0) continue;
    for (std::int64_t any = 0; any <= 64 * 201; any += 64) {
      const auto expected = model.find(any);
      assert_int_equal(registries.known(any), expected == model.end() ? CADASTRE_NULL_CONTEXT : expected->second);
      assert_int_equal(registries.of(any), registries.known(any));
    }
  }
  for (const auto& [context, registry] : model) registries.close(context);
}

void a_registry_that_is_left_over_is_replaced(void**) {
  static constinit Registries registries("no_such_check");
  registries.open(64, cadastre_qmckl_options());
  const cadastre_context first = registries.known(64);
  registries.open(64, cadastre_qmckl_options());
  assert_false(is_live(first));
  assert_true(is_live(registries.known(64)));
  registries.close(64);
  assert_int_equal(registries.known(64), CADASTRE_NULL_CONTEXT);
}

void whoever_closes_late_leaves_the_newcomer_alone(void**) {
  static constinit Registries registries("no_such_check");
  registries.open(64, cadastre_qmckl_options());
  const cadastre_context first = registries.known(64);  // one thread asks, and destroys the library's context
  registries.open(64, cadastre_qmckl_options());        // another gets its address
  const cadastre_context second = registries.known(64);
  registries.close(64, first);
  assert_int_equal(registries.known(64), second);
  assert_true(is_live(second));
  registries.close(64);
  registries.close(64);
  assert_false(is_live(second));
}

void a_valid_context_is_adopted_once(void**) {
  static constinit Registries registries("qmckl_context_check", host);
  const qmckl_context context = qmckl_imitation_create_unseen();
  assert_int_equal(registries.known(context), CADASTRE_NULL_CONTEXT);
  const cadastre_context registry = registries.of(context);
  assert_true(is_live(registry));
  assert_int_equal(registries.of(context), registry);
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  assert_int_equal(cadastre_context_get_options(registry, &options), CADASTRE_SUCCESS);
  assert_int_equal(options.backend, CADASTRE_BACKEND_HOST);
  assert_int_equal(qmckl_imitation_destroy_unseen(context), QMCKL_SUCCESS);
  registries.close(context);
  assert_int_equal(registries.of(context), CADASTRE_NULL_CONTEXT);
}

void what_was_adopted_while_the_library_created_a_context_is_kept(void**) {
  static constinit Registries registries("qmckl_context_check");
  const std::uint64_t before = registries.now();
  const qmckl_context context = qmckl_imitation_create_unseen();
  const cadastre_context registry = registries.of(context);
  registries.open(context, cadastre_qmckl_options(), before);
  assert_int_equal(registries.known(context), registry);
  assert_true(is_live(registry));
  registries.open(context, cadastre_qmckl_options(), registries.now());
  assert_false(is_live(registry));
  assert_true(is_live(registries.known(context)));
  registries.close(context);
  assert_int_equal(qmckl_imitation_destroy_unseen(context), QMCKL_SUCCESS);
}

Registries* raced = nullptr;
cadastre_context adopted_first = CADASTRE_NULL_CONTEXT;

// While one thread is about to adopt, another does.
cadastre_context_options_struct host_after_another(std::int64_t context) noexcept {
  if (Registries* const registries = std::exchange(raced, nullptr)) {
    std::thread([&] { adopted_first = registries->of(context); }).join();
  }
  return cadastre_qmckl_options();
}

void two_that_adopt_at_one_moment_get_one_registry(void**) {
  static constinit Registries registries("qmckl_context_check", host_after_another);
  const qmckl_context context = qmckl_imitation_create_unseen();
  raced = &registries;
  const cadastre_context registry = registries.of(context);
  assert_int_equal(registry, adopted_first);
  assert_true(is_live(adopted_first));
  registries.close(context);
  assert_int_equal(qmckl_imitation_destroy_unseen(context), QMCKL_SUCCESS);
}

void what_the_library_does_not_know_is_not_adopted(void**) {
  static constinit Registries registries("qmckl_context_check"), without_library("no_such_check");
  const qmckl_context context = qmckl_imitation_create_unseen();
  assert_int_equal(without_library.of(context), CADASTRE_NULL_CONTEXT);
  assert_int_equal(qmckl_imitation_destroy_unseen(context), QMCKL_SUCCESS);
  assert_int_equal(registries.of(context), CADASTRE_NULL_CONTEXT);
  assert_int_equal(registries.of(0), CADASTRE_NULL_CONTEXT);
  registries.open(0, cadastre_qmckl_options());
  assert_int_equal(registries.known(0), CADASTRE_NULL_CONTEXT);
}

std::string object_of(void* function) {
  Dl_info info;
  return function && dladdr(function, &info) != 0 ? info.dli_fname : "";
}

void the_librarys_own_function_is_found_behind_ours(void**) {
  assert_true(object_of(reinterpret_cast<void*>(&qmckl_get_error)).find("test_qmckl_registries") != std::string::npos);
  assert_true(object_of(original("qmckl_get_error")).find("libqmckl_imitation.so") != std::string::npos);
  assert_true(object_of(original("qmckl_context_check")).find("libqmckl_imitation.so") != std::string::npos);
  assert_null(original("no_such_function"));
}

std::string caller_at(const void* function, std::size_t offset) { return caller(static_cast<const char*>(function) + offset); }

void a_caller_is_named_by_its_function_or_its_place(void**) {
  void* const function = original("qmckl_context_create");
  assert_string_equal(caller_at(function, 1).c_str(), "qmckl_context_create");
  assert_string_equal(caller_at(function, 1).c_str(), "qmckl_context_create");
  const std::string here = caller_at(reinterpret_cast<void*>(&caller_at), 1);
  assert_true(here.find("test_qmckl_registries+0x") == 0);
  assert_string_equal(caller_at(reinterpret_cast<void*>(&caller_at), 1).c_str(), here.c_str());
  int on_the_stack;
  assert_string_equal(caller(&on_the_stack), "");
  assert_string_equal(caller(nullptr), "");
  const std::string cut = caller_at(reinterpret_cast<void*>(&a_function_with_a_long_name), 1);
  assert_int_equal(cut.size(), 255);
  assert_true(cut.find("long_namename") == 0);
}

void more_callers_than_the_table_holds_are_named(void**) {
  const char* const code = static_cast<const char*>(original("cadastre_malloc"));
  for (int round = 0; round < 2; ++round) {
    for (std::size_t offset = 0; offset < 6000; ++offset) {
      Dl_info info;
      const std::string name = caller(code + offset + 1);
      if (dladdr(code + offset, &info) == 0) continue;
      assert_true(info.dli_sname ? name == info.dli_sname : name.find("libcadastre.so") == 0);
    }
  }
}

void a_registry_that_cannot_be_made_is_made_later(void**) {
  if (!the_library_asks_here()) skip_because("the library is one that asks nobody whether a call is to fail");
  static constinit Registries registries("qmckl_context_check", host);
  std::vector<qmckl_context> contexts;
  for (int i = 0; i < 20; ++i) contexts.push_back(qmckl_imitation_create_unseen());  // the table grows
  int failures = 0;
  for (const qmckl_context context : contexts) {
    for (long allowed = 0;; ++allowed) {
      calls_that_succeed = allowed;
      const cadastre_context registry = registries.of(context);
      calls_that_succeed = -1;
      assert_int_equal(registries.known(context), registry);
      if (registry != CADASTRE_NULL_CONTEXT) break;
      ++failures;
    }
    registries.close(context);
    for (long allowed = 0; registries.known(context) == CADASTRE_NULL_CONTEXT; ++allowed) {
      calls_that_succeed = allowed;
      registries.open(context, cadastre_qmckl_options());
      calls_that_succeed = -1;
    }
    assert_true(is_live(registries.known(context)));
  }
  assert_true(failures >= 20);
  for (const qmckl_context context : contexts) {
    registries.close(context);
    assert_int_equal(qmckl_imitation_destroy_unseen(context), QMCKL_SUCCESS);
  }
}

void a_leftover_goes_even_when_nothing_can_take_its_place(void**) {
  if (!the_library_asks_here()) skip_because("the library is one that asks nobody whether a call is to fail");
  static constinit Registries registries("qmckl_context_check");
  const qmckl_context context = qmckl_imitation_create_unseen();
  const cadastre_context first = registries.of(context);
  calls_that_succeed = 0;
  registries.open(context, cadastre_qmckl_options());
  calls_that_succeed = -1;
  assert_false(is_live(first));
  assert_int_equal(registries.known(context), CADASTRE_NULL_CONTEXT);
  assert_true(is_live(registries.of(context)));
  registries.close(context);
  assert_int_equal(qmckl_imitation_destroy_unseen(context), QMCKL_SUCCESS);
}

void a_caller_is_named_without_memory(void**) {
  void* const function = original("qmckl_context_destroy");
  calls_that_succeed = 0;
  const std::size_t length = std::strlen(caller(static_cast<const char*>(function) + 1));
  const char* const here = caller(reinterpret_cast<const char*>(&is_live) + 1);
  calls_that_succeed = -1;
  assert_int_equal(length, std::strlen("qmckl_context_destroy"));
  assert_true(std::strstr(here, "test_qmckl_registries") != nullptr);
  assert_string_equal(caller(static_cast<const char*>(function) + 1), "qmckl_context_destroy");
}

}  // namespace

// A program that frees one by free() goes on.
void blocks_come_from_malloc_unless_somebody_says_otherwise(void**) {
  if (const char* const heap = std::getenv("CADASTRE_HEAP"); heap && std::string(heap) == "on") skip_because("CADASTRE_HEAP is on");
  static constinit Registries registries("no_such_check", host);
  registries.open(1 << 20, cadastre_qmckl_options());
  const cadastre_context context = registries.known(1 << 20);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 100;
  void* const block = cadastre_malloc(context, info);
  assert_non_null(block);
  std::free(block);
  for (int i = 0; i < 100; ++i) assert_non_null(cadastre_malloc(context, info));
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &statistics), CADASTRE_SUCCESS);
  assert_int_equal(statistics.live_blocks + statistics.untracked_deallocations, 101);
  // A checker of memory does not give an address again; then nobody may free it again either.
  if (statistics.untracked_deallocations == 1) assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(blocks_come_from_malloc_unless_somebody_says_otherwise),
      cmocka_unit_test(the_table_knows_what_was_opened_and_not_closed),
      cmocka_unit_test(a_registry_that_is_left_over_is_replaced),
      cmocka_unit_test(whoever_closes_late_leaves_the_newcomer_alone),
      cmocka_unit_test(a_valid_context_is_adopted_once),
      cmocka_unit_test(what_was_adopted_while_the_library_created_a_context_is_kept),
      cmocka_unit_test(two_that_adopt_at_one_moment_get_one_registry),
      cmocka_unit_test(what_the_library_does_not_know_is_not_adopted),
      cmocka_unit_test(the_librarys_own_function_is_found_behind_ours),
      cmocka_unit_test(a_caller_is_named_by_its_function_or_its_place),
      cmocka_unit_test(more_callers_than_the_table_holds_are_named),
      cmocka_unit_test(a_registry_that_cannot_be_made_is_made_later),
      cmocka_unit_test(a_leftover_goes_even_when_nothing_can_take_its_place),
      cmocka_unit_test(a_caller_is_named_without_memory),
  };
  return cmocka_run_group_tests_name("registries", tests, nullptr, nullptr);
}
