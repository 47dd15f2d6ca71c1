// Tangled from org/pool.org; change the chapter, then run: make tangle
#include "pool.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include <time.h>

#include "config.h"
#include "core/checkers.hpp"

#ifdef HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/memcheck.h>
#define CADASTRE_TELL_VALGRIND(request) do { request; } while (false)
#else
#define CADASTRE_TELL_VALGRIND(request) static_cast<void>(0)
#endif

namespace cadastre::internal {

namespace {

using Latched = Locked<Latch>;

void begin_watching([[maybe_unused]] const void* pool) noexcept {
  CADASTRE_TELL_VALGRIND(VALGRIND_CREATE_MEMPOOL(pool, 0, 0));
}

void end_watching([[maybe_unused]] const void* pool) noexcept {
  CADASTRE_TELL_VALGRIND(VALGRIND_DESTROY_MEMPOOL(pool));
}

// unknown: how many of its bytes nobody is to rely on; the others are zero.
void watch_block([[maybe_unused]] const void* pool, const std::byte* begin, std::size_t size, std::size_t unknown) noexcept {
  reveal(begin, size);
  CADASTRE_TELL_VALGRIND(VALGRIND_MEMPOOL_ALLOC(pool, begin, size));
  if (unknown < size) CADASTRE_TELL_VALGRIND(VALGRIND_MAKE_MEM_DEFINED(begin + unknown, size - unknown));
}

// in_use: a queue may be at work on it yet, on the host's memory perhaps.
void watch_free([[maybe_unused]] const void* pool, const std::byte* begin, std::size_t bytes, bool in_use) noexcept {
  CADASTRE_TELL_VALGRIND(VALGRIND_MEMPOOL_FREE(pool, begin));
  if (in_use) {
    reveal(begin, bytes);
  } else {
    conceal(begin, bytes);
  }
}

// piece: of how many bytes it is; zero: whether what is new reads as zeros.
void watch_resized([[maybe_unused]] const void* pool, const std::byte* begin, std::size_t from, std::size_t to,
                   std::size_t piece, [[maybe_unused]] bool zero) noexcept {
  CADASTRE_TELL_VALGRIND(VALGRIND_MEMPOOL_CHANGE(pool, begin, begin, to));
  if (to > from) {
    if (zero) {
      reveal_defined(begin + from, to - from);
    } else {
      reveal(begin + from, to - from);
    }
  }
  conceal(begin + to, piece - to);
}

}  // namespace

std::size_t pooled_from(cadastre_memory_type type) noexcept { return type == CADASTRE_HOST ? 256 * 1024 : 0; }

std::uint32_t coarse_seconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<std::uint32_t>(now.tv_sec);
}

namespace {

unsigned granule_log2_of(const Backend& backend, cadastre_memory_type type) noexcept {
  const std::size_t usual = type == CADASTRE_HOST ? 4096 : 256;
  return log2_of(std::min(std::max(usual, backend.natural_alignment(type)), backend.largest_alignment(type)));
}

bool is_host(const Backend& backend) noexcept { return backend.number() == CADASTRE_BACKEND_HOST; }

}  // namespace

Pool::Pool(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& shared,
           std::size_t direct_below) noexcept
    : backend_(backend),
      type_(type),
      device_(device),
      direct_below_(direct_below),
      granule_log2_(granule_log2_of(backend, type)),
      granule_(std::size_t{1} << granule_log2_),
      fresh_is_zero_(is_host(backend)),
      ordered_(type != CADASTRE_HOST && backend.has_events()),
      of_a_runtime_(!is_host(backend) && row_of_backend(backend.number()) != nullptr),
      watched_((type != CADASTRE_DEVICE || is_host(backend)) && is_memory_checked()),
      // What begins just behind an emulated device's memory is to be nobody's.
      spare_bytes_(watched_ || (type == CADASTRE_DEVICE && is_host(backend)) ? 1 : 0),
      shared_(shared),
      latch_(shared.latch),
      settled_(granule_log2_) {
  if (watched_) begin_watching(this);
  const Latched latched(latch_);
  next_ = shared_.first.load(std::memory_order_relaxed);
  shared_.first.store(this, std::memory_order_release);
}

// Those of one account go together, so that the list of them is not mended.
Pool::~Pool() {
  close();
  if (watched_) end_watching(this);
}

inline bool Pool::passes_by(const Request& request) const noexcept {
  return is_direct(request.size) || request.size > largest_size / 2 ||
         (of_a_runtime_ && vendor(backend_.number()) != Vendor::there);
}

inline std::size_t Pool::bytes_for(std::size_t size) const noexcept {
  return round_up(size + spare_bytes_ + (size == 0), granule_);
}

void PieceTable::enlarge(std::size_t pieces) {
  PieceTable larger;
  larger.log2_ = log2_of(2 * pieces);
  larger.places_ = std::make_unique<PoolPiece*[]>(2 * pieces);
  for (std::size_t place = 0; places_ && place < std::size_t{1} << log2_; ++place) {
    if (places_[place]) larger.insert(*places_[place]);
  }
  *this = std::move(larger);
}

void PieceTable::erase(const PoolPiece& piece) noexcept {
  std::size_t hole = home_of(piece.begin);
  while (places_[hole] != &piece) hole = next(hole);
  const std::size_t mask = (std::size_t{1} << log2_) - 1;
  for (std::size_t place = next(hole); places_[place]; place = next(place)) {
    const std::size_t way = (place - home_of(places_[place]->begin)) & mask;
    if (way < ((place - hole) & mask)) continue;
    places_[hole] = places_[place];
    hole = place;
  }
  places_[hole] = nullptr;
}

bool Pool::more_pieces() noexcept try {
  const std::size_t more = capacity_ ? capacity_ : 64;
  table_.enlarge(capacity_ + more);
  nodes_.push_back(std::make_unique<PoolPiece[]>(more));
  for (std::size_t i = 0; i < more; ++i) nodes_.back()[i].older = std::exchange(unused_, &nodes_.back()[i]);
  capacity_ += more;
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void Pool::retire(PoolPiece& piece) noexcept {
  piece.older = std::exchange(unused_, &piece);
  --in_use_;
}

// Memory that a backend gives while a piece still has it was taken from the pool, as by a reset of the device: that piece is gone.
// All pieces are looked at once one began where a piece began that the pool has.
void Pool::lose_what_was_there(const PoolPiece& granted) noexcept {
  gave_twice_ = gave_twice_ || table_.find(granted.begin);
  if (!gave_twice_) return;
  for (PieceList* const list : {&out_, &kept_}) {
    for (PoolPiece* piece = list->first(); piece;) {
      PoolPiece& each = *std::exchange(piece, piece->behind);
      if (each.meets(address_of(granted.begin), granted.bytes)) lose(each);
    }
  }
}

void Pool::lose(PoolPiece& stale) noexcept {
  if (stale.parked) {
    for (const auto& lane : lanes_) unpark(*lane);
    unpark(settled_);
  }
  if (stale.lane) {
    withdraw(stale);
  } else {
    out_.remove(stale);
    table_.erase(stale);
    shared_.used -= stale.bytes;
    shared_.waste -= stale.waste;
    used_ -= stale.bytes;
    reserved_ -= stale.bytes;
  }
  retire(stale);
}

// Takes a piece that is on a shelf out of all that knows it.
void Pool::withdraw(PoolPiece& piece) noexcept {
  std::exchange(piece.lane, nullptr)->shelf.take(piece);
  kept_.remove(piece);
  table_.erase(piece);
  reserved_ -= piece.bytes;
  shared_.kept -= piece.bytes;
}

std::size_t Pool::most_for(std::size_t bytes, std::size_t room) const noexcept {
  const std::size_t all = shared_.peak / 8;
  if (room != everything_kept || shared_.waste >= all) return bytes;
  return bytes + std::min(bytes / 2, all - shared_.waste);
}

// bytes: those that were asked for, rounded up. The piece is on no shelf.
inline void Pool::hand_out(PoolPiece& piece, std::size_t bytes) noexcept {
  kept_.remove(piece);
  out_.add(piece);
  piece.lane = nullptr;
  piece.waste = piece.bytes - bytes;
  shared_.waste += piece.waste;
  shared_.kept -= piece.bytes;
  shared_.used += piece.bytes;
  shared_.peak = std::max(shared_.peak, shared_.used - shared_.waste);
  used_ += piece.bytes;
  ++hits_;
}

inline PoolPiece* Pool::take_parked(Lane& lane, std::size_t bytes, std::size_t alignment) noexcept {
  PoolPiece* const piece = lane.lot.take(bytes, alignment);
  if (piece) hand_out(*piece, bytes);
  return piece;
}

PoolPiece* Pool::take_from(Lane& lane, const Need& need) noexcept {
  PoolPiece* const piece = take_parked(lane, need.bytes, need.alignment);
  return piece ? piece : search(lane, need);
}

PoolPiece* Pool::search(Lane& lane, const Need& need) noexcept {
  const std::size_t most = most_for(need.bytes, need.room);
  if (lane.lot.parked >= most_parked_in_vain) unpark(lane);
  PoolPiece* piece = lane.shelf.find(need.bytes, most, need.alignment, need.looks);
  if (!piece && lane.lot.parked > 0) {
    unpark(lane);
    piece = lane.shelf.find(need.bytes, most, need.alignment, need.looks);
  }
  if (!piece) return nullptr;
  lane.shelf.take(*piece);
  hand_out(*piece, need.bytes);
  return piece;
}

// lane: from which it was taken, with a visitor more.
PoolPiece* Pool::take_of_queue(const Need& need, Lane*& lane) noexcept {
  for (const auto& each : lanes_) {
    if (each->queue != *need.order || each->empty()) continue;
    PoolPiece* const piece = take_from(*each, need);
    if (!piece) continue;
    lane = each.get();
    ++lane->visitors;
    return piece;
  }
  return nullptr;
}

void Pool::unpark(Lane& lane) noexcept {
  lane.lot.take_all([&](PoolPiece& piece) { file(piece, lane); });
}

// Puts a piece that is on no shelf onto that of a lane.
void Pool::file(PoolPiece& piece, Lane& lane) noexcept {
  piece.lane = &lane;
  piece.stamp = ++lane.filed;
  lane.shelf.put(piece);
}

inline void Pool::take_back(PoolPiece& piece, Lane& lane) noexcept {
  shared_.tick();
  piece.freed = shared_.now;
  out_.remove(piece);
  kept_.add(piece);
  shared_.waste -= std::exchange(piece.waste, 0);
  shared_.used -= piece.bytes;
  shared_.kept += piece.bytes;
  used_ -= piece.bytes;
  lane.lot.put(piece);
}

// Of what no queue is at work on. Looks at few, since what is kept longest is mostly settled.
PoolPiece* Pool::oldest_settled() const noexcept {
  PoolPiece* piece = kept_.first();
  while (piece && piece->lane != &settled_) piece = piece->behind;
  return piece;
}

// The first lane of a queue; null when there is none.
Lane* Pool::find_lane(cadastre_queue queue) noexcept {
  for (const auto& lane : lanes_) {
    if (lane->queue == queue) return lane.get();
  }
  return nullptr;
}

// The same, made where it is missing; null when the host has no memory.
Lane* Pool::lane_of(cadastre_queue queue) noexcept {
  Lane* const lane = find_lane(queue);
  return lane ? lane : vacant_lane(queue);
}

// One of a queue that nobody else marks.
Lane* Pool::lane_to_mark(cadastre_queue queue) noexcept {
  for (const auto& lane : lanes_) {
    if (lane->queue == queue && !lane->marking) return lane.get();
  }
  return vacant_lane(queue);
}

Lane* Pool::vacant_lane(cadastre_queue queue) noexcept try {
  Lane* vacant = nullptr;
  for (const auto& lane : lanes_) {
    if (lane->empty() && lane->visitors == 0) vacant = lane.get();
  }
  if (!vacant) vacant = lanes_.emplace_back(std::make_unique<Lane>(granule_log2_)).get();
  vacant->queue = queue;
  return vacant;
} catch (const std::bad_alloc&) {
  return nullptr;
}

Lane* Pool::mark(cadastre_queue queue) noexcept {
  if (queue != CADASTRE_DEFAULT_QUEUE && queue == backend_.queue_of_each_thread()) {
    if (backend_.synchronize(device_, queue) != CADASTRE_SUCCESS) return nullptr;
    const Latched latched(latch_);
    ++settled_.visitors;
    return &settled_;
  }
  latch_.lock();
  Lane* const lane = lane_to_mark(queue);
  const bool covers_others = lane && (!lane->empty() || lane->visitors > 0);
  if (lane) ++lane->visitors;
  if (lane) lane->marking = true;
  Backend::Event event = lane ? lane->event : nullptr;
  latch_.unlock();
  if (!lane) return nullptr;
  // What is there already may be another queue's, which had the same number.
  cadastre_exit_code code = covers_others ? backend_.wait_event(device_, queue, event) : CADASTRE_SUCCESS;
  if (code == CADASTRE_SUCCESS) code = backend_.record_event(device_, queue, event);
  const Latched latched(latch_);
  lane->marking = false;
  lane->event = event;
  if (code == CADASTRE_SUCCESS) return lane;
  --lane->visitors;
  return nullptr;
}

cadastre_exit_code Pool::event_of(Lane& lane, Backend::Event& event, bool& own) noexcept {
  if (lane.queue == CADASTRE_DEFAULT_QUEUE) {
    const cadastre_exit_code code = admit_order(lane.queue);
    return code == CADASTRE_SUCCESS ? record_on_default(lane, event, own) : code;
  }
  const Latched latched(latch_);
  event = lane.event;
  return CADASTRE_SUCCESS;
}

// The lane's event where nobody else marks it now.
cadastre_exit_code Pool::record_on_default(Lane& lane, Backend::Event& event, bool& own) noexcept {
  latch_.lock();
  own = std::exchange(lane.marking, true);
  event = own ? nullptr : lane.event;
  latch_.unlock();
  const cadastre_exit_code code = backend_.record_event(device_, CADASTRE_DEFAULT_QUEUE, event);
  if (own) return code;
  const Latched latched(latch_);
  lane.marking = false;
  lane.event = event;
  return code;
}

// marked: whether there was an event to wait for.
cadastre_exit_code Pool::await_lane(Lane& lane, const Order& order, bool& marked) noexcept {
  Backend::Event event = nullptr;
  bool own = false;
  cadastre_exit_code code = event_of(lane, event, own);
  marked = code == CADASTRE_SUCCESS;
  if (marked) code = order ? backend_.wait_event(device_, *order, event) : backend_.synchronize_event(device_, event);
  if (own) backend_.destroy_event(device_, event);
  return code;
}

// Waits on the host for what the lanes have; what is freed there meanwhile stays.
void Pool::gather() noexcept {
  for (std::size_t i = 0;; ++i) {
    latch_.lock();
    Lane* const lane = i < lanes_.size() ? lanes_[i].get() : nullptr;
    const bool holds = lane && !lane->empty();
    if (holds) unpark(*lane);
    if (holds) ++lane->visitors;
    const std::uint64_t until = holds ? lane->filed : 0;
    latch_.unlock();
    if (!lane) return;
    if (!holds) continue;
    bool marked = false;
    const cadastre_exit_code code = await_lane(*lane, std::nullopt, marked);
    const Latched latched(latch_);
    --lane->visitors;
    if (code == CADASTRE_SUCCESS) settle_lane(*lane, until);
  }
}

void Pool::settle_lane(Lane& lane, std::uint64_t until) noexcept {
  for (PoolPiece* piece = kept_.first(); piece; piece = piece->behind) {
    if (piece->lane != &lane || piece->stamp > until) continue;
    lane.shelf.take(*piece);
    if (watched_) conceal(piece->begin, piece->bytes);
    file(*piece, settled_);
  }
}

// Refuses a queue on which nothing may be put, nor any of its memory be handed out.
cadastre_exit_code Pool::admit_order(cadastre_queue queue) noexcept {
  if (!backend_.capturing(device_, queue)) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE, .reason = CADASTRE_REASON_CAPTURE_ACTIVE, .type = type_,
               .backend = backend_.number(), .device = device_, .pointer = queue,
               .detail = "allocate before the capture begins, and free after it has ended"});
}

namespace {

std::uint16_t remark(const Order& order) noexcept {
  return static_cast<std::uint16_t>(order ? how_pooled | how_ordered : how_pooled);
}

// What a backend said of a piece, as of the block that was asked for.
[[gnu::cold]] cadastre_exit_code failed_to_serve(const Request& request) noexcept {
  Failure own = failed_last();
  own.requested = request.size;
  return fail(own);
}

}  // namespace

inline Pool::Need Pool::need_of(const Request& request, std::size_t room) const noexcept {
  return {bytes_for(request.size), std::max(request.alignment, granule_),
          request.ordered && ordered_ ? Order(request.queue) : std::nullopt, room};
}

bool Pool::allocate_at_once(const Request& request, Grant& grant) noexcept {
  if (request.zero || watched_ || passes_by(request)) return false;
  const Need need = need_of(request, everything_kept);
  if (need.order && *need.order != CADASTRE_DEFAULT_QUEUE) return false;
  const Latched latched(latch_);
  Lane* const lane = need.order ? find_lane(*need.order) : nullptr;
  PoolPiece* piece = lane ? take_parked(*lane, need.bytes, need.alignment) : nullptr;
  if (!piece) piece = take_parked(settled_, need.bytes, need.alignment);
  if (!piece) return false;
  piece->dirty = piece->bytes;
  grant = {piece->begin, need.alignment, remark(need.order)};
  return true;
}

cadastre_exit_code Pool::serve(const Request& request, std::size_t zero_from, std::size_t room, Grant& grant) noexcept {
  if (passes_by(request)) {
    keep_within(room);
    return backend_.allocate(request, grant);
  }
  const Need need = need_of(request, room);
  if (need.order && (request.zero || *need.order != CADASTRE_DEFAULT_QUEUE)) {
    if (const cadastre_exit_code code = admit_order(*need.order); code != CADASTRE_SUCCESS) return code;
  }
  PoolPiece* piece = nullptr;
  cadastre_exit_code code = serve_at_once(need, piece);
  const bool hit = piece != nullptr;
  if (code == CADASTRE_SUCCESS && !piece) code = serve_slowly(need, piece);
  if (code != CADASTRE_SUCCESS) return failed_to_serve(request);
  if (request.zero || watched_) code = make_ready(request, need.order, zero_from, *piece);
  if (code != CADASTRE_SUCCESS) return code;
  piece->dirty = piece->bytes;
  grant = {piece->begin, need.alignment, remark(need.order)};
  if (!need.order && !hit) {  // after a hit, the free that follows does
    latch_.lock();
    const bool too_much = keeps_what_is_to_go();
    latch_.unlock();
    if (too_much) give_back_old();
  }
  return CADASTRE_SUCCESS;
}

namespace {

cadastre_exit_code no_memory_for_pieces() noexcept {
  return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_OUT_OF_HOST_MEMORY});
}

// What a backend said of another operation, as that of an allocation.
cadastre_exit_code failed_to_allocate() noexcept {
  Failure failure = failed_last();
  if (failure.exit_code == CADASTRE_CAPTURE_ACTIVE) return failure.exit_code;
  failure.exit_code = CADASTRE_ALLOCATION_FAILED;
  return fail(failure);
}

}  // namespace

cadastre_exit_code Pool::serve_at_once(const Need& need, PoolPiece*& taken) noexcept {
  Lane* lane = nullptr;
  latch_.lock();
  if (need.order) taken = take_of_queue(need, lane);
  if (!taken) taken = take_from(settled_, need);
  const bool in_order = lane && lane->queue == CADASTRE_DEFAULT_QUEUE;
  if (in_order) --lane->visitors;
  latch_.unlock();
  return lane && !in_order ? come_after(*lane, need, taken) : CADASTRE_SUCCESS;
}

cadastre_exit_code Pool::come_after(Lane& lane, const Need& need, PoolPiece*& taken) noexcept {
  bool marked = false;
  const cadastre_exit_code code = await_lane(lane, need.order, marked);
  const Latched latched(latch_);
  --lane.visitors;
  if (code == CADASTRE_SUCCESS) return code;
  --hits_;
  take_back(*std::exchange(taken, nullptr), lane);
  return marked ? failed_to_allocate() : CADASTRE_SUCCESS;
}

// With nothing there that could be had at once.
cadastre_exit_code Pool::serve_slowly(const Need& need, PoolPiece*& taken) noexcept {
  cadastre_exit_code code = need.order ? admit_order(*need.order) : CADASTRE_SUCCESS;
  if (code != CADASTRE_SUCCESS) return code;
  Need thorough = need;
  thorough.looks = std::numeric_limits<unsigned>::max();
  code = serve_at_once(thorough, taken);
  if (code == CADASTRE_SUCCESS && !taken) code = take_from_others(thorough, taken);
  return code != CADASTRE_SUCCESS || taken ? code : grow(need, taken);
}

// No piece is taken where its lane cannot say what it waits for.
cadastre_exit_code Pool::take_from_others(const Need& need, PoolPiece*& taken) noexcept {
  Lane* from = nullptr;
  latch_.lock();
  for (std::size_t i = 0; i < lanes_.size() && !taken; ++i) {
    taken = take_from(*lanes_[i], need);
    if (!taken) continue;
    from = lanes_[i].get();
    ++from->visitors;
  }
  latch_.unlock();
  return from ? come_after(*from, need, taken) : CADASTRE_SUCCESS;
}

cadastre_exit_code Pool::clear(std::byte* begin, std::size_t bytes, const Order& order) noexcept {
  return backend_.set({.to = begin, .value = 0, .bytes = bytes, .place = place(),
                       .queue = order.value_or(backend_.queue_of_each_thread()), .wait = !order});
}

cadastre_exit_code Pool::make_ready(const Request& request, const Order& order, std::size_t zero_from,
                                    PoolPiece& piece) noexcept {
  const std::size_t dirty = std::min(piece.dirty, request.size);
  if (watched_) watch_block(this, piece.begin, request.size, request.zero ? piece.dirty : request.size);
  if (!request.zero || dirty <= zero_from) return CADASTRE_SUCCESS;
  const cadastre_exit_code code = clear(piece.begin + zero_from, dirty - zero_from, order);
  if (code == CADASTRE_SUCCESS) return code;
  const Failure first = failed_last();
  backend_.settle(piece.record);  // the vendor may have begun; when even this fails, there is no more to be done
  const Latched latched(latch_);
  if (watched_) watch_free(this, piece.begin, piece.bytes, false);
  take_back(piece, settled_);
  fail(first);
  return failed_to_allocate();
}

cadastre_exit_code Pool::grow(const Need& need, PoolPiece*& made) noexcept {
  const cadastre_exit_code code = ask(need, made);
  if (code == CADASTRE_SUCCESS || failed_last().reason != CADASTRE_REASON_BACKEND_OUT_OF_MEMORY) return code;
  const Failure first = failed_last();
  cadastre_exit_code ignored = CADASTRE_SUCCESS;
  return give_back_all(ignored) ? ask(need, made) : fail(first);
}

// Gives back as much as has to go, of all pools that share the account, before it asks.
cadastre_exit_code Pool::ask(const Need& need, PoolPiece*& made) noexcept {
  latch_.lock();
  if (!room_for_piece()) {
    latch_.unlock();
    return no_memory_for_pieces();
  }
  PoolPiece& piece = *std::exchange(unused_, unused_->older);
  ++in_use_;
  shared_.asking += need.bytes;
  latch_.unlock();
  const auto too_much = [&] { return shared_.is_too_much(need.room); };
  give_back_of_all(too_much, true);
  Grant granted{};
  const cadastre_exit_code code =
      backend_.allocate({need.bytes, need.alignment, type_, device_, fresh_is_zero_}, granted);
  latch_.lock();
  shared_.asking -= need.bytes;
  if (code != CADASTRE_SUCCESS) {
    retire(piece);
    latch_.unlock();
    return code;
  }
  piece = {};
  piece.begin = static_cast<std::byte*>(granted.pointer);
  piece.bytes = need.bytes;
  piece.dirty = fresh_is_zero_ ? 0 : need.bytes;
  piece.record.size = need.bytes;
  piece.record.type = static_cast<std::uint8_t>(type_);
  piece.record.device = device_;
  piece.record.backend = static_cast<std::uint8_t>(backend_.number());
  note(granted, piece.record);
  lose_what_was_there(piece);
  table_.insert(piece);
  if (watched_) conceal(piece.begin, piece.bytes);
  kept_.add(piece);
  shared_.kept += piece.bytes;
  reserved_ += piece.bytes;
  hand_out(piece, need.bytes);
  --hits_;
  ++misses_;
  latch_.unlock();
  made = &piece;
  give_back_of_all(too_much, false);  // others have freed meanwhile
  return code;
}

namespace {

constexpr std::uint32_t seconds_kept = 10;

}  // namespace

// Gives settled pieces back, what was kept longest first, while too_much holds of the next one. Whether one went.
// code: what the backend said of the last one that did not.
template <class TooMuch>
bool Pool::give_back_while(TooMuch too_much, cadastre_exit_code& code) noexcept {
  bool any = false;
  while (code == CADASTRE_SUCCESS) {
    latch_.lock();
    unpark(settled_);
    PoolPiece* const piece = oldest_settled();
    const bool goes = piece && too_much(*piece);
    if (goes) withdraw(*piece);
    latch_.unlock();
    if (!goes) break;
    if (watched_) reveal(piece->begin, piece->bytes);
    code = backend_.free(piece->record);
    const Latched latched(latch_);
    if (code == CADASTRE_SUCCESS) {
      retire(*piece);
      any = true;
      continue;
    }
    if (watched_) conceal(piece->begin, piece->bytes);
    reserved_ += piece->bytes;
    shared_.kept += piece->bytes;
    table_.insert(*piece);
    kept_.add(*piece);
    file(*piece, settled_);
  }
  if (any) {
    const Latched latched(latch_);
    ++trims_;
  }
  return any;
}

bool Pool::give_back_all(cadastre_exit_code& code) noexcept {
  return give_back_while([](const PoolPiece&) { return true; }, code);
}

inline bool Pool::is_to_go(const PoolPiece& piece) const noexcept {
  return shared_.now - piece.freed >= seconds_kept || shared_.is_too_much(everything_kept);
}

// Whether something is beyond the bound, or was kept too long.
inline bool Pool::keeps_what_is_to_go() noexcept {
  if (shared_.keep.of == PoolKeep::all) return false;
  shared_.tick();
  const PoolPiece* const oldest = kept_.first();
  return oldest && is_to_go(*oldest);
}

void Pool::give_back_old() noexcept {
  cadastre_exit_code ignored = CADASTRE_SUCCESS;
  give_back_while([&](const PoolPiece& piece) { return is_to_go(piece); }, ignored);
}

// As the other one, in all pools that share the account. wait: whether queues are waited for where that helps.
template <class TooMuch>
void Pool::give_back_of_all(TooMuch too_much, bool wait) noexcept {
  const auto still = [&] {
    const Latched latched(latch_);
    return too_much();
  };
  cadastre_exit_code ignored = CADASTRE_SUCCESS;
  for (const bool waited : {false, true}) {
    for (Pool* pool = shared_.first.load(std::memory_order_acquire); pool; pool = pool->next_) {
      if ((waited && !wait) || !still()) return;
      if (waited) pool->gather();
      pool->give_back_while([&](const PoolPiece&) { return too_much(); }, ignored);
    }
  }
}

void Pool::keep_within(std::size_t room) noexcept {
  if (room != everything_kept) give_back_of_all([&] { return shared_.kept > room; }, true);
}

cadastre_exit_code Pool::trim(std::size_t reserved) noexcept {
  gather();
  cadastre_exit_code code = CADASTRE_SUCCESS;
  give_back_while([&](const PoolPiece&) { return reserved_ > reserved; }, code);
  return code;
}

bool Pool::give_up_idle() noexcept {
  gather();
  cadastre_exit_code ignored = CADASTRE_SUCCESS;
  return give_back_all(ignored);
}

void Pool::give_up(const Record& record) noexcept {
  const Latched latched(latch_);
  if (PoolPiece* const piece = table_.find(record.pointer)) piece->given_up = true;
}

cadastre_exit_code Pool::close() noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  if (watched_) end_watching(this);
  for (PieceList* const list : {&out_, &kept_}) {
    while (PoolPiece* const piece = list->first()) {
      list->remove(*piece);
      if (watched_) reveal(piece->begin, piece->bytes);
      const cadastre_exit_code code = piece->given_up ? CADASTRE_SUCCESS : backend_.free(piece->record);
      if (code != CADASTRE_SUCCESS) worst = code;
      list == &out_ ? void(shared_.used -= piece->bytes) : void(shared_.kept -= piece->bytes);
      shared_.waste -= piece->waste;
    }
  }
  if (shared_.used + shared_.kept == 0) shared_.peak = 0;
  for (const auto& lane : lanes_) backend_.destroy_event(device_, lane->event);
  lanes_.clear();
  table_.reset();
  nodes_.clear();
  unused_ = nullptr;
  in_use_ = capacity_ = used_ = reserved_ = 0;
  settled_.shelf = Shelf(granule_log2_);
  settled_.lot = ParkingLot();
  if (watched_) begin_watching(this);
  return worst;
}

namespace {

cadastre_exit_code failed_to_free(const Record& record) noexcept {
  Failure failure = failed_last();
  if (failure.exit_code == CADASTRE_CAPTURE_ACTIVE) return failure.exit_code;
  failure.exit_code = CADASTRE_DEALLOCATION_FAILED;
  failure.reason = CADASTRE_REASON_BACKEND_FREE_FAILED;
  failure.type = record.type;
  failure.base = record.pointer;
  failure.size = record.size;
  failure.label = text_of(record.origin);
  return fail(failure);
}

}  // namespace

cadastre_exit_code Pool::free(const Record& record, Order order) noexcept {
  if (is_direct(record.size)) return order ? backend_.free_ordered(record, *order) : backend_.free(record);
  if (order && ordered_) {
    const cadastre_exit_code code = admit_free(*order);
    return code == CADASTRE_SUCCESS ? free_admitted(record, *order) : code;
  }
  // Where it fails, what follows waits for more; but it would wait for what is captured, too.
  if (order && backend_.synchronize(device_, *order) == CADASTRE_CAPTURE_ACTIVE) return CADASTRE_CAPTURE_ACTIVE;
  if (backend_.settle(record) != CADASTRE_SUCCESS) return failed_to_free(record);
  latch_.lock();
  const bool found = take_back(record, settled_);
  const bool too_much = found && keeps_what_is_to_go();
  latch_.unlock();
  if (!found) return backend_.free(record);
  if (too_much) give_back_old();
  return CADASTRE_SUCCESS;
}

bool Pool::free_at_once(const Record& record, cadastre_queue queue) noexcept {
  if (!ordered_ || queue != CADASTRE_DEFAULT_QUEUE || is_direct(record.size)) return false;
  const Latched latched(latch_);
  Lane* const lane = lane_of(queue);
  return lane && take_back(record, *lane);
}

cadastre_exit_code Pool::free_admitted(const Record& record, cadastre_queue queue) noexcept {
  if (!ordered_ || is_direct(record.size)) return free(record, queue);
  if (free_at_once(record, queue)) return CADASTRE_SUCCESS;
  Lane* const marked = mark(queue);
  if (!marked) {
    // It may be another device's, of which free would know nothing.
    if (backend_.synchronize(device_, queue) == CADASTRE_CAPTURE_ACTIVE) return CADASTRE_CAPTURE_ACTIVE;
    return free(record);
  }
  latch_.lock();
  const bool found = take_back(record, *marked);
  --marked->visitors;
  latch_.unlock();
  return found ? CADASTRE_SUCCESS : backend_.free_ordered(record, queue);
}

// False when the pool does not have the block.
inline bool Pool::take_back(const Record& record, Lane& lane) noexcept {
  PoolPiece* const piece = table_.find(record.pointer);
  if (!piece) return false;
  if (watched_) watch_free(this, piece->begin, piece->bytes, &lane != &settled_);
  take_back(*piece, lane);
  return true;
}

cadastre_exit_code Pool::resize(const Record& record, std::size_t size, Grant& grant, std::size_t room) noexcept {
  if (is_direct(record.size) && is_direct(size)) {
    keep_within(room);
    return backend_.resize(record, size, grant);
  }
  if (!is_direct(record.size) && !is_direct(size) && size <= largest_size / 2) {
    if (size < record.size || record.how & how_ordered) {
      if (const cadastre_exit_code code = backend_.settle(record); code != CADASTRE_SUCCESS) return code;
    }
    Fitted fitted = Fitted::no;
    const cadastre_exit_code code = fit_in_place(record, size, room, fitted);
    if (code != CADASTRE_SUCCESS) return code;
    if (fitted == Fitted::foreign) return backend_.resize(record, size, grant);
    if (fitted == Fitted::yes) {
      grant = {record.pointer, record.alignment(), remark({})};
      return CADASTRE_SUCCESS;
    }
  }
  return move(record, size, room, grant);
}

cadastre_exit_code Pool::fit_in_place(const Record& record, std::size_t size, std::size_t room, Fitted& fitted) noexcept {
  const std::size_t bytes = bytes_for(size);
  const bool zero = !(record.flags & CADASTRE_UNINITIALIZED);
  latch_.lock();
  PoolPiece* const piece = table_.find(record.pointer);
  const std::size_t waste = piece ? piece->waste : 0;
  shared_.waste -= waste;
  fitted = !piece ? Fitted::foreign : bytes <= piece->bytes && piece->bytes <= most_for(bytes, room) ? Fitted::yes : Fitted::no;
  if (fitted == Fitted::yes) piece->waste = piece->bytes - bytes;
  shared_.waste += piece ? piece->waste : 0;
  if (fitted == Fitted::yes && watched_) watch_resized(this, piece->begin, record.size, size, piece->bytes, zero);
  latch_.unlock();
  if (fitted != Fitted::yes || !zero || size <= record.size) return CADASTRE_SUCCESS;
  const cadastre_exit_code code = clear(piece->begin + record.size, size - record.size, std::nullopt);
  if (code == CADASTRE_SUCCESS) return code;
  const Failure first = failed_last();
  backend_.settle(record);
  const Latched latched(latch_);
  if (watched_) watch_resized(this, piece->begin, size, record.size, piece->bytes, zero);
  shared_.waste += waste - piece->waste;
  piece->waste = waste;
  return fail(first);
}

cadastre_exit_code Pool::move(const Record& record, std::size_t size, std::size_t room, Grant& grant) noexcept {
  const std::size_t kept = std::min(size, record.size);
  const bool zero = size > kept && !(record.flags & CADASTRE_UNINITIALIZED);
  Grant moved{};
  // A capture is met before there is another block to free.
  cadastre_exit_code code = backend_.has_events() ? backend_.settle(record) : CADASTRE_SUCCESS;
  if (code == CADASTRE_SUCCESS) code = serve({size, record.alignment(), type_, device_, zero}, kept, room, moved);
  if (code != CADASTRE_SUCCESS) return code;
  return move_block(backend_, record, size, moved, grant, [&](const Record& gone) { return free(gone); });
}

PoolFigures Pool::figures() const noexcept {
  const Latched latched(latch_);
  PoolFigures figures = {.used = used_, .reserved = reserved_, .largest_free_bytes = 0, .releasable_bytes = reserved_ - used_,
                         .hits = hits_, .misses = misses_, .trims = trims_};
  for (const PoolPiece* piece = kept_.first(); piece; piece = piece->behind) {
    figures.largest_free_bytes = std::max(figures.largest_free_bytes, piece->bytes);
  }
  return figures;
}

bool Pool::has(const Record& range) const noexcept {
  const Latched latched(latch_);
  for (const PieceList* const list : {&kept_, &out_}) {
    for (const PoolPiece* piece = list->first(); piece; piece = piece->behind) {
      if (piece->meets(range.address(), range.size)) return true;
    }
  }
  return false;
}

std::size_t Pool::actual_size(const Record& record) const noexcept {
  if (is_direct(record.size)) return record.size;
  const Latched latched(latch_);
  const PoolPiece* const piece = table_.find(record.pointer);
  return piece ? piece->bytes : record.size;
}

bool Pool::is_sound() const noexcept {
  bool sound = true;
  std::size_t pieces = 0, used = 0, kept = 0, parked = settled_.lot.parked;
  for (const auto& lane : lanes_) parked += lane->lot.parked;
  for (const PoolPiece* piece = out_.first(); piece; piece = piece->behind) {
    ++pieces;
    used += piece->bytes;
    sound = sound && table_.find(piece->begin) == piece && !piece->lane && !piece->parked && piece->waste < piece->bytes;
  }
  for (const PoolPiece* piece = kept_.first(); piece; piece = piece->behind) {
    ++pieces;
    kept += piece->bytes;
    parked -= piece->parked;
    sound = sound && table_.find(piece->begin) == piece && (piece->lane != nullptr) != piece->parked && piece->waste == 0 &&
            !(piece->lane && piece->lane->shelf.empty());
  }
  return sound && parked == 0 && pieces == in_use_ && used == used_ && used + kept == reserved_;
}

void Pool::in_child() noexcept {
  for (const auto& lane : lanes_) {
    lane->visitors = 0;
    lane->marking = false;
  }
  settled_.visitors = 0;
}

Pools::~Pools() {
  for (Entry* entry = first_.load(std::memory_order_relaxed); entry;) delete std::exchange(entry, entry->next);
}

Pool* Pools::open(Backend& backend, cadastre_memory_type type, std::int32_t device) noexcept {
  if (Pool* const pool = find(backend, device)) return pool;
  Entry* const first = first_.load(std::memory_order_relaxed);
  auto* const entry = new (std::nothrow) Entry(backend, type, device, account_, first);
  if (!entry) return nullptr;
  first_.store(entry, std::memory_order_release);
  return &entry->pool;
}

PoolFigures Pools::figures() const noexcept {
  PoolFigures all{};
  for_each([&](const Pool& pool) {
    const PoolFigures own = pool.figures();
    all.used += own.used;
    all.reserved += own.reserved;
    all.largest_free_bytes = std::max(all.largest_free_bytes, own.largest_free_bytes);
    all.releasable_bytes += own.releasable_bytes;
    all.hits += own.hits;
    all.misses += own.misses;
    all.trims += own.trims;
  });
  return all;
}

cadastre_exit_code Pools::trim(std::size_t reserved) noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  for_each([&](Pool& pool) {
    const std::size_t all = figures().reserved, own = pool.figures().reserved;
    const std::size_t others = all - std::min(own, all);
    const cadastre_exit_code code = pool.trim(reserved > others ? reserved - others : 0);
    if (code != CADASTRE_SUCCESS) worst = code;
  });
  return worst;
}

}  // namespace cadastre::internal
