// Tangled from org/tests/plain_free_programs.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Frees blocks by delete; says how many were counted.
#include <cstdio>
#include <memory>

#include "cadastre.h"

int main() {
  const cadastre_context context = cadastre_context_create();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 100 * sizeof(double);
  info.label = "deleted";
  for (int i = 0; i < 10; ++i) delete static_cast<double*>(cadastre_malloc(context, info));
  for (int i = 0; i < 10; ++i) delete[] static_cast<double*>(cadastre_malloc(context, info));
  {
    const std::unique_ptr<char[]> mine(new char[100]);
  }
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  cadastre_get_statistics(context, CADASTRE_HOST, &statistics);
  std::printf("%d of %d\n", static_cast<int>(statistics.untracked_deallocations), static_cast<int>(statistics.allocations));
  return cadastre_context_destroy(context);
}
