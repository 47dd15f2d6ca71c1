// Tangled from org/pool/pool.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A cache of memory over one backend, for one memory type on one device.
#ifndef CADASTRE_SRC_POOL_POOL_HPP
#define CADASTRE_SRC_POOL_POOL_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/block_cache.hpp"
#include "pool/memory.hpp"

namespace cadastre::internal {

// The remark in the grants of a pool, as no block of the heap has it; beside how_ordered.
inline constexpr std::uint16_t how_pooled = 0x7fff;

// Smaller requests are the backend's own.
std::size_t pooled_from(cadastre_memory_type type) noexcept;

// A block that it gives is a piece of its memory, which no other block and no other pool has; whoever frees it says who shares the pool, and on
// which queue.
class Pool : public PoolMemory {
 public:
  // shared: the account of all pools of the type; it outlives them.
  Pool(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& shared, std::size_t direct_below) noexcept;
  Pool(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& shared) noexcept
      : Pool(backend, type, device, shared, pooled_from(type)) {}
  // As that of the memory. All that is joined is a pool.
  static Pool* join(KeepAccount& shared, const Backend& backend, std::int32_t device, PoolShare& share, Pool* fresh) noexcept {
    return static_cast<Pool*>(PoolMemory::join(shared, backend, device, share, fresh));
  }

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

  // Whether a block of a size is at hand, where a request in the order of that queue would get one without a wait.
  bool has_at_hand(const KnownQueue& queue, std::size_t size) const noexcept {
    const PoolLocked locked(pool_lock_);
    return stock_.free_lists.have_for(queue, bytes_for(size));
  }

  // For who has blocks of a share in a cache, which stay handed out meanwhile: finds the free lists that keep them in the end. Whether a cache is of use: not where
  // each free and each request has to be made here. Queues for which there is no free list now are taken out of the cache.
  bool begin_cache(BlockCache& cache, CacheFreeLists& free_lists) noexcept;
  // Its blocks are freed, each on its queue, and it has served requests.
  void end_cache(PoolShare& share, BlockCache& cache, const CacheFreeLists& free_lists) noexcept;
  // For who has the pool lock, and counts hits elsewhere. The piece that a block is, if a share has it; null where it has not.
  PoolPiece* handed_out(const PoolShare& share, const void* block) const noexcept {
    PoolPiece* const piece = stock_.find(block);
    return piece && piece->share == &share ? piece : nullptr;
  }
  static void hand_over(PoolPiece& piece, PoolShare& to) noexcept {
    std::exchange(piece.share, &to)->used -= piece.bytes;
    to.used += piece.bytes;
  }
  // Hands out what is kept with just as many bytes as a block takes, where a request in the order of the queue waits for nobody; and takes it back. No
  // piece: there is none.
  struct Kept {
    PoolPiece* piece;
    FreeList* free_list;
  };
  Kept take_at_hand(PoolShare& share, const KnownQueue& queue, std::size_t size) noexcept;
  void put_back(const Kept& kept) noexcept { stock_.put(*kept.piece, *kept.free_list); }
  // Keeps a block that was freed on the default queue, whose free list is there.
  void keep(PoolPiece& piece) noexcept { stock_.put(piece, *stock_.free_lists.find({})); }
  // The bytes that a block takes; its size where it is the backend's.
  std::size_t actual_size(const Record& record) const noexcept;

 private:
  bool is_direct(std::size_t size) const noexcept { return size < direct_below_; }
  bool passes_by(const Request& request) const noexcept;

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

  const std::size_t direct_below_;
  const bool ordered_, of_a_runtime_;
};

}  // namespace cadastre::internal
#endif
