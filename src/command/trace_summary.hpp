// Tangled from org/command/trace_summary.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a trace says of a run, without performing it.
#ifndef CADASTRE_SRC_COMMAND_TRACE_SUMMARY_HPP
#define CADASTRE_SRC_COMMAND_TRACE_SUMMARY_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cadastre.h"
#include "trace_source.hpp"
#include "trace_timeline.hpp"

namespace cadastre::command {

struct Amount {
  std::int64_t bytes = 0, blocks = 0;
  std::int64_t rounding = 0;  // bytes that these take beyond, of a memory type of which that is known
};

// What blocks of a memory type were, or of all.
struct TypeSummary {
  Amount live, peak, allocated;
  std::int64_t peak_time = 0;  // nanoseconds since the trace began
  std::uint64_t peak_thread = 0;
  std::int64_t refused = 0;
};

inline bool is_used(const TypeSummary& type) { return type.allocated.blocks != 0 || type.refused != 0; }

// Blocks of one device.
struct DeviceSummary {
  std::string name;  // "cuda 0"
  TypeSummary figures;
};

// What blocks of a label were, in a memory type, of one device.
struct LabelSummary {
  std::string label;
  cadastre_memory_type type = CADASTRE_HOST;
  std::string device;  // empty for none, and where that is not known
  Amount never_freed;  // but with their contexts, or not at all
  Amount allocated;
  Amount at_peak;                   // when all memory together was most
  Amount at_peak_of_type;           // when memory of its type was
  Amount at_peak_of_device;         // when that of its device was; nothing without one
  std::int64_t own_peak = 0;        // bytes, when its own were most
  std::int64_t short_lives = 0;     // blocks that were freed within a millisecond
  std::int64_t shortest_life = -1;  // of those that were freed, in nanoseconds; -1 without any
  bool grows_until_the_end = false;
  bool has_rounding = false;
  std::int64_t time_in_calls = -1;  // estimated; negative where no call was timed

  std::int64_t rounding_at_peak() const { return has_rounding ? at_peak.rounding : -1; }
};

// How long calls of one operation took. Of timed ones the sum and the longest are known; all are taken to be as long in the mean.
struct CallSummary {
  Kind kind = Kind::malloc;
  std::int64_t calls = 0, timed = 0;
  std::int64_t timed_time = 0, longest = 0;  // nanoseconds

  // How many calls a timed one stands for.
  double weight() const { return timed == 0 ? 0 : static_cast<double>(calls) / static_cast<double>(timed); }
  std::int64_t estimated() const { return in_nanoseconds(weight() * static_cast<double>(timed_time)); }
  static std::int64_t in_nanoseconds(double time) { return static_cast<std::int64_t>(std::min(time, 9e18)); }
};

// Allocations of a size that was freed before.
struct SizeSummary {
  std::uint64_t size = 0, asked_again = 0;
};

// Why a call failed, as far as a trace says it of its block.
enum class Fault : std::uint8_t { none, freed_before, foreign, other_context, null, no_context };
const char* name_of(Fault fault) noexcept;

// Calls that failed in one way, but for want of memory.
struct FailureSummary {
  Kind kind = Kind::free;
  std::int32_t result = 0;
  Fault fault = Fault::none;
  std::string label;               // of the block
  cadastre_memory_type type = -1;  // negative where the block is not known
  std::int64_t count = 0;
  std::int64_t first_time = 0;
  std::uint64_t first_thread = 0;
};

struct Refusal {
  std::int64_t time = 0;
  std::uint64_t thread = 0, size = 0;
  cadastre_memory_type type = CADASTRE_HOST;
  std::string label;
  std::int64_t live = 0;                                      // bytes of that type
  std::vector<std::pair<std::string, std::int64_t>> holders;  // labels that held the most of them, and how much
};

// Of the resident memory.
struct NumaNode {
  std::int64_t node = 0, bytes = 0;
};

// What was in use of the host's memory by the process, or of a device.
struct UseSummary {
  MemoryUse at_most_live, at_most_used;  // of the same device
  std::int64_t most_live = -1;
  std::vector<NumaNode> numa_nodes{};  // of the host's memory

  const std::string& device() const { return at_most_live.device; }
  // What was in use when most lived, and is neither in blocks nor kept; negative where that is not known.
  std::int64_t untracked() const {
    const MemoryUse& at = at_most_live;
    if (at.used < 0 || at.live < 0) return -1;
    const std::int64_t others = at.used - std::min(at.used, at.live);
    return others - std::min(others, std::max<std::int64_t>(at.kept, 0));
  }
};

// Resident memory at a moment.
struct ResidentBytes {
  std::int64_t time = 0, bytes = 0;
};

// How many bytes a request takes.
class Rounding {
 public:
  Rounding() = default;
  // The line of a head; one that makes no sense is none.
  explicit Rounding(std::string_view line);
  bool is_known(cadastre_memory_type type) const { return type == type_; }
  // How many more than were asked for.
  std::int64_t added_to(std::uint64_t size, unsigned alignment_log2) const;

 private:
  struct Step {
    std::uint64_t up_to, step;
  };
  cadastre_memory_type type_ = -1;
  std::vector<Step> steps_;
};

struct Summary {
  std::string name, incomplete, process, host, rank, executable;
  std::uint64_t operations = 0, left_out = 0, contexts = 0, threads = 0;
  std::int64_t time = 0;          // of the last operation
  std::int64_t node_memory = -1;  // RAM of the machine in bytes; negative where the trace does not say
  std::array<TypeSummary, sums_of_types> types;
  std::vector<DeviceSummary> devices;  // of which blocks of DEVICE memory were
  bool has_several_devices() const { return devices.size() > 1; }
  Rounding rounding;
  std::vector<LabelSummary> labels;
  std::vector<Refusal> refusals;         // the first
  std::vector<FailureSummary> failures;  // the most frequent first, look-ups last
  std::int64_t failed = 0;               // calls, more than are in these ways where there are too many
  std::int64_t freed = 0;                // blocks, one by one
  std::int64_t short_lives = 0;          // of these, within a millisecond
  std::int64_t asked_again = 0;          // allocations of a size that was freed before, and not asked for since
  std::vector<SizeSummary> sizes;        // those of which most were
  std::array<std::uint64_t, kinds> left_out_by_kind{};
  std::vector<CallSummary> calls;       // of operations that were timed
  std::vector<UseSummary> uses;         // the host's first
  std::vector<ResidentBytes> resident;  // at some of the moments, in their order
  std::optional<Timeline> timeline;     // of entries as labels has them, where it was asked for
};

// timeline: one without changes, where there is to be one. Throws TraceError, or std::bad_alloc.
Summary summarize(TraceSource& source, std::optional<Timeline> timeline = std::nullopt);

}  // namespace cadastre::command
#endif
