// Tangled from org/base/huge_pages.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Which huge pages the machine has. Nothing allocates, throws or takes a lock. root: stands before /proc and /sys; for tests.
#ifndef CADASTRE_SRC_BASE_HUGE_PAGES_HPP
#define CADASTRE_SRC_BASE_HUGE_PAGES_HPP

#include <cstddef>
#include <cstdint>

#include "base/error.hpp"

namespace cadastre::internal {

// Such as 2 MiB.
Text size_text(std::size_t bytes) noexcept;

struct ReservedPages {
  bool known = false;  // the system has pages of this size, which does not say that any is reserved
  std::size_t total = 0, free = 0;
};
ReservedPages reserved_pages(std::size_t page, const char* root = "") noexcept;
// Which sizes there are, such as "2 MiB, 1 GiB"; empty where the system does not tell.
Text sizes_of_reserved_pages(const char* root = "") noexcept;
// How an administrator reserves such pages.
Text how_to_reserve(std::size_t page) noexcept;

enum class Transparent : std::uint8_t { unknown, never, on_request, always };
// Whether this process gets transparent huge pages.
Transparent transparent_huge_pages(const char* root = "") noexcept;
// The same of memory that it shares.
Transparent transparent_shared_pages(const char* root = "") noexcept;
// Bytes of such a page.
std::size_t transparent_page_size(const char* root = "") noexcept;

}  // namespace cadastre::internal
#endif
