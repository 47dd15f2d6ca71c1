// Tangled from org/api/plain_free.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "api/plain_free.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "api/plain_free.h"
#include "backends/host_heap.hpp"
#include "base/process.hpp"
#include "context/all_contexts.hpp"
#include "context/boundary.hpp"
#include "core/page_map.hpp"

namespace cadastre::internal {
namespace {

enum class Answer { unknown, unseen, seen };
constinit std::atomic<Answer> answer = Answer::unknown;
constinit std::atomic<const void*> tried = nullptr;
constinit std::atomic<void (*)(void*)> told_free = nullptr;
constinit std::atomic<void* (*)(void*, std::size_t)> told_realloc = nullptr;

void use_next() noexcept {
  if (!told_free.load(std::memory_order_relaxed)) return;
  heap_realloc.store(told_realloc.load(std::memory_order_relaxed), std::memory_order_relaxed);
  heap_free.store(told_free.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

void try_out() noexcept {
  void* const piece = as_it_came(std::malloc(1));
  if (!piece) return;
  tried.store(piece, std::memory_order_relaxed);
  loose_map.while_noted(reinterpret_cast<std::uintptr_t>(piece), [&] { std::free(piece); });
  const bool was_seen = tried.exchange(nullptr, std::memory_order_relaxed) == nullptr;
  answer.store(was_seen ? Answer::seen : Answer::unseen, std::memory_order_relaxed);
  if (was_seen) use_next();
}

[[gnu::constructor(102)]] void try_at_start() noexcept {
  if (answer.load(std::memory_order_relaxed) == Answer::unknown) try_out();
}

[[gnu::always_inline]] inline bool may_be_a_block(const void* pointer) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return page_map.is_in_chunk(address) || loose_map.may_begin_at(address);
}

thread_local constinit cadastre_context refused_in = CADASTRE_NULL_CONTEXT;

struct Found {
  int outcome;  // CADASTRE_PLAIN_DONE: there may be a block
  cadastre_context context;
};

Found refuse_unknown(const void* pointer) noexcept {
  refused_in = CADASTRE_NULL_CONTEXT;
  guarded(CADASTRE_NULL_CONTEXT, "free",
          [&] { return fail({.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_UNKNOWN_POINTER, .pointer = pointer}); });
  return {CADASTRE_PLAIN_REFUSED, CADASTRE_NULL_CONTEXT};
}

Found find_owner(const void* pointer) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!page_map.is_in_chunk(address)) {
    if (is_interrupted()) return {address % page_bytes == 0 ? CADASTRE_PLAIN_KEPT : CADASTRE_PLAIN_PASS_ON, CADASTRE_NULL_CONTEXT};
    bool kept;
    const cadastre_context context = owner_of_loose(pointer, kept);
    if (kept && context == CADASTRE_NULL_CONTEXT) return refuse_unknown(pointer);
    return {context == CADASTRE_NULL_CONTEXT ? CADASTRE_PLAIN_PASS_ON : CADASTRE_PLAIN_DONE, context};
  }
  if (is_interrupted()) return {CADASTRE_PLAIN_KEPT, CADASTRE_NULL_CONTEXT};
  const Slab* const slab = page_map.slab_at(address);
  const cadastre_context context = slab ? slab->context.load(std::memory_order_acquire) : CADASTRE_NULL_CONTEXT;
  return context == CADASTRE_NULL_CONTEXT ? refuse_unknown(pointer) : Found{CADASTRE_PLAIN_DONE, context};
}

int refuse(cadastre_context context) noexcept {
  refused_in = context;
  return CADASTRE_PLAIN_REFUSED;
}

bool describe(cadastre_context context, const void* pointer, Record& block) noexcept {
  return look_up(context, "free", [&](ContextLock& lock) {
           const std::optional<Record> found = lock->registry().at(pointer);
           if (found) block = *found;
           return found ? CADASTRE_SUCCESS : refuse_unknown(lock.context().registry(), pointer);
         }) == CADASTRE_SUCCESS;
}

[[gnu::noinline]] int free_found(void* pointer) noexcept {
  if (pointer == tried.load(std::memory_order_relaxed)) {
    tried.store(nullptr, std::memory_order_relaxed);
    return CADASTRE_PLAIN_PASS_ON;
  }
  const KeptErrno kept_errno;
  const Found found = find_owner(pointer);
  if (found.outcome != CADASTRE_PLAIN_DONE) return found.outcome;
  Record block;
  if (!describe(found.context, pointer, block) || cadastre_free(found.context, pointer) != CADASTRE_SUCCESS) return refuse(found.context);
  look_up(found.context, "free", [&](ContextLock& lock) {
    lock->notes().count_plain_free(block);
    return CADASTRE_SUCCESS;
  });
  return CADASTRE_PLAIN_DONE;
}

[[gnu::noinline]] int size_of_found(const void* pointer, std::size_t& size) noexcept {
  const KeptErrno kept_errno;
  const Found found = find_owner(pointer);
  if (found.outcome != CADASTRE_PLAIN_DONE) return found.outcome;
  Record block;
  if (!describe(found.context, pointer, block) || block.type == CADASTRE_DEVICE) return refuse(found.context);
  size = block.size;
  return CADASTRE_PLAIN_DONE;
}

}  // namespace

bool plain_frees_are_seen() noexcept {
  if (answer.load(std::memory_order_relaxed) == Answer::unknown) [[unlikely]]
    try_out();
  return answer.load(std::memory_order_relaxed) == Answer::seen;
}

}  // namespace cadastre::internal

using namespace cadastre::internal;

int cadastre_plain_free(void* pointer) {
  if (!may_be_a_block(pointer)) [[likely]]
    return CADASTRE_PLAIN_PASS_ON;
  return free_found(pointer);
}

int cadastre_plain_size(const void* pointer, size_t* size) {
  if (!may_be_a_block(pointer)) [[likely]]
    return CADASTRE_PLAIN_PASS_ON;
  return size_of_found(pointer, *size);
}

void cadastre_plain_error(cadastre_error_struct* error) { cadastre_last_error(refused_in, error); }

void cadastre_plain_next(void (*next_free)(void*), void* (*next_realloc)(void*, size_t)) {
  told_realloc.store(next_realloc, std::memory_order_relaxed);
  told_free.store(next_free, std::memory_order_relaxed);
  if (answer.load(std::memory_order_relaxed) == Answer::seen) use_next();
}
