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
#include "base/accounting.hpp"
#include "base/environment.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "base/process.hpp"
#include "context/all_contexts.hpp"
#include "context/lifetime.hpp"
#include "core/calls.hpp"
#include "core/forks.hpp"
#include "out/black_box.hpp"
#include "out/highest_traces.hpp"
#include "out/joined_traces.hpp"
#include "out/output.hpp"
#include "out/last_report.hpp"
#include "out/report_on.hpp"
#include "out/trace_file.hpp"
#include "out/trace_line.hpp"
#include "out/trace_moments.hpp"

namespace cadastre::internal {

constinit std::atomic<std::uint8_t> recordings = 0;

namespace {

constexpr const char* trace_variable = "CADASTRE_TRACE";

using Clock = std::chrono::steady_clock;

struct Recorder {
  Mutex<Rank::trace> mutex;
  Output trace{trace_variable};
  TraceFile file{trace};  // where the trace is records
  bool lines = false;     // where it is lines
  JoinedTrace joined;
  ProcessMark mark;
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

void end_tracing() noexcept { recordings.fetch_and(static_cast<std::uint8_t>(~to_trace), std::memory_order_relaxed); }

// Null where this process writes no trace.
Recorder* recorder_of_trace() noexcept {
  if (!is_traced()) return nullptr;
  Recorder& own = recorder();
  if (own.mark.is_own()) return &own;
  end_tracing();  // a child that no handler of forks saw would write into its parent's pages
  return nullptr;
}

// A variable that the program has removed from its environment has no effect any more.
bool is_wanted(const char* variable, bool is_set) noexcept { return is_set && std::getenv(variable) != nullptr; }

constinit std::atomic<bool> any_refused = false;

// As reports count them.
void note_refusal(const TraceRecord& record) noexcept {
  const bool asks = record.kind == TraceKind::malloc || record.kind == TraceKind::realloc;
  if (asks && record.result != CADASTRE_SUCCESS) any_refused.store(true, std::memory_order_relaxed);
}

// Of what a failed call was about, the failure knows more than a trace says.
void keep_in_black_box(TraceRecord record, const char* label) noexcept {
  if ((recordings.load(std::memory_order_relaxed) & to_black_box) == 0) return;
  if (!label) label = record.result == CADASTRE_SUCCESS ? text_of(record.traits.label) : failed_last().label.characters;
  if (record.kind == TraceKind::realloc) {
    const cadastre_memory_type type = record.result == CADASTRE_SUCCESS ? -1 : failed_last().type;
    record.type = is_memory_type(type) ? static_cast<std::uint8_t>(type) : no_trace_type;
  }
  keep_event(record, label);
}

std::int64_t time_of_line(const Recorder& own) noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - own.start).count();
}

void put_line(Recorder& own, std::string_view line) noexcept CADASTRE_REQUIRES(own.mutex) {
  if (!own.trace.append_line(line, why_a_trace_stops)) end_tracing();
}

void append_line(Recorder& own, const TraceRecord& record, const char* label) noexcept CADASTRE_REQUIRES(own.mutex) {
  if (!is_traced()) return;  // it has ended while this thread waited
  const TextOfLine written(record, label, this_thread(), time_of_line(own));
  put_line(own, written.text());
}

// label: of a malloc, whose text a line has; null for none.
void append(const TraceRecord& record, const char* label = nullptr) noexcept {
  note_refusal(record);
  keep_in_black_box(record, label);
  Recorder* const own = recorder_of_trace();
  if (!own) return;
  if (!own->lines) {
    if (!own->file.append(record)) end_tracing();
    return;
  }
  const NotCancelled here;
  const Locked lock(own->mutex);
  append_line(*own, record, label);
}

// Of the context, as its creation has it: a count in lines, its handle in records.
std::uint64_t number_of(const ContextLock& lock) noexcept { return lock ? lock->number() : 0; }

// A block as the trace has it.
struct TracedBlock {
  std::int64_t number = 0;
  std::uint64_t context = 0;  // where records need to say it: another than that of the call
};

// Whether the trace has a line that allocated this block at its present address.
bool has_line(const Record& record) noexcept {
  const bool moved = record.state == State::freed && record.stride_or_freed == 0;
  return !record.borrowed() && !(record.flags & CADASTRE_WORKSPACE_MEMORY) && !moved;
}

TracedBlock of_same_context(const Record& record) noexcept { return {static_cast<std::int64_t>(record.serial)}; }

TracedBlock foreign(const void* pointer) noexcept {
  if (!is_traced()) return {-1};
  Recorder& own = recorder();
  const Locked lock(own.mutex);
  const std::int64_t next = -(own.foreigners + 1);
  std::int64_t number = next;  // NOLINT(clang-analyzer-deadcode.DeadStores): it stays where the host has no memory
  try {
    number = own.foreign.try_emplace(pointer, next).first->second;
  } catch (const std::bad_alloc&) {
  }
  if (number == next) ++own.foreigners;
  return {number};
}

// The block of another context around a pointer; number 0 for none.
TracedBlock block_elsewhere(ContextLock& lock, const void* pointer, bool first_byte) noexcept {
  Record record;
  if (lock) lock.unlock();
  const cadastre_context holder = holder_of(pointer, lock.handle(), &record);
  if (lock) lock.relock();
  if (holder == CADASTRE_NULL_CONTEXT || !has_line(record) || (first_byte && record.pointer != pointer)) return {};
  return {static_cast<std::int64_t>(record.serial), recorder().lines ? 0 : static_cast<std::uint64_t>(holder)};
}

TracedBlock block_at(ContextLock& lock, const void* pointer) noexcept {
  if (is_null(pointer)) return {};
  if (lock) {
    for (const std::optional<Record>& record : {lock->registry().at(pointer), lock->registry().freed_at(pointer)}) {
      if (record && has_line(*record)) return of_same_context(*record);
    }
  }
  const TracedBlock other = block_elsewhere(lock, pointer, true);
  return other.number != 0 ? other : foreign(pointer);
}

TraceRecord record_of(TraceKind kind, const ContextLock& lock, const TracedBlock& block, cadastre_exit_code result) noexcept {
  return {.kind = kind, .result = result, .context = number_of(lock), .block = block.number, .block_context = block.context};
}

TracedBlock block_of_side(ContextLock& lock, const void* address, cadastre_reason reason) noexcept {
  if (is_null(address)) return {};
  if (!lock) return block_at(lock, address);
  const auto* const before = static_cast<const std::byte*>(address) - 1;
  std::optional<Record> record = lock->registry().around(address);
  if (!record && reason == CADASTRE_REASON_OUT_OF_BOUNDS) record = lock->registry().around(before);
  if (!record && reason == CADASTRE_REASON_ALREADY_FREED) record = lock->registry().freed_around(address);
  if (record && has_line(*record)) return of_same_context(*record);
  const TracedBlock other = reason == CADASTRE_REASON_OTHER_CONTEXT ? block_elsewhere(lock, address, false) : TracedBlock();
  return other.number != 0 ? other : foreign(address);
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

}  // namespace

namespace {

void append_moment(const TraceMoment& moment) noexcept {
  Recorder* const own = recorder_of_trace();
  if (!own) return;
  if (!own->lines) {
    if (!own->file.append(moment)) end_tracing();
    return;
  }
  const NotCancelled here;
  const Locked lock(own->mutex);
  if (is_traced()) put_line(*own, TextOfMoment(moment, time_of_line(*own)).text());
}

}  // namespace

namespace {

constinit std::atomic<bool> opened = false;
constinit Mutex<Rank::opening> opening;

constinit std::atomic<bool> begun = false;          // a thread opens them, or has
constinit std::atomic<Recorder*> opener = nullptr;  // which may have files
constinit bool forks_are_watched = false;

// What other threads were writing at the fork is not written here.
void leave_them_to_the_parent() noexcept {
  if (!begun) return;
  recordings = 0;
  leave_reports_to_the_parent();
  leave_reports_on_to_the_parent();
  leave_black_box_to_the_parent();
  opened = true;
  Recorder* const own = opener;
  if (!own) return;
  own->mutex.renew();
  own->file.leave_to_the_parent();
  own->trace.close();
}

[[gnu::constructor(101)]] void watch_for_forks() noexcept { forks_are_watched = at_fork(nullptr, nullptr, leave_them_to_the_parent); }

// What the process had at most, of all memory types.
std::uint64_t peak_of_process() noexcept {
  std::uint64_t sum = 0;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) sum += process_account().of(type).most_live();
  return sum;
}

// A handler of signals that ends the process while its thread writes a line leaves the trace without its end.
void end_lines(Recorder& own) noexcept {
  if (locks_of_thread != 0) return;
  const NotCancelled here;
  const Locked lock(own.mutex);
  if (is_traced()) own.trace.append_line(end_of_a_trace, why_a_trace_stops);
}

// One that is not whole, or has a refused request, stays.
void end_trace() noexcept {
  const NotCancelled here;
  Recorder& own = recorder();
  if (!own.mark.is_own()) return;  // a child that no handler of forks saw: its parent goes on
  if (!is_interrupted()) look_at_last_moment();
  const bool joins = own.joined.is_wanted() && is_traced();
  own.lines ? end_lines(own) : own.file.end(joins);
  if (joins) {  // other threads may have seen the end of the file meanwhile
    end_tracing();
    return own.joined.end(own.trace);
  }
  const Environment& settings = environment();
  if (settings.traces_kept == 0 || !own.trace.is_regular() || !own.trace.is_open() || !is_traced() || any_refused) return;
  keep_highest_traces(settings.trace, own.trace.path(), peak_of_process(), settings.traces_kept);
}

bool begin_lines(Output& file) noexcept {
  constexpr const char* failed = "the trace could not be started";
  char head[sizeof(Process) + 768];
  const char* const rank = process().rank;
  int used = std::snprintf(head, sizeof head, "# cadastre %s, process %lld on %s%s%s\n", PACKAGE_VERSION,
                           static_cast<long long>(process_id()), process().host, *rank ? ", rank " : "", rank);
  say_what_runs([&](const char* name, const char* text) {
    used += std::snprintf(head + used, sizeof head - static_cast<std::size_t>(used), "# %s %s\n", name, text);
  });
  return file.append(head, failed) && file.append(promise_of_an_end, failed) && file.append(columns_of_a_trace, failed);
}

bool begin_trace(Recorder& own, const std::string& name) noexcept {
  own.lines = !own.trace.is_regular() || name.ends_with(".csv");
  const std::int64_t start = std::chrono::duration_cast<std::chrono::nanoseconds>(own.start.time_since_epoch()).count();
  return (own.lines ? begin_lines(own.trace) : own.file.begin(start)) && std::atexit(end_trace) == 0;
}

// Who reports by himself keeps what a black box keeps.
bool begin_black_box(const Environment& settings, bool is_named, bool reports_on) noexcept {
  return (is_named && open_black_box(settings.black_box)) || (reports_on && open_black_box(std::string()));
}

struct Wanted {
  bool trace, report, black_box, report_on;
};

void open_trace(Recorder& own, const Environment& settings) {
  const std::string name = own.joined.own_name(settings);
  if (!own.trace.open(name, own.joined.there_before())) return;
  if (begin_trace(own, settings.trace)) {
    recordings |= to_trace;
  } else {
    own.trace.discard();
  }
}

void open_all(const Environment& settings, const Wanted& wanted) {
  if (!forks_are_watched) return;
  Recorder& own = recorder();
  opener = &own;
  own.mark.make();
  own.start = Clock::now();
  if (wanted.trace) open_trace(own, settings);
  if (wanted.report) open_reports(settings.report);
  if (begin_black_box(settings, wanted.black_box, wanted.report_on)) {
    recordings |= to_black_box;
    open_reports_on(wanted.report_on ? settings.report_on : ReportOn());
  }
  if (is_traced()) watch_moments(append_moment);
}

[[gnu::noinline, gnu::cold]] void open_what_is_wanted() {
  const Environment& settings = environment();
  const Wanted wanted = {.trace = is_wanted(trace_variable, !settings.trace.empty()),
                         .report = is_wanted("CADASTRE_REPORT", !settings.report.empty()),
                         .black_box = is_wanted("CADASTRE_BLACKBOX", !settings.black_box.empty()),
                         .report_on = is_wanted("CADASTRE_REPORT_ON", settings.report_on.is_any())};
  if (!wanted.trace && !wanted.report && !wanted.black_box &&
      !wanted.report_on) {  // without the lock, for which a child that is forked at this moment would wait
    opened.store(true, std::memory_order_release);
    return;
  }
  begun = true;
  const Locked lock(opening);
  if (opened) return;
  open_all(settings, wanted);
  opened.store(true, std::memory_order_release);
}

}  // namespace

void open_recordings() {
  if (!opened.load(std::memory_order_acquire)) [[unlikely]]
    open_what_is_wanted();
}

namespace {

// Gives a block the next number of all lines, and writes its line.
void append_line_of(Registry* registry, TraceRecord record, const char* label, const void* pointer) noexcept {
  note_refusal(record);
  keep_in_black_box(record, label);
  Recorder* const own = recorder_of_trace();
  if (!own) return;
  const NotCancelled here;
  const Locked lock(own->mutex);
  if (pointer) record.block = static_cast<std::int64_t>(own->blocks = registry->renumber(pointer, own->blocks + 1));
  append_line(*own, record, label);
}

}  // namespace

bool trace_is_lines() noexcept { return recorder().lines; }

namespace {

thread_local constinit std::uint64_t last_draw = 0;

}  // namespace

[[gnu::noinline]] std::int64_t begin_timed_call() noexcept {
  constexpr std::uint32_t most_between = 127;  // 64 in the mean
  if (last_draw == 0) last_draw = spread(this_thread()) | 1;
  last_draw ^= last_draw << 13;
  last_draw ^= last_draw >> 7;
  last_draw ^= last_draw << 17;
  calls_until_timed = 1 + static_cast<std::uint32_t>(last_draw >> 32) % most_between;
  Recorder& own = recorder();
  return own.lines ? 0 : own.file.time();
}

namespace {

// A refused request may be the first with its label.
OriginNumber stored_label(const char* label) noexcept {
  const std::size_t length = label ? strnlen(label, longest_label + 1) : 0;
  return length == 0 || length > longest_label ? no_origin : origin_of({label, length});
}

}  // namespace

void record_malloc(LookUp& call, const cadastre_memory_info_struct& info, const void* pointer, std::int64_t entered) noexcept {
  TraceRecord record = record_of(TraceKind::malloc, call, {}, call.result);
  record.type = is_memory_type(info.type) ? static_cast<std::uint8_t>(info.type) : no_trace_type;
  record.size = info.size;
  record.entered = entered;
  const bool lines = traces_lines();
  if (!pointer && is_traced() && !lines) record.traits.label = stored_label(info.label);
  if (pointer) {
    const Record block = *call->registry().at(pointer);
    record.block = of_same_context(block).number;
    record.traits = {.label = block.origin,
                     .device = static_cast<std::int16_t>(block.device),
                     .backend = static_cast<std::uint8_t>(block.backend),
                     .alignment_log2 = static_cast<std::uint8_t>(std::countr_zero(block.alignment()))};
  }
  if (lines) return append_line_of(pointer ? &call->registry() : nullptr, record, info.label, pointer);
  append(record, info.label);
}

namespace {

template <class Make>
[[gnu::noinline, gnu::cold]] void append_made(Make make, std::int64_t entered) noexcept {
  TraceRecord record = make();
  record.entered = entered;
  append(record);
}

// What succeeded in a slab. make: gives the record, so that the usual way has no more of it than its words. early: only the creation of its context has to
// come before it.
template <class Make>
[[gnu::always_inline]] inline void append_in_slab(Make make, std::int64_t entered, bool early) noexcept {
  Recorder& own = recorder();
  if (recordings.load(std::memory_order_relaxed) != to_trace || own.lines || entered != 0 || !own.mark.is_own()) [[unlikely]]
    return append_made(make, entered);
  const TraceRecord record = make();
  if (!own.file.append(words_of(record), record.context, record.traits.label, early)) [[unlikely]]
    end_tracing();
}

}  // namespace

void record_malloc_in_slab(cadastre_context context, std::size_t size, std::uint64_t traits, const void* pointer,
                           std::int64_t entered) noexcept {
  const std::uint64_t number = number_in_slab(context, pointer);
  const auto make = [=]() noexcept -> TraceRecord {
    return {.kind = TraceKind::malloc,
            .type = CADASTRE_HOST,
            .context = static_cast<std::uint64_t>(context),
            .block = static_cast<std::int64_t>(number),
            .size = size,
            .traits = {.label = BlockWord::label(traits),
                       .device = no_device_id,
                       .backend = CADASTRE_BACKEND_HOST,
                       .alignment_log2 = static_cast<std::uint8_t>(BlockWord::alignment_log2(traits))}};
  };
  append_in_slab(make, entered, true);
}

void record_malloc_alone(cadastre_context context, const cadastre_memory_info_struct& info) noexcept {
  append({.kind = TraceKind::malloc, .type = CADASTRE_HOST, .context = static_cast<std::uint64_t>(context), .size = info.size}, info.label);
}

void record_free(LookUp& call, const void* pointer, std::uint64_t serial, std::int64_t entered) noexcept {
  const TracedBlock block = serial != 0 ? TracedBlock{static_cast<std::int64_t>(serial)} : block_at(call, pointer);
  TraceRecord record = record_of(TraceKind::free, call, block, call.result);
  record.entered = entered;
  append(record);
}

void record_free_in_slab(cadastre_context context, std::uint64_t number, std::int64_t entered) noexcept {
  const auto make = [=]() noexcept -> TraceRecord {
    return {.kind = TraceKind::free, .context = static_cast<std::uint64_t>(context), .block = static_cast<std::int64_t>(number)};
  };
  append_in_slab(make, entered, false);
}

void record_free_of(ContextLock& lock, const Record& block, cadastre_exit_code code) noexcept {
  append(record_of(TraceKind::free, lock, of_same_context(block), code));
}

void record_realloc(LookUp& call, const void* pointer, std::size_t size, const void* resized, std::int64_t entered) noexcept {
  TraceRecord record =
      record_of(TraceKind::realloc, call, block_at(call, call.result == CADASTRE_SUCCESS ? resized : pointer), call.result);
  record.size = size;
  record.entered = entered;
  append(record);
}

void record_info(LookUp& call, const void* pointer) noexcept {
  if (call.result == CADASTRE_INVALID_ARG_3) return;  // a replay always passes an output argument
  std::size_t size = 0;
  if (call.result == CADASTRE_SUCCESS) {
    const Record found = *call->registry().at(pointer);
    if (!has_line(found)) return;
    size = found.size;
  }
  TraceRecord record = record_of(TraceKind::info, call, block_at(call, pointer), call.result);
  record.size = size;
  append(record);
}

void record_info_in_slab(cadastre_context context, const void* pointer, const cadastre_memory_info_struct& info) noexcept {
  if (info.flags & CADASTRE_WORKSPACE_MEMORY) return;
  append({.kind = TraceKind::info,
          .context = static_cast<std::uint64_t>(context),
          .block = static_cast<std::int64_t>(number_in_slab(context, pointer)),
          .size = info.size});
}

void record_copy(LookUp& call, const CopyOrder& order, std::int64_t entered) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(order.width, order.count, &bytes)) bytes = SIZE_MAX;
  const bool done = call.result == CADASTRE_SUCCESS;
  if (done && bytes == 0) return;
  const Failure* const failure = done ? nullptr : &failed_last();
  const cadastre_reason reason = failure ? failure->reason : CADASTRE_REASON_NONE;
  const TracedBlock to = block_of_side(call, order.to, reason);
  TracedBlock from = block_of_side(call, order.from, reason);
  const bool within_one_block = to.number == from.number && to.context == from.context && to.number > 0;
  if (!has_form(reason)) return;
  if (done && within_one_block) from = foreign(order.from);
  if (reason == CADASTRE_REASON_OUT_OF_BOUNDS) {
    bytes = to.number < 0 || from.number < 0 ? failure->size + 1 : sum_or_most(failure->requested, failure->offset);
  }
  TraceRecord record = record_of(TraceKind::copy, call, to, call.result);
  record.source = from.number;
  record.source_context = from.context;
  record.size = bytes;
  record.entered = entered;
  append(record);
}

void record_create(cadastre_context created, cadastre_exit_code code) noexcept {
  const NotCancelled here;
  Recorder& own = recorder();
  std::optional<ContextLock> lock;
  if (code == CADASTRE_SUCCESS) lock.emplace(created);
  if (!own.lines) {
    const auto handle = static_cast<std::uint64_t>(created);
    if (lock && *lock) (*lock)->set_number(handle);
    return append({.kind = TraceKind::create, .result = code, .context = handle});
  }
  const Locked own_lock(own.mutex);
  const TraceRecord record = {.kind = TraceKind::create, .result = code, .context = ++own.contexts};
  if (lock && *lock) (*lock)->set_number(record.context);
  keep_in_black_box(record, nullptr);
  append_line(own, record, nullptr);
}

void record_destroy(std::uint64_t number, cadastre_exit_code code) noexcept {
  if (code == CADASTRE_FAILURE && failed_last().reason == CADASTRE_REASON_CALLED_FROM_OPERATION) return;  // a replay is never inside one
  append({.kind = TraceKind::destroy, .result = code, .context = number});
}

}  // namespace cadastre::internal
