// Tangled from org/pool/piece.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What is known of memory that a backend has given to a pool.
#ifndef CADASTRE_SRC_POOL_PIECE_HPP
#define CADASTRE_SRC_POOL_PIECE_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/record.hpp"

namespace cadastre::internal {

struct FreeList;
struct PoolShare;

struct PoolPiece {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
  std::size_t waste = 0;       // of a piece that is handed out: bytes beyond what was asked for, rounded up
  std::size_t dirty = 0;       // how many of its first bytes may be other than zero
  Record record;               // for the backend
  PoolPiece* newer = nullptr;  // neighbours in the bins
  PoolPiece* older = nullptr;
  PoolPiece* before = nullptr;  // neighbours in the list of what is handed out, or kept
  PoolPiece* behind = nullptr;
  FreeList* free_list = nullptr;  // in whose bins it is; null: in none
  PoolShare* share = nullptr;     // to whom it is handed out; null: to nobody
  bool in_exact_fits = false;     // free all the same
  bool given_up = false;          // its memory is never given back
  std::uint32_t freed = 0;        // the reading of the clock by which it was freed
  std::uint64_t stamp = 0;        // number of its free on that free list

  bool fits(std::size_t wanted, std::size_t alignment) const noexcept {
    return wanted <= bytes && (address_of(begin) & (alignment - 1)) == 0;
  }
  // Whether it has some of these bytes. The differences wrap where one begins before the other.
  bool meets(std::uintptr_t address, std::size_t length) const noexcept {
    return address - address_of(begin) < bytes || address_of(begin) - address < length;
  }
};

// Pieces in the order in which they came.
class PieceList {
 public:
  PoolPiece* first() const noexcept { return first_; }
  void add(PoolPiece& piece) noexcept {
    piece.before = last_;
    piece.behind = nullptr;
    (last_ ? last_->behind : first_) = &piece;
    last_ = &piece;
  }
  void remove(PoolPiece& piece) noexcept {
    (piece.before ? piece.before->behind : first_) = piece.behind;
    (piece.behind ? piece.behind->before : last_) = piece.before;
  }

 private:
  PoolPiece* first_ = nullptr;
  PoolPiece* last_ = nullptr;
};

class PieceTable {
 public:
  // Throws std::bad_alloc. Room for that many pieces, a power of two.
  void enlarge(std::size_t pieces);

  PoolPiece* find(const void* address) const noexcept {
    if (!places_) return nullptr;
    for (std::size_t place = home_of(address);; place = next(place)) {
      PoolPiece* const piece = places_[place];
      if (!piece || piece->begin == address) return piece;
    }
  }
  void insert(PoolPiece& piece) noexcept {
    std::size_t place = home_of(piece.begin);
    while (places_[place]) place = next(place);  // NOLINT(clang-analyzer-cplusplus.NewDelete): there are places
    places_[place] = &piece;
  }
  void erase(const PoolPiece& piece) noexcept;

 private:
  std::size_t home_of(const void* address) const noexcept { return spread(address_of(address)) >> (64 - log2_); }
  std::size_t next(std::size_t place) const noexcept { return (place + 1) & ((std::size_t{1} << log2_) - 1); }

  std::unique_ptr<PoolPiece*[]> places_;
  unsigned log2_ = 0;
};

// Descriptions, in use or not, and the table of those that have memory.
class PieceStore {
 public:
  PoolPiece* find(const void* address) const noexcept { return table_.find(address); }
  // Whether there is one for another piece; false when the host has no memory.
  bool provide() noexcept { return in_use_ < capacity_ || more(); }
  // One of those, which is in no table yet.
  PoolPiece& take() noexcept {
    ++in_use_;
    return *std::exchange(unused_, unused_->older);
  }
  // For one that is in the table no more.
  void put_back(PoolPiece& piece) noexcept {
    piece.older = std::exchange(unused_, &piece);
    --in_use_;
  }
  void insert(PoolPiece& piece) noexcept { table_.insert(piece); }
  void erase(const PoolPiece& piece) noexcept { table_.erase(piece); }
  std::size_t in_use() const noexcept { return in_use_; }

 private:
  bool more() noexcept;

  PieceTable table_;
  std::vector<std::unique_ptr<PoolPiece[]>> nodes_;
  PoolPiece* unused_ = nullptr;
  std::size_t in_use_ = 0, capacity_ = 0;
};

}  // namespace cadastre::internal
#endif
