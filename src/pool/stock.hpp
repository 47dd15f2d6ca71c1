// Tangled from org/pool/stock.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Which pieces of a pool are handed out, and which are kept.
#ifndef CADASTRE_SRC_POOL_STOCK_HPP
#define CADASTRE_SRC_POOL_STOCK_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/non_copyable.hpp"
#include "backends/backend.hpp"
#include "pool/bound.hpp"
#include "pool/piece.hpp"
#include "pool/share.hpp"
#include "pool/free_lists.hpp"

namespace cadastre::internal {

// In the order of which queue something happens, if of any.
using Order = std::optional<cadastre_queue>;

struct PoolFigures {
  std::size_t used;                // bytes of the pieces that are handed out, rounding included
  std::size_t reserved;            // bytes of all pieces
  std::size_t largest_free_bytes;  // bytes of the largest piece that one request could get, if it waits for queues
  std::size_t releasable_bytes;    // bytes of the pieces that are kept
  std::uint64_t hits;              // of those who share it now
  std::uint64_t misses;
  std::uint64_t trims;  // times that pieces were given back, asked for or not
};

struct Need {
  std::size_t bytes, alignment;
  Order order;
  PoolShare& share;            // whose piece it will be
  std::size_t room;            // bytes that may be kept beside
  unsigned looks = 16;         // at pieces of one class
  std::uint64_t identity = 1;  // of the queue

  KnownQueue queue() const noexcept { return {*order, identity}; }
};

class Stock : NonCopyable {
 public:
  Stock(KeepAccount& shared, unsigned granule_log2) noexcept : free_lists(granule_log2), shared_(shared) {}

  FreeLists free_lists;
  ShareList shares;
  std::uint64_t trims = 0;
  std::atomic<bool> gave_twice = false;  // the backend, what the pool already had

  // The piece with that first byte; null when there is none.
  PoolPiece* find(const void* address) const noexcept { return pieces_.find(address); }

  // A description for memory that is asked for now; null when the host has no memory. It comes to enter or to retire.
  PoolPiece* describe() noexcept { return pieces_.provide() ? &pieces_.take() : nullptr; }
  void retire(PoolPiece& piece) noexcept { pieces_.put_back(piece); }
  // A piece that has memory now, and is handed out.
  void enter(PoolPiece& piece, const Need& need) noexcept;

  // Kept pieces are handed out. The first takes none but an exact fit.
  PoolPiece* take_exact_fit(FreeList& free_list, const Need& need) noexcept {
    PoolPiece* const piece = free_list.exact_fits.take(need.bytes, need.alignment);
    if (piece) hand_out(*piece, need);
    return piece;
  }
  // Likewise, and looks into the bins.
  PoolPiece* take_exactly(FreeList& free_list, const Need& need) noexcept {
    PoolPiece* piece = take_exact_fit(free_list, need);
    if (piece || free_list.bins.empty()) return piece;
    piece = free_list.bins.find(need.bytes, need.bytes, need.alignment, need.looks);
    if (!piece) return nullptr;
    free_list.bins.take(*piece);
    hand_out(*piece, need);
    return piece;
  }
  PoolPiece* take(FreeList& free_list, const Need& need) noexcept {
    PoolPiece* const piece = take_exact_fit(free_list, need);
    return piece ? piece : search(free_list, need);
  }
  // From free lists of the need's queue, or from any but the settled one. free_list: where it was, with a pin more.
  PoolPiece* take_of_queue(const Need& need, FreeList*& free_list) noexcept { return take_of_free_lists(need, true, free_list); }
  PoolPiece* take_of_others(const Need& need, FreeList*& free_list) noexcept { return take_of_free_lists(need, false, free_list); }

  // One that was handed out is kept.
  void put(PoolPiece& piece, FreeList& free_list) noexcept {
    shared_.clock.tick();
    piece.freed = shared_.clock.by_now();
    out_.remove(piece);
    kept_.add(piece);
    shared_.waste -= std::exchange(piece.waste, 0);
    shared_.used -= piece.bytes;
    shared_.kept += piece.bytes;
    used_ -= piece.bytes;
    std::exchange(piece.share, nullptr)->used -= piece.bytes;
    free_list.exact_fits.put(piece);
  }
  // One that was taken is kept again, as one that was freed now; it is no hit.
  void put_unused(PoolPiece& piece, FreeList& free_list) noexcept {
    --piece.share->hits;
    put(piece, free_list);
  }
  // Changes how many bytes a piece is handed out for, where it has no more waste then than a request would get.
  bool fit(PoolPiece& piece, std::size_t bytes, std::size_t room) noexcept;
  void set_waste(PoolPiece& piece, std::size_t waste) noexcept {
    shared_.waste += waste - piece.waste;
    shared_.peak = std::max(shared_.peak, shared_.used - shared_.waste);
    piece.waste = waste;
  }

  // Puts into its bins what is in the exact-fit cache of a free list.
  void sort_exact_fits(FreeList& free_list) noexcept {
    free_list.exact_fits.take_all([&](PoolPiece& piece) { file(piece, free_list); });
  }
  // Moves what was filed on a free list up to some moment to the settled one, and shows each piece.
  template <class Shown>
  void settle(FreeList& free_list, std::uint64_t until, Shown shown) noexcept;

  // What was kept longest; of all, or of what no queue is at work on. Null when nothing is.
  PoolPiece* oldest() const noexcept { return kept_.first(); }
  PoolPiece* oldest_settled() noexcept;
  // Takes a kept piece, which is in a bin, out of all that knows it, but for its description; and puts it back, settled.
  void withdraw(PoolPiece& piece) noexcept;
  void restore(PoolPiece& piece) noexcept;
  // Forgets what is handed out of a share; or all, handed out or kept. The descriptions are a chain of older ones, and each comes to retire.
  PoolPiece* withdraw_all_of(PoolShare& share) noexcept;
  PoolPiece* withdraw_all() noexcept;
  // Forgets pieces that have some of the memory of another, which a backend has given: it was taken from the pool, as by a reset of the device.
  void lose_what_was_there(const PoolPiece& granted) noexcept;

  std::size_t reserved() const noexcept { return reserved_; }
  std::size_t kept() const noexcept { return reserved_ - used_; }
  PoolFigures figures() const noexcept;
  // Whether bytes of a range are in pieces that are kept; or in any.
  bool keeps(const Record& range) const noexcept { return is_met(kept_, range); }
  bool has(const Record& range) const noexcept { return is_met(kept_, range) || is_met(out_, range); }
  // Whether lists, bins, table and figures agree.
  bool check_invariants() const noexcept;

 private:
  static constexpr std::size_t most_exact_fits = 128;

  static bool is_met(const PieceList& list, const Record& range) noexcept;
  void hand_out(PoolPiece& piece, const Need& need) noexcept;
  void forget_handed_out(PoolPiece& piece) noexcept;
  PoolPiece* search(FreeList& free_list, const Need& need) noexcept;
  PoolPiece* take_of_free_lists(const Need& need, bool of_queue, FreeList*& free_list) noexcept;
  void lose(PoolPiece& stale) noexcept;
  // Puts a piece that is in no bin into that of a free list.
  void file(PoolPiece& piece, FreeList& free_list) noexcept {
    piece.free_list = &free_list;
    piece.stamp = ++free_list.filed;
    free_list.bins.put(piece);
  }

  KeepAccount& shared_;
  PieceList out_, kept_;  // pieces that are handed out; and the others, in the order in which they were freed
  PieceStore pieces_;
  std::size_t used_ = 0, reserved_ = 0;
};

// The piece is in no bin.
inline void Stock::hand_out(PoolPiece& piece, const Need& need) noexcept {
  kept_.remove(piece);
  out_.add(piece);
  piece.free_list = nullptr;
  shared_.kept -= piece.bytes;
  shared_.used += piece.bytes;
  set_waste(piece, piece.bytes - need.bytes);
  used_ += piece.bytes;
  piece.share = &need.share;
  need.share.used += piece.bytes;
  ++need.share.hits;
}

template <class Shown>
void Stock::settle(FreeList& free_list, std::uint64_t until, Shown shown) noexcept {
  for (PoolPiece* piece = kept_.first(); piece; piece = piece->behind) {
    if (piece->free_list != &free_list || piece->stamp > until) continue;
    free_list.bins.take(*piece);
    shown(*piece);
    file(*piece, free_lists.settled);
  }
}

}  // namespace cadastre::internal
#endif
