// Tangled from org/context/holdings.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/holdings.hpp"

#include <algorithm>
#include <new>

#include "context/workspaces.hpp"

namespace cadastre::internal {

namespace {

void add_workspaces(const Context& context, Holdings& result) {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_workspace_info_struct info = workspace_info(context, type);
    if (info.reserved_bytes + static_cast<std::size_t>(info.acquisitions) > 0) result.workspaces.push_back(info);
    for (const auto& workspace : context.look_at_workspaces().of(type).workspaces) {
      for (const Lease& lease : workspace->leases()) result.leases.push_back({lease.number, type, lease.bytes});
    }
  }
}

}  // namespace

// Pieces of pools are recorded as blocks; what the pools have from the backend for them counts instead. What pools keep is the process's.
// Throws std::bad_alloc.
std::vector<SourceBytes> bytes_by_source(const Context& context) {
  std::vector<SourceBytes> all;
  const auto add = [&](const Place& from, std::size_t bytes) {
    if (from.type == CADASTRE_HOST) return;
    const auto same = [&](const SourceBytes& one) {
      return one.from.type == from.type && one.from.device == from.device && one.from.backend == from.backend;
    };
    const auto known = std::find_if(all.begin(), all.end(), same);
    known != all.end() ? void(known->bytes += bytes) : all.push_back({from, bytes});
  };
  context.registry().for_each_alone([&](const Record& record) {
    if (!record.borrowed() && !is_pooled(record) && record.size > 0) add({record.type, record.device, record.backend}, record.size);
  });
  for (const PoolUses& pools : context.sources().all_pools()) {
    pools.for_each([&](const PoolUse& use) { add(use.pool->place(), use.pool->used_by(use.share)); });
  }
  return all;
}

Holdings take_holdings(const Context& context, cadastre_context handle) {
  Holdings result{handle,
                  context.backend().number(),
                  context.device(),
                  {},
                  {},
                  {},
                  largest(context.registry(), largest_blocks_told),
                  {},
                  {},
                  {},
                  context.notes().failures().forgotten()};
  result.labels = label_shares(context.registry());
  const auto failures = context.notes().failures().all();
  result.failures.assign(failures.begin(), failures.end());
  for (KeptFailure& failure : result.failures) failure.context = handle;
  for (std::size_t type = 0; type < memory_types; ++type) {
    const Accounts& accounts = context.registry().accounts().of(static_cast<cadastre_memory_type>(type));
    result.figures[type] = figures_of(context.registry(), static_cast<cadastre_memory_type>(type));
    result.blocks += result.figures[type].live_blocks + result.figures[type].borrowed_blocks;
    accounts.for_each_device(
        [&](std::int32_t device, const Account& account) { result.by_device[type].push_back({device, account.figures}); });
    result.pools[type] = pool_info(context, static_cast<cadastre_memory_type>(type));
  }
  result.limit_of_all = figures_of(context.registry(), CADASTRE_ALL_MEMORY_TYPES).limit;
  result.sources = bytes_by_source(context);
  result.plain_frees.assign(context.notes().plain_frees().begin(), context.notes().plain_frees().end());
  add_workspaces(context, result);
  return result;
}

std::optional<Holdings> holdings_of(const Context& context, cadastre_context handle) noexcept {
  try {
    return take_holdings(context, handle);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

}  // namespace cadastre::internal
