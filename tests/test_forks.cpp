// Tangled from org/tests/fork_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>

#include "base/fail.hpp"
#include "children.hpp"
#include "cmocka.hpp"
#include "context/lock.hpp"
#include "core/calls.hpp"

using namespace cadastre::internal;

namespace {

// Parent and child leave what they were inside of, and work.
template <class Inside>
void forks_inside(cadastre_context context, void* block, Inside inside) {
  pid_t child = -1;
  inside([&] {
    child = fork();
    EXPECT(child >= 0);
    if (child == 0) alarm(20);
    EXPECT(cadastre_free(context, block) == CADASTRE_FAILURE && is_refused(context));
  });
  EXPECT(cadastre_free(context, block) == CADASTRE_SUCCESS);
  EXPECT(cadastre_free(context, cadastre_malloc(context, sized(3000))) == CADASTRE_SUCCESS);
  nothing_lives_in(context);
  const cadastre_context fresh = cadastre_context_create();
  EXPECT(cadastre_malloc(fresh, sized(10)) && cadastre_context_destroy(fresh) == CADASTRE_SUCCESS);
  if (child == 0) {  // and forks again
    const pid_t next = fork();
    if (next == 0) _exit(cadastre_context_create() == CADASTRE_NULL_CONTEXT);
    _exit(!ended_well(next));
  }
  EXPECT(ended_well(child));
}

void who_is_inside_a_shard_may_fork(void**) {
  in_child([] {
    const cadastre_context context = cadastre_context_create();
    for (int turn = 0; turn < 2; ++turn) cadastre_free(context, cadastre_malloc(context, sized(100)));  // until the shard is at hand
    void* const block = cadastre_malloc(context, sized(100));
    forks_inside(context, block, [&](auto deed) {
      Shard& shard = shard_at_hand(context);
      EXPECT(shard.lock.enter(context));
      const Counts before = shard.counts;
      deed();
      EXPECT(std::memcmp(&before, &shard.counts, sizeof before) == 0);
      shard.lock.leave(context);
    });
  });
}

void who_holds_a_lock_may_fork(void**) {
  in_child([] {
    const cadastre_context context = cadastre_context_create();
    void* const block = cadastre_malloc(context, sized(100));
    forks_inside(context, block, [&](auto deed) {
      ContextLock lock(context);
      EXPECT(static_cast<bool>(lock));
      lock->registry().heap().lock();
      deed();
    });
  });
}

volatile sig_atomic_t forks_made, forks_inside_made, is_child, is_alone;
cadastre_context context_of_handler;

void fork_here(int) {
  const int error = errno;
  if (is_child) return;
  forks_made = forks_made + 1;
  const bool inside = is_interrupted();
  if (inside) forks_inside_made = forks_inside_made + 1;
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    is_child = 1;
    alarm(20);
    if (is_alone && forks_made % 2 == 0) return void(errno = error);
    void* const block = cadastre_malloc(context_of_handler, sized(64));
    EXPECT(block || (inside && is_refused(context_of_handler)));  // another lock keeps no shard from serving
    _exit(0);
  }
  EXPECT(ended_well(child));
  errno = error;
}

// Takes nothing of the C library's heap, whose locks a fork takes, too.
template <class GoesOn>
void do_a_bit(cadastre_context context, unsigned seed, GoesOn goes_on) {
  std::minstd_rand random(seed);
  void* blocks[100] = {};
  while (goes_on()) {
    void*& block = blocks[random() % 100];
    const std::size_t size = random() % (random() % 16 == 0 ? 20000 : 400);
    const unsigned what = static_cast<unsigned>(random()) % 32;
    cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
    if (what == 0) EXPECT(cadastre_get_statistics(context, CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
    if (what == 1) EXPECT(cadastre_lock(context) == CADASTRE_SUCCESS && cadastre_unlock(context) == CADASTRE_SUCCESS);
    if (!block) {
      EXPECT((block = cadastre_malloc(context, sized(size))) != nullptr);
    } else if (what < 8) {
      EXPECT((block = cadastre_realloc(context, block, size)) != nullptr);
    } else {
      EXPECT(cadastre_free(context, block) == CADASTRE_SUCCESS);
      block = nullptr;
    }
  }
  for (void* const block : blocks) EXPECT(!block || cadastre_free(context, block) == CADASTRE_SUCCESS);
}

void fork_often(bool alone, bool often) {
  is_alone = alone;
  struct sigaction action = {};
  action.sa_handler = fork_here;
  action.sa_flags = SA_RESTART;
  EXPECT(sigaction(SIGUSR1, &action, nullptr) == 0 && sigaction(SIGPROF, &action, nullptr) == 0);
  const itimerval times = {{0, often ? 300 : 0}, {0, often ? 300 : 0}};
  EXPECT(setitimer(ITIMER_PROF, &times, nullptr) == 0);
}

void a_handler_may_fork_and_parent_and_child_finish_the_call(void**) {
  if (sanitized) skip_because("the malloc of a sanitizer locks around a fork, too");
  in_child([] {
    const cadastre_context context = context_of_handler = cadastre_context_create();
    EXPECT(cadastre_free(context, cadastre_malloc(context, sized(64))) == CADASTRE_SUCCESS);
    fork_often(true, true);
    do_a_bit(context, 1, [] { return !is_child && (forks_made < 200 || forks_inside_made < 50); });
    fork_often(true, false);
    nothing_lives_in(context);
  });
}

void a_handler_may_fork_beside_other_threads(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  in_child([] {
    const cadastre_context context = context_of_handler = cadastre_context_create();
    EXPECT(cadastre_free(context, cadastre_malloc(context, sized(64))) == CADASTRE_SUCCESS);
    fork_often(false, false);
    std::atomic<bool> stop = false, ready = false;
    std::thread other([&] {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, nullptr);
      ready = true;
      do_a_bit(context, 2, [&] { return !stop; });
    });
    while (!ready) std::this_thread::yield();
    fork_often(false, true);
    do_a_bit(context, 1, [] { return forks_made < 200 || forks_inside_made < 50; });
    fork_often(false, false);
    stop = true;
    other.join();
    nothing_lives_in(context);
  });
}

// As the report of the process lists them.
std::string failed_creations_told() {
  char text[20000] = "";
  std::FILE* const file = fmemopen(text, sizeof text, "w");
  EXPECT(file && cadastre_report(CADASTRE_PROCESS, file, CADASTRE_REPORT_JSON) == CADASTRE_SUCCESS);
  std::fclose(file);
  const char* const begin = std::strstr(text, "\"failed_creations\"");
  const char* const end = begin ? std::strstr(begin, "\"failed_creations_forgotten\"") : nullptr;
  EXPECT(end != nullptr);
  return std::string(begin, end);
}

bool creation_fails(const cadastre_context_options_struct* options) {
  return cadastre_context_create_with_options(options) == CADASTRE_NULL_CONTEXT;
}

void a_failed_creation_is_kept_where_memory_is_short(void**) {
  in_child([] {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = static_cast<cadastre_backend>(99);
    EXPECT(cadastre_context_destroy(cadastre_context_create()) == CADASTRE_SUCCESS);
    EXPECT(creation_fails(nullptr));
    EXPECT(failed_creations_told().find("NULL_ARGUMENT") != std::string::npos);
    arm(*parse_fail_rules("internal:1+,system:1+"));
    EXPECT(creation_fails(&options));
    arm({});
    EXPECT(failed_creations_told().find("INVALID_BACKEND") != std::string::npos);
  });
}

void a_fork_beside_failing_creations_lets_both_go_on(void**) {
  if (watches_threads) skip_because("ThreadSanitizer allows no threads in a child of a fork");
  in_child([] {
    std::atomic<bool> stop = false;
    std::atomic<long> failed = 0;
    std::thread other([&] {
      while (!stop) failed += creation_fails(nullptr);
    });
    // The first one reads the environment, for which it takes memory; the malloc of a sanitizer may stay locked in a child.
    while (sanitized && failed == 0) std::this_thread::yield();
    for (int number = 0; number < 300; ++number) {
      const long before = failed;
      const pid_t child = fork();
      EXPECT(child >= 0);
      if (child == 0) {
        alarm(20);
        EXPECT(creation_fails(nullptr) && failed_creations_told().find("NULL_ARGUMENT") != std::string::npos);
        _exit(0);
      }
      EXPECT(ended_well(child));
      while (failed == before) std::this_thread::yield();
    }
    stop = true;
    other.join();
  });
}

}  // namespace

int main() {
  setenv("CADASTRE_HEAP", "on", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(who_is_inside_a_shard_may_fork),
      cmocka_unit_test(who_holds_a_lock_may_fork),
      cmocka_unit_test(a_handler_may_fork_and_parent_and_child_finish_the_call),
      cmocka_unit_test(a_handler_may_fork_beside_other_threads),
      cmocka_unit_test(a_failed_creation_is_kept_where_memory_is_short),
      cmocka_unit_test(a_fork_beside_failing_creations_lets_both_go_on),
  };
  return cmocka_run_group_tests_name("forks", tests, nullptr, nullptr);
}
