/* Tangled from org/tests/qmckl_gpu_imitation.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* The imitation's own memory layer: two lists, and device memory that is the host's. */
#define QMCKL_GPU_IMITATION_PRIVATE
#include "qmckl_gpu_imitation.h"

#include <stdlib.h>
#include <string.h>

static int64_t own_blocks = 0;

int64_t imitation_gpu_own_blocks(void) { return __atomic_load_n(&own_blocks, __ATOMIC_RELAXED); }

static qmckl_context_struct_device* struct_of(qmckl_context_device context) { return (qmckl_context_struct_device*)context; }

static int begin(qmckl_memory_struct_device* list) {
  list->array_size = 32;
  list->element = calloc(list->array_size, sizeof *list->element);
  return list->element != NULL;
}

static void end(qmckl_memory_struct_device* list) {
  size_t i;
  for (i = 0; i < list->array_size; ++i) free(list->element[i].pointer);
  free(list->element);
}

int imitation_gpu_begin_memory(qmckl_context_struct_device* ctx) {
  if (!begin(&ctx->memory_host)) return 0;
  if (begin(&ctx->memory_device)) return 1;
  free(ctx->memory_host.element);
  return 0;
}

void imitation_gpu_end_memory(qmckl_context_struct_device* ctx) {
  end(&ctx->memory_host);
  end(&ctx->memory_device);
}

static size_t find(const qmckl_memory_struct_device* list, const void* pointer) {
  size_t i = 0;
  while (i < list->array_size && list->element[i].pointer != pointer) ++i;
  return i;
}

static int grow(qmckl_memory_struct_device* list) {
  qmckl_memory_info_struct_device* larger;
  if (list->n_allocated < list->array_size) return 1;
  larger = realloc(list->element, 2 * list->array_size * sizeof *larger);
  if (!larger) return 0;
  memset(larger + list->array_size, 0, list->array_size * sizeof *larger);
  list->element = larger;
  list->array_size *= 2;
  return 1;
}

static void* allocate(qmckl_context_struct_device* ctx, qmckl_memory_struct_device* list, size_t size) {
  void* const pointer = malloc(size);
  size_t i;
  if (!pointer) return NULL;
  pthread_mutex_lock(&ctx->mutex);
  if (!grow(list)) {
    pthread_mutex_unlock(&ctx->mutex);
    free(pointer);
    return NULL;
  }
  i = find(list, NULL);
  list->element[i].size = size;
  list->element[i].pointer = pointer;
  ++list->n_allocated;
  pthread_mutex_unlock(&ctx->mutex);
  __atomic_add_fetch(&own_blocks, 1, __ATOMIC_RELAXED);
  return pointer;
}

static qmckl_exit_code_device release(qmckl_context_device context, qmckl_memory_struct_device* list, const char* function, void* pointer) {
  size_t i;
  if (!pointer) return qmckl_failwith_device(context, QMCKL_INVALID_ARG_2_DEVICE, function, "NULL pointer");
  pthread_mutex_lock(&struct_of(context)->mutex);
  i = find(list, pointer);
  if (i < list->array_size) {
    free(pointer);
    memset(&list->element[i], 0, sizeof list->element[i]);
    --list->n_allocated;
    pthread_mutex_unlock(&struct_of(context)->mutex);
    return QMCKL_SUCCESS_DEVICE;
  }
  pthread_mutex_unlock(&struct_of(context)->mutex);
  return qmckl_failwith_device(context, QMCKL_INVALID_ARG_2_DEVICE, function, "Pointer not found in context");
}

void* qmckl_malloc_host(qmckl_context_device context, const qmckl_memory_info_struct_device info) {
  void* pointer;
  if (qmckl_context_check_device(context) == QMCKL_NULL_CONTEXT_DEVICE) return NULL;
  pointer = allocate(struct_of(context), &struct_of(context)->memory_host, info.size);
  return pointer ? memset(pointer, 0, info.size) : NULL;
}

void* qmckl_malloc_device(qmckl_context_device context, size_t size) {
  if (qmckl_context_check_device(context) == QMCKL_NULL_CONTEXT_DEVICE) return NULL;
  return allocate(struct_of(context), &struct_of(context)->memory_device, size);
}

qmckl_exit_code_device qmckl_free_host(qmckl_context_device context, void* const ptr) {
  if (qmckl_context_check_device(context) == QMCKL_NULL_CONTEXT_DEVICE) return QMCKL_INVALID_CONTEXT_DEVICE;
  return release(context, &struct_of(context)->memory_host, "qmckl_free_host", ptr);
}

qmckl_exit_code_device qmckl_free_device(qmckl_context_device context, void* const ptr) {
  if (qmckl_context_check_device(context) == QMCKL_NULL_CONTEXT_DEVICE) return QMCKL_INVALID_CONTEXT_DEVICE;
  return release(context, &struct_of(context)->memory_device, "qmckl_free_device", ptr);
}

qmckl_exit_code_device qmckl_get_malloc_info_host(qmckl_context_device context, const void* ptr, qmckl_memory_info_struct_device* info) {
  const qmckl_memory_struct_device* list;
  size_t i;
  if (qmckl_context_check_device(context) == QMCKL_NULL_CONTEXT_DEVICE) return QMCKL_INVALID_CONTEXT_DEVICE;
  list = &struct_of(context)->memory_host;
  i = ptr ? find(list, ptr) : list->array_size;
  if (i == list->array_size) return qmckl_failwith_device(context, QMCKL_INVALID_ARG_2_DEVICE, __func__, "not found");
  if (!info) return qmckl_failwith_device(context, QMCKL_INVALID_ARG_3_DEVICE, __func__, "NULL pointer");
  *info = list->element[i];
  return QMCKL_SUCCESS_DEVICE;
}

static qmckl_exit_code_device copy(qmckl_context_device context, const char* function, void* dest, const void* src, size_t size) {
  if (qmckl_context_check_device(context) == QMCKL_NULL_CONTEXT_DEVICE) return QMCKL_INVALID_CONTEXT_DEVICE;
  if (!dest) return qmckl_failwith_device(context, QMCKL_INVALID_ARG_2_DEVICE, function, "NULL pointer");
  if (!src) return qmckl_failwith_device(context, QMCKL_INVALID_ARG_3_DEVICE, function, "NULL pointer");
  memcpy(dest, src, size);
  return QMCKL_SUCCESS_DEVICE;
}

qmckl_exit_code_device qmckl_memcpy_H2D(qmckl_context_device context, void* dest, void* src, size_t size)
{
  return copy(context, __func__, dest, src, size);
}

qmckl_exit_code_device qmckl_memcpy_D2H(qmckl_context_device context, void* dest, void* src, size_t size)
{
  return copy(context, __func__, dest, src, size);
}

qmckl_exit_code_device qmckl_memcpy_D2D(qmckl_context_device context, void* dest, void* src, size_t size)
{
  return copy(context, __func__, dest, src, size);
}

qmckl_exit_code_device qmckl_memcpy_H2D_double(qmckl_context_device context, double* dest, double* src, int64_t count)
{
  return copy(context, __func__, dest, src, (size_t)count * sizeof(double));
}

qmckl_exit_code_device qmckl_memcpy_H2D_int64(qmckl_context_device context, int64_t* dest, int64_t* src, int64_t count)
{
  return copy(context, __func__, dest, src, (size_t)count * sizeof(int64_t));
}

qmckl_exit_code_device qmckl_memcpy_H2D_int32(qmckl_context_device context, int32_t* dest, int32_t* src, int64_t count)
{
  return copy(context, __func__, dest, src, (size_t)count * sizeof(int32_t));
}

qmckl_exit_code_device qmckl_memcpy_D2H_double(qmckl_context_device context, double* dest, double* src, int64_t count)
{
  return copy(context, __func__, dest, src, (size_t)count * sizeof(double));
}

qmckl_exit_code_device qmckl_memcpy_D2H_int64(qmckl_context_device context, int64_t* dest, int64_t* src, int64_t count)
{
  return copy(context, __func__, dest, src, (size_t)count * sizeof(int64_t));
}

qmckl_exit_code_device qmckl_memcpy_D2H_int32(qmckl_context_device context, int32_t* dest, int32_t* src, int64_t count)
{
  return copy(context, __func__, dest, src, (size_t)count * sizeof(int32_t));
}
