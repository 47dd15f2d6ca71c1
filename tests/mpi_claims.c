/* Tangled from org/tests/mpi_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Claims on the report on all ranks, for four of them: mpirun -n 4 mpi_claims */
#define _POSIX_C_SOURCE 200809L
#include <cadastre_mpi.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int world_rank, claims, failed;

/* Of all ranks together. */
static void claim(int holds, const char* sentence) {
  int all = 0;
  holds = holds != 0;
  PMPI_Allreduce(&holds, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  failed += !all;
  ++claims;
  if (!holds) printf("# not on rank %d: %s\n", world_rank, sentence);
  if (world_rank == 0) printf("%s %d - %s\n", all ? "ok" : "not ok", claims, sentence);
  fflush(stdout);
}

static int ranks_of_a_node; /* 0: as MPI says */
static int made, freed;     /* communicators, types and operations */
static int all_to_one;      /* calls by which a rank holds what all have */
static long bytes_of_largest, number_of_messages;
static const char* call_that_fails = "";

static int fails(const char* call) { return strcmp(call, call_that_fails) == 0; }
static void saw(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  ++number_of_messages;
  if ((long)count * size > bytes_of_largest) bytes_of_largest = (long)count * size;
}

int MPI_Comm_split_type(MPI_Comm from, int type, int key, MPI_Info info, MPI_Comm* part) {
  int rank = 0;
  if (fails("MPI_Comm_split_type")) return MPI_ERR_OTHER;
  ++made;
  if (ranks_of_a_node == 0) return PMPI_Comm_split_type(from, type, key, info, part);
  PMPI_Comm_rank(from, &rank);
  return PMPI_Comm_split(from, rank / ranks_of_a_node, key, part);
}
int MPI_Comm_split(MPI_Comm from, int color, int key, MPI_Comm* part) {
  int result = PMPI_Comm_split(from, color, key, part);
  made += *part != MPI_COMM_NULL;
  return result;
}
int MPI_Comm_dup(MPI_Comm from, MPI_Comm* copy) {
  if (fails("MPI_Comm_dup")) return MPI_ERR_OTHER;
  ++made;
  return PMPI_Comm_dup(from, copy);
}
int MPI_Comm_free(MPI_Comm* gone) {
  ++freed;
  return PMPI_Comm_free(gone);
}
int MPI_Type_contiguous(int count, MPI_Datatype from, MPI_Datatype* type) {
  if (fails("MPI_Type_contiguous") && world_rank == 2) return MPI_ERR_OTHER;
  ++made;
  return PMPI_Type_contiguous(count, from, type);
}
int MPI_Type_free(MPI_Datatype* gone) {
  ++freed;
  return PMPI_Type_free(gone);
}
int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op) {
  ++made;
  return PMPI_Op_create(function, commutes, op);
}
int MPI_Op_free(MPI_Op* gone) {
  ++freed;
  return PMPI_Op_free(gone);
}
int MPI_Reduce(const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  if (fails("MPI_Reduce")) return PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER), MPI_ERR_OTHER;
  saw(count, type);
  return PMPI_Reduce(from, into, count, type, op, root, comm);
}
int MPI_Allreduce(const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  saw(count, type);
  return PMPI_Allreduce(from, into, count, type, op, comm);
}
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  saw(count, type);
  return PMPI_Bcast(buffer, count, type, root, comm);
}
int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  saw(count, type);
  return PMPI_Send(buffer, count, type, to, tag, comm);
}
int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  saw(count, type);
  return PMPI_Recv(buffer, count, type, from, tag, comm, status);
}
int MPI_Gather(const void* from, int n, MPI_Datatype type, void* into, int m, MPI_Datatype other, int root, MPI_Comm comm) {
  ++all_to_one;
  return PMPI_Gather(from, n, type, into, m, other, root, comm);
}
int MPI_Allgather(const void* from, int n, MPI_Datatype type, void* into, int m, MPI_Datatype other, MPI_Comm comm) {
  ++all_to_one;
  return PMPI_Allgather(from, n, type, into, m, other, comm);
}

static char text[65536]; /* what the last report says, on the rank that wrote it; else "" */
static int writes;       /* whether this rank wrote it */

static cadastre_exit_code report_as(MPI_Comm comm, cadastre_report_format format) {
  FILE* file = NULL;
  int rank = 0;
  cadastre_exit_code code;
  size_t length = 0;
  PMPI_Comm_rank(comm, &rank);
  writes = rank == 0;
  if (writes) file = tmpfile();
  code = format == CADASTRE_REPORT_TEXT ? cadastre_report_mpi(comm, file) : cadastre_report_mpi_format(comm, file, format);
  if (file) {
    rewind(file);
    length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
  }
  text[length] = '\0';
  return code;
}
static cadastre_exit_code report(MPI_Comm comm) { return report_as(comm, CADASTRE_REPORT_TEXT); }
/* Whether it says so; on the rank that wrote it. */
static int says(const char* words) {
  if (!writes || strstr(text, words)) return 1;
  printf("# the report does not say \"%s\":\n%s\n", words, text);
  return 0;
}
static int ends_with(const char* words) {
  const size_t length = strlen(text), end = strlen(words);
  if (!writes || (length > end && strcmp(text + length - end, words) == 0)) return 1;
  printf("# the report does not end with \"%s\":\n%s\n", words, text);
  return 0;
}
static int says_not(const char* words) { return !writes || !strstr(text, words); }

enum { least, mean, most, sum };
/* The row of a table, such as "HOST", "live"; NULL where there is none. */
static const char* row_of(const char* table, const char* name, const char* what) {
  char head[40];
  const char* at = strstr(text, table);
  if (!at) return NULL;
  snprintf(head, sizeof head, "\n%-8s ", name);
  at = strstr(at, head);
  if (at && strcmp(what, "peak") == 0) at = strchr(at + 1, '\n');
  return at ? at + 1 : NULL;
}
/* Whether a cell has these bytes and this share of the memory; share NULL: any. */
static int has(const char* table, const char* name, const char* what, int column, const char* bytes, const char* share) {
  const char* const row = row_of(table, name, what);
  char cell[24] = "", wanted[24];
  if (!writes) return 1;
  if (row) snprintf(cell, sizeof cell, "%.18s", row + 16 + 18 * column);
  snprintf(wanted, sizeof wanted, "  %9s %6s", bytes, share ? share : "");
  if (row && strncmp(cell, wanted, share ? 18 : 11) == 0) return 1;
  printf("# %s %s %s is \"%s\" and not \"%s\"\n%s\n", table, name, what, cell, wanted, text);
  return 0;
}
static int most_is_on(const char* table, const char* name, const char* what, int rank) {
  const char* const row = row_of(table, name, what);
  char wanted[32];
  if (!writes) return 1;
  snprintf(wanted, sizeof wanted, "  rank %d on ", rank);
  return row && strncmp(row + 16 + 18 * 4, wanted, strlen(wanted)) == 0;
}

static const size_t MiB = 1 << 20;
static cadastre_context context = CADASTRE_NULL_CONTEXT;

static void* get(size_t bytes, cadastre_memory_type type, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = bytes;
  info.type = type;
  info.label = label;
  return cadastre_malloc(context, info);
}
/* As if this process had not allocated yet. */
static void begin_again(void) {
  int32_t type;
  if (context != CADASTRE_NULL_CONTEXT) cadastre_context_destroy(context);
  context = CADASTRE_NULL_CONTEXT;
  for (type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) cadastre_reset_high_water_mark(CADASTRE_PROCESS, type);
  ranks_of_a_node = 0;
}
static size_t memory_of_host(void) {
  cadastre_memory_usage_struct usage = cadastre_memory_usage_struct_zero;
  cadastre_host_get_memory_usage(&usage);
  return usage.total_bytes;
}

static void figures_of_known_ranks(void) {
  void* gone;
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says("memory of 4 ranks on 1 node,") && says("\nno rank has allocated memory\n"),
        "ranks without a context take part, and it is said that there is nothing");
  claim(says("\nresident now") && says_not("\nHOST"), "what is resident is there all the same, and types without memory have no row");
  if (world_rank < 3) context = cadastre_context_create();
  if (world_rank < 3) get(MiB * (size_t)(world_rank + 1), CADASTRE_HOST, "field");
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && has("over ranks", "HOST", "live", least, "0 B", NULL) &&
            has("over ranks", "HOST", "live", mean, "1.50 MiB", NULL) && has("over ranks", "HOST", "live", most, "3.00 MiB", NULL) &&
            has("over ranks", "HOST", "live", sum, "6.00 MiB", NULL),
        "of ranks with 1, 2, 3 MiB and of one without a context, the least, mean, most and sum are right");
  claim(most_is_on("over ranks", "HOST", "live", 2), "the rank with the most is named");
  claim(says_not("over nodes"), "one node needs no table of its own");
  claim(says("\nHOST live on rank 2 on ") && says("\n   3.00 MiB  100 %  1 block  field\n"), "what that rank holds is listed by label");
  gone = world_rank == 0 ? get(6 * MiB, CADASTRE_HOST, "passing") : NULL;
  if (gone) cadastre_free(context, gone);
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && has("over ranks", "HOST", "live", sum, "6.00 MiB", NULL) &&
            has("over ranks", "HOST", "peak", most, "7.00 MiB", NULL) && has("over ranks", "HOST", "peak", sum, "12.0 MiB", NULL) &&
            most_is_on("over ranks", "HOST", "peak", 0) && says("\n   3.00 MiB  100 %  1 block  field\n"),
        "what was freed is in the peak alone, and another rank has the most of that");
  claim(says("\nat the peak on rank 0 on ") && says(", of 7.00 MiB: who held it is not known; CADASTRE_BLACKBOX or CADASTRE_REPORT_ON"),
        "where nobody has kept who held the highest peak, it is said what would");
  ranks_of_a_node = 2;
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says("memory of 4 ranks on 2 nodes,") &&
            has("over nodes", "HOST", "live", least, "3.00 MiB", NULL) && has("over nodes", "HOST", "peak", least, "3.00 MiB", NULL) &&
            has("over nodes", "HOST", "peak", mean, "6.00 MiB", NULL) && has("over nodes", "HOST", "peak", most, "9.00 MiB", NULL) &&
            has("over nodes", "HOST", "peak", sum, "12.0 MiB", NULL) && most_is_on("over nodes", "HOST", "peak", 0),
        "nodes have the sums of their ranks");
  claim(has("over ranks", "HOST", "live", mean, "1.50 MiB", NULL), "and ranks what they had");
  ranks_of_a_node = 1;
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says("4 ranks on 4 nodes,") && most_is_on("over nodes", "HOST", "live", 2) &&
            has("over nodes", "HOST", "live", mean, "1.50 MiB", NULL),
        "nodes of one rank each are as their ranks");
  begin_again();
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says("\nno rank has allocated memory\n"),
        "contexts that are gone leave nothing but their peaks");
}

static int has_share(const char* table, const char* name, int column, const char* share) {
  const char* const row = row_of(table, name, "live");
  char cell[8] = "";
  if (!writes) return 1;
  if (row) snprintf(cell, sizeof cell, "%.6s", row + 16 + 18 * column + 12);
  while (cell[0] == ' ') memmove(cell, cell + 1, strlen(cell));
  if (row && strcmp(cell, share) == 0) return 1;
  printf("# the share in %s of %s is \"%s\" and not \"%s\"\n%s\n", table, name, cell, share, text);
  return 0;
}
static void shares_of(cadastre_memory_type type, const char* sentence, const char* sentence_on_nodes) {
  const char* const name = cadastre_string_of_memory_type(type);
  context = cadastre_context_create();
  claim(get(memory_of_host() / 100 * 4 * (size_t)(world_rank + 1), type, NULL) != NULL, "memory of 4, 8, 12 and 16 % is had");
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && has_share("over ranks", name, least, "4.0 %") &&
            has_share("over ranks", name, mean, "10 %") && has_share("over ranks", name, most, "16 %") &&
            has_share("over ranks", name, sum, "40 %"),
        sentence);
  ranks_of_a_node = 2;
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && has_share("over nodes", name, least, "12 %") &&
            has_share("over nodes", name, mean, "20 %") && has_share("over nodes", name, most, "28 %") &&
            has_share("over nodes", name, sum, "20 %") && has_share("over ranks", name, sum, "20 %"),
        sentence_on_nodes);
  begin_again();
}
static void shares_with_a_limit_of_one_process(void) {
  struct rlimit before, limit;
  context = cadastre_context_create();
  get(MiB, CADASTRE_HOST, NULL);
  getrlimit(RLIMIT_AS, &before);
  limit = before;
  limit.rlim_cur = memory_of_host() - 4096;
  if (world_rank == 1) setrlimit(RLIMIT_AS, &limit);
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says("memory of the nodes: not known") && has_share("over ranks", "HOST", sum, "") &&
            has_share("over ranks", "HOST", most, "0.0 %"),
        "the limit of the address space of one rank is not taken for the memory of its node");
  setrlimit(RLIMIT_AS, &before);
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says_not("not known"), "without such a limit it is known");
  begin_again();
}
static void shares(void) {
  shares_of(CADASTRE_HOST, "shares of HOST are of the memory of the host",
            "those of nodes are of theirs, and the sum of that of all nodes");
  shares_of(CADASTRE_DEVICE, "shares of DEVICE are of the device, which is counted once where ranks share it", "and once for each node");
  context = cadastre_context_create();
  if (world_rank >= 2) get(memory_of_host() / 100 * 4, CADASTRE_DEVICE, NULL);
  ranks_of_a_node = 2;
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && has_share("over ranks", "DEVICE", least, "0.0 %") &&
            has_share("over ranks", "DEVICE", mean, "2.0 %") && has_share("over ranks", "DEVICE", sum, "8.0 %") &&
            has_share("over nodes", "DEVICE", least, "0.0 %") && has_share("over nodes", "DEVICE", most, "8.0 %"),
        "ranks and nodes that use no device have a share of 0, and add no memory of devices");
  begin_again();
  context = cadastre_context_create();
  get(MiB, CADASTRE_UVM, NULL);
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && has("over ranks", "UVM", "live", sum, "4.00 MiB", "") &&
            has("over ranks", "UVM", "live", most, "1.00 MiB", ""),
        "UVM memory has no share");
  begin_again();
  shares_with_a_limit_of_one_process();
}

static void outliers_and_refusals(void) {
  int i;
  context = cadastre_context_create();
  get(MiB * (world_rank == 3 ? 9 : 1), CADASTRE_HOST, "field");
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says("\nHOST: 1 rank above 1.5 times the mean of the peaks: rank 3 on ") &&
            says(" with 9.00 MiB\n"),
        "a rank far above the mean is named");
  claim(says_not(" refused"), "where nothing was refused nothing is said of it");
  begin_again();
  context = cadastre_context_create();
  get(MiB * (world_rank < 2 ? 1 : 2), CADASTRE_HOST, "field");
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && most_is_on("over ranks", "HOST", "live", 2),
        "of ranks with as much the first is named");
  claim(says_not("above 1.5"), "half of the ranks with twice the memory are no outliers");
  cadastre_set_limit(context, CADASTRE_HOST, 3 * MiB);
  for (i = 0; i < world_rank; ++i) get(8 * MiB, CADASTRE_HOST, "too large");
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says("\nHOST: 6 requests refused, most on rank 3 on ") && says(": 3\n"),
        "refused requests are counted, and the rank with most of them is named");
  begin_again();
}
static void wait_a_little(void) {
  const struct timespec time = {0, 20 * 1000 * 1000};
  nanosleep(&time, NULL);
}
/* What lives while it is allowed to look who holds it. */
static void hold(size_t bytes, const char* label) {
  void* const passing = get(bytes, CADASTRE_HOST, label);
  int i;
  for (i = 0; i < 5; ++i) {
    wait_a_little();
    cadastre_free(context, get(1, CADASTRE_HOST, NULL));
  }
  cadastre_free(context, passing);
}
/* Rank 1 has a black box. */
static void holders_of_a_peak(void) {
  context = cadastre_context_create();
  get(MiB, CADASTRE_HOST, "stays");
  if (world_rank == 1) hold(19 * MiB, "passing");
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says("\nat the peak on rank 1 on ") && says(", of 20.0 MiB, by label\n") &&
            says("\n   19.0 MiB   95 %  1 block  passing\n") && says("\n   1.00 MiB  5.0 %  1 block  stays\n"),
        "a rank that keeps who holds its memory knows who held it at the highest peak");
  claim(report_as(MPI_COMM_WORLD, CADASTRE_REPORT_JSON) == CADASTRE_SUCCESS &&
            says("{\"when\":\"peak\",\"type\":\"all\",\"rank\":1,\"host\":\"") &&
            says("\"bytes\":20971520,\"labels\":[{\"label\":\"passing\",\"type\":\"HOST\",\"live_blocks\":1,\"live_bytes\":19922944},"),
        "and so does the report in JSON");
  cadastre_reset_high_water_mark(CADASTRE_PROCESS, CADASTRE_HOST);
  if (world_rank == 1) hold(2 * MiB, "later");
  claim(
      report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says("\nat the peak on rank 1 on ") && says(", of 3.00 MiB: who held it is not known;"),
      "a peak from before the mark was lowered is not taken for a later one");
  begin_again();
}
static void holders_by_label(void) {
  static const char* const labels[] = {"a", "b\033[2J", "c", "d", "e", "f", "g"};
  int i;
  context = cadastre_context_create();
  get(MiB, CADASTRE_HOST, NULL);
  for (i = 0; i < 7 && world_rank == 1; ++i) get(MiB / 2 * (size_t)(20 - i), CADASTRE_HOST, labels[i]);
  if (world_rank == 2) get(MiB, CADASTRE_PINNED, "ring");
  if (world_rank == 2) get(MiB, CADASTRE_PINNED, "ring");
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says("\nHOST live on rank 1 on ") && says("\n   10.0 MiB   17 %  1 block  a\n") &&
            says("\n  and 3 labels more\n"),
        "of many labels the largest are listed, and the others counted");
  claim(says("  b\\x1b[2J\n"), "a label cannot move the cursor of a terminal");
  claim(has("over ranks", "together", "live", most, "60.5 MiB", "") && has("over ranks", "together", "peak", sum, "65.5 MiB", ""),
        "what was used of several memory types is added up, and has no share");
  claim(says("\nat the peak on rank 1 on ") && says(", of 60.5 MiB, by label\n") && says("\n   10.0 MiB   17 %  1 block  HOST  a\n"),
        "where as much lives as at the highest peak, those who hold it did so then");
  claim(says("\nPINNED live on rank 2 on ") && ends_with("\n   2.00 MiB  100 %  2 blocks  ring\n"),
        "each memory type has a rank of its own");
  begin_again();
  context = cadastre_context_create();
  if (world_rank == 0) get(MiB, CADASTRE_HOST, NULL);
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && says("\nHOST live on rank 0 on ") && says("  (no label)\n"),
        "rank 0 may be that rank");
  begin_again();
}

static cadastre_mpi_statistics_struct figures;

static cadastre_exit_code ask_for(cadastre_memory_type type) {
  figures = cadastre_mpi_statistics_struct_zero;
  return cadastre_get_statistics_mpi(MPI_COMM_WORLD, type, &figures);
}
/* Whether all ranks have this of bytes or requests. */
static int are(const cadastre_mpi_spread_struct* one, uint64_t minimum, uint64_t mean, uint64_t maximum, uint64_t all, int from, int to) {
  if (one->minimum == minimum && one->mean == mean && one->maximum == maximum && one->sum == all && one->minimum_rank == from &&
      one->maximum_rank == to)
    return 1;
  printf("# rank %d: from %llu on rank %d to %llu on rank %d, mean %llu, sum %llu\n", world_rank, (unsigned long long)one->minimum,
         one->minimum_rank, (unsigned long long)one->maximum, one->maximum_rank, (unsigned long long)one->mean,
         (unsigned long long)one->sum);
  return 0;
}
static int is_share(double share, double bytes, double memory) {
  const double difference = share - bytes / memory;
  if (memory > 0 ? difference < 1e-12 && difference > -1e-12 : share < 0) return 1;
  printf("# rank %d: the share is %g and not %g of %g\n", world_rank, share, bytes, memory);
  return 0;
}
static void statistics_of_known_ranks(void) {
  const double memory = (double)memory_of_host(), mebibyte = 1 << 20;
  const size_t half = memory_of_host() / 2;
  uint64_t before;
  void* gone;
  int i;
  claim(ask_for(CADASTRE_HOST) == CADASTRE_SUCCESS && figures.ranks == 4 && figures.nodes == 1 && figures.unread_ranks == 0 &&
            are(&figures.live, 0, 0, 0, 0, 0, 0) && figures.resident.minimum > MiB && figures.most_resident.sum >= figures.resident.sum,
        "a program gets zeros of ranks without a context, and what is resident");
  if (world_rank < 3) context = cadastre_context_create();
  gone = world_rank < 3 ? get(MiB * (size_t)(world_rank + 4), CADASTRE_HOST, NULL) : NULL;
  if (gone) cadastre_free(context, gone);
  if (world_rank < 3) get(MiB * (size_t)(world_rank + 1), CADASTRE_HOST, NULL);
  claim(ask_for(CADASTRE_HOST) == CADASTRE_SUCCESS && are(&figures.live, 0, MiB * 3 / 2, 3 * MiB, 6 * MiB, 3, 2),
        "all ranks have the minimum, mean, maximum and sum of what lives, and the ranks that have them");
  claim(are(&figures.peak, 0, MiB * 15 / 4, 6 * MiB, 15 * MiB, 3, 2) && figures.outliers == 1,
        "and of their peaks, and how many are outliers");
  claim(figures.memory_bytes == memory_of_host() && is_share(figures.live.maximum_share, 3.0 * mebibyte, memory) &&
            is_share(figures.live.minimum_share, 0, memory) && is_share(figures.live.mean_share, 1.5 * mebibyte, memory) &&
            is_share(figures.live.sum_share, 6.0 * mebibyte, memory) && is_share(figures.refused.sum_share, 0, 0),
        "shares are of the memory of the node, and requests have none");
  ranks_of_a_node = 2;
  claim(ask_for(CADASTRE_HOST) == CADASTRE_SUCCESS && figures.nodes == 2 &&
            are(&figures.nodes_live, 3 * MiB, 3 * MiB, 3 * MiB, 6 * MiB, 0, 0) &&
            are(&figures.nodes_peak, 6 * MiB, MiB * 15 / 2, 9 * MiB, 15 * MiB, 2, 0) &&
            is_share(figures.nodes_peak.maximum_share, 9.0 * mebibyte, memory) &&
            is_share(figures.nodes_peak.sum_share, 15.0 * mebibyte, 2 * memory),
        "nodes have the sums of their ranks, and their first ranks stand for them");
  ranks_of_a_node = 0;
  if (world_rank == 1) get(MiB, CADASTRE_UVM, NULL);
  claim(
      ask_for(world_rank == 0 ? CADASTRE_UVM : CADASTRE_ALL_MEMORY_TYPES) == CADASTRE_SUCCESS &&
          (world_rank == 0 ? are(&figures.live, 0, MiB / 4, MiB, MiB, 0, 1) : are(&figures.live, 0, MiB * 7 / 4, 3 * MiB, 7 * MiB, 3, 1)) &&
          figures.memory_bytes == 0 && is_share(figures.live.maximum_share, 0, 0) && is_share(figures.live.sum_share, 0, 0),
      "ranks may ask for different types, or for all together, which have no share");
  ask_for(CADASTRE_HOST);
  before = figures.refused.sum;
  if (world_rank < 3) cadastre_set_limit(context, CADASTRE_HOST, 4 * MiB);
  for (i = 0; i < world_rank * 100 && world_rank < 3; ++i) get(8 * MiB, CADASTRE_HOST, NULL);
  claim(ask_for(CADASTRE_HOST) == CADASTRE_SUCCESS && figures.refused.sum == before + 300 && figures.refused.maximum >= 200 &&
            figures.refused.maximum_rank == 2 && figures.nodes_refused.minimum == before + 300,
        "refused requests are counted");
  begin_again();
  context = cadastre_context_create();
  claim(get(half, CADASTRE_HOST, NULL) != NULL && ask_for(CADASTRE_HOST) == CADASTRE_SUCCESS &&
            are(&figures.live, half, half, half, (uint64_t)half * 4, 0, 0) && is_share(figures.live.sum_share, 4.0 * (double)half, memory),
        "a sum may be more than any rank has memory");
  begin_again();
}
static int is_said(const char* words);
static void statistics_that_are_refused(void) {
  cadastre_mpi_statistics_struct untouched;
  memset(&figures, 0x5a, sizeof figures);
  figures.struct_size = sizeof figures;
  untouched = figures;
  claim(cadastre_get_statistics_mpi(MPI_COMM_WORLD, world_rank == 3 ? CADASTRE_MEMORY_TYPE_COUNT : CADASTRE_HOST, &figures) ==
                CADASTRE_INVALID_ARG_2 &&
            is_said("neither a memory type") && memcmp(&figures, &untouched, sizeof figures) == 0,
        "a wrong type on one rank is a failure of all, and changes nothing");
  claim(cadastre_get_statistics_mpi(MPI_COMM_WORLD, world_rank == 1 ? -1 : CADASTRE_HOST, &figures) == CADASTRE_INVALID_ARG_2,
        "so is a negative one");
  claim(cadastre_get_statistics_mpi(MPI_COMM_WORLD, CADASTRE_HOST, world_rank == 1 ? NULL : &figures) == CADASTRE_INVALID_ARG_3 &&
            is_said("NULL") && memcmp(&figures, &untouched, sizeof figures) == 0,
        "and NULL on one");
  if (world_rank == 2) figures.struct_size = 8;
  claim(cadastre_get_statistics_mpi(MPI_COMM_WORLD, CADASTRE_HOST, &figures) == CADASTRE_INVALID_ARG_3 && is_said("struct_size"),
        "and a structure of another size");
  claim(cadastre_get_statistics_mpi(MPI_COMM_NULL, CADASTRE_HOST, &figures) == CADASTRE_INVALID_ARG_1 &&
            cadastre_get_statistics_mpi_f(MPI_Comm_c2f(MPI_COMM_NULL), CADASTRE_HOST, &figures) == CADASTRE_INVALID_ARG_1,
        "MPI_COMM_NULL has no figures");
}

static int has_one_line(void) { return !writes || (strchr(text, '\n') && strchr(text, '\n')[1] == '\0'); }
static void reports_as_json(void) {
  claim(report_as(MPI_COMM_WORLD, CADASTRE_REPORT_JSON) == CADASTRE_SUCCESS && has_one_line() && says("{\"cadastre\":\"") &&
            says("\"schema_version\":1,") && says("\"ranks\":4,\"nodes\":1,\"unread_ranks\":0,") &&
            says("\"outliers\":[],\"holders\":[]}") && says("\"type\":\"resident\"") && says_not("\"HOST\""),
        "a report in JSON is one line, and has what is resident where nothing was allocated");
  context = cadastre_context_create();
  get(MiB * (size_t)(world_rank == 2 ? 9 : 1), CADASTRE_HOST, world_rank == 2 ? "a \"quote\"\n\\ \xff" : NULL);
  claim(
      report_as(MPI_COMM_WORLD, CADASTRE_REPORT_JSON) == CADASTRE_SUCCESS && has_one_line() &&
          says(
              "{\"of\":\"rank\",\"type\":\"HOST\",\"figure\":\"live\",\"count\":4,\"minimum\":1048576,\"mean\":3145728,\"maximum\":9437184,"
              "\"sum\":12582912,\"minimum_rank\":0,\"maximum_rank\":2,\"maximum_host\":\""),
      "it has the figures of ranks");
  claim(says("{\"of\":\"node\",\"type\":\"HOST\",\"figure\":\"peak\",\"count\":1,\"minimum\":12582912,") && says("\"type\":\"all\""),
        "and of nodes, and of all memory types together");
  claim(says("\"outliers\":[{\"type\":\"HOST\",\"above\":4718592,\"count\":1,\"ranks\":[{\"rank\":2,\"host\":\"") &&
            says("\"peak\":9437184}]}"),
        "and outliers");
  claim(says("{\"when\":\"now\",\"type\":\"HOST\",\"rank\":2,\"host\":\"") &&
            says("{\"when\":\"peak\",\"type\":\"all\",\"rank\":2,\"host\":\"") &&
            says("\"bytes\":9437184,\"labels\":[{\"label\":\"a \\\"quote\\\"\\n\\\\ \xef\xbf\xbd\",\"type\":\"HOST\",\"live_blocks\":1,"
                 "\"live_bytes\":9437184}],\"other_labels\":0}"),
        "and who holds the most and held the highest peak, whatever characters a label has");
  claim(cadastre_report_mpi_format(MPI_COMM_WORLD, world_rank == 0 ? stdout : NULL, world_rank == 0 ? 2 : CADASTRE_REPORT_JSON) ==
                CADASTRE_INVALID_ARG_3 &&
            is_said("the format on rank 0"),
        "an unknown format on rank 0 is a failure of all ranks");
  claim(report_as(MPI_COMM_WORLD, world_rank == 0 ? CADASTRE_REPORT_JSON : 7) == CADASTRE_SUCCESS && says("{\"cadastre\":"),
        "and elsewhere is ignored");
  begin_again();
}

static void parts_of_the_world(void) {
  MPI_Comm part = MPI_COMM_NULL, backwards = MPI_COMM_NULL;
  MPI_Request request;
  int got = -1, sent = 7;
  context = cadastre_context_create();
  get(MiB * (size_t)(world_rank + 1), CADASTRE_HOST, world_rank == 3 ? "last" : "other");
  claim(report(MPI_COMM_SELF) == CADASTRE_SUCCESS && says("memory of 1 rank on 1 node,") && most_is_on("over ranks", "HOST", "live", 0),
        "each rank reports on itself");
  PMPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &part);
  claim(report(part) == CADASTRE_SUCCESS && says("memory of 2 ranks on 1 node,") &&
            has("over ranks", "HOST", "live", sum, world_rank == 0 ? "4.00 MiB" : "6.00 MiB", NULL),
        "two parts of the world report at once, each on its own ranks");
  PMPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &backwards);
  claim(report(backwards) == CADASTRE_SUCCESS && (writes == (world_rank == 3)) && most_is_on("over ranks", "HOST", "live", 0) &&
            says("HOST live on rank 0 on ") && says("  last\n"),
        "ranks are those of the communicator, and its rank 0 writes");
  PMPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && got == -1, "no message of a report meets those of the program");
  PMPI_Send(&sent, 1, MPI_INT, (world_rank + 1) % 4, 0, MPI_COMM_WORLD);
  PMPI_Wait(&request, MPI_STATUS_IGNORE);
  claim(got == 7, "which arrive");
  PMPI_Comm_free(&part);
  PMPI_Comm_free(&backwards);
  begin_again();
}

static void messages_do_not_grow(void) {
  long of_one = 0, of_four = 0;
  context = cadastre_context_create();
  get(MiB * (size_t)(world_rank + 1), CADASTRE_HOST, NULL);
  bytes_of_largest = all_to_one = 0;
  report(MPI_COMM_SELF);
  of_one = bytes_of_largest;
  bytes_of_largest = number_of_messages = 0;
  report(MPI_COMM_WORLD);
  of_four = bytes_of_largest;
  claim(of_one > 0 && of_one == of_four && of_four < 24576, "the largest message is as large with four ranks as with one");
  claim(all_to_one == 0 && number_of_messages < 16, "no rank gathers what all have, and messages are few");
  bytes_of_largest = all_to_one = 0;
  number_of_messages = 0;
  ask_for(CADASTRE_HOST);
  claim(all_to_one == 0 && number_of_messages < 16 && bytes_of_largest == of_four, "nor where all have the figures of all");
  claim(made > 0 && made == freed, "each communicator, type and operation is freed");
  begin_again();
}

static int is_said(const char* words) {
  if (strstr(cadastre_mpi_last_error_message(), words)) return 1;
  printf("# rank %d has the message \"%s\"\n", world_rank, cadastre_mpi_last_error_message());
  return 0;
}
static void* call_of_another_thread(void* code) {
  *(cadastre_exit_code*)code = cadastre_report_mpi(MPI_COMM_WORLD, stdout);
  if (!is_said("does not allow calls of this thread")) *(cadastre_exit_code*)code = CADASTRE_SUCCESS;
  return NULL;
}
static void wrong_arguments(void) {
  MPI_Comm half = MPI_COMM_NULL, bridge = MPI_COMM_NULL;
  pthread_t thread;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  claim(cadastre_report_mpi(MPI_COMM_NULL, stdout) == CADASTRE_INVALID_ARG_1 && is_said("MPI_COMM_NULL"), "MPI_COMM_NULL is refused");
  PMPI_Comm_split(MPI_COMM_WORLD, world_rank / 2, world_rank, &half);
  PMPI_Intercomm_create(half, 0, MPI_COMM_WORLD, world_rank < 2 ? 2 : 0, 1, &bridge);
  claim(cadastre_report_mpi(bridge, stdout) == CADASTRE_INVALID_ARG_1 && is_said("an intercommunicator"),
        "an intercommunicator is refused");
  PMPI_Comm_free(&bridge);
  PMPI_Comm_free(&half);
  claim(cadastre_report_mpi(MPI_COMM_WORLD, world_rank == 0 ? NULL : stdout) == CADASTRE_INVALID_ARG_2 &&
            is_said("the file is NULL on rank 0"),
        "without a file on rank 0 all ranks have its failure");
  pthread_create(&thread, NULL, call_of_another_thread, &code);
  pthread_join(thread, NULL);
  claim(code == CADASTRE_NOT_SUPPORTED, "a thread that MPI does not allow is refused");
}
static void full_disk(void) {
  FILE* const full = world_rank == 0 ? fopen("/dev/full", "w") : NULL;
  claim(cadastre_report_mpi(MPI_COMM_WORLD, full) == CADASTRE_ERRNO && is_said("could not write the whole report") &&
            is_said(strerror(ENOSPC)),
        "a full disk is a failure of all ranks, which says so");
  claim(cadastre_report_mpi(MPI_COMM_WORLD, full) == CADASTRE_ERRNO && is_said("error indicator"),
        "so is a stream that had an error before");
  if (full) fclose(full);
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS && is_said("") && cadastre_mpi_last_error_message()[0] == '\0',
        "after a failure the next report is written, and has no message");
}
static void failures_of_mpi(void) {
  call_that_fails = "MPI_Type_contiguous";
  claim(report(MPI_COMM_WORLD) == CADASTRE_FAILURE && is_said("MPI reports an error: "),
        "what fails on rank 2 alone is a failure of all ranks");
  call_that_fails = "MPI_Reduce";
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  claim(report(MPI_COMM_WORLD) == CADASTRE_FAILURE && is_said("MPI reports an error: "),
        "an error of a reduction is an exit code, also where errors of the program are fatal");
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  call_that_fails = "MPI_Comm_split_type";
  claim(report(MPI_COMM_WORLD) == CADASTRE_FAILURE, "so is one of finding the nodes");
  --made; /* what failed made none */
  call_that_fails = "MPI_Comm_dup";
  claim(report(MPI_COMM_WORLD) == CADASTRE_FAILURE, "and one of the duplicate");
  call_that_fails = "";
  ++made;
  claim(made == freed, "nothing is left of these");
  claim(report(MPI_COMM_WORLD) == CADASTRE_SUCCESS, "and the next report is written");
}

int main(int count, char** words) {
  int level = 0, ranks = 0, before, after;
  before = cadastre_report_mpi(MPI_COMM_WORLD, stdout) == CADASTRE_NOT_SUPPORTED && is_said("call this after MPI_Init") &&
           cadastre_report_mpi_to_file_f(0, "/dev/null") == CADASTRE_NOT_SUPPORTED &&
           cadastre_get_statistics_mpi(MPI_COMM_WORLD, CADASTRE_HOST, &figures) == CADASTRE_NOT_SUPPORTED;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &level);
  PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 4) return fprintf(stderr, "mpi_claims needs four ranks: mpirun -n 4 mpi_claims\n"), 2;
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  claim(before, "before MPI_Init a report is refused");
  if (world_rank == 1) setenv("CADASTRE_BLACKBOX", getenv("TMPDIR"), 1);
  figures_of_known_ranks();
  holders_of_a_peak();
  shares();
  reports_as_json();
  outliers_and_refusals();
  holders_by_label();
  statistics_of_known_ranks();
  statistics_that_are_refused();
  parts_of_the_world();
  messages_do_not_grow();
  wrong_arguments();
  full_disk();
  failures_of_mpi();
  MPI_Finalize();
  after = cadastre_report_mpi(MPI_COMM_WORLD, stdout) == CADASTRE_NOT_SUPPORTED && is_said("call this before MPI_Finalize");
  ++claims;
  if (world_rank == 0) printf("%s %d - after MPI_Finalize a report is refused\n1..%d\n", after ? "ok" : "not ok", claims, claims);
  return failed > 0 || !after;
}
