// Tangled from org/tests/workspace_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the claims on workspaces share.
#ifndef CADASTRE_TESTS_WORKSPACE_CLAIMS_HPP
#define CADASTRE_TESTS_WORKSPACE_CLAIMS_HPP

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "two_vendors.hpp"

namespace cadastre::internal {

struct Subject {
  const char* name;
  cadastre_backend backend;
  cadastre_memory_type type;
};

inline const Subject& subject_of(void** state) { return *static_cast<const Subject*>(*state); }
inline cadastre_memory_type type_of(void** state) { return subject_of(state).type; }

inline cadastre_context context_of(void** state) {
  const Presence presence = presence_of(subject_of(state).backend);
  if (!presence.usable) skip_because(presence.problem);
  return context_on(*find_backend(subject_of(state).backend));
}

struct Loan {
  cadastre_exit_code code = CADASTRE_SUCCESS;
  cadastre_lease lease = -7;
  std::vector<void*> at;
  void* operator[](std::size_t i) const { return at[i]; }
};

// What an acquisition that fails must not write to is marked.
inline Loan try_acquire(cadastre_context context, cadastre_memory_type type, const std::vector<std::size_t>& sizes,
                        cadastre_queue queue = CADASTRE_DEFAULT_QUEUE) {
  static char mark;
  Loan loan;
  loan.at.assign(sizes.size(), &mark);
  loan.code = cadastre_workspace_acquire_on_queue(context, type, queue, sizes.size(), sizes.data(), loan.at.data(), &loan.lease);
  if (loan.code == CADASTRE_SUCCESS) return loan;
  if (loan.lease != -7) loan.code = CADASTRE_FAILURE;
  for (const void* const pointer : loan.at) {
    if (pointer != &mark) loan.code = CADASTRE_FAILURE;
  }
  return loan;
}

inline Loan acquire(cadastre_context context, cadastre_memory_type type, const std::vector<std::size_t>& sizes,
                    cadastre_queue queue = CADASTRE_DEFAULT_QUEUE) {
  Loan loan = try_acquire(context, type, sizes, queue);
  if (loan.code != CADASTRE_SUCCESS) print_error("%s\n", last(context).message);
  assert_int_equal(loan.code, CADASTRE_SUCCESS);
  assert_true(loan.lease > 0);
  return loan;
}

inline void give_back(cadastre_context context, const Loan& loan) {
  assert_int_equal(cadastre_workspace_release(context, loan.lease), CADASTRE_SUCCESS);
}

inline cadastre_workspace_info_struct info_of(cadastre_context context, cadastre_memory_type type) {
  cadastre_workspace_info_struct info = cadastre_workspace_info_struct_zero;
  assert_int_equal(cadastre_workspace_get_info(context, type, &info), CADASTRE_SUCCESS);
  return info;
}

inline cadastre_statistics_struct statistics_of(cadastre_context context, cadastre_memory_type type) {
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, type, &statistics), CADASTRE_SUCCESS);
  return statistics;
}

inline void write(cadastre_context context, void* pointer, std::size_t size, unsigned seed) {
  assert_int_equal(cadastre_memcpy(context, pointer, pattern(size, seed).data(), size), CADASTRE_SUCCESS);
}

inline bool holds(cadastre_context context, const void* pointer, std::size_t size, unsigned seed) {
  Bytes found(size);
  return cadastre_memcpy(context, found.data(), pointer, size) == CADASTRE_SUCCESS && found == pattern(size, seed);
}

inline std::size_t rounded(std::size_t size, const cadastre_workspace_info_struct& info) {
  return (size + info.granularity - 1) / info.granularity * info.granularity;
}

struct Books {
  cadastre_workspace_info_struct info = cadastre_workspace_info_struct_zero;
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
};

inline Books books_of(cadastre_context context, cadastre_memory_type type) {
  return {info_of(context, type), statistics_of(context, type)};
}

inline void assert_unchanged(cadastre_context context, cadastre_memory_type type, const Books& before) {
  Books now = books_of(context, type);
  assert_int_equal(now.info.scheme, before.info.scheme);
  assert_int_equal(now.info.workspace_count, before.info.workspace_count);
  assert_int_equal(now.info.reserved_bytes, before.info.reserved_bytes);
  assert_int_equal(now.info.used_bytes, before.info.used_bytes);
  assert_int_equal(now.info.high_water_mark_bytes, before.info.high_water_mark_bytes);
  assert_int_equal(now.info.live_leases, before.info.live_leases);
  assert_int_equal(now.info.acquisitions, before.info.acquisitions);
  assert_int_equal(now.info.growths, before.info.growths);
  assert_int_equal(now.info.waits, before.info.waits);
  assert_true(now.info.failed_acquisitions >= before.info.failed_acquisitions);
  now.statistics.failed_allocations = before.statistics.failed_allocations;
  assert_memory_equal(&now.statistics, &before.statistics, sizeof now.statistics);
  bool entered = false;
  std::thread([&] { entered = cadastre_lock(context) == CADASTRE_SUCCESS && cadastre_unlock(context) == CADASTRE_SUCCESS; }).join();
  assert_true(entered);
}

// A block of the context, on a multiple of what leases are rounded to.
inline unsigned char* aligned_block(cadastre_context context, cadastre_memory_type type, std::size_t size) {
  cadastre_memory_info_struct info = request(type, size);
  info.alignment = info_of(context, type).granularity;
  return block(context, info);
}

inline std::int64_t allocations(cadastre_context context) {
  return statistics_of(context, info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).type).allocations;
}

// A function as rocBLAS's document has it.
inline cadastre_exit_code solve(cadastre_context context, std::size_t optimal, std::size_t degraded) {
  if (cadastre_workspace_is_size_query(context)) return cadastre_workspace_set_optimal_size(context, 1, &optimal);
  void* memory = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &optimal, &memory, &lease) != CADASTRE_SUCCESS) {
    code = cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &degraded, &memory, &lease);
    if (code != CADASTRE_SUCCESS) return code;
    code = CADASTRE_PERFORMANCE_DEGRADED;
  }
  const std::size_t used = code == CADASTRE_SUCCESS ? optimal : degraded;
  if (cadastre_memset(context, memory, 1, used) != CADASTRE_SUCCESS) code = CADASTRE_FAILURE;
  const cadastre_exit_code given_back = cadastre_workspace_release(context, lease);
  return given_back == CADASTRE_SUCCESS ? code : given_back;
}

inline cadastre_exit_code needs_nothing(cadastre_context context, int* worked) {
  CADASTRE_RETURN_IF_SIZE_QUERY(context);
  ++*worked;
  return CADASTRE_SUCCESS;
}

struct Claims {
  std::vector<CMUnitTest> once = {}, of_every_type = {}, of_natural_types = {};
};
Claims scheme_claims();
Claims buffer_claims();
Claims lease_claims();
Claims registry_claims();
Claims thread_claims();
Claims moment_claims();
Claims rocblas_claims();
Claims rocblas_managed_claims();

inline thread_local long host_allocations_until_failure = 0;  // 0: none fails

}  // namespace cadastre::internal
#endif
