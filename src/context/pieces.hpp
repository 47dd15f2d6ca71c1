// Tangled from org/context/pieces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Memory for workspaces.
#ifndef CADASTRE_SRC_CONTEXT_PIECES_HPP
#define CADASTRE_SRC_CONTEXT_PIECES_HPP

#include "context/workspaces.hpp"

namespace cadastre::internal {

// A piece of memory for a workspace: a block that cadastre_free refuses. Inside again when they return. Where memory is missing only what nobody
// uses is given up for it.
cadastre_exit_code allocate_piece(ContextLock& lock, cadastre_memory_type type, std::size_t size, Order order, Piece& piece) noexcept;
// order: for a stream-ordered piece, the queue that lets it go; else none.
// waited: what came of waiting for the queues that used it. Memory that no free waits for is given up where that failed.
cadastre_exit_code free_piece(ContextLock& lock, const Piece& piece, Order order, cadastre_exit_code waited) noexcept;

}  // namespace cadastre::internal
#endif
