/* Tangled from org/base/vocabulary.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The constants of Cadastre: exit codes, reasons, memory types, backends, flags, pools, schemes of workspaces, advice,
 * report formats.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CADASTRE_VOCABULARY_H
#define CADASTRE_VOCABULARY_H

#include <stdint.h>

/** Stands before each declaration of this library: the symbol is exported. */
#if defined(__GNUC__)
#define CADASTRE_API __attribute__((visibility("default")))
#else
#define CADASTRE_API
#endif

/** @name The version of this header
 *
 * cadastre_get_version() returns the version of the library that is running.
 * @{ */
#define CADASTRE_VERSION_MAJOR 0 /**< changes when programs must be changed or compiled again */
#define CADASTRE_VERSION_MINOR 2 /**< changes when functions, constants or fields are added */
#define CADASTRE_VERSION_PATCH 0 /**< changes when neither is so */
#define CADASTRE_VERSION       200 /**< 10000 MAJOR + 100 MINOR + PATCH, for conditions of the preprocessor */
/** @} */

#ifdef __cplusplus
extern "C" {
#endif

/** @name Exit codes
 * @{ */

/** What a function returns.
 *
 * Every code except CADASTRE_SUCCESS means that nothing was done, unless the description of the function says what was
 * done. Three are results and no failures: CADASTRE_SIZE_INCREASED, CADASTRE_SIZE_UNCHANGED and
 * CADASTRE_PERFORMANCE_DEGRADED. cadastre_last_error() has a message and the numbers of a failure.
 *
 * Codes from 1000 on are left to the functions of callers. CADASTRE_NOT_PROVIDED, CADASTRE_ALREADY_SET and
 * CADASTRE_INVALID_EXIT_CODE are codes of QMCkl that no function of this library returns. */
typedef int32_t cadastre_exit_code;
#define CADASTRE_SUCCESS               ((cadastre_exit_code) 0) /**< Success */
#define CADASTRE_INVALID_ARG_1         ((cadastre_exit_code) 1) /**< Invalid argument 1 */
#define CADASTRE_INVALID_ARG_2         ((cadastre_exit_code) 2) /**< Invalid argument 2 */
#define CADASTRE_INVALID_ARG_3         ((cadastre_exit_code) 3) /**< Invalid argument 3 */
#define CADASTRE_INVALID_ARG_4         ((cadastre_exit_code) 4) /**< Invalid argument 4 */
#define CADASTRE_INVALID_ARG_5         ((cadastre_exit_code) 5) /**< Invalid argument 5 */
#define CADASTRE_INVALID_ARG_6         ((cadastre_exit_code) 6) /**< Invalid argument 6 */
#define CADASTRE_INVALID_ARG_7         ((cadastre_exit_code) 7) /**< Invalid argument 7 */
#define CADASTRE_INVALID_ARG_8         ((cadastre_exit_code) 8) /**< Invalid argument 8 */
#define CADASTRE_INVALID_ARG_9         ((cadastre_exit_code) 9) /**< Invalid argument 9 */
#define CADASTRE_INVALID_ARG_10        ((cadastre_exit_code) 10) /**< Invalid argument 10 */
#define CADASTRE_INVALID_ARG_11        ((cadastre_exit_code) 11) /**< Invalid argument 11 */
#define CADASTRE_INVALID_ARG_12        ((cadastre_exit_code) 12) /**< Invalid argument 12 */
#define CADASTRE_INVALID_ARG_13        ((cadastre_exit_code) 13) /**< Invalid argument 13 */
#define CADASTRE_INVALID_ARG_14        ((cadastre_exit_code) 14) /**< Invalid argument 14 */
#define CADASTRE_INVALID_ARG_15        ((cadastre_exit_code) 15) /**< Invalid argument 15 */
#define CADASTRE_INVALID_ARG_16        ((cadastre_exit_code) 16) /**< Invalid argument 16 */
#define CADASTRE_INVALID_ARG_17        ((cadastre_exit_code) 17) /**< Invalid argument 17 */
#define CADASTRE_INVALID_ARG_18        ((cadastre_exit_code) 18) /**< Invalid argument 18 */
#define CADASTRE_INVALID_ARG_19        ((cadastre_exit_code) 19) /**< Invalid argument 19 */
#define CADASTRE_INVALID_ARG_20        ((cadastre_exit_code) 20) /**< Invalid argument 20 */
#define CADASTRE_FAILURE               ((cadastre_exit_code) 101) /**< Failure */
#define CADASTRE_ERRNO                 ((cadastre_exit_code) 102) /**< A call of the operating system failed */
#define CADASTRE_INVALID_CONTEXT       ((cadastre_exit_code) 103) /**< Invalid context */
#define CADASTRE_ALLOCATION_FAILED     ((cadastre_exit_code) 104) /**< Allocation failed */
#define CADASTRE_DEALLOCATION_FAILED   ((cadastre_exit_code) 105) /**< De-allocation failed */
#define CADASTRE_NOT_PROVIDED          ((cadastre_exit_code) 106) /**< Not provided */
#define CADASTRE_OUT_OF_BOUNDS         ((cadastre_exit_code) 107) /**< Out of bounds */
#define CADASTRE_ALREADY_SET           ((cadastre_exit_code) 108) /**< Already set */
#define CADASTRE_INVALID_EXIT_CODE     ((cadastre_exit_code) 109) /**< Invalid exit code */
#define CADASTRE_LIMIT_EXCEEDED        ((cadastre_exit_code) 201) /**< Limit exceeded */
#define CADASTRE_NOT_SUPPORTED         ((cadastre_exit_code) 202) /**< Not supported by this build or on this machine */
#define CADASTRE_INVALID_ENVIRONMENT   ((cadastre_exit_code) 203) /**< Invalid value of an environment variable */
#define CADASTRE_SIZE_INCREASED        ((cadastre_exit_code) 204) /**< Size query: the size increased */
#define CADASTRE_SIZE_UNCHANGED        ((cadastre_exit_code) 205) /**< Size query: the size is unchanged */
/** Size query started, used or stopped in the wrong order */
#define CADASTRE_SIZE_QUERY_MISMATCH   ((cadastre_exit_code) 206)
/** Performance degraded: a slower algorithm that needs less workspace was used */
#define CADASTRE_PERFORMANCE_DEGRADED  ((cadastre_exit_code) 207)
#define CADASTRE_CAPTURE_ACTIVE        ((cadastre_exit_code) 208) /**< Not permitted while a queue is being captured */
#define CADASTRE_LEASE_ALIVE           ((cadastre_exit_code) 209) /**< Not permitted while a lease is alive */
/** Not returned any more: leases may be released in any order */
#define CADASTRE_LEASE_OUT_OF_ORDER    ((cadastre_exit_code) 210)
/** @} */

/** @name Reasons
 * @{ */

/** Why a function failed.
 *
 * cadastre_last_error() writes it together with a message and the numbers. Each constant is described by its message,
 * in which a name in braces stands for what the failure recorded, most often in a field of cadastre_error_struct. */
typedef int32_t cadastre_reason;
#define CADASTRE_REASON_NONE                      ((cadastre_reason) 0) /**< no error */
#define CADASTRE_REASON_NULL_CONTEXT              ((cadastre_reason) 1) /**< the context is CADASTRE_NULL_CONTEXT */
/** the context {context} has been destroyed, and its handle never becomes valid again */
#define CADASTRE_REASON_DESTROYED_CONTEXT         ((cadastre_reason) 2)
/** {context} is not a handle that this library returned */
#define CADASTRE_REASON_UNKNOWN_CONTEXT           ((cadastre_reason) 3)
#define CADASTRE_REASON_NULL_ARGUMENT             ((cadastre_reason) 4) /**< argument {argument} is NULL */
#define CADASTRE_REASON_NULL_POINTER              ((cadastre_reason) 5) /**< info.pointer is NULL */
/** {pointer} is neither the address of a block of this context nor inside a block */
#define CADASTRE_REASON_UNKNOWN_POINTER           ((cadastre_reason) 6)
/** {pointer} lies {offset} bytes inside the block at {base} ({size} bytes of {type}) */
#define CADASTRE_REASON_INSIDE_BLOCK              ((cadastre_reason) 7)
/** {pointer} was freed before: block number {serial} of this context (at {base}, {size} bytes of {type}) was freed by
 * deallocation number {freed} of this context */
#define CADASTRE_REASON_ALREADY_FREED             ((cadastre_reason) 8)
/** {pointer} was an address of block number {serial} of this context ({size} bytes of {type}) until cadastre_realloc
 * moved the block */
#define CADASTRE_REASON_MOVED_BY_REALLOC          ((cadastre_reason) 9)
/** {pointer} belongs to context {owner}, not to context {context} */
#define CADASTRE_REASON_OTHER_CONTEXT             ((cadastre_reason) 10)
/** {pointer} is borrowed memory ({size} bytes of {type}), which its owner frees */
#define CADASTRE_REASON_BORROWED                  ((cadastre_reason) 11)
/** {pointer} is a block that this context owns ({size} bytes of {type}) */
#define CADASTRE_REASON_NOT_BORROWED              ((cadastre_reason) 12)
/** the {requested} bytes from {pointer} overlap the block at {base} ({size} bytes of {type}), which is in this context
 * already */
#define CADASTRE_REASON_OVERLAPS_BLOCK            ((cadastre_reason) 13)
/** {requested} bytes exceed the largest possible allocation, which is {limit} bytes */
#define CADASTRE_REASON_SIZE_OVERFLOW             ((cadastre_reason) 14)
/** cannot allocate {requested} bytes of {type} while {in_use} other bytes are in use or being allocated: the limit of
 * the context, of a parent or of the process is {limit} bytes */
#define CADASTRE_REASON_LIMIT_EXCEEDED            ((cadastre_reason) 15)
/** the alignment {requested} is not a power of two */
#define CADASTRE_REASON_INVALID_ALIGNMENT         ((cadastre_reason) 16)
/** the alignment {requested} exceeds the maximum that the {backend} backend supports for {type} memory, which is
 * {limit} */
#define CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED   ((cadastre_reason) 17)
#define CADASTRE_REASON_INVALID_MEMORY_TYPE       ((cadastre_reason) 18) /**< {requested} is not a memory type */
/** the {backend} backend does not support {type} memory */
#define CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED ((cadastre_reason) 19)
/** the flags {flags} contain a bit that this call does not accept */
#define CADASTRE_REASON_INVALID_FLAGS             ((cadastre_reason) 20)
/** the label is longer than {limit} characters */
#define CADASTRE_REASON_LABEL_TOO_LONG            ((cadastre_reason) 21)
/** the {backend} backend could not allocate {requested} bytes of {type}: {vendor_message} */
#define CADASTRE_REASON_BACKEND_OUT_OF_MEMORY     ((cadastre_reason) 22)
/** no host memory is left for the library's own records */
#define CADASTRE_REASON_OUT_OF_HOST_MEMORY        ((cadastre_reason) 23)
/** the {backend} backend could not free the {size} bytes of {type} at {base}: {vendor_message} */
#define CADASTRE_REASON_BACKEND_FREE_FAILED       ((cadastre_reason) 24)
/** the calling thread does not hold the lock of context {context} */
#define CADASTRE_REASON_NOT_LOCKED                ((cadastre_reason) 25)
/** the calling thread already holds the lock of context {context} {limit} times, which is the maximum */
#define CADASTRE_REASON_LOCK_COUNT_OVERFLOW       ((cadastre_reason) 26)
/** an environment variable has a value that it cannot have */
#define CADASTRE_REASON_INVALID_ENVIRONMENT       ((cadastre_reason) 27)
#define CADASTRE_REASON_BACKEND_UNAVAILABLE       ((cadastre_reason) 28) /**< the {backend} backend is unavailable */
#define CADASTRE_REASON_WRITE_FAILED              ((cadastre_reason) 29) /**< writing failed: {vendor_message} */
#define CADASTRE_REASON_INVALID_FORMAT            ((cadastre_reason) 30) /**< {requested} is not a report format */
/** {limit} contexts are alive, which is the maximum */
#define CADASTRE_REASON_TOO_MANY_CONTEXTS         ((cadastre_reason) 31)
/** {pointer} is not a multiple of the alignment {requested} */
#define CADASTRE_REASON_MISALIGNED                ((cadastre_reason) 32)
#define CADASTRE_REASON_INDEX_OUT_OF_RANGE        ((cadastre_reason) 33) /**< the index {requested} is out of range */
/** there is no device {requested} for {type} memory of the {backend} backend */
#define CADASTRE_REASON_INVALID_DEVICE            ((cadastre_reason) 34)
/** {requested} is not the number of a backend */
#define CADASTRE_REASON_INVALID_BACKEND           ((cadastre_reason) 35)
/** {requested} bytes from {pointer} extend past the end of the block at {base} ({size} bytes of {type}), of which
 * {limit} bytes are left from offset {offset} */
#define CADASTRE_REASON_OUT_OF_BOUNDS             ((cadastre_reason) 36)
/** the {requested} bytes to write at {pointer} overlap those to read at {base} */
#define CADASTRE_REASON_RANGES_OVERLAP            ((cadastre_reason) 37)
/** argument {argument} is NULL, or NULL plus an offset ({pointer}), and there are no {requested} bytes there */
#define CADASTRE_REASON_NULL_ADDRESS              ((cadastre_reason) 38)
/** {pointer} is {type} memory that the {backend} backend knows and this context does not */
#define CADASTRE_REASON_NOT_REGISTERED            ((cadastre_reason) 39)
/** elements of {requested} bytes do not fit into the stride of {required} bytes of the block at {base} */
#define CADASTRE_REASON_STRIDE_TOO_SMALL          ((cadastre_reason) 40)
/** info.stride is {requested}, and must be 1 to {limit} bytes */
#define CADASTRE_REASON_INVALID_STRIDE            ((cadastre_reason) 41)
/** a call of the {backend} backend failed: {vendor_message} */
#define CADASTRE_REASON_BACKEND_CALL_FAILED       ((cadastre_reason) 42)
/** the {backend} backend cannot access {pointer} */
#define CADASTRE_REASON_NO_COPY_PATH              ((cadastre_reason) 43)
#define CADASTRE_REASON_INVALID_ADVICE            ((cadastre_reason) 44) /**< {requested} is not an advice */
#define CADASTRE_REASON_INVALID_POOL              ((cadastre_reason) 45) /**< {requested} is not a kind of pool */
/** the field struct_size is {requested}, and this library supports structures of {sizes} bytes */
#define CADASTRE_REASON_INVALID_STRUCT_SIZE       ((cadastre_reason) 46)
/** the table of operations lacks one that every backend must have */
#define CADASTRE_REASON_MISSING_OPERATION         ((cadastre_reason) 47)
#define CADASTRE_REASON_INVALID_REGISTRATION      ((cadastre_reason) 48) /**< the backend cannot be registered */
/** the {backend} backend still has {in_use} users, which are contexts or blocks */
#define CADASTRE_REASON_BACKEND_IN_USE            ((cadastre_reason) 49)
/** {requested} bytes from {pointer}, which is in no block, overlap the block at {base} ({size} bytes of {type}) */
#define CADASTRE_REASON_RUNS_INTO_BLOCK           ((cadastre_reason) 50)
/** a reserved field is {requested}, and must be 0 */
#define CADASTRE_REASON_RESERVED_NOT_ZERO         ((cadastre_reason) 51)
/** an exception other than std::bad_alloc was caught at the C boundary */
#define CADASTRE_REASON_INTERNAL_ERROR            ((cadastre_reason) 52)
/** a number of elements exceeds the largest possible allocation, which is {limit} bytes */
#define CADASTRE_REASON_COUNT_OVERFLOW            ((cadastre_reason) 53)
/** {pointer} is memory of a workspace ({size} bytes of {type} at {base}) */
#define CADASTRE_REASON_WORKSPACE_MEMORY          ((cadastre_reason) 54)
/** cannot acquire {requested} bytes of {type} workspace, which has {size} bytes, {in_use} of them in use: {limit} bytes
 * can be acquired */
#define CADASTRE_REASON_WORKSPACE_TOO_SMALL       ((cadastre_reason) 55)
/** cannot acquire {requested} bytes of {type} workspace, which has {size} bytes, {in_use} of them in use, by {required}
 * on other threads or queues as well: {limit} bytes can be acquired */
#define CADASTRE_REASON_WORKSPACE_BUSY            ((cadastre_reason) 56)
/** {requested} is not a lease of this context */
#define CADASTRE_REASON_UNKNOWN_LEASE             ((cadastre_reason) 57)
/** the lease {requested} was released before */
#define CADASTRE_REASON_LEASE_RELEASED            ((cadastre_reason) 58)
/** not reported any more: the lease {requested} was acquired before {in_use} others that are alive */
#define CADASTRE_REASON_LEASE_OUT_OF_ORDER        ((cadastre_reason) 59)
/** leases of {type} workspace are alive ({in_use}) */
#define CADASTRE_REASON_LEASE_ALIVE               ((cadastre_reason) 60)
/** the calling thread has no size query in this context */
#define CADASTRE_REASON_SIZE_QUERY_INACTIVE       ((cadastre_reason) 61)
/** the calling thread is in a size query of this context, in which functions report what they need and acquire nothing
 * */
#define CADASTRE_REASON_SIZE_QUERY_ACTIVE         ((cadastre_reason) 62)
/** a queue is being captured, during which this is not permitted */
#define CADASTRE_REASON_CAPTURE_ACTIVE            ((cadastre_reason) 63)
/** the {requested} bytes from {pointer} cannot be used as a workspace */
#define CADASTRE_REASON_UNSUITABLE_BUFFER         ((cadastre_reason) 64)
/** the {backend} backend received {pointer} for {requested} bytes of {type}, which is not a multiple of the required
 * alignment {required}, and freed the memory */
#define CADASTRE_REASON_MISALIGNED_ALLOCATION     ((cadastre_reason) 65)
/** the queue {pointer} is one of device {requested} of the {backend} backend, and this context acquires workspace on
 * queues of device {required} */
#define CADASTRE_REASON_WRONG_QUEUE_DEVICE        ((cadastre_reason) 66)
/** context {context} cannot be destroyed from within a call of this thread that uses it, as from an operation of a
 * backend or a handler of signals, because the destruction would wait for that call */
#define CADASTRE_REASON_CALLED_FROM_OPERATION     ((cadastre_reason) 67)
/** context {context} is the parent of {in_use} other contexts */
#define CADASTRE_REASON_HAS_CHILDREN              ((cadastre_reason) 68)
/** {context} is CADASTRE_PROCESS, which is not a context */
#define CADASTRE_REASON_PROCESS_CONTEXT           ((cadastre_reason) 69)
/** the caller was built without Cadastre, which it needs for this */
#define CADASTRE_REASON_BUILT_WITHOUT_CADASTRE    ((cadastre_reason) 70)
/** options.parent is {requested}, which is not a live context */
#define CADASTRE_REASON_INVALID_PARENT            ((cadastre_reason) 71)
/** info.device_id is {requested}, and info.device does not name that device */
#define CADASTRE_REASON_DEVICE_MISMATCH           ((cadastre_reason) 72)
/** CADASTRE_FAIL of the environment made this call fail */
#define CADASTRE_REASON_INJECTED                  ((cadastre_reason) 73)
/** a signal handler called this while its thread was inside the library */
#define CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER ((cadastre_reason) 74)
/** what the library knew of blocks has been overwritten */
#define CADASTRE_REASON_DAMAGED_RECORDS           ((cadastre_reason) 75)
/** HOST blocks of the context lie in its heap already, or did */
#define CADASTRE_REASON_HEAP_IN_USE               ((cadastre_reason) 76)
/** {pointer} was allocated without CADASTRE_EXPORTABLE ({size} bytes of {type}) */
#define CADASTRE_REASON_NOT_EXPORTABLE            ((cadastre_reason) 77)
/** {type} memory of the {backend} backend cannot be exported to other processes */
#define CADASTRE_REASON_EXPORT_NOT_SUPPORTED      ((cadastre_reason) 78)
#define CADASTRE_REASON_INVALID_IPC_HANDLE        ((cadastre_reason) 79) /**< the handle cannot be imported */
/** the block of the handle cannot be imported */
#define CADASTRE_REASON_EXPORT_ENDED              ((cadastre_reason) 80)
/** {pointer} is memory of another process ({size} bytes of {type}) */
#define CADASTRE_REASON_IMPORTED                  ((cadastre_reason) 81)
/** {pointer} was not imported ({size} bytes of {type}) */
#define CADASTRE_REASON_NOT_IMPORTED              ((cadastre_reason) 82)
#define CADASTRE_REASON_HOST_MEMORY_UNAVAILABLE   ((cadastre_reason) 83) /**< the host memory is not to be had here */
/** the {backend} backend cannot share {requested} bytes */
#define CADASTRE_REASON_NOT_SHARED                ((cadastre_reason) 84)
/** @} */

/** @name Memory types
 * @{ */

/** What kind of memory a block is made of. */
typedef int32_t cadastre_memory_type;
#define CADASTRE_HOST    ((cadastre_memory_type) 0) /**< pageable memory of the host */
#define CADASTRE_PINNED  ((cadastre_memory_type) 1) /**< page-locked memory of the host */
#define CADASTRE_DEVICE  ((cadastre_memory_type) 2) /**< memory of a device, not accessible from the host */
#define CADASTRE_UVM     ((cadastre_memory_type) 3) /**< managed memory, accessible from the host and the devices */
#define CADASTRE_MEMORY_TYPE_COUNT 4 /**< how many this header names */
#define CADASTRE_MAX_MEMORY_TYPES  16 /**< the length of arrays over memory types; the rest is reserved */
/** no type, but all together, where a limit or statistics are asked for */
#define CADASTRE_ALL_MEMORY_TYPES  ((cadastre_memory_type) 15)
/** @} */

/** @name Numbers of backends
 * @{ */

/** Where memory comes from. cadastre_backend_get_info() writes whether a backend is available, and why it is not. */
typedef int32_t cadastre_backend;
#define CADASTRE_DEFAULT_BACKEND ((cadastre_backend) 0) /**< the context's own choice */
#define CADASTRE_BACKEND_HOST    ((cadastre_backend) 1) /**< the C library and the operating system */
#define CADASTRE_BACKEND_CUDA    ((cadastre_backend) 2) /**< NVIDIA's CUDA runtime */
#define CADASTRE_BACKEND_OPENMP  ((cadastre_backend) 3) /**< target regions of OpenMP */
#define CADASTRE_BACKEND_HIP     ((cadastre_backend) 4) /**< AMD's HIP runtime */
/** none: a registration failed, or none is concerned */
#define CADASTRE_INVALID_BACKEND           ((cadastre_backend) -1)
#define CADASTRE_FIRST_REGISTERED_BACKEND  ((cadastre_backend) 64) /**< the number of the first one registered */
/** @} */

/** @name Flags
 * @{ */

/** Properties of a block: a sum of these. */
typedef uint32_t cadastre_flags;
#define CADASTRE_UNINITIALIZED    ((cadastre_flags) 1) /**< the contents are undefined: nothing sets them to zero */
#define CADASTRE_BORROWED         ((cadastre_flags) 2) /**< recorded by cadastre_wrap; its owner frees it */
/** allocated in the order of a queue, by cadastre_malloc_async */
#define CADASTRE_STREAM_ORDERED   ((cadastre_flags) 4)
/** memory of a workspace, from which leases are acquired; cadastre_free rejects it */
#define CADASTRE_WORKSPACE_MEMORY ((cadastre_flags) 8)
/** DEVICE memory that cadastre_ipc_export may share with other processes, in a segment of its own */
#define CADASTRE_EXPORTABLE       ((cadastre_flags) 16)
/** with EXPORTABLE: the segment that an export exposes may hold other blocks */
#define CADASTRE_SHARED_SEGMENT   ((cadastre_flags) 32)
/** memory of another process, opened by cadastre_ipc_import; cadastre_ipc_close closes it */
#define CADASTRE_IMPORTED         ((cadastre_flags) 64)
/** shared memory that was there before, with CADASTRE_HOST_SHARED; without the flag this allocation has made it */
#define CADASTRE_ATTACHED         ((cadastre_flags) 128)
/** @} */

/** @name Pools
 * @{ */

/** Where a context gets the memory for its blocks from. */
typedef int32_t cadastre_pool;
/** for each memory type what CADASTRE_POOL of the environment specifies, else no pool */
#define CADASTRE_DEFAULT_POOL ((cadastre_pool) 0)
#define CADASTRE_POOL_NONE    ((cadastre_pool) 1) /**< every block is allocated by the backend */
#define CADASTRE_POOL_VENDOR  ((cadastre_pool) 2) /**< POOL_CACHING for DEVICE memory, no pool for the other types */
#define CADASTRE_POOL_CACHING ((cadastre_pool) 3) /**< freed memory is cached and reused */
/** @} */

/** @name Schemes of workspaces
 * @{ */

/** Where the memory of a workspace comes from; cadastre_workspace_set_size() and cadastre_workspace_set_buffer() select
 * it. */
typedef int32_t cadastre_workspace_scheme;
/** grows when an acquisition does not fit, and keeps the memory */
#define CADASTRE_WORKSPACE_SCHEME_AUTOMATIC      ((cadastre_workspace_scheme) 0)
/** one block of the size that was set; never grows, never waits on the host */
#define CADASTRE_WORKSPACE_SCHEME_PREALLOCATED   ((cadastre_workspace_scheme) 1)
/** one buffer that the caller owns; never grows, never waits on the host */
#define CADASTRE_WORKSPACE_SCHEME_USER_OWNED     ((cadastre_workspace_scheme) 2)
/** allocated at each acquisition, and freed at its release */
#define CADASTRE_WORKSPACE_SCHEME_PER_LEASE      ((cadastre_workspace_scheme) 3)
/** as PER_LEASE, in the order of the queue */
#define CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED ((cadastre_workspace_scheme) 4)
/** @} */

/** @name Advice
 * @{ */

/** What cadastre_advise() says about managed memory. */
typedef int32_t cadastre_advice;
#define CADASTRE_ADVICE_READ_MOSTLY              ((cadastre_advice) 1) /**< mostly read: each device may keep a copy */
#define CADASTRE_ADVICE_UNSET_READ_MOSTLY        ((cadastre_advice) 2) /**< cancels CADASTRE_ADVICE_READ_MOSTLY */
#define CADASTRE_ADVICE_PREFERRED_LOCATION       ((cadastre_advice) 3) /**< should stay on the given device */
/** cancels CADASTRE_ADVICE_PREFERRED_LOCATION */
#define CADASTRE_ADVICE_UNSET_PREFERRED_LOCATION ((cadastre_advice) 4)
/** will be accessed by the given device: keep it mapped there */
#define CADASTRE_ADVICE_ACCESSED_BY              ((cadastre_advice) 5)
#define CADASTRE_ADVICE_UNSET_ACCESSED_BY        ((cadastre_advice) 6) /**< cancels CADASTRE_ADVICE_ACCESSED_BY */
/** @} */

/** @name Host memory
 * @{ */

/** Properties of a host memory resource: a sum of these. */
typedef uint32_t cadastre_host_flags;
/** On which NUMA nodes the memory of a host memory resource is. */
typedef int32_t cadastre_numa_policy;
/** what cannot be had as requested is refused, instead of pages of another kind */
#define CADASTRE_HOST_STRICT        ((cadastre_host_flags) 1)
/** the pages stay in memory, and are never written to a swap device */
#define CADASTRE_HOST_LOCKED        ((cadastre_host_flags) 2)
/** a block is shared with the processes of the user on the node that allocate one of the same label from a resource of
 * the same name */
#define CADASTRE_HOST_SHARED        ((cadastre_host_flags) 4)
/** the policy of the process, which numactl or the system has set */
#define CADASTRE_NUMA_DEFAULT       ((cadastre_numa_policy) 0)
/** each page on the node of the CPU that touches it first, whatever the policy of the process */
#define CADASTRE_NUMA_FIRST_TOUCH   ((cadastre_numa_policy) 1)
#define CADASTRE_NUMA_BIND          ((cadastre_numa_policy) 2) /**< on the given nodes only */
#define CADASTRE_NUMA_INTERLEAVE    ((cadastre_numa_policy) 3) /**< page by page on the given nodes in turn */
/** on the node that a device is attached to, and on others when that is full */
#define CADASTRE_NUMA_NEAR_DEVICE   ((cadastre_numa_policy) 4)
/** @} */

/** @name Formats of reports
 * @{ */

/** The format that cadastre_report() writes. */
typedef int32_t cadastre_report_format;
#define CADASTRE_REPORT_TEXT  ((cadastre_report_format) 0) /**< lines and tables for a person */
#define CADASTRE_REPORT_JSON  ((cadastre_report_format) 1) /**< one JSON object for a program */
/** @} */

/** @name Names of constants
 *
 * Each function takes any number, and returns a string in English that lives as long as the library and is never NULL.
 * Any thread may call them at any time. Cost: one table look-up.
 * @{ */

/** Returns the meaning of an exit code.
 *
 * @param exit_code  any number
 * @return such as "Invalid context"; "Unknown exit code" for a number that is none */
CADASTRE_API const char* cadastre_string_of_error(cadastre_exit_code exit_code);

/** Returns the name of a reason.
 *
 * @param reason  any number
 * @return such as "ALREADY_FREED"; "Unknown reason" for a number that is none */
CADASTRE_API const char* cadastre_string_of_reason(cadastre_reason reason);

/** Returns the name of a memory type.
 *
 * @param type  any number
 * @return such as "HOST"; "Unknown memory type" for a number that is none */
CADASTRE_API const char* cadastre_string_of_memory_type(cadastre_memory_type type);

/** Returns the name of a backend.
 *
 * @param backend  any number
 * @return such as "host", or the name that was given to cadastre_backend_register(); "Unknown backend" for a number
 *   that is none */
CADASTRE_API const char* cadastre_string_of_backend(cadastre_backend backend);

/** Returns the name of a pool.
 *
 * @param pool  any number
 * @return such as "caching"; "Unknown pool" for a number that is none */
CADASTRE_API const char* cadastre_string_of_pool(cadastre_pool pool);

/** Returns the name of the scheme of a workspace.
 *
 * @param scheme  any number
 * @return such as "stream-ordered"; "Unknown scheme" for a number that is none */
CADASTRE_API const char* cadastre_string_of_workspace_scheme(cadastre_workspace_scheme scheme);

/** Returns the name of an advice.
 *
 * @param advice  any number
 * @return such as "read-mostly"; "Unknown advice" for a number that is none */
CADASTRE_API const char* cadastre_string_of_advice(cadastre_advice advice);

/** Returns the name of a report format.
 *
 * @param format  any number
 * @return such as "json"; "Unknown report format" for a number that is none */
CADASTRE_API const char* cadastre_string_of_report_format(cadastre_report_format format);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
