// Tangled from org/core/slow_path.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/slow_path.hpp"

#include <algorithm>
#include <utility>

#include "base/checkers.hpp"
#include "core/sparse.hpp"

namespace cadastre::internal {

void show_block(const Slab& slab, std::uintptr_t begin, std::size_t size, std::uint64_t traits, std::size_t shown) noexcept {
  if (size > shown) (traits & BlockWord::uninitialized ? unpoison : unpoison_defined)(pointer_to(begin + shown), size - shown);
  poison(pointer_to(begin + size), slab.size - size);
}

namespace {

constexpr std::int64_t blocks_ahead = 256;

void draw_serials(Shard& shard, ContextNumbers& numbers) noexcept {
  if (shard.has_the_numbers) return shard.use_numbers(numbers.serial, numbers.deallocation);
  std::uint64_t first = numbers.serial.load(std::memory_order_relaxed), end;
  do {
    end = (first / Counts::numbers_at_once + 1) * Counts::numbers_at_once;
  } while (!numbers.serial.compare_exchange_weak(first, end, std::memory_order_relaxed));
  const bool begins = shard.counts.next_serial == 0;
  shard.use_numbers(first, begins ? numbers.deallocation.fetch_add(Counts::numbers_at_once) : shard.counts.next_deallocation());
}

// Has another shard of the calling thread return what is more than its share; false where it cannot be entered now.
bool shrink(Shard& shard) noexcept;
// Has it return all, and lose its share, if it was not used since it was looked at before.
void drop_idle_share(Shard& shard) noexcept;

void take_share(Shard& shard, Thread& thread) noexcept {
  thread.drop_idle_shares([&shard](Shard& other) {
    if (&other != &shard) drop_idle_share(other);
  });
  thread.widen_share();
  const bool has_share = shard.slack.load(std::memory_order_relaxed) > 0;
  const auto shrinks = [&shard](Shard& other) { return &other == &shard || shrink(other); };
  if (has_share || thread.take_share() || (thread.halve_share(shrinks) && thread.take_share())) {
    shard.slack.store(thread.share() / 2, std::memory_order_relaxed);
  }
}

// A handler of signals that finds its thread there claims what it needs, and no more.
std::int64_t renew_slack(Shard& shard) noexcept {
  Thread& thread = *shard.thread;
  const std::int64_t slack = shard.slack.load(std::memory_order_relaxed);
  if (slack > 0 && thread.is_share_whole()) return slack;
  if (thread.is_sharing()) return 0;
  thread.set_sharing(true);
  take_share(shard, thread);
  thread.set_sharing(false);
  return shard.slack.load(std::memory_order_relaxed);
}

void note_marks(Shard& shard) noexcept {
  shard.heap->counts().account.note_marks(CADASTRE_HOST, static_cast<std::size_t>(shard.claimed_bytes - shard.most_bytes),
                                          shard.claimed_blocks - shard.most_blocks);
}

// From here on frees, and less for a block, are done at once, until as much is claimed and not in use as may be. Where bytes are scarce
// none is: the next one returns what it frees.
void set_cap(Shard& shard) noexcept {
  const bool scarce = shard.heap->counts().account.are_scarce(CADASTRE_HOST);
  const std::int64_t share = 2 * shard.slack.load(std::memory_order_relaxed);
  shard.counts.bytes_limit_cap = scarce ? -1 : shard.counts.bytes_limit + shard.live_bytes() + share - shard.claimed_bytes;
}

void end_growth(Shard& shard) noexcept {
  if (!shard.is_growing) return;
  shard.end_growth();
  set_cap(shard);
}

// Claims what lives and more in advance, where no limit is near and nobody waits for bytes; false where a limit refuses.
bool claim(Shard& shard, std::int64_t bytes, std::int64_t blocks) noexcept {
  SharedAccount& account = shard.heap->counts().account;
  note_marks(shard);
  const std::int64_t more_blocks = std::max<std::int64_t>(blocks + blocks_ahead - shard.claimed_blocks, 0);
  const std::int64_t slack = renew_slack(shard);
  const bool only_these = bytes - shard.claimed_bytes >= slack || account.are_scarce(CADASTRE_HOST);
  for (const std::int64_t ahead : {only_these ? 0 : slack, std::int64_t{0}}) {
    const std::int64_t more = std::max<std::int64_t>(bytes + ahead - shard.claimed_bytes, 0);
    if (account.claim(CADASTRE_HOST, static_cast<std::size_t>(more))) continue;
    if (account.room(CADASTRE_HOST) < 0) {  // pools keep what they have to give up now, which takes a locked call
      account.cancel(CADASTRE_HOST, static_cast<std::size_t>(more));
      continue;
    }
    account.settle_unmarked(CADASTRE_HOST, static_cast<std::size_t>(more), more_blocks);
    shard.claimed_bytes += more;
    shard.claimed_blocks += more_blocks;
    return true;
  }
  return false;
}

// Looks at a few slabs, from one call to the next at all, and counts those that are empty.
void look_for_empty_slabs(Shard& shard) noexcept {
  for (int turn = 0; turn < 4 && !shard.slabs.empty(); ++turn) {
    if (shard.looked_at >= shard.slabs.size()) shard.looked_at = shard.empty = 0;
    shard.empty += shard.slabs[shard.looked_at++]->used == 0;
  }
}

void decay(Shard& shard) noexcept {
  const PageTime now = page_time();
  decay_slabs(shard, now);
  shard.decay_is_due = Arena::is_due_to_decay(now);
}

// Inside another shard of the calling thread, if it has a share by then.
template <class Work>
bool in_other(Shard& shard, Work work) noexcept {
  const cadastre_context context = shard.last_context;
  if (!shard.lock.enter_at_once(context) && !shard.lock.enter(context)) return false;
  if (shard.slack.load(std::memory_order_relaxed) > 0 && shard.counts.next_serial != 0) work();
  shard.lock.leave(context);
  return true;
}

void set_slack(Shard& shard, std::int64_t slack) noexcept {
  end_growth(shard);
  shard.slack.store(slack, std::memory_order_relaxed);
  return_excess(shard, slack);
}

bool shrink(Shard& shard) noexcept {
  return in_other(shard, [&] { set_slack(shard, shard.thread->share() / 2); });
}

void drop_idle_share(Shard& shard) noexcept {
  in_other(shard, [&] {
    if (std::exchange(shard.uses_before, shard.uses()) != shard.uses()) return;
    set_slack(shard, 0);
    shard.thread->give_share_back();
  });
}

}  // namespace

void return_excess(Shard& shard, std::optional<std::int64_t> known) noexcept {
  const SharedAccount& account = shard.heap->counts().account;
  const bool is_over = account.room(CADASTRE_HOST) < 0 || account.are_scarce(CADASTRE_HOST);
  const std::int64_t slack = is_over ? 0 : known ? *known : renew_slack(shard), live = shard.live_bytes(), most = live + 2 * slack;
  if (shard.claimed_bytes > most) {
    note_marks(shard);
    const std::int64_t keep = live + slack;
    shard.heap->counts().account.discharge_noted(CADASTRE_HOST, static_cast<std::size_t>(shard.claimed_bytes - keep), 0);
    shard.claimed_bytes = keep;
    if (shard.most_bytes > keep) shard.set_most(keep, shard.most_blocks);
  }
  set_cap(shard);
  if (is_over) shard.counts.bytes_limit_cap = -1;
}

void make_numbers_ready(Shard& shard) noexcept {
  const Counts& counts = shard.counts;
  const bool has_some = counts.next_serial != 0 && (counts.next_serial % Counts::numbers_at_once != 0 || shard.has_the_numbers);
  if (!has_some) draw_serials(shard, shard.heap->counts().numbers);
}

namespace {

// In few calls of many, but in the first after the counts were gathered.
void decay_sometimes(Shard& shard) noexcept {
  if (++shard.decay_calls % 16 == 0 || shard.claimed_bytes == 0) decay(shard);
}

// Numbers and bytes; false where a limit refuses.
bool make_counts_ready(Shard& shard, std::size_t size) noexcept {
  constexpr unsigned calls_before_growth = 4;
  end_growth(shard);
  make_numbers_ready(shard);
  const std::int64_t bytes = shard.live_bytes() + static_cast<std::int64_t>(size), blocks = shard.live_blocks() + 1;
  const bool claims = bytes > shard.claimed_bytes || blocks > shard.claimed_blocks;
  if (claims) {
    decay_sometimes(shard);
    if (!claim(shard, bytes, blocks)) return false;
  }
  shard.set_most(std::max(shard.most_bytes, bytes), std::max(shard.most_blocks, blocks));
  if (claims) set_cap(shard);
  const std::int64_t frees = shard.allocations() - shard.live_blocks();
  if (std::exchange(shard.frees_before, frees) != frees) shard.calls_to_grow = 0;
  if (shard.calls_to_grow == calls_before_growth) {
    shard.begin_growth();
  } else {
    ++shard.calls_to_grow;
  }
  return true;
}

}  // namespace

Room make_room(Shard& shard, std::size_t size, SizeClass size_class, cadastre_context context, Slab*& slab) noexcept {
  const std::size_t slabs = shard.slabs.size();
  slab = shard.slab_with_room(size_class, shard.thread->arena(), context);
  if (!slab) return Room::no_memory;
  if (shard.slabs.size() != slabs) decay(shard);
  return make_counts_ready(shard, size) ? Room::found : Room::refused;
}

bool file_alone(Shard& shard, Record& block) noexcept {
  Counts& counts = shard.counts;
  if (!counts.has_headroom_for(block.size) && !make_counts_ready(shard, block.size)) return false;
  block.serial = counts.next_serial;
  if (!shard.heap->table().file(block)) return false;
  counts.count_in(block.size);
  shard.count_label(block.origin, LabelCount::of_one(block.size));
  if (block.flags & CADASTRE_UNINITIALIZED) counts.count_uninitialized(block.size);
  return true;
}

bool resize_any(Shard& shard, Slab& slab, std::uintptr_t address, std::size_t size, std::uint64_t& word) noexcept {
  std::size_t place = 0;
  if (slab.owner != &shard || slab.damaged || !slab.is_intact() || !slab.find_beginning(address, place)) return false;
  BlockRecord& record = slab.record_at(place);
  word = record.word.load(std::memory_order_relaxed);
  if (!is_live(slab, word) || !keeps_place(slab, word, size)) return false;
  end_growth(shard);
  const std::int64_t bytes = shard.live_bytes() + growth_of(word, size);
  const bool claims = bytes > shard.claimed_bytes;
  if (claims && !claim(shard, bytes, shard.live_blocks())) return false;
  if (shard.counts.next_serial == 0) draw_serials(shard, shard.heap->counts().numbers);  // the next call may be a free at once
  std::uint64_t before = word;
  if (!slab.shared.load(std::memory_order_relaxed)) {
    record.word.store(BlockWord::with_size(word, size), std::memory_order_relaxed);
  } else if (!record.word.compare_exchange_strong(before, BlockWord::with_size(word, size), std::memory_order_relaxed)) {
    return false;
  }
  shard.set_most(std::max(shard.most_bytes, bytes), shard.most_blocks);
  if (claims) set_cap(shard);
  count_resize(shard, word, size);
  show_block(slab, address, size, word, BlockWord::size(word));
  shard.count_label(BlockWord::label(word), {.bytes = growth_of(word, size)});
  if (shard.counts.bytes_limit > shard.counts.bytes_limit_cap) return_excess(shard);
  return true;
}

Freed free_any(Shard& shard, Slab& slab, std::uintptr_t address) noexcept {
  std::size_t at = 0;
  if (!slab.find_beginning(address, at)) return Freed::unknown;
  const auto place = static_cast<BlockPlace>(at);
  BlockRecord& record = slab.record_at(place);
  std::uint64_t word = record.word.load(std::memory_order_relaxed);
  if (!is_live(slab, word) || !slab.is_sound_live(word)) return Freed::unknown;
  const bool shared = slab.shared.load(std::memory_order_relaxed), own = slab.owner == &shard;
  if (!shared && !own) return Freed::not_shared;
  const std::uint64_t freed = word_of_just_freed(word);
  if (shared && !record.word.compare_exchange_strong(word, freed, std::memory_order_acq_rel, std::memory_order_relaxed))
    return Freed::unknown;
  Counts& counts = shard.counts;
  if (counts.next_serial == 0) draw_serials(shard, shard.heap->counts().numbers);
  end_growth(shard);
  poison(pointer_to(address), slab.size);
  shard.count_label(BlockWord::label(word), LabelCount::of_one(BlockWord::size(word)).negated());
  if (slab.damaged) {
    note_deallocation(record, counts.count_out(BlockWord::size(word)));
  } else {
    put_or_hand_over(shard, slab, record, place, word);
  }
  if (counts.bytes_limit <= counts.bytes_limit_cap) return Freed::yes;
  look_for_empty_slabs(shard);
  return_excess(shard);
  decay_sometimes(shard);
  return shard.has_many_empty_slabs() ? Freed::empties : Freed::yes;
}

}  // namespace cadastre::internal
