// Tangled from org/base/capacity.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How much memory the host offers this process. Nothing allocates, throws or takes a lock; errno is left as it was; any thread
// may call, at any time.
#ifndef CADASTRE_SRC_BASE_CAPACITY_HPP
#define CADASTRE_SRC_BASE_CAPACITY_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace cadastre::internal {

struct GroupLimit {
  std::uint64_t bytes;
  std::optional<std::uint64_t> used;  // by the group that has the limit, without pages that are given up first
  char group[161];                    // fit for a terminal; of a longer path its end, behind "..."
  char file[4096];                    // that has the limit
};

struct HostCapacity {
  enum class Bound { unknown, ram, control_group, address_space };

  std::size_t bytes = 0;      // the smallest of what is below; 0 if nothing is known
  Bound by = Bound::unknown;  // what that is
  char why[288] = "";         // the number and where it is from, as text_of says it
  char doubt[448] = "";       // what could not be read and may be smaller, without a full stop; empty where all was read

  std::optional<std::uint64_t> ram;            // that the system manages
  std::optional<std::uint64_t> available;      // what the system guesses that new programs may have without swapping
  std::optional<std::uint64_t> address_space;  // the soft limit (RLIMIT_AS)
  std::optional<std::uint64_t> mapped;         // of the address space
  std::optional<GroupLimit> group;             // the smallest limit of all control groups around this process
};

// How much of one of these is used. limit: 0 where that is not known.
struct HostUse {
  HostCapacity::Bound of = HostCapacity::Bound::unknown;
  std::uint64_t used = 0, limit = 0;

  double share() const noexcept { return limit == 0 ? 0 : static_cast<double>(used) / static_cast<double>(limit); }
};
using HostUses = std::array<HostUse, 3>;
HostUses uses_of_host(const HostCapacity& capacity) noexcept;
// "8.00 GiB, which the control group /job_17 allows": what a bound is, without a full stop.
struct BoundText {
  char characters[288];
};
BoundText text_of(HostCapacity::Bound by, std::uint64_t bytes, const HostCapacity& capacity) noexcept;

// What a look at the host needs beside some 4 KiB of the stack.
struct HostLook {
  struct File {
    char path[4096], lines[4097];
  };

  const char* root = nullptr;
  HostCapacity capacity;
  File groups, mounts, other;  // that are read at once
};

// root: stands before /proc and before the paths there; for tests, which see the files below it and nothing else of RAM and groups.
HostCapacity host_capacity(const char* root = "") noexcept;
// The same, which stays until the next look.
const HostCapacity& host_capacity(HostLook& look, const char* root = "") noexcept;

// The resident memory of this process; nothing if the system does not report it.
std::optional<std::size_t> resident_bytes(const char* root = "") noexcept;

}  // namespace cadastre::internal
#endif
