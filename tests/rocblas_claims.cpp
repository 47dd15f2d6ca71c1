// Tangled from org/tests/rocblas_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cadastre.hpp"
#include "workspace_claims.hpp"

namespace cadastre::internal {
namespace {

// device_malloc: memory of the handle's device, on its stream. The object is false where that cannot be had.
template <class... Size>
auto device_malloc(cadastre_context handle, Size... sizes) {
  return context_view(handle).acquire_on_queue(std::nothrow, CADASTRE_DEFAULT_WORKSPACE_TYPE, CADASTRE_DEFAULT_QUEUE, sizes...);
}

cadastre_exit_code use_one(cadastre_context handle, std::size_t n, const void** where = nullptr) {
  if (cadastre_workspace_is_size_query(handle)) return context_view(handle).workspace_set_optimal_size(n * sizeof(float));
  const auto memory = device_malloc(handle, n * sizeof(float));
  if (!memory) return memory.exit_code();
  float* const numbers = memory;
  if (where) *where = numbers;
  return cadastre_memset(handle, numbers, 1, n * sizeof(float));
}

cadastre_exit_code use_two(cadastre_context handle, std::size_t m, std::size_t n, std::size_t k, const void** where = nullptr) {
  const std::size_t size1 = m * n, size2 = m * k;
  if (cadastre_workspace_is_size_query(handle)) return context_view(handle).workspace_set_optimal_size(size1, size2);
  const auto memory = device_malloc(handle, size1, size2);
  if (!memory) return memory.exit_code();
  void *buffer1 = nullptr, *buffer2 = nullptr;
  std::tie(buffer1, buffer2) = memory;
  if (where) *where = buffer1;
  write(handle, buffer1, size1, 1);
  write(handle, buffer2, size2, 2);
  return holds(handle, buffer1, size1, 1) && holds(handle, buffer2, size2, 2) ? CADASTRE_SUCCESS : CADASTRE_FAILURE;
}

cadastre_exit_code use_what_there_is(cadastre_context handle, std::size_t optimal, std::size_t degraded) {
  const auto memory_optimal = device_malloc(handle, optimal);
  if (memory_optimal) return cadastre_memset(handle, memory_optimal, 1, optimal);
  const auto memory_degraded = device_malloc(handle, degraded);
  if (!memory_degraded) return memory_degraded.exit_code();
  const cadastre_exit_code code = cadastre_memset(handle, memory_degraded, 1, degraded);
  return code == CADASTRE_SUCCESS ? CADASTRE_PERFORMANCE_DEGRADED : code;
}

cadastre_exit_code set_size(cadastre_context handle, std::size_t bytes) {
  return cadastre_workspace_set_size(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE, bytes);
}

cadastre_workspace_info_struct workspace_of(cadastre_context handle) { return info_of(handle, CADASTRE_DEFAULT_WORKSPACE_TYPE); }

cadastre_statistics_struct memory_of(cadastre_context handle) { return statistics_of(handle, workspace_of(handle).type); }

// Tells a claim of each scheme, in which the handle has at least so many bytes.
template <class Claim>
void in_each_scheme(cadastre_context handle, std::size_t bytes, Claim claim) {
  assert_int_equal(set_size(handle, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  claim();
  assert_int_equal(set_size(handle, bytes), CADASTRE_SUCCESS);
  claim();
  const cadastre_memory_type type = workspace_of(handle).type;
  unsigned char* const own = aligned_block(handle, type, rounded(bytes, workspace_of(handle)));
  assert_int_equal(cadastre_workspace_set_buffer(handle, type, own, rounded(bytes, workspace_of(handle))), CADASTRE_SUCCESS);
  claim();
  assert_int_equal(cadastre_workspace_set_buffer(handle, type, nullptr, 0), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(handle, own), CADASTRE_SUCCESS);
}

void rocblas_to_6_default_memory_is_allocated_automatically_and_recycled(void** state) {
  const cadastre_context handle = context_of(state);
  assert_int_equal(solve(handle, 1000, 10), CADASTRE_SUCCESS);
  assert_int_equal(solve(handle, 500, 10), CADASTRE_SUCCESS);
  assert_int_equal(solve(handle, 1000, 10), CADASTRE_SUCCESS);
  assert_int_equal(allocations(handle), 1);
  assert_int_equal(solve(handle, 9000, 10), CADASTRE_SUCCESS);
  assert_int_equal(allocations(handle), 2);
  assert_int_equal(solve(handle, 1000, 10), CADASTRE_SUCCESS);
  assert_int_equal(allocations(handle), 2);
  destroy(handle);
}

void rocblas_to_6_preallocate_all_functions_are_asked_and_nothing_is_allocated_afterwards(void** state) {
  const cadastre_context handle = context_of(state);
  int worked = 0;
  std::size_t bytes = 0;
  assert_int_equal(cadastre_workspace_start_size_query(handle), CADASTRE_SUCCESS);
  assert_int_equal(solve(handle, 1000, 10), CADASTRE_SIZE_INCREASED);
  assert_int_equal(use_two(handle, 31, 17, 5), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(solve(handle, 9000, 10), CADASTRE_SIZE_INCREASED);
  assert_int_equal(solve(handle, 500, 10), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(needs_nothing(handle, &worked), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(allocations(handle), 0);
  assert_int_equal(set_size(handle, bytes), CADASTRE_SUCCESS);
  for (int round = 0; round < 3; ++round) {
    assert_int_equal(solve(handle, 1000, 10), CADASTRE_SUCCESS);
    assert_int_equal(use_two(handle, 31, 17, 5), CADASTRE_SUCCESS);
    assert_int_equal(solve(handle, 9000, 10), CADASTRE_SUCCESS);
    assert_int_equal(needs_nothing(handle, &worked), CADASTRE_SUCCESS);
  }
  assert_int_equal(allocations(handle), 1);
  assert_int_equal(workspace_of(handle).growths, 0);
  destroy(handle);
}

void rocblas_to_6_manual_the_user_allocates_before_and_frees_after(void** state) {
  const cadastre_context handle = context_of(state);
  for (int round = 0; round < 3; ++round) {
    std::size_t bytes = 0;
    assert_int_equal(cadastre_workspace_start_size_query(handle), CADASTRE_SUCCESS);
    assert_int_equal(solve(handle, 9000, 10), CADASTRE_SIZE_INCREASED);
    assert_int_equal(cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SUCCESS);
    assert_int_equal(set_size(handle, bytes), CADASTRE_SUCCESS);
    assert_int_equal(allocations(handle), round + 1);
    assert_int_equal(solve(handle, 9000, 10), CADASTRE_SUCCESS);
    assert_int_equal(solve(handle, 9000, 10), CADASTRE_SUCCESS);
    assert_int_equal(memory_of(handle).live_blocks, 1);
    assert_int_equal(set_size(handle, 0), CADASTRE_SUCCESS);
    assert_int_equal(memory_of(handle).live_blocks, 0);
    assert_int_equal(allocations(handle), round + 1);
  }
  destroy(handle);
}

void rocblas_to_6_user_owned_memory_is_used_and_is_the_users_again(void** state) {
  const cadastre_context handle = context_of(state);
  const cadastre_memory_type type = workspace_of(handle).type;
  std::size_t bytes = 0;
  assert_int_equal(cadastre_workspace_start_size_query(handle), CADASTRE_SUCCESS);
  assert_int_equal(use_one(handle, 1001), CADASTRE_SIZE_INCREASED);
  assert_int_equal(use_two(handle, 31, 170, 5), CADASTRE_SIZE_INCREASED);
  assert_int_equal(cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SUCCESS);
  unsigned char* const own = aligned_block(handle, type, bytes);
  assert_int_equal(cadastre_workspace_set_buffer(handle, type, own, bytes), CADASTRE_SUCCESS);
  for (int round = 0; round < 2; ++round) {
    const void *first = nullptr, *second = nullptr;
    assert_int_equal(use_one(handle, 1001, &first), CADASTRE_SUCCESS);
    assert_int_equal(use_two(handle, 31, 170, 5, &second), CADASTRE_SUCCESS);
    assert_true(first == own && second == own);
  }
  assert_int_equal(allocations(handle), 1);
  assert_int_equal(cadastre_workspace_set_buffer(handle, type, nullptr, 0), CADASTRE_SUCCESS);
  write(handle, own, bytes, 3);
  assert_int_equal(use_one(handle, 1001), CADASTRE_SUCCESS);
  assert_true(holds(handle, own, bytes, 3));
  assert_int_equal(cadastre_free(handle, own), CADASTRE_SUCCESS);
  destroy(handle);
}

void rocblas_to_6_all_schemes_keep_memory_in_the_handle_for_its_next_function(void** state) {
  const cadastre_context handle = context_of(state), other = context_of(state);
  in_each_scheme(handle, 5000, [&] {
    const void *first = nullptr, *second = nullptr, *theirs = nullptr;
    assert_int_equal(use_one(handle, 1000, &first), CADASTRE_SUCCESS);
    const std::size_t kept = workspace_of(handle).reserved_bytes;
    assert_true(kept >= 4000 && workspace_of(handle).used_bytes == 0);
    assert_int_equal(use_two(handle, 40, 50, 20, &second), CADASTRE_SUCCESS);
    assert_ptr_equal(second, first);
    assert_int_equal(use_one(other, 1000, &theirs), CADASTRE_SUCCESS);
    assert_ptr_not_equal(theirs, first);
    assert_int_equal(workspace_of(handle).reserved_bytes, kept);
  });
  assert_int_equal(workspace_of(other).growths, 1);
  destroy(other);
  destroy(handle);
}

void rocblas_to_6_all_schemes_the_handle_reports_its_size_and_who_manages_it(void** state) {
  const cadastre_context handle = context_of(state);
  const auto is = [&](cadastre_workspace_scheme scheme, std::size_t bytes) {
    return workspace_of(handle).scheme == scheme && workspace_of(handle).reserved_bytes == rounded(bytes, workspace_of(handle));
  };
  assert_true(is(CADASTRE_WORKSPACE_SCHEME_AUTOMATIC, 0));
  assert_int_equal(use_one(handle, 1000), CADASTRE_SUCCESS);
  assert_true(is(CADASTRE_WORKSPACE_SCHEME_AUTOMATIC, 4000));
  assert_int_equal(set_size(handle, 5001), CADASTRE_SUCCESS);
  assert_true(is(CADASTRE_WORKSPACE_SCHEME_PREALLOCATED, 5001));
  assert_int_equal(set_size(handle, 0), CADASTRE_SUCCESS);
  assert_true(is(CADASTRE_WORKSPACE_SCHEME_AUTOMATIC, 0));
  const cadastre_memory_type type = workspace_of(handle).type;
  unsigned char* const own = aligned_block(handle, type, 8192);
  assert_int_equal(cadastre_workspace_set_buffer(handle, type, own, 8192), CADASTRE_SUCCESS);
  assert_true(is(CADASTRE_WORKSPACE_SCHEME_USER_OWNED, 8192));
  destroy(handle);
}

void rocblas_to_6_explicit_sizes_are_limits_and_a_slower_algorithm_is_used(void** state) {
  const cadastre_context handle = context_of(state);
  const cadastre_memory_type type = workspace_of(handle).type;
  unsigned char* const own = aligned_block(handle, type, 2048);
  for (const bool owned : {false, true}) {
    assert_int_equal(owned ? cadastre_workspace_set_buffer(handle, type, own, 2048) : set_size(handle, 2048), CADASTRE_SUCCESS);
    const std::int64_t before = allocations(handle);
    for (int round = 0; round < 2; ++round) {
      assert_int_equal(use_what_there_is(handle, 2000, 100), CADASTRE_SUCCESS);
      assert_int_equal(use_what_there_is(handle, 9000, 1500), CADASTRE_PERFORMANCE_DEGRADED);
      assert_int_equal(use_what_there_is(handle, 9000, 5000), CADASTRE_LIMIT_EXCEEDED);
      assert_int_equal(solve(handle, 9000, 1500), CADASTRE_PERFORMANCE_DEGRADED);
      assert_int_equal(solve(handle, 9000, 5000), CADASTRE_LIMIT_EXCEEDED);
    }
    assert_int_equal(allocations(handle), before);
    assert_int_equal(workspace_of(handle).reserved_bytes, 2048);
    assert_int_equal(workspace_of(handle).growths, 0);
  }
  destroy(handle);
}

void rocblas_to_6_queries_are_of_one_handle_and_thread(void** state) {
  const cadastre_context handle = context_of(state), other = context_of(state);
  int elsewhere = -1;
  cadastre_exit_code theirs = CADASTRE_FAILURE;
  std::size_t bytes = 0;
  assert_int_equal(cadastre_workspace_is_size_query(handle), 0);
  assert_int_equal(cadastre_workspace_start_size_query(handle), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_is_size_query(handle), 1);
  assert_int_equal(cadastre_workspace_is_size_query(other), 0);
  std::thread([&] {
    elsewhere = cadastre_workspace_is_size_query(handle);
    theirs = solve(handle, 1000, 10);
  }).join();
  assert_int_equal(elsewhere, 0);
  assert_int_equal(theirs, CADASTRE_SUCCESS);
  assert_int_equal(solve(other, 1000, 10), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_start_size_query(handle), CADASTRE_SIZE_QUERY_MISMATCH);
  assert_int_equal(cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, 0);
  assert_int_equal(cadastre_workspace_is_size_query(handle), 0);
  assert_int_equal(cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SIZE_QUERY_MISMATCH);
  destroy(other);
  destroy(handle);
}

void rocblas_to_6_queries_collect_and_do_no_work(void** state) {
  const cadastre_context handle = context_of(state);
  std::size_t bytes = 0;
  assert_int_equal(cadastre_workspace_start_size_query(handle), CADASTRE_SUCCESS);
  assert_int_equal(solve(handle, 1001, 10), CADASTRE_SIZE_INCREASED);
  assert_int_equal(solve(handle, 1001, 10), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, rounded(1001, workspace_of(handle)));
  assert_int_equal(bytes % 64, 0);
  assert_int_equal(workspace_of(handle).acquisitions, 0);
  assert_int_equal(allocations(handle), 0);
  destroy(handle);
}

void rocblas_to_6_queries_round_each_size_and_keep_the_maximum(void** state) {
  const cadastre_context handle = context_of(state);
  const context_view view(handle);
  const cadastre_workspace_info_struct info = workspace_of(handle);
  const std::size_t sum = rounded(1, info) + rounded(65, info) + rounded(1025, info);
  std::size_t bytes = 0;
  assert_int_equal(cadastre_workspace_start_size_query(handle), CADASTRE_SUCCESS);
  assert_int_equal(view.workspace_set_optimal_size(1, 65, 1025), CADASTRE_SIZE_INCREASED);
  assert_int_equal(view.workspace_set_optimal_size(sum), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(use_two(handle, 10, 10, 10), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(view.workspace_set_optimal_size(sum + 1, 0), CADASTRE_SIZE_INCREASED);
  assert_int_equal(view.workspace_set_optimal_size(sum, 1), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, sum + info.granularity);
  assert_int_equal(info.granularity % 64, 0);
  destroy(handle);
}

void rocblas_to_6_queries_are_what_sizes_are_reported_in(void** state) {
  const cadastre_context handle = context_of(state);
  std::size_t bytes = 1;
  assert_refused(handle, context_view(handle).workspace_set_optimal_size(5000), CADASTRE_SIZE_QUERY_MISMATCH,
                 CADASTRE_REASON_SIZE_QUERY_INACTIVE);
  assert_int_equal(cadastre_workspace_start_size_query(handle), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, 0);
  destroy(handle);
}

void rocblas_to_6_queries_of_functions_without_memory_take_one_line(void** state) {
  const cadastre_context handle = context_of(state);
  int worked = 0;
  std::size_t bytes = 0;
  assert_int_equal(needs_nothing(handle, &worked), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_start_size_query(handle), CADASTRE_SUCCESS);
  assert_int_equal(needs_nothing(handle, &worked), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(solve(handle, 1000, 10), CADASTRE_SIZE_INCREASED);
  assert_int_equal(needs_nothing(handle, &worked), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(cadastre_workspace_stop_size_query(handle, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, rounded(1000, workspace_of(handle)));
  assert_int_equal(worked, 1);
  destroy(handle);
}

void rocblas_to_6_functions_refuse_a_handle_that_is_none(void** state) {
  const cadastre_context gone = context_of(state);
  destroy(gone);
  for (const cadastre_context none : {CADASTRE_NULL_CONTEXT, gone}) {
    assert_int_equal(use_one(none, 1000), CADASTRE_INVALID_CONTEXT);
    assert_int_equal(use_two(none, 10, 10, 10), CADASTRE_INVALID_CONTEXT);
    assert_int_equal(use_what_there_is(none, 1000, 10), CADASTRE_INVALID_CONTEXT);
    assert_int_equal(cadastre_workspace_is_size_query(none), 0);
    assert_int_equal(context_view(none).workspace_set_optimal_size(1000), CADASTRE_INVALID_CONTEXT);
  }
}

void rocblas_to_6_objects_of_one_size_are_pointers_and_of_several_are_tied(void** state) {
  const cadastre_context handle = context_of(state);
  {
    const auto one = device_malloc(handle, 1000);
    void* const plain = one;
    float* const numbers = one;
    const int* const indices = one;
    assert_true(plain && plain == numbers && plain == indices);
    const auto several = device_malloc(handle, 527, 155, 0);
    void *buffer1 = nullptr, *buffer2 = nullptr, *none = &none;
    std::tie(buffer1, buffer2, none) = several;
    assert_ptr_equal(buffer2, static_cast<std::byte*>(buffer1) + rounded(527, workspace_of(handle)));
    assert_null(none);
    const auto& [first, second, third] = several;
    assert_true(first == buffer1 && second == buffer2 && !third);
    static_assert(!std::is_convertible_v<decltype(several), void*>);
    write(handle, plain, 1000, 1);
    write(handle, buffer1, 527, 2);
    write(handle, buffer2, 155, 3);
    assert_true(holds(handle, plain, 1000, 1) && holds(handle, buffer1, 527, 2) && holds(handle, buffer2, 155, 3));
  }
  destroy(handle);
}

void rocblas_to_6_objects_end_and_the_memory_is_the_handles(void** state) {
  const cadastre_context handle = context_of(state);
  const auto is_lent = [&](std::int64_t leases) {
    return workspace_of(handle).live_leases == leases && (workspace_of(handle).used_bytes > 0) == (leases > 0);
  };
  in_each_scheme(handle, 4096, [&] {
    {
      const auto memory = device_malloc(handle, 1000);
      assert_true(memory && is_lent(1));
    }
    assert_true(is_lent(0));
    const auto fails_half_way = [&] {
      const auto memory = device_malloc(handle, 1000, 1000);
      if (!is_lent(1)) return CADASTRE_SUCCESS;
      return CADASTRE_FAILURE;
    };
    assert_int_equal(fails_half_way(), CADASTRE_FAILURE);
    assert_true(is_lent(0));
    int thrown = 0;
    try {
      const auto memory = device_malloc(handle, 1000);
      throw 7;
    } catch (int number) {
      thrown = number;
    }
    assert_int_equal(thrown, 7);
    assert_true(is_lent(0));
    assert_true(workspace_of(handle).reserved_bytes > 0);
  });
  destroy(handle);
}

void rocblas_to_6_objects_without_memory_are_false_and_null(void** state) {
  const cadastre_context handle = context_of(state);
  assert_int_equal(set_size(handle, 1024), CADASTRE_SUCCESS);
  const auto one = device_malloc(handle, 2000);
  assert_true(!one);
  assert_null(one.pointer());
  assert_int_equal(one.exit_code(), CADASTRE_LIMIT_EXCEEDED);
  const auto two = device_malloc(handle, 1000, 2000);
  void *buffer1 = &buffer1, *buffer2 = &buffer2;
  std::tie(buffer1, buffer2) = two;
  assert_true(!two && !buffer1 && !buffer2);
  assert_int_equal(use_one(handle, 1000), CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(use_two(handle, 100, 10, 10), CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(workspace_of(handle).live_leases, 0);
  assert_int_equal(allocations(handle), 1);
  assert_int_equal(use_one(handle, 256), CADASTRE_SUCCESS);
  destroy(handle);
}

void rocblas_to_6_objects_may_be_several_and_end_in_any_order(void** state) {
  const cadastre_context handle = context_of(state);
  in_each_scheme(handle, 4096, [&] {
    auto first = device_malloc(handle, 1000), second = device_malloc(handle, 1000), third = device_malloc(handle, 1000);
    assert_true(first && second && third);
    write(handle, first, 1000, 1);
    write(handle, second, 1000, 2);
    write(handle, third, 1000, 3);
    assert_int_equal(first.reset(), CADASTRE_SUCCESS);
    assert_int_equal(third.reset(), CADASTRE_SUCCESS);
    assert_true(holds(handle, second, 1000, 2));
    const auto fourth = device_malloc(handle, 1000);
    write(handle, fourth, 1000, 4);
    assert_true(holds(handle, second, 1000, 2));
    assert_int_equal(second.reset(), CADASTRE_SUCCESS);
    assert_true(holds(handle, fourth, 1000, 4));
    assert_int_equal(workspace_of(handle).live_leases, 1);
  });
  assert_int_equal(workspace_of(handle).live_leases, 0);
  destroy(handle);
}

int size_in_the_environment(const Subject& subject, const char* value, std::size_t bytes, cadastre_workspace_scheme scheme) {
  char program[4096] = "";  // read, since valgrind answers that, and does not run what the link leads to
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return -1;
  setenv("CADASTRE_WORKSPACE_SIZE", value, 1);
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    execl(program, program, subject.name, std::to_string(bytes).c_str(), std::to_string(scheme).c_str(), nullptr);
    _exit(99);
  }
  unsetenv("CADASTRE_WORKSPACE_SIZE");
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void rocblas_to_6_preallocate_the_environment_says_the_size(void** state) {
  destroy(context_of(state));
  const Subject& subject = subject_of(state);
  const auto says = [&](const char* value, std::size_t bytes, cadastre_workspace_scheme scheme) {
    assert_int_equal(size_in_the_environment(subject, value, bytes, scheme), 0);
  };
  says("1000", 1000, CADASTRE_WORKSPACE_SCHEME_PREALLOCATED);
  says("3K", 3072, CADASTRE_WORKSPACE_SCHEME_PREALLOCATED);
  says("2M", std::size_t{2} << 20, CADASTRE_WORKSPACE_SCHEME_PREALLOCATED);
  says("0", 0, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  says("per-lease", 0, CADASTRE_WORKSPACE_SCHEME_PER_LEASE);
  says("automatic", 0, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  says("stream-ordered", 0, CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED);
}

}  // namespace

Claims rocblas_claims() {
  return {
      .of_natural_types =
          {
              cmocka_unit_test(rocblas_to_6_default_memory_is_allocated_automatically_and_recycled),
              cmocka_unit_test(rocblas_to_6_preallocate_all_functions_are_asked_and_nothing_is_allocated_afterwards),
              cmocka_unit_test(rocblas_to_6_preallocate_the_environment_says_the_size),
              cmocka_unit_test(rocblas_to_6_manual_the_user_allocates_before_and_frees_after),
              cmocka_unit_test(rocblas_to_6_user_owned_memory_is_used_and_is_the_users_again),
              cmocka_unit_test(rocblas_to_6_all_schemes_keep_memory_in_the_handle_for_its_next_function),
              cmocka_unit_test(rocblas_to_6_all_schemes_the_handle_reports_its_size_and_who_manages_it),
              cmocka_unit_test(rocblas_to_6_explicit_sizes_are_limits_and_a_slower_algorithm_is_used),
              cmocka_unit_test(rocblas_to_6_queries_are_of_one_handle_and_thread),
              cmocka_unit_test(rocblas_to_6_queries_collect_and_do_no_work),
              cmocka_unit_test(rocblas_to_6_queries_round_each_size_and_keep_the_maximum),
              cmocka_unit_test(rocblas_to_6_queries_are_what_sizes_are_reported_in),
              cmocka_unit_test(rocblas_to_6_queries_of_functions_without_memory_take_one_line),
              cmocka_unit_test(rocblas_to_6_functions_refuse_a_handle_that_is_none),
              cmocka_unit_test(rocblas_to_6_objects_of_one_size_are_pointers_and_of_several_are_tied),
              cmocka_unit_test(rocblas_to_6_objects_end_and_the_memory_is_the_handles),
              cmocka_unit_test(rocblas_to_6_objects_without_memory_are_false_and_null),
              cmocka_unit_test(rocblas_to_6_objects_may_be_several_and_end_in_any_order),
          },
  };
}

}  // namespace cadastre::internal
