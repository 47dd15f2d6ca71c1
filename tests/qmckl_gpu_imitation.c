/* Tangled from org/tests/qmckl_gpu_imitation.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of qmckl_gpu for tests: contexts, failures, and functions that use memory. */
#define QMCKL_GPU_IMITATION_PRIVATE
#include "qmckl_gpu_imitation.h"

#include <stdio.h>
#include <stdlib.h>

#define VALID_TAG 0xBEEFFACEu
#define INVALID_TAG 0xDEADBEEFu

static qmckl_context_struct_device* struct_of(qmckl_context_device context) { return (qmckl_context_struct_device*)context; }

static void lock(qmckl_context_struct_device* ctx) {
  if (pthread_mutex_lock(&ctx->mutex) != 0) abort();
}

static void unlock(qmckl_context_struct_device* ctx) {
  if (pthread_mutex_unlock(&ctx->mutex) != 0) abort();
}

qmckl_context_device qmckl_context_check_device(qmckl_context_device context) {
  if (context == QMCKL_NULL_CONTEXT_DEVICE || struct_of(context)->tag != VALID_TAG) return QMCKL_NULL_CONTEXT_DEVICE;
  return context;
}

qmckl_exit_code_device qmckl_failwith_device(qmckl_context_device context, qmckl_exit_code_device code, const char* function,
                                             const char* message) {
  qmckl_context_struct_device* const ctx = struct_of(context);
  if (code <= 0 || code >= 109) abort();
  if (qmckl_context_check_device(context) == QMCKL_NULL_CONTEXT_DEVICE) return QMCKL_INVALID_CONTEXT_DEVICE;
  lock(ctx);
  ctx->code = code;
  if (snprintf(ctx->function, sizeof ctx->function, "%s", function) >= (int)sizeof ctx->function) abort();
  if (snprintf(ctx->message, sizeof ctx->message, "%s", message ? message : "") >= (int)sizeof ctx->message) abort();
  unlock(ctx);
  return code;
}

const char* imitation_gpu_failure(qmckl_context_device context, qmckl_exit_code_device* code, const char** function) {
  *code = struct_of(context)->code;
  *function = struct_of(context)->function;
  return struct_of(context)->message;
}

qmckl_context_device imitation_gpu_create_unseen(int device_id) {
  pthread_mutexattr_t checked;
  qmckl_context_struct_device* const ctx = calloc(1, sizeof *ctx);
  if (!ctx) return QMCKL_NULL_CONTEXT_DEVICE;
  pthread_mutexattr_init(&checked);
  pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&ctx->mutex, &checked);
  pthread_mutexattr_destroy(&checked);
  ctx->tag = VALID_TAG;
  ctx->device_id = device_id;
  if (imitation_gpu_begin_memory(ctx)) return (qmckl_context_device)ctx;
  pthread_mutex_destroy(&ctx->mutex);
  free(ctx);
  return QMCKL_NULL_CONTEXT_DEVICE;
}

qmckl_context_device qmckl_context_create_device(int device_id) { return imitation_gpu_create_unseen(device_id); }

qmckl_exit_code_device qmckl_context_destroy_device(qmckl_context_device context) {
  qmckl_context_struct_device* const ctx = struct_of(context);
  if (qmckl_context_check_device(context) == QMCKL_NULL_CONTEXT_DEVICE) return QMCKL_INVALID_CONTEXT_DEVICE;
  if (ctx->numbers && qmckl_free_device(context, ctx->numbers) != QMCKL_SUCCESS_DEVICE) abort();
  imitation_gpu_end_memory(ctx);
  ctx->tag = INVALID_TAG;
  pthread_mutex_destroy(&ctx->mutex);
  free(ctx);
  return QMCKL_SUCCESS_DEVICE;
}

qmckl_exit_code_device qmckl_set_numbers_device(qmckl_context_device context, const double* numbers, int64_t count) {
  qmckl_context_struct_device* const ctx = struct_of(context);
  qmckl_exit_code_device code = QMCKL_SUCCESS_DEVICE;
  if (qmckl_context_check_device(context) == QMCKL_NULL_CONTEXT_DEVICE) return QMCKL_INVALID_CONTEXT_DEVICE;
  if (ctx->numbers) code = qmckl_free_device(context, ctx->numbers);
  if (code != QMCKL_SUCCESS_DEVICE) return code;
  ctx->count = count;
  ctx->numbers = qmckl_malloc_device(context, (size_t)count * sizeof(double));
  if (!ctx->numbers) return QMCKL_ALLOCATION_FAILED_DEVICE;
  return qmckl_memcpy_H2D_double(context, ctx->numbers, (double*)(uintptr_t)numbers, count);
}

qmckl_exit_code_device qmckl_get_numbers_sum_device(qmckl_context_device context, double* sum) {
  qmckl_context_struct_device* const ctx = struct_of(context);
  qmckl_memory_info_struct_device info = {0, NULL};
  qmckl_exit_code_device code;
  double* copy;
  int64_t i;
  if (qmckl_context_check_device(context) == QMCKL_NULL_CONTEXT_DEVICE) return QMCKL_INVALID_CONTEXT_DEVICE;
  info.size = (size_t)ctx->count * sizeof(double);
  copy = qmckl_malloc_host(context, info);
  if (!copy) return QMCKL_ALLOCATION_FAILED_DEVICE;
  code = qmckl_memcpy_D2H_double(context, copy, ctx->numbers, ctx->count);
  if (code != QMCKL_SUCCESS_DEVICE) return code;
  *sum = 0;
  for (i = 0; i < ctx->count; ++i) *sum += copy[i];
  return qmckl_free_host(context, copy);
}
