// Tangled from org/base/fail.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Which calls fail because the user says so.
#ifndef CADASTRE_SRC_BASE_FAIL_HPP
#define CADASTRE_SRC_BASE_FAIL_HPP

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cadastre_vocabulary.h"

namespace cadastre::internal {

enum class Point : std::uint8_t { malloc, free, copy, create, internal, system };
inline constexpr std::size_t points = 6;

// What an allocation or a deallocation is about.
struct Asked {
  cadastre_memory_type type = -1;
  cadastre_backend backend = -1;
  std::size_t size = 0;
  const char* label = nullptr;
};

struct FailRule {
  static constexpr std::uint32_t always = 1'000'000;

  Point point{};
  std::string text;                            // VARIABLE=RULE
  std::uint64_t first = 1, last = UINT64_MAX;  // of the calls that meet the conditions
  std::uint32_t millionths = always;           // of those
  std::uint64_t seed = 0;
  cadastre_memory_type type = -1;  // -1: any
  std::size_t least = 0;
  std::optional<std::string> backend, label, rank;

  bool matches(const Asked& asked) const noexcept;
  // Whether the call with a number, of a process with a rank, fails.
  bool hits(std::uint64_t number, std::string_view rank) const noexcept;
};

// The rules of a value of the variable; none where it is malformed. Throws std::bad_alloc.
std::optional<std::vector<FailRule>> parse_fail_rules(std::string_view value);

// From now on calls fail as the rules say; once in a process. Throws std::bad_alloc.
void arm(const std::vector<FailRule>& rules);

struct ArmedRule;
extern std::atomic<ArmedRule*> armed[points];

// Whether any call of a kind may fail on demand.
inline bool is_armed(Point point) noexcept { return armed[static_cast<std::size_t>(point)].load(std::memory_order_acquire) != nullptr; }

const char* count_call(Point point, const Asked& asked) noexcept;

// Counts a call. The text of the rule by which it is to fail, which stays valid; null for none.
inline const char* fails(Point point, const Asked& asked = {}) noexcept {
  if (!is_armed(point)) [[likely]]
    return nullptr;
  return count_call(point, asked);
}

// Whether a system call is to fail instead of being made; then errno is set.
inline bool system_fails(int error) noexcept {
  if (!fails(Point::system)) [[likely]]
    return false;
  errno = error;
  return true;
}

// The rule by which the calling thread's last internal allocation or system call failed; null for none, and from then on.
const char* take_failed_inside() noexcept;

// What the rules have done so far, for a person; empty without rules. Stays valid.
const char* fail_effect() noexcept;

}  // namespace cadastre::internal
#endif
