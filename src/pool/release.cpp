// Tangled from org/pool/release.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "pool/walk.hpp"

namespace cadastre::internal {

// Gives settled pieces back, what was kept longest first, while too_much holds of the next one. Whether one went.
// code: what the backend said of the last one that did not.
template <class TooMuch>
bool PoolMemory::give_back_while(TooMuch too_much, cadastre_exit_code& code) noexcept {
  bool any = false;
  while (code == CADASTRE_SUCCESS) {
    pool_lock_.lock();
    PoolPiece* const piece = stock_.oldest_settled();
    const bool goes = piece && too_much(*piece);
    if (goes) stock_.withdraw(*piece);
    pool_lock_.unlock();
    if (!goes) break;
    code = free_in_backend(*piece);
    const PoolLocked locked(pool_lock_);
    if (code == CADASTRE_SUCCESS) {
      stock_.retire(*piece);
      any = true;
      continue;
    }
    watch_.hide(piece->begin, piece->bytes);
    stock_.restore(*piece);
  }
  if (any) {
    const PoolLocked locked(pool_lock_);
    ++stock_.trims;
  }
  return any;
}

bool PoolMemory::give_back_all(cadastre_exit_code& code) noexcept {
  return give_back_while([](const PoolPiece&) { return true; }, code);
}

inline bool PoolMemory::is_to_go(const PoolPiece& piece) const noexcept {
  return shared_.clock.is_old(piece.freed) || shared_.is_too_much(everything_kept);
}

bool PoolMemory::keeps_what_is_to_go() noexcept {
  if (shared_.keep.of == PoolKeep::all) return false;
  shared_.clock.tick();
  const PoolPiece* const oldest = stock_.oldest();
  return oldest && is_to_go(*oldest);
}

// Queues are asked what they have done at most once for each reading of the clock.
void PoolMemory::give_back_old() noexcept {
  pool_lock_.lock();
  const bool asks = std::exchange(asked_by_, shared_.clock.reading) != shared_.clock.reading;
  pool_lock_.unlock();
  if (asks) queues_.gather_done();
  cadastre_exit_code ignored = CADASTRE_SUCCESS;
  give_back_while([&](const PoolPiece& piece) { return is_to_go(piece); }, ignored);
}

// As the other one, in all pools that share the account. wait: whether queues are waited for where that helps.
template <class TooMuch>
void PoolMemory::give_back_of_all(TooMuch too_much, bool wait) noexcept {
  const auto still = [&] {
    const PoolLocked locked(pool_lock_);
    return too_much();
  };
  cadastre_exit_code ignored = CADASTRE_SUCCESS;
  for (const bool waited : {false, true}) {
    for (PoolWalk pool(shared_); pool; pool.next()) {
      if ((waited && !wait) || !still()) return;
      if (waited) pool->queues_.gather();
      pool->give_back_while([&](const PoolPiece&) { return too_much(); }, ignored);
    }
  }
}

// Where the backend had no memory: whether there was anything to give back. The failure stays.
bool PoolMemory::gives_all_back_for(cadastre_exit_code code) noexcept {
  if (code == CADASTRE_SUCCESS || failed_last().reason != CADASTRE_REASON_BACKEND_OUT_OF_MEMORY) return false;
  const Failure first = failed_last();
  cadastre_exit_code ignored = CADASTRE_SUCCESS;
  const bool any = give_back_all(ignored);
  fail(first);
  return any;
}

void PoolMemory::describe(PoolPiece& piece, std::size_t bytes, const Grant& granted) const noexcept {
  piece = {};
  piece.begin = static_cast<std::byte*>(granted.pointer);
  piece.bytes = bytes;
  piece.dirty = fresh_is_zero_ ? 0 : bytes;
  piece.record.size = bytes;
  piece.record.type = static_cast<std::uint8_t>(place_.type);
  piece.record.device = place_.device;
  piece.record.backend = static_cast<std::uint8_t>(place_.backend);
  note(granted, piece.record);
}

// Gives back as much as has to go, of all pools that share the account, before it asks.
cadastre_exit_code PoolMemory::grow(const Need& need, PoolPiece*& made) noexcept {
  pool_lock_.lock();
  PoolPiece* const piece = stock_.describe();
  if (piece) shared_.asking += need.bytes;
  pool_lock_.unlock();
  if (!piece) return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_OUT_OF_HOST_MEMORY});
  const auto too_much = [&] { return shared_.is_too_much(need.room); };
  const BegunAtPools begun(shared_, nullptr, need.bytes);
  give_back_of_all(too_much, true);
  Grant granted{};
  const cadastre_exit_code code = backend_.allocate({need.bytes, need.alignment, place_.type, place_.device, fresh_is_zero_}, granted);
  pool_lock_.lock();
  shared_.asking -= need.bytes;
  if (code != CADASTRE_SUCCESS) {
    stock_.retire(*piece);
    pool_lock_.unlock();
    return code;
  }
  describe(*piece, need.bytes, granted);
  stock_.lose_what_was_there(*piece);
  watch_.hide(piece->begin, piece->bytes);
  stock_.enter(*piece, need);
  pool_lock_.unlock();
  made = piece;
  give_back_of_all(too_much, false);  // others have freed meanwhile
  return code;
}

void PoolMemory::keep_within(std::size_t room) noexcept {
  if (room != everything_kept) give_back_of_all([&] { return shared_.kept > room; }, true);
}

cadastre_exit_code PoolMemory::trim(std::size_t reserved) noexcept {
  const cadastre_exit_code waited = queues_.gather();
  std::optional<Failure> first;
  if (waited != CADASTRE_SUCCESS) first = failed_last();
  cadastre_exit_code code = CADASTRE_SUCCESS;
  give_back_while([&](const PoolPiece&) { return stock_.reserved() > reserved; }, code);
  if (code != CADASTRE_SUCCESS || !first) return code;
  // What a queue cannot be waited for is not freed.
  {
    const PoolLocked locked(pool_lock_);
    if (stock_.reserved() <= reserved || stock_.kept() == 0) return code;
  }
  if (first->exit_code == CADASTRE_FAILURE) first->exit_code = CADASTRE_DEALLOCATION_FAILED;
  return fail(*first);
}

bool PoolMemory::give_up_idle(bool& in_flight) noexcept {
  if (queues_.gather_done()) in_flight = true;
  cadastre_exit_code ignored = CADASTRE_SUCCESS;
  return give_back_all(ignored);
}

void PoolMemory::give_up(const PoolShare& share, const Record& record) noexcept {
  const PoolLocked locked(pool_lock_);
  PoolPiece* const piece = stock_.find(record.pointer);
  if (piece && piece->share == &share) piece->given_up = true;
}

cadastre_exit_code PoolMemory::free_in_backend(const PoolPiece& piece) noexcept {
  watch_.show(piece.begin, piece.bytes);
  return piece.given_up ? CADASTRE_SUCCESS : backend_.free(piece.record);
}

void PoolMemory::free_chain(PoolPiece* chain, cadastre_exit_code& worst) noexcept {
  while (chain) {
    PoolPiece& piece = *std::exchange(chain, chain->older);
    if (const cadastre_exit_code code = free_in_backend(piece); code != CADASTRE_SUCCESS) worst = code;
    const PoolLocked locked(pool_lock_);
    stock_.retire(piece);
  }
}

cadastre_exit_code PoolMemory::close() noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  watch_.renew();
  pool_lock_.lock();
  PoolPiece* const all = stock_.withdraw_all();
  pool_lock_.unlock();
  free_chain(all, worst);
  queues_.end();
  return worst;
}

}  // namespace cadastre::internal
