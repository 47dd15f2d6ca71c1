// Tangled from org/context/ipc.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/ipc.hpp"

#include <cstring>
#include <optional>

#include "backends/ipc.hpp"
#include "base/error.hpp"
#include "context/borrow.hpp"

namespace cadastre::internal {

cadastre_exit_code export_block(ContextLock& lock, const void* pointer, cadastre_ipc_handle_struct& written) noexcept {
  Context& context = lock.context();
  Record record;
  cadastre_exit_code code = find_owned(context.registry(), pointer, record);
  if (code != CADASTRE_SUCCESS) return code;
  if (!(record.flags & CADASTRE_EXPORTABLE)) {
    return fail(about(record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NOT_EXPORTABLE, pointer));
  }
  IpcHandle handle{};
  code = lock.in_backend([&] {
    Backend& source = context.sources().of(record);
    DeviceDescription device{};
    if (source.describe(record.device, device) == CADASTRE_SUCCESS) std::memcpy(handle.device, device.uuid, sizeof handle.device);
    const cadastre_exit_code entered = enter_export(record, lock.handle(), source, handle);
    return entered == CADASTRE_SUCCESS ? source.export_block(record, handle.vendor, handle.offset) : entered;
  });
  if (code == CADASTRE_SUCCESS && is_there_still(context.registry(), record)) {
    write_handle(handle, written);
    return CADASTRE_SUCCESS;
  }
  if (code != CADASTRE_SUCCESS && is_there_still(context.registry(), record)) return code;
  forget_export(record, lock.handle());
  return code == CADASTRE_SUCCESS ? refuse_unknown(context.registry(), pointer) : code;
}

cadastre_exit_code import_block(ContextLock& lock, const cadastre_ipc_handle_struct& given, void*& pointer) noexcept {
  Context& context = lock.context();
  IpcHandle handle;
  cadastre_exit_code code = read_handle(given, handle);
  if (code != CADASTRE_SUCCESS) return code;
  if (handle.backend != context.backend().number()) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = CADASTRE_REASON_INVALID_IPC_HANDLE,
                 .detail = text("it is of the %s backend, and the context is of another", cadastre_string_of_backend(handle.backend))});
  }
  Import opened{.pointer = nullptr, .base = nullptr, .device = context.device(), .file = -1, .times = 1};
  code = lock.in_backend([&] {
    const cadastre_exit_code claimed = claim_import(handle, opened.file);
    if (claimed != CADASTRE_SUCCESS) return claimed;
    const cadastre_exit_code imported = context.backend().import_block(context.device(), handle.vendor, opened.base);
    if (imported == CADASTRE_SUCCESS) return imported;
    end_claim(opened.file);
    Failure failure = failed_last();
    if (handle.device[0]) failure.detail = text("%s of a block on device %.*s", failure.detail.characters, 63, handle.device);
    return fail(failure);
  });
  if (code != CADASTRE_SUCCESS) return code;
  opened.pointer = static_cast<std::byte*>(opened.base) + handle.offset;
  Import* const known = context.imports().find(opened.pointer);
  const std::optional<Record> record = context.registry().at(opened.pointer);
  if (known && record && record->flags & CADASTRE_IMPORTED) {
    ++known->times;
    end_claim(opened.file);
    pointer = opened.pointer;
    return CADASTRE_SUCCESS;
  }
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = handle.size;
  info.pointer = opened.pointer;
  info.type = handle.type;
  info.device = device_of(context.device());
  info.backend = context.backend().number();
  code = context.imports().reserve_one() ? borrow(lock, info, CADASTRE_IMPORTED) : no_memory_for_records();
  if (code == CADASTRE_SUCCESS) {
    context.imports().add(opened);
    pointer = opened.pointer;
    return CADASTRE_SUCCESS;
  }
  const Failure first = failed_last();
  lock.in_backend([&] { return end_import(context.sources(), opened); });
  return fail(first);
}

cadastre_exit_code close_import(ContextLock& lock, const void* pointer) noexcept {
  Context& context = lock.context();
  const auto find = [&](Record& record) {
    const std::optional<Record> found = context.registry().at(pointer);
    if (!found) return refuse_unknown(context.registry(), pointer);
    record = *found;
    if (record.flags & CADASTRE_IMPORTED) return CADASTRE_SUCCESS;
    return fail(about(record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NOT_IMPORTED, pointer));
  };
  Record record;
  cadastre_exit_code code = find(record);
  if (code != CADASTRE_SUCCESS) return code;
  code = lock.in_backend([&] {
    const cadastre_exit_code settled = context.sources().settle_elsewhere(record);
    return settled == CADASTRE_SUCCESS ? context.sources().of(record).settle(record) : settled;
  });
  if (code == CADASTRE_SUCCESS) code = find(record);
  if (code != CADASTRE_SUCCESS) return code;
  Import* const known = context.imports().find(pointer);
  if (!known) return refuse_unknown(context.registry(), pointer);
  Import closing = *known;
  closing.times = 1;
  if (--known->times > 0) {
    closing.file = -1;
  } else {
    context.registry().remove(pointer);
    context.imports().remove(known);
  }
  return lock.in_backend([&] { return end_import(context.sources(), closing); });
}

}  // namespace cadastre::internal
