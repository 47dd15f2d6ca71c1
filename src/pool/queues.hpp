// Tangled from org/pool/queues.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How a pool comes after what queues still do.
#ifndef CADASTRE_SRC_POOL_QUEUES_HPP
#define CADASTRE_SRC_POOL_QUEUES_HPP

#include <cstdint>

#include "backends/backend.hpp"
#include "pool/stock.hpp"
#include "pool/watch.hpp"

namespace cadastre::internal {

// The queues of one device of a backend, as far as they have free lists in a stock. All functions but end take the pool lock themselves, and call the
// backend without it.
class PoolQueues {
 public:
  PoolQueues(Backend& backend, const Place& place, Stock& stock, PoolLock& pool_lock, const PieceWatch& watch) noexcept
      : backend_(backend), place_(place), stock_(stock), pool_lock_(pool_lock), watch_(watch) {}

  // Refuses a queue on which nothing may be put, nor any of its memory be handed out; else finds its identity.
  cadastre_exit_code admit(KnownQueue& queue) noexcept;
  // Where a block goes that a queue lets go: a free list with a pin more, or null when nothing is known of the queue.
  FreeList* mark(const KnownQueue& queue) noexcept;
  // Lets the one who takes from a free list, and pins it, come after what was freed there: his queue, or else the host. marked: whether there
  // was an event to wait for.
  cadastre_exit_code await(FreeList& free_list, const Order& order, bool& marked) noexcept;
  // Waits on the host for what the free lists have, which is settled then; what is freed there meanwhile stays, and what cannot be waited for.
  cadastre_exit_code gather() noexcept;
  // The same for what queues are done with already, which are asked and not waited for. Whether something is kept with which one is not; not, too, while
  // a capture forbids to ask.
  bool gather_done() noexcept;
  // There are no free lists any more. Nobody else may be inside.
  void end() noexcept {
    for (const auto& free_list : stock_.free_lists) {
      backend_.destroy_event(place_.device, free_list->event);
      backend_.destroy_event(place_.device, free_list->asked);
      for (const Backend::Event spare : free_list->spares) backend_.destroy_event(place_.device, spare);
    }
    stock_.free_lists.clear();
  }

 private:
  // The event that the frees on a free list came before; for one that pins it.
  // own: it was made for this call, which destroys it.
  cadastre_exit_code event_of(FreeList& free_list, Backend::Event& event, bool& own) noexcept;
  cadastre_exit_code record_on_default(FreeList& free_list, Backend::Event& event, bool& own) noexcept;
  bool is_done_on_default(FreeList& free_list, std::uint64_t& until) noexcept;

  Backend& backend_;
  const Place place_;
  Stock& stock_;
  PoolLock& pool_lock_;
  const PieceWatch& watch_;
};

}  // namespace cadastre::internal
#endif
