/* Tangled from org/examples/port.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of Gaussian functions at points, in the manner of QMCkl. */
#ifndef GTO_H
#define GTO_H

#include <stddef.h>
#include <stdint.h>

typedef int64_t gto_context;
#define GTO_NULL_CONTEXT ((gto_context)0)

typedef enum { GTO_SUCCESS, GTO_INVALID_CONTEXT, GTO_INVALID_ARGUMENT, GTO_ALLOCATION_FAILED, GTO_NOT_PROVIDED, GTO_FAILURE } gto_exit_code;

gto_context gto_context_create(void);
gto_exit_code gto_context_destroy(gto_context context); /* frees what is left */
const char* gto_last_error(gto_context context);

gto_exit_code gto_free(gto_context context, void* pointer);

/* The functions: center has x, y and z of each. The arrays are copied. */
gto_exit_code gto_set_shells(gto_context context, int64_t number, const double* center, const double* exponent);
gto_exit_code gto_set_points(gto_context context, int64_t number, const double* point);
/* value has room for size values: all functions at the first point, then at the second. */
gto_exit_code gto_get_values(gto_context context, double* value, int64_t size);

typedef struct {
  size_t size;
  void* pointer;
} gto_memory_info;

void* gto_malloc(gto_context context, gto_memory_info info); /* zeroed, aligned to 64 bytes */

#endif
