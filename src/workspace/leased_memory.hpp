// Tangled from org/workspace/leased_memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Pieces of memory, and leases upon them that begin and end in any order.
#ifndef CADASTRE_SRC_WORKSPACE_LEASED_MEMORY_HPP
#define CADASTRE_SRC_WORKSPACE_LEASED_MEMORY_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/record.hpp"

namespace cadastre::internal {

inline constexpr std::size_t least_granularity = 64;
inline constexpr const char* workspace_label = "workspace";

// The bytes that buffers of these sizes take together; none when no machine can hold them.
std::optional<std::size_t> leased_bytes(std::span<const std::size_t> sizes, std::size_t granularity) noexcept;

enum class Origin {
  allocated,  // by the context, for the workspace
  block,      // of the caller's, in the registry before
  part,       // a part of a block, but its first one
  recorded,   // memory of the caller's that the workspace had recorded
};

struct Piece {
  std::byte* begin = nullptr;
  std::size_t size = 0;
  std::size_t used = 0;
  Origin origin = Origin::allocated;
  Record record = {};  // of a workspace that was taken: of the block that was in the registry
  bool freed = false;  // likewise: whether its backend has freed it
};

struct Lease {
  cadastre_lease number;
  std::size_t bytes;  // rounded
  std::size_t piece, offset;
};

// Pieces of memory, and the leases upon them. Leases lie one behind the other, within their pieces.
class LeasedMemory {
 public:
  bool fits(std::size_t bytes) const noexcept { return bytes == 0 || room(bytes).piece < pieces_.size(); }
  // Makes sure that the next take and the next add cannot fail. Throws std::bad_alloc.
  void prepare();
  // Leases bytes, which must fit; answers where they begin, null for none.
  std::byte* take(std::size_t bytes, cadastre_lease number) noexcept;
  // Ends one of its leases.
  Lease give_back(std::size_t index) noexcept;
  void add(const Piece& piece) noexcept { pieces_.push_back(piece); }
  // Takes off the last piece, from one on, of which nothing is leased; false when there is none such.
  bool remove_unused(std::size_t from, Piece& removed) noexcept;

  // A queue may be at work on so many bytes of the first piece, and on none behind them.
  void touch(std::size_t bytes) noexcept { touched_bytes_ = std::max(touched_bytes_, bytes); }
  std::size_t touched_bytes() const noexcept { return touched_bytes_; }

  std::span<const Piece> pieces() const noexcept { return pieces_; }
  std::span<Piece> pieces() noexcept { return pieces_; }
  std::span<const Lease> leases() const noexcept { return leases_; }
  std::size_t size() const noexcept;
  std::size_t used_bytes() const noexcept { return used_bytes_; }
  // The most that was ever leased of it at once; what a thread workspace leases is in its first piece, and changes nothing where that grows.
  std::size_t high_water_mark_bytes() const noexcept { return high_water_mark_bytes_; }
  bool check_invariants() const noexcept;

 protected:
  std::vector<Piece> pieces_;
  std::vector<Lease> leases_;  // in the order of their places; one of no bytes is where it was behind all others
  std::size_t used_bytes_ = 0, touched_bytes_ = 0;

 private:
  struct Room {
    std::size_t piece, offset;
    std::size_t before;  // the lease before which one would be entered
  };
  Room behind_all() const noexcept;
  // Behind all leases where there are so many bytes, else the first gap; piece is their number for none.
  Room room(std::size_t bytes) const noexcept;
  // Shows all gaps and their bytes, until one is taken.
  template <class Take>
  void for_each_gap(Take take) const noexcept;

  std::size_t high_water_mark_bytes_ = 0;
};

}  // namespace cadastre::internal
#endif
