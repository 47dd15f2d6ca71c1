// Tangled from org/pool/resize.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/error.hpp"
#include "pool/pool.hpp"

namespace cadastre::internal {

namespace {

[[gnu::cold]] cadastre_exit_code lost_with_its_device(const Record& record, std::size_t size) noexcept {
  return fail({.exit_code = CADASTRE_ALLOCATION_FAILED,
               .reason = CADASTRE_REASON_BACKEND_CALL_FAILED,
               .type = record.type,
               .backend = record.backend,
               .device = record.device,
               .requested = size,
               .detail = "the memory of the block was lost with its device, and is used for another one"});
}

}  // namespace

cadastre_exit_code Pool::resize(PoolShare& share, const Record& record, std::size_t size, Grant& grant, std::size_t room) noexcept {
  if (is_direct(record.size) && is_direct(size)) {
    keep_within(room);
    return backend_.resize(record, size, grant);
  }
  if (!is_direct(record.size) && !is_direct(size) && size <= largest_size / 2) {
    cadastre_exit_code code = backend_.settle(record);
    if (code != CADASTRE_SUCCESS) return code;
    Fitted fitted = Fitted::no;
    code = fit_in_place(share, record, size, room, fitted);
    if (code != CADASTRE_SUCCESS) return code;
    if (fitted == Fitted::foreign) return backend_.resize(record, size, grant);
    if (fitted == Fitted::lost) return lost_with_its_device(record, size);
    if (fitted == Fitted::yes) {
      grant = {record.pointer, record.alignment(), how_pooled};
      return CADASTRE_SUCCESS;
    }
  }
  return move(share, record, size, room, grant);
}

cadastre_exit_code Pool::fit_in_place(const PoolShare& share, const Record& record, std::size_t size, std::size_t room,
                                      Fitted& fitted) noexcept {
  const bool zero = !(record.flags & CADASTRE_UNINITIALIZED);
  pool_lock_.lock();
  PoolPiece* const piece = stock_.find(record.pointer);
  const std::size_t waste = piece ? piece->waste : 0;
  fitted = !piece                                      ? Fitted::foreign
           : piece->share != &share                    ? Fitted::lost
           : stock_.fit(*piece, bytes_for(size), room) ? Fitted::yes
                                                       : Fitted::no;
  if (fitted == Fitted::yes) watch_.resize(piece->begin, record.size, size, piece->bytes, zero);
  pool_lock_.unlock();
  if (fitted != Fitted::yes || !zero || size <= record.size) return CADASTRE_SUCCESS;
  const cadastre_exit_code code = clear(piece->begin + record.size, size - record.size, std::nullopt);
  if (code == CADASTRE_SUCCESS) return code;
  const Failure first = failed_last();
  backend_.settle(record);
  const PoolLocked locked(pool_lock_);
  watch_.resize(piece->begin, size, record.size, piece->bytes, zero);
  stock_.set_waste(*piece, waste);
  return fail(first);
}

cadastre_exit_code Pool::move(PoolShare& share, const Record& record, std::size_t size, std::size_t room, Grant& grant) noexcept {
  const std::size_t kept = std::min(size, record.size);
  const bool zero = size > kept && !(record.flags & CADASTRE_UNINITIALIZED);
  Grant moved{};
  // A capture is met before there is another block to free.
  cadastre_exit_code code = backend_.has_events() ? backend_.settle(record) : CADASTRE_SUCCESS;
  if (code == CADASTRE_SUCCESS) code = allocate(share, {size, record.alignment(), place_.type, place_.device, zero}, moved, room, kept);
  if (code != CADASTRE_SUCCESS) return code;
  return move_block(backend_, record, size, moved, grant, [&](const Record& gone) { return free(share, gone); });
}

}  // namespace cadastre::internal
