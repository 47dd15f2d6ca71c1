// Tangled from org/base/accounting.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/accounting.hpp"

namespace cadastre::internal {

constinit Mutex<Rank::accounting> SharedAccount::mutex;

namespace {

constinit SharedAccount root(CADASTRE_PROCESS);

}  // namespace

SharedAccount& process_account() noexcept { return root; }

bool SharedAccount::is_within(const SharedAccount& other) const noexcept {
  const SharedAccount* each = this;
  while (each && each != &other) each = each->parent_;
  return each != nullptr;
}

bool SharedAccount::are_scarce_upwards(cadastre_memory_type type) const noexcept {
  for (const SharedAccount* each = this; each; each = each->parent_) {
    if (each->of(type).are_scarce()) return true;
  }
  return false;
}

bool SharedAccount::accepts_children() const noexcept {
  const SharedAccount* each = this;
  while (each && each->closed_.load(std::memory_order_relaxed) == 0) each = each->parent_;
  return each == nullptr;
}

void SharedAccount::renew() noexcept {
  of(CADASTRE_HOST).renew();
  parent_ = nullptr;
  out_of_memory.store(nullptr, std::memory_order_relaxed);
  set_owner(CADASTRE_NULL_CONTEXT);
  closed_.store(0, std::memory_order_relaxed);
  if (!had_children()) return;
  for (SharedBytes& bytes : bytes_) bytes.renew();
  had_children_.store(false, std::memory_order_relaxed);
  const Locked locked(mutex);
  departed_ = {};
}

unsigned SharedAccount::counters_looked_at(cadastre_memory_type type) const noexcept {
  unsigned count = 0;
  for (const SharedAccount* each = this; each; each = each->parent_) {
    count += each->of(type).is_limited();
    if (each->limits_all_together()) count += memory_types;
  }
  return count;
}

std::ptrdiff_t SharedAccount::room(cadastre_memory_type type) const noexcept {
  std::ptrdiff_t least = most_room;
  for (const SharedAccount* each = this; each; each = each->parent_) {
    const SharedBytes& bytes = each->of(type);
    const auto leaves = [&least](std::size_t limit, std::size_t used) {
      least = std::min(least, static_cast<std::ptrdiff_t>(std::min(limit, largest_size) - used));
    };
    if (bytes.is_limited()) leaves(bytes.limit(), bytes.claimed() + bytes.kept());
    if (each->limits_all_together()) [[unlikely]]
      leaves(each->limit(CADASTRE_ALL_MEMORY_TYPES), each->used_together());
  }
  return least;
}

std::optional<Refusal> SharedAccount::claim(cadastre_memory_type type, std::size_t bytes) noexcept {
  if (counters_looked_at(type) < 2) return claim_upwards(type, bytes);
  const Locked locked(mutex);
  return claim_upwards(type, bytes);
}

std::size_t SharedAccount::used_together() const noexcept { return claimed(CADASTRE_ALL_MEMORY_TYPES) + kept(CADASTRE_ALL_MEMORY_TYPES); }

// Claimed bytes stay where they fit, and are cancelled here where they do not.
bool SharedAccount::stays_within_all(cadastre_memory_type type, std::size_t bytes) noexcept {
  const bool fits = bytes == 0 || claimed(CADASTRE_ALL_MEMORY_TYPES) <= limit(CADASTRE_ALL_MEMORY_TYPES);
  if (!fits) of(type).cancel(bytes);
  return fits;
}

std::optional<Refusal> SharedAccount::claim_upwards(cadastre_memory_type type, std::size_t bytes) noexcept {
  for (SharedAccount* each = this; each; each = each->parent_) {
    const bool fits_alone = each->of(type).claim(bytes);
    if (fits_alone && (!each->limits_all_together() || each->stays_within_all(type, bytes))) continue;
    const cadastre_memory_type of = fits_alone ? CADASTRE_ALL_MEMORY_TYPES : type;
    const Refusal refusal{each, of, each->claimed(of), each->limit(of)};
    for (SharedAccount* below = this; below != each; below = below->parent_) below->of(type).cancel(bytes);
    return refusal;
  }
  return std::nullopt;
}

cadastre_statistics_struct SharedAccount::departed(cadastre_memory_type type) const noexcept {
  const Locked locked(mutex);
  return departed_[static_cast<std::size_t>(type)];
}

void SharedAccount::add_departed(cadastre_memory_type type, const cadastre_statistics_struct& figures) noexcept {
  const Locked locked(mutex);
  add_figures(departed_[static_cast<std::size_t>(type)], figures);
}

}  // namespace cadastre::internal
