// Tangled from org/backend.org; change the chapter, then run: make tangle
#include "backend.hpp"

#include <algorithm>

#include "config.h"

namespace cadastre::internal {

#define CADASTRE_DECLARE(name) Backend& name##_backend() noexcept;
CADASTRE_BUILT_BACKENDS(CADASTRE_DECLARE)
#undef CADASTRE_DECLARE

namespace {

using Getter = Backend& (*)() noexcept;

#define CADASTRE_LIST(name) name##_backend,
constexpr Getter built[] = {CADASTRE_BUILT_BACKENDS(CADASTRE_LIST)};
#undef CADASTRE_LIST

}  // namespace

Backend* built_backend(cadastre_backend number) noexcept {
  for (const Getter getter : built) {
    if (getter().number() == number) return &getter();
  }
  return nullptr;
}

Presence presence_of(cadastre_backend number) noexcept {
  if (const Backend* backend = built_backend(number)) return backend->presence();
  const auto row = std::ranges::find(backend_rows(), number, &BackendRow::number);
  return {false, 0, row->how_to_get_it};
}

Backend* choose_backend(std::optional<cadastre_backend> asked) noexcept {
  if (asked) {
    const Presence presence = presence_of(*asked);
    if (presence.usable) return built_backend(*asked);
    fail({.exit_code = CADASTRE_NOT_SUPPORTED, .reason = CADASTRE_REASON_BACKEND_ABSENT, .backend = *asked,
          .detail = presence.why_not});
    return nullptr;
  }
  for (const BackendRow& row : backend_rows()) {
    if (presence_of(row.number).devices > 0) return built_backend(row.number);
  }
  return built_backend(CADASTRE_BACKEND_HOST);
}

namespace {

Text who_serves(cadastre_memory_type type) noexcept {
  for (const Getter getter : built) {
    if (getter().presence().usable && getter().serves(type)) {
      return text("the %s backend does; CADASTRE_BACKEND chooses it", cadastre_string_of_backend(getter().number()));
    }
  }
  return "no backend of this version does";
}

}  // namespace

cadastre_exit_code admit(const Backend& backend, const Request& request) noexcept {
  if (!is_memory_type(request.type)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_UNKNOWN_MEMORY_TYPE,
                 .asked = static_cast<std::size_t>(request.type)});
  }
  if (request.alignment != 0 && !std::has_single_bit(request.alignment)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_BAD_ALIGNMENT,
                 .type = request.type, .asked = request.alignment});
  }
  if (request.size > largest_size) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_SIZE_OVERFLOW,
                 .type = request.type, .asked = request.size, .limit = largest_size});
  }
  if (!backend.serves(request.type)) {
    return fail({.exit_code = CADASTRE_NOT_SUPPORTED, .reason = CADASTRE_REASON_MEMORY_TYPE_NOT_SERVED,
                 .type = request.type, .backend = backend.number(), .asked = request.size,
                 .detail = who_serves(request.type)});
  }
  const std::size_t limit = backend.largest_alignment(request.type);
  if (request.alignment > limit) {
    return fail({.exit_code = CADASTRE_NOT_SUPPORTED, .reason = CADASTRE_REASON_ALIGNMENT_NOT_SERVED,
                 .type = request.type, .backend = backend.number(), .asked = request.alignment,
                 .limit = limit});
  }
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Backend::resize(const Record& record, std::size_t size, Grant& grant) noexcept {
  Grant moved;
  const bool zero = size > record.size && !(record.flags & CADASTRE_UNINITIALIZED);
  cadastre_exit_code code = allocate({size, record.alignment(), record.type, record.device, zero}, moved);
  if (code != CADASTRE_SUCCESS) return code;
  code = copy(moved.pointer, record.pointer, std::min(size, record.size));
  if (code == CADASTRE_SUCCESS) code = free(record);
  if (code == CADASTRE_SUCCESS) {
    grant = moved;
    return code;
  }
  Record unwanted = record;
  unwanted.pointer = moved.pointer;
  unwanted.size = size;
  unwanted.alignment_log2 = log2_of(moved.alignment);
  unwanted.how = moved.how;
  free(unwanted);
  return code;
}

}  // namespace cadastre::internal
