// Tangled from org/command/trace_source.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The operations of a trace, one after the other.
#ifndef CADASTRE_SRC_COMMAND_TRACE_SOURCE_HPP
#define CADASTRE_SRC_COMMAND_TRACE_SOURCE_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "trace.hpp"
#include "trace_input.hpp"

namespace cadastre::command {

enum class Column : std::uint8_t {
  op,
  context,
  block,
  source,
  size,
  type,
  thread,
  time,
  label,
  result,
  duration,
  alignment,
  device,
};
inline constexpr std::size_t columns = 13;
inline constexpr std::string_view column_names[columns] = {
    "op",
    "context",
    "block",
    "source",
    "size",
    "type",
    "thread",
    "time",
    "label",
    "result",
    "duration",
    "alignment",
    "device",
};
constexpr std::size_t index_of(Column column) { return static_cast<std::size_t>(column); }

// An operation as a file has it.
struct GivenOperation {
  Kind kind = Kind::create;
  std::uint64_t line = 0;
  std::optional<std::uint64_t> size = {};
  std::int64_t time = 0;
  std::int64_t duration = -1;  // nanoseconds that the call took; negative: it was not timed
  std::int32_t result = 0;
  std::uint64_t thread = 1;
  cadastre_memory_type type = CADASTRE_HOST;
  std::uint8_t alignment_log2 = 0;
  std::string_view label = {};
  std::string_view device = {};  // "cuda 0"; empty for memory of no device, and where that is not known
  std::uint64_t context = 1;
  std::int64_t block = 0, source = 0;
  bool is_elsewhere = false;  // the block or the source is of another context than the operation
};

// What a trace and its copy in a file of several have in common.
struct TraceIdentity {
  std::uint64_t sum = 0;  // of its head; 0: not known
  bool is_joined = false;
};

// The operations of a trace, one after the other. What is malformed is refused by a TraceError; whether an operation can have happened, nobody has asked yet.
class TraceSource {
 public:
  virtual ~TraceSource() = default;
  // Reads the next operation, whose label stays where it is until the one after; false at the end.
  virtual bool next(GivenOperation& given) = 0;
  // Refuses the last operation, for what is wrong in a column.
  [[noreturn]] virtual void refuse(Column column, const std::string& what) const = 0;
  // At the end: what the trace lacks, for a person; empty where it is whole.
  virtual std::string incomplete() const { return ""; }
  // What is known of the process that it was recorded of; empty where nothing is.
  virtual std::string_view said(std::string_view) const { return ""; }
  // The name of the trace, as a person gave it.
  virtual const std::string& name() const = 0;
  virtual TraceIdentity identity() const { return {}; }
  // Whether a number is of one block in the whole trace, not in its context alone.
  virtual bool has_unique_numbers() const { return true; }

  // Gets what was in use at moments between operations, from next.
  void show_uses_to(std::function<void(const MemoryUse&)> seen) { seen_ = std::move(seen); }

 protected:
  void show(const MemoryUse& use) const {
    if (seen_) seen_(use);
  }

 private:
  std::function<void(const MemoryUse&)> seen_;
};

// What a source of records remembers: with what was freed, a block has a number of its own in the trace, and an operation on one that was never there is left out.
// Without, a block has the number that its context gave it, and nothing is remembered of it.
enum class Remembers : std::uint8_t { what_lives, what_was_freed };

// As a person gave it.
std::string name_of_trace(const std::string& path);

// Whether it is the name of a backend and the number of one of its devices, as traces and reports write it.
bool is_device(std::string_view text);

// What is said of a trace that its process has not ended.
std::string not_ended(std::string_view process, bool is_written);

// Opens the first trace of a file of either form, plain or compressed; "-" is the standard input. Throws TraceError, or std::bad_alloc.
std::unique_ptr<TraceSource> open_trace(const std::string& path, Remembers remembers, WasRead was_read = {});

// The operations of a trace that is in memory, and stays there as long as the source.
std::unique_ptr<TraceSource> stored_source(const Trace& trace);

// A trace that could not be read, or not to its end, and the sentence that says why.
struct Unreadable {
  std::string name, problem;
};

// What open_trace chooses from. name: of the trace, as a person gave it.
std::unique_ptr<TraceSource> text_source(std::shared_ptr<TraceInput> input, const std::string& name);
std::unique_ptr<TraceSource> record_source(std::shared_ptr<TraceInput> input, const std::string& name, Remembers remembers);

}  // namespace cadastre::command
#endif
