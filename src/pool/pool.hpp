// Tangled from org/pool/pool.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A cache of memory over one backend, for one memory type on one device.
#ifndef CADASTRE_SRC_POOL_POOL_HPP
#define CADASTRE_SRC_POOL_POOL_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "backends/backend.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "core/block_cache.hpp"
#include "pool/bound.hpp"
#include "pool/queues.hpp"
#include "pool/stock.hpp"
#include "pool/watch.hpp"

namespace cadastre::internal {

// The remark in the grants of a pool, as no block of the heap has it; beside how_ordered.
inline constexpr std::uint16_t how_pooled = 0x7fff;

// Smaller requests are the backend's own.
std::size_t pooled_from(cadastre_memory_type type) noexcept;

// Memory of one type on one device from one backend. A block that it gives is a piece of its own, which no other block and no other pool has; whoever
// frees it says who shares the pool, and on which queue. No lock is held while it calls its backend or waits. What fails changes nothing, but that
// some of what was kept may have gone back.
class Pool : NonCopyable {
 public:
  // shared: the account of all pools of the type; it outlives them.
  Pool(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& shared, std::size_t direct_below) noexcept;
  Pool(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& shared) noexcept
      : Pool(backend, type, device, shared, pooled_from(type)) {}
  // Nobody shares it any more, or looks at it.
  ~Pool();

  // Joins the pool of an account that is over a backend on a device, so that requests can be made; where there is none, fresh becomes that pool.
  // Null where fresh is null, too.
  static Pool* join(KeepAccount& shared, const Backend& backend, std::int32_t device, PoolShare& share, Pool* fresh) noexcept;
  // Gives back what is handed out of a share, but not what was given up, and ends it. Whether nobody shares the pool any more: then the caller
  // has it for himself, to close and delete. code: what the backend said, where it failed.
  bool leave(PoolShare& share, cadastre_exit_code& code) noexcept;
  // Whether nobody else shares it, at this moment.
  bool is_only(const PoolShare& share) const noexcept;
  std::size_t used_by(const PoolShare& share) const noexcept;

  // Serves a request from what is at hand, and frees in the order of a queue, where that takes neither a call of the
  // backend nor a wait; false, and nothing changed, where it does. Whoever holds a lock may call them.
  bool allocate_at_once(PoolShare& share, const Request& request, Grant& grant) noexcept;
  bool free_at_once(const PoolShare& share, const Record& record, cadastre_queue queue) noexcept;

  // As those of a backend, for requests that admit() let pass, of the pool's type and device.
  // room: how many bytes may be kept beside what is asked for; everything_kept where no limit is set.
  // zero_from: where zeroing begins, in a request that says zero.
  cadastre_exit_code allocate(PoolShare& share, const Request& request, Grant& grant, std::size_t room = everything_kept,
                              std::size_t zero_from = 0) noexcept;
  // order: the queue that lets the block go; none: all have to be done with it, and are waited for. When it
  // fails, the block stays as it was; its memory goes when the pool is closed.
  // A block whose memory is another share's by now, or kept, was lost with its device: there is nothing to be freed.
  cadastre_exit_code free(const PoolShare& share, const Record& record, Order order = std::nullopt) noexcept;
  cadastre_exit_code resize(PoolShare& share, const Record& record, std::size_t size, Grant& grant,
                            std::size_t room = everything_kept) noexcept;

  // Whether a block can be let go in the order of a queue without waiting for it.
  bool has_free_lists() const noexcept { return ordered_; }
  // Whether the backend is asked before a block goes in the order of a queue.
  bool asks_before_free(cadastre_queue queue) const noexcept { return ordered_ && queue != CADASTRE_DEFAULT_QUEUE; }
  // Asks, and refuses a queue that is being captured, as free does; else finds its identity.
  cadastre_exit_code admit_free(KnownQueue& queue) noexcept {
    return asks_before_free(queue.handle) ? queues_.admit(queue) : CADASTRE_SUCCESS;
  }
  // As free, on a queue that admit_free let pass.
  cadastre_exit_code free_admitted(const PoolShare& share, const Record& record, const KnownQueue& queue) noexcept;

  // For who has blocks of a share in a cache, which stay handed out meanwhile: finds the free lists that keep them in the end. Whether a cache is of use: not where
  // each free and each request has to be made here. Queues for which there is no free list now are taken out of the cache.
  bool begin_cache(BlockCache& cache, CacheFreeLists& free_lists) noexcept;
  // Its blocks are freed, each on its queue, and it has served requests.
  void end_cache(PoolShare& share, BlockCache& cache, const CacheFreeLists& free_lists) noexcept;
  // Whether the backend has given what the pool had, as after a reset of its device.
  const std::atomic<bool>& gave_twice() const noexcept { return stock_.gave_twice; }
  // Whether the most that was used in all pools of the type would rise with so many bytes.
  bool would_raise_mark(std::size_t bytes) const noexcept;
  // The alignment that every block has.
  std::size_t granule() const noexcept { return granule_; }

  // Gives pieces back until no more than reserved bytes are there, or none is kept. Waits for queues.
  cadastre_exit_code trim(std::size_t reserved) noexcept;
  // Gives back all that is kept and that no queue is at work on; whether there was any. in_flight: set where more is kept. Waits for no queue.
  bool give_up_idle(bool& in_flight) noexcept;
  // Gives back, what was kept longest first, until no more than room bytes are kept in all pools that share the account.
  void keep_within(std::size_t room) noexcept;
  // Lets a block be that a queue may be at work on for ever: its piece is not given back any more.
  void give_up(const PoolShare& share, const Record& record) noexcept;
  // Gives all back, also what is handed out, but not what was given up. Nobody else may be inside; the pool is as
  // new then.
  cadastre_exit_code close() noexcept;

  // Where its memory is.
  const Place& place() const noexcept { return place_; }
  bool is_over(const Backend& backend, std::int32_t device) const noexcept { return &backend == &backend_ && device == place_.device; }
  PoolFigures figures() const noexcept;
  // The bytes that a block takes; its size where it is the backend's.
  std::size_t actual_size(const Record& record) const noexcept;

  // To be looked at with the pool lock of the account held.
  const Stock& stock() const noexcept { return stock_; }
  // For tests, while nobody else is inside.
  bool check_invariants() const noexcept { return stock_.check_invariants(); }

 private:
  bool is_direct(std::size_t size) const noexcept { return size < direct_below_; }
  bool passes_by(const Request& request) const noexcept;
  std::size_t bytes_for(std::size_t size) const noexcept { return round_up(size + spare_bytes_ + (size == 0), granule_); }

  Need need_of(PoolShare& share, const Request& request, std::size_t room) const noexcept;
  // From the free list of the queue, else from what is settled; nothing, where neither has it.
  cadastre_exit_code take_kept(const Need& need, PoolPiece*& taken) noexcept;
  // From wherever there is a piece, with nothing there that could be had at once; nothing, where there is none.
  cadastre_exit_code search_kept(const Need& need, PoolPiece*& taken) noexcept;
  // What was taken from a free list, when it may be used; what cannot be waited for goes back there.
  cadastre_exit_code come_after(FreeList& free_list, const Need& need, PoolPiece*& taken) noexcept;
  cadastre_exit_code take_from_others(const Need& need, PoolPiece*& taken) noexcept;
  cadastre_exit_code make_ready(const Request& request, const Order& order, std::size_t zero_from, PoolPiece& piece) noexcept;
  cadastre_exit_code clear(std::byte* begin, std::size_t bytes, const Order& order) noexcept;
  enum class Taken { no, yes, lost };
  Taken take_back(const PoolShare& share, const Record& record, FreeList& free_list) noexcept;
  cadastre_exit_code move(PoolShare& share, const Record& record, std::size_t size, std::size_t room, Grant& grant) noexcept;
  enum class Fitted { no, yes, foreign, lost };
  cadastre_exit_code fit_in_place(const PoolShare& share, const Record& record, std::size_t size, std::size_t room,
                                  Fitted& fitted) noexcept;

  friend class PoolWalk;
  void unlink() noexcept;

  // Memory is asked for, and given back.
  cadastre_exit_code grow(const Need& need, PoolPiece*& made) noexcept;
  bool gives_all_back_for(cadastre_exit_code code) noexcept;
  void describe(PoolPiece& piece, std::size_t bytes, const Grant& granted) const noexcept;
  template <class TooMuch>
  bool give_back_while(TooMuch too_much, cadastre_exit_code& code) noexcept;
  template <class TooMuch>
  void give_back_of_all(TooMuch too_much, bool wait) noexcept;
  bool give_back_all(cadastre_exit_code& code) noexcept;
  bool is_to_go(const PoolPiece& piece) const noexcept;
  // With the pool lock held: whether something is beyond the bound, or was kept too long.
  bool keeps_what_is_to_go() noexcept;
  void give_back_old() noexcept;
  cadastre_exit_code free_in_backend(const PoolPiece& piece) noexcept;
  // Pieces that the stock has forgotten. worst: what the backend said, where it failed.
  void free_chain(PoolPiece* chain, cadastre_exit_code& worst) noexcept;

  Backend& backend_;
  const Place place_;
  const std::size_t direct_below_;
  const std::size_t granule_;
  const bool fresh_is_zero_, ordered_, of_a_runtime_;
  const PieceWatch watch_;
  const std::size_t spare_bytes_;  // between what is asked for and the next block

  KeepAccount& shared_;
  PoolLock& pool_lock_;
  Stock stock_;
  PoolQueues queues_;

  // In the list of the account, which the pool lock guards.
  Pool* next_ = nullptr;
  std::atomic<unsigned> pins_ = 0;  // walks that look at it, for which it stays
  enum class State : unsigned char { new_, listed, ending, left_to_pins } state_ = State::new_;
};

}  // namespace cadastre::internal
#endif
