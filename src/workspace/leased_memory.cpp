// Tangled from org/workspace/leased_memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "workspace/leased_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace cadastre::internal {

std::optional<std::size_t> leased_bytes(std::span<const std::size_t> sizes, std::size_t granularity) noexcept {
  std::size_t total = 0;
  for (const std::size_t size : sizes) {
    const std::size_t rounded = round_up(size, granularity);
    if (rounded < size || sum_wraps(total, rounded) || total + rounded > largest_size) return std::nullopt;
    total += rounded;
  }
  return total;
}

LeasedMemory::Room LeasedMemory::behind_all() const noexcept {
  if (leases_.empty()) return {0, 0, 0};
  const Lease& last = leases_.back();
  return {last.piece, last.offset + last.bytes, leases_.size()};
}

LeasedMemory::Room LeasedMemory::room(std::size_t bytes) const noexcept {
  for (Room behind = behind_all(); behind.piece < pieces_.size(); ++behind.piece, behind.offset = 0) {
    if (pieces_[behind.piece].size - behind.offset >= bytes) return behind;
  }
  Room first{pieces_.size(), 0, leases_.size()};
  for_each_gap([&](const Room& gap, std::size_t size) {
    if (size >= bytes) first = gap;
    return size >= bytes;
  });
  return first;
}

template <class Take>
void LeasedMemory::for_each_gap(Take take) const noexcept {
  Room gap{0, 0, 0};
  for (gap.before = 0; gap.before < leases_.size(); ++gap.before) {
    const Lease& next = leases_[gap.before];
    if (next.bytes == 0) continue;
    for (; gap.piece < next.piece; ++gap.piece, gap.offset = 0) {
      if (take(gap, pieces_[gap.piece].size - gap.offset)) return;
    }
    if (take(gap, next.offset - gap.offset)) return;
    gap.offset = next.offset + next.bytes;
  }
  for (; gap.piece < pieces_.size(); ++gap.piece, gap.offset = 0) {
    if (take(gap, pieces_[gap.piece].size - gap.offset)) return;
  }
}

bool LeasedMemory::check_invariants() const noexcept {
  std::size_t piece = 0, offset = 0, used = 0;
  for (const Lease& lease : leases_) {
    used += lease.bytes;
    if (lease.bytes == 0) continue;
    if (lease.piece < piece || lease.piece >= pieces_.size()) return false;
    if (lease.piece > piece) offset = 0;
    if (lease.offset < offset || lease.offset + lease.bytes > pieces_[lease.piece].size) return false;
    piece = lease.piece;
    offset = lease.offset + lease.bytes;
  }
  return used == used_bytes_;
}

namespace {

void check([[maybe_unused]] const LeasedMemory& memory) noexcept {
#ifdef CADASTRE_DEBUG
  if (memory.check_invariants()) return;
  std::fputs("cadastre: leases of a workspace overlap, or lie outside of its memory\n", stderr);
  std::abort();
#endif
}

}  // namespace

std::size_t LeasedMemory::size() const noexcept {
  return std::accumulate(pieces_.begin(), pieces_.end(), std::size_t{0},
                         [](std::size_t sum, const Piece& piece) { return sum + piece.size; });
}

void LeasedMemory::prepare() {
  const auto one_more = [](auto& list) {
    if (list.size() == list.capacity()) list.reserve(2 * list.size() + 4);
  };
  one_more(leases_);
  one_more(pieces_);
}

std::byte* LeasedMemory::take(std::size_t bytes, cadastre_lease number) noexcept {
  const Room where = bytes == 0 ? behind_all() : room(bytes);
  leases_.insert(leases_.begin() + static_cast<std::ptrdiff_t>(where.before), {number, bytes, where.piece, where.offset});
  if (bytes == 0) return nullptr;
  Piece& piece = pieces_[where.piece];
  piece.used += bytes;
  used_bytes_ += bytes;
  high_water_mark_bytes_ = std::max(high_water_mark_bytes_, used_bytes_);
  if (where.piece == 0) touch(where.offset + bytes);
  check(*this);
  return piece.begin + where.offset;
}

Lease LeasedMemory::give_back(std::size_t index) noexcept {
  const Lease lease = leases_[index];
  leases_.erase(leases_.begin() + static_cast<std::ptrdiff_t>(index));
  if (lease.bytes > 0) pieces_[lease.piece].used -= lease.bytes;
  used_bytes_ -= lease.bytes;
  check(*this);
  return lease;
}

bool LeasedMemory::remove_unused(std::size_t from, Piece& removed) noexcept {
  std::size_t piece = pieces_.size();
  while (piece > from && pieces_[piece - 1].used > 0) --piece;
  if (piece <= from) return false;
  removed = pieces_[--piece];
  pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(piece));
  for (Lease& lease : leases_) {
    if (lease.piece == piece) lease.offset = 0;  // of no bytes
    if (lease.piece > piece) --lease.piece;
  }
  check(*this);
  return true;
}

}  // namespace cadastre::internal
