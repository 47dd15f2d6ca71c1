// Tangled from org/context.org; change the chapter, then run: make tangle
#include "context.hpp"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "error.hpp"
#include "quick.hpp"

namespace cadastre::internal {

constinit Slot first_slots[first_segment];
constinit Table table;

std::uint64_t this_thread() noexcept {
  static constinit std::atomic<std::uint64_t> threads = 0;
  thread_local constinit std::uint64_t number = 0;
  if (number == 0) number = ++threads;
  return number;
}

namespace {

// A vacant slot's number; most_slots when there is none. Throws std::bad_alloc. With the table's mutex held.
std::uint32_t take_slot() {
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

class Locked {
 public:
  explicit Locked(pthread_mutex_t& mutex) noexcept : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t& mutex_;
};

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

// With the slot's mutex held.
bool lives_in(const Slot& slot, cadastre_context handle) noexcept {
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

void before_fork() noexcept {
  pthread_mutex_lock(&table.mutex);
  for_each_slot([](Slot& slot) {
    if (!slot.context) return;
    pthread_mutex_lock(&slot.mutex);
    Context* const context = slot.context;
    if (!context) {  // somebody has destroyed it meanwhile
      pthread_mutex_unlock(&slot.mutex);
      return;
    }
    slot.shut_gate();
    context->before_fork();
    slot.held_for_fork = true;
  });
}

// told: what the contexts are told first.
void let_go(void (Context::*told)() noexcept) noexcept {
  for_each_slot([told](Slot& slot) {
    if (!slot.held_for_fork) return;
    slot.held_for_fork = false;
    (slot.context.load()->*told)();
    slot.open_gate();
    pthread_mutex_unlock(&slot.mutex);
  });
  pthread_mutex_unlock(&table.mutex);
}

void in_parent() noexcept { let_go(&Context::in_parent); }

void in_child() noexcept {
  for_each_slot([](Slot& slot) {
    slot.changed = PTHREAD_COND_INITIALIZER;
    slot.waiting = 0;
    slot.outside = 0;
    slot.closing = false;
    slot.gate.release_locks();
    if (slot.owner != this_thread()) {
      slot.owner = 0;
      slot.depth = 0;
    }
    if (!slot.held_for_fork) slot.mutex = PTHREAD_MUTEX_INITIALIZER;
  });
  let_go(&Context::in_child);
}

constinit bool forks_are_watched = false;

// Before static objects, which may create contexts.
[[gnu::constructor(101)]] void watch_for_forks() noexcept {
  forks_are_watched = pthread_atfork(before_fork, in_parent, in_child) == 0;
}

}  // namespace

void Slot::shut_gate() noexcept {
  if (!gate_in_use) return;
  gate.close();
  context.load(std::memory_order_relaxed)->registry().close_stripes();
}

// Where the host has no memory for it, threads go on to meet, and it is tried again.
void Slot::divide() noexcept {
  static const unsigned stripes = std::bit_ceil(std::clamp(4 * std::thread::hardware_concurrency(), 16u, Gate::most_stripes));
  Registry& registry = context.load(std::memory_order_relaxed)->registry();
  std::unique_ptr<StripeLock[]> made(gate.locks() ? nullptr : new (std::nothrow) StripeLock[stripes]);
  StripeLock* const locks = made ? made.get() : gate.locks();
  if (!locks || registry.divide(stripes) != stripes) return gate.unite(registry.stripes());
  for (unsigned number = 0; number < stripes; ++number) locks[number].stripe = &registry.stripes()[number];
  gate.divide(locks, stripes);
  made.release();  // the gate keeps them for ever
}

void Slot::open_gate() noexcept {
  Context* const here = context.load(std::memory_order_relaxed);
  if (!here || closing.load(std::memory_order_relaxed)) return;
  if (owner != 0 || !here->takes_quick_calls()) return keep_gate_closed();
  if (gate.is_crowded()) divide();
  here->registry().open_stripes();
  gate_in_use = true;
  gate.open(handle);
}

void Slot::keep_gate_closed() noexcept {
  if (std::exchange(gate_in_use, false)) gate.keep_closed();
}

namespace {

Text why_none_was_created() noexcept {
  const Failure* const last = last_failure(CADASTRE_NULL_CONTEXT);
  if (!last) return {};
  if (last->reason == CADASTRE_REASON_NULL_CONTEXT) return last->detail;
  cadastre_error_struct error;
  tell_last_failure(CADASTRE_NULL_CONTEXT, error);
  const bool of_creation = std::strncmp(error.function, "cadastre_context_create", 23) == 0;
  return of_creation ? text("; %s failed before: %s", error.function, error.sentence) : Text();
}

}  // namespace

Visit::Visit(cadastre_context handle) noexcept : handle_(handle), slot_(slot_of(handle)) {
  if (!slot_ && handle == CADASTRE_NULL_CONTEXT) {
    fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_NULL_CONTEXT, .detail = why_none_was_created()});
    return;
  }
  if (!slot_) {
    fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_UNKNOWN_CONTEXT});
    return;
  }
  pthread_mutex_lock(&slot_->mutex);
  while (lives_in(*slot_, handle) && slot_->owner != 0 && slot_->owner != this_thread()) slot_->wait();
  if (!lives_in(*slot_, handle)) {
    pthread_mutex_unlock(&slot_->mutex);
    slot_ = nullptr;
    fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_STALE_CONTEXT});
    return;
  }
  slot_->shut_gate();
  context_ = slot_->context;
}

void Visit::step_out() noexcept {
  if (!not_cancelled_) not_cancelled_.emplace();
  slot_->outside.fetch_add(1);
  outside_ = true;
  slot_->open_gate();
  pthread_mutex_unlock(&slot_->mutex);
}

// A context that closes waits for this call, so the call does not wait for its lock.
void Visit::step_in() noexcept {
  pthread_mutex_lock(&slot_->mutex);
  while (!slot_->closing && slot_->owner != 0 && slot_->owner != this_thread()) slot_->wait();
  outside_ = false;
  slot_->shut_gate();
  if (slot_->outside.fetch_sub(1) == 1) slot_->notify();
}

// A call that ends outside needs the mutex only when somebody waits for it to end.
Visit::~Visit() {
  if (!slot_) return;
  if (!outside_) {
    slot_->open_gate();
    pthread_mutex_unlock(&slot_->mutex);
  } else if (slot_->outside.fetch_sub(1) == 1 && slot_->closing) {
    const Locked locked(slot_->mutex);
    slot_->notify();
  }
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

cadastre_exit_code create_context(Backend& backend, const Settings& settings, cadastre_context& created) {
  Attached attached(backend);
  if (attached.code != CADASTRE_SUCCESS) return attached.code;
  auto context = std::make_unique<Context>(*attached.backend, settings);
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
  slot.quick_below = slot.context.load()->quick_below();
  slot.gate.unite(slot.context.load()->registry().stripes());
  slot.open_gate();
  return CADASTRE_SUCCESS;
}

bool is_live(cadastre_context handle) noexcept {
  Slot* const slot = slot_of(handle);
  if (!slot) return false;
  const Locked locked(slot->mutex);
  return lives_in(*slot, handle);
}

cadastre_exit_code destroy_context(Visit& visit, cadastre_destroy_summary_struct* summary) noexcept {
  Slot* const slot = visit.slot_;
  slot->closing = true;
  slot->notify();
  while (slot->outside > 0) slot->wait();
  const std::unique_ptr<Context> context(slot->context.exchange(nullptr));
  --table.contexts;
  const bool worn_out = slot->generation == last_generation;
  if (!worn_out) ++slot->generation;
  slot->owner = 0;
  slot->depth = 0;
  slot->closing = false;
  slot->keep_gate_closed();
  pthread_mutex_unlock(&slot->mutex);
  visit.slot_ = nullptr;

  cadastre_destroy_summary_struct alive = {};
  const cadastre_exit_code code = context->close(alive);
  if (summary) *summary = alive;
  if (!worn_out) {
    const Locked locked(table.mutex);
    slot->next_vacant = std::exchange(table.first_vacant, slot_number(visit.handle_) + 1);
  }
  return code;
}

cadastre_exit_code lock_context(Visit& visit) noexcept {
  Slot& slot = *visit.slot_;
  if (slot.depth == INT32_MAX) {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_LOCKED_TOO_DEEPLY, .limit = INT32_MAX});
  }
  slot.owner = this_thread();
  ++slot.depth;
  return CADASTRE_SUCCESS;
}

cadastre_exit_code unlock_context(Visit& visit) noexcept {
  Slot& slot = *visit.slot_;
  if (slot.owner == 0) return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_NOT_LOCKED});
  if (--slot.depth == 0) {
    slot.owner = 0;
    slot.notify();
  }
  return CADASTRE_SUCCESS;
}

cadastre_context holder_of(const void* address, cadastre_context except, Record* block) noexcept {
  const std::uint32_t used = table.used.load(std::memory_order_acquire);
  for (std::uint32_t number = 0; number < used; ++number) {
    Slot& slot = slot_at(number);
    const Locked locked(slot.mutex);
    Context* const context = slot.context;
    if (!context || slot.handle == except) continue;
    slot.shut_gate();
    const std::optional<Record> found = context->around(address);
    slot.open_gate();
    if (!found) continue;
    if (block) *block = *found;
    return slot.handle;
  }
  return CADASTRE_NULL_CONTEXT;
}

void for_each_context(Shown shown) noexcept {
  const std::uint32_t used = table.used.load(std::memory_order_acquire);
  for (std::uint32_t number = 0; number < used; ++number) {
    Slot& slot = slot_at(number);
    timespec until{};
    clock_gettime(CLOCK_REALTIME, &until);
    ++until.tv_sec;
    if (pthread_mutex_timedlock(&slot.mutex, &until) != 0) continue;
    Context* const context = slot.closing ? nullptr : slot.context.load();
    if (context && (!slot.gate_in_use || slot.gate.close_within(std::chrono::seconds(1)))) {
      context->registry().close_stripes();
      shown(*context, slot.handle);
      slot.open_gate();
    }
    pthread_mutex_unlock(&slot.mutex);
  }
}

bool others_live() noexcept { return table.contexts.load(std::memory_order_relaxed) > 1; }

namespace {

thread_local constinit std::int64_t nanoseconds_in_backends = 0;

}  // namespace

std::int64_t backend_nanoseconds() noexcept { return nanoseconds_in_backends; }
void add_backend_time(std::chrono::nanoseconds spent) noexcept { nanoseconds_in_backends += spent.count(); }

Label* Labels::intern(std::string_view text) noexcept try {
  if (const auto found = labels_.find(text); found != labels_.end()) return found->second.get();
  auto label = std::make_unique<Label>();
  text.copy(label->text, longest_label);
  Label* const interned = label.get();
  labels_.emplace(interned->text, std::move(label));
  return interned;
} catch (const std::bad_alloc&) {
  return nullptr;
}

Failure about(const Record& record, cadastre_exit_code code, cadastre_reason reason, const void* pointer) noexcept {
  return {.exit_code = code,
          .reason = reason,
          .type = record.type,
          .backend = record.backend,
          .device = record.device,
          .pointer = pointer,
          .base = record.pointer,
          .size = record.size,
          .offset = address_of(pointer) - record.address(),
          .serial = record.serial,
          .freed = record.state == State::freed ? record.stride_or_freed : 0,
          .label = text_of(record.label)};
}

namespace {

cadastre_exit_code no_memory_for_records() noexcept {
  return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_REGISTRY_OUT_OF_MEMORY});
}

}  // namespace

cadastre_exit_code Context::unknown(const void* pointer) noexcept {
  if (!pointer) return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_NULL_ARGUMENT});
  if (const std::optional<Record> around = registry_.around(pointer)) {
    return fail(about(*around, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INSIDE_BLOCK, pointer));
  }
  std::optional<Record> freed = registry_.freed_at(pointer);
  if (!freed) freed = registry_.freed_around(pointer);
  if (freed) {
    const bool moved = freed->stride_or_freed == 0;
    return fail(about(*freed, CADASTRE_INVALID_ARG_2,
                      moved ? CADASTRE_REASON_MOVED : CADASTRE_REASON_ALREADY_FREED, pointer));
  }
  return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_UNKNOWN_POINTER, .pointer = pointer});
}

cadastre_exit_code Context::owned(const void* pointer, Record& record) noexcept {
  const std::optional<Record> found = registry_.at(pointer);
  if (found && !found->borrowed() && !(found->flags & CADASTRE_WORKSPACE)) [[likely]] {
    record = *found;
    return CADASTRE_SUCCESS;
  }
  const std::optional<Record> around = found || !pointer ? found : registry_.around(pointer);
  if (around && around->flags & CADASTRE_WORKSPACE) {
    return fail(about(*around, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_LENT, pointer));
  }
  return found ? fail(about(*found, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_BORROWED, pointer)) : unknown(pointer);
}


Context::Context(Backend& backend, const Settings& settings)
    : backend_(backend),
      device_(settings.device == CADASTRE_DEFAULT_DEVICE ? backend.current_device() : settings.device),
      settings_(settings),
      host_is_ours_(&backend == find_backend(CADASTRE_BACKEND_HOST) || !backend.serves(CADASTRE_HOST)) {
  use_device(backend, device_);
  for (std::size_t type = 0; type < memory_types; ++type) {
    registry_.account(static_cast<cadastre_memory_type>(type)).figures.limit = settings.limits[type];
  }
}

std::size_t Context::quick_below() const noexcept {
  if (pool(CADASTRE_HOST) != CADASTRE_POOL_CACHING) return mapped_from;
  return std::min(mapped_from, usual_bounds(CADASTRE_HOST).direct_below);
}

void Context::use_device(const Backend& source, std::int32_t device) noexcept {
  const std::uint64_t bit = &source == &backend_ ? bit_of(device) : 0;
  if ((devices_in_use() & bit) != bit) devices_ |= bit;
}

cadastre_exit_code Context::await(cadastre_queue queue, std::uint64_t devices) noexcept {
  if (queue != CADASTRE_DEFAULT_QUEUE || device_ < 0) return backend_.synchronize(device_, queue);
  for (; devices != 0; devices &= devices - 1) {
    const cadastre_exit_code code = backend_.synchronize(std::countr_zero(devices), CADASTRE_DEFAULT_QUEUE);
    if (code != CADASTRE_SUCCESS) return code;
  }
  return CADASTRE_SUCCESS;
}

Backend* Context::backend_numbered(cadastre_backend number) noexcept {
  return number == backend_.number() ? &backend_ : find_backend(number);
}

cadastre_exit_code Context::choose_source(const cadastre_memory_info_struct& info, Backend*& source) noexcept {
  source = &backend_;
  if (names_own_backend(info)) return CADASTRE_SUCCESS;
  return choose_backend(info.backend, CADASTRE_INVALID_ARG_2, source);
}

std::int32_t Context::device_for(const cadastre_memory_info_struct& info, Backend& source) const noexcept {
  if (info.type == CADASTRE_HOST) return CADASTRE_DEFAULT_DEVICE;
  if (info.device != CADASTRE_DEFAULT_DEVICE) return info.device;
  return &source == &backend_ ? device_ : source.current_device();
}

// HOST memory that the context's backend does not serve is the host's, and kept all the same.
Pool* Context::pool_for(Backend& source, cadastre_memory_type type, std::int32_t device) noexcept {
  if (pool(type) != CADASTRE_POOL_CACHING) return nullptr;
  const bool ours = &source == &backend_ || (type == CADASTRE_HOST && source.number() == CADASTRE_BACKEND_HOST);
  return ours ? pools(type).open(source, type, device) : nullptr;
}

Pool* Context::pool_of(const Record& record) noexcept {
  return pool(record.type) == CADASTRE_POOL_CACHING ? pools(record.type).find(backend_of(record), record.device) : nullptr;
}

cadastre_exit_code Context::plan(const cadastre_memory_info_struct& info, Order order, Backend*& source,
                                 Request& request) noexcept {
  std::optional<NotCancelled> here;  // where a runtime may be opened: another's, or all, to tell who serves what this one does not
  if (!names_own_backend(info) || (info.type != CADASTRE_HOST && !backend_.serves(info.type))) here.emplace();
  cadastre_exit_code code = choose_source(info, source);
  if (code != CADASTRE_SUCCESS) return code;
  if (info.type == CADASTRE_HOST && !source->serves(CADASTRE_HOST)) source = find_backend(CADASTRE_BACKEND_HOST);
  if (!order && pool(info.type) == CADASTRE_POOL_VENDOR) order = CADASTRE_DEFAULT_QUEUE;
  request = {.size = info.size,
             .alignment = info.alignment,
             .type = info.type,
             .device = device_for(info, *source),
             .zero = (info.flags & CADASTRE_UNINITIALIZED) == 0,
             .ordered = order && source == &backend_,
             .queue = order && source == &backend_ ? resolved(*order) : CADASTRE_DEFAULT_QUEUE};
  // A queue that the context was told of may be of its own device only, and the block must lie where its record says.
  const bool of_the_context = order && *order == CADASTRE_DEFAULT_QUEUE && queue_ != CADASTRE_DEFAULT_QUEUE;
  if (of_the_context && request.device != device_) request.ordered = false;
  code = admit(*source, request);
  if (code != CADASTRE_SUCCESS) return code;
  use_device(*source, request.device);
  return registry_.accounts(info.type).open(request.device) ? CADASTRE_SUCCESS : no_memory_for_records();
}

namespace {

cadastre_exit_code admit_stride(const cadastre_memory_info_struct& info) noexcept {
  if (info.stride != 0 && info.stride <= info.size) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_BAD_STRIDE, .type = info.type,
               .asked = info.stride, .have = info.stride, .limit = info.size});
}

}  // namespace

cadastre_exit_code Context::allocate(Visit& visit, const cadastre_memory_info_struct& info, Order order,
                                     void*& pointer, bool strided) noexcept {
  if (info.type == CADASTRE_HOST) host_is_asked_ = true;
  Backend* source = nullptr;
  Request request{};
  request.device = CADASTRE_DEFAULT_DEVICE;
  cadastre_exit_code code = plan(info, order, source, request);
  if (code == CADASTRE_SUCCESS && strided) code = admit_stride(info);
  if (code == CADASTRE_SUCCESS) code = try_allocate(visit, info, *source, request, pointer);
  if (code != CADASTRE_SUCCESS && is_memory_type(info.type)) {
    // A device that was never asked before has no account yet; one that is not there gets none.
    if (source->has_device(request.device)) accounts(info.type).open(request.device);
    accounts(info.type).each(request.device, [](Account& account) { ++account.figures.failures; });
  }
  return code;
}

cadastre_exit_code Context::try_allocate(Visit& visit, const cadastre_memory_info_struct& info, Backend& source,
                                         const Request& request, void*& pointer) noexcept {
  if ((info.flags & ~CADASTRE_UNINITIALIZED) != 0) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_UNKNOWN_FLAGS, .flags = info.flags});
  }
  if (!account(info.type).reserve(info.size)) return over_limit(info.type, info.size, 0);
  Record record;
  record.device = request.device;
  record.backend = static_cast<std::uint8_t>(source.number());
  cadastre_exit_code code = prepare(info, false, record);
  if (code != CADASTRE_SUCCESS) {
    account(info.type).cancel(info.size);
    return code;
  }
  Grant grant{};
  Pool* const pool = pool_for(source, request.type, request.device);
  if (!pool || !pool->allocate_at_once(request, grant)) {
    code = outside(visit, [&] {
      return with_all_there_is([&] { return pool ? pool->allocate(request, grant) : source.allocate(request, grant); });
    });
  }
  if (code != CADASTRE_SUCCESS) {
    account(info.type).cancel(info.size);
    registry_.cancel();
    return code;
  }
  note(grant, record);
  registry_.enter(record);
  pointer = record.pointer;
  return CADASTRE_SUCCESS;
}

// Reserves room for a record, and fills in what the caller decides.
cadastre_exit_code Context::prepare(const cadastre_memory_info_struct& info, bool borrowed,
                                    Record& record) noexcept {
  const std::size_t length = info.label ? strnlen(info.label, longest_label + 1) : 0;
  if (length > longest_label) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_LABEL_TOO_LONG,
                 .type = info.type, .limit = longest_label});
  }
  if (!registry_.reserve(borrowed)) return no_memory_for_records();
  if (info.label) {
    record.label = labels_->intern({info.label, length});
    if (!record.label) {
      registry_.cancel();
      return no_memory_for_records();
    }
  }
  record.size = info.size;
  record.stride_or_freed = info.stride;
  record.type = static_cast<std::uint8_t>(info.type);
  record.flags = static_cast<std::uint16_t>(info.flags);
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::over_limit(cadastre_memory_type type, std::size_t asked, std::size_t instead_of) noexcept {
  return fail({.exit_code = CADASTRE_LIMIT_EXCEEDED, .reason = CADASTRE_REASON_OVER_LIMIT, .type = type,
               .asked = asked, .have = account(type).claimed() - instead_of, .limit = account(type).figures.limit});
}

// Waits for queues that may be at work on a block and that its own backend, or its own device, knows nothing of.
cadastre_exit_code Context::settle_elsewhere(const Record& record) noexcept {
  if (record.type == CADASTRE_HOST) return CADASTRE_SUCCESS;
  Record there = record;
  for (std::uint64_t devices = devices_in_use(); devices != 0; devices &= devices - 1) {
    there.device = std::countr_zero(devices);
    if (record.backend == backend_.number() && there.device == record.device) continue;
    if (const cadastre_exit_code code = backend_.settle(there); code != CADASTRE_SUCCESS) return code;
  }
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::free_in_backend(const Record& record, Order order) noexcept {
  Backend& source = backend_of(record);
  Pool* const pool = pool_of(record);
  return timed(timing_, [&] {
    if (order) return pool ? pool->free(record, *order) : source.free_ordered(record, *order);
    settle_elsewhere(record);  // what a device says against itself does not keep the memory of another
    return pool ? pool->free(record) : source.free(record);
  });
}

// The default queue is one on each device: where several are in use, the queue of the block's own is not enough.
bool Context::goes_by_the_queue(const Record& record, cadastre_queue queue) noexcept {
  if (record.backend != backend_.number()) return false;
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
  cadastre_exit_code code = owned(pointer, record);
  if (code != CADASTRE_SUCCESS) return code;
  if (order) order = resolved(*order);
  Pool* const pool = order ? pool_of(record) : nullptr;
  if (order && (!goes_by_the_queue(record, *order) || (pool && pool->asks_before_free(*order)))) {
    code = outside(visit, [&] { return make_ready_to_free(record, order); });
    if (code == CADASTRE_SUCCESS) code = owned(pointer, record);
    if (code != CADASTRE_SUCCESS) return code;
  }
  if (serial) *serial = record.serial;
  registry_.remove(pointer);
  const bool by_the_pool = pool && order;
  if (by_the_pool && pool->free_at_once(record, *order)) return CADASTRE_SUCCESS;
  visit.step_out();
  code = by_the_pool ? timed(timing_, [&] { return pool->free_admitted(record, *order); }) : free_in_backend(record, order);
  if (code != CADASTRE_SUCCESS) {
    visit.step_in();
    registry_.free_failed(record);
  }
  return code;
}

cadastre_exit_code Context::resize(Visit& visit, void* pointer, std::size_t size, void*& resized) noexcept {
  Record record;
  cadastre_exit_code code = owned(pointer, record);
  if (code != CADASTRE_SUCCESS) return code;
  code = try_resize(visit, record, size, resized);
  if (code != CADASTRE_SUCCESS) accounts(record.type).each(record.device, [](Account& account) { ++account.figures.failures; });
  return code;
}

cadastre_exit_code Context::try_resize(Visit& visit, const Record& old, std::size_t size, void*& resized) noexcept {
  if (size > largest_size) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_SIZE_OVERFLOW,
                 .type = old.type, .asked = size, .limit = largest_size});
  }
  const std::size_t growth = size > old.size ? size - old.size : 0;
  if (!account(old.type).reserve(growth)) return over_limit(old.type, size, old.size);
  if (!reserve_to_resize()) {
    account(old.type).cancel(growth);
    return no_memory_for_records();
  }
  Record& record = registry_.hide_block(old.pointer);
  Pool* const pool = pool_for(backend_of(old), old.type, old.device);
  Grant grant{};
  const cadastre_exit_code code = outside(visit, [&] {
    const cadastre_exit_code settled = settle_elsewhere(old);
    if (settled != CADASTRE_SUCCESS) return settled;
    return with_all_there_is(
        [&] { return pool ? pool->resize(old, size, grant) : backend_of(old).resize(old, size, grant); });
  });
  if (code == CADASTRE_SUCCESS) {
    registry_.resize(record, size);
    note(grant, record);
    resized = grant.pointer;
  } else {
    account(old.type).cancel(growth);
  }
  const bool moved = record.pointer != old.pointer;
  registry_.show_block(record);
  if (moved) {
    registry_.file_moved(old);
  } else {
    registry_.cancel();
  }
  return code;
}

// Room for what is remembered of the old address, and for the record that stands for the block meanwhile.
bool Context::reserve_to_resize() noexcept {
  if (!registry_.reserve()) return false;
  if (registry_.reserve()) return true;
  registry_.cancel();
  return false;
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
    CADASTRE_UNINITIALIZED | CADASTRE_BORROWED | CADASTRE_STREAM_ORDERED | CADASTRE_WORKSPACE;

cadastre_exit_code admit_borrowed(const cadastre_memory_info_struct& info) noexcept {
  const auto address = address_of(info.pointer);
  if (!info.pointer) return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_NULL_RANGE});
  if (!is_memory_type(info.type)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_UNKNOWN_MEMORY_TYPE,
                 .asked = static_cast<std::size_t>(info.type)});
  }
  if ((info.flags & ~all_flags) != 0) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_UNKNOWN_FLAGS, .flags = info.flags});
  }
  if (info.size > largest_size || sum_wraps(address, info.size)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_SIZE_OVERFLOW, .type = info.type,
                 .asked = info.size, .limit = std::min(largest_size, UINTPTR_MAX - address), .pointer = info.pointer});
  }
  const bool power_of_two = info.alignment == 0 || std::has_single_bit(info.alignment);
  if (!power_of_two || (info.alignment != 0 && address % info.alignment != 0)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = power_of_two ? CADASTRE_REASON_MISALIGNED : CADASTRE_REASON_BAD_ALIGNMENT,
                 .type = info.type, .asked = info.alignment, .pointer = info.pointer});
  }
  return CADASTRE_SUCCESS;
}

}  // namespace

cadastre_exit_code Context::borrow(const cadastre_memory_info_struct& info) noexcept {
  cadastre_exit_code code = admit_borrowed(info);
  if (code != CADASTRE_SUCCESS) return code;
  Backend* source = nullptr;
  code = choose_source(info, source);
  if (code != CADASTRE_SUCCESS) return code;
  Record record;
  record.backend = static_cast<std::uint8_t>(source->number());
  record.device = device_for(info, *source);
  const bool foreign = source->presence().devices == 0 && record.device >= CADASTRE_DEFAULT_DEVICE;
  if (info.type != CADASTRE_HOST && !foreign && !source->has_device(record.device)) {
    return no_device(*source, CADASTRE_INVALID_ARG_2, info.type, info.device, info.pointer);
  }
  if (!registry_.accounts(info.type).open(record.device)) return no_memory_for_records();
  code = prepare(info, true, record);
  if (code != CADASTRE_SUCCESS) return code;
  record.pointer = info.pointer;
  record.flags = static_cast<std::uint16_t>((info.flags & CADASTRE_UNINITIALIZED) | CADASTRE_BORROWED);
  use_device(*source, record.device);
  record.alignment_log2 = log2_of(info.alignment ? info.alignment : alignment_of(record.address()));
  if (const std::optional<Record> other = registry_.overlapping(record)) {
    registry_.cancel();
    Failure failure = about(*other, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_OVERLAPS_BLOCK, info.pointer);
    failure.asked = info.size;
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
  if (record->flags & CADASTRE_WORKSPACE) {
    return fail(about(*record, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_LENT, pointer));
  }
  registry_.remove(pointer);
  return CADASTRE_SUCCESS;
}

cadastre_exit_code Context::release_all(Visit& visit, Told told) {
  std::vector<Record> taken;
  taken.reserve(registry_.live());
  for (const Record& record : registry_.snapshot()) {
    if (record.state != State::live || record.flags & CADASTRE_WORKSPACE) continue;
    if (!record.borrowed()) taken.push_back(record);
    registry_.remove(record.pointer);
  }
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  visit.step_out();
  for (const Record& record : taken) {
    const cadastre_exit_code code = free_in_backend(record, std::nullopt);
    if (told) told(visit, record, code);
    if (code == CADASTRE_SUCCESS) continue;
    worst = code;
    visit.step_in();
    registry_.free_failed(record);
    visit.step_out();
  }
  return worst;
}

cadastre_exit_code Context::close(cadastre_destroy_summary_struct& summary) noexcept {
  cadastre_exit_code worst = close_workspaces(summary);
  count_labels();
  labels_->for_each([&](const Label& label) {
    if (label.live_bytes <= summary.largest_label_bytes) return;
    summary.largest_label_bytes = label.live_bytes;
    static_assert(sizeof label.text == sizeof summary.largest_label);
    std::memcpy(summary.largest_label, label.text, sizeof label.text);
  });
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPES; ++type) {
    const cadastre_statistics_struct& figures = account(type).figures;
    summary.blocks += figures.live_blocks;
    summary.bytes += figures.live_bytes;
    summary.borrowed_blocks += figures.borrowed_blocks;
  }
  const auto count = [&](cadastre_exit_code code) {
    if (code == CADASTRE_SUCCESS) return;
    worst = code;
    ++summary.failed_frees;
  };
  const auto free_one = [&](const Record& record) {
    if (!record.borrowed()) count(free_in_backend(record, std::nullopt));
  };
  if (host_is_ours_) {
    registry_.for_each_recorded(free_one);
    registry_.drain_plain([](void* block) noexcept {
      constexpr std::uintptr_t ahead = 2048;  // 25 blocks of 64 bytes, as the heap lays them out
      prefetch_for_heap(reinterpret_cast<const void*>(address_of(block) + ahead));
      give_to_heap(block);
    });
  } else {
    registry_.for_each(free_one);
  }
  for_each_pool([&](Pool& pool) { count(pool.close()); });
  if (const cadastre_exit_code code = backend_.detach(); code != CADASTRE_SUCCESS) worst = code;
  return worst;
}

// A label says how much bears it only when somebody asks.
void Context::count_labels() const noexcept {
  if (labels_->empty()) return;
  labels_->for_each([](Label& label) { label.live_bytes = 0, label.live_blocks = 0; });
  registry_.for_each([](const Record& record) {
    if (!record.label || record.borrowed()) return;
    record.label->live_bytes += record.size;
    ++record.label->live_blocks;
  });
}

cadastre_memory_type Context::workspace_type() const noexcept {
  return backend_.serves(CADASTRE_DEVICE) ? CADASTRE_DEVICE : CADASTRE_HOST;
}

std::size_t Context::granularity(cadastre_memory_type type) const noexcept {
  return std::max(least_granularity, backend_.natural_alignment(type));
}

void Context::keep(const void* address, bool kept) noexcept { registry_.mark_workspace(address, kept); }

cadastre_exit_code Context::allocate_piece(Visit& visit, cadastre_memory_type type, std::size_t size, Order order,
                                           Piece& piece) noexcept {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.alignment = std::min(granularity(type), backend_.largest_alignment(type));
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
  const Record record = take_out(piece);
  visit.step_out();
  const cadastre_exit_code code = free_unless_in_use(record, order, waited);
  visit.step_in();
  if (code != CADASTRE_SUCCESS) registry_.free_failed(record);
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
  if (workspace.behind == Behind::event) code = backend_.synchronize_event(device_, workspace.event);
  if (workspace.behind == Behind::everything) {
    Record any;
    any.type = CADASTRE_DEVICE;
    any.device = device_;
    any.backend = static_cast<std::uint8_t>(backend_.number());
    code = backend_.settle(any);
  }
  const bool on_default = workspace.behind == Behind::default_queue || workspace.behind == Behind::everything;
  if (code == CADASTRE_SUCCESS && on_default) code = backend_.synchronize(device_, CADASTRE_DEFAULT_QUEUE);
  if (code == CADASTRE_SUCCESS) workspace.behind = Behind::nothing;
  return code;
}

void Context::before_fork() noexcept {
  for_each_pool([](Pool& pool) { pool.before_fork(); });
}

void Context::in_parent() noexcept {
  for_each_pool([](Pool& pool) { pool.in_parent(); });
}

// What other threads had begun is forgotten.
void Context::in_child() noexcept {
  for_each_pool([](Pool& pool) { pool.in_child(); });
  registry_.forget_other_threads();
  workspaces_.forget_other_threads(this_thread());
}

cadastre_workspace_info_struct Context::workspace_info(cadastre_memory_type type) const noexcept {
  const WorkspacesOfType& of_type = workspaces_.of(type);
  return {type,
          type == CADASTRE_HOST ? CADASTRE_DEFAULT_DEVICE : device_,
          of_type.scheme,
          static_cast<std::int32_t>(of_type.workspaces.size()),
          granularity(type),
          of_type.size(),
          of_type.in_use,
          of_type.high_water_mark,
          of_type.live_leases,
          of_type.lends,
          of_type.refusals,
          of_type.growths,
          of_type.waits};
}

cadastre_exit_code Context::close_workspaces(cadastre_destroy_summary_struct& summary) noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPES; ++type) {
    for (const auto& workspace : workspaces_.of(type).workspaces) {
      summary.live_leases += static_cast<std::int64_t>(workspace->leases().size());
      if (!workspace->leases().empty()) workspace->behind = Behind::everything;
      const cadastre_exit_code waited = settle(*workspace);
      backend_.destroy_event(device_, workspace->event);
      for (const Piece& piece : workspace->pieces()) {
        if (piece.origin != Origin::allocated) continue;
        const cadastre_exit_code code = free_unless_in_use(take_out(piece), std::nullopt, waited);
        if (code == CADASTRE_SUCCESS) continue;
        worst = code;
        ++summary.failed_frees;
      }
    }
  }
  return worst;
}

void Context::add_workspaces(Holdings& result) const {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPES; ++type) {
    const cadastre_workspace_info_struct info = workspace_info(type);
    if (info.size + static_cast<std::size_t>(info.lends) > 0) result.workspaces.push_back(info);
    for (const auto& workspace : workspaces_.of(type).workspaces) {
      for (const Lease& lease : workspace->leases()) result.leases.push_back({lease.number, type, lease.bytes});
    }
  }
}

cadastre_pool_info_struct Context::pool_info(cadastre_memory_type type) const noexcept {
  const Pools& pools = pools_[static_cast<std::size_t>(type)];
  const PoolFigures f = pools.figures();
  return {pool(type), pools.number(), f.used, f.reserved, f.largest_free, f.releasable,
          static_cast<std::int64_t>(f.hits), static_cast<std::int64_t>(f.misses), static_cast<std::int64_t>(f.trims)};
}

bool Context::keeps(const void* address) const noexcept {
  bool kept = false;
  for (const Pools& pools : pools_) pools.for_each([&](const Pool& pool) { kept = kept || pool.has(address); });
  return kept;
}

Holdings Context::holdings(cadastre_context handle) const {
  Holdings result{handle, backend_.number(), device_, {}, {}, {}, snapshot(), {}, {}, {}};
  count_labels();
  labels_->for_each([&](const Label& label) {
    if (label.live_blocks > 0) result.labels.push_back(label);
  });
  for (std::size_t type = 0; type < memory_types; ++type) {
    const Accounts& accounts = registry_.accounts(static_cast<cadastre_memory_type>(type));
    result.figures[type] = accounts.all.figures;
    accounts.for_each_device([&](std::int32_t device, const Account& account) {
      result.by_device[type].push_back({device, account.figures});
    });
    result.pools[type] = pool_info(static_cast<cadastre_memory_type>(type));
  }
  add_workspaces(result);
  return result;
}

}  // namespace cadastre::internal
