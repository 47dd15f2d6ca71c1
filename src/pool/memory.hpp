// Tangled from org/pool/memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a pool has of its backend in pieces, and who shares it.
#ifndef CADASTRE_SRC_POOL_MEMORY_HPP
#define CADASTRE_SRC_POOL_MEMORY_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "backends/backend.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "pool/bound.hpp"
#include "pool/queues.hpp"
#include "pool/stock.hpp"
#include "pool/watch.hpp"

namespace cadastre::internal {

// Memory of one type on one device from one backend, in pieces that are asked for and given back, and who shares it. No lock is held while it calls its
// backend or waits. What fails changes nothing, but that some of what was kept may have gone back.
class PoolMemory : NonCopyable {
 public:
  // Nobody shares it any more, or looks at it.
  virtual ~PoolMemory();

  // Joins the pool of an account that is over a backend on a device, so that requests can be made; where there is none, fresh becomes that pool.
  // Null where fresh is null, too.
  static PoolMemory* join(KeepAccount& shared, const Backend& backend, std::int32_t device, PoolShare& share, PoolMemory* fresh) noexcept;
  // Gives back what is handed out of a share, but not what was given up, and ends it. Whether nobody shares the pool any more: then the caller
  // has it for himself, to close and delete. code: what the backend said, where it failed.
  bool leave(PoolShare& share, cadastre_exit_code& code) noexcept;
  // Whether nobody else shares it, at this moment.
  bool is_only(const PoolShare& share) const noexcept;
  std::size_t used_by(const PoolShare& share) const noexcept;

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
  // Whether the most that was used in all pools of the type would rise with so many bytes.
  bool would_raise_mark(std::size_t bytes) const noexcept;
  // Whether the backend has given what the pool had, as after a reset of its device.
  const std::atomic<bool>& gave_twice() const noexcept { return stock_.gave_twice; }
  // The alignment that every block has.
  std::size_t granule() const noexcept { return granule_; }

  // To be looked at with the pool lock of the account held.
  const Stock& stock() const noexcept { return stock_; }
  // For tests, while nobody else is inside.
  bool check_invariants() const noexcept { return stock_.check_invariants(); }

 protected:
  // shared: the account of all pools of the type; it outlives them.
  PoolMemory(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& shared) noexcept;

  // How many bytes a piece has for a block of a size.
  std::size_t bytes_for(std::size_t size) const noexcept { return round_up(size + spare_bytes_ + (size == 0), granule_); }
  // Asks the backend for a piece, which is handed out.
  cadastre_exit_code grow(const Need& need, PoolPiece*& made) noexcept;
  bool gives_all_back_for(cadastre_exit_code code) noexcept;
  // With the pool lock held: whether something is beyond the bound, or was kept too long.
  bool keeps_what_is_to_go() noexcept;
  void give_back_old() noexcept;

  Backend& backend_;
  const Place place_;
  const std::size_t granule_;
  const bool fresh_is_zero_;
  const PieceWatch watch_;

  KeepAccount& shared_;
  PoolLock& pool_lock_;
  std::uint32_t asked_by_ = 0;  // the clock's reading by which queues were asked what is old and done
  Stock stock_;
  PoolQueues queues_;

 private:
  friend class PoolWalk;
  void unlink() noexcept;
  void wake_who_ends() noexcept;

  void describe(PoolPiece& piece, std::size_t bytes, const Grant& granted) const noexcept;
  template <class TooMuch>
  bool give_back_while(TooMuch too_much, cadastre_exit_code& code) noexcept;
  template <class TooMuch>
  void give_back_of_all(TooMuch too_much, bool wait) noexcept;
  bool give_back_all(cadastre_exit_code& code) noexcept;
  bool is_to_go(const PoolPiece& piece) const noexcept;
  cadastre_exit_code free_in_backend(const PoolPiece& piece) noexcept;
  // Pieces that the stock has forgotten. worst: what the backend said, where it failed.
  void free_chain(PoolPiece* chain, cadastre_exit_code& worst) noexcept;

  const std::size_t spare_bytes_;  // between what is asked for and the next block

  // In the list of the account, which the pool lock guards.
  PoolMemory* next_ = nullptr;
  std::atomic<unsigned> pins_ = 0;  // walks that look at it, for which it stays
  enum class State : unsigned char { new_, listed, ending, left_to_pins } state_ = State::new_;
};

}  // namespace cadastre::internal
#endif
