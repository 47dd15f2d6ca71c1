/* Tangled from org/examples/vector_swap.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of a library with a handle, as cuBLAS: on the stream of the handle, with a workspace that its user owns.
 *
 *   cc vector_swap.c $(pkg-config --cflags --libs cadastre) -o vector_swap
 *   ./vector_swap
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cadastre.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef cadastre_context blas_handle;

static cadastre_exit_code blas_set_stream(blas_handle handle, cadastre_queue stream) {
  return cadastre_context_set_default_queue(handle, stream);
}

/* NULL and 0: memory of the library's own again. */
static cadastre_exit_code blas_set_workspace(blas_handle handle, void* workspace, size_t bytes) {
  return cadastre_workspace_set_buffer(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE, workspace, bytes);
}

static cadastre_exit_code copy(blas_handle handle, char* to, const char* from, size_t bytes) {
  return cadastre_memcpy_async(handle, to, from, bytes, CADASTRE_DEFAULT_QUEUE);
}

/* Exchanges x and y. Exit codes: SUCCESS; PERFORMANCE_DEGRADED (exchanged, in parts); SIZE_INCREASED and SIZE_UNCHANGED in
 * a size query; otherwise what the acquisition or a copy returned. parts: how many exchanges of a part there were. */
static cadastre_exit_code blas_swap(blas_handle handle, size_t n, double* x, double* y, int* parts) {
  const size_t optimal = n * sizeof(double), degraded = 4096;
  *parts = 0;
  if (cadastre_workspace_is_size_query(handle)) return cadastre_workspace_set_optimal_size(handle, 1, &optimal);

  size_t bytes = optimal;
  void* scratch = NULL;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  cadastre_exit_code code = cadastre_workspace_acquire(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &bytes, &scratch, &lease);
  if (code != CADASTRE_SUCCESS && degraded < optimal) {
    bytes = degraded;
    code = cadastre_workspace_acquire(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &bytes, &scratch, &lease);
  }
  if (code != CADASTRE_SUCCESS) return code;

  for (size_t begin = 0; begin < optimal && code == CADASTRE_SUCCESS; begin += bytes, ++*parts) {
    const size_t size = optimal - begin < bytes ? optimal - begin : bytes;
    char* const of_x = (char*)x + begin;
    char* const of_y = (char*)y + begin;
    code = copy(handle, scratch, of_x, size);
    if (code == CADASTRE_SUCCESS) code = copy(handle, of_x, of_y, size);
    if (code == CADASTRE_SUCCESS) code = copy(handle, of_y, scratch, size);
  }
  const cadastre_exit_code released = cadastre_workspace_release(handle, lease);
  if (code == CADASTRE_SUCCESS) code = released;
  return code == CADASTRE_SUCCESS && bytes < optimal ? CADASTRE_PERFORMANCE_DEGRADED : code;
}

enum { n = 4096 };

struct vectors {
  blas_handle handle;
  double *x, *y;
  int exchanged; /* whether x has what y had at first */
};

static cadastre_workspace_info_struct workspace_of(blas_handle handle) {
  cadastre_workspace_info_struct info = cadastre_workspace_info_struct_zero;
  (void)cadastre_workspace_get_info(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE, &info);
  return info;
}

static void* allocate(blas_handle handle, size_t bytes) {
  cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
  request.size = bytes;
  request.type = workspace_of(handle).type;
  request.alignment = workspace_of(handle).granularity; /* so that it can be a workspace */
  return cadastre_malloc(handle, request);
}

static int fill(struct vectors* vectors) {
  static double numbers[n];
  double** const places[] = {&vectors->x, &vectors->y};
  for (int place = 0; place < 2; ++place) {
    double* const memory = *places[place] = allocate(vectors->handle, sizeof numbers);
    for (int i = 0; i < n; ++i) numbers[i] = place + 1;
    if (!memory || cadastre_memcpy(vectors->handle, memory, numbers, sizeof numbers) != CADASTRE_SUCCESS) return 0;
  }
  vectors->exchanged = 0;
  return 1;
}

static int are_right(const struct vectors* vectors) {
  static double numbers[n];
  const double* const places[] = {vectors->x, vectors->y};
  for (int place = 0; place < 2; ++place) {
    const double expected = vectors->exchanged ? 2 - place : place + 1;
    if (cadastre_memcpy(vectors->handle, numbers, places[place], sizeof numbers) != CADASTRE_SUCCESS) return 0;
    for (int i = 0; i < n; ++i) {
      if (numbers[i] != expected) return 0;
    }
  }
  return 1;
}

static int all_right = 1;

static cadastre_error_struct last_error(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  (void)cadastre_last_error(context, &error);
  return error;
}

static int report(cadastre_context context, const char* what) {
  fprintf(stderr, "vector_swap: %s: %s\n", what, last_error(context).message);
  return EXIT_FAILURE;
}

static void print_line(blas_handle handle, const char* scenario, const char* result, int parts, int right) {
  const cadastre_workspace_info_struct info = workspace_of(handle);
  printf("%s: %s; parts %d; workspace %s, %zu bytes, growths %d%s\n", scenario, result, parts,
         cadastre_string_of_workspace_scheme(info.scheme), info.reserved_bytes, (int)info.growths, right ? "" : ", WRONG");
  if (!right) all_right = 0;
}

/* Exchanges the vectors and waits, since the next line is about the results. */
static void swap_and_print(struct vectors* vectors, const char* scenario, cadastre_exit_code expected) {
  int parts = 0;
  const cadastre_exit_code code = blas_swap(vectors->handle, n, vectors->x, vectors->y, &parts);
  if (code == CADASTRE_SUCCESS || code == CADASTRE_PERFORMANCE_DEGRADED) vectors->exchanged = !vectors->exchanged;
  const int right = cadastre_synchronize(vectors->handle, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS && are_right(vectors);
  print_line(vectors->handle, scenario, cadastre_string_of_error(code), parts, right && code == expected);
}

static void without_workspace(struct vectors* vectors) {
  const blas_handle handle = vectors->handle;
  (void)cadastre_workspace_set_size(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE, CADASTRE_WORKSPACE_AUTOMATIC);
  swap_and_print(vectors, "no workspace set", CADASTRE_SUCCESS);
}

static void by_size_query(struct vectors* vectors) {
  const blas_handle handle = vectors->handle;
  size_t bytes = 0;
  int parts = 0;
  (void)cadastre_workspace_start_size_query(handle);
  (void)blas_swap(handle, n, vectors->x, vectors->y, &parts);
  (void)cadastre_workspace_stop_size_query(handle, &bytes);
  void* const workspace = allocate(handle, bytes);
  int right = workspace && blas_set_workspace(handle, workspace, bytes) == CADASTRE_SUCCESS;
  swap_and_print(vectors, "set, with the bytes of a size query", CADASTRE_SUCCESS);
  right = right && blas_set_workspace(handle, NULL, 0) == CADASTRE_SUCCESS && cadastre_free(handle, workspace) == CADASTRE_SUCCESS;
  if (!right) all_right = 0;
}

static void too_small(struct vectors* vectors) {
  const blas_handle handle = vectors->handle;
  void* const workspace = allocate(handle, 8192);
  int right = workspace && blas_set_workspace(handle, workspace, 8192) == CADASTRE_SUCCESS;
  swap_and_print(vectors, "set, with less", CADASTRE_PERFORMANCE_DEGRADED);
  right = right && blas_set_workspace(handle, NULL, 0) == CADASTRE_SUCCESS;
  right = right && blas_set_workspace(handle, workspace, 2048) == CADASTRE_SUCCESS;
  swap_and_print(vectors, "set, with too little", CADASTRE_LIMIT_EXCEEDED);
  right = right && blas_set_workspace(handle, NULL, 0) == CADASTRE_SUCCESS && cadastre_free(handle, workspace) == CADASTRE_SUCCESS;
  if (!right) all_right = 0;
}

static void not_aligned(struct vectors* vectors) {
  const blas_handle handle = vectors->handle;
  char* const workspace = allocate(handle, 8192);
  const cadastre_exit_code code = blas_set_workspace(handle, workspace + 8, 4096);
  print_line(handle, "set, with an address that is not aligned", cadastre_string_of_reason(last_error(handle).reason), 0,
             code == CADASTRE_INVALID_ARG_3);
  if (cadastre_free(handle, workspace) != CADASTRE_SUCCESS) all_right = 0;
}

static cadastre_queue stream_of_the_thread(blas_handle handle) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  (void)cadastre_context_get_options(handle, &options);
  const int has_streams = options.backend == CADASTRE_BACKEND_CUDA || options.backend == CADASTRE_BACKEND_HIP;
  return has_streams ? (cadastre_queue)(uintptr_t)2 : CADASTRE_DEFAULT_QUEUE;
}

static void another_stream(struct vectors* first, struct vectors* second) {
  const blas_handle handle = first->handle;
  const cadastre_queue stream = stream_of_the_thread(handle);
  const size_t bytes = n * sizeof(double);
  int parts[2] = {0, 0};
  void* const workspace = allocate(handle, bytes);
  int right = workspace && blas_set_workspace(handle, workspace, bytes) == CADASTRE_SUCCESS;
  right = right && blas_set_stream(handle, stream) == CADASTRE_SUCCESS;
  right = right && blas_swap(handle, n, first->x, first->y, &parts[0]) == CADASTRE_SUCCESS;
  right = right && blas_set_stream(handle, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS;
  right = right && blas_swap(handle, n, second->x, second->y, &parts[1]) == CADASTRE_SUCCESS;
  first->exchanged = !first->exchanged;
  second->exchanged = !second->exchanged;
  right = right && cadastre_synchronize(handle, stream) == CADASTRE_SUCCESS;
  right = right && cadastre_synchronize(handle, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS;
  right = right && are_right(first) && are_right(second);
  print_line(handle, "set, and then another stream", "it stays set", parts[0] + parts[1], right);
  right = right && blas_set_workspace(handle, NULL, 0) == CADASTRE_SUCCESS && cadastre_free(handle, workspace) == CADASTRE_SUCCESS;
  if (!right) all_right = 0;
}

static void freed_too_early(struct vectors* vectors) {
  const blas_handle handle = vectors->handle;
  const size_t bytes = n * sizeof(double);
  int parts = 0;
  void* const workspace = allocate(handle, bytes);
  int right = workspace && blas_set_workspace(handle, workspace, bytes) == CADASTRE_SUCCESS;
  right = right && blas_swap(handle, n, vectors->x, vectors->y, &parts) == CADASTRE_SUCCESS;
  vectors->exchanged = !vectors->exchanged;
  const cadastre_exit_code refused = cadastre_free(handle, workspace); /* while a stream may be at work on it */
  print_line(handle, "freed while it is set", cadastre_string_of_reason(last_error(handle).reason), parts,
             right && refused == CADASTRE_INVALID_ARG_2);
  const cadastre_exit_code reset = blas_set_workspace(handle, NULL, 0); /* waits for that work */
  const cadastre_exit_code freed = cadastre_free(handle, workspace);
  right = reset == CADASTRE_SUCCESS && freed == CADASTRE_SUCCESS && are_right(vectors);
  print_line(handle, "freed after it was reset", cadastre_string_of_error(freed), parts, right);
}

int main(void) {
  const cadastre_context handle = cadastre_context_create();
  if (handle == CADASTRE_NULL_CONTEXT) return report(CADASTRE_NULL_CONTEXT, "cadastre_context_create");
  struct vectors first = {handle, NULL, NULL, 0}, second = {handle, NULL, NULL, 0};
  if (!fill(&first) || !fill(&second)) return report(handle, "the vectors");

  without_workspace(&first);
  by_size_query(&first);
  too_small(&first);
  not_aligned(&first);
  another_stream(&first, &second);
  freed_too_early(&first);

  if (cadastre_context_destroy(handle) != CADASTRE_SUCCESS) return report(CADASTRE_NULL_CONTEXT, "cadastre_context_destroy");
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
