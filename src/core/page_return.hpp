// Tangled from org/core/page_return.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the system takes back while its address stays ours, and what it reads as afterwards.
#ifndef CADASTRE_SRC_CORE_PAGE_RETURN_HPP
#define CADASTRE_SRC_CORE_PAGE_RETURN_HPP

#include <cstddef>
#include <cstdint>

namespace cadastre::internal {

// The part that went back; empty where none did. zeroed: it reads as zero now.
struct ReturnedPages {
  std::uintptr_t begin = 0, end = 0;
  bool zeroed = false;
};
ReturnedPages return_pages(std::uintptr_t begin, std::uintptr_t end) noexcept;

// Whether pages that the system takes back are known to read as zero afterwards.
bool returned_pages_read_as_zero() noexcept;

// For claims on machines with other pages: takes a page of the system for larger than it is. 0: as it is.
void assume_system_pages(std::size_t bytes) noexcept;

// A clock whose reading costs little. It may turn over.
using PageTime = std::uint32_t;
PageTime page_time() noexcept;
// How long nothing may happen to pages that nobody uses: half a second.
inline constexpr unsigned page_ticks_of_decay = 8;

}  // namespace cadastre::internal
#endif
