// Tangled from org/core/sparse.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/sparse.hpp"

#include <algorithm>
#include <array>

#include "base/lock.hpp"

namespace cadastre::internal {

namespace {

// Blocks of a slab that nobody but its owner may change: those in its chain, and those that were never in it.
class FreeBlocks {
 public:
  // False where the chain makes no sense.
  bool find(const Slab& slab) noexcept {
    for (BlockPlace place = slab.first_free; place != no_place;) {
      if (place >= slab.touched || has(place)) return false;
      const std::uint64_t word = slab.word_at(place);
      if (BlockWord::is_taken(word) || !slab.is_sound(word)) return false;
      add(place);
      place = BlockWord::next(word);
    }
    for (unsigned number = slab.touched; number < slab.blocks; ++number) add(number);
    return true;
  }
  bool has(unsigned number) const noexcept { return words_[number / 64] >> number % 64 & 1; }

 private:
  void add(unsigned number) noexcept { words_[number / 64] |= std::uint64_t{1} << number % 64; }
  std::array<std::uint64_t, most_blocks / 64> words_ = {};
};

bool is_zero(const Slab& slab, unsigned number) noexcept {
  return number < slab.touched ? (slab.word_at(number) & BlockWord::zero) != 0 : slab.zeroed;
}

// Of the blocks from one to before another, all of them free.
void return_run(Slab& slab, unsigned first, unsigned end) noexcept {
  const auto begin_of = [&](unsigned number) { return slab.block_at(number); };
  const bool to_the_end = end == slab.blocks;
  const ReturnedPages gone = return_pages(begin_of(first), to_the_end ? slab.begin + slab.pages * page_bytes : begin_of(end));
  if (!gone.zeroed) return;
  for (unsigned number = first; number < std::min<unsigned>(end, slab.touched); ++number) {
    if (begin_of(number) < gone.begin || begin_of(number + 1) > gone.end) continue;
    std::atomic<std::uint64_t>& word = slab.records[number].word;
    word.store(word.load(std::memory_order_relaxed) | BlockWord::zero, std::memory_order_relaxed);
  }
  if (to_the_end && gone.begin <= begin_of(std::max<unsigned>(first, slab.touched)) && begin_of(end) <= gone.end) slab.zeroed = true;
}

}  // namespace

unsigned return_pages_of(Slab& slab) noexcept {
  FreeBlocks free;
  if (slab.damaged || !slab.is_intact() || slab.touched > slab.blocks || !free.find(slab)) return 0;
  unsigned runs = 0;
  for (unsigned first = 0; first < slab.blocks;) {
    bool dirty = false;
    unsigned end = first;
    for (; end < slab.blocks && free.has(end); ++end) dirty = dirty || !is_zero(slab, end);
    if (dirty) {
      return_run(slab, first, end);
      ++runs;
    }
    first = end + 1;
  }
  return runs;
}

namespace {

// A number, odd and not 1, that is another one as soon as a block has come or gone, as good as always.
std::uint16_t state_of(const Slab& slab) noexcept {
  const bool any = slab.first_free < slab.blocks;
  const std::uint64_t number = any ? slab.record_at(slab.first_free).number : 0;
  const std::uint64_t all = number ^ (std::uint64_t{slab.first_free} << 32 | std::uint64_t{slab.used} << 16 | slab.touched);
  return static_cast<std::uint16_t>(all * 0x9E3779B97F4A7C15u >> 48 | 3);
}

// How often the system was asked.
unsigned decay_slab(Slab& slab) noexcept {
  if (slab.damaged || slab.used == slab.blocks) return 0;
  const std::uint16_t now = state_of(slab), done = static_cast<std::uint16_t>(now - 1);
  if (slab.seen == done) return 0;
  if (slab.seen != now) {
    slab.seen = now;
    return 0;
  }
  slab.seen = done;
  return return_pages_of(slab);
}

}  // namespace

void decay_slabs(Shard& shard, PageTime now) noexcept {
  constexpr unsigned most_slabs = 1024, most_runs = 256;
  if (!is_due_to_decay(shard, now)) return;
  if (shard.remote_frees.load(std::memory_order_relaxed)) shard.take_remote_frees();
  unsigned runs = 0;
  for (unsigned turn = 0; turn < most_slabs && runs < most_runs && shard.decayed < shard.slabs.size(); ++turn) {
    runs += decay_slab(*shard.slabs[shard.decayed++]);
  }
  if (shard.decayed < shard.slabs.size()) return;
  shard.decayed = 0;
  shard.next_decay = now + page_ticks_of_decay;
}

void decay_and_leave(Shard* shards) noexcept {
  const PageTime now = page_time();
  note_lock(Rank::shard);
  while (Shard* const shard = shards) {
    shards = shard->next_with_substitute;
    decay_slabs(*shard, now);
    shard->lock.substitute_leaves();
  }
  note_unlock(Rank::shard);
}

}  // namespace cadastre::internal
