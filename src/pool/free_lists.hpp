// Tangled from org/pool/free_lists.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Pieces that are kept, sorted by size, and apart for each queue.
#ifndef CADASTRE_SRC_POOL_FREE_LISTS_HPP
#define CADASTRE_SRC_POOL_FREE_LISTS_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "backends/backend.hpp"
#include "base/record.hpp"
#include "core/block_cache.hpp"
#include "pool/piece.hpp"

namespace cadastre::internal {

class SizeBins {
 public:
  explicit SizeBins(unsigned granule_log2) noexcept : granule_log2_(granule_log2) {}

  bool empty() const noexcept { return words_ == 0; }

  void put(PoolPiece& piece) noexcept {
    const unsigned number = class_of(piece.bytes);
    PoolPiece*& head = heads_[number];
    piece.newer = nullptr;
    piece.older = head;
    if (head) head->newer = &piece;
    head = &piece;
    bits_[number / 64] |= std::uint64_t{1} << number % 64;
    words_ |= 1u << number / 64;
  }

  void take(PoolPiece& piece) noexcept {
    if (piece.older) piece.older->newer = piece.newer;
    if (piece.newer) {
      piece.newer->older = piece.older;
      return;
    }
    const unsigned number = class_of(piece.bytes);
    heads_[number] = piece.older;
    if (piece.older) return;
    bits_[number / 64] &= ~(std::uint64_t{1} << number % 64);
    if (bits_[number / 64] == 0) words_ &= ~(1u << number / 64);
  }

  // The smallest piece that is found of those with these bytes or more, on a multiple of alignment; null when none is.
  // looks: how many pieces of each class are compared at most.
  PoolPiece* find(std::size_t bytes, std::size_t most, std::size_t alignment, unsigned looks) const noexcept {
    const unsigned last = std::min(class_of(most), classes - 1);  // no piece has as many bytes as there may be beyond
    for (unsigned number = next(class_of(bytes)); number <= last; number = next(number + 1)) {
      if (PoolPiece* const piece = best_of(number, bytes, most, alignment, looks)) return piece;
    }
    return nullptr;
  }

  // Whether bits, classes and neighbours agree, and it is so of each piece.
  template <class IsSo>
  bool check_invariants(IsSo is_so) const noexcept {
    for (unsigned number = 0; number < classes; ++number) {
      const std::uint64_t bits = bits_[number / 64];
      if ((heads_[number] != nullptr) != (bits >> number % 64 & 1) || (bits != 0) != (words_ >> number / 64 & 1)) return false;
      const PoolPiece* newer = nullptr;
      for (const PoolPiece* piece = heads_[number]; piece; newer = std::exchange(piece, piece->older)) {
        if (piece->newer != newer || class_of(piece->bytes) != number || !is_so(*piece)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr unsigned classes = 896;  // enough for all bytes of an address space, whatever the granule

  unsigned class_of(std::size_t bytes) const noexcept {
    const std::size_t granules = bytes >> granule_log2_;
    const auto width = static_cast<unsigned>(std::bit_width(granules));
    if (width <= 4) return static_cast<unsigned>(granules);
    const unsigned shift = width - 5;
    return (shift + 1) * 16 + static_cast<unsigned>(granules >> shift & 15);
  }
  // The first class from number on that holds something; classes when there is none.
  unsigned next(unsigned number) const noexcept {
    if (number >= classes) return classes;
    unsigned word = number / 64;
    std::uint64_t bits = bits_[word] & ~std::uint64_t{0} << number % 64;
    if (bits == 0) {
      const unsigned words = words_ & ~1u << word;
      if (words == 0) return classes;
      word = static_cast<unsigned>(std::countr_zero(words));
      bits = bits_[word];
    }
    return word * 64 + static_cast<unsigned>(std::countr_zero(bits));
  }
  PoolPiece* best_of(unsigned number, std::size_t bytes, std::size_t most, std::size_t alignment, unsigned looks) const noexcept {
    PoolPiece* best = nullptr;
    for (PoolPiece* piece = heads_[number]; piece && looks > 0; piece = piece->older, --looks) {
      if (!piece->fits(bytes, alignment) || piece->bytes > most || (best && piece->bytes >= best->bytes)) continue;
      best = piece;
      if (piece->bytes == bytes) break;
    }
    return best;
  }

  unsigned granule_log2_;
  unsigned words_ = 0;  // one bit for each word of bits_
  std::array<std::uint64_t, classes / 64> bits_{};
  std::array<PoolPiece*, classes> heads_{};
};

// Pieces as they were freed, by their size.
class ExactFits {
 public:
  std::size_t count = 0;

  void put(PoolPiece& piece) noexcept {
    PoolPiece*& slot = slot_of(piece.bytes);
    piece.in_exact_fits = true;
    piece.older = slot;
    slot = &piece;
    ++count;
  }
  PoolPiece* take(std::size_t bytes, std::size_t alignment) noexcept {
    PoolPiece*& slot = slot_of(bytes);
    if (!slot || slot->bytes != bytes || address_of(slot->begin) & (alignment - 1)) return nullptr;
    return &leave(slot);
  }
  bool has(std::size_t bytes) const noexcept {
    const PoolPiece* piece = slots_[number_of(bytes)];
    while (piece && piece->bytes != bytes) piece = piece->older;
    return piece != nullptr;
  }
  // Takes all, and hands each to file.
  template <class File>
  void take_all(File file) noexcept {
    for (auto slot = slots_.begin(); count > 0; ++slot) {
      while (*slot) file(leave(*slot));
    }
  }

  // Whether there are as many as it counts, each in its slot.
  bool check_invariants() const noexcept {
    std::size_t seen = 0;
    for (std::size_t number = 0; number < slots_.size(); ++number) {
      for (const PoolPiece* piece = slots_[number]; piece; piece = piece->older) {
        if (!piece->in_exact_fits || number_of(piece->bytes) != number || ++seen > count) return false;
      }
    }
    return seen == count;
  }

 private:
  // The piece that a slot holds, which leaves the cache.
  PoolPiece& leave(PoolPiece*& slot) noexcept {
    PoolPiece& piece = *slot;
    slot = piece.older;
    piece.in_exact_fits = false;
    --count;
    return piece;
  }
  static std::size_t number_of(std::size_t bytes) noexcept { return spread(bytes) >> 56; }
  PoolPiece*& slot_of(std::size_t bytes) noexcept { return slots_[number_of(bytes)]; }
  std::array<PoolPiece*, 256> slots_{};
};

// A queue, and what tells it from those that had its handle before, as far as its backend does.
struct KnownQueue {
  cadastre_queue handle = CADASTRE_DEFAULT_QUEUE;
  std::uint64_t identity = 1;

  bool operator==(const KnownQueue&) const = default;
  bool is_default() const noexcept { return handle == CADASTRE_DEFAULT_QUEUE; }
  // Whether whatever is equal to it is the same queue.
  bool is_unique() const noexcept { return is_default() || Backend::is_unique(identity); }
};

// What is free once a queue has done what it held.
struct FreeList {
  explicit FreeList(unsigned granule_log2) noexcept : bins(granule_log2) {}
  bool empty() const noexcept { return exact_fits.count == 0 && bins.empty(); }
  // Whether a piece with just as many bytes is there.
  bool has(std::size_t bytes) const noexcept { return exact_fits.has(bytes) || (!bins.empty() && bins.find(bytes, bytes, 1, 16)); }
  ExactFits exact_fits;
  SizeBins bins;
  KnownQueue queue;
  Backend::Event event = nullptr;
  std::uint64_t filed = 0;         // frees so far
  std::atomic<unsigned> pins = 0;  // calls that need the free list to stay its queue's; who has one may add more without the pool lock
  bool marking = false;            // one of them is about to record the event
  const BlockCache* cache =
      nullptr;  // that alone has it recorded, where it is not null; and events for that, while the cache is not handed out
  Backend::Event spares[2] = {};
  bool asking = false;             // one of them has the following
  Backend::Event asked = nullptr;  // on the default queue: a moment that it is asked about, if is_asked, and how many frees were before
  bool is_asked = false;
  std::uint64_t asked_until = 0;
};

// Where the blocks of a cache go, by the number of the queue on which they were freed.
using CacheFreeLists = std::array<FreeList*, BlockCache::most_queues>;

class FreeLists {
 public:
  explicit FreeLists(unsigned granule_log2) noexcept : settled(granule_log2), granule_log2_(granule_log2) {}

  FreeList settled;  // free for every queue

  auto begin() const noexcept { return lists_.begin(); }
  auto end() const noexcept { return lists_.end(); }
  std::size_t size() const noexcept { return lists_.size(); }
  FreeList& at(std::size_t number) const noexcept { return *lists_[number]; }
  // The first free list of a queue; null when there is none.
  FreeList* find(const KnownQueue& queue) const noexcept {
    for (const auto& free_list : lists_) {
      if (free_list->queue == queue) return free_list.get();
    }
    return nullptr;
  }
  // The same, made where it is missing; null when the host has no memory.
  FreeList* of(const KnownQueue& queue) noexcept {
    FreeList* const free_list = find(queue);
    return free_list ? free_list : vacant(queue);
  }
  // Whether a piece with just as many bytes is there for which that queue need not wait.
  bool have_for(const KnownQueue& queue, std::size_t bytes) const noexcept {
    return settled.has(bytes) ||
           std::any_of(lists_.begin(), lists_.end(), [&](const auto& each) { return each->queue == queue && each->has(bytes); });
  }
  // One of a queue that nobody else marks; null when the host has no memory.
  FreeList* to_mark(const KnownQueue& queue) noexcept {
    for (const auto& free_list : lists_) {
      if (free_list->queue == queue && !free_list->marking && !free_list->cache) return free_list.get();
    }
    return vacant(queue);
  }
  // One for what a cache has of a queue; null, too, while others are outside with the event of the one that there is.
  FreeList* to_cache(const KnownQueue& queue, const BlockCache& cache) noexcept {
    const auto is_its_own = [&](const auto& free_list) { return free_list->cache == &cache && free_list->queue == queue; };
    const auto known = std::find_if(lists_.begin(), lists_.end(), is_its_own);
    if (known != lists_.end()) return (*known)->pins == 0 ? known->get() : nullptr;
    FreeList* const free_list = vacant(queue);
    if (free_list) free_list->cache = &cache;
    return free_list;
  }
  // Those of other threads are not there, in the child of a fork.
  void forget_pins() noexcept {
    for (const auto& free_list : lists_) {
      free_list->pins = 0;
      free_list->marking = false;
      free_list->asking = false;
    }
    settled.pins = 0;
  }
  // As new, whatever was there.
  void clear() noexcept {
    lists_.clear();
    settled.bins = SizeBins(granule_log2_);
    settled.exact_fits = ExactFits();
  }

 private:
  // One without pieces that nobody needs, or a new one.
  FreeList* vacant(const KnownQueue& queue) noexcept try {
    FreeList* vacant = nullptr;
    for (const auto& free_list : lists_) {
      if (free_list->empty() && free_list->pins == 0) vacant = free_list.get();
    }
    if (!vacant) vacant = lists_.emplace_back(std::make_unique<FreeList>(granule_log2_)).get();
    vacant->queue = queue;
    vacant->cache = nullptr;
    return vacant;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }

  std::vector<std::unique_ptr<FreeList>> lists_;
  unsigned granule_log2_;
};

}  // namespace cadastre::internal
#endif
