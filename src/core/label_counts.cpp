// Tangled from org/core/label_counts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/label_counts.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/own_memory.hpp"

namespace cadastre::internal {

namespace {

constexpr OriginNumber smallest = 16;  // counters of a first array, or segment

}  // namespace

struct LabelCounts::Segments {
  std::array<std::atomic<Counter*>, place_in_segments(UINT32_MAX, smallest).segment + 1> all{};
  std::atomic<OriginNumber> last{no_origin};
};

void LabelCounts::give(Segments* segments) noexcept {
  for (unsigned number = 0; number < segments->all.size(); ++number) {
    const std::size_t size = std::size_t{smallest} << (number == 0 ? 0 : number - 1);
    if (Counter* const counters = segments->all[number].load(std::memory_order_relaxed)) give_own(counters, size * sizeof(Counter));
  }
  delete_own(segments);
}

// The counter of a label, made where it is missing; null when there is no memory.
LabelCounts::Counter* LabelCounts::counter_of(OriginNumber label) noexcept {
  Segments* segments = segments_.load(std::memory_order_acquire);
  if (!segments) {
    Segments* const fresh = make_own<Segments>();
    if (!fresh) return nullptr;
    if (segments_.compare_exchange_strong(segments, fresh, std::memory_order_acq_rel, std::memory_order_acquire)) segments = fresh;
    if (segments != fresh) delete_own(fresh);
  }
  const SegmentPlace place = place_in_segments(label, smallest);
  std::atomic<Counter*>& segment = segments->all[place.segment];
  Counter* counters = segment.load(std::memory_order_acquire);
  if (!counters) {
    auto* const fresh = static_cast<Counter*>(take_own(place.size * sizeof(Counter)));
    if (!fresh) return nullptr;
    if (segment.compare_exchange_strong(counters, fresh, std::memory_order_acq_rel, std::memory_order_acquire)) counters = fresh;
    if (counters != fresh) give_own(fresh, place.size * sizeof(Counter));
  }
  OriginNumber last = segments->last.load(std::memory_order_relaxed);
  while (last < label && !segments->last.compare_exchange_weak(last, label, std::memory_order_relaxed)) continue;
  return counters + place.index;
}

void LabelCounts::add_to(OriginNumber label, const LabelCount& count) noexcept {
  if (count == LabelCount()) return;
  Counter* const counter = counter_of(label);
  if (!counter) return incomplete_.store(true, std::memory_order_relaxed);
  counter->bytes.fetch_add(count.bytes, std::memory_order_relaxed);
  counter->blocks.fetch_add(count.blocks, std::memory_order_relaxed);
}

LabelCount LabelCounts::of(OriginNumber label) const noexcept {
  const Segments* const segments = segments_.load(std::memory_order_acquire);
  if (!segments) return {};
  const SegmentPlace place = place_in_segments(label, smallest);
  const Counter* const counters = segments->all[place.segment].load(std::memory_order_acquire);
  if (!counters) return {};
  const Counter& counter = counters[place.index];
  return {counter.bytes.load(std::memory_order_relaxed), counter.blocks.load(std::memory_order_relaxed)};
}

std::uint64_t LabelCounts::end_of_segments() const noexcept {
  return std::uint64_t{segments_.load(std::memory_order_acquire)->last.load(std::memory_order_relaxed)} + 1;
}

ShardLabelCounts::~ShardLabelCounts() { give_own(counts_, bytes_); }

LabelCount* ShardLabelCounts::of(OriginNumber label) noexcept {
  if (label < end()) return counts_ + label;
  if (label >= most) return nullptr;
  const std::size_t bytes = std::max(smallest, std::bit_ceil(label + 1)) * sizeof(LabelCount);
  auto* const fresh = static_cast<LabelCount*>(take_own(bytes));
  if (!fresh) return nullptr;
  if (counts_) std::memcpy(static_cast<void*>(fresh), counts_, bytes_);
  give_own(counts_, bytes_);
  counts_ = fresh;
  bytes_ = bytes;
  return counts_ + label;
}

void ShardLabelCounts::move_all_to(LabelCounts& others) noexcept {
  for (OriginNumber label = 0; label < end(); ++label) others.add(label, counts_[label]);
  give_own(counts_, bytes_);
  counts_ = nullptr;
  bytes_ = 0;
}

}  // namespace cadastre::internal
