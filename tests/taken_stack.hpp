// Tangled from org/tests/taken_stack.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How much of its stack a thread takes for what it does.
#ifndef CADASTRE_TESTS_TAKEN_STACK_HPP
#define CADASTRE_TESTS_TAKEN_STACK_HPP

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Bytes from the beginning of the stack of a new thread to the last one that has changed; SIZE_MAX if there can be no thread.
template <class Does>
std::size_t stack_taken_by(Does does) {
  constexpr unsigned char pattern = 0xa5;
  constexpr std::size_t size = std::size_t{1} << 20;
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return SIZE_MAX;
  std::memset(memory, pattern, size);
  const auto run = [](void* what) -> void* {
    (*static_cast<Does*>(what))();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_t thread{};
  pthread_attr_init(&attributes);
  const bool has_run = pthread_attr_setstack(&attributes, memory, size) == 0 && pthread_create(&thread, &attributes, run, &does) == 0 &&
                       pthread_join(thread, nullptr) == 0;
  pthread_attr_destroy(&attributes);
  const auto* const stack = static_cast<const unsigned char*>(memory);
  const auto* const last = std::find_if(stack, stack + size, [](unsigned char byte) { return byte != pattern; });
  const std::size_t taken = has_run ? static_cast<std::size_t>(stack + size - last) : SIZE_MAX;
  munmap(memory, size);
  return taken;
}

#endif
