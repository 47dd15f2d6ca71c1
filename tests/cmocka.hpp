// Tangled from org/error.org; change the chapter, then run: make tangle
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

#endif
