// Tangled from org/tests/cmocka.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// cmocka for C++ tests.
#ifndef CADASTRE_TESTS_CMOCKA_HPP
#define CADASTRE_TESTS_CMOCKA_HPP

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <cmocka.h>
}

#undef fail

#include "skip_because.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif
#ifdef __SANITIZE_THREAD__  // of GCC
inline constexpr bool watches_threads = true;
#else
inline constexpr bool watches_threads = false;
#endif

#endif
