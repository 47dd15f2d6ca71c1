// Tangled from org/context.org; change the chapter, then run: make tangle
#include "context.hpp"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "backends/host_heap.hpp"
#include "core/kept_runs.hpp"
#include "environment.hpp"
#include "error.hpp"
#include "fail.hpp"
#include "lock.hpp"
#include "process.hpp"

namespace cadastre::internal {

namespace {

constexpr std::uint32_t slot_bits = 20;
constexpr std::uint32_t last_number = (1u << slot_bits) - 1;
constexpr std::uint32_t most_slots = last_number - 1;
constexpr std::uint32_t first_segment = 64;

struct ContextTable {
  Mutex<Rank::table> mutex;
  std::atomic<Slot*> segments[slot_bits - std::bit_width(first_segment) + 2] = {};
  std::atomic<std::uint32_t> used = 0;
  std::atomic<std::uint32_t> contexts = 0;  // that live
  std::uint32_t first_vacant CADASTRE_GUARDED_BY(mutex) = 0;  // slot number + 1
  std::atomic<std::uint64_t> secret = 0;
};

constinit ContextTable table;

}  // namespace

struct alignas(256) Slot {  // a power of two, so that its place is a shift
  Mutex<Rank::context> mutex;
  Condition<Rank::context> changed;         // the owner has left, the context closes, nobody is outside
  std::atomic<Context*> context = nullptr;  // null while the slot is vacant; written by who has the mutex
  std::uint32_t generation CADASTRE_GUARDED_BY(mutex) = 1;  // of the context that is or will be here
  cadastre_context handle CADASTRE_GUARDED_BY(mutex) = CADASTRE_NULL_CONTEXT;  // of the context that is here
  std::uint64_t owner CADASTRE_GUARDED_BY(mutex) = 0;       // the thread that has locked the context; 0 for none
  std::int32_t depth CADASTRE_GUARDED_BY(mutex) = 0;
  std::uint32_t waiting CADASTRE_GUARDED_BY(mutex) = 0;     // threads that wait for a change
  std::atomic<std::uint32_t> outside = 0;                   // calls between step_out and step_in
  std::atomic<bool> closing = false;
  std::uint32_t next_vacant CADASTRE_GUARDED_BY(table.mutex) = 0;  // slot number + 1
  bool held_for_fork = false;  // by the thread that forks

  void wait() noexcept CADASTRE_REQUIRES(mutex) {
    const NotCancelled here;
    ++waiting;
    changed.wait(mutex);
    --waiting;
  }
  void notify() noexcept CADASTRE_REQUIRES(mutex) {
    if (waiting > 0) changed.wake_all();
  }
  // Lets threads into their shards again, all of them or who has locked the context; for each visit at its end.
  void open_heap() noexcept CADASTRE_REQUIRES(mutex);
  template <class Action>
  void while_locked(Action action) noexcept {
    const Locked locked(mutex);
    action();
    open_heap();
  }
};

namespace {

constinit Slot first_slots[first_segment];

unsigned segment_of(std::uint32_t number) noexcept {
  return static_cast<unsigned>(std::bit_width(number / first_segment));
}

Slot& slot_at(std::uint32_t number) noexcept {
  if (number < first_segment) [[likely]] return first_slots[number];
  const unsigned segment = segment_of(number);
  return table.segments[segment].load(std::memory_order_acquire)[number - (first_segment << (segment - 1))];
}

std::uint32_t slot_number(cadastre_context handle) noexcept { return static_cast<std::uint32_t>(handle) & last_number; }

}  // namespace

std::uint64_t this_thread() noexcept {
  static constinit std::atomic<std::uint64_t> threads = 0;
  thread_local constinit std::uint64_t number = 0;
  if (number == 0) number = ++threads;
  return number;
}

namespace {

// A vacant slot's number; most_slots when there is none. Throws std::bad_alloc.
std::uint32_t take_slot() CADASTRE_REQUIRES(table.mutex) {
  if (table.first_vacant != 0) {
    const std::uint32_t number = table.first_vacant - 1;
    table.first_vacant = slot_at(number).next_vacant;
    return number;
  }
  const std::uint32_t number = table.used.load(std::memory_order_relaxed);
  if (number == most_slots) return most_slots;
  const unsigned segment = segment_of(number);
  if (segment > 0 && !table.segments[segment].load(std::memory_order_relaxed)) {
    table.segments[segment].store(new Slot[first_segment << (segment - 1)], std::memory_order_release);
  }
  table.used.store(number + 1, std::memory_order_release);
  return number;
}

constexpr std::uint32_t generation_bits = 27, check_bits = 16;
constexpr std::uint32_t last_generation = (1u << generation_bits) - 1;

std::uint64_t check_of(std::uint32_t number, std::uint32_t generation) noexcept {
  const std::uint64_t both = std::uint64_t{generation} << slot_bits | number;
  return ((both + 1) * table.secret.load(std::memory_order_relaxed)) >> (64 - check_bits);
}

cadastre_context handle_of(std::uint32_t number, std::uint32_t generation) noexcept {
  return static_cast<cadastre_context>(check_of(number, generation) << (slot_bits + generation_bits) |
                                       std::uint64_t{generation} << slot_bits | number);
}

std::uint32_t generation_of(cadastre_context handle) noexcept {
  return static_cast<std::uint32_t>(handle >> slot_bits) & last_generation;
}

// The slot that a handle speaks of, whatever lives there now; null for a number that is no handle of ours.
Slot* slot_of(cadastre_context handle) noexcept {
  if (handle <= 0 || table.secret.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::uint32_t number = slot_number(handle);
  if (number >= table.used.load(std::memory_order_acquire)) return nullptr;
  return handle == handle_of(number, generation_of(handle)) ? &slot_at(number) : nullptr;
}

bool lives_in(const Slot& slot, cadastre_context handle) noexcept CADASTRE_REQUIRES(slot.mutex) {
  return slot.context && slot.handle == handle && !slot.closing.load(std::memory_order_relaxed);
}

void draw_secret() noexcept {
  std::uint64_t secret = 0;
  if (getentropy(&secret, sizeof secret) != 0) {
    secret = address_of(&secret) ^
             static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
  table.secret.store(secret | 1, std::memory_order_relaxed);
}

template <class Action>
void for_each_slot(Action action) noexcept {
  const std::uint32_t used = table.used.load(std::memory_order_acquire);
  for (std::uint32_t number = 0; number < used; ++number) action(slot_at(number));
}

// The analysis does not follow what is locked here, and unlocked by let_go.
void before_fork() noexcept CADASTRE_UNCHECKED {
  give_up_kept_runs();
  table.mutex.lock_for_fork();
  Others others = Others::none;
  for_each_slot([&](Slot& slot) CADASTRE_UNCHECKED {
    if (!slot.context) return;
    slot.mutex.lock_for_fork();
    Context* const context = slot.context;
    if (!context) {  // somebody has destroyed it meanwhile
      slot.mutex.unlock();
      return;
    }
    others = std::max(others, context->registry().heap().close_doors());
    slot.held_for_fork = true;
  });
  fence_against(others);
  for_each_slot([](Slot& slot) CADASTRE_UNCHECKED {
    if (!slot.held_for_fork) return;
    slot.context.load()->registry().close_heap_behind_doors();
    slot.context.load()->before_fork();
  });
  SharedAccount::before_fork();
  Thread::before_fork();
}

// told: what the contexts are told first.
void let_go(void (Context::*told)() noexcept) noexcept CADASTRE_UNCHECKED {
  Thread::after_fork();
  SharedAccount::after_fork();
  for_each_slot([told](Slot& slot) CADASTRE_UNCHECKED {
    if (!slot.held_for_fork) return;
    slot.held_for_fork = false;
    (slot.context.load()->*told)();
    slot.open_heap();
    slot.mutex.unlock();
  });
  table.mutex.unlock();
}

void in_parent() noexcept { let_go(&Context::in_parent); }

// Nobody else is there.
void in_child() noexcept {
  for_each_slot([](Slot& slot) CADASTRE_UNCHECKED {
    slot.changed.renew();
    slot.waiting = 0;
    slot.outside = 0;
    slot.closing = false;
    if (slot.owner != this_thread()) {
      slot.owner = 0;
      slot.depth = 0;
    }
    if (!slot.held_for_fork) slot.mutex.renew();
  });
  Visit::keep_own();
  const auto each = [](void (Context::*told)() noexcept) {
    for_each_slot([told](Slot& slot) CADASTRE_UNCHECKED {
      if (slot.held_for_fork) (slot.context.load()->*told)();
    });
  };
  each(&Context::in_child);
  process_account().clear();
  ChildOf::age();
  each(&Context::clear_account);
  let_go(&Context::charge_anew);
  Thread::in_child();
}

// Without waiting for who has locked the context: he may wait for this thread.
void abandon_shard(cadastre_context handle, Shard& shard) noexcept {
  Slot* const slot = slot_of(handle);
  if (!slot) return;
  const Locked locked(slot->mutex);
  if (lives_in(*slot, handle)) slot->context.load()->abandon_shard(shard);
}

constinit bool forks_are_watched = false;

// Before static objects, which may create contexts.
[[gnu::constructor(101)]] void watch_for_forks() noexcept {
  forks_are_watched = at_fork(before_fork, in_parent, in_child);
  tell_when_threads_end(abandon_shard);
}

}  // namespace

void Slot::open_heap() noexcept {
  Context* const here = context.load(std::memory_order_relaxed);
  if (!here || closing.load(std::memory_order_relaxed) || !here->uses_shards()) return;
  Heap& heap = here->registry().heap();
  const std::size_t alone_below = here->alone_below();
  if (alone_below != heap.alone_below()) here->registry().close_heap();
  if (heap.is_closed()) {
    heap.set_copies(here->copies_at_once());
    heap.use_slabs(here->uses_slabs());
    heap.set_alone_below(alone_below);
  }
  if (owner == 0) return heap.open(handle);
  if (owner == this_thread()) return heap.open_to_caller(handle);
  if (heap.is_closed()) heap.open_to_locker();
}

namespace {

Text why_none_was_created() noexcept {
  const Failure* const last = last_failure(CADASTRE_NULL_CONTEXT);
  if (!last) return {};
  if (last->reason == CADASTRE_REASON_NULL_CONTEXT) return last->detail;
  cadastre_error_struct error = cadastre_error_struct_zero;
  tell_last_failure(CADASTRE_NULL_CONTEXT, error);
  const bool of_creation = std::strncmp(error.function, "cadastre_context_create", 23) == 0;
  return of_creation ? text("; before, %s", error.message) : Text();
}

}  // namespace

Visit::Visit(cadastre_context handle) noexcept : handle_(handle), slot_(slot_of(handle)) {
  if (!slot_ && handle == CADASTRE_NULL_CONTEXT) {
    fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_NULL_CONTEXT, .detail = why_none_was_created()});
    return;
  }
  if (!slot_) {
    const bool process = handle == CADASTRE_PROCESS;
    fail({.exit_code = CADASTRE_INVALID_CONTEXT,
          .reason = process ? CADASTRE_REASON_PROCESS_CONTEXT : CADASTRE_REASON_UNKNOWN_CONTEXT});
    return;
  }
  slot_->mutex.lock();
  while (lives_in(*slot_, handle) && slot_->owner != 0 && slot_->owner != this_thread()) slot_->wait();
  if (!lives_in(*slot_, handle)) {
    slot_->mutex.unlock();
    slot_ = nullptr;
    fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_DESTROYED_CONTEXT});
    return;
  }
  context_ = slot_->context;
}

namespace {

thread_local constinit Visit* outside_here = nullptr;  // the last of this thread's

// A call that is outside of a context which it never entered, and so is the child where it forks.
struct Guest {
  explicit Guest(Slot& of) noexcept : slot(of), beneath(std::exchange(last, this)) {}
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;
  ~Guest() { last = beneath; }
  Slot& slot;
  Guest* const beneath;
  static thread_local constinit Guest* last;
};
thread_local constinit Guest* Guest::last = nullptr;

}  // namespace

void Visit::step_out() noexcept {
  if (!not_cancelled_) not_cancelled_.emplace();
  slot_->outside.fetch_add(1);
  outside_ = true;
  beneath_ = std::exchange(outside_here, this);
  slot_->open_heap();
  slot_->mutex.unlock();
}

// A context that closes waits for this call, so the call does not wait for its lock.
void Visit::step_in() noexcept {
  slot_->mutex.lock();
  while (!slot_->closing && slot_->owner != 0 && slot_->owner != this_thread()) slot_->wait();
  outside_ = false;
  outside_here = beneath_;
  if (slot_->outside.fetch_sub(1) == 1) slot_->notify();
}

// A call that fails outside comes back for a moment, whoever has locked the context; the blocks are others' then.
// A copy with memory that the context does not know is no failure yet: an adapter tries it, and then records the memory.
void Visit::keep_failure(const char* function) noexcept {
  const cadastre_reason reason = failed_last().reason;
  if (!slot_ || reason == CADASTRE_REASON_NOT_REGISTERED || reason == CADASTRE_REASON_OTHER_CONTEXT) return;
  if (!outside_) return context_->keep_failure(function, true);
  const Locked locked(slot_->mutex);
  context_->keep_failure(function, false);
}

bool Visit::is_any_outside() const noexcept { return slot_->outside.load(std::memory_order_relaxed) > 0; }

bool Visit::is_nested() const noexcept {
  const Visit* visit = outside_here;
  while (visit && (visit == this || visit->slot_ != slot_)) visit = visit->beneath_;
  return visit != nullptr;
}

void Visit::keep_own() noexcept {
  for (const Visit* visit = outside_here; visit; visit = visit->beneath_) visit->slot_->outside.fetch_add(1);
  for (const Guest* guest = Guest::last; guest; guest = guest->beneath) guest->slot.outside.fetch_add(1);
}

const Begun* Visit::begun_in(const Context& context) noexcept {
  const Begun* before = nullptr;
  for (Visit* visit = outside_here; visit; visit = visit->beneath_) {
    if (visit->context_ != &context) continue;
    visit->begun.before = std::exchange(before, &visit->begun);
  }
  return before;
}

// A call that ends outside needs the mutex only when somebody waits for it to end.
Visit::~Visit() {
  if (!slot_) return;
  if (!outside_) {
    slot_->open_heap();
    slot_->mutex.unlock();
    return;
  }
  outside_here = beneath_;
  if (slot_->outside.fetch_sub(1) == 1 && slot_->closing) {
    const Locked locked(slot_->mutex);
    slot_->notify();
  }
}

Context::Context() noexcept : registry_(lose_unless_pooled) {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) pools(type).charge_to(shared(), type);
}

void Context::begin(Backend& backend, const Settings& settings, ChildOf parent) noexcept {
  parent_ = std::move(parent);
  backend_ = &backend;
  device_ = settings.device == no_device_id ? backend.current_device() : settings.device;
  settings_ = settings;
  host_is_ours_ = &backend == find_backend(CADASTRE_BACKEND_HOST) || !backend.serves(CADASTRE_HOST);
  shared().set_parent(parent_.parent());
  use_device(backend, device_);
  for (std::size_t place = 0; place < memory_types; ++place) {
    shared().of(static_cast<cadastre_memory_type>(place)).set_limit(settings.limits[place]);
    pools_[place].set_keep(settings.pool_keep[place]);
  }
}

bool Context::has_used_its_heap_only() const noexcept {
  bool any_pool = false;
  for (const Pools& pools : pools_) any_pool |= pools.has_any();
  return registry_.has_used_its_heap_only() && !any_pool && !books_were_opened_ && kept_failures_.are_as_new();
}

bool Context::renew() noexcept {
  if (!has_used_its_heap_only_) return false;
  registry_.renew();
  queue_.store(CADASTRE_DEFAULT_QUEUE, std::memory_order_relaxed);
  devices_.store(0, std::memory_order_relaxed);
  no_desk_for_ = 0;
  books_were_opened_ = false;
  timing_.store(false, std::memory_order_relaxed);
  from_malloc_ = false;
  plain_frees_.clear();
  number_ = 0;
  counted_type_ = -1;
  parent_.leave();
  return true;
}

namespace {

// A backend that has let a context in, which does not exist yet.
struct Attached {
  explicit Attached(Backend& of) noexcept : code(of.attach(backend)) {}
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  // What was thrown is told later; what failed is told, whatever detach says.
  ~Attached() {
    if (!backend) return;
    const bool failed = code != CADASTRE_SUCCESS;
    const Failure first = failed ? failed_last() : Failure();
    backend->detach();
    if (failed) fail(first);
  }
  Backend* backend = nullptr;
  cadastre_exit_code code;
};

}  // namespace

namespace {

// One that was closed, for the next that is created.
class SpareContext {
 public:
  std::unique_ptr<Context> take() noexcept { return std::unique_ptr<Context>(spare_.exchange(nullptr, std::memory_order_acquire)); }
  // Lets it go where there is one, or more than its heap was used; and where a checker is to see who still uses it, unless somebody has
  // asked for a heap all the same.
  void keep(std::unique_ptr<Context> context) noexcept {
#ifdef CADASTRE_READS_ARE_WATCHED
    if (!context->uses_slabs()) return;
#endif
    if (spare_.load(std::memory_order_relaxed) || !context->renew()) return;
    const std::unique_ptr<Context> before(spare_.exchange(context.release(), std::memory_order_acq_rel));
  }

 private:
  std::atomic<Context*> spare_ = nullptr;
};
constinit SpareContext spare_context;

}  // namespace

cadastre_exit_code create_context(Backend& backend, const Settings& settings, ChildOf parent, cadastre_context& created) {
  Attached attached(backend);
  if (attached.code != CADASTRE_SUCCESS) return attached.code;
  std::unique_ptr<Context> context = spare_context.take();
  if (!context) context = std::make_unique<Context>();
  context->begin(*attached.backend, settings, std::move(parent));
  const Locked table_locked(table.mutex);
  if (!forks_are_watched) throw std::bad_alloc();
  if (table.secret.load(std::memory_order_relaxed) == 0) draw_secret();
  const std::uint32_t number = take_slot();
  if (number == most_slots) {
    return attached.code = fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_TOO_MANY_CONTEXTS,
                                 .limit = most_slots});
  }
  Slot& slot = slot_at(number);
  const Locked locked(slot.mutex);
  attached.backend = nullptr;
  slot.context = context.release();
  ++table.contexts;
  created = slot.handle = handle_of(number, slot.generation);
  slot.context.load()->shared().set_owner(created);
  slot.open_heap();
  return CADASTRE_SUCCESS;
}

bool is_live(cadastre_context handle) noexcept {
  Slot* const slot = slot_of(handle);
  if (!slot) return false;
  const Locked locked(slot->mutex);
  return lives_in(*slot, handle);
}

namespace {

// Empty where host memory is missing.
std::optional<Holdings> holdings_of(const Context& context, cadastre_context handle) noexcept {
  try {
    return context.holdings(handle);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

void show(const Context& context, cadastre_context handle, Shown shown) noexcept {
  const std::optional<Holdings> holdings = holdings_of(context, handle);
  shown(holdings ? &*holdings : nullptr);
}

}  // namespace

cadastre_exit_code destroy_context(Visit& visit, cadastre_destroy_summary_struct* summary, Shown last, LabelCounts* labels) noexcept {
  Slot* const slot = visit.slot_;
  slot->mutex.assert_held();
  if (visit.is_nested()) return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_CALLED_FROM_OPERATION});
  if (const cadastre_exit_code code = visit->admit_frees(visit); code != CADASTRE_SUCCESS) return code;
  if (slot->closing) return fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_DESTROYED_CONTEXT});
  if (const std::uint32_t children = visit->shared().children(); children > 0) {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_HAS_CHILDREN, .in_use = children});
  }
  slot->closing = true;
  slot->notify();
  while (slot->outside > 0) slot->wait();
  if (last || !visit->goes_with_its_heap()) visit.not_cancelled_.emplace();
  std::unique_ptr<Context> context(slot->context.exchange(nullptr));
  --table.contexts;
  context->registry().close_heap();
  context->registry().heap().detach();
  const bool worn_out = slot->generation == last_generation;
  if (!worn_out) ++slot->generation;
  slot->owner = 0;
  slot->depth = 0;
  slot->closing = false;
  slot->mutex.unlock();
  visit.slot_ = nullptr;

  if (last) show(*context, visit.handle_, last);
  if (summary) *summary = cadastre_destroy_summary_struct_zero;
  const cadastre_exit_code code = context->close(summary, labels);
  spare_context.keep(std::move(context));
  return_surplus();
  if (!worn_out) {
    const Locked locked(table.mutex);
    slot->next_vacant = std::exchange(table.first_vacant, slot_number(visit.handle_) + 1);
  }
  return code;
}

cadastre_exit_code lock_context(Visit& visit) noexcept {
  Slot& slot = *visit.slot_;
  slot.mutex.assert_held();
  if (slot.depth == INT32_MAX) {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_LOCK_COUNT_OVERFLOW, .limit = INT32_MAX});
  }
  visit->registry().close_heap();
  slot.owner = this_thread();
  ++slot.depth;
  return CADASTRE_SUCCESS;
}

cadastre_exit_code unlock_context(Visit& visit) noexcept {
  Slot& slot = *visit.slot_;
  slot.mutex.assert_held();
  if (slot.owner == 0) return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_NOT_LOCKED});
  if (--slot.depth == 0) {
    slot.owner = 0;
    slot.notify();
  }
  return CADASTRE_SUCCESS;
}

namespace {

// The first context other than one of which look is true; look is called with the context's mutex held.
template <class Look>
cadastre_context first_of_others(cadastre_context except, Look look) noexcept {
  const std::uint32_t used = table.used.load(std::memory_order_acquire);
  for (std::uint32_t number = 0; number < used; ++number) {
    Slot& slot = slot_at(number);
    const Locked locked(slot.mutex);
    Context* const context = slot.context;
    if (!context || slot.handle == except) continue;
    const bool found = look(*context);
    slot.open_heap();
    if (found) return slot.handle;
  }
  return CADASTRE_NULL_CONTEXT;
}

}  // namespace

cadastre_context holder_of(const void* address, cadastre_context except, Record* block) noexcept {
  return first_of_others(except, [&](const Context& context) {
    const std::optional<Record> found = context.around(address);
    if (found && block) *block = *found;
    return found.has_value();
  });
}

cadastre_context owner_of_loose(const void* pointer, bool& kept) noexcept {
  Record byte;
  byte.pointer = const_cast<void*>(pointer);
  byte.size = 1;
  kept = false;
  const std::uint32_t used = table.used.load(std::memory_order_acquire);
  for (std::uint32_t number = 0; number < used; ++number) {
    Slot& slot = slot_at(number);
    if (!slot.context.load(std::memory_order_relaxed)) continue;
    const Locked locked(slot.mutex);
    const Context* const context = slot.context;
    if (!context) continue;
    if (context->registry().has_loose_at(pointer)) return slot.handle;
    kept = kept || context->keeps(byte);
  }
  return CADASTRE_NULL_CONTEXT;
}

Elsewhere known_elsewhere(const Record& range, cadastre_context except) noexcept {
  Elsewhere known;
  const auto note = [&](Elsewhere::What what, const std::optional<Record>& record) {
    if (record) known = {what, *record};
    return record.has_value();
  };
  first_of_others(except, [&](Context& context) {
    if (note(Elsewhere::has, context.around(range.pointer))) return true;
    if (note(Elsewhere::runs_into, context.registry().beginning_inside(range))) return true;
    if (context.keeps(range)) return note(Elsewhere::keeps, range);
    if (known.what == Elsewhere::nothing) note(Elsewhere::had, context.freed_around(range.pointer));
    return false;
  });
  return known;
}

namespace {

// Calls for each live context of which admit is true, which is called with its mutex held. The context stays alive meanwhile, as for
// a call that has stepped out, and no lock is held.
template <class Admit, class Action>
void for_each_as_guest(Admit admit, Action action) noexcept {
  const std::uint32_t used = table.used.load(std::memory_order_acquire);
  for (std::uint32_t number = 0; number < used; ++number) {
    Slot& slot = slot_at(number);
    slot.mutex.lock();
    Context* const context = slot.context;
    if (!context || slot.closing.load(std::memory_order_relaxed) || !admit(*context, slot.handle)) {
      slot.mutex.unlock();
      continue;
    }
    slot.outside.fetch_add(1);
    slot.mutex.unlock();
    const Guest guest(slot);
    action(*context, slot);
    const Locked locked(slot.mutex);
    if (slot.outside.fetch_sub(1) == 1) slot.notify();
  }
}

auto within(const SharedAccount& account) noexcept {
  return [&account](const Context& context, cadastre_context) { return context.shared().is_within(account); };
}

}  // namespace

// Nobody waits for who has locked a context, since he may be waiting for the caller.
bool give_up_elsewhere(cadastre_context except) noexcept {
  bool any = false;
  const auto others = [except](const Context&, cadastre_context handle) { return handle != except; };
  for_each_as_guest(others, [&](Context& context, Slot& slot) {
    any = context.give_up_kept() || any;
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT;) {
      std::unique_ptr<Workspace> taken;
      slot.while_locked([&]() CADASTRE_UNCHECKED {
        const bool free_to_all = slot.owner == 0 || slot.owner == this_thread();
        if (free_to_all && !slot.closing.load(std::memory_order_relaxed)) taken = context.take_idle_workspace(type);
      });
      if (!taken) {
        ++type;
        continue;
      }
      any = true;
      context.free_taken(*taken);
      slot.while_locked([&] { context.count_taken(*taken); });
    }
  });
  return any;
}

void trim_heaps_elsewhere(cadastre_context except) noexcept {
  const auto others = [except](const Context&, cadastre_context handle) { return handle != except; };
  for_each_as_guest(others, [](Context& context, Slot& slot) {
    slot.while_locked([&] {
      if (!context.registry().heap().is_used()) return;
      context.registry().close_heap();
      context.registry().heap().trim(Heap::Leave::none);
    });
  });
}

void return_claims_within(const SharedAccount& account) noexcept {
  for_each_as_guest(within(account), [](Context& context, Slot& slot) { slot.while_locked([&] { context.registry().close_heap(); }); });
}

cadastre_statistics_struct figures_within(const SharedAccount& account, cadastre_memory_type type) noexcept {
  cadastre_statistics_struct sum = cadastre_statistics_struct_zero;
  add_figures(sum, account.departed(type));
  for_each_as_guest(within(account), [&](Context& context, Slot& slot) {
    slot.while_locked([&] { add_figures(sum, context.figures_of_all(type, &context.shared() != &account)); });
  });
  const SharedBytes& bytes = account.of(type);
  sum.high_water_mark_bytes = std::max(bytes.most_live(), sum.live_bytes);
  sum.high_water_mark_blocks = std::max(bytes.most_blocks(), sum.live_blocks);
  sum.limit = bytes.limit();
  return sum;
}

// Of the devices with that number, whichever backend they are of.
cadastre_statistics_struct figures_on_device(const SharedAccount& account, cadastre_memory_type type, std::int32_t device) noexcept {
  cadastre_statistics_struct sum = cadastre_statistics_struct_zero;
  for_each_as_guest(within(account), [&](Context& context, Slot& slot) {
    slot.while_locked([&] {
      const Account* const own = context.accounts(type).of(device);
      if (!own) return;
      add_figures(sum, own->figures);
      sum.high_water_mark_bytes += own->figures.high_water_mark_bytes;
      sum.high_water_mark_blocks += own->figures.high_water_mark_blocks;
    });
  });
  sum.limit = CADASTRE_UNLIMITED;
  return sum;
}

std::vector<SourceBytes> all_sources() {
  std::vector<SourceBytes> all;
  bool complete = true;
  const auto every = [](const Context&, cadastre_context) { return true; };
  for_each_as_guest(every, [&](const Context& context, Slot& slot) {
    slot.while_locked([&] {
      try {
        const std::vector<SourceBytes> own = context.sources();
        all.insert(all.end(), own.begin(), own.end());
      } catch (const std::bad_alloc&) {
        complete = false;
      }
    });
  });
  if (!complete) throw std::bad_alloc();
  return all;
}

namespace {

void add_pool(cadastre_pool_info_struct& sum, const cadastre_pool_info_struct& one) noexcept {
  sum.pool = std::max(sum.pool, one.pool);  // the caching one is the last
  sum.pool_count += one.pool_count;
  sum.used_bytes += one.used_bytes;
  sum.reserved_bytes += one.reserved_bytes;
  sum.releasable_bytes += one.releasable_bytes;
  sum.largest_free_bytes = std::max(sum.largest_free_bytes, one.largest_free_bytes);
  sum.hits += one.hits;
  sum.misses += one.misses;
  sum.trims += one.trims;
}

}  // namespace

cadastre_registry_info_struct registries_within(const SharedAccount& account) noexcept {
  cadastre_registry_info_struct sum = cadastre_registry_info_struct_zero;
  for_each_as_guest(within(account), [&](Context& context, Slot& slot) {
    slot.while_locked([&] {
      const cadastre_registry_info_struct one = context.registry().info();
      sum.entries += one.entries;
      sum.capacity += one.capacity;
      sum.doublings += one.doublings;
      sum.live_records += one.live_records;
    });
  });
  return sum;
}

cadastre_pool_info_struct pools_within(const SharedAccount& account, cadastre_memory_type type) noexcept {
  cadastre_pool_info_struct sum = cadastre_pool_info_struct_zero;
  for_each_as_guest(within(account), [&](const Context& context, Slot&) { add_pool(sum, context.pool_info(type)); });
  return sum;
}

namespace {

void append(Holdings& sum, Holdings one, cadastre_context parent) {
  ContextFigures figures{one.context, parent, one.backend, 0, 0};
  for (const cadastre_statistics_struct& of_type : one.figures) {
    figures.live_blocks += of_type.live_blocks;
    figures.live_bytes += of_type.live_bytes;
  }
  sum.contexts.push_back(figures);
  for (std::size_t type = 0; type < memory_types; ++type) add_pool(sum.pools[type], one.pools[type]);
  const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  add(sum.largest_blocks, one.largest_blocks);
  add(sum.labels, one.labels);
  sum.blocks += one.blocks;
  add(sum.workspaces, one.workspaces);
  add(sum.leases, one.leases);
  add(sum.failures, one.failures);
  add(sum.sources, one.sources);
  add(sum.plain_frees, one.plain_frees);
  sum.failures_forgotten += one.failures_forgotten;
}

}  // namespace

Holdings holdings_within(const SharedAccount& account, cadastre_context handle) {
  Holdings sum{handle, CADASTRE_DEFAULT_BACKEND, no_device_id, {}, {}, {}, {}, {}, {}, {}, 0};
  bool complete = true;
  for_each_as_guest(within(account), [&](const Context& context, Slot& slot) {
    slot.while_locked([&] {
      try {
        const cadastre_context own = context.shared().owner();
        append(sum, context.holdings(own), context.shared().parent()->owner());
        if (own != handle) return;
        sum.backend = context.backend_number();
        sum.device = context.device();
      } catch (const std::bad_alloc&) {
        complete = false;
      }
    });
  });
  if (!complete) throw std::bad_alloc();
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    sum.figures[static_cast<std::size_t>(type)] = figures_within(account, type);
  }
  return sum;
}

// What threads have claimed in advance is returned when it does, and claimed again below the new limit.
void limit_within(SharedAccount& account, cadastre_memory_type type, std::size_t bytes) noexcept {
  account.of(type).set_limit(bytes);
  for_each_as_guest(within(account), [&](Context& context, Slot& slot) {
    std::size_t room = everything_kept;
    slot.while_locked([&] {
      if (type == CADASTRE_HOST) context.registry().close_heap();
      room = context.room_to_keep(type);
    });
    context.pools(type).keep_within(room);
  });
}

cadastre_exit_code trim_within(const SharedAccount& account, cadastre_memory_type type, std::size_t least) noexcept {
  std::size_t all = 0;
  for_each_as_guest(within(account), [&](Context& context, Slot&) { all += context.pools(type).figures().reserved; });
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  for_each_as_guest(within(account), [&](Context& context, Slot&) {
    Pools& pools = context.pools(type);
    const std::size_t own = pools.figures().reserved, others = all - std::min(all, own);
    const cadastre_exit_code code = pools.trim(least > others ? least - others : 0);
    if (code != CADASTRE_SUCCESS) worst = code;
    all = others + pools.figures().reserved;
  });
  return worst;
}

cadastre_context leaf_below(cadastre_context handle) noexcept {
  cadastre_context found = CADASTRE_NULL_CONTEXT;
  const auto is_leaf = [&](const Context& context, cadastre_context own) {
    if (found != CADASTRE_NULL_CONTEXT || own == handle || context.shared().children() > 0) return false;
    const SharedAccount* above = context.shared().parent();
    while (above && above->owner() != handle) above = above->parent();
    return above != nullptr;
  };
  for_each_as_guest(is_leaf, [&](const Context& context, Slot&) { found = context.shared().owner(); });
  return found;
}

namespace {

// Whether somebody is there to be shown; none when the host has no memory for it.
bool look_into(Slot& slot, std::optional<Holdings>& holdings) noexcept {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  ++until.tv_sec;
  if (!slot.mutex.lock_until(until)) return false;
  Context* const context = slot.closing ? nullptr : slot.context.load();
  const bool there = context && context->registry().close_heap_within(std::chrono::seconds(1));
  if (there) holdings = holdings_of(*context, slot.handle);
  if (context) slot.open_heap();
  slot.mutex.unlock();
  return there;
}

}  // namespace

void for_each_context(Shown shown) noexcept {
  const std::uint32_t used = table.used.load(std::memory_order_acquire);
  for (std::uint32_t number = 0; number < used; ++number) {
    std::optional<Holdings> holdings;
    if (look_into(slot_at(number), holdings)) shown(holdings ? &*holdings : nullptr);
  }
}

bool others_live() noexcept { return table.contexts.load(std::memory_order_relaxed) > 1; }

std::size_t Context::room_to_keep(cadastre_memory_type type) const noexcept {
  if (pool(type) != CADASTRE_POOL_CACHING || !shared().is_limited(type)) return everything_kept;
  const Pools& own = pools_[static_cast<std::size_t>(type)];
  const auto room = shared().room(type) + static_cast<std::ptrdiff_t>(own.kept());
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(room, 0));
}

std::size_t Context::alone_below() const noexcept {
  if (timing_ || registry_.has_borrowed()) return 0;
  return pool(CADASTRE_HOST) == CADASTRE_POOL_CACHING ? std::min(mapped_from, pooled_from(CADASTRE_HOST)) : mapped_from;
}

cadastre_exit_code Context::set_from_malloc(bool from_malloc) noexcept {
  registry_.close_heap();
  if (from_malloc && registry_.heap().slabs().count > 0) {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_HEAP_IN_USE});
  }
  from_malloc_ = from_malloc;
  return CADASTRE_SUCCESS;
}

// Without memory for a label that was not there before, the block is counted without one.
void Context::count_plain_free(const Record& block) noexcept {
  registry_.count_plain_free(block);
  const auto with = [this](OriginNumber origin) {
    return std::find_if(plain_frees_.begin(), plain_frees_.end(), [&](const PlainFrees& one) { return one.origin == origin; });
  };
  PlainFrees* known = with(block.origin);
  if (known == plain_frees_.end() && plain_frees_.reserve_one()) {
    plain_frees_.push_back({block.origin, 0, 0});
    known = plain_frees_.end() - 1;
  }
  if (known == plain_frees_.end() && (known = with(no_origin)) == plain_frees_.end()) return;
  ++known->blocks;
  known->bytes += block.size;
}

void Context::use_device(const Backend& source, std::int32_t device) noexcept {
  const std::uint64_t bit = &source == backend_ ? bit_of(device) : 0;
  if ((devices_in_use() & bit) != bit) devices_ |= bit;
}

cadastre_exit_code Context::await(cadastre_queue queue, std::uint64_t devices) noexcept {
  if (queue != CADASTRE_DEFAULT_QUEUE || device_ < 0) return backend_->synchronize(device_, queue);
  for (; devices != 0; devices &= devices - 1) {
    const cadastre_exit_code code = backend_->synchronize(std::countr_zero(devices), CADASTRE_DEFAULT_QUEUE);
    if (code != CADASTRE_SUCCESS) return code;
  }
  return CADASTRE_SUCCESS;
}

Backend* Context::backend_numbered(cadastre_backend number) noexcept {
  return number == backend_->number() ? backend_ : find_backend(number);
}

cadastre_exit_code Context::choose_source(const cadastre_memory_info_struct& info, Backend*& source) const noexcept {
  source = backend_;
  for (std::size_t i = 0; i < std::size(info.reserved); ++i) {
    if (info.reserved[i] == 0) continue;
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_RESERVED_NOT_ZERO, .type = info.type,
                 .requested = info.reserved[i], .detail = text("reserved[%zu]", i)});
  }
  if (info.type != CADASTRE_HOST && info.device_id != 0 && info.device_id != device_id_of(info.device)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_DEVICE_MISMATCH, .type = info.type,
                 .requested = static_cast<std::size_t>(info.device_id)});
  }
  if (names_own_backend(info)) return CADASTRE_SUCCESS;
  return choose_backend(info.backend, CADASTRE_INVALID_ARG_2, source);
}

std::int32_t Context::device_for(const cadastre_memory_info_struct& info, Backend& source) const noexcept {
  if (info.type == CADASTRE_HOST) return no_device_id;
  if (info.device != CADASTRE_DEFAULT_DEVICE) return device_id_of(info.device);
  return &source == backend_ ? device_ : source.current_device();
}

// HOST memory that the context's backend does not serve is the host's, and kept all the same.
Pool* Context::pool_for(Backend& source, cadastre_memory_type type, std::int32_t device) noexcept {
  if (pool(type) != CADASTRE_POOL_CACHING) return nullptr;
  const bool ours = &source == backend_ || (type == CADASTRE_HOST && source.number() == CADASTRE_BACKEND_HOST);
  return ours ? pools(type).open(source, type, device) : nullptr;
}

Pool* Context::pool_of(const Record& record) noexcept {
  return pool(record.type) == CADASTRE_POOL_CACHING ? pools(record.type).find(backend_of(record), record.device) : nullptr;
}

cadastre_exit_code Context::plan(Visit& visit, const cadastre_memory_info_struct& info, Order order, Backend*& source,
                                 Request& request) noexcept {
  if (!order && pool(info.type) == CADASTRE_POOL_VENDOR) order = CADASTRE_DEFAULT_QUEUE;
  const cadastre_queue queue = order ? resolved(*order) : CADASTRE_DEFAULT_QUEUE;
  // A queue that the context was told of may be of its own device only, and the block must lie where its record says.
  const bool of_the_context = order && *order == CADASTRE_DEFAULT_QUEUE && default_queue() != CADASTRE_DEFAULT_QUEUE;
  const auto settle_on_one = [&] {
    cadastre_exit_code code = choose_source(info, source);
    if (code != CADASTRE_SUCCESS) return code;
    if (info.type == CADASTRE_HOST && !source->serves(CADASTRE_HOST)) source = find_backend(CADASTRE_BACKEND_HOST);
    const bool own = source == backend_;
    request = {.size = info.size,
               .alignment = info.alignment,
               .type = info.type,
               .device = device_for(info, *source),
               .zero = (info.flags & CADASTRE_UNINITIALIZED) == 0,
               .ordered = order && own,
               .queue = own ? queue : CADASTRE_DEFAULT_QUEUE,
               .from_malloc = from_malloc_ && info.type == CADASTRE_HOST};
    if (of_the_context && request.device != device_) request.ordered = false;
    return admit(*source, request);
  };
  // Another runtime may have to be opened, or all of them, to tell who serves what this one does not.
  const Backend* const near = at_hand(info);
  const bool known = near && is_memory_type(info.type) && (info.type == CADASTRE_HOST || near->serves(info.type));
  const cadastre_exit_code code = known ? settle_on_one() : outside(visit, settle_on_one);
  if (code != CADASTRE_SUCCESS) return code;
  use_device(*source, request.device);
  return registry_.accounts(info.type).open(request.device) ? CADASTRE_SUCCESS : no_memory_for_records();
}

namespace {

cadastre_exit_code admit_stride(const cadastre_memory_info_struct& info) noexcept {
  if (info.stride != 0 && info.stride <= info.size) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_INVALID_STRIDE, .type = info.type,
               .requested = info.stride, .limit = info.size});
}

// As much of it as a label may have; none of a request that makes no sense otherwise.
Text label_of(const cadastre_memory_info_struct& info) noexcept {
  if (!info.label || (info.flags & ~CADASTRE_UNINITIALIZED) != 0 || !is_memory_type(info.type)) return {};
  return text("%.*s", static_cast<int>(longest_label), info.label);
}

}  // namespace

// What is refused in any case does not count.
cadastre_exit_code Context::fail_on_demand(const cadastre_memory_info_struct& info, const Backend& source, const Request& request) noexcept {
  if ((info.flags & ~CADASTRE_UNINITIALIZED) != 0 || !is_label(info.label)) return CADASTRE_SUCCESS;
  const char* const rule = fails(Point::malloc, {info.type, source.number(), info.size, info.label});
  if (!rule) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_INJECTED, .type = info.type,
               .backend = source.number(), .device = request.device, .requested = info.size, .detail = rule});
}

cadastre_exit_code Context::allocate(Visit& visit, const cadastre_memory_info_struct& info, Order order,
                                     void*& pointer, bool strided) noexcept {
  Backend* source = nullptr;
  Request request{};
  request.device = no_device_id;
  cadastre_exit_code code = plan(visit, info, order, source, request);
  if (code == CADASTRE_SUCCESS && strided) code = admit_stride(info);
  if (code == CADASTRE_SUCCESS && is_armed(Point::malloc)) [[unlikely]] code = fail_on_demand(info, *source, request);
  if (code == CADASTRE_SUCCESS) code = try_allocate(visit, info, *source, request, pointer);
  if (is_want_of_records(code) && give_up_everything(visit)) code = try_allocate(visit, info, *source, request, pointer);
  if (code != CADASTRE_SUCCESS && is_memory_type(info.type)) {
    // A device that was never asked before has no account yet; one that is not there gets none.
    if (source->has_device(request.device)) accounts(info.type).open(request.device);
    accounts(info.type).each(request.device, [](Account& account) { ++account.figures.failed_allocations; });
  }
  if (code != CADASTRE_SUCCESS) describe_request(info.size, info.type, label_of(info).characters);
  return code;
}

// The host may have had no memory for the registry's own records, too.
bool Context::give_up_everything(Visit& visit) noexcept {
  const Failure first = failed_last();
  bool any = false;
  for (const Way way : ways_to_memory) any = (this->*way)(visit) || any;
  fail(first);
  return any;
}

const std::array<Context::Way, 4> Context::ways_to_memory = {
    &Context::give_up_slabs, &Context::give_up_pools, &Context::give_up_all_idle_workspaces, &Context::give_up_in_other_contexts};

// Empty slabs of all contexts, the pages that arenas keep, and their address space, where it is the host that lacks memory.
bool Context::give_up_slabs(Visit& visit) noexcept {
  const Failure& failure = failed_last();
  if (failure.reason != CADASTRE_REASON_OUT_OF_HOST_MEMORY && failure.backend != CADASTRE_BACKEND_HOST) return false;
  registry_.close_heap();
  registry_.heap().trim(Heap::Leave::none);
  visit.step_out();
  trim_heaps_elsewhere(visit.handle());
  const bool any = Arena::give_up_all();
  visit.step_in();
  return any;
}

bool Context::give_up_pools(Visit& visit) noexcept {
  visit.step_out();
  const bool any = give_up_kept();
  visit.step_in();
  return any;
}

bool Context::give_up_in_other_contexts(Visit& visit) noexcept {
  visit.step_out();
  const bool any = give_up_elsewhere(visit.handle());
  visit.step_in();
  return any;
}

bool Context::give_up_kept() noexcept {
  bool any = false;
  for_each_pool([&](Pool& pool) { any = pool.give_up_idle() || any; });
  return any;
}

bool Context::give_up_idle_workspaces(Visit& visit, std::optional<cadastre_memory_type> type) noexcept {
  bool any = false;
  for (cadastre_memory_type each = type.value_or(0); each <= type.value_or(CADASTRE_MEMORY_TYPE_COUNT - 1); ++each) {
    while (const std::unique_ptr<Workspace> taken = take_idle_workspace(each)) {
      any = true;
      visit.step_out();
      free_taken(*taken);
      visit.step_in();
      count_taken(*taken);
    }
  }
  return any;
}

// A limit counts what idle workspaces hold; one of a parent or of the process also what other contexts hold. Pools of others may keep
// what the limits leave no room for.
bool Context::make_room(Visit& visit, cadastre_memory_type type, std::size_t bytes, const Refusal& refusal) noexcept {
  if (bytes > refusal.limit) return false;
  const bool own = give_up_idle_workspaces(visit, type);
  const bool alone = refusal.account == &shared() && shared().children() == 0;
  return (!alone && give_up_in_other_contexts(visit)) || own;
}

std::optional<Refusal> Context::reserve(Visit& visit, cadastre_memory_type type, std::size_t bytes) noexcept {
  std::optional<Refusal> refusal = registry_.reserve_bytes(type, bytes);
  // What threads have claimed in advance is returned, first in this context, then below each account that refuses, from here upwards.
  if (refusal && type == CADASTRE_HOST) {
    registry_.close_heap();
    refusal = registry_.reserve_bytes(type, bytes);
  }
  const SharedAccount* returned = shared().children() > 0 ? nullptr : &shared();
  while (refusal && type == CADASTRE_HOST && refusal->account != returned && (!returned || returned->is_within(*refusal->account))) {
    returned = refusal->account;
    visit.step_out();
    return_claims_within(*returned);
    visit.step_in();
    refusal = registry_.reserve_bytes(type, bytes);
  }
  if (refusal && make_room(visit, type, bytes, *refusal)) refusal = registry_.reserve_bytes(type, bytes);
  if (!refusal && shared().is_limited(type)) {
    const auto own = static_cast<std::ptrdiff_t>(pools(type).kept());
    visit.begun = {.type = type, .bytes = bytes};
    if (shared().room(type) + own < 0) give_up_in_other_contexts(visit);
    visit.begun = {};
  }
  return refusal;
}

template <class Ask>
cadastre_exit_code Context::with_all_there_is(Visit& visit, Ask ask) noexcept {
  cadastre_exit_code code = outside(visit, ask);
  for (const Way way : ways_to_memory) {
    if (code == CADASTRE_SUCCESS || failed_last().reason != CADASTRE_REASON_BACKEND_OUT_OF_MEMORY) return code;
    const Failure first = failed_last();
    code = (this->*way)(visit) ? outside(visit, ask) : fail(first);
  }
  return code;
}

cadastre_exit_code Context::try_allocate(Visit& visit, const cadastre_memory_info_struct& info, Backend& source,
                                         const Request& request, void*& pointer) noexcept {
  if ((info.flags & ~CADASTRE_UNINITIALIZED) != 0) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_INVALID_FLAGS, .flags = info.flags});
  }
  // For a request that is refused in any case nothing is given up.
  if (shared().is_limited(info.type) && !is_label(info.label)) return refuse_label(info.type);
  if (const std::optional<Refusal> refusal = reserve(visit, info.type, info.size)) {
    return over_limit(shared(), info.type, info.size, 0, *refusal);
  }
  Record record;
  record.device = request.device;
  record.backend = static_cast<std::uint8_t>(source.number());
  cadastre_exit_code code = describe_for_record(info, record);
  const bool may_be_in_slab = uses_slabs() && info.type == CADASTRE_HOST && info.stride == 0 && source.number() == CADASTRE_BACKEND_HOST;
  if (code == CADASTRE_SUCCESS && may_be_in_slab && info.label != workspace_label) {
    pointer = registry_.allocate_in_slab(info, record.origin, visit.handle());
    if (pointer) return CADASTRE_SUCCESS;
    if (const std::optional<Damage> damage = registry_.take_damage()) code = refuse_damaged(*damage, nullptr);
  }
  if (code == CADASTRE_SUCCESS && !registry_.reserve()) code = no_memory_for_records();
  if (code != CADASTRE_SUCCESS) {
    registry_.cancel_bytes(info.type, info.size);
    return code;
  }
  visit.begun = {.rooms = 1, .type = info.type, .bytes = info.size};
  Grant grant{};
  Pool* const pool = pool_for(source, request.type, request.device);
  if (!pool || !pool->allocate_at_once(request, grant)) {
    const std::size_t room = room_to_keep(info.type);
    code = with_all_there_is(visit, [&] {
      if (pool) return pool->allocate(request, grant, room);
      pools(info.type).keep_within(room);
      return source.allocate(request, grant);
    });
  }
  visit.begun = {};
  if (code != CADASTRE_SUCCESS) {
    registry_.cancel_bytes(info.type, info.size);
    registry_.cancel();
    return code;
  }
  note(grant, record);
  registry_.enter(record);
  pointer = record.pointer;
  const bool next_may_be_alone = uses_shards() && info.type == CADASTRE_HOST && info.size < alone_below();
  if (next_may_be_alone) registry_.provide_shard(visit.handle());
  return CADASTRE_SUCCESS;
}

// Fills in what the caller decides.
cadastre_exit_code Context::describe_for_record(const cadastre_memory_info_struct& info, Record& record) noexcept {
  OriginNumber origin = info.label ? origin_at(info.label) : no_origin;
  const bool is_text = info.label && origin == no_origin;
  const std::size_t length = is_text ? strnlen(info.label, longest_label + 1) : 0;
  if (length > longest_label) return refuse_label(info.type);
  if (is_text && (origin = origin_of({info.label, length})) == no_origin) return no_memory_for_records();
  record.origin = origin;
  record.size = info.size;
  record.stride_or_freed = info.stride;
  record.type = static_cast<std::uint8_t>(info.type);
  record.flags = static_cast<std::uint16_t>(info.flags);
  return CADASTRE_SUCCESS;
}

// Refuses to wait for a device while the context's default queue is captured, of which the device may not tell.
cadastre_exit_code Context::admit_wait() noexcept {
  const cadastre_queue queue = default_queue();
  if (queue == CADASTRE_DEFAULT_QUEUE || !backend_->capturing(device_, queue)) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE, .reason = CADASTRE_REASON_CAPTURE_ACTIVE, .backend = backend_->number(),
               .device = device_, .pointer = queue, .detail = "it is the default queue of the context, so free and wait after the capture has ended"});
}

// Waits for queues that may be at work on a block and that its own backend, or its own device, knows nothing of.
cadastre_exit_code Context::settle_elsewhere(const Record& record) noexcept {
  if (record.type == CADASTRE_HOST) return CADASTRE_SUCCESS;
  if (const cadastre_exit_code code = admit_wait(); code != CADASTRE_SUCCESS) return code;
  Record there = record;
  for (std::uint64_t devices = devices_in_use(); devices != 0; devices &= devices - 1) {
    there.device = std::countr_zero(devices);
    if (record.backend == backend_->number() && there.device == record.device) continue;
    if (const cadastre_exit_code code = backend_->settle(there); code != CADASTRE_SUCCESS) return code;
  }
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::free_in_backend(const Record& record, Order order) noexcept {
  if (record.how == how_in_slab) return CADASTRE_SUCCESS;  // it left the heap with the registry
  Backend& source = backend_of(record);
  Pool* const pool = pool_of(record);
  const cadastre_exit_code code = timed(timing_, [&] {
    if (order) return pool ? pool->free(record, *order) : source.free_ordered(record, *order);
    // What a device says against itself does not keep the memory of another, but a capture does.
    if (settle_elsewhere(record) == CADASTRE_CAPTURE_ACTIVE) return CADASTRE_CAPTURE_ACTIVE;
    return pool ? pool->free(record) : source.free(record);
  });
  return unless_demanded(record, code);
}

// What came of a free; it fails on demand when it has succeeded, so that no memory is lost.
cadastre_exit_code Context::unless_demanded(const Record& record, cadastre_exit_code code) noexcept {
  if (code != CADASTRE_SUCCESS || !is_armed(Point::free)) [[likely]] return code;
  const char* const rule = fails(Point::free, {record.type, record.backend, record.size, text_of(record.origin)});
  if (!rule) return code;
  Failure failure = about(record, CADASTRE_DEALLOCATION_FAILED, CADASTRE_REASON_INJECTED, record.pointer);
  failure.detail = rule;
  return fail(failure);
}

// The default queue is one on each device: where several are in use, the queue of the block's own is not enough.
bool Context::goes_by_the_queue(const Record& record, cadastre_queue queue) noexcept {
  if (record.backend != backend_->number()) return false;
  if (record.flags & CADASTRE_STREAM_ORDERED) return true;
  if (const Pool* const pool = pool_of(record); !pool || !pool->has_lanes()) return false;
  return queue != CADASTRE_DEFAULT_QUEUE || (devices_in_use() & ~bit_of(record.device)) == 0;
}

// What has to be before a block leaves the registry; order is none afterwards where nothing is left of it.
cadastre_exit_code Context::make_ready_to_free(const Record& record, Order& order) noexcept {
  if (goes_by_the_queue(record, *order)) {
    Pool* const pool = pool_of(record);
    return pool ? pool->admit_free(*order) : CADASTRE_SUCCESS;
  }
  const cadastre_exit_code code = await(*order, devices_in_use());
  order.reset();
  return code;
}

cadastre_exit_code Context::release(Visit& visit, void* pointer, Order order, std::uint64_t* serial) noexcept {
  Record record;
  cadastre_exit_code code = find_owned(registry_, pointer, record);
  if (code != CADASTRE_SUCCESS) return code;
  if (order) order = resolved(*order);
  Pool* const pool = order ? pool_of(record) : nullptr;
  if (order && (!goes_by_the_queue(record, *order) || (pool && pool->asks_before_free(*order)))) {
    code = outside(visit, [&] { return make_ready_to_free(record, order); });
    if (code == CADASTRE_SUCCESS) code = find_owned(registry_, pointer, record);
    if (code != CADASTRE_SUCCESS) return code;
  }
  if (serial) *serial = record.serial;
  const bool by_the_pool = pool && order;
  if (by_the_pool && !is_armed(Point::free) && pool->free_at_once(record, *order)) {
    registry_.remove(pointer);
    return CADASTRE_SUCCESS;
  }
  Hidden hidden;
  withdraw(record, hidden);
  // A hidden block still counts.
  const std::size_t left = room_to_keep(record.type);
  const std::size_t room = hidden.is_listed && left != everything_kept ? left + record.size : left;
  visit.step_out();
  code = by_the_pool ? unless_demanded(record, timed(timing_, [&] { return pool->free_admitted(record, *order); }))
                     : free_in_backend(record, order);
  if (code == CADASTRE_SUCCESS && !order) pools(record.type).keep_within(room);
  if (code == CADASTRE_SUCCESS && !hidden.is_listed) return code;
  visit.step_in();
  conclude_free(record, hidden, code);
  return code;
}

// Takes a block out of the registry, or hides it there until it is known what became of it.
void Context::withdraw(const Record& record, Hidden& hidden) noexcept {
  if (record.type == CADASTRE_HOST) return registry_.remove(record.pointer);
  registry_.hide(record.pointer, hidden);
}

void Context::conclude_free(const Record& record, Hidden& hidden, cadastre_exit_code code) noexcept {
  if (hidden.is_listed && code == CADASTRE_CAPTURE_ACTIVE) return registry_.show_where_it_was(hidden);
  registry_.remove_hidden(hidden);
  if (code != CADASTRE_SUCCESS) registry_.free_failed(record);
}

cadastre_exit_code Context::resize(Visit& visit, void* pointer, std::size_t size, void*& resized) noexcept {
  Record record;
  cadastre_exit_code code = find_owned(registry_, pointer, record);
  if (code != CADASTRE_SUCCESS) return code;
  const Asked asked{record.type, record.backend, size, text_of(record.origin)};
  const char* const rule = size <= largest_size ? fails(Point::malloc, asked) : nullptr;
  code = rule ? fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_INJECTED, .type = record.type,
                      .backend = record.backend, .device = record.device, .requested = size, .detail = rule})
              : try_resize(visit, record, size, resized);
  if (is_want_of_records(code) && give_up_everything(visit)) {
    code = find_owned(registry_, pointer, record);  // others were inside
    if (code == CADASTRE_SUCCESS) code = try_resize(visit, record, size, resized);
  }
  if (code != CADASTRE_SUCCESS) {
    accounts(record.type).each(record.device, [](Account& account) { ++account.figures.failed_allocations; });
    describe_request(size, record.type, text_of(record.origin));
  }
  return code;
}

cadastre_exit_code Context::try_resize(Visit& visit, const Record& old, std::size_t size, void*& resized) noexcept {
  if (size > largest_size) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_SIZE_OVERFLOW,
                 .type = old.type, .requested = size, .limit = largest_size});
  }
  const std::size_t growth = size > old.size ? size - old.size : 0;
  if (const std::optional<Refusal> refusal = reserve(visit, old.type, growth)) {
    return over_limit(shared(), old.type, size, old.size, *refusal);
  }
  if (!is_still_there(old)) {  // others were inside
    registry_.cancel_bytes(old.type, growth);
    return unknown(old.pointer);
  }
  if (old.how == how_in_slab && resize_in_slab(visit, old, size, resized)) return CADASTRE_SUCCESS;
  if (!registry_.reserve()) {
    registry_.cancel_bytes(old.type, growth);
    return no_memory_for_records();
  }
  Hidden hidden;
  registry_.hide(old.pointer, hidden);
  visit.begun = {.rooms = 1, .hidden = &hidden, .type = old.type, .bytes = growth};
  Pool* const pool = pool_for(backend_of(old), old.type, old.device);
  Grant grant{};
  const std::size_t room = room_to_keep(old.type);
  const cadastre_exit_code code = with_all_there_is(visit, [&] {
    const cadastre_exit_code settled = settle_elsewhere(old);
    if (settled != CADASTRE_SUCCESS) return settled;
    if (pool) return pool->resize(old, size, grant, room);
    pools(old.type).keep_within(room);
    const bool stays_from_malloc = from_malloc_ && old.type == CADASTRE_HOST && old.backend == CADASTRE_BACKEND_HOST && size >= mapped_from;
    if (old.how == how_in_slab || stays_from_malloc) return move_out(old, size, grant);
    return backend_of(old).resize(old, size, grant);
  });
  visit.begun = {};
  if (code == CADASTRE_SUCCESS) {
    registry_.resize(hidden.record, size);
    note(grant, hidden.record);
    resized = grant.pointer;
  } else {
    registry_.cancel_bytes(old.type, growth);
  }
  const bool moved = hidden.record.pointer != old.pointer;
  registry_.show(hidden);
  if (moved) registry_.note_moved(old);
  return code;
}

// In place, or in another slab; false, and nothing changed, where it has to leave the slabs.
bool Context::resize_in_slab(Visit& visit, const Record& old, std::size_t size, void*& resized) noexcept {
  registry_.close_heap();
  const bool in_place = registry_.heap().resize(old.address(), size);
  void* const pointer = in_place ? old.pointer : registry_.move_in_slab(old, size, visit.handle());
  if (!pointer) return false;
  Record record = old;
  registry_.resize(record, size);
  resized = pointer;
  return true;
}

// Out of a slab, or to where a backend would not put it by itself. Outside, where nobody finds the block meanwhile.
cadastre_exit_code Context::move_out(const Record& old, std::size_t size, Grant& grant) noexcept {
  const Request request{.size = size,
                        .alignment = old.alignment(),
                        .type = old.type,
                        .device = old.device,
                        .zero = (old.flags & CADASTRE_UNINITIALIZED) == 0,
                        .ordered = false,
                        .queue = CADASTRE_DEFAULT_QUEUE,
                        .from_malloc = from_malloc_};
  Backend& backend = backend_of(old);
  Grant moved{};
  if (const cadastre_exit_code code = backend.allocate(request, moved); code != CADASTRE_SUCCESS) return code;
  // What lies in a slab is freed there when the block is found elsewhere.
  const auto free = [&](const Record& gone) { return gone.how == how_in_slab ? CADASTRE_SUCCESS : backend.free(gone); };
  return move_block(backend, old, size, moved, grant, free);
}

cadastre_exit_code Context::describe(const void* pointer, cadastre_memory_info_struct* info) noexcept {
  if (pointer && !info) return fail({.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_NULL_ARGUMENT});
  const std::optional<Record> record = registry_.at(pointer);
  if (!record) return unknown(pointer);
  *info = info_of(*record);
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::actual_size(const void* pointer, std::size_t* actual) noexcept {
  if (pointer && !actual) return fail({.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_NULL_ARGUMENT});
  const std::optional<Record> record = registry_.at(pointer);
  if (!record) return unknown(pointer);
  const Pool* const pool = record->borrowed() ? nullptr : pool_of(*record);
  *actual = pool ? pool->actual_size(*record) : record->size;
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::locate(const void* address, cadastre_memory_info_struct* info,
                                   std::size_t* offset) noexcept {
  const std::optional<Record> record = address ? registry_.around(address) : std::nullopt;
  if (!record) return unknown(address);
  if (info) *info = info_of(*record);
  if (offset) *offset = address_of(address) - record->address();
  return CADASTRE_SUCCESS;
}

namespace {

// The largest power of two, up to a page, that divides an address.
std::size_t alignment_of(std::uintptr_t address) noexcept {
  return std::size_t{1} << std::countr_zero(address | 4096);
}

constexpr cadastre_flags all_flags =
    CADASTRE_UNINITIALIZED | CADASTRE_BORROWED | CADASTRE_STREAM_ORDERED | CADASTRE_WORKSPACE_MEMORY;

cadastre_exit_code admit_borrowed(const cadastre_memory_info_struct& info) noexcept {
  const auto address = address_of(info.pointer);
  if (!info.pointer) return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_NULL_POINTER});
  if (!is_memory_type(info.type)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_INVALID_MEMORY_TYPE,
                 .requested = static_cast<std::size_t>(info.type)});
  }
  if ((info.flags & ~all_flags) != 0) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_INVALID_FLAGS, .flags = info.flags});
  }
  if (info.size > largest_size || sum_wraps(address, info.size)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_SIZE_OVERFLOW, .type = info.type,
                 .requested = info.size, .limit = std::min(largest_size, UINTPTR_MAX - address), .pointer = info.pointer});
  }
  const bool power_of_two = info.alignment == 0 || std::has_single_bit(info.alignment);
  if (!power_of_two || (info.alignment != 0 && address % info.alignment != 0)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = power_of_two ? CADASTRE_REASON_MISALIGNED : CADASTRE_REASON_INVALID_ALIGNMENT,
                 .type = info.type, .requested = info.alignment, .pointer = info.pointer});
  }
  return CADASTRE_SUCCESS;
}

}  // namespace

cadastre_exit_code Context::place_borrowed(const cadastre_memory_info_struct& info, Backend*& source,
                                           Record& record) const noexcept {
  const cadastre_exit_code code = choose_source(info, source);
  if (code != CADASTRE_SUCCESS) return code;
  record.backend = static_cast<std::uint8_t>(source->number());
  record.device = device_for(info, *source);
  const bool foreign = source->presence().devices == 0 && record.device >= no_device_id;
  if (info.type == CADASTRE_HOST || foreign || source->has_device(record.device)) return CADASTRE_SUCCESS;
  return no_device(*source, CADASTRE_INVALID_ARG_2, info.type, record.device, info.pointer);
}

cadastre_exit_code Context::borrow(Visit& visit, const cadastre_memory_info_struct& info) noexcept {
  cadastre_exit_code code = admit_borrowed(info);
  if (code != CADASTRE_SUCCESS) return code;
  Backend* source = nullptr;
  Record record;
  const auto place = [&] { return place_borrowed(info, source, record); };
  code = at_hand(info) ? place() : outside(visit, place);
  if (code != CADASTRE_SUCCESS) return code;
  if (!registry_.accounts(info.type).open(record.device)) return no_memory_for_records();
  const auto prepare = [&] {
    const cadastre_exit_code described = describe_for_record(info, record);
    return described == CADASTRE_SUCCESS && !registry_.reserve(true) ? no_memory_for_records() : described;
  };
  code = prepare();
  if (is_want_of_records(code) && give_up_everything(visit)) code = prepare();
  if (code != CADASTRE_SUCCESS) return code;
  record.pointer = info.pointer;
  record.flags = static_cast<std::uint16_t>((info.flags & CADASTRE_UNINITIALIZED) | CADASTRE_BORROWED);
  use_device(*source, record.device);
  record.alignment_log2 = log2_of(info.alignment ? info.alignment : alignment_of(record.address()));
  if (const std::optional<Record> other = registry_.overlapping(record)) {
    registry_.cancel();
    Failure failure = about(*other, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_OVERLAPS_BLOCK, info.pointer);
    failure.requested = info.size;
    return fail(failure);
  }
  registry_.enter(record);
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::return_borrowed(const void* pointer) noexcept {
  const std::optional<Record> record = registry_.at(pointer);
  if (!record) return unknown(pointer);
  if (!record->borrowed()) {
    return fail(about(*record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NOT_BORROWED, pointer));
  }
  if (record->flags & CADASTRE_WORKSPACE_MEMORY) {
    return fail(about(*record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY, pointer));
  }
  registry_.remove(pointer);
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::release_all(Visit& visit, Told told) {
  if (const cadastre_exit_code code = admit_frees(visit); code != CADASTRE_SUCCESS) return code;
  struct Taken {
    Record record;
    Hidden hidden;
  };
  const std::vector<Record> all = registry_.snapshot();
  std::vector<Taken> taken(all.size());
  std::size_t count = 0;
  for (const Record& record : all) {
    if (record.state != State::live || record.flags & CADASTRE_WORKSPACE_MEMORY) continue;
    if (record.borrowed()) {
      registry_.remove(record.pointer);
    } else {
      Taken& last = taken[count++];
      last.record = record;
      withdraw(record, last.hidden);
    }
  }
  registry_.close_heap();
  registry_.heap().trim(Heap::Leave::small_ones);
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  visit.step_out();
  Arena::return_surplus();
  for (auto& [record, hidden] : std::span(taken).first(count)) {
    const cadastre_exit_code code = free_in_backend(record, std::nullopt);
    if (told) told(visit, record, code);
    if (code == CADASTRE_SUCCESS && !hidden.is_listed) continue;
    if (code != CADASTRE_SUCCESS) worst = code;
    visit.step_in();
    conclude_free(record, hidden, code);
    visit.step_out();
  }
  return_surplus();
  return worst;
}

namespace {

// Kinds of memory that are to be freed; those beyond what a machine has are not told apart.
struct Site {
  Record example;
  bool waits;  // whether a free of it would wait in any case
};

class Sites {
 public:
  void add(const Record& example, bool waits) noexcept {
    const auto kind = [](const Record& record) {
      return std::tuple(record.backend, record.device, record.type, record.how & how_ordered);
    };
    for (const Site* site = begin(); site != end(); ++site) {
      if (kind(site->example) == kind(example) && site->waits == waits) return;
    }
    if (number_ < sites_.size()) sites_[number_++] = {example, waits};
  }
  void add(const Place& place) noexcept {
    Record example;
    example.type = static_cast<std::uint8_t>(place.type);
    example.backend = static_cast<std::uint8_t>(place.backend);
    example.device = place.device;
    add(example, false);
  }
  const Site* begin() const noexcept { return sites_.data(); }
  const Site* end() const noexcept { return begin() + number_; }

 private:
  std::array<Site, 64> sites_{};
  std::size_t number_ = 0;
};

}  // namespace

// Asks whether the context's memory can be freed now, and waits for devices where nothing else tells; refuses where a capture
// forbids it. A live block of a pool waits for its device when it is freed.
cadastre_exit_code Context::admit_frees(Visit& visit) noexcept {
  bool any = false, any_pool = false;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (type == CADASTRE_HOST) continue;
    any |= registry_.accounts(type).all.figures.live_blocks > 0;
    any_pool |= pools(type).has_any();
  }
  return any || any_pool ? admit_frees_elsewhere(visit, any) : CADASTRE_SUCCESS;
}

// any: whether there are such blocks.
cadastre_exit_code Context::admit_frees_elsewhere(Visit& visit, bool any) noexcept {
  Sites sites;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (type == CADASTRE_HOST) continue;
    pools(type).for_each([&](const Pool& pool) {
      if (pool.figures().reserved > 0) sites.add(pool.place());
    });
  }
  if (any) {
    registry_.for_each_alone([&](const Record& record) {
      if (record.type != CADASTRE_HOST && !record.borrowed()) sites.add(record, pool_of(record) != nullptr);
    });
  }
  if (sites.begin() == sites.end()) return CADASTRE_SUCCESS;
  return outside(visit, [&] {
    cadastre_exit_code code = admit_wait();
    for (const Site* site = sites.begin(); code == CADASTRE_SUCCESS && site != sites.end(); ++site) {
      Backend& backend = backend_of(site->example);  // without events there are no captures either
      if (!backend.has_events()) continue;
      const cadastre_exit_code admitted = site->waits ? backend.settle(site->example) : backend.admit_free(site->example);
      if (admitted == CADASTRE_CAPTURE_ACTIVE) code = CADASTRE_CAPTURE_ACTIVE;
    }
    return code;
  });
}

// Where the host has no memory to count with, no label is the largest.
void Context::summarize_labels(cadastre_destroy_summary_struct& summary, LabelCounts& labels) const noexcept {
  const auto add = [&](cadastre_memory_type, OriginNumber label, const LabelCount& count) { labels.add(label, count); };
  if (!registry_.for_each_label(add)) registry_.for_each_label_by_walk(add);
  OriginNumber largest = no_origin;
  for (std::uint64_t label = no_origin + 1; label < labels.end(); ++label) {
    const auto bytes = static_cast<std::size_t>(labels.of(static_cast<OriginNumber>(label)).bytes);
    if (bytes <= summary.largest_label_bytes) continue;
    summary.largest_label_bytes = bytes;
    largest = static_cast<OriginNumber>(label);
  }
  static_assert(sizeof summary.largest_label == longest_label + 1);
  if (largest != no_origin) std::strcpy(summary.largest_label, text_of(largest));
}

// To the parent: what this context has counted, as if it had freed its blocks one by one. failed: of each memory type.
void Context::hand_over(const std::array<std::int64_t, memory_types>& failed) noexcept {
  registry_.discharge_all();
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const std::int64_t left = failed[static_cast<std::size_t>(type)];
    if (!account(type).has_counted() && !shared().had_children()) continue;
    cadastre_statistics_struct figures = account(type).figures;
    figures.deallocations += figures.live_blocks - left;
    figures.failed_deallocations += left;
    figures.live_blocks = figures.borrowed_blocks = 0;
    figures.live_bytes = 0;
    add_figures(figures, shared().departed(type));
    shared().parent()->add_departed(type, figures);
  }
}

// Whatever failed, the context has gone: any other exit code would say that it is still there. What failed is remembered
// with it, since more may fail afterwards that is nobody's concern.
namespace {

// Counters and blocks tell the same of each label.
void check_label_counts([[maybe_unused]] const Registry& registry) noexcept {
#ifdef CADASTRE_DEBUG
  try {
    if (registry.heap().is_damaged() || registry.counts_labels_right()) return;  // of damaged slabs nobody can tell
    std::fputs("cadastre: the counters of labels are not what a walk over the blocks says\n", stderr);
    std::abort();
  } catch (const std::bad_alloc&) {  // nobody can tell
  }
#endif
}

void note_failed_close(Failure& failure) noexcept {
  failure = failed_last();
  failure.exit_code = CADASTRE_DEALLOCATION_FAILED;
}

}  // namespace

void Context::summarize(cadastre_destroy_summary_struct& summary, LabelCounts* labels) const noexcept {
  LabelCounts own;
  summarize_labels(summary, labels ? *labels : own);
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_statistics_struct& figures = account(type).figures;
    summary.live_blocks += figures.live_blocks;
    summary.live_bytes += figures.live_bytes;
    summary.borrowed_blocks += figures.borrowed_blocks;
  }
}

// What lies in slabs goes with them.
cadastre_exit_code Context::close(cadastre_destroy_summary_struct* summary, LabelCounts* labels) noexcept {
  check_label_counts(registry_);
  if (!has_used_its_heap_only_ || registry_.heap().table().used() > 0) {
    cadastre_destroy_summary_struct unwanted;
    return close_all(summary ? *summary : unwanted = cadastre_destroy_summary_struct_zero, labels);
  }
  if (summary) summarize(*summary, labels);
  if (registry_.has_counted() || shared().had_children()) hand_over({});
  if (backend_->detach() == CADASTRE_SUCCESS) return CADASTRE_SUCCESS;
  Failure failure;
  note_failed_close(failure);
  return fail(failure);
}

cadastre_exit_code Context::close_all(cadastre_destroy_summary_struct& summary, LabelCounts* labels) noexcept {
  Failure failure;
  close_workspaces(summary, failure);
  summarize(summary, labels);
  const auto count = [&](cadastre_exit_code code) {
    if (code == CADASTRE_SUCCESS) return;
    note_failed_close(failure);
    ++summary.failed_deallocations;
  };
  std::array<std::int64_t, memory_types> failed{};
  const auto free_one = [&](const Record& record) {
    if (record.borrowed()) return;
    const cadastre_exit_code code = free_in_backend(record, std::nullopt);
    if (code != CADASTRE_SUCCESS) ++failed[record.type];
    count(code);
  };
  registry_.close_heap();
  registry_.for_each_alone(free_one);
  for_each_pool([&](Pool& pool) { count(pool.close()); });
  hand_over(failed);
  if (backend_->detach() != CADASTRE_SUCCESS) note_failed_close(failure);
  return failure.exit_code == CADASTRE_SUCCESS ? CADASTRE_SUCCESS : fail(failure);
}

// What lives of each label, as the counters say, and what they leave of each memory type; blocks are looked at only where there was no
// memory for a counter. Throws std::bad_alloc.
std::vector<LabelShare> Context::label_shares() const {
  std::vector<LabelShare> shares;
  std::array<LabelCount, memory_types> rest;
  for (std::size_t type = 0; type < memory_types; ++type) {
    const cadastre_statistics_struct& figures = account(static_cast<cadastre_memory_type>(type)).figures;
    rest[type] = {static_cast<std::int64_t>(figures.live_bytes), figures.live_blocks};
  }
  const auto add = [&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) {
    shares.push_back({label, type, count});
    rest[static_cast<std::size_t>(type)].add(count.negated());
  };
  if (!registry_.for_each_label(add)) {
    std::unordered_map<std::uint64_t, LabelCount> walked;
    registry_.for_each_label_by_walk([&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) {
      walked[std::uint64_t{label} * memory_types + static_cast<std::size_t>(type)].add(count);
    });
    for (const auto& [key, count] : walked) {
      add(static_cast<cadastre_memory_type>(key % memory_types), static_cast<OriginNumber>(key / memory_types), count);
    }
  }
  for (std::size_t type = 0; type < memory_types; ++type) {
    if (rest[type].blocks > 0) shares.push_back({no_origin, static_cast<cadastre_memory_type>(type), rest[type]});
  }
  return shares;
}

// Where the host has no memory to count with, nobody is named.
const Holders& Context::count_holders(cadastre_memory_type type) noexcept try {
  const auto begin = std::chrono::steady_clock::now();
  if (counted_type_ == type && begin < count_again_) return holders_;
  counted_type_ = type;
  holders_ = {};
  const auto offer = [&](Holder candidate) {
    for (Holder& place : holders_) {
      if (candidate.bytes > place.bytes) std::swap(candidate, place);
    }
  };
  const cadastre_statistics_struct& figures = account(type).figures;
  LabelCount rest{static_cast<std::int64_t>(figures.live_bytes), figures.live_blocks};
  const auto add = [&](cadastre_memory_type of, OriginNumber label, const LabelCount& count) {
    if (of != type) return;
    offer({text_of(label), count.blocks, static_cast<std::size_t>(count.bytes)});
    rest.add(count.negated());
  };
  const bool counted = registry_.for_each_label(add);
  if (!counted) {
    holders_ = {};
    for (const LabelShare& share : label_shares()) add(share.type, share.label, share.count);
  } else if (rest.blocks > 0) {
    add(type, no_origin, rest);
  }
  const auto end = std::chrono::steady_clock::now();
  count_again_ = end + 20 * (end - begin);
  return holders_;
} catch (const std::bad_alloc&) {
  return holders_;
}

void Context::keep_failure(const char* function, bool counts) noexcept {
  const Failure& failure = failed_last();
  KeptFailure* const kept = kept_failures_.keep(function, failure, time_now());
  const bool refused = failure.exit_code == CADASTRE_LIMIT_EXCEEDED || failure.exit_code == CADASTRE_ALLOCATION_FAILED;
  if (kept && counts && refused && is_memory_type(failure.type)) kept->holders = count_holders(failure.type);
}

cadastre_memory_type Context::workspace_type() const noexcept {
  return backend_->serves(CADASTRE_DEVICE) ? CADASTRE_DEVICE : CADASTRE_HOST;
}

std::size_t Context::granularity(cadastre_memory_type type) const noexcept {
  return std::max(least_granularity, source_of(type).natural_alignment(type));
}

const Backend& Context::source_of(cadastre_memory_type type) const noexcept {
  return type == CADASTRE_HOST && host_is_ours_ ? *find_backend(CADASTRE_BACKEND_HOST) : *backend_;
}

std::size_t Context::workspace_alignment(cadastre_memory_type type) const noexcept {
  return std::min(granularity(type), source_of(type).largest_alignment(type));
}

void Context::keep(const void* address, bool kept) noexcept { registry_.mark_workspace(address, kept); }

cadastre_exit_code Context::allocate_piece(Visit& visit, cadastre_memory_type type, std::size_t size, Order order,
                                           Piece& piece) noexcept {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.alignment = workspace_alignment(type);
  info.flags = CADASTRE_UNINITIALIZED;
  info.label = workspace_label;
  void* pointer = nullptr;
  const cadastre_exit_code code = allocate(visit, info, order, pointer);
  if (code != CADASTRE_SUCCESS) return code;
  keep(pointer, true);
  piece = {.begin = static_cast<std::byte*>(pointer), .size = size};
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::free_piece(Visit& visit, const Piece& piece, Order order,
                                       cadastre_exit_code waited) noexcept {
  // One that was allocated stays marked, by which a trace tells it from a block of the user's that was freed.
  if (piece.origin != Origin::allocated) keep(piece.begin, false);
  if (piece.origin == Origin::block) return CADASTRE_SUCCESS;
  if (piece.origin == Origin::recorded) return return_borrowed(piece.begin);
  const Record record = *registry_.at(piece.begin);
  Hidden hidden;
  withdraw(record, hidden);
  visit.step_out();
  const cadastre_exit_code code = free_unless_in_use(record, order, waited);
  visit.step_in();
  conclude_free(record, hidden, code);
  return code != CADASTRE_SUCCESS ? code : waited;
}

Record Context::take_out(const Piece& piece) noexcept {
  const Record record = *registry_.at(piece.begin);
  registry_.remove(piece.begin);
  return record;
}

cadastre_exit_code Context::free_unless_in_use(const Record& record, Order order, cadastre_exit_code waited) noexcept {
  const bool in_use = waited != CADASTRE_SUCCESS && record.type == CADASTRE_HOST;
  if (!in_use) return free_in_backend(record, order);
  if (Pool* const pool = pool_of(record)) pool->give_up(record);
  return waited;
}

cadastre_exit_code Context::settle(Workspace& workspace) noexcept {
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (workspace.behind == Behind::event) code = backend_->synchronize_event(device_, workspace.event);
  if (workspace.behind == Behind::everything) {
    Record any;
    any.type = CADASTRE_DEVICE;
    any.device = device_;
    any.backend = static_cast<std::uint8_t>(backend_->number());
    code = backend_->settle(any);
  }
  const bool on_default = workspace.behind == Behind::default_queue || workspace.behind == Behind::everything;
  if (code == CADASTRE_SUCCESS && on_default) code = backend_->synchronize(device_, CADASTRE_DEFAULT_QUEUE);
  if (code == CADASTRE_SUCCESS) workspace.behind = Behind::nothing;
  return code;
}

// From here on the pools are locked, until one of the next two is called.
void Context::before_fork() noexcept CADASTRE_UNCHECKED {
  for (Pools& pools : pools_) pools.before_fork();
}

void Context::in_parent() noexcept CADASTRE_UNCHECKED {
  for (Pools& pools : pools_) pools.in_parent();
}

// In accounts that count nothing yet. What contexts hold that other threads were destroying is not counted.
void Context::charge_anew() noexcept {
  registry_.charge_anew();
  for (Pools& pools : pools_) pools.charge_anew();
  parent_.renew();
}

// What other threads had begun is forgotten.
void Context::in_child() noexcept CADASTRE_UNCHECKED {
  for (Pools& pools : pools_) pools.in_child();
  registry_.heap().in_child();
  registry_.forget_other_threads(Visit::begun_in(*this));
  books().forget_other_threads(this_thread());
}

void Context::offer_desk(const Visit& visit, Workspace& workspace) noexcept {
  if (no_desk_for_ > 0 && no_desk_for_-- > 0) return;
  const bool is_plain = uses_shards() && !backend_->has_events() && default_queue() == CADASTRE_DEFAULT_QUEUE;
  if (!is_plain || visit.is_any_outside() || !workspaces_.may_be_at_desk(workspace, this_thread())) return;
  Desk& desk = workspaces_.begin_desk(workspace, this_thread(), granularity(CADASTRE_HOST), workspace_type() == CADASTRE_HOST);
  if (!registry_.give_desk(desk, visit.handle())) workspaces_.end_desk();
}

void Context::take_desk() const noexcept {
  constexpr std::uint32_t for_a_while = 1000;
  if (registry_.take_desk() == Registry::DeskOf::another) no_desk_for_ = for_a_while;
  workspaces_.end_desk();
}

void Context::abandon_shard(Shard& shard) noexcept {
  const bool had_desk = shard.desk != nullptr;
  registry_.abandon_shard(shard);
  if (had_desk) workspaces_.end_desk();
}

cadastre_workspace_info_struct Context::workspace_info(cadastre_memory_type type) const noexcept {
  const WorkspacesOfType& of_type = books().of(type);
  return {sizeof(cadastre_workspace_info_struct),
          type,
          type == CADASTRE_HOST ? no_device_id : device_,
          of_type.scheme,
          static_cast<std::int32_t>(of_type.workspaces.size()),
          granularity(type),
          of_type.size(),
          of_type.used_bytes,
          of_type.high_water_mark_bytes,
          of_type.live_leases,
          of_type.acquisitions,
          of_type.failed_acquisitions,
          of_type.growths,
          of_type.waits};
}

std::unique_ptr<Workspace> Context::take_idle_workspace(cadastre_memory_type type) noexcept {
  std::unique_ptr<Workspace> taken = books().of(type).take_idle();
  for (Piece& piece : taken ? taken->pieces() : std::span<Piece>()) piece.record = take_out(piece);
  return taken;
}

void Context::free_taken(Workspace& taken) noexcept {
  const cadastre_exit_code waited = settle(taken);
  backend_->destroy_event(device_, taken.event);
  for (Piece& piece : taken.pieces()) piece.freed = free_unless_in_use(piece.record, std::nullopt, waited) == CADASTRE_SUCCESS;
}

void Context::count_taken(const Workspace& taken) noexcept {
  for (const Piece& piece : taken.pieces()) {
    if (!piece.freed) registry_.free_failed(piece.record);
  }
}

void Context::close_workspaces(cadastre_destroy_summary_struct& summary, Failure& failure) noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    for (const auto& workspace : books().of(type).workspaces) {
      summary.live_leases += static_cast<std::int64_t>(workspace->leases().size());
      if (!workspace->leases().empty()) workspace->behind = Behind::everything;
      const cadastre_exit_code waited = settle(*workspace);
      backend_->destroy_event(device_, workspace->event);
      for (const Piece& piece : workspace->pieces()) {
        if (piece.origin != Origin::allocated) continue;
        const cadastre_exit_code code = free_unless_in_use(take_out(piece), std::nullopt, waited);
        if (code == CADASTRE_SUCCESS) continue;
        note_failed_close(failure);
        ++summary.failed_deallocations;
      }
    }
  }
}

void Context::add_workspaces(Holdings& result) const {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_workspace_info_struct info = workspace_info(type);
    if (info.reserved_bytes + static_cast<std::size_t>(info.acquisitions) > 0) result.workspaces.push_back(info);
    for (const auto& workspace : books().of(type).workspaces) {
      for (const Lease& lease : workspace->leases()) result.leases.push_back({lease.number, type, lease.bytes});
    }
  }
}

cadastre_pool_info_struct Context::pool_info(cadastre_memory_type type) const noexcept {
  const Pools& pools = pools_[static_cast<std::size_t>(type)];
  const PoolFigures f = pools.figures();
  return {sizeof(cadastre_pool_info_struct), pool(type), pools.number(), f.used, f.reserved, f.largest_free_bytes,
          f.releasable_bytes, static_cast<std::int64_t>(f.hits), static_cast<std::int64_t>(f.misses), static_cast<std::int64_t>(f.trims)};
}

// Pieces of pools are recorded as blocks; what the pools have from the backend counts instead. Throws std::bad_alloc.
std::vector<SourceBytes> Context::sources() const {
  std::vector<SourceBytes> all;
  const auto add = [&](const Place& from, std::size_t bytes) {
    if (from.type == CADASTRE_HOST || bytes == 0) return;
    const auto same = [&](const SourceBytes& one) {
      return one.from.type == from.type && one.from.device == from.device && one.from.backend == from.backend;
    };
    const auto known = std::find_if(all.begin(), all.end(), same);
    known != all.end() ? void(known->bytes += bytes) : all.push_back({from, bytes});
  };
  registry_.for_each_alone([&](const Record& record) {
    if (!record.borrowed() && !is_pooled(record)) add({record.type, record.device, record.backend}, record.size);
  });
  for_each_pool([&](const Pool& pool) { add(pool.place(), pool.figures().reserved); });
  return all;
}

bool Context::keeps(const Record& range) const noexcept {
  bool kept = false;
  for_each_pool([&](const Pool& pool) { kept = kept || pool.has(range); });
  return kept;
}

Holdings Context::holdings(cadastre_context handle) const {
  Holdings result{handle, backend_->number(), device_, {}, {}, {}, registry_.largest(largest_blocks_told), {}, {}, {},
                  kept_failures_.forgotten()};
  result.labels = label_shares();
  result.failures.assign(kept_failures_.all().begin(), kept_failures_.all().end());
  for (KeptFailure& failure : result.failures) failure.context = handle;
  for (std::size_t type = 0; type < memory_types; ++type) {
    const Accounts& accounts = registry_.accounts(static_cast<cadastre_memory_type>(type));
    result.figures[type] = registry_.figures(static_cast<cadastre_memory_type>(type));
    result.blocks += result.figures[type].live_blocks + result.figures[type].borrowed_blocks;
    accounts.for_each_device([&](std::int32_t device, const Account& account) {
      result.by_device[type].push_back({device, account.figures});
    });
    result.pools[type] = pool_info(static_cast<cadastre_memory_type>(type));
  }
  result.sources = sources();
  result.plain_frees.assign(plain_frees_.begin(), plain_frees_.end());
  add_workspaces(result);
  return result;
}

}  // namespace cadastre::internal
