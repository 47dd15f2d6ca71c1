// Tangled from org/out/report_on.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Reports on the memory of the process, on occasions that the environment names.
#ifndef CADASTRE_SRC_OUT_REPORT_ON_HPP
#define CADASTRE_SRC_OUT_REPORT_ON_HPP

#include "base/report_on.hpp"
#include "out/black_box.hpp"

namespace cadastre::internal {

// After a black box was opened, whose holders are added up from then on; once. What cannot be watched is noted as a problem.
void open_reports_on(const ReportOn& on) noexcept;
void leave_reports_on_to_the_parent() noexcept;

}  // namespace cadastre::internal
#endif
