// Tangled from org/backends/host.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// HOST memory from the C library's heap, and for larger blocks runs of pages.
#ifndef CADASTRE_SRC_BACKENDS_HOST_HEAP_HPP
#define CADASTRE_SRC_BACKENDS_HOST_HEAP_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/page_blocks.hpp"

namespace cadastre::internal {

// Blocks from this size are mappings of their own; the heap is for smaller ones.
inline constexpr std::size_t mapped_from = std::size_t{4} << 20;

// What each block on the heap is aligned to, and the least that the heap is asked for: a block of less it may align to less.
inline constexpr std::size_t heap_alignment = alignof(std::max_align_t);

// A pointer of which the compiler knows nothing, lest it drops the question whether what a malloc gave is aligned.
[[gnu::always_inline]] inline void* as_it_came(void* pointer) noexcept {
  asm("" : "+r"(pointer));
  return pointer;
}

inline bool is_aligned(const void* pointer, std::size_t alignment) noexcept {
  return (reinterpret_cast<std::uintptr_t>(pointer) & (alignment - 1)) == 0;
}

// The largest blocks that the C library keeps at hand for each thread.
inline constexpr std::size_t cleared_by_hand = 1032;

// Clears a small block, of one alignment at least; the smallest by stores that may overlap, which saves the call.
[[gnu::always_inline]] inline void clear_small(std::byte* begin, std::size_t bytes) noexcept {
  constexpr std::size_t at_once = 16;
  if (bytes > 4 * at_once) {
    std::memset(begin, 0, bytes);
    return;
  }
  std::byte* const last = begin + bytes - at_once;
  std::memset(begin, 0, at_once);
  std::memset(last, 0, at_once);
  if (bytes <= 2 * at_once) return;
  std::memset(begin + at_once, 0, at_once);
  std::memset(last - at_once, 0, at_once);
}

// Null when the C library refuses. Whether the block is aligned is for the caller to see.
[[gnu::always_inline]] inline void* take_from_heap(std::size_t size, bool zero) noexcept {
  const std::size_t bytes = std::max(size, heap_alignment);
  if (zero && bytes > cleared_by_hand) return as_it_came(std::calloc(1, bytes));
  void* const pointer = as_it_came(std::malloc(bytes));  // lest GCC makes one calloc of malloc and memset, whatever zero is
  if (pointer && zero) clear_small(static_cast<std::byte*>(pointer), bytes);
  return pointer;
}

// Clears a large block without touching its pages, where the system can.
void* clear_by_pages(void* block, std::size_t bytes) noexcept;

// alignment: a power of two, that of the heap at least.
inline void* take_aligned_from_heap(std::size_t size, std::size_t alignment, bool zero) noexcept {
  if (alignment == heap_alignment) return take_from_heap(size, zero);
  void* pointer = nullptr;
  const std::size_t bytes = std::max(size, heap_alignment);
  if (posix_memalign(&pointer, alignment, bytes) != 0) return nullptr;
  if (!zero) return pointer;
  return bytes < mapped_from ? std::memset(pointer, 0, bytes) : clear_by_pages(pointer, bytes);
}

// The functions that such a block goes back to: the process's, or, where those are of an adapter that looks for blocks of contexts in
// what a program frees, the next ones.
inline constinit std::atomic<void (*)(void*)> heap_free = std::free;
inline constinit std::atomic<void* (*)(void*, std::size_t)> heap_realloc = std::realloc;

inline void give_to_heap(void* pointer) noexcept { heap_free.load(std::memory_order_relaxed)(pointer); }

// A block that is no mapping of its own, as a run of pages, where slabs are too small for it; null where it is to be from the heap.
inline void* take_in_pages(std::size_t size, std::size_t alignment, bool zero) noexcept {
  const bool fits = size > largest_in_slab && size < mapped_from && alignment <= page_block_alignment;
  return fits ? take_page_block(size, zero) : nullptr;
}
// Either of these. in_pages: whether it may be a run of pages.
inline void* take_block_of_host(std::size_t size, std::size_t alignment, bool zero, bool in_pages) noexcept {
  void* const pointer = in_pages ? take_in_pages(size, alignment, zero) : nullptr;
  return pointer ? pointer : take_aligned_from_heap(size, alignment, zero);
}
inline bool is_in_pages(const void* pointer, std::size_t size) noexcept { return size > largest_in_slab && is_page_block(pointer); }
inline void give_block_of_host(void* pointer, std::size_t size) noexcept {
  if (is_in_pages(pointer, size)) [[unlikely]]
    return give_page_block(pointer, size);
  give_to_heap(pointer);
}

// Fetches what the C library keeps in front of a block that is about to be given back; any pointer will do.
inline void prefetch_for_heap(const void* pointer) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(pointer) - heap_alignment), 1);
#endif
}

}  // namespace cadastre::internal
#endif
