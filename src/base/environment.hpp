// Tangled from org/base/environment.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the environment configures.
#ifndef CADASTRE_SRC_BASE_ENVIRONMENT_HPP
#define CADASTRE_SRC_BASE_ENVIRONMENT_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.hpp"
#include "base/ranks.hpp"
#include "base/report_on.hpp"
#include "base/text.hpp"
#include "base/vocabulary.hpp"
#include "cadastre.h"

namespace cadastre::internal {

struct EnvironmentVariable {
  std::string name;
  std::optional<std::string> value;
  const EnvironmentRow* row;  // null when the vocabulary does not have it
  std::string problem;        // empty when there is none
};

// How much a caching pool may use and cache together.
struct PoolKeep {
  enum Of { percent, bytes, all } of = percent;
  std::size_t amount = 100;  // percent of the high-water mark of what is used, or bytes

  std::size_t most(std::size_t high_water_mark) const noexcept;
  friend bool operator==(const PoolKeep&, const PoolKeep&) = default;
};
inline constexpr std::size_t most_percent = 1000;

// A limit as it is written.
struct LimitValue {
  std::size_t bytes = CADASTRE_UNLIMITED;  // where percent is 0
  std::size_t percent = 0;                 // of what the host offers, or of the memory of a device
  bool per_rank = false;                   // divided by the ranks on the device

  // Whether the bytes are known without a look at the machine.
  bool is_plain() const noexcept { return percent == 0 && !per_rank; }
  bool is_unlimited() const noexcept { return bytes == CADASTRE_UNLIMITED && percent == 0; }
  friend bool operator==(const LimitValue&, const LimitValue&) = default;
};

struct Environment {
  std::vector<EnvironmentVariable> variables;            // the vocabulary's first, in its order
  std::string malformed;                                 // the first problem of a variable that the vocabulary has
  cadastre_backend backend = CADASTRE_DEFAULT_BACKEND;   // by default: the best that is available
  PerLimit<LimitValue> limits, process_limits;           // of each context, and of their sum
  bool limits_contexts = false, limits_process = false;  // whether any is said of these
  RankIdentity ranks;                                    // of this process; but for what is given, only where a limit is divided by ranks
  std::array<cadastre_pool, memory_types> pool;
  std::array<PoolKeep, memory_types> pool_keep;
  std::size_t pool_thread_cache = std::size_t{1} << 20;   // bytes; no more than 32 bits
  std::array<std::size_t, memory_types> workspace_sizes;  // as cadastre_workspace_set_size takes them
  bool presets_workspaces() const noexcept {
    const auto is_preset = [](std::size_t size) { return size != CADASTRE_WORKSPACE_AUTOMATIC; };
    return is_preset(default_workspace_size) || std::any_of(workspace_sizes.begin(), workspace_sizes.end(), is_preset);
  }
  std::size_t default_workspace_size = CADASTRE_WORKSPACE_AUTOMATIC;  // of the memory type that a context's backend decides
  std::optional<bool> heap;  // whether contexts have heaps; where nobody said so, the library decides
  std::int32_t emulated_devices = 0;
  std::chrono::milliseconds out_of_memory_wait{10000};  // for queues, before a request is refused
  std::vector<FailRule> fail_rules;
  std::string trace;            // empty: none is written
  std::size_t traces_kept = 0;  // of those with the highest peaks; 0: all
  bool traces_joined = false;   // in a file of several
  std::string report;           // likewise; or stderr
  std::string black_box;        // likewise: a folder, or auto
  ReportOn report_on;
  std::string notes;  // empty: none are written

  // The library that a variable names, with a null byte behind it; empty where it names none, and the one with the usual name is opened.
  std::string_view library(std::string_view variable) const noexcept;
};

// The environment of this process as it was at the first call. Throws std::bad_alloc.
extern std::atomic<const Environment*> known_environment;
const Environment& first_environment();
inline const Environment& environment() {
  const Environment* const known = known_environment.load(std::memory_order_acquire);
  return known ? *known : first_environment();
}

// Whether memory may lie where the library puts it, in heaps and in kept runs: what CADASTRE_HEAP says, else whether no checker watches.
bool is_heap_wanted() noexcept;

// Whether variables that name files are read: not where the caller has fewer privileges than the program.
enum class Files { as_named, not_read };

// The same for strings of the form NAME=VALUE, ended by a null pointer.
Environment read_environment(const char* const* strings, Files files = Files::as_named);

// "; set by NAME=VALUE in the environment": what a message adds about a variable that has a value.
std::string as_of(std::string_view name);

// The problem of a variable; one that was noted after it was read comes first. Empty when there is none.
const char* problem_of(const EnvironmentVariable& variable) noexcept;
// Notes a problem with what a variable of the vocabulary configures. problem: stays valid.
void note_problem(std::string_view name, const char* problem) noexcept;
// What was made of the value of a variable, which does not say it by itself. Empty when there is nothing to say.
const char* resolved_of(const EnvironmentVariable& variable) noexcept;
// Notes that. text: stays valid.
void note_resolved(std::string_view name, const char* text) noexcept;

}  // namespace cadastre::internal
#endif
