// Tangled from org/base/process.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/process.hpp"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// There in a process that a sanitizer watches.
extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] int __lsan_do_leak_check();
}

namespace cadastre::internal {

std::size_t page_size() noexcept {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

bool has_memory_checker() noexcept {
  static const bool here = [] {
    const char* const preloaded = std::getenv("LD_PRELOAD");  // valgrind preloads its own malloc
    return __asan_init || __lsan_do_leak_check || (preloaded && std::strstr(preloaded, "vgpreload"));
  }();
  return here;
}
namespace {

// Zero bytes are a valid state, so that no order of construction or destruction matters.
constinit Process self{};
constinit pthread_once_t once = PTHREAD_ONCE_INIT;

struct RankVariable {
  const char* name;
  bool per_host;
};

constexpr RankVariable rank_variables[] = {
    {"OMPI_COMM_WORLD_RANK", false}, {"PMIX_RANK", false},   {"PMI_RANK", false},       {"MV2_COMM_WORLD_RANK", false},
    {"FLUX_TASK_RANK", false},       {"PALS_RANKID", false}, {"MPI_LOCALRANKID", true}, {"SLURM_PROCID", false},
};

const char* value_of(const char* name, const char* const* strings) noexcept {
  const std::size_t length = std::strlen(name);
  for (; strings && *strings; ++strings) {
    if (std::strncmp(*strings, name, length) == 0 && (*strings)[length] == '=') return *strings + length + 1;
  }
  return nullptr;
}

bool is_number(const char* text) noexcept {
  constexpr std::size_t most_digits = 10;
  const std::size_t digits = std::strspn(text, "0123456789");
  return digits > 0 && digits <= most_digits && text[digits] == '\0';
}

void read_process() noexcept {
  const int kept = errno;
  utsname names{};
  read_host(uname(&names) == 0 ? names.nodename : "", self.host);
  read_rank(environ, self.host, self.rank);
  const ssize_t length = readlink("/proc/self/exe", self.program, sizeof self.program - 1);
  if (length <= 0) std::snprintf(self.program, sizeof self.program, "%s", program_invocation_name);
  errno = kept;
}

constexpr std::int64_t second = 1'000'000'000;

std::size_t read_status(char* room, std::size_t size) noexcept {
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t length = read(file, room, size);
  close(file);
  return length > 0 ? static_cast<std::size_t>(length) : 0;
}

struct StatusLine {
  StatusLine() noexcept {
    const KeptErrno kept_errno;
    text[read_status(text, sizeof text - 1)] = '\0';
  }
  // From the third on, as proc(5) counts them; an empty text where it is not known.
  const char* field(int number) const noexcept {
    const char* at = std::strrchr(text, ')');
    for (int passed = 2; at && passed < number; ++passed) at = std::strchr(at + 1, ' ');
    return at ? at + 1 : "";
  }
  char text[1024];
};

std::int64_t start_of_process() noexcept {
  const StatusLine status;
  const char* const field = status.field(22);
  const long ticks_a_second = sysconf(_SC_CLK_TCK);
  if (!*field || ticks_a_second <= 0) return 0;
  const std::int64_t after_boot = std::strtoll(field, nullptr, 10) * (second / ticks_a_second);
  return clock_of(CLOCK_REALTIME) - clock_of(CLOCK_BOOTTIME) + after_boot;
}

}  // namespace

void read_rank(const char* const* strings, const char* host, char (&rank)[272]) noexcept {
  rank[0] = '\0';
  for (const RankVariable& variable : rank_variables) {
    const char* const value = value_of(variable.name, strings);
    if (!value || !is_number(value)) continue;
    std::snprintf(rank, sizeof rank, "%s%s%s", variable.per_host ? host : "", variable.per_host ? "-" : "", value);
    return;
  }
}

void read_host(const char* name, char (&host)[256]) noexcept {
  std::size_t length = 0;
  for (; name[length] && length + 1 < sizeof host; ++length) {
    const char c = name[length];
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    host[length] = plain ? c : '_';
  }
  host[length] = '\0';
  if (host[0] == '.') host[0] = '_';
  if (length == 0) std::strcpy(host, "unknown");
}

const Process& process() noexcept {
  pthread_once(&once, read_process);
  return self;
}

std::int64_t process_id() noexcept { return getpid(); }

std::int64_t process_start() noexcept { return start_of_process(); }

std::uint64_t thread_id() noexcept { return static_cast<std::uint64_t>(syscall(SYS_gettid)); }

void ProcessMark::make() noexcept {
  const KeptErrno kept_errno;
  process_ = process_id();
  void* const page = mmap(nullptr, page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  if (madvise(page, page_size(), MADV_WIPEONFORK) != 0) return static_cast<void>(munmap(page, page_size()));
  auto* const bytes = static_cast<unsigned char*>(page);
  bytes[0] = 1;
  page_ = bytes;
}

bool is_last_thread() noexcept {
  const StatusLine status;
  return *status.field(3) == 'Z' && std::strtol(status.field(20), nullptr, 10) == 2;
}

std::size_t most_resident_bytes() noexcept {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::size_t>(usage.ru_maxrss) * 1024 : 0;
}

std::uint64_t longest_file() noexcept {
  rlimit most{};
  return getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY ? most.rlim_cur : UINT64_MAX;
}

std::int64_t clock_of(clockid_t which) noexcept {
  timespec now{};
  return clock_gettime(which, &now) == 0 ? now.tv_sec * second + now.tv_nsec : 0;
}

timespec time_of_clock_in(clockid_t which, std::chrono::milliseconds interval) noexcept {
  const std::int64_t then = clock_of(which) + std::chrono::nanoseconds(interval).count();
  return {.tv_sec = static_cast<time_t>(then / second), .tv_nsec = static_cast<long>(then % second)};
}

std::int64_t time_now() noexcept { return clock_of(CLOCK_REALTIME); }

struct Date {
  std::int64_t year, month, day;
};

// Of a day since the beginning of 1970, in the Gregorian calendar.
Date date_of(std::int64_t since_1970) noexcept {
  constexpr std::int64_t days_of_era = 146'097, until_1970 = 719'468;  // from the first of March of the year 0
  const std::int64_t days = since_1970 + until_1970, of_era = days % days_of_era;
  const std::int64_t year_of_era = (of_era - of_era / 1'460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t since_march = (5 * of_year + 2) / 153;
  const std::int64_t month = since_march < 10 ? since_march + 3 : since_march - 9;
  const std::int64_t year = 400 * (days / days_of_era) + year_of_era + (month <= 2 ? 1 : 0);
  return {.year = year, .month = month, .day = of_year - (153 * since_march + 2) / 5 + 1};
}

TimeText time_text(std::int64_t nanoseconds) noexcept {
  constexpr std::int64_t second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;
  const std::int64_t milliseconds = std::max<std::int64_t>(nanoseconds, 0) / 1'000'000, of_day = milliseconds % day;
  const Date date = date_of(milliseconds / day);
  TimeText text{};
  char* end = text.characters;
  const auto put = [&end](long long number, int digits, char after) {
    for (int place = digits; place > 0; number /= 10) end[--place] = static_cast<char>('0' + number % 10);
    end[digits] = after;
    end += digits + 1;
  };
  put(date.year, 4, '-');
  put(date.month, 2, '-');
  put(date.day, 2, 'T');
  put(of_day / hour, 2, ':');
  put(of_day / minute % 60, 2, ':');
  put(of_day / second % 60, 2, '.');
  put(of_day % second, 3, 'Z');
  *end = '\0';
  return text;
}

}  // namespace cadastre::internal
