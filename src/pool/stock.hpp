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

#include "backends/backend.hpp"
#include "pool/bound.hpp"
#include "pool/piece.hpp"
#include "pool/share.hpp"
#include "pool/shelf.hpp"

namespace cadastre::internal {

// In the order of which queue something happens, if of any.
using Order = std::optional<cadastre_queue>;

struct PoolFigures {
  std::size_t used;          // bytes of the pieces that are handed out, rounding included
  std::size_t reserved;      // bytes of all pieces
  std::size_t largest_free_bytes;  // bytes of the largest piece that one request could get, if it waits for queues
  std::size_t releasable_bytes;    // bytes of the pieces that are kept
  std::uint64_t hits;        // of those who share it now
  std::uint64_t misses;
  std::uint64_t trims;       // times that pieces were given back, asked for or not
};

struct Need {
  std::size_t bytes, alignment;
  Order order;
  PoolShare& share;     // whose piece it will be
  std::size_t room;     // bytes that may be kept beside
  unsigned looks = 16;  // at pieces of one class
  std::uint64_t identity = 1;  // of the queue

  KnownQueue queue() const noexcept { return {*order, identity}; }
};

class Stock {
 public:
  Stock(KeepAccount& shared, unsigned granule_log2) noexcept : lanes(granule_log2), shared_(shared) {}
  Stock(const Stock&) = delete;
  Stock& operator=(const Stock&) = delete;

  LaneList lanes;
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

  // Kept pieces are handed out. The first takes none but a parked one of just that size.
  PoolPiece* take_parked(Lane& lane, const Need& need) noexcept {
    PoolPiece* const piece = lane.lot.take(need.bytes, need.alignment);
    if (piece) hand_out(*piece, need);
    return piece;
  }
  PoolPiece* take(Lane& lane, const Need& need) noexcept {
    PoolPiece* const piece = take_parked(lane, need);
    return piece ? piece : search(lane, need);
  }
  // From lanes of the need's queue, or from any but the settled one. lane: where it was, with a visitor more.
  PoolPiece* take_of_queue(const Need& need, Lane*& lane) noexcept { return take_of_lanes(need, true, lane); }
  PoolPiece* take_of_others(const Need& need, Lane*& lane) noexcept { return take_of_lanes(need, false, lane); }

  // One that was handed out is kept.
  void put(PoolPiece& piece, Lane& lane) noexcept {
    shared_.clock.tick();
    piece.freed = shared_.clock.by_now();
    out_.remove(piece);
    kept_.add(piece);
    shared_.waste -= std::exchange(piece.waste, 0);
    shared_.used -= piece.bytes;
    shared_.kept += piece.bytes;
    used_ -= piece.bytes;
    std::exchange(piece.share, nullptr)->used -= piece.bytes;
    lane.lot.put(piece);
  }
  // One that was taken is kept as if it had not been taken.
  void put_unused(PoolPiece& piece, Lane& lane) noexcept {
    --piece.share->hits;
    put(piece, lane);
  }
  // Changes how many bytes a piece is handed out for, where it has no more waste then than a request would get.
  bool fit(PoolPiece& piece, std::size_t bytes, std::size_t room) noexcept;
  void set_waste(PoolPiece& piece, std::size_t waste) noexcept {
    shared_.waste += waste - piece.waste;
    piece.waste = waste;
  }

  // Puts on its shelf what is parked on a lane.
  void unpark(Lane& lane) noexcept {
    lane.lot.take_all([&](PoolPiece& piece) { file(piece, lane); });
  }
  // Moves what was filed on a lane up to some moment to the settled one, and shows each piece.
  template <class Shown>
  void settle(Lane& lane, std::uint64_t until, Shown shown) noexcept;

  // What was kept longest; of all, or of what no queue is at work on. Null when nothing is.
  PoolPiece* oldest() const noexcept { return kept_.first(); }
  PoolPiece* oldest_settled() noexcept;
  // Takes a kept piece, which is on a shelf, out of all that knows it, but for its description; and puts it back, settled.
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
  // Whether lists, shelves, table and figures agree.
  bool check_invariants() const noexcept;

 private:
  static constexpr std::size_t most_parked_in_vain = 128;

  static bool is_met(const PieceList& list, const Record& range) noexcept;
  void hand_out(PoolPiece& piece, const Need& need) noexcept;
  void forget_handed_out(PoolPiece& piece) noexcept;
  PoolPiece* search(Lane& lane, const Need& need) noexcept;
  PoolPiece* take_of_lanes(const Need& need, bool of_queue, Lane*& lane) noexcept;
  void lose(PoolPiece& stale) noexcept;
  // Puts a piece that is on no shelf onto that of a lane.
  void file(PoolPiece& piece, Lane& lane) noexcept {
    piece.lane = &lane;
    piece.stamp = ++lane.filed;
    lane.shelf.put(piece);
  }

  KeepAccount& shared_;
  PieceList out_, kept_;  // pieces that are handed out; and the others, in the order in which they were freed
  PieceStore pieces_;
  std::size_t used_ = 0, reserved_ = 0;
};

// The piece is on no shelf.
inline void Stock::hand_out(PoolPiece& piece, const Need& need) noexcept {
  kept_.remove(piece);
  out_.add(piece);
  piece.lane = nullptr;
  piece.waste = piece.bytes - need.bytes;
  shared_.waste += piece.waste;
  shared_.kept -= piece.bytes;
  shared_.used += piece.bytes;
  shared_.peak = std::max(shared_.peak, shared_.used - shared_.waste);
  used_ += piece.bytes;
  piece.share = &need.share;
  need.share.used += piece.bytes;
  ++need.share.hits;
}

template <class Shown>
void Stock::settle(Lane& lane, std::uint64_t until, Shown shown) noexcept {
  for (PoolPiece* piece = kept_.first(); piece; piece = piece->behind) {
    if (piece->lane != &lane || piece->stamp > until) continue;
    lane.shelf.take(*piece);
    shown(*piece);
    file(*piece, lanes.settled);
  }
}

}  // namespace cadastre::internal
#endif
