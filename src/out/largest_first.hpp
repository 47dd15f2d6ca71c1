// Tangled from org/out/largest_first.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a report lists, by size.
#ifndef CADASTRE_SRC_OUT_LARGEST_FIRST_HPP
#define CADASTRE_SRC_OUT_LARGEST_FIRST_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "context/holdings.hpp"

namespace cadastre::internal {

inline constexpr std::size_t blocks_listed = largest_blocks_told;

// The blocks with one label on one memory type. label: null for those without one.
struct Share {
  const char* label;
  cadastre_memory_type type;
  std::int64_t blocks;
  std::size_t bytes;
};

// With the most bytes first. Throw std::bad_alloc.
std::vector<Share> shares_by_size(const Holdings& holdings);
std::vector<PlainFrees> plain_frees_by_size(const Holdings& holdings);
std::vector<Record> blocks_by_size(const Holdings& holdings);

// Failures of each kind, the last first, and how many of older kinds are not there.
struct Failures {
  std::span<const KeptFailure> kept;
  std::int64_t forgotten;
};

// Of the memory types that are cached for the next request.
template <class Write>
void for_each_pool(const Holdings& holdings, Write write) {
  for (std::size_t type = 0; type < memory_types; ++type) {
    const cadastre_pool_info_struct& pool = holdings.pools[type];
    if (pool.pool_count > 0) write(cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(type)), pool);
  }
}

}  // namespace cadastre::internal
#endif
