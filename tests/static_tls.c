/* Tangled from org/tests/surrounding_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* A module that insists on static storage of threads. */
static __thread char storage[64] __attribute__((tls_model("initial-exec")));

char* static_tls_of_module(void);
char* static_tls_of_module(void) { return storage; }
