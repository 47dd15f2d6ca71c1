// Tangled from org/core/slow_path.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a call inside a shard does when the shard cannot serve it as it is.
#ifndef CADASTRE_SRC_CORE_SLOW_PATH_HPP
#define CADASTRE_SRC_CORE_SLOW_PATH_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/heap.hpp"

namespace cadastre::internal {

// Each function returns with the caller still inside.
enum class Room : std::uint8_t { found, no_memory, refused };
// Tells a checker of memory that a block is its user's from now on, and what is behind it in its place is not. shown: so many of its
// first bytes were his before.
void show_block(const Slab& slab, std::uintptr_t begin, std::size_t size, std::uint64_t traits, std::size_t shown = 0) noexcept;
// Makes room for a block of a class: a slab, numbers, bytes.
Room make_room(Shard& shard, std::size_t size, SizeClass size_class, cadastre_context context, Slab*& slab) noexcept;
// not_shared: others than its owner do not free in the slab yet, or the calling thread has no shard. empties: it was freed, and many
// slabs are empty now.
enum class Freed : std::uint8_t { yes, unknown, not_shared, empties };
// Frees any block of the shard's context, whose slab others may free in, too.
Freed free_any(Shard& shard, Slab& slab, std::uintptr_t address) noexcept;
// Files a block that the C library's heap has just given, of which all but its number is said; false, and nothing changed, where that takes a
// locked call.
bool file_alone(Shard& shard, Record& block) noexcept;
// Draws numbers of an allocation and of a deallocation, if there are none.
void make_numbers_ready(Shard& shard) noexcept;
// Leaves no more claimed beside what lives than the shard may have: nothing where a limit was set below what lives, since who frees a
// block then must not get another in its place, and nothing where somebody waits for bytes.
// known: its slack, where that was renewed.
void return_excess(Shard& shard, std::optional<std::int64_t> known = std::nullopt) noexcept;
// Gives a block of a slab of the shard another size where it is, and says what its word was; false, and nothing changed,
// where that cannot be, or a limit refuses.
bool resize_any(Shard& shard, Slab& slab, std::uintptr_t address, std::size_t size, std::uint64_t& word) noexcept;

}  // namespace cadastre::internal
#endif
