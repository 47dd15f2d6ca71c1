// Tangled from org/context/reclaim.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/reclaim.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <thread>
#include <utility>

#include "backends/ipc.hpp"
#include "base/environment.hpp"
#include "base/out_of_memory.hpp"
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
bool give_up_slabs(Visit& visit) noexcept {
  const Failure failure = failed_last();
  if (!visit.stepped_out([&] { return is_want_of_host(failure); })) return false;
  visit->registry().close_heap();
  visit->registry().heap().trim(Heap::Leave::none);
  const Outside here(visit);
  trim_heaps_elsewhere(visit.handle());
  return Arena::give_up_all();
}

// A limit does not count what pools of vendors keep.
bool give_up_pools(Visit& visit) noexcept {
  const bool is_limit = failed_last().reason == CADASTRE_REASON_LIMIT_EXCEEDED;
  const Outside here(visit);
  give_up_caches();
  const bool any = give_up_kept(visit.in_flight);
  return (!is_limit && give_up_pools_of_vendors(visit.in_flight)) || any;
}

bool give_up_in_other_contexts(Visit& visit) noexcept {
  return visit.stepped_out([&] { return give_up_elsewhere(visit.handle(), visit.in_flight); });
}

bool give_up_idle_workspaces(Visit& visit, cadastre_memory_type type) noexcept {
  // Others are let in only where there is something to ask about, and somebody may capture.
  bool has_any = false;
  for_each_type_of(type, [&](cadastre_memory_type each) { has_any = has_any || has_idle_workspace(visit.context(), each); });
  if (!has_any) return false;
  if (visit->backend().has_events() && !visit.stepped_out([&] { return may_free_idle_workspaces(visit.context()); })) return false;
  for_each_type_of(type, [&](cadastre_memory_type each) {
    if (!has_idle_workspace(visit.context(), each)) return;
    IdleLook look;
    look.begin(visit.context(), visit->workspaces().of(each), IdleLook::Of::all);
    if (!look.any()) return;
    visit.stepped_out([&] { look.ask(visit.context()); });
    look.end(visit.in_flight);
  });
  bool any = false;
  for_each_type_of(type, [&](cadastre_memory_type each) {
    while (const std::unique_ptr<Workspace> taken = take_idle_workspace(visit.context(), each)) {
      any = true;
      visit.stepped_out([&] { free_taken(visit.context(), *taken); });
      count_taken(visit.context(), *taken);
    }
  });
  return any;
}

// A workspace may lie in a pool, which keeps its memory then.
bool with_its_pool(Visit& visit, bool any) noexcept {
  if (any) give_up_pools(visit);
  return any;
}
bool give_up_own_workspaces(Visit& visit) noexcept { return with_its_pool(visit, give_up_idle_workspaces(visit, CADASTRE_ALL_MEMORY_TYPES)); }
bool give_up_other_workspaces(Visit& visit) noexcept { return with_its_pool(visit, give_up_in_other_contexts(visit)); }

// Ways to memory that nobody uses, the nearest first. Each says whether there was any; inside before and after.
using Way = bool (*)(Visit&) noexcept;
constexpr std::array<Way, 4> ways_to_memory = {give_up_slabs, give_up_pools, give_up_own_workspaces, give_up_other_workspaces};

}  // namespace

// The host may have had no memory for the registry's own records, too.
bool give_up_everything(Visit& visit) noexcept {
  const Failure first = failed_last();
  bool any = false;
  for (const Way way : ways_to_memory) any = way(visit) || any;
  fail(first);
  return any;
}

namespace {

bool is_want_of_memory(cadastre_exit_code code) noexcept {
  if (code != CADASTRE_ALLOCATION_FAILED && code != CADASTRE_LIMIT_EXCEEDED) return false;
  const cadastre_reason reason = failed_last().reason;
  return reason == CADASTRE_REASON_BACKEND_OUT_OF_MEMORY || reason == CADASTRE_REASON_LIMIT_EXCEEDED || reason == CADASTRE_REASON_OUT_OF_HOST_MEMORY;
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
  visit_.in_flight = false;
  next_way_ = 0;
  gave_up_everything_ = false;
  return true;
}

// The next way that leads to some; for records of the library's own, all of them at once.
bool Reclaim::gives_up(cadastre_exit_code code) noexcept {
  const Failure first = failed_last();
  if (is_want_of_records(code)) return !std::exchange(gave_up_everything_, true) && give_up_everything(visit_);
  bool any = false;
  while (!any && first.reason == CADASTRE_REASON_BACKEND_OUT_OF_MEMORY && next_way_ < ways_to_memory.size()) {
    any = ways_to_memory[next_way_++](visit_);
    fail(first);
  }
  return any;
}

bool Reclaim::waits() noexcept {
  using namespace std::chrono;
  if (has_waited_ || !visit_.in_flight) return false;
  if (!until_) until_ = steady_clock::now() + environment().out_of_memory_wait;
  const Failure first = failed_last();
  bool any = false;
  for (microseconds pause(20); !any; pause = std::min<microseconds>(2 * pause, milliseconds(5))) {
    const auto left = *until_ - steady_clock::now();
    has_waited_ = left <= left.zero();
    visit_.step_out();
    const bool may_wait = visit_->sources().may_wait_for_queues(wanted_.order);
    if (may_wait && !has_waited_) std::this_thread::sleep_for(std::min<nanoseconds>(pause, left));
    visit_.step_in();
    if (!may_wait) return false;
    visit_.in_flight = false;
    fail(first);
    any = give_up_pools(visit_);
    any = give_up_own_workspaces(visit_) || any;
    any = give_up_other_workspaces(visit_) || any;
    if (has_waited_ || !visit_.in_flight) break;
  }
  return any;
}

bool Reclaim::asks() noexcept {
  if (!was_any_out_of_memory_function_set()) return false;
  const Failure first = failed_last();
  cadastre_out_of_memory_struct request = cadastre_out_of_memory_struct_zero;
  request.context = visit_.handle();
  request.type = wanted_.type;
  request.backend = first.backend;
  request.device_id = first.device;
  request.reason = first.reason;
  request.size = wanted_.size;
  request.label = wanted_.label && *wanted_.label ? wanted_.label : nullptr;
  request.retries = retries_++;
  return visit_.stepped_out([&] { return ask_out_of_memory_functions(visit_->shared(), request); });
}

// Of those who count against the limit that refused; else of all.
void Reclaim::tell_who_holds() noexcept {
  const Failure first = failed_last();
  const SharedAccount* account = &process_account();
  if (first.reason == CADASTRE_REASON_LIMIT_EXCEEDED && first.owner != CADASTRE_PROCESS) {
    account = &visit_->shared();
    while (first.owner != CADASTRE_NULL_CONTEXT && account->parent() && account->owner() != first.owner) account = account->parent();
  }
  const Text holders = visit_.stepped_out([&] { return holders_text(*account, first); });
  fail(first);
  describe_holders(holders);
}

namespace {

// What was freed while another process had it open, and has closed since.
bool free_exports(Visit& visit) noexcept {
  if (!are_exports_held()) return false;
  return visit.stepped_out(free_held_exports);
}

// A limit counts what idle workspaces hold; one of a parent or of the process also what other contexts hold, and that of the process what other processes
// have had open.
bool make_room(Visit& visit, std::size_t bytes, const Refusal& refusal) noexcept {
  if (bytes > refusal.limit) return false;
  const bool own = give_up_idle_workspaces(visit, refusal.of);
  const bool alone = refusal.account == &visit->shared() && visit->shared().children() == 0;
  const bool others = !alone && give_up_in_other_contexts(visit);
  return free_exports(visit) || others || own;
}

// Pools may keep what the process's limits leave no room for. A context that has a pool of the type sees to that when it asks the pool; but what
// pools of other types keep counts too where one limit is of all.
void make_pools_keep_less(Visit& visit, cadastre_memory_type type, std::size_t bytes) noexcept {
  const bool all = process_account().limits_all_together(), has_pool = visit->sources().pool(type) == CADASTRE_POOL_CACHING;
  if (!all && has_pool) return;
  for_each_type_of(all ? CADASTRE_ALL_MEMORY_TYPES : type, [&](cadastre_memory_type each) {
    if ((each == type && has_pool) || !is_too_much_kept(each)) return;
    visit.begun = {.type = type, .bytes = bytes};
    visit.stepped_out([&] { keep_within(each, room_to_keep(each)); });
    visit.begun = {};
  });
}

}  // namespace

std::optional<Refusal> reserve(Visit& visit, cadastre_memory_type type, std::size_t bytes) noexcept {
  Context& context = visit.context();
  std::optional<Refusal> refusal;
  const auto ask = [&] { refusal = context.registry().reserve_bytes(type, bytes); };
  ask();
  const auto without_caches = [&] {
    if (!refusal || refusal->of == CADASTRE_HOST || !ThreadCache::any_is_out()) return;
    visit.stepped_out(give_up_caches);
    ask();
  };
  without_caches();
  // What threads have claimed in advance of HOST memory is returned, first in this context, then below each account that refuses, from here upwards.
  const auto counts_host = [&] { return refusal && refusal->counts(CADASTRE_HOST); };
  std::optional<Scarce> scarce;
  if (counts_host()) {
    scarce.emplace(refusal->account->of(CADASTRE_HOST));
    context.registry().close_heap();
    ask();
  }
  const SharedAccount* returned = context.shared().children() > 0 ? nullptr : &context.shared();
  while (counts_host() && refusal->account != returned && (!returned || returned->is_within(*refusal->account))) {
    returned = refusal->account;
    scarce.emplace(refusal->account->of(CADASTRE_HOST));
    visit.stepped_out([&] { return_claims_within(*returned); });
    ask();
  }
  without_caches();
  // Another limit may refuse what the first one leaves room for.
  for (std::optional<Refusal> tried; refusal && !(tried && tried->is_same_limit(*refusal));) {
    tried = refusal;
    if (!make_room(visit, bytes, *refusal)) break;
    ask();
  }
  if (!refusal) make_pools_keep_less(visit, type, bytes);
  return refusal;
}

}  // namespace cadastre::internal
