/* Tangled from org/tests/optional_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of the same program that uses Cadastre. */
#include "cadastre.h"

int64_t real_create(void);
int real_use(int64_t context);
int real_destroy(int64_t context);

int64_t real_create(void) { return cadastre_context_create(); }

int real_use(int64_t context) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  void* pointer;
  info.size = 100;
  pointer = cadastre_malloc(context, info);
  return pointer && cadastre_get_malloc_info(context, pointer, &info) == CADASTRE_SUCCESS &&
         cadastre_free(context, pointer) == CADASTRE_SUCCESS;
}

int real_destroy(int64_t context) { return cadastre_context_destroy(context); }
