// Tangled from org/out/report_on.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/report_on.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "base/atomic_ref.hpp"
#include "base/environment.hpp"
#include "base/fail.hpp"
#include "base/lock.hpp"
#include "base/own_memory.hpp"
#include "base/process.hpp"
#include "context/due_work.hpp"
#include "context/lock.hpp"
#include "core/threads.hpp"
#include "out/brief_report.hpp"
#include "out/last_report.hpp"
#include "out/log_file.hpp"
#include "out/near_limit.hpp"
#include "out/output.hpp"
#include "out/report_signals.hpp"

namespace cadastre::internal {
namespace {

constexpr const char* variable = "CADASTRE_REPORT_ON";

struct Reports {
  explicit Reports(const ReportOn& occasions) noexcept : on(occasions) {}

  const ReportOn on;
  BriefReport report;
  Output errors{variable};             // the standard error
  std::uint64_t refused_reported = 0;  // so many were refused at the last report on one
  std::int64_t last_on_refused = 0;    // of the black box's clock
};

constinit std::atomic<Reports*> reports = nullptr;  // not in a child of a fork
constinit std::atomic<std::uint64_t> composer = 0;  // the thread_id of who composes a report

// The right to compose: waits so many milliseconds for another thread.
class Composing : NonCopyable {
 public:
  explicit Composing(int patience) noexcept {
    while (!take() && composer.load(std::memory_order_relaxed) != thread_id() && patience-- > 0) {
      const timespec millisecond{0, 1'000'000};
      nanosleep(&millisecond, nullptr);
    }
  }
  ~Composing() {
    if (has_it_) composer.store(0);
  }
  explicit operator bool() const noexcept { return has_it_; }

 private:
  bool take() noexcept {
    std::uint64_t nobody = 0;
    return has_it_ = composer.compare_exchange_strong(nobody, thread_id(), std::memory_order_acquire);
  }
  bool has_it_ = false;
};

// With holders that were added up before.
std::string_view composed(Reports& own, std::string_view occasion) noexcept {
  own.report.cut(0);
  compose(own.report, occasion);
  return own.report.text();
}

void write_report(Reports& own, std::string_view occasion) noexcept {
  const std::string_view report = composed(own, occasion);
  if (!append_to_reports(report)) own.errors.append(report, "a report could not be written");
}

void write_report_in_handler(Reports& own, std::string_view occasion) noexcept {
  const std::string_view report = composed(own, occasion);
  if (!append_to_reports_in_handler(report)) own.errors.try_append(report);
}

// In place of a report that cannot be composed, since another one is.
void write_line(Reports& own, std::string_view occasion) noexcept {
  Composed<256> line;
  line << "Cadastre, report: " << occasion << " in process " << process_id() << " while it wrote another report\n";
  own.errors.try_append(line.text());
}

// For who holds no lock.
void write_new_report(Reports& own, std::string_view occasion) noexcept {
  add_up_holders();
  write_report(own, occasion);
}

void keep_and_report(const LimitUse& use) noexcept {
  keep_use(use);
  Reports* const own = reports.load(std::memory_order_acquire);
  if (!use.is_near || !own || !black_box_is_own()) return;  // a child, where a backend forks when it is asked
  Composed<512> occasion;
  occasion << bytes_text(use.used).characters << " are used of " << use.of;
  write_new_report(*own, occasion.text());
}

void report_refused(Reports& own) noexcept {
  constexpr std::int64_t pause = 10'000'000'000;
  const std::uint64_t refused = AtomicRef(black_box_pages()->figures.refusals).load();
  const std::int64_t now = time_of_black_box();
  if (refused == own.refused_reported || (own.refused_reported > 0 && now - own.last_on_refused < pause)) return;
  Composed<64> occasion;
  occasion << static_cast<std::int64_t>(refused - own.refused_reported)
           << (refused - own.refused_reported == 1 ? " request was refused" : " requests were refused");
  own.refused_reported = refused;
  write_new_report(own, occasion.text());
  own.last_on_refused = time_of_black_box();  // it may have waited for a reader as long as the pause
}

// The two return false where another thread composes.
bool look_at_what_is_ours(LookAt what) noexcept {
  const Composing composing(0);
  if (!composing) return false;
  look_again(what, keep_and_report);
  Reports* const own = reports.load(std::memory_order_acquire);
  if (own && own->on.refused) report_refused(*own);
  return true;
}

bool look_at_devices(LookAt what) noexcept {
  LookAtDevices devices(what);
  if (!devices.has_any()) return true;
  const Composing composing(0);
  if (composing) devices.show(keep_and_report);
  return static_cast<bool>(composing);
}

bool look_and_report(LookAt what) noexcept { return look_at_what_is_ours(what) && look_at_devices(what); }

void report_signal(const SignalName& signal) noexcept {
  Reports* const own = reports.load(std::memory_order_acquire);
  if (!own || !black_box_is_own()) return;
  const NotCancelled here;
  constexpr int patience = 100;
  const Composing composing(patience);
  Composed<128> occasion;
  occasion << "SIG" << signal.name;
  composing ? write_report_in_handler(*own, occasion.text()) : write_line(*own, occasion.text());
}

void report_at_the_end() noexcept {
  Reports* const own = reports.load(std::memory_order_acquire);
  if (!own || !black_box_is_own()) return;
  const NotCancelled here;
  constexpr int patience = 1000;
  constexpr std::string_view occasion = "the process ends";
  const Composing composing(patience);
  if (!composing) return write_line(*own, occasion);
  if (!is_interrupted()) add_up_holders();
  write_report(*own, occasion);
}

constinit std::atomic<bool> is_looking = false;
constinit bool is_to_end = false;  // by the mutex
constinit pthread_mutex_t ends_mutex = PTHREAD_MUTEX_INITIALIZER;
constinit pthread_cond_t ends{};

// Whether the process ends before the interval does.
bool is_ended_within(std::chrono::milliseconds interval) noexcept {
  const timespec time = time_of_clock_in(CLOCK_MONOTONIC, interval);
  pthread_mutex_lock(&ends_mutex);
  for (int error = 0; !is_to_end && error != ETIMEDOUT;) error = pthread_cond_timedwait(&ends, &ends_mutex, &time);
  const bool is_ended = is_to_end;
  pthread_mutex_unlock(&ends_mutex);
  return is_ended;
}

// In steps, after each of which it is seen whether this is the last thread.
bool is_ended_or_alone_within(std::chrono::milliseconds interval) noexcept {
  constexpr std::chrono::milliseconds longest(1000);
  for (; interval > longest; interval -= longest) {
    if (is_ended_within(longest) || is_last_thread()) return true;
  }
  return is_ended_within(interval) || is_last_thread();
}

void* look_at_intervals(void* interval) noexcept {
  while (!is_ended_or_alone_within(*static_cast<const std::chrono::milliseconds*>(interval)) && black_box_is_own())
    look_and_report(LookAt::all);
  is_looking = false;
  return nullptr;
}

bool begin_to_look(const ReportOn& on) noexcept {
  pthread_condattr_t clock;
  pthread_t thread{};
  sigset_t blocked, before;
  if (pthread_condattr_init(&clock) != 0 || pthread_condattr_setclock(&clock, CLOCK_MONOTONIC) != 0) return false;
  if (pthread_cond_init(&ends, &clock) != 0) return false;
  sigfillset(&blocked);
  for (const SignalName& signal : signal_names) {
    if (signal.is_fault) sigdelset(&blocked, signal.number);
  }
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  is_looking = true;
  const bool is_made =
      !system_fails(EAGAIN) && pthread_create(&thread, nullptr, look_at_intervals, const_cast<std::chrono::milliseconds*>(&on.every)) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  is_made ? static_cast<void>(pthread_detach(thread)) : is_looking.store(false);
  return is_made;
}

// Waits a second at most: the thread may be in a call of a vendor. There is none in a child.
void end_looking() noexcept {
  if (!is_looking || !black_box_is_own()) return;
  const NotCancelled here;
  pthread_mutex_lock(&ends_mutex);
  is_to_end = true;
  pthread_cond_broadcast(&ends);
  pthread_mutex_unlock(&ends_mutex);
  const timespec moment{0, 10'000'000};
  for (int times = 0; times < 100 && is_looking; ++times) nanosleep(&moment, nullptr);
}

void do_what_is_due() noexcept {
  constexpr int turns = 3;
  for (int turn = 0; turn < turns && black_box_is_own(); ++turn) {
    const std::uint8_t due = work_is_due.exchange(0);
    const std::uint8_t looks = due & (limits_are_to_be_looked_at | one_was_refused);
    const bool are_new = (due & holders_are_old) != 0 && add_up_holders_if_due();
    if (!are_new && looks == 0) return;
    if (look_and_report(are_new ? LookAt::host : LookAt::due)) continue;
    note_due(looks);
    if (composer.load() != 0) return;
  }
}

}  // namespace

namespace {

constinit char problem[256] = "";

void note(const char* what, std::string_view name = "") noexcept {
  if (problem[0]) return;
  std::snprintf(problem, sizeof problem, "%s: %.*s%s", variable, static_cast<int>(name.size()), name.data(), what);
  note_problem(variable, problem);
  write_note("failed", variable, problem);
}

}  // namespace

void open_reports_on(const ReportOn& on) noexcept {
  due_worker = do_what_is_due;
  if (!on.is_any()) return;
  Reports* const own = make_own<Reports>(on);
  if (!own) return note("there is no memory for reports");
  if (!reports_are_text() || fcntl(STDERR_FILENO, F_GETFD) >= 0) own->errors.open("/dev/stderr");
  reports = own;
  if (on.near_percent > 0) watch_limits(on.near_percent);
  if (on.exit && std::atexit(report_at_the_end) != 0) note("a report at the end cannot be had");
  const SignalName* const refused = see_signals(on.signals, report_signal);
  if (refused) note(" is ignored by this program, or cannot be handled, and stays as it is", refused->name);
  if (on.every.count() > 0 && (!begin_to_look(own->on) || std::atexit(end_looking) != 0))
    note("there is no thread that looks at intervals");
}

void leave_reports_on_to_the_parent() noexcept {
  Reports* const own = reports.exchange(nullptr);
  is_looking = false;
  composer = 0;
  if (own) own->errors.close();
}

}  // namespace cadastre::internal
