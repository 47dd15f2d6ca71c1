/* Tangled from org/lending.org; change the chapter, then run: make tangle */
/* Cadastre: scratch memory that a context lends to one computation at a time.
 *
 * Included by cadastre.h. A workspace belongs to a context and a memory type; its memory is a block of the registry
 * with the flag CADASTRE_WORKSPACE and the label "workspace", which cadastre_free, cadastre_realloc and
 * cadastre_free_all leave alone. Copies and sets are checked against that block, not against each buffer that is
 * lent.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CADASTRE_WORKSPACE_H
#define CADASTRE_WORKSPACE_H

#include "cadastre.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A lease: memory that is lent until it is given back. The handle is a number that the context looks up; it is
 * never given twice. */
typedef int64_t cadastre_lease;
#define CADASTRE_NULL_LEASE ((cadastre_lease) 0)

/* A memory type: that of a context's natural workspace, DEVICE where its backend serves DEVICE memory, else HOST. */
#define CADASTRE_WORKSPACE_TYPE ((cadastre_memory_type) -1)

/* Sizes that are schemes. */
#define CADASTRE_WORKSPACE_AUTOMATIC      ((size_t) -1) /* grows as needed */
#define CADASTRE_WORKSPACE_STREAM_ORDERED ((size_t) -2) /* allocated and freed in the order of the queue at each lend */

/* Chooses where the workspace of one memory type comes from; a new context has what CADASTRE_WORKSPACE_SIZE of the
 * environment says, else CADASTRE_WORKSPACE_AUTOMATIC. What the workspace held before is freed, after the queues
 * that it was lent on have done what was put on them; a user's buffer is let go.
 *
 * type: a memory type, or CADASTRE_WORKSPACE_TYPE.
 * bytes: the size, rounded up as every lend is: allocated now, and a limit from now on: lending never allocates
 *   then, nor waits on the host. 0: memory is allocated at each lend and freed when it is given back.
 *   CADASTRE_WORKSPACE_AUTOMATIC: a lend that does not fit grows the workspace, which then stays; said again, it
 *   frees what is kept. CADASTRE_WORKSPACE_STREAM_ORDERED: as 0, by cadastre_malloc_async and cadastre_free_async
 *   on the queue of the lend.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type); INVALID_ARG_3 (no machine can hold it);
 * LEASE_ALIVE (a lease of this type is alive); NOT_SUPPORTED, LIMIT_EXCEEDED, ALLOCATION_FAILED (see
 * cadastre_malloc; what was there before stays); CAPTURE_ACTIVE (a queue that waits for the default one is being
 * captured; see CADASTRE_DEFAULT_QUEUE for others); FAILURE (waiting failed); DEALLOCATION_FAILED.
 * Cost: a backend's allocation and free; waits for queues that the workspace was lent on. */
CADASTRE_API cadastre_exit_code cadastre_workspace_set_size(cadastre_context context, cadastre_memory_type type,
                                                            size_t bytes);

/* Makes a buffer of the caller's the workspace of its memory type, and its size the limit. Memory type and device
 * are those that the registry knows, of this or of another context, else what the vendor says; memory that neither
 * knows is HOST memory. What the workspace held before is treated as by cadastre_workspace_set_size.
 *
 * buffer: on a multiple of the granularity that cadastre_workspace_get_info answers, and of the context's device
 *   where it is memory of a device; stays the caller's, who must not free it before another size or buffer is set:
 *   a block of this context is kept from it, and other memory is recorded as by cadastre_wrap meanwhile, with the
 *   label "workspace". It is let go before it is set again. Bytes that were all of one block which was freed are
 *   taken for that block; where another allocator has given them out anew, cadastre_wrap says so. NULL, with 0
 *   bytes: every user's buffer is let go, and the scheme is automatic again.
 * bytes: those that lie in one block, where a block is known.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL with bytes, misaligned, freed by this or another context,
 * kept by a pool, memory of a workspace, of another device or backend, running into a block of any
 * context); INVALID_ARG_3 (0 bytes, or fewer than the granularity); OUT_OF_BOUNDS (the block ends before); LEASE_ALIVE; CAPTURE_ACTIVE (see cadastre_workspace_set_size);
 * ALLOCATION_FAILED (no host memory); FAILURE (waiting failed); DEALLOCATION_FAILED.
 * Queues: what was put on queues for the buffer before is not waited for. Cost: a look at all blocks
 * of all contexts, unless it lies in a block of this one. */
CADASTRE_API cadastre_exit_code cadastre_workspace_set_buffer(cadastre_context context, void* const buffer, size_t bytes);

/* Lends n buffers of the context's natural memory type, on its default queue; see cadastre_workspace_lend_on. */
CADASTRE_API cadastre_exit_code cadastre_workspace_lend(cadastre_context context, size_t n, const size_t* sizes,
                                                        void** pointers, cadastre_lease* lease);

/* Lends n buffers, until they are given back together. Their contents are as they come.
 *
 * type: a memory type, or CADASTRE_WORKSPACE_TYPE.
 * queue: on which the memory is used, of the context's backend and device; CADASTRE_DEFAULT_QUEUE for the context's
 *   own. It must exist until the lease has been given back.
 * n: how many; may be 0. sizes: n numbers, bytes; each is rounded up to a multiple of the granularity.
 * pointers: n addresses are written, on multiples of the granularity; NULL for a buffer of 0 bytes. sizes and
 *   pointers may be NULL when n is 0.
 * lease: where to write what cadastre_workspace_give_back takes, also when all sizes are 0; not NULL.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type); INVALID_ARG_3 (a queue of another device;
 * for cadastre_workspace_lend, whose queue is the context's, FAILURE); INVALID_ARG_4 to INVALID_ARG_7 (for
 * cadastre_workspace_lend INVALID_ARG_2 to _5: a total that no machine can hold, or NULL); LIMIT_EXCEEDED (more
 * than an explicit size has left, or lent to another thread or on another queue; or a limit of the context);
 * NOT_SUPPORTED, ALLOCATION_FAILED (see cadastre_malloc); CAPTURE_ACTIVE (the queue is being captured, and what is
 * asked for is not there already); SIZE_QUERY_MISMATCH (the thread is in a size query); FAILURE (a call of the
 * vendor failed). Nothing is written, and nothing lent, unless it is SUCCESS. The last error, which a smaller lend
 * that succeeds leaves as it is, tells asked, size of the workspace, bytes lent (have), and how many could be lent
 * (limit).
 * Threads: a workspace is lent to one thread at a time; another thread gets one of its own (AUTOMATIC, EACH_LEND,
 * STREAM_ORDERED) or is refused (an explicit size, or a user's buffer).
 * Queues: work that is put on the queue from now on may use the memory. Where it was lent on another queue before,
 * this queue first waits for what that one held when it was given back; the host waits for that only on a
 * registered backend, which has no events. A queue that is being captured into a graph gets memory that is there,
 * was never lent or was last lent on the same queue; it then stays where it is, and is lent on that queue only,
 * until another size is set: the graph must not be launched later than that, nor at the same time as other work on
 * this memory.
 * Cost: O(n) when it fits; else an allocation, and where the workspace moves, a free. */
CADASTRE_API cadastre_exit_code cadastre_workspace_lend_on(cadastre_context context, cadastre_memory_type type,
                                                           cadastre_queue queue, size_t n, const size_t* sizes,
                                                           void** pointers, cadastre_lease* lease);

/* Gives a lease back. Any thread may; where the queue is cudaStreamPerThread, the one that lent.
 *
 * lease: one that is alive, and the youngest of its workspace.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (not a lease of this context, or given back before);
 * LEASE_OUT_OF_ORDER (a younger one is alive: nothing is given back); DEALLOCATION_FAILED (memory of its own, which
 * the backend refused to free: given back all the same); FAILURE (given back all the same: the vendor could not
 * record an event, and the next lend waits for the device; or could not wait for the queue before memory of its own
 * is freed, which is then counted as a failed free where it is HOST memory).
 * Queues: work on the queue of the lease may still use the memory. Cost: O(1); a free where each lend allocates. */
CADASTRE_API cadastre_exit_code cadastre_workspace_give_back(cadastre_context context, cadastre_lease lease);

/* Begins and ends a size query of the calling thread: between the two, functions that lend from this context and
 * are called by this thread only say how much they need. Other threads go on as ever.
 *
 * bytes: where to write the size, for cadastre_workspace_set_size, with which each of the functions asked, called
 *   by itself, gets its optimal amount; not NULL. A size query knows no memory type: the size is set for the type
 *   that the functions lend, which is CADASTRE_WORKSPACE_TYPE only where they lend by cadastre_workspace_lend.
 * Exit codes: SUCCESS; INVALID_CONTEXT; SIZE_QUERY_MISMATCH (start: the thread has begun one already; stop: it has
 * begun none); ALLOCATION_FAILED (start: no host memory); INVALID_ARG_2 (stop: NULL; the query goes on). */
CADASTRE_API cadastre_exit_code cadastre_workspace_start_size_query(cadastre_context context);
CADASTRE_API cadastre_exit_code cadastre_workspace_stop_size_query(cadastre_context context, size_t* bytes);

/* Tells a function that lends whether it shall only say how much it needs.
 *
 * Result: 1 when the calling thread has begun a size query in this context, else 0; 0 also when the context is
 * none. */
CADASTRE_API int32_t cadastre_workspace_is_size_query(cadastre_context context);

/* Says in a size query what the function needs at most, for its optimal algorithm: the sizes that it lends at once,
 * rounded as a lend rounds them. A function that needs none says n = 0.
 *
 * n, sizes: as in cadastre_workspace_lend.
 * Result, to be returned by the function: SIZE_INCREASED (more than all functions asked before in this query) or
 * SIZE_UNCHANGED. Else INVALID_CONTEXT; SIZE_QUERY_MISMATCH (the thread is in no size query); INVALID_ARG_3 (NULL,
 * or a total that no machine can hold). */
CADASTRE_API cadastre_exit_code cadastre_workspace_set_optimal_size(cadastre_context context, size_t n,
                                                                    const size_t* sizes);

/* For functions that need no workspace: answers a size query in one line, at their beginning. */
#define CADASTRE_RETURN_IF_SIZE_QUERY(context)                                 \
  do {                                                                         \
    if (cadastre_workspace_is_size_query(context)) {                           \
      return cadastre_workspace_set_optimal_size((context), 0, NULL);          \
    }                                                                          \
  } while (0)

/* The workspace of one memory type. Bytes are rounded up to the granularity. */
typedef struct cadastre_workspace_info_struct {
  cadastre_memory_type type;
  int32_t device;                   /* or CADASTRE_DEFAULT_DEVICE for HOST memory */
  cadastre_workspace_scheme scheme;
  int32_t workspaces;               /* how many there are, one for each thread or queue that lent at once */
  size_t granularity;               /* sizes are rounded up to a multiple of it; buffers lie on one, as far as the
                                       backend can align */
  size_t size;                      /* bytes of all of them */
  size_t in_use;                    /* of these, bytes that are lent */
  size_t high_water_mark;           /* the most that in_use has been */
  int64_t live_leases;
  int64_t lends;                    /* that succeeded */
  int64_t refusals;                 /* lends that were refused; malformed calls are not counted */
  int64_t growths;                  /* allocations for a lend */
  int64_t waits;                    /* lends that let their queue wait for another one */
} cadastre_workspace_info_struct;

/* Answers how the workspace of one memory type is.
 *
 * type: a memory type, or CADASTRE_WORKSPACE_TYPE. info: where to write.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type); INVALID_ARG_3 (NULL). O(workspaces). */
CADASTRE_API cadastre_exit_code cadastre_workspace_get_info(cadastre_context context, cadastre_memory_type type,
                                                            cadastre_workspace_info_struct* info);

#ifdef __cplusplus
}
#endif
#endif
