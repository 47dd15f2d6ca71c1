// Tangled from org/base/accounting.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Bytes in use by contexts and all below them, up to the process; limits on the sum.
#ifndef CADASTRE_SRC_BASE_ACCOUNTING_HPP
#define CADASTRE_SRC_BASE_ACCOUNTING_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "base/account_tree.hpp"
#include "base/non_copyable.hpp"
#include "base/record.hpp"
#include "base/shared_bytes.hpp"
#include "base/vocabulary.hpp"

namespace cadastre::internal {

class SharedAccount;
struct OutOfMemoryFunction;

// Called when what lives or is kept of a memory type has changed, in an account and all above it, or its limit, which may be that of all types, by a thread that may hold locks: it neither takes one nor
// calls anything that does.
using BytesWatcher = void (*)(const SharedAccount& account, cadastre_memory_type type) noexcept;
inline constinit std::atomic<BytesWatcher> bytes_watcher = nullptr;

// Which limit refused a claim, of which account, and its numbers at that moment.
struct Refusal {
  SharedAccount* account;
  cadastre_memory_type of;  // a type, or all of them
  std::size_t claimed, limit;

  bool is_same_limit(const Refusal& other) const noexcept { return account == other.account && of == other.of; }
  bool counts(cadastre_memory_type type) const noexcept { return of == type || of == CADASTRE_ALL_MEMORY_TYPES; }
};

class SharedAccount : public AccountNode {
 public:
  // Below another, which must outlive this one; parent: null for a root.
  explicit constexpr SharedAccount(SharedAccount* parent = nullptr) noexcept : AccountNode(parent) {}
  explicit constexpr SharedAccount(cadastre_context owner) noexcept : AccountNode(owner) {}

  SharedAccount* parent() const noexcept { return static_cast<SharedAccount*>(AccountNode::parent()); }
  // Of one in which only HOST memory was ever counted, but for what children had: counts nothing and is nobody's, as a new one. Limits are set
  // anew by who has it next.
  void renew() noexcept CADASTRE_EXCLUDES(mutex);

  // The caller's function that is asked before a request is refused; null for none.
  std::atomic<OutOfMemoryFunction*> out_of_memory = nullptr;

  SharedBytes& of(cadastre_memory_type type) noexcept { return bytes_[static_cast<std::size_t>(type)]; }
  const SharedBytes& of(cadastre_memory_type type) const noexcept { return bytes_[static_cast<std::size_t>(type)]; }

  // Of a memory type, or of all together.
  std::size_t limit(cadastre_memory_type type) const noexcept {
    return type == CADASTRE_ALL_MEMORY_TYPES ? limit_of_all_.load(std::memory_order_relaxed) : of(type).limit();
  }
  void set_limit(cadastre_memory_type type, std::size_t bytes) noexcept {
    if (type == CADASTRE_ALL_MEMORY_TYPES) {
      limit_of_all_.store(bytes, std::memory_order_relaxed);
    } else {
      of(type).set_limit(bytes);
    }
    show_watcher(type);
  }
  bool limits_all_together() const noexcept { return limit(CADASTRE_ALL_MEMORY_TYPES) != CADASTRE_UNLIMITED; }
  std::size_t live(cadastre_memory_type type) const noexcept { return sum_of(type, &SharedBytes::live); }
  std::size_t claimed(cadastre_memory_type type) const noexcept { return sum_of(type, &SharedBytes::claimed); }
  std::size_t kept(cadastre_memory_type type) const noexcept { return sum_of(type, &SharedBytes::kept); }

  // Claims bytes in this account and in all above it, or in none.
  std::optional<Refusal> claim(cadastre_memory_type type, std::size_t bytes) noexcept;
  // The others do the same in all of them as those of SharedBytes.
  void claim_beyond(cadastre_memory_type type, std::size_t bytes) noexcept {
    for_each([&](SharedAccount& each) { each.of(type).claim_beyond(bytes); });
  }
  void cancel(cadastre_memory_type type, std::size_t bytes) noexcept {
    for_each([&](SharedAccount& each) { each.of(type).cancel(bytes); });
  }
  void settle(cadastre_memory_type type, std::size_t bytes, std::int64_t blocks) noexcept {
    for_each_watched(type, [&](SharedAccount& each) { each.of(type).settle(bytes, blocks); });
  }
  void settle_unmarked(cadastre_memory_type type, std::size_t bytes, std::int64_t blocks) noexcept {
    for_each_watched(type, [&](SharedAccount& each) { each.of(type).settle_unmarked(bytes, blocks); });
  }
  void note_marks(cadastre_memory_type type, std::size_t unused_bytes, std::int64_t unused_blocks) noexcept {
    for_each([&](SharedAccount& each) { each.of(type).note_marks(unused_bytes, unused_blocks); });
  }
  void discharge(cadastre_memory_type type, std::size_t bytes, std::int64_t blocks) noexcept {
    for_each_watched(type, [&](SharedAccount& each) { each.of(type).discharge(bytes, blocks); });
  }
  void discharge_noted(cadastre_memory_type type, std::size_t bytes, std::int64_t blocks) noexcept {
    for_each_watched(type, [&](SharedAccount& each) { each.of(type).discharge_noted(bytes, blocks); });
  }
  void keep(cadastre_memory_type type, std::size_t bytes) noexcept {
    for_each_watched(type, [&](SharedAccount& each) { each.of(type).keep(bytes); });
  }
  void give_up(cadastre_memory_type type, std::size_t bytes) noexcept {
    for_each_watched(type, [&](SharedAccount& each) { each.of(type).give_up(bytes); });
  }

  // Whether any account from here up has a limit that a memory type counts against.
  bool is_limited(cadastre_memory_type type) const noexcept { return counters_looked_at(type) > 0; }
  // Whether they are so here or above.
  bool are_scarce(cadastre_memory_type type) const noexcept { return SharedBytes::may_be_scarce() && are_scarce_upwards(type); }
  // What the limits leave beside all that is claimed or kept; negative where more is. most_room where there is no limit.
  static constexpr std::ptrdiff_t most_room = std::numeric_limits<std::ptrdiff_t>::max();
  std::ptrdiff_t room(cadastre_memory_type type) const noexcept;

  // Counts nothing, and nobody below; for the child of a fork.
  void clear() noexcept {
    for (SharedBytes& bytes : bytes_) bytes.clear();
    forget_children();
  }

 private:
  template <class Action>
  void for_each(Action action) noexcept {
    for (SharedAccount* each = this; each; each = each->parent()) action(*each);
  }
  // Of what lives or is kept, which somebody may watch.
  template <class Action>
  void for_each_watched(cadastre_memory_type type, Action action) noexcept {
    for_each(action);
    show_watcher(type);
  }
  void show_watcher(cadastre_memory_type type) const noexcept {
    if (const BytesWatcher watcher = bytes_watcher.load(std::memory_order_relaxed)) [[unlikely]]
      watcher(*this, type);
  }
  // How many counters a claim compares with limits, from here up.
  unsigned counters_looked_at(cadastre_memory_type type) const noexcept;
  bool stays_within_all(cadastre_memory_type type, std::size_t bytes) noexcept;
  std::size_t used_together() const noexcept;
  std::optional<Refusal> claim_upwards(cadastre_memory_type type, std::size_t bytes) noexcept;
  // As large as can be, where it would be more.
  std::size_t sum_of(cadastre_memory_type type, std::size_t (SharedBytes::*number)() const noexcept) const noexcept {
    std::size_t sum = 0;
    for_each_type_of(type, [&](cadastre_memory_type each) { sum += std::min((of(each).*number)(), SIZE_MAX - sum); });
    return sum;
  }
  bool are_scarce_upwards(cadastre_memory_type type) const noexcept;

  std::atomic<std::size_t> limit_of_all_ = CADASTRE_UNLIMITED;
  std::array<SharedBytes, memory_types> bytes_;
};

// The root.
SharedAccount& process_account() noexcept;

// Keeps an account alive, and counts as a child of it. Of those that other threads had when a process forked, the child knows
// nothing; what is still there is renewed.
class ChildOf {
 public:
  explicit ChildOf(SharedAccount& parent) noexcept : parent_(&parent) { parent.add_child(); }
  ChildOf(ChildOf&& other) noexcept : parent_(other.parent_) {
    if (other.generation_ != current_generation) parent_->add_child();
    other.parent_ = nullptr;
  }
  ChildOf& operator=(ChildOf&& other) noexcept {
    ChildOf taken(std::move(other));
    std::swap(parent_, taken.parent_);
    std::swap(generation_, taken.generation_);
    return *this;
  }
  // Nobody's.
  ChildOf() = default;
  ~ChildOf() { leave(); }
  void leave() noexcept {
    if (parent_ && generation_ == current_generation) parent_->remove_child();
    parent_ = nullptr;
  }
  SharedAccount& parent() const noexcept { return *parent_; }

  // In the child of a fork: first that everything is old, then what is there all the same.
  static void age() noexcept { ++current_generation; }
  static std::uint32_t generation() noexcept { return current_generation; }
  void renew() noexcept {
    parent_->add_child();
    generation_ = current_generation;
  }

 private:
  static inline constinit std::uint32_t current_generation = 0;
  SharedAccount* parent_ = nullptr;
  std::uint32_t generation_ = current_generation;
};

// Bytes are scarce in an account while this exists.
class Scarce : NonCopyable {
 public:
  explicit Scarce(SharedBytes& bytes) noexcept : bytes_(bytes) { bytes_.begin_to_be_scarce(); }
  ~Scarce() {
    if (generation_ == ChildOf::generation()) bytes_.end_to_be_scarce();
  }

 private:
  SharedBytes& bytes_;
  std::uint32_t generation_ = ChildOf::generation();  // in the child of a fork nothing is scarce
};

}  // namespace cadastre::internal
#endif
