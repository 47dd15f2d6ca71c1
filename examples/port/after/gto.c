/* Tangled from org/examples/port.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* The library on a context of Cadastre. */
#include "gto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct context {
  uint32_t tag;
  char error[1024];
  cadastre_context memory;
  int64_t shell_number, point_number;
  double *center, *exponent, *point;
  double* value;
  int date, value_date; /* of the inputs, and of those that the values are of */
};

enum { valid = 0x67746f21 };

static struct context* context_of(gto_context context) {
  struct context* const ctx = (struct context*)(intptr_t)context;
  return ctx && ctx->tag == valid ? ctx : NULL;
}

/* why: NULL where the registry says it. */
static gto_exit_code fail(struct context* ctx, gto_exit_code code, const char* function, const char* why) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  if (!why) (void)cadastre_last_error(ctx->memory, &error);
  snprintf(ctx->error, sizeof ctx->error, "%s: %s", function, why ? why : error.message);
  return code;
}

const char* gto_last_error(gto_context context) {
  const struct context* const ctx = context_of(context);
  return ctx ? ctx->error : "no such context";
}

void* gto_malloc_for(const char* function, gto_context context, gto_memory_info info) {
  struct context* const ctx = context_of(context);
  if (!ctx) return NULL;
  if (!info.label) info.label = function;
  void* const pointer = cadastre_malloc(ctx->memory, info);
  if (!pointer) fail(ctx, GTO_ALLOCATION_FAILED, function, NULL);
  return pointer;
}

gto_exit_code gto_free(gto_context context, void* pointer) {
  struct context* const ctx = context_of(context);
  if (!ctx) return GTO_INVALID_CONTEXT;
  if (cadastre_free(ctx->memory, pointer) == CADASTRE_SUCCESS) return GTO_SUCCESS;
  return fail(ctx, GTO_INVALID_ARGUMENT, "gto_free", NULL);
}

gto_context gto_context_create(void) {
  struct context* const ctx = calloc(1, sizeof *ctx);
  if (!ctx) return GTO_NULL_CONTEXT;
  ctx->memory = cadastre_context_create();
  if (ctx->memory == CADASTRE_NULL_CONTEXT) {
    free(ctx);
    return GTO_NULL_CONTEXT;
  }
  ctx->tag = valid;
  return (gto_context)(intptr_t)ctx;
}

gto_exit_code gto_context_destroy(gto_context context) {
  struct context* const ctx = context_of(context);
  if (!ctx) return GTO_INVALID_CONTEXT;
  double* const own[] = {ctx->center, ctx->exponent, ctx->point, ctx->value};
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) {
    if (own[i]) (void)gto_free(context, own[i]);
  }
  const cadastre_exit_code code = cadastre_context_destroy(ctx->memory);
  ctx->tag = 0;
  free(ctx);
  return code == CADASTRE_SUCCESS ? GTO_SUCCESS : GTO_FAILURE;
}

static double* copy_for(const char* function, gto_context context, const double* source, int64_t number) {
  const gto_memory_info info = {.size = (size_t)number * sizeof *source};
  double* const copy = gto_malloc_for(function, context, info);
  if (!copy || cadastre_memcpy(context_of(context)->memory, copy, source, info.size) == CADASTRE_SUCCESS) return copy;
  fail(context_of(context), GTO_INVALID_ARGUMENT, function, NULL);
  (void)gto_free(context, copy);
  return NULL;
}
#define copy_of(...) copy_for(__func__, __VA_ARGS__)

static gto_exit_code replace(gto_context context, double** array, double* with) {
  const gto_exit_code code = *array ? gto_free(context, *array) : GTO_SUCCESS;
  *array = with;
  return code;
}

gto_exit_code gto_set_shells(gto_context context, int64_t number, const double* center, const double* exponent) {
  struct context* const ctx = context_of(context);
  if (!ctx) return GTO_INVALID_CONTEXT;
  if (number <= 0 || !center || !exponent) return fail(ctx, GTO_INVALID_ARGUMENT, __func__, "no functions");
  double* const centers = copy_of(context, center, 3 * number);
  double* const exponents = centers ? copy_of(context, exponent, number) : NULL;
  if (!exponents) {
    if (centers) (void)gto_free(context, centers);
    return GTO_ALLOCATION_FAILED;
  }
  ctx->shell_number = number;
  ++ctx->date;
  const gto_exit_code code = replace(context, &ctx->center, centers);
  const gto_exit_code other = replace(context, &ctx->exponent, exponents);
  return code != GTO_SUCCESS ? code : other;
}

gto_exit_code gto_set_points(gto_context context, int64_t number, const double* point) {
  struct context* const ctx = context_of(context);
  if (!ctx) return GTO_INVALID_CONTEXT;
  if (number <= 0 || !point) return fail(ctx, GTO_INVALID_ARGUMENT, __func__, "no points");
  double* const points = copy_of(context, point, 3 * number);
  if (!points) return GTO_ALLOCATION_FAILED;
  ctx->point_number = number;
  ++ctx->date;
  return replace(context, &ctx->point, points);
}

static void compute_values(const struct context* ctx, double* value) {
  for (int64_t p = 0; p < ctx->point_number; ++p) {
    for (int64_t s = 0; s < ctx->shell_number; ++s) {
      double distance = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const double along = ctx->point[3 * p + axis] - ctx->center[3 * s + axis];
        distance += along * along;
      }
      value[p * ctx->shell_number + s] = exp(-ctx->exponent[s] * distance);
    }
  }
}

static gto_exit_code provide_values(gto_context context) {
  struct context* const ctx = context_of(context);
  if (!ctx->center || !ctx->point) return fail(ctx, GTO_NOT_PROVIDED, __func__, "set functions and points first");
  if (ctx->value && ctx->value_date == ctx->date) return GTO_SUCCESS;
  const gto_memory_info info = {.size = (size_t)(ctx->shell_number * ctx->point_number) * sizeof *ctx->value};
  double* const value = gto_malloc(context, info);
  if (!value) return GTO_ALLOCATION_FAILED;
  compute_values(ctx, value);
  ctx->value_date = ctx->date;
  return replace(context, &ctx->value, value);
}

gto_exit_code gto_get_values(gto_context context, double* value, int64_t size) {
  struct context* const ctx = context_of(context);
  if (!ctx) return GTO_INVALID_CONTEXT;
  const gto_exit_code code = provide_values(context);
  if (code != GTO_SUCCESS) return code;
  const int64_t number = ctx->shell_number * ctx->point_number;
  if (!value || size < number) return fail(ctx, GTO_INVALID_ARGUMENT, __func__, "no room for the values");
  if (cadastre_memcpy(ctx->memory, value, ctx->value, (size_t)number * sizeof *value) == CADASTRE_SUCCESS) return GTO_SUCCESS;
  return fail(ctx, GTO_INVALID_ARGUMENT, __func__, NULL);
}
