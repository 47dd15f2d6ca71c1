// Tangled from org/base/fail.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CADASTRE_WRAPS_NEW) && defined(PIC)  // not in an archive
#include <cstddef>
#include <new>

#include "base/fail.hpp"

using cadastre::internal::fails;
using cadastre::internal::Point;

#define CADASTRE_WRAP(symbol, parameters, arguments, refuse) \
  void* real_##symbol parameters __asm__("__real_" #symbol); \
  void* wrap_##symbol parameters __asm__("__wrap_" #symbol); \
  void* wrap_##symbol parameters {                           \
    if (fails(Point::internal)) [[unlikely]]                 \
      refuse;                                                \
    return real_##symbol arguments;                          \
  }

CADASTRE_WRAP(_Znwm, (std::size_t size), (size), throw std::bad_alloc())
CADASTRE_WRAP(_Znam, (std::size_t size), (size), throw std::bad_alloc())
CADASTRE_WRAP(_ZnwmSt11align_val_t, (std::size_t size, std::align_val_t alignment), (size, alignment), throw std::bad_alloc())
CADASTRE_WRAP(_ZnamSt11align_val_t, (std::size_t size, std::align_val_t alignment), (size, alignment), throw std::bad_alloc())
CADASTRE_WRAP(_ZnwmRKSt9nothrow_t, (std::size_t size, const std::nothrow_t& tag), (size, tag), return nullptr)
CADASTRE_WRAP(_ZnamRKSt9nothrow_t, (std::size_t size, const std::nothrow_t& tag), (size, tag), return nullptr)
CADASTRE_WRAP(_ZnwmSt11align_val_tRKSt9nothrow_t, (std::size_t size, std::align_val_t alignment, const std::nothrow_t& tag),
              (size, alignment, tag), return nullptr)
CADASTRE_WRAP(_ZnamSt11align_val_tRKSt9nothrow_t, (std::size_t size, std::align_val_t alignment, const std::nothrow_t& tag),
              (size, alignment, tag), return nullptr)
#endif
