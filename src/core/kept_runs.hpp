// Tangled from org/core/kept_runs.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Mappings for large blocks, from memory that such blocks have left, and from the system.
#ifndef CADASTRE_SRC_CORE_KEPT_RUNS_HPP
#define CADASTRE_SRC_CORE_KEPT_RUNS_HPP

#include <cstddef>
#include <cstdint>

#include "base/places.hpp"
#include "core/page_return.hpp"

namespace cadastre::internal {

inline constexpr std::size_t granule_bytes = std::size_t{2} << 20;

struct LargeMapping {
  void* begin = nullptr;  // null: the system refuses, and errno says why
  std::size_t dirty = 0;  // so many of its first bytes may be other than zero
  std::uint16_t tag = 0;  // what is to be known of it later: less than tags
  static constexpr std::uint16_t tags = 512;
};

// Whole pages of zeros at a multiple of the alignment; null, with errno, when the system refuses.
void* map_pages(std::size_t length, std::size_t alignment) noexcept;
// Gives them back when something else was refused: null, and errno says still why.
void* drop_pages(void* begin, std::size_t bytes) noexcept;
void ask_for_huge_pages(void* begin, std::size_t length) noexcept;

// length: whole pages. alignment: a power of two; it lies at a multiple of a granule at least.
LargeMapping map_large(std::size_t length, std::size_t alignment) noexcept;
// How long a mapping is that was asked for with a length.
std::size_t mapped_length(std::size_t length, std::uint16_t tag) noexcept;
// False, with errno, and nothing changed, where the system refuses.
bool unmap_large(void* begin, std::size_t length, std::uint16_t tag) noexcept;
// A mapping of one piece to another size; null, with errno, and nothing changed, where the system refuses.
void* remap_large(void* begin, std::size_t length, std::uint16_t tag, std::size_t wanted) noexcept;

// Gives back what is more than so many bytes, of age at least. Whether there was any.
bool give_up_kept_runs(std::size_t most = 0, PageTime now = 0, unsigned age = 0) noexcept;
void decay_kept_runs(PageTime now) noexcept;

std::size_t kept_run_bytes() noexcept;
std::size_t large_block_bytes() noexcept;
// While nobody works.
bool check_kept_runs() noexcept;
// For claims: takes the process for one on so many places; unknown: as it is.
void assume_places(Places places) noexcept;

}  // namespace cadastre::internal
#endif
