// Tangled from org/context/free.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A block is freed.
#ifndef CADASTRE_SRC_CONTEXT_FREE_HPP
#define CADASTRE_SRC_CONTEXT_FREE_HPP

#include "context/lock.hpp"

namespace cadastre::internal {

// order: the queue that lets the block go; none: all have to be done with it.
// serial: null, or where to write the number of the block that left the registry.
cadastre_exit_code free_block(ContextLock& lock, void* pointer, Order order, std::uint64_t* serial = nullptr) noexcept;

// The steps of a free. Takes a block out of the registry, or hides it there until it is known what became of it.
void withdraw(Registry& registry, const Record& record, Hidden& hidden) noexcept;
// Outside.
cadastre_exit_code free_in_backend(Context& context, const Record& record, Order order) noexcept;
// What becomes in the registry of a block that was withdrawn and that its backend was asked to free.
void conclude_free(Registry& registry, const Record& record, Hidden& hidden, cadastre_exit_code code) noexcept;

}  // namespace cadastre::internal
#endif
