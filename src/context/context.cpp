// Tangled from org/context/context.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/context.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "backends/host_heap.hpp"
#include "base/error.hpp"

namespace cadastre::internal {

std::size_t Context::alone_below() const noexcept {
  if (timing_ || registry_.has_borrowed()) return 0;
  return pool(CADASTRE_HOST) == CADASTRE_POOL_CACHING ? std::min(mapped_from, pooled_from(CADASTRE_HOST)) : mapped_from;
}

cadastre_exit_code Context::set_from_malloc(bool from_malloc) noexcept {
  registry_.close_heap();
  if (from_malloc && registry_.heap().slabs().count > 0) {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_HEAP_IN_USE});
  }
  from_malloc_ = from_malloc;
  return CADASTRE_SUCCESS;
}

// Without memory for a label that was not there before, the block is counted without one.
void Context::count_plain_free(const Record& block) noexcept {
  registry_.count_plain_free(block);
  const auto with = [this](OriginNumber origin) {
    return std::find_if(plain_frees_.begin(), plain_frees_.end(), [&](const PlainFrees& one) { return one.origin == origin; });
  };
  PlainFrees* known = with(block.origin);
  if (known == plain_frees_.end() && plain_frees_.reserve_one()) {
    plain_frees_.push_back({block.origin, 0, 0});
    known = plain_frees_.end() - 1;
  }
  if (known == plain_frees_.end() && (known = with(no_origin)) == plain_frees_.end()) return;
  ++known->blocks;
  known->bytes += block.size;
}

cadastre_exit_code Context::await(cadastre_queue queue, std::uint64_t devices) noexcept {
  if (queue != CADASTRE_DEFAULT_QUEUE || device_ < 0) return backend_->synchronize(device_, queue);
  for (; devices != 0; devices &= devices - 1) {
    const cadastre_exit_code code = backend_->synchronize(std::countr_zero(devices), CADASTRE_DEFAULT_QUEUE);
    if (code != CADASTRE_SUCCESS) return code;
  }
  return CADASTRE_SUCCESS;
}

Backend* Context::backend_numbered(cadastre_backend number) noexcept {
  return number == backend_->number() ? backend_ : find_backend(number);
}

cadastre_exit_code Context::choose_source(const cadastre_memory_info_struct& info, Backend*& source) const noexcept {
  source = backend_;
  for (std::size_t i = 0; i < std::size(info.reserved); ++i) {
    if (info.reserved[i] == 0) continue;
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_RESERVED_NOT_ZERO, .type = info.type,
                 .requested = info.reserved[i], .detail = text("reserved[%zu]", i)});
  }
  if (info.type != CADASTRE_HOST && info.device_id != 0 && info.device_id != device_id_of(info.device)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_DEVICE_MISMATCH, .type = info.type,
                 .requested = static_cast<std::size_t>(info.device_id)});
  }
  if (names_own_backend(info)) return CADASTRE_SUCCESS;
  return choose_backend(info.backend, CADASTRE_INVALID_ARG_2, source);
}

std::int32_t Context::device_for(const cadastre_memory_info_struct& info, Backend& source) const noexcept {
  if (info.type == CADASTRE_HOST) return no_device_id;
  if (info.device != CADASTRE_DEFAULT_DEVICE) return device_id_of(info.device);
  return &source == backend_ ? device_ : source.current_device();
}

PoolUse* Context::share_of(const Record& record) noexcept {
  if (record.flags & CADASTRE_EXPORTABLE) return nullptr;
  return pool(record.type) == CADASTRE_POOL_CACHING ? pools(record.type).find(backend_of(record), record.device) : nullptr;
}

cadastre_memory_type Context::workspace_type() const noexcept {
  return backend_->serves(CADASTRE_DEVICE) ? CADASTRE_DEVICE : CADASTRE_HOST;
}

std::size_t Context::granularity(cadastre_memory_type type) const noexcept {
  return std::max(least_granularity, source_of(type).natural_alignment(type));
}

const Backend& Context::source_of(cadastre_memory_type type) const noexcept {
  return type == CADASTRE_HOST && host_is_ours_ ? *find_backend(CADASTRE_BACKEND_HOST) : *backend_;
}

std::size_t Context::workspace_alignment(cadastre_memory_type type) const noexcept {
  return std::min(granularity(type), source_of(type).largest_alignment(type));
}

void Context::keep(const void* address, bool kept) noexcept { registry_.mark_workspace(address, kept); }

}  // namespace cadastre::internal
