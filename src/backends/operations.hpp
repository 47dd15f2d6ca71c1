// Tangled from org/backends/operations.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a program's table of operations must be, and how an operation of it is called.
#ifndef CADASTRE_SRC_BACKENDS_OPERATIONS_HPP
#define CADASTRE_SRC_BACKENDS_OPERATIONS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "backends/backend.hpp"
#include "base/lock.hpp"

namespace cadastre::internal {

using Operations = cadastre_backend_operations_struct;
using Alignments = std::array<std::size_t, memory_types>;  // the largest, of each memory type that is served

inline constexpr std::size_t longest_backend_name = 63;

// These fail as the registration of a backend does.
cadastre_exit_code refuse_registration(cadastre_exit_code code, const Text& detail) noexcept;
cadastre_exit_code check_name(const char* name) noexcept;
// Copies a caller's table, which is then one that can be used.
cadastre_exit_code read_table(const Operations* given, Operations& table) noexcept;
cadastre_exit_code ask_for_alignments(const Operations& table, void* content, Alignments& alignments) noexcept;

struct Answer {
  std::int32_t code = 0;  // the operation's own
  Text trouble = {};      // empty when all is well

  explicit operator bool() const noexcept { return !trouble.characters[0]; }
};

template <class Call>
Answer ask(const char* operation, Call call) noexcept {
  assert_no_lock_held(operation);
  try {
    const std::int32_t code = call();
    return code == 0 ? Answer{} : Answer{code, text("operation %s failed", operation)};
  } catch (const std::exception& error) {
    return {0, text("operation %s threw: %s", operation, error.what())};
  } catch (...) {
    return {0, text("operation %s threw", operation)};
  }
}

}  // namespace cadastre::internal
#endif
