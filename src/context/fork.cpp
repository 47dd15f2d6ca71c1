// Tangled from org/context/fork.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/fork.hpp"

#include <algorithm>

#include "backends/ipc.hpp"
#include "backends/shared_memory.hpp"
#include "base/accounting.hpp"
#include "base/out_of_memory.hpp"
#include "context/context.hpp"
#include "context/lock.hpp"
#include "context/table.hpp"
#include "core/fence.hpp"
#include "core/forks.hpp"
#include "core/kept_runs.hpp"
#include "pool/pools.hpp"

namespace cadastre::internal {

namespace {

// The analysis does not follow what is locked here, and unlocked by let_go.
void before_fork() noexcept CADASTRE_UNCHECKED {
  give_up_kept_runs();
  ContextTable::mutex.lock_for_fork();
  Others others = Others::none;
  context_table.for_each([&](Slot& slot) CADASTRE_UNCHECKED {
    if (!slot.context) return;
    slot.mutex.lock_for_fork();
    Context* const context = slot.context;
    if (!context) {  // somebody has destroyed it meanwhile
      slot.mutex.unlock();
      return;
    }
    others = std::max(others, context->registry().heap().close_shard_locks());
    slot.held_for_fork = true;
  });
  fence_against(others);
  context_table.for_each([](Slot& slot) CADASTRE_UNCHECKED {
    if (!slot.held_for_fork) return;
    slot.context.load()->registry().heap().finish_lock();
    slot.context.load()->cache().give_up();
  });
  lock_pools_for_fork();
  lock_exports_for_fork();
  lock_shared_for_fork();
  SharedAccount::before_fork();
  Thread::before_fork();
}

// unlock_pools, unlock_exports: as is right there.
void let_go(void (*unlock_pools)() noexcept, void (*unlock_exports)() noexcept) noexcept CADASTRE_UNCHECKED {
  Thread::after_fork();
  SharedAccount::after_fork();
  unlock_shared_after_fork();
  unlock_exports();
  unlock_pools();
  context_table.for_each([](Slot& slot) CADASTRE_UNCHECKED {
    if (!slot.held_for_fork) return;
    slot.held_for_fork = false;
    unlock_heap(slot);
    slot.mutex.unlock();
  });
  ContextTable::mutex.unlock();
}

void in_parent() noexcept { let_go(unlock_pools_in_parent, unlock_exports_in_parent); }

// What other threads had begun in a context.
void forget_others(Context& context) noexcept {
  context.registry().heap().in_child();
  context.registry().forget_other_threads(ContextLock::begun_in(context));
  context.look_at_workspaces().forget_other_threads(this_thread());
  context.imports().leave_to_parent();
}

// Nobody else is there.
void in_child() noexcept {
  context_table.for_each([](Slot& slot) CADASTRE_UNCHECKED {
    slot.changed.renew();
    slot.waiting = 0;
    slot.unlocked_calls = 0;
    slot.closing = false;
    if (slot.owner != this_thread()) {
      slot.owner = 0;
      slot.depth = 0;
    }
    if (!slot.held_for_fork) slot.mutex.renew();
  });
  ContextLock::keep_own();
  const auto each = [](void (*told)(Context&) noexcept) {
    context_table.for_each([told](Slot& slot) CADASTRE_UNCHECKED {
      if (slot.held_for_fork) told(*slot.context.load());
    });
  };
  each(forget_others);
  forget_exports_in_child();
  process_account().clear();
  ChildOf::age();
  each([](Context& context) noexcept { context.shared().clear(); });
  each([](Context& context) noexcept { context.charge_anew(); });
  let_go(unlock_pools_in_child, unlock_exports_in_child);
  leave_shared_to_parent();
  charge_pools_anew();
  forget_calls_of_others();
  Thread::in_child();
}

// Without waiting for who has locked the context: he may wait for this thread. One that is being destroyed still has its shards, as long as
// it is there.
void abandon_shard(cadastre_context handle, Shard& shard) noexcept {
  Slot* const slot = context_table.find(handle);
  if (!slot) return;
  const Locked locked(slot->mutex);
  Context* const context = slot->context.load();
  if (context && slot->handle == handle) context->abandon_shard(shard);
}

constinit bool watched = false;

// Before static objects, which may create contexts.
[[gnu::constructor(101)]] void watch_for_forks() noexcept {
  watched = at_fork(before_fork, in_parent, in_child);
  tell_when_threads_end(abandon_shard);
}

}  // namespace

bool forks_are_watched() noexcept { return watched; }

// In accounts that count nothing yet. What contexts hold that other threads were destroying is not counted.
void Context::charge_anew() noexcept {
  registry_.heap().lock();
  registry_.accounts().charge_anew();
  parent_.renew();
}

}  // namespace cadastre::internal
