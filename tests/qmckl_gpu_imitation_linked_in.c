/* Tangled from org/tests/qmckl_gpu_imitation.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory layer of the imitation of qmckl_gpu, on top of Cadastre. */
#define QMCKL_GPU_IMITATION_PRIVATE
#include <cadastre_qmckl_gpu.h>

#include "qmckl_gpu_imitation.h"

static cadastre_context memory_of(qmckl_context_device context) { return ((const qmckl_context_struct_device*)context)->memory; }

static int is_valid(qmckl_context_device context) { return qmckl_context_check_device(context) != QMCKL_NULL_CONTEXT_DEVICE; }

static qmckl_exit_code_device failed(qmckl_context_device context, qmckl_exit_code_device code, const char* function, const char* message) {
  return code == QMCKL_SUCCESS_DEVICE ? code : qmckl_failwith_device(context, code, function, message);
}

void* qmckl_malloc_host(qmckl_context_device context, const qmckl_memory_info_struct_device info) {
  char message[CADASTRE_QMCKL_GPU_MESSAGE_SIZE];
  void* pointer;
  if (!is_valid(context)) return NULL;
  pointer = cadastre_qmckl_gpu_malloc_host(memory_of(context), info.size, NULL, message);
  if (!pointer) failed(context, QMCKL_ALLOCATION_FAILED_DEVICE, "qmckl_malloc_host", message);
  return pointer;
}

void* qmckl_malloc_device(qmckl_context_device context, size_t size) {
  char message[CADASTRE_QMCKL_GPU_MESSAGE_SIZE];
  void* pointer;
  if (!is_valid(context)) return NULL;
  pointer = cadastre_qmckl_gpu_malloc_device(memory_of(context), size, NULL, message);
  if (!pointer) failed(context, QMCKL_ALLOCATION_FAILED_DEVICE, "qmckl_malloc_device", message);
  return pointer;
}

qmckl_exit_code_device qmckl_free_host(qmckl_context_device context, void* const ptr) {
  char message[CADASTRE_QMCKL_GPU_MESSAGE_SIZE];
  if (!is_valid(context)) return failed(context, QMCKL_INVALID_CONTEXT_DEVICE, "qmckl_free_host", NULL);
  return failed(context, cadastre_qmckl_gpu_free_host(memory_of(context), ptr, message), "qmckl_free_host", message);
}

qmckl_exit_code_device qmckl_free_device(qmckl_context_device context, void* const ptr) {
  char message[CADASTRE_QMCKL_GPU_MESSAGE_SIZE];
  if (!is_valid(context)) return failed(context, QMCKL_INVALID_CONTEXT_DEVICE, "qmckl_free_device", NULL);
  return failed(context, cadastre_qmckl_gpu_free_device(memory_of(context), ptr, message), "qmckl_free_device", message);
}

qmckl_exit_code_device qmckl_get_malloc_info_host(qmckl_context_device context, const void* ptr, qmckl_memory_info_struct_device* info) {
  char message[CADASTRE_QMCKL_GPU_MESSAGE_SIZE];
  qmckl_exit_code_device code;
  if (!is_valid(context)) return failed(context, QMCKL_INVALID_CONTEXT_DEVICE, "qmckl_get_malloc_info_host", NULL);
  code = cadastre_qmckl_gpu_get_malloc_info_host(memory_of(context), ptr, info ? &info->size : NULL, info ? &info->pointer : NULL, message);
  return failed(context, code, "qmckl_get_malloc_info_host", message);
}

static qmckl_exit_code_device copy(qmckl_context_device context, const char* function, cadastre_qmckl_gpu_direction direction, void* dest,
                                   const void* src, size_t size) {
  char message[CADASTRE_QMCKL_GPU_MESSAGE_SIZE];
  if (!is_valid(context)) return failed(context, QMCKL_INVALID_CONTEXT_DEVICE, function, NULL);
  return failed(context, cadastre_qmckl_gpu_memcpy(memory_of(context), direction, dest, src, size, message), function, message);
}

static qmckl_exit_code_device copy_elements(qmckl_context_device context, const char* function, cadastre_qmckl_gpu_direction direction,
                                            void* dest, const void* src, int64_t count, size_t width) {
  char message[CADASTRE_QMCKL_GPU_MESSAGE_SIZE];
  qmckl_exit_code_device code;
  if (!is_valid(context)) return failed(context, QMCKL_INVALID_CONTEXT_DEVICE, function, NULL);
  code = cadastre_qmckl_gpu_memcpy_elements(memory_of(context), direction, dest, src, count, width, message);
  return failed(context, code, function, message);
}

qmckl_exit_code_device qmckl_memcpy_H2D(qmckl_context_device context, void* dest, void* src, size_t size)
{
  return copy(context, __func__, CADASTRE_QMCKL_GPU_H2D, dest, src, size);
}

qmckl_exit_code_device qmckl_memcpy_D2H(qmckl_context_device context, void* dest, void* src, size_t size)
{
  return copy(context, __func__, CADASTRE_QMCKL_GPU_D2H, dest, src, size);
}

qmckl_exit_code_device qmckl_memcpy_D2D(qmckl_context_device context, void* dest, void* src, size_t size)
{
  return copy(context, __func__, CADASTRE_QMCKL_GPU_D2D, dest, src, size);
}

qmckl_exit_code_device qmckl_memcpy_H2D_double(qmckl_context_device context, double* dest, double* src, int64_t count)
{
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_H2D, dest, src, count, sizeof *dest);
}

qmckl_exit_code_device qmckl_memcpy_H2D_int64(qmckl_context_device context, int64_t* dest, int64_t* src, int64_t count)
{
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_H2D, dest, src, count, sizeof *dest);
}

qmckl_exit_code_device qmckl_memcpy_H2D_int32(qmckl_context_device context, int32_t* dest, int32_t* src, int64_t count)
{
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_H2D, dest, src, count, sizeof *dest);
}

qmckl_exit_code_device qmckl_memcpy_D2H_double(qmckl_context_device context, double* dest, double* src, int64_t count)
{
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_D2H, dest, src, count, sizeof *dest);
}

qmckl_exit_code_device qmckl_memcpy_D2H_int64(qmckl_context_device context, int64_t* dest, int64_t* src, int64_t count)
{
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_D2H, dest, src, count, sizeof *dest);
}

qmckl_exit_code_device qmckl_memcpy_D2H_int32(qmckl_context_device context, int32_t* dest, int32_t* src, int64_t count)
{
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_D2H, dest, src, count, sizeof *dest);
}

int64_t imitation_gpu_own_blocks(void) { return 0; }

int imitation_gpu_begin_memory(qmckl_context_struct_device* ctx) {
  ctx->memory = cadastre_qmckl_gpu_init(ctx->device_id);
  return ctx->memory != CADASTRE_NULL_CONTEXT;
}

void imitation_gpu_end_memory(qmckl_context_struct_device* ctx) { cadastre_qmckl_gpu_finalize(ctx->memory); }
