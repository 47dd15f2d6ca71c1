// Tangled from org/stripe.org; change the chapter, then run: make tangle
#include "stripe.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <utility>

#include "fail.hpp"

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
  recent_number_ = nowhere;
  slots_ = used_ = leaves_ = 0;
}

Region* Map::find(std::uintptr_t number) const noexcept {
  if (slots_ == 0) return nullptr;
  for (std::size_t slot = home_of(number); regions_[slot]; slot = (slot + 1) & (slots_ - 1)) {
    if (regions_[slot]->number != number) continue;
    recent_number_ = number;
    return recent_ = regions_[slot];
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
    ++leaves_;
  }
  recent_ = region;
  recent_number_ = region->number;
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

PlainBlock* Stripe::around(Kind kind, std::uintptr_t address) noexcept {
  constexpr int most_steps = 32;
  if (!is_mapped() && !draw_map(MapIs::kept)) [[unlikely]] return scan_around(kind, address);
  settle();
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

PlainBlock* Stripe::scan_around(Kind kind, std::uintptr_t address) const noexcept {
  PlainBlock* nearest = nullptr;
  for (PlainBlock* block = table_; block != end_; ++block) {
    if (block->address == 0 || block->live() != (kind == Kind::live) || !block->holds(address)) continue;
    if (!nearest || nearest->address < block->address) nearest = block;
  }
  return nearest;
}

// Marks all blocks again; false, and the map is given up again, where it is too sparse or the host has no memory.
bool Stripe::draw_map(MapIs becomes) noexcept {
  map_is_ = becomes;
  for (const PlainBlock* block = table_; block != end_; ++block) {
    if (block->address == 0) continue;
    if (!mark(block->address)) return give_up_map(), false;
    if (!block->live()) map_.leaf_at(block->address).bury(block->address);
  }
  settled_ = newest_;
  return true;
}

void Stripe::give_up_map() noexcept {
  map_.clear();
  map_is_ = MapIs::given_up;
  settled_ = oldest_;
}

void Stripe::settle() noexcept {
  for (; settled_ != newest_; ++settled_) {
    const std::uintptr_t address = remembered_at(settled_).address;
    if (address != 0) map_.leaf_at(address).bury(address);
  }
}

// Of a block that has just left the ring and lives.
void Stripe::mark_again(std::uintptr_t address) noexcept {
  map_.leaf_at(address).revive(address);
  if (is_settled(newest_)) settled_ = newest_;
}

void Stripe::clear_mark(const PlainBlock& block) noexcept {
  if (!is_mapped()) return;
  const bool marked_freed = !block.live() && is_settled(block.freed_at);
  map_.leaf_at(block.address).clear(marked_freed ? Kind::freed : Kind::live, block.address);
}

std::size_t Stripe::live() const noexcept {
  std::size_t count = 0;
  for_each_live([&](const PlainBlock&) { ++count; });
  return count;
}

Record Stripe::record_of(const PlainBlock& block) const noexcept {
  Record record;
  record.pointer = reinterpret_cast<void*>(block.address);
  record.size = block.size();
  record.serial = block.serial;
  record.origin = block.origin;
  record.alignment_log2 = grain_log2;
  record.backend = CADASTRE_BACKEND_HOST;
  record.flags = static_cast<std::uint16_t>(block.flags());
  record.state = block.live() ? State::live : State::freed;
  if (!block.live()) record.stride_or_freed = number_of_deallocation(block);
  return record;
}

namespace {

struct TableRoom {
  void* begin;
  PlainBlock* table;
};

// A look-up in a large table misses the processor's own table of pages more often than its cache.
TableRoom room_for_table(std::size_t slots) noexcept {
  constexpr std::size_t large_page = std::size_t{2} << 20;
  const std::size_t bytes = slots * sizeof(PlainBlock);
  const bool large = bytes >= large_page;
  void* const begin = fails(Point::internal) ? nullptr : std::calloc(1, large ? bytes + large_page : bytes);
  if (!begin || !large) return {begin, static_cast<PlainBlock*>(begin)};
  void* const table = reinterpret_cast<void*>(round_up(address_of(begin), large_page));
#ifdef MADV_HUGEPAGE
  if (!system_fails(EINVAL)) madvise(table, bytes, MADV_HUGEPAGE);
#endif
  return {begin, static_cast<PlainBlock*>(table)};
}

}  // namespace

PlainBlock Stripe::no_table[2];

Stripe::~Stripe() { std::free(room_); }

void Stripe::clear() noexcept {
  give_back_table();
  map_.clear();
}

void Stripe::keep_addresses_only() noexcept {
  if (!is_mapped()) return sort_live();
  settle();
  give_back_table();
}

void Stripe::sort_live() noexcept {
  PlainBlock* const end = std::partition(table_, end_, [](const PlainBlock& block) { return block.live(); });
  std::sort(table_, end, [](const PlainBlock& one, const PlainBlock& other) { return one.address < other.address; });
}

void Stripe::give_back_table() noexcept {
  std::free(std::exchange(room_, nullptr));
  table_ = no_table;
  end_ = std::end(no_table);
  shift_ = 63;
  used_ = most_ = 0;
  freed_last_ = no_table;
  ring_.reset();
  ring_mask_ = oldest_ = newest_ = full_from_ = settled_ = 0;
}

bool Stripe::reserve(std::size_t blocks) noexcept {
  std::size_t wanted = std::max<std::size_t>(slots(), 64);
  while (most_in(wanted) < blocks) wanted *= 2;
  return wanted == slots() || use_table_of(wanted);
}

bool Stripe::use_table_of(std::size_t count) noexcept {
  const TableRoom room = room_for_table(count);
  if (!room.begin) return false;
  const PlainBlock* const old = std::exchange(table_, room.table);
  const PlainBlock* const old_end = std::exchange(end_, room.table + count);
  most_ = most_in(count);
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(count));
  freed_last_ = no_table;
  for (const PlainBlock* block = old; block != old_end; ++block) {
    if (block->address != 0) vacant_for(block->address) = *block;
  }
  std::free(std::exchange(room_, room.begin));
  if (!is_mapped()) draw_map(MapIs::kept_if_dense);
  return true;
}

// The place for a block that is not there; null when the host has no memory.
PlainBlock* Stripe::make(std::uintptr_t address) noexcept {
  if (used_ == most_ && !reserve(used_ + 1)) return nullptr;
  ++used_;
  if (is_mapped() && !mark(address)) give_up_map();
  return &vacant_for(address);
}

bool Stripe::grow_ring() noexcept {
  const std::uint32_t room = std::max(2 * (full_from_ - oldest_), std::uint32_t{64});
  std::unique_ptr<Remembered[]> fresh(new (std::nothrow) Remembered[room]);
  if (!fresh) return false;
  for (std::uint32_t place = oldest_; place != newest_; ++place) fresh[place & (room - 1)] = remembered_at(place);
  ring_ = std::move(fresh);
  ring_mask_ = room - 1;
  full_from_ = oldest_ + room;
  return true;
}

bool Stripe::make_room_to_remember() noexcept {
  if (full_from_ - oldest_ < remembered && grow_ring()) return true;
  if (!ring_) return false;
  if (const std::uintptr_t oldest = remembered_at(oldest_).address) {
    PlainBlock& block = *find(oldest);
    clear_mark(block);
    erase(block);
  }
  ++full_from_;
  if (settled_ == oldest_++) settled_ = oldest_;  // lest it falls so far behind that places compare the other way round
  return true;
}

void Stripe::bury_instead_of_oldest(PlainBlock& block, std::uint64_t number) noexcept {
  const std::uintptr_t address = block.address;
  if (!make_room_to_remember()) return forget(block);
  bury(*find(address), number);  // which may have moved
}

void Stripe::forget(PlainBlock& block) noexcept {
  clear_mark(block);
  if (!block.live()) {
    unremember(block.freed_at);
    if (is_settled(newest_)) settled_ = newest_;
  }
  erase(block);
}

void Stripe::erase(PlainBlock& block) noexcept {
  freed_last_ = no_table;
  PlainBlock* hole = &block;
  for (PlainBlock* later = next_to(hole); later->address != 0; later = next_to(later)) {
    if (steps(home_of(later->address), later) < steps(hole, later)) continue;
    *hole = *later;
    hole = later;
  }
  *hole = {};
  --used_;
}

std::size_t Stripe::longest_probe() const noexcept {
  std::size_t longest = 0;
  for_each([&](const PlainBlock& block) {
    longest = std::max(longest, steps(home_of(block.address), &block));
  });
  return longest;
}

bool Stripe::consistent() {
  std::size_t live = 0, freed = 0, marked_live = 0, marked_freed = 0, in_ring = 0;
  bool good = true;
  if (is_mapped()) settle();
  for_each([&](const PlainBlock& block) {
    (block.live() ? live : freed) += 1;
    good = good && find(block.address) == &block;
    if (!block.live()) good = good && remembered_at(block.freed_at).address == block.address;
  });
  map_.for_each(Kind::live, [&](std::uintptr_t address) {
    ++marked_live;
    good = good && find_live(address);
  });
  map_.for_each(Kind::freed, [&](std::uintptr_t address) {
    ++marked_freed;
    const PlainBlock* const block = find(address);
    good = good && block && !block->live();
  });
  for (std::uint32_t place = oldest_; place != newest_; ++place) in_ring += remembered_at(place).address != 0;
  good = good && (is_mapped() ? marked_live == live && marked_freed == freed : map_.leaves() == 0 && settled_ == oldest_);
  return good && live + freed == used_ && in_ring == freed && newest_ - oldest_ <= remembered;
}

}  // namespace cadastre::internal
