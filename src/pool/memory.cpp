// Tangled from org/pool/memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/memory.hpp"

#include <algorithm>

#include "base/checkers.hpp"

namespace cadastre::internal {

namespace {

std::size_t granule_of(const Backend& backend, cadastre_memory_type type) noexcept {
  const std::size_t usual = type == CADASTRE_HOST ? 4096 : 256;
  return std::min(std::max(usual, backend.natural_alignment(type)), backend.largest_alignment(type));
}

bool is_host(const Backend& backend) noexcept { return backend.number() == CADASTRE_BACKEND_HOST; }

bool is_watched(const Backend& backend, cadastre_memory_type type) noexcept {
  return (type != CADASTRE_DEVICE || is_host(backend)) && is_memory_checked();
}

}  // namespace

PoolMemory::PoolMemory(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& shared) noexcept
    : backend_(backend),
      place_{type, device, backend.number()},
      granule_(granule_of(backend, type)),
      fresh_is_zero_(is_host(backend)),
      watch_(this, is_watched(backend, type)),
      shared_(shared),
      pool_lock_(shared.pool_lock),
      stock_(shared, log2_of(granule_)),
      queues_(backend_, place_, stock_, pool_lock_, watch_),
      // What begins just behind an emulated device's memory is to be nobody's.
      spare_bytes_(watch_ || (type == CADASTRE_DEVICE && is_host(backend)) ? 1 : 0) {}

PoolMemory::~PoolMemory() { close(); }

bool PoolMemory::is_only(const PoolShare& share) const noexcept {
  const PoolLocked locked(pool_lock_);
  return stock_.shares.is_only(share);
}

std::size_t PoolMemory::used_by(const PoolShare& share) const noexcept {
  const PoolLocked locked(pool_lock_);
  return share.used;
}

bool PoolMemory::would_raise_mark(std::size_t bytes) const noexcept {
  const PoolLocked locked(pool_lock_);
  return shared_.used + shared_.asking + bytes > shared_.peak + shared_.waste;
}

PoolFigures PoolMemory::figures() const noexcept {
  const PoolLocked locked(pool_lock_);
  return stock_.figures();
}

}  // namespace cadastre::internal
