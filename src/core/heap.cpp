// Tangled from org/heap.org; change the chapter, then run: make tangle
#include "core/heap.hpp"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/checkers.hpp"
#include "core/sparse.hpp"

namespace cadastre::internal {

void show_block(const Slab& slab, std::uintptr_t begin, std::size_t size, std::uint64_t traits, std::size_t shown) noexcept {
  if (size > shown) (traits & BlockWord::uninitialized ? reveal : reveal_defined)(pointer_to(begin + shown), size - shown);
  conceal(pointer_to(begin + size), slab.size - size);
}

namespace {

constexpr std::int64_t blocks_ahead = 256;

// Doors that are open for nobody: one for each place at hand, lest a caller comes with what a closed door is open for.
constinit Shard no_shards[shards_at_hand] = {Shard(0), Shard(1), Shard(2), Shard(3), Shard(4), Shard(5), Shard(6), Shard(7)};

template <std::size_t... numbers>
constexpr ShardsAtHand none_at_hand(std::index_sequence<numbers...>) {
  return {{&no_shards[numbers]...}};
}

struct Threads {
  Mutex<Rank::threads> mutex;
  Shard* spare CADASTRE_GUARDED_BY(mutex) = nullptr;  // of threads that have ended
  Thread* all CADASTRE_GUARDED_BY(mutex) = nullptr;
  pthread_key_t key = 0;
  bool started = false;
};
constinit Threads threads;
constinit std::atomic<ThreadEnds> thread_ends = nullptr;
thread_local constinit Thread* thread_here = nullptr;
thread_local constinit bool thread_has_ended = false;

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

// A visit that works in the calling thread's shard, of whose door it is the only one that may close it: a handler of signals finds the
// thread inside.
class ShardInUse {
 public:
  explicit ShardInUse(Shard& shard) noexcept : shard_(shard) { shard_.door.occupy(); }
  ShardInUse(const ShardInUse&) = delete;
  ShardInUse& operator=(const ShardInUse&) = delete;
  ~ShardInUse() { shard_.door.leave(shard_.last_context); }

 private:
  Shard& shard_;
};

}  // namespace

thread_local constinit ShardsAtHand shards_of_thread = none_at_hand(std::make_index_sequence<shards_at_hand>());

void tell_when_threads_end(ThreadEnds ends) noexcept { thread_ends.store(ends, std::memory_order_release); }

void end_of_thread(void* memory) noexcept {
  auto* const thread = static_cast<Thread*>(memory);
  thread_here = nullptr;  // first, lest a handler of signals finds one of its shards
  thread_has_ended = true;
  shards_of_thread = none_at_hand(std::make_index_sequence<shards_at_hand>());
  if (const ThreadEnds ends = thread_ends.load(std::memory_order_acquire)) {
    for (unsigned place = 0; place < thread->capacity_; ++place) {
      const Thread::Entry& entry = thread->entries_[place];
      if (entry.context != 0) ends(entry.context, *entry.shard);
    }
  }
  delete_own(thread);
}

namespace {

// Before static objects, which may create contexts.
[[gnu::constructor(101)]] void start_threads() noexcept {
  start_fences();
  threads.started = pthread_key_create(&threads.key, [](void* thread) { end_of_thread(thread); }) == 0;
}

}  // namespace

Thread* Thread::self_if_known() noexcept { return thread_here; }

// A thread whose end has come has no shards any more.
Thread* Thread::self() noexcept {
  if (thread_here) return thread_here;
  if (!threads.started || thread_has_ended) return nullptr;
  Thread* const thread = make_own<Thread>();
  if (!thread) return nullptr;
  thread->arena_ = Arena::adopt();
  if (!thread->arena_ || pthread_setspecific(threads.key, thread) != 0) {
    delete_own(thread);
    return nullptr;
  }
  const Locked locked(threads.mutex);
  thread->next_ = threads.all;
  if (threads.all) threads.all->previous_ = thread;
  return thread_here = threads.all = thread;
}

Thread::~Thread() {
  if (arena_) arena_->abandon();
  give_own(entries_, capacity_ * sizeof(Entry));
  const Locked locked(threads.mutex);
  if (next_) next_->previous_ = previous_;
  if (previous_) previous_->next_ = next_;
  if (threads.all == this) threads.all = next_;
  while (Shard* const shard = spare_) {
    spare_ = shard->next_spare;
    shard->next_spare = threads.spare;
    threads.spare = shard;
  }
}

// Where a context is or would be; capacity is a power of two, and not all is in use.
Thread::Entry* Thread::place_of(cadastre_context context) const noexcept {
  std::size_t place = spread(static_cast<std::uint64_t>(context)) & (capacity_ - 1);
  while (entries_[place].context != 0 && entries_[place].context != context) place = (place + 1) & (capacity_ - 1);
  return &entries_[place];
}

Shard* Thread::shard_of(cadastre_context context) noexcept {
  return capacity_ == 0 ? nullptr : place_of(context)->shard;
}

bool Thread::grow() noexcept {
  const unsigned capacity = std::max(8u, 2 * capacity_);
  auto* const fresh = static_cast<Entry*>(take_own(capacity * sizeof(Entry)));
  if (!fresh) return false;
  Entry* const old = std::exchange(entries_, fresh);
  const unsigned old_capacity = std::exchange(capacity_, capacity);
  for (unsigned place = 0; place < old_capacity; ++place) {
    if (old[place].context != 0) *place_of(old[place].context) = old[place];
  }
  give_own(old, old_capacity * sizeof(Entry));
  return true;
}

bool Thread::add(cadastre_context context, Shard& shard) noexcept {
  if (2 * (used_ + 1) > capacity_ && !grow()) return false;
  *place_of(context) = {context, &shard};
  ++used_;
  return true;
}

void Thread::remove(cadastre_context context) noexcept {
  if (capacity_ == 0 || context == 0) return;
  Entry* hole = place_of(context);
  if (hole->context == 0) return;
  --used_;
  const auto next = [this](Entry* entry) { return ++entry == entries_ + capacity_ ? entries_ : entry; };
  const auto way = [this](const Entry* from, const Entry* to) { return static_cast<std::size_t>(to - from) & (capacity_ - 1); };
  for (Entry* later = next(hole); later->context != 0; later = next(later)) {
    const Entry* const home = entries_ + (spread(static_cast<std::uint64_t>(later->context)) & (capacity_ - 1));
    if (way(home, later) < way(hole, later)) continue;
    *hole = *later;
    hole = later;
  }
  *hole = {};
}

Shard* Thread::take_spare() noexcept {
  Shard* shard = nullptr;
  {
    const Locked locked(threads.mutex);
    for (Shard** const from : {&spare_, &threads.spare}) {
      if (shard || !*from) continue;
      shard = *from;
      *from = shard->next_spare;
    }
  }
  if (!shard) {
    shard = make_own<Shard>();
    if (!shard) return nullptr;
  }
  remove(shard->last_context);
  for (unsigned place = 0; place < shards_at_hand; ++place) {
    if (shards_of_thread.at[place] == shard) shards_of_thread.at[place] = &no_shards[place];
  }
  return shard;
}

void Thread::give_spare(Thread* thread, Shard& shard) noexcept {
  const Locked locked(threads.mutex);
  Shard*& first = thread ? thread->spare_ : threads.spare;
  shard.next_spare = first;
  first = &shard;
}

void Thread::before_fork() noexcept CADASTRE_UNCHECKED {
  threads.mutex.lock_for_fork();
  Arena::before_fork();
  slabs_before_fork();
  own_memory_before_fork();
}

void Thread::after_fork() noexcept CADASTRE_UNCHECKED {
  own_memory_after_fork();
  slabs_after_fork();
  Arena::after_fork();
  threads.mutex.unlock();
}

void Thread::in_child() noexcept {
  Arena::in_child(thread_here ? thread_here->arena_ : nullptr);
  Thread* next = nullptr;
  {
    const Locked locked(threads.mutex);
    next = threads.all;
  }
  while (Thread* const thread = next) {
    next = thread->next_;
    if (thread == thread_here) continue;
    thread->arena_ = nullptr;
    delete_own(thread);
  }
}

Others Heap::close_doors() noexcept {
  const Thread* const here = Thread::self_if_known();
  Others others = Others::none;
  for (Shard* const shard : shards_) {
    if (shard->door.is_open() && shard->thread != here) {
      others = std::max(others, shard->door.is_open_for_light() ? Others::light : Others::fenced);
    }
    shard->door.close(context_);
  }
  open_ = Open::to_nobody;
  has_others_ = others != Others::none;
  return others;
}

bool Heap::await_others(Moment until) noexcept {
  const NotCancelled in_my_sleep;
  const Thread* const here = Thread::self_if_known();
  for (const Shard* const shard : shards_) {
    if (shard->thread == here) continue;
    for (Patience patience; !shard->door.is_left(); patience.wait()) {
      if (until != Moment::max() && std::chrono::steady_clock::now() > until) return false;
    }
  }
  return true;
}

// While a shard is alone, the context's numbers go on where the shard's are.
void Heap::let_in(Shard& shard) noexcept {
  shard.alone = shards_.size() == 1 && !shares_numbers_;
  shard.uses_slabs.store(uses_slabs_, std::memory_order_relaxed);
  shard.alone_below.store(alone_below_, std::memory_order_relaxed);
  shard.door.open(context_);
}

void Heap::open(cadastre_context context) noexcept {
  if (open_ == Open::to_all) return;
  context_ = context;
  open_ = Open::to_all;
  one_ = nullptr;
  for (Shard* const shard : shards_) {
    if (shard->thread) let_in(*shard);
  }
}

void Heap::open_to_caller(cadastre_context context) noexcept {
  if (open_ == Open::to_one) return;
  context_ = context;
  one_ = own_shard();
  open_to_locker();
}

void Heap::open_to_locker() noexcept {
  open_ = Open::to_one;
  if (one_) let_in(*one_);
}

Shard* Heap::own_shard() const noexcept {
  Thread* const thread = Thread::self_if_known();
  Shard* const shard = thread ? thread->shard_of(context_) : nullptr;
  return shard && shard->heap == this ? shard : nullptr;
}

bool Heap::provide_shard(cadastre_context context) noexcept {
  context_ = context;
  if (own_shard()) return true;
  const auto joins = [this](Shard& shard) {
    if (open_ == Open::to_one) one_ = &shard;
    if (!is_closed()) let_in(shard);
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
  shard->heap = this;
  shard->thread = thread;
  shard->last_context = context;
  shard->door.renew(context);
  shard->desk = nullptr;
  shard->clear_counts();
  shard->empty = shard->looked_at = shard->decayed = 0;
  shard->damage = nullptr;
  shards_.push_back(shard);
  return joins(*shard), true;
}

void Heap::abandon(Shard& shard, cadastre_statistics_struct& figures) noexcept {
  if (shard.heap != this || !shard.thread) return;
  gather(shard, figures);
  shard.label_counts.move_to(label_counts_);
  shard.thread = nullptr;
  shard.desk = nullptr;
  shard.alone = false;
  shard.door.close(context_);
  if (one_ == &shard) one_ = nullptr;
  ++orphans_;
}

void Heap::gather(Shard& shard, cadastre_statistics_struct& figures) noexcept {
  if (!shard.has_counted()) return;
  const std::int64_t live_bytes = shard.live_bytes(), live_blocks = shard.live_blocks(), allocations = shard.allocations();
  const std::int64_t total = shard.counts.allocated_bytes;
  account_.note_marks(CADASTRE_HOST, static_cast<std::size_t>(shard.claimed_bytes - shard.most_bytes), shard.claimed_blocks - shard.most_blocks);
  account_.discharge_noted(CADASTRE_HOST, static_cast<std::size_t>(shard.claimed_bytes - live_bytes), shard.claimed_blocks - live_blocks);
  figures.live_bytes = static_cast<std::size_t>(static_cast<std::int64_t>(figures.live_bytes) + live_bytes);
  figures.live_blocks += live_blocks;
  figures.allocations += allocations;
  figures.deallocations += allocations - live_blocks;
  figures.reallocations += shard.counts.reallocations;
  figures.total_bytes += static_cast<std::size_t>(total);
  figures.zeroed_bytes += static_cast<std::size_t>(total - shard.counts.uninitialized_bytes);
  if (shard.alone && shard.counts.next_serial != 0) {
    numbers_.serial = shard.counts.next_serial;
    numbers_.deallocation = shard.counts.next_deallocation();
  }
  if (shard.thread) shard.thread->give_up_slack(shard.slack);
  shard.clear_counts();
}

void Heap::gather(cadastre_statistics_struct& figures) noexcept {
  for (Shard* const shard : shards_) gather(*shard, figures);
}

void Heap::gather_own(cadastre_statistics_struct& figures) noexcept {
  Shard* const own = own_shard();
  if (!own || !own->has_counted()) return;
  const ShardInUse inside(*own);
  gather(*own, figures);
}

std::uint64_t Heap::labels_end() const noexcept {
  std::uint64_t end = label_counts_.end();
  for (const Shard* const shard : shards_) end = std::max<std::uint64_t>(end, shard->label_counts.end());
  return end;
}

LabelCount Heap::count_of_label(OriginNumber label) const noexcept {
  LabelCount sum = label_counts_.of(label);
  for (const Shard* const shard : shards_) sum.add(shard->label_counts.told(label));
  return sum;
}

void Shard::count_some_label(OriginNumber label, const LabelCount& count) noexcept {
  if (LabelCount* const own = label_counts.of(label)) return own->add(count);
  heap->label_counts().add(label, count);
}

bool Heap::give_desk(Desk& desk) noexcept {
  Shard* const own = own_shard();
  if (!own) return false;
  const ShardInUse inside(*own);
  own->desk = &desk;
  return true;
}

bool Heap::take_own_desk() noexcept {
  Shard* const own = own_shard();
  if (!own || !own->desk) return false;
  const ShardInUse inside(*own);
  own->desk = nullptr;
  return true;
}

void Heap::take_desks() noexcept {
  for (Shard* const shard : shards_) shard->desk = nullptr;
}

Record Heap::record_of(const Slab& slab, std::size_t place, std::uint64_t word) const noexcept {
  const bool freed = (word & BlockWord::freed) != 0;
  const std::uint64_t number = slab.record_at(place).number;
  // The last number with these low bits that was drawn before the next one.
  const auto whole = [](std::uint32_t low, std::uint64_t next) { return next - 1 - static_cast<std::uint32_t>(next - 1 - low); };
  Record record;
  record.pointer = reinterpret_cast<void*>(slab.block_at(place));
  record.size = freed ? BlockWord::size_of_freed(word) : BlockWord::size(word);
  record.serial = freed ? whole(static_cast<std::uint32_t>(number), numbers_.serial) : number;
  record.how = how_in_slab;
  record.stride_or_freed = freed && !(word & BlockWord::moved) ? whole(static_cast<std::uint32_t>(number >> 32), numbers_.deallocation) : 0;
  record.origin = BlockWord::label(word);
  record.alignment_log2 = log2_of(BlockWord::alignment(word));
  record.backend = CADASTRE_BACKEND_HOST;
  record.flags = static_cast<std::uint16_t>(BlockWord::flags(word));
  record.state = freed ? State::freed : State::live;
  return record;
}

const Slab* Heap::slab_at(std::uintptr_t address) const noexcept {
  const Slab* const slab = page_map.slab_at(address);
  const bool ours = slab && slab->context.load(std::memory_order_relaxed) == context_ && context_ != 0 && slab->is_sealed();
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
  const std::uintptr_t begin = take_first(*slab, place, slab->record_at(place), before, size, traits, numbers_.serial++);
  void* const block = reinterpret_cast<void*>(begin);
  reveal(block, slab->size);
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
  if (!moved) note_deallocation(record, numbers_.deallocation++);
  const std::uint64_t freed = word_of_freed(record.word.load(std::memory_order_relaxed)) | (moved ? BlockWord::moved : 0);
  conceal(pointer_to(address), slab.size);
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

void Heap::set_lent(std::uintptr_t address, bool lent) noexcept {
  std::atomic<std::uint64_t>& word = word_of(address);
  const std::uint64_t now = lent ? BlockWord::lent : BlockWord::live;
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
  if (!slab.is_sealed()) return damage;
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
  if (slab && slab->is_sealed() && slab->context.load(std::memory_order_relaxed) != context_) return std::nullopt;
  const auto has_it = [slab](const Shard* shard) { return std::find(shard->slabs.begin(), shard->slabs.end(), slab) != shard->slabs.end(); };
  const auto owner = slab ? std::find_if(shards_.begin(), shards_.end(), has_it) : shards_.end();
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
  if (!slab || slab->context.load(std::memory_order_relaxed) != context_) return;
  slab->shared.store(true, std::memory_order_relaxed);
  slab->sole_user.store(nullptr, std::memory_order_relaxed);
}

void Heap::trim(Leave leave) noexcept {
  for (Shard* const shard : shards_) {
    shard->read_mail();
    shard->empty = shard->looked_at = shard->decayed = 0;
    bool kept[size_classes] = {};
    for (std::size_t place = 0; place < shard->slabs.size();) {
      Slab& slab = *shard->slabs[place];
      if (slab.used == 0 && !slab.damaged && !slab.check_invariants()) shard->close_damaged(slab);
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
  }
}

void Heap::decay_others() noexcept {
  const Thread* const here = Thread::self_if_known();
  for (Shard* const shard : shards_) {
    const bool own = here && shard->thread == here;
    if (!own && !shard->slabs.empty()) decay_slabs(*shard, page_time());
  }
}

void Heap::detach() noexcept {
  if (Thread* const here = Thread::self_if_known()) here->remove(context_);
  for (Shard* const shard : shards_) {
    for (Slab* const slab : shard->slabs) {
      slab->next_mail = left_;
      left_ = slab;
    }
    shard->slabs.clear();
    shard->mail.store(nullptr, std::memory_order_relaxed);
    shard->label_counts.move_to(label_counts_);
    shard->heap = nullptr;
    shard->door.close(context_);
    Thread::give_spare(shard->thread, *shard);
  }
  shards_.clear();
  one_ = nullptr;
  orphans_ = 0;
}

void Heap::clear() noexcept {
  if (!shards_.empty()) detach();
  while (Slab* const slab = left_) {
    left_ = slab->next_mail;
    delete_slab(*slab);
  }
}

void Heap::renew() noexcept {
  clear();
  table_.clear();
  label_counts_.clear();
  context_ = 0;
  open_ = Open::to_nobody;
  shares_numbers_ = has_others_ = false;
  uses_slabs_ = true;
  alone_below_ = 0;
  copies_ = Copies::none;
}

void Heap::in_child() noexcept {
  const Thread* const here = Thread::self_if_known();
  if (one_ && one_->thread != here) one_ = nullptr;
  orphans_ = 0;
  for (Shard* const shard : shards_) {
    if (shard->thread != here || !here) {
      shard->thread = nullptr;
      shard->door.renew(context_);
    }
    orphans_ += shard->thread == nullptr;
  }
}

bool Heap::check_invariants() const noexcept {
  for (const Shard* shard : shards_) {
    if (shard->heap != this || !shard->check_invariants()) return false;
  }
  return true;
}

namespace {

void draw_serials(Shard& shard, ContextNumbers& numbers) noexcept {
  if (shard.alone) return shard.use_numbers(numbers.serial, numbers.deallocation);
  std::uint64_t first = numbers.serial.load(std::memory_order_relaxed), end;
  do {
    end = (first / Counts::numbers_at_once + 1) * Counts::numbers_at_once;
  } while (!numbers.serial.compare_exchange_weak(first, end, std::memory_order_relaxed));
  const bool begins = shard.counts.next_serial == 0;
  shard.use_numbers(first, begins ? numbers.deallocation.fetch_add(Counts::numbers_at_once) : shard.counts.next_deallocation());
}

std::int64_t renew_slack(Shard& shard) noexcept { return shard.slack = shard.thread->renew_slack(shard.slack); }

void note_marks(Shard& shard) noexcept {
  shard.heap->account().note_marks(CADASTRE_HOST, static_cast<std::size_t>(shard.claimed_bytes - shard.most_bytes),
                                   shard.claimed_blocks - shard.most_blocks);
}

// From here on frees, and less for a block, are done at once, until as much is claimed and not in use as may be. Where bytes are scarce
// none is: the next one returns what it frees.
void set_cap(Shard& shard) noexcept {
  const bool scarce = shard.heap->account().are_scarce(CADASTRE_HOST);
  shard.counts.bytes_limit_cap = scarce ? -1 : shard.counts.bytes_limit + shard.live_bytes() + 2 * shard.slack - shard.claimed_bytes;
}

// Claims what lives and more in advance, where no limit is near and nobody waits for bytes; false where a limit refuses.
bool claim(Shard& shard, std::int64_t bytes, std::int64_t blocks) noexcept {
  SharedAccount& account = shard.heap->account();
  note_marks(shard);
  const std::int64_t more_blocks = std::max<std::int64_t>(blocks + blocks_ahead - shard.claimed_blocks, 0);
  const std::int64_t slack = renew_slack(shard);
  const bool only_these = bytes - shard.claimed_bytes >= slack || account.are_scarce(CADASTRE_HOST);
  for (const std::int64_t ahead : {only_these ? 0 : slack, std::int64_t{0}}) {
    const std::int64_t more = std::max<std::int64_t>(bytes + ahead - shard.claimed_bytes, 0);
    if (account.claim(CADASTRE_HOST, static_cast<std::size_t>(more))) continue;
    if (account.room(CADASTRE_HOST) < 0) {  // pools keep what they have to give up now, which takes a visit
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

}  // namespace

void return_excess(Shard& shard) noexcept {
  const SharedAccount& account = shard.heap->account();
  const bool is_over = account.room(CADASTRE_HOST) < 0 || account.are_scarce(CADASTRE_HOST);
  const std::int64_t slack = is_over ? 0 : renew_slack(shard), live = shard.live_bytes(), most = live + 2 * slack;
  if (shard.claimed_bytes > most) {
    note_marks(shard);
    const std::int64_t keep = live + slack;
    shard.heap->account().discharge_noted(CADASTRE_HOST, static_cast<std::size_t>(shard.claimed_bytes - keep), 0);
    shard.claimed_bytes = keep;
    if (shard.most_bytes > keep) shard.set_most(keep, shard.most_blocks);
  }
  set_cap(shard);
  if (is_over) shard.counts.bytes_limit_cap = -1;
}

namespace {

// In few calls of many, but in the first after the counts were gathered.
void decay_sometimes(Shard& shard) noexcept {
  if (++shard.decay_calls % 16 == 0 || shard.claimed_bytes == 0) decay(shard);
}

// Numbers and bytes; false where a limit refuses.
bool make_counts_ready(Shard& shard, std::size_t size) noexcept {
  Counts& counts = shard.counts;
  if (counts.next_serial == 0 || (counts.next_serial % Counts::numbers_at_once == 0 && !shard.alone)) {
    draw_serials(shard, shard.heap->numbers());
  }
  const std::int64_t bytes = shard.live_bytes() + static_cast<std::int64_t>(size), blocks = shard.live_blocks() + 1;
  const bool claims = bytes > shard.claimed_bytes || blocks > shard.claimed_blocks;
  if (claims) {
    decay_sometimes(shard);
    if (!claim(shard, bytes, blocks)) return false;
  }
  shard.set_most(std::max(shard.most_bytes, bytes), std::max(shard.most_blocks, blocks));
  if (claims) set_cap(shard);
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
  if (!counts.has_room_for(block.size) && !make_counts_ready(shard, block.size)) return false;
  block.serial = counts.next_serial;
  if (!shard.heap->table().file(block)) return false;
  counts.count_in(block.size);
  shard.count_label(block.origin, LabelCount::of_one(block.size));
  if (block.flags & CADASTRE_UNINITIALIZED) counts.count_uninitialized(block.size);
  return true;
}

void make_numbers_ready(Shard& shard) noexcept {
  if (shard.counts.next_serial == 0) draw_serials(shard, shard.heap->numbers());
}

bool resize_any(Shard& shard, Slab& slab, std::uintptr_t address, std::size_t size, std::uint64_t& word) noexcept {
  std::size_t place = 0;
  if (slab.sole_user.load(std::memory_order_relaxed) != &shard || !slab.find_beginning(address, place)) return false;
  BlockRecord& record = slab.record_at(place);
  word = record.word.load(std::memory_order_relaxed);
  if (!is_live(slab, word) || !keeps_place(slab, word, size)) return false;
  const std::int64_t bytes = shard.live_bytes() + growth_of(word, size);
  const bool claims = bytes > shard.claimed_bytes;
  if (claims && !claim(shard, bytes, shard.live_blocks())) return false;
  if (shard.counts.next_serial == 0) draw_serials(shard, shard.heap->numbers());  // the next call may be a free at once
  shard.set_most(std::max(shard.most_bytes, bytes), shard.most_blocks);
  if (claims) set_cap(shard);
  resize_block(shard, record, word, size);
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
  if (!is_live(slab, word) || !slab.is_sound(word)) return Freed::unknown;
  const bool shared = slab.shared.load(std::memory_order_relaxed), own = slab.owner == &shard;
  if (!shared && !own) return Freed::not_shared;
  const std::uint64_t freed = word_of_just_freed(word);
  if (shared && !record.word.compare_exchange_strong(word, freed, std::memory_order_acq_rel, std::memory_order_relaxed)) return Freed::unknown;
  Counts& counts = shard.counts;
  if (counts.next_serial == 0) draw_serials(shard, shard.heap->numbers());
  conceal(pointer_to(address), slab.size);
  shard.count_label(BlockWord::label(word), LabelCount::of_one(BlockWord::size(word)).negated());
  if (slab.damaged) {
    note_deallocation(record, counts.count_out(BlockWord::size(word)));
  } else if (own) {
    put_block(shard, slab, record, place, word);
  } else {
    note_deallocation(record, counts.count_out(BlockWord::size(word)));
    const auto link = [&](BlockPlace next) {
      record.word.store(freed | std::uint64_t{next} << BlockWord::next_shift, std::memory_order_relaxed);
    };
    if (slab.remote.push(place, link)) {
      Slab* first = slab.owner->mail.load(std::memory_order_relaxed);
      do {
        slab.next_mail = first;
      } while (!slab.owner->mail.compare_exchange_weak(first, &slab, std::memory_order_release, std::memory_order_relaxed));
    }
  }
  if (counts.bytes_limit <= counts.bytes_limit_cap) return Freed::yes;
  look_for_empty_slabs(shard);
  return_excess(shard);
  decay_sometimes(shard);
  return shard.has_many_empty_slabs() ? Freed::empties : Freed::yes;
}

}  // namespace cadastre::internal
