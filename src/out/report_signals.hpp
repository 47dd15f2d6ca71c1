// Tangled from org/out/report_signals.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A function that is called at signals, before what happens at them.
#ifndef CADASTRE_SRC_OUT_REPORT_SIGNALS_HPP
#define CADASTRE_SRC_OUT_REPORT_SIGNALS_HPP

#include "base/report_on.hpp"

namespace cadastre::internal {

// Called in a handler of signals, by any thread, on a stack that may be the smallest there is.
using SignalSeen = void (*)(const SignalName& signal) noexcept;

// Installs handlers for a set of signals, as ReportOn has it; once. The name of one that cannot have one; null where all have.
const SignalName* see_signals(std::uint32_t signals, SignalSeen seen) noexcept;

}  // namespace cadastre::internal
#endif
