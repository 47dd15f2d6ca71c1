// Tangled from org/base/vocabulary_tables.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/vocabulary.hpp"

#include <atomic>
#include <iterator>

namespace cadastre::internal {
namespace {

struct Word {
  std::int32_t number;
  const char* text;
};

struct ReasonRow {
  cadastre_reason number;
  const char* name;
  const char* message;
};

constexpr Word exit_codes[] = {
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

constexpr ReasonRow
    reasons
        [] =
            {
    {CADASTRE_REASON_NONE, "NONE",
     "no error"},
    {CADASTRE_REASON_NULL_CONTEXT, "NULL_CONTEXT",
     "the context is CADASTRE_NULL_CONTEXT; pass a handle from cadastre_context_create{detail}"},
    {CADASTRE_REASON_DESTROYED_CONTEXT, "DESTROYED_CONTEXT",
     "the context {context} has been destroyed, and its handle never becomes valid again; pass the handle of another context"},
    {CADASTRE_REASON_UNKNOWN_CONTEXT, "UNKNOWN_CONTEXT",
     "{context} is not a handle that this library returned; pass one from cadastre_context_create"},
    {CADASTRE_REASON_NULL_ARGUMENT, "NULL_ARGUMENT",
     "argument {argument} is NULL; pass a valid address"},
    {CADASTRE_REASON_NULL_POINTER, "NULL_POINTER",
     "info.pointer is NULL; pass the address of the first byte of the memory to record"},
    {CADASTRE_REASON_UNKNOWN_POINTER, "UNKNOWN_POINTER",
     "{pointer} is neither the address of a block of this context nor inside a block; pass memory that this context allocated, or that cadastre_wrap recorded in it"},
    {CADASTRE_REASON_INSIDE_BLOCK, "INSIDE_BLOCK",
     "{pointer} lies {offset} bytes inside the block at {base} ({size} bytes of {type}{label}); pass the address of its first byte"},
    {CADASTRE_REASON_ALREADY_FREED, "ALREADY_FREED",
     "{pointer} was freed before: block number {serial} of this context (at {base}, {size} bytes of {type}{label}) was freed by deallocation number {freed} of this context; free a block once, and do not use it afterwards"},
    {CADASTRE_REASON_MOVED_BY_REALLOC, "MOVED_BY_REALLOC",
     "{pointer} was an address of block number {serial} of this context ({size} bytes of {type}{label}) until cadastre_realloc moved the block; use the address that cadastre_realloc returned"},
    {CADASTRE_REASON_OTHER_CONTEXT, "OTHER_CONTEXT",
     "{pointer} belongs to context {other}, not to context {context}; use that context, or record the memory in this one with cadastre_wrap"},
    {CADASTRE_REASON_BORROWED, "BORROWED",
     "{pointer} is borrowed memory ({size} bytes of {type}{label}), which its owner frees; to remove it from the registry, call cadastre_unwrap"},
    {CADASTRE_REASON_NOT_BORROWED, "NOT_BORROWED",
     "{pointer} is a block that this context owns ({size} bytes of {type}{label}); free it with cadastre_free"},
    {CADASTRE_REASON_OVERLAPS_BLOCK, "OVERLAPS_BLOCK",
     "the {asked} bytes from {pointer} overlap the block at {base} ({size} bytes of {type}{label}), which is in this context already; a borrowed range must begin and end outside all blocks"},
    {CADASTRE_REASON_SIZE_OVERFLOW, "SIZE_OVERFLOW",
     "{asked} bytes exceed the largest possible allocation, which is {limit} bytes; request less{detail}"},
    {CADASTRE_REASON_LIMIT_EXCEEDED, "LIMIT_EXCEEDED",
     "cannot allocate {asked} bytes of {type} while {have} other bytes are in use or being allocated: the limit of {limited} is {limit} bytes; free memory, or raise the limit with cadastre_set_limit{detail}"},
    {CADASTRE_REASON_INVALID_ALIGNMENT, "INVALID_ALIGNMENT",
     "the alignment {asked} is not a power of two; pass a power of two, or 0 for the default"},
    {CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED, "ALIGNMENT_NOT_SUPPORTED",
     "the alignment {asked} exceeds the maximum that the {backend} backend supports for {type} memory, which is {limit}; pass at most that"},
    {CADASTRE_REASON_INVALID_MEMORY_TYPE, "INVALID_MEMORY_TYPE",
     "{number} is not a memory type; pass one of HOST (0), PINNED (1), DEVICE (2), UVM (3)"},
    {CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED, "MEMORY_TYPE_NOT_SUPPORTED",
     "the {backend} backend does not support {type} memory; {detail}"},
    {CADASTRE_REASON_INVALID_FLAGS, "INVALID_FLAGS",
     "the flags {flags} contain a bit that this call does not accept; pass 0, CADASTRE_UNINITIALIZED, or CADASTRE_EXPORTABLE (alone or with CADASTRE_SHARED_SEGMENT)"},
    {CADASTRE_REASON_LABEL_TOO_LONG, "LABEL_TOO_LONG",
     "the label is longer than {limit} characters; pass a shorter one"},
    {CADASTRE_REASON_BACKEND_OUT_OF_MEMORY, "BACKEND_OUT_OF_MEMORY",
     "the {backend} backend could not allocate {asked} bytes of {type}: {vendor}{detail}; free memory, or request less"},
    {CADASTRE_REASON_OUT_OF_HOST_MEMORY, "OUT_OF_HOST_MEMORY",
     "no host memory is left for the library's own records; free host memory"},
    {CADASTRE_REASON_BACKEND_FREE_FAILED, "BACKEND_FREE_FAILED",
     "the {backend} backend could not free the {size} bytes of {type} at {base}{label}: {vendor}; check that nothing else has freed it, and that its device has not been reset"},
    {CADASTRE_REASON_NOT_LOCKED, "NOT_LOCKED",
     "the calling thread does not hold the lock of context {context}; call cadastre_lock first"},
    {CADASTRE_REASON_LOCK_COUNT_OVERFLOW, "LOCK_COUNT_OVERFLOW",
     "the calling thread already holds the lock of context {context} {limit} times, which is the maximum; call cadastre_unlock first"},
    {CADASTRE_REASON_INVALID_ENVIRONMENT, "INVALID_ENVIRONMENT",
     "{detail}; correct the variable, or unset it"},
    {CADASTRE_REASON_BACKEND_UNAVAILABLE, "BACKEND_UNAVAILABLE",
     "the {backend} backend is unavailable: {detail}; use another backend, or see what it needs with cadastre info"},
    {CADASTRE_REASON_WRITE_FAILED, "WRITE_FAILED",
     "writing failed: {vendor}; check the free space, and the permissions of the file"},
    {CADASTRE_REASON_INVALID_FORMAT, "INVALID_FORMAT",
     "{number} is not a report format; pass one of CADASTRE_REPORT_TEXT (0), CADASTRE_REPORT_JSON (1)"},
    {CADASTRE_REASON_TOO_MANY_CONTEXTS, "TOO_MANY_CONTEXTS",
     "{limit} contexts are alive, which is the maximum; destroy one first"},
    {CADASTRE_REASON_MISALIGNED, "MISALIGNED",
     "{pointer} is not a multiple of the alignment {asked}; pass an aligned address{detail}"},
    {CADASTRE_REASON_INDEX_OUT_OF_RANGE, "INDEX_OUT_OF_RANGE",
     "the index {number} is out of range; pass 0 to {limit}"},
    {CADASTRE_REASON_INVALID_DEVICE, "INVALID_DEVICE",
     "there is no device {number} for {type} memory of the {backend} backend; {detail}"},
    {CADASTRE_REASON_INVALID_BACKEND, "INVALID_BACKEND",
     "{number} is not the number of a backend; pass one of CADASTRE_BACKEND_HOST (1), CADASTRE_BACKEND_CUDA (2), CADASTRE_BACKEND_OPENMP (3), CADASTRE_BACKEND_HIP (4), or a number that cadastre_backend_register returned and that is still registered"},
    {CADASTRE_REASON_OUT_OF_BOUNDS, "OUT_OF_BOUNDS",
     "{asked} bytes from {pointer} extend past the end of the block at {base} ({size} bytes of {type}{label}), of which {limit} bytes are left from offset {offset}; pass at most these"},
    {CADASTRE_REASON_RANGES_OVERLAP, "RANGES_OVERLAP",
     "the {asked} bytes to write at {pointer} overlap those to read at {base}; copy through a third block"},
    {CADASTRE_REASON_NULL_ADDRESS, "NULL_ADDRESS",
     "argument {argument} is NULL, or NULL plus an offset ({pointer}), and there are no {asked} bytes there; check what the allocation returned"},
    {CADASTRE_REASON_NOT_REGISTERED, "NOT_REGISTERED",
     "{pointer} is {type} memory that the {backend} backend knows and this context does not; use the context that allocated it, or record it with cadastre_wrap"},
    {CADASTRE_REASON_STRIDE_TOO_SMALL, "STRIDE_TOO_SMALL",
     "elements of {asked} bytes do not fit into the stride of {required} bytes of the block at {base}{label}; pass at most {required} bytes"},
    {CADASTRE_REASON_INVALID_STRIDE, "INVALID_STRIDE",
     "info.stride is {asked}, and must be 1 to {limit} bytes; pass the number of bytes from the beginning of one element to that of the next"},
    {CADASTRE_REASON_BACKEND_CALL_FAILED, "BACKEND_CALL_FAILED",
     "{detail} failed in the {backend} backend: {vendor}; check the work that was submitted before, of which errors are reported here too"},
    {CADASTRE_REASON_NO_COPY_PATH, "NO_COPY_PATH",
     "the {backend} backend cannot access {pointer}: {detail}; record it again, with that backend in info.backend"},
    {CADASTRE_REASON_INVALID_ADVICE, "INVALID_ADVICE",
     "{number} is not an advice; pass one of CADASTRE_ADVICE_READ_MOSTLY (1), CADASTRE_ADVICE_UNSET_READ_MOSTLY (2), CADASTRE_ADVICE_PREFERRED_LOCATION (3), CADASTRE_ADVICE_UNSET_PREFERRED_LOCATION (4), CADASTRE_ADVICE_ACCESSED_BY (5), CADASTRE_ADVICE_UNSET_ACCESSED_BY (6)"},
    {CADASTRE_REASON_INVALID_POOL, "INVALID_POOL",
     "{number} is not a kind of pool; pass one of CADASTRE_DEFAULT_POOL (0), CADASTRE_POOL_NONE (1), CADASTRE_POOL_VENDOR (2), CADASTRE_POOL_CACHING (3)"},
    {CADASTRE_REASON_INVALID_STRUCT_SIZE, "INVALID_STRUCT_SIZE",
     "the field struct_size is {asked}, and this library supports structures of {sizes} bytes; start from the constant that ends in _zero"},
    {CADASTRE_REASON_MISSING_OPERATION, "MISSING_OPERATION",
     "the table of operations lacks {detail}, which every backend must have; set it"},
    {CADASTRE_REASON_INVALID_REGISTRATION, "INVALID_REGISTRATION",
     "the backend cannot be registered: {detail}; correct its name, or the structure that describes it"},
    {CADASTRE_REASON_BACKEND_IN_USE, "BACKEND_IN_USE",
     "the {backend} backend still has {have} users, which are contexts or blocks; destroy and free them first"},
    {CADASTRE_REASON_RUNS_INTO_BLOCK, "RUNS_INTO_BLOCK",
     "{asked} bytes from {pointer}, which is in no block, overlap the block at {base} ({size} bytes of {type}{label}); begin inside that block, or end before it"},
    {CADASTRE_REASON_RESERVED_NOT_ZERO, "RESERVED_NOT_ZERO",
     "the field {detail} is {number}, and must be 0; start from the constant that ends in _zero"},
    {CADASTRE_REASON_INTERNAL_ERROR, "INTERNAL_ERROR",
     "an exception other than std::bad_alloc was caught at the C boundary: {detail}; if no operation or callback of the program threw it, report it as an error of this library"},
    {CADASTRE_REASON_COUNT_OVERFLOW, "COUNT_OVERFLOW",
     "{detail} exceed the largest possible allocation, which is {limit} bytes; pass fewer elements"},
    {CADASTRE_REASON_WORKSPACE_MEMORY, "WORKSPACE_MEMORY",
     "{pointer} is memory of a workspace ({size} bytes of {type} at {base}); release a lease with cadastre_workspace_release, free a workspace with cadastre_workspace_set_size, and end the use of a caller's buffer with cadastre_workspace_set_buffer and NULL"},
    {CADASTRE_REASON_WORKSPACE_TOO_SMALL, "WORKSPACE_TOO_SMALL",
     "cannot acquire {asked} bytes of {type} workspace, which has {size} bytes, {have} of them in use: {limit} bytes can be acquired; release leases, use an algorithm that needs less, or allow more with cadastre_workspace_set_size or a larger buffer{detail}"},
    {CADASTRE_REASON_WORKSPACE_BUSY, "WORKSPACE_BUSY",
     "cannot acquire {asked} bytes of {type} workspace, which has {size} bytes, {have} of them in use, by {required} on other threads or queues as well: {limit} bytes can be acquired; wait until leases are released, or allow more with cadastre_workspace_set_size, a larger buffer, or CADASTRE_WORKSPACE_AUTOMATIC{detail}"},
    {CADASTRE_REASON_UNKNOWN_LEASE, "UNKNOWN_LEASE",
     "{number} is not a lease of this context; pass what cadastre_workspace_acquire wrote, and release it once (0 stands for no lease, or for one that has ended)"},
    {CADASTRE_REASON_LEASE_RELEASED, "LEASE_RELEASED",
     "the lease {number} was released before; release each lease once"},
    {CADASTRE_REASON_LEASE_OUT_OF_ORDER, "LEASE_OUT_OF_ORDER",
     "not reported any more: the lease {number} was acquired before {have} others that are alive; release leases in any order ({limit} is the most recent one)"},
    {CADASTRE_REASON_LEASE_ALIVE, "LEASE_ALIVE",
     "leases of {type} workspace are alive ({have}); release them first"},
    {CADASTRE_REASON_SIZE_QUERY_INACTIVE, "SIZE_QUERY_INACTIVE",
     "the calling thread has no size query in this context; start one with cadastre_workspace_start_size_query"},
    {CADASTRE_REASON_SIZE_QUERY_ACTIVE, "SIZE_QUERY_ACTIVE",
     "the calling thread is in a size query of this context, in which functions report what they need and acquire nothing; stop it with cadastre_workspace_stop_size_query"},
    {CADASTRE_REASON_CAPTURE_ACTIVE, "CAPTURE_ACTIVE",
     "a queue is being captured, during which this is not permitted; {detail}"},
    {CADASTRE_REASON_UNSUITABLE_BUFFER, "UNSUITABLE_BUFFER",
     "the {asked} bytes from {pointer} cannot be used as a workspace: {detail}; pass other memory, or let the library allocate with cadastre_workspace_set_size"},
    {CADASTRE_REASON_MISALIGNED_ALLOCATION, "MISALIGNED_ALLOCATION",
     "the {backend} backend received {pointer} for {asked} bytes of {type}, which is not a multiple of the required alignment {required}, and freed the memory; use another allocator, or an alignment of 0"},
    {CADASTRE_REASON_WRONG_QUEUE_DEVICE, "WRONG_QUEUE_DEVICE",
     "the queue {pointer} is one of device {number} of the {backend} backend, and this context acquires workspace on queues of device {required}; pass one of those, or use a context on device {number}"},
    {CADASTRE_REASON_CALLED_FROM_OPERATION, "CALLED_FROM_OPERATION",
     "context {context} cannot be destroyed from within a call of this thread that uses it, as from an operation of a backend or a handler of signals, because the destruction would wait for that call; destroy it when that call has returned"},
    {CADASTRE_REASON_HAS_CHILDREN, "HAS_CHILDREN",
     "context {context} is the parent of {have} other contexts; destroy those first, or all together with cadastre_context_destroy_with_children"},
    {CADASTRE_REASON_PROCESS_CONTEXT, "PROCESS_CONTEXT",
     "{context} is CADASTRE_PROCESS, which is not a context; pass a context; CADASTRE_PROCESS is for statistics, limits, cadastre_pool_trim, reports, and the parent of a context"},
    {CADASTRE_REASON_BUILT_WITHOUT_CADASTRE, "BUILT_WITHOUT_CADASTRE",
     "{detail} needs Cadastre, and the caller was built without it; build the caller with Cadastre: --with-cadastre, -DWITH_CADASTRE=ON, or the macro CADASTRE_OPTIONAL_WITH_CADASTRE"},
    {CADASTRE_REASON_INVALID_PARENT, "INVALID_PARENT",
     "options.parent is {number}, which is not a live context; pass the handle of one, or CADASTRE_PROCESS"},
    {CADASTRE_REASON_DEVICE_MISMATCH, "DEVICE_MISMATCH",
     "info.device_id is {number}, and info.device does not name that device; name a device as info.device = CADASTRE_DEVICE_BY_ID(id), and leave info.device_id at 0"},
    {CADASTRE_REASON_INJECTED, "INJECTED",
     "{detail} made this call fail{label}; unset CADASTRE_FAIL where no call is to fail"},
    {CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER, "CALLED_FROM_SIGNAL_HANDLER",
     "a signal handler called this while its thread was inside the library; call it when the handler has returned, or block the signal around calls of the library"},
    {CADASTRE_REASON_DAMAGED_RECORDS, "DAMAGED_RECORDS",
     "what the library knew of {detail} has been overwritten; find what writes there, for example with AddressSanitizer; these blocks are given out no more, and all others are as they were"},
    {CADASTRE_REASON_HEAP_IN_USE, "HEAP_IN_USE",
     "HOST blocks of the context lie in its heap already, or did; call this before the first block is allocated"},
    {CADASTRE_REASON_NOT_EXPORTABLE, "NOT_EXPORTABLE",
     "{pointer} was allocated without CADASTRE_EXPORTABLE ({size} bytes of {type}{label}); allocate a block with that flag, and export that"},
    {CADASTRE_REASON_EXPORT_NOT_SUPPORTED, "EXPORT_NOT_SUPPORTED",
     "{type} memory of the {backend} backend cannot be exported to other processes; {detail}"},
    {CADASTRE_REASON_INVALID_IPC_HANDLE, "INVALID_IPC_HANDLE",
     "the handle cannot be imported: {detail}; pass all bytes that cadastre_ipc_export wrote, unchanged"},
    {CADASTRE_REASON_EXPORT_ENDED, "EXPORT_ENDED",
     "the block of the handle cannot be imported: {detail}; let the exporting process keep the block until the others have imported it"},
    {CADASTRE_REASON_IMPORTED, "IMPORTED",
     "{pointer} is memory of another process ({size} bytes of {type}{label}); close it with cadastre_ipc_close"},
    {CADASTRE_REASON_NOT_IMPORTED, "NOT_IMPORTED",
     "{pointer} was not imported ({size} bytes of {type}{label}); pass an address that cadastre_ipc_import wrote"},
    {CADASTRE_REASON_HOST_MEMORY_UNAVAILABLE, "HOST_MEMORY_UNAVAILABLE",
     "the host memory is not to be had here: {detail}; ask for what this machine has (see cadastre_backend_register_host)"},
    {CADASTRE_REASON_NOT_SHARED, "NOT_SHARED",
     "the {backend} backend cannot share {asked} bytes{label}: {detail}; allocate them in all processes with the same label, and with the same size"},
};

constexpr Word types[] = {
    {CADASTRE_HOST, "HOST"},
    {CADASTRE_PINNED, "PINNED"},
    {CADASTRE_DEVICE, "DEVICE"},
    {CADASTRE_UVM, "UVM"},
};

constexpr Word pools[] = {
    {CADASTRE_DEFAULT_POOL, "default"},
    {CADASTRE_POOL_NONE, "none"},
    {CADASTRE_POOL_VENDOR, "vendor"},
    {CADASTRE_POOL_CACHING, "caching"},
};

constexpr Word schemes[] = {
    {CADASTRE_WORKSPACE_SCHEME_AUTOMATIC, "automatic"},
    {CADASTRE_WORKSPACE_SCHEME_PREALLOCATED, "preallocated"},
    {CADASTRE_WORKSPACE_SCHEME_USER_OWNED, "user-owned"},
    {CADASTRE_WORKSPACE_SCHEME_PER_LEASE, "per-lease"},
    {CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED, "stream-ordered"},
};

constexpr Word advices[] = {
    {CADASTRE_ADVICE_READ_MOSTLY, "read-mostly"},
    {CADASTRE_ADVICE_UNSET_READ_MOSTLY, "unset-read-mostly"},
    {CADASTRE_ADVICE_PREFERRED_LOCATION, "preferred-location"},
    {CADASTRE_ADVICE_UNSET_PREFERRED_LOCATION, "unset-preferred-location"},
    {CADASTRE_ADVICE_ACCESSED_BY, "accessed-by"},
    {CADASTRE_ADVICE_UNSET_ACCESSED_BY, "unset-accessed-by"},
};

constexpr Word report_formats[] = {
    {CADASTRE_REPORT_TEXT, "text"},
    {CADASTRE_REPORT_JSON, "json"},
};

constexpr BackendRow backends[] = {
    {CADASTRE_BACKEND_HOST, "host", "the C library and the operating system",
     "every build includes it"},
    {CADASTRE_BACKEND_CUDA, "cuda", "NVIDIA's CUDA runtime",
     "this build does not include it; run configure without --without-cuda"},
    {CADASTRE_BACKEND_OPENMP, "openmp", "target regions of OpenMP",
     "this build does not include it; run configure --with-openmp-offload with a clang++ that offloads"},
    {CADASTRE_BACKEND_HIP, "hip", "AMD's HIP runtime",
     "this build does not include it; run configure without --without-hip"},
};
static_assert(std::size(backends) == last_named_backend && backends[0].number == 1 &&
              backends[last_named_backend - 1].number == last_named_backend);

constexpr EnvironmentRow
    variables
        [] =
            {
    {"CADASTRE_BACKEND", "auto", "",
     "auto, or a backend: host, cuda, openmp or hip",
     "the backend of a new context; auto selects the first backend with a device other than the host, else the host backend"},
    {"CADASTRE_CUDA_LIBRARY", "(none)", "names a file",
     "the file name of a CUDA runtime library, or of NVIDIA's driver libcuda.so.1",
     "opened as the CUDA runtime instead of the one found by its usual name; the driver is enough where there is no runtime"},
    {"CADASTRE_HIP_LIBRARY", "(none)", "names a file",
     "the file name of a library of the HIP runtime",
     "opened as the HIP runtime instead of the one found by its usual name"},
    {"CADASTRE_EMULATED_DEVICES", "0", "",
     "a number from 0 to 16",
     "how many devices the host backend emulates, with DEVICE and UVM memory that is host memory"},
    {"CADASTRE_OPENMP_MODULE", "(none)", "names a file",
     "the file name of a module for the openmp backend",
     "opened as the openmp backend's module instead of the installed one"},
    {"CADASTRE_LIMIT", "(none)", "",
     "TYPE=VALUE as in HOST=4G, or process:TYPE=VALUE, several separated by commas; TYPE is a memory type, or ALL for all of them together; a value is BYTES, which is 1 or more and may end in K, M, G or T (powers of 1024), PERCENT% from 1% to 100%, unlimited, or nothing; /ranks may follow BYTES and PERCENT% of DEVICE, UVM and ALL",
     "the limits that a new context starts with, and with process: those on the sum of all contexts; a percentage of HOST and PINNED is of what RAM, control groups and RLIMIT_AS allow the process, a percentage of DEVICE and UVM of the memory of the context's device, for the process of the first context's, and a percentage of ALL of the smaller of both, where that device uses the host's memory or there is none; /ranks divides by the processes of the job that use the device"},
    {"CADASTRE_RANKS_PER_DEVICE", "(none)", "",
     "a number from 1 to 4096",
     "how many processes share a device, for limits with /ranks; where it is not set, the processes of the job on the node enter the devices they use in a register and are counted"},
    {"CADASTRE_POOL", "none", "",
     "a pool, or TYPE=POOL as in HOST=caching, several separated by commas; a pool is none, vendor or caching",
     "where the memory of a new context comes from, unless its options set a pool: none allocates each block from the backend; caching caches freed memory and reuses it; vendor does so for DEVICE memory only"},
    {"CADASTRE_POOL_RELEASE_THRESHOLD", "100%", "",
     "a bound, or TYPE=BOUND as in HOST=1G, several separated by commas; a bound is all, PERCENT% from 0% to 1000%, or BYTES, which may end in K, M, G or T (powers of 1024)",
     "the maximum that the live blocks of caching pools and their cached memory may take together in the process; live blocks alone may take more: a percentage of the maximum that these blocks took at once, a number of bytes, or no maximum (all); cached memory is released to the backend after ten seconds without use, unless the bound is all"},
    {"CADASTRE_POOL_THREAD_CACHE", "1M", "",
     "BYTES, less than 4G, which may end in K, M or G (powers of 1024)",
     "the maximum that the eight blocks take together that a thread caches of a caching pool in a context, to give them out again without a lock: blocks of DEVICE, PINNED and UVM memory that were freed in the order of a queue; 0: none are cached"},
    {"CADASTRE_OUT_OF_MEMORY_WAIT", "10000", "",
     "a number of milliseconds from 0 to 3600000",
     "the maximum time that a request waits for work on queues that still uses memory to be released for it, before it is refused because there is no memory; 0: not at all"},
    {"CADASTRE_HEAP", "auto", "",
     "auto, on or off",
     "whether HOST blocks of up to 256 KiB come from heaps that belong to their contexts (on) or from malloc (off), unless a context uses a caching pool for HOST memory, and whether large HOST blocks use freed pages again; auto: as Cadastre was built, and off under valgrind, AddressSanitizer and LeakSanitizer"},
    {"CADASTRE_WORKSPACE_SIZE", "automatic", "",
     "a size, or TYPE=SIZE as in HOST=1M, several separated by commas; a size is automatic or 0 (grows as needed), per-lease (allocates at each acquisition), stream-ordered (the same, in the order of the queue), or BYTES, which may end in K, M, G or T (powers of 1024)",
     "the workspaces of a new context, as cadastre_workspace_set_size sets them; without TYPE, of DEVICE memory where its backend supports it, else HOST"},
    {"CADASTRE_TRACE", "(none)", "names a file",
     "the name of a file, in which %h, %r and %p stand for host, rank and process id, and %% for %",
     "the file that the allocation trace of the process is written to, for cadastre replay, as CSV if its name ends in .csv or it is no regular file, and else as records, which cost a program much less; the first context opens and empties it; a process that finds it in use writes to another file next to it"},
    {"CADASTRE_TRACE_KEEP", "(none)", "",
     "a number from 1 to 1000000",
     "of the traces of CADASTRE_TRACE in one place, written by processes that end normally, only so many stay: those with the highest peaks, and each with a refused request; a list beside them, named as they are with all for %h, %r and %p and .highest at the end, has their peaks and how many were removed"},
    {"CADASTRE_TRACE_JOIN", "off", "",
     "on or off",
     "whether processes that share the name of CADASTRE_TRACE leave their traces under it together, one behind another, as those of a node do where %h is in the name: each writes under a name of its own, with .RANK.PROCESS behind that, and at its normal end appends its trace and removes the own one; that of a process that was killed, or that cannot be appended, stays under its own name; not for CSV, not for a name with %r or %p, and not with CADASTRE_TRACE_KEEP; traces of an earlier run stay"},
    {"CADASTRE_REPORT", "(none)", "names a file",
     "the name of a file, in which %h, %r and %p stand for host, rank and process id, and %% for %, or stderr",
     "where the report of each context is written when it is destroyed or the process ends: JSON, one line for each, where the name ends in .json, else text; the first context opens and empties the file; a process that finds it in use writes to another file next to it"},
    {"CADASTRE_BLACKBOX", "(none)", "names a file",
     "the name of a folder, or auto",
     "a folder of this node in which the process keeps a file of its own, readable while it runs and after it was killed, with what lives, who holds it and what happened last, for cadastre report --blackbox and cadastre top; auto: a folder of the user in XDG_RUNTIME_DIR, /dev/shm or TMPDIR; the first context makes the file, which goes at a normal end, or a day after another one"},
    {"CADASTRE_REPORT_ON", "(none)", "changes what signals do",
     "occasions as in near:90%,refused, several separated by commas; an occasion is near:PERCENT% from 1% to 99%, or near, which is near:90%, and either may be followed by @INTERVAL, which is a number of ms, s or min from 10ms to 60min; or refused, exit, USR1, USR2, HUP, INT, QUIT, TERM, ABRT, XCPU, SEGV, BUS, FPE or ILL",
     "when a report on the memory of the whole process is written, to where CADASTRE_REPORT says where that is text, and else to standard error: near a limit of a context, of the process, of its control group, of RAM, of its address space or of a device, looked at as its memory grows and, with @INTERVAL, by a thread; when a request is refused by a limit or because there is no memory, at most once in ten seconds; at a normal end; or at a signal, before what the program does at it, which for USR1 and USR2 may be nothing, but not at one that is ignored, or that the program blocks and takes by sigwait or signalfd"},
    {"CADASTRE_LOG_FILE", "(none)", "names a file",
     "the name of a file",
     "a line is appended to it for each file of CADASTRE_TRACE, CADASTRE_REPORT, CADASTRE_REPORT_ON or CADASTRE_BLACKBOX that is opened, gets another name, is joined with others or stays apart, or cannot be written: the event, the variable, the process id, and the name or the message, separated by tabs"},
    {"CADASTRE_FAIL", "(none)", "makes calls fail",
     "rules as in malloc:3, several separated by commas; a rule is CALL:WHICH or CALL:WHICH:CONDITION, with more conditions after colons; a call is malloc, free, copy, create, internal or system; which is N, N+ (the Nth and all later), N-M, or PERCENT% with at most four decimals; a condition is rank=RANK, with PERCENT% also seed=NUMBER, with malloc and free also type=TYPE, backend=NAME, label=LABEL (in which * stands for any characters and ? for one), or size>=BYTES, which may end in K, M, G or T (powers of 1024)",
     "which calls fail without a cause, so that a program shows how it handles errors: allocations (malloc), deallocations (free), copies and sets (copy), creations of contexts (create), allocations (internal) and system calls (system) that Cadastre makes for itself; each rule counts from 1 the calls that meet its conditions, in the process; the share of PERCENT% is drawn from the seed, the rank and the number of the call"},
};

std::atomic<const char*>& name_of_registered(cadastre_backend number) noexcept {
  static constinit std::atomic<const char*> names[most_registered_backends] = {};
  return names[number - CADASTRE_FIRST_REGISTERED_BACKEND];
}

template <class Row, std::size_t n>
const Row* row_of(const Row (&table)[n], std::int32_t number) noexcept {
  for (const Row& row : table) {
    if (row.number == number) return &row;
  }
  return nullptr;
}

template <std::size_t n>
const char* word_of(const Word (&table)[n], std::int32_t number, const char* unknown) noexcept {
  const Word* const row = row_of(table, number);
  return row ? row->text : unknown;
}

}  // namespace

const char* sentence_of(cadastre_reason reason) noexcept {
  const ReasonRow* row = row_of(reasons, reason);
  return row ? row->message : "Unknown reason";
}

std::span<const BackendRow> backend_rows() noexcept { return backends; }
const BackendRow* row_of_backend(cadastre_backend number) noexcept { return row_of(backends, number); }

void name_backend(cadastre_backend number, const char* name) noexcept {
  if (is_registrable(number)) name_of_registered(number).store(name, std::memory_order_release);
}
std::span<const EnvironmentRow> environment_rows() noexcept { return variables; }

const EnvironmentRow* row_of_variable(std::string_view name) noexcept {
  for (const EnvironmentRow& row : variables) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

}  // namespace cadastre::internal

using namespace cadastre::internal;

const char* cadastre_string_of_error(cadastre_exit_code exit_code) { return word_of(exit_codes, exit_code, "Unknown exit code"); }

const char* cadastre_string_of_reason(cadastre_reason reason) {
  const ReasonRow* row = row_of(reasons, reason);
  return row ? row->name : "Unknown reason";
}

const char* cadastre_string_of_memory_type(cadastre_memory_type type) {
  return type == CADASTRE_ALL_MEMORY_TYPES ? "ALL" : word_of(types, type, "Unknown memory type");
}

const char* cadastre_string_of_pool(cadastre_pool pool) { return word_of(pools, pool, "Unknown pool"); }

const char* cadastre_string_of_workspace_scheme(cadastre_workspace_scheme scheme) { return word_of(schemes, scheme, "Unknown scheme"); }

const char* cadastre_string_of_advice(cadastre_advice advice) { return word_of(advices, advice, "Unknown advice"); }

const char* cadastre_string_of_report_format(cadastre_report_format format) {
  return word_of(report_formats, format, "Unknown report format");
}

const char* cadastre_string_of_backend(cadastre_backend backend) {
  const BackendRow* row = row_of(backends, backend);
  if (row) return row->name;
  const char* const name = is_registrable(backend) ? name_of_registered(backend).load(std::memory_order_acquire) : nullptr;
  return name ? name : "Unknown backend";
}
