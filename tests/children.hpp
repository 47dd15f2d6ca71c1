// Tangled from org/tests/children.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What claims share that run in a process of their own.
#ifndef CADASTRE_TESTS_CHILDREN_HPP
#define CADASTRE_TESTS_CHILDREN_HPP

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <thread>

#include "cadastre.h"
#include "cmocka.hpp"
#include "context/lock.hpp"
#include "core/heap.hpp"

namespace cadastre::internal {

constexpr int cannot = 77;  // the exit status of a child that cannot make its surroundings

inline void expect(bool holds, int line) {
  if (holds) return;
  std::fprintf(stderr, "# line %d does not hold\n", line);
  _exit(line % 70 + 1);
}
#define EXPECT(what) ::cadastre::internal::expect(what, __LINE__)

// Does something in a child, which must end well; the claim is skipped where the child cannot make its surroundings.
template <class Deed>
void in_child(Deed deed) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    deed();
    _exit(0);
  }
  int status = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (waitpid(child, &status, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(100)) kill(child, SIGKILL);
  }
  if (WIFSIGNALED(status)) print_message("the child was ended by signal %d\n", WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) == cannot) skip_because("a child process may not do so here");
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// Of a child's own child.
inline bool ended_well(pid_t child) {
  int status = 1;
  while (waitpid(child, &status, 0) != child) continue;
  return status == 0;
}

inline cadastre_memory_info_struct sized(std::size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  return info;
}

inline bool is_filled(const void* memory, int value, std::size_t bytes) {
  const auto* const begin = static_cast<const unsigned char*>(memory);
  return std::all_of(begin, begin + bytes, [value](unsigned char byte) { return byte == value; });
}

// Whether the last call on a context was refused since it came from a handler of signals that interrupts one.
inline bool is_refused(cadastre_context context, cadastre_reason reason = CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  const bool failed = cadastre_last_error(context, &error) == CADASTRE_SUCCESS && error.exit_code == CADASTRE_FAILURE;
  return failed && error.reason == reason &&
         std::strstr(error.message, reason == CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER ? "signal handler" : "handler of signals");
}

// Destroys a context that has done all that it began.
inline void nothing_lives_in(cadastre_context context) {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  EXPECT(cadastre_get_statistics(context, CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
  EXPECT(figures.live_blocks == 0 && figures.live_bytes == 0 && figures.allocations == figures.deallocations);
  {
    const ContextLock lock(context);
    EXPECT(lock->registry().heap().check_invariants());
  }
  EXPECT(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
}

}  // namespace cadastre::internal
#endif
