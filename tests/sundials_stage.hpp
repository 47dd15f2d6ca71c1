// Tangled from org/tests/sundials_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// SUNDIALS' functions as all its versions have them, and a context with a helper.
#ifndef CADASTRE_TESTS_SUNDIALS_STAGE_HPP
#define CADASTRE_TESTS_SUNDIALS_STAGE_HPP

#include "cadastre_sundials.h"

#include <sundials/sundials_version.h>
#if SUNDIALS_VERSION_MAJOR >= 7
#include <sundials/sundials_errors.h>
#define CODE(name) SUN_ERR_##name
#else
#define CODE(name) (-1)
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

// cmocka expects these to be included before it, and leaves the linkage to its user.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <cmocka.h>
}

#include "skip_because.h"

namespace {

template <class Helper>
int allocate(Helper helper, SUNMemory* memory, std::size_t size, SUNMemoryType type) {
  if constexpr (requires { SUNMemoryHelper_Alloc(helper, memory, size, type, nullptr); }) {
    return SUNMemoryHelper_Alloc(helper, memory, size, type, nullptr);
  } else {
    return SUNMemoryHelper_Alloc(helper, memory, size, type);
  }
}

// What a C program may pass; C++ must not read it.
__attribute__((no_sanitize("undefined"))) inline SUNMemoryType no_type(int number) {
  SUNMemoryType type;
  std::memcpy(&type, &number, sizeof type);
  return type;
}

template <class Helper>
int allocate_of_no_type(Helper helper, SUNMemory* memory, int number) {
  if constexpr (requires { SUNMemoryHelper_Alloc_Cadastre(helper, memory, 8, no_type(number), nullptr); }) {
    return SUNMemoryHelper_Alloc_Cadastre(helper, memory, 8, no_type(number), nullptr);
  } else {
    return SUNMemoryHelper_Alloc_Cadastre(helper, memory, 8, no_type(number));
  }
}

template <class Helper>
int release(Helper helper, SUNMemory memory) {
  if constexpr (requires { SUNMemoryHelper_Dealloc(helper, memory, nullptr); }) {
    return SUNMemoryHelper_Dealloc(helper, memory, nullptr);
  } else {
    return SUNMemoryHelper_Dealloc(helper, memory);
  }
}

template <class Helper>
int copy(Helper helper, SUNMemory to, SUNMemory from, std::size_t size) {
  if constexpr (requires { SUNMemoryHelper_Copy(helper, to, from, size, nullptr); }) {
    return SUNMemoryHelper_Copy(helper, to, from, size, nullptr);
  } else {
    return SUNMemoryHelper_Copy(helper, to, from, size);
  }
}

#if SUNDIALS_VERSION_MAJOR >= 6
#if SUNDIALS_VERSION_MAJOR >= 7
const SUNComm no_communicator = SUN_COMM_NULL;
#else
void* const no_communicator = nullptr;
#endif
inline SUNContext surroundings() {
  static SUNContext made = nullptr;
  if (!made && SUNContext_Create(no_communicator, &made) != 0) std::abort();
  return made;
}
inline SUNMemoryHelper helper_on(cadastre_context context) { return SUNMemoryHelper_Cadastre(context, surroundings()); }
inline SUNMemoryHelper empty_helper() { return SUNMemoryHelper_NewEmpty(surroundings()); }
#else
inline SUNMemoryHelper helper_on(cadastre_context context) { return SUNMemoryHelper_Cadastre(context); }
inline SUNMemoryHelper empty_helper() { return SUNMemoryHelper_NewEmpty(); }
#endif

// Who handles an error takes it off the SUNContext: with error checks, SUNDIALS makes no objects before.
inline void forget_errors() {
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_GetLastError(surroundings());
#endif
}

template <class Helper, class Memory>
Memory sundials_alias(Helper helper, Memory memory) {
  forget_errors();
  if constexpr (requires { SUNMemoryHelper_Alias(helper, memory); }) {
    return SUNMemoryHelper_Alias(helper, memory);
  } else {
    return SUNMemoryHelper_Alias(memory);
  }
}

template <class Helper, class Type>
SUNMemory sundials_wrap(Helper helper, void* pointer, Type type) {
  forget_errors();
  if constexpr (requires { SUNMemoryHelper_Wrap(helper, pointer, type); }) {
    return SUNMemoryHelper_Wrap(helper, pointer, type);
  } else {
    return SUNMemoryHelper_Wrap(pointer, type);
  }
}

// Size and stride, or what holds where SUNDIALS has no member for them.
template <class Memory>
std::size_t bytes_of([[maybe_unused]] Memory memory, std::size_t without) {
  if constexpr (requires { memory->bytes; }) return memory->bytes;
  return without;
}
template <class Memory>
std::size_t stride_of([[maybe_unused]] Memory memory, std::size_t without) {
  if constexpr (requires { memory->stride; }) return memory->stride;
  return without;
}

[[maybe_unused]] constexpr SUNMemoryType all_types[] = {SUNMEMTYPE_HOST, SUNMEMTYPE_PINNED, SUNMEMTYPE_DEVICE, SUNMEMTYPE_UVM};

inline cadastre_context context_on(cadastre_backend backend) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = backend;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  return context;
}

struct Stage {
  cadastre_context context;
  SUNMemoryHelper helper;
  explicit Stage(cadastre_backend backend = CADASTRE_BACKEND_HOST) : context(context_on(backend)), helper(helper_on(context)) {
    assert_non_null(helper);
  }
  ~Stage() {
    assert_int_equal(SUNMemoryHelper_Destroy(helper), 0);
    if (cadastre_context_check(context)) assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  SUNMemory block(std::size_t size, SUNMemoryType type = SUNMEMTYPE_HOST) const {
    SUNMemory memory = nullptr;
    assert_int_equal(allocate(helper, &memory, size, type), 0);
    assert_non_null(memory);
    return memory;
  }
  std::int64_t live_blocks() const {
    std::int64_t sum = 0;
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      cadastre_statistics_struct s = cadastre_statistics_struct_zero;
      assert_int_equal(cadastre_get_statistics(context, type, &s), CADASTRE_SUCCESS);
      sum += s.live_blocks + s.borrowed_blocks;
    }
    return sum;
  }
};

// "allocations deallocations bytes high-water mark"
inline std::string counts(SUNMemoryHelper helper, SUNMemoryType type = SUNMEMTYPE_HOST) {
  unsigned long allocations = 99, deallocations = 99;
  std::size_t bytes = 99, most = 99;
  assert_int_equal(SUNMemoryHelper_GetAllocStats_Cadastre(helper, type, &allocations, &deallocations, &bytes, &most), 0);
  return std::to_string(allocations) + ' ' + std::to_string(deallocations) + ' ' + std::to_string(bytes) + ' ' + std::to_string(most);
}
inline void assert_counts(SUNMemoryHelper helper, const char* expected, SUNMemoryType type = SUNMEMTYPE_HOST) {
  assert_string_equal(counts(helper, type).c_str(), expected);
}

inline cadastre_memory_info_struct known(cadastre_context context, const void* pointer) {
  cadastre_memory_info_struct info;
  assert_int_equal(cadastre_get_malloc_info(context, pointer, &info), CADASTRE_SUCCESS);
  return info;
}

}  // namespace
#endif
