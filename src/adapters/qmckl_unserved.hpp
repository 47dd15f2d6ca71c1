// Tangled from org/adapters/qmckl_unserved.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Says what keeps a library from being served.
#ifndef CADASTRE_SRC_ADAPTERS_QMCKL_UNSERVED_HPP
#define CADASTRE_SRC_ADAPTERS_QMCKL_UNSERVED_HPP

#include <atomic>

namespace cadastre::qmckl {

// How a library is called, and functions of it that we answer.
struct Library {
  constexpr Library(const char* name_, const char* create_, const char* malloc_, const char* free_) noexcept
      : name(name_), create(create_), malloc(malloc_), free(free_) {}
  const char *name, *create, *malloc, *free;
  std::atomic<const void*> said = nullptr;  // the object of which something was said last
};

// Says on the standard error what keeps a library that is loaded from being served: nothing, as a rule. For the start of
// the process.
void say_what_is_not_served(Library& library) noexcept;

// The same of an object that was loaded later. inside: an address in it.
void say_what_binds_itself(Library& library, const void* inside) noexcept;

}  // namespace cadastre::qmckl
#endif
