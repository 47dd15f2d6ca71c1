/* Tangled from org/sundials.org; change the chapter, then run: make tangle */
/* Memory for SUNDIALS that a context keeps in its registry: a SUNMemoryHelper. Link with -lcadastre_sundials.
 *
 * Usable from C99 and C++17, with SUNDIALS 5.8, 6 and 7; signatures follow the version of SUNDIALS' headers. A program
 * is compiled with headers, and runs with a SUNDIALS, whose structures are those of the version that this library was
 * built with. They are the same in 5.8 and later 5; in 6.0 to 6.4; in 6.5 to 6.7; in 7.0 to 7.2; in 7.3 and later 7.
 * The SUNDIALS that runs is asked, and one of another row refused; what a program was compiled with nobody can ask.
 *
 * Result: 0 for success, and else one of SUNDIALS' codes; before 7 all failures are -1. From 7 on a failure, also one
 * that a NULL tells, is the last error of the helper's SUNContext, and its error handlers are called with the sentence
 * of cadastre_last_error, or with what else was wrong: on every rank, by the thread that failed, while no lock is held;
 * a percent sign is doubled, since SUNDIALS' own handlers take the sentence for a format. From 6.2 to 6.7 the sentence
 * goes to the log of the SUNContext, as an error, which writes that of one rank unless it is told otherwise. Threads
 * that share a helper share its SUNContext: handlers and loggers of the program's own must bear that.
 * An error stays on the SUNContext until SUNContext_GetLastError takes it; a SUNDIALS that was built with error checks, as
 * Debian 13's is, makes no further objects until then.
 * A function that fails changes nothing, leaves its outputs as they are, and throws nothing.
 *
 *   SUN_ERR_ARG_CORRUPT       an argument is NULL; the pointer is no block of the context; the context was destroyed
 *   SUN_ERR_ARG_OUTOFRANGE    no such memory type; a size that cannot be; the range leaves its block
 *   SUN_ERR_ARG_INCOMPATIBLE  nothing serves this memory type, or can copy so; a helper that is not of this library
 *   SUN_ERR_MALLOC_FAIL       no memory, or a limit does not allow it
 *   SUN_ERR_MEM_FAIL          the backend refused to free, to copy or to wait
 *
 * helper: made by SUNMemoryHelper_Cadastre, a clone of such a one, or a custom helper that has its content; not NULL
 *   unless a function says so. Any thread may call anything at any time, but it must not use what another destroys.
 * queue: NULL, or the address of a queue of the context's backend: a cudaStream_t*. NULL means the helper's default
 *   queue, and when that is not set, as 0 in the place of a stream, the context's.
 * Each call takes a lock of the process for a moment, and costs what the function of Cadastre does that it names.
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

/* What an operation of SUNDIALS returns. */
#if SUNDIALS_VERSION_MAJOR >= 7
typedef SUNErrCode cadastre_sundials_code;
#else
typedef int cadastre_sundials_code;
#endif

/* Makes a helper whose memory comes from a context and is in its registry.
 *
 * context: alive; it must outlive the memory, and may be destroyed before the helper, whose operations then fail.
 * sunctx: not NULL; it must outlive the helper.
 * Result: a helper with all operations of its SUNDIALS, to be destroyed by SUNMemoryHelper_Destroy; or NULL, and
 * sunctx's log says why: no such context, no memory, or a SUNDIALS at run time whose structures are not those of the
 * headers that this library was built with. */
CADASTRE_API SUNMemoryHelper SUNMemoryHelper_Cadastre(cadastre_context context CADASTRE_SUNDIALS_AND_CONTEXT);

/* Allocates memory, by cadastre_malloc; in a context with CADASTRE_POOL_VENDOR in the order of the queue, by
 * cadastre_malloc_async. It is not zeroed, and carries the helper's label.
 *
 * memptr: where to write the new object, which owns its memory; not NULL; left as it is on failure.
 * mem_size: bytes; 0 gives a block of its own. mem_type: one of the four. */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_Alloc_Cadastre(SUNMemoryHelper helper, SUNMemory* memptr,
                                                                   size_t mem_size,
                                                                   SUNMemoryType mem_type CADASTRE_SUNDIALS_AND_QUEUE);

/* The same, for elements that begin stride bytes apart; the registry records a stride from 1 to mem_size.
 *
 * stride: any, as SUNDIALS' own helpers take it; the object has it where SUNDIALS has a member for it. */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_AllocStrided_Cadastre(SUNMemoryHelper helper, SUNMemory* memptr,
                                                                          size_t mem_size, size_t stride,
                                                                          SUNMemoryType mem_type, void* queue);

/* Frees the memory, if the object owns it, and the object: by cadastre_free, or, where a queue is given or set as the
 * helper's default, by cadastre_free_async on it. A queue that was destroyed before keeps no memory: what the
 * default queue waits for is waited for instead. On failure the object stays, with its memory as cadastre_free says.
 *
 * helper: may be NULL for an object that owns nothing. mem: NULL is a success.
 * Counts as a deallocation through this helper; the bytes come off the helper that allocated them. */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_Dealloc_Cadastre(SUNMemoryHelper helper,
                                                                     SUNMemory mem CADASTRE_SUNDIALS_AND_QUEUE);

/* Copies bytes as cudaMemcpy does: on the backend's own default queue, after what the queues hold that wait for it and
 * that it waits for (on CUDA all streams of the devices in use but those made with cudaStreamNonBlocking), and after
 * what the queue holds that is given or set as the helper's or the context's default. The bytes are there when the call
 * returns. Where the context has a default queue, it is locked meanwhile.
 * The registry says what kind of memory both are; for an address that no context knows, the object's memory type does,
 * and the context's last error is then that it was looked for in vain. A copy onto itself, as from the host's to the
 * device's side of managed memory, moves nothing; ranges that overlap in part are refused.
 *
 * dst, src: not NULL. mem_size: bytes; 0 is a success. */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_Copy_Cadastre(SUNMemoryHelper helper, SUNMemory dst, SUNMemory src,
                                                                  size_t mem_size CADASTRE_SUNDIALS_AND_QUEUE);

/* The same on the queue alone, by cadastre_memcpy_async: may return before the bytes are there. */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_CopyAsync_Cadastre(SUNMemoryHelper helper, SUNMemory dst,
                                                                       SUNMemory src, size_t mem_size, void* queue);

/* Answers the counts of one memory type of this helper: allocations and deallocations made through it, and, of what was
 * allocated through it, the bytes now and the most there were at once. Works after the context is gone.
 *
 * Outputs: NULL for what is not wanted. */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_GetAllocStats_Cadastre(
    SUNMemoryHelper helper, SUNMemoryType mem_type, unsigned long* num_allocations, unsigned long* num_deallocations,
    size_t* bytes_allocated, size_t* bytes_high_watermark);

/* Makes a helper with the same context, SUNContext, operations, label and default queue, whose counts are 0.
 *
 * Result: the clone, or NULL. */
CADASTRE_API SUNMemoryHelper SUNMemoryHelper_Clone_Cadastre(SUNMemoryHelper helper);

/* Destroys a helper; memory that came from it stays. A content of somebody else's is left alone.
 *
 * helper: NULL is a success. */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_Destroy_Cadastre(SUNMemoryHelper helper);

/* Sets the queue for calls that are given none.
 *
 * queue: the address of a queue, which is read at each call and must stay; NULL goes back to the context's. */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_SetDefaultQueue_Cadastre(SUNMemoryHelper helper, void* queue);

/* Sets the label of the blocks that this helper will allocate, and clones of it; "SUNDIALS" at first.
 *
 * label: up to 255 characters; copied; not NULL. */
CADASTRE_API cadastre_sundials_code SUNMemoryHelper_SetLabel_Cadastre(SUNMemoryHelper helper, const char* label);

/* Makes an object for memory that it does not own: that of another object, or at an address of the caller's. Where
 * SUNDIALS has members for them, size and stride are those of the other object, or of the block from this address on;
 * of an address that the registry does not know, 0 and 1.
 *
 * mem: not NULL. ptr: any, NULL too. mem_type: one of the four; what copies go by when no context knows the address.
 * Result: the object, for SUNMemoryHelper_Dealloc; or NULL. */
CADASTRE_API SUNMemory SUNMemoryHelper_Alias_Cadastre(SUNMemoryHelper helper, SUNMemory mem);
CADASTRE_API SUNMemory SUNMemoryHelper_Wrap_Cadastre(SUNMemoryHelper helper, void* ptr, SUNMemoryType mem_type);

#ifdef __cplusplus
}
#endif
#endif
