// Tangled from org/context/borrow.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Looking up blocks, and memory of the caller's that is recorded.
#ifndef CADASTRE_SRC_CONTEXT_BORROW_HPP
#define CADASTRE_SRC_CONTEXT_BORROW_HPP

#include "context/lock.hpp"

namespace cadastre::internal {

cadastre_exit_code describe(Context& context, const void* pointer, cadastre_memory_info_struct* info) noexcept;
cadastre_exit_code tell_allocated_size(Context& context, const void* pointer, std::size_t* actual) noexcept;
cadastre_exit_code locate(Context& context, const void* address, cadastre_memory_info_struct* info, std::size_t* offset) noexcept;
// also: flags that the record has beside.
cadastre_exit_code borrow(ContextLock& lock, const cadastre_memory_info_struct& info, cadastre_flags also = 0) noexcept;
cadastre_exit_code return_borrowed(Context& context, const void* pointer) noexcept;

}  // namespace cadastre::internal
#endif
