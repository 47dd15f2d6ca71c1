// Tangled from org/out/black_box.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What is kept for who reads it while the process runs, or after it was killed. Nothing throws; any thread calls, at any time.
#ifndef CADASTRE_SRC_OUT_BLACK_BOX_HPP
#define CADASTRE_SRC_OUT_BLACK_BOX_HPP

#include <atomic>
#include <string>

#include "out/trace_format.hpp"

namespace cadastre::internal {

// Whether it was opened, and holders are to be added up.
extern std::atomic<bool> black_box_is_open, holders_are_due;

// Makes the file in a folder, once; false, with the problem noted, where it cannot be.
bool open_black_box(const std::string& folder) noexcept;
void leave_black_box_to_the_parent() noexcept;

// What a call did. label: null for none.
void keep_event(const TraceRecord& record, const char* label) noexcept;

// For who holds no lock: adds up who holds the memory, if it is time.
void add_up_holders() noexcept;
inline void add_up_holders_if_due() noexcept {
  if (holders_are_due.load(std::memory_order_relaxed)) [[unlikely]]
    add_up_holders();
}

}  // namespace cadastre::internal
#endif
