// Tangled from org/context/reclaim.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What nobody uses goes before a request is refused.
#ifndef CADASTRE_SRC_CONTEXT_RECLAIM_HPP
#define CADASTRE_SRC_CONTEXT_RECLAIM_HPP

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/accounting.hpp"
#include "base/error.hpp"
#include "context/lock.hpp"

namespace cadastre::internal {

// Reserves bytes below all limits, with effort.
std::optional<Refusal> reserve(Visit& visit, cadastre_memory_type type, std::size_t bytes) noexcept;

// Ways to memory that nobody uses, the nearest first. Each says whether there was any; inside before and after.
using Way = bool (*)(Visit&) noexcept;
extern const std::array<Way, 4> ways_to_memory;
// Goes all of them; the failure stays the last one.
bool give_up_everything(Visit& visit) noexcept;

// Goes these ways, one after the other, and asks again each time that there was some.
template <class Ask>
cadastre_exit_code with_all_there_is(Visit& visit, Ask ask) noexcept {
  cadastre_exit_code code = visit.outside(ask);
  for (const Way way : ways_to_memory) {
    if (code == CADASTRE_SUCCESS || failed_last().reason != CADASTRE_REASON_BACKEND_OUT_OF_MEMORY) return code;
    const Failure first = failed_last();
    code = way(visit) ? visit.outside(ask) : fail(first);
  }
  return code;
}

// What is asked for, as the caller's functions are told.
struct Wanted {
  cadastre_memory_type type;
  std::size_t size;
  const char* label;
  Order order;
};

// The rest of what is done for a request before it is refused.
class LastResort {
 public:
  LastResort(Visit& visit, const Wanted& wanted) noexcept : visit_(visit), wanted_(wanted) {}
  // Whether a code, and the failure stored last, say that memory is missing.
  static bool is_meant(cadastre_exit_code code) noexcept;
  // Waits for queues, or asks the caller's functions; whether the request is to be tried again. The failure stored last stays.
  bool helps() noexcept;
  // Adds to the failure stored last who has the memory.
  void tell_who_holds() noexcept;

 private:
  bool waits() noexcept;
  bool asks() noexcept;

  Visit& visit_;
  const Wanted& wanted_;
  std::optional<std::chrono::steady_clock::time_point> until_;  // of the wait, once it has begun
  bool has_waited_ = false;
  std::int64_t retries_ = 0;
};

// Makes a request until it succeeds, or nothing helps. Inside before and after, and in between others are.
template <class Attempt>
cadastre_exit_code with_last_resort(Visit& visit, const Wanted& wanted, Attempt attempt) {
  visit.in_flight = false;
  cadastre_exit_code code = attempt();
  if (code == CADASTRE_SUCCESS || !LastResort::is_meant(code)) [[likely]] return code;
  LastResort last_resort(visit, wanted);
  while (LastResort::is_meant(code) && last_resort.helps()) {
    visit.in_flight = false;
    code = attempt();
  }
  if (code != CADASTRE_SUCCESS && LastResort::is_meant(code)) last_resort.tell_who_holds();
  return code;
}

}  // namespace cadastre::internal
#endif
