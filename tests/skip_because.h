/* Tangled from org/tests/cmocka.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Says why a claim is skipped. After cmocka.h. */
#ifndef CADASTRE_TESTS_SKIP_BECAUSE_H
#define CADASTRE_TESTS_SKIP_BECAUSE_H

static inline void skip_because(const char* reason) {
  print_message("# %s\n", reason);
  skip();
}

#endif
