/* Tangled from org/adapters/qmckl_gpu_linked.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The memory layer of qmckl_gpu on top of a Cadastre context, for qmckl_gpu or a similar library that links Cadastre.
 * C99 and C++17; all functions are inline. What has no description here as a
 * function of the interface is used by the others, and may change or go.
 *
 * Each function takes the registry that cadastre_qmckl_gpu_init returned, and returns an exit code of QMCkl (those
 * from 109 on become FAILURE or ALLOCATION_FAILED), to be passed to qmckl_failwith_device together with the message.
 * Any thread may call any of them at any time; none holds a lock when it returns. If the registry does not exist, the
 * result is CADASTRE_INVALID_CONTEXT. The argument message is a buffer of CADASTRE_QMCKL_GPU_MESSAGE_SIZE bytes, which
 * is written only when the function fails.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CADASTRE_QMCKL_GPU_H
#define CADASTRE_QMCKL_GPU_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cadastre.h"

/** The maximum that qmckl_failwith_device accepts; a message of cadastre_last_error() always fits. */
#define CADASTRE_QMCKL_GPU_MESSAGE_SIZE 1024

/** Creates the registry of a context, on the backend that the environment selects, else the first one with a device.
 *
 * @param device_id  as passed to qmckl_context_create_device; if the backend has no such device, its default one is
 *   used
 * @return the registry, to be destroyed by cadastre_qmckl_gpu_finalize(); or CADASTRE_NULL_CONTEXT, and
 *   cadastre_last_error() of CADASTRE_NULL_CONTEXT says why, as for cadastre_context_create_with_options()
 * @par Cost
 *   As cadastre_context_create_with_options(). */
static inline cadastre_context cadastre_qmckl_gpu_init(int32_t device_id) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_context context;
  options.device = CADASTRE_DEVICE_BY_ID(device_id);
  context = cadastre_context_create_with_options(&options);
  if (context == CADASTRE_NULL_CONTEXT) {
    cadastre_last_error(CADASTRE_NULL_CONTEXT, &error);
    if (error.reason != CADASTRE_REASON_INVALID_DEVICE) return CADASTRE_NULL_CONTEXT;
    options.device = CADASTRE_DEFAULT_DEVICE;
    context = cadastre_context_create_with_options(&options);
  }
  if (context != CADASTRE_NULL_CONTEXT) cadastre_context_set_plain_free(context, 1);
  return context;
}

/** Destroys a registry: frees all its host and device memory, each block in the backend that it came from.
 *
 * @param context  a registry
 * @return what cadastre_context_destroy() returns:
 * @retval CADASTRE_SUCCESS  the registry is destroyed
 * @retval CADASTRE_INVALID_CONTEXT  there is no such registry
 * @retval CADASTRE_CAPTURE_ACTIVE  a queue is being captured; the registry is unchanged
 * @retval CADASTRE_FAILURE  called from an operation of a registered backend; the registry is unchanged
 * @retval CADASTRE_DEALLOCATION_FAILED  the registry is destroyed; a backend failed to free a block
 * @par Cost
 *   One backend free per live block. */
static inline cadastre_exit_code cadastre_qmckl_gpu_finalize(cadastre_context context) { return cadastre_context_destroy(context); }

/** Returns whether device memory is DEVICE memory.
 *
 * @param context  a registry
 * @return 1; or 0 if the backend of the registry has none, so that HOST memory is used instead, or if the registry does
 *   not exist
 * @par Cost
 *   O(1). */
static inline int cadastre_qmckl_gpu_has_device_memory(cadastre_context context) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  cadastre_backend_info_struct backend = cadastre_backend_info_struct_zero;
  if (cadastre_context_get_options(context, &options) != CADASTRE_SUCCESS) return 0;
  if (cadastre_backend_get_info(options.backend, &backend) != CADASTRE_SUCCESS) return 0;
  return (backend.memory_type_mask & (UINT32_C(1) << CADASTRE_DEVICE)) != 0;
}

/* For the functions below: converts an exit code to one of QMCkl, and writes the message of a failure. */
static inline cadastre_exit_code cadastre_qmckl_gpu_result(cadastre_context context, cadastre_exit_code code, char* message) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  if (code == CADASTRE_SUCCESS) return code;
  cadastre_last_error(context, &error);
  snprintf(message, CADASTRE_QMCKL_GPU_MESSAGE_SIZE, "%s", error.message);
  if (code < CADASTRE_INVALID_EXIT_CODE) return code;
  return code == CADASTRE_LIMIT_EXCEEDED ? CADASTRE_ALLOCATION_FAILED : CADASTRE_FAILURE;
}

/* For the functions below: allocates zeroed memory of one type. */
static inline void* cadastre_qmckl_gpu_malloc(cadastre_context context, cadastre_memory_type type, size_t size, const char* label,
                                              char* message) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  void* pointer;
  info.size = size;
  info.type = type;
  info.label = label;
  if (type == CADASTRE_HOST) info.alignment = 64;
  pointer = cadastre_malloc(context, info);
  if (!pointer) cadastre_qmckl_gpu_result(context, CADASTRE_FAILURE, message);
  return pointer;
}

/** @name Allocate host and device memory
 * @{ */

/** Allocates a block of host memory, aligned to 64 bytes. Its bytes are zero.
 *
 * @param context  a registry
 * @param size  bytes; 0 returns a distinct block
 * @param label  NULL, or the name of the block in reports, of up to 255 characters; copied
 * @param message  where to write the message of a failure: CADASTRE_QMCKL_GPU_MESSAGE_SIZE bytes
 * @return the address of the first byte; the registry owns the block until it is freed. NULL on failure, which is
 *   ALLOCATION_FAILED in QMCkl
 * @par Cost
 *   As cadastre_malloc(). */
static inline void* cadastre_qmckl_gpu_malloc_host(cadastre_context context, size_t size, const char* label, char* message) {
  return cadastre_qmckl_gpu_malloc(context, CADASTRE_HOST, size, label, message);
}

/** Allocates a block of device memory, aligned as the backend does. Its bytes are zero, and it is ready for use on
 * every queue.
 *
 * @param context,size,label,message  as for cadastre_qmckl_gpu_malloc_host()
 * @return as cadastre_qmckl_gpu_malloc_host()
 * @par Cost
 *   As cadastre_malloc(). */
static inline void* cadastre_qmckl_gpu_malloc_device(cadastre_context context, size_t size, const char* label, char* message) {
  const int apart = cadastre_qmckl_gpu_has_device_memory(context);
  return cadastre_qmckl_gpu_malloc(context, apart ? CADASTRE_DEVICE : CADASTRE_HOST, size, label, message);
}

/** @} */

/* For the functions below: returns whether memory of a type is not of the kind that a function expects. Managed memory
 * is of both kinds. */
static inline int cadastre_qmckl_gpu_is_other_kind(cadastre_context context, cadastre_memory_type type, int device) {
  if (!device) return type == CADASTRE_DEVICE;
  return (type == CADASTRE_HOST || type == CADASTRE_PINNED) && cadastre_qmckl_gpu_has_device_memory(context);
}

/* For the functions below: frees a block of one kind. */
static inline cadastre_exit_code cadastre_qmckl_gpu_free(cadastre_context context, void* ptr, int device, char* message) {
  cadastre_memory_info_struct info;
  cadastre_exit_code code = cadastre_get_malloc_info(context, ptr, &info);
  if (code == CADASTRE_SUCCESS && cadastre_qmckl_gpu_is_other_kind(context, info.type, device)) {
    snprintf(message, CADASTRE_QMCKL_GPU_MESSAGE_SIZE,
             "%p is a block of %s memory (%zu bytes%s%s) and was not freed; free it with qmckl_free_%s", ptr,
             cadastre_string_of_memory_type(info.type), info.size, info.label ? ", allocated by " : "", info.label ? info.label : "",
             device ? "host" : "device");
    return CADASTRE_INVALID_ARG_2;
  }
  if (code == CADASTRE_SUCCESS) code = cadastre_free(context, ptr);
  return cadastre_qmckl_gpu_result(context, code, message);
}

/** @name Free host and device memory
 * @{ */

/** Frees a block of host memory. A block of device memory is not freed.
 *
 * @param context  a registry
 * @param ptr  its first byte
 * @param message  where to write the message of a failure: CADASTRE_QMCKL_GPU_MESSAGE_SIZE bytes
 * @retval CADASTRE_SUCCESS  the block is freed
 * @retval CADASTRE_INVALID_CONTEXT  there is no such registry
 * @retval CADASTRE_INVALID_ARG_2  NULL, unknown, inside a block, freed before, of the other kind, of another context
 * @retval CADASTRE_FAILURE  a queue is being captured; the block is unchanged
 * @retval CADASTRE_DEALLOCATION_FAILED  the backend failed; the block is no longer in the registry
 * @par Queues
 *   As cadastre_free().
 * @par Cost
 *   As cadastre_free(), and one look-up. */
static inline cadastre_exit_code cadastre_qmckl_gpu_free_host(cadastre_context context, void* ptr, char* message) {
  return cadastre_qmckl_gpu_free(context, ptr, 0, message);
}

/** Frees a block of device memory. A block of host memory is not freed, unless the backend has no DEVICE memory.
 *
 * @param context,ptr,message  as for cadastre_qmckl_gpu_free_host()
 * @return as cadastre_qmckl_gpu_free_host() */
static inline cadastre_exit_code cadastre_qmckl_gpu_free_device(cadastre_context context, void* ptr, char* message) {
  return cadastre_qmckl_gpu_free(context, ptr, 1, message);
}

/** @} */

/** Writes the requested size of a block of host memory, and the address of its first byte.
 *
 * @param context  a registry
 * @param ptr  its first byte; any address may be passed, and none is dereferenced
 * @param size  where to write the bytes; not NULL; unchanged on failure
 * @param pointer  where to write the address; not NULL; unchanged on failure
 * @param message  where to write the message of a failure: CADASTRE_QMCKL_GPU_MESSAGE_SIZE bytes
 * @retval CADASTRE_SUCCESS  both are written
 * @retval CADASTRE_INVALID_CONTEXT  there is no such registry
 * @retval CADASTRE_INVALID_ARG_2  NULL, unknown, device memory
 * @retval CADASTRE_INVALID_ARG_3  size or pointer is NULL
 * @par Cost
 *   O(1), also if there is no such block; the message is the same for all unknown addresses. */
static inline cadastre_exit_code cadastre_qmckl_gpu_get_malloc_info_host(cadastre_context context, const void* ptr, size_t* size,
                                                                         void** pointer, char* message) {
  cadastre_memory_info_struct info;
  const char* problem = NULL;
  cadastre_exit_code code = cadastre_get_malloc_info(context, ptr, &info);
  if (code == CADASTRE_INVALID_ARG_2) problem = ptr ? "Pointer not found in context" : "Null pointer";
  if (code == CADASTRE_SUCCESS && info.type == CADASTRE_DEVICE) {
    code = CADASTRE_INVALID_ARG_2;
    problem = "Pointer to device memory";
  }
  if (code == CADASTRE_SUCCESS && (!size || !pointer)) {
    code = CADASTRE_INVALID_ARG_3;
    problem = "Null pointer";
  }
  if (problem) {
    snprintf(message, CADASTRE_QMCKL_GPU_MESSAGE_SIZE, "%s", problem);
    return code;
  }
  if (code != CADASTRE_SUCCESS) return cadastre_qmckl_gpu_result(context, code, message);
  *size = info.size;
  *pointer = info.pointer;
  return CADASTRE_SUCCESS;
}

/** The kinds of memory that a copy function of qmckl_gpu expects. */
typedef enum cadastre_qmckl_gpu_direction {
  CADASTRE_QMCKL_GPU_H2D, /**< from the host to the device */
  CADASTRE_QMCKL_GPU_D2H, /**< from the device to the host */
  CADASTRE_QMCKL_GPU_D2D  /**< from the device to the device */
} cadastre_qmckl_gpu_direction;

/* For the functions below: one address of a copy, and what is known about it. */
typedef struct cadastre_qmckl_gpu_side {
  const char* name;
  cadastre_exit_code argument;
  const void* address;
  int device;  /* whether the function expects device memory */
  int foreign; /* to be recorded for the duration of the copy */
  int recorded;
  cadastre_memory_info_struct info; /* its pointer is NULL if the address is unknown */
  int freed;                        /* a block of the context was there before */
} cadastre_qmckl_gpu_side;

static inline cadastre_qmckl_gpu_side cadastre_qmckl_gpu_side_of(const char* name, cadastre_exit_code argument, const void* address,
                                                                 int device) {
  cadastre_qmckl_gpu_side side;
  side.name = name;
  side.argument = argument;
  side.address = address;
  side.device = device;
  side.foreign = 0;
  side.recorded = 0;
  side.info = cadastre_memory_info_struct_zero;
  side.freed = 0;
  return side;
}

/* Finds out what a side is. history: written if a block of the context was there before, with what happened to it. */
#define CADASTRE_QMCKL_GPU_HISTORY 480
static inline cadastre_exit_code cadastre_qmckl_gpu_find(cadastre_context context, cadastre_qmckl_gpu_side* side, size_t size,
                                                         char* history, char* message) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  size_t offset = 0;
  if (cadastre_find_block(context, side->address, &side->info, NULL) == CADASTRE_SUCCESS) return CADASTRE_SUCCESS;
  if (!side->device || !side->address) return CADASTRE_SUCCESS;
  side->foreign = 1;
  side->info.type = CADASTRE_DEVICE;
  cadastre_last_error(context, &error);
  side->freed = error.reason == CADASTRE_REASON_ALREADY_FREED;
  if (side->freed) snprintf(history, CADASTRE_QMCKL_GPU_HISTORY, "%.479s", error.message);
  if (error.reason != CADASTRE_REASON_OTHER_CONTEXT ||
      cadastre_find_block(error.owner, side->address, &side->info, &offset) != CADASTRE_SUCCESS) {
    return CADASTRE_SUCCESS;
  }
  side->info.label = NULL; /* it may be gone with its context */
  if (size <= side->info.size - offset) return CADASTRE_SUCCESS;
  snprintf(message, CADASTRE_QMCKL_GPU_MESSAGE_SIZE,
           "%zu bytes from %s (%p) extend past the end of a block of another context, which has %zu bytes left there", size, side->name,
           side->address, side->info.size - offset);
  return CADASTRE_OUT_OF_BOUNDS;
}

/* Checks that a side is of the kind that the function expects. */
static inline cadastre_exit_code cadastre_qmckl_gpu_check_kind(cadastre_context context, const cadastre_qmckl_gpu_side* sides, int i,
                                                               char* message) {
  static const char* const functions[2][2] = {{"memcpy", "qmckl_memcpy_D2H"}, {"qmckl_memcpy_H2D", "qmckl_memcpy_D2D"}};
  const cadastre_qmckl_gpu_side* const side = &sides[i];
  int j, actual[2];
  if (!side->info.pointer || !cadastre_qmckl_gpu_is_other_kind(context, side->info.type, side->device)) {
    return CADASTRE_SUCCESS;
  }
  for (j = 0; j < 2; ++j) {
    const int other = sides[j].info.pointer != NULL && cadastre_qmckl_gpu_is_other_kind(context, sides[j].info.type, sides[j].device);
    actual[j] = other ? !sides[j].device : sides[j].device;
  }
  snprintf(message, CADASTRE_QMCKL_GPU_MESSAGE_SIZE,
           "%s (%p) is %s memory%s%s, but %s copies %s memory of %s; call %s for these two addresses", side->name, side->address,
           cadastre_string_of_memory_type(side->info.type), side->info.label ? ", allocated by " : "",
           side->info.label ? side->info.label : "", functions[sides[0].device][sides[1].device], i == 0 ? "to" : "from",
           side->device ? "the device" : "the host", functions[actual[0]][actual[1]]);
  return side->argument;
}

/* Records a foreign side. */
static inline cadastre_exit_code cadastre_qmckl_gpu_record(cadastre_context context, cadastre_qmckl_gpu_side* side, size_t size,
                                                           char* message) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_exit_code code;
  info.pointer = (void*)(uintptr_t)side->address;
  info.size = size;
  info.type = side->info.type;
  info.device = side->info.device;
  info.backend = side->info.backend;
  code = cadastre_wrap(context, info);
  side->recorded = code == CADASTRE_SUCCESS;
  if (side->recorded) return code;
  cadastre_last_error(context, &error);
  cadastre_qmckl_gpu_result(context, code, message);
  if (error.reason == CADASTRE_REASON_SIZE_OVERFLOW) return CADASTRE_INVALID_ARG_4;
  if (error.reason == CADASTRE_REASON_OVERLAPS_BLOCK) return CADASTRE_OUT_OF_BOUNDS;
  return code == CADASTRE_INVALID_ARG_2 ? side->argument : code;
}

/* Copies while the foreign sides are recorded. */
static inline cadastre_exit_code cadastre_qmckl_gpu_attempt(cadastre_context context, cadastre_qmckl_gpu_side* sides, size_t size,
                                                            char* message) {
  void* const dest = (void*)(uintptr_t)sides[0].address;
  cadastre_exit_code code;
  int i;
  if (!sides[0].foreign && !sides[1].foreign) {
    return cadastre_qmckl_gpu_result(context, cadastre_memcpy(context, dest, sides[1].address, size), message);
  }
  code = cadastre_qmckl_gpu_result(context, cadastre_lock(context), message);
  if (code != CADASTRE_SUCCESS) return code;
  for (i = 0; i < 2 && code == CADASTRE_SUCCESS; ++i) {
    if (sides[i].foreign) code = cadastre_qmckl_gpu_record(context, &sides[i], size, message);
  }
  if (code == CADASTRE_SUCCESS) {
    code = cadastre_qmckl_gpu_result(context, cadastre_memcpy(context, dest, sides[1].address, size), message);
  }
  for (i = 0; i < 2; ++i) {
    if (sides[i].recorded) cadastre_unwrap(context, sides[i].address);
    sides[i].recorded = 0;
  }
  cadastre_unlock(context);
  return code;
}

/* Checks that two foreign ranges do not overlap. */
static inline cadastre_exit_code cadastre_qmckl_gpu_check_overlap(const cadastre_qmckl_gpu_side* sides, size_t size, char* message) {
  const uintptr_t dest = (uintptr_t)sides[0].address, src = (uintptr_t)sides[1].address;
  const uintptr_t apart = dest < src ? src - dest : dest - src;
  if (!sides[0].foreign || !sides[1].foreign || apart >= size) return CADASTRE_SUCCESS;
  snprintf(message, CADASTRE_QMCKL_GPU_MESSAGE_SIZE, "the %zu bytes to write at %p overlap those to read at %p", size, sides[0].address,
           sides[1].address);
  return CADASTRE_INVALID_ARG_2;
}

/* Checks a host side that the backend identifies as its own memory: managed memory is to be recorded, DEVICE memory is
 * of the other kind. */
static inline cadastre_exit_code cadastre_qmckl_gpu_look_again(cadastre_context context, cadastre_qmckl_gpu_side* sides, int i,
                                                               char* message) {
  cadastre_qmckl_gpu_side* const side = &sides[i];
  cadastre_error_struct error = cadastre_error_struct_zero;
  if (side->device || side->info.pointer || !side->address) return side->argument;
  cadastre_last_error(context, &error);
  if (error.reason != CADASTRE_REASON_NOT_REGISTERED && error.reason != CADASTRE_REASON_OTHER_CONTEXT) {
    return side->argument;
  }
  side->info.type = error.type;
  side->info.device = CADASTRE_DEVICE_BY_ID(error.device_id);
  side->info.backend = error.backend;
  side->info.pointer = (void*)(uintptr_t)side->address;
  side->foreign = error.type == CADASTRE_UVM;
  return side->foreign ? CADASTRE_SUCCESS : cadastre_qmckl_gpu_check_kind(context, sides, i, message);
}

/* For a copy that the backend rejected: adds to the message what the registry remembers about the address. */
static inline cadastre_exit_code cadastre_qmckl_gpu_explain(const cadastre_qmckl_gpu_side* side, const char* history, char* message) {
  char refusal[CADASTRE_QMCKL_GPU_MESSAGE_SIZE - CADASTRE_QMCKL_GPU_HISTORY - 2];
  snprintf(refusal, sizeof refusal, "%.541s", message);
  snprintf(message, CADASTRE_QMCKL_GPU_MESSAGE_SIZE, "%.479s; %s", history, refusal);
  return side->argument;
}

/** @name Copy between host and device
 * @{ */

/** Copies bytes in one direction. Each of the two addresses may be anywhere in a block, or in memory that the registry
 * does not know and that is of the kind that the direction says.
 *
 * Both ranges are checked before a byte is copied.
 *
 * @param context  a registry
 * @param direction  the kinds of memory that dest and src must be of
 * @param dest,src  addresses; not NULL unless size is 0
 * @param size  bytes; 0 is a success, whatever the addresses are
 * @param message  where to write the message of a failure: CADASTRE_QMCKL_GPU_MESSAGE_SIZE bytes
 * @retval CADASTRE_SUCCESS  the bytes are copied
 * @retval CADASTRE_INVALID_CONTEXT  there is no such registry
 * @retval CADASTRE_INVALID_ARG_2,CADASTRE_INVALID_ARG_3  dest or src is NULL, or memory of the other kind; for ranges
 *   that overlap CADASTRE_INVALID_ARG_2
 * @retval CADASTRE_INVALID_ARG_4  size exceeds the largest possible allocation
 * @retval CADASTRE_OUT_OF_BOUNDS  the range extends past the end of its block, or overlaps a block
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory
 * @retval CADASTRE_FAILURE  the backend failed, or a queue is being captured
 * @par Threads
 *   Any thread; the registry is locked during a copy from or to device memory that it does not know.
 * @par Queues
 *   The copy comes after the work enqueued on the registry's default queue; it is complete when this returns.
 * @par Cost
 *   Two look-ups, and that of cadastre_memcpy(). For device memory that the registry does not know, also a look-up in
 *   every other context, and the creation and removal of a record. */
static inline cadastre_exit_code cadastre_qmckl_gpu_memcpy(cadastre_context context, cadastre_qmckl_gpu_direction direction, void* dest,
                                                           const void* src, size_t size, char* message) {
  cadastre_qmckl_gpu_side sides[2];
  char history[CADASTRE_QMCKL_GPU_HISTORY];
  cadastre_exit_code code = CADASTRE_SUCCESS;
  int i;
  history[0] = '\0';
  if (size == 0 || !cadastre_qmckl_gpu_has_device_memory(context)) {
    return cadastre_qmckl_gpu_result(context, cadastre_memcpy(context, dest, src, size), message);
  }
  sides[0] = cadastre_qmckl_gpu_side_of("dest", CADASTRE_INVALID_ARG_2, dest, direction != CADASTRE_QMCKL_GPU_D2H);
  sides[1] = cadastre_qmckl_gpu_side_of("src", CADASTRE_INVALID_ARG_3, src, direction != CADASTRE_QMCKL_GPU_H2D);
  for (i = 0; i < 2 && code == CADASTRE_SUCCESS; ++i) {
    code = cadastre_qmckl_gpu_find(context, &sides[i], size, history, message);
  }
  for (i = 0; i < 2 && code == CADASTRE_SUCCESS; ++i) code = cadastre_qmckl_gpu_check_kind(context, sides, i, message);
  if (code == CADASTRE_SUCCESS) code = cadastre_qmckl_gpu_check_overlap(sides, size, message);
  if (code != CADASTRE_SUCCESS) return code;
  code = cadastre_qmckl_gpu_attempt(context, sides, size, message);
  if (code == CADASTRE_INVALID_ARG_2 || code == CADASTRE_INVALID_ARG_3) {
    const int refused = code == CADASTRE_INVALID_ARG_3;
    if (cadastre_qmckl_gpu_look_again(context, sides, refused, message) == CADASTRE_SUCCESS) {
      code = cadastre_qmckl_gpu_attempt(context, sides, size, message);
    }
  }
  if (code == CADASTRE_FAILURE && history[0] != '\0') {
    code = cadastre_qmckl_gpu_explain(&sides[sides[0].freed ? 0 : 1], history, message);
  }
  return code;
}

/** As cadastre_qmckl_gpu_memcpy(), for elements.
 *
 * @param context,direction,dest,src,message  as for cadastre_qmckl_gpu_memcpy()
 * @param count  how many elements; 0 is a success
 * @param width  bytes of one; not 0
 * @retval CADASTRE_INVALID_ARG_4  also when count is negative
 * @return otherwise as cadastre_qmckl_gpu_memcpy() */
static inline cadastre_exit_code cadastre_qmckl_gpu_memcpy_elements(cadastre_context context, cadastre_qmckl_gpu_direction direction,
                                                                    void* dest, const void* src, int64_t count, size_t width,
                                                                    char* message) {
  if (count < 0 || (uint64_t)count > SIZE_MAX / width) {
    snprintf(message, CADASTRE_QMCKL_GPU_MESSAGE_SIZE, "%lld elements of %zu bytes cannot be copied: the count is %s", (long long)count,
             width, count < 0 ? "negative" : "too large");
    return CADASTRE_INVALID_ARG_4;
  }
  return cadastre_qmckl_gpu_memcpy(context, direction, dest, src, (size_t)count * width, message);
}

/** @} */

#endif
