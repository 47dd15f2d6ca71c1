/* Tangled from org/examples/heat_steps.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the memory of a simulation goes: each purpose has a label, and the program says who holds memory, now and at the peak.
 *
 *   cc heat_steps.c $(pkg-config --cflags --libs cadastre) -o heat_steps
 *
 *   $ ./heat_steps
 *   heat: 1000.000000
 *   after the last step: 160000 bytes in 1 blocks, at most 321024
 *     heat       160000 bytes    1 blocks
 *   at the end: 0 bytes in 0 blocks, at most 321024
 *
 * The same with a halo that is not freed:
 *
 *   $ ./heat_steps leak
 *   heat: 1000.000000
 *   after the last step: 262400 bytes in 101 blocks, at most 422400
 *     heat       160000 bytes    1 blocks
 *     halo       102400 bytes  100 blocks
 *   at the end: 102400 bytes in 100 blocks, at most 422400
 *     halo       102400 bytes  100 blocks
 *
 * Without a change to the program, "cadastre record --trace run.trace ./heat_steps leak" and "cadastre report run.trace" say who held
 * the memory at the peak, and what grew until the end.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cadastre.h>
#include <stdio.h>
#include <string.h>

enum { cells = 20000, steps = 100, halo_cells = 128, most_labels = 8 };

/* --- what a program adds to see its memory */

struct holders {
  int count;
  struct {
    const char* label;
    size_t blocks, bytes;
  } of[most_labels];
};

/* Called for each block. A label is one string for as long as the process lives, so addresses are compared. */
static cadastre_exit_code add_block(const cadastre_memory_info_struct* block, void* user_data) {
  struct holders* const holders = user_data;
  int i = 0;
  while (i < holders->count && holders->of[i].label != block->label) ++i;
  if (i == most_labels) return CADASTRE_FAILURE; /* ends the loop, which returns it */
  if (i == holders->count) holders->of[holders->count++].label = block->label;
  ++holders->of[i].blocks;
  holders->of[i].bytes += block->size;
  return CADASTRE_SUCCESS;
}

static int print_holders(cadastre_context context, const char* when) {
  struct holders holders = {0};
  cadastre_statistics_struct host = cadastre_statistics_struct_zero;
  if (cadastre_foreach_block(context, add_block, &holders) != CADASTRE_SUCCESS ||
      cadastre_get_statistics(context, CADASTRE_HOST, &host) != CADASTRE_SUCCESS)
    return 0;
  printf("%s: %zu bytes in %lld blocks, at most %zu\n", when, host.live_bytes, (long long)host.live_blocks, host.high_water_mark_bytes);
  for (int i = 0; i < holders.count; ++i) {
    printf("  %-8s %8zu bytes %4zu blocks\n", holders.of[i].label ? holders.of[i].label : "-", holders.of[i].bytes, holders.of[i].blocks);
  }
  return 1;
}

/* --- the simulation: heat on a ring */

static double* get(cadastre_context context, size_t count, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = count * sizeof(double);
  info.label = label;
  return cadastre_malloc(context, info);
}

/* One step. What it allocates it frees, on every path, but for the halo if it leaks. Returns whether it was done. */
static int step(cadastre_context context, double* heat, int leaks) {
  double* const flux = get(context, cells, "flux");
  double* const halo = flux ? get(context, halo_cells, "halo") : NULL;
  if (halo) {
    memcpy(halo, heat, halo_cells * sizeof *halo);
    for (int i = 0; i < cells; ++i) flux[i] = 0.25 * (heat[(i + 1) % cells] - heat[i]);
    for (int i = 0; i < cells; ++i) heat[i] += flux[i] - flux[(i + cells - 1) % cells];
  }
  const int done = halo != NULL;
  if (halo && !leaks && cadastre_free(context, halo) != CADASTRE_SUCCESS) return 0;
  if (flux && cadastre_free(context, flux) != CADASTRE_SUCCESS) return 0;
  return done;
}

static int simulate(cadastre_context context, double* heat, int leaks) {
  heat[0] = 1000;
  for (int i = 0; i < steps; ++i) {
    if (!step(context, heat, leaks)) return 0;
  }
  double sum = 0;
  for (int i = 0; i < cells; ++i) sum += heat[i];
  printf("heat: %.6f\n", sum);
  return print_holders(context, "after the last step");
}

int main(int count, char** words) {
  const int leaks = count > 1 && strcmp(words[1], "leak") == 0;
  const cadastre_context context = cadastre_context_create();
  double* const heat = context == CADASTRE_NULL_CONTEXT ? NULL : get(context, cells, "heat");
  int done = heat && simulate(context, heat, leaks);
  if (heat && cadastre_free(context, heat) != CADASTRE_SUCCESS) done = 0;
  if (done) done = print_holders(context, "at the end");
  if (!done) {
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(context, &error);
    fprintf(stderr, "heat_steps: %s\n", error.message);
  }
  if (context != CADASTRE_NULL_CONTEXT && cadastre_context_destroy(context) != CADASTRE_SUCCESS) done = 0;
  return done ? 0 : 1;
}
