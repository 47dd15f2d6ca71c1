/* Tangled from org/tests/qmckl_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens an extension for itself, RTLD_LOCAL, and makes its claims: test_qmckl_host EXTENSION */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void* extension;

static int open_for_itself(const char* path) {
  extension = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!extension) return fprintf(stderr, "%s\n", dlerror()), 0;
  if (dlsym(RTLD_DEFAULT, "qmckl_failwith")) return fputs("the library is there for everybody\n", stderr), 0;
  return 1;
}

static int create_and_destroy(void) {
  int64_t (*create)(void);
  int32_t (*destroy)(int64_t);
  *(void**)&create = dlsym(RTLD_DEFAULT, "qmckl_context_create");
  *(void**)&destroy = dlsym(RTLD_DEFAULT, "qmckl_context_destroy");
  if (create && destroy && destroy(create()) == 0) return 1;
  return fputs("no context\n", stderr), 0;
}

int main(int argc, char** argv) {
  int (*claims)(void);
  if (argc != 2) return fputs("test_qmckl_host EXTENSION\n", stderr), 1;
  if (!open_for_itself(argv[1]) || !create_and_destroy()) return 1;
  dlclose(extension);
  if (!create_and_destroy() || !open_for_itself(argv[1])) return 1;
  *(void**)&claims = dlsym(extension, "qmckl_claims");
  return claims ? claims() : 1;
}
