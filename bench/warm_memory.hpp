// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Memory that the machine has at hand.
#ifndef CADASTRE_BENCH_WARM_MEMORY_HPP
#define CADASTRE_BENCH_WARM_MEMORY_HPP

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace bench {

// While one lives, what this process kept is free; at most one at a time.
class WarmMemory {
 public:
  WarmMemory() {
    if (!kept_) keep();
    if (kept_) munmap(kept_, bytes_);
    kept_ = nullptr;
  }
  WarmMemory(const WarmMemory&) = delete;
  WarmMemory& operator=(const WarmMemory&) = delete;
  ~WarmMemory() { keep(); }

 private:
  // As much as any workload here uses, if the machine has twice as much free.
  static void keep() {
    constexpr std::size_t most = std::size_t{3} << 30;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    bytes_ = std::min(most, static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) / 2 * page);
    void* const pages = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return;
    if (bytes_ < most) std::fprintf(stderr, "bench: only %zu MiB of memory can be kept at hand\n", bytes_ >> 20);
#ifdef MADV_HUGEPAGE
    madvise(pages, bytes_, MADV_HUGEPAGE);
#endif
    for (std::size_t at = 0; at < bytes_; at += page) static_cast<volatile char*>(pages)[at] = 1;
    kept_ = pages;
  }

  inline static void* kept_ = nullptr;
  inline static std::size_t bytes_ = 0;
};

}  // namespace bench
#endif
