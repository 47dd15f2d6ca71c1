// Tangled from org/pool.org; change the chapter, then run: make tangle
#include "pool.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "config.h"

#if defined(__SANITIZE_ADDRESS__)
#define CADASTRE_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CADASTRE_UNDER_ASAN 1
#endif
#endif
#ifdef CADASTRE_UNDER_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(begin, bytes) (static_cast<void>(begin), static_cast<void>(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(begin, bytes) (static_cast<void>(begin), static_cast<void>(bytes))
#endif

#ifdef HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/memcheck.h>
#define CADASTRE_TELL_VALGRIND(request) do { request; } while (false)
#else
#define RUNNING_ON_VALGRIND 0
#define CADASTRE_TELL_VALGRIND(request) static_cast<void>(0)
#endif

namespace cadastre::internal {

namespace {

class Latched {
 public:
  explicit Latched(Latch& latch) noexcept : latch_(latch) { latch_.lock(); }
  Latched(const Latched&) = delete;
  Latched& operator=(const Latched&) = delete;
  ~Latched() { latch_.unlock(); }

 private:
  Latch& latch_;
};

bool checkers_watch() noexcept {
#ifdef CADASTRE_UNDER_ASAN
  return true;
#else
  return RUNNING_ON_VALGRIND != 0;
#endif
}

void begin_watching([[maybe_unused]] const void* pool) noexcept {
  CADASTRE_TELL_VALGRIND(VALGRIND_CREATE_MEMPOOL(pool, 0, 0));
}

void end_watching([[maybe_unused]] const void* pool) noexcept {
  CADASTRE_TELL_VALGRIND(VALGRIND_DESTROY_MEMPOOL(pool));
}

void conceal(const void* begin, std::size_t bytes) noexcept {
  ASAN_POISON_MEMORY_REGION(begin, bytes);
  CADASTRE_TELL_VALGRIND(VALGRIND_MAKE_MEM_NOACCESS(begin, bytes));
}

void reveal(const void* begin, std::size_t bytes) noexcept {
  ASAN_UNPOISON_MEMORY_REGION(begin, bytes);
  CADASTRE_TELL_VALGRIND(VALGRIND_MAKE_MEM_UNDEFINED(begin, bytes));
}

// unknown: how many of its bytes nobody is to rely on; the others are zero.
void watch_block([[maybe_unused]] const void* pool, const std::byte* begin, std::size_t size, std::size_t unknown) noexcept {
  ASAN_UNPOISON_MEMORY_REGION(begin, size);
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
  ASAN_POISON_MEMORY_REGION(begin, piece);
  ASAN_UNPOISON_MEMORY_REGION(begin, to);
  CADASTRE_TELL_VALGRIND(VALGRIND_MEMPOOL_CHANGE(pool, begin, begin, to));
  if (to > from && zero) CADASTRE_TELL_VALGRIND(VALGRIND_MAKE_MEM_DEFINED(begin + from, to - from));
  if (to > from && !zero) CADASTRE_TELL_VALGRIND(VALGRIND_MAKE_MEM_UNDEFINED(begin + from, to - from));
  if (to < from) CADASTRE_TELL_VALGRIND(VALGRIND_MAKE_MEM_NOACCESS(begin + to, from - to));
}

}  // namespace

PoolBounds usual_bounds(cadastre_memory_type type) noexcept {
  constexpr std::size_t kibi = 1024, mebi = kibi * kibi;
  if (type == CADASTRE_HOST) return {256 * kibi, 64 * mebi, 1024 * mebi};
  return {0, 2 * mebi, 256 * mebi};
}

namespace {

unsigned granule_log2_of(const Backend& backend, cadastre_memory_type type) noexcept {
  const std::size_t usual = type == CADASTRE_HOST ? 4096 : 256;
  return log2_of(std::min(std::max(usual, backend.natural_alignment(type)), backend.largest_alignment(type)));
}

bool is_host(const Backend& backend) noexcept { return backend.number() == CADASTRE_BACKEND_HOST; }

}  // namespace

Pool::Pool(Backend& backend, cadastre_memory_type type, std::int32_t device, const PoolBounds& bounds) noexcept
    : backend_(backend),
      type_(type),
      device_(device),
      bounds_(bounds),
      granule_log2_(granule_log2_of(backend, type)),
      granule_(std::size_t{1} << granule_log2_),
      fresh_is_zero_(is_host(backend)),
      ordered_(type != CADASTRE_HOST && backend.has_events()),
      of_a_runtime_(!is_host(backend) && backend.number() < CADASTRE_BACKENDS),
      watched_((type != CADASTRE_DEVICE || is_host(backend)) && checkers_watch()),
      // What begins just behind an emulated device's memory is to be nobody's.
      spare_bytes_(watched_ || (type == CADASTRE_DEVICE && is_host(backend)) ? 1 : 0),
      settled_(granule_log2_) {
  if (watched_) begin_watching(this);
}

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

Record Pool::record_of(const PoolPiece& piece) const noexcept {
  Record record;
  record.pointer = piece.begin;
  record.size = piece.bytes;
  record.type = static_cast<std::uint8_t>(type_);
  record.device = device_;
  record.backend = static_cast<std::uint8_t>(backend_.number());
  return record;
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

PoolPiece& Pool::new_piece(std::byte* begin, std::size_t bytes, Segment& segment) noexcept {
  PoolPiece& piece = *std::exchange(unused_, unused_->older);
  piece = {.begin = begin, .bytes = bytes, .segment = &segment};
  table_.insert(piece);
  ++in_use_;
  return piece;
}

void Pool::retire(PoolPiece& piece) noexcept {
  piece.older = std::exchange(unused_, &piece);
  --in_use_;
}

PoolPiece& Pool::split(PoolPiece& piece, std::size_t bytes) noexcept {
  PoolPiece& behind = new_piece(piece.begin + bytes, piece.bytes - bytes, *piece.segment);
  piece.bytes = bytes;
  behind.before = &piece;
  behind.behind = std::exchange(piece.behind, &behind);
  if (behind.behind) behind.behind->before = &behind;
  behind.lane = piece.lane;
  behind.stamp = piece.stamp;
  return behind;
}

void Pool::join(PoolPiece& piece, PoolPiece& behind) noexcept {
  piece.bytes += behind.bytes;
  piece.behind = behind.behind;
  if (piece.behind) piece.behind->before = &piece;
  table_.erase(behind);
  retire(behind);
}

// more: bytes that are handed out from now on; less than none, modulo the word, where a block shrank.
inline void Pool::count_use(Segment& segment, std::size_t more) noexcept {
  segment.used += more;
  used_ += more;
  peak_ = std::max(peak_, used_);
}

// Takes a free piece off its shelf, and what a request does not need of it back there.
Pool::Cut Pool::cut(PoolPiece& piece, const Need& need) noexcept {
  Lane& lane = *piece.lane;
  lane.shelf.take(piece);
  PoolPiece* taken = &piece;
  const std::uintptr_t address = address_of(piece.begin);
  if (const std::size_t before = round_up(address, need.alignment) - address; before > 0) {
    taken = &split(piece, before);
    lane.shelf.put(piece);
  }
  if (taken->bytes > need.bytes) lane.shelf.put(split(*taken, need.bytes));
  taken->lane = nullptr;
  Segment& segment = *taken->segment;
  count_use(segment, taken->bytes);
  std::byte* const end = taken->begin + taken->bytes;
  if (end <= segment.frontier) return {taken, taken->bytes};
  std::byte* const frontier = std::exchange(segment.frontier, end);
  return {taken, frontier > taken->begin ? static_cast<std::size_t>(frontier - taken->begin) : 0};
}

inline PoolPiece* Pool::take_parked(Lane& lane, std::size_t bytes, std::size_t alignment) noexcept {
  PoolPiece* const piece = lane.lot.take(bytes, alignment);
  if (!piece) return nullptr;
  count_use(*piece->segment, bytes);
  ++hits_;
  return piece;
}

Pool::Cut Pool::take_from(Lane& lane, const Need& need) noexcept {
  PoolPiece* const piece = take_parked(lane, need.bytes, need.alignment);
  return piece ? Cut{piece, need.bytes} : search(lane, need);
}

Pool::Cut Pool::search(Lane& lane, const Need& need) noexcept {
  if (!room_for_pieces()) return {};
  if (lane.lot.parked >= most_parked_in_vain) unpark(lane);
  PoolPiece* piece = lane.shelf.find(need.bytes, need.alignment, need.looks);
  if (!piece && lane.lot.parked > 0) {
    unpark(lane);
    piece = lane.shelf.find(need.bytes, need.alignment, need.looks);
  }
  if (!piece) return {};
  ++hits_;
  return cut(*piece, need);
}

// From the lane of the queue, else from what is settled.
Pool::Cut Pool::take(const Need& need) noexcept {
  if (need.order) {
    if (const Cut cut = take_of_queue(need); cut.piece) return cut;
  }
  return take_from(settled_, need);
}

Pool::Cut Pool::take_of_queue(const Need& need) noexcept {
  Lane* const lane = find_lane(*need.order);
  return lane && !lane->empty() ? take_from(*lane, need) : Cut{};
}

void Pool::unpark(Lane& lane) noexcept {
  lane.lot.take_all([&](PoolPiece& piece) { file(piece, lane); });
}

// Puts a piece that is on no shelf onto that of a lane, joined with its neighbours there.
PoolPiece& Pool::file(PoolPiece& piece, Lane& lane) noexcept {
  PoolPiece* joined = &piece;
  if (PoolPiece* const behind = piece.behind; behind && behind->lane == &lane) {
    lane.shelf.take(*behind);
    join(piece, *behind);
  }
  if (PoolPiece* const before = piece.before; before && before->lane == &lane) {
    lane.shelf.take(*before);
    join(*before, piece);
    joined = before;
  }
  joined->lane = &lane;
  joined->stamp = ++lane.filed;
  lane.shelf.put(*joined);
  return *joined;
}

inline void Pool::take_back(PoolPiece& piece, Lane& lane) noexcept {
  piece.segment->used -= piece.bytes;
  used_ -= piece.bytes;
  lane.lot.put(piece);
}

// The lane of a queue, of which there is one at most; null when there is none.
Lane* Pool::find_lane(cadastre_queue queue) noexcept {
  for (const auto& lane : lanes_) {
    if (lane->queue == queue) return lane.get();
  }
  return nullptr;
}

// The same, made where it is missing; null when the host has no memory.
Lane* Pool::lane_of(cadastre_queue queue) noexcept try {
  if (Lane* const lane = find_lane(queue)) return lane;
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
  Lane* const lane = lane_of(queue);
  if (lane) ++lane->visitors;
  latch_.unlock();
  if (!lane) return nullptr;
  Backend::Event event = nullptr;
  if (record_event(*lane, event) == CADASTRE_SUCCESS) return lane;
  const Latched latched(latch_);
  --lane->visitors;
  return nullptr;
}

cadastre_exit_code Pool::record_event(Lane& lane, Backend::Event& event) noexcept {
  const std::lock_guard recording(lane.recording);
  event = lane.event;
  const cadastre_exit_code code = backend_.record_event(device_, lane.queue, event);
  const Latched latched(latch_);
  lane.event = event;
  return code;
}

cadastre_exit_code Pool::event_of(Lane& lane, Backend::Event& event) noexcept {
  if (lane.queue == CADASTRE_DEFAULT_QUEUE) {
    const cadastre_exit_code code = admit_order(lane.queue);
    return code == CADASTRE_SUCCESS ? record_event(lane, event) : code;
  }
  const Latched latched(latch_);
  event = lane.event;
  return CADASTRE_SUCCESS;
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
    Backend::Event event = nullptr;
    cadastre_exit_code code = event_of(*lane, event);
    if (code == CADASTRE_SUCCESS) code = backend_.synchronize_event(device_, event);
    const Latched latched(latch_);
    --lane->visitors;
    if (code == CADASTRE_SUCCESS) settle_lane(*lane, until);
  }
}

void Pool::settle_lane(Lane& lane, std::uint64_t until) noexcept {
  for (Segment* segment = segments_; segment; segment = segment->older) {
    for (PoolPiece* piece = segment->first; piece; piece = piece->behind) {
      if (piece->lane != &lane || piece->stamp > until) continue;
      lane.shelf.take(*piece);
      if (watched_) conceal(piece->begin, piece->bytes);
      piece = &file(*piece, settled_);
    }
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

// What a backend said of a segment, as of the block that was asked for.
[[gnu::cold]] cadastre_exit_code failed_to_serve(const Request& request) noexcept {
  Failure own = failed_last();
  own.asked = request.size;
  return fail(own);
}

}  // namespace

inline Pool::Need Pool::need_of(const Request& request) const noexcept {
  return {bytes_for(request.size), std::max(request.alignment, granule_),
          request.ordered && ordered_ ? Order(request.queue) : std::nullopt};
}

bool Pool::allocate_at_once(const Request& request, Grant& grant) noexcept {
  if (request.zero || watched_ || passes_by(request)) return false;
  const Need need = need_of(request);
  if (need.order && *need.order != CADASTRE_DEFAULT_QUEUE) return false;
  const Latched latched(latch_);
  Lane* const lane = need.order ? find_lane(*need.order) : nullptr;
  PoolPiece* piece = lane ? take_parked(*lane, need.bytes, need.alignment) : nullptr;
  if (!piece) piece = take_parked(settled_, need.bytes, need.alignment);
  if (!piece) return false;
  grant = {piece->begin, need.alignment, remark(need.order)};
  return true;
}

cadastre_exit_code Pool::serve(const Request& request, std::size_t zero_from, Grant& grant) noexcept {
  if (passes_by(request)) return backend_.allocate(request, grant);
  const Need need = need_of(request);
  if (need.order && (request.zero || *need.order != CADASTRE_DEFAULT_QUEUE)) {
    if (const cadastre_exit_code code = admit_order(*need.order); code != CADASTRE_SUCCESS) return code;
  }
  latch_.lock();
  Cut cut = take(need);
  latch_.unlock();
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (!cut.piece && serve_slowly(need, cut) != CADASTRE_SUCCESS) return failed_to_serve(request);
  if (request.zero || watched_) code = make_ready(request, need.order, zero_from, cut);
  if (code == CADASTRE_SUCCESS) grant = {cut.piece->begin, need.alignment, remark(need.order)};
  return code;
}

namespace {

cadastre_exit_code no_memory_for_pieces() noexcept {
  return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_REGISTRY_OUT_OF_MEMORY});
}

// What a backend said of another operation, as that of an allocation.
cadastre_exit_code failed_to_allocate() noexcept {
  Failure failure = failed_last();
  failure.exit_code = CADASTRE_ALLOCATION_FAILED;
  return fail(failure);
}

}  // namespace

// With nothing there that could be had at once.
cadastre_exit_code Pool::serve_slowly(const Need& need, Cut& cut) noexcept {
  cadastre_exit_code code = need.order ? admit_order(*need.order) : CADASTRE_SUCCESS;
  if (code == CADASTRE_SUCCESS) code = take_from_others(need, cut);
  if (code != CADASTRE_SUCCESS || cut.piece) return code;
  gather();
  {
    const Latched latched(latch_);
    if (!room_for_pieces()) return no_memory_for_pieces();
    Need thorough = need;
    thorough.looks = std::numeric_limits<unsigned>::max();
    cut = take(thorough);
  }
  return cut.piece ? CADASTRE_SUCCESS : grow(need, cut);
}

// No piece is taken where its lane cannot say what it waits for.
cadastre_exit_code Pool::take_from_others(const Need& need, Cut& cut) noexcept {
  Lane* from = nullptr;
  latch_.lock();
  for (std::size_t i = 0; i < lanes_.size() && !cut.piece; ++i) {
    cut = take_from(*lanes_[i], need);
    if (!cut.piece) continue;
    from = lanes_[i].get();
    ++from->visitors;
  }
  latch_.unlock();
  if (!from) return CADASTRE_SUCCESS;
  Backend::Event event = nullptr;
  const bool marked = event_of(*from, event) == CADASTRE_SUCCESS;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (marked) {
    code = need.order ? backend_.wait_event(device_, *need.order, event) : backend_.synchronize_event(device_, event);
  }
  const Latched latched(latch_);
  --from->visitors;
  if (marked && code == CADASTRE_SUCCESS) return code;
  --hits_;
  take_back(*std::exchange(cut.piece, nullptr), *from);
  return marked ? failed_to_allocate() : CADASTRE_SUCCESS;
}

cadastre_exit_code Pool::clear(std::byte* begin, std::size_t bytes, const Order& order) noexcept {
  return backend_.set({.to = begin, .value = 0, .bytes = bytes, .place = place(),
                       .queue = order.value_or(backend_.queue_of_each_thread()), .wait = !order});
}

cadastre_exit_code Pool::make_ready(const Request& request, const Order& order, std::size_t zero_from,
                                    const Cut& cut) noexcept {
  std::byte* const begin = cut.piece->begin;
  const std::size_t dirty = std::min(cut.dirty, request.size);
  if (watched_) watch_block(this, begin, request.size, request.zero ? cut.dirty : request.size);
  if (!request.zero || dirty <= zero_from) return CADASTRE_SUCCESS;
  const cadastre_exit_code code = clear(begin + zero_from, dirty - zero_from, order);
  if (code == CADASTRE_SUCCESS) return code;
  const Failure first = failed_last();
  backend_.settle(record_of(*cut.piece));  // the vendor may have begun; when even this fails, there is no more to be done
  const Latched latched(latch_);
  if (watched_) watch_free(this, begin, cut.piece->bytes, false);
  take_back(*cut.piece, settled_);
  fail(first);
  return failed_to_allocate();
}

// The bytes of the next segment. Gives back what is idle beyond the bound.
std::size_t Pool::step_for(const Need& need) noexcept {
  latch_.lock();
  const std::size_t peak = std::max(peak_, used_ + need.bytes);
  const std::size_t most = std::max(2 * peak + bounds_.least_segment, need.bytes);
  const bool too_much = reserved_ + need.bytes > most;
  const std::size_t keep = most - need.bytes;
  latch_.unlock();
  cadastre_exit_code ignored = CADASTRE_SUCCESS;
  if (too_much) give_back(keep, ignored);
  const Latched latched(latch_);
  const std::size_t room = most > reserved_ ? most - reserved_ : 0;
  const std::size_t usual = std::min(std::max(reserved_, bounds_.least_segment), bounds_.widest_step);
  return std::max(std::min(usual, room), need.bytes);
}

cadastre_exit_code Pool::grow(const Need& need, Cut& cut) noexcept {
  const std::size_t bytes = round_up(step_for(need), granule_);
  const cadastre_exit_code code = ask(bytes, need, cut);
  if (code == CADASTRE_SUCCESS || failed_last().reason != CADASTRE_REASON_BACKEND_OUT_OF_MEMORY) return code;
  const Failure first = failed_last();
  cadastre_exit_code ignored = CADASTRE_SUCCESS;
  if (!give_back(0, ignored) && bytes == need.bytes) return fail(first);
  return ask(need.bytes, need, cut);
}

cadastre_exit_code Pool::ask(std::size_t bytes, const Need& need, Cut& cut) noexcept {
  std::unique_ptr<Segment> segment(new (std::nothrow) Segment);
  if (!segment) return no_memory_for_pieces();
  Grant granted{};
  const cadastre_exit_code code =
      backend_.allocate({bytes, need.alignment, type_, device_, fresh_is_zero_}, granted);
  if (code != CADASTRE_SUCCESS) return code;
  auto* const begin = static_cast<std::byte*>(granted.pointer);
  latch_.lock();
  const bool room = room_for_pieces();
  if (room) {
    PoolPiece& all = new_piece(begin, bytes, *segment);
    segment->record = record_of(all);
    note(granted, segment->record);
    segment->frontier = fresh_is_zero_ ? begin : begin + bytes;
    segment->first = &all;
    if (watched_) conceal(begin, bytes);
    link(*segment);
    reserved_ += bytes;
    ++misses_;
    cut = this->cut(file(all, settled_), need);
    segment.release();
  }
  latch_.unlock();
  if (room) return code;
  Record unwanted = record_of(PoolPiece{.begin = begin, .bytes = bytes});
  note(granted, unwanted);
  backend_.free(unwanted);
  return no_memory_for_pieces();
}

void Pool::link(Segment& segment) noexcept {
  segment.newer = nullptr;
  segment.older = std::exchange(segments_, &segment);
  if (segment.older) segment.older->newer = &segment;
}

void Pool::unlink(Segment& segment) noexcept {
  if (segment.older) segment.older->newer = segment.newer;
  (segment.newer ? segment.newer->older : segments_) = segment.older;
}

Segment* Pool::idle_segment() noexcept {
  Segment* segment = segments_;
  while (segment && !is_idle(*segment)) segment = segment->older;
  return segment;
}

// Whether a segment went. code: what the backend said of the last one that did not.
bool Pool::give_back(std::size_t keep, cadastre_exit_code& code) noexcept {
  bool any = false;
  while (code == CADASTRE_SUCCESS) {
    latch_.lock();
    unpark(settled_);
    Segment* const segment = reserved_ > keep ? idle_segment() : nullptr;
    if (segment) {
      settled_.shelf.take(*segment->first);
      segment->first->lane = nullptr;
      table_.erase(*segment->first);
      unlink(*segment);
      reserved_ -= segment->record.size;
    }
    latch_.unlock();
    if (!segment) break;
    if (watched_) reveal(segment->record.pointer, segment->record.size);
    code = backend_.free(segment->record);
    const Latched latched(latch_);
    if (code == CADASTRE_SUCCESS) {
      retire(*segment->first);
      delete segment;
      any = true;
      continue;
    }
    if (watched_) conceal(segment->record.pointer, segment->record.size);
    link(*segment);
    reserved_ += segment->record.size;
    table_.insert(*segment->first);
    file(*segment->first, settled_);
  }
  if (any) {
    const Latched latched(latch_);
    ++trims_;
  }
  return any;
}

cadastre_exit_code Pool::trim(std::size_t keep) noexcept {
  gather();
  cadastre_exit_code code = CADASTRE_SUCCESS;
  give_back(keep, code);
  return code;
}

bool Pool::give_up_idle() noexcept {
  gather();
  cadastre_exit_code ignored = CADASTRE_SUCCESS;
  return give_back(0, ignored);
}

void Pool::give_up(const Record& record) noexcept {
  const Latched latched(latch_);
  if (const PoolPiece* const piece = table_.find(record.pointer)) piece->segment->given_up = true;
}

cadastre_exit_code Pool::close() noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  if (watched_) end_watching(this);
  while (segments_) {
    Segment* const segment = segments_;
    unlink(*segment);
    if (watched_) reveal(segment->record.pointer, segment->record.size);
    const cadastre_exit_code code = segment->given_up ? CADASTRE_SUCCESS : backend_.free(segment->record);
    if (code != CADASTRE_SUCCESS) worst = code;
    delete segment;
  }
  for (const auto& lane : lanes_) backend_.destroy_event(device_, lane->event);
  lanes_.clear();
  table_.reset();
  nodes_.clear();
  unused_ = nullptr;
  in_use_ = capacity_ = used_ = reserved_ = peak_ = 0;
  settled_.shelf = Shelf(granule_log2_);
  settled_.lot = ParkingLot();
  if (watched_) begin_watching(this);
  return worst;
}

namespace {

cadastre_exit_code failed_to_free(const Record& record) noexcept {
  Failure failure = failed_last();
  failure.exit_code = CADASTRE_DEALLOCATION_FAILED;
  failure.reason = CADASTRE_REASON_BACKEND_FREE_FAILED;
  failure.type = record.type;
  failure.base = record.pointer;
  failure.size = record.size;
  failure.label = text_of(record.label);
  return fail(failure);
}

}  // namespace

cadastre_exit_code Pool::free(const Record& record, Order order) noexcept {
  if (is_direct(record.size)) return order ? backend_.free_ordered(record, *order) : backend_.free(record);
  if (order && ordered_) {
    const cadastre_exit_code code = admit_free(*order);
    return code == CADASTRE_SUCCESS ? free_admitted(record, *order) : code;
  }
  if (order) backend_.synchronize(device_, *order);  // where it fails, what follows waits for more
  if (backend_.settle(record) != CADASTRE_SUCCESS) return failed_to_free(record);
  latch_.lock();
  const bool found = take_back(record, settled_);
  latch_.unlock();
  return found ? CADASTRE_SUCCESS : backend_.free(record);
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
    backend_.synchronize(device_, queue);  // it may be another device's, of which free would know nothing
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

cadastre_exit_code Pool::resize(const Record& record, std::size_t size, Grant& grant) noexcept {
  if (is_direct(record.size) && is_direct(size)) return backend_.resize(record, size, grant);
  if (!is_direct(record.size) && !is_direct(size) && size <= largest_size / 2) {
    if (size < record.size || record.how & how_ordered) {
      if (const cadastre_exit_code code = backend_.settle(record); code != CADASTRE_SUCCESS) return code;
    }
    Fitted fitted = Fitted::no;
    const cadastre_exit_code code = fit_in_place(record, size, fitted);
    if (code != CADASTRE_SUCCESS) return code;
    if (fitted == Fitted::foreign) return backend_.resize(record, size, grant);
    if (fitted == Fitted::yes) {
      grant = {record.pointer, record.alignment(), remark({})};
      return CADASTRE_SUCCESS;
    }
  }
  return move(record, size, grant);
}

cadastre_exit_code Pool::fit_in_place(const Record& record, std::size_t size, Fitted& fitted) noexcept {
  const std::size_t bytes = bytes_for(size);
  const bool zero = !(record.flags & CADASTRE_UNINITIALIZED);
  latch_.lock();
  PoolPiece* const piece = table_.find(record.pointer);
  if (!piece || !room_for_pieces()) {
    fitted = piece ? Fitted::no : Fitted::foreign;
    latch_.unlock();
    return CADASTRE_SUCCESS;
  }
  if (bytes > piece->bytes) unpark(settled_);
  Segment& segment = *piece->segment;
  std::byte* const dirty_to = segment.frontier;
  const std::size_t before = piece->bytes;
  PoolPiece* const behind = piece->behind;
  if (bytes > before && behind && behind->lane == &settled_ && before + behind->bytes >= bytes) {
    settled_.shelf.take(*behind);
    join(*piece, *behind);
  }
  if (piece->bytes >= bytes) fitted = Fitted::yes;
  if (fitted == Fitted::yes && watched_) watch_resized(this, piece->begin, record.size, size, piece->bytes, zero);
  if (fitted == Fitted::yes && piece->bytes > bytes) file(split(*piece, bytes), settled_);
  count_use(segment, piece->bytes - before);
  segment.frontier = std::max(segment.frontier, piece->begin + piece->bytes);
  latch_.unlock();
  if (fitted == Fitted::no) return CADASTRE_SUCCESS;
  std::byte* const from = piece->begin + record.size;
  std::byte* const to = std::min(piece->begin + size, dirty_to);
  if (!zero || to <= from) return CADASTRE_SUCCESS;
  const cadastre_exit_code code = clear(from, static_cast<std::size_t>(to - from), std::nullopt);
  if (code == CADASTRE_SUCCESS) return code;
  const Failure first = failed_last();
  backend_.settle(record);
  const Latched latched(latch_);
  if (watched_) watch_resized(this, piece->begin, size, record.size, piece->bytes, zero);
  if (piece->bytes > before && room_for_pieces()) {
    PoolPiece& unwanted = split(*piece, before);
    segment.used -= unwanted.bytes;
    used_ -= unwanted.bytes;
    file(unwanted, settled_);
  }
  return fail(first);
}

cadastre_exit_code Pool::move(const Record& record, std::size_t size, Grant& grant) noexcept {
  const std::size_t kept = std::min(size, record.size);
  const bool zero = size > kept && !(record.flags & CADASTRE_UNINITIALIZED);
  Grant moved{};
  const cadastre_exit_code code = serve({size, record.alignment(), type_, device_, zero}, kept, moved);
  if (code != CADASTRE_SUCCESS) return code;
  return move_block(backend_, record, size, moved, grant, [&](const Record& gone) { return free(gone); });
}

namespace {

// Of free neighbours, which joining would make one, those of lanes included.
std::size_t longest_run(const Segment& segment) noexcept {
  std::size_t longest = 0, run = 0;
  for (const PoolPiece* piece = segment.first; piece; piece = piece->behind) {
    run = piece->lane || piece->parked ? run + piece->bytes : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

PoolFigures Pool::figures() const noexcept {
  const Latched latched(latch_);
  PoolFigures figures = {.used = used_, .reserved = reserved_, .largest_free = 0, .releasable = 0,
                         .hits = hits_, .misses = misses_, .trims = trims_};
  for (const Segment* segment = segments_; segment; segment = segment->older) {
    figures.largest_free = std::max(figures.largest_free, longest_run(*segment));
    if (segment->used == 0) figures.releasable += segment->record.size;
  }
  return figures;
}

bool Pool::has(const void* address) const noexcept {
  const Latched latched(latch_);
  const Segment* segment = segments_;
  while (segment && address_of(address) - segment->record.address() >= segment->record.size) segment = segment->older;
  return segment != nullptr;
}

std::size_t Pool::actual_size(const Record& record) const noexcept {
  if (is_direct(record.size)) return record.size;
  const Latched latched(latch_);
  const PoolPiece* const piece = table_.find(record.pointer);
  return piece ? piece->bytes : record.size;
}

namespace {

bool is_linked(const PoolPiece& piece) noexcept {
  const bool before = piece.before ? piece.before->behind == &piece && piece.before->begin + piece.before->bytes == piece.begin
                                   : piece.segment->first == &piece;
  const bool apart = !piece.behind || !piece.lane || piece.behind->lane != piece.lane;
  return before && apart && !(piece.lane && piece.parked) && piece.bytes > 0 && (!piece.newer || !piece.lane || piece.newer->older == &piece);
}

}  // namespace

bool Pool::is_sound() const noexcept {
  bool sound = true;
  std::size_t pieces = 0, used = 0, reserved = 0, parked = settled_.lot.parked;
  for (const auto& lane : lanes_) parked += lane->lot.parked;
  for (const Segment* segment = segments_; segment; segment = segment->older) {
    std::size_t all = 0, out = 0;
    for (const PoolPiece* piece = segment->first; piece; piece = piece->behind) {
      ++pieces;
      all += piece->bytes;
      parked -= piece->parked;
      if (!piece->lane && !piece->parked) out += piece->bytes;
      sound = sound && is_linked(*piece) && table_.find(piece->begin) == piece &&
              (!piece->lane || !piece->lane->shelf.empty()) &&
              (piece->lane || piece->begin + piece->bytes <= segment->frontier);
    }
    sound = sound && all == segment->record.size && out == segment->used && segment->first->begin == segment->record.pointer;
    used += out;
    reserved += all;
  }
  return sound && parked == 0 && pieces == in_use_ && used == used_ && reserved == reserved_;
}

void Pool::in_child() noexcept {
  for (const auto& lane : lanes_) {
    lane->visitors = 0;
    new (&lane->recording) std::mutex;  // whoever held it is not here
  }
  settled_.visitors = 0;
  latch_.unlock();
}

Pools::~Pools() {
  for (Entry* entry = first_.load(std::memory_order_relaxed); entry;) delete std::exchange(entry, entry->next);
}

Pool* Pools::open(Backend& backend, cadastre_memory_type type, std::int32_t device) noexcept {
  if (Pool* const pool = find(backend, device)) return pool;
  Entry* const first = first_.load(std::memory_order_relaxed);
  auto* const entry = new (std::nothrow) Entry(backend, type, device, first);
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
    all.largest_free = std::max(all.largest_free, own.largest_free);
    all.releasable += own.releasable;
    all.hits += own.hits;
    all.misses += own.misses;
    all.trims += own.trims;
  });
  return all;
}

cadastre_exit_code Pools::trim(std::size_t keep) noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  for_each([&](Pool& pool) {
    const std::size_t all = figures().reserved, own = pool.figures().reserved;
    const std::size_t others = all - std::min(own, all);
    const cadastre_exit_code code = pool.trim(keep > others ? keep - others : 0);
    if (code != CADASTRE_SUCCESS) worst = code;
  });
  return worst;
}

}  // namespace cadastre::internal
