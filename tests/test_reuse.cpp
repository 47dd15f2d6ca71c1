// Tangled from org/tests/reuse_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cadastre_workspace.h"
#include "cmocka.hpp"

namespace {

using Options = cadastre_context_options_struct;

cadastre_context created(const Options& options = cadastre_context_options_struct_zero) {
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_int_not_equal(context, CADASTRE_NULL_CONTEXT);
  return context;
}

void destroy(cadastre_context context) { assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS); }

void* get(cadastre_context context, std::size_t size, const char* label = nullptr, cadastre_memory_type type = CADASTRE_HOST) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.label = label;
  info.type = type;
  return cadastre_malloc(context, info);
}

cadastre_statistics_struct statistics(cadastre_context context, cadastre_memory_type type = CADASTRE_HOST) {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, type, &figures), CADASTRE_SUCCESS);
  return figures;
}

std::string report_of(cadastre_context context) {
  char* characters = nullptr;
  std::size_t length = 0;
  std::FILE* const stream = open_memstream(&characters, &length);
  assert_non_null(stream);
  assert_int_equal(cadastre_report(context, stream, CADASTRE_REPORT_JSON), CADASTRE_SUCCESS);
  std::fclose(stream);
  std::string report(characters, length);
  report.erase(0, report.find("\"memory_types\""));  // before it is what changes from moment to moment
  std::free(characters);
  const std::string handle = std::to_string(context);
  for (std::size_t at; (at = report.find(handle)) != std::string::npos;) report.replace(at, handle.size(), "this");
  return report;
}

std::string told(cadastre_context context) {
  Options options = cadastre_context_options_struct_zero;
  cadastre_registry_info_struct registry = cadastre_registry_info_struct_zero;
  cadastre_queue queue = nullptr;
  assert_int_equal(cadastre_context_get_options(context, &options), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_get_registry_info(context, &registry), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_get_default_queue(context, &queue), CADASTRE_SUCCESS);
  std::string all = report_of(context);
  for (const std::int64_t number : {registry.entries, registry.capacity, registry.doublings, registry.live_records}) {
    all += " " + std::to_string(number);
  }
  for (std::size_t type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_statistics_struct figures = statistics(context, static_cast<cadastre_memory_type>(type));
    all.append(reinterpret_cast<const char*>(&figures), sizeof figures);
  }
  all.append(reinterpret_cast<const char*>(&options), sizeof options);
  all.append(reinterpret_cast<const char*>(&queue), sizeof queue);
  return all;
}

void in_another_thread(void (*work)(cadastre_context), cadastre_context context) { std::thread(work, context).join(); }

using Life = void (*)(cadastre_context context);
const Life lives[] = {
    [](cadastre_context) {},
    [](cadastre_context context) {
      for (int number = 0; number < 2000; ++number) {
        void* const block = get(context, 64, "walker");
        if (number % 3 == 0) cadastre_free(context, block);
      }
    },
    [](cadastre_context context) {
      for (int number = 0; number < 70; ++number) get(context, std::size_t{1} << 20, "alone");
      cadastre_free(context, get(context, std::size_t{64} << 20));
    },
    [](cadastre_context context) { cadastre_realloc(context, get(context, 64), 1000000); },
    [](cadastre_context context) {
      cadastre_set_limit(context, CADASTRE_HOST, 1000);
      cadastre_set_limit(context, CADASTRE_DEVICE, 1000);
      assert_null(get(context, 2000));
    },
    [](cadastre_context context) { cadastre_set_limit(context, CADASTRE_PINNED, CADASTRE_LIMIT_NOTHING); },
    [](cadastre_context context) { assert_null(get(context, SIZE_MAX)); },
    [](cadastre_context context) { assert_int_not_equal(cadastre_free(context, &context), CADASTRE_SUCCESS); },
    [](cadastre_context context) {
      static char memory[64];
      cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
      info.pointer = memory;
      info.size = sizeof memory;
      assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
    },
    [](cadastre_context context) {
      assert_non_null(get(context, 1000, nullptr, CADASTRE_DEVICE));
      cadastre_free(context, get(context, 1000, nullptr, CADASTRE_PINNED));
    },
    [](cadastre_context context) {
      const std::size_t size = 4096;
      void* buffer = nullptr;
      cadastre_lease lease = CADASTRE_NULL_LEASE;
      assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &size, &buffer, &lease), CADASTRE_SUCCESS);
    },
    [](cadastre_context context) { assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_HOST, 4096), CADASTRE_SUCCESS); },
    [](cadastre_context context) { assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_HOST, 0), CADASTRE_SUCCESS); },
    [](cadastre_context context) {
      cadastre_context_set_timing(context, 1);
      get(context, 64);
    },
    [](cadastre_context context) {
      cadastre_context_set_plain_free(context, 1);  // refused where it has had blocks
      get(context, 64, "of malloc");
    },
    [](cadastre_context context) {
      cadastre_lock(context);
      cadastre_lock(context);
      get(context, 64);
    },
    [](cadastre_context context) {
      Options below = cadastre_context_options_struct_zero;
      below.parent = context;
      const cadastre_context child = created(below);
      get(child, 64, "of a child");
      get(child, 64, "of a child", CADASTRE_DEVICE);
      destroy(child);
    },
    [](cadastre_context context) {
      in_another_thread([](cadastre_context there) { get(there, 64); }, context);
      cadastre_free(context, get(context, 64));
      cadastre_reset_high_water_mark(context, CADASTRE_HOST);
    },
    [](cadastre_context context) {
      get(context, 64);
      cadastre_free_all(context);
    },
};

// Also where that lives the same life then.
void a_context_is_as_the_first_one_whatever_was_before(void**) {
  const cadastre_context first = created();
  const std::string as_new = told(first);
  destroy(first);
  for (int turn = 0; turn < 2; ++turn) {
    for (const Life live : lives) {
      const cadastre_context former = created();
      live(former);
      destroy(former);
      const cadastre_context next = created();
      assert_string_equal(told(next).c_str(), as_new.c_str());
      assert_true(told(next) == as_new);
      live(next);
      destroy(next);
    }
  }
}

// Blocks of malloc's own take other entries than blocks in slabs.
void blocks_are_in_slabs_again_after_a_context_of_plain_frees(void**) {
  const auto capacity_with_a_block = [](bool plain_free) {
    const cadastre_context context = created();
    if (plain_free) assert_int_equal(cadastre_context_set_plain_free(context, 1), CADASTRE_SUCCESS);
    assert_non_null(get(context, 64));
    cadastre_registry_info_struct info = cadastre_registry_info_struct_zero;
    assert_int_equal(cadastre_get_registry_info(context, &info), CADASTRE_SUCCESS);
    destroy(context);
    return info.capacity;
  };
  const std::int64_t usual = capacity_with_a_block(false);
  if (capacity_with_a_block(true) == usual) skip_because("there are no slabs");
  assert_int_equal(capacity_with_a_block(false), usual);
}

void a_context_of_other_options_has_none_of_the_former(void**) {
  Options plain = cadastre_context_options_struct_zero, other = plain;
  other.pool = CADASTRE_POOL_CACHING;
  other.backend = CADASTRE_BACKEND_HOST;
  other.device = CADASTRE_DEVICE_BY_ID(0);
  other.limits[CADASTRE_HOST] = other.limits[CADASTRE_DEVICE] = 5000;
  const cadastre_context first = created(plain);
  const std::string as_plain = told(first);
  destroy(first);
  const cadastre_context second = created(other);
  const std::string as_other = told(second);
  destroy(second);
  assert_false(as_plain == as_other);
  for (const Life live : lives) {
    for (const bool is_other : {true, false, true, true, false, false}) {
      const cadastre_context context = created(is_other ? other : plain);
      assert_true(told(context) == (is_other ? as_other : as_plain));
      void* const block = get(context, 5001);
      assert_true((block == nullptr) == is_other);
      if (!is_other) live(context);
      destroy(context);
    }
  }
}

void an_address_of_a_former_context_is_unknown(void**) {
  const cadastre_context former = created();
  void* const freed = get(former, 64, "old");
  void* const alive = get(former, 64, "old");
  void* const large = get(former, std::size_t{1} << 20, "old");
  cadastre_free(former, freed);
  destroy(former);
  const cadastre_context next = created();
  for (void* const address : {freed, alive, large}) {
    cadastre_error_struct error = cadastre_error_struct_zero;
    assert_int_equal(cadastre_free(next, address), CADASTRE_INVALID_ARG_2);
    assert_int_equal(cadastre_last_error(next, &error), CADASTRE_SUCCESS);
    assert_int_equal(error.reason, CADASTRE_REASON_UNKNOWN_POINTER);
  }
  destroy(next);
}

void a_lock_goes_with_its_context(void**) {
  const cadastre_context former = created();
  assert_int_equal(cadastre_lock(former), CADASTRE_SUCCESS);
  assert_non_null(get(former, 64));
  destroy(former);
  const cadastre_context next = created();
  std::thread([next] { assert_non_null(get(next, 64)); }).join();
  assert_int_equal(cadastre_unlock(next), CADASTRE_FAILURE);
  destroy(next);
}

// Whoever has had a child may be destroyed when it has gone, and counts what it had; the next context is nobody's child.
void a_parent_is_let_go_with_its_child(void**) {
  const cadastre_context parent = created();
  Options below = cadastre_context_options_struct_zero;
  below.parent = parent;
  for (int turn = 0; turn < 3; ++turn) {
    const cadastre_context child = created(below);
    assert_int_equal(cadastre_context_destroy(parent), CADASTRE_FAILURE);
    assert_non_null(get(child, 100));
    assert_int_equal(statistics(parent).live_bytes, 100);
    destroy(child);
    const cadastre_context apart = created();
    assert_non_null(get(apart, 1000));
    assert_int_equal(statistics(parent).live_bytes, 0);
    assert_int_equal(statistics(parent).allocations, turn + 1);
    destroy(apart);
  }
  assert_int_equal(cadastre_context_destroy_with_children(parent, nullptr), CADASTRE_SUCCESS);
  const std::size_t before = statistics(CADASTRE_PROCESS).live_bytes;
  const cadastre_context next = created();
  below.parent = next;
  destroy(created(below));
  assert_non_null(get(next, 100));
  assert_int_equal(statistics(CADASTRE_PROCESS).live_bytes, before + 100);
  destroy(next);
  assert_int_equal(statistics(CADASTRE_PROCESS).live_bytes, before);
}

void a_former_handle_stays_refused(void**) {
  std::vector<cadastre_context> former;
  for (int number = 0; number < 300; ++number) {
    const cadastre_context context = created();
    if (number % 2) assert_non_null(get(context, 64));
    for (const cadastre_context other : former) assert_true(other != context);
    if (!former.empty()) {
      assert_null(get(former.back(), 64));
      assert_int_equal(cadastre_context_destroy(former.back()), CADASTRE_INVALID_CONTEXT);
    }
    destroy(context);
    former.push_back(context);
  }
}

void threads_inside_a_context_that_goes_meet_no_other(void**) {
  std::atomic<cadastre_context> current = CADASTRE_NULL_CONTEXT;
  std::atomic<bool> ends = false;
  std::vector<std::thread> threads;
  for (int number = 0; number < 3; ++number) {
    threads.emplace_back([&] {
      while (!ends) {
        const cadastre_context context = current;
        if (context == CADASTRE_NULL_CONTEXT) continue;
        void* const small = get(context, 64, "inside");
        void* const large = get(context, 300000, "inside");
        if (large) cadastre_free(context, large);
        if (small) cadastre_free(context, small);
      }
    });
  }
  for (int turn = 0; turn < 400; ++turn) {
    const cadastre_context context = created();
    current = context;
    for (int pause = 0; pause < turn % 7; ++pause) std::this_thread::yield();
    destroy(context);
    const cadastre_context next = created();
    const cadastre_statistics_struct figures = statistics(next);
    assert_int_equal(figures.allocations, 0);
    assert_int_equal(figures.total_bytes, 0);
    assert_int_equal(figures.high_water_mark_bytes, 0);
    destroy(next);
  }
  ends = true;
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(statistics(CADASTRE_PROCESS).live_blocks, 0);
}

void contexts_of_many_threads_are_their_own(void**) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (std::size_t number = 0; number < 4; ++number) {
    threads.emplace_back([number, &wrong] {
      Options options = cadastre_context_options_struct_zero;
      options.limits[CADASTRE_HOST] = 1000 * (number + 1);
      for (int turn = 0; turn < 500; ++turn) {
        const cadastre_context context = created(options);
        const bool fits = get(context, options.limits[CADASTRE_HOST]) != nullptr;
        const bool refused = get(context, 1) == nullptr;
        cadastre_statistics_struct figures = statistics(context);
        wrong += !fits || !refused || figures.limit != options.limits[CADASTRE_HOST] || figures.allocations != 1;
        destroy(context);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  assert_int_equal(statistics(CADASTRE_PROCESS).live_bytes, 0);
}

int exit_code_of(pid_t child) {
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// One context is kept when the process forks, and another thread creates and destroys others.
void a_child_process_uses_what_was_kept(void**) {
#ifdef __SANITIZE_ADDRESS__
  skip_because("the locks of AddressSanitizer's malloc stay as the fork found them");
#endif
  const cadastre_context first = created();
  const std::string as_new = told(first);
  destroy(first);
  std::atomic<bool> ends = false;
  std::thread other([&ends] {
    while (!ends) destroy(created());
  });
  const cadastre_context parent = created();
  for (int turn = 0; turn < 20; ++turn) {
    Options below = cadastre_context_options_struct_zero;
    below.parent = parent;
    destroy(created(below));
    const pid_t child = fork();
    if (child == 0) {
      const cadastre_context inherited = created(below);
      const bool counts = get(inherited, 64) && statistics(parent).live_bytes == 64;
      const bool has_child = cadastre_context_destroy(parent) == CADASTRE_FAILURE;
      const bool goes = cadastre_context_destroy(inherited) == CADASTRE_SUCCESS && cadastre_context_destroy(parent) == CADASTRE_SUCCESS;
      const cadastre_context next = created();
      _exit(counts && has_child && goes && told(next) == as_new ? 0 : 1);
    }
    assert_int_equal(exit_code_of(child), 0);
  }
  ends = true;
  other.join();
  destroy(parent);
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "1", 1);
  setenv("CADASTRE_BACKEND", "host", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_in_slabs_again_after_a_context_of_plain_frees),  // first: no context was before it
      cmocka_unit_test(a_context_is_as_the_first_one_whatever_was_before),
      cmocka_unit_test(a_context_of_other_options_has_none_of_the_former),
      cmocka_unit_test(an_address_of_a_former_context_is_unknown),
      cmocka_unit_test(a_lock_goes_with_its_context),
      cmocka_unit_test(a_parent_is_let_go_with_its_child),
      cmocka_unit_test(a_former_handle_stays_refused),
      cmocka_unit_test(threads_inside_a_context_that_goes_meet_no_other),
      cmocka_unit_test(contexts_of_many_threads_are_their_own),
      cmocka_unit_test(a_child_process_uses_what_was_kept),
  };
  return cmocka_run_group_tests_name("reuse", tests, nullptr, nullptr);
}
