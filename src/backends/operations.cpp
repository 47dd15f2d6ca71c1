// Tangled from org/backends/operations.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/operations.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cadastre::internal {

cadastre_exit_code refuse_registration(cadastre_exit_code code, const Text& detail) noexcept {
  return fail({.exit_code = code, .reason = CADASTRE_REASON_INVALID_REGISTRATION, .detail = detail});
}

cadastre_exit_code check_name(const char* name) noexcept {
  constexpr auto code = CADASTRE_INVALID_ARG_1;
  if (!name) return fail({.exit_code = code, .reason = CADASTRE_REASON_NULL_ARGUMENT});
  if (!*name) return refuse_registration(code, "its name is empty");
  if (strnlen(name, longest_backend_name + 1) > longest_backend_name) {
    return refuse_registration(code, text("its name is longer than %zu characters", longest_backend_name));
  }
  return CADASTRE_SUCCESS;
}

namespace {

constexpr std::size_t shortest_table = offsetof(Operations, copy_async);  // what is required, and no more
constexpr std::size_t longest_table = 1024;

cadastre_exit_code copy_table(const Operations* given, Operations& table) noexcept {
  if (!given) return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_NULL_ARGUMENT});
  const std::size_t size = given->struct_size, known = std::min(size, sizeof table);
  if (size < shortest_table || size > longest_table || size % alignof(Operations) != 0) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = CADASTRE_REASON_INVALID_STRUCT_SIZE,
                 .requested = size,
                 .limit = sizeof table,
                 .required = shortest_table});
  }
  table = cadastre_backend_operations_struct_zero;
  std::memcpy(&table, given, known);
  const auto* const bytes = reinterpret_cast<const std::byte*>(given);
  if (std::any_of(bytes + known, bytes + size, [](std::byte byte) { return byte != std::byte{0}; })) {
    return refuse_registration(CADASTRE_INVALID_ARG_2, text("its table has %zu bytes, and the bytes after the %zu that this "
                                                            "library knows must be 0",
                                                            size, known));
  }
  return CADASTRE_SUCCESS;
}

cadastre_exit_code check_table(const Operations& table) noexcept {
  constexpr auto code = CADASTRE_INVALID_ARG_2;
  if (table.memory_type_mask == 0) return refuse_registration(code, "memory_type_mask is 0; it must have at least one memory type");
  if (table.memory_type_mask >> memory_types != 0) {
    return refuse_registration(
        code, text("memory_type_mask is 0x%x; only the lowest %zu bits are memory types", table.memory_type_mask, memory_types));
  }
  if (table.device_count < 0) return refuse_registration(code, text("device_count is %d; it must be 0 or more", table.device_count));
  const char* const missing = !table.allocate ? "allocate" : !table.free ? "free" : !table.copy ? "copy" : !table.set ? "set" : nullptr;
  if (missing) return fail({.exit_code = code, .reason = CADASTRE_REASON_MISSING_OPERATION, .detail = missing});
  return CADASTRE_SUCCESS;
}

}  // namespace

cadastre_exit_code read_table(const Operations* given, Operations& table) noexcept {
  const cadastre_exit_code code = copy_table(given, table);
  return code == CADASTRE_SUCCESS ? check_table(table) : code;
}

cadastre_exit_code ask_for_alignments(const Operations& table, void* content, Alignments& alignments) noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if ((table.memory_type_mask >> type & 1) == 0) continue;
    std::size_t& alignment = alignments[static_cast<std::size_t>(type)];
    alignment = std::size_t{1} << 20;
    if (!table.max_alignment) continue;
    const Answer answer = ask("max_alignment", [&] { return alignment = table.max_alignment(content, type), 0; });
    if (!answer) return refuse_registration(CADASTRE_INVALID_ARG_2, answer.trouble);
    if (std::has_single_bit(alignment)) continue;
    return refuse_registration(CADASTRE_INVALID_ARG_2, text("operation max_alignment returned %zu for %s, which is not a power of two",
                                                            alignment, cadastre_string_of_memory_type(type)));
  }
  return CADASTRE_SUCCESS;
}

}  // namespace cadastre::internal
