// Tangled from org/out/peak_holders.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/peak_holders.hpp"

#include <atomic>
#include <cstring>

#include "base/atomic_ref.hpp"
#include "out/black_box.hpp"

namespace cadastre::internal {
namespace {

std::uint64_t sequence_of(const BlackBoxHolders& holders) noexcept { return AtomicRef(holders.sequence).load(std::memory_order_acquire); }

}  // namespace

bool read_peak_holders(BlackBoxHolders& copy) noexcept {
  constexpr int attempts = 1000;  // a thread that keeps a peak may be descheduled while it does
  if (!black_box_is_own()) return false;
  const BlackBoxHolders(&both)[2] = black_box_pages()->at_peak;
  for (int i = 0; i < attempts; ++i) {
    const BlackBoxHolders& newer = sequence_of(both[0]) > sequence_of(both[1]) ? both[0] : both[1];
    const std::uint64_t sequence = sequence_of(newer);
    std::memcpy(&copy, &newer, sizeof copy);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (sequence != 0 && sequence_of(newer) == sequence) return true;
    if (sequence_of(both[0]) == 0 && sequence_of(both[1]) == 0) return false;
  }
  return false;
}

std::int64_t time_of_peak(const BlackBoxHolders& holders) noexcept { return black_box_pages()->head.began + holders.time; }

}  // namespace cadastre::internal
