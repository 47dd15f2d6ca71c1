// Tangled from org/registry/figures.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a context has, by memory type and by label; a copy of all records, and whether all of it agrees.
#ifndef CADASTRE_SRC_REGISTRY_FIGURES_HPP
#define CADASTRE_SRC_REGISTRY_FIGURES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/owned.hpp"
#include "base/record.hpp"
#include "base/vocabulary.hpp"
#include "cadastre.h"
#include "registry/registry.hpp"

namespace cadastre::internal {

// The figures of all devices, with the limit; of a memory type, or the sums of all.
inline cadastre_statistics_struct figures_of_type(const Registry& registry, cadastre_memory_type type) noexcept {
  const SharedAccount& shared = registry.accounts().shared();
  cadastre_statistics_struct figures = registry.account(type).figures;
  figures.limit = shared.of(type).limit();
  if (type == CADASTRE_HOST && registry.heap().is_used()) {
    figures.high_water_mark_bytes = std::max(figures.high_water_mark_bytes, shared.of(type).most_live());
    figures.high_water_mark_blocks = std::max(figures.high_water_mark_blocks, shared.of(type).most_blocks());
  }
  return figures;
}
cadastre_statistics_struct sum_of_figures(const Registry& registry) noexcept;
inline cadastre_statistics_struct figures_of(const Registry& registry, cadastre_memory_type type) noexcept {
  return type == CADASTRE_ALL_MEMORY_TYPES ? sum_of_figures(registry) : figures_of_type(registry, type);
}
// How many blocks live, with borrowed ranges; and what cadastre_get_registry_info tells.
std::size_t count_live(const Registry& registry) noexcept;
cadastre_registry_info_struct registry_info(const Registry& registry) noexcept;

// Copies of all records that are alive, in the order of their allocation. Throws std::bad_alloc.
OwnedVector<Record> snapshot(const Registry& registry);
// Live blocks, the largest first, and of those of a size the oldest; of those in slabs, no more are looked at than are as large.
// Throws std::bad_alloc.
std::vector<Record> largest(const Registry& registry, std::size_t most);

// What lives with a label on a memory type; with the heap locked.
LabelCount count_of_label(const Registry& registry, cadastre_memory_type type, OriginNumber label) noexcept;
// Calls for each label and memory type of which any block lives. False, and nothing called, where the counts are not complete.
template <class Action>
bool for_each_label(const Registry& registry, Action action) {
  registry.heap().lock();
  const ContextAccounts& accounts = registry.accounts();
  if (!accounts.are_labels_complete()) return false;
  std::uint64_t end = registry.heap().labels_end();
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (const LabelCounts* const counts = accounts.labels_of(type)) end = std::max(end, counts->end());
  }
  for (std::uint64_t label = no_origin + 1; label < end; ++label) {
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      const LabelCount count = count_of_label(registry, type, static_cast<OriginNumber>(label));
      if (count != LabelCount()) action(type, static_cast<OriginNumber>(label), count);
    }
  }
  return true;
}
// The same by a walk over all blocks.
template <class Action>
void for_each_label_by_walk(const Registry& registry, Action action) {
  registry.for_each([&](const Record& record) {
    if (!record.borrowed() && record.origin != no_origin) action(record.type, record.origin, LabelCount::of_one(record.size));
  });
}
// Whether both say the same. Throws std::bad_alloc.
bool counts_labels_right(const Registry& registry);

// Whether everything that is said of a registry holds; for tests. Throws std::bad_alloc.
bool is_consistent(const Registry& registry);

}  // namespace cadastre::internal
#endif
