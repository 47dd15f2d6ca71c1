// Tangled from org/tests/host_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Whether the C library declares its functions noexcept.
#ifndef CADASTRE_TESTS_DECLARED_NOEXCEPT_HPP
#define CADASTRE_TESTS_DECLARED_NOEXCEPT_HPP

#include <sys/mman.h>

inline constexpr bool declared_noexcept = noexcept(munmap(nullptr, 0));

#endif
