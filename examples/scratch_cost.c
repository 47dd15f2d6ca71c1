/* Tangled from org/examples/scratch_cost.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* What scratch memory costs a function: a block for each call, a lease of the workspace for each, or one block for all.
 * The numbers of allocations are the same on each machine; the times are not, and are on the standard error.
 *
 *   cc scratch_cost.c $(pkg-config --cflags --libs cadastre) -o scratch_cost
 *
 *   $ ./scratch_cost
 *   a block for each call: sum -100000.0, 40000 allocations in 2 x 20000 calls
 *   a lease for each call: sum -100000.0, 1 allocations in 2 x 20000 calls
 *   one block for all calls: sum -100000.0, 2 allocations in 2 x 20000 calls
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200112L
#include <cadastre.h>
#include <stdio.h>
#include <time.h>

enum { calls = 20000, length = 1000 };
static const size_t scratch_bytes = length * sizeof(double);

/* The function whose scratch memory it is: the smallest difference of neighbours among smoothed values. */
static double work(const double* values, double* scratch) {
  double smallest = 1e300;
  for (int i = 0; i + 2 < length; ++i) scratch[i] = values[i] + 2 * values[i + 1] + values[i + 2];
  for (int i = 0; i + 3 < length; ++i) {
    const double difference = scratch[i + 1] - scratch[i];
    if (difference < smallest) smallest = difference;
  }
  return smallest;
}

static double* get(cadastre_context context, const char* label, cadastre_flags flags) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = scratch_bytes;
  info.label = label;
  info.flags = flags;
  return cadastre_malloc(context, info);
}

/* Each way returns whether all of its calls had memory, and adds up what they returned. */
typedef int way(cadastre_context context, const double* values, double* sum);

static int block_for_each(cadastre_context context, const double* values, double* sum) {
  for (int i = 0; i < calls; ++i) {
    /* work() writes before it reads: zeros would cost time for nothing. */
    double* const scratch = get(context, "scratch", CADASTRE_UNINITIALIZED);
    if (!scratch) return 0;
    *sum += work(values, scratch);
    if (cadastre_free(context, scratch) != CADASTRE_SUCCESS) return 0;
  }
  return 1;
}

static int lease_for_each(cadastre_context context, const double* values, double* sum) {
  for (int i = 0; i < calls; ++i) {
    void* scratch = NULL;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    if (cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &scratch_bytes, &scratch, &lease) != CADASTRE_SUCCESS) return 0;
    *sum += work(values, scratch);
    if (cadastre_workspace_release(context, lease) != CADASTRE_SUCCESS) return 0;
  }
  return 1;
}

static int block_for_all(cadastre_context context, const double* values, double* sum) {
  double* const scratch = get(context, "scratch", CADASTRE_UNINITIALIZED);
  if (!scratch) return 0;
  for (int i = 0; i < calls; ++i) *sum += work(values, scratch);
  return cadastre_free(context, scratch) == CADASTRE_SUCCESS;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A context of its own for each way: its counters begin at zero, and nothing that another way cached helps it. */
static int measure(const char* name, way* run) {
  int done = 0;
  double sum = 0, began = 0;
  const cadastre_context context = cadastre_context_create();
  double* const values = context == CADASTRE_NULL_CONTEXT ? NULL : get(context, "values", 0);
  cadastre_statistics_struct host = cadastre_statistics_struct_zero;
  if (!values) goto end;
  for (int i = 0; i < length; ++i) values[i] = 0.5 * (i % 7);
  /* The first calls find memory that was never touched, and are not what a long run costs. */
  if (!run(context, values, &sum)) goto end;
  sum = 0;
  began = seconds();
  if (!run(context, values, &sum)) goto end;
  began = seconds() - began;
  if (cadastre_get_statistics(context, CADASTRE_HOST, &host) != CADASTRE_SUCCESS) goto end;
  printf("%s: sum %.1f, %lld allocations in 2 x %d calls\n", name, sum, (long long)host.allocations - 1, calls);
  fprintf(stderr, "%s: %.0f ns a call\n", name, 1e9 * began / calls);
  done = cadastre_free(context, values) == CADASTRE_SUCCESS;

end:
  if (!done) {
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(context, &error);
    fprintf(stderr, "scratch_cost: %s: %s\n", name, error.message);
  }
  if (context != CADASTRE_NULL_CONTEXT && cadastre_context_destroy(context) != CADASTRE_SUCCESS) done = 0;
  return done;
}

int main(void) {
  int done = measure("a block for each call", block_for_each);
  done = measure("a lease for each call", lease_for_each) && done;
  done = measure("one block for all calls", block_for_all) && done;
  return done ? 0 : 1;
}
