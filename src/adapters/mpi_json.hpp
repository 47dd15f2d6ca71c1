// Tangled from org/adapters/mpi_json.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The report on all ranks, as JSON.
#ifndef CADASTRE_SRC_ADAPTERS_MPI_JSON_HPP
#define CADASTRE_SRC_ADAPTERS_MPI_JSON_HPP

#include <string>

#include "mpi_table.hpp"

namespace cadastre::adapter {

// Throws std::bad_alloc.
std::string json_of(const Figures& figures, const Extremes& extremes);

}  // namespace cadastre::adapter
#endif
