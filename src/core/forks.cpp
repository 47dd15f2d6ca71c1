// Tangled from org/core/forks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/forks.hpp"

#include <pthread.h>

#include <cstddef>

#include "base/lock.hpp"
#include "core/threads.hpp"

#if defined(__GLIBC__) && defined(PIC)
// What pthread_atfork of the GNU C library calls, with the library that the handlers belong to.
extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* library) noexcept;
#endif

namespace cadastre::internal {

namespace {

int register_with_system(void (*prepare)(), void (*parent)(), void (*child)()) noexcept {
#if defined(__GLIBC__) && defined(PIC)
  return __register_atfork(prepare, parent, child, nullptr);
#else
  return pthread_atfork(prepare, parent, child);
#endif
}

struct Handlers {
  void (*prepare)();
  void (*parent)();
  void (*child)();
};
constexpr std::size_t most_handlers = 8;
constinit Handlers all[most_handlers] = {};
constinit std::size_t used = 0;
thread_local constinit unsigned passed = 0;  // forks of the calling thread that are under way, and of which the handlers are told nothing

void before_fork() noexcept {
  const NotCancelled not_cancelled;
  if (is_interrupted()) return void(++passed);
  for (std::size_t number = used; number-- > 0;) {
    if (all[number].prepare) all[number].prepare();
  }
}

void in_parent() noexcept {
  const NotCancelled not_cancelled;
  if (passed > 0) return void(--passed);
  for (std::size_t number = 0; number < used; ++number) {
    if (all[number].parent) all[number].parent();
  }
}

void in_child() noexcept {
  const NotCancelled not_cancelled;
  const bool passes = passed > 0;
  if (passes) --passed;
  for (std::size_t number = 0; number < used; ++number) {
    if (all[number].child && (!passes || !all[number].prepare)) all[number].child();
  }
}

}  // namespace

bool at_fork(void (*prepare)(), void (*parent)(), void (*child)()) noexcept {
  static const bool registered = register_with_system(before_fork, in_parent, in_child) == 0;
  if (!registered || used == most_handlers) return false;
  all[used++] = {prepare, parent, child};
  return true;
}

}  // namespace cadastre::internal
