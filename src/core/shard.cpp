// Tangled from org/core/shard.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/shard.hpp"

#include <algorithm>
#include <iterator>

namespace cadastre::internal {

constinit Slab no_slab;

void Shard::unlist(Slab& slab) noexcept {
  Slab*& first = current[slab.size_class];
  if (first == &slab) first = slab.next == &slab ? &no_slab : slab.next;
  slab.next->previous = slab.previous;
  slab.previous->next = slab.next;
  slab.listed = false;
}

void Shard::take_remote_frees() noexcept {
  Slab* slab = remote_frees.exchange(nullptr, std::memory_order_acquire);
  while (slab) {
    Slab* const next = slab->next_remote;
    if (!slab->damaged && (!slab->is_intact() || !slab->drain())) close_damaged(*slab);
    if (!slab->listed && !slab->damaged) list(*slab);
    slab = next;
  }
}

namespace {

void deliver(Outgoing& chain) noexcept {
  if (chain.blocks == 0) return;
  Slab& slab = *chain.slab;
  if (!slab.is_intact()) {  // whoever owns it cannot be known, and its blocks count as used
    chain = {};
    return;
  }
  std::atomic<std::uint64_t>& last = slab.record_at(chain.last).word;
  const std::uint64_t word = last.load(std::memory_order_relaxed) & ~BlockWord::next_bits;
  const auto link = [&](BlockPlace next) { last.store(word | std::uint64_t{next} << BlockWord::next_shift, std::memory_order_relaxed); };
  if (slab.remote.push(chain.first, link)) {
    std::atomic<Slab*>& remote_frees = slab.owner->remote_frees;
    Slab* first = remote_frees.load(std::memory_order_relaxed);
    do {
      slab.next_remote = first;
    } while (!remote_frees.compare_exchange_weak(first, &slab, std::memory_order_release, std::memory_order_relaxed));
  }
  chain = {};
}

}  // namespace

void Shard::hand_over(Slab& slab, BlockRecord& record, BlockPlace place, std::uint64_t word) noexcept {
  Outgoing& chain = outgoing[reinterpret_cast<std::uintptr_t>(&slab) / sizeof(Slab) % outgoing_chains];
  if (chain.slab != &slab) {
    deliver(chain);
    chain.slab = &slab;
    has_outgoing = true;
  }
  record.word.store(word | std::uint64_t{chain.first} << BlockWord::next_shift, std::memory_order_relaxed);
  chain.first = place;
  if (chain.blocks++ == 0) chain.last = place;
  if (chain.blocks >= most_outgoing_blocks || chain.blocks * slab.size >= most_outgoing_bytes) deliver(chain);
}

void Shard::hand_over_all() noexcept {
  if (!has_outgoing) return;
  for (Outgoing& chain : outgoing) deliver(chain);
  has_outgoing = false;
}

// The rings are made anew: nobody can say where one leads whose slabs are damaged.
void Shard::close_damaged(Slab& slab) noexcept {
  slab.damaged.store(true, std::memory_order_relaxed);
  slab.share();
  slab.first_free = no_place;
  slab.used = std::max<std::uint16_t>(slab.used, 1);  // it is not empty, so that it stays
  damage = &slab;
  std::fill(std::begin(current), std::end(current), &no_slab);
  for (Slab* const other : slabs) {
    other->listed = false;
    if (other->damaged || !other->is_intact()) continue;
    if (other->first_free != no_place || other->touched < other->blocks) list(*other);
  }
}

void Shard::set_most(std::int64_t bytes, std::int64_t blocks) noexcept {
  counts.bytes_limit += bytes - most_bytes;
  counts.serial_limit += static_cast<std::uint64_t>(blocks - most_blocks);
  counts.deallocation_shift -= static_cast<std::uint64_t>(blocks - most_blocks);
  most_bytes = bytes;
  most_blocks = blocks;
}

void Shard::begin_growth() noexcept {
  is_growing = true;
  most_bytes_before = most_bytes;
  most_blocks_before = most_blocks;
  set_most(claimed_bytes, claimed_blocks);
  counts.bytes_limit_cap = counts.bytes_limit - 1;  // the next free takes the slow path
}

void Shard::end_growth_of(std::int64_t freed_bytes, std::int64_t freed_blocks) noexcept {
  is_growing = false;
  set_most(std::max(most_bytes_before, live_bytes() + freed_bytes), std::max(most_blocks_before, live_blocks() + freed_blocks));
}

void Shard::use_numbers(std::uint64_t serial, std::uint64_t deallocation) noexcept {
  const std::uint64_t left_out = serial - counts.next_serial;
  counts.next_serial = serial;
  counts.serial_limit += left_out;
  first_serial += left_out;
  counts.deallocation_shift = deallocation - counts.serial_limit;
}

void Shard::clear_counts() noexcept {
  counts = {};
  counts.bytes_limit_cap = -1;
  claimed_bytes = claimed_blocks = most_bytes = most_blocks = 0;
  first_serial = 0;
  frees_before = 0;
  calls_to_grow = 0;
  is_growing = false;
}

Slab* Shard::slab_with_room(SizeClass size_class, Arena& arena, cadastre_context context) noexcept {
  if (remote_frees.load(std::memory_order_relaxed)) take_remote_frees();
  if (damage) return nullptr;  // which is to be told first
  while (current[size_class] != &no_slab) {
    Slab& slab = *current[size_class];
    if (!slab.has_sound_chain()) return close_damaged(slab), nullptr;
    if (slab.first_free != no_place || slab.extend()) return &slab;
    unlist(slab);
  }
  if (!slabs.reserve_one()) return nullptr;
  Slab* const slab = make_slab(arena, size_class, slabs_of_class[size_class], *this, context);
  if (!slab) return nullptr;
  if (shared_of_class[size_class] >= shared_before_more) slab->share();
  slabs.push_back(slab);
  if (slabs_of_class[size_class] < UINT8_MAX) ++slabs_of_class[size_class];
  list(*slab);
  slab->extend();
  return slab;
}

bool Shard::check_invariants() const noexcept {
  if (counts.next_serial == 0 && counts.bytes_limit_cap >= 0) return false;  // a free takes the slow path, where it gets a number
  for (const Outgoing& chain : outgoing) {
    if (chain.blocks != 0) return false;  // whoever is alone has had it handed over
  }
  std::size_t listed = 0, in_rings = 0;
  unsigned of_class[size_classes] = {};
  for (const Slab* slab : slabs) {
    if (slab->owner != this || (!slab->damaged && !slab->check_invariants())) return false;
    if (slab->damaged ? slab->listed : !slab->listed && slab->first_free != no_place) return false;
    if ((slab->sole_user.load(std::memory_order_relaxed) == this) == slab->shared.load(std::memory_order_relaxed)) return false;
    listed += slab->listed;
    ++of_class[slab->size_class];
  }
  for (SizeClass number = 0; number < size_classes; ++number) {
    if (slabs_of_class[number] < UINT8_MAX && slabs_of_class[number] != of_class[number]) return false;
    const Slab* const first = current[number];
    if (first == &no_slab) continue;
    const Slab* slab = first;
    do {
      if (!slab->listed || slab->owner != this || slab->size_class != number || slab->next->previous != slab) return false;
      if (++in_rings > listed) return false;
      slab = slab->next;
    } while (slab != first);
  }
  if (in_rings != listed) return false;
  return live_bytes() <= most_bytes && most_bytes <= claimed_bytes && live_blocks() <= most_blocks && most_blocks <= claimed_blocks;
}

}  // namespace cadastre::internal
