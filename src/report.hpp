// Tangled from org/report.org; change the chapter, then run: make tangle
// Reports of what a context holds.
#ifndef CADASTRE_SRC_REPORT_HPP
#define CADASTRE_SRC_REPORT_HPP

#include <cstdio>

#include "context.hpp"
#include "environment.hpp"

namespace cadastre::internal {

// Refuses, as the third argument, a format that there is not.
cadastre_exit_code admit_format(cadastre_report_format format) noexcept;

// Writes and flushes. Throws std::bad_alloc.
cadastre_exit_code write_report(const Holdings& holdings, const Environment& environment, std::FILE* stream,
                                cadastre_report_format format);

}  // namespace cadastre::internal
#endif
