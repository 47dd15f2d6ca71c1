// Tangled from org/qmckl.org; change the chapter, then run: make tangle
// Answers for QMCkl's memory functions in a process where this object comes first.
#include <cstddef>
#include <cstdint>

#include "cadastre_qmckl.h"
#include "qmckl_registries.hpp"

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
CADASTRE_API std::int32_t qmckl_get_malloc_info(std::int64_t context, const void* pointer,
                                                qmckl_memory_info_struct* info) noexcept;
}

namespace {

using cadastre::qmckl::Original;
using cadastre::qmckl::Registries;

cadastre_context_options_struct options_for(std::int64_t) noexcept { return cadastre_qmckl_options(); }

constinit Registries registries("qmckl_context_check", options_for);
constinit Original<std::int64_t()> library_create("qmckl_context_create");
constinit Original<std::int32_t(std::int64_t)> library_destroy("qmckl_context_destroy");
constinit Original<std::int32_t(std::int64_t, std::int32_t, const char*, const char*)> library_failwith(
    "qmckl_failwith");

// Without a library there is no valid context.
std::int32_t failed(std::int64_t context, std::int32_t code, const char* function, const char* message) noexcept {
  const auto failwith = library_failwith.find();
  return failwith ? failwith(context, code, function, message) : CADASTRE_INVALID_CONTEXT;
}

}  // namespace

std::int64_t qmckl_context_create() noexcept {
  const auto create = library_create.find();
  if (!create) return 0;
  const std::uint64_t before = registries.now();
  const std::int64_t context = create();
  registries.open(context, cadastre_qmckl_options(), before);
  return context;
}

// The blocks stay until the library has ended its own use of them. A context that it does not know any more was
// destroyed unseen.
std::int32_t qmckl_context_destroy(std::int64_t context) noexcept {
  const auto destroy = library_destroy.find();
  if (!destroy) return CADASTRE_INVALID_CONTEXT;
  const cadastre_context registry = registries.known(context);
  const std::int32_t code = destroy(context);
  if (code == CADASTRE_SUCCESS || code == CADASTRE_INVALID_CONTEXT) registries.close(context, registry);
  return code;
}

namespace {

std::int32_t failed_for_a_reason(std::int64_t context, const cadastre_qmckl_memory& memory,
                                 const char* function) noexcept {
  cadastre_error_struct error;
  const char* const why = cadastre_qmckl_why(&memory, &error);
  const std::int32_t code = cadastre_qmckl_exit_code(error.exit_code);
  return failed(context, code == CADASTRE_SUCCESS ? CADASTRE_ALLOCATION_FAILED : code, function, why);
}

}  // namespace

void* qmckl_malloc(std::int64_t context, const qmckl_memory_info_struct info) noexcept {
  const cadastre_qmckl_memory memory = {registries.of(context)};
  void* pointer = nullptr;
  if (memory.registry != CADASTRE_NULL_CONTEXT) {
    pointer = cadastre_qmckl_malloc(&memory, info.size, cadastre::qmckl::caller(__builtin_return_address(0)));
  }
  if (!pointer) failed_for_a_reason(context, memory, "qmckl_malloc");
  return pointer;
}

std::int32_t qmckl_free(std::int64_t context, void* const pointer) noexcept {
  const cadastre_qmckl_memory memory = {registries.of(context)};
  if (memory.registry != CADASTRE_NULL_CONTEXT && cadastre_qmckl_free(&memory, pointer) == CADASTRE_SUCCESS) {
    return CADASTRE_SUCCESS;
  }
  return failed_for_a_reason(context, memory, "qmckl_free");
}

std::int32_t qmckl_get_malloc_info(std::int64_t context, const void* pointer, qmckl_memory_info_struct* info) noexcept {
  const cadastre_qmckl_memory memory = {registries.of(context)};
  if (memory.registry == CADASTRE_NULL_CONTEXT) return failed_for_a_reason(context, memory, "qmckl_get_malloc_info");
  const std::int32_t code = cadastre_qmckl_get_malloc_info(&memory, pointer, info ? &info->size : nullptr,
                                                           info ? &info->pointer : nullptr);
  if (code == CADASTRE_SUCCESS) return code;
  const char* const why = code == CADASTRE_INVALID_ARG_2 ? CADASTRE_QMCKL_NOT_FOUND : nullptr;
  return failed(context, code, "qmckl_get_malloc_info", pointer && info ? why : "Null pointer");
}
