// Tangled from org/base/out_of_memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The caller's functions that are asked before a request is refused for want of memory.
#ifndef CADASTRE_SRC_BASE_OUT_OF_MEMORY_HPP
#define CADASTRE_SRC_BASE_OUT_OF_MEMORY_HPP

#include "base/accounting.hpp"
#include "base/vocabulary.hpp"

namespace cadastre::internal {

// Sets the function of an account, null for none, and waits for calls of the one before by other threads. False where the host has no memory for
// it; then nothing has changed. To be called with no lock held, as all of these.
bool set_out_of_memory_function(SharedAccount& account, cadastre_out_of_memory_function function, void* user_data) noexcept;

// Whether there may be one to ask.
bool was_any_out_of_memory_function_set() noexcept;
// Asks the functions of an account and of those above it, the nearest first, until one says that the request is to be tried again. None where the
// calling thread is in such a function.
bool ask_out_of_memory_functions(const SharedAccount& account, const cadastre_out_of_memory_struct& request) noexcept;

// In the child of a fork: calls of other threads are not there.
void forget_calls_of_others() noexcept;

}  // namespace cadastre::internal
#endif
