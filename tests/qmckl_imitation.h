/* Tangled from org/tests/qmckl_imitation.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of QMCkl for tests: its interface, as far as memory is concerned, in the same binary form. It is not
 * QMCkl, and holds none of it. */
#ifndef QMCKL_IMITATION_H
#define QMCKL_IMITATION_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifdef QMCKL_LINKS_CADASTRE
#include "cadastre_qmckl.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t qmckl_context;
typedef int32_t qmckl_exit_code;
#define QMCKL_NULL_CONTEXT ((qmckl_context)0)
#define QMCKL_SUCCESS ((qmckl_exit_code)0)
#define QMCKL_INVALID_ARG_2 ((qmckl_exit_code)2)
#define QMCKL_INVALID_ARG_3 ((qmckl_exit_code)3)
#define QMCKL_FAILURE ((qmckl_exit_code)101)
#define QMCKL_INVALID_CONTEXT ((qmckl_exit_code)103)
#define QMCKL_ALLOCATION_FAILED ((qmckl_exit_code)104)
#define QMCKL_DEALLOCATION_FAILED ((qmckl_exit_code)105)
#define QMCKL_INVALID_EXIT_CODE ((qmckl_exit_code)109)
#define QMCKL_MAX_FUN_LEN 256
#define QMCKL_MAX_MSG_LEN 1024

/* What its private headers have. */
typedef struct qmckl_memory_info_struct {
  size_t size;
  void* pointer;
} qmckl_memory_info_struct;

#ifdef QMCKL_LINKS_CADASTRE
typedef cadastre_qmckl_memory qmckl_memory_struct;
#else
typedef struct qmckl_memory_struct {
  size_t n_allocated, array_size;
  qmckl_memory_info_struct* element;
} qmckl_memory_struct;
#endif

typedef struct qmckl_context_struct {
  uint32_t tag;
  pthread_mutex_t mutex;
  int is_locked;
  qmckl_exit_code error;
  char function[QMCKL_MAX_FUN_LEN];
  char message[QMCKL_MAX_MSG_LEN];
  qmckl_memory_struct memory;
  double* points;
  double* orbitals;
  int64_t n_points;
  struct qmckl_context_struct* next_vacant;
} qmckl_context_struct;

qmckl_context qmckl_context_create(void);
qmckl_exit_code qmckl_context_destroy(qmckl_context context);
qmckl_context qmckl_context_check(qmckl_context context);
void qmckl_lock(qmckl_context context);
void qmckl_unlock(qmckl_context context);
qmckl_exit_code qmckl_failwith(qmckl_context context, qmckl_exit_code exit_code, const char* function, const char* message);
qmckl_exit_code qmckl_get_error(qmckl_context context, qmckl_exit_code* exit_code, char* function, char* message);
void* qmckl_malloc(qmckl_context context, const qmckl_memory_info_struct info);
qmckl_exit_code qmckl_free(qmckl_context context, void* const ptr);
qmckl_exit_code qmckl_get_malloc_info(qmckl_context context, const void* ptr, qmckl_memory_info_struct* info);

/* Functions that allocate as a library's do. The first keeps the coordinates, the second computes what is missing
 * and gives it; where it knows the caller's array it does not write beyond it. */
qmckl_exit_code qmckl_set_points(qmckl_context context, const double* points, int64_t n);
qmckl_exit_code qmckl_get_orbitals(qmckl_context context, double* orbitals, int64_t size_max);

/* A block that is asked for by a function whose name the loader does not know. */
void* qmckl_imitation_malloc_unnamed(qmckl_context context, size_t size);

/* Calls that are bound inside the library, so that nobody who stands before it sees them. */
qmckl_context qmckl_imitation_create_unseen(void);
qmckl_exit_code qmckl_imitation_destroy_unseen(qmckl_context context);

/* From now on a context holds points when it is created, or no longer does. */
void qmckl_imitation_allocate_at_creation(int on);

/* How the parts of the imitation are cut. */
int qmckl_init_memory(qmckl_memory_struct* memory);
void qmckl_finalize_memory(qmckl_memory_struct* memory);

#ifdef __cplusplus
}
#endif
#endif
