// Tangled from org/context/cache_moves.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that come to a thread's cache, or go, without being cached there.
#ifndef CADASTRE_SRC_CONTEXT_CACHE_MOVES_HPP
#define CADASTRE_SRC_CONTEXT_CACHE_MOVES_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/label.hpp"
#include "cadastre.h"

namespace cadastre::internal {

// What a request is for that a cache of the calling thread serves, but has no block for.
struct MoveWanted {
  cadastre_context context;
  std::size_t size;
  OriginNumber label;
  cadastre_queue handle;
  std::uint64_t identity;
  // Of the cache.
  cadastre_memory_type type;
  const std::atomic<bool>* pool;
};

// A block from the pool, or that the thread has cached in another context; null, and nothing changed, where it takes a locked call. Outside, and while the queue is
// not captured.
void* move_here(const MoveWanted& wanted) noexcept;
// A block that was freed on the default queue, and for which the cache has no room, to the pool; false, and nothing changed, where it takes a locked call.
bool move_to_pool(cadastre_context context, const void* pointer, cadastre_memory_type type) noexcept;

}  // namespace cadastre::internal
#endif
