// Tangled from org/entry.org; change the chapter, then run: make tangle
// What a table says of one block, written and read at the same time without a lock.
#ifndef CADASTRE_SRC_CORE_ENTRY_HPP
#define CADASTRE_SRC_CORE_ENTRY_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/door.hpp"
#include "label.hpp"

namespace cadastre::internal {

// One line of the processor's caches. All zero: it has no address yet.
template <class Atomics>
struct alignas(64) BasicEntry {
  enum class Is : std::uint32_t { none, live, lent, freed, gone };
  struct Contents {
    std::uint64_t serial;
    OriginNumber origin;
    std::size_t size;
    std::size_t stride_or_freed;  // of a freed block: the number of its deallocation
    std::uint64_t traits;         // how, flags and alignment
  };

  typename Atomics::template Atomic<std::uintptr_t> base;  // 0: none
  typename Atomics::template Atomic<Is> is;
  typename Atomics::template Atomic<OriginNumber> origin;
  typename Atomics::template Atomic<std::uint64_t> serial;
  typename Atomics::template Atomic<std::size_t> size, stride_or_freed;
  typename Atomics::template Atomic<std::uint64_t> traits;

  // Makes an entry that has no address that of one; false where it has one, which is told.
  bool take(std::uintptr_t address, std::uintptr_t& had) noexcept {
    had = 0;
    return base.compare_exchange_strong(had, address, std::memory_order_relaxed, std::memory_order_relaxed);
  }
  // Begins a new life at its address, which write completes; false where a block lives there. before: what it was.
  bool begin(Is& before) noexcept {
    before = is.load(std::memory_order_relaxed);
    if (before != Is::freed && before != Is::gone) return false;
    return is.compare_exchange_strong(before, Is::none, std::memory_order_relaxed, std::memory_order_relaxed);
  }
  void write(const Contents& contents, Is now) noexcept {
    serial.store(contents.serial, std::memory_order_release);
    origin.store(contents.origin, std::memory_order_release);
    size.store(contents.size, std::memory_order_release);
    stride_or_freed.store(contents.stride_or_freed, std::memory_order_release);
    traits.store(contents.traits, std::memory_order_release);
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
    return is.load(std::memory_order_acquire) == now && serial.load(std::memory_order_relaxed) == contents.serial;
  }
  // Says of a live block that it was freed, as which deallocation; false where another was first, or it is lent.
  bool free(std::uint64_t number) noexcept {
    Is expected = Is::live;
    if (!is.compare_exchange_strong(expected, Is::freed, std::memory_order_acquire, std::memory_order_relaxed)) return false;
    stride_or_freed.store(number, std::memory_order_release);
    return true;
  }

  // Whether a free of it is a call of the C library's free, and cannot fail.
  bool is_on_the_c_heap() const noexcept { return traits.load(std::memory_order_relaxed) >> 32 == 0; }
  bool is_there() const noexcept {
    const Is now = is.load(std::memory_order_acquire);
    return now == Is::live || now == Is::lent;
  }
};

using Entry = BasicEntry<RealAtomics>;
static_assert(sizeof(Entry) == 64);

}  // namespace cadastre::internal
#endif
