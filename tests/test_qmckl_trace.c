/* Tangled from org/tests/qmckl_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Performs a trace by QMCkl's functions: lines "OPERATION CONTEXT BLOCK SIZE RESULT" on the standard input. Block 0 is
 * NULL, -k an address that no context knows, context 0 one that is never valid. Tells what it did in one line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qmckl_imitation.h"

enum { most_contexts = 16, most_blocks = 100000, most_foreign = 100 };
static qmckl_context contexts[most_contexts];
static char* blocks[most_blocks];
static size_t sizes[most_blocks];
static char foreign[most_foreign];

static char* address_of(long block) {
  if (block < -most_foreign || block >= most_blocks) exit(3);
  return block < 0 ? &foreign[-block - 1] : blocks[block];
}

static int is_zero(const char* bytes, size_t size) { return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0); }

static int is_known(qmckl_context context, long block) {
  qmckl_memory_info_struct info = {0, NULL};
  return qmckl_get_malloc_info(context, blocks[block], &info) == QMCKL_SUCCESS && info.size == sizes[block] &&
         info.pointer == blocks[block];
}

/* What the program is answered; -1 when the answer is wrong in itself. */
static qmckl_exit_code perform(const char* operation, qmckl_context* context, long block, size_t size) {
  qmckl_memory_info_struct info = {0, NULL};
  if (strcmp(operation, "create") == 0) return (*context = qmckl_context_create()) != 0 ? QMCKL_SUCCESS : -1;
  if (strcmp(operation, "destroy") == 0) return qmckl_context_destroy(*context);
  if (strcmp(operation, "free") == 0) return qmckl_free(*context, address_of(block));
  if (strcmp(operation, "info") == 0) {
    const qmckl_exit_code code = qmckl_get_malloc_info(*context, address_of(block), &info);
    return code != QMCKL_SUCCESS || info.size == sizes[block] ? code : -1;
  }
  if (strcmp(operation, "malloc") != 0) exit(3);
  address_of(block);
  info.size = size;
  blocks[block] = qmckl_malloc(*context, info);
  sizes[block] = size;
  if (!blocks[block] || !is_zero(blocks[block], size) || !is_known(*context, block)) return -1;
  memset(blocks[block], 0x5A, size < 4096 ? size : 4096);
  return QMCKL_SUCCESS;
}

int main(void) {
  char operation[16];
  int context, result, performed = 0, wrong = 0;
  long block;
  size_t size;
  while (scanf("%15s %d %ld %zu %d", operation, &context, &block, &size, &result) == 5) {
    qmckl_exit_code code;
    if (context < 0 || context >= most_contexts) return 3;
    code = perform(operation, &contexts[context], block, size);
    ++performed;
    if (code == result) continue;
    fprintf(stderr, "%s %d %ld: %d instead of %d\n", operation, context, block, code, result);
    ++wrong;
  }
  printf("%d operations performed, %d of them answered otherwise\n", performed, wrong);
  return performed > 0 && wrong == 0 ? 0 : 1;
}
