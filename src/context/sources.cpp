// Tangled from org/context/sources.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/sources.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/error.hpp"

namespace cadastre::internal {

void Sources::begin(Backend& backend, std::int32_t device, const PoolChoice& pools) noexcept {
  backend_ = &backend;
  device_ = device == no_device_id ? backend.current_device() : device;
  host_is_ours_ = &backend == &host_backend() || !backend.serves(CADASTRE_HOST);
  choice_ = pools;
}

void Sources::renew() noexcept {
  set_default_queue(CADASTRE_DEFAULT_QUEUE);
  devices_.store(0, std::memory_order_relaxed);
  devices_of_others_.store(0, std::memory_order_relaxed);
}

Backend* Sources::numbered(cadastre_backend number) const noexcept {
  return number == backend_->number() ? backend_ : find_backend(number);
}

const Backend& Sources::of_type(cadastre_memory_type type) const noexcept {
  return type == CADASTRE_HOST && host_is_ours_ ? host_backend() : *backend_;
}

const Backend* Sources::at_hand(const cadastre_memory_info_struct& info) const noexcept {
  if (names_own(info)) return backend_;
  return info.backend == CADASTRE_BACKEND_HOST ? &host_backend() : nullptr;
}

cadastre_exit_code Sources::choose(const cadastre_memory_info_struct& info, Backend*& source) const noexcept {
  source = backend_;
  for (std::size_t i = 0; i < std::size(info.reserved); ++i) {
    if (info.reserved[i] == 0) continue;
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = CADASTRE_REASON_RESERVED_NOT_ZERO,
                 .type = info.type,
                 .requested = info.reserved[i],
                 .detail = text("reserved[%zu]", i)});
  }
  if (info.type != CADASTRE_HOST && info.device_id != 0 && info.device_id != device_id_of(info.device)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = CADASTRE_REASON_DEVICE_MISMATCH,
                 .type = info.type,
                 .requested = static_cast<std::size_t>(info.device_id)});
  }
  if (names_own(info)) return CADASTRE_SUCCESS;
  return choose_backend(info.backend, CADASTRE_INVALID_ARG_2, source);
}

std::int32_t Sources::device_for(const cadastre_memory_info_struct& info, Backend& source) const noexcept {
  if (info.type == CADASTRE_HOST) return no_device_id;
  if (info.device != CADASTRE_DEFAULT_DEVICE) return device_id_of(info.device);
  return &source == backend_ ? device_ : source.current_device();
}

PoolUse* Sources::share_of(const Record& block) noexcept {
  if (block.flags & CADASTRE_EXPORTABLE) return nullptr;
  return pool(block.type) == CADASTRE_POOL_CACHING ? pools(block.type).find(of(block), block.device) : nullptr;
}

cadastre_memory_type workspace_type(const Sources& sources) noexcept {
  return sources.backend().serves(CADASTRE_DEVICE) ? CADASTRE_DEVICE : CADASTRE_HOST;
}

std::size_t granularity_of(const Sources& sources, cadastre_memory_type type) noexcept {
  return std::max(least_granularity, sources.of_type(type).natural_alignment(type));
}

std::size_t workspace_alignment(const Sources& sources, cadastre_memory_type type) noexcept {
  return std::min(granularity_of(sources, type), sources.of_type(type).largest_alignment(type));
}

cadastre_exit_code Sources::await(cadastre_queue queue, std::uint64_t devices) noexcept {
  if (queue != CADASTRE_DEFAULT_QUEUE || device_ < 0) return backend_->synchronize(device_, queue);
  for (; devices != 0; devices &= devices - 1) {
    const cadastre_exit_code code = backend_->synchronize(std::countr_zero(devices), CADASTRE_DEFAULT_QUEUE);
    if (code != CADASTRE_SUCCESS) return code;
  }
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Sources::admit_wait() noexcept {
  const cadastre_queue queue = default_queue();
  if (queue == CADASTRE_DEFAULT_QUEUE || !backend_->capturing(device_, queue)) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE,
               .reason = CADASTRE_REASON_CAPTURE_ACTIVE,
               .backend = backend_->number(),
               .device = device_,
               .pointer = queue,
               .detail = "it is the default queue of the context, so free and wait after the capture has ended"});
}

cadastre_exit_code Sources::settle_elsewhere(const Record& record) noexcept {
  if (record.type == CADASTRE_HOST) return CADASTRE_SUCCESS;
  if (const cadastre_exit_code code = admit_wait(); code != CADASTRE_SUCCESS) return code;
  Record there = record;
  for (std::uint64_t devices = devices_in_use(); devices != 0; devices &= devices - 1) {
    there.device = std::countr_zero(devices);
    if (record.backend == backend_->number() && there.device == record.device) continue;
    if (const cadastre_exit_code code = backend_->settle(there); code != CADASTRE_SUCCESS) return code;
  }
  return CADASTRE_SUCCESS;
}

bool Sources::may_wait_for_queues(const Order& order) noexcept {
  const auto captured = [&](cadastre_queue queue) { return backend_->capturing(device_, queue); };
  if (!backend_->has_events()) return true;
  const cadastre_queue own = default_queue();
  return !captured(CADASTRE_DEFAULT_QUEUE) && (own == CADASTRE_DEFAULT_QUEUE || !captured(own)) && (!order || !captured(resolved(*order)));
}

}  // namespace cadastre::internal
