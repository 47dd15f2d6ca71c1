/* Tangled from org/examples/port.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* A user of the ported library with an array on a device. */
#include <math.h>
#include <stdio.h>

#include "gto.h"

static gto_exit_code go_by_device(gto_context context, double* there, double* result) {
  static const double center[3] = {0, 0, 0}, exponent[1] = {1}, points[9] = {0, 0, 0, 1, 0, 0, 0, 2, 0};
  gto_exit_code code = gto_set_shells(context, 1, center, exponent);
  if (code == GTO_SUCCESS) code = gto_set_points(context, 3, points);
  if (code == GTO_SUCCESS) code = gto_get_values(context, there, 3); /* to the device */
  if (code == GTO_SUCCESS) code = gto_set_points(context, 1, there); /* from the device */
  return code == GTO_SUCCESS ? gto_get_values(context, result, 1) : code;
}

int main(void) {
  const gto_context context = gto_context_create();
  const gto_memory_info info = {.size = 3 * sizeof(double), .type = CADASTRE_DEVICE};
  double* const there = gto_malloc(context, info);
  double result = 0;
  if (!there || go_by_device(context, there, &result) != GTO_SUCCESS) {
    printf("%s\n", gto_last_error(context));
    gto_context_destroy(context);
    return 1;
  }
  const double expected = exp(-(1 + exp(-2) + exp(-8))); /* the point is (1, exp(-1), exp(-4)) */
  if (!(fabs(result - expected) < 1e-14)) return 1;
  printf("the values went to a device and came back\n");
  return gto_free(context, there) == GTO_SUCCESS && gto_context_destroy(context) == GTO_SUCCESS ? 0 : 1;
}
