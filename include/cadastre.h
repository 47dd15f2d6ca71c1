/* Tangled from org/memory.org; change the chapter, then run: make tangle */
/* Cadastre: a context-tracked registry of memory for numerical libraries.
 *
 * Usable from C99 and C++17. All sizes are in bytes.
 *
 * Structs: a later version may add fields at the end of any struct except cadastre_memory_info_struct. Each of these
 * therefore begins with its size, by which the library recognizes the version that a program was compiled with. Start
 * from the constant with the name of the struct and _zero, also where a function only writes the struct. An unknown
 * struct_size is refused as an invalid argument.
 *
 * A function that takes a context returns CADASTRE_INVALID_CONTEXT (or NULL) when the handle is not that of a live
 * context.
 *
 * Thread and signal safety:
 * - any thread: every function, also at the same time as other threads and on the same context.
 * - a thread that holds cadastre_lock: every function; calls of other threads on that context wait until it
 *   unlocks.
 * - the callback of cadastre_foreach_block: every function, also to change and to destroy the context, since the
 *   callback gets copies of the records.
 * - the I/O functions of the stream given to cadastre_report: every function, as for the callback of
 *   cadastre_foreach_block.
 * - an operation of a registered backend: every function, except to destroy a context on which the thread has a
 *   call in progress: that returns FAILURE with the reason CALLED_FROM_OPERATION. The operation must not wait for a
 *   thread that destroys that context, nor, when its caller holds cadastre_lock, for a thread that makes a call on
 *   that context: the library cannot detect these deadlocks.
 * - a signal handler: only cadastre_get_version and cadastre_get_build_options, since any other call may wait for a
 *   lock that the interrupted thread holds.
 * - a handler of pthread_atfork: every function, if the handler was registered after the library was loaded.
 * - the child of a fork: every function. The child has copies of the contexts, of their blocks and of the locks of
 *   the thread that forked; what other threads had locked or begun is undone. Memory of the cuda and openmp
 *   backends stays the parent's: in the child, allocating or copying it is refused, and freeing it does nothing.
 *   The child does not write the parent's trace and reports.
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
 * Locking and blocking:
 * - a context, held while a call reads or changes its records, and writes its line of the trace where
 *   CADASTRE_TRACE is set; never while the call waits for a backend, a vendor, a function of the caller or any
 *   other file. Threads that wait: other threads with calls on this context, for that time; none with calls on
 *   other contexts.
 * - cadastre_lock, held from cadastre_lock until the thread has unlocked as often. Threads that wait: other threads
 *   with calls on this context.
 * - a context that is destroyed, held from cadastre_context_destroy until calls of other threads that are inside
 *   the context have returned. Threads that wait: none, since calls that arrive are refused.
 * - the trace, held while one line is written, which takes at most 10 seconds when the reader of a pipe does not
 *   read. Threads that wait: other threads with calls that are traced.
 *
 * Diagnostics: traces, reports and the log file may:
 * - take time and memory, and fill a disk.
 * - use another file name when another process has the file.
 * - report what happened to them: in the output of cadastre info, in each report, and in the file of
 *   CADASTRE_LOG_FILE.
 * They must not:
 * - change the result of a call, the last error, errno or the signals of the program: an output that cannot be
 *   written ends, without any other effect.
 * - write into a file of another process, or into a file of the program that got their file descriptor after it was
 *   closed.
 * - print what was not requested.
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

/* The version of the running library, "MAJOR.MINOR.PATCH", and how it was built: compiler, flags, host and optional
 * parts, one "name: value" per line.
 *
 * Result: a string that lives as long as the library; never NULL. */
CADASTRE_API const char* cadastre_get_version(void);
CADASTRE_API const char* cadastre_get_build_options(void);

/* A context: one registry, one lock, one backend. The handle is a number that the library looks up; it is never
 * dereferenced. After the context is destroyed, its handle never becomes valid again. */
typedef int64_t cadastre_context;
#define CADASTRE_NULL_CONTEXT ((cadastre_context) 0)
/* The process, above all contexts: their memory counts as its memory. cadastre_get_statistics,
 * cadastre_reset_high_water_mark, cadastre_set_limit, cadastre_pool_trim, cadastre_report and cadastre_last_error take it
 * in place of a context, and so does the option parent. All other functions return INVALID_CONTEXT for it. */
#define CADASTRE_PROCESS ((cadastre_context) -1)

/* A device, in a request: the default device of the context; in the options of a context, the current device of the
 * calling thread. In a result: memory that belongs to no device. */
#define CADASTRE_DEFAULT_DEVICE ((int32_t) 0)
/* A device, in a request: the one to which the vendor gives this number, which begins at 0. A bare number is refused,
 * so that 0 can mean the default. Fields and arguments named device_id contain the vendor's number itself. */
#define CADASTRE_DEVICE_BY_ID(device_id) ((int32_t) (1024 + (device_id)))
/* A device: the host, for cadastre_prefetch and cadastre_advise, and as the device_id of their operations. */
#define CADASTRE_HOST_DEVICE ((int32_t) -2)

/* No limit. */
#define CADASTRE_UNLIMITED ((size_t) -1)
/* A limit that refuses everything except blocks of 0 bytes. */
#define CADASTRE_LIMIT_NOTHING ((size_t) -2)

/* A queue: an execution stream of a backend. For the cuda backend it is a cudaStream_t. The host and openmp backends
 * have a single queue, on which all work is done immediately.
 *
 * CADASTRE_DEFAULT_QUEUE is the default queue of the context: the one set by cadastre_context_set_default_queue, and
 * initially the default of the backend (for CUDA the legacy default stream). The legacy default stream exists once on
 * each device: a context with blocks on several devices waits for the default streams of all of them, and work that
 * it enqueues on one of them starts after the work already enqueued on the others. A program that is compiled for
 * per-thread default streams passes cudaStreamPerThread where it means that stream. A queue may be destroyed while
 * work is pending, as far as the vendor allows it. A new queue that gets the same handle is a different queue.
 *
 * While a CUDA queue is being captured into a graph, in any capture mode:
 * - Calls that use no queue work as usual: look-ups, statistics, limits, reports, and all calls on HOST memory.
 * - Memory may be allocated, except in the order of the captured queue. Workspace may be acquired on the captured
 *   queue from memory that the workspace already has.
 * - Copies and sets on the captured queue become part of the graph, if the call does not wait for them.
 * - A call that would wait for the captured queue, or for its device, returns CADASTRE_CAPTURE_ACTIVE and changes
 *   nothing, neither in the context nor in the capture. These calls are: to free, resize or destroy anything that has
 *   CUDA memory; to wait; to grow a workspace that already has memory. In a context with CADASTRE_POOL_CACHING a
 *   block may still be freed on a queue that is not captured.
 *
 * The library detects a capture on queues that synchronize with the default stream (created without
 * cudaStreamNonBlocking), on the default queue of the context, and on the queue that a call names. CUDA has no query
 * for captures on other queues. Calls that free DEVICE or UVM memory leave such a capture intact, because cudaFree
 * does the waiting. Calls that must wait for the whole device fail in CUDA, which invalidates such a capture; they
 * return CADASTRE_CAPTURE_ACTIVE, and the context does not change. Such calls are: to resize a block; and, when the
 * call names no queue, to free PINNED memory, memory from a pool, memory that was allocated in the order of a queue,
 * or any memory of a context with blocks on several devices. */
typedef void* cadastre_queue;
#define CADASTRE_DEFAULT_QUEUE ((cadastre_queue) 0)

/* Creates a context with the backend and the limits that the environment variables specify.
 *
 * Result: its handle, or CADASTRE_NULL_CONTEXT; cadastre_last_error(CADASTRE_NULL_CONTEXT, ...) then reports why:
 * ALLOCATION_FAILED (no host memory, or too many contexts), INVALID_ENVIRONMENT (a malformed value), NOT_SUPPORTED
 * (the requested backend is unavailable). It is not an error when a file that CADASTRE_TRACE or CADASTRE_REPORT names
 * cannot be written; cadastre_environment_get_info reports it.
 * Cost: one small allocation; the first call of a process also reads the environment. */
CADASTRE_API cadastre_context cadastre_context_create(void);

/* The options of a new context.
 *
 *   struct_size  sizeof(cadastre_context_options_struct), by which a later version of the library recognizes this one
 *   backend      where its memory comes from: CADASTRE_DEFAULT_BACKEND (CADASTRE_BACKEND of the environment, else the
 *                first backend with a device other than the host), a backend of cadastre_vocabulary.h, or what
 *                cadastre_backend_register returned
 *   device       for blocks that name none: CADASTRE_DEFAULT_DEVICE (the current device of the calling thread), or
 *                CADASTRE_DEVICE_BY_ID(id) for an id from 0 to the number of devices of the backend - 1
 *   pool         for all memory types: CADASTRE_POOL_VENDOR; CADASTRE_POOL_CACHING (freed memory is cached for later
 *                requests, see cadastre_pool_get_info); CADASTRE_POOL_NONE; or CADASTRE_DEFAULT_POOL: for each memory
 *                type what CADASTRE_POOL of the environment specifies, and no pool where it specifies nothing
 *   limits       for each memory type, as for cadastre_set_limit: a number of bytes, CADASTRE_UNLIMITED,
 *                CADASTRE_LIMIT_NOTHING, or 0: what CADASTRE_LIMIT of the environment specifies, and no limit where it
 *                specifies nothing. From CADASTRE_MEMORY_TYPE_COUNT on they are reserved, and must be 0
 *   parent       a live context, or CADASTRE_PROCESS, or CADASTRE_NULL_CONTEXT, which means CADASTRE_PROCESS. The memory
 *                of the new context counts against the limits of its parent, of the parent of that, and so on up to the
 *                process; and a parent is not destroyed before its children */
typedef struct cadastre_context_options_struct {
  size_t struct_size;
  cadastre_backend backend;
  int32_t device;
  cadastre_pool pool;
  int32_t reserved; /* 0 */
  size_t limits[CADASTRE_MAX_MEMORY_TYPES];
  cadastre_context parent;
} cadastre_context_options_struct;

/* Initializer: all options have their default values. */
static const cadastre_context_options_struct cadastre_context_options_struct_zero = {
    sizeof(cadastre_context_options_struct), CADASTRE_DEFAULT_BACKEND, CADASTRE_DEFAULT_DEVICE,
    CADASTRE_DEFAULT_POOL, 0, {0}, CADASTRE_NULL_CONTEXT};

/* Creates a context with the given options.
 *
 * options: not NULL; copied.
 * Result: its handle, or CADASTRE_NULL_CONTEXT; cadastre_last_error(CADASTRE_NULL_CONTEXT, ...) then reports why:
 * ALLOCATION_FAILED (no host memory, or too many contexts), INVALID_ARG_1 (NULL, an unknown struct_size, backend,
 * device or pool), INVALID_CONTEXT (parent is no live context), INVALID_ENVIRONMENT (as for cadastre_context_create), NOT_SUPPORTED (the backend is unavailable),
 * FAILURE (the clone operation of a registered backend failed).
 * Cost: as cadastre_context_create; the first context with a backend also starts the runtime of that backend. */
CADASTRE_API cadastre_context cadastre_context_create_with_options(const cadastre_context_options_struct* options);

/* Writes the options of a context: backend, device and limits as they are now, and pool as it was given at creation;
 * cadastre_pool_get_info reports the pool that each memory type has.
 *
 * options: where to write; not NULL. Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, or an unknown
 * struct_size). */
CADASTRE_API cadastre_exit_code cadastre_context_get_options(cadastre_context context,
                                                             cadastre_context_options_struct* options);

/* Checks whether a handle is that of a live context.
 *
 * context: any number. Result: the same number, or CADASTRE_NULL_CONTEXT. Does not set the last error. Never waits
 * for the context's lock. */
CADASTRE_API cadastre_context cadastre_context_check(cadastre_context context);

/* What was still alive in a context when it was destroyed: the blocks that the context owned, without the memory of
 * its workspaces. Borrowed blocks and leases are counted separately. largest_label is the label with the most bytes;
 * "" when these blocks had no label. */
typedef struct cadastre_destroy_summary_struct {
  size_t struct_size;
  int64_t live_blocks;
  size_t live_bytes;
  int64_t borrowed_blocks;
  int64_t failed_deallocations;
  int64_t live_leases;
  size_t largest_label_bytes;
  char largest_label[256];
} cadastre_destroy_summary_struct;

/* Initializer. */
static const cadastre_destroy_summary_struct cadastre_destroy_summary_struct_zero = {
    sizeof(cadastre_destroy_summary_struct), 0, 0, 0, 0, 0, 0, {0}};

/* Destroys a context: frees every block that it owns, in the backend that the block came from, and removes its
 * records of borrowed memory. Waits for calls of other threads that are inside the context, and for its lock when
 * another thread holds it; a thread that holds the lock itself may destroy the context. Calls that arrive during the
 * destruction are refused.
 *
 * summary: NULL, or where to write what was still alive; written when the context has been destroyed.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (an unknown struct_size; the context is unchanged); CAPTURE_ACTIVE (see CADASTRE_DEFAULT_QUEUE; the context is unchanged);
 * FAILURE (called from an operation of a registered backend that works for this context, so that the call would wait
 * for itself, or the context has children; the context is unchanged); DEALLOCATION_FAILED (the context is destroyed, but a backend could not free
 * a block, or a registered backend could not destroy its clone; the last error reports which).
 * Cost: one backend free per live block. */
CADASTRE_API cadastre_exit_code cadastre_context_destroy(cadastre_context context);
CADASTRE_API cadastre_exit_code cadastre_context_destroy_with_summary(
    cadastre_context context, cadastre_destroy_summary_struct* summary);

/* Destroys a context and all contexts below it, as cadastre_context_destroy does: children before their parent.
 * Contexts that other threads create below it meanwhile are destroyed, too.
 *
 * summary: NULL, or where to write the sum of what was still alive in all of them; written when the context has been
 *   destroyed.
 * Exit codes: as cadastre_context_destroy_with_summary, except that children are no reason to refuse. When a child is
 * not destroyed, because of CAPTURE_ACTIVE or FAILURE, neither is the context; the children that were destroyed before
 * are gone, and the last error of the context reports the failure. Cost: the sum over all, and a look at each context
 * of the process for each of them. */
CADASTRE_API cadastre_exit_code cadastre_context_destroy_with_children(
    cadastre_context context, cadastre_destroy_summary_struct* summary);

/* Locks a context for the calling thread: calls of other threads on this context wait until the thread has called
 * cadastre_unlock as often as cadastre_lock. The thread that holds the lock may call every function.
 *
 * A thread that ends while it holds the lock keeps it; calls of other threads on this context then wait for ever.
 *
 * Exit codes: SUCCESS; INVALID_CONTEXT; FAILURE (the thread has locked it 2147483647 times already). */
CADASTRE_API cadastre_exit_code cadastre_lock(cadastre_context context);

/* Undoes one cadastre_lock of the calling thread.
 *
 * Exit codes: SUCCESS; INVALID_CONTEXT; FAILURE (the calling thread does not hold the lock). Like every call on the
 * context, it waits while another thread holds the lock. */
CADASTRE_API cadastre_exit_code cadastre_unlock(cadastre_context context);

/* The last failure of the calling thread on one context. Numbers that do not apply are 0, pointers NULL,
 * strings "". */
typedef struct cadastre_error_struct {
  size_t struct_size;
  cadastre_exit_code exit_code;
  cadastre_reason reason;
  cadastre_memory_type type;  /* of the request or the block; -1 for none */
  cadastre_backend backend;   /* that was requested; -1 for none */
  int32_t device_id;          /* of the device that was requested; -1 for none */
  int32_t argument;           /* the number of the invalid argument, from 1 */
  size_t requested;           /* bytes, alignment or number that was requested */
  size_t in_use;              /* bytes already in use; or how many blocks, contexts or leases are */
  size_t limit;               /* the maximum that would have been accepted */
  size_t required;            /* the alignment, stride, structure size or device_id that was required */
  const void* pointer;        /* the address that was passed */
  const void* base;           /* the block that the error concerns */
  size_t size;                /* of that block */
  size_t offset;              /* of the address in that block */
  cadastre_context owner;     /* the context that owns the block */
  int64_t vendor_code;        /* what the vendor's routine returned: an errno, a cudaError_t */
  char vendor_message[128];   /* the vendor's text for this code */
  char function[64];          /* the function that failed */
  char message[768];          /* "function: what was given, and what is allowed; what to do" */
} cadastre_error_struct;

/* Initializer. */
static const cadastre_error_struct cadastre_error_struct_zero = {
    sizeof(cadastre_error_struct), CADASTRE_SUCCESS, CADASTRE_REASON_NONE, -1, -1, -1, 0, 0, 0, 0, 0, NULL, NULL, 0, 0, CADASTRE_NULL_CONTEXT, 0,
    {0}, {0}, {0}};

/* Writes why the calling thread's last failing call on a context failed. A call that succeeds leaves this information
 * unchanged. A thread remembers the last failure of each of the 8 contexts on which it failed most recently.
 *
 * context: any number; CADASTRE_NULL_CONTEXT for cadastre_context_create; after a call that refused a handle, that
 *   handle.
 * error: where to write; not NULL. Its exit_code is SUCCESS when no failure is remembered.
 * Exit codes: SUCCESS; INVALID_ARG_2 (NULL, or an unknown struct_size).
 * An unknown pointer is looked for in the other contexts only here, so that a failed look-up stays cheap: the reason
 * becomes OTHER_CONTEXT when the address lies in a block of another context at the time of this call. */
CADASTRE_API cadastre_exit_code cadastre_last_error(cadastre_context context,
                                                    cadastre_error_struct* error);

/* A request for a block, and the description of a block in the registry.
 *
 *               in a request                              in a result
 *   size        bytes; 0 gives a distinct block           as requested, never rounded
 *   pointer     ignored by cadastre_malloc                the block's first byte
 *   type        memory type                               memory type
 *   device      CADASTRE_DEFAULT_DEVICE, or               CADASTRE_DEVICE_BY_ID(device_id), or
 *               CADASTRE_DEVICE_BY_ID(id);                CADASTRE_DEFAULT_DEVICE for none
 *               ignored for HOST
 *   alignment   0 (default of the backend) or a power     the alignment that the block has: at least as
 *               of two                                    requested
 *   stride      bytes between elements, 0 when unused     as requested
 *   flags       0 or CADASTRE_UNINITIALIZED               these, and CADASTRE_BORROWED,
 *                                                         CADASTRE_STREAM_ORDERED, CADASTRE_WORKSPACE_MEMORY
 *   backend     a backend, or CADASTRE_DEFAULT_BACKEND    the backend that the memory came from
 *   label       NULL, up to 255 characters, copied; or    NULL, or a string that lives as long as the
 *               what cadastre_label returned              process, as cadastre_label returns it
 *   device_id   ignored                                   the vendor's number of the device; -1 for none
 *   reserved    0                                         0
 *
 * The struct keeps its size and its fields in all later versions; reserved is room for fields for which 0 is the
 * default. A struct that begins as {0}, or with designated initializers, is thus a request in which every field that
 * is not set has its default. A result can be passed as a request. */
typedef struct cadastre_memory_info_struct {
  size_t size;
  void* pointer;
  cadastre_memory_type type;
  int32_t device;
  size_t alignment;
  size_t stride;
  cadastre_flags flags;
  cadastre_backend backend;
  const char* label;
  int32_t device_id;
  uint32_t reserved[9];
} cadastre_memory_info_struct;

/* Initializer of a request: HOST memory, on the default device and backend, everything else 0. */
static const cadastre_memory_info_struct cadastre_memory_info_struct_zero = {
    0, NULL, CADASTRE_HOST, CADASTRE_DEFAULT_DEVICE, 0, 0, 0, CADASTRE_DEFAULT_BACKEND, NULL, 0, {0}};

/* Allocates a block and records it in the registry. Its bytes are zero unless info.flags contains
 * CADASTRE_UNINITIALIZED. HOST memory that the backend does not support comes from the host backend.
 *
 * info: see cadastre_memory_info_struct.
 * Result: the first byte, owned by the context until it is freed; or NULL. The last error then has the exit code
 * INVALID_CONTEXT, INVALID_ARG_2 (alignment, memory type, device, backend, flags, label, or a size that exceeds the
 * largest possible allocation), NOT_SUPPORTED (the backend is unavailable, or does not support this memory type or
 * alignment), LIMIT_EXCEEDED or ALLOCATION_FAILED.
 * Queues: the block is ready for use on every queue when the call returns. With CADASTRE_POOL_VENDOR, DEVICE memory
 * is allocated as by cadastre_malloc_async on the context's default queue.
 * Cost: O(1), and the backend's allocation, during which no lock is held. Large blocks of HOST memory come zeroed
 * from the operating system and are not touched. */
CADASTRE_API void* cadastre_malloc(cadastre_context context, const cadastre_memory_info_struct info);

/* Frees a block that the context owns.
 *
 * ptr: its first byte.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, unknown, inside a block, already freed, borrowed, of
 * another context: the reason says which); CAPTURE_ACTIVE (see CADASTRE_DEFAULT_QUEUE; the block is unchanged);
 * DEALLOCATION_FAILED (the backend could not free the memory; the record is removed, and counted in
 * failed_deallocations).
 * Queues: a block may be freed while a queue still uses it. DEVICE, UVM and PINNED memory: the call waits until the
 * devices on which the context has blocks have completed all work that was enqueued on their queues before. HOST
 * memory: copies from and to it that were started by cadastre_memcpy_async must be complete; wait with
 * cadastre_synchronize.
 * Cost: O(1), and the backend's free, during which no lock is held. */
CADASTRE_API cadastre_exit_code cadastre_free(cadastre_context context, void* const ptr);

/* Returns the label with a text, for the field label of requests. The library stores a text once in a process, and a
 * request whose label is a stored one is faster than one with any other text, which is compared with those that are
 * stored. Requests with equal texts have the same label either way.
 *
 * text: up to 255 characters; not NULL. It is copied.
 * Result: the stored text, which lives as long as the process, so a program should have few different ones; NULL on
 *   failure. Equal texts have the same address.
 * Exit codes (cadastre_last_error of CADASTRE_NULL_CONTEXT): INVALID_ARG_1 (NULL, or longer than 255 characters),
 * ALLOCATION_FAILED (no host memory). Any thread may call it at any time, also from callbacks and in a forked child; it
 * takes no lock. Cost: O(length).
 *
 *   static const char* density;
 *   if (!density) density = cadastre_label("density");
 *   info.label = density; */
CADASTRE_API const char* cadastre_label(const char* text);

/* Changes the size of a block that the context owns. Contents up to the smaller size, label, memory type, device,
 * alignment and stride stay; bytes beyond the old size are zero unless the block was allocated with
 * CADASTRE_UNINITIALIZED. The block may move. A block with CADASTRE_STREAM_ORDERED becomes an ordinary block.
 *
 * ptr: its first byte; not NULL. size: the new size; 0 keeps a block of 0 bytes.
 * Result: the first byte of the resized block; or NULL, and the block at ptr is unchanged. The last error then has
 * INVALID_CONTEXT, INVALID_ARG_2 (see cadastre_free), INVALID_ARG_3 (the size exceeds the largest possible
 * allocation), LIMIT_EXCEEDED, ALLOCATION_FAILED, FAILURE (the copy failed), CAPTURE_ACTIVE (see
 * CADASTRE_DEFAULT_QUEUE) or DEALLOCATION_FAILED (the old block could not be freed).
 * Queues: as cadastre_free of the old block. Work on it that is enqueued on queues of the context's devices is
 * completed first: the new block contains what this work writes.
 * Cost: O(1) in the registry; in place where the backend supports it, else an allocation, a copy and a free. */
CADASTRE_API void* cadastre_realloc(cadastre_context context, void* const ptr, size_t size);

/* As cadastre_malloc, in the order of a queue: work that is enqueued on this queue may use the block at once, and
 * work on other queues after they have waited for this queue. The block may reuse memory that earlier work on this
 * queue has just freed. This applies to DEVICE memory of a cuda device with memory pools (cudaMallocAsync), and to
 * PINNED, DEVICE and UVM memory of a cuda device in a context with CADASTRE_POOL_CACHING. All other blocks are
 * allocated as by cadastre_malloc, and are ready on every queue. The flag CADASTRE_STREAM_ORDERED that
 * cadastre_get_malloc_info writes shows which case applies.
 *
 * queue: CADASTRE_DEFAULT_QUEUE, or a queue of the context's backend, on the block's device. A block of another
 *   backend is allocated as by cadastre_malloc.
 * Result and exit codes: as cadastre_malloc; and CAPTURE_ACTIVE (the queue is being captured, and the block would be
 * ordered by it). Cost: the same; the caller does not wait for the queue. */
CADASTRE_API void* cadastre_malloc_async(cadastre_context context, const cadastre_memory_info_struct info,
                                         cadastre_queue queue);

/* As cadastre_malloc_async, for elements that begin info.stride bytes apart: cadastre_memcpy_strided then uses the
 * stride of the block. info.size is the size of the whole block.
 *
 * Exit codes: as cadastre_malloc, and INVALID_ARG_2 when info.stride is 0 or more than info.size. */
CADASTRE_API void* cadastre_malloc_strided(cadastre_context context, const cadastre_memory_info_struct info,
                                           cadastre_queue queue);

/* As cadastre_free, in the order of a queue: the memory is freed when the queue has completed the work enqueued on it
 * so far, and only work on that queue may still use it. A block with CADASTRE_STREAM_ORDERED is released without
 * waiting; so is a block of a caching pool of a kind that cadastre_malloc_async allocates with that flag, unless the
 * queue is cudaStreamPerThread. For any other block the call waits for the queue and then frees as cadastre_free
 * does. A caching pool enqueues no work on the default queue for this call, so that the call does not make CUDA
 * streams wait for one another through the default stream.
 *
 * ptr: as cadastre_free. queue: as cadastre_malloc_async.
 * Exit codes: as cadastre_free; FAILURE (the queue cannot be waited for; the block is unchanged; a caching pool waits
 * for the block's device instead); CAPTURE_ACTIVE (the queue is being captured, or see CADASTRE_DEFAULT_QUEUE; the
 * block is unchanged). */
CADASTRE_API cadastre_exit_code cadastre_free_async(cadastre_context context, void* const ptr,
                                                    cadastre_queue queue);

/* Writes the description of a block, owned or borrowed.
 *
 * ptr: its first byte. info: where to write; unchanged on failure.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, unknown, inside a block, already freed); INVALID_ARG_3
 * (info is NULL). ptr is never dereferenced. Cost: O(1), also for an unknown pointer. */
CADASTRE_API cadastre_exit_code cadastre_get_malloc_info(cadastre_context context, const void* ptr,
                                                         cadastre_memory_info_struct* info);

/* Writes how many bytes of memory a block occupies. A caching pool rounds requests up, and may return more than was
 * requested. For any other block only the requested size is known, and this is the result. Only the requested bytes
 * may be used.
 *
 * ptr: as cadastre_get_malloc_info. size: where to write; unchanged on failure.
 * Exit codes: as cadastre_get_malloc_info; INVALID_ARG_3 (size is NULL). Threads: any. Cost: O(1). */
CADASTRE_API cadastre_exit_code cadastre_get_allocated_size(cadastre_context context, const void* ptr, size_t* size);

/* Finds the block in which an address lies, and the offset of the address in it. A block of 0 bytes is found by its
 * own address only. Where borrowed ranges enclose other blocks, the innermost is found.
 *
 * address: any; never dereferenced. info, offset: where to write; NULL for what is not wanted; unchanged on failure.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, in no block, or in a block that was freed).
 * Cost: O(1); for memory that is not from the C library's heap, O(1) for each power of two among the sizes of such
 * blocks, of which there are at most 64. */
CADASTRE_API cadastre_exit_code cadastre_find_block(cadastre_context context, const void* address,
                                                cadastre_memory_info_struct* info, size_t* offset);

/* Copies bytes between two ranges, each of them in a block of this context, owned or borrowed, or in unregistered
 * host memory. The kind of transfer follows from the records: any memory type to any other, any device to any other,
 * one backend to another (between DEVICE memory of two backends, the copy is staged through the host).
 *
 * dest, src: addresses anywhere in a block, or in unregistered host memory: an address that is in no block of the
 *   context and that the context's backend does not recognize as its own. The caller guarantees that memory exists
 *   there.
 * size: bytes; with 0 the call succeeds, whatever the addresses are. A copy of a range onto itself succeeds and moves
 *   nothing. Ranges that overlap in part are refused, also in unregistered host memory: the call is no memmove.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2, INVALID_ARG_3 (NULL; device memory that is not in this context
 * or was freed; ranges that overlap in part: INVALID_ARG_2); OUT_OF_BOUNDS (the range leaves its block, which for
 * memory that the host can access may be a block of another context); INVALID_ARG_4 (the size, in unregistered host
 * memory, exceeds the largest possible allocation); NOT_SUPPORTED (the backend that must copy is unavailable or
 * cannot access the memory); ALLOCATION_FAILED (no host memory for staging); FAILURE (the backend reports an error).
 * Both ranges are checked before any byte is copied.
 * Queues: cadastre_memcpy comes after the work enqueued on the default queue, and returns when the copy is complete.
 * When both ranges are HOST or unregistered host memory it waits for no queue: first wait for asynchronous copies
 * from or to these ranges.
 * cadastre_memcpy_async enqueues the copy on a queue and may return before it is complete; both ranges must stay
 * valid, and unchanged, until the queue has completed the copy. The call itself waits where the backend cannot copy
 * asynchronously: always on the host and openmp backends, between two backends, and from or to HOST memory as
 * described in the CUDA programming guide.
 * Threads: the caller ensures that no other thread frees a block while it is copied.
 * Cost: look-up of both addresses, and the copy, during which no lock is held. */
CADASTRE_API cadastre_exit_code cadastre_memcpy(cadastre_context context, void* const dest,
                                                const void* const src, size_t size);
CADASTRE_API cadastre_exit_code cadastre_memcpy_async(cadastre_context context, void* const dest,
                                                      const void* const src, size_t size,
                                                      cadastre_queue queue);

/* Copies count elements of width bytes each. On either side the elements begin one stride apart, which is the stride
 * of the block; in a block without a stride, and in unregistered host memory, they are contiguous.
 *
 * width: bytes of an element; at most each of the strides. count: elements. With 0 for either, the call succeeds.
 * Exit codes, queues, cost: as cadastre_memcpy; INVALID_ARG_4 (width is more than a stride), INVALID_ARG_5 (count
 * elements exceed the largest possible allocation). */
CADASTRE_API cadastre_exit_code cadastre_memcpy_strided(cadastre_context context, void* const dest,
                                                        const void* const src, size_t width, size_t count);
CADASTRE_API cadastre_exit_code cadastre_memcpy_strided_async(cadastre_context context, void* const dest,
                                                              const void* const src, size_t width, size_t count,
                                                              cadastre_queue queue);

/* Sets bytes, in a block of this context or in unregistered host memory (see cadastre_memcpy).
 *
 * dest: as in cadastre_memcpy. value: its low 8 bits go into every byte. size: bytes; with 0 the call succeeds.
 * Exit codes, queues, cost: as cadastre_memcpy with dest alone. */
CADASTRE_API cadastre_exit_code cadastre_memset(cadastre_context context, void* const dest, int value,
                                                size_t size);
CADASTRE_API cadastre_exit_code cadastre_memset_async(cadastre_context context, void* const dest, int value,
                                                      size_t size, cadastre_queue queue);

/* Sets the queue that CADASTRE_DEFAULT_QUEUE means on this context, or writes it.
 *
 * queue: to set, a queue of the context's backend, which stays the caller's and must exist while it is set, or
 *   CADASTRE_DEFAULT_QUEUE, which restores the backend's default; the queue is not checked. To get, where to write;
 *   not NULL.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL). Cost: O(1). */
CADASTRE_API cadastre_exit_code cadastre_context_set_default_queue(cadastre_context context, cadastre_queue queue);
CADASTRE_API cadastre_exit_code cadastre_context_get_default_queue(cadastre_context context, cadastre_queue* queue);

/* Waits until a queue has completed all work that was enqueued on it before.
 *
 * queue: CADASTRE_DEFAULT_QUEUE or a queue of the context's backend.
 * Exit codes: SUCCESS; INVALID_CONTEXT; FAILURE (the backend reports an error, which may be an error of earlier work
 * on the device). No lock is held while the call waits. */
CADASTRE_API cadastre_exit_code cadastre_synchronize(cadastre_context context, cadastre_queue queue);

/* Prefetches a range of UVM memory to a device (cadastre_prefetch), or advises the backend how the range will be used
 * (cadastre_advise). A hint that cannot be applied is ignored, which is not an error: another memory type, a device
 * without managed memory, a backend without hints.
 *
 * address: in a block of this context. bytes: within that block; with 0 the call succeeds, and the hint is ignored.
 * advice: one of the values of cadastre_advice.
 * device: CADASTRE_DEFAULT_DEVICE (the block's own), CADASTRE_HOST_DEVICE, or CADASTRE_DEVICE_BY_ID(id) for a device of
 *   the block's backend.
 * queue: as in cadastre_memcpy_async. applied: NULL, or where to write 1 (applied) or 0 (ignored).
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, or in no block of this context); OUT_OF_BOUNDS;
 * INVALID_ARG_4 (prefetch: no such device; advise: no such advice); INVALID_ARG_5 (advise: no such device); FAILURE
 * (the backend reports an error of earlier work). Cost: O(1) and the backend's call. */
CADASTRE_API cadastre_exit_code cadastre_prefetch(cadastre_context context, const void* const address,
                                                  size_t bytes, int32_t device, cadastre_queue queue,
                                                  int32_t* applied);
CADASTRE_API cadastre_exit_code cadastre_advise(cadastre_context context, const void* const address,
                                                size_t bytes, cadastre_advice advice, int32_t device,
                                                int32_t* applied);

/* Records memory that another owner allocates and frees, so that look-ups find it. It counts as a borrowed block, not as
 * bytes in use, and not against limits.
 *
 * info: pointer (not NULL), size (bytes), type and device describe the memory; alignment, stride and label are
 *   recorded, an alignment of 0 as the largest power of two, up to 4096, that divides the address.
 * The first and the last byte of the range must lie in no block, owned or borrowed. The range may enclose other
 * blocks, and look-ups then find the innermost; but it must not enclose a borrowed range of its own size class (from
 * one power of two to below the next). A range of 0 bytes is found by its own address only.
 * A borrowed record is dropped when a backend returns memory of the range for a new block, if the block begins at the
 * first byte of the range, if each of the two extends beyond the other, or if the range lies within the block: the
 * owner must then have freed the memory.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (pointer is NULL or the range wraps around the address space;
 * unknown memory type or flags; an alignment that is invalid or that the address does not have; a label that is too
 * long; an overlap as described above); NOT_SUPPORTED (the backend is unavailable); ALLOCATION_FAILED (no host memory
 * for the record). Cost: as cadastre_find_block. */
CADASTRE_API cadastre_exit_code cadastre_wrap(cadastre_context context,
                                              const cadastre_memory_info_struct info);

/* Removes borrowed memory from the registry; the memory itself is not touched.
 *
 * ptr: as passed to cadastre_wrap. Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, unknown, or a block
 * that the context owns). Cost: O(1). */
CADASTRE_API cadastre_exit_code cadastre_unwrap(cadastre_context context, const void* ptr);

/* Calls callback for every block, owned or borrowed, in the order in which the blocks were allocated. Once threads
 * have contended for the context, blocks that are less than two thousand allocations apart may be out of order. The
 * blocks are those of one moment: a snapshot is taken first, and no lock is held during the calls of callback, so
 * that callback may call any function, also on this context. A block may therefore have been freed before callback is
 * called for it.
 *
 * callback: not NULL; gets one block and user_data; any result other than CADASTRE_SUCCESS ends the iteration. It may
 *   end its thread with pthread_exit, which frees the snapshot; its thread is not cancelled unless callback enables
 *   that itself. An exception that it throws is caught (FAILURE); it must not leave by longjmp.
 * user_data: passed to callback; may be NULL.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (callback is NULL); ALLOCATION_FAILED (no host memory for the
 * snapshot); else what callback returned. Cost: O(m + n log n) for n blocks, where m is the largest number of blocks
 * that were ever alive at once. */
typedef cadastre_exit_code (*cadastre_foreach_block_function)(const cadastre_memory_info_struct* info, void* user_data);
CADASTRE_API cadastre_exit_code cadastre_foreach_block(cadastre_context context, cadastre_foreach_block_function callback,
                                                 void* user_data);

/* Frees every block that the context owns and removes its records of borrowed memory, as cadastre_context_destroy
 * does; the context, its limits and its statistics stay.
 *
 * Exit codes: SUCCESS; INVALID_CONTEXT; ALLOCATION_FAILED (no host memory for the list of blocks; nothing was freed);
 * CAPTURE_ACTIVE (see CADASTRE_DEFAULT_QUEUE; nothing was freed, or, when a capture began during the call, some
 * blocks were not freed); DEALLOCATION_FAILED (a backend could not free at least one block; all others are freed).
 * Cost: as cadastre_foreach_block, and one backend free per block. */
CADASTRE_API cadastre_exit_code cadastre_free_all(cadastre_context context);

/* The statistics of one memory type of a context. At every moment
 *   allocations = deallocations + failed_deallocations + untracked_deallocations + live_blocks.
 * Those of a context that has or had children, and of CADASTRE_PROCESS, include all contexts below it, also those that
 * were destroyed. Their high-water marks are exact where the context, or one above it, has a limit for the memory type.
 * Elsewhere they are never too low, and at most 64 KiB too high for each processor of the machine; high_water_mark_blocks
 * may be too low by the blocks that fit into that. */
typedef struct cadastre_statistics_struct {
  size_t struct_size;
  int64_t allocations;              /* blocks allocated */
  int64_t deallocations;            /* blocks freed */
  int64_t reallocations;            /* blocks resized; counted neither as allocation nor as deallocation */
  int64_t failed_allocations;       /* failed requests to allocate or resize a block of this memory type */
  int64_t failed_deallocations;     /* blocks that the backend could not free */
  int64_t untracked_deallocations;  /* blocks whose address the backend returned again: freed without the library */
  int64_t live_blocks;              /* blocks allocated and not freed */
  int64_t borrowed_blocks;          /* blocks recorded by cadastre_wrap */
  int64_t high_water_mark_blocks;   /* maximum of live_blocks since creation or the last reset */
  size_t live_bytes;                /* bytes of the live blocks, as requested */
  size_t high_water_mark_bytes;     /* maximum of live_bytes since creation or the last reset */
  size_t total_bytes;               /* bytes of all blocks ever allocated, growth by cadastre_realloc included */
  size_t zeroed_bytes;              /* of these, bytes returned as zeros */
  size_t limit;                     /* maximum of live_bytes that is allowed, as cadastre_set_limit takes it */
} cadastre_statistics_struct;

/* Initializer. */
static const cadastre_statistics_struct cadastre_statistics_struct_zero = {
    sizeof(cadastre_statistics_struct), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

/* Writes the statistics of one memory type. The values of one context are consistent with each other; where there are
 * several, each has those of a moment of its own.
 *
 * context: a context, or CADASTRE_PROCESS. type: a memory type; all values are 0 for a type that no backend supports. statistics: where to write.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type); INVALID_ARG_3 (NULL, or an unknown
 * struct_size). Cost: O(1). */
CADASTRE_API cadastre_exit_code cadastre_get_statistics(cadastre_context context,
                                                        cadastre_memory_type type,
                                                        cadastre_statistics_struct* statistics);

/* Writes the statistics of one memory type on one device. The values of all devices add up to those of
 * cadastre_get_statistics, if all memory belongs to a device; high-water marks do not add up, since they may have
 * been reached at different moments. A limit applies to all devices together: the field limit is CADASTRE_UNLIMITED.
 * Requests for a device or a backend that does not exist are counted in failed_allocations of cadastre_get_statistics
 * only.
 *
 * device_id: the vendor's number, from 0; all values are 0 for a device that was never used.
 * Exit codes: as cadastre_get_statistics; INVALID_ARG_3 (device_id is negative); INVALID_ARG_4 (NULL, or an
 * unknown struct_size). */
CADASTRE_API cadastre_exit_code cadastre_get_device_statistics(cadastre_context context,
                                                               cadastre_memory_type type, int32_t device_id,
                                                               cadastre_statistics_struct* statistics);

/* What a context caches of one memory type for later requests, where its pool for that type is CADASTRE_POOL_CACHING.
 * Bytes and counts are those of all devices together. HOST blocks below 256 KiB belong to the heap and are not
 * included.
 *
 * Bounds: used and cached bytes together never exceed the maximum that used_bytes has reached (by default;
 * CADASTRE_POOL_RELEASE_THRESHOLD changes this bound). Where a limit is set, cached bytes also never exceed what live
 * blocks leave of the limit.
 * Rounding: used_bytes counts each block with its allocated size: the requested size, rounded up to pages (HOST) or
 * 256 bytes. Where no limit is set, a block may also get a cached piece that is up to half as large again, as long as
 * all bytes wasted in this way are at most an eighth of the maximum that used_bytes has reached.
 * Release: memory that no request has used for ten seconds is released to its backend by a later call that may wait.
 * All cached memory is released before a request of any context fails because there is no memory; so are automatic
 * workspaces without leases.
 * Limits and the other statistics count requested bytes. Advice on UVM memory applies to whole pages, and also to
 * later blocks that get this memory. */
typedef struct cadastre_pool_info_struct {
  size_t struct_size;
  cadastre_pool pool;         /* of this memory type; everything else is 0 unless it is CADASTRE_POOL_CACHING */
  int32_t pool_count;         /* number of pools: one for each device and backend from which memory was requested */
  size_t used_bytes;          /* bytes of the live blocks, rounded up as the pool does */
  size_t reserved_bytes;      /* bytes allocated from the backends and not released, used or cached */
  size_t largest_free_bytes;  /* largest block possible without a call of a backend, if queues are waited for */
  size_t releasable_bytes;    /* bytes that cadastre_pool_trim could release */
  int64_t hits;               /* requests satisfied with cached memory */
  int64_t misses;             /* requests for which a backend was called */
  int64_t trims;              /* number of times that memory was released, on request or not */
} cadastre_pool_info_struct;

/* Initializer. */
static const cadastre_pool_info_struct cadastre_pool_info_struct_zero = {
    sizeof(cadastre_pool_info_struct), CADASTRE_DEFAULT_POOL, 0, 0, 0, 0, 0, 0, 0, 0};

/* Writes what is cached of one memory type. The values are consistent for each pool.
 *
 * type: a memory type; all values are 0 for a type that no backend supports, or that has no caching pool. info: where
 * to write; not NULL.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type); INVALID_ARG_3 (NULL, or an unknown
 * struct_size).
 * Threads: any. Queues: waits for none. Cost: O(n) for n cached blocks. */
CADASTRE_API cadastre_exit_code cadastre_pool_get_info(cadastre_context context, cadastre_memory_type type,
                                                       cadastre_pool_info_struct* info);

/* Releases cached memory to the backends, until at most min_bytes_to_keep bytes are reserved, or nothing more can be
 * released. What was cached longest is released first. Live blocks are not touched. Without a caching pool nothing
 * happens. Before a request of any context fails because there is no memory, all pools release their cached memory in
 * this way.
 *
 * context: a context, with all below it; or CADASTRE_PROCESS. type: a memory type. min_bytes_to_keep: any number; 0
 *   releases all that can be released.
 * Exit codes: SUCCESS, also when more than min_bytes_to_keep bytes are in use; INVALID_CONTEXT; INVALID_ARG_2 (no
 * memory type); DEALLOCATION_FAILED (a backend could not free memory, which stays cached).
 * Threads: any; others may allocate and free meanwhile. Queues: waits on the host for the queues on which blocks were
 * freed. Cost: one backend free for each cached block. */
CADASTRE_API cadastre_exit_code cadastre_pool_trim(cadastre_context context, cadastre_memory_type type,
                                                   size_t min_bytes_to_keep);

/* Lowers the high-water marks of one memory type, on each device and in total, to the bytes and blocks that are live
 * now. Those of other contexts, below or above this one, stay.
 *
 * context: a context, or CADASTRE_PROCESS.
 *
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type). Cost: O(1). */
CADASTRE_API cadastre_exit_code cadastre_reset_high_water_mark(cadastre_context context,
                                                               cadastre_memory_type type);

/* Sets the maximum number of bytes that all blocks of one memory type may have together, in the context and in all below
 * it. Before a request is refused because of a limit, memory is released that is cached, and so are automatic workspaces
 * without leases, as far as they count against it. Bytes are reserved before the backend is called, so that concurrent
 * threads cannot exceed the limit together. Bytes that calls in progress have reserved count as live: those calls are no
 * longer refused. A limit below live and reserved bytes together is accepted; allocations are then refused until enough
 * is freed.
 *
 * context: a context, or CADASTRE_PROCESS for the sum of all contexts. bytes: a number of bytes; CADASTRE_UNLIMITED removes the limit; CADASTRE_LIMIT_NOTHING refuses everything except
 *   blocks of 0 bytes; 0 restores the default, which CADASTRE_LIMIT of the environment specifies, and no limit where it
 *   specifies nothing. A limit that is computed and may come to 0 needs CADASTRE_LIMIT_NOTHING in its place.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type). Cost: O(1) for each context of the process. */
CADASTRE_API cadastre_exit_code cadastre_set_limit(cadastre_context context, cadastre_memory_type type,
                                                   size_t bytes);

/* Switches the timing of backend calls on (on != 0) or off. It is off in a new context, because two readings of the
 * clock cost about as much as a small allocation.
 *
 * Exit codes: SUCCESS; INVALID_CONTEXT. */
CADASTRE_API cadastre_exit_code cadastre_context_set_timing(cadastre_context context, int on);

/* Returns how many nanoseconds the calling thread has spent inside backends since the thread started, in contexts
 * whose timing was on. The difference of two results is the time spent in backends between the two calls. */
CADASTRE_API int64_t cadastre_get_backend_nanoseconds(void);

/* Writes a report of a context: statistics and limits of each memory type; live bytes by label and type; the largest
 * blocks; its last failures, with the largest users of memory at the time when an allocation was refused; failures to
 * create a context in this process; and the origin of the report: process, program, host, rank, time, context. All
 * values are those of one moment; no lock is held while the report is written. The report of a parent includes all
 * contexts below it, and that of CADASTRE_PROCESS all contexts, each as it is at a moment of its own; it lists them, and
 * leaves out the statistics of devices.
 * Text that comes from the program or a vendor is escaped: nothing in a text report moves the cursor of a terminal.
 * The JSON form has a schema_version; its fields are described in the chapter report and in cadastre(1).
 *
 * stream: an open stdio stream; not NULL; it is flushed and stays open.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL); INVALID_ARG_3 (unknown format); ERRNO (writing to the
 * stream failed; part of the report may have been written); ALLOCATION_FAILED (no host memory).
 * Cost: as cadastre_foreach_block. */
CADASTRE_API cadastre_exit_code cadastre_report(cadastre_context context, FILE* stream,
                                                cadastre_report_format format);

/* One backend, whether or not it is available here. Strings live as long as the library. */
typedef struct cadastre_backend_info_struct {
  size_t struct_size;
  cadastre_backend backend;
  int32_t available;          /* 1 or 0 */
  int32_t device_count;       /* number of devices; 0 for a backend without devices */
  uint32_t memory_type_mask;  /* bit t is set when memory type t is supported here */
  const char* name;
  const char* description;
  const char* problem;        /* "" when available; else why it is not, and how to make it available */
} cadastre_backend_info_struct;

/* Initializer. */
static const cadastre_backend_info_struct cadastre_backend_info_struct_zero = {
    sizeof(cadastre_backend_info_struct), CADASTRE_DEFAULT_BACKEND, 0, 0, 0, NULL, NULL, NULL};

/* Writes what is known of one backend.
 *
 * Result of cadastre_backend_get_count: the number of backends that this version of the library names, whether or not
 * they are available; these have the numbers from 1 to this one.
 * backend: one of these, or a registered one. info: where to write.
 * Exit codes: SUCCESS; INVALID_ARG_1 (no such backend); INVALID_ARG_2 (NULL, or an unknown struct_size). A failure is
 * remembered for
 * CADASTRE_NULL_CONTEXT. */
CADASTRE_API int32_t cadastre_backend_get_count(void);
CADASTRE_API cadastre_exit_code cadastre_backend_get_info(cadastre_backend backend,
                                                          cadastre_backend_info_struct* info);

/* One device of a backend. */
typedef struct cadastre_device_info_struct {
  size_t struct_size;
  cadastre_backend backend;
  int32_t device_id;   /* the vendor's number */
  size_t total_bytes;  /* bytes of its memory; 0 when unknown */
  size_t free_bytes;   /* of these, bytes that are free at the time of the call */
  char name[128];      /* "" when unknown */
} cadastre_device_info_struct;

/* Initializer. */
static const cadastre_device_info_struct cadastre_device_info_struct_zero = {
    sizeof(cadastre_device_info_struct), CADASTRE_DEFAULT_BACKEND, 0, 0, 0, {0}};

/* Writes what is known of one device of a backend.
 *
 * backend: one that is available. device_id: from 0 to its number of devices - 1. info: where to write.
 * Exit codes: SUCCESS; INVALID_ARG_1 (no such backend); NOT_SUPPORTED (the backend is unavailable); INVALID_ARG_2 (no
 * such device); INVALID_ARG_3 (NULL, or an unknown struct_size); FAILURE (the vendor's runtime reports an error). A failure is remembered for
 * CADASTRE_NULL_CONTEXT. Cost: a few calls of the vendor's runtime, which is started on the device. */
CADASTRE_API cadastre_exit_code cadastre_device_get_info(cadastre_backend backend, int32_t device_id,
                                                         cadastre_device_info_struct* info);

/* One environment variable: first the variables that the library knows, in a fixed order, then those that begin with
 * CADASTRE_ and are unknown. Strings live as long as the library. */
typedef struct cadastre_environment_info_struct {
  size_t struct_size;
  const char* name;
  const char* value;          /* NULL when it is not set */
  const char* default_value;  /* the value used when it is not set; "" for an unknown variable */
  const char* expected;       /* the values that are accepted; "" for an unknown variable */
  const char* description;    /* "" for an unknown variable */
  const char* problem;        /* "" for none; else what is wrong, and what would be right; or why the
                               * file that the variable names can no longer be written */
} cadastre_environment_info_struct;

/* Initializer. */
static const cadastre_environment_info_struct cadastre_environment_info_struct_zero = {
    sizeof(cadastre_environment_info_struct), NULL, NULL, NULL, NULL, NULL, NULL};

/* Writes what was read from the environment, which is read once per process.
 *
 * Result of cadastre_environment_get_count: the number of variables.
 * index: from 0 to that number - 1. info: where to write.
 * Exit codes: SUCCESS; INVALID_ARG_1 (no such index); INVALID_ARG_2 (NULL, or an unknown struct_size). A failure is
 * remembered for
 * CADASTRE_NULL_CONTEXT. */
CADASTRE_API int32_t cadastre_environment_get_count(void);
CADASTRE_API cadastre_exit_code cadastre_environment_get_info(int32_t index,
                                                              cadastre_environment_info_struct* info);

/* The operations of a backend that the caller supplies. A NULL operation has the default that is listed with it. Each
 * operation returns 0 for success; any other number is the backend's own error code, which cadastre_last_error
 * reports as vendor_code. content is the pointer that was registered, or its clone. Operations are called by any
 * thread, several at a time, while no lock is held; they may call this library. They should not throw: an exception
 * that leaves an operation is a failure of it. A thread is not cancelled inside an operation. An operation must
 * return: it must not end its thread with pthread_exit nor leave by longjmp, since what the call has reserved could
 * not be released. It may fork: parent and child both continue the call.
 *
 * request and block contain size, type, device, device_id, alignment, flags and the backend's number, and block also
 * its pointer; stride is 0, label NULL. A place contains type, device, device_id and backend of the memory, and the
 * range to copy or set as pointer and size; unregistered host memory (see cadastre_memcpy) has the type CADASTRE_HOST and the backend
 * CADASTRE_BACKEND_HOST. examples/custom_backend.c is a complete example.
 *
 *   struct_size       sizeof(cadastre_backend_operations_struct), by which a later version of the library recognizes
 *                     this one. A shorter table lacks the last operations, which then have their defaults; a longer
 *                     one is accepted when everything that this version does not know is 0
 *   memory_type_mask  bit t is set for each supported memory type t; not 0
 *   device_count      number of devices, whose ids begin at 0; 0 for none: blocks then have the device_id -1
 *   allocate          required. *pointer: size bytes (0 bytes also have an address of their own), at a multiple of
 *                     request->alignment, which is a power of two, and at least the alignment of max_align_t where
 *                     max_alignment allows it; zeroing is done with set. queue: the caller's, for cadastre_malloc_async
 *   free              required. Waits until all work that was enqueued on any queue for the block is complete. The
 *                     address may be allocated again as soon as free returns
 *   copy              required. size bytes, not 0, in ranges that do not overlap; complete when it returns, after the
 *                     work enqueued on the queue. At least one place is the backend's own, the other is its own or one
 *                     that the host can access
 *   set               required. size bytes, not 0; complete when it returns, after the work enqueued on the queue
 *   copy_async        as copy, done when the queue reaches it            default: copy
 *   synchronize       waits for a queue of a device; for
 *                     CADASTRE_DEFAULT_QUEUE, for all of them            default: nothing to wait for
 *   prefetch          applied: 1 when the hint was applied               default: ignored
 *   advise            as prefetch                                        default: ignored
 *   device_memory     total and free bytes of a device                   default: unknown
 *   max_alignment     the largest alignment that allocate accepts, a
 *                     power of two; called for each memory type at
 *                     registration                                       default: 1 MiB
 *   clone             called when a context is created with this
 *                     backend; *clone is the content for that context.
 *                     Blocks of other contexts that name the backend
 *                     come from the registered content                   default: the content is shared
 *   destroy           called with a clone after its context is
 *                     destroyed, and with the registered content by
 *                     cadastre_backend_unregister                        default: nothing */
typedef struct cadastre_backend_operations_struct {
  size_t struct_size;
  uint32_t memory_type_mask;
  int32_t device_count;
  int32_t (*allocate)(void* content, const cadastre_memory_info_struct* request, cadastre_queue queue,
                      void** pointer);
  int32_t (*free)(void* content, const cadastre_memory_info_struct* block);
  int32_t (*copy)(void* content, void* dest, const cadastre_memory_info_struct* dest_place, const void* src,
                  const cadastre_memory_info_struct* src_place, size_t size, cadastre_queue queue);
  int32_t (*set)(void* content, void* dest, const cadastre_memory_info_struct* place, int value, size_t size,
                 cadastre_queue queue);
  int32_t (*copy_async)(void* content, void* dest, const cadastre_memory_info_struct* dest_place,
                        const void* src, const cadastre_memory_info_struct* src_place, size_t size,
                        cadastre_queue queue);
  int32_t (*synchronize)(void* content, int32_t device_id, cadastre_queue queue);
  int32_t (*prefetch)(void* content, const void* address, size_t size, int32_t device_id, cadastre_queue queue,
                      int32_t* applied);
  int32_t (*advise)(void* content, const void* address, size_t size, cadastre_advice advice, int32_t device_id,
                    int32_t* applied);
  int32_t (*device_memory)(void* content, int32_t device_id, size_t* total, size_t* free);
  size_t (*max_alignment)(void* content, cadastre_memory_type type);
  int32_t (*clone)(void* content, void** clone);
  int32_t (*destroy)(void* content);
} cadastre_backend_operations_struct;

/* Initializer: no operation. */
static const cadastre_backend_operations_struct cadastre_backend_operations_struct_zero = {
    sizeof(cadastre_backend_operations_struct), 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL};

/* Registers a backend that the caller supplies; contexts and blocks can then name it.
 *
 * name: for errors and reports; 1 to 63 characters, copied; not the name of a backend of cadastre_vocabulary.h, nor
 *   of another registered backend.
 * operations: copied. content: passed to every operation; may be NULL; stays the caller's, unless destroy is given
 *   and the registration succeeds.
 * Result: the backend's number, which is never used again and keeps this name; or CADASTRE_INVALID_BACKEND, and
 * cadastre_last_error(CADASTRE_NULL_CONTEXT, ...) reports why: INVALID_ARG_1 (name), INVALID_ARG_2 (NULL, an unknown
 * struct_size, memory_type_mask, device_count, a required operation that is NULL, a largest alignment that is not a
 * power of two), ALLOCATION_FAILED (no host memory, or all 192 numbers are used). */
CADASTRE_API cadastre_backend cadastre_backend_register(const char* name,
                                                        const cadastre_backend_operations_struct* operations,
                                                        void* content);

/* Removes a registered backend, and calls its destroy operation with the registered content. No other thread may be
 * using the backend's number in a call.
 *
 * Memory of the backend that was recorded by cadastre_wrap does not prevent this; it can then be looked up, but not
 * copied. In a child process after fork, calls on the backend that other threads had in progress prevent it for ever.
 * Exit codes: SUCCESS; INVALID_ARG_1 (no registered backend); FAILURE (a context or a block uses it, including a
 * block that it could not free; or destroy failed: the backend is removed nevertheless). A failure is remembered for
 * CADASTRE_NULL_CONTEXT. */
CADASTRE_API cadastre_exit_code cadastre_backend_unregister(cadastre_backend backend);

#ifdef __cplusplus
}
#endif

#include "cadastre_workspace.h"
#endif
