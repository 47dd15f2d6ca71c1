// Tangled from org/backends/registered.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Backends that the program supplies as a table of operations.
#ifndef CADASTRE_SRC_BACKENDS_REGISTERED_HPP
#define CADASTRE_SRC_BACKENDS_REGISTERED_HPP

#include "backends/backend.hpp"

namespace cadastre::internal {

// Both fail as the public functions that call them do. number is left as it is on failure.
cadastre_exit_code register_backend(const char* name, const cadastre_backend_operations_struct* operations, void* content,
                                    cadastre_backend& number) noexcept;
cadastre_exit_code unregister_backend(cadastre_backend number) noexcept;

}  // namespace cadastre::internal
#endif
