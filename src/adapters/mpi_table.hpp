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

// Ranks whose high-water mark is above 1.5 times the mean.
std::uint64_t bytes_of_an_outlier(const Figure& peaks) noexcept;

struct Extremes {
  std::array<std::uint64_t, memory_types> outliers;                  // how many there are
  std::array<std::optional<Holders>, memory_types> holders_of_most;  // of the rank with most live bytes
};

// Throws std::bad_alloc.
std::string table_of(const Figures& figures, const Extremes& extremes);

}  // namespace cadastre::adapter
#endif
