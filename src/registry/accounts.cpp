// Tangled from org/registry/accounts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "registry/accounts.hpp"

#include <algorithm>
#include <span>

#include "base/own_memory.hpp"

namespace cadastre::internal {

bool ContextAccounts::has_counted() const noexcept {
  return std::any_of(of_type_.begin(), of_type_.end(), [](const Accounts& accounts) { return accounts.all.has_counted(); });
}

bool ContextAccounts::has_counted_beside_the_heap() const noexcept {
  return std::any_of(of_type_.begin(), of_type_.end(), [&](const Accounts& accounts) {
    return accounts.has_devices() || (&accounts != &of_type_[CADASTRE_HOST] && accounts.all.has_counted());
  });
}

void ContextAccounts::renew() noexcept {
  for (Accounts& accounts : of_type_) accounts.renew();
  shared_.renew();
  host_labels_.clear();
  misses_labels_ = false;
}

void ContextAccounts::count_in(const Record& record) noexcept {
  of(record.type).each(record.device, [&](Account& account) { account.count_in(record); });
  if (record.borrowed()) return;
  count_label(record, LabelCount::of_one(record.size));
  of(record.type).reserved -= record.size;
  shared_.settle(record.type, record.size, 1);
}

void ContextAccounts::count_out(const Record& record) noexcept {
  of(record.type).each(record.device, [&](Account& account) { account.count_out(record); });
  if (record.borrowed()) return;
  count_label(record, LabelCount::of_one(record.size).negated());
  shared_.discharge(record.type, record.size, 1);
}

void ContextAccounts::count_resize(const Record& record, std::size_t size) noexcept {
  const std::size_t growth = size > record.size ? size - record.size : 0;
  of(record.type).reserved -= growth;
  if (growth > 0) {
    shared_.settle(record.type, growth, 0);
  } else {
    shared_.discharge(record.type, record.size - size, 0);
  }
  of(record.type).each(record.device, [&](Account& account) {
    ++account.figures.reallocations;
    if (growth > 0) {
      account.grow(growth, !(record.flags & CADASTRE_UNINITIALIZED));
    } else {
      account.figures.live_bytes -= record.size - size;
    }
  });
  count_label(record, {.bytes = static_cast<std::int64_t>(size - record.size)});
}

void ContextAccounts::count_deallocation(const Record& record) noexcept {
  of(record.type).each(record.device, [](Account& account) { ++account.figures.deallocations; });
}

void ContextAccounts::count_failed_free(const Record& record) noexcept {
  of(record.type).each(record.device, [](Account& account) {
    --account.figures.deallocations;
    ++account.figures.failed_deallocations;
  });
}

void ContextAccounts::count_plain_free(const Record& record) noexcept {
  of(record.type).each(record.device, [](Account& account) {
    --account.figures.deallocations;
    ++account.figures.untracked_deallocations;
  });
}

void ContextAccounts::count_lost(const Record& record) noexcept {
  count_out(record);
  if (record.borrowed()) return;
  of(record.type).each(record.device, [](Account& account) { ++account.figures.untracked_deallocations; });
}

void ContextAccounts::count_cache(const BlockCache& cache) noexcept {
  of(cache.type).each(cache.device, [&](Account& account) {
    account.figures.allocations += cache.allocations();
    account.figures.deallocations += cache.deallocations;
    account.figures.total_bytes += cache.allocated_bytes;
    cadastre_statistics_struct& figures = account.figures;
    const auto live_bytes = static_cast<std::int64_t>(figures.live_bytes);
    figures.high_water_mark_blocks = std::max(figures.high_water_mark_blocks, figures.live_blocks + cache.most_blocks_more);
    figures.high_water_mark_bytes = std::max(figures.high_water_mark_bytes, static_cast<std::size_t>(live_bytes + cache.most_bytes_more));
    figures.live_blocks += cache.blocks_more();
    figures.live_bytes = static_cast<std::size_t>(live_bytes + cache.bytes_more());
  });
  for (const BlockCache::Queue& queue : cache.queues) {
    for (const BlockCache::Block& block : std::span(queue.blocks).first(queue.count)) {
      if (cache.labels) cache.labels->add(block.label, LabelCount::of_one(block.size).negated());
    }
  }
  if (cache.count > 0) shared_.discharge(cache.type, cache.bytes, cache.count);
}

void ContextAccounts::count_label(const Record& record, const LabelCount& count) noexcept {
  if (record.origin == no_origin) return;
  if (record.type == CADASTRE_HOST) return host_labels_.add(record.origin, count);
  if (!other_labels_) other_labels_ = make_own<LabelsOfTypes>();
  if (!other_labels_) {
    misses_labels_ = true;
  } else {
    other_labels_->of_type[record.type].add(record.origin, count);
  }
}

bool ContextAccounts::are_labels_complete() const noexcept {
  const auto is_complete = [](const LabelCounts& counts) { return counts.are_complete(); };
  if (misses_labels_ || !is_complete(host_labels_)) return false;
  return !other_labels_ || std::all_of(other_labels_->of_type.begin(), other_labels_->of_type.end(), is_complete);
}

void ContextAccounts::charge_anew() noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_statistics_struct& figures = of(type).all.figures;
    shared_.claim_beyond(type, figures.live_bytes + of(type).reserved);
    shared_.settle(type, figures.live_bytes, figures.live_blocks);
  }
}

void ContextAccounts::discharge_all() noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_statistics_struct& figures = of(type).all.figures;
    if (figures.live_blocks > 0) shared_.discharge(type, figures.live_bytes, figures.live_blocks);
  }
}

}  // namespace cadastre::internal
