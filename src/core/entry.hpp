// Tangled from org/core/entry.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a table says of one block, written and read at the same time without a lock.
#ifndef CADASTRE_SRC_CORE_ENTRY_HPP
#define CADASTRE_SRC_CORE_ENTRY_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/label.hpp"
#include "core/shard_lock.hpp"

namespace cadastre::internal {

// One line of the processor's caches. All zero: it has no address yet.
template <class Atomics>
struct alignas(64) BasicEntry {
  enum class Is : std::uint32_t { none, live, leased, hidden, freed, moved, gone };
  struct Contents {
    std::uint64_t serial;
    OriginNumber origin;
    std::size_t size;
    std::size_t
        stride_or_freed;   // of a block that is not there any more: the number of its deallocation, or of the last one before it moved
    std::uint64_t traits;  // how, backend, type, flags and alignment
    std::int32_t device;
  };

  typename Atomics::template Atomic<std::uintptr_t> base;  // 0: none
  typename Atomics::template Atomic<Is> is;
  typename Atomics::template Atomic<OriginNumber> origin;
  typename Atomics::template Atomic<std::uint64_t> serial;
  typename Atomics::template Atomic<std::size_t> size, stride_or_freed;
  typename Atomics::template Atomic<std::uint64_t> traits;
  typename Atomics::template Atomic<std::int32_t> device;
  std::uint32_t place;  // of a borrowed range in the list of all; for who has the context's lock

  // Makes an entry that has no address that of one; false where it has one, which is told.
  bool take(std::uintptr_t address, std::uintptr_t& had) noexcept {
    had = 0;
    return base.compare_exchange_strong(had, address, std::memory_order_relaxed, std::memory_order_relaxed);
  }
  // Begins a new life at its address, which write completes; false where a block lives there. before: what it was.
  bool begin(Is& before) noexcept {
    before = is.load(std::memory_order_relaxed);
    if (before == Is::none || before == Is::live || before == Is::leased) return false;
    return is.compare_exchange_strong(before, Is::none, std::memory_order_relaxed, std::memory_order_relaxed);
  }
  // The same where a block was freed, and in no other state.
  bool begin_after_free() noexcept {
    Is before = Is::freed;
    return is.compare_exchange_strong(before, Is::none, std::memory_order_relaxed, std::memory_order_relaxed);
  }
  void write(const Contents& contents, Is now) noexcept {
    serial.store(contents.serial, std::memory_order_release);
    origin.store(contents.origin, std::memory_order_release);
    size.store(contents.size, std::memory_order_release);
    stride_or_freed.store(contents.stride_or_freed, std::memory_order_release);
    traits.store(contents.traits, std::memory_order_release);
    device.store(contents.device, std::memory_order_release);
    is.store(now, std::memory_order_release);
  }
  // What it says of one moment, and what it was; false where it changed meanwhile.
  bool read(Contents& contents, Is& now) const noexcept {
    contents.serial = serial.load(std::memory_order_acquire);
    now = is.load(std::memory_order_acquire);
    contents.origin = origin.load(std::memory_order_acquire);
    contents.size = size.load(std::memory_order_acquire);
    contents.stride_or_freed = stride_or_freed.load(std::memory_order_acquire);
    contents.traits = traits.load(std::memory_order_acquire);
    contents.device = device.load(std::memory_order_acquire);
    return is.load(std::memory_order_acquire) == now && serial.load(std::memory_order_relaxed) == contents.serial;
  }
  // Says of a live block that it was freed, as which deallocation; false where another was first, or it is leased.
  bool free(std::uint64_t number) noexcept {
    Is expected = Is::live;
    if (!is.compare_exchange_strong(expected, Is::freed, std::memory_order_acquire, std::memory_order_relaxed)) return false;
    stride_or_freed.store(number, std::memory_order_release);
    return true;
  }
  // The same of one that is live or leased, for who has the context's lock where no other thread may free it.
  void mark_freed(std::uint64_t number) noexcept {
    is.store(Is::freed, std::memory_order_relaxed);
    stride_or_freed.store(number, std::memory_order_release);
  }
  // Says of a hidden block that it was freed, or has moved; does nothing where another has the address.
  void mark_hidden_freed(Is now, std::uint64_t number) noexcept {
    Is expected = Is::hidden;
    if (!is.compare_exchange_strong(expected, Is::none, std::memory_order_relaxed, std::memory_order_relaxed)) return;
    stride_or_freed.store(number, std::memory_order_release);
    is.store(now, std::memory_order_release);
  }
  // For who is alone: all that another of the same address says.
  void take_over(const BasicEntry& other) noexcept {
    constexpr auto now = std::memory_order_relaxed;
    origin.store(other.origin.load(now), now);
    serial.store(other.serial.load(now), now);
    size.store(other.size.load(now), now);
    stride_or_freed.store(other.stride_or_freed.load(now), now);
    traits.store(other.traits.load(now), now);
    device.store(other.device.load(now), now);
    place = other.place;
    is.store(other.is.load(now), now);
  }
  void set(Is now) noexcept { is.store(now, std::memory_order_relaxed); }

  bool is_there() const noexcept {
    const Is now = is.load(std::memory_order_acquire);
    return now == Is::live || now == Is::leased;
  }
  // Whether it says what was there, and was freed or moved away.
  bool is_remembered() const noexcept {
    const Is now = is.load(std::memory_order_acquire);
    return now == Is::freed || now == Is::moved;
  }
};

using Entry = BasicEntry<RealAtomics>;
static_assert(sizeof(Entry) == 64);

}  // namespace cadastre::internal
#endif
