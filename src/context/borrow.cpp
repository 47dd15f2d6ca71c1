// Tangled from org/context/borrow.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "base/error.hpp"
#include "context/context.hpp"
#include "context/lock.hpp"
#include "context/reclaim.hpp"

namespace cadastre::internal {

cadastre_exit_code Context::describe(const void* pointer, cadastre_memory_info_struct* info) noexcept {
  if (pointer && !info) return fail({.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_NULL_ARGUMENT});
  const std::optional<Record> record = registry_.at(pointer);
  if (!record) return unknown(pointer);
  *info = info_of(*record);
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::actual_size(const void* pointer, std::size_t* actual) noexcept {
  if (pointer && !actual) return fail({.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_NULL_ARGUMENT});
  const std::optional<Record> record = registry_.at(pointer);
  if (!record) return unknown(pointer);
  const Pool* const pool = record->borrowed() ? nullptr : pool_of(*record);
  *actual = pool ? pool->actual_size(*record) : record->size;
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::locate(const void* address, cadastre_memory_info_struct* info,
                                   std::size_t* offset) noexcept {
  const std::optional<Record> record = address ? registry_.around(address) : std::nullopt;
  if (!record) return unknown(address);
  if (info) *info = info_of(*record);
  if (offset) *offset = address_of(address) - record->address();
  return CADASTRE_SUCCESS;
}

namespace {

// The largest power of two, up to a page, that divides an address.
std::size_t alignment_of(std::uintptr_t address) noexcept {
  return std::size_t{1} << std::countr_zero(address | 4096);
}

constexpr cadastre_flags all_flags =
    CADASTRE_UNINITIALIZED | CADASTRE_BORROWED | CADASTRE_STREAM_ORDERED | CADASTRE_WORKSPACE_MEMORY |
    CADASTRE_EXPORTABLE | CADASTRE_SHARED_SEGMENT | CADASTRE_IMPORTED;

cadastre_exit_code admit_borrowed(const cadastre_memory_info_struct& info) noexcept {
  const auto address = address_of(info.pointer);
  if (!info.pointer) return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_NULL_POINTER});
  if (!is_memory_type(info.type)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_INVALID_MEMORY_TYPE,
                 .requested = static_cast<std::size_t>(info.type)});
  }
  if ((info.flags & ~all_flags) != 0) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_INVALID_FLAGS, .flags = info.flags});
  }
  if (info.size > largest_size || sum_wraps(address, info.size)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_SIZE_OVERFLOW, .type = info.type,
                 .requested = info.size, .limit = std::min(largest_size, UINTPTR_MAX - address), .pointer = info.pointer});
  }
  const bool power_of_two = info.alignment == 0 || std::has_single_bit(info.alignment);
  if (!power_of_two || (info.alignment != 0 && address % info.alignment != 0)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = power_of_two ? CADASTRE_REASON_MISALIGNED : CADASTRE_REASON_INVALID_ALIGNMENT,
                 .type = info.type, .requested = info.alignment, .pointer = info.pointer});
  }
  return CADASTRE_SUCCESS;
}

}  // namespace

cadastre_exit_code Context::place_borrowed(const cadastre_memory_info_struct& info, Backend*& source,
                                           Record& record) const noexcept {
  const cadastre_exit_code code = choose_source(info, source);
  if (code != CADASTRE_SUCCESS) return code;
  record.backend = static_cast<std::uint8_t>(source->number());
  record.device = device_for(info, *source);
  const bool foreign = source->presence().devices == 0 && record.device >= no_device_id;
  if (info.type == CADASTRE_HOST || foreign || source->has_device(record.device)) return CADASTRE_SUCCESS;
  return no_device(*source, CADASTRE_INVALID_ARG_2, info.type, record.device, info.pointer);
}

cadastre_exit_code Context::borrow(Visit& visit, const cadastre_memory_info_struct& info, cadastre_flags also) noexcept {
  cadastre_exit_code code = admit_borrowed(info);
  if (code != CADASTRE_SUCCESS) return code;
  Backend* source = nullptr;
  Record record;
  const auto place = [&] { return place_borrowed(info, source, record); };
  code = at_hand(info) ? place() : visit.outside(place);
  if (code != CADASTRE_SUCCESS) return code;
  if (!registry_.accounts(info.type).open(record.device)) return no_memory_for_records();
  const auto prepare = [&] {
    const cadastre_exit_code described = describe_for_record(info, record);
    return described == CADASTRE_SUCCESS && !registry_.reserve(true) ? no_memory_for_records() : described;
  };
  code = prepare();
  if (is_want_of_records(code) && give_up_everything(visit)) code = prepare();
  if (code != CADASTRE_SUCCESS) return code;
  record.pointer = info.pointer;
  record.flags = static_cast<std::uint16_t>((info.flags & CADASTRE_UNINITIALIZED) | CADASTRE_BORROWED | also);
  use_device(*source, record.device);
  record.alignment_log2 = log2_of(info.alignment ? info.alignment : alignment_of(record.address()));
  if (const std::optional<Record> other = registry_.overlapping(record)) {
    registry_.cancel();
    Failure failure = about(*other, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_OVERLAPS_BLOCK, info.pointer);
    failure.requested = info.size;
    return fail(failure);
  }
  registry_.enter(record);
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::return_borrowed(const void* pointer) noexcept {
  const std::optional<Record> record = registry_.at(pointer);
  if (!record) return unknown(pointer);
  if (!record->borrowed()) {
    return fail(about(*record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NOT_BORROWED, pointer));
  }
  if (record->flags & CADASTRE_WORKSPACE_MEMORY) {
    return fail(about(*record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY, pointer));
  }
  if (record->flags & CADASTRE_IMPORTED) {
    return fail(about(*record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_IMPORTED, pointer));
  }
  registry_.remove(pointer);
  return CADASTRE_SUCCESS;
}

}  // namespace cadastre::internal
