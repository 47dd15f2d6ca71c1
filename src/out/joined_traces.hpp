// Tangled from org/out/joined_traces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Appends traces to a file of several.
#ifndef CADASTRE_SRC_OUT_JOINED_TRACES_HPP
#define CADASTRE_SRC_OUT_JOINED_TRACES_HPP

#include <climits>
#include <string>

#include "base/environment.hpp"
#include "base/non_copyable.hpp"
#include "out/output.hpp"

namespace cadastre::internal {

// A trace that is written to a file of its own, and appended to one of several when its process ends.
class JoinedTrace : NonCopyable {
 public:
  // The name that is to be opened for the own file. Where traces cannot be joined, it is that of CADASTRE_TRACE, and a problem says why. Throws std::bad_alloc.
  std::string own_name(const Environment& settings);
  // Of a file that has the own file's name.
  ThereBefore there_before() const noexcept { return wanted_ ? ThereBefore::stays : ThereBefore::is_emptied; }
  bool is_wanted() const noexcept { return wanted_; }
  // Appends the trace, which was ended and closed, and removes its own file; or leaves both as they were, and a problem says why.
  void end(const Output& trace) noexcept;

 private:
  void say_problem() noexcept;

  // Not on the stack: a handler of signals may end the process on a small one.
  bool wanted_ = false;
  char all_[PATH_MAX] = "";        // the name of the file of several
  char found_[2 * PATH_MAX] = "";  // the same in the folder of the own file
  char problem_[2 * PATH_MAX] = "";
};

}  // namespace cadastre::internal
#endif
