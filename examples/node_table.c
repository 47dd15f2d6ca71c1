/* Tangled from org/examples/node_table.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* One table for all processes of a node. The first that allocates it computes it, the others find it by its label and wait
 * until it is complete. The system has the memory back when the last one has freed it, or has ended in any way.
 *
 *   cc node_table.c $(pkg-config --cflags --libs cadastre) -lm -o node_table
 *
 *   $ ./node_table
 *   4 processes, largest error below 2e-10: yes
 *   processes that computed the table: 1
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cadastre.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { processes = 4, entries = 1 << 20 };
static const double upper = 32;

struct table {
  atomic_int complete; /* 1: the entries are there */
  atomic_int finished; /* processes that need it no more */
  double entry[entries + 1];
};

/* exp(-x) between two entries, by a straight line. */
static double look_up(const struct table* table, double x) {
  const double place = x * (entries / upper);
  const size_t i = (size_t)place;
  return table->entry[i] + (place - (double)i) * (table->entry[i + 1] - table->entry[i]);
}

static int complain(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  fprintf(stderr, "node_table: %s\n", error.message);
  return 0;
}

static struct table* find_table(cadastre_context context, cadastre_backend node, int* computed) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = sizeof(struct table);
  info.backend = node;
  info.label = "table of exp(-x)";
  struct table* const table = cadastre_malloc(context, info);
  if (!table || cadastre_get_malloc_info(context, table, &info) != CADASTRE_SUCCESS) return complain(context), NULL;
  *computed = !(info.flags & CADASTRE_ATTACHED);
  if (*computed) {
    for (size_t i = 0; i <= entries; ++i) table->entry[i] = exp(-upper * (double)i / entries);
    atomic_store(&table->complete, 1);
  }
  while (!atomic_load(&table->complete)) sched_yield();
  return table;
}

enum { failed = 1, has_computed = 2 }; /* bits of an exit status */

static int use(cadastre_context context, cadastre_backend node) {
  int computed = 0;
  struct table* const table = find_table(context, node, &computed);
  if (!table) return failed;
  double largest = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = fmod(i * 0.61803398875, 1) * upper;
    largest = fmax(largest, fabs(look_up(table, x) - exp(-x)));
  }
  atomic_fetch_add(&table->finished, 1);
  while (atomic_load(&table->finished) < processes) sched_yield();
  if (cadastre_free(context, table) != CADASTRE_SUCCESS) complain(context), largest = 1;
  return (largest < 2e-10 ? 0 : failed) | (computed ? has_computed : 0);
}

static int work(void) {
  cadastre_host_resource_struct resource = cadastre_host_resource_struct_zero;
  resource.flags = CADASTRE_HOST_SHARED;
  const cadastre_backend node = cadastre_backend_register_host("tables of the node", &resource);
  if (node == CADASTRE_INVALID_BACKEND) return complain(CADASTRE_NULL_CONTEXT), failed;
  const cadastre_context context = cadastre_context_create();
  if (context == CADASTRE_NULL_CONTEXT) return complain(CADASTRE_NULL_CONTEXT), failed;
  int status = use(context, node);
  if (cadastre_context_destroy(context) != CADASTRE_SUCCESS) status |= failed;
  if (cadastre_backend_unregister(node) != CADASTRE_SUCCESS) complain(CADASTRE_NULL_CONTEXT), status |= failed;
  return status;
}

int main(void) {
  int computed = 0, right = 0;
  for (int i = 0; i < processes; ++i) {
    const pid_t process = fork();
    if (process < 0) return perror("node_table: fork"), 1;
    if (process == 0) return work();
  }
  for (int i = 0; i < processes; ++i) {
    int status = 0;
    if (wait(&status) < 0 || !WIFEXITED(status)) return perror("node_table: wait"), 1;
    right += !(WEXITSTATUS(status) & failed);
    computed += (WEXITSTATUS(status) & has_computed) != 0;
  }
  printf("%d processes, largest error below 2e-10: %s\n", processes, right == processes ? "yes" : "no");
  printf("processes that computed the table: %d\n", computed);
  return right == processes && computed == 1 ? 0 : 1;
}
