// Tangled from org/base/ranks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How many processes of one job share a device. Nothing throws; errno is left as it was; any thread may call.
#ifndef CADASTRE_SRC_BASE_RANKS_HPP
#define CADASTRE_SRC_BASE_RANKS_HPP

#include <chrono>

#include "base/error.hpp"
#include "base/rank_identity.hpp"

namespace cadastre::internal {

struct RanksOnDevice {
  int count = 0;  // 0: unknown
  Text why;       // what the number is from, or why it is unknown; without a full stop
};

// Enters this process as one that uses a device, and counts. device: its UUID, up to 100 printable characters. Waits up to patience for
// other ranks of the job to enter, without a lock held. A forked child of a process that entered does not enter, and is not counted.
RanksOnDevice ranks_on_device(const RankIdentity& me, const char* device, std::chrono::milliseconds patience) noexcept;

// Removes this process from the register, as at a normal end; it may enter again. Without it, the next rank that enters cleans up.
void leave_ranks() noexcept;

}  // namespace cadastre::internal
#endif
