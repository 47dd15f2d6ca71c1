// Tangled from org/core/page_return.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/page_return.hpp"

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/fail.hpp"
#include "base/lock.hpp"
#include "base/process.hpp"

namespace cadastre::internal {

namespace {

constinit std::atomic<std::size_t> assumed_page = 0;

std::size_t system_page() noexcept {
  const std::size_t assumed = assumed_page.load(std::memory_order_relaxed);
  return assumed != 0 ? assumed : page_size();
}

}  // namespace

void assume_system_pages(std::size_t bytes) noexcept { assumed_page.store(bytes, std::memory_order_relaxed); }

PageTime page_time() noexcept {
#ifdef CLOCK_MONOTONIC_COARSE
  constexpr clockid_t clock = CLOCK_MONOTONIC_COARSE;
#else
  constexpr clockid_t clock = CLOCK_MONOTONIC;
#endif
  timespec now{};
  clock_gettime(clock, &now);
  constexpr unsigned ticks_a_second = 16;
  static_assert(page_ticks_of_decay * 2 == ticks_a_second);
  return static_cast<PageTime>(now.tv_sec) * ticks_a_second + static_cast<PageTime>(now.tv_nsec / (1'000'000'000 / ticks_a_second));
}

bool returned_pages_read_as_zero() noexcept {
  static std::atomic<std::int8_t> known = -1;
  if (const std::int8_t is = known.load(std::memory_order_relaxed); is >= 0) return is != 0;
  const std::size_t bytes = page_size();
  void* const page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;  // asked again
  auto* const word = static_cast<volatile unsigned char*>(page);
  *word = 1;
  // Where the process locks all its pages this one is refused, and nothing is known.
  const bool taken = madvise(page, bytes, MADV_DONTNEED) == 0, zero = *word == 0;
  munmap(page, bytes);
  if (!taken) return false;
  known.store(zero ? 1 : 0, std::memory_order_relaxed);
  return zero;
}

ReturnedPages return_pages(std::uintptr_t begin, std::uintptr_t end) noexcept {
  const KeptErrno kept;
  const std::size_t page = system_page();
  begin = (begin + page - 1) / page * page;
  end -= end % page;
  if (begin >= end) return {};
  assert_no_mutex_held("madvise");
  const bool taken = !system_fails(EINVAL) && madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED) == 0;
  if (!taken) return {};
  return {begin, end, returned_pages_read_as_zero()};
}

}  // namespace cadastre::internal
