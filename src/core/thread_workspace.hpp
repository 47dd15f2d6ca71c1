// Tangled from org/core/thread_workspace.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Where a thread leases the memory of an idle workspace inside its shard, without the context lock.
#ifndef CADASTRE_SRC_CORE_THREAD_WORKSPACE_HPP
#define CADASTRE_SRC_CORE_THREAD_WORKSPACE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace cadastre::internal {

// What lies there is written by the thread of its shard, inside; and by who is alone in that shard.
struct ThreadWorkspace {
  std::byte* begin = nullptr;
  std::size_t size = 0;
  std::size_t granularity = 64;  // a power of two
  bool is_default = false;       // whether it is that of the context's natural memory type, too
  std::int64_t lease = 0;        // that is out; 0: none
  std::size_t leased = 0;        // its bytes
  std::size_t most = 0;          // that were out at once
  std::int64_t first_lease = 0, next_lease = 0;

  // Leases at once, or not at all: false, and nothing changed. pointers: as many as sizes.
  [[gnu::always_inline]] inline bool acquire(std::size_t n, const std::size_t* sizes, void** pointers, std::int64_t& number) noexcept {
    if (lease != 0) [[unlikely]]
      return false;
    std::size_t left = size;
    for (std::size_t i = 0; i < n; ++i) {
      if (sizes[i] > left || rounded(sizes[i]) > left) [[unlikely]]
        return false;
      left -= rounded(sizes[i]);
    }
    std::byte* next = begin;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t bytes = sizes[i];
      pointers[i] = bytes == 0 ? nullptr : next;
      next += rounded(bytes);
    }
    leased = size - left;
    most = std::max(most, leased);
    number = lease = next_lease++;
    return true;
  }
  // Ends that lease, likewise.
  [[gnu::always_inline]] inline bool take_back(std::int64_t number) noexcept {
    if (number != lease || number == 0) [[unlikely]]
      return false;
    lease = 0;
    return true;
  }

 private:
  std::size_t rounded(std::size_t bytes) const noexcept { return (bytes + (granularity - 1)) & ~(granularity - 1); }
};

}  // namespace cadastre::internal
#endif
