// Tangled from org/base/environment.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/environment.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <charconv>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <utility>

#include "base/process.hpp"
#include "cadastre.h"

namespace cadastre::internal {
namespace {

constexpr std::string_view prefix = "CADASTRE_";

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

bool set_backend(std::string_view value, Environment& environment) {
  if (value == "auto") return true;
  const auto rows = backend_rows();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const BackendRow& one) { return value == one.name; });
  if (row == rows.end()) return false;
  environment.backend = row->number;
  return true;
}

// The place in a list of a memory type that is named; null for no name.
template <class Value>
Value* place_of(std::string_view name, std::array<Value, memory_types>& list) {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (name == cadastre_string_of_memory_type(type)) return &list[static_cast<std::size_t>(type)];
  }
  return nullptr;
}

template <class Value>
Value* place_of(std::string_view name, PerLimit<Value>& list) {
  for (const cadastre_memory_type type : limited_types) {
    if (name == cadastre_string_of_memory_type(type)) return &list[type];
  }
  return nullptr;
}

// TYPE=VALUE, or VALUE alone, which is for set_all; that returns whether VALUE alone is valid.
template <class List, class Parse, class SetAll>
bool set_item(std::string_view item, List& list, Parse parse, SetAll set_all) {
  const std::size_t equals = item.find('=');
  const bool typed = equals != std::string_view::npos;
  const auto value = parse(typed ? item.substr(equals + 1) : item);
  if (!value) return false;
  if (!typed) return set_all(*value);
  auto* const place = place_of(item.substr(0, equals), list);
  if (place) *place = *value;
  return place != nullptr;
}

template <class Value, class Parse, class SetAll>
bool set_items(std::string_view value, std::array<Value, memory_types>& list, Parse parse, SetAll set_all) {
  return for_each_item(value, [&](std::string_view item) { return set_item(item, list, parse, set_all); });
}

bool take_suffix(std::string_view& text, std::string_view end) noexcept {
  const bool there = text.ends_with(end);
  if (there) text.remove_suffix(end.size());
  return there;
}

// A number before a percent sign; none for anything else, and for more than most.
std::optional<std::size_t> parse_percent(std::string_view text, std::size_t most) noexcept {
  if (!take_suffix(text, "%")) return std::nullopt;
  const bool plain = !text.empty() && text.back() >= '0' && text.back() <= '9';
  const std::optional<std::size_t> percent = plain ? parse_bytes(text) : std::nullopt;
  return percent && *percent <= most ? percent : std::nullopt;
}

// To allow nothing is a word, since 0 means the default wherever a program sets a limit.
std::optional<LimitValue> parse_limit(std::string_view text) noexcept {
  if (text == "unlimited") return LimitValue{};
  if (text == "nothing") return LimitValue{.bytes = 0};
  LimitValue limit{.per_rank = take_suffix(text, "/ranks")};
  const bool is_share = text.ends_with('%');
  const std::optional<std::size_t> amount = is_share ? parse_percent(text, 100) : parse_bytes(text);
  if (!amount || *amount == 0) return std::nullopt;
  (is_share ? limit.percent : limit.bytes) = *amount;
  return limit;
}

// Only devices have ranks; all memory types together may be those of one.
bool set_one_limit(std::string_view item, PerLimit<LimitValue>& limits) {
  return set_item(item, limits, parse_limit, [](const LimitValue&) { return false; }) && !limits[CADASTRE_HOST].per_rank &&
         !limits[CADASTRE_PINNED].per_rank;
}

bool set_limit(std::string_view value, Environment& environment) {
  return for_each_item(value, [&](std::string_view item) {
    const bool of_process = take_prefix(item, "process:");
    (of_process ? environment.limits_process : environment.limits_contexts) = true;
    return set_one_limit(item, of_process ? environment.process_limits : environment.limits);
  });
}

std::optional<std::size_t> parse_within(std::string_view text, std::size_t least, std::size_t most) noexcept {
  const std::optional<std::size_t> number = parse_bytes(text);
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

bool set_ranks_per_device(std::string_view value, Environment& environment) {
  const std::optional<std::size_t> number = parse_within(value, 1, most_local_ranks);
  if (!number) return false;
  environment.ranks.given = static_cast<int>(*number);
  return true;
}

bool set_emulated_devices(std::string_view value, Environment& environment) {
  const std::optional<std::size_t> number = parse_within(value, 0, 16);
  if (!number) return false;
  environment.emulated_devices = static_cast<std::int32_t>(*number);
  return true;
}

bool set_out_of_memory_wait(std::string_view value, Environment& environment) {
  const std::optional<std::size_t> number = parse_within(value, 0, 3'600'000);
  if (!number) return false;
  environment.out_of_memory_wait = std::chrono::milliseconds(*number);
  return true;
}

std::optional<cadastre_pool> parse_pool(std::string_view text) {
  if (text == "none") return CADASTRE_POOL_NONE;
  if (text == "vendor") return CADASTRE_POOL_VENDOR;
  if (text == "caching") return CADASTRE_POOL_CACHING;
  return std::nullopt;
}

std::optional<PoolKeep> parse_keep(std::string_view text) {
  if (text == "all") return PoolKeep{PoolKeep::all, 0};
  const bool percent = text.ends_with('%');
  const std::optional<std::size_t> amount = percent ? parse_percent(text, most_percent) : parse_bytes(text);
  if (!amount) return std::nullopt;
  return PoolKeep{percent ? PoolKeep::percent : PoolKeep::bytes, *amount};
}

bool set_pool_release_threshold(std::string_view value, Environment& environment) {
  return set_items(value, environment.pool_keep, parse_keep, [&](const PoolKeep& keep) { return environment.pool_keep.fill(keep), true; });
}

bool set_pool_thread_cache(std::string_view value, Environment& environment) {
  const std::optional<std::size_t> bytes = parse_within(value, 0, UINT32_MAX);
  if (!bytes) return false;
  environment.pool_thread_cache = *bytes;
  return true;
}

bool set_pool(std::string_view value, Environment& environment) {
  return set_items(value, environment.pool, parse_pool, [&](cadastre_pool pool) { return environment.pool.fill(pool), true; });
}

bool set_heap(std::string_view value, Environment& environment) {
  if (value == "on") environment.heap = true;
  if (value == "off") environment.heap = false;
  return value == "on" || value == "off" || value == "auto";
}

std::optional<std::size_t> parse_workspace_size(std::string_view text) {
  if (text == "automatic") return CADASTRE_WORKSPACE_AUTOMATIC;
  if (text == "stream-ordered") return CADASTRE_WORKSPACE_STREAM_ORDERED;
  if (text == "per-lease") return CADASTRE_WORKSPACE_PER_LEASE;
  const std::optional<std::size_t> bytes = parse_bytes(text);
  if (bytes == 0) return CADASTRE_WORKSPACE_AUTOMATIC;
  return bytes && *bytes <= PTRDIFF_MAX ? bytes : std::nullopt;
}

bool set_workspace_size(std::string_view value, Environment& environment) {
  return set_items(value, environment.workspace_sizes, parse_workspace_size,
                   [&](std::size_t size) { return environment.default_workspace_size = size, true; });
}

// "-", which other programs take for their standard output or input, would be the name of a file here.
bool set_output(std::string_view value, std::string& file) {
  file = value;
  return !value.empty() && value != "-";
}

bool set_trace_keep(std::string_view value, Environment& environment) {
  const std::optional<std::size_t> number = parse_within(value, 1, 1'000'000);
  if (!number) return false;
  environment.traces_kept = *number;
  return true;
}

bool set_trace_join(std::string_view value, Environment& environment) {
  environment.traces_joined = value == "on";
  return value == "on" || value == "off";
}

bool set_trace(std::string_view value, Environment& environment) { return set_output(value, environment.trace); }
bool set_report(std::string_view value, Environment& environment) { return set_output(value, environment.report); }
bool set_blackbox(std::string_view value, Environment& environment) { return set_output(value, environment.black_box); }
bool set_report_on(std::string_view value, Environment& environment) {
  const std::optional<ReportOn> on = parse_report_on(value);
  if (on) environment.report_on = *on;
  return on.has_value();
}
bool set_log_file(std::string_view value, Environment& environment) { return set_output(value, environment.notes); }

bool set_fail(std::string_view value, Environment& environment) {
  std::optional<std::vector<FailRule>> rules = parse_fail_rules(value);
  if (rules) environment.fail_rules = std::move(*rules);
  return rules.has_value();
}

struct Setter {
  std::string_view name;
  bool (*set)(std::string_view value, Environment& environment);
};

constexpr Setter setters[] = {
    {"CADASTRE_BACKEND", set_backend},
    {"CADASTRE_EMULATED_DEVICES", set_emulated_devices},
    {"CADASTRE_LIMIT", set_limit},
    {"CADASTRE_RANKS_PER_DEVICE", set_ranks_per_device},
    {"CADASTRE_POOL", set_pool},
    {"CADASTRE_POOL_RELEASE_THRESHOLD", set_pool_release_threshold},
    {"CADASTRE_POOL_THREAD_CACHE", set_pool_thread_cache},
    {"CADASTRE_OUT_OF_MEMORY_WAIT", set_out_of_memory_wait},
    {"CADASTRE_HEAP", set_heap},
    {"CADASTRE_WORKSPACE_SIZE", set_workspace_size},
    {"CADASTRE_TRACE", set_trace},
    {"CADASTRE_TRACE_KEEP", set_trace_keep},
    {"CADASTRE_TRACE_JOIN", set_trace_join},
    {"CADASTRE_REPORT", set_report},
    {"CADASTRE_BLACKBOX", set_blackbox},
    {"CADASTRE_REPORT_ON", set_report_on},
    {"CADASTRE_LOG_FILE", set_log_file},
    {"CADASTRE_FAIL", set_fail},
};

void read_known(const EnvironmentRow& row, const char* const* strings, Files files, Environment& environment) {
  EnvironmentVariable variable{row.name, std::nullopt, &row, ""};
  const std::size_t length = std::strlen(row.name);
  for (; *strings; ++strings) {
    if (std::strncmp(*strings, row.name, length) == 0 && (*strings)[length] == '=') {
      variable.value = *strings + length + 1;
      break;
    }
  }
  const auto* const setter = std::find_if(std::begin(setters), std::end(setters), [&](const Setter& one) { return one.name == row.name; });
  const bool names_library = setter == std::end(setters);
  assert(!names_library || *row.risk);
  if (variable.value && *row.risk && files == Files::not_read) {
    variable.problem = variable.name + " " + row.risk +
                       " and is ignored: this program has privileges that its caller may lack "
                       "(a set-user-id or set-group-id bit, or capabilities)";
  } else if (variable.value && (names_library ? variable.value->empty() : !setter->set(*variable.value, environment))) {
    const std::string shown = variable.value->size() <= 60 ? *variable.value : variable.value->substr(0, 60) + "...";
    variable.problem = variable.name + "=" + shown + " is malformed; it must be " + row.expected;
    if (environment.malformed.empty()) environment.malformed = variable.problem;
  }
  environment.variables.push_back(std::move(variable));
}

void read_unknown(std::string_view string, Environment& environment) {
  const std::size_t equals = std::min(string.find('='), string.size());
  const std::string name(string.substr(0, equals));
  const auto rows = environment_rows();
  if (row_of_variable(name)) return;
  const auto closest = std::min_element(rows.begin(), rows.end(), [&](const EnvironmentRow& a, const EnvironmentRow& b) {
    return distance(name, a.name) < distance(name, b.name);
  });
  EnvironmentVariable variable{name, std::nullopt, nullptr, name + " is not a variable of this library"};
  if (equals < string.size()) variable.value = std::string(string.substr(equals + 1));
  if (distance(name, closest->name) <= 3) variable.problem += std::string("; did you mean ") + closest->name + "?";
  environment.variables.push_back(std::move(variable));
}

}  // namespace

std::size_t PoolKeep::most(std::size_t high_water_mark) const noexcept {
  if (of == all) return SIZE_MAX;
  if (of == bytes) return amount;
  if (high_water_mark > SIZE_MAX / most_percent) return SIZE_MAX;
  return high_water_mark * amount / 100;
}

std::string_view Environment::library(std::string_view variable) const noexcept {
  for (const EnvironmentVariable& one : variables) {
    if (one.name == variable && one.value && one.problem.empty()) return *one.value;
  }
  return {};
}

std::string as_of(std::string_view name) {
  for (const EnvironmentVariable& variable : environment().variables) {
    if (variable.name == name && variable.value)
      return "; set by " + variable.name + "=" + variable.value->substr(0, 60) + " in the environment";
  }
  return {};
}

namespace {

// Which of several ranks this process is, where a limit depends on that.
void read_ranks(const char* const* strings, Files files, Environment& environment) noexcept {
  const auto any = [](const PerLimit<LimitValue>& limits) {
    return std::any_of(limits.begin(), limits.end(), [](const LimitValue& limit) { return limit.per_rank; });
  };
  if (!any(environment.limits) && !any(environment.process_limits)) return;
  const int given = environment.ranks.given;
  environment.ranks = read_rank_identity(strings, files == Files::as_named);
  environment.ranks.given = given;
}

}  // namespace

Environment read_environment(const char* const* strings, Files files) {
  static constexpr const char* none[] = {nullptr};
  if (!strings) strings = none;
  Environment result;
  result.pool.fill(CADASTRE_POOL_NONE);
  result.workspace_sizes.fill(CADASTRE_WORKSPACE_AUTOMATIC);
  for (const EnvironmentRow& row : environment_rows()) read_known(row, strings, files, result);
  read_ranks(strings, files, result);
  for (; *strings; ++strings) {
    if (std::string_view(*strings).starts_with(prefix)) read_unknown(*strings, result);
  }
  return result;
}

namespace {

constexpr std::size_t most_variables = 32;
using Noted = std::array<std::atomic<const char*>, most_variables>;
constinit Noted problems{}, resolved{};

std::size_t number_of(const EnvironmentRow& row) noexcept {
  return std::min(static_cast<std::size_t>(&row - environment_rows().data()), most_variables - 1);
}

void note(Noted& of, std::string_view name, const char* text) noexcept {
  const EnvironmentRow* const row = row_of_variable(name);
  if (row) of[number_of(*row)].store(text, std::memory_order_release);
}

const char* noted(const Noted& of, const EnvironmentVariable& variable) noexcept {
  return variable.row ? of[number_of(*variable.row)].load(std::memory_order_acquire) : nullptr;
}

}  // namespace

const char* problem_of(const EnvironmentVariable& variable) noexcept {
  const char* const late = noted(problems, variable);
  return late ? late : variable.problem.c_str();
}

const char* resolved_of(const EnvironmentVariable& variable) noexcept {
  if (variable.name == "CADASTRE_FAIL") return fail_effect();
  const char* const text = noted(resolved, variable);
  return text ? text : "";
}

void note_problem(std::string_view name, const char* problem) noexcept { note(problems, name, problem); }
void note_resolved(std::string_view name, const char* text) noexcept { note(resolved, name, text); }

// Never destroyed: static objects may create contexts while the process ends. No lock is held while it is read, for which a
// child process that is forked at this moment would wait: of several threads that come first, one keeps what it read.
constinit std::atomic<const Environment*> known_environment = nullptr;

const Environment& first_environment() {
  const Environment* first = nullptr;
  const Files files = getauxval(AT_SECURE) == 0 ? Files::as_named : Files::not_read;
  auto read = std::make_unique<const Environment>(read_environment(environ, files));
  if (!known_environment.compare_exchange_strong(first, read.get())) return *first;
  const Environment& result = *read.release();
  arm(result.fail_rules);
  return result;
}

bool is_heap_wanted() noexcept try {
  static const bool wanted = environment().heap.value_or(!has_memory_checker());
  return wanted;
} catch (const std::bad_alloc&) {
  return false;
}

}  // namespace cadastre::internal
