/* Tangled from org/examples/port.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* A user of the library, before the port and after it: program [double-free | leak] */
#include <stdio.h>
#include <string.h>

#include "gto.h"

enum { shells = 4, points = 1000 };

static void* scratch(gto_context context) {
  const gto_memory_info info = {.size = 800};
  return gto_malloc(context, info);
}

static gto_exit_code sum_of_values(gto_context context, double* sum) {
  static double center[3 * shells], exponent[shells], point[3 * points], value[shells * points];
  for (int s = 0; s < shells; ++s) {
    center[3 * s] = s;
    exponent[s] = 0.5 * (s + 1);
  }
  for (int p = 0; p < points; ++p) point[3 * p] = 0.004 * p;
  gto_exit_code code = gto_set_shells(context, shells, center, exponent);
  if (code == GTO_SUCCESS) code = gto_set_points(context, points, point);
  if (code == GTO_SUCCESS) code = gto_get_values(context, value, shells * points);
  for (int i = 0; i < shells * points; ++i) *sum += value[i];
  return code;
}

int main(int argc, char** argv) {
  const char* const wish = argc > 1 ? argv[1] : "";
  const gto_context context = gto_context_create();
  double sum = 0;
  if (context == GTO_NULL_CONTEXT || sum_of_values(context, &sum) != GTO_SUCCESS) {
    printf("%s\n", gto_last_error(context));
    gto_context_destroy(context);
    return 1;
  }
  printf("sum of values: %.9f\n", sum);
  if (strcmp(wish, "double-free") == 0) {
    void* const array = scratch(context);
    if (gto_free(context, array) != GTO_SUCCESS || gto_free(context, array) == GTO_SUCCESS) return 1;
    printf("%s\n", gto_last_error(context));
  }
  if (strcmp(wish, "leak") == 0 && !scratch(context)) return 1;
  return gto_context_destroy(context) == GTO_SUCCESS ? 0 : 1;
}
