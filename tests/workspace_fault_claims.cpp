// Tangled from org/tests/workspace_fault_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "workspace_cuda_claims.hpp"

namespace cadastre::internal {
namespace {

void user_owned_memory_of_the_vendor_is_checked(void**) {
  skip_without_the_double("a GPU's driver may say of an address behind a block that it is memory of the device");
  const cadastre_context context = cuda_context();
  const auto set = [=](void* buffer, std::size_t bytes, cadastre_memory_type type = CADASTRE_DEVICE) {
    return cadastre_workspace_set_buffer(context, type, buffer, bytes);
  };
  std::byte *own = nullptr, *far = nullptr, *managed = nullptr, *pinned = nullptr;
  assert_int_equal(cuda("cudaMalloc", reinterpret_cast<void**>(&own), std::size_t{8192}), 0);
  assert_int_equal(cuda("cudaMallocManaged", reinterpret_cast<void**>(&managed), std::size_t{8192}, attach_globally), 0);
  assert_int_equal(cuda("cudaMallocHost", reinterpret_cast<void**>(&pinned), std::size_t{8192}), 0);
  assert_int_equal(cuda("cudaSetDevice", 1), 0);
  assert_int_equal(cuda("cudaMalloc", reinterpret_cast<void**>(&far), std::size_t{8192}), 0);
  assert_int_equal(cuda("cudaSetDevice", 0), 0);
  const Books before = books_of(context, device_memory);
  assert_refused(context, set(far, 8192), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, "device 1"));
  assert_refused(context, set(own + 8, 256), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_MISALIGNED);
  assert_refused(context, set(own, 8193), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_refused(context, set(own + 256, 8192), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_refused(context, set(own, 255), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_UNSUITABLE_BUFFER);
  alignas(4096) static unsigned char plain[4096];
  assert_refused(context, set(plain, 4096), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, ("to the " + vendor_here() + " backend, they are not its memory").c_str()));
  assert_refused(context, set(managed, 8192), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, "they are UVM memory, and the workspace is one of DEVICE memory"));
  assert_unchanged(context, device_memory, before);
  const cadastre_context there = cuda_context(1);
  assert_int_equal(cadastre_workspace_set_buffer(there, CADASTRE_DEVICE, own, 8192), CADASTRE_INVALID_ARG_3);
  void* const theirs = block(there, request(CADASTRE_DEVICE, 8192));
  assert_refused(context, set(theirs, 8192), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  void* const here_and_far = block(context, request(CADASTRE_DEVICE, 8192, 1));
  assert_refused(context, set(here_and_far, 8192), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  destroy(there);
  assert_int_equal(set(own + 256, 7936), CADASTRE_SUCCESS);
  assert_int_equal(info_of(context, CADASTRE_DEVICE).scheme, CADASTRE_WORKSPACE_SCHEME_USER_OWNED);
  assert_int_equal(set(managed, 8192, CADASTRE_UVM), CADASTRE_SUCCESS);
  assert_int_equal(info_of(context, CADASTRE_UVM).scheme, CADASTRE_WORKSPACE_SCHEME_USER_OWNED);
  assert_int_equal(info_of(context, CADASTRE_DEVICE).scheme, CADASTRE_WORKSPACE_SCHEME_USER_OWNED);
  const Loan loan = acquire(context, CADASTRE_UVM, {5000});
  assert_refused(context, set(nullptr, 0, CADASTRE_UVM), CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE);
  assert_int_equal(set(nullptr, 0), CADASTRE_SUCCESS);
  assert_int_equal(info_of(context, CADASTRE_DEVICE).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  assert_int_equal(info_of(context, CADASTRE_UVM).scheme, CADASTRE_WORKSPACE_SCHEME_USER_OWNED);
  give_back(context, loan);
  assert_int_equal(set(pinned, 8192, CADASTRE_PINNED), CADASTRE_SUCCESS);
  destroy(context);
  for (void* const memory : {own, far, managed}) assert_int_equal(cuda("cudaFree", memory), 0);
  assert_int_equal(cuda("cudaFreeHost", pinned), 0);
  assert_int_equal(census().blocks, 0);
}

void user_owned_memory_that_was_freed_is_refused_and_given_anew_is_not(void**) {
  const cadastre_context context = cuda_context();
  void* const freed = block(context, request(CADASTRE_DEVICE, 8192));
  assert_int_equal(cadastre_free(context, freed), CADASTRE_SUCCESS);
  assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, freed, 8192), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_ALREADY_FREED);
  void* again = nullptr;
  assert_int_equal(cuda("cudaMalloc", &again, std::size_t{8192}), 0);
  if (again != freed && !cuda_double()) {
    assert_int_equal(cuda("cudaFree", again), 0);
    destroy(context);
    skip_because("this device gave another address");
  }
  assert_ptr_equal(again, freed);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, again, 8192), CADASTRE_SUCCESS);
  const Loan loan = acquire(context, device_memory, {8192});
  assert_ptr_equal(loan[0], again);
  give_back(context, loan);
  destroy(context);
  assert_int_equal(cuda("cudaFree", again), 0);
}

// All that can be done with a workspace; the first thing that fails is told.
struct Life {
  cadastre_context context;
  const Stream& a;
  const Stream& b;
  void* buffer;
  std::vector<cadastre_exit_code> codes = {};

  // Answers whether it succeeded; the sentence and the code must agree when it did not.
  bool note(cadastre_exit_code code) {
    if (code == CADASTRE_SUCCESS) return true;
    nothing_fails();
    codes.push_back(code);
    assert_int_equal(last(context).exit_code, code);
    assert_int_not_equal(last(context).reason, CADASTRE_REASON_NONE);
    assert_true(code == CADASTRE_FAILURE || code == CADASTRE_ALLOCATION_FAILED || code == CADASTRE_DEALLOCATION_FAILED);
    return false;
  }
  void lend_and_give_back(std::size_t size, cadastre_queue queue) {
    Loan loan = try_acquire(context, device_memory, {size}, queue);
    if (!note(loan.code)) loan = acquire(context, device_memory, {size}, queue);
    start_kernel_or_not(loan[0], size, queue);
    Loan nested = try_acquire(context, device_memory, {2 * size}, queue);
    if (!note(nested.code)) nested = acquire(context, device_memory, {2 * size}, queue);
    for (const Loan& ended : {nested, loan}) {
      note(cadastre_workspace_release(context, ended.lease));
      assert_int_equal(cadastre_workspace_release(context, ended.lease), CADASTRE_INVALID_ARG_2);
    }
  }
  void start_kernel_or_not(void* pointer, std::size_t size, cadastre_queue queue) {
    note(cadastre_memset_async(context, pointer, 1, size, queue));
  }
  void set_size(std::size_t size) {
    if (note(cadastre_workspace_set_size(context, device_memory, size))) return;
    const cadastre_exit_code again = cadastre_workspace_set_size(context, device_memory, size);
    assert_int_equal(again, CADASTRE_SUCCESS);
  }
  void set_buffer() {
    if (note(cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, buffer, 8192))) return;
    if (info_of(context, device_memory).scheme == CADASTRE_WORKSPACE_SCHEME_USER_OWNED) return;
    assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_DEVICE, buffer, 8192), CADASTRE_SUCCESS);
  }
  void all() {
    for (const cadastre_queue queue : {CADASTRE_DEFAULT_QUEUE, cadastre_queue{a}, cadastre_queue{b}}) {
      lend_and_give_back(300, queue);
    }
    lend_and_give_back(2000, a);
    for (const std::size_t scheme : {std::size_t{10000}, CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
      set_size(scheme);
      lend_and_give_back(500, b);
      lend_and_give_back(500, CADASTRE_DEFAULT_QUEUE);
    }
    set_buffer();
    lend_and_give_back(1000, a);
    lend_and_give_back(1000, b);
  }
};

void whichever_call_of_the_vendor_fails_nothing_is_lost(void**) {
  skip_without_the_double(calls_fail);
  cuda("cudaGetLastError");  // what other claims left
  cuda_double_census at_first = (destroy(cuda_context()), census());
  int failures = 0;
  long all = 1;  // calls that there are when none fails
  for (long k = 0; k <= all; ++k) {
    const Stream a, b;
    const cadastre_context context = cuda_context();
    Life life{context, a, b, block(context, request(CADASTRE_DEVICE, 8192))};
    cuda_double().forget_calls();
    cuda_double().fail(nullptr, k, k > 0, unknown_error);
    life.all();
    const std::int64_t lost = statistics_of(context, device_memory).failed_deallocations;
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    const cadastre_exit_code code = cadastre_context_destroy_with_summary(context, &summary);
    nothing_fails();
    if (k == 0) all = cuda_double().calls(nullptr);
    assert_int_equal(code == CADASTRE_SUCCESS, summary.failed_deallocations == 0);
    assert_int_equal(summary.live_leases, 0);
    const std::size_t blocks_lost = census().blocks - std::exchange(at_first.blocks, census().blocks);
    assert_int_equal(blocks_lost, lost + summary.failed_deallocations);
    failures += !life.codes.empty() || code != CADASTRE_SUCCESS;
    assert_int_equal(cuda("cudaPeekAtLastError"), 0);
  }
  print_message("# %ld calls failed in turn, and %d failures were told\n", all, failures);
  assert_true(failures > 60);
}

void a_wait_that_failed_is_still_to_be_done(void**) {
  skip_without_the_double(calls_fail);
  const cadastre_context context = cuda_context();
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 1000), CADASTRE_SUCCESS);
  const Stream a, b;
  Loan loan = acquire(context, device_memory, {1000}, a);
  void* const memory = loan[0];
  start_kernel(context, a, memory, 1000, 1);
  cuda_double().fail("cudaEventRecord", 1, 1, unknown_error);
  assert_refused(context, cadastre_workspace_release(context, loan.lease), CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED);
  cuda_double().fail(wait_for_device(), 1, 1, unknown_error);
  assert_refused(context, try_acquire(context, device_memory, {1000}, b).code, CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED);
  nothing_fails();
  loan = acquire(context, device_memory, {1000}, b);
  assert_ptr_equal(loan[0], memory);
  assert_int_equal(first_byte(memory), 1);
  give_back(context, loan);
  cuda_double().fail("cudaStreamWaitEvent", 1, 1, unknown_error);
  assert_int_equal(try_acquire(context, device_memory, {1000}, a).code, CADASTRE_FAILURE);
  nothing_fails();
  lend_after(context, b, a);
  destroy(context);
}

void where_no_event_could_be_recorded_the_next_acquisition_waits(void**) {
  skip_without_the_double(calls_fail);
  const cadastre_context context = cuda_context();
  const Stream a;
  const Loan loan = acquire(context, device_memory, {1000}, a);
  start_kernel(context, a, loan[0], 1000, 1);
  cuda_double().fail("cudaEventRecord", 1, 1, unknown_error);
  assert_int_equal(cadastre_workspace_release(context, loan.lease), CADASTRE_FAILURE);
  nothing_fails();
  assert_int_equal(info_of(context, device_memory).live_leases, 0);
  const Loan next = acquire(context, device_memory, {1000}, a);  // it may be another queue of this number
  assert_ptr_equal(next[0], loan[0]);
  assert_int_equal(first_byte(next[0]), 1);
  give_back(context, next);
  destroy(context);
}

void a_free_that_fails_is_told_and_counted(void**) {
  skip_without_the_double(calls_fail);
  const std::size_t at_first = (destroy(cuda_context()), census().blocks);
  const cadastre_context context = cuda_context();
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
  const Loan loan = acquire(context, device_memory, {1000});
  cuda_double().fail("cudaFree", 1, 1, unknown_error);
  assert_refused(context, cadastre_workspace_release(context, loan.lease), CADASTRE_DEALLOCATION_FAILED,
                 CADASTRE_REASON_BACKEND_FREE_FAILED);
  nothing_fails();
  assert_int_equal(info_of(context, device_memory).live_leases, 0);
  assert_int_equal(info_of(context, device_memory).reserved_bytes, 0);
  assert_int_equal(statistics_of(context, device_memory).failed_deallocations, 1);
  give_back(context, acquire(context, device_memory, {1000}));
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 5000), CADASTRE_SUCCESS);
  cuda_double().fail("cudaFree", 1, 1, unknown_error);
  assert_int_equal(cadastre_workspace_set_size(context, device_memory, 100), CADASTRE_DEALLOCATION_FAILED);
  nothing_fails();
  assert_int_equal(info_of(context, device_memory).reserved_bytes, 256);
  give_back(context, acquire(context, device_memory, {100}));
  destroy(context);
  assert_int_equal(census().blocks, at_first + 2);
}

}  // namespace

std::vector<CMUnitTest> fault_claims() {
  return {
      cmocka_unit_test(user_owned_memory_of_the_vendor_is_checked),
      cmocka_unit_test(user_owned_memory_that_was_freed_is_refused_and_given_anew_is_not),
      cmocka_unit_test(whichever_call_of_the_vendor_fails_nothing_is_lost),
      cmocka_unit_test(a_wait_that_failed_is_still_to_be_done),
      cmocka_unit_test(where_no_event_could_be_recorded_the_next_acquisition_waits),
      cmocka_unit_test(a_free_that_fails_is_told_and_counted),
  };
}

}  // namespace cadastre::internal
