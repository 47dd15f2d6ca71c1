// Tangled from org/context/lifetime.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/lifetime.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/label.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "base/owned.hpp"
#include "context/closing.hpp"
#include "context/fork.hpp"
#include "context/free_all.hpp"
#include "context/table.hpp"
#include "core/kept_runs.hpp"

namespace cadastre::internal {

Context::Context() noexcept : registry_(lose_unless_pooled) {}

void Context::begin(Backend& backend, const Settings& settings, ChildOf parent) noexcept {
  parent_ = std::move(parent);
  host_.begin(settings.shards, settings.heap, settings.recorded);
  sources_.begin(backend, settings.device, settings.pools);
  shared().set_parent(parent_.parent());
  use_device(backend, device());
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) shared().of(type).set_limit(settings.limits.of_type(type));
  shared().set_limit(CADASTRE_ALL_MEMORY_TYPES, settings.limits[CADASTRE_ALL_MEMORY_TYPES]);
}

bool Context::uses_its_heap_only() const noexcept {
  bool any_pool = false;
  for (const PoolUses& pools : sources_.all_pools()) any_pool |= pools.has_any();
  return registry_.has_used_its_heap_only() && !any_pool && imports_.empty() && !workspace_table_.were_opened() &&
         notes_.failures().are_as_new();
}

bool Context::renew() noexcept {
  if (!has_used_its_heap_only_) return false;
  registry_.renew();
  sources_.renew();
  workspace_table_.renew();
  cache_.renew();
  notes_.renew();
  host_.renew();
  number_ = 0;
  parent_.leave();
  return true;
}

bool Context::goes_with_its_heap() noexcept {
  has_used_its_heap_only_ = uses_its_heap_only();
  return has_used_its_heap_only_ && registry_.heap().table().used() == 0 && backend().number() == CADASTRE_BACKEND_HOST;
}

namespace {

// A backend that has let a context in, which does not exist yet.
struct Attached : NonCopyable {
  explicit Attached(Backend& of) noexcept : code(of.attach(backend)) {}
  // What was thrown is told later; what failed is told, whatever detach says.
  ~Attached() {
    if (!backend) return;
    const bool failed = code != CADASTRE_SUCCESS;
    const Failure first = failed ? failed_last() : Failure();
    backend->detach();
    if (failed) fail(first);
  }
  Backend* backend = nullptr;
  cadastre_exit_code code;
};

// One that was closed, for the next that is created.
class SpareContext {
 public:
  Owned<Context> take() noexcept { return Owned<Context>(spare_.exchange(nullptr, std::memory_order_acquire)); }
  // Lets it go where there is one, or more than its heap was used; and where a checker is to see who still uses it, unless somebody has
  // asked for a heap all the same.
  void keep(Owned<Context> context) noexcept {
#ifdef CADASTRE_READS_ARE_WATCHED
    if (!context->host().uses_slabs()) return;
#endif
    if (spare_.load(std::memory_order_relaxed) || !context->renew()) return;
    const Owned<Context> before(spare_.exchange(context.release(), std::memory_order_acq_rel));
  }

 private:
  std::atomic<Context*> spare_ = nullptr;
};
constinit SpareContext spare_context;

}  // namespace

cadastre_exit_code create_context(Backend& backend, const Settings& settings, ChildOf parent, cadastre_context& created) {
  Attached attached(backend);
  if (attached.code != CADASTRE_SUCCESS) return attached.code;
  Owned<Context> context = spare_context.take();
  if (!context) context = make_owned<Context>();
  context->begin(*attached.backend, settings, std::move(parent));
  const Locked table_locked(ContextTable::mutex);
  if (!forks_are_watched()) throw std::bad_alloc();
  const std::uint32_t number = context_table.take();
  if (number == ContextTable::most_slots) {
    return attached.code = fail(
               {.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_TOO_MANY_CONTEXTS, .limit = ContextTable::most_slots});
  }
  Slot& slot = context_table.at(number);
  const Locked locked(slot.mutex);
  attached.backend = nullptr;
  slot.context = context.release();
  ++context_table.contexts;
  created = slot.handle = context_table.handle_of(number, slot.generation);
  slot.context.load()->shared().set_owner(created);
  unlock_heap(slot);
  return CADASTRE_SUCCESS;
}

bool is_live(cadastre_context handle) noexcept {
  Slot* const slot = context_table.find(handle);
  if (!slot) return false;
  const Locked locked(slot->mutex);
  return lives_in(*slot, handle);
}

namespace {

void show(const Context& context, cadastre_context handle, Shown shown) noexcept {
  const std::optional<Holdings> holdings = holdings_of(context, handle);
  shown(holdings ? &*holdings : nullptr);
}

}  // namespace

cadastre_exit_code destroy_context(ContextLock& lock, cadastre_destroy_summary_struct* summary, Shown last, LabelCounts* labels) noexcept {
  Slot* const slot = lock.slot_;
  slot->mutex.assert_held();
  if (lock.is_nested()) return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_CALLED_FROM_OPERATION});
  if (const cadastre_exit_code code = admit_frees(lock); code != CADASTRE_SUCCESS) return code;
  if (slot->closing) return fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_DESTROYED_CONTEXT});
  if (const std::uint32_t children = lock->shared().children(); children > 0) {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_HAS_CHILDREN, .in_use = children});
  }
  slot->closing = true;
  slot->notify();
  while (slot->unlocked_calls > 0) slot->wait();
  lock->registry().heap().lock();
  while (slot->unlocked_calls > 0) slot->wait();  // who was inside a shard may have pinned it
  const bool goes_with_its_heap = lock->goes_with_its_heap();
  if (last || !goes_with_its_heap) lock.not_cancelled_.emplace();
  Owned<Context> context(slot->context.exchange(nullptr));
  --context_table.contexts;
  context->cache().give_up();
  context->registry().heap().detach();
  const bool worn_out = slot->generation == ContextTable::last_generation;
  if (!worn_out) ++slot->generation;
  slot->owner = 0;
  slot->depth = 0;
  slot->closing = false;
  slot->mutex.unlock();
  lock.slot_ = nullptr;

  if (last) show(*context, lock.handle_, last);
  if (summary) *summary = cadastre_destroy_summary_struct_zero;
  const cadastre_exit_code code = close(*context, summary, labels);
  spare_context.keep(std::move(context));
  return_surplus();
  if (!worn_out) context_table.put_back(*slot, lock.handle_);
  return code;
}

}  // namespace cadastre::internal
