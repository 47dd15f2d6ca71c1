// Tangled from org/stripe.org; change the chapter, then run: make tangle
// Plain blocks of one part of the address space: filed, found, remembered, counted.
#ifndef CADASTRE_SRC_STRIPE_HPP
#define CADASTRE_SRC_STRIPE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "accounting.hpp"
#include "record.hpp"

namespace cadastre::internal {

inline constexpr std::size_t grain = alignof(std::max_align_t);
inline constexpr unsigned grain_log2 = std::countr_zero(grain);
inline constexpr std::size_t region_bytes = std::size_t{4} << 20;
inline constexpr std::size_t largest_plain = region_bytes;

struct PlainBlock {
  std::uintptr_t address = 0;  // 0: there is none
  std::uint64_t serial = 0;
  OriginNumber origin = no_origin;
  std::uint32_t traits = 0;    // from the top: 24 bits of size, whether it lives, 7 of flags
  std::uint32_t freed_at = 0;  // of a freed one: its place in the ring

  static constexpr std::uint32_t most_size = 0xFFFFFF, most_flags = 0x7F, lives = 0x80;
  std::size_t size() const noexcept { return std::size_t{traits} >> 8; }
  cadastre_flags flags() const noexcept { return traits & most_flags; }
  bool live() const noexcept { return (traits & lives) != 0; }
  void set_live(bool on) noexcept { traits = on ? traits | lives : traits & ~lives; }
  void set_flags(cadastre_flags flags) noexcept { traits = (traits & ~most_flags) | (flags & most_flags); }
  bool holds(std::uintptr_t where) const noexcept { return where == address || where - address < size(); }
};

static_assert(sizeof(PlainBlock) == 32 && largest_plain <= PlainBlock::most_size);

// One that lives; the caller knows that size and flags fit.
inline PlainBlock plain_block(std::uintptr_t address, std::uint64_t serial, OriginNumber origin, std::size_t size,
                              cadastre_flags flags) noexcept {
  return {.address = address,
          .serial = serial,
          .origin = origin,
          .traits = static_cast<std::uint32_t>(size) << 8 | PlainBlock::lives | flags};
}

// Whether a record says nothing that a plain block cannot.
inline bool is_plain(const Record& record) noexcept {
  constexpr auto flags = CADASTRE_UNINITIALIZED | CADASTRE_WORKSPACE_MEMORY;
  static_assert(flags <= PlainBlock::most_flags);
  return record.type == CADASTRE_HOST && record.backend == CADASTRE_BACKEND_HOST && record.how == 0 &&
         record.alignment_log2 == grain_log2 && record.stride_or_freed == 0 && record.size <= largest_plain &&
         record.device == no_device_id && (record.flags & ~flags) == 0 && record.address() % grain == 0 &&
         record.pointer != nullptr;
}

enum class Kind : std::uint8_t { live, freed };

// The marks of 64 KiB of addresses, one for each grain and kind.
class Leaf {
 public:
  static constexpr unsigned words = 64, grains = 64 * words;
  static constexpr std::size_t bytes = grain * grains;
  static constexpr int none = -1;

  // At an address: the mark of one kind for that of the other.
  void revive(std::uintptr_t address) noexcept { exchange(address, Kind::freed, Kind::live); }
  void bury(std::uintptr_t address) noexcept { exchange(address, Kind::live, Kind::freed); }
  void clear(Kind kind, std::uintptr_t address) noexcept { word_of(address)[index(kind)] &= ~bit_of(address); }
  // The last mark at a grain or before it.
  int last_up_to(Kind kind, unsigned where) noexcept;
  template <class Action>
  void for_each(Kind kind, Action action) const {
    for (unsigned word = 0; word < words; ++word) {
      for (std::uint64_t bits = marks_[word][index(kind)]; bits != 0; bits &= bits - 1) {
        action(64 * word + static_cast<unsigned>(std::countr_zero(bits)));
      }
    }
  }

  static constexpr unsigned grain_of(std::uintptr_t address) noexcept { return address / grain % grains; }

 private:
  static constexpr std::size_t index(Kind kind) noexcept { return static_cast<std::size_t>(kind); }
  static std::uint64_t bit_of(std::uintptr_t address) noexcept { return std::uint64_t{1} << (address / grain % 64); }
  std::array<std::uint64_t, 2>& word_of(std::uintptr_t address) noexcept { return marks_[grain_of(address) / 64]; }

  void exchange(std::uintptr_t address, Kind old, Kind fresh) noexcept {
    std::array<std::uint64_t, 2>& word = word_of(address);
    word[index(old)] &= ~bit_of(address);
    word[index(fresh)] |= bit_of(address);
    perhaps_[index(fresh)] |= std::uint64_t{1} << (grain_of(address) / 64);
  }

  std::array<std::uint64_t, 2> perhaps_{};  // by kind, one bit for each word that may have a mark
  std::array<std::array<std::uint64_t, 2>, words> marks_{};
};

struct Region {
  static constexpr unsigned leaves_in_it = region_bytes / Leaf::bytes;
  static_assert(leaves_in_it == 64);

  explicit Region(std::uintptr_t which) noexcept : number(which) {}
  const std::uintptr_t number;  // its address / region_bytes
  std::uint64_t present = 0;    // one bit for each leaf that is there
  std::array<std::unique_ptr<Leaf>, leaves_in_it> leaves;

  static unsigned leaf_of(std::uintptr_t address) noexcept { return address / Leaf::bytes % leaves_in_it; }

  // The nearest address at or before one of the region that has a mark; 0 for none.
  std::uintptr_t last_up_to(Kind kind, std::uintptr_t address) const noexcept;
};

class Map {
 public:
  Map() = default;
  Map(const Map&) = delete;
  Map& operator=(const Map&) = delete;
  ~Map();
  void clear() noexcept;

  // The leaf of an address that was marked before.
  Leaf& leaf_at(std::uintptr_t address) noexcept {
    const std::uintptr_t number = address / region_bytes;
    const Region* const region = recent_number_ == number ? recent_ : find(number);
    return *region->leaves[Region::leaf_of(address)];
  }
  // The leaf of an address; null when the host has no memory.
  Leaf* open(std::uintptr_t address) noexcept {
    const bool again = recent_number_ == address / region_bytes;
    Leaf* const leaf = again ? recent_->leaves[Region::leaf_of(address)].get() : nullptr;
    return leaf ? leaf : make_leaf(address);
  }
  // The nearest address at or before one, and not further than a plain block reaches, that has a mark; 0 for none.
  std::uintptr_t last_up_to(Kind kind, std::uintptr_t address) const noexcept;
  // Calls for each address that has a mark, in rising order within a region.
  template <class Action>
  void for_each(Kind kind, Action action) const;
  std::size_t leaves() const noexcept { return leaves_; }

 private:
  Region* find(std::uintptr_t number) const noexcept;
  Leaf* make_leaf(std::uintptr_t address) noexcept;
  Region* make_region(std::uintptr_t number) noexcept;
  bool grow() noexcept;
  std::size_t home_of(std::uintptr_t number) const noexcept { return spread(number) >> shift_; }
  // Where a region goes that is not there.
  Region*& vacant_for(std::uintptr_t number) const noexcept {
    std::size_t slot = home_of(number);
    while (regions_[slot]) slot = (slot + 1) & (slots_ - 1);
    return regions_[slot];
  }

  static constexpr std::uintptr_t nowhere = UINTPTR_MAX;
  mutable Region* recent_ = nullptr;  // found last
  mutable std::uintptr_t recent_number_ = nowhere;
  std::unique_ptr<Region*[]> regions_;  // open addressing, at most half full
  std::size_t slots_ = 0, used_ = 0;
  unsigned shift_ = 0;  // 64 - log2 of slots_
  std::size_t leaves_ = 0;
};

// A function of its own: inside its callers' loops the innermost one would have no register left.
template <class Action>
[[gnu::noinline]] void Map::for_each(Kind kind, Action action) const {
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    if (!regions_[slot]) continue;
    const Region& region = *regions_[slot];
    for (std::uint64_t leaves = region.present; leaves != 0; leaves &= leaves - 1) {
      const auto leaf = static_cast<unsigned>(std::countr_zero(leaves));
      const std::uintptr_t begin = region.number * region_bytes + leaf * Leaf::bytes;
      region.leaves[leaf]->for_each(kind, [&](unsigned where) { action(begin + where * grain); });
    }
  }
}

// What a stripe has counted since it was summed up last.
class Tally {
 public:
  Tally() = default;
  // Of a stripe that may hold so many more than now.
  Tally(std::int64_t blocks, std::int64_t bytes) noexcept
      : blocks_given_(blocks), blocks_left_(blocks), bytes_given_(bytes), bytes_left_(bytes) {}

  // Counts a block where there is room for it; false, and nothing changed, where not.
  bool count_in(std::size_t size, bool uninitialized) noexcept {
    const auto bytes = static_cast<std::int64_t>(size);
    if (((blocks_left_ - 1) | (bytes_left_ - bytes)) < 0) [[unlikely]] return false;
    --blocks_left_;
    bytes_left_ -= bytes;
    ++allocations_;
    allocated_bytes_ += bytes;
    if (uninitialized) uninitialized_bytes_ += bytes;
    return true;
  }
  void count_out(std::size_t size) noexcept {
    ++blocks_left_;
    bytes_left_ += static_cast<std::int64_t>(size);
  }
  // Counts a block for which there was room, and which could not be filed, as if it had never been.
  void take_back(std::size_t size, bool uninitialized) noexcept {
    count_out(size);
    --allocations_;
    allocated_bytes_ -= static_cast<std::int64_t>(size);
    if (uninitialized) uninitialized_bytes_ -= static_cast<std::int64_t>(size);
  }
  // Counts a block for which there is none, and takes what is missing; for a stripe that is alone.
  void count_beyond(std::size_t size, bool uninitialized) noexcept {
    const std::int64_t blocks = std::max<std::int64_t>(1 - blocks_left_, 0);
    const std::int64_t bytes = std::max<std::int64_t>(static_cast<std::int64_t>(size) - bytes_left_, 0);
    blocks_given_ += blocks, blocks_left_ += blocks;
    bytes_given_ += bytes, bytes_left_ += bytes;
    count_in(size, uninitialized);
  }

  // So many more live than when it began; and, where all room was made, the most that did.
  std::int64_t blocks() const noexcept { return blocks_given_ - blocks_left_; }
  std::int64_t bytes() const noexcept { return bytes_given_ - bytes_left_; }
  std::int64_t blocks_left() const noexcept { return blocks_left_; }
  std::int64_t bytes_left() const noexcept { return bytes_left_; }
  std::int64_t most_blocks() const noexcept { return blocks_given_; }
  std::int64_t most_bytes() const noexcept { return bytes_given_; }
  std::int64_t allocations() const noexcept { return allocations_; }
  std::int64_t deallocations() const noexcept { return allocations_ - blocks(); }
  std::int64_t allocated_bytes() const noexcept { return allocated_bytes_; }
  std::int64_t uninitialized_bytes() const noexcept { return uninitialized_bytes_; }

 private:
  std::int64_t blocks_given_ = 0, blocks_left_ = 0;
  std::int64_t bytes_given_ = 0, bytes_left_ = 0;
  std::int64_t allocations_ = 0, allocated_bytes_ = 0, uninitialized_bytes_ = 0;
};

// Numbers that nobody else gives.
struct Numbers {
  std::uint64_t next = 0, end = 0;
  bool shared = false;  // with others, of which these are a few; else all from the next
};

class alignas(64) Stripe {
 public:
  static constexpr std::uint32_t remembered = 4096;

  Stripe() = default;
  Stripe(const Stripe&) = delete;
  Stripe& operator=(const Stripe&) = delete;
  ~Stripe();

  // The block that begins at an address other than 0, alive or freed; null for none.
  PlainBlock* find(std::uintptr_t address) const noexcept {
    PlainBlock* block = home_of(address);
    if (block->address == address) [[likely]] return block;
    while (block->address != 0) {
      block = next_to(block);
      if (block->address == address) return block;
    }
    return nullptr;
  }
  PlainBlock* find_live(std::uintptr_t address) const noexcept {
    PlainBlock* const block = find(address);
    return block && block->live() ? block : nullptr;
  }
  // The block of a kind around an address; null when none begins in this stripe.
  PlainBlock* around(Kind kind, std::uintptr_t address) noexcept;

  // Files a block that lives; false, and nothing changed, when one lives at its address, or the host has no memory.
  bool file(const PlainBlock& block) noexcept {
    PlainBlock* place = freed_last(block.address);
    if (!place) place = find(block.address);
    if (place) {
      if (place->live()) [[unlikely]] return false;
      const bool settled = is_settled(place->freed_at);
      unremember(place->freed_at);
      if (settled) [[unlikely]] mark_again(block.address);
    } else {
      place = make(block.address);
      if (!place) [[unlikely]] return false;
    }
    *place = block;
    return true;
  }
  // Remembers a live block as freed. number: of its deallocation.
  void bury(PlainBlock& block, std::uint64_t number) noexcept {
    if (newest_ == full_from_) [[unlikely]] return bury_instead_of_oldest(block, number);
    const std::uint32_t place = newest_++;
    remembered_at(place) = {block.address, number};
    block.set_live(false);
    block.freed_at = place;
    freed_last_ = &block;
  }
  // Removes a block, alive or freed.
  void forget(PlainBlock& block) noexcept;
  // Makes room for so many blocks, alive or freed; false, and nothing changed, when the host has no memory.
  bool reserve(std::size_t blocks) noexcept;
  // Moves all blocks to others, which were empty and have room; false, and nothing changed but what those hold, when the
  // host has no memory.
  template <class Choose>
  bool move_to(Choose choose) noexcept;

  std::uint64_t number_of_deallocation(const PlainBlock& freed) const noexcept {
    return remembered_at(freed.freed_at).number;
  }
  Record record_of(const PlainBlock& block) const noexcept;

  // Counts them.
  std::size_t live() const noexcept;
  // Alive and freed ones.
  template <class Action>
  void for_each(Action action) const {
    for (const PlainBlock* block = table_; block != end_; ++block) {
      if (block->address != 0) action(*block);
    }
  }
  template <class Action>
  void for_each_live(Action action) const {
    for_each([&](const PlainBlock& block) {
      if (block.live()) action(block);
    });
  }
  // Gives all back but the addresses of live blocks, where that is possible; what may be done then is to call for each of
  // them, mostly in rising order, and to clear.
  void keep_addresses_only() noexcept;
  template <class Action>
  void for_each_address(Action action) const {
    if (is_mapped()) return map_.for_each(Kind::live, action);
    for_each_live([&](const PlainBlock& block) { action(block.address); });
  }

  // Whether all that is said here holds, and the most entries that a look-up passes; for tests.
  bool consistent();
  std::size_t longest_probe() const noexcept;

  // The origin of a text that was used last or lies where it is stored; no_origin for any other, and before a first use.
  OriginNumber origin_of_known(const char* text) const noexcept {
    if (!last_label_) return no_origin;
    return text == last_label_ || std::strcmp(text, last_label_) == 0 ? last_origin_ : origin_at(text);
  }
  void note_origin(OriginNumber origin) noexcept { last_label_ = text_of(last_origin_ = origin); }
  void clear() noexcept;

  Tally tally;
  Headroom headroom;
  Numbers serials, deallocations;

 private:
  const char* last_label_ = nullptr;
  OriginNumber last_origin_ = no_origin;
  struct Remembered {
    std::uintptr_t address;  // 0: it has come back
    std::uint64_t number;
  };
  enum class MapIs : std::uint8_t {
    kept_if_dense,
    given_up,  // no block has its mark, and all that was freed is unsettled
    kept       // because somebody has looked around an address without it
  };

  // Where the search for a block begins, and where it goes on.
  PlainBlock* home_of(std::uintptr_t address) const noexcept { return table_ + (spread(address) >> shift_); }
  PlainBlock* next_to(PlainBlock* block) const noexcept { return ++block == end_ ? table_ : block; }
  // How many blocks a search passes that begins at one place and ends at another.
  std::size_t steps(const PlainBlock* from, const PlainBlock* to) const noexcept {
    return static_cast<std::size_t>(to - from) & (slots() - 1);
  }
  std::size_t slots() const noexcept { return static_cast<std::size_t>(end_ - table_); }
  // Where a block goes that is not there.
  PlainBlock& vacant_for(std::uintptr_t address) const noexcept {
    PlainBlock* block = home_of(address);
    while (block->address != 0) block = next_to(block);
    return *block;
  }
  PlainBlock* make(std::uintptr_t address) noexcept;
  // The block that was freed last, where it began at that address; most heaps give that out again first.
  PlainBlock* freed_last(std::uintptr_t address) const noexcept {
    return freed_last_->address == address ? freed_last_ : nullptr;
  }
  Remembered& remembered_at(std::uint32_t place) const noexcept { return ring_[place & ring_mask_]; }
  void unremember(std::uint32_t place) noexcept {
    if (place + 1 == newest_) {
      newest_ = place;
    } else {
      remembered_at(place).address = 0;
    }
  }
  // Whether the marks say that the block with that place in the ring is freed.
  bool is_settled(std::uint32_t place) const noexcept { return static_cast<std::int32_t>(place - settled_) < 0; }
  // Makes them say so of all.
  void settle() noexcept;
  void mark_again(std::uintptr_t address) noexcept;
  bool is_mapped() const noexcept { return map_is_ != MapIs::given_up; }
  // Marks a block that lives; false when the map is to be given up, or the host has no memory.
  bool mark(std::uintptr_t address) noexcept {
    Leaf* const leaf = map_.open(address);
    if (!leaf || (map_is_ == MapIs::kept_if_dense && map_.leaves() > 64 + most_ / 16)) return false;
    leaf->revive(address);
    return true;
  }
  bool draw_map(MapIs becomes) noexcept;
  void give_up_map() noexcept;
  PlainBlock* scan_around(Kind kind, std::uintptr_t address) const noexcept;
  void clear_mark(const PlainBlock& block) noexcept;
  void bury_instead_of_oldest(PlainBlock& block, std::uint64_t number) noexcept;
  bool make_room_to_remember() noexcept;
  bool grow_ring() noexcept;
  static constexpr std::size_t most_in(std::size_t slots) noexcept {
    constexpr std::size_t large = (std::size_t{8} << 20) / sizeof(PlainBlock);
    return slots <= large ? slots / 2 : slots / 16 * 13;
  }
  bool use_table_of(std::size_t count) noexcept;
  void give_back_table() noexcept;
  void sort_live() noexcept;
  void erase(PlainBlock& block) noexcept;

  static PlainBlock no_table[2];  // never written

  PlainBlock *table_ = no_table, *end_ = std::end(no_table);
  std::size_t used_ = 0, most_ = 0;  // slots in use; and how many may be
  unsigned shift_ = 63;              // 64 - log2 of the number of slots
  PlainBlock* freed_last_ = no_table;  // while the table stays as it is, the place of the block that was freed last
  std::unique_ptr<Remembered[]> ring_;
  std::uint32_t ring_mask_ = 0;                           // the size of the ring - 1
  std::uint32_t oldest_ = 0, newest_ = 0, full_from_ = 0;  // places in the ring; they count on for ever
  std::uint32_t settled_ = 0;              // before this place the marks tell of all that was freed
  void* room_ = nullptr;                   // the memory in which the table is
  Map map_;
  MapIs map_is_ = MapIs::kept_if_dense;
};

template <class Choose>
bool Stripe::move_to(Choose choose) noexcept {
  for (const PlainBlock* block = table_; block != end_; ++block) {
    if (block->address == 0 || !block->live()) continue;
    if (!choose(block->address).file(*block)) return false;
  }
  for (std::uint32_t place = oldest_; place != newest_; ++place) {
    const auto [address, number] = remembered_at(place);
    if (address == 0) continue;
    PlainBlock block = *find(address);
    block.set_live(true);
    Stripe& other = choose(address);
    if (!other.file(block)) return false;
    other.bury(*other.find(address), number);
  }
  return true;
}

}  // namespace cadastre::internal
#endif
