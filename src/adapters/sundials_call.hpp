// Tangled from org/adapters/sundials_call.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A call of a SUNMemoryHelper: its account, its failure, and objects for memory.
#ifndef CADASTRE_SRC_ADAPTERS_SUNDIALS_CALL_HPP
#define CADASTRE_SRC_ADAPTERS_SUNDIALS_CALL_HPP

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>

#include "cadastre_sundials.h"
#include "sundials_ledger.hpp"
#include "sundials_leases.hpp"
#include "sundials_versions.hpp"

namespace cadastre::adapter {

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

inline Code code_of(const cadastre_error_struct& error) {
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
  [[gnu::always_inline]] inline Code failed(cadastre_context context, int line = __builtin_LINE()) const {
    return fail(*this, context, line);
  }
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
inline cadastre_memory_type number_of(const SUNMemoryType& type) {
  cadastre_memory_type number;
  std::memcpy(&number, &type, sizeof number);
  return number;
}
inline bool is_memory_type(cadastre_memory_type number) { return number >= 0 && number < CADASTRE_MEMORY_TYPE_COUNT; }
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
inline std::optional<cadastre_queue> queue_meant(SUNMemoryHelper helper, Account& account, void* given) {
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
inline OwnObject object_for(void* pointer, cadastre_memory_type type, bool owned) {
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
inline void set_extent_by_registry(SUNMemory object, cadastre_context context) {
  cadastre_memory_info_struct info;
  std::size_t offset = 0;
  if (const auto found = leases.find(place_of(context, object->ptr))) {
    return set_extent(object, found->left(), found->leased.stride);
  }
  if (!object->ptr || cadastre_find_block(context, object->ptr, &info, &offset) != CADASTRE_SUCCESS) return;
  set_extent(object, info.size - offset, info.stride ? info.stride : 1);
}

}  // namespace cadastre::adapter
#endif
