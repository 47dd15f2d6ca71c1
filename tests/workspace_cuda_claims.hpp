// Tangled from org/tests/workspace_cuda_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the claims on workspaces of CUDA share.
#ifndef CADASTRE_TESTS_WORKSPACE_CUDA_CLAIMS_HPP
#define CADASTRE_TESTS_WORKSPACE_CUDA_CLAIMS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <thread>
#include <utility>
#include <vector>

#include "config.h"
#include "base/environment.hpp"
#include "cuda_double.hpp"
#include "workspace_claims.hpp"

namespace cadastre::internal {

inline constexpr cadastre_memory_type device_memory = CADASTRE_DEVICE;

inline constexpr unsigned blocking_stream = 0, non_blocking_stream = 1, attach_globally = 1;
inline constexpr int capture_global = 0, capture_in_thread = 1, capture_relaxed = 2;
inline constexpr std::array capture_modes = {capture_global, capture_in_thread, capture_relaxed};
inline constexpr int not_ready = 600, unknown_error = 999;
inline const cadastre_queue queue_of_the_thread = queue_number(2);

inline void skip_where_queues_have_no_identity() {
  if (!queues_have_identity()) skip_because(needs_identity);
}

inline void skip_without_devices(std::int32_t wanted = 1) {
  const Presence presence = presence_of(spoken().backend);
  if (!presence.usable) skip_because(presence.problem);
  if (presence.devices < wanted) skip_because("this needs a second device");
}

// For claims that count calls which have to be made, let calls fail, or use what on a GPU nobody can promise.
inline void skip_without_the_double(const char* why) {
  skip_without_devices();
  if (!cuda_double()) skip_because(why);
}
inline constexpr const char* calls_are_counted = "only the double of CUDA counts the calls that have to be made here";
inline constexpr const char* calls_fail = "only the double of CUDA lets a call fail";

inline cadastre_context cuda_context_with(cadastre_pool pool, std::int32_t device = 0) {
  skip_without_devices(device + 1);
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = spoken().backend;
  options.device = CADASTRE_DEVICE_BY_ID(device);
  options.pool = pool;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  return context;
}
inline cadastre_context cuda_context(std::int32_t device = 0) {
  return cuda_context_with(cadastre_context_options_struct_zero.pool, device);
}

struct Stream {
  void* stream = nullptr;
  explicit Stream(unsigned flags = non_blocking_stream) {
    skip_without_devices();
    assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, flags), 0);
  }
  ~Stream() { cuda("cudaStreamDestroy", stream); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cadastre_queue() const { return stream; }
  void synchronize() const { assert_int_equal(cuda("cudaStreamSynchronize", stream), 0); }
  void begin_capture(int mode = capture_global) const { assert_int_equal(cuda("cudaStreamBeginCapture", stream, mode), 0); }
  void* end_capture() const {
    void* graph = nullptr;
    assert_int_equal(cuda("cudaStreamEndCapture", stream, &graph), 0);
    return graph;
  }
};

// A kernel that writes a value, whenever its queue comes to it.
inline void start_kernel(cadastre_context context, cadastre_queue queue, void* pointer, std::size_t size, int value) {
  assert_int_equal(cadastre_memset_async(context, pointer, value, size, queue), CADASTRE_SUCCESS);
}

inline int first_byte(const void* pointer) { return cuda_double().first_byte(pointer); }
inline cuda_double_census census() { return cuda_double().census(); }

inline void nothing_fails() { cuda_double().fail(nullptr, 1, 0, 0); }

inline long calls(std::initializer_list<const char*> routines) {
  long sum = 0;
  for (const char* const routine : routines) sum += cuda_double().calls_of(routine);
  return sum;
}
inline long allocations_and_frees() {
  return calls({"cudaMalloc", "cudaFree", "cudaMallocAsync", "cudaFreeAsync", "cudaHostAlloc", "cudaFreeHost", "cudaMallocManaged"});
}
inline long synchronizations() {
  return calls({"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize"}) +
         (spoken().free_waits ? calls({"cudaFree"}) : 0);
}

// One lessee after the other writes to the same memory; the last one's value must be there.
inline void lend_after(cadastre_context context, cadastre_queue first, cadastre_queue second) {
  Loan loan = acquire(context, device_memory, {1000}, first);
  const void* const memory = loan[0];
  start_kernel(context, first, loan[0], 1000, 1);
  give_back(context, loan);
  cuda_double().forget_calls();
  loan = acquire(context, device_memory, {1000}, second);
  assert_ptr_equal(loan[0], memory);
  assert_int_equal(synchronizations() + allocations_and_frees(), 0);
  start_kernel(context, second, loan[0], 1000, 2);
  assert_int_equal(cadastre_synchronize(context, second), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_synchronize(context, first), CADASTRE_SUCCESS);
  assert_int_equal(first_byte(memory), 2);
  give_back(context, loan);
}

std::vector<CMUnitTest> queue_claims();
std::vector<CMUnitTest> rocblas_claims_of_streams();
std::vector<CMUnitTest> part_claims();
std::vector<CMUnitTest> capture_claims();
std::vector<CMUnitTest> graph_claims();
std::vector<CMUnitTest> fault_claims();

}  // namespace cadastre::internal
#endif
