// Tangled from org/context/pieces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/pieces.hpp"

#include "base/error.hpp"
#include "context/allocate.hpp"
#include "context/borrow.hpp"
#include "context/free.hpp"

namespace cadastre::internal {

cadastre_exit_code allocate_piece(ContextLock& lock, cadastre_memory_type type, std::size_t size, Order order, Piece& piece) noexcept {
  Context& context = lock.context();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.alignment = workspace_alignment(context.sources(), type);
  info.flags = CADASTRE_UNINITIALIZED;
  info.label = workspace_label;
  void* pointer = nullptr;
  const cadastre_exit_code code = allocate(lock, info, order, pointer, false, Effort::give_up);
  if (code != CADASTRE_SUCCESS) return code;
  context.registry().mark_workspace(pointer, true);
  piece = {.begin = static_cast<std::byte*>(pointer), .size = size};
  return CADASTRE_SUCCESS;
}

cadastre_exit_code free_piece(ContextLock& lock, const Piece& piece, Order order, cadastre_exit_code waited) noexcept {
  Context& context = lock.context();
  if (piece.origin == Origin::part) return CADASTRE_SUCCESS;
  // One that was allocated stays marked, by which a trace tells it from a block of the user's that was freed.
  if (piece.origin != Origin::allocated) context.registry().mark_workspace(piece.begin, false);
  if (piece.origin == Origin::block) return CADASTRE_SUCCESS;
  if (piece.origin == Origin::recorded) return return_borrowed(context, piece.begin);
  const Record record = *context.registry().at(piece.begin);
  Hidden hidden;
  withdraw(context.registry(), record, hidden);
  const cadastre_exit_code code = lock.unlocked([&] { return free_unless_in_use(context, record, order, waited); });
  conclude_free(context.registry(), record, hidden, code);
  return code != CADASTRE_SUCCESS ? code : waited;
}

}  // namespace cadastre::internal
