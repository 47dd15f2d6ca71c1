/* A program of the time of version 0.2: it uses once what that version has and 0.1 has not. README says what it is kept for. It is
 * compiled with the headers in include_0.2, and runs with the library of today. */
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

static void names(void) {
  claim(strcmp(cadastre_string_of_backend(CADASTRE_BACKEND_HIP), "hip") == 0, "a backend");
  claim(strcmp(cadastre_string_of_reason(CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER), "CALLED_FROM_SIGNAL_HANDLER") == 0 &&
            strcmp(cadastre_string_of_reason(CADASTRE_REASON_DAMAGED_RECORDS), "DAMAGED_RECORDS") == 0 &&
            strcmp(cadastre_string_of_reason(CADASTRE_REASON_EXPORT_ENDED), "EXPORT_ENDED") == 0 &&
            strcmp(cadastre_string_of_reason(CADASTRE_REASON_EXPORT_NOT_SUPPORTED), "EXPORT_NOT_SUPPORTED") == 0 &&
            strcmp(cadastre_string_of_reason(CADASTRE_REASON_HEAP_IN_USE), "HEAP_IN_USE") == 0 &&
            strcmp(cadastre_string_of_reason(CADASTRE_REASON_HOST_MEMORY_UNAVAILABLE), "HOST_MEMORY_UNAVAILABLE") == 0 &&
            strcmp(cadastre_string_of_reason(CADASTRE_REASON_IMPORTED), "IMPORTED") == 0 &&
            strcmp(cadastre_string_of_reason(CADASTRE_REASON_INJECTED), "INJECTED") == 0 &&
            strcmp(cadastre_string_of_reason(CADASTRE_REASON_INVALID_IPC_HANDLE), "INVALID_IPC_HANDLE") == 0 &&
            strcmp(cadastre_string_of_reason(CADASTRE_REASON_NOT_EXPORTABLE), "NOT_EXPORTABLE") == 0 &&
            strcmp(cadastre_string_of_reason(CADASTRE_REASON_NOT_IMPORTED), "NOT_IMPORTED") == 0 &&
            strcmp(cadastre_string_of_reason(CADASTRE_REASON_NOT_SHARED), "NOT_SHARED") == 0,
        "reasons");
}

static void host_memory(void) {
  const char* const wanted = "kept_pages";
  cadastre_host_resource_struct pages = cadastre_host_resource_struct_zero;
  pages.page_size = 4096;
  pages.flags = 0;
  pages.numa_policy = CADASTRE_NUMA_DEFAULT;
  pages.nodes = NULL;
  pages.near_device = NULL;
  const cadastre_backend resource = cadastre_backend_register_host(wanted, &pages);
  claim(resource > 0 && strcmp(cadastre_string_of_backend(resource), wanted) == 0, "pages of the host are registered");
  const cadastre_context context = cadastre_context_create();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 10000;
  info.backend = resource;
  char* const block = cadastre_malloc(context, info);
  claim(block && block[9999] == 0, "and given out");
  cadastre_host_resource_info_struct told = cadastre_host_resource_info_struct_zero;
  served(cadastre_backend_get_host_info(resource, &told), "what is given out is told");
  claim(told.struct_size == sizeof told && told.backend == resource && told.numa_policy == CADASTRE_NUMA_DEFAULT && told.page_size == 4096 &&
            told.live_blocks == 1 && told.live_bytes == 10000 && told.mapped_bytes >= 12288 && told.fallback_bytes == 0 &&
            told.fallback_count == 0 && told.description && told.fallback_message[0] == '\0',
        "as it is");
  served(cadastre_context_destroy(context), "a context with such pages is destroyed");
  pages.flags = CADASTRE_HOST_SHARED | CADASTRE_HOST_STRICT | CADASTRE_HOST_LOCKED;
  pages.page_size = CADASTRE_TRANSPARENT_HUGE_PAGES;
  pages.nodes = "here";
  const cadastre_numa_policy policies[] = {CADASTRE_NUMA_BIND, CADASTRE_NUMA_INTERLEAVE, CADASTRE_NUMA_FIRST_TOUCH, CADASTRE_NUMA_NEAR_DEVICE};
  for (int i = 0; i < 4; ++i) {
    pages.numa_policy = policies[i];
    claim(cadastre_backend_register_host("refused", &pages) == -1, "nodes that are none are refused");
  }
}

static void plain_blocks(cadastre_context context) {
  char* const block = cadastre_malloc_plain(context, 1000, 64, CADASTRE_UNINITIALIZED, "plain");
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  served(cadastre_get_malloc_info(context, block, &info), "a block of a request in registers is known");
  claim(info.size == 1000 && info.alignment >= 64 && (info.flags & CADASTRE_UNINITIALIZED) && strcmp(info.label, "plain") == 0 &&
            (info.flags & (CADASTRE_EXPORTABLE | CADASTRE_SHARED_SEGMENT | CADASTRE_IMPORTED | CADASTRE_ATTACHED)) == 0,
        "as it was requested");
  cadastre_registry_info_struct registry = cadastre_registry_info_struct_zero;
  served(cadastre_get_registry_info(context, &registry), "the registry is told");
  claim(registry.struct_size == sizeof registry && registry.entries >= 1 && registry.capacity >= registry.entries && registry.doublings >= 0 &&
            registry.live_records == 1,
        "with one block");
  served(cadastre_free(context, block), "it is freed");
  cadastre_statistics_struct all = cadastre_statistics_struct_zero;
  served(cadastre_get_statistics(context, CADASTRE_ALL_MEMORY_TYPES, &all), "the statistics of all memory types");
  claim(all.allocations == 1 && all.live_blocks == 0, "count it");
}

static void of_a_queue(cadastre_context context) {
  claim(cadastre_workspace_release_captured(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE) != CADASTRE_INVALID_CONTEXT,
        "what graphs of a queue had is released");
}

static int calls = 0;
static int tried_twice(const cadastre_out_of_memory_struct* request, void* user_data) {
  ++calls;
  const cadastre_out_of_memory_struct none = cadastre_out_of_memory_struct_zero;
  claim(none.struct_size == sizeof none && none.size == 0, "a request of nothing");
  claim(request->struct_size >= sizeof *request && request->context == *(cadastre_context*)user_data && request->type == CADASTRE_HOST &&
            request->backend == -1 && request->device_id == -1 && request->size == 5000 && strcmp(request->label, "large") == 0 &&
            request->retries == calls - 1,
        "a callback is told of the request");
  return calls < 2;
}
static void refusals(cadastre_context context) {
  cadastre_context above = context;
  served(cadastre_set_limit(context, CADASTRE_HOST, 2000), "a limit");
  served(cadastre_set_out_of_memory_function(context, tried_twice, &above), "and who is asked before it refuses");
  claim(cadastre_malloc_plain(context, 5000, 0, 0, "large") == NULL && calls == 2, "twice");
  served(cadastre_set_out_of_memory_function(context, NULL, NULL), "and nobody any more");
}

static void other_processes(cadastre_context context) {
  void* const block = cadastre_malloc_plain(context, 100, 0, 0, "mine");
  void* other = NULL;
  cadastre_ipc_handle_struct handle;
  memset(&handle, 0, sizeof handle);
  claim(sizeof handle.bytes == 256, "a handle");
  claim(cadastre_ipc_export(context, block, &handle) != CADASTRE_SUCCESS, "memory of the host is not exported");
  claim(cadastre_ipc_import(context, &handle, &other) == CADASTRE_INVALID_ARG_2 && !other, "what is no handle is not imported");
  claim(cadastre_ipc_close(context, block) == CADASTRE_INVALID_ARG_2, "nor closed what was not");
}

int main(void) {
  setenv("CADASTRE_BACKEND", "host", 1);
  names();
  host_memory();
  cadastre_context context = cadastre_context_create();
  plain_blocks(context);
  of_a_queue(context);
  served(cadastre_context_destroy(context), "a context is destroyed");
  context = cadastre_context_create();
  served(cadastre_context_set_plain_free(context, 1), "blocks of a new one are the C library's");
  refusals(context);
  other_processes(context);
  served(cadastre_context_destroy(context), "so is another");
  printf("1..%d\n", claims);
  return failed != 0;
}
