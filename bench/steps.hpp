// Tangled from org/bench/pool_policies.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a trace does to blocks, as a list of steps.
#ifndef CADASTRE_BENCH_STEPS_HPP
#define CADASTRE_BENCH_STEPS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trace.hpp"

namespace bench {

namespace command = cadastre::command;

struct Step {
  std::size_t block;
  std::size_t size;
  bool fills;
};

struct Steps {
  std::vector<Step> all;
  std::size_t blocks = 0;
  double bytes = 0, most_alive = 0;
};

inline Steps steps_of(const command::Trace& trace) {
  Steps steps;
  steps.blocks = trace.blocks.size() + 1;
  std::vector<std::pair<std::size_t, std::uint32_t>> live(steps.blocks);  // size and context; that is 0 when dead
  double alive = 0;
  const auto fill = [&](std::size_t block, std::size_t size, std::uint32_t context) {
    live[block] = {size, context};
    steps.all.push_back({block, size, true});
    steps.bytes += static_cast<double>(size);
    steps.most_alive = std::max(steps.most_alive, alive += static_cast<double>(size));
  };
  const auto empty = [&](std::size_t block) {
    if (live[block].second == 0) return;
    alive -= static_cast<double>(live[block].first);
    steps.all.push_back({block, live[block].first, false});
    live[block].second = 0;
  };
  for (const command::Operation& operation : trace.operations) {
    if (operation.result != CADASTRE_SUCCESS) continue;
    const auto block = operation.block > 0 ? static_cast<std::size_t>(operation.block) : 0;
    if (operation.kind == command::Kind::destroy) {
      for (std::size_t each = 0; each < steps.blocks; ++each) {
        if (live[each].second == operation.context) empty(each);
      }
    }
    if (operation.kind == command::Kind::free || operation.kind == command::Kind::realloc) empty(block);
    if (operation.kind == command::Kind::malloc || operation.kind == command::Kind::realloc) fill(block, operation.size, operation.context);
  }
  return steps;
}

inline std::string name_of_file(const std::string& path) {
  const std::string file = path.substr(path.rfind('/') + 1);
  return file.substr(0, file.find('.'));
}

}  // namespace bench
#endif
