// Tangled from org/core/page_map.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/page_map.hpp"

#include <sys/mman.h>

#include "base/fail.hpp"
#include "base/lock.hpp"

namespace cadastre::internal {

constinit PageMap page_map;
constinit LooseMap loose_map;

namespace {

constinit Mutex<Rank::page_map> cover_mutex;

}  // namespace

void* map_fresh(std::size_t bytes) noexcept {
  if (system_fails(ENOMEM)) return nullptr;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

bool PageMap::cover(std::uintptr_t begin, std::size_t bytes) noexcept {
  const std::uintptr_t first = begin >> leaf_log2, last = (begin + bytes - 1) >> leaf_log2;
  if (last >= leaves) return false;
  for (std::uintptr_t number = first; number <= last; ++number) {
    if (root_[number].load(std::memory_order_acquire)) continue;
    const Locked locked(cover_mutex);
    if (root_[number].load(std::memory_order_relaxed)) continue;
    void* const leaf = map_fresh(sizeof(Leaf));
    if (!leaf) return false;
#ifdef MADV_NOHUGEPAGE
    madvise(leaf, sizeof(Leaf), MADV_NOHUGEPAGE);
#endif
    root_[number].store(static_cast<Leaf*>(leaf), std::memory_order_release);
  }
  return true;
}

void PageMap::before_fork() noexcept CADASTRE_UNCHECKED { cover_mutex.lock_for_fork(); }
void PageMap::after_fork() noexcept CADASTRE_UNCHECKED { cover_mutex.unlock(); }

// Without an atomic operation where it is set already.
void LooseMap::set_bit(std::atomic<std::uint64_t>& word, std::size_t number) noexcept {
  const std::uint64_t bit = std::uint64_t{1} << number % 64;
  if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
}

void LooseMap::note(std::uintptr_t begin, std::size_t bytes) noexcept {
  const std::size_t base = base_number(begin);
  set_bit(bases_[base / 64], base);
  const std::uintptr_t first = begin / granule, last = (begin + bytes) / granule;
  if (last - first >= granules) return note_all();
  for (std::uintptr_t number = first; number <= last; ++number) {
    set_bit(words_[number % granules / 64], number);
  }
}

void LooseMap::note_all() noexcept {
  for (std::atomic<std::uint64_t>& word : words_) word.store(UINT64_MAX, std::memory_order_relaxed);
}

}  // namespace cadastre::internal
