/* Tangled from org/examples/huge_table.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* A table that all threads read, in huge pages and over all NUMA nodes where the machine has these, and in memory as it
 * comes where it has not. The results are the same; what fell back, and why, is on the standard error.
 *
 *   cc huge_table.c $(pkg-config --cflags --libs cadastre) -lm -o huge_table
 *
 *   $ ./huge_table
 *   the table: 1048576 entries, largest error below 2e-10: yes
 *   its backend: 1 block, 8388616 bytes
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cadastre.h>
#include <math.h>
#include <stdio.h>

enum { entries = 1 << 20 };
static const double upper = 32;

static int complain(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  fprintf(stderr, "huge_table: %s\n", error.message);
  return 0;
}

/* Reserved pages of 2 MiB, from all nodes in turn: a look-up at a place that is not foreseen misses the TLB less often, and no
 * memory controller has all of the work. Without CADASTRE_HOST_STRICT the program runs where none are reserved. */
static cadastre_backend register_tables(void) {
  cadastre_host_resource_struct resource = cadastre_host_resource_struct_zero;
  resource.page_size = (size_t)2 << 20;
  resource.numa_policy = CADASTRE_NUMA_INTERLEAVE;
  const cadastre_backend backend = cadastre_backend_register_host("tables", &resource);
  if (backend != CADASTRE_INVALID_BACKEND) return backend;
  /* A container may forbid to place memory; then it lies where the system puts it. */
  complain(CADASTRE_NULL_CONTEXT);
  resource.numa_policy = CADASTRE_NUMA_DEFAULT;
  return cadastre_backend_register_host("tables", &resource);
}

/* exp(-x) between two entries, by a straight line. */
static double look_up(const double* table, double x) {
  const double place = x * (entries / upper);
  const size_t i = (size_t)place;
  return table[i] + (place - (double)i) * (table[i + 1] - table[i]);
}

static int use(cadastre_context context, cadastre_backend backend) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = (entries + 1) * sizeof(double);
  info.backend = backend; /* this block only: what else the context allocates comes as it did */
  info.label = "table of exp(-x)";
  double* const table = cadastre_malloc(context, info);
  if (!table) return complain(context);

  for (size_t i = 0; i <= entries; ++i) table[i] = exp(-upper * (double)i / entries);
  double largest = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = fmod(i * 0.61803398875, 1) * upper;
    largest = fmax(largest, fabs(look_up(table, x) - exp(-x)));
  }
  printf("the table: %d entries, largest error below 2e-10: %s\n", entries, largest < 2e-10 ? "yes" : "no");

  cadastre_host_resource_info_struct got = cadastre_host_resource_info_struct_zero;
  if (cadastre_backend_get_host_info(backend, &got) != CADASTRE_SUCCESS) return complain(CADASTRE_NULL_CONTEXT);
  printf("its backend: %lld block, %zu bytes\n", (long long)got.live_blocks, got.live_bytes);
  if (got.fallback_bytes > 0)
    fprintf(stderr, "huge_table: %s: %zu of %zu bytes are in other pages: %s\n", got.description, got.fallback_bytes, got.mapped_bytes,
            got.fallback_message);
  return cadastre_free(context, table) == CADASTRE_SUCCESS ? 1 : complain(context);
}

int main(void) {
  const cadastre_backend backend = register_tables();
  if (backend == CADASTRE_INVALID_BACKEND) return complain(CADASTRE_NULL_CONTEXT), 1;
  const cadastre_context context = cadastre_context_create();
  int done = context != CADASTRE_NULL_CONTEXT ? use(context, backend) : complain(CADASTRE_NULL_CONTEXT);
  /* In this order: a backend that a context still uses is not unregistered. */
  if (context != CADASTRE_NULL_CONTEXT && cadastre_context_destroy(context) != CADASTRE_SUCCESS) done = 0;
  if (cadastre_backend_unregister(backend) != CADASTRE_SUCCESS) done = complain(CADASTRE_NULL_CONTEXT);
  return done ? 0 : 1;
}
