// Tangled from org/context/free.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "backends/ipc.hpp"
#include "base/error.hpp"
#include "base/fail.hpp"
#include "context/backend_time.hpp"
#include "context/context.hpp"
#include "context/lock.hpp"
#include "core/kept_runs.hpp"
#include "core/pages.hpp"

namespace cadastre::internal {

// Refuses to wait for a device while the context's default queue is captured, of which the device may not tell.
cadastre_exit_code Context::admit_wait() noexcept {
  const cadastre_queue queue = default_queue();
  if (queue == CADASTRE_DEFAULT_QUEUE || !backend_->capturing(device_, queue)) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE, .reason = CADASTRE_REASON_CAPTURE_ACTIVE, .backend = backend_->number(),
               .device = device_, .pointer = queue, .detail = "it is the default queue of the context, so free and wait after the capture has ended"});
}

// Waits for queues that may be at work on a block and that its own backend, or its own device, knows nothing of.
cadastre_exit_code Context::settle_elsewhere(const Record& record) noexcept {
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

cadastre_exit_code Context::free_in_backend(const Record& record, Order order) noexcept {
  if (record.how == how_in_slab) return CADASTRE_SUCCESS;  // it left the heap with the registry
  Backend& source = backend_of(record);
  const PoolUse* const use = share_of(record);
  const BackendTime time(timing_);
  cadastre_exit_code code;
  if (order) {
    code = use ? use->pool->free(use->share, record, *order) : source.free_ordered(record, *order);
  } else if (settle_elsewhere(record) == CADASTRE_CAPTURE_ACTIVE) {  // what a device says against itself does not keep the memory of another
    code = CADASTRE_CAPTURE_ACTIVE;
  } else {
    code = use ? use->pool->free(use->share, record) : source.free(record);
  }
  return unless_demanded(record, code);
}

cadastre_exit_code Context::free_in_pool(PoolUse& use, const Record& record, const KnownQueue& queue) noexcept {
  const BackendTime time(timing_);
  return unless_demanded(record, use.pool->free_admitted(use.share, record, queue));
}

// What came of a free; it fails on demand when it has succeeded, so that no memory is lost.
cadastre_exit_code Context::unless_demanded(const Record& record, cadastre_exit_code code) noexcept {
  if (code != CADASTRE_SUCCESS || !is_armed(Point::free)) [[likely]] return code;
  const char* const rule = fails(Point::free, {record.type, record.backend, record.size, text_of(record.origin)});
  if (!rule) return code;
  Failure failure = about(record, CADASTRE_DEALLOCATION_FAILED, CADASTRE_REASON_INJECTED, record.pointer);
  failure.detail = rule;
  return fail(failure);
}

// The default queue is one on each device: where several are in use, the queue of the block's own is not enough.
bool Context::goes_by_the_queue(const Record& record, cadastre_queue queue) noexcept {
  if (record.backend != backend_->number()) return false;
  if (record.flags & CADASTRE_STREAM_ORDERED) return true;
  if (const Pool* const pool = pool_of(record); !pool || !pool->has_lanes()) return false;
  return queue != CADASTRE_DEFAULT_QUEUE || (devices_in_use() & ~bit_of(record.device)) == 0;
}

// What has to be before a block leaves the registry; order is none afterwards where nothing is left of it. queue: what the block's pool has found of it.
cadastre_exit_code Context::make_ready_to_free(const Record& record, Order& order, KnownQueue& queue) noexcept {
  if (goes_by_the_queue(record, *order)) {
    Pool* const pool = pool_of(record);
    return pool ? pool->admit_free(queue = {*order}) : CADASTRE_SUCCESS;
  }
  const cadastre_exit_code code = await(*order, devices_in_use());
  order.reset();
  return code;
}

cadastre_exit_code Context::release(Visit& visit, void* pointer, Order order, std::uint64_t* serial) noexcept {
  Record record;
  cadastre_exit_code code = find_owned(registry_, pointer, record);
  if (code != CADASTRE_SUCCESS) return code;
  if (order) order = resolved(*order);
  PoolUse* const use = order ? share_of(record) : nullptr;
  KnownQueue queue;
  if (order && (!goes_by_the_queue(record, *order) || (use && use->pool->asks_before_free(*order)))) {
    code = visit.outside([&] { return make_ready_to_free(record, order, queue); });
    if (code == CADASTRE_SUCCESS) code = find_owned(registry_, pointer, record);
    if (code != CADASTRE_SUCCESS) return code;
  }
  if (serial) *serial = record.serial;
  const bool by_the_pool = use && order;
  if (by_the_pool && !is_armed(Point::free) && use->pool->free_at_once(use->share, record, *order)) {
    registry_.remove(pointer);
    offer_cache(visit, record, *use, {});
    return CADASTRE_SUCCESS;
  }
  Hidden hidden;
  withdraw(record, hidden);
  const std::size_t room = room_to_keep(record.type, hidden.is_listed ? record.size : 0);  // a hidden block still counts
  visit.step_out();
  code = by_the_pool ? free_in_pool(*use, record, queue) : free_in_backend(record, order);
  if (code == CADASTRE_SUCCESS && !order) keep_within(record.type, room);
  if (code == CADASTRE_SUCCESS && !hidden.is_listed) return code;
  visit.step_in();
  conclude_free(record, hidden, code);
  return code;
}

// Takes a block out of the registry, or hides it there until it is known what became of it.
void Context::withdraw(const Record& record, Hidden& hidden) noexcept {
  if (record.type == CADASTRE_HOST) return registry_.remove(record.pointer);
  registry_.hide(record.pointer, hidden);
}

void Context::conclude_free(const Record& record, Hidden& hidden, cadastre_exit_code code) noexcept {
  if (hidden.is_listed && code == CADASTRE_CAPTURE_ACTIVE) return registry_.show_where_it_was(hidden);
  registry_.remove_hidden(hidden);
  if (code != CADASTRE_SUCCESS) registry_.free_failed(record);
}

cadastre_exit_code Context::release_all(Visit& visit, Told told) {
  if (const cadastre_exit_code code = admit_frees(visit); code != CADASTRE_SUCCESS) return code;
  struct Taken {
    Record record;
    Hidden hidden;
  };
  const std::vector<Record> all = registry_.snapshot();
  std::vector<Taken> taken(all.size());
  std::size_t count = 0;
  for (const Record& record : all) {
    if (record.state != State::live || record.flags & CADASTRE_WORKSPACE_MEMORY) continue;
    if (record.borrowed()) {
      registry_.remove(record.pointer);
    } else {
      Taken& last = taken[count++];
      last.record = record;
      withdraw(record, last.hidden);
    }
  }
  registry_.close_heap();
  registry_.heap().trim(Heap::Leave::small_ones);
  OwnVector<Import> imports;
  for (; !imports_.empty() && imports.reserve_one(); imports_.remove_at(imports_.size() - 1)) imports.push_back(imports_[imports_.size() - 1]);
  visit.step_out();
  cadastre_exit_code worst = end_imports(imports);
  Arena::return_surplus();
  for (auto& [record, hidden] : std::span(taken).first(count)) {
    const cadastre_exit_code code = free_in_backend(record, std::nullopt);
    if (told) told(visit, record, code);
    if (code == CADASTRE_SUCCESS && !hidden.is_listed) continue;
    if (code != CADASTRE_SUCCESS) worst = code;
    visit.step_in();
    conclude_free(record, hidden, code);
    visit.step_out();
  }
  return_surplus();
  return worst;
}

namespace {

// Kinds of memory that are to be freed; those beyond what a machine has are not told apart.
struct Site {
  Record example;
  bool waits;  // whether a free of it would wait in any case
};

class Sites {
 public:
  void add(const Record& example, bool waits) noexcept {
    const auto kind = [](const Record& record) {
      return std::tuple(record.backend, record.device, record.type, record.how & how_ordered);
    };
    for (const Site* site = begin(); site != end(); ++site) {
      if (kind(site->example) == kind(example) && site->waits == waits) return;
    }
    if (number_ < sites_.size()) sites_[number_++] = {example, waits};
  }
  void add(const Place& place) noexcept {
    Record example;
    example.type = static_cast<std::uint8_t>(place.type);
    example.backend = static_cast<std::uint8_t>(place.backend);
    example.device = place.device;
    add(example, false);
  }
  const Site* begin() const noexcept { return sites_.data(); }
  const Site* end() const noexcept { return begin() + number_; }

 private:
  std::array<Site, 64> sites_{};
  std::size_t number_ = 0;
};

}  // namespace

// Asks whether the context's memory can be freed now, and waits for devices where nothing else tells; refuses where a capture
// forbids it. A live block of a pool waits for its device when it is freed, and so does one that others may have open. What a pool keeps goes where nobody else shares it,
// and in any case what it could not free before.
cadastre_exit_code Context::admit_frees(Visit& visit) noexcept {
  bool any = false, any_pool = false;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (type == CADASTRE_HOST) continue;
    any |= registry_.accounts(type).all.figures.live_blocks > 0 || !imports_.empty();
    any_pool |= pools(type).has_any();
  }
  if (!backend_->has_events() && !any && !any_pool) return CADASTRE_SUCCESS;
  const cadastre_exit_code code = admit_waits_for_host(visit);
  return code == CADASTRE_SUCCESS && (any || any_pool) ? admit_frees_elsewhere(visit, any) : code;
}

// Host memory that was lent on a queue waits for it, too. While it is lent, the queue is there to be asked.
cadastre_exit_code Context::admit_waits_for_host(Visit& visit) noexcept {
  const auto& workspaces = books().of(CADASTRE_HOST).workspaces;
  bool waits = false, captured = false;
  for (std::size_t number = 0; !captured && number < workspaces.size(); ++number) {  // others may come meanwhile
    const Workspace& one = *workspaces[number];
    waits |= one.lending || one.behind != Behind::nothing;  // what one waits for that is being made ready is its thread's to know
    if (!one.idle()) captured = visit.outside([&, queue = one.queue] { return backend_->capturing(device_, queue); });
  }
  if (!captured && (!waits || visit.outside([&] { return may_free_idle_workspaces(); }))) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE, .reason = CADASTRE_REASON_CAPTURE_ACTIVE, .backend = backend_->number(), .device = device_});
}

// any: whether there are such blocks.
cadastre_exit_code Context::admit_frees_elsewhere(Visit& visit, bool any) noexcept {
  Sites sites;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (type == CADASTRE_HOST) continue;
    pools(type).for_each([&](const PoolUse& use) {
      if (use.pool->figures().reserved == 0) return;
      if (use.pool->is_only(use.share) || use.pool->used_by(use.share) > 0) sites.add(use.pool->place());
    });
  }
  if (any) {
    registry_.for_each_alone([&](const Record& record) {
      if (record.type == CADASTRE_HOST || (record.borrowed() && !(record.flags & CADASTRE_IMPORTED))) return;
      sites.add(record, pool_of(record) || (record.flags & CADASTRE_EXPORTABLE && is_exported(record)));
    });
  }
  if (sites.begin() == sites.end()) return CADASTRE_SUCCESS;
  return visit.outside([&] {
    cadastre_exit_code code = admit_wait();
    for (const Site* site = sites.begin(); code == CADASTRE_SUCCESS && site != sites.end(); ++site) {
      Backend& backend = backend_of(site->example);  // without events there are no captures either
      if (!backend.has_events()) continue;
      const cadastre_exit_code admitted = site->waits ? backend.settle(site->example) : backend.admit_free(site->example);
      if (admitted == CADASTRE_CAPTURE_ACTIVE) code = CADASTRE_CAPTURE_ACTIVE;
    }
    return code;
  });
}

}  // namespace cadastre::internal
