// Tangled from org/registry/figures.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "core/block_cache.hpp"
#include "registry/registry.hpp"

namespace cadastre::internal {

void Registry::count_in(const Record& record) noexcept {
  accounts(record.type).each(record.device, [&](Account& account) { account.count_in(record); });
  if (record.borrowed()) return;
  count_label(record, LabelCount::of_one(record.size));
  accounts(record.type).reserved -= record.size;
  shared_.settle(record.type, record.size, 1);
}

void Registry::count_out(const Record& record) noexcept {
  accounts(record.type).each(record.device, [&](Account& account) { account.count_out(record); });
  if (record.borrowed()) return;
  count_label(record, LabelCount::of_one(record.size).negated());
  shared_.discharge(record.type, record.size, 1);
}

void Registry::count_some_label(const Record& record, const LabelCount& count) noexcept {
  if (record.type == CADASTRE_HOST) return heap_.label_counts().add(record.origin, count);
  if (!other_labels_) other_labels_ = make_own<LabelsOfTypes>();
  if (!other_labels_) {
    misses_labels_ = true;
  } else {
    other_labels_->of_type[record.type].add(record.origin, count);
  }
}

// The blocks that it has are counted as live, and are not.
void Registry::count_cache(const BlockCache& cache) noexcept {
  accounts(cache.type).each(cache.device, [&](Account& account) {
    account.figures.allocations += cache.allocations();
    account.figures.deallocations += cache.deallocations;
    account.figures.total_bytes += cache.allocated_bytes;
    account.figures.live_blocks -= cache.count;
    account.figures.live_bytes -= cache.bytes;
  });
  for (const BlockCache::Queue& queue : cache.queues) {
    for (const BlockCache::Block& block : std::span(queue.blocks).first(queue.count)) {
      if (cache.labels) cache.labels->add(block.label, LabelCount::of_one(block.size).negated());
    }
  }
  if (cache.count > 0) shared_.discharge(cache.type, cache.bytes, cache.count);
}

cadastre_statistics_struct Registry::sum_of_figures() const noexcept {
  cadastre_statistics_struct sum = cadastre_statistics_struct_zero;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) add_figures_and_marks(sum, figures_of_type(type));
  sum.limit = shared_.limit(CADASTRE_ALL_MEMORY_TYPES);
  return sum;
}

void Registry::charge_anew() noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_statistics_struct& figures = account(type).figures;
    shared_.claim_beyond(type, figures.live_bytes + accounts(type).reserved);
    shared_.settle(type, figures.live_bytes, figures.live_blocks);
  }
}

void Registry::discharge_all() noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_statistics_struct& figures = account(type).figures;
    if (figures.live_blocks > 0) shared_.discharge(type, figures.live_bytes, figures.live_blocks);
  }
}

void Registry::count_as_lost(const Record& record) noexcept {
  count_out(record);
  if (record.borrowed()) return;
  accounts(record.type).each(record.device, [](Account& account) { ++account.figures.untracked_deallocations; });
  if (lost_) lost_(record);
}

void Registry::count_plain_free(const Record& block) noexcept {
  gather_own();
  accounts(block.type).each(block.device, [](Account& account) {
    --account.figures.deallocations;
    ++account.figures.untracked_deallocations;
  });
}

std::size_t Registry::live() const noexcept {
  lock_heap();
  return heap_.live() + heap_.table().live() + hidden_blocks_;
}

cadastre_registry_info_struct Registry::info() const noexcept {
  lock_heap();
  const Table& table = heap_.table();
  const Heap::Slabs slabs = heap_.slabs();
  const std::size_t alone = table.live() + hidden_blocks_;
  return {sizeof(cadastre_registry_info_struct), static_cast<std::int64_t>(slabs.count + alone),
          static_cast<std::int64_t>(slabs.capacity + table.capacity()), static_cast<std::int64_t>(slabs.doublings + table.doublings()),
          static_cast<std::int64_t>(heap_.live() + alone)};
}

std::vector<Record> Registry::largest(std::size_t most) const {
  std::vector<Record> found;
  found.reserve(most + 1);
  const auto comes_first = [](const Record& a, const Record& b) { return a.size != b.size ? a.size > b.size : a.serial < b.serial; };
  const auto offer = [&](const Record& block) {
    if (found.size() == most && !comes_first(block, found.back())) return;
    found.insert(std::upper_bound(found.begin(), found.end(), block, comes_first), block);
    if (found.size() > most) found.pop_back();
  };
  lock_heap();
  for_each_alone(offer);
  for (SizeClass number = size_classes; number-- > 0;) {
    if (found.size() == most && found.back().size > size_of_class(number)) break;
    heap_.for_each_live_of_class(number, offer);
  }
  return found;
}

std::vector<Record> Registry::snapshot() const {
  std::vector<Record> live_records;
  live_records.reserve(live());
  for_each([&](const Record& record) { live_records.push_back(record); });
  std::sort(live_records.begin(), live_records.end(), [](const Record& a, const Record& b) { return a.serial < b.serial; });
  return live_records;
}

bool Registry::counts_labels_right() const {
  std::map<std::pair<cadastre_memory_type, OriginNumber>, LabelCount> walked;
  for_each_label_by_walk([&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) { walked[{type, label}].add(count); });
  std::size_t same = 0, all = 0;
  const bool complete = for_each_label([&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) {
    const auto found = walked.find({type, label});
    ++all;
    same += found != walked.end() && found->second == count;
  });
  return !complete || (same == all && all == walked.size());
}

bool Registry::consistent() const {
  lock_heap();
  bool good = heap_.check_invariants() && heap_.table().check_invariants();
  std::array<Accounts, memory_types> counted;
  std::size_t blocks = 0, ranges = 0, hidden = 0;
  for_each([&](const Record& record) {
    ++blocks;
    hidden += record.state == State::hidden;
    if (record.borrowed()) {
      ++ranges;
      const Entry* const entry = heap_.table().find_live(record.address());
      good = good && entry && entry->place < ranges_.size() && ranges_[entry->place] == record.address();
    }
    good = good && counted[record.type].open(record.device);
    counted[record.type].each(record.device, [&](Account& account) { account.count_in(record); });
  });
  good = good && blocks == live() && ranges == ranges_.size() && hidden == hidden_blocks_;
  const auto agree = [](const Account& kept, const Account* seen) {
    const cadastre_statistics_struct nothing{};
    const cadastre_statistics_struct &f = kept.figures, &s = seen ? seen->figures : nothing;
    return f.live_blocks == s.live_blocks && f.live_bytes == s.live_bytes && f.borrowed_blocks == s.borrowed_blocks &&
           f.high_water_mark_bytes >= f.live_bytes && f.high_water_mark_blocks >= f.live_blocks &&
           f.allocations == f.deallocations + f.failed_deallocations + f.untracked_deallocations + f.live_blocks;
  };
  for (std::size_t type = 0; type < memory_types; ++type) {
    const SharedBytes& shared = shared_.of(static_cast<cadastre_memory_type>(type));
    const std::size_t live_bytes = accounts_[type].all.figures.live_bytes;
    good = good && agree(accounts_[type].all, &counted[type].all);
    if (shared_.children() == 0) {
      good = good && shared.live() == live_bytes && shared.claimed() == live_bytes + accounts_[type].reserved;
    }
    accounts_[type].for_each_device([&](std::int32_t device, const Account& kept) {
      good = good && agree(kept, counted[type].of(device));
    });
  }
  return good && counts_labels_right();
}

}  // namespace cadastre::internal
