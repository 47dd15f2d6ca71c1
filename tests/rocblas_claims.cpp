// Tangled from org/tests/rocblas_claims.org; change the chapter, then run: make tangle
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <string>

#include "workspace_claims.hpp"

namespace cadastre::internal {
namespace {

void rocblas_default_scheme_memory_is_allocated_automatically_and_recycled(void** state) {
  const cadastre_context context = context_of(state);
  assert_int_equal(solve(context, 1000, 10), CADASTRE_SUCCESS);
  assert_int_equal(solve(context, 500, 10), CADASTRE_SUCCESS);
  assert_int_equal(solve(context, 1000, 10), CADASTRE_SUCCESS);
  assert_int_equal(allocations(context), 1);
  assert_int_equal(solve(context, 9000, 10), CADASTRE_SUCCESS);
  assert_int_equal(allocations(context), 2);
  assert_int_equal(solve(context, 1000, 10), CADASTRE_SUCCESS);
  assert_int_equal(allocations(context), 2);
  destroy(context);
}

void rocblas_preallocate_scheme_all_functions_are_asked_and_nothing_is_allocated_afterwards(void** state) {
  const cadastre_context context = context_of(state);
  int worked = 0;
  std::size_t bytes = 0;
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  assert_int_equal(solve(context, 1000, 10), CADASTRE_SIZE_INCREASED);
  assert_int_equal(solve(context, 9000, 10), CADASTRE_SIZE_INCREASED);
  assert_int_equal(solve(context, 500, 10), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(needs_nothing(context, &worked), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(allocations(context), 0);
  assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, bytes), CADASTRE_SUCCESS);
  for (int round = 0; round < 3; ++round) {
    assert_int_equal(solve(context, 1000, 10), CADASTRE_SUCCESS);
    assert_int_equal(solve(context, 9000, 10), CADASTRE_SUCCESS);
    assert_int_equal(needs_nothing(context, &worked), CADASTRE_SUCCESS);
  }
  assert_int_equal(allocations(context), 1);
  assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).growths, 0);
  destroy(context);
}

void rocblas_manual_scheme_the_user_allocates_before_and_frees_after(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).type;
  for (int round = 0; round < 3; ++round) {
    std::size_t bytes = 0;
    assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
    assert_int_equal(solve(context, 9000, 10), CADASTRE_SIZE_INCREASED);
    assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
    unsigned char* const own = aligned_block(context, type, bytes);
    const std::int64_t before = allocations(context);
    assert_int_equal(cadastre_workspace_set_buffer(context, type, own, bytes), CADASTRE_SUCCESS);
    assert_int_equal(solve(context, 9000, 10), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_workspace_set_buffer(context, type, nullptr, 0), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
    assert_int_equal(allocations(context), before);
    assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, bytes), CADASTRE_SUCCESS);
    assert_int_equal(solve(context, 9000, 10), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
    assert_int_equal(statistics_of(context, type).live_blocks, 0);
  }
  destroy(context);
}

void rocblas_multiple_buffers_come_from_one_lend(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_workspace_info_struct info = info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE);
  const std::size_t m = 31, n = 17, k = 5, sizes[2] = {m * n, m * k};
  void* buffers[2];
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 2, sizes, buffers, &lease), CADASTRE_SUCCESS);
  assert_ptr_equal(buffers[1], static_cast<std::byte*>(buffers[0]) + rounded(m * n, info));
  write(context, buffers[0], m * n, 1);
  write(context, buffers[1], m * k, 2);
  assert_true(holds(context, buffers[0], m * n, 1) && holds(context, buffers[1], m * k, 2));
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  assert_int_equal(allocations(context), 1);
  destroy(context);
}

void rocblas_size_query_collects_and_does_no_work(void** state) {
  const cadastre_context context = context_of(state);
  std::size_t bytes = 0;
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  assert_int_equal(solve(context, 1001, 10), CADASTRE_SIZE_INCREASED);
  assert_int_equal(solve(context, 1001, 10), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, rounded(1001, info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE)));
  assert_int_equal(bytes % 64, 0);
  assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).acquisitions, 0);
  destroy(context);
}

void rocblas_only_what_was_explicitly_sized_is_used(void** state) {
  const cadastre_context context = context_of(state);
  assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 2000), CADASTRE_SUCCESS);
  assert_int_equal(solve(context, 9000, 1500), CADASTRE_PERFORMANCE_DEGRADED);
  assert_int_equal(solve(context, 9000, 5000), CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(allocations(context), 1);
  assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).growths, 0);
  destroy(context);
}

int size_in_the_environment(const Subject& subject, const char* value, std::size_t bytes,
    cadastre_workspace_scheme scheme) {
  char program[4096] = "";  // read, since valgrind answers that, and does not run what the link leads to
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return -1;
  setenv("CADASTRE_WORKSPACE_SIZE", value, 1);
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    execl(program, program, subject.name, std::to_string(bytes).c_str(),
        std::to_string(scheme).c_str(), nullptr);
    _exit(99);
  }
  unsetenv("CADASTRE_WORKSPACE_SIZE");
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void rocblas_preallocate_scheme_the_environment_says_the_size(void** state) {
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
      .of_natural_types = {
          cmocka_unit_test(rocblas_default_scheme_memory_is_allocated_automatically_and_recycled),
          cmocka_unit_test(rocblas_preallocate_scheme_all_functions_are_asked_and_nothing_is_allocated_afterwards),
          cmocka_unit_test(rocblas_preallocate_scheme_the_environment_says_the_size),
          cmocka_unit_test(rocblas_manual_scheme_the_user_allocates_before_and_frees_after),
          cmocka_unit_test(rocblas_multiple_buffers_come_from_one_lend),
          cmocka_unit_test(rocblas_size_query_collects_and_does_no_work),
          cmocka_unit_test(rocblas_only_what_was_explicitly_sized_is_used),
      },
  };
}

}  // namespace cadastre::internal
