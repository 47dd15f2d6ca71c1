// Tangled from org/context/resize.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/resize.hpp"

#include <cstddef>
#include <optional>

#include "backends/host_heap.hpp"
#include "base/error.hpp"
#include "base/fail.hpp"
#include "context/allocate.hpp"
#include "context/reclaim.hpp"
#include "registry/in_slab.hpp"

namespace cadastre::internal {

namespace {

// In place, or in another slab; false, and nothing changed, where it has to leave the slabs.
bool resize_in_slab(ContextLock& lock, const Record& old, std::size_t size, void*& resized) noexcept {
  Registry& registry = lock->registry();
  registry.heap().lock();
  const bool in_place = registry.heap().resize(old.address(), size);
  void* const pointer = in_place ? old.pointer : move_in_slab(registry, old, size, lock.handle());
  if (!pointer) return false;
  Record record = old;
  registry.resize(record, size);
  resized = pointer;
  return true;
}

// Out of a slab, or to where a backend would not put it by itself. Outside, where nobody finds the block meanwhile.
cadastre_exit_code move_out(Context& context, const Record& old, std::size_t size, Grant& grant) noexcept {
  const Request request{.size = size,
                        .alignment = old.alignment(),
                        .type = old.type,
                        .device = old.device,
                        .zero = (old.flags & CADASTRE_UNINITIALIZED) == 0,
                        .ordered = false,
                        .queue = CADASTRE_DEFAULT_QUEUE,
                        .from_malloc = context.host().is_from_malloc()};
  Backend& backend = context.sources().of(old);
  Grant moved{};
  if (const cadastre_exit_code code = backend.allocate(request, moved); code != CADASTRE_SUCCESS) return code;
  // What lies in a slab is freed there when the block is found elsewhere.
  const auto free = [&](const Record& gone) { return gone.how == how_in_slab ? CADASTRE_SUCCESS : backend.free(gone); };
  return move_block(backend, old, size, moved, grant, free);
}

cadastre_exit_code try_resize(ContextLock& lock, const Record& old, std::size_t size, void*& resized) noexcept {
  Context& context = lock.context();
  if (size > largest_size) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_3,
                 .reason = CADASTRE_REASON_SIZE_OVERFLOW,
                 .type = old.type,
                 .requested = size,
                 .limit = largest_size});
  }
  const std::size_t growth = size > old.size ? size - old.size : 0;
  if (const std::optional<Refusal> refusal = reserve(lock, old.type, growth)) {
    return over_limit(context.shared(), old.type, size, old.size, *refusal);
  }
  if (!is_there_still(context.registry(), old)) {  // others were inside
    context.registry().accounts().cancel(old.type, growth);
    return refuse_unknown(context.registry(), old.pointer);
  }
  if (old.how == how_in_slab && resize_in_slab(lock, old, size, resized)) return CADASTRE_SUCCESS;
  if (!context.registry().reserve()) {
    context.registry().accounts().cancel(old.type, growth);
    return no_memory_for_records();
  }
  Hidden hidden;
  context.registry().hide(old.pointer, hidden);
  lock.begun = {.rooms = 1, .hidden = &hidden, .type = old.type, .bytes = growth};
  PoolUse* const use = old.flags & CADASTRE_EXPORTABLE ? nullptr : share_for(context, context.sources().of(old), old.type, old.device);
  Grant grant{};
  const std::size_t room = room_to_keep(old.type);
  const cadastre_exit_code code = lock.in_backend([&] {
    const cadastre_exit_code settled = context.sources().settle_elsewhere(old);
    if (settled != CADASTRE_SUCCESS) return settled;
    if (use) return use->pool->resize(use->share, old, size, grant, room);
    keep_within(old.type, room);
    const bool moves_by_itself = size >= mapped_from || old.alignment() > heap_alignment;
    const bool stays_from_malloc =
        context.host().is_from_malloc() && old.type == CADASTRE_HOST && old.backend == CADASTRE_BACKEND_HOST && moves_by_itself;
    if (old.how == how_in_slab || stays_from_malloc) return move_out(context, old, size, grant);
    return context.sources().of(old).resize(old, size, grant);
  });
  lock.begun = {};
  if (code == CADASTRE_SUCCESS) {
    context.registry().resize(hidden.record, size);
    note(grant, hidden.record);
    resized = grant.pointer;
  } else {
    context.registry().accounts().cancel(old.type, growth);
  }
  const bool moved = hidden.record.pointer != old.pointer;
  context.registry().show(hidden);
  if (moved) context.registry().note_moved(old);
  return code;
}

}  // namespace

cadastre_exit_code resize(ContextLock& lock, void* pointer, std::size_t size, void*& resized) noexcept {
  Context& context = lock.context();
  Record record;
  cadastre_exit_code code = find_owned(context.registry(), pointer, record);
  if (code != CADASTRE_SUCCESS) return code;
  const Asked asked{record.type, record.backend, size, text_of(record.origin)};
  const char* const rule = size <= largest_size ? fails(Point::malloc, asked) : nullptr;
  if (rule) {
    code = fail({.exit_code = CADASTRE_ALLOCATION_FAILED,
                 .reason = CADASTRE_REASON_INJECTED,
                 .type = record.type,
                 .backend = record.backend,
                 .device = record.device,
                 .requested = size,
                 .detail = rule});
  } else {
    Reclaim reclaim(lock, {asked.type, size, asked.label, std::nullopt}, Effort::all);
    do {
      code = find_owned(context.registry(), pointer, record);  // others may have been inside
      if (code == CADASTRE_SUCCESS) code = try_resize(lock, record, size, resized);
    } while (code != CADASTRE_SUCCESS && reclaim.helps(code));
  }
  if (code != CADASTRE_SUCCESS) {
    context.registry().accounts().of(record.type).each(record.device, [](Account& account) { ++account.figures.failed_allocations; });
    describe_request(size, record.type, text_of(record.origin));
  }
  return code;
}

}  // namespace cadastre::internal
