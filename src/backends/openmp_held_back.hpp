// Tangled from org/backends/openmp_held_back.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The last few blocks that were freed.
#ifndef CADASTRE_SRC_BACKENDS_OPENMP_HELD_BACK_HPP
#define CADASTRE_SRC_BACKENDS_OPENMP_HELD_BACK_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "backends/openmp_module.hpp"
#include "base/lock.hpp"

namespace cadastre::internal {

class HeldBack {
 public:
  struct Block {
    void* first = nullptr;  // null: none
    cadastre_openmp_kind kind = cadastre_openmp_device;
    std::int32_t device = 0;
    std::uintptr_t address = 0;
    std::size_t size = 0;
  };

  // Takes a block, and answers one to be freed instead: an older one, the same one if it is large, or none.
  Block exchange(const Block& block) noexcept {
    if (block.size > largest) return block;
    const Locked locked(mutex_);
    return std::exchange(blocks_[next_++ % blocks_.size()], block);
  }

  bool holds(std::uintptr_t address) noexcept {
    const Locked locked(mutex_);
    return std::any_of(blocks_.begin(), blocks_.end(),
                       [&](const Block& block) { return block.first && address - block.address < block.size; });
  }

  // Whether there was something.
  bool give_back_all(const cadastre_openmp_table& table) noexcept {
    std::array<Block, count> all;
    {
      const Locked locked(mutex_);
      all = std::exchange(blocks_, {});
    }
    bool any = false;
    for (const Block& block : all) {
      if (!block.first) continue;
      table.free(block.kind, block.first, block.device);
      any = true;
    }
    return any;
  }

 private:
  static constexpr std::size_t count = 16;
  static constexpr std::size_t largest = std::size_t{1} << 20;

  Mutex<Rank::pool> mutex_;  // held for a few instructions, and by no child: there the runtime is not called
  std::array<Block, count> blocks_ CADASTRE_GUARDED_BY(mutex_);
  std::size_t next_ CADASTRE_GUARDED_BY(mutex_) = 0;
};

}  // namespace cadastre::internal
#endif
