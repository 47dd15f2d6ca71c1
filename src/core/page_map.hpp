// Tangled from org/core/page_map.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// From any address to the slab around it.
#ifndef CADASTRE_SRC_CORE_PAGE_MAP_HPP
#define CADASTRE_SRC_CORE_PAGE_MAP_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/size_class.hpp"

namespace cadastre::internal {

struct Slab;
struct Chunk;

inline constexpr std::size_t chunk_bytes = std::size_t{4} << 20, page_block_chunk_bytes = 4 * chunk_bytes;

// Pages of zeros, for which the system reserves nothing until they are touched; null when it refuses.
void* map_fresh(std::size_t bytes) noexcept;

// For each page of the address space, which slab it is part of, if any. No address is dereferenced. Bits above those that systems give are
// not looked at, so the slab need not hold an address that has some set: who asks has to check that it does.
class PageMap {
 public:
  [[gnu::always_inline]] inline Slab* slab_at(std::uintptr_t address) const noexcept {
    const Leaf* const leaf = root_[(address >> leaf_log2) % leaves].load(std::memory_order_acquire);
    return leaf ? leaf->slabs[page_in_leaf(address)].load(std::memory_order_acquire) : nullptr;
  }

  // Makes sure that a range of pages has its place; false when there is no memory.
  bool cover(std::uintptr_t begin, std::size_t bytes) noexcept;
  static void before_fork() noexcept;
  static void after_fork() noexcept;
  // Whether an address is in a chunk that is cut into slabs.
  [[gnu::always_inline]] inline bool is_in_chunk(std::uintptr_t address) const noexcept {
    const Leaf* const leaf = root_[(address >> leaf_log2) % leaves].load(std::memory_order_acquire);
    if (!leaf) return false;
    return (leaf->chunks[chunk_in_leaf(address) / 64].load(std::memory_order_relaxed) & bit_of_chunk(address)) != 0;
  }
  // Enters one that is covered, and removes it before it is unmapped.
  void add_chunk(std::uintptr_t begin) noexcept { word_of_chunk(begin).fetch_or(bit_of_chunk(begin), std::memory_order_relaxed); }
  void remove_chunk(std::uintptr_t begin) noexcept { word_of_chunk(begin).fetch_and(~bit_of_chunk(begin), std::memory_order_relaxed); }
  // The chunk of blocks that are runs of pages an address is in; null for none. Enters one that is covered, or none.
  Chunk* page_block_chunk_at(std::uintptr_t address) const noexcept {
    const Leaf* const leaf = root_[(address >> leaf_log2) % leaves].load(std::memory_order_acquire);
    return leaf ? leaf->page_block_chunks[page_block_chunk_in_leaf(address)].load(std::memory_order_acquire) : nullptr;
  }
  void set_page_block_chunk(std::uintptr_t begin, Chunk* chunk) noexcept {
    Leaf* const leaf = root_[begin >> leaf_log2].load(std::memory_order_relaxed);
    leaf->page_block_chunks[page_block_chunk_in_leaf(begin)].store(chunk, std::memory_order_release);
  }
  // Enters a slab, or none, for pages that are covered.
  void set(std::uintptr_t begin, std::size_t pages, Slab* slab) noexcept {
    for (std::size_t page = 0; page < pages; ++page, begin += page_bytes) {
      root_[begin >> leaf_log2].load(std::memory_order_relaxed)->slabs[page_in_leaf(begin)].store(slab, std::memory_order_release);
    }
  }

 private:
  static constexpr unsigned page_log2 = 12, leaf_log2 = 32, address_bits = sizeof(void*) == 8 ? 48 : 32;
  static constexpr std::size_t leaves = std::size_t{1} << (address_bits - leaf_log2);
  static constexpr std::size_t pages_in_leaf = std::size_t{1} << (leaf_log2 - page_log2);
  static constexpr std::size_t chunks_in_leaf = (std::size_t{1} << leaf_log2) / chunk_bytes;
  static constexpr std::size_t page_block_chunks_in_leaf = (std::size_t{1} << leaf_log2) / page_block_chunk_bytes;
  static_assert(std::size_t{1} << page_log2 == page_bytes);
  struct Leaf {
    std::atomic<Slab*> slabs[pages_in_leaf];  // of which the system has those that are in use
    std::atomic<std::uint64_t> chunks[chunks_in_leaf / 64];
    std::atomic<Chunk*> page_block_chunks[page_block_chunks_in_leaf];
  };
  static std::size_t page_in_leaf(std::uintptr_t address) noexcept { return (address >> page_log2) % pages_in_leaf; }
  static std::size_t chunk_in_leaf(std::uintptr_t address) noexcept { return address / chunk_bytes % chunks_in_leaf; }
  static std::size_t page_block_chunk_in_leaf(std::uintptr_t address) noexcept {
    return address / page_block_chunk_bytes % page_block_chunks_in_leaf;
  }
  static std::uint64_t bit_of_chunk(std::uintptr_t address) noexcept { return std::uint64_t{1} << chunk_in_leaf(address) % 64; }
  std::atomic<std::uint64_t>& word_of_chunk(std::uintptr_t begin) noexcept {
    return root_[begin >> leaf_log2].load(std::memory_order_relaxed)->chunks[chunk_in_leaf(begin) / 64];
  }

  std::array<std::atomic<Leaf*>, leaves> root_{};
};

[[gnu::visibility("hidden")]] extern PageMap page_map;

// Where there may be blocks, or were, that are in no slab, of any context.
class LooseMap {
 public:
  static constexpr std::size_t granule = std::size_t{2} << 20;

  [[gnu::always_inline]] inline bool may_hold(std::uintptr_t address) const noexcept {
    const std::size_t number = address / granule % granules;
    return (words_[number / 64].load(std::memory_order_relaxed) >> number % 64 & 1) != 0;
  }
  // Whether a block may begin there, or began; of most other addresses in the same granule this says no.
  [[gnu::always_inline]] inline bool may_begin_at(std::uintptr_t address) const noexcept {
    if (!may_hold(address)) [[likely]]
      return false;
    const std::size_t number = base_number(address);
    return (bases_[number / 64].load(std::memory_order_relaxed) >> number % 64 & 1) != 0;
  }
  // Of a block that nobody can find yet.
  void note(std::uintptr_t begin, std::size_t bytes) noexcept;
  void note_all() noexcept;
  // Does something while an address is noted, before any block is.
  template <class Action>
  void while_noted(std::uintptr_t address, Action action) noexcept {
    const std::size_t granule_number = address / granule % granules, base = base_number(address);
    const auto before = words_[granule_number / 64].load(std::memory_order_relaxed);
    note(address, 0);
    action();
    words_[granule_number / 64].store(before, std::memory_order_relaxed);
    bases_[base / 64].store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t granules = std::size_t{1} << 15, bases = std::size_t{1} << 20;
  static void set_bit(std::atomic<std::uint64_t>& word, std::size_t number) noexcept;
  static std::size_t base_number(std::uintptr_t address) noexcept { return (address / class_step ^ address / class_step / bases) % bases; }
  std::array<std::atomic<std::uint64_t>, granules / 64> words_{1};
  std::array<std::atomic<std::uint64_t>, bases / 64> bases_{};
};

[[gnu::visibility("hidden")]] extern LooseMap loose_map;

}  // namespace cadastre::internal
#endif
