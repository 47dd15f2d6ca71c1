// Tangled from org/registry/accounts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a context counts of each memory type, on all devices together and on each.
#ifndef CADASTRE_SRC_REGISTRY_ACCOUNTS_HPP
#define CADASTRE_SRC_REGISTRY_ACCOUNTS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "base/record.hpp"
#include "cadastre.h"

namespace cadastre::internal {

struct Account {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;

  Account() noexcept { figures.limit = CADASTRE_UNLIMITED; }
  // Whether there is anything in it, or was.
  bool has_counted() const noexcept { return (figures.allocations | figures.failed_allocations | figures.borrowed_blocks) != 0; }

  void count_in(const Record& record) noexcept {
    if (record.borrowed()) {
      ++figures.borrowed_blocks;
      return;
    }
    ++figures.allocations;
    ++figures.live_blocks;
    figures.high_water_mark_blocks = std::max(figures.high_water_mark_blocks, figures.live_blocks);
    grow(record.size, !(record.flags & CADASTRE_UNINITIALIZED));
  }
  void count_out(const Record& record) noexcept {
    if (record.borrowed()) {
      --figures.borrowed_blocks;
      return;
    }
    --figures.live_blocks;
    figures.live_bytes -= record.size;
  }
  void grow(std::size_t bytes, bool zeroed) noexcept {
    figures.live_bytes += bytes;
    figures.total_bytes += bytes;
    if (zeroed) figures.zeroed_bytes += bytes;
    figures.high_water_mark_bytes = std::max(figures.high_water_mark_bytes, figures.live_bytes);
  }
  void reset_high_water_marks() noexcept {
    figures.high_water_mark_bytes = figures.live_bytes;
    figures.high_water_mark_blocks = figures.live_blocks;
  }
};

class Accounts {
 public:
  Account all;
  std::size_t reserved = 0;

  bool has_devices() const noexcept { return !devices_.empty(); }
  // As new, where it has none.
  void renew() noexcept {
    if (all.has_counted()) all = Account();
    reserved = 0;
  }
  // Makes sure that a device has an account; false when the host has no memory.
  bool open(std::int32_t device) noexcept try {
    if (device >= 0 && !of(device)) devices_.push_back({device, {}});
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
  // Null when nothing was ever on that device, and for memory that belongs to none.
  Account* of(std::int32_t device) noexcept {
    for (Entry& entry : devices_) {
      if (entry.device == device) return &entry.account;
    }
    return nullptr;
  }
  void reset_high_water_marks() noexcept {
    all.reset_high_water_marks();
    for (Entry& entry : devices_) entry.account.reset_high_water_marks();
  }
  // Does the same to the account of all devices and to that of one.
  template <class Action>
  void each(std::int32_t device, Action action) noexcept {
    action(all);
    if (Account* const own = of(device)) action(*own);
  }
  template <class Action>
  void for_each_device(Action action) const {
    for (const Entry& entry : devices_) action(entry.device, entry.account);
  }

 private:
  struct Entry {
    std::int32_t device;
    Account account;
  };
  std::vector<Entry> devices_;
};

}  // namespace cadastre::internal
#endif
