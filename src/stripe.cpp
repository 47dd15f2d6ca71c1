// Tangled from org/stripe.org; change the chapter, then run: make tangle
#include "stripe.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <utility>

namespace cadastre::internal {

int Leaf::last_up_to(Kind kind, unsigned where) noexcept {
  const auto highest = [](std::uint64_t bits) { return static_cast<int>(std::bit_width(bits)) - 1; };
  const std::uint64_t near = marks_[where / 64][index(kind)] & ~std::uint64_t{0} >> (63 - where % 64);
  if (near != 0) return static_cast<int>(where & ~63u) + highest(near);
  std::uint64_t& perhaps = perhaps_[index(kind)];
  std::uint64_t before = perhaps & ((std::uint64_t{1} << where / 64) - 1);
  while (before != 0) {
    const int word = highest(before);
    const std::uint64_t bits = marks_[static_cast<std::size_t>(word)][index(kind)];
    if (bits != 0) return 64 * word + highest(bits);
    before &= ~(std::uint64_t{1} << word);
    perhaps &= ~(std::uint64_t{1} << word);
  }
  return none;
}

std::uintptr_t Region::last_up_to(Kind kind, std::uintptr_t address) const noexcept {
  const unsigned last = leaf_of(address);
  unsigned where = Leaf::grain_of(address);
  std::uint64_t left = present & ~std::uint64_t{0} >> (63 - last);
  while (left != 0) {
    const auto leaf = static_cast<unsigned>(std::bit_width(left)) - 1;
    const int found = leaves[leaf]->last_up_to(kind, leaf == last ? where : Leaf::grains - 1);
    if (found != Leaf::none) {
      return number * region_bytes + leaf * Leaf::bytes + static_cast<std::uintptr_t>(found) * grain;
    }
    left &= ~(std::uint64_t{1} << leaf);
  }
  return 0;
}

Map::~Map() { clear(); }

void Map::clear() noexcept {
  for (std::size_t slot = 0; slot < slots_; ++slot) delete regions_[slot];
  regions_.reset();
  recent_ = &none_;
  slots_ = used_ = 0;
}

Region* Map::find(std::uintptr_t number) const noexcept {
  if (slots_ == 0) return nullptr;
  for (std::size_t slot = home_of(number); regions_[slot]; slot = (slot + 1) & (slots_ - 1)) {
    if (regions_[slot]->number == number) return recent_ = regions_[slot];
  }
  return nullptr;
}

Leaf* Map::make_leaf(std::uintptr_t address) noexcept {
  Region* region = find(address / region_bytes);
  if (!region) region = make_region(address / region_bytes);
  if (!region) return nullptr;
  std::unique_ptr<Leaf>& leaf = region->leaves[Region::leaf_of(address)];
  if (!leaf) {
    leaf.reset(new (std::nothrow) Leaf);
    if (!leaf) return nullptr;
    region->present |= std::uint64_t{1} << Region::leaf_of(address);
  }
  recent_ = region;
  return leaf.get();
}

Region* Map::make_region(std::uintptr_t number) noexcept {
  if (2 * (used_ + 1) > slots_ && !grow()) return nullptr;
  auto* const region = new (std::nothrow) Region(number);
  if (!region) return nullptr;
  ++used_;
  return vacant_for(number) = region;
}

bool Map::grow() noexcept {
  const std::size_t slots = std::max<std::size_t>(2 * slots_, 8);
  std::unique_ptr<Region*[]> old(new (std::nothrow) Region*[slots]{});
  if (!old) return false;
  old.swap(regions_);
  const std::size_t old_slots = std::exchange(slots_, slots);
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
  for (std::size_t from = 0; from < old_slots; ++from) {
    if (old[from]) vacant_for(old[from]->number) = old[from];
  }
  return true;
}

std::uintptr_t Map::last_up_to(Kind kind, std::uintptr_t address) const noexcept {
  const std::uintptr_t number = address / region_bytes;
  if (const Region* const region = find(number)) {
    if (const std::uintptr_t found = region->last_up_to(kind, address)) return found;
  }
  const Region* const before = number == 0 ? nullptr : find(number - 1);
  return before ? before->last_up_to(kind, number * region_bytes - 1) : 0;
}

PlainBlock* Stripe::around(Kind kind, std::uintptr_t address) const noexcept {
  constexpr int most_steps = 32;
  std::uintptr_t from = address;
  for (int step = 0; step < most_steps; ++step) {
    const std::uintptr_t begin = map_.last_up_to(kind, from);
    if (begin == 0 || address - begin >= region_bytes) return nullptr;
    PlainBlock* const block = find(begin);
    if (block->holds(address)) return block;
    from = begin - 1;
  }
  return nullptr;
}

Record Stripe::record_of(const PlainBlock& block) const noexcept {
  Record record;
  record.pointer = reinterpret_cast<void*>(block.address);
  record.size = block.size;
  record.serial = block.serial;
  record.label = block.label;
  record.alignment_log2 = grain_log2;
  record.backend = CADASTRE_BACKEND_HOST;
  record.flags = static_cast<std::uint16_t>(flags_of(block));
  record.state = block.live ? State::live : State::freed;
  if (!block.live) record.stride_or_freed = number_of_deallocation(block);
  return record;
}

namespace {

PlainBlock* make_table(std::size_t slots) noexcept {
  void* const table = std::calloc(slots, sizeof(PlainBlock));
#ifdef MADV_HUGEPAGE
  // A look-up in a large table misses the processor's own table of pages more often than its cache.
  constexpr std::size_t page = 4096, large = std::size_t{4} << 20;
  const std::size_t bytes = slots * sizeof(PlainBlock);
  const std::uintptr_t begin = round_up(address_of(table), page);
  if (table && bytes >= large) madvise(reinterpret_cast<void*>(begin), bytes - page, MADV_HUGEPAGE);
#endif
  return static_cast<PlainBlock*>(table);
}

}  // namespace

Stripe::~Stripe() { std::free(table_); }

void Stripe::clear() noexcept {
  std::free(std::exchange(table_, nullptr));
  freed_last_ = nullptr;
  slots_ = used_ = live_ = 0;
  ring_.reset();
  room_to_remember_ = oldest_ = newest_ = 0;
  map_.clear();
}

bool Stripe::grow() noexcept {
  const std::size_t slots = std::max<std::size_t>(2 * slots_, 64);
  PlainBlock* const fresh = make_table(slots);
  if (!fresh) return false;
  PlainBlock* const old = std::exchange(table_, fresh);
  const std::size_t old_slots = std::exchange(slots_, slots);
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
  freed_last_ = nullptr;
  for (std::size_t from = 0; from < old_slots; ++from) {
    if (old[from].address != 0) vacant_for(old[from].address) = old[from];
  }
  std::free(old);
  return true;
}

// The place for a block that is not there; null when the host has no memory.
PlainBlock* Stripe::make(std::uintptr_t address) noexcept {
  if (16 * (used_ + 1) > 13 * slots_ && !grow()) return nullptr;
  ++used_;
  return &vacant_for(address);
}

bool Stripe::make_room_to_remember() noexcept {
  if (!ring_) {
    ring_.reset(new (std::nothrow) Remembered[remembered]);
    room_to_remember_ = ring_ ? remembered : 0;
    return ring_ != nullptr;
  }
  if (const std::uintptr_t oldest = ring_[oldest_ % remembered].address) {
    map_.leaf_at(oldest).clear(Kind::freed, oldest);
    erase(*find(oldest));
  }
  ++oldest_;
  return true;
}

void Stripe::forget(PlainBlock& block) noexcept {
  map_.leaf_at(block.address).clear(block.live ? Kind::live : Kind::freed, block.address);
  if (block.live) {
    --live_;
  } else {
    unremember(block.freed_at);
  }
  erase(block);
}

void Stripe::erase(PlainBlock& block) noexcept {
  freed_last_ = nullptr;
  auto hole = static_cast<std::size_t>(&block - table_);
  for (std::size_t slot = (hole + 1) & (slots_ - 1); table_[slot].address != 0; slot = (slot + 1) & (slots_ - 1)) {
    const std::size_t home = home_of(table_[slot].address);
    if (((slot - home) & (slots_ - 1)) >= ((slot - hole) & (slots_ - 1))) {
      table_[hole] = table_[slot];
      hole = slot;
    }
  }
  table_[hole] = {};
  --used_;
}

std::size_t Stripe::longest_probe() const noexcept {
  std::size_t longest = 0;
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    if (table_[slot].address != 0) longest = std::max(longest, (slot - home_of(table_[slot].address)) & (slots_ - 1));
  }
  return longest;
}

bool Stripe::consistent() const {
  std::size_t blocks = 0, live = 0, freed = 0, marked_live = 0, marked_freed = 0, in_ring = 0;
  bool good = true;
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    const PlainBlock& block = table_[slot];
    if (block.address == 0) continue;
    ++blocks;
    (block.live ? live : freed) += 1;
    good = good && find(block.address) == &block;
    if (!block.live) good = good && ring_[block.freed_at % remembered].address == block.address;
  }
  map_.for_each(Kind::live, [&](std::uintptr_t address) {
    ++marked_live;
    good = good && find_live(address);
  });
  map_.for_each(Kind::freed, [&](std::uintptr_t address) {
    ++marked_freed;
    const PlainBlock* const block = find(address);
    good = good && block && !block->live;
  });
  for (std::uint32_t place = oldest_; place != newest_; ++place) in_ring += ring_[place % remembered].address != 0;
  return good && blocks == used_ && live == live_ && marked_live == live && marked_freed == freed && in_ring == freed &&
         newest_ - oldest_ <= remembered;
}

}  // namespace cadastre::internal
