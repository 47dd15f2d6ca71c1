/* Tangled from org/adapters/qmckl_linked.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The memory layer of QMCkl on top of a Cadastre context, to be linked into QMCkl. C99; needs cadastre.h only.
 *
 * A cadastre_qmckl_memory replaces the list of blocks in a qmckl_context_struct. Functions return QMCkl's exit codes.
 * Several threads may call them at the same time, except init and finalize. They take none of QMCkl's locks.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CADASTRE_QMCKL_H
#define CADASTRE_QMCKL_H

#include <stddef.h>
#include <stdint.h>

#include "cadastre.h"

/** The registry of one qmckl_context. With all bytes zero there is no registry, and every call fails. */
typedef struct cadastre_qmckl_memory {
  cadastre_context context; /**< the context, or CADASTRE_NULL_CONTEXT for none */
} cadastre_qmckl_memory;

/** Alignment in bytes of every block. */
#define CADASTRE_QMCKL_ALIGNMENT 64

/** The message for qmckl_failwith when a queried address is not that of a block. It is a constant, because QMCkl makes
 * such queries in normal operation, and a specific message would be of no use. */
#define CADASTRE_QMCKL_NOT_FOUND "Pointer not found in context"

/** Returns the options with which a registry is created.
 *
 * @return HOST memory, from the host backend; everything else has its default */
static inline cadastre_context_options_struct cadastre_qmckl_options(void) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  return options;
}

/** Converts an exit code of Cadastre to one of QMCkl.
 *
 * @param code  any exit code
 * @return an exit code below 109: CADASTRE_ALLOCATION_FAILED for CADASTRE_LIMIT_EXCEEDED, CADASTRE_FAILURE for what
 *   QMCkl does not know */
static inline int32_t cadastre_qmckl_exit_code(cadastre_exit_code code) {
  if (code == CADASTRE_LIMIT_EXCEEDED) return CADASTRE_ALLOCATION_FAILED;
  return code >= CADASTRE_INVALID_EXIT_CODE ? CADASTRE_FAILURE : code;
}

/** Creates the registry, when the context is created. Its blocks may be freed by free(), as
 * cadastre_context_set_plain_free() describes. After a failure cadastre_qmckl_error_message() says why.
 *
 * @param memory  not NULL; written
 * @retval CADASTRE_SUCCESS  the registry exists
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory, or too many contexts
 * @retval CADASTRE_FAILURE  an environment variable has a malformed value
 * @par Threads
 *   No other thread may use memory during the call.
 * @par Cost
 *   As cadastre_context_create_with_options(). */
static inline int32_t cadastre_qmckl_init(cadastre_qmckl_memory* memory) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  const cadastre_context_options_struct options = cadastre_qmckl_options();
  memory->context = cadastre_context_create_with_options(&options);
  if (memory->context != CADASTRE_NULL_CONTEXT) {
    cadastre_context_set_plain_free(memory->context, 1);
    return CADASTRE_SUCCESS;
  }
  cadastre_last_error(CADASTRE_NULL_CONTEXT, &error);
  return cadastre_qmckl_exit_code(error.exit_code);
}

/** Frees all remaining blocks, without a message, when the context is destroyed.
 *
 * @param memory  not NULL; afterwards it has no registry, and every call on it fails
 * @retval CADASTRE_SUCCESS  all blocks are freed
 * @retval CADASTRE_INVALID_CONTEXT  there was no registry
 * @retval CADASTRE_DEALLOCATION_FAILED  a block could not be freed; the registry is destroyed all the same
 * @par Threads
 *   No other thread may use memory during the call.
 * @par Cost
 *   As cadastre_context_destroy(). */
static inline int32_t cadastre_qmckl_finalize(cadastre_qmckl_memory* memory) {
  const cadastre_context context = memory->context;
  memory->context = CADASTRE_NULL_CONTEXT;
  return cadastre_qmckl_exit_code(cadastre_context_destroy(context));
}

/** Allocates a block of zeros.
 *
 * @param memory  the registry of the context; not NULL
 * @param size  bytes; 0 returns a distinct block
 * @param label  NULL, or up to 255 characters that describe the block; copied
 * @return the address of its first byte, a multiple of 64; the context owns the block until it is freed. NULL on
 *   failure, and cadastre_qmckl_error_message() says why
 * @par Cost
 *   That of cadastre_malloc(); the pages of large blocks are not written. */
static inline void* cadastre_qmckl_malloc(const cadastre_qmckl_memory* memory, size_t size, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.alignment = CADASTRE_QMCKL_ALIGNMENT;
  info.label = label;
  return cadastre_malloc(memory->context, info);
}

/** Frees a block. After a failure cadastre_qmckl_error_message() says why.
 *
 * @param memory  the registry of the context; not NULL
 * @param pointer  its first byte
 * @retval CADASTRE_SUCCESS  the block is freed
 * @retval CADASTRE_INVALID_CONTEXT  there is no registry
 * @retval CADASTRE_INVALID_ARG_2  NULL, or no block
 * @retval CADASTRE_DEALLOCATION_FAILED  the memory could not be freed; the block is no longer in the registry
 * @par Cost
 *   That of cadastre_free(). */
static inline int32_t cadastre_qmckl_free(const cadastre_qmckl_memory* memory, void* pointer) {
  return cadastre_qmckl_exit_code(cadastre_free(memory->context, pointer));
}

/** Writes the size and the address of a block.
 *
 * @param memory  the registry of the context; not NULL
 * @param pointer  any address; never dereferenced
 * @param size  where to write the requested size of the block in bytes; not NULL; unchanged on failure
 * @param base  where to write the address of its first byte; not NULL; unchanged on failure
 * @retval CADASTRE_SUCCESS  both are written
 * @retval CADASTRE_INVALID_CONTEXT  there is no registry
 * @retval CADASTRE_INVALID_ARG_2  NULL, or not the first byte of a block
 * @retval CADASTRE_INVALID_ARG_3  size or base is NULL
 * @par Cost
 *   O(1), also if there is no such block. */
static inline int32_t cadastre_qmckl_get_malloc_info(const cadastre_qmckl_memory* memory, const void* pointer, size_t* size, void** base) {
  cadastre_memory_info_struct info;
  cadastre_exit_code code;
  if (memory->context != CADASTRE_NULL_CONTEXT && pointer && !(size && base)) return CADASTRE_INVALID_ARG_3;
  code = cadastre_get_malloc_info(memory->context, pointer, &info);
  if (code != CADASTRE_SUCCESS) return cadastre_qmckl_exit_code(code);
  *size = info.size; /* NOLINT(clang-analyzer-core.NullDereference): who has no context or asks for NULL was refused above */
  *base = info.pointer;
  return CADASTRE_SUCCESS;
}

/** Returns why the calling thread's last init, malloc or free on this memory failed, as a message for qmckl_failwith.
 *
 * @param memory  the registry of the context; not NULL
 * @param error  where to write the failure; not NULL; begins as cadastre_error_struct_zero
 * @return the message in *error, of less than 768 characters */
static inline const char* cadastre_qmckl_error_message(const cadastre_qmckl_memory* memory, cadastre_error_struct* error) {
  cadastre_last_error(memory->context, error);
  return error->message;
}

#endif
