// Tangled from org/adapters/sundials_versions.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the versions of SUNDIALS differ in.
#ifndef CADASTRE_SRC_ADAPTERS_SUNDIALS_VERSIONS_HPP
#define CADASTRE_SRC_ADAPTERS_SUNDIALS_VERSIONS_HPP

#include <sundials/sundials_version.h>

#include <cstddef>
#include <type_traits>

#include "cadastre_sundials.h"

#if SUNDIALS_VERSION_MAJOR >= 7
#include <sundials/priv/sundials_context_impl.h>
#include <sundials/priv/sundials_errors_impl.h>
#include <sundials/sundials_errors.h>
#elif SUNDIALS_VERSION_MAJOR == 6 && SUNDIALS_VERSION_MINOR >= 2
#include <sundials/sundials_context.h>
#include <sundials/sundials_logger.h>
#endif

namespace cadastre::adapter {

#if SUNDIALS_VERSION_MAJOR >= 7
#define CODE(name) SUN_ERR_##name
#else
#define CODE(name) (-1)
#endif

#if SUNDIALS_VERSION_MAJOR >= 6
#define CONTEXT_GIVEN sunctx
#define QUEUE_GIVEN queue
using Surroundings = SUNContext;
inline bool are_missing(Surroundings sunctx) { return sunctx == nullptr; }
#else
#define CONTEXT_GIVEN nullptr
#define QUEUE_GIVEN nullptr
using Surroundings = std::nullptr_t;
inline bool are_missing(Surroundings) { return false; }
#endif

using Code = cadastre_sundials_code;

// The data of a failure: SUNDIALS' code, the function, the message, and the line of this file that reports it.
struct Trouble {
  Code code;
  const char *function, *message;
  int line;
};

#if SUNDIALS_VERSION_MAJOR >= 7
// SUNDIALS' own SUNHandleErrWithMsg, except that several threads may fail at the same time. The handler that logs uses
// the message as a format.
inline void report(SUNContext sunctx, const Trouble& trouble) {
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
    handler->call(trouble.line, trouble.function, "src/adapters/sundials.cpp", sentence, trouble.code, handler->data, sunctx);
  }
}
#elif SUNDIALS_VERSION_MAJOR == 6 && SUNDIALS_VERSION_MINOR >= 2
inline void report(SUNContext sunctx, const Trouble& trouble) {
  SUNLogger logger = nullptr;
  if (!sunctx || SUNContext_GetLogger(sunctx, &logger) != 0 || !logger) return;
  SUNLogger_QueueMsg(logger, SUN_LOGLEVEL_ERROR, trouble.function, "cadastre", "%s", trouble.message);
}
#else
inline void report(Surroundings, const Trouble&) {}
#endif

// Versions with the same number have the same structures.
constexpr int layout_of(int major, int minor) { return 2 * major + (major == 6 ? minor >= 5 : major == 7 ? minor >= 3 : 0); }
constexpr int layout_of_headers = layout_of(SUNDIALS_VERSION_MAJOR, SUNDIALS_VERSION_MINOR);

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

}  // namespace cadastre::adapter
#endif
