/* Tangled from org/optional.org; change the chapter, then run: make tangle */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cadastre_optional.h"

static cadastre_context context;

/* The result of a call, and what the last error says. */
static void show_failure(const char* call, cadastre_context of)
{
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(of, &error);
  printf("%s: %s %s, argument %d, %zu, %zu, %zu, type %d, %s\n  %s\n", call, cadastre_string_of_error(error.exit_code),
         cadastre_string_of_reason(error.reason), error.argument, error.requested, error.limit, error.required,
         error.reason == CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED ? error.type : 0, error.function, error.message);
}

static void show(const char* call, cadastre_exit_code code, cadastre_context of)
{
  if (code == CADASTRE_SUCCESS) {
    printf("%s: success\n", call);
  } else {
    printf("%d ", (int) code);
    show_failure(call, of);
  }
}

#define SHOW(call) show(#call, call, context)

static void show_pointer(const char* call, void* pointer, size_t size, size_t alignment, int zeroed)
{
  size_t i, sum = 0;
  if (!pointer) {
    show_failure(call, context);
    return;
  }
  for (i = 0; zeroed && i < size; ++i) sum += ((unsigned char*) pointer)[i];
  memset(pointer, 1, size);
  printf("%s: %zu bytes, sum %zu, %s\n", call, size, sum,
         (uintptr_t) pointer % (alignment ? alignment : 16) == 0 ? "aligned" : "MISALIGNED");
}

static void* request(size_t size, size_t alignment, cadastre_flags flags)
{
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.alignment = alignment;
  info.flags = flags;
  info.label = "a label";
  return cadastre_malloc(context, info);
}

static void refused(const char* what, cadastre_memory_info_struct info)
{
  if (cadastre_malloc(context, info)) printf("NOT REFUSED: ");
  show_failure(what, context);
}

static void allocate(void)
{
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
  info.size = (size_t) -1;
  refused("too large", info);
  info.size = (size_t) PTRDIFF_MAX + 1;
  refused("one byte too large", info);
  info = zero;
  info.alignment = 24;
  refused("alignment", info);
  info.alignment = (size_t) 1 << 40;
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

static void resize(void)
{
  static const size_t sizes[] = {10, 100, 0, 1000, 300000, 20, 5000000, 7};
  size_t i, k, alignment;
  char* p;
  void* scratch;
  size_t size = 100;
  cadastre_lease lease;
  const cadastre_context other = cadastre_context_create();
  for (alignment = 0; alignment <= 4096; alignment = alignment ? 16 * alignment : 1) {
    p = (char*) request(0, alignment, 0);
    for (i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
      const size_t before = i ? sizes[i - 1] : 0;
      size_t wrong = 0;
      p = (char*) cadastre_realloc(context, p, sizes[i]);
      for (k = 0; k < sizes[i]; ++k) wrong += (size_t) (p[k] != (k < before ? 5 : 0));
      memset(p, 5, sizes[i]);
      printf("to %zu bytes: %zu wrong, %s\n", sizes[i], wrong,
             (uintptr_t) p % (alignment ? alignment : 1) == 0 ? "aligned" : "MISALIGNED");
    }
    if (cadastre_realloc(context, p, (size_t) -1)) printf("NOT REFUSED: ");
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
  printf("free of a lease: %d\n", (int) cadastre_free(context, scratch));
  SHOW(cadastre_workspace_release(context, lease));
  for (i = 0; i < 1000; ++i) request(i, 0, 0);
  SHOW(cadastre_free_all(context));
  SHOW(cadastre_free_all(context));
  SHOW(cadastre_context_destroy(other));
}

static void copy(void)
{
  static const char text[] = "a text of 24 characters.";
  char here[32] = {0};
  char* const p = (char*) request(1000, 0, 0);
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
  SHOW(cadastre_memcpy(context, here, text, (size_t) -1));
  SHOW(cadastre_memset(context, p, 'x', 3));
  SHOW(cadastre_memset(context, p, 'x' + 256, 4));
  printf("%s\n", p);
  SHOW(cadastre_memset(context, NULL, 0, 3));
  SHOW(cadastre_memset(context, NULL, 0, 0));
  SHOW(cadastre_memset(context, here, 0, (size_t) -1));
  SHOW(cadastre_free(context, p));
}

static void acquire(void)
{
  size_t sizes[3] = {100, 0, 1000000}, huge = (size_t) -1;
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
  printf("size query: %d\n", (int) cadastre_workspace_is_size_query(context));
}

static void words(void)
{
  static const int32_t numbers[] = {-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 20, 21, 100, 101, 109, 110, 200, 201, 210, 211, 1000};
  const char* label;
  size_t i;
  for (i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    const int32_t n = numbers[i];
    printf("%d: %s, %s, %s, %s, %s, %s, %s, %s\n", (int) n, cadastre_string_of_error(n), cadastre_string_of_reason(n),
           cadastre_string_of_memory_type(n), cadastre_string_of_backend(n), cadastre_string_of_pool(n),
           cadastre_string_of_workspace_scheme(n), cadastre_string_of_advice(n), cadastre_string_of_report_format(n));
  }
  label = cadastre_label("density");
  printf("%s, %s\n", label, label == cadastre_label("density") ? "once" : "TWICE");
  printf("%s\n", label == cadastre_label("energy") ? "THE SAME" : "another");
  if (cadastre_label(NULL)) printf("NOT REFUSED: ");
  show_failure("label", CADASTRE_NULL_CONTEXT);
}

static void refused_options(const char* what, cadastre_context_options_struct options)
{
  if (cadastre_context_create_with_options(&options) != CADASTRE_NULL_CONTEXT) printf("NOT REFUSED: ");
  show_failure(what, CADASTRE_NULL_CONTEXT);
}

static void contexts(void)
{
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

int main(void)
{
  context = cadastre_context_create();
  allocate();
  resize();
  copy();
  acquire();
  words();
  contexts();
  return 0;
}
