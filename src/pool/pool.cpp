// Tangled from org/pool/pool.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/pool.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "base/error.hpp"

namespace cadastre::internal {

std::size_t pooled_from(cadastre_memory_type type) noexcept { return type == CADASTRE_HOST ? 256 * 1024 : 0; }

Pool::Pool(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& shared, std::size_t direct_below) noexcept
    : PoolMemory(backend, type, device, shared),
      direct_below_(direct_below),
      ordered_(type != CADASTRE_HOST && backend.has_events()),
      of_a_runtime_(backend.number() != CADASTRE_BACKEND_HOST && row_of_backend(backend.number()) != nullptr) {}

inline bool Pool::passes_by(const Request& request) const noexcept {
  return is_direct(request.size) || request.size > largest_size / 2 || (of_a_runtime_ && vendor(place_.backend) != Vendor::there);
}

namespace {

std::uint16_t remark(const Order& order) noexcept { return static_cast<std::uint16_t>(order ? how_pooled | how_ordered : how_pooled); }

// What a backend said of a piece, as of the block that was asked for.
[[gnu::cold]] cadastre_exit_code failed_to_serve(const Request& request) noexcept {
  Failure own = failed_last();
  own.requested = request.size;
  return fail(own);
}

}  // namespace

inline Need Pool::need_of(PoolShare& share, const Request& request, std::size_t room) const noexcept {
  return {bytes_for(request.size), std::max(request.alignment, granule_), request.ordered && ordered_ ? Order(request.queue) : std::nullopt,
          share, room};
}

bool Pool::allocate_at_once(PoolShare& share, const Request& request, Grant& grant) noexcept {
  if (request.zero || watch_ || passes_by(request)) return false;
  const Need need = need_of(share, request, everything_kept);
  if (need.order && *need.order != CADASTRE_DEFAULT_QUEUE) return false;
  const PoolLocked locked(pool_lock_);
  FreeList* const free_list = need.order ? stock_.free_lists.find(need.queue()) : nullptr;
  PoolPiece* piece = free_list ? stock_.take_exact_fit(*free_list, need) : nullptr;
  if (!piece) piece = stock_.take_exact_fit(stock_.free_lists.settled, need);
  if (!piece) return false;
  piece->dirty = piece->bytes;
  grant = {piece->begin, need.alignment, remark(need.order), need.identity};
  return true;
}

cadastre_exit_code Pool::allocate(PoolShare& share, const Request& request, Grant& grant, std::size_t room,
                                  std::size_t zero_from) noexcept {
  if (passes_by(request)) {
    keep_within(room);
    return backend_.allocate(request, grant);
  }
  Need need = need_of(share, request, room);
  if (need.order && (request.zero || *need.order != CADASTRE_DEFAULT_QUEUE)) {
    KnownQueue queue = need.queue();
    if (const cadastre_exit_code code = queues_.admit(queue); code != CADASTRE_SUCCESS) return code;
    need.identity = queue.identity;
  }
  PoolPiece* piece = nullptr;
  cadastre_exit_code code = take_kept(need, piece);
  const bool hit = piece != nullptr;
  if (code == CADASTRE_SUCCESS && !piece) code = search_kept(need, piece);
  if (code == CADASTRE_SUCCESS && !piece) {
    code = grow(need, piece);
    if (gives_all_back_for(code)) code = grow(need, piece);
  }
  if (code != CADASTRE_SUCCESS) return failed_to_serve(request);
  if (request.zero || watch_) code = make_ready(request, need.order, zero_from, *piece);
  if (code != CADASTRE_SUCCESS) return code;
  piece->dirty = piece->bytes;
  grant = {piece->begin, need.alignment, remark(need.order), need.identity};
  if (!need.order && !hit) {  // after a hit, the free that follows does
    pool_lock_.lock();
    const bool too_much = keeps_what_is_to_go();
    pool_lock_.unlock();
    if (too_much) give_back_old();
  }
  return CADASTRE_SUCCESS;
}

namespace {

// What a backend said of another operation, as that of an allocation.
cadastre_exit_code failed_to_allocate() noexcept {
  Failure failure = failed_last();
  if (failure.exit_code == CADASTRE_CAPTURE_ACTIVE) return failure.exit_code;
  failure.exit_code = CADASTRE_ALLOCATION_FAILED;
  return fail(failure);
}

}  // namespace

cadastre_exit_code Pool::take_kept(const Need& need, PoolPiece*& taken) noexcept {
  FreeList* free_list = nullptr;
  pool_lock_.lock();
  if (need.order) taken = stock_.take_of_queue(need, free_list);
  if (!taken) taken = stock_.take(stock_.free_lists.settled, need);
  const bool in_order = free_list && free_list->queue.is_unique();
  if (in_order) --free_list->pins;
  pool_lock_.unlock();
  return free_list && !in_order ? come_after(*free_list, need, taken) : CADASTRE_SUCCESS;
}

cadastre_exit_code Pool::come_after(FreeList& free_list, const Need& need, PoolPiece*& taken) noexcept {
  bool marked = false;
  const cadastre_exit_code code = queues_.await(free_list, need.order, marked);
  const PoolLocked locked(pool_lock_);
  --free_list.pins;
  if (code == CADASTRE_SUCCESS) return code;
  stock_.put_unused(*std::exchange(taken, nullptr), free_list);
  return marked ? failed_to_allocate() : CADASTRE_SUCCESS;
}

cadastre_exit_code Pool::search_kept(const Need& need, PoolPiece*& taken) noexcept {
  KnownQueue queue;
  cadastre_exit_code code = need.order && need.queue().is_default() ? queues_.admit(queue) : CADASTRE_SUCCESS;
  if (code != CADASTRE_SUCCESS) return code;
  Need thorough = need;
  thorough.looks = std::numeric_limits<unsigned>::max();
  code = take_kept(thorough, taken);
  if (code == CADASTRE_SUCCESS && !taken) code = take_from_others(thorough, taken);
  const bool is_miss = code == CADASTRE_SUCCESS && !taken;
  return is_miss && need.share.before_miss && need.share.before_miss(*this, need.bytes) ? take_kept(thorough, taken) : code;
}

// No piece is taken where its free list cannot say what it waits for.
cadastre_exit_code Pool::take_from_others(const Need& need, PoolPiece*& taken) noexcept {
  FreeList* from = nullptr;
  pool_lock_.lock();
  taken = stock_.take_of_others(need, from);
  pool_lock_.unlock();
  return from ? come_after(*from, need, taken) : CADASTRE_SUCCESS;
}

cadastre_exit_code Pool::clear(std::byte* begin, std::size_t bytes, const Order& order) noexcept {
  return backend_.set(
      {.to = begin, .value = 0, .bytes = bytes, .place = place_, .queue = order.value_or(backend_.queue_of_each_thread()), .wait = !order});
}

cadastre_exit_code Pool::make_ready(const Request& request, const Order& order, std::size_t zero_from, PoolPiece& piece) noexcept {
  const std::size_t dirty = std::min(piece.dirty, request.size);
  watch_.hand_out(piece.begin, request.size, request.zero ? piece.dirty : request.size);
  if (!request.zero || dirty <= zero_from) return CADASTRE_SUCCESS;
  const cadastre_exit_code code = clear(piece.begin + zero_from, dirty - zero_from, order);
  if (code == CADASTRE_SUCCESS) return code;
  const Failure first = failed_last();
  backend_.settle(piece.record);  // the vendor may have begun; when even this fails, there is no more to be done
  const PoolLocked locked(pool_lock_);
  watch_.take_back(piece.begin, piece.bytes, false);
  stock_.put(piece, stock_.free_lists.settled);
  fail(first);
  return failed_to_allocate();
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

cadastre_exit_code Pool::free(const PoolShare& share, const Record& record, Order order) noexcept {
  if (is_direct(record.size)) return order ? backend_.free_ordered(record, *order) : backend_.free(record);
  if (order && ordered_) {
    KnownQueue queue{*order};
    const cadastre_exit_code code = admit_free(queue);
    return code == CADASTRE_SUCCESS ? free_admitted(share, record, queue) : code;
  }
  // Where it fails, what follows waits for more; but it would wait for what is captured, too.
  if (order && backend_.synchronize(place_.device, *order) == CADASTRE_CAPTURE_ACTIVE) return CADASTRE_CAPTURE_ACTIVE;
  if (backend_.settle(record) != CADASTRE_SUCCESS) return failed_to_free(record);
  pool_lock_.lock();
  const Taken taken = take_back(share, record, stock_.free_lists.settled);
  const bool too_much = taken == Taken::yes && keeps_what_is_to_go();
  pool_lock_.unlock();
  if (taken == Taken::no) return backend_.free(record);
  if (too_much) give_back_old();
  return CADASTRE_SUCCESS;
}

bool Pool::free_at_once(const PoolShare& share, const Record& record, cadastre_queue queue) noexcept {
  if (!ordered_ || queue != CADASTRE_DEFAULT_QUEUE || is_direct(record.size)) return false;
  const PoolLocked locked(pool_lock_);
  FreeList* const free_list = stock_.free_lists.of({});
  return free_list && take_back(share, record, *free_list) != Taken::no;
}

cadastre_exit_code Pool::free_admitted(const PoolShare& share, const Record& record, const KnownQueue& queue) noexcept {
  if (!ordered_ || is_direct(record.size)) return free(share, record, queue.handle);
  if (free_at_once(share, record, queue.handle)) return CADASTRE_SUCCESS;
  FreeList* const marked = queues_.mark(queue);
  if (!marked) {
    // It may be another device's, of which free would know nothing.
    if (backend_.synchronize(place_.device, queue.handle) == CADASTRE_CAPTURE_ACTIVE) return CADASTRE_CAPTURE_ACTIVE;
    return free(share, record);
  }
  pool_lock_.lock();
  const Taken taken = take_back(share, record, *marked);
  --marked->pins;
  pool_lock_.unlock();
  return taken != Taken::no ? CADASTRE_SUCCESS : backend_.free_ordered(record, queue.handle);
}

// no: the pool does not have the block.
inline Pool::Taken Pool::take_back(const PoolShare& share, const Record& record, FreeList& free_list) noexcept {
  PoolPiece* const piece = stock_.find(record.pointer);
  if (!piece) return Taken::no;
  if (piece->share != &share) [[unlikely]]
    return Taken::lost;
  watch_.take_back(piece->begin, piece->bytes, &free_list != &stock_.free_lists.settled);
  stock_.put(*piece, free_list);
  return Taken::yes;
}

bool Pool::begin_cache(BlockCache& cache, CacheFreeLists& free_lists) noexcept {
  if (!ordered_ || watch_ || direct_below_ > 0 || (of_a_runtime_ && vendor(place_.backend) != Vendor::there)) return false;
  const PoolLocked locked(pool_lock_);
  FreeList* const first = stock_.gave_twice ? nullptr : stock_.free_lists.of({});
  if (!first) return false;
  ++first->pins;
  free_lists[0] = first;
  cache.queues[0].pins = &first->pins;
  unsigned count = 1;
  for (BlockCache::Queue& queue : std::span(cache.queues).first(cache.queue_count).subspan(1)) {
    FreeList* const free_list = stock_.free_lists.to_cache({queue.handle, queue.identity}, cache);
    if (!free_list) continue;
    ++free_list->pins;
    queue.pins = &free_list->pins;
    for (Backend::Event& spare : free_list->spares) queue.add_spare(std::exchange(spare, nullptr));
    free_lists[count] = free_list;
    cache.queues[count++] = queue;
  }
  cache.queue_count = count;
  return true;
}

// The event behind what a cache has freed covers what is in the free list already: it was recorded later, on the same queue.
void Pool::end_cache(PoolShare& share, BlockCache& cache, const CacheFreeLists& free_lists) noexcept {
  const PoolLocked locked(pool_lock_);
  share.hits += static_cast<std::uint64_t>(cache.allocations());
  for (unsigned number = 0; number < cache.queue_count; ++number) {
    FreeList& free_list = *free_lists[number];
    BlockCache::Queue& queue = cache.queues[number];
    if (queue.count > 0 && number > 0) std::swap(free_list.event, queue.event);
    --free_list.pins;
    assert(queue.spare_count + (queue.event ? 1U : 0U) <= std::size(queue.spares));
    queue.add_spare(queue.event);
    std::copy_n(queue.spares, queue.spare_count, free_list.spares);
    for (const BlockCache::Block& block : std::span(queue.blocks).first(queue.count)) {
      Record freed;
      freed.pointer = pointer_to(block.entry->base.load());
      take_back(share, freed, free_list);
    }
  }
}

Pool::Kept Pool::take_at_hand(PoolShare& share, const KnownQueue& queue, std::size_t size) noexcept {
  const Need need = {bytes_for(size), granule_, queue.handle, share, everything_kept, 16, queue.identity};
  FreeList* free_list = nullptr;
  PoolPiece* piece = nullptr;
  for (const auto& each : stock_.free_lists) {
    if (piece || each->queue != queue) continue;
    free_list = each.get();
    piece = stock_.take_exactly(*free_list, need);
  }
  if (!piece) piece = stock_.take_exactly(*(free_list = &stock_.free_lists.settled), need);
  if (piece) piece->dirty = piece->bytes;
  if (piece) --share.hits;
  return {piece, free_list};
}

std::size_t Pool::actual_size(const Record& record) const noexcept {
  if (is_direct(record.size)) return record.size;
  const PoolLocked locked(pool_lock_);
  const PoolPiece* const piece = stock_.find(record.pointer);
  return piece ? piece->bytes : record.size;
}

}  // namespace cadastre::internal
