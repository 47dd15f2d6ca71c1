// Tangled from org/command/trace.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Allocation traces: what is in one, and how a file of them is read.
#ifndef CADASTRE_SRC_COMMAND_TRACE_HPP
#define CADASTRE_SRC_COMMAND_TRACE_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cadastre.h"

namespace cadastre::command {

enum class Kind : std::uint8_t {
  create,
  destroy,
  malloc,
  free,
  realloc,
  info,
  copy,
};
inline constexpr std::size_t kinds = 7;

std::string_view name_of(Kind kind) noexcept;

struct Operation {
  std::uint64_t size = 0;
  std::uint64_t line = 0;  // of text; else how many operations there are up to this one
  std::int64_t time = 0;
  std::int64_t block = 0;   // slot of a block; 0 for NULL; -k for the k-th foreign pointer
  std::int64_t source = 0;  // likewise
  std::uint32_t context = 0;
  std::uint32_t thread = 0;
  std::uint32_t label = 0;
  std::int32_t result = 0;
  cadastre_memory_type type = CADASTRE_HOST;
  Kind kind = Kind::create;
  bool has_size = false;
  std::uint8_t alignment_log2 = 0;
  std::uint8_t device = 0;  // of a malloc
};
static_assert(sizeof(Operation) == 64);

// Lines of a trace's head, by their names (out/trace_format). Of those that say of which process the trace is, these are the names.
using Said = std::map<std::string, std::string, std::less<>>;
inline constexpr std::string_view names_of_process[] = {"program", "process", "host", "rank", "executable", "memory", "rounding", "began"};
// The line that says what a trace lacked when it was converted.
inline constexpr char line_of_lack[] = "incomplete";
// The text under a name; empty for none.
std::string_view text_under(std::string_view name, const Said& said);

// What was in use at a moment, beside what operations say; bytes, negative where that is not known.
struct MemoryUse {
  std::int64_t time = 0;
  std::string device;       // "cuda 0"; empty: the host's memory, by the process
  std::int64_t used = -1;   // resident memory of the process; of a device by any process
  std::int64_t live = -1;   // of this in blocks
  std::int64_t kept = -1;   // by the library, of the host's memory
  std::int64_t huge = -1;   // of the host's memory, in huge pages
  std::int64_t total = -1;  // of a device, all there is
  std::int64_t node = -1;   // where used is what of the resident memory is on that NUMA node
};
// Of those that a trace has, so many are kept in memory.
inline constexpr std::size_t most_uses = std::size_t{1} << 16;

// Slots start at 1; what stands at 0 is NULL, the invalid context, the empty label, or no device.
struct Trace {
  std::string name;
  std::vector<Operation> operations;
  std::vector<std::string> labels;
  std::vector<std::string> devices;          // of which blocks are, "cuda 0"
  std::vector<std::uint64_t> blocks;         // serial numbers by slot
  std::vector<std::uint64_t> contexts;       // serial numbers by slot
  std::vector<std::uint64_t> foreign_sizes;  // the largest number of bytes that a copy moves from or to each
  std::vector<std::uint64_t> threads;        // serial numbers; the first thread is number 0 here
  std::string incomplete;                    // what it lacks, for a person; empty where it is whole
  Said said;                                 // what is known of the process that it was recorded of
  struct UseBefore {
    std::size_t operation;  // that comes next
    MemoryUse use;
  };
  std::vector<UseBefore> uses;
  struct Duration {
    std::size_t operation;
    std::int64_t nanoseconds;
  };
  std::vector<Duration> durations;  // of the operations that were timed

  // The number in the file of a block by its slot; of a foreign pointer, which has no other, the slot.
  std::int64_t number_of(std::int64_t slot) const {
    return slot < 0 ? slot : static_cast<std::int64_t>(blocks[static_cast<std::size_t>(slot)]);
  }
};

// An error in a trace: FILE:LINE:COLUMN: what was found; what would be right. Columns count
// bytes.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The maximum number of operations of a trace, unless more are allowed: half a GiB of them. And the largest possible number.
inline constexpr std::uint64_t usual_operations = std::uint64_t{1} << 23;
inline constexpr std::uint64_t most_operations = UINT32_MAX - 1;

// Reads the traces of a file of either form, plain or compressed; "-" is the standard input. most: operations of each. Throws TraceError, or std::bad_alloc.
std::vector<Trace> read_traces(const std::string& path, std::uint64_t most = usual_operations);
// The same of a file of one.
Trace read_trace(const std::string& path, std::uint64_t most = usual_operations);

// The text with all control characters of a terminal replaced, and cut to a length that fits a message.
std::string printable(std::string_view text, std::size_t longest = 60);

// The text as valid UTF-8, for programs: different texts stay different. controls: whether control characters are escaped, too.
std::string as_utf8(std::string_view text, bool controls = false);

}  // namespace cadastre::command
#endif
