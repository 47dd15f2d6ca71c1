// Tangled from org/tests/ends.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "cadastre.h"
#include "cmocka.hpp"

namespace {

constexpr int none = -1, child_side = 0;

pid_t forked = none;              // by the backend; 0 in the child
bool forks = false;               // whether the next allocation does
std::atomic<bool> waits = false;  // whether the next allocation waits until this is unset
std::atomic<bool> is_waiting = false;

std::int32_t allocate(void*, const cadastre_memory_info_struct* info, cadastre_queue, void** pointer) {
  if (std::exchange(forks, false)) {
    forked = fork();
    if (forked == child_side) alarm(10);
  }
  if (waits) {
    is_waiting = true;
    while (waits) std::this_thread::yield();
    is_waiting = false;
  }
  *pointer = std::calloc(1, info->size + 16);
  return *pointer ? 0 : 1;
}

std::int32_t release(void*, const cadastre_memory_info_struct* info) {
  std::free(info->pointer);
  return 0;
}

std::int32_t copy(void*, void* to, const cadastre_memory_info_struct*, const void* from, const cadastre_memory_info_struct*,
                  std::size_t bytes, cadastre_queue) {
  std::memcpy(to, from, bytes);
  return 0;
}

std::int32_t set(void*, void* to, const cadastre_memory_info_struct*, std::int32_t value, std::size_t bytes, cadastre_queue) {
  std::memset(to, value, bytes);
  return 0;
}

cadastre_context context_of_forks(cadastre_backend& backend) {
  cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
  operations.memory_type_mask = 1u << CADASTRE_HOST;
  operations.allocate = allocate;
  operations.free = release;
  operations.copy = copy;
  operations.set = set;
  backend = cadastre_backend_register("forks", &operations, nullptr);
  assert_true(backend != CADASTRE_INVALID_BACKEND);
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = backend;
  return cadastre_context_create_with_options(&options);
}

cadastre_memory_info_struct request(std::size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  return info;
}

// The first expectation that fails ends a child with its line.
void expect(bool holds, int line) {
  if (holds) return;
  if (forked == child_side) _exit(line % 200 + 1);
  print_message("line %d\n", line);
  assert_true(holds);
}
#define EXPECT(what) expect(what, __LINE__)

void child_ends_well(pid_t child) {
  if (child == child_side) _exit(0);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status)) print_message("the child was ended by signal %d\n", WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status)) print_message("the child failed in line %d or 200 more\n", WEXITSTATUS(status) - 1);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

std::size_t live_bytes(cadastre_context context) {
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  cadastre_get_statistics(context, CADASTRE_HOST, &s);
  return s.live_bytes;
}

// In parent and child alike.
void goes_on(cadastre_context context, cadastre_backend backend, std::size_t live) {
  EXPECT(live_bytes(context) == live);
  EXPECT(cadastre_set_limit(context, CADASTRE_HOST, live + 1000) == CADASTRE_SUCCESS);
  for (int round = 0; round < 3; ++round) {
    void* const block = cadastre_malloc(context, request(1000));
    EXPECT(block != nullptr);
    EXPECT(cadastre_malloc(context, request(1)) == nullptr);
    EXPECT(cadastre_free(context, block) == CADASTRE_SUCCESS);
  }
  EXPECT(cadastre_set_limit(context, CADASTRE_HOST, CADASTRE_UNLIMITED) == CADASTRE_SUCCESS);
  for (int i = 0; i < 200; ++i) EXPECT(cadastre_malloc(context, request(10)) != nullptr);  // more rooms than there were
  EXPECT(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  EXPECT(cadastre_backend_unregister(backend) == CADASTRE_SUCCESS);
}

void a_fork_inside_allocate_leaves_both_with_what_they_began(void**) {
  cadastre_backend backend;
  const cadastre_context context = context_of_forks(backend);
  EXPECT(cadastre_malloc(context, request(50)) != nullptr);
  forks = true;
  void* const block = cadastre_malloc(context, request(100));
  EXPECT(block != nullptr);
  EXPECT(cadastre_find_block(context, static_cast<char*>(block) + 99, nullptr, nullptr) == CADASTRE_SUCCESS);
  goes_on(context, backend, 150);
  child_ends_well(forked);
  forked = none;
}

void a_fork_inside_a_resize_leaves_both_with_the_block(void**) {
  cadastre_backend backend;
  const cadastre_context context = context_of_forks(backend);
  auto* block = static_cast<char*>(cadastre_malloc(context, request(50)));
  std::memset(block, 7, 50);
  forks = true;
  block = static_cast<char*>(cadastre_realloc(context, block, 500));
  EXPECT(block != nullptr);
  EXPECT(block[49] == 7 && block[50] == 0);
  EXPECT(cadastre_find_block(context, block + 499, nullptr, nullptr) == CADASTRE_SUCCESS);
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  cadastre_get_statistics(context, CADASTRE_HOST, &s);
  EXPECT(s.untracked_deallocations == 0);
  goes_on(context, backend, 500);
  child_ends_well(forked);
  forked = none;
}

void a_fork_elsewhere_does_not_keep_what_others_began(void**) {
  cadastre_backend backend;
  const cadastre_context context = context_of_forks(backend);
  waits = true;
  std::thread other([&] { cadastre_malloc(context, request(100)); });
  while (!is_waiting) std::this_thread::yield();
  forked = fork();
  waits = false;
  if (forked == child_side) {
    alarm(10);
    EXPECT(cadastre_set_limit(context, CADASTRE_HOST, 1000) == CADASTRE_SUCCESS);
    EXPECT(cadastre_malloc(context, request(1000)) != nullptr);
    EXPECT(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
    _exit(0);
  }
  other.join();
  child_ends_well(forked);
  forked = none;
  goes_on(context, backend, 100);
}

void a_limit_counts_what_calls_under_way_have_reserved(void**) {
  cadastre_backend backend;
  const cadastre_context context = context_of_forks(backend);
  waits = true;
  void* block = nullptr;
  std::thread other([&] { block = cadastre_malloc(context, request(100)); });
  while (!is_waiting) std::this_thread::yield();
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 50), CADASTRE_SUCCESS);
  assert_null(cadastre_malloc(context, request(1)));
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  assert_int_equal(error.reason, CADASTRE_REASON_LIMIT_EXCEEDED);
  assert_non_null(std::strstr(error.message, "while 100 other bytes are in use or being allocated"));
  waits = false;
  other.join();
  assert_non_null(block);
  assert_null(cadastre_malloc(context, request(1)));
  assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  assert_non_null(block = cadastre_malloc(context, request(50)));
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_backend_unregister(backend), CADASTRE_SUCCESS);
}

cadastre_context context_at_the_end = CADASTRE_NULL_CONTEXT;
int go_on_from = none, tell_to = none;

// The child tells what came of it.
ssize_t fork_when_written(void*, const char*, std::size_t bytes) {
  static bool once = false;
  if (std::exchange(once, true)) return static_cast<ssize_t>(bytes);
  if (fork() == child_side) {
    alarm(10);
    char go = 0;
    ssize_t got = read(go_on_from, &go, 1);
    void* const block = cadastre_malloc(context_at_the_end, request(100));
    const char good = block && cadastre_free(context_at_the_end, block) == CADASTRE_SUCCESS ? 'y' : 'n';
    got += write(tell_to, &good, 1);
    _exit(got == 2 ? 0 : 1);
  }
  return static_cast<ssize_t>(bytes);
}

[[noreturn]] void end_with_a_fork(const char* trace, int go_on, int tell) {
  go_on_from = go_on;
  tell_to = tell;
  setenv("CADASTRE_TRACE", trace, 1);  // not read yet
  context_at_the_end = cadastre_context_create();
  std::atomic<bool> locked = false;
  std::thread([&] {
    cadastre_lock(context_at_the_end);
    locked = true;
    for (;;) pause();
  }).detach();
  while (!locked) std::this_thread::yield();
  std::FILE* const stream = fopencookie(nullptr, "w", {nullptr, fork_when_written, nullptr, nullptr});
  std::fputs("the last words", stream);
  std::exit(0);
}

void a_fork_at_the_very_end_of_a_process_leaves_the_child_free(void**) {
  char trace[] = "/tmp/cadastre-end-XXXXXX";
  close(mkstemp(trace));
  int go_on[2], told[2];
  assert_int_equal(pipe(go_on), 0);
  assert_int_equal(pipe(told), 0);
  std::fflush(nullptr);
  const pid_t ending = fork();
  if (ending == child_side) {
    execl("/proc/self/exe", "test_ends", trace, std::to_string(go_on[0]).c_str(), std::to_string(told[1]).c_str(), nullptr);
    _exit(127);
  }
  close(told[1]);
  int status = 0;
  while (waitpid(ending, &status, 0) < 0 && errno == EINTR) continue;
  assert_int_equal(status, 0);
  const int file = open(trace, O_WRONLY);
  bool free_again = false;  // the child may not have got so far as to let go of it
  for (int round = 0; round < 300 && !free_again; ++round) {
    free_again = flock(file, LOCK_EX | LOCK_NB) == 0;
    if (!free_again) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  close(file);
  unlink(trace);
  char good = 0;
  const bool said = write(go_on[1], "g", 1) == 1 && read(told[0], &good, 1) == 1;
  for (const int end : {go_on[0], go_on[1], told[0]}) close(end);
  assert_true(free_again);
  assert_true(said && good == 'y');
}

struct Leaves {
  bool* left;
  ~Leaves() { *left = true; }
};

cadastre_exit_code end_the_thread(const cadastre_memory_info_struct*, void* left) {
  const Leaves here{static_cast<bool*>(left)};
  pthread_exit(left);
}

cadastre_exit_code throw_something(const cadastre_memory_info_struct*, void*) { throw std::runtime_error("no visit"); }

cadastre_exit_code be_cancelled(const cadastre_memory_info_struct*, void* visits) {
  ++*static_cast<int*>(visits);
  pthread_cancel(pthread_self());
  pthread_testcancel();
  return CADASTRE_SUCCESS;
}

cadastre_context context_of_two_blocks() {
  const cadastre_context context = cadastre_context_create();
  for (int i = 0; i < 2; ++i) assert_non_null(cadastre_malloc(context, request(100)));
  return context;
}

// What the thread had on its stack is destroyed, the library's snapshot and the caller's own.
void a_visitor_may_end_its_thread(void**) {
  const cadastre_context context = context_of_two_blocks();
  bool left = false, caller_left = false, came_back = false;
  pthread_t thread;
  struct Told {
    cadastre_context context;
    bool *left, *caller_left, *came_back;
  } told{context, &left, &caller_left, &came_back};
  const auto body = [](void* argument) -> void* {
    const Told& told = *static_cast<Told*>(argument);
    const Leaves here{told.caller_left};
    cadastre_foreach_block(told.context, end_the_thread, told.left);
    *told.came_back = true;
    return nullptr;
  };
  assert_int_equal(pthread_create(&thread, nullptr, body, &told), 0);
  void* result = nullptr;
  assert_int_equal(pthread_join(thread, &result), 0);
  assert_ptr_equal(result, &left);
  assert_true(left && caller_left && !came_back);
  assert_non_null(cadastre_malloc(context, request(100)));
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void an_exception_of_a_visitor_is_stopped_and_a_cancelled_thread_ends_later(void**) {
  const cadastre_context context = context_of_two_blocks();
  assert_int_equal(cadastre_foreach_block(context, throw_something, nullptr), CADASTRE_FAILURE);
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  assert_non_null(std::strstr(error.message, "no visit"));
  struct Told {
    cadastre_context context;
    int visits;
    cadastre_exit_code code;
  } told{context, 0, CADASTRE_FAILURE};
  pthread_t thread;
  const auto body = [](void* argument) -> void* {
    Told& own = *static_cast<Told*>(argument);
    own.code = cadastre_foreach_block(own.context, be_cancelled, &own.visits);
    pthread_testcancel();
    return nullptr;
  };
  assert_int_equal(pthread_create(&thread, nullptr, body, &told), 0);
  void* result = nullptr;
  assert_int_equal(pthread_join(thread, &result), 0);
  assert_ptr_equal(result, PTHREAD_CANCELED);
  assert_int_equal(told.visits, 2);
  assert_int_equal(told.code, CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

}  // namespace

int main(int arguments, char** argument) {
  if (arguments == 4) end_with_a_fork(argument[1], std::atoi(argument[2]), std::atoi(argument[3]));
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_fork_inside_allocate_leaves_both_with_what_they_began),
      cmocka_unit_test(a_fork_inside_a_resize_leaves_both_with_the_block),
      cmocka_unit_test(a_fork_elsewhere_does_not_keep_what_others_began),
      cmocka_unit_test(a_limit_counts_what_calls_under_way_have_reserved),
      cmocka_unit_test(a_fork_at_the_very_end_of_a_process_leaves_the_child_free),
      cmocka_unit_test(a_visitor_may_end_its_thread),
      cmocka_unit_test(an_exception_of_a_visitor_is_stopped_and_a_cancelled_thread_ends_later),
  };
  return cmocka_run_group_tests_name("ends", tests, nullptr, nullptr);
}
