// Tangled from org/context/table.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/table.hpp"

#include <unistd.h>

#include <chrono>

#include "base/record.hpp"

namespace cadastre::internal {

constinit ContextTable context_table;
constinit Slot first_slots[ContextTable::first_segment];

std::uint32_t ContextTable::take_new() {
  if (secret_.load(std::memory_order_relaxed) == 0) draw_secret();
  const std::uint32_t number = used_.load(std::memory_order_relaxed);
  if (number == most_slots) return most_slots;
  const unsigned segment = segment_of(number);
  if (segment > 0 && !segments_[segment].load(std::memory_order_relaxed)) {
    segments_[segment].store(new Slot[first_segment << (segment - 1)], std::memory_order_release);
  }
  used_.store(number + 1, std::memory_order_release);
  return number;
}

void ContextTable::draw_secret() noexcept {
  std::uint64_t secret = 0;
  if (getentropy(&secret, sizeof secret) != 0) {
    secret = address_of(&secret) ^ static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
  secret_.store(secret | 1, std::memory_order_relaxed);
}

}  // namespace cadastre::internal
