/* Tangled from org/vocabulary.org; change the chapter, then run: make tangle */
/* The constants of Cadastre: exit codes, reasons, memory types, backends, flags, pools, schemes of workspaces, advice,
 * report formats.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CADASTRE_VOCABULARY_H
#define CADASTRE_VOCABULARY_H

#include <stdint.h>

#if defined(__GNUC__)
#define CADASTRE_API __attribute__((visibility("default")))
#else
#define CADASTRE_API
#endif

/* The version of this header. CADASTRE_VERSION is 10000 MAJOR + 100 MINOR + PATCH, to be compared with in #if;
 * cadastre_get_version returns the version of the library that is running. */
#define CADASTRE_VERSION_MAJOR 0
#define CADASTRE_VERSION_MINOR 1
#define CADASTRE_VERSION_PATCH 0
#define CADASTRE_VERSION       100

#ifdef __cplusplus
extern "C" {
#endif

/* What a function returns. Every code except CADASTRE_SUCCESS means that nothing was done, unless the description of
 * the function says what was done. */
typedef int32_t cadastre_exit_code;
#define CADASTRE_SUCCESS               ((cadastre_exit_code) 0) /* Success */
#define CADASTRE_INVALID_ARG_1         ((cadastre_exit_code) 1) /* Invalid argument 1 */
#define CADASTRE_INVALID_ARG_2         ((cadastre_exit_code) 2) /* Invalid argument 2 */
#define CADASTRE_INVALID_ARG_3         ((cadastre_exit_code) 3) /* Invalid argument 3 */
#define CADASTRE_INVALID_ARG_4         ((cadastre_exit_code) 4) /* Invalid argument 4 */
#define CADASTRE_INVALID_ARG_5         ((cadastre_exit_code) 5) /* Invalid argument 5 */
#define CADASTRE_INVALID_ARG_6         ((cadastre_exit_code) 6) /* Invalid argument 6 */
#define CADASTRE_INVALID_ARG_7         ((cadastre_exit_code) 7) /* Invalid argument 7 */
#define CADASTRE_INVALID_ARG_8         ((cadastre_exit_code) 8) /* Invalid argument 8 */
#define CADASTRE_INVALID_ARG_9         ((cadastre_exit_code) 9) /* Invalid argument 9 */
#define CADASTRE_INVALID_ARG_10        ((cadastre_exit_code) 10) /* Invalid argument 10 */
#define CADASTRE_INVALID_ARG_11        ((cadastre_exit_code) 11) /* Invalid argument 11 */
#define CADASTRE_INVALID_ARG_12        ((cadastre_exit_code) 12) /* Invalid argument 12 */
#define CADASTRE_INVALID_ARG_13        ((cadastre_exit_code) 13) /* Invalid argument 13 */
#define CADASTRE_INVALID_ARG_14        ((cadastre_exit_code) 14) /* Invalid argument 14 */
#define CADASTRE_INVALID_ARG_15        ((cadastre_exit_code) 15) /* Invalid argument 15 */
#define CADASTRE_INVALID_ARG_16        ((cadastre_exit_code) 16) /* Invalid argument 16 */
#define CADASTRE_INVALID_ARG_17        ((cadastre_exit_code) 17) /* Invalid argument 17 */
#define CADASTRE_INVALID_ARG_18        ((cadastre_exit_code) 18) /* Invalid argument 18 */
#define CADASTRE_INVALID_ARG_19        ((cadastre_exit_code) 19) /* Invalid argument 19 */
#define CADASTRE_INVALID_ARG_20        ((cadastre_exit_code) 20) /* Invalid argument 20 */
#define CADASTRE_FAILURE               ((cadastre_exit_code) 101) /* Failure */
#define CADASTRE_ERRNO                 ((cadastre_exit_code) 102) /* A call of the operating system failed */
#define CADASTRE_INVALID_CONTEXT       ((cadastre_exit_code) 103) /* Invalid context */
#define CADASTRE_ALLOCATION_FAILED     ((cadastre_exit_code) 104) /* Allocation failed */
#define CADASTRE_DEALLOCATION_FAILED   ((cadastre_exit_code) 105) /* De-allocation failed */
#define CADASTRE_NOT_PROVIDED          ((cadastre_exit_code) 106) /* Not provided */
#define CADASTRE_OUT_OF_BOUNDS         ((cadastre_exit_code) 107) /* Out of bounds */
#define CADASTRE_ALREADY_SET           ((cadastre_exit_code) 108) /* Already set */
#define CADASTRE_INVALID_EXIT_CODE     ((cadastre_exit_code) 109) /* Invalid exit code */
#define CADASTRE_LIMIT_EXCEEDED        ((cadastre_exit_code) 201) /* Limit exceeded */
#define CADASTRE_NOT_SUPPORTED         ((cadastre_exit_code) 202) /* Not supported by this build or on this machine */
#define CADASTRE_INVALID_ENVIRONMENT   ((cadastre_exit_code) 203) /* Invalid value of an environment variable */
#define CADASTRE_SIZE_INCREASED        ((cadastre_exit_code) 204) /* Size query: the size increased */
#define CADASTRE_SIZE_UNCHANGED        ((cadastre_exit_code) 205) /* Size query: the size is unchanged */
/* Size query started, used or stopped in the wrong order */
#define CADASTRE_SIZE_QUERY_MISMATCH   ((cadastre_exit_code) 206)
/* Performance degraded: a slower algorithm that needs less workspace was used */
#define CADASTRE_PERFORMANCE_DEGRADED  ((cadastre_exit_code) 207)
#define CADASTRE_CAPTURE_ACTIVE        ((cadastre_exit_code) 208) /* Not permitted while a queue is being captured */
#define CADASTRE_LEASE_ALIVE           ((cadastre_exit_code) 209) /* Not permitted while a lease is alive */
/* Leases must be released in reverse order of acquisition */
#define CADASTRE_LEASE_OUT_OF_ORDER    ((cadastre_exit_code) 210)

/* Why a function failed; cadastre_last_error reports it together with a message and the numbers. */
typedef int32_t cadastre_reason;
#define CADASTRE_REASON_NONE                      ((cadastre_reason) 0)
#define CADASTRE_REASON_NULL_CONTEXT              ((cadastre_reason) 1)
#define CADASTRE_REASON_DESTROYED_CONTEXT         ((cadastre_reason) 2)
#define CADASTRE_REASON_UNKNOWN_CONTEXT           ((cadastre_reason) 3)
#define CADASTRE_REASON_NULL_ARGUMENT             ((cadastre_reason) 4)
#define CADASTRE_REASON_NULL_POINTER              ((cadastre_reason) 5)
#define CADASTRE_REASON_UNKNOWN_POINTER           ((cadastre_reason) 6)
#define CADASTRE_REASON_INSIDE_BLOCK              ((cadastre_reason) 7)
#define CADASTRE_REASON_ALREADY_FREED             ((cadastre_reason) 8)
#define CADASTRE_REASON_MOVED_BY_REALLOC          ((cadastre_reason) 9)
#define CADASTRE_REASON_OTHER_CONTEXT             ((cadastre_reason) 10)
#define CADASTRE_REASON_BORROWED                  ((cadastre_reason) 11)
#define CADASTRE_REASON_NOT_BORROWED              ((cadastre_reason) 12)
#define CADASTRE_REASON_OVERLAPS_BLOCK            ((cadastre_reason) 13)
#define CADASTRE_REASON_SIZE_OVERFLOW             ((cadastre_reason) 14)
#define CADASTRE_REASON_LIMIT_EXCEEDED            ((cadastre_reason) 15)
#define CADASTRE_REASON_INVALID_ALIGNMENT         ((cadastre_reason) 16)
#define CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED   ((cadastre_reason) 17)
#define CADASTRE_REASON_INVALID_MEMORY_TYPE       ((cadastre_reason) 18)
#define CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED ((cadastre_reason) 19)
#define CADASTRE_REASON_INVALID_FLAGS             ((cadastre_reason) 20)
#define CADASTRE_REASON_LABEL_TOO_LONG            ((cadastre_reason) 21)
#define CADASTRE_REASON_BACKEND_OUT_OF_MEMORY     ((cadastre_reason) 22)
#define CADASTRE_REASON_OUT_OF_HOST_MEMORY        ((cadastre_reason) 23)
#define CADASTRE_REASON_BACKEND_FREE_FAILED       ((cadastre_reason) 24)
#define CADASTRE_REASON_NOT_LOCKED                ((cadastre_reason) 25)
#define CADASTRE_REASON_LOCK_COUNT_OVERFLOW       ((cadastre_reason) 26)
#define CADASTRE_REASON_INVALID_ENVIRONMENT       ((cadastre_reason) 27)
#define CADASTRE_REASON_BACKEND_UNAVAILABLE       ((cadastre_reason) 28)
#define CADASTRE_REASON_WRITE_FAILED              ((cadastre_reason) 29)
#define CADASTRE_REASON_INVALID_FORMAT            ((cadastre_reason) 30)
#define CADASTRE_REASON_TOO_MANY_CONTEXTS         ((cadastre_reason) 31)
#define CADASTRE_REASON_MISALIGNED                ((cadastre_reason) 32)
#define CADASTRE_REASON_INDEX_OUT_OF_RANGE        ((cadastre_reason) 33)
#define CADASTRE_REASON_INVALID_DEVICE            ((cadastre_reason) 34)
#define CADASTRE_REASON_INVALID_BACKEND           ((cadastre_reason) 35)
#define CADASTRE_REASON_OUT_OF_BOUNDS             ((cadastre_reason) 36)
#define CADASTRE_REASON_RANGES_OVERLAP            ((cadastre_reason) 37)
#define CADASTRE_REASON_NULL_ADDRESS              ((cadastre_reason) 38)
#define CADASTRE_REASON_NOT_REGISTERED            ((cadastre_reason) 39)
#define CADASTRE_REASON_STRIDE_TOO_SMALL          ((cadastre_reason) 40)
#define CADASTRE_REASON_INVALID_STRIDE            ((cadastre_reason) 41)
#define CADASTRE_REASON_BACKEND_CALL_FAILED       ((cadastre_reason) 42)
#define CADASTRE_REASON_NO_COPY_PATH              ((cadastre_reason) 43)
#define CADASTRE_REASON_INVALID_ADVICE            ((cadastre_reason) 44)
#define CADASTRE_REASON_INVALID_POOL              ((cadastre_reason) 45)
#define CADASTRE_REASON_INVALID_STRUCT_SIZE       ((cadastre_reason) 46)
#define CADASTRE_REASON_MISSING_OPERATION         ((cadastre_reason) 47)
#define CADASTRE_REASON_INVALID_REGISTRATION      ((cadastre_reason) 48)
#define CADASTRE_REASON_BACKEND_IN_USE            ((cadastre_reason) 49)
#define CADASTRE_REASON_RUNS_INTO_BLOCK           ((cadastre_reason) 50)
#define CADASTRE_REASON_RESERVED_NOT_ZERO         ((cadastre_reason) 51)
#define CADASTRE_REASON_INTERNAL_ERROR            ((cadastre_reason) 52)
#define CADASTRE_REASON_COUNT_OVERFLOW            ((cadastre_reason) 53)
#define CADASTRE_REASON_WORKSPACE_MEMORY          ((cadastre_reason) 54)
#define CADASTRE_REASON_WORKSPACE_TOO_SMALL       ((cadastre_reason) 55)
#define CADASTRE_REASON_WORKSPACE_BUSY            ((cadastre_reason) 56)
#define CADASTRE_REASON_UNKNOWN_LEASE             ((cadastre_reason) 57)
#define CADASTRE_REASON_LEASE_RELEASED            ((cadastre_reason) 58)
#define CADASTRE_REASON_LEASE_OUT_OF_ORDER        ((cadastre_reason) 59)
#define CADASTRE_REASON_LEASE_ALIVE               ((cadastre_reason) 60)
#define CADASTRE_REASON_SIZE_QUERY_INACTIVE       ((cadastre_reason) 61)
#define CADASTRE_REASON_SIZE_QUERY_ACTIVE         ((cadastre_reason) 62)
#define CADASTRE_REASON_CAPTURE_ACTIVE            ((cadastre_reason) 63)
#define CADASTRE_REASON_UNSUITABLE_BUFFER         ((cadastre_reason) 64)
#define CADASTRE_REASON_MISALIGNED_ALLOCATION     ((cadastre_reason) 65)
#define CADASTRE_REASON_WRONG_QUEUE_DEVICE        ((cadastre_reason) 66)
#define CADASTRE_REASON_CALLED_FROM_OPERATION     ((cadastre_reason) 67)

/* What kind of memory a block is made of. */
typedef int32_t cadastre_memory_type;
#define CADASTRE_HOST    ((cadastre_memory_type) 0) /* pageable memory of the host */
#define CADASTRE_PINNED  ((cadastre_memory_type) 1) /* page-locked memory of the host */
#define CADASTRE_DEVICE  ((cadastre_memory_type) 2) /* memory of a device, not accessible from the host */
#define CADASTRE_UVM     ((cadastre_memory_type) 3) /* managed memory, accessible from the host and the devices */
#define CADASTRE_MEMORY_TYPE_COUNT 4 /* how many this header names */
#define CADASTRE_MAX_MEMORY_TYPES 16 /* the length of arrays over memory types; the rest is reserved */

/* Where memory comes from. */
typedef int32_t cadastre_backend;
#define CADASTRE_DEFAULT_BACKEND ((cadastre_backend) 0) /* the context's own choice */
#define CADASTRE_BACKEND_HOST    ((cadastre_backend) 1) /* the C library and the operating system */
#define CADASTRE_BACKEND_CUDA    ((cadastre_backend) 2) /* NVIDIA's CUDA runtime */
#define CADASTRE_BACKEND_OPENMP  ((cadastre_backend) 3) /* target regions of OpenMP */
#define CADASTRE_INVALID_BACKEND           ((cadastre_backend) -1) /* none: a registration failed, or none is concerned */
#define CADASTRE_FIRST_REGISTERED_BACKEND  ((cadastre_backend) 64) /* the number of the first one registered */

/* Properties of a block. */
typedef uint32_t cadastre_flags;
#define CADASTRE_UNINITIALIZED    ((cadastre_flags) 1) /* the contents are undefined: nothing sets them to zero */
#define CADASTRE_BORROWED         ((cadastre_flags) 2) /* recorded by cadastre_wrap; its owner frees it */
/* allocated in the order of a queue, by cadastre_malloc_async or in a context with CADASTRE_POOL_VENDOR */
#define CADASTRE_STREAM_ORDERED   ((cadastre_flags) 4)
/* memory of a workspace, from which leases are acquired; cadastre_free rejects it */
#define CADASTRE_WORKSPACE_MEMORY ((cadastre_flags) 8)

/* Where a context gets the memory for its blocks from. */
typedef int32_t cadastre_pool;
/* for each memory type what CADASTRE_POOL of the environment specifies, else no pool */
#define CADASTRE_DEFAULT_POOL ((cadastre_pool) 0)
#define CADASTRE_POOL_NONE    ((cadastre_pool) 1) /* every block is allocated by the backend */
/* DEVICE memory is allocated stream-ordered from the backend's own pool, where it has one */
#define CADASTRE_POOL_VENDOR  ((cadastre_pool) 2)
#define CADASTRE_POOL_CACHING ((cadastre_pool) 3) /* freed memory is cached and reused */

/* Where the memory of a workspace comes from. */
typedef int32_t cadastre_workspace_scheme;
/* grows when an acquisition does not fit, and keeps the memory */
#define CADASTRE_WORKSPACE_SCHEME_AUTOMATIC      ((cadastre_workspace_scheme) 0)
/* one block of the size that was set; never grows, never waits on the host */
#define CADASTRE_WORKSPACE_SCHEME_PREALLOCATED   ((cadastre_workspace_scheme) 1)
/* one buffer that the caller owns; never grows, never waits on the host */
#define CADASTRE_WORKSPACE_SCHEME_USER_OWNED     ((cadastre_workspace_scheme) 2)
/* allocated at each acquisition, and freed at its release */
#define CADASTRE_WORKSPACE_SCHEME_PER_LEASE      ((cadastre_workspace_scheme) 3)
/* as PER_LEASE, in the order of the queue */
#define CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED ((cadastre_workspace_scheme) 4)

/* What cadastre_advise says about managed memory. */
typedef int32_t cadastre_advice;
#define CADASTRE_ADVICE_READ_MOSTLY              ((cadastre_advice) 1) /* mostly read: each device may keep a copy */
#define CADASTRE_ADVICE_UNSET_READ_MOSTLY        ((cadastre_advice) 2) /* cancels CADASTRE_ADVICE_READ_MOSTLY */
#define CADASTRE_ADVICE_PREFERRED_LOCATION       ((cadastre_advice) 3) /* should stay on the given device */
#define CADASTRE_ADVICE_UNSET_PREFERRED_LOCATION ((cadastre_advice) 4) /* cancels CADASTRE_ADVICE_PREFERRED_LOCATION */
/* will be accessed by the given device: keep it mapped there */
#define CADASTRE_ADVICE_ACCESSED_BY              ((cadastre_advice) 5)
#define CADASTRE_ADVICE_UNSET_ACCESSED_BY        ((cadastre_advice) 6) /* cancels CADASTRE_ADVICE_ACCESSED_BY */

/* The format that cadastre_report writes. */
typedef int32_t cadastre_report_format;
#define CADASTRE_REPORT_TEXT  ((cadastre_report_format) 0) /* lines and tables for a person */
#define CADASTRE_REPORT_JSON  ((cadastre_report_format) 1) /* one JSON object for a program */

/* Return the meaning of an exit code, and the name of a reason, of a memory type, of a backend, of a pool ("caching"),
 * of the scheme of a workspace ("stream-ordered"), of an advice ("read-mostly") or of a report format ("json"), in
 * English.
 *
 * Argument: any number. Result: a string that lives as long as the library and is never NULL; for a
 * number outside its table, "Unknown exit code", "Unknown reason", "Unknown memory type", "Unknown
 * backend", "Unknown pool", "Unknown scheme", "Unknown advice" or "Unknown report format". Any thread may call them at
 * any time. Cost: one table look-up. */
CADASTRE_API const char* cadastre_string_of_error(cadastre_exit_code exit_code);
CADASTRE_API const char* cadastre_string_of_reason(cadastre_reason reason);
CADASTRE_API const char* cadastre_string_of_memory_type(cadastre_memory_type type);
CADASTRE_API const char* cadastre_string_of_backend(cadastre_backend backend);
CADASTRE_API const char* cadastre_string_of_pool(cadastre_pool pool);
CADASTRE_API const char* cadastre_string_of_workspace_scheme(cadastre_workspace_scheme scheme);
CADASTRE_API const char* cadastre_string_of_advice(cadastre_advice advice);
CADASTRE_API const char* cadastre_string_of_report_format(cadastre_report_format format);

#ifdef __cplusplus
}
#endif
#endif
