/* Tangled from org/adapters/sundials_interface.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A SUNMemoryHelper for SUNDIALS whose memory comes from a context and is in its registry. Link with
 * -lcadastre_sundials.
 *
 * Usable from C99 and C++17, with SUNDIALS 5.8, 6 and 7; signatures follow the version of SUNDIALS' headers. The
 * SUNDIALS headers that a program is compiled with, and the SUNDIALS library that it runs with, must have the same
 * structures as the version that this library was built with. The structures are the same in 5.8 and later 5; in 6.0 to
 * 6.4; in 6.5 to 6.7; in 7.0 to 7.2; in 7.3 and later 7. SUNMemoryHelper_Cadastre checks the version of the SUNDIALS
 * library at run time, and fails if its structures differ. The headers that a program was compiled with cannot be
 * checked.
 *
 * Result: 0 for success, otherwise one of SUNDIALS' codes; before SUNDIALS 7 all failures are -1. From 7 on a failure,
 * including one that is reported by NULL, is the last error of the helper's SUNContext, and its error handlers are
 * called with the message of cadastre_last_error, or with another description of the error: on every rank, by the
 * thread that failed, while no lock is held. A percent sign in the message is doubled, since SUNDIALS' own handlers use
 * it as a format. From 6.2 to 6.7 the message is written to the log of the SUNContext, as an error; by default only one
 * rank writes its log. Threads that share a helper share its SUNContext: the program's own handlers and loggers must
 * allow calls from several threads.
 * An error stays on the SUNContext until SUNContext_GetLastError takes it; until then a SUNDIALS that was built with
 * error checks, such as Debian 13's, creates no further objects.
 * A function that fails changes nothing, leaves its outputs unchanged, and throws nothing.
 *
 * @par Codes
 * - SUN_ERR_ARG_CORRUPT: an argument is NULL; the pointer is no block of the context; the context was destroyed
 * - SUN_ERR_ARG_OUTOFRANGE: invalid memory type; invalid size; the range extends past the end of its block
 * - SUN_ERR_ARG_INCOMPATIBLE: the memory type or the copy is not supported; the helper is not one of this library
 * - SUN_ERR_MALLOC_FAIL: no memory, or a limit is exceeded
 * - SUN_ERR_MEM_FAIL: the backend failed to free, to copy or to wait
 *
 * @par The argument helper
 * Made by SUNMemoryHelper_Cadastre, a clone of such a helper, or a custom helper that has its content; not NULL
 * unless a function says so. Any thread may call any function at any time, but must not use an object that another
 * thread destroys.
 *
 * @par The argument queue
 * NULL, or the address of a queue of the context's backend: a cudaStream_t*. NULL means the helper's default
 * queue; if that is not set, or if the stream is 0, the context's default queue.
 *
 * @par Cost
 * Each call takes a lock of the process for a short time, and otherwise costs as much as the Cadastre function that its
 * description names.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CADASTRE_SUNDIALS_H
#define CADASTRE_SUNDIALS_H

#include <sundials/sundials_config.h>
#include <sundials/sundials_memory.h>

#include "cadastre.h"

#if SUNDIALS_VERSION_MAJOR >= 6
#define CADASTRE_SUNDIALS_AND_CONTEXT , SUNContext sunctx
#define CADASTRE_SUNDIALS_AND_QUEUE , void* queue
#else
#define CADASTRE_SUNDIALS_AND_CONTEXT
#define CADASTRE_SUNDIALS_AND_QUEUE
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if SUNDIALS_VERSION_MAJOR >= 7
/** What an operation of SUNDIALS returns: 0 for success. */
typedef SUNErrCode cadastre_sundials_code;
#else
/** What an operation of SUNDIALS returns: 0 for success, -1 for a failure. */
typedef int cadastre_sundials_code;
#endif

/** Makes a helper whose memory comes from a context and is in its registry.
 *
 * @param context  it must outlive the memory, and may be destroyed before the helper, whose operations then fail
 * @param sunctx  from SUNDIALS 6 on; not NULL; it must outlive the helper
 * @return a helper with all operations of its SUNDIALS version, to be destroyed by SUNMemoryHelper_Destroy; or NULL,
 *   and the log of sunctx says why: no such context, no memory, or a SUNDIALS at run time whose structures differ from
 *   those of the headers that this library was built with */
CADASTRE_API SUNMemoryHelper SUNMemoryHelper_Cadastre(cadastre_context context CADASTRE_SUNDIALS_AND_CONTEXT);

/** @name Allocate memory
 * @{ */

/** Allocates memory with cadastre_malloc(); in a context with CADASTRE_POOL_VENDOR, in the order of the queue with
 * cadastre_malloc_async(). The memory is not zeroed, and has the helper's label.
 *
 * @param helper  a helper, see cadastre_sundials.h
 * @param memptr  where to write the new object, which owns its memory; not NULL; unchanged on failure
 * @param mem_size  bytes; 0 returns a distinct block
 * @param mem_type  one of the four memory types of SUNDIALS
 * @param queue  from SUNDIALS 6 on; the address of a queue, or NULL, see cadastre_sundials.h
 * @return 0, or a code that cadastre_sundials.h lists */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_Alloc_Cadastre(SUNMemoryHelper helper, SUNMemory* memptr, size_t mem_size,
                                                                   SUNMemoryType mem_type CADASTRE_SUNDIALS_AND_QUEUE);

/** Allocates as SUNMemoryHelper_Alloc_Cadastre(), for elements that begin stride bytes apart; the registry records a
 * stride from 1 to mem_size.
 *
 * @param helper,memptr,mem_size,mem_type  as for SUNMemoryHelper_Alloc_Cadastre()
 * @param stride  bytes; any value, as for SUNDIALS' own helpers; stored in the object if SUNDIALS has a member for it
 * @param queue  the address of a queue, or NULL, see cadastre_sundials.h
 * @return 0, or a code that cadastre_sundials.h lists */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_AllocStrided_Cadastre(SUNMemoryHelper helper, SUNMemory* memptr, size_t mem_size,
                                                                          size_t stride, SUNMemoryType mem_type, void* queue);

/** @} */

/** Frees the memory, if the object owns it, and the object: with cadastre_free(), or, if a queue is passed or set as
 * the helper's default, with cadastre_free_async() on it.
 *
 * The queue may have been destroyed before: the call then waits for the work that the default queue waits for instead.
 * On failure the object remains valid, and its memory is in the state that cadastre_free() describes. Counts as a
 * deallocation through this helper; the bytes are subtracted from the helper that allocated them.
 *
 * @param helper  a helper; may be NULL for an object that owns nothing
 * @param mem  the object; NULL is a success
 * @param queue  from SUNDIALS 6 on; the address of a queue, or NULL, see cadastre_sundials.h
 * @return 0, or a code that cadastre_sundials.h lists */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_Dealloc_Cadastre(SUNMemoryHelper helper, SUNMemory mem CADASTRE_SUNDIALS_AND_QUEUE);

/** @name Copy memory
 * @{ */

/** Copies bytes as cudaMemcpy does.
 *
 * The copy is on the backend's own default queue, after the work enqueued on the queues that synchronize with it (on
 * CUDA all streams of the devices in use except those created with cudaStreamNonBlocking), and after the work enqueued
 * on the queue that is passed, or set as the helper's or the context's default. The copy is complete when the call
 * returns. If the context has a default queue, the context is locked during the copy. The registry determines the
 * memory types; for an address that no context knows, the object's memory type is used, and the context's last error is
 * then that the address was not found. A copy of a range to itself, such as from the host side to the device side of
 * managed memory, moves nothing; ranges that overlap in part are an error.
 *
 * @param helper  a helper, see cadastre_sundials.h
 * @param dst,src  objects; not NULL
 * @param mem_size  bytes; 0 is a success
 * @param queue  from SUNDIALS 6 on; the address of a queue, or NULL, see cadastre_sundials.h
 * @return 0, or a code that cadastre_sundials.h lists */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_Copy_Cadastre(SUNMemoryHelper helper, SUNMemory dst, SUNMemory src,
                                                                  size_t mem_size CADASTRE_SUNDIALS_AND_QUEUE);

/** Copies as SUNMemoryHelper_Copy_Cadastre(), on the queue alone, with cadastre_memcpy_async(): may return before the
 * copy is complete.
 *
 * @param helper,dst,src,mem_size  as for SUNMemoryHelper_Copy_Cadastre()
 * @param queue  the address of a queue, or NULL, see cadastre_sundials.h
 * @return 0, or a code that cadastre_sundials.h lists */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_CopyAsync_Cadastre(SUNMemoryHelper helper, SUNMemory dst, SUNMemory src,
                                                                       size_t mem_size, void* queue);

/** @} */

/** Writes the counts of one memory type of this helper. Works after the context was destroyed.
 *
 * @param helper  a helper, see cadastre_sundials.h
 * @param mem_type  one of the four memory types of SUNDIALS
 * @param num_allocations,num_deallocations  where to write the allocations and deallocations made through this helper;
 *   NULL for those that are not needed
 * @param bytes_allocated,bytes_high_watermark  where to write the current bytes of the memory allocated through this
 *   helper, and their maximum; NULL for those that are not needed
 * @return 0, or a code that cadastre_sundials.h lists */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_GetAllocStats_Cadastre(SUNMemoryHelper helper, SUNMemoryType mem_type,
                                                                           unsigned long* num_allocations, unsigned long* num_deallocations,
                                                                           size_t* bytes_allocated, size_t* bytes_high_watermark);

/** Makes a helper with the same context, SUNContext, operations, label and default queue, which allocates temporaries if
 * the other one does; its counts are 0.
 *
 * @param helper  a helper, see cadastre_sundials.h
 * @return the clone, or NULL */
CADASTRE_API SUNMemoryHelper SUNMemoryHelper_Clone_Cadastre(SUNMemoryHelper helper);

/** Destroys a helper; memory that was allocated through it is not freed. A content that is not of this library is left
 * unchanged.
 *
 * @param helper  a helper; NULL is a success
 * @return 0, or a code that cadastre_sundials.h lists */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_Destroy_Cadastre(SUNMemoryHelper helper);

/** Sets the queue for calls whose queue is NULL.
 *
 * @param helper  a helper, see cadastre_sundials.h
 * @param queue  the address of a queue, which is read at each call and must remain valid; NULL selects the context's
 *   default queue again
 * @return 0, or a code that cadastre_sundials.h lists */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_SetDefaultQueue_Cadastre(SUNMemoryHelper helper, void* queue);

/** Sets the label of the blocks that this helper, and clones of it, will allocate; "SUNDIALS" by default.
 *
 * @param helper  a helper, see cadastre_sundials.h
 * @param label  up to 255 characters; copied; not NULL
 * @return 0, or a code that cadastre_sundials.h lists */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_SetLabel_Cadastre(SUNMemoryHelper helper, const char* label);

/** Sets whether the memory that this helper, and clones made of it later, allocate from now on is leased from the
 * context's workspace of its memory type, with cadastre_workspace_acquire_on_queue(), instead of being blocks of its own.
 *
 * For vectors that live for a while, such as those that a linear solver clones from the vector that it is created with:
 * their memory is used by the program's other functions, which acquire it from the workspace, before they are created and
 * after they are destroyed. The queue of the lease is the one that the allocation is passed, or the default one.
 * Memory may be deallocated in any order, by any thread, through any helper of the
 * context, and after the switch was changed; leases that are alive when the context is destroyed are in
 * cadastre_destroy_summary_struct::live_leases. The counts of the helper include leases. Copies are checked against the
 * bytes that were allocated. Where the workspace refuses, as with an explicit size that is too small, the memory is a
 * block as without this switch, with the helper's label; the last error of the context then says why the workspace
 * refused, which counts it in failed_acquisitions. Memory of 0 bytes is a block, too.
 *
 * @param helper  a helper, see cadastre_sundials.h; a new one allocates blocks
 * @param temporary  SUNTRUE for leases, SUNFALSE for blocks
 * @return 0, or a code that cadastre_sundials.h lists: SUN_ERR_ARG_OUTOFRANGE for another value than these;
 *   SUN_ERR_MALLOC_FAIL. What follows later:
 *   - allocations return SUN_ERR_ARG_CORRUPT while the calling thread is in a size query of the context
 *   - a deallocation that fails because the backend does, with SUN_ERR_MEM_FAIL, may have released the lease all the
 *     same; then the object no longer owns memory, and the counts are those after a deallocation
 * @par Queues
 *   An allocation of HOST, PINNED or UVM memory waits for the work on its queue, and a deallocation for the queue that it
 *   is passed, or that is the helper's default; of DEVICE memory a deallocation waits only for another queue than that of
 *   the lease. A deallocation of PINNED, DEVICE or UVM memory without a queue waits for the context's default queue,
 *   which does not include streams made with cudaStreamNonBlocking, unlike cadastre_free(). Where
 *   a queue was destroyed before, the call waits for the context's default queue instead.
 * @par Cost
 *   O(1); an allocation then costs what a lease does, and a deallocation O(leases). */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_SetTemporary_Cadastre(SUNMemoryHelper helper, int temporary);

/** @name Memory that an object does not own
 * @{ */

/** Makes an object for the memory of another object. If SUNDIALS has members for them, size and stride are those of the
 * other object.
 *
 * @param helper  a helper, see cadastre_sundials.h
 * @param mem  the other object; not NULL
 * @return the object, to be freed by SUNMemoryHelper_Dealloc; or NULL */
CADASTRE_API SUNMemory SUNMemoryHelper_Alias_Cadastre(SUNMemoryHelper helper, SUNMemory mem);

/** Makes an object for memory at an address of the caller's. If SUNDIALS has members for them, size and stride are
 * those of the block from this address on; for an address that the registry does not know, 0 and 1.
 *
 * @param helper  a helper, see cadastre_sundials.h
 * @param ptr  any address, including NULL
 * @param mem_type  one of the four memory types of SUNDIALS; used by copies if no context knows the address
 * @return the object, to be freed by SUNMemoryHelper_Dealloc; or NULL */
CADASTRE_API SUNMemory SUNMemoryHelper_Wrap_Cadastre(SUNMemoryHelper helper, void* ptr, SUNMemoryType mem_type);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
