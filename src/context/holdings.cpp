// Tangled from org/context/holdings.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/holdings.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/process.hpp"

namespace cadastre::internal {

// What lives of each label, as the counters say, and what they leave of each memory type; blocks are looked at only where there was no
// memory for a counter. Throws std::bad_alloc.
std::vector<LabelShare> Context::label_shares() const {
  std::vector<LabelShare> shares;
  std::array<LabelCount, memory_types> rest;
  for (std::size_t type = 0; type < memory_types; ++type) {
    const cadastre_statistics_struct& figures = account(static_cast<cadastre_memory_type>(type)).figures;
    rest[type] = {static_cast<std::int64_t>(figures.live_bytes), figures.live_blocks};
  }
  const auto add = [&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) {
    shares.push_back({label, type, count});
    rest[static_cast<std::size_t>(type)].add(count.negated());
  };
  if (!registry_.for_each_label(add)) {
    std::unordered_map<std::uint64_t, LabelCount> walked;
    registry_.for_each_label_by_walk([&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) {
      walked[std::uint64_t{label} * memory_types + static_cast<std::size_t>(type)].add(count);
    });
    for (const auto& [key, count] : walked) {
      add(static_cast<cadastre_memory_type>(key % memory_types), static_cast<OriginNumber>(key / memory_types), count);
    }
  }
  for (std::size_t type = 0; type < memory_types; ++type) {
    if (rest[type].blocks > 0) shares.push_back({no_origin, static_cast<cadastre_memory_type>(type), rest[type]});
  }
  return shares;
}

// Where the host has no memory to count with, nobody is named.
const Holders& Context::count_holders(cadastre_memory_type type) noexcept try {
  const auto begin = std::chrono::steady_clock::now();
  if (counted_type_ == type && begin < count_again_) return holders_;
  counted_type_ = type;
  holders_ = {};
  const auto offer = [&](Holder candidate) {
    for (Holder& place : holders_) {
      if (candidate.bytes > place.bytes) std::swap(candidate, place);
    }
  };
  const cadastre_statistics_struct figures = registry_.figures(type);
  LabelCount rest{static_cast<std::int64_t>(figures.live_bytes), figures.live_blocks};
  // A label may be of several memory types.
  const bool all = type == CADASTRE_ALL_MEMORY_TYPES;
  std::unordered_map<OriginNumber, LabelCount> sums;
  const auto add = [&](cadastre_memory_type of, OriginNumber label, const LabelCount& count) {
    if (of != type && !all) return;
    if (all) sums[label].add(count);
    else offer({text_of(label), count.blocks, static_cast<std::size_t>(count.bytes)});
    rest.add(count.negated());  // the last, since it may be what is added
  };
  const bool counted = registry_.for_each_label(add);
  if (!counted) {
    holders_ = {};
    sums.clear();
    for (const LabelShare& share : label_shares()) add(share.type, share.label, share.count);
  } else if (rest.blocks > 0) {
    add(type, no_origin, rest);
  }
  for (const auto& [label, sum] : sums) offer({text_of(label), sum.blocks, static_cast<std::size_t>(sum.bytes)});
  const auto end = std::chrono::steady_clock::now();
  count_again_ = end + 20 * (end - begin);
  return holders_;
} catch (const std::bad_alloc&) {
  return holders_;
}

void Context::keep_failure(const char* function, bool counts) noexcept {
  const Failure& failure = failed_last();
  KeptFailure* const kept = kept_failures_.keep(function, failure, time_now());
  const bool refused = failure.exit_code == CADASTRE_LIMIT_EXCEEDED || failure.exit_code == CADASTRE_ALLOCATION_FAILED;
  if (kept && counts && refused && is_memory_type(failure.type)) kept->holders = count_holders(failure.wanting());
}

void Context::add_workspaces(Holdings& result) const {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_workspace_info_struct info = workspace_info(type);
    if (info.reserved_bytes + static_cast<std::size_t>(info.acquisitions) > 0) result.workspaces.push_back(info);
    for (const auto& workspace : books().of(type).workspaces) {
      for (const Lease& lease : workspace->leases()) result.leases.push_back({lease.number, type, lease.bytes});
    }
  }
}

// Pieces of pools are recorded as blocks; what the pools have from the backend for them counts instead. What pools keep is the process's.
// Throws std::bad_alloc.
std::vector<SourceBytes> Context::sources() const {
  std::vector<SourceBytes> all;
  const auto add = [&](const Place& from, std::size_t bytes) {
    if (from.type == CADASTRE_HOST) return;
    const auto same = [&](const SourceBytes& one) {
      return one.from.type == from.type && one.from.device == from.device && one.from.backend == from.backend;
    };
    const auto known = std::find_if(all.begin(), all.end(), same);
    known != all.end() ? void(known->bytes += bytes) : all.push_back({from, bytes});
  };
  registry_.for_each_alone([&](const Record& record) {
    if (!record.borrowed() && !is_pooled(record) && record.size > 0) add({record.type, record.device, record.backend}, record.size);
  });
  for (const PoolUses& pools : pools_) {
    pools.for_each([&](const PoolUse& use) { add(use.pool->place(), use.pool->used_by(use.share)); });
  }
  return all;
}

Holdings Context::holdings(cadastre_context handle) const {
  Holdings result{handle, backend_->number(), device_, {}, {}, {}, registry_.largest(largest_blocks_told), {}, {}, {},
                  kept_failures_.forgotten()};
  result.labels = label_shares();
  result.failures.assign(kept_failures_.all().begin(), kept_failures_.all().end());
  for (KeptFailure& failure : result.failures) failure.context = handle;
  for (std::size_t type = 0; type < memory_types; ++type) {
    const Accounts& accounts = registry_.accounts(static_cast<cadastre_memory_type>(type));
    result.figures[type] = registry_.figures(static_cast<cadastre_memory_type>(type));
    result.blocks += result.figures[type].live_blocks + result.figures[type].borrowed_blocks;
    accounts.for_each_device([&](std::int32_t device, const Account& account) {
      result.by_device[type].push_back({device, account.figures});
    });
    result.pools[type] = pool_info(static_cast<cadastre_memory_type>(type));
  }
  result.limit_of_all = registry_.figures(CADASTRE_ALL_MEMORY_TYPES).limit;
  result.sources = sources();
  result.plain_frees.assign(plain_frees_.begin(), plain_frees_.end());
  add_workspaces(result);
  return result;
}

std::optional<Holdings> holdings_of(const Context& context, cadastre_context handle) noexcept {
  try {
    return context.holdings(handle);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

}  // namespace cadastre::internal
