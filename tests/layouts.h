/* Tangled from org/api/layout.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the layouts of the public structures with those that programs rely on. For C11 and C++. */
#ifndef CADASTRE_TESTS_LAYOUTS_H
#define CADASTRE_TESTS_LAYOUTS_H

#include <assert.h>
#include <stddef.h>

/* The header of a library that is built without Cadastre has the same structures, and cannot be included with these. */
#ifndef CADASTRE_OPTIONAL_H
#include "cadastre.h"
#include "cadastre_workspace.h"
#endif

#define CADASTRE_LAYOUT(holds, name) static_assert(sizeof(void*) != 8 || (holds), "the layout has changed: " name)

CADASTRE_LAYOUT(sizeof(cadastre_context_options_struct) == 160, "cadastre_context_options_struct");
CADASTRE_LAYOUT(offsetof(cadastre_context_options_struct, struct_size) == 0, "cadastre_context_options_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_context_options_struct, backend) == 8, "cadastre_context_options_struct.backend");
CADASTRE_LAYOUT(offsetof(cadastre_context_options_struct, device) == 12, "cadastre_context_options_struct.device");
CADASTRE_LAYOUT(offsetof(cadastre_context_options_struct, pool) == 16, "cadastre_context_options_struct.pool");
CADASTRE_LAYOUT(offsetof(cadastre_context_options_struct, reserved) == 20, "cadastre_context_options_struct.reserved");
CADASTRE_LAYOUT(offsetof(cadastre_context_options_struct, limits) == 24, "cadastre_context_options_struct.limits");
CADASTRE_LAYOUT(offsetof(cadastre_context_options_struct, parent) == 152, "cadastre_context_options_struct.parent");
CADASTRE_LAYOUT(sizeof(cadastre_memory_info_struct) == 96, "cadastre_memory_info_struct");
CADASTRE_LAYOUT(offsetof(cadastre_memory_info_struct, size) == 0, "cadastre_memory_info_struct.size");
CADASTRE_LAYOUT(offsetof(cadastre_memory_info_struct, pointer) == 8, "cadastre_memory_info_struct.pointer");
CADASTRE_LAYOUT(offsetof(cadastre_memory_info_struct, type) == 16, "cadastre_memory_info_struct.type");
CADASTRE_LAYOUT(offsetof(cadastre_memory_info_struct, device) == 20, "cadastre_memory_info_struct.device");
CADASTRE_LAYOUT(offsetof(cadastre_memory_info_struct, alignment) == 24, "cadastre_memory_info_struct.alignment");
CADASTRE_LAYOUT(offsetof(cadastre_memory_info_struct, stride) == 32, "cadastre_memory_info_struct.stride");
CADASTRE_LAYOUT(offsetof(cadastre_memory_info_struct, flags) == 40, "cadastre_memory_info_struct.flags");
CADASTRE_LAYOUT(offsetof(cadastre_memory_info_struct, backend) == 44, "cadastre_memory_info_struct.backend");
CADASTRE_LAYOUT(offsetof(cadastre_memory_info_struct, label) == 48, "cadastre_memory_info_struct.label");
CADASTRE_LAYOUT(offsetof(cadastre_memory_info_struct, device_id) == 56, "cadastre_memory_info_struct.device_id");
CADASTRE_LAYOUT(offsetof(cadastre_memory_info_struct, reserved) == 60, "cadastre_memory_info_struct.reserved");
CADASTRE_LAYOUT(sizeof(cadastre_destroy_summary_struct) == 312, "cadastre_destroy_summary_struct");
CADASTRE_LAYOUT(offsetof(cadastre_destroy_summary_struct, struct_size) == 0, "cadastre_destroy_summary_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_destroy_summary_struct, live_blocks) == 8, "cadastre_destroy_summary_struct.live_blocks");
CADASTRE_LAYOUT(offsetof(cadastre_destroy_summary_struct, live_bytes) == 16, "cadastre_destroy_summary_struct.live_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_destroy_summary_struct, borrowed_blocks) == 24, "cadastre_destroy_summary_struct.borrowed_blocks");
CADASTRE_LAYOUT(offsetof(cadastre_destroy_summary_struct, failed_deallocations) == 32, "cadastre_destroy_summary_struct.failed_deallocations");
CADASTRE_LAYOUT(offsetof(cadastre_destroy_summary_struct, live_leases) == 40, "cadastre_destroy_summary_struct.live_leases");
CADASTRE_LAYOUT(offsetof(cadastre_destroy_summary_struct, largest_label_bytes) == 48, "cadastre_destroy_summary_struct.largest_label_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_destroy_summary_struct, largest_label) == 56, "cadastre_destroy_summary_struct.largest_label");
CADASTRE_LAYOUT(sizeof(cadastre_error_struct) == 1072, "cadastre_error_struct");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, struct_size) == 0, "cadastre_error_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, exit_code) == 8, "cadastre_error_struct.exit_code");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, reason) == 12, "cadastre_error_struct.reason");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, type) == 16, "cadastre_error_struct.type");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, backend) == 20, "cadastre_error_struct.backend");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, device_id) == 24, "cadastre_error_struct.device_id");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, argument) == 28, "cadastre_error_struct.argument");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, requested) == 32, "cadastre_error_struct.requested");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, in_use) == 40, "cadastre_error_struct.in_use");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, limit) == 48, "cadastre_error_struct.limit");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, required) == 56, "cadastre_error_struct.required");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, pointer) == 64, "cadastre_error_struct.pointer");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, base) == 72, "cadastre_error_struct.base");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, size) == 80, "cadastre_error_struct.size");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, offset) == 88, "cadastre_error_struct.offset");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, owner) == 96, "cadastre_error_struct.owner");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, vendor_code) == 104, "cadastre_error_struct.vendor_code");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, vendor_message) == 112, "cadastre_error_struct.vendor_message");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, function) == 240, "cadastre_error_struct.function");
CADASTRE_LAYOUT(offsetof(cadastre_error_struct, message) == 304, "cadastre_error_struct.message");
CADASTRE_LAYOUT(sizeof(cadastre_statistics_struct) == 120, "cadastre_statistics_struct");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, struct_size) == 0, "cadastre_statistics_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, allocations) == 8, "cadastre_statistics_struct.allocations");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, deallocations) == 16, "cadastre_statistics_struct.deallocations");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, reallocations) == 24, "cadastre_statistics_struct.reallocations");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, failed_allocations) == 32, "cadastre_statistics_struct.failed_allocations");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, failed_deallocations) == 40, "cadastre_statistics_struct.failed_deallocations");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, untracked_deallocations) == 48, "cadastre_statistics_struct.untracked_deallocations");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, live_blocks) == 56, "cadastre_statistics_struct.live_blocks");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, borrowed_blocks) == 64, "cadastre_statistics_struct.borrowed_blocks");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, high_water_mark_blocks) == 72, "cadastre_statistics_struct.high_water_mark_blocks");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, live_bytes) == 80, "cadastre_statistics_struct.live_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, high_water_mark_bytes) == 88, "cadastre_statistics_struct.high_water_mark_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, total_bytes) == 96, "cadastre_statistics_struct.total_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, zeroed_bytes) == 104, "cadastre_statistics_struct.zeroed_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_statistics_struct, limit) == 112, "cadastre_statistics_struct.limit");
CADASTRE_LAYOUT(sizeof(cadastre_backend_info_struct) == 48, "cadastre_backend_info_struct");
CADASTRE_LAYOUT(offsetof(cadastre_backend_info_struct, struct_size) == 0, "cadastre_backend_info_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_backend_info_struct, backend) == 8, "cadastre_backend_info_struct.backend");
CADASTRE_LAYOUT(offsetof(cadastre_backend_info_struct, available) == 12, "cadastre_backend_info_struct.available");
CADASTRE_LAYOUT(offsetof(cadastre_backend_info_struct, device_count) == 16, "cadastre_backend_info_struct.device_count");
CADASTRE_LAYOUT(offsetof(cadastre_backend_info_struct, memory_type_mask) == 20, "cadastre_backend_info_struct.memory_type_mask");
CADASTRE_LAYOUT(offsetof(cadastre_backend_info_struct, name) == 24, "cadastre_backend_info_struct.name");
CADASTRE_LAYOUT(offsetof(cadastre_backend_info_struct, description) == 32, "cadastre_backend_info_struct.description");
CADASTRE_LAYOUT(offsetof(cadastre_backend_info_struct, problem) == 40, "cadastre_backend_info_struct.problem");
CADASTRE_LAYOUT(sizeof(cadastre_device_info_struct) == 248, "cadastre_device_info_struct");
CADASTRE_LAYOUT(offsetof(cadastre_device_info_struct, struct_size) == 0, "cadastre_device_info_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_device_info_struct, backend) == 8, "cadastre_device_info_struct.backend");
CADASTRE_LAYOUT(offsetof(cadastre_device_info_struct, device_id) == 12, "cadastre_device_info_struct.device_id");
CADASTRE_LAYOUT(offsetof(cadastre_device_info_struct, total_bytes) == 16, "cadastre_device_info_struct.total_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_device_info_struct, free_bytes) == 24, "cadastre_device_info_struct.free_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_device_info_struct, name) == 32, "cadastre_device_info_struct.name");
CADASTRE_LAYOUT(offsetof(cadastre_device_info_struct, uuid) == 160, "cadastre_device_info_struct.uuid");
CADASTRE_LAYOUT(offsetof(cadastre_device_info_struct, integrated) == 224, "cadastre_device_info_struct.integrated");
CADASTRE_LAYOUT(offsetof(cadastre_device_info_struct, host_access) == 232, "cadastre_device_info_struct.host_access");
CADASTRE_LAYOUT(offsetof(cadastre_device_info_struct, pageable_access) == 240, "cadastre_device_info_struct.pageable_access");
CADASTRE_LAYOUT(sizeof(cadastre_memory_usage_struct) == 48, "cadastre_memory_usage_struct");
CADASTRE_LAYOUT(offsetof(cadastre_memory_usage_struct, struct_size) == 0, "cadastre_memory_usage_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_memory_usage_struct, total_bytes) == 8, "cadastre_memory_usage_struct.total_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_memory_usage_struct, used_bytes) == 16, "cadastre_memory_usage_struct.used_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_memory_usage_struct, tracked_bytes) == 24, "cadastre_memory_usage_struct.tracked_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_memory_usage_struct, uvm_bytes) == 32, "cadastre_memory_usage_struct.uvm_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_memory_usage_struct, untracked_bytes) == 40, "cadastre_memory_usage_struct.untracked_bytes");
CADASTRE_LAYOUT(sizeof(cadastre_backend_operations_struct) == 112, "cadastre_backend_operations_struct");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, struct_size) == 0, "cadastre_backend_operations_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, memory_type_mask) == 8, "cadastre_backend_operations_struct.memory_type_mask");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, device_count) == 12, "cadastre_backend_operations_struct.device_count");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, allocate) == 16, "cadastre_backend_operations_struct.allocate");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, free) == 24, "cadastre_backend_operations_struct.free");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, copy) == 32, "cadastre_backend_operations_struct.copy");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, set) == 40, "cadastre_backend_operations_struct.set");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, copy_async) == 48, "cadastre_backend_operations_struct.copy_async");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, synchronize) == 56, "cadastre_backend_operations_struct.synchronize");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, prefetch) == 64, "cadastre_backend_operations_struct.prefetch");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, advise) == 72, "cadastre_backend_operations_struct.advise");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, device_memory) == 80, "cadastre_backend_operations_struct.device_memory");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, max_alignment) == 88, "cadastre_backend_operations_struct.max_alignment");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, clone) == 96, "cadastre_backend_operations_struct.clone");
CADASTRE_LAYOUT(offsetof(cadastre_backend_operations_struct, destroy) == 104, "cadastre_backend_operations_struct.destroy");
CADASTRE_LAYOUT(sizeof(cadastre_host_resource_struct) == 40, "cadastre_host_resource_struct");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_struct, struct_size) == 0, "cadastre_host_resource_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_struct, page_size) == 8, "cadastre_host_resource_struct.page_size");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_struct, flags) == 16, "cadastre_host_resource_struct.flags");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_struct, numa_policy) == 20, "cadastre_host_resource_struct.numa_policy");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_struct, nodes) == 24, "cadastre_host_resource_struct.nodes");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_struct, near_device) == 32, "cadastre_host_resource_struct.near_device");
CADASTRE_LAYOUT(sizeof(cadastre_host_resource_info_struct) == 328, "cadastre_host_resource_info_struct");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_info_struct, struct_size) == 0, "cadastre_host_resource_info_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_info_struct, backend) == 8, "cadastre_host_resource_info_struct.backend");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_info_struct, numa_policy) == 12, "cadastre_host_resource_info_struct.numa_policy");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_info_struct, page_size) == 16, "cadastre_host_resource_info_struct.page_size");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_info_struct, live_blocks) == 24, "cadastre_host_resource_info_struct.live_blocks");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_info_struct, live_bytes) == 32, "cadastre_host_resource_info_struct.live_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_info_struct, mapped_bytes) == 40, "cadastre_host_resource_info_struct.mapped_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_info_struct, fallback_bytes) == 48, "cadastre_host_resource_info_struct.fallback_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_info_struct, fallback_count) == 56, "cadastre_host_resource_info_struct.fallback_count");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_info_struct, description) == 64, "cadastre_host_resource_info_struct.description");
CADASTRE_LAYOUT(offsetof(cadastre_host_resource_info_struct, fallback_message) == 72, "cadastre_host_resource_info_struct.fallback_message");
CADASTRE_LAYOUT(sizeof(cadastre_environment_info_struct) == 64, "cadastre_environment_info_struct");
CADASTRE_LAYOUT(offsetof(cadastre_environment_info_struct, struct_size) == 0, "cadastre_environment_info_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_environment_info_struct, name) == 8, "cadastre_environment_info_struct.name");
CADASTRE_LAYOUT(offsetof(cadastre_environment_info_struct, value) == 16, "cadastre_environment_info_struct.value");
CADASTRE_LAYOUT(offsetof(cadastre_environment_info_struct, default_value) == 24, "cadastre_environment_info_struct.default_value");
CADASTRE_LAYOUT(offsetof(cadastre_environment_info_struct, expected) == 32, "cadastre_environment_info_struct.expected");
CADASTRE_LAYOUT(offsetof(cadastre_environment_info_struct, description) == 40, "cadastre_environment_info_struct.description");
CADASTRE_LAYOUT(offsetof(cadastre_environment_info_struct, problem) == 48, "cadastre_environment_info_struct.problem");
CADASTRE_LAYOUT(offsetof(cadastre_environment_info_struct, resolved) == 56, "cadastre_environment_info_struct.resolved");
CADASTRE_LAYOUT(sizeof(cadastre_out_of_memory_struct) == 56, "cadastre_out_of_memory_struct");
CADASTRE_LAYOUT(offsetof(cadastre_out_of_memory_struct, struct_size) == 0, "cadastre_out_of_memory_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_out_of_memory_struct, context) == 8, "cadastre_out_of_memory_struct.context");
CADASTRE_LAYOUT(offsetof(cadastre_out_of_memory_struct, type) == 16, "cadastre_out_of_memory_struct.type");
CADASTRE_LAYOUT(offsetof(cadastre_out_of_memory_struct, backend) == 20, "cadastre_out_of_memory_struct.backend");
CADASTRE_LAYOUT(offsetof(cadastre_out_of_memory_struct, device_id) == 24, "cadastre_out_of_memory_struct.device_id");
CADASTRE_LAYOUT(offsetof(cadastre_out_of_memory_struct, reason) == 28, "cadastre_out_of_memory_struct.reason");
CADASTRE_LAYOUT(offsetof(cadastre_out_of_memory_struct, size) == 32, "cadastre_out_of_memory_struct.size");
CADASTRE_LAYOUT(offsetof(cadastre_out_of_memory_struct, label) == 40, "cadastre_out_of_memory_struct.label");
CADASTRE_LAYOUT(offsetof(cadastre_out_of_memory_struct, retries) == 48, "cadastre_out_of_memory_struct.retries");
CADASTRE_LAYOUT(sizeof(cadastre_registry_info_struct) == 40, "cadastre_registry_info_struct");
CADASTRE_LAYOUT(offsetof(cadastre_registry_info_struct, struct_size) == 0, "cadastre_registry_info_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_registry_info_struct, entries) == 8, "cadastre_registry_info_struct.entries");
CADASTRE_LAYOUT(offsetof(cadastre_registry_info_struct, capacity) == 16, "cadastre_registry_info_struct.capacity");
CADASTRE_LAYOUT(offsetof(cadastre_registry_info_struct, doublings) == 24, "cadastre_registry_info_struct.doublings");
CADASTRE_LAYOUT(offsetof(cadastre_registry_info_struct, live_records) == 32, "cadastre_registry_info_struct.live_records");
CADASTRE_LAYOUT(sizeof(cadastre_pool_info_struct) == 72, "cadastre_pool_info_struct");
CADASTRE_LAYOUT(offsetof(cadastre_pool_info_struct, struct_size) == 0, "cadastre_pool_info_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_pool_info_struct, pool) == 8, "cadastre_pool_info_struct.pool");
CADASTRE_LAYOUT(offsetof(cadastre_pool_info_struct, pool_count) == 12, "cadastre_pool_info_struct.pool_count");
CADASTRE_LAYOUT(offsetof(cadastre_pool_info_struct, used_bytes) == 16, "cadastre_pool_info_struct.used_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_pool_info_struct, reserved_bytes) == 24, "cadastre_pool_info_struct.reserved_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_pool_info_struct, largest_free_bytes) == 32, "cadastre_pool_info_struct.largest_free_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_pool_info_struct, releasable_bytes) == 40, "cadastre_pool_info_struct.releasable_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_pool_info_struct, hits) == 48, "cadastre_pool_info_struct.hits");
CADASTRE_LAYOUT(offsetof(cadastre_pool_info_struct, misses) == 56, "cadastre_pool_info_struct.misses");
CADASTRE_LAYOUT(offsetof(cadastre_pool_info_struct, trims) == 64, "cadastre_pool_info_struct.trims");
CADASTRE_LAYOUT(sizeof(cadastre_ipc_handle_struct) == 256, "cadastre_ipc_handle_struct");
CADASTRE_LAYOUT(offsetof(cadastre_ipc_handle_struct, bytes) == 0, "cadastre_ipc_handle_struct.bytes");
CADASTRE_LAYOUT(sizeof(cadastre_workspace_info_struct) == 96, "cadastre_workspace_info_struct");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, struct_size) == 0, "cadastre_workspace_info_struct.struct_size");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, type) == 8, "cadastre_workspace_info_struct.type");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, device_id) == 12, "cadastre_workspace_info_struct.device_id");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, scheme) == 16, "cadastre_workspace_info_struct.scheme");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, workspace_count) == 20, "cadastre_workspace_info_struct.workspace_count");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, granularity) == 24, "cadastre_workspace_info_struct.granularity");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, reserved_bytes) == 32, "cadastre_workspace_info_struct.reserved_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, used_bytes) == 40, "cadastre_workspace_info_struct.used_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, high_water_mark_bytes) == 48, "cadastre_workspace_info_struct.high_water_mark_bytes");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, live_leases) == 56, "cadastre_workspace_info_struct.live_leases");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, acquisitions) == 64, "cadastre_workspace_info_struct.acquisitions");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, failed_acquisitions) == 72, "cadastre_workspace_info_struct.failed_acquisitions");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, growths) == 80, "cadastre_workspace_info_struct.growths");
CADASTRE_LAYOUT(offsetof(cadastre_workspace_info_struct, waits) == 88, "cadastre_workspace_info_struct.waits");

#undef CADASTRE_LAYOUT
#endif
