// Tangled from org/tests/model_accounts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What contexts count in the models, and how it is compared with statistics.
#ifndef CADASTRE_TESTS_MODEL_ACCOUNTS_HPP
#define CADASTRE_TESTS_MODEL_ACCOUNTS_HPP

#include <algorithm>
#include <array>

#include "model_judge.hpp"

namespace model {

struct Account {
  std::int64_t allocations = 0, deallocations = 0, reallocations = 0, failed_allocations = 0, failed_deallocations = 0;
  std::int64_t live_blocks = 0, borrowed_blocks = 0, high_water_mark_blocks = 0;
  std::size_t live_bytes = 0, high_water_mark_bytes = 0, total_bytes = 0, zeroed_bytes = 0;
  std::size_t limit = CADASTRE_UNLIMITED;
  bool is_exact = true;  // the high-water marks
};

// A context, or the process.
struct Counted {
  Id id = 0;
  cadastre_context handle = CADASTRE_NULL_CONTEXT;
  Counted* parent = nullptr;  // none of the process
  int children = 0;
  std::array<Account, types> accounts{};
};

template <class Change>
inline void count(Counted& node, cadastre_memory_type type, Change change) {
  for (Counted* at = &node; at; at = at->parent) {
    Account& account = at->accounts[static_cast<std::size_t>(type)];
    change(account);
    account.high_water_mark_bytes = std::max(account.high_water_mark_bytes, account.live_bytes);
    account.high_water_mark_blocks = std::max(account.high_water_mark_blocks, account.live_blocks);
  }
}

inline void count_allocation(Counted& node, cadastre_memory_type type, std::size_t size, cadastre_flags flags) {
  count(node, type, [=](Account& a) {
    ++a.allocations, ++a.live_blocks;
    a.live_bytes += size, a.total_bytes += size;
    if (!(flags & CADASTRE_UNINITIALIZED)) a.zeroed_bytes += size;
  });
}

inline void count_resize(Counted& node, cadastre_memory_type type, std::size_t from, std::size_t to, cadastre_flags flags) {
  const std::size_t more = to > from ? to - from : 0;
  count(node, type, [=](Account& a) {
    ++a.reallocations;
    a.live_bytes = a.live_bytes - from + to;
    a.total_bytes += more;
    if (!(flags & CADASTRE_UNINITIALIZED)) a.zeroed_bytes += more;
  });
}

inline void count_free(Counted& node, cadastre_memory_type type, std::size_t size, bool failed) {
  count(node, type, [=](Account& a) { ++(failed ? a.failed_deallocations : a.deallocations), --a.live_blocks, a.live_bytes -= size; });
}

inline void count_failure(Counted& node, cadastre_memory_type type) {
  if (type >= 0 && static_cast<std::size_t>(type) < types) count(node, type, [](Account& a) { ++a.failed_allocations; });
}

inline std::size_t allowed(const Account& account) { return account.limit == CADASTRE_LIMIT_NOTHING ? 0 : account.limit; }

inline bool exceeds(const Counted& node, cadastre_memory_type type, std::size_t more) {
  const Account& account = node.accounts[static_cast<std::size_t>(type)];
  if (account.limit == CADASTRE_UNLIMITED || more == 0) return false;
  return account.live_bytes > allowed(account) || more > allowed(account) - account.live_bytes;
}

inline bool exceeds_any(const Counted& node, cadastre_memory_type type, std::size_t more) {
  for (const Counted* at = &node; at; at = at->parent) {
    if (exceeds(*at, type, more)) return true;
  }
  return false;
}

inline void compare(const char* of, Id id, cadastre_memory_type type, const cadastre_statistics_struct& s, const Account& a, bool marks) {
  const auto same = [&](const char* field, auto is, auto should) {
    EXPECT(static_cast<std::int64_t>(is) == static_cast<std::int64_t>(should), "%s c%u, %s: %s is %lld, expected %lld", of, id,
           cadastre_string_of_memory_type(type), field, static_cast<long long>(is), static_cast<long long>(should));
  };
  same("allocations", s.allocations, a.allocations);
  same("deallocations", s.deallocations, a.deallocations);
  same("reallocations", s.reallocations, a.reallocations);
  same("failed_allocations", s.failed_allocations, a.failed_allocations);
  same("failed_deallocations", s.failed_deallocations, a.failed_deallocations);
  same("untracked_deallocations", s.untracked_deallocations, 0);
  same("live_blocks", s.live_blocks, a.live_blocks);
  same("borrowed_blocks", s.borrowed_blocks, a.borrowed_blocks);
  same("live_bytes", s.live_bytes, a.live_bytes);
  same("total_bytes", s.total_bytes, a.total_bytes);
  same("zeroed_bytes", s.zeroed_bytes, a.zeroed_bytes);
  same("limit", s.limit, a.limit);
  if (marks && a.is_exact) {
    same("high_water_mark_bytes", s.high_water_mark_bytes, a.high_water_mark_bytes);
    same("high_water_mark_blocks", s.high_water_mark_blocks, a.high_water_mark_blocks);
    return;
  }
  constexpr std::size_t slack = 64 << 10;
  EXPECT(s.high_water_mark_bytes >= (marks ? a.high_water_mark_bytes : a.live_bytes) &&
             (!marks || s.high_water_mark_bytes <= a.high_water_mark_bytes + slack),
         "%s c%u, %s: high_water_mark_bytes is %zu, expected %zu and at most %zu more", of, id, cadastre_string_of_memory_type(type),
         s.high_water_mark_bytes, a.high_water_mark_bytes, slack);
}

inline cadastre_statistics_struct statistics_of(cadastre_context handle, cadastre_memory_type type) {
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  const cadastre_exit_code code = cadastre_get_statistics(handle, type, &s);
  EXPECT(code == CADASTRE_SUCCESS, "cadastre_get_statistics gives %d", code);
  return s;
}

}  // namespace model

#endif
