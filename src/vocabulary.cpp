// Tangled from org/vocabulary.org; change the chapter, then run: make tangle
#include "vocabulary.hpp"

#include <atomic>

namespace cadastre::internal {
namespace {

struct Word {
  std::int32_t number;
  const char* text;
};

struct ReasonRow {
  cadastre_reason number;
  const char* name;
  const char* sentence;
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
    {CADASTRE_LIMIT_EXCEEDED, "A limit set by the caller does not allow it"},
    {CADASTRE_NOT_SUPPORTED, "Nothing in this library or on this machine serves it"},
    {CADASTRE_INVALID_ENVIRONMENT, "An environment variable has a malformed value"},
    {CADASTRE_SIZE_INCREASED, "Answer to a size query: more than any function before"},
    {CADASTRE_SIZE_UNCHANGED, "Answer to a size query: no more than before"},
    {CADASTRE_SIZE_QUERY_MISMATCH, "A size query begins, goes on or ends where it must not"},
    {CADASTRE_PERFORMANCE_DEGRADED, "Done, by a slower algorithm that needs less workspace"},
    {CADASTRE_CAPTURE_ACTIVE, "Not while a queue is being captured"},
    {CADASTRE_LEASE_ALIVE, "Not while a lease is alive"},
    {CADASTRE_LEASE_OUT_OF_ORDER, "A younger lease must be given back before"},
};

constexpr ReasonRow reasons[] = {
    {CADASTRE_REASON_NONE, "NONE",
     "nothing went wrong"},
    {CADASTRE_REASON_NULL_CONTEXT, "NULL_CONTEXT",
     "the context is CADASTRE_NULL_CONTEXT; pass a handle from cadastre_context_create{detail}"},
    {CADASTRE_REASON_STALE_CONTEXT, "STALE_CONTEXT",
     "the context {context} has been destroyed; its handle never becomes valid again"},
    {CADASTRE_REASON_UNKNOWN_CONTEXT, "UNKNOWN_CONTEXT",
     "{context} is not a handle that this library gave out; pass one from cadastre_context_create"},
    {CADASTRE_REASON_NULL_ARGUMENT, "NULL_ARGUMENT",
     "argument {argument} is NULL and must not be"},
    {CADASTRE_REASON_NULL_RANGE, "NULL_RANGE",
     "info.pointer is NULL; it must be the first byte of the memory to record"},
    {CADASTRE_REASON_UNKNOWN_POINTER, "UNKNOWN_POINTER",
     "{pointer} is neither a block of this context nor inside one; a context knows what it allocated, and what cadastre_wrap recorded in it"},
    {CADASTRE_REASON_INSIDE_BLOCK, "INSIDE_BLOCK",
     "{pointer} lies {offset} bytes inside the block at {base} ({size} bytes of {type}{label}); pass the address of its first byte"},
    {CADASTRE_REASON_ALREADY_FREED, "ALREADY_FREED",
     "{pointer} was freed before: block number {serial} of this context (at {base}, {size} bytes of {type}{label}) was freed by its deallocation number {freed}"},
    {CADASTRE_REASON_MOVED, "MOVED",
     "{pointer} was an address of block number {serial} of this context ({size} bytes of {type}{label}) until cadastre_realloc moved it; use the address that it returned"},
    {CADASTRE_REASON_OTHER_CONTEXT, "OTHER_CONTEXT",
     "{pointer} belongs to context {other}, not to context {context}"},
    {CADASTRE_REASON_BORROWED, "BORROWED",
     "{pointer} is borrowed memory ({size} bytes of {type}{label}), which its owner frees; cadastre_unwrap takes it out of the registry"},
    {CADASTRE_REASON_NOT_BORROWED, "NOT_BORROWED",
     "{pointer} is a block that this context owns ({size} bytes of {type}{label}); cadastre_free frees it"},
    {CADASTRE_REASON_OVERLAPS_BLOCK, "OVERLAPS_BLOCK",
     "the {asked} bytes from {pointer} overlap the block at {base} ({size} bytes of {type}{label}), which is in this context already; a borrowed range begins and ends outside all blocks"},
    {CADASTRE_REASON_SIZE_OVERFLOW, "SIZE_OVERFLOW",
     "{asked} bytes are more than any machine can hold; the most that can be asked for is {limit}{detail}"},
    {CADASTRE_REASON_OVER_LIMIT, "OVER_LIMIT",
     "asked for {asked} bytes of {type} while {have} others are in use or being allocated; the limit of this context is {limit}: free some, or raise it with cadastre_set_limit{detail}"},
    {CADASTRE_REASON_BAD_ALIGNMENT, "BAD_ALIGNMENT",
     "an alignment of {asked} is not a power of two"},
    {CADASTRE_REASON_ALIGNMENT_NOT_SERVED, "ALIGNMENT_NOT_SERVED",
     "an alignment of {asked} is more than the {backend} backend serves for {type}, which is {limit}"},
    {CADASTRE_REASON_UNKNOWN_MEMORY_TYPE, "UNKNOWN_MEMORY_TYPE",
     "{number} is not a memory type; it is one of HOST (0), PINNED (1), DEVICE (2), UVM (3)"},
    {CADASTRE_REASON_MEMORY_TYPE_NOT_SERVED, "MEMORY_TYPE_NOT_SERVED",
     "the {backend} backend does not serve {type} memory; {detail}"},
    {CADASTRE_REASON_UNKNOWN_FLAGS, "UNKNOWN_FLAGS",
     "the flags {flags} hold a bit that cannot be asked for; this call takes 0 or CADASTRE_UNINITIALIZED"},
    {CADASTRE_REASON_LABEL_TOO_LONG, "LABEL_TOO_LONG",
     "the label is longer than {limit} characters"},
    {CADASTRE_REASON_BACKEND_OUT_OF_MEMORY, "BACKEND_OUT_OF_MEMORY",
     "the {backend} backend could not allocate {asked} bytes of {type}: {vendor}{detail}"},
    {CADASTRE_REASON_REGISTRY_OUT_OF_MEMORY, "REGISTRY_OUT_OF_MEMORY",
     "the host has no memory left for the registry's own records"},
    {CADASTRE_REASON_BACKEND_FREE_FAILED, "BACKEND_FREE_FAILED",
     "the {backend} backend could not free the {size} bytes of {type} at {base}{label}: {vendor}"},
    {CADASTRE_REASON_NOT_LOCKED, "NOT_LOCKED",
     "the calling thread does not hold the lock of context {context}; call cadastre_lock first"},
    {CADASTRE_REASON_LOCKED_TOO_DEEPLY, "LOCKED_TOO_DEEPLY",
     "the calling thread holds the lock of context {context} {limit} times already, the most that is counted"},
    {CADASTRE_REASON_MALFORMED_ENVIRONMENT, "MALFORMED_ENVIRONMENT",
     "{detail}"},
    {CADASTRE_REASON_BACKEND_ABSENT, "BACKEND_ABSENT",
     "the {backend} backend cannot be used: {detail}"},
    {CADASTRE_REASON_WRITE_FAILED, "WRITE_FAILED",
     "writing failed: {vendor}"},
    {CADASTRE_REASON_UNKNOWN_FORMAT, "UNKNOWN_FORMAT",
     "{number} is not a report format; it is one of CADASTRE_REPORT_TEXT (0), CADASTRE_REPORT_JSON (1)"},
    {CADASTRE_REASON_TOO_MANY_CONTEXTS, "TOO_MANY_CONTEXTS",
     "{limit} contexts are alive, the most that there can be; destroy one first"},
    {CADASTRE_REASON_MISALIGNED, "MISALIGNED",
     "{pointer} is not a multiple of the alignment {asked}{detail}"},
    {CADASTRE_REASON_NO_SUCH_INDEX, "NO_SUCH_INDEX",
     "{number} is out of range; ask for 0 to {limit}"},
    {CADASTRE_REASON_UNKNOWN_DEVICE, "UNKNOWN_DEVICE",
     "there is no device {number} for {type} memory of the {backend} backend; {detail}"},
    {CADASTRE_REASON_UNKNOWN_BACKEND, "UNKNOWN_BACKEND",
     "{number} is not the number of a backend; these are CADASTRE_BACKEND_HOST (0), CADASTRE_BACKEND_CUDA (1), CADASTRE_BACKEND_OPENMP (2), and what cadastre_backend_register returned until it is unregistered"},
    {CADASTRE_REASON_OUT_OF_BOUNDS, "OUT_OF_BOUNDS",
     "{asked} bytes from {pointer} pass the end of the block at {base} ({size} bytes of {type}{label}), {offset} bytes into which they begin; {limit} bytes are left there"},
    {CADASTRE_REASON_RANGES_OVERLAP, "RANGES_OVERLAP",
     "the {asked} bytes to write from {pointer} overlap those to read from {base}; copy by way of a third block"},
    {CADASTRE_REASON_NULL_ADDRESS, "NULL_ADDRESS",
     "argument {argument} is NULL, or NULL and an offset ({pointer}), and no {asked} bytes are there; look at what the allocation returned"},
    {CADASTRE_REASON_NOT_REGISTERED, "NOT_REGISTERED",
     "{pointer} is {type} memory that the {backend} backend knows and this context does not; use the context that allocated it, or record it with cadastre_wrap"},
    {CADASTRE_REASON_STRIDE_TOO_SMALL, "STRIDE_TOO_SMALL",
     "{asked} bytes do not fit into the stride of {have} bytes of the block at {base}{label}"},
    {CADASTRE_REASON_BAD_STRIDE, "BAD_STRIDE",
     "a strided allocation needs info.stride, the bytes from the beginning of one element to that of the next; it is {have}, and must be 1 to {limit}"},
    {CADASTRE_REASON_BACKEND_CALL_FAILED, "BACKEND_CALL_FAILED",
     "{detail} failed in the {backend} backend: {vendor}"},
    {CADASTRE_REASON_NO_TRANSFER, "NO_TRANSFER",
     "the {backend} backend cannot reach {pointer}: {detail}"},
    {CADASTRE_REASON_UNKNOWN_ADVICE, "UNKNOWN_ADVICE",
     "{number} is not an advice; it is one of CADASTRE_ADVICE_READ_MOSTLY (0), CADASTRE_ADVICE_UNSET_READ_MOSTLY (1), CADASTRE_ADVICE_PREFERRED_LOCATION (2), CADASTRE_ADVICE_UNSET_PREFERRED_LOCATION (3), CADASTRE_ADVICE_ACCESSED_BY (4), CADASTRE_ADVICE_UNSET_ACCESSED_BY (5)"},
    {CADASTRE_REASON_UNKNOWN_POOL, "UNKNOWN_POOL",
     "{number} is not a kind of pool; it is one of CADASTRE_POOL_NONE (0), CADASTRE_POOL_VENDOR (1), CADASTRE_POOL_CACHING (2)"},
    {CADASTRE_REASON_BAD_STRUCT_SIZE, "BAD_STRUCT_SIZE",
     "the size field says {asked} bytes, and this library knows structures of {have} to {limit}; start from the constant that ends in _zero"},
    {CADASTRE_REASON_MISSING_OPERATION, "MISSING_OPERATION",
     "the table of operations lacks {detail}, which every backend must have"},
    {CADASTRE_REASON_BAD_BACKEND, "BAD_BACKEND",
     "a backend cannot be registered like this: {detail}"},
    {CADASTRE_REASON_BACKEND_IN_USE, "BACKEND_IN_USE",
     "the {backend} backend has {have} users, contexts or blocks; destroy and free them first"},
    {CADASTRE_REASON_RUNS_INTO_BLOCK, "RUNS_INTO_BLOCK",
     "{asked} bytes from {pointer}, which is in no block, run into the block at {base} ({size} bytes of {type}{label}); begin inside it, or end before it"},
    {CADASTRE_REASON_RESERVED_NOT_ZERO, "RESERVED_NOT_ZERO",
     "the field reserved is {number}; it must be 0"},
    {CADASTRE_REASON_INTERNAL_ERROR, "INTERNAL_ERROR",
     "an exception that is not about memory was stopped at the C boundary: {detail}"},
    {CADASTRE_REASON_COUNT_OVERFLOW, "COUNT_OVERFLOW",
     "{detail} are more than any machine can hold; the most that can be asked for is {limit} bytes"},
    {CADASTRE_REASON_LENT, "LENT",
     "{pointer} is memory of a workspace ({size} bytes of {type} at {base}); what was lent goes back with cadastre_workspace_give_back, cadastre_workspace_set_size frees a workspace, and cadastre_workspace_set_buffer with NULL lets a caller's buffer go"},
    {CADASTRE_REASON_WORKSPACE_TOO_SMALL, "WORKSPACE_TOO_SMALL",
     "asked for {asked} bytes of {type} workspace, which has {size} bytes, {have} of them lent; {limit} can be lent: give back what is lent, take a smaller algorithm, or allow more with cadastre_workspace_set_size or a larger buffer{detail}"},
    {CADASTRE_REASON_WORKSPACE_TAKEN, "WORKSPACE_TAKEN",
     "asked for {asked} bytes of {type} workspace, and the one there is, of {size} bytes, is lent to another thread or on another queue; give back first, or allow several with cadastre_workspace_set_size and CADASTRE_WORKSPACE_AUTOMATIC{detail}"},
    {CADASTRE_REASON_UNKNOWN_LEASE, "UNKNOWN_LEASE",
     "{number} is not a lease of this context; pass what cadastre_workspace_lend wrote, once (0 is what holds no lease, or none any more)"},
    {CADASTRE_REASON_LEASE_GIVEN_BACK, "LEASE_GIVEN_BACK",
     "the lease {number} was given back before"},
    {CADASTRE_REASON_LEASE_OUT_OF_ORDER, "LEASE_OUT_OF_ORDER",
     "the lease {number} cannot be given back before younger ones of its workspace ({have} are alive); give back the youngest first, which is {limit}"},
    {CADASTRE_REASON_LEASE_ALIVE, "LEASE_ALIVE",
     "leases of {type} workspace are alive ({have}); give them back first"},
    {CADASTRE_REASON_NO_SIZE_QUERY, "NO_SIZE_QUERY",
     "the calling thread has no size query in this context; begin one with cadastre_workspace_start_size_query"},
    {CADASTRE_REASON_SIZE_QUERY_ACTIVE, "SIZE_QUERY_ACTIVE",
     "the calling thread is in a size query of this context, in which functions say what they need and lend nothing; end it with cadastre_workspace_stop_size_query"},
    {CADASTRE_REASON_CAPTURE_ACTIVE, "CAPTURE_ACTIVE",
     "a queue is being captured, so this cannot be done now: {detail}"},
    {CADASTRE_REASON_NOT_A_WORKSPACE, "NOT_A_WORKSPACE",
     "the {asked} bytes from {pointer} cannot be a workspace: {detail}"},
    {CADASTRE_REASON_MISALIGNED_GRANT, "MISALIGNED_GRANT",
     "the {backend} backend was given {pointer} for {asked} bytes of {type} that were to lie at a multiple of {have}; it gave them back: another allocator, or an alignment of 0, may do"},
    {CADASTRE_REASON_QUEUE_OF_ANOTHER_DEVICE, "QUEUE_OF_ANOTHER_DEVICE",
     "the queue {pointer} is one of device {number} of the {backend} backend, and this context lends on queues of device {have}; pass one of those, or lend in a context on device {number}"},
    {CADASTRE_REASON_INSIDE_OPERATION, "INSIDE_OPERATION",
     "context {context} cannot be destroyed from inside an operation that works for it, which the destruction would wait for; destroy it when the call that the operation serves has returned"},
};

constexpr Word types[] = {
    {CADASTRE_HOST, "HOST"},
    {CADASTRE_PINNED, "PINNED"},
    {CADASTRE_DEVICE, "DEVICE"},
    {CADASTRE_UVM, "UVM"},
};

constexpr Word schemes[] = {
    {CADASTRE_WORKSPACE_SCHEME_AUTOMATIC, "automatic"},
    {CADASTRE_WORKSPACE_SCHEME_PREALLOCATED, "preallocated"},
    {CADASTRE_WORKSPACE_SCHEME_USER_OWNED, "user-owned"},
    {CADASTRE_WORKSPACE_SCHEME_EACH_LEND, "each-lend"},
    {CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED, "stream-ordered"},
};

constexpr BackendRow backends[] = {
    {CADASTRE_BACKEND_HOST, "host", "the C library and the operating system",
     "it is part of every build"},
    {CADASTRE_BACKEND_CUDA, "cuda", "NVIDIA's CUDA runtime",
     "configure --with-cuda=DIR, where DIR holds include/cuda_runtime_api.h"},
    {CADASTRE_BACKEND_OPENMP, "openmp", "target regions of OpenMP",
     "configure --with-openmp-offload, with a clang++ that offloads"},
};

constexpr EnvironmentRow variables[] = {
    {"CADASTRE_BACKEND", "auto", false,
     "auto, or a backend: host, cuda or openmp",
     "the backend of a new context; auto takes the first with a device other than the host, else the host"},
    {"CADASTRE_CUDA_LIBRARY", "(none)", true,
     "the file name of a CUDA runtime library",
     "opened as the CUDA runtime instead of the one found by its usual name"},
    {"CADASTRE_EMULATE_DEVICE", "0", false,
     "a number from 0 to 16",
     "how many devices the host backend emulates, with DEVICE and UVM memory that is host memory"},
    {"CADASTRE_OPENMP_MODULE", "(none)", true,
     "the file name of a module for the openmp backend",
     "opened as the openmp backend's module instead of the installed one"},
    {"CADASTRE_LIMIT", "(none)", false,
     "TYPE=BYTES as in HOST=4G, several separated by commas; BYTES may end in K, M, G or T (powers of 1024)",
     "the limits that a new context starts with"},
    {"CADASTRE_POOL", "none", false,
     "a pool, or TYPE=POOL as in HOST=caching, several separated by commas; a pool is none, vendor or caching",
     "where the memory of a new context comes from, where its options leave that open: each block from the backend; DEVICE memory from the backend's own pool; kept and handed out again"},
    {"CADASTRE_POOL_KEEP", "100%", false,
     "a bound, or TYPE=BOUND as in HOST=1G, several separated by commas; a bound is all, PERCENT% from 0% to 1000%, or BYTES, which may end in K, M, G or T (powers of 1024)",
     "the most that live blocks of a caching pool and what it keeps may take together, live blocks alone excepted: a part of the most that its blocks took at once, bytes, or whatever comes; what is kept is given back after ten seconds without use, unless it is all"},
    {"CADASTRE_WORKSPACE_SIZE", "automatic", false,
     "a size, or TYPE=SIZE as in HOST=1M, several separated by commas; a size is automatic, stream-ordered, or BYTES, which may end in K, M, G or T (powers of 1024); 0 allocates at each lend",
     "the workspaces of a new context, as cadastre_workspace_set_size sets them; without TYPE, of DEVICE memory where its backend serves it, else HOST"},
    {"CADASTRE_TRACE", "(none)", true,
     "the name of a file, in which %h, %r and %p stand for host, rank and process id, and %% for %",
     "the file that the allocation trace of the process is written to, for cadastre replay; opened, and emptied, by the first context; a process that finds it in use takes one beside it"},
    {"CADASTRE_REPORT", "(none)", true,
     "the name of a file, in which %h, %r and %p stand for host, rank and process id, and %% for %, or stderr",
     "where the report of each context goes when it is destroyed or the process ends: JSON, one line for each, where the name ends in .json, else text; opened, and emptied, by the first context; a process that finds it in use takes one beside it"},
    {"CADASTRE_NOTES", "(none)", true,
     "the name of a file",
     "a line is appended to it for each file of CADASTRE_TRACE or CADASTRE_REPORT that is opened, gets another name, or cannot be written: what, the variable, the process id, and the name or the sentence, separated by tabs"},
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

}  // namespace

const char* sentence_of(cadastre_reason reason) noexcept {
  const ReasonRow* row = row_of(reasons, reason);
  return row ? row->sentence : "Unknown reason";
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

const char* cadastre_string_of_error(cadastre_exit_code exit_code) {
  const Word* row = row_of(exit_codes, exit_code);
  return row ? row->text : "Unknown exit code";
}

const char* cadastre_string_of_reason(cadastre_reason reason) {
  const ReasonRow* row = row_of(reasons, reason);
  return row ? row->name : "Unknown reason";
}

const char* cadastre_string_of_memory_type(cadastre_memory_type type) {
  const Word* row = row_of(types, type);
  return row ? row->text : "Unknown memory type";
}

const char* cadastre_string_of_workspace_scheme(cadastre_workspace_scheme scheme) {
  const Word* row = row_of(schemes, scheme);
  return row ? row->text : "Unknown scheme";
}

const char* cadastre_string_of_backend(cadastre_backend backend) {
  const BackendRow* row = row_of(backends, backend);
  if (row) return row->name;
  const char* const name = is_registrable(backend) ? name_of_registered(backend).load(std::memory_order_acquire) : nullptr;
  return name ? name : "Unknown backend";
}
