// Tangled from org/pool/piece.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/piece.hpp"

#include <new>

namespace cadastre::internal {

void PieceTable::enlarge(std::size_t pieces) {
  PieceTable larger;
  larger.log2_ = log2_of(2 * pieces);
  larger.places_ = std::make_unique<PoolPiece*[]>(2 * pieces);
  for (std::size_t place = 0; places_ && place < std::size_t{1} << log2_; ++place) {
    if (places_[place]) larger.insert(*places_[place]);
  }
  *this = std::move(larger);
}

void PieceTable::erase(const PoolPiece& piece) noexcept {
  std::size_t hole = home_of(piece.begin);
  while (places_[hole] != &piece) hole = next(hole);
  const std::size_t mask = (std::size_t{1} << log2_) - 1;
  for (std::size_t place = next(hole); places_[place]; place = next(place)) {
    const std::size_t way = (place - home_of(places_[place]->begin)) & mask;
    if (way < ((place - hole) & mask)) continue;
    places_[hole] = places_[place];
    hole = place;
  }
  places_[hole] = nullptr;
}

bool PieceStore::more() noexcept try {
  const std::size_t more = capacity_ ? capacity_ : 64;
  table_.enlarge(capacity_ + more);
  nodes_.push_back(std::make_unique<PoolPiece[]>(more));
  for (std::size_t i = 0; i < more; ++i) nodes_.back()[i].older = std::exchange(unused_, &nodes_.back()[i]);
  capacity_ += more;
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

}  // namespace cadastre::internal
