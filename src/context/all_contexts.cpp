// Tangled from org/context/all_contexts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/all_contexts.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <new>
#include <optional>

#include "base/environment.hpp"
#include "base/owned.hpp"
#include "base/process.hpp"
#include "context/context.hpp"
#include "context/lock.hpp"
#include "context/offers.hpp"
#include "context/table.hpp"
#include "context/workspaces.hpp"
#include "pool/pools.hpp"
#include "registry/figures.hpp"

namespace cadastre::internal {

namespace {

// The first context other than one of which look is true; look is called with the context's mutex held.
template <class Look>
cadastre_context first_of_others(cadastre_context except, Look look) noexcept {
  const std::uint32_t used = context_table.used();
  for (std::uint32_t number = 0; number < used; ++number) {
    Slot& slot = context_table.at(number);
    const Locked locked(slot.mutex);
    Context* const context = slot.context;
    if (!context || slot.handle == except) continue;
    const bool found = look(*context);
    unlock_heap(slot);
    if (found) return slot.handle;
  }
  return CADASTRE_NULL_CONTEXT;
}

// Whether a block in no slab begins there that is not borrowed; the heap may be unlocked.
bool has_block_alone_at(const Registry& registry, const void* pointer) noexcept {
  const Entry* const entry = registry.heap().table().find_live(address_of(pointer));
  const std::optional<Record> block = entry ? Table::read(*entry, Kind::live) : std::nullopt;
  return block && !block->borrowed();
}

}  // namespace

cadastre_context holder_of(const void* address, cadastre_context except, Record* block) noexcept {
  return first_of_others(except, [&](const Context& context) {
    const std::optional<Record> found = context.registry().around(address);
    if (found && block) *block = *found;
    return found.has_value();
  });
}

cadastre_context owner_of_loose(const void* pointer, bool& kept) noexcept {
  Record byte;
  byte.pointer = const_cast<void*>(pointer);
  byte.size = 1;
  kept = pools_have(byte);
  const std::uint32_t used = context_table.used();
  for (std::uint32_t number = 0; number < used; ++number) {
    Slot& slot = context_table.at(number);
    if (!slot.context.load(std::memory_order_relaxed)) continue;
    const Locked locked(slot.mutex);
    const Context* const context = slot.context;
    if (!context) continue;
    if (has_block_alone_at(context->registry(), pointer)) return slot.handle;
  }
  return CADASTRE_NULL_CONTEXT;
}

Elsewhere known_elsewhere(const Record& range, cadastre_context except) noexcept {
  Elsewhere known;
  const auto note = [&](Elsewhere::What what, const std::optional<Record>& record) {
    if (record) known = {what, *record};
    return record.has_value();
  };
  first_of_others(except, [&](Context& context) {
    if (note(Elsewhere::has, context.registry().around(range.pointer))) return true;
    if (note(Elsewhere::runs_into, beginning_inside(context.registry(), range))) return true;
    if (known.what == Elsewhere::nothing) note(Elsewhere::had, context.registry().freed_around(range.pointer));
    return false;
  });
  const bool is_live = known.what == Elsewhere::has || known.what == Elsewhere::runs_into;
  if (!is_live && pools_have(range)) note(Elsewhere::keeps, range);
  return known;
}

namespace {

// Calls for each live context of which admit is true, which is called with its mutex held. The context stays alive meanwhile, as for
// a call that has unlocked, and no lock is held. patience: where a thread stays inside of one for that long, that and those behind it are left out: false.
template <class Admit, class Action>
bool for_each_pinned(Admit admit, Action action, std::optional<std::chrono::milliseconds> patience = std::nullopt) noexcept {
  const std::uint32_t used = context_table.used();
  for (std::uint32_t number = 0; number < used; ++number) {
    Slot& slot = context_table.at(number);
    if (!patience) slot.mutex.lock();
    else if (!slot.mutex.lock_until(time_of_clock_in(CLOCK_MONOTONIC, *patience))) return false;
    Context* const context = slot.context;
    if (!context || slot.closing.load(std::memory_order_relaxed) || !admit(*context, slot.handle)) {
      slot.mutex.unlock();
      continue;
    }
    const ContextPin pinned(slot);
    slot.mutex.unlock();
    action(*context, slot);
  }
  return true;
}

auto within(const SharedAccount& account) noexcept {
  return [&account](const Context& context, cadastre_context) { return context.shared().is_within(account); };
}

}  // namespace

// Nobody waits for who has locked a context, since he may be waiting for the caller.
bool give_up_elsewhere(cadastre_context except, bool& in_flight) noexcept {
  bool any = false;
  const auto others = [except](const Context&, cadastre_context handle) { return handle != except; };
  for_each_pinned(others, [&](Context& context, Slot& slot) {
    bool has_any = false;
    while_locked(slot, [&] { has_any = has_idle_workspace(context, std::nullopt); });
    if (!has_any || !may_free_idle_workspaces(context)) return;
    const auto if_free_to_all = [&](auto action) {
      while_locked(slot, [&]() CADASTRE_UNCHECKED {
        const bool free_to_all = slot.owner == 0 || slot.owner == this_thread();
        if (free_to_all && !slot.closing.load(std::memory_order_relaxed)) action();
      });
    };
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      IdleLook look;
      if_free_to_all([&] {
        if (has_idle_workspace(context, type)) look.begin(context, context.workspaces().of(type), IdleLook::Of::all);
      });
      if (!look.any()) continue;
      look.ask(context);
      while_locked(slot, [&] { look.end(in_flight); });
    }
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT;) {
      Owned<Workspace> taken;
      if_free_to_all([&] { taken = take_idle_workspace(context, type); });
      if (!taken) {
        ++type;
        continue;
      }
      any = true;
      free_taken(context, *taken);
      while_locked(slot, [&] { count_taken(context, *taken); });
    }
  });
  return any;
}

void for_each_holder(const SharedAccount& account, cadastre_memory_type type, void* whose, HolderShown shown) noexcept {
  for_each_pinned(within(account), [&](Context& context, Slot& slot) {
    while_locked(slot, [&] {
      shown(whose, context.shared().owner(), figures_of(context.registry(), type).live_bytes, context.notes().count_holders(type));
    });
  });
}

void trim_heaps_elsewhere(cadastre_context except) noexcept {
  const auto others = [except](const Context&, cadastre_context handle) { return handle != except; };
  for_each_pinned(others, [](Context& context, Slot& slot) {
    while_locked(slot, [&] {
      if (!context.registry().heap().is_used()) return;
      context.registry().heap().lock();
      context.registry().heap().trim(Heap::Leave::none);
    });
  });
}

void give_up_caches() noexcept {
  if (!ThreadCache::any_is_out()) return;
  const auto has_one = [](const Context& context, cadastre_context) { return context.cache().is_out(); };
  for_each_pinned(has_one, [](Context&, Slot& slot) { while_locked(slot, [] {}); });
}

bool give_up_caches_for(const Pool& pool, std::size_t bytes) noexcept {
  if (!ThreadCache::any_is_out()) return false;
  const bool may_fit = bytes <= environment().pool_thread_cache, rises = pool.would_raise_mark(bytes);
  if (!may_fit && !rises) return false;
  bool any = false;
  const auto has_one = [&](const Context& context, cadastre_context) {
    const Pool* const cached = context.cache().pool();
    return cached && (rises ? cached->place().type == pool.place().type : cached == &pool);
  };
  for_each_pinned(has_one, [&](Context& context, Slot& slot) {
    while_locked(slot, [&]() CADASTRE_UNCHECKED { offer_cache_again(context, slot); });
    any = true;
  });
  return any;
}

void return_claims_within(const SharedAccount& account) noexcept {
  for_each_pinned(within(account), [](Context& context, Slot& slot) { while_locked(slot, [&] { context.registry().heap().lock(); }); });
}

namespace {

cadastre_statistics_struct figures_of_type_within(const SharedAccount& account, cadastre_memory_type type) noexcept {
  cadastre_statistics_struct sum = cadastre_statistics_struct_zero;
  add_figures(sum, account.departed(type));
  for_each_pinned(within(account), [&](Context& context, Slot& slot) {
    while_locked(slot, [&] { add_figures(sum, figures_of_all(context, type, &context.shared() != &account)); });
  });
  const SharedBytes& bytes = account.of(type);
  sum.high_water_mark_bytes = std::max(bytes.most_live(), sum.live_bytes);
  sum.high_water_mark_blocks = std::max(bytes.most_blocks(), sum.live_blocks);
  return sum;
}

}  // namespace

cadastre_statistics_struct figures_within(const SharedAccount& account, cadastre_memory_type type) noexcept {
  cadastre_statistics_struct sum = cadastre_statistics_struct_zero;
  for_each_type_of(type, [&](cadastre_memory_type each) { add_figures_and_marks(sum, figures_of_type_within(account, each)); });
  sum.limit = account.limit(type);
  return sum;
}

// Of the devices with that number, whichever backend they are of.
cadastre_statistics_struct figures_on_device(const SharedAccount& account, cadastre_memory_type type, std::int32_t device) noexcept {
  cadastre_statistics_struct sum = cadastre_statistics_struct_zero;
  for_each_pinned(within(account), [&](Context& context, Slot& slot) {
    while_locked(slot, [&] {
      const Account* const own = context.registry().accounts().of(type).of(device);
      if (!own) return;
      add_figures_and_marks(sum, own->figures);
    });
  });
  sum.limit = CADASTRE_UNLIMITED;
  return sum;
}

namespace {

// What pools keep, where; those beyond what a machine has are left out.
struct KeptIn {
  std::array<SourceBytes, 256> at;
  std::size_t number = 0;
};

}  // namespace

std::vector<SourceBytes> all_sources() {
  std::vector<SourceBytes> all;
  bool complete = true;
  const auto every = [](const Context&, cadastre_context) { return true; };
  for_each_pinned(every, [&](const Context& context, Slot& slot) {
    while_locked(slot, [&] {
      try {
        const std::vector<SourceBytes> own = bytes_by_source(context);
        all.insert(all.end(), own.begin(), own.end());
      } catch (const std::bad_alloc&) {
        complete = false;
      }
    });
  });
  const auto add_kept = [](void* whose, const Place& place, std::size_t bytes) noexcept {
    KeptIn& kept = *static_cast<KeptIn*>(whose);
    if (place.type != CADASTRE_HOST && kept.number < kept.at.size()) kept.at[kept.number++] = {place, bytes};
  };
  KeptIn kept;
  for_each_kept(add_kept, &kept);
  all.insert(all.end(), kept.at.begin(), kept.at.begin() + static_cast<std::ptrdiff_t>(kept.number));
  if (!complete) throw std::bad_alloc();
  return all;
}

cadastre_registry_info_struct registries_within(const SharedAccount& account) noexcept {
  cadastre_registry_info_struct sum = cadastre_registry_info_struct_zero;
  for_each_pinned(within(account), [&](Context& context, Slot& slot) {
    while_locked(slot, [&] {
      const cadastre_registry_info_struct one = registry_info(context.registry());
      sum.entries += one.entries;
      sum.capacity += one.capacity;
      sum.doublings += one.doublings;
      sum.live_records += one.live_records;
    });
  });
  return sum;
}

cadastre_pool_info_struct pools_within(const SharedAccount& account, cadastre_memory_type type) noexcept {
  give_up_caches();
  cadastre_pool pool = CADASTRE_DEFAULT_POOL;  // the caching one is the last
  for_each_pinned(within(account), [&](const Context& context, Slot&) { pool = std::max(pool, context.sources().pool(type)); });
  return figures_of_pools(account, type, pool);
}

namespace {

void append(Holdings& sum, const Holdings& one, cadastre_context parent) {
  ContextFigures figures{one.context, parent, one.backend, 0, 0};
  for (const cadastre_statistics_struct& of_type : one.figures) {
    figures.live_blocks += of_type.live_blocks;
    figures.live_bytes += of_type.live_bytes;
  }
  sum.contexts.push_back(figures);
  const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  add(sum.largest_blocks, one.largest_blocks);
  add(sum.labels, one.labels);
  sum.blocks += one.blocks;
  add(sum.workspaces, one.workspaces);
  add(sum.leases, one.leases);
  add(sum.failures, one.failures);
  add(sum.sources, one.sources);
  add(sum.plain_frees, one.plain_frees);
  sum.failures_forgotten += one.failures_forgotten;
}

}  // namespace

Holdings holdings_within(const SharedAccount& account, cadastre_context handle) {
  Holdings sum{handle, CADASTRE_DEFAULT_BACKEND, no_device_id, {}, {}, {}, {}, {}, {}, {}, 0};
  bool complete = true;
  for_each_pinned(within(account), [&](const Context& context, Slot& slot) {
    while_locked(slot, [&] {
      try {
        const cadastre_context own = context.shared().owner();
        append(sum, take_holdings(context, own), context.shared().parent()->owner());
        if (own != handle) return;
        sum.backend = context.backend().number();
        sum.device = context.device();
      } catch (const std::bad_alloc&) {
        complete = false;
      }
    });
  });
  if (!complete) throw std::bad_alloc();
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    sum.figures[static_cast<std::size_t>(type)] = figures_within(account, type);
    sum.pools[static_cast<std::size_t>(type)] = pools_within(account, type);
  }
  sum.limit_of_all = account.limit(CADASTRE_ALL_MEMORY_TYPES);
  return sum;
}

// What threads have claimed in advance is returned when it does, and claimed again below the new limit.
void limit_within(SharedAccount& account, cadastre_memory_type type, std::size_t bytes) noexcept {
  account.set_limit(type, bytes);
  for_each_pinned(within(account), [&](Context& context, Slot& slot) {
    while_locked(slot, [&] {
      for_each_type_of(type, [&](cadastre_memory_type each) {
        if (each == CADASTRE_HOST) context.registry().heap().lock();
      });
    });
  });
  for_each_type_of(type, [](cadastre_memory_type each) { keep_within(each, room_to_keep(each)); });
}

cadastre_context leaf_below(cadastre_context handle) noexcept {
  cadastre_context found = CADASTRE_NULL_CONTEXT;
  const auto is_leaf = [&](const Context& context, cadastre_context own) {
    if (found != CADASTRE_NULL_CONTEXT || own == handle || context.shared().children() > 0) return false;
    const SharedAccount* above = context.shared().parent();
    while (above && above->owner() != handle) above = above->parent();
    return above != nullptr;
  };
  for_each_pinned(is_leaf, [&](const Context& context, Slot&) { found = context.shared().owner(); });
  return found;
}

namespace {

// Calls with a context whose lock and heap are locked, if one lives there; false where a thread stays inside of it for that long.
template <class Action>
bool look_into(Slot& slot, std::chrono::milliseconds patience, Action action) noexcept {
  if (!slot.mutex.lock_until(time_of_clock_in(CLOCK_MONOTONIC, patience))) return false;
  Context* const context = slot.closing ? nullptr : slot.context.load();
  const bool is_entered = context && context->registry().heap().lock(std::chrono::steady_clock::now() + patience);
  if (is_entered) context->cache().give_up();
  if (is_entered) action(*context, slot.handle);
  if (context) unlock_heap(slot);
  slot.mutex.unlock();
  return is_entered || !context;
}

constexpr std::chrono::milliseconds patience_with_others(100);

// With each in turn, up to one that a thread stays inside of for a tenth of a second: false.
template <class Action>
bool for_each_entered(Action action) noexcept {
  const std::uint32_t used = context_table.used();
  bool are_all = true;
  for (std::uint32_t number = 0; are_all && number < used; ++number)
    are_all = look_into(context_table.at(number), patience_with_others, action);
  return are_all;
}

}  // namespace

bool for_each_label_share(void* whose, ShareShown shown) noexcept {
  return for_each_entered([&](const Context& context, cadastre_context) { show_label_shares(context.registry(), whose, shown); });
}

namespace {

// Bytes of DEVICE memory that a context has there. Numbers of devices are those of their backends: where it has memory of several, its blocks say whose it is.
std::size_t live_on_device(Context& context, cadastre_backend backend, std::int32_t device) noexcept {
  std::size_t live = 0;
  if ((context.sources().devices_of_others() & bit_of(device)) != 0) {
    context.registry().for_each_alone([&](const Record& block) {
      const bool is_there = block.type == CADASTRE_DEVICE && block.backend == backend && block.device == device;
      if (is_there && !block.borrowed()) live += block.size;
    });
  } else if (context.backend().number() == backend) {
    const Account* const account = context.registry().accounts().of(CADASTRE_DEVICE).of(device);
    if (account) live = account->figures.live_bytes;
  }
  return live;
}

std::size_t live_on_device(cadastre_backend backend, std::int32_t device) noexcept {
  std::size_t live = 0;
  for_each_entered([&](Context& context, cadastre_context) { live += live_on_device(context, backend, device); });
  return live;
}

}  // namespace

namespace {

using Devices = std::uint64_t;  // a bit for each

// Devices of a context's backend that it has memory of, or may have.
Devices devices_in_use(const Context& context) noexcept {
  const auto used = [&](cadastre_memory_type type) { return context.shared().of(type).live() + context.shared().of(type).kept(); };
  if (used(CADASTRE_DEVICE) + used(CADASTRE_UVM) == 0) return 0;
  return context.sources().devices_in_use() | bit_of(context.sources().device());
}

void show_devices(Backend& backend, Devices devices, void* whose, DeviceShown shown) noexcept {
  for (; devices != 0; devices &= devices - 1) {
    const std::int32_t device = std::countr_zero(devices);
    DeviceMemory memory{};
    if (backend.memory_of(device, memory) != CADASTRE_SUCCESS) continue;
    shown(whose, {backend.number(), device, memory.total, memory.free, live_on_device(backend.number(), device)});
  }
}

}  // namespace

// No context is kept for a backend that stays, so none waits for a vendor that says nothing. That of the program's own may be the context's, and go with it.
bool for_each_device_in_use(void* whose, DeviceShown shown) noexcept {
  std::array<Devices, CADASTRE_FIRST_REGISTERED_BACKEND> of_lasting{};
  const auto is_to_be_kept = [&](const Context& context, cadastre_context) {
    const Devices devices = devices_in_use(context);
    const cadastre_backend backend = context.sources().backend().number();
    if (is_registrable(backend)) return devices != 0;
    of_lasting[static_cast<std::size_t>(backend)] |= devices;
    return false;
  };
  const auto show = [&](Context& context, Slot&) { show_devices(context.sources().backend(), devices_in_use(context), whose, shown); };
  const bool are_all = for_each_pinned(is_to_be_kept, show, patience_with_others);
  for (cadastre_backend backend = 0; backend < CADASTRE_FIRST_REGISTERED_BACKEND; ++backend) {
    const Devices devices = of_lasting[static_cast<std::size_t>(backend)];
    if (devices != 0) show_devices(*find_backend(backend), devices, whose, shown);
  }
  return are_all;
}

void for_each_context(Shown shown) noexcept {
  constexpr std::chrono::seconds patience(1);
  const std::uint32_t used = context_table.used();
  for (std::uint32_t number = 0; number < used; ++number) {
    bool is_there = false;
    std::optional<Holdings> holdings;  // none when the host has no memory for it
    look_into(context_table.at(number), patience, [&](Context& context, cadastre_context handle) {
      is_there = true;
      holdings = holdings_of(context, handle);
    });
    if (is_there) shown(holdings ? &*holdings : nullptr);
  }
}

bool others_live() noexcept { return context_table.contexts.load(std::memory_order_relaxed) > 1; }

}  // namespace cadastre::internal
