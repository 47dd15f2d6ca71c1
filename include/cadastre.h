/* Tangled from org/memory.org; change the chapter, then run: make tangle */
/* Cadastre: a context-tracked registry of memory for numerical libraries.
 *
 * Usable from C99 and C++17. All sizes are in bytes.
 * A function that is given a context returns CADASTRE_INVALID_CONTEXT (or NULL) when the handle is not
 * that of a live context.
 *
 * What may be called from where:
 * - any thread: every function, also at the same time as others and on one context.
 * - a thread that holds cadastre_lock: every function; other threads' calls on that context wait until it unlocks.
 * - the function given to cadastre_foreach: every function: what is visited is a copy, so the context may be
 *   changed, and destroyed.
 * - the functions behind the stream of a report: every function, as for cadastre_foreach.
 * - an operation of a registered backend: every function, but to destroy a context that the thread is inside of:
 *   that is refused with FAILURE and the reason INSIDE_OPERATION. It must not wait for a thread that destroys that
 *   context, nor, where its caller holds cadastre_lock, for one that calls on it: neither can be seen from here.
 * - a signal handler: only cadastre_version and cadastre_build_options: another call may wait for what the
 *   interrupted thread holds.
 * - a handler of pthread_atfork: every function, where it was registered after the library was loaded.
 * - the child of a fork: every function. It has copies of the contexts, their blocks and the locks of the thread
 *   that forked; what other threads had locked or begun is undone. Memory of cuda and openmp stays the parent's: to
 *   allocate or copy such is refused, to free it does nothing. The parent's trace and reports are not written by
 *   the child.
 * - before main, and while the process exits: every function: in constructors and destructors of static and
 *   thread-local objects, in handlers of atexit. A vendor is not called after those handlers that were installed
 *   since its runtime was opened; its memory is then as in a child.
 * - after dlclose: every function: the library stays loaded.
 * - a thread that ends or is cancelled: it is not cancelled inside the library, save in a visit that allows it,
 *   which may also end it by pthread_exit; what it has locked with cadastre_lock stays locked.
 * - beside the capture of a queue: every function; what would wait for the capture, or spoil it, is refused with
 *   CAPTURE_ACTIVE and changes nothing, as far as the vendor lets a capture be seen: see CADASTRE_DEFAULT_QUEUE in
 *   cadastre.h.
 * - after the program resets a device: every function. What contexts have there is gone, as all memory of that
 *   device: it is not to be touched, only freed, which fails where the vendor refuses it. What the vendor gives
 *   there anew is handed out once.
 * - a set-user-id or set-group-id program: every function; no variable of the environment that names a file is
 *   read.
 * - an allocator that stands in for malloc: nothing: the library calls malloc itself.
 *
 * What waits for what:
 * - a context, held while a call reads or changes its records, and writes its line where CADASTRE_TRACE asks for
 *   one; never while a backend, a vendor, a function of the caller's or any other file is waited for. Who waits:
 *   other threads' calls on this context, for so long; none on other contexts.
 * - cadastre_lock, held from cadastre_lock until the thread has unlocked as often. Who waits: other threads' calls
 *   on this context.
 * - a context that is destroyed, held from cadastre_context_destroy until calls of other threads that are inside
 *   have returned. Who waits: nobody: calls that come are refused.
 * - the trace, held while one line is written, which takes 10 seconds at most where nobody reads. Who waits: other
 *   calls that are traced.
 *
 * Traces, reports and notes may:
 * - take time and memory, and fill a disk.
 * - take another name where another process has the file.
 * - tell what became of them: cadastre info, each report, and the file of CADASTRE_NOTES do.
 * They must not:
 * - change the result of a call, the last error, errno or the signals of the program: one that cannot be written
 *   ends, and that is all.
 * - write into a file of another process, or into one that the program has opened where theirs was.
 * - print what was not asked for.
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

/* The version of the library that is running, "MAJOR.MINOR.PATCH", and how it was built: compiler,
 * flags, host and optional parts, one "name: value" per line.
 *
 * Result: a string that lives as long as the library; never NULL. */
CADASTRE_API const char* cadastre_version(void);
CADASTRE_API const char* cadastre_build_options(void);

/* A context: one registry, one lock, one backend. The handle is a number that the library looks up; it is
 * never dereferenced. After its context is destroyed it is refused for ever. */
typedef int64_t cadastre_context;
#define CADASTRE_NULL_CONTEXT ((cadastre_context) 0)

/* A device number: the context's own choice in a request; in an answer, memory that belongs to no device. */
#define CADASTRE_DEFAULT_DEVICE ((int32_t) -1)
/* A device number: the host, where cadastre_prefetch and cadastre_advise name a place. */
#define CADASTRE_HOST_DEVICE ((int32_t) -2)

/* No limit. */
#define CADASTRE_UNLIMITED ((size_t) -1)

/* A queue: a backend's stream of execution. For the cuda backend a cudaStream_t; the host and the openmp
 * backend have one only, on which all work is done at once. CADASTRE_DEFAULT_QUEUE is the context's own:
 * what cadastre_set_default_queue set, at first the backend's default (for CUDA the legacy default stream), which is
 * one on each device: a context with blocks on several devices waits for those of all of them, and puts nothing on
 * one of them before what the others hold is done. A program that is compiled for a default stream per thread names
 * cudaStreamPerThread where it means that one. A queue may be destroyed with work pending, as the vendor allows; a new
 * one that has its number is another queue.
 *
 * While a queue of CUDA is being captured into a graph, in any mode:
 * - What works on no queue may be called as always: look-ups, statistics, limits, reports, and all that is HOST memory.
 * - Memory may be allocated, but not in the order of the captured queue; workspaces lend on it what is there.
 * - Copies and sets on the captured queue that are not waited for become part of the graph.
 * - What would wait for the captured queue, or for a device that has it, is refused with CADASTRE_CAPTURE_ACTIVE, and
 *   changes nothing, neither here nor in the capture: to free, resize or destroy what has memory of CUDA, to wait, to
 *   grow a workspace that has memory. In a context with CADASTRE_POOL_CACHING a block may still be freed on a queue
 *   that is not captured.
 * A capture is seen on queues that wait for the default one (created without cudaStreamNonBlocking), on the context's
 * default queue, and on the queue that a call names. Of others CUDA cannot be asked. They are left alone by calls that free
 * DEVICE and UVM memory, for which cudaFree waits. Where the device itself has to be waited for, CUDA refuses, which spoils
 * such a capture; the answer is CADASTRE_CAPTURE_ACTIVE, and nothing changes here. That is so, without a queue that is
 * named, when PINNED memory is freed, or memory from a pool or in a queue's order, or in a context with blocks on several
 * devices; and when a block is resized. */
typedef void* cadastre_queue;
#define CADASTRE_DEFAULT_QUEUE ((cadastre_queue) 0)

/* Creates a context with the backend and the limits that the environment asks for.
 *
 * Result: its handle, or CADASTRE_NULL_CONTEXT; cadastre_last_error(CADASTRE_NULL_CONTEXT, ...) then says
 * why: ALLOCATION_FAILED (no host memory, or too many contexts), INVALID_ENVIRONMENT (a malformed value),
 * NOT_SUPPORTED (the backend asked for is absent). A file that CADASTRE_TRACE or CADASTRE_REPORT names and that cannot be
 * written is no reason; cadastre_get_environment_info tells of it.
 * Cost: one small allocation; the first call of a process also reads the environment. */
CADASTRE_API cadastre_context cadastre_context_create(void);

/* What a new context is like.
 *
 *   size      sizeof(cadastre_context_options_struct), so that a later version can tell
 *   backend   where its memory comes from: CADASTRE_DEFAULT_BACKEND (CADASTRE_BACKEND of the environment, else
 *             the first one with a device other than the host), a backend of the vocabulary, or what
 *             cadastre_backend_register returned
 *   device    for blocks that name none: CADASTRE_DEFAULT_DEVICE (the one that the calling thread works on),
 *             or from 0 to the number of devices of the backend - 1
 *   pool      for all memory types: CADASTRE_POOL_VENDOR, CADASTRE_POOL_CACHING (memory that is freed is kept for the
 *             next request, see cadastre_get_pool_info), or CADASTRE_POOL_NONE, which stands for what
 *             CADASTRE_POOL of the environment says for each memory type, which is no pool when it says nothing;
 *             no option overrules it with no pool
 *   limits    for each memory type, as cadastre_set_limit takes them; CADASTRE_UNLIMITED stands for what
 *             CADASTRE_LIMIT of the environment says, which is no limit when it says nothing */
typedef struct cadastre_context_options_struct {
  size_t size;
  cadastre_backend backend;
  int32_t device;
  cadastre_pool pool;
  int32_t reserved; /* 0 */
  size_t limits[CADASTRE_MEMORY_TYPES];
} cadastre_context_options_struct;

/* To start from: all by default. */
static const cadastre_context_options_struct cadastre_context_options_struct_zero = {
    sizeof(cadastre_context_options_struct), CADASTRE_DEFAULT_BACKEND, CADASTRE_DEFAULT_DEVICE,
    CADASTRE_POOL_NONE, 0, {CADASTRE_UNLIMITED, CADASTRE_UNLIMITED, CADASTRE_UNLIMITED, CADASTRE_UNLIMITED}};

/* Creates a context as it is described.
 *
 * options: not NULL; copied.
 * Result: its handle, or CADASTRE_NULL_CONTEXT; cadastre_last_error(CADASTRE_NULL_CONTEXT, ...) then says
 * why: ALLOCATION_FAILED (no host memory, or too many contexts), INVALID_ARG_1 (NULL, an unknown size,
 * backend, device or pool), INVALID_ENVIRONMENT (as there), NOT_SUPPORTED (the backend is absent),
 * FAILURE (the clone of a registered backend failed).
 * Cost: as cadastre_context_create; the first context with a backend starts that backend's runtime. */
CADASTRE_API cadastre_context cadastre_context_create_with(const cadastre_context_options_struct* options);

/* Answers how a context is: backend, device and limits as they hold now, and pool as the options said;
 * cadastre_get_pool_info tells what holds for a memory type.
 *
 * options: where to write; not NULL. Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL). */
CADASTRE_API cadastre_exit_code cadastre_get_context_options(cadastre_context context,
                                                             cadastre_context_options_struct* options);

/* Tells whether a handle is that of a live context.
 *
 * context: any number. Result: the same number, or CADASTRE_NULL_CONTEXT. Sets no last error.
 * Never waits for the context's lock. */
CADASTRE_API cadastre_context cadastre_context_check(cadastre_context context);

/* What was still alive in a context when it was destroyed. Blocks that the context owned, the memory of its
 * workspaces aside; borrowed memory and leases are counted apart. largest_label is the label with the most bytes ("" when those blocks had none). */
typedef struct cadastre_destroy_summary_struct {
  int64_t blocks;
  size_t bytes;
  int64_t borrowed_blocks;
  int64_t failed_frees;
  int64_t live_leases;
  size_t largest_label_bytes;
  char largest_label[256];
} cadastre_destroy_summary_struct;

/* Destroys a context: frees every block that it owns, in the backend it came from, and forgets what it
 * borrowed. Waits for calls of other threads that are inside the context, and for its lock when another
 * thread holds it; a thread that holds the lock itself may destroy. Calls that arrive meanwhile are
 * refused.
 *
 * summary: NULL, or where to write what was still alive; written when the context is gone.
 * Exit codes: SUCCESS; INVALID_CONTEXT; CAPTURE_ACTIVE (see CADASTRE_DEFAULT_QUEUE; the context lives on as it was);
 * FAILURE (called from inside an operation of a registered backend that works for this context, which would be waited
 * for; the context lives on as it was); DEALLOCATION_FAILED (the context is gone, but a backend could not
 * free a block, or a registered one destroy its clone; the last error tells which).
 * Cost: one backend free per live block. */
CADASTRE_API cadastre_exit_code cadastre_context_destroy(cadastre_context context);
CADASTRE_API cadastre_exit_code cadastre_context_destroy_with_summary(
    cadastre_context context, cadastre_destroy_summary_struct* summary);

/* Locks a context for the calling thread: until the thread has called cadastre_unlock as often as
 * cadastre_lock, other threads' calls on this context wait. The holder may call everything.
 *
 * A thread that ends while it holds the lock keeps it; other threads' calls then wait for ever.
 *
 * Exit codes: SUCCESS; INVALID_CONTEXT; FAILURE (locked 2147483647 times already). */
CADASTRE_API cadastre_exit_code cadastre_lock(cadastre_context context);

/* Undoes one cadastre_lock of the calling thread.
 *
 * Exit codes: SUCCESS; INVALID_CONTEXT; FAILURE (the calling thread does not hold the lock). Like every
 * call, it waits while another thread holds it. */
CADASTRE_API cadastre_exit_code cadastre_unlock(cadastre_context context);

/* The last failure of the calling thread on one context. Numbers that do not apply are 0, pointers NULL,
 * strings "". */
typedef struct cadastre_error_struct {
  cadastre_exit_code exit_code;
  cadastre_reason reason;
  cadastre_memory_type type;    /* of the request or the block; -1 where there is none */
  cadastre_backend backend;     /* that was asked; -1 where there is none */
  int32_t device;               /* that was asked; -1 where there is none */
  int32_t argument;             /* the number of the argument at fault, from 1 */
  size_t asked;                 /* bytes, alignment or number that was asked for */
  size_t have;                  /* bytes in use already */
  size_t limit;                 /* the most that would have been accepted */
  const void* pointer;          /* the address that was passed */
  const void* base;             /* the block that it was found to concern */
  size_t size;                  /* of that block */
  size_t offset;                /* of the address in that block */
  cadastre_context other;       /* the context that owns the block */
  int64_t vendor_code;          /* what the vendor's routine answered: an errno, a cudaError_t */
  char vendor_text[128];        /* and what it calls that */
  char function[64];            /* the function that failed */
  char sentence[512];           /* all of it for a person: what was wrong, and what would be right */
} cadastre_error_struct;

/* Tells why the calling thread's last failing call on a context failed. A call that succeeds leaves it as
 * it is. A thread remembers the last failure of each of the 8 contexts it failed on most recently.
 *
 * context: any number; CADASTRE_NULL_CONTEXT for cadastre_context_create, and the handle as it was passed
 *   for a handle that was refused.
 * error: where to write; not NULL. Its exit_code is SUCCESS when nothing is remembered.
 * Exit codes: SUCCESS; INVALID_ARG_2 (error is NULL).
 * A pointer that a call did not know is looked for in the other contexts only here, so that a miss stays
 * cheap: the reason becomes OTHER_CONTEXT when one of them has a block around it at the time of asking. */
CADASTRE_API cadastre_exit_code cadastre_last_error(cadastre_context context,
                                                    cadastre_error_struct* error);

/* What a caller asks for, and what the registry knows of a block.
 *
 *               in a request                              in an answer
 *   size        bytes; 0 gives a block of its own         as asked for, never rounded
 *   pointer     ignored by cadastre_malloc                the block's first byte
 *   type        memory type                               memory type
 *   device      device, or CADASTRE_DEFAULT_DEVICE;       device, or CADASTRE_DEFAULT_DEVICE
 *               ignored for HOST
 *   alignment   0 (the backend's own) or a power of two   what holds: at least what was asked for
 *   stride      bytes between elements, 0 when unused     as asked for
 *   flags       0 or CADASTRE_UNINITIALIZED               these, CADASTRE_BORROWED, _STREAM_ORDERED and _WORKSPACE
 *   backend     a backend, or CADASTRE_DEFAULT_BACKEND    the backend that it came from
 *   label       NULL, or up to 255 characters; copied     NULL, or a string that lives as long as the
 *                                                         context */
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
} cadastre_memory_info_struct;

/* To start a request from: HOST memory, on the default device and backend, all else 0. */
static const cadastre_memory_info_struct cadastre_memory_info_struct_zero = {
    0, NULL, CADASTRE_HOST, CADASTRE_DEFAULT_DEVICE, 0, 0, 0, CADASTRE_DEFAULT_BACKEND, NULL};

/* Allocates a block and files it in the registry. Its bytes are zero unless info.flags holds
 * CADASTRE_UNINITIALIZED. HOST memory that the backend does not serve comes from the host backend.
 *
 * info: see cadastre_memory_info_struct.
 * Result: the first byte, owned by the context until it is freed; or NULL. The last error then has the
 * exit code INVALID_CONTEXT, INVALID_ARG_2 (alignment, memory type, device, backend, flags, label, or a
 * size that no machine can hold), NOT_SUPPORTED (the backend is absent, or does not serve this memory type
 * or alignment), LIMIT_EXCEEDED or ALLOCATION_FAILED.
 * Queues: the block is ready for use on every queue when the call returns. With CADASTRE_POOL_VENDOR,
 * DEVICE memory is allocated as by cadastre_malloc_async on the context's default queue.
 * Cost: O(1), and the backend's allocation, which runs while no lock is held. Large blocks of HOST memory
 * come zeroed from the operating system and are not touched. */
CADASTRE_API void* cadastre_malloc(cadastre_context context, const cadastre_memory_info_struct info);

/* Frees a block that the context owns.
 *
 * ptr: its first byte.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, unknown, inside a block, already freed,
 * borrowed, of another context: the reason says which); CAPTURE_ACTIVE (see CADASTRE_DEFAULT_QUEUE; the block is as
 * it was); DEALLOCATION_FAILED (the backend refused; the record is gone, and counted as a failed free).
 * Queues: a block that a queue still uses may be freed. DEVICE, UVM and PINNED memory: the call waits until
 * the devices that the context has blocks on have done all that was put on their queues before. HOST memory: copies from and to it that
 * were started by cadastre_memcpy_async must have ended; wait with cadastre_synchronize.
 * Cost: O(1), and the backend's free, which runs while no lock is held. */
CADASTRE_API cadastre_exit_code cadastre_free(cadastre_context context, void* const ptr);

/* Changes the size of a block that the context owns. Contents up to the smaller size, label, memory type,
 * device, alignment and stride stay; bytes beyond the old size are zero unless the block was allocated
 * with CADASTRE_UNINITIALIZED. The block may move.
 * A block with CADASTRE_STREAM_ORDERED becomes an ordinary one.
 *
 * ptr: its first byte; not NULL. size: the new size; 0 keeps a block of 0 bytes.
 * Result: the first byte of the resized block; or NULL, and the block at ptr is as it was. The last error
 * then has INVALID_CONTEXT, INVALID_ARG_2 (see cadastre_free), INVALID_ARG_3 (no machine can hold it),
 * LIMIT_EXCEEDED, ALLOCATION_FAILED, FAILURE (the copy failed), CAPTURE_ACTIVE (see CADASTRE_DEFAULT_QUEUE) or
 * DEALLOCATION_FAILED (the old block could not be freed).
 * Queues: as cadastre_free of the old block. What the queues of the context's devices hold for it is done first:
 * the new block has what they write into it.
 * Cost: O(1) in the registry; in place where the backend can, else an allocation, a copy and a free. */
CADASTRE_API void* cadastre_realloc(cadastre_context context, void* const ptr, size_t size);

/* As cadastre_malloc, in the order of a queue: the block may be used at once by work that is put on this
 * queue, and by others after they have waited for it; it may be made of memory that work before it on this
 * queue has just freed. DEVICE memory of a cuda device with memory pools (cudaMallocAsync), and PINNED, DEVICE and
 * UVM memory of a cuda device in a context with CADASTRE_POOL_CACHING; whatever else is asked for is allocated as by
 * cadastre_malloc, which needs no order. The answer's flags tell: CADASTRE_STREAM_ORDERED.
 *
 * queue: CADASTRE_DEFAULT_QUEUE, or a queue of the context's backend, on the block's device. A block of another
 *   backend is allocated as by cadastre_malloc.
 * Result and exit codes: as cadastre_malloc; and CAPTURE_ACTIVE (the queue is being captured, and the block would be
 * ordered by it). Cost: the same; the caller does not wait for the queue. */
CADASTRE_API void* cadastre_malloc_async(cadastre_context context, const cadastre_memory_info_struct info,
                                         cadastre_queue queue);

/* As cadastre_malloc_async, for elements that begin info.stride bytes apart: cadastre_memcpy_strided then
 * walks over the block by its stride. info.size is that of the whole block.
 *
 * Exit codes: as cadastre_malloc, and INVALID_ARG_2 when info.stride is 0 or more than info.size. */
CADASTRE_API void* cadastre_malloc_strided(cadastre_context context, const cadastre_memory_info_struct info,
                                           cadastre_queue queue);

/* As cadastre_free, in the order of a queue: the memory goes when the queue has done what it holds now, and
 * only work on that queue may still use it. A block with CADASTRE_STREAM_ORDERED, and one of a caching pool that would
 * have been, is given back without waiting, the latter unless the queue is cudaStreamPerThread; for any other the call
 * waits for the queue and then frees as cadastre_free does. A caching pool puts no work on the default queue for it: where
 * streams of CUDA wait for one another only through what is put on the default stream, this call is nothing to wait for.
 *
 * ptr: as cadastre_free. queue: as cadastre_malloc_async.
 * Exit codes: as cadastre_free; FAILURE (the queue cannot be waited for; the block is as it was; a caching pool waits
 * for the block's device instead); CAPTURE_ACTIVE (the queue is being captured, or see
 * CADASTRE_DEFAULT_QUEUE; the block is as it was). */
CADASTRE_API cadastre_exit_code cadastre_free_async(cadastre_context context, void* const ptr,
                                                    cadastre_queue queue);

/* Answers what the registry knows of a block, owned or borrowed.
 *
 * ptr: its first byte. info: where to write; left as it is on failure.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, unknown, inside a block, already freed);
 * INVALID_ARG_3 (info is NULL). ptr is never dereferenced. Cost: O(1), a miss as well. */
CADASTRE_API cadastre_exit_code cadastre_get_malloc_info(cadastre_context context, const void* ptr,
                                                         cadastre_memory_info_struct* info);

/* Answers how many bytes a block takes of the memory that it is in. A caching pool rounds requests up, and may hand out
 * more than was asked for; of any other block nothing is known but what was asked for, and that is the answer. Only
 * the bytes that were asked for may be used.
 *
 * ptr: as cadastre_get_malloc_info. actual: where to write; left as it is on failure.
 * Exit codes: as cadastre_get_malloc_info; INVALID_ARG_3 (actual is NULL). Threads: any. Cost: O(1). */
CADASTRE_API cadastre_exit_code cadastre_get_actual_size(cadastre_context context, const void* ptr, size_t* actual);

/* Answers in which block an address lies, and where in it. A block of 0 bytes is met by its own address
 * only. Where borrowed ranges enclose other blocks, the innermost answers.
 *
 * address: any; never dereferenced. info, offset: where to write; NULL for what is not wanted; left as
 *   they are on failure.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, in no block, or in a block that was freed).
 * Cost: O(1); for memory that is not from the C library's heap, for each power of two among the sizes of such
 * blocks, which are at most 64. */
CADASTRE_API cadastre_exit_code cadastre_locate(cadastre_context context, const void* address,
                                                cadastre_memory_info_struct* info, size_t* offset);

/* Copies bytes between two places, each of them in a block of this context, owned or borrowed, or plain host
 * memory. The kind of transfer follows from the records: any memory type to any other, any device to any
 * other, one backend to another (DEVICE memory of two backends by way of the host).
 *
 * dest, src: addresses anywhere in a block, or of plain host memory: an address that is in no block of the
 *   context and that the context's backend does not claim. It is the caller's word that plain memory is there.
 * size: bytes; 0 is a success, whatever the addresses are. A copy of a range onto itself is a success that moves
 * nothing; ranges that overlap in part are refused, also where they are plain memory: there is no memmove here.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2, INVALID_ARG_3 (NULL; device memory that is not in this
 * context or was freed; ranges that overlap in part: INVALID_ARG_2); OUT_OF_BOUNDS (the range leaves its block,
 * which for memory that the host reaches may be that of another context);
 * INVALID_ARG_4 (plain memory of more bytes than any machine can hold);
 * NOT_SUPPORTED (the backend that must copy is absent or cannot reach the memory); ALLOCATION_FAILED (no host
 * memory to copy by way of); FAILURE (the backend refused). Before a byte moves both ranges are checked.
 * Queues: cadastre_memcpy comes after what the default queue holds, and returns when the bytes are there. When both
 * places are HOST or plain memory it asks no queue: wait first for copies there that were not waited for.
 * cadastre_memcpy_async puts the copy on a queue and may return before; both ranges must stay, and stay
 * unchanged, until the queue is there. It waits itself where the backend cannot copy behind the caller's
 * back: always on the host and the openmp backend, between two backends, and from or to HOST memory as the
 * CUDA programming guide says. The caller keeps other threads from freeing a block while it is copied.
 * Cost: look-up of both addresses, and the copy, which runs while no lock is held. */
CADASTRE_API cadastre_exit_code cadastre_memcpy(cadastre_context context, void* const dest,
                                                const void* const src, size_t size);
CADASTRE_API cadastre_exit_code cadastre_memcpy_async(cadastre_context context, void* const dest,
                                                      const void* const src, size_t size,
                                                      cadastre_queue queue);

/* Copies count elements of width bytes each. On either side the elements begin a stride apart, which is that
 * of the block; in a block without a stride, and in plain host memory, they follow each other.
 *
 * width: bytes of an element; at most the strides. count: elements. 0 of either is a success.
 * Exit codes, queues, cost: as cadastre_memcpy; INVALID_ARG_4 (width is more than a stride), INVALID_ARG_5
 * (the product is more than any machine can hold). */
CADASTRE_API cadastre_exit_code cadastre_memcpy_strided(cadastre_context context, void* const dest,
                                                        const void* const src, size_t width, size_t count);
CADASTRE_API cadastre_exit_code cadastre_memcpy_strided_async(cadastre_context context, void* const dest,
                                                              const void* const src, size_t width, size_t count,
                                                              cadastre_queue queue);

/* Sets bytes, in a block of this context or in plain host memory.
 *
 * dest: as in cadastre_memcpy. value: its low 8 bits go into every byte. size: bytes; 0 is a success.
 * Exit codes, queues, cost: as cadastre_memcpy with dest alone. */
CADASTRE_API cadastre_exit_code cadastre_memset(cadastre_context context, void* const dest, int value,
                                                size_t size);
CADASTRE_API cadastre_exit_code cadastre_memset_async(cadastre_context context, void* const dest, int value,
                                                      size_t size, cadastre_queue queue);

/* Sets the queue that CADASTRE_DEFAULT_QUEUE means on this context, or answers it.
 *
 * queue: a queue of the context's backend, which stays the caller's and must stay alive while it is set;
 *   CADASTRE_DEFAULT_QUEUE goes back to the backend's default. It is not looked at. Where to write; not NULL.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL). O(1). */
CADASTRE_API cadastre_exit_code cadastre_set_default_queue(cadastre_context context, cadastre_queue queue);
CADASTRE_API cadastre_exit_code cadastre_get_default_queue(cadastre_context context, cadastre_queue* queue);

/* Waits until a queue has done all that was put on it before.
 *
 * queue: CADASTRE_DEFAULT_QUEUE or a queue of the context's backend.
 * Exit codes: SUCCESS; INVALID_CONTEXT; FAILURE (the backend reports an error, which may be that of earlier
 * work on the device). The wait holds no lock. */
CADASTRE_API cadastre_exit_code cadastre_synchronize(cadastre_context context, cadastre_queue queue);

/* Asks for a range of UVM memory to be brought to a device, or tells how it will be used. A hint that cannot be
 * followed is ignored, which is no failure: another memory type, a device without managed memory, a backend
 * without hints.
 *
 * address: in a block of this context. bytes: within it; 0 is a success that is ignored.
 * advice: one of the vocabulary.
 * device: CADASTRE_DEFAULT_DEVICE (the block's own), CADASTRE_HOST_DEVICE, or a device of the block's backend.
 * queue: as in cadastre_memcpy_async. taken: NULL, or where to write 1 (followed) or 0 (ignored).
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, or in no block of this context); OUT_OF_BOUNDS;
 * INVALID_ARG_4 (prefetch: no such device; advise: no such advice); INVALID_ARG_5 (advise: no such device);
 * FAILURE (the backend reports an error of earlier work). O(1) and the backend's call. */
CADASTRE_API cadastre_exit_code cadastre_prefetch(cadastre_context context, const void* const address,
                                                  size_t bytes, int32_t device, cadastre_queue queue,
                                                  int32_t* taken);
CADASTRE_API cadastre_exit_code cadastre_advise(cadastre_context context, const void* const address,
                                                size_t bytes, cadastre_advice advice, int32_t device,
                                                int32_t* taken);

/* Records memory that somebody else owns and frees, so that look-ups know it. It counts as a borrowed
 * block, not as bytes in use, and not against limits.
 *
 * info: pointer (not NULL), size (bytes), type and device say where it is; alignment, stride and label are
 *   recorded, an alignment of 0 as the largest power of two, up to 4096, that divides the address.
 * The range's first and last byte must lie in no block, owned or borrowed. It may enclose others, and the innermost
 * answers; but not a borrowed range of its own size class (from one power of two to below the next). A range of 0 bytes is
 * met by its own address only. A borrowed record is dropped when a backend grants memory of it to a new block, be it
 * its first byte, or bytes of both while each reaches beyond the other or the range lies within: the memory was then freed by its owner.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (pointer NULL or the range wraps, unknown memory
 * type or flags, alignment that does not hold, label too long, or the range overlaps as said above);
 * ALLOCATION_FAILED (no host memory for the record). Cost: that of cadastre_locate. */
CADASTRE_API cadastre_exit_code cadastre_wrap(cadastre_context context,
                                              const cadastre_memory_info_struct info);

/* Takes borrowed memory out of the registry; the memory itself is left alone.
 *
 * ptr: as passed to cadastre_wrap. Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, unknown, or
 * a block that the context owns). Cost: O(1). */
CADASTRE_API cadastre_exit_code cadastre_unwrap(cadastre_context context, const void* ptr);

/* Calls visit for every block, owned or borrowed, in the order in which they were allocated; once threads have
 * met in the context, blocks that are less than two thousand allocations apart may change places. The blocks
 * are those of one moment: a snapshot is taken first, and no lock is held during the visits, so that
 * visit may call any function, also on this context. A block may therefore have been freed by the time it
 * is visited.
 *
 * visit: not NULL; gets one block and user_data; anything but CADASTRE_SUCCESS ends the visits. It may end its thread with
 *   pthread_exit, which frees the snapshot; it is not cancelled unless it allows that itself. An exception that it throws is
 *   stopped (FAILURE); it must not leave by longjmp.
 * user_data: handed on; may be NULL.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (visit is NULL); ALLOCATION_FAILED (no host memory
 * for the snapshot); else what visit returned. Cost: O(m + n log n) for n blocks, where m is the most
 * blocks that were ever alive at once. */
typedef cadastre_exit_code (*cadastre_visit)(const cadastre_memory_info_struct* info, void* user_data);
CADASTRE_API cadastre_exit_code cadastre_foreach(cadastre_context context, cadastre_visit visit,
                                                 void* user_data);

/* Frees every block that the context owns and forgets what it borrowed, as destroying it would; the
 * context, its limits and its statistics stay.
 *
 * Exit codes: SUCCESS; INVALID_CONTEXT; ALLOCATION_FAILED (no host memory for the list of blocks; nothing
 * was freed); CAPTURE_ACTIVE (see CADASTRE_DEFAULT_QUEUE; nothing was freed, or what a capture that began meanwhile left);
 * DEALLOCATION_FAILED (a backend refused at least one; all others are freed).
 * Cost: that of cadastre_foreach, and one backend free per block. */
CADASTRE_API cadastre_exit_code cadastre_free_all(cadastre_context context);

/* The accounts of one memory type of a context. At every moment
 *   allocations = deallocations + failed_frees + lost_blocks + live_blocks. */
typedef struct cadastre_statistics_struct {
  int64_t allocations;      /* blocks allocated */
  int64_t deallocations;    /* blocks freed */
  int64_t reallocations;    /* blocks resized; not counted as allocation nor deallocation */
  int64_t failures;         /* blocks of this memory type that were asked for, or resized, in vain */
  int64_t failed_frees;     /* blocks that the backend refused to free */
  int64_t lost_blocks;      /* blocks whose address the backend gave out again: freed behind our back */
  int64_t live_blocks;      /* blocks allocated and not freed */
  int64_t borrowed_blocks;  /* blocks recorded by cadastre_wrap */
  int64_t high_water_blocks; /* the most that live_blocks has been since creation or the last reset */
  size_t live_bytes;        /* bytes of the live blocks, as asked for */
  size_t high_water_mark;   /* the most that live_bytes has been since creation or the last reset */
  size_t total_bytes;       /* bytes of all blocks ever allocated, growth by cadastre_realloc included */
  size_t zeroed_bytes;      /* of these, bytes handed out as zeros */
  size_t limit;             /* the most that live_bytes may be; CADASTRE_UNLIMITED for none */
} cadastre_statistics_struct;

/* Answers the accounts of one memory type, consistent with each other.
 *
 * type: a memory type; one that nothing serves has zeros. statistics: where to write.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type); INVALID_ARG_3 (NULL). O(1). */
CADASTRE_API cadastre_exit_code cadastre_get_statistics(cadastre_context context,
                                                        cadastre_memory_type type,
                                                        cadastre_statistics_struct* statistics);

/* Answers the accounts of one memory type on one device. Those of all devices add up to what
 * cadastre_get_statistics answers, where no memory belongs to no device; high-water marks do not add up,
 * since they may be of different moments. Limits are of all devices together: limit is CADASTRE_UNLIMITED.
 * Requests for a device or a backend that is not there are counted among all failures only.
 *
 * device: from 0; a device on which nothing ever was has zeros.
 * Exit codes: as cadastre_get_statistics; INVALID_ARG_3 (device is negative); INVALID_ARG_4 (NULL). */
CADASTRE_API cadastre_exit_code cadastre_get_device_statistics(cadastre_context context,
                                                               cadastre_memory_type type, int32_t device,
                                                               cadastre_statistics_struct* statistics);

/* What a context keeps of one memory type for the next request, where its pool for that type is
 * CADASTRE_POOL_CACHING. Bytes and counts are of all devices together. HOST blocks below 256 KiB are the heap's
 * and not in here. What is used and kept together is never more than used has been at most (CADASTRE_POOL_KEEP says
 * otherwise), nor, where a limit is set, more than the limit leaves beside what is alive. used counts a block by its
 * actual size: what was asked for, rounded up to pages (HOST) or 256 bytes; or, where no limit is set, a kept piece up
 * to half as large again, as long as all that is wasted so is an eighth of the most that was used. What nobody has asked for
 * in ten seconds is given back by a later call that may wait, and all that is kept before a request of any context
 * fails for want of memory; so are automatic workspaces that nobody leases from. Limits and the other statistics are of
 * what was asked for. An advice on UVM memory holds for whole pages, and for those that ask for the memory later. */
typedef struct cadastre_pool_info_struct {
  cadastre_pool pool;  /* of this memory type; all else is 0 unless it is CADASTRE_POOL_CACHING */
  int32_t pools;       /* how many there are: one for each device and backend that was asked for memory */
  size_t used;         /* bytes of the blocks that are alive, rounded up as the pool does */
  size_t reserved;     /* bytes that the backends have given and not got back, used or not */
  size_t largest_free; /* the most that one block could get without asking a backend, if queues are waited for */
  size_t releasable;   /* bytes that cadastre_pool_trim could give back */
  int64_t hits;        /* requests served from what was kept */
  int64_t misses;      /* requests for which a backend was asked */
  int64_t trims;       /* times that memory was given back, asked for or not */
} cadastre_pool_info_struct;

/* Answers what is kept of one memory type, consistent for each pool.
 *
 * type: a memory type; one that nothing serves, or without a caching pool, has zeros. info: where to write; not NULL.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type); INVALID_ARG_3 (NULL).
 * Threads: any. Queues: waits for none. Cost: a look at each block that is kept. */
CADASTRE_API cadastre_exit_code cadastre_get_pool_info(cadastre_context context, cadastre_memory_type type,
                                                       cadastre_pool_info_struct* info);

/* Gives memory that is kept and not in use back to the backends, until no more than keep_bytes are reserved, or
 * nothing more can go: what was kept longest goes first. Live blocks are not touched. Nothing happens without a caching
 * pool. Before a request to any context fails for want of memory, all pools do the same.
 *
 * type: a memory type. keep_bytes: any number; 0 gives back all that can go.
 * Exit codes: SUCCESS, also when more than keep_bytes are in use; INVALID_CONTEXT; INVALID_ARG_2 (no memory type);
 * DEALLOCATION_FAILED (a backend refused to free; what it refused is kept).
 * Threads: any; others may allocate and free meanwhile. Queues: waits on the host for the queues that blocks were freed
 * on. Cost: one backend free for each block that is kept. */
CADASTRE_API cadastre_exit_code cadastre_pool_trim(cadastre_context context, cadastre_memory_type type,
                                                   size_t keep_bytes);

/* Lowers the high-water marks of one memory type, on each device and together, to the bytes and blocks that are live now.
 *
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type). O(1). */
CADASTRE_API cadastre_exit_code cadastre_reset_high_water_mark(cadastre_context context,
                                                               cadastre_memory_type type);

/* Sets the most bytes that blocks of one memory type may hold together. Bytes are reserved before the
 * backend is asked, so that threads that race cannot pass the limit between them. What calls under way in a
 * backend have reserved counts as if it were live already: they are not refused any more. A limit below both
 * together is accepted; allocations are then refused until enough is freed.
 *
 * bytes: 0 refuses everything but blocks of 0 bytes; CADASTRE_UNLIMITED lifts the limit.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type). O(1). */
CADASTRE_API cadastre_exit_code cadastre_set_limit(cadastre_context context, cadastre_memory_type type,
                                                   size_t bytes);

/* Switches the timing of backend calls on (on != 0) or off. It is off in a new context, because two
 * readings of the clock cost about as much as a small allocation.
 *
 * Exit codes: SUCCESS; INVALID_CONTEXT. */
CADASTRE_API cadastre_exit_code cadastre_set_timing(cadastre_context context, int on);

/* Answers how many nanoseconds the calling thread has spent inside backends, in contexts whose timing was
 * on, since the thread started. The difference of two answers is the backend's share of what the thread
 * did between them. */
CADASTRE_API int64_t cadastre_backend_nanoseconds(void);

/* Writes what a context holds: statistics and limits of each memory type, live bytes by label and type, the
 * largest blocks, and its last failures with who held the most when memory was refused; what failed to create a context
 * in this process; and whose report it is: process, program, host, rank, time, context. All of it is of one moment; it is written while no lock is held.
 * What the program or a vendor wrote is escaped: nothing in a text report moves a terminal's cursor. The JSON form has
 * a schema_version; its fields are in the chapter report and in cadastre(1).
 *
 * stream: an open stdio stream; not NULL; it is flushed and stays open.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL); INVALID_ARG_3 (unknown format); ERRNO (the
 * stream refused; some of the report may have been written); ALLOCATION_FAILED (no host memory).
 * Cost: that of cadastre_foreach. */
CADASTRE_API cadastre_exit_code cadastre_report(cadastre_context context, FILE* stream,
                                                cadastre_report_format format);

/* One backend of the vocabulary, whether or not it can be used here. Strings live as long as the library. */
typedef struct cadastre_backend_info_struct {
  cadastre_backend backend;
  int32_t usable;              /* 1 or 0 */
  int32_t devices;             /* how many it offers, 0 for a backend without devices */
  uint32_t memory_types;       /* bit t is set when it serves memory type t here */
  const char* name;
  const char* meaning;
  const char* why_not;         /* "" when usable; else why not, and how to get it */
} cadastre_backend_info_struct;

/* Answers what is known of one backend.
 *
 * backend: from 0 to CADASTRE_BACKENDS - 1, or one that was registered. info: where to write.
 * Exit codes: SUCCESS; INVALID_ARG_1 (no such backend); INVALID_ARG_2 (NULL). A failure is remembered for
 * CADASTRE_NULL_CONTEXT. */
CADASTRE_API cadastre_exit_code cadastre_get_backend_info(cadastre_backend backend,
                                                          cadastre_backend_info_struct* info);

/* One device of a backend. */
typedef struct cadastre_device_info_struct {
  cadastre_backend backend;
  int32_t device;
  size_t total;    /* bytes of its memory; 0 where nobody knows */
  size_t free;     /* of these, bytes that are free at the moment of asking */
  char name[128];  /* "" where nobody knows */
} cadastre_device_info_struct;

/* Answers what is known of one device of a backend.
 *
 * backend: one that is usable. device: from 0 to its number of devices - 1. info: where to write.
 * Exit codes: SUCCESS; INVALID_ARG_1 (no such backend); NOT_SUPPORTED (it is absent); INVALID_ARG_2 (no such
 * device); INVALID_ARG_3 (NULL); FAILURE (the vendor refused). A failure is remembered for
 * CADASTRE_NULL_CONTEXT. Cost: a few calls of the vendor; starts its runtime on the device. */
CADASTRE_API cadastre_exit_code cadastre_get_device_info(cadastre_backend backend, int32_t device,
                                                         cadastre_device_info_struct* info);

/* One environment variable: those of the vocabulary in its order, then those with our prefix that the
 * vocabulary does not have. Strings live as long as the library. */
typedef struct cadastre_environment_info_struct {
  const char* name;
  const char* value;           /* NULL when it is not set */
  const char* preset;          /* what holds when it is not set; "" for an unknown variable */
  const char* expected;        /* what may stand there; "" for an unknown variable */
  const char* meaning;         /* "" for an unknown variable */
  const char* problem;         /* "" when all is well; else what is wrong, and what would be right; or by now, why
                                * nothing can be written any more to the file that it names */
} cadastre_environment_info_struct;

/* Answers what was read from the environment; it is read once per process.
 *
 * Result of the first: how many variables there are to ask for.
 * index: from 0 to that number - 1. info: where to write.
 * Exit codes: SUCCESS; INVALID_ARG_1 (no such index); INVALID_ARG_2 (NULL). A failure is remembered for
 * CADASTRE_NULL_CONTEXT. */
CADASTRE_API int32_t cadastre_environment_count(void);
CADASTRE_API cadastre_exit_code cadastre_get_environment_info(int32_t index,
                                                              cadastre_environment_info_struct* info);

/* The operations of a backend that the caller supplies; a NULL operation takes the default that stands
 * beside it. Each returns 0 for success; any other number is the failure's own code, and cadastre_last_error
 * tells it as vendor_code. content is what was registered, or its clone. Operations are called by any thread,
 * several at a time, while no lock is held; they may call this library. They should not throw: an exception that
 * leaves one is a failure of it. A thread is not cancelled inside one. An operation returns: it must not end its thread with
 * pthread_exit nor leave by longjmp, since what the call has reserved could not be given back. It may fork: parent
 * and child both go on with the call.
 *
 * request and block hold size, type, device, alignment, flags and the backend's number, and a block its pointer;
 * stride is 0, label NULL. A place holds type, device and backend of the memory, and the bytes that are meant as
 * pointer and size; plain host memory has the type CADASTRE_HOST and the backend CADASTRE_BACKEND_HOST.
 * examples/custom_backend.c is a whole one.
 *
 *   size            sizeof(cadastre_backend_operations_struct), so that a later version can tell. A shorter table
 *                   lacks the last operations, which then have their defaults; a longer one is taken when what
 *                   this version does not know is 0
 *   memory_types    bit t is set for each memory type t that is served; not 0
 *   devices         how many there are, numbered from 0; 0 for none: blocks then have CADASTRE_DEFAULT_DEVICE
 *   allocate        required. *pointer: size bytes (0 has an address of its own too), on a multiple of
 *                   request->alignment, which is a power of two, and that of max_align_t at least where alignment
 *                   allows it; zeroing is done with set. queue: the caller's, for cadastre_malloc_async
 *   free            required. Waits until all that was put on any queue for the block has been done. The address
 *                   may be granted again as soon as it returns
 *   copy            required. size bytes, not 0, that do not overlap; done when it returns, after what the
 *                   queue holds. At least one place is the backend's own, the other its own or one that the
 *                   host can reach
 *   set             required. size bytes, not 0; done when it returns, after what the queue holds
 *   copy_async      as copy, done when the queue gets there              default: copy
 *   synchronize     waits for a queue of a device; for
 *                   CADASTRE_DEFAULT_QUEUE, for all of them              default: nothing to wait for
 *   prefetch        taken: 1 when the hint was followed                  default: ignored
 *   advise          as prefetch                                          default: ignored
 *   memory_info     total and free bytes of a device                     default: nobody knows
 *   alignment       the largest that allocate takes, a power of two;
 *                   asked for each memory type at registration           default: 1 MiB
 *   clone           called when a context is created with this backend; *clone is the content for that
 *                   context. Blocks of other contexts that name the
 *                   backend come from the registered content             default: the content is shared
 *   destroy         called with a clone when its context is gone, and with the registered content by
 *                   cadastre_backend_unregister                          default: nothing */
typedef struct cadastre_backend_operations_struct {
  size_t size;
  uint32_t memory_types;
  int32_t devices;
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
  int32_t (*synchronize)(void* content, int32_t device, cadastre_queue queue);
  int32_t (*prefetch)(void* content, const void* address, size_t size, int32_t device, cadastre_queue queue,
                      int32_t* taken);
  int32_t (*advise)(void* content, const void* address, size_t size, cadastre_advice advice, int32_t device,
                    int32_t* taken);
  int32_t (*memory_info)(void* content, int32_t device, size_t* total, size_t* free);
  size_t (*alignment)(void* content, cadastre_memory_type type);
  int32_t (*clone)(void* content, void** clone);
  int32_t (*destroy)(void* content);
} cadastre_backend_operations_struct;

/* To start from: no operation. */
static const cadastre_backend_operations_struct cadastre_backend_operations_struct_zero = {
    sizeof(cadastre_backend_operations_struct), 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL};

/* Registers a backend of the caller's own; contexts and blocks can then name it.
 *
 * name: for errors and reports; 1 to 63 characters, copied; not that of a backend of the vocabulary, nor of
 *   another one that is registered.
 * operations: copied. content: handed to every operation; may be NULL; stays the caller's, unless destroy is
 *   given and the registration succeeds.
 * Result: the backend's number, never given twice, which keeps this name; or CADASTRE_NO_BACKEND, and
 * cadastre_last_error(CADASTRE_NULL_CONTEXT, ...) says why: INVALID_ARG_1 (name), INVALID_ARG_2 (NULL, an
 * unknown size, memory types, devices, a required operation that is NULL, a largest alignment that is no power of
 * two), ALLOCATION_FAILED (no host memory, or all 192 numbers used). */
CADASTRE_API cadastre_backend cadastre_backend_register(const char* name,
                                                        const cadastre_backend_operations_struct* operations,
                                                        void* content);

/* Takes a registered backend out again, and calls its destroy with the registered content. No other thread may
 * be using the backend's number in a call.
 *
 * Memory of it that was recorded by cadastre_wrap does not keep it, and can then be looked up, but not copied. In a
 * child process after fork, calls that other threads had under way with it keep it for ever.
 * Exit codes: SUCCESS; INVALID_ARG_1 (no registered backend); FAILURE (a context or block uses it, a block that it
 * refused to free included; or destroy failed: the backend is gone all the same). A failure is remembered for
 * CADASTRE_NULL_CONTEXT. */
CADASTRE_API cadastre_exit_code cadastre_backend_unregister(cadastre_backend backend);

#ifdef __cplusplus
}
#endif

#include "cadastre_workspace.h"
#endif
