// Tangled from org/context/ipc.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "backends/ipc.hpp"
#include "base/error.hpp"
#include "context/context.hpp"
#include "context/lock.hpp"

namespace cadastre::internal {

cadastre_exit_code Context::export_block(Visit& visit, const void* pointer, cadastre_ipc_handle_struct& written) noexcept {
  Record record;
  cadastre_exit_code code = find_owned(registry_, pointer, record);
  if (code != CADASTRE_SUCCESS) return code;
  if (!(record.flags & CADASTRE_EXPORTABLE)) {
    return fail(about(record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NOT_EXPORTABLE, pointer));
  }
  IpcHandle handle{};
  code = visit.outside([&] {
    Backend& source = backend_of(record);
    DeviceDescription device{};
    if (source.describe(record.device, device) == CADASTRE_SUCCESS) std::memcpy(handle.device, device.uuid, sizeof handle.device);
    const cadastre_exit_code entered = enter_export(record, visit.handle(), source, handle);
    return entered == CADASTRE_SUCCESS ? source.export_block(record, handle.vendor, handle.offset) : entered;
  });
  if (code == CADASTRE_SUCCESS && is_still_there(record)) {
    write_handle(handle, written);
    return CADASTRE_SUCCESS;
  }
  if (code != CADASTRE_SUCCESS && is_still_there(record)) return code;
  forget_export(record, visit.handle());
  return code == CADASTRE_SUCCESS ? unknown(pointer) : code;
}

namespace {

Import* find_import(OwnVector<Import>& imports, const void* pointer) noexcept {
  return std::find_if(imports.begin(), imports.end(), [=](const Import& one) { return one.pointer == pointer; });
}

}  // namespace

cadastre_exit_code Context::import_block(Visit& visit, const cadastre_ipc_handle_struct& given, void*& pointer) noexcept {
  IpcHandle handle;
  cadastre_exit_code code = read_handle(given, handle);
  if (code != CADASTRE_SUCCESS) return code;
  if (handle.backend != backend_->number()) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_INVALID_IPC_HANDLE,
                 .detail = text("it is of the %s backend, and the context is of another", cadastre_string_of_backend(handle.backend))});
  }
  Import opened{.pointer = nullptr, .base = nullptr, .device = device_, .file = -1, .times = 1};
  code = visit.outside([&] {
    const cadastre_exit_code claimed = claim_import(handle, opened.file);
    if (claimed != CADASTRE_SUCCESS) return claimed;
    const cadastre_exit_code imported = backend_->import_block(device_, handle.vendor, opened.base);
    if (imported == CADASTRE_SUCCESS) return imported;
    end_claim(opened.file);
    Failure failure = failed_last();
    if (handle.device[0]) failure.detail = text("%s of a block on device %.*s", failure.detail.characters, 63, handle.device);
    return fail(failure);
  });
  if (code != CADASTRE_SUCCESS) return code;
  opened.pointer = static_cast<std::byte*>(opened.base) + handle.offset;
  Import* const known = find_import(imports_, opened.pointer);
  const std::optional<Record> record = registry_.at(opened.pointer);
  if (known != imports_.end() && record && record->flags & CADASTRE_IMPORTED) {
    ++known->times;
    end_claim(opened.file);
    pointer = opened.pointer;
    return CADASTRE_SUCCESS;
  }
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = handle.size;
  info.pointer = opened.pointer;
  info.type = handle.type;
  info.device = device_of(device_);
  info.backend = backend_->number();
  code = imports_.reserve_one() ? borrow(visit, info, CADASTRE_IMPORTED) : no_memory_for_records();
  if (code == CADASTRE_SUCCESS) {
    imports_.push_back(opened);
    pointer = opened.pointer;
    return CADASTRE_SUCCESS;
  }
  const Failure first = failed_last();
  visit.outside([&] { return end_import(opened); });
  return fail(first);
}

cadastre_exit_code Context::close_import(Visit& visit, const void* pointer) noexcept {
  const auto find = [&](Record& record) {
    const std::optional<Record> found = registry_.at(pointer);
    if (!found) return unknown(pointer);
    record = *found;
    if (record.flags & CADASTRE_IMPORTED) return CADASTRE_SUCCESS;
    return fail(about(record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NOT_IMPORTED, pointer));
  };
  Record record;
  cadastre_exit_code code = find(record);
  if (code != CADASTRE_SUCCESS) return code;
  code = visit.outside([&] {
    const cadastre_exit_code settled = settle_elsewhere(record);
    return settled == CADASTRE_SUCCESS ? backend_of(record).settle(record) : settled;
  });
  if (code == CADASTRE_SUCCESS) code = find(record);
  if (code != CADASTRE_SUCCESS) return code;
  Import* const known = find_import(imports_, pointer);
  if (known == imports_.end()) return unknown(pointer);
  Import closing = *known;
  closing.times = 1;
  if (--known->times > 0) {
    closing.file = -1;
  } else {
    registry_.remove(pointer);
    imports_.remove_at(static_cast<std::size_t>(known - imports_.begin()));
  }
  return visit.outside([&] { return end_import(closing); });
}

// Outside; as often as it was opened.
cadastre_exit_code Context::end_import(const Import& import) noexcept {
  for (int time = 0; time < import.times; ++time) {
    if (const cadastre_exit_code code = backend_->close_import(import.device, import.base); code != CADASTRE_SUCCESS) return code;
  }
  end_claim(import.file);
  return CADASTRE_SUCCESS;
}

// Outside, when nobody can find them any more.
cadastre_exit_code Context::end_imports(const OwnVector<Import>& imports) noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  for (const Import& import : imports) {
    Record range;
    range.pointer = import.pointer;
    range.type = CADASTRE_DEVICE;
    range.backend = static_cast<std::uint8_t>(backend_->number());
    range.device = import.device;
    cadastre_exit_code code = settle_elsewhere(range);
    if (code == CADASTRE_SUCCESS) code = backend_->settle(range);
    if (const cadastre_exit_code closed = end_import(import); closed != CADASTRE_SUCCESS) code = closed;
    if (code != CADASTRE_SUCCESS) worst = code;
  }
  return worst;
}

// In the child of a fork.
void Context::leave_imports_to_parent() noexcept {
  for (Import& import : imports_) end_claim(std::exchange(import.file, -1));
}

}  // namespace cadastre::internal
