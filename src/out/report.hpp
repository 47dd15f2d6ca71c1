// Tangled from org/out/report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Reports of what a context holds.
#ifndef CADASTRE_SRC_OUT_REPORT_HPP
#define CADASTRE_SRC_OUT_REPORT_HPP

#include <cstdio>

#include "base/environment.hpp"
#include "context/holdings.hpp"

namespace cadastre::internal {

// Refuses, as the third argument, a format that does not exist.
cadastre_exit_code admit_format(cadastre_report_format format) noexcept;

// Writes and flushes. holdings: null for the report of the process alone. Throws std::bad_alloc.
cadastre_exit_code write_report(const Holdings* holdings, const Environment& environment, std::FILE* stream, cadastre_report_format format);

}  // namespace cadastre::internal
#endif
