/* Tangled from org/tests/optional_both_ways.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cadastre_optional.h"

static cadastre_context context;

/* The result of a call, and what the last error says. */
static void show_failure(const char* call, cadastre_context of) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(of, &error);
  printf("%s: %s %s, argument %d, %zu, %zu, %zu, type %d, %s\n  %s\n", call, cadastre_string_of_error(error.exit_code),
         cadastre_string_of_reason(error.reason), error.argument, error.requested, error.limit, error.required,
         error.reason == CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED ? error.type : 0, error.function, error.message);
}

static void show(const char* call, cadastre_exit_code code, cadastre_context of) {
  if (code == CADASTRE_SUCCESS) {
    printf("%s: success\n", call);
  } else {
    printf("%d ", (int)code);
    show_failure(call, of);
  }
}

#define SHOW(call) show(#call, call, context)

static void show_pointer(const char* call, void* pointer, size_t size, size_t alignment, int zeroed) {
  size_t i, sum = 0;
  if (!pointer) {
    show_failure(call, context);
    return;
  }
  for (i = 0; zeroed && i < size; ++i) sum += ((unsigned char*)pointer)[i];
  memset(pointer, 1, size);
  printf("%s: %zu bytes, sum %zu, %s\n", call, size, sum,
         (uintptr_t)pointer % (alignment ? alignment : 16) == 0 ? "aligned" : "MISALIGNED");
}

static void* request(size_t size, size_t alignment, cadastre_flags flags) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.alignment = alignment;
  info.flags = flags;
  info.label = "a label";
  return cadastre_malloc(context, info);
}

static void refused(const char* what, cadastre_memory_info_struct info) {
  if (cadastre_malloc(context, info)) printf("NOT REFUSED: ");
  show_failure(what, context);
}

static void allocate(void) {
  const cadastre_memory_info_struct zero = cadastre_memory_info_struct_zero;
  static const size_t sizes[] = {0, 1, 100, 4096, 100000, 3000000};
  static char label[300];
  cadastre_memory_info_struct info = zero;
  size_t i, alignment;
  void* a = request(0, 0, 0);
  void* b = request(0, 0, 0);
  printf("blocks of 0 bytes: %s\n", a && b && a != b ? "distinct" : "NOT DISTINCT");
  SHOW(cadastre_free(context, a));
  SHOW(cadastre_free(context, b));
  for (i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    for (alignment = 0; alignment <= 65536; alignment = alignment ? 4 * alignment : 1) {
      void* const zeroed = request(sizes[i], alignment, 0);
      void* const other = request(sizes[i], alignment, CADASTRE_UNINITIALIZED);
      show_pointer("zeroed", zeroed, sizes[i], alignment, 1);
      show_pointer("uninitialized", other, sizes[i], alignment, 0);
      SHOW(cadastre_free(context, zeroed));
      SHOW(cadastre_free(context, other));
    }
  }
  info.size = (size_t)-1;
  refused("too large", info);
  info.size = (size_t)PTRDIFF_MAX + 1;
  refused("one byte too large", info);
  info = zero;
  info.alignment = 24;
  refused("alignment", info);
  info.alignment = (size_t)1 << 40;
  refused("large alignment", info);
  info = zero;
  info.type = 4;
  refused("memory type", info);
  info.type = -1;
  refused("negative memory type", info);
  info = zero;
  info.flags = 256;
  refused("flags", info);
  info.flags = CADASTRE_BORROWED;
  refused("a flag of results", info);
  info = zero;
  info.backend = -3;
  refused("backend", info);
  info = zero;
  info.reserved[2] = 7;
  refused("reserved", info);
  info = zero;
  info.label = label;
  memset(label, 'x', 256);
  refused("label", info);
  label[255] = '\0';
  printf("a label of 255 characters: %s\n", cadastre_malloc(context, info) ? "accepted" : "REFUSED");
  info.backend = CADASTRE_BACKEND_HOST;
  info.device = CADASTRE_DEVICE_BY_ID(3);
  printf("HOST memory of any device: %s\n", cadastre_malloc(context, info) ? "accepted" : "REFUSED");
}

static void resize(void) {
  static const size_t sizes[] = {10, 100, 0, 1000, 300000, 20, 5000000, 7};
  size_t i, k, alignment;
  char* p;
  void* scratch;
  size_t size = 100;
  cadastre_lease lease;
  const cadastre_context other = cadastre_context_create();
  for (alignment = 0; alignment <= 4096; alignment = alignment ? 16 * alignment : 1) {
    p = (char*)request(0, alignment, 0);
    for (i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
      const size_t before = i ? sizes[i - 1] : 0;
      size_t wrong = 0;
      p = (char*)cadastre_realloc(context, p, sizes[i]);
      for (k = 0; k < sizes[i]; ++k) wrong += (size_t)(p[k] != (k < before ? 5 : 0));
      memset(p, 5, sizes[i]);
      printf("to %zu bytes: %zu wrong, %s\n", sizes[i], wrong, (uintptr_t)p % (alignment ? alignment : 1) == 0 ? "aligned" : "MISALIGNED");
    }
    if (cadastre_realloc(context, p, (size_t)-1)) printf("NOT REFUSED: ");
    show_failure("realloc, too large", context);
    printf("what was there: %d\n", p[6]);
    SHOW(cadastre_free(other, p) == CADASTRE_INVALID_ARG_2 ? CADASTRE_SUCCESS : CADASTRE_FAILURE);
    show_failure("free of another context's", other);
    if (cadastre_realloc(other, p, 8)) printf("NOT REFUSED: ");
    show_failure("realloc of another context's", other);
    SHOW(cadastre_free(context, p));
  }
  SHOW(cadastre_free(context, NULL));
  if (cadastre_realloc(context, NULL, 8)) printf("NOT REFUSED: ");
  show_failure("realloc of NULL", context);
  SHOW(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &size, &scratch, &lease));
  printf("free of a lease: %d\n", (int)cadastre_free(context, scratch));
  SHOW(cadastre_workspace_release(context, lease));
  for (i = 0; i < 1000; ++i) request(i, 0, 0);
  SHOW(cadastre_free_all(context));
  SHOW(cadastre_free_all(context));
  SHOW(cadastre_context_destroy(other));
}

static void copy(void) {
  static const char text[] = "a text of 24 characters.";
  char here[32] = {0};
  char* const p = (char*)request(1000, 0, 0);
  SHOW(cadastre_memcpy(context, p, text, 25));
  SHOW(cadastre_memcpy(context, here, p, 25));
  printf("%s\n", here);
  SHOW(cadastre_memcpy(context, p, p, 25));
  SHOW(cadastre_memcpy(context, p + 25, p, 25));
  SHOW(cadastre_memcpy(context, p + 24, p, 25));
  SHOW(cadastre_memcpy(context, p, p + 24, 25));
  SHOW(cadastre_memcpy(context, NULL, p, 25));
  SHOW(cadastre_memcpy(context, p, NULL, 25));
  SHOW(cadastre_memcpy(context, NULL, NULL, 0));
  SHOW(cadastre_memcpy(context, here, text, (size_t)-1));
  SHOW(cadastre_memset(context, p, 'x', 3));
  SHOW(cadastre_memset(context, p, 'x' + 256, 4));
  printf("%s\n", p);
  SHOW(cadastre_memset(context, NULL, 0, 3));
  SHOW(cadastre_memset(context, NULL, 0, 0));
  SHOW(cadastre_memset(context, here, 0, (size_t)-1));
  SHOW(cadastre_free(context, p));
}

static void acquire(void) {
  size_t sizes[3] = {100, 0, 1000000}, huge = (size_t)-1;
  void* pointers[3];
  cadastre_lease lease, none;
  SHOW(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 3, sizes, pointers, &lease));
  show_pointer("first", pointers[0], sizes[0], 64, 0);
  printf("no bytes: %s\n", pointers[1] ? "NOT NULL" : "NULL");
  show_pointer("third", pointers[2], sizes[2], 64, 0);
  SHOW(cadastre_workspace_release(context, lease));
  SHOW(cadastre_workspace_release(context, lease));
  SHOW(cadastre_workspace_release(context, CADASTRE_NULL_LEASE));
  SHOW(cadastre_workspace_release(context, -5));
  SHOW(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 0, NULL, NULL, &none));
  SHOW(cadastre_workspace_release(context, none));
  SHOW(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, NULL, pointers, &lease));
  SHOW(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, sizes, NULL, &lease));
  SHOW(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, sizes, pointers, NULL));
  SHOW(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &huge, pointers, &lease));
  SHOW(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &huge, pointers, &lease));
  SHOW(cadastre_workspace_acquire_on_queue(context, 4, CADASTRE_DEFAULT_QUEUE, 1, sizes, pointers, &lease));
  printf("size query: %d\n", (int)cadastre_workspace_is_size_query(context));
}

static cadastre_context below(cadastre_context parent) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.parent = parent;
  return cadastre_context_create_with_options(&options);
}

static void* get(cadastre_context of, size_t size, cadastre_flags flags, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.stride = size / 10;
  info.flags = flags;
  info.label = label;
  return cadastre_malloc(of, info);
}

static cadastre_exit_code show_info(const cadastre_memory_info_struct* info, void* origin) {
  printf("  %zu bytes at %s, type %d, %s, stride %zu, flags %d, backend %d, label %s, device %d %d, reserved %d\n", info->size,
         origin && info->pointer != origin ? "ANOTHER ADDRESS" : "its address", (int)info->type,
         info->alignment >= 16 && (uintptr_t)info->pointer % info->alignment == 0 ? "aligned" : "MISALIGNED", info->stride,
         (int)info->flags, (int)info->backend, info->label ? info->label : "(none)", (int)info->device, (int)info->device_id,
         (int)info->reserved[8]);
  return info->size == 3000 ? CADASTRE_ERRNO : CADASTRE_SUCCESS;
}

static void show_statistics(cadastre_context of, cadastre_memory_type type) {
  static cadastre_statistics_struct process; /* what the process had when it was first shown */
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  const cadastre_exit_code code = cadastre_get_statistics(of, type, &s);
  if (of == CADASTRE_PROCESS && process.struct_size == 0) process = s;
  if (of == CADASTRE_PROCESS) {
    s.allocations -= process.allocations;
    s.deallocations -= process.deallocations;
    s.reallocations -= process.reallocations;
    s.failed_allocations -= process.failed_allocations;
    s.failed_deallocations -= process.failed_deallocations;
    s.untracked_deallocations -= process.untracked_deallocations;
    s.live_blocks -= process.live_blocks;
    s.borrowed_blocks -= process.borrowed_blocks;
    s.high_water_mark_blocks = 0;
    s.live_bytes -= process.live_bytes;
    s.high_water_mark_bytes = 0;
    s.total_bytes -= process.total_bytes;
    s.zeroed_bytes -= process.zeroed_bytes;
  }
  printf("statistics %d:", (int)code);
  printf(" allocations %lld", (long long)s.allocations);
  printf(" deallocations %lld", (long long)s.deallocations);
  printf(" reallocations %lld", (long long)s.reallocations);
  printf(" failed_allocations %lld", (long long)s.failed_allocations);
  printf(" failed_deallocations %lld", (long long)s.failed_deallocations);
  printf(" untracked_deallocations %lld", (long long)s.untracked_deallocations);
  printf(" live_blocks %lld", (long long)s.live_blocks);
  printf(" borrowed_blocks %lld", (long long)s.borrowed_blocks);
  printf(" high_water_mark_blocks %lld", (long long)s.high_water_mark_blocks);
  printf(" live_bytes %lld", (long long)s.live_bytes);
  printf(" high_water_mark_bytes %lld", (long long)s.high_water_mark_bytes);
  printf(" total_bytes %lld", (long long)s.total_bytes);
  printf(" zeroed_bytes %lld", (long long)s.zeroed_bytes);
  printf(" limit %lld", (long long)s.limit);
  printf("\n");
}

static void look_up(void) {
  const cadastre_context kept = context, parent = below(CADASTRE_PROCESS);
  static char before[100];
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  size_t offset = 0, size = 0;
  char* first;
  char* p;
  context = below(parent);
  show_statistics(CADASTRE_PROCESS, CADASTRE_HOST);
  SHOW(cadastre_reset_high_water_mark(parent, CADASTRE_HOST));
  SHOW(cadastre_reset_high_water_mark(CADASTRE_PROCESS, CADASTRE_DEVICE));
  SHOW(cadastre_reset_high_water_mark(context, 4));
  SHOW(cadastre_set_out_of_memory_function(context, NULL, NULL));
  SHOW(cadastre_set_out_of_memory_function(CADASTRE_PROCESS, NULL, NULL));
  show("cadastre_set_out_of_memory_function(77)", cadastre_set_out_of_memory_function(77, NULL, NULL), 77);
  first = (char*)get(context, 1000, 0, "first\033[2J");
  SHOW(cadastre_get_malloc_info(context, first, &info));
  show_info(&info, first);
  p = (char*)get(context, 0, 0, NULL);
  SHOW(cadastre_get_malloc_info(context, p, &info));
  show_info(&info, p);
  SHOW(cadastre_free(context, p));
  p = (char*)get(context, 5, CADASTRE_UNINITIALIZED, "");
  p = (char*)cadastre_realloc(context, p, 2000);
  SHOW(cadastre_get_malloc_info(context, p, &info));
  show_info(&info, p);
  info = cadastre_memory_info_struct_zero;
  info.size = 200;
  info.alignment = 4096;
  info.stride = 8;
  info.label = "aligned";
  info.pointer = cadastre_realloc(context, cadastre_malloc(context, info), 9);
  SHOW(cadastre_get_malloc_info(context, info.pointer, &info));
  show_info(&info, info.pointer);
  printf("%d\n", get(context, 3000, 0, cadastre_label("third")) && get(context, 4000, 0, "fourth"));
  p = (char*)cadastre_realloc(context, p, 500);
  SHOW(cadastre_get_allocated_size(context, p, &size));
  printf("%zu bytes\n", size);
  SHOW(cadastre_find_block(context, p, &info, &offset));
  show_info(&info, p);
  SHOW(cadastre_find_block(context, first + 999, &info, &offset));
  show_info(&info, first);
  printf("offset %zu\n", offset);
  SHOW(cadastre_find_block(context, first, NULL, NULL));
  SHOW(cadastre_find_block(context, before, &info, &offset));
  SHOW(cadastre_find_block(context, NULL, &info, &offset));
  SHOW(cadastre_find_block(parent, first, &info, &offset) == CADASTRE_INVALID_ARG_2 ? CADASTRE_SUCCESS : CADASTRE_FAILURE);
  SHOW(cadastre_get_malloc_info(context, first + 30, &info));
  SHOW(cadastre_get_malloc_info(context, before, &info));
  SHOW(cadastre_get_malloc_info(context, NULL, NULL));
  SHOW(cadastre_get_malloc_info(context, first, NULL));
  SHOW(cadastre_get_allocated_size(context, first, NULL));
  SHOW(cadastre_get_allocated_size(context, first + 1, &size));
  SHOW(cadastre_prefetch(context, first, 1000, CADASTRE_HOST_DEVICE, CADASTRE_DEFAULT_QUEUE, NULL));
  SHOW(cadastre_prefetch(context, first + 10, 991, CADASTRE_DEFAULT_DEVICE, CADASTRE_DEFAULT_QUEUE, NULL));
  SHOW(cadastre_prefetch(context, before, 10, CADASTRE_DEFAULT_DEVICE, CADASTRE_DEFAULT_QUEUE, NULL));
  SHOW(cadastre_prefetch(context, NULL, 0, CADASTRE_DEFAULT_DEVICE, CADASTRE_DEFAULT_QUEUE, NULL));
  SHOW(cadastre_advise(context, first, 8, CADASTRE_ADVICE_READ_MOSTLY, CADASTRE_DEFAULT_DEVICE, NULL));
  SHOW(cadastre_advise(context, first, 8, 7, CADASTRE_DEFAULT_DEVICE, NULL));
  SHOW(cadastre_advise(context, first, 0, 0, CADASTRE_DEFAULT_DEVICE, NULL));
  SHOW(cadastre_advise(context, NULL, 8, CADASTRE_ADVICE_ACCESSED_BY, CADASTRE_DEFAULT_DEVICE, NULL));
  SHOW(cadastre_foreach_block(context, NULL, NULL));
  printf("all: %d\n", (int)cadastre_foreach_block(context, show_info, NULL));
  printf("none: %d\n", (int)cadastre_foreach_block(parent, show_info, NULL));
  printf("failures: %d\n", get(context, (size_t)-1, 0, NULL) || cadastre_realloc(context, first, (size_t)-1));
  show_statistics(context, CADASTRE_HOST);
  show_statistics(parent, CADASTRE_HOST);
  show_statistics(parent, CADASTRE_UVM);
  show_statistics(CADASTRE_PROCESS, CADASTRE_HOST);
  printf("%d\n", get(parent, 7, 0, NULL) != NULL);
  SHOW(cadastre_free_all(context));
  show_statistics(context, CADASTRE_HOST);
  SHOW(cadastre_reset_high_water_mark(context, CADASTRE_HOST));
  show_statistics(context, CADASTRE_HOST);
  printf("%d\n", get(context, 100, 0, NULL) != NULL);
  SHOW(cadastre_context_destroy(context));
  show_statistics(parent, CADASTRE_HOST);
  show_statistics(CADASTRE_PROCESS, CADASTRE_HOST);
  context = parent;
  SHOW(cadastre_get_statistics(context, -1, &statistics));
  SHOW(cadastre_get_statistics(context, CADASTRE_HOST, NULL));
  statistics.struct_size = 1;
  SHOW(cadastre_get_statistics(context, CADASTRE_PINNED, &statistics));
  SHOW(cadastre_context_destroy(context));
  show_statistics(CADASTRE_PROCESS, CADASTRE_HOST);
  context = kept;
}

static void show_summary(const cadastre_destroy_summary_struct* s) {
  printf("%d blocks, %zu bytes, %d borrowed, %d failed, %d leases, %zu bytes of \"%s\"\n", (int)s->live_blocks, s->live_bytes,
         (int)s->borrowed_blocks, (int)s->failed_deallocations, (int)s->live_leases, s->largest_label_bytes, s->largest_label);
}

static void show_options(cadastre_context of, cadastre_context parent) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.parent = 5;
  show("options", cadastre_context_get_options(of, &options), of);
  printf("backend %d, device %d, pool %d, reserved %d, limits %d %d %d, %s\n", (int)options.backend, (int)options.device, (int)options.pool,
         (int)options.reserved, options.limits[CADASTRE_HOST] == CADASTRE_UNLIMITED, options.limits[CADASTRE_UVM] == CADASTRE_UNLIMITED,
         options.limits[CADASTRE_MEMORY_TYPE_COUNT] == 0, options.parent == parent ? "its parent" : "ANOTHER PARENT");
}

static void no_parent(const char* what, cadastre_context parent) {
  if (below(parent) != CADASTRE_NULL_CONTEXT) printf("NOT REFUSED: ");
  show_failure(what, CADASTRE_NULL_CONTEXT);
}

static void destroy(void) {
  const cadastre_context kept = context, old = below(CADASTRE_NULL_CONTEXT), middle = below(old), young = below(middle);
  const cadastre_context sibling = below(old), apart = below(CADASTRE_PROCESS);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  size_t size = 100;
  void* scratch;
  cadastre_lease lease;
  show_options(old, CADASTRE_PROCESS);
  show_options(young, middle);
  SHOW(cadastre_context_get_options(context, NULL));
  printf("%d\n", get(young, 60, 0, "grid") && get(young, 40, 0, "grid") && get(young, 20, 0, NULL) && get(old, 60, 0, "mesh") &&
                     get(sibling, 90, 0, NULL));
  printf("%d\n", get(apart, 30, 0, "mesh") && get(apart, 20, 0, "grid") && get(apart, 25, 0, "grid") && get(apart, 50, 0, NULL));
  context = old;
  SHOW(cadastre_context_destroy(context));
  SHOW(cadastre_context_destroy_with_summary(context, &summary));
  context = middle;
  SHOW(cadastre_context_destroy_with_summary(context, NULL));
  printf("%d\n", get(middle, 1, 0, NULL) != NULL);
  summary.struct_size = 8;
  SHOW(cadastre_context_destroy_with_children(context, &summary));
  summary = cadastre_destroy_summary_struct_zero;
  printf("%d\n", cadastre_workspace_acquire_on_queue(apart, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &size, &scratch, &lease));
  SHOW(cadastre_context_destroy_with_summary(apart, &summary));
  show_summary(&summary);
  context = apart;
  SHOW(cadastre_context_destroy_with_summary(context, &summary));
  show_summary(&summary);
  SHOW(cadastre_context_destroy_with_children(old, &summary));
  show_summary(&summary);
  printf("%d %d %d\n", cadastre_context_check(young) == 0, cadastre_context_check(sibling) == 0, cadastre_context_check(old) == 0);
  context = old;
  SHOW(cadastre_context_destroy_with_children(context, &summary));
  context = CADASTRE_PROCESS;
  SHOW(cadastre_context_destroy_with_children(context, NULL));
  SHOW(cadastre_context_get_options(context, NULL));
  context = below(kept);
  SHOW(cadastre_context_destroy_with_children(context, NULL));
  no_parent("a parent that was destroyed", old);
  no_parent("a parent that is none", 12345);
  no_parent("another", -2);
  context = kept;
}

static void ask_for_nothing(void) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  cadastre_pool_info_struct pool = cadastre_pool_info_struct_zero;
  cadastre_queue queue = &pool;
  int32_t applied = 7;
  char bytes[8] = "abcdefg";
  size_t size = 100;
  void* scratch;
  char* p;
  cadastre_lease lease;
  SHOW(cadastre_set_limit(context, CADASTRE_HOST, CADASTRE_UNLIMITED));
  SHOW(cadastre_set_limit(context, CADASTRE_DEVICE, 0));
  SHOW(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, 0));
  SHOW(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_UVM, CADASTRE_UNLIMITED));
  SHOW(cadastre_set_limit(context, 4, 0));
  SHOW(cadastre_set_limit(context, CADASTRE_ALL_MEMORY_TYPES, CADASTRE_UNLIMITED));
  SHOW(cadastre_set_limit(context, CADASTRE_ALL_MEMORY_TYPES + 1, 0));
  SHOW(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, CADASTRE_WORKSPACE_AUTOMATIC));
  SHOW(cadastre_workspace_set_size(context, CADASTRE_HOST, 0));
  SHOW(cadastre_workspace_set_size(context, CADASTRE_DEVICE, CADASTRE_WORKSPACE_AUTOMATIC));
  SHOW(cadastre_workspace_set_size(context, CADASTRE_HOST, CADASTRE_WORKSPACE_STREAM_ORDERED));
  SHOW(cadastre_workspace_set_size(context, CADASTRE_HOST, CADASTRE_WORKSPACE_PER_LEASE));
  SHOW(cadastre_workspace_set_size(context, 4, 0));
  SHOW(cadastre_workspace_set_buffer(context, CADASTRE_HOST, NULL, 0));
  SHOW(cadastre_workspace_set_buffer(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, NULL, 0));
  SHOW(cadastre_workspace_set_buffer(context, CADASTRE_HOST, NULL, 64));
  SHOW(cadastre_workspace_set_buffer(context, 4, NULL, 0));
  SHOW(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &size, &scratch, &lease));
  SHOW(cadastre_get_malloc_info(context, scratch, &info));
  printf("flags %d, label %s\n", (int)info.flags, info.label);
  SHOW(cadastre_find_block(context, (char*)scratch + 99, NULL, &size));
  SHOW(cadastre_workspace_set_size(context, CADASTRE_HOST, CADASTRE_WORKSPACE_AUTOMATIC));
  SHOW(cadastre_workspace_set_size(context, CADASTRE_DEVICE, CADASTRE_WORKSPACE_AUTOMATIC));
  SHOW(cadastre_workspace_release(context, lease));
  SHOW(cadastre_get_malloc_info(context, scratch, &info) == CADASTRE_INVALID_ARG_2 ? CADASTRE_SUCCESS : CADASTRE_FAILURE);
  SHOW(cadastre_context_set_default_queue(context, CADASTRE_DEFAULT_QUEUE));
  SHOW(cadastre_context_get_default_queue(context, &queue));
  printf("queue: %d\n", queue == CADASTRE_DEFAULT_QUEUE);
  SHOW(cadastre_context_get_default_queue(context, NULL));
  SHOW(cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE));
  SHOW(cadastre_context_set_timing(context, 0));
  SHOW(cadastre_context_set_plain_free(context, 0));
  SHOW(cadastre_pool_trim(context, CADASTRE_HOST, 0));
  SHOW(cadastre_pool_trim(CADASTRE_PROCESS, CADASTRE_DEVICE, 100));
  SHOW(cadastre_pool_trim(context, -1, 0));
  SHOW(cadastre_pool_get_info(context, CADASTRE_HOST, &pool));
  printf("pool: %d, %d, %zu, %zu\n", (int)pool.pool, (int)pool.pool_count, pool.reserved_bytes, pool.releasable_bytes);
  SHOW(cadastre_pool_get_info(context, CADASTRE_UVM, NULL));
  SHOW(cadastre_pool_get_info(context, 4, &pool));
  info = cadastre_memory_info_struct_zero;
  info.size = 8;
  p = (char*)cadastre_malloc_async(context, info, CADASTRE_DEFAULT_QUEUE);
  SHOW(cadastre_memset_async(context, p, 'x', 8, CADASTRE_DEFAULT_QUEUE));
  SHOW(cadastre_memcpy_async(context, p, bytes, 4, CADASTRE_DEFAULT_QUEUE));
  printf("%.8s\n", p);
  SHOW(cadastre_memcpy_async(context, p, p + 1, 4, CADASTRE_DEFAULT_QUEUE));
  SHOW(cadastre_memset_async(context, NULL, 'x', 8, CADASTRE_DEFAULT_QUEUE));
  SHOW(cadastre_prefetch(context, p, 8, CADASTRE_DEVICE_BY_ID(0), CADASTRE_DEFAULT_QUEUE, &applied));
  printf("applied: %d\n", (int)applied);
  applied = 7;
  SHOW(cadastre_advise(context, p, 8, CADASTRE_ADVICE_ACCESSED_BY, CADASTRE_DEVICE_BY_ID(0), &applied));
  printf("applied: %d\n", (int)applied);
  SHOW(cadastre_free_async(context, p, CADASTRE_DEFAULT_QUEUE));
  SHOW(cadastre_free_async(context, NULL, CADASTRE_DEFAULT_QUEUE));
  info.flags = 256;
  if (cadastre_malloc_async(context, info, CADASTRE_DEFAULT_QUEUE)) printf("NOT REFUSED: ");
  show_failure("malloc_async", context);
  options.pool = CADASTRE_POOL_VENDOR;
  options.limits[CADASTRE_DEVICE] = CADASTRE_UNLIMITED;
  {
    const cadastre_context vendor = cadastre_context_create_with_options(&options);
    printf("%d\n", cadastre_context_get_options(vendor, &options));
    printf("pool: %d\n", (int)options.pool);
    printf("%d\n", cadastre_pool_get_info(vendor, CADASTRE_HOST, &pool));
    printf("pool: %d\n", (int)pool.pool);
    printf("%d\n", cadastre_context_get_options(below(vendor), &options));
    printf("pool of a child: %d\n", (int)options.pool);
    printf("%d\n", cadastre_context_destroy_with_children(vendor, NULL));
  }
}

static void words(void) {
  static const int32_t numbers[] = {-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 20, 21, 100, 101, 109, 110, 200, 201, 210, 211, 1000};
  const char* label;
  size_t i;
  for (i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    const int32_t n = numbers[i];
    printf("%d: %s, %s, %s, %s, %s, %s, %s, %s\n", (int)n, cadastre_string_of_error(n), cadastre_string_of_reason(n),
           cadastre_string_of_memory_type(n), cadastre_string_of_backend(n), cadastre_string_of_pool(n),
           cadastre_string_of_workspace_scheme(n), cadastre_string_of_advice(n), cadastre_string_of_report_format(n));
  }
  label = cadastre_label("density");
  printf("%s, %s\n", label, label == cadastre_label("density") ? "once" : "TWICE");
  printf("%s\n", label == cadastre_label("energy") ? "THE SAME" : "another");
  if (cadastre_label(NULL)) printf("NOT REFUSED: ");
  show_failure("label", CADASTRE_NULL_CONTEXT);
}

static void refused_options(const char* what, cadastre_context_options_struct options) {
  if (cadastre_context_create_with_options(&options) != CADASTRE_NULL_CONTEXT) printf("NOT REFUSED: ");
  show_failure(what, CADASTRE_NULL_CONTEXT);
}

static void contexts(void) {
  const cadastre_context_options_struct zero = cadastre_context_options_struct_zero;
  cadastre_context_options_struct options = zero;
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  const cadastre_context second = cadastre_context_create_with_options(&options);
  printf("%d %d\n", second != CADASTRE_NULL_CONTEXT, second != context);
  printf("%d %d\n", cadastre_context_check(second) == second, cadastre_context_check(second + 1) == CADASTRE_NULL_CONTEXT);
  SHOW(cadastre_lock(context));
  SHOW(cadastre_lock(context));
  printf("locked: %d\n", request(10, 0, 0) != NULL);
  SHOW(cadastre_unlock(context));
  SHOW(cadastre_unlock(context));
  SHOW(cadastre_unlock(context));
  SHOW(cadastre_lock(context));
  SHOW(cadastre_last_error(context, NULL));
  error.struct_size = 8;
  SHOW(cadastre_last_error(context, &error));
  summary.struct_size = 8;
  SHOW(cadastre_context_destroy_with_summary(context, &summary));
  options.struct_size = 12;
  refused_options("struct_size", options);
  options = zero;
  options.backend = -4;
  refused_options("backend", options);
  options = zero;
  options.pool = 9;
  refused_options("pool", options);
  options = zero;
  options.reserved = 4;
  refused_options("reserved", options);
  if (cadastre_context_create_with_options(NULL)) printf("NOT REFUSED: ");
  show_failure("NULL", CADASTRE_NULL_CONTEXT);
  options = zero;
  options.pool = CADASTRE_POOL_NONE;
  options.backend = CADASTRE_BACKEND_HOST;
  options.parent = CADASTRE_PROCESS;
  options.limits[CADASTRE_HOST] = CADASTRE_UNLIMITED;
  printf("%d\n", cadastre_context_create_with_options(&options) != CADASTRE_NULL_CONTEXT);
  SHOW(cadastre_context_destroy_with_summary(second, NULL));
  SHOW(cadastre_context_destroy(context));
  SHOW(cadastre_context_destroy(context));
  SHOW(cadastre_free_all(context));
  SHOW(cadastre_free(context, &options));
  SHOW(cadastre_get_malloc_info(context, &options, NULL));
  if (request(10, 0, 0)) printf("NOT REFUSED: ");
  show_failure("malloc", context);
  context = CADASTRE_NULL_CONTEXT;
  SHOW(cadastre_memcpy(context, NULL, NULL, 0));
  context = CADASTRE_PROCESS;
  if (request(10, 0, 0)) printf("NOT REFUSED: ");
  show_failure("malloc in the process", context);
  SHOW(cadastre_context_destroy(context));
  context = 12345;
  SHOW(cadastre_workspace_release(context, 1));
}

int main(void) {
  context = cadastre_context_create();
  allocate();
  resize();
  copy();
  acquire();
  look_up();
  destroy();
  ask_for_nothing();
  words();
  contexts();
  return 0;
}
