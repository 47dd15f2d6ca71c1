// Tangled from org/context/queue_cache.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that are cached by queue.
#ifndef CADASTRE_SRC_CONTEXT_QUEUE_CACHE_HPP
#define CADASTRE_SRC_CONTEXT_QUEUE_CACHE_HPP

#include "cadastre.h"

namespace cadastre::internal {

// A block from the cache of the calling thread, in the order of a queue, and back there; null, or false, and nothing changed, where a locked call has to
// do it. Not for a handler of signals. A vendor may be called, so no lock is held.
void* malloc_from_cache(cadastre_context context, const cadastre_memory_info_struct& info, cadastre_queue queue) noexcept;
bool free_into_cache(cadastre_context context, const void* pointer, cadastre_queue queue) noexcept;

}  // namespace cadastre::internal
#endif
