/* Tangled from org/lending.org; change the chapter, then run: make tangle */
/* Cadastre: scratch memory of a context, which one computation at a time acquires and releases.
 *
 * Included by cadastre.h. A workspace belongs to a context and a memory type; its memory is a block of the registry
 * with the flag CADASTRE_WORKSPACE_MEMORY and the label "workspace", which cadastre_free, cadastre_realloc and
 * cadastre_free_all leave alone. Copies and sets are checked against that block, not against each buffer that is
 * acquired.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CADASTRE_WORKSPACE_H
#define CADASTRE_WORKSPACE_H

#include "cadastre.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A lease: memory of a workspace between its acquisition and its release. The handle is a number that the context
 * looks up; no two leases have the same number. */
typedef int64_t cadastre_lease;
#define CADASTRE_NULL_LEASE ((cadastre_lease) 0)

/* The memory type of a context's default workspace: DEVICE if its backend supports DEVICE memory, else HOST. */
#define CADASTRE_DEFAULT_WORKSPACE_TYPE ((cadastre_memory_type) -1)

/* Sizes that select a scheme; 0 is the default. */
#define CADASTRE_WORKSPACE_AUTOMATIC      ((size_t) -1) /* grows as needed */
#define CADASTRE_WORKSPACE_STREAM_ORDERED ((size_t) -2) /* allocated and freed for each lease, in the queue's order */
#define CADASTRE_WORKSPACE_PER_LEASE      ((size_t) -3) /* allocated and freed for each lease */

/* Sets where the workspace of one memory type gets its memory from. A new context starts with the value of the
 * environment variable CADASTRE_WORKSPACE_SIZE, else with CADASTRE_WORKSPACE_AUTOMATIC. The previous memory of the
 * workspace is freed after the queues that it was acquired on have completed the work enqueued on them; a caller's
 * buffer is no longer used.
 *
 * type: a memory type, or CADASTRE_DEFAULT_WORKSPACE_TYPE.
 * bytes: the size, rounded up as at every acquisition. The memory is allocated now, and the size is a limit from now
 *   on: an acquisition then never allocates and never waits on the host. CADASTRE_WORKSPACE_AUTOMATIC: an acquisition
 *   that does not fit grows the workspace, which then keeps the memory; set again, it frees this memory.
 *   CADASTRE_WORKSPACE_PER_LEASE: each acquisition allocates memory, and its release frees it.
 *   CADASTRE_WORKSPACE_STREAM_ORDERED: the same, with cadastre_malloc_async and cadastre_free_async on the queue of the
 *   acquisition. 0: what a new context starts with.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (not a memory type); INVALID_ARG_3 (exceeds the largest
 * possible allocation); LEASE_ALIVE (a lease of this type is alive); NOT_SUPPORTED, LIMIT_EXCEEDED,
 * ALLOCATION_FAILED (see cadastre_malloc; the previous workspace stays); CAPTURE_ACTIVE (a queue that waits for the
 * default queue is being captured; for others see CADASTRE_DEFAULT_QUEUE); FAILURE (waiting failed);
 * DEALLOCATION_FAILED.
 * Cost: an allocation and a free of the backend; waits for the queues that the workspace was acquired on. */
CADASTRE_API cadastre_exit_code cadastre_workspace_set_size(cadastre_context context, cadastre_memory_type type,
                                                            size_t bytes);

/* Makes a buffer of the caller the workspace of its memory type, with the size of the buffer as limit. Memory type and
 * device are those in the registry of this or of another context, else those that the vendor reports; memory unknown
 * to both is HOST memory. The previous memory of the workspace is treated as by cadastre_workspace_set_size.
 *
 * buffer: its address is a multiple of the granularity that cadastre_workspace_get_info returns; if it is memory of a
 *   device, this is the context's device. The caller keeps the ownership, and must not free the buffer before another
 *   size or buffer is set: meanwhile a block of this context cannot be freed, and other memory is recorded as by
 *   cadastre_wrap, with the label "workspace". Before the same buffer is set again, end its use with NULL or a size.
 *   Bytes that all belonged to one block which was freed are taken for that block; if another allocator has returned
 *   them since, record them with cadastre_wrap. NULL, with 0 bytes: no buffer of the caller is used any more, and the
 *   scheme is automatic again.
 * bytes: all of them lie in one block, if the block is known.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL with bytes, misaligned, freed by this or another context,
 * cached by a pool, memory of a workspace, of another device or backend, overlapping a block of any context);
 * INVALID_ARG_3 (0 bytes, or fewer than the granularity); OUT_OF_BOUNDS (the block ends before the buffer does);
 * LEASE_ALIVE; CAPTURE_ACTIVE (see cadastre_workspace_set_size); ALLOCATION_FAILED (no host memory); FAILURE (waiting
 * failed); DEALLOCATION_FAILED.
 * Queues: work on the buffer that was enqueued before is not waited for. Cost: a search of all blocks of all contexts,
 * unless the buffer lies in a block of this one. */
CADASTRE_API cadastre_exit_code cadastre_workspace_set_buffer(cadastre_context context, void* const buffer,
                                                              size_t bytes);

/* Acquires n buffers of the default workspace of the context, on its default queue; for the arguments see
 * cadastre_workspace_acquire_on_queue. */
CADASTRE_API cadastre_exit_code cadastre_workspace_acquire(cadastre_context context, size_t n, const size_t* sizes,
                                                           void** pointers, cadastre_lease* lease);

/* Acquires n buffers, which form one lease until they are released together. Their contents are undefined.
 *
 * type: a memory type, or CADASTRE_DEFAULT_WORKSPACE_TYPE.
 * queue: the queue on which the memory is used, of the context's backend and device; CADASTRE_DEFAULT_QUEUE for the
 *   default queue of the context. It must exist until the lease has been released.
 * n: the number of buffers; may be 0. sizes: n numbers of bytes; each is rounded up to a multiple of the granularity.
 * pointers: n addresses are written, which are multiples of the granularity; NULL for a buffer of 0 bytes. sizes and
 *   pointers may be NULL if n is 0.
 * lease: where to write the handle for cadastre_workspace_release, also if all sizes are 0; not NULL.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (not a memory type); INVALID_ARG_3 (a queue of another device;
 * for cadastre_workspace_acquire, whose queue is the context's, FAILURE); INVALID_ARG_4 to INVALID_ARG_7 (for
 * cadastre_workspace_acquire INVALID_ARG_2 to INVALID_ARG_5: a total that exceeds the largest possible allocation, or
 * NULL); LIMIT_EXCEEDED (more than an explicit size has left; a workspace of an explicit size is in use by another
 * thread or on another queue; or a limit of the context); NOT_SUPPORTED, ALLOCATION_FAILED (see cadastre_malloc);
 * CAPTURE_ACTIVE (the queue is being captured, and the memory is not available already); SIZE_QUERY_MISMATCH (the
 * thread is in a size query); FAILURE (a call of the vendor failed). Unless it is SUCCESS, nothing is written and
 * nothing is acquired. The last error reports the bytes requested (requested), the size of the workspace (size), its
 * bytes in use (in_use) and how many bytes could be acquired (limit); a smaller acquisition that succeeds does not
 * change it.
 * Threads: a workspace is in use by one thread at a time. Another thread gets a workspace of its own (AUTOMATIC,
 * PER_LEASE, STREAM_ORDERED) or an error (an explicit size, or a caller's buffer).
 * Queues: work that is enqueued on the queue from now on may use the memory. If the memory was acquired on another
 * queue before, this queue first waits for the work that was enqueued there when the memory was released; the host
 * waits for this only on a registered backend, which has no events. A queue that is being captured into a graph gets
 * memory that is available already, and that was never acquired or was last acquired on the same queue. This memory
 * then stays where it is, and is acquired on that queue only, until another size is set: the graph must not be
 * launched after that, nor at the same time as other work on this memory.
 * Cost: O(n) if it fits; else an allocation, and a free if the workspace moves. */
CADASTRE_API cadastre_exit_code cadastre_workspace_acquire_on_queue(cadastre_context context, cadastre_memory_type type,
                                                                    cadastre_queue queue, size_t n,
                                                                    const size_t* sizes, void** pointers,
                                                                    cadastre_lease* lease);

/* Releases a lease. Any thread may call it; if the queue is cudaStreamPerThread, only the thread that acquired it.
 *
 * lease: a lease that is alive, and the most recent one of its workspace.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (not a lease of this context, or released before);
 * LEASE_OUT_OF_ORDER (a lease that was acquired later is alive: nothing is released); DEALLOCATION_FAILED (the backend
 * failed to free memory that was allocated for this lease: the lease is released all the same); FAILURE (the lease is
 * released all the same: the vendor could not record an event, and the next acquisition waits for the device; or
 * could not wait for the queue before memory that was allocated for this lease is freed, which is then counted as a
 * failed deallocation if it is HOST memory).
 * Queues: work that was enqueued on the queue of the lease may still use the memory. Cost: O(1); a free if each
 * acquisition allocates. */
CADASTRE_API cadastre_exit_code cadastre_workspace_release(cadastre_context context, cadastre_lease lease);

/* Start and stop a size query of the calling thread. Between the two calls, functions that acquire memory from this
 * context and are called by this thread only report how much they need. Other threads are not affected.
 *
 * bytes: where to write the size for cadastre_workspace_set_size with which each of the functions queried, called by
 *   itself, gets its optimal amount; not NULL. A size query has no memory type: set the size for the type that the
 *   functions acquire, which is CADASTRE_DEFAULT_WORKSPACE_TYPE only if they call cadastre_workspace_acquire.
 * Exit codes: SUCCESS; INVALID_CONTEXT; SIZE_QUERY_MISMATCH (start: the thread has started one already; stop: it has
 * started none); ALLOCATION_FAILED (start: no host memory); INVALID_ARG_2 (stop: NULL; the query continues). */
CADASTRE_API cadastre_exit_code cadastre_workspace_start_size_query(cadastre_context context);
CADASTRE_API cadastre_exit_code cadastre_workspace_stop_size_query(cadastre_context context, size_t* bytes);

/* Returns whether a function that acquires memory must only report how much it needs.
 *
 * Result: 1 if the calling thread has started a size query in this context, else 0; 0 also if the context is
 * invalid. */
CADASTRE_API int32_t cadastre_workspace_is_size_query(cadastre_context context);

/* Reports in a size query the maximum that the function needs for its optimal algorithm: the sizes that it acquires at
 * once, rounded as an acquisition rounds them. A function that needs no workspace passes n = 0.
 *
 * n, sizes: as in cadastre_workspace_acquire.
 * Result, to be returned by the function: SIZE_INCREASED (more than each function queried before in this size query)
 * or SIZE_UNCHANGED. Else INVALID_CONTEXT; SIZE_QUERY_MISMATCH (the thread is in no size query); INVALID_ARG_3 (NULL,
 * or a total that exceeds the largest possible allocation). */
CADASTRE_API cadastre_exit_code cadastre_workspace_set_optimal_size(cadastre_context context, size_t n,
                                                                    const size_t* sizes);

/* For functions that need no workspace: handles a size query in one line, at the beginning of the function. */
#define CADASTRE_RETURN_IF_SIZE_QUERY(context)                                 \
  do {                                                                         \
    if (cadastre_workspace_is_size_query(context)) {                           \
      return cadastre_workspace_set_optimal_size((context), 0, NULL);          \
    }                                                                          \
  } while (0)

/* The state of the workspace of one memory type. Bytes are rounded up to the granularity. */
typedef struct cadastre_workspace_info_struct {
  size_t struct_size;
  cadastre_memory_type type;
  int32_t device_id;                /* the vendor's number; -1 for HOST memory */
  cadastre_workspace_scheme scheme;
  int32_t workspace_count;          /* one for each thread or queue that had leases at the same time */
  size_t granularity;               /* sizes are rounded up to a multiple of it; buffers lie at a multiple of it, as far
                                       as the backend can align */
  size_t reserved_bytes;            /* bytes of all workspaces */
  size_t used_bytes;                /* of these, bytes that are acquired */
  size_t high_water_mark_bytes;     /* the maximum that used_bytes has been */
  int64_t live_leases;
  int64_t acquisitions;             /* that succeeded */
  int64_t failed_acquisitions;      /* malformed calls (NULL, not a memory type) are not counted */
  int64_t growths;                  /* allocations for an acquisition */
  int64_t waits;                    /* acquisitions that made their queue wait for another one */
} cadastre_workspace_info_struct;

/* Initializer. */
static const cadastre_workspace_info_struct cadastre_workspace_info_struct_zero = {
    sizeof(cadastre_workspace_info_struct), CADASTRE_HOST, 0, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

/* Writes the state of the workspace of one memory type.
 *
 * type: a memory type, or CADASTRE_DEFAULT_WORKSPACE_TYPE. info: where to write it.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (not a memory type); INVALID_ARG_3 (NULL, or an unknown
 * struct_size).
 * Cost: O(workspaces). */
CADASTRE_API cadastre_exit_code cadastre_workspace_get_info(cadastre_context context, cadastre_memory_type type,
                                                            cadastre_workspace_info_struct* info);

#ifdef __cplusplus
}
#endif
#endif
