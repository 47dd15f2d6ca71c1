// Tangled from org/tests/qmckl_gpu_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Adds up numbers in device memory of qmckl_gpu's, in a region of OpenMP that must run on the device or on the host.
#include <cstdio>
#include <cstring>

#include "qmckl_gpu_imitation.h"

// Compiled once for the host, and once for the device. The routine that tells is in a vendor's header.
static int runs_on_host() { return 1; }
#pragma omp begin declare variant match(device = {kind(nohost)})
static int runs_on_host() { return 0; }
#pragma omp end declare variant

int main(int, char** argv) {
  constexpr int count = 1000;
  double numbers[count], sum = 0;
  for (int i = 0; i < count; ++i) numbers[i] = i;
  const qmckl_context_device context = qmckl_context_create_device(0);
  auto* const there = static_cast<double*>(qmckl_malloc_device(context, sizeof numbers));
  if (qmckl_memcpy_H2D_double(context, there, numbers, count) != QMCKL_SUCCESS_DEVICE) return 2;
  int on_host = -1;
#pragma omp target device(0) is_device_ptr(there) map(from : on_host) map(tofrom : sum)
  {
    on_host = runs_on_host();
    for (int i = 0; i < count; ++i) sum += there[i] *= 2;
  }
  if (qmckl_memcpy_D2H_double(context, numbers, there, count) != QMCKL_SUCCESS_DEVICE) return 3;
  if (on_host != (std::strcmp(argv[1], "host") == 0)) return std::puts("the region ran elsewhere"), 4;
  if (imitation_gpu_own_blocks() != 0) return std::puts("the library's own layer answered"), 5;
  if (sum != 999000 || numbers[count - 1] != 1998) return 6;
  return qmckl_context_destroy_device(context) == QMCKL_SUCCESS_DEVICE ? 0 : 7;
}
