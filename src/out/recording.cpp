// Tangled from org/out/recording.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/recording.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "config.h"
#include "base/environment.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "base/process.hpp"
#include "context/all_contexts.hpp"
#include "context/lifetime.hpp"
#include "core/forks.hpp"
#include "out/output.hpp"
#include "out/failed_creations.hpp"
#include "out/report.hpp"
#include "out/trace_line.hpp"

namespace cadastre::internal {

constinit std::atomic<bool> tracing = false, reporting = false;

namespace {

constexpr const char* trace_variable = "CADASTRE_TRACE";
constexpr const char* report_variable = "CADASTRE_REPORT";

using Clock = std::chrono::steady_clock;

struct Recorder {
  Mutex<Rank::trace> mutex;
  Output trace{trace_variable};
  Mutex<Rank::report> report_mutex;
  Output report{report_variable};
  std::int64_t reported_creations CADASTRE_GUARDED_BY(report_mutex) = 0;  // that failed, and that a report has listed
  cadastre_report_format format = CADASTRE_REPORT_TEXT;
  Clock::time_point start = Clock::now();
  std::uint64_t contexts CADASTRE_GUARDED_BY(mutex) = 0;  // the last number that one got
  std::uint64_t blocks CADASTRE_GUARDED_BY(mutex) = 0;
  std::int64_t foreigners CADASTRE_GUARDED_BY(mutex) = 0;
  std::unordered_map<const void*, std::int64_t> foreign CADASTRE_GUARDED_BY(mutex);
};

Recorder& recorder() {
  static Recorder& only = *new Recorder;
  return only;
}

// A variable that the program has removed from its environment has no effect any more.
bool is_wanted(const char* variable, const std::string& value) noexcept { return !value.empty() && std::getenv(variable) != nullptr; }

void append(Recorder& own, const TraceLine& line) noexcept CADASTRE_REQUIRES(own.mutex) {
  if (!is_traced()) return;  // it has ended while this thread waited
  const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - own.start).count();
  const TextOfLine written(line, this_thread(), now);
  if (!own.trace.append_line(written.text(), "the trace ends before the program")) tracing = false;
}

void append(const TraceLine& line) noexcept {
  const NotCancelled here;
  Recorder& own = recorder();
  const Locked lock(own.mutex);
  append(own, line);
}

std::uint64_t number_of(const ContextLock& lock) noexcept { return lock ? lock->number() : 0; }

// Whether the trace has a line that allocated this block at its present address.
bool has_line(const Record& record) noexcept {
  const bool moved = record.state == State::freed && record.stride_or_freed == 0;
  return !record.borrowed() && !(record.flags & CADASTRE_WORKSPACE_MEMORY) && !moved;
}

std::int64_t foreign(const void* pointer) noexcept {
  Recorder& own = recorder();
  const Locked lock(own.mutex);
  const std::int64_t next = -(own.foreigners + 1);
  std::int64_t number = next;  // NOLINT(clang-analyzer-deadcode.DeadStores): it stays where the host has no memory
  try {
    number = own.foreign.try_emplace(pointer, next).first->second;
  } catch (const std::bad_alloc&) {
  }
  if (number == next) ++own.foreigners;
  return number;
}

// The block of another context around a pointer; 0 for none.
std::int64_t number_elsewhere(ContextLock& lock, const void* pointer, bool first_byte) noexcept {
  Record record;
  if (lock) lock.unlock();
  const bool found = holder_of(pointer, lock.handle(), &record) != CADASTRE_NULL_CONTEXT;
  if (lock) lock.relock();
  if (!found || !has_line(record) || (first_byte && record.pointer != pointer)) return 0;
  return static_cast<std::int64_t>(record.serial);
}

std::int64_t number_of(ContextLock& lock, const void* pointer) noexcept {
  if (is_null(pointer)) return 0;
  if (lock) {
    for (const std::optional<Record>& record : {lock->registry().at(pointer), lock->registry().freed_at(pointer)}) {
      if (record && has_line(*record)) return static_cast<std::int64_t>(record->serial);
    }
  }
  const std::int64_t other = number_elsewhere(lock, pointer, true);
  return other != 0 ? other : foreign(pointer);
}

std::int64_t number_of_side(ContextLock& lock, const void* address, cadastre_reason reason) noexcept {
  if (is_null(address)) return 0;
  if (!lock) return number_of(lock, address);
  const auto* const before = static_cast<const std::byte*>(address) - 1;
  std::optional<Record> record = lock->registry().around(address);
  if (!record && reason == CADASTRE_REASON_OUT_OF_BOUNDS) record = lock->registry().around(before);
  if (!record && reason == CADASTRE_REASON_ALREADY_FREED) record = lock->registry().freed_around(address);
  if (record && has_line(*record)) return static_cast<std::int64_t>(record->serial);
  const std::int64_t other = reason == CADASTRE_REASON_OTHER_CONTEXT ? number_elsewhere(lock, address, false) : 0;
  return other != 0 ? other : foreign(address);
}

// Whether a copy that failed for this reason fails for it in a replay, too, or may.
bool has_form(cadastre_reason reason) noexcept {
  switch (reason) {
    case CADASTRE_REASON_NOT_REGISTERED:
    case CADASTRE_REASON_RUNS_INTO_BLOCK:
    case CADASTRE_REASON_SIZE_OVERFLOW:
    case CADASTRE_REASON_COUNT_OVERFLOW:
    case CADASTRE_REASON_STRIDE_TOO_SMALL:
    case CADASTRE_REASON_RANGES_OVERLAP: return false;
    default: return true;
  }
}

std::size_t sum_or_most(std::size_t a, std::size_t b) noexcept { return sum_wraps(a, b) ? SIZE_MAX : a + b; }

// A text that can be written to like a file.
class Memory : NonCopyable {
 public:
  Memory() : stream_(open_memstream(&text_, &length_)) {
    if (!stream_) throw std::bad_alloc();
  }
  ~Memory() {
    std::fclose(stream_);
    std::free(text_);
  }
  std::FILE* stream() noexcept { return stream_; }
  // After the stream was flushed.
  std::string_view text() const noexcept { return {text_, length_}; }

 private:
  char* text_ = nullptr;
  std::size_t length_ = 0;
  std::FILE* stream_;
};

// Removes the line breaks, which JSON has only between its tokens, with the indentation that follows them.
std::string on_one_line(std::string_view json) {
  std::string line;
  line.reserve(json.size());
  for (std::size_t at = 0; at < json.size(); ++at) {
    if (json[at] != '\n') {
      line += json[at];
    } else {
      while (at + 1 < json.size() && json[at + 1] == ' ') ++at;
    }
  }
  return line;
}

constexpr const char* no_report = "a report could not be written";

// Only the report can fail. holdings: null for that of the process.
void append_report(const Holdings* holdings) noexcept {
  const int before = errno;
  Recorder& own = recorder();
  try {
    const std::int64_t reported = failed_creations();
    Memory memory;
    if (write_report(holdings, environment(), memory.stream(), own.format) != CADASTRE_SUCCESS) {
      throw std::bad_alloc();
    }
    const bool json = own.format == CADASTRE_REPORT_JSON;
    const std::string report = (json ? on_one_line(memory.text()) : std::string(memory.text())) + '\n';
    const Locked lock(own.report_mutex);
    own.report.append(report, no_report);
    own.reported_creations = std::max(own.reported_creations, reported);
  } catch (const std::bad_alloc&) {
    own.report.note_failure(ENOMEM, no_report);
  }
  errno = before;
}

// Whether no creation has failed since the last report.
bool creations_are_reported() noexcept {
  Recorder& own = recorder();
  const Locked lock(own.report_mutex);
  return own.reported_creations == failed_creations();
}

}  // namespace

void report_last(const Holdings* holdings) noexcept {
  holdings ? append_report(holdings) : recorder().report.note_failure(ENOMEM, no_report);
}

namespace {

constinit std::atomic<bool> opened = false;
constinit Mutex<Rank::opening> opening;

constinit std::atomic<bool> begun = false;          // a thread opens them, or has
constinit std::atomic<Recorder*> opener = nullptr;  // which may have files
constinit bool forks_are_watched = false;

// What other threads were writing at the fork is not written here.
void leave_them_to_the_parent() noexcept {
  if (!begun) return;
  tracing = false;
  reporting = false;
  opened = true;
  Recorder* const own = opener;
  if (!own) return;
  own->mutex.renew();
  own->report_mutex.renew();
  own->trace.close();
  own->report.close();
}

[[gnu::constructor(101)]] void watch_for_forks() noexcept { forks_are_watched = at_fork(nullptr, nullptr, leave_them_to_the_parent); }

// Contexts that are destroyed even later, by static objects older than the first of them, are reported here.
void report_what_is_left() noexcept {
  const NotCancelled here;
  if (!reporting.exchange(false)) return;
  for_each_context(report_last);
  if (!creations_are_reported()) append_report(nullptr);
}

bool begin_trace(Output& file) noexcept {
  char head[1024];
  const char* const rank = process().rank;
  std::snprintf(head, sizeof head, "# cadastre %s, process %lld on %s%s%s\n", PACKAGE_VERSION, static_cast<long long>(process_id()),
                process().host, *rank ? ", rank " : "", rank);
  return file.append(head, "the trace could not be started") && file.append(columns_of_a_trace, "the trace could not be started");
}

void open_both(const Environment& settings, bool trace, bool report) {
  if (!forks_are_watched) return;
  Recorder& own = recorder();
  opener = &own;
  own.format = settings.report.ends_with(".json") ? CADASTRE_REPORT_JSON : CADASTRE_REPORT_TEXT;
  own.start = Clock::now();
  if (trace && own.trace.open(settings.trace)) tracing = begin_trace(own.trace);
  const bool opened = report && own.report.open(settings.report == "stderr" ? "/dev/stderr" : settings.report);
  reporting = opened && std::atexit(report_what_is_left) == 0;
}

}  // namespace

void open_recordings() {
  if (opened.load(std::memory_order_acquire)) return;
  const Environment& settings = environment();
  const bool trace = is_wanted(trace_variable, settings.trace), report = is_wanted(report_variable, settings.report);
  if (!trace && !report) {  // without the lock, for which a child that is forked at this moment would wait
    opened.store(true, std::memory_order_release);
    return;
  }
  begun = true;
  const Locked lock(opening);
  if (opened) return;
  open_both(settings, trace, report);
  opened.store(true, std::memory_order_release);
}

void trace_malloc(LookUp& call, const cadastre_memory_info_struct& info, const void* pointer) noexcept {
  const NotCancelled here;
  Recorder& own = recorder();
  const Locked lock(own.mutex);
  TraceLine line{.operation = "malloc", .context = number_of(call), .size = info.size, .label = info.label, .result = call.result};
  if (is_memory_type(info.type)) line.type = cadastre_string_of_memory_type(info.type);
  if (pointer) {
    own.blocks = call->registry().renumber(pointer, own.blocks + 1);
    line.block = static_cast<std::int64_t>(own.blocks);
  }
  append(own, line);
}

void trace_free(LookUp& call, const void* pointer, std::uint64_t serial) noexcept {
  const std::int64_t block = serial != 0 ? static_cast<std::int64_t>(serial) : number_of(call, pointer);
  append({.operation = "free", .context = number_of(call), .block = block, .result = call.result});
}

void trace_free_of(ContextLock& lock, const Record& block, cadastre_exit_code code) noexcept {
  append({.operation = "free", .context = number_of(lock), .block = static_cast<std::int64_t>(block.serial), .result = code});
}

void trace_realloc(LookUp& call, const void* pointer, std::size_t size, const void* resized) noexcept {
  const std::int64_t block = number_of(call, call.result == CADASTRE_SUCCESS ? resized : pointer);
  append({.operation = "realloc", .context = number_of(call), .block = block, .size = size, .result = call.result});
}

void trace_info(LookUp& call, const void* pointer) noexcept {
  if (call.result == CADASTRE_INVALID_ARG_3) return;  // a replay always passes an output argument
  TraceLine line{.operation = "info", .context = number_of(call), .result = call.result};
  if (call.result == CADASTRE_SUCCESS) {
    const Record found = *call->registry().at(pointer);
    if (!has_line(found)) return;
    line.size = found.size;
  }
  line.block = number_of(call, pointer);
  append(line);
}

void trace_copy(LookUp& call, const CopyOrder& order) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(order.width, order.count, &bytes)) bytes = SIZE_MAX;
  const bool done = call.result == CADASTRE_SUCCESS;
  if (done && bytes == 0) return;
  const Failure* const failure = done ? nullptr : &failed_last();
  const cadastre_reason reason = failure ? failure->reason : CADASTRE_REASON_NONE;
  const std::int64_t to = number_of_side(call, order.to, reason);
  std::int64_t from = number_of_side(call, order.from, reason);
  const bool within_one_block = to == from && to > 0;
  if (!has_form(reason)) return;
  if (done && within_one_block) from = foreign(order.from);
  if (reason == CADASTRE_REASON_OUT_OF_BOUNDS) {
    bytes = to < 0 || from < 0 ? failure->size + 1 : sum_or_most(failure->requested, failure->offset);
  }
  append({.operation = "copy", .context = number_of(call), .block = to, .source = from, .size = bytes, .result = call.result});
}

void trace_create(cadastre_context created, cadastre_exit_code code) noexcept {
  Recorder& own = recorder();
  std::optional<ContextLock> lock;
  if (code == CADASTRE_SUCCESS) lock.emplace(created);
  const Locked own_lock(own.mutex);
  const std::uint64_t number = ++own.contexts;
  if (lock && *lock) (*lock)->set_number(number);
  append(own, {.operation = "create", .context = number, .result = code});
}

void trace_destroy(std::uint64_t number, cadastre_exit_code code) noexcept {
  if (code == CADASTRE_FAILURE && failed_last().reason == CADASTRE_REASON_CALLED_FROM_OPERATION) return;  // a replay is never inside one
  append({.operation = "destroy", .context = number, .result = code});
}

}  // namespace cadastre::internal
