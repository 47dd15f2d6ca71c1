// Tangled from org/context/refusals.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/refusals.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace cadastre::internal {

Failure about(const Record& record, cadastre_exit_code code, cadastre_reason reason, const void* pointer) noexcept {
  return {.exit_code = code,
          .reason = reason,
          .type = record.type,
          .backend = record.backend,
          .device = record.device,
          .pointer = pointer,
          .base = record.pointer,
          .size = record.size,
          .offset = address_of(pointer) - record.address(),
          .serial = record.serial,
          .freed = record.state == State::freed ? record.stride_or_freed : 0,
          .label = text_of(record.origin)};
}

cadastre_exit_code refuse_damaged(const Damage& damage, const void* pointer) noexcept {
  const auto* const begin = reinterpret_cast<const void*>(damage.begin);
  const bool is_named = damage.neighbour != no_origin;
  const Text of = text("the blocks of %zu bytes from %p on", damage.size, begin);
  return fail({.exit_code = CADASTRE_FAILURE,
               .reason = CADASTRE_REASON_DAMAGED_RECORDS,
               .type = CADASTRE_HOST,
               .pointer = pointer,
               .base = begin,
               .size = damage.size,
               .label = text_of(damage.neighbour),
               .detail = is_named ? text("%.100s, next to one labelled \"%.150s\",", of.characters, text_of(damage.neighbour)) : of});
}

cadastre_exit_code refuse_unknown(Registry& registry, const void* pointer) noexcept {
  if (!pointer) return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_NULL_ARGUMENT});
  if (const std::optional<Record> around = registry.around(pointer)) {
    return fail(about(*around, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INSIDE_BLOCK, pointer));
  }
  if (const std::optional<Damage> damage = registry.damage_around(pointer)) return refuse_damaged(*damage, pointer);
  std::optional<Record> freed = registry.freed_at(pointer);
  if (!freed) freed = registry.freed_around(pointer);
  if (freed) {
    const bool moved = freed->stride_or_freed == 0;
    return fail(about(*freed, CADASTRE_INVALID_ARG_2, moved ? CADASTRE_REASON_MOVED_BY_REALLOC : CADASTRE_REASON_ALREADY_FREED, pointer));
  }
  return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_UNKNOWN_POINTER, .pointer = pointer});
}

cadastre_exit_code find_owned(Registry& registry, const void* pointer, Record& record) noexcept {
  const std::optional<Record> found = registry.at(pointer);
  if (found && !found->borrowed() && !(found->flags & CADASTRE_WORKSPACE_MEMORY)) [[likely]] {
    record = *found;
    return CADASTRE_SUCCESS;
  }
  const std::optional<Record> around = found || !pointer ? found : registry.around(pointer);
  if (around && around->flags & CADASTRE_WORKSPACE_MEMORY) {
    return fail(about(*around, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY, pointer));
  }
  if (!found) return refuse_unknown(registry, pointer);
  const cadastre_reason reason = found->flags & CADASTRE_IMPORTED ? CADASTRE_REASON_IMPORTED : CADASTRE_REASON_BORROWED;
  return fail(about(*found, CADASTRE_INVALID_ARG_2, reason, pointer));
}

cadastre_exit_code no_memory_for_records() noexcept {
  return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_OUT_OF_HOST_MEMORY});
}

cadastre_exit_code refuse_interrupted() noexcept {
  return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER});
}

bool is_label(const char* text) noexcept {
  return !text || origin_at(text) != no_origin || strnlen(text, longest_label + 1) <= longest_label;
}

cadastre_exit_code refuse_label(cadastre_memory_type type) noexcept {
  return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_LABEL_TOO_LONG, .type = type, .limit = longest_label});
}

cadastre_exit_code over_limit(const SharedAccount& own, cadastre_memory_type type, std::size_t asked, std::size_t instead_of,
                              const Refusal& refusal) noexcept {
  const cadastre_context owner = refusal.account == &own ? CADASTRE_NULL_CONTEXT : refusal.account->owner();
  return fail({.exit_code = CADASTRE_LIMIT_EXCEEDED,
               .reason = CADASTRE_REASON_LIMIT_EXCEEDED,
               .type = type,
               .requested = asked,
               .in_use = refusal.claimed - std::min(refusal.claimed, instead_of),
               .limit = refusal.limit,
               .limit_of = refusal.of,
               .owner = owner});
}

}  // namespace cadastre::internal
