/* Tangled from org/examples/custom_backend.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* A user-defined backend: each context has an arena of huge pages, from which its blocks are allocated. Memory is
 * freed when the context is destroyed.   cc -pthread custom_backend.c $(pkg-config --cflags --libs cadastre) */
#define _DEFAULT_SOURCE
#include <cadastre.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct arena {
  uintptr_t first;
  size_t size, used;
  pthread_mutex_t lock; /* several threads may call operations at the same time */
};

/* An arena may be large: the kernel allocates its pages when they are first accessed. */
static int32_t arena_clone(void* content, void** clone) {
  const size_t size = ((const struct arena*)content)->size;
  void* const pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return errno;
  madvise(pages, size, MADV_HUGEPAGE); /* a hint: without huge pages, normal ones are used */
  struct arena* const arena = malloc(sizeof *arena);
  if (!arena) return munmap(pages, size), ENOMEM;
  *arena = (struct arena){(uintptr_t)pages, size, 0, PTHREAD_MUTEX_INITIALIZER};
  *clone = arena;
  return 0;
}

static int32_t arena_destroy(void* content) {
  const struct arena arena = *(struct arena*)content;
  free(content);
  return munmap((void*)arena.first, arena.size) == 0 ? 0 : errno;
}

static int32_t arena_allocate(void* content, const cadastre_memory_info_struct* request, cadastre_queue queue, void** pointer) {
  struct arena* const arena = content;
  (void)queue;
  pthread_mutex_lock(&arena->lock);
  const uintptr_t next = arena->first + arena->used;
  const size_t skipped = (0 - next) & (request->alignment - 1), bytes = request->size > 0 ? request->size : 1;
  const int fits = skipped <= arena->size - arena->used && bytes <= arena->size - arena->used - skipped;
  if (fits) *pointer = (void*)(next + skipped), arena->used += skipped + bytes;
  pthread_mutex_unlock(&arena->lock);
  return fits ? 0 : ENOMEM;
}

static int32_t arena_free(void* content, const cadastre_memory_info_struct* block) { return (void)content, (void)block, 0; }

static int32_t arena_copy(void* content, void* dest, const cadastre_memory_info_struct* dest_place, const void* src,
                          const cadastre_memory_info_struct* src_place, size_t size, cadastre_queue queue) {
  (void)content, (void)dest_place, (void)src_place, (void)queue;
  return memcpy(dest, src, size), 0;
}

static int32_t arena_set(void* content, void* dest, const cadastre_memory_info_struct* place, int value, size_t size,
                         cadastre_queue queue) {
  (void)content, (void)place, (void)queue;
  return memset(dest, value, size), 0;
}

static int failed(cadastre_context context, int status) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  return fprintf(stderr, "%s\n", error.message), status;
}

int main(void) {
  cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
  operations.memory_type_mask = 1u << CADASTRE_HOST;
  operations.allocate = arena_allocate, operations.free = arena_free;
  operations.copy = arena_copy, operations.set = arena_set;
  operations.clone = arena_clone, operations.destroy = arena_destroy;
  struct arena prototype = {.size = (size_t)1 << 30};
  void* content;
  if (arena_clone(&prototype, &content) != 0) return 1;
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = cadastre_backend_register("arena", &operations, content);
  if (options.backend == CADASTRE_INVALID_BACKEND) return arena_destroy(content), failed(CADASTRE_NULL_CONTEXT, 1);
  const cadastre_context context = cadastre_context_create_with_options(&options);
  if (context == CADASTRE_NULL_CONTEXT) return failed(CADASTRE_NULL_CONTEXT, 2);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 1000 * sizeof(double);
  double* const orbitals = cadastre_malloc(context, info);
  if (!orbitals) return failed(context, 3);
  if (cadastre_report(context, stdout, CADASTRE_REPORT_TEXT) != CADASTRE_SUCCESS) return failed(context, 3);
  if (orbitals[999] != 0.0) return 4;
  if (cadastre_context_destroy(context) != CADASTRE_SUCCESS) return failed(context, 5); /* frees block and arena */
  return cadastre_backend_unregister(options.backend) == CADASTRE_SUCCESS ? 0 : failed(CADASTRE_NULL_CONTEXT, 6);
}
