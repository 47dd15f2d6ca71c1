// Tangled from org/base/numa_nodes.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// On which NUMA nodes the process's resident memory is.
#ifndef CADASTRE_SRC_BASE_NUMA_NODES_HPP
#define CADASTRE_SRC_BASE_NUMA_NODES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cadastre::internal {

// What numa_maps says, piece by piece.
class BytesOnNodes {
 public:
  // Of those with higher numbers nothing is kept.
  static constexpr std::size_t most = 64;

  void read(std::string_view piece) noexcept;
  std::uint64_t of(std::size_t node) const noexcept { return bytes_[node]; }

 private:
  void end_word() noexcept;
  void end_line() noexcept;

  std::array<std::uint64_t, most> bytes_{}, pages_{};  // of all lines, of the one that is read
  std::uint64_t page_ = 0;                             // bytes of one, where the line says so
  char word_[32] = "";                                 // a longer one is none of these
  std::size_t length_ = 0;
};

// Of this process; false where the system does not say. piece: room for what is read at a time.
bool read_bytes_on_nodes(BytesOnNodes& nodes, char* piece, std::size_t room) noexcept;

}  // namespace cadastre::internal
#endif
