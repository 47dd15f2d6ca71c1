/* Tangled from org/tests/qmckl_gpu_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses a library of qmckl_gpu's functions that is in no scope but its own: argument 1. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

#include "qmckl_gpu_imitation.h"

static void* library;

/* POSIX lets dlsym's answer be used as a function; C does not let it be cast. */
static int find(const char* name, void* function) {
  *(void**)function = dlsym(library, name);
  return *(void**)function != NULL;
}

int main(int argc, char** argv) {
  qmckl_context_device (*create)(int);
  qmckl_exit_code_device (*destroy)(qmckl_context_device);
  qmckl_exit_code_device (*set)(qmckl_context_device, const double*, int64_t);
  qmckl_exit_code_device (*get)(qmckl_context_device, double*);
  int64_t (*own_blocks)(void);
  const double numbers[3] = {1, 2, 4};
  double sum = 0;
  library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library || !find("qmckl_context_create_device", &create) || !find("qmckl_context_destroy_device", &destroy) ||
      !find("qmckl_set_numbers_device", &set) || !find("qmckl_get_numbers_sum_device", &get) ||
      !find("imitation_gpu_own_blocks", &own_blocks)) {
    return puts("the library lacks something"), 1;
  }
  const qmckl_context_device context = create(0);
  if (set(context, numbers, 3) != QMCKL_SUCCESS_DEVICE) return puts("the numbers were not set"), 1;
  if (get(context, &sum) != QMCKL_SUCCESS_DEVICE || sum != 7) return puts("the sum is wrong"), 1;
  if (destroy(context) != QMCKL_SUCCESS_DEVICE) return puts("the context was not destroyed"), 1;
  if (own_blocks() != 0) return puts("the library's own layer answered"), 1;
  return 0;
}
