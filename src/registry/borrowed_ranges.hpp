// Tangled from org/registry/borrowed_ranges.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The ranges of memory that callers vouch for, and which of them a new block cuts.
#ifndef CADASTRE_SRC_REGISTRY_BORROWED_RANGES_HPP
#define CADASTRE_SRC_REGISTRY_BORROWED_RANGES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/non_copyable.hpp"
#include "base/own_memory.hpp"
#include "base/record.hpp"
#include "core/table.hpp"

namespace cadastre::internal {

// Each is an entry of the table, which says where it stands in the list.
class BorrowedRanges : NonCopyable {
 public:
  explicit BorrowedRanges(Table& table) noexcept : table_(table) {}

  bool empty() const noexcept { return list_.empty(); }
  std::size_t size() const noexcept { return list_.size(); }
  // Whether there ever was any.
  bool were_any() const noexcept { return list_.capacity() > 0; }
  bool has(const Record& range) const noexcept {
    const Entry* const entry = table_.find_live(range.address());
    return entry && entry->place < list_.size() && list_[entry->place] == range.address();
  }

  // Makes sure that one more can be noted; false when there is no memory.
  bool reserve_one() noexcept { return list_.reserve_one(); }
  // One that is in the table.
  void note(const Record& range) noexcept {
    table_.find(range.address())->place = static_cast<std::uint32_t>(list_.size());
    list_.push_back(range.address());
  }
  // Takes it out of the table, too.
  void forget(Entry& range) noexcept {
    table_.find(list_[list_.size() - 1])->place = range.place;
    list_.remove_at(range.place);
    range.set(Entry::Is::gone);
  }

  // Calls for each that shares bytes with others and does not enclose them; it may be forgotten then.
  template <class Action>
  void for_each_cut(std::uintptr_t address, std::size_t size, Action action) const noexcept {
    if (empty()) return;
    const std::uintptr_t last = address + std::max<std::size_t>(size, 1) - 1;
    const auto look_at = [&](Entry& entry) {
      const std::optional<Record> range = Table::read(entry, Kind::live);
      if (!range || !range->borrowed()) return;
      const std::uintptr_t first = range->address(), end = first + std::max<std::size_t>(range->size, 1) - 1;
      const bool apart = first > last || end < address, around = first <= address && end >= last;
      if (!apart && !around) action(entry);
    };
    // By their granules or by the list of all, whichever is less work.
    if (list_.size() > table_.granules_near(address, last)) return table_.for_each_near(address, last, look_at);
    for (std::size_t place = list_.size(); place-- > 0;) look_at(*table_.find(list_[place]));  // what goes gives its place to one behind it
  }

 private:
  Table& table_;
  OwnVector<std::uintptr_t> list_;  // in no order
};

}  // namespace cadastre::internal
#endif
