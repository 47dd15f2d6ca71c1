// Tangled from org/registry/figures.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "registry/figures.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace cadastre::internal {

cadastre_statistics_struct sum_of_figures(const Registry& registry) noexcept {
  cadastre_statistics_struct sum = cadastre_statistics_struct_zero;
  for (cadastre_memory_type each = 0; each < CADASTRE_MEMORY_TYPE_COUNT; ++each)
    add_figures_and_marks(sum, figures_of_type(registry, each));
  sum.limit = registry.accounts().shared().limit(CADASTRE_ALL_MEMORY_TYPES);
  return sum;
}

LabelCount count_of_label(const Registry& registry, cadastre_memory_type type, OriginNumber label) noexcept {
  if (type == CADASTRE_HOST) return registry.heap().count_of_label(label);
  const LabelCounts* const counts = registry.accounts().labels_of(type);
  return counts ? counts->of(label) : LabelCount();
}

std::size_t count_live(const Registry& registry) noexcept {
  registry.heap().lock();
  return registry.heap().live() + registry.heap().table().live() + registry.hidden().count();
}

cadastre_registry_info_struct registry_info(const Registry& registry) noexcept {
  registry.heap().lock();
  const Table& table = registry.heap().table();
  const Heap::Slabs slabs = registry.heap().slabs();
  const std::size_t alone = table.live() + registry.hidden().count();
  return {sizeof(cadastre_registry_info_struct), static_cast<std::int64_t>(slabs.count + alone),
          static_cast<std::int64_t>(slabs.capacity + table.capacity()), static_cast<std::int64_t>(slabs.doublings + table.doublings()),
          static_cast<std::int64_t>(registry.heap().live() + alone)};
}

std::vector<Record> largest(const Registry& registry, std::size_t most) {
  std::vector<Record> found;
  found.reserve(most + 1);
  const auto comes_first = [](const Record& a, const Record& b) { return a.size != b.size ? a.size > b.size : a.serial < b.serial; };
  const auto offer = [&](const Record& block) {
    if (found.size() == most && !comes_first(block, found.back())) return;
    found.insert(std::upper_bound(found.begin(), found.end(), block, comes_first), block);
    if (found.size() > most) found.pop_back();
  };
  registry.heap().lock();
  registry.for_each_alone(offer);
  for (SizeClass number = size_classes; number-- > 0;) {
    if (found.size() == most && found.back().size > size_of_class(number)) break;
    registry.heap().for_each_live_of_class(number, offer);
  }
  return found;
}

OwnedVector<Record> snapshot(const Registry& registry) {
  OwnedVector<Record> live_records;
  live_records.reserve(count_live(registry));
  registry.for_each([&](const Record& record) { live_records.push_back(record); });
  std::sort(live_records.begin(), live_records.end(), [](const Record& a, const Record& b) { return a.serial < b.serial; });
  return live_records;
}

bool counts_labels_right(const Registry& registry) {
  std::map<std::pair<cadastre_memory_type, OriginNumber>, LabelCount> walked;
  for_each_label_by_walk(registry,
                         [&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) { walked[{type, label}].add(count); });
  std::size_t same = 0, all = 0;
  const bool complete = for_each_label(registry, [&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) {
    const auto found = walked.find({type, label});
    ++all;
    same += found != walked.end() && found->second == count;
  });
  return !complete || (same == all && all == walked.size());
}

bool is_consistent(const Registry& registry) {
  registry.heap().lock();
  bool good = registry.heap().check_invariants() && registry.heap().table().check_invariants();
  std::array<Accounts, memory_types> counted;
  std::size_t blocks = 0, ranges = 0, hidden = 0;
  registry.for_each([&](const Record& record) {
    ++blocks;
    hidden += record.state == State::hidden;
    if (record.borrowed()) {
      ++ranges;
      good = good && registry.borrowed().has(record);
    }
    good = good && counted[record.type].open(record.device);
    counted[record.type].each(record.device, [&](Account& account) { account.count_in(record); });
  });
  good = good && blocks == count_live(registry) && ranges == registry.borrowed().size() && hidden == registry.hidden().count();
  const auto agree = [](const Account& kept, const Account* seen) {
    const cadastre_statistics_struct nothing{};
    const cadastre_statistics_struct &f = kept.figures, &s = seen ? seen->figures : nothing;
    return f.live_blocks == s.live_blocks && f.live_bytes == s.live_bytes && f.borrowed_blocks == s.borrowed_blocks &&
           f.high_water_mark_bytes >= f.live_bytes && f.high_water_mark_blocks >= f.live_blocks &&
           f.allocations == f.deallocations + f.failed_deallocations + f.untracked_deallocations + f.live_blocks;
  };
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const Accounts& accounts = registry.accounts().of(type);
    Accounts& seen = counted[static_cast<std::size_t>(type)];
    const SharedAccount& above = registry.accounts().shared();
    const SharedBytes& shared = above.of(type);
    const std::size_t live_bytes = accounts.all.figures.live_bytes;
    good = good && agree(accounts.all, &seen.all);
    if (above.children() == 0) {
      good = good && shared.live() == live_bytes && shared.claimed() == live_bytes + accounts.reserved;
    }
    accounts.for_each_device([&](std::int32_t device, const Account& kept) { good = good && agree(kept, seen.of(device)); });
  }
  return good && counts_labels_right(registry);
}

}  // namespace cadastre::internal
