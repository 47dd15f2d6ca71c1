// Tangled from org/base/checkers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/checkers.hpp"

#include "config.h"

#ifdef HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/memcheck.h>
#else
#define VALGRIND_GET_VBITS(from, to, bytes) 0
#define VALGRIND_MAKE_MEM_NOACCESS(begin, bytes) static_cast<void>(bytes)
#define VALGRIND_MAKE_MEM_UNDEFINED(begin, bytes) static_cast<void>(bytes)
#define VALGRIND_MAKE_MEM_DEFINED(begin, bytes) static_cast<void>(bytes)
#endif

extern "C" {
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* begin, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* begin, std::size_t bytes);
[[gnu::weak]] void __lsan_register_root_region(const void* begin, std::size_t bytes);
[[gnu::weak]] void __lsan_unregister_root_region(const void* begin, std::size_t bytes);
}

namespace cadastre::internal {

constinit bool memory_is_checked = false;

// Of valgrind's tools only memcheck tells bits of validity.
bool is_memory_checked() noexcept {
  static const bool here = [] {
    unsigned char byte = 0, bits = 0;
    static_cast<void>(byte);
    static_cast<void>(bits);
    return memory_is_checked = __asan_poison_memory_region != nullptr || VALGRIND_GET_VBITS(&byte, &bits, 1) == 1;
  }();
  return here;
}

namespace {
[[gnu::constructor(101)]] void ask_once() noexcept { is_memory_checked(); }
}  // namespace

void tell_checkers(const void* begin, std::size_t bytes, Access access) noexcept {
  if (__asan_poison_memory_region) (access == Access::nobodys ? __asan_poison_memory_region : __asan_unpoison_memory_region)(begin, bytes);
  if (access == Access::nobodys) VALGRIND_MAKE_MEM_NOACCESS(begin, bytes);
  if (access == Access::undefined) VALGRIND_MAKE_MEM_UNDEFINED(begin, bytes);
  if (access == Access::defined) VALGRIND_MAKE_MEM_DEFINED(begin, bytes);
}

void add_roots(const void* begin, std::size_t bytes) noexcept {
  if (__lsan_register_root_region) __lsan_register_root_region(begin, bytes);
}

void remove_roots(const void* begin, std::size_t bytes) noexcept {
  if (__lsan_unregister_root_region) __lsan_unregister_root_region(begin, bytes);
}

}  // namespace cadastre::internal
