// Tangled from org/out/report_json.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A report as JSON.
#ifndef CADASTRE_SRC_OUT_REPORT_JSON_HPP
#define CADASTRE_SRC_OUT_REPORT_JSON_HPP

#include <cstdio>

#include "base/environment.hpp"
#include "context/holdings.hpp"
#include "out/failed_creations.hpp"

namespace cadastre::internal {

// As write_text: one object, and a newline.
void write_json(const Holdings* holdings, const KeptCreations& creations, const Environment& environment, std::FILE* stream);

}  // namespace cadastre::internal
#endif
