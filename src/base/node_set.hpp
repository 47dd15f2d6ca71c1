// Tangled from org/base/node_set.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Sets of NUMA nodes. Nothing allocates, throws or takes a lock. root: stands before /proc and /sys; for tests.
#ifndef CADASTRE_SRC_BASE_NODE_SET_HPP
#define CADASTRE_SRC_BASE_NODE_SET_HPP

#include <array>
#include <bit>
#include <climits>
#include <cstddef>
#include <optional>

#include "base/error.hpp"

namespace cadastre::internal {

class NodeSet {
 public:
  static constexpr std::size_t most = 1024;  // as many as a kernel can have

  void add(std::size_t node) noexcept {
    if (node < most) words_[node / bits] |= 1ul << node % bits;
  }
  bool has(std::size_t node) const noexcept { return node < most && (words_[node / bits] >> node % bits & 1) != 0; }
  std::size_t count() const noexcept {
    std::size_t sum = 0;
    for (const unsigned long word : words_) sum += static_cast<std::size_t>(std::popcount(word));
    return sum;
  }
  bool empty() const noexcept { return count() == 0; }
  bool operator==(const NodeSet&) const = default;
  NodeSet operator&(const NodeSet& other) const noexcept {
    NodeSet both;
    for (std::size_t word = 0; word < words_.size(); ++word) both.words_[word] = words_[word] & other.words_[word];
    return both;
  }
  // The first one that another set does not have; none where it has all.
  std::optional<std::size_t> first_outside(const NodeSet& other) const noexcept;
  // As the kernel takes it.
  const unsigned long* mask() const noexcept { return words_.data(); }

 private:
  static constexpr std::size_t bits = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, most / bits> words_{};
};

// None where a text is no list of nodes.
std::optional<NodeSet> parse_nodes(const char* list) noexcept;
// Such as 0-1,4.
Text text_of(const NodeSet& nodes) noexcept;

// Those with memory; none known: empty.
NodeSet nodes_with_memory(const char* root = "") noexcept;
// Those of them that this process may use; none known: empty.
NodeSet nodes_of_process(const char* root = "") noexcept;

bool is_pci_address(const char* text) noexcept;

struct NodeOfDevice {
  bool there = false;  // such a device
  int node = -1;       // -1 where that is not known
};
NodeOfDevice node_of_device(const char* pci_address, const char* root = "") noexcept;

}  // namespace cadastre::internal
#endif
