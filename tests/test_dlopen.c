/* Tangled from org/tests/dlopen_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "skip_because.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "cadastre.h"

static const char* library(void) {
  const char* const path = getenv("TEST_LIBRARY");
  if (!path || access(path, R_OK) != 0) skip_because("there is no shared library to open");
  return path;
}

/* POSIX lets dlsym's answer be used as a function; C does not let it be cast. */
static void find(void* handle, const char* name, void* function) {
  *(void**)function = dlsym(handle, name);
  assert_non_null(*(void**)function);
}

static void use(void* handle) {
  cadastre_context (*create)(void);
  cadastre_exit_code (*destroy)(cadastre_context);
  void* (*allocate)(cadastre_context, cadastre_memory_info_struct);
  cadastre_exit_code (*release)(cadastre_context, void*);
  find(handle, "cadastre_context_create", &create);
  find(handle, "cadastre_context_destroy", &destroy);
  find(handle, "cadastre_malloc", &allocate);
  find(handle, "cadastre_free", &release);
  const cadastre_context context = create();
  assert_true(context != CADASTRE_NULL_CONTEXT);
  assert_non_null(allocate(context, cadastre_memory_info_struct_zero));
  int on_the_stack = 0;
  assert_int_equal(release(context, &on_the_stack), CADASTRE_INVALID_ARG_2);
  assert_int_equal(destroy(context), CADASTRE_SUCCESS);
}

static void the_library_can_be_opened_and_closed_again_and_again(void** state) {
  (void)state;
  for (int i = 0; i < 20; ++i) {
    void* const handle = dlopen(library(), RTLD_NOW | RTLD_LOCAL);
    assert_non_null(handle);
    use(handle);
    assert_int_equal(dlclose(handle), 0);
  }
}

static void a_fork_after_it_was_closed_does_no_harm(void** state) {
  (void)state;
  void* const handle = dlopen(library(), RTLD_NOW | RTLD_LOCAL);
  use(handle);
  assert_int_equal(dlclose(handle), 0);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

static _Atomic int allocates, beats;

static void* allocate_and_free(void* none) {
  while (allocates) {
    void* blocks[16];
    for (int i = 0; i < 16; ++i) blocks[i] = malloc((size_t)(3000 + (i + beats) % 7 * 4000));
    for (int i = 0; i < 16; ++i) free(blocks[i]);
    ++beats;
  }
  return none;
}

/* What belongs to a thread is made by malloc there, when it is first used. */
static void a_signal_in_a_thread_that_never_used_it_is_reported(void** state) {
  (void)state;
  const char* const path = library();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    setenv("CADASTRE_REPORT_ON", "USR1", 1);
    if (!freopen("/dev/null", "w", stderr)) _exit(2);
    void* const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    cadastre_context (*create)(void);
    find(handle, "cadastre_context_create", &create);
    if (create() == CADASTRE_NULL_CONTEXT) _exit(3);
    for (int round = 0; round < 20; ++round) {
      pthread_t thread;
      allocates = 1;
      const int before = beats;
      if (pthread_create(&thread, NULL, allocate_and_free, NULL) != 0) _exit(4);
      while (beats == before) usleep(100);
      if (pthread_kill(thread, SIGUSR1) != 0) _exit(5);
      const int then = beats;
      while (beats < then + 3) usleep(100);
      allocates = 0;
      pthread_join(thread, NULL);
    }
    _exit(0);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

struct thread {
  void* handle;
  pthread_barrier_t used, closed;
};

static void* use_and_outlive(void* argument) {
  struct thread* const thread = argument;
  use(thread->handle);
  pthread_barrier_wait(&thread->used);
  pthread_barrier_wait(&thread->closed);
  return NULL;
}

static void a_thread_that_used_it_may_end_after_it_was_closed(void** state) {
  (void)state;
  struct thread thread;
  pthread_t id;
  thread.handle = dlopen(library(), RTLD_NOW | RTLD_LOCAL);
  pthread_barrier_init(&thread.used, NULL, 2);
  pthread_barrier_init(&thread.closed, NULL, 2);
  assert_int_equal(pthread_create(&id, NULL, use_and_outlive, &thread), 0);
  pthread_barrier_wait(&thread.used);
  assert_int_equal(dlclose(thread.handle), 0);
  pthread_barrier_wait(&thread.closed);
  assert_int_equal(pthread_join(id, NULL), 0);
  pthread_barrier_destroy(&thread.used);
  pthread_barrier_destroy(&thread.closed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_signal_in_a_thread_that_never_used_it_is_reported), /* before this process has used the library */
      cmocka_unit_test(the_library_can_be_opened_and_closed_again_and_again),
      cmocka_unit_test(a_fork_after_it_was_closed_does_no_harm),
      cmocka_unit_test(a_thread_that_used_it_may_end_after_it_was_closed),
  };
  return cmocka_run_group_tests_name("opened at run time", tests, NULL, NULL);
}
