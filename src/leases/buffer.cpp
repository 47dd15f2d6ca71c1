// Tangled from org/leases/buffer.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "leases/buffer.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "context/all_contexts.hpp"
#include "context/borrow.hpp"
#include "context/boundary.hpp"
#include "context/refusals.hpp"
#include "context/workspaces.hpp"
#include "leases/order.hpp"
#include "leases/refusals.hpp"
#include "leases/size.hpp"
#include "pool/pools.hpp"

namespace cadastre::internal {
namespace {

struct Buffer {
  std::byte* begin;
  std::size_t bytes;
  Place place = {};
  bool known = false;  // to a registry, or to the vendor
  Origin origin = Origin::recorded;
};

cadastre_exit_code not_a_workspace(const Buffer& buffer, const Text& why, cadastre_exit_code argument = CADASTRE_INVALID_ARG_3) noexcept {
  return fail({.exit_code = argument,
               .reason = CADASTRE_REASON_UNSUITABLE_BUFFER,
               .type = buffer.place.type,
               .device = buffer.place.device,
               .requested = buffer.bytes,
               .pointer = buffer.begin,
               .detail = why});
}

Record range_of(const Buffer& buffer) noexcept {
  Record range;
  range.pointer = buffer.begin;
  range.size = buffer.bytes;
  return range;
}

cadastre_exit_code place_in(const Record& block, Buffer& buffer) noexcept {
  buffer.place = {block.type, block.device, block.backend};
  buffer.known = true;
  Failure failure = about(block, CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS, buffer.begin);
  if (buffer.bytes <= block.size - failure.offset) return CADASTRE_SUCCESS;
  failure.argument = CADASTRE_INVALID_ARG_4;
  failure.requested = buffer.bytes;
  failure.limit = block.size - failure.offset;
  return fail(failure);
}

// Whether bytes that nobody has now were once of a block of the context's own, all of them. What begins in a block that is
// gone and ends elsewhere is something new, which another allocator cut as it liked.
bool was_all_of(const std::optional<Record>& freed, const Buffer& buffer) noexcept {
  return freed && !freed->borrowed() && buffer.bytes <= freed->size - (address_of(buffer.begin) - freed->address());
}

// Called when no context is held. Another context knows where its block ends, which a vendor does not.
cadastre_exit_code find_outside(const ContextLock& lock, Backend& backend, Buffer& buffer) noexcept {
  const Elsewhere there = known_elsewhere(range_of(buffer), lock.handle());
  const Record& block = there.record;
  switch (there.what) {
    case Elsewhere::has:
      if (block.flags & CADASTRE_WORKSPACE_MEMORY)
        return fail(about(block, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WORKSPACE_MEMORY, buffer.begin));
      return place_in(block, buffer);
    case Elsewhere::runs_into:
      return not_a_workspace(buffer, text("they overlap a block of another context, of %zu bytes from %p", block.size, block.pointer));
    case Elsewhere::keeps: return not_a_workspace(buffer, "they are memory that a pool of this process has cached");
    case Elsewhere::had:
    case Elsewhere::nothing: break;
  }
  buffer.known = backend.claims(buffer.begin, buffer.place);
  if (!buffer.known) {
    if (there.what != Elsewhere::had || !was_all_of(block, buffer)) return CADASTRE_SUCCESS;
    return not_a_workspace(
        buffer, text("block number %llu of another context, of %zu bytes from %p, was freed by deallocation number %llu of that context",
                     static_cast<unsigned long long>(block.serial), block.size, block.pointer,
                     static_cast<unsigned long long>(block.stride_or_freed)));
  }
  Place last;
  const bool whole =
      backend.claims(buffer.begin + buffer.bytes - 1, last) && last.type == buffer.place.type && last.device == buffer.place.device;
  return whole ? CADASTRE_SUCCESS : not_a_workspace(buffer, "to the vendor, the last byte is not memory of the same kind as the first");
}

cadastre_exit_code refuse_freed(const Record& freed, const Buffer& buffer) noexcept {
  const bool moved = freed.stride_or_freed == 0;
  return fail(about(freed, CADASTRE_INVALID_ARG_3, moved ? CADASTRE_REASON_MOVED_BY_REALLOC : CADASTRE_REASON_ALREADY_FREED, buffer.begin));
}

// To the vendor, what a pool keeps is memory as any other.
cadastre_exit_code refuse_kept(const Context& context, const Buffer& buffer) noexcept {
  const std::optional<Record> freed = context.registry().freed_around(buffer.begin);
  return freed ? refuse_freed(*freed, buffer) : not_a_workspace(buffer, "they are memory that a pool of this process has cached");
}

cadastre_exit_code find_buffer(ContextLock& lock, Buffer& buffer) noexcept {
  Context& context = lock.context();
  if (const std::optional<Record> block = context.registry().around(buffer.begin)) {
    if (block->flags & CADASTRE_WORKSPACE_MEMORY) {
      return fail(about(*block, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WORKSPACE_MEMORY, buffer.begin));
    }
    buffer.origin = Origin::block;
    return place_in(*block, buffer);
  }
  const Record range = range_of(buffer);
  if (pools_keep(range)) return refuse_kept(context, buffer);
  // Another context's block that ends too early is told of before one of ours that begins behind it.
  const cadastre_exit_code code = lock.in_backend([&] { return find_outside(lock, context.backend(), buffer); });
  if (code != CADASTRE_SUCCESS) return code;
  if (const std::optional<Record> inside = beginning_inside(context.registry(), range)) {
    Failure failure = about(*inside, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_OVERLAPS_BLOCK, buffer.begin);
    failure.requested = buffer.bytes;
    return fail(failure);
  }
  if (buffer.known) return code;
  const std::optional<Record> freed = context.registry().freed_around(buffer.begin);
  const bool apart =
      freed && freed->type == CADASTRE_DEVICE && freed->backend == context.backend().number() && context.backend().addresses_are_apart();
  return apart || was_all_of(freed, buffer) ? refuse_freed(*freed, buffer) : CADASTRE_SUCCESS;
}

// A vendor whose addresses are apart from the host's knows all that he gave.
cadastre_exit_code admit_kind(const Context& context, cadastre_memory_type type, Buffer& buffer) noexcept {
  const bool of_device = type == CADASTRE_DEVICE || type == CADASTRE_UVM;
  if (buffer.known) {
    if (buffer.place.type == type) return CADASTRE_SUCCESS;
    return not_a_workspace(buffer, text("they are %s memory, and the workspace is one of %s memory",
                                        cadastre_string_of_memory_type(buffer.place.type), cadastre_string_of_memory_type(type)));
  }
  const Backend& source = context.sources().of_type(type);
  buffer.place = {type, of_device ? context.device() : no_device_id, source.number()};
  if (!of_device || !source.addresses_are_apart()) return CADASTRE_SUCCESS;
  return not_a_workspace(buffer, text("to the %s backend, they are not its memory", cadastre_string_of_backend(source.number())));
}

cadastre_exit_code admit_buffer(Context& context, cadastre_memory_type type, Buffer& buffer) noexcept {
  if (const cadastre_exit_code code = admit_kind(context, type, buffer); code != CADASTRE_SUCCESS) return code;
  const std::size_t granularity = granularity_of(context.sources(), type);
  const std::size_t alignment = workspace_alignment(context.sources(), type);
  if (address_of(buffer.begin) % alignment != 0) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_3,
                 .reason = CADASTRE_REASON_MISALIGNED,
                 .type = type,
                 .requested = alignment,
                 .pointer = buffer.begin,
                 .detail = "; cadastre_workspace_get_info returns this alignment as the granularity, for info.alignment of an allocation"});
  }
  if (type != CADASTRE_HOST && buffer.place.backend != context.backend().number()) {
    return not_a_workspace(buffer,
                           text("they are memory of the %s backend, and the context uses the %s backend",
                                cadastre_string_of_backend(buffer.place.backend), cadastre_string_of_backend(context.backend().number())));
  }
  const bool of_device = type == CADASTRE_DEVICE || type == CADASTRE_UVM;
  if (of_device && buffer.place.device != no_device_id && buffer.place.device != context.device()) {
    return not_a_workspace(buffer,
                           text("they are memory of device %d, and the context uses device %d", buffer.place.device, context.device()));
  }
  if (buffer.bytes < granularity) {
    return not_a_workspace(buffer, text("a workspace needs at least %zu bytes", granularity), CADASTRE_INVALID_ARG_4);
  }
  buffer.bytes &= ~(granularity - 1);
  return CADASTRE_SUCCESS;
}

cadastre_memory_info_struct description_of(const Buffer& buffer) noexcept {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = buffer.bytes;
  info.pointer = buffer.begin;
  info.type = buffer.place.type;
  info.device = device_of(buffer.place.device);
  info.backend = buffer.place.backend;
  info.label = workspace_label;
  return info;
}

cadastre_exit_code let_buffer_go(ContextLock& lock, cadastre_memory_type type) noexcept {
  WorkspacesOfType& of_type = lock->workspaces().of(type);
  if (of_type.scheme != CADASTRE_WORKSPACE_SCHEME_USER_OWNED) return CADASTRE_SUCCESS;
  return of_type.idle() ? replace(lock, of_type, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC, {}) : refuse_alive(of_type, type);
}

}  // namespace

cadastre_exit_code set_workspace_buffer(ContextLock& lock, cadastre_memory_type type, void* pointer, std::size_t bytes) {
  Context& context = lock.context();
  cadastre_exit_code code = resolve(context, type);
  if (code != CADASTRE_SUCCESS) return code;
  if (is_captured(lock, CADASTRE_DEFAULT_QUEUE)) return refuse_capture(blocking_queue_captured);
  if (!pointer && bytes == 0) return let_buffer_go(lock, type);
  if (!pointer) return null_argument(CADASTRE_INVALID_ARG_3);
  Buffer buffer{static_cast<std::byte*>(pointer), bytes};
  const auto address = address_of(pointer);
  if (bytes > largest_size || sum_wraps(address, bytes)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_4,
                 .reason = CADASTRE_REASON_SIZE_OVERFLOW,
                 .type = type,
                 .requested = bytes,
                 .limit = std::min(largest_size, UINTPTR_MAX - address),
                 .pointer = pointer});
  }
  if (bytes == 0) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_4,
                 .reason = CADASTRE_REASON_UNSUITABLE_BUFFER,
                 .pointer = pointer,
                 .detail = "a workspace needs at least one byte"});
  }
  WorkspaceList list = list_of_one();
  code = find_buffer(lock, buffer);
  if (code == CADASTRE_SUCCESS) code = admit_buffer(context, type, buffer);
  if (code != CADASTRE_SUCCESS) return code;
  WorkspacesOfType& of_type = context.workspaces().of(buffer.place.type);
  if (!of_type.idle()) return refuse_alive(of_type, buffer.place.type);
  if (buffer.origin == Origin::recorded) code = borrow(lock, description_of(buffer));
  if (code != CADASTRE_SUCCESS) return code;
  context.registry().mark_workspace(buffer.begin, true);
  list.front()->add({.begin = buffer.begin, .size = buffer.bytes, .origin = buffer.origin});
  return replace(lock, of_type, CADASTRE_WORKSPACE_SCHEME_USER_OWNED, std::move(list));
}

}  // namespace cadastre::internal
