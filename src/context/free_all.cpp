// Tangled from org/context/free_all.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/free_all.hpp"

#include <array>
#include <optional>
#include <span>
#include <tuple>

#include "backends/ipc.hpp"
#include "base/error.hpp"
#include "base/owned.hpp"
#include "context/free.hpp"
#include "context/workspaces.hpp"
#include "core/kept_runs.hpp"
#include "core/pages.hpp"
#include "registry/figures.hpp"

namespace cadastre::internal {

cadastre_exit_code free_all_blocks(ContextLock& lock, Told told) {
  Context& context = lock.context();
  if (const cadastre_exit_code code = admit_frees(lock); code != CADASTRE_SUCCESS) return code;
  struct Taken {
    Record record;
    Hidden hidden;
  };
  const OwnedVector<Record> all = snapshot(context.registry());
  OwnedVector<Taken> taken(all.size());
  std::size_t count = 0;
  for (const Record& record : all) {
    if (record.state != State::live || record.flags & CADASTRE_WORKSPACE_MEMORY) continue;
    if (record.borrowed()) {
      context.registry().remove(record.pointer);
    } else {
      Taken& last = taken[count++];
      last.record = record;
      withdraw(context.registry(), record, last.hidden);
    }
  }
  context.registry().heap().lock();
  context.registry().heap().trim(Heap::Leave::small_ones);
  Imports imports;
  imports.take_from(context.imports());
  lock.unlock();
  cadastre_exit_code worst = imports.end_all(context.sources());
  Arena::return_surplus();
  for (auto& [record, hidden] : std::span(taken).first(count)) {
    const cadastre_exit_code code = free_in_backend(context, record, std::nullopt);
    if (told) told(lock, record, code);
    if (code == CADASTRE_SUCCESS && !hidden.is_listed) continue;
    if (code != CADASTRE_SUCCESS) worst = code;
    lock.relock();
    conclude_free(context.registry(), record, hidden, code);
    lock.unlock();
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
    const auto kind = [](const Record& record) { return std::tuple(record.backend, record.device, record.type, record.how & how_ordered); };
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

// Host memory that was leased on a queue waits for it, too. While it is leased, the queue is there to be asked.
cadastre_exit_code admit_waits_for_host(ContextLock& lock) noexcept {
  Context& context = lock.context();
  const auto& workspaces = context.look_at_workspaces().of(CADASTRE_HOST).workspaces;
  bool waits = false, captured = false;
  for (std::size_t number = 0; !captured && number < workspaces.size(); ++number) {  // others may come meanwhile
    const Workspace& one = *workspaces[number];
    waits |= one.acquiring || one.behind != Behind::nothing;  // what one waits for that is being made ready is its thread's to know
    if (!one.idle()) captured = lock.in_backend([&, queue = one.queue] { return context.backend().capturing(context.device(), queue); });
  }
  if (!captured && (!waits || lock.in_backend([&] { return may_free_idle_workspaces(context); }))) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE,
               .reason = CADASTRE_REASON_CAPTURE_ACTIVE,
               .backend = context.backend().number(),
               .device = context.device()});
}

// any: whether there are such blocks.
cadastre_exit_code admit_frees_elsewhere(ContextLock& lock, bool any) noexcept {
  Context& context = lock.context();
  Sites sites;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (type == CADASTRE_HOST) continue;
    context.sources().pools(type).for_each([&](const PoolUse& use) {
      if (use.pool->figures().reserved == 0) return;
      if (use.pool->is_only(use.share) || use.pool->used_by(use.share) > 0) sites.add(use.pool->place());
    });
  }
  if (any) {
    context.registry().for_each_alone([&](const Record& record) {
      if (record.type == CADASTRE_HOST || (record.borrowed() && !(record.flags & CADASTRE_IMPORTED))) return;
      sites.add(record, context.sources().pool_of(record) || (record.flags & CADASTRE_EXPORTABLE && is_exported(record)));
    });
  }
  if (sites.begin() == sites.end()) return CADASTRE_SUCCESS;
  return lock.in_backend([&] {
    cadastre_exit_code code = context.sources().admit_wait();
    for (const Site* site = sites.begin(); code == CADASTRE_SUCCESS && site != sites.end(); ++site) {
      Backend& backend = context.sources().of(site->example);  // without events there are no captures either
      if (!backend.has_events()) continue;
      const cadastre_exit_code admitted = site->waits ? backend.settle(site->example) : backend.admit_free(site->example);
      if (admitted == CADASTRE_CAPTURE_ACTIVE) code = CADASTRE_CAPTURE_ACTIVE;
    }
    return code;
  });
}

}  // namespace

// Asks whether the context's memory can be freed now, and waits for devices where nothing else tells; refuses where a capture
// forbids it. A live block of a pool waits for its device when it is freed, and so does one that others may have open. What a pool keeps goes where nobody else shares it,
// and in any case what it could not free before.
cadastre_exit_code admit_frees(ContextLock& lock) noexcept {
  Context& context = lock.context();
  bool any = false, any_pool = false;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (type == CADASTRE_HOST) continue;
    any |= context.registry().accounts().of(type).all.figures.live_blocks > 0 || !context.imports().empty();
    any_pool |= context.sources().pools(type).has_any();
  }
  if (!context.backend().has_events() && !any && !any_pool) return CADASTRE_SUCCESS;
  const cadastre_exit_code code = admit_waits_for_host(lock);
  return code == CADASTRE_SUCCESS && (any || any_pool) ? admit_frees_elsewhere(lock, any) : code;
}

}  // namespace cadastre::internal
