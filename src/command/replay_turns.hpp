// Tangled from org/command/replay_turns.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Which operations each one waits for.
#ifndef CADASTRE_SRC_COMMAND_REPLAY_TURNS_HPP
#define CADASTRE_SRC_COMMAND_REPLAY_TURNS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace.hpp"

namespace cadastre::command {

// How many operations must be done on what an operation uses before it may begin.
struct Turn {
  std::uint32_t block = 0;
  std::uint32_t source = 0;
  std::uint32_t context = 0;
};

// The place of a block or foreign pointer among all of them; NULL is at 0.
inline std::size_t resource_of(const Trace& trace, std::int64_t block) {
  return block >= 0 ? static_cast<std::size_t>(block) : trace.blocks.size() + static_cast<std::size_t>(-block);
}

inline bool begins_or_ends_context(const Operation& operation) { return operation.kind == Kind::create || operation.kind == Kind::destroy; }

// Of each operation.
std::vector<Turn> turns_of(const Trace& trace);

}  // namespace cadastre::command
#endif
