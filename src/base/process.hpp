// Tangled from org/base/process.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// This process. Nothing allocates, fails or takes a lock; any thread may call, at any time.
#ifndef CADASTRE_SRC_BASE_PROCESS_HPP
#define CADASTRE_SRC_BASE_PROCESS_HPP

#include <time.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/non_copyable.hpp"

namespace cadastre::internal {

// What does not change after it was first read. Texts are valid as long as the process runs.
struct Process {
  char host[256];      // its name, of letters, digits, '.', '-' and '_'; "unknown" where there is none
  char rank[272];      // digits, or HOST-DIGITS where the launcher counts per host; empty without a launcher
  char program[4096];  // the path of the executable; its argument 0 if the system does not report it
};

const Process& process() noexcept;

// Whether valgrind, AddressSanitizer or LeakSanitizer watches the memory of this process.
bool has_memory_checker() noexcept;

// Bytes of a page of the system.
std::size_t page_size() noexcept;

// Leaves errno as it was.
struct KeptErrno : NonCopyable {
  KeptErrno() = default;
  ~KeptErrno() { errno = error; }
  const int error = errno;
};

// The number of this process, which a fork changes.
std::int64_t process_id() noexcept;

// The number of this thread in the system. A handler of signals may ask, whatever its thread has used before.
std::uint64_t thread_id() noexcept;

// Whether a process is still the one that has made it, and no child, however that was made. A child that shares the memory of its parent is not told apart.
class ProcessMark : NonCopyable {
 public:
  // Once.
  void make() noexcept;
  bool is_own() const noexcept { return page_ ? *page_ != 0 : process_ == process_id(); }

 private:
  const unsigned char* page_ = nullptr;  // which a child has empty; null where the system has none such
  std::int64_t process_ = 0;
};

// Nanoseconds since 1970 when this process started; 0 if the system does not report it.
std::int64_t process_start() noexcept;

// Whether the first thread has ended, and no other one is there but the caller. Not where the system does not report it.
bool is_last_thread() noexcept;

// The peak resident memory of this process; 0 if the system does not report it.
std::size_t most_resident_bytes() noexcept;

// How long a file may be that this process writes, in bytes.
std::uint64_t longest_file() noexcept;

// What a clock of the system says, in nanoseconds; 0 where there is none such.
std::int64_t clock_of(clockid_t which) noexcept;
// What it will say so much later.
timespec time_of_clock_in(clockid_t which, std::chrono::milliseconds interval) noexcept;
// Nanoseconds since 1970.
std::int64_t time_now() noexcept;

// A time as people and programs read it: 2026-01-31T23:59:59.123Z.
struct TimeText {
  char characters[96];
};
TimeText time_text(std::int64_t nanoseconds) noexcept;

// The same from other values, for tests. strings: NAME=VALUE, and NULL at the end.
void read_rank(const char* const* strings, const char* host, char (&rank)[272]) noexcept;
void read_host(const char* name, char (&host)[256]) noexcept;

}  // namespace cadastre::internal
#endif
