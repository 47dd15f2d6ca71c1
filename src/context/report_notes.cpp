// Tangled from org/context/report_notes.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/report_notes.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <unordered_map>
#include <utility>

#include "base/process.hpp"
#include "registry/figures.hpp"

namespace cadastre::internal {

namespace {

std::array<LabelCount, memory_types> live_of_types(const Registry& registry) noexcept {
  std::array<LabelCount, memory_types> live;
  for (std::size_t type = 0; type < memory_types; ++type) {
    const cadastre_statistics_struct& figures = registry.account(static_cast<cadastre_memory_type>(type)).figures;
    live[type] = {static_cast<std::int64_t>(figures.live_bytes), figures.live_blocks};
  }
  return live;
}

}  // namespace

bool show_label_shares(const Registry& registry, void* whose, ShareShown shown) noexcept {
  std::array<LabelCount, memory_types> rest = live_of_types(registry);
  const bool complete = for_each_label(registry, [&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) {
    rest[static_cast<std::size_t>(type)].add(count.negated());
    shown(whose, {label, type, count});
  });
  for (std::size_t type = 0; type < memory_types; ++type) {
    if (rest[type].blocks > 0) shown(whose, {no_origin, static_cast<cadastre_memory_type>(type), rest[type]});
  }
  return complete;
}

std::vector<LabelShare> label_shares(const Registry& registry) {
  std::vector<LabelShare> shares;
  std::array<LabelCount, memory_types> rest = live_of_types(registry);
  const auto add = [&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) {
    shares.push_back({label, type, count});
    rest[static_cast<std::size_t>(type)].add(count.negated());
  };
  if (!for_each_label(registry, add)) {
    std::unordered_map<std::uint64_t, LabelCount> walked;
    for_each_label_by_walk(registry, [&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) {
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
const Holders& ReportNotes::count_holders(cadastre_memory_type type) noexcept try {
  const auto begin = std::chrono::steady_clock::now();
  if (counted_type_ == type && begin < count_again_) return holders_;
  counted_type_ = type;
  holders_ = {};
  const auto offer = [&](Holder candidate) {
    for (Holder& place : holders_) {
      if (candidate.bytes > place.bytes) std::swap(candidate, place);
    }
  };
  const cadastre_statistics_struct figures = figures_of(registry_, type);
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
  const bool counted = for_each_label(registry_, add);
  if (!counted) {
    holders_ = {};
    sums.clear();
    for (const LabelShare& share : label_shares(registry_)) add(share.type, share.label, share.count);
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

void ReportNotes::keep_failure(const char* function, bool counts) noexcept {
  const Failure& failure = failed_last();
  KeptFailure* const kept = failures_.keep(function, failure, time_now());
  if (kept && counts && is_memory_type(failure.type)) kept->holders = count_holders(failure.wanting());
}

// Without memory for a label that was not there before, the block is counted without one.
void ReportNotes::count_plain_free(const Record& block) noexcept {
  registry_.heap().gather_own();
  registry_.accounts().count_plain_free(block);
  const auto with = [this](OriginNumber origin) {
    return std::find_if(plain_frees_.begin(), plain_frees_.end(), [&](const PlainFrees& one) { return one.origin == origin; });
  };
  PlainFrees* known = with(block.origin);
  if (known == plain_frees_.end() && plain_frees_.reserve_one()) {
    plain_frees_.push_back({block.origin, 0, 0});
    known = plain_frees_.end() - 1;
  }
  if (known == plain_frees_.end() && (known = with(no_origin)) == plain_frees_.end()) return;
  ++known->blocks;
  known->bytes += block.size;
}

}  // namespace cadastre::internal
