// Tangled from org/registry/accounts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a context counts of each memory type, on all devices together and on each.
#ifndef CADASTRE_SRC_REGISTRY_ACCOUNTS_HPP
#define CADASTRE_SRC_REGISTRY_ACCOUNTS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <vector>

#include "base/accounting.hpp"
#include "base/non_copyable.hpp"
#include "base/record.hpp"
#include "cadastre.h"
#include "core/block_cache.hpp"
#include "core/label_counts.hpp"

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

// All accounts of a context, below its shared account, and what lives with each label. For who has the lock of the context; what shards count is
// told when the heap is locked.
class ContextAccounts : NonCopyable {
 public:
  // parent: null, or whose memory counts what counts here.
  explicit ContextAccounts(SharedAccount* parent) noexcept : shared_(parent) {}
  ~ContextAccounts() { delete_own(other_labels_); }

  Accounts& of(cadastre_memory_type type) noexcept { return of_type_[static_cast<std::size_t>(type)]; }
  const Accounts& of(cadastre_memory_type type) const noexcept { return of_type_[static_cast<std::size_t>(type)]; }
  SharedAccount& shared() noexcept { return shared_; }
  const SharedAccount& shared() const noexcept { return shared_; }

  // With the heap locked: whether anything was ever counted; and whether any of it was on a device, or of another type than HOST.
  bool has_counted() const noexcept;
  bool has_counted_beside_the_heap() const noexcept;
  // As new, where that is not so, and all is freed.
  void renew() noexcept;

  // Reserves bytes that a block is to have, unless a limit refuses; and gives them up when it came to nothing.
  std::optional<Refusal> reserve(cadastre_memory_type type, std::size_t bytes) noexcept {
    const std::optional<Refusal> refusal = shared_.claim(type, bytes);
    if (!refusal) of(type).reserved += bytes;
    return refusal;
  }
  void cancel(cadastre_memory_type type, std::size_t bytes) noexcept {
    of(type).reserved -= bytes;
    shared_.cancel(type, bytes);
  }

  // A block that lives from now on, whose bytes were reserved; and one that does no more.
  void count_in(const Record& record) noexcept;
  void count_out(const Record& record) noexcept;
  // A new size, whose growth was reserved.
  void count_resize(const Record& record, std::size_t size) noexcept;
  // A free; and that one which was counted failed, or was done without the library, after all.
  void count_deallocation(const Record& record) noexcept;
  void count_failed_free(const Record& record) noexcept;
  void count_plain_free(const Record& record) noexcept;
  // A block that was freed without the library, of which no free was counted.
  void count_lost(const Record& record) noexcept;
  // What a thread did with a cache that is taken away from it. The blocks that it has are counted as live, and are not.
  void count_cache(const BlockCache& cache) noexcept;

  // What no shard counts of labels of HOST memory; that of another memory type, null as long as there is none.
  LabelCounts& host_labels() noexcept { return host_labels_; }
  LabelCounts* labels_of(cadastre_memory_type type) const noexcept {
    return other_labels_ ? &other_labels_->of_type[static_cast<std::size_t>(type)] : nullptr;
  }
  bool are_labels_complete() const noexcept;

  // With the heap locked: counts all that is here in shared accounts that were cleared; and takes all that is here out of them.
  void charge_anew() noexcept;
  void discharge_all() noexcept;

 private:
  void count_label(const Record& record, const LabelCount& count) noexcept;

  SharedAccount shared_;
  std::array<Accounts, memory_types> of_type_;
  LabelCounts host_labels_;
  struct LabelsOfTypes {
    std::array<LabelCounts, memory_types> of_type;  // that of HOST stays empty
  };
  LabelsOfTypes* other_labels_ = nullptr;
  bool misses_labels_ = false;  // for want of memory
};

}  // namespace cadastre::internal
#endif
