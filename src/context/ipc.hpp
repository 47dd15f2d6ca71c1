// Tangled from org/context/ipc.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that other processes open, and blocks of other processes.
#ifndef CADASTRE_SRC_CONTEXT_IPC_HPP
#define CADASTRE_SRC_CONTEXT_IPC_HPP

#include "context/lock.hpp"

namespace cadastre::internal {

cadastre_exit_code export_block(ContextLock& lock, const void* pointer, cadastre_ipc_handle_struct& written) noexcept;
cadastre_exit_code import_block(ContextLock& lock, const cadastre_ipc_handle_struct& given, void*& pointer) noexcept;
cadastre_exit_code close_import(ContextLock& lock, const void* pointer) noexcept;

}  // namespace cadastre::internal
#endif
