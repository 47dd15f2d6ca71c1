// Tangled from org/base/out_of_memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/out_of_memory.hpp"

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/futex.hpp"
#include "base/owned.hpp"

namespace cadastre::internal {

struct OutOfMemoryFunction {
  const cadastre_out_of_memory_function function;
  void* const user_data;
  std::atomic<std::uint32_t> calls = 0;
  OutOfMemoryFunction* older = nullptr;
};

namespace {

constinit std::atomic<OutOfMemoryFunction*> newest = nullptr;

// A call that this thread is in.
struct Call {
  OutOfMemoryFunction* of;
  Call* before;
};
constinit thread_local Call* last_call = nullptr;

std::uint32_t calls_of_this_thread(const OutOfMemoryFunction& one) noexcept {
  std::uint32_t calls = 0;
  for (const Call* call = last_call; call; call = call->before) calls += call->of == &one;
  return calls;
}

// The one that was set before, else a new one; null where the host has no memory. Two threads may enter the same one twice.
OutOfMemoryFunction* remembered(cadastre_out_of_memory_function function, void* user_data) noexcept {
  OutOfMemoryFunction* one = newest.load(std::memory_order_acquire);
  while (one && !(one->function == function && one->user_data == user_data)) one = one->older;
  if (one) return one;
  one = try_to_own<OutOfMemoryFunction>(function, user_data).release();
  if (!one) return nullptr;
  one->older = newest.load(std::memory_order_relaxed);
  while (!newest.compare_exchange_weak(one->older, one, std::memory_order_acq_rel)) continue;
  return one;
}

void end_call(OutOfMemoryFunction& one) noexcept {
  one.calls.fetch_sub(1);
  wake_all(one.calls);
}

// That of an account, with a call more; null where there is none.
OutOfMemoryFunction* begin_call(const std::atomic<OutOfMemoryFunction*>& of) noexcept {
  OutOfMemoryFunction* one = of.load();
  while (one) {
    one->calls.fetch_add(1);
    OutOfMemoryFunction* const now = of.load();
    if (now == one) break;
    end_call(*std::exchange(one, now));
  }
  return one;
}

bool ask(OutOfMemoryFunction& one, const cadastre_out_of_memory_struct& request) noexcept {
  Call call{&one, last_call};
  last_call = &call;
  int again = 0;
  try {
    assert_no_lock_held("the function given to cadastre_set_out_of_memory_function");
    again = one.function(&request, one.user_data);
  } catch (...) {
    again = 0;
  }
  last_call = call.before;
  return again != 0;
}

}  // namespace

bool set_out_of_memory_function(SharedAccount& account, cadastre_out_of_memory_function function, void* user_data) noexcept {
  OutOfMemoryFunction* const one = function ? remembered(function, user_data) : nullptr;
  if (function && !one) return false;
  OutOfMemoryFunction* const before = account.out_of_memory.exchange(one);
  if (!before || before == one) return true;
  const std::uint32_t own = calls_of_this_thread(*before);
  for (std::uint32_t calls = before->calls; calls > own; calls = before->calls) sleep_while(before->calls, calls);
  return true;
}

bool was_any_out_of_memory_function_set() noexcept { return newest.load(std::memory_order_acquire) != nullptr; }

bool ask_out_of_memory_functions(const SharedAccount& account, const cadastre_out_of_memory_struct& request) noexcept {
  bool again = false;
  if (last_call) return again;
  for (const SharedAccount* each = &account; each && !again; each = each->parent()) {
    OutOfMemoryFunction* const one = begin_call(each->out_of_memory);
    if (!one) continue;
    again = ask(*one, request);
    end_call(*one);
  }
  return again;
}

void forget_calls_of_others() noexcept {
  for (OutOfMemoryFunction* one = newest.load(); one; one = one->older) one->calls = calls_of_this_thread(*one);
}

}  // namespace cadastre::internal
