// Tangled from org/tests/host_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the system says of the memory of this process.
#ifndef CADASTRE_TESTS_PROCESS_MEMORY_HPP
#define CADASTRE_TESTS_PROCESS_MEMORY_HPP

#include <unistd.h>

#include <cstddef>
#include <cstdio>

// Bytes; zeros where it does not tell.
struct ProcessMemory {
  std::size_t address_space = 0, resident = 0;
};

inline ProcessMemory process_memory() {
  ProcessMemory memory;
  std::size_t total = 0, resident = 0;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu %zu", &total, &resident) == 2) memory = {total * page, resident * page};
    std::fclose(file);
  }
  return memory;
}

#endif
