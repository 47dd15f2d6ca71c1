// Tangled from org/reclaim.org; change the chapter, then run: make tangle
// What nobody uses goes before a request is refused.
#ifndef CADASTRE_SRC_RECLAIM_HPP
#define CADASTRE_SRC_RECLAIM_HPP

#include <array>
#include <cstddef>
#include <optional>

#include "accounting.hpp"
#include "context_lock.hpp"
#include "error.hpp"

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

}  // namespace cadastre::internal
#endif
