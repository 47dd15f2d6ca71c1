// Tangled from org/base/accounting.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/accounting.hpp"

#include <algorithm>

namespace cadastre::internal {

namespace {

constinit SharedAccount root(CADASTRE_PROCESS);

}  // namespace

SharedAccount& process_account() noexcept { return root; }

bool SharedAccount::are_scarce_upwards(cadastre_memory_type type) const noexcept {
  for (const SharedAccount* each = this; each; each = each->parent()) {
    if (each->of(type).are_scarce()) return true;
  }
  return false;
}

void SharedAccount::renew() noexcept {
  of(CADASTRE_HOST).renew();
  if (had_children()) {
    for (SharedBytes& bytes : bytes_) bytes.renew();
  }
  out_of_memory.store(nullptr, std::memory_order_relaxed);
  AccountNode::renew();
}

unsigned SharedAccount::counters_looked_at(cadastre_memory_type type) const noexcept {
  unsigned count = 0;
  for (const SharedAccount* each = this; each; each = each->parent()) {
    count += each->of(type).is_limited();
    if (each->limits_all_together()) count += memory_types;
  }
  return count;
}

std::ptrdiff_t SharedAccount::room(cadastre_memory_type type) const noexcept {
  std::ptrdiff_t least = most_room;
  for (const SharedAccount* each = this; each; each = each->parent()) {
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
  for (SharedAccount* each = this; each; each = each->parent()) {
    const bool fits_alone = each->of(type).claim(bytes);
    if (fits_alone && (!each->limits_all_together() || each->stays_within_all(type, bytes))) continue;
    const cadastre_memory_type of = fits_alone ? CADASTRE_ALL_MEMORY_TYPES : type;
    const Refusal refusal{each, of, each->claimed(of), each->limit(of)};
    for (SharedAccount* below = this; below != each; below = below->parent()) below->of(type).cancel(bytes);
    return refusal;
  }
  return std::nullopt;
}

}  // namespace cadastre::internal
