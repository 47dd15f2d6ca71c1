// Tangled from org/core/slab.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A slab: blocks of one size side by side, and apart from them a record of each.
#ifndef CADASTRE_SRC_CORE_SLAB_HPP
#define CADASTRE_SRC_CORE_SLAB_HPP

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/record.hpp"
#include "core/shard_lock.hpp"
#include "core/label_counts.hpp"
#include "core/pages.hpp"
#include "core/size_class.hpp"

namespace cadastre::internal {

class Shard;

// A block is known by its place in the slab, which is also that of its record.
using BlockPlace = std::uint16_t;
inline constexpr BlockPlace no_place = 0x7FFF;
static_assert(most_blocks < no_place);

// What is known of a block, in one word, so that nobody ever reads half of it. All zero: never given out. What every call takes out of it
// lies at its ends: flags have the bits that the caller knows them by, and nothing is above the size.
class BlockWord {
 public:
  static constexpr std::uint64_t uninitialized = CADASTRE_UNINITIALIZED, live = 2, freed = 4, leased = CADASTRE_WORKSPACE_MEMORY, zero = 16;
  static constexpr std::uint64_t moved = 32;              // with freed: by a realloc
  static constexpr std::uint64_t hidden = 64;             // is being moved, and not to be found
  static constexpr std::uint64_t in_use = live | leased;  // leased: part of a workspace, and not for users to free
  static constexpr std::uint64_t taken = in_use | hidden, state = taken | freed | zero | moved;
  static constexpr unsigned alignment_shift = 7, label_shift = 11, size_shift = 30, next_shift = 49;
  static constexpr unsigned alignment_bits = 4, label_bits = 19, size_bits = next_shift - size_shift;
  static constexpr std::uint64_t next_bits = ~std::uint64_t{0} << next_shift;
  static constexpr std::uint64_t alignment_traits = ((std::uint64_t{1} << alignment_bits) - 1) << alignment_shift;
  static constexpr OriginNumber last_label = (1u << label_bits) - 1;
  static constexpr std::uint64_t labelled = std::uint64_t{last_label} << label_shift;
  static_assert(uninitialized == 1 && leased == 8 && largest_in_slab >> size_bits == 0);
  static_assert(log2_of(page_bytes) - log2_of(class_step) < 1u << alignment_bits);

  // alignment_code: log2 of the alignment, counted from that of class_step. flags: CADASTRE_UNINITIALIZED, or none.
  static constexpr std::uint64_t traits(unsigned alignment_code, cadastre_flags flags) noexcept {
    return std::uint64_t{alignment_code} << alignment_shift | flags;
  }
  static constexpr bool is_there(std::uint64_t word) noexcept { return (word & in_use) != 0; }
  static constexpr bool is_taken(std::uint64_t word) noexcept { return (word & taken) != 0; }
  // Of a block in use: more than it has room for where the word is damaged.
  static constexpr std::size_t size(std::uint64_t word) noexcept { return word >> size_shift; }
  static constexpr std::size_t size_of_freed(std::uint64_t word) noexcept { return size(word & ~next_bits); }
  static constexpr std::uint64_t with_size(std::uint64_t word, std::size_t size) noexcept {
    return (word & ((std::uint64_t{1} << size_shift) - 1)) | std::uint64_t{size} << size_shift;
  }
  static constexpr OriginNumber label(std::uint64_t word) noexcept { return word >> label_shift & last_label; }
  // How many bytes a label's counter is behind the first.
  static constexpr std::size_t count_place(std::uint64_t traits) noexcept { return (traits & labelled) >> count_shift; }
  static constexpr std::size_t count_place_of_label(OriginNumber label) noexcept { return std::size_t{label} * sizeof(LabelCount); }
  // The bits in which it differs from that of a live block without a label, as far as state and label go. Turned by count_shift, those of a
  // live block with a label are the place of its counter; a bit of the state comes to the top, and leads to where no counter is.
  static constexpr std::uint32_t strange(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>((word - live) & (state | labelled));
  }
  static constexpr std::size_t count_place_of(std::uint32_t strange) noexcept {
    static_assert(state < std::uint64_t{1} << count_shift);
    return std::rotr(strange, count_shift);
  }
  static constexpr std::uint16_t next(std::uint64_t word) noexcept { return static_cast<std::uint16_t>(word >> next_shift); }
  static constexpr unsigned alignment_log2(std::uint64_t word) noexcept {
    return log2_of(class_step) + (word >> alignment_shift & ((1u << alignment_bits) - 1));
  }
  static constexpr std::size_t alignment(std::uint64_t word) noexcept {
    return class_step << (word >> alignment_shift & ((1u << alignment_bits) - 1));
  }
  static constexpr cadastre_flags flags(std::uint64_t word) noexcept {
    return static_cast<cadastre_flags>(word & (uninitialized | leased));
  }
  // Whether a word is one that is written here, in a slab whose blocks have that room and of which so many were ever in the chain.
  // That of a live block any thread may ask for, while the owner puts more into the chain.
  static constexpr bool is_sound_live(std::uint64_t word, std::size_t room) noexcept { return size(word) <= room && is_alignment(word); }
  static constexpr bool is_sound(std::uint64_t word, std::size_t room, unsigned touched) noexcept {
    const std::uint64_t is = word & state;
    if (is == live || is == leased || is == hidden) return is_sound_live(word, room);
    if (next(word) != no_place && next(word) >= touched) return false;
    if (is == 0 || is == zero) return (word & ~(zero | next_bits)) == 0;
    return (is & ~(moved | zero)) == freed && size_of_freed(word) <= room && is_alignment(word);
  }

 private:
  static constexpr unsigned count_shift = label_shift - log2_of(sizeof(LabelCount));
  static constexpr bool is_alignment(std::uint64_t word) noexcept { return alignment(word) <= page_bytes; }
};

struct BlockRecord {
  std::atomic<std::uint64_t> word;
  std::uint64_t number;  // of the allocation; of a freed block: low halves of that number and of the deallocation's
};
static_assert(sizeof(BlockRecord) == 16);

// The memory of a slab's description is never used for anything else, so that who comes late still reads one.
struct alignas(128) Slab {
  // What every call reads. The shard whose thread alone frees here; null as soon as others do, too.
  std::atomic<Shard*> sole_user = nullptr;
  std::uintptr_t begin = 0;
  BlockRecord* records = nullptr;
  std::uint64_t magic = 0;           // 2^32 / steps of a block, rounded up
  std::uint32_t last_fraction = 0;   // magic - 1
  std::uint32_t steps = 0;           // of all blocks, of class_step each
  std::size_t size = 0;              // of a block, in bytes
  BlockPlace first_free = no_place;  // the first of the chain of free blocks
  std::uint16_t used = 0;            // blocks
  std::uint16_t touched = 0;         // blocks that were ever in the chain
  std::uint16_t blocks = 0;
  std::uint8_t size_class = 0;
  bool listed = false;                // among the owner's slabs that may have room
  bool zeroed = false;                // came zeroed
  std::atomic<bool> damaged = false;  // nothing of it is given out any more
  std::atomic<bool> shared = false;   // others free here: each free is a compare-and-exchange of the word
  std::uint16_t seen = 0;             // what was found in it by who looks for pages without live blocks

  // What is needed less often.
  alignas(64) std::atomic<cadastre_context> context = 0;
  Shard* owner = nullptr;
  Slab *next = nullptr, *previous = nullptr;            // in the ring of those that are listed
  Slab* next_remote = nullptr;                          // in the owner's remote frees
  Chunk *chunk = nullptr, *chunk_of_records = nullptr;  // null: they are in own memory
  std::uint32_t checksum = 0;                           // a check sum of what never changes while it is a slab
  std::uint16_t pages = 0;
  HandOver<BlockPlace, no_place> remote;  // the remote free list: blocks that others have freed

  BlockRecord& record_at(std::size_t place) const noexcept { return records[place]; }
  std::uint64_t word_at(std::size_t place) const noexcept { return records[place].word.load(std::memory_order_relaxed); }
  std::uintptr_t block_at(std::size_t place) const noexcept { return begin + place * size; }
  bool is_sound(std::uint64_t word) const noexcept { return BlockWord::is_sound(word, size, touched); }
  bool is_sound_live(std::uint64_t word) const noexcept { return BlockWord::is_sound_live(word, size); }
  // The place of the block that begins at an address; false when none does.
  bool find_beginning(std::uintptr_t address, std::size_t& place) const noexcept {
    const std::uint64_t steps_before = std::rotr(std::uint64_t{address - begin}, step_log2);  // huge where the address is no multiple
    if (steps_before >= steps) return false;
    const std::uint64_t product = steps_before * magic;
    place = static_cast<std::size_t>(product >> 32);
    return static_cast<std::uint32_t>(product) <= last_fraction;
  }
  // The same of the block around an address.
  bool find_around(std::uintptr_t address, std::size_t& place) const noexcept {
    const std::uint64_t steps_before = (address - begin) >> step_log2;
    if (steps_before >= steps) return false;
    place = static_cast<std::size_t>(steps_before * magic >> 32);
    return true;
  }

  // Lays out blocks of a size from an address on.
  void set_blocks(std::uintptr_t where, std::uint32_t block_size, std::uint32_t number) noexcept {
    const std::uint32_t steps_of_block = block_size >> step_log2;
    begin = where;
    magic = ((std::uint64_t{1} << 32) + steps_of_block - 1) / steps_of_block;
    last_fraction = static_cast<std::uint32_t>(magic - 1);
    steps = number * steps_of_block;
    size = block_size;
    blocks = static_cast<std::uint16_t>(number);
  }

  // Puts the record of a freed block in front of the chain. word: what it is to say, with nothing about the next one.
  void put(BlockRecord& record, BlockPlace place, std::uint64_t word) noexcept {
    record.word.store(word + (std::uint64_t{first_free} << BlockWord::next_shift), std::memory_order_relaxed);
    first_free = place;
    --used;
  }
  // From now on others free here, too. By who is alone, or before anybody knows the slab.
  void share() noexcept {
    shared.store(true, std::memory_order_relaxed);
    sole_user.store(nullptr, std::memory_order_relaxed);
  }
  // Puts more blocks into a chain that is empty; false when all were.
  bool extend() noexcept;
  // Takes over what others have freed; false where what they have left is damaged.
  bool drain() noexcept;
  // Whether what never changes is as it was, and the chain begins with a block that is free, or is empty as it must be.
  bool has_sound_chain() const noexcept;
  bool is_intact() const noexcept { return checksum == checksum_of_all(); }
  // The first place whose word is damaged; blocks where none is.
  unsigned first_damage() const noexcept;
  // Whether no block lives in it, as its records say and not only its count: what is given back may be another's at once.
  bool is_empty_indeed() const noexcept;
  // All of it, for who is alone.
  bool check_invariants() const noexcept;

 private:
  friend Slab* make_slab(Arena& arena, SizeClass size_class, unsigned slabs_before, Shard& owner, cadastre_context context) noexcept;
  static constexpr int step_log2 = log2_of(class_step);
  std::uint32_t checksum_of_all() const noexcept;
};
static_assert(sizeof(Slab) == 128);

// A request that a slab can serve.
struct SlabRequest {
  SizeClass size_class;
  std::uint64_t traits;
};

// What a request without a label comes to; false where its size or alignment does not fit in a slab, or the alignment is none.
[[gnu::always_inline]] inline bool plan_in_slab(std::size_t size, std::size_t alignment, cadastre_flags flags,
                                                SlabRequest& planned) noexcept {
  if (size > largest_in_slab) [[unlikely]]
    return false;
  if (alignment == 0) [[likely]] {
    planned = {class_of_size(size), BlockWord::traits(0, flags)};
    return true;
  }
  if (alignment & (alignment - 1)) [[unlikely]]
    return false;
  alignment = std::max(alignment, class_step);
  const std::size_t rounded = round_up(std::max<std::size_t>(size, 1), alignment);
  if (alignment > page_bytes || rounded > largest_in_slab) [[unlikely]]
    return false;
  planned = {class_of_size(rounded), BlockWord::traits(log2_of(alignment) - log2_of(class_step), flags)};
  return true;
}

// Adds the label; false where it is none of those that a slab can name.
[[gnu::always_inline]] inline bool add_label(OriginNumber label, SlabRequest& planned) noexcept {
  planned.traits |= std::uint64_t{label} << BlockWord::label_shift;
  return label != no_origin && label <= BlockWord::last_label;
}
inline bool add_label_by_search(const char* label, SlabRequest& planned) noexcept { return add_label(number_of_label(label), planned); }
// The same for what is found without a call; false says nothing.
[[gnu::always_inline]] inline bool add_label_at_once(const char* label, SlabRequest& planned) noexcept {
  static_assert(StoredTexts::last_number <= BlockWord::last_label);
  const OriginNumber number = number_at_once(label);
  planned.traits |= std::uint64_t{number} << BlockWord::label_shift;
  if (number != no_origin) [[likely]]
    return true;
  return false;
}

// Whether a block of a slab can have another size where it is.
[[gnu::always_inline]] inline bool keeps_place(const Slab& slab, std::uint64_t word, std::size_t size) noexcept {
  SlabRequest planned;
  return plan_in_slab(size, BlockWord::alignment(word), 0, planned) && planned.size_class == slab.size_class;
}

// A slab with nothing in it yet, in pages of an arena; null when there is no memory.
Slab* make_slab(Arena& arena, SizeClass size_class, unsigned slabs_before, Shard& owner, cadastre_context context) noexcept;
// Nobody is inside the context to which it belonged.
void delete_slab(Slab& slab) noexcept;

void slabs_before_fork() noexcept;
void slabs_after_fork() noexcept;

}  // namespace cadastre::internal
#endif
