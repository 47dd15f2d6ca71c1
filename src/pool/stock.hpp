// Tangled from org/pool_stock.org; change the chapter, then run: make tangle
// Which pieces of a pool are handed out, and which are kept.
#ifndef CADASTRE_SRC_POOL_STOCK_HPP
#define CADASTRE_SRC_POOL_STOCK_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "backend.hpp"
#include "pool/bound.hpp"
#include "pool/piece.hpp"
#include "pool/shelf.hpp"

namespace cadastre::internal {

// In the order of which queue something happens, if of any.
using Order = std::optional<cadastre_queue>;

struct PoolFigures {
  std::size_t used;          // bytes of the pieces that are handed out, rounding included
  std::size_t reserved;      // bytes of all pieces
  std::size_t largest_free_bytes;  // bytes of the largest piece that one request could get, if it waits for queues
  std::size_t releasable_bytes;    // bytes of the pieces that are kept
  std::uint64_t hits;        // requests served from what was there
  std::uint64_t misses;      // requests for which the backend was asked; direct ones are neither
  std::uint64_t trims;       // times that pieces were given back, asked for or not
};

struct Need {
  std::size_t bytes, alignment;
  Order order;
  std::size_t room;     // bytes that may be kept beside
  unsigned looks = 16;  // at pieces of one class
};

class Stock {
 public:
  Stock(KeepAccount& shared, unsigned granule_log2) noexcept : lanes(granule_log2), shared_(shared) {}
  Stock(const Stock&) = delete;
  Stock& operator=(const Stock&) = delete;

  LaneList lanes;
  std::uint64_t hits = 0, misses = 0, trims = 0;

  // The piece with that first byte; null when there is none.
  PoolPiece* find(const void* address) const noexcept { return pieces_.find(address); }

  // A description for memory that is asked for now; null when the host has no memory. It comes to enter or to retire.
  PoolPiece* describe() noexcept { return pieces_.provide() ? &pieces_.take() : nullptr; }
  void retire(PoolPiece& piece) noexcept { pieces_.put_back(piece); }
  // A piece that has memory now, and is handed out for so many bytes.
  void enter(PoolPiece& piece, std::size_t bytes) noexcept;

  // Kept pieces are handed out. The first takes none but a parked one of just that size.
  PoolPiece* take_parked(Lane& lane, std::size_t bytes, std::size_t alignment) noexcept {
    PoolPiece* const piece = lane.lot.take(bytes, alignment);
    if (piece) hand_out(*piece, bytes);
    return piece;
  }
  PoolPiece* take(Lane& lane, const Need& need) noexcept {
    PoolPiece* const piece = take_parked(lane, need.bytes, need.alignment);
    return piece ? piece : search(lane, need);
  }
  // From lanes of the need's queue, or from any but the settled one. lane: where it was, with a visitor more.
  PoolPiece* take_of_queue(const Need& need, Lane*& lane) noexcept { return take_of_lanes(need, true, lane); }
  PoolPiece* take_of_others(const Need& need, Lane*& lane) noexcept { return take_of_lanes(need, false, lane); }

  // One that was handed out is kept.
  void put(PoolPiece& piece, Lane& lane) noexcept {
    shared_.tick();
    piece.freed = shared_.now;
    out_.remove(piece);
    kept_.add(piece);
    shared_.waste -= std::exchange(piece.waste, 0);
    shared_.used -= piece.bytes;
    shared_.kept += piece.bytes;
    used_ -= piece.bytes;
    lane.lot.put(piece);
  }
  // One that was taken is kept as if it had not been taken.
  void put_unused(PoolPiece& piece, Lane& lane) noexcept {
    --hits;
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
  // Shows each piece, handed out or kept, and forgets it; lanes are cleared apart.
  template <class Shown>
  void clear(Shown shown) noexcept;
  // Forgets pieces that have some of the memory of another, which a backend has given: it was taken from the pool, as by a reset of the device.
  void lose_what_was_there(const PoolPiece& granted) noexcept;

  std::size_t reserved() const noexcept { return reserved_; }
  PoolFigures figures() const noexcept;
  // Whether bytes of a range are in pieces, handed out or not.
  bool has(const Record& range) const noexcept;
  // Whether lists, shelves, table and figures agree.
  bool check_invariants() const noexcept;

 private:
  static constexpr std::size_t most_parked_in_vain = 128;

  void hand_out(PoolPiece& piece, std::size_t bytes) noexcept;
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
  bool gave_twice_ = false;  // the backend, what the pool already had
};

// bytes: those that were asked for, rounded up. The piece is on no shelf.
inline void Stock::hand_out(PoolPiece& piece, std::size_t bytes) noexcept {
  kept_.remove(piece);
  out_.add(piece);
  piece.lane = nullptr;
  piece.waste = piece.bytes - bytes;
  shared_.waste += piece.waste;
  shared_.kept -= piece.bytes;
  shared_.used += piece.bytes;
  shared_.peak = std::max(shared_.peak, shared_.used - shared_.waste);
  used_ += piece.bytes;
  ++hits;
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

template <class Shown>
void Stock::clear(Shown shown) noexcept {
  for (PieceList* const list : {&out_, &kept_}) {
    while (PoolPiece* const piece = list->first()) {
      list->remove(*piece);
      shown(*piece);
      list == &out_ ? void(shared_.used -= piece->bytes) : void(shared_.kept -= piece->bytes);
      shared_.waste -= piece->waste;
    }
  }
  if (shared_.used + shared_.kept == 0) shared_.peak = 0;
  pieces_.clear();
  used_ = reserved_ = 0;
}

}  // namespace cadastre::internal
#endif
