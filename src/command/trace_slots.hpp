// Tangled from org/command/trace_slots.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Serial numbers become slots.
#ifndef CADASTRE_SRC_COMMAND_TRACE_SLOTS_HPP
#define CADASTRE_SRC_COMMAND_TRACE_SLOTS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace cadastre::command {

class Slots {
 public:
  // The slot of a serial number; 0 when it has none.
  std::uint32_t find(std::uint64_t serial) const {
    if (serial < dense_.size()) return dense_[serial];
    const auto found = sparse_.find(serial);
    return found == sparse_.end() ? 0 : found->second;
  }

  std::uint32_t find_or_give(std::uint64_t serial) {
    if (const std::uint32_t slot = find(serial)) return slot;
    ++last_;
    if (serial < dense_.size() || serial < std::max<std::uint64_t>(1024, 4 * std::uint64_t{last_})) {
      if (serial >= dense_.size()) grow(serial);
      dense_[serial] = last_;
    } else {
      sparse_.emplace(serial, last_);
    }
    return last_;
  }

 private:
  // What was sparse and now falls among the dense moves over, so that each number is kept in one place.
  void grow(std::uint64_t serial) {
    dense_.resize(std::max<std::size_t>(2 * dense_.size(), serial + 1));
    std::erase_if(sparse_, [&](const auto& entry) {
      if (entry.first >= dense_.size()) return false;
      dense_[entry.first] = entry.second;
      return true;
    });
  }

  std::vector<std::uint32_t> dense_;
  std::map<std::uint64_t, std::uint32_t> sparse_;
  std::uint32_t last_ = 0;
};

}  // namespace cadastre::command
#endif
