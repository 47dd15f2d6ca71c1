// Tangled from org/out/black_box.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What is kept for who reads it while the process runs, or after it was killed. Nothing throws; any thread calls, at any time.
#ifndef CADASTRE_SRC_OUT_BLACK_BOX_HPP
#define CADASTRE_SRC_OUT_BLACK_BOX_HPP

#include <atomic>
#include <string>

#include "out/black_box_format.hpp"
#include "out/near_limit.hpp"
#include "out/trace_format.hpp"

namespace cadastre::internal {

extern std::atomic<bool> black_box_is_open;

// Makes the file in a folder, once; false, with the problem noted, where it cannot be. folder: empty for pages that only this process sees.
bool open_black_box(const std::string& folder) noexcept;
void leave_black_box_to_the_parent() noexcept;
// Whether it is, and by this process: a child may have been made without handlers of forks.
bool black_box_is_own() noexcept;
// How much of the host or of a device is used.
void keep_use(const LimitUse& use) noexcept;
// What is kept; null before it was opened. They stay.
const BlackBoxPages* black_box_pages() noexcept;
// Nanoseconds since it was opened.
std::int64_t time_of_black_box() noexcept;

// What a call did. label: null for none.
void keep_event(const TraceRecord& record, const char* label) noexcept;

// For who holds no lock: adds up who holds the memory, at once, or if it is time, and whether it was.
void add_up_holders() noexcept;
bool add_up_holders_if_due() noexcept;

}  // namespace cadastre::internal
#endif
