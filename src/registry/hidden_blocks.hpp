// Tangled from org/registry/hidden_blocks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that live, and that no address finds while a call moves or frees their memory.
#ifndef CADASTRE_SRC_REGISTRY_HIDDEN_BLOCKS_HPP
#define CADASTRE_SRC_REGISTRY_HIDDEN_BLOCKS_HPP

#include <cstddef>
#include <utility>

#include "base/non_copyable.hpp"
#include "base/record.hpp"

namespace cadastre::internal {

// Stays where it is as long as it is listed.
struct Hidden : NonCopyable {
  Record record;
  bool is_listed = false;
  Hidden *next = nullptr, *previous = nullptr;  // in the registry
};

class HiddenBlocks : NonCopyable {
 public:
  std::size_t count() const noexcept { return count_; }

  void list(Hidden& hidden) noexcept {
    hidden.record.state = State::hidden;
    hidden.is_listed = true;
    hidden.previous = nullptr;
    hidden.next = std::exchange(first_, &hidden);
    if (hidden.next) hidden.next->previous = &hidden;
    ++count_;
  }
  // False where it was taken out before: in the child of a fork, as that of another thread.
  bool unlist(Hidden& hidden) noexcept {
    if (!std::exchange(hidden.is_listed, false)) return false;
    (hidden.previous ? hidden.previous->next : first_) = hidden.next;
    if (hidden.next) hidden.next->previous = hidden.previous;
    --count_;
    return true;
  }
  // The action may unlist the one that it is called for.
  template <class Action>
  void for_each(Action action) const {
    for (Hidden *hidden = first_, *next = nullptr; hidden; hidden = next) {
      next = hidden->next;
      action(*hidden);
    }
  }

 private:
  Hidden* first_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace cadastre::internal
#endif
