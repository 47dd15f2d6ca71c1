// Tangled from org/core/page_blocks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// HOST blocks that are a run of pages each.
#ifndef CADASTRE_SRC_CORE_PAGE_BLOCKS_HPP
#define CADASTRE_SRC_CORE_PAGE_BLOCKS_HPP

#include <cstddef>

#include "core/page_map.hpp"

namespace cadastre::internal {

inline constexpr std::size_t page_block_alignment = page_block_chunk_bytes / 1024;

// size: less than a chunk has. null, where there is none to be had.
void* take_page_block(std::size_t size, bool zero) noexcept;
// Whether an address is in a chunk of such blocks.
inline bool is_page_block(const void* pointer) noexcept {
  return page_map.page_block_chunk_at(reinterpret_cast<std::uintptr_t>(pointer)) != nullptr;
}
// A block's first byte, and its size.
void give_page_block(void* pointer, std::size_t size) noexcept;
// To another size in its place; false, and nothing changed, where there is no room. zero: whether what is added is.
bool resize_page_block(void* pointer, std::size_t size, std::size_t wanted, bool zero) noexcept;

}  // namespace cadastre::internal
#endif
