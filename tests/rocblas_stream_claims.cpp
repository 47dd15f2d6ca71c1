// Tangled from org/tests/rocblas_stream_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "workspace_cuda_claims.hpp"

namespace cadastre::internal {
namespace {

void set_stream(cadastre_context handle, cadastre_queue stream) {
  assert_int_equal(cadastre_context_set_default_queue(handle, stream), CADASTRE_SUCCESS);
}

void set_scheme(cadastre_context handle, std::size_t scheme) {
  assert_int_equal(cadastre_workspace_set_size(handle, device_memory, scheme), CADASTRE_SUCCESS);
}

// Whether all that is at work on the memory comes before what the handle's stream gets from now on.
bool is_ordered(cadastre_context handle, const void* memory, std::size_t bytes) {
  void* stream = nullptr;
  if (!cuda_double()) return true;
  return cadastre_context_get_default_queue(handle, &stream) == CADASTRE_SUCCESS && cuda_double().unordered(memory, bytes, &stream) == 0;
}

// Writes the value to its result with memory of the handle, on the handle's stream, which has much to do.
cadastre_exit_code compute(cadastre_context handle, void* result, std::size_t bytes, int value, const void** where = nullptr) {
  void* memory = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  cadastre_exit_code code = cadastre_workspace_acquire(handle, device_memory, 1, &bytes, &memory, &lease);
  if (code != CADASTRE_SUCCESS) return code;
  if (!is_ordered(handle, memory, bytes)) code = CADASTRE_FAILURE;
  for (int kernel = 0; kernel < 5; ++kernel) {
    code = std::max(code, cadastre_memset_async(handle, memory, kernel < 4 ? 0 : value, bytes, CADASTRE_DEFAULT_QUEUE));
  }
  code = std::max(code, cadastre_memcpy_async(handle, result, memory, bytes, CADASTRE_DEFAULT_QUEUE));
  for (int kernel = 0; kernel < 5; ++kernel) {
    code = std::max(code, cadastre_memset_async(handle, memory, 0, bytes, CADASTRE_DEFAULT_QUEUE));
  }
  if (where) *where = memory;
  return std::max(code, cadastre_workspace_release(handle, lease));
}

// Results of functions that are called one after the other: each is filled with the number of its call.
class Results {
 public:
  Results(cadastre_context handle, std::size_t bytes, std::size_t most) : handle_(handle), bytes_(bytes) {
    for (std::size_t i = 0; i < most; ++i) results_.push_back(block(handle, request(device_memory, bytes)));
    assert_int_equal(cadastre_synchronize(handle, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    cuda_double().forget_calls();
  }
  // Where its memory was.
  const void* compute_next() {
    const void* where = nullptr;
    const int number = static_cast<int>(++computed_);
    assert_int_equal(compute(handle_, results_.at(computed_ - 1), bytes_, number, &where), CADASTRE_SUCCESS);
    return where;
  }
  // Once all that is enqueued is done.
  void assert_right() const {
    assert_int_equal(cuda("cudaDeviceSynchronize"), 0);
    for (std::size_t i = 0; i < computed_; ++i) {
      Bytes found(bytes_);
      assert_int_equal(cadastre_memcpy(handle_, found.data(), results_[i], bytes_), CADASTRE_SUCCESS);
      assert_true(found == Bytes(bytes_, static_cast<unsigned char>(i + 1)));
    }
  }

 private:
  cadastre_context handle_;
  std::size_t bytes_, computed_ = 0;
  std::vector<unsigned char*> results_;
};

constexpr std::array managed_schemes = {CADASTRE_WORKSPACE_AUTOMATIC, CADASTRE_WORKSPACE_STREAM_ORDERED};
constexpr std::size_t in_stream_order = CADASTRE_WORKSPACE_STREAM_ORDERED;

void rocblas_7_managed_functions_of_a_stream_reuse_memory_and_wait_for_nothing(void**) {
  const cadastre_context handle = cuda_context();
  const Stream stream;
  set_stream(handle, stream);
  Results results(handle, 1000, 6);
  const void* const first = results.compute_next();
  cuda_double().forget_calls();
  for (int call = 0; call < 5; ++call) assert_ptr_equal(results.compute_next(), first);
  assert_int_equal(allocations_and_frees() + synchronizations(), 0);
  assert_int_equal(info_of(handle, device_memory).growths, 1);
  assert_int_equal(info_of(handle, device_memory).waits, 0);
  results.assert_right();
  destroy(handle);
}

void rocblas_7_managed_in_stream_order_the_vendor_allocates_and_frees_on_the_stream(void**) {
  skip_without_the_double(calls_are_counted);
  const cadastre_context handle = cuda_context();
  const Stream stream;
  set_scheme(handle, in_stream_order);
  set_stream(handle, stream);
  Results results(handle, 1000, 4);
  for (int call = 0; call < 4; ++call) results.compute_next();
  assert_int_equal(calls({"cudaMallocAsync"}), 4);
  assert_int_equal(calls({"cudaFreeAsync"}), 4);
  assert_int_equal(allocations_and_frees(), 8);
  assert_int_equal(synchronizations() + calls({"cudaStreamWaitEvent"}), 0);
  results.assert_right();
  destroy(handle);
  assert_int_equal(census().blocks, 0);
}

void rocblas_7_managed_a_stream_is_switched_and_nobody_waits(void**) {
  for (const std::size_t scheme : managed_schemes) {
    const cadastre_context handle = cuda_context();
    const Stream a, b;
    set_scheme(handle, scheme);
    Results results(handle, 1000, 9);
    for (int round = 0; round < 3; ++round) {
      for (const cadastre_queue stream : {cadastre_queue{a}, cadastre_queue{b}, CADASTRE_DEFAULT_QUEUE}) {
        const long before = calls({nullptr});
        set_stream(handle, stream);
        assert_int_equal(calls({nullptr}), before);
        results.compute_next();
      }
    }
    assert_int_equal(synchronizations(), 0);
    assert_int_equal(info_of(handle, device_memory).waits, 0);
    const std::int64_t growths = info_of(handle, device_memory).growths;
    assert_true(scheme == in_stream_order ? growths == 9 : growths <= 3);  // a card may be done with one before the next
    results.assert_right();
    destroy(handle);
  }
  assert_int_equal(census().blocks, 0);
}

void rocblas_7_managed_a_stream_that_was_switched_from_is_destroyed_at_once(void**) {
  for (const std::size_t scheme : managed_schemes) {
    const cadastre_context handle = cuda_context();
    set_scheme(handle, scheme);
    Results results(handle, 1000, 6);
    for (int round = 0; round < 6; ++round) {
      const Stream stream;
      set_stream(handle, stream);
      results.compute_next();
      set_stream(handle, CADASTRE_DEFAULT_QUEUE);
    }
    assert_int_equal(synchronizations(), 0);
    results.assert_right();
    destroy(handle);
  }
  assert_int_equal(census().blocks, 0);
}

// The vendor's own allocation and free may wait for the device: no wait is ours.
void rocblas_7_managed_grows_in_a_stream_and_nobody_waits(void**) {
  for (const std::size_t scheme : managed_schemes) {
    const cadastre_context handle = cuda_context();
    const Stream stream;
    set_scheme(handle, scheme);
    set_stream(handle, stream);
    Results small(handle, 1000, 2), large(handle, 50000, 2);
    for (int round = 0; round < 2; ++round) {
      small.compute_next();
      large.compute_next();
    }
    assert_int_equal(synchronizations(), 0);
    assert_int_equal(info_of(handle, device_memory).waits, 0);
    small.assert_right();
    large.assert_right();
    destroy(handle);
  }
  assert_int_equal(census().blocks, 0);
}

unsigned char* set_workspace(cadastre_context handle, std::size_t bytes) {
  unsigned char* const own = aligned_block(handle, device_memory, bytes);
  assert_int_equal(cadastre_workspace_set_buffer(handle, device_memory, own, bytes), CADASTRE_SUCCESS);
  return own;
}

void rocblas_7_user_owned_nothing_is_resized_and_nothing_synchronizes(void**) {
  const cadastre_context handle = cuda_context();
  const Stream stream;
  unsigned char* const own = set_workspace(handle, 1024);
  set_stream(handle, stream);
  Results results(handle, 1000, 4);
  void* const no_result = own;
  for (int call = 0; call < 4; ++call) {
    assert_ptr_equal(results.compute_next(), own);
    assert_int_equal(compute(handle, no_result, 1025, 1), CADASTRE_LIMIT_EXCEEDED);
  }
  assert_int_equal(allocations_and_frees() + synchronizations(), 0);
  assert_int_equal(info_of(handle, device_memory).reserved_bytes, 1024);
  assert_int_equal(info_of(handle, device_memory).growths, 0);
  results.assert_right();
  destroy(handle);
}

void rocblas_7_user_owned_a_stream_is_switched_and_the_host_does_not_wait(void**) {
  for (const std::size_t bytes : {std::size_t{1024}, std::size_t{4096}}) {
    const cadastre_context handle = cuda_context();
    set_workspace(handle, bytes);
    Results results(handle, 1000, 9);
    {
      const Stream a, b;
      for (int round = 0; round < 3; ++round) {
        for (const cadastre_queue stream : {cadastre_queue{a}, CADASTRE_DEFAULT_QUEUE, cadastre_queue{b}}) {
          set_stream(handle, stream);
          results.compute_next();
        }
      }
      set_stream(handle, CADASTRE_DEFAULT_QUEUE);
    }
    assert_int_equal(allocations_and_frees() + synchronizations(), 0);
    assert_int_equal(info_of(handle, device_memory).waits, bytes == 1024 ? 8 : 0);
    assert_int_equal(info_of(handle, device_memory).growths, 0);
    results.assert_right();
    destroy(handle);
  }
}

void rocblas_7_user_owned_memory_is_the_users_when_the_streams_are_done(void**) {
  const cadastre_context handle = cuda_context();
  const Stream stream;
  unsigned char* const own = set_workspace(handle, 1024);
  set_stream(handle, stream);
  Results results(handle, 1000, 1);
  results.compute_next();
  assert_refused(handle, cadastre_free(handle, own), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
  assert_int_equal(cadastre_workspace_set_buffer(handle, device_memory, nullptr, 0), CADASTRE_SUCCESS);
  if (cuda_double()) assert_int_equal(cuda_double().unordered(own, 1024, nullptr), 0);
  assert_int_equal(cadastre_free(handle, own), CADASTRE_SUCCESS);
  results.assert_right();
  destroy(handle);
}

}  // namespace

std::vector<CMUnitTest> rocblas_claims_of_streams() {
  return {
      cmocka_unit_test(rocblas_7_managed_functions_of_a_stream_reuse_memory_and_wait_for_nothing),
      cmocka_unit_test(rocblas_7_managed_in_stream_order_the_vendor_allocates_and_frees_on_the_stream),
      cmocka_unit_test(rocblas_7_managed_a_stream_is_switched_and_nobody_waits),
      cmocka_unit_test(rocblas_7_managed_a_stream_that_was_switched_from_is_destroyed_at_once),
      cmocka_unit_test(rocblas_7_managed_grows_in_a_stream_and_nobody_waits),
      cmocka_unit_test(rocblas_7_user_owned_nothing_is_resized_and_nothing_synchronizes),
      cmocka_unit_test(rocblas_7_user_owned_a_stream_is_switched_and_the_host_does_not_wait),
      cmocka_unit_test(rocblas_7_user_owned_memory_is_the_users_when_the_streams_are_done),
  };
}

}  // namespace cadastre::internal
