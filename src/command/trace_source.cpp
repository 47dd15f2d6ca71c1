// Tangled from org/command/trace_source.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_source.hpp"

#include <utility>

#include "out/black_box_format.hpp"
#include "trace_parts.hpp"

namespace cadastre::command {

std::string name_of_trace(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string not_ended(std::string_view process, bool is_written) {
  return "process " + std::string(process) +
         (is_written ? " still writes it; this is what it did so far"
                     : " did not end by exit: it was killed, or called _exit or exec; the trace is what it did until then");
}

std::unique_ptr<TraceSource> open_trace(const std::string& path, Remembers remembers, WasRead was_read) {
  auto input = std::make_unique<TraceInput>(path, std::move(was_read));
  const std::string name = name_of_trace(path);
  if (input->peek(sizeof internal::black_box_magic) == std::string_view(internal::black_box_magic, sizeof internal::black_box_magic)) {
    throw TraceError(input->name() + ": this is a black box and no trace; cadastre report --blackbox reads it");
  }
  return TraceParts::is_one(*input) ? record_source(std::move(input), name, remembers) : text_source(std::move(input), name);
}

}  // namespace cadastre::command
