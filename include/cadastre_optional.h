/* Tangled from org/api/optional.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Cadastre, or malloc in its place: a file for libraries that can be built without Cadastre.
 *
 * C99 and C++17. Copy this file into the sources of a library, include it instead of cadastre.h in the files that
 * allocate, and let the build decide:
 * - CADASTRE_OPTIONAL_WITH_CADASTRE is defined, and not 0: this file includes cadastre.h and does nothing else.
 * - it is not defined: this file defines the types, constants and functions of cadastre.h itself. The functions are
 *   static and inline, and use malloc, calloc, realloc and free of the C library.
 * cadastre_optional.m4 (configure --with-cadastre) and CadastreOptional.cmake (-DWITH_CADASTRE=) choose.
 *
 * What the functions do with Cadastre is described in cadastre.h. What they do without:
 *
 *   cadastre_context_create, _create_with_options,    a context is a list of blocks. No environment variables are read.
 *     _get_options, _check, _destroy,                 Destroying frees all blocks and leases. Of the options, a parent,
 *     _destroy_with_summary, _destroy_with_children   CADASTRE_POOL_NONE and _VENDOR, and CADASTRE_UNLIMITED are
 *                                                     accepted
 *   cadastre_malloc, _realloc, _free, _free_all       HOST memory, zeroed or CADASTRE_UNINITIALIZED, with alignments
 *                                                     up to 1 GiB; 0 bytes give a distinct block
 *   cadastre_label                                    as with Cadastre, within one program or shared object
 *   cadastre_get_malloc_info, _get_allocated_size,    as with Cadastre; one step for each live block. A block that
 *     _find_block, _foreach_block                     was freed is unknown; the function that _foreach_block calls has
 *                                                     to return
 *   cadastre_get_statistics,                          as with Cadastre; all numbers are exact
 *     _reset_high_water_mark
 *   cadastre_memcpy, _memset                          host memory. NULL, overlaps and sizes are checked; bounds are not
 *   cadastre_malloc_async, _free_async,               on CADASTRE_DEFAULT_QUEUE: as without _async
 *     _memcpy_async, _memset_async
 *   cadastre_context_set_default_queue,               CADASTRE_DEFAULT_QUEUE, on which nothing is ever pending
 *     _context_get_default_queue, _synchronize
 *   cadastre_prefetch, _advise                        the hint is checked and ignored
 *   cadastre_workspace_acquire, _acquire_on_queue,    HOST memory on CADASTRE_DEFAULT_QUEUE, allocated for each lease;
 *     _release                                        leases may be released in any order
 *   cadastre_workspace_set_size                       CADASTRE_WORKSPACE_AUTOMATIC, _PER_LEASE, _STREAM_ORDERED and 0.
 *                                                     No effect
 *   cadastre_workspace_set_buffer                     NULL with 0 bytes. No effect
 *   cadastre_workspace_is_size_query                  0
 *   cadastre_set_limit                                CADASTRE_UNLIMITED and 0. No effect
 *   cadastre_set_out_of_memory_function               accepted; the callback is never called
 *   cadastre_pool_get_info, _trim                     as with Cadastre, where no pool caches
 *   cadastre_context_set_timing, _set_plain_free      0. No effect
 *   cadastre_lock, _unlock                            as with Cadastre
 *   cadastre_last_error                               as with Cadastre; a thread remembers its last failure only
 *   cadastre_string_of_...                            as with Cadastre
 *   cadastre_get_version, _get_build_options          "0.0.0", and "library: none"
 *   cadastre_backend_get_count,
 *     cadastre_environment_get_count,
 *     cadastre_get_backend_nanoseconds                0
 *   all others                                        refused: NOT_SUPPORTED (or NULL, or CADASTRE_INVALID_BACKEND), with
 *                                                     the reason BUILT_WITHOUT_CADASTRE; INVALID_CONTEXT as usual
 *
 * Other memory types, backends, options, limits and queues are refused in the same way. A failure changes nothing. Exit
 * codes, reasons and messages of all other failures are those of Cadastre.
 *
 * Not detected without Cadastre: that cadastre_free or cadastre_realloc gets an address that cadastre_malloc or
 * cadastre_realloc of this library did not return, or that was freed (as for free: the behaviour is undefined); and
 * copies beyond the bounds of a block. Blocks of another context, memory of leases, contexts and leases that do not
 * exist or no longer exist are refused.
 *
 * Threads: any thread may call any function at any time. One mutex protects the contexts of a library; it is held while
 * a block is resized, but not while one is allocated, freed, copied or set, nor during the function that
 * cadastre_foreach_block calls. In a child of fork, use contexts only if no other thread was inside a call when the
 * process forked. Cost: malloc or free, a mutex, one step for each live context and for each parent, and one for each
 * label if the block has one; a block takes 80 bytes more.
 *
 * One program or shared object has one set of contexts, for all of its files that include this one; handles of
 * others, and those of Cadastre, are refused. Such a library can be linked with a program that uses Cadastre, but one
 * source file cannot include both this file and cadastre.h: keep it out of public headers, where a handle is an int64_t.
 * Include the headers of the C library that the code uses: this file includes more of them than cadastre.h does.
 * It needs POSIX threads, and a compiler with the attributes of GCC (also clang, and those that are based on it). */
#ifndef CADASTRE_OPTIONAL_H
#define CADASTRE_OPTIONAL_H

#if defined(CADASTRE_OPTIONAL_WITH_CADASTRE) && CADASTRE_OPTIONAL_WITH_CADASTRE
#include <cadastre.h>
#else

#ifdef CADASTRE_H
#error "cadastre_optional.h, without CADASTRE_OPTIONAL_WITH_CADASTRE, and cadastre.h define the same names: include one of them"
#endif
#ifndef __GNUC__
#error \
    "cadastre_optional.h needs a compiler with the attributes weak and visibility of GCC; define CADASTRE_OPTIONAL_WITH_CADASTRE to use cadastre.h"
#endif

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Types and constants: those of Cadastre. */

#define CADASTRE_VERSION_MAJOR 0 /**< changes when programs must be changed or compiled again */
#define CADASTRE_VERSION_MINOR 2 /**< changes when functions, constants or fields are added */
#define CADASTRE_VERSION_PATCH 0 /**< changes when neither is so */
#define CADASTRE_VERSION       200 /**< 10000 MAJOR + 100 MINOR + PATCH, for conditions of the preprocessor */

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

typedef int32_t cadastre_memory_type;
#define CADASTRE_HOST    ((cadastre_memory_type) 0) /**< pageable memory of the host */
#define CADASTRE_PINNED  ((cadastre_memory_type) 1) /**< page-locked memory of the host */
#define CADASTRE_DEVICE  ((cadastre_memory_type) 2) /**< memory of a device, not accessible from the host */
#define CADASTRE_UVM     ((cadastre_memory_type) 3) /**< managed memory, accessible from the host and the devices */
#define CADASTRE_MEMORY_TYPE_COUNT 4 /**< how many this header names */
#define CADASTRE_MAX_MEMORY_TYPES  16 /**< the length of arrays over memory types; the rest is reserved */
/** no type, but all together, where a limit or statistics are asked for */
#define CADASTRE_ALL_MEMORY_TYPES  ((cadastre_memory_type) 15)

typedef int32_t cadastre_backend;
#define CADASTRE_DEFAULT_BACKEND ((cadastre_backend) 0) /**< the context's own choice */
#define CADASTRE_BACKEND_HOST    ((cadastre_backend) 1) /**< the C library and the operating system */
#define CADASTRE_BACKEND_CUDA    ((cadastre_backend) 2) /**< NVIDIA's CUDA runtime */
#define CADASTRE_BACKEND_OPENMP  ((cadastre_backend) 3) /**< target regions of OpenMP */
#define CADASTRE_BACKEND_HIP     ((cadastre_backend) 4) /**< AMD's HIP runtime */
/** none: a registration failed, or none is concerned */
#define CADASTRE_INVALID_BACKEND           ((cadastre_backend) -1)
#define CADASTRE_FIRST_REGISTERED_BACKEND  ((cadastre_backend) 64) /**< the number of the first one registered */

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

typedef int32_t cadastre_pool;
/** for each memory type what CADASTRE_POOL of the environment specifies, else no pool */
#define CADASTRE_DEFAULT_POOL ((cadastre_pool) 0)
#define CADASTRE_POOL_NONE    ((cadastre_pool) 1) /**< every block is allocated by the backend */
#define CADASTRE_POOL_VENDOR  ((cadastre_pool) 2) /**< POOL_CACHING for DEVICE memory, no pool for the other types */
#define CADASTRE_POOL_CACHING ((cadastre_pool) 3) /**< freed memory is cached and reused */

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

typedef int32_t cadastre_advice;
#define CADASTRE_ADVICE_READ_MOSTLY              ((cadastre_advice) 1) /**< mostly read: each device may keep a copy */
#define CADASTRE_ADVICE_UNSET_READ_MOSTLY        ((cadastre_advice) 2) /**< cancels CADASTRE_ADVICE_READ_MOSTLY */
#define CADASTRE_ADVICE_PREFERRED_LOCATION       ((cadastre_advice) 3) /**< should stay on the given device */
/** cancels CADASTRE_ADVICE_PREFERRED_LOCATION */
#define CADASTRE_ADVICE_UNSET_PREFERRED_LOCATION ((cadastre_advice) 4)
/** will be accessed by the given device: keep it mapped there */
#define CADASTRE_ADVICE_ACCESSED_BY              ((cadastre_advice) 5)
#define CADASTRE_ADVICE_UNSET_ACCESSED_BY        ((cadastre_advice) 6) /**< cancels CADASTRE_ADVICE_ACCESSED_BY */

typedef uint32_t cadastre_host_flags;
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

typedef int32_t cadastre_report_format;
#define CADASTRE_REPORT_TEXT  ((cadastre_report_format) 0) /**< lines and tables for a person */
#define CADASTRE_REPORT_JSON  ((cadastre_report_format) 1) /**< one JSON object for a program */

typedef int64_t cadastre_context;
#define CADASTRE_NULL_CONTEXT ((cadastre_context)0)
#define CADASTRE_PROCESS ((cadastre_context)-1)
#define CADASTRE_DEFAULT_DEVICE ((int32_t)0)
#define CADASTRE_DEVICE_BY_ID(device_id) ((int32_t)(1024 + (device_id)))
#define CADASTRE_HOST_DEVICE ((int32_t)-2)
#define CADASTRE_UNLIMITED ((size_t)-1)
#define CADASTRE_LIMIT_NOTHING ((size_t)-2)
typedef void* cadastre_queue;
#define CADASTRE_DEFAULT_QUEUE ((cadastre_queue)0)
typedef struct cadastre_context_options_struct {
  size_t struct_size; /**< sizeof(cadastre_context_options_struct), by which the library recognizes this version */
  /** Where memory comes from: CADASTRE_DEFAULT_BACKEND (what CADASTRE_BACKEND of the environment names, else the first
   * backend with a device other than the host), a backend of cadastre_vocabulary.h, or what
   * cadastre_backend_register() returned. */
  cadastre_backend backend;
  /** The device of blocks that name none: CADASTRE_DEFAULT_DEVICE (the current device of the calling thread), or
   * CADASTRE_DEVICE_BY_ID(id) for an id from 0 to the number of devices of the backend - 1. */
  int32_t device;
  /** For all memory types: CADASTRE_POOL_CACHING (freed memory is cached for later requests of all contexts, see
   * cadastre_pool_info_struct); CADASTRE_POOL_VENDOR (the same for DEVICE memory, and no pool for the other types);
   * CADASTRE_POOL_NONE; or CADASTRE_DEFAULT_POOL: for each memory type what CADASTRE_POOL of the environment specifies,
   * and no pool where it specifies nothing. Memory from the pools of CUDA and HIP themselves (cudaMallocAsync) is what
   * cadastre_malloc_async() returns for DEVICE memory in a context without a pool for it. */
  cadastre_pool pool;
  int32_t reserved; /**< 0 */
  /** For each memory type, and at CADASTRE_ALL_MEMORY_TYPES for all together, as for cadastre_set_limit(): a number of
   * bytes, CADASTRE_UNLIMITED, CADASTRE_LIMIT_NOTHING, or 0: what CADASTRE_LIMIT of the environment specifies, and no limit
   * where it specifies nothing. Those in between are reserved, and must be 0. */
  size_t limits[CADASTRE_MAX_MEMORY_TYPES];
  /** A live context; or CADASTRE_PROCESS, which CADASTRE_NULL_CONTEXT means, too: check the result of a creation before
   * you pass it. The memory of the new context counts against the limits of its parent, of the parent of that, and so on
   * up to the process. A parent is not destroyed before its children. */
  cadastre_context parent;
} cadastre_context_options_struct;

static const cadastre_context_options_struct cadastre_context_options_struct_zero = {sizeof(cadastre_context_options_struct),
                                                                                     CADASTRE_DEFAULT_BACKEND,
                                                                                     CADASTRE_DEFAULT_DEVICE,
                                                                                     CADASTRE_DEFAULT_POOL,
                                                                                     0,
                                                                                     {0},
                                                                                     CADASTRE_NULL_CONTEXT};

typedef struct cadastre_destroy_summary_struct {
  size_t struct_size;           /**< sizeof(cadastre_destroy_summary_struct) */
  int64_t live_blocks;          /**< blocks that the context owned, without the memory of its workspaces */
  size_t live_bytes;            /**< bytes of these blocks, as requested */
  int64_t borrowed_blocks;      /**< blocks recorded by cadastre_wrap() */
  int64_t failed_deallocations; /**< blocks that a backend could not free during the destruction */
  int64_t live_leases;          /**< leases of workspaces */
  size_t largest_label_bytes;   /**< bytes of the live blocks that have largest_label */
  char largest_label[256];      /**< the label with the most bytes; "" when these blocks had no label */
} cadastre_destroy_summary_struct;

static const cadastre_destroy_summary_struct cadastre_destroy_summary_struct_zero = {
    sizeof(cadastre_destroy_summary_struct), 0, 0, 0, 0, 0, 0, {0}};

typedef struct cadastre_error_struct {
  size_t struct_size;           /**< sizeof(cadastre_error_struct) */
  cadastre_exit_code exit_code; /**< what the function returned; CADASTRE_SUCCESS when no failure is remembered */
  cadastre_reason reason;       /**< why */
  cadastre_memory_type type;    /**< of the request or the block; -1 for none */
  cadastre_backend backend;     /**< that was requested; -1 for none */
  int32_t device_id;            /**< of the device that was requested; -1 for none */
  int32_t argument;             /**< the number of the invalid argument, from 1 */
  size_t requested;             /**< bytes, alignment or number that was requested */
  size_t in_use;                /**< bytes already in use; or how many blocks, contexts or leases are */
  size_t limit;                 /**< the maximum that would have been accepted */
  size_t required;              /**< the alignment, stride, structure size or device_id that was required */
  const void* pointer;          /**< the address that was passed */
  const void* base;             /**< the block that the error concerns */
  size_t size;                  /**< of that block */
  size_t offset;                /**< of the address in that block */
  cadastre_context owner;       /**< the context that owns the block */
  int64_t vendor_code;          /**< what the vendor's routine returned: an errno, a cudaError_t */
  char vendor_message[128];     /**< the vendor's text for this code */
  char function[64];            /**< the function that failed */
  char message[768];            /**< "function: what was given, and what is allowed; what to do" */
} cadastre_error_struct;

static const cadastre_error_struct cadastre_error_struct_zero = {sizeof(cadastre_error_struct),
                                                                 CADASTRE_SUCCESS,
                                                                 CADASTRE_REASON_NONE,
                                                                 -1,
                                                                 -1,
                                                                 -1,
                                                                 0,
                                                                 0,
                                                                 0,
                                                                 0,
                                                                 0,
                                                                 NULL,
                                                                 NULL,
                                                                 0,
                                                                 0,
                                                                 CADASTRE_NULL_CONTEXT,
                                                                 0,
                                                                 {0},
                                                                 {0},
                                                                 {0}};

typedef struct cadastre_memory_info_struct {
  size_t size;               /**< bytes, 0 gives a distinct block; in a result as requested, never rounded */
  void* pointer;             /**< ignored by requests, except cadastre_wrap(); in a result the block's first byte */
  cadastre_memory_type type; /**< the memory type */
  /** CADASTRE_DEFAULT_DEVICE or CADASTRE_DEVICE_BY_ID(id); ignored for HOST. In a result
   * CADASTRE_DEVICE_BY_ID(device_id), or CADASTRE_DEFAULT_DEVICE for none. */
  int32_t device;
  /** 0 (the default of the backend) or a power of two; in a result the alignment that the block has, at least as
   * requested. */
  size_t alignment;
  /** Bytes from the first byte of one element to that of the next; 0 when unused; in a result as requested. */
  size_t stride;
  /** 0 or CADASTRE_UNINITIALIZED; for DEVICE memory also CADASTRE_EXPORTABLE, alone or with CADASTRE_SHARED_SEGMENT, see
   * cadastre_ipc_export(); in a result these, and CADASTRE_BORROWED, CADASTRE_STREAM_ORDERED, CADASTRE_WORKSPACE_MEMORY,
   * CADASTRE_IMPORTED. */
  cadastre_flags flags;
  /** A backend, or CADASTRE_DEFAULT_BACKEND; in a result the backend that the memory came from. */
  cadastre_backend backend;
  /** NULL; or up to 255 characters, which are copied; or what cadastre_label() returned. In a result NULL, or a string
   * that lives as long as the process, as cadastre_label() returns it. */
  const char* label;
  /** In a request 0, or as in a result where device is, too; in a result the vendor's number of the device, -1 for none. */
  int32_t device_id;
  uint32_t reserved[9]; /**< 0 */
} cadastre_memory_info_struct;

static const cadastre_memory_info_struct cadastre_memory_info_struct_zero = {
    0, NULL, CADASTRE_HOST, CADASTRE_DEFAULT_DEVICE, 0, 0, 0, CADASTRE_DEFAULT_BACKEND, NULL, 0, {0}};

typedef struct cadastre_ipc_handle_struct {
  unsigned char bytes[256]; /**< opaque */
} cadastre_ipc_handle_struct;

typedef cadastre_exit_code (*cadastre_foreach_block_function)(const cadastre_memory_info_struct* info, void* user_data);
typedef struct cadastre_statistics_struct {
  size_t struct_size;              /**< sizeof(cadastre_statistics_struct) */
  int64_t allocations;              /**< blocks allocated */
  int64_t deallocations;            /**< blocks freed */
  int64_t reallocations;            /**< blocks resized; counted neither as allocation nor as deallocation */
  int64_t failed_allocations;       /**< failed requests to allocate or resize a block of this memory type */
  int64_t failed_deallocations;     /**< blocks that the backend could not free */
  int64_t untracked_deallocations;  /**< blocks freed without the library: whose address the backend returned again, or by free() */
  int64_t live_blocks;              /**< blocks allocated and not freed */
  int64_t borrowed_blocks;          /**< blocks recorded by cadastre_wrap() */
  int64_t high_water_mark_blocks;   /**< maximum of live_blocks since creation or the last reset */
  size_t live_bytes;                /**< bytes of the live blocks, as requested */
  size_t high_water_mark_bytes;     /**< maximum of live_bytes since creation or the last reset */
  size_t total_bytes;               /**< bytes of all blocks ever allocated, growth by cadastre_realloc() included */
  size_t zeroed_bytes;              /**< of these, bytes returned as zeros */
  size_t limit;                     /**< maximum of live_bytes that is allowed, as cadastre_set_limit() takes it */
} cadastre_statistics_struct;

static const cadastre_statistics_struct cadastre_statistics_struct_zero = {
    sizeof(cadastre_statistics_struct), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

typedef struct cadastre_pool_info_struct {
  size_t struct_size;    /**< sizeof(cadastre_pool_info_struct) */
  cadastre_pool pool;    /**< of this memory type, never CADASTRE_POOL_VENDOR; everything else is 0 unless it is CADASTRE_POOL_CACHING */
  int32_t pool_count;    /**< number of pools used: one for each device and backend from which memory was requested */
  size_t used_bytes;     /**< bytes of the live blocks of the context, rounded up as the pool does */
  size_t reserved_bytes; /**< used_bytes + releasable_bytes */
  size_t largest_free_bytes; /**< largest block possible without a call of a backend, if queues are waited for */
  size_t releasable_bytes;   /**< bytes that these pools cache, whichever context freed them: cadastre_pool_trim() could release them */
  int64_t hits;              /**< requests of the context satisfied with cached memory */
  int64_t misses;            /**< requests of the context for which a backend was called */
  int64_t trims;             /**< number of times that a pool released memory since the context first used it, on request or not */
} cadastre_pool_info_struct;

static const cadastre_pool_info_struct cadastre_pool_info_struct_zero = {
    sizeof(cadastre_pool_info_struct), CADASTRE_DEFAULT_POOL, 0, 0, 0, 0, 0, 0, 0, 0};

typedef struct cadastre_registry_info_struct {
  size_t struct_size;   /**< sizeof(cadastre_registry_info_struct) */
  int64_t entries;      /**< in use: one for each slab of small HOST blocks, and for each block or borrowed range that is in none */
  int64_t capacity;     /**< entries for which the arrays have room */
  int64_t doublings;    /**< how often an array doubled */
  int64_t live_records; /**< of blocks that are alive, and of borrowed ranges */
} cadastre_registry_info_struct;

static const cadastre_registry_info_struct cadastre_registry_info_struct_zero = {sizeof(cadastre_registry_info_struct), 0, 0, 0, 0};
typedef struct cadastre_out_of_memory_struct {
  size_t struct_size;        /**< sizeof(cadastre_out_of_memory_struct) */
  cadastre_context context;  /**< in which memory is requested */
  cadastre_memory_type type; /**< of the memory */
  cadastre_backend backend;  /**< that could not allocate; -1 where a limit refused */
  int32_t device_id;         /**< of its device; -1 for none */
  cadastre_reason
      reason;        /**< CADASTRE_REASON_LIMIT_EXCEEDED, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY or CADASTRE_REASON_OUT_OF_HOST_MEMORY */
  size_t size;       /**< bytes requested; of a block that is resized, its new size; of a lease, all of its buffers */
  const char* label; /**< of the request, "workspace" for a lease; NULL for none; lives until the callback returns */
  int64_t retries;   /**< how often a callback has had this request tried again; 0 at first */
} cadastre_out_of_memory_struct;

static const cadastre_out_of_memory_struct cadastre_out_of_memory_struct_zero = {
    sizeof(cadastre_out_of_memory_struct), CADASTRE_NULL_CONTEXT, -1, -1, -1, CADASTRE_REASON_NONE, 0, NULL, 0};

typedef int (*cadastre_out_of_memory_function)(const cadastre_out_of_memory_struct* request, void* user_data);
typedef struct cadastre_backend_info_struct {
  size_t struct_size;        /**< sizeof(cadastre_backend_info_struct) */
  cadastre_backend backend;  /**< its number */
  int32_t available;         /**< 1 or 0 */
  int32_t device_count;      /**< number of devices; 0 for a backend without devices */
  uint32_t memory_type_mask; /**< bit t is set when memory type t is supported here */
  const char* name;          /**< as in CADASTRE_BACKEND of the environment */
  const char* description;   /**< where its memory comes from; then, after "; " each, what else is known of it */
  const char* problem;       /**< "" when available; else why it is not, and how to make it available */
} cadastre_backend_info_struct;

static const cadastre_backend_info_struct cadastre_backend_info_struct_zero = {
    sizeof(cadastre_backend_info_struct), CADASTRE_DEFAULT_BACKEND, 0, 0, 0, NULL, NULL, NULL};

typedef struct cadastre_device_info_struct {
  size_t struct_size;       /**< sizeof(cadastre_device_info_struct) */
  cadastre_backend backend; /**< the backend */
  int32_t device_id;        /**< the vendor's number */
  size_t total_bytes;       /**< bytes of its memory; 0 when unknown */
  size_t free_bytes;        /**< of these, bytes that are free at the time of the call */
  char name[128];           /**< "" when unknown */
  char uuid[64];            /**< the vendor's identifier, the same in all processes of the node; "" when unknown */
  int32_t integrated;       /**< 1 when the device has no memory of its own and uses the host's, as an APU does; otherwise, and
                              * when unknown, 0. What is free is then free for both */
  int64_t host_access;      /**< 1 when the host may read and write DEVICE memory of this device by its address, as the vendor
                              * says of AMD's MI300A; otherwise, and when unknown, 0, as for all devices of NVIDIA. What
                              * queues do to the memory is to be waited for all the same */
  int64_t pageable_access;  /**< 1 when kernels on the device may use any memory of the host, registered or not, as with
                              * XNACK on AMD's devices and with HMM or ATS on NVIDIA's; otherwise, and when unknown, 0 */
} cadastre_device_info_struct;

static const cadastre_device_info_struct cadastre_device_info_struct_zero = {
    sizeof(cadastre_device_info_struct), CADASTRE_DEFAULT_BACKEND, 0, 0, 0, {0}, {0}, 0, 0, 0};

typedef struct cadastre_memory_usage_struct {
  size_t struct_size;     /**< sizeof(cadastre_memory_usage_struct) */
  size_t total_bytes;     /**< memory of the device; of the host what RAM, control groups and RLIMIT_AS allow this
                            * process; 0 when unknown */
  size_t used_bytes;      /**< on a device by all processes, as the vendor reports; on the host the resident memory of this
                            * process; 0 when unknown */
  size_t tracked_bytes;   /**< of live blocks and of what pools cache, in all contexts of this process; without UVM memory */
  size_t uvm_bytes;       /**< the same of UVM memory of the device, which may be there or on the host */
  size_t untracked_bytes; /**< used_bytes less tracked_bytes and what was freed in the order of queues that may still use it,
                            * and on a device that uses the host's memory also less what is tracked there and the UVM
                            * memory; 0 where that is not positive */
} cadastre_memory_usage_struct;

static const cadastre_memory_usage_struct cadastre_memory_usage_struct_zero = {sizeof(cadastre_memory_usage_struct), 0, 0, 0, 0, 0};
typedef struct cadastre_environment_info_struct {
  size_t struct_size;        /**< sizeof(cadastre_environment_info_struct) */
  const char* name;          /**< the name of the variable */
  const char* value;         /**< NULL when it is not set */
  const char* default_value; /**< the value used when it is not set; "" for an unknown variable */
  const char* expected;      /**< the values that are accepted; "" for an unknown variable */
  const char* description;   /**< "" for an unknown variable */
  const char* problem;       /**< "" for none; else what is wrong, and what would be right; or why the file that the
                               * variable names can no longer be written */
  const char* resolved;      /**< "", or what the value comes to on this machine and why: of CADASTRE_LIMIT the bytes of
                               * shares, once a context was created; of CADASTRE_FAIL whether a call has failed by
                               * it */
} cadastre_environment_info_struct;

static const cadastre_environment_info_struct cadastre_environment_info_struct_zero = {
    sizeof(cadastre_environment_info_struct), NULL, NULL, NULL, NULL, NULL, NULL, NULL};

typedef struct cadastre_backend_operations_struct {
  /** sizeof(cadastre_backend_operations_struct), by which a later version of the library recognizes this one. A shorter
   * table lacks the last operations, which then have their defaults; a longer one is accepted when everything that this
   * version does not know is 0. */
  size_t struct_size;
  uint32_t memory_type_mask; /**< bit t is set for each supported memory type t; not 0 */
  /** Number of devices, whose ids begin at 0; 0 for none: blocks then have the device_id -1. */
  int32_t device_count;
  /** Required. Writes to *pointer the address of size bytes (0 bytes also have an address of their own), at a multiple
   * of request->alignment, which is a power of two, and at least the alignment of max_align_t where max_alignment
   * allows it; zeroing is done with set. queue: the caller's, for cadastre_malloc_async() without a caching pool; else
   * CADASTRE_DEFAULT_QUEUE. */
  int32_t (*allocate)(void* content, const cadastre_memory_info_struct* request, cadastre_queue queue, void** pointer);
  /** Required. Waits until all work that was enqueued on any queue for the block is complete. The address may be
   * allocated again as soon as free returns. */
  int32_t (*free)(void* content, const cadastre_memory_info_struct* block);
  /** Required. Copies size bytes, not 0, between ranges that do not overlap; complete when it returns, after the work
   * enqueued on the queue. At least one place is the backend's own, the other is its own or one that the host can
   * access. */
  int32_t (*copy)(void* content, void* dest, const cadastre_memory_info_struct* dest_place, const void* src,
                  const cadastre_memory_info_struct* src_place, size_t size, cadastre_queue queue);
  /** Required. Sets size bytes, not 0; complete when it returns, after the work enqueued on the queue. */
  int32_t (*set)(void* content, void* dest, const cadastre_memory_info_struct* place, int value, size_t size, cadastre_queue queue);
  /** As copy, done when the queue reaches it. Default: copy. */
  int32_t (*copy_async)(void* content, void* dest, const cadastre_memory_info_struct* dest_place, const void* src,
                        const cadastre_memory_info_struct* src_place, size_t size, cadastre_queue queue);
  /** Waits for a queue of a device; for CADASTRE_DEFAULT_QUEUE, for all of them. Default: nothing to wait for. */
  int32_t (*synchronize)(void* content, int32_t device_id, cadastre_queue queue);
  /** Prefetches a range; writes to *applied 1 when the hint was applied. Default: ignored. */
  int32_t (*prefetch)(void* content, const void* address, size_t size, int32_t device_id, cadastre_queue queue, int32_t* applied);
  /** Advises on a range; writes to *applied 1 when the hint was applied. Default: ignored. */
  int32_t (*advise)(void* content, const void* address, size_t size, cadastre_advice advice, int32_t device_id, int32_t* applied);
  /** Writes total and free bytes of a device. Where reports or a black box are kept, it may be called at the end of any call of the
   * library, on its thread, but not at the end of one that an operation of a backend has made; and where CADASTRE_REPORT_ON names an
   * interval, by a thread of the library. A context with this backend may be destroyed only when it
   * has returned, and cadastre_context_destroy() waits for that. Default: unknown. */
  int32_t (*device_memory)(void* content, int32_t device_id, size_t* total, size_t* free);
  /** Returns the largest alignment that allocate accepts, a power of two; called for each memory type at registration.
   * Default: 1 MiB. */
  size_t (*max_alignment)(void* content, cadastre_memory_type type);
  /** Called when a context is created with this backend; *clone is the content for that context. Blocks of other
   * contexts that name the backend come from the registered content. Default: the content is shared. */
  int32_t (*clone)(void* content, void** clone);
  /** Called with a clone after its context is destroyed, and with the registered content by
   * cadastre_backend_unregister(). Default: nothing. */
  int32_t (*destroy)(void* content);
} cadastre_backend_operations_struct;

static const cadastre_backend_operations_struct cadastre_backend_operations_struct_zero = {
    sizeof(cadastre_backend_operations_struct), 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};

#define CADASTRE_TRANSPARENT_HUGE_PAGES ((size_t)1)
typedef struct cadastre_host_resource_struct {
  size_t struct_size; /**< sizeof(cadastre_host_resource_struct) */
  /** 0: the system decides, as for any memory; CADASTRE_TRANSPARENT_HUGE_PAGES; or the bytes of a page, a power of two: a
   * size of which an administrator has reserved pages (MAP_HUGETLB), such as 2097152 or 1073741824 on x86-64, or that of
   * the system's own pages, such as 4096, which then are not joined to huge ones. */
  size_t page_size;
  cadastre_host_flags flags;        /**< a sum of CADASTRE_HOST_STRICT, CADASTRE_HOST_LOCKED and CADASTRE_HOST_SHARED; 0 for none */
  cadastre_numa_policy numa_policy; /**< on which NUMA nodes it is */
  /** For CADASTRE_NUMA_BIND and CADASTRE_NUMA_INTERLEAVE: numbers of NUMA nodes as for numactl, such as "0-1,4"; NULL for all
   * that the process may use. NULL with other policies. Copied. */
  const char* nodes;
  /** For CADASTRE_NUMA_NEAR_DEVICE: the address of a PCI device, such as "0000:41:00.0", as cudaDeviceGetPCIBusId(),
   * hipDeviceGetPCIBusId(), nvidia-smi and lspci write it. NULL with other policies. Copied. */
  const char* near_device;
} cadastre_host_resource_struct;

static const cadastre_host_resource_struct cadastre_host_resource_struct_zero = {
    sizeof(cadastre_host_resource_struct), 0, 0, CADASTRE_NUMA_DEFAULT, NULL, NULL};

typedef struct cadastre_host_resource_info_struct {
  size_t struct_size;               /**< sizeof(cadastre_host_resource_info_struct) */
  cadastre_backend backend;         /**< the resource */
  cadastre_numa_policy numa_policy; /**< on which NUMA nodes it is */
  size_t page_size;                 /**< bytes of a page of the kind that was asked for */
  int64_t live_blocks;              /**< blocks that are alive, or that a pool caches */
  size_t live_bytes;                /**< of these, as they were requested */
  size_t mapped_bytes;              /**< of their mappings, which consist of whole pages */
  size_t fallback_bytes;            /**< of mapped_bytes: in mappings that got other pages than were asked for */
  int64_t fallback_count;           /**< allocations that got other pages, since the resource was registered */
  const char* description;          /**< such as "reserved pages of 2 MiB, interleaved on NUMA nodes 0-1"; lives as long as the library */
  char fallback_message[256];       /**< why the last of them did, and what to do; "" for none */
} cadastre_host_resource_info_struct;

static const cadastre_host_resource_info_struct cadastre_host_resource_info_struct_zero = {
    sizeof(cadastre_host_resource_info_struct), CADASTRE_INVALID_BACKEND, CADASTRE_NUMA_DEFAULT, 0, 0, 0, 0, 0, 0, NULL, {0}};

typedef int64_t cadastre_lease;
#define CADASTRE_NULL_LEASE ((cadastre_lease)0)
#define CADASTRE_DEFAULT_WORKSPACE_TYPE ((cadastre_memory_type)-1)
#define CADASTRE_WORKSPACE_AUTOMATIC ((size_t)-17)
#define CADASTRE_WORKSPACE_STREAM_ORDERED ((size_t)-18)
#define CADASTRE_WORKSPACE_PER_LEASE ((size_t)-19)
#define CADASTRE_RETURN_IF_SIZE_QUERY(context)                        \
  do {                                                                \
    if (cadastre_workspace_is_size_query(context)) {                  \
      return cadastre_workspace_set_optimal_size((context), 0, NULL); \
    }                                                                 \
  } while (0)

typedef struct cadastre_workspace_info_struct {
  size_t struct_size;               /**< sizeof(cadastre_workspace_info_struct) */
  cadastre_memory_type type;        /**< the memory type */
  int32_t device_id;                /**< the vendor's number; -1 for HOST memory */
  cadastre_workspace_scheme scheme; /**< where its memory comes from */
  int32_t workspace_count; /**< one for each thread or queue that needed memory of its own; with an explicit size, parts of its block */
  /** Sizes are rounded up to a multiple of it; buffers lie at a multiple of it, as far as the backend can align. */
  size_t granularity;
  size_t reserved_bytes;        /**< bytes of all workspaces, and of memory that one has grown out of and not freed yet */
  size_t used_bytes;            /**< of these, bytes that are acquired */
  size_t high_water_mark_bytes; /**< the maximum that used_bytes has been */
  int64_t live_leases;          /**< acquired and not released */
  int64_t acquisitions;         /**< that succeeded */
  int64_t failed_acquisitions;  /**< malformed calls (NULL, not a memory type) are not counted */
  int64_t growths;              /**< allocations for an acquisition */
  int64_t waits;                /**< acquisitions that made their queue wait for another one */
} cadastre_workspace_info_struct;

static const cadastre_workspace_info_struct cadastre_workspace_info_struct_zero = {
    sizeof(cadastre_workspace_info_struct), CADASTRE_HOST, 0, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

/* --- The functions that work without Cadastre. */

static inline const char* cadastre_string_of_error(cadastre_exit_code exit_code);
static inline const char* cadastre_string_of_reason(cadastre_reason reason);
static inline const char* cadastre_string_of_memory_type(cadastre_memory_type type);
static inline const char* cadastre_string_of_backend(cadastre_backend backend);
static inline const char* cadastre_string_of_pool(cadastre_pool pool);
static inline const char* cadastre_string_of_workspace_scheme(cadastre_workspace_scheme scheme);
static inline const char* cadastre_string_of_advice(cadastre_advice advice);
static inline const char* cadastre_string_of_report_format(cadastre_report_format format);
static inline const char* cadastre_get_version(void);
static inline const char* cadastre_get_build_options(void);
static inline cadastre_context cadastre_context_create(void);
static inline cadastre_context cadastre_context_create_with_options(const cadastre_context_options_struct* options);
static inline cadastre_exit_code cadastre_context_get_options(cadastre_context context, cadastre_context_options_struct* options);
static inline cadastre_context cadastre_context_check(cadastre_context context);
static inline cadastre_exit_code cadastre_context_destroy(cadastre_context context);
static inline cadastre_exit_code cadastre_context_destroy_with_summary(cadastre_context context, cadastre_destroy_summary_struct* summary);
static inline cadastre_exit_code cadastre_context_destroy_with_children(cadastre_context context, cadastre_destroy_summary_struct* summary);
static inline cadastre_exit_code cadastre_lock(cadastre_context context);
static inline cadastre_exit_code cadastre_unlock(cadastre_context context);
static inline cadastre_exit_code cadastre_last_error(cadastre_context context, cadastre_error_struct* error);
static inline void* cadastre_malloc(cadastre_context context, const cadastre_memory_info_struct info);
static inline void* cadastre_malloc_plain(cadastre_context context, size_t size, size_t alignment, cadastre_flags flags, const char* label);
static inline cadastre_exit_code cadastre_free(cadastre_context context, void* const ptr);
static inline const char* cadastre_label(const char* text);
static inline void* cadastre_realloc(cadastre_context context, void* const ptr, size_t size);
static inline void* cadastre_malloc_async(cadastre_context context, const cadastre_memory_info_struct info, cadastre_queue queue);
static inline cadastre_exit_code cadastre_free_async(cadastre_context context, void* const ptr, cadastre_queue queue);
static inline cadastre_exit_code cadastre_get_malloc_info(cadastre_context context, const void* ptr, cadastre_memory_info_struct* info);
static inline cadastre_exit_code cadastre_get_allocated_size(cadastre_context context, const void* ptr, size_t* size);
static inline cadastre_exit_code cadastre_find_block(cadastre_context context, const void* address, cadastre_memory_info_struct* info,
                                                    size_t* offset);
static inline cadastre_exit_code cadastre_memcpy(cadastre_context context, void* const dest, const void* const src, size_t size);
static inline cadastre_exit_code cadastre_memcpy_async(cadastre_context context, void* const dest, const void* const src, size_t size,
                                                      cadastre_queue queue);
static inline cadastre_exit_code cadastre_memset(cadastre_context context, void* const dest, int value, size_t size);
static inline cadastre_exit_code cadastre_memset_async(cadastre_context context, void* const dest, int value, size_t size,
                                                      cadastre_queue queue);
static inline cadastre_exit_code cadastre_context_set_default_queue(cadastre_context context, cadastre_queue queue);
static inline cadastre_exit_code cadastre_context_get_default_queue(cadastre_context context, cadastre_queue* queue);
static inline cadastre_exit_code cadastre_synchronize(cadastre_context context, cadastre_queue queue);
static inline cadastre_exit_code cadastre_prefetch(cadastre_context context, const void* const address, size_t bytes, int32_t device,
                                                  cadastre_queue queue, int32_t* applied);
static inline cadastre_exit_code cadastre_advise(cadastre_context context, const void* const address, size_t bytes, cadastre_advice advice,
                                                int32_t device, int32_t* applied);
static inline cadastre_exit_code cadastre_foreach_block(cadastre_context context, cadastre_foreach_block_function callback, void* user_data);
static inline cadastre_exit_code cadastre_free_all(cadastre_context context);
static inline cadastre_exit_code cadastre_get_statistics(cadastre_context context, cadastre_memory_type type,
                                                        cadastre_statistics_struct* statistics);
static inline cadastre_exit_code cadastre_pool_get_info(cadastre_context context, cadastre_memory_type type,
                                                       cadastre_pool_info_struct* info);
static inline cadastre_exit_code cadastre_pool_trim(cadastre_context context, cadastre_memory_type type, size_t min_bytes_to_keep);
static inline cadastre_exit_code cadastre_reset_high_water_mark(cadastre_context context, cadastre_memory_type type);
static inline cadastre_exit_code cadastre_set_limit(cadastre_context context, cadastre_memory_type type, size_t bytes);
static inline cadastre_exit_code cadastre_set_out_of_memory_function(cadastre_context context, cadastre_out_of_memory_function callback,
                                                                    void* user_data);
static inline cadastre_exit_code cadastre_context_set_timing(cadastre_context context, int on);
static inline cadastre_exit_code cadastre_context_set_plain_free(cadastre_context context, int on);
static inline cadastre_exit_code cadastre_workspace_set_size(cadastre_context context, cadastre_memory_type type, size_t bytes);
static inline cadastre_exit_code cadastre_workspace_set_buffer(cadastre_context context, cadastre_memory_type type, void* const buffer,
                                                              size_t bytes);
static inline cadastre_exit_code cadastre_workspace_acquire(cadastre_context context, cadastre_memory_type type, size_t n,
                                                           const size_t* sizes, void** pointers, cadastre_lease* lease);
static inline cadastre_exit_code cadastre_workspace_acquire_on_queue(cadastre_context context, cadastre_memory_type type,
                                                                    cadastre_queue queue, size_t n, const size_t* sizes, void** pointers,
                                                                    cadastre_lease* lease);
static inline cadastre_exit_code cadastre_workspace_release(cadastre_context context, cadastre_lease lease);
static inline int32_t cadastre_workspace_is_size_query(cadastre_context context);

/* --- What follows is not for callers: the state that the files of a library share. */

/* Names that contain the version: two that are linked statically may have state of different layouts. */
#define cadastre_optional_shared cadastre_optional_shared_200
#define cadastre_optional_process cadastre_optional_process_200
#define cadastre_optional_failure cadastre_optional_failure_200

struct cadastre_optional_block {
  struct cadastre_optional_block** link; /* what points here: the previous block, or the context */
  struct cadastre_optional_block* next;
  void* memory; /* what malloc returned */
  size_t size;
  size_t alignment;
  size_t stride;
  struct cadastre_optional_label* label; /* NULL: none */
  cadastre_context context;
  cadastre_lease lease; /* itself; of a block of cadastre_malloc the last one before it */
  cadastre_flags flags;
};

struct cadastre_optional_context {
  struct cadastre_optional_context* next;   /* an older one */
  struct cadastre_optional_context* parent; /* NULL: this is the process */
  cadastre_context handle;
  struct cadastre_optional_block* blocks;                         /* the latest first */
  struct cadastre_optional_block* leases;                         /* the latest first */
  cadastre_statistics_struct figures[CADASTRE_MEMORY_TYPE_COUNT]; /* of it and all that is or was below it */
  cadastre_pool pool;
  int32_t closed; /* it is being destroyed with its children, and gets no more of them */
  int32_t locked; /* how often the owner has locked it */
  pthread_t owner;
};

struct cadastre_optional_label { /* followed by its text */
  struct cadastre_optional_label* next;
  size_t bytes; /* for who adds up blocks */
};

struct cadastre_optional_shared {
  pthread_mutex_t mutex; /* for all that follows, and for the lists of contexts */
  pthread_cond_t unlocked;
  uint64_t contexts_created;
  cadastre_lease leases_acquired;
  struct cadastre_optional_context* contexts; /* the latest first, so that children come before their parents */
  struct cadastre_optional_label* labels;
};

struct cadastre_optional_failure {
  const char* function; /* NULL: none is remembered */
  const char* detail;
  cadastre_context context;
  cadastre_context owner;
  cadastre_exit_code exit_code;
  cadastre_reason reason;
  cadastre_memory_type type;
  cadastre_backend backend;
  int32_t argument;
  cadastre_flags flags;
  size_t requested;
  size_t in_use;
  size_t limit;
  size_t required;
  size_t size;
  size_t offset;
  const char* label;
  const void* pointer;
  const void* base;
  int vendor_code;
  char written[24]; /* for a detail that is not a literal */
};

/* One of each in a program or shared object, not visible outside. */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak, visibility("hidden"))) struct cadastre_optional_shared cadastre_optional_shared = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, NULL, NULL};
__attribute__((weak, visibility("hidden"))) struct cadastre_optional_context cadastre_optional_process;
__attribute__((weak, visibility("hidden"))) __thread struct cadastre_optional_failure cadastre_optional_failure = {
    NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0, {0}};
#ifdef __cplusplus
}
#endif

struct cadastre_optional_word {
  int32_t number;
  const char* text;
};

static inline const char* cadastre_optional_find_word(const struct cadastre_optional_word* words, size_t count, int32_t number,
                                                      const char* unknown) {
  size_t i;
  for (i = 0; i < count; ++i) {
    if (words[i].number == number) return words[i].text;
  }
  return unknown;
}

static inline const char* cadastre_string_of_error(cadastre_exit_code exit_code) {
  static const struct cadastre_optional_word words[] = {
    {CADASTRE_SUCCESS, "Success"},
    {CADASTRE_INVALID_ARG_1, "Invalid argument 1"},
    {CADASTRE_INVALID_ARG_2, "Invalid argument 2"},
    {CADASTRE_INVALID_ARG_3, "Invalid argument 3"},
    {CADASTRE_INVALID_ARG_4, "Invalid argument 4"},
    {CADASTRE_INVALID_ARG_5, "Invalid argument 5"},
    {CADASTRE_INVALID_ARG_6, "Invalid argument 6"},
    {CADASTRE_INVALID_ARG_7, "Invalid argument 7"},
    {CADASTRE_INVALID_ARG_8, "Invalid argument 8"},
    {CADASTRE_INVALID_ARG_9, "Invalid argument 9"},
    {CADASTRE_INVALID_ARG_10, "Invalid argument 10"},
    {CADASTRE_INVALID_ARG_11, "Invalid argument 11"},
    {CADASTRE_INVALID_ARG_12, "Invalid argument 12"},
    {CADASTRE_INVALID_ARG_13, "Invalid argument 13"},
    {CADASTRE_INVALID_ARG_14, "Invalid argument 14"},
    {CADASTRE_INVALID_ARG_15, "Invalid argument 15"},
    {CADASTRE_INVALID_ARG_16, "Invalid argument 16"},
    {CADASTRE_INVALID_ARG_17, "Invalid argument 17"},
    {CADASTRE_INVALID_ARG_18, "Invalid argument 18"},
    {CADASTRE_INVALID_ARG_19, "Invalid argument 19"},
    {CADASTRE_INVALID_ARG_20, "Invalid argument 20"},
    {CADASTRE_FAILURE, "Failure"},
    {CADASTRE_ERRNO, "A call of the operating system failed"},
    {CADASTRE_INVALID_CONTEXT, "Invalid context"},
    {CADASTRE_ALLOCATION_FAILED, "Allocation failed"},
    {CADASTRE_DEALLOCATION_FAILED, "De-allocation failed"},
    {CADASTRE_NOT_PROVIDED, "Not provided"},
    {CADASTRE_OUT_OF_BOUNDS, "Out of bounds"},
    {CADASTRE_ALREADY_SET, "Already set"},
    {CADASTRE_INVALID_EXIT_CODE, "Invalid exit code"},
    {CADASTRE_LIMIT_EXCEEDED, "Limit exceeded"},
    {CADASTRE_NOT_SUPPORTED, "Not supported by this build or on this machine"},
    {CADASTRE_INVALID_ENVIRONMENT, "Invalid value of an environment variable"},
    {CADASTRE_SIZE_INCREASED, "Size query: the size increased"},
    {CADASTRE_SIZE_UNCHANGED, "Size query: the size is unchanged"},
    {CADASTRE_SIZE_QUERY_MISMATCH, "Size query started, used or stopped in the wrong order"},
    {CADASTRE_PERFORMANCE_DEGRADED, "Performance degraded: a slower algorithm that needs less workspace was used"},
    {CADASTRE_CAPTURE_ACTIVE, "Not permitted while a queue is being captured"},
    {CADASTRE_LEASE_ALIVE, "Not permitted while a lease is alive"},
    {CADASTRE_LEASE_OUT_OF_ORDER, "Not returned any more: leases may be released in any order"},
  };
  return cadastre_optional_find_word(words, sizeof words / sizeof *words, exit_code, "Unknown exit code");
}

static const struct cadastre_optional_word cadastre_optional_reasons[] = {
  {CADASTRE_REASON_NONE, "NONE"},
  {CADASTRE_REASON_NULL_CONTEXT, "NULL_CONTEXT"},
  {CADASTRE_REASON_DESTROYED_CONTEXT, "DESTROYED_CONTEXT"},
  {CADASTRE_REASON_UNKNOWN_CONTEXT, "UNKNOWN_CONTEXT"},
  {CADASTRE_REASON_NULL_ARGUMENT, "NULL_ARGUMENT"},
  {CADASTRE_REASON_NULL_POINTER, "NULL_POINTER"},
  {CADASTRE_REASON_UNKNOWN_POINTER, "UNKNOWN_POINTER"},
  {CADASTRE_REASON_INSIDE_BLOCK, "INSIDE_BLOCK"},
  {CADASTRE_REASON_ALREADY_FREED, "ALREADY_FREED"},
  {CADASTRE_REASON_MOVED_BY_REALLOC, "MOVED_BY_REALLOC"},
  {CADASTRE_REASON_OTHER_CONTEXT, "OTHER_CONTEXT"},
  {CADASTRE_REASON_BORROWED, "BORROWED"},
  {CADASTRE_REASON_NOT_BORROWED, "NOT_BORROWED"},
  {CADASTRE_REASON_OVERLAPS_BLOCK, "OVERLAPS_BLOCK"},
  {CADASTRE_REASON_SIZE_OVERFLOW, "SIZE_OVERFLOW"},
  {CADASTRE_REASON_LIMIT_EXCEEDED, "LIMIT_EXCEEDED"},
  {CADASTRE_REASON_INVALID_ALIGNMENT, "INVALID_ALIGNMENT"},
  {CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED, "ALIGNMENT_NOT_SUPPORTED"},
  {CADASTRE_REASON_INVALID_MEMORY_TYPE, "INVALID_MEMORY_TYPE"},
  {CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED, "MEMORY_TYPE_NOT_SUPPORTED"},
  {CADASTRE_REASON_INVALID_FLAGS, "INVALID_FLAGS"},
  {CADASTRE_REASON_LABEL_TOO_LONG, "LABEL_TOO_LONG"},
  {CADASTRE_REASON_BACKEND_OUT_OF_MEMORY, "BACKEND_OUT_OF_MEMORY"},
  {CADASTRE_REASON_OUT_OF_HOST_MEMORY, "OUT_OF_HOST_MEMORY"},
  {CADASTRE_REASON_BACKEND_FREE_FAILED, "BACKEND_FREE_FAILED"},
  {CADASTRE_REASON_NOT_LOCKED, "NOT_LOCKED"},
  {CADASTRE_REASON_LOCK_COUNT_OVERFLOW, "LOCK_COUNT_OVERFLOW"},
  {CADASTRE_REASON_INVALID_ENVIRONMENT, "INVALID_ENVIRONMENT"},
  {CADASTRE_REASON_BACKEND_UNAVAILABLE, "BACKEND_UNAVAILABLE"},
  {CADASTRE_REASON_WRITE_FAILED, "WRITE_FAILED"},
  {CADASTRE_REASON_INVALID_FORMAT, "INVALID_FORMAT"},
  {CADASTRE_REASON_TOO_MANY_CONTEXTS, "TOO_MANY_CONTEXTS"},
  {CADASTRE_REASON_MISALIGNED, "MISALIGNED"},
  {CADASTRE_REASON_INDEX_OUT_OF_RANGE, "INDEX_OUT_OF_RANGE"},
  {CADASTRE_REASON_INVALID_DEVICE, "INVALID_DEVICE"},
  {CADASTRE_REASON_INVALID_BACKEND, "INVALID_BACKEND"},
  {CADASTRE_REASON_OUT_OF_BOUNDS, "OUT_OF_BOUNDS"},
  {CADASTRE_REASON_RANGES_OVERLAP, "RANGES_OVERLAP"},
  {CADASTRE_REASON_NULL_ADDRESS, "NULL_ADDRESS"},
  {CADASTRE_REASON_NOT_REGISTERED, "NOT_REGISTERED"},
  {CADASTRE_REASON_STRIDE_TOO_SMALL, "STRIDE_TOO_SMALL"},
  {CADASTRE_REASON_INVALID_STRIDE, "INVALID_STRIDE"},
  {CADASTRE_REASON_BACKEND_CALL_FAILED, "BACKEND_CALL_FAILED"},
  {CADASTRE_REASON_NO_COPY_PATH, "NO_COPY_PATH"},
  {CADASTRE_REASON_INVALID_ADVICE, "INVALID_ADVICE"},
  {CADASTRE_REASON_INVALID_POOL, "INVALID_POOL"},
  {CADASTRE_REASON_INVALID_STRUCT_SIZE, "INVALID_STRUCT_SIZE"},
  {CADASTRE_REASON_MISSING_OPERATION, "MISSING_OPERATION"},
  {CADASTRE_REASON_INVALID_REGISTRATION, "INVALID_REGISTRATION"},
  {CADASTRE_REASON_BACKEND_IN_USE, "BACKEND_IN_USE"},
  {CADASTRE_REASON_RUNS_INTO_BLOCK, "RUNS_INTO_BLOCK"},
  {CADASTRE_REASON_RESERVED_NOT_ZERO, "RESERVED_NOT_ZERO"},
  {CADASTRE_REASON_INTERNAL_ERROR, "INTERNAL_ERROR"},
  {CADASTRE_REASON_COUNT_OVERFLOW, "COUNT_OVERFLOW"},
  {CADASTRE_REASON_WORKSPACE_MEMORY, "WORKSPACE_MEMORY"},
  {CADASTRE_REASON_WORKSPACE_TOO_SMALL, "WORKSPACE_TOO_SMALL"},
  {CADASTRE_REASON_WORKSPACE_BUSY, "WORKSPACE_BUSY"},
  {CADASTRE_REASON_UNKNOWN_LEASE, "UNKNOWN_LEASE"},
  {CADASTRE_REASON_LEASE_RELEASED, "LEASE_RELEASED"},
  {CADASTRE_REASON_LEASE_OUT_OF_ORDER, "LEASE_OUT_OF_ORDER"},
  {CADASTRE_REASON_LEASE_ALIVE, "LEASE_ALIVE"},
  {CADASTRE_REASON_SIZE_QUERY_INACTIVE, "SIZE_QUERY_INACTIVE"},
  {CADASTRE_REASON_SIZE_QUERY_ACTIVE, "SIZE_QUERY_ACTIVE"},
  {CADASTRE_REASON_CAPTURE_ACTIVE, "CAPTURE_ACTIVE"},
  {CADASTRE_REASON_UNSUITABLE_BUFFER, "UNSUITABLE_BUFFER"},
  {CADASTRE_REASON_MISALIGNED_ALLOCATION, "MISALIGNED_ALLOCATION"},
  {CADASTRE_REASON_WRONG_QUEUE_DEVICE, "WRONG_QUEUE_DEVICE"},
  {CADASTRE_REASON_CALLED_FROM_OPERATION, "CALLED_FROM_OPERATION"},
  {CADASTRE_REASON_HAS_CHILDREN, "HAS_CHILDREN"},
  {CADASTRE_REASON_PROCESS_CONTEXT, "PROCESS_CONTEXT"},
  {CADASTRE_REASON_BUILT_WITHOUT_CADASTRE, "BUILT_WITHOUT_CADASTRE"},
  {CADASTRE_REASON_INVALID_PARENT, "INVALID_PARENT"},
  {CADASTRE_REASON_DEVICE_MISMATCH, "DEVICE_MISMATCH"},
  {CADASTRE_REASON_INJECTED, "INJECTED"},
  {CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER, "CALLED_FROM_SIGNAL_HANDLER"},
  {CADASTRE_REASON_DAMAGED_RECORDS, "DAMAGED_RECORDS"},
  {CADASTRE_REASON_HEAP_IN_USE, "HEAP_IN_USE"},
  {CADASTRE_REASON_NOT_EXPORTABLE, "NOT_EXPORTABLE"},
  {CADASTRE_REASON_EXPORT_NOT_SUPPORTED, "EXPORT_NOT_SUPPORTED"},
  {CADASTRE_REASON_INVALID_IPC_HANDLE, "INVALID_IPC_HANDLE"},
  {CADASTRE_REASON_EXPORT_ENDED, "EXPORT_ENDED"},
  {CADASTRE_REASON_IMPORTED, "IMPORTED"},
  {CADASTRE_REASON_NOT_IMPORTED, "NOT_IMPORTED"},
  {CADASTRE_REASON_HOST_MEMORY_UNAVAILABLE, "HOST_MEMORY_UNAVAILABLE"},
  {CADASTRE_REASON_NOT_SHARED, "NOT_SHARED"},
};

static inline const char* cadastre_string_of_reason(cadastre_reason reason) {
  return cadastre_optional_find_word(cadastre_optional_reasons, sizeof cadastre_optional_reasons / sizeof *cadastre_optional_reasons,
                                     reason, "Unknown reason");
}

static inline const char* cadastre_string_of_memory_type(cadastre_memory_type type) {
  static const struct cadastre_optional_word words[] = {
    {CADASTRE_HOST, "HOST"},
    {CADASTRE_PINNED, "PINNED"},
    {CADASTRE_DEVICE, "DEVICE"},
    {CADASTRE_UVM, "UVM"},
      {CADASTRE_ALL_MEMORY_TYPES, "ALL"},
  };
  return cadastre_optional_find_word(words, sizeof words / sizeof *words, type, "Unknown memory type");
}

static inline const char* cadastre_string_of_backend(cadastre_backend backend) {
  static const struct cadastre_optional_word words[] = {
    {CADASTRE_BACKEND_HOST, "host"},
    {CADASTRE_BACKEND_CUDA, "cuda"},
    {CADASTRE_BACKEND_OPENMP, "openmp"},
    {CADASTRE_BACKEND_HIP, "hip"},
  };
  return cadastre_optional_find_word(words, sizeof words / sizeof *words, backend, "Unknown backend");
}

static inline const char* cadastre_string_of_pool(cadastre_pool pool) {
  static const struct cadastre_optional_word words[] = {
    {CADASTRE_DEFAULT_POOL, "default"},
    {CADASTRE_POOL_NONE, "none"},
    {CADASTRE_POOL_VENDOR, "vendor"},
    {CADASTRE_POOL_CACHING, "caching"},
  };
  return cadastre_optional_find_word(words, sizeof words / sizeof *words, pool, "Unknown pool");
}

static inline const char* cadastre_string_of_workspace_scheme(cadastre_workspace_scheme scheme) {
  static const struct cadastre_optional_word words[] = {
    {CADASTRE_WORKSPACE_SCHEME_AUTOMATIC, "automatic"},
    {CADASTRE_WORKSPACE_SCHEME_PREALLOCATED, "preallocated"},
    {CADASTRE_WORKSPACE_SCHEME_USER_OWNED, "user-owned"},
    {CADASTRE_WORKSPACE_SCHEME_PER_LEASE, "per-lease"},
    {CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED, "stream-ordered"},
  };
  return cadastre_optional_find_word(words, sizeof words / sizeof *words, scheme, "Unknown scheme");
}

static inline const char* cadastre_string_of_advice(cadastre_advice advice) {
  static const struct cadastre_optional_word words[] = {
    {CADASTRE_ADVICE_READ_MOSTLY, "read-mostly"},
    {CADASTRE_ADVICE_UNSET_READ_MOSTLY, "unset-read-mostly"},
    {CADASTRE_ADVICE_PREFERRED_LOCATION, "preferred-location"},
    {CADASTRE_ADVICE_UNSET_PREFERRED_LOCATION, "unset-preferred-location"},
    {CADASTRE_ADVICE_ACCESSED_BY, "accessed-by"},
    {CADASTRE_ADVICE_UNSET_ACCESSED_BY, "unset-accessed-by"},
  };
  return cadastre_optional_find_word(words, sizeof words / sizeof *words, advice, "Unknown advice");
}

static inline const char* cadastre_string_of_report_format(cadastre_report_format format) {
  static const struct cadastre_optional_word words[] = {
    {CADASTRE_REPORT_TEXT, "text"},
    {CADASTRE_REPORT_JSON, "json"},
  };
  return cadastre_optional_find_word(words, sizeof words / sizeof *words, format, "Unknown report format");
}

static inline const char* cadastre_get_version(void) { return "0.0.0"; }

static inline const char* cadastre_get_build_options(void) { return "library: none\n"; }

/* Stores a failure; what the message needs besides is set by the caller. Returns the exit code. */
static inline cadastre_exit_code cadastre_optional_fail(cadastre_context context, const char* function, cadastre_exit_code exit_code,
                                                        cadastre_reason reason, size_t requested, size_t limit, const void* pointer) {
  struct cadastre_optional_failure* const failure = &cadastre_optional_failure;
  memset(failure, 0, sizeof *failure);
  failure->context = context;
  failure->function = function;
  failure->exit_code = exit_code;
  failure->reason = reason;
  failure->type = -1;
  failure->backend = -1;
  failure->argument = exit_code >= CADASTRE_INVALID_ARG_1 && exit_code <= CADASTRE_INVALID_ARG_20 ? exit_code : 0;
  failure->requested = requested;
  failure->limit = limit;
  failure->pointer = pointer;
  failure->detail = "";
  return exit_code;
}

static inline cadastre_exit_code cadastre_optional_refuse_part(cadastre_context context, const char* function, const char* what) {
  cadastre_optional_fail(context, function, CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_BUILT_WITHOUT_CADASTRE, 0, 0, NULL);
  cadastre_optional_failure.detail = what;
  return CADASTRE_NOT_SUPPORTED;
}

/* Whether a struct of the caller is there, and is one of this file. */
static inline cadastre_exit_code cadastre_optional_check_struct(cadastre_context context, const char* function, const void* given,
                                                                size_t size, cadastre_exit_code argument) {
  size_t struct_size = 0;
  if (!given) return cadastre_optional_fail(context, function, argument, CADASTRE_REASON_NULL_ARGUMENT, 0, 0, NULL);
  memcpy(&struct_size, given, sizeof struct_size);
  if (struct_size == size) return CADASTRE_SUCCESS;
  cadastre_optional_fail(context, function, argument, CADASTRE_REASON_INVALID_STRUCT_SIZE, struct_size, size, NULL);
  cadastre_optional_failure.required = size;
  return argument;
}

/* Writes a label, whose control characters must not reach a terminal. */
static inline void cadastre_optional_write_label(const char* label, char* text, size_t room) {
  size_t used = (size_t)snprintf(text, room, ", labelled \"");
  for (; *label != '\0' && used + 6 < room; ++label) {
    const unsigned char character = (unsigned char)*label;
    used += (size_t)snprintf(text + used, room - used, character < 32 || character == 127 ? "\\x%02x" : "%c", character);
  }
  snprintf(text + used, room - used, "\"");
}

/* The value of a name in the template of a message; number: 320 characters for those that have to be written. */
static inline const char* cadastre_optional_value(const struct cadastre_optional_failure* failure, const char* name, size_t length,
                                                  char* number) {
  static const char* const names[] = {"context", "other", "argument", "pointer", "base",   "size",   "asked", "required", "sizes", "limit",
                                      "number",  "flags", "type",     "backend", "vendor", "detail", "have",  "offset",   "label"};
  const size_t room = 320;
  size_t i = 0;
  number[0] = '\0';
  while (i < sizeof names / sizeof *names && (strlen(names[i]) != length || memcmp(names[i], name, length) != 0)) ++i;
  switch (i) {
    case 0: snprintf(number, room, "%lld", (long long)failure->context); break;
    case 1: snprintf(number, room, "%lld", (long long)failure->owner); break;
    case 2: snprintf(number, room, "%d", (int)failure->argument); break;
    case 3: snprintf(number, room, "%p", failure->pointer); break;
    case 4: snprintf(number, room, "%p", failure->base); break;
    case 5: snprintf(number, room, "%zu", failure->size); break;
    case 6: snprintf(number, room, "%zu", failure->requested); break;
    case 7:
    case 8: snprintf(number, room, "%zu", failure->required); break;
    case 9: snprintf(number, room, "%zu", failure->limit); break;
    case 10: snprintf(number, room, "%lld", (long long)failure->requested); break;
    case 11: snprintf(number, room, "0x%x", (unsigned)failure->flags); break;
    case 12: return cadastre_string_of_memory_type(failure->type);
    case 13: return cadastre_string_of_backend(failure->backend);
    case 14: return failure->vendor_code ? "Cannot allocate memory (12)" : "";
    case 15: return failure->detail;
    case 16: snprintf(number, room, "%zu", failure->in_use); break;
    case 17: snprintf(number, room, "%zu", failure->offset); break;
    case 18:
      if (failure->label && failure->label[0] != '\0') cadastre_optional_write_label(failure->label, number, room);
      break;
    default: break;
  }
  return number;
}

static inline void cadastre_optional_append(char* text, size_t room, const char* more, size_t length) {
  const size_t used = strlen(text);
  if (length > room - 1 - used) length = room - 1 - used;
  memcpy(text + used, more, length);
  text[used + length] = '\0';
}

static const struct cadastre_optional_word cadastre_optional_messages[] = {
  {CADASTRE_REASON_NULL_CONTEXT,
   "the context is CADASTRE_NULL_CONTEXT; pass a handle from cadastre_context_create{detail}"},
  {CADASTRE_REASON_DESTROYED_CONTEXT,
   "the context {context} has been destroyed, and its handle never becomes valid again; pass the handle of another context"},
  {CADASTRE_REASON_UNKNOWN_CONTEXT,
   "{context} is not a handle that this library returned; pass one from cadastre_context_create"},
  {CADASTRE_REASON_NULL_ARGUMENT,
   "argument {argument} is NULL; pass a valid address"},
  {CADASTRE_REASON_UNKNOWN_POINTER,
   "{pointer} is neither the address of a block of this context nor inside a block; pass memory that this context allocated, or that cadastre_wrap recorded in it"},
  {CADASTRE_REASON_INSIDE_BLOCK,
   "{pointer} lies {offset} bytes inside the block at {base} ({size} bytes of {type}{label}); pass the address of its first byte"},
  {CADASTRE_REASON_OTHER_CONTEXT,
   "{pointer} belongs to context {other}, not to context {context}; use that context, or record the memory in this one with cadastre_wrap"},
  {CADASTRE_REASON_SIZE_OVERFLOW,
   "{asked} bytes exceed the largest possible allocation, which is {limit} bytes; request less{detail}"},
  {CADASTRE_REASON_INVALID_ALIGNMENT,
   "the alignment {asked} is not a power of two; pass a power of two, or 0 for the default"},
  {CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED,
   "the alignment {asked} exceeds the maximum that the {backend} backend supports for {type} memory, which is {limit}; pass at most that"},
  {CADASTRE_REASON_INVALID_MEMORY_TYPE,
   "{number} is not a memory type; pass one of HOST (0), PINNED (1), DEVICE (2), UVM (3)"},
  {CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED,
   "the {backend} backend does not support {type} memory; {detail}"},
  {CADASTRE_REASON_INVALID_FLAGS,
   "the flags {flags} contain a bit that this call does not accept; pass 0, CADASTRE_UNINITIALIZED, or CADASTRE_EXPORTABLE (alone or with CADASTRE_SHARED_SEGMENT)"},
  {CADASTRE_REASON_LABEL_TOO_LONG,
   "the label is longer than {limit} characters; pass a shorter one"},
  {CADASTRE_REASON_BACKEND_OUT_OF_MEMORY,
   "the {backend} backend could not allocate {asked} bytes of {type}: {vendor}{detail}; free memory, or request less"},
  {CADASTRE_REASON_OUT_OF_HOST_MEMORY,
   "no host memory is left for the library's own records; free host memory"},
  {CADASTRE_REASON_NOT_LOCKED,
   "the calling thread does not hold the lock of context {context}; call cadastre_lock first"},
  {CADASTRE_REASON_LOCK_COUNT_OVERFLOW,
   "the calling thread already holds the lock of context {context} {limit} times, which is the maximum; call cadastre_unlock first"},
  {CADASTRE_REASON_INVALID_BACKEND,
   "{number} is not the number of a backend; pass one of CADASTRE_BACKEND_HOST (1), CADASTRE_BACKEND_CUDA (2), CADASTRE_BACKEND_OPENMP (3), CADASTRE_BACKEND_HIP (4), or a number that cadastre_backend_register returned and that is still registered"},
  {CADASTRE_REASON_OUT_OF_BOUNDS,
   "{asked} bytes from {pointer} extend past the end of the block at {base} ({size} bytes of {type}{label}), of which {limit} bytes are left from offset {offset}; pass at most these"},
  {CADASTRE_REASON_RANGES_OVERLAP,
   "the {asked} bytes to write at {pointer} overlap those to read at {base}; copy through a third block"},
  {CADASTRE_REASON_NULL_ADDRESS,
   "argument {argument} is NULL, or NULL plus an offset ({pointer}), and there are no {asked} bytes there; check what the allocation returned"},
  {CADASTRE_REASON_INVALID_ADVICE,
   "{number} is not an advice; pass one of CADASTRE_ADVICE_READ_MOSTLY (1), CADASTRE_ADVICE_UNSET_READ_MOSTLY (2), CADASTRE_ADVICE_PREFERRED_LOCATION (3), CADASTRE_ADVICE_UNSET_PREFERRED_LOCATION (4), CADASTRE_ADVICE_ACCESSED_BY (5), CADASTRE_ADVICE_UNSET_ACCESSED_BY (6)"},
  {CADASTRE_REASON_INVALID_POOL,
   "{number} is not a kind of pool; pass one of CADASTRE_DEFAULT_POOL (0), CADASTRE_POOL_NONE (1), CADASTRE_POOL_VENDOR (2), CADASTRE_POOL_CACHING (3)"},
  {CADASTRE_REASON_INVALID_STRUCT_SIZE,
   "the field struct_size is {asked}, and this library supports structures of {sizes} bytes; start from the constant that ends in _zero"},
  {CADASTRE_REASON_RESERVED_NOT_ZERO,
   "the field {detail} is {number}, and must be 0; start from the constant that ends in _zero"},
  {CADASTRE_REASON_WORKSPACE_MEMORY,
   "{pointer} is memory of a workspace ({size} bytes of {type} at {base}); release a lease with cadastre_workspace_release, free a workspace with cadastre_workspace_set_size, and end the use of a caller's buffer with cadastre_workspace_set_buffer and NULL"},
  {CADASTRE_REASON_UNKNOWN_LEASE,
   "{number} is not a lease of this context; pass what cadastre_workspace_acquire wrote, and release it once (0 stands for no lease, or for one that has ended)"},
  {CADASTRE_REASON_LEASE_RELEASED,
   "the lease {number} was released before; release each lease once"},
  {CADASTRE_REASON_LEASE_ALIVE,
   "leases of {type} workspace are alive ({have}); release them first"},
  {CADASTRE_REASON_HAS_CHILDREN,
   "context {context} is the parent of {have} other contexts; destroy those first, or all together with cadastre_context_destroy_with_children"},
  {CADASTRE_REASON_PROCESS_CONTEXT,
   "{context} is CADASTRE_PROCESS, which is not a context; pass a context; CADASTRE_PROCESS is for statistics, limits, cadastre_pool_trim, reports, and the parent of a context"},
  {CADASTRE_REASON_BUILT_WITHOUT_CADASTRE,
   "{detail} needs Cadastre, and the caller was built without it; build the caller with Cadastre: --with-cadastre, -DWITH_CADASTRE=ON, or the macro CADASTRE_OPTIONAL_WITH_CADASTRE"},
  {CADASTRE_REASON_INVALID_PARENT,
   "options.parent is {number}, which is not a live context; pass the handle of one, or CADASTRE_PROCESS"},
};

static inline void cadastre_optional_write_message(const struct cadastre_optional_failure* failure, char* message, size_t room) {
  const char* rest = cadastre_optional_find_word(
      cadastre_optional_messages, sizeof cadastre_optional_messages / sizeof *cadastre_optional_messages, failure->reason, "");
  char number[320];
  cadastre_optional_append(message, room, failure->function, strlen(failure->function));
  cadastre_optional_append(message, room, ": ", 2);
  for (;;) {
    const char* const open = strchr(rest, '{');
    const char* const close = open ? strchr(open, '}') : NULL;
    const char* value;
    if (!close) break;
    value = cadastre_optional_value(failure, open + 1, (size_t)(close - open) - 1, number);
    cadastre_optional_append(message, room, rest, (size_t)(open - rest));
    cadastre_optional_append(message, room, value, strlen(value));
    rest = close + 1;
  }
  cadastre_optional_append(message, room, rest, strlen(rest));
}

/* Without Cadastre: as with it; but a thread remembers its last failure only, on whatever context. */
static inline cadastre_exit_code cadastre_last_error(cadastre_context context, cadastre_error_struct* error) {
  const struct cadastre_optional_failure* const failure = &cadastre_optional_failure;
  if (!error || error->struct_size != sizeof *error) return CADASTRE_INVALID_ARG_2; /* what is remembered stays */
  *error = cadastre_error_struct_zero;
  if (!failure->function || failure->context != context) return CADASTRE_SUCCESS;
  error->exit_code = failure->exit_code;
  error->reason = failure->reason;
  error->type = failure->type;
  error->backend = failure->backend;
  error->argument = failure->argument;
  error->requested = failure->requested;
  error->in_use = failure->in_use;
  error->limit = failure->limit;
  error->required = failure->required;
  error->pointer = failure->pointer;
  error->base = failure->base;
  error->size = failure->size;
  error->offset = failure->offset;
  error->owner = failure->owner;
  error->vendor_code = failure->vendor_code;
  if (failure->vendor_code) strcpy(error->vendor_message, "Cannot allocate memory");
  cadastre_optional_append(error->function, sizeof error->function, failure->function, strlen(failure->function));
  cadastre_optional_write_message(failure, error->message, sizeof error->message);
  return CADASTRE_SUCCESS;
}

/* The context with a handle, or NULL; with the mutex. */
static inline struct cadastre_optional_context* cadastre_optional_find(cadastre_context context) {
  struct cadastre_optional_context* found = cadastre_optional_shared.contexts;
  while (found && found->handle != context) found = found->next;
  return found;
}

/* Whether no other thread has locked a context; with the mutex. */
static inline int cadastre_optional_may_enter(const struct cadastre_optional_context* context) {
  return context->locked == 0 || pthread_equal(context->owner, pthread_self());
}

/* Finds a context and keeps the mutex; NULL, and a failure, if there is none. */
static inline struct cadastre_optional_context* cadastre_optional_enter(cadastre_context context, const char* function) {
  struct cadastre_optional_shared* const shared = &cadastre_optional_shared;
  struct cadastre_optional_context* found;
  cadastre_reason reason = CADASTRE_REASON_UNKNOWN_CONTEXT;
  uint64_t number;
  pthread_mutex_lock(&shared->mutex);
  for (;;) {
    found = cadastre_optional_find(context);
    if (!found) break;
    if (cadastre_optional_may_enter(found)) return found;
    pthread_cond_wait(&shared->unlocked, &shared->mutex);
  }
  number = ((uint64_t)context - ((uint64_t)(uintptr_t)shared << 12)) & (uint64_t)INT64_MAX;
  if (context == CADASTRE_NULL_CONTEXT) {
    reason = CADASTRE_REASON_NULL_CONTEXT;
  } else if (context == CADASTRE_PROCESS) {
    reason = CADASTRE_REASON_PROCESS_CONTEXT;
  } else if (context < 0 && number >= 1 && number <= shared->contexts_created) {
    reason = CADASTRE_REASON_DESTROYED_CONTEXT;
  }
  pthread_mutex_unlock(&shared->mutex);
  cadastre_optional_fail(context, function, CADASTRE_INVALID_CONTEXT, reason, 0, 0, NULL);
  return NULL;
}

static inline void cadastre_optional_leave(void) { pthread_mutex_unlock(&cadastre_optional_shared.mutex); }

/* The same, and CADASTRE_PROCESS is the process. */
static inline struct cadastre_optional_context* cadastre_optional_enter_any(cadastre_context context, const char* function) {
  if (context != CADASTRE_PROCESS) return cadastre_optional_enter(context, function);
  pthread_mutex_lock(&cadastre_optional_shared.mutex);
  return &cadastre_optional_process;
}

/* Checks the context of a call that does not look into it. */
static inline cadastre_exit_code cadastre_optional_visit(cadastre_context context, const char* function) {
  if (!cadastre_optional_enter_any(context, function)) return CADASTRE_INVALID_CONTEXT;
  cadastre_optional_leave();
  return CADASTRE_SUCCESS;
}

/* Enters the parent of a new context; NULL, and a failure, if it is none or is being destroyed with its children. */
static inline struct cadastre_optional_context* cadastre_optional_enter_parent(cadastre_context parent, const char* function) {
  struct cadastre_optional_context* const found =
      cadastre_optional_enter_any(parent == CADASTRE_NULL_CONTEXT ? CADASTRE_PROCESS : parent, function);
  const struct cadastre_optional_context* each = found;
  while (each && !each->closed) each = each->parent;
  if (found && !each) return found;
  if (found) cadastre_optional_leave();
  cadastre_optional_fail(CADASTRE_NULL_CONTEXT, function, CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_INVALID_PARENT, (size_t)parent, 0,
                         NULL);
  return NULL;
}

static inline cadastre_context cadastre_optional_create(cadastre_context parent, cadastre_pool pool, const char* function) {
  struct cadastre_optional_shared* const shared = &cadastre_optional_shared;
  struct cadastre_optional_context* const created = (struct cadastre_optional_context*)calloc(1, sizeof(struct cadastre_optional_context));
  cadastre_context handle;
  uint64_t number;
  if (!created) {
    cadastre_optional_fail(CADASTRE_NULL_CONTEXT, function, CADASTRE_ALLOCATION_FAILED, CADASTRE_REASON_OUT_OF_HOST_MEMORY, 0, 0, NULL);
    return CADASTRE_NULL_CONTEXT;
  }
  created->parent = cadastre_optional_enter_parent(parent, function);
  if (!created->parent) {
    free(created);
    return CADASTRE_NULL_CONTEXT;
  }
  number = ((uint64_t)(uintptr_t)shared << 12) + ++shared->contexts_created;
  handle = INT64_MIN + (cadastre_context)(number & (uint64_t)INT64_MAX);
  created->handle = handle;
  created->pool = pool == CADASTRE_DEFAULT_POOL ? created->parent->pool : pool;
  created->next = shared->contexts;
  shared->contexts = created;
  cadastre_optional_leave();
  return handle;
}

/* Without Cadastre: reads no environment variables. */
static inline cadastre_context cadastre_context_create(void) {
  return cadastre_optional_create(CADASTRE_PROCESS, CADASTRE_DEFAULT_POOL, "cadastre_context_create");
}

/* Whether a request names the host backend; a later one is looked for by Cadastre only. */
static inline cadastre_exit_code cadastre_optional_check_backend(cadastre_context context, const char* function, cadastre_backend backend,
                                                                 cadastre_exit_code argument) {
  if (backend == CADASTRE_DEFAULT_BACKEND || backend == CADASTRE_BACKEND_HOST) return CADASTRE_SUCCESS;
  if (backend > CADASTRE_BACKEND_HOST) {
    cadastre_optional_refuse_part(context, function, "a backend other than the host");
    cadastre_optional_failure.backend = backend;
    cadastre_optional_failure.argument = argument;
    return CADASTRE_NOT_SUPPORTED;
  }
  return cadastre_optional_fail(context, function, argument, CADASTRE_REASON_INVALID_BACKEND, (size_t)backend, 0, NULL);
}

static inline cadastre_exit_code cadastre_optional_check_options(const cadastre_context_options_struct* options, const char* function) {
  int32_t type;
  cadastre_exit_code code =
      cadastre_optional_check_struct(CADASTRE_NULL_CONTEXT, function, options, sizeof *options, CADASTRE_INVALID_ARG_1);
  if (code != CADASTRE_SUCCESS) return code;
  code = cadastre_optional_check_backend(CADASTRE_NULL_CONTEXT, function, options->backend, CADASTRE_INVALID_ARG_1);
  if (code != CADASTRE_SUCCESS) return code;
  if (options->device != CADASTRE_DEFAULT_DEVICE) {
    return cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, function, "a device");
  }
  if (options->pool < CADASTRE_DEFAULT_POOL || options->pool > CADASTRE_POOL_CACHING) {
    return cadastre_optional_fail(CADASTRE_NULL_CONTEXT, function, CADASTRE_INVALID_ARG_1, CADASTRE_REASON_INVALID_POOL,
                                  (size_t)options->pool, 0, NULL);
  }
  if (options->pool == CADASTRE_POOL_CACHING) {
    return cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, function, "a caching pool");
  }
  for (type = 0; type < CADASTRE_MAX_MEMORY_TYPES; ++type) {
    const size_t limit = options->limits[type];
    const int is_one = type < CADASTRE_MEMORY_TYPE_COUNT || type == CADASTRE_ALL_MEMORY_TYPES;
    if (limit != 0 && !(is_one && limit == CADASTRE_UNLIMITED)) {
      return cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, function, "a limit");
    }
  }
  if (options->reserved != 0) {
    cadastre_optional_fail(CADASTRE_NULL_CONTEXT, function, CADASTRE_INVALID_ARG_1, CADASTRE_REASON_RESERVED_NOT_ZERO,
                           (size_t)options->reserved, 0, NULL);
    cadastre_optional_failure.detail = "reserved";
    return CADASTRE_INVALID_ARG_1;
  }

  return CADASTRE_SUCCESS;
}

/* Without Cadastre: NOT_SUPPORTED for a device, a caching pool, a limit, or a backend other than the host. */
static inline cadastre_context cadastre_context_create_with_options(const cadastre_context_options_struct* options) {
  static const char function[] = "cadastre_context_create_with_options";
  if (cadastre_optional_check_options(options, function) != CADASTRE_SUCCESS) return CADASTRE_NULL_CONTEXT;
  return cadastre_optional_create(options->parent, options->pool, function);
}

/* Without Cadastre: the same. */
static inline cadastre_exit_code cadastre_context_get_options(cadastre_context context, cadastre_context_options_struct* options) {
  static const char function[] = "cadastre_context_get_options";
  const struct cadastre_optional_context* const found = cadastre_optional_enter(context, function);
  const cadastre_exit_code code = found
                                      ? cadastre_optional_check_struct(context, function, options, sizeof *options, CADASTRE_INVALID_ARG_2)
                                      : CADASTRE_INVALID_CONTEXT;
  int32_t type;
  if (code == CADASTRE_SUCCESS) {
    *options = cadastre_context_options_struct_zero;
    options->backend = CADASTRE_BACKEND_HOST;
    options->pool = found->pool;
    for (type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) options->limits[type] = CADASTRE_UNLIMITED;
    options->limits[CADASTRE_ALL_MEMORY_TYPES] = CADASTRE_UNLIMITED;
    options->parent = found->parent->parent ? found->parent->handle : CADASTRE_PROCESS;
  }
  if (found) cadastre_optional_leave();
  return code;
}

/* Without Cadastre: the same. */
static inline cadastre_context cadastre_context_check(cadastre_context context) {
  const struct cadastre_optional_context* found;
  pthread_mutex_lock(&cadastre_optional_shared.mutex);
  found = cadastre_optional_find(context);
  pthread_mutex_unlock(&cadastre_optional_shared.mutex);
  return found ? context : CADASTRE_NULL_CONTEXT;
}

/* Without Cadastre: the same. */
static inline cadastre_exit_code cadastre_lock(cadastre_context context) {
  struct cadastre_optional_context* const found = cadastre_optional_enter(context, "cadastre_lock");
  if (!found) return CADASTRE_INVALID_CONTEXT;
  if (found->locked == INT32_MAX) {
    cadastre_optional_leave();
    return cadastre_optional_fail(context, "cadastre_lock", CADASTRE_FAILURE, CADASTRE_REASON_LOCK_COUNT_OVERFLOW, 0, INT32_MAX, NULL);
  }
  found->owner = pthread_self();
  ++found->locked;
  cadastre_optional_leave();
  return CADASTRE_SUCCESS;
}

/* Without Cadastre: the same. */
static inline cadastre_exit_code cadastre_unlock(cadastre_context context) {
  struct cadastre_optional_context* const found = cadastre_optional_enter(context, "cadastre_unlock");
  if (!found) return CADASTRE_INVALID_CONTEXT;
  if (found->locked == 0) {
    cadastre_optional_leave();
    return cadastre_optional_fail(context, "cadastre_unlock", CADASTRE_FAILURE, CADASTRE_REASON_NOT_LOCKED, 0, 0, NULL);
  }
  if (--found->locked == 0) pthread_cond_broadcast(&cadastre_optional_shared.unlocked);
  cadastre_optional_leave();
  return CADASTRE_SUCCESS;
}

/* Counts blocks of HOST memory that were allocated, freed and resized, and the bytes that are more and less by that, in
 * a context and all above it; with the mutex. */
static inline void cadastre_optional_count(struct cadastre_optional_context* context, int64_t allocated, int64_t freed, int64_t resized,
                                           size_t more, size_t less, int zeroed) {
  for (; context; context = context->parent) {
    cadastre_statistics_struct* const figures = &context->figures[CADASTRE_HOST];
    figures->allocations += allocated;
    figures->deallocations += freed;
    figures->reallocations += resized;
    figures->live_blocks += allocated - freed;
    figures->live_bytes += more - less;
    figures->total_bytes += more;
    if (zeroed) figures->zeroed_bytes += more;
    if (figures->high_water_mark_blocks < figures->live_blocks) figures->high_water_mark_blocks = figures->live_blocks;
    if (figures->high_water_mark_bytes < figures->live_bytes) figures->high_water_mark_bytes = figures->live_bytes;
  }
}

/* Counts a request that failed, if its context is still there; with the mutex. */
static inline void cadastre_optional_count_failed(cadastre_context handle, cadastre_memory_type type) {
  struct cadastre_optional_context* context;
  if (type < 0 || type >= CADASTRE_MEMORY_TYPE_COUNT) return;
  for (context = cadastre_optional_find(handle); context; context = context->parent) {
    ++context->figures[type].failed_allocations;
  }
}

/* Whether a number is a memory type; the second argument of a function. */
static inline cadastre_exit_code cadastre_optional_check_type(cadastre_context context, const char* function, cadastre_memory_type type) {
  if (type >= 0 && type < CADASTRE_MEMORY_TYPE_COUNT) return CADASTRE_SUCCESS;
  return cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_MEMORY_TYPE, (size_t)type, 0, NULL);
}

/* The same for what there are limits and sums of: all types together, too. */
static inline cadastre_exit_code cadastre_optional_check_limited_type(cadastre_context context, const char* function,
                                                                      cadastre_memory_type type) {
  return type == CADASTRE_ALL_MEMORY_TYPES ? CADASTRE_SUCCESS : cadastre_optional_check_type(context, function, type);
}

static inline cadastre_statistics_struct cadastre_optional_sum_figures(const struct cadastre_optional_context* found) {
  cadastre_statistics_struct sum = cadastre_statistics_struct_zero;
  int32_t type;
  for (type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_statistics_struct figures = found->figures[type];
    sum.allocations += figures.allocations;
    sum.deallocations += figures.deallocations;
    sum.reallocations += figures.reallocations;
    sum.failed_allocations += figures.failed_allocations;
    sum.failed_deallocations += figures.failed_deallocations;
    sum.untracked_deallocations += figures.untracked_deallocations;
    sum.live_blocks += figures.live_blocks;
    sum.borrowed_blocks += figures.borrowed_blocks;
    sum.live_bytes += figures.live_bytes;
    sum.total_bytes += figures.total_bytes;
    sum.zeroed_bytes += figures.zeroed_bytes;
    sum.high_water_mark_blocks += figures.high_water_mark_blocks;
    sum.high_water_mark_bytes += figures.high_water_mark_bytes;
  }
  return sum;
}

/* Without Cadastre: the same, and all numbers are exact. */
static inline cadastre_exit_code cadastre_get_statistics(cadastre_context context, cadastre_memory_type type,
                                                         cadastre_statistics_struct* statistics) {
  static const char function[] = "cadastre_get_statistics";
  struct cadastre_optional_context* const found = cadastre_optional_enter_any(context, function);
  cadastre_exit_code code = found ? cadastre_optional_check_limited_type(context, function, type) : CADASTRE_INVALID_CONTEXT;
  if (code == CADASTRE_SUCCESS) {
    code = cadastre_optional_check_struct(context, function, statistics, sizeof *statistics, CADASTRE_INVALID_ARG_3);
  }
  if (code == CADASTRE_SUCCESS) {
    *statistics = type == CADASTRE_ALL_MEMORY_TYPES ? cadastre_optional_sum_figures(found) : found->figures[type];
    statistics->struct_size = sizeof *statistics;
    statistics->limit = CADASTRE_UNLIMITED;
  }
  if (found) cadastre_optional_leave();
  return code;
}

/* Without Cadastre: the same. */
static inline cadastre_exit_code cadastre_reset_high_water_mark(cadastre_context context, cadastre_memory_type type) {
  static const char function[] = "cadastre_reset_high_water_mark";
  struct cadastre_optional_context* const found = cadastre_optional_enter_any(context, function);
  const cadastre_exit_code code = found ? cadastre_optional_check_type(context, function, type) : CADASTRE_INVALID_CONTEXT;
  if (code == CADASTRE_SUCCESS) {
    found->figures[type].high_water_mark_blocks = found->figures[type].live_blocks;
    found->figures[type].high_water_mark_bytes = found->figures[type].live_bytes;
  }
  if (found) cadastre_optional_leave();
  return code;
}

/* Without Cadastre: there is no limit. NOT_SUPPORTED for any other than CADASTRE_UNLIMITED and 0. */
static inline cadastre_exit_code cadastre_set_limit(cadastre_context context, cadastre_memory_type type, size_t bytes) {
  static const char function[] = "cadastre_set_limit";
  cadastre_exit_code code = cadastre_optional_visit(context, function);
  if (code == CADASTRE_SUCCESS) code = cadastre_optional_check_limited_type(context, function, type);
  if (code != CADASTRE_SUCCESS || bytes == 0 || bytes == CADASTRE_UNLIMITED) return code;
  return cadastre_optional_refuse_part(context, function, "a limit");
}

/* Without Cadastre: the same, where no pool caches. */
static inline cadastre_exit_code cadastre_pool_get_info(cadastre_context context, cadastre_memory_type type,
                                                        cadastre_pool_info_struct* info) {
  static const char function[] = "cadastre_pool_get_info";
  const struct cadastre_optional_context* const found = cadastre_optional_enter(context, function);
  cadastre_exit_code code = found ? cadastre_optional_check_type(context, function, type) : CADASTRE_INVALID_CONTEXT;
  if (code == CADASTRE_SUCCESS) {
    code = cadastre_optional_check_struct(context, function, info, sizeof *info, CADASTRE_INVALID_ARG_3);
  }
  if (code == CADASTRE_SUCCESS) {
    *info = cadastre_pool_info_struct_zero;
    info->pool = CADASTRE_POOL_NONE;
  }
  if (found) cadastre_optional_leave();
  return code;
}

/* Without Cadastre: nothing is cached. */
static inline cadastre_exit_code cadastre_pool_trim(cadastre_context context, cadastre_memory_type type, size_t min_bytes_to_keep) {
  static const char function[] = "cadastre_pool_trim";
  const cadastre_exit_code code = cadastre_optional_visit(context, function);
  (void)min_bytes_to_keep;
  return code != CADASTRE_SUCCESS ? code : cadastre_optional_check_type(context, function, type);
}

/* Without Cadastre: the callback is never called. */
static inline cadastre_exit_code cadastre_set_out_of_memory_function(cadastre_context context, cadastre_out_of_memory_function callback,
                                                                     void* user_data) {
  (void)callback;
  (void)user_data;
  if (!cadastre_optional_enter_any(context, "cadastre_set_out_of_memory_function")) return CADASTRE_INVALID_CONTEXT;
  cadastre_optional_leave();
  return CADASTRE_SUCCESS;
}

/* Without Cadastre: there is no timing. NOT_SUPPORTED to switch it on. */
static inline cadastre_exit_code cadastre_context_set_timing(cadastre_context context, int on) {
  static const char function[] = "cadastre_context_set_timing";
  if (!cadastre_optional_enter(context, function)) return CADASTRE_INVALID_CONTEXT;
  cadastre_optional_leave();
  return on ? cadastre_optional_refuse_part(context, function, "timing") : CADASTRE_SUCCESS;
}

/* Without Cadastre: no block is one of malloc's own. NOT_SUPPORTED to switch it on. */
static inline cadastre_exit_code cadastre_context_set_plain_free(cadastre_context context, int on) {
  static const char function[] = "cadastre_context_set_plain_free";
  if (!cadastre_optional_enter(context, function)) return CADASTRE_INVALID_CONTEXT;
  cadastre_optional_leave();
  return on ? cadastre_optional_refuse_part(context, function, "plain free") : CADASTRE_SUCCESS;
}

/* Adds up what is alive in a list of contexts; with the mutex. */
static inline void cadastre_optional_summarize(const struct cadastre_optional_context* context, cadastre_destroy_summary_struct* sum) {
  const struct cadastre_optional_block* block;
  struct cadastre_optional_label* label;
  const char* largest = "";
  for (label = cadastre_optional_shared.labels; label; label = label->next) label->bytes = 0;
  for (; context; context = context->next) {
    for (block = context->blocks; block; block = block->next) {
      ++sum->live_blocks;
      sum->live_bytes += block->size;
      if (block->label) block->label->bytes += block->size;
    }
    for (block = context->leases; block; block = block->next) ++sum->live_leases;
  }
  for (label = cadastre_optional_shared.labels; label; label = label->next) {
    if (label->bytes <= sum->largest_label_bytes) continue;
    sum->largest_label_bytes = label->bytes;
    largest = (const char*)(label + 1);
  }
  strcpy(sum->largest_label, largest);
}

static inline void cadastre_optional_free_list(struct cadastre_optional_block* block) {
  while (block) {
    struct cadastre_optional_block* const next = block->next;
    free(block->memory);
    block = next;
  }
}

static inline void cadastre_optional_free_contexts(struct cadastre_optional_context* context) {
  while (context) {
    struct cadastre_optional_context* const next = context->next;
    cadastre_optional_free_list(context->blocks);
    cadastre_optional_free_list(context->leases);
    free(context);
    context = next;
  }
}

/* Whether a context is another one or below it. */
static inline int cadastre_optional_is_within(const struct cadastre_optional_context* context,
                                              const struct cadastre_optional_context* other) {
  while (context && context != other) context = context->parent;
  return context != NULL;
}

/* Takes the latest context that is within another one out of the list, and puts it into a list of those that are to be
 * freed; with the mutex. NULL if another thread has locked it. */
static inline struct cadastre_optional_context* cadastre_optional_take_leaf(const struct cadastre_optional_context* within,
                                                                            struct cadastre_optional_context** taken) {
  struct cadastre_optional_context** link = &cadastre_optional_shared.contexts;
  struct cadastre_optional_context* leaf;
  while (!cadastre_optional_is_within(*link, within)) link = &(*link)->next;
  leaf = *link;
  if (!cadastre_optional_may_enter(leaf)) return NULL;
  cadastre_optional_count(leaf, 0, leaf->figures[CADASTRE_HOST].live_blocks, 0, 0, leaf->figures[CADASTRE_HOST].live_bytes, 0);
  *link = leaf->next;
  leaf->next = *taken;
  *taken = leaf;
  pthread_cond_broadcast(&cadastre_optional_shared.unlocked);
  return leaf;
}

/* The number of children of a context; with the mutex. */
static inline size_t cadastre_optional_count_children(const struct cadastre_optional_context* parent) {
  const struct cadastre_optional_context* each;
  size_t count = 0;
  for (each = cadastre_optional_shared.contexts; each; each = each->next) count += each->parent == parent;
  return count;
}

static inline cadastre_exit_code cadastre_optional_destroy(cadastre_context context, const char* function, int with_children,
                                                           cadastre_destroy_summary_struct* summary) {
  struct cadastre_optional_context* found = cadastre_optional_enter(context, function);
  struct cadastre_optional_context* taken = NULL;
  cadastre_destroy_summary_struct sum = cadastre_destroy_summary_struct_zero;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  size_t children;
  if (!found) return CADASTRE_INVALID_CONTEXT;
  if (summary) code = cadastre_optional_check_struct(context, function, summary, sizeof *summary, CADASTRE_INVALID_ARG_2);
  children = with_children ? 0 : cadastre_optional_count_children(found);
  if (code == CADASTRE_SUCCESS && children > 0) {
    code = cadastre_optional_fail(context, function, CADASTRE_FAILURE, CADASTRE_REASON_HAS_CHILDREN, 0, 0, NULL);
    cadastre_optional_failure.in_use = children;
  }
  if (code != CADASTRE_SUCCESS) {
    cadastre_optional_leave();
    return code;
  }
  found->closed = 1;
  while (found) {
    const struct cadastre_optional_context* const leaf = cadastre_optional_take_leaf(found, &taken);
    if (leaf == found) break;
    if (leaf) continue;
    pthread_cond_wait(&cadastre_optional_shared.unlocked, &cadastre_optional_shared.mutex);
    found = cadastre_optional_find(context);
  }
  cadastre_optional_summarize(taken, &sum);
  cadastre_optional_leave();
  cadastre_optional_free_contexts(taken);
  if (!found) {
    return cadastre_optional_fail(context, function, CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_DESTROYED_CONTEXT, 0, 0, NULL);
  }
  if (summary) *summary = sum;
  return CADASTRE_SUCCESS;
}

/* Without Cadastre: the same. Frees all blocks and leases of the context. */
static inline cadastre_exit_code cadastre_context_destroy(cadastre_context context) {
  return cadastre_optional_destroy(context, "cadastre_context_destroy", 0, NULL);
}

/* Without Cadastre: the same. There are no borrowed blocks and no failed deallocations. */
static inline cadastre_exit_code cadastre_context_destroy_with_summary(cadastre_context context, cadastre_destroy_summary_struct* summary) {
  return cadastre_optional_destroy(context, "cadastre_context_destroy_with_summary", 0, summary);
}

/* Without Cadastre: the same. */
static inline cadastre_exit_code cadastre_context_destroy_with_children(cadastre_context context,
                                                                        cadastre_destroy_summary_struct* summary) {
  return cadastre_optional_destroy(context, "cadastre_context_destroy_with_children", 1, summary);
}

/* The length of a label, or 256 for one that is too long. */
static inline size_t cadastre_optional_length(const char* label) {
  size_t length = 0;
  while (length < 256 && label[length] != '\0') ++length;
  return length;
}

/* The label with a text of at most 255 characters, which is stored once; NULL, and a failure, if there is no memory. */
static inline struct cadastre_optional_label* cadastre_optional_store_label(cadastre_context context, const char* function,
                                                                            const char* text) {
  struct cadastre_optional_label** const labels = &cadastre_optional_shared.labels;
  struct cadastre_optional_label* label;
  const size_t length = strlen(text) + 1;
  pthread_mutex_lock(&cadastre_optional_shared.mutex);
  label = *labels;
  while (label && (const char*)(label + 1) != text && strcmp((const char*)(label + 1), text) != 0) label = label->next;
  if (!label) {
    label = (struct cadastre_optional_label*)malloc(sizeof *label + length);
    if (label) {
      memcpy(label + 1, text, length);
      label->next = *labels;
      *labels = label;
    }
  }
  pthread_mutex_unlock(&cadastre_optional_shared.mutex);
  if (!label) {
    cadastre_optional_fail(context, function, CADASTRE_ALLOCATION_FAILED, CADASTRE_REASON_OUT_OF_HOST_MEMORY, 0, 0, NULL);
  }
  return label;
}

/* Without Cadastre: the same, within one program or shared object. Cost: one step for each label. */
static inline const char* cadastre_label(const char* text) {
  static const char function[] = "cadastre_label";
  const struct cadastre_optional_label* label;
  if (!text || cadastre_optional_length(text) > 255) {
    cadastre_optional_fail(CADASTRE_NULL_CONTEXT, function, CADASTRE_INVALID_ARG_1,
                           text ? CADASTRE_REASON_LABEL_TOO_LONG : CADASTRE_REASON_NULL_ARGUMENT, 0, text ? 255 : 0, NULL);
    return NULL;
  }
  label = cadastre_optional_store_label(CADASTRE_NULL_CONTEXT, function, text);
  return label ? (const char*)(label + 1) : NULL;
}

/* In front of each block; as large as the alignment of every type requires. */
union cadastre_optional_prefix {
  struct cadastre_optional_block block;
  long double number;
  long long integer;
  void* pointer;
  void (*function)(void);
};

struct cadastre_optional_aligned {
  char before;
  union cadastre_optional_prefix prefix;
};

#define CADASTRE_OPTIONAL_ALIGNMENT offsetof(struct cadastre_optional_aligned, prefix)
#define CADASTRE_OPTIONAL_MAX_ALIGNMENT ((size_t)1 << 30)
#define CADASTRE_OPTIONAL_MAX_SIZE ((size_t)PTRDIFF_MAX)

/* The description of a block, and the first byte of a block. */
static inline struct cadastre_optional_block* cadastre_optional_block_at(void* pointer) {
  return &((union cadastre_optional_prefix*)pointer - 1)->block;
}

static inline void* cadastre_optional_pointer_of(struct cadastre_optional_block* block) {
  return (union cadastre_optional_prefix*)(void*)block + 1;
}

/* Allocates memory for a block that no list has yet; NULL, and a failure, if there is none.
 *
 * size: at most CADASTRE_OPTIONAL_MAX_SIZE. alignment: 0, or a power of two of at most
 * CADASTRE_OPTIONAL_MAX_ALIGNMENT. */
static inline struct cadastre_optional_block* cadastre_optional_allocate(cadastre_context context, const char* function, size_t size,
                                                                         size_t alignment, cadastre_flags flags) {
  struct cadastre_optional_block* block;
  char* memory = NULL;
  size_t more, offset = sizeof(union cadastre_optional_prefix);
  if (alignment < CADASTRE_OPTIONAL_ALIGNMENT) alignment = CADASTRE_OPTIONAL_ALIGNMENT;
  more = offset + (alignment - CADASTRE_OPTIONAL_ALIGNMENT);
  if (size <= CADASTRE_OPTIONAL_MAX_SIZE - more) {
    memory = (char*)(flags & CADASTRE_UNINITIALIZED ? malloc(more + size) : calloc(1, more + size));
  }
  if (!memory) {
    cadastre_optional_fail(context, function, CADASTRE_ALLOCATION_FAILED, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY, size, 0, NULL);
    cadastre_optional_failure.type = CADASTRE_HOST;
    cadastre_optional_failure.backend = CADASTRE_BACKEND_HOST;
    cadastre_optional_failure.vendor_code = ENOMEM;
    return NULL;
  }
  offset += (size_t)(-((uintptr_t)memory + offset) & (alignment - 1));
  block = cadastre_optional_block_at(memory + offset);
  block->memory = memory;
  block->size = size;
  block->alignment = alignment;
  block->stride = 0;
  block->label = NULL;
  block->context = context;
  block->flags = flags;
  return block;
}

static inline void cadastre_optional_insert(struct cadastre_optional_block** list, struct cadastre_optional_block* block) {
  block->link = list;
  block->next = *list;
  if (block->next) block->next->link = &block->next;
  *list = block;
}

static inline void cadastre_optional_remove(struct cadastre_optional_block* block) {
  *block->link = block->next;
  if (block->next) block->next->link = block->link;
}

/* Makes an allocated block one of its context, or a lease; NULL, and a failure, if the context was destroyed meanwhile. */
static inline void* cadastre_optional_keep(struct cadastre_optional_block* block, const char* function, cadastre_lease* lease) {
  struct cadastre_optional_context* const found = cadastre_optional_enter(block->context, function);
  if (!found) {
    free(block->memory);
    return NULL;
  }
  if (lease) {
    block->flags |= CADASTRE_WORKSPACE_MEMORY;
    *lease = ++cadastre_optional_shared.leases_acquired;
  }
  block->lease = cadastre_optional_shared.leases_acquired;
  cadastre_optional_insert(lease ? &found->leases : &found->blocks, block);
  cadastre_optional_count(found, 1, 0, 0, block->size, 0, !(block->flags & CADASTRE_UNINITIALIZED));
  cadastre_optional_leave();
  return cadastre_optional_pointer_of(block);
}

static inline cadastre_exit_code cadastre_optional_refuse_type(cadastre_context context, const char* function, cadastre_memory_type type) {
  const cadastre_exit_code code = cadastre_optional_check_type(context, function, type);
  if (code != CADASTRE_SUCCESS) return code;
  cadastre_optional_fail(context, function, CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED, 0, 0, NULL);
  cadastre_optional_failure.type = type;
  cadastre_optional_failure.backend = CADASTRE_BACKEND_HOST;
  cadastre_optional_failure.argument = 2;
  cadastre_optional_failure.detail = "the caller was built without Cadastre, where there is HOST memory only";
  return CADASTRE_NOT_SUPPORTED;
}

static inline cadastre_exit_code cadastre_optional_check_request(cadastre_context context, const char* function,
                                                                 const cadastre_memory_info_struct* info) {
  size_t i;
  cadastre_exit_code code;
  for (i = 0; i < sizeof info->reserved / sizeof *info->reserved; ++i) {
    if (info->reserved[i] != 0) {
      cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_RESERVED_NOT_ZERO, info->reserved[i], 0, NULL);
      snprintf(cadastre_optional_failure.written, sizeof cadastre_optional_failure.written, "reserved[%d]", (int)i);
      cadastre_optional_failure.detail = cadastre_optional_failure.written;
      return CADASTRE_INVALID_ARG_2;
    }
  }
  code = cadastre_optional_check_backend(context, function, info->backend, CADASTRE_INVALID_ARG_2);
  if (code != CADASTRE_SUCCESS) return code;
  if (info->type != CADASTRE_HOST) return cadastre_optional_refuse_type(context, function, info->type);
  if ((info->alignment & (info->alignment - 1)) != 0) {
    return cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_ALIGNMENT, info->alignment, 0, NULL);
  }
  if (info->size > CADASTRE_OPTIONAL_MAX_SIZE) {
    return cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_SIZE_OVERFLOW, info->size,
                                  CADASTRE_OPTIONAL_MAX_SIZE, NULL);
  }
  if (info->alignment > CADASTRE_OPTIONAL_MAX_ALIGNMENT) {
    cadastre_optional_fail(context, function, CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED, info->alignment,
                           CADASTRE_OPTIONAL_MAX_ALIGNMENT, NULL);
    cadastre_optional_failure.type = CADASTRE_HOST;
    cadastre_optional_failure.backend = CADASTRE_BACKEND_HOST;
    cadastre_optional_failure.argument = 2;
    return CADASTRE_NOT_SUPPORTED;
  }
  if ((info->flags & ~CADASTRE_UNINITIALIZED) != 0) {
    cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_FLAGS, 0, 0, NULL);
    cadastre_optional_failure.flags = info->flags;
    return CADASTRE_INVALID_ARG_2;
  }
  if (info->label && cadastre_optional_length(info->label) > 255) {
    return cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_LABEL_TOO_LONG, 0, 255, NULL);
  }
  return CADASTRE_SUCCESS;
}

/* A block as a request describes it, in no list; NULL, and a failure, if it is refused or there is no memory. */
static inline struct cadastre_optional_block* cadastre_optional_obtain(cadastre_context context, const char* function,
                                                                       const cadastre_memory_info_struct* info) {
  struct cadastre_optional_label* label = NULL;
  struct cadastre_optional_block* block;
  if (cadastre_optional_check_request(context, function, info) != CADASTRE_SUCCESS) return NULL;
  if (info->label) {
    label = cadastre_optional_store_label(context, function, info->label);
    if (!label) return NULL;
  }
  block = cadastre_optional_allocate(context, function, info->size, info->alignment, info->flags);
  if (!block) return NULL;
  block->label = label;
  block->stride = info->stride;
  return block;
}

static inline void* cadastre_optional_malloc(cadastre_context context, const char* function, const cadastre_memory_info_struct* info) {
  struct cadastre_optional_block* block;
  if (!cadastre_optional_enter(context, function)) return NULL;
  cadastre_optional_leave();
  block = cadastre_optional_obtain(context, function, info);
  if (block) return cadastre_optional_keep(block, function, NULL);
  pthread_mutex_lock(&cadastre_optional_shared.mutex);
  cadastre_optional_count_failed(context, info->type);
  pthread_mutex_unlock(&cadastre_optional_shared.mutex);
  return NULL;
}

/* Without Cadastre: HOST memory of calloc, or of malloc with CADASTRE_UNINITIALIZED. NOT_SUPPORTED for other memory
 * types, for backends other than the host, and for alignments of more than 1 GiB. */
static inline void* cadastre_malloc(cadastre_context context, const cadastre_memory_info_struct info) {
  return cadastre_optional_malloc(context, "cadastre_malloc", &info);
}

static inline void* cadastre_malloc_plain(cadastre_context context, size_t size, size_t alignment, cadastre_flags flags,
                                          const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.alignment = alignment;
  info.flags = flags;
  info.label = label;
  return cadastre_optional_malloc(context, "cadastre_malloc", &info);
}

/* Finds the block that a caller wants to free or resize, in a context that was entered; leaves it on failure. */
static inline struct cadastre_optional_block* cadastre_optional_owned(cadastre_context context, const char* function, void* pointer) {
  struct cadastre_optional_block* block;
  cadastre_reason reason;
  if (!cadastre_optional_enter(context, function)) return NULL;
  if (!pointer) {
    cadastre_optional_leave();
    cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT, 0, 0, NULL);
    return NULL;
  }
  block = cadastre_optional_block_at(pointer);
  if (block->context == context && !(block->flags & CADASTRE_WORKSPACE_MEMORY)) return block;
  cadastre_optional_leave();
  reason = block->context == context ? CADASTRE_REASON_WORKSPACE_MEMORY : CADASTRE_REASON_OTHER_CONTEXT;
  cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2, reason, 0, 0, pointer);
  cadastre_optional_failure.type = CADASTRE_HOST;
  cadastre_optional_failure.base = pointer;
  cadastre_optional_failure.size = block->size;
  cadastre_optional_failure.owner = block->context;
  return NULL;
}

static inline cadastre_exit_code cadastre_optional_free(cadastre_context context, const char* function, void* pointer) {
  struct cadastre_optional_block* const block = cadastre_optional_owned(context, function, pointer);
  if (!block) return cadastre_optional_failure.exit_code;
  cadastre_optional_remove(block);
  cadastre_optional_count(cadastre_optional_find(context), 0, 1, 0, 0, block->size, 0);
  cadastre_optional_leave();
  free(block->memory);
  return CADASTRE_SUCCESS;
}

/* Without Cadastre: free. Refused: NULL, blocks of other contexts, and the first address of a lease. For any other
 * address that is no block the behaviour is undefined. */
static inline cadastre_exit_code cadastre_free(cadastre_context context, void* const ptr) {
  return cadastre_optional_free(context, "cadastre_free", ptr);
}

/* The block after it was resized, in no list; NULL if there is no memory. */
static inline struct cadastre_optional_block* cadastre_optional_resize(struct cadastre_optional_block* block, const char* function,
                                                                       size_t size) {
  const size_t before = block->size;
  struct cadastre_optional_block* resized = NULL;
  char* bytes;
  if (block->alignment > CADASTRE_OPTIONAL_ALIGNMENT || size > CADASTRE_OPTIONAL_MAX_SIZE - sizeof(union cadastre_optional_prefix)) {
    resized = cadastre_optional_allocate(block->context, function, size, block->alignment, block->flags);
    if (!resized) return NULL;
    resized->stride = block->stride;
    resized->label = block->label;
    resized->lease = block->lease;
    memcpy(cadastre_optional_pointer_of(resized), cadastre_optional_pointer_of(block), size < before ? size : before);
    free(block->memory);
    return resized;
  }
  bytes = (char*)realloc(block->memory, sizeof(union cadastre_optional_prefix) + size);
  if (!bytes) {
    cadastre_optional_fail(block->context, function, CADASTRE_ALLOCATION_FAILED, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY, size, 0, NULL);
    cadastre_optional_failure.type = CADASTRE_HOST;
    cadastre_optional_failure.backend = CADASTRE_BACKEND_HOST;
    cadastre_optional_failure.vendor_code = ENOMEM;
    return NULL;
  }
  resized = cadastre_optional_block_at(bytes + sizeof(union cadastre_optional_prefix));
  resized->memory = bytes;
  resized->size = size;
  if (size > before && !(resized->flags & CADASTRE_UNINITIALIZED)) {
    memset((char*)cadastre_optional_pointer_of(resized) + before, 0, size - before);
  }
  return resized;
}

/* Without Cadastre: realloc; bytes beyond the old size are zero, and the alignment stays, as with Cadastre. Addresses
 * as in cadastre_free. */
static inline void* cadastre_realloc(cadastre_context context, void* const ptr, size_t size) {
  static const char function[] = "cadastre_realloc";
  struct cadastre_optional_block* const block = cadastre_optional_owned(context, function, ptr);
  struct cadastre_optional_block** list;
  struct cadastre_optional_block* resized;
  size_t before;
  int zeroed;
  if (!block) return NULL;
  if (size > CADASTRE_OPTIONAL_MAX_SIZE) {
    cadastre_optional_count_failed(context, CADASTRE_HOST);
    cadastre_optional_leave();
    cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_SIZE_OVERFLOW, size, CADASTRE_OPTIONAL_MAX_SIZE,
                           NULL);
    return NULL;
  }
  list = block->link;
  before = block->size;
  zeroed = !(block->flags & CADASTRE_UNINITIALIZED);
  cadastre_optional_remove(block);
  resized = cadastre_optional_resize(block, function, size);
  cadastre_optional_insert(list, resized ? resized : block);
  if (resized) {
    cadastre_optional_count(cadastre_optional_find(context), 0, 0, 1, size > before ? size - before : 0, size < before ? before - size : 0,
                            zeroed);
  } else {
    cadastre_optional_count_failed(context, CADASTRE_HOST);
  }
  cadastre_optional_leave();
  return resized ? cadastre_optional_pointer_of(resized) : NULL;
}

/* Without Cadastre: the same. */
static inline cadastre_exit_code cadastre_free_all(cadastre_context context) {
  struct cadastre_optional_context* const found = cadastre_optional_enter(context, "cadastre_free_all");
  struct cadastre_optional_block* blocks;
  struct cadastre_optional_block* block;
  if (!found) return CADASTRE_INVALID_CONTEXT;
  blocks = found->blocks;
  found->blocks = NULL;
  for (block = blocks; block; block = block->next) cadastre_optional_count(found, 0, 1, 0, 0, block->size, 0);
  cadastre_optional_leave();
  cadastre_optional_free_list(blocks);
  return CADASTRE_SUCCESS;
}

/* The block of a context in which an address lies, or NULL; with the mutex. */
static inline struct cadastre_optional_block* cadastre_optional_around(struct cadastre_optional_context* context, const void* address) {
  struct cadastre_optional_block* const lists[] = {context->blocks, context->leases};
  struct cadastre_optional_block* block;
  size_t i;
  for (i = 0; i < 2; ++i) {
    for (block = lists[i]; block; block = block->next) {
      const uintptr_t offset = (uintptr_t)address - (uintptr_t)cadastre_optional_pointer_of(block);
      if (offset == 0 || offset < block->size) return block;
    }
  }
  return NULL;
}

/* Fails because of an address: at which no block begins, if there is one around it; else that is in none. */
static inline cadastre_exit_code cadastre_optional_fail_at(cadastre_context context, const char* function, const void* address,
                                                           cadastre_exit_code exit_code, cadastre_reason reason,
                                                           struct cadastre_optional_block* around) {
  if (!address) reason = CADASTRE_REASON_NULL_ARGUMENT;
  cadastre_optional_fail(context, function, exit_code, reason, 0, 0, address);
  if (around) {
    cadastre_optional_failure.type = CADASTRE_HOST;
    cadastre_optional_failure.base = cadastre_optional_pointer_of(around);
    cadastre_optional_failure.size = around->size;
    cadastre_optional_failure.offset = (size_t)((uintptr_t)address - (uintptr_t)cadastre_optional_failure.base);
    cadastre_optional_failure.label = around->label ? (const char*)(around->label + 1) : NULL;
  }
  return exit_code;
}

static inline cadastre_memory_info_struct cadastre_optional_info_of(struct cadastre_optional_block* block) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = block->size;
  info.pointer = cadastre_optional_pointer_of(block);
  info.alignment = block->alignment;
  info.stride = block->stride;
  info.flags = block->flags;
  info.backend = CADASTRE_BACKEND_HOST;
  info.label = block->label ? (const char*)(block->label + 1) : NULL;
  if (block->flags & CADASTRE_WORKSPACE_MEMORY) info.label = "workspace";
  info.device_id = -1;
  return info;
}

/* Writes the description of the block that begins at an address, or in which it lies; argument: of a result that is
 * NULL and must not be, or CADASTRE_SUCCESS. */
static inline cadastre_exit_code cadastre_optional_look_up(cadastre_context context, const char* function, const void* address, int inside,
                                                           cadastre_exit_code argument, cadastre_memory_info_struct* info) {
  struct cadastre_optional_context* const found = cadastre_optional_enter(context, function);
  struct cadastre_optional_block* block;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (!found) return CADASTRE_INVALID_CONTEXT;
  block = cadastre_optional_around(found, address);
  if (address && argument != CADASTRE_SUCCESS) {
    code = cadastre_optional_fail(context, function, argument, CADASTRE_REASON_NULL_ARGUMENT, 0, 0, NULL);
  } else if (block && (inside || cadastre_optional_pointer_of(block) == address)) {
    *info = cadastre_optional_info_of(block);
  } else {
    code = cadastre_optional_fail_at(context, function, address, CADASTRE_INVALID_ARG_2,
                                     block ? CADASTRE_REASON_INSIDE_BLOCK : CADASTRE_REASON_UNKNOWN_POINTER, block);
  }
  cadastre_optional_leave();
  return code;
}

/* Without Cadastre: the same; an address that was freed is unknown. Cost: one step for each live block. */
static inline cadastre_exit_code cadastre_get_malloc_info(cadastre_context context, const void* ptr, cadastre_memory_info_struct* info) {
  return cadastre_optional_look_up(context, "cadastre_get_malloc_info", ptr, 0, info ? CADASTRE_SUCCESS : CADASTRE_INVALID_ARG_3, info);
}

/* Without Cadastre: the requested size. Cost: as cadastre_get_malloc_info. */
static inline cadastre_exit_code cadastre_get_allocated_size(cadastre_context context, const void* ptr, size_t* size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  const cadastre_exit_code code =
      cadastre_optional_look_up(context, "cadastre_get_allocated_size", ptr, 0, size ? CADASTRE_SUCCESS : CADASTRE_INVALID_ARG_3, &info);
  if (code == CADASTRE_SUCCESS) *size = info.size;
  return code;
}

/* Without Cadastre: the same. Cost: as cadastre_get_malloc_info. */
static inline cadastre_exit_code cadastre_find_block(cadastre_context context, const void* address, cadastre_memory_info_struct* info,
                                                     size_t* offset) {
  cadastre_memory_info_struct found = cadastre_memory_info_struct_zero;
  const cadastre_exit_code code = cadastre_optional_look_up(context, "cadastre_find_block", address, 1, CADASTRE_SUCCESS, &found);
  if (code != CADASTRE_SUCCESS) return code;
  if (info) *info = found;
  if (offset) *offset = (size_t)((uintptr_t)address - (uintptr_t)found.pointer);
  return code;
}

/* Copies of the descriptions of all blocks in the order of their allocation; NULL if there is no memory. With the mutex. */
static inline cadastre_memory_info_struct* cadastre_optional_snapshot(struct cadastre_optional_context* context, size_t* count) {
  struct cadastre_optional_block* block = context->blocks;
  struct cadastre_optional_block* lease = context->leases;
  cadastre_memory_info_struct* infos;
  size_t left = (size_t)context->figures[CADASTRE_HOST].live_blocks; /* with those of its children */
  infos = (cadastre_memory_info_struct*)malloc((left + 1) * sizeof *infos);
  if (!infos) return NULL;
  *count = 0;
  while (block || lease) {
    struct cadastre_optional_block** const later = !lease || (block && block->lease >= lease->lease) ? &block : &lease;
    infos[(*count)++] = cadastre_optional_info_of(*later);
    *later = (*later)->next;
  }
  return infos;
}

/* Without Cadastre: the same, but callback has to return. */
static inline cadastre_exit_code cadastre_foreach_block(cadastre_context context, cadastre_foreach_block_function callback,
                                                        void* user_data) {
  static const char function[] = "cadastre_foreach_block";
  struct cadastre_optional_context* const found = cadastre_optional_enter(context, function);
  cadastre_exit_code code = CADASTRE_SUCCESS;
  cadastre_memory_info_struct* infos = NULL;
  size_t left = 0;
  if (!found) return CADASTRE_INVALID_CONTEXT;
  if (callback) infos = cadastre_optional_snapshot(found, &left);
  cadastre_optional_leave();
  if (!callback) {
    return cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT, 0, 0, NULL);
  }
  if (!infos) {
    return cadastre_optional_fail(context, function, CADASTRE_ALLOCATION_FAILED, CADASTRE_REASON_OUT_OF_HOST_MEMORY, 0, 0, NULL);
  }
  while (code == CADASTRE_SUCCESS && left > 0) code = callback(&infos[--left], user_data);
  free(infos);
  return code;
}

/* Checks a hint, which is ignored for HOST memory. */
static inline cadastre_exit_code cadastre_optional_hint(cadastre_context context, const char* function, const void* address, size_t bytes,
                                                        int32_t* applied) {
  struct cadastre_optional_context* const found = cadastre_optional_enter(context, function);
  struct cadastre_optional_block* block;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  size_t left;
  if (!found) return CADASTRE_INVALID_CONTEXT;
  if (applied) *applied = 0;
  block = cadastre_optional_around(found, address);
  left = block ? block->size - (size_t)((uintptr_t)address - (uintptr_t)cadastre_optional_pointer_of(block)) : 0;
  if (bytes > 0 && !block) {
    code = cadastre_optional_fail_at(context, function, address, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_UNKNOWN_POINTER, NULL);
  } else if (bytes > left) {
    code = cadastre_optional_fail_at(context, function, address, CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS, block);
    cadastre_optional_failure.argument = 2;
    cadastre_optional_failure.requested = bytes;
    cadastre_optional_failure.limit = left;
  }
  cadastre_optional_leave();
  return code;
}

/* Without Cadastre: a hint that cannot be applied is ignored. */
static inline cadastre_exit_code cadastre_prefetch(cadastre_context context, const void* const address, size_t bytes, int32_t device,
                                                   cadastre_queue queue, int32_t* applied) {
  (void)device;
  (void)queue;
  return cadastre_optional_hint(context, "cadastre_prefetch", address, bytes, applied);
}

/* Without Cadastre: a hint that cannot be applied is ignored. */
static inline cadastre_exit_code cadastre_advise(cadastre_context context, const void* const address, size_t bytes, cadastre_advice advice,
                                                 int32_t device, int32_t* applied) {
  static const char function[] = "cadastre_advise";
  (void)device;
  if (advice >= CADASTRE_ADVICE_READ_MOSTLY && advice <= CADASTRE_ADVICE_UNSET_ACCESSED_BY) {
    return cadastre_optional_hint(context, function, address, bytes, applied);
  }
  if (!cadastre_optional_enter(context, function)) return CADASTRE_INVALID_CONTEXT;
  cadastre_optional_leave();
  return cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_4, CADASTRE_REASON_INVALID_ADVICE, (size_t)advice, 0, NULL);
}

/* Whether there can be size bytes at an address; argument: the number of the address. */
static inline cadastre_exit_code cadastre_optional_check_range(cadastre_context context, const char* function, const void* pointer,
                                                               size_t size, cadastre_exit_code argument) {
  if (!pointer) {
    return cadastre_optional_fail(context, function, argument, CADASTRE_REASON_NULL_ADDRESS, size, 0, NULL);
  }
  if (size > CADASTRE_OPTIONAL_MAX_SIZE) {
    return cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_4, CADASTRE_REASON_SIZE_OVERFLOW, size,
                                  CADASTRE_OPTIONAL_MAX_SIZE, NULL);
  }
  return CADASTRE_SUCCESS;
}

static inline cadastre_exit_code cadastre_optional_copy(cadastre_context context, const char* function, void* dest, const void* src,
                                                        size_t size) {
  const uintptr_t to = (uintptr_t)dest, from = (uintptr_t)src;
  cadastre_exit_code code;
  if (!cadastre_optional_enter(context, function)) return CADASTRE_INVALID_CONTEXT;
  cadastre_optional_leave();
  if (size == 0) return CADASTRE_SUCCESS;
  code = cadastre_optional_check_range(context, function, dest, size, CADASTRE_INVALID_ARG_2);
  if (code != CADASTRE_SUCCESS) return code;
  code = cadastre_optional_check_range(context, function, src, size, CADASTRE_INVALID_ARG_3);
  if (code != CADASTRE_SUCCESS || to == from) return code;
  if ((to < from ? from - to : to - from) < size) {
    cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_RANGES_OVERLAP, size, 0, dest);
    cadastre_optional_failure.base = src;
    return CADASTRE_INVALID_ARG_2;
  }
  memcpy(dest, src, size);
  return CADASTRE_SUCCESS;
}

/* Without Cadastre: memcpy. NULL, sizes and overlaps are checked, the bounds of blocks are not. */
static inline cadastre_exit_code cadastre_memcpy(cadastre_context context, void* const dest, const void* const src, size_t size) {
  return cadastre_optional_copy(context, "cadastre_memcpy", dest, src, size);
}

static inline cadastre_exit_code cadastre_optional_set(cadastre_context context, const char* function, void* dest, int value, size_t size) {
  cadastre_exit_code code;
  if (!cadastre_optional_enter(context, function)) return CADASTRE_INVALID_CONTEXT;
  cadastre_optional_leave();
  if (size == 0) return CADASTRE_SUCCESS;
  code = cadastre_optional_check_range(context, function, dest, size, CADASTRE_INVALID_ARG_2);
  if (code == CADASTRE_SUCCESS) memset(dest, value, size);
  return code;
}

/* Without Cadastre: memset; checked as cadastre_memcpy. */
static inline cadastre_exit_code cadastre_memset(cadastre_context context, void* const dest, int value, size_t size) {
  return cadastre_optional_set(context, "cadastre_memset", dest, value, size);
}

/* Checks the context and the queue of a call; CADASTRE_SUCCESS for the default queue. */
static inline cadastre_exit_code cadastre_optional_check_queue(cadastre_context context, const char* function, cadastre_queue queue) {
  if (!cadastre_optional_enter(context, function)) return CADASTRE_INVALID_CONTEXT;
  cadastre_optional_leave();
  return queue == CADASTRE_DEFAULT_QUEUE ? CADASTRE_SUCCESS : cadastre_optional_refuse_part(context, function, "a queue");
}

/* Without Cadastre: NOT_SUPPORTED for a queue other than CADASTRE_DEFAULT_QUEUE. */
static inline cadastre_exit_code cadastre_context_set_default_queue(cadastre_context context, cadastre_queue queue) {
  return cadastre_optional_check_queue(context, "cadastre_context_set_default_queue", queue);
}

/* Without Cadastre: CADASTRE_DEFAULT_QUEUE. */
static inline cadastre_exit_code cadastre_context_get_default_queue(cadastre_context context, cadastre_queue* queue) {
  static const char function[] = "cadastre_context_get_default_queue";
  const cadastre_exit_code code = cadastre_optional_check_queue(context, function, CADASTRE_DEFAULT_QUEUE);
  if (code != CADASTRE_SUCCESS) return code;
  if (!queue) {
    return cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT, 0, 0, NULL);
  }
  *queue = CADASTRE_DEFAULT_QUEUE;
  return CADASTRE_SUCCESS;
}

/* Without Cadastre: all work is complete. NOT_SUPPORTED for a queue other than CADASTRE_DEFAULT_QUEUE. */
static inline cadastre_exit_code cadastre_synchronize(cadastre_context context, cadastre_queue queue) {
  return cadastre_optional_check_queue(context, "cadastre_synchronize", queue);
}

/* Without Cadastre: as cadastre_malloc. NOT_SUPPORTED for a queue other than CADASTRE_DEFAULT_QUEUE. */
static inline void* cadastre_malloc_async(cadastre_context context, const cadastre_memory_info_struct info, cadastre_queue queue) {
  static const char function[] = "cadastre_malloc_async";
  if (cadastre_optional_check_queue(context, function, queue) != CADASTRE_SUCCESS) return NULL;
  return cadastre_optional_malloc(context, function, &info);
}

/* Without Cadastre: as cadastre_free. NOT_SUPPORTED for a queue other than CADASTRE_DEFAULT_QUEUE. */
static inline cadastre_exit_code cadastre_free_async(cadastre_context context, void* const ptr, cadastre_queue queue) {
  static const char function[] = "cadastre_free_async";
  const cadastre_exit_code code = cadastre_optional_check_queue(context, function, queue);
  return code != CADASTRE_SUCCESS ? code : cadastre_optional_free(context, function, ptr);
}

/* Without Cadastre: as cadastre_memcpy. NOT_SUPPORTED for a queue other than CADASTRE_DEFAULT_QUEUE. */
static inline cadastre_exit_code cadastre_memcpy_async(cadastre_context context, void* const dest, const void* const src, size_t size,
                                                       cadastre_queue queue) {
  static const char function[] = "cadastre_memcpy_async";
  const cadastre_exit_code code = cadastre_optional_check_queue(context, function, queue);
  return code != CADASTRE_SUCCESS ? code : cadastre_optional_copy(context, function, dest, src, size);
}

/* Without Cadastre: as cadastre_memset. NOT_SUPPORTED for a queue other than CADASTRE_DEFAULT_QUEUE. */
static inline cadastre_exit_code cadastre_memset_async(cadastre_context context, void* const dest, int value, size_t size,
                                                       cadastre_queue queue) {
  static const char function[] = "cadastre_memset_async";
  const cadastre_exit_code code = cadastre_optional_check_queue(context, function, queue);
  return code != CADASTRE_SUCCESS ? code : cadastre_optional_set(context, function, dest, value, size);
}

#define CADASTRE_OPTIONAL_GRANULARITY ((size_t)64)

/* The bytes of all buffers, rounded up; SIZE_MAX if they are too many. */
static inline size_t cadastre_optional_total(size_t n, const size_t* sizes) {
  size_t i, total = 0;
  for (i = 0; i < n; ++i) {
    const size_t room = CADASTRE_OPTIONAL_MAX_SIZE - total;
    if (sizes[i] > room || room - sizes[i] < CADASTRE_OPTIONAL_GRANULARITY) return SIZE_MAX;
    total += (sizes[i] + CADASTRE_OPTIONAL_GRANULARITY - 1) & ~(CADASTRE_OPTIONAL_GRANULARITY - 1);
  }
  return total;
}

/* first: the number of n among the arguments. */
static inline cadastre_exit_code cadastre_optional_acquire(cadastre_context context, const char* function, cadastre_memory_type type,
                                                           cadastre_queue queue, cadastre_exit_code first, size_t n, const size_t* sizes,
                                                           void** pointers, cadastre_lease* lease) {
  struct cadastre_optional_block* block;
  cadastre_exit_code null = 0;
  size_t i, total;
  char* next;
  if (!cadastre_optional_enter(context, function)) return CADASTRE_INVALID_CONTEXT;
  cadastre_optional_leave();
  if (!lease) null = first + 3;
  if (n > 0 && !pointers) null = first + 2;
  if (n > 0 && !sizes) null = first + 1;
  if (null != 0) return cadastre_optional_fail(context, function, null, CADASTRE_REASON_NULL_ARGUMENT, 0, 0, NULL);
  if (type != CADASTRE_HOST && type != CADASTRE_DEFAULT_WORKSPACE_TYPE) {
    return cadastre_optional_refuse_type(context, function, type);
  }
  if (queue != CADASTRE_DEFAULT_QUEUE) return cadastre_optional_refuse_part(context, function, "a queue");
  total = cadastre_optional_total(n, sizes);
  if (total == SIZE_MAX) {
    return cadastre_optional_fail(context, function, first + 1, CADASTRE_REASON_SIZE_OVERFLOW, SIZE_MAX, CADASTRE_OPTIONAL_MAX_SIZE, NULL);
  }
  block = cadastre_optional_allocate(context, function, total, CADASTRE_OPTIONAL_GRANULARITY, CADASTRE_UNINITIALIZED);
  if (!block) {
    pthread_mutex_lock(&cadastre_optional_shared.mutex);
    cadastre_optional_count_failed(context, CADASTRE_HOST);
    pthread_mutex_unlock(&cadastre_optional_shared.mutex);
    return CADASTRE_ALLOCATION_FAILED;
  }
  next = (char*)cadastre_optional_keep(block, function, lease);
  if (!next) return CADASTRE_INVALID_CONTEXT;
  for (i = 0; i < n; ++i) {
    pointers[i] = sizes[i] == 0 ? NULL : next;
    next += (sizes[i] + CADASTRE_OPTIONAL_GRANULARITY - 1) & ~(CADASTRE_OPTIONAL_GRANULARITY - 1);
  }
  return CADASTRE_SUCCESS;
}

/* Without Cadastre: malloc for each lease. NOT_SUPPORTED for other memory types than HOST. */
static inline cadastre_exit_code cadastre_workspace_acquire(cadastre_context context, cadastre_memory_type type, size_t n,
                                                            const size_t* sizes, void** pointers, cadastre_lease* lease) {
  return cadastre_optional_acquire(context, "cadastre_workspace_acquire", type, CADASTRE_DEFAULT_QUEUE, CADASTRE_INVALID_ARG_3, n, sizes,
                                   pointers, lease);
}

/* Without Cadastre: malloc for each lease. NOT_SUPPORTED for other memory types than HOST, and for a queue other than
 * CADASTRE_DEFAULT_QUEUE. */
static inline cadastre_exit_code cadastre_workspace_acquire_on_queue(cadastre_context context, cadastre_memory_type type,
                                                                     cadastre_queue queue, size_t n, const size_t* sizes, void** pointers,
                                                                     cadastre_lease* lease) {
  return cadastre_optional_acquire(context, "cadastre_workspace_acquire_on_queue", type, queue, CADASTRE_INVALID_ARG_4, n, sizes, pointers,
                                   lease);
}

/* Without Cadastre: free. The order of releases is not checked. Cost: one step for each live lease. */
static inline cadastre_exit_code cadastre_workspace_release(cadastre_context context, cadastre_lease lease) {
  static const char function[] = "cadastre_workspace_release";
  struct cadastre_optional_context* const found = cadastre_optional_enter(context, function);
  struct cadastre_optional_block* block;
  int released;
  if (!found) return CADASTRE_INVALID_CONTEXT;
  block = found->leases;
  while (block && block->lease != lease) block = block->next;
  released = lease > 0 && lease <= cadastre_optional_shared.leases_acquired;
  if (block) {
    cadastre_optional_remove(block);
    cadastre_optional_count(found, 0, 1, 0, 0, block->size, 0);
  }
  cadastre_optional_leave();
  if (!block) {
    return cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_2,
                                  released ? CADASTRE_REASON_LEASE_RELEASED : CADASTRE_REASON_UNKNOWN_LEASE, (size_t)lease, 0, NULL);
  }
  free(block->memory);
  return CADASTRE_SUCCESS;
}

/* Without Cadastre: memory is allocated for each lease. NOT_SUPPORTED for a number of bytes. */
static inline cadastre_exit_code cadastre_workspace_set_size(cadastre_context context, cadastre_memory_type type, size_t bytes) {
  static const char function[] = "cadastre_workspace_set_size";
  struct cadastre_optional_context* const found = cadastre_optional_enter(context, function);
  const cadastre_memory_type resolved = type == CADASTRE_DEFAULT_WORKSPACE_TYPE ? CADASTRE_HOST : type;
  const struct cadastre_optional_block* block;
  cadastre_exit_code code;
  size_t alive = 0;
  if (!found) return CADASTRE_INVALID_CONTEXT;
  for (block = found->leases; block; block = block->next) ++alive;
  cadastre_optional_leave();
  code = cadastre_optional_check_type(context, function, resolved);
  if (code != CADASTRE_SUCCESS) return code;
  if (resolved == CADASTRE_HOST && alive > 0) {
    cadastre_optional_fail(context, function, CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE, 0, 0, NULL);
    cadastre_optional_failure.type = CADASTRE_HOST;
    cadastre_optional_failure.in_use = alive;
    return CADASTRE_LEASE_ALIVE;
  }
  if (bytes == 0 || bytes == CADASTRE_WORKSPACE_AUTOMATIC || bytes == CADASTRE_WORKSPACE_STREAM_ORDERED ||
      bytes == CADASTRE_WORKSPACE_PER_LEASE) {
    return CADASTRE_SUCCESS;
  }
  return cadastre_optional_refuse_part(context, function, "a workspace of a fixed size");
}

/* Without Cadastre: there is no buffer of the caller. NOT_SUPPORTED for one. */
static inline cadastre_exit_code cadastre_workspace_set_buffer(cadastre_context context, cadastre_memory_type type, void* const buffer,
                                                               size_t bytes) {
  static const char function[] = "cadastre_workspace_set_buffer";
  const cadastre_memory_type resolved = type == CADASTRE_DEFAULT_WORKSPACE_TYPE ? CADASTRE_HOST : type;
  cadastre_exit_code code;
  if (!cadastre_optional_enter(context, function)) return CADASTRE_INVALID_CONTEXT;
  cadastre_optional_leave();
  code = cadastre_optional_check_type(context, function, resolved);
  if (code != CADASTRE_SUCCESS) return code;
  if (buffer) return cadastre_optional_refuse_part(context, function, "a buffer as workspace");
  if (bytes == 0) return CADASTRE_SUCCESS;
  return cadastre_optional_fail(context, function, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_NULL_ARGUMENT, 0, 0, NULL);
}

/* Without Cadastre: 0, since there are no size queries. */
static inline int32_t cadastre_workspace_is_size_query(cadastre_context context) {
  (void)context;
  return 0;
}

/* --- What needs Cadastre. */

static inline cadastre_exit_code cadastre_optional_refuse(cadastre_context context, const char* function) {
  const cadastre_exit_code code = cadastre_optional_visit(context, function);
  return code != CADASTRE_SUCCESS ? code : cadastre_optional_refuse_part(context, function, "this function");
}

static inline void* cadastre_malloc_strided(cadastre_context context, const cadastre_memory_info_struct info, cadastre_queue queue)
{
  (void) info;
  (void) queue;
  cadastre_optional_refuse(context, "cadastre_malloc_strided");
  return NULL;
}

static inline cadastre_exit_code cadastre_memcpy_strided(cadastre_context context, void* const dest, const void* const src, size_t width,
                                                        size_t count)
{
  (void) dest;
  (void) src;
  (void) width;
  (void) count;
  return cadastre_optional_refuse(context, "cadastre_memcpy_strided");
}

static inline cadastre_exit_code cadastre_memcpy_strided_async(cadastre_context context, void* const dest, const void* const src,
                                                              size_t width, size_t count, cadastre_queue queue)
{
  (void) dest;
  (void) src;
  (void) width;
  (void) count;
  (void) queue;
  return cadastre_optional_refuse(context, "cadastre_memcpy_strided_async");
}

static inline cadastre_exit_code cadastre_wrap(cadastre_context context, const cadastre_memory_info_struct info)
{
  (void) info;
  return cadastre_optional_refuse(context, "cadastre_wrap");
}

static inline cadastre_exit_code cadastre_unwrap(cadastre_context context, const void* ptr)
{
  (void) ptr;
  return cadastre_optional_refuse(context, "cadastre_unwrap");
}

static inline cadastre_exit_code cadastre_ipc_export(cadastre_context context, const void* ptr, cadastre_ipc_handle_struct* handle)
{
  (void) ptr;
  (void) handle;
  return cadastre_optional_refuse(context, "cadastre_ipc_export");
}

static inline cadastre_exit_code cadastre_ipc_import(cadastre_context context, const cadastre_ipc_handle_struct* handle, void** ptr)
{
  (void) handle;
  (void) ptr;
  return cadastre_optional_refuse(context, "cadastre_ipc_import");
}

static inline cadastre_exit_code cadastre_ipc_close(cadastre_context context, const void* ptr)
{
  (void) ptr;
  return cadastre_optional_refuse(context, "cadastre_ipc_close");
}

static inline cadastre_exit_code cadastre_get_device_statistics(cadastre_context context, cadastre_memory_type type, int32_t device_id,
                                                               cadastre_statistics_struct* statistics)
{
  (void) type;
  (void) device_id;
  (void) statistics;
  return cadastre_optional_refuse(context, "cadastre_get_device_statistics");
}

static inline cadastre_exit_code cadastre_get_registry_info(cadastre_context context, cadastre_registry_info_struct* info)
{
  (void) info;
  return cadastre_optional_refuse(context, "cadastre_get_registry_info");
}

static inline int64_t cadastre_get_backend_nanoseconds(void)
{
  return 0;
}

static inline cadastre_exit_code cadastre_report(cadastre_context context, FILE* stream, cadastre_report_format format)
{
  (void) stream;
  (void) format;
  return cadastre_optional_refuse(context, "cadastre_report");
}

static inline int32_t cadastre_backend_get_count(void)
{
  return 0;
}

static inline cadastre_exit_code cadastre_backend_get_info(cadastre_backend backend, cadastre_backend_info_struct* info)
{
  (void) backend;
  (void) info;
  return cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, "cadastre_backend_get_info", "this function");
}

static inline cadastre_exit_code cadastre_device_get_info(cadastre_backend backend, int32_t device_id, cadastre_device_info_struct* info)
{
  (void) backend;
  (void) device_id;
  (void) info;
  return cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, "cadastre_device_get_info", "this function");
}

static inline cadastre_exit_code cadastre_device_get_memory_usage(cadastre_backend backend, int32_t device_id,
                                                                 cadastre_memory_usage_struct* usage)
{
  (void) backend;
  (void) device_id;
  (void) usage;
  return cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, "cadastre_device_get_memory_usage", "this function");
}

static inline cadastre_exit_code cadastre_host_get_memory_usage(cadastre_memory_usage_struct* usage)
{
  (void) usage;
  return cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, "cadastre_host_get_memory_usage", "this function");
}

static inline int32_t cadastre_environment_get_count(void)
{
  return 0;
}

static inline cadastre_exit_code cadastre_environment_get_info(int32_t index, cadastre_environment_info_struct* info)
{
  (void) index;
  (void) info;
  return cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, "cadastre_environment_get_info", "this function");
}

static inline cadastre_backend cadastre_backend_register(const char* name, const cadastre_backend_operations_struct* operations,
                                                        void* content)
{
  (void) name;
  (void) operations;
  (void) content;
  cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, "cadastre_backend_register", "this function");
  return CADASTRE_INVALID_BACKEND;
}

static inline cadastre_exit_code cadastre_backend_unregister(cadastre_backend backend)
{
  (void) backend;
  return cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, "cadastre_backend_unregister", "this function");
}

static inline cadastre_backend cadastre_backend_register_host(const char* name, const cadastre_host_resource_struct* resource)
{
  (void) name;
  (void) resource;
  cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, "cadastre_backend_register_host", "this function");
  return CADASTRE_INVALID_BACKEND;
}

static inline cadastre_exit_code cadastre_backend_get_host_info(cadastre_backend backend, cadastre_host_resource_info_struct* info)
{
  (void) backend;
  (void) info;
  return cadastre_optional_refuse_part(CADASTRE_NULL_CONTEXT, "cadastre_backend_get_host_info", "this function");
}

static inline cadastre_exit_code cadastre_workspace_release_captured(cadastre_context context, cadastre_memory_type type,
                                                                    cadastre_queue queue)
{
  (void) type;
  (void) queue;
  return cadastre_optional_refuse(context, "cadastre_workspace_release_captured");
}

static inline cadastre_exit_code cadastre_workspace_start_size_query(cadastre_context context)
{
  return cadastre_optional_refuse(context, "cadastre_workspace_start_size_query");
}

static inline cadastre_exit_code cadastre_workspace_stop_size_query(cadastre_context context, size_t* bytes)
{
  (void) bytes;
  return cadastre_optional_refuse(context, "cadastre_workspace_stop_size_query");
}

static inline cadastre_exit_code cadastre_workspace_set_optimal_size(cadastre_context context, size_t n, const size_t* sizes)
{
  (void) n;
  (void) sizes;
  return cadastre_optional_refuse(context, "cadastre_workspace_set_optimal_size");
}

static inline cadastre_exit_code cadastre_workspace_get_info(cadastre_context context, cadastre_memory_type type,
                                                            cadastre_workspace_info_struct* info)
{
  (void) type;
  (void) info;
  return cadastre_optional_refuse(context, "cadastre_workspace_get_info");
}
#endif
#endif
