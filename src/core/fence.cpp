// Tangled from org/fence.org; change the chapter, then run: make tangle
#include "core/fence.hpp"

#include <sys/mman.h>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "fail.hpp"

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

// Takes the right to write from a page that this processor has just written to: before the call returns, the system has interrupted
// each processor that runs a thread of the process, and an interrupt is a full fence there.
void interrupt_processors() noexcept {
  constexpr std::size_t bytes = 4096;
  void* const page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  *static_cast<volatile char*>(page) = 1;
  mprotect(page, bytes, PROT_READ);
  munmap(page, bytes);
}

}  // namespace

void start_fences() noexcept {
  if (register_with_system() && reach_all_threads()) fences_are_light.store(true, std::memory_order_relaxed);
}

// A process that was restored from a checkpoint has to register again. Where the system refuses for good, threads may be between a light
// fence and the load behind it: this once they are interrupted, and from then on all fences are full.
void heavy_fence() noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!fences_are_light.load(std::memory_order_relaxed)) return;
  if (reach_all_threads() || (register_with_system() && reach_all_threads())) return;
  fences_are_light.store(false, std::memory_order_seq_cst);
  interrupt_processors();
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace cadastre::internal
