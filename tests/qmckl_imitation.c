/* Tangled from org/tests/qmckl_imitation.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of QMCkl for tests: contexts, errors, and functions that allocate. It is not QMCkl. */
#include "qmckl_imitation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALID_TAG 0xBEEFFACEu

static pthread_mutex_t vacant_mutex = PTHREAD_MUTEX_INITIALIZER;
static qmckl_context_struct* vacant;
static int allocate_at_creation;

static void must(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "imitation of QMCkl: %s\n", what);
  abort();
}

static qmckl_context_struct* structure_of(qmckl_context context) { return (qmckl_context_struct*)(intptr_t)context; }

qmckl_context qmckl_context_check(qmckl_context context) {
  if (context == QMCKL_NULL_CONTEXT) return QMCKL_NULL_CONTEXT;
  return structure_of(context)->tag == VALID_TAG ? context : QMCKL_NULL_CONTEXT;
}

void qmckl_lock(qmckl_context context) {
  qmckl_context_struct* const ctx = structure_of(context);
  must(pthread_mutex_lock(&ctx->mutex) == 0, "a lock that is not recursive was taken again");
}

void qmckl_unlock(qmckl_context context) {
  must(pthread_mutex_unlock(&structure_of(context)->mutex) == 0, "a lock was given back that was not held");
}

/* Structures are never given back to the C library, and the last one that was left goes first. */
static qmckl_context_struct* take_structure(void) {
  qmckl_context_struct* ctx;
  pthread_mutex_lock(&vacant_mutex);
  ctx = vacant;
  if (ctx) vacant = ctx->next_vacant;
  pthread_mutex_unlock(&vacant_mutex);
  return ctx ? ctx : malloc(sizeof *ctx);
}

static void leave_structure(qmckl_context_struct* ctx) {
  pthread_mutex_lock(&vacant_mutex);
  ctx->next_vacant = vacant;
  vacant = ctx;
  pthread_mutex_unlock(&vacant_mutex);
}

static qmckl_context create(void) {
  static const double origin[3];
  pthread_mutexattr_t attributes;
  qmckl_context context;
  qmckl_context_struct* const ctx = take_structure();
  if (!ctx) return QMCKL_NULL_CONTEXT;
  memset(ctx, 0, sizeof *ctx);
  if (!qmckl_init_memory(&ctx->memory)) {
    leave_structure(ctx);
    return QMCKL_NULL_CONTEXT;
  }
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&ctx->mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  ctx->tag = VALID_TAG;
  context = (qmckl_context)(intptr_t)ctx;
  if (allocate_at_creation) must(qmckl_set_points(context, origin, 1) == QMCKL_SUCCESS, "no points at creation");
  return context;
}

static qmckl_exit_code destroy(qmckl_context context) {
  qmckl_context_struct* const ctx = structure_of(context);
  if (qmckl_context_check(context) == QMCKL_NULL_CONTEXT) return QMCKL_INVALID_CONTEXT;
  if (ctx->points) must(qmckl_free(context, ctx->points) == QMCKL_SUCCESS, "the points are no block at the end");
  qmckl_lock(context);
  qmckl_finalize_memory(&ctx->memory);
  qmckl_unlock(context);
  pthread_mutex_destroy(&ctx->mutex);
  ctx->tag = 0;
  leave_structure(ctx);
  return QMCKL_SUCCESS;
}

qmckl_context qmckl_context_create(void) { return create(); }
qmckl_exit_code qmckl_context_destroy(qmckl_context context) { return destroy(context); }
qmckl_context qmckl_imitation_create_unseen(void) { return create(); }
qmckl_exit_code qmckl_imitation_destroy_unseen(qmckl_context context) { return destroy(context); }
void qmckl_imitation_allocate_at_creation(int on) { allocate_at_creation = on; }

qmckl_exit_code qmckl_failwith(qmckl_context context, qmckl_exit_code exit_code, const char* function, const char* message) {
  qmckl_context_struct* const ctx = structure_of(context);
  must(exit_code > 0 && exit_code < QMCKL_INVALID_EXIT_CODE, "failwith got no exit code");
  must(function && strlen(function) < QMCKL_MAX_FUN_LEN, "failwith got no function");
  must(!message || strlen(message) < QMCKL_MAX_MSG_LEN, "failwith got a message that is too long");
  if (qmckl_context_check(context) == QMCKL_NULL_CONTEXT) return QMCKL_INVALID_CONTEXT;
  qmckl_lock(context);
  ctx->error = exit_code;
  strcpy(ctx->function, function);
  strcpy(ctx->message, message ? message : "");
  qmckl_unlock(context);
  return exit_code;
}

qmckl_exit_code qmckl_get_error(qmckl_context context, qmckl_exit_code* exit_code, char* function, char* message) {
  qmckl_context_struct* const ctx = structure_of(context);
  if (qmckl_context_check(context) == QMCKL_NULL_CONTEXT) return QMCKL_INVALID_CONTEXT;
  qmckl_lock(context);
  *exit_code = ctx->error;
  strcpy(function, ctx->function);
  strcpy(message, ctx->message);
  qmckl_unlock(context);
  return QMCKL_SUCCESS;
}

#define ORBITALS_PER_POINT 5

qmckl_exit_code qmckl_set_points(qmckl_context context, const double* points, int64_t n) {
  qmckl_context_struct* const ctx = structure_of(context);
  qmckl_memory_info_struct info = {0, NULL};
  if (qmckl_context_check(context) == QMCKL_NULL_CONTEXT) return QMCKL_INVALID_CONTEXT;
  if (ctx->points && qmckl_free(context, ctx->points) != QMCKL_SUCCESS) {
    return qmckl_failwith(context, QMCKL_DEALLOCATION_FAILED, "qmckl_set_points", NULL);
  }
  info.size = (size_t)n * 3 * sizeof(double);
  ctx->points = qmckl_malloc(context, info);
  if (!ctx->points) return qmckl_failwith(context, QMCKL_ALLOCATION_FAILED, "qmckl_set_points", NULL);
  memcpy(ctx->points, points, info.size);
  ctx->n_points = n;
  return QMCKL_SUCCESS;
}

static qmckl_exit_code provide_orbitals(qmckl_context context) {
  qmckl_context_struct* const ctx = structure_of(context);
  qmckl_memory_info_struct info = {0, NULL};
  const size_t size = (size_t)ctx->n_points * ORBITALS_PER_POINT * sizeof(double);
  int64_t i;
  if (ctx->orbitals) {
    must(qmckl_get_malloc_info(context, ctx->orbitals, &info) == QMCKL_SUCCESS, "the orbitals are no block");
    if (info.size != size) {
      must(qmckl_free(context, ctx->orbitals) == QMCKL_SUCCESS, "the orbitals cannot be freed");
      ctx->orbitals = NULL;
    }
  }
  if (!ctx->orbitals) {
    info.size = size;
    info.pointer = NULL;
    ctx->orbitals = qmckl_malloc(context, info);
    if (!ctx->orbitals) return qmckl_failwith(context, QMCKL_ALLOCATION_FAILED, "qmckl_provide_orbitals", NULL);
  }
  for (i = 0; i < ctx->n_points * ORBITALS_PER_POINT; ++i) {
    ctx->orbitals[i] = ctx->points[i / ORBITALS_PER_POINT * 3] + (double)(i % ORBITALS_PER_POINT);
  }
  return QMCKL_SUCCESS;
}

qmckl_exit_code qmckl_get_orbitals(qmckl_context context, double* orbitals, int64_t size_max) {
  qmckl_context_struct* const ctx = structure_of(context);
  qmckl_memory_info_struct info = {0, NULL};
  qmckl_exit_code code;
  if (qmckl_context_check(context) == QMCKL_NULL_CONTEXT) return QMCKL_INVALID_CONTEXT;
  code = provide_orbitals(context);
  if (code != QMCKL_SUCCESS) return code;
  info.size = (size_t)size_max * sizeof(double);
  if (orbitals) qmckl_get_malloc_info(context, orbitals, &info);
  if (info.size < (size_t)ctx->n_points * ORBITALS_PER_POINT * sizeof(double)) {
    return qmckl_failwith(context, QMCKL_INVALID_ARG_3, "qmckl_get_orbitals", "The array is too small");
  }
  memcpy(orbitals, ctx->orbitals, (size_t)ctx->n_points * ORBITALS_PER_POINT * sizeof(double));
  return QMCKL_SUCCESS;
}

static __attribute__((noinline)) void* unnamed(qmckl_context context, size_t size) {
  qmckl_memory_info_struct info = {0, NULL};
  char* block;
  info.size = size;
  block = qmckl_malloc(context, info);
  if (block && size) block[0] = 0; /* so that this is no tail call */
  return block;
}

void* qmckl_imitation_malloc_unnamed(qmckl_context context, size_t size) { return unnamed(context, size); }
