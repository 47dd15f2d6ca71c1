// Tangled from org/core/size_class.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Sizes of blocks in slabs: which class a request belongs to, and how large a slab of it is.
#ifndef CADASTRE_SRC_CORE_SIZE_CLASS_HPP
#define CADASTRE_SRC_CORE_SIZE_CLASS_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace cadastre::internal {

using SizeClass = unsigned;

inline constexpr std::size_t page_bytes = 4096;  // of slabs, whatever a page of the system is
inline constexpr std::size_t class_step = 16;
inline constexpr std::size_t largest_fine = 1024, largest_in_slab = std::size_t{256} << 10;
inline constexpr SizeClass fine_classes = largest_fine / class_step + 1;  // the first is for blocks of 0 bytes
inline constexpr SizeClass classes_in_octave = 8;
inline constexpr SizeClass size_classes = fine_classes + classes_in_octave * std::countr_zero(largest_in_slab / largest_fine);

constexpr std::size_t size_of_class(SizeClass number) noexcept {
  if (number < fine_classes) return std::max(number, 1u) * class_step;
  const SizeClass octave = (number - fine_classes) / classes_in_octave, step = (number - fine_classes) % classes_in_octave;
  return (std::size_t{classes_in_octave} + 1 + step) << (octave + 7);
}

// size: at most largest_in_slab.
constexpr SizeClass class_of_size(std::size_t size) noexcept {
  if (size <= largest_fine) [[likely]]
    return static_cast<SizeClass>((size + class_step - 1) / class_step);
  const auto octave = static_cast<SizeClass>(std::bit_width(size - 1)) - 11;
  return fine_classes + classes_in_octave * octave + static_cast<SizeClass>((size - 1) >> (octave + 7)) - classes_in_octave;
}

// A slab begins at a page, so that each block of it lies at a multiple of whatever divides the size, up to a page.
constexpr std::size_t alignment_of_class(SizeClass number) noexcept {
  const std::size_t size = size_of_class(number);
  return std::min(size & (~size + 1), page_bytes);
}

inline constexpr unsigned most_blocks = page_bytes;  // in a slab
inline constexpr unsigned largest_slab_pages = 256;

struct SlabShape {
  std::uint32_t pages, blocks;
};

// A context that has few blocks of a class has a small slab; each further one is twice as large, up to a bound.
constexpr SlabShape slab_shape(SizeClass number, unsigned slabs_before) noexcept {
  const std::size_t size = size_of_class(number), least = number < fine_classes ? page_bytes : 4 * size;
  const std::size_t most = number < fine_classes ? 16 * page_bytes : std::min<std::size_t>(64 * size, largest_slab_pages * page_bytes);
  const std::size_t wanted = std::min(least << std::min(slabs_before, 8u), most);
  const std::size_t pages = (wanted + page_bytes - 1) / page_bytes;
  return {static_cast<std::uint32_t>(pages), static_cast<std::uint32_t>(pages * page_bytes / size)};
}

}  // namespace cadastre::internal
#endif
