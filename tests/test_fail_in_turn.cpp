// Tangled from org/tests/fail_in_turn.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"

namespace {

using Variables = std::vector<std::pair<const char*, std::string>>;

#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (false)

// What the body of a process returns, by which it ends as a program does.
template <class Body>
int status_of(const Variables& variables, Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    for (const auto& [name, value] : variables) setenv(name, value.c_str(), 1);
    std::exit(body());
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (!WIFEXITED(status)) print_error("ended by signal %d\n", WTERMSIG(status));
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

template <class Body>
void with(const char* fail, Body body) {
  assert_int_equal(status_of({{"CADASTRE_FAIL", fail}, {"CADASTRE_EMULATED_DEVICES", "1"}}, [&] { return body(), 0; }), 0);
}

cadastre_error_struct error_of(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  CHECK(cadastre_last_error(context, &error) == CADASTRE_SUCCESS);
  return error;
}

bool says(const cadastre_error_struct& error, const std::string& part) {
  const bool found = std::strstr(error.message, part.c_str());
  if (!found) std::fprintf(stderr, "not in it: %s\n%s\n", part.c_str(), error.message);
  return found;
}

cadastre_statistics_struct figures_of(cadastre_context context, cadastre_memory_type type) {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  CHECK(cadastre_get_statistics(context, type, &figures) == CADASTRE_SUCCESS);
  return figures;
}

void* allocate(cadastre_context context, cadastre_memory_type type, std::size_t size, const char* label = nullptr) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.type = type;
  info.size = size;
  info.label = label;
  return cadastre_malloc(context, info);
}

// Whether a call of this process has failed because the variable says so.
bool has_failed_on_demand() {
  for (std::int32_t i = 0; i < cadastre_environment_get_count(); ++i) {
    cadastre_environment_info_struct info = cadastre_environment_info_struct_zero;
    CHECK(cadastre_environment_get_info(i, &info) == CADASTRE_SUCCESS);
    if (std::strcmp(info.name, "CADASTRE_FAIL") == 0) return std::strstr(info.resolved, "has made a call fail") != nullptr;
  }
  CHECK(false);  // there is such a variable
  return false;
}

// What may come of a call, and what has.
class Program {
 public:
  Program(const char* point, std::string rule) : point_(point), rule_(std::move(rule)) {}

  // Returns how many calls failed.
  int run();

 private:
  bool inside() const { return point_ == "internal" || point_ == "system"; }

  void explain(cadastre_context context, cadastre_exit_code code) {
    ++failed_;
    const cadastre_error_struct error = error_of(context);
    CHECK(error.exit_code == code);
    if (code < CADASTRE_FAILURE) std::fprintf(stderr, "%s\n", error.message);
    CHECK(code == CADASTRE_ALLOCATION_FAILED || code == CADASTRE_DEALLOCATION_FAILED || code == CADASTRE_FAILURE);
    CHECK(says(error, rule_));
    if (!inside()) CHECK(error.reason == CADASTRE_REASON_INJECTED);
    if (point_ == "internal") CHECK(error.reason == CADASTRE_REASON_OUT_OF_HOST_MEMORY);
    if (point_ == "system") {  // by which the library also gets memory for itself
      CHECK(error.reason == CADASTRE_REASON_BACKEND_OUT_OF_MEMORY || error.reason == CADASTRE_REASON_BACKEND_FREE_FAILED ||
            error.reason == CADASTRE_REASON_OUT_OF_HOST_MEMORY);
    }
    if (inside()) CHECK(says(error, " (after " + rule_ + " made a call inside the library fail)"));
  }

  bool succeeds(cadastre_context context, cadastre_exit_code code) {
    if (code != CADASTRE_SUCCESS) explain(context, code);
    check_figures(context);
    return code == CADASTRE_SUCCESS;
  }

  void* made(cadastre_context context, void* pointer) {
    if (!pointer) explain(context, error_of(context).exit_code);
    check_figures(context);
    return pointer;
  }

  void check_figures(cadastre_context context) {
    if (cadastre_context_check(context) == CADASTRE_NULL_CONTEXT) return;
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      const cadastre_statistics_struct f = figures_of(context, type);
      CHECK(f.allocations == f.deallocations + f.failed_deallocations + f.live_blocks);
      CHECK(f.live_blocks > 0 || f.live_bytes == 0);
    }
  }

  cadastre_context created(const cadastre_context_options_struct& options) {
    const cadastre_context context = cadastre_context_create_with_options(&options);
    if (context == CADASTRE_NULL_CONTEXT) explain(context, error_of(context).exit_code);
    return context;
  }

  void destroy(cadastre_context context) {
    if (context == CADASTRE_NULL_CONTEXT) return;
    std::int64_t live = 0;
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) live += figures_of(context, type).live_blocks;
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    const cadastre_exit_code code = cadastre_context_destroy_with_summary(context, &summary);
    if (code != CADASTRE_SUCCESS) explain(context, code);
    CHECK(cadastre_context_check(context) == CADASTRE_NULL_CONTEXT);
    CHECK(summary.live_blocks <= live && (code == CADASTRE_SUCCESS) == (summary.failed_deallocations == 0));
  }

  void use_blocks(cadastre_context context);
  void use_workspace(cadastre_context context);
  void use_limit(cadastre_context context);
  void use_threads(cadastre_context context);
  void use_own_backend();
  void report(cadastre_context context);

  std::string point_, rule_;
  const int plain_ = point_ == "internal" ? 150 : 6;  // blocks, for which tables of the library grow
  std::atomic<int> failed_ = 0;
  static inline int runs_ = 0;
};

void Program::use_blocks(cadastre_context context) {
  char label[64];
  std::vector<void*> blocks;
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  for (int i = 0; i < plain_; ++i) {
    std::snprintf(label, sizeof label, "label %d of run %d", i % 5, runs_);
    blocks.push_back(made(context, allocate(context, CADASTRE_HOST, static_cast<std::size_t>(i), i % 2 ? label : nullptr)));
  }
  const std::array<std::pair<cadastre_memory_type, std::size_t>, 6> kinds{{{CADASTRE_HOST, std::size_t{4} << 20},
                                                                           {CADASTRE_PINNED, 4096},
                                                                           {CADASTRE_DEVICE, 1 << 16},
                                                                           {CADASTRE_UVM, 300},
                                                                           {CADASTRE_DEVICE, std::size_t{5} << 18},
                                                                           {CADASTRE_DEVICE, 100}}};
  for (const auto& [type, size] : kinds) blocks.push_back(made(context, allocate(context, type, size, "of any kind")));
  info = cadastre_memory_info_struct_zero;
  info.size = 500;
  info.type = CADASTRE_DEVICE;
  if (void* const block = made(context, cadastre_malloc_async(context, info, CADASTRE_DEFAULT_QUEUE))) {
    succeeds(context, cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE));
  }
  info = cadastre_memory_info_struct_zero;
  info.size = 1000;
  info.alignment = 1 << 16;
  info.flags = CADASTRE_UNINITIALIZED;
  blocks.push_back(made(context, cadastre_malloc(context, info)));
  info.size = std::size_t{4} << 20;
  info.alignment = std::size_t{8} << 20;
  blocks.push_back(made(context, cadastre_malloc(context, info)));
  const auto first = static_cast<std::size_t>(plain_);
  const auto resize = [&](std::size_t at, std::size_t size) {
    if (!blocks[at]) return;
    if (void* const moved = made(context, cadastre_realloc(context, blocks[at], size))) blocks[at] = moved;
    cadastre_memory_info_struct after = cadastre_memory_info_struct_zero;
    CHECK(cadastre_get_malloc_info(context, blocks[at], &after) == CADASTRE_SUCCESS);
  };
  for (const std::size_t at : {1u, 2u, 3u}) resize(at, 5000);
  resize(first, std::size_t{5} << 20);
  resize(first, 100);
  resize(first + 2, 1 << 17);
  static char array[64] = "a program's own";
  info = cadastre_memory_info_struct_zero;
  info.pointer = array;
  info.size = sizeof array;
  if (succeeds(context, cadastre_wrap(context, info))) {
    CHECK(cadastre_find_block(context, array + 1, &info, nullptr) == CADASTRE_SUCCESS);
    if (void* const device = blocks[first + 5]) {
      succeeds(context, cadastre_memcpy(context, device, array, sizeof array));
      succeeds(context, cadastre_memcpy_strided(context, device, array, 1, 3));
      succeeds(context, cadastre_memset(context, device, 1, 100));
    }
    CHECK(cadastre_unwrap(context, array) == CADASTRE_SUCCESS);
  }
  for (const std::size_t at : {std::size_t{0}, std::size_t{1}, first - 1, first + 1, first + 2, first + 4, first + 7}) {
    if (blocks[at])
      succeeds(context, at % 2 ? cadastre_free(context, blocks[at]) : cadastre_free_async(context, blocks[at], CADASTRE_DEFAULT_QUEUE));
    if (blocks[at]) CHECK(cadastre_free(context, blocks[at]) == CADASTRE_INVALID_ARG_2);
  }
}

void Program::use_workspace(cadastre_context context) {
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_HOST}) {
    const std::size_t sizes[] = {1000, 5000, 1 << 20};
    for (std::size_t n = 1; n <= 3; ++n) {
      void* pointers[3];
      cadastre_lease lease;
      if (!succeeds(context, cadastre_workspace_acquire(context, type, n, sizes, pointers, &lease))) continue;
      succeeds(context, cadastre_workspace_release(context, lease));
    }
  }
  succeeds(context, cadastre_workspace_set_size(context, CADASTRE_HOST, 1 << 16));
}

// A limit is met exactly, unless a request that failed holds bytes, and idle workspaces are given up for one that is exceeded; and a
// workspace in a block of the program's. What exceeds a limit is asked about first.
void Program::use_limit(cadastre_context context) {
  int asked = 0;
  const auto free_a_block = [](const cadastre_out_of_memory_struct* request, void* asked_so_far) {
    ++*static_cast<int*>(asked_so_far);
    void* const block = allocate(request->context, request->type, 10);  // which may be refused, and is not asked about
    if (block) cadastre_free(request->context, block);
    return 0;
  };
  const bool is_set = succeeds(context, cadastre_set_out_of_memory_function(context, free_a_block, &asked));
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE}) {
    const std::size_t in_use = figures_of(context, type).live_bytes;
    CHECK(cadastre_set_limit(context, type, in_use + 1000) == CADASTRE_SUCCESS);
    for (const std::size_t size : {1000u, 2000u}) {
      void* const block = allocate(context, type, size);
      if (block) succeeds(context, cadastre_free(context, block));
      if (!block && size > 1000 && error_of(context).exit_code == CADASTRE_LIMIT_EXCEEDED) CHECK(!is_set || asked > 0);
      else if (!block) made(context, block);
      if (size == 1000) asked = 0;
    }
    CHECK(cadastre_set_limit(context, type, CADASTRE_UNLIMITED) == CADASTRE_SUCCESS);
  }
  CHECK(cadastre_set_out_of_memory_function(context, nullptr, nullptr) == CADASTRE_SUCCESS);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.type = CADASTRE_DEVICE;
  info.size = 1 << 16;
  info.alignment = 512;
  void* const buffer = made(context, cadastre_malloc(context, info));
  if (!buffer) return;
  if (succeeds(context, cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, buffer, 1 << 16))) {
    const std::size_t size = 100;
    void* piece;
    cadastre_lease lease;
    if (succeeds(context, cadastre_workspace_acquire(context, CADASTRE_DEVICE, 1, &size, &piece, &lease))) {
      succeeds(context, cadastre_workspace_release(context, lease));
    }
    succeeds(context, cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, nullptr, 0));
  }
  succeeds(context, cadastre_free(context, buffer));
}

void Program::use_threads(cadastre_context context) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      std::vector<void*> blocks(static_cast<std::size_t>(plain_ / 2));
      for (void*& block : blocks) {
        block = allocate(context, CADASTRE_HOST, 64, i == 0 ? "of a thread" : nullptr);
        if (!block) explain(context, error_of(context).exit_code);
      }
      for (void* const block : blocks) {
        const cadastre_exit_code code = block ? cadastre_free(context, block) : CADASTRE_SUCCESS;
        if (code != CADASTRE_SUCCESS) explain(context, code);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  check_figures(context);
}

void Program::use_own_backend() {
  static int backends = 0;
  cadastre_backend_operations_struct table = cadastre_backend_operations_struct_zero;
  table.memory_type_mask = 1u << CADASTRE_PINNED;
  table.allocate = [](void*, const cadastre_memory_info_struct* info, cadastre_queue, void** pointer) {
    *pointer = std::aligned_alloc(256, (info->size + 256) / 256 * 256);
    if (*pointer) std::memset(*pointer, 0, info->size);
    return std::int32_t{*pointer ? 0 : 1};
  };
  table.free = [](void*, const cadastre_memory_info_struct* info) { return std::free(info->pointer), std::int32_t{0}; };
  table.copy = [](void*, void* to, const cadastre_memory_info_struct*, const void* from, const cadastre_memory_info_struct*,
                  std::size_t size, cadastre_queue) { return std::memcpy(to, from, size), std::int32_t{0}; };
  table.set = [](void*, void* to, const cadastre_memory_info_struct*, int value, std::size_t size, cadastre_queue) {
    return std::memset(to, value, size), std::int32_t{0};
  };
  table.clone = [](void*, void**) { return ++backends, std::int32_t{0}; };
  table.destroy = [](void*) { return --backends, std::int32_t{0}; };
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = cadastre_backend_register("own", &table, nullptr);
  if (options.backend == CADASTRE_INVALID_BACKEND) return explain(CADASTRE_NULL_CONTEXT, CADASTRE_ALLOCATION_FAILED);
  const cadastre_context context = created(options);
  if (context != CADASTRE_NULL_CONTEXT) {
    void* const block = made(context, allocate(context, CADASTRE_PINNED, 1000, "of its own"));
    void* const longer = block ? made(context, cadastre_realloc(context, block, 2000)) : nullptr;
    if (longer) succeeds(context, cadastre_memset(context, longer, 1, 2000));
  }
  destroy(context);
  CHECK(backends == 0);
  CHECK(cadastre_backend_unregister(options.backend) == CADASTRE_SUCCESS);
  CHECK(backends == -1);
  backends = 0;
}

void Program::report(cadastre_context context) {
  static std::FILE* const nowhere = std::fopen("/dev/null", "w");
  for (const cadastre_context of : {context, CADASTRE_PROCESS}) {
    succeeds(of, cadastre_report(of, nowhere, CADASTRE_REPORT_TEXT));
    succeeds(of, cadastre_report(of, nowhere, CADASTRE_REPORT_JSON));
  }
  int blocks = 0;
  const auto count = [](const cadastre_memory_info_struct*, void* number) { return ++*static_cast<int*>(number), CADASTRE_SUCCESS; };
  if (succeeds(context, cadastre_foreach_block(context, count, &blocks))) CHECK(blocks > 0 || point_ != "create");
  succeeds(context, cadastre_pool_trim(context, CADASTRE_DEVICE, 0));
  cadastre_device_info_struct device = cadastre_device_info_struct_zero;
  CHECK(cadastre_device_get_info(CADASTRE_BACKEND_HOST, 0, &device) == CADASTRE_SUCCESS);
}

int Program::run() {
  ++runs_;
  failed_ = 0;
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.device = CADASTRE_DEVICE_BY_ID(0);
  const cadastre_context parent = created(options);
  options = cadastre_context_options_struct_zero;
  options.parent = parent;
  options.limits[CADASTRE_HOST] = std::size_t{1} << 30;
  const cadastre_context child = created(options);
  for (const cadastre_context context : {parent, child}) {
    if (context == CADASTRE_NULL_CONTEXT) continue;
    use_blocks(context);
    use_workspace(context);
    use_limit(context);
    use_threads(context);
    report(context);
  }
  use_own_backend();
  char label[64];
  std::snprintf(label, sizeof label, "a label that was asked for in run %d", runs_);
  if (!cadastre_label(label)) explain(CADASTRE_NULL_CONTEXT, CADASTRE_ALLOCATION_FAILED);
  if (child != CADASTRE_NULL_CONTEXT && succeeds(child, cadastre_free_all(child))) {
    CHECK(figures_of(child, CADASTRE_DEVICE).live_bytes <= figures_of(child, CADASTRE_DEVICE).high_water_mark_bytes);
  }
  destroy(child);
  destroy(parent);
  return failed_;
}

void an_allocation_fails_with_a_reason_of_its_own_and_counts_as_failed(void**) {
  with("malloc:3", [] {
    const cadastre_context context = cadastre_context_create();
    for (int call = 1; call <= 4; ++call) {
      void* const block = allocate(context, CADASTRE_HOST, 800, "walkers");
      CHECK((block == nullptr) == (call == 3));
    }
    const cadastre_error_struct error = error_of(context);
    CHECK(error.exit_code == CADASTRE_ALLOCATION_FAILED && error.reason == CADASTRE_REASON_INJECTED);
    CHECK(error.requested == 800 && error.type == CADASTRE_HOST && error.backend == CADASTRE_BACKEND_HOST);
    CHECK(says(error, "cadastre_malloc: CADASTRE_FAIL=malloc:3 made this call fail, labelled \"walkers\""));
    const cadastre_statistics_struct figures = figures_of(context, CADASTRE_HOST);
    CHECK(figures.allocations == 3 && figures.failed_allocations == 1 && figures.live_bytes == 2400);
    CHECK(has_failed_on_demand());
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.flags = CADASTRE_BORROWED;
    CHECK(!cadastre_malloc(context, info) && error_of(context).reason == CADASTRE_REASON_INVALID_FLAGS);
  });
  with("malloc:2-3", [] {
    const cadastre_context context = cadastre_context_create();
    void* const block = allocate(context, CADASTRE_HOST, 10);
    CHECK(block && !allocate(context, CADASTRE_DEVICE, 10));
    CHECK(!cadastre_realloc(context, block, 20) && says(error_of(context), "cadastre_realloc: CADASTRE_FAIL=malloc:2-3 made"));
    CHECK(figures_of(context, CADASTRE_HOST).live_bytes == 10 && cadastre_realloc(context, block, 20));
  });
}

void conditions_choose_the_blocks(void**) {
  with("malloc:2:type=DEVICE:size>=1K,malloc:1+:label=ao_*:backend=host", [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, CADASTRE_DEVICE, 1024) && allocate(context, CADASTRE_DEVICE, 1023) && allocate(context, CADASTRE_HOST, 4096));
    CHECK(!allocate(context, CADASTRE_DEVICE, 1025) && says(error_of(context), "malloc:2:type=DEVICE:size>=1K made"));
    CHECK(allocate(context, CADASTRE_DEVICE, 1025));
    CHECK(!allocate(context, CADASTRE_HOST, 1, "ao_1") && !allocate(context, CADASTRE_UVM, 1, "ao_2") &&
          allocate(context, CADASTRE_HOST, 1, "mo_1"));
  });
}

void a_block_that_was_not_freed_has_gone_and_counts_as_failed(void**) {
  with("free:2-3", [] {
    const cadastre_context context = cadastre_context_create();
    for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_HOST, CADASTRE_DEVICE, CADASTRE_DEVICE}) {
      static int call = 0;
      void* const block = allocate(context, type, 100, "orbitals");
      const bool fails = ++call == 2 || call == 3;
      CHECK(cadastre_free(context, block) == (fails ? CADASTRE_DEALLOCATION_FAILED : CADASTRE_SUCCESS));
      if (fails) CHECK(says(error_of(context), "cadastre_free: CADASTRE_FAIL=free:2-3 made this call fail, labelled \"orbitals\""));
      CHECK(cadastre_free(context, block) == CADASTRE_INVALID_ARG_2);
    }
    for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE}) {
      const cadastre_statistics_struct figures = figures_of(context, type);
      CHECK(figures.deallocations == 1 && figures.failed_deallocations == 1 && figures.live_blocks == 0 && figures.live_bytes == 0);
    }
  });
}

bool has_cuda_double() {
  const char* const library = std::getenv("CADASTRE_CUDA_LIBRARY");
  return library && std::strstr(library, "cuda_double");
}

// What a pool takes back by a queue, it may take back at once.
void a_free_by_the_queue_of_a_pool_fails(void**) {
  if (!has_cuda_double()) skip_because("there is no double of a runtime");
  const Variables variables{{"CADASTRE_FAIL", "free:1"}, {"CADASTRE_BACKEND", "cuda"}, {"CADASTRE_POOL", "caching"}};
  assert_int_equal(status_of(variables,
                             [] {
                               const cadastre_context context = cadastre_context_create();
                               void* const block = allocate(context, CADASTRE_DEVICE, 100);
                               CHECK(cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE) == CADASTRE_DEALLOCATION_FAILED);
                               CHECK(figures_of(context, CADASTRE_DEVICE).failed_deallocations == 1);
                               return 0;
                             }),
                   0);
}

void a_destruction_counts_the_blocks_that_were_not_freed(void**) {
  with("free:1+:size>=50", [] {
    const cadastre_context context = cadastre_context_create();
    for (const std::size_t size : {40u, 50u, 60u})
      CHECK(allocate(context, CADASTRE_HOST, size) && allocate(context, CADASTRE_DEVICE, size));
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    CHECK(cadastre_context_destroy_with_summary(context, &summary) == CADASTRE_DEALLOCATION_FAILED);
    CHECK(summary.failed_deallocations == 4 && summary.live_blocks == 6);
    CHECK(error_of(context).reason == CADASTRE_REASON_INJECTED);
    CHECK(cadastre_context_check(context) == CADASTRE_NULL_CONTEXT);
  });
}

void copies_sets_and_creations_fail(void**) {
  with("copy:1-2,create:2", [] {
    const cadastre_context context = cadastre_context_create();
    char host[100] = {};
    void* const block = allocate(context, CADASTRE_DEVICE, 100);
    CHECK(cadastre_memcpy(context, block, host, 101) == CADASTRE_OUT_OF_BOUNDS);
    CHECK(cadastre_memcpy(context, block, host, 100) == CADASTRE_FAILURE && error_of(context).reason == CADASTRE_REASON_INJECTED);
    CHECK(cadastre_memset(context, block, 0, 100) == CADASTRE_FAILURE &&
          says(error_of(context), "cadastre_memset: CADASTRE_FAIL=copy:1-2"));
    CHECK(cadastre_memset(context, block, 0, 100) == CADASTRE_SUCCESS);
    CHECK(cadastre_context_create() == CADASTRE_NULL_CONTEXT);
    CHECK(error_of(CADASTRE_NULL_CONTEXT).exit_code == CADASTRE_ALLOCATION_FAILED);
    CHECK(says(error_of(CADASTRE_NULL_CONTEXT), "cadastre_context_create: CADASTRE_FAIL=create:2 made this call fail"));
    CHECK(cadastre_context_create() != CADASTRE_NULL_CONTEXT);
  });
}

// Whether the library's own operator new fails on demand.
#ifdef CADASTRE_WRAPS_NEW
constexpr bool wraps_new = true;
#else
constexpr bool wraps_new = false;
#endif

void a_failure_inside_the_library_is_like_a_true_one_and_says_what_caused_it(void**) {
  with("system:1", [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(!allocate(context, CADASTRE_HOST, std::size_t{64} << 20));
    const cadastre_error_struct error = error_of(context);
    const bool of_the_backend = error.reason == CADASTRE_REASON_BACKEND_OUT_OF_MEMORY && error.vendor_code == ENOMEM;
    CHECK(of_the_backend || error.reason == CADASTRE_REASON_OUT_OF_HOST_MEMORY);
    CHECK(says(error, " (after CADASTRE_FAIL=system:1 made a call inside the library fail)"));
    CHECK(!allocate(context, CADASTRE_HOST, SIZE_MAX / 2 - 5) && !std::strstr(error_of(context).message, "CADASTRE_FAIL"));
  });
  if (!wraps_new) skip_because("the library is not one whose operator new fails on demand");
  with("internal:1", [] {
    CHECK(cadastre_context_create() == CADASTRE_NULL_CONTEXT);
    CHECK(error_of(CADASTRE_NULL_CONTEXT).reason == CADASTRE_REASON_OUT_OF_HOST_MEMORY);
    CHECK(says(error_of(CADASTRE_NULL_CONTEXT), " (after CADASTRE_FAIL=internal:1 made a call inside the library fail)"));
    CHECK(cadastre_context_create() != CADASTRE_NULL_CONTEXT);
  });
}

void a_malformed_value_makes_no_context(void**) {
  with("malloc:3,calloc:1", [] {
    CHECK(cadastre_context_create() == CADASTRE_NULL_CONTEXT);
    const cadastre_error_struct error = error_of(CADASTRE_NULL_CONTEXT);
    CHECK(error.exit_code == CADASTRE_INVALID_ENVIRONMENT);
    CHECK(says(error, "CADASTRE_FAIL=malloc:3,calloc:1 is malformed; it must be rules as in malloc:3"));
  });
}

void rules_of_another_rank_do_nothing(void**) {
  const auto fails = [](const char* own, const char* rank) {
    return status_of({{"CADASTRE_FAIL", std::string("malloc:1:rank=") + rank}, {"PMIX_RANK", own}},
                     [] { return allocate(cadastre_context_create(), CADASTRE_HOST, 1) == nullptr; }) == 1;
  };
  assert_true(fails("3", "3"));
  assert_false(fails("3", "2"));
}

char folder[] = "/tmp/cadastre-fail-XXXXXX";

// What a program may be run in: plain, with pools, on the stand-in for CUDA, recorded, and as one of a job's processes.
std::vector<Variables> settings(bool of_a_job) {
  const std::string in = folder;
  std::vector<Variables> all = {
      {},
      {{"CADASTRE_POOL", "caching"}, {"CADASTRE_LIMIT", "process:HOST=2G,process:DEVICE=50%/ranks"}, {"CADASTRE_RANKS_PER_DEVICE", "2"}},
      {{"CADASTRE_BACKEND", has_cuda_double() ? "cuda" : "host"},
       {"CADASTRE_POOL", "caching,DEVICE=none"},
       {"CADASTRE_WORKSPACE_SIZE", "stream-ordered"}},
      {{"CADASTRE_TRACE", in + "/trace"}, {"CADASTRE_REPORT", in + "/report.json"}, {"CADASTRE_LOG_FILE", in + "/log"}},
      {{"CADASTRE_TRACE", in + "/trace.csv"}}};
  if (of_a_job) {
    all.push_back({{"CADASTRE_LIMIT", "process:DEVICE=50%/ranks"},
                   {"XDG_RUNTIME_DIR", in},
                   {"OMPI_COMM_WORLD_LOCAL_SIZE", "1"},
                   {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
                   {"PMIX_NAMESPACE", "job of test_fail_in_turn"}});
  }
  return all;
}

// Lets the calls of a point fail one after the other, and with all that follow where which ends in "+". How many failed in turn.
// Mostly they are the same in all settings: only the plain one has each of them fail, if processes start fast.
int in_turn(const char* point, const char* which, const Variables& variables) {
  constexpr int most = 3000;
  const bool are_few = std::strcmp(point, "copy") == 0 || std::strcmp(point, "create") == 0;
  const bool is_each = are_few || (variables.empty() && !*which && !sanitized) || std::getenv("LONG");
  const int step = is_each ? 1 : sanitized ? 24 : 4;
  enum { not_so = 1, none_failed = 0, failed = 42 };
  for (int k = 1; k <= most; k += step) {
    const std::string rule = std::string(point) + ":" + std::to_string(k) + which;
    Variables all = variables;
    all.insert(all.end(), {{"CADASTRE_FAIL", rule}, {"CADASTRE_EMULATED_DEVICES", "1"}});
    const int status = status_of(all, [&] {
      Program program(point, "CADASTRE_FAIL=" + rule);
      const int calls = program.run();
      const bool any = has_failed_on_demand();
      CHECK(any || calls == 0);
      if (!*which && k / step % 4 == 1) CHECK(program.run() == 0 || !any);
      return any ? failed : none_failed;
    });
    if (status != failed && status != none_failed) print_error("CADASTRE_FAIL=%s: exit status %d\n", rule.c_str(), status);
    assert_true(status == failed || status == none_failed);
    if (status == none_failed) return k - step;
  }
  return most;
}

void in_all_settings(const char* point, const char* which, int at_least) {
  std::strcpy(std::strrchr(folder, '-'), "-XXXXXX");
  assert_non_null(mkdtemp(folder));
  for (const Variables& variables : settings(std::strcmp(point, "system") == 0)) {
    if (*which && !variables.empty()) continue;
    const int failed = in_turn(point, which, variables);
    print_message("# %s%s: %d in turn\n", point, which, failed);
    assert_in_range(failed, at_least, 2999);
  }
  assert_int_equal(std::system(("rm -r " + std::string(folder)).c_str()), 0);
}

void each_allocation_of_a_program_fails_in_turn(void**) { in_all_settings("malloc", "", 40); }
void each_free_of_a_program_fails_in_turn(void**) { in_all_settings("free", "", 30); }
void each_copy_and_creation_of_a_program_fails_in_turn(void**) {
  in_all_settings("copy", "", 6);
  in_all_settings("create", "", 2);
}
void each_allocation_inside_the_library_fails_in_turn(void**) {
  if (!wraps_new) skip_because("the library is not one whose operator new fails on demand");
  in_all_settings("internal", "", 30);
}
void each_system_call_of_the_library_fails_in_turn(void**) { in_all_settings("system", "", 10); }

void all_fail_from_any_call_on_and_the_program_ends_in_order(void**) {
  for (const char* point : {"create", "copy", "system", "internal"}) {
    if (std::strcmp(point, "internal") != 0 || wraps_new) in_all_settings(point, "+", 2);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(an_allocation_fails_with_a_reason_of_its_own_and_counts_as_failed),
      cmocka_unit_test(conditions_choose_the_blocks),
      cmocka_unit_test(a_block_that_was_not_freed_has_gone_and_counts_as_failed),
      cmocka_unit_test(a_free_by_the_queue_of_a_pool_fails),
      cmocka_unit_test(a_destruction_counts_the_blocks_that_were_not_freed),
      cmocka_unit_test(copies_sets_and_creations_fail),
      cmocka_unit_test(a_failure_inside_the_library_is_like_a_true_one_and_says_what_caused_it),
      cmocka_unit_test(a_malformed_value_makes_no_context),
      cmocka_unit_test(rules_of_another_rank_do_nothing),
      cmocka_unit_test(each_allocation_of_a_program_fails_in_turn),
      cmocka_unit_test(each_free_of_a_program_fails_in_turn),
      cmocka_unit_test(each_copy_and_creation_of_a_program_fails_in_turn),
      cmocka_unit_test(each_allocation_inside_the_library_fails_in_turn),
      cmocka_unit_test(each_system_call_of_the_library_fails_in_turn),
      cmocka_unit_test(all_fail_from_any_call_on_and_the_program_ends_in_order),
  };
  return cmocka_run_group_tests_name("fail_in_turn", tests, nullptr, nullptr);
}
