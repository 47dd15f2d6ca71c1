// Tangled from org/context/reclaim.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What nobody uses goes before a request is refused.
#ifndef CADASTRE_SRC_CONTEXT_RECLAIM_HPP
#define CADASTRE_SRC_CONTEXT_RECLAIM_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/accounting.hpp"
#include "base/error.hpp"
#include "context/lock.hpp"

namespace cadastre::internal {

// Reserves bytes below all limits, with effort.
std::optional<Refusal> reserve(ContextLock& lock, cadastre_memory_type type, std::size_t bytes) noexcept;

// Gives up all that nobody uses; whether there was any. Inside before and after; the failure stays the last one.
bool give_up_everything(ContextLock& lock) noexcept;

// What is asked for, as the caller's functions are told.
struct Wanted {
  cadastre_memory_type type;
  std::size_t size;
  const char* label;
  Order order;
};

// What is done where memory is missing: what nobody uses is given up; or queues are waited for, and the caller's functions are asked; or both.
enum class Effort { give_up, wait_and_ask, all };

// What is done for a request before it is refused, a step each time that it has failed:
//   do code = ...; while (code != CADASTRE_SUCCESS && reclaim.helps(code));
class Reclaim {
 public:
  Reclaim(ContextLock& lock, const Wanted& wanted, Effort effort) noexcept : lock_(lock), wanted_(wanted), effort_(effort) {
    if (effort != Effort::give_up) lock.in_flight = false;
  }
  // Whether the request is to be made again, which has failed with a code, and with the failure that was stored last. Inside before and after, and in
  // between others are. The failure stays; when nothing helps any more, it says who has the memory.
  bool helps(cadastre_exit_code code) noexcept;

 private:
  bool gives_up(cadastre_exit_code code) noexcept;
  bool waits() noexcept;
  bool asks() noexcept;
  void tell_who_holds() noexcept;

  ContextLock& lock_;
  const Wanted wanted_;
  const Effort effort_;
  std::size_t next_way_ = 0;
  bool gave_up_everything_ = false;
  std::optional<std::chrono::steady_clock::time_point> until_;  // of the wait, once it has begun
  bool has_waited_ = false;
  std::int64_t retries_ = 0;
};

}  // namespace cadastre::internal
#endif
