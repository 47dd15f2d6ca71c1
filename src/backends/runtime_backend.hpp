// Tangled from org/backends/runtime_backend.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The backend of a runtime like CUDA's, whatever it calls its routines.
#ifndef CADASTRE_SRC_BACKENDS_RUNTIME_BACKEND_HPP
#define CADASTRE_SRC_BACKENDS_RUNTIME_BACKEND_HPP

#include <cstring>
#include <optional>

#include "backends/ipc.hpp"
#include "backends/runtime_copies.hpp"

namespace cadastre::internal::dialects {

class RuntimeBackend final : public RuntimeCopies {
 public:
  // The runtime is opened by a function, which does so once, when it is called first.
  constexpr RuntimeBackend(const RuntimeVendor& vendor, const Runtime& (*opened)() noexcept) noexcept : RuntimeCopies(vendor, opened) {}

  bool addresses_are_apart() const noexcept override { return true; }

  Presence presence() const noexcept override {
    return {runtime().usable(), runtime().devices, runtime().problem.characters, true, runtime().meaning.characters};
  }

  bool serves(cadastre_memory_type type) const noexcept override {
    if (type == CADASTRE_UVM) return runtime().managed;
    return type == CADASTRE_DEVICE || type == CADASTRE_PINNED;
  }

  Text problem(cadastre_memory_type type) const noexcept override {
    if (type != CADASTRE_UVM || runtime().managed) return {};
    return text("no device of this machine supports managed memory (%s)", runtime().dialect().managed_attribute);
  }

  bool exports(cadastre_memory_type type) const noexcept override { return type == CADASTRE_DEVICE && runtime().shares(); }

  bool takes_from_host(cadastre_memory_type type, std::int32_t device) noexcept override {
    if (type != CADASTRE_DEVICE || gone()) return type != CADASTRE_DEVICE;
    Session session(runtime(), device);
    return has(session, cudaDevAttrIntegrated, device);
  }

  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return widest_alignment; }
  std::size_t natural_alignment(cadastre_memory_type) const noexcept override { return vendors_alignment; }

  cadastre_exit_code describe(std::int32_t device, DeviceDescription& description) noexcept override {
    Session session(runtime(), device);
    DeviceDescription found{};
    cudaDeviceProp properties{};
    if (!session.call(runtime().call.cudaMemGetInfo, &found.free, &found.total) ||
        !session.call(runtime().call.cudaGetDeviceProperties, &properties, device)) {
      return refused(device, session.refusal());
    }
    std::memcpy(found.name, properties.name, sizeof found.name - 1);
    runtime().dialect().write_uuid(properties, runtime().version, found.uuid);
    found.integrated = has(session, cudaDevAttrIntegrated, device);
    const bool is_said_to = runtime().dialect().tells_of_host_access && has(session, cudaDevAttrDirectManagedMemAccessFromHost, device);
    found.host_access = found.integrated && is_said_to;
    found.pageable_access = has(session, cudaDevAttrPageableMemoryAccess, device);
    if (std::uint64_t reserved = 0; freed_.has_any() && ask_pool_of(session, device, reserved))
      found.freed = freed_.bytes_on(device, reserved);
    description = found;
    return CADASTRE_SUCCESS;
  }

  cadastre_exit_code memory_of(std::int32_t device, DeviceMemory& memory) noexcept override {
    Session session(runtime(), device);
    DeviceMemory found{};
    if (!session.call(runtime().call.cudaMemGetInfo, &found.free, &found.total)) return refused(device, session.refusal());
    memory = found;
    return CADASTRE_SUCCESS;
  }

  bool claims(const void* address, Place& place) noexcept override {
    Session session(runtime());
    cudaPointerAttributes attributes{};
    if (!session.call(runtime().call.cudaPointerGetAttributes, &attributes, address)) return false;
    runtime().dialect().translate(attributes, runtime().version);
    const bool managed = attributes.type == cudaMemoryTypeManaged;
    if (!managed && attributes.type != cudaMemoryTypeDevice) return false;
    place = {managed ? CADASTRE_UVM : CADASTRE_DEVICE, attributes.device, number()};
    return true;
  }

  std::int32_t current_device() noexcept override {
    if (!runtime().usable()) return no_device_id;
    int device = 0;
    Session(runtime()).call(runtime().call.cudaGetDevice, &device);
    return device;
  }

  cadastre_exit_code export_block(const Record& record, VendorHandle& handle, std::size_t& offset) noexcept override {
    Session session(runtime(), record.device);
    const Relaxed relaxed(session);
    cudaIpcMemHandle_t vendors{};
    static_assert(sizeof vendors == sizeof handle);
    if (!session.call(runtime().call.cudaIpcGetMemHandle, &vendors, base_of(record))) return refused(record.device, session.refusal());
    std::memcpy(&handle, &vendors, sizeof handle);
    offset = address_of(record.pointer) - address_of(base_of(record));
    return CADASTRE_SUCCESS;
  }

  cadastre_exit_code import_block(std::int32_t device, const VendorHandle& handle, void*& base) noexcept override {
    Session session(runtime(), device);
    const Relaxed relaxed(session);
    cudaIpcMemHandle_t vendors{};
    std::memcpy(&vendors, &handle, sizeof vendors);
    void* opened = nullptr;
    const unsigned lazily = runtime().dialect().flag<cudaIpcMemLazyEnablePeerAccess>(runtime().version);
    if (!session.call(runtime().call.cudaIpcOpenMemHandle, &opened, vendors, lazily)) {
      return refused(device, session.refusal());
    }
    base = opened;
    return CADASTRE_SUCCESS;
  }

  cadastre_exit_code close_import(std::int32_t device, void* base) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), device);
    const Relaxed relaxed(session);
    return session.call(runtime().call.cudaIpcCloseMemHandle, base) ? CADASTRE_SUCCESS : refused(device, session.refusal());
  }
};

}  // namespace cadastre::internal::dialects

#endif
