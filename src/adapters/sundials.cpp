// Tangled from org/adapters/sundials.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A SUNMemoryHelper on top of a context.
#include "cadastre_sundials.h"

#include <pthread.h>
#include <sundials/sundials_version.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../base/lock.hpp"
#include "foreign.hpp"
#include "sundials_leases.hpp"

#if SUNDIALS_VERSION_MAJOR >= 7
#include <sundials/sundials_errors.h>
#define CODE(name) SUN_ERR_##name
#else
#define CODE(name) (-1)
#endif

#if SUNDIALS_VERSION_MAJOR >= 6
#define CONTEXT_GIVEN sunctx
#define QUEUE_GIVEN queue
using Surroundings = SUNContext;
static bool are_missing(Surroundings sunctx) { return sunctx == nullptr; }
#else
#define CONTEXT_GIVEN nullptr
#define QUEUE_GIVEN nullptr
using Surroundings = std::nullptr_t;
static bool are_missing(Surroundings) { return false; }
#endif

// The data of a failure: SUNDIALS' code, the function, the message, and the line of this file that reports it.
struct Trouble {
  cadastre_sundials_code code;
  const char *function, *message;
  int line;
};

#if SUNDIALS_VERSION_MAJOR >= 7
#include <sundials/priv/sundials_context_impl.h>
#include <sundials/priv/sundials_errors_impl.h>

// SUNDIALS' own SUNHandleErrWithMsg, except that several threads may fail at the same time. The handler that logs uses
// the message as a format.
static void report(SUNContext sunctx, const Trouble& trouble) {
  if (!sunctx) return;
  char sentence[2 * sizeof(cadastre_error_struct::message)];
  std::size_t length = 0;
  for (const char* next = trouble.message; *next && length + 2 < sizeof sentence; ++next) {
    sentence[length++] = *next;
    if (*next == '%') sentence[length++] = '%';
  }
  sentence[length] = '\0';
  __atomic_store_n(&sunctx->last_err, trouble.code, __ATOMIC_RELAXED);
  for (SUNErrHandler handler = sunctx->err_handler; handler; handler = handler->previous) {
    handler->call(trouble.line, trouble.function, "src/adapters/sundials.cpp", sentence, trouble.code, handler->data,
                  sunctx);
  }
}
#elif SUNDIALS_VERSION_MAJOR == 6 && SUNDIALS_VERSION_MINOR >= 2
#include <sundials/sundials_context.h>
#include <sundials/sundials_logger.h>

static void report(SUNContext sunctx, const Trouble& trouble) {
  SUNLogger logger = nullptr;
  if (!sunctx || SUNContext_GetLogger(sunctx, &logger) != 0 || !logger) return;
  SUNLogger_QueueMsg(logger, SUN_LOGLEVEL_ERROR, trouble.function, "cadastre", "%s", trouble.message);
}
#else
static void report(Surroundings, const Trouble&) {}
#endif

// Versions with the same number have the same structures.
static constexpr int layout_of(int major, int minor) {
  return 2 * major + (major == 6 ? minor >= 5 : major == 7 ? minor >= 3 : 0);
}
static constexpr int layout_of_headers = layout_of(SUNDIALS_VERSION_MAJOR, SUNDIALS_VERSION_MINOR);

namespace {

using cadastre::internal::BriefLock;
using cadastre::internal::Locked;
using cadastre::internal::Rank;
using Code = cadastre_sundials_code;
using Operations = std::remove_pointer_t<SUNMemoryHelper_Ops>;

template <class Memory>
void set_extent(Memory memory, [[maybe_unused]] std::size_t bytes, [[maybe_unused]] std::size_t stride) {
  if constexpr (requires { memory->bytes; }) memory->bytes = bytes;
  if constexpr (requires { memory->stride; }) memory->stride = stride;
}

template <class Memory>
void copy_extent(Memory to, Memory from) {
  if constexpr (requires { from->bytes; }) to->bytes = from->bytes;
  if constexpr (requires { from->stride; }) to->stride = from->stride;
}

template <class Memory>
bool lacks_extent([[maybe_unused]] Memory memory) {
  if constexpr (requires { memory->bytes; }) return memory->bytes == 0;
  return false;
}

template <class Helper>
Surroundings surroundings_of([[maybe_unused]] Helper helper) {
  if constexpr (requires { helper->sunctx; }) return helper->sunctx;
  return nullptr;
}

template <class Helper>
void set_surroundings(Helper helper, [[maybe_unused]] Surroundings surroundings) {
  if constexpr (requires { helper->sunctx; }) helper->sunctx = surroundings;
}

template <class Table>
Table all_operations() {
  Table table{};
  table.alloc = SUNMemoryHelper_Alloc_Cadastre;
  table.dealloc = SUNMemoryHelper_Dealloc_Cadastre;
  table.copy = SUNMemoryHelper_Copy_Cadastre;
  table.copyasync = SUNMemoryHelper_CopyAsync_Cadastre;
  table.clone = SUNMemoryHelper_Clone_Cadastre;
  table.destroy = SUNMemoryHelper_Destroy_Cadastre;
  if constexpr (requires { table.allocstrided; }) table.allocstrided = SUNMemoryHelper_AllocStrided_Cadastre;
  if constexpr (requires { table.getallocstats; }) table.getallocstats = SUNMemoryHelper_GetAllocStats_Cadastre;
  return table;
}

static_assert(SUNMEMTYPE_HOST == CADASTRE_HOST && SUNMEMTYPE_PINNED == CADASTRE_PINNED &&
              SUNMEMTYPE_DEVICE == CADASTRE_DEVICE && SUNMEMTYPE_UVM == CADASTRE_UVM);

constexpr std::size_t label_size = 256;

struct Counts {
  unsigned long allocations = 0, deallocations = 0;
  std::size_t bytes = 0, high_water_mark_bytes = 0;
};

using Content = std::uintptr_t;
constexpr Content no_content = ~Content{0};
using MemoryObject = std::remove_pointer_t<SUNMemory>;

// What a helper is, beside SUNDIALS' structure.
struct alignas(256) Account {  // a power of two, so that its place is a shift
  std::atomic<Content> content = no_content;  // of the helper that has it
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  bool allocates_in_order = false;
  std::atomic<bool> is_temporary = false;      // what it allocates is leased
  std::atomic<void*> default_queue = nullptr;  // where the helper has no member for it
  std::atomic<const char*> label = nullptr;    // as cadastre_label returned it
  std::atomic<MemoryObject*> spare = nullptr;  // for the next block; it was allocated as all are
  std::array<Counts, CADASTRE_MEMORY_TYPE_COUNT> counts{};  // guarded by the ledger
  Content generation = 0;                                   // likewise, as what follows
  Account* next_vacant = nullptr;
};

// 32 bytes, of a type and a size together.
struct Holding {
  std::uintptr_t address = 0;  // 0: none
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  Content owner = 0;
  std::size_t type_and_bytes = 0;

  static constexpr unsigned bits = 8 * sizeof(std::size_t) - 2;
  [[gnu::always_inline]] static inline Holding of(const Account& account, const void* pointer, cadastre_memory_type type, std::size_t bytes) {
    return {reinterpret_cast<std::uintptr_t>(pointer), account.context, account.content.load(std::memory_order_relaxed),
            static_cast<std::size_t>(type) << bits | bytes};
  }
  std::size_t type() const { return type_and_bytes >> bits; }
  std::size_t bytes() const { return type_and_bytes & ((std::size_t{1} << bits) - 1); }
};
static_assert(CADASTRE_MEMORY_TYPE_COUNT <= 4);

// By address and context. But for how many may come before it is half full, it is guarded by the ledger.
class Holdings {
 public:
  std::size_t used() const { return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(capacity() / 2) - left()); }
  std::size_t capacity() const { return mask_ + 1; }
  std::ptrdiff_t left() const { return left_.load(std::memory_order_relaxed); }
  Holding* begin() { return places_; }
  Holding* end() { return end_; }
  // Where a holding is, or is to be: then its address is 0 there.
  [[gnu::always_inline]] inline Holding& place_of(std::uintptr_t address, cadastre_context context) {
    std::size_t place = home_of(address);
    while (places_[place].address != 0 && (places_[place].address != address || places_[place].context != context)) place = (place + 1) & mask_;
    return places_[place];
  }
  // The same of one that is there; null where none is.
  [[gnu::always_inline]] inline Holding* find(std::uintptr_t address, cadastre_context context) {
    Holding* holding = places_ + home_of(address);
    while (holding->address != address || holding->context != context) [[unlikely]] {
      if (holding->address == 0) return nullptr;
      holding = next(holding);
    }
    return holding;
  }
  // Counts one more; false, and not counted, where it would be the last.
  [[gnu::always_inline]] inline bool count_in() {
    const std::ptrdiff_t after = left() - 1;
    if (after < 0 && used() + 2 > capacity()) [[unlikely]] return false;
    left_.store(after, std::memory_order_relaxed);
    return true;
  }
  [[gnu::always_inline]] inline void erase(Holding& holding) {
    left_.store(left() + 1, std::memory_order_relaxed);
    Holding* hole = &holding;
    for (Holding* later = next(hole); later->address != 0; later = next(later)) [[unlikely]] {
      const Holding* const home = places_ + home_of(later->address);
      if (way(home, later) < way(hole, later)) continue;
      *hole = *later;
      hole = later;
    }
    hole->address = 0;
  }
  // Moves to other places, more of them and empty, and returns those there were; null for the first ones.
  Holding* move_to(Holding* places, std::size_t capacity) {
    Holding *const old = places_, *const old_end = end();
    const auto used_before = static_cast<std::ptrdiff_t>(used());
    places_ = places;
    end_ = places + capacity;
    mask_ = capacity - 1;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(capacity));
    left_.store(static_cast<std::ptrdiff_t>(capacity / 2) - used_before, std::memory_order_relaxed);
    for (const Holding* holding = old; holding != old_end; ++holding) {
      if (holding->address != 0) place_of(holding->address, holding->context) = *holding;
    }
    return old == first_places_ ? nullptr : old;
  }

 private:
  static constexpr unsigned first_bits = 6;
  std::size_t home_of(std::uintptr_t address) const { return static_cast<std::size_t>((std::uint64_t{address} * 0xd6e8feb86659fd93u) >> shift_); }
  Holding* next(Holding* place) { return ++place == end() ? places_ : place; }
  std::size_t way(const Holding* from, const Holding* to) const { return static_cast<std::size_t>(to - from) & mask_; }

  Holding first_places_[std::size_t{1} << first_bits];
  Holding *places_ = first_places_, *end_ = first_places_ + (std::size_t{1} << first_bits);
  std::size_t mask_ = (std::size_t{1} << first_bits) - 1;  // a power of two less 1
  unsigned shift_ = 64 - first_bits;
  std::atomic<std::ptrdiff_t> left_ = (1 << first_bits) / 2;
};

class Ledger {
 public:
  // A content for a helper, with its account.
  Account& open(cadastre_context context, bool allocates_in_order, const char* label) {
    Account& account = vacant_account();
    account.context = context;
    account.allocates_in_order = allocates_in_order;
    account.is_temporary.store(false, std::memory_order_relaxed);
    account.default_queue.store(nullptr, std::memory_order_relaxed);
    account.label.store(label, std::memory_order_relaxed);
    account.counts = {};
    account.content.store(++account.generation << slot_bits | slot_of(account), std::memory_order_release);
    return account;
  }
  [[gnu::always_inline]] inline Account* find(const void* content) {
    const auto number = reinterpret_cast<Content>(content);
    Account* const account = account_at(number & (most_accounts - 1));
    return account && account->content.load(std::memory_order_acquire) == number ? account : nullptr;
  }
  void close(const void* content) {
    Account* const account = find(content);
    if (!account) return;
    std::free(account->spare.exchange(nullptr));
    const Locked locked(lock_);
    account->content.store(no_content, std::memory_order_relaxed);
    account->next_vacant = std::exchange(vacant_, account);
  }

  // Before a block is allocated.
  [[gnu::always_inline]] inline void make_room() {
    if (holdings_.left() <= 0) [[unlikely]] grow();
  }
  // Of a helper that is in a call. False where there is no room after all.
  [[gnu::always_inline]] inline bool enter(Counts& counts, const Holding& holding, std::size_t bytes) {
    const Locked locked(lock_);
    Holding& place = holdings_.place_of(holding.address, holding.context);
    if (place.address != 0) [[unlikely]] {
      take_off(place);  // freed behind our back
    } else if (!holdings_.count_in()) [[unlikely]] {
      return false;
    }
    place = holding;
    ++counts.allocations;
    add(counts, bytes);
    return true;
  }
  // Counts a block as freed by a helper, if any helper allocated it; if none did, there is no owner.
  struct Taken {
    Content owner;
    std::size_t type_and_bytes;
  };
  [[gnu::always_inline]] inline Taken take(Account& by, Content content, const void* pointer) {
    const Locked locked(lock_);
    Holding* const found = holdings_.find(reinterpret_cast<std::uintptr_t>(pointer), by.context);
    if (!found) [[unlikely]] return {no_content, 0};
    Holding& place = *found;
    const Taken taken{place.owner, place.type_and_bytes};
    Counts& counts = by.counts[place.type()];
    ++counts.deallocations;
    if (taken.owner == content) [[likely]] counts.bytes -= place.bytes();
    else take_off(place);
    holdings_.erase(place);
    return taken;
  }
  // It was not freed.
  [[gnu::cold, gnu::noinline]] void put_back(Account& by, const void* pointer, Taken was) {
    const Holding taken{reinterpret_cast<std::uintptr_t>(pointer), by.context, was.owner, was.type_and_bytes};
    const Locked locked(lock_);
    --by.counts[taken.type()].deallocations;
    Holding& place = holdings_.place_of(taken.address, taken.context);
    if (place.address != 0 || !holdings_.count_in()) return;  // its address was granted again
    place = taken;
    if (Counts* const counts = counts_of(taken)) add(*counts, taken.bytes());
  }
  // A block that no helper allocated.
  void count_freed(Account& by, cadastre_memory_type type) {
    const Locked locked(lock_);
    ++by.counts[static_cast<std::size_t>(type)].deallocations;
  }
  // A lease, which is in another table; and where a block was that was freed behind our back.
  void count_lease(Counts& counts, const Holding& lease) {
    const Locked locked(lock_);
    if (Holding* const before = holdings_.find(lease.address, lease.context)) {
      take_off(*before);
      holdings_.erase(*before);
    }
    ++counts.allocations;
    add(counts, lease.bytes());
  }
  void count_release(Account& by, const Holding& lease) {
    const Locked locked(lock_);
    ++by.counts[lease.type()].deallocations;
    take_off(lease);
  }
  // One that no helper gave back.
  void count_lost(const Holding& lease) {
    const Locked locked(lock_);
    take_off(lease);
  }
  Counts counts(const Account& account, cadastre_memory_type type) {
    const Locked locked(lock_);
    return account.counts[static_cast<std::size_t>(type)];
  }

  // A fork takes the lock in one function and gives it back in another.
  void hold() CADASTRE_UNCHECKED { lock_.lock_for_fork(); }
  void let_go() CADASTRE_UNCHECKED { lock_.unlock(); }

 private:
  static constexpr unsigned slot_bits = sizeof(Content) > 4 ? 24 : 12;
  static constexpr Content most_accounts = Content{1} << slot_bits, first_segment = 64;
  static constexpr std::size_t least_capacity = 256;

  // Null for one that never was.
  Account* account_at(Content slot) {
    return slot < first_segment ? &first_accounts_[slot] : far_account_at(slot);
  }
  [[gnu::noinline]] Account* far_account_at(Content slot) {
    const auto segment = static_cast<unsigned>(std::bit_width(slot / first_segment));
    Account* const accounts = segments_[segment].load(std::memory_order_acquire);
    return accounts ? accounts + (slot - (first_segment << (segment - 1))) : nullptr;
  }
  Content slot_of(const Account& account) const {
    if (&account >= first_accounts_ && &account < first_accounts_ + first_segment) return static_cast<Content>(&account - first_accounts_);
    for (unsigned segment = 1;; ++segment) {
      const Account* const accounts = segments_[segment].load(std::memory_order_relaxed);
      const Content size = first_segment << (segment - 1);
      if (&account >= accounts && &account < accounts + size) return static_cast<Content>(&account - accounts) + size;
    }
  }
  // Throws std::bad_alloc.
  Account& vacant_account() {
    while (true) {
      unsigned segment = 0;
      {
        const Locked locked(lock_);
        if (vacant_) return *std::exchange(vacant_, vacant_->next_vacant);
        if (used_accounts_ == most_accounts - 1) throw std::bad_alloc();
        if (Account* const account = account_at(used_accounts_)) return ++used_accounts_, *account;
        segment = static_cast<unsigned>(std::bit_width(used_accounts_ / first_segment));
      }
      auto fresh = std::make_unique<Account[]>(first_segment << (segment - 1));
      const Locked locked(lock_);
      if (!segments_[segment].load(std::memory_order_relaxed)) segments_[segment].store(fresh.release(), std::memory_order_release);
    }
  }

  // Null where that helper is gone.
  Counts* counts_of(const Holding& holding) CADASTRE_REQUIRES(lock_) {
    Account* const account = find(reinterpret_cast<const void*>(holding.owner));
    return account ? &account->counts[holding.type()] : nullptr;
  }
  [[gnu::noinline]] void take_off(const Holding& holding) CADASTRE_REQUIRES(lock_) {
    if (Counts* const counts = counts_of(holding)) counts->bytes -= holding.bytes();
  }
  static void add(Counts& counts, std::size_t bytes) {
    counts.bytes += bytes;
    if (counts.bytes > counts.high_water_mark_bytes) [[unlikely]] counts.high_water_mark_bytes = counts.bytes;
  }

  // Of these, too, only the table is read with the lock. Throws std::bad_alloc.
  [[gnu::noinline, gnu::cold]] void grow() {
    forget_the_dead();
    const std::size_t capacity = std::max(least_capacity, std::bit_ceil(4 * (used() + 1)));
    auto fresh = std::make_unique<Holding[]>(capacity);
    std::unique_ptr<Holding[]> old;
    const Locked locked(lock_);
    if (holdings_.capacity() >= capacity || 2 * holdings_.used() > capacity) return;  // another thread was here
    old.reset(holdings_.move_to(fresh.release(), capacity));
  }
  std::size_t used() {
    const Locked locked(lock_);
    return holdings_.used();
  }
  void forget_the_dead() {
    std::vector<cadastre_context> contexts;
    contexts.reserve(used());
    with([&]() CADASTRE_REQUIRES(lock_) {
      for (const Holding& holding : holdings_) {
        if (holding.address != 0 && contexts.size() < contexts.capacity()) contexts.push_back(holding.context);
      }
    });
    std::sort(contexts.begin(), contexts.end());
    contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
    std::erase_if(contexts, [](cadastre_context context) { return cadastre_context_check(context) != CADASTRE_NULL_CONTEXT; });
    if (contexts.empty()) return;
    with([&]() CADASTRE_REQUIRES(lock_) {
      for (Holding* holding = holdings_.begin(); holding != holdings_.end();) {
        const bool is_dead = holding->address != 0 && std::binary_search(contexts.begin(), contexts.end(), holding->context);
        is_dead ? holdings_.erase(*holding) : void(++holding);
      }
    });
  }
  template <class Work>
  void with(Work work) CADASTRE_UNCHECKED {  // it cannot be seen that work needs this very lock
    const Locked locked(lock_);
    work();
  }

  Account first_accounts_[first_segment];
  BriefLock<Rank::adapter> lock_;
  Holdings holdings_;
  std::atomic<Account*> segments_[slot_bits] = {};
  Content used_accounts_ CADASTRE_GUARDED_BY(lock_) = 1;
  Account* vacant_ CADASTRE_GUARDED_BY(lock_) = nullptr;
};

constinit Ledger ledger;
constinit cadastre::adapter::Leases leases;

void hold_both() {
  ledger.hold();
  leases.hold();
}
void let_go_of_both() {
  leases.let_go();
  ledger.let_go();
}

// Before the first helper is made.
void watch_for_forks() {
  static const bool watched = [] {
    if (pthread_atfork(hold_both, let_go_of_both, let_go_of_both) != 0) throw std::bad_alloc();
    return true;
  }();
  static_cast<void>(watched);
}

struct Free {
  void operator()(void* pointer) const noexcept { std::free(pointer); }
};
template <class Structure>
using Allocated = std::unique_ptr<Structure, Free>;

template <class Structure>
Allocated<Structure> allocated() {
  Allocated<Structure> made(static_cast<Structure*>(std::calloc(1, sizeof(Structure))));
  if (!made) throw std::bad_alloc();
  return made;
}

Code code_of(const cadastre_error_struct& error) {
  switch (error.exit_code) {
    case CADASTRE_ALLOCATION_FAILED:
    case CADASTRE_LIMIT_EXCEEDED: return CODE(MALLOC_FAIL);
    case CADASTRE_NOT_SUPPORTED: return CODE(ARG_INCOMPATIBLE);
    case CADASTRE_OUT_OF_BOUNDS: return CODE(ARG_OUTOFRANGE);
    case CADASTRE_DEALLOCATION_FAILED:
    case CADASTRE_FAILURE:
    case CADASTRE_ERRNO: return CODE(MEM_FAIL);
    default: return error.reason == CADASTRE_REASON_SIZE_OVERFLOW ? CODE(ARG_OUTOFRANGE) : CODE(ARG_CORRUPT);
  }
}

class NotCancelled {
 public:
  NotCancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;
  ~NotCancelled() { pthread_setcancelstate(before_, nullptr); }

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

// Passed by value, lest what succeeds writes it.
struct Call {
  SUNMemoryHelper helper;
  const char* function;

  Surroundings surroundings() const { return surroundings_of(helper); }

  [[gnu::always_inline]] inline Code refused(Code code, const char* sentence, int line = __builtin_LINE()) const {
    return refuse(*this, code, sentence, line);
  }
  [[gnu::always_inline]] inline Code failed(cadastre_context context, int line = __builtin_LINE()) const { return fail(*this, context, line); }
  // Does work that answers a Code, and lets no exception out.
  template <class Work>
  [[gnu::always_inline]] inline Code perform(Work work) const noexcept {
    try {
      return work();
    } catch (...) {
      return thrown(*this);
    }
  }

 private:
  // A log is written by what may be a point of cancellation.
  [[gnu::cold, gnu::noinline]] static Code refuse(Call call, Code code, const char* sentence, int line) {
    const NotCancelled here;
    report(call.surroundings(), {code, call.function, sentence, line});
    return code;
  }
  [[gnu::cold, gnu::noinline]] static Code fail(Call call, cadastre_context context, int line) {
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(context, &error);
    return refuse(call, code_of(error), error.message, line);
  }
  // In a handler of exceptions.
  [[gnu::cold, gnu::noinline]] static Code thrown(Call call) noexcept {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      return call.refused(CODE(MALLOC_FAIL), "there is no host memory for the helper's record of a block");
    } catch (...) {
      return call.refused(CODE(MEM_FAIL), "an unexpected C++ exception was thrown");
    }
  }
};

// Does work with the account of a helper.
template <class Work>
[[gnu::always_inline]] inline Code perform(SUNMemoryHelper helper, const char* function, Work work) noexcept {
  if (!helper) return CODE(ARG_CORRUPT);
  const Call call{helper, function};
  Account* const account = ledger.find(helper->content);
  if (!account) [[unlikely]] {
    return call.refused(CODE(ARG_INCOMPATIBLE), "the content of this helper was not made by SUNMemoryHelper_Cadastre, or was destroyed");
  }
  return call.perform([&]() -> Code { return work(call, *account); });
}

// A C program may pass any number, which C++ must not read as an enumerator.
static_assert(sizeof(SUNMemoryType) == sizeof(cadastre_memory_type));
cadastre_memory_type number_of(const SUNMemoryType& type) {
  cadastre_memory_type number;
  std::memcpy(&number, &type, sizeof number);
  return number;
}
bool is_memory_type(cadastre_memory_type number) { return number >= 0 && number < CADASTRE_MEMORY_TYPE_COUNT; }
constexpr const char* no_memory_type = "the memory type is not HOST, PINNED, DEVICE or UVM";

template <class Helper>
void set_default_queue(Helper helper, [[maybe_unused]] Account& account, void* queue) {
  if constexpr (requires { helper->queue; }) {
    helper->queue = queue;
  } else {
    account.default_queue.store(queue, std::memory_order_relaxed);
  }
}

template <class Helper>
void* default_queue(Helper helper, [[maybe_unused]] Account& account) {
  if constexpr (requires { helper->queue; }) {
    return helper->queue;
  } else {
    return account.default_queue.load(std::memory_order_relaxed);
  }
}

// The queue that is given, or the helper's default; nothing where there is neither.
std::optional<cadastre_queue> queue_meant(SUNMemoryHelper helper, Account& account, void* given) {
  void* const place = given ? given : default_queue(helper, account);
  if (!place) return std::nullopt;
  return *static_cast<cadastre_queue*>(place);
}

using OwnObject = Allocated<MemoryObject>;

[[gnu::always_inline]] inline OwnObject complete(OwnObject object, cadastre_memory_type type, bool owned) {
  std::memcpy(&object->type, &type, sizeof type);
  object->own = owned ? SUNTRUE : SUNFALSE;
  set_extent(object.get(), 0, 1);
  return object;
}
OwnObject object_for(void* pointer, cadastre_memory_type type, bool owned) {
  OwnObject object = complete(allocated<MemoryObject>(), type, owned);
  object->ptr = pointer;
  return object;
}
// The one that the helper was given back last, or a new one; and the way back.
[[gnu::always_inline]] inline OwnObject object_of(Account& account, cadastre_memory_type type) {
  MemoryObject* const spare = account.spare.exchange(nullptr, std::memory_order_acquire);
  return complete(spare ? OwnObject(spare) : allocated<MemoryObject>(), type, true);
}
[[gnu::always_inline]] inline void give_back(Account& account, MemoryObject* object) {
  MemoryObject* const before = account.spare.exchange(object, std::memory_order_acq_rel);
  if (before && before != object) std::free(before);
}

// What the registry knows of an address, which may lie inside a block.
void set_extent_by_registry(SUNMemory object, cadastre_context context) {
  cadastre_memory_info_struct info;
  std::size_t offset = 0;
  if (const auto found = leases.find(cadastre::adapter::place_of(context, object->ptr))) {
    return set_extent(object, found->left(), found->leased.stride);
  }
  if (!object->ptr || cadastre_find_block(context, object->ptr, &info, &offset) != CADASTRE_SUCCESS) return;
  set_extent(object, info.size - offset, info.stride ? info.stride : 1);
}

using cadastre::adapter::Leases;
using cadastre::adapter::Release;

Holding holding_of(const Leases::Entry& entry) {
  const auto& [lease, queue, type, bytes, stride, owner] = entry.mapped();
  return {entry.key().address, entry.key().context, owner, static_cast<std::size_t>(type) << Holding::bits | bytes};
}

// Nothing where the workspace refuses, and a block may do.
[[gnu::noinline]] std::optional<Code> lease(Call call, SUNMemoryHelper helper, Account& account, SUNMemory* memptr, std::size_t size,
                                            std::size_t stride, cadastre_memory_type type, void* given) {
  const cadastre_context context = account.context;
  Leases::Entry entry = leases.make();
  OwnObject object = object_of(account, type);
  const cadastre_exit_code code = cadastre::adapter::acquire(context, entry, size, type, queue_meant(helper, account, given));
  if (code != CADASTRE_SUCCESS) {
    give_back(account, object.release());
    if (code == CADASTRE_SIZE_QUERY_MISMATCH) return call.failed(context);
    return std::nullopt;
  }
  entry.mapped().stride = stride;
  entry.mapped().owner = account.content.load(std::memory_order_relaxed);
  object->ptr = reinterpret_cast<void*>(entry.key().address);
  set_extent(object.get(), size, stride);
  const Holding holding = holding_of(entry);
  if (const Leases::Entry lost = leases.enter(std::move(entry))) ledger.count_lost(holding_of(lost));
  ledger.count_lease(account.counts[static_cast<std::size_t>(type)], holding);
  *memptr = object.release();
  return 0;
}

// Nothing where it is none.
[[gnu::noinline]] std::optional<Code> release_lease(Call call, SUNMemoryHelper helper, Account& account, SUNMemory memory, void* given) {
  const cadastre_context context = account.context;
  Leases::Entry entry = leases.take(cadastre::adapter::place_of(context, memory->ptr));
  if (!entry) return std::nullopt;
  const bool waited = cadastre::adapter::wait_to_release(context, entry.mapped(), queue_meant(helper, account, given)) == CADASTRE_SUCCESS;
  const Release released = waited ? cadastre::adapter::release_lease(context, entry.mapped().lease) : Release::refused;
  if (released == Release::refused) {
    leases.put_back(std::move(entry));
    return call.failed(context);
  }
  ledger.count_release(account, holding_of(entry));
  if (released == Release::done) {
    give_back(account, memory);
    return 0;
  }
  memory->own = SUNFALSE;
  return call.failed(context);
}

// Whether a range that begins in a lease ends behind it.
bool leaves_lease(cadastre_context context, const void* pointer, std::size_t size) {
  const auto found = leases.find(cadastre::adapter::place_of(context, pointer));
  return found && size > found->left();
}

enum class Strided : bool { no, yes };

// As the compiler sees, this travels in registers.
[[gnu::always_inline]] inline void* plain_block(cadastre_context context, std::size_t size, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = CADASTRE_HOST;
  info.flags = CADASTRE_UNINITIALIZED;
  info.label = label;
  return cadastre_malloc(context, info);
}

[[gnu::noinline]] void* block_of(SUNMemoryHelper helper, Account& account, std::size_t size, cadastre_memory_type type, std::size_t stride,
                                 const char* label, void* given) {
  const auto queue = queue_meant(helper, account, given);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.stride = stride;
  info.flags = CADASTRE_UNINITIALIZED;
  info.label = label;
  return queue && account.allocates_in_order ? cadastre_malloc_async(account.context, info, *queue) : cadastre_malloc(account.context, info);
}

// stride: 1 for memory without one. The registry is told of one that elements can have.
[[gnu::always_inline]] inline Code allocate(Call call, SUNMemoryHelper helper, Account& account, SUNMemory* memptr,
              std::size_t size, Strided strided, std::size_t stride, cadastre_memory_type type, void* given) {
  if (!memptr) return call.refused(CODE(ARG_CORRUPT), "memptr is NULL; pass the address for the new object");
  if (!is_memory_type(type)) return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
  if (account.is_temporary.load(std::memory_order_relaxed) && size > 0) [[unlikely]] {
    if (const auto code = lease(call, helper, account, memptr, size, stride, type, given)) return *code;
  }
  ledger.make_room();
  OwnObject object = object_of(account, type);
  const char* const label = account.label.load(std::memory_order_relaxed);
  const bool is_plain = type == CADASTRE_HOST && strided == Strided::no;
  object->ptr = is_plain ? plain_block(account.context, size, label)
                         : block_of(helper, account, size, type, strided == Strided::yes && stride <= size ? stride : 0, label, given);
  if (!object->ptr) [[unlikely]] {
    give_back(account, object.release());
    return call.failed(account.context);
  }
  set_extent(object.get(), size, stride);
  if (!ledger.enter(account.counts[static_cast<std::size_t>(type)], Holding::of(account, object->ptr, type, size), size)) [[unlikely]] {
    cadastre_free(account.context, object->ptr);
    throw std::bad_alloc();
  }
  *memptr = object.release();
  return 0;
}

// The same, where little of it is known to the compiler.
[[gnu::noinline]] Code allocate_any(Call call, SUNMemoryHelper helper, Account& account, SUNMemory* memptr, std::size_t size, Strided strided,
                                    std::size_t stride, cadastre_memory_type type, void* given) {
  return allocate(call, helper, account, memptr, size, strided, stride, type, given);
}

// Frees a block, in the order of a queue where there is one. A queue that cannot be waited for, since it was destroyed
// before, leaves the block as it was: then it is freed as without a queue, after what the default one waits for.
cadastre_exit_code free_block(cadastre_context context, void* pointer, std::optional<cadastre_queue> queue) {
  if (!queue) return cadastre_free(context, pointer);
  const cadastre_exit_code code = cadastre_free_async(context, pointer, *queue);
  if (code != CADASTRE_FAILURE) return code;
  cadastre_memory_info_struct info;
  const bool is_there = cadastre_get_malloc_info(context, pointer, &info) == CADASTRE_SUCCESS;
  if (!is_there || cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE) != CADASTRE_SUCCESS) return code;
  return cadastre_free(context, pointer);
}

[[gnu::noinline]] cadastre_exit_code free_in_order(SUNMemoryHelper helper, Account& account, SUNMemory memory, void* given) {
  return free_block(account.context, memory->ptr, queue_meant(helper, account, given));
}

// A lease, or a block that no helper allocated.
[[gnu::noinline]] Code release_unknown(Call call, SUNMemoryHelper helper, Account& account, SUNMemory memory, void* given) {
  if (const auto code = release_lease(call, helper, account, memory, given)) return *code;
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  cadastre_get_malloc_info(account.context, memory->ptr, &info);
  const cadastre_exit_code code = free_in_order(helper, account, memory, given);
  if (code != CADASTRE_SUCCESS) return call.failed(account.context);
  ledger.count_freed(account, info.type);
  give_back(account, memory);
  return 0;
}

[[gnu::always_inline]] inline Code release(Call call, SUNMemoryHelper helper, Account& account, SUNMemory memory, void* given) {
  const auto taken = ledger.take(account, reinterpret_cast<Content>(helper->content), memory->ptr);
  if (taken.owner == no_content) [[unlikely]] return release_unknown(call, helper, account, memory, given);
  const bool in_order = given || default_queue(helper, account);
  const cadastre_exit_code code = in_order ? free_in_order(helper, account, memory, given) : cadastre_free(account.context, memory->ptr);
  if (code != CADASTRE_SUCCESS) [[unlikely]] {
    ledger.put_back(account, memory->ptr, taken);
    return call.failed(account.context);
  }
  give_back(account, memory);
  return 0;
}

cadastre_exit_code copy_on_the_backends_default_queue(cadastre_context context, SUNMemory to, SUNMemory from,
                                                      std::size_t size) {
  const auto move = [&] { return cadastre_memcpy(context, to->ptr, from->ptr, size); };
  cadastre_queue set = CADASTRE_DEFAULT_QUEUE;
  cadastre_exit_code code = cadastre_context_get_default_queue(context, &set);
  if (code != CADASTRE_SUCCESS || set == CADASTRE_DEFAULT_QUEUE) return code != CADASTRE_SUCCESS ? code : move();
  code = cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE);
  if (code == CADASTRE_SUCCESS) code = cadastre_lock(context);
  if (code != CADASTRE_SUCCESS) return code;
  cadastre_context_get_default_queue(context, &set);  // another thread may have set it
  cadastre_context_set_default_queue(context, CADASTRE_DEFAULT_QUEUE);
  code = move();
  cadastre_context_set_default_queue(context, set);
  cadastre_unlock(context);
  return code;
}

Code copy(Call call, SUNMemoryHelper helper, Account& account, SUNMemory to, SUNMemory from,
          std::size_t size, void* given, bool waits) {
  if (!to || !from) return call.refused(CODE(ARG_CORRUPT), "dst or src is NULL");
  const cadastre_memory_type to_type = number_of(to->type), from_type = number_of(from->type);
  if (!is_memory_type(to_type) || !is_memory_type(from_type)) {
    return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
  }
  const cadastre_context context = account.context;
  if (leaves_lease(context, to->ptr, size) || leaves_lease(context, from->ptr, size)) {
    return call.refused(CODE(ARG_OUTOFRANGE), "the copy extends past the end of memory that is leased");
  }
  const auto queue = queue_meant(helper, account, given);
  if (waits && queue && cadastre_synchronize(context, *queue) != CADASTRE_SUCCESS) return call.failed(context);
  const auto move = [&] {
    return waits ? copy_on_the_backends_default_queue(context, to, from, size)
                 : cadastre_memcpy_async(context, to->ptr, from->ptr, size, queue.value_or(CADASTRE_DEFAULT_QUEUE));
  };
  const cadastre_exit_code code = cadastre::adapter::with_foreign_memory(context, {to->ptr, size, to_type},
                                                                         {from->ptr, size, from_type}, move);
  return code == CADASTRE_SUCCESS ? 0 : call.failed(context);
}

// label: as cadastre_label returned it, or null where that had no memory.
SUNMemoryHelper helper_for(const Account& like, const char* label, const Operations& operations, Surroundings surroundings) {
  auto helper = allocated<std::remove_pointer_t<SUNMemoryHelper>>();
  auto table = allocated<Operations>();
  if (!label) throw std::bad_alloc();
  const Account& account = ledger.open(like.context, like.allocates_in_order, label);
  helper->content = reinterpret_cast<void*>(account.content.load(std::memory_order_relaxed));
  *table = operations;
  helper->ops = table.release();
  set_surroundings(helper.get(), surroundings);
  return helper.release();
}

bool library_fits(Call call) {
  int major = 0, minor = 0, patch = 0;
  char label[64] = "";
  SUNDIALSGetVersionNumber(&major, &minor, &patch, label, sizeof label - 1);
  if (layout_of(major, minor) == layout_of_headers) return true;
  char sentence[200];
  std::snprintf(sentence, sizeof sentence,
                "this is SUNDIALS %d.%d, but libcadastre_sundials was built for %d.%d, whose structures differ",
                major, minor, SUNDIALS_VERSION_MAJOR, SUNDIALS_VERSION_MINOR);
  call.refused(CODE(ARG_INCOMPATIBLE), sentence);
  return false;
}

}  // namespace

SUNMemoryHelper SUNMemoryHelper_Cadastre(cadastre_context context CADASTRE_SUNDIALS_AND_CONTEXT) {
  std::remove_pointer_t<SUNMemoryHelper> not_yet{};
  set_surroundings(&not_yet, CONTEXT_GIVEN);
  const Call call{&not_yet, __func__};
  SUNMemoryHelper made = nullptr;
  if (are_missing(CONTEXT_GIVEN)) return nullptr;
  call.perform([&]() -> Code {
    if (!library_fits(call)) return CODE(ARG_INCOMPATIBLE);
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    if (cadastre_context_get_options(context, &options) != CADASTRE_SUCCESS) return call.failed(context);
    watch_for_forks();
    Account like;
    like.context = context;
    like.allocates_in_order = options.pool == CADASTRE_POOL_VENDOR;
    made = helper_for(like, cadastre_label("SUNDIALS"), all_operations<Operations>(), CONTEXT_GIVEN);
    return 0;
  });
  return made;
}

cadastre_sundials_code SUNMemoryHelper_Alloc_Cadastre(SUNMemoryHelper helper, SUNMemory* memptr, size_t mem_size,
                                                      SUNMemoryType mem_type CADASTRE_SUNDIALS_AND_QUEUE) {
  const cadastre_memory_type type = number_of(mem_type);
  return perform(helper, __func__, [&](Call call, Account& account) {
    return type == CADASTRE_HOST ? allocate(call, helper, account, memptr, mem_size, Strided::no, 1, CADASTRE_HOST, QUEUE_GIVEN)
                                 : allocate_any(call, helper, account, memptr, mem_size, Strided::no, 1, type, QUEUE_GIVEN);
  });
}

cadastre_sundials_code SUNMemoryHelper_AllocStrided_Cadastre(SUNMemoryHelper helper, SUNMemory* memptr, size_t mem_size,
                                                             size_t stride, SUNMemoryType mem_type, void* queue) {
  return perform(helper, __func__, [&](Call call, Account& account) {
    return allocate_any(call, helper, account, memptr, mem_size, Strided::yes, stride, number_of(mem_type), queue);
  });
}

cadastre_sundials_code SUNMemoryHelper_Dealloc_Cadastre(SUNMemoryHelper helper,
                                                        SUNMemory mem CADASTRE_SUNDIALS_AND_QUEUE) {
  if (!mem) return 0;
  if (!mem->own || !mem->ptr) {
    std::free(mem);
    return 0;
  }
  return perform(helper, __func__, [&](Call call, Account& account) {
    return release(call, helper, account, mem, QUEUE_GIVEN);
  });
}

cadastre_sundials_code SUNMemoryHelper_Copy_Cadastre(SUNMemoryHelper helper, SUNMemory dst, SUNMemory src,
                                                     size_t mem_size CADASTRE_SUNDIALS_AND_QUEUE) {
  return perform(helper, __func__, [&](Call call, Account& account) {
    return copy(call, helper, account, dst, src, mem_size, QUEUE_GIVEN, true);
  });
}

cadastre_sundials_code SUNMemoryHelper_CopyAsync_Cadastre(SUNMemoryHelper helper, SUNMemory dst, SUNMemory src,
                                                          size_t mem_size, void* queue) {
  return perform(helper, __func__, [&](Call call, Account& account) {
    return copy(call, helper, account, dst, src, mem_size, queue, false);
  });
}

cadastre_sundials_code SUNMemoryHelper_GetAllocStats_Cadastre(SUNMemoryHelper helper, SUNMemoryType mem_type,
                                                              unsigned long* num_allocations,
                                                              unsigned long* num_deallocations,
                                                              size_t* bytes_allocated, size_t* bytes_high_watermark) {
  return perform(helper, __func__, [&](Call call, Account& account) -> Code {
    const cadastre_memory_type type = number_of(mem_type);
    if (!is_memory_type(type)) return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
    const Counts counts = ledger.counts(account, type);
    if (num_allocations) *num_allocations = counts.allocations;
    if (num_deallocations) *num_deallocations = counts.deallocations;
    if (bytes_allocated) *bytes_allocated = counts.bytes;
    if (bytes_high_watermark) *bytes_high_watermark = counts.high_water_mark_bytes;
    return 0;
  });
}

SUNMemoryHelper SUNMemoryHelper_Clone_Cadastre(SUNMemoryHelper helper) {
  SUNMemoryHelper made = nullptr;
  perform(helper, __func__, [&](Call call, Account& account) -> Code {
    made = helper_for(account, account.label.load(std::memory_order_relaxed), *helper->ops, call.surroundings());
    Account& clone = *ledger.find(made->content);
    set_default_queue(made, clone, default_queue(helper, account));
    clone.is_temporary.store(account.is_temporary.load(std::memory_order_relaxed), std::memory_order_relaxed);
    return 0;
  });
  return made;
}

cadastre_sundials_code SUNMemoryHelper_Destroy_Cadastre(SUNMemoryHelper helper) {
  if (!helper) return 0;
  const Call call{helper, __func__};
  return call.perform([&]() -> Code {
    ledger.close(helper->content);
    std::free(helper->ops);
    std::free(helper);
    return 0;
  });
}

cadastre_sundials_code SUNMemoryHelper_SetDefaultQueue_Cadastre(SUNMemoryHelper helper, void* queue) {
  return perform(helper, __func__, [&](Call, Account& account) -> Code {
    set_default_queue(helper, account, queue);
    return 0;
  });
}

cadastre_sundials_code SUNMemoryHelper_SetLabel_Cadastre(SUNMemoryHelper helper, const char* label) {
  return perform(helper, __func__, [&](Call call, Account& account) -> Code {
    if (!label) return call.refused(CODE(ARG_CORRUPT), "label is NULL");
    const std::size_t length = strnlen(label, label_size);
    if (length == label_size) return call.refused(CODE(ARG_OUTOFRANGE), "the label is longer than 255 characters");
    const char* const stored = cadastre_label(label);
    if (!stored) throw std::bad_alloc();
    account.label.store(stored, std::memory_order_relaxed);
    return 0;
  });
}

cadastre_sundials_code SUNMemoryHelper_SetTemporary_Cadastre(SUNMemoryHelper helper, int temporary) {
  return perform(helper, __func__, [&](Call call, Account& account) -> Code {
    if (temporary != SUNTRUE && temporary != SUNFALSE) return call.refused(CODE(ARG_OUTOFRANGE), "temporary is neither SUNTRUE nor SUNFALSE");
    if (temporary == SUNTRUE) leases.begin();
    account.is_temporary.store(temporary == SUNTRUE, std::memory_order_relaxed);
    return 0;
  });
}

SUNMemory SUNMemoryHelper_Alias_Cadastre(SUNMemoryHelper helper, SUNMemory mem) {
  SUNMemory made = nullptr;
  perform(helper, __func__, [&](Call call, Account& account) -> Code {
    if (!mem) return call.refused(CODE(ARG_CORRUPT), "mem is NULL");
    OwnObject object = object_for(mem->ptr, number_of(mem->type), false);
    copy_extent(object.get(), mem);
    if (lacks_extent(mem)) set_extent_by_registry(object.get(), account.context);
    made = object.release();
    return 0;
  });
  return made;
}

SUNMemory SUNMemoryHelper_Wrap_Cadastre(SUNMemoryHelper helper, void* ptr, SUNMemoryType mem_type) {
  SUNMemory made = nullptr;
  perform(helper, __func__, [&](Call call, Account& account) -> Code {
    const cadastre_memory_type type = number_of(mem_type);
    if (!is_memory_type(type)) return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
    OwnObject object = object_for(ptr, type, false);
    set_extent_by_registry(object.get(), account.context);
    made = object.release();
    return 0;
  });
  return made;
}
