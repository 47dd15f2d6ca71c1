// Tangled from org/pools.org; change the chapter, then run: make tangle
// The pools of one memory type that somebody owns.
#ifndef CADASTRE_SRC_POOLS_HPP
#define CADASTRE_SRC_POOLS_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "accounting.hpp"
#include "pool.hpp"

namespace cadastre::internal {

class Pools {
 public:
  Pools() = default;
  Pools(const Pools&) = delete;
  Pools& operator=(const Pools&) = delete;
  ~Pools();

  // The pool over that backend on that device; null when there is none.
  Pool* find(const Backend& backend, std::int32_t device) const noexcept {
    Entry* entry = first_.load(std::memory_order_acquire);
    while (entry && !entry->pool.is_over(backend, device)) entry = entry->next;
    return entry ? &entry->pool : nullptr;
  }
  // The same, made where it is missing; null when the host has no memory. For one thread at a time.
  Pool* open(Backend& backend, cadastre_memory_type type, std::int32_t device) noexcept;
  // To be called before the first pool is made.
  void set_keep(const PoolKeep& keep) noexcept { account_.keep = keep; }
  void charge_to(SharedAccount& account, cadastre_memory_type type) noexcept { account_.kept.charge_to(account, type); }
  // Bytes that are kept in all of them.
  std::size_t kept() const noexcept { return account_.kept_now(); }
  void keep_within(std::size_t room) const noexcept {
    if (Entry* const first = first_.load(std::memory_order_acquire)) first->pool.keep_within(room);
  }
  bool has_any() const noexcept { return first_.load(std::memory_order_acquire) != nullptr; }
  std::int32_t number() const noexcept {
    std::int32_t pools = 0;
    for_each([&](const Pool&) { ++pools; });
    return pools;
  }
  // The sum over all; the largest free piece is one of them all.
  PoolFigures figures() const noexcept;
  // Trims one after the other, until no more than reserved bytes are there in all of them.
  cadastre_exit_code trim(std::size_t reserved) noexcept;

  template <class Action>
  void for_each(Action action) const {
    for (Entry* entry = first_.load(std::memory_order_acquire); entry; entry = entry->next) action(entry->pool);
  }

  // To be called around a fork, while no other thread can close a pool.
  void before_fork() noexcept CADASTRE_ACQUIRES(account_.latch) { account_.latch.lock_for_fork(); }
  void in_parent() noexcept CADASTRE_RELEASES(account_.latch) { account_.latch.unlock(); }
  void in_child() noexcept CADASTRE_RELEASES(account_.latch) {
    for_each([](Pool& pool) { pool.in_child(); });
    account_.asking = 0;  // what other threads asked for comes to nobody here
    account_.latch.unlock();
  }
  void charge_anew() noexcept {
    const Locked latched(account_.latch);
    account_.kept.charge_anew();
  }

 private:
  struct Entry {
    Entry(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& account, Entry* newer) noexcept
        : pool(backend, type, device, account), next(newer) {}
    Pool pool;
    Entry* next;
  };
  KeepAccount account_;
  std::atomic<Entry*> first_ = nullptr;
};

}  // namespace cadastre::internal
#endif
