// Tangled from org/core/fence.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/fence.hpp"

#include <sys/mman.h>
#include <time.h>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <cerrno>

#include "base/checkers.hpp"
#include "base/fail.hpp"
#include "base/lock.hpp"

namespace cadastre::internal {

constinit std::atomic<bool> fences_are_light = false;

namespace {

#if defined(__linux__) && defined(SYS_membarrier) && !defined(CADASTRE_FULL_FENCES)
bool membarrier(int command) noexcept { return !system_fails(EPERM) && syscall(SYS_membarrier, command, 0, 0) == 0; }
bool register_with_system() noexcept { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }
bool reach_all_threads() noexcept { return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED); }
#else
bool register_with_system() noexcept { return false; }
bool reach_all_threads() noexcept { return false; }
#endif
#ifdef CADASTRE_FULL_FENCES
constexpr bool full_as_built = true;
#else
constexpr bool full_as_built = false;
#endif

// Where membarrier is refused and others may have passed a light fence: before this returns, each of them has passed a full one, or his
// store is visible.
void interrupt_processors() noexcept {
  constexpr std::size_t bytes = 4096;
  void* const page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) {
    *static_cast<volatile char*>(page) = 1;
    mprotect(page, bytes, PROT_READ);
    munmap(page, bytes);
  }
  const NotCancelled in_my_sleep;
  timespec left{0, 1'000'000};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

}  // namespace

void start_fences() noexcept {
  if (is_memory_checked()) return;  // which has to be told of each block
  const int error = errno;
  if (register_with_system() && reach_all_threads()) fences_are_light.store(true, std::memory_order_relaxed);
  errno = error;
}

void heavy_fence(bool among_light) noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!among_light || full_as_built) return;
  const int error = errno;
  const bool reached = reach_all_threads() || (register_with_system() && reach_all_threads());
  if (!reached) {
    fences_are_light.store(false, std::memory_order_seq_cst);
    interrupt_processors();
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  errno = error;
}

bool fences_are_full() noexcept { return !full_as_built && !is_memory_checked() && !fences_are_light.load(std::memory_order_relaxed); }

}  // namespace cadastre::internal
