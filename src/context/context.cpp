// Tangled from org/context/context.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/context.hpp"

#include <algorithm>
#include <utility>

#include "backends/host_heap.hpp"
#include "base/error.hpp"

namespace cadastre::internal {

std::size_t Context::alone_below() const noexcept {
  if (timing_ || !registry_.borrowed().empty()) return 0;
  return sources_.pool(CADASTRE_HOST) == CADASTRE_POOL_CACHING ? std::min(mapped_from, pooled_from(CADASTRE_HOST)) : mapped_from;
}

cadastre_exit_code Context::set_from_malloc(bool from_malloc) noexcept {
  registry_.heap().lock();
  if (from_malloc && registry_.heap().slabs().count > 0) {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_HEAP_IN_USE});
  }
  from_malloc_ = from_malloc;
  return CADASTRE_SUCCESS;
}

void Context::set_timing(bool on) noexcept {
  registry_.heap().lock();
  timing_ = on;
}

HeapRules::Copies Context::copies_at_once() const noexcept {
  if (timing_) return HeapRules::Copies::none;
  return backend().number() == CADASTRE_BACKEND_HOST ? HeapRules::Copies::of_plain_memory_too : HeapRules::Copies::of_blocks;
}

void Context::use_device(const Backend& source, std::int32_t device) noexcept {
  const std::uint64_t bit = &source == &backend() ? bit_of(device) : 0;
  if ((sources_.devices_in_use() & bit) == bit) return;
  cache_.give_up();
  sources_.add_devices(bit);
}

void Context::set_default_queue(cadastre_queue queue) noexcept {
  workspace_table_.take();
  sources_.set_default_queue(queue);
}

void Context::abandon_shard(Shard& shard) noexcept {
  if (std::exchange(shard.cache, nullptr)) cache_.enter();
  const bool had_thread_workspace = shard.thread_workspace != nullptr;
  registry_.heap().abandon(shard);
  if (had_thread_workspace) workspace_table_.end();
}

}  // namespace cadastre::internal
