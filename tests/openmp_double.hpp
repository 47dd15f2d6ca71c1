// Tangled from org/tests/openmp_double.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How a test steers the double of an OpenMP module, and what the double saw.
#ifndef CADASTRE_TESTS_OPENMP_DOUBLE_HPP
#define CADASTRE_TESTS_OPENMP_DOUBLE_HPP

#include <atomic>
#include <cstddef>

#ifdef OPENMP_DOUBLE
#include <dlfcn.h>

#include "cmocka.hpp"
#endif

// OPENMP_DOUBLE_VERSION, OPENMP_DOUBLE_DEVICES, OPENMP_DOUBLE_PINNED and OPENMP_DOUBLE_QUEUES (0: none) in the environment
// change what it says of itself.
struct OpenmpDouble {
  std::atomic<int> fail_in = 0;              // the k-th call from now fails; 0: none
  std::atomic<int> failures = 1;             // and so many of those that come next, itself included
  std::atomic<bool> between_devices = true;  // whether it copies from a device to a device
  std::atomic<int> default_device = 0;

  std::atomic<int> calls = 0;
  std::atomic<int> live = 0;
  std::atomic<int> mistakes = 0;
  std::atomic<int> filled = 0;
  std::atomic<std::size_t> largest_between = 0;
  std::atomic<int> queue_waits = 0;
  std::atomic<int> device_waits = 0;
  std::atomic<bool> capturing = false;  // whether all queues are being captured

  // A queue of a device; its memory is the double's, and is used again for the next queue when it was destroyed.
  void* (*make_queue)(int device);
  void (*destroy_queue)(void* queue);
  // Puts work on a queue: to set bytes, or to copy them.
  void (*put_set)(void* queue, void* to, int value, std::size_t bytes);
  void (*put_copy)(void* queue, void* to, const void* from, std::size_t bytes);
};

using OpenmpDoubleEntry = OpenmpDouble* (*)();  // exported as cadastre_openmp_double

#ifdef OPENMP_DOUBLE  // where it lies, for tests
// The one that the library opens, too.
inline OpenmpDouble& control() {
  static OpenmpDouble& instance = []() -> OpenmpDouble& {
    void* const handle = dlopen(OPENMP_DOUBLE, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(handle);
    return *reinterpret_cast<OpenmpDoubleEntry>(dlsym(handle, "cadastre_openmp_double"))();
  }();
  return instance;
}
#endif

#endif
