// Tangled from org/context/boundary.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The way into the library, for every public function.
#ifndef CADASTRE_SRC_CONTEXT_BOUNDARY_HPP
#define CADASTRE_SRC_CONTEXT_BOUNDARY_HPP

#include <exception>
#include <new>

#include "base/error.hpp"
#include "base/non_copyable.hpp"
#include "context/due_work.hpp"
#include "context/lock.hpp"

namespace cadastre::internal {

// What ends the thread (pthread_exit, or being cancelled) is no exception to be stopped, but unwinds the stack like one.
template <class Body>
cadastre_exit_code stop_exceptions(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_OUT_OF_HOST_MEMORY});
  } catch (const std::exception& error) {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_INTERNAL_ERROR, .detail = error.what()});
  } catch (...) {
    if (!std::current_exception()) throw;  // the end of the thread
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_INTERNAL_ERROR, .detail = "unknown"});
  }
}

// A call of a public function, whose failure is attributed to it when the call ends. Then it does what is due.
struct PublicCall : NonCopyable {
  PublicCall(cadastre_context of, const char* called) noexcept : about(of), function(called) {}
  ~PublicCall() {
    if (result != CADASTRE_SUCCESS) [[unlikely]]
      attribute(about, function);
    do_due_work_if_any();
  }

  const cadastre_context about;
  const char* const function;
  cadastre_exit_code result = CADASTRE_SUCCESS;
};

// Calls with no context, unless a handler of signals asks while its thread is inside the library.
template <class Body>
cadastre_exit_code guarded(cadastre_context context, const char* function, Body body) noexcept {
  PublicCall call(context, function);
  if (is_interrupted()) [[unlikely]]
    return call.result = refuse_interrupted();
  const NotCancelled here;
  return call.result = stop_exceptions(body);
}

// One that looks into a context, and comes to no point of cancellation there. Where it is not let in, the result says why.
struct LookUp : PublicCall, ContextLock {
  LookUp(cadastre_context context, const char* function) noexcept : PublicCall(context, function), ContextLock(context) {
    if (!*this) result = failed_last().exit_code;
  }
};

// One that does something in a context, whose report is to tell of it when it fails. The context is left before the failure is attributed.
struct Call : LookUp {
  using LookUp::LookUp;
  ~Call() {
    if (result != CADASTRE_SUCCESS && *this) [[unlikely]]
      keep_failure(function);
  }
};

template <class Body>
cadastre_exit_code look_up(cadastre_context context, const char* function, Body body) noexcept {
  LookUp call(context, function);
  if (call) call.result = stop_exceptions([&] { return body(call); });
  return call.result;
}

// For what the context's report is to tell of when it fails.
template <class Body>
cadastre_exit_code call(cadastre_context context, const char* function, Body body) noexcept {
  const NotCancelled here;
  Call call(context, function);
  if (call) call.result = stop_exceptions([&] { return body(call); });
  return call.result;
}

inline cadastre_exit_code null_argument(cadastre_exit_code argument) noexcept {
  return fail({.exit_code = argument, .reason = CADASTRE_REASON_NULL_ARGUMENT});
}

// Whether a caller's struct is there, and has a size that this library knows. before: the sizes that it had before it got more fields.
template <class Struct, class... Sizes>
cadastre_exit_code admit_struct(const Struct* given, cadastre_exit_code argument, Sizes... before) noexcept {
  if (!given) return null_argument(argument);
  if (((given->struct_size == sizeof *given) || ... || (given->struct_size == before))) return CADASTRE_SUCCESS;
  return fail({.exit_code = argument,
               .reason = CADASTRE_REASON_INVALID_STRUCT_SIZE,
               .requested = given->struct_size,
               .limit = sizeof *given,
               .required = sizeof *given});
}

template <class Struct>
cadastre_exit_code write_struct(const Struct& value, Struct* to, cadastre_exit_code argument) noexcept {
  const cadastre_exit_code code = admit_struct(to, argument);
  if (code != CADASTRE_SUCCESS) return code;
  *to = value;
  to->struct_size = sizeof *to;
  return CADASTRE_SUCCESS;
}

inline cadastre_exit_code no_memory_type(cadastre_memory_type type) noexcept {
  return fail(
      {.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_INVALID_MEMORY_TYPE, .requested = static_cast<std::size_t>(type)});
}

// Calls with the account of the process, where that is meant, with no lock held; else with that of a context, inside it.
template <class OfProcess, class OfContext>
cadastre_exit_code call_any(cadastre_context context, const char* function, OfProcess of_process, OfContext of_context) noexcept {
  if (context != CADASTRE_PROCESS) return call(context, function, of_context);
  return guarded(context, function, [&] { return of_process(process_account()); });
}

// Calls with the account of the process or of a context, which stays meanwhile, with no lock held.
template <class Body>
cadastre_exit_code call_above(cadastre_context context, const char* function, Body body) noexcept {
  return call_any(context, function, body, [&](ContextLock& lock) { return lock.unlocked([&] { return body(lock->shared()); }); });
}

// Calls of_all with the account of the process, or of a context that has others below it or had some, with no lock held; and of_one
// inside any other context, which costs no look at all contexts.
template <class OfAll, class OfOne>
cadastre_exit_code call_with_below(cadastre_context context, const char* function, OfAll of_all, OfOne of_one) noexcept {
  return call_any(context, function, of_all, [&](ContextLock& lock) {
    if (!lock->shared().had_children()) return of_one(lock);
    return lock.unlocked([&] { return of_all(lock->shared()); });
  });
}

}  // namespace cadastre::internal
#endif
