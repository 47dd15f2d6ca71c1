// Tangled from org/context/allocate.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/allocate.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "backends/host_heap.hpp"
#include "base/error.hpp"
#include "base/fail.hpp"
#include "context/all_contexts.hpp"
#include "context/offers.hpp"
#include "registry/in_slab.hpp"

namespace cadastre::internal {

namespace {

// Where a request goes, and as what.
cadastre_exit_code plan(ContextLock& lock, const cadastre_memory_info_struct& info, Order order, Backend*& source,
                        Request& request) noexcept {
  Context& context = lock.context();
  const cadastre_queue queue = order ? context.sources().resolved(*order) : CADASTRE_DEFAULT_QUEUE;
  // A queue that the context was told of may be of its own device only, and the block must lie where its record says.
  const bool of_the_context = order && *order == CADASTRE_DEFAULT_QUEUE && context.sources().default_queue() != CADASTRE_DEFAULT_QUEUE;
  const auto settle_on_one = [&] {
    cadastre_exit_code code = context.sources().choose(info, source);
    if (code != CADASTRE_SUCCESS) return code;
    if (info.type == CADASTRE_HOST && !source->serves(CADASTRE_HOST)) source = &host_backend();
    const bool own = source == &context.backend();
    request = {.size = info.size,
               .alignment = info.alignment,
               .type = info.type,
               .device = context.sources().device_for(info, *source),
               .zero = (info.flags & CADASTRE_UNINITIALIZED) == 0,
               .ordered = order && own,
               .queue = own ? queue : CADASTRE_DEFAULT_QUEUE,
               .from_malloc = context.host().is_from_malloc() && info.type == CADASTRE_HOST,
               .exported = export_of(info.flags),
               .label = info.label};
    if (of_the_context && request.device != context.device()) request.ordered = false;
    return admit(*source, request);
  };
  // Another runtime may have to be opened, or all of them, to tell who serves what this one does not.
  const Backend* const near = context.sources().at_hand(info);
  const bool known = near && is_memory_type(info.type) && (info.type == CADASTRE_HOST || near->serves(info.type));
  const cadastre_exit_code code = known ? settle_on_one() : lock.in_backend(settle_on_one);
  if (code != CADASTRE_SUCCESS) return code;
  context.use_device(*source, request.device);
  return context.registry().accounts().of(info.type).open(request.device) ? CADASTRE_SUCCESS : no_memory_for_records();
}

cadastre_exit_code admit_stride(const cadastre_memory_info_struct& info) noexcept {
  if (info.stride != 0 && info.stride <= info.size) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_INVALID_ARG_2,
               .reason = CADASTRE_REASON_INVALID_STRIDE,
               .type = info.type,
               .requested = info.stride,
               .limit = info.size});
}

// As much of it as a label may have; none of a request that makes no sense otherwise.
Text label_of(const cadastre_memory_info_struct& info) noexcept {
  if (!info.label || !are_flags_of_a_request(info.flags) || !is_memory_type(info.type)) return {};
  return text("%.*s", static_cast<int>(longest_label), info.label);
}

// What is refused in any case does not count.
cadastre_exit_code fail_on_demand(const cadastre_memory_info_struct& info, const Backend& source, const Request& request) noexcept {
  if (!are_flags_of_a_request(info.flags) || !is_label(info.label)) return CADASTRE_SUCCESS;
  const char* const rule = fails(Point::malloc, {info.type, source.number(), info.size, info.label});
  if (!rule) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_ALLOCATION_FAILED,
               .reason = CADASTRE_REASON_INJECTED,
               .type = info.type,
               .backend = source.number(),
               .device = request.device,
               .requested = info.size,
               .detail = rule});
}

// Of a device that was never asked before there is no account yet; one that is not there gets none.
void count_refusal(Context& context, const cadastre_memory_info_struct& info, Backend& source, const Request& request) noexcept {
  if (is_memory_type(info.type)) {
    if (source.has_device(request.device)) context.registry().accounts().of(info.type).open(request.device);
    context.registry().accounts().of(info.type).each(request.device, [](Account& account) { ++account.figures.failed_allocations; });
  }
  describe_request(info.size, info.type, label_of(info).characters);
}

}  // namespace

// HOST memory that the context's backend does not serve is the host's, and kept all the same.
PoolUse* share_for(Context& context, Backend& source, cadastre_memory_type type, std::int32_t device) noexcept {
  if (context.sources().pool(type) != CADASTRE_POOL_CACHING) return nullptr;
  const bool ours = &source == &context.backend() || (type == CADASTRE_HOST && source.number() == CADASTRE_BACKEND_HOST);
  if (!ours) return nullptr;
  const PoolKeep& keep = context.sources().pool_choice().keep[static_cast<std::size_t>(type)];
  return context.sources().pools(type).open(source, {type, device, source.number()}, context.shared(), keep,
                                            type == CADASTRE_HOST ? nullptr : give_up_caches_for);
}

namespace {

// Below all limits, and in the registry; what lies in a slab is a block then.
cadastre_exit_code reserve_for(ContextLock& lock, const cadastre_memory_info_struct& info, const Backend& source, const Request& request,
                               Record& record, void*& pointer) noexcept {
  Context& context = lock.context();
  if (!are_flags_of_a_request(info.flags)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_INVALID_FLAGS, .flags = info.flags});
  }
  // For a request that is refused in any case nothing is given up.
  if (context.shared().is_limited(info.type) && !is_label(info.label)) return refuse_label(info.type);
  if (const std::optional<Refusal> refusal = reserve(lock, info.type, info.size)) {
    return over_limit(context.shared(), info.type, info.size, 0, *refusal);
  }
  record.device = request.device;
  record.backend = static_cast<std::uint8_t>(source.number());
  cadastre_exit_code code = describe_for_record(info, record);
  const bool may_be_in_slab =
      context.host().uses_slabs() && info.type == CADASTRE_HOST && info.stride == 0 && source.number() == CADASTRE_BACKEND_HOST;
  if (code == CADASTRE_SUCCESS && may_be_in_slab && info.label != workspace_label) {
    pointer = allocate_in_slab(context.registry(), info, record.origin, lock.handle());
    if (pointer) {
      record.how = how_in_slab;
      return CADASTRE_SUCCESS;
    }
    if (const std::optional<Damage> damage = context.registry().heap().take_damage()) code = refuse_damaged(*damage, nullptr);
  }
  if (code == CADASTRE_SUCCESS && !context.registry().reserve()) code = no_memory_for_records();
  if (code != CADASTRE_SUCCESS) {
    context.registry().accounts().cancel(info.type, info.size);
    return code;
  }
  lock.begun = {.rooms = 1, .type = info.type, .bytes = info.size};
  return CADASTRE_SUCCESS;
}

}  // namespace

cadastre_exit_code allocate(ContextLock& lock, const cadastre_memory_info_struct& info, Order order, void*& pointer, bool strided,
                            Effort effort) noexcept {
  Context& context = lock.context();
  Backend* source = nullptr;
  Request request{};
  request.device = no_device_id;
  cadastre_exit_code code = plan(lock, info, order, source, request);
  if (code == CADASTRE_SUCCESS && strided) code = admit_stride(info);
  if (code == CADASTRE_SUCCESS && is_armed(Point::malloc)) [[unlikely]]
    code = fail_on_demand(info, *source, request);
  if (code != CADASTRE_SUCCESS) return count_refusal(context, info, *source, request), code;
  Reclaim reclaim(lock, {info.type, info.size, info.label, order}, effort);
  do {
    Record record;
    code = reserve_for(lock, info, *source, request, record, pointer);
    if (code != CADASTRE_SUCCESS || record.how == how_in_slab) continue;
    Grant grant{};
    PoolUse* const use = request.exported == Export::no ? share_for(context, *source, request.type, request.device) : nullptr;
    if (!use || !use->pool->allocate_at_once(use->share, request, grant)) {
      const std::size_t room = room_to_keep(info.type);
      const InBackend outside(lock);
      if (!use) keep_within(info.type, room);
      code = use ? use->pool->allocate(use->share, request, grant, room) : source->allocate(request, grant);
    }
    lock.begun = {};
    if (code != CADASTRE_SUCCESS) {
      context.registry().accounts().cancel(info.type, info.size);
      context.registry().cancel();
      continue;
    }
    note(grant, record);
    context.registry().enter(record);
    pointer = record.pointer;
    if (use && request.ordered) offer_cache(lock, record, *use, {request.queue, grant.identity});
    const bool next_may_be_alone = context.host().uses_shards() && info.type == CADASTRE_HOST && info.size < context.host().alone_below();
    if (next_may_be_alone) context.registry().heap().provide_shard(lock.handle());
  } while (code != CADASTRE_SUCCESS && reclaim.helps(code));
  if (code != CADASTRE_SUCCESS) count_refusal(context, info, *source, request);
  return code;
}

cadastre_exit_code describe_for_record(const cadastre_memory_info_struct& info, Record& record) noexcept {
  OriginNumber origin = info.label ? origin_at(info.label) : no_origin;
  const bool is_text = info.label && origin == no_origin;
  const std::size_t length = is_text ? strnlen(info.label, longest_label + 1) : 0;
  if (length > longest_label) return refuse_label(info.type);
  if (is_text && (origin = origin_of({info.label, length})) == no_origin) return no_memory_for_records();
  record.origin = origin;
  record.size = info.size;
  record.stride_or_freed = info.stride;
  record.type = static_cast<std::uint8_t>(info.type);
  record.flags = static_cast<std::uint16_t>(info.flags);
  return CADASTRE_SUCCESS;
}

}  // namespace cadastre::internal
