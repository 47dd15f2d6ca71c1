// Tangled from org/pool.org; change the chapter, then run: make tangle
// A cache of memory over one backend, for one memory type on one device.
#ifndef CADASTRE_SRC_POOL_HPP
#define CADASTRE_SRC_POOL_HPP

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "accounting.hpp"
#include "backend.hpp"
#include "environment.hpp"
#include "lock.hpp"

namespace cadastre::internal {

// In the order of which queue something happens, if of any.
using Order = std::optional<cadastre_queue>;

// The remark in the grants of a pool, as no block of the heap has it; beside how_ordered.
inline constexpr std::uint16_t how_pooled = 0x7fff;

// Smaller requests are the backend's own.
std::size_t pooled_from(cadastre_memory_type type) noexcept;

struct PoolFigures {
  std::size_t used;          // bytes of the pieces that are handed out, rounding included
  std::size_t reserved;      // bytes of all pieces
  std::size_t largest_free_bytes;  // bytes of the largest piece that one request could get, if it waits for queues
  std::size_t releasable_bytes;    // bytes of the pieces that are kept
  std::uint64_t hits;        // requests served from what was there
  std::uint64_t misses;      // requests for which the backend was asked; direct ones are neither
  std::uint64_t trims;       // times that pieces were given back, asked for or not
};


class CADASTRE_LOCK_TYPE("latch") Latch {
 public:
  void lock() noexcept CADASTRE_ACQUIRES() {
    note_lock(Rank::pool);
    take();
  }
  void unlock() noexcept CADASTRE_RELEASES() {
    note_unlock(Rank::pool);
    if (state_.exchange(0, std::memory_order_release) == 2) state_.notify_one();
  }
  // Whichever locks are held; for the handler of a fork.
  void lock_for_fork() noexcept CADASTRE_ACQUIRES() {
    note_lock(Rank::pool, false);
    take();
  }

 private:
  void take() noexcept {
    unsigned open = 0;
    if (!state_.compare_exchange_strong(open, 1, std::memory_order_acquire)) wait();
  }
  void wait() noexcept {
    while (state_.exchange(2, std::memory_order_acquire) != 0) state_.wait(2, std::memory_order_relaxed);
  }
  std::atomic<unsigned> state_ = 0;  // 0 open, 1 shut, 2 shut and perhaps awaited
};

struct Lane;

struct PoolPiece {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
  std::size_t waste = 0;  // of a piece that is handed out: bytes beyond what was asked for, rounded up
  std::size_t dirty = 0;  // how many of its first bytes may be other than zero
  Record record;          // for the backend
  PoolPiece* newer = nullptr;  // neighbours on the shelf
  PoolPiece* older = nullptr;
  PoolPiece* before = nullptr;  // neighbours in the list of what is handed out, or kept
  PoolPiece* behind = nullptr;
  Lane* lane = nullptr;      // on whose shelf it is; null: on none
  bool parked = false;       // free all the same
  bool given_up = false;     // its memory is never given back
  std::uint32_t freed = 0;   // the second in which it was freed, modulo the word
  std::uint64_t stamp = 0;   // number of its free on that lane

  bool fits(std::size_t wanted, std::size_t alignment) const noexcept {
    return wanted <= bytes && (address_of(begin) & (alignment - 1)) == 0;
  }
  // Whether it has some of these bytes. The differences wrap where one begins before the other.
  bool meets(std::uintptr_t address, std::size_t length) const noexcept {
    return address - address_of(begin) < bytes || address_of(begin) - address < length;
  }
};

// Pieces in the order in which they came.
class PieceList {
 public:
  PoolPiece* first() const noexcept { return first_; }
  void add(PoolPiece& piece) noexcept {
    piece.before = last_;
    piece.behind = nullptr;
    (last_ ? last_->behind : first_) = &piece;
    last_ = &piece;
  }
  void remove(PoolPiece& piece) noexcept {
    (piece.before ? piece.before->behind : first_) = piece.behind;
    (piece.behind ? piece.behind->before : last_) = piece.before;
  }

 private:
  PoolPiece* first_ = nullptr;
  PoolPiece* last_ = nullptr;
};

class Shelf {
 public:
  explicit Shelf(unsigned granule_log2) noexcept : granule_log2_(granule_log2) {}

  bool empty() const noexcept { return words_ == 0; }

  void put(PoolPiece& piece) noexcept {
    const unsigned number = class_of(piece.bytes);
    PoolPiece*& head = heads_[number];
    piece.newer = nullptr;
    piece.older = head;
    if (head) head->newer = &piece;
    head = &piece;
    bits_[number / 64] |= std::uint64_t{1} << number % 64;
    words_ |= 1u << number / 64;
  }

  void take(PoolPiece& piece) noexcept {
    if (piece.older) piece.older->newer = piece.newer;
    if (piece.newer) {
      piece.newer->older = piece.older;
      return;
    }
    const unsigned number = class_of(piece.bytes);
    heads_[number] = piece.older;
    if (piece.older) return;
    bits_[number / 64] &= ~(std::uint64_t{1} << number % 64);
    if (bits_[number / 64] == 0) words_ &= ~(1u << number / 64);
  }

  // The smallest piece that is found of those with these bytes or more, on a multiple of alignment; null when none is.
  // looks: how many pieces of each class are compared at most.
  PoolPiece* find(std::size_t bytes, std::size_t most, std::size_t alignment, unsigned looks) const noexcept {
    const unsigned last = class_of(most);
    for (unsigned number = next(class_of(bytes)); number <= last; number = next(number + 1)) {
      if (PoolPiece* const piece = best_of(number, bytes, most, alignment, looks)) return piece;
    }
    return nullptr;
  }

 private:
  static constexpr unsigned classes = 896;

  unsigned class_of(std::size_t bytes) const noexcept {
    const std::size_t granules = bytes >> granule_log2_;
    const auto width = static_cast<unsigned>(std::bit_width(granules));
    if (width <= 4) return static_cast<unsigned>(granules);
    const unsigned shift = width - 5;
    return (shift + 1) * 16 + static_cast<unsigned>(granules >> shift & 15);
  }
  // The first class from number on that holds something; classes when there is none.
  unsigned next(unsigned number) const noexcept {
    if (number >= classes) return classes;
    unsigned word = number / 64;
    std::uint64_t bits = bits_[word] & ~std::uint64_t{0} << number % 64;
    if (bits == 0) {
      const unsigned words = words_ & ~1u << word;
      if (words == 0) return classes;
      word = static_cast<unsigned>(std::countr_zero(words));
      bits = bits_[word];
    }
    return word * 64 + static_cast<unsigned>(std::countr_zero(bits));
  }
  PoolPiece* best_of(unsigned number, std::size_t bytes, std::size_t most, std::size_t alignment, unsigned looks) const noexcept {
    PoolPiece* best = nullptr;
    for (PoolPiece* piece = heads_[number]; piece && looks > 0; piece = piece->older, --looks) {
      if (!piece->fits(bytes, alignment) || piece->bytes > most || (best && piece->bytes >= best->bytes)) continue;
      best = piece;
      if (piece->bytes == bytes) break;
    }
    return best;
  }

  unsigned granule_log2_;
  unsigned words_ = 0;  // one bit for each word of bits_
  std::array<std::uint64_t, classes / 64> bits_{};
  std::array<PoolPiece*, classes> heads_{};
};

class Pool;
inline constexpr std::size_t everything_kept = SIZE_MAX;

std::uint32_t coarse_seconds() noexcept;

// Bytes that are kept, which the shared accounts of the context count too.
class KeptBytes {
 public:
  operator std::size_t() const noexcept { return bytes_; }
  KeptBytes& operator+=(std::size_t bytes) noexcept {
    bytes_ += bytes;
    if (account_) account_->keep(type_, bytes);
    return *this;
  }
  KeptBytes& operator-=(std::size_t bytes) noexcept {
    bytes_ -= bytes;
    if (account_) account_->give_up(type_, bytes);
    return *this;
  }
  void charge_to(SharedAccount& account, cadastre_memory_type type) noexcept {
    account_ = &account;
    type_ = type;
  }
  // In accounts that were cleared.
  void charge_anew() noexcept {
    if (account_) account_->keep(type_, bytes_);
  }

 private:
  std::size_t bytes_ = 0;
  SharedAccount* account_ = nullptr;
  cadastre_memory_type type_ = CADASTRE_HOST;
};

struct KeepAccount {
  mutable Latch latch;
  PoolKeep keep;
  std::uint32_t (*seconds)() noexcept = coarse_seconds;
  // With the latch held.
  std::size_t used = 0, asking = 0;
  KeptBytes kept;
  std::size_t waste = 0;  // of what is used
  std::size_t peak = 0;   // the most that was used, without waste
  std::uint32_t now = 0;  // the second in which the clock was last read
  unsigned calls_until_clock = 0, calls_between = 0;
  std::atomic<Pool*> first = nullptr;  // the list only grows

  // Whether too much is kept, where room is left for so much.
  bool is_too_much(std::size_t room) const noexcept {
    const std::size_t in_use = used + asking;
    return kept > 0 && (kept > room || in_use + kept > std::max(in_use, keep.most(std::max(peak, in_use - waste))));
  }
  std::size_t kept_now() const noexcept {
    const Locked latched(latch);
    return kept;
  }
  // Reads the clock now and then, at each call where calls are rare.
  void tick() noexcept {
    if (calls_until_clock > 0) {
      --calls_until_clock;
      return;
    }
    const std::uint32_t before = std::exchange(now, seconds());
    calls_between = now == before ? std::min(2 * calls_between + 1, 63u) : 0;
    calls_until_clock = calls_between;
  }
};

class PieceTable {
 public:
  // Throws std::bad_alloc. Room for that many pieces, a power of two.
  void enlarge(std::size_t pieces);
  void reset() noexcept {
    places_.reset();
    log2_ = 0;
  }

  PoolPiece* find(const void* address) const noexcept {
    if (!places_) return nullptr;
    for (std::size_t place = home_of(address);; place = next(place)) {
      PoolPiece* const piece = places_[place];
      if (!piece || piece->begin == address) return piece;
    }
  }
  void insert(PoolPiece& piece) noexcept {
    std::size_t place = home_of(piece.begin);
    while (places_[place]) place = next(place);
    places_[place] = &piece;
  }
  void erase(const PoolPiece& piece) noexcept;

 private:
  std::size_t home_of(const void* address) const noexcept { return spread(address_of(address)) >> (64 - log2_); }
  std::size_t next(std::size_t place) const noexcept { return (place + 1) & ((std::size_t{1} << log2_) - 1); }

  std::unique_ptr<PoolPiece*[]> places_;
  unsigned log2_ = 0;
};

// Pieces as they were freed, by their size.
class ParkingLot {
 public:
  std::size_t parked = 0;

  void put(PoolPiece& piece) noexcept {
    PoolPiece*& slot = slot_of(piece.bytes);
    piece.parked = true;
    piece.older = slot;
    slot = &piece;
    ++parked;
  }
  PoolPiece* take(std::size_t bytes, std::size_t alignment) noexcept {
    PoolPiece*& slot = slot_of(bytes);
    if (!slot || slot->bytes != bytes || address_of(slot->begin) & (alignment - 1)) return nullptr;
    return &leave(slot);
  }
  // Takes all, and hands each to file.
  template <class File>
  void take_all(File file) noexcept {
    for (auto slot = slots_.begin(); parked > 0; ++slot) {
      while (*slot) file(leave(*slot));
    }
  }

 private:
  // The piece that a slot holds, which is parked no more.
  PoolPiece& leave(PoolPiece*& slot) noexcept {
    PoolPiece& piece = *slot;
    slot = piece.older;
    piece.parked = false;
    --parked;
    return piece;
  }
  PoolPiece*& slot_of(std::size_t bytes) noexcept { return slots_[spread(bytes) >> 56]; }
  std::array<PoolPiece*, 256> slots_{};
};

// What is free once a queue has done what it held.
struct Lane {
  explicit Lane(unsigned granule_log2) noexcept : shelf(granule_log2) {}
  bool empty() const noexcept { return lot.parked == 0 && shelf.empty(); }
  ParkingLot lot;
  Shelf shelf;
  cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;
  Backend::Event event = nullptr;
  std::uint64_t filed = 0;   // frees so far
  unsigned visitors = 0;     // calls that need the lane to stay its queue's
  bool marking = false;      // one of them is about to record the event
};

class Pool {
 public:
  // shared: the account of all pools of the type; it outlives them.
  Pool(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& shared, std::size_t direct_below) noexcept;
  Pool(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& shared) noexcept
      : Pool(backend, type, device, shared, pooled_from(type)) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  // Serves a request from what is at hand, and frees in the order of a queue, where that takes neither a call of the
  // backend nor a wait; false, and nothing changed, where it does. Whoever holds a lock may call them.
  bool allocate_at_once(const Request& request, Grant& grant) noexcept;
  bool free_at_once(const Record& record, cadastre_queue queue) noexcept;

  // As those of a backend, for requests that admit() let pass, of the pool's type and device.
  // room: how many bytes may be kept beside what is asked for; everything_kept where no limit is set.
  cadastre_exit_code allocate(const Request& request, Grant& grant, std::size_t room = everything_kept) noexcept {
    return serve(request, 0, room, grant);
  }
  // order: the queue that lets the block go; none: all have to be done with it, and are waited for. When it
  // fails, the block stays as it was; its memory goes when the pool is closed.
  cadastre_exit_code free(const Record& record, Order order = std::nullopt) noexcept;
  cadastre_exit_code resize(const Record& record, std::size_t size, Grant& grant, std::size_t room = everything_kept) noexcept;

  // Whether a block can be let go in the order of a queue without waiting for it.
  bool has_lanes() const noexcept { return ordered_; }
  // Whether the backend is asked before a block goes in the order of a queue.
  bool asks_before_free(cadastre_queue queue) const noexcept { return ordered_ && queue != CADASTRE_DEFAULT_QUEUE; }
  // Asks, and refuses a queue that is being captured, as free does.
  cadastre_exit_code admit_free(cadastre_queue queue) noexcept {
    return asks_before_free(queue) ? admit_order(queue) : CADASTRE_SUCCESS;
  }
  // As free, on a queue that admit_free let pass.
  cadastre_exit_code free_admitted(const Record& record, cadastre_queue queue) noexcept;

  // Gives pieces back until no more than reserved bytes are there, or none is kept. Waits for queues.
  cadastre_exit_code trim(std::size_t reserved) noexcept;
  // Gives back all that is kept; whether there was any.
  bool give_up_idle() noexcept;
  // Gives back, what was kept longest first, until no more than room bytes are kept in all pools that share the account.
  void keep_within(std::size_t room) noexcept;
  // Lets a block be that a queue may be at work on for ever: its piece is not given back any more.
  void give_up(const Record& record) noexcept;
  // Gives all back, also what is handed out, but not what was given up. Nobody else may be inside; the pool is as
  // new then.
  cadastre_exit_code close() noexcept;

  // Where its memory is.
  Place place() const noexcept { return {type_, device_, backend_.number()}; }
  bool is_over(const Backend& backend, std::int32_t device) const noexcept {
    return &backend == &backend_ && device == device_;
  }
  PoolFigures figures() const noexcept;
  // Whether bytes of a range are in pieces, handed out or not.
  bool has(const Record& range) const noexcept;
  // The bytes that a block takes; its size where it is the backend's.
  std::size_t actual_size(const Record& record) const noexcept;

  // Whether lists, shelves, table and figures agree; for tests, while nobody else is inside.
  bool is_sound() const noexcept;

  // To be called in the child of a fork, with the account's latch held.
  void in_child() noexcept;

 private:
  friend struct KeepAccount;
  struct Need {
    std::size_t bytes, alignment;
    Order order;
    std::size_t room;     // bytes that may be kept beside
    unsigned looks = 16;  // at pieces of one class
  };
  static constexpr std::size_t most_parked_in_vain = 128;

  bool is_direct(std::size_t size) const noexcept { return size < direct_below_; }
  bool passes_by(const Request& request) const noexcept;
  std::size_t bytes_for(std::size_t size) const noexcept;
  cadastre_exit_code admit_order(cadastre_queue queue) noexcept;

  // zero_from: where zeroing begins, in a request that says zero.
  cadastre_exit_code serve(const Request& request, std::size_t zero_from, std::size_t room, Grant& grant) noexcept;
  Need need_of(const Request& request, std::size_t room) const noexcept;
  // From the lane of the queue, else from what is settled; nothing, where neither has it.
  cadastre_exit_code serve_at_once(const Need& need, PoolPiece*& taken) noexcept;
  cadastre_exit_code serve_slowly(const Need& need, PoolPiece*& taken) noexcept;
  // What was taken from a lane, when it may be used; what cannot be waited for goes back there.
  cadastre_exit_code come_after(Lane& lane, const Need& need, PoolPiece*& taken) noexcept;
  cadastre_exit_code take_from_others(const Need& need, PoolPiece*& taken) noexcept;
  cadastre_exit_code make_ready(const Request& request, const Order& order, std::size_t zero_from, PoolPiece& piece) noexcept;
  cadastre_exit_code clear(std::byte* begin, std::size_t bytes, const Order& order) noexcept;
  cadastre_exit_code move(const Record& record, std::size_t size, std::size_t room, Grant& grant) noexcept;
  enum class Fitted { no, yes, foreign };
  cadastre_exit_code fit_in_place(const Record& record, std::size_t size, std::size_t room, Fitted& fitted) noexcept;

  cadastre_exit_code grow(const Need& need, PoolPiece*& made) noexcept;
  cadastre_exit_code ask(const Need& need, PoolPiece*& made) noexcept;
  template <class TooMuch>
  bool give_back_while(TooMuch too_much, cadastre_exit_code& code) noexcept;
  template <class TooMuch>
  void give_back_of_all(TooMuch too_much, bool wait) noexcept;
  bool give_back_all(cadastre_exit_code& code) noexcept;
  void give_back_old() noexcept;
  // With the latch held.
  void lose_what_was_there(const PoolPiece& granted) noexcept;
  void lose(PoolPiece& stale) noexcept;
  void withdraw(PoolPiece& piece) noexcept;
  bool is_to_go(const PoolPiece& piece) const noexcept;
  bool keeps_what_is_to_go() noexcept;
  void gather() noexcept;
  void settle_lane(Lane& lane, std::uint64_t until) noexcept;
  Lane* find_lane(cadastre_queue queue) noexcept;
  Lane* lane_of(cadastre_queue queue) noexcept;
  Lane* lane_to_mark(cadastre_queue queue) noexcept;
  // One without pieces that nobody needs, or a new one, for a queue; null when the host has no memory.
  Lane* vacant_lane(cadastre_queue queue) noexcept;
  // The event that the frees on a lane came before; for one that visits it.
  // own: it was made for this call, which destroys it.
  cadastre_exit_code event_of(Lane& lane, Backend::Event& event, bool& own) noexcept;
  cadastre_exit_code record_on_default(Lane& lane, Backend::Event& event, bool& own) noexcept;
  // Lets the one who takes from a lane come after what was freed there: his queue, or else the host.
  cadastre_exit_code await_lane(Lane& lane, const Order& order, bool& marked) noexcept;
  // Where a block goes that a queue lets go: a lane with a visitor more, or null when nothing is known of the queue.
  Lane* mark(cadastre_queue queue) noexcept;

  // With the latch held.
  bool room_for_piece() noexcept { return in_use_ < capacity_ || more_pieces(); }
  bool more_pieces() noexcept;
  // For one that is in the table no more.
  void retire(PoolPiece& piece) noexcept;
  PoolPiece* oldest_settled() const noexcept;
  // The most bytes of a piece that may serve so many.
  std::size_t most_for(std::size_t bytes, std::size_t room) const noexcept;
  void hand_out(PoolPiece& piece, std::size_t bytes) noexcept;
  PoolPiece* take_parked(Lane& lane, std::size_t bytes, std::size_t alignment) noexcept;
  PoolPiece* take_from(Lane& lane, const Need& need) noexcept;
  PoolPiece* take_of_queue(const Need& need, Lane*& lane) noexcept;
  PoolPiece* search(Lane& lane, const Need& need) noexcept;
  void unpark(Lane& lane) noexcept;
  void file(PoolPiece& piece, Lane& lane) noexcept;
  void take_back(PoolPiece& piece, Lane& lane) noexcept;
  bool take_back(const Record& record, Lane& lane) noexcept;

  Backend& backend_;
  const cadastre_memory_type type_;
  const std::int32_t device_;
  const std::size_t direct_below_;
  const unsigned granule_log2_;
  const std::size_t granule_;
  const bool fresh_is_zero_, ordered_, of_a_runtime_, watched_;
  bool gave_twice_ = false;  // the backend, what the pool already had
  const std::size_t spare_bytes_;  // between what is asked for and the next block

  KeepAccount& shared_;
  Latch& latch_;
  Pool* next_ = nullptr;  // of those that share the account
  Lane settled_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  PieceList out_, kept_;  // pieces that are handed out; and the others, in the order in which they were freed
  PieceTable table_;
  std::vector<std::unique_ptr<PoolPiece[]>> nodes_;
  PoolPiece* unused_ = nullptr;
  std::size_t in_use_ = 0, capacity_ = 0;  // pieces
  std::size_t used_ = 0, reserved_ = 0;
  std::uint64_t hits_ = 0, misses_ = 0, trims_ = 0;
};

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
