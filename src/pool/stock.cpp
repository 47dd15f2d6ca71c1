// Tangled from org/pool/stock.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/stock.hpp"

#include <algorithm>

namespace cadastre::internal {

void Stock::enter(PoolPiece& piece, const Need& need) noexcept {
  pieces_.insert(piece);
  kept_.add(piece);
  shared_.kept += piece.bytes;
  reserved_ += piece.bytes;
  hand_out(piece, need);
  --need.share.hits;
  ++need.share.misses;
}

PoolPiece* Stock::search(FreeList& free_list, const Need& need) noexcept {
  const std::size_t most = shared_.most_for(need.bytes, need.room);
  if (free_list.exact_fits.count >= most_exact_fits) sort_exact_fits(free_list);
  PoolPiece* piece = free_list.bins.find(need.bytes, most, need.alignment, need.looks);
  if (!piece && free_list.exact_fits.count > 0) {
    sort_exact_fits(free_list);
    piece = free_list.bins.find(need.bytes, most, need.alignment, need.looks);
  }
  if (!piece) return nullptr;
  free_list.bins.take(*piece);
  hand_out(*piece, need);
  return piece;
}

PoolPiece* Stock::take_of_free_lists(const Need& need, bool of_queue, FreeList*& free_list) noexcept {
  for (const auto& each : free_lists) {
    if ((of_queue && each->queue != need.queue()) || each->empty()) continue;
    PoolPiece* const piece = take(*each, need);
    if (!piece) continue;
    free_list = each.get();
    ++free_list->pins;
    return piece;
  }
  return nullptr;
}

bool Stock::fit(PoolPiece& piece, std::size_t bytes, std::size_t room) noexcept {
  shared_.waste -= piece.waste;
  const bool fits = bytes <= piece.bytes && piece.bytes <= shared_.most_for(bytes, room);
  shared_.waste += piece.waste;
  if (fits) set_waste(piece, piece.bytes - bytes);
  return fits;
}

// Looks at few where what is kept longest is settled; else at what queues are at work on, too.
PoolPiece* Stock::oldest_settled() noexcept {
  sort_exact_fits(free_lists.settled);
  PoolPiece* piece = kept_.first();
  while (piece && piece->free_list != &free_lists.settled) piece = piece->behind;
  return piece;
}

void Stock::withdraw(PoolPiece& piece) noexcept {
  std::exchange(piece.free_list, nullptr)->bins.take(piece);
  kept_.remove(piece);
  pieces_.erase(piece);
  reserved_ -= piece.bytes;
  shared_.kept -= piece.bytes;
}

void Stock::restore(PoolPiece& piece) noexcept {
  reserved_ += piece.bytes;
  shared_.kept += piece.bytes;
  pieces_.insert(piece);
  kept_.add(piece);
  file(piece, free_lists.settled);
}

// All pieces are looked at once one began where a piece began that is here.
void Stock::lose_what_was_there(const PoolPiece& granted) noexcept {
  if (find(granted.begin)) gave_twice.store(true, std::memory_order_release);
  if (!gave_twice) return;
  for (PieceList* const list : {&out_, &kept_}) {
    for (PoolPiece* piece = list->first(); piece;) {
      PoolPiece& each = *std::exchange(piece, piece->behind);
      if (each.meets(address_of(granted.begin), granted.bytes)) lose(each);
    }
  }
}

void Stock::lose(PoolPiece& stale) noexcept {
  if (stale.in_exact_fits) {
    for (const auto& free_list : free_lists) sort_exact_fits(*free_list);
    sort_exact_fits(free_lists.settled);
  }
  if (stale.free_list) {
    withdraw(stale);
  } else {
    forget_handed_out(stale);
  }
  retire(stale);
}

void Stock::forget_handed_out(PoolPiece& piece) noexcept {
  out_.remove(piece);
  pieces_.erase(piece);
  shared_.used -= piece.bytes;
  shared_.waste -= piece.waste;
  used_ -= piece.bytes;
  reserved_ -= piece.bytes;
  std::exchange(piece.share, nullptr)->used -= piece.bytes;
}

PoolPiece* Stock::withdraw_all_of(PoolShare& share) noexcept {
  PoolPiece* chain = nullptr;
  for (PoolPiece* piece = share.used > 0 ? out_.first() : nullptr; piece;) {
    PoolPiece& each = *std::exchange(piece, piece->behind);
    if (each.share != &share) continue;
    forget_handed_out(each);
    each.older = std::exchange(chain, &each);
  }
  return chain;
}

PoolPiece* Stock::withdraw_all() noexcept {
  PoolPiece* chain = nullptr;
  while (PoolPiece* const piece = out_.first()) {
    forget_handed_out(*piece);
    piece->older = std::exchange(chain, piece);
  }
  for (const auto& free_list : free_lists) sort_exact_fits(*free_list);
  sort_exact_fits(free_lists.settled);
  while (PoolPiece* const piece = kept_.first()) {
    withdraw(*piece);
    piece->older = std::exchange(chain, piece);
  }
  if (shared_.used + shared_.asking + shared_.kept == 0) shared_.peak = 0;
  return chain;
}

PoolFigures Stock::figures() const noexcept {
  PoolFigures figures = {.used = used_,
                         .reserved = reserved_,
                         .largest_free_bytes = 0,
                         .releasable_bytes = reserved_ - used_,
                         .hits = 0,
                         .misses = 0,
                         .trims = trims};
  shares.for_each([&](const PoolShare& share) {
    figures.hits += share.hits;
    figures.misses += share.misses;
  });
  for (const PoolPiece* piece = kept_.first(); piece; piece = piece->behind) {
    figures.largest_free_bytes = std::max(figures.largest_free_bytes, piece->bytes);
  }
  return figures;
}

bool Stock::is_met(const PieceList& list, const Record& range) noexcept {
  const PoolPiece* piece = list.first();
  while (piece && !piece->meets(range.address(), range.size)) piece = piece->behind;
  return piece != nullptr;
}

bool Stock::check_invariants() const noexcept {
  bool sound = true;
  std::size_t pieces = 0, used = 0, kept = 0, in_bins = 0, in_exact_fits = 0;
  const auto look_at = [&](const FreeList& list) {
    in_exact_fits += list.exact_fits.count;
    sound = sound && list.exact_fits.check_invariants() && list.bins.check_invariants([&](const PoolPiece& piece) {
      ++in_bins;
      return piece.free_list == &list && piece.stamp <= list.filed;
    });
  };
  look_at(free_lists.settled);
  for (const auto& free_list : free_lists) look_at(*free_list);
  for (const PoolPiece* piece = out_.first(); piece; piece = piece->behind) {
    ++pieces;
    used += piece->bytes;
    sound =
        sound && find(piece->begin) == piece && !piece->free_list && !piece->in_exact_fits && piece->share && piece->waste < piece->bytes;
  }
  for (const PoolPiece* piece = kept_.first(); piece; piece = piece->behind) {
    ++pieces;
    kept += piece->bytes;
    in_bins -= piece->free_list != nullptr;
    in_exact_fits -= piece->in_exact_fits;
    sound =
        sound && find(piece->begin) == piece && (piece->free_list != nullptr) != piece->in_exact_fits && piece->waste == 0 && !piece->share;
  }
  std::size_t shared = 0;
  shares.for_each([&](const PoolShare& share) { shared += share.used; });
  return sound && in_bins == 0 && in_exact_fits == 0 && shared == used && pieces == pieces_.in_use() && used == used_ &&
         used + kept == reserved_;
}

}  // namespace cadastre::internal
