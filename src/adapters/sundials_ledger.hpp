// Tangled from org/adapters/sundials_ledger.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the helpers of SUNDIALS hold, and how much.
#ifndef CADASTRE_SRC_ADAPTERS_SUNDIALS_LEDGER_HPP
#define CADASTRE_SRC_ADAPTERS_SUNDIALS_LEDGER_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "../base/lock.hpp"
#include "cadastre_sundials.h"

namespace cadastre::adapter {

static_assert(SUNMEMTYPE_HOST == CADASTRE_HOST && SUNMEMTYPE_PINNED == CADASTRE_PINNED && SUNMEMTYPE_DEVICE == CADASTRE_DEVICE &&
              SUNMEMTYPE_UVM == CADASTRE_UVM);

struct Counts {
  unsigned long allocations = 0, deallocations = 0;
  std::size_t bytes = 0, high_water_mark_bytes = 0;
};

using Content = std::uintptr_t;
constexpr Content no_content = ~Content{0};
using MemoryObject = std::remove_pointer_t<SUNMemory>;

// What a helper is, beside SUNDIALS' structure.
struct alignas(256) Account {                 // a power of two, so that its place is a shift
  std::atomic<Content> content = no_content;  // of the helper that has it
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  bool allocates_in_order = false;
  std::atomic<bool> is_temporary = false;                   // what it allocates is leased
  std::atomic<void*> default_queue = nullptr;               // where the helper has no member for it
  std::atomic<const char*> label = nullptr;                 // as cadastre_label returned it
  std::atomic<MemoryObject*> spare = nullptr;               // for the next block; it was allocated as all are
  std::array<Counts, CADASTRE_MEMORY_TYPE_COUNT> counts{};  // guarded by the ledger
  Content generation = 0;                                   // likewise, as what follows
  Account* next_vacant = nullptr;
};

// 32 bytes, of a type and a size together.
struct Holding {
  std::uintptr_t address = 0;  // 0: none
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  Content owner = 0;
  std::size_t type_and_bytes = 0;

  static constexpr unsigned bits = 8 * sizeof(std::size_t) - 2;
  [[gnu::always_inline]] static inline Holding of(const Account& account, const void* pointer, cadastre_memory_type type,
                                                  std::size_t bytes) {
    return {reinterpret_cast<std::uintptr_t>(pointer), account.context, account.content.load(std::memory_order_relaxed),
            static_cast<std::size_t>(type) << bits | bytes};
  }
  std::size_t type() const { return type_and_bytes >> bits; }
  std::size_t bytes() const { return type_and_bytes & ((std::size_t{1} << bits) - 1); }
};
static_assert(CADASTRE_MEMORY_TYPE_COUNT <= 4);

// By address and context. But for how many may come before it is half full, it is guarded by the ledger.
class Holdings {
 public:
  std::size_t used() const { return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(capacity() / 2) - left()); }
  std::size_t capacity() const { return mask_ + 1; }
  std::ptrdiff_t left() const { return left_.load(std::memory_order_relaxed); }
  Holding* begin() { return places_; }
  Holding* end() { return end_; }
  // Where a holding is, or is to be: then its address is 0 there.
  [[gnu::always_inline]] inline Holding& place_of(std::uintptr_t address, cadastre_context context) {
    std::size_t place = home_of(address);
    while (places_[place].address != 0 && (places_[place].address != address || places_[place].context != context))
      place = (place + 1) & mask_;
    return places_[place];
  }
  // The same of one that is there; null where none is.
  [[gnu::always_inline]] inline Holding* find(std::uintptr_t address, cadastre_context context) {
    Holding* holding = places_ + home_of(address);
    while (holding->address != address || holding->context != context) [[unlikely]] {
      if (holding->address == 0) return nullptr;
      holding = next(holding);
    }
    return holding;
  }
  // Counts one more; false, and not counted, where it would be the last.
  [[gnu::always_inline]] inline bool count_in() {
    const std::ptrdiff_t after = left() - 1;
    if (after < 0 && used() + 2 > capacity()) [[unlikely]]
      return false;
    left_.store(after, std::memory_order_relaxed);
    return true;
  }
  [[gnu::always_inline]] inline void erase(Holding& holding) {
    left_.store(left() + 1, std::memory_order_relaxed);
    Holding* hole = &holding;
    for (Holding* later = next(hole); later->address != 0; later = next(later)) [[unlikely]] {
      const Holding* const home = places_ + home_of(later->address);
      if (way(home, later) < way(hole, later)) continue;
      *hole = *later;
      hole = later;
    }
    hole->address = 0;
  }
  // Moves to other places, more of them and empty, and returns those there were; null for the first ones.
  Holding* move_to(Holding* places, std::size_t capacity) {
    Holding *const old = places_, *const old_end = end();
    const auto used_before = static_cast<std::ptrdiff_t>(used());
    places_ = places;
    end_ = places + capacity;
    mask_ = capacity - 1;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(capacity));
    left_.store(static_cast<std::ptrdiff_t>(capacity / 2) - used_before, std::memory_order_relaxed);
    for (const Holding* holding = old; holding != old_end; ++holding) {
      if (holding->address != 0) place_of(holding->address, holding->context) = *holding;
    }
    return old == first_places_ ? nullptr : old;
  }

 private:
  static constexpr unsigned first_bits = 6;
  std::size_t home_of(std::uintptr_t address) const {
    return static_cast<std::size_t>((std::uint64_t{address} * 0xd6e8feb86659fd93u) >> shift_);
  }
  Holding* next(Holding* place) { return ++place == end() ? places_ : place; }
  std::size_t way(const Holding* from, const Holding* to) const { return static_cast<std::size_t>(to - from) & mask_; }

  Holding first_places_[std::size_t{1} << first_bits];
  Holding *places_ = first_places_, *end_ = first_places_ + (std::size_t{1} << first_bits);
  std::size_t mask_ = (std::size_t{1} << first_bits) - 1;  // a power of two less 1
  unsigned shift_ = 64 - first_bits;
  std::atomic<std::ptrdiff_t> left_ = (1 << first_bits) / 2;
};

class Ledger {
 public:
  // A content for a helper, with its account.
  Account& open(cadastre_context context, bool allocates_in_order, const char* label) {
    Account& account = vacant_account();
    account.context = context;
    account.allocates_in_order = allocates_in_order;
    account.is_temporary.store(false, std::memory_order_relaxed);
    account.default_queue.store(nullptr, std::memory_order_relaxed);
    account.label.store(label, std::memory_order_relaxed);
    account.counts = {};
    account.content.store(++account.generation << slot_bits | slot_of(account), std::memory_order_release);
    return account;
  }
  [[gnu::always_inline]] inline Account* find(const void* content) {
    const auto number = reinterpret_cast<Content>(content);
    Account* const account = account_at(number & (most_accounts - 1));
    return account && account->content.load(std::memory_order_acquire) == number ? account : nullptr;
  }
  void close(const void* content) {
    Account* const account = find(content);
    if (!account) return;
    std::free(account->spare.exchange(nullptr));
    const internal::Locked locked(lock_);
    account->content.store(no_content, std::memory_order_relaxed);
    account->next_vacant = std::exchange(vacant_, account);
  }

  // Before a block is allocated.
  [[gnu::always_inline]] inline void make_room() {
    if (holdings_.left() <= 0) [[unlikely]]
      grow();
  }
  // Of a helper that is in a call. False where there is no room after all.
  [[gnu::always_inline]] inline bool enter(Counts& counts, const Holding& holding, std::size_t bytes) {
    const internal::Locked locked(lock_);
    Holding& place = holdings_.place_of(holding.address, holding.context);
    if (place.address != 0) [[unlikely]] {
      take_off(place);  // freed behind our back
    } else if (!holdings_.count_in()) [[unlikely]] {
      return false;
    }
    place = holding;
    ++counts.allocations;
    add(counts, bytes);
    return true;
  }
  // Counts a block as freed by a helper, if any helper allocated it; if none did, there is no owner.
  struct Taken {
    Content owner;
    std::size_t type_and_bytes;
  };
  [[gnu::always_inline]] inline Taken take(Account& by, Content content, const void* pointer) {
    const internal::Locked locked(lock_);
    Holding* const found = holdings_.find(reinterpret_cast<std::uintptr_t>(pointer), by.context);
    if (!found) [[unlikely]]
      return {no_content, 0};
    Holding& place = *found;
    const Taken taken{place.owner, place.type_and_bytes};
    Counts& counts = by.counts[place.type()];
    ++counts.deallocations;
    if (taken.owner == content) [[likely]]
      counts.bytes -= place.bytes();
    else take_off(place);
    holdings_.erase(place);
    return taken;
  }
  // It was not freed.
  [[gnu::cold, gnu::noinline]] void put_back(Account& by, const void* pointer, Taken was) {
    const Holding taken{reinterpret_cast<std::uintptr_t>(pointer), by.context, was.owner, was.type_and_bytes};
    const internal::Locked locked(lock_);
    --by.counts[taken.type()].deallocations;
    Holding& place = holdings_.place_of(taken.address, taken.context);
    if (place.address != 0 || !holdings_.count_in()) return;  // its address was granted again
    place = taken;
    if (Counts* const counts = counts_of(taken)) add(*counts, taken.bytes());
  }
  // A block that no helper allocated.
  void count_freed(Account& by, cadastre_memory_type type) {
    const internal::Locked locked(lock_);
    ++by.counts[static_cast<std::size_t>(type)].deallocations;
  }

  // A lease, which is in another table; and where a block was that was freed behind our back.
  void count_lease(Counts& counts, const Holding& lease) {
    const internal::Locked locked(lock_);
    if (Holding* const before = holdings_.find(lease.address, lease.context)) {
      take_off(*before);
      holdings_.erase(*before);
    }
    ++counts.allocations;
    add(counts, lease.bytes());
  }
  void count_release(Account& by, const Holding& lease) {
    const internal::Locked locked(lock_);
    ++by.counts[lease.type()].deallocations;
    take_off(lease);
  }
  // One that no helper gave back.
  void count_lost(const Holding& lease) {
    const internal::Locked locked(lock_);
    take_off(lease);
  }

  Counts counts(const Account& account, cadastre_memory_type type) {
    const internal::Locked locked(lock_);
    return account.counts[static_cast<std::size_t>(type)];
  }

  // A fork takes the lock in one function and gives it back in another.
  void hold() CADASTRE_UNCHECKED { lock_.lock_for_fork(); }
  void let_go() CADASTRE_UNCHECKED { lock_.unlock(); }

 private:
  static constexpr unsigned slot_bits = sizeof(Content) > 4 ? 24 : 12;
  static constexpr Content most_accounts = Content{1} << slot_bits, first_segment = 64;
  static constexpr std::size_t least_capacity = 256;

  // Null for one that never was.
  Account* account_at(Content slot) { return slot < first_segment ? &first_accounts_[slot] : far_account_at(slot); }
  [[gnu::noinline]] Account* far_account_at(Content slot) {
    const auto segment = static_cast<unsigned>(std::bit_width(slot / first_segment));
    Account* const accounts = segments_[segment].load(std::memory_order_acquire);
    return accounts ? accounts + (slot - (first_segment << (segment - 1))) : nullptr;
  }
  Content slot_of(const Account& account) const {
    if (&account >= first_accounts_ && &account < first_accounts_ + first_segment) return static_cast<Content>(&account - first_accounts_);
    for (unsigned segment = 1;; ++segment) {
      const Account* const accounts = segments_[segment].load(std::memory_order_relaxed);
      const Content size = first_segment << (segment - 1);
      if (&account >= accounts && &account < accounts + size) return static_cast<Content>(&account - accounts) + size;
    }
  }
  // Throws std::bad_alloc.
  Account& vacant_account() {
    while (true) {
      unsigned segment = 0;
      {
        const internal::Locked locked(lock_);
        if (vacant_) return *std::exchange(vacant_, vacant_->next_vacant);
        if (used_accounts_ == most_accounts - 1) throw std::bad_alloc();
        if (Account* const account = account_at(used_accounts_)) return ++used_accounts_, *account;
        segment = static_cast<unsigned>(std::bit_width(used_accounts_ / first_segment));
      }
      auto fresh = std::make_unique<Account[]>(first_segment << (segment - 1));
      const internal::Locked locked(lock_);
      if (!segments_[segment].load(std::memory_order_relaxed)) segments_[segment].store(fresh.release(), std::memory_order_release);
    }
  }

  // Null where that helper is gone.
  Counts* counts_of(const Holding& holding) CADASTRE_REQUIRES(lock_) {
    Account* const account = find(reinterpret_cast<const void*>(holding.owner));
    return account ? &account->counts[holding.type()] : nullptr;
  }
  [[gnu::noinline]] void take_off(const Holding& holding) CADASTRE_REQUIRES(lock_) {
    if (Counts* const counts = counts_of(holding)) counts->bytes -= holding.bytes();
  }
  static void add(Counts& counts, std::size_t bytes) {
    counts.bytes += bytes;
    if (counts.bytes > counts.high_water_mark_bytes) [[unlikely]]
      counts.high_water_mark_bytes = counts.bytes;
  }

  // Of these, too, only the table is read with the lock. Throws std::bad_alloc.
  [[gnu::noinline, gnu::cold]] void grow() {
    forget_the_dead();
    const std::size_t capacity = std::max(least_capacity, std::bit_ceil(4 * (used() + 1)));
    auto fresh = std::make_unique<Holding[]>(capacity);
    std::unique_ptr<Holding[]> old;
    const internal::Locked locked(lock_);
    if (holdings_.capacity() >= capacity || 2 * holdings_.used() > capacity) return;  // another thread was here
    old.reset(holdings_.move_to(fresh.release(), capacity));
  }
  std::size_t used() {
    const internal::Locked locked(lock_);
    return holdings_.used();
  }
  void forget_the_dead() {
    std::vector<cadastre_context> contexts;
    contexts.reserve(used());
    with([&]() CADASTRE_REQUIRES(lock_) {
      for (const Holding& holding : holdings_) {
        if (holding.address != 0 && contexts.size() < contexts.capacity()) contexts.push_back(holding.context);
      }
    });
    std::sort(contexts.begin(), contexts.end());
    contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
    std::erase_if(contexts, [](cadastre_context context) { return cadastre_context_check(context) != CADASTRE_NULL_CONTEXT; });
    if (contexts.empty()) return;
    with([&]() CADASTRE_REQUIRES(lock_) {
      for (Holding* holding = holdings_.begin(); holding != holdings_.end();) {
        const bool is_dead = holding->address != 0 && std::binary_search(contexts.begin(), contexts.end(), holding->context);
        is_dead ? holdings_.erase(*holding) : void(++holding);
      }
    });
  }
  template <class Work>
  void with(Work work) CADASTRE_UNCHECKED {  // it cannot be seen that work needs this very lock
    const internal::Locked locked(lock_);
    work();
  }

  Account first_accounts_[first_segment];
  internal::BriefLock<internal::Rank::adapter> lock_;
  Holdings holdings_;
  std::atomic<Account*> segments_[slot_bits] = {};
  Content used_accounts_ CADASTRE_GUARDED_BY(lock_) = 1;
  Account* vacant_ CADASTRE_GUARDED_BY(lock_) = nullptr;
};

inline constinit Ledger ledger;

}  // namespace cadastre::adapter
#endif
