// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How much memory a block takes, with all that is remembered of it.
#ifndef CADASTRE_BENCH_BYTES_HPP
#define CADASTRE_BENCH_BYTES_HPP

#include <unistd.h>

#include <cstdio>

#include "blocks.hpp"

namespace bench {

inline double bytes_in_memory() {
  unsigned long pages = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%*u %lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// The table of blocks is touched before, so that it does not count.
template <class Way, class... How>
double bytes_per_block(std::size_t count, How... how) {
  std::vector<void*> blocks(count, &blocks);
  malloc_trim(0);
  const double before = bytes_in_memory();
  Way way(how...);
  for (void*& block : blocks) block = filled(way, block_size, Contents::any);
  const double bytes = (bytes_in_memory() - before) / static_cast<double>(count);
  for (void* const block : blocks) way.deallocate(block, block_size);
  return bytes;
}

}  // namespace bench
#endif
