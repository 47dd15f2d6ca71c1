// Tangled from org/context/reclaim.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/reclaim.hpp"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "backends/ipc.hpp"
#include "base/environment.hpp"
#include "base/out_of_memory.hpp"
#include "base/owned.hpp"
#include "context/all_contexts.hpp"
#include "context/context.hpp"
#include "context/who_holds.hpp"
#include "context/workspaces.hpp"
#include "core/pages.hpp"
#include "pool/pools.hpp"

namespace cadastre::internal {

namespace {

// Whether it is the host that lacks memory, whoever refused.
bool is_want_of_host(const Failure& failure) noexcept {
  if (failure.reason == CADASTRE_REASON_OUT_OF_HOST_MEMORY) return true;
  Backend* const backend = find_backend(failure.backend);
  return backend && backend->takes_from_host(failure.type, failure.device);
}

// Empty slabs of all contexts, the pages that arenas keep, and their address space, where it is the host that lacks memory.
bool give_up_slabs(ContextLock& lock) noexcept {
  const Failure failure = failed_last();
  if (!lock.unlocked([&] { return is_want_of_host(failure); })) return false;
  lock->registry().heap().lock();
  lock->registry().heap().trim(Heap::Leave::none);
  const Unlocked here(lock);
  trim_heaps_elsewhere(lock.handle());
  return Arena::give_up_all();
}

// A limit does not count what pools of vendors keep.
bool give_up_pools(ContextLock& lock) noexcept {
  const bool is_limit = failed_last().reason == CADASTRE_REASON_LIMIT_EXCEEDED;
  const Unlocked here(lock);
  give_up_caches();
  const bool any = give_up_kept(lock.in_flight);
  return (!is_limit && give_up_pools_of_vendors(lock.in_flight)) || any;
}

bool give_up_in_other_contexts(ContextLock& lock) noexcept {
  return lock.unlocked([&] { return give_up_elsewhere(lock.handle(), lock.in_flight); });
}

bool give_up_idle_workspaces(ContextLock& lock, cadastre_memory_type type) noexcept {
  // Others are let in only where there is something to ask about, and somebody may capture.
  bool has_any = false;
  for_each_type_of(type, [&](cadastre_memory_type each) { has_any = has_any || has_idle_workspace(lock.context(), each); });
  if (!has_any) return false;
  if (lock->backend().has_events() && !lock.unlocked([&] { return may_free_idle_workspaces(lock.context()); })) return false;
  for_each_type_of(type, [&](cadastre_memory_type each) {
    if (!has_idle_workspace(lock.context(), each)) return;
    IdleLook look;
    look.begin(lock.context(), lock->workspaces().of(each), IdleLook::Of::all);
    if (!look.any()) return;
    lock.unlocked([&] { look.ask(lock.context()); });
    look.end(lock.in_flight);
  });
  bool any = false;
  for_each_type_of(type, [&](cadastre_memory_type each) {
    while (const Owned<Workspace> taken = take_idle_workspace(lock.context(), each)) {
      any = true;
      lock.unlocked([&] { free_taken(lock.context(), *taken); });
      count_taken(lock.context(), *taken);
    }
  });
  return any;
}

// A workspace may lie in a pool, which keeps its memory then.
bool with_its_pool(ContextLock& lock, bool any) noexcept {
  if (any) give_up_pools(lock);
  return any;
}
bool give_up_own_workspaces(ContextLock& lock) noexcept {
  return with_its_pool(lock, give_up_idle_workspaces(lock, CADASTRE_ALL_MEMORY_TYPES));
}
bool give_up_other_workspaces(ContextLock& lock) noexcept { return with_its_pool(lock, give_up_in_other_contexts(lock)); }

// Ways to memory that nobody uses, the nearest first. Each says whether there was any; inside before and after.
using Way = bool (*)(ContextLock&) noexcept;
constexpr std::array<Way, 4> ways_to_memory = {give_up_slabs, give_up_pools, give_up_own_workspaces, give_up_other_workspaces};

}  // namespace

// The host may have had no memory for the registry's own records, too.
bool give_up_everything(ContextLock& lock) noexcept {
  const Failure first = failed_last();
  bool any = false;
  for (const Way way : ways_to_memory) any = way(lock) || any;
  fail(first);
  return any;
}

namespace {

bool is_want_of_memory(cadastre_exit_code code) noexcept {
  if (code != CADASTRE_ALLOCATION_FAILED && code != CADASTRE_LIMIT_EXCEEDED) return false;
  const cadastre_reason reason = failed_last().reason;
  return reason == CADASTRE_REASON_BACKEND_OUT_OF_MEMORY || reason == CADASTRE_REASON_LIMIT_EXCEEDED ||
         reason == CADASTRE_REASON_OUT_OF_HOST_MEMORY;
}

}  // namespace

bool Reclaim::helps(cadastre_exit_code code) noexcept {
  const Failure first = failed_last();
  if (effort_ != Effort::wait_and_ask && gives_up(code)) return true;
  if (effort_ == Effort::give_up || !is_want_of_memory(code)) return false;
  bool again = waits();
  fail(first);
  if (!again) again = asks();
  fail(first);
  if (!again) return tell_who_holds(), false;
  lock_.in_flight = false;
  next_way_ = 0;
  gave_up_everything_ = false;
  return true;
}

// The next way that leads to some; for records of the library's own, all of them at once.
bool Reclaim::gives_up(cadastre_exit_code code) noexcept {
  const Failure first = failed_last();
  if (is_want_of_records(code)) return !std::exchange(gave_up_everything_, true) && give_up_everything(lock_);
  bool any = false;
  while (!any && first.reason == CADASTRE_REASON_BACKEND_OUT_OF_MEMORY && next_way_ < ways_to_memory.size()) {
    any = ways_to_memory[next_way_++](lock_);
    fail(first);
  }
  return any;
}

bool Reclaim::waits() noexcept {
  using namespace std::chrono;
  if (has_waited_ || !lock_.in_flight) return false;
  if (!until_) until_ = steady_clock::now() + environment().out_of_memory_wait;
  const Failure first = failed_last();
  bool any = false;
  for (microseconds pause(20); !any; pause = std::min<microseconds>(2 * pause, milliseconds(5))) {
    const auto left = *until_ - steady_clock::now();
    has_waited_ = left <= left.zero();
    lock_.unlock();
    const bool may_wait = lock_->sources().may_wait_for_queues(wanted_.order);
    if (may_wait && !has_waited_) std::this_thread::sleep_for(std::min<nanoseconds>(pause, left));
    lock_.relock();
    if (!may_wait) return false;
    lock_.in_flight = false;
    fail(first);
    any = give_up_pools(lock_);
    any = give_up_own_workspaces(lock_) || any;
    any = give_up_other_workspaces(lock_) || any;
    if (has_waited_ || !lock_.in_flight) break;
  }
  return any;
}

bool Reclaim::asks() noexcept {
  if (!was_any_out_of_memory_function_set()) return false;
  const Failure first = failed_last();
  cadastre_out_of_memory_struct request = cadastre_out_of_memory_struct_zero;
  request.context = lock_.handle();
  request.type = wanted_.type;
  request.backend = first.backend;
  request.device_id = first.device;
  request.reason = first.reason;
  request.size = wanted_.size;
  request.label = wanted_.label && *wanted_.label ? wanted_.label : nullptr;
  request.retries = retries_++;
  return lock_.unlocked([&] { return ask_out_of_memory_functions(lock_->shared(), request); });
}

// Of those who count against the limit that refused; else of all.
void Reclaim::tell_who_holds() noexcept {
  const Failure first = failed_last();
  const SharedAccount* account = &process_account();
  if (first.reason == CADASTRE_REASON_LIMIT_EXCEEDED && first.owner != CADASTRE_PROCESS) {
    account = &lock_->shared();
    while (first.owner != CADASTRE_NULL_CONTEXT && account->parent() && account->owner() != first.owner) account = account->parent();
  }
  const Text holders = lock_.unlocked([&] { return holders_text(*account, first); });
  fail(first);
  describe_holders(holders);
}

namespace {

// What was freed while another process had it open, and has closed since.
bool free_exports(ContextLock& lock) noexcept {
  if (!are_exports_held()) return false;
  return lock.unlocked(free_held_exports);
}

// A limit counts what idle workspaces hold; one of a parent or of the process also what other contexts hold, and that of the process what other processes
// have had open.
bool make_room(ContextLock& lock, std::size_t bytes, const Refusal& refusal) noexcept {
  if (bytes > refusal.limit) return false;
  const bool own = give_up_idle_workspaces(lock, refusal.of);
  const bool alone = refusal.account == &lock->shared() && lock->shared().children() == 0;
  const bool others = !alone && give_up_in_other_contexts(lock);
  return free_exports(lock) || others || own;
}

// Pools may keep what the process's limits leave no room for. A context that has a pool of the type sees to that when it asks the pool; but what
// pools of other types keep counts too where one limit is of all.
void make_pools_keep_less(ContextLock& lock, cadastre_memory_type type, std::size_t bytes) noexcept {
  const bool all = process_account().limits_all_together(), has_pool = lock->sources().pool(type) == CADASTRE_POOL_CACHING;
  if (!all && has_pool) return;
  for_each_type_of(all ? CADASTRE_ALL_MEMORY_TYPES : type, [&](cadastre_memory_type each) {
    if ((each == type && has_pool) || !is_too_much_kept(each)) return;
    lock.begun = {.type = type, .bytes = bytes};
    lock.unlocked([&] { keep_within(each, room_to_keep(each)); });
    lock.begun = {};
  });
}

}  // namespace

std::optional<Refusal> reserve(ContextLock& lock, cadastre_memory_type type, std::size_t bytes) noexcept {
  Context& context = lock.context();
  std::optional<Refusal> refusal;
  const auto ask = [&] { refusal = context.registry().accounts().reserve(type, bytes); };
  ask();
  const auto without_caches = [&] {
    if (!refusal || refusal->of == CADASTRE_HOST || !ThreadCache::any_is_out()) return;
    lock.unlocked(give_up_caches);
    ask();
  };
  without_caches();
  // What threads have claimed in advance of HOST memory is returned, first in this context, then below each account that refuses, from here upwards.
  const auto counts_host = [&] { return refusal && refusal->counts(CADASTRE_HOST); };
  std::optional<Scarce> scarce;
  if (counts_host()) {
    scarce.emplace(refusal->account->of(CADASTRE_HOST));
    context.registry().heap().lock();
    ask();
  }
  const SharedAccount* returned = context.shared().children() > 0 ? nullptr : &context.shared();
  while (counts_host() && refusal->account != returned && (!returned || returned->is_within(*refusal->account))) {
    returned = refusal->account;
    scarce.emplace(refusal->account->of(CADASTRE_HOST));
    lock.unlocked([&] { return_claims_within(*returned); });
    ask();
  }
  without_caches();
  // Another limit may refuse what the first one leaves room for.
  for (std::optional<Refusal> tried; refusal && !(tried && tried->is_same_limit(*refusal));) {
    tried = refusal;
    if (!make_room(lock, bytes, *refusal)) break;
    ask();
  }
  if (!refusal) make_pools_keep_less(lock, type, bytes);
  return refusal;
}

}  // namespace cadastre::internal
