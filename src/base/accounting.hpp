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

#include "base/counters.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "base/record.hpp"
#include "base/vocabulary.hpp"

namespace cadastre::internal {

// The bytes of one memory type in one account.
class alignas(64) SharedBytes {
 public:
  // Claims bytes below the limit; nothing changes where it refuses. 0 bytes are never refused.
  bool claim(std::size_t bytes) noexcept {
    std::size_t before = claimed_.load(std::memory_order_relaxed);
    do {
      const std::size_t most = limit();
      if (bytes > 0 && (before > most || bytes > most - before)) return false;
    } while (!claimed_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
    return true;
  }
  // The same without a limit: for memory that is there already.
  void claim_beyond(std::size_t bytes) noexcept { claimed_.fetch_add(bytes, std::memory_order_relaxed); }
  void cancel(std::size_t bytes) noexcept { claimed_.fetch_sub(bytes, std::memory_order_relaxed); }

  // Claimed bytes are live now.
  void settle(std::size_t bytes, std::int64_t blocks) noexcept {
    raise(most_live_, live_.fetch_add(bytes, std::memory_order_relaxed) + bytes);
    raise(most_blocks_, blocks_.fetch_add(blocks, std::memory_order_relaxed) + blocks);
  }
  // Claimed bytes are live, but not all of them are in use yet, so that the marks stay as they are.
  void settle_unmarked(std::size_t bytes, std::int64_t blocks) noexcept {
    live_.fetch_add(bytes, std::memory_order_relaxed);
    blocks_.fetch_add(blocks, std::memory_order_relaxed);
  }
  // Raises the marks to what is live, less what somebody has settled and never used.
  void note_marks(std::size_t unused_bytes, std::int64_t unused_blocks) noexcept {
    raise(most_live_, live_.load(std::memory_order_relaxed) - unused_bytes);
    raise(most_blocks_, blocks_.load(std::memory_order_relaxed) - unused_blocks);
  }
  // Bytes are neither live nor claimed any more. What others have settled unmarked and used counts before, lest it is forgotten.
  void discharge(std::size_t bytes, std::int64_t blocks) noexcept {
    note_marks(0, 0);
    discharge_noted(bytes, blocks);
  }
  // The same for who has noted marks just now.
  void discharge_noted(std::size_t bytes, std::int64_t blocks) noexcept {
    live_.fetch_sub(bytes, std::memory_order_relaxed);
    blocks_.fetch_sub(blocks, std::memory_order_relaxed);
    cancel(bytes);
  }
  void keep(std::size_t bytes) noexcept { kept_.fetch_add(bytes, std::memory_order_relaxed); }
  void give_up(std::size_t bytes) noexcept { kept_.fetch_sub(bytes, std::memory_order_relaxed); }

  std::size_t claimed() const noexcept { return claimed_.load(std::memory_order_relaxed); }
  std::size_t live() const noexcept { return live_.load(std::memory_order_relaxed); }
  std::size_t kept() const noexcept { return kept_.load(std::memory_order_relaxed); }
  std::size_t most_live() const noexcept { return most_live_.load(std::memory_order_relaxed); }
  std::int64_t most_blocks() const noexcept { return most_blocks_.load(std::memory_order_relaxed); }
  std::size_t limit() const noexcept { return limit_.load(std::memory_order_relaxed); }
  bool is_limited() const noexcept { return limit() != CADASTRE_UNLIMITED; }
  void set_limit(std::size_t bytes) noexcept { limit_.store(bytes, std::memory_order_relaxed); }
  // While they are scarce nobody claims in advance. Several may say so, and each takes it back.
  bool are_scarce() const noexcept { return scarce_.load(std::memory_order_relaxed) > 0; }
  // Whether any may be, which is asked often and needs one load.
  static bool may_be_scarce() noexcept { return scarce_anywhere.load(std::memory_order_relaxed) > 0; }
  void begin_to_be_scarce() noexcept {
    scarce_.fetch_add(1, std::memory_order_relaxed);
    scarce_anywhere.fetch_add(1, std::memory_order_relaxed);
  }
  void end_to_be_scarce() noexcept {
    scarce_anywhere.fetch_sub(1, std::memory_order_relaxed);
    scarce_.fetch_sub(1, std::memory_order_relaxed);
  }

  void reset_marks() noexcept {
    most_live_.store(live(), std::memory_order_relaxed);
    most_blocks_.store(blocks_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  void renew() noexcept {
    clear();
    most_live_.store(0, std::memory_order_relaxed);
    most_blocks_.store(0, std::memory_order_relaxed);
  }
  // Counts nothing any more; limit and marks stay. For the child of a fork.
  void clear() noexcept {
    claimed_.store(0, std::memory_order_relaxed);
    live_.store(0, std::memory_order_relaxed);
    kept_.store(0, std::memory_order_relaxed);
    blocks_.store(0, std::memory_order_relaxed);
    scarce_.store(0, std::memory_order_relaxed);
  }

 private:
  template <class Number>
  static void raise(std::atomic<Number>& mark, Number value) noexcept {
    Number before = mark.load(std::memory_order_relaxed);
    while (before < value && !mark.compare_exchange_weak(before, value, std::memory_order_relaxed)) continue;
  }

  std::atomic<std::size_t> claimed_ = 0, live_ = 0, kept_ = 0, most_live_ = 0;
  std::atomic<std::size_t> limit_ = CADASTRE_UNLIMITED;
  std::atomic<std::int64_t> blocks_ = 0, most_blocks_ = 0;
  std::atomic<std::uint32_t> scarce_ = 0;
  static inline constinit std::atomic<std::uint32_t> scarce_anywhere = 0;  // in the child of a fork also of threads that are not there
};
static_assert(sizeof(SharedBytes) == 64);

class SharedAccount;
struct OutOfMemoryFunction;

// Which limit refused a claim, of which account, and its numbers at that moment.
struct Refusal {
  SharedAccount* account;
  cadastre_memory_type of;  // a type, or all of them
  std::size_t claimed, limit;

  bool is_same_limit(const Refusal& other) const noexcept { return account == other.account && of == other.of; }
  bool counts(cadastre_memory_type type) const noexcept { return of == type || of == CADASTRE_ALL_MEMORY_TYPES; }
};

class SharedAccount : NonCopyable {
 public:
  // Below another, which must outlive this one; parent: null for a root.
  explicit constexpr SharedAccount(SharedAccount* parent = nullptr) noexcept : parent_(parent) {}
  explicit constexpr SharedAccount(cadastre_context owner) noexcept : parent_(nullptr), owner_(owner) {}

  // Whose it is: a context, CADASTRE_PROCESS, or CADASTRE_NULL_CONTEXT while it is nobody's.
  cadastre_context owner() const noexcept { return owner_.load(std::memory_order_relaxed); }
  void set_owner(cadastre_context owner) noexcept { owner_.store(owner, std::memory_order_relaxed); }
  SharedAccount* parent() const noexcept { return parent_; }
  // Of an account that is nobody's.
  void set_parent(SharedAccount& parent) noexcept { parent_ = &parent; }
  // Of one in which only HOST memory was ever counted, but for what children had: counts nothing and is nobody's, as a new one. Limits are set
  // anew by who has it next.
  void renew() noexcept CADASTRE_EXCLUDES(mutex);
  // How many accounts below this one, without those below them, somebody has: then this one must stay.
  std::uint32_t children() const noexcept { return children_.load(std::memory_order_acquire); }
  // Whether it counts what others had, or have.
  bool had_children() const noexcept { return had_children_.load(std::memory_order_relaxed); }
  void add_child() noexcept {
    children_.fetch_add(1, std::memory_order_relaxed);
    had_children_.store(true, std::memory_order_relaxed);
  }
  void remove_child() noexcept { children_.fetch_sub(1, std::memory_order_release); }
  // While it is closed nobody may come below it, at whatever depth. Several may close it, and each opens it again.
  void close() noexcept { closed_.fetch_add(1, std::memory_order_relaxed); }
  void reopen() noexcept { closed_.fetch_sub(1, std::memory_order_relaxed); }
  bool accepts_children() const noexcept;
  // Whether it is this one, or above it.
  bool is_within(const SharedAccount& other) const noexcept;

  // The caller's function that is asked before a request is refused; null for none.
  std::atomic<OutOfMemoryFunction*> out_of_memory = nullptr;

  SharedBytes& of(cadastre_memory_type type) noexcept { return bytes_[static_cast<std::size_t>(type)]; }
  const SharedBytes& of(cadastre_memory_type type) const noexcept { return bytes_[static_cast<std::size_t>(type)]; }

  // Of a memory type, or of all together.
  std::size_t limit(cadastre_memory_type type) const noexcept {
    return type == CADASTRE_ALL_MEMORY_TYPES ? limit_of_all_.load(std::memory_order_relaxed) : of(type).limit();
  }
  void set_limit(cadastre_memory_type type, std::size_t bytes) noexcept {
    if (type != CADASTRE_ALL_MEMORY_TYPES) return of(type).set_limit(bytes);
    limit_of_all_.store(bytes, std::memory_order_relaxed);
  }
  bool limits_all_together() const noexcept { return limit(CADASTRE_ALL_MEMORY_TYPES) != CADASTRE_UNLIMITED; }
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
    for_each([&](SharedAccount& each) { each.of(type).settle(bytes, blocks); });
  }
  void settle_unmarked(cadastre_memory_type type, std::size_t bytes, std::int64_t blocks) noexcept {
    for_each([&](SharedAccount& each) { each.of(type).settle_unmarked(bytes, blocks); });
  }
  void note_marks(cadastre_memory_type type, std::size_t unused_bytes, std::int64_t unused_blocks) noexcept {
    for_each([&](SharedAccount& each) { each.of(type).note_marks(unused_bytes, unused_blocks); });
  }
  void discharge(cadastre_memory_type type, std::size_t bytes, std::int64_t blocks) noexcept {
    for_each([&](SharedAccount& each) { each.of(type).discharge(bytes, blocks); });
  }
  void discharge_noted(cadastre_memory_type type, std::size_t bytes, std::int64_t blocks) noexcept {
    for_each([&](SharedAccount& each) { each.of(type).discharge_noted(bytes, blocks); });
  }
  void keep(cadastre_memory_type type, std::size_t bytes) noexcept {
    for_each([&](SharedAccount& each) { each.of(type).keep(bytes); });
  }
  void give_up(cadastre_memory_type type, std::size_t bytes) noexcept {
    for_each([&](SharedAccount& each) { each.of(type).give_up(bytes); });
  }

  // Whether any account from here up has a limit that a memory type counts against.
  bool is_limited(cadastre_memory_type type) const noexcept { return counters_looked_at(type) > 0; }
  // Whether they are so here or above.
  bool are_scarce(cadastre_memory_type type) const noexcept { return SharedBytes::may_be_scarce() && are_scarce_upwards(type); }
  // What the limits leave beside all that is claimed or kept; negative where more is. most_room where there is no limit.
  static constexpr std::ptrdiff_t most_room = std::numeric_limits<std::ptrdiff_t>::max();
  std::ptrdiff_t room(cadastre_memory_type type) const noexcept;

  // What contexts below this one counted before they were destroyed: live blocks are none, marks are not told.
  cadastre_statistics_struct departed(cadastre_memory_type type) const noexcept CADASTRE_EXCLUDES(mutex);
  void add_departed(cadastre_memory_type type, const cadastre_statistics_struct& figures) noexcept CADASTRE_EXCLUDES(mutex);

  // Counts nothing, and nobody below; for the child of a fork.
  void clear() noexcept {
    for (SharedBytes& bytes : bytes_) bytes.clear();
    children_.store(0, std::memory_order_relaxed);
  }

  // To be called around a fork.
  static void before_fork() noexcept CADASTRE_ACQUIRES(mutex) { mutex.lock_for_fork(); }
  static void after_fork() noexcept CADASTRE_RELEASES(mutex) { mutex.unlock(); }

 private:
  template <class Action>
  void for_each(Action action) noexcept {
    for (SharedAccount* each = this; each; each = each->parent_) action(*each);
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

  static Mutex<Rank::accounting> mutex;

  std::array<SharedBytes, memory_types> bytes_;
  SharedAccount* parent_;
  std::atomic<std::size_t> limit_of_all_ = CADASTRE_UNLIMITED;
  std::atomic<cadastre_context> owner_ = CADASTRE_NULL_CONTEXT;
  std::atomic<std::uint32_t> children_ = 0;
  std::atomic<std::uint32_t> closed_ = 0;
  std::atomic<bool> had_children_ = false;
  std::array<cadastre_statistics_struct, memory_types> departed_ CADASTRE_GUARDED_BY(mutex) = {};
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
