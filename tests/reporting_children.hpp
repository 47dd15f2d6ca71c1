// Tangled from org/tests/reporting_children.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// For programs that test reports on occasions.
#ifndef CADASTRE_TESTS_REPORTING_CHILDREN_HPP
#define CADASTRE_TESTS_REPORTING_CHILDREN_HPP

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "cadastre.h"
#include "cmocka.hpp"
#include "context/lock.hpp"
#include "out/black_box.hpp"
#include "recorded_children.hpp"

inline std::string folder;

struct Said {
  int status;
  std::string text;
};

// Runs a task in a child that reports on occasions, to a file that is its standard error.
template <class Performed>
Said with(const char* occasions, const Performed& task) {
  const std::string path = folder + "/error";
  const int status = status_of_child([&] {
    const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0600);
    CHECK(file >= 0 && dup2(file, STDERR_FILENO) == STDERR_FILENO);
    setenv("CADASTRE_REPORT_ON", occasions, 1);
    task();
  });
  return {status, content(path)};
}

inline std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
  return count;
}

inline std::size_t reports_in(const std::string& text) { return count_of(text, ", report: "); }

inline void assert_has(const Said& said, const std::string& what) {
  if (said.text.find(what) == std::string::npos) print_error("no \"%s\" in\n%s\n", what.c_str(), said.text.c_str());
  assert_true(said.text.find(what) != std::string::npos);
}

inline void assert_well(const Said& said, std::size_t reports) {
  if (said.status != 0 || reports_in(said.text) != reports) print_error("status %d\n%s\n", said.status, said.text.c_str());
  assert_int_equal(said.status, 0);
  assert_int_equal(reports_in(said.text), reports);
}

// Reports on a limit; the machine may be near others.
inline void assert_near(const Said& said, const std::string& limit, std::size_t least, std::size_t most) {
  const std::size_t count = count_of(said.text, limit);
  if (said.status != 0 || count < least || count > most) print_error("status %d\n%s\n", said.status, said.text.c_str());
  assert_int_equal(said.status, 0);
  assert_true(count >= least && count <= most);
}

constexpr std::size_t mebibyte = std::size_t{1} << 20;

inline cadastre_context context_with(const char* label, std::size_t mebibytes) {
  const cadastre_context context = cadastre_context_create();
  CHECK(context != CADASTRE_NULL_CONTEXT);
  for (std::size_t i = 0; i < mebibytes; ++i) CHECK(allocate(context, mebibyte, label));
  return context;
}

inline void* allocate_on_device(cadastre_context context, std::size_t size, const char* label,
                                cadastre_backend backend = CADASTRE_DEFAULT_BACKEND) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = CADASTRE_DEVICE;
  info.label = label;
  info.backend = backend;
  return cadastre_malloc(context, info);
}

// Allocates and frees until it is known who holds these bytes: only a part of the time may be spent on that, and a sanitizer stretches it.
inline void wait_for_holders(cadastre_context context, std::size_t bytes) {
  using cadastre::internal::BlackBoxHolders;
  const BlackBoxHolders(&both)[2] = cadastre::internal::black_box_pages()->last;
  while (both[both[0].sequence > both[1].sequence ? 0 : 1].together != bytes) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(cadastre_free(context, allocate(context, bytes, "passing")) == CADASTRE_SUCCESS);
  }
}

inline std::atomic<bool> is_stuck = false, is_let_go = false;

// Has another thread stay inside a context, until it is let go.
inline void leave_a_thread_inside(cadastre_context context) {
  std::thread([context] {
    const cadastre::internal::ContextLock lock(context);
    CHECK(static_cast<bool>(lock));
    is_stuck = true;
    while (!is_let_go) usleep(1000);
  }).detach();
  while (!is_stuck) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

// Before the first child.
inline void forget_variables() {
  for (const char* const variable : {"CADASTRE_BACKEND", "CADASTRE_LIMIT", "CADASTRE_TRACE", "CADASTRE_REPORT", "CADASTRE_FAIL",
                                     "CADASTRE_BLACKBOX", "CADASTRE_REPORT_ON"})
    unsetenv(variable);
}

#endif
