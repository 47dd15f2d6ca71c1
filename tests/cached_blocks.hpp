// Tangled from org/tests/block_cache_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the calling thread has cached of a pool.
#ifndef CADASTRE_TESTS_CACHED_BLOCKS_HPP
#define CADASTRE_TESTS_CACHED_BLOCKS_HPP

#include "core/block_cache.hpp"
#include "core/calls.hpp"
#include "pooled_contexts.hpp"

using namespace cadastre::internal;

inline constexpr std::size_t page = 4096;

inline cadastre_context on_the_double() {
  if (!cuda_double()) skip_because(needs_the_double);
  return cuda_context();
}

inline const BlockCache* cache_in(cadastre_context context) {
  const Shard* const shard = find_known_shard(context);
  return shard && shard->last_context == context ? shard->cache : nullptr;
}

inline unsigned cached_in(cadastre_context context) {
  const BlockCache* const cache = cache_in(context);
  if (cache) assert_true(cache->check_invariants());
  return cache ? cache->count : 0;
}

inline cadastre_memory_info_struct of_device(std::size_t size, const char* label = nullptr) {
  cadastre_memory_info_struct info = request(size, CADASTRE_DEVICE, CADASTRE_UNINITIALIZED);
  info.label = label;
  return info;
}

#endif
