// Tangled from org/out/near_limit.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/near_limit.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <tuple>

#include "base/capacity.hpp"
#include "base/error.hpp"
#include "base/process.hpp"
#include "context/all_contexts.hpp"

namespace cadastre::internal {
namespace {

constinit std::atomic<unsigned> percent = 0;  // 0: nothing is near

unsigned percent_of_steps() noexcept {
  constexpr unsigned usual = 90;
  const unsigned share = percent.load(std::memory_order_relaxed);
  return share > 0 ? share : usual;
}

struct NotedLimit {
  cadastre_context owner = CADASTRE_NULL_CONTEXT;
  cadastre_memory_type type = -1;
  std::uint64_t used = 0, limit = 0;
};

// For one of them; who comes while another thread writes or reads it leaves it alone, and comes again.
class PlaceOfNote {
 public:
  void write(const NotedLimit& note) noexcept {
    if (!take(free) && !take(written)) return;
    note_ = note;
    state_.store(written, std::memory_order_release);
  }
  std::optional<NotedLimit> read() noexcept {
    if (state_.load(std::memory_order_relaxed) != written || !take(written)) return std::nullopt;
    const NotedLimit note = note_;
    state_.store(free, std::memory_order_release);
    return note;
  }

 private:
  enum State : int { free, taken, written };
  bool take(int from) noexcept { return state_.compare_exchange_strong(from, taken, std::memory_order_acquire); }

  std::atomic<int> state_ = free;
  NotedLimit note_;
};

struct LimitOfAccount {
  std::atomic<cadastre_context> owner = CADASTRE_NULL_CONTEXT;
  std::atomic<cadastre_memory_type> type = -1;
  Approach approach;

  bool is_of(cadastre_context other, cadastre_memory_type other_type) const noexcept {
    return owner.load(std::memory_order_relaxed) == other && type.load(std::memory_order_relaxed) == other_type;
  }
};

constinit const Approach not_begun;
constexpr std::size_t most_limits = 64;  // of accounts, that are looked at together
constinit std::array<PlaceOfNote, most_limits> noted_limits;
constinit std::array<LimitOfAccount, most_limits> limits_of_accounts;

std::size_t place_of(cadastre_context owner, cadastre_memory_type type) noexcept {
  return (static_cast<std::size_t>(owner) * (CADASTRE_MEMORY_TYPE_COUNT + 1) + static_cast<std::size_t>(type)) % most_limits;
}

void show_limit(const NotedLimit& noted, LimitUseShown shown) noexcept {
  LimitOfAccount& known = limits_of_accounts[place_of(noted.owner, noted.type)];
  if (!known.is_of(noted.owner, noted.type)) {
    if (known.approach.was_reported_lately(time_now())) return;
    known.owner = noted.owner;
    known.type = noted.type;
    known.approach.begin_anew();
  }
  if (!known.approach.is_nearer(noted.used, noted.limit, percent, time_now)) return;
  LimitUse use{.used = noted.used, .limit = noted.limit, .live = noted.used, .is_near = true};
  const bool is_all = noted.type == CADASTRE_ALL_MEMORY_TYPES;
  const char* const memory = is_all ? "all" : cadastre_string_of_memory_type(noted.type);
  const Text whose = noted.owner == CADASTRE_PROCESS ? Text("the process") : text("context %lld", static_cast<long long>(noted.owner));
  std::snprintf(use.of, sizeof use.of, "%s, the limit of %s memory of %s", bytes_text(noted.limit).characters, memory, whose.characters);
  shown(use);
}

bool look_at(const SharedAccount& account, cadastre_memory_type type, std::uint64_t used) noexcept {
  const std::size_t limit = account.limit(type);
  if (limit == CADASTRE_UNLIMITED || limit == 0) return false;
  const LimitOfAccount& known = limits_of_accounts[place_of(account.owner(), type)];
  const Approach& approach = known.is_of(account.owner(), type) ? known.approach : not_begun;
  if (!approach.is_due(used, limit, percent.load(std::memory_order_relaxed), time_now)) return false;
  noted_limits[place_of(account.owner(), type)].write({account.owner(), type, used, limit});
  return true;
}

// What this process has grown or shrunk to before something is looked at that others use, too.
class NextLook {
 public:
  bool is_due(std::uint64_t own) const noexcept {
    return own > above_.load(std::memory_order_relaxed) || own < below_.load(std::memory_order_relaxed);
  }
  void begin(std::uint64_t own) noexcept {
    above_.store(UINT64_MAX, std::memory_order_relaxed);
    below_.store(own - own / 2, std::memory_order_relaxed);
  }
  // After one that has found so much used; the nearest of several.
  void set(std::uint64_t own, std::uint64_t used, std::uint64_t limit) noexcept {
    const std::uint64_t near = limit / 100 * percent_of_steps();
    const std::uint64_t step = std::max((near - std::min(near, used)) / 4, limit / 512);
    above_.store(std::min(above_.load(std::memory_order_relaxed), own + step), std::memory_order_relaxed);
    below_.store(std::max(below_.load(std::memory_order_relaxed), own - std::min(own, limit / 20)), std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> above_ = 0, below_ = 0;
};

constinit NextLook next_look_at_host, next_look_at_devices;
constinit std::array<Approach, std::tuple_size_v<HostUses>> approaches_of_host;

constinit std::int64_t last_look_at_host = 0;  // nanoseconds since 1970
constinit HostLook host_look{};                // not on the stack of a thread of the program's

bool is_near(Approach& approach, const LimitUse& use) noexcept {
  const unsigned share = percent.load(std::memory_order_relaxed);
  return share > 0 && approach.is_nearer(use.used, use.limit, share, time_now);
}

void look_at_host(LimitUseShown shown) noexcept {
  const std::uint64_t own = bytes_in_use().used;
  const std::uint64_t live = process_account().of(CADASTRE_HOST).live() + process_account().of(CADASTRE_PINNED).live();
  const HostCapacity& capacity = host_capacity(host_look);
  const HostUses all = uses_of_host(capacity);
  const auto nearest = std::max_element(all.begin(), all.end(), [](const HostUse& a, const HostUse& b) { return a.share() < b.share(); });
  last_look_at_host = time_now();
  next_look_at_host.begin(own);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].limit == 0) continue;
    next_look_at_host.set(own, all[i].used, all[i].limit);
    LimitUse use{.place = LimitUse::host, .used = all[i].used, .limit = all[i].limit, .live = live};
    use.is_near = is_near(approaches_of_host[i], use);
    std::snprintf(use.of, sizeof use.of, "%s", text_of(all[i].of, all[i].limit, capacity).characters);
    if (use.is_near || &all[i] == &*nearest) shown(use);
  }
}

bool is_look_at_host_old() noexcept {
  constexpr std::int64_t most_old = 1'000'000'000;
  return time_now() - last_look_at_host > most_old;
}

struct LimitOfDevice {
  cadastre_backend backend = -1;
  std::int32_t device = no_device_id;
  Approach approach;
};

constexpr std::size_t most_devices = 64;
constinit std::array<LimitOfDevice, most_devices> limits_of_devices;

LimitOfDevice* limit_of(const DeviceInUse& device) noexcept {
  for (LimitOfDevice& one : limits_of_devices) {
    if (one.backend < 0) {
      one.backend = device.backend;
      one.device = device.device;
    }
    if (one.backend == device.backend && one.device == device.device) return &one;
  }
  return nullptr;
}

struct LookAtDevices {
  std::uint64_t own;
  LimitUseShown shown;
};

void look_at_device(void* whose, const DeviceInUse& device) noexcept {
  const LookAtDevices& look = *static_cast<LookAtDevices*>(whose);
  LimitOfDevice* const known = device.total > 0 ? limit_of(device) : nullptr;
  if (!known) return;
  LimitUse use{.place = static_cast<std::size_t>(known - limits_of_devices.data()) + 1,
               .used = device.total - std::min(device.total, device.free),
               .limit = device.total,
               .live = device.live};
  next_look_at_devices.set(look.own, use.used, use.limit);
  use.is_near = is_near(known->approach, use);
  std::snprintf(use.of, sizeof use.of, "%s, the memory of %s device %d", bytes_text(use.limit).characters,
                cadastre_string_of_backend(device.backend), static_cast<int>(device.device));
  look.shown(use);
}

}  // namespace

void watch_limits(unsigned share) noexcept { percent = share; }

BytesInUse bytes_in_use() noexcept {
  BytesInUse sum;
  const SharedAccount& all = process_account();
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const std::uint64_t live = all.of(type).live(), used = live + all.of(type).kept();
    sum.live += live;
    sum.used += used;
    if (type == CADASTRE_DEVICE || type == CADASTRE_UVM) sum.on_devices += used;
  }
  return sum;
}

bool look_at_limits(const SharedAccount& account, cadastre_memory_type type, const BytesInUse& now) noexcept {
  bool is_due = next_look_at_host.is_due(now.used) || next_look_at_devices.is_due(now.on_devices);
  if (percent.load(std::memory_order_relaxed) == 0) return is_due;
  for (const SharedAccount* each = &account; each; each = each->parent()) {
    if (is_memory_type(type) && look_at(*each, type, each->of(type).live())) is_due = true;
    if (each->limits_all_together() && look_at(*each, CADASTRE_ALL_MEMORY_TYPES, each->live(CADASTRE_ALL_MEMORY_TYPES))) is_due = true;
  }
  return is_due;
}

void look_again(LookAt what, LimitUseShown shown) noexcept {
  for (PlaceOfNote& place : noted_limits) {
    if (const std::optional<NotedLimit> noted = place.read()) show_limit(*noted, shown);
  }
  const BytesInUse now = bytes_in_use();
  const bool is_all = what == LookAt::all, is_old = what == LookAt::host && is_look_at_host_old();
  if (is_all || is_old || next_look_at_host.is_due(now.used)) look_at_host(shown);
  if (!is_all && !next_look_at_devices.is_due(now.on_devices)) return;
  next_look_at_devices.begin(now.on_devices);
  LookAtDevices look{now.on_devices, shown};
  if (now.on_devices > 0) for_each_device_in_use(&look, look_at_device);
}

}  // namespace cadastre::internal
