// Tangled from org/sundials.org; change the chapter, then run: make tangle
// A SUNMemoryHelper on top of a context.
#include "cadastre_sundials.h"

#include <pthread.h>
#include <sundials/sundials_version.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../lock.hpp"
#include "foreign.hpp"

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

using cadastre::internal::Locked;
using cadastre::internal::Mutex;
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

// What a helper is, beside SUNDIALS' structure. What can change is guarded by the ledger.
struct Account {
  cadastre_context context;
  bool allocates_in_order;
  void* default_queue = nullptr;  // where the helper has no member for it
  std::array<char, label_size> label{"SUNDIALS"};
  std::array<Counts, CADASTRE_MEMORY_TYPE_COUNT> counts{};
};
using AccountPointer = std::shared_ptr<Account>;

struct Holding {
  AccountPointer account;
  cadastre_memory_type type;
  std::size_t bytes;
};

using Place = std::pair<cadastre_context, std::uintptr_t>;
using Holdings = std::map<Place, Holding>;

Place place_of(const Account& account, const void* pointer) {
  return {account.context, reinterpret_cast<std::uintptr_t>(pointer)};
}

class Ledger {
 public:
  // Answers the content for a helper.
  void* open(AccountPointer account) {
    const Locked locked(mutex_);
    accounts_.emplace(last_ + 1, std::move(account));
    return reinterpret_cast<void*>(++last_);
  }
  AccountPointer find(const void* content) const {
    const Locked locked(mutex_);
    const auto found = accounts_.find(reinterpret_cast<std::uintptr_t>(content));
    return found == accounts_.end() ? nullptr : found->second;
  }
  void close(const void* content) {
    const Locked locked(mutex_);
    accounts_.erase(reinterpret_cast<std::uintptr_t>(content));
  }

  static Holdings::node_type prepare(Holding holding) {
    Holdings one;
    one.emplace(Place{}, std::move(holding));
    return one.extract(one.begin());
  }
  void enter(Holdings::node_type node, Place place) {
    const Locked locked(mutex_);
    if (const auto freed_behind_our_back = holdings_.extract(place)) take_off(freed_behind_our_back.mapped());
    node.key() = place;
    Counts& counts = counts_of(node.mapped());
    ++counts.allocations;
    counts.bytes += node.mapped().bytes;
    counts.high_water_mark_bytes = std::max(counts.high_water_mark_bytes, counts.bytes);
    holdings_.insert(std::move(node));
  }
  Holdings::node_type take(Place place) {
    const Locked locked(mutex_);
    return holdings_.extract(place);
  }
  void put_back(Holdings::node_type node) {
    const Locked locked(mutex_);
    const auto result = holdings_.insert(std::move(node));
    if (result.node) take_off(result.node.mapped());  // its address was granted again
  }
  void count_freed(Account& by, cadastre_memory_type type, const Holdings::node_type& node) {
    const Locked locked(mutex_);
    ++by.counts[static_cast<std::size_t>(type)].deallocations;
    if (node) take_off(node.mapped());
  }

  // Does something with what can change in an account, and calls nothing of others.
  template <class Work>
  auto with(Work work) CADASTRE_UNCHECKED {  // it cannot be seen that work needs this very lock
    const Locked locked(mutex_);
    return work();
  }

  // Forgets what is held in contexts that are gone. They are asked while no lock is held: a fork takes theirs too.
  void forget_the_dead() {
    std::vector<cadastre_context> contexts;
    with([&]() CADASTRE_REQUIRES(mutex_) {
      for (auto next = holdings_.begin(); next != holdings_.end(); next = after(next->first.first)) {
        contexts.push_back(next->first.first);
      }
    });
    for (const cadastre_context context : contexts) {
      if (cadastre_context_check(context)) continue;
      with([&]() CADASTRE_REQUIRES(mutex_) { holdings_.erase(holdings_.lower_bound({context, 0}), after(context)); });
    }
  }

  // A fork takes the lock in one function and gives it back in another.
  void hold() CADASTRE_UNCHECKED { mutex_.lock_for_fork(); }
  void let_go() CADASTRE_UNCHECKED { mutex_.unlock(); }

 private:
  Holdings::iterator after(cadastre_context context) CADASTRE_REQUIRES(mutex_) { return holdings_.lower_bound({context + 1, 0}); }
  static Counts& counts_of(const Holding& holding) {
    return holding.account->counts[static_cast<std::size_t>(holding.type)];
  }
  static void take_off(const Holding& holding) { counts_of(holding).bytes -= holding.bytes; }

  mutable Mutex<Rank::adapter> mutex_;
  std::uintptr_t last_ CADASTRE_GUARDED_BY(mutex_) = 0;
  std::map<std::uintptr_t, AccountPointer> accounts_ CADASTRE_GUARDED_BY(mutex_);
  Holdings holdings_ CADASTRE_GUARDED_BY(mutex_);
};

Ledger& ledger() {
  alignas(Ledger) static std::byte room[sizeof(Ledger)];
  static Ledger* const made = [] {
    auto* const whole = new (room) Ledger;
    if (pthread_atfork([] { ledger().hold(); }, [] { ledger().let_go(); }, [] { ledger().let_go(); }) != 0) {
      throw std::bad_alloc();
    }
    return whole;
  }();
  return *made;
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

struct Call {
  Surroundings surroundings;
  const char* function;

  Code refused(Code code, const char* sentence, int line = __builtin_LINE()) const {
    report(surroundings, {code, function, sentence, line});
    return code;
  }
  Code failed(cadastre_context context, int line = __builtin_LINE()) const {
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(context, &error);
    return refused(code_of(error), error.message, line);
  }
  // Does work that answers a Code, and lets no exception out. A log is written by what may be a point of cancellation.
  template <class Work>
  Code perform(Work work) const noexcept {
    const NotCancelled here;
    try {
      return work();
    } catch (const std::bad_alloc&) {
      return refused(CODE(MALLOC_FAIL), "there is no host memory for the helper's record of a block");
    } catch (...) {
      return refused(CODE(MEM_FAIL), "an unexpected C++ exception was thrown");
    }
  }
};

// Does work with the account of a helper.
template <class Work>
Code perform(SUNMemoryHelper helper, const char* function, Work work) noexcept {
  if (!helper) return CODE(ARG_CORRUPT);
  const Call call{surroundings_of(helper), function};
  return call.perform([&]() -> Code {
    const AccountPointer account = ledger().find(helper->content);
    if (!account) {
      return call.refused(CODE(ARG_INCOMPATIBLE),
                          "the content of this helper was not made by SUNMemoryHelper_Cadastre, or was destroyed");
    }
    return work(call, account);
  });
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
    ledger().with([&] { account.default_queue = queue; });
  }
}

template <class Helper>
void* default_queue(Helper helper, [[maybe_unused]] Account& account) {
  if constexpr (requires { helper->queue; }) {
    return helper->queue;
  } else {
    return ledger().with([&] { return account.default_queue; });
  }
}

// The queue that is given, or the helper's default; nothing where there is neither.
std::optional<cadastre_queue> queue_meant(SUNMemoryHelper helper, Account& account, void* given) {
  void* const place = given ? given : default_queue(helper, account);
  if (!place) return std::nullopt;
  return *static_cast<cadastre_queue*>(place);
}

using MemoryObject = Allocated<std::remove_pointer_t<SUNMemory>>;

MemoryObject object_for(void* pointer, cadastre_memory_type type, bool owned) {
  MemoryObject object = allocated<std::remove_pointer_t<SUNMemory>>();
  object->ptr = pointer;
  std::memcpy(&object->type, &type, sizeof type);
  object->own = owned ? SUNTRUE : SUNFALSE;
  set_extent(object.get(), 0, 1);
  return object;
}

// What the registry knows of an address, which may lie inside a block.
void set_extent_by_registry(SUNMemory object, cadastre_context context) {
  cadastre_memory_info_struct info;
  std::size_t offset = 0;
  if (!object->ptr || cadastre_find_block(context, object->ptr, &info, &offset) != CADASTRE_SUCCESS) return;
  set_extent(object, info.size - offset, info.stride ? info.stride : 1);
}

enum class Strided : bool { no, yes };

// stride: 1 for memory without one. The registry is told of one that elements can have.
Code allocate(const Call& call, SUNMemoryHelper helper, const AccountPointer& account, SUNMemory* memptr,
              std::size_t size, Strided strided, std::size_t stride, cadastre_memory_type type, void* given) {
  if (!memptr) return call.refused(CODE(ARG_CORRUPT), "memptr is NULL; pass the address for the new object");
  if (!is_memory_type(type)) return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
  MemoryObject object = object_for(nullptr, type, true);
  Holdings::node_type holding = Ledger::prepare({account, type, size});
  const auto label = ledger().with([&] { return account->label; });

  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.stride = strided == Strided::yes && stride <= size ? stride : 0;
  info.flags = CADASTRE_UNINITIALIZED;
  info.label = label.data();
  const auto queue = queue_meant(helper, *account, given);
  object->ptr = queue && account->allocates_in_order ? cadastre_malloc_async(account->context, info, *queue)
                                                     : cadastre_malloc(account->context, info);
  if (!object->ptr) return call.failed(account->context);
  set_extent(object.get(), size, stride);
  ledger().enter(std::move(holding), place_of(*account, object->ptr));
  *memptr = object.release();
  return 0;
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

Code release(const Call& call, SUNMemoryHelper helper, const AccountPointer& account, SUNMemory memory, void* given) {
  const auto queue = queue_meant(helper, *account, given);
  Holdings::node_type holding = ledger().take(place_of(*account, memory->ptr));
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  if (!holding) cadastre_get_malloc_info(account->context, memory->ptr, &info);  // a block that no helper allocated
  const cadastre_exit_code code = free_block(account->context, memory->ptr, queue);
  if (code != CADASTRE_SUCCESS) {
    ledger().put_back(std::move(holding));
    return call.failed(account->context);
  }
  ledger().count_freed(*account, holding ? holding.mapped().type : info.type, holding);
  std::free(memory);
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

Code copy(const Call& call, SUNMemoryHelper helper, const AccountPointer& account, SUNMemory to, SUNMemory from,
          std::size_t size, void* given, bool waits) {
  if (!to || !from) return call.refused(CODE(ARG_CORRUPT), "dst or src is NULL");
  const cadastre_memory_type to_type = number_of(to->type), from_type = number_of(from->type);
  if (!is_memory_type(to_type) || !is_memory_type(from_type)) {
    return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
  }
  const cadastre_context context = account->context;
  const auto queue = queue_meant(helper, *account, given);
  if (waits && queue && cadastre_synchronize(context, *queue) != CADASTRE_SUCCESS) return call.failed(context);
  const auto move = [&] {
    return waits ? copy_on_the_backends_default_queue(context, to, from, size)
                 : cadastre_memcpy_async(context, to->ptr, from->ptr, size, queue.value_or(CADASTRE_DEFAULT_QUEUE));
  };
  const cadastre_exit_code code = cadastre::adapter::with_foreign_memory(context, {to->ptr, size, to_type},
                                                                         {from->ptr, size, from_type}, move);
  return code == CADASTRE_SUCCESS ? 0 : call.failed(context);
}

SUNMemoryHelper helper_for(AccountPointer account, const Operations& operations, Surroundings surroundings) {
  auto helper = allocated<std::remove_pointer_t<SUNMemoryHelper>>();
  auto table = allocated<Operations>();
  helper->content = ledger().open(std::move(account));
  *table = operations;
  helper->ops = table.release();
  set_surroundings(helper.get(), surroundings);
  return helper.release();
}

bool library_fits(const Call& call) {
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
  const Call call{CONTEXT_GIVEN, __func__};
  SUNMemoryHelper made = nullptr;
  if (are_missing(call.surroundings)) return nullptr;
  call.perform([&]() -> Code {
    if (!library_fits(call)) return CODE(ARG_INCOMPATIBLE);
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    if (cadastre_context_get_options(context, &options) != CADASTRE_SUCCESS) return call.failed(context);
    ledger().forget_the_dead();
    auto account = std::make_shared<Account>();
    account->context = context;
    account->allocates_in_order = options.pool == CADASTRE_POOL_VENDOR;
    made = helper_for(std::move(account), all_operations<Operations>(), call.surroundings);
    return 0;
  });
  return made;
}

cadastre_sundials_code SUNMemoryHelper_Alloc_Cadastre(SUNMemoryHelper helper, SUNMemory* memptr, size_t mem_size,
                                                      SUNMemoryType mem_type CADASTRE_SUNDIALS_AND_QUEUE) {
  return perform(helper, __func__, [&](const Call& call, const AccountPointer& account) {
    return allocate(call, helper, account, memptr, mem_size, Strided::no, 1, number_of(mem_type), QUEUE_GIVEN);
  });
}

cadastre_sundials_code SUNMemoryHelper_AllocStrided_Cadastre(SUNMemoryHelper helper, SUNMemory* memptr, size_t mem_size,
                                                             size_t stride, SUNMemoryType mem_type, void* queue) {
  return perform(helper, __func__, [&](const Call& call, const AccountPointer& account) {
    return allocate(call, helper, account, memptr, mem_size, Strided::yes, stride, number_of(mem_type), queue);
  });
}

cadastre_sundials_code SUNMemoryHelper_Dealloc_Cadastre(SUNMemoryHelper helper,
                                                        SUNMemory mem CADASTRE_SUNDIALS_AND_QUEUE) {
  if (!mem) return 0;
  if (!mem->own || !mem->ptr) {
    std::free(mem);
    return 0;
  }
  return perform(helper, __func__, [&](const Call& call, const AccountPointer& account) {
    return release(call, helper, account, mem, QUEUE_GIVEN);
  });
}

cadastre_sundials_code SUNMemoryHelper_Copy_Cadastre(SUNMemoryHelper helper, SUNMemory dst, SUNMemory src,
                                                     size_t mem_size CADASTRE_SUNDIALS_AND_QUEUE) {
  return perform(helper, __func__, [&](const Call& call, const AccountPointer& account) {
    return copy(call, helper, account, dst, src, mem_size, QUEUE_GIVEN, true);
  });
}

cadastre_sundials_code SUNMemoryHelper_CopyAsync_Cadastre(SUNMemoryHelper helper, SUNMemory dst, SUNMemory src,
                                                          size_t mem_size, void* queue) {
  return perform(helper, __func__, [&](const Call& call, const AccountPointer& account) {
    return copy(call, helper, account, dst, src, mem_size, queue, false);
  });
}

cadastre_sundials_code SUNMemoryHelper_GetAllocStats_Cadastre(SUNMemoryHelper helper, SUNMemoryType mem_type,
                                                              unsigned long* num_allocations,
                                                              unsigned long* num_deallocations,
                                                              size_t* bytes_allocated, size_t* bytes_high_watermark) {
  return perform(helper, __func__, [&](const Call& call, const AccountPointer& account) -> Code {
    const cadastre_memory_type type = number_of(mem_type);
    if (!is_memory_type(type)) return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
    const Counts counts = ledger().with([&] { return account->counts[static_cast<std::size_t>(type)]; });
    if (num_allocations) *num_allocations = counts.allocations;
    if (num_deallocations) *num_deallocations = counts.deallocations;
    if (bytes_allocated) *bytes_allocated = counts.bytes;
    if (bytes_high_watermark) *bytes_high_watermark = counts.high_water_mark_bytes;
    return 0;
  });
}

SUNMemoryHelper SUNMemoryHelper_Clone_Cadastre(SUNMemoryHelper helper) {
  SUNMemoryHelper made = nullptr;
  perform(helper, __func__, [&](const Call& call, const AccountPointer& account) -> Code {
    auto own = std::make_shared<Account>(ledger().with([&] { return *account; }));
    own->counts = {};
    made = helper_for(own, *helper->ops, call.surroundings);
    set_default_queue(made, *own, default_queue(helper, *account));
    return 0;
  });
  return made;
}

cadastre_sundials_code SUNMemoryHelper_Destroy_Cadastre(SUNMemoryHelper helper) {
  if (!helper) return 0;
  const Call call{surroundings_of(helper), __func__};
  return call.perform([&]() -> Code {
    ledger().close(helper->content);
    std::free(helper->ops);
    std::free(helper);
    return 0;
  });
}

cadastre_sundials_code SUNMemoryHelper_SetDefaultQueue_Cadastre(SUNMemoryHelper helper, void* queue) {
  return perform(helper, __func__, [&](const Call&, const AccountPointer& account) -> Code {
    set_default_queue(helper, *account, queue);
    return 0;
  });
}

cadastre_sundials_code SUNMemoryHelper_SetLabel_Cadastre(SUNMemoryHelper helper, const char* label) {
  return perform(helper, __func__, [&](const Call& call, const AccountPointer& account) -> Code {
    if (!label) return call.refused(CODE(ARG_CORRUPT), "label is NULL");
    const std::size_t length = strnlen(label, label_size);
    if (length == label_size) return call.refused(CODE(ARG_OUTOFRANGE), "the label is longer than 255 characters");
    ledger().with([&] { std::memcpy(account->label.data(), label, length + 1); });
    return 0;
  });
}

SUNMemory SUNMemoryHelper_Alias_Cadastre(SUNMemoryHelper helper, SUNMemory mem) {
  SUNMemory made = nullptr;
  perform(helper, __func__, [&](const Call& call, const AccountPointer& account) -> Code {
    if (!mem) return call.refused(CODE(ARG_CORRUPT), "mem is NULL");
    MemoryObject object = object_for(mem->ptr, number_of(mem->type), false);
    copy_extent(object.get(), mem);
    if (lacks_extent(mem)) set_extent_by_registry(object.get(), account->context);
    made = object.release();
    return 0;
  });
  return made;
}

SUNMemory SUNMemoryHelper_Wrap_Cadastre(SUNMemoryHelper helper, void* ptr, SUNMemoryType mem_type) {
  SUNMemory made = nullptr;
  perform(helper, __func__, [&](const Call& call, const AccountPointer& account) -> Code {
    const cadastre_memory_type type = number_of(mem_type);
    if (!is_memory_type(type)) return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
    MemoryObject object = object_for(ptr, type, false);
    set_extent_by_registry(object.get(), account->context);
    made = object.release();
    return 0;
  });
  return made;
}
