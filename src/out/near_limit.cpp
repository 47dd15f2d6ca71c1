// Tangled from org/out/near_limit.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/near_limit.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <tuple>

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

// Of a clock that nobody sets.
std::int64_t now() noexcept { return clock_of(CLOCK_MONOTONIC); }

struct NotedLimit {
  cadastre_context owner = CADASTRE_NULL_CONTEXT;
  cadastre_memory_type type = -1;
  std::uint64_t used = 0, limit = 0;
};

// For one of them; who comes while another thread writes or reads it takes another place.
class PlaceOfNote {
 public:
  // False where it has another limit.
  bool write(const NotedLimit& note) noexcept {
    const bool was_free = take(free);
    if (!was_free && !take(written)) return false;
    const bool is_its = was_free || (note_.owner == note.owner && note_.type == note.type);
    if (is_its) note_ = note;
    state_.store(written, std::memory_order_release);
    return is_its;
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
constinit std::atomic<std::size_t> limits_known = 0;  // that have a row

LimitOfAccount* known_limit(cadastre_context owner, cadastre_memory_type type) noexcept {
  LimitOfAccount* const end = limits_of_accounts.data() + limits_known.load(std::memory_order_acquire);
  LimitOfAccount* const known =
      std::find_if(limits_of_accounts.data(), end, [&](const LimitOfAccount& one) { return one.is_of(owner, type); });
  return known != end ? known : nullptr;
}

// For a limit that has none; null where there is none for it.
LimitOfAccount* take_row() noexcept {
  const std::size_t known = limits_known.load(std::memory_order_relaxed);
  if (known < most_limits) return &limits_of_accounts[known];
  const auto oldest = std::min_element(limits_of_accounts.begin(), limits_of_accounts.end(),
                                       [](const auto& a, const auto& b) { return a.approach.last() < b.approach.last(); });
  return oldest->approach.was_reported_lately(now()) ? nullptr : &*oldest;
}

LimitOfAccount* row_of(const NotedLimit& noted) noexcept {
  if (LimitOfAccount* const known = known_limit(noted.owner, noted.type)) return known;
  LimitOfAccount* const row = take_row();
  if (!row) return nullptr;
  row->owner = noted.owner;
  row->type = noted.type;
  row->approach.begin_anew();
  if (row == limits_of_accounts.data() + limits_known) ++limits_known;
  return row;
}

void show_limit(const NotedLimit& noted, LimitUseShown shown) noexcept {
  LimitOfAccount* const known = row_of(noted);
  if (!known || !known->approach.is_nearer(noted.used, noted.limit, percent, now)) return;
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
  const LimitOfAccount* const known = known_limit(account.owner(), type);
  const Approach& approach = known ? known->approach : not_begun;
  if (!approach.is_due(used, limit, percent.load(std::memory_order_relaxed), now)) return false;
  const NotedLimit note{account.owner(), type, used, limit};
  return std::any_of(noted_limits.begin(), noted_limits.end(), [&](PlaceOfNote& place) { return place.write(note); });
}

// What this process has grown or shrunk to before something is looked at that others use, too.
class NextLook {
 public:
  bool is_due(std::uint64_t own) const noexcept {
    return own > above_.load(std::memory_order_relaxed) || own < below_.load(std::memory_order_relaxed);
  }
  void want() noexcept { above_.store(0, std::memory_order_relaxed); }
  // One that may find nothing.
  void begin(std::uint64_t own) noexcept {
    has_found_ = false;
    above_.store(UINT64_MAX, std::memory_order_relaxed);
    below_.store(own - own / 2, std::memory_order_relaxed);
  }
  // After one that has found so much used; the nearest of several.
  void set(std::uint64_t own, std::uint64_t used, std::uint64_t limit) noexcept {
    const std::uint64_t near = limit / 100 * percent_of_steps();
    const std::uint64_t step = std::max((near - std::min(near, used)) / 4, limit / 512);
    above_.store(std::min(above_.load(std::memory_order_relaxed), own + step), std::memory_order_relaxed);
    const std::uint64_t below = own - std::min(own, limit / 20);
    below_.store(has_found_ ? std::max(below_.load(std::memory_order_relaxed), below) : below, std::memory_order_relaxed);
    has_found_ = true;
  }

 private:
  std::atomic<std::uint64_t> above_ = 0, below_ = 0;
  bool has_found_ = false;  // since it was begun
};

constinit NextLook next_look_at_host, next_look_at_devices;
constinit std::array<Approach, std::tuple_size_v<HostUses>> approaches_of_host;

constinit std::int64_t last_look_at_host = 0;
constinit HostLook host_look{};  // not on the stack of a thread of the program's

bool is_near(Approach& approach, const LimitUse& use) noexcept {
  const unsigned share = percent.load(std::memory_order_relaxed);
  return share > 0 && approach.is_nearer(use.used, use.limit, share, now);
}

void look_at_host(LimitUseShown shown) noexcept {
  const std::uint64_t own = bytes_in_use().used;
  const std::uint64_t live = process_account().of(CADASTRE_HOST).live() + process_account().of(CADASTRE_PINNED).live();
  const HostCapacity& capacity = host_capacity(host_look);
  const HostUses all = uses_of_host(capacity);
  const auto nearest = std::max_element(all.begin(), all.end(), [](const HostUse& a, const HostUse& b) { return a.share() < b.share(); });
  last_look_at_host = now();
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
  return now() - last_look_at_host > most_old;
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

// What backends have said.
struct DevicesFound {
  std::uint64_t own = 0;  // bytes of this process then, on all devices
  std::array<DeviceInUse, most_devices> devices;
  std::size_t number = 0;

  void add(const DeviceInUse& device) noexcept {
    if (number < devices.size()) devices[number++] = device;
  }
};
constinit DevicesFound devices_found{};  // by who asks
constinit std::atomic<bool> devices_are_asked_for = false;
constinit std::atomic<std::int64_t> not_asked_before = 0;  // since a thread stayed inside a context, and was waited for

void show_device(const DeviceInUse& device, LimitUseShown shown) noexcept {
  LimitOfDevice* const known = device.total > 0 ? limit_of(device) : nullptr;
  if (!known) return;
  LimitUse use{.place = static_cast<std::size_t>(known - limits_of_devices.data()) + 1,
               .used = device.total - std::min(device.total, device.free),
               .limit = device.total,
               .live = device.live};
  next_look_at_devices.set(devices_found.own, use.used, use.limit);
  use.is_near = is_near(known->approach, use);
  std::snprintf(use.of, sizeof use.of, "%s, the memory of %s device %d", bytes_text(use.limit).characters,
                cadastre_string_of_backend(device.backend), static_cast<int>(device.device));
  shown(use);
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
  const bool is_all = what == LookAt::all, is_old = what == LookAt::host && is_look_at_host_old();
  if (is_all || is_old || next_look_at_host.is_due(bytes_in_use().used)) look_at_host(shown);
}

LookAtDevices::LookAtDevices(LookAt what) noexcept {
  const std::uint64_t own = bytes_in_use().on_devices;
  if (what != LookAt::all && !next_look_at_devices.is_due(own)) return;
  if (now() < not_asked_before.load(std::memory_order_relaxed)) return;
  if (devices_are_asked_for.exchange(true, std::memory_order_acquire)) return;
  has_asked_ = true;
  next_look_at_devices.begin(own);
  devices_found.own = own;
  devices_found.number = 0;
  const FailuresKept kept;
  const auto add = [](void* found, const DeviceInUse& device) noexcept { static_cast<DevicesFound*>(found)->add(device); };
  const std::int64_t before = now();
  if (own == 0 || for_each_device_in_use(&devices_found, add)) return;
  is_to_ask_again_ = true;
  not_asked_before.store(now() + 20 * (now() - before), std::memory_order_relaxed);
}

bool LookAtDevices::has_any() const noexcept { return has_asked_ && devices_found.number > 0; }

void LookAtDevices::show(LimitUseShown shown) noexcept {
  for (std::size_t i = 0; i < devices_found.number; ++i) show_device(devices_found.devices[i], shown);
  is_shown_ = true;
}

LookAtDevices::~LookAtDevices() {
  if (!has_asked_) return;
  if (is_to_ask_again_ || (has_any() && !is_shown_)) next_look_at_devices.want();
  devices_are_asked_for.store(false, std::memory_order_release);
}

const HostCapacity& capacity_seen() noexcept { return host_look.capacity; }

}  // namespace cadastre::internal
