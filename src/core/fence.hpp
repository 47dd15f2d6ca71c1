// Tangled from org/core/fence.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A pair of fences: a light one for what is done often, a heavy one for what is done seldom.
#ifndef CADASTRE_SRC_CORE_FENCE_HPP
#define CADASTRE_SRC_CORE_FENCE_HPP

#include <atomic>

namespace cadastre::internal {

#if defined(__SANITIZE_THREAD__)
#define CADASTRE_FULL_FENCES 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CADASTRE_FULL_FENCES 1
#endif
#endif

// Whether light fences order nothing in the processor, and heavy ones make up for it.
extern std::atomic<bool> fences_are_light;

// Finds out what the system offers. Before the first fence; more than once does no harm.
void start_fences() noexcept;

// One thread stores, passes a light or a full fence, and loads. Another stores elsewhere, passes a heavy fence, and loads what the first has
// stored. If each loads what the other stores, at least one of them sees it.
// light_fence: only where fences are light.
[[gnu::always_inline]] inline void light_fence() noexcept {
#ifdef CADASTRE_FULL_FENCES
  std::atomic_thread_fence(std::memory_order_seq_cst);
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}
// among_light: whether others may have passed a light fence, and not only full ones.
void heavy_fence(bool among_light = true) noexcept;

// Whether the system refuses what a build wants that has light fences.
bool fences_are_full() noexcept;

}  // namespace cadastre::internal
#endif
