// Tangled from org/command/replay_turns.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_turns.hpp"

namespace cadastre::command {

std::vector<Turn> turns_of(const Trace& trace) {
  std::vector<std::uint32_t> resources(trace.blocks.size() + trace.foreign_sizes.size());
  std::vector<std::uint32_t> contexts(trace.contexts.size());
  std::vector<std::uint32_t> after_creation(trace.contexts.size());
  std::vector<Turn> turns(trace.operations.size());
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Operation& operation = trace.operations[i];
    Turn& turn = turns[i];
    if (operation.block != 0) turn.block = resources[resource_of(trace, operation.block)]++;
    if (operation.source != 0 && operation.source != operation.block) {
      turn.source = resources[resource_of(trace, operation.source)]++;
    }
    std::uint32_t& done = contexts[operation.context];
    const bool boundary = begins_or_ends_context(operation);
    turn.context = boundary ? done : after_creation[operation.context];
    ++done;
    if (boundary) after_creation[operation.context] = done;
  }
  return turns;
}

}  // namespace cadastre::command
