/* Tangled from org/memory.org; change the chapter, then run: make tangle */
/* Cadastre: a context-tracked registry of memory for numerical libraries.
 *
 * Usable from C99 and C++17. All sizes are in bytes. Unless a function says otherwise it may be called
 * by any thread at any time; calls on one context wait while another thread holds that context's lock. A
 * thread is not cancelled while it waits there, writes a report or visits blocks.
 * A function that is given a context returns CADASTRE_INVALID_CONTEXT (or NULL) when the handle is not
 * that of a live context.
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

/* Creates a context with the backend and the limits that the environment asks for.
 *
 * Result: its handle, or CADASTRE_NULL_CONTEXT; cadastre_last_error(CADASTRE_NULL_CONTEXT, ...) then says
 * why: ALLOCATION_FAILED (no host memory, or too many contexts), INVALID_ENVIRONMENT (a malformed value),
 * NOT_SUPPORTED (the backend asked for is absent).
 * Cost: one small allocation; the first call of a process also reads the environment. */
CADASTRE_API cadastre_context cadastre_context_create(void);

/* Tells whether a handle is that of a live context.
 *
 * context: any number. Result: the same number, or CADASTRE_NULL_CONTEXT. Sets no last error.
 * Never waits for the context's lock. */
CADASTRE_API cadastre_context cadastre_context_check(cadastre_context context);

/* What was still alive in a context when it was destroyed. Blocks that the context owned; borrowed memory
 * is counted apart. largest_label is the label with the most bytes ("" when those blocks had none). */
typedef struct cadastre_destroy_summary_struct {
  int64_t blocks;
  size_t bytes;
  int64_t borrowed_blocks;
  int64_t failed_frees;
  size_t largest_label_bytes;
  char largest_label[256];
} cadastre_destroy_summary_struct;

/* Destroys a context: frees every block that it owns, in the backend it came from, and forgets what it
 * borrowed. Waits for calls of other threads that are inside the context, and for its lock when another
 * thread holds it; a thread that holds the lock itself may destroy. Calls that arrive meanwhile are
 * refused.
 *
 * summary: NULL, or where to write what was still alive; written whenever the handle was valid.
 * Exit codes: SUCCESS; INVALID_CONTEXT; DEALLOCATION_FAILED (the context is gone, but a backend could not
 * free a block; the last error tells which).
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

/* A device number: the context's own choice in a request; in an answer, memory that belongs to no device. */
#define CADASTRE_DEFAULT_DEVICE ((int32_t) -1)

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
 *   flags       0 or CADASTRE_UNINITIALIZED               these, and CADASTRE_BORROWED
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
  const char* label;
} cadastre_memory_info_struct;

/* To start a request from: HOST memory, on the default device, all else 0. */
static const cadastre_memory_info_struct cadastre_memory_info_struct_zero = {
    0, NULL, CADASTRE_HOST, CADASTRE_DEFAULT_DEVICE, 0, 0, 0, NULL};

/* Allocates a block and files it in the registry. Its bytes are zero unless info.flags holds
 * CADASTRE_UNINITIALIZED.
 *
 * info: see cadastre_memory_info_struct.
 * Result: the first byte, owned by the context until it is freed; or NULL. The last error then has the
 * exit code INVALID_CONTEXT, INVALID_ARG_2 (alignment, memory type, flags, label, or a size that no
 * machine can hold), NOT_SUPPORTED (no backend here serves this memory type, device or alignment),
 * LIMIT_EXCEEDED or ALLOCATION_FAILED.
 * Cost: O(1), and the backend's allocation, which runs while no lock is held. Large blocks of HOST memory
 * come zeroed from the operating system and are not touched. */
CADASTRE_API void* cadastre_malloc(cadastre_context context, const cadastre_memory_info_struct info);

/* Frees a block that the context owns.
 *
 * ptr: its first byte.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, unknown, inside a block, already freed,
 * borrowed, of another context: the reason says which); DEALLOCATION_FAILED (the backend refused; the
 * record is gone, and counted as a failed free).
 * Cost: O(1), and the backend's free, which runs while no lock is held. */
CADASTRE_API cadastre_exit_code cadastre_free(cadastre_context context, void* const ptr);

/* Changes the size of a block that the context owns. Contents up to the smaller size, label, memory type,
 * device, alignment and stride stay; bytes beyond the old size are zero unless the block was allocated
 * with CADASTRE_UNINITIALIZED. The block may move.
 *
 * ptr: its first byte; not NULL. size: the new size; 0 keeps a block of 0 bytes.
 * Result: the first byte of the resized block; or NULL, and the block at ptr is as it was. The last error
 * then has INVALID_CONTEXT, INVALID_ARG_2 (see cadastre_free), INVALID_ARG_3 (no machine can hold it),
 * LIMIT_EXCEEDED or ALLOCATION_FAILED.
 * Cost: O(1) in the registry; in place where the backend can, else an allocation, a copy and a free. */
CADASTRE_API void* cadastre_realloc(cadastre_context context, void* const ptr, size_t size);

/* Answers what the registry knows of a block, owned or borrowed.
 *
 * ptr: its first byte. info: where to write; left as it is on failure.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, unknown, inside a block, already freed);
 * INVALID_ARG_3 (info is NULL). ptr is never dereferenced. Cost: O(1), a miss as well. */
CADASTRE_API cadastre_exit_code cadastre_get_malloc_info(cadastre_context context, const void* ptr,
                                                         cadastre_memory_info_struct* info);

/* Answers in which block an address lies, and where in it. A block of 0 bytes is met by its own address
 * only. Where borrowed ranges enclose other blocks, the innermost answers.
 *
 * address: any; never dereferenced. info, offset: where to write; NULL for what is not wanted; left as
 *   they are on failure.
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (NULL, in no block, or in a block that was freed).
 * Cost: O(1) for each power of two among the sizes of the blocks, which are at most 64. */
CADASTRE_API cadastre_exit_code cadastre_locate(cadastre_context context, const void* address,
                                                cadastre_memory_info_struct* info, size_t* offset);

/* Records memory that somebody else owns and frees, so that look-ups know it. It counts as a borrowed
 * block, not as bytes in use, and not against limits.
 *
 * info: pointer (not NULL), size (bytes), type and device say where it is; alignment, stride and label are
 *   recorded, an alignment of 0 as the largest power of two, up to 4096, that divides the address.
 * The range's first and last byte must lie in no block. It may enclose others: the innermost answers. Two
 * borrowed ranges of one size class (the same power of two) that overlap are refused. A range of 0 bytes is
 * met by its own address only. A borrowed record is
 * dropped when a backend grants its address to a new block: the memory was then freed by its owner.
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

/* Calls visit for every block, owned or borrowed, in the order in which they were allocated. The blocks
 * are those of one moment: a snapshot is taken first, and no lock is held during the visits, so that
 * visit may call any function, also on this context. A block may therefore have been freed by the time it
 * is visited.
 *
 * visit: not NULL; gets one block and user_data; anything but CADASTRE_SUCCESS ends the visits.
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
 * was freed); DEALLOCATION_FAILED (a backend refused at least one; all others are freed).
 * Cost: that of cadastre_foreach, and one backend free per block. */
CADASTRE_API cadastre_exit_code cadastre_free_all(cadastre_context context);

/* No limit. */
#define CADASTRE_UNLIMITED ((size_t) -1)

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

/* Lowers the high-water marks of one memory type to the bytes and blocks that are live now.
 *
 * Exit codes: SUCCESS; INVALID_CONTEXT; INVALID_ARG_2 (no memory type). O(1). */
CADASTRE_API cadastre_exit_code cadastre_reset_high_water_mark(cadastre_context context,
                                                               cadastre_memory_type type);

/* Sets the most bytes that blocks of one memory type may hold together. Bytes are reserved before the
 * backend is asked, so that threads that race cannot pass the limit between them. A limit below what is
 * live is accepted; allocations are then refused until enough is freed.
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

/* Writes what a context holds: statistics and limits of each memory type, live bytes by label, the
 * largest blocks. All of it is of one moment; it is written while no lock is held.
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
 * backend: from 0 to CADASTRE_BACKENDS - 1. info: where to write.
 * Exit codes: SUCCESS; INVALID_ARG_1 (no such backend); INVALID_ARG_2 (NULL). A failure is remembered for
 * CADASTRE_NULL_CONTEXT. */
CADASTRE_API cadastre_exit_code cadastre_get_backend_info(cadastre_backend backend,
                                                          cadastre_backend_info_struct* info);

/* One environment variable: those of the vocabulary in its order, then those with our prefix that the
 * vocabulary does not have. Strings live as long as the library. */
typedef struct cadastre_environment_info_struct {
  const char* name;
  const char* value;           /* NULL when it is not set */
  const char* preset;          /* what holds when it is not set; "" for an unknown variable */
  const char* expected;        /* what may stand there; "" for an unknown variable */
  const char* meaning;         /* "" for an unknown variable */
  const char* problem;         /* "" when all is well; else what is wrong, and what would be right */
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

#ifdef __cplusplus
}
#endif
#endif
