// Tangled from org/registry/in_slab.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a locked call allocates in a slab, and how it moves a block from one slab to another.
#ifndef CADASTRE_SRC_REGISTRY_IN_SLAB_HPP
#define CADASTRE_SRC_REGISTRY_IN_SLAB_HPP

#include <cstddef>

#include "base/record.hpp"
#include "cadastre.h"
#include "registry/registry.hpp"

namespace cadastre::internal {

// A block in a slab whose bytes were reserved, filed and counted; null where it cannot be one, or there is no memory.
void* allocate_in_slab(Registry& registry, const cadastre_memory_info_struct& info, OriginNumber origin, cadastre_context context) noexcept;
// The same in place of another, whose first bytes are copied, and which is gone then. Null, and nothing changed, if not.
void* move_in_slab(Registry& registry, const Record& old, std::size_t size, cadastre_context context) noexcept;

}  // namespace cadastre::internal
#endif
