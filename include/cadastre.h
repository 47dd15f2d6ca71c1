/* Tangled from org/api/memory.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Cadastre: a context-tracked registry of memory for numerical libraries.
 *
 * Usable from C99 and C++17. All sizes are in bytes.
 *
 * Functions with a result return an exit code, CADASTRE_SUCCESS or why they failed, and cadastre_last_error() then has
 * a message and the numbers; functions that return a pointer or a handle return NULL or the null handle instead, and
 * cadastre_last_error() has the exit code as well. A call that fails changes nothing, unless its description says what.
 * Any function may also fail with CADASTRE_ALLOCATION_FAILED when no host memory is left for the library's own records,
 * and with CADASTRE_FAILURE and the reason CADASTRE_REASON_INTERNAL_ERROR after an error in the library.
 * A function that takes a context returns CADASTRE_INVALID_CONTEXT (or NULL) when the handle is not that of a live
 * context.
 *
 * Structs: a later version may add fields at the end of any struct except cadastre_memory_info_struct. Each of these
 * therefore begins with its size, by which the library recognizes the version that a program was compiled with. Start
 * from the constant with the name of the struct and _zero, also where a function only writes the struct. An unknown
 * struct_size is refused as an invalid argument.
 *
 * What follows applies to every function; the description of a function says only what differs.
 *
 * @par Thread and signal safety
 * - any thread: every function, also at the same time as other threads and on the same context.
 * - a thread that holds cadastre_lock: every function; calls of other threads on that context wait until it
 *   unlocks.
 * - the callback of cadastre_foreach_block: every function, also to change and to destroy the context, since the
 *   callback gets copies of the records.
 * - the callback of cadastre_set_out_of_memory_function: every function, except to destroy a context on which the
 *   thread has a call in progress, as for an operation of a registered backend. The callback must not wait for a
 *   thread that replaces it. What it requests is refused without another call of a callback.
 * - the I/O functions of the stream given to cadastre_report: every function, as for the callback of
 *   cadastre_foreach_block.
 * - an operation of a registered backend: every function, except to destroy a context on which the thread has a
 *   call in progress: that returns FAILURE with the reason CALLED_FROM_OPERATION. The operation must not wait for a
 *   thread that destroys that context, nor, when its caller holds cadastre_lock, for a thread that makes a call on
 *   that context: the library cannot detect these deadlocks. It returns to the library: after a longjmp out of it
 *   the thread must not call the library again, and the context is never destroyed.
 * - a signal handler: cadastre_get_version and cadastre_get_build_options. Another call that finds its thread
 *   inside the library is refused: it changes nothing and returns FAILURE, or NULL, with the reason
 *   CALLED_FROM_SIGNAL_HANDLER, which cadastre_last_error returns there, too; a destruction may be refused with
 *   CALLED_FROM_OPERATION instead, and cadastre_context_check returns CADASTRE_NULL_CONTEXT. HOST blocks of up to
 *   256 KiB of other contexts may be allocated and freed nevertheless. The call must not interrupt malloc or free
 *   of the C library that the program itself has called, since it may call them, nor a call on a context without a
 *   heap (CADASTRE_HEAP), nor cadastre_report. A handler that finds its thread inside the library may fork. The
 *   parent goes on as if it had not; the child may call _exit or exec, and may return from the handler, to finish
 *   the interrupted call, only if no other thread was inside the library at the fork: else it may wait for ever for
 *   what that thread had locked. The same is true of a child of _Fork, wherever it is called. A call of the
 *   SUNDIALS adapter must not be interrupted by a fork.
 * - a handler of pthread_atfork: every function, if the handler was registered after the library was loaded.
 * - the child of a fork: every function. The child has copies of the contexts, of their blocks and of the locks of
 *   the thread that forked; what other threads had locked or begun is undone. Memory of the cuda and openmp
 *   backends stays the parent's: in the child, allocating or copying it is refused, and freeing it does nothing.
 *   The child does not write the parent's trace, reports and black box.
 * - before main, and while the process exits: every function: in constructors and destructors of static and
 *   thread-local objects, and in handlers of atexit. A vendor's runtime is no longer called after the exit handlers
 *   that were installed since the runtime was opened; its memory is then treated as in the child of a fork.
 * - after dlclose: every function, since the library stays loaded.
 * - a thread that ends or is cancelled: the thread is not cancelled inside the library, except in a callback of
 *   cadastre_foreach_block that enables cancellation; such a callback may also end the thread with pthread_exit.
 *   What the thread has locked with cadastre_lock stays locked.
 * - during the capture of a queue: every function; a call that would wait for the capture, or invalidate it,
 *   returns CAPTURE_ACTIVE and changes nothing, as far as the vendor lets the library detect a capture: see
 *   CADASTRE_DEFAULT_QUEUE in cadastre.h.
 * - after the program resets a device: every function. Memory that contexts have on that device is lost, like all
 *   memory of the device: it must not be accessed, only freed, which fails where the vendor refuses it. Memory that
 *   the vendor returns there again is given to one block only.
 * - a set-user-id or set-group-id program: every function; environment variables that name a file are not read.
 * - an allocator that replaces malloc: nothing, since the library itself calls malloc.
 *
 * @par Locking and blocking
 * - a context, held while a call reads or changes its records, and writes what it did to the trace where
 *   CADASTRE_TRACE is set; never while the call waits for a backend, a vendor, a function of the caller or any
 *   other file. Threads that wait: other threads with calls on this context, for that time; none with calls on
 *   other contexts.
 * - cadastre_lock, held from cadastre_lock until the thread has unlocked as often. Threads that wait: other threads
 *   with calls on this context.
 * - a context that is destroyed, held from cadastre_context_destroy until calls of other threads that are inside
 *   the context have returned. Threads that wait: none, since calls that arrive are refused.
 * - the trace, held while one line is written, which takes at most 10 seconds when the reader of a pipe does not
 *   read; or a thread takes another 64 KiB of a file of records. Threads that wait: other threads with calls that
 *   are traced; with records, those that need 64 KiB more, too.
 * - the right to write a report of CADASTRE_REPORT_ON, held while a call that has returned from the context, a
 *   handler of signals, a thread of the library or the end of the process writes one, which takes at most 10
 *   seconds when the reader of a pipe does not read. Threads that wait: handlers of signals, for a tenth of a
 *   second, and the end of the process, for a second.
 *
 * @par Diagnostics
 * Traces, reports, black boxes and the log file may:
 * - take time and memory, fill a disk, and have a thread of their own where CADASTRE_REPORT_ON names an interval.
 * - use another file name when another process has the file.
 * - report what happened to them: in the output of cadastre info, in each report, and in the file of
 *   CADASTRE_LOG_FILE.
 * - end the program by SIGBUS if another program shortens the file of a trace of records or of a black box while it
 *   is written.
 * They must not:
 * - change the result of a call, the last error, errno, or what signals do but those that CADASTRE_REPORT_ON names:
 *   an output that cannot be written ends, without any other effect.
 * - write into a file of another process, or into a file of the program that got their file descriptor after it was
 *   closed.
 * - print what was not requested.
 * - leave the file of a black box after a normal end.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CADASTRE_H
#define CADASTRE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cadastre_vocabulary.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @name Version and build
 * @{ */

/** Returns the version of the running library.
 *
 * CADASTRE_VERSION is the version of the header that the program was compiled with.
 *
 * @return "MAJOR.MINOR.PATCH", in a string that lives as long as the library; never NULL
 * @par Threads
 *   Any thread, at any time, also in a signal handler. */
CADASTRE_API const char* cadastre_get_version(void);

/** Returns how the running library was built: compiler, flags, host and optional parts, one "name: value" per line.
 *
 * @return a string that lives as long as the library; never NULL
 * @par Threads
 *   Any thread, at any time, also in a signal handler. */
CADASTRE_API const char* cadastre_get_build_options(void);

/** @} */

/** @name Contexts
 * @{ */

/** The handle of a context: of one registry, with one lock and one backend.
 *
 * The handle is a number that the library looks up; it is never dereferenced. After the context is destroyed, its
 * handle never becomes valid again. */
typedef int64_t cadastre_context;
#define CADASTRE_NULL_CONTEXT ((cadastre_context)0) /**< The handle of no context. */
/** The process, above all contexts: their memory counts as its memory.
 *
 * cadastre_get_statistics(), cadastre_reset_high_water_mark(), cadastre_set_limit(), cadastre_pool_trim(),
 * cadastre_report() and cadastre_last_error() take it in place of a context, and so does the option parent. All other
 * functions return CADASTRE_INVALID_CONTEXT for it. */
#define CADASTRE_PROCESS ((cadastre_context)-1)

/** @} */

/** @name Devices
 *
 * A device in a request or in options is one of these values, and a bare number is refused, so that 0 can mean the
 * default. Fields and arguments named device_id contain the vendor's number itself.
 * @{ */

/** In a request: the default device of the context. In the options of a context: the current device of the calling
 * thread. In a result: memory that belongs to no device. */
#define CADASTRE_DEFAULT_DEVICE ((int32_t)0)
/** The device to which the vendor gives the number device_id, which begins at 0. */
#define CADASTRE_DEVICE_BY_ID(device_id) ((int32_t)(1024 + (device_id)))
/** The host, for cadastre_prefetch() and cadastre_advise(), and as the device_id of their operations. */
#define CADASTRE_HOST_DEVICE ((int32_t)-2)

/** @} */

/** @name Limits
 * @{ */

#define CADASTRE_UNLIMITED ((size_t)-1)     /**< No limit. */
#define CADASTRE_LIMIT_NOTHING ((size_t)-2) /**< A limit that refuses everything except blocks of 0 bytes. */

/** @} */

/** @name Queues
 * @{ */

/** A queue: an execution stream of a backend.
 *
 * For the cuda backend it is a cudaStream_t, for the hip backend a hipStream_t, and for the openmp backend an omp_interop_t made with targetsync, or only
 * the default queue where the OpenMP runtime makes none (omp_interop_none). The host backend does all work immediately, and takes any handle for a queue. A
 * queue may be destroyed while work is pending, as far as the vendor allows it. A new queue that gets the same handle is a different queue.
 *
 * CADASTRE_DEFAULT_QUEUE is the default queue of the context: the one set by cadastre_context_set_default_queue(), and
 * initially the default of the backend (for CUDA the legacy default stream). The legacy default stream exists once on
 * each device: a context with blocks on several devices waits for the default streams of all of them, and work that
 * it enqueues on one of them starts after the work already enqueued on the others. A program that is compiled for
 * per-thread default streams passes cudaStreamPerThread where it means that stream.
 *
 * @par Capture
 *   While a CUDA queue is being captured into a graph, in any capture mode:
 *   - Calls that use no queue work as usual: look-ups, statistics, limits, reports, and all calls on HOST memory.
 *   - Memory may be allocated, except in the order of the captured queue. Workspace may be acquired on the captured
 *     queue from memory that the workspace already has.
 *   - Copies and sets on the captured queue become part of the graph, if the call does not wait for them.
 *   - A call that would wait for the captured queue, or for its device, returns CADASTRE_CAPTURE_ACTIVE and changes
 *     nothing, neither in the context nor in the capture. These calls are: to free, resize or destroy anything that
 *     has CUDA memory; to wait; to grow a workspace that already has memory. A block of a caching pool may still be
 *     freed on a queue that is not captured.
 *
 * @par Captures that cannot be detected
 *   The library detects a capture on queues that synchronize with the default stream (created without
 *   cudaStreamNonBlocking), on the default queue of the context, and on the queue that a call names. CUDA has no query
 *   for captures on other queues. Calls that free DEVICE or UVM memory leave such a capture intact, because cudaFree
 *   does the waiting. Calls that must wait for the whole device fail in CUDA, which invalidates such a capture; they
 *   return CADASTRE_CAPTURE_ACTIVE, and the context does not change. Such calls are: to resize a block; and, when the
 *   call names no queue, to free PINNED memory, memory from a pool, memory that was allocated in the order of a queue,
 *   a block that was exported, or any memory of a context with blocks on several devices. HIP waits for a device by a
 *   free, so that these calls leave the capture intact, too, while the device has a byte left. */
typedef void* cadastre_queue;
#define CADASTRE_DEFAULT_QUEUE ((cadastre_queue)0) /**< The default queue of the context. */

/** @} */

/** The options of a new context, for cadastre_context_create_with_options().
 *
 * Start from cadastre_context_options_struct_zero: 0 means the default in every field except struct_size. With a parent,
 * the defaults of backend, device and pool are those of the parent. */
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

/** Initializer: all options have their default values. */
static const cadastre_context_options_struct cadastre_context_options_struct_zero = {sizeof(cadastre_context_options_struct),
                                                                                     CADASTRE_DEFAULT_BACKEND,
                                                                                     CADASTRE_DEFAULT_DEVICE,
                                                                                     CADASTRE_DEFAULT_POOL,
                                                                                     0,
                                                                                     {0},
                                                                                     CADASTRE_NULL_CONTEXT};

/** @name Create a context
 * @{ */

/** Creates a context with the backend, the pools and the limits that the environment variables specify.
 *
 * It is not an error when what CADASTRE_TRACE, CADASTRE_REPORT, CADASTRE_REPORT_ON or CADASTRE_BLACKBOX asks for cannot
 * be had; cadastre_environment_get_info() reports it.
 *
 * @return its handle, which cadastre_context_destroy() takes; or CADASTRE_NULL_CONTEXT, and cadastre_last_error() of
 *   CADASTRE_NULL_CONTEXT reports why:
 *   - CADASTRE_ALLOCATION_FAILED: no host memory, too many contexts, or no memory for a workspace of
 *     CADASTRE_WORKSPACE_SIZE
 *   - CADASTRE_INVALID_ENVIRONMENT: an environment variable has a malformed value, or specifies a limit as a share of
 *     what is unknown on this machine
 *   - CADASTRE_NOT_SUPPORTED: the backend that the environment names is unavailable, or does not support what
 *     CADASTRE_WORKSPACE_SIZE asks for
 *   - CADASTRE_LIMIT_EXCEEDED: a workspace of CADASTRE_WORKSPACE_SIZE exceeds a limit
 *   - CADASTRE_FAILURE: the backend reports an error
 * @par Cost
 *   One small allocation. The first call of a process also reads the environment, and the first context with a backend
 *   starts the runtime of that backend.
 *
 * @code
 * cadastre_context context = cadastre_context_create();
 * if (context == CADASTRE_NULL_CONTEXT) {
 *   cadastre_error_struct error = cadastre_error_struct_zero;
 *   cadastre_last_error(CADASTRE_NULL_CONTEXT, &error);
 *   fprintf(stderr, "%s\n", error.message);
 *   exit(1);
 * }
 * cadastre_context_destroy(context);
 * @endcode */
CADASTRE_API cadastre_context cadastre_context_create(void);

/** Creates a context with the given options.
 *
 * @param options  not NULL; copied
 * @return its handle, which cadastre_context_destroy() takes; or CADASTRE_NULL_CONTEXT, and cadastre_last_error() of
 *   CADASTRE_NULL_CONTEXT reports why:
 *   - CADASTRE_INVALID_ARG_1: NULL; an unknown struct_size, backend, device or pool; a reserved field that is not 0
 *   - CADASTRE_INVALID_CONTEXT: parent is no live context, or was destroyed with its children meanwhile
 *   - CADASTRE_ALLOCATION_FAILED, CADASTRE_INVALID_ENVIRONMENT, CADASTRE_LIMIT_EXCEEDED: as for
 *     cadastre_context_create()
 *   - CADASTRE_NOT_SUPPORTED: the backend is unavailable
 *   - CADASTRE_FAILURE: the clone operation of a registered backend failed, or the backend reports an error
 * @par Cost
 *   As cadastre_context_create().
 *
 * @code
 * cadastre_context_options_struct options = cadastre_context_options_struct_zero;
 * options.backend = CADASTRE_BACKEND_HOST;
 * options.limits[CADASTRE_HOST] = (size_t) 1 << 30;
 * cadastre_context context = cadastre_context_create_with_options(&options);
 * if (context == CADASTRE_NULL_CONTEXT) exit(1);
 * cadastre_context_destroy(context);
 * @endcode */
CADASTRE_API cadastre_context cadastre_context_create_with_options(const cadastre_context_options_struct* options);

/** @} */

/** Writes the options of a context: backend, device and limits as they are now, and the pool as it was given at
 * creation.
 *
 * cadastre_pool_get_info() reports the pool that each memory type has.
 *
 * @param context  a live context
 * @param options  where to write; not NULL; its struct_size is set by the caller
 * @retval CADASTRE_SUCCESS  the options are written
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL, or an unknown struct_size
 * @par Cost
 *   O(1). */
CADASTRE_API cadastre_exit_code cadastre_context_get_options(cadastre_context context, cadastre_context_options_struct* options);

/** Checks whether a handle is that of a live context.
 *
 * The last error is left unchanged, and the call never waits for the context's lock.
 *
 * @param context  any number
 * @return the same number, or CADASTRE_NULL_CONTEXT
 * @par Cost
 *   O(1). */
CADASTRE_API cadastre_context cadastre_context_check(cadastre_context context);

/** What was still alive in a context when it was destroyed, for cadastre_context_destroy_with_summary(). */
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

/** Initializer. */
static const cadastre_destroy_summary_struct cadastre_destroy_summary_struct_zero = {
    sizeof(cadastre_destroy_summary_struct), 0, 0, 0, 0, 0, 0, {0}};

/** @name Destroy a context
 * @{ */

/** Destroys a context: frees every block that it owns, in the backend that the block came from, and removes its
 * records of borrowed memory.
 *
 * The call waits for calls of other threads that are inside the context, and for its lock when another thread holds
 * it; a thread that holds the lock itself may destroy the context. Calls that arrive during the destruction are
 * refused.
 *
 * @param context  a live context
 * @retval CADASTRE_SUCCESS  the context is destroyed
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_CAPTURE_ACTIVE  a queue is being captured (see cadastre_queue); the context is unchanged
 * @retval CADASTRE_FAILURE  the context has children; or the call was made from an operation of a registered backend
 *   that works for this context, so that it would wait for itself; the context is unchanged
 * @retval CADASTRE_DEALLOCATION_FAILED  the context is destroyed, but a backend could not free a block, or a registered
 *   backend could not destroy its clone; the last error reports which
 * @par Cost
 *   One backend free per live block. */
CADASTRE_API cadastre_exit_code cadastre_context_destroy(cadastre_context context);

/** As cadastre_context_destroy(), and reports what was still alive.
 *
 * @param context  a live context
 * @param summary  NULL, or where to write what was still alive; written when the context has been destroyed, also with
 *   CADASTRE_DEALLOCATION_FAILED
 * @retval CADASTRE_SUCCESS  the context is destroyed
 * @retval CADASTRE_INVALID_ARG_2  summary has an unknown struct_size; the context is unchanged
 * @retval CADASTRE_INVALID_CONTEXT,CADASTRE_CAPTURE_ACTIVE,CADASTRE_FAILURE,CADASTRE_DEALLOCATION_FAILED  as for
 *   cadastre_context_destroy()
 * @par Cost
 *   As cadastre_context_destroy(). */
CADASTRE_API cadastre_exit_code cadastre_context_destroy_with_summary(cadastre_context context, cadastre_destroy_summary_struct* summary);

/** Destroys a context and all contexts below it, as cadastre_context_destroy() does, children before their parent.
 *
 * Meanwhile no context can be created below it. When a child cannot be destroyed, neither is the context; the children
 * that were destroyed before it are gone.
 *
 * @param context  a live context
 * @param summary  NULL, or where to write the sum of what was still alive in all of them, with the label that has the most
 *   bytes in all of them together; written when the context has been destroyed, also with CADASTRE_DEALLOCATION_FAILED
 * @retval CADASTRE_SUCCESS  the context and all below it are destroyed
 * @retval CADASTRE_INVALID_ARG_2  summary has an unknown struct_size; nothing is destroyed
 * @retval CADASTRE_FAILURE  called from an operation of a registered backend that works for one of them
 * @retval CADASTRE_INVALID_CONTEXT,CADASTRE_CAPTURE_ACTIVE,CADASTRE_DEALLOCATION_FAILED  as for
 *   cadastre_context_destroy(), of one of them; the last error of the context reports it
 * @par Cost
 *   That of destroying each, and for each a look at every context of the process. */
CADASTRE_API cadastre_exit_code cadastre_context_destroy_with_children(cadastre_context context, cadastre_destroy_summary_struct* summary);

/** @} */

/** @name Lock a context
 * @{ */

/** Locks a context for the calling thread: calls of other threads on this context wait until the thread has called
 * cadastre_unlock() as often as cadastre_lock().
 *
 * The thread that holds the lock may call every function. A thread that ends while it holds the lock keeps it; calls
 * of other threads on this context then wait for ever.
 *
 * @param context  a live context
 * @retval CADASTRE_SUCCESS  the calling thread holds the lock
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle, or it was destroyed while the call waited
 * @retval CADASTRE_FAILURE  the thread has locked it 2147483647 times already
 * @par Cost
 *   O(1); waits while another thread holds the lock. */
CADASTRE_API cadastre_exit_code cadastre_lock(cadastre_context context);

/** Undoes one cadastre_lock() of the calling thread.
 *
 * @param context  a live context
 * @retval CADASTRE_SUCCESS  one lock is undone
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_FAILURE  the calling thread does not hold the lock
 * @par Cost
 *   O(1); like every call on the context, it waits while another thread holds the lock. */
CADASTRE_API cadastre_exit_code cadastre_unlock(cadastre_context context);

/** @} */

/** The last failure of the calling thread on one context, as cadastre_last_error() writes it.
 *
 * Numbers that do not apply are 0, pointers NULL, strings "". */
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

/** Initializer. */
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

/** Writes why the calling thread's last failing call on a context failed.
 *
 * A call that succeeds leaves this information unchanged. A thread remembers the last failure of each of the 8
 * contexts on which it failed most recently.
 *
 * An unknown pointer is looked for in the other contexts only here, so that a failed look-up stays cheap: the reason
 * becomes CADASTRE_REASON_OTHER_CONTEXT when the address lies in a block of another context at the time of this call.
 *
 * @param context  any number: a context; CADASTRE_NULL_CONTEXT for functions without a context, such as
 *   cadastre_context_create(); after a call that refused a handle, that handle
 * @param error  where to write; not NULL; its exit_code is CADASTRE_SUCCESS when no failure is remembered
 * @retval CADASTRE_SUCCESS  the failure is written, or that there is none
 * @retval CADASTRE_INVALID_ARG_2  NULL, or an unknown struct_size; this failure is not remembered, the one before stays
 * @par Cost
 *   O(1); after a failed look-up, a look-up in each other context.
 *
 * @code
 * if (cadastre_free(context, NULL) != CADASTRE_SUCCESS) {
 *   cadastre_error_struct error = cadastre_error_struct_zero;
 *   cadastre_last_error(context, &error);
 *   fprintf(stderr, "%s\n", error.message);
 * }
 * @endcode */
CADASTRE_API cadastre_exit_code cadastre_last_error(cadastre_context context, cadastre_error_struct* error);

/** A request for a block, and the description of a block in the registry.
 *
 * The struct keeps its size and its fields in all later versions; reserved is room for fields for which 0 is the
 * default. A struct that begins as {0}, or with designated initializers, is thus a request in which every field that
 * is not set has its default. The order of the fields is part of the interface, as designated initializers of C++ need it.
 *
 * A result can be passed as a request after flags &= CADASTRE_UNINITIALIZED: the other flags of a result are refused in a
 * request. */
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

/** Initializer of a request: HOST memory, on the default device and backend, everything else 0. */
static const cadastre_memory_info_struct cadastre_memory_info_struct_zero = {
    0, NULL, CADASTRE_HOST, CADASTRE_DEFAULT_DEVICE, 0, 0, 0, CADASTRE_DEFAULT_BACKEND, NULL, 0, {0}};

/** Allocates a block and records it in the registry.
 *
 * Its bytes are zero, on every memory type, unless info.flags contains CADASTRE_UNINITIALIZED; on a device the backend
 * sets them, which costs about as much as a memset of the vendor. HOST memory that the backend does not support
 * comes from the host backend.
 *
 * HOST blocks lie in memory of the library's own, not in that of malloc: free(), realloc(), delete or deallocate
 * must not be called for them. Where a program does it all the same:
 * - With libcadastre_qmckl preloaded, or linked before the C library, such a call frees the block as cadastre_free() does;
 *   realloc() moves its contents to memory of malloc. Reports list these blocks by label, and statistics count them in
 *   untracked_deallocations. An address that is no block any more is refused, with a line on the standard error.
 * - Without it, malloc may be corrupted. cadastre_context_set_plain_free() takes the blocks of one context from malloc,
 *   CADASTRE_HEAP=off those of all: malloc is unharmed, but the record stays, as cadastre_context_set_plain_free() says.
 *
 * @param context  a live context
 * @param info  the request: size in bytes, and what else is not the default, see cadastre_memory_info_struct
 * @return the first byte, owned by the context until cadastre_free() or the destruction of the context; or NULL, and
 *   cadastre_last_error() reports why:
 *   - CADASTRE_INVALID_CONTEXT: no live context has this handle
 *   - CADASTRE_INVALID_ARG_2: alignment, memory type, device, backend, flags, label, a reserved field that is not 0, or
 *     a size that exceeds the largest possible allocation
 *   - CADASTRE_NOT_SUPPORTED: the backend is unavailable, or does not support this memory type or alignment, or
 *     CADASTRE_EXPORTABLE for it
 *   - CADASTRE_LIMIT_EXCEEDED: a limit of the context leaves fewer bytes, see cadastre_set_limit()
 *   - CADASTRE_ALLOCATION_FAILED: the backend has no memory left, reports another error, or returned a misaligned
 *     address; or the host has no memory for the record: the reason says which
 * @par Queues
 *   The block is ready for use on every queue when the call returns.
 * @par Cost
 *   O(1), and the backend's allocation, during which no lock is held. Large blocks of HOST memory come zeroed from the
 *   operating system and are not touched.
 *
 * @code
 * cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
 * info.size = 1000 * sizeof(double);
 * info.type = CADASTRE_HOST;
 * info.label = "density";
 * double* density = cadastre_malloc(context, info);
 * if (!density) return CADASTRE_ALLOCATION_FAILED;
 * density[0] = 1;
 * return cadastre_free(context, density);
 * @endcode */
CADASTRE_API void* cadastre_malloc(cadastre_context context, const cadastre_memory_info_struct info);

/** Allocates a block of HOST memory, as cadastre_malloc() does, with the request in registers.
 *
 * Where a compiler that knows how sees that a call of cadastre_malloc() asks for no more than this, it calls this function
 * instead: a program gains by it without a change. It works in programs of all languages, and may be called directly.
 *
 * @param context  a live context
 * @param size  bytes; 0 gives a block of its own
 * @param alignment  a power of two, or 0 for the default, as in cadastre_memory_info_struct
 * @param flags  CADASTRE_UNINITIALIZED, or 0 for zeroed memory
 * @param label  a text of at most 255 characters, which is copied; or NULL
 * @return as cadastre_malloc(), with the same errors: cadastre_last_error() names that function
 * @par Threads
 *   Any.
 * @par Queues
 *   As cadastre_malloc().
 * @par Cost
 *   As cadastre_malloc(), less what it takes to write and to read the request. */
CADASTRE_API void* cadastre_malloc_plain(cadastre_context context, size_t size, size_t alignment, cadastre_flags flags, const char* label);

#if !defined(CADASTRE_NO_INLINE) && defined(__GNUC__) && defined(__OPTIMIZE__) && defined(__ELF__) && \
    (defined(__cplusplus) || !defined(__STRICT_ANSI__))
/* The function of that name, for what the one below does not see to be plain. */
extern void* cadastre_malloc_by_value(cadastre_context context, const cadastre_memory_info_struct info) __asm__("cadastre_malloc");

extern __inline__ __attribute__((__always_inline__, __gnu_inline__)) void* cadastre_malloc(cadastre_context context,
                                                                                           const cadastre_memory_info_struct info) {
  const int fits = info.type == CADASTRE_HOST && info.backend == CADASTRE_DEFAULT_BACKEND && info.stride == 0 &&
                   (info.reserved[0] | info.reserved[1] | info.reserved[2] | info.reserved[3] | info.reserved[4] | info.reserved[5] |
                    info.reserved[6] | info.reserved[7] | info.reserved[8]) == 0;
  if (__builtin_constant_p(fits) && fits) return cadastre_malloc_plain(context, info.size, info.alignment, info.flags, info.label);
  return cadastre_malloc_by_value(context, info);
}
#endif

/** Frees a block that the context owns.
 *
 * A block that is freed again is refused as long as nothing else has its address. Afterwards the address is that of the
 * new block, and the second free is one of that.
 *
 * @param context  the context that owns the block
 * @param ptr  the first byte of the block; not NULL
 * @retval CADASTRE_SUCCESS  the block is freed
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL, unknown, inside a block, already freed, borrowed, memory of a workspace, of
 *   another context: the reason says which
 * @retval CADASTRE_CAPTURE_ACTIVE  a queue is being captured (see cadastre_queue); the block is unchanged
 * @retval CADASTRE_DEALLOCATION_FAILED  the backend could not free the memory; the record is removed, and counted in
 *   failed_deallocations
 * @par Queues
 *   A block may be freed while a queue still uses it. DEVICE, UVM and PINNED memory: the call waits until the devices
 *   on which the context has blocks have completed all work that was enqueued on their queues before. HOST memory:
 *   copies from and to it that were started by cadastre_memcpy_async() must be complete; wait with
 *   cadastre_synchronize().
 * @par Cost
 *   O(1), and the backend's free, during which no lock is held.
 *
 * @code
 * cadastre_memory_info_struct info = {0};
 * info.size = 100;
 * void* block = cadastre_malloc(context, info);
 * cadastre_exit_code code = cadastre_free(context, block);
 * if (code != CADASTRE_SUCCESS) fprintf(stderr, "%s\n", cadastre_string_of_error(code));
 * @endcode */
CADASTRE_API cadastre_exit_code cadastre_free(cadastre_context context, void* const ptr);

/** Returns the label with a text, for the field label of requests.
 *
 * The library stores a text once in a process, and a request whose label is a stored one is faster than one with any
 * other text, which is compared with those that are stored. Requests with equal texts have the same label either way.
 *
 * @param text  up to 255 characters; not NULL; copied
 * @return the stored text, which lives as long as the process, so a program should have few different ones; equal texts
 *   have the same address. Or NULL, and cadastre_last_error() of CADASTRE_NULL_CONTEXT reports why:
 *   - CADASTRE_INVALID_ARG_1: NULL, or longer than 255 characters
 *   - CADASTRE_ALLOCATION_FAILED: no host memory
 * @par Threads
 *   Any thread at any time, also in callbacks and in a forked child; the call takes no lock.
 * @par Cost
 *   O(length).
 *
 * @code
 * static const char* density;
 * if (!density) density = cadastre_label("density");
 * cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
 * info.label = density;
 * @endcode */
CADASTRE_API const char* cadastre_label(const char* text);

/** Changes the size of a block that the context owns.
 *
 * Contents up to the smaller size, label, memory type, device, alignment and stride stay; bytes beyond the old size are
 * zero unless the block was allocated with CADASTRE_UNINITIALIZED. The block may move. A block with
 * CADASTRE_STREAM_ORDERED becomes an ordinary block.
 *
 * @param context  the context that owns the block
 * @param ptr  the first byte of the block; not NULL
 * @param size  the new size in bytes; 0 keeps a block of 0 bytes
 * @return the first byte of the resized block; or NULL, and the block at ptr is unchanged, and cadastre_last_error()
 *   reports why:
 *   - CADASTRE_INVALID_CONTEXT: no live context has this handle
 *   - CADASTRE_INVALID_ARG_2: not a block that can be resized, as for cadastre_free()
 *   - CADASTRE_INVALID_ARG_3: the size exceeds the largest possible allocation
 *   - CADASTRE_LIMIT_EXCEEDED, CADASTRE_ALLOCATION_FAILED: as for cadastre_malloc()
 *   - CADASTRE_FAILURE: the copy failed
 *   - CADASTRE_CAPTURE_ACTIVE: a queue is being captured, see cadastre_queue
 *   - CADASTRE_DEALLOCATION_FAILED: the old block could not be freed
 * @par Queues
 *   As cadastre_free() of the old block. Work on it that is enqueued on queues of the context's devices is completed
 *   first: the new block contains what this work writes.
 * @par Cost
 *   O(1) in the registry; in place where the backend supports it, else an allocation, a copy and a free. */
CADASTRE_API void* cadastre_realloc(cadastre_context context, void* const ptr, size_t size);

/** Allocates a block in the order of a queue: work that is enqueued on this queue may use the block at once, and work
 * on other queues after they have waited for this queue.
 *
 * The block may reuse memory that earlier work on this queue has just freed. This applies to DEVICE memory of a cuda
 * device with memory pools (cudaMallocAsync), and to PINNED, DEVICE and UVM memory of a cuda device where the pool of
 * the context for that type is CADASTRE_POOL_CACHING. All other blocks are allocated as by cadastre_malloc(), and are ready on every queue. The flag
 * CADASTRE_STREAM_ORDERED that cadastre_get_malloc_info() writes shows which case applies.
 *
 * @param context,info  as for cadastre_malloc()
 * @param queue  CADASTRE_DEFAULT_QUEUE, or a queue of the context's backend, on the block's device; a block of another
 *   backend is allocated as by cadastre_malloc()
 * @return as cadastre_malloc(), with its exit codes; or NULL with
 *   - CADASTRE_CAPTURE_ACTIVE: the queue is being captured, and the block would be ordered by it
 * @par Cost
 *   As cadastre_malloc(); the caller does not wait for the queue. The pool of the device from which cudaMallocAsync
 *   allocates releases what is free when something waits for a queue, an event or the device, as cadastre_free() does,
 *   unless the program has set the release threshold of that pool. */
CADASTRE_API void* cadastre_malloc_async(cadastre_context context, const cadastre_memory_info_struct info, cadastre_queue queue);

/** Allocates a block as cadastre_malloc_async(), for elements that begin info.stride bytes apart.
 *
 * cadastre_memcpy_strided() then uses the stride of the block.
 *
 * @param context,queue  as for cadastre_malloc_async()
 * @param info  as for cadastre_malloc(); size is the size of the whole block, stride from 1 to size
 * @return as cadastre_malloc_async(), with its exit codes; or NULL with
 *   - CADASTRE_INVALID_ARG_2: also when info.stride is 0 or more than info.size
 * @par Cost
 *   As cadastre_malloc_async(). */
CADASTRE_API void* cadastre_malloc_strided(cadastre_context context, const cadastre_memory_info_struct info, cadastre_queue queue);

/** Frees a block in the order of a queue: its memory is freed when the queue has completed the work enqueued on it so
 * far, and only work on that queue may still use it.
 *
 * A block with CADASTRE_STREAM_ORDERED is released without waiting; so is a block of a caching pool of a kind that
 * cadastre_malloc_async() allocates with that flag, unless the queue is cudaStreamPerThread. For any other block the
 * call waits for the queue and then frees as cadastre_free() does. A caching pool enqueues no work on the default queue
 * for this call, so that the call does not make CUDA streams wait for one another through the default stream.
 *
 * @param context,ptr  as for cadastre_free()
 * @param queue  as for cadastre_malloc_async()
 * @retval CADASTRE_SUCCESS  the block is freed, or will be when the queue has completed its work
 * @retval CADASTRE_INVALID_CONTEXT,CADASTRE_INVALID_ARG_2,CADASTRE_DEALLOCATION_FAILED  as for cadastre_free()
 * @retval CADASTRE_FAILURE  the queue cannot be waited for; the block is unchanged; a caching pool waits for the
 *   block's device instead
 * @retval CADASTRE_CAPTURE_ACTIVE  the queue is being captured, or see cadastre_queue; the block is unchanged
 * @par Cost
 *   As cadastre_free(). */
CADASTRE_API cadastre_exit_code cadastre_free_async(cadastre_context context, void* const ptr, cadastre_queue queue);

/** Writes the description of a block, owned or borrowed.
 *
 * @param context  a live context
 * @param ptr  the first byte of the block; never dereferenced
 * @param info  where to write; not NULL; unchanged on failure
 * @retval CADASTRE_SUCCESS  the description is written
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL, unknown, inside a block, or already freed: the reason says which
 * @retval CADASTRE_INVALID_ARG_3  info is NULL
 * @par Cost
 *   O(1), also for an unknown pointer. */
CADASTRE_API cadastre_exit_code cadastre_get_malloc_info(cadastre_context context, const void* ptr, cadastre_memory_info_struct* info);

/** Writes how many bytes of memory a block occupies.
 *
 * A caching pool rounds requests up, and may return more than was requested. For any other block only the requested
 * size is known, and this is the result. Only the requested bytes may be used.
 *
 * @param context,ptr  as for cadastre_get_malloc_info()
 * @param size  where to write the number of bytes; not NULL; unchanged on failure
 * @retval CADASTRE_SUCCESS  the number is written
 * @retval CADASTRE_INVALID_CONTEXT,CADASTRE_INVALID_ARG_2  as for cadastre_get_malloc_info()
 * @retval CADASTRE_INVALID_ARG_3  size is NULL
 * @par Cost
 *   O(1). */
CADASTRE_API cadastre_exit_code cadastre_get_allocated_size(cadastre_context context, const void* ptr, size_t* size);

/** Finds the block in which an address lies, and the offset of the address in it.
 *
 * A block of 0 bytes is found by its own address only. Where borrowed ranges enclose other blocks, the innermost is
 * found.
 *
 * @param context  a live context
 * @param address  any; never dereferenced
 * @param info  where to write the description of the block; NULL if not wanted; unchanged on failure
 * @param offset  where to write the bytes from the block's first byte to the address; NULL if not wanted; unchanged on
 *   failure
 * @retval CADASTRE_SUCCESS  the block is found
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL, in no block, or in a block that was freed
 * @par Cost
 *   O(1); for memory that is not from the C library's heap, O(1) for each power of two among the sizes of such blocks,
 *   of which there are at most 64.
 *
 * @code
 * cadastre_memory_info_struct request = {0}, info = {0};
 * request.size = 100;
 * char* block = cadastre_malloc(context, request);
 * if (!block) return CADASTRE_ALLOCATION_FAILED;
 * size_t offset = 0;
 * if (cadastre_find_block(context, block + 30, &info, &offset) == CADASTRE_SUCCESS) {
 *   printf("byte %zu of a block of %zu bytes, which begins at %p\n", offset, info.size, info.pointer);
 * }
 * return cadastre_free(context, info.pointer);
 * @endcode */
CADASTRE_API cadastre_exit_code cadastre_find_block(cadastre_context context, const void* address, cadastre_memory_info_struct* info,
                                                    size_t* offset);

/** @name Copy
 * @{ */

/** Copies bytes between two ranges, each of them in a block of this context, owned or borrowed, or in unregistered host
 * memory.
 *
 * The kind of transfer follows from the records: any memory type to any other, any device to any other, one backend to
 * another (between DEVICE memory of two backends, the copy is staged through the host). Both ranges are checked before
 * any byte is copied.
 *
 * Unregistered host memory is an address that is in no block of the context and that the context's backend does not
 * recognize as its own. The caller guarantees that memory exists there. Memory of a device that another context allocated
 * takes part when it is recorded in this context, by cadastre_wrap().
 *
 * @param context  a live context
 * @param dest,src  addresses anywhere in a block, or in unregistered host memory
 * @param size  bytes; with 0 the call succeeds, whatever the addresses are. A copy of a range onto itself succeeds and
 *   moves nothing. Ranges that overlap in part are refused, also in unregistered host memory: the call is no memmove
 * @retval CADASTRE_SUCCESS  the bytes are copied
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2,CADASTRE_INVALID_ARG_3  dest or src is NULL, or device memory that is not in this
 *   context or was freed; for ranges that overlap in part CADASTRE_INVALID_ARG_2
 * @retval CADASTRE_OUT_OF_BOUNDS  the range leaves its block, which for memory that the host can access may be a block
 *   of another context
 * @retval CADASTRE_INVALID_ARG_4  the size, in unregistered host memory, exceeds the largest possible allocation
 * @retval CADASTRE_NOT_SUPPORTED  the backend that must copy is unavailable or cannot access the memory
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory for staging
 * @retval CADASTRE_CAPTURE_ACTIVE  the call would wait for a queue that is being captured, see cadastre_queue
 * @retval CADASTRE_FAILURE  the backend reports an error
 * @par Queues
 *   The copy comes after the work enqueued on the default queue, and is complete when the call returns. When both
 *   ranges are HOST or unregistered host memory the call waits for no queue: first wait for asynchronous copies from or
 *   to these ranges.
 * @par Threads
 *   Any thread; the caller ensures that no other thread frees a block while it is copied.
 * @par Cost
 *   Look-up of both addresses, and the copy, during which no lock is held.
 *
 * @code
 * cadastre_memory_info_struct info = {0};
 * info.size = 10 * sizeof(double);
 * info.type = CADASTRE_DEVICE;
 * double x[10] = {1, 2, 3};
 * double* there = cadastre_malloc(context, info);
 * if (!there) return CADASTRE_NOT_SUPPORTED;
 * cadastre_exit_code code = cadastre_memcpy(context, there, x, sizeof x);  // to the device
 * if (code == CADASTRE_SUCCESS) code = cadastre_memcpy(context, x, there + 5, 3 * sizeof x[0]);
 * cadastre_free(context, there);
 * return code;
 * @endcode */
CADASTRE_API cadastre_exit_code cadastre_memcpy(cadastre_context context, void* const dest, const void* const src, size_t size);

/** Copies as cadastre_memcpy(), enqueued on a queue: the call may return before the copy is complete.
 *
 * @param context,dest,src,size  as for cadastre_memcpy(); both ranges must stay valid, and unchanged, until the queue
 *   has completed the copy
 * @param queue  CADASTRE_DEFAULT_QUEUE, or a queue of the backend that copies
 * @return as cadastre_memcpy()
 * @par Queues
 *   The call itself waits where the backend cannot copy asynchronously: always on the host and openmp backends, between
 *   two backends, and from or to HOST memory as described in the CUDA programming guide.
 * @par Cost
 *   As cadastre_memcpy(). */
CADASTRE_API cadastre_exit_code cadastre_memcpy_async(cadastre_context context, void* const dest, const void* const src, size_t size,
                                                      cadastre_queue queue);

/** @} */

/** @name Copy elements
 * @{ */

/** Copies count elements of width bytes each.
 *
 * On either side the elements begin one stride apart, which is the stride of the block; in a block without a stride,
 * and in unregistered host memory, they are contiguous.
 *
 * @param context,dest,src  as for cadastre_memcpy()
 * @param width  bytes of an element; at most each of the strides; with 0 the call succeeds
 * @param count  elements; with 0 the call succeeds
 * @retval CADASTRE_INVALID_ARG_4  width is more than a stride
 * @retval CADASTRE_INVALID_ARG_5  count elements exceed the largest possible allocation
 * @return otherwise as cadastre_memcpy()
 * @par Queues
 *   As cadastre_memcpy().
 * @par Cost
 *   As cadastre_memcpy(). */
CADASTRE_API cadastre_exit_code cadastre_memcpy_strided(cadastre_context context, void* const dest, const void* const src, size_t width,
                                                        size_t count);

/** Copies as cadastre_memcpy_strided(), enqueued on a queue as by cadastre_memcpy_async().
 *
 * @param context,dest,src,width,count  as for cadastre_memcpy_strided()
 * @param queue  as for cadastre_memcpy_async()
 * @return as cadastre_memcpy_strided() */
CADASTRE_API cadastre_exit_code cadastre_memcpy_strided_async(cadastre_context context, void* const dest, const void* const src,
                                                              size_t width, size_t count, cadastre_queue queue);

/** @} */

/** @name Set
 * @{ */

/** Sets bytes, in a block of this context or in unregistered host memory (see cadastre_memcpy()).
 *
 * @param context  a live context
 * @param dest  an address anywhere in a block, or in unregistered host memory
 * @param value  its low 8 bits go into every byte
 * @param size  bytes; with 0 the call succeeds
 * @return as cadastre_memcpy() with dest alone
 * @par Queues
 *   As cadastre_memcpy().
 * @par Cost
 *   As cadastre_memcpy(). */
CADASTRE_API cadastre_exit_code cadastre_memset(cadastre_context context, void* const dest, int value, size_t size);

/** Sets as cadastre_memset(), enqueued on a queue as by cadastre_memcpy_async().
 *
 * @param context,dest,value,size  as for cadastre_memset()
 * @param queue  as for cadastre_memcpy_async()
 * @return as cadastre_memset() */
CADASTRE_API cadastre_exit_code cadastre_memset_async(cadastre_context context, void* const dest, int value, size_t size,
                                                      cadastre_queue queue);

/** @} */

/** @name The default queue
 * @{ */

/** Sets the queue that CADASTRE_DEFAULT_QUEUE means on this context.
 *
 * @param context  a live context
 * @param queue  a queue of the context's backend, which stays the caller's and must exist while it is set; it is not
 *   checked. CADASTRE_DEFAULT_QUEUE restores the backend's default
 * @retval CADASTRE_SUCCESS  the queue is set
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @par Cost
 *   O(1). */
CADASTRE_API cadastre_exit_code cadastre_context_set_default_queue(cadastre_context context, cadastre_queue queue);

/** Writes the queue that CADASTRE_DEFAULT_QUEUE means on this context.
 *
 * @param context  a live context
 * @param queue  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the queue is written
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL
 * @par Cost
 *   O(1). */
CADASTRE_API cadastre_exit_code cadastre_context_get_default_queue(cadastre_context context, cadastre_queue* queue);

/** @} */

/** Waits until a queue has completed all work that was enqueued on it before.
 *
 * @param context  a live context
 * @param queue  CADASTRE_DEFAULT_QUEUE or a queue of the context's backend
 * @retval CADASTRE_SUCCESS  the work is complete
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_CAPTURE_ACTIVE  the queue is being captured, see cadastre_queue
 * @retval CADASTRE_FAILURE  the backend reports an error, which may be an error of earlier work on the device
 * @par Cost
 *   The wait, during which no lock is held. */
CADASTRE_API cadastre_exit_code cadastre_synchronize(cadastre_context context, cadastre_queue queue);

/** @name Hints about UVM memory
 * @{ */

/** Prefetches a range of UVM memory to a device.
 *
 * A hint that cannot be applied is ignored, which is not an error: another memory type, a device without managed
 * memory, a backend without hints.
 *
 * @param context  a live context
 * @param address  in a block of this context
 * @param bytes  within that block; with 0 the call succeeds, and the hint is ignored
 * @param device  CADASTRE_DEFAULT_DEVICE (the block's own), CADASTRE_HOST_DEVICE, or CADASTRE_DEVICE_BY_ID(id) for a
 *   device of the block's backend
 * @param queue  as for cadastre_memcpy_async()
 * @param applied  NULL, or where to write 1 (applied) or 0 (ignored)
 * @retval CADASTRE_SUCCESS  the hint is applied or ignored
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL, or in no block of this context
 * @retval CADASTRE_OUT_OF_BOUNDS  the range leaves the block
 * @retval CADASTRE_INVALID_ARG_4  for UVM memory: no such device
 * @retval CADASTRE_FAILURE  the backend reports an error of earlier work
 * @par Cost
 *   O(1) and the backend's call. */
CADASTRE_API cadastre_exit_code cadastre_prefetch(cadastre_context context, const void* const address, size_t bytes, int32_t device,
                                                  cadastre_queue queue, int32_t* applied);

/** Advises the backend how a range of UVM memory will be used. A hint that cannot be applied is ignored, as by
 * cadastre_prefetch().
 *
 * @param context,address,bytes,device,applied  as for cadastre_prefetch()
 * @param advice  one of the values of cadastre_advice
 * @retval CADASTRE_SUCCESS  the hint is applied or ignored
 * @retval CADASTRE_INVALID_CONTEXT,CADASTRE_INVALID_ARG_2,CADASTRE_OUT_OF_BOUNDS,CADASTRE_FAILURE  as for
 *   cadastre_prefetch()
 * @retval CADASTRE_INVALID_ARG_4  no such advice
 * @retval CADASTRE_INVALID_ARG_5  for UVM memory: no such device
 * @par Cost
 *   O(1) and the backend's call. */
CADASTRE_API cadastre_exit_code cadastre_advise(cadastre_context context, const void* const address, size_t bytes, cadastre_advice advice,
                                                int32_t device, int32_t* applied);

/** @} */

/** Records memory that another owner allocates and frees, so that look-ups find it. It counts as a borrowed block, not
 * as bytes in use, and not against limits.
 *
 * The first and the last byte of the range must lie in no block, owned or borrowed. The range may enclose other blocks,
 * and look-ups then find the innermost. A range of 0 bytes is found by its own address only.
 *
 * A borrowed record is dropped when a backend returns memory of the range for a new block, if the block begins at the
 * first byte of the range, if each of the two extends beyond the other, or if the range lies within the block: the
 * owner must then have freed the memory.
 *
 * @param context  a live context
 * @param info  pointer (not NULL), size (bytes), type and device describe the memory; alignment, stride and label are
 *   recorded, an alignment of 0 as the largest power of two, up to 4096, that divides the address
 * @retval CADASTRE_SUCCESS  the memory is recorded
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  pointer is NULL or the range wraps around the address space; unknown memory type or
 *   flags; no such device or backend; an alignment that is invalid or that the address does not have; a label that is
 *   too long; a reserved field that is not 0; an overlap as described above
 * @retval CADASTRE_NOT_SUPPORTED  the backend is unavailable
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory for the record
 * @par Cost
 *   As cadastre_find_block(). */
CADASTRE_API cadastre_exit_code cadastre_wrap(cadastre_context context, const cadastre_memory_info_struct info);

/** Removes borrowed memory from the registry; the memory itself is not touched.
 *
 * @param context  the context in which the memory is recorded
 * @param ptr  the pointer that was passed to cadastre_wrap()
 * @retval CADASTRE_SUCCESS  the record is removed
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL, unknown, a block that the context owns, or a buffer that is a workspace
 * @par Cost
 *   O(1). */
CADASTRE_API cadastre_exit_code cadastre_unwrap(cadastre_context context, const void* ptr);

/** @name Memory that processes share
 *
 * Which memory other processes, and the libraries that talk to them, can use:
 * - DEVICE memory of cudaMalloc and hipMalloc (cadastre_malloc(), all memory of caching pools, CADASTRE_EXPORTABLE):
 *   cudaIpcGetMemHandle and hipIpcGetMemHandle take it, and UCX and libfabric map it in other processes.
 * - DEVICE memory of cudaMallocAsync and hipMallocAsync (cadastre_malloc_async() and stream-ordered workspaces, in contexts
 *   without a pool for DEVICE memory), and UVM: the vendors' functions do not take it. UCX copies it through buffers of its
 *   own, what is of cudaMallocAsync from version 1.14 on.
 * - PINNED and HOST: memory of the host to all of them.
 *
 * Buffers that NCCL is to register for NVLink SHARP must be of ncclMemAlloc() or another allocator by cuMemCreate, which none
 * of these kinds is.
 *
 * A library that maps a block in other processes may have it open after the message has arrived. It can see when memory goes
 * back to the vendor. It cannot see that a block of a caching pool is freed: the block stays mapped, and those processes can
 * read and write what the next user of the memory has there.
 * @{ */

/** What names an exported block for other processes: bytes to be sent as they are, as by MPI_Send() with MPI_BYTE.
 *
 * They say the version of their layout, the size of the block, the device, the exporting process, and what the vendor
 * needs. A handle is for processes of the same user on the same node that see each other in /proc, and whose library is of
 * this version of handles. It is not a secret: such a process could write one. */
typedef struct cadastre_ipc_handle_struct {
  unsigned char bytes[256]; /**< opaque */
} cadastre_ipc_handle_struct;

/** Exports a block, so that other processes can open it with cadastre_ipc_import().
 *
 * A vendor shares whole segments of memory, with all that is in them. Therefore only a block can be exported that was
 * allocated with CADASTRE_EXPORTABLE in info.flags. Such a block is DEVICE memory by cudaMalloc or hipMalloc, whatever pool the
 * context has; it takes whole segments of 2 MiB, which no other block shares. With CADASTRE_SHARED_SEGMENT it takes its size, and
 * other blocks of this process may lie in the segment that importers can then read and write.
 *
 * A block may be exported several times, and imported by several processes. cadastre_free(), cadastre_realloc(), cadastre_free_all()
 * and the destruction of the context do not wait for them: the block leaves the context, and no process can import it any more. If a
 * process has it open, its memory stays until every such process has closed it or has ended in any way. It is then returned to
 * the vendor by a later call that allocates or frees an exportable block, by cadastre_pool_trim(), or when memory is missing. Until
 * then it counts against the limit of the process, and against that of no context.
 *
 * @param context  a live context
 * @param ptr  the first byte of a block that the context owns
 * @param handle  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the handle is written
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL, unknown, not the first byte of a block, borrowed, memory of a workspace, or a
 *   block that was allocated without CADASTRE_EXPORTABLE
 * @retval CADASTRE_INVALID_ARG_3  NULL
 * @retval CADASTRE_FAILURE  the backend reports an error, or the system gives no file (see Cost)
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory for the record
 * @par Threads
 *   Any. After a fork, the child exports nothing of its parent's.
 * @par Queues
 *   Nothing is waited for: work on the block is ordered between processes by what they agree on, as by a message that is
 *   sent after cadastre_synchronize().
 * @par Cost
 *   Some calls of the vendor, of which one describes the device. The first export of a process opens one file in memory, without a name.
 *
 * @code
 * cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
 * info.size = 1 << 20;
 * info.type = CADASTRE_DEVICE;
 * info.flags = CADASTRE_EXPORTABLE;
 * void* block = cadastre_malloc(context, info);
 * cadastre_ipc_handle_struct handle;
 * if (block && cadastre_ipc_export(context, block, &handle) == CADASTRE_SUCCESS) {
 *   fwrite(handle.bytes, sizeof handle.bytes, 1, to_other_process);
 * }
 * @endcode */
CADASTRE_API cadastre_exit_code cadastre_ipc_export(cadastre_context context, const void* ptr, cadastre_ipc_handle_struct* handle);

/** Opens a block that another process has exported, for the device of this context.
 *
 * The block is recorded as borrowed memory, with its size, the type DEVICE, the flag CADASTRE_IMPORTED and the device of the
 * context: it is found, copied, set and reported like any block, counts as a borrowed block and against no limit. The exporting
 * process may free it at any time; its memory is there until this process has closed it. If the exporting process ends, what
 * the vendor does with the memory is up to the vendor.
 *
 * If the context has imported the block before, the same address is written, and cadastre_ipc_close() must be called once more.
 *
 * @param context  a live context of the backend that the handle is of
 * @param handle  what cadastre_ipc_export() wrote in another process; not NULL
 * @param ptr  where to write the block's first byte in this process; not NULL
 * @retval CADASTRE_SUCCESS  the block is open, until cadastre_ipc_close(), cadastre_free_all() or the destruction of the context
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL; bytes that are no handle, of another version, or changed; a handle of this process, or
 *   of another backend; or the vendor opens the block over a block that is in this context already
 * @retval CADASTRE_INVALID_ARG_3  NULL
 * @retval CADASTRE_FAILURE  the exporting process has freed the block, has ended, or is not to be seen from here; or the backend
 *   reports an error, as when the device cannot reach that of the block
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory for the record
 * @par Threads
 *   Any. After a fork, the child has none of its parent's imports; their addresses are not valid there.
 * @par Queues
 *   As cadastre_ipc_export().
 * @par Cost
 *   A call of the vendor, which maps memory, and one file descriptor for each import. */
CADASTRE_API cadastre_exit_code cadastre_ipc_import(cadastre_context context, const cadastre_ipc_handle_struct* handle, void** ptr);

/** Closes a block that cadastre_ipc_import() opened, when the device has done its work: the address is not valid any more.
 *
 * @param context  the context that imported it
 * @param ptr  what cadastre_ipc_import() wrote
 * @retval CADASTRE_SUCCESS  the block is closed, or has to be closed once less
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL, unknown, or a block that was not imported
 * @retval CADASTRE_CAPTURE_ACTIVE  a queue is being captured (see cadastre_queue); nothing has changed
 * @retval CADASTRE_FAILURE  the backend could not wait, and nothing has changed; or it could not close the block: the record is gone, and the
 *   exporting process keeps the memory until this process ends
 * @par Threads
 *   Any.
 * @par Queues
 *   Waits for the devices that the context works on.
 * @par Cost
 *   That wait, and a call of the vendor. */
CADASTRE_API cadastre_exit_code cadastre_ipc_close(cadastre_context context, const void* ptr);

/** @} */

/** @name All blocks
 * @{ */

/** The callback of cadastre_foreach_block().
 *
 * It may call every function, also on this context. It may end its thread with pthread_exit, which frees the snapshot;
 * its thread is not cancelled unless the callback enables that itself. An exception that it throws is caught
 * (CADASTRE_FAILURE); it must not leave by longjmp.
 *
 * @param info  one block, which lives until the callback returns
 * @param user_data  what was passed to cadastre_foreach_block()
 * @return CADASTRE_SUCCESS to go on; anything else ends the iteration */
typedef cadastre_exit_code (*cadastre_foreach_block_function)(const cadastre_memory_info_struct* info, void* user_data);

/** Calls callback for every block, owned or borrowed, in the order in which the blocks were allocated.
 *
 * Once threads have contended for the context, blocks that are less than two thousand allocations apart may be out of
 * order. The blocks are those of one moment: a snapshot is taken first, and no lock is held during the calls of
 * callback, so that callback may call any function, also on this context. A block may therefore have been freed before
 * callback is called for it.
 *
 * @param context  a live context
 * @param callback  called with one block at a time; not NULL
 * @param user_data  passed to callback; may be NULL
 * @retval CADASTRE_SUCCESS  callback was called for every block
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  callback is NULL
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory for the snapshot
 * @retval CADASTRE_FAILURE  callback threw an exception
 * @return otherwise what callback returned
 * @par Cost
 *   O(m + n log n) for n blocks, where m is the largest number of blocks that were ever alive at once. */
CADASTRE_API cadastre_exit_code cadastre_foreach_block(cadastre_context context, cadastre_foreach_block_function callback, void* user_data);

/** @} */

/** Frees every block that the context owns and removes its records of borrowed memory, as cadastre_context_destroy()
 * does; the context, its limits and its statistics stay.
 *
 * @param context  a live context
 * @retval CADASTRE_SUCCESS  all blocks are freed
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory for the list of blocks; nothing was freed
 * @retval CADASTRE_CAPTURE_ACTIVE  a queue is being captured (see cadastre_queue); nothing was freed, or, when a
 *   capture began during the call, some blocks were not freed
 * @retval CADASTRE_DEALLOCATION_FAILED  a backend could not free at least one block; all others are freed
 * @par Cost
 *   As cadastre_foreach_block(), and one backend free per block. */
CADASTRE_API cadastre_exit_code cadastre_free_all(cadastre_context context);

/** The statistics of one memory type, or of all together, of a context, or of the process.
 *
 * At every moment allocations = deallocations + failed_deallocations + untracked_deallocations + live_blocks.
 *
 * Those of a context that has or had children, and of CADASTRE_PROCESS, include all contexts below it, also those that
 * were destroyed.
 *
 * High-water marks are exact while one thread allocates in a context. While several threads allocate HOST memory, and for a
 * context that has or had children and CADASTRE_PROCESS, high_water_mark_bytes of HOST memory is never too low, and at most
 * 64 KiB too high for each such thread, in however many contexts it works; high_water_mark_blocks may be wrong by 256 blocks for
 * each thread and context. Those of another memory type, of a context that has or had children and of CADASTRE_PROCESS, may be
 * 8 blocks and 1 MiB, or what CADASTRE_POOL_THREAD_CACHE of the environment says, too high for each context with a caching
 * pool: so much may a thread cache that it has freed. */
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

/** Initializer. */
static const cadastre_statistics_struct cadastre_statistics_struct_zero = {
    sizeof(cadastre_statistics_struct), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

/** @name Statistics
 * @{ */

/** Writes the statistics of one memory type, or of all together. The values are consistent with each other; where several
 * contexts are included, each has those of a moment of its own.
 *
 * @param context  a live context, or CADASTRE_PROCESS
 * @param type  a memory type; all values are 0 for a type that no backend supports. Or CADASTRE_ALL_MEMORY_TYPES: the sums of all
 *   types, of high-water marks too, so that these are never too low but may be of different moments; and the limit of all together
 * @param statistics  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the statistics are written
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  neither a memory type nor CADASTRE_ALL_MEMORY_TYPES
 * @retval CADASTRE_INVALID_ARG_3  NULL, or an unknown struct_size
 * @par Cost
 *   O(1); where several contexts are included, a look at every context of the process. */
CADASTRE_API cadastre_exit_code cadastre_get_statistics(cadastre_context context, cadastre_memory_type type,
                                                        cadastre_statistics_struct* statistics);

/** Writes the statistics of one memory type on one device.
 *
 * The values of all devices add up to those of cadastre_get_statistics(), if all memory belongs to a device, and but for
 * contexts below this one that were destroyed; high-water marks do not add up, since they may have been reached at
 * different moments. Where several contexts are included, they are the sums of the contexts' marks, which are never too
 * low. A limit applies to all devices together: the field limit is CADASTRE_UNLIMITED. Requests for a device or a backend
 * that does not exist are counted in failed_allocations of cadastre_get_statistics() only.
 *
 * @param context,type  as for cadastre_get_statistics(), with all contexts below it; devices of different backends that
 *   have the same number count together
 * @param device_id  the vendor's number, from 0, not CADASTRE_DEVICE_BY_ID(id); all values are 0 for a device that was
 *   never used
 * @param statistics  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the statistics are written
 * @retval CADASTRE_INVALID_CONTEXT,CADASTRE_INVALID_ARG_2  as for cadastre_get_statistics()
 * @retval CADASTRE_INVALID_ARG_3  device_id is negative, or at least CADASTRE_DEVICE_BY_ID(0)
 * @retval CADASTRE_INVALID_ARG_4  NULL, or an unknown struct_size
 * @par Cost
 *   O(1); where several contexts are included, a look at every context of the process. */
CADASTRE_API cadastre_exit_code cadastre_get_device_statistics(cadastre_context context, cadastre_memory_type type, int32_t device_id,
                                                               cadastre_statistics_struct* statistics);

/** @} */

/** What is cached of one memory type for later requests, and what a context uses of it, where its pool for that type is
 * CADASTRE_POOL_CACHING, or CADASTRE_POOL_VENDOR for DEVICE memory.
 *
 * Pools belong to the process: one for each memory type, backend and device, which all contexts with
 * a caching pool share. Memory that one context has freed is reused for requests of any of them. A live block
 * belongs to its context; cached memory belongs to no context. A pool releases all its memory when the last context that
 * has used it is destroyed.
 *
 * Bytes and counts are those of all devices together. HOST blocks below 256 KiB belong to the heap and are not
 * included. Limits and the other statistics count requested bytes. Advice on UVM memory applies to whole pages, and
 * also to later blocks that get this memory.
 *
 * @par Bounds
 *   Used and cached bytes of the process together never exceed the maximum that its used bytes have reached (by default;
 *   CADASTRE_POOL_RELEASE_THRESHOLD changes this bound). Where the process has a limit, pools also release what exceeds
 *   the part of it that live blocks leave: when a backend is called for memory, when a block is freed other than in the
 *   order of a queue, and when the limit is set. In between, cached bytes may exceed that part, by what hits and frees in
 *   the order of a queue round up, and by HOST blocks that come from the heap. Limits of contexts do not count cached
 *   bytes.
 * @par Rounding
 *   used_bytes counts each block with its allocated size: the requested size, rounded up to pages (HOST) or 256 bytes.
 *   Where the process has no limit, a block may also get a cached piece that is up to half as large again, as long as all
 *   bytes wasted in this way are at most a tenth of the maximum that the used bytes of the process have reached.
 * @par Release
 *   Memory that no request has used for ten seconds is released to its backend by a later call that may wait. All
 *   cached memory is released before a request of any context fails because there is no memory, and so are automatic
 *   workspaces without leases: cadastre_set_out_of_memory_function() says in which order, and for how long queues are
 *   waited for. */
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

/** Initializer. */
static const cadastre_pool_info_struct cadastre_pool_info_struct_zero = {
    sizeof(cadastre_pool_info_struct), CADASTRE_DEFAULT_POOL, 0, 0, 0, 0, 0, 0, 0, 0};

/** Writes what a context uses of the pools of one memory type, and what these cache. The values are of one moment.
 *
 * @param context  a live context, with all below it; or CADASTRE_PROCESS
 * @param type  a memory type; all values are 0 for a type that no backend supports, or that has no caching pool
 * @param info  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the information is written
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  not a memory type
 * @retval CADASTRE_INVALID_ARG_3  NULL, or an unknown struct_size
 * @par Queues
 *   Waits for none.
 * @par Cost
 *   O(n) for n cached blocks. */
CADASTRE_API cadastre_exit_code cadastre_pool_get_info(cadastre_context context, cadastre_memory_type type,
                                                       cadastre_pool_info_struct* info);

/** What the registry of a context keeps. An array that is full is replaced by one twice as large. */
typedef struct cadastre_registry_info_struct {
  size_t struct_size;   /**< sizeof(cadastre_registry_info_struct) */
  int64_t entries;      /**< in use: one for each slab of small HOST blocks, and for each block or borrowed range that is in none */
  int64_t capacity;     /**< entries for which the arrays have room */
  int64_t doublings;    /**< how often an array doubled */
  int64_t live_records; /**< of blocks that are alive, and of borrowed ranges */
} cadastre_registry_info_struct;

/** Initializer. */
static const cadastre_registry_info_struct cadastre_registry_info_struct_zero = {sizeof(cadastre_registry_info_struct), 0, 0, 0, 0};

/** Writes how large the registry of a context is.
 *
 * @param context  a live context, with all below it; or CADASTRE_PROCESS
 * @param info  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the information is written
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL, or an unknown struct_size
 * @par Queues
 *   Waits for none.
 * @par Cost
 *   O(n) for n entries and live blocks. */
CADASTRE_API cadastre_exit_code cadastre_get_registry_info(cadastre_context context, cadastre_registry_info_struct* info);

/** Releases memory that is cached in the pools that a context uses, until at most min_bytes_to_keep bytes are reserved, as
 * cadastre_pool_get_info() reports them, or nothing more can be released.
 *
 * It does not matter which context freed that memory. What was cached longest is released first. Live blocks are not touched. Without a caching pool nothing happens.
 * Before a request of any context fails because there is no memory, all pools release their cached memory, but wait for
 * queues no longer than cadastre_set_out_of_memory_function() describes.
 *
 * @param context  a live context, with all below it; or CADASTRE_PROCESS
 * @param type  a memory type
 * @param min_bytes_to_keep  bytes; any number; 0 releases all that can be released
 * @retval CADASTRE_SUCCESS  done, also when more than min_bytes_to_keep bytes are in use
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  not a memory type
 * @retval CADASTRE_CAPTURE_ACTIVE  a queue is being captured (see cadastre_queue); what had not been released before
 *   stays cached
 * @retval CADASTRE_DEALLOCATION_FAILED  a backend could not free memory, which stays cached
 * @par Threads
 *   Any thread; others may allocate and free meanwhile.
 * @par Queues
 *   Waits on the host for the queues on which blocks were freed.
 * @par Cost
 *   One backend free for each cached block. */
CADASTRE_API cadastre_exit_code cadastre_pool_trim(cadastre_context context, cadastre_memory_type type, size_t min_bytes_to_keep);

/** Lowers the high-water marks of one memory type, on each device and in total, to the bytes and blocks that are live
 * now. Those of other contexts, below or above this one, stay.
 *
 * @param context  a live context, or CADASTRE_PROCESS
 * @param type  a memory type
 * @retval CADASTRE_SUCCESS  the marks are lowered
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  not a memory type
 * @par Cost
 *   O(1). */
CADASTRE_API cadastre_exit_code cadastre_reset_high_water_mark(cadastre_context context, cadastre_memory_type type);

/** Sets the maximum number of bytes that all blocks of one memory type may have together, or those of all types, in the
 * context and in all below it.
 *
 * A limit of all types holds beside those of single types. Where a device uses the memory of the host, as an APU does
 * (cadastre_device_info_struct), it bounds HOST and DEVICE memory with one number.
 *
 * Before a request is refused because of a limit, automatic workspaces without leases are released that count against
 * it. Memory that pools cache makes way for live blocks where the process has a limit, of any type where the limit is of all, and counts against no other. Bytes are reserved before the backend is called, so that concurrent threads cannot exceed the limit together. Bytes
 * that calls in progress have reserved count as live: those calls are no longer refused. A limit below live and
 * reserved bytes together is accepted; allocations are then refused until enough is freed.
 *
 * @param context  a live context, or CADASTRE_PROCESS for the sum of all contexts
 * @param type  a memory type, or CADASTRE_ALL_MEMORY_TYPES for the sum of all
 * @param bytes  a number of bytes, as requested, not as rounded by a pool; CADASTRE_UNLIMITED removes the limit;
 *   CADASTRE_LIMIT_NOTHING refuses everything except blocks of 0 bytes; 0 restores the default, which CADASTRE_LIMIT of
 *   the environment specifies, and no limit where it specifies nothing. A limit that is computed and may come to 0
 *   needs CADASTRE_LIMIT_NOTHING in its place. Limits of the process that the environment specifies apply from the
 *   creation of the first context on, unless the program has set one
 * @retval CADASTRE_SUCCESS  the limit is set
 * @retval CADASTRE_INVALID_ARG_3  exceeds the largest possible allocation, and is none of these constants
 * @retval CADASTRE_INVALID_ENVIRONMENT  bytes is 0, and the environment specifies a share of what is unknown on this
 *   machine
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  neither a memory type nor CADASTRE_ALL_MEMORY_TYPES
 * @par Cost
 *   O(1) for each context of the process. Where an account above a request has a limit of all types, requests that reach the
 *   shared counters are admitted one at a time; elsewhere it costs nothing. HOST blocks in slabs reach them rarely
 *
 * @code
 * cadastre_set_limit(context, CADASTRE_HOST, 1000);
 * cadastre_memory_info_struct info = {0};
 * info.size = 2000;
 * if (!cadastre_malloc(context, info)) {
 *   cadastre_error_struct error = cadastre_error_struct_zero;
 *   cadastre_last_error(context, &error);  // CADASTRE_LIMIT_EXCEEDED
 *   printf("%zu bytes requested, %zu in use of %zu\n", error.requested, error.in_use, error.limit);
 * }
 * cadastre_set_limit(context, CADASTRE_HOST, CADASTRE_UNLIMITED);
 * @endcode */
CADASTRE_API cadastre_exit_code cadastre_set_limit(cadastre_context context, cadastre_memory_type type, size_t bytes);

/** @name Out of memory
 * @{ */

/** A request for which there is no memory. */
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

/** Initializer. */
static const cadastre_out_of_memory_struct cadastre_out_of_memory_struct_zero = {
    sizeof(cadastre_out_of_memory_struct), CADASTRE_NULL_CONTEXT, -1, -1, -1, CADASTRE_REASON_NONE, 0, NULL, 0};

/** The callback of cadastre_set_out_of_memory_function().
 *
 * It is called in the thread that requests memory, with no lock of the library held; several threads may be in it at the
 * same time. It may call every function, also to free, trim, raise limits and request memory, except to destroy a context
 * on which the thread has a call in progress, as that of the request. What it requests itself is refused without another
 * call of a callback. A lock that the program holds while it requests memory is held here as well. An exception that it
 * throws is caught, and counts as 0. It must not end its thread, nor leave by longjmp.
 *
 * @param request  what is requested; lives until the callback returns
 * @param user_data  what was passed to cadastre_set_out_of_memory_function()
 * @return 0 to have the request refused, or the callback of a context above asked; any other number to have it tried
 *   again. Whoever has not released memory or raised a limit must return 0 in the end: nothing else ends the retries */
typedef int (*cadastre_out_of_memory_function)(const cadastre_out_of_memory_struct* request, void* user_data);

/** Sets a callback that is called before a request is refused because there is no memory, or because of a limit.
 *
 * Before a request of any context is refused, the library does the following, and tries again after each step:
 * 1. It releases what is not in use: slabs without blocks, where it is memory of the host that is missing, which PINNED and
 *    UVM memory is, too; memory that pools cache, those of CUDA and HIP too, to which blocks that cadastre_malloc_async()
 *    allocated without a pool go back; and automatic workspaces without leases. Memory that a queue still uses stays.
 * 2. It waits until queues are done with memory of the latter kinds, and releases that: once for each request, for at
 *    most CADASTRE_OUT_OF_MEMORY_WAIT milliseconds, which is 10 seconds by default; not during a capture. A backend may
 *    itself wait while it frees, as cudaFree does for all work on its device: that wait is not limited.
 * 3. It calls the callback of the context; where there is none, or it returns 0, that of the parent, and so on up to that
 *    of CADASTRE_PROCESS. When one returns another number, the request is tried again, from the first step on, as often as
 *    that is so.
 *
 * Then the request is refused. The message of cadastre_last_error() names the contexts and labels that hold most of the
 * memory type, and, where the backend reports the memory of the device, how much of it is in use that the library did not
 * allocate.
 *
 * The callback is called for cadastre_malloc(), cadastre_realloc(), the functions that acquire a workspace or set its
 * size, and all that build on them. It is not called for a request that is refused otherwise, as for a wrong argument, a
 * capture, or by CADASTRE_FAIL.
 *
 * @param context  a live context, for its requests and those of all below it; or CADASTRE_PROCESS
 * @param callback  replaces the one that was set before; NULL for none, as in a new context. It has to stay loaded, and
 *   it is forgotten when the context is destroyed
 * @param user_data  passed to callback; may be NULL
 * @retval CADASTRE_SUCCESS  the callback is set, and no other thread is in the one that was set before
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory to remember it; the one before stays
 * @par Threads
 *   Any thread, also in a callback. Waits until other threads have returned from the callback that is replaced, so that
 *   what it used can be freed afterwards: a callback must not wait for a thread that replaces it.
 * @par Queues
 *   Waits for none.
 * @par Cost
 *   O(1). The library remembers each pair of a callback and its user_data until the process ends.
 *
 * drop_oldest() here frees what a cache can do without, and returns whether there was anything:
 *
 * @code
 * cadastre_exit_code code = cadastre_set_out_of_memory_function(context, drop_oldest, &cache);
 * // as long as the cache exists
 * cadastre_set_out_of_memory_function(context, NULL, NULL);
 * @endcode */
CADASTRE_API cadastre_exit_code cadastre_set_out_of_memory_function(cadastre_context context, cadastre_out_of_memory_function callback,
                                                                    void* user_data);

/** @} */

/** @name Time spent in backends
 * @{ */

/** Switches the timing of backend calls on or off.
 *
 * It is off in a new context, because two readings of the clock cost about as much as a small allocation.
 *
 * @param context  a live context
 * @param on  0 for off, any other number for on
 * @retval CADASTRE_SUCCESS  the timing is switched
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @par Cost
 *   O(1). */
CADASTRE_API cadastre_exit_code cadastre_context_set_timing(cadastre_context context, int on);

/** Says whether free() may meet HOST blocks of a context. It is off in a new context, and on in those of the adapters for QMCkl.
 *
 * When it is on, HOST blocks of all sizes come from malloc, so that free() harms nothing. Their records stay until malloc returns the
 * address again; before that, to free the block or to destroy the context frees it twice. Where the process's free() is that of
 * libcadastre_qmckl, which frees blocks in their contexts, they come from the heap all the same; also where CADASTRE_HEAP is on, and
 * from a caching pool, where the context has one for HOST memory. cadastre info reports which holds.
 *
 * @param context  a live context, in which no HOST block was allocated yet
 * @param on  0 for off, any other number for on
 * @retval CADASTRE_SUCCESS  it holds for blocks that are allocated from now on
 * @retval CADASTRE_FAILURE  blocks of the context lie in its heap already; nothing has changed
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @par Cost
 *   O(1). A block that comes from malloc costs about twice as much as one from the heap.
 *
 * @code
 * cadastre_context context = cadastre_context_create();
 * cadastre_context_set_plain_free(context, 1);
 * cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
 * info.size = 100;
 * cadastre_free(context, cadastre_malloc(context, info));
 * cadastre_context_destroy(context);
 * @endcode */
CADASTRE_API cadastre_exit_code cadastre_context_set_plain_free(cadastre_context context, int on);

/** Returns how many nanoseconds the calling thread has spent inside backends since the thread started, in contexts
 * whose timing was on.
 *
 * @return nanoseconds; the difference of two results is the time spent in backends between the two calls
 * @par Cost
 *   O(1). */
CADASTRE_API int64_t cadastre_get_backend_nanoseconds(void);

/** @} */

/** Writes a report of a context: statistics and limits of each memory type; live bytes by label and type; the largest
 * blocks; its last failures, with the largest users of memory at the time when an allocation was refused; failures to
 * create a context in this process; and the origin of the report: process, program, host, rank, time, context.
 *
 * The report of a parent includes all contexts below it, and that of CADASTRE_PROCESS all contexts, each as it is at a
 * moment of its own; it lists them, and leaves out the statistics of devices.
 *
 * All values are those of one moment; no lock is held while the report is written. Text that comes from the program or
 * a vendor is escaped: nothing in a text report moves the cursor of a terminal. The JSON form has a schema_version; its
 * fields are described in the chapter report and in cadastre(1).
 *
 * @param context  a live context, or CADASTRE_PROCESS
 * @param stream  an open stdio stream; not NULL; it is flushed and stays open
 * @param format  CADASTRE_REPORT_TEXT or CADASTRE_REPORT_JSON
 * @retval CADASTRE_SUCCESS  the report is written
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL
 * @retval CADASTRE_INVALID_ARG_3  unknown format
 * @retval CADASTRE_ERRNO  writing to the stream failed; part of the report may have been written
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory
 * @par Cost
 *   As cadastre_foreach_block(). */
CADASTRE_API cadastre_exit_code cadastre_report(cadastre_context context, FILE* stream, cadastre_report_format format);

/** One backend, whether or not it is available here. Strings live as long as the library. */
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

/** Initializer. */
static const cadastre_backend_info_struct cadastre_backend_info_struct_zero = {
    sizeof(cadastre_backend_info_struct), CADASTRE_DEFAULT_BACKEND, 0, 0, 0, NULL, NULL, NULL};

/** @name Backends
 * @{ */

/** Returns how many backends this version of the library names, whether or not they are available.
 *
 * @return their number; the backends have the numbers from 1 to this one
 * @par Cost
 *   O(1). */
CADASTRE_API int32_t cadastre_backend_get_count(void);

/** Writes what is known of one backend. A failure is remembered for CADASTRE_NULL_CONTEXT.
 *
 * @param backend  from 1 to cadastre_backend_get_count(), or a registered one
 * @param info  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the information is written
 * @retval CADASTRE_INVALID_ARG_1  no such backend
 * @retval CADASTRE_INVALID_ARG_2  NULL, or an unknown struct_size
 * @par Cost
 *   O(1); the first call for a backend starts its runtime. */
CADASTRE_API cadastre_exit_code cadastre_backend_get_info(cadastre_backend backend, cadastre_backend_info_struct* info);

/** @} */

/** One device of a backend. */
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

/** Initializer. */
static const cadastre_device_info_struct cadastre_device_info_struct_zero = {
    sizeof(cadastre_device_info_struct), CADASTRE_DEFAULT_BACKEND, 0, 0, 0, {0}, {0}, 0, 0, 0};

/** Writes what is known of one device of a backend. A failure is remembered for CADASTRE_NULL_CONTEXT.
 *
 * @param backend  one that is available
 * @param device_id  from 0 to its number of devices - 1
 * @param info  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the information is written
 * @retval CADASTRE_INVALID_ARG_1  no such backend
 * @retval CADASTRE_NOT_SUPPORTED  the backend is unavailable
 * @retval CADASTRE_INVALID_ARG_2  no such device
 * @retval CADASTRE_INVALID_ARG_3  NULL, or an unknown struct_size
 * @retval CADASTRE_FAILURE  the vendor's runtime reports an error
 * @par Cost
 *   A few calls of the vendor's runtime, which is started on the device. */
CADASTRE_API cadastre_exit_code cadastre_device_get_info(cadastre_backend backend, int32_t device_id, cadastre_device_info_struct* info);

/** Who uses the memory of the host or of a device: this library, and others.
 *
 * What is untracked belongs to other libraries in this process, the vendor's runtime and, on a device, other processes. It
 * is an estimate: memory that was never written may not be resident yet, and what pools and runtimes round up is included. */
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

/** Initializer. */
static const cadastre_memory_usage_struct cadastre_memory_usage_struct_zero = {sizeof(cadastre_memory_usage_struct), 0, 0, 0, 0, 0};

/** Writes who uses the memory of a device. A failure is remembered for CADASTRE_NULL_CONTEXT.
 *
 * @param backend,device_id  as for cadastre_device_get_info()
 * @param usage  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the usage is written
 * @retval CADASTRE_INVALID_ARG_1,CADASTRE_NOT_SUPPORTED,CADASTRE_INVALID_ARG_2,CADASTRE_FAILURE  as for
 *   cadastre_device_get_info()
 * @retval CADASTRE_INVALID_ARG_3  NULL, or an unknown struct_size
 * @par Cost
 *   That of cadastre_device_get_info(), and a look at every block of the process. */
CADASTRE_API cadastre_exit_code cadastre_device_get_memory_usage(cadastre_backend backend, int32_t device_id,
                                                                 cadastre_memory_usage_struct* usage);

/** Writes who uses the memory of the host in this process: HOST and PINNED memory, and devices that the host backend
 * emulates. A failure is remembered for CADASTRE_NULL_CONTEXT.
 *
 * @param usage  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the usage is written
 * @retval CADASTRE_INVALID_ARG_1  NULL, or an unknown struct_size
 * @par Cost
 *   A few files of the system, and a look at every context of the process. */
CADASTRE_API cadastre_exit_code cadastre_host_get_memory_usage(cadastre_memory_usage_struct* usage);

/** One environment variable. Strings live as long as the library. */
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

/** Initializer. */
static const cadastre_environment_info_struct cadastre_environment_info_struct_zero = {
    sizeof(cadastre_environment_info_struct), NULL, NULL, NULL, NULL, NULL, NULL, NULL};

/** @name Environment variables
 * @{ */

/** Returns the number of environment variables: first those that the library knows, in a fixed order, then those that
 * are set, begin with CADASTRE_ and are unknown.
 *
 * @return their number
 * @par Cost
 *   O(1); the first call of a process reads the environment. */
CADASTRE_API int32_t cadastre_environment_get_count(void);

/** Writes what was read from the environment, which is read once per process. A failure is remembered for
 * CADASTRE_NULL_CONTEXT.
 *
 * @param index  from 0 to cadastre_environment_get_count() - 1
 * @param info  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the information is written
 * @retval CADASTRE_INVALID_ARG_1  no such index
 * @retval CADASTRE_INVALID_ARG_2  NULL, or an unknown struct_size
 * @par Cost
 *   O(1). */
CADASTRE_API cadastre_exit_code cadastre_environment_get_info(int32_t index, cadastre_environment_info_struct* info);

/** @} */

/** The operations of a backend that the caller supplies, for cadastre_backend_register().
 *
 * A NULL operation has the default that is listed with it. Each operation returns 0 for success; any other number is
 * the backend's own error code, which cadastre_last_error() reports as vendor_code. content is the pointer that was
 * registered, or its clone.
 *
 * Operations are called by any thread, several at a time, while no lock is held; they may call this library. They
 * should not throw: an exception that leaves an operation is a failure of it. A thread is not cancelled inside an
 * operation. An operation must return: it must not end its thread with pthread_exit nor leave by longjmp, since what
 * the call has reserved could not be released. It may fork: parent and child both continue the call.
 *
 * request and block contain size, type, device, device_id, alignment, flags and the backend's number, and block also
 * its pointer; stride is 0, label NULL. A place contains type, device, device_id and backend of the memory, and the
 * range to copy or set as pointer and size; unregistered host memory (see cadastre_memcpy()) has the type CADASTRE_HOST
 * and the backend CADASTRE_BACKEND_HOST. examples/custom_backend.c is a complete example. */
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

/** Initializer: no operation. */
static const cadastre_backend_operations_struct cadastre_backend_operations_struct_zero = {
    sizeof(cadastre_backend_operations_struct), 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};

/** Registers a backend that the caller supplies; contexts and blocks can then name it.
 *
 * @param name  for errors and reports; 1 to 63 characters, copied; not the name of a backend of cadastre_vocabulary.h,
 *   nor of another registered backend
 * @param operations  not NULL; copied
 * @param content  passed to every operation; may be NULL; stays the caller's, unless destroy is given and the
 *   registration succeeds
 * @return the backend's number, which is never used again and keeps this name; or CADASTRE_INVALID_BACKEND, and
 *   cadastre_last_error() of CADASTRE_NULL_CONTEXT reports why:
 *   - CADASTRE_INVALID_ARG_1: name
 *   - CADASTRE_INVALID_ARG_2: NULL, an unknown struct_size, memory_type_mask, device_count, a required operation that
 *     is NULL, a largest alignment that is not a power of two
 *   - CADASTRE_ALLOCATION_FAILED: no host memory, or all 192 numbers are used
 * @par Cost
 *   One small allocation, and a call of max_alignment for each memory type.
 *
 * @code
 * cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
 * operations.memory_type_mask = 1u << CADASTRE_HOST;
 * operations.allocate = arena_allocate;  // functions of the caller: see examples/custom_backend.c
 * operations.free = arena_free;
 * operations.copy = arena_copy;
 * operations.set = arena_set;
 * cadastre_backend arena = cadastre_backend_register("arena", &operations, NULL);
 * if (arena == CADASTRE_INVALID_BACKEND) return CADASTRE_FAILURE;
 * cadastre_memory_info_struct info = {0};
 * info.size = 100;
 * info.backend = arena;
 * void* block = cadastre_malloc(context, info);
 * cadastre_free(context, block);
 * return cadastre_backend_unregister(arena);
 * @endcode */
CADASTRE_API cadastre_backend cadastre_backend_register(const char* name, const cadastre_backend_operations_struct* operations,
                                                        void* content);

/** Removes a registered backend, and calls its destroy operation with the registered content. A failure is remembered
 * for CADASTRE_NULL_CONTEXT.
 *
 * Memory of the backend that was recorded by cadastre_wrap() does not prevent this; it can then be looked up, but not
 * copied. In a child process after fork, calls on the backend that other threads had in progress prevent it for ever.
 *
 * @param backend  what cadastre_backend_register() returned
 * @retval CADASTRE_SUCCESS  the backend is removed
 * @retval CADASTRE_INVALID_ARG_1  not a registered backend
 * @retval CADASTRE_FAILURE  a context or a block uses it, including a block that it could not free; or destroy failed:
 *   the backend is removed nevertheless
 * @par Threads
 *   Any thread; no other thread may be using the backend's number in a call.
 * @par Cost
 *   One call of destroy. */
CADASTRE_API cadastre_exit_code cadastre_backend_unregister(cadastre_backend backend);

/** As page_size of a host memory resource: huge pages that the system makes by itself, which need no reservation. */
#define CADASTRE_TRANSPARENT_HUGE_PAGES ((size_t)1)

/** What memory of the host is asked for, for cadastre_backend_register_host(). A structure of zeros asks for pages of the system's choice. */
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

/** Initializer: pages of the system's choice. */
static const cadastre_host_resource_struct cadastre_host_resource_struct_zero = {
    sizeof(cadastre_host_resource_struct), 0, 0, CADASTRE_NUMA_DEFAULT, NULL, NULL};

/** What a host memory resource has given out, and whether it was what was asked for. */
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

/** Initializer. */
static const cadastre_host_resource_info_struct cadastre_host_resource_info_struct_zero = {
    sizeof(cadastre_host_resource_info_struct), CADASTRE_INVALID_BACKEND, CADASTRE_NUMA_DEFAULT, 0, 0, 0, 0, 0, 0, NULL, {0}};

/** Registers memory of the host, with the pages, the NUMA nodes and the locks that are asked for, as a backend; contexts
 * and blocks can then name it. cadastre_backend_unregister() removes it.
 *
 * It supports CADASTRE_HOST. Each block is a mapping of its own, of whole pages of the kind that was asked for, so a
 * resource is for large blocks; a workspace divides one among small requests. A context with CADASTRE_POOL_CACHING uses
 * mappings again. Others are zero without being written: with first touch they are on the nodes of the threads that
 * write them, and another policy holds whoever writes.
 *
 * Pages of a reserved size are taken at once, except with CADASTRE_NUMA_FIRST_TOUCH, where a page that the node or the
 * control group lacks ends the process with SIGBUS when it is written. Where none are free, the block gets transparent
 * huge pages, else pages of the system, and cadastre_backend_get_host_info() reports that; with CADASTRE_HOST_STRICT it
 * is refused. Whether transparent huge pages come is known only when the memory is written: a block counts as given what
 * it asked for where the system may make them.
 *
 * CADASTRE_HOST_LOCKED counts against RLIMIT_MEMLOCK, and brings all pages in; with CADASTRE_NUMA_FIRST_TOUCH each is
 * locked when it is touched. Reserved pages are never swapped, and do not count. A block whose nodes or locks are refused
 * is refused. A child process after fork has the memory, as a copy, without the locks.
 *
 * CADASTRE_NUMA_NEAR_DEVICE uses other nodes when the node of the device is full; with CADASTRE_HOST_STRICT it does not.
 * With CADASTRE_NUMA_BIND the system ends a process that touches more than the nodes have, as it does on a machine that is full.
 *
 * With CADASTRE_HOST_SHARED processes of the same user on a node share a block: those whose resources have the same
 * name and whose requests have the same label and size. Each request needs a label, and each allocation maps the
 * memory at another address. The first one makes it: zeros, placed on nodes, and present except with
 * CADASTRE_NUMA_FIRST_TOUCH; the others wait for that, and get the flag CADASTRE_ATTACHED. A later one does not clear
 * it, whatever its flags. It counts in the limits and statistics of each process that has it. It ends with the last
 * process that frees it, or ends in any way; what dead processes left is removed when such a resource is registered,
 * or when a block of the same name is allocated. The processes order by themselves what they write and read
 * (MPI_Barrier, atomics). The child of a fork has the same memory and not a copy, and does not keep it from ending.
 * The memory is that of files in /dev/shm, whose size is often half of RAM, and 64 MiB in containers; processes in
 * different containers share it where these share /dev/shm. Reserved pages cannot be shared so. A block keeps its
 * size: cadastre_realloc() refuses another. No context has such a resource as its own backend.
 *
 * @param name  for errors, reports and traces; 1 to 63 characters, copied; not the name of a backend of
 *   cadastre_vocabulary.h, nor of another registered backend
 * @param resource  not NULL; copied
 * @return the backend's number, which is never used again and keeps this name; or CADASTRE_INVALID_BACKEND, and
 *   cadastre_last_error() of CADASTRE_NULL_CONTEXT reports why:
 *   - CADASTRE_INVALID_ARG_1: name
 *   - CADASTRE_INVALID_ARG_2: NULL, an unknown struct_size, page_size, flags, numa_policy, nodes or near_device that
 *     no machine has, or nodes or near_device with a policy that does not take them
 *   - CADASTRE_NOT_SUPPORTED: this machine does not have it: a node without memory, or that the process may not use; a
 *     device that is not there; a system or a container that does not place memory; with CADASTRE_HOST_STRICT, a size of
 *     pages that the system does not have, or transparent huge pages that are off; with CADASTRE_HOST_SHARED, a /dev/shm
 *     in which this user can have no files
 *   - CADASTRE_ALLOCATION_FAILED: no host memory, or all 192 numbers are used
 * @par Cost
 *   Some files of /proc and /sys are read. An allocation and a deallocation are one to five system calls each; what is
 *   locked or reserved is also zeroed then. A shared block takes some twenty system calls, and a file descriptor as long as
 *   it lives.
 *
 * @code
 * cadastre_host_resource_struct tables = cadastre_host_resource_struct_zero;
 * tables.page_size = CADASTRE_TRANSPARENT_HUGE_PAGES;
 * tables.numa_policy = CADASTRE_NUMA_INTERLEAVE;
 * cadastre_backend backend = cadastre_backend_register_host("tables", &tables);
 * if (backend == CADASTRE_INVALID_BACKEND) return CADASTRE_FAILURE;
 * cadastre_memory_info_struct info = {0};
 * info.size = 100000000;
 * info.backend = backend;
 * void* block = cadastre_malloc(context, info);
 * cadastre_free(context, block);
 * return cadastre_backend_unregister(backend);
 * @endcode */
CADASTRE_API cadastre_backend cadastre_backend_register_host(const char* name, const cadastre_host_resource_struct* resource);

/** Writes what a host memory resource has given out, and whether it was what was asked for. A failure is remembered for
 * CADASTRE_NULL_CONTEXT.
 *
 * @param backend  what cadastre_backend_register_host() returned
 * @param info  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the figures are written; while other threads allocate, they may be of different moments
 * @retval CADASTRE_INVALID_ARG_1  not a host memory resource, or one that is no longer registered
 * @retval CADASTRE_INVALID_ARG_2  NULL, or an unknown struct_size
 * @par Cost
 *   O(1); where blocks have fallen back, some files of /sys are read. */
CADASTRE_API cadastre_exit_code cadastre_backend_get_host_info(cadastre_backend backend, cadastre_host_resource_info_struct* info);

#ifdef __cplusplus
}
#endif

#include "cadastre_workspace.h"
#endif
