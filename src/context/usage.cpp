// Tangled from org/context/usage.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/usage.hpp"

#include <algorithm>
#include <span>

#include "base/capacity.hpp"
#include "context/all_contexts.hpp"
#include "context/lifetime.hpp"

namespace cadastre::internal {
namespace {

using Sources = std::span<const SourceBytes>;

std::size_t sum_of(Sources sources, cadastre_backend backend, std::int32_t device, cadastre_memory_type type) noexcept {
  std::size_t sum = 0;
  for (const SourceBytes& one : sources) {
    if (one.from.backend == backend && one.from.device == device && one.from.type == type) sum += one.bytes;
  }
  return sum;
}

void set_untracked(cadastre_memory_usage_struct& usage, std::size_t tracked) noexcept {
  usage.untracked_bytes = usage.used_bytes - std::min(usage.used_bytes, tracked);
}

// A device that is emulated has its memory from the host.
cadastre_memory_usage_struct usage_of_host(Sources sources) noexcept {
  cadastre_memory_usage_struct usage = cadastre_memory_usage_struct_zero;
  usage.total_bytes = host_capacity().bytes;
  usage.used_bytes = resident_bytes().value_or(0);
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED}) {
    usage.tracked_bytes += process_account().of(type).live() + process_account().of(type).kept();
  }
  for (const SourceBytes& one : sources) {
    if (one.from.backend == CADASTRE_BACKEND_HOST && one.from.type != CADASTRE_PINNED) usage.tracked_bytes += one.bytes;
  }
  set_untracked(usage, usage.tracked_bytes);
  return usage;
}

// What is the library's of a memory that a device and the host share. The host's own devices are in what is tracked there.
std::size_t tracked_together(Sources sources, cadastre_backend backend, const cadastre_memory_usage_struct& of_device) noexcept {
  const std::size_t of_host = usage_of_host(sources).tracked_bytes;
  return backend == CADASTRE_BACKEND_HOST ? of_host : of_host + of_device.tracked_bytes + of_device.uvm_bytes;
}

cadastre_exit_code usage_from(Sources sources, Backend& backend, std::int32_t device, cadastre_memory_usage_struct& usage,
                              std::size_t* freed = nullptr) noexcept {
  DeviceDescription description{};
  const cadastre_exit_code code = backend.describe(device, description);
  if (code != CADASTRE_SUCCESS) return code;
  usage = cadastre_memory_usage_struct_zero;
  usage.total_bytes = description.total;
  usage.used_bytes = description.total - std::min(description.total, description.free);
  usage.tracked_bytes = sum_of(sources, backend.number(), device, CADASTRE_DEVICE);
  usage.uvm_bytes = sum_of(sources, backend.number(), device, CADASTRE_UVM);
  const std::size_t tracked = description.integrated ? tracked_together(sources, backend.number(), usage) : usage.tracked_bytes;
  set_untracked(usage, tracked + description.freed);
  if (freed) *freed = description.freed;
  return code;
}

}  // namespace

cadastre_memory_usage_struct usage_of_host() { return usage_of_host(all_sources()); }

cadastre_exit_code usage_of_device(Backend& backend, std::int32_t device, cadastre_memory_usage_struct& usage, std::size_t* freed) {
  return usage_from(all_sources(), backend, device, usage, freed);
}

std::vector<PlaceUsage> usage_of_places(const Holdings& holdings) {
  std::vector<SourceBytes> sources = all_sources();
  const bool is_apart = holdings.context != CADASTRE_PROCESS && !is_live(holdings.context);
  if (is_apart) sources.insert(sources.end(), holdings.sources.begin(), holdings.sources.end());
  std::vector<PlaceUsage> all = {{CADASTRE_BACKEND_HOST, no_device_id, usage_of_host(sources)}};
  const auto add = [&](cadastre_backend number, std::int32_t device) {
    const auto same = [&](const PlaceUsage& one) { return one.backend == number && one.device == device; };
    if (device < 0 || std::find_if(all.begin(), all.end(), same) != all.end()) return;
    Backend* const backend = find_backend(number);
    cadastre_memory_usage_struct usage = cadastre_memory_usage_struct_zero;
    const bool is_known = backend && usage_from(sources, *backend, device, usage) == CADASTRE_SUCCESS && usage.total_bytes > 0;
    if (is_known) all.push_back({number, device, usage});
  };
  add(holdings.backend, holdings.device);
  for (const SourceBytes& one : holdings.sources) add(one.from.backend, one.from.device);
  return all;
}

}  // namespace cadastre::internal
