// Tangled from org/out/failed_creations.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/failed_creations.hpp"

#include <atomic>
#include <cstddef>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/lock.hpp"
#include "base/process.hpp"
#include "core/forks.hpp"

namespace cadastre::internal {
namespace {

struct Creations {
  Mutex<Rank::report> mutex;
  KeptFailures failures CADASTRE_GUARDED_BY(mutex);
  std::atomic<std::int64_t> number = 0;
};

// Never destroyed, as static objects may create contexts while the process ends.
Creations& creations() noexcept {
  alignas(Creations) static constinit std::byte storage[sizeof(Creations)] = {};
  static Creations& only = *new (storage) Creations;
  return only;
}

// Made before any fork, so that no child has it half made.
[[gnu::constructor(101)]] void watch_for_forks() noexcept {
  creations();
  const auto lock = []() CADASTRE_UNCHECKED { creations().mutex.lock_for_fork(); };
  const auto unlock = []() CADASTRE_UNCHECKED { creations().mutex.unlock(); };
  at_fork(lock, unlock, unlock);
}

}  // namespace

KeptCreations kept_creations() {
  Creations& all = creations();
  std::vector<KeptFailure> kept;
  kept.reserve(KeptFailures::most);
  const Locked lock(all.mutex);
  kept.assign(all.failures.all().begin(), all.failures.all().end());
  return {std::move(kept), all.failures.forgotten()};
}

void keep_failed_creation(const char* function) noexcept {
  Creations& all = creations();
  ++all.number;
  KeptFailures::Room room = KeptFailures::make_room();  // outside, since a fork locks own memory before this mutex
  const Locked lock(all.mutex);
  all.failures.use(room);
  if (all.failures.has_room()) all.failures.keep(function, failed_last(), time_now());
}

std::int64_t failed_creations() noexcept { return creations().number; }

}  // namespace cadastre::internal
