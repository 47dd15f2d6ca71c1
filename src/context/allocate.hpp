// Tangled from org/context/allocate.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A block is allocated.
#ifndef CADASTRE_SRC_CONTEXT_ALLOCATE_HPP
#define CADASTRE_SRC_CONTEXT_ALLOCATE_HPP

#include "context/lock.hpp"
#include "context/reclaim.hpp"

namespace cadastre::internal {

// order: the queue that the block is allocated on, for a stream-ordered one.
// strided: the block needs a stride that fits.
// effort: what is done where memory is missing.
cadastre_exit_code allocate(ContextLock& lock, const cadastre_memory_info_struct& info, Order order, void*& pointer, bool strided,
                            Effort effort) noexcept;

// Fills in of a record what the caller decides.
cadastre_exit_code describe_for_record(const cadastre_memory_info_struct& info, Record& record) noexcept;

// The share in the pool for memory from there that was admitted, made where it is missing; null where none is wanted or can be had.
PoolUse* share_for(Context& context, Backend& source, cadastre_memory_type type, std::int32_t device) noexcept;

}  // namespace cadastre::internal
#endif
