// Tangled from org/context/refusals.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a pointer, a label, a limit.
#ifndef CADASTRE_SRC_CONTEXT_REFUSALS_HPP
#define CADASTRE_SRC_CONTEXT_REFUSALS_HPP

#include <cstddef>

#include "base/error.hpp"
#include "registry/registry.hpp"

namespace cadastre::internal {

// A failure that concerns a record.
Failure about(const Record& record, cadastre_exit_code code, cadastre_reason reason, const void* pointer) noexcept;
// Fails with what is wrong with a pointer that is no block's.
cadastre_exit_code refuse_unknown(Registry& registry, const void* pointer) noexcept;
// The record of a block that a caller may free or resize; fails with what is wrong with the pointer.
cadastre_exit_code find_owned(Registry& registry, const void* pointer, Record& record) noexcept;
// pointer: what was asked about; null where it was no block's.
cadastre_exit_code refuse_damaged(const Damage& damage, const void* pointer) noexcept;

// Fails because the host has no memory for the library's own records. And whether that is what a call has failed for.
cadastre_exit_code no_memory_for_records() noexcept;
inline bool is_want_of_records(cadastre_exit_code code) noexcept {
  return code != CADASTRE_SUCCESS && failed_last().reason == CADASTRE_REASON_OUT_OF_HOST_MEMORY;
}

// Fails because a handler of signals asks while its thread is inside the library.
cadastre_exit_code refuse_interrupted() noexcept;

// Whether a text may be a label, or is none.
bool is_label(const char* text) noexcept;
cadastre_exit_code refuse_label(cadastre_memory_type type) noexcept;

// Fails because of a limit. own: the account of the context that was asked. instead_of: bytes of the same block that those asked for
// would take the place of.
cadastre_exit_code over_limit(const SharedAccount& own, cadastre_memory_type type, std::size_t asked, std::size_t instead_of,
                              const Refusal& refusal) noexcept;

}  // namespace cadastre::internal
#endif
