// Tangled from org/core/slab.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/slab.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/checkers.hpp"
#include "base/fail.hpp"
#include "base/own_memory.hpp"
#include "core/page_map.hpp"

namespace cadastre::internal {

namespace {

constinit Mutex<Rank::slabs> spare_mutex;
constinit Slab* spare_slabs CADASTRE_GUARDED_BY(spare_mutex) = nullptr;

Slab* take_description() noexcept {
  const Locked locked(spare_mutex);
  if (!spare_slabs) {
    constexpr std::size_t at_once = 32;
    auto* const fresh = static_cast<Slab*>(take_own(at_once * sizeof(Slab)));
    if (!fresh) return nullptr;
    for (std::size_t number = at_once; number-- > 0;) {
      Slab* const slab = ::new (fresh + number) Slab;
      slab->next = spare_slabs;
      spare_slabs = slab;
    }
  }
  Slab* const slab = spare_slabs;
  spare_slabs = slab->next;
  return slab;
}

void give_description(Slab& slab) noexcept {
  const Locked locked(spare_mutex);
  slab.next = spare_slabs;
  spare_slabs = &slab;
}

}  // namespace

bool Slab::extend() noexcept {
  const auto at_once = static_cast<unsigned>(size >= page_bytes ? 1 : page_bytes / size);
  const unsigned end = std::min<unsigned>(touched + at_once, blocks);
  if (end == touched || damaged) return false;
  const std::uint64_t word = zeroed ? BlockWord::zero : 0;
  BlockPlace next_place = no_place;
  for (unsigned number = end; number-- > touched;) {
    records[number].word.store(word | std::uint64_t{next_place} << BlockWord::next_shift, std::memory_order_relaxed);
    next_place = static_cast<BlockPlace>(number);
  }
  touched = static_cast<std::uint16_t>(end);
  first_free = next_place;
  return true;
}

// A block is handed over while it counts as used, so a chain that leads to more than that leads nowhere.
bool Slab::drain() noexcept {
  for (BlockPlace place = remote.take(); place != no_place;) {
    if (place >= touched || used == 0) return false;
    const std::uint64_t word = word_at(place);
    if (!(word & BlockWord::freed) || !is_sound(word)) return false;
    put(record_at(place), place, word & ~BlockWord::next_bits);
    place = BlockWord::next(word);
  }
  return true;
}

std::uint32_t Slab::checksum_of_all() const noexcept {
  std::uint64_t sum = 0x9e3779b97f4a7c15;
  for (const std::uint64_t part :
       {std::uint64_t{begin}, std::uint64_t{reinterpret_cast<std::uintptr_t>(records)}, magic, std::uint64_t{size} << 32 | steps,
        std::uint64_t{last_fraction} << 32 | pages, std::uint64_t{reinterpret_cast<std::uintptr_t>(chunk)},
        std::uint64_t{reinterpret_cast<std::uintptr_t>(chunk_of_records)}, std::uint64_t{size_class} << 16 | blocks,
        std::uint64_t{reinterpret_cast<std::uintptr_t>(owner)}}) {
    sum = std::rotl((sum ^ part) * 0xff51afd7ed558ccd, 29);
  }
  return static_cast<std::uint32_t>(sum >> 32 ^ sum);
}

bool Slab::has_sound_chain() const noexcept {
  if (!is_intact() || touched > blocks) return false;
  if (first_free == no_place) return used == touched;
  return first_free < touched && used < touched && !BlockWord::is_taken(word_at(first_free)) && is_sound(word_at(first_free));
}

unsigned Slab::first_damage() const noexcept {
  unsigned place = 0;
  while (place < blocks && is_sound(word_at(place)) && (place < touched || word_at(place) == 0)) ++place;
  return place;
}

bool Slab::is_empty_indeed() const noexcept {
  if (!is_intact() || touched > blocks) return false;
  std::uint64_t bits = used;
  for (unsigned place = 0; place < blocks; ++place) bits |= word_at(place) & BlockWord::taken;
  return bits == 0;
}

bool Slab::check_invariants() const noexcept {
  if (!is_intact() || touched > blocks || std::size_t{blocks} * size != steps * class_step || first_damage() != blocks) return false;
  unsigned live = 0, chained = 0, far = 0;
  for (unsigned place = 0; place < touched; ++place) live += BlockWord::is_taken(word_at(place));
  const auto count = [this](BlockPlace place, unsigned& sum) {
    for (; place != no_place; place = BlockWord::next(word_at(place))) {
      if (place >= touched || ++sum > blocks || BlockWord::is_taken(word_at(place))) return false;
    }
    return true;
  };
  return count(first_free, chained) && count(remote.first(), far) && live + far == used && chained + far + live == touched;
}

namespace {

struct Records {
  BlockRecord* begin;
  Chunk* chunk;
};

constexpr std::size_t record_bytes(unsigned blocks) noexcept { return blocks * sizeof(BlockRecord); }
constexpr unsigned record_pages(unsigned blocks) noexcept {
  return static_cast<unsigned>((record_bytes(blocks) + page_bytes - 1) / page_bytes);
}

// All zero; begin is null when there is no memory.
Records take_records(Arena& arena, unsigned blocks) noexcept {
  if (record_bytes(blocks) >= page_bytes) {
    const PageRun run = fails(Point::internal) ? PageRun() : arena.take(record_pages(blocks), PagesFor::records);
    if (run.begin != 0) {
      if (!run.zeroed) std::memset(reinterpret_cast<void*>(run.begin), 0, record_bytes(blocks));
      return {reinterpret_cast<BlockRecord*>(run.begin), run.chunk};
    }
  }
  return {static_cast<BlockRecord*>(take_own(record_bytes(blocks))), nullptr};
}

void give_records(const Records& records, unsigned blocks) noexcept {
  if (!records.chunk) return give_own(records.begin, record_bytes(blocks));
  Arena::give(*records.chunk, address_of(records.begin), record_pages(blocks));
}

}  // namespace

Slab* make_slab(Arena& arena, SizeClass size_class, unsigned slabs_before, Shard& owner, cadastre_context context) noexcept {
  const SlabShape shape = slab_shape(size_class, slabs_before);
  Slab* const slab = take_description();
  if (!slab) return nullptr;
  const Records records = take_records(arena, shape.blocks);
  const PageRun run = records.begin ? arena.take(shape.pages) : PageRun();
  if (run.begin == 0) {
    give_records(records, shape.blocks);
    give_description(*slab);
    return nullptr;
  }
  slab->set_blocks(run.begin, static_cast<std::uint32_t>(size_of_class(size_class)), shape.blocks);
  slab->records = records.begin;
  slab->chunk_of_records = records.chunk;
  slab->seen = 0;
  slab->first_free = no_place;
  slab->used = 0;
  slab->touched = 0;
  slab->size_class = static_cast<std::uint8_t>(size_class);
  slab->listed = false;
  slab->damaged.store(false, std::memory_order_relaxed);
  slab->zeroed = run.zeroed;
  slab->owner = &owner;
  slab->chunk = run.chunk;
  slab->pages = static_cast<std::uint16_t>(shape.pages);
  slab->checksum = slab->checksum_of_all();
  slab->shared.store(false, std::memory_order_relaxed);
  slab->remote.clear();
  slab->context.store(context, std::memory_order_release);
  slab->sole_user.store(&owner, std::memory_order_relaxed);
  poison(pointer_to(run.begin), shape.pages * page_bytes);
  page_map.set(run.begin, shape.pages, slab);
  return slab;
}

void delete_slab(Slab& slab) noexcept {
  if (!slab.is_intact()) {
    slab.context.store(0, std::memory_order_relaxed);
    slab.sole_user.store(nullptr, std::memory_order_relaxed);
    return;
  }
  page_map.set(slab.begin, slab.pages, nullptr);
  slab.sole_user.store(nullptr, std::memory_order_relaxed);
  slab.context.store(0, std::memory_order_relaxed);
  give_records({slab.records, slab.chunk_of_records}, slab.blocks);
  unpoison(pointer_to(slab.begin), slab.pages * page_bytes);
  Arena::give(*slab.chunk, slab.begin, slab.pages);
  give_description(slab);
}

void slabs_before_fork() noexcept CADASTRE_UNCHECKED { spare_mutex.lock_for_fork(); }
void slabs_after_fork() noexcept CADASTRE_UNCHECKED { spare_mutex.unlock(); }

}  // namespace cadastre::internal
