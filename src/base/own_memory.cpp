// Tangled from org/base/own_memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/own_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/checkers.hpp"
#include "base/fail.hpp"
#include "base/lock.hpp"

namespace cadastre::internal {
namespace {

constexpr std::size_t smallest = 64, largest = std::size_t{64} << 10, region = std::size_t{1} << 20, page = 4096;
constexpr unsigned kinds = std::countr_zero(largest) - std::countr_zero(smallest) + 1;

struct Free {
  Free* next;
};

struct OwnMemory {
  Mutex<Rank::own_memory> mutex;
  std::array<Free*, kinds> free CADASTRE_GUARDED_BY(mutex) = {};
  char *next CADASTRE_GUARDED_BY(mutex) = nullptr, *end CADASTRE_GUARDED_BY(mutex) = nullptr;
  std::size_t taken CADASTRE_GUARDED_BY(mutex) = 0, mapped CADASTRE_GUARDED_BY(mutex) = 0;
};
constinit OwnMemory own;

std::size_t rounded(std::size_t bytes) noexcept {
  return bytes > largest ? (bytes + page - 1) / page * page : std::bit_ceil(bytes < smallest ? smallest : bytes);
}
// bytes: a power of two between smallest and largest.
Free*& list_of(std::size_t bytes) noexcept CADASTRE_REQUIRES(own.mutex) {
  if (!std::has_single_bit(bytes) || bytes < smallest || bytes > largest) __builtin_unreachable();
  return own.free[static_cast<unsigned>(std::countr_zero(bytes) - std::countr_zero(smallest))];
}

void* map(std::size_t bytes) noexcept CADASTRE_REQUIRES(own.mutex) {
  if (system_fails(ENOMEM)) return nullptr;
  void* const all = mmap(nullptr, bytes + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  void* const memory = static_cast<char*>(all) + page;
#ifdef MADV_NOHUGEPAGE
  if (bytes == region) madvise(memory, bytes, MADV_NOHUGEPAGE);  // where it fails, all works
#endif
  own.mapped += bytes;
  add_roots(memory, bytes);
  return memory;
}

// What is left of a region goes where pieces of its size go.
void put_rest_away() noexcept CADASTRE_REQUIRES(own.mutex) {
  while (own.end - own.next >= std::ptrdiff_t{smallest}) {
    const std::size_t left = static_cast<std::size_t>(own.end - own.next), at = reinterpret_cast<std::uintptr_t>(own.next);
    const std::size_t piece = std::min({std::bit_floor(left), at & (~at + 1), largest});
    auto* const free = ::new (own.next) Free{list_of(piece)};
    list_of(piece) = free;
    own.next += piece;
  }
}

// The next piece of a region, at a multiple of its size or of a page.
void* cut(std::size_t bytes) noexcept CADASTRE_REQUIRES(own.mutex) {
  const std::size_t alignment = std::min(bytes, page);
  const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(own.next) & (alignment - 1);
  if (static_cast<std::size_t>(own.end - own.next) < skipped + bytes) {
    put_rest_away();
    auto* const fresh = static_cast<char*>(map(region));
    if (!fresh) return nullptr;
    own.next = fresh;
    own.end = fresh + region;
    return std::exchange(own.next, own.next + bytes);
  }
  char* const end = own.end;
  own.end = own.next + skipped;
  char* const piece = own.end;
  put_rest_away();
  own.next = piece + bytes;
  own.end = end;
  return piece;
}

}  // namespace

void* take_own(std::size_t bytes) noexcept {
  if (fails(Point::internal)) return nullptr;
  const std::size_t size = rounded(bytes);
  const Locked locked(own.mutex);
  void* memory = nullptr;
  if (size > largest) {
    memory = map(size);
  } else if (Free*& first = list_of(size)) {
    memory = first;
    first = first->next;
    std::memset(memory, 0, size);
  } else {
    memory = cut(size);
  }
  if (memory) own.taken += size;
  return memory;
}

void give_own(void* memory, std::size_t bytes) noexcept {
  if (!memory) return;
  const std::size_t size = rounded(bytes);
  const Locked locked(own.mutex);
  own.taken -= size;
  if (size > largest) {
    own.mapped -= size;
    remove_roots(memory, size);
    munmap(static_cast<char*>(memory) - page, size + 2 * page);
    return;
  }
  list_of(size) = ::new (memory) Free{list_of(size)};
}

OwnBytes own_bytes() noexcept {
  const Locked locked(own.mutex);
  return {own.taken, own.mapped};
}

void own_memory_before_fork() noexcept CADASTRE_UNCHECKED { own.mutex.lock_for_fork(); }
void own_memory_after_fork() noexcept CADASTRE_UNCHECKED { own.mutex.unlock(); }

}  // namespace cadastre::internal
