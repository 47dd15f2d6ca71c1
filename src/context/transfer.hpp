// Tangled from org/context/transfer.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Copies, sets, waits and hints inside a context.
#ifndef CADASTRE_SRC_CONTEXT_TRANSFER_HPP
#define CADASTRE_SRC_CONTEXT_TRANSFER_HPP

#include <cstdint>

#include "context/lock.hpp"

namespace cadastre::internal {

// count elements of width bytes; without strided they follow each other.
struct CopyOrder {
  void* to;
  const void* from;
  std::size_t width;
  std::size_t count = 1;
  bool strided = false;
  cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;
  bool wait = true;
};

struct SetOrder {
  void* to;
  int value;
  std::size_t size;
  cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;
  bool wait = true;
};

struct HintOrder {
  const void* address;
  std::size_t bytes;
  std::int32_t device;
  cadastre_advice advice = CADASTRE_ADVICE_READ_MOSTLY;
  cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;
};

cadastre_exit_code copy(ContextLock& lock, const CopyOrder& order) noexcept;
cadastre_exit_code set(ContextLock& lock, const SetOrder& order) noexcept;
cadastre_exit_code synchronize(ContextLock& lock, cadastre_queue queue) noexcept;
// taken: null, or where to say whether the hint was followed.
cadastre_exit_code prefetch(ContextLock& lock, const HintOrder& order, std::int32_t* taken) noexcept;
cadastre_exit_code advise(ContextLock& lock, const HintOrder& order, std::int32_t* taken) noexcept;

}  // namespace cadastre::internal
#endif
