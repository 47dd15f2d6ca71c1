// Tangled from org/base/ranks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How many processes of one job share a device. Nothing throws; errno is left as it was; any thread may call.
#ifndef CADASTRE_SRC_BASE_RANKS_HPP
#define CADASTRE_SRC_BASE_RANKS_HPP

#include <chrono>
#include <cstdint>

#include "base/error.hpp"

namespace cadastre::internal {

inline constexpr int most_local_ranks = 4096;
inline constexpr int most_folders = 3;

// What the environment says of this process as one of several.
struct RankIdentity {
  int given = 0;                   // the number of ranks for each device, where the user gives it
  const char* launcher = nullptr;  // null without one
  int local_ranks = 0;             // of this job on this node; 0 if that is unknown, and then
  Text problem;                    // says why
  int local_rank = 0;              // which of them this process is
  std::uint64_t job = 0;           // the same for all of them, and for no other process on this node
  Text folders[most_folders];                 // in which the register may be, the first one first; empty ones are not used
};

// strings: NAME=VALUE, and NULL at the end. trusted: false in a program with more privileges than its caller, which uses no folder
// from the environment. given is left at 0, for the caller to fill in.
RankIdentity read_rank_identity(const char* const* strings, bool trusted) noexcept;

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
