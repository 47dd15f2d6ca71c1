// Tangled from org/out/ticks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/ticks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/fail.hpp"

namespace cadastre::internal {
namespace {

#if defined(__x86_64__)
// Whether the counter has one rate in all states of the processor.
bool has_steady_counter() noexcept {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) != 0 && (edx & 1u << 8) != 0;
}

bool is_source_of_the_system() noexcept {
  const KeptErrno kept_errno;
  constexpr const char* path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
  const int file = system_fails(EMFILE) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char name[16];
  const ssize_t length = read(file, name, sizeof name);
  close(file);
  return length > 0 && std::string_view(name, static_cast<std::size_t>(length)) == "tsc\n";
}

bool counter_tells_time() noexcept { return has_steady_counter() && is_source_of_the_system(); }
#else
bool counter_tells_time() noexcept { return false; }
#endif

}  // namespace

// The tightest of some, since the thread may be interrupted between the two clocks.
Reading Ticks::read() const noexcept {
  if (!counts_) {
    const std::int64_t time = now();
    return {time, time};
  }
  Reading best{};
  std::int64_t narrowest = INT64_MAX;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const std::int64_t before = now(), nanoseconds = monotonic_time() - start_, width = now() - before;
    if (width >= 0 && width < narrowest) {
      narrowest = width;
      best = {before + width / 2, nanoseconds};
    }
  }
  return best;
}

void Ticks::begin(std::int64_t start) noexcept {
  constexpr std::int64_t long_enough = 100'000;  // nanoseconds
  start_ = start;
  counts_ = counter_tells_time();
  if (!counts_) return;
  shift_.store(-ordered_counter(), std::memory_order_relaxed);
  const Reading first = read();
  Reading last;
  do {
    last = read();
  } while (last.nanoseconds - first.nanoseconds < long_enough);
  rate_ = {last.time - first.time, last.nanoseconds - first.nanoseconds};
  counts_ = rate_.time > 0;
}

void Ticks::go_on_from(std::int64_t time) noexcept {
  const std::int64_t behind = time - now();
  if (behind > 0) shift_.fetch_add(behind, std::memory_order_relaxed);
}

}  // namespace cadastre::internal
