// Tangled from org/adapters/qmckl.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Answers for QMCkl's memory functions in a process where this object comes first.
#include <cstddef>
#include <cstdint>

#include "cadastre_qmckl.h"
#include "qmckl_callers.hpp"
#include "qmckl_originals.hpp"
#include "qmckl_registries.hpp"
#include "qmckl_unserved.hpp"

// As in QMCkl's own headers, which are not needed to build this.
struct qmckl_memory_info_struct {
  std::size_t size;
  void* pointer;
};

extern "C" {
CADASTRE_API std::int64_t qmckl_context_create() noexcept;
CADASTRE_API std::int32_t qmckl_context_destroy(std::int64_t context) noexcept;
CADASTRE_API void* qmckl_malloc(std::int64_t context, qmckl_memory_info_struct info) noexcept;
CADASTRE_API std::int32_t qmckl_free(std::int64_t context, void* pointer) noexcept;
CADASTRE_API std::int32_t qmckl_get_malloc_info(std::int64_t context, const void* pointer, qmckl_memory_info_struct* info) noexcept;

[[gnu::weak]] CADASTRE_API std::int64_t qmckl_context_check(std::int64_t context) noexcept;
[[gnu::weak]] CADASTRE_API std::int32_t qmckl_failwith(std::int64_t context, std::int32_t code, const char* function,
                                                       const char* message) noexcept;
}

namespace {

using cadastre::qmckl::Original;
using cadastre::qmckl::Registries;

cadastre_context_options_struct options_for(std::int64_t) noexcept { return cadastre_qmckl_options(); }

constinit Registries registries("qmckl_context_check", options_for);
constinit Original<std::int64_t()> library_create("qmckl_context_create");
constinit Original<std::int32_t(std::int64_t)> library_destroy("qmckl_context_destroy");
constinit cadastre::qmckl::FailWith library_failwith("qmckl_failwith");

// Referred to, so that they are exported; found by their names like the others.
[[gnu::used]] const void* const exported_by_a_program[] = {reinterpret_cast<const void*>(&qmckl_context_check),
                                                           reinterpret_cast<const void*>(&qmckl_failwith)};

constinit cadastre::qmckl::Library library("libqmckl", "qmckl_context_create", "qmckl_malloc", "qmckl_free");

[[gnu::constructor]] void say_at_start() noexcept { cadastre::qmckl::say_what_is_not_served(library); }

std::int32_t failed(std::int64_t context, std::int32_t code, const char* function, const char* message) noexcept {
  return cadastre::qmckl::failed(library_failwith, context, code, function, message);
}

}  // namespace

std::int64_t qmckl_context_create() noexcept {
  cadastre::qmckl::say_what_binds_itself(library, reinterpret_cast<const void*>(library_create.find()));
  return registries.create(library_create, cadastre_qmckl_options());
}

std::int32_t qmckl_context_destroy(std::int64_t context) noexcept { return registries.destroy(library_destroy, context); }

namespace {

std::int32_t failed_for_a_reason(std::int64_t context, const cadastre_qmckl_memory& memory, const char* function) noexcept {
  cadastre_error_struct error = cadastre_error_struct_zero;
  const char* const why = cadastre_qmckl_error_message(&memory, &error);
  const std::int32_t code = cadastre_qmckl_exit_code(error.exit_code);
  return failed(context, code == CADASTRE_SUCCESS ? CADASTRE_ALLOCATION_FAILED : code, function, why);
}

}  // namespace

void* qmckl_malloc(std::int64_t context, const qmckl_memory_info_struct info) noexcept {
  const cadastre_qmckl_memory memory = {registries.of(context)};
  void* pointer = nullptr;
  if (memory.context != CADASTRE_NULL_CONTEXT) {
    pointer = cadastre_qmckl_malloc(&memory, info.size, cadastre::qmckl::caller(__builtin_return_address(0)));
  }
  if (!pointer) failed_for_a_reason(context, memory, "qmckl_malloc");
  return pointer;
}

std::int32_t qmckl_free(std::int64_t context, void* const pointer) noexcept {
  const cadastre_qmckl_memory memory = {registries.of(context)};
  if (memory.context != CADASTRE_NULL_CONTEXT && cadastre_qmckl_free(&memory, pointer) == CADASTRE_SUCCESS) {
    return CADASTRE_SUCCESS;
  }
  return failed_for_a_reason(context, memory, "qmckl_free");
}

std::int32_t qmckl_get_malloc_info(std::int64_t context, const void* pointer, qmckl_memory_info_struct* info) noexcept {
  const cadastre_qmckl_memory memory = {registries.of(context)};
  if (memory.context == CADASTRE_NULL_CONTEXT) return failed_for_a_reason(context, memory, "qmckl_get_malloc_info");
  const std::int32_t code = cadastre_qmckl_get_malloc_info(&memory, pointer, info ? &info->size : nullptr, info ? &info->pointer : nullptr);
  if (code == CADASTRE_SUCCESS) return code;
  const char* const why = code == CADASTRE_INVALID_ARG_2 ? CADASTRE_QMCKL_NOT_FOUND : nullptr;
  return failed(context, code, "qmckl_get_malloc_info", pointer && info ? why : "Null pointer");
}
