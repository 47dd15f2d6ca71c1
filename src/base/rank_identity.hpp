// Tangled from org/base/rank_identity.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the environment says of this process as one of several. Nothing throws; errno is left as it was; any thread may call.
#ifndef CADASTRE_SRC_BASE_RANK_IDENTITY_HPP
#define CADASTRE_SRC_BASE_RANK_IDENTITY_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/user_folder.hpp"

namespace cadastre::internal {

inline constexpr int most_local_ranks = 4096;

// What the environment says of this process as one of several.
struct RankIdentity {
  int given = 0;                   // the number of ranks for each device, where the user gives it
  const char* launcher = nullptr;  // null without one
  int local_ranks = 0;             // of this job on this node; 0 if that is unknown, and then
  Text problem;                    // says why
  int local_rank = 0;              // which of them this process is
  std::uint64_t job = 0;           // the same for all of them, and for no other process on this node
  Text folders[most_folders];      // in which the register may be, the first one first; empty ones are not used
};

// strings: NAME=VALUE, and NULL at the end. trusted: false in a program with more privileges than its caller, which uses no folder
// from the environment. given is left at 0, for the caller to fill in.
RankIdentity read_rank_identity(const char* const* strings, bool trusted) noexcept;

// The number from least to most that a text is; -1 if it is none.
int number_in(std::string_view text, int least, int most) noexcept;

// A value as a message shows it.
struct ShownValue {
  char characters[96];
  explicit ShownValue(std::string_view text) noexcept {
    std::size_t used = 0;
    const auto add = [&](std::string_view piece) {
      if (used + piece.size() < sizeof characters) used += piece.copy(characters + used, piece.size());
    };
    constexpr std::size_t most = 90;
    show(text.substr(0, most), add);
    characters[used] = '\0';
  }
};

}  // namespace cadastre::internal
#endif
