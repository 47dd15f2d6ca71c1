/* Tangled from org/tests/qmckl_imitation.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of QMCkl for tests: its memory layer, a list that is scanned; or ours in its place. It is not QMCkl. */
#include <stdlib.h>
#include <string.h>

#include "qmckl_imitation.h"

#ifdef QMCKL_LINKS_CADASTRE
int qmckl_init_memory(qmckl_memory_struct* memory) { return cadastre_qmckl_init(memory) == QMCKL_SUCCESS; }
void qmckl_finalize_memory(qmckl_memory_struct* memory) { cadastre_qmckl_finalize(memory); }

void* qmckl_malloc(qmckl_context context, const qmckl_memory_info_struct info) {
  if (qmckl_context_check(context) == QMCKL_NULL_CONTEXT) return NULL;
  const qmckl_context_struct* const ctx = (const qmckl_context_struct*)context;
  void* const pointer = cadastre_qmckl_malloc(&ctx->memory, info.size, NULL);
  if (pointer == NULL) {
    cadastre_error_struct error = cadastre_error_struct_zero;
    qmckl_failwith(context, QMCKL_ALLOCATION_FAILED, "qmckl_malloc", cadastre_qmckl_error_message(&ctx->memory, &error));
  }
  return pointer;
}

qmckl_exit_code qmckl_free(qmckl_context context, void* const ptr) {
  if (qmckl_context_check(context) == QMCKL_NULL_CONTEXT) {
    return qmckl_failwith(context, QMCKL_INVALID_CONTEXT, "qmckl_free", NULL);
  }
  const qmckl_context_struct* const ctx = (const qmckl_context_struct*)context;
  const qmckl_exit_code rc = cadastre_qmckl_free(&ctx->memory, ptr);
  if (rc == QMCKL_SUCCESS) return rc;
  cadastre_error_struct error = cadastre_error_struct_zero;
  return qmckl_failwith(context, rc, "qmckl_free", cadastre_qmckl_error_message(&ctx->memory, &error));
}

qmckl_exit_code qmckl_get_malloc_info(qmckl_context context, const void* ptr, qmckl_memory_info_struct* info) {
  if (qmckl_context_check(context) == QMCKL_NULL_CONTEXT) {
    return qmckl_failwith(context, QMCKL_INVALID_CONTEXT, "qmckl_get_malloc_info", NULL);
  }
  const qmckl_context_struct* const ctx = (const qmckl_context_struct*)context;
  const qmckl_exit_code rc = cadastre_qmckl_get_malloc_info(&ctx->memory, ptr, info ? &info->size : NULL, info ? &info->pointer : NULL);
  if (rc == QMCKL_SUCCESS) return rc;
  return qmckl_failwith(context, rc, "qmckl_get_malloc_info", ptr && info ? CADASTRE_QMCKL_NOT_FOUND : "Null pointer");
}

#else
int qmckl_init_memory(qmckl_memory_struct* memory) {
  memory->array_size = 128;
  memory->element = calloc(memory->array_size, sizeof *memory->element);
  return memory->element != NULL;
}

void qmckl_finalize_memory(qmckl_memory_struct* memory) {
  size_t i;
  for (i = 0; i < memory->array_size; ++i) free(memory->element[i].pointer);
  free(memory->element);
}

static qmckl_memory_info_struct* slot_of(qmckl_memory_struct* memory, const void* pointer) {
  size_t i = 0;
  while (i < memory->array_size && memory->element[i].pointer != pointer) ++i;
  return i < memory->array_size ? &memory->element[i] : NULL;
}

static qmckl_memory_info_struct* vacant_slot(qmckl_memory_struct* memory) {
  if (memory->n_allocated == memory->array_size) {
    const size_t size = memory->array_size;
    qmckl_memory_info_struct* const larger = realloc(memory->element, 2 * size * sizeof *larger);
    if (!larger) return NULL;
    memset(larger + size, 0, size * sizeof *larger);
    memory->element = larger;
    memory->array_size = 2 * size;
  }
  return slot_of(memory, NULL);
}

void* qmckl_malloc(qmckl_context context, const qmckl_memory_info_struct info) {
  qmckl_context_struct* const ctx = (qmckl_context_struct*)(intptr_t)context;
  qmckl_memory_info_struct* slot;
  void* pointer = NULL;
  if (qmckl_context_check(context) == QMCKL_NULL_CONTEXT) abort();
  if (info.size > PTRDIFF_MAX || posix_memalign(&pointer, 64, info.size) != 0) return NULL;
  memset(pointer, 0, info.size);
  qmckl_lock(context);
  slot = vacant_slot(&ctx->memory);
  if (slot) {
    slot->size = info.size;
    slot->pointer = pointer;
    ++ctx->memory.n_allocated;
  }
  qmckl_unlock(context);
  if (!slot) free(pointer);
  return slot ? pointer : NULL;
}

qmckl_exit_code qmckl_free(qmckl_context context, void* const ptr) {
  qmckl_context_struct* const ctx = (qmckl_context_struct*)(intptr_t)context;
  qmckl_memory_info_struct* slot;
  if (qmckl_context_check(context) == QMCKL_NULL_CONTEXT) {
    return qmckl_failwith(context, QMCKL_INVALID_CONTEXT, "qmckl_free", NULL);
  }
  if (!ptr) return qmckl_failwith(context, QMCKL_INVALID_ARG_2, "qmckl_free", "NULL pointer");
  qmckl_lock(context);
  slot = slot_of(&ctx->memory, ptr);
  if (slot) {
    free(ptr);
    memset(slot, 0, sizeof *slot);
    --ctx->memory.n_allocated;
  }
  qmckl_unlock(context);
  if (slot) return QMCKL_SUCCESS;
  return qmckl_failwith(context, QMCKL_INVALID_ARG_2, "qmckl_free", "Pointer not found in context");
}

qmckl_exit_code qmckl_get_malloc_info(qmckl_context context, const void* ptr, qmckl_memory_info_struct* info) {
  qmckl_context_struct* const ctx = (qmckl_context_struct*)(intptr_t)context;
  qmckl_memory_info_struct* slot;
  if (qmckl_context_check(context) == QMCKL_NULL_CONTEXT) abort();
  if (!ptr) return qmckl_failwith(context, QMCKL_INVALID_ARG_2, "qmckl_get_malloc_info", "Null pointer");
  if (!info) return qmckl_failwith(context, QMCKL_INVALID_ARG_3, "qmckl_get_malloc_info", "Null pointer");
  qmckl_lock(context);
  slot = slot_of(&ctx->memory, ptr);
  if (slot) *info = *slot;
  qmckl_unlock(context);
  if (slot) return QMCKL_SUCCESS;
  return qmckl_failwith(context, QMCKL_INVALID_ARG_2, "qmckl_get_malloc_info", "Pointer not found in context");
}
#endif
