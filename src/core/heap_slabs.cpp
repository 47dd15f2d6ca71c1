// Tangled from org/core/heap_slabs.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "base/checkers.hpp"
#include "core/heap.hpp"
#include "core/slow_path.hpp"

namespace cadastre::internal {

Record Heap::record_of(const Slab& slab, std::size_t place, std::uint64_t word) const noexcept {
  const bool freed = (word & BlockWord::freed) != 0;
  const std::uint64_t number = slab.record_at(place).number;
  // The last number with these low bits that was drawn before the next one.
  const auto whole = [](std::uint32_t low, std::uint64_t next) { return next - 1 - static_cast<std::uint32_t>(next - 1 - low); };
  Record record;
  record.pointer = reinterpret_cast<void*>(slab.block_at(place));
  record.size = freed ? BlockWord::size_of_freed(word) : BlockWord::size(word);
  record.serial = freed ? whole(static_cast<std::uint32_t>(number), counts_.numbers.serial) : number;
  record.how = how_in_slab;
  record.stride_or_freed =
      freed && !(word & BlockWord::moved) ? whole(static_cast<std::uint32_t>(number >> 32), counts_.numbers.deallocation) : 0;
  record.origin = BlockWord::label(word);
  record.alignment_log2 = log2_of(BlockWord::alignment(word));
  record.backend = CADASTRE_BACKEND_HOST;
  record.flags = static_cast<std::uint16_t>(BlockWord::flags(word));
  record.state = freed ? State::freed : State::live;
  return record;
}

const Slab* Heap::slab_at(std::uintptr_t address) const noexcept {
  const Slab* const slab = page_map.slab_at(address);
  const bool ours = slab && slab->context.load(std::memory_order_acquire) == context_ && context_ != 0 && slab->is_intact();
  return ours ? slab : nullptr;
}

std::optional<Record> Heap::look(std::uintptr_t address, bool freed, bool exact) const noexcept {
  const Slab* const slab = slab_at(address);
  if (!slab) return std::nullopt;
  std::size_t place = 0;
  if (!slab->find_around(address, place)) return std::nullopt;
  const std::uint64_t word = slab->word_at(place);
  const std::uintptr_t begin = slab->block_at(place);
  const bool right = slab->is_sound(word) && (freed ? (word & BlockWord::freed) != 0 : BlockWord::is_there(word));
  const bool holds = address == begin || (!exact && address - begin < BlockWord::size_of_freed(word));
  return right && holds ? std::optional(record_of(*slab, place, word)) : std::nullopt;
}

std::optional<Record> Heap::at(std::uintptr_t address) const noexcept { return look(address, false, true); }
std::optional<Record> Heap::around(std::uintptr_t address) const noexcept { return look(address, false, false); }
std::optional<Record> Heap::freed_around(std::uintptr_t address) const noexcept { return look(address, true, false); }

void* Heap::allocate(std::size_t size, SizeClass size_class, std::uint64_t traits, cadastre_context context) noexcept {
  if (!provide_shard(context)) return nullptr;
  Shard& shard = *own_shard();
  const ShardInUse inside(shard);
  Slab* const slab = shard.slab_with_room(size_class, shard.thread->arena(), context);
  if (!slab) return nullptr;
  const std::size_t place = slab->first_free;
  const std::uint64_t before = slab->word_at(place);
  const std::uintptr_t begin = take_first(*slab, place, slab->record_at(place), before, size, traits, counts_.numbers.serial++);
  void* const block = reinterpret_cast<void*>(begin);
  unpoison(block, slab->size);
  if (!(traits & BlockWord::uninitialized) && !(before & BlockWord::zero)) cleared(begin, size, slab->size);
  show_block(*slab, begin, size, traits);
  return block;
}

void Heap::free(std::uintptr_t address, bool moved) noexcept {
  Slab& slab = *page_map.slab_at(address);
  std::size_t at = 0;
  slab.find_beginning(address, at);
  const auto place = static_cast<BlockPlace>(at);
  BlockRecord& record = slab.record_at(place);
  if (!moved) note_deallocation(record, counts_.numbers.deallocation++);
  const std::uint64_t freed = word_of_freed(record.word.load(std::memory_order_relaxed)) | (moved ? BlockWord::moved : 0);
  poison(pointer_to(address), slab.size);
  if (slab.damaged) return record.word.store(freed, std::memory_order_relaxed);
  slab.put(record, place, freed);
  if (!slab.listed) slab.owner->list(slab);
}

std::atomic<std::uint64_t>& Heap::word_of(std::uintptr_t address) const noexcept {
  const Slab& slab = *page_map.slab_at(address);
  std::size_t place = 0;
  slab.find_beginning(address, place);
  return slab.record_at(place).word;
}

void Heap::set_leased(std::uintptr_t address, bool leased) noexcept {
  std::atomic<std::uint64_t>& word = word_of(address);
  const std::uint64_t now = leased ? BlockWord::leased : BlockWord::live;
  word.store((word.load(std::memory_order_relaxed) & ~BlockWord::in_use) | now, std::memory_order_relaxed);
}

void Heap::set_hidden(std::uintptr_t address, bool hidden) noexcept {
  std::atomic<std::uint64_t>& word = word_of(address);
  const std::uint64_t now = hidden ? BlockWord::hidden : BlockWord::live;
  word.store((word.load(std::memory_order_relaxed) & ~BlockWord::taken) | now, std::memory_order_relaxed);
}

bool Heap::resize(std::uintptr_t address, std::size_t size) noexcept {
  std::atomic<std::uint64_t>& word = word_of(address);
  const std::uint64_t before = word.load(std::memory_order_relaxed);
  if (!keeps_place(*page_map.slab_at(address), before, size)) return false;
  word.store(BlockWord::with_size(before, size), std::memory_order_relaxed);
  show_block(*page_map.slab_at(address), address, size, before, BlockWord::size(before));
  clear_growth(address, before, size);
  return true;
}

std::uint64_t& Heap::number_of(std::uintptr_t address) noexcept {
  Slab& slab = *page_map.slab_at(address);
  std::size_t place = 0;
  slab.find_beginning(address, place);
  return slab.record_at(place).number;
}

Heap::Slabs Heap::slabs() const noexcept {
  Slabs all;
  for (const Shard* shard : shards_) {
    all.count += shard->slabs.size();
    all.capacity += shard->slabs.capacity();
    all.doublings += shard->slabs.doublings();
  }
  return all;
}

Damage Heap::damage_of(const Slab& slab) noexcept {
  Damage damage{slab.begin, slab.size, no_origin};
  if (!slab.is_intact()) return damage;
  const unsigned place = slab.first_damage();
  for (const unsigned next : {place - 1, place + 1}) {
    if (place == slab.blocks || next >= slab.touched || damage.neighbour != no_origin) continue;
    const std::uint64_t word = slab.word_at(next);
    if (BlockWord::is_there(word) && slab.is_sound(word)) damage.neighbour = BlockWord::label(word);
  }
  return damage;
}

std::optional<Damage> Heap::damage_around(std::uintptr_t address) noexcept {
  Slab* const slab = page_map.slab_at(address);
  if (!slab || (slab->is_intact() && slab->context.load(std::memory_order_relaxed) != context_)) return std::nullopt;
  const auto has_it = [slab](const Shard* shard) {
    return std::find(shard->slabs.begin(), shard->slabs.end(), slab) != shard->slabs.end();
  };
  const auto owner = std::find_if(shards_.begin(), shards_.end(), has_it);
  if (owner == shards_.end()) return std::nullopt;
  if (!slab->damaged) {
    if (slab->check_invariants()) return std::nullopt;
    (*owner)->close_damaged(*slab);
  }
  if ((*owner)->damage == slab) (*owner)->damage = nullptr;  // it is told now
  return damage_of(*slab);
}

std::optional<Damage> Heap::take_damage() noexcept {
  Shard* const own = own_shard();
  if (own) await_substitute(*own);
  const Slab* const slab = own ? std::exchange(own->damage, nullptr) : nullptr;
  return slab ? std::optional(damage_of(*slab)) : std::nullopt;
}

bool Heap::has_many_empty_slabs() const noexcept {
  for (const Shard* shard : shards_) {
    if (shard->has_many_empty_slabs()) return true;
  }
  return false;
}

void Heap::share(std::uintptr_t address) noexcept {
  Slab* const slab = page_map.slab_at(address);
  if (!slab || slab->context.load(std::memory_order_relaxed) != context_ || slab->shared) return;
  slab->share();
  std::uint8_t& shared = slab->owner->shared_of_class[slab->size_class];
  if (shared < UINT8_MAX) ++shared;
}

void Heap::trim(Leave leave) noexcept {
  for (Shard* const shard : shards_) {
    shard->take_remote_frees();
    shard->empty = shard->looked_at = shard->decayed = 0;
    bool kept[size_classes] = {};
    for (std::size_t place = 0; place < shard->slabs.size();) {
      Slab& slab = *shard->slabs[place];
      if (slab.used == 0 && !slab.damaged && !slab.is_empty_indeed()) shard->close_damaged(slab);
      if (slab.used != 0 || slab.damaged) {
        ++place;
        continue;
      }
      const bool may_stay = leave == Leave::one_of_each_class || (leave == Leave::small_ones && slab.size_class < fine_classes);
      if (may_stay && !std::exchange(kept[slab.size_class], true)) {
        if (slab.shared.exchange(false, std::memory_order_relaxed)) slab.sole_user.store(shard, std::memory_order_relaxed);
        ++place;
        continue;
      }
      if (slab.listed) shard->unlist(slab);
      if (shard->slabs_of_class[slab.size_class] < UINT8_MAX) --shard->slabs_of_class[slab.size_class];
      shard->slabs.remove_at(place);
      delete_slab(slab);
    }
    std::fill(std::begin(shard->shared_of_class), std::end(shard->shared_of_class), 0);
    for (const Slab* const slab : shard->slabs) {
      std::uint8_t& shared = shard->shared_of_class[slab->size_class];
      if (slab->shared && shared < UINT8_MAX) ++shared;
    }
  }
}

void Heap::detach() noexcept {
  if (Thread* const here = Thread::self_if_known()) here->remove(context_);
  for (Shard* const shard : shards_) {
    for (Slab* const slab : shard->slabs) {
      slab->sole_user.store(nullptr, std::memory_order_relaxed);  // the shard may be of another context before the slab goes
      slab->next_remote = left_;
      left_ = slab;
    }
    shard->slabs.clear();
    shard->remote_frees.store(nullptr, std::memory_order_relaxed);
    std::fill(std::begin(shard->outgoing), std::end(shard->outgoing), Outgoing());
    shard->has_outgoing = false;
    shard->label_counts.move_to(counts_.labels);
    shard->heap = nullptr;
    shard->lock.close(context_);
    Thread::give_spare(shard->thread, *shard);
  }
  forget_shards();
}

void Heap::clear() noexcept {
  if (!shards_.empty()) detach();
  while (Slab* const slab = left_) {
    left_ = slab->next_remote;
    delete_slab(*slab);
  }
}

void Heap::renew() noexcept {
  clear();
  table_.clear();
  counts_.labels.clear();
  HeapShards::renew();
}

// Whether the map of pages leads from each of its pages to it, and it names the context.
bool Heap::is_known(const Slab& slab) const noexcept {
  bool known = slab.context.load(std::memory_order_relaxed) == context_;
  for (unsigned page = 0; page < slab.pages; ++page) known = known && page_map.slab_at(slab.begin + page * page_bytes) == &slab;
  return known;
}

bool Heap::check_invariants() const noexcept {
  for (const Shard* shard : shards_) {
    if (shard->heap != this || !shard->check_invariants()) return false;
    for (const Slab* slab : shard->slabs) {
      if (!slab->damaged && !is_known(*slab)) return false;
    }
    if (is_locked() && shard->has_counted()) return false;  // it was gathered
  }
  return true;
}

void Shard::count_some_label(OriginNumber label, const LabelCount& count) noexcept {
  if (LabelCount* const own = label_counts.of(label)) return own->add(count);
  heap->counts().labels.add(label, count);
}

}  // namespace cadastre::internal
