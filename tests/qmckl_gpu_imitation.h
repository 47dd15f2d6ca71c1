/* Tangled from org/tests/qmckl_gpu_imitation.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of qmckl_gpu for tests: its binary interface, and nothing of its code. */
#ifndef QMCKL_GPU_IMITATION_H
#define QMCKL_GPU_IMITATION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t qmckl_context_device;
typedef int32_t qmckl_exit_code_device;
typedef struct qmckl_memory_info_struct_device {
  size_t size;
  void* pointer;
} qmckl_memory_info_struct_device;

#define QMCKL_NULL_CONTEXT_DEVICE ((qmckl_context_device)0)
#define QMCKL_SUCCESS_DEVICE ((qmckl_exit_code_device)0)
#define QMCKL_INVALID_ARG_2_DEVICE ((qmckl_exit_code_device)2)
#define QMCKL_INVALID_ARG_3_DEVICE ((qmckl_exit_code_device)3)
#define QMCKL_INVALID_ARG_4_DEVICE ((qmckl_exit_code_device)4)
#define QMCKL_FAILURE_DEVICE ((qmckl_exit_code_device)101)
#define QMCKL_INVALID_CONTEXT_DEVICE ((qmckl_exit_code_device)103)
#define QMCKL_ALLOCATION_FAILED_DEVICE ((qmckl_exit_code_device)104)
#define QMCKL_OUT_OF_BOUNDS_DEVICE ((qmckl_exit_code_device)107)

qmckl_context_device qmckl_context_create_device(int device_id);
qmckl_exit_code_device qmckl_context_destroy_device(qmckl_context_device context);
qmckl_context_device qmckl_context_check_device(qmckl_context_device context);
qmckl_exit_code_device qmckl_failwith_device(qmckl_context_device context, qmckl_exit_code_device code, const char* function,
                                             const char* message);

void* qmckl_malloc_host(qmckl_context_device context, const qmckl_memory_info_struct_device info);
void* qmckl_malloc_device(qmckl_context_device context, size_t size);
qmckl_exit_code_device qmckl_free_host(qmckl_context_device context, void* const ptr);
qmckl_exit_code_device qmckl_free_device(qmckl_context_device context, void* const ptr);
qmckl_exit_code_device qmckl_get_malloc_info_host(qmckl_context_device context, const void* ptr, qmckl_memory_info_struct_device* info);

qmckl_exit_code_device qmckl_memcpy_H2D(qmckl_context_device context, void* dest, void* src,
                                        size_t size);
qmckl_exit_code_device qmckl_memcpy_D2H(qmckl_context_device context, void* dest, void* src,
                                        size_t size);
qmckl_exit_code_device qmckl_memcpy_D2D(qmckl_context_device context, void* dest, void* src,
                                        size_t size);
qmckl_exit_code_device qmckl_memcpy_H2D_double(qmckl_context_device context, double* dest, double* src,
                                               int64_t count);
qmckl_exit_code_device qmckl_memcpy_H2D_int64(qmckl_context_device context, int64_t* dest, int64_t* src,
                                              int64_t count);
qmckl_exit_code_device qmckl_memcpy_H2D_int32(qmckl_context_device context, int32_t* dest, int32_t* src,
                                              int64_t count);
qmckl_exit_code_device qmckl_memcpy_D2H_double(qmckl_context_device context, double* dest, double* src,
                                               int64_t count);
qmckl_exit_code_device qmckl_memcpy_D2H_int64(qmckl_context_device context, int64_t* dest, int64_t* src,
                                              int64_t count);
qmckl_exit_code_device qmckl_memcpy_D2H_int32(qmckl_context_device context, int32_t* dest, int32_t* src,
                                              int64_t count);

/* Functions of the library's users: a vector of numbers that the context keeps on the device. */
qmckl_exit_code_device qmckl_set_numbers_device(qmckl_context_device context, const double* numbers, int64_t count);
qmckl_exit_code_device qmckl_get_numbers_sum_device(qmckl_context_device context, double* sum);

/* For tests alone: how many blocks the library's own memory layer ever allocated; a context that the wrapper of
 * qmckl_context_create_device does not see; the failure that a context keeps. */
int64_t imitation_gpu_own_blocks(void);
qmckl_context_device imitation_gpu_create_unseen(int device_id);
const char* imitation_gpu_failure(qmckl_context_device context, qmckl_exit_code_device* code, const char** function);

#ifdef QMCKL_GPU_IMITATION_PRIVATE
#include <pthread.h>

typedef struct qmckl_memory_struct_device {
  size_t n_allocated;
  size_t array_size;
  qmckl_memory_info_struct_device* element;
} qmckl_memory_struct_device;

typedef struct qmckl_context_struct_device {
  uint32_t tag;
  int device_id;
  pthread_mutex_t mutex;
  qmckl_exit_code_device code;
  char function[256];
  char message[1024];
  double* numbers; /* device memory */
  int64_t count;
#ifdef QMCKL_GPU_IMITATION_LINKED_IN
  int64_t memory;
#else
  qmckl_memory_struct_device memory_host, memory_device;
#endif
} qmckl_context_struct_device;

/* The memory layer's part in creating and destroying a context. */
int imitation_gpu_begin_memory(qmckl_context_struct_device* context);
void imitation_gpu_end_memory(qmckl_context_struct_device* context);
#endif

#ifdef __cplusplus
}
#endif
#endif
