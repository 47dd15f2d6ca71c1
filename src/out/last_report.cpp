// Tangled from org/out/last_report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/last_report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>

#include "base/environment.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "base/process.hpp"
#include "context/all_contexts.hpp"
#include "out/failed_creations.hpp"
#include "out/output.hpp"
#include "out/report.hpp"

namespace cadastre::internal {

constinit std::atomic<bool> reporting = false;

namespace {

struct LastReports {
  Mutex<Rank::report> mutex;
  Output file{"CADASTRE_REPORT"};
  ProcessMark mark;
  std::int64_t reported_creations CADASTRE_GUARDED_BY(mutex) = 0;  // that failed, and that a report has listed
  cadastre_report_format format = CADASTRE_REPORT_TEXT;
};

constinit std::atomic<LastReports*> opened = nullptr;

LastReports& last_reports() {
  static LastReports& only = *new LastReports;
  return only;
}

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
  LastReports& own = last_reports();
  try {
    const std::int64_t reported = failed_creations();
    Memory memory;
    if (write_report(holdings, environment(), memory.stream(), own.format) != CADASTRE_SUCCESS) {
      throw std::bad_alloc();
    }
    const bool json = own.format == CADASTRE_REPORT_JSON;
    const std::string report = (json ? on_one_line(memory.text()) : std::string(memory.text())) + '\n';
    const Locked lock(own.mutex);
    own.file.append(report, no_report);
    own.reported_creations = std::max(own.reported_creations, reported);
  } catch (const std::bad_alloc&) {
    own.file.note_failure(ENOMEM, no_report);
  }
  errno = before;
}

// Whether no creation has failed since the last report.
bool creations_are_reported() noexcept {
  LastReports& own = last_reports();
  const Locked lock(own.mutex);
  return own.reported_creations == failed_creations();
}

}  // namespace

void report_last(const Holdings* holdings) noexcept {
  if (!last_reports().mark.is_own()) return;  // a child, which no handler of forks saw
  holdings ? append_report(holdings) : last_reports().file.note_failure(ENOMEM, no_report);
}

namespace {

// Contexts that are destroyed even later, by static objects older than the first of them, are reported here.
void report_what_is_left() noexcept {
  const NotCancelled here;
  if (!reporting.exchange(false) || !last_reports().mark.is_own()) return;
  for_each_context(report_last);
  if (!creations_are_reported()) append_report(nullptr);
}

}  // namespace

void open_reports(const std::string& name) noexcept {
  LastReports& own = last_reports();
  opened = &own;
  own.mark.make();
  own.format = name.ends_with(".json") ? CADASTRE_REPORT_JSON : CADASTRE_REPORT_TEXT;
  reporting = own.file.open(name == "stderr" ? "/dev/stderr" : name) && std::atexit(report_what_is_left) == 0;
}

bool reports_are_text() noexcept { return reporting && opened.load()->format == CADASTRE_REPORT_TEXT; }

bool append_to_reports(std::string_view text) noexcept {
  if (!reports_are_text() || locks_of_thread != 0) return false;
  LastReports& own = *opened;
  if (!own.mutex.try_lock()) return false;
  const bool is_appended = own.file.append(text, no_report);
  own.mutex.unlock();
  return is_appended;
}

bool append_to_reports_in_handler(std::string_view text) noexcept {
  if (!reports_are_text()) return false;
  LastReports& own = *opened;
  if (!own.mutex.try_lock_in_handler()) return false;
  const int error = own.file.try_append(text);
  own.mutex.unlock_in_handler();
  return error == 0;
}

void leave_reports_to_the_parent() noexcept {
  reporting = false;
  LastReports* const own = opened;
  if (!own) return;
  own->mutex.renew();
  own->file.close();
}

}  // namespace cadastre::internal
