// Tangled from org/tests/optional_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The second file of a library that is built without Cadastre.
#include "cadastre_optional.h"

#include "layouts.h"

extern "C" {
cadastre_context second_file_create(void);
void second_file_fail(cadastre_context context);
int second_file_knows(cadastre_context context);
const char* second_file_label(const char* text);
}

cadastre_context second_file_create(void) { return cadastre_context_create(); }
void second_file_fail(cadastre_context context) { cadastre_free(context, nullptr); }
int second_file_knows(cadastre_context context) { return cadastre_context_check(context) != CADASTRE_NULL_CONTEXT; }
const char* second_file_label(const char* text) { return cadastre_label(text); }
