// Tangled from org/tests/model_judge.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A mismatch between the library and a model, and what a call may fail with.
#ifndef CADASTRE_TESTS_MODEL_JUDGE_HPP
#define CADASTRE_TESTS_MODEL_JUDGE_HPP

#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <mutex>
#include <vector>

#include "cadastre.h"

namespace model {

using Id = std::uint32_t;  // the number of a step, from 1
constexpr std::size_t types = CADASTRE_MEMORY_TYPE_COUNT;
constexpr std::size_t most_operations = 32;

// Ends the process with exit_of_mismatch after it has written why, and which step it was.
constexpr int exit_of_mismatch = 42;
struct Outcome {
  std::uint64_t reached;      // the step under way
  std::uint64_t count;        // steps that are in the list
  std::uint64_t made;         // steps that were not left out since what they refer to was not there
  std::uint64_t reasons[96];  // calls of one thread that were refused for each reason, and that were not, for CADASTRE_REASON_NONE
  std::uint64_t succeeded[most_operations], refused[most_operations];
  char message[1200];
};
inline Outcome* outcome = nullptr;

[[noreturn, gnu::format(printf, 1, 2)]] inline void mismatch(const char* format, ...) {
  static std::mutex first;
  first.lock();  // and never unlock, so that no other thread writes
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(outcome->message, sizeof outcome->message, format, arguments);
  va_end(arguments);
  _exit(exit_of_mismatch);
}

#define EXPECT(holds, ...) ((holds) ? static_cast<void>(0) : ::model::mismatch(__VA_ARGS__))

inline cadastre_error_struct error_of(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  const cadastre_exit_code code = cadastre_last_error(context, &error);
  EXPECT(code == CADASTRE_SUCCESS, "cadastre_last_error gives %d", code);
  return error;
}

// Code and reason that a call may fail with.
struct Refusal {
  cadastre_exit_code code;
  cadastre_reason reason;
};
using Refusals = std::vector<Refusal>;

inline void add(Refusals& refusals, cadastre_exit_code code, std::initializer_list<cadastre_reason> reasons) {
  for (const cadastre_reason reason : reasons) refusals.push_back({code, reason});
}

// Whether the process's malloc gives memory at other multiples than it is asked for, as mimalloc 2.0 does; the library refuses such memory.
inline bool malloc_misaligns() {
  static const bool does = [] {
    bool any = false;
    std::vector<void*> taken;
    for (std::size_t alignment = 32; alignment <= 8192; alignment *= 2) {
      for (std::size_t size = alignment; size <= 8 * alignment; size += alignment) {
        for (int number = 0; number < 20; ++number) {
          void* memory = nullptr;
          if (posix_memalign(&memory, alignment, size) != 0) continue;
          any = any || reinterpret_cast<std::uintptr_t>(memory) % alignment != 0;
          taken.push_back(memory);
        }
      }
    }
    for (void* const memory : taken) std::free(memory);
    return any;
  }();
  return does;
}

inline thread_local std::size_t op_under_way = most_operations - 1;

inline void judge(const char* call, cadastre_context handle, cadastre_exit_code code, const Refusals& refusals) {
  ++(code == CADASTRE_SUCCESS ? outcome->succeeded : outcome->refused)[op_under_way];
  if (code == CADASTRE_SUCCESS) {
    ++outcome->reasons[CADASTRE_REASON_NONE];
    EXPECT(refusals.empty(), "%s succeeds; expected exit code %d for %s", call, refusals[0].code,
           cadastre_string_of_reason(refusals[0].reason));
    return;
  }
  const cadastre_error_struct error = error_of(handle);
  if (error.reason == CADASTRE_REASON_MISALIGNED_ALLOCATION && malloc_misaligns()) return void(++outcome->reasons[error.reason]);
  EXPECT(!refusals.empty(), "%s fails, which it should not: %d %s", call, code, error.message);
  ++outcome->reasons[error.reason];
  const bool expected =
      std::any_of(refusals.begin(), refusals.end(), [&](Refusal r) { return r.code == code && r.reason == error.reason; });
  EXPECT(expected, "%s gives %d for %s (%s); expected %d for %s%s", call, code, cadastre_string_of_reason(error.reason), error.message,
         refusals[0].code, cadastre_string_of_reason(refusals[0].reason), refusals.size() > 1 ? " or another" : "");
  EXPECT(error.exit_code == code && std::strncmp(call, error.function, std::strlen(error.function)) == 0,
         "%s gives %d, but the last error is %d of %s", call, code, error.exit_code, error.function);
}

// The code of a call that returns a pointer.
inline cadastre_exit_code code_of(cadastre_context handle, const void* pointer) {
  return pointer ? CADASTRE_SUCCESS : error_of(handle).exit_code;
}

}  // namespace model

#endif
