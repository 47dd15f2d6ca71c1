// Tangled from org/recording.org; change the chapter, then run: make tangle
#include "recording.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "config.h"
#include "entry.hpp"
#include "environment.hpp"
#include "report.hpp"

namespace cadastre::internal {

constinit std::atomic<bool> tracing = false, reporting = false;

namespace {

constexpr const char* trace_variable = "CADASTRE_TRACE";
constexpr const char* report_variable = "CADASTRE_REPORT";

// Holds off the signal that says that nobody reads a pipe any more.
class NoPipeSignal {
 public:
  NoPipeSignal() noexcept {
    sigset_t pending;
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGPIPE);
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;
  ~NoPipeSignal() {
    const timespec now{};
    if (!was_pending_) sigtimedwait(&signal_, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t signal_, before_;
  bool was_pending_ = false;
};

constexpr std::size_t page = 4096;

std::uint64_t longest_file() noexcept {
  rlimit most{};
  return getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY ? most.rlim_cur : UINT64_MAX;
}

class File {
 public:
  explicit File(const char* variable) noexcept : variable_(variable) {}

  // Opens it, emptied. Returns 0, or an errno; EWOULDBLOCK when another process is writing to it.
  int open(const char* path) noexcept;
  void use_standard_error() noexcept { descriptor_ = STDERR_FILENO; }
  void close() noexcept {
    if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
    descriptor_ = -1;
  }

  // Appends all of a text; or nothing, notes why, and returns false.
  bool append(std::string_view text, const char* what) noexcept;
  // The same for a line that is no longer than a page, and is there whole or not at all even if the process ends.
  bool append_line(std::string_view line, const char* what) noexcept;
  void note_failure(int error, const char* what) noexcept;

 private:
  int prepare(int descriptor) noexcept;
  int write(std::string_view text) noexcept;
  int write_all(std::string_view text) noexcept;

  const char* variable_;
  int descriptor_ = -1;
  bool regular_ = false;
  std::uint64_t length_ = 0;
  char problem_[256] = "";
};

int File::open(const char* path) noexcept {
  int descriptor;
  do {
    descriptor = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return errno;
  if (const int error = prepare(descriptor)) {
    ::close(descriptor);
    return error;
  }
  constexpr int far_away = 250;
  descriptor_ = fcntl(descriptor, F_DUPFD_CLOEXEC, far_away);
  if (descriptor_ < 0) {
    descriptor_ = descriptor;
  } else {
    ::close(descriptor);
  }
  return 0;
}

// Not every file system has locks; without one, nobody is known to write there.
int File::prepare(int descriptor) noexcept {
  struct stat status {};
  regular_ = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  length_ = 0;
  if (!regular_) return 0;
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return EWOULDBLOCK;
  return ftruncate(descriptor, 0) == 0 ? 0 : errno;
}

void File::note_failure(int error, const char* what) noexcept {
  if (problem_[0]) return;
  std::snprintf(problem_, sizeof problem_, "%s: %s: %s", variable_, what, strerrordesc_np(error));
  note_problem(variable_, problem_);
}

int File::write_all(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0 || errno != EINTR) {
      return written == 0 ? ENOSPC : errno;
    }
  }
  return 0;
}

int File::write(std::string_view text) noexcept {
  if (!regular_) {
    const NoPipeSignal held;
    return write_all(text);
  }
  if (length_ + text.size() > longest_file()) return EFBIG;
  const int error = write_all(text);
  if (error == 0) {
    length_ += text.size();
  } else if (ftruncate(descriptor_, static_cast<off_t>(length_)) != 0) {
    return errno;
  }
  return error;
}

bool File::append(std::string_view text, const char* what) noexcept {
  const int before = errno;
  const int error = write(text);
  if (error != 0) note_failure(error, what);
  errno = before;
  return error == 0;
}

bool File::append_line(std::string_view line, const char* what) noexcept {
  const std::size_t left = page - length_ % page;
  if (!regular_ || line.size() <= left) return append(line, what);
  char filled[2 * page];
  std::memset(filled, '\n', left);
  std::memcpy(filled + left, line.data(), line.size());
  return append({filled, left + line.size()}, what);
}

using Clock = std::chrono::steady_clock;

struct Recorder {
  std::mutex mutex;  // of all but the report
  File trace{trace_variable};
  std::mutex report_mutex;
  File report{report_variable};
  cadastre_report_format format = CADASTRE_REPORT_TEXT;
  Clock::time_point start = Clock::now();
  std::uint64_t contexts = 0;  // the last number that one got
  std::uint64_t blocks = 0;
  std::int64_t foreigners = 0;
  std::unordered_map<const void*, std::int64_t> foreign;
};

Recorder& recorder() {
  static Recorder& only = *new Recorder;
  return only;
}

std::string with_process_id(std::string name) {
  const std::string id = std::to_string(getpid());
  for (std::size_t at = 0; (at = name.find("%p", at)) != std::string::npos; at += id.size()) name.replace(at, 2, id);
  return name;
}

cadastre_exit_code open_file(File& file, const char* variable, const std::string& name) {
  const std::string path = with_process_id(name);
  const int error = file.open(path.c_str());
  if (error == 0) return CADASTRE_SUCCESS;
  const char* const why = error == EWOULDBLOCK
                              ? "is being written to already; %p in the name stands for the process id"
                              : strerrordesc_np(error);
  return fail({.exit_code = CADASTRE_INVALID_ENVIRONMENT, .reason = CADASTRE_REASON_MALFORMED_ENVIRONMENT,
               .vendor_code = error,
               .detail = text("%s: the file cannot be written (%s): %s", variable, why, path.c_str())});
}

// A variable that the program has taken out of its environment asks for nothing any more.
bool is_wanted(const char* variable, const std::string& value) noexcept {
  return !value.empty() && std::getenv(variable) != nullptr;
}

struct Line {
  std::string_view operation;
  std::uint64_t context = 0;
  std::optional<std::int64_t> block = {}, source = {};
  std::optional<std::size_t> size = {};
  const char* type = "";
  const char* label = nullptr;
  cadastre_exit_code result = CADASTRE_SUCCESS;
};

// The fields of a line. There is room for ten of them, and for a label of quotes, each of which is doubled.
class Row {
 public:
  void field(std::string_view text) noexcept {
    for (const char c : text) put(c);
    put(',');
  }
  template <class Number>
  void number(Number value) noexcept {
    char digits[24];
    field({digits, std::to_chars(digits, std::end(digits), value).ptr});
  }
  template <class Number>
  void number(const std::optional<Number>& value) noexcept {
    value ? number(*value) : field({});
  }
  void label(const char* text) noexcept {
    const std::string_view label(text ? text : "", text ? strnlen(text, longest_label) : 0);
    const bool quoted = label.find_first_of(",\"") != std::string_view::npos;
    if (quoted) put('"');
    for (const char c : label) {
      const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
      if (c == '"') put('"');
      put(control ? '?' : c);
    }
    if (quoted) put('"');
    put(',');
  }
  std::string_view ended() noexcept {
    --used_;
    put('\n');
    return {text_, used_};
  }

 private:
  void put(char c) noexcept {
    if (used_ < sizeof text_) text_[used_++] = c;
  }

  char text_[2 * longest_label + 300];
  std::size_t used_ = 0;
};

// With the recorder's mutex held.
void append(Recorder& own, const Line& line) noexcept {
  if (!is_traced()) return;  // it has ended while this thread waited
  Row row;
  row.field(line.operation);
  row.number(line.context);
  row.number(line.block);
  row.number(line.source);
  row.number(line.size);
  row.field(line.type);
  row.number(this_thread());
  row.number(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - own.start).count());
  row.label(line.label);
  row.number(line.result);
  if (!own.trace.append_line(row.ended(), "the trace ends before the program")) tracing = false;
}

void append(const Line& line) noexcept {
  Recorder& own = recorder();
  const std::lock_guard lock(own.mutex);
  append(own, line);
}

std::uint64_t number_of(const Visit& visit) noexcept { return visit ? visit->number() : 0; }

// Whether the trace has a line on which this block was allocated, by which it still goes.
bool has_line(const Record& record) noexcept {
  const bool moved = record.state == State::freed && record.stride_or_freed == 0;
  return !record.borrowed() && !(record.flags & CADASTRE_WORKSPACE) && !moved;
}

std::int64_t foreign(const void* pointer) noexcept {
  Recorder& own = recorder();
  const std::lock_guard lock(own.mutex);
  const std::int64_t next = -(own.foreigners + 1);
  std::int64_t number = next;
  try {
    number = own.foreign.try_emplace(pointer, next).first->second;
  } catch (const std::bad_alloc&) {
  }
  if (number == next) ++own.foreigners;
  return number;
}

// The block of another context around a pointer; 0 for none.
std::int64_t number_elsewhere(Visit& visit, const void* pointer, bool first_byte) noexcept {
  Record record;
  if (visit) visit.step_out();
  const bool found = holder_of(pointer, visit.handle(), &record) != CADASTRE_NULL_CONTEXT;
  if (visit) visit.step_in();
  if (!found || !has_line(record) || (first_byte && record.pointer != pointer)) return 0;
  return static_cast<std::int64_t>(record.serial);
}

std::int64_t number_of(Visit& visit, const void* pointer) noexcept {
  if (is_null(pointer)) return 0;
  if (visit) {
    for (const std::optional<Record>& record : {visit->at(pointer), visit->freed_at(pointer)}) {
      if (record && has_line(*record)) return static_cast<std::int64_t>(record->serial);
    }
  }
  const std::int64_t other = number_elsewhere(visit, pointer, true);
  return other != 0 ? other : foreign(pointer);
}

std::int64_t number_of_side(Visit& visit, const void* address, cadastre_reason reason) noexcept {
  if (is_null(address)) return 0;
  if (!visit) return number_of(visit, address);
  const auto* const before = static_cast<const std::byte*>(address) - 1;
  std::optional<Record> record = visit->around(address);
  if (!record && reason == CADASTRE_REASON_OUT_OF_BOUNDS) record = visit->around(before);
  if (!record && reason == CADASTRE_REASON_ALREADY_FREED) record = visit->freed_around(address);
  if (record && has_line(*record)) return static_cast<std::int64_t>(record->serial);
  const std::int64_t other = reason == CADASTRE_REASON_OTHER_CONTEXT ? number_elsewhere(visit, address, false) : 0;
  return other != 0 ? other : foreign(address);
}

// Whether a copy that failed for this reason fails for it in a replay, too, or may.
bool has_form(cadastre_reason reason, bool within_one_block) noexcept {
  switch (reason) {
    case CADASTRE_REASON_NOT_REGISTERED:
    case CADASTRE_REASON_RUNS_INTO_BLOCK:
    case CADASTRE_REASON_SIZE_OVERFLOW:
    case CADASTRE_REASON_COUNT_OVERFLOW:
    case CADASTRE_REASON_STRIDE_TOO_SMALL: return false;
    case CADASTRE_REASON_RANGES_OVERLAP: return within_one_block;
    default: return true;
  }
}

std::size_t sum_or_most(std::size_t a, std::size_t b) noexcept { return sum_wraps(a, b) ? SIZE_MAX : a + b; }

void trace_malloc(Visit& visit, const cadastre_memory_info_struct& info, const void* pointer,
                  cadastre_exit_code code) noexcept {
  Recorder& own = recorder();
  const std::lock_guard lock(own.mutex);
  Line line{.operation = "malloc", .context = number_of(visit), .size = info.size, .label = info.label, .result = code};
  if (is_memory_type(info.type)) line.type = cadastre_string_of_memory_type(info.type);
  if (pointer) {
    own.blocks = visit->renumber(pointer, own.blocks + 1);
    line.block = static_cast<std::int64_t>(own.blocks);
  }
  append(own, line);
}

// serial: the number of the block that was let go of; 0 for none.
void trace_free(Visit& visit, const void* pointer, std::uint64_t serial, cadastre_exit_code code) noexcept {
  const std::int64_t block = serial != 0 ? static_cast<std::int64_t>(serial) : number_of(visit, pointer);
  append({.operation = "free", .context = number_of(visit), .block = block, .result = code});
}

void trace_realloc(Visit& visit, const void* pointer, std::size_t size, const void* resized,
                   cadastre_exit_code code) noexcept {
  const std::int64_t block = number_of(visit, code == CADASTRE_SUCCESS ? resized : pointer);
  append({.operation = "realloc", .context = number_of(visit), .block = block, .size = size, .result = code});
}

void trace_info(Visit& visit, const void* pointer, cadastre_exit_code code) noexcept {
  if (code == CADASTRE_INVALID_ARG_3) return;  // where to answer, a replay always knows
  Line line{.operation = "info", .context = number_of(visit), .result = code};
  if (code == CADASTRE_SUCCESS) {
    const Record found = *visit->at(pointer);
    if (!has_line(found)) return;
    line.size = found.size;
  }
  line.block = number_of(visit, pointer);
  append(line);
}

void trace_copy(Visit& visit, const CopyOrder& order, cadastre_exit_code code) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(order.width, order.count, &bytes)) bytes = SIZE_MAX;
  const bool done = code == CADASTRE_SUCCESS;
  if (done && bytes == 0) return;
  const Failure* const failure = done ? nullptr : &failed_last();
  const cadastre_reason reason = failure ? failure->reason : CADASTRE_REASON_NONE;
  const std::int64_t to = number_of_side(visit, order.to, reason);
  std::int64_t from = number_of_side(visit, order.from, reason);
  const bool within_one_block = to == from && to > 0;
  if (!has_form(reason, within_one_block)) return;
  if (done && within_one_block) from = foreign(order.from);
  if (reason == CADASTRE_REASON_OUT_OF_BOUNDS) {
    bytes = to < 0 || from < 0 ? failure->size + 1 : sum_or_most(failure->asked, failure->offset);
  }
  append({.operation = "copy", .context = number_of(visit), .block = to, .source = from, .size = bytes,
          .result = code});
}

// A text that is written to like a file.
class Memory {
 public:
  Memory() : stream_(open_memstream(&text_, &length_)) {
    if (!stream_) throw std::bad_alloc();
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
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

// Takes out the line breaks, which JSON has between its tokens only, with the indentation that follows them.
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

// Nothing fails but the report.
void report_last(const Context& context, cadastre_context handle) noexcept {
  constexpr const char* what = "a report could not be written";
  const int before = errno;
  Recorder& own = recorder();
  try {
    Memory memory;
    if (write_report(context.holdings(handle), environment(), memory.stream(), own.format) != CADASTRE_SUCCESS) {
      throw std::bad_alloc();
    }
    const bool json = own.format == CADASTRE_REPORT_JSON;
    const std::string report = (json ? on_one_line(memory.text()) : std::string(memory.text())) + '\n';
    const std::lock_guard lock(own.report_mutex);
    own.report.append(report, what);
  } catch (const std::bad_alloc&) {
    own.report.note_failure(ENOMEM, what);
  }
  errno = before;
}

// body: throws nothing.
template <class Body, class Line>
cadastre_exit_code traced(cadastre_context context, const char* function, Body body, Line line) noexcept {
  return guarded(context, function, [&] {
    Visit visit(context);
    const cadastre_exit_code code = visit ? body(visit) : CADASTRE_INVALID_CONTEXT;
    line(visit, code);
    return code;
  });
}

}  // namespace

namespace {

constinit std::atomic<bool> opened = false;
constinit std::mutex opening;

void leave_them_to_the_parent() noexcept {
  tracing = false;
  reporting = false;
  opened = true;
  recorder().trace.close();
  recorder().report.close();
}

// Contexts that are destroyed later still, by static objects older than the first of them, were told of here.
void report_what_is_left() noexcept {
  const NotCancelled here;
  if (reporting.exchange(false)) for_each_context(report_last);
}

void begin_trace(File& file) noexcept {
  const Text head = text("# cadastre %s, process %lld\nop,context,block,source,size,type,thread,time,label,result\n",
                         PACKAGE_VERSION, static_cast<long long>(getpid()));
  tracing = file.append(head.characters, "the trace could not be begun");
}

cadastre_exit_code open_both(const Environment& asked, bool trace, bool report) {
  static bool watched = false;
  Recorder& own = recorder();
  if (!watched && pthread_atfork(nullptr, nullptr, leave_them_to_the_parent) != 0) throw std::bad_alloc();
  watched = true;
  cadastre_exit_code code = trace ? open_file(own.trace, trace_variable, asked.trace) : CADASTRE_SUCCESS;
  if (code == CADASTRE_SUCCESS && report && asked.report == "stderr") {
    own.report.use_standard_error();
  } else if (code == CADASTRE_SUCCESS && report) {
    code = open_file(own.report, report_variable, asked.report);
  }
  if (code != CADASTRE_SUCCESS) {
    own.trace.close();
    return code;
  }
  own.format = asked.report.ends_with(".json") ? CADASTRE_REPORT_JSON : CADASTRE_REPORT_TEXT;
  own.start = Clock::now();
  if (trace) begin_trace(own.trace);
  reporting = report && std::atexit(report_what_is_left) == 0;
  return CADASTRE_SUCCESS;
}

}  // namespace

cadastre_exit_code open_recordings() {
  if (opened.load(std::memory_order_acquire)) return CADASTRE_SUCCESS;
  const Environment& asked = environment();
  const bool trace = is_wanted(trace_variable, asked.trace), report = is_wanted(report_variable, asked.report);
  if (!trace && !report) {  // without the lock, which a child would wait for that is forked meanwhile
    opened.store(true, std::memory_order_release);
    return CADASTRE_SUCCESS;
  }
  const std::lock_guard lock(opening);
  if (opened) return CADASTRE_SUCCESS;
  const cadastre_exit_code code = open_both(asked, trace, report);
  if (code == CADASTRE_SUCCESS) opened.store(true, std::memory_order_release);
  return code;
}

void* traced_malloc(cadastre_context context, const cadastre_memory_info_struct& info, Order order, bool strided,
                    const char* function) noexcept {
  void* pointer = nullptr;
  traced(context, function, [&](Visit& visit) { return visit->allocate(visit, info, order, pointer, strided); },
         [&](Visit& visit, cadastre_exit_code code) { trace_malloc(visit, info, pointer, code); });
  return pointer;
}

cadastre_exit_code traced_free(cadastre_context context, void* pointer, Order order, const char* function) noexcept {
  std::uint64_t serial = 0;
  return traced(context, function, [&](Visit& visit) { return visit->release(visit, pointer, order, &serial); },
                [&](Visit& visit, cadastre_exit_code code) { trace_free(visit, pointer, serial, code); });
}

cadastre_exit_code traced_free_all(cadastre_context context, const char* function) noexcept {
  return call(context, function, [&](Visit& visit) {
    return visit->release_all(visit, [](Visit& inside, const Record& block, cadastre_exit_code code) noexcept {
      trace_free(inside, block.pointer, block.serial, code);
    });
  });
}

void* traced_realloc(cadastre_context context, void* pointer, std::size_t size, const char* function) noexcept {
  void* resized = nullptr;
  traced(context, function, [&](Visit& visit) { return visit->resize(visit, pointer, size, resized); },
         [&](Visit& visit, cadastre_exit_code code) { trace_realloc(visit, pointer, size, resized, code); });
  return resized;
}

cadastre_exit_code traced_info(cadastre_context context, const void* pointer, cadastre_memory_info_struct* info,
                               const char* function) noexcept {
  return traced(context, function, [&](Visit& visit) { return visit->describe(pointer, info); },
                [&](Visit& visit, cadastre_exit_code code) { trace_info(visit, pointer, code); });
}

cadastre_exit_code traced_copy(cadastre_context context, const CopyOrder& order, const char* function) noexcept {
  return traced(context, function, [&](Visit& visit) { return copy(visit, order); },
                [&](Visit& visit, cadastre_exit_code code) { trace_copy(visit, order, code); });
}

cadastre_exit_code recorded_destroy(cadastre_context context, cadastre_destroy_summary_struct* summary,
                                    const char* function) noexcept {
  std::uint64_t number = 0;
  const auto body = [&](Visit& visit) {
    number = visit->number();
    if (reporting) report_last(*visit.operator->(), context);
    return destroy_context(visit, summary);
  };
  return traced(context, function, body, [&](Visit&, cadastre_exit_code code) {
    append({.operation = "destroy", .context = number, .result = code});
  });
}

void trace_create(cadastre_context created, cadastre_exit_code code) noexcept {
  Recorder& own = recorder();
  std::optional<Visit> visit;
  if (code == CADASTRE_SUCCESS) visit.emplace(created);
  const std::lock_guard lock(own.mutex);
  const std::uint64_t number = ++own.contexts;
  if (visit && *visit) (*visit)->set_number(number);
  append(own, {.operation = "create", .context = number, .result = code});
}

}  // namespace cadastre::internal
