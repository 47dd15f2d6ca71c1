// Tangled from org/command/trace_reader.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace.hpp"
#include "trace_history.hpp"
#include "trace_source.hpp"

namespace cadastre::command {

Trace read_trace(const std::string& path, std::uint64_t most) {
  const std::unique_ptr<TraceSource> source = open_trace(path, Remembers::what_was_freed);
  History history(most, *source);
  for (GivenOperation given; source->next(given);) history.add(given);
  Trace trace = history.take();
  trace.incomplete = source->incomplete();
  return trace;
}

}  // namespace cadastre::command
