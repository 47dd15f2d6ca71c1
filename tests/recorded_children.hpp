// Tangled from org/tests/recorded_children.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What claims share whose programs are recorded, each in a child.
#ifndef CADASTRE_TESTS_RECORDED_CHILDREN_HPP
#define CADASTRE_TESTS_RECORDED_CHILDREN_HPP

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

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
