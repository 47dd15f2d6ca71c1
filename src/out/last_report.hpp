// Tangled from org/out/last_report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The report of each context at its end.
#ifndef CADASTRE_SRC_OUT_LAST_REPORT_HPP
#define CADASTRE_SRC_OUT_LAST_REPORT_HPP

#include <atomic>
#include <string>
#include <string_view>

#include "context/holdings.hpp"

namespace cadastre::internal {

extern std::atomic<bool> reporting;

inline bool is_reported() noexcept { return reporting.load(std::memory_order_relaxed); }

// Opens the file, once. What cannot be written is not recorded.
void open_reports(const std::string& name) noexcept;
// In the child of a fork: the file is its parent's.
void leave_reports_to_the_parent() noexcept;
// Whether there is a file, and it is text.
bool reports_are_text() noexcept;
// Appends a text to it, where it is and nobody else writes to it. Whether it was.
bool append_to_reports(std::string_view text) noexcept;
// The same for a handler of signals; what fails is not noted.
bool append_to_reports_in_handler(std::string_view text) noexcept;
// Writes the report of a context that ends. holdings: null where the host had no memory for them.
void report_last(const Holdings* holdings) noexcept;

}  // namespace cadastre::internal
#endif
