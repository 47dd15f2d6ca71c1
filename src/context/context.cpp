// Tangled from org/context/context.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/context.hpp"

#include <utility>

namespace cadastre::internal {

void Context::use_device(const Backend& source, std::int32_t device) noexcept {
  if (&source != &backend()) return sources_.add_devices_of_others(bit_of(device));
  const std::uint64_t bit = bit_of(device);
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
