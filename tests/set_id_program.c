/* Tangled from org/tests/environment_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the problems of its environment, queries the backends, and creates a context, which opens files. */
#include <stdint.h>
#include <stdio.h>
#include <sys/auxv.h>

#include "cadastre.h"

int main(void) {
  printf("AT_SECURE is %d\n", getauxval(AT_SECURE) != 0);
  for (int32_t i = 0; i < cadastre_environment_get_count(); ++i) {
    cadastre_environment_info_struct info = cadastre_environment_info_struct_zero;
    if (cadastre_environment_get_info(i, &info) != CADASTRE_SUCCESS) return 1;
    if (info.problem[0]) printf("%s\n", info.problem);
  }
  for (cadastre_backend backend = 1; backend <= cadastre_backend_get_count(); ++backend) {
    cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
    if (cadastre_backend_get_info(backend, &info) != CADASTRE_SUCCESS) return 1;
  }
  const cadastre_context context = cadastre_context_create();
  if (context == CADASTRE_NULL_CONTEXT) {
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(context, &error);
    printf("%s\n", error.message);
    return 2;
  }
  return cadastre_context_destroy(context) == CADASTRE_SUCCESS ? 0 : 3;
}
