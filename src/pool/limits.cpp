// Tangled from org/pool/limits.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/limits.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>

#include "base/capacity.hpp"
#include "base/ranks.hpp"
#include "base/text.hpp"

namespace cadastre::internal {
namespace {

template <class Fact>
class Facts {
 public:
  template <class Is>
  const Fact* find(Is is) const noexcept {
    const Node* node = newest_.load(std::memory_order_acquire);
    while (node && !is(node->fact)) node = node->older;
    return node ? &node->fact : nullptr;
  }
  const Fact& add(const Fact& fact) {
    Node* const node = std::make_unique<Node>(Node{fact, newest_.load(std::memory_order_relaxed)}).release();
    while (!newest_.compare_exchange_weak(node->older, node, std::memory_order_acq_rel)) continue;
    return node->fact;
  }

 private:
  struct Node {
    Fact fact;
    Node* older;
  };
  std::atomic<Node*> newest_ = nullptr;
};

struct Limit {
  bool of_process;
  cadastre_memory_type type;
  LimitValue value;

  bool is_of_device() const noexcept { return type == CADASTRE_DEVICE || type == CADASTRE_UVM; }
  bool is_of_all() const noexcept { return type == CADASTRE_ALL_MEMORY_TYPES; }
  // Whether a context, or its device, says what it comes to.
  bool asks_where() const noexcept { return (is_of_device() || is_of_all()) && !value.is_plain(); }
};

// As it is written in the environment.
Text as_written(const Limit& limit) noexcept {
  const Text amount = limit.value.percent > 0 ? text("%zu%%", limit.value.percent) : text("%zu", limit.value.bytes);
  return text("CADASTRE_LIMIT=%s%s=%s%s", limit.of_process ? "process:" : "", cadastre_string_of_memory_type(limit.type), amount.characters,
              limit.value.per_rank ? "/ranks" : "");
}

cadastre_exit_code unknown(const Limit& limit, const Text& why) noexcept {
  return fail({.exit_code = CADASTRE_INVALID_ENVIRONMENT,
               .reason = CADASTRE_REASON_INVALID_ENVIRONMENT,
               .type = limit.type,
               .detail = text("%s: %s", as_written(limit).characters, why.characters)});
}

// Where a context is.
struct Site {
  Backend* backend = nullptr;
  std::int32_t device = no_device_id;

  bool has_device() const noexcept { return backend && device >= 0; }
  bool has(cadastre_memory_type type) const noexcept { return has_device() && backend->serves(type); }
  bool is_of(const auto& fact) const noexcept { return fact.backend == backend->number() && fact.device == device; }
};

// A share of all is known where a context is, with a device or without.
bool is_known_at(const Limit& limit, const Site& site) noexcept {
  return !limit.asks_where() || (limit.is_of_all() ? site.backend != nullptr : site.has(limit.type));
}

struct DeviceFact {
  cadastre_backend backend;
  std::int32_t device;
  DeviceDescription description;
};

constinit Facts<DeviceFact> devices;
constinit Facts<HostCapacity> hosts;

const HostCapacity& host() {
  const HostCapacity* const known = hosts.find([](const HostCapacity&) { return true; });
  return known ? *known : hosts.add(host_capacity());
}

cadastre_exit_code describe(const Site& site, DeviceDescription& description) {
  const DeviceFact* const known = devices.find([&](const DeviceFact& fact) { return site.is_of(fact); });
  if (known) {
    description = known->description;
    return CADASTRE_SUCCESS;
  }
  const cadastre_exit_code code = site.backend->describe(site.device, description);
  if (code == CADASTRE_SUCCESS) devices.add({site.backend->number(), site.device, description});
  return code;
}

Text name_of(const Site& site) noexcept {
  return text("device %d of the %s backend", site.device, cadastre_string_of_backend(site.backend->number()));
}

// Bytes, and a text that says what they are.
struct Amount {
  std::size_t bytes;
  Text why;
};

cadastre_exit_code whole_of_host(const Limit& limit, Amount& amount) {
  const HostCapacity& capacity = host();
  if (capacity.bytes == 0) return unknown(limit, text("how much memory the host offers is unknown (%s); give bytes", capacity.doubt));
  amount = {capacity.bytes, capacity.why};
  return CADASTRE_SUCCESS;
}

cadastre_exit_code whole_of_device(const Limit& limit, const Site& site, Amount& amount) {
  DeviceDescription description{};
  const cadastre_exit_code code = describe(site, description);
  if (code != CADASTRE_SUCCESS) return code;
  if (description.total == 0) return unknown(limit, text("%s does not report its memory; give bytes", name_of(site).characters));
  if (limit.is_of_all() && !description.integrated) {
    return unknown(limit, text("%s has memory of its own beside the host's; give bytes", name_of(site).characters));
  }
  amount = {description.total, text("%s, the memory of %s", bytes_text(description.total).characters, name_of(site).characters)};
  return CADASTRE_SUCCESS;
}

// Of all types the smaller of both, which are the same memory.
cadastre_exit_code whole(const Limit& limit, const Site& site, Amount& amount) {
  const bool of_device = limit.is_of_device() || (limit.is_of_all() && site.has_device());
  if (!of_device) return whole_of_host(limit, amount);
  const cadastre_exit_code code = whole_of_device(limit, site, amount);
  if (code != CADASTRE_SUCCESS || !limit.is_of_all() || host().bytes == 0 || host().bytes >= amount.bytes) return code;
  return whole_of_host(limit, amount);
}

constexpr std::chrono::seconds patience(10);

struct RanksFact {
  cadastre_backend backend;
  std::int32_t device;
  RanksOnDevice ranks;
};

constinit Facts<RanksFact> counted;

RanksOnDevice count_ranks(const Site& site, const DeviceDescription& description) {
  static constinit std::atomic<bool> leaves = false;
  const RankIdentity& me = environment().ranks;
  if (me.given == 0 && !description.uuid[0]) {
    return {0, text("%s reports no identifier, by which other processes could know it", name_of(site).characters)};
  }
  if (me.given == 0 && !leaves.exchange(true)) std::atexit(leave_ranks);
  return ranks_on_device(me, description.uuid, patience);
}

cadastre_exit_code divide(const Limit& limit, const Site& site, Amount& amount) {
  if (!site.has_device()) return unknown(limit, text("there is no device whose processes could be counted; give bytes without /ranks"));
  const RanksFact* known = counted.find([&](const RanksFact& fact) { return site.is_of(fact); });
  if (!known) {
    DeviceDescription description{};
    const cadastre_exit_code code = environment().ranks.given > 0 ? CADASTRE_SUCCESS : describe(site, description);
    if (code != CADASTRE_SUCCESS) return code;
    const RanksOnDevice ranks = count_ranks(site, description);
    if (ranks.count == 0) return unknown(limit, text("%s; set CADASTRE_RANKS_PER_DEVICE", ranks.why.characters));
    known = &counted.add({site.backend->number(), site.device, ranks});
  }
  amount.bytes /= static_cast<std::size_t>(known->ranks.count);
  amount.why = text("%s; divided by %d, %s", amount.why.characters, known->ranks.count, known->ranks.why.characters);
  return CADASTRE_SUCCESS;
}

struct Shown {
  bool of_process;
  cadastre_memory_type type;
  std::string text;
};

constinit Facts<Shown> shown;
constinit Facts<std::string> shown_together;

const Shown* shown_of(bool of_process, cadastre_memory_type type) noexcept {
  return shown.find([=](const Shown& one) { return one.of_process == of_process && one.type == type; });
}

std::string all_shown() {
  std::string all;
  for (const bool of_process : {true, false}) {
    for (const cadastre_memory_type type : limited_types) {
      const Shown* const one = shown_of(of_process, type);
      if (one) all += (all.empty() ? "" : "; ") + one->text;
    }
  }
  return all;
}

void show(const Limit& limit, const Amount& amount) {
  if (shown_of(limit.of_process, limit.type)) return;
  shown.add({limit.of_process, limit.type,
             std::string(limit.of_process ? "process:" : "") + cadastre_string_of_memory_type(limit.type) + " is " +
                 bytes_text(amount.bytes).characters + ": " + amount.why.characters});
  // Another thread that adds one meanwhile may have noted less than what is there by now.
  for (std::string all; all != all_shown();) {
    all = all_shown();
    note_resolved("CADASTRE_LIMIT", shown_together.add(all).c_str());
  }
}

// The bytes that a limit allows; CADASTRE_UNLIMITED where it is of a device, and there is none.
cadastre_exit_code resolve(const Limit& limit, const Site& site, std::size_t& bytes) {
  bytes = limit.value.bytes;
  if (limit.value.is_plain()) return CADASTRE_SUCCESS;
  if (!is_known_at(limit, site)) {
    bytes = CADASTRE_UNLIMITED;
    return CADASTRE_SUCCESS;
  }
  Amount amount{limit.value.bytes, bytes_text(limit.value.bytes).characters};
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (limit.value.percent > 0) {
    code = whole(limit, site, amount);
    if (code != CADASTRE_SUCCESS) return code;
    amount.bytes = amount.bytes / 100 * limit.value.percent + amount.bytes % 100 * limit.value.percent / 100;
    amount.why = text("%zu%% of %s", limit.value.percent, amount.why.characters);
  }
  if (limit.value.per_rank) code = divide(limit, site, amount);
  if (code != CADASTRE_SUCCESS) return code;
  show(limit, amount);
  bytes = amount.bytes;
  return code;
}

// Limits of the process; a value that no limit has stands for one that nobody has set.
constexpr std::size_t set_by_nobody = CADASTRE_LIMIT_NOTHING;
constinit PerLimit<std::atomic<std::size_t>> wanted = {{set_by_nobody, set_by_nobody, set_by_nobody, set_by_nobody, set_by_nobody}};

struct FirstDevice {
  cadastre_backend backend;
  std::int32_t device;
};
constinit Facts<FirstDevice> first_device;

const FirstDevice* find_first_device() noexcept {
  return first_device.find([](const FirstDevice&) { return true; });
}

Limit limit_of_process(cadastre_memory_type type) { return {true, type, environment().process_limits[type]}; }

std::atomic<std::size_t>& wanted_of(cadastre_memory_type type) noexcept { return wanted[type]; }

void carry_out(cadastre_memory_type type, ProcessLimitChanged changed) {
  std::size_t bytes = wanted_of(type);
  for (std::size_t carried_out = ~bytes; carried_out != bytes; bytes = wanted_of(type)) {
    changed(type, bytes == set_by_nobody ? CADASTRE_UNLIMITED : bytes);
    carried_out = bytes;
  }
}

}  // namespace

cadastre_exit_code default_limit(Backend& backend, std::int32_t device, cadastre_memory_type type, std::size_t& bytes) {
  const Limit limit{false, type, environment().limits[type]};
  return resolve(limit, {&backend, device}, bytes);
}

cadastre_exit_code start_process_limits(Backend& backend, std::int32_t device, ProcessLimitChanged changed) {
  for (const cadastre_memory_type type : limited_types) {
    const Limit limit = limit_of_process(type);
    const Site site{&backend, device};
    if (limit.value.is_unlimited() || wanted_of(type) != set_by_nobody || !is_known_at(limit, site)) continue;
    std::size_t bytes = CADASTRE_UNLIMITED, nobody = set_by_nobody;
    const cadastre_exit_code code = resolve(limit, site, bytes);
    if (code != CADASTRE_SUCCESS) return code;
    if (limit.asks_where() && site.has_device() && !find_first_device()) first_device.add({backend.number(), device});
    if (wanted_of(type).compare_exchange_strong(nobody, bytes)) carry_out(type, changed);
  }
  return CADASTRE_SUCCESS;
}

void set_process_limit(cadastre_memory_type type, std::size_t bytes, ProcessLimitChanged changed) {
  wanted_of(type) = bytes;
  carry_out(type, changed);
}

cadastre_exit_code reset_process_limit(cadastre_memory_type type, ProcessLimitChanged changed) {
  const Limit limit = limit_of_process(type);
  const FirstDevice* const first = find_first_device();
  const Site site = first ? Site{find_backend(first->backend), first->device} : Site{};
  std::size_t bytes = set_by_nobody;
  if (is_known_at(limit, site)) {
    const cadastre_exit_code code = resolve(limit, site, bytes);
    if (code != CADASTRE_SUCCESS) return code;
  }
  set_process_limit(type, bytes, changed);
  return CADASTRE_SUCCESS;
}

}  // namespace cadastre::internal
