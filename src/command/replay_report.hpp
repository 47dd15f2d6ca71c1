// Tangled from org/command/replay_report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What replays of a trace have found.
#ifndef CADASTRE_SRC_COMMAND_REPLAY_REPORT_HPP
#define CADASTRE_SRC_COMMAND_REPLAY_REPORT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cadastre.h"
#include "statistics.hpp"
#include "trace.hpp"

namespace cadastre::command {

struct ReplayOptions {
  std::uint32_t repeat = 1;
  bool zero = true;                                     // else blocks are uninitialized
  bool touch = false;                                   // write to every page of each new block
  bool progress = false;                                // draw a progress bar on the standard error when it takes long
  std::optional<cadastre_memory_type> type;             // of every block, regardless of the trace
  cadastre_backend backend = CADASTRE_DEFAULT_BACKEND;  // of every context
};

// The library's statistics of one memory type of one context.
struct TypeFigures {
  std::int64_t allocations = 0;
  std::int64_t deallocations = 0;
  std::int64_t reallocations = 0;
  std::int64_t failed_allocations = 0;
  std::int64_t failed_deallocations = 0;
  std::int64_t untracked_deallocations = 0;
  std::int64_t live_blocks = 0;
  std::int64_t borrowed_blocks = 0;
  std::int64_t high_water_mark_blocks = 0;
  std::uint64_t live_bytes = 0;
  std::uint64_t high_water_mark_bytes = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t zeroed_bytes = 0;
  bool operator==(const TypeFigures&) const = default;
};

struct Left {
  std::int64_t blocks = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Left&) const = default;
};

// A context at the moment before it was destroyed.
struct ContextFigures {
  std::uint64_t serial = 0;
  std::uint64_t line = 0;  // that created it
  bool destroyed = false;  // by the trace
  std::array<TypeFigures, CADASTRE_MEMORY_TYPE_COUNT> types;
  std::map<std::string, Left> left;  // what was alive in it, by label
  bool operator==(const ContextFigures&) const = default;
};

// An operation whose result differs from that of the traced program.
struct Mismatch {
  std::uint64_t line = 0;
  Kind kind = Kind::create;
  cadastre_exit_code expected = 0;
  cadastre_exit_code got = 0;
  std::string text;     // the operation, and both results
  std::string message;  // the library's error message; may be empty
};

struct Times {
  Histogram call;
  Histogram registry;  // the rest of each call, without the backend
  Histogram backend;
  std::int64_t failures = 0;
};

struct Report {
  std::string trace;
  ReplayOptions options;
  std::size_t operations = 0;
  std::size_t threads = 0;
  std::size_t contexts_at_once = 0;
  // Over all repeats:
  std::array<Times, kinds> times;
  std::int64_t failures = 0;
  std::int64_t mismatches = 0;
  std::int64_t skipped = 0;
  std::int64_t reused = 0;
  std::int64_t skipped_copies = 0;
  std::int64_t not_supported = 0;
  std::array<std::int64_t, CADASTRE_MEMORY_TYPE_COUNT> host_fallbacks{};  // blocks for which HOST memory was used
  std::vector<Mismatch> first_mismatches;
  std::vector<std::string> disagreements;  // between the library's own statistics
  Histogram wall;
  std::uint64_t user = 0, system = 0;  // processor time of the process while it replayed
  std::uint64_t clock = 0;             // the duration of one reading of the clock
  std::uint64_t most_resident = 0;     // bytes of the process at one time so far; 0 where that is not known
  // Of one replay:
  std::vector<ContextFigures> contexts;

  bool as_traced() const { return mismatches == 0 && skipped == 0 && disagreements.empty(); }
};

std::string as_text(const Report& report, bool utf8);
// of_traces: what a report says of each trace, as an object of JSON.
std::string as_json(std::span<const Report> reports, std::span<const std::string> of_traces);

}  // namespace cadastre::command
#endif
