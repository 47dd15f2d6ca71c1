// Tangled from org/out/report_text.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A report as text.
#ifndef CADASTRE_SRC_OUT_REPORT_TEXT_HPP
#define CADASTRE_SRC_OUT_REPORT_TEXT_HPP

#include <cstdio>

#include "base/environment.hpp"
#include "context/holdings.hpp"
#include "out/failed_creations.hpp"

namespace cadastre::internal {

// holdings: null for the report of the process alone. Throws std::bad_alloc.
void write_text(const Holdings* holdings, const KeptCreations& creations, const Environment& environment, std::FILE* stream);

}  // namespace cadastre::internal
#endif
