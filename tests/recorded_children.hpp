// Tangled from org/tests/recorded_children.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What claims share whose programs are recorded, each in a child.
#ifndef CADASTRE_TESTS_RECORDED_CHILDREN_HPP
#define CADASTRE_TESTS_RECORDED_CHILDREN_HPP

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"

inline void check_that(bool holds, const char* what, int line) {
  if (holds) return;
  std::fprintf(stderr, "line %d: not so: %s\n", line, what);
  _exit(1);
}
#define CHECK(holds) check_that(holds, #holds, __LINE__)

using Task = std::function<void()>;

// Runs a task in a child. Returns how the child ended. A lambda stays on the stack: what it holds elsewhere would be lost at the child's exit.
template <class Performed>
int status_of_child(const Performed& task) {
  std::fflush(nullptr);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    task();
    std::exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

// Runs a task in a child of which no handler of forks knows, and waits for its end.
template <class Performed>
void in_raw_child(const Performed& task) {
  const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (child == 0) {
    task();
    std::exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

// Children that work, each with its number, and end when the last one has.
template <class Work>
void end_at_once(int processes, const Work& work) {
  int go[2];
  assert_int_equal(pipe(go), 0);
  std::vector<pid_t> all;
  for (int number = 0; number < processes; ++number) {
    std::fflush(nullptr);
    all.push_back(fork());
    if (all.back() != 0) continue;
    close(go[1]);
    work(number);
    char byte;
    CHECK(read(go[0], &byte, 1) == 0);
    std::exit(0);
  }
  close(go[0]);
  close(go[1]);
  for (const pid_t child : all) {
    int status = 1;
    assert_true(waitpid(child, &status, 0) == child && status == 0);
  }
}

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void* allocate(cadastre_context context, std::size_t size, const char* label = nullptr) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.label = label;
  return cadastre_malloc(context, info);
}

#endif
