// Tangled from org/core/heap_shards.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/heap_shards.hpp"

#include <time.h>

#include <algorithm>
#include <utility>

#include "core/sparse.hpp"

namespace cadastre::internal {

namespace {

// Longer and longer from turn to turn, asleep in the end: who is waited for may have a lower priority.
class Patience {
 public:
  void wait() noexcept {
    if (++turns_ < 100) {
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
      return;
    }
    const timespec moment{0, turns_ < 200 ? 1000 : 50000};
    nanosleep(&moment, nullptr);
  }

 private:
  unsigned turns_ = 0;
};

}  // namespace

Others HeapShards::close_shard_locks() noexcept {
  const Thread* const here = Thread::self_if_known();
  Others others = Others::none;
  has_others_ = false;
  for (Shard* const shard : shards_) {
    if (shard->thread != here) {
      has_others_ = true;
      if (shard->lock.is_open()) others = std::max(others, shard->lock.is_open_for_light() ? Others::light : Others::fenced);
    }
    shard->lock.close(context_);
  }
  if (has_substitutes_) others = std::max(others, Others::fenced);
  open_ = Open::to_nobody;
  return others;
}

bool HeapShards::await_others(Moment until) noexcept {
  const NotCancelled in_my_sleep;
  const Thread* const here = Thread::self_if_known();
  for (const Shard* const shard : shards_) {
    const auto is_used = [&] { return shard->lock.has_substitute() || (shard->thread != here && !shard->lock.is_left()); };
    for (Patience patience; is_used(); patience.wait()) {
      if (until != Moment::max() && std::chrono::steady_clock::now() > until) return false;
    }
  }
  has_substitutes_ = false;
  return true;
}

void await_substitute(const Shard& shard) noexcept {
  const NotCancelled in_my_sleep;
  for (Patience patience; shard.lock.has_substitute(); patience.wait()) continue;
}

Shard* HeapShards::let_substitute_into_idle() noexcept {
  const Thread* const here = Thread::self_if_known();
  const auto is_idle = [=, this](const Shard& shard) {
    const bool is_own = here && shard.thread == here;
    return !is_own && &shard != one_ && shard.lock.is_left() && !shard.lock.has_substitute() && !shard.slabs.empty();
  };
  const PageTime now = page_time();
  Shard* first = nullptr;
  for (Shard* const shard : shards_) {
    if (!is_idle(*shard) || !is_due_to_decay(*shard, now)) continue;
    shard->lock.let_substitute_in();
    shard->next_with_substitute = std::exchange(first, shard);
  }
  has_substitutes_ = has_substitutes_ || first;
  return first;
}

void HeapShards::let_in(Shard& shard) noexcept {
  shard.has_the_numbers = shards_.size() == 1 && !shares_numbers_;
  shard.uses_slabs.store(rules_.uses_slabs, std::memory_order_relaxed);
  shard.alone_below.store(rules_.alone_below, std::memory_order_relaxed);
  shard.lock.open(context_, open_for_);
}

void HeapShards::unlock(cadastre_context context) noexcept {
  if (has_substitutes_) return unlock_but_those_with_substitutes(context);
  if (open_ == Open::to_all) return;
  context_ = context;
  open_ = Open::to_all;
  one_ = nullptr;
  for (Shard* const shard : shards_) {
    if (shard->thread) let_in(*shard);
  }
}

// The others' shard locks are opened by a locked call that comes when the substitutes have left.
void HeapShards::unlock_but_those_with_substitutes(cadastre_context context) noexcept {
  context_ = context;
  open_ = Open::to_all;
  one_ = nullptr;
  has_substitutes_ = false;
  for (Shard* const shard : shards_) {
    const bool has_substitute = shard->lock.has_substitute();
    has_substitutes_ = has_substitutes_ || has_substitute;
    if (shard->thread && !has_substitute && !shard->lock.is_open()) let_in(*shard);
  }
}

void HeapShards::unlock_for_caller(cadastre_context context) noexcept {
  if (open_ == Open::to_one) return;
  context_ = context;
  one_ = own_shard();
  unlock_for_locker();
}

void HeapShards::unlock_for_locker() noexcept {
  open_ = Open::to_one;
  if (one_) let_in(*one_);
}

Shard* HeapShards::own_shard() const noexcept {
  Thread* const thread = Thread::self_if_known();
  Shard* const shard = thread ? thread->shard_of(context_) : nullptr;
  return shard && shard->heap == &whole_ ? shard : nullptr;
}

bool HeapShards::provide_shard(cadastre_context context) noexcept {
  gather_own();
  context_ = context;
  if (own_shard()) return true;
  const auto joins = [this](Shard& shard) {
    if (open_ == Open::to_one) one_ = &shard;
    if (!is_locked() && !shard.lock.has_substitute()) let_in(shard);
  };
  Thread* const thread = Thread::self();
  if (!thread) return false;
  Shard* shard = nullptr;
  for (std::size_t place = 0; orphans_ > 0 && place < shards_.size() && !shard; ++place) {
    if (!shards_[place]->thread) shard = shards_[place];
  }
  if (shard) {
    if (!thread->add(context, *shard)) return false;
    --orphans_;
    shard->thread = thread;
    return joins(*shard), true;
  }
  if (!shards_.reserve_one() || !(shard = thread->take_spare())) return false;
  if (!thread->add(context, *shard)) return Thread::give_spare(thread, *shard), false;
  std::fill(std::begin(shard->current), std::end(shard->current), &no_slab);
  std::fill(std::begin(shard->slabs_of_class), std::end(shard->slabs_of_class), 0);
  std::fill(std::begin(shard->shared_of_class), std::end(shard->shared_of_class), 0);
  shard->heap = &whole_;
  shard->thread = thread;
  shard->last_context = context;
  shard->lock.renew(context);
  shard->thread_workspace = nullptr;
  shard->cache = nullptr;
  shard->asked = {};
  shard->clear_counts();
  shard->empty = shard->looked_at = shard->decayed = 0;
  shard->damage = nullptr;
  shards_.push_back(shard);
  return joins(*shard), true;
}

void HeapShards::abandon(Shard& shard) noexcept {
  if (shard.heap != &whole_ || !shard.thread) return;
  await_substitute(shard);
  gather(shard);
  shard.label_counts.move_to(counts_.labels);
  shard.thread = nullptr;
  shard.thread_workspace = nullptr;
  shard.cache = nullptr;
  shard.has_the_numbers = false;
  shard.lock.close(context_);
  if (one_ == &shard) one_ = nullptr;
  ++orphans_;
}

void HeapShards::gather(Shard& shard) noexcept {
  shard.hand_over_all();
  shard.end_growth();
  if (shard.has_counted()) gather_counts(shard);
  if (shard.slack.load(std::memory_order_relaxed) == 0) return;
  shard.slack.store(0, std::memory_order_release);
  if (shard.thread) shard.thread->give_share_back();
}

void HeapShards::gather_counts(Shard& shard) noexcept {
  cadastre_statistics_struct& figures = counts_.figures;
  const std::int64_t live_bytes = shard.live_bytes(), live_blocks = shard.live_blocks(), allocations = shard.allocations();
  const std::int64_t total = shard.counts.allocated_bytes;
  counts_.account.note_marks(CADASTRE_HOST, static_cast<std::size_t>(shard.claimed_bytes - shard.most_bytes),
                             shard.claimed_blocks - shard.most_blocks);
  counts_.account.discharge_noted(CADASTRE_HOST, static_cast<std::size_t>(shard.claimed_bytes - live_bytes),
                                  shard.claimed_blocks - live_blocks);
  figures.live_bytes = static_cast<std::size_t>(static_cast<std::int64_t>(figures.live_bytes) + live_bytes);
  figures.live_blocks += live_blocks;
  figures.allocations += allocations;
  figures.deallocations += allocations - live_blocks;
  figures.reallocations += shard.counts.reallocations;
  figures.total_bytes += static_cast<std::size_t>(total);
  figures.zeroed_bytes += static_cast<std::size_t>(total - shard.counts.uninitialized_bytes);
  if (shard.has_the_numbers && shard.counts.next_serial != 0) {
    counts_.numbers.serial = shard.counts.next_serial;
    counts_.numbers.deallocation = shard.counts.next_deallocation();
  } else if (shard.counts.next_serial != 0) {
    counts_.numbers.pass(shard.counts.next_deallocation());
  }
  shard.clear_counts();
}

void HeapShards::gather() noexcept {
  for (Shard* const shard : shards_) gather(*shard);
  cadastre_statistics_struct& figures = counts_.figures;
  figures.high_water_mark_bytes = std::max(figures.high_water_mark_bytes, figures.live_bytes);
  figures.high_water_mark_blocks = std::max(figures.high_water_mark_blocks, figures.live_blocks);
}

void HeapShards::gather_own() noexcept {
  if (is_locked()) return;
  Shard* const own = own_shard();
  if (shards_.size() == 1 && shards_[0]->has_the_numbers && shards_[0] != own) {
    lock();
    shares_numbers_ = true;
    return;
  }
  if (!own || !own->has_counted()) return;
  const ShardInUse inside(*own);
  gather(*own);
}

std::uint64_t HeapShards::labels_end() const noexcept {
  std::uint64_t end = counts_.labels.end();
  for (const Shard* const shard : shards_) end = std::max<std::uint64_t>(end, shard->label_counts.end());
  return end;
}

LabelCount HeapShards::count_of_label(OriginNumber label) const noexcept {
  LabelCount sum = counts_.labels.of(label);
  for (const Shard* const shard : shards_) sum.add(shard->label_counts.told(label));
  return sum;
}

void HeapShards::renew() noexcept {
  context_ = 0;
  open_ = Open::to_nobody;
  shares_numbers_ = has_others_ = has_substitutes_ = false;
  rules_ = HeapRules();
}

void HeapShards::in_child() noexcept {
  const Thread* const here = Thread::self_if_known();
  if (one_ && one_->thread != here) one_ = nullptr;
  orphans_ = 0;
  for (Shard* const shard : shards_) {
    if (shard->thread != here || !here) {
      shard->thread = nullptr;
      shard->lock.renew(context_);
    }
    orphans_ += shard->thread == nullptr;
  }
}
}  // namespace cadastre::internal
