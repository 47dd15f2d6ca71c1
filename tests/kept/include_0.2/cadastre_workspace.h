/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Scratch memory of a context, which one computation at a time acquires and releases.
 *
 * Included by cadastre.h. A workspace belongs to a context and a memory type; its memory is a block of the registry
 * with the flag CADASTRE_WORKSPACE_MEMORY and the label "workspace", which cadastre_free(), cadastre_realloc() and
 * cadastre_free_all() leave alone. Copies and sets are checked against that block, not against each buffer that is
 * acquired. From where these functions may be called, and what they wait for, is described at the head of cadastre.h.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CADASTRE_WORKSPACE_H
#define CADASTRE_WORKSPACE_H

#include "cadastre.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @name Leases
 * @{ */

/** A lease: memory of a workspace between its acquisition and its release.
 *
 * The handle is a number that the context looks up; no two leases have the same number. */
typedef int64_t cadastre_lease;
#define CADASTRE_NULL_LEASE ((cadastre_lease)0) /**< The handle of no lease. */

/** @} */

/** @name Sizes of workspaces
 * @{ */

/** The memory type of a context's default workspace: DEVICE if its backend supports DEVICE memory, else HOST. */
#define CADASTRE_DEFAULT_WORKSPACE_TYPE ((cadastre_memory_type)-1)

#define CADASTRE_WORKSPACE_AUTOMATIC ((size_t)-17)      /**< A size: grows as needed. */
#define CADASTRE_WORKSPACE_STREAM_ORDERED ((size_t)-18) /**< A size: as PER_LEASE, in the order of the queue. */
#define CADASTRE_WORKSPACE_PER_LEASE ((size_t)-19)      /**< A size: allocated and freed for each lease. */

/** Sets where the workspace of one memory type gets its memory from.
 *
 * A new context starts with the value of the environment variable CADASTRE_WORKSPACE_SIZE, else with
 * CADASTRE_WORKSPACE_AUTOMATIC. The previous memory of the workspace is freed after the queues that it was acquired on
 * have completed the work enqueued on them; a caller's buffer is no longer used.
 *
 * @param context  a live context
 * @param type  a memory type, or CADASTRE_DEFAULT_WORKSPACE_TYPE
 * @param bytes  one of:
 *   - a size, which is rounded up as at every acquisition. The memory is allocated now, and the size is a limit from
 *     now on: an acquisition then never allocates and never waits on the host
 *   - CADASTRE_WORKSPACE_AUTOMATIC: an acquisition that does not fit grows the workspace, which then keeps the memory;
 *     set again, it frees this memory
 *   - CADASTRE_WORKSPACE_PER_LEASE: each acquisition allocates memory, and its release frees it
 *   - CADASTRE_WORKSPACE_STREAM_ORDERED: the same, with cadastre_malloc_async() and cadastre_free_async() on the queue
 *     of the acquisition
 *   - 0: what a new context starts with
 * @retval CADASTRE_SUCCESS  the workspace has the size
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  not a memory type
 * @retval CADASTRE_INVALID_ARG_3  exceeds the largest possible allocation
 * @retval CADASTRE_LEASE_ALIVE  a lease of this type is alive
 * @retval CADASTRE_NOT_SUPPORTED,CADASTRE_LIMIT_EXCEEDED,CADASTRE_ALLOCATION_FAILED  as for cadastre_malloc(); the
 *   previous workspace stays
 * @retval CADASTRE_CAPTURE_ACTIVE  a queue that waits for the default queue is being captured; for others see
 *   cadastre_queue
 * @retval CADASTRE_FAILURE  waiting failed
 * @retval CADASTRE_DEALLOCATION_FAILED  the previous memory could not be freed
 * @par Cost
 *   An allocation and a free of the backend; waits for the queues that the workspace was acquired on. */
CADASTRE_API cadastre_exit_code cadastre_workspace_set_size(cadastre_context context, cadastre_memory_type type, size_t bytes);

/** @} */

/** Makes a buffer of the caller the workspace of one memory type, with the size of the buffer as limit.
 *
 * Where the registry of this or of another context knows the buffer, or the vendor does, it must be memory of that type and
 * of the context's device. Memory unknown to both is taken for what the caller says, unless the vendor knows all of its
 * memory, as CUDA does of DEVICE and UVM memory. The previous memory of the workspace is treated as by
 * cadastre_workspace_set_size().
 *
 * The caller keeps the ownership, and must not free the buffer before another size or buffer is set: meanwhile a block
 * of this context cannot be freed, and other memory is recorded as by cadastre_wrap(), with the label "workspace".
 * Before the same buffer is set again, end its use with NULL or a size. Bytes that all belonged to one block which was
 * freed are taken for that block; if another allocator has returned them since, record them with cadastre_wrap().
 *
 * @param context  a live context
 * @param type  a memory type, or CADASTRE_DEFAULT_WORKSPACE_TYPE
 * @param buffer  an address that is a multiple of the granularity that cadastre_workspace_get_info() returns; if it is
 *   memory of a device, this is the context's device. NULL, with 0 bytes: no buffer of the caller is used for this type
 *   any more, and its scheme is automatic again, if it was a buffer
 * @param bytes  its size, which is rounded down to a multiple of the granularity; all of them lie in one block, if the
 *   block is known
 * @retval CADASTRE_SUCCESS  the buffer is the workspace
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  not a memory type
 * @retval CADASTRE_INVALID_ARG_3  NULL with bytes, misaligned, freed by this or another context, cached by a pool,
 *   memory of a workspace, of another memory type, device or backend, overlapping a block of any context
 * @retval CADASTRE_INVALID_ARG_4  0 bytes, fewer than the granularity, or more than the largest possible allocation
 * @retval CADASTRE_OUT_OF_BOUNDS  the block ends before the buffer does
 * @retval CADASTRE_NOT_SUPPORTED  the context's backend does not support the memory type
 * @retval CADASTRE_LEASE_ALIVE,CADASTRE_CAPTURE_ACTIVE,CADASTRE_DEALLOCATION_FAILED  as for
 *   cadastre_workspace_set_size()
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory
 * @retval CADASTRE_FAILURE  waiting failed
 * @par Queues
 *   Waits for the queues of the previous workspace, be it a caller's buffer; not for earlier work on this buffer.
 * @par Cost
 *   A search of all blocks of all contexts, unless the buffer lies in a block of this one. */
CADASTRE_API cadastre_exit_code cadastre_workspace_set_buffer(cadastre_context context, cadastre_memory_type type, void* const buffer,
                                                              size_t bytes);

/** Releases what captures of a queue have of the workspace of one memory type, when no graph uses it any more.
 *
 * Memory that was acquired on a queue while it was being captured stays where it is, and is acquired on that queue only. After this
 * call it is acquired on any queue, and may be moved and freed, as other memory of the workspace; the size of the workspace
 * stays as it is. No graph that was captured on the queue, nor on a queue that had the same handle before, may be launched after
 * this call. Launches before it are waited for. Leases that are alive stay alive.
 *
 * With CUDA from 11.3 on, and HIP from 6.3 on, the call is not needed for graphs that have been destroyed: the next call that acquires
 * or releases finds that they are gone, see cadastre_workspace_acquire_on_queue(). It is for graphs that are not launched any more and
 * not destroyed, for other versions, and where the vendor refused to watch a graph. Destroying such a graph later does no harm.
 *
 * @param context  a live context
 * @param type  a memory type, or CADASTRE_DEFAULT_WORKSPACE_TYPE
 * @param queue  the queue that was captured; it may have been destroyed since. CADASTRE_DEFAULT_QUEUE for the default queue of the
 *   context
 * @retval CADASTRE_SUCCESS  nothing is reserved for graphs of this queue, or nothing was
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  not a memory type
 * @retval CADASTRE_CAPTURE_ACTIVE  the queue is being captured, and a lease is alive on it; or a queue that waits for the default
 *   queue is being captured; nothing is released
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory; nothing is released
 * @retval CADASTRE_FAILURE  waiting failed; nothing is released
 * @retval CADASTRE_DEALLOCATION_FAILED  memory that each acquisition allocates could not be freed
 * @par Threads
 *   Any thread. No other thread may begin a capture of this queue meanwhile.
 * @par Queues
 *   Waits for all queues of the device, unless nothing is reserved for graphs of this queue.
 * @par Cost
 *   O(workspaces), and a wait for the device. */
CADASTRE_API cadastre_exit_code cadastre_workspace_release_captured(cadastre_context context, cadastre_memory_type type,
                                                                    cadastre_queue queue);

/** @name Acquire a lease
 * @{ */

/** Acquires n buffers of the workspace of one memory type, on the default queue of the context. They form one lease until
 * cadastre_workspace_release() releases them together. Their contents are undefined.
 *
 * @param context  a live context
 * @param type  a memory type, or CADASTRE_DEFAULT_WORKSPACE_TYPE, which is DEVICE memory where the backend has it
 * @param n  the number of buffers; may be 0
 * @param sizes  n numbers of bytes; each is rounded up to a multiple of the granularity; NULL only if n is 0
 * @param pointers  n addresses are written, which are multiples of the granularity; NULL for a buffer of 0 bytes. NULL
 *   only if n is 0
 * @param lease  where to write the handle for cadastre_workspace_release(), also if all sizes are 0; not NULL
 * @retval CADASTRE_INVALID_ARG_2  not a memory type
 * @retval CADASTRE_INVALID_ARG_4  sizes is NULL, or the total exceeds the largest possible allocation
 * @retval CADASTRE_INVALID_ARG_5,CADASTRE_INVALID_ARG_6  pointers or lease is NULL
 * @retval CADASTRE_FAILURE  the default queue belongs to another device than the context; or a call of the vendor
 *   failed
 * @return otherwise as cadastre_workspace_acquire_on_queue(), which describes queues, threads and cost
 *
 * @code
 * size_t sizes[2] = {1000 * sizeof(double), 100};
 * void* buffers[2];
 * cadastre_lease lease;
 * if (cadastre_workspace_is_size_query(context)) return cadastre_workspace_set_optimal_size(context, 2, sizes);
 * cadastre_exit_code code = cadastre_workspace_acquire(context, CADASTRE_HOST, 2, sizes, buffers, &lease);
 * if (code != CADASTRE_SUCCESS) return code;
 * // buffers[0] and buffers[1] are HOST memory
 * return cadastre_workspace_release(context, lease);
 * @endcode */
CADASTRE_API cadastre_exit_code cadastre_workspace_acquire(cadastre_context context, cadastre_memory_type type, size_t n,
                                                           const size_t* sizes, void** pointers, cadastre_lease* lease);

/** Acquires n buffers of the workspace of one memory type, on a queue. They form one lease until
 * cadastre_workspace_release() releases them together. Their contents are undefined.
 *
 * Unless the result is CADASTRE_SUCCESS, nothing is written and nothing is acquired. The last error then reports the
 * bytes requested (requested), the size of the workspace (size), its bytes in use (in_use) and how many bytes could be
 * acquired (limit); a smaller acquisition that succeeds does not change it.
 *
 * @param context,type,n,sizes,pointers,lease  as for cadastre_workspace_acquire()
 * @param queue  the queue on which the memory is used, of the context's backend and device; CADASTRE_DEFAULT_QUEUE for
 *   the default queue of the context. It must exist until the lease has been released
 * @retval CADASTRE_SUCCESS  the buffers are acquired
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  not a memory type
 * @retval CADASTRE_INVALID_ARG_3  a queue of another device
 * @retval CADASTRE_INVALID_ARG_5  sizes is NULL, or the total exceeds the largest possible allocation
 * @retval CADASTRE_INVALID_ARG_6,CADASTRE_INVALID_ARG_7  pointers or lease is NULL
 * @retval CADASTRE_LIMIT_EXCEEDED  more than an explicit size has left in one range, or a limit of the context. The reason is
 *   CADASTRE_REASON_WORKSPACE_BUSY if other threads or queues have acquired some of it, and the message has their number
 * @retval CADASTRE_NOT_SUPPORTED,CADASTRE_ALLOCATION_FAILED  as for cadastre_malloc()
 * @retval CADASTRE_CAPTURE_ACTIVE  the queue is being captured, and the memory is not available already
 * @retval CADASTRE_SIZE_QUERY_MISMATCH  the thread is in a size query
 * @retval CADASTRE_FAILURE  a call of the vendor failed
 * @par Threads
 *   Any thread. No two leases have memory in common. Another thread or queue gets a workspace of its own (AUTOMATIC,
 *   PER_LEASE, STREAM_ORDERED), or a part of the one block while there is room (an explicit size, or a caller's buffer).
 * @par Queues
 *   Work that is enqueued on the queue from now on may use the memory. With CADASTRE_WORKSPACE_AUTOMATIC each queue
 *   gets memory that it had last, or that no other queue is at work on, or new memory, and waits for no other queue;
 *   unless memory is short, or 32 workspaces are idle whose queues have not completed their work. Then this queue first
 *   waits for the work that was enqueued on another queue when the memory was released there, or for what is enqueued
 *   now on one that has other leases as yet. With an explicit size it is the same, with parts of the block in the place
 *   of new memory; what a queue has used stays with it while it has leases and is being captured, or is
 *   cudaStreamPerThread of another thread. The host waits for this only on a registered backend, which has no events.
 *   Where a workspace grows, a later acquisition frees the memory that it had, when its queue has completed its work.
 *   The vendor's own allocation and free may wait for the device, as cudaMalloc() and cudaFree() do. A queue that is
 *   being captured into a graph gets memory that is available already, and that was never acquired or was last acquired
 *   on the same queue. This memory then stays where it is, and is acquired on that queue only, until another size is
 *   set or cadastre_workspace_release_captured() is called: the graph must not be launched after that, nor at the same
 *   time as other work on this memory. It also ends by itself when the graph, all clones of it and all executable graphs
 *   that were instantiated from them have been destroyed, and with CUDA their launches have completed, where the
 *   runtime has user objects of graphs: CUDA from 11.3 on, HIP from 6.3 on. The vendor reports it from a thread of its own,
 *   and a later call that acquires or releases memory of this type makes it available again. With HIP the device is
 *   waited for before another queue gets it, and an executable graph must not outlive a graph that it was updated from.
 *   A node whose parameters the program copies into another graph is not covered.
 *   With HIP, and CUDA before 12, a new queue cannot be distinguished from a destroyed one with the
 *   same handle: there release what a captured queue has before it is destroyed.
 * @par Cost
 *   O(n) if it fits; else a query of each idle workspace, an allocation, and a free if the workspace moves. */
CADASTRE_API cadastre_exit_code cadastre_workspace_acquire_on_queue(cadastre_context context, cadastre_memory_type type,
                                                                    cadastre_queue queue, size_t n, const size_t* sizes, void** pointers,
                                                                    cadastre_lease* lease);

/** @} */

/** Releases a lease.
 *
 * @param context  the context from which the lease was acquired
 * @param lease  a lease that is alive; leases may be released in any order, and in the reverse order of their
 *   acquisition, as functions end, it costs least
 * @retval CADASTRE_SUCCESS  the lease is released
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  not a lease of this context, or released before
 * @retval CADASTRE_DEALLOCATION_FAILED  the backend failed to free memory that was allocated for this lease: the lease
 *   is released all the same
 * @retval CADASTRE_FAILURE  the lease is released all the same: the vendor could not record an event, and the next
 *   acquisition waits for the device; or could not wait for the queue before memory that was allocated for this lease
 *   is freed, which is then counted as a failed deallocation if it is HOST memory
 * @par Threads
 *   Any thread; if the queue is cudaStreamPerThread, only the thread that acquired the lease.
 * @par Queues
 *   Work that was enqueued on the queue of the lease may still use the memory.
 * @par Cost
 *   O(1) for the most recent lease, else O(leases); a free if each acquisition allocates. */
CADASTRE_API cadastre_exit_code cadastre_workspace_release(cadastre_context context, cadastre_lease lease);

/** @name Size queries
 * @{ */

/** Starts a size query of the calling thread: until cadastre_workspace_stop_size_query(), functions that acquire memory
 * from this context and are called by this thread only report how much they need.
 *
 * @param context  a live context
 * @retval CADASTRE_SUCCESS  the query is started
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_SIZE_QUERY_MISMATCH  the thread has started one already
 * @retval CADASTRE_ALLOCATION_FAILED  no host memory
 * @par Threads
 *   Any thread; other threads are not affected.
 * @par Cost
 *   O(1). */
CADASTRE_API cadastre_exit_code cadastre_workspace_start_size_query(cadastre_context context);

/** Stops the size query of the calling thread.
 *
 * @param context  a live context
 * @param bytes  where to write the size for cadastre_workspace_set_size() with which each of the functions queried,
 *   called by itself, gets its optimal amount; not NULL. A size query has no memory type: set the size for the type
 *   that the functions acquire
 * @retval CADASTRE_SUCCESS  the query is stopped, and the size written
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  NULL; the query continues
 * @retval CADASTRE_SIZE_QUERY_MISMATCH  the thread has started none
 * @par Cost
 *   O(1). */
CADASTRE_API cadastre_exit_code cadastre_workspace_stop_size_query(cadastre_context context, size_t* bytes);

/** Returns whether a function that acquires memory must only report how much it needs.
 *
 * @param context  any number
 * @return 1 if the calling thread has started a size query in this context, else 0; 0 also if the context is invalid
 * @par Cost
 *   O(1). */
CADASTRE_API int32_t cadastre_workspace_is_size_query(cadastre_context context);

/** Reports in a size query the maximum that the function needs for its optimal algorithm: the sizes that it acquires at
 * once, rounded as an acquisition rounds them.
 *
 * @param context  a live context
 * @param n  the number of buffers; 0 for a function that needs no workspace
 * @param sizes  n numbers of bytes; NULL only if n is 0
 * @return one of these, which the calling function returns:
 * @retval CADASTRE_SIZE_INCREASED  more than each function queried before in this size query
 * @retval CADASTRE_SIZE_UNCHANGED  not more
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_SIZE_QUERY_MISMATCH  the thread is in no size query
 * @retval CADASTRE_INVALID_ARG_3  NULL, or a total that exceeds the largest possible allocation
 * @par Cost
 *   O(n). */
CADASTRE_API cadastre_exit_code cadastre_workspace_set_optimal_size(cadastre_context context, size_t n, const size_t* sizes);

/** For functions that need no workspace: handles a size query in one line, at the beginning of the function. */
#define CADASTRE_RETURN_IF_SIZE_QUERY(context)                        \
  do {                                                                \
    if (cadastre_workspace_is_size_query(context)) {                  \
      return cadastre_workspace_set_optimal_size((context), 0, NULL); \
    }                                                                 \
  } while (0)

/** @} */

/** The state of the workspace of one memory type. Bytes are rounded up to the granularity. */
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

/** Initializer. */
static const cadastre_workspace_info_struct cadastre_workspace_info_struct_zero = {
    sizeof(cadastre_workspace_info_struct), CADASTRE_HOST, 0, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

/** Writes the state of the workspace of one memory type.
 *
 * @param context  a live context
 * @param type  a memory type, or CADASTRE_DEFAULT_WORKSPACE_TYPE
 * @param info  where to write; not NULL
 * @retval CADASTRE_SUCCESS  the state is written
 * @retval CADASTRE_INVALID_CONTEXT  no live context has this handle
 * @retval CADASTRE_INVALID_ARG_2  not a memory type
 * @retval CADASTRE_INVALID_ARG_3  NULL, or an unknown struct_size
 * @par Cost
 *   O(workspaces). */
CADASTRE_API cadastre_exit_code cadastre_workspace_get_info(cadastre_context context, cadastre_memory_type type,
                                                            cadastre_workspace_info_struct* info);

#ifdef __cplusplus
}
#endif
#endif
