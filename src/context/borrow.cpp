// Tangled from org/context/borrow.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/borrow.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "base/error.hpp"
#include "context/allocate.hpp"
#include "context/reclaim.hpp"

namespace cadastre::internal {

cadastre_exit_code describe(Context& context, const void* pointer, cadastre_memory_info_struct* info) noexcept {
  if (pointer && !info) return fail({.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_NULL_ARGUMENT});
  const std::optional<Record> record = context.registry().at(pointer);
  if (!record) return refuse_unknown(context.registry(), pointer);
  *info = info_of(*record);
  return CADASTRE_SUCCESS;
}

cadastre_exit_code tell_allocated_size(Context& context, const void* pointer, std::size_t* actual) noexcept {
  if (pointer && !actual) return fail({.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_NULL_ARGUMENT});
  const std::optional<Record> record = context.registry().at(pointer);
  if (!record) return refuse_unknown(context.registry(), pointer);
  const Pool* const pool = record->borrowed() ? nullptr : context.sources().pool_of(*record);
  *actual = pool ? pool->actual_size(*record) : record->size;
  return CADASTRE_SUCCESS;
}

cadastre_exit_code locate(Context& context, const void* address, cadastre_memory_info_struct* info, std::size_t* offset) noexcept {
  const std::optional<Record> record = address ? context.registry().around(address) : std::nullopt;
  if (!record) return refuse_unknown(context.registry(), address);
  if (info) *info = info_of(*record);
  if (offset) *offset = address_of(address) - record->address();
  return CADASTRE_SUCCESS;
}

namespace {

// The largest power of two, up to a page, that divides an address.
std::size_t alignment_of(std::uintptr_t address) noexcept { return std::size_t{1} << std::countr_zero(address | 4096); }

constexpr cadastre_flags all_flags = CADASTRE_UNINITIALIZED | CADASTRE_BORROWED | CADASTRE_STREAM_ORDERED | CADASTRE_WORKSPACE_MEMORY |
                                     CADASTRE_EXPORTABLE | CADASTRE_SHARED_SEGMENT | CADASTRE_IMPORTED | CADASTRE_ATTACHED;

cadastre_exit_code admit_borrowed(const cadastre_memory_info_struct& info) noexcept {
  const auto address = address_of(info.pointer);
  if (!info.pointer) return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_NULL_POINTER});
  if (!is_memory_type(info.type)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = CADASTRE_REASON_INVALID_MEMORY_TYPE,
                 .requested = static_cast<std::size_t>(info.type)});
  }
  if ((info.flags & ~all_flags) != 0) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_INVALID_FLAGS, .flags = info.flags});
  }
  if (info.size > largest_size || sum_wraps(address, info.size)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = CADASTRE_REASON_SIZE_OVERFLOW,
                 .type = info.type,
                 .requested = info.size,
                 .limit = std::min(largest_size, UINTPTR_MAX - address),
                 .pointer = info.pointer});
  }
  const bool power_of_two = info.alignment == 0 || std::has_single_bit(info.alignment);
  if (!power_of_two || (info.alignment != 0 && address % info.alignment != 0)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = power_of_two ? CADASTRE_REASON_MISALIGNED : CADASTRE_REASON_INVALID_ALIGNMENT,
                 .type = info.type,
                 .requested = info.alignment,
                 .pointer = info.pointer});
  }
  return CADASTRE_SUCCESS;
}

// Where memory of the caller's is: into the record.
cadastre_exit_code place_borrowed(const Context& context, const cadastre_memory_info_struct& info, Backend*& source,
                                  Record& record) noexcept {
  const cadastre_exit_code code = context.sources().choose(info, source);
  if (code != CADASTRE_SUCCESS) return code;
  record.backend = static_cast<std::uint8_t>(source->number());
  record.device = context.sources().device_for(info, *source);
  const bool foreign = source->presence().devices == 0 && record.device >= no_device_id;
  if (info.type == CADASTRE_HOST || foreign || source->has_device(record.device)) return CADASTRE_SUCCESS;
  return no_device(*source, CADASTRE_INVALID_ARG_2, info.type, record.device, info.pointer);
}

}  // namespace

cadastre_exit_code borrow(ContextLock& lock, const cadastre_memory_info_struct& info, cadastre_flags also) noexcept {
  Context& context = lock.context();
  cadastre_exit_code code = admit_borrowed(info);
  if (code != CADASTRE_SUCCESS) return code;
  Backend* source = nullptr;
  Record record;
  const auto place = [&] { return place_borrowed(context, info, source, record); };
  code = context.sources().at_hand(info) ? place() : lock.in_backend(place);
  if (code != CADASTRE_SUCCESS) return code;
  if (!context.registry().accounts().of(info.type).open(record.device)) return no_memory_for_records();
  const auto prepare = [&] {
    const cadastre_exit_code described = describe_for_record(info, record);
    return described == CADASTRE_SUCCESS && !context.registry().reserve(true) ? no_memory_for_records() : described;
  };
  code = prepare();
  if (is_want_of_records(code) && give_up_everything(lock)) code = prepare();
  if (code != CADASTRE_SUCCESS) return code;
  record.pointer = info.pointer;
  record.flags = static_cast<std::uint16_t>((info.flags & CADASTRE_UNINITIALIZED) | CADASTRE_BORROWED | also);
  context.use_device(*source, record.device);
  record.alignment_log2 = log2_of(info.alignment ? info.alignment : alignment_of(record.address()));
  if (const std::optional<Record> other = overlapping(context.registry(), record)) {
    context.registry().cancel();
    Failure failure = about(*other, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_OVERLAPS_BLOCK, info.pointer);
    failure.requested = info.size;
    return fail(failure);
  }
  context.registry().enter(record);
  return CADASTRE_SUCCESS;
}

cadastre_exit_code return_borrowed(Context& context, const void* pointer) noexcept {
  const std::optional<Record> record = context.registry().at(pointer);
  if (!record) return refuse_unknown(context.registry(), pointer);
  if (!record->borrowed()) {
    return fail(about(*record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NOT_BORROWED, pointer));
  }
  if (record->flags & CADASTRE_WORKSPACE_MEMORY) {
    return fail(about(*record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY, pointer));
  }
  if (record->flags & CADASTRE_IMPORTED) {
    return fail(about(*record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_IMPORTED, pointer));
  }
  context.registry().remove(pointer);
  return CADASTRE_SUCCESS;
}

}  // namespace cadastre::internal
