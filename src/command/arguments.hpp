// Tangled from org/command/arguments.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The arguments of the command, and its exit status.
#ifndef CADASTRE_SRC_COMMAND_ARGUMENTS_HPP
#define CADASTRE_SRC_COMMAND_ARGUMENTS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replay.hpp"
#include "top.hpp"
#include "trace.hpp"
#include "trace_bounds.hpp"

namespace cadastre::command {

enum Status : int {
  as_it_should_be = 0,
  look_at_it = 1,
  trouble = 2,
  bound_fails = 3,
  not_recorded = 125,
  not_executable = 126,
  not_found = 127
};

enum class Command : std::uint8_t { none, info, replay, record, report, convert, top };

struct Arguments {
  Command command = Command::none;
  bool json = false;
  bool black_boxes = false;  // whether the report is on them
  bool diff = false;
  bool uninitialized = false;
  bool traces_joined = false;  // in a file of several
  bool preserve_status = false;
  bool all = false;
  std::string format = "text";  // of a report on traces
  TopOptions top;
  std::vector<std::string> fail_if;
  std::vector<Bound> bounds;  // what these say
  std::string output;
  ReplayOptions replay;
  std::string memory_type;
  std::string backend;
  std::vector<std::string> traces;
  std::string trace;
  std::uint64_t traces_kept = 0;  // of those with the highest peaks; 0: all
  std::string report;
  std::string report_on;
  std::string black_box;  // the folder of one that is kept, or auto
  std::uint64_t max_operations = usual_operations;
  std::vector<std::string> program;
};

// Reads what follows the name of the program. Returns the exit status where that was all: help, or a mistake that was told.
std::optional<int> read_arguments(int argc, char** argv, Arguments& arguments);

}  // namespace cadastre::command
#endif
