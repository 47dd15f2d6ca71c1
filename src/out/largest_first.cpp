// Tangled from org/out/largest_first.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/largest_first.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/label.hpp"

namespace cadastre::internal {
namespace {

// Makes one of neighbours that are of the same.
template <class Part, class Same>
void sum_up(std::vector<Part>& parts, Same same) {
  std::size_t used = 0;
  for (const Part& part : parts) {
    if (used > 0 && same(parts[used - 1], part)) {
      parts[used - 1].blocks += part.blocks;
      parts[used - 1].bytes += part.bytes;
    } else {
      parts[used++] = part;
    }
  }
  parts.resize(used);
}

}  // namespace

std::vector<Share> shares_by_size(const Holdings& holdings) {
  std::vector<Share> shares;
  shares.reserve(holdings.labels.size());
  for (const LabelShare& share : holdings.labels) {
    shares.push_back({text_of(share.label), share.type, share.count.blocks, static_cast<std::size_t>(share.count.bytes)});
  }
  std::sort(shares.begin(), shares.end(),
            [](const Share& a, const Share& b) { return a.label != b.label ? std::less<>()(a.label, b.label) : a.type < b.type; });
  sum_up(shares, [](const Share& a, const Share& b) { return a.label == b.label && a.type == b.type; });
  std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) {
    if (a.bytes != b.bytes) return a.bytes > b.bytes;
    const int order = std::strcmp(a.label ? a.label : "", b.label ? b.label : "");
    return order != 0 ? order < 0 : a.type < b.type;
  });
  return shares;
}

// Of several contexts, a label may be there several times.
std::vector<PlainFrees> plain_frees_by_size(const Holdings& holdings) {
  std::vector<PlainFrees> all = holdings.plain_frees;
  std::sort(all.begin(), all.end(), [](const PlainFrees& a, const PlainFrees& b) { return a.origin < b.origin; });
  sum_up(all, [](const PlainFrees& a, const PlainFrees& b) { return a.origin == b.origin; });
  std::stable_sort(all.begin(), all.end(), [](const PlainFrees& a, const PlainFrees& b) { return a.bytes > b.bytes; });
  return all;
}

std::vector<Record> blocks_by_size(const Holdings& holdings) {
  std::vector<Record> blocks = holdings.largest_blocks;
  std::stable_sort(blocks.begin(), blocks.end(), [](const Record& a, const Record& b) { return a.size > b.size; });
  blocks.resize(std::min(blocks.size(), blocks_listed));
  return blocks;
}

}  // namespace cadastre::internal
