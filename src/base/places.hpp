// Tangled from org/base/places.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Whether the CPUs of this process lie in one NUMA node. Nothing allocates, throws or takes a lock; errno is left as it was.
#ifndef CADASTRE_SRC_BASE_PLACES_HPP
#define CADASTRE_SRC_BASE_PLACES_HPP

#include <array>
#include <cstddef>
#include <cstdint>

namespace cadastre::internal {

class CpuSet {
 public:
  static constexpr std::size_t most = 8192;

  void add(std::size_t cpu) noexcept {
    if (cpu < most) words_[cpu / 64] |= std::uint64_t{1} << cpu % 64;
  }
  bool has(std::size_t cpu) const noexcept { return cpu < most && words_[cpu / 64] >> cpu % 64 & 1; }
  // The CPUs on which a thread of this process may run; 0: the calling one. False, and nothing changed, where the system does not tell.
  bool add_those_of_thread(int thread) noexcept;

 private:
  std::array<std::uint64_t, most / 64> words_{};
};

// Of all threads of this process; none where the system does not tell.
CpuSet cpus_of_process() noexcept;

// How many nodes may give memory to this process; 0 where that is not known. root: stands before /proc and /sys; for tests.
unsigned memory_nodes(const char* root = "") noexcept;

enum class Places : std::uint8_t { unknown, one, several };
Places places_of(const CpuSet& cpus, const char* root = "") noexcept;

}  // namespace cadastre::internal
#endif
