// SPDX-License-Identifier: BSD-3-Clause
// Replaces operator new of a test program by one that fails when the program says so; to be included by one file.
#ifndef CADASTRE_TESTS_FAILING_NEW_HPP
#define CADASTRE_TESTS_FAILING_NEW_HPP

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "cadastre.h"

// Whether the allocation that is asked for now fails; defined by the program.
bool allocation_fails() noexcept;

inline std::atomic<bool> asked = false;  // since somebody said no

// Whether the library's own allocations come here. One that was linked with a C++ runtime of its own, because there is no shared
// one, has an operator new of its own. Asked in a child, so that the library here stays as new.
inline bool the_library_asks_here() {
  const pid_t child = fork();
  if (child == 0) {
    asked = false;
    const cadastre_context first = cadastre_context_create();  // the memory of one that is gone may serve it
    cadastre_context_destroy(cadastre_context_create());
    cadastre_context_destroy(first);
    _exit(asked);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;  // when in doubt, the claims are made
}

inline void* allocated_or_null(std::size_t size, std::size_t alignment) noexcept {
  asked = true;
  if (allocation_fails()) return nullptr;
  return alignment <= alignof(std::max_align_t)
             ? std::malloc(size ? size : 1)
             : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

inline void* allocated(std::size_t size, std::size_t alignment) {
  if (void* const pointer = allocated_or_null(size, alignment)) return pointer;
  throw std::bad_alloc();
}

// Not inlined, or GCC takes it for a mistake.
[[gnu::noinline]] inline void put_back(void* pointer) noexcept { std::free(pointer); }

void* operator new(std::size_t size) { return allocated(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocated(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocated_or_null(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocated_or_null(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size) { return allocated(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocated_or_null(size, 1); }
void operator delete(void* pointer) noexcept { put_back(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { put_back(pointer); }
void operator delete(void* pointer, std::align_val_t) noexcept { put_back(pointer); }
void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept { put_back(pointer); }
void operator delete[](void* pointer) noexcept { put_back(pointer); }
void operator delete[](void* pointer, std::size_t) noexcept { put_back(pointer); }

#endif
