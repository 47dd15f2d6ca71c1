/* A program of the time of version 0.1: it uses every public function and structure of that version once. README says what it
 * is kept for. It is compiled with the headers beside it, and runs with the library of today. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cadastre.h"
#include "cadastre_workspace.h"

static int claims = 0, failed = 0;

static void claim(int holds, const char* what) {
  printf("%s %d - %s\n", holds ? "ok" : "not ok", ++claims, what);
  failed += !holds;
}

static void served(cadastre_exit_code code, const char* what) {
  claim(code == CADASTRE_SUCCESS, what);
  if (code != CADASTRE_SUCCESS) printf("# %s\n", cadastre_string_of_error(code));
}

/* --- a backend of the program */

static int32_t allocate(void* content, const cadastre_memory_info_struct* request, cadastre_queue queue, void** pointer) {
  (void)queue;
  ++*(int*)content;
  *pointer = aligned_alloc(request->alignment, (request->size / request->alignment + 1) * request->alignment);
  return *pointer ? 0 : 12;
}
static int32_t release(void* content, const cadastre_memory_info_struct* block) {
  --*(int*)content;
  free(block->pointer);
  return 0;
}
static int32_t copy(void* content, void* dest, const cadastre_memory_info_struct* dest_place, const void* src,
                    const cadastre_memory_info_struct* src_place, size_t size, cadastre_queue queue) {
  (void)content, (void)dest_place, (void)src_place, (void)queue;
  memcpy(dest, src, size);
  return 0;
}
static int32_t set(void* content, void* dest, const cadastre_memory_info_struct* place, int value, size_t size,
                   cadastre_queue queue) {
  (void)content, (void)place, (void)queue;
  memset(dest, value, size);
  return 0;
}
static int32_t synchronize(void* content, int32_t device_id, cadastre_queue queue) {
  (void)content, (void)device_id, (void)queue;
  return 0;
}
static int32_t prefetch(void* content, const void* address, size_t size, int32_t device_id, cadastre_queue queue,
                        int32_t* applied) {
  (void)content, (void)address, (void)size, (void)device_id, (void)queue;
  *applied = 1;
  return 0;
}
static int32_t advise(void* content, const void* address, size_t size, cadastre_advice advice, int32_t device_id,
                      int32_t* applied) {
  (void)content, (void)address, (void)size, (void)device_id;
  *applied = advice == CADASTRE_ADVICE_READ_MOSTLY;
  return 0;
}
static int32_t device_memory(void* content, int32_t device_id, size_t* total, size_t* free_bytes) {
  (void)content, (void)device_id;
  *total = 1000;
  *free_bytes = 900;
  return 0;
}
static size_t max_alignment(void* content, cadastre_memory_type type) {
  (void)content, (void)type;
  return 4096;
}
static int32_t clone(void* content, void** of_context) {
  *of_context = content;
  return 0;
}
static int32_t destroy(void* content) {
  (void)content;
  return 0;
}

static void backends_and_devices(void) {
  int blocks = 0;
  cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
  operations.memory_type_mask = 1u << CADASTRE_HOST | 1u << CADASTRE_DEVICE | 1u << CADASTRE_UVM;
  operations.device_count = 1;
  operations.allocate = allocate;
  operations.free = release;
  operations.copy = copy;
  operations.set = set;
  operations.copy_async = copy;
  operations.synchronize = synchronize;
  operations.prefetch = prefetch;
  operations.advise = advise;
  operations.device_memory = device_memory;
  operations.max_alignment = max_alignment;
  operations.clone = clone;
  operations.destroy = destroy;
  const cadastre_backend backend = cadastre_backend_register("kept", &operations, &blocks);
  claim(backend >= CADASTRE_FIRST_REGISTERED_BACKEND, "a backend is registered");

  cadastre_backend_info_struct about = cadastre_backend_info_struct_zero;
  served(cadastre_backend_get_info(backend, &about), "a backend is described");
  claim(about.available == 1 && about.device_count == 1 && about.memory_type_mask == operations.memory_type_mask &&
            strcmp(about.name, "kept") == 0 && about.description && strcmp(about.problem, "") == 0 && about.backend == backend,
        "as it was registered");
  claim(cadastre_backend_get_count() >= CADASTRE_BACKEND_OPENMP, "backends are counted");
  cadastre_device_info_struct device = cadastre_device_info_struct_zero;
  served(cadastre_device_get_info(backend, 0, &device), "a device is described");
  claim(device.total_bytes == 1000 && device.free_bytes == 900 && device.device_id == 0 && device.backend == backend &&
            device.uuid[0] == '\0',
        "as it is");
  cadastre_memory_usage_struct usage = cadastre_memory_usage_struct_zero;
  served(cadastre_device_get_memory_usage(backend, 0, &usage), "the use of a device is read");
  claim(usage.total_bytes == 1000 && usage.used_bytes == 100 && usage.tracked_bytes == 0 && usage.uvm_bytes == 0 &&
            usage.untracked_bytes == 100,
        "with what others use");
  served(cadastre_host_get_memory_usage(&usage), "and that of the host");
  claim(usage.used_bytes > 0 && usage.total_bytes > 0, "with its total");

  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = backend;
  options.device = CADASTRE_DEVICE_BY_ID(0);
  options.pool = CADASTRE_POOL_NONE;
  options.limits[CADASTRE_DEVICE] = 5000;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  claim(cadastre_context_check(context) == context && context != CADASTRE_NULL_CONTEXT, "a context has options");
  options = cadastre_context_options_struct_zero;
  served(cadastre_context_get_options(context, &options), "options are read");
  claim(options.backend == backend && options.device == CADASTRE_DEVICE_BY_ID(0) && options.pool == CADASTRE_POOL_NONE &&
            options.limits[CADASTRE_DEVICE] == 5000 && options.limits[CADASTRE_HOST] == CADASTRE_UNLIMITED,
        "as they were given");

  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 100;
  info.type = CADASTRE_UVM;
  char* const managed = cadastre_malloc(context, info);
  claim(managed && blocks == 1 && managed[99] == 0, "a registered backend allocates");
  int32_t applied = 0;
  served(cadastre_prefetch(context, managed, 100, CADASTRE_DEFAULT_DEVICE, CADASTRE_DEFAULT_QUEUE, &applied), "a prefetch");
  claim(applied == 1, "is applied");
  served(cadastre_advise(context, managed, 100, CADASTRE_ADVICE_READ_MOSTLY, CADASTRE_DEFAULT_DEVICE, &applied), "an advice");
  claim(applied == 1, "is applied");
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  served(cadastre_get_device_statistics(context, CADASTRE_UVM, 0, &statistics), "a device has statistics");
  claim(statistics.live_blocks == 1 && statistics.live_bytes == 100 && statistics.limit == CADASTRE_UNLIMITED, "of its blocks");
  info.type = CADASTRE_DEVICE;
  info.size = 6000;
  claim(!cadastre_malloc(context, info), "a limit is kept");
  cadastre_error_struct error = cadastre_error_struct_zero;
  served(cadastre_last_error(context, &error), "an error is remembered");
  claim(error.exit_code == CADASTRE_LIMIT_EXCEEDED && error.reason == CADASTRE_REASON_LIMIT_EXCEEDED &&
            error.requested == 6000 && error.limit == 5000 && error.type == CADASTRE_DEVICE && error.in_use == 0 &&
            strcmp(error.function, "cadastre_malloc") == 0 && strncmp(error.message, "cadastre_malloc: ", 17) == 0,
        "with its numbers and its message");
  served(cadastre_context_destroy(context), "a context is destroyed");
  claim(blocks == 0, "and gives its memory back");
  served(cadastre_backend_unregister(backend), "a backend is unregistered");
}

/* --- blocks */

static cadastre_exit_code count(const cadastre_memory_info_struct* info, void* user_data) {
  *(size_t*)user_data += info->size;
  return CADASTRE_SUCCESS;
}

static void blocks_of(cadastre_context context) {
  const char* const label = cadastre_label("kept");
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 1000;
  info.alignment = 64;
  info.label = label;
  char* const block = cadastre_malloc(context, info);
  claim(block && block[0] == 0 && block[999] == 0, "a block is zero");
  served(cadastre_get_malloc_info(context, block, &info), "a block is described");
  claim(info.size == 1000 && info.pointer == block && info.type == CADASTRE_HOST && info.alignment >= 64 && info.label == label &&
            info.backend == CADASTRE_BACKEND_HOST && info.device == CADASTRE_DEFAULT_DEVICE && info.device_id == -1 &&
            info.flags == 0 && info.stride == 0,
        "as it was requested");
  size_t size = 0;
  served(cadastre_get_allocated_size(context, block, &size), "its memory is measured");
  claim(size >= 1000, "and is enough");
  size_t offset = 0;
  served(cadastre_find_block(context, block + 10, &info, &offset), "an address is found");
  claim(info.pointer == block && offset == 10, "in its block");

  memset(block, 7, 1000);
  char* const larger = cadastre_realloc(context, block, 2000);
  claim(larger && larger[999] == 7 && larger[1999] == 0, "a block is resized");
  info = cadastre_memory_info_struct_zero;
  info.size = 2000;
  info.flags = CADASTRE_UNINITIALIZED;
  char* const other = cadastre_malloc_async(context, info, CADASTRE_DEFAULT_QUEUE);
  info.stride = 20;
  char* const strided = cadastre_malloc_strided(context, info, CADASTRE_DEFAULT_QUEUE);
  claim(other && strided, "blocks are allocated on a queue, and with a stride");
  served(cadastre_memcpy(context, other, larger, 2000), "bytes are copied");
  served(cadastre_memcpy_async(context, other, larger, 10, CADASTRE_DEFAULT_QUEUE), "on a queue");
  served(cadastre_memset(context, strided, 3, 2000), "bytes are set");
  served(cadastre_memset_async(context, strided, 4, 20, CADASTRE_DEFAULT_QUEUE), "on a queue");
  served(cadastre_memcpy_strided(context, strided, other, 5, 10), "elements are copied");
  served(cadastre_memcpy_strided_async(context, strided, other, 5, 1, CADASTRE_DEFAULT_QUEUE), "on a queue");
  served(cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE), "a queue is waited for");
  claim(memcmp(other, larger, 2000) == 0 && strided[4] == 7 && strided[19] == 4 && strided[20] == 7 && strided[25] == 3,
        "and all bytes are where they belong");

  static char mine[100];
  info = cadastre_memory_info_struct_zero;
  info.pointer = mine;
  info.size = sizeof mine;
  served(cadastre_wrap(context, info), "memory of the program is recorded");
  size_t bytes = 0;
  served(cadastre_foreach_block(context, count, &bytes), "blocks are listed");
  claim(bytes == 3 * 2000 + sizeof mine, "all of them");
  served(cadastre_unwrap(context, mine), "memory of the program is forgotten");

  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  served(cadastre_get_statistics(context, CADASTRE_HOST, &statistics), "there are statistics");
  claim(statistics.allocations == 3 && statistics.reallocations == 1 && statistics.live_blocks == 3 &&
            statistics.live_bytes == 6000 && statistics.deallocations == 0 && statistics.borrowed_blocks == 0 &&
            statistics.high_water_mark_bytes == 6000 && statistics.high_water_mark_blocks == 3 && statistics.total_bytes == 6000 &&
            statistics.zeroed_bytes == 2000 && statistics.failed_allocations == 0 && statistics.failed_deallocations == 0 &&
            statistics.untracked_deallocations == 0 && statistics.limit == CADASTRE_UNLIMITED,
        "of all that happened");
  served(cadastre_free_async(context, other, CADASTRE_DEFAULT_QUEUE), "a block is freed on a queue");
  served(cadastre_free(context, larger), "a block is freed");
  served(cadastre_reset_high_water_mark(context, CADASTRE_HOST), "the mark is lowered");
  cadastre_pool_info_struct pool = cadastre_pool_info_struct_zero;
  served(cadastre_pool_get_info(context, CADASTRE_HOST, &pool), "a pool is described");
  claim(pool.pool == CADASTRE_POOL_NONE && pool.reserved_bytes == 0 && pool.hits == 0, "and there is none");
  served(cadastre_pool_trim(context, CADASTRE_HOST, 0), "a pool is trimmed");
  served(cadastre_set_limit(context, CADASTRE_HOST, CADASTRE_LIMIT_NOTHING), "a limit is set");
  info = cadastre_memory_info_struct_zero;
  info.size = 1;
  claim(!cadastre_malloc(context, info), "which refuses everything");
  served(cadastre_set_limit(context, CADASTRE_HOST, CADASTRE_UNLIMITED), "a limit is removed");
  served(cadastre_free_all(context), "all blocks are freed");
}

/* --- workspaces */

static cadastre_exit_code needs_none(cadastre_context context) {
  CADASTRE_RETURN_IF_SIZE_QUERY(context);
  return CADASTRE_SUCCESS;
}

static void workspaces_of(cadastre_context context) {
  const size_t sizes[2] = {100, 200};
  void* pointers[2] = {NULL, NULL};
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  served(cadastre_workspace_start_size_query(context), "a size query is started");
  claim(cadastre_workspace_is_size_query(context) == 1, "and is known");
  claim(cadastre_workspace_set_optimal_size(context, 2, sizes) == CADASTRE_SIZE_INCREASED, "a function tells its size");
  claim(needs_none(context) == CADASTRE_SIZE_UNCHANGED, "or that it needs nothing");
  size_t bytes = 0;
  served(cadastre_workspace_stop_size_query(context, &bytes), "a size query is stopped");
  claim(bytes >= 300, "with the size");
  served(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, bytes), "which is set");
  served(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 2, sizes, pointers, &lease), "workspace is acquired");
  claim(pointers[0] && pointers[1] && lease != CADASTRE_NULL_LEASE, "and is there");
  cadastre_workspace_info_struct info = cadastre_workspace_info_struct_zero;
  served(cadastre_workspace_get_info(context, CADASTRE_HOST, &info), "a workspace is described");
  claim(info.type == CADASTRE_HOST && info.device_id == -1 && info.scheme == CADASTRE_WORKSPACE_SCHEME_PREALLOCATED &&
            info.workspace_count == 1 && info.reserved_bytes == bytes && info.used_bytes == bytes && info.live_leases == 1 &&
            info.acquisitions == 1 && info.failed_acquisitions == 0 && info.high_water_mark_bytes == bytes && info.growths == 0 &&
            info.waits == 0 && info.granularity > 0,
        "with its lease");
  served(cadastre_workspace_release(context, lease), "a lease is released");
  char* const buffer = aligned_alloc(4096, 8192);
  served(cadastre_workspace_set_buffer(context, CADASTRE_HOST, buffer, 8192), "a buffer of the program is the workspace");
  served(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, sizes, pointers, &lease),
         "workspace is acquired on a queue");
  claim((char*)pointers[0] >= buffer && (char*)pointers[0] < buffer + 8192, "from the buffer");
  served(cadastre_workspace_release(context, lease), "a lease is released");
  served(cadastre_workspace_set_buffer(context, CADASTRE_HOST, NULL, 0), "the buffer is the program's again");
  free(buffer);
}

/* --- everything else */

static void names(void) {
  claim(strchr(cadastre_get_version(), '.') && strstr(cadastre_get_build_options(), "compiler"), "version and build");
  claim(strcmp(cadastre_string_of_error(CADASTRE_SUCCESS), "Success") == 0, "the meaning of an exit code");
  claim(strcmp(cadastre_string_of_reason(CADASTRE_REASON_BORROWED), "BORROWED") == 0, "the name of a reason");
  claim(strcmp(cadastre_string_of_memory_type(CADASTRE_UVM), "UVM") == 0, "the name of a memory type");
  claim(strcmp(cadastre_string_of_backend(CADASTRE_BACKEND_CUDA), "cuda") == 0, "the name of a backend");
  claim(strcmp(cadastre_string_of_pool(CADASTRE_POOL_CACHING), "caching") == 0, "the name of a pool");
  claim(strcmp(cadastre_string_of_workspace_scheme(CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED), "stream-ordered") == 0,
        "the name of a scheme");
  claim(strcmp(cadastre_string_of_advice(CADASTRE_ADVICE_READ_MOSTLY), "read-mostly") == 0, "the name of an advice");
  claim(strcmp(cadastre_string_of_report_format(CADASTRE_REPORT_JSON), "json") == 0, "the name of a report format");
  cadastre_environment_info_struct variable = cadastre_environment_info_struct_zero;
  served(cadastre_environment_get_info(0, &variable), "a variable is described");
  claim(cadastre_environment_get_count() > 0 && strncmp(variable.name, "CADASTRE_", 9) == 0 && variable.default_value &&
            variable.expected && variable.description && variable.problem && variable.resolved,
        "with its name and values");
}

int main(void) {
  setenv("CADASTRE_BACKEND", "host", 1);
  names();
  backends_and_devices();
  const cadastre_context context = cadastre_context_create();
  claim(context != CADASTRE_NULL_CONTEXT, "a context is created");
  served(cadastre_lock(context), "it is locked");
  served(cadastre_unlock(context), "and unlocked");
  served(cadastre_context_set_timing(context, 1), "it is timed");
  served(cadastre_context_set_default_queue(context, CADASTRE_DEFAULT_QUEUE), "its queue is set");
  cadastre_queue queue = &claims;
  served(cadastre_context_get_default_queue(context, &queue), "and read");
  claim(queue == CADASTRE_DEFAULT_QUEUE, "the same");
  blocks_of(context);
  claim(cadastre_get_backend_nanoseconds() >= 0, "time in backends");
  workspaces_of(context);
  FILE* const file = tmpfile();
  served(cadastre_report(context, file, CADASTRE_REPORT_TEXT), "a report is written");
  claim(ftell(file) > 0, "and has text");
  fclose(file);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 10;
  info.label = "left";
  claim(cadastre_malloc(context, info) != NULL, "a block is left");
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  served(cadastre_context_destroy_with_summary(context, &summary), "a context is destroyed");
  claim(summary.live_blocks == 1 && summary.live_bytes == 10 && summary.borrowed_blocks == 0 && summary.live_leases == 0 &&
            summary.failed_deallocations == 0 && summary.largest_label_bytes == 10 && strcmp(summary.largest_label, "left") == 0,
        "and tells of it");
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.parent = CADASTRE_PROCESS;
  const cadastre_context parent = cadastre_context_create_with_options(&options);
  options.parent = parent;
  const cadastre_context child = cadastre_context_create_with_options(&options);
  claim(cadastre_malloc(child, info) != NULL, "a block of a child");
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  served(cadastre_get_statistics(parent, CADASTRE_HOST, &figures), "the statistics of a parent are read");
  claim(figures.live_blocks == 1 && figures.live_bytes == 10, "and count the block of its child");
  summary = cadastre_destroy_summary_struct_zero;
  served(cadastre_context_destroy_with_children(parent, &summary), "a context and its children are destroyed");
  claim(summary.live_blocks == 1 && cadastre_context_check(child) == CADASTRE_NULL_CONTEXT, "all of them");
  printf("1..%d\n", claims);
  return failed != 0;
}
