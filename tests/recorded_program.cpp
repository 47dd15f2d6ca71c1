// Tangled from org/tests/recorded_programs.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Works with memory in the manner that its argument names, for tests/test_recorded_programs.sh; exits with 0 on success.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cadastre_workspace.h"

namespace {

constexpr int threads = 4, rounds = 1500;

void check_that(bool holds, const char* what, int line) {
  if (holds) return;
  std::fprintf(stderr, "line %d: not so: %s\n", line, what);
  _exit(1);
}
#define CHECK(holds) check_that(holds, #holds, __LINE__)

cadastre_context created() {
  const cadastre_context context = cadastre_context_create();
  CHECK(context != CADASTRE_NULL_CONTEXT);
  return context;
}

void destroy(cadastre_context context) { CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS); }

void* allocate(cadastre_context context, std::size_t size, cadastre_memory_type type = CADASTRE_HOST, std::size_t alignment = 0) {
  constexpr std::array labels = {"walkers", "orbitals, real part", "a \"quoted\" label", static_cast<const char*>(nullptr)};
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.alignment = alignment;
  info.label = labels[size % labels.size()];
  return cadastre_malloc(context, info);
}

// A number that looks drawn, of each state and step the same.
std::size_t drawn(std::uint64_t& state, std::size_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<std::size_t>(state >> 33) % below;
}

// All kinds of operations on up to fifty blocks.
void work(cadastre_context context, std::uint64_t state, int steps) {
  std::vector<void*> blocks;
  char here[4096] = {};
  cadastre_memory_info_struct info;
  for (int i = 0; i < steps; ++i) {
    const std::size_t action = drawn(state, 10);
    if (blocks.size() < 5 || (action < 4 && blocks.size() < 50)) {
      const cadastre_memory_type type = drawn(state, 3) == 0 ? CADASTRE_DEVICE : CADASTRE_HOST;
      void* const block = allocate(context, 16 + drawn(state, 4000), type);
      CHECK(block != nullptr);
      blocks.push_back(block);
      continue;
    }
    const std::size_t at = drawn(state, blocks.size());
    CHECK(cadastre_get_malloc_info(context, blocks[at], &info) == CADASTRE_SUCCESS);
    void* const other = blocks[(at + 1) % blocks.size()];
    if (action < 7) {
      CHECK(cadastre_free(context, blocks[at]) == CADASTRE_SUCCESS);
      if (action == 6 && info.type == CADASTRE_HOST) cadastre_get_malloc_info(context, here + at, &info);
      blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(at));
    } else if (action == 7) {
      blocks[at] = cadastre_realloc(context, blocks[at], 16 + drawn(state, 4000));
      CHECK(blocks[at] != nullptr);
    } else if (action == 8) {
      CHECK(cadastre_memcpy(context, blocks[at], other, 16) == CADASTRE_SUCCESS);
    } else {
      CHECK(cadastre_memcpy(context, static_cast<char*>(blocks[at]) + info.size / 2, here, info.size / 2) == CADASTRE_SUCCESS);
    }
  }
}

void alone() {
  const cadastre_context first = created(), second = created();
  work(first, 1, 3000);
  work(second, 2, 3000);
  destroy(first);
  const cadastre_context third = created();
  work(third, 3, 100);
  CHECK(cadastre_free_all(third) == CADASTRE_SUCCESS);
  work(third, 4, 100);
  destroy(third);
  destroy(second);
}

template <class Body>
void in_threads(Body body) {
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(body, i);
  for (std::thread& one : all) one.join();
}

void each_its_own() {
  in_threads([](int i) {
    for (std::uint64_t k = 0; k < 3; ++k) {
      const cadastre_context context = created();
      work(context, 10 * static_cast<std::uint64_t>(i) + k, rounds / 3);
      destroy(context);
    }
  });
}

void one_for_all() {
  const cadastre_context context = created();
  in_threads([=](int i) { work(context, static_cast<std::uint64_t>(i), rounds); });
  destroy(context);
}

// Blocks of few sizes go from hand to hand, so that an address that one thread frees is another's at once.
void hand_to_hand() {
  struct Held {
    void* block = nullptr;
    cadastre_context context = CADASTRE_NULL_CONTEXT;
  };
  const std::array contexts = {created(), created()};
  std::vector<Held> table(8);
  std::mutex mutex;
  in_threads([&](int i) {
    std::uint64_t state = static_cast<std::uint64_t>(i);
    for (int k = 0; k < 2 * rounds; ++k) {
      Held mine{nullptr, contexts[drawn(state, contexts.size())]};
      mine.block = allocate(mine.context, 24);
      CHECK(mine.block != nullptr);
      {
        const std::lock_guard lock(mutex);
        std::swap(mine, table[drawn(state, table.size())]);
      }
      cadastre_memory_info_struct info;
      if (!mine.block) continue;
      CHECK(cadastre_get_malloc_info(mine.context, mine.block, &info) == CADASTRE_SUCCESS);
      CHECK(cadastre_free(mine.context, mine.block) == CADASTRE_SUCCESS);
    }
  });
  for (const cadastre_context context : contexts) destroy(context);
}

void failures() {
  const cadastre_context context = created(), other = created();
  char here[100] = {};
  char* const block = static_cast<char*>(allocate(context, 100));
  void* const freed = allocate(context, 64);
  CHECK(cadastre_free(context, freed) == CADASTRE_SUCCESS && cadastre_free(context, freed) == CADASTRE_INVALID_ARG_2);
  cadastre_memory_info_struct info;
  CHECK(cadastre_get_malloc_info(context, freed, &info) == CADASTRE_INVALID_ARG_2);
  CHECK(!cadastre_realloc(context, freed, 10) && !cadastre_realloc(context, block, SIZE_MAX));
  CHECK(cadastre_free(other, block) == CADASTRE_INVALID_ARG_2);
  for (void* const pointer : {static_cast<void*>(nullptr), static_cast<void*>(here), static_cast<void*>(block + 1)}) {
    CHECK(cadastre_free(context, pointer) == CADASTRE_INVALID_ARG_2 && !cadastre_realloc(context, pointer, 10));
    CHECK(cadastre_get_malloc_info(context, pointer, &info) == CADASTRE_INVALID_ARG_2);
  }
  CHECK(!allocate(context, SIZE_MAX) && !allocate(CADASTRE_NULL_CONTEXT, 1));
  CHECK(cadastre_memcpy(context, block, here, 101) == CADASTRE_OUT_OF_BOUNDS);
  CHECK(cadastre_memcpy(context, block + 50, here, 51) == CADASTRE_OUT_OF_BOUNDS);
  CHECK(cadastre_memcpy(context, here, block + 99, 2) == CADASTRE_OUT_OF_BOUNDS);
  CHECK(cadastre_memcpy(context, block, block + 1, 50) == CADASTRE_INVALID_ARG_2);
  CHECK(cadastre_memcpy(context, here, here + 1, 50) == CADASTRE_INVALID_ARG_2);
  CHECK(cadastre_memcpy(context, nullptr, block, 1) == CADASTRE_INVALID_ARG_2);
  CHECK(cadastre_memcpy(context, block, nullptr, 1) == CADASTRE_INVALID_ARG_3);
  CHECK(cadastre_memcpy(context, block, reinterpret_cast<void*>(8), 1) == CADASTRE_INVALID_ARG_3);
  CHECK(cadastre_memcpy(context, block, here, SIZE_MAX) != CADASTRE_SUCCESS);
  void* const device = allocate(other, 10, CADASTRE_DEVICE);
  CHECK(device && cadastre_memcpy(context, block, device, 10) == CADASTRE_INVALID_ARG_3);
  destroy(context);
  CHECK(cadastre_free(context, block) == CADASTRE_INVALID_CONTEXT);
  CHECK(cadastre_context_destroy(context) == CADASTRE_INVALID_CONTEXT);
  destroy(other);
}

void workspaces() {
  const cadastre_context context = created();
  cadastre_workspace_info_struct workspace = cadastre_workspace_info_struct_zero;
  CHECK(cadastre_workspace_get_info(context, CADASTRE_DEVICE, &workspace) == CADASTRE_SUCCESS);
  void* const buffer = allocate(context, 1 << 16, CADASTRE_DEVICE, workspace.granularity);
  char here[1000] = {};
  const std::size_t size = sizeof here;
  for (int i = 0; i < 100; ++i) {
    void* scratch = nullptr;
    cadastre_lease lease;
    CHECK(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &size, &scratch, &lease) ==
          CADASTRE_SUCCESS);
    void* const block = allocate(context, size);
    cadastre_memory_info_struct info;
    CHECK(cadastre_get_malloc_info(context, scratch, &info) == CADASTRE_SUCCESS);
    CHECK(cadastre_free(context, scratch) == CADASTRE_INVALID_ARG_2);
    CHECK(cadastre_memcpy(context, scratch, block, size) == CADASTRE_SUCCESS);
    CHECK(cadastre_memcpy(context, here, scratch, size) == CADASTRE_SUCCESS);
    CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
    CHECK(cadastre_workspace_release(context, lease) == CADASTRE_SUCCESS);
    if (i == 20) CHECK(cadastre_workspace_set_size(context, CADASTRE_HOST, CADASTRE_WORKSPACE_PER_LEASE) == CADASTRE_SUCCESS);
    if (i == 50) CHECK(cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, buffer, 1 << 16) == CADASTRE_SUCCESS);
    if (i == 60) CHECK(cadastre_free(context, buffer) == CADASTRE_INVALID_ARG_2);
    if (i == 70) CHECK(cadastre_get_malloc_info(context, buffer, &info) == CADASTRE_SUCCESS);
    if (i == 80) CHECK(cadastre_workspace_set_size(context, CADASTRE_DEVICE, CADASTRE_WORKSPACE_PER_LEASE) == CADASTRE_SUCCESS);
    if (i == 80) CHECK(cadastre_free(context, buffer) == CADASTRE_SUCCESS);
  }
  destroy(context);
}

void borrowed() {
  const cadastre_context context = created();
  char here[200] = {};
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.pointer = here;
  info.size = 100;
  CHECK(cadastre_wrap(context, info) == CADASTRE_SUCCESS);
  void* const block = allocate(context, 100);
  CHECK(cadastre_memcpy(context, here, block, 100) == CADASTRE_SUCCESS);
  CHECK(cadastre_memcpy(context, block, here + 10, 90) == CADASTRE_SUCCESS);
  CHECK(cadastre_get_malloc_info(context, here, &info) == CADASTRE_SUCCESS);
  CHECK(cadastre_free(context, here) == CADASTRE_INVALID_ARG_2);
  CHECK(cadastre_unwrap(context, here) == CADASTRE_SUCCESS);
  destroy(context);
}

// Until it is killed.
[[noreturn]] void for_ever() {
  const cadastre_context context = created();
  std::puts("begun");
  std::fflush(stdout);
  for (std::uint64_t i = 0;; ++i) work(context, i, 1000);
}

[[noreturn]] void aborting() {
  const cadastre_context context = created();
  work(context, 1, 1000);
  std::abort();
}

void forking() {
  const cadastre_context context = created();
  work(context, 1, 500);
  const pid_t child = fork();
  if (child == 0) {
    work(context, 2, 500);
    each_its_own();
    destroy(context);
    std::exit(0);
  }
  work(context, 3, 500);
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  destroy(context);
}

}  // namespace

int main(int argc, char** argv) {
  struct Manner {
    std::string_view name;
    void (*perform)();
  };
  constexpr Manner manners[] = {{"alone", alone},
                                {"each-its-own", each_its_own},
                                {"one-for-all", one_for_all},
                                {"hand-to-hand", hand_to_hand},
                                {"failures", failures},
                                {"workspaces", workspaces},
                                {"borrowed", borrowed},
                                {"for-ever", for_ever},
                                {"aborting", aborting},
                                {"forking", forking}};
  for (const Manner& manner : manners) {
    if (argc == 2 && manner.name == argv[1]) return manner.perform(), 0;
  }
  std::fprintf(stderr, "name one manner\n");
  return 2;
}
