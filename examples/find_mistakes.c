/* Tangled from org/examples/find_mistakes.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program says of its mistakes with memory, and how it goes on: each is refused, and the context explains it.
 *
 *   cc find_mistakes.c $(pkg-config --cflags --libs cadastre) -o find_mistakes
 *
 * What is for people, with addresses and with what to do, is on the standard error; and on the standard output:
 *
 *   $ ./find_mistakes
 *   a free of a row instead of the matrix: INSIDE_BLOCK, 24 bytes inside a block of 800
 *   a copy of the matrix into the vector: OUT_OF_BOUNDS, 800 bytes, and the block has 80
 *   a free in another library's context: OTHER_CONTEXT
 *   a second free: ALREADY_FREED
 *   a vector beyond the limit: LIMIT_EXCEEDED, 40000 bytes, with 800 of 10000 in use
 *   left at the end: 1 block, 800 bytes, most of them "matrix"
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cadastre.h>
#include <stdio.h>

/* What an application writes once, and calls where a call of the library was refused. The numbers are for programs; the
 * message has them in words, with addresses, and says what to do. */
static void explain(cadastre_context context, const char* attempt) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  if (cadastre_last_error(context, &error) != CADASTRE_SUCCESS) return;
  printf("%s: %s", attempt, cadastre_string_of_reason(error.reason));
  switch (error.reason) {
    case CADASTRE_REASON_INSIDE_BLOCK: printf(", %zu bytes inside a block of %zu", error.offset, error.size); break;
    case CADASTRE_REASON_OUT_OF_BOUNDS: printf(", %zu bytes, and the block has %zu", error.requested, error.size); break;
    case CADASTRE_REASON_LIMIT_EXCEEDED: printf(", %zu bytes, with %zu of %zu in use", error.requested, error.in_use, error.limit); break;
    default: break;
  }
  printf("\n");
  fprintf(stderr, "%s: %s\n", attempt, error.message);
}

static double* numbers(cadastre_context context, size_t count, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = count * sizeof(double);
  info.label = label; /* messages and reports name the block by it */
  double* const block = cadastre_malloc(context, info);
  if (!block) explain(context, label);
  return block;
}

/* Each of these is a mistake; what is refused has changed nothing. Returns how many were not refused. */
static int make_mistakes(cadastre_context context, cadastre_context another, double* vector, double* matrix) {
  int missed = 0;
  if (cadastre_free(context, matrix + 3) == CADASTRE_SUCCESS) ++missed;
  explain(context, "a free of a row instead of the matrix");

  if (cadastre_memcpy(context, vector, matrix, 100 * sizeof(double)) == CADASTRE_SUCCESS) ++missed;
  explain(context, "a copy of the matrix into the vector");

  if (cadastre_free(another, vector) == CADASTRE_SUCCESS) ++missed;
  explain(another, "a free in another library's context");

  if (cadastre_free(context, vector) != CADASTRE_SUCCESS) ++missed;
  if (cadastre_free(context, vector) == CADASTRE_SUCCESS) ++missed;
  explain(context, "a second free");

  /* So a limit is met in a test, and not on the day of the large run. */
  if (cadastre_set_limit(context, CADASTRE_HOST, 10000) != CADASTRE_SUCCESS) ++missed;
  if (numbers(context, 5000, "a vector beyond the limit")) ++missed;
  return missed;
}

int main(void) {
  int status = 1;
  const cadastre_context context = cadastre_context_create(), another = cadastre_context_create();
  if (context == CADASTRE_NULL_CONTEXT || another == CADASTRE_NULL_CONTEXT) {
    explain(CADASTRE_NULL_CONTEXT, "no context"); /* there is none to ask: the error is the thread's */
    goto end;
  }
  double* const vector = numbers(context, 10, "vector");
  double* const matrix = numbers(context, 100, "matrix");
  if (vector && matrix) status = make_mistakes(context, another, vector, matrix);

end:
  if (another != CADASTRE_NULL_CONTEXT && cadastre_context_destroy(another) != CADASTRE_SUCCESS) status = 1;
  if (context != CADASTRE_NULL_CONTEXT) {
    /* The matrix was not freed: the context frees it, and names it. */
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    if (cadastre_context_destroy_with_summary(context, &summary) != CADASTRE_SUCCESS) status = 1;
    printf("left at the end: %lld block, %zu bytes, most of them \"%s\"\n", (long long)summary.live_blocks, summary.live_bytes,
           summary.largest_label);
  }
  return status;
}
