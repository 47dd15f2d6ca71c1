// Tangled from org/adapters/mpi_table.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The report on all ranks, as text.
#ifndef CADASTRE_SRC_ADAPTERS_MPI_TABLE_HPP
#define CADASTRE_SRC_ADAPTERS_MPI_TABLE_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "mpi_figures.hpp"

namespace cadastre::adapter {

struct Extremes {
  std::array<std::uint64_t, kinds> outliers;                         // how many there are
  std::array<std::optional<Holders>, memory_types> holders_of_most;  // of the rank with most live bytes
  std::optional<Holders> holders_at_peak;                            // of the rank with the highest peak of all memory together
};

// Whether a rank has had such memory.
inline bool is_used(const Members& ranks, std::size_t kind) noexcept {
  return ranks.peak[kind].bytes.sum > 0 || ranks.live[kind].bytes.sum > 0;
}

// In UTC.
std::string time_now();

// Throws std::bad_alloc.
std::string table_of(const Figures& figures, const Extremes& extremes);

}  // namespace cadastre::adapter
#endif
