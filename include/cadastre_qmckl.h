/* Tangled from org/qmckl.org; change the chapter, then run: make tangle */
/* The memory layer of QMCkl upon a context of Cadastre, to be linked into it. C99; over cadastre.h only.
 *
 * A cadastre_qmckl_memory takes the place of the list of blocks in a qmckl_context_struct. Functions answer QMCkl's
 * exit codes. They may be called by several threads at a time, but for init and finalize, and take no lock of QMCkl's.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CADASTRE_QMCKL_H
#define CADASTRE_QMCKL_H

#include <stddef.h>
#include <stdint.h>

#include "cadastre.h"

/* The registry of one qmckl_context. All zero, it is one that refuses everything. */
typedef struct cadastre_qmckl_memory {
  cadastre_context registry;
} cadastre_qmckl_memory;

/* Alignment in bytes of every block. */
#define CADASTRE_QMCKL_ALIGNMENT 64

/* For qmckl_failwith when an address that is asked about is not that of a block: a constant, since asking is how
 * QMCkl finds out, and no failure worth a sentence. */
#define CADASTRE_QMCKL_NOT_FOUND "Pointer not found in context"

/* How a registry is created: HOST memory, from the host. */
static inline cadastre_context_options_struct cadastre_qmckl_options(void) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  return options;
}

/* The exit code of QMCkl that stands for one of Cadastre's; below 109. */
static inline int32_t cadastre_qmckl_exit_code(cadastre_exit_code code) {
  if (code == CADASTRE_LIMIT_EXCEEDED) return CADASTRE_ALLOCATION_FAILED;
  return code >= CADASTRE_INVALID_EXIT_CODE ? CADASTRE_FAILURE : code;
}

/* Creates the registry, when the context is created.
 *
 * memory: not NULL; written.
 * Exit codes: SUCCESS; ALLOCATION_FAILED (no host memory, or too many contexts); FAILURE (a malformed variable of the
 * environment); cadastre_qmckl_why tells. */
static inline int32_t cadastre_qmckl_init(cadastre_qmckl_memory* memory) {
  cadastre_error_struct error;
  const cadastre_context_options_struct options = cadastre_qmckl_options();
  memory->registry = cadastre_context_create_with(&options);
  if (memory->registry != CADASTRE_NULL_CONTEXT) return CADASTRE_SUCCESS;
  cadastre_last_error(CADASTRE_NULL_CONTEXT, &error);
  return cadastre_qmckl_exit_code(error.exit_code);
}

/* Frees all blocks that are left, silently, when the context is destroyed.
 *
 * memory: not NULL; refuses everything afterwards.
 * Exit codes: SUCCESS; INVALID_CONTEXT (there was no registry); DEALLOCATION_FAILED. */
static inline int32_t cadastre_qmckl_finalize(cadastre_qmckl_memory* memory) {
  const cadastre_context registry = memory->registry;
  memory->registry = CADASTRE_NULL_CONTEXT;
  return cadastre_qmckl_exit_code(cadastre_context_destroy(registry));
}

/* Allocates a block of zeros.
 *
 * size: bytes; 0 gives a block of its own. label: NULL, or up to 255 characters, what the block is for; copied.
 * Result: its first byte, a multiple of 64, the context's until it is freed; NULL, and cadastre_qmckl_why tells.
 * Cost: that of cadastre_malloc; large blocks are not touched. */
static inline void* cadastre_qmckl_malloc(const cadastre_qmckl_memory* memory, size_t size, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.alignment = CADASTRE_QMCKL_ALIGNMENT;
  info.label = label;
  return cadastre_malloc(memory->registry, info);
}

/* Frees a block.
 *
 * pointer: its first byte.
 * Exit codes: SUCCESS; INVALID_CONTEXT (there is no registry); INVALID_ARG_2 (NULL, or no block); DEALLOCATION_FAILED;
 * cadastre_qmckl_why tells. Cost: O(1). */
static inline int32_t cadastre_qmckl_free(const cadastre_qmckl_memory* memory, void* pointer) {
  return cadastre_qmckl_exit_code(cadastre_free(memory->registry, pointer));
}

/* Answers what was asked for at an address.
 *
 * pointer: any; never dereferenced. size, base: where to write the bytes of the block, as asked for, and its first
 * byte; left as they are on failure.
 * Exit codes: SUCCESS; INVALID_CONTEXT (there is no registry); INVALID_ARG_2 (NULL, or not the first byte of a block);
 * INVALID_ARG_3 (size or base is NULL). Cost: O(1), a miss as well. */
static inline int32_t cadastre_qmckl_get_malloc_info(const cadastre_qmckl_memory* memory, const void* pointer,
                                                     size_t* size, void** base) {
  cadastre_memory_info_struct info;
  cadastre_exit_code code;
  if (memory->registry != CADASTRE_NULL_CONTEXT && pointer && !(size && base)) return CADASTRE_INVALID_ARG_3;
  code = cadastre_get_malloc_info(memory->registry, pointer, &info);
  if (code != CADASTRE_SUCCESS) return cadastre_qmckl_exit_code(code);
  *size = info.size;
  *base = info.pointer;
  return CADASTRE_SUCCESS;
}

/* Tells why the calling thread's last init, malloc or free on this memory failed, for qmckl_failwith.
 *
 * error: room for the answer; not NULL. Result: a sentence in it, of less than 512 characters. */
static inline const char* cadastre_qmckl_why(const cadastre_qmckl_memory* memory, cadastre_error_struct* error) {
  cadastre_last_error(memory->registry, error);
  return error->sentence;
}

#endif
