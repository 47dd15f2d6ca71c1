// Tangled from org/adapters/sundials_temporaries.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Leases of a workspace by the address of their memory.
#ifndef CADASTRE_SRC_ADAPTERS_SUNDIALS_LEASES_HPP
#define CADASTRE_SRC_ADAPTERS_SUNDIALS_LEASES_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../base/lock.hpp"
#include "cadastre.h"

namespace cadastre::adapter {

struct Leased {
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;  // never the default one of a context that has set another
  cadastre_memory_type type = CADASTRE_HOST;
  std::size_t bytes = 0, stride = 0;
  std::uintptr_t owner = 0;  // the content of the helper that leased it
};

struct Place {
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  std::uintptr_t address = 0;
  auto operator<=>(const Place&) const = default;
};
inline Place place_of(cadastre_context context, const void* pointer) { return {context, reinterpret_cast<std::uintptr_t>(pointer)}; }

class Leases {
  using Table = std::map<Place, Leased>;

 public:
  using Entry = Table::node_type;

  // Whether no helper was ever for temporaries.
  bool are_none() const noexcept { return !table_.load(std::memory_order_acquire); }
  // Throws std::bad_alloc.
  void begin() {
    if (!are_none()) return;
    auto fresh = std::make_unique<Table>();
    Table* none = nullptr;
    if (table_.compare_exchange_strong(none, fresh.get(), std::memory_order_acq_rel)) static_cast<void>(fresh.release());
  }

  // One that is not in the table yet. Throws std::bad_alloc.
  Entry make() {
    if (is_to_forget()) forget_the_dead();
    Table table;
    table.emplace();
    return table.extract(table.begin());
  }
  // The entry that was at this place, of a lease that nobody gave back; or an empty one.
  Entry enter(Entry entry) noexcept {
    const internal::Locked locked(lock_);
    Entry before = table().extract(entry.key());
    table().insert(std::move(entry));
    return before;
  }
  // Empty where there is none.
  Entry take(Place place) noexcept {
    if (are_none()) return {};
    const internal::Locked locked(lock_);
    return table().extract(place);
  }
  // It was not released. What was leased there since is right.
  void put_back(Entry entry) noexcept {
    std::optional<Table::insert_return_type> refused;  // goes when the lock is given back
    const internal::Locked locked(lock_);
    refused.emplace(table().insert(std::move(entry)));
  }

  struct Found {
    Leased leased;
    std::size_t offset;
    std::size_t left() const { return leased.bytes - offset; }
  };
  // The lease in which an address lies.
  std::optional<Found> find(Place place) noexcept {
    if (are_none()) return std::nullopt;
    const internal::Locked locked(lock_);
    auto next = table().upper_bound(place);
    if (next == table().begin()) return std::nullopt;
    const auto& [at, leased] = *--next;
    const std::size_t offset = place.address - at.address;
    if (at.context != place.context || offset >= leased.bytes) return std::nullopt;
    return Found{leased, offset};
  }

  // How many entries there are.
  std::size_t size() noexcept {
    const internal::Locked locked(lock_);
    return table().size();
  }

  // A fork takes the lock in one function and gives it back in another.
  void hold() CADASTRE_UNCHECKED { lock_.lock_for_fork(); }
  void let_go() CADASTRE_UNCHECKED { lock_.unlock(); }

 private:
  static constexpr std::size_t least_to_forget = 64;

  Table& table() noexcept CADASTRE_REQUIRES(lock_) { return *table_.load(std::memory_order_relaxed); }
  bool is_to_forget() noexcept {
    const internal::Locked locked(lock_);
    return table().size() >= to_forget_;
  }
  void forget_the_dead() {
    std::vector<cadastre_context> contexts = contexts_of_entries();
    std::erase_if(contexts, [](cadastre_context context) { return cadastre_context_check(context) != CADASTRE_NULL_CONTEXT; });
    Table gone;  // goes when the lock is given back
    const internal::Locked locked(lock_);
    for (const cadastre_context context : contexts) {
      for (auto next = table().lower_bound({context, 0}); next != table().end() && next->first.context == context;) {
        gone.insert(table().extract(next++));
      }
    }
    to_forget_ = std::max(least_to_forget, 2 * table().size());
  }
  // Each once; not those that come after the first look.
  std::vector<cadastre_context> contexts_of_entries() {
    std::vector<cadastre_context> contexts;
    contexts.reserve(size());
    const internal::Locked locked(lock_);
    for (const auto& [place, leased] : table()) {
      if ((contexts.empty() || contexts.back() != place.context) && contexts.size() < contexts.capacity())
        contexts.push_back(place.context);
    }
    return contexts;
  }
  internal::BriefLock<internal::Rank::adapter> lock_;
  std::atomic<Table*> table_ = nullptr;  // what it points to is guarded by the lock
  std::size_t to_forget_ CADASTRE_GUARDED_BY(lock_) = least_to_forget;
};

inline constinit Leases leases;

// Of a queue that is meant: which one of the backend's.
inline cadastre_queue resolved(cadastre_context context, cadastre_queue queue) noexcept {
  if (queue == CADASTRE_DEFAULT_QUEUE) cadastre_context_get_default_queue(context, &queue);
  return queue;
}

// Fills in an entry, for so many bytes. On failure nothing is leased, and the context's last error is why.
inline cadastre_exit_code acquire(cadastre_context context, Leases::Entry& entry, std::size_t bytes, cadastre_memory_type type,
                                  std::optional<cadastre_queue> meant) noexcept {
  Leased& leased = entry.mapped();
  leased.type = type;
  leased.bytes = bytes;
  leased.queue = resolved(context, meant.value_or(CADASTRE_DEFAULT_QUEUE));
  void* pointer = nullptr;
  cadastre_exit_code code = cadastre_workspace_acquire_on_queue(context, type, leased.queue, 1, &bytes, &pointer, &leased.lease);
  if (code != CADASTRE_SUCCESS) return code;
  entry.key() = place_of(context, pointer);
  // The host may write there at once.
  if (type != CADASTRE_DEVICE) code = cadastre_synchronize(context, leased.queue);
  if (code != CADASTRE_SUCCESS) cadastre_workspace_release(context, leased.lease);
  return code;
}

// Waits for what may use the memory later than the queue of its lease does.
inline cadastre_exit_code wait_to_release(cadastre_context context, const Leased& leased, std::optional<cadastre_queue> meant) noexcept {
  if (!meant) return leased.type == CADASTRE_HOST ? CADASTRE_SUCCESS : cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE);
  if (leased.type == CADASTRE_DEVICE && resolved(context, *meant) == leased.queue) return CADASTRE_SUCCESS;
  const cadastre_exit_code code = cadastre_synchronize(context, *meant);
  return code == CADASTRE_FAILURE ? cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE) : code;  // it was destroyed before
}

enum class Release { done, failed_but_done, refused };

inline Release release_lease(cadastre_context context, cadastre_lease lease) noexcept {
  const cadastre_exit_code code = cadastre_workspace_release(context, lease);
  if (code == CADASTRE_SUCCESS) return Release::done;
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  const bool is_tried =
      code == CADASTRE_DEALLOCATION_FAILED || (code == CADASTRE_FAILURE && error.reason != CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER &&
                                               error.reason != CADASTRE_REASON_CALLED_FROM_OPERATION);
  if (!is_tried) return Release::refused;
  // The queue was destroyed before, where the default one can be waited for.
  const bool is_over = code == CADASTRE_FAILURE && cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS;
  return is_over ? Release::done : Release::failed_but_done;
}

}  // namespace cadastre::adapter
#endif
