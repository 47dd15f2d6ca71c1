// Tangled from org/core/label_counts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Live blocks and bytes of each label.
#ifndef CADASTRE_SRC_CORE_LABEL_COUNTS_HPP
#define CADASTRE_SRC_CORE_LABEL_COUNTS_HPP

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/label.hpp"
#include "base/non_copyable.hpp"

namespace cadastre::internal {

// What was counted at one place; a free may be counted at another than the malloc.
struct LabelCount {
  std::int64_t bytes = 0, blocks = 0;

  void count_in(std::size_t size) noexcept {
    bytes += static_cast<std::int64_t>(size);
    ++blocks;
  }
  void count_out(std::size_t size) noexcept {
    bytes -= static_cast<std::int64_t>(size);
    --blocks;
  }
  void add(const LabelCount& other) noexcept {
    bytes += other.bytes;
    blocks += other.blocks;
  }
  static LabelCount of_one(std::size_t size) noexcept { return {static_cast<std::int64_t>(size), 1}; }
  LabelCount negated() const noexcept { return {-bytes, -blocks}; }
  bool operator==(const LabelCount&) const = default;
};

// Those of one memory type in one context; any thread adds.
class LabelCounts : NonCopyable {
 public:
  LabelCounts() = default;
  ~LabelCounts() { clear(); }
  // For who is alone: nothing is counted.
  void clear() noexcept {
    if (Segments* const segments = segments_.load(std::memory_order_relaxed)) give(segments);
    segments_.store(nullptr, std::memory_order_relaxed);
    incomplete_.store(false, std::memory_order_relaxed);
  }

  // What has no label is not counted. Where there is no memory, the counts are not complete from then on.
  void add(OriginNumber label, const LabelCount& count) noexcept {
    if (label != no_origin) add_to(label, count);
  }
  LabelCount of(OriginNumber label) const noexcept;
  // Beyond the highest number that was counted.
  std::uint64_t end() const noexcept { return segments_.load(std::memory_order_acquire) ? end_of_segments() : 0; }
  bool are_complete() const noexcept { return !incomplete_.load(std::memory_order_relaxed); }

 private:
  struct Counter {
    std::atomic<std::int64_t> bytes, blocks;
  };
  struct Segments;
  Counter* counter_of(OriginNumber label) noexcept;
  void add_to(OriginNumber label, const LabelCount& count) noexcept;
  std::uint64_t end_of_segments() const noexcept;
  static void give(Segments* segments) noexcept;

  std::atomic<Segments*> segments_ = nullptr;
  std::atomic<bool> incomplete_ = false;
};

// Those of one shard, for its thread.
class ShardLabelCounts : NonCopyable {
 public:
  static constexpr OriginNumber most = OriginNumber{1} << 14;

  constexpr ShardLabelCounts() = default;
  ~ShardLabelCounts();

  // The counter that is so many bytes behind the first; null where there is none.
  [[gnu::always_inline]] LabelCount* at(std::size_t place) noexcept {
    if (place >= bytes_) [[unlikely]]
      return nullptr;
    LabelCount* const count = reinterpret_cast<LabelCount*>(reinterpret_cast<char*>(counts_) + place);
    if (!count) __builtin_unreachable();
    return count;
  }
  // Counts one less there; false, and nothing counted, where there is no counter. Base and place are not added first.
  [[gnu::always_inline]] bool count_out_at(std::size_t place, std::size_t size) noexcept {
    if (place >= bytes_) [[unlikely]]
      return false;
    char* base = reinterpret_cast<char*>(counts_);
    asm("" : "+r"(base));
    *reinterpret_cast<std::int64_t*>(base + place + offsetof(LabelCount, bytes)) -= static_cast<std::int64_t>(size);
    *reinterpret_cast<std::int64_t*>(base + place + offsetof(LabelCount, blocks)) -= 1;
    return true;
  }
  // The counter of a label, for which it grows; null where it cannot.
  LabelCount* of(OriginNumber label) noexcept;
  LabelCount told(OriginNumber label) const noexcept { return label < end() ? counts_[label] : LabelCount(); }
  OriginNumber end() const noexcept { return static_cast<OriginNumber>(bytes_ / sizeof(LabelCount)); }
  std::size_t bytes() const noexcept { return bytes_; }
  // Adds all to others, and has none.
  void move_to(LabelCounts& others) noexcept {
    if (counts_) move_all_to(others);
  }

 private:
  void move_all_to(LabelCounts& others) noexcept;

  LabelCount* counts_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace cadastre::internal
#endif
