/* Tangled from org/qmckl.org; change the chapter, then run: make tangle */
/* Opens an extension for itself, RTLD_LOCAL, and makes its claims: test_qmckl_host EXTENSION */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  void* extension;
  void* address;
  int (*claims)(void);
  if (argc != 2) return fputs("test_qmckl_host EXTENSION\n", stderr), 1;
  extension = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!extension) return fprintf(stderr, "%s\n", dlerror()), 1;
  if (dlsym(RTLD_DEFAULT, "qmckl_failwith")) return fputs("the library is there for everybody\n", stderr), 1;
  address = dlsym(extension, "qmckl_claims");
  if (!address) return fputs("no claims\n", stderr), 1;
  memcpy(&claims, &address, sizeof claims);
  return claims();
}
