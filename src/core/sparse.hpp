// Tangled from org/core/sparse.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Pages of slabs on which no block lives go back, while other blocks of the slab live on.
#ifndef CADASTRE_SRC_CORE_SPARSE_HPP
#define CADASTRE_SRC_CORE_SPARSE_HPP

#include "core/page_return.hpp"
#include "core/shard.hpp"

namespace cadastre::internal {

// Inside the slab's shard. How often the system was asked.
unsigned return_pages_of(Slab& slab) noexcept;
// Of the slabs of a shard in which nothing happens; does nothing when that was done just now.
void decay_slabs(Shard& shard, PageTime now) noexcept;
inline bool is_due_to_decay(const Shard& shard, PageTime now) noexcept { return static_cast<std::int32_t>(now - shard.next_decay) >= 0; }
// By a substitute, in each shard of a chain; he has left all of them when it returns.
void decay_and_leave(Shard* shards) noexcept;

}  // namespace cadastre::internal
#endif
