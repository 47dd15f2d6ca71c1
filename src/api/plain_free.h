/* Tangled from org/api/plain_free.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* What an adapter asks that stands in the place of free. These functions are exported for the adapters of the same version, and are no
 * part of the interface: another version may have others. */
#ifndef CADASTRE_SRC_API_PLAIN_FREE_H
#define CADASTRE_SRC_API_PLAIN_FREE_H

#include <stddef.h>

#include "cadastre.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of a pointer. */
enum cadastre_plain_outcome {
  CADASTRE_PLAIN_PASS_ON, /* it is no block: the next function is to have it */
  CADASTRE_PLAIN_DONE,    /* it was a block, and what was asked for was done */
  CADASTRE_PLAIN_REFUSED, /* it is a block or in one, or was, and cannot be freed: nobody else is to have it */
  CADASTRE_PLAIN_KEPT     /* the same, for a handler of signals, which is told no reason */
};

/* Frees a block of any context. */
CADASTRE_API int cadastre_plain_free(void* pointer);
/* Writes the size of a block of any context; a block that the host cannot read is refused. */
CADASTRE_API int cadastre_plain_size(const void* pointer, size_t* size);
/* Writes why the calling thread's last pointer was refused. */
CADASTRE_API void cadastre_plain_error(cadastre_error_struct* error);
/* Has the library call these functions for its own memory, instead of those of the process. */
CADASTRE_API void cadastre_plain_next(void (*next_free)(void* pointer), void* (*next_realloc)(void* pointer, size_t size));

#ifdef __cplusplus
}
#endif
#endif
